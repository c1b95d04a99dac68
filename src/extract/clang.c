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
#include "base/base.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static const char probe_name[] = "/dev/null/probe.c";

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
 * Finds the directory of clang's own headers. libclang has no function that returns it, so a text that
 * includes one of the headers is parsed.
 */
static void find_own_headers(char *out)
{
	static const char text[] = "#include <stddef.h>\n";
	const char *const args[] = { "-x", "c", "-ffreestanding", "-nostdlibinc" };
	struct CXUnsavedFile file = { probe_name, text, sizeof(text) - 1 };
	CXIndex index = clang.createIndex(0, 0);
	CXTranslationUnit tu = NULL;

	if (!clang.parseTranslationUnit2(index, probe_name, args, sizeof(args) / sizeof(args[0]), &file, 1, 0,
					 &tu))
		clang.getInclusions(tu, visit_inclusion, out);
	clang.disposeTranslationUnit(tu);
	clang.disposeIndex(index);
}

/*
 * Returns the directory of clang's own headers, without "/" at the end; "" if it was not found. The first
 * call parses a text to find it.
 */
static const char *own_headers(void)
{
	static char directory[PATH_SIZE];
	static bool is_known;

	if (!is_known)
		find_own_headers(directory);
	is_known = true;
	return directory;
}

/*
 * clang's <stdint.h> cannot be used, because it defines int_fastN_t as int_leastN_t and ignores the macros
 * __INT_FASTN_TYPE__.
 */
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

/*
 * Raises the soft limit on open files to the hard limit. It is often 1,024 because of select(2), which this
 * program does not use.
 */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int new_memory_file(int *out, struct err *err)
{
	int fd = memfd_create("drvabi", MFD_CLOEXEC);

	if (fd < 0 && errno == EMFILE) {
		raise_file_limit();
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

/* Opens memfds until @files has @count of them. */
static int lend_inodes(struct clang_files *files, size_t count, struct err *err)
{
	int rc = 0;

	while (files->inode_count < count && !rc) {
		ARRAY_GROW(files->inodes, files->inode_count, files->inode_capacity);
		rc = new_memory_file(&files->inodes[files->inode_count], err);
		files->inode_count += !rc;
	}
	return rc;
}

/* Appends @text, escaped for a double-quoted YAML string. An overlay is a YAML file. */
static void add_escaped(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ' || *text == 0x7f)
			strbuf_addf(out, "\\x%02x", (unsigned char)*text);
		else
			strbuf_addch(out, *text);
	}
}

static void add_root(struct strbuf *out, const char *type, const char *name, const char *contents)
{
	strbuf_addf(out, "{\"type\":\"%s\",\"name\":\"", type);
	add_escaped(out, name);
	strbuf_adds(out, "\",\"external-contents\":\"");
	add_escaped(out, contents);
	strbuf_adds(out, "\"}");
}

static void add_file(struct strbuf *out, const char *name, int inode)
{
	char contents[32];

	snprintf(contents, sizeof(contents), "/proc/self/fd/%d", inode);
	add_root(out, "file", name, contents);
	strbuf_addch(out, ',');
}

/*
 * Adds the include directories to the overlay, because a directory that has no file of the closure would not
 * exist otherwise. clang ignores an include directory that does not exist, but "../x.h" can be found through
 * it.
 */
static void add_directories(struct strbuf *out, const struct closure *closure)
{
	const char *real, *text;
	size_t size;

	for (size_t i = 0; i < closure->dir_count; i++) {
		const char *dir = closure->dirs[i];

		if (!*dir || tree_real(closure->tree, dir, &real, NULL) ||
		    !closure->tree->ops->read(closure->tree, dir, &text, &size, NULL))
			continue; /* skip the root, which always exists, and a path that is a file */
		strbuf_adds(out, "{\"type\":\"directory\",\"name\":\"" CLOSURE_ROOT);
		add_escaped(out, dir);
		strbuf_adds(out, "\",\"contents\":[]},");
	}
}

/* Writes the text of the overlay. */
static int describe_overlay(struct strbuf *out, const struct clang_files *files,
			    const struct closure *closure, struct err *err)
{
	strbuf_adds(
		out,
		"{\"version\":0,\"case-sensitive\":true,\"use-external-names\":false,\"fallthrough\":false,\"roots\":[");
	for (size_t i = 0; i < closure->file_count; i++) {
		if (!utf8_is_valid(closure->files[i]->path))
			return err_set(err, ERR_FORMAT, "%s: the name of this file is not UTF-8",
				       closure->files[i]->path);
		add_file(out, closure_name(closure->files[i]), files->inodes[closure->files[i]->inode]);
	}
	add_directories(out, closure);
	add_file(out, UNIT_MAIN, files->inodes[closure->file_count]);
	if (*own_headers())
		add_root(out, "directory-remap", own_headers(), own_headers());
	strbuf_adds(out, "]}");
	return 0;
}

static int write_memory_file(int fd, const struct strbuf *text, struct err *err)
{
	const char *at = strbuf_text(text), *end = at + text->length;

	while (at < end) {
		ssize_t written = pwrite(fd, at, (size_t)(end - at), at - strbuf_text(text));

		if (written < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "cannot write a file in memory: %s", strerror(errno));
		at += written > 0 ? written : 0;
	}
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
	if (!(rc = lend_inodes(files, closure->file_count + 1, err)) &&
	    !(rc = describe_overlay(&text, files, closure, err)))
		/* The text is never shorter than the last one: files are never removed from a closure. */
		rc = write_memory_file(files->file, &text, err);
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

bool type_is_reference(CXType type)
{
	CXType canonical = clang.getCanonicalType(type);

	return canonical.kind == CXType_LValueReference || canonical.kind == CXType_RValueReference;
}

/*
 * Grows the heap at once to the size that extracting a version needs, in large pages if the system has them,
 * and keeps freed memory. Extraction needs 150 to 200 MB, and page faults took two fifths of its time.
 */
static void grow_heap(void)
{
	enum { HEAP_BYTES = 256 * 1024 * 1024 };
	char *start, *end;
	void *block;

	mallopt(M_MMAP_THRESHOLD, HEAP_BYTES * 2);
	mallopt(M_TRIM_THRESHOLD, HEAP_BYTES * 2);
	start = sbrk(0);
	block = malloc(HEAP_BYTES);
	end = sbrk(0);
	if (block && end > start)
		madvise((void *)(((unsigned long)start + 4095) & ~4095UL),
			(size_t)(end - start) & ~(size_t)4095, MADV_HUGEPAGE);
	free(block);
}

const char *extract_prepare_process(void)
{
	struct err err;

	setenv("LIBCLANG_NOTHREADS", "1",
	       1); /* libclang then parses on this process's stack, instead of on a thread's stack of 8 MB */
	setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
	grow_heap();
	return extract_load(&err) ? "" : own_headers();
}
