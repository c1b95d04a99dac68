#include "extract/own_headers.h"

#include "base/strbuf.h"
#include "extract/cxstring.h"

#include <string.h>

enum { PATH_SIZE = 4096 };

static const char probe_name[] = "/dev/null/probe.c";

static void visit_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	char name[PATH_SIZE], *slash;

	(void)stack;
	(void)depth;
	if (cxstring_copy(name, sizeof(name), clang_getFileName(file)) && strcmp(name, probe_name) && (slash = strrchr(name, '/'))) {
		*slash = '\0';
		memcpy(data, name, strlen(name) + 1);
	}
}

/* clang knows where its headers are and has no call to say so: one of them is included. */
static void find(char *out)
{
	static const char text[] = "#include <stddef.h>\n";
	const char *const args[] = { "-x", "c", "-ffreestanding", "-nostdlibinc" };
	struct CXUnsavedFile file = { probe_name, text, sizeof(text) - 1 };
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit tu = NULL;

	if (!clang_parseTranslationUnit2(index, probe_name, args, sizeof(args) / sizeof(args[0]), &file, 1, 0, &tu))
		clang_getInclusions(tu, visit_inclusion, out);
	clang_disposeTranslationUnit(tu);
	clang_disposeIndex(index);
}

const char *own_headers(void)
{
	static char directory[PATH_SIZE];
	static bool is_known;

	if (!is_known)
		find(directory);
	is_known = true;
	return directory;
}

/* clang's makes int_fastN_t of int_leastN_t, whatever the compiler's own macros say. */
struct CXUnsavedFile own_stdint(struct arena *arena)
{
	static const char each[] =
		"typedef __INT%1$u_TYPE__ int%1$u_t;\ntypedef __UINT%1$u_TYPE__ uint%1$u_t;\n"
		"typedef __INT_LEAST%1$u_TYPE__ int_least%1$u_t;\ntypedef __UINT_LEAST%1$u_TYPE__ uint_least%1$u_t;\n"
		"typedef __INT_FAST%1$u_TYPE__ int_fast%1$u_t;\ntypedef __UINT_FAST%1$u_TYPE__ uint_fast%1$u_t;\n"
		"#define INT%1$u_MAX __INT%1$u_MAX__\n#define INT%1$u_MIN (-INT%1$u_MAX - 1)\n#define UINT%1$u_MAX __UINT%1$u_MAX__\n"
		"#define INT_LEAST%1$u_MAX __INT_LEAST%1$u_MAX__\n#define INT_LEAST%1$u_MIN (-INT_LEAST%1$u_MAX - 1)\n#define UINT_LEAST%1$u_MAX __UINT_LEAST%1$u_MAX__\n"
		"#define INT_FAST%1$u_MAX __INT_FAST%1$u_MAX__\n#define INT_FAST%1$u_MIN (-INT_FAST%1$u_MAX - 1)\n#define UINT_FAST%1$u_MAX __UINT_FAST%1$u_MAX__\n";
	static const char others[] =
		"typedef __INTPTR_TYPE__ intptr_t;\ntypedef __UINTPTR_TYPE__ uintptr_t;\ntypedef __INTMAX_TYPE__ intmax_t;\ntypedef __UINTMAX_TYPE__ uintmax_t;\n"
		"#define INTPTR_MAX __INTPTR_MAX__\n#define INTPTR_MIN (-INTPTR_MAX - 1)\n#define UINTPTR_MAX __UINTPTR_MAX__\n"
		"#define INTMAX_MAX __INTMAX_MAX__\n#define INTMAX_MIN (-INTMAX_MAX - 1)\n#define UINTMAX_MAX __UINTMAX_MAX__\n"
		"#define PTRDIFF_MAX __PTRDIFF_MAX__\n#define PTRDIFF_MIN (-PTRDIFF_MAX - 1)\n#define SIZE_MAX __SIZE_MAX__\n"
		"#define SIG_ATOMIC_MAX __INT_MAX__\n#define SIG_ATOMIC_MIN (-SIG_ATOMIC_MAX - 1)\n#define WINT_MAX __WINT_MAX__\n#define WINT_MIN 0U\n"
		"#define WCHAR_MAX __WCHAR_MAX__\n#ifdef __WCHAR_UNSIGNED__\n#define WCHAR_MIN 0U\n#else\n#define WCHAR_MIN (-WCHAR_MAX - 1)\n#endif\n"
		"#define INT8_C(c) c\n#define INT16_C(c) c\n#define INT32_C(c) c\n#define INT64_C(c) c ## L\n#define INTMAX_C(c) c ## L\n"
		"#define UINT8_C(c) c\n#define UINT16_C(c) c\n#define UINT32_C(c) c ## U\n#define UINT64_C(c) c ## UL\n#define UINTMAX_C(c) c ## UL\n";
	struct strbuf text = { 0 };
	struct CXUnsavedFile file = { .Filename = arena_printf(arena, "%s/stdint.h", own_headers()) };

	strbuf_adds(&text, "#pragma once\n");
	for (unsigned bits = 8; bits <= 64; bits *= 2)
		strbuf_addf(&text, each, bits);
	strbuf_adds(&text, others);
	file.Contents = arena_strdup(arena, strbuf_text(&text));
	file.Length = text.length;
	strbuf_release(&text);
	return file;
}

bool own_headers_have(const char *name)
{
	const char *own = own_headers();
	size_t length = strlen(own);

	return length && !strncmp(name, own, length) && name[length] == '/' && !strstr(name + length, "..");
}
