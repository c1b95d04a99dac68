/* abi/profile.c - lookups in a profile, and the basic types that every Linux profile has */
#include "abi/abi.h"
#include "abi/internal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define DIRECTORY "drvabi-basics"

static const char asm_types[] =
	"typedef signed char __s8;\ntypedef unsigned char __u8;\ntypedef signed short __s16;\ntypedef unsigned short __u16;\n"
	"typedef signed int __s32;\ntypedef unsigned int __u32;\ntypedef signed long long __s64;\ntypedef unsigned long long __u64;\n";

/* Drivers' headers also use uint32_t, bool, size_t and pid_t, as the kernel's linux/types.h declares them. */
static const char linux_types[] =
	"#include <asm/types.h>\n#include <linux/posix_types.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
	"typedef __u16 __le16;\ntypedef __u16 __be16;\ntypedef __u32 __le32;\ntypedef __u32 __be32;\ntypedef __u64 __le64;\ntypedef __u64 __be64;\n"
	"typedef __u16 __sum16;\ntypedef __u32 __wsum;\ntypedef unsigned __poll_t;\ntypedef long ssize_t;\ntypedef int pid_t;\n"
	"#define __aligned_u64 __u64 __attribute__((aligned(8)))\n#define __aligned_s64 __s64 __attribute__((aligned(8)))\n"
	"#define __aligned_be64 __be64 __attribute__((aligned(8)))\n#define __aligned_le64 __le64 __attribute__((aligned(8)))\n";

static const char posix_types[] =
	"typedef long __kernel_long_t;\ntypedef unsigned long __kernel_ulong_t;\ntypedef unsigned long __kernel_size_t;\n"
	"typedef long __kernel_ssize_t;\ntypedef int __kernel_pid_t;\ntypedef unsigned int __kernel_uid32_t;\ntypedef unsigned int __kernel_gid32_t;\n"
	"typedef unsigned int __kernel_mode_t;\ntypedef long __kernel_off_t;\ntypedef long long __kernel_loff_t;\n"
	"typedef long __kernel_old_time_t;\ntypedef long long __kernel_time64_t;\ntypedef int __kernel_clockid_t;\n"
	"typedef long __kernel_time_t;\ntypedef long __kernel_suseconds_t;\n";

static const char ioctl[] =
	"#ifndef _IOC\n"
	"#define _IOC_NRBITS 8\n#define _IOC_TYPEBITS 8\n#define _IOC_SIZEBITS 14\n#define _IOC_DIRBITS 2\n"
	"#define _IOC_NRMASK ((1 << _IOC_NRBITS) - 1)\n#define _IOC_TYPEMASK ((1 << _IOC_TYPEBITS) - 1)\n"
	"#define _IOC_SIZEMASK ((1 << _IOC_SIZEBITS) - 1)\n#define _IOC_DIRMASK ((1 << _IOC_DIRBITS) - 1)\n"
	"#define _IOC_NRSHIFT 0\n#define _IOC_TYPESHIFT 8\n#define _IOC_SIZESHIFT 16\n#define _IOC_DIRSHIFT 30\n"
	"#define _IOC_NONE 0U\n#define _IOC_WRITE 1U\n#define _IOC_READ 2U\n"
	"#define _IOC(dir, type, nr, size) (((dir) << _IOC_DIRSHIFT) | ((type) << _IOC_TYPESHIFT) | ((nr) << _IOC_NRSHIFT) | ((size) << _IOC_SIZESHIFT))\n"
	"#define _IOC_TYPECHECK(t) (sizeof(t))\n"
	"#define _IO(type, nr) _IOC(_IOC_NONE, (type), (nr), 0)\n"
	"#define _IOR(type, nr, size) _IOC(_IOC_READ, (type), (nr), (_IOC_TYPECHECK(size)))\n"
	"#define _IOW(type, nr, size) _IOC(_IOC_WRITE, (type), (nr), (_IOC_TYPECHECK(size)))\n"
	"#define _IOWR(type, nr, size) _IOC(_IOC_READ | _IOC_WRITE, (type), (nr), (_IOC_TYPECHECK(size)))\n"
	"#define _IOC_DIR(nr) (((nr) >> _IOC_DIRSHIFT) & _IOC_DIRMASK)\n#define _IOC_TYPE(nr) (((nr) >> _IOC_TYPESHIFT) & _IOC_TYPEMASK)\n"
	"#define _IOC_NR(nr) (((nr) >> _IOC_NRSHIFT) & _IOC_NRMASK)\n#define _IOC_SIZE(nr) (((nr) >> _IOC_SIZESHIFT) & _IOC_SIZEMASK)\n"
	"#endif\n";

/* The texts of headers that other headers of the kernel include. */
static const char linux_stddef[] =
	"#define __struct_group(TAG, NAME, ATTRS, MEMBERS...) union { struct { MEMBERS } ATTRS; struct TAG { MEMBERS } ATTRS NAME; } ATTRS\n"
	"#define __DECLARE_FLEX_ARRAY(TYPE, NAME) struct { struct { } __empty_ ## NAME; TYPE NAME[]; }\n"
	"#ifndef __counted_by\n#define __counted_by(m)\n#define __counted_by_le(m)\n#define __counted_by_be(m)\n#endif\n"
	"#ifndef __always_inline\n#define __always_inline inline\n#endif\n";

/* The text of <sys/time.h>. <linux/time.h> declares the structs if the tree has it. */
static const char sys_time[] =
	"#pragma once\ntypedef long time_t;\n#if __has_include(<linux/time.h>)\n#include <linux/time.h>\n#else\n"
	"struct timespec { long tv_sec; long tv_nsec; };\nstruct timeval { long tv_sec; long tv_usec; };\n#endif\n";

/* The text of a header that the build generates if an architecture has only the asm-generic version. */
#define GENERIC(name) "#if __has_include(<asm-generic/" name ">)\n#include <asm-generic/" name ">\n#endif\n"

static const struct {
	const char *path, *text;
} basics[] = {
	{ "linux/types.h", linux_types },
	{ "linux/ioctl.h", "#include <asm/ioctl.h>\n" },
	{ "linux/posix_types.h", "#include <asm/posix_types.h>\n" },
	{ "linux/compiler.h", "" },
	{ "linux/compiler_types.h", "" },
	{ "linux/stddef.h", linux_stddef },
	{ "asm/types.h", asm_types },
	{ "asm/ioctl.h", ioctl },
	{ "asm/posix_types.h", posix_types },
	{ "asm/bitsperlong.h", "#define __BITS_PER_LONG 64\n" },
	{ "asm/byteorder.h",
	  "#ifndef __LITTLE_ENDIAN\n#define __LITTLE_ENDIAN 1234\n#endif\n#define __LITTLE_ENDIAN_BITFIELD\n" },
	{ "asm/fcntl.h", GENERIC("fcntl.h") },
	{ "asm/sockios.h", GENERIC("sockios.h") },
	{ "asm/swab.h", GENERIC("swab.h") },
	{ "sys/ioctl.h", "#include <asm/ioctl.h>\n" },
	{ "sys/types.h",
	  "#include <stddef.h>\n#include <stdint.h>\ntypedef long ssize_t;\ntypedef long off_t;\ntypedef int pid_t;\n" },
	{ "sys/time.h", sys_time },
	{ "endian.h", "" },
	{ "string.h", "" },
	{ "stdio.h", "" },
	{ "stdlib.h", "#include <stddef.h>\n" },
	{ "time.h", "#include <sys/time.h>\n" },
};

enum { BASICS_COUNT = sizeof(basics) / sizeof(basics[0]) };

/*
 * Directories in which a tree, its C library or its build can have the basic headers. These headers declare
 * types for all drivers. A document has only the types that the driver uses, so that the document of a kernel
 * tree is the same as that of the headers that are installed from the tree.
 */
static const char *const roots[] = {
	"",
	"include/uapi/",
	"include/",
	"bundled/linux/include/uapi/",
	DIRECTORY "/",
	"arch/x86/include/uapi/",
	"arch/arm64/include/uapi/",
	"x86_64-linux-gnu/",
	"aarch64-linux-gnu/",
	"../lib/linux/uapi/x86/",
	"../lib/linux/uapi/arm64/",
};

static const char *const shared[] = {
	"linux/types.h", "linux/posix_types.h", "asm/types.h", "asm/posix_types.h", "asm/posix_types_64.h",
	"asm-generic/types.h", "asm-generic/int-ll64.h", "asm-generic/posix_types.h",
};

enum { ROOT_COUNT = sizeof(roots) / sizeof(roots[0]), SHARED_COUNT = sizeof(shared) / sizeof(shared[0]) };

static void add_context(struct profile_unit *unit, struct arena *arena)
{
	const char **items =
		arena_array(arena, unit->context.count + ROOT_COUNT * SHARED_COUNT, sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < unit->context.count; i++)
		items[count++] = unit->context.item[i];
	for (size_t i = 0; i < ROOT_COUNT; i++)
		for (size_t j = 0; j < SHARED_COUNT; j++)
			items[count++] = arena_printf(arena, "%s%s", roots[i], shared[j]);
	unit->context = (struct profile_strings){ items, count };
}

/* Returns a copy of @list with @item appended. */
static struct profile_strings with_item(const struct profile_strings *list, const char *item,
					struct arena *arena)
{
	const char **items = arena_array(arena, list->count + 1, sizeof(*items));

	for (size_t i = 0; i < list->count; i++)
		items[i] = list->item[i];
	items[list->count] = arena_strdup(arena, item);
	return (struct profile_strings){ items, list->count + 1 };
}

/* Adds the directory of the basic headers, for all targets. */
static void add_directory(struct profile_unit *unit, struct arena *arena)
{
	const char **targets = arena_array(arena, unit->include.count + 1, sizeof(*targets));

	for (size_t i = 0; i < unit->include.count; i++)
		targets[i] = unit->include_target[i];
	unit->include_target = targets;
	unit->include = with_item(&unit->include, DIRECTORY, arena);
}

void linux_basics_add(struct profile_unit *unit, struct arena *arena)
{
	static const char *const defines[] = {
		"__user=", "__iomem=", "__force=", "__attribute_const__=", "__packed=__attribute__((packed))",
	};
	struct profile_stand_in *all = arena_array(arena, unit->stand_in_count + BASICS_COUNT, sizeof(*all));

	if (unit->stand_in_count)
		memcpy(all, unit->stand_ins, unit->stand_in_count * sizeof(*all));
	for (size_t i = 0; i < BASICS_COUNT; i++)
		all[unit->stand_in_count + i] = (struct profile_stand_in){
			.path = arena_printf(arena, DIRECTORY "/%s", basics[i].path),
			.text = basics[i].text,
			.is_expected = true,
		};
	unit->stand_ins = all;
	unit->stand_in_count += BASICS_COUNT;
	add_directory(unit, arena);
	add_context(unit, arena);
	unit->prologue = with_item(&unit->prologue, "#include <linux/types.h>", arena);
	unit->prologue = with_item(&unit->prologue, "#include <linux/ioctl.h>", arena);
	for (size_t i = 0; i < sizeof(defines) / sizeof(*defines); i++)
		unit->define = with_item(&unit->define, defines[i], arena);
}

bool json_has_linux_basic(const char *path)
{
	for (size_t i = 0; i < BASICS_COUNT; i++)
		if (!strcmp(basics[i].path, path))
			return true;
	return false;
}

const char *profile_hash(const char *text, size_t size, struct arena *arena)
{
	XXH128_hash_t hash = XXH3_128bits(text, size);

	return arena_printf(arena, "%016llx%016llx", (unsigned long long)hash.high64,
			    (unsigned long long)hash.low64);
}

void profile_want_constants(struct profile *profile, const struct profile_strings *globs, struct arena *arena)
{
	struct profile_constant *rules =
		arena_array(arena, profile->constant_count + 2 * globs->count, sizeof(*rules));
	struct strbuf text = { 0 };
	size_t count = profile->constant_count;

	if (count)
		memcpy(rules, profile->constants, count * sizeof(*rules));
	strbuf_adds(&text, profile->hash ? profile->hash : "");
	for (size_t i = 0; i < globs->count; i++) {
		rules[count++] = (struct profile_constant){ .name = globs->item[i], .is_extra = true };
		rules[count++] = (struct profile_constant){ .name = globs->item[i],
							    .enumeration = "*",
							    .is_extra = true };
		strbuf_addf(&text, "\n%s", globs->item[i]);
	}
	profile->constants = rules;
	profile->constant_count = count;
	if (profile->hash)
		profile->hash = profile_hash(text.text, text.length, arena);
	strbuf_release(&text);
}

/*
 * Does @glob have no wildcard except '*'? Most globs are of this kind, and are matched against tens of
 * thousands of names. plain_glob_matches() is faster for them than fnmatch().
 */
static bool is_plain_glob(const char *glob)
{
	return !strpbrk(glob, "?[\\");
}

static char folded(char ch)
{
	return ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch;
}

/* In camel case, does a word begin at @at that is not the first word of @start? */
static bool is_next_word(const char *start, const char *at)
{
	return at > start && at[-1] >= 'a' && at[-1] <= 'z' && *at >= 'A' && *at <= 'Z';
}

/*
 * Matches @text with @glob. After a mismatch, the last '*' is extended by a character. With @fold_case, case
 * is ignored, but a word of @glob does not match parts of two words in camel case: "*pid" matches "vmPid",
 * "PID" and "vmpid", but not "chipId".
 */
static bool plain_glob_matches(const char *glob, const char *text, bool fold_case)
{
	const char *word = glob, *start = text, *star = NULL, *resume = NULL;

	while (*text) {
		if (*glob == '*') {
			star = glob++;
			word = glob;
			resume = text;
		} else if (*glob == *text || (fold_case && folded(*glob) == folded(*text) &&
					      !(glob > word && is_next_word(start, text)))) {
			glob++;
			text++;
		} else if (star) {
			glob = star + 1;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool glob_matches(const char *glob, const char *text, bool fold_case)
{
	if (is_plain_glob(glob))
		return plain_glob_matches(glob, text, fold_case);
	return !fnmatch(glob, text, fold_case ? FNM_CASEFOLD : 0);
}

bool profile_matches(const struct profile_strings *globs, const char *text)
{
	for (size_t i = 0; i < globs->count; i++)
		if (glob_matches(globs->item[i], text, false))
			return true;
	return false;
}

/* Returns @type without its dimensions. */
static struct span base_of(const char *type)
{
	struct abi_spelling spelling;

	if (!strchr(type, '[') || abi_spelling_parse(&spelling, type, NULL) || !spelling.dimension_count)
		return (struct span){ type, strlen(type) };
	return (struct span){ spelling.base, spelling.base_length };
}

/*
 * Appends @type without its qualifiers: "void *" for "void *const", "NvU32" for "const NvU32", "int *" for
 * "_Atomic(int *)", and "void (*)(int)" for "void (*const)(int)".
 */
static void add_unqualified(struct strbuf *out, struct span type)
{
	static const char atomic[] = "_Atomic(";
	const size_t before = out->length;
	const char *at = type.text, *end = type.text + type.length;

	if (!strncmp(at, atomic, strlen(atomic)) && end[-1] == ')') {
		at += strlen(atomic);
		end--;
	}
	while (at < end) {
		struct span word = { at, 0 };

		while (at < end && view_is_word_char(*at))
			at++;
		word.length = (size_t)(at - word.text);
		if (!word.length)
			strbuf_addch(out, *at++);
		else if (!span_is_qualifier(word))
			strbuf_add(out, word.text, word.length);
		else if (at < end && *at == ' ')
			at++;
	}
	while (out->length > before && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
}

/*
 * Appends the spellings of @types that rules match, each with its NUL: each type without dimensions, and also
 * without qualifiers.
 */
static void add_spellings(struct strbuf *out, const char *const *types)
{
	for (; *types; types++) {
		struct span base = base_of(*types);

		strbuf_add(out, base.text, base.length);
		strbuf_addch(out, '\0');
		add_unqualified(out, base);
		strbuf_addch(out, '\0');
	}
}

static bool any_spelling_matches(const char *glob, const struct strbuf *spellings)
{
	const char *at = spellings->text, *end = at + spellings->length;

	while (at < end && !glob_matches(glob, at, false))
		at += strlen(at) + 1;
	return at < end;
}

enum abi_role profile_role_of(const struct profile *profile, const char *record, const char *name,
			      const char *const *types)
{
	enum abi_role role = ABI_ROLE_NONE;
	struct strbuf spellings = { 0 };

	for (size_t i = 0; i < profile->role_count; i++) {
		const struct profile_role *rule = &profile->roles[i];

		if ((rule->name && !glob_matches(rule->name, name, true)) ||
		    (rule->record && !glob_matches(rule->record, record, false)))
			continue;
		if (rule->type && !spellings.length)
			add_spellings(&spellings, types);
		if (rule->type && !any_spelling_matches(rule->type, &spellings))
			continue;
		role = rule->role;
		break;
	}
	strbuf_release(&spellings);
	return role;
}

/* A list of paths. It owns the array, which is from malloc(), but not the strings. */
struct root_list {
	const char **item;
	size_t count;
	size_t capacity;
};

/* Returns the length of the longest path without wildcards at the start of @glob. */
static size_t literal_length(const char *glob)
{
	size_t length = strcspn(glob, "*?[\\");

	if (!glob[length])
		return length;
	while (length && glob[length - 1] != '/')
		length--;
	return length;
}

static bool leaves_tree(const char *path)
{
	size_t length;

	if (*path == '/')
		return true;
	for (; *path; path += length + (path[length] == '/')) {
		length = strcspn(path, "/");
		if (length == 2 && !memcmp(path, "..", 2))
			return true;
	}
	return false;
}

static int root_add(struct root_list *list, const char *pattern, struct arena *arena, struct err *err)
{
	size_t length = literal_length(pattern);
	const char *path;

	while (length && pattern[length - 1] == '/')
		length--;
	path = length == 1 && pattern[0] == '.' ? "" : arena_strndup(arena, pattern, length);
	if (leaves_tree(pattern))
		return err_set(err, ERR_FORMAT,
			       "the path \"%.200s\" leaves the driver tree; paths are relative to its root",
			       pattern);
	ARRAY_GROW(list->item, list->count, list->capacity);
	list->item[list->count++] = path;
	return 0;
}

static int roots_add(struct root_list *list, const struct profile_strings *patterns, struct arena *arena,
		     struct err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < patterns->count; i++)
		rc = root_add(list, patterns->item[i], arena, err);
	return rc;
}

/* Adds headers and their directories, because #include "x.h" searches the directory of the including file. */
static int roots_add_headers(struct root_list *list, const struct profile_strings *patterns,
			     struct arena *arena, struct err *err)
{
	int rc = roots_add(list, patterns, arena, err);

	for (size_t i = 0; i < patterns->count && !rc; i++) {
		const char *pattern = patterns->item[i], *slash = strrchr(pattern, '/');

		rc = root_add(list, slash ? arena_strndup(arena, pattern, (size_t)(slash - pattern)) : ".",
			      arena, err);
	}
	return rc;
}

static int profile_roots_collect(struct root_list *list, const struct profile *profile, struct arena *arena,
				 struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < profile->unit_count; i++) {
		const struct profile_unit *unit = &profile->units[i];

		if ((rc = roots_add_headers(list, &unit->headers, arena, err)) ||
		    (rc = roots_add_headers(list, &unit->optional_headers, arena, err)) ||
		    (rc = roots_add(list, &unit->include, arena, err))) {
			err_prefix(err, "profile %s, unit %s", profile->name, unit->name);
			return rc;
		}
	}
	for (size_t i = 0; i < profile->family_count; i++) {
		const struct profile_family *family = &profile->families[i];
		const struct profile_strings *const lists[] = {
			&family->files, &family->routes.files, &family->embedded, &family->dispatch.files,
			&family->deprecated.files, &family->flag_words.files, &family->access_words.files,
		};

		for (size_t k = 0; k < sizeof(lists) / sizeof(*lists) && !rc; k++)
			rc = roots_add(list, lists[k], arena, err);
		if (rc) {
			err_prefix(err, "profile %s, family %s", profile->name, family->name);
			return rc;
		}
	}
	return 0;
}

int profile_roots(struct profile_strings *out, const struct profile *profile, struct arena *arena,
		  struct err *err)
{
	struct root_list list = { 0 };
	size_t unique = 0;
	int rc;

	if ((rc = profile_roots_collect(&list, profile, arena, err)))
		goto out;
	if (list.count)
		qsort(list.item, list.count, sizeof(*list.item), order_named);
	for (size_t i = 0; i < list.count; i++)
		if (!unique || strcmp(list.item[unique - 1], list.item[i]))
			list.item[unique++] = list.item[i];
	out->item = unique ? arena_memdup(arena, list.item, unique * sizeof(*list.item)) : NULL;
	out->count = unique;
out:
	free(list.item);
	return rc;
}
