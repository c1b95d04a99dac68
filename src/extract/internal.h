/*
 * extract/internal.h - what the files that read headers, macros and tables share. Only this directory uses
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

/* cxstring_dup - copy @string to @arena and dispose of it. Return: the copy; "" if it is empty. */
static inline const char *cxstring_dup(CXString string, struct arena *arena)
{
	const char *text = clang_getCString(string);
	const char *copy = text && *text ? arena_strdup(arena, text) : "";

	clang_disposeString(string);
	return copy;
}

/*
 * cxstring_copy - copy @string to @buffer and dispose of it. Return: false, with @buffer untouched, if it
 * does not fit.
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

/*
 * type_plain - return @type without the nodes for elaborated and attributed types, which only show how it was
 * written.
 */
CXType type_plain(CXType type);
/* type_underlying - return the type that the typedef @type is declared as. */
CXType type_underlying(CXType type);
bool type_is_array(CXType type);
bool type_is_unsigned(CXType type);
bool type_is_reference(CXType type);
/* enumerator_value - return the value of an enumerator of the enum @declared. */
struct abi_number enumerator_value(CXCursor enumerator, CXCursor declared);

struct clang_files {
	char path[32];       /* path of the overlay file, for -ivfsoverlay */
	int file; /* descriptor of the overlay file */
	int *inodes;         /* descriptors of empty files, whose inodes the closure's files have */
	size_t inode_count, inode_capacity;
};

/**
 * clang_files_write - make @files name the main file and all files of @closure
 * @files: { .file = -1 } before the first call; may be written again after the closure has grown
 *
 * Return: 0; ERR_LIMIT if there are more files than the process may open; ERR_FORMAT if a path is not UTF-8,
 * which an overlay cannot name; ERR_IO. clang_files_release() must be called in any case.
 */
int clang_files_write(struct clang_files *files, const struct closure *closure, struct err *err);
void clang_files_release(struct clang_files *files);

/* own_headers_have - is @name, clang's name of a file, in the directory of clang's own headers? */
bool own_headers_have(const char *name);

/*
 * own_stdint - return a <stdint.h> that replaces clang's own, with the same types as in gcc. The types come
 * from the macros __INT..._TYPE__.
 */
struct CXUnsavedFile own_stdint(struct arena *arena);

/* --- libclang.c -------------------------------------------------------------- */

/*
 * libclang_load - load libclang, unless it is loaded. It is never unloaded. Return: 0; ERR_IO with the
 * loader's message.
 */
int libclang_load(struct err *err);

/*
 * libclang_identity - return the name, size and time of libclang's file, without loading it, in @arena.
 * Return: NULL if the file is not where it was at build time.
 */
const char *libclang_identity(struct arena *arena);

/* --- macro_text.c ------------------------------------------------------------ */

/* What the text of a macro looks like. */
enum macro_shape {
	MACRO_NO_NUMBER, /* empty, a string, a bit range like 7:0, a list, a statement, a declaration, a
			    fraction */
	MACRO_LITERALS, /* only numbers and operators, which cannot confuse a parser */
	MACRO_NAMES, /* an expression with names, which may be defined as anything */
};

enum macro_shape macro_shape_of(const char *text);

/* macro_is_balanced - does each bracket outside of literals have a match? */
bool macro_is_balanced(const char *text);

/*
 * macro_literal - get the value of a body that is one integer literal, maybe in parentheses. Return: false if
 * it is not.
 */
bool macro_literal(uint64_t *out, const char *text);

/* macro_has_comma - does @text have a comma operator, a comma that is not in the brackets of a call? */
bool macro_has_comma(const char *text);

/* macro_is_call - is the whole text NAME(…), maybe in parentheses? */
bool macro_is_call(const char *text);

/* macro_is_name - is the whole text one name, maybe in parentheses? */
bool macro_is_name(const char *text);

/* macro_first_call - find the first NAME(…) in @text, except sizeof(). Return: false if there is none. */
bool macro_first_call(struct view *out, const char *text);

/*
 * macro_next_name - find the next name at or after *@at that may be an object-like macro and is outside of
 * calls and sizeof()
 *
 * *@at is moved to after the name. Return: false, with *@at unchanged, if there is no such name.
 */
bool macro_next_name(struct view *out, const char **at);

/* --- macro_rules.c ----------------------------------------------------------- */

struct macro_rules;

/* Which rules want a macro. */
struct macro_purpose {
	bool constant; /* a rule of profile->constants wants it */
	bool family;   /* a family of ioctls wants it */
	bool number;   /* the macro is a member of a family, so it must have a value */
	bool kind; /* a family needs to know which _IO() macro makes it (macro_kinds.c) */
	bool extra; /* profile_want_constants() requests it, and no rule of profile->constants does */
};

/* One #define of a wanted name. */
struct macro_definition {
	const char *name;
	const char *text;  /* the body without comments */
	const char *shown; /* the body with comments */
	unsigned line;
	const char *parameters;   /* "ev,len"; NULL if the macro is object-like */
	const char *call;         /* the call inside a text that is more than a name or a call,
				     "(unsigned)_IO('T', 5)"; else NULL */
	const char *const *names; /* if purpose.kind is set: names in the text outside of calls, which may be
				     macros */
	size_t name_count;
	unsigned parameter_count;
	struct macro_purpose purpose;
};

enum macro_verdict {
	MACRO_UNKNOWN,  /* no rule for this file matches its name, whatever its text */
	MACRO_REJECTED, /* rules match its name, but not its text */
	MACRO_WANTED,
};

/* Return: 0; ERR_FORMAT if a value pattern is not a regular expression. */
int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena,
		    struct err *err);
void macro_rules_free(struct macro_rules *rules); /* takes NULL */

/*
 * macro_rules_enter - prepare for names that are defined in @file of @unit. Both strings must outlive @rules
 * and are compared by address.
 */
void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit);
/* macro_rules_want_functions - can a rule want a function-like macro in the current file? */
bool macro_rules_want_functions(const struct macro_rules *rules);

/* macro_rules_apply - apply the rules to @define. @out is set, in @arena, only if it is wanted. */
enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules,
				     const struct define *define, struct arena *arena);

/* --- closure.c --------------------------------------------------------------- */

/* Where clang sees the tree: inside a path that is not a directory, so it cannot exist on any disk. */
#define CLOSURE_ROOT "/dev/null/tree/"

/* A header that clang cannot read, and that its unit leaves out. */
struct closure_unreadable {
	const char *header;
	const char *place; /* "path:line:column" of the first error */
	const char *text;
};

/* A place where gcc treats the headers differently than clang. */
struct closure_difference {
	const char *place, *text;
};

/* A #define that the scan found, and the result of the rules for it. */
struct hint {
	size_t start,
		end; /* offsets of the name and of the end of the last token; @end is 0 if the scan does not
			know it */
	enum macro_verdict verdict;
	const struct macro_definition *definition; /* NULL unless it is wanted */
};

/* A pragma that changes how records are laid out. */
enum pragma_kind {
	PRAGMA_PUSH,
	PRAGMA_POP,
	PRAGMA_SET,      /* #pragma pack(1), #pragma pack() */
	PRAGMA_ODD_PACK, /* a #pragma pack that gcc may read differently */
	PRAGMA_OF_ONE,   /* only gcc or only clang knows it */
};

struct pragma_hint {
	size_t start, end; /* offsets of its first word and of the end of its last one */
	enum pragma_kind kind;
};

struct hints {
	struct view *includes; /* the text between quotes or angles */
	size_t include_count;
	struct hint *defines; /* in the order of the text */
	size_t define_count;
	size_t *questions; /* offsets of every "__has_include" and "__has_embed" in the text */
	size_t question_count;
	struct pragma_hint *pragmas; /* pragmas about pack are in the order of the text */
	size_t pragma_count;
	bool pops;                   /* the text has "pop_macro" */
	bool mentions_ms_struct;
};

struct closure_file {
	const char *path;  /* path in the tree; the same string has CLOSURE_ROOT before it */
	const char *real;  /* the path after resolving links; files are compared by it, because clang has
			      several names for a file */
	size_t inode;      /* `order` of the first file with the same @real; clang takes them for one file */
	const char *text;  /* NUL-terminated at text[size]; NULL if there is no such file */
	size_t size;
	const struct hints *hints; /* NULL until the file is scanned */
	size_t order;      /* index in closure->files */
	bool included;     /* clang read it; set by unit_parse() */
	bool is_stand_in;  /* the tree does not have the file; the text comes from the profile */
	bool is_expected;  /* a stand-in for a file that the driver never has */
	const char *through; /* the item of closure->headers through which it was first included, which may be
				the file itself; NULL if the prologue included it; set by unit_parse() */
};

struct closure {
	struct tree *tree;
	const struct profile_unit *unit;
	struct arena *arena;
	const struct profile_strings *roots; /* the roots of the profile */
	const char *target;                  /* "x86_64-linux-gnu" */
	const char **dirs;                   /* the unit's include directories for the target, normalised */
	size_t dir_count;
	const char **headers;                /* matches of the unit's globs, in order, each header once */
	size_t header_count;
	size_t lines_each;                   /* lines of the main file for each header */
	struct closure_unreadable *unreadable; /* headers that were left out; has room for all headers */
	size_t unreadable_count;
	struct closure_file **files;         /* in the order in which they were found */
	size_t file_count, file_capacity;
	size_t scanned;                      /* how many of these files were scanned for hints */
	struct closure_file *by_path;        /* uthash; also holds paths that do not exist */
	struct closure_difference *differences; /* found by the last parse */
	size_t difference_count, difference_capacity;
	bool inside_roots; /* every path that was looked up, found or not, is inside the roots */
	struct macro_rules *rules;           /* the rules for hints about macros */
};

/**
 * closure_load - find and read the files that the headers may include
 * @closure: tree, unit, arena, roots, target and rules are set; everything else is zero
 *
 * Return: 0; ERR_NOT_FOUND if a header glob matches nothing; the error of the tree. closure_release() is
 * required in any case.
 */
int closure_load(struct closure *closure, struct err *err);
void closure_release(struct closure *closure);

/**
 * closure_include - add the files to which #include @spelled in @includer may refer
 * @includer: a path in the tree; NULL if the file is not in the tree
 *
 * Looks in every directory in which clang could look; clang then chooses. New files are scanned too. Return:
 * 0; the error of the tree.
 */
int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err);

/* closure_differs - note a difference. The strings must be static or in the closure's arena. */
void closure_differs(struct closure *closure, const char *place, const char *text);

/*
 * closure_find - find a file by clang's name, "/dev/null/tree/a/../b.h"; NULL if it is not in the closure
 *
 * If several paths lead to the same file, the first one in the list is returned.
 */
struct closure_file *closure_find(const struct closure *closure, const char *path);

/* closure_name - return clang's name of the file. */
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

/*
 * Why a macro may have a different value in gcc than in clang. If there are several reasons, the first
 * counts.
 */
enum macro_doubt {
	MACRO_NO_DOUBT,
	MACRO_SHIFTS, /* a shift by at least as many bits as the type has */
	MACRO_LITERAL, /* a decimal literal without suffix that does not fit in a signed 64-bit type */
	MACRO_COMMA, /* a comma operator, which is a constant to clang but not to gcc */
};

/*
 * How the value of a macro is requested. If a name has several definitions, the last form in this list that
 * one of them needs is used.
 */
enum form {
	FORM_NONE,    /* not requested: its text is empty */
	FORM_PLAIN,   /* a plain number: shares an enum with others */
	FORM_GUARDED, /* in a separate question */
	FORM_SUSPECT, /* in a separate question after those: it does not look like a number */
	FORM_CALL,    /* in a call with arguments, after those */
	FORM_BROKEN,  /* in a separate question after all others: its brackets do not match, so it may swallow
			 the text after it */
};

/* One name whose value is requested, and clang's answer. */
struct question {
	const char *name;
	enum form form;
	bool is_dropped;  /* the question confused the parser and is not written again */
	bool has_kind;    /* the section must show which _IO() macro makes it */
	unsigned parameter_count; /* FORM_CALL */
	const char *call; /* as in struct macro_definition; if it is set, macro_kinds.c uses this text instead
			     of the name */
	/* The members from here on are results of one parse. */
	const struct macro_definition *definition; /* the last definition; NULL if no rule wants it */
	const struct closure_file *file;          /* where the last definition is */
	unsigned line;
	struct abi_number value;
	uint64_t width_bytes;
	size_t group;     /* FORM_PLAIN: index of its enum */
	bool is_answered; /* it has a value */
	bool is_marked;   /* the mark after the question was found */
	bool is_changing; /* its value is different on the next line, because it uses __LINE__ or
			     __COUNTER__ */
	bool has_failed;  /* clang reported an error on its lines */
	enum macro_doubt doubt;
	bool is_defined;  /* the record has a definition */
	bool differs; /* the record has several definitions, and the profile's rules treat them differently */
	bool is_redefined; /* the record has several wanted definitions with different texts */
	enum form seen;   /* the riskiest form that a definition in the record needs */
	uint64_t varying; /* FORM_CALL: the bits of the value that its arguments change */
	bool is_ioc;      /* one of <linux/ioctl.h>'s macros makes it */
	bool is_its_call; /* @call has the same value as the whole text */
	bool is_maker;    /* FORM_CALL: the type or nr is an argument, so the macro only makes ioctls */
	struct question *same; /* if no _IO() macro makes it: an ioctl with the same value that its text
				  names; else NULL */
	bool is_used;     /* it is @same of another question */
	CXType pointed, sized, written; /* what the definitions of macro_kinds.c show of the type in the
					   number; invalid if nothing */
	const char *argument, *params; /* as in struct macro */
	UT_hash_handle hh;
};

struct macro_values {
	struct arena *arena;
	struct macro_rules *rules;
	const struct closure *closure;   /* of the unit */
	size_t hinted;                   /* how many of the closure's files have been searched for hints */
	const struct closure_file *file; /* the file of the last definition in the record */
	size_t next;                     /* index of the hint in that file that is probably next, because the
					    record is in the order of the text */
	const struct hint *hint; /* the hint for the definition last given to macro_values_skips(), or NULL */
	struct question *by_name;        /* uthash */
	struct question **questions;     /* the questions of the unit; sorted by name when the section is
					    written */
	size_t question_count, question_capacity;
	size_t *lines; /* index of the question for each line of the section */
	size_t line_count, line_capacity;
	bool *groups;                    /* for each enum of FORM_PLAIN: was its end found? */
	size_t group_count, group_capacity;
	size_t added;                    /* number of questions that the last section did not have */
	struct macro *macros; /* the macros of all units */
	size_t macro_count, macro_capacity;
	struct extra_macro *extra; /* the extra macros of all units */
	size_t extra_count, extra_capacity;
};

/* A definition in clang's record. */
struct macro_record {
	const char *name; /* as clang spells it */
	const struct closure_file *file; /* NULL if it is not in a file of the tree */
	size_t start, end; /* offsets in the file's text, of the name and of the end of the last token */
	unsigned line; /* 0 for a function-like macro, whose hint has the line */
	bool is_function_like;
	const char *body; /* the tokens of the body if the name is not written as clang spells it; NULL if the
			     text can be read */
};

/*
 * macro_values_section - append the questions to @out, as C text
 *
 * The text declares enumerators whose names begin with MACRO_PREFIX. "value" and a number follow for the
 * answer to the question with that number. Other words are private to macro_values.c and macro_kinds.c.
 */
#define MACRO_PREFIX "drvabi_macro_"

/* In `lines`: the line does not belong to a question. */
#define NO_QUESTION SIZE_MAX

/* macro_values_new - @rules and @arena must outlive the result. */
struct macro_values *macro_values_new(struct macro_rules *rules, struct arena *arena);
void macro_values_free(struct macro_values *values); /* takes NULL */

/* macro_values_begin - begin a unit. @closure is loaded, may grow, and must outlive the unit. */
void macro_values_begin(struct macro_values *values, const struct closure *closure);

void macro_values_section(struct macro_values *values, struct strbuf *out);

/*
 * macro_values_skips - is it known that no rule matches the name of the macro at @start in @file?
 *
 * Fast, because it is called for each definition in the record. If it returns false,
 * macro_values_definition() must be called.
 */
bool macro_values_skips(struct macro_values *values, const struct closure_file *file, size_t start);
void macro_values_definition(struct macro_values *values, const struct macro_record *record);

/* macro_values_failed - take note of an error on @line of the section, counted from 0. */
void macro_values_failed(struct macro_values *values, size_t line);
/* macro_values_doubt - take note of a warning on @line of the section, counted from 0. */
void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt);
/* macro_values_answer - take the value of @enumerator, whose name begins with MACRO_PREFIX. */
void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value);
/* macro_values_answer_type - take the type of @variable, whose name begins with MACRO_PREFIX. */
void macro_values_answer_type(struct macro_values *values, const char *variable, CXType type);

/*
 * macro_values_incomplete - must the unit be parsed again?
 * @give_up: drop all macros that confused the parser or were lost because of that, with a warning for each;
 * for a unit that was parsed too often
 *
 * If it returns true, all answers and definitions are dropped.
 */
bool macro_values_incomplete(struct macro_values *values, bool give_up);

/*
 * macro_values_drop_riskiest - handle an error without a line, which a question may have caused
 *
 * The questions for the macros that look least like numbers are dropped. Each gets a warning in the end.
 * Return: false if no question is left.
 */
bool macro_values_drop_riskiest(struct macro_values *values);

/*
 * macro_values_restart - drop the results of a parse, because the unit is parsed again for a different
 * reason.
 */
void macro_values_restart(struct macro_values *values);

/* macro_values_finish - add the constants and warnings of the parsed unit to @builder. */
void macro_values_finish(struct macro_values *values, struct abi_builder *builder);

/* macro_values_warn - after all units, warn of extra macros that are not an integer in any unit. */
void macro_values_warn(struct macro_values *values, struct abi_builder *builder);

/*
 * macro_values_index - make the index of the macros that the profile requests, from all units; in the arena.
 */
void macro_values_index(struct macro_index *out, struct macro_values *values);

struct question *question_find(const struct macro_values *values, const char *name);

/* question_is_evaluated - is it an integer of at most 64 bits with the same value everywhere? */
bool question_is_evaluated(const struct question *question);

/* question_is_ioctl - does an _IO() macro make it, or an ioctl with the same value that its text names? */
bool question_is_ioctl(const struct question *question);

/* question_lines - note that the next @count lines of the section belong to question number @question. */
void question_lines(struct macro_values *values, size_t question, unsigned count);

/* --- unit.c ------------------------------------------------------------------ */

/* The name of the main file, which unit.c writes. */
#define UNIT_MAIN "/dev/null/main.c"

struct unit {
	CXIndex index;
	CXTranslationUnit tu;
	CXCursor *declarations; /* top-level declarations, in their order, without those of our questions */
	size_t count, capacity;
};

/**
 * unit_parse - parse a unit, and pass clang's answers to @macros
 * @out: { 0 }; must be released with unit_release(), also on failure
 * @closure: loaded; may grow, and the files that clang read are marked as included
 *
 * Return: 0; ERR_PARSE if a header does not parse, or an include is missing; ERR_LIMIT if too many parses
 * would be needed; the errors of clang_files_write(); the error of the tree.
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

/* A record or enum: its definition, or its declaration if it is opaque. */
struct decl {
	CXCursor cursor;
	CXType type;
	CXType named_type; /* the same type with the alignment of the typedef that gives @name */
	const char *name; /* the tag, or else the name of its typedef; NULL if it has neither; decl.c may
			     rename it */
	const char *source; /* "path:line:column"; "<stddef.h>" in one of clang's own headers */
	bool is_complete;
	bool is_union;
	bool in_own_header; /* it is in one of clang's own headers, or in no file */
	bool is_built_in; /* it is in no file, like the type of __builtin_va_list */
	bool is_used; /* the document has it */
	uint64_t weight; /* number of fields that libclang visits for one query of a field; 0 if it is not
			    known yet */
	unsigned depth; /* nesting of records inside it; known if weight is */
	/* Filled by decl_members(). */
	bool has_members;
	struct decl_member *members;
	size_t member_count;
	/* Filled by decl_enumerators(). */
	bool has_enumerators;
	struct abi_enumerator *enumerators;
	size_t enumerator_count;
};

/* The state of reading the declarations of one translation unit. */
struct decls {
	struct arena *arena;
	struct abi_builder *builder; /* the document's; for names that earlier units use, and for warnings */
	bool is_cxx;
	long long reference_bytes; /* size of a C++ reference in a record */
	bool mentions_ms_struct; /* some header has "ms_struct", maybe in the text of a macro */
	bool has_pragmas; /* some header has a layout pragma */
	/*
	 * Returns the name of a file, in @arena; NULL if it is not one of the caller's files. Not called
	 * again while declarations are in the same file.
	 */
	const char *(*file_name)(void *data, const char *clang_name);
	void *data;
	/* The members from here on are private, and zero at the start. */
	uint64_t work; /* fields visited so far; see decl_members() */
	CXFile last_file;
	const char *last_file_name;
	bool last_file_is_own;
	struct decl_node *decl_nodes;
	struct typedef_node *typedef_nodes;
	/* Used by type_text.c, and freed by type_text_release(). */
	bool is_too_deep; /* some type was nested too deep to be spelled */
	struct root_node *root_nodes;
	struct text_node *text_nodes;
	struct shape_node *shape_nodes;
};

void decls_release(struct decls *decls);

/*
 * decls_note_typedefs - record the typedefs among @cursors, before any declaration is resolved. A typedef may
 * have the name of a tag and be a different type.
 */
void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count);

/*
 * decl_typedef_name - return the name of a typedef; a different one if an earlier unit has that name for a
 * different type
 */
const char *decl_typedef_name(struct decls *decls, CXType type);

/*
 * decl_of_type, decl_of_cursor - return the declaration of a record or enum; always the same pointer for the
 * same one.
 */
struct decl *decl_of_type(struct decls *decls, CXType type);
struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor);

void decl_enumerators(struct decls *decls, struct decl *decl);

/* decl_file - return the path of a cursor's file; NULL if it is in clang's own headers or in no file. */
const char *decl_file(struct decls *decls, CXCursor cursor);

/*
 * decl_location - return "path:line:column" of a cursor. @in_own_header: is it in clang's own headers, or in
 * no file?
 */
const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header);
/*
 * decl_has_tag - does the record or enum have a tag? For "typedef struct { } T", libclang 19 reports that the
 * struct is called T. So the location is used: it is the tag if there is one, and otherwise the start of the
 * declaration.
 */
bool decl_has_tag(CXCursor cursor);

/*
 * decl_members - fill the members of @decl
 *
 * Return: 0; ERR_LAYOUT if a field has no offset or size; ERR_LIMIT if the record would take libclang
 * minutes.
 */
int decl_members(struct decls *decls, struct decl *decl, struct err *err);

/* differences_of_forward - warn of a forward declaration with attributes that gcc ignores. */
void differences_of_forward(struct decls *decls, CXCursor cursor);

void differences_of_typedef(struct decls *decls, CXCursor cursor);

/* --- type_text.c ------------------------------------------------------------- */

/* The spelling of a type, without struct, union and enum. */
struct type_text {
	CXType type;
	const char *text; /* as written in the header; NAME_HOLE is in the place of the name of @unnamed */
	struct decl *unnamed; /* a record or enum without a name that the type contains; NULL if there is
				 none */
};

/* A type, split into its base type and the outermost dimensions. */
struct shape {
	CXType type; /* as declared */
	CXType base; /* the type of one element */
	const struct type_text *spelling; /* the spelling of base */
	const char *const *types; /* spellings of base and of each type that it is a typedef of, ending with
				     NULL */
	const char *dimensions; /* "[4][2]", "[]", "[0]" or "" */
	long long size_bytes; /* size of the whole type; a negative number is an enum CXTypeLayoutError */
	bool is_added; /* walk.c has added the base type to the document */
};

const struct type_text *type_text_of(struct decls *decls, CXType type);
/*
 * type_text_array - spell an array of the type @base: "int[4]"
 *
 * If @base is a pointer to an array, the dimensions are put inside the declarator, as in C: "int (*[4])[3]",
 * because "int (*)[3][4]" is a pointer to a larger array. Return: the text in @arena; @base itself if
 * @dimensions is "".
 */
const char *type_text_array(const char *base, const char *dimensions, struct arena *arena);
/* type_text_named - return the text, with @name in the place of NAME_HOLE. */
const char *type_text_named(const struct type_text *spelling, const char *name, struct arena *arena);
/*
 * shape_of - split a type. A typedef of an array is split too, but only the outermost one, as in gVisor's
 * tool.
 */
struct shape *shape_of(struct decls *decls, CXType type);

/*
 * type_text_check - Return: 0; ERR_LIMIT if some type was nested too deep to be spelled. The error names the
 * place of @cursor, the last one visited.
 */
int type_text_check(struct decls *decls, CXCursor cursor, struct err *err);

/* type_text_release - free the remembered types of @decls. */
void type_text_release(struct decls *decls);

/* type_root - return the last typedef in a chain of typedefs. */
CXType type_root(struct decls *decls, CXType type);

/* --- profile.c --------------------------------------------------------------- */

struct roles {
	const struct profile *profile; /* NULL if fields get no roles */
	struct arena *arena;
	/* The members from here on are private, and zero at the start. */
	struct role_node *nodes;
	const char *record; /* the record of the last call of roles_of() */
	bool is_special; /* a rule names this record, so the roles of its fields are not remembered */
};

/*
 * roles_of - as profile_role_of(), but faster. @record must be the same pointer for all fields of a record.
 */
enum abi_role roles_of(struct roles *roles, const char *record, const char *name, const char *const *types);
void roles_release(struct roles *roles);

/* --- walk.c ------------------------------------------------------------------ */

struct walk {
	struct abi_builder *builder;
	struct decls decls; /* its arena is the document's */
	struct roles *roles; /* NULL if there are none */
	const struct profile *profile; /* decides which enumerators become constants; NULL if none do */
	const struct profile_strings *context; /* the unit's context headers, or NULL */
	bool writes_enum; /* write an alias of an enum with a tag as "enum TAG" */
	/* The members from here on are private, and zero at the start. */
	struct walk_name *names; /* the names that were added already */
	struct walk_record *records; /* the records that wait to be added */
	size_t record_count, record_capacity;
	struct decl **enums; /* unnamed enums; added in the end if nothing used them */
	size_t enum_count, enum_capacity;
};

void walk_release(struct walk *walk);

/*
 * walk_declarations - add everything that a unit declares. Return: 0; the error of decl_members() or
 * type_text_check().
 */
int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count, struct err *err);

/**
 * walk_argument - add the type of an ioctl's argument, and the types that it uses
 * @spelled: the type as a document spells it: "x", "x[2]", "x *"
 * @params: the record that the type is, points to, or has as its elements; otherwise the spelled type if it
 * is not an array; NULL if there is none
 *
 * Both are set on success. Return: 0; the error of decl_members().
 */
int walk_argument(struct walk *walk, const char **spelled, const char **params, CXType type, struct err *err);

/**
 * walk_type - add one named type, and the types that it uses
 * @cursor: a typedef, or the definition of a record or enum
 *
 * Return: 0; the error of decl_members() or type_text_check().
 */
int walk_type(struct walk *walk, CXCursor cursor, struct err *err);

/* --- macro_kinds.c ----------------------------------------------------------- */

/**
 * kinds_read - find out which macros of a unit are ioctls, from the answers
 * @walk: has added the unit's declarations; adds the types in the ioctls' numbers too
 *
 * Return: 0; the error of walk_argument().
 */
int kinds_read(struct macro_values *values, struct walk *walk, struct err *err);

/*
 * kinds_ask_calls - append the questions of FORM_CALL. kinds_ask - append the last part of the section, whose
 * answers show how macros are made.
 */
void kinds_ask_calls(struct macro_values *values, struct strbuf *out);
void kinds_ask(struct macro_values *values, struct strbuf *out);
/* kinds_answer - take the type of a variable for @question. @word: "kind", "maker", "type" or "sized" */
void kinds_answer(struct question *question, const char *word, CXType variable);

/* choices_warn - warn if @question is not an ioctl although its text contains or names one. */
void choices_warn(const struct macro_values *values, const struct question *question,
		  struct abi_builder *builder);

/* --- tables.c ---------------------------------------------------------------- */

/* A file that is being read, and the builder that gets warnings about it. */
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
	const char *name; /* the family's name, in the arena, because a document outlives the profile */
	const struct macro_index *macros;
	struct arena *arena;
};

/* The files that some globs match. They are read in order, one at a time. */
struct table_files {
	const struct family_context *context;
	const char **paths;
	size_t count, next;
	struct table_file file; /* the last file that was read; its text is valid until the next one is
				   read */
};

struct statements {
	const struct table_file *file;
	const char *start; /* start of the blanked text */
	const char *at;
	const char *end;
	unsigned line;         /* the line of *at, from 1 */
	unsigned include_line; /* the line of the last #include before *at, or 0 */
	struct conditions conditions;
	bool is_silent; /* do not warn of an #endif without an #if, because a different scan of the text
			   does */
};

/*
 * table_files_find - find the files that @globs match. @out must be released, also on failure. Return: 0,
 * also if no file matches; the error of the tree.
 */
int table_files_find(struct table_files *out, const struct family_context *context,
		     const struct profile_strings *globs, struct err *err);

/*
 * table_files_next - read the next file. Return: false if there is none, or if *@rc is, or becomes, an error.
 */
bool table_files_next(struct table_files *files, int *rc, struct err *err);
void table_files_release(struct table_files *files);

/*
 * table_file_read - read one file; tree_forget() must be called afterwards. Return: 0; the error of the tree.
 */
int table_file_read(struct table_file *out, const struct family_context *context, const char *path,
		    struct arena *arena, struct err *err);

/* table_file_warn - add a warning, a finished sentence, at "path:line"; at the whole file if @line is 0. */
void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* table_file_source - return "path:line", in the file's arena. */
const char *table_file_source(const struct table_file *file, unsigned line);

/*
 * table_file_blank - return the text with blanks for comments and the insides of literals; in the file's
 * arena.
 */
const char *table_file_blank(const struct table_file *file);

/* table_cut_record - cut "struct T", "union T" or "T" from @text, as view_cut_name(); @name is T. */
bool table_cut_record(struct view *name, struct view *text);

/* table_is_command_switch - does @rest, the text after "switch", begin with "(... cmd)"? */
bool table_is_command_switch(struct view rest);

/* statements_init - begin to read a file. The blanked text is in the arena of the file. */
void statements_init(struct statements *out, const struct table_file *file);

/* statements_skip - skip white space and preprocessor lines. Return: false at the end of the text. */
bool statements_skip(struct statements *stream);

/* statements_rest - return the rest of the text. */
struct view statements_rest(const struct statements *stream);

/* statements_is_at - skip white space. Return: is @ch the next character? */
bool statements_is_at(struct statements *stream, char ch);

/* statements_cut_name - skip white space, and cut a name. Return: false if no name is there. */
bool statements_cut_name(struct view *name, struct statements *stream);

/*
 * statements_next_name - cut the next identifier, whatever is before it. Return: false at the end of the
 * text.
 */
bool statements_next_name(struct view *name, struct statements *stream);

/* statements_cut - skip white space, and cut @ch. Return: false if it is not the next character. */
bool statements_cut(struct statements *stream, char ch);

/**
 * statements_cut_group - cut from an opening bracket to after its closing bracket
 * @inside: the text between the two; may be NULL
 *
 * Return: false, at the end of the text, if the bracket is not closed or a bracket of a different kind closes
 * it.
 */
bool statements_cut_group(struct view *inside, struct statements *stream);

/**
 * statements_cut_arguments - cut arguments from after "(" to after its ")"
 * @argument: the first @max texts between commas
 * @count: number of all arguments
 *
 * Return: false if the text ends first, or a directive is inside.
 */
bool statements_cut_arguments(struct view *argument, size_t max, size_t *count, struct statements *stream);

/*
 * statements_skip_statement - skip to after ";" or a block, or to the "}" that closes the enclosing block
 *
 * Return: false if the text ends first.
 */
bool statements_skip_statement(struct statements *stream);

/* statements_branch - return the branch of the #ifs around the next character. */
enum branch statements_branch(const struct statements *stream);

/* --- flags.c ----------------------------------------------------------------- */

struct flag_word {
	const char *macro; /* "RMCTRL_FLAGS_PRIVILEGED" */
	const char *word;  /* "privileged" */
	uint64_t bits;     /* several bits if the macro combines others */
	const char *value; /* the value as written; NULL once bits is known */
	const char *source; /* "path:line" */
};

struct flag_words {
	const struct profile_words *rule;
	struct flag_word *items; /* in the order of the headers; freed by flag_words_release() */
	size_t count;
	size_t capacity;            /* 0 if the items are not owned by this struct */
	uint64_t unless_bits; /* if any of these bits is set, the fallback does not apply */
	const char *fallback; /* the word to add if it applies, or NULL */
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
 * flag_words_read - read the words of @rule from the headers of the tree
 * @bit_numbers: the macros' values are bit numbers, not masks
 * @out: all zero; must be released, also on failure
 *
 * Return: 0, also if no header defines words (there is a warning, and each bit becomes "bit-0x…"); the error
 * of the tree.
 */
int flag_words_read(struct flag_words *out, const struct family_context *context,
		    const struct profile_words *rule, bool bit_numbers, struct err *err);
void flag_words_release(struct flag_words *words);

/* flag_words_add_bits - add the word of every bit of @bits, and the fallback if it applies. */
void flag_words_add_bits(struct word_set *out, const struct flag_words *words, uint64_t bits,
			    struct arena *arena);

/**
 * flag_words_add_macro - add the word of a macro, or the words of its bits if it has several
 *
 * Return: false if the headers do not define it; in that case the word is made from its name.
 */
bool flag_words_add_macro(struct word_set *out, const struct flag_words *words, struct view macro,
			     struct arena *arena);

/* flag_word_of - return "deep-sleep" for DEEP_SLEEP. */
const char *flag_word_of(struct view name, struct arena *arena);

void word_set_add(struct word_set *set, const char *word);
/*
 * word_set_seal - return the words, sorted and unique, in @arena; NULL if @set is empty. @set is empty
 * afterwards.
 */
const char *const *word_set_seal(size_t *count, struct word_set *set, struct arena *arena);

/* word_set_join - return the words as "a,b" in @arena; NULL if @set is empty. @set is empty afterwards. */
const char *word_set_join(struct word_set *set, struct arena *arena);

/* embedded_scan - append the commands of one file. A label whose value is unknown gets a warning. */
void embedded_scan(struct embedded_commands *out, const struct table_file *file,
		   const struct macro_index *macros);

void embedded_sort(struct embedded_commands *commands);
/* embedded_has - does @commands, which is sorted, contain @number? */
bool embedded_has(const struct embedded_commands *commands, uint64_t number);

/* --- ioctls.c ---------------------------------------------------------------- */

/* A macro or an enumerator that may be an ioctl. */
struct ioctl_candidate {
	const char *name;
	const char *body; /* the body of the macro, with comments; "" for an enumerator */
	const char *source;
	struct abi_number value;
	const struct macro *macro; /* NULL for an enumerator */
};

/* family_add_ioctl - add an ioctl, and a warning if no header declares its parameters. */
void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl);

/* family_warn_no_table - warn that no ioctl of the family was found in @files files. */
void family_warn_no_table(const struct family_context *context, size_t files);

/**
 * params_of_macro - find the record that the family's rules give to the ioctl @macro
 * @out: NULL if no rule gives an existing record or alias
 *
 * Return: 0; ERR_FORMAT if the regular expression of a rule is malformed.
 */
int params_of_macro(const char **out, const struct family_context *context, const struct macro *macro,
		    struct err *err);

/*
 * enumerators_add - add the enumerators of @one that profile->constants requests. Their names must outlive
 * @builder.
 */
void enumerators_add(struct abi_builder *builder, const struct profile *profile, const struct abi_enum *one);

/**
 * encoding_number - get the ioctl number of @member; its low 32 bits if the family's numbers are encoded
 *
 * "2 << 30" is negative in C, so its bits are used. Return: false, with a warning, if it is not a valid ioctl
 * number.
 */
bool encoding_number(uint64_t *out, const struct family_context *context,
		     const struct ioctl_candidate *member);

/* encoding_wants - does @number have one of the family's types? True if the family has no types. */
bool encoding_wants(const struct profile_family *family, uint64_t number);

/**
 * encoding_set - set the encoding of @ioctl if its family's numbers are encoded; warn if its record has a
 * different size
 * @ioctl: number and params are set; if params is NULL, it becomes the type that the macro was given
 */
void encoding_set(struct abi_ioctl *ioctl, const struct family_context *context,
		  const struct ioctl_candidate *member);

/* --- routes.c ---------------------------------------------------------------- */

struct dispatch_label {
	const char *name; /* name of the ioctl's macro */
	const char *source; /* "path:line" */
	bool conditional;   /* it is under an #if */
	bool is_used;       /* an ioctl of the family has this number */
};

/* A file that was read, and its text with blanks for comments and literals. */
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
	size_t switch_count; /* number of switches over a command; a switch may be empty */
	struct dispatch_texts texts;
	bool is_known; /* all switches were understood; set to true before the first file */
};

struct route {
	const char *ioctl;
	const char *record; /* or NULL */
	const char *source; /* "path:line" of the call */
	struct word_set flags;
	bool is_used;       /* routes_find() has returned it */
};

/* The routes of a family's ioctls. { 0 } is empty. */
struct routes {
	struct route *items; /* sorted by ioctl, unique, after routes_read() */
	bool is_known; /* it is known which ioctls have a route, because each glob of the profile led to
			  one */
	struct dispatch_texts texts;
	size_t count;
	size_t capacity;
};

/*
 * dispatch_scan - append the ioctls that one file dispatches. Strings are in the file's arena. @macros: globs
 * for macros that are labels
 */
void dispatch_scan(struct dispatch *out, const struct table_file *file, const struct profile_strings *macros);
void dispatch_release(struct dispatch *dispatch);

/*
 * dispatch_mention - return "path:line" of the first mention of @name, in @arena; NULL if no file mentions
 * it.
 */
const char *dispatch_mention(const struct dispatch_texts *texts, const char *name, struct arena *arena);

/**
 * routes_read - read the routes from the sources that the family's profile names
 * @out: { 0 }; must be released, also on failure
 *
 * If a file does not exist or has no call, there is a warning.
 * Return: 0; the error of the tree.
 */
int routes_read(struct routes *out, const struct family_context *context, struct err *err);
void routes_release(struct routes *routes);

/* routes_scan - append the calls of one file. */
void routes_scan(struct routes *out, const struct table_file *file, const struct profile_routes *rules);

/* routes_find - return the route of an ioctl and mark it as used; NULL if it has none. */
struct route *routes_find(struct routes *routes, const char *ioctl);

/* routes_warn_unused - warn of routes whose ioctl is not in the family. */
void routes_warn_unused(const struct routes *routes, const struct family_context *context);

/* --- methods.c --------------------------------------------------------------- */

/* The number of a command, and the macro that names it. */
struct command_name {
	uint64_t number;
	const char *params; /* or NULL */
	const char *func;   /* the method's name */
	const struct macro *macro; /* out: the macro that matches best, or NULL */
	unsigned score;            /* private: how well it matches */
};

struct nvoc_method {
	uint64_t id;        /* the command */
	uint64_t flags;     /* RMCTRL_FLAGS_* */
	uint64_t access;    /* one bit for each RS_ACCESS_* */
	const char *params; /* the T of sizeof(T); NULL if the size is 0 */
	const char *func;   /* the method's name */
	bool conditional;   /* it is inside an #if that entries of the tables usually do not have */
	const char *source; /* "path:line" of its opening brace */
};

struct nvoc_methods {
	struct nvoc_method *items; /* in the order of the files; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

/*
 * methods_add_family - add the ioctls of a PROFILE_FROM_NVOC family. Return: 0; the errors of
 * deprecated_ioctls_read().
 */
int methods_add_family(const struct family_context *context, struct err *err);

/**
 * command_names_find - find the macro of each command
 * @names: sorted by number, each number once
 * @family: its match and except decide which macros may name a command
 */
void command_names_find(struct command_name *names, size_t count, const struct profile_family *family,
			const struct macro_index *macros);

/* nvoc_scan - append the methods of one file; strings are in the file's arena. */
void nvoc_scan(struct nvoc_methods *out, const struct table_file *file);

/* --- classes.c --------------------------------------------------------------- */

struct rs_entry {
	const char *name;            /* the macro of the class, "NV01_ROOT" */
	const char *params;          /* T in RS_REQUIRED(T) or RS_OPTIONAL(T); NULL for RS_NONE */
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

/* classes_add_family - add the ioctls of a PROFILE_FROM_RS_ENTRY family. Return: 0; the error of the tree. */
int classes_add_family(const struct family_context *context, struct err *err);

/* rs_entry_scan - append the entries of one file; strings are in the file's arena. */
void rs_entry_scan(struct rs_entries *out, const struct table_file *file);

/* --- deprecated.c ------------------------------------------------------------ */

struct deprecated_command {
	const char *macro;        /* "NV2080_CTRL_CMD_BIOS_GET_INFO" */
	const char *const *flags; /* words for the members that are NV_TRUE, in their order */
	size_t flag_count;
	struct view body; /* the body of its function; empty if the file does not define it */
	bool conditional;         /* it is under an #if */
	const char *source;       /* "path:line" */
};

struct deprecated_commands {
	struct deprecated_command *items; /* in the order of the table; freed by the owner with free() */
	size_t count;
	size_t capacity;
};

struct deprecated_ioctl {
	struct abi_ioctl ioctl; /* the ioctl for the document if no method has its number */
	size_t row; /* index in the order of the tables; the driver uses the first row with a number */
	bool has_method;        /* set by methods.c */
};

struct deprecated_ioctls {
	struct deprecated_ioctl *items; /* sorted by number, each number once; freed by the owner with
					   free() */
	size_t count;
	size_t capacity;
};

/*
 * deprecated_scan - append the commands of one file. Strings are in the file's arena. @table: the name of the
 * array
 */
void deprecated_scan(struct deprecated_commands *out, const struct table_file *file, const char *table);

/* deprecated_names - does the function of @command name @record? */
bool deprecated_names(const struct deprecated_command *command, const char *record);

/**
 * deprecated_ioctls_read - read the commands of the family's table
 *
 * Return: 0, also if the profile names no table; ERR_FORMAT if the regular expression of a rule is malformed;
 * the error of the tree.
 */
int deprecated_ioctls_read(struct deprecated_ioctls *out, const struct family_context *context,
			   struct err *err);

/* deprecated_ioctls_find - find the command with @number, or NULL. */
struct deprecated_ioctl *deprecated_ioctls_find(const struct deprecated_ioctls *list, uint64_t number);

#endif
