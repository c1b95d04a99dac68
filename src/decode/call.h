/*
 * decode/call.h - which ioctl a request is, and which memory belongs to it
 *
 * Layer L3, a pure pass: no I/O. decode/ asks it about calls that were
 * recorded; what records calls asks it which memory to read.
 *
 *   1. call_identify()  request and device to a family and a number, by the fields of _IOC
 *   2. call_follow()    the bytes behind the request's argument, and a function that reads memory, to a chain of calls:
 *                       an envelope (RM_CONTROL, RM_ALLOC, XFER_CMD) and what is inside
 *   3. call_pointers()    the memory behind the pointers in its parameters, by the rules of "drvabi-use/1"
 *      call_fds()         the file descriptors in them
 *
 * Everything that is read goes through struct call_memory: what records a call
 * hands over a function that reads the process, and notes what it was asked for.
 *
 * Where the driver's number, pointer and size are in an envelope is found by
 * field names (rules.c) in the document: an offset is never assumed.
 */
#ifndef DECODE_CALL_H
#define DECODE_CALL_H

#include "abi/abi.h"
#include "decode/device.h"

/* The fields of a request, as the kernel's _IOC macros have them. */
struct call_request {
	unsigned direction; /* 0 none, 1 write, 2 read, 3 both */
	unsigned type;
	unsigned number;
	unsigned size_bytes;
};

struct call_request call_split(uint64_t request);

/* call_family_of_path - the family that ioctls of a device file are of, as the rule has it; NULL if no document has ioctls of that file. */
const char *call_family_of_path(const struct device_rules *devices, const char *path);

/**
 * call_identify - which ioctl a request is
 * @family: of the device, if it is known; NULL: by the request's type
 * @number: set to what the family's ioctls are numbered by
 *
 * A request of a type that is none of the driver's is no ioctl of it, unless the device is known. One that was an int, and has its
 * sign in the upper half, is the same request.
 * Return: the family; NULL if it is none of the driver's.
 */
const char *call_identify(uint64_t *number, const char *family, uint64_t request);

/* call_identify_on - likewise, of a device file. What is asked of any other file is no ioctl of the driver, whatever its type. */
const char *call_identify_on(uint64_t *number, const struct device_rules *devices, const char *path, uint64_t request);

/* call_find - the ioctl of a family that has a number; NULL if the document has none. */
const struct abi_ioctl *call_find(const struct abi *abi, const char *family, uint64_t number);

/**
 * call_record - the parameter record of an ioctl, in a payload of @size_bytes
 * @size_bytes: of the payload; 0: unknown
 *
 * NV_ESC_RM_ALLOC has one of several records, by size.
 * Return: the name, of a record or of an alias; NULL if the ioctl has no parameters.
 */
const char *call_record(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes);

/* call_has_sizes - does the size of a payload decide the record, or the length of an array? */
bool call_has_sizes(const char *family, const char *name);

/* call_sized_ioctl - the ioctl whose parameters are @record in a call of another size than that of its own record; NULL: none. */
const struct abi_ioctl *call_sized_ioctl(const struct abi *abi, const char *record);

/* call_array_element - the type whose array the argument of an ioctl is, as long as the request says; NULL: it is no array */
const char *call_array_element(const struct abi_ioctl *ioctl);

/* call_record_size - bytes of a record or an alias; 0 if @abi has none of that name. */
uint64_t call_record_size(const struct abi *abi, const char *name);

/* How an envelope says what is inside. */
struct call_rule {
	const char *outer;   /* family of the envelope */
	const char *ioctl;   /* its name */
	const char *record;  /* that has these fields */
	const char *number;  /* field: the number of what is inside */
	const char *pointer; /* field: where it is */
	const char *size;    /* field: how long it is */
	const char *family;  /* of what is inside */
};

/* call_rule_of - the rule of an envelope that @record is; NULL if it is none. */
const struct call_rule *call_rule_of(const struct abi_ioctl *ioctl, const char *record);

/* call_holds_in - is the document's version in one of @versions, or are there none? */
bool call_holds_in(const struct use_span *versions, size_t count, const struct abi *abi);

/* call_union_rule - of a union in a record; NULL if there is none in this document. @rules: may be NULL */
const struct union_rule *call_union_rule(const struct union_rules *rules, const struct abi *abi, const char *record, const char *field);

/* call_selector_rule - the rule of a union that a field of the record selects a member of; NULL if there is none. @rules: may be NULL */
const struct union_rule *call_selector_rule(const struct union_rules *rules, const struct abi *abi, const char *record, const char *field);

/* call_choice - what a value of the selecting field says; NULL if the rule does not know it. */
const struct union_choice *call_choice(const struct union_rule *rule, uint64_t value);

/* A field of a record, or of a record in it. */
struct call_field {
	const struct abi_field *field;
	uint64_t offset_bits; /* from the start of the outermost record */
};

/* call_field_find - by a path, "transData.edidData.pMessage". Return: false if the record has none, or it is an array's element. */
bool call_field_find(struct call_field *out, const struct abi *abi, const char *record, const char *path);

/* call_field_read - an integer's value, out of a record's bytes. Return: false if it is no integer, or not within @size_bytes. */
bool call_field_read(uint64_t *out, const struct call_field *field, const uint8_t *bytes, uint64_t size_bytes);

/* call_field_value - both of them. */
bool call_field_value(uint64_t *out, const struct abi *abi, const char *record, const char *path, const uint8_t *bytes, uint64_t size_bytes);

/* Bytes of another process, or of a trace. Return: false if they are not known; then nothing is set. */
struct call_memory {
	bool (*read)(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes);
	void *data;
};

enum { CALL_DEPTH_MAX = 4, CALL_SIZE_MAX = 16 * 1024 * 1024 };

/* One call of a chain: the envelope first, then what is inside. */
struct call {
	const char *family;
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL: the document has none of that number */
	const char *record;            /* NULL: no parameters, or none that are known */
	uint64_t address;              /* of the parameters; 0: unknown */
	uint64_t size_bytes;           /* of them, as the request or the envelope says; 0: unknown */
	bool has_size;
	const uint8_t *bytes;          /* NULL: not known */
};

/**
 * call_follow - a call and what is inside
 * @chain: at least CALL_DEPTH_MAX
 * @first: of which family and number is set, and bytes with size_bytes if they are known
 *
 * What is inside is listed even if its bytes are not known: the envelope names it.
 * Return: how many calls are set, at least 1.
 */
size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi, const struct call_memory *memory);

/* What the document says of calls of one family, number and size. */
struct call_shape {
	const char *family;            /* a constant; NULL: this is empty */
	uint64_t number, size_bytes;
	const struct abi_ioctl *ioctl;
	const char *record;
	uint64_t record_bytes;
	const struct call_rule *rule;  /* of an envelope whose record has the fields that the rule names */
	struct call_field inner_number, inner_pointer, inner_size;
	bool has_inner_size;
};

enum { CALL_MEMO_SHAPES = 64 };

/* The shapes that were asked for last, of one document. It begins with zeros. */
struct call_memo {
	struct call_shape shapes[CALL_MEMO_SHAPES];
};

/**
 * call_follow_with - call_follow(), for one who follows many calls
 * @first: its family is a constant, as call_identify() returns it
 * @memo:  used with no other document; NULL: none
 */
size_t call_follow_with(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi, const struct call_memory *memory,
			struct call_memo *memo);

/**
 * call_class - the class of the object that an allocation makes
 *
 * That is its number, but for an event, whose parameters name the class that is meant (NV01_EVENT, cl0005.h).
 * Return: false if @call is no allocation.
 */
bool call_class(uint64_t *out, const struct call *call, const struct abi *abi);

enum { CALL_POINTERS_MAX = 8, CALL_FDS_MAX = 64 };

/* A pointer in a call's parameters that the driver follows, and is not NULL. */
struct call_pointer {
	const char *path;          /* of the pointer */
	uint64_t offset_bytes;     /* of it, in the parameters */
	uint64_t address;
	const char *element;       /* type of what is there */
	uint64_t element_bytes;    /* 0: the document lacks the type */
	uint64_t count;            /* of elements; 0 if it is no number of 64 bits */
	const char *counted_by;    /* path of the field that says so; NULL: it is one element */
	uint64_t size_bytes;       /* of them all; 0 with is_too_long */
	bool is_too_long;          /* more than CALL_SIZE_MAX: nobody was asked for it */
	enum use_direction direction;
	const uint8_t *bytes;      /* size_bytes; NULL: not known */
};

/**
 * call_pointers - the memory behind the pointers in one call's parameters
 * @chain: of call_follow(); @index of it is the call
 * @rules: of the driver, "drvabi-use/1"; of several for one pointer, the first whose condition holds counts
 *
 * Return: how many are set. None if the parameters are not known, or not of the record's size.
 */
size_t call_pointers(struct call_pointer out[CALL_POINTERS_MAX], const struct call *chain, size_t index, const struct abi *abi,
		     const struct pointer_rules *rules, const struct call_memory *memory);

/* call_pointer_rule_matches - is @rule one of this document's ioctl and record? Whether its condition holds, the bytes say. */
bool call_pointer_rule_matches(const struct pointer_rule *rule, const struct abi *abi, const struct abi_ioctl *ioctl, const char *record);

/*
 * call_follows - does a rule say what the pointer at @path leads to, or is it the one to what is inside an envelope?
 * @rules: of the driver, "drvabi-use/1"
 *
 * Of a pointer without a rule nobody knows whether the driver follows it.
 */
bool call_follows(const struct pointer_rules *rules, const struct abi *abi, const struct abi_ioctl *ioctl, const char *record, const char *path);

/* call_is_serialized - are the parameters in @outer's serialized (NVOS54_FLAGS_FINN_SERIALIZED)? They have no pointers. */
bool call_is_serialized(const struct call *outer, const struct abi *abi);

/* call_direction_name - "in", "out", "inout"; NULL if it is not known. */
const char *call_direction_name(enum use_direction direction);

/* A file descriptor in a call's parameters. */
struct call_fd {
	uint64_t offset_bytes; /* in the parameters */
	int64_t number;        /* often -1: none */
};

/* call_fds - in the order of their offsets in records; of more than CALL_FDS_MAX the first, in every member of a union. Return: how many are set. */
size_t call_fds(struct call_fd out[CALL_FDS_MAX], const struct call *call, const struct abi *abi);

#endif
