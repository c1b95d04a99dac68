/*
 * decode/decode.h - a call, named field by field
 *
 * Layer L4, pure passes: nothing is read or printed.
 *
 *   lines.c     the lines of a log to the calls that they tell of, by read_runsc.c, read_sniffer.c, read_strace.c,
 *               read_perf.c, read_cudest.c
 *   below.c     the bytes of a call, dumped below its line
 *   read_hexdump.c, read_xxd.c
 *               bytes as these programs print them
 *   numbers.c   every ioctl that a number has been, in which versions, and how long its parameters were
 *   template.c  where the fields of a record are
 *   fields.c    the bytes of a record to its fields
 *   counted.c   which field counts the elements of an array
 *   resolve.c   which ioctl it is, in which version
 *   memo.c      what is the same for all calls of one ioctl and size
 *   handles.c   the objects that a trace has allocated so far, and their classes
 *   annotate.c  what handles and descriptors stand for
 *   follow.c    the memory behind the pointers in a call's parameters
 *   call.c      all of it: the envelope and what is inside, what the driver answered, what a proxy does with it
 *   summary.c   the distinct ioctls of many calls
 *   seen.c, against.c
 *               which of the ioctls of many calls are another ABI in another version
 *
 * The documents of all known versions are given. Without a version that was
 * asked for, every version counts whose parameters have the call's size.
 */
#ifndef DECODE_DECODE_H
#define DECODE_DECODE_H

#include "decode/call.h"
#include "decode/against.h"
#include "decode/errno_name.h"
#include "decode/fields.h"
#include "decode/handles.h"
#include "decode/hexdump.h"
#include "decode/lines.h"
#include "decode/memo.h"
#include "decode/numbers.h"
#include "decode/seen.h"
#include "decode/summary.h"
#include "history/history.h"
#include "decode/trace.h"
#include "decode/device.h"

/* What calls are decoded with. */
struct decode_scope {
	const struct history_graph *graph; /* every version; abi NULL if it could not be read */
	const struct abi *asked;           /* the version that the user, the log or the trace named; NULL: none */
	size_t asked_index;                /* in @graph; its count if it is not in it */
	const char *named;                 /* the version that the log or trace names, which may have no document; NULL: none */
	const struct abi *against;         /* another version, to compare with; NULL: not asked */
	const struct table *table;         /* of a proxy; NULL: none */
	const char *table_name;            /* as the user named it */
	const struct pointer_rules *pointers; /* of the driver; NULL: none are known */
	const struct union_rules *unions;
	const struct device_rules *devices;
	struct decode_numbers *numbers;    /* of @graph */
	struct decode_memo *memo;          /* for this scope alone; NULL: nothing is remembered */
};

/* decode_scope_name - the log or trace says that the calls from here on are of @version, which must outlive @scope. Its memo is to be a new one. Return: is there a document? */
bool decode_scope_name(struct decode_scope *scope, const char *version);

/* Memory as it was recorded, from an address on; less than was asked for if it was cut. */
struct decode_recorded {
	const uint8_t *before, *after; /* the call; NULL: not recorded */
	uint64_t before_bytes, after_bytes;
};

struct decode_memory {
	bool (*find)(struct decode_recorded *out, void *data, uint64_t address, uint64_t size_bytes); /* false: nothing was recorded there */
	void *data;
};

/* A file descriptor, and what it was open on. */
struct decode_fd {
	int64_t number; /* -1: not known */
	const char *path;
};

/* When and by whom a call was made. */
struct decode_origin {
	uint32_t pid, tid;
	uint64_t start_ns, end_ns; /* since the trace began */
	struct decode_fd fd;       /* of the device */
};

/* What is known of a call. */
struct decode_input {
	const char *family;
	uint64_t number;
	const char *within;        /* the ioctl that allocates this class in NV_ESC_RM_ALLOC's place; NULL: none */
	bool has_size;
	uint64_t size_bytes;       /* of the parameters */
	uint64_t address;          /* of them; 0: not known */
	const uint8_t *bytes;      /* size_bytes, after the call if that is known; NULL: not recorded */
	const uint8_t *before;     /* size_bytes, before it; NULL: not recorded, or all there is is in @bytes */
	const struct call_memory *memory; /* what pointers lead to; NULL: none was recorded */
	const struct decode_memory *recorded; /* the same, before and after; then @memory is not asked */
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
};

/* Memory behind a pointer in the parameters. */
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
	const char *record;          /* as the newest version that fits has it; NULL: no parameters that the headers describe */
	const char *const *versions; /* that fit, as "515.43.04..590.48.01", in the order of versions */
	size_t version_count;        /* 0: none fits, and this is what the number is with other sizes */
	const char *lifetime;        /* as in struct decode_owner */
};

/* One ioctl: the call itself, or an envelope that it came in. */
struct decode_ioctl {
	const char *family;
	uint64_t number;
	const char *name;    /* in the version that it is decoded with, @names[0]; NULL: no version has it */
	const struct decode_name *names; /* all that fit, newest first; one alone if the version that was asked for fits */
	size_t name_count;
	const char *within;  /* as in struct decode_input: what a table says of the class does not hold there */
	bool is_command;     /* @name is only a macro: no table of the driver lists the command */
	const char *record;  /* NULL: no parameters that the headers describe */
	bool has_size;
	uint64_t size_bytes;
	const struct abi *abi;      /* what it was decoded with; NULL: no version has it */
	const char *const *versions; /* that fit, as "515.43.04..590.48.01", in the order of versions */
	size_t version_count;
	bool is_asked;               /* it fits the version that was asked for, or is the trace's */
	bool is_refused;            /* bytes are there, and no version has a record of that size */
	struct decode_fields fields; /* none if the bytes are not known */
	const struct decode_pointer *pointers; /* that the driver follows, and are not NULL */
	size_t pointer_count;
	const char *const *notes;
	size_t note_count;
};

struct decode_call {
	const struct decode_ioctl *ioctls; /* envelopes first; the last one is what the call is */
	size_t count;
	const char *version;       /* NULL: several fit, or none */
	const struct decode_origin *origin; /* NULL: not known */
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
	const char *const *adds;   /* by name of the last ioctl: the command that forwards it, NULL if no proxy could; NULL: it is forwarded */
};

/**
 * decode_call - everything that is known of a call
 * @out: lives in @arena, and points into the documents and @input's bytes
 *
 * Return: 0; ERR_LAYOUT or ERR_LIMIT if a document contradicts itself.
 */
int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope, struct arena *arena,
		struct err *err);

#endif
