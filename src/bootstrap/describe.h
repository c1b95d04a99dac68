/*
 * bootstrap/describe.h - why an entry changed, field by field, and what to write where
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_DESCRIBE_H
#define BOOTSTRAP_DESCRIBE_H

#include "bootstrap/run.h"

/* describe_changes - sets the entries of the result, but for their edits. Return: 0; what diff_documents() returns. */
int describe_changes(struct boot *boot);

#endif
