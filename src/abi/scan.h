/*
 * abi/scan.h - is this text strict JSON, of a depth that readers allow?
 *
 * cJSON 1.7.15 accepts control characters in strings, NUL bytes between tokens, "01", text after the end
 * and invalid UTF-8, and it changes integers that a double cannot represent. All of that is found
 * here, in one pass that allocates nothing, before cJSON sees the text.
 */
#ifndef ABI_SCAN_H
#define ABI_SCAN_H

#include "base/base.h"

/*
 * The lines on which the objects of a text begin, from 1, in the order of the text. For a member, the line
 * of its key. { 0 } is empty.
 */
struct json_lines {
	unsigned *line; /* freed by the caller with free(), also after an error */
	size_t count, capacity;
};

/**
 * json_scan - check the grammar of RFC 8259, with three restrictions
 * @name: the name of the text in @err
 * @lines: filled with a line for each object; NULL if the caller does not need it
 *
 * Nesting ends at JSON_DEPTH_MAX; a number is an integer of at most 2^53; no string holds U+0000.
 * Return: 0; ERR_FORMAT with "NAME:LINE:COLUMN: PATH: message"; ERR_LIMIT for the depth.
 */
int json_scan(const char *text, size_t size, const char *name, struct json_lines *lines, struct err *err);

/* json_path_key, json_path_index - "a" + "b" = "a.b", "a" + 3 = "a[3]"; keys are cut to a readable length. */
void json_path_key(struct strbuf *path, const char *key, size_t length);
void json_path_index(struct strbuf *path, size_t index);

#endif
