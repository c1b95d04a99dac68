/*
 * decode/decode.h - decodes the ioctls of traces, logs and dumps into named fields
 *
 * A trace ("drvabi-trace/1") is a stream of messages, each preceded by its length (u64, little-endian).
 * trace.proto defines the message. Its first four fields are those of gVisor's ioctl_sniffer, whose streams
 * can also be read and written (TRACE_WIRE_GVISOR).
 *
 * A message is written with one call of write(2), so a trace ends with a whole message even if its writer
 * was killed. A finished trace can be compressed (compress_file()). The reader decompresses it.
 */
#ifndef DECODE_DECODE_H
#define DECODE_DECODE_H

#include "abi/abi.h"
#include "base/base.h"
#include "diff/diff.h"
#include "history/history.h"

struct decode_cache; /* caches versions, notes and field offsets for all calls with the same ioctl and size */
struct decode_numbers; /* for each number, the ioctls that have had it, with their versions and sizes */
struct decode_seen;    /* the distinct ioctls of many calls, to compare them with a different version */
struct trace_unpacker; /* the memory of one message; the next message frees it */

/* Recorded bytes. */
struct trace_bytes {
	const uint8_t *bytes; /* NULL if they were not recorded; the size is then 0 */
	uint64_t size_bytes;
};

/* Memory that a pointer in the parameters points to. */
struct trace_memory {
	uint64_t address;
	uint64_t size_bytes; /* the size that the call uses, even if fewer bytes could be recorded */
	struct trace_bytes before, after;
};

/* trace_memory_recorded - return how many bytes were recorded, before or after the call, whichever is more */
static inline uint64_t trace_memory_recorded(const struct trace_memory *memory)
{
	return memory->before.size_bytes > memory->after.size_bytes ? memory->before.size_bytes
								    : memory->after.size_bytes;
}

/* A file descriptor and its file. */
struct decode_fd {
	int64_t number;   /* -1 if it is unknown */
	const char *path; /* from /proc/PID/fd */
};

/* The kinds after TRACE_HEADER are in the order of trace.proto's. */
enum trace_kind {
	TRACE_HEADER, /* version, target, command */
	TRACE_IOCTL,
	TRACE_OPEN,   /* an opened device: fd_path, ret (the descriptor), open_flags */
	TRACE_MMAP,   /* a shared mapping of a device: fd_path, argument (the mapping's address), map_* */
	TRACE_FILE,   /* a file of the driver in /dev, /proc or /sys: fd_path, after (its contents), file_* */
};

/*
 * One message. A field is 0, NULL or "" if the writer did not know its value. gVisor's streams have only
 * fd_path, request, ret and after.
 */
struct trace_message {
	enum trace_kind kind;

	const char *fd_path; /* the path of the device that was opened as fd; "" in a header */
	int32_t fd;          /* -1 if it is unknown */
	int32_t ret;         /* -1 if the call failed; error is then set */
	int32_t error;       /* errno */
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* time since the trace began */

	uint64_t request;
	uint64_t argument;         /* the ioctl's third argument, an address */
	struct trace_bytes before, after; /* the memory at argument, before and after the call */
	const struct trace_memory *memory; /* the memory at pointers in the parameters, as recorded */
	size_t memory_count;
	const struct decode_fd *fds; /* the descriptors in the parameters */
	size_t fd_count;

	uint64_t open_flags;
	uint64_t map_size_bytes, map_protection, map_flags, map_offset;
	uint32_t file_mode;                     /* st_mode; the next two are st_rdev and st_size */
	uint64_t file_device, file_size_bytes;

	/* Each of these is "" if it is unknown. */
	const char *version; /* the driver's version, "590.48.01" */
	const char *target;  /* "x86_64-linux-gnu" */
	const char *command; /* quoted for a shell */
	const char *lacks;   /* the facts that the recorder cannot see, as text */
	const char *caller;  /* the library and function that made the call, "libnvidia-ml.so.1 nvmlInit_v2";
				may be NULL */
};

/* The facts that gVisor's hook never sends. */
#define TRACE_HOOK_LACKS                                                                                    \
	"no parameters from before a call, no memory at pointers, no errno, threads or times, and " \
	"neither device nodes nor files of /proc and /sys"

/* --- writing ------------------------------------------------------------------------- */

enum trace_wire {
	TRACE_WIRE_DRVABI,
	TRACE_WIRE_GVISOR, /* only ioctls, with fd_path, request, ret and the bytes after the call */
};

/**
 * trace_pack - append the length of a message (64 bits, little-endian), and the message
 *
 * Nothing is appended if @wire cannot express the message.
 */
void trace_pack(struct strbuf *out, const struct trace_message *message, enum trace_wire wire);

/**
 * trace_pack_in - do the same as trace_pack(), but allocate nothing
 * @out:    set to the bytes, which are in @memory; empty if @wire cannot express the message
 * @memory: @size_bytes of scratch memory, aligned for any type
 *
 * Return: false if @size_bytes is too small.
 */
bool trace_pack_in(struct trace_bytes *out, void *memory, size_t size_bytes,
		   const struct trace_message *message, enum trace_wire wire);

/**
 * trace_write - append a message to a file, in one write
 * @scratch: overwritten; the caller provides it so that its memory is reused
 *
 * If only a part could be written, the file is truncated to its former length, unless it is not a regular
 * file or another process has appended to it.
 * Return: 0; ERR_LIMIT if the message is larger than TRACE_MESSAGE_MAX (nothing is written); ERR_IO.
 */
int trace_write(int fd, const struct trace_message *message, enum trace_wire wire, struct strbuf *scratch,
		struct err *err);

/* --- reading ------------------------------------------------------------------------- */

enum { TRACE_MESSAGE_MAX = 64 * 1024 * 1024, TRACE_LENGTH_BYTES = 8 };

struct trace_unpacker *trace_unpacker_new(void);
void trace_unpacker_free(struct trace_unpacker *unpacker); /* NULL is fine */

/**
 * trace_take - unpack the message that begins at @at
 * @out: points into @unpacker; valid until the next call
 * @at:  moved past the message on success
 * @max_bytes: the largest size of a message without its length; at most TRACE_MESSAGE_MAX
 *
 * Return: 1; 0 if the message is incomplete (@out is untouched); ERR_FORMAT; ERR_LIMIT if it is longer than
 * @max_bytes, or has too many parts.
 */
int trace_take(struct trace_message *out, struct trace_unpacker *unpacker, const uint8_t **at,
	       const uint8_t *end, size_t max_bytes, struct err *err);

/* trace_length - read the length before a message, from its TRACE_LENGTH_BYTES bytes */
uint64_t trace_length(const uint8_t *bytes);

/**
 * trace_recognise - return whether a file is a trace
 * @bytes: the first @size_bytes of the file; 64 are enough
 *
 * Recognizes drvabi-trace/1 and gVisor's streams. Any zstd file is assumed to be a trace.
 */
bool trace_recognise(const uint8_t *bytes, size_t size_bytes);

/**
 * trace_reader_new - read a trace from a file or a pipe
 * @fd:    borrowed; read from its current position
 * @name:  for error messages; must outlive the reader
 * @begun: the bytes that the caller has already read from @fd; copied
 */
struct trace_reader *trace_reader_new(int fd, const char *name, const uint8_t *begun, size_t size_bytes);
void trace_reader_free(struct trace_reader *reader); /* NULL is fine */

/**
 * trace_next - read the next message
 * @out: points into the reader; valid until the next call
 *
 * Blocks only if no whole message has arrived. An incomplete message at the end of the stream is ignored;
 * trace_reader_cut() reports it. Memory grows with the received bytes, not with a claimed length.
 * Return: 1; 0 at the end (@out is untouched); ERR_FORMAT or ERR_LIMIT (the message has the offset in bytes);
 * ERR_IO. After an error, every further call fails in the same way.
 */
int trace_next(struct trace_message *out, struct trace_reader *reader, struct err *err);

/* trace_reader_cut - return the offset of the incomplete message at the end of the stream, or the offset of
 * the end if zstd's frame is incomplete; UINT64_MAX if the stream is complete. In a compressed trace, offsets
 * count decompressed bytes. */
uint64_t trace_reader_cut(const struct trace_reader *reader);

/*
 * --- finding which of the driver's devices a file is ---
 *
 * This code applies the device rules of "drvabi-use/1". It is also linked into the library that records calls
 * inside the process that makes them.
 */

/* The start of the path that /proc shows for a memfd with which tests replace a device. */
#define DEVICE_PRETENDED "/memfd:drvabi:"

/* device_rule_of_path - return the first rule that matches @path; NULL if none does. @rules may be NULL. */
const struct device_rule *device_rule_of_path(const struct device_rules *rules, const char *path);

/**
 * device_rule_of - find the rule for an open character device
 * @usual:  set to the device's usual path: @path if it matches the rule, else a path made from the rule
 * @path:   the path under which the device was opened
 * @number: the device number
 *
 * If the device number is one of the driver's, the number decides, because a device node can have any path.
 * Otherwise the path decides. A rule with a module matches only by number, and only if /sys has that module
 * or no module for the device: recording one device too many does less harm than missing a device.
 * Return: NULL if it is not a device of the driver; @usual is then unspecified.
 */
const struct device_rule *device_rule_of(char *usual, size_t room, const struct device_rules *rules,
					 const char *path, dev_t number);

/*
 * device_number_of - return the number that the device with @path has on every machine; 0 if no rule has the
 * path and a fixed major number
 */
dev_t device_number_of(const struct device_rules *rules, const char *path);

/* device_cut_deleted - remove " (deleted)", which /proc appends to the path of a deleted file. */
void device_cut_deleted(char *path);

/*
 * Requests that drivers do not get, because the kernel itself handles them for every file; and the requests
 * of isatty(), which no device of the supported drivers handles.
 */
enum { DEVICE_NEVER_COUNT = 7 };

extern const uint32_t device_never[DEVICE_NEVER_COUNT];

/* device_may_answer - return whether a driver could handle @request */
bool device_may_answer(uint32_t request);

/*
 * --- identifying the ioctl of a request, and finding its memory ---
 *
 * The decoder uses this part for recorded calls. The recorder uses it to find the memory to record.
 *
 * An envelope is an ioctl whose parameters have the number, the pointer and the size of the parameters of an
 * inner ioctl: NV_ESC_RM_CONTROL, NV_ESC_RM_ALLOC, NV_ESC_IOCTL_XFER_CMD, NVKMS_IOCTL_IOWR.
 *
 *   1. call_identify()  finds the family and the number, from the request's _IOC fields and the device.
 *   2. call_follow()    reads the parameters, and makes a chain of calls: envelopes, then the inner ioctl.
 *   3. call_pointers()  finds the memory at the pointers in the parameters, with the rules of "drvabi-use/1".
 *      call_fds()       finds the file descriptors in the parameters.
 *
 * All memory is read with a struct call_memory, from a recorded call or from a process.
 *
 * The fields of an envelope are found by their names in the document. No offset is hard-coded.
 */

/**
 * call_identify - find the family and the number of a request's ioctl
 * @number: set to the number in the family
 * @family: the device's family; if the device is unknown, NULL, and the request's type decides
 *
 * A sign-extended request (from an int) is the same request.
 * Return: the family; NULL if the request has more than 32 bits, or if its family is unknown.
 */
const char *call_identify(uint64_t *number, const char *family, uint64_t request);

/*
 * call_identify_on - do the same for a request to the file @path, which can be below another root, as with
 * device_rule_shown(). Return: NULL, whatever the request's type, if documents do not have the file's ioctls.
 */
const char *call_identify_on(uint64_t *number, const struct device_rules *devices, const char *path,
			     uint64_t request);

/*
 * call_request_size - get the size that a request has in addition to the ioctl's number, by which versions
 * are distinguished. Return: 0 if the request has no size, or if the size is part of the number.
 */
uint64_t call_request_size(const char *family, uint64_t request);

/* call_find - find an ioctl by family and number. Return: NULL if the document does not have it. */
const struct abi_ioctl *call_find(const struct abi *abi, const char *family, uint64_t number);

/**
 * call_record - return the parameter record of an ioctl
 * @size_bytes: the size of the parameters; 0 if it is unknown
 *
 * The size selects one of several records of NV_ESC_RM_ALLOC. If no record has the size, the result is the
 * document's record.
 * Return: the name of a record or an alias; NULL if the ioctl has no parameters.
 */
const char *call_record(const struct abi *abi, const struct abi_ioctl *ioctl, uint64_t size_bytes);

/*
 * call_sized_ioctl - return the ioctl that takes @record if a call has @record's size, although the document
 * names only a record of another size for the ioctl, as for NV_ESC_RM_ALLOC. Return: NULL if there is none.
 */
const struct abi_ioctl *call_sized_ioctl(const struct abi *abi, const char *record);

/*
 * call_array_element - return the element type if the parameters are an array; NULL if not. The size in the
 * request is that of the array.
 */
const char *call_array_element(const struct abi_ioctl *ioctl);

/* call_record_size - return the size in bytes of a type, "NVOS64_PARAMETERS" or "NvU32[8]"; 0 if unknown */
uint64_t call_record_size(const struct abi *abi, const char *name);

/* An envelope: an ioctl whose parameters name an inner ioctl and point to its parameters. */
struct call_rule {
	const char *outer;   /* the envelope's family */
	const char *ioctl;   /* the envelope's name */
	const char *record;  /* the envelope's record, which has the next three fields */
	const char *number;  /* the field with the number of the inner ioctl */
	const char *pointer; /* the field with the address of the inner parameters */
	const char *size;    /* the field with the size of the inner parameters */
	const char *family;  /* the family of the inner ioctl */
};

/* call_rule_of - return the rule for an ioctl with this record; NULL if the ioctl is not an envelope */
const struct call_rule *call_rule_of(const struct abi_ioctl *ioctl, const char *record);

/* A field of a record, or of a record inside it. */
struct call_field {
	const struct abi_field *field;
	uint64_t offset_bits; /* from the start of the outermost record */
};

/*
 * call_field_find - find a field by its path, "transData.edidData.pMessage". Return: false if the record does
 * not have it, or if the path leads through an array.
 */
bool call_field_find(struct call_field *out, const struct abi *abi, const char *record, const char *path);

/*
 * call_field_read - read an integer field from a record's bytes. Return: false if the field is not an
 * integer, or is not within @size_bytes.
 */
bool call_field_read(uint64_t *out, const struct call_field *field, const uint8_t *bytes,
		     uint64_t size_bytes);

/* call_field_value - find a field and read it, as call_field_find() and call_field_read() do */
bool call_field_value(uint64_t *out, const struct abi *abi, const char *record, const char *path,
		      const uint8_t *bytes, uint64_t size_bytes);

/* Reads bytes of a process or of a trace. Return: false if they are unknown (@bytes is untouched). */
struct call_memory {
	bool (*read)(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes);
	void *data;
};

enum { CALL_DEPTH_MAX = 4, CALL_SIZE_MAX = 16 * 1024 * 1024 };

/* One call of a chain. Envelopes are before the calls inside them. */
struct call {
	const char *family;
	uint64_t number;
	const struct abi_ioctl *ioctl; /* NULL if the document does not have the number */
	const char *record;            /* NULL if there are no parameters, or their type is unknown */
	uint64_t address;              /* the parameters' address; 0 if unknown */
	uint64_t size_bytes;           /* their size, from the request or the envelope; 0 if unknown */
	bool has_size;
	const uint8_t *bytes;          /* the parameters; NULL if they are unknown */
};

/**
 * call_follow - list a call and the calls inside it, with their ioctls, records and parameters
 * @first: the outermost call, with family and number, and with bytes and size_bytes if these are known
 *
 * The inner call is listed even if its bytes are unknown, because the envelope has its number.
 * Return: the number of calls in @chain, at least 1.
 */
size_t call_follow(struct call chain[CALL_DEPTH_MAX], const struct call *first, const struct abi *abi,
		   const struct call_memory *memory);

enum { CALL_POINTERS_MAX = 8, CALL_FDS_MAX = 64 };

/* A non-NULL pointer that the driver dereferences: in the parameters, or in memory at such a pointer. */
struct call_pointer {
	const char *path;          /* the pointer's path */
	size_t within; /* 0 if it is in the parameters; else 1 + the index of the pointer to the memory that
			  it is in */
	uint64_t element_index;    /* the index of the element of that memory that has the pointer */
	uint64_t offset_bytes;     /* the pointer's offset in the parameters or in that memory */
	uint64_t address;
	const char *element;       /* the type of the elements that it points to */
	uint64_t element_bytes;    /* 0 if the document does not have the type */
	uint64_t count;            /* the number of elements; 0 if it does not fit in 64 bits */
	const char *counted_by;    /* the path of the field with the count; NULL if it is one element */
	uint64_t size_bytes;       /* the size of all elements; 0 if is_too_long */
	bool is_too_long;          /* true if the elements exceed CALL_SIZE_MAX, so they were not read */
	enum use_direction direction;
	const uint8_t *bytes;      /* the size_bytes bytes of the elements; NULL if unknown */
};

/**
 * call_pointers - find the memory at the pointers in the parameters of the call @chain[@index]
 * @chain: the result of call_follow()
 * @rules: the driver's rules, "drvabi-use/1"; for each pointer, the first rule whose condition is true is
 *         used
 *
 * If @memory has the memory at a pointer, the pointers in that memory are listed, too, after those in the
 * parameters. The memory at these further pointers is not searched for pointers.
 * Return: the number of pointers in @out; 0 if the parameters are unknown or do not have the record's size.
 */
size_t call_pointers(struct call_pointer out[CALL_POINTERS_MAX], const struct call *chain, size_t index,
		     const struct abi *abi, const struct pointer_rules *rules,
		     const struct call_memory *memory);

/*
 * call_pointer_rule_matches - return whether @rule applies to this ioctl and record in this document. The
 * rule's condition is not checked, because that needs the bytes.
 */
bool call_pointer_rule_matches(const struct pointer_rule *rule, const struct abi *abi,
			       const struct abi_ioctl *ioctl, const char *record);

/* A file descriptor in a call's parameters. */
struct call_fd {
	uint64_t offset_bytes; /* in the parameters */
	uint64_t size_bytes;
	int64_t number;        /* often -1, for no file; 0 if the parameters are unknown */
};

/*
 * call_fds - list the file descriptors in a call's parameters, in the order of the fields. The parameters
 * must have the record's size; their bytes may be unknown. All members of a union are searched. At most
 * CALL_FDS_MAX are listed. Return: the number of descriptors in @out.
 */
size_t call_fds(struct call_fd out[CALL_FDS_MAX], const struct call *call, const struct abi *abi);

/* call_has_fd, call_has_pointer_rule - return whether @record has descriptors, or pointers with a rule */
bool call_has_fd(const struct abi *abi, const char *record);
bool call_has_pointer_rule(const struct pointer_rules *rules, const char *record);

/*
 * --- decoding a call into named fields ---
 *
 * The caller provides the documents of all known versions. If no version was requested, the versions that fit
 * are those in which the ioctl's parameters have the call's size.
 */

/* The context in which calls are decoded. */
struct decode_scope {
	const struct history_graph *graph; /* every version; abi is NULL if the document could not be read */
	const struct abi *asked;           /* the requested version: the one that the user, the log or the
					      trace named; NULL if none did */
	size_t asked_index;                /* its index in @graph; if it is not there, @graph's count */
	const char *named;                 /* the version that the log or trace names, even if it has no
					      document; NULL if no version is named */
	const struct abi *against;         /* the version to compare with; NULL if none was requested */
	const struct table *table;         /* the proxy's table; NULL if none was given */
	const char *table_name;            /* the table's name, as the user gave it */
	const struct pointer_rules *pointers; /* the driver's; NULL if it has no rules */
	const struct union_rules *unions;
	const struct device_rules *devices;
	struct decode_numbers *numbers;    /* made from @graph */
	struct decode_cache *cache;        /* the cache, used with this scope only; NULL to cache nothing */
};

/*
 * decode_scope_name - set the version of the next calls to @version, which the log or trace names
 *
 * @version must outlive @scope, and the caller must replace @scope's cache.
 * Return: true if @version has a document.
 */
bool decode_scope_name(struct decode_scope *scope, const char *version);

/* The time and the caller of a call. */
struct decode_origin {
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* time since the trace began */
	struct decode_fd fd;       /* the device */
	const char *caller;        /* "" if it is unknown */
};

/* The known facts about a call that is to be decoded. */
struct decode_input {
	const char *family;
	uint64_t number;
	const char *allocated_by;  /* for a class, the ioctl that allocates it; NULL if that is
				      NV_ESC_RM_ALLOC */
	bool has_size;
	uint64_t size_bytes;       /* the size of the parameters */
	uint64_t address;          /* the address of the parameters; 0 if unknown */
	const uint8_t *bytes;      /* the parameters after the call; NULL if they were not recorded */
	const uint8_t *before;     /* the parameters before the call; NULL if they were not recorded */
	const struct trace_memory *memory; /* the recorded parameters, and the recorded memory at pointers */
	size_t memory_count;
	bool *memory_used; /* indexed like @memory: set to true for each element that was used; may be NULL */
	const struct decode_fd *fds; /* the descriptors in the parameters */
	size_t fd_count;
	const struct decode_origin *origin; /* NULL if it is unknown */
	struct decode_handles *handles; /* the trace's objects, updated by this call; NULL to track none */
	bool has_ret;
	int64_t ret;
	int error;                 /* errno of a call that failed; 0 if it was not recorded */
	bool has_status;
	uint64_t status;
	const char *field;         /* the one field whose value is known without the bytes; NULL if none is */
	uint64_t value;            /* the value of @field */
	const char *callers;       /* the callers of equal calls, separated by ", "; NULL if unknown */
};

/*
 * --- the fields in the bytes of a record ---
 *
 * All scalars are listed, also those of each element of an array of records. All members of a union are
 * listed, unless a rule selects one. Elements that are not in use are listed, too, and a struct decode_fold
 * marks them.
 */

struct decode_field {
	const char *path;     /* "queries[3].status"; "" if the parameters are one scalar */
	const char *type;     /* as declared */
	uint64_t offset_bits; /* from the start of the parameters */
	uint64_t size_bits;   /* the size of all @count elements, or the width of a bit-field */
	bool is_bitfield;
	bool is_array;        /* true for an array of scalars */
	enum abi_scalar_kind kind;
	uint64_t element_bytes;
	uint64_t count;       /* the number of recorded elements; 1 if it is not an array */
	uint64_t missing;     /* the number of elements after these, which were not recorded */
	enum abi_role role;
	const struct abi_enum *enumeration;
	const uint8_t *bytes; /* the whole payload */
	const char *name;     /* the driver's name for the value (enumerator, status or class), or NULL */
	uint64_t shown;       /* the number of elements to show: those in use; if it is unknown how many are
				 in use, those up to the last that is not 0 */
	const char *counted_by; /* the field with the number of elements in use; NULL if there is none */
	bool is_zero;         /* true if all bytes of the field are 0 */
	bool is_text;         /* true if the bytes are a printable string, followed by zeros */
	const uint8_t *before; /* the payload before the call; NULL if the call did not change the field, or
				  if the payload is unknown */
	const char *name_before; /* this and the next two: name, is_text and shown for the bytes before */
	bool is_text_before;
	uint64_t shown_before;
	const char *object;   /* for a handle, the class of its object; for a descriptor, the path of its
				 file; NULL if it is unknown */
	bool is_unfollowed;   /* true for a non-NULL pointer without a rule */
	const char *member;   /* the path of the union that has the field, if several of its members are
				 listed; else NULL */
};

/*
 * Elements at the end of an array that need not be shown: the fields from @first to @until - 1. They are not
 * in use according to the field @counted_by, or they are zeros.
 */
struct decode_fold {
	size_t first, until;
	const char *path;       /* the array's path */
	uint64_t count, shown;  /* the number of all elements, and of those to show */
	const char *counted_by; /* NULL if the elements are folded because they are zeros */
	bool is_zero;
};

/* Bytes that no field covers, and some of which are not 0. */
struct decode_padding {
	uint64_t offset, size; /* in bytes */
	bool is_changed;       /* true if the call changed them */
};

struct decode_fields {
	const uint8_t *bytes;  /* after the call */
	const uint8_t *before; /* before the call; NULL if unknown */
	const struct decode_field *fields;
	size_t count;
	const struct decode_fold *folds; /* a fold can be inside another one, which is then before it */
	size_t fold_count;
	const struct decode_padding *padding;
	size_t padding_count;
	const char *exceeded_by; /* a field that counts more elements than its array has; or NULL */
};

/* A pointer that the driver dereferences, and the fields of the memory at it. */
struct decode_pointer {
	struct call_pointer to;      /* to.bytes is not used */
	uint64_t recorded_bytes;     /* how many of the to.size_bytes bytes were recorded */
	struct decode_fields fields; /* the fields of the recorded bytes: "[0].index" */
	const char *note;            /* the reason why bytes are missing; NULL if none are missing */
};

/* One name of a call's number. A version fits if its parameters for this name have the call's size. */
struct decode_name {
	const char *name;
	bool is_macro;               /* true if only a macro has the name: no table of the driver lists it */
	const char *record;          /* the record in the newest version that fits; NULL if the headers
					describe no parameters */
	const char *const *versions; /* the versions that fit, "515.43.04..590.48.01", in version order */
	size_t version_count;        /* 0 if no version fits any name; then all names are listed */
	const char *lifetime;        /* "535.43.24, 535.113.01; removed in 595.44.02": the versions that
					added and removed the name, under any number */
};

/* One ioctl of a call: an envelope, or the ioctl inside. */
struct decode_ioctl {
	const char *family;
	uint64_t number;
	const char *name;    /* the name in the version @abi, @names[0]; NULL if no version has the number */
	const struct decode_name *names; /* the names that fit, newest first; only one if @is_asked */
	size_t name_count;
	const char *allocated_by; /* as in struct decode_input; if it is set, the table is not searched */
	bool is_only_macro;     /* true if @name is only a macro: no table of the driver lists the command */
	const char *record;  /* NULL if the headers describe no parameters */
	bool has_size;
	uint64_t size_bytes;
	const struct abi *abi;      /* the version used for decoding; NULL if no version has the number */
	const char *const *versions; /* the versions that fit, "515.43.04..590.48.01", in version order */
	size_t version_count;
	const char *searched;        /* if @name_count is 0: the versions that were searched for the number */
	bool is_asked;               /* true if the requested version fits */
	bool is_ambiguous;          /* true if the bytes have different fields in other versions; then a note
				       says so */
	bool fits_no_record;        /* true if bytes were not decoded because no version has a record of
				       their size */
	struct decode_fields fields; /* empty if the bytes are unknown */
	const struct decode_pointer *pointers; /* the non-NULL pointers that the driver dereferences */
	size_t pointer_count;
	const char *const *notes;    /* the innermost ioctl also has those of its envelopes */
	size_t note_count;
};

struct decode_call {
	const struct decode_ioctl *ioctls; /* envelopes first; the last is the innermost ioctl */
	size_t count;
	const char *version; /* the requested version or, if exactly one fits, that version; else NULL */
	const struct decode_origin *origin; /* NULL if it is unknown */
	const char *callers;       /* copied from the input */
	bool has_ret;
	int64_t ret;
	int error;                 /* as in struct decode_input */
	const char *error_name;    /* "EINVAL"; NULL if Linux has no such error */
	bool has_status;
	uint64_t status;
	const char *status_name;   /* NULL if the driver has no name for the status */
	bool is_status_doubtful;   /* true if it was read from an ambiguous record */
	bool has_table;
	struct forwarded forwarded; /* set if has_table */
	const char *const *adds;   /* for each name of the last ioctl: the drvabi command that adds the ioctl
				      to the proxy's table; NULL for a macro. adds is NULL if the proxy
				      forwards the ioctl */
};

/**
 * decode_call - find a call's ioctls, their names and fields, the memory at pointers, and the driver's
 * status; with a table, also whether the proxy forwards the call
 * @out: lives in @arena, and points into the documents and @input's bytes
 *
 * The objects in @input's handles are updated, and memory_used is set.
 * Return: 0; ERR_LAYOUT, ERR_LIMIT, ERR_NOT_FOUND or ERR_FORMAT if a document contradicts itself.
 */
int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope,
		struct arena *arena, struct err *err);

/*
 * decode_field_value - get the value of the element @index of a field for which decode_field_is_integer() is
 * true. @index: 0 if the field is not an array
 */
struct abi_number decode_field_value(const struct decode_field *field, uint64_t index);

/* decode_field_is_integer - return whether decode_field_value() can get the field's value */
bool decode_field_is_integer(const struct decode_field *field);

/* The objects that the calls of a trace have allocated so far, and their classes. */
struct decode_handles *decode_handles_new(void);
void decode_handles_free(struct decode_handles *handles); /* NULL is fine */

/*
 * decode_numbers_new - make a list of the numbers in all documents of @graph, which must outlive the list.
 * The first search fills it, because a log or a workload can have no ioctl of the driver.
 */
struct decode_numbers *decode_numbers_new(const struct history_graph *graph);
void decode_numbers_free(struct decode_numbers *numbers); /* can be NULL; frees the results of searches */

/**
 * decode_number_sizes - append the sizes of an ioctl's parameters in all versions, "the record has 68 in
 * 595.44.02..595.45.04, 132 in 515.43.04..590.48.01", or "904 to 1664" if there are many sizes
 * @record: the subject of the text, "the record"; not used if the number has several names
 *
 * Return: false if no version in the list has the number.
 */
bool decode_number_sizes(struct strbuf *out, struct decode_numbers *numbers, const char *family,
			 uint64_t number, const char *record);

struct decode_cache *decode_cache_new(void);
void decode_cache_free(struct decode_cache *cache); /* can be NULL; frees the cached results */

enum { DECODE_SEEN_MAX = 65536 };

struct decode_seen_ioctl {
	const char *family;
	uint64_t number;
	size_t count;        /* the number of calls */
	size_t opaque_count; /* how many of these are envelopes whose inner ioctl is unknown */
	size_t unfollowed_count; /* how many of these have a pointer without a rule */
};

/* decode_seen_new - make an empty set of the ioctls of a workload, for --against */
struct decode_seen *decode_seen_new(void);
void decode_seen_free(struct decode_seen *seen); /* NULL is fine */

/*
 * decode_seen_add - count each ioctl of a call, also the envelopes. At most DECODE_SEEN_MAX ioctls are
 * listed. decode_seen_left_out() returns the number of calls of other ioctls.
 */
void decode_seen_add(struct decode_seen *seen, const struct decode_call *call);

/*
 * decode_seen_list - list the ioctls that were counted, sorted by family and number. The caller frees the
 * list with free(); it points into @seen.
 */
struct decode_seen_ioctl *decode_seen_list(size_t *count, const struct decode_seen *seen);
size_t decode_seen_left_out(const struct decode_seen *seen);

/*
 * --- the calls in the lines of a log ---
 *
 * docs/decode.md describes the formats: runsc, sniffer, strace, perf, libcudest.
 *
 * Several lines can be about one call: unfinished lines of strace, dumps of libcudest, and a dump of hexdump
 * or xxd after the line of a call. The call is reported at the last of its lines. Memory use is bounded.
 */

/*
 * Functions that are called for each call, and for each line that names the driver's version. @call and its
 * bytes are valid until the function returns. If it does not return 0, reading stops.
 */
struct decode_sink {
	int (*found)(void *data, const struct decode_input *call, struct err *err);
	int (*version)(void *data, const char *version,
		       struct err *err); /* called before the calls of @version; may be NULL */
	/*
	 * Called by decode_lines_feed() with all text of the log, before the calls in it are reported: lines,
	 * or a piece of a line. @ends_line: a newline follows @text. May be NULL. If it is set, a call whose
	 * messages are interrupted by another thread is reported once for each message.
	 */
	void (*text)(void *data, const char *text, size_t length, bool ends_line);
	void *data;
};

/**
 * decode_lines_new - make a reader of lines
 * @format: the format to read; NULL to read every format
 * @sink:   copied
 *
 * Return: the reader; NULL if @format is unknown.
 */
struct decode_lines *decode_lines_new(const char *format, const struct device_rules *devices,
				      const struct decode_sink *sink);
void decode_lines_free(struct decode_lines *lines);

/* decode_lines_format - get the name of the format with @index; NULL if there are fewer formats */
const char *decode_lines_format(size_t index);

/**
 * decode_lines_read - read a line, which can contain several lines that end in a carriage return
 * @line: @length arbitrary bytes, without the newline
 *
 * Return: 0, or the value that a function of the sink returned.
 */
int decode_lines_read(struct decode_lines *lines, const char *line, size_t length, struct err *err);

/* A longer line is passed on in pieces, and only the first piece is searched for calls. */
enum { DECODE_LINE_MAX = 64 * 1024 };

/**
 * decode_lines_feed - read the complete lines at the beginning of @text
 * @length: if it is DECODE_LINE_MAX, at least a piece of a line is read
 * @is_end: the log ends after @text
 *
 * Return: the number of bytes that were read. The caller passes the other bytes again, with more text. Or the
 * negative value that a function of the sink returned.
 */
ssize_t decode_lines_feed(struct decode_lines *lines, const char *text, size_t length, bool is_end,
			  struct err *err);

/* decode_lines_cut - return the number of lines of which only the first piece was searched */
size_t decode_lines_cut(const struct decode_lines *lines);

/* decode_lines_is_waiting - return whether a call is held because a later line could add to it */
bool decode_lines_is_waiting(const struct decode_lines *lines);

/* decode_lines_flush - pass the held calls to the sink without waiting for lines that could add to them */
int decode_lines_flush(struct decode_lines *lines, struct err *err);

/* decode_lines_end - at the end of the log, report all calls that were begun or held and not yet reported */
int decode_lines_end(struct decode_lines *lines, struct err *err);

/**
 * decode_lines_skip - get the length of whole lines at the start of @text that certainly have no call
 *
 * These lines need not be passed to decode_lines_read(). A search in many lines is faster than many searches.
 * Return: 0 if the next line must be read, also because it can add to a call that is held.
 */
size_t decode_lines_skip(const struct decode_lines *lines, const char *text, size_t length);

/* decode_lines_other - get the first format of a line that was not read because of its format; or NULL */
const char *decode_lines_other(const struct decode_lines *lines);

/* The calls of one kind that were not read, because the ioctls of their files are in no document. */
struct decode_unread {
	size_t count;
	struct strbuf path; /* of the first call, as the log has it */
};

/*
 * decode_lines_unread - get the calls that were not read
 *
 * With @is_drivers, these are the calls to devices of the driver whose ioctls are in no document. Otherwise,
 * these are the calls to unrecognized files whose requests have the driver's types.
 */
const struct decode_unread *decode_lines_unread(const struct decode_lines *lines, bool is_drivers);

enum { DECODE_SUMMARY_MAX = 65536, DECODE_STATUS_MAX = 16 };

struct decode_status_count {
	uint64_t status;
	const char *name; /* NULL if the driver has no name for it */
	size_t count;
};

struct decode_total {
	const struct decode_call *call; /* the first call */
	size_t count;
	struct decode_status_count statuses[DECODE_STATUS_MAX]; /* in the order of their first call */
	size_t status_count;
	size_t other_statuses; /* the number of calls with a status that statuses has no room for */
	size_t failed;         /* the number of calls that returned an error; these have no status */
	size_t unfollowed;     /* the number of calls with a pointer that has no rule */
	size_t doubtful;       /* the number of calls with is_status_doubtful */
	struct strbuf callers; /* each caller once, separated by ", " */
};

/*
 * decode_callers_add - append the callers that @list does not have. A caller that would make @list longer
 * than 4 KB is left out. @callers: separated by ", "; may be NULL
 */
void decode_callers_add(struct strbuf *list, const char *callers);

struct decode_summary {
	struct decode_total *totals; /* in the order of their first call; from xrealloc */
	size_t count, capacity;
	struct decode_total_entry *entries; /* a hash table of the totals, by ioctl; in @arena */
	struct arena arena;
	size_t left_out;             /* the number of calls of ioctls beyond DECODE_SUMMARY_MAX */
};

/**
 * decode_summary_add - add @count equal calls to the total of their ioctl and size, with their statuses and
 * callers
 * @call: must outlive the summary if decode_summary_has() returns false for it
 * @recorded: the same call with its recorded bytes, in which pointers without a rule and doubtful statuses
 *            are found; can be @call
 */
void decode_summary_add(struct decode_summary *summary, const struct decode_call *call,
			const struct decode_call *recorded, size_t count);

/* decode_summary_has - return whether the summary has a total for @call's ioctl and size */
bool decode_summary_has(const struct decode_summary *summary, const struct decode_call *call);

void decode_summary_release(struct decode_summary *summary);

/* What happens to an ioctl of the workload in the version next. */
enum decode_fate {
	DECODE_SAME,
	DECODE_CHANGED,    /* its number, record, layout or access changed: the workload can break */
	DECODE_GONE,
	DECODE_ALIKE,      /* only names, flags or values changed: the workload's bytes are still valid */
	DECODE_UNKNOWN,    /* the version that the workload ran with does not have the ioctl */
};

struct decode_against_row {
	const struct decode_seen_ioctl *seen;
	const struct abi_ioctl *base; /* NULL with DECODE_UNKNOWN */
	const char *next_name;        /* NULL if next does not have the ioctl */
	enum decode_fate fate;
	unsigned classes;             /* enum diff_class of all changes that affect the ioctl */
};

struct decode_against {
	struct diff diff;             /* only the changes that affect the ioctls */
	const struct decode_against_row *rows; /* in the order of decode_seen_list() */
	size_t count;
	size_t by_fate[DECODE_UNKNOWN + 1];    /* the number of ioctls with each fate */
	size_t opaque_count;          /* calls of envelopes whose inner ioctl is unknown and not compared */
	size_t unfollowed_count;      /* calls with a pointer without a rule, whose target is not compared */
	size_t left_out;              /* calls that were not counted */
};

/* decode_fate_name - get the name of a fate: "same", "changed", "gone", "alike" or "unknown" */
const char *decode_fate_name(enum decode_fate fate);

/**
 * decode_against - find what happens to each ioctl that a workload used if the driver's version changes
 * @out:  lives in @arena; points into @seen and the documents
 * @seen: the result of decode_seen_list()
 * @base: the version that the workload ran with
 * @pointers: the driver's rules; the types of the memory at these pointers are compared, too. May be NULL
 *
 * Return: 0, or an error of diff_documents().
 */
int decode_against(struct decode_against *out, const struct decode_seen_ioctl *seen, size_t seen_count,
		   const struct abi *base, const struct abi *next, const struct pointer_rules *pointers,
		   struct arena *arena, struct err *err);

/* --- bytes that users type or paste ------------------------------------------------ */

enum { HEX_BYTES_MAX = 16 * 1024 * 1024 };

/**
 * hex_read - append the bytes that a user typed or pasted as text
 * @format: the format of @text; NULL to recognize it
 *
 *   hex      two digits per byte, in memory order: "c1d00001", "c1 d0:00 01", "0xc1,0xd0". Blanks, colons and
 *            commas separate bytes
 *   hexdump  hexdump: two-byte words in x86's byte order, also with -x, -v; hexdump -C: bytes, with text next
 *            to them; od -A x with -t x1, x2, x4 or x8
 *   xxd      groups of bytes, with text next to them, also with -g, -c, -u, -a, -e; xxd -i: a C array;
 *            xxd -p: digits
 *
 * A dump can have HEX_BYTES_MAX bytes. The output of xxd -b and hexdump -b, -d, -o is rejected.
 * Return: 0; ERR_USAGE if digits are invalid; ERR_FORMAT or ERR_LIMIT for a dump. After an error, @out is
 * unchanged.
 */
int hex_read(struct strbuf *out, const char *text, const char *format, struct err *err);

bool hex_has_format(const char *name);

/*
 * hex_number - parse all of @text as a number, decimal or with 0x. Return: false if it is not a number, or
 * does not fit in 64 bits.
 */
bool hex_number(uint64_t *out, const char *text);

/* --- a message of a trace as input of decode_call() ------------------------------ */

/**
 * trace_call_input - make the input of decode_call() from a message
 * @out:  points into @origin, @message and @arena; the caller sets handles
 *
 * The memory of @out includes the parameters. Return: false if the message is not an ioctl of a known device.
 */
bool trace_call_input(struct decode_input *out, struct decode_origin *origin,
		      const struct trace_message *message, const struct device_rules *devices,
		      struct arena *arena);

/*
 * trace_call_follow - list a recorded call and the calls inside it in @chain, without decoding their fields.
 * Their parameters are those before the call, or else those after it. Return: the number of calls; 0 if
 * @message is not an ioctl of @devices.
 */
size_t trace_call_follow(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message,
			 const struct device_rules *devices, const struct abi *abi);

#endif
