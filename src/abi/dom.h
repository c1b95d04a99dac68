/*
 * abi/dom.h - values of a parsed text, each with its path
 *
 * Layer L2, internal to json/: what the readers share. A struct json_value is a
 * value and the path to it, so that every error can name that path. Values are
 * on the readers' stacks and borrow cJSON's tree; a value must not outlive its
 * parent. json_parse_free() frees the tree.
 *
 * Nothing here looks a key up in a list: readers iterate, and objects with a
 * fixed set of members are read in one pass by json_members().
 */
#ifndef ABI_DOM_H
#define ABI_DOM_H

#include "abi/json.h"

#include <cjson/cJSON.h>

/* What a value may be; several may be joined with |. */
enum json_want {
	JSON_WANT_OBJECT = 1,
	JSON_WANT_ARRAY = 2,
	JSON_WANT_STRING = 4,
	JSON_WANT_INTEGER = 8, /* a JSON number, or a string "0x…" or "-0x…" */
	JSON_WANT_BOOL = 16,
	JSON_WANT_NULL = 32,
	JSON_WANT_OPTIONAL = 64, /* of a member: it may be absent */
};

struct json_value {
	const struct json_value *parent; /* NULL for the whole text */
	const cJSON *item;               /* NULL for a member that is absent */
	const char *key;                 /* NULL for an item of an array, and for the whole text */
	size_t index;                    /* of an item of an array */
	const char *name;                /* of the input; only in the value of the whole text */
};

struct json_member {
	const char *name;
	unsigned want; /* JSON_WANT_* */
};

/**
 * json_parse - text to tree; strict, see abi/scan.h, and no key twice
 * @root: set on success; freed with json_parse_free()
 */
int json_parse(struct json_value *root, const char *text, size_t size, const char *name, struct err *err);
/* json_parse_lines - the same, and json_line() knows the line of each object: of a member, of its key. */
int json_parse_lines(struct json_value *root, const char *text, size_t size, const char *name, struct err *err);
unsigned json_line(const struct json_value *object);
void json_parse_free(struct json_value *root);

/* json_fail - "NAME: PATH: sentence". Return: @code. */
int json_fail(const struct json_value *at, int code, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* json_expect - ERR_FORMAT "expected an integer, found a string" unless the value is one of @want. */
int json_expect(const struct json_value *at, unsigned want, struct err *err);

/**
 * json_members - the members of an object
 * @found: one for each of @members, in their order; parent is @object
 *
 * Checks that @object is one, that all its keys are among @members, that
 * those which are not optional are there, and the type of each.
 */
int json_members(struct json_value *found, const struct json_value *object, const struct json_member *members, size_t count,
		 struct err *err);

/**
 * json_first, json_next - iterate over an object or array
 *
 *	for (child = json_first(&at); child.item; json_next(&child))
 *
 * @parent: a container that json_expect() has accepted, or an absent member: nothing
 */
struct json_value json_first(const struct json_value *parent);
void json_next(struct json_value *child);
/* json_count - items of an array or members of an object; 0 if absent. */
size_t json_count(const struct json_value *at);

/* Scalars. json_expect() has accepted the value. */
int json_get_number(struct abi_number *out, const struct json_value *at, struct err *err);
/* json_get_unsigned - ERR_FORMAT if negative or above @max. */
int json_get_unsigned(uint64_t *out, const struct json_value *at, uint64_t max, struct err *err);
bool json_is_null(const struct json_value *at); /* null or absent */
bool json_is_true(const struct json_value *at);
/* json_get_string - a copy in @arena; NULL if null or absent. */
const char *json_get_string(const struct json_value *at, struct arena *arena);
/* json_get_strings - an array of strings; empty if absent. */
int json_get_strings(struct profile_strings *out, const struct json_value *at, struct arena *arena, struct err *err);

/* json_expect_format - the member "format" must be @format. */
int json_expect_format(const struct json_value *at, const char *format, struct err *err);

#endif
