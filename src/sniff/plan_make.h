/*
 * sniff/plan_make.h - the plan of a document
 *
 * Part of preload/, on the recorder's side.
 */
#ifndef SNIFF_PLAN_MAKE_H
#define SNIFF_PLAN_MAKE_H

#include "abi/abi.h"

/**
 * plan_make - append the plan of all ioctls of a document
 * @abi:   NULL: a plan that follows nothing
 * @rules: of the driver's pointers
 */
void plan_make(struct strbuf *out, const struct abi *abi, const struct pointer_rules *rules, const struct device_rules *devices);

#endif
