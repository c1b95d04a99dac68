/*
 * The program, in this order:
 *
 *   1. another architecture: its ioctls, and filters that ask a supervisor; all else is allowed
 *   2. ioctl: the request
 *   3. seccomp: a filter that asks a supervisor
 *   4. mmap: flags and descriptor
 *   5. with replay, the calls that name a path or ask for a status
 *   6. allow
 *
 * Each of them ends with a verdict, so that jumps stay within one.
 */
#include "sniff/filter.h"

#include "decode/decode.h"
#include "sniff/arch.h"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define DATA(field) ((uint32_t)offsetof(struct seccomp_data, field))
/* The low half of an argument: both processors are little-endian. What the kernel ignores of an int is not looked at. */
#define ARGUMENT(index) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (index)))

/* What replay answers, or must know of. */
static const uint32_t path_calls[] = {
#ifdef SYS_open
	SYS_open,
#endif
#ifdef SYS_creat
	SYS_creat,
#endif
#ifdef SYS_stat
	SYS_stat, SYS_lstat,
#endif
#ifdef SYS_access
	SYS_access,
#endif
#ifdef SYS_readlink
	SYS_readlink,
#endif
	SYS_openat, SYS_openat2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat,
};

enum { PATH_CALLS = sizeof(path_calls) / sizeof(*path_calls) };

struct program {
	struct sock_filter *out;
	size_t count;
};

static void emit(struct program *program, uint16_t code, uint32_t value)
{
	program->out[program->count++] = (struct sock_filter)BPF_STMT(code, value);
}

/* Skip @count instructions unless the accumulator is @value, or has a bit of it. */
static void skip_unless(struct program *program, uint16_t test, uint32_t value, uint8_t count)
{
	program->out[program->count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, count);
}

static void skip_if(struct program *program, uint16_t test, uint32_t value, uint8_t count)
{
	program->out[program->count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, value, count, 0);
}

static void load(struct program *program, uint32_t offset)
{
	emit(program, BPF_LD | BPF_W | BPF_ABS, offset);
}

static void stop(struct program *program)
{
	emit(program, BPF_RET | BPF_K, SECCOMP_RET_TRACE);
}

static void allow(struct program *program)
{
	emit(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

/* An ioctl of that number in its architecture's table: the driver gets all requests but a few. */
static void judge_ioctl(struct program *program, uint32_t number)
{
	skip_unless(program, BPF_JEQ, number, DEVICE_NEVER_COUNT + 3);
	load(program, ARGUMENT(1));
	for (uint8_t i = 0; i < DEVICE_NEVER_COUNT; i++)
		skip_if(program, BPF_JEQ, device_never[i], (uint8_t)(DEVICE_NEVER_COUNT - i));
	stop(program);
	allow(program);
}

/* A filter of the workload's own that asks a supervisor: what that lets go on, stops nowhere. */
static void judge_listener(struct program *program, uint32_t number)
{
	skip_unless(program, BPF_JEQ, number, 4);
	load(program, ARGUMENT(1));
	skip_unless(program, BPF_JSET, SECCOMP_FILTER_FLAG_NEW_LISTENER, 1);
	stop(program);
	allow(program);
}

static void judge_mmap(struct program *program)
{
	skip_unless(program, BPF_JEQ, SYS_mmap, 7);
	load(program, ARGUMENT(3));
	skip_unless(program, BPF_JSET, MAP_SHARED, 4);
	skip_if(program, BPF_JSET, MAP_ANONYMOUS, 3);
	load(program, ARGUMENT(4));
	skip_if(program, BPF_JSET, 0x80000000, 1);
	stop(program);
	allow(program);
}

size_t filter_build(struct sock_filter out[FILTER_MAX], bool replay)
{
	enum { NARROW_LENGTH = 1 + (DEVICE_NEVER_COUNT + 4) + 5 + 1 };
	struct program program = { .out = out };

	load(&program, DATA(arch));
	skip_if(&program, BPF_JEQ, sniff_arch.audit, NARROW_LENGTH + 1);
	skip_unless(&program, BPF_JEQ, sniff_arch.narrow_audit, NARROW_LENGTH - 1);
	load(&program, DATA(nr));
	judge_ioctl(&program, sniff_arch.narrow_ioctl);
	judge_listener(&program, sniff_arch.narrow_seccomp);
	allow(&program);

	load(&program, DATA(nr));
	judge_ioctl(&program, SYS_ioctl);
	if (sniff_arch.x32_bit)
		judge_ioctl(&program, (uint32_t)sniff_arch.x32_bit | 514); /* arch/x86/entry/syscalls/syscall_64.tbl: x32 ioctl */
	judge_listener(&program, SYS_seccomp);
	judge_mmap(&program);
	for (size_t i = 0; replay && i < PATH_CALLS; i++) {
		skip_unless(&program, BPF_JEQ, path_calls[i], 1);
		stop(&program);
	}
	allow(&program);
	return program.count;
}

bool filter_names_path(uint64_t number)
{
	for (size_t i = 0; i < PATH_CALLS; i++)
		if (path_calls[i] == number)
			return true;
	return false;
}
