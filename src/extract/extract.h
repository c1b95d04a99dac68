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
#include "extract/propose.h"
#include "extract/profile.h"
#include "extract/ioctls.h"

struct extract_options {
	const char *target; /* "x86_64-linux-gnu" or "aarch64-linux-gnu" */
	struct memo *memo; /* NULL: none. The document is the same with it */
};

/* What there is to say of a tree besides its declarations. */
struct extract_result {
	struct macro_index macros; /* of all units */
	bool inside_roots; /* every file that was read is below profile_roots(): it may be cached by them */
};

/**
 * extract_tree - the records, aliases, enums and constants that the profile asks for
 * @out: set on success; in @arena
 * @builder: gets them; its arena is @arena
 *
 * The ioctls are added by ioctls_add(), which is given the macros. The caller ages the memo.
 *
 * Return: 0; ERR_PARSE, naming the first error's line, if a header does not
 * parse or an include is missing; ERR_NOT_FOUND if a header glob matches
 * nothing; ERR_USAGE for an unknown target; ERR_LAYOUT for a field that has
 * no offset or size; ERR_LIMIT for headers deeper than clang survives;
 * ERR_FORMAT for a pattern of the profile that is none; what the tree returned.
 */
int extract_tree(struct extract_result *out, struct abi_builder *builder, struct tree *tree, const struct profile *profile,
		 const struct extract_options *options, struct arena *arena, struct err *err);

/* The input file of gVisor's driver_ast_parser. */
struct extract_wanted {
	const char *const *structs;
	size_t struct_count;
	const char *const *constants; /* names of variables with a constant initializer */
	size_t constant_count;
	const char *const *numbers; /* identifiers: macros or enumerators; those that are integers become constants */
	size_t number_count;
};

/**
 * extract_file - the drop-in form: a file on disk, the caller's clang arguments
 *
 * C or C++ by the file's name. Only what @wanted names and what that reaches.
 * @missing: how many of its structs and constants are not in @out, because the file does not declare them or they have no
 * layout or value; each is a warning with the names that resemble it
 *
 * Return: 0; ERR_NOT_FOUND or ERR_IO if @path cannot be read; ERR_PARSE with
 * the first error's line; ERR_LAYOUT; ERR_LIMIT.
 */
int extract_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args, size_t arg_count,
		 const struct extract_wanted *wanted, struct arena *arena, struct err *err);

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
 */
void extract_prepare_process(void);

/* extract_compiler - "clang version 14.0.6", or why there is none. In @arena. Loads libclang. */
const char *extract_compiler(struct arena *arena);

/* extract_compiler_key - what goes into a cache's key for the libclang that would be used. In @arena. Does not load it if it can be told from its file. */
const char *extract_compiler_key(struct arena *arena);

#endif
