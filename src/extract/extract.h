/*
 * extract/extract.h - from a driver tree to a document
 *
 * Layer L2, the only room that sees libclang. Headers are parsed in memory,
 * as C for the given target, once per translation unit of the profile, and
 * the machine's own headers are never read, except those of clang itself.
 */
#ifndef EXTRACT_EXTRACT_H
#define EXTRACT_EXTRACT_H

#include "abi/abi.h"
#include "base/base.h"

struct extract_options {
	const char *target; /* "x86_64-linux-gnu" or "aarch64-linux-gnu" */
};

/* Facts about a tree besides its declarations. */
struct extract_result {
	struct macro_index macros; /* of all units */
	bool inside_roots; /* every file that was read is below profile_roots(): it may be cached by them */
};

/**
 * extract_part - the part of a profile to read in a tree that does not have all directories of the headers
 * of @profile
 * @out: @profile, or the part of it that the tree may have; in @arena
 * @absent: the directories that the tree does not have, "src"; none if it is whole, or not this driver's
 *
 * NVIDIA releases the sources of its kernel modules as "kernel-open", without the "src" of its repository.
 * Return: 0; the error of the tree.
 */
int extract_part(const struct profile **out, struct profile_strings *absent, struct tree *tree,
		 const struct profile *profile, struct arena *arena, struct err *err);

/**
 * extract_tree - the records, aliases, enums and constants that the profile requests
 * @out: set on success; in @arena
 * @builder: gets them; its arena is @arena
 *
 * The ioctls are added by ioctls_add(), which is given the macros.
 *
 * Return: 0; ERR_PARSE, naming the first error's line, if a header does not parse or an include is missing;
 * ERR_NOT_FOUND if a header glob matches nothing; ERR_USAGE for an unknown target; ERR_LAYOUT for a field
 * that has no offset or size; ERR_LIMIT for headers deeper than clang survives; ERR_FORMAT for an invalid
 * pattern of the profile; the error of the tree.
 */
int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree,
		 const struct profile *profile, const struct extract_options *options, struct arena *arena,
		 struct err *err);

/* The input file of gVisor's driver_ast_parser. */
struct extract_wanted {
	const char *const *structs;
	size_t struct_count;
	const char *const *constants; /* names of variables with a constant initializer */
	size_t constant_count;
	const char *const *numbers; /* identifiers: macros or enumerators; those that are integers become
				       constants */
	size_t number_count;
	/*
	 * As in that tool: clang's arguments are in compile_commands.json, in the directory of the file or
	 * above it, if none are given; and an alias that is an enum with a tag is "enum TAG".
	 */
	bool is_for_gvisor;
	const char *build_path; /* with it: where compile_commands.json is; NULL: as above */
};

/**
 * extract_file - the drop-in form: a file on disk, the caller's clang arguments
 *
 * C or C++ by the file's name. Only the names of @wanted and the types that they use.
 * @missing: how many of its structs and constants are not in @out, because the file does not declare them or
 * they have no layout or value; each is a warning with the names that resemble it
 *
 * Return: 0; ERR_NOT_FOUND or ERR_IO if @path cannot be read; ERR_PARSE with
 * the first error's line; ERR_LAYOUT; ERR_LIMIT.
 */
int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args,
		 size_t arg_count, const struct extract_wanted *wanted, struct arena *arena, struct err *err);

/**
 * extract_load - load libclang into this process, so that those which are made from it have it too
 *
 * extract_tree() and extract_file() do it themselves. It takes 25 ms, once.
 *
 * Return: 0; ERR_IO, with the loader's words.
 */
int extract_load(struct err *err);

/**
 * extract_prepare_process - make this process one that does nothing but extract
 *
 * A crash of libclang ends it, libclang makes no threads, and memory that is
 * freed is not given back. For the processes of store/bounded.c, which end after it.
 * Return: the directory of clang's own headers, which it reads besides the files of its jobs; "" if that is
 * not known. Static.
 */
const char *extract_prepare_process(void);

/* extract_compiler - "clang version 14.0.6", or why it is not available. In @arena. Loads libclang. */
const char *extract_compiler(struct arena *arena);

/*
 * extract_compiler_key - the part of a cache's key for the libclang that would be used. In @arena. Does
 * not load it if its file name has the version.
 */
const char *extract_compiler_key(struct arena *arena);

/*
 * the ioctls of a version, from the driver's own tables
 *
 * The headers do not say which ioctls a driver has. Its tables do, and they are read as text: nothing here
 * sees libclang. Macros defined in the headers are passed in (extract/ finds them).
 *
 * Each family of the profile has one kind of source:
 *
 *   methods.c      NVIDIA's exported control methods, and the macros that name their numbers; flags.c has the
 *                  words of their flags and which carry pointers, deprecated.c those that are passed on
 *   classes.c      the classes of resource_list.h
 *   ioctls.c       macros or enumerators that are ioctls, and macros that _IO() or its like makes;
 *                  routes.c says which are answered, and with which record
 */

/**
 * ioctls_add - add the ioctls of all of the profile's families to @builder
 * @builder: already holds the records, aliases and enums of all units
 * @macros:  of all units, evaluated
 *
 * An entry that cannot be used is left out with a warning in @builder.
 * Return: 0; the error of the tree; ERR_FORMAT for a table of another form.
 */
int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
	       const struct macro_index *macros, struct arena *arena, struct err *err);

/*
 * the profiles that come with the program, as JSON text
 *
 * The text is compiled in from src/extract/profiles/NAME.json.
 */

/* profile_builtin - the JSON of a built-in profile, NUL-terminated; NULL if there is none of that name. */
const char *profile_builtin(const char *name);
/*
 * profile_builtin_use - how the driver of that profile uses its fields ("drvabi-use/1"); NULL if that is not
 * known.
 */
const char *profile_builtin_use(const char *name);
/* profile_builtin_names - sorted, NULL-terminated. */
const char *const *profile_builtin_names(void);

/*
 * a first profile for a tree
 *
 * Reads the texts of a tree's headers, without clang: the result is a guess, to be tried. The steps are in
 * profile.c.
 */

/* A header in which ioctls are made. */
struct proposed_header {
	const char *path;
	size_t ioctl_count; /* object-like macros that _IO() or a similar macro makes, according to their
			       texts */
};

struct proposal {
	const struct proposed_header *headers; /* sorted by path */
	size_t header_count;
	size_t ioctl_count;
	struct profile_strings include; /* searched in this order; a directory of x86 is replaced by the target's
					 */
	bool has_own_types; /* the tree has linux/types.h, which defines no size_t for user space */
	struct profile_strings missing; /* included headers that neither the tree nor @known has */
	const unsigned *types;          /* of the ioctls, sorted */
	size_t type_count;
	bool has_unknown_types;         /* of some ioctls the type is not known */
	struct profile_strings by_nr;	/* sources that use _IOC_NR(): the driver may compare the number there
					 */
};

/**
 * extract_propose - proposes a profile for a tree
 * @out: set on success; in @arena
 * @known: does a header, as it is included, need no stand-in?
 *
 * Return: 0; ERR_NOT_FOUND if no header of the tree makes ioctls; the error of the tree.
 */
int extract_propose(struct proposal *out, struct tree *tree, bool (*known)(const char *header),
		    struct arena *arena, struct err *err);

/*
 * extract_write_proposal - append the profile that @proposal suggests, as JSON. Its roles follow from usual
 * names of fields, and it is named after the header with most ioctls.
 */
void extract_write_proposal(struct strbuf *out, const struct proposal *proposal, struct arena *arena);

#endif
