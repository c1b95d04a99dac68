/*
 * cli/role_list.h - roles of fields, as --role takes them
 *
 * Layer L6.
 */
#ifndef CLI_ROLE_LIST_H
#define CLI_ROLE_LIST_H

#include "abi/abi.h"

/**
 * role_list_read - "pid,fd" as bits of 1u << enum abi_role
 * @text: NULL is no role, 0
 *
 * Return: 0; ERR_USAGE for a word that is no role, with all that there are; @out is untouched then.
 */
int role_list_read(unsigned *out, const char *text, struct err *err);

#endif
