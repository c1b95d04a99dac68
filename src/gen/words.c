/* gen/words.c - check and spell names in each language, and write comments */
#include "gen/internal.h"

/* Rust's strict and reserved keywords of all editions, except those that r#NAME cannot escape. */
static const char *const rust_keywords[] = {
	"abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
	"else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
	"macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
	"struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
	"while", "yield", NULL,
};

static const char *const rust_never_raw[] = { "Self", "_", "crate", "self", "super", NULL };

/*
 * Rust's own types, and names that a generated file uses. A type of the driver with such a name would hide
 * them.
 */
static const char *const rust_types[] = {
	"bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
	"u64", "u8", "usize", "Clone", "Copy", "core", "LAYOUTS", "Layout", "VERSIONS", NULL,
};

static const char *const python_keywords[] = {
	"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
	"del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
	"lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", NULL,
};

/* Attributes that ctypes reads in a class, and names that a generated class uses. */
static const char *const python_members[] = {
	"_align_", "_anonymous_", "_b_base_", "_b_needsfree_", "_bits", "_fields_", "_layout_", "_objects",
	"_pack_", "_swappedbytes_", "ctypes", NULL,
};

/* Other names that a generated file in Python uses. */
static const char *const python_own[] = {
	"AssertionError", "KeyError", "LAYOUTS", "VERSIONS", "__build_class__", "__builtins__", "__debug__",
	"__name__", "_check", "bytes", "getattr", "int", "layout", "len", "property", NULL,
};

static const char *const go_keywords[] = {
	"break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for",
	"func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select",
	"struct", "switch", "type", "var", NULL,
};

/* The keywords of C11, and the names that gcc reserves even without extensions. */
static const char *const c_keywords[] = {
	"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
	"extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
	"short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
	"volatile", "while", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic",
	"_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "__asm__", "__attribute__",
	"__extension__", "__typeof__", NULL,
};

/* The words of C's own types. */
static const char *const c_types[] = {
	"char", "short", "int", "long", "float", "double", "signed", "unsigned", "void", "_Bool", "_Complex",
	"__int128", "const", "volatile", NULL,
};

/*
 * Names that a generated file in C uses, gcc's predefined macros, and typedefs of records without a tag in
 * the included headers, which cannot be declared again.
 */
static const char *const c_own[] = { "NULL", "__fsid_t", "linux", "max_align_t", "offsetof", "unix", NULL };

static bool is_among(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

bool words_is_identifier(const char *name)
{
	return *name &&
	       !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] &&
	       !isdigit((unsigned char)*name);
}

bool words_is_c_name(const char *name)
{
	return words_is_identifier(name) && !is_among(name, c_keywords);
}

bool words_is_c_type(const char *type)
{
	do {
		size_t length = strcspn(type, " "), i = 0;

		while (c_types[i] && (strlen(c_types[i]) != length || strncmp(c_types[i], type, length)))
			i++;
		if (!c_types[i]) /* also if @type is "" */
			return false;
		type += length + strspn(type + length, " ");
	} while (*type);
	return true;
}

size_t words_qualifiers(const char *type)
{
	const char *at = type;

	while (begins(at, "const ") || begins(at, "volatile "))
		at += strcspn(at, " ") + 1;
	return (size_t)(at - type);
}

const char *words_without_colons(const char *name, struct arena *arena)
{
	char *out = arena_strdup(arena, name), *to = out;

	for (const char *from = name; *from; from++) {
		if (from[0] == ':' && from[1] == ':')
			from++;
		*to++ = *from == ':' ? '_' : *from;
	}
	*to = '\0';
	return out;
}

/* Does the name look like "__class__"? Python reserves such names. */
static bool is_dunder(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && begins(name, "__") && !strcmp(name + length - 2, "__");
}

bool words_is_reserved(enum gen_language language, const char *name)
{
	switch (language) {
	case GEN_GO: return is_among(name, go_keywords);
	case GEN_C: return !words_is_c_name(name) || is_among(name, c_own);
	case GEN_RUST:
		return is_among(name, rust_keywords) || is_among(name, rust_never_raw) ||
		       is_among(name, rust_types);
	case GEN_PYTHON:
		return is_among(name, python_keywords) || is_among(name, python_members) ||
		       is_among(name, python_own);
	}
	return false;
}

const char *words_type(enum gen_language language, const char *name, struct arena *arena)
{
	size_t length = strlen(name), underscores = strspn(name, "_");

	if (language != GEN_PYTHON || underscores < 2 || underscores == length ||
	    !strcmp(name + length - 2, "__"))
		return name;
	return arena_strdup(arena, name + underscores - 1);
}

const char *words_field(enum gen_language language, const char *name, struct arena *arena)
{
	if (language == GEN_RUST && is_among(name, rust_keywords))
		return arena_printf(arena, "r#%s", name);
	if ((language == GEN_RUST && is_among(name, rust_never_raw)) ||
	    (language == GEN_PYTHON &&
	     (is_among(name, python_keywords) || is_among(name, python_members) || is_dunder(name))))
		return arena_printf(arena, "%s_", name);
	return name;
}

char *gen_versioned_name(const char *name, const char *version, bool whole, struct arena *arena)
{
	char *out;

	version += (*version == 'v' || *version == 'V') &&
		   isdigit((unsigned char)version[1]); /* skip the "v" of a tag "v1.1" */
	out = arena_printf(arena, "%s_V%.*s", name, (int)(whole ? strlen(version) : strcspn(version, ".")),
			   version);

	for (char *at = out + strlen(name); *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	return out;
}

int gen_language_parse(enum gen_language *out, const char *word, struct err *err)
{
	static const char *const names[] = {
		[GEN_GO] = "go", [GEN_C] = "c", [GEN_RUST] = "rust", [GEN_PYTHON] = "python"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], word)) {
			*out = (enum gen_language)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--lang takes one of " GEN_LANGUAGES ", not '%s'", word);
}

enum { COLUMNS = 80 };

/* Writes @text, with '?' for each byte that is not printable ASCII, or is in @excluded. */
static void add_bytes(struct strbuf *out, const char *text, size_t length, const char *excluded)
{
	for (size_t i = 0; i < length; i++)
		strbuf_addch(out, text[i] < 0x20 || text[i] > 0x7e || strchr(excluded, text[i]) ? '?'
												: text[i]);
}

void comment_text(struct strbuf *out, const char *text)
{
	add_bytes(out, text, strlen(text), "");
}

void comment_add(struct strbuf *out, const char *mark, const char *text)
{
	size_t column = 0;

	for (const char *word = text + strspn(text, " "); *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " ");

		if (column && column + 1 + length > COLUMNS) {
			strbuf_addch(out, '\n');
			column = 0;
		}
		if (!column) {
			strbuf_adds(out, mark);
			column = strlen(mark);
		}
		strbuf_addch(out, ' ');
		column++;
		add_bytes(out, word, length, "");
		column += length;
		word += length;
	}
	strbuf_addch(out, '\n');
}

void comment_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	add_bytes(out, text, strlen(text), "\"\\");
	strbuf_addch(out, '"');
}

void comment_versions(struct strbuf *out, const struct gen_file *file, const char *head, const char *indent,
		      const char *tail)
{
	strbuf_adds(out, head);
	for (size_t i = 0; i < file->version_count; i++) {
		strbuf_adds(out, indent);
		comment_quoted(out, file->versions[i]->version);
		strbuf_adds(out, ",\n");
	}
	strbuf_adds(out, tail);
}
