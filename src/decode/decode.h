/*
 * decode/decode.h - ioctls from traces, logs and dumps, named field by field
 *
 * A trace ("drvabi-trace/1") is a stream of messages, each after its length (u64, little-endian);
 * trace.proto is the message. The first four fields are those of gVisor's ioctl_sniffer: its streams are
 * read, too, and can be written (TRACE_WIRE_GVISOR).
 *
 * A message is written with one call of write(2), so that a trace whose writer was killed is whole up to
 * its last message. A reader reads whole messages. A file that is closed may be compressed
 * (compress_file()); the reader unpacks.
 */
#ifndef DECODE_DECODE_H
#define DECODE_DECODE_H

#include "abi/abi.h"
#include "base/base.h"
#include "diff/diff.h"
#include "history/history.h"

#include <sys/types.h>

struct decode_memo; /* the versions, notes and places of fields that all calls of one ioctl and size share */
struct decode_numbers; /* every ioctl that a number has been, in which versions, with how many bytes */
struct decode_seen;    /* the distinct ioctls of many calls, to compare them with another version */
struct trace_unpacker; /* the memory of one message, which the next one gets again */

/* Bytes that were recorded; NULL: they were not. */
struct trace_bytes {
	const uint8_t *bytes;
	uint64_t size_bytes;
};

/* Memory that a pointer in the parameters leads to. */
struct trace_memory {
	uint64_t address;
	uint64_t size_bytes; /* of the call; more than recorded if truncated or not readable */
	struct trace_bytes before, after;
};

/* A file descriptor in the parameters. */
struct trace_fd {
	int64_t number;
	const char *path; /* as /proc/PID/fd says */
};

enum trace_kind {
	TRACE_HEADER, /* version, target, command */
	TRACE_IOCTL,
	TRACE_OPEN,   /* of a device: fd_path, ret (the descriptor), open_flags */
	TRACE_MMAP,   /* shared, of a device: fd_path, argument (the address it got), and map_* */
	TRACE_FILE,   /* of the driver, in /dev, /proc or /sys: fd_path, after (its contents), file_* */
};

/*
 * One message. A field that a writer did not know is 0, NULL or "": gVisor's streams have fd_path, request,
 * ret and after.
 */
struct trace_message {
	enum trace_kind kind;

	const char *fd_path; /* of the device that the descriptor is; "" in a header */
	int32_t fd;          /* the descriptor's number; -1 unknown */
	int32_t ret;         /* -1 with error */
	int32_t error;       /* errno */
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* since the trace began */

	uint64_t request;
	uint64_t argument;         /* the ioctl's third argument, an address */
	struct trace_bytes before, after; /* the memory that it points to */
	const struct trace_memory *memory; /* what that leads to, in the order in which it was read */
	size_t memory_count;
	const struct trace_fd *fds;
	size_t fd_count;

	uint64_t open_flags;
	uint64_t map_size_bytes, map_protection, map_flags, map_offset;
	uint32_t file_mode;                     /* st_mode, st_rdev, st_size */
	uint64_t file_device, file_size_bytes;

	const char *version; /* of the driver, "590.48.01"; "" unknown */
	const char *target;  /* "x86_64-linux-gnu"; "" unknown */
	const char *command; /* as a shell would take it; "" unknown */
	const char *lacks;   /* what the recorder could not see; "": unknown */

	const char *caller;  /* "libnvidia-ml.so.1 nvmlInit_v2": who made the call; NULL, "" not known */
};

/* What is in no message of gVisor's hook. */
#define TRACE_HOOK_LACKS                                                                                    \
	"no parameters from before a call, no memory behind pointers, no errno, threads and times, and " \
	"neither device nodes nor files of /proc and /sys"

/* --- writing ------------------------------------------------------------------------- */

enum trace_wire {
	TRACE_WIRE_DRVABI,
	TRACE_WIRE_GVISOR, /* ioctls alone, with fd_path, request, ret and the bytes after the call */
};

/**
 * trace_pack - append a message, with its length before it
 *
 * Nothing is appended for a message that @wire has no form for.
 */
void trace_pack(struct strbuf *out, const struct trace_message *message, enum trace_wire wire);

/**
 * trace_pack_in - trace_pack() that allocates nothing
 * @out:    the bytes, in @memory; none if @wire has no form for the message
 * @memory: of any contents, aligned for any type
 *
 * Return: false if @size_bytes are too few.
 */
bool trace_pack_in(struct trace_bytes *out, void *memory, size_t size_bytes,
		   const struct trace_message *message, enum trace_wire wire);

/**
 * trace_write - append a message to a file, in one write
 * @scratch: overwritten; the caller's, so that its memory is used again
 *
 * Return: 0; ERR_LIMIT if the message is larger than TRACE_MESSAGE_MAX, and nothing is written; ERR_IO,
 * also when only a part of it could be written: then the file is truncated to its former length, if it is a
 * regular file and no other process has written to it.
 */
int trace_write(int fd, const struct trace_message *message, enum trace_wire wire, struct strbuf *scratch,
		struct err *err);

/* --- reading ------------------------------------------------------------------------- */

enum { TRACE_MESSAGE_MAX = 64 * 1024 * 1024, TRACE_LENGTH_BYTES = 8 };

struct trace_unpacker *trace_unpacker_new(void);
void trace_unpacker_free(struct trace_unpacker *unpacker); /* NULL is fine */

/**
 * trace_take - the message at the beginning of some bytes
 * @out: points into @unpacker, until the next call
 * @at:  moves past it, if it is there
 * @max_bytes: of a message, without its length; at most TRACE_MESSAGE_MAX
 *
 * Return: 1; 0 if it is not whole, @out untouched; ERR_FORMAT; ERR_LIMIT if it is longer than @max_bytes, or
 * has too many parts.
 */
int trace_take(struct trace_message *out, struct trace_unpacker *unpacker, const uint8_t **at,
	       const uint8_t *end, size_t max_bytes, struct err *err);

/* trace_length - of the message whose first TRACE_LENGTH_BYTES these are, without them. */
uint64_t trace_length(const uint8_t *bytes);

/**
 * trace_recognise - is this the beginning of a trace?
 * @bytes: the first @size_bytes of a file; 64 are enough
 *
 * Knows drvabi-trace/1 and gVisor's streams. Whatever is zstd's is taken for one of them.
 */
bool trace_recognise(const uint8_t *bytes, size_t size_bytes);

/**
 * trace_reader_new - read a trace from a file or a pipe
 * @fd:    borrowed; read from its current position
 * @begun: bytes that were read from it already; copied
 */
struct trace_reader *trace_reader_new(int fd, const char *name, const uint8_t *begun, size_t size_bytes);
void trace_reader_free(struct trace_reader *reader); /* NULL is fine */

/**
 * trace_next - the next message
 * @out: points into the reader, until the next call
 *
 * Blocks only while no whole message is there. A stream that ends within a message ends before it;
 * trace_reader_cut() tells. Memory grows with the bytes that have arrived, not with a claimed length.
 * Return: 1; 0 at the end, @out untouched; ERR_FORMAT or ERR_LIMIT with the offset in bytes, ERR_IO: then
 * each further call says the same.
 */
int trace_next(struct trace_message *out, struct trace_reader *reader, struct err *err);

/* trace_reader_cut - the offset of the message that the stream broke off in, or of its end if zstd's frame
 * broke off there; UINT64_MAX if it ended with a whole one. In a compressed trace, offsets are of the
 * unpacked bytes. */
uint64_t trace_reader_cut(const struct trace_reader *reader);

/*
 * which device of the driver a file is
 *
 * By the rules of "drvabi-use/1". The library that records calls in a workload's own process links it as
 * well.
 */

/* What /proc has before the path of a memfd that tests pretend to be a device. */
#define DEVICE_PRETENDED "/memfd:drvabi:"

/* device_rule_of_path - the first rule whose path @path is; NULL: it is no device. @rules may be NULL */
const struct device_rule *device_rule_of_path(const struct device_rules *rules, const char *path);

/**
 * device_rule_of - the rule of a character device that is open
 * @usual:  set to the path that the device usually has; it is @path, if that is one
 * @path:   that it was opened under
 * @number: of the device
 *
 * The number decides, where it is one of the driver's; a node can be made under any path. Else the path does.
 * A rule that names a module holds where /sys names the same, and where /sys does not say: rather one device
 * too many than one that is overlooked. Return: NULL if it is not a device of the driver; then @usual is
 * anything.
 */
const struct device_rule *device_rule_of(char *usual, size_t room, const struct device_rules *rules,
					 const char *path, dev_t number);

/* device_number_of - the number that a device of that path has; 0 if the rules do not say. */
dev_t device_number_of(const struct device_rules *rules, const char *path);

/*
 * Requests that no driver gets, as the kernel answers them for every file; and what isatty() asks, which no
 * device of a driver here answers.
 */
enum { DEVICE_NEVER_COUNT = 7 };

extern const uint32_t device_never[DEVICE_NEVER_COUNT];

/* device_may_answer - may a request be one of a driver's? */
bool device_may_answer(uint32_t request);

/*
 * which ioctl a request is, and which memory belongs to it
 *
 * decode/ asks it about calls that were recorded; what records calls asks it which memory to read.
 *
 *   1. call_identify()  request and device to a family and a number, by the fields of _IOC
 *   2. call_follow()    the bytes behind the request's argument, and a function that reads memory, to a chain
 *      of calls:
 *                       an envelope (RM_CONTROL, RM_ALLOC, XFER_CMD) and what is inside
 *   3. call_pointers()    the memory behind the pointers in its parameters, by the rules of "drvabi-use/1"
 *      call_fds()         the file descriptors in them
 *
 * Everything is read through struct call_memory: the recorded bytes of a call, or a function that reads the
 * process and notes the requested addresses.
 *
 * Where the driver's number, pointer and size are in an envelope is found by
 * field names in the document: an offset is never assumed.
 */

/* call_family_of_path - of the ioctls of a device file; NULL if no document has ioctls of that file. */
const char *call_family_of_path(const struct device_rules *devices, const char *path);

/**
 * call_identify - which ioctl a request is
 * @family: of the device, if it is known; NULL: by the request's type
 * @number: set to the number of the family's ioctls
 *
 * A request of a type that is not one of the driver's is not one of its ioctls, unless the device is known.
 * One that was an int, and has its sign in the upper half, is the same request. Return: the family; NULL if
 * it is not one of the driver's.
 */
const char *call_identify(uint64_t *number, const char *family, uint64_t request);

/*
 * call_identify_on - likewise, of a device file. A request to any other file is not an ioctl of the driver,
 * whatever its type.
 */
const char *call_identify_on(uint64_t *number, const struct device_rules *devices, const char *path,
			     uint64_t request);

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

/*
 * call_sized_ioctl - the ioctl whose parameters are @record in a call of another size than that of its own
 * record; NULL: none.
 */
const struct abi_ioctl *call_sized_ioctl(const struct abi *abi, const char *record);

/* call_array_element - the argument is an array of it, as long as the request says; NULL: it is no array */
const char *call_array_element(const struct abi_ioctl *ioctl);

/* call_record_size - bytes of a record or an alias; 0 if @abi has none of that name. */
uint64_t call_record_size(const struct abi *abi, const char *name);

/* How an envelope identifies the inner ioctl. */
struct call_rule {
	const char *outer;   /* family of the envelope */
	const char *ioctl;   /* its name */
	const char *record;  /* that has these fields */
	const char *number;  /* field: the number of the inner ioctl */
	const char *pointer; /* field: where it is */
	const char *size;    /* field: how long it is */
	const char *family;  /* of the inner parameters */
};

/* call_rule_of - the rule of an envelope that @record is; NULL if it is not one. */
const struct call_rule *call_rule_of(const struct abi_ioctl *ioctl, const char *record);

/* call_union_rule - of a union in a record; NULL if there is none in this document. @rules: may be NULL */
const struct union_rule *call_union_rule(const struct union_rules *rules, const struct abi *abi,
					 const char *record, const char *field);

/*
 * call_selector_rule - the rule of a union that a field of the record selects a member of; NULL if there is
 * none. @rules: may be NULL
 */
const struct union_rule *call_selector_rule(const struct union_rules *rules, const struct abi *abi,
					    const char *record, const char *field);

/* call_choice - the meaning of a value of the selecting field; NULL if the rule does not know it. */
const struct union_choice *call_choice(const struct union_rule *rule, uint64_t value);

/* A field of a record, or of a record in it. */
struct call_field {
	const struct abi_field *field;
	uint64_t offset_bits; /* from the start of the outermost record */
};

/*
 * call_field_find - by a path, "transData.edidData.pMessage". Return: false if the record has none, or it is
 * an array's element.
 */
bool call_field_find(struct call_field *out, const struct abi *abi, const char *record, const char *path);

/*
 * call_field_read - an integer's value, from a record's bytes. Return: false if it is not an integer, or
 * not within @size_bytes.
 */
bool call_field_read(uint64_t *out, const struct call_field *field, const uint8_t *bytes,
		     uint64_t size_bytes);

/* call_field_value - both of them. */
bool call_field_value(uint64_t *out, const struct abi *abi, const char *record, const char *path,
		      const uint8_t *bytes, uint64_t size_bytes);

/* Bytes of another process, or of a trace. Return: false if they are not known; then nothing is set. */
struct call_memory {
	bool (*read)(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes);
	void *data;
};

enum { CALL_DEPTH_MAX = 4, CALL_SIZE_MAX = 16 * 1024 * 1024 };

/* One call of a chain: the envelope first, then the inner one. */
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
 * call_follow - a call and the inner ones
 * @chain: at least CALL_DEPTH_MAX
 * @first: of which family and number is set, and bytes with size_bytes if they are known
 *
 * The inner call is listed even if its bytes are unknown: the envelope names it.
 * Return: how many calls are set, at least 1.
 */
size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi,
		   const struct call_memory *memory);

/**
 * call_class - the class of the object that an allocation makes
 *
 * That is its number, except for an event, whose parameters name the class (NV01_EVENT, cl0005.h).
 * Return: false if @call is not an allocation.
 */
bool call_class(uint64_t *out, const struct call *call, const struct abi *abi);

enum { CALL_POINTERS_MAX = 8, CALL_FDS_MAX = 64 };

/* A pointer that the driver follows, and is not NULL: in the parameters, or in what such a one leads to. */
struct call_pointer {
	const char *path;          /* of the pointer */
	size_t within; /* 1 + the index of the pointer whose memory it is in; 0: in the parameters */
	uint64_t element_index;    /* of that memory */
	uint64_t offset_bytes;     /* of it, in the parameters or that memory */
	uint64_t address;
	const char *element;       /* type of the memory */
	uint64_t element_bytes;    /* 0: the document does not have the type */
	uint64_t count;            /* of elements; 0 if it is not a number of 64 bits */
	const char *counted_by;    /* path of the field that says so; NULL: it is one element */
	uint64_t size_bytes;       /* of them all; 0 with is_too_long */
	bool is_too_long;          /* more than CALL_SIZE_MAX: it was not read */
	enum use_direction direction;
	const uint8_t *bytes;      /* size_bytes; NULL: not known */
};

/**
 * call_pointers - the memory at the pointers in one call's parameters
 * @chain: of call_follow(); @index of it is the call
 * @rules: of the driver, "drvabi-use/1"; of several for one pointer, the first whose condition holds counts
 *
 * The pointers in the elements that @memory has at a pointer come after those in the parameters. Their
 * targets are not searched for others.
 * Return: how many are set. None if the parameters are not known, or not of the record's size.
 */
size_t call_pointers(struct call_pointer out[CALL_POINTERS_MAX], const struct call *chain, size_t index,
		     const struct abi *abi, const struct pointer_rules *rules,
		     const struct call_memory *memory);

/*
 * call_pointer_rule_matches - is @rule one of this document's ioctl and record? Whether its condition holds,
 * the bytes say.
 */
bool call_pointer_rule_matches(const struct pointer_rule *rule, const struct abi *abi,
			       const struct abi_ioctl *ioctl, const char *record);

/*
 * call_follows - does a rule describe the target of the pointer at @path, or is it the one to the inner
 * parameters of an envelope?
 * @rules: of the driver, "drvabi-use/1"
 *
 * Whether the driver follows a pointer without a rule is unknown.
 */
bool call_follows(const struct pointer_rules *rules, const struct abi *abi, const struct abi_ioctl *ioctl,
		  const char *record, const char *path);

/*
 * call_is_serialized - are the parameters in @outer's serialized (NVOS54_FLAGS_FINN_SERIALIZED)? They have no
 * pointers.
 */
bool call_is_serialized(const struct call *outer, const struct abi *abi);

/* A file descriptor in a call's parameters. */
struct call_fd {
	uint64_t offset_bytes; /* in the parameters */
	int64_t number;        /* often -1: none */
};

/*
 * call_fds - in the order of their offsets in records; of more than CALL_FDS_MAX the first, in every member
 * of a union. Return: how many are set.
 */
size_t call_fds(struct call_fd out[CALL_FDS_MAX], const struct call *call, const struct abi *abi);

/* call_has_fd, call_has_pointer_rule - may parameters of a record have any? */
bool call_has_fd(const struct abi *abi, const char *record);
bool call_has_pointer_rule(const struct pointer_rules *rules, const char *record);

/*
 * a call, named field by field
 *
 * The documents of all known versions are given. If no version was requested, every version counts whose
 * parameters have the call's size.
 */

/* The context of decoding calls. */
struct decode_scope {
	const struct history_graph *graph; /* every version; abi NULL if it could not be read */
	const struct abi *asked;           /* the version that the user, the log or the trace named; NULL:
					      none */
	size_t asked_index;                /* in @graph; its count if it is not in it */
	const char *named;                 /* the version that the log or trace names, which may have no
					      document; NULL: none */
	const struct abi *against;         /* another version, to compare with; NULL: not asked */
	const struct table *table;         /* of a proxy; NULL: none */
	const char *table_name;            /* as the user named it */
	const struct pointer_rules *pointers; /* of the driver; NULL: none are known */
	const struct union_rules *unions;
	const struct device_rules *devices;
	struct decode_numbers *numbers;    /* of @graph */
	struct decode_memo *memo;          /* for this scope alone; NULL: nothing is remembered */
};

/*
 * decode_scope_name - the log or trace says that the calls from here on are of @version, which must outlive
 * @scope. Its memo is to be a new one. Return: is there a document?
 */
bool decode_scope_name(struct decode_scope *scope, const char *version);

/* A file descriptor, and the file that it was open on. */
struct decode_fd {
	int64_t number; /* -1: not known */
	const char *path;
};

/* When and by whom a call was made. */
struct decode_origin {
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* since the trace began */
	struct decode_fd fd;       /* of the device */
	const char *caller;        /* "" not known */
};

/* Facts about a call. */
struct decode_input {
	const char *family;
	uint64_t number;
	const char *within;        /* the ioctl that allocates this class in NV_ESC_RM_ALLOC's place; NULL:
				      none */
	bool has_size;
	uint64_t size_bytes;       /* of the parameters */
	uint64_t address;          /* of them; 0: not known */
	const uint8_t *bytes;      /* size_bytes, after the call if that is known; NULL: not recorded */
	const uint8_t *before;     /* size_bytes, before it; NULL: not recorded, or all there is is in @bytes
				      */
	const struct trace_memory *memory; /* recorded: the parameters and the memory at pointers */
	size_t memory_count;
	bool *memory_used; /* by range: it was looked at; NULL: nobody asks */
	const struct decode_fd *fds; /* descriptors in the parameters */
	size_t fd_count;
	const struct decode_origin *origin; /* NULL: not known */
	struct decode_handles *handles; /* of this trace; this call is added. NULL: nobody counts */
	bool has_error;
	int error;                 /* errno */
	bool has_ret;
	int64_t ret;
	bool has_status;
	uint64_t status;
	const char *field;         /* of the parameters, that is known without their bytes; NULL: none */
	uint64_t value;            /* of it */
	const char *callers;       /* who makes such calls, separated by ", "; NULL: not known */
};

/*
 * the bytes of a record as its fields
 *
 * Every scalar is listed, with the elements of arrays of records one by one and every member of a union,
 * unless a rule says which one is valid. Elements that a reader would skip are marked, not left out: those
 * beyond their count are folded.
 */

/* The bytes of parameters, or of the memory at a pointer, from the start. They must outlive the fields. */
struct decode_payload {
	const uint8_t *bytes;    /* after the call if that is known */
	const uint8_t *before;   /* the same before the call; NULL: not known */
	uint64_t size_bytes;     /* of all of it */
	uint64_t recorded_bytes; /* of @bytes and @before: fewer if the rest was not recorded */
};

struct decode_field {
	const char *path;     /* "queries[3].status"; "" if the parameters are one scalar */
	const char *type;     /* as declared */
	uint64_t offset_bits; /* from the start of the parameters */
	uint64_t size_bits;   /* of all @count elements; the width of a bit-field */
	bool is_bitfield;
	bool is_array;        /* of scalars */
	enum abi_scalar kind;
	uint64_t element_bytes;
	uint64_t count;       /* elements that were recorded; 1 if it is not an array */
	uint64_t missing;     /* elements after them that were not */
	enum abi_role role;
	const struct abi_enum *enumeration;
	const uint8_t *bytes; /* of the payload */
	const char *name;     /* the driver's word for the value: enumerator, status, class; NULL: none */
	uint64_t shown;       /* elements worth showing: as many as their count says, or up to the last that
				 is not 0 */
	const char *counted_by; /* the field that says so; NULL: none */
	bool is_zero;         /* all of it */
	bool is_text;         /* bytes that are a string, followed by zeros */
	const uint8_t *before; /* the payload before the call, if the call changed the field; NULL: it did
				  not, or that is not known */
	const char *name_before; /* the driver's word for that value */
	bool is_text_before;
	uint64_t shown_before; /* elements of that value worth showing */
	const char *object;   /* class of the object that a handle is, path of the file that a descriptor is;
				 NULL: not known */
	bool is_unfollowed;   /* a pointer that was not NULL, and has no rule */
	const char *member;   /* the union of several members that it is in: its path; NULL: in none */
};

/*
 * Fields from @first up to @until are elements that @counted_by does not count, or zeros at the end of an
 * array.
 */
struct decode_fold {
	size_t first, until;
	const char *path;       /* of the array */
	uint64_t count, shown;  /* elements */
	const char *counted_by; /* NULL: they are zeros */
	bool is_zero;
};

/* Bytes that no field covers and that are not 0. */
struct decode_padding {
	uint64_t offset, size; /* in bytes */
	bool is_changed;       /* by the call */
};

struct decode_fields {
	const uint8_t *bytes;  /* after the call */
	const uint8_t *before; /* NULL: not known */
	const struct decode_field *fields;
	size_t count;
	const struct decode_fold *folds; /* in order; one may be inside another */
	size_t fold_count;
	const struct decode_padding *padding;
	size_t padding_count;
};

/* Memory at a pointer in the parameters. */
struct decode_pointer {
	struct call_pointer to;      /* without bytes */
	uint64_t recorded_bytes;     /* of its size_bytes, from the start */
	struct decode_fields fields; /* of that: "[0].index"; none if nothing was recorded */
	const char *note;            /* why it is not all there; NULL: it is */
};

/* One ioctl that the number is, in a version that fits. */
struct decode_name {
	const char *name;
	bool is_macro;               /* no table of the driver lists the command */
	const char *record;          /* as the newest version that fits has it; NULL: no parameters that the
					headers describe */
	const char *const *versions; /* that fit, as "515.43.04..590.48.01", in the order of versions */
	size_t version_count;        /* 0: none fits, and this is the number with other sizes */
	const char *lifetime;        /* as in struct decode_owner */
};

/* One ioctl: the call itself, or an envelope around it. */
struct decode_ioctl {
	const char *family;
	uint64_t number;
	const char *name;    /* in the version that it is decoded with, @names[0]; NULL: no version has it */
	const struct decode_name *names; /* all that fit, newest first; one if the requested version fits */
	size_t name_count;
	const char *within; /* as in struct decode_input: the table's entry for the class does not count */
	bool is_command;     /* @name is only a macro: no table of the driver lists the command */
	const char *record;  /* NULL: no parameters that the headers describe */
	bool has_size;
	uint64_t size_bytes;
	const struct abi *abi;      /* the version that it was decoded with; NULL: no version has it */
	const char *const *versions; /* that fit, as "515.43.04..590.48.01", in the order of versions */
	size_t version_count;
	bool is_asked;               /* it fits the requested version, or is the trace's */
	bool is_refused;            /* bytes are there, and no version has a record of that size */
	struct decode_fields fields; /* none if the bytes are not known */
	const struct decode_pointer *pointers; /* that the driver follows, and are not NULL */
	size_t pointer_count;
	const char *const *notes;
	size_t note_count;
};

struct decode_call {
	const struct decode_ioctl *ioctls; /* envelopes first; the last one is the call itself */
	size_t count;
	const char *version;       /* NULL: several fit, or none */
	const struct decode_origin *origin; /* NULL: not known */
	const char *callers;       /* of the input */
	bool has_ret;
	int64_t ret;
	bool has_error;
	int error;
	const char *error_name;    /* "EINVAL"; NULL: Linux has none */
	bool has_status;
	uint64_t status;
	const char *status_name;   /* NULL: the driver has no name for it */
	bool has_table;
	struct forwarded forwarded; /* with has_table */
	const char *const *adds;   /* by name of the last ioctl: the command that forwards it, NULL if no
				      proxy could; NULL: it is forwarded */
};

/**
 * decode_call - everything that is known of a call
 * @out: lives in @arena, and points into the documents and @input's bytes
 *
 * Return: 0; ERR_LAYOUT or ERR_LIMIT if a document contradicts itself.
 */
int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope,
		struct arena *arena, struct err *err);

/* the names of errors of a system call */

/* decode_errno_number - of @length bytes of a name; 0 if it is not one of those. */
int decode_errno_number(const char *name, size_t length);

/*
 * bytes from the output of hexdump and xxd
 *
 *   hexdump    words of two bytes in the order of the machine, x86's; also -x, -v
 *   hexdump -C bytes, with text beside them; also od -A x -t x1, and od's words (-t x2, x4, x8)
 *   xxd        groups of bytes, with text beside them; -g, -c, -u, -a, -e
 *   xxd -i     bytes as a C array
 *
 * Every offset is compared with the bytes before it: a dump with a line that is missing or out of order is
 * not used. "*" repeats the line before it up to the next offset, at most DECODE_HEXDUMP_MAX bytes in all.
 * xxd -b and hexdump -b, -d, -o are refused.
 */

enum { DECODE_HEXDUMP_MAX = 16 * 1024 * 1024 };

/* decode_is_hexdump, decode_is_xxd - does @text begin as one? Plain digits are neither. */
bool decode_is_hexdump(const char *text);
bool decode_is_xxd(const char *text);

/**
 * decode_hexdump - append the bytes that hexdump or od printed
 * decode_xxd - those of xxd, or of xxd -i
 *
 * Return: 0; ERR_FORMAT or ERR_LIMIT, naming the line, and @out is as before.
 */
int decode_hexdump(struct strbuf *out, const char *text, struct err *err);
int decode_xxd(struct strbuf *out, const char *text, struct err *err);

enum { DECODE_FIELDS_MAX = 1 << 20 };

/* decode_field_value - an element of a field whose kind is an integer, a pointer, an enum or a bool. */
struct abi_number decode_field_value(const struct decode_field *field, uint64_t index);

/* decode_field_is_integer - can decode_field_value() give its value? */
bool decode_field_is_integer(const struct decode_field *field);

/* decode_status_name - NV_OK and its like; NULL if there is no such constant. */
const char *decode_status_name(const struct abi *abi, uint64_t value);

/*
 * the objects that a trace has allocated so far, and their classes
 *
 * A handle is a client's: two clients may use the same number. Allocated, copied and freed objects are
 * taken from the calls that succeeded; an object goes with its parent. Objects that other processes
 * allocated before the trace began are not known.
 */

/* If there are more objects, the oldest are forgotten. */
enum { DECODE_HANDLES_MAX = 1 << 18 };

struct decode_object {
	uint32_t client, handle, parent;
	uint32_t class_number;
	const char *class_name; /* of a document; NULL: it has none of that number */
};

struct decode_handles *decode_handles_new(void);
void decode_handles_free(struct decode_handles *handles); /* NULL is fine */

/* decode_handles_add - @object was allocated, or copied; one of the same handle is replaced. */
void decode_handles_add(struct decode_handles *handles, const struct decode_object *object);

/* decode_handles_remove - it was freed, with all below it: with a client's own handle, all of the client. */
void decode_handles_remove(struct decode_handles *handles, uint32_t client, uint32_t handle);

/* decode_handles_find - NULL if it is not known. Valid until the next change. */
const struct decode_object *decode_handles_find(const struct decode_handles *handles, uint32_t client,
						uint32_t handle);

size_t decode_handles_count(const struct decode_handles *handles);

/* Versions in their order, one after the other, in which the parameters of an ioctl have one size. */
struct decode_size {
	size_t first, last;
	uint64_t size_bytes; /* 0: it has no parameters that the headers describe */
};

/* One name that a number has had. */
struct decode_owner {
	const char *name;
	bool is_macro;                 /* no table of the driver lists the command; it has no runs */
	const bool *has;               /* by version of the graph: the number has this name */
	const struct decode_size *runs; /* in the order of versions */
	size_t run_count;
	const char *lifetime;          /* "535.43.24, 535.113.01; removed in 595.44.02": since when the driver
					  has the ioctl, under any number */
};

struct decode_number {
	const struct decode_owner *owners; /* ioctls first; those that a newer version has before others */
	size_t owner_count;
	bool has_sizes;                    /* the size of a payload decides how long the parameters are: see
					      decode_number_runs() */
};

/* decode_numbers_new - of the versions that could be read; @graph must outlive it. */
struct decode_numbers *decode_numbers_new(const struct history_graph *graph);
void decode_numbers_free(struct decode_numbers *numbers); /* NULL is fine; its earlier results are invalid */

/*
 * decode_numbers_find - Return: NULL if no version has the number. A first answer takes a step for each
 * version, all others do not.
 */
const struct decode_number *decode_numbers_find(struct decode_numbers *numbers, const char *family,
						uint64_t number);

/**
 * decode_number_sizes - "the record has 68 in 595.44.02..595.45.04, 132 in 515.43.04..590.48.01"; of many,
 * "904 to 1664"
 * @record: the record with these sizes; of a number with several names, each of these
 */
void decode_number_sizes(struct strbuf *out, const struct decode_number *number, const char *record,
			 const struct history_graph *graph);

/*
 * More are not remembered: an input may name as many as it likes. Large records count for as much as they
 * take.
 */
enum { DECODE_MEMO_MAX = 4096, DECODE_MEMO_FIELDS_MAX = 1 << 20 };

struct decode_memo *decode_memo_new(void);
void decode_memo_free(struct decode_memo *memo); /* NULL is fine; its earlier results are invalid */

/**
 * decode_fields - the fields of some bytes
 * @scope:  its memo and its rules of unions
 * @type:   a record, an alias, or an array of such: "NvU32[8]"; of the payload's size
 *
 * A field of which a part was not recorded is left out. If some elements of an array were recorded, those
 * are a field.
 * Return: 0; ERR_LAYOUT if a field is not inside the record; ERR_LIMIT if there are more than
 * DECODE_FIELDS_MAX, or records nest too deep; ERR_NOT_FOUND, ERR_FORMAT of a type.
 */
int decode_fields(struct decode_fields *out, const struct decode_scope *scope, const struct abi *abi,
		  const char *type, const struct decode_payload *payload, struct arena *arena,
		  struct err *err);

enum { DECODE_SEEN_MAX = 65536 };

struct decode_seen_ioctl {
	const char *family;
	uint64_t number;
	size_t count;        /* of calls */
	size_t opaque_count; /* of these, envelopes whose content was not recorded */
	size_t unfollowed_count; /* of these, calls with a pointer that no rule is for */
};

struct decode_seen *decode_seen_new(void);
void decode_seen_free(struct decode_seen *seen); /* NULL is fine */

/* decode_seen_add - a call; decode_seen_left_out() counts ioctls beyond DECODE_SEEN_MAX. */
void decode_seen_add(struct decode_seen *seen, const struct decode_call *call);

/*
 * decode_seen_add_chain - the same for a call that is not decoded; @chain: of call_follow() in the document
 * of @scope
 */
void decode_seen_add_chain(struct decode_seen *seen, const struct call *chain, size_t count,
			   const struct decode_scope *scope);

/* decode_seen_list - by family and number; from xmalloc, freed with free(). */
struct decode_seen_ioctl *decode_seen_list(size_t *count, const struct decode_seen *seen);
size_t decode_seen_left_out(const struct decode_seen *seen);

/*
 * the calls in the lines of a log
 *
 *   runsc      gVisor's log, old and new wordings, and its strace lines
 *   sniffer    the text of gVisor's ioctl_sniffer
 *   strace     with all options that change its lines
 *   perf       perf trace
 *   libcudest  libcudest's dumps, with the parameters' bytes
 *
 * Several lines may report one call: the unfinished lines of strace, the dumps of libcudest, and a dump of
 * hexdump or xxd below the line of a call. The call is found at the last of its lines. Memory is bounded,
 * whatever the lines hold.
 */

/* The facts about a call in a log. */
struct decode_line {
	const char *family;
	uint64_t number;
	const char *within;  /* the ioctl that allocates this class by rules of its own,
				"NV_ESC_RM_ALLOC_MEMORY"; NULL: none. Static */
	bool has_size;
	uint64_t size_bytes;
	bool has_ret;
	int64_t ret;
	int error;           /* errno of a call that failed; 0: not recorded */
	bool has_status;
	uint64_t status;
	const char *field;   /* of the parameters, whose value the line has: "function"; NULL: none. Static */
	uint64_t value;
	const uint8_t *before, *after; /* the call: size_bytes of its parameters each; NULL: not recorded */
	struct trace_memory memory; /* that a pointer of the parameters leads to; size_bytes 0: none */
};

/*
 * Functions that are called for each call, and for each line that names the driver's version. @call and its
 * bytes last until it returns; a value other than 0 ends the reading.
 */
struct decode_sink {
	int (*found)(void *data, const struct decode_line *call, struct err *err);
	int (*version)(void *data, const char *version,
		       struct err *err); /* the driver's, of the calls that follow; NULL: not needed */
	void *data;
};

/**
 * decode_lines_new - a reader of lines
 * @format: NULL: every one
 * @sink:   copied
 *
 * Return: freed with decode_lines_free(); NULL if there is no such format.
 */
struct decode_lines *decode_lines_new(const char *format, const struct device_rules *devices,
				      const struct decode_sink *sink);
void decode_lines_free(struct decode_lines *lines);

/* decode_lines_format - the name of the format numbered @index; NULL after the last. */
const char *decode_lines_format(size_t index);

/**
 * decode_lines_read - reads a line
 * @line: @length bytes of anything, without the newline
 *
 * Return: 0, or what @sink returned.
 */
int decode_lines_read(struct decode_lines *lines, const char *line, size_t length, struct err *err);

/**
 * decode_lines_before - the part of a line that belongs to the calls before it
 *
 * decode_lines_read() of the same line does it, too. Who prints lines between calls asks first.
 */
int decode_lines_before(struct decode_lines *lines, const char *line, size_t length, struct err *err);

/* decode_lines_is_waiting - is a call held back, because the next line may be a dump of its bytes? */
bool decode_lines_is_waiting(const struct decode_lines *lines);

/* decode_lines_flush - reports it now, without the rest. */
int decode_lines_flush(struct decode_lines *lines, struct err *err);

/* decode_lines_end - the calls that no line ended. */
int decode_lines_end(struct decode_lines *lines, struct err *err);

/**
 * decode_lines_skip - how many of @length bytes are whole lines without a call, at least
 *
 * They need not be given to decode_lines_read(). One search over many lines costs less than one in each.
 */
size_t decode_lines_skip(const struct decode_lines *lines, const char *text, size_t length);

/* decode_lines_other - the format other than the asked one that a line was of; NULL: there was none. */
const char *decode_lines_other(const struct decode_lines *lines);

enum { DECODE_SUMMARY_MAX = 65536, DECODE_STATUS_MAX = 16 };

struct decode_status_count {
	uint64_t status;
	const char *name; /* NULL: the driver has none */
	size_t count;
};

struct decode_total {
	const struct decode_call *call; /* the first one */
	size_t count;
	struct decode_status_count statuses[DECODE_STATUS_MAX]; /* in the order of their first call */
	size_t status_count;
	size_t other_statuses; /* calls with a status that has no room */
	size_t failed;         /* calls that returned an error, and so have no status */
	size_t unfollowed;     /* calls with a pointer that no rule is for */
	struct strbuf callers; /* each once, separated by ", " */
};

/* decode_callers_add - those of @callers that @list does not have; NULL: none. */
void decode_callers_add(struct strbuf *list, const char *callers);

struct decode_summary {
	struct decode_total *totals; /* in the order of their first call; from xrealloc */
	size_t count, capacity;
	struct decode_total_entry *entries; /* which of them an ioctl is */
	size_t left_out;             /* calls of ioctls beyond DECODE_SUMMARY_MAX */
};

/*
 * decode_summary_add - @count calls like @call, which must outlive the summary if decode_summary_has() says
 * no.
 */
void decode_summary_add(struct decode_summary *summary, const struct decode_call *call, size_t count);

/*
 * decode_summary_add_pointers - notes whether @call, which was added, or equals one that was, has pointers
 * without a rule.
 */
void decode_summary_add_pointers(struct decode_summary *summary, const struct decode_call *call);

/* decode_summary_has - is there a total for calls of this ioctl and size already? */
bool decode_summary_has(const struct decode_summary *summary, const struct decode_call *call);

void decode_summary_release(struct decode_summary *summary);

/* The ioctl that the other version has instead. */
enum decode_fate {
	DECODE_SAME,
	DECODE_CHANGED,    /* number, record, bytes or access: the workload may break */
	DECODE_GONE,
	DECODE_ALIKE,      /* names, flags or values changed: the bytes and numbers that it used are right */
	DECODE_UNKNOWN,    /* the version that it ran with has no such ioctl: nothing to compare */
};

struct decode_against_row {
	const struct decode_seen_ioctl *seen;
	const struct abi_ioctl *base; /* NULL: DECODE_UNKNOWN */
	const char *next_name;        /* NULL: next has it no more */
	enum decode_fate fate;
	unsigned classes;             /* enum diff_class, of all changes that it is reached by */
};

struct decode_against {
	struct diff diff;             /* only of records that the ioctls carry */
	const struct decode_against_row *rows; /* as decode_seen_list() */
	size_t count;
	size_t by_fate[DECODE_UNKNOWN + 1];    /* ioctls */
	size_t opaque_count;          /* calls of envelopes whose content was not recorded, so not compared */
	size_t unfollowed_count;      /* calls with a pointer without a rule: its target is not compared */
	size_t left_out;              /* calls that were not noted */
};

/* decode_fate_name - "same", "changed", "gone", "alike", "unknown" */
const char *decode_fate_name(enum decode_fate fate);

/**
 * decode_against - compares the recorded ioctls
 * @out:  in @arena; points into @seen and the documents
 * @seen: of decode_seen_list()
 * @base: of the version that the workload ran with
 * @pointers: what pointers lead to is compared, too; NULL: it is not
 *
 * Return: 0; what diff_documents() returns.
 */
int decode_against(struct decode_against *out, const struct decode_seen_ioctl *seen, size_t seen_count,
		   const struct abi *base, const struct abi *next, const struct pointer_rules *pointers,
		   struct arena *arena, struct err *err);

/* --- bytes as people paste them --------------------------------------------------- */

/**
 * hex_read - append the bytes that @text spells to @out
 *
 * Two digits a byte, in the order of memory: "c1d00001", "c1 d0:00 01", "0xc1,0xd0". Blanks, colons and
 * commas separate bytes. Return: 0; ERR_USAGE, with @out untouched.
 */
int hex_read(struct strbuf *out, const char *text, struct err *err);

/*
 * hex_number - all of @text as a number, decimal or with 0x. Return: false if it is not one, or has more
 * than 64 bits.
 */
bool hex_number(uint64_t *out, const char *text);

/* --- a message of a trace as decode_call() takes it ------------------------------ */

/**
 * trace_call_input - an ioctl's family by the path of its device, its bytes, and the memory that was
 * recorded, the argument's own among it
 * @out:  points into @origin, @message and @arena; handles are the caller's to set
 *
 * Return: false if it is not an ioctl of a family.
 */
bool trace_call_input(struct decode_input *out, struct decode_origin *origin,
		      const struct trace_message *message, const struct device_rules *devices,
		      struct arena *arena);

#endif
