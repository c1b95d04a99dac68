/*
 * verify/ctable.h - the table of a proxy that is written in C
 *
 * Layer L3, a pure pass. In: the proxy's header as a document, and the lines that
 * say which struct of the proxy is which of the driver's. Out: a proxy table of one version.
 *
 * A line is
 *
 *	FAMILY CONSTANT[=NUMBER] DRIVER_STRUCT PROXY_STRUCT [CAP,CAP...]
 *	type NAME pointer|handle
 *
 * either in a comment of the header, after "drvabi:", or in a map file. "-"
 * for PROXY_STRUCT is a struct that is passed through unread, "-" for both
 * an ioctl without parameters. docs/proxy-in-c.md explains each word.
 */
#ifndef VERIFY_CTABLE_H
#define VERIFY_CTABLE_H

#include "abi/abi.h"

/* What a proxy does with one struct of one ioctl. */
struct ctable_line {
	const char *source;      /* "proxy.h:12" */
	const char *file;        /* "proxy.h" */
	unsigned line;           /* 12 */
	size_t order;            /* among all lines */
	const char *family;
	const char *constant;    /* the driver's macro */
	const char *number_name; /* a macro or enumerator of the proxy's header; NULL: @number says it */
	uint64_t number;
	const char *driver;      /* NULL: "-" */
	const char *proxy;       /* NULL: "-" */
	const char *const *caps; /* sorted */
	size_t cap_count;
};

/* What a type of the proxy is to it, whatever it is made of. */
struct ctable_role {
	const char *source;
	const char *type;
	enum abi_role role;
};

/* The lines of a header, a map file, or both. { 0 } is none. */
struct ctable_map {
	struct ctable_line *line;
	size_t line_count, line_capacity;
	struct ctable_role *role;
	size_t role_count, role_capacity;
};

enum ctable_kind {
	CTABLE_HEADER, /* only what follows "drvabi:" on a line, up to the end of the comment */
	CTABLE_MAP,    /* every line, up to a '#' */
};

/**
 * ctable_read - add the lines of a text
 * @map:  released by the caller with ctable_release(), also after an error; strings are in @arena
 * @name: of the text: the source of a line begins with it
 *
 * Return: 0; ERR_FORMAT if a line is none; @err names it.
 */
int ctable_read(struct ctable_map *map, const char *text, enum ctable_kind kind, const char *name, struct arena *arena,
		struct err *err);
void ctable_release(struct ctable_map *map);

/* ctable_wanted - the types and the numbers that the lines name, each once: what to look for in the header. */
void ctable_wanted(struct profile_strings *types, struct profile_strings *numbers, const struct ctable_map *map,
		   struct arena *arena);

/* What the table says of itself. */
struct ctable_head {
	const char *path;    /* of the header */
	const char *version; /* of the driver that the header is for */
	const struct profile *profile; /* of the driver: its families, and what its types are */
};

/**
 * ctable_build - the table
 * @out: one node, of head->version, supported; in @arena, as far as @abi's strings do not
 * @abi: the proxy's header: what ctable_wanted() named, and what that reaches
 *
 * How C is said in a table, where they differ:
 * - A union is bytes, as is a bit-field's storage, unless the bits
 *   fill exactly one integer.
 * - A pointer has the role of one; a type has a role if a "type" line or a
 *   rule of the profile that is for types alone gives it one.
 * - The members of an unnamed struct are members of what that is in.
 * - A flexible or zero-length array has no bytes and is left out.
 *
 * Return: 0; ERR_FORMAT, naming the line, if it names a family that the
 * profile lacks or a type or number that the header lacks, if two lines say
 * different things, or if there is no line at all.
 */
int ctable_build(struct table *out, const struct ctable_map *map, const struct abi *abi, const struct ctable_head *head,
		 struct arena *arena, struct err *err);

#endif
