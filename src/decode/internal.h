/* decode/internal.h - declarations that the files of decode/ share */
#ifndef DECODE_INTERNAL_H
#define DECODE_INTERNAL_H

#include "decode/decode.h"
#include "abi/abi.h"
#include "base/base.h"

/*
 * Text that is still to be read. It is not NUL-terminated and may hold anything. Unless it says otherwise,
 * a function that finds nothing does not move the text.
 */
struct rest {
	const char *at, *end;
};

static inline size_t rest_length(const struct rest *rest)
{
	return (size_t)(rest->end - rest->at);
}

/* rest_skip_word - moves past @word, if the text begins with it. */
bool rest_skip_word(struct rest *rest, const char *word);

/* rest_skip_any - moves past all characters that are in @chars. */
void rest_skip_any(struct rest *rest, const char *chars);

/* rest_digit - the value of a hexadecimal digit; 16 or more if it is not one. */
int rest_digit(char ch);

/* rest_hex - "2a". Return: false if it is not a number, or does not fit 64 bits; the text is anywhere then. */
bool rest_hex(uint64_t *out, struct rest *rest);

/*
 * rest_scan - reads @form at the start of the text, and moves past it
 *
 *   %n  a number, as rest_number(): uint64_t *
 *   %d  the same with a minus before it, or without: int64_t *
 *   %x  as rest_hex(): uint64_t *
 *   %_  any blanks, or none
 *
 * All other characters are themselves. Return: false if the text is not of this form; values may be set.
 */
bool rest_scan(struct rest *rest, const char *form, ...);

/* rest_find - likewise, at the first place that is of this form. Return: where; NULL if there is none. */
const char *rest_find(struct rest *rest, const char *form, ...);

/* rest_has - likewise, without moving */
bool rest_has(struct rest rest, const char *form, ...);

/* --- formats.c: single lines -------------------------------------------------------------------- */

enum decode_reading_kind {
	READING_CALL,   /* all of a call */
	READING_NOTICE, /* likewise, and the next line may say more of it: nvproxy's debug messages */
	READING_RETURN, /* likewise, and a line where it began may have stood before */
	READING_BEGIN,  /* a call that has not returned yet */
	READING_RESUME, /* the result of a call that began in another line */
};

struct decode_reading {
	enum decode_reading_kind kind;
	const struct device_rules *devices; /* of the driver: set by who asks */
	uint64_t thread;         /* whose call it is; 0: the line does not say */
	bool is_message;         /* of a proxy that has the call in hand: a line where the call began may have
				    stood before */
	struct decode_line line; /* of READING_RESUME only has_ret, ret and error */
};

/* The formats of a log's lines, in the order in which one's line could be taken for another's. */
enum { FORMAT_SNIFFER, FORMAT_RUNSC, FORMAT_STRACE, FORMAT_PERF, FORMAT_LIBCUDEST, FORMAT_COUNT };

struct line_format {
	const char *name;
	bool (*read_words)(struct decode_reading *out, struct rest line); /* its own messages; NULL: none */
	const struct call_form *call; /* how it writes an ioctl(); NULL: it does not */
};

extern const struct line_format line_formats[FORMAT_COUNT];

/*
 * line_read - reads a line of that format. @out begins with zeros, except for devices. Return: false if
 * nothing; then @out is anything.
 */
bool line_read(struct decode_reading *out, size_t format, struct rest line);

enum { DECODE_VERSION_BYTES = 32 };

/* decode_read_version - the driver's version, in gVisor's log: "NVIDIA driver version: 535.129.03" */
bool decode_read_version(char version[DECODE_VERSION_BYTES], struct rest line);

/* --- dumps.c ----------------------------------------------------------------------------------------- */

/*
 * The bytes of a call, dumped below its line: people paste the output of hexdump, od or xxd under the line
 * of a log. A call of known size without bytes is held back until the next line shows whether it has such a
 * dump. The dump is the call's only if
 *
 *   1. it begins in the very next line, at offset 0, with nothing before its offsets
 *   2. its lines follow one another
 *   3. it is whole, and has as many bytes as the call's parameters
 */
struct below {
	bool is_held;
	bool is_open;         /* a line of the dump has come */
	bool is_xxd;
	struct decode_line call;
	struct strbuf text;   /* of the dump */
	struct strbuf bytes;
};

/* below_hold - holds @call back. Return: false if it could have no dump. Nothing may be held. */
bool below_hold(struct below *below, const struct decode_line *call);

/* below_is_mine - is @line the next one of the dump? false if nothing is held. */
bool below_is_mine(const struct below *below, struct rest line);

/* below_add - a line that is. */
void below_add(struct below *below, struct rest line);

/*
 * below_end - the call, with its bytes if there were any; they last until the next call is held. Return:
 * false if none was held.
 */
bool below_end(struct decode_line *out, struct below *below);

void below_release(struct below *below);

enum { CUDEST_DUMPS = 4 };

struct cudest_dump {
	struct strbuf bytes;
	bool is_broken;
	bool is_cut; /* an ellipsis replaces further words */
};

struct cudest {
	bool is_open;     /* a call whose end has not come */
	uint64_t number;  /* of the request */
	uint64_t size_bytes;
	bool has_result;
	int64_t ret;
	struct cudest_dump dumps[CUDEST_DUMPS]; /* parameters, memory at pointers; the same after the call */
	size_t current;   /* dump that lines continue */
	unsigned foreign; /* lines of others since the last one */
};

enum cudest_line {
	CUDEST_FOREIGN, /* no line of this call */
	CUDEST_MORE,
	CUDEST_DONE,    /* the call's last one */
	CUDEST_LOST,    /* too many lines are foreign */
};

/* cudest_begin - does a call begin in @line? Then it is open, and @line moves past its first words. */
bool cudest_begin(struct cudest *cudest, struct rest *line);

/* cudest_line - the meaning of @line for the open call; moves past the part that belongs to the call */
enum cudest_line cudest_line(struct cudest *cudest, struct rest *line);

/*
 * cudest_end - closes the call. Return: false if it is not one of the driver's. @out's bytes last until the
 * next begins.
 */
bool cudest_end(struct decode_line *out, struct cudest *cudest);

void cudest_release(struct cudest *cudest);

/* --- fields.c ---------------------------------------------------------------------------------------- */

/*
 * A template has the places of a record's fields, for any bytes of it. Types are resolved and paths are made
 * once; the same template then serves every payload of the record.
 */

/* A field that counts the elements of an array; size 0: none does. */
struct template_count {
	const char *name;
	uint64_t offset_bits, size_bits;
};

/* At most one of the last three is set; an enumeration has names of its own. */
struct template_field {
	struct decode_field field; /* except for what the bytes show */
	struct template_count count; /* of its elements */
	bool is_status;                /* of the resource manager */
	const char *family;            /* of the ioctl or class whose number the value is */
	const struct union_rule *rule; /* the value chooses a union's member */
};

/* A member of a union that some bytes chose. */
struct template_choice {
	const struct union_rule *rule;
	struct call_field by;             /* the field that chooses, from the start of the payload */
	const struct union_choice *made;  /* NULL: its value has no member */
};

/* An array of records. */
struct template_fold {
	const char *path;
	uint64_t offset_bytes, element_bytes, count;
	const size_t *first;       /* the field that each element begins with; one more: the array's end */
	struct template_count counted;
};

struct decode_template {
	const struct abi *abi;
	const char *type;
	uint64_t size_bytes;
	const struct template_field *fields;
	size_t count;
	const struct template_fold *folds; /* in the order of their first fields, outer ones first */
	size_t fold_count;
	const struct decode_padding *gaps; /* bytes that no field covers */
	size_t gap_count;
	const struct template_choice *choices; /* bytes that make others need another template */
	size_t choice_count;
};

/**
 * decode_template_compile - the fields of a type
 * @unions: which member of a union is valid; NULL: that is not known
 * @type:   a record, an alias, or an array of such: "NvU32[8]"
 * @payload: of it; only the fields that choose a union's member are read
 *
 * Return: 0; ERR_LAYOUT if a field is not inside the type's bytes; ERR_LIMIT if there are more than
 * DECODE_FIELDS_MAX, or records nest too deep; ERR_NOT_FOUND, ERR_FORMAT of a type.
 */
int decode_template_compile(struct decode_template *out, const struct abi *abi,
			    const struct union_rules *unions, const char *type,
			    const struct decode_payload *payload, struct arena *arena, struct err *err);

/* decode_template_fits - does @payload, of the template's size, choose the same members? */
bool decode_template_fits(const struct decode_template *form, const struct decode_payload *payload);

/* decode_template_apply - the fields of @payload that were recorded */
void decode_template_apply(struct decode_fields *out, const struct decode_template *form,
			   const struct decode_payload *payload, struct arena *arena);

/**
 * decode_counted_by - the field of @record that says how many elements of @array are in use
 *
 * The one whose name says so ("pidTblCount" of "pidTbl", "numObjects" of "objects"), or the only count of a
 * record that has one array, if it is named after a part of it ("gpuCount" of "gpuIds") or after nothing
 * ("count", "numEntries"). A count of something else hides elements that are in use, and a count that is not
 * found hides none, so an uncertain name is not a match.
 *
 * @array is one of the record's fields.
 * Return: NULL if there is none.
 */
const struct abi_field *decode_counted_by(const struct abi_record *record, const struct abi_field *array);

/* --- call.c, annotate.c, resolve.c ---------------------------------------------------------------- */

/*
 * decode_has_unfollowed - is there a pointer without a rule in the parameters, or in the memory at another
 * one?
 */
bool decode_has_unfollowed(const struct decode_ioctl *ioctl);

/**
 * decode_follow_lacks_rule - has a call that is not decoded a pointer without a rule in its parameters?
 * @chain: of call_follow(), in the document that @scope names; @index of it is the call
 *
 * The memory at pointers is not read. Return: false, too, if the parameters are not known.
 */
bool decode_follow_lacks_rule(const struct call *chain, size_t index, const struct decode_scope *scope);

/**
 * decode_annotate - the objects of the fields that are handles or descriptors, and the changes of the call
 * to handles
 * @ioctls: of @call, whose answer is set
 * @chain:  as many
 */
void decode_annotate(struct decode_ioctl *ioctls, const struct decode_call *call, const struct call *chain,
		     const struct decode_input *input);

/* The facts that decide which ioctl a call is, and in which version. */
struct decode_subject {
	const char *family;
	uint64_t number;
	bool has_size;
	uint64_t size_bytes; /* of the parameters */
	bool has_bytes;
};

/* decode_resolve - name, record, version and notes; fields and pointers are none. @out lives in @arena. */
void decode_resolve(struct decode_ioctl *out, const struct decode_subject *subject,
		    const struct decode_scope *scope, struct arena *arena);

#endif
