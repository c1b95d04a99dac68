#include "extract/own_headers.h"

#include "extract/cxstring.h"

#include <clang-c/Index.h>
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

bool own_headers_have(const char *name)
{
	const char *own = own_headers();
	size_t length = strlen(own);

	return length && !strncmp(name, own, length) && name[length] == '/' && !strstr(name + length, "..");
}
