/*
 * extract/extract.h - makes a document from a driver's tree
 *
 * Layer L2, the only directory that uses libclang. For each translation unit of the profile, clang parses the
 * headers from memory, as C for the given target. Headers of the machine are never read, except those that
 * come with clang.
 */
#ifndef EXTRACT_EXTRACT_H
#define EXTRACT_EXTRACT_H

#include "abi/abi.h"
#include "base/base.h"

/* What extract_tree() finds in a tree, besides the declarations that it adds to the builder. */
struct extract_result {
	struct macro_index macros; /* the macros that the profile requests, from all units */
	bool inside_roots; /* all files that were read are in the directories of profile_roots(), so a cache
			      key has to include only these directories */
};

/**
 * extract_part - remove from a profile the top-level directories that a tree does not have
 * @out: @profile itself if nothing is removed; otherwise a reduced copy in @arena
 * @absent: the removed directories, such as "src"; empty if the tree has all directories or none
 *
 * NVIDIA's repository has the directories "kernel-open" and "src", but its driver packages have only
 * "kernel-open".
 * Return: 0; an error from reading the tree.
 */
int extract_part(const struct profile **out, struct profile_strings *absent, struct tree *tree,
		 const struct profile *profile, struct arena *arena, struct err *err);

/**
 * extract_tree - extract the records, aliases, enums and constants that the profile requests, and the ioctls
 * @out: set on success; in @arena
 * @builder: receives the extracted items; must use @arena
 * @profile: must outlive the document, which has texts of it
 * @target: "x86_64-linux-gnu" or "aarch64-linux-gnu"
 *
 * An entry of one of the driver's tables that cannot be read is left out, and @builder gets a warning.
 *
 * Return: 0; ERR_PARSE, with the line of the first error, if a header does not parse or an include is
 * missing; ERR_NOT_FOUND if a header glob matches nothing; ERR_USAGE if the target is unknown; ERR_LAYOUT if
 * a field has no offset or size; ERR_LIMIT if types are nested too deep, too many files are open, or clang
 * would take too long; ERR_FORMAT if a pattern of the profile is invalid, or a path is not UTF-8; ERR_IO if
 * libclang cannot be loaded; an error from reading the tree.
 */
int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree,
		 const struct profile *profile, const char *target, struct arena *arena, struct err *err);

/* The names that extract_file() extracts. gVisor's driver_ast_parser takes such lists as its input. */
struct extract_wanted {
	struct profile_strings structs;
	struct profile_strings constants; /* names of variables; those with an integer constant as initializer
					     become constants */
	struct profile_strings numbers; /* names of macros or enumerators; those with an integer value become
					   constants */
	/*
	 * Work like driver_ast_parser: if no clang arguments are given, take them from the
	 * compile_commands.json in the directory of the file or in the nearest parent directory that has one.
	 * Write an alias of an enum with a tag as "enum TAG".
	 */
	bool is_for_gvisor;
	const char *build_path; /* the directory of compile_commands.json; NULL to search for it as described
				   above */
};

/**
 * extract_file - extract the requested names from a file on disk, with the caller's clang arguments
 *
 * The ending of the file's name decides whether it is C or C++, unless there is an argument -x. @out has only
 * the names of @wanted and the types that they use.
 * @missing: number of structs and constants of @wanted that are not in @out, because the file does not
 * declare them, or because they have no layout or value. @out has a warning for each.
 *
 * Return: 0; ERR_NOT_FOUND if @path does not exist, or compile_commands.json has no command for it; ERR_IO if
 * it cannot be read, or libclang not be loaded; ERR_PARSE, ERR_LAYOUT or ERR_LIMIT as in extract_tree().
 */
int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		 size_t arg_count, const struct extract_wanted *wanted, struct arena *arena, struct err *err);

/**
 * extract_load - load libclang into this process, so that processes forked later do not have to load it
 *
 * Calling it is optional: extract_tree() and extract_file() load libclang if necessary, which takes 25 ms.
 * It is never unloaded.
 *
 * Return: 0; ERR_IO with the dynamic loader's message if libclang cannot be loaded.
 */
int extract_load(struct err *err);

/**
 * extract_prepare_process - set up a process that only extracts
 *
 * Afterwards, a crash of libclang ends the process, libclang starts no threads, and freed memory is not
 * returned to the system. Used in the short-lived processes of store/worker.c.
 * Return: the directory of clang's own headers, which the process must be able to read; "" if the directory
 * is unknown. The string is static.
 */
const char *extract_prepare_process(void);

/*
 * extract_compiler - return libclang's version, "clang version 14.0.6", or the error message if libclang
 * cannot be loaded. The text is in @arena.
 */
const char *extract_compiler(struct arena *arena);

/*
 * extract_compiler_key - return a string that identifies the installed libclang, for use in a cache key. The
 * string is in @arena. libclang is loaded only if its file is not at the path that it had at build time.
 */
const char *extract_compiler_key(struct arena *arena);

/*
 * --- the built-in profiles, as JSON text ---
 *
 * The texts are compiled in from src/extract/profiles/.
 */

/* profile_builtin - return the JSON of the built-in profile @name; NULL if there is no such profile. */
const char *profile_builtin(const char *name);
/*
 * profile_builtin_use - return JSON ("drvabi-use/1") that says how the driver of the built-in profile @name
 * uses the fields of its records; NULL if there is no such text.
 */
const char *profile_builtin_use(const char *name);
/* profile_builtin_names - return the names of the built-in profiles, sorted, with NULL at the end. */
const char *const *profile_builtin_names(void);

/*
 * --- a first profile for a tree ---
 *
 * The headers are read as text, without clang, so the result is a guess that has to be tested. profile.c
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
	struct profile_strings include; /* include directories, in search order; the profile also names the
					   arm64 directory for each x86 directory */
	bool has_own_types; /* the tree has linux/types.h, which does not define size_t for user space */
	struct profile_strings missing; /* included headers that are not in the tree and that @known of
					   extract_propose() does not accept */
	/* enumerators with numbers of ioctls; the profile does not select them */
	struct profile_strings enumerators;
	const unsigned *types;          /* the type numbers of the ioctls, sorted */
	size_t type_count;
	bool has_unknown_types;         /* the type number of at least one ioctl is unknown */
	struct profile_strings by_nr;	/* sources that use _IOC_NR(); in these, the driver may compare only
					   the nr of an ioctl's number */
};

/**
 * extract_propose - propose a profile for a tree
 * @out: set on success; in @arena
 * @known: returns true for a header that is available without the tree, such as "stddef.h"
 *
 * Return: 0; ERR_NOT_FOUND if no header of the tree defines ioctls; an error from reading the tree.
 */
int extract_propose(struct proposal *out, struct tree *tree, bool (*known)(const char *header),
		    struct arena *arena, struct err *err);

/*
 * extract_write_proposal - append a profile made from @proposal, as JSON. The profile is named after the
 * header with the most ioctls. It has role rules for common field names.
 */
void extract_write_proposal(struct strbuf *out, const struct proposal *proposal, struct arena *arena);

#endif
