/*
 * Tests of the version that is used to decode a call, and of the notes about other versions. A row of facts[]
 * has a call, and the result as lines:
 *
 *   OLD A[8] of 1.0 in 1.0 asked        name, record, size and document; "in" if the call has one version
 *   name OLD A 1.0..2.0 since 1.0, 4.0  a name of the number: its record, the versions that fit, its lifetime
 *   fields a b
 *   versions 1.0..2.0                   the versions that fit
 *   note …
 */
#include "decode/fixture_test.h"
#include "decode/internal.h"

#define SHORT "struct A 4 { NvU32 a@0 } "
#define LONG "struct A 8 { NvU32 a@0; NvU32 b@4 } "
#define OLD "ioctl OLD 0x801 A "
#define MACROS "const NV0000_CTRL_CMD_MACRO 0x801 const NV0000_CTRL_INTERFACE 0x801 "

/*
 * The documents of two drivers. In the second driver, 0x801 is the number of OLD in 1.0 and 2.0, of a macro
 * in 3.0, and of NEW in 4.0, where OLD has the number 0x901. After the releases, it has a version that is not
 * in the graph.
 */
static const struct {
	const char *version;
	long parent;
	const char *text;
} texts[] = {
	{ "1.0", HISTORY_NO_PARENT, LONG "ioctl CMD 0x801 A" },
	{ "2.0", 0, "struct A 8 { NvU32 a@0; NvU32 c@4 } ioctl CMD 0x801 A" },
	{ "3.0", 1, SHORT "ioctl CMD 0x801 A" },
	{ "1.0", HISTORY_NO_PARENT, LONG OLD },
	{ "2.0", 0, LONG OLD MACROS },
	{ "3.0", 1, LONG MACROS },
	{ "4.0", 2, SHORT "ioctl NEW 0x801 A ioctl OLD 0x901 A" },
	{ "unreleased", 3, LONG "ioctl NEXT 0xa01 A" },
};
static struct abi documents[COUNT(texts)];
static struct history_version versions[COUNT(texts)];
static const struct history_graph graphs[] = {
	{ .versions = versions, .version_count = 3 },
	{ .versions = versions + 3, .version_count = 4 },
};
static struct decode_scope resized = { .graph = &graphs[0], .asked_index = 3 },
			   reassigned = { .graph = &graphs[1], .asked_index = 4 };
static struct arena arena;

static int make_documents(void **state)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		documents[i] = *document_of(texts[i].text, &arena);
		documents[i].version = texts[i].version;
		versions[i] = (struct history_version){ .version = texts[i].version,
							.parent = texts[i].parent, .abi = &documents[i] };
	}
	resized.numbers = decode_numbers_new(resized.graph);
	reassigned.numbers = decode_numbers_new(reassigned.graph);
	return 0;
}

static int release(void **state)
{
	decode_numbers_free(resized.numbers);
	decode_numbers_free(reassigned.numbers);
	arena_release(&arena);
	return 0;
}

enum { NONE = -1 };

struct call_fact {
	const char *fact;
	const struct decode_scope *scope;
	int asked;         /* the index of the requested version, or NONE */
	uint64_t number;
	int size_bytes;    /* or NONE */
	bool has_bytes;
	const char *result;
};

static const struct call_fact facts[] = {
	{ "a size that one version has is of that version", &resized, NONE, 0x801, 4, true,
	  "CMD A[4] of 3.0 in 3.0\n"
	  "name CMD A 3.0 since 1.0\n"
	  "fields a\nversions 3.0" },
	{ "of several versions, none is chosen in silence, and different fields of the same size are noted",
	  &resized, NONE, 0x801, 8, true,
	  "CMD A[8] of 2.0\n"
	  "name CMD A 1.0..2.0 since 1.0\n"
	  "fields a c\nversions 1.0..2.0\n"
	  "note decoded as in 2.0; in 1.0, the record has the same size but different fields" },
	{ "a size of another version than the requested one is noted", &resized, 2, 0x801, 8, true,
	  "CMD A[8] of 2.0\n"
	  "name CMD A 1.0..2.0 since 1.0\n"
	  "fields a c\nversions 1.0..2.0\n"
	  "note 8 bytes; in 3.0, the record has 4; decoded as in 2.0\n"
	  "note decoded as in 2.0; in 1.0, the record has the same size but different fields" },
	{ "a size that no version has is refused", &resized, NONE, 0x801, 12, true,
	  "CMD A[12] of 3.0 refused\n"
	  "name CMD since 1.0\n"
	  "note 12 bytes; the record has 4 in 3.0, 8 in 1.0..2.0" },
	{ "a number that no version has has no name", &resized, NONE, 0x802, NONE, false,
	  "0x802" },
	{ "a reassigned number has all of its names, and an ioctl is as old as under its other number",
	  &reassigned, NONE, 0x801, NONE, false,
	  "NEW A of 4.0\n"
	  "name NEW A 4.0 since 4.0\n"
	  "name OLD A 1.0..2.0 since 1.0, 4.0; removed in 3.0\n"
	  "name NV0000_CTRL_CMD_MACRO 3.0 since 3.0; removed in 4.0 macro\n"
	  "versions 1.0..2.0 4.0" },
	{ "a size leaves the names that it fits", &reassigned, NONE, 0x801, 8, false,
	  "OLD A[8] of 2.0\n"
	  "name OLD A 1.0..2.0 since 1.0, 4.0; removed in 3.0\n"
	  "name NV0000_CTRL_CMD_MACRO 3.0 since 3.0; removed in 4.0 macro\n"
	  "versions 1.0..2.0" },
	{ "a size that fits no name leaves them all", &reassigned, NONE, 0x801, 12, false,
	  "NEW A[12] of 4.0\n"
	  "name NEW since 4.0\n"
	  "name OLD since 1.0, 4.0; removed in 3.0\n"
	  "name NV0000_CTRL_CMD_MACRO 3.0 since 3.0; removed in 4.0 macro\n"
	  "note 12 bytes; NEW has 4; OLD has 8" },
	{ "the requested version decides the name", &reassigned, 0, 0x801, 8, false,
	  "OLD A[8] of 1.0 in 1.0 asked\n"
	  "name OLD A 1.0..2.0 since 1.0, 4.0; removed in 3.0\n"
	  "versions 1.0..2.0" },
	{ "the requested version decides the name of a command that is only a macro",
	  &reassigned, 2, 0x801, NONE, false,
	  "NV0000_CTRL_CMD_MACRO of 3.0 in 3.0 asked command\n"
	  "name NV0000_CTRL_CMD_MACRO 3.0 since 3.0; removed in 4.0 macro" },
	{ "the requested version decides the name if the size does not fit", &reassigned, 0, 0x801, 12, false,
	  "OLD A[12] of 1.0 in 1.0\n"
	  "name OLD since 1.0, 4.0; removed in 3.0\n"
	  "note 12 bytes; NEW has 4; OLD has 8" },
	{ "a number that only an unreleased version has", &reassigned, 4, 0xa01, 8, true,
	  "NEXT A[8] of unreleased in unreleased asked\n"
	  "name NEXT since \n"
	  "fields a b" },
	{ "a size that the unreleased version does not have is refused", &reassigned, 4, 0xa01, 12, true,
	  "NEXT A[12] of unreleased in unreleased refused\n"
	  "name NEXT since \n"
	  "note 12 bytes; in unreleased, the record has 8" },
	{ "a number that the unreleased version does not have", &reassigned, 4, 0x901, NONE, false,
	  "OLD A of 4.0 in 4.0\n"
	  "name OLD A 4.0 since 1.0, 4.0; removed in 3.0\n"
	  "versions 4.0\n"
	  "note unreleased has no such ioctl; decoded as in 4.0" },
};

static struct decode_call decoded(const struct decode_scope *scope, const struct call_fact *fact)
{
	static const uint8_t bytes[16] = { 1, 0, 0, 0, 2 };
	const struct decode_input input = { .family = "control", .number = fact->number,
					    .has_size = fact->size_bytes != NONE,
					    .size_bytes = fact->size_bytes == NONE ? 0 : fact->size_bytes,
					    .bytes = fact->has_bytes ? bytes : NULL };
	struct decode_scope asked = *scope;
	struct decode_call call = { .count = 0 };
	struct err err = { "" };

	if (fact->asked != NONE) {
		asked.asked_index = (size_t)fact->asked;
		asked.asked = scope->graph->versions[fact->asked].abi;
	}
	if (decode_call(&call, &input, &asked, &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(call.count, 1);
	return call;
}

static void print_list(struct strbuf *out, const char *title, const char *const *words, size_t count)
{
	strbuf_adds(out, count ? title : "");
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, " %s", words[i]);
}

static void print_decoded(struct strbuf *out, const struct decode_call *call)
{
	const struct decode_ioctl *ioctl = &call->ioctls[0];

	strbuf_adds(out, "\n");
	if (ioctl->name)
		strbuf_adds(out, ioctl->name);
	else
		strbuf_addf(out, "0x%llx", (unsigned long long)ioctl->number);
	if (ioctl->record)
		strbuf_addf(out, " %s", ioctl->record);
	if (ioctl->has_size)
		strbuf_addf(out, "[%llu]", (unsigned long long)ioctl->size_bytes);
	if (ioctl->abi)
		strbuf_addf(out, " of %s", ioctl->abi->version);
	if (call->version)
		strbuf_addf(out, " in %s", call->version);
	strbuf_addf(out, "%s%s%s", ioctl->is_asked ? " asked" : "", ioctl->is_only_macro ? " command" : "",
		    ioctl->fits_no_record ? " refused" : "");
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		strbuf_addf(out, "\nname %s", name->name);
		if (name->record)
			strbuf_addf(out, " %s", name->record);
		print_list(out, "", name->versions, name->version_count);
		if (name->lifetime)
			strbuf_addf(out, " since %s", name->lifetime);
		strbuf_adds(out, name->is_macro ? " macro" : "");
	}
	strbuf_adds(out, ioctl->fields.count ? "\nfields" : "");
	for (size_t i = 0; i < ioctl->fields.count; i++)
		strbuf_addf(out, " %s", ioctl->fields.fields[i].path);
	print_list(out, "\nversions", ioctl->versions, ioctl->version_count);
	for (size_t i = 0; i < ioctl->note_count; i++)
		print_list(out, "\nnote", &ioctl->notes[i], 1);
}

static bool result_differs(const struct decode_scope *scope, const struct call_fact *fact)
{
	const struct decode_call call = decoded(scope, fact);
	struct strbuf text = { 0 };

	print_decoded(&text, &call);
	return text_differs(fact->fact, &text, fact->result);
}

TEST(the_results_are_those_of_the_facts)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++)
		wrong += result_differs(facts[i].scope, &facts[i]);
	assert_int_equal(wrong, 0);
}

/* A cache is for one scope, so only the calls without a requested version are decoded. */
TEST(the_results_are_the_same_with_a_cache)
{
	struct decode_scope caching[] = { resized, reassigned };
	size_t wrong = 0;

	for (size_t k = 0; k < COUNT(caching); k++) {
		caching[k].cache = decode_cache_new();
		for (size_t i = 0; i < 2 * COUNT(facts); i++)
			if (facts[i % COUNT(facts)].scope->graph == caching[k].graph &&
			    facts[i % COUNT(facts)].asked == NONE)
				wrong += result_differs(&caching[k], &facts[i % COUNT(facts)]);
		decode_cache_free(caching[k].cache);
	}
	assert_int_equal(wrong, 0);
}

/* --- the time for many distinct calls ---------------------------------------------------------------- */

/* The number of string comparisons so far (testdata/test_main.c). */
extern size_t looked;

/* Counts the comparisons for @count calls with different numbers or sizes, so that no call is cached. */
static size_t comparisons_for(size_t count, bool by_size)
{
	struct decode_summary summary = { .count = 0 };
	struct decode_scope scope = reassigned;

	scope.cache = decode_cache_new();
	scope.numbers = decode_numbers_new(reassigned.graph);
	looked = 0;
	for (size_t i = 0; i < count; i++) {
		const struct decode_input input = { .family = "control",
						    .number = by_size ? 0x801 : 0x20800000 + i,
						    .has_size = by_size,
						    .size_bytes = i };
		struct decode_call *call = arena_alloc(&arena, sizeof(*call));

		assert_int_equal(decode_call(call, &input, &scope, &arena, NULL), 0);
		decode_summary_add(&summary, call, call, 1);
	}
	assert_int_equal(summary.count, count);
	decode_summary_release(&summary);
	decode_numbers_free(scope.numbers);
	decode_cache_free(scope.cache);
	return looked;
}

TEST(more_distinct_calls_cost_no_more_each)
{
	enum { COUNT = 20000, PER_CALL = 100 };

	for (int by_size = 0; by_size < 2; by_size++) {
		const size_t once = comparisons_for(COUNT, by_size),
			     twice = comparisons_for(2 * COUNT, by_size);
		const size_t thrice = comparisons_for(3 * COUNT, by_size);

		assert_true(once >= COUNT);
		assert_true(thrice - twice <= twice - once + COUNT / 10);
		assert_true(thrice <= 3 * COUNT * PER_CALL);
	}
}

TEST(a_number_that_no_version_has_costs_the_same_with_many_versions)
{
	enum { VERSIONS = 200 };
	static struct history_version many[VERSIONS];
	const struct history_graph long_graph = { .versions = many, .version_count = VERSIONS };
	struct decode_scope scope = { .graph = &long_graph, .asked_index = VERSIONS };
	struct decode_input input = { .family = "control", .number = 0x20800001 };
	struct decode_call call;

	for (size_t i = 0; i < VERSIONS; i++)
		many[i] = (struct history_version){ .version = "v", .parent = (long)i - 1,
						    .abi = &documents[4] };
	scope.numbers = decode_numbers_new(&long_graph);
	assert_int_equal(decode_call(&call, &input, &scope, &arena, NULL), 0); /* makes the list */
	input.number++;
	looked = 0;
	assert_int_equal(decode_call(&call, &input, &scope, &arena, NULL), 0);
	assert_true(looked < VERSIONS / 4);
	decode_numbers_free(scope.numbers);
}

TEST(a_summary_counts_calls_and_statuses)
{
	struct decode_call call = decoded(&resized, &facts[0]), failed = call, doubtful;
	struct decode_summary summary = { .count = 0 };

	call.has_status = failed.has_status = true;
	failed.status = 0x56;
	doubtful = failed;
	doubtful.is_status_doubtful = true;
	decode_summary_add(&summary, &call, &call, 1);
	decode_summary_add(&summary, &failed, &doubtful, 2);
	assert_int_equal(summary.count, 1);
	assert_int_equal(summary.totals[0].count, 3);
	assert_int_equal(summary.totals[0].status_count, 2);
	assert_int_equal(summary.totals[0].statuses[1].count, 2);
	assert_int_equal(summary.totals[0].doubtful, 2);
	failed.has_status = false;
	failed.has_ret = true;
	failed.ret = -1;
	decode_summary_add(&summary, &failed, &failed, 3);
	assert_int_equal(summary.totals[0].count, 6);
	assert_int_equal(summary.totals[0].failed, 3);
	decode_summary_release(&summary);
}

TEST(a_summary_finds_each_of_many_ioctls)
{
	enum { MANY = 1000 };
	static struct decode_ioctl ioctls[MANY];
	static struct decode_call calls[MANY];
	struct decode_summary summary = { .count = 0 };

	for (size_t i = 0; i < 2 * MANY; i++) {
		const size_t at = i % MANY;

		ioctls[at] = (struct decode_ioctl){ .family = at % 2 ? "control" : "alloc",
						    .number = at / 4,
						    .has_size = true,
						    .size_bytes = at };
		calls[at] = (struct decode_call){ .ioctls = &ioctls[at], .count = 1 };
		assert_int_equal(decode_summary_has(&summary, &calls[at]), i >= MANY);
		decode_summary_add(&summary, &calls[at], &calls[at], 1);
	}
	assert_int_equal(summary.count, MANY);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(summary.totals[i].count, 2);
	decode_summary_release(&summary);
}

TEST(more_than_can_be_cached_is_decoded_all_the_same)
{
	struct decode_scope caching = resized;

	caching.cache = decode_cache_new();
	for (uint64_t size = 100; size < 100 + DECODE_CACHE_MAX + 3; size++) {
		const struct decode_input input = {
			.family = "control", .number = 0x801, .has_size = true, .size_bytes = size
		};
		struct decode_call call;

		assert_int_equal(decode_call(&call, &input, &caching, &arena, NULL), 0);
		assert_int_equal(call.ioctls[0].size_bytes, size);
	}
	decode_cache_free(caching.cache);
}

TEST_GROUP(make_documents, release)
