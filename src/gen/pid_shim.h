/*
 * gen/pid_shim.h - code in C that translates the pids in an ioctl's parameters
 *
 * Part of the room's public face.
 */
#ifndef GEN_PID_SHIM_H
#define GEN_PID_SHIM_H

#include "verify/verify.h"

/**
 * gen_pid_shim_c - append one file of C: tables, and a function that maps pids by a callback
 * @versions: by abi_version_compare(), at least one; each a release
 * @origin:   "nvidia 515.43.04..595.45.04, x86_64-linux-gnu"
 *
 * Left out are pids of a guest, those in a union, those of unknown direction, and those that are not 32 bits wide; a comment names them.
 * Return: 0; ERR_USAGE if a version is no release, so that nobody could tell whether its driver converts pids.
 */
int gen_pid_shim_c(struct strbuf *out, const struct pids *const *versions, size_t count, const char *origin, struct arena *arena,
		   struct err *err);

#endif
