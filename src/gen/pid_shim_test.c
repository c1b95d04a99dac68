/*
 * Tests which tables of pids a file has, and for which releases. testdata/full/5201-pid-shim.t runs the code.
 */
#include "gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static struct strbuf out;

static const struct pid_rule
	in = { .record = "R", .path = "pid", .direction = USE_IN, .evidence = "" },
	guest = { .record = "R", .path = "pid", .direction = USE_IN, .of_guest = true, .evidence = "" },
	counted = { .record = "R", .path = "pid", .direction = USE_OUT, .count = "gone", .evidence = "" };
static const struct abi_ioctl
	ioctl_a = { .family = "control", .name = "A", .number = 0x801, .params = "R", .source = "" },
	ioctl_b = { .family = "uvm-test", .name = "B", .number = 2, .params = "R", .source = "" };
static const struct surface_row row_a = { .ioctl = &ioctl_a, .params_bytes = 8 },
				row_b = { .ioctl = &ioctl_b, .params_bytes = 8 };
static const struct pids_field at_0 = { .path = "pid", .width = 4, .max = 1, .rule = &in },
			       at_4 = { .path = "pid", .offset = 4, .width = 4, .max = 1, .rule = &in };

/* Makes a version in which one ioctl has one pid. */
static const struct pids *version(const char *name, const struct surface_row *row,
				  const struct pids_field *field)
{
	struct abi *abi = arena_memdup(&arena, &(struct abi){ .driver = "d", .version = name }, sizeof(*abi));
	struct surface *surface =
		arena_memdup(&arena, &(struct surface){ .abi = abi, .rows = row, .row_count = 1 },
			     sizeof(*surface));
	struct pids_row *pids_row =
		arena_memdup(&arena, &(struct pids_row){ .ioctl = row, .fields = field, .field_count = 1 },
			     sizeof(*pids_row));

	return arena_memdup(&arena, &(struct pids){ .surface = surface, .rows = pids_row, .row_count = 1 },
			    sizeof(struct pids));
}

static int generate(const struct pids *const *versions, size_t count, struct err *err)
{
	return gen_pid_shim_c(&out, versions, count, "d", &arena, err);
}

static void generated(const struct pids *const *versions, size_t count)
{
	struct err err = { "" };

	if (generate(versions, count, &err))
		fail_msg("%s", err.text);
}

static int begin_test(void **state)
{
	(void)state;
	strbuf_reset(&out);
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	strbuf_release(&out);
	out = (struct strbuf){ 0 };
	return 0;
}

static size_t times(const char *text)
{
	size_t count = 0;

	for (const char *at = out.text; (at = strstr(at, text)); at++)
		count++;
	return count;
}

static void versions_with_the_same_fields_are_one_entry(void **state)
{
	const struct pids *const versions[] = { version("1.0", &row_a, &at_0),
						version("1.5.02", &row_a, &at_0) };

	(void)state;
	generated(versions, 2);
	assert_int_equal(
		times("{ DRVABI_PIDS_CONTROL, 0x801, 8, DRVABI_PIDS_RELEASE(1, 0, 0), DRVABI_PIDS_RELEASE(1, 5, 2),"),
		1);
	assert_int_equal(times("{ DRVABI_PIDS_CONTROL,"), 1);
}

static void a_field_that_moved_within_the_same_size_is_another_entry(void **state)
{
	const struct pids *const versions[] = { version("1.0", &row_a, &at_0), version("2.0", &row_a, &at_4),
						version("3.0", &row_a, &at_4) };

	(void)state;
	generated(versions, 3);
	assert_int_equal(times("DRVABI_PIDS_RELEASE(1, 0, 0), DRVABI_PIDS_RELEASE(1, 0, 0),"), 1);
	assert_int_equal(times("DRVABI_PIDS_RELEASE(2, 0, 0), DRVABI_PIDS_RELEASE(3, 0, 0),"), 1);
	assert_int_equal(times("[] = {\n\t{ "), 2);
}

static void ioctls_with_the_same_fields_share_a_table(void **state)
{
	const struct pids *const versions[] = { version("1.0", &row_a, &at_0),
						version("2.0", &row_b, &at_0) };

	(void)state;
	generated(versions, 2);
	assert_int_equal(times("\t{ DRVABI_PIDS_"), 2);
	assert_int_equal(times("[] = {\n\t{ "), 1);
	assert_int_equal(times("DRVABI_PIDS_UVM_TEST, 0x2"), 1);
}

static void what_is_left_out_is_named_once(void **state)
{
	static const struct pids_field of_guest = { .path = "pid", .width = 4, .max = 1, .rule = &guest },
				       wide = { .path = "pid", .width = 8, .max = 1, .rule = &in },
				       unknown = { .path = "pid", .width = 4, .max = 1 },
				       uncounted = { .path = "pid",
						     .width = 4,
						     .stride = 4,
						     .max = 2,
						     .rule = &counted };
	const struct pids *const versions[] = {
		version("1.0", &row_a, &at_0),     version("2.0", &row_b, &of_guest),
		version("3.0", &row_b, &of_guest), version("4.0", &row_b, &wide),
		version("5.0", &row_b, &unknown),  version("6.0", &row_b, &uncounted)
	};

	(void)state;
	generated(versions, 6);
	assert_int_equal(times("/* R.pid: the pid belongs to a virtual machine's guest */\n"), 1);
	assert_int_equal(times("/* R.pid: not 32 bits wide */\n"), 1);
	assert_int_equal(times("/* R.pid: unknown whether the driver reads or writes it */\n"), 1);
	assert_int_equal(times("/* R.pid: its count field is missing */\n"), 1);
	assert_int_equal(times("\t{ DRVABI_PIDS_"), 1);
}

static void versions_that_are_no_releases_are_refused(void **state)
{
	static const char *const names[] = { "main", "590", "1.2.3.4", "1..2", "99999999.1", "1.2x", "" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct pids *const versions[] = { version(names[i], &row_a, &at_0) };
		struct err err = { "" };

		assert_int_equal(generate(versions, 1, &err), ERR_USAGE);
		assert_int_equal(out.length, 0);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(versions_with_the_same_fields_are_one_entry),
		TEST(a_field_that_moved_within_the_same_size_is_another_entry),
		TEST(ioctls_with_the_same_fields_share_a_table),
		TEST(what_is_left_out_is_named_once),
		TEST(versions_that_are_no_releases_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
