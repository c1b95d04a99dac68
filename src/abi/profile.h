/*
 * abi/profile.h - what to read in a driver tree
 *
 * Layer L1. json/ reads it from JSON, profile/ has the built-in ones, and
 * extract/ obeys it. Patterns are shell globs as of fnmatch(3). See docs/profile.md.
 */
#ifndef ABI_PROFILE_H
#define ABI_PROFILE_H

#include "abi/document.h"

#define PROFILE_FORMAT "drvabi-profile/1"

struct profile_strings {
	const char *const *item;
	size_t count;
};

/* What is read where the tree lacks a header that others include. */
struct profile_stand_in {
	const char *path; /* in the tree */
	const char *text;
	bool is_expected; /* the driver never has the file: reading the text is worth no warning */
};

/* One translation unit: these headers, in this order, with these directories. */
struct profile_unit {
	const char *name;               /* "rm", "uvm" */
	struct profile_strings headers; /* globs over the tree; each must match in at least one unit's tree unless optional */
	const bool *is_alternative;     /* by header: to be read only if the one before it, and those that that is an alternative to, match nothing */
	bool skips_unreadable;          /* a header that clang cannot read is left out with a warning */
	struct profile_strings optional_headers; /* globs that may match nothing */
	struct profile_strings context; /* paths: what these files declare is recorded only where other files use it */
	struct profile_strings include; /* directories of the tree, searched in this order */
	const char *const *include_target; /* by directory: the only target that it is for, NULL for all; NULL: none is for one */
	struct profile_strings define;  /* "NAME" or "NAME=VALUE" */
	struct profile_strings prologue; /* lines put before the first #include: "typedef unsigned int __u32;" */
	const struct profile_stand_in *stand_ins; /* not for what the tree has */
	size_t stand_in_count;
};

/* Which macros, or enumerators, are wanted as constants. */
struct profile_constant {
	const char *name; /* glob over its name */
	const char *file; /* glob over the path of the file that defines it, or begins the enum; NULL: any */
	const char *value; /* POSIX extended regex over the macro's body, comments removed; NULL: any */
	struct profile_strings except; /* globs over names that this rule does not match */
	const char *enumeration; /* glob over the names of enums, as a document has them; NULL: the rule is about macros */
	bool is_extra; /* of profile_want_constants() */
};

/* The first rule that matches decides a field's role. */
struct profile_role {
	enum abi_role role;
	const char *type; /* glob over the field's spelled type without dimensions; NULL: any */
	const char *name; /* glob over the field's name, case ignored; NULL: any */
	const char *record; /* glob over the record's name; NULL: any */
	const char *evidence; /* for people: where the driver's source says so; NULL if type and name say it */
};

/* How the parameter record of an ioctl is found. Tried in order; the first that names an existing record or alias wins. */
struct profile_params {
	const char *ioctl; /* glob over the ioctl's name that this rule is for; NULL: all */
	const char *record; /* the record; "\\0" stands for the whole ioctl name, "\\1" for the regex's group, "\\l0" and "\\l1" in lower case */
	const char *regex; /* POSIX extended, over the macro's body with its trailing comment on the same line; NULL: none */
	const char *name_regex; /* POSIX extended, over the ioctl's name; NULL: none */
};

/* Where a family of ioctls comes from. Closed. */
enum profile_source {
	PROFILE_FROM_CONSTANTS, /* macros of the headers */
	PROFILE_FROM_ENUM,      /* enumerators of the headers */
	PROFILE_FROM_NVOC,      /* NVOC exported method tables */
	PROFILE_FROM_RS_ENTRY,  /* resource_list.h */
	PROFILE_FROM_IOC,       /* macros of the headers that _IO(), _IOR(), _IOW(), _IOWR() or _IOC() makes, be it through others */
};

/* How the numbers of a family are encoded. */
struct profile_ioc {
	bool is_encoded; /* as of abi/ioc.h; always, FROM_IOC */
	bool by_nr;      /* the driver looks at type and nr only */
	const unsigned *types; /* only those of these types; all, if there is none */
	size_t type_count;
};

/*
 * Words for the bits of a number, read from the macros that the same driver
 * tree defines for them: bits move between versions. The word is what follows
 * the prefix, in lower case with '-' for '_'.
 */
struct profile_words {
	struct profile_strings files;  /* globs over the tree: where the macros are; none of them need exist but one */
	struct profile_strings prefix; /* of the macros' names; the first that fits is cut off: "RS_FLAGS_ALLOC_", "RS_FLAGS_" */
	struct profile_strings except; /* globs over macro names that are no words */
	const char *fallback;          /* macro whose word stands where no bit of those in unless is set; NULL: none */
	struct profile_strings unless; /* macro names */
};

/* Where the driver's source sends a family's ioctls on to functions. */
struct profile_dispatch {
	struct profile_strings files;  /* globs over the tree; none: it is not asked */
	struct profile_strings macros; /* globs over the names of macros that are a case label and more: "UVM_ROUTE_CMD_*" */
};

/* A table of commands that is asked before the methods are. */
struct profile_deprecated {
	struct profile_strings files; /* globs over the tree; none: there is no such table */
	const char *table;            /* the array's name: "rmDeprecatedControlTable" */
};

/*
 * A call in the driver's sources that states one ioctl. In the patterns "\\1"
 * stands for the first argument, up to "\\9".
 */
struct profile_route {
	const char *name;   /* glob over the name of the macro that is called */
	const char *ioctl;  /* pattern: the ioctl's name */
	const char *record; /* pattern: its parameter record; NULL: the call states none */
	struct profile_strings flags; /* words that it gives the ioctl */
	const char *words;  /* pattern: names joined with "|", each a word; NULL: none */
	const char *prefix; /* that is cut off such a name; "" if nothing is */
};

/* Which ioctls of a family the driver answers. No calls: it is not asked. */
struct profile_routes {
	struct profile_strings files; /* globs over the tree */
	const struct profile_route *calls;
	size_t call_count;
};

/* Some bits of a family's numbers, and what has a name for them. */
struct profile_bits {
	const char *name;      /* "class" */
	unsigned low_bit, width;
	const char *family;    /* whose numbers these bits are; NULL: nobody's */
	const char *macros;    /* prefix of macros whose value they are, "NV\\1_CTRL_"; "\\1" is the family's first bits in hex; NULL: there are none */
};

struct profile_family {
	const char *name; /* "control" */
	enum profile_source source;
	struct profile_strings match;  /* FROM_CONSTANTS: globs over macro names; others: which of the constants may name a number */
	struct profile_strings except; /* globs over macro names that are no ioctls */
	struct profile_ioc ioc;        /* FROM_CONSTANTS, FROM_ENUM, FROM_IOC */
	const char *enumeration;       /* FROM_ENUM: the enum, as a document names it; its match and except are over its enumerators */
	struct profile_strings flags;  /* FROM_CONSTANTS, FROM_ENUM: words that every ioctl of the family has */
	struct profile_routes routes; /* FROM_CONSTANTS, FROM_ENUM */
	struct profile_strings files;  /* FROM_NVOC, FROM_RS_ENTRY: globs over the tree; FROM_IOC, FROM_CONSTANTS: over the files of macros; any, if there is none */
	struct profile_strings embedded; /* files that list which commands carry embedded pointers */
	struct profile_words flag_words;   /* FROM_NVOC, FROM_RS_ENTRY: macros of single bits, or made of such */
	struct profile_words access_words; /* the same: macros whose values are numbers of bits */
	const char *unit; /* FROM_CONSTANTS: only macros of this unit; NULL: any */
	struct profile_dispatch dispatch;     /* FROM_CONSTANTS */
	struct profile_deprecated deprecated; /* FROM_NVOC */
	const struct profile_params *params;  /* FROM_CONSTANTS; FROM_NVOC: of the deprecated commands */
	size_t param_count;
	const struct profile_bits *bits; /* what a number is made of, highest bits first */
	size_t bits_count;
};

struct profile {
	const char *name;
	const char *hash; /* profile_hash() of the text that it was read from; NULL if it was not read */
	const char *description;
	const char *repository; /* URL of the public repository, NULL if there is none */
	const struct profile_unit *units;
	size_t unit_count;
	const struct profile_constant *constants;
	size_t constant_count;
	const struct profile_role *roles;
	size_t role_count;
	const struct profile_family *families;
	size_t family_count;
};

/* profile_hash - 32 hex digits that name a profile's text (XXH3, 128 bits); in @arena. */
const char *profile_hash(const char *text, size_t size, struct arena *arena);

/**
 * profile_want_constants - ask for macros and enumerators besides those that the profile wants
 * @globs: over their names; outlive @profile
 *
 * The rules of the profile come first, and no ioctl is found or named by what is asked for here. The
 * profile gets another hash: its documents are no others'. All in @arena.
 */
void profile_want_constants(struct profile *profile, const struct profile_strings *globs, struct arena *arena);

/* profile_matches - does any of the globs match @text whole? As fnmatch(3) without flags: '*' matches '/' too. */
bool profile_matches(const struct profile_strings *globs, const char *text);

/* profile_role_of - the role of a field; @record and @name may be "". */
enum abi_role profile_role_of(const struct profile *profile, const char *record, const char *name, const char *type);

/**
 * profile_roots - the files and directories of a tree that a document can depend on
 *
 * Sorted, unique: include directories, the directories of headers and of globs, files. The
 * ids of these make a cache key. "" is the root of the tree (a glob or an
 * include directory that lies directly in it).
 *
 * Return: 0; ERR_FORMAT if a path is absolute or has a "..".
 */
int profile_roots(struct profile_strings *out, const struct profile *profile, struct arena *arena, struct err *err);

#endif
