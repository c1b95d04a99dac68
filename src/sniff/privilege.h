/*
 * sniff/privilege.h - programs that run without the privilege of their file's owner
 *
 * Part of sniff/.
 */
#ifndef SNIFF_PRIVILEGE_H
#define SNIFF_PRIVILEGE_H

#include "sniff/session.h"

/* privilege_check - a process has become another program: note it if that is set-user-id or set-group-id, and did not get what it is set to. */
void privilege_check(const struct session *session, pid_t pid);

/* privilege_refused - say in @err why the process @pid cannot be traced, and what to allow. */
int privilege_refused(struct err *err, const char *what, pid_t pid, int error);

#endif
