/* extract/internal.h - what the files of this directory share. No other directory uses libclang. */
#ifndef EXTRACT_INTERNAL_H
#define EXTRACT_INTERNAL_H

#include "abi/abi.h"
#include "base/base.h"

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/CXString.h>
#include <clang-c/Index.h>
#include <regex.h>
#include <uthash.h>

struct closure;
struct closure_file;
struct walk;

/* --- libclang.c -------------------------------------------------------------- */

/* The functions of libclang that the program calls, without "clang_". libclang.c says why they are listed. */
#define LIBCLANG_CALLS(ROW)                                                                                  \
	ROW(CompilationDatabase_dispose) ROW(CompilationDatabase_fromDirectory)                              \
	ROW(CompilationDatabase_getCompileCommands) ROW(CompileCommand_getArg)                               \
	ROW(CompileCommand_getDirectory) ROW(CompileCommand_getFilename)                                     \
	ROW(CompileCommand_getNumArgs) ROW(CompileCommands_dispose) ROW(CompileCommands_getCommand)          \
	ROW(CompileCommands_getSize) ROW(Cursor_Evaluate) ROW(Cursor_getOffsetOfField)                       \
	ROW(Cursor_getTranslationUnit) ROW(Cursor_isAnonymous) ROW(Cursor_isBitField)                        \
	ROW(Cursor_isMacroFunctionLike) ROW(Cursor_isNull) ROW(EvalResult_dispose)                           \
	ROW(EvalResult_getAsLongLong) ROW(EvalResult_getKind)                                                \
	ROW(Location_isFromMainFile) ROW(Location_isInSystemHeader)                                          \
	ROW(TargetInfo_dispose) ROW(TargetInfo_getPointerWidth) ROW(TargetInfo_getTriple)                    \
	ROW(Type_getAlignOf) ROW(Type_getModifiedType) ROW(Type_getNamedType) ROW(Type_getSizeOf)            \
	ROW(Type_getValueType) ROW(Type_visitFields) ROW(createIndex) ROW(disposeDiagnostic)                 \
	ROW(disposeIndex) ROW(disposeSourceRangeList) ROW(disposeString) ROW(disposeTokens)                  \
	ROW(disposeTranslationUnit) ROW(equalCursors) ROW(equalLocations) ROW(equalTypes)                    \
	ROW(getArgType) ROW(getArrayElementType) ROW(getArraySize) ROW(getCString)                           \
	ROW(getCanonicalType) ROW(getClangVersion) ROW(getCursor) ROW(getCursorDefinition)                   \
	ROW(getCursorExtent) ROW(getCursorLocation) ROW(getCursorSemanticParent)                             \
	ROW(getCursorSpelling) ROW(getCursorType) ROW(getDiagnostic) ROW(getDiagnosticLocation)              \
	ROW(getDiagnosticOption) ROW(getDiagnosticSeverity) ROW(getDiagnosticSpelling)                       \
	ROW(getEnumConstantDeclUnsignedValue) ROW(getEnumConstantDeclValue)                                  \
	ROW(getEnumDeclIntegerType) ROW(getExpansionLocation) ROW(getFieldDeclBitWidth)                      \
	ROW(getFile) ROW(getFileContents) ROW(getFileLocation) ROW(getFileName) ROW(getInclusions)           \
	ROW(getLocationForOffset) ROW(getNullCursor) ROW(getNullLocation) ROW(getNumArgTypes)                \
	ROW(getNumDiagnostics) ROW(getPointeeType) ROW(getRangeEnd) ROW(getRangeStart)                       \
	ROW(getResultType) ROW(getSkippedRanges) ROW(getTokenSpelling)                                       \
	ROW(getTranslationUnitCursor) ROW(getTranslationUnitTargetInfo) ROW(getTypeDeclaration)              \
	ROW(getTypeSpelling) ROW(getTypedefDeclUnderlyingType) ROW(getTypedefName)                           \
	ROW(isConstQualifiedType) ROW(isCursorDefinition) ROW(isFunctionTypeVariadic)                        \
	ROW(isRestrictQualifiedType) ROW(isVolatileQualifiedType) ROW(parseTranslationUnit2)                 \
	ROW(tokenize) ROW(visitChildren)

#define LIBCLANG_POINTER(name) __typeof__(&clang_##name) name;

/* libclang's functions: clang.createIndex() is clang_createIndex(). Set by extract_load(). */
extern struct libclang {
	LIBCLANG_CALLS(LIBCLANG_POINTER)
} clang;

#undef LIBCLANG_POINTER

/* --- clang.c ----------------------------------------------------------------- */

/* cxstring_dup - copy @string to @arena and dispose of it. Return: the copy; "" if it is empty. */
static inline const char *cxstring_dup(CXString string, struct arena *arena)
{
	const char *text = clang.getCString(string);
	const char *copy = text && *text ? arena_strdup(arena, text) : "";

	clang.disposeString(string);
	return copy;
}

/*
 * cxstring_copy - copy @string to @buffer and dispose of it. Return: true; false, with @buffer untouched, if
 * the string does not fit.
 */
static inline bool cxstring_copy(char *buffer, size_t size, CXString string)
{
	const char *text = clang.getCString(string);
	bool fits = view_copy(buffer, size, view_of(text ? text : ""));

	clang.disposeString(string);
	return fits;
}

/*
 * type_plain - return @type without the elaborated and attributed types around it, which only show how the
 * type was written.
 */
CXType type_plain(CXType type);
/* type_underlying - return the type for which the typedef @type is a name. */
CXType type_underlying(CXType type);
bool type_is_array(CXType type);
/* type_is_unsigned - check whether @type is bool or an unsigned integer of at most 64 bits, not an enum. */
bool type_is_unsigned(CXType type);
bool type_is_reference(CXType type);
/* enumerator_value - return the value of an enumerator of the enum @declared. */
struct abi_number enumerator_value(CXCursor enumerator, CXCursor declared);
/* cursor_integer - set @out to the bits of an integer constant. Return: false if the cursor is not one. */
bool cursor_integer(uint64_t *out, CXCursor cursor);

/* The overlay of clang's file system (clang.c). */
struct clang_files {
	char path[32];       /* path of the overlay file, the argument of -ivfsoverlay */
	int file;            /* descriptor of the overlay file */
	int *inodes;         /* descriptors of empty files, whose inodes the files of the closure get */
	size_t inode_count, inode_capacity;
};

/**
 * clang_files_write - write the overlay, with which clang sees only the main file, the files of @closure and
 * clang's own headers
 * @files: { .file = -1 } before the first call. Call again after files were added to the closure.
 *
 * Return: 0; ERR_LIMIT if there are more files than the process may open; ERR_FORMAT if a path is not UTF-8,
 * because an overlay cannot name it; ERR_IO if a file in memory cannot be made, found in /proc, or written.
 * clang_files_release() must be called in all cases.
 */
int clang_files_write(struct clang_files *files, const struct closure *closure, struct err *err);
void clang_files_release(struct clang_files *files);

/* own_headers_have - check whether @name, as clang spells it, is one of clang's own headers */
bool own_headers_have(const char *name);

/*
 * own_stdint - return a <stdint.h> that replaces clang's and has the same types as gcc's. It defines the
 * types by the macros __INT..._TYPE__.
 */
struct CXUnsavedFile own_stdint(struct arena *arena);

/* --- macro_text.c ------------------------------------------------------------ */

/*
 * macro_can_be_number - check whether a body can be an integer expression. It cannot if it is empty, a
 * string, a bit range like 7:0, a list, a statement, a declaration or a fraction.
 */
bool macro_can_be_number(const char *text);

/* macro_is_balanced - check whether all brackets outside of literals match, and at most 512 are nested. */
bool macro_is_balanced(const char *text);

/* macro_is_literal - check whether the body is a single integer literal, possibly in parentheses. */
bool macro_is_literal(const char *text);

/* macro_has_comma - check for a comma operator, invalid in a constant: a comma outside calls, [] and {}. */
bool macro_has_comma(const char *text);

/* macro_without_brackets - return @text without blanks and parentheses that enclose the whole text. */
struct view macro_without_brackets(const char *text);

/* macro_is_call - check whether the whole text is a call NAME(…), possibly in parentheses. */
bool macro_is_call(const char *text);

/* macro_is_name - check whether the whole text is a single name, possibly in parentheses. */
bool macro_is_name(const char *text);

/* macro_first_call - find the first call NAME(…) in @text, except sizeof(). Return: false if none. */
bool macro_first_call(struct view *out, const char *text);

/*
 * macro_next_name - find the next name at or after *@at that can be an object-like macro. Names in calls and
 * in sizeof() are skipped.
 *
 * *@at is set to the position after the name. Return: false, with *@at unchanged, if no such name is found.
 */
bool macro_next_name(struct view *out, const char **at);

/* --- profile.c --------------------------------------------------------------- */

/* strings_append - append a text, unless the list has it. The list's array is in @arena. */
void strings_append(struct profile_strings *list, const char *text, struct arena *arena);

/* --- macro_rules.c ----------------------------------------------------------- */

struct macro_rules;

/* Which rules of the profile request a macro. A rule "wants" the macros that it requests. */
struct macro_purpose {
	bool constant; /* a rule of profile->constants wants the macro */
	bool family;   /* a family of ioctls wants the macro */
	bool number;   /* the macro is an ioctl of a family, so it must have a value */
	bool ask_ioc;  /* a family asks whether an _IO() macro defines the macro (macro_kinds.c) */
	bool extra;    /* only profile_want_constants() requests the macro as a constant */
};

/* One #define of a macro that a rule wants. */
struct macro_definition {
	const char *name;
	const char *text;  /* the body without comments */
	const char *shown; /* the body with comments */
	const char *parameters;   /* "ev,len"; NULL if the macro is object-like */
	const char *call;         /* "_IO('T', 5)" if the text is "(unsigned)_IO('T', 5)"; NULL if the text is
				     only a name or only a call, or has no call */
	struct profile_strings names; /* if purpose.ask_ioc: the names outside of calls that can be macros */
	unsigned parameter_count;
	struct macro_purpose purpose;
};

enum macro_verdict {
	MACRO_UNKNOWN,  /* no rule for this file matches the macro's name */
	MACRO_REJECTED, /* a rule matches the macro's name, but not its text */
	MACRO_WANTED,
};

/*
 * macro_rules_new - prepare the rules of @profile for macros. @out must be freed with macro_rules_free().
 * Return: 0; ERR_FORMAT, with nothing to free, if a value pattern is not a regular expression.
 */
int macro_rules_new(struct macro_rules **out, const struct profile *profile, struct arena *arena,
		    struct err *err);
void macro_rules_free(struct macro_rules *rules); /* takes NULL */

/*
 * macro_rules_enter - select the rules that can match macros of @file in @unit, for macro_rules_apply(). Both
 * strings must outlive @rules, because the next call compares their addresses.
 */
void macro_rules_enter(struct macro_rules *rules, const char *file, const char *unit);
/* macro_rules_want_functions - check whether any rule can want function-like macros of the current file. */
bool macro_rules_want_functions(const struct macro_rules *rules);

/*
 * macro_rules_apply - apply the rules to @define. @out is set only if the result is MACRO_WANTED; its strings
 * are in @arena.
 */
enum macro_verdict macro_rules_apply(struct macro_definition *out, struct macro_rules *rules,
				     const struct define *define, struct arena *arena);

/* --- closure.c --------------------------------------------------------------- */

/*
 * The directory in which clang sees the files of the tree. It does not exist on any disk, because /dev/null
 * is not a directory.
 */
#define CLOSURE_ROOT "/dev/null/tree/"

/* A header that is left out of its unit, because clang cannot parse it. */
struct closure_unreadable {
	const char *header;
	const char *place; /* "path:line:column" of the first error */
	const char *text;
};

/* A place in a header where gcc and clang behave differently. */
struct closure_difference {
	const char *place, *text;
};

/* A #define that the scan of a file found (hints_read()), and the result of macro_rules_apply() for it. */
struct hint {
	size_t start; /* offset of the name */
	bool is_certain; /* clang has the same name and body; else the rules are applied to those of clang */
	enum macro_verdict verdict;
	const struct macro_definition *definition; /* NULL unless a rule wants the macro */
};

/* A pragma that changes how records are laid out. */
enum pragma_kind {
	PRAGMA_PUSH,
	PRAGMA_POP,
	PRAGMA_SET,      /* #pragma pack(1), #pragma pack() */
	PRAGMA_ODD_PACK, /* a #pragma pack that gcc may interpret differently */
	PRAGMA_OF_ONE,   /* a pragma that only one of gcc and clang supports */
};

struct pragma_hint {
	size_t start, end; /* offsets of the first word after "pragma" and of the end of the last word */
	enum pragma_kind kind;
};

/* What the scan of a file found, without evaluating conditions. */
struct hints {
	struct view *includes; /* the text of each #include, between quotes or angle brackets */
	size_t include_count;
	struct hint *defines; /* in the order of the text */
	size_t define_count;
	bool has_questions; /* the text contains "__has_include" or "__has_embed" */
	struct pragma_hint *pragmas; /* in the order of the text */
	size_t pragma_count;
};

/* A path that was looked up, and its file if the tree has one there, or if the profile has a stand-in. */
struct closure_file {
	const char *path;  /* path in the tree, after CLOSURE_ROOT in the same string (closure_name()) */
	const char *real;  /* the path after resolving symbolic links; identifies the file, because clang can
			      have several names for a file; NULL until the path is looked up */
	size_t inode;      /* index in closure->files of the first file with the same `real`; clang considers
			      all files with one inode the same file */
	const char *text;  /* has a NUL at text[size]; NULL if the file does not exist */
	size_t size;
	const struct hints *hints; /* NULL until the file is scanned */
	bool has_inode;    /* `inode` is set, because a path in closure->files resolves to this path */
	bool included;     /* clang read the file; set by unit_parse() */
	const struct profile_stand_in *stand_in; /* has the text, because the tree does not; else NULL */
	const char *through; /* the item of closure->headers that first included this file, directly or
				indirectly, or that is this file; NULL if the prologue included it; set by
				unit_parse() */
	UT_hash_handle hh;
};

/* The files that clang can read while it parses one unit. */
struct closure {
	struct tree *tree;
	const struct profile_unit *unit;
	struct arena *arena;
	const struct profile_strings *roots; /* the roots of the profile */
	const char *target;                  /* "x86_64-linux-gnu" */
	const char **dirs;                   /* the unit's include directories for the target, normalised */
	size_t dir_count;
	const char **headers;                /* the matches of the unit's globs, in their order, each once */
	size_t header_count;
	size_t lines_each;                   /* number of lines of the main file for each header */
	struct closure_unreadable *unreadable; /* headers that were left out; has room for all headers */
	size_t unreadable_count;
	struct closure_file **files;         /* in the order in which the files were found */
	size_t file_count;
	size_t scanned;                      /* how many items of `files` were scanned for hints */
	struct closure_file *by_path;        /* hash table (uthash); also has paths that do not exist */
	struct closure_difference *differences; /* differences that the last parse found */
	size_t difference_count;
	bool inside_roots; /* every path that was looked up, even without success, is in one of `roots` */
	struct macro_rules *rules;           /* the rules that select macros during a scan */
};

/**
 * closure_load - find and read all files that the headers can include
 * @closure: tree, unit, arena, roots, target and rules are set; everything else is zero
 *
 * Return: 0; ERR_NOT_FOUND if a header glob matches nothing, or a header cannot be read; an error from
 * reading the tree. closure_release() must be called in all cases.
 */
int closure_load(struct closure *closure, struct err *err);
void closure_release(struct closure *closure);

/**
 * closure_include - add every file that #include @spelled in @includer can refer to
 * @includer: the path of the file that has the #include; NULL if that file is not in the tree
 *
 * Looks in every directory in which clang could look, because clang decides which of the files it reads. The
 * added files are scanned too.
 * Return: 0; an error from reading the tree.
 */
int closure_include(struct closure *closure, const char *includer, struct view spelled, struct err *err);

/* closure_differs - add to closure->differences. The texts are static, or in the closure's arena. */
void closure_differs(struct closure *closure, const char *place, const char *text);

/*
 * closure_find - find a file by the name that clang has for it, "/dev/null/tree/a/../b.h"
 *
 * Return: the file; NULL if the closure does not have it. If several paths lead to the same file, the first
 * path in closure->files is returned.
 */
struct closure_file *closure_find(const struct closure *closure, const char *path);

/* closure_hint - return the hint for the #define whose name is at the offset @start of @file, or NULL */
const struct hint *closure_hint(const struct closure_file *file, size_t start);

/* has_questions - check whether @text contains "__has_include" or "__has_embed". */
bool has_questions(struct view text);

/* closure_mentions - check whether a file that clang read contains @word anywhere, also in a comment. */
bool closure_mentions(const struct closure *closure, const char *word);

/* closure_name - return the name that clang has for the file: CLOSURE_ROOT and the path. */
static inline const char *closure_name(const struct closure_file *file)
{
	return file->path - (sizeof(CLOSURE_ROOT) - 1);
}

/* --- pragmas.c --------------------------------------------------------------- */

/* pragmas_find - append the pragmas of a text that can change layouts to @out. The array is in @arena. */
void pragmas_find(struct hints *out, const char *text, size_t size, struct arena *arena);

/*
 * pragmas_expansion - add a difference if the expansion of @macro is inside a #pragma pack, where gcc does
 * not expand macros. @offset: the place of the expansion in @file
 */
void pragmas_expansion(struct closure *closure, const struct closure_file *file, size_t offset,
		       CXCursor macro);

/*
 * pragmas_check - add the differences between gcc and clang for the pragmas in all files that clang read
 * @left_packed: number, from 1, of the first header that changes the packing and does not restore it; 0: none
 */
void pragmas_check(struct closure *closure, CXTranslationUnit tu, size_t left_packed);

/* --- macro_values.c ---------------------------------------------------------- */

/* A macro of one unit that profile_want_constants() requests. */
struct extra_macro {
	const char *name;
	const char *text; /* the body of the macro */
	bool is_integer;
};

/* Why the value of a macro may differ between gcc and clang. The first reason that applies is used. */
enum macro_doubt {
	MACRO_NO_DOUBT,
	MACRO_SHIFTS,  /* a shift by at least as many bits as the type has */
	MACRO_LITERAL, /* a decimal literal without suffix that does not fit in a signed 64-bit type */
	MACRO_COMMA,   /* a comma operator; clang accepts it in a constant, and gcc does not */
};

/*
 * How the value of a macro is requested from clang. If a name has several definitions that need different
 * forms, the last of these forms in this list is used.
 */
enum form {
	FORM_NONE,    /* no request, because the text of the macro is empty */
	FORM_PLAIN,   /* for a plain number: an enumerator of an enum that requests many numbers */
	FORM_GUARDED, /* for an expression: a separate enum */
	FORM_SUSPECT, /* for a text that does not look like a number: as FORM_GUARDED, but written later */
	FORM_CALL,    /* for a function-like macro: a separate enum that calls the macro, written later */
	FORM_BROKEN,  /* for a text with unmatched brackets, which may swallow later text: written last */
};

/*
 * A question: C text that unit.c appends to the main file to request the value of one macro, and clang's
 * answer. The part of the main file that has all questions is called the section.
 */
struct question {
	const char *name;
	enum form form;
	bool is_dropped;  /* the question disturbed the parse, so it is not written again */
	bool asks_ioc;    /* the section also asks whether an _IO() macro defines the macro (macro_kinds.c) */
	unsigned parameter_count; /* FORM_CALL: number of parameters of the macro */
	const char *call; /* as in struct macro_definition; if set, macro_kinds.c uses it, not the name */
	/* The members below are results of one parse. */
	const struct macro_definition *definition; /* the name's last one; NULL if no rule wants that one */
	const struct closure_file *file;          /* the file that has the last definition */
	unsigned line;
	struct abi_number value;
	uint64_t width_bytes;
	size_t group;     /* FORM_PLAIN: index of the enum that requests it */
	bool is_answered; /* clang returned a value */
	bool is_marked;   /* clang found the enumerator that marks the end of the question */
	bool is_changing; /* the macro uses __LINE__ or __COUNTER__, so its value differs at the next use */
	bool has_failed;  /* clang reported an error in the lines of the question */
	enum macro_doubt doubt;
	bool is_defined;  /* the preprocessing record has a definition of the name */
	bool differs;     /* the rules of the profile treat several definitions of the name differently */
	bool is_redefined; /* several wanted definitions have different texts */
	enum form seen;   /* the last form in enum form that a definition needs */
	uint64_t varying; /* FORM_CALL: the bits of the value that the macro's arguments change */
	bool is_ioc;      /* the macro is defined with one of the macros in <linux/ioctl.h> */
	bool is_its_call; /* `call` has the same value as the whole text of the macro */
	bool is_maker;    /* FORM_CALL: the type or nr is an argument, so this macro is not an ioctl itself */
	struct question *same; /* an ioctl with the same value that the macro's text names; NULL if there is
				  no such ioctl or if the macro is defined with an _IO() macro */
	bool is_used;     /* another question has this one as its `same` */
	CXType pointed, sized, written; /* the type whose size is in the ioctl number, as macro_kinds.c finds
					   it in three ways; invalid if not found */
	const char *argument, *params; /* as in struct macro */
	uint64_t elements;
	UT_hash_handle hh;
};

/* The macros of all units. Before each unit, the owner sets `closure`. */
struct macro_values {
	struct arena *arena;
	struct macro_rules *rules;
	const struct closure *closure;   /* the closure of the current unit; files may be added to it */
	size_t hinted;                   /* number of the closure's files whose hints became questions */
	struct question *by_name;        /* hash table (uthash) of the questions by name */
	struct question **questions;     /* of the unit; the section is written in the order of their names */
	size_t question_count, question_capacity;
	size_t *lines; /* for each line of the section: index of the question that the line belongs to */
	size_t line_count, line_capacity;
	size_t assigned; /* length of the main file up to the last line in `lines` */
	bool *groups;    /* for each enum of FORM_PLAIN: true if clang found its last enumerator */
	size_t group_count, group_capacity;
	size_t added;    /* number of questions that were added or changed after the last section */
	struct macro *macros; /* the macros of all units */
	size_t macro_count;
	struct extra_macro *extra; /* the extra macros of all units */
	size_t extra_count;
};

/* A macro definition in clang's preprocessing record. */
struct macro_record {
	const char *name; /* as clang spells it */
	const struct closure_file *file; /* NULL if the definition is not in a file of the tree */
	const struct hint *hint; /* the hint for this definition, or NULL */
	struct view body; /* from after the name to the last token; if `is_respelled`, the tokens */
	bool is_respelled; /* the text spells the name differently than clang, for example continued */
	bool is_function_like;
	unsigned line;
};

#define MACRO_PREFIX "drvabi_macro_"

/* In macro_values.lines: the line does not belong to a question. */
#define NO_QUESTION SIZE_MAX

/* macro_values_release - free everything that is not in the arena */
void macro_values_release(struct macro_values *values);

/*
 * macro_values_section - append all questions to @out, also for the wanted macros in new files of the closure
 *
 * The text declares enumerators. Their names are MACRO_PREFIX, a word, and the number of a question. The
 * value of the enumerator with the word "value" is that of the macro. Other words are private.
 */
void macro_values_section(struct macro_values *values, struct strbuf *out);

/*
 * macro_values_definition - update the question of a macro for a definition in the preprocessing record, or
 * add a question if a rule wants the macro. The strings of @record are not used after the call.
 */
void macro_values_definition(struct macro_values *values, const struct macro_record *record);

/* macro_values_failed - note an error on @line of the section, from 0: its macro is not an integer. */
void macro_values_failed(struct macro_values *values, size_t line);
/* macro_values_doubt - note a warning on @line of the section, from 0: gcc may have a different value. */
void macro_values_doubt(struct macro_values *values, size_t line, enum macro_doubt doubt);
/* macro_values_answer - store the value of @enumerator, "drvabi_macro_value12", in its question. */
void macro_values_answer(struct macro_values *values, const char *enumerator, struct abi_number value);
/* macro_values_answer_type - store what the type of @variable, "drvabi_macro_kind12", shows. */
void macro_values_answer_type(struct macro_values *values, const char *variable, CXType type);

/*
 * macro_values_incomplete - check whether the unit must be parsed again to get all values
 * @give_up: drop every question without an answer, with a warning for each; for a unit that was already
 * parsed many times
 *
 * Return: true if the unit must be parsed again. In that case, all answers and definitions are dropped.
 */
bool macro_values_incomplete(struct macro_values *values, bool give_up);

/*
 * macro_values_drop_riskiest - drop the questions that most probably caused an error without a line: those
 * with the last form of enum form that is in use, with a warning for each. All answers and definitions are
 * dropped too, because the unit must be parsed again.
 * Return: true; false if only questions of FORM_PLAIN are left, which cannot cause such an error.
 */
bool macro_values_drop_riskiest(struct macro_values *values);

/* macro_values_restart - drop the results of a parse, but keep the questions, to parse the unit again. */
void macro_values_restart(struct macro_values *values);

/*
 * macro_values_finish - add the constants and warnings of the parsed unit to @builder, and its requested
 * macros to @values: to `macros`, and to `extra` if profile_want_constants() requests them. Then free the
 * questions of the unit.
 */
void macro_values_finish(struct macro_values *values, struct abi_builder *builder);

/* macro_values_warn - after all units, warn of extra macros that are not an integer in any of them. */
void macro_values_warn(struct macro_values *values, struct abi_builder *builder);

/* macro_values_index - set @out to the requested macros of all units, sorted by name, in @values->arena. */
void macro_values_index(struct macro_index *out, struct macro_values *values);

/* question_find - return the question for the macro @name, or NULL. */
struct question *question_find(const struct macro_values *values, const char *name);

/*
 * question_is_evaluated - check whether the macro is an integer of at most 64 bits that has the same value
 * wherever it is used.
 */
bool question_is_evaluated(const struct question *question);

/* question_is_ioctl - check whether an _IO() macro defines the macro, or it names an ioctl of its value. */
bool question_is_ioctl(const struct question *question);

/* question_place - return the "path:line" of the macro's definition, in the arena */
const char *question_place(const struct macro_values *values, const struct question *question);

/*
 * question_lines - assign the lines that were appended to the section since the last call to the question
 * with the index @question, so that errors and warnings on these lines are reported to this question
 */
void question_lines(struct macro_values *values, const struct strbuf *section, size_t question);

/* --- unit.c ------------------------------------------------------------------ */

/* The name of the main file. unit.c writes its text. */
#define UNIT_MAIN "/dev/null/main.c"

struct unit {
	CXIndex index;
	CXTranslationUnit tu;
	CXCursor *declarations; /* the top-level declarations of the headers, in the order of the text */
	size_t count, capacity;
};

/**
 * unit_parse - parse a unit, and report the values of macros to @macros
 * @out: { 0 }; must be released with unit_release(), also on failure
 * @closure: loaded. Files may be added to it, and `included` is set for the files that clang read.
 *
 * Return: 0; ERR_PARSE if a header does not parse or an include is missing; ERR_LIMIT if the unit would need
 * too many parses; the errors of clang_files_write(); an error from reading the tree.
 */
int unit_parse(struct unit *out, struct closure *closure, struct macro_values *macros, struct err *err);
void unit_release(struct unit *unit);

/* --- decl.c ------------------------------------------------------------------ */

struct decl_member;

/* A field of a record. */
struct decl_member {
	const char *name; /* "" for an unnamed struct or union */
	struct type_parts *parts;
	uint64_t offset_bits, size_bits;
	bool is_bitfield;
};

/* A record or enum: its definition, or a declaration if the unit does not define it. */
struct decl {
	const void *key; /* address of clang's declaration */
	CXCursor cursor;
	CXType type;
	CXType named_type; /* `type`, but with the alignment of the typedef if `name` comes from a typedef */
	const char *name; /* the tag, else that of the typedef, else NULL; name_apart() may change it */
	const char *source; /* "path:line:column", or "<stddef.h>" if it is in that header of clang */
	bool is_complete;
	bool is_union;
	bool in_own_header; /* the declaration is in one of clang's own headers, or not in a file */
	bool is_built_in; /* clang has the declaration built in, like that of __builtin_va_list's type */
	bool is_used; /* the document has this type */
	uint64_t weight; /* number of fields that libclang visits for one offset; 0 if not computed yet */
	unsigned depth; /* number of levels of records inside this record; valid if `weight` is not 0 */
	size_t field_count; /* number of fields, with unnamed bit-fields; valid if `weight` is not 0 */
	/* Filled by decl_members(). */
	bool has_members;
	struct decl_member *members;
	size_t member_count;
	/* Filled by decl_enumerators(). */
	bool has_enumerators;
	struct abi_enumerator *enumerators;
	size_t enumerator_count;
	UT_hash_handle hh;
};

/* The state of reading the declarations of one translation unit. */
struct decls {
	struct arena *arena;
	struct abi_builder *builder; /* has the names of earlier units, and receives warnings */
	struct err *err;
	bool is_cxx;
	long long reference_bytes; /* size of a C++ reference in a record */
	bool mentions_ms_struct; /* at least one header contains the word "ms_struct" */
	bool has_pragmas; /* at least one header has a pragma that changes layouts */
	/*
	 * Returns the name of a file, in `arena`; NULL if the file is not one of the caller's. Not called
	 * again for consecutive declarations in the same file.
	 */
	const char *(*file_name)(void *data, const char *clang_name);
	void *data;
	/* The members below are private, and zero at the start. */
	uint64_t work; /* number of fields visited so far; see decl_members() */
	CXFile last_file;
	const char *last_file_name;
	bool last_file_is_own;
	CXFile text_file; /* the file that `text` is the text of */
	const char *text;
	size_t text_bytes;
	struct decl *by_key; /* hash table (uthash) */
	struct typedef_node *typedef_nodes;
	/* Used by type_text.c, and freed by type_text_release(). */
	bool is_too_deep; /* at least one type was nested too deep to be spelled */
	struct type_node *type_nodes;
};

void decls_release(struct decls *decls);

/*
 * decls_note_typedefs - remember the typedefs among @cursors. It must be called before decl_of_type() or
 * decl_of_cursor(), because a typedef can have the same name as the tag of a different type.
 */
void decls_note_typedefs(struct decls *decls, const CXCursor *cursors, size_t count);

/*
 * decl_typedef_name - return the name of a typedef; with "::typedef_t" added, and a warning, if an earlier
 * unit has a different type of this name.
 */
const char *decl_typedef_name(struct decls *decls, CXType type);

/*
 * decl_of_type, decl_of_cursor - return the definition of a record or enum, or its declaration if the unit
 * does not define it. The pointer is the same for every call with the same record or enum. The first call
 * decides the name, and may warn of it.
 */
struct decl *decl_of_type(struct decls *decls, CXType type);
struct decl *decl_of_cursor(struct decls *decls, CXCursor cursor);

/* decl_enumerators - set @decl->enumerators, once. Warns of #ifs and oversized shifts in the enumerators. */
void decl_enumerators(struct decls *decls, struct decl *decl);

/*
 * decl_file - return the path of the file that has @cursor; NULL if it is one of clang's own headers, or if
 * @cursor is not in a file.
 */
const char *decl_file(struct decls *decls, CXCursor cursor);

/*
 * decl_location - return "path:line:column" of a cursor; if decls->file_name() has no name for its file,
 * "<stddef.h>", for that header of clang, or "<built-in>". @in_own_header: whether it has none; can be NULL
 */
const char *decl_location(struct decls *decls, CXCursor cursor, bool *in_own_header);
/*
 * decl_has_tag - check whether the record or enum has a tag. For "typedef struct { } T", libclang 19 reports
 * T as the name of the struct, so the name does not show it. But the location of a declaration with a tag is
 * that of the tag, and without a tag it is the start of the declaration.
 */
bool decl_has_tag(CXCursor cursor);
/* decl_without_tag - return @name without "struct ", "union ", "enum " or "class " at its beginning. */
const char *decl_without_tag(const char *name);

/*
 * decl_members - read the fields of @decl into @decl->members, once
 *
 * Warns if gcc may lay out the record differently than clang, or if the layout depends on an #if. Return: 0;
 * ERR_LAYOUT if a field has no offset or size; ERR_LIMIT if libclang would need minutes for the record.
 */
int decl_members(struct decls *decls, struct decl *decl);

/* differences_of_forward - warn of attributes of a forward declaration that only clang applies to layouts. */
void differences_of_forward(struct decls *decls, CXCursor cursor);

/* differences_of_typedef - warn of a typedef whose layout differs between gcc and clang. */
void differences_of_typedef(struct decls *decls, CXCursor cursor);

/* --- type_text.c ------------------------------------------------------------- */

/* The spelling of a type, without the words struct, union and enum. */
struct type_text {
	const char *text; /* as written in the header, with NAME_HOLE in the place of the name of `unnamed` */
	struct decl *unnamed; /* the record or enum without a name in the spelling; NULL if it has none */
};

/* A type, split into its base type and the outermost dimensions. */
struct type_parts {
	CXType base; /* the type of one element */
	const struct type_text *spelling; /* the spelling of `base` */
	const char *const *types; /* the spellings of `base` and its chain of typedefs; ends with NULL */
	const char *dimensions; /* "[4][2]", "[]", "[0]" or "" */
	long long size_bytes; /* size of the whole type; if negative, an enum CXTypeLayoutError */
	bool is_added; /* walk.c has added `base` to the document */
};

/* type_text_of - return the spelling of @type. */
const struct type_text *type_text_of(struct decls *decls, CXType type);
/*
 * type_text_array - spell an array, "int[4]", from its base type and dimensions
 *
 * If @base is a pointer to an array, the dimensions are inserted into the declarator, as in C: "int
 * (*[4])[3]" is an array of pointers, while "int (*)[3][4]" is a pointer to a larger array.
 * Return: the text in @arena; @base itself if @dimensions is "".
 */
const char *type_text_array(const char *base, const char *dimensions, struct arena *arena);
/* type_text_named - return the text of @spelling, with @name in the place of NAME_HOLE. */
const char *type_text_named(const struct type_text *spelling, const char *name, struct arena *arena);
/*
 * type_parts_of - split a type into base type and dimensions. As in gVisor's tool, a typedef of an array is
 * split too, but not a typedef of an array inside another array.
 */
struct type_parts *type_parts_of(struct decls *decls, CXType type);

/* type_text_release - free the cached results for the types of @decls. */
void type_text_release(struct decls *decls);

/* type_root - return the last typedef of the chain from @type, after which unnamed types are named. */
CXType type_root(struct decls *decls, CXType type);

/* --- walk.c ------------------------------------------------------------------ */

struct walk {
	struct decls decls; /* its arena is the document's */
	const struct profile *profile; /* has the rules for roles and constants; NULL if there are neither */
	const struct profile_strings *context; /* the unit's context headers, or NULL */
	bool writes_enum; /* write an alias of an enum with a tag as "enum TAG" */
	/* The members below are private, and zero at the start. */
	int rc; /* the first error of a visitor function */
	struct walk_name *names; /* the names that were already added */
	struct walk_record *records; /* list of the records that have yet to be added, newest first */
	struct decl **enums; /* unnamed; at the end, those that no declaration uses are added */
	size_t enum_count;
};

void walk_release(struct walk *walk);

/* walk_declarations - add a unit's types; if is_foreign(), only the used ones. Return: as walk_type(). */
int walk_declarations(struct walk *walk, const CXCursor *declarations, size_t count);

/**
 * walk_argument - add the type of an ioctl's argument, and all types that it uses
 * @spelled: the type as a document spells it: "x", "x[2]", "x *"
 * @params: the name of the record if @type is a record, a pointer to a record or an array of records;
 * otherwise @spelled, or NULL if @type is an array
 * @elements: the number of records in @type; 1 if @type is not an array of records
 *
 * On success, @spelled and @params are set. Both are NULL if @type has no name or no size. Return: 0; the
 * errors of decl_members().
 */
int walk_argument(struct walk *walk, const char **spelled, const char **params, uint64_t *elements,
		  CXType type);

/**
 * walk_type - add one named type, and all types that it uses
 * @cursor: a typedef, or the definition of a record or enum
 *
 * Return: 0; the errors of decl_members(); ERR_LIMIT if a type is nested too deep to be spelled.
 */
int walk_type(struct walk *walk, CXCursor cursor);

/* --- macro_kinds.c ----------------------------------------------------------- */

/**
 * kinds_find_ioctls - find the macros of a unit that are ioctls, and the types of their arguments, from
 * clang's answers
 * @walk: has added the unit's declarations; the types whose sizes are in ioctl numbers are added, too
 *
 * Return: 0; the errors of walk_argument().
 */
int kinds_find_ioctls(struct macro_values *values, struct walk *walk);

/*
 * kinds_ask_calls - append the questions of FORM_CALL to the section: for the value of the macro if all its
 * arguments are 0, and for the bits of the value that the arguments change.
 * kinds_ask - append the last part of the section, which finds the macros that use an _IO() macro.
 */
void kinds_ask_calls(struct macro_values *values, struct strbuf *out);
void kinds_ask(struct macro_values *values, struct strbuf *out);
/*
 * kinds_answer - store in @question what the type of its variable shows about an _IO() macro; nothing if the
 * macro of @question does not use one. @word: "kind", "maker", "type" or "sized", from the variable's name
 */
void kinds_answer(struct question *question, const char *word, CXType variable);

/* choices_warn - warn of a macro that is not an ioctl, but calls an _IO() macro or names an ioctl. */
void choices_warn(const struct macro_values *values, const struct question *question,
		  struct abi_builder *builder);

/* --- tables.c ---------------------------------------------------------------- */

/* A source file that has a table, and the builder that receives warnings about it. */
struct table_file {
	const char *path;
	const char *text; /* has a NUL at text[size] */
	size_t size;
	struct abi_builder *builder;
	struct arena *arena;
};

/* A family whose ioctls are being read, its sources, and the builder that receives the ioctls. */
struct family_context {
	struct abi_builder *builder;
	struct tree *tree;
	const struct profile_family *family;
	const struct macro_index *macros;
	struct arena *arena;
	const struct profile *profile;
	const struct params_rules *params; /* the family's rules for parameter records (ioctls.c) */
};

/* A position in a text that is read one statement at a time. */
struct statements {
	const struct table_file *file;
	const char *start; /* start of the text, with blanks for comments and literals */
	const char *at;
	const char *end;
	unsigned line;         /* line number of `at`, from 1 */
	unsigned include_line; /* line number of the last #include before `at`, or 0 */
	struct conditions conditions; /* the #ifs around `at` */
	const struct macro_index *headers; /* the macros that decide an #ifdef; NULL: it is unknown */
	bool is_silent; /* no warning of an #endif without an #if: another scan gives it */
};

/* table_file_read - read one file. Return: 0; an error from reading the tree. */
int table_file_read(struct table_file *out, const struct family_context *context, const char *path,
		    struct err *err);

/**
 * tables_read - call @read for each file that @globs match
 * @count: set to the number of files
 * @read: gets @data, and a file whose text is valid until @read returns
 *
 * Return: 0, also if no file matches; an error from reading the tree.
 */
int tables_read(size_t *count, const struct family_context *context, const struct profile_strings *globs,
		void (*read)(void *data, const struct table_file *file), void *data, struct err *err);

/*
 * tables_read_expected - as tables_read(), with a warning if there are globs, but no file matches. @unknown:
 * the facts that are then unknown, "commands are deprecated"
 */
int tables_read_expected(const struct family_context *context, const struct profile_strings *globs,
			 void (*read)(void *data, const struct table_file *file), void *data,
			 const char *unknown, struct err *err);

/* table_file_warn - warn, with a complete sentence, of a line of the file; of the whole file if it is 0. */
void table_file_warn(const struct table_file *file, unsigned line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* table_file_source - return "path:line", in the file's arena. */
const char *table_file_source(const struct table_file *file, unsigned line);

/*
 * table_cut_record - remove "struct T", "union T" or "T" from the beginning of @text, and set @name to T.
 * Return: false if @text does not begin with one of these.
 */
bool table_cut_record(struct view *name, struct view *text);

/*
 * table_split - split @text at the commas outside of parentheses. @part: set to the first @max parts. Return:
 * the number of all parts
 */
size_t table_split(struct view *part, size_t max, struct view text);

/*
 * statements_init - start at the beginning of a file. A copy of the text, with blanks for comments and
 * literals, is made in the file's arena.
 */
void statements_init(struct statements *out, const struct table_file *file);

/*
 * statements_skip - skip white space and preprocessor lines in the driver's source. Return: false at the end
 * of the text.
 */
bool statements_skip(struct statements *stream);

/* statements_rest - return the rest of the text. */
struct view statements_rest(const struct statements *stream);

/* statements_is_at - skip white space and preprocessor lines. Return: true if @ch is the next character. */
bool statements_is_at(struct statements *stream, char ch);

/* statements_cut_name - as statements_skip(), then read a name. Return: false if none follows. */
bool statements_cut_name(struct view *name, struct statements *stream);

/* statements_next_name - skip to the next identifier, and read it. Return: false if there is none. */
bool statements_next_name(struct view *name, struct statements *stream);

/* statements_cut - as statements_skip(), then skip @ch. Return: false if it is not the next character. */
bool statements_cut(struct statements *stream, char ch);

/**
 * statements_cut_group - skip an opening bracket, its closing bracket and the text between them
 * @inside: set to the text between the brackets; may be NULL
 *
 * Return: true; false if the next character is not an opening bracket, or if the brackets do not match. If
 * they do not match, the position is the end of the text.
 */
bool statements_cut_group(struct view *inside, struct statements *stream);

/*
 * statements_cut_arguments - cut the arguments of a call, in parentheses. @argument: set to the first @max
 * arguments. Return: their number; 0 if the parentheses enclose a directive or do not close. If they do not
 * close, only the "(" is cut, because the calls after it can be read.
 */
size_t statements_cut_arguments(struct view *argument, size_t max, struct statements *stream);

/*
 * statements_skip_statement - skip a statement, with its ";" or block, or stop at the "}" of the enclosing
 * block
 *
 * Return: false if the text ends inside the statement.
 */
bool statements_skip_statement(struct statements *stream);

/* --- flags.c ----------------------------------------------------------------- */

/* A macro of the driver's headers that names a flag, and the word that is made from it. */
struct flag_word {
	const char *macro; /* "RMCTRL_FLAGS_PRIVILEGED" */
	const char *word;  /* "privileged" */
	uint64_t bits;     /* more than one bit if the macro combines other macros */
	const char *value; /* the value as written; NULL if `bits` is set */
	const char *source; /* "path:line" */
};

struct flag_words {
	const struct profile_words *rule;
	struct flag_word *items; /* in the order of the text; in the arena */
	size_t count;
	uint64_t unless_bits; /* `fallback` is not added if any of these bits is set */
	const char *fallback; /* the word to add if none of `unless_bits` is set; may be NULL */
};

/* The numbers of the commands whose records have embedded pointers. A number can be listed twice. */
struct embedded_commands {
	const struct macro_index *macros; /* the values of the commands; set by the owner */
	uint64_t *items;                  /* in the arena */
	size_t count;
};

/**
 * flag_words_read - read the macros that name flags from the headers of the tree, and make a word from each
 * @bit_numbers: true if the values of the macros are bit numbers; false if they are masks
 * @out: all zero
 *
 * Return: 0; an error from reading the tree. If no header defines such macros, there is a warning, and each
 * bit gets a word "bit-0x…".
 */
int flag_words_read(struct flag_words *out, const struct family_context *context,
		    const struct profile_words *rule, bool bit_numbers, struct err *err);

/* flag_words_add_bits - add the word of each bit; words->fallback without any of words->unless_bits. */
void flag_words_add_bits(struct profile_strings *out, const struct flag_words *words, uint64_t bits,
			 struct arena *arena);

/**
 * flag_words_add_macro - add the word for a macro, or the words for its bits if it has several bits
 *
 * Return: true; false, with a word from the macro's name, if it is undefined, or its value not understood.
 */
bool flag_words_add_macro(struct profile_strings *out, const struct flag_words *words, struct view macro,
			  struct arena *arena);

/* flag_word_of - convert a macro's name to a word, in @arena: "deep-sleep" for DEEP_SLEEP. */
const char *flag_word_of(struct view name, struct arena *arena);

/*
 * words_add - add a word to a sorted set, whose array is in @arena. Copies of the set share the array, and
 * cannot be used afterwards. { 0 } is empty.
 */
void words_add(struct profile_strings *words, const char *word, struct arena *arena);

/* words_join - return the words of a set, "a,b", in @arena; NULL if the set is empty */
const char *words_join(const struct profile_strings *words, struct arena *arena);

/*
 * embedded_scan - append the commands with embedded pointers that one file handles to @data, a struct
 * embedded_commands. Warns if there is no switch, or a label is conditional, malformed or without a value.
 */
void embedded_scan(void *data, const struct table_file *file);
bool embedded_has(const struct embedded_commands *commands, uint64_t number);

/* --- ioctls.c ---------------------------------------------------------------- */

/*
 * ioctls_add - find the ioctls of all families of the profile, and add them to @builder, which already has
 * the records, aliases and enums of all units. Return: as extract_tree()
 */
int ioctls_add(struct abi_builder *builder, struct tree *tree, const struct profile *profile,
	       const struct macro_index *macros, struct arena *arena, struct err *err);

/* family_add_ioctl - add an ioctl, with a warning if no header declares the type of its parameters. */
void family_add_ioctl(const struct family_context *context, const struct abi_ioctl *ioctl);

/* family_warn_no_table - warn that a family's ioctls are unknown: none of its @files files has an entry. */
void family_warn_no_table(const struct family_context *context, size_t files);

/*
 * params_of_macro - find the parameter record of the ioctl @macro by the rules of its family. Return: the
 * name of the record or alias; NULL if no rule gives one that the document has
 */
const char *params_of_macro(const struct family_context *context, const struct macro *macro);

/*
 * pattern_compile - compile a regular expression of the profile. Sets @is_compiled to false if @pattern is
 * NULL. Return: 0; ERR_FORMAT if it is malformed.
 */
int pattern_compile(regex_t *out, bool *is_compiled, const char *pattern, struct err *err);

/* --- routes.c ---------------------------------------------------------------- */

/* The source files of a driver that show which ioctls it handles. */
struct dispatch_sources {
	struct dispatch_source {
		const char *path;
		struct view text; /* with blanks for comments and literals */
	} *items; /* in the arena */
	size_t count;
	size_t found_count; /* number of switches over a command, also those without labels, or of routes */
	bool is_known; /* everything was understood, so an ioctl that was not found is not handled; the caller
			  sets it to true before the first file */
};

struct dispatch_label {
	const char *name; /* name of the ioctl's macro, from a case label */
	const char *source; /* "path:line" */
	bool conditional;   /* the label is inside an #if */
	bool is_macro;      /* the label is an argument of a macro, which reads the ioctl's parameters */
	bool is_used;       /* an ioctl of the family has the label's number */
	bool is_evaluated;  /* the label has a value; set by ioctls.c */
	uint64_t number;    /* the label's number; set by ioctls.c */
};

struct dispatch {
	const struct profile_strings *macros; /* globs for macros that expand to case labels; set by caller */
	const struct macro_index *headers; /* set by the caller for the switches over commands with embedded
					      pointers, in which the headers decide an #ifdef; else NULL */
	struct dispatch_label *labels; /* in the order of the text; in the arena */
	size_t label_count;
	struct dispatch_sources sources;
};

/* A macro call in the driver's sources that maps an ioctl to the code that handles it. */
struct route {
	const char *ioctl;
	const char *record; /* name of the parameter record, or NULL */
	const char *source; /* "path:line" of the call */
	struct profile_strings flags; /* sorted */
	bool is_used; /* the family has the ioctl; set by ioctls.c */
	UT_hash_handle hh;
};

/* The routes of a family's ioctls, one for each ioctl. */
struct routes {
	const struct profile_routes *rules; /* set by the caller */
	struct route *by_ioctl; /* hash table (uthash), in the order of the text; the caller clears it */
	struct dispatch_sources sources;
};

/*
 * dispatch_scan - append the case labels of all switches over commands in one file, and the file's text, to
 * @data, a struct dispatch. If a label is not understood, warns and clears is_known. Uses the file's arena.
 */
void dispatch_scan(void *data, const struct table_file *file);

/*
 * routes_scan - add one file's text and routes, the macro calls that map an ioctl to its code, to @data, a
 * struct routes. Warns of malformed calls.
 */
void routes_scan(void *data, const struct table_file *file);

/* sources_mention - return the place of the first @name in @sources, "path:line", in @arena; or NULL. */
const char *sources_mention(const struct dispatch_sources *sources, const char *name, struct arena *arena);

/**
 * sources_read - read the sources that @globs match
 * @sources: those of @data, to which dispatch_scan() or routes_scan() adds the files
 * @read, @data: as in tables_read()
 * @what: what @read finds, "switch over a command"
 *
 * If a glob matches no file, or no file with a @what, there is a warning, and @sources is not known.
 * Return: 0; an error from reading the tree.
 */
int sources_read(struct dispatch_sources *sources, const struct family_context *context,
		 const struct profile_strings *globs,
		 void (*read)(void *data, const struct table_file *file), void *data, const char *what,
		 struct err *err);

/* --- methods.c --------------------------------------------------------------- */

/* A control command that a method table exports. */
struct nvoc_method {
	uint64_t id;        /* number of the command */
	uint64_t flags;     /* RMCTRL_FLAGS_* */
	uint64_t access;    /* one bit for each RS_ACCESS_* */
	const char *params; /* the T of sizeof(T); NULL if the size is 0 */
	const char *func;   /* the method's name */
	bool conditional;   /* the entry is inside an #if, or has one that not all entries have */
	const char *source; /* "path:line" of the entry's opening brace */
	const struct macro *macro; /* the macro that matches the command best; set by methods_find_names() */
	unsigned score;            /* private: how well `macro` matches */
	UT_hash_handle hh;
};

struct nvoc_methods {
	struct nvoc_method *items; /* in the order of the text; in the arena */
	size_t count;
};

/* methods_add_family - add the commands of a PROFILE_FROM_NVOC family as ioctls. Return: as tables_read() */
int methods_add_family(const struct family_context *context, struct err *err);

/**
 * methods_find_names - set `macro` of each command to the macro that matches it best, if there is one
 * @by_id: hash table (uthash) of the commands by id
 * @family: its `match` and `except` limit the macros that can name a command
 */
void methods_find_names(struct nvoc_method *by_id, const struct profile_family *family,
			const struct macro_index *macros);

/* nvoc_scan - append the methods of one file to @data, a struct nvoc_methods. Warns if some are missing. */
void nvoc_scan(void *data, const struct table_file *file);

/* --- classes.c --------------------------------------------------------------- */

/* classes_add_family - add the classes of an RS_ENTRY family as ioctls. Return: as tables_read() */
int classes_add_family(const struct family_context *context, struct err *err);

/* --- deprecated.c ------------------------------------------------------------ */

/* A row of the driver's table of deprecated commands. */
struct deprecated_command {
	struct abi_ioctl ioctl; /* without its flags; deprecated_scan() sets only the name and the source */
	struct profile_strings flags;
	struct view body; /* of the command's function; empty if the file does not define the function */
	bool has_method;  /* a method has the same number, so `ioctl` is not added; set by methods.c */
	UT_hash_handle hh;
};

struct deprecated_commands {
	const char *table;                /* the name of the array; set by the caller */
	struct deprecated_command *items; /* in the order of the table; in the arena */
	size_t count;
	struct deprecated_command *by_number; /* hash table (uthash) of the first command with each number;
						 the owner clears it */
};

/*
 * deprecated_scan - append the deprecated commands of one file to @data, a struct deprecated_commands. Their
 * strings are in the file's arena. If the file does not define the table, there is a warning.
 */
void deprecated_scan(void *data, const struct table_file *file);

/*
 * deprecated_read - read the deprecated commands of the family into @out->by_number. Return: 0, also if the
 * profile has no table of deprecated commands for the family, or, with a warning, if the tree does not have
 * the file; an error from reading the tree.
 */
int deprecated_read(struct deprecated_commands *out, const struct family_context *context, struct err *err);

#endif
