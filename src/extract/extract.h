/*
 * extract/extract.h - makes a document from a driver's tree
 *
 * Layer L2, the only room that uses libclang. Headers are parsed in memory, as C for the given target, in
 * each translation unit of the profile. The machine's headers are never read, except clang's own.
 */
#ifndef EXTRACT_EXTRACT_H
#define EXTRACT_EXTRACT_H

#include "abi/abi.h"
#include "base/base.h"

struct extract_options {
	const char *target; /* "x86_64-linux-gnu" or "aarch64-linux-gnu" */
};

/* What is known about a tree besides its declarations. */
struct extract_result {
	struct macro_index macros; /* the macros of all units */
	bool inside_roots; /* every file that was read is inside profile_roots(), so a cache key needs only
			      these directories */
};

/**
 * extract_part - reduce a profile to what a tree has, if the tree has only some of its directories
 * @out: @profile, or a part of it in @arena
 * @absent: the top-level directories that the tree does not have, such as "src"; empty if the tree is
 * complete, or is not a tree of this driver
 *
 * NVIDIA releases the sources of its kernel modules as "kernel-open", without the "src" of its repository.
 * Return: 0; the error of the tree.
 */
int extract_part(const struct profile **out, struct profile_strings *absent, struct tree *tree,
		 const struct profile *profile, struct arena *arena, struct err *err);

/**
 * extract_tree - add the records, aliases, enums and constants that the profile requests to @builder
 * @out: set on success; in @arena
 * @builder: its arena must be @arena
 *
 * ioctls_add() then adds the ioctls; it needs the macros of @out.
 *
 * Return: 0; ERR_PARSE, with the line of the first error, if a header does not parse or an include is
 * missing; ERR_NOT_FOUND if a header glob matches nothing; ERR_USAGE if the target is unknown; ERR_LAYOUT if
 * a field has no offset or size; ERR_LIMIT if headers are nested too deep for clang; ERR_FORMAT if a pattern
 * of the profile is invalid; the error of the tree.
 */
int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree,
		 const struct profile *profile, const struct extract_options *options, struct arena *arena,
		 struct err *err);

/* The names to extract, as in the input file of gVisor's driver_ast_parser. */
struct extract_wanted {
	const char *const *structs;
	size_t struct_count;
	const char *const *constants; /* names of variables with a constant initializer */
	size_t constant_count;
	const char *const *numbers; /* macros or enumerators; each one that is an integer becomes a
				       constant */
	size_t number_count;
	/*
	 * Follow that tool: if no clang arguments are given, take them from compile_commands.json in the
	 * directory of the file or a parent directory; and write an alias of an enum with a tag as "enum
	 * TAG".
	 */
	bool is_for_gvisor;
	const char *build_path; /* the directory of compile_commands.json; NULL: search as above */
};

/**
 * extract_file - extract names from a file on disk, with the caller's clang arguments
 *
 * The file's name decides between C and C++. @out has only the names of @wanted and the types that they use.
 * @missing: number of structs and constants of @wanted that are not in @out, because the file does not
 * declare them, or they have no layout or value; for each there is a warning with similar names
 *
 * Return: 0; ERR_NOT_FOUND or ERR_IO if @path cannot be read; ERR_PARSE, ERR_LAYOUT or ERR_LIMIT as in
 * extract_tree().
 */
int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		 size_t arg_count, const struct extract_wanted *wanted, struct arena *arena, struct err *err);

/**
 * extract_load - load libclang into this process, so that processes forked from it have it too
 *
 * extract_tree() and extract_file() load libclang if necessary. Loading takes 25 ms.
 *
 * Return: 0; ERR_IO with the loader's message.
 */
int extract_load(struct err *err);

/**
 * extract_prepare_process - prepare a process that does nothing but extract
 *
 * Afterwards a crash of libclang ends the process, libclang starts no threads, and freed memory is not
 * returned to the system. For the short-lived processes of store/bounded.c.
 * Return: the directory of clang's own headers, which the process must be able to read; "" if it is unknown.
 * The string is static.
 */
const char *extract_prepare_process(void);

/* extract_compiler - return "clang version 14.0.6", or the error if libclang cannot be loaded; in @arena. */
const char *extract_compiler(struct arena *arena);

/*
 * extract_compiler_key - return a string that identifies the installed libclang, for a cache key; in @arena.
 * libclang is loaded only if its file is not where it was at build time.
 */
const char *extract_compiler_key(struct arena *arena);

/*
 * --- the ioctls of a version, from the driver's own tables ---
 *
 * The headers do not show which ioctls a driver has, but its tables do. Tables are read as text, without
 * libclang. The macros of the headers are passed in.
 *
 * The source of a family of the profile decides which file reads its ioctls:
 *
 *   methods.c      NVIDIA's exported control methods, and the macros that name their numbers; flags.c reads
 *                  the words of their flags and which of them carry pointers, deprecated.c reads the
 *                  deprecated commands
 *   classes.c      the classes of resource_list.h
 *   ioctls.c       macros or enumerators that are ioctls, and macros that _IO() or a similar macro makes;
 *                  routes.c finds which of them the driver answers, and with which record
 */

/**
 * ioctls_add - add the ioctls of all families of the profile to @builder
 * @builder: already holds the records, aliases and enums of all units
 * @macros: the evaluated macros of all units
 *
 * If an entry cannot be used, it is left out, with a warning in @builder.
 * Return: 0; the error of the tree; ERR_FORMAT if a regular expression of the profile is malformed.
 */
int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
	       const struct macro_index *macros, struct arena *arena, struct err *err);

/*
 * --- the profiles that come with the program, as JSON text ---
 *
 * The texts are compiled in from src/extract/profiles/NAME.json.
 */

/* profile_builtin - return the JSON of the built-in profile @name; NULL if there is no such profile. */
const char *profile_builtin(const char *name);
/*
 * profile_builtin_use - return the JSON ("drvabi-use/1") of how the driver uses its fields; NULL if the
 * profile @name has none.
 */
const char *profile_builtin_use(const char *name);
/* profile_builtin_names - return the names of the built-in profiles, sorted and NULL-terminated. */
const char *const *profile_builtin_names(void);

/*
 * --- a first profile for a tree ---
 *
 * The headers are read as text, without clang, so the result is a guess that must be tried. profile.c
 * describes the steps.
 */

/* A header that defines ioctls. */
struct proposed_header {
	const char *path;
	size_t ioctl_count; /* number of object-like macros whose text uses _IO() or a similar macro */
};

struct proposal {
	const struct proposed_header *headers; /* sorted by path */
	size_t header_count;
	size_t ioctl_count;
	struct profile_strings include; /* include directories, in search order; a directory of x86 stands for
					   that of the target */
	bool has_own_types; /* the tree has linux/types.h, which does not define size_t for user space */
	struct profile_strings missing; /* included headers that neither the tree nor @known of
					   extract_propose() has */
	const unsigned *types;          /* the type numbers of the ioctls, sorted */
	size_t type_count;
	bool has_unknown_types;         /* the type number of some ioctl is unknown */
	struct profile_strings by_nr;	/* sources that use _IOC_NR(), where the driver may compare ioctl
					   numbers */
};

/**
 * extract_propose - propose a profile for a tree
 * @out: set on success; in @arena
 * @known: returns true if an included header, such as "stddef.h", needs no stand-in
 *
 * Return: 0; ERR_NOT_FOUND if no header of the tree makes ioctls; the error of the tree.
 */
int extract_propose(struct proposal *out, struct tree *tree, bool (*known)(const char *header),
		    struct arena *arena, struct err *err);

/*
 * extract_write_proposal - append a profile made from @proposal, as JSON. Its roles follow from common field
 * names, and it is named after the header with the most ioctls.
 */
void extract_write_proposal(struct strbuf *out, const struct proposal *proposal, struct arena *arena);

#endif
