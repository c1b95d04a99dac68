/*
 * bootstrap/audit.h - fields that somebody should look at before a record is called simple
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_AUDIT_H
#define BOOTSTRAP_AUDIT_H

#include "bootstrap/run.h"

/**
 * audit_record - adds what is doubtful about a record of @abi
 * @is_simple: it is, or may be, passed through unread; else a handler has to be written, and only what that has to compute is told
 *
 * Return: 0; what flatten_record() returns.
 */
int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi, const char *record, bool is_simple);

/* audit_changed - those of the changed entries that stay unread. */
int audit_changed(struct boot *boot);

#endif
