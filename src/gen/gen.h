/*
 * gen/gen.h - source text out of documents and tables
 *
 * Layer L5. gen_collect() and gen_collect_types() decide what a file holds,
 * gen_go(), gen_c(), gen_rust() and gen_python() write it. Go has types as a
 * proxy declares them (proxytype/), the others have the driver's own
 * (definition.h).
 *
 * A file checks itself: where a size or an offset is not the driver's, it does
 * not compile, or cannot be imported. gofmt and rustfmt have nothing to say to
 * it, and the same input gives the same bytes.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "gen/proxytype.h"

/* Closed. */
enum gen_language {
	GEN_GO,
	GEN_C,
	GEN_RUST,
	GEN_PYTHON,
};

#define GEN_LANGUAGES "go|c|rust|python"

/* gen_language_parse - Return: 0; ERR_USAGE, @out untouched, for another word. */
int gen_language_parse(enum gen_language *out, const char *word, struct err *err);

struct definition;

enum gen_style {
	GEN_PLAIN,   /* needs nothing but the compiler */
	GEN_NVPROXY, /* for package nvgpu of gVisor: HostLayout, +marshal, accessors; Handle, P64 and NvUUID are there */
};

struct gen_constant {
	const char *name;  /* in the file's language */
	const char *value; /* "0x2080018d", "34", "-1" */
	struct abi_number number; /* the same */
};

struct gen_constants {
	const char *title; /* "Numbers of uvm ioctls.", "Values of enum NV_MODE." */
	const struct gen_constant *items;
	size_t count;
	bool is_enum;
};

/* The versions from @first to @last, in their order, in which @record is @type. */
struct gen_span {
	const char *record;
	const char *type;
	const char *first, *last;
	uint64_t size_bytes;
	size_t first_index, last_index; /* of the versions in the request */
};

/* What one file of source text holds. */
struct gen_file {
	enum gen_style style;
	const char *package; /* in C, what its own names begin with */
	const char *origin; /* "nvidia 590.48.01, x86_64-linux-gnu" */
	const struct gen_constants *constants;
	size_t constants_count;
	const struct proxytype *const *types; /* each behind those that it uses */
	size_t type_count;
	const struct definition *const *definitions; /* for all but Go in place of types; in the same order */
	size_t definition_count;
	const struct abi *const *versions; /* of a range; else none */
	size_t version_count;
	const struct gen_span *spans; /* by record, then version; none if the file is not of a range */
	size_t span_count;
};

/*
 * gen_go - append the file as Go. What @file holds has been checked by what collected it
 *
 * For types that another pass has declared, a file may also be filled with proxytype_new_types() of its set: these say
 * more than the types of a table, and so have comments and accessors.
 */
void gen_go(struct strbuf *out, const struct gen_file *file);

/*
 * gen_c, gen_rust, gen_python - append the file in that language, out of its definitions
 *
 * Return: 0; ERR_FORMAT for a name that the language cannot have, ERR_LAYOUT for a record that it cannot declare (@err names
 * it): a document written by hand may hold both.
 */
int gen_c(struct strbuf *out, const struct gen_file *file, struct err *err);
int gen_rust(struct strbuf *out, const struct gen_file *file, struct err *err);
int gen_python(struct strbuf *out, const struct gen_file *file, struct err *err);

/* What gen_collect() is asked. */
struct gen_request {
	enum gen_language language;
	enum gen_style style; /* of Go */
	const char *package;  /* of Go; NULL: nvgpu, or the driver's name */
	const struct abi *const *versions; /* oldest first, at least one */
	size_t version_count;
	bool is_range;        /* the file says which type a record is in which version */
	const char *const *globs; /* names of records, ioctls, enums and constants */
	size_t glob_count;
};

/* The types that package nvgpu has for the driver's own: what a set of GEN_NVPROXY begins with. */
extern const struct table gen_nvproxy_types;

/**
 * gen_collect - records with all that they need, numbers and constants, each distinct definition once
 * @out:  in @arena; @set and all documents must outlive it
 * @set:  for Go, empty but for the types that the style has; else NULL
 * @lost: set to a glob that matches nothing in any version
 *
 * An ioctl's glob asks for its number and its parameter record; a record's, but in style nvproxy, also for the numbers of the
 * ioctls that carry it. What changes from version to version has the first version
 * with another definition in its name: UVM_FREE_PARAMS_V590.
 * Return: 0; ERR_NOT_FOUND with @lost; ERR_USAGE for a package that is no name; what proxytype_declare()
 * or definitions_declare() returns.
 */
int gen_collect(struct gen_file *out, const struct gen_request *request, struct proxytype_set *set, const char **lost, struct arena *arena,
		struct err *err);

/**
 * gen_collect_types - types of a proxy's table, such as those that a table's patch brings
 * @types:   any order
 * @package: NULL: nvgpu
 *
 * Only @types are written; others that they use are expected in the package.
 * Return: 0; ERR_FORMAT if a name is none in Go, naming it; ERR_USAGE for a package that is no name.
 */
int gen_collect_types(struct gen_file *out, enum gen_style style, const char *package, const struct table_type *types, size_t count,
		      struct arena *arena, struct err *err);

#include "gen/pid_shim.h"
#include "gen/cdecl.h"

#endif
