/* Tests which fields are pids, where the elements of arrays are, and whether the driver converts them. */
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static const struct abi_field inner_fields[] = {
	{ .name = "pid", .type = "u32", .size_bits = 32, .role = ABI_ROLE_PID },
	{ .name = "data", .type = "u32", .offset_bits = 32, .size_bits = 32 },
};
static const struct abi_field fields[] = {
	{ .name = "count", .type = "u32", .size_bits = 32 },
	{ .name = "pid", .type = "u32", .offset_bits = 32, .size_bits = 32, .role = ABI_ROLE_PID },
	{ .name = "subPid", .type = "u32", .offset_bits = 64, .size_bits = 32 },
	{ .name = "tbl", .type = "u32[4]", .offset_bits = 96, .size_bits = 128, .role = ABI_ROLE_PID },
	{ .name = "list", .type = "I[3]", .offset_bits = 224, .size_bits = 192 },
	{ .name = "grid", .type = "I[2][3]", .offset_bits = 416, .size_bits = 384 },
};
static const struct abi_field pointing_fields[] = {
	{ .name = "count", .type = "u32", .size_bits = 32 },
	{ .name = "list", .type = "ptr", .offset_bits = 64, .size_bits = 64, .role = ABI_ROLE_POINTER },
};
static const struct abi_record records[] = {
	{ .name = "I", .fields = inner_fields, .field_count = 2, .size_bytes = 8, .source = "" },
	{ .name = "P", .fields = pointing_fields, .field_count = 2, .size_bytes = 16, .source = "" },
	{ .name = "R", .fields = fields, .field_count = 6, .size_bytes = 100, .source = "" },
};
static const struct abi_alias aliases[] = { { "ptr", "void *", 8 }, { "u32", "unsigned int", 4 } };
static const struct abi_ioctl ioctls[] = {
	{ .family = "control", .name = "CMD_A", .number = 1, .params = "R", .source = "" },
	{ .family = "control", .name = "CMD_B", .number = 2, .source = "" },
	{ .family = "control", .name = "CMD_C", .number = 3, .params = "u32", .source = "" },
	{ .family = "control", .name = "CMD_P", .number = 4, .params = "P", .source = "" },
};

static const struct use_span spans[] = { { "2.5", "3.0" }, { "4.0", NULL } };
static const struct pid_rule rule_list[] = {
	{ .record = "R", .path = "subPid", .direction = USE_IN, .of_guest = true, .evidence = "" },
	{ .record = "R*",
	  .path = "tbl[]",
	  .direction = USE_OUT,
	  .count = "count",
	  .converts = spans,
	  .convert_count = 2,
	  .evidence = "" },
	{ .record = "R", .path = "list[].pid", .direction = USE_INOUT, .count = "grid", .evidence = "" },
};
static const struct pid_rule rule_behind = { .record = "P",
					     .path = "list->[].pid",
					     .direction = USE_OUT,
					     .count = "count",
					     .evidence = "" };
static const struct pointer_rule pointer = { .record = "P",
					     .path = "list",
					     .count = "count",
					     .element = "I",
					     .evidence = "" };
static const struct use_rules rules = { .pids = { rule_list, 3 } },
			      behind = { .pids = { &rule_behind, 1 }, .pointers = { &pointer, 1 } }, none;

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static struct pids selected_at(const char *version, const struct use_rules *with)
{
	struct abi *document = arena_memdup(&arena,
					    &(struct abi){ .driver = "d",
							   .version = version,
							   .commit = "",
							   .records = records,
							   .record_count = 3,
							   .aliases = aliases,
							   .alias_count = 2,
							   .ioctls = ioctls,
							   .ioctl_count = 4 },
					    sizeof(*document));
	struct surface *surface = arena_array(&arena, 1, sizeof(*surface));
	struct pids pids = { .row_count = 0 };
	struct err err = { "" };

	if (surface_select(surface, document, NULL, &(struct surface_filter){ 0 }, &arena, &err) ||
	    pids_select(&pids, surface, with, &arena, &err))
		fail_msg("%s", err.text);
	return pids;
}

static const struct pids_field *find(const struct pids *pids, const char *path)
{
	for (size_t i = 0; i < pids->rows[0].field_count; i++)
		if (!strcmp(pids->rows[0].fields[i].path, path))
			return &pids->rows[0].fields[i];
	fail_msg("no field %s", path);
	return NULL;
}

static void only_ioctls_with_pids_are_listed(void **state)
{
	struct pids pids = selected_at("1.0", &rules);

	(void)state;
	assert_int_equal(pids.row_count, 1);
	assert_string_equal(pids.rows[0].ioctl->ioctl->name, "CMD_A");
}

static void a_single_pid_has_no_stride(void **state)
{
	struct pids pids = selected_at("1.0", &rules);
	const struct pids_field *field = find(&pids, "pid");

	(void)state;
	assert_int_equal(field->offset, 4);
	assert_int_equal(field->stride, 0);
	assert_int_equal(field->max, 1);
	assert_int_equal(field->width, 4);
}

static void an_array_has_stride_maximum_and_count(void **state)
{
	struct pids pids = selected_at("1.0", &rules);
	const struct pids_field *field = find(&pids, "tbl[]");

	(void)state;
	assert_int_equal(field->offset, 12);
	assert_int_equal(field->stride, 4);
	assert_int_equal(field->max, 4);
	assert_string_equal(field->count->path, "count");
	assert_string_equal(pids_direction(field), "out");
}

static void a_pid_behind_a_pointer_is_counted_from_there(void **state)
{
	struct pids pids = selected_at("1.0", &behind);
	const struct pids_field *field = &pids.rows[1].fields[0];

	(void)state;
	assert_int_equal(pids.row_count, 2);
	assert_int_equal(pids.rows[1].field_count, 1);
	assert_string_equal(field->path, "list->[].pid");
	assert_string_equal(field->pointer->path, "list");
	assert_int_equal(field->offset, 0);
	assert_int_equal(field->stride, 8);
	assert_int_equal(field->max, 0);
	assert_string_equal(field->count->path, "count");
	assert_string_equal(pids_direction(field), "out");
	assert_null(find(&pids, "pid")->pointer);
}

static void a_count_that_is_an_array_is_none(void **state)
{
	struct pids pids = selected_at("1.0", &rules);

	(void)state;
	assert_null(find(&pids, "list[].pid")->count);
}

static void of_an_array_of_arrays_the_inner_elements_are_fields(void **state)
{
	struct pids pids = selected_at("1.0", &rules);

	(void)state;
	assert_int_equal(find(&pids, "grid[][0].pid")->offset, 52);
	assert_int_equal(find(&pids, "grid[][2].pid")->offset, 68);
	assert_int_equal(find(&pids, "grid[][2].pid")->stride, 24);
	assert_int_equal(find(&pids, "grid[][2].pid")->max, 2);
}

static void a_field_of_a_guest_needs_no_role(void **state)
{
	struct pids pids = selected_at("1.0", &rules);

	(void)state;
	assert_true(pids_of_guest(find(&pids, "subPid")));
	assert_false(pids_of_guest(find(&pids, "pid")));
}

static void without_a_rule_nothing_is_known(void **state)
{
	struct pids pids = selected_at("1.0", &none);

	(void)state;
	assert_null(pids_direction(find(&pids, "tbl[]")));
	assert_null(find(&pids, "tbl[]")->count);
	assert_int_equal(find(&pids, "tbl[]")->converts, PIDS_UNKNOWN);
	assert_int_equal(pids.rows[0].field_count, 6);
}

static enum pids_converts converts_at(const char *version)
{
	struct pids pids = selected_at(version, &rules);

	return find(&pids, "tbl[]")->converts;
}

static void a_driver_converts_from_since_up_to_until(void **state)
{
	(void)state;
	assert_int_equal(converts_at("2.4.9"), PIDS_NO);
	assert_int_equal(converts_at("2.5"), PIDS_YES);
	assert_int_equal(converts_at("2.10"), PIDS_YES);
	assert_int_equal(converts_at("3.0"), PIDS_NO);
	assert_int_equal(converts_at("40.0"), PIDS_YES);
}

static void of_a_branch_it_is_not_known(void **state)
{
	(void)state;
	assert_int_equal(converts_at("main"), PIDS_UNKNOWN);
	assert_int_equal(converts_at("0123456789"), PIDS_UNKNOWN);
	assert_int_equal(converts_at(""), PIDS_UNKNOWN);
}

static void records_that_no_ioctl_but_a_test_s_carries_are_listed(void **state)
{
	static const char *const flags[] = { "test" };
	static const struct abi_field shared_fields[] = {
		{ .name = "item", .type = "M", .size_bits = 64 },
		{ .name = "own", .type = "u32", .offset_bits = 64, .size_bits = 32, .role = ABI_ROLE_PID },
	};
	static const struct abi_field test_fields[] = { { .name = "t", .type = "S", .size_bits = 96 } };
	const struct abi_record with_shared[] = {
		records[0],
		{ .name = "M", .fields = inner_fields, .field_count = 2, .size_bytes = 8, .source = "" },
		records[2],
		{ .name = "S", .fields = shared_fields, .field_count = 2, .size_bytes = 12, .source = "" },
		{ .name = "T", .fields = test_fields, .field_count = 1, .size_bytes = 12, .source = "" },
	};
	const struct abi_ioctl with_test[] = {
		ioctls[0],
		{ .family = "test", .name = "T", .number = 1, .params = "T", .source = "", .flags = flags,
		  .flag_count = 1 },
	};
	const struct abi document = { .driver = "d", .version = "1.0", .commit = "", .records = with_shared,
				      .record_count = 5, .aliases = aliases, .alias_count = 2,
				      .ioctls = with_test, .ioctl_count = 2 };
	struct surface surface;
	struct pids pids;
	struct err err;

	(void)state;
	assert_int_equal(surface_select(&surface, &document, NULL, &(struct surface_filter){ .family = NULL },
					&arena, &err), 0);
	assert_int_equal(pids_select(&pids, &surface, &none, &arena, &err), 0);
	assert_int_equal(pids.record_count, 1); /* M is inside S, R and I are in CMD_A */
	assert_string_equal(pids.records[0].record, "S");
	assert_int_equal(pids.records[0].field_count, 2);
	assert_string_equal(pids.records[0].fields[0].path, "item.pid");
}

#define TEST(name) cmocka_unit_test_teardown(name, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_ioctls_with_pids_are_listed),
		TEST(records_that_no_ioctl_but_a_test_s_carries_are_listed),
		TEST(a_single_pid_has_no_stride),
		TEST(an_array_has_stride_maximum_and_count),
		TEST(a_pid_behind_a_pointer_is_counted_from_there),
		TEST(a_count_that_is_an_array_is_none),
		TEST(of_an_array_of_arrays_the_inner_elements_are_fields),
		TEST(a_field_of_a_guest_needs_no_role),
		TEST(without_a_rule_nothing_is_known),
		TEST(a_driver_converts_from_since_up_to_until),
		TEST(of_a_branch_it_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
