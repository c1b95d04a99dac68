/*
 * extract/internal.h - declarations that reading headers, macros and tables share. Only this directory uses
 * libclang.
 */
#ifndef EXTRACT_INTERNAL_H
#define EXTRACT_INTERNAL_H

#include "abi/abi.h"
#include "base/base.h"

#include <clang-c/CXString.h>
#include <clang-c/Index.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <uthash.h>

struct closure;
struct closure_file;
struct walk;

/* --- clang.c ----------------------------------------------------------------- */

/* cxstring_dup - a copy in @arena; "" for an empty one. Disposes of @string. */
static inline const char *cxstring_dup(CXString string, struct arena *arena)
{
	const char *text = clang_getCString(string);
	const char *copy = text && *text ? arena_strdup(arena, text) : "";

	clang_disposeString(string);
	return copy;
}

/*
 * cxstring_copy - a copy in @buffer. Disposes of @string. Return: false, @buffer untouched, if it does not
 * fit.
 */
static inline bool cxstring_copy(char *buffer, size_t size, CXString string)
{
	const char *text = clang_getCString(string);
	size_t length = text ? strlen(text) : 0;
	bool fits = length < size;

	if (fits) {
		memcpy(buffer, text ? text : "", length);
		buffer[length] = '\0';
	}
	clang_disposeString(string);
	return fits;
}

/* type_plain - without nodes that only show how it was written: elaborated, attributed. */
CXType type_plain(CXType type);
/* type_underlying - of a typedef. */
CXType type_underlying(CXType type);
bool type_is_array(CXType type);
bool type_is_unsigned(CXType type);
bool type_is_reference(CXType type);
/* enumerator_value - of an enumerator of the enum @declared. */
struct abi_number enumerator_value(CXCursor enumerator, CXCursor declared);

struct clang_files {
	char path[32];       /* of the overlay file, for -ivfsoverlay */
	int file;            /* its descriptor */
	int *inodes;         /* descriptors that lend their inodes */
	size_t inode_count, inode_capacity;
};

/**
 * clang_files_write - make @files name the main file and all files of @closure
 * @files: { .file = -1 } at first; may be written again when the closure has grown
 *
 * Return: 0; ERR_LIMIT if there are more files than the process may open; ERR_FORMAT if a path is not
 * UTF-8, which an overlay cannot name; ERR_IO. clang_files_release() is due in any case.
 */
int clang_files_write(struct clang_files *files, const struct closure *closure, struct err *err);
void clang_files_release(struct clang_files *files);

/* own_headers_have - is @name, as clang names a file, one of clang's own headers? */
bool own_headers_have(const char *name);

/*
 * own_stdint - the text that replaces clang's <stdint.h>: with gcc's types. They follow from the
 * macros __INT..._TYPE__.
 */
struct CXUnsavedFile own_stdint(struct arena *arena);

/* --- libclang.c -------------------------------------------------------------- */

/* libclang_load - load it, unless it is there. It stays. Return: 0; ERR_IO, with the loader's words. */
int libclang_load(struct err *err);

/*
 * libclang_identity - the properties that another libclang would have otherwise, without loading it; NULL:
 * it is not where it was at build time. In @arena.
 */
const char *libclang_identity(struct arena *arena);

/* --- macro_text.c ------------------------------------------------------------ */

/* Closed. */
enum macro_shape {
	MACRO_NO_NUMBER, /* empty, a string, a bit range like 7:0, a list, a statement, a declaration, a
			    fraction */
	MACRO_LITERALS, /* numbers and operators, nothing that could upset a parser */
	MACRO_NAMES, /* an expression that uses names, which may be anything */
};

enum macro_shape macro_shape_of(const char *text);

/* macro_is_balanced - does each bracket have its match, literals aside? */
bool macro_is_balanced(const char *text);

/*
 * macro_literal - the value of a body that is one integer literal, maybe in parentheses; false if it is not.
 */
bool macro_literal(uint64_t *out, const char *text);

/* macro_has_comma - is there a comma in brackets that are not those of a call, which makes it an operator? */
bool macro_has_comma(const char *text);

/* macro_is_call - is all of it NAME(…), maybe in parentheses? */
bool macro_is_call(const char *text);

/* macro_is_name - is all of it one name, maybe in parentheses? */
bool macro_is_name(const char *text);

/* macro_first_call - the first NAME(…) in it, anywhere, except sizeof(); false if there is none. */
bool macro_first_call(struct view *out, const char *text);

/*
 * macro_next_name - the next name at or after *@at that may be a macro's without parameters, and that is
 * outside of calls and sizeof()
 *
 * @at is set after it. Return: false if there is none; *@at is then not changed.
 */
bool macro_next_name(struct view *out, const char **at);

/* --- macro_rules.c ----------------------------------------------------------- */

struct macro_rules;

/* What a macro is wanted for. */
struct macro_purpose {
	bool constant; /* profile->constants */
	bool family;   /* a family of ioctls */
	bool number;   /* a family whose members are these macros, so that each must have a value */
	bool kind; /* a family that asks how its numbers are made (macro_kinds.c) */
	bool extra; /* profile_want_constants() requests it, and no rule of the profile for constants does */
};

/* One #define of a name that is wanted. */
struct macro_definition {
	const char *name;
	const char *text;  /* the body without comments */
	const char *shown; /* the body with them */
	unsigned line;
	const char *parameters;   /* "ev,len"; NULL of an object-like macro */
	const char *call;         /* of more than a name or a call, "(unsigned)_IO('T', 5)": the call in it;
				     else NULL */
	const char *const *names; /* if its kind is wanted: macros that its text may name outside of calls */
	size_t name_count;
	unsigned parameter_count;
	struct macro_purpose purpose;
};

enum macro_verdict {
	MACRO_UNKNOWN,  /* no rule of this file names it, whatever its text */
	MACRO_REJECTED, /* its text does not match the rules for its name */
	MACRO_WANTED,
};

/* Return: 0; ERR_FORMAT for a value pattern that is not a regular expression. */
int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena,
		    struct err *err);
void macro_rules_free(struct macro_rules *rules); /* takes NULL */

/*
 * macro_rules_enter - the names to come are defined in @file of @unit; both outlive @rules, and are known by
 * their addresses.
 */
void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit);
/* macro_rules_want_functions - may a function-like macro be wanted in that file? */
bool macro_rules_want_functions(const struct macro_rules *rules);

/* macro_rules_apply - all about @define, in @arena; only if it is wanted. */
enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules,
				     const struct define *define, struct arena *arena);

/* --- closure.c --------------------------------------------------------------- */

/* Where the tree seems to be when clang looks: below a file, so that no such path can exist on any disk. */
#define CLOSURE_ROOT "/dev/null/tree/"

/* A header that clang cannot read, of a unit that continues without it. */
struct closure_unreadable {
	const char *header;
	const char *place; /* of the first error */
	const char *text;
};

/* Where gcc takes the headers in another way than clang. */
struct closure_difference {
	const char *place, *text;
};

/* An object-like #define, and the result of the rules for it. */
struct hint {
	size_t start,
		end; /* offsets: the name, and after the last token; @end is 0 if the scan cannot tell */
	enum macro_verdict verdict;
	const struct macro_definition *definition; /* if it is wanted */
};

/* A pragma that changes how records are laid out. */
enum pragma_kind {
	PRAGMA_PUSH,
	PRAGMA_POP,
	PRAGMA_SET,      /* #pragma pack(1), #pragma pack() */
	PRAGMA_ODD_PACK, /* of a form that not all compilers know */
	PRAGMA_OF_ONE,   /* that only gcc or only clang knows */
};

struct pragma_hint {
	size_t start, end; /* offsets: its first word, and after the last one */
	enum pragma_kind kind;
};

struct hints {
	struct view *includes; /* the text between quotes or angles */
	size_t include_count;
	struct hint *defines; /* in the order of the text */
	size_t define_count;
	size_t *questions; /* offsets at which "__has_include" or "__has_embed" is, wherever that is */
	size_t question_count;
	struct pragma_hint *pragmas; /* those of pack in the order of the text */
	size_t pragma_count;
	bool pops;                   /* "pop_macro" is somewhere in the text */
	bool mentions_ms_struct;
};

struct closure_file {
	const char *path;  /* in the tree; CLOSURE_ROOT is before it in the same string */
	const char *real;  /* the path after all links; files are compared by it, since clang has many names
			      for one file */
	size_t inode;      /* order of the first file with the same @real: to clang they are one */
	const char *text;  /* NUL-terminated at text[size]; NULL if there is no such file */
	size_t size;
	const struct hints *hints; /* NULL: it was not scanned yet */
	size_t order;      /* index in closure->files */
	bool included;     /* clang read it; set by unit_parse() */
	bool is_stand_in;  /* the tree has none: the text is the profile's */
	bool is_expected;  /* a stand-in for a file that the driver never has */
	const char *through; /* of closure->headers, the one that included it first; itself, if it is one;
				NULL: the prologue; set by unit_parse() */
};

struct closure {
	struct tree *tree;
	const struct profile_unit *unit;
	struct arena *arena;
	const struct profile_strings *roots; /* of the profile */
	const char *target;                  /* "x86_64-linux-gnu" */
	const char **dirs;                   /* the unit's include directories for it, normalised */
	size_t dir_count;
	const char **headers;                /* matches of the unit's globs, in order, each once */
	size_t header_count;
	size_t lines_each;                   /* of the main file, for each header */
	struct closure_unreadable *unreadable; /* headers that were left out; as many as there were headers
						  may be here */
	size_t unreadable_count;
	struct closure_file **files;         /* in the order in which they were found */
	size_t file_count, file_capacity;
	size_t scanned;                      /* of these files, so many were scanned for hints */
	struct closure_file *by_path;        /* uthash; also holds paths that do not exist */
	struct closure_difference *differences; /* of the last parse */
	size_t difference_count, difference_capacity;
	bool inside_roots; /* every path that was searched, found or not, lies below roots */
	struct macro_rules *rules;           /* the hints about macros */
};

/**
 * closure_load - find and read the files that the headers may include
 * @closure: tree, unit, arena, roots and rules are set, all else is zero
 *
 * Return: 0; ERR_NOT_FOUND if a header glob matches nothing; the error of the tree. closure_release() is
 * required in any case.
 */
int closure_load(struct closure *closure, struct err *err);
void closure_release(struct closure *closure);

/**
 * closure_include - add the files that an include of @spelled in the file @includer may name
 * @includer: a path in the tree; NULL: a file that is not the tree's
 *
 * Every directory that clang could look in is tried, whatever the order: clang chooses. Files that are new
 * are scanned in turn. Return: 0; the error of the tree.
 */
int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err);

/* closure_differs - note a difference. Strings are in the closure's arena. */
void closure_differs(struct closure *closure, const char *place, const char *text);

/*
 * closure_find - the file that clang names @path, "/dev/null/tree/a/../b.h"; NULL if it is not in the closure
 *
 * For several paths to one file, the first.
 */
struct closure_file *closure_find(const struct closure *closure, const char *path);

/* closure_name - clang's name of the file. */
static inline const char *closure_name(const struct closure_file *file)
{
	return file->path - (sizeof(CLOSURE_ROOT) - 1);
}

/* --- macro_values.c ---------------------------------------------------------- */

struct macro_values;

/* One macro of one unit that profile_want_constants() requests. */
struct extra_macro {
	const char *name;
	const char *text; /* its body */
	bool is_integer;
};

/* Why gcc may take a macro in another way than clang. If there are several, the first. */
enum macro_doubt {
	MACRO_NO_DOUBT,
	MACRO_SHIFTS, /* by as many bits as the type has, or more */
	MACRO_LITERAL, /* a decimal one without suffix that no 64-bit signed type holds */
	MACRO_COMMA, /* operator, of which clang makes a constant, and gcc does not */
};

/*
 * How the value of a macro is requested. If a name has several definitions, the one that needs the form
 * furthest down this list decides.
 */
enum form {
	FORM_NONE,    /* not at all: its text is empty */
	FORM_PLAIN,   /* as one of many */
	FORM_GUARDED, /* alone */
	FORM_SUSPECT, /* alone, after those: it does not look like a number */
	FORM_CALL,    /* with arguments, after those */
	FORM_BROKEN,  /* alone, after all others: its brackets do not match, and may swallow text */
};

/* One name, and clang's answer to it. */
struct question {
	const char *name;
	enum form form;
	bool is_dropped;  /* it made the parser lose its way, and is not asked again */
	bool has_kind;    /* how it is made is asked as well */
	unsigned parameter_count; /* FORM_CALL */
	const char *call; /* of struct macro_definition: the question is about this text, not the name */
	/* All that follows is of one parse. */
	const struct macro_definition *definition; /* the last one; NULL if no rule wants it */
	const struct closure_file *file;          /* where that is */
	unsigned line;
	struct abi_number value;
	uint64_t width_bytes;
	size_t group;     /* FORM_PLAIN: which enum */
	bool is_answered; /* there is a value */
	bool is_marked;   /* the mark after the question was found */
	bool is_changing; /* on the next line it is another number: it uses __LINE__ or __COUNTER__ */
	bool has_failed;  /* there was an error on its lines */
	enum macro_doubt doubt;
	bool is_defined;  /* there is a definition in the record */
	bool differs;     /* there are several, and the rules of the profile treat them differently */
	bool is_redefined; /* there are several wanted ones of other texts */
	enum form seen;   /* the last form that a definition in the record needs */
	uint64_t varying; /* FORM_CALL: bits of the value that its arguments change */
	bool is_ioc;      /* one of <linux/ioctl.h>'s macros makes it */
	bool is_its_call; /* @call has the same value: the text around it changes nothing */
	bool is_maker;    /* FORM_CALL: its argument is the type or the nr, so it only makes ioctls */
	struct question *same; /* none of them makes it, but its text names this one, which is an ioctl of the
				  same value */
	bool is_used;     /* another one has it as @same */
	CXType pointed, sized, written; /* facts about the type in the number; invalid: nothing */
	const char *argument, *params; /* as of struct macro */
	UT_hash_handle hh;
};

struct macro_values {
	struct arena *arena;
	struct macro_rules *rules;
	const struct closure *closure;   /* of the unit */
	size_t hinted;                   /* how many of its files have given their hints */
	const struct closure_file *file; /* the last one in the record */
	size_t next;                     /* its hint that is likely to be next: the record is in the order of
					    the text */
	const struct hint *hint;         /* of the definition that macro_values_skips() was asked about, or
					    NULL */
	struct question *by_name;        /* uthash */
	struct question **questions;     /* of the unit; sorted by name when the section is written */
	size_t question_count, question_capacity;
	size_t *lines;                   /* of the section */
	size_t line_count, line_capacity;
	bool *groups;                    /* was the end of the enum found? */
	size_t group_count, group_capacity;
	size_t added;                    /* questions that the last section did not have */
	struct macro *macros;            /* of all units */
	size_t macro_count, macro_capacity;
	struct extra_macro *extra; /* of all units */
	size_t extra_count, extra_capacity;
};

/* A definition in clang's record. */
struct macro_record {
	const char *name; /* as clang spells it */
	const struct closure_file *file; /* NULL: in no file of the tree */
	size_t start, end; /* offsets in the file's text: the name, and after the last token */
	unsigned line; /* 0 of a function-like one: that is in its hint */
	bool is_function_like;
	const char *body; /* its tokens, if the name is not written as clang spells it; NULL:
			     read the text */
};

/*
 * macro_values_section - the questions, as C text
 *
 * It declares enumerators whose names begin with MACRO_PREFIX: "value" and a number for the
 * answer of that question, and others that only this file knows of.
 */
#define MACRO_PREFIX "drvabi_macro_"

/* Which question a line of the section belongs to. */
#define NO_QUESTION SIZE_MAX

/* macro_values_new - @rules and @arena outlive it */
struct macro_values *macro_values_new(struct macro_rules *rules, struct arena *arena);
void macro_values_free(struct macro_values *values); /* takes NULL */

/* macro_values_begin - a unit; @closure is loaded, may grow, and outlives the unit */
void macro_values_begin(struct macro_values *values, const struct closure *closure);

void macro_values_section(struct macro_values *values, struct strbuf *out);

/*
 * macro_values_skips - is it known that no rule names the macro at @start in @file?
 *
 * Cheap: called for each definition of the record. macro_values_definition() is required if it is false.
 */
bool macro_values_skips(struct macro_values *values, const struct closure_file *file, size_t start);
void macro_values_definition(struct macro_values *values, const struct macro_record *record);

/* macro_values_failed - clang found an error on a line of the section, counted from 0. */
void macro_values_failed(struct macro_values *values, size_t line);
/* macro_values_doubt - clang warned of one. */
void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt);
/* macro_values_answer - clang declared @enumerator, which begins with MACRO_PREFIX. */
void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value);
/* macro_values_answer_type - the same of a variable. */
void macro_values_answer_type(struct macro_values *values, const char *variable, CXType type);

/*
 * macro_values_incomplete - has the unit to be parsed again?
 * @give_up: do not ask again for macros that confused the parser, nor for those that were lost by that,
 *           each of which gets a warning: for a unit that was parsed often enough
 *
 * Return: if true, all answers and definitions are dropped.
 */
bool macro_values_incomplete(struct macro_values *values, bool give_up);

/*
 * macro_values_drop_riskiest - clang found an error that names no line, so a question may be at fault
 *
 * The macros that look least like numbers are not asked for any more: each gets a warning in the end.
 * Return: false if no question is left.
 */
bool macro_values_drop_riskiest(struct macro_values *values);

/*
 * macro_values_restart - drops the results of one parse, because there will be another one for other reasons.
 */
void macro_values_restart(struct macro_values *values);

/* macro_values_finish - the unit was parsed: constants and warnings go to @builder. */
void macro_values_finish(struct macro_values *values, struct abi_builder *builder);

/*
 * macro_values_warn - after all units: about requested names besides those of the profile that are not
 * integers in any of them.
 */
void macro_values_warn(struct macro_values *values, struct abi_builder *builder);

/* macro_values_index - everything that the profile requests, from all units; in the arena. */
void macro_values_index(struct macro_index *out, struct macro_values *values);

struct question *question_find(const struct macro_values *values, const char *name);

/* question_is_evaluated - is it an integer, and the same at any place? */
bool question_is_evaluated(const struct question *question);

/* question_is_ioctl - do _IO() and its like make it, be it not itself but one that its text names? */
bool question_is_ioctl(const struct question *question);

/* question_lines - the next @count lines of the section belong to @question, by its number. */
void question_lines(struct macro_values *values, size_t question, unsigned count);

/* --- unit.c ------------------------------------------------------------------ */

/* The name of the main file, which is ours. */
#define UNIT_MAIN "/dev/null/main.c"

struct unit {
	CXIndex index;
	CXTranslationUnit tu;
	CXCursor *declarations; /* of the top level, in their order, except for those that our questions make
				 */
	size_t count, capacity;
};

/**
 * unit_parse - parse, and let @macros have its answers
 * @out: to be released with unit_release(), also on failure; starts as { 0 }
 * @closure: loaded; it grows, and its files are marked that clang read
 *
 * Return: 0; ERR_PARSE if a header does not parse, or an include is missing; ERR_LIMIT; ERR_FORMAT, ERR_IO
 * as of clang_files_write(); the error of the tree.
 */
int unit_parse(struct unit *out, struct closure *closure, struct macro_values *macros, const char *target,
	       struct err *err);
void unit_release(struct unit *unit);

/* --- decl.c ------------------------------------------------------------------ */

struct decl_member;

/* A field of a record. */
struct decl_member {
	const char *name; /* "" for an unnamed record or union */
	struct shape *shape;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
};

/* A definition; for an opaque type, its declaration. */
struct decl {
	CXCursor cursor;
	CXType type;
	CXType named_type; /* the same, aligned as @name names it */
	const char *name; /* the tag, or the typedef that C uses instead, as decl.c has it; NULL if there is
			     neither */
	const char *source; /* "path:line:column"; "<stddef.h>" in one of clang's own headers */
	bool is_complete;
	bool is_union;
	bool in_own_header; /* it is in one of clang's own headers, or in none at all */
	bool is_built_in; /* it is in no file: the type of __builtin_va_list, for example */
	bool is_used; /* the document has it */
	uint64_t weight; /* fields that libclang visits to check this one; 0 if not known yet */
	unsigned depth; /* records in records; known if weight is */
	/* Filled by decl_members(). */
	bool has_members;
	struct decl_member *members;
	size_t member_count;
	/* Filled by decl_enumerators(). */
	bool has_enumerators;
	struct abi_enumerator *enumerators;
	size_t enumerator_count;
};

/* The questions in one translation unit. */
struct decls {
	struct arena *arena;
	struct abi_builder *builder; /* of the document: names of other units, and warnings */
	bool is_cxx;
	long long reference_bytes; /* in a record; of C++ */
	bool mentions_ms_struct; /* some header does, maybe in the text of a macro */
	bool has_pragmas; /* some header has one that packs */
	/*
	 * The name of a file in @arena, or NULL if it is not one of the caller's; called once in a row for
	 * one file.
	 */
	const char *(*file_name)(void *data, const char *clang_name);
	void *data;
	/* Private from here; zero at the start. */
	uint64_t work; /* done so far; see decl_members() */
	CXFile last_file;
	const char *last_file_name;
	bool last_file_is_own;
	struct decl_node *decl_nodes;
	struct typedef_node *typedef_nodes;
	/* Of type_text.c, and freed by type_text_release(). */
	bool is_too_deep; /* some type could not be spelled */
	struct root_node *root_nodes;
	struct text_node *text_nodes;
	struct shape_node *shape_nodes;
};

void decls_release(struct decls *decls);

/*
 * decls_note_typedefs - records the typedefs among these, before any declaration is resolved: a tag may
 * have the name of one and be another type
 */
void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count);

/* decl_typedef_name - the name of a typedef: its own, unless another unit has given it to another type */
const char *decl_typedef_name(struct decls *decls, CXType type);

/*
 * decl_of_type, decl_of_cursor - the declaration of a record or enum; the same pointer for the same thing.
 */
struct decl *decl_of_type(struct decls *decls, CXType type);
struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor);

void decl_enumerators(struct decls *decls, struct decl *decl);

/* decl_file - the path of a cursor's file; NULL in one of clang's own headers, and in none at all. */
const char *decl_file(struct decls *decls, CXCursor cursor);

/* decl_location - "path:line:column" of a cursor, and whether that is in one of clang's own headers. */
const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header);
/*
 * decl_has_tag - has the record or enum a tag? For "typedef struct { } T" libclang 19 reports that the
 * struct is called T. A declaration with a tag is located at the tag, and one without a tag at its beginning.
 */
bool decl_has_tag(CXCursor cursor);

/*
 * decl_members - fill members
 *
 * Return: 0; ERR_LAYOUT naming a field that has no offset or size; ERR_LIMIT
 * for a record that would cost libclang minutes.
 */
int decl_members(struct decls *decls, struct decl *decl, struct err *err);

/* differences_of_forward - of a declaration that defines nothing, of a type that is defined. */
void differences_of_forward(struct decls *decls, CXCursor cursor);

void differences_of_typedef(struct decls *decls, CXCursor cursor);

/* --- type_text.c ------------------------------------------------------------- */

/* A type, spelled without struct, union and enum. */
struct type_text {
	CXType type;
	const char *text; /* as written; NAME_HOLE is where the name of @unnamed belongs */
	struct decl *unnamed; /* a record or enum without any name in the type; NULL if there is none */
};

/* A type without its outermost dimensions. */
struct shape {
	CXType type; /* as declared */
	CXType base; /* of one element */
	const struct type_text *spelling; /* of base */
	const char *const *types; /* of base, and what it is a typedef of, down to a type that is not a typedef; NULL at the
				     end */
	const char *dimensions; /* "[4][2]", "[]", "[0]" or "" */
	long long size_bytes; /* of the whole; negative: enum CXTypeLayoutError */
	bool is_added; /* the walk has added the base to the document */
};

const struct type_text *type_text_of(struct decls *decls, CXType type);
/*
 * type_text_array - an array of the type that @base spells: "int[4]"
 *
 * For a pointer to an array the dimensions are inside the declarator, as in C: "int (*[4])[3]". "int
 * (*)[3][4]" is a pointer to a larger array. Return: in @arena; @base itself if there are no @dimensions.
 */
const char *type_text_array(const char *base, const char *dimensions, struct arena *arena);
/* type_text_named - the text, with @name for unnamed types. */
const char *type_text_named(const struct type_text *spelling, const char *name, struct arena *arena);
/* shape_of - through a typedef of an array, but only the outermost one, as gVisor's tool has it. */
struct shape *shape_of(struct decls *decls, CXType type);

/*
 * type_text_check - Return: 0; ERR_LIMIT if some type nested too deep to be spelled; @cursor is the last
 * visited one.
 */
int type_text_check(struct decls *decls, CXCursor cursor, struct err *err);

/* type_text_release - frees the remembered types of @decls. */
void type_text_release(struct decls *decls);

/* type_root - for a typedef of typedefs, the one that is directly of another type. */
CXType type_root(struct decls *decls, CXType type);

/* --- profile.c --------------------------------------------------------------- */

struct roles {
	const struct profile *profile; /* NULL: no roles */
	struct arena *arena;
	/* Private from here; zero at the start. */
	struct role_node *nodes;
	const char *record; /* the last one asked about */
	bool is_special; /* a rule is for this record: its fields are not remembered */
};

/* roles_of - profile_role_of(). @record must stay the same string from field to field. */
enum abi_role roles_of(struct roles *roles, const char *record, const char *name, const char *const *types);
void roles_release(struct roles *roles);

/* --- walk.c ------------------------------------------------------------------ */

struct walk {
	struct abi_builder *builder;
	struct decls decls; /* its arena is that of the document */
	struct roles *roles; /* NULL if there are none */
	const struct profile *profile; /* which enumerators are constants; NULL: none */
	const struct profile_strings *context; /* the unit's; NULL if there is none */
	bool writes_enum; /* an alias that is an enum with a tag is "enum TAG" */
	/* Private from here; zero at the start. */
	struct walk_name *names; /* the names that the document has already */
	struct walk_record *records; /* the names to be added */
	size_t record_count, record_capacity;
	struct decl **enums; /* unnamed; named in the end if nothing used them */
	size_t enum_count, enum_capacity;
};

void walk_release(struct walk *walk);

/* walk_declarations - all that a unit declares at its top level. Return: 0; what decl_members() returned. */
int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count, struct err *err);

/**
 * walk_argument - the type of an ioctl's argument, and the types that it uses
 * @spelled: as a document spells it: "x", "x[2]", "x *"
 * @params: the record that it is, or consists of, or points to; else the spelled type, if that is not an
 * array;
 *          NULL: none
 *
 * Both are set on success. Return: 0; what decl_members() returned.
 */
int walk_argument(struct walk *walk, const char **spelled, const char **params, CXType type, struct err *err);

/**
 * walk_type - one named type, and the types that it uses
 * @cursor: a typedef, or the definition of a record or enum
 *
 * Return: 0; what decl_members() returned.
 */
int walk_type(struct walk *walk, CXCursor cursor, struct err *err);

/* --- macro_kinds.c ----------------------------------------------------------- */

/**
 * kinds_read - how all macros of a unit are made
 * @walk: has walked over the unit's declarations; the declarations that the types need are added to a
 * document
 *
 * Return: 0; what walk_argument() returns.
 */
int kinds_read(struct macro_values *values, struct walk *walk, struct err *err);

/*
 * kinds_ask_calls - the questions of FORM_CALL; kinds_ask: how macros are made, the last lines of the section
 * (macro_kinds.c).
 */
void kinds_ask_calls(struct macro_values *values, struct strbuf *out);
void kinds_ask(struct macro_values *values, struct strbuf *out);
/* kinds_answer - @question has a variable of this type; @word: "kind", "maker", "type" or "sized" */
void kinds_answer(struct question *question, const char *word, CXType variable);

/* choices_warn - if @question is not an ioctl, although its text has one or names one, there is a warning. */
void choices_warn(const struct macro_values *values, const struct question *question,
		  struct abi_builder *builder);

/* --- tables.c ---------------------------------------------------------------- */

/* A file that is being read, and where warnings about it go. */
struct table_file {
	const char *path;
	const char *text; /* NUL-terminated at text[size] */
	size_t size;
	struct abi_builder *builder;
	struct arena *arena;
};

/* The sources of a family, and the document that it is added to. */
struct family_context {
	struct abi_builder *builder;
	struct tree *tree;
	const struct profile_family *family;
	const char *name; /* the family's, in the arena: a document outlives the profile */
	const struct macro_index *macros;
	struct arena *arena;
};

/* The files that some globs match, read one after the other in their order. */
struct table_files {
	const struct family_context *context;
	const char **paths;
	size_t count, next;
	struct table_file file; /* the last one that was read; its text is there until the next is read */
};

struct statements {
	const struct table_file *file;
	const char *start; /* of the blanked text */
	const char *at;
	const char *end;
	unsigned line;         /* that *at is on, from 1 */
	unsigned include_line; /* of the last #include before *at; 0: there is none */
	struct conditions conditions;
	bool is_silent; /* no warning of an #endif without an #if: another reading of the text gives it */
};

/*
 * table_files_find - @out is to be released, also on failure. Return: 0, also if there is none; the error
 * of the tree.
 */
int table_files_find(struct table_files *out, const struct family_context *context,
		     const struct profile_strings *globs, struct err *err);

/* table_files_next - Return: false if there are no more, or if *@rc is, or becomes, an error of the tree. */
bool table_files_next(struct table_files *files, int *rc, struct err *err);
void table_files_release(struct table_files *files);

/* table_file_read - one file; tree_forget() is due. Return: 0; the error of the tree. */
int table_file_read(struct table_file *out, const struct family_context *context, const char *path,
		    struct arena *arena, struct err *err);

/* table_file_warn - "path:line" and a finished sentence; line 0: the whole file. */
void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* table_file_source - "path:line", in the file's arena. */
const char *table_file_source(const struct table_file *file, unsigned line);

/* table_file_blank - the text without comments and the insides of literals; in the file's arena. */
const char *table_file_blank(const struct table_file *file);

/* table_cut_record - "struct T" or "T", as view_cut_name() cuts a T. */
bool table_cut_record(struct view *name, struct view *text);

/* table_is_command_switch - does @rest, the text after "switch", begin with "(... cmd)"? */
bool table_is_command_switch(struct view rest);

/* statements_init - the blanked text is in the arena of the file. */
void statements_init(struct statements *out, const struct table_file *file);

/* statements_skip - white space and preprocessor lines. Return: false at the end of the text. */
bool statements_skip(struct statements *stream);

/* statements_rest - all that follows. */
struct view statements_rest(const struct statements *stream);

/* statements_is_at - skip; is @ch the next character? */
bool statements_is_at(struct statements *stream, char ch);

/* statements_cut_name - as view_cut_name(), without the text after the name. */
bool statements_cut_name(struct view *name, struct statements *stream);

/* statements_next_name - the next identifier, whatever is before it; false at the end of the text. */
bool statements_next_name(struct view *name, struct statements *stream);

/* statements_cut - skip, and move past @ch if it is the next character. */
bool statements_cut(struct statements *stream, char ch);

/**
 * statements_cut_group - from an opening bracket to after the one that closes it
 * @inside: the text between the two, as far as it goes; may be NULL
 *
 * Return: false, at the end of the text, if it is not closed, or by a bracket of another kind.
 */
bool statements_cut_group(struct view *inside, struct statements *stream);

/**
 * statements_cut_arguments - from after "(" to after its ")"
 * @argument: the texts between commas, the first @max of them
 * @count: of all arguments
 *
 * Return: false if the text ends, or there is a directive inside.
 */
bool statements_cut_arguments(struct view *argument, size_t max, size_t *count, struct statements *stream);

/*
 * statements_skip_statement - to after ";" or a block, or before a "}" that closes the block around it
 *
 * Return: false if the text ends first.
 */
bool statements_skip_statement(struct statements *stream);

/* statements_branch - the branch of the #ifs around the next character. */
enum branch statements_branch(const struct statements *stream);

/* --- flags.c ----------------------------------------------------------------- */

struct flag_word {
	const char *macro; /* "RMCTRL_FLAGS_PRIVILEGED" */
	const char *word;  /* "privileged" */
	uint64_t bits;     /* several for a macro that uses others */
	const char *value; /* as written; NULL once bits is known */
	const char *source; /* "path:line" */
};

struct flag_words {
	const struct profile_words *rule;
	struct flag_word *items; /* in the order of the headers; freed by flag_words_release() */
	size_t count;
	size_t capacity;            /* 0: others own the items */
	uint64_t unless_bits; /* any of these: no fallback */
	const char *fallback; /* a word, or NULL */
};

/* A set of words that grows. { 0 } is empty. */
struct word_set {
	const char **items;
	size_t count;
	size_t capacity;
};

struct embedded_commands {
	uint64_t *items; /* sorted and unique after embedded_sort(); freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/**
 * flag_words_read - the words that @rule names, from the headers of @tree
 * @bit_numbers: the macros' values are numbers of bits, not masks
 * @out: all zero; on failure still to be released
 *
 * Return: 0, also when no header is there (then each bit becomes "bit-0x…" and there is a warning); the
 * error of the tree.
 */
int flag_words_read(struct flag_words *out, const struct family_context *context,
		    const struct profile_words *rule, bool bit_numbers, struct err *err);
void flag_words_release(struct flag_words *words);

/* flag_words_add_bits - the word of every bit of @bits, the fallback if it applies. */
void flag_words_add_bits(struct word_set *out, const struct flag_words *words, uint64_t bits,
			    struct arena *arena);

/**
 * flag_words_add_macro - the word of a macro, or the words of those that it uses
 *
 * Return: false if the headers do not define it; its own name gives the word then.
 */
bool flag_words_add_macro(struct word_set *out, const struct flag_words *words, struct view macro,
			     struct arena *arena);

/* flag_word_of - DEEP_SLEEP as "deep-sleep". */
const char *flag_word_of(struct view name, struct arena *arena);

void word_set_add(struct word_set *set, const char *word);
/* word_set_seal - sorted, unique, in @arena; NULL if empty. @set is empty afterwards. */
const char *const *word_set_seal(size_t *count, struct word_set *set, struct arena *arena);

/* word_set_join - "a,b" in @arena; NULL if empty. @set is empty afterwards. */
const char *word_set_join(struct word_set *set, struct arena *arena);

/* embedded_scan - append the commands of one file; a label without a value is a warning. */
void embedded_scan(struct embedded_commands *out, const struct table_file *file,
		   const struct macro_index *macros);

void embedded_sort(struct embedded_commands *commands);
/* embedded_has - of sorted commands. */
bool embedded_has(const struct embedded_commands *commands, uint64_t number);

/* --- ioctls.c ---------------------------------------------------------------- */

/* A macro or an enumerator that is an ioctl. */
struct ioctl_candidate {
	const char *name;
	const char *body; /* of the macro, with its comments; "" of an enumerator */
	const char *source;
	struct abi_number value;
	const struct macro *macro; /* NULL of an enumerator */
};

/* family_add_ioctl - add one, and a warning if its parameters are not declared anywhere. */
void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl);

/* family_warn_no_table - the warning for a family of which nothing was found in that many files. */
void family_warn_no_table(const struct family_context *context, size_t files);

/**
 * params_of_macro - the record that the family's rules give the ioctl of @macro
 * @out: NULL if none of them names a record or alias that exists
 *
 * Return: 0; ERR_FORMAT for a rule whose regular expression is malformed.
 */
int params_of_macro(const char **out, const struct family_context *context, const struct macro *macro,
		    struct err *err);

/* enumerators_add - those of @one that profile->constants requests. Their names must outlive @builder. */
void enumerators_add(struct abi_builder *builder, const struct profile *profile, const struct abi_enum *one);

/**
 * encoding_number - the number of @member, 32 bits of it where the family's numbers are encoded
 *
 * "2 << 30" is negative in C: then the bits count. Return: false if it is not the number of an ioctl, after
 * a warning.
 */
bool encoding_number(uint64_t *out, const struct family_context *context,
		     const struct ioctl_candidate *member);

/* encoding_wants - is @number of one of the family's types, or says the family nothing of types? */
bool encoding_wants(const struct profile_family *family, uint64_t number);

/**
 * encoding_set - the encoding of @ioctl, if its family's numbers are encoded; a warning if its record has
 * another size
 * @ioctl: number and params are set; params that are NULL become the type that the macro was given
 */
void encoding_set(struct abi_ioctl *ioctl, const struct family_context *context,
		  const struct ioctl_candidate *member);

/* --- routes.c ---------------------------------------------------------------- */

struct dispatch_label {
	const char *name;   /* of the macro */
	const char *source; /* "path:line" */
	bool conditional;   /* it is under an #if */
	bool is_used;       /* an ioctl of the family has its number */
};

/* A file that was read: its text without comments and literals. */
struct dispatch_text {
	const char *path;
	struct view text;
};

struct dispatch_texts {
	struct dispatch_text *item; /* freed with free() */
	size_t count, capacity;
};

struct dispatch {
	struct dispatch_label *labels; /* in the order of the files; freed by dispatch_release() */
	size_t label_count;
	size_t label_capacity;
	size_t switch_count; /* over a command; one may be empty */
	struct dispatch_texts texts;
	bool is_known; /* nothing was met that is not understood. Set it before the first file */
};

struct route {
	const char *ioctl;
	const char *record; /* or NULL */
	const char *source; /* "path:line" of the call */
	struct word_set flags;
	bool is_used;       /* routes_find() was called for it */
};

/* { 0 }: nothing is known. */
struct routes {
	struct route *items; /* sorted by ioctl, unique, after routes_read() */
	bool is_known; /* which ioctls have a route: each glob of the profile has one */
	struct dispatch_texts texts;
	size_t count;
	size_t capacity;
};

/*
 * dispatch_scan - appends the ioctls that one file dispatches; strings are in the file's arena. @macros:
 * globs
 */
void dispatch_scan(struct dispatch *out, const struct table_file *file, const struct profile_strings *macros);
void dispatch_release(struct dispatch *dispatch);

/*
 * dispatch_mention - "path:line" of the first mention of @name in any file, in @arena; NULL if there is none.
 */
const char *dispatch_mention(const struct dispatch_texts *texts, const char *name, struct arena *arena);

/**
 * routes_read - the facts in the sources that the family's routes name
 * @out: { 0 }; to be released, also on failure
 *
 * Empty, with a warning, if there is no such file, or no call in it.
 * Return: 0; the error of the tree.
 */
int routes_read(struct routes *out, const struct family_context *context, struct err *err);
void routes_release(struct routes *routes);

/* routes_scan - append the calls of one file. */
void routes_scan(struct routes *out, const struct table_file *file, const struct profile_routes *rules);

/* routes_find - the entry of an ioctl, which counts as used; NULL if the driver does not answer it. */
struct route *routes_find(struct routes *routes, const char *ioctl);

/* routes_warn_unused - about entries that do not name an ioctl of the family. */
void routes_warn_unused(const struct routes *routes, const struct family_context *context);

/* --- methods.c --------------------------------------------------------------- */

/* A number, and the macro that names it. */
struct command_name {
	uint64_t number;
	const char *params; /* or NULL */
	const char *func;   /* the method's name */
	const struct macro *macro; /* out: the best that fits, or NULL */
	unsigned score;            /* out: how well; private */
};

struct nvoc_method {
	uint64_t id;        /* the command */
	uint64_t flags;     /* RMCTRL_FLAGS_* */
	uint64_t access;    /* one bit for each RS_ACCESS_* */
	const char *params; /* the T of sizeof(T); NULL if the size is 0 */
	const char *func;   /* the method's name */
	bool conditional;   /* it is under an #if that the tables usually do not have */
	const char *source; /* "path:line" of its opening brace */
};

struct nvoc_methods {
	struct nvoc_method *items; /* in the order of the files; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* methods_add_family - a PROFILE_FROM_NVOC family. Return: 0, or the error of the tree. */
int methods_add_family(const struct family_context *context, struct err *err);

/**
 * command_names_find - fill in the macros
 * @names: sorted by number, each number once
 * @family: its match and except say which macros may name a number
 */
void command_names_find(struct command_name *names, size_t count, const struct profile_family *family,
			const struct macro_index *macros);

/* nvoc_scan - append the methods of one file; strings are in the file's arena. */
void nvoc_scan(struct nvoc_methods *out, const struct table_file *file);

/* --- classes.c --------------------------------------------------------------- */

struct rs_entry {
	const char *name;            /* macro of the class: "NV01_ROOT" */
	const char *params;          /* T of RS_REQUIRED(T) or RS_OPTIONAL(T); NULL for RS_NONE */
	bool required;
	bool conditional;            /* it is under an #if */
	struct view flags;   /* "RS_FLAGS_A | RS_FLAGS_B" as written, comments blanked; in the arena */
	struct view access;  /* "RS_ACCESS_NONE" */
	unsigned line;
};

struct rs_entries {
	struct rs_entry *items; /* in the order of the file; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/* classes_add_family - a PROFILE_FROM_RS_ENTRY family. Return: the same. */
int classes_add_family(const struct family_context *context, struct err *err);

/* rs_entry_scan - append the entries of one file; strings are in the file's arena. */
void rs_entry_scan(struct rs_entries *out, const struct table_file *file);

/* --- deprecated.c ------------------------------------------------------------ */

struct deprecated_command {
	const char *macro;        /* "NV2080_CTRL_CMD_BIOS_GET_INFO" */
	const char *const *flags; /* words of the members that are NV_TRUE, in their order */
	size_t flag_count;
	struct view body; /* of its function; empty if the file does not define it */
	bool conditional;         /* it is under an #if */
	const char *source;       /* "path:line" */
};

struct deprecated_commands {
	struct deprecated_command *items; /* in the order of the table; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

struct deprecated_ioctl {
	struct abi_ioctl ioctl; /* as the document has it if no method has its number */
	size_t row;             /* in the order of the tables: the driver uses the first of a number */
	bool has_method;        /* for the caller */
};

struct deprecated_ioctls {
	struct deprecated_ioctl *items; /* by number, each once; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/*
 * deprecated_scan - append the commands of one file; strings are in the file's arena. @table: the array's
 * name
 */
void deprecated_scan(struct deprecated_commands *out, const struct table_file *file, const char *table);

/* deprecated_names - does the function of @command name @record? */
bool deprecated_names(const struct deprecated_command *command, const char *record);

/**
 * deprecated_ioctls_read - the commands of the family's table
 *
 * Return: 0, also where the profile names no table; ERR_FORMAT for a rule whose regular
 * expression is malformed; the error of the tree.
 */
int deprecated_ioctls_read(struct deprecated_ioctls *out, const struct family_context *context,
			   struct err *err);

/* deprecated_ioctls_find - by number, or NULL. */
struct deprecated_ioctl *deprecated_ioctls_find(const struct deprecated_ioctls *list, uint64_t number);

#endif
