/* Tests which fields are pids, where the elements of arrays are, and whether the driver converts them. */
#include "verify/fixture_test.h"

static const char document[] =
	"struct I 8 { NvU32 pid@0 pid; NvU32 data@4 } "
	"struct P 16 { NvU32 count@0; NvP64 list@8 pointer } "
	"struct R 100 { NvU32 number@0; NvU32 pid@4 pid; NvU32 subPid@8; NvU32[4] tbl@12 pid; "
	"I[3] list@28+24; I[2][3] grid@52+48 } "
	"ioctl CMD_A 1 R ioctl CMD_B 2 - ioctl CMD_C 3 NvU32 ioctl CMD_P 4 P";

static const struct use_span spans[] = { { "2.5", "3.0" }, { "4.0", NULL } };
static const struct pid_rule rule_list[] = {
	{ .record = "R", .path = "subPid", .direction = USE_IN, .of_guest = true },
	{ .record = "R*", .path = "tbl[]", .direction = USE_OUT, .count = "number", .converts = spans,
	  .convert_count = 2 },
	{ .record = "R", .path = "list[].pid", .direction = USE_INOUT, .count = "grid" },
};
static const struct pid_rule target_rule = {
	.record = "P", .path = "list->[].pid", .direction = USE_OUT, .count = "count"
};
static const struct pointer_rule pointer = {
	.record = "P", .path = "list", .count = "count", .element = "I"
};
static const struct use_rules
	none, rules = { .pids = { rule_list, 3 } },
	target_rules = { .pids = { &target_rule, 1 }, .pointers = { &pointer, 1 } };

/*
 * Adds "tbl[] NvU32[4]@12+4 every 4 max 4 of count out converted": the path, type, offset, width and stride
 * of a field, the most pids, the field with their number, the direction, and whether the driver converts
 * them. "in list" names the pointer. Unknown facts are left out.
 */
static void add_field(struct strbuf *out, const struct pids_field *field)
{
	strbuf_addf(out, "\n  %s %s@%llu+%llu", field->path, field->type, (unsigned long long)field->offset,
		    (unsigned long long)field->width);
	if (field->stride)
		strbuf_addf(out, " every %llu", (unsigned long long)field->stride);
	strbuf_addf(out, " max %llu", (unsigned long long)field->max);
	if (field->count)
		strbuf_addf(out, " of %s", field->count->path);
	if (field->pointer)
		strbuf_addf(out, " in %s", field->pointer->path);
	assert_null(field->union_path);
	if (pids_direction(field))
		strbuf_addf(out, " %s", pids_direction(field));
	strbuf_adds(out, pids_of_guest(field) ? " guest" : "");
	strbuf_adds(out, field->converts == PIDS_YES ? " converted" : field->converts ? " as is" : "");
}

static void add_rows(struct strbuf *out, const struct pids_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_addf(out, "\n%s %s %llu", rows[i].ioctl ? rows[i].ioctl->ioctl->name : "-",
			    rows[i].record, (unsigned long long)rows[i].size_bytes);
		for (size_t f = 0; f < rows[i].field_count; f++)
			add_field(out, &rows[i].fields[f]);
	}
}

static struct pids selected(const char *text, const char *version, const struct use_rules *with)
{
	const struct abi *abi = document_of_version(version, text, &arena);
	struct surface *surface = arena_alloc(&arena, sizeof(*surface));
	struct pids pids = { .row_count = 0 };

	if (surface_select(surface, abi, NULL, &(struct surface_filter){ 0 }, &arena, &err) ||
	    pids_select(&pids, surface, with, &arena, &err))
		fail_msg("%s", err.text);
	return pids;
}

/* A document, rules, and the ioctls and records with pids. "-" is a record that no ioctl carries. */
static const struct {
	const char *fact, *document;
	const struct use_rules *rules;
	const char *pids;
} facts[] = {
	{ "without a rule, only fields with the role are known; an array of arrays gives several fields",
	  document, &none,
	  "CMD_A R 100\n"
	  "  pid NvU32@4+4 max 1\n"
	  "  tbl[] NvU32[4]@12+4 every 4 max 4\n"
	  "  list[].pid NvU32@28+4 every 8 max 3\n"
	  "  grid[][0].pid NvU32@52+4 every 24 max 2\n"
	  "  grid[][1].pid NvU32@60+4 every 24 max 2\n"
	  "  grid[][2].pid NvU32@68+4 every 24 max 2" },
	{ "rules add pids of guests, directions and counts, but not an array as the count", document, &rules,
	  "CMD_A R 100\n"
	  "  pid NvU32@4+4 max 1\n"
	  "  subPid NvU32@8+4 max 1 in guest\n"
	  "  tbl[] NvU32[4]@12+4 every 4 max 4 of number out as is\n"
	  "  list[].pid NvU32@28+4 every 8 max 3 inout as is\n"
	  "  grid[][0].pid NvU32@52+4 every 24 max 2\n"
	  "  grid[][1].pid NvU32@60+4 every 24 max 2\n"
	  "  grid[][2].pid NvU32@68+4 every 24 max 2" },
	{ "the offset of a pid in memory that a pointer points to is relative to this memory",
	  "struct I 8 { NvU32 pid@0 pid; NvU32 data@4 } struct P 16 { NvU32 count@0; NvP64 list@8 pointer } "
	  "struct Q 4 { NvU32 pid@0 pid } ioctl CMD_P 4 P ioctl CMD_Q 5 Q", &target_rules,
	  "CMD_P P 16\n"
	  "  list->[].pid NvU32@0+4 every 8 max 0 of count in list out as is\n"
	  "CMD_Q Q 4\n"
	  "  pid NvU32@0+4 max 1" },
	/* M is inside S. S is in T, which only an ioctl for tests carries. */
	{ "a record that no ioctl carries, except those for tests, is listed separately",
	  "struct I 8 { NvU32 pid@0 pid; NvU32 data@4 } struct R 8 { I i@0+8 } ioctl CMD_A 1 R "
	  "struct M 8 { NvU32 pid@0 pid; NvU32 data@4 } struct S 12 { M item@0+8; NvU32 own@8 pid } "
	  "struct T 12 { S t@0+12 } ioctl test/T 1 T +test", &none,
	  "CMD_A R 8\n"
	  "  i.pid NvU32@0+4 max 1\n"
	  "T T 12\n"
	  "  t.item.pid NvU32@0+4 max 1\n"
	  "  t.own NvU32@8+4 max 1\n"
	  "- S 12\n"
	  "  item.pid NvU32@0+4 max 1\n"
	  "  own NvU32@8+4 max 1" },
};

VERIFY_TEST(fields_that_are_pids)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++) {
		struct pids pids = selected(facts[i].document, "1.0", facts[i].rules);
		struct strbuf text = { 0 };

		add_rows(&text, pids.rows, pids.row_count);
		add_rows(&text, pids.records, pids.record_count);
		assert_int_equal(pids.forwarded, 0);
		wrong += text_differs(facts[i].fact, &text, facts[i].pids);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(a_release_converts_pids_from_since_up_to_until)
{
	static const struct {
		const char *version;
		enum pids_converts converts;
	} rows[] = {
		{ "2.4.9", PIDS_NO },	 { "2.5", PIDS_YES },		 { "2.10", PIDS_YES },
		{ "3.0", PIDS_NO },	 { "40.0", PIDS_YES },		 { "main", PIDS_UNKNOWN },
		{ "0123456789", PIDS_UNKNOWN }, { "", PIDS_UNKNOWN },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pids pids = selected(document, rows[i].version, &rules);

		assert_string_equal(pids.rows[0].fields[2].path, "tbl[]");
		if (pids.rows[0].fields[2].converts != rows[i].converts)
			fail_msg("%s: %d", rows[i].version, pids.rows[0].fields[2].converts);
		end_test(state);
	}
}
