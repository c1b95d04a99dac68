/*
 * cli/class_list.h - classes of changes, as --class takes them
 *
 * Layer L6.
 */
#ifndef CLI_CLASS_LIST_H
#define CLI_CLASS_LIST_H

#include "diff/diff.h"

/**
 * class_list_read - "translation,layout" as enum diff_class bits
 * @text: NULL is no class
 *
 * Return: 0; ERR_USAGE for a word that is no class, with all that there are; @out is untouched then.
 */
int class_list_read(unsigned *out, const char *text, struct err *err);

#endif
