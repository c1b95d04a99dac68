/* decode/internal.h - declarations that the files of decode/ share */
#ifndef DECODE_INTERNAL_H
#define DECODE_INTERNAL_H

#include "decode/decode.h"

/*
 * The text that has not been read yet. It is not NUL-terminated and can have any bytes. A function that
 * returns false or NULL leaves @at unchanged, unless its comment says otherwise.
 */
struct rest {
	const char *at, *end;
};

static inline size_t rest_length(const struct rest *rest)
{
	return (size_t)(rest->end - rest->at);
}

/* rest_skip_word - move past @word. Return: false if the text does not begin with @word. */
bool rest_skip_word(struct rest *rest, const char *word);

/* rest_skip_any - move past all leading characters that are in @chars. */
void rest_skip_any(struct rest *rest, const char *chars);

/* rest_digit - return the value of a hexadecimal digit; 16 or more if @ch is not a digit. */
int rest_digit(char ch);

/* rest_hex - read "2a". Return: false if there are no digits or too many; @rest can have moved then. */
bool rest_hex(uint64_t *out, struct rest *rest);

/*
 * rest_scan - read text in the form @form, and move past it
 *
 *   %n  a number, decimal or with 0x: uint64_t *
 *   %d  the same, with an optional minus before it: int64_t *
 *   %x  a number as rest_hex() reads it: uint64_t *
 *   %_  any number of blanks
 *
 * All other characters match themselves. Return: false if the text does not match; values can be set then.
 */
bool rest_scan(struct rest *rest, const char *form, ...);

/* rest_find - find the first match of @form, and move past it. Return: its start; NULL if nothing matches. */
const char *rest_find(struct rest *rest, const char *form, ...);

/*
 * rest_find_call - find the first text that begins or resumes a call, "ioctl(" at the start of a word or
 * "<... ioctl", and move past its "ioctl". Return: its start; NULL if not found, and then @rest is
 * unspecified.
 */
const char *rest_find_call(struct rest *rest);
/* rest_has - return whether rest_find() would find a match, and if so, set the values */
bool rest_has(struct rest rest, const char *form, ...);

/* --- line_formats.c: single lines -------------------------------------------------------------------- */

enum decode_logged_kind {
	LOGGED_CALL,   /* a whole call */
	LOGGED_NOTICE, /* a whole call from a debug message of nvproxy; a later line can add to it */
	LOGGED_RETURN, /* a whole call; an earlier line can have reported its start */
	LOGGED_BEGIN,  /* a call that has not returned yet */
	LOGGED_UNREAD, /* a call, perhaps of the driver, to a file whose ioctls are unknown: only @path and
			  @is_drivers are set */
	LOGGED_RESUME, /* the result of a call whose start an earlier line reported */
};

/* A call, or a part of one, as a line reports it. */
struct decode_logged_call {
	enum decode_logged_kind kind;
	const struct device_rules *devices; /* the driver's */
	uint64_t thread;         /* the thread that made the call; 0 if the line does not name it */
	bool is_message;         /* true for a message that a proxy writes while it handles the call: an
				    earlier line can have reported the call's start */
	struct rest path;        /* the file's path, in the line */
	bool is_drivers;         /* true if the file is a device of the driver */
	struct decode_input line; /* with LOGGED_RESUME, only has_ret, ret and error are set */
};

/* The formats of a log's lines. A line is read in the first format that it matches. */
enum { FORMAT_SNIFFER, FORMAT_RUNSC, FORMAT_STRACE, FORMAT_PERF, FORMAT_LIBCUDEST, FORMAT_COUNT };

struct line_format {
	const char *name;
	bool (*read_words)(struct decode_logged_call *out, struct rest line); /* reads a message; or NULL */
	const struct call_form *call; /* the form of a line with an ioctl(); NULL if it has no such lines */
};

extern const struct line_format line_formats[FORMAT_COUNT];

/* line_read - read a line in one format. Return: false if it does not match; @out is then unspecified. */
bool line_read(struct decode_logged_call *out, size_t format, const struct device_rules *devices,
	       struct rest line);

/* --- dumps.c ----------------------------------------------------------------------------------------- */

/*
 * A dump of a call's bytes in the lines after the call: users paste the output of hexdump, od or xxd there. A
 * call with a known size and without bytes is held (not reported) until the next line shows whether it has a
 * dump. The dump belongs to the call only if
 *
 *   1. it begins in the next line, at offset 0, with nothing before its offsets
 *   2. no other line is between its lines
 *   3. it is complete, and has as many bytes as the call's parameters
 */
struct pasted_dump {
	bool is_xxd;        /* set with the first line of the dump */
	struct strbuf text; /* the dump's lines so far */
	struct strbuf bytes;
};

/* pasted_dump_can_follow - return whether @call can have a dump after it */
bool pasted_dump_can_follow(const struct decode_input *call);

/* pasted_dump_is_mine - return whether @line can be the first or next line of a dump after @call */
bool pasted_dump_is_mine(const struct pasted_dump *pasted, const struct decode_input *call, struct rest line);

/* pasted_dump_add - add a line for which pasted_dump_is_mine() returned true. */
void pasted_dump_add(struct pasted_dump *pasted, struct rest line);

/*
 * pasted_dump_end - set @call's parameters before the call to the bytes of the dump, if these are complete
 * and have the call's size. They are valid until this function is called again. @pasted is then empty.
 */
void pasted_dump_end(struct decode_input *call, struct pasted_dump *pasted);

void pasted_dump_release(struct pasted_dump *pasted);

enum { CUDEST_DUMPS = 4 };

/* One dump in the lines that libcudest prints for a call. */
struct cudest_dump {
	struct strbuf bytes;
	bool is_broken; /* true if it is too long, or a line is at a wrong offset */
};

struct cudest {
	bool is_open;     /* true while a call's lines are read */
	uint64_t number;  /* the number of the request */
	uint64_t size_bytes;
	bool has_result;
	int64_t ret;
	struct cudest_dump dumps[CUDEST_DUMPS]; /* the parameters, and the memory at their pointer; then both
						   after the call */
	size_t current;   /* the dump to which the next words belong */
	struct trace_memory memory; /* what the dumps have of the memory at the pointer */
	unsigned foreign; /* the number of foreign lines since the last line of the call */
};

enum cudest_line {
	CUDEST_FOREIGN, /* the line does not belong to the call */
	CUDEST_MORE,
	CUDEST_DONE,    /* the line is the call's last line */
	CUDEST_LOST,    /* the rest of the call is missing: too many foreign lines, or one after its result */
};

/*
 * cudest_begin - open the call that begins in @line, and move past its first words. The dumps of the call
 * before it are removed. Return: false if no call begins in @line.
 */
bool cudest_begin(struct cudest *cudest, struct rest *line);

/* cudest_line - read the part of @line that belongs to the open call, and move past that part */
enum cudest_line cudest_line(struct cudest *cudest, struct rest *line);

/*
 * cudest_end - close the call, and set @out to its ioctl, result and dumped bytes, which are valid until the
 * next call begins. Return: false if the call has no parameters: it could be for a different driver.
 */
bool cudest_end(struct decode_input *out, struct cudest *cudest);

void cudest_release(struct cudest *cudest);

/* --- device.c, request.c ----------------------------------------------------------------------------- */

/* device_is_dynamic - return whether the kernel can assign @major to a driver without a fixed number */
bool device_is_dynamic(uint64_t major);

/**
 * device_rule_shown - find the rule for a file from what a log or a trace shows of it
 * @path:   can have the device's usual path below another root: "/run/nvidia/driver/dev/nvidiactl"
 * @number: the device number; 0 if it is not shown
 *
 * A number in the rules decides. A number that the kernel gives to a device of another driver excludes a path
 * below another root. This machine's devices are not consulted: the log can be from another machine.
 * Return: NULL if the file is not a device of the driver. @rules may be NULL.
 */
const struct device_rule *device_rule_shown(const struct device_rules *rules, const char *path, dev_t number);

/* call_has_sizes - return whether the size of the parameters decides their record, or an array's length */
bool call_has_sizes(const char *family, const char *name);

/*
 * call_union_rule - find the rule for the union @field, whose member the field @by selects, in @abi's version
 *
 * @field or @by can be NULL, for any. @rules may be NULL. Return: NULL if there is no such rule.
 */
const struct union_rule *call_union_rule(const struct union_rules *rules, const struct abi *abi,
					 const char *record, const char *field, const char *by);

/* call_choice - return the member that the selector's @value selects; NULL if the rule has no such value */
const struct union_choice *call_choice(const struct union_rule *rule, uint64_t value);

/**
 * call_class - get the class of the object that an allocation creates
 *
 * The class is the number of the call, except for an event (NV01_EVENT), whose parameters have the class
 * (cl0005.h).
 * Return: false if @call is not an allocation.
 */
bool call_class(uint64_t *out, const struct call *call, const struct abi *abi);

/*
 * call_follows - return whether a rule describes the target of the pointer at @path, or the pointer is that
 * of an envelope to the inner parameters
 * @rules: the driver's rules, "drvabi-use/1"
 *
 * It is unknown whether the driver dereferences a pointer without a rule.
 */
bool call_follows(const struct pointer_rules *rules, const struct abi *abi, const struct abi_ioctl *ioctl,
		  const char *record, const char *path);

/*
 * call_is_serialized - return whether the parameters inside @outer are serialized
 * (NVOS54_FLAGS_FINN_SERIALIZED in nvos.h). The driver does not dereference pointers in them.
 */
bool call_is_serialized(const struct call *outer, const struct abi *abi);

/* --- fields.c ---------------------------------------------------------------------------------------- */

enum { DECODE_FIELDS_MAX = 1 << 20 };

/* The bytes of the parameters, or of the memory at a pointer. They must outlive the fields. */
struct decode_payload {
	const uint8_t *bytes;    /* after the call if these are known, else before it */
	const uint8_t *before;   /* before the call; NULL if they are unknown */
	uint64_t size_bytes;     /* the size of the whole payload */
	uint64_t recorded_bytes; /* the size of @bytes and of @before: smaller if the rest was not recorded */
};

/**
 * decode_fields - list the fields in the bytes of a payload
 * @scope:  only its cache and its union rules are used
 * @type:   a record, an alias, or an array of these, "NvU32[8]", with the payload's size
 *
 * A field is omitted if only a part of it was recorded. An array is listed with its recorded elements.
 * Return: 0; ERR_LAYOUT if a field is not inside the record; ERR_LIMIT if there are more than
 * DECODE_FIELDS_MAX fields, or if records are nested too deeply; ERR_NOT_FOUND or ERR_FORMAT for a type.
 */
int decode_fields(struct decode_fields *out, const struct decode_scope *scope, const struct abi *abi,
		  const char *type, const struct decode_payload *payload, struct arena *arena,
		  struct err *err);

/* decode_status_name - get the name of a status, "NV_OK"; NULL if no such constant exists. */
const char *decode_status_name(const struct abi *abi, uint64_t value);

/*
 * The largest numbers of entries in the cache, and of their fields. The cache is limited because an input can
 * have any number of ioctls.
 */
enum { DECODE_CACHE_MAX = 4096, DECODE_CACHE_FIELDS_MAX = 1 << 20 };

enum { FAMILY_MAX = 24 };

/*
 * The key of a hash table of ioctls. A table sets only the members by which it distinguishes ioctls. There is
 * no padding, because all bytes are hashed.
 */
struct ioctl_key {
	char family[FAMILY_MAX];
	uint64_t number, size_bytes;
	uint64_t has_size, has_bytes, is_asked; /* 0 or 1 */
	const struct abi *abi;
	const char *allocated_by;
};

/* ioctl_key_of - make a key with only the family, cut off after FAMILY_MAX - 1 characters, and the number */
static inline struct ioctl_key ioctl_key_of(const char *family, uint64_t number)
{
	struct ioctl_key key = { .number = number };

	memcpy(key.family, family, strnlen(family, FAMILY_MAX - 1));
	return key;
}

/* The caches of decode_cache_new(): fields.c has that of types, and call.c that of ioctls. */
struct decode_cache {
	struct known_ioctl *ioctls;
	struct known_type *types;
	size_t type_count, field_count;
	struct arena arena;
};

/* decode_types_clear - free the hash table of @cache's types, but not the types, which are in its arena */
void decode_types_clear(struct decode_cache *cache);

/* --- call.c, annotate.c, resolve.c ---------------------------------------------------------------- */

/*
 * decode_has_unfollowed - return whether the parameters, or the memory at their pointers, have a non-NULL
 * pointer without a rule
 */
bool decode_has_unfollowed(const struct decode_ioctl *ioctl);

/*
 * The objects of struct decode_handles. A handle belongs to a client: two clients can use the same number. An
 * object is freed with its parent. Objects that were allocated before the trace began are unknown.
 */

enum { DECODE_HANDLES_MAX = 1 << 18 }; /* if there are more objects, the oldest are dropped */

/*
 * decode_handles_add - add an object that was allocated or copied. An object with the same handle is removed
 * first, with its descendants. If @parent is unknown, the client becomes the parent.
 * @class_name: "" if the document does not have the class; must outlive @handles
 */
void decode_handles_add(struct decode_handles *handles, uint32_t client, uint32_t handle, uint32_t parent,
			const char *class_name);

/* decode_handles_remove - remove an object and its descendants; a client's own handle removes the client. */
void decode_handles_remove(struct decode_handles *handles, uint32_t client, uint32_t handle);

/* decode_handles_class - return the class of an object, as it was added; NULL if the object is unknown */
const char *decode_handles_class(const struct decode_handles *handles, uint32_t client, uint32_t handle);

size_t decode_handles_count(const struct decode_handles *handles);

/**
 * decode_annotate - name the objects of a call's handles and descriptors, and if the call succeeded, add or
 * remove the objects that it allocated, copied or freed
 * @ioctls: the ioctls of @call, whose status must be set; `object` of their fields is set
 * @chain:  the call's chain, with as many elements as @ioctls
 */
void decode_annotate(struct decode_ioctl *ioctls, const struct decode_call *call, const struct call *chain,
		     const struct decode_input *input);

/*
 * decode_numbers_find - find the names that an ioctl's number has in any version, with their versions and
 * sizes; NULL if no version has the number. The result is kept, because the first search is slow.
 */
const struct decode_number *decode_numbers_find(struct decode_numbers *numbers, const char *family,
						uint64_t number);

/* decode_add_note - append a note for the user. The old list of notes, maybe in the cache, is unchanged. */
void decode_add_note(struct decode_ioctl *ioctl, struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * decode_resolve - find the name, the record, the version and the notes of a call's ioctl
 * @out:  its fields and pointers are not set
 * @call: only its family, number and size are used, and whether it has bytes
 * @has_bytes: the parameters were recorded, so they will be decoded
 */
void decode_resolve(struct decode_ioctl *out, const struct call *call, bool has_bytes,
		    const struct decode_scope *scope, struct arena *arena);

#endif
