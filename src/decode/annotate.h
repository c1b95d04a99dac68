/*
 * decode/annotate.h - what handles and descriptors in a call's parameters stand for
 *
 * Internal to decode/.
 */
#ifndef DECODE_ANNOTATE_H
#define DECODE_ANNOTATE_H

#include "decode/decode.h"

/**
 * decode_annotate - the objects of the fields that are handles or descriptors, and what the call does to handles
 * @ioctls: of @call, whose answer is set
 * @chain:  as many
 */
void decode_annotate(struct decode_ioctl *ioctls, const struct decode_call *call, const struct call *chain, const struct decode_input *input);

#endif
