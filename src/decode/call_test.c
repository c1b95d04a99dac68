/* Which version a call is decoded with, and what is told of the others; a driver of three versions. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIELD(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define DOCUMENT(v, r) { .driver = "toy", .version = (v), .records = (r), .record_count = 1, .aliases = &word, .alias_count = 1, .ioctls = &cmd, .ioctl_count = 1 }

static const struct abi_alias word = { "NvU32", "unsigned int", 4 };
static const struct abi_ioctl cmd = { .family = "control", .name = "CMD", .number = 0x801, .params = "A", .source = "" };
static const struct abi_field short_fields[] = { FIELD("a", "NvU32", 0, 4) };
static const struct abi_field long_fields[] = { FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU32", 4, 4) };
static const struct abi_field other_fields[] = { FIELD("a", "NvU32", 0, 4), FIELD("c", "NvU32", 4, 4) };
static const struct abi_record short_record = { "A", short_fields, 1, 4, 4, false, "" }, long_record = { "A", long_fields, 2, 8, 4, false, "" },
			       other_record = { "A", other_fields, 2, 8, 4, false, "" };
static const struct abi first = DOCUMENT("1.0", &long_record), second = DOCUMENT("2.0", &other_record), third = DOCUMENT("3.0", &short_record);
static const struct history_version versions[] = {
	{ .version = "1.0", .parent = HISTORY_NO_PARENT, .abi = &first },
	{ .version = "2.0", .parent = 0, .abi = &second },
	{ .version = "3.0", .parent = 1, .abi = &third },
};
static const struct history_graph graph = { .versions = versions, .version_count = 3 };
static const struct decode_scope any = { .graph = &graph, .asked_index = 3 }, newest = { .graph = &graph, .asked = &third, .asked_index = 2 };

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* @size bytes for the command 0x801. */
static struct decode_call decoded(const struct decode_scope *scope, uint64_t size)
{
	static const uint8_t bytes[16] = { 1, 0, 0, 0, 2 };
	const struct decode_input input = { .family = "control", .number = 0x801, .has_size = true, .size_bytes = size, .bytes = bytes };
	struct decode_call call = { .count = 0 };
	struct err err = { "" };

	if (decode_call(&call, &input, scope, &arena, &err))
		fail_msg("%s", err.text);
	return call;
}

static void a_size_that_one_version_has_is_of_that_version(void **state)
{
	const struct decode_call call = decoded(&any, 4);

	(void)state;
	assert_string_equal(call.version, "3.0");
	assert_int_equal(call.ioctls[0].fields.count, 1);
}

static void of_several_versions_none_is_chosen_in_silence(void **state)
{
	const struct decode_call call = decoded(&any, 8);

	(void)state;
	assert_null(call.version);
	assert_int_equal(call.ioctls[0].version_count, 1);
	assert_string_equal(call.ioctls[0].versions[0], "1.0..2.0");
}

static void other_fields_of_the_same_size_are_noted(void **state)
{
	const struct decode_call call = decoded(&any, 8);

	(void)state;
	assert_string_equal(call.ioctls[0].fields.fields[1].path, "c");
	assert_int_equal(call.ioctls[0].note_count, 1);
	assert_string_equal(call.ioctls[0].notes[0], "decoded as in 2.0; 1.0 has other fields of this size");
}

static void a_size_of_another_version_than_the_one_asked_for_is_noted(void **state)
{
	const struct decode_call call = decoded(&newest, 8);

	(void)state;
	assert_null(call.version);
	assert_int_equal(call.ioctls[0].fields.count, 2);
	assert_string_equal(call.ioctls[0].notes[0], "8 bytes; the record has 4 since 3.0, 8 before");
}

static void a_size_that_no_version_has_is_refused(void **state)
{
	const struct decode_call call = decoded(&any, 12);

	(void)state;
	assert_true(call.ioctls[0].is_refused);
	assert_string_equal(call.ioctls[0].name, "CMD");
	assert_int_equal(call.ioctls[0].fields.count, 0);
	assert_int_equal(call.ioctls[0].version_count, 0);
}

static void a_number_that_no_version_has_has_no_name(void **state)
{
	const struct decode_input input = { .family = "control", .number = 0x802 };
	struct decode_call call = { .count = 0 };

	(void)state;
	assert_int_equal(decode_call(&call, &input, &any, &arena, NULL), 0);
	assert_null(call.ioctls[0].name);
}

static void many_sizes_are_told_as_smallest_and_largest(void **state)
{
	static const struct decode_size runs[] = { { 0, 0, 24 }, { 1, 1, 8 }, { 2, 2, 40 }, { 2, 2, 16 } };
	const struct decode_sizes sizes = { runs, 4, 2 };
	struct strbuf text = { 0 };

	(void)state;
	decode_sizes_text(&text, &sizes, &graph);
	assert_string_equal(text.text, "8 to 40");
	strbuf_release(&text);
}

static void a_summary_counts_calls_and_statuses(void **state)
{
	struct decode_call call = decoded(&any, 4), failed = call;
	struct decode_summary summary = { .count = 0 };

	(void)state;
	call.has_status = failed.has_status = true;
	failed.status = 0x56;
	decode_summary_add(&summary, &call, 1);
	decode_summary_add(&summary, &failed, 2);
	assert_int_equal(summary.count, 1);
	assert_int_equal(summary.totals[0].count, 3);
	assert_int_equal(summary.totals[0].status_count, 2);
	assert_int_equal(summary.totals[0].statuses[1].count, 2);
	failed.has_status = false;
	failed.has_ret = true;
	failed.ret = -1;
	decode_summary_add(&summary, &failed, 3);
	assert_int_equal(summary.totals[0].count, 6);
	assert_int_equal(summary.totals[0].failed, 3);
	decode_summary_release(&summary);
}

static void a_summary_finds_each_of_many_ioctls(void **state)
{
	enum { MANY = 1000 };
	static struct decode_ioctl ioctls[MANY];
	static struct decode_call calls[MANY];
	struct decode_summary summary = { .count = 0 };

	(void)state;
	for (size_t i = 0; i < 2 * MANY; i++) {
		const size_t at = i % MANY;

		ioctls[at] = (struct decode_ioctl){ .family = at % 2 ? "control" : "alloc", .number = at / 4, .has_size = true, .size_bytes = at };
		calls[at] = (struct decode_call){ .ioctls = &ioctls[at], .count = 1 };
		assert_int_equal(decode_summary_has(&summary, &calls[at]), i >= MANY);
		decode_summary_add(&summary, &calls[at], 1);
	}
	assert_int_equal(summary.count, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(summary.totals[i].count, 2);
	decode_summary_release(&summary);
}

/* Everything that is said of a call but its bytes. */
static void assert_same(const struct decode_call *a, const struct decode_call *b)
{
	const struct decode_ioctl *x = &a->ioctls[0], *y = &b->ioctls[0];

	assert_int_equal(a->count, b->count);
	assert_ptr_equal(x->abi, y->abi);
	assert_int_equal(x->version_count, y->version_count);
	assert_int_equal(x->note_count, y->note_count);
	for (size_t i = 0; i < x->note_count; i++)
		assert_string_equal(x->notes[i], y->notes[i]);
	assert_int_equal(x->is_refused, y->is_refused);
	assert_int_equal(x->fields.count, y->fields.count);
	for (size_t i = 0; i < x->fields.count; i++)
		assert_string_equal(x->fields.fields[i].path, y->fields.fields[i].path);
}

static void what_is_remembered_is_what_is_found(void **state)
{
	static const uint64_t sizes[] = { 4, 8, 12, 8, 4, 12 };
	struct decode_scope remembering = any;

	(void)state;
	remembering.memo = decode_memo_new();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const struct decode_call found = decoded(&any, sizes[i]), remembered = decoded(&remembering, sizes[i]);

		assert_same(&found, &remembered);
	}
	decode_memo_free(remembering.memo);
}

static void more_than_can_be_remembered_is_decoded_all_the_same(void **state)
{
	struct decode_scope remembering = any;

	(void)state;
	remembering.memo = decode_memo_new();
	for (uint64_t size = 100; size < 100 + DECODE_MEMO_MAX + 3; size++) {
		const struct decode_input input = { .family = "control", .number = 0x801, .has_size = true, .size_bytes = size };
		struct decode_call call;

		assert_int_equal(decode_call(&call, &input, &remembering, &arena, NULL), 0);
		assert_int_equal(call.ioctls[0].size_bytes, size);
	}
	decode_memo_free(remembering.memo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_that_one_version_has_is_of_that_version),
		cmocka_unit_test(of_several_versions_none_is_chosen_in_silence),
		cmocka_unit_test(other_fields_of_the_same_size_are_noted),
		cmocka_unit_test(a_size_of_another_version_than_the_one_asked_for_is_noted),
		cmocka_unit_test(a_size_that_no_version_has_is_refused),
		cmocka_unit_test(a_number_that_no_version_has_has_no_name),
		cmocka_unit_test(many_sizes_are_told_as_smallest_and_largest),
		cmocka_unit_test(a_summary_counts_calls_and_statuses),
		cmocka_unit_test(a_summary_finds_each_of_many_ioctls),
		cmocka_unit_test(what_is_remembered_is_what_is_found),
		cmocka_unit_test(more_than_can_be_remembered_is_decoded_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
