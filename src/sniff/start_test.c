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

static bool stops_with(bool replay, uint32_t arch, int number, uint64_t request)
{
	const struct seccomp_data data = { .nr = number, .arch = arch, .args = { 3, request } };

	return verdict_on(&data, replay) == SECCOMP_RET_TRACE;
}

static bool stops(int number, uint64_t request)
{
	return stops_with(false, sniff_arch.audit, number, request);
}

/*
 * The driver's frontend ignores the type in a request, and the other devices have different types. So a
 * request does not show whether it is for the driver.
 */
static void it_stops_at_ioctls_of_any_type(void **state)
{
	static const uint64_t requests[] = { 0xc020462a, 0x46c9,     0xffffffffc020462a,
					     0xc020542a, 0xc0106d00, 0xc0106440,
					     0xc0205301, 1,          39,
					     0x30000001, 0x5402 };

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		assert_true(stops(SYS_ioctl, requests[i]));
	assert_false(stops(SYS_read, 0xc020462a));
}

static void it_does_not_stop_at_what_no_driver_gets(void **state)
{
	assert_false(stops(SYS_ioctl, 0x5451));     /* FIOCLEX */
	assert_false(stops(SYS_ioctl, 0x5421));     /* FIONBIO */
	assert_false(stops(SYS_ioctl, 0x5401));     /* TCGETS: isatty() */
	assert_false(stops(SYS_ioctl, 0x802c542a)); /* TCGETS2 */
}

static void it_stops_at_filters_that_ask_a_supervisor(void **state)
{
	assert_true(stops(SYS_seccomp, SECCOMP_FILTER_FLAG_NEW_LISTENER));
	assert_true(stops_with(false, sniff_arch.narrow_audit, (int)sniff_arch.narrow_seccomp,
			       SECCOMP_FILTER_FLAG_NEW_LISTENER));
	assert_false(stops(SYS_seccomp, 0));
}

static bool stops_at_mmap_of(uint32_t arch, uint64_t number, uint64_t flags, uint64_t fd)
{
	const struct seccomp_data data = { .nr = (int)number,
					   .arch = arch,
					   .args = { 0, 4096, 3, flags, fd, 0 } };

	return verdict_on(&data, false) == SECCOMP_RET_TRACE;
}

static bool stops_at_mmap(uint64_t flags, uint64_t fd)
{
	return stops_at_mmap_of(sniff_arch.audit, SYS_mmap, flags, fd);
}

static void it_stops_at_shared_mmaps_of_a_descriptor(void **state)
{
	assert_true(stops_at_mmap(MAP_SHARED, 3));
	assert_true(stops_at_mmap(MAP_SHARED_VALIDATE | MAP_FIXED, 0));
	assert_false(stops_at_mmap(MAP_PRIVATE, 3));
	assert_false(stops_at_mmap(MAP_SHARED | MAP_ANONYMOUS, 3));
	assert_false(stops_at_mmap(MAP_SHARED, (uint64_t)-1));
	assert_false(stops_at_mmap(MAP_SHARED, UINT32_MAX));
}

static void only_replay_stops_at_calls_that_name_a_path(void **state)
{
	assert_true(stops_with(true, sniff_arch.audit, SYS_openat, 0));
	assert_true(stops_with(true, sniff_arch.audit, SYS_statx, 0));
	assert_true(stops_with(true, sniff_arch.audit, SYS_unlinkat, 0));
	assert_false(stops_with(true, sniff_arch.audit, SYS_read, 0));
	assert_false(stops(SYS_openat, 0));
}

static void other_architectures_stop_at_the_same_calls(void **state)
{
	assert_true(stops_with(false, sniff_arch.narrow_audit, (int)sniff_arch.narrow_ioctl, 0xc020462a));
	assert_false(stops_with(false, sniff_arch.narrow_audit, (int)sniff_arch.narrow_ioctl, 0x5401));
	assert_false(
		stops_with(false, sniff_arch.narrow_audit, SYS_ioctl == 54 ? 53 : SYS_ioctl, 0xc020462a));
	assert_false(stops_with(false, 0x12345678, SYS_ioctl, 0xc020462a));
	assert_true(stops_at_mmap_of(sniff_arch.narrow_audit, sniff_arch.narrow_mmap, MAP_SHARED, 3));
	assert_false(stops_at_mmap_of(sniff_arch.narrow_audit, sniff_arch.narrow_mmap, MAP_PRIVATE, 3));
	if (sniff_arch.narrow_old_mmap)
		assert_true(stops_with(false, sniff_arch.narrow_audit, (int)sniff_arch.narrow_old_mmap, 0));
	if (!sniff_arch.x32_bit)
		return;
	assert_true(stops_with(false, sniff_arch.audit, (int)sniff_arch.x32_bit + 514, 0xc020462a));
	assert_true(stops_at_mmap_of(sniff_arch.audit, sniff_arch.x32_bit | SYS_mmap, MAP_SHARED, 3));
	assert_false(stops_with(true, sniff_arch.audit, (int)sniff_arch.x32_bit + SYS_ioctl, 0xc020462a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_stops_at_ioctls_of_any_type),
		cmocka_unit_test(it_does_not_stop_at_what_no_driver_gets),
		cmocka_unit_test(it_stops_at_filters_that_ask_a_supervisor),
		cmocka_unit_test(it_stops_at_shared_mmaps_of_a_descriptor),
		cmocka_unit_test(only_replay_stops_at_calls_that_name_a_path),
		cmocka_unit_test(other_architectures_stop_at_the_same_calls),
	};

	return cmocka_run_group_tests_name("sniff start", tests, NULL, NULL);
}
