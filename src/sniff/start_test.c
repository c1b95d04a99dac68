/* Tests at which system calls the seccomp filter stops. */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static uint32_t loaded(const struct seccomp_data *data, uint32_t offset)
{
	uint32_t word;

	memcpy(&word, (const char *)data + offset, sizeof(word));
	return word;
}

/* Interprets the filter's program as the kernel does. Supports only the instructions in the program. */
static uint32_t verdict_on(const struct seccomp_data *data, bool replay)
{
	struct sock_filter program[FILTER_MAX];
	const size_t count = filter_build(program, replay);
	uint32_t a = 0;

	assert_in_range(count, 1, FILTER_MAX);
	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *in = &program[at];

		switch (in->code) {
		case BPF_LD | BPF_W | BPF_ABS: a = loaded(data, in->k); break;
		case BPF_ALU | BPF_AND | BPF_K: a &= in->k; break;
		case BPF_JMP | BPF_JEQ | BPF_K: at += a == in->k ? in->jt : in->jf; break;
		case BPF_JMP | BPF_JSET | BPF_K: at += a & in->k ? in->jt : in->jf; break;
		case BPF_RET | BPF_K: return in->k;
		default: fail_msg("instruction 0x%x", in->code);
		}
	}
	fail_msg("the program runs past its end");
	return 0;
}

enum when { NEVER, IN_REPLAY, ALWAYS };

TEST(it_stops_at_calls_that_may_be_for_the_driver)
{
	const uint32_t native = sniff_arch.audit, narrow = sniff_arch.narrow_audit;
	const uint64_t x32 = sniff_arch.x32_bit, listener = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	const struct {
		const char *fact; /* NULL: that of the row above */
		uint32_t arch;
		uint64_t number, args[6];
		enum when when;
	} rows[] = {
		/*
		 * The driver's frontend ignores the type in a request, and the other devices have different
		 * types. So a request does not show whether it is for the driver.
		 */
		{ "ioctls of any type", native, SYS_ioctl, { 3, 0xc020462a }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0x46c9 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0xffffffffc020462a }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0xc020542a }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0xc0106d00 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0xc0106440 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0xc0205301 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 1 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 39 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0x30000001 }, ALWAYS },
		{ NULL, native, SYS_ioctl, { 3, 0x5402 }, ALWAYS },
		{ "no driver gets FIOCLEX", native, SYS_ioctl, { 3, 0x5451 }, NEVER },
		{ "no driver gets FIONBIO", native, SYS_ioctl, { 3, 0x5421 }, NEVER },
		{ "no driver gets TCGETS of isatty()", native, SYS_ioctl, { 3, 0x5401 }, NEVER },
		{ "no driver gets TCGETS2", native, SYS_ioctl, { 3, 0x802c542a }, NEVER },
		{ "read(2)", native, SYS_read, { 3, 0xc020462a }, NEVER },
		{ "a filter that asks a supervisor", native, SYS_seccomp, { 3, listener }, ALWAYS },
		{ NULL, narrow, sniff_arch.narrow_seccomp, { 3, listener }, ALWAYS },
		{ "another filter", native, SYS_seccomp, { 3 }, NEVER },
		{ "a shared mmap of a descriptor", native, SYS_mmap, { 0, 4096, 3, MAP_SHARED, 3 }, ALWAYS },
		{ NULL, native, SYS_mmap, { 0, 4096, 3, MAP_SHARED_VALIDATE | MAP_FIXED, 0 }, ALWAYS },
		{ "a private mmap", native, SYS_mmap, { 0, 4096, 3, MAP_PRIVATE, 3 }, NEVER },
		{ "an anonymous mmap", native, SYS_mmap, { 0, 0, 3, MAP_SHARED | MAP_ANONYMOUS, 3 }, NEVER },
		{ "no descriptor", native, SYS_mmap, { 0, 4096, 3, MAP_SHARED, UINT64_MAX }, NEVER },
		{ NULL, native, SYS_mmap, { 0, 4096, 3, MAP_SHARED, UINT32_MAX }, NEVER },
		{ "a call that names a path", native, SYS_openat, { 0 }, IN_REPLAY },
		{ NULL, native, SYS_statx, { 0 }, IN_REPLAY },
		{ NULL, native, SYS_unlinkat, { 0 }, IN_REPLAY },
		{ "a 32-bit program's ioctl", narrow, sniff_arch.narrow_ioctl, { 3, 0xc020462a }, ALWAYS },
		{ NULL, narrow, sniff_arch.narrow_ioctl, { 3, 0x5401 }, NEVER },
		{ NULL, narrow, SYS_ioctl == 54 ? 53 : SYS_ioctl, { 3, 0xc020462a }, NEVER },
		{ "a mmap of a 32-bit program", narrow, sniff_arch.narrow_mmap, { 0, 0, 0, MAP_SHARED, 3 },
		  ALWAYS },
		{ NULL, narrow, sniff_arch.narrow_mmap, { 0, 0, 0, MAP_PRIVATE, 3 }, NEVER },
		{ "a mmap with its arguments in memory", narrow, sniff_arch.narrow_old_mmap, { 0 },
		  sniff_arch.narrow_old_mmap ? ALWAYS : NEVER },
		{ "an unknown architecture", 0x12345678, SYS_ioctl, { 3, 0xc020462a }, NEVER },
		{ "an ioctl of an x32 program", native, sniff_arch.x32_ioctl, { 3, 0xc020462a },
		  x32 ? ALWAYS : NEVER },
		{ "a mmap of an x32 program", native, x32 | SYS_mmap, { 0, 0, 0, MAP_SHARED, 3 }, ALWAYS },
		{ "a number that is not x32's ioctl", native, x32 + SYS_ioctl, { 3, 0xc020462a },
		  x32 ? NEVER : ALWAYS },
	};
	const char *fact = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct seccomp_data data = { .nr = (int)rows[i].number, .arch = rows[i].arch };

		memcpy(data.args, rows[i].args, sizeof(data.args));
		fact = rows[i].fact ? rows[i].fact : fact;
		for (int replay = 0; replay < 2; replay++)
			if ((verdict_on(&data, replay) == SECCOMP_RET_TRACE) !=
			    (rows[i].when == ALWAYS || (replay && rows[i].when == IN_REPLAY)))
				fail_msg("%s: row %zu, replay %d", fact, i, replay);
	}
}
