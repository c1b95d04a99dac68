#include "sniff/filter.h"

#include "sniff/arch.h"

#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cmocka.h>

static uint32_t loaded(const struct seccomp_data *data, uint32_t offset)
{
	uint32_t word;

	memcpy(&word, (const char *)data + offset, sizeof(word));
	return word;
}

/* What the kernel does with the program: the instructions that it uses, and no others. */
static uint32_t verdict_on(const struct seccomp_data *data, const struct filter_options *options)
{
	struct sock_filter program[FILTER_MAX];
	const size_t count = filter_build(program, options);
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

static bool stops_with(const struct filter_options *options, uint32_t arch, int number, uint64_t request)
{
	const struct seccomp_data data = { .nr = number, .arch = arch, .args = { 3, request } };

	return verdict_on(&data, options) == SECCOMP_RET_TRACE;
}

static bool stops(int number, uint64_t request)
{
	const struct filter_options options = { .any_type = false };

	return stops_with(&options, sniff_arch.audit, number, request);
}

static void it_stops_at_ioctls_of_the_drivers_type(void **state)
{
	(void)state;
	assert_true(stops(SYS_ioctl, 0xc020462a));
	assert_true(stops(SYS_ioctl, 0x46c9));
	assert_true(stops(SYS_ioctl, 0xffffffffc020462a)); /* the kernel takes 32 bits */
	assert_false(stops(SYS_ioctl, 0xc020542a));
	assert_false(stops(SYS_ioctl, 0x5401));
	assert_false(stops(SYS_read, 0xc020462a));
}

static void it_stops_at_uvms_numbers(void **state)
{
	(void)state;
	assert_true(stops(SYS_ioctl, 1));
	assert_true(stops(SYS_ioctl, 39));
	assert_true(stops(SYS_ioctl, 0x30000001));
	assert_true(stops(SYS_ioctl, 0x133)); /* uvm_test_ioctl.h begins at 200 */
	assert_false(stops(SYS_ioctl, 0x301));
	assert_false(stops(SYS_ioctl, 0x80041272)); /* BLKGETSIZE64 */
}

static void with_any_type_it_stops_at_every_ioctl(void **state)
{
	const struct filter_options any = { .any_type = true };

	(void)state;
	assert_true(stops_with(&any, sniff_arch.audit, SYS_ioctl, 0x5401));
	assert_false(stops_with(&any, sniff_arch.audit, SYS_read, 0x5401));
}

static bool stops_at_mmap(uint64_t flags, uint64_t fd)
{
	const struct seccomp_data data = { .nr = SYS_mmap, .arch = sniff_arch.audit, .args = { 0, 4096, 3, flags, fd, 0 } };
	const struct filter_options options = { .any_type = false };

	return verdict_on(&data, &options) == SECCOMP_RET_TRACE;
}

static void it_stops_at_shared_mmaps_of_a_descriptor(void **state)
{
	(void)state;
	assert_true(stops_at_mmap(MAP_SHARED, 3));
	assert_true(stops_at_mmap(MAP_SHARED_VALIDATE | MAP_FIXED, 0));
	assert_false(stops_at_mmap(MAP_PRIVATE, 3));
	assert_false(stops_at_mmap(MAP_SHARED | MAP_ANONYMOUS, 3));
	assert_false(stops_at_mmap(MAP_SHARED, (uint64_t)-1));
	assert_false(stops_at_mmap(MAP_SHARED, UINT32_MAX));
}

static void only_replay_stops_at_calls_that_name_a_path(void **state)
{
	const struct filter_options replay = { .replay = true };

	(void)state;
	assert_true(stops_with(&replay, sniff_arch.audit, SYS_openat, 0));
	assert_true(stops_with(&replay, sniff_arch.audit, SYS_statx, 0));
	assert_false(stops_with(&replay, sniff_arch.audit, SYS_read, 0));
	assert_false(stops(SYS_openat, 0));
}

static void other_architectures_stop_at_the_same_ioctls(void **state)
{
	const struct filter_options options = { .any_type = false };

	(void)state;
	assert_true(stops_with(&options, sniff_arch.narrow_audit, (int)sniff_arch.narrow_ioctl, 0xc020462a));
	assert_false(stops_with(&options, sniff_arch.narrow_audit, (int)sniff_arch.narrow_ioctl, 0x5401));
	assert_false(stops_with(&options, sniff_arch.narrow_audit, SYS_ioctl == 54 ? 53 : SYS_ioctl, 0xc020462a));
	assert_false(stops_with(&options, 0x12345678, SYS_ioctl, 0xc020462a));
	if (sniff_arch.x32_bit)
		assert_true(stops_with(&options, sniff_arch.audit, (int)sniff_arch.x32_bit + 514, 0xc020462a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_stops_at_ioctls_of_the_drivers_type),
		cmocka_unit_test(it_stops_at_uvms_numbers),
		cmocka_unit_test(with_any_type_it_stops_at_every_ioctl),
		cmocka_unit_test(it_stops_at_shared_mmaps_of_a_descriptor),
		cmocka_unit_test(only_replay_stops_at_calls_that_name_a_path),
		cmocka_unit_test(other_architectures_stop_at_the_same_ioctls),
	};

	return cmocka_run_group_tests_name("sniff filter", tests, NULL, NULL);
}
