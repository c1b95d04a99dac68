/*
 * cli/class_list.h - classes of changes, as --class, --fail-on and the files of diff --suppress take them
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

/* class_list_read_as - the same for an option of another name, "--fail-on". */
int class_list_read_as(unsigned *out, const char *option, const char *text, struct err *err);

/* class_list_word - one class: a word of a file. Return: 0; ERR_FORMAT, as above. */
int class_list_word(unsigned *out, const char *word, struct err *err);

#endif
