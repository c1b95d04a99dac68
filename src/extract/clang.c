/*
 * extract/clang.c - clang's own headers, clang's file system, helpers for types, and memory for libclang
 *
 * The headers that come with clang, such as stddef.h and limits.h, are the only files of the machine that can
 * affect a document. clang can read all of them except <stdint.h>, which own_stdint() replaces to have the
 * same types as gcc. If one of these headers includes a file with <>, that file can come from the tree,
 * because the include directories of the tree are searched first.
 */
#include "extract/extract.h"
#include "extract/internal.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static const char probe_name[] = "/dev/null/probe.c";

/* Sets @data, a char[PATH_SIZE], to the directory of an included file: that of clang's own headers. */
static void visit_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	char name[PATH_SIZE], *slash;

	(void)stack;
	(void)depth;
	if (cxstring_copy(name, sizeof(name), clang.getFileName(file)) && strcmp(name, probe_name) &&
	    (slash = strrchr(name, '/'))) {
		*slash = '\0';
		memcpy(data, name, strlen(name) + 1);
	}
}

/*
 * Returns the directory of clang's own headers, without "/" at the end; "" if it was not found. libclang has
 * no function that returns it, so the first call parses a text that includes one of the headers.
 */
static const char *own_headers(void)
{
	static const char text[] = "#include <stddef.h>\n";
	static const char *const args[] = { "-x", "c", "-ffreestanding", "-nostdlibinc" };
	static char directory[PATH_SIZE];
	static bool is_known;
	struct CXUnsavedFile file = { probe_name, text, sizeof(text) - 1 };
	CXTranslationUnit tu = NULL;
	CXIndex index;

	if (is_known)
		return directory;
	is_known = true;
	index = clang.createIndex(0, 0);
	if (!clang.parseTranslationUnit2(index, probe_name, args, sizeof(args) / sizeof(args[0]), &file, 1, 0,
					 &tu))
		clang.getInclusions(tu, visit_inclusion, directory);
	clang.disposeTranslationUnit(tu);
	clang.disposeIndex(index);
	return directory;
}

/* clang's <stdint.h> defines int_fastN_t as int_leastN_t, and ignores __INT_FASTN_TYPE__, unlike gcc's. */
EMBED(extract_stdint, EXTRACT_DIR "/stdint.in");

struct CXUnsavedFile own_stdint(struct arena *arena)
{
	return (struct CXUnsavedFile){ .Filename = arena_printf(arena, "%s/stdint.h", own_headers()),
				       .Contents = extract_stdint,
				       .Length = strlen(extract_stdint) };
}

bool own_headers_have(const char *name)
{
	const char *own = own_headers();
	size_t length = strlen(own);

	return length && !strncmp(name, own, length) && name[length] == '/' && !strstr(name + length, "..");
}

/*
 * clang's file system has only the files of the closure and clang's own headers.
 *
 * clang looks for a file first among the texts in memory (CXUnsavedFile), by its exact name, and then in a
 * file system. Without an overlay (-ivfsoverlay), this is the machine's file system: clang would find
 * "/etc/passwd", and would not find "a/../b.h" even if b.h is in memory. The overlay replaces the machine's
 * file system:
 *
 * 1. "fallthrough": false hides all files that the overlay does not name.
 * 2. The overlay names every file of the closure, so clang finds a file by any spelling of its path, also
 *    with "." or "..". (clang resolves ".." without looking at directories: "none/../b.h" is b.h even if
 *    "none" does not exist, and ".." after a symbolic link to a directory is the directory that has the
 *    link.) For #pragma once and for the texts in memory, clang considers two paths with the same inode the
 *    same file. So each file of the closure has the inode of a separate, empty memfd, and a symbolic link has
 *    the inode of its target. clang never reads the memfd, because there is a text in memory with the same
 *    name.
 * 3. The overlay maps the directory of clang's own headers to itself.
 *
 * The overlay is in a memfd too. The path of a memfd is /proc/self/fd/N.
 */

/* Opens a memfd, raising the open files limit if needed. Return: 0; ERR_LIMIT at the hard limit; ERR_IO. */
static int new_memory_file(int *out, struct err *err)
{
	int fd = memfd_create("drvabi", MFD_CLOEXEC);
	struct rlimit limit;

	/* The soft limit is often 1,024 because of select(2), which this program does not use. */
	if (fd < 0 && errno == EMFILE && !getrlimit(RLIMIT_NOFILE, &limit) &&
	    limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
		fd = memfd_create("drvabi", MFD_CLOEXEC);
	}
	if (fd < 0 && errno == EMFILE)
		return err_set(
			err, ERR_LIMIT,
			"the headers need more open files than this process may have; raise the hard limit "
			"(ulimit -Hn)");
	if (fd < 0)
		return err_set(err, ERR_IO, "cannot make a file in memory: %s", strerror(errno));
	*out = fd;
	return 0;
}

/* Appends an entry of the overlay: clang finds under @name the file or directory @contents of the machine. */
static void add_root(struct json_writer *json, const char *type, const char *name, const char *contents)
{
	json_open_object(json);
	json_key_string(json, "type", type);
	json_key_string(json, "name", name);
	json_key_string(json, "external-contents", contents);
	json_close_object(json);
}

static void add_file(struct json_writer *json, const char *name, int inode)
{
	char contents[32];

	snprintf(contents, sizeof(contents), "/proc/self/fd/%d", inode);
	add_root(json, "file", name, contents);
}

/*
 * Appends the overlay, which gives each path of the closure the inode of an empty file, as JSON, which is
 * valid YAML. Return: 0; ERR_FORMAT if a path is not UTF-8.
 */
static int describe_overlay(struct strbuf *out, const struct clang_files *files,
			    const struct closure *closure, struct err *err)
{
	struct json_writer json = { .out = out, .compact = true };
	const char *real, *text;
	size_t size;

	json_open_object(&json);
	json_key_unsigned(&json, "version", 0);
	json_key_bool(&json, "case-sensitive", true);
	json_key_bool(&json, "use-external-names", false);
	json_key_bool(&json, "fallthrough", false);
	json_key(&json, "roots");
	json_open_array(&json);
	for (size_t i = 0; i < closure->file_count; i++) {
		if (!utf8_is_valid(closure->files[i]->path))
			return err_set(err, ERR_FORMAT, "%s: the name of this file is not UTF-8",
				       closure->files[i]->path);
		add_file(&json, closure_name(closure->files[i]), files->inodes[closure->files[i]->inode]);
	}
	/*
	 * An include directory that has no file of the closure would not exist otherwise. clang ignores an
	 * include directory that does not exist, but "../x.h" can be found through it.
	 */
	for (size_t i = 0; i < closure->dir_count; i++) {
		const char *dir = closure->dirs[i];

		if (!*dir || tree_real(closure->tree, dir, &real, NULL) ||
		    !closure->tree->ops->read(closure->tree, dir, &text, &size, NULL))
			continue; /* skip the root, which always exists, and a path that is a file */
		json_open_object(&json);
		json_key_string(&json, "type", "directory");
		json_key_string(&json, "name", arena_printf(closure->arena, CLOSURE_ROOT "%s", dir));
		json_key_strings(&json, "contents", NULL, 0);
		json_close_object(&json);
	}
	add_file(&json, UNIT_MAIN, files->inodes[closure->file_count]);
	if (*own_headers())
		add_root(&json, "directory-remap", own_headers(), own_headers());
	json_close_array(&json);
	json_close_object(&json);
	return 0;
}

int clang_files_write(struct clang_files *files, const struct closure *closure, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	if (files->file < 0 && (rc = new_memory_file(&files->file, err)))
		return rc;
	snprintf(files->path, sizeof(files->path), "/proc/self/fd/%d", files->file);
	if (access(files->path, R_OK))
		return err_set(err, ERR_IO, "cannot read %s: is /proc mounted?", files->path);
	for (; files->inode_count <= closure->file_count; files->inode_count++) {
		ARRAY_GROW(files->inodes, files->inode_count, files->inode_capacity);
		if ((rc = new_memory_file(&files->inodes[files->inode_count], err)))
			return rc;
	}
	rc = describe_overlay(&text, files, closure, err);
	/* The text is never shorter than the last one: files are never removed from a closure. */
	for (size_t at = 0; at < text.length && !rc;) {
		ssize_t written = pwrite(files->file, text.text + at, text.length - at, (off_t)at);

		if (written < 0 && errno != EINTR)
			rc = err_set(err, ERR_IO, "cannot write a file in memory: %s", strerror(errno));
		at += written > 0 ? (size_t)written : 0;
	}
	strbuf_release(&text);
	return rc;
}

void clang_files_release(struct clang_files *files)
{
	if (files->file >= 0)
		close(files->file);
	while (files->inode_count)
		close(files->inodes[--files->inode_count]);
	free(files->inodes);
	*files = (struct clang_files){ .file = -1 };
}

CXType type_underlying(CXType type)
{
	return clang.getTypedefDeclUnderlyingType(clang.getTypeDeclaration(type));
}

CXType type_plain(CXType type)
{
	for (;;) {
		if (type.kind == CXType_Elaborated)
			type = clang.Type_getNamedType(type);
		else if (type.kind == CXType_Attributed)
			type = clang.Type_getModifiedType(type);
		else
			return type;
	}
}

bool type_is_array(CXType type)
{
	enum CXTypeKind kind = clang.getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

bool type_is_unsigned(CXType type)
{
	switch (clang.getCanonicalType(type).kind) {
	case CXType_Bool:
	case CXType_Char_U:
	case CXType_UChar:
	case CXType_UShort:
	case CXType_UInt:
	case CXType_ULong:
	case CXType_ULongLong:
		return true;
	default:
		return false;
	}
}

struct abi_number enumerator_value(CXCursor enumerator, CXCursor declared)
{
	return type_is_unsigned(clang.getEnumDeclIntegerType(declared))
		       ? abi_number_unsigned(clang.getEnumConstantDeclUnsignedValue(enumerator))
		       : abi_number_signed(clang.getEnumConstantDeclValue(enumerator));
}

bool cursor_integer(uint64_t *out, CXCursor cursor)
{
	CXEvalResult result = clang.Cursor_Evaluate(cursor);
	bool is_integer = result && clang.EvalResult_getKind(result) == CXEval_Int;

	if (is_integer)
		*out = (uint64_t)clang.EvalResult_getAsLongLong(result);
	if (result)
		clang.EvalResult_dispose(result);
	return is_integer;
}

bool type_is_reference(CXType type)
{
	CXType canonical = clang.getCanonicalType(type);

	return canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference;
}

const char *extract_prepare_process(void)
{
	enum { HEAP_BYTES = 256 * 1024 * 1024 };
	char *start, *end;
	struct err err;
	void *block;

	setenv("LIBCLANG_NOTHREADS", "1",
	       1); /* libclang then parses on this process's stack, instead of on a thread's stack of 8 MB */
	setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
	/*
	 * Grow the heap at once to the size that extracting a version needs, in large pages if the system
	 * has them, and keep freed memory. Extraction needs 150 to 200 MB, and page faults took two fifths of
	 * its time.
	 */
	mallopt(M_MMAP_THRESHOLD, HEAP_BYTES * 2);
	mallopt(M_TRIM_THRESHOLD, HEAP_BYTES * 2);
	start = sbrk(0);
	block = malloc(HEAP_BYTES);
	end = sbrk(0);
	if (block && end > start)
		madvise((void *)(((unsigned long)start + 4095) & ~4095UL),
			(size_t)(end - start) & ~(size_t)4095, MADV_HUGEPAGE);
	free(block);
	return extract_load(&err) ? "" : own_headers();
}
