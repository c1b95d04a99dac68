/* Tests of the version that is used to decode a call, and of the notes about other versions. */
#include "decode/decode.h"
#include "abi/document_test.h"

#define SHORT "struct A 4 { NvU32 a@0 } "
#define LONG "struct A 8 { NvU32 a@0; NvU32 b@4 } "
#define OLD "ioctl OLD 0x801 A "
#define MACROS "const NV0000_CTRL_CMD_MACRO 0x801 const NV0000_CTRL_INTERFACE 0x801 "

/*
 * The documents of two drivers. In the second driver, 0x801 is the number of OLD in 1.0 and 2.0, of a macro
 * in 3.0, and of NEW in 4.0, where OLD has the number 0x901.
 */
static const char *const texts[] = {
	LONG "ioctl CMD 0x801 A",
	"struct A 8 { NvU32 a@0; NvU32 c@4 } ioctl CMD 0x801 A",
	SHORT "ioctl CMD 0x801 A",
	LONG OLD,
	LONG OLD MACROS,
	LONG MACROS,
	SHORT "ioctl NEW 0x801 A ioctl OLD 0x901 A",
};
static struct abi documents[7];
static const struct abi *const given = &documents[3]; /* the second driver's first document */
static const struct history_version versions[] = {
	{ .version = "1.0", .parent = HISTORY_NO_PARENT, .abi = &documents[0] },
	{ .version = "2.0", .parent = 0, .abi = &documents[1] },
	{ .version = "3.0", .parent = 1, .abi = &documents[2] },
};
static const struct history_graph graph = { .versions = versions, .version_count = 3 };
static struct decode_scope any = { .graph = &graph, .asked_index = 3 },
			   newest = { .graph = &graph, .asked = &documents[2], .asked_index = 2 };

static const struct history_version reassigned_versions[] = {
	{ .version = "1.0", .parent = HISTORY_NO_PARENT, .abi = &documents[3] },
	{ .version = "2.0", .parent = 0, .abi = &documents[4] },
	{ .version = "3.0", .parent = 1, .abi = &documents[5] },
	{ .version = "4.0", .parent = 2, .abi = &documents[6] },
};
static const struct history_graph reassigned_graph = { .versions = reassigned_versions, .version_count = 4 };
static struct decode_scope reassigned = { .graph = &reassigned_graph, .asked_index = 4 };

static struct arena arena;

static int make_numbers(void **state)
{
	static const char *const names[] = { "1.0", "2.0", "3.0", "1.0", "2.0", "3.0", "4.0" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		documents[i] = *document_of(texts[i], &arena);
		documents[i].version = names[i];
	}
	any.numbers = newest.numbers = decode_numbers_new(&graph);
	reassigned.numbers = decode_numbers_new(&reassigned_graph);
	return 0;
}

static int release(void **state)
{
	(void)state;
	decode_numbers_free(any.numbers);
	decode_numbers_free(reassigned.numbers);
	arena_release(&arena);
	return 0;
}

/* Decodes @size bytes for the command 0x801. */
static struct decode_call decoded(const struct decode_scope *scope, uint64_t size)
{
	static const uint8_t bytes[16] = { 1, 0, 0, 0, 2 };
	const struct decode_input input = {
		.family = "control", .number = 0x801, .has_size = true, .size_bytes = size, .bytes = bytes
	};
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
	assert_string_equal(call.ioctls[0].notes[0], "decoded as in 2.0; in 1.0, the record has the same size but different fields");
}

static void a_size_of_another_version_than_the_one_asked_for_is_noted(void **state)
{
	const struct decode_call call = decoded(&newest, 8);

	(void)state;
	assert_null(call.version);
	assert_int_equal(call.ioctls[0].fields.count, 2);
	assert_string_equal(call.ioctls[0].notes[0], "8 bytes; in 3.0, the record has 4; decoded as in 2.0");
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

static void sizes_are_told_with_their_versions_and_many_as_smallest_and_largest(void **state)
{
	static const struct decode_size sizes[] = { { 0, 0, 24 }, { 1, 1, 8 }, { 2, 2, 40 }, { 2, 2, 16 } };
	const struct decode_owner two = { .name = "CMD", .runs = sizes, .run_count = 2 },
				  many = { .name = "CMD", .runs = sizes, .run_count = 4 };
	const struct decode_number few = { &two, 1, false }, several = { &many, 1, false };
	struct strbuf text = { 0 };

	(void)state;
	decode_number_sizes(&text, &few, "A", &graph);
	assert_string_equal(text.text, "A has 8 in 2.0, 24 in 1.0");
	strbuf_reset(&text);
	decode_number_sizes(&text, &several, "A", &graph);
	assert_string_equal(text.text, "A has 8 to 40");
	strbuf_release(&text);
}

static struct decode_ioctl resolved_number(const struct abi *asked, size_t asked_index, bool has_size,
					   uint64_t size)
{
	const struct decode_input input = {
		.family = "control", .number = 0x801, .has_size = has_size, .size_bytes = size
	};
	struct decode_scope scope = reassigned;
	struct decode_call call = { .count = 0 };

	scope.asked = asked;
	scope.asked_index = asked_index;
	assert_int_equal(decode_call(&call, &input, &scope, &arena, NULL), 0);
	return call.ioctls[0];
}

static void assert_name(const struct decode_ioctl *ioctl, size_t index, const char *name, const char *fitting)
{
	assert_true(index < ioctl->name_count);
	assert_string_equal(ioctl->names[index].name, name);
	assert_int_equal(ioctl->names[index].version_count, *fitting != 0);
	if (*fitting)
		assert_string_equal(ioctl->names[index].versions[0], fitting);
}

static void a_number_that_was_reassigned_has_all_of_its_names(void **state)
{
	const struct decode_ioctl ioctl = resolved_number(NULL, 4, false, 0);

	(void)state;
	assert_int_equal(ioctl.name_count, 3);
	assert_name(&ioctl, 0, "NEW", "4.0");
	assert_name(&ioctl, 1, "OLD", "1.0..2.0");
	assert_name(&ioctl, 2, "NV0000_CTRL_CMD_MACRO", "3.0");
	assert_true(ioctl.names[2].is_macro);
	assert_string_equal(ioctl.name, "NEW");
	assert_string_equal(ioctl.abi->version, "4.0");
}

static void an_ioctl_that_got_another_number_is_as_old_as_it_is(void **state)
{
	const struct decode_ioctl ioctl = resolved_number(NULL, 4, false, 0);

	(void)state;
	assert_string_equal(ioctl.names[0].lifetime, "4.0");
	assert_string_equal(ioctl.names[1].lifetime, "1.0, 4.0; removed in 3.0");
}

static void a_size_leaves_the_names_that_it_fits(void **state)
{
	const struct decode_ioctl ioctl = resolved_number(NULL, 4, true, 8);

	(void)state;
	assert_int_equal(ioctl.name_count, 2);
	assert_name(&ioctl, 0, "OLD", "1.0..2.0");
	assert_name(&ioctl, 1, "NV0000_CTRL_CMD_MACRO", "3.0");
}

static void a_size_that_fits_no_name_leaves_them_all(void **state)
{
	const struct decode_ioctl ioctl = resolved_number(NULL, 4, true, 12);

	(void)state;
	assert_int_equal(ioctl.name_count, 3);
	assert_int_equal(ioctl.version_count, 0);
	assert_name(&ioctl, 0, "NEW", "");
	assert_name(&ioctl, 1, "OLD", "");
	assert_string_equal(ioctl.notes[0], "12 bytes; NEW has 4; OLD has 8");
}

static void the_version_that_was_asked_for_decides_the_name(void **state)
{
	const struct decode_ioctl old = resolved_number(&given[0], 0, true, 8),
				  macro = resolved_number(&given[2], 2, false, 0);
	const struct decode_ioctl none = resolved_number(&given[0], 0, true, 12);

	(void)state;
	assert_int_equal(old.name_count, 1);
	assert_name(&old, 0, "OLD", "1.0..2.0");
	assert_int_equal(old.note_count, 0);
	assert_name(&none, 0, "OLD", "");
	assert_int_equal(none.name_count, 1);
	assert_int_equal(macro.name_count, 1);
	assert_name(&macro, 0, "NV0000_CTRL_CMD_MACRO", "3.0");
	assert_true(macro.is_command);
}

/* --- the time for many distinct calls ---------------------------------------------------------------- */

/* The number of string comparisons so far (testdata/test_main.c). */
extern size_t looked;

/* Counts the comparisons for @count calls with different numbers or sizes, so that no call is cached. */
static size_t comparisons_for(size_t count, bool by_size)
{
	struct decode_summary summary = { .count = 0 };
	struct decode_scope scope = reassigned;

	scope.memo = decode_memo_new();
	scope.numbers = decode_numbers_new(&reassigned_graph);
	looked = 0;
	for (size_t i = 0; i < count; i++) {
		const struct decode_input input = { .family = "control",
						    .number = by_size ? 0x801 : 0x20800000 + i,
						    .has_size = by_size,
						    .size_bytes = i };
		struct decode_call *call = arena_alloc(&arena, sizeof(*call));

		assert_int_equal(decode_call(call, &input, &scope, &arena, NULL), 0);
		decode_summary_add(&summary, call, 1);
	}
	assert_int_equal(summary.count, count);
	decode_summary_release(&summary);
	decode_numbers_free(scope.numbers);
	decode_memo_free(scope.memo);
	return looked;
}

static void more_distinct_calls_cost_no_more_each(void **state)
{
	enum { COUNT = 20000, PER_CALL = 100 };

	(void)state;
	for (int by_size = 0; by_size < 2; by_size++) {
		const size_t once = comparisons_for(COUNT, by_size),
			     twice = comparisons_for(2 * COUNT, by_size);
		const size_t thrice = comparisons_for(3 * COUNT, by_size);

		assert_true(once >= COUNT);
		assert_true(thrice - twice <= twice - once + COUNT / 10);
		assert_true(thrice <= 3 * COUNT * PER_CALL);
	}
}

static void a_number_that_no_version_has_costs_the_same_with_many_versions(void **state)
{
	enum { VERSIONS = 200 };
	static struct history_version many[VERSIONS];
	const struct history_graph long_graph = { .versions = many, .version_count = VERSIONS };
	struct decode_scope scope = { .graph = &long_graph, .asked_index = VERSIONS };
	const struct decode_input input = { .family = "control", .number = 0x20800001 };
	struct decode_call call;

	(void)state;
	for (size_t i = 0; i < VERSIONS; i++)
		many[i] = (struct history_version){ .version = "v", .parent = (long)i - 1, .abi = &given[1] };
	scope.numbers = decode_numbers_new(&long_graph);
	looked = 0;
	assert_int_equal(decode_call(&call, &input, &scope, &arena, NULL), 0);
	assert_true(looked < VERSIONS / 4);
	decode_numbers_free(scope.numbers);
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

		ioctls[at] = (struct decode_ioctl){ .family = at % 2 ? "control" : "alloc",
						    .number = at / 4,
						    .has_size = true,
						    .size_bytes = at };
		calls[at] = (struct decode_call){ .ioctls = &ioctls[at], .count = 1 };
		assert_int_equal(decode_summary_has(&summary, &calls[at]), i >= MANY);
		decode_summary_add(&summary, &calls[at], 1);
	}
	assert_int_equal(summary.count, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(summary.totals[i].count, 2);
	decode_summary_release(&summary);
}

/* Compares all facts about two calls except their bytes. */
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
		const struct decode_call found = decoded(&any, sizes[i]),
					 remembered = decoded(&remembering, sizes[i]);

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
		const struct decode_input input = {
			.family = "control", .number = 0x801, .has_size = true, .size_bytes = size
		};
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
		cmocka_unit_test(sizes_are_told_with_their_versions_and_many_as_smallest_and_largest),
		cmocka_unit_test(a_number_that_was_reassigned_has_all_of_its_names),
		cmocka_unit_test(an_ioctl_that_got_another_number_is_as_old_as_it_is),
		cmocka_unit_test(a_size_leaves_the_names_that_it_fits),
		cmocka_unit_test(a_size_that_fits_no_name_leaves_them_all),
		cmocka_unit_test(the_version_that_was_asked_for_decides_the_name),
		cmocka_unit_test(more_distinct_calls_cost_no_more_each),
		cmocka_unit_test(a_number_that_no_version_has_costs_the_same_with_many_versions),
		cmocka_unit_test(a_summary_counts_calls_and_statuses),
		cmocka_unit_test(a_summary_finds_each_of_many_ioctls),
		cmocka_unit_test(what_is_remembered_is_what_is_found),
		cmocka_unit_test(more_than_can_be_remembered_is_decoded_all_the_same),
	};

	return cmocka_run_group_tests(tests, make_numbers, release);
}
