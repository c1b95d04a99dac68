/*
 * abi/internal.h - declarations that the files of this directory share
 *
 * The order of names in a sealed document, cJSON as checked values, basic types of Linux profiles, spellings.
 */
#ifndef ABI_INTERNAL_H
#define ABI_INTERNAL_H

#include "abi/abi.h"

#include <cjson/cJSON.h>
#include <string.h>

/* abi_item_bytes - the size of an item of that kind */
size_t abi_item_bytes(enum abi_kind kind);

/* For qsort(): structs that begin with their name, and const char *. */
int abi_order_named(const void *a, const void *b);
/* For qsort() of struct abi_ioctl: family, number, name. */
int abi_order_ioctl(const void *a, const void *b);
/* For qsort() of struct abi_warning: path, line, column (as numbers), the place as text, the text. */
int abi_order_warning(const void *a, const void *b);

/**
 * abi_search_named - binary search among elements that begin with their name
 * @array: sorted by abi_order_named(), @count elements of @size bytes
 * @name:  @length bytes, not necessarily NUL-terminated
 *
 * Return: the element or NULL.
 */
const void *abi_search_named(const void *array, size_t count, size_t size, const char *name, size_t length);

/*
 * values of a parsed text, each with its path
 *
 * A struct json_value is a value and the path to it, so that every error can name that path. Values are on
 * the readers' stacks and borrow cJSON's tree; a value must not outlive its parent. json_parse_free() frees
 * the tree.
 *
 * Nothing here looks a key up in a list: readers iterate, and objects with a
 * fixed set of members are read in one pass by json_read_struct().
 */

struct json_value {
	const struct json_value *parent; /* NULL for the whole text */
	const cJSON *item;               /* NULL for a member that is absent */
	const char *key;                 /* NULL for an item of an array, and for the whole text */
	size_t index;                    /* of an item of an array */
	const char *name;                /* of the input; only in the value of the whole text */
};

/**
 * json_parse - text to tree; strict, see abi/scan.h, and no key twice
 * @root: set on success; freed with json_parse_free()
 */
int json_parse(struct json_value *root, const char *text, size_t size, const char *name, struct err *err);
/* json_line - the line of an object in the text; of a member, that of its key */
unsigned json_line(const struct json_value *object);
void json_parse_free(struct json_value *root);

/* The place of a member or an item, for a message; it need not be in the text. */
#define JSON_MEMBER(parent_, key_) (&(const struct json_value){ .parent = (parent_), .key = (key_) })
#define JSON_ITEM(parent_, index_) (&(const struct json_value){ .parent = (parent_), .index = (index_) })

/* json_fail - "NAME: PATH: sentence". Return: @code. */
int json_fail(const struct json_value *at, int code, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* json_expect - ERR_FORMAT "expected an integer, found a string" unless the value is one of @want. */
int json_expect(const struct json_value *at, unsigned want, struct err *err);

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
int json_get_strings(struct profile_strings *out, const struct json_value *at, struct arena *arena,
		     struct err *err);

/* json_expect_format - the member "format" must be @format. */
int json_expect_format(const struct json_value *at, const char *format, struct err *err);

struct json_reader {
	struct arena *arena; /* of all that is read */
	struct err *err;
	void *context; /* of the hooks */
};

/**
 * json_read_struct - a value as @of lists it
 * @out: zeroed
 *
 * Unknown keys, missing ones and values of a wrong type are errors that come before all others.
 */
int json_read_struct(void *out, const struct json_struct *of, const struct json_value *at,
		     struct json_reader *reader);
/* json_read_text - the same from a whole text; @out is untouched on failure. */
int json_read_text(void *out, const struct json_struct *of, const char *text, size_t size, const char *name,
		   struct json_reader *reader);

/* json_member - for a @check: the member of @key, which is one of the struct's */
const struct json_value *json_member(const struct json_value *found, const char *key);

static inline void *json_place(void *object, const struct json_field *field)
{
	return (char *)object + field->offset;
}

/* json_same_struct - do both say the same? The name of an element of a map is not the element's own. */
bool json_same_struct(const void *a, const void *b, const struct json_struct *of);

/* A proxy's type is not larger than the parameters of an ioctl can be. */
#define TABLE_TYPE_BYTES_MAX (UINT64_C(1) << 32)

/*
 * table_check_types - types exist and do not contain themselves; fields neither overlap nor leave their type
 * @at: "types" in the text, for the paths in messages
 */
int table_check_types(const struct table *table, const struct json_value *at, struct arena *arena,
		      struct err *err);

/*
 * the few headers of Linux that every driver's header includes
 *
 * A profile's unit that says "basics": "linux" adds them as stand-ins, in a directory that is searched
 * last: a tree that has these headers is read with its own. Their declarations are the kernel's ABI, and
 * have not changed since Linux 2.6; on x86 and arm64 it is the same.
 */

/*
 * linux_basics_add - adds the stand-ins and their directory, <linux/types.h> and <linux/ioctl.h> at the end
 * of the prologue, and the kernel's marks (__user) as empty macros; __packed is an attribute, as in the
 * kernel; otherwise it would be the name of a variable
 *
 * The declarations of linux/types.h and the other stand-ins become context: a document has those that the
 * driver uses. All is in @arena.
 */
void linux_basics_add(struct profile_unit *unit, struct arena *arena);

/*
 * the words and brackets of a spelled type
 *
 * Nothing here looks a name up: type.c does. A span borrows the text that it points into.
 */

/* A range of a spelling; not NUL-terminated. */
struct span {
	const char *text;
	size_t length;
};

static inline struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static inline bool span_equal(struct span a, struct span b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/* span_is_qualifier - "const", "volatile" and their like */
bool span_is_qualifier(struct span word);

extern const struct json_struct abi_document_fields, table_document_fields, table_patch_fields,
	profile_document_fields, use_document_fields, project_config_fields, abi_layouts_fields;

#endif
