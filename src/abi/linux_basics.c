#include "abi/linux_basics.h"

#include "abi/json.h"

#include <string.h>

#define DIRECTORY "drvabi-basics"

static const char asm_types[] =
	"typedef signed char __s8;\ntypedef unsigned char __u8;\ntypedef signed short __s16;\ntypedef unsigned short __u16;\n"
	"typedef signed int __s32;\ntypedef unsigned int __u32;\ntypedef signed long long __s64;\ntypedef unsigned long long __u64;\n";

/* Headers of drivers use uint32_t, bool, size_t and pid_t as well: inside the kernel this header has them. */
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

/* What headers of the kernel use of it, in C. */
static const char linux_stddef[] =
	"#define __struct_group(TAG, NAME, ATTRS, MEMBERS...) union { struct { MEMBERS } ATTRS; struct TAG { MEMBERS } ATTRS NAME; } ATTRS\n"
	"#define __DECLARE_FLEX_ARRAY(TYPE, NAME) struct { struct { } __empty_ ## NAME; TYPE NAME[]; }\n"
	"#ifndef __counted_by\n#define __counted_by(m)\n#define __counted_by_le(m)\n#define __counted_by_be(m)\n#endif\n"
	"#ifndef __always_inline\n#define __always_inline inline\n#endif\n";

/* The kernel's own header of these, where the tree has it. */
static const char sys_time[] =
	"#pragma once\ntypedef long time_t;\n#if __has_include(<linux/time.h>)\n#include <linux/time.h>\n#else\n"
	"struct timespec { long tv_sec; long tv_nsec; };\nstruct timeval { long tv_sec; long tv_usec; };\n#endif\n";

/* What a build of the kernel generates for processors that have no header of their own. */
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
	{ "asm/byteorder.h", "#ifndef __LITTLE_ENDIAN\n#define __LITTLE_ENDIAN 1234\n#endif\n#define __LITTLE_ENDIAN_BITFIELD\n" },
	{ "asm/fcntl.h", GENERIC("fcntl.h") },
	{ "asm/sockios.h", GENERIC("sockios.h") },
	{ "asm/swab.h", GENERIC("swab.h") },
	{ "sys/ioctl.h", "#include <asm/ioctl.h>\n" },
	{ "sys/types.h", "#include <stddef.h>\n#include <stdint.h>\ntypedef long ssize_t;\ntypedef long off_t;\ntypedef int pid_t;\n" },
	{ "sys/time.h", sys_time },
	{ "endian.h", "" },
	{ "string.h", "" },
	{ "stdio.h", "" },
	{ "stdlib.h", "#include <stddef.h>\n" },
	{ "time.h", "#include <sys/time.h>\n" },
};
enum { BASICS_COUNT = sizeof(basics) / sizeof(basics[0]) };

/*
 * Where the tree has the basics itself, and its C library or build has them. All declare types for everybody: a document has those that the
 * driver uses, so that it is the same for a kernel's own tree and for the headers that are installed from it.
 */
static const char *const roots[] = {
	"", "include/uapi/", "include/", "bundled/linux/include/uapi/", DIRECTORY "/", "arch/x86/include/uapi/", "arch/arm64/include/uapi/",
	"x86_64-linux-gnu/", "aarch64-linux-gnu/", "../lib/linux/uapi/x86/", "../lib/linux/uapi/arm64/",
};
static const char *const shared[] = {
	"linux/types.h", "linux/posix_types.h", "asm/types.h", "asm/posix_types.h", "asm/posix_types_64.h",
	"asm-generic/types.h", "asm-generic/int-ll64.h", "asm-generic/posix_types.h",
};
enum { ROOT_COUNT = sizeof(roots) / sizeof(roots[0]), SHARED_COUNT = sizeof(shared) / sizeof(shared[0]) };

static void add_context(struct profile_unit *unit, struct arena *arena)
{
	const char **items = arena_array(arena, unit->context.count + ROOT_COUNT * SHARED_COUNT, sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < unit->context.count; i++)
		items[count++] = unit->context.item[i];
	for (size_t i = 0; i < ROOT_COUNT; i++)
		for (size_t j = 0; j < SHARED_COUNT; j++)
			items[count++] = arena_printf(arena, "%s%s", roots[i], shared[j]);
	unit->context = (struct profile_strings){ items, count };
}

/* @list with @item behind it. */
static struct profile_strings with_item(const struct profile_strings *list, const char *item, struct arena *arena)
{
	const char **items = arena_array(arena, list->count + 1, sizeof(*items));

	for (size_t i = 0; i < list->count; i++)
		items[i] = list->item[i];
	items[list->count] = arena_strdup(arena, item);
	return (struct profile_strings){ items, list->count + 1 };
}

/* For all targets, as the basics are. */
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
	struct profile_stand_in *all = arena_array(arena, unit->stand_in_count + BASICS_COUNT, sizeof(*all));

	if (unit->stand_in_count)
		memcpy(all, unit->stand_ins, unit->stand_in_count * sizeof(*all));
	for (size_t i = 0; i < BASICS_COUNT; i++)
		all[unit->stand_in_count + i] = (struct profile_stand_in){
			.path = arena_printf(arena, DIRECTORY "/%s", basics[i].path), .text = basics[i].text, .is_expected = true,
		};
	unit->stand_ins = all;
	unit->stand_in_count += BASICS_COUNT;
	add_directory(unit, arena);
	add_context(unit, arena);
	unit->prologue = with_item(&unit->prologue, "#include <linux/types.h>", arena);
	unit->prologue = with_item(&unit->prologue, "#include <linux/ioctl.h>", arena);
	unit->define = with_item(&unit->define, "__user=", arena);
	unit->define = with_item(&unit->define, "__iomem=", arena);
	unit->define = with_item(&unit->define, "__force=", arena);
	unit->define = with_item(&unit->define, "__attribute_const__=", arena);
	unit->define = with_item(&unit->define, "__packed=__attribute__((packed))", arena);
}

bool json_has_linux_basic(const char *path)
{
	for (size_t i = 0; i < BASICS_COUNT; i++)
		if (!strcmp(basics[i].path, path))
			return true;
	return false;
}
