/*
 * abi/scan.h - check that a text is strict JSON and not nested too deeply
 *
 * cJSON 1.7.15 accepts control characters in strings, NUL bytes between tokens, "01", text after the end
 * and invalid UTF-8, and it changes integers that a double cannot represent. json_scan() rejects all of these
 * in one pass before cJSON parses the text.
 */
#ifndef ABI_SCAN_H
#define ABI_SCAN_H

#include "base/base.h"

/*
 * The lines on which the objects of a text begin, in the order of the text. The first line is 1. If an object
 * is a member of another object, the line is that of its key. { 0 } is an empty list.
 */
struct json_lines {
	unsigned *line; /* the caller must free() it, also after an error */
	size_t count, capacity;
};

/**
 * json_scan - check the grammar of RFC 8259, with three restrictions
 * @name: the name of the text in @err
 * @lines: set to the line of each object; NULL if the caller does not need the lines
 *
 * The restrictions: nesting is limited to JSON_DEPTH_MAX, numbers must be integers of at most 2^53, and
 * strings must not contain U+0000.
 * Return: 0; ERR_FORMAT with "NAME:LINE:COLUMN: PATH: message"; ERR_LIMIT if the nesting is too deep.
 */
int json_scan(const char *text, size_t size, const char *name, struct json_lines *lines, struct err *err);

/* json_path_key, json_path_index - append ".b" or "[3]" to a path. Long keys are shortened. */
void json_path_key(struct strbuf *path, const char *key, size_t length);
void json_path_index(struct strbuf *path, size_t index);

#endif
