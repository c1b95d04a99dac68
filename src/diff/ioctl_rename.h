/*
 * diff/ioctl_rename.h - is an ioctl with the same number the same one, renamed?
 *
 * Layer L3, internal to diff/. ioctl_rename.c says what counts as proof.
 */
#ifndef DIFF_IOCTL_RENAME_H
#define DIFF_IOCTL_RENAME_H

#include "diff/pass.h"

/**
 * diff_is_renamed_ioctl - may @next be what became of @base?
 * @base, @next: of one family and number, each the only one of it in its version, and each with a name that the other version lacks
 *
 * Return: 0 or what flatten_record() says.
 */
int diff_is_renamed_ioctl(bool *out, struct diff_pass *pass, const struct abi_ioctl *base, const struct abi_ioctl *next, struct err *err);

#endif
