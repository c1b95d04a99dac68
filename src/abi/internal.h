/*
 * abi/internal.h - declarations that the files of this directory share: the order of names in a sealed
 * document, cJSON values with checks, stand-ins for Linux headers, spellings of types.
 */
#ifndef ABI_INTERNAL_H
#define ABI_INTERNAL_H

#include "abi/abi.h"

#include <cjson/cJSON.h>

/* For qsort(): orders struct abi_ioctl by family, number, name. */
int abi_order_ioctl(const void *a, const void *b);

/*
 * abi_search_named - binary search among elements that begin with their name
 * @array: sorted by order_named(), @count elements of @size bytes. Return: the element or NULL.
 */
const void *abi_search_named(const void *array, size_t count, size_t size, struct view name);

/* As abi_search_named(), for a typed array. */
#define FIND_NAMED(array, count, name) abi_search_named((array), (count), sizeof(*(array)), (name))

/*
 * values of a parsed text, each with its path
 *
 * A struct json_value is a value and its path, which error messages contain. Values are on the readers'
 * stacks and borrow from cJSON's tree. A value must not outlive its parent. json_parse_free() frees the tree.
 *
 * No function here looks up a single key in a cJSON list, which is slow. Readers iterate over containers, and
 * json_read_struct() reads objects with a fixed set of members in one pass.
 */

struct json_value {
	const struct json_value *parent; /* NULL for the whole text */
	const cJSON *item;               /* NULL for a member that is absent */
	const char *key;                 /* NULL for an item of an array, and for the whole text */
	size_t index;                    /* index of an item of an array */
	const char *name;                /* name of the input; set only for the whole text */
};

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
 * Return: 0; ERR_FORMAT with "NAME:LINE:COLUMN: message"; ERR_LIMIT if the nesting is too deep.
 */
int json_scan(const char *text, size_t size, const char *name, struct json_lines *lines, struct err *err);

/**
 * json_parse - parse a text strictly, with json_scan(); an object must not have the same key twice
 * @root: set on success; free it with json_parse_free()
 *
 * Return: 0; an error of json_scan(); ERR_FORMAT for a duplicate key, or if cJSON cannot parse the text.
 */
int json_parse(struct json_value *root, const char *text, size_t size, const char *name, struct err *err);
/* json_line - return the line on which an object begins; for a member, the line of its key */
unsigned json_line(const struct json_value *object);
void json_parse_free(struct json_value *root);

/* The place of a member or an item, for a message. The member or item need not exist in the text. */
#define JSON_MEMBER(parent_, key_) (&(const struct json_value){ .parent = (parent_), .key = (key_) })
#define JSON_ITEM(parent_, index_) (&(const struct json_value){ .parent = (parent_), .index = (index_) })

/* json_fail - set @err to "NAME: PATH: " and the formatted sentence. Return: @code. */
int json_fail(const struct json_value *at, int code, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * json_expect - check that the value has a kind of @want, a set of JSON_WANT_*; a string "0x…" is an integer,
 * too. Return: 0; ERR_FORMAT: "expected …, found …".
 */
int json_expect(const struct json_value *at, unsigned want, struct err *err);

/**
 * json_first, json_next - iterate over an object or array
 *
 *	for (child = json_first(&at); child.item; json_next(&child))
 *
 * @parent: a container that json_expect() has accepted, or an absent member, which has no children
 */
struct json_value json_first(const struct json_value *parent);
void json_next(struct json_value *child);
/* json_count - count the items of an array or the members of an object; 0 if it is absent */
size_t json_count(const struct json_value *at);

/* Get scalars. json_expect() must have accepted the value. */
struct abi_number json_get_number(const struct json_value *at);
/* json_get_unsigned - get an integer. Return: 0; ERR_FORMAT if it is negative or above @max. */
int json_get_unsigned(uint64_t *out, const struct json_value *at, uint64_t max, struct err *err);
bool json_is_null(const struct json_value *at); /* null or absent */
/* json_get_string - copy a string into @arena. Return: NULL if it is null or absent. */
const char *json_get_string(const struct json_value *at, struct arena *arena);
/*
 * json_get_strings - copy an array of strings into @arena; @out is empty if the array is absent. Return: 0;
 * ERR_FORMAT, with @out untouched, if an item is not a string.
 */
int json_get_strings(struct profile_strings *out, const struct json_value *at, struct arena *arena,
		     struct err *err);

struct json_reader {
	struct arena *arena; /* for all results */
	struct err *err;
	void *context; /* for the hooks */
};

/**
 * json_read_struct - read a value with the fields of @of
 * @out: zeroed by the caller
 *
 * Unknown keys, missing keys and values of a wrong type in @at are reported before errors inside its values.
 * Return: 0; ERR_FORMAT or an error of a hook, after which some fields of @out may be set.
 */
int json_read_struct(void *out, const struct json_struct *of, const struct json_value *at,
		     struct json_reader *reader);
/* json_read_text - parse a text and read it like json_read_struct(); @out is untouched on failure. */
int json_read_text(void *out, const struct json_struct *of, const char *text, size_t size, const char *name,
		   struct arena *arena, struct err *err);

/* json_member - for a hook: get the element of its argument @found that belongs to @key */
const struct json_value *json_member(const struct json_value *found, const char *key);

static inline void *json_place(void *object, const struct json_field *field)
{
	return (char *)object + field->offset;
}

/* json_is_fixed_text - return whether @field is a string that must be equal to its .text */
static inline bool json_is_fixed_text(const struct json_field *field)
{
	return field->text && field->kind & JSON_WANT_STRING && !field->name_of;
}

/*
 * json_same_struct - return whether two structs have the same values in all fields. Places in the driver's
 * source are not compared. Neither are the names of @a and @b if these are keys of a map.
 */
bool json_same_struct(const void *a, const void *b, const struct json_struct *of);

/*
 * the few headers of Linux that the headers of every driver include
 *
 * If a profile's unit has "basics": "linux", these headers are added as stand-ins, in a directory that is
 * searched last, so that headers in the tree take precedence. The declarations belong to the kernel's ABI.
 * They have not changed since Linux 2.6, and are the same on x86 and arm64.
 */

/*
 * linux_stand_ins_add - add the stand-ins and their directory to @unit
 *
 * Also adds <linux/types.h> and <linux/ioctl.h> at the end of the prologue, the kernel's annotations (__user)
 * as empty macros, and __packed as an attribute. Without this macro, __packed would declare a variable. The
 * stand-ins become context: a document has only those of their declarations that the driver uses. All memory
 * is in @arena.
 */
void linux_stand_ins_add(struct profile_unit *unit, struct arena *arena);

/* word_is_qualifier - return whether @word is "const", "volatile" or another type qualifier */
bool word_is_qualifier(struct view word);
/*
 * c_type_bytes - get the size of a scalar type of C itself, "unsigned int" or a pointer, which is the same on
 * all supported targets; 0 if @spelled is not such a type. Needed if no alias has the size of the type, and
 * for an array without elements, whose size does not show the size of an element.
 */
uint64_t c_type_bytes(struct view spelled);

extern const struct json_struct abi_document_fields, table_document_fields, table_patch_fields,
	profile_document_fields, use_document_fields, project_config_fields, abi_layouts_fields;

#endif
