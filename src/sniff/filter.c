/*
 * The program, in this order:
 *
 *   1. another architecture: of its ioctls the requests are compared, all else is allowed
 *   2. ioctl: the request
 *   3. mmap: flags and descriptor
 *   4. with replay, the calls that name a path or ask for a status
 *   5. allow
 *
 * Each of them ends with a verdict, so that jumps stay within one.
 */
#include "sniff/filter.h"

#include "sniff/arch.h"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define DATA(field) ((uint32_t)offsetof(struct seccomp_data, field))
/* The low half of an argument: both processors are little-endian. What the kernel ignores of an int is not looked at. */
#define ARGUMENT(index) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (index)))

/* A request: nothing but the low twelve bits and the highest four, and a number below 0x200. */
enum { UVM_MASK = 0x0ffffe00, TYPE_MASK = 0xff00, TYPE = 'F' << 8 };

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

/* An ioctl: ends with a verdict. */
static void judge_request(struct program *program, const struct filter_options *options)
{
	if (!options->any_type) {
		load(program, ARGUMENT(1));
		emit(program, BPF_ALU | BPF_AND | BPF_K, TYPE_MASK);
		skip_if(program, BPF_JEQ, TYPE, 4);
		load(program, ARGUMENT(1));
		emit(program, BPF_ALU | BPF_AND | BPF_K, UVM_MASK);
		skip_if(program, BPF_JEQ, 0, 1);
		allow(program);
	}
	stop(program);
}

/* How many instructions judge_request() adds. */
static uint8_t request_length(const struct filter_options *options)
{
	return options->any_type ? 1 : 8;
}

static void judge_ioctl_of(struct program *program, uint32_t number, const struct filter_options *options)
{
	skip_unless(program, BPF_JEQ, number, request_length(options));
	judge_request(program, options);
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

size_t filter_build(struct sock_filter out[FILTER_MAX], const struct filter_options *options)
{
	struct program program = { .out = out };
	const uint8_t length = request_length(options);

	load(&program, DATA(arch));
	skip_if(&program, BPF_JEQ, sniff_arch.audit, (uint8_t)(length + 4));
	skip_unless(&program, BPF_JEQ, sniff_arch.narrow_audit, (uint8_t)(length + 2));
	load(&program, DATA(nr));
	judge_ioctl_of(&program, sniff_arch.narrow_ioctl, options);
	allow(&program);

	load(&program, DATA(nr));
	judge_ioctl_of(&program, SYS_ioctl, options);
	if (sniff_arch.x32_bit)
		judge_ioctl_of(&program, (uint32_t)sniff_arch.x32_bit | 514, options); /* arch/x86/entry/syscalls/syscall_64.tbl: x32 ioctl */
	judge_mmap(&program);
	for (size_t i = 0; options->replay && i < PATH_CALLS; i++) {
		skip_unless(&program, BPF_JEQ, path_calls[i], 1);
		stop(&program);
	}
	allow(&program);
	return program.count;
}

bool filter_stops_at_ioctl(const struct filter_options *options, uint64_t request)
{
	return options->any_type || (request & TYPE_MASK) == TYPE || !(request & UVM_MASK);
}

bool filter_names_path(uint64_t number)
{
	for (size_t i = 0; i < PATH_CALLS; i++)
		if (path_calls[i] == number)
			return true;
	return false;
}
