/* Tests which ioctls a version offers, which of them a proxy forwards, and what its capabilities expose. */
#include "verify/fixture_test.h"

static const char document[] = "struct R 12 { NvU32 a@0; NvU32 who@8 pid } ioctl alloc/ROOT 65 NvU32 "
			       "ioctl CMD_A 1 R +non-privileged ioctl CMD_B 2 -";
static const char entries[] = "alloc/ROOT 65 caps=compute,utility; CMD_A 1 caps=compute,graphics; "
			      "GONE 9 caps=graphics; uvm/FREE 1";

/* The table passes through the numbers of the family control whose last two bits are 2. */
static const struct table_view *view_of_table(void)
{
	static const struct table_passed passed[] = { { "control", 0x3, 0x2, "TWO" } };
	struct table *table = table_of(arena_printf(&arena, "node 1 { %s }", entries), &arena);
	struct table_view *view = arena_alloc(&arena, sizeof(*view));

	table->passed = passed;
	table->passed_count = 1;
	table_view_at(view, table, table->nodes, &arena);
	return view;
}

static const char *const order[] = { "graphics", "compute" };
static const struct profile_strings only_graphics = { order, 1 }, graphics_first = { order, 2 };

/* Adds a name, "-" if the driver has no such ioctl, the parameters, and what the proxy does. */
static void add_row(struct strbuf *out, const struct surface_row *row)
{
	strbuf_addf(out, "\n%s", row->ioctl ? row->ioctl->name : "-");
	if (row->params)
		strbuf_addf(out, " %s %llu", row->params, (unsigned long long)row->params_bytes);
	assert_true(row->params || !row->params_bytes);
	if (row->entry)
		strbuf_addf(out, " as %s", row->entry->name);
	if (row->passed_as)
		strbuf_addf(out, " passed as %s", row->passed_as);
	for (size_t f = 0; f < row->field_count; f++)
		strbuf_addf(out, "; %s@%llu", row->fields[f].path,
			    (unsigned long long)row->fields[f].offset_bits / 8);
}

/* A filter, and the ioctls that match it, with or without the table. */
static const struct {
	const char *fact;
	bool has_table;
	struct surface_filter filter;
	const char *ioctls;
} facts[] = {
	{ "without a table, every ioctl of the driver is listed", false, { 0 },
	  "ROOT NvU32 4\n"
	  "CMD_A R 12\n"
	  "CMD_B\n"
	  "0 forwarded, 0 unknown, 0 passed" },
	{ "with a table, its other ioctls are listed, too", true, { 0 },
	  "ROOT NvU32 4 as ROOT\n"
	  "CMD_A R 12 as CMD_A\n"
	  "CMD_B passed as TWO\n"
	  "- as GONE\n"
	  "- as FREE\n"
	  "2 forwarded, 2 unknown, 1 passed" },
	{ "a family", true, { .family = "control" },
	  "CMD_A R 12 as CMD_A\n"
	  "CMD_B passed as TWO\n"
	  "- as GONE\n"
	  "1 forwarded, 1 unknown, 1 passed" },
	{ "a flag", true, { .flag = "non-privileged" },
	  "CMD_A R 12 as CMD_A\n"
	  "1 forwarded, 0 unknown, 0 passed" },
	{ "a name", true, { .name = "CMD_*" },
	  "CMD_A R 12 as CMD_A\n"
	  "CMD_B passed as TWO\n"
	  "1 forwarded, 0 unknown, 1 passed" },
	{ "a capability", true, { .caps = &only_graphics },
	  "CMD_A R 12 as CMD_A\n"
	  "- as GONE\n"
	  "1 forwarded, 1 unknown, 0 passed" },
	{ "roles, with the fields that have them", true,
	  { .roles = 1u << ABI_ROLE_PID | 1u << ABI_ROLE_FD },
	  "CMD_A R 12 as CMD_A; who@8\n"
	  "1 forwarded, 0 unknown, 0 passed" },
};

VERIFY_TEST(ioctls_that_match_a_filter)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++) {
		const struct abi *abi = document_of(document, &arena);
		const struct table_view *view = facts[i].has_table ? view_of_table() : NULL;
		struct strbuf text = { 0 };
		struct surface surface;

		if (surface_select(&surface, abi, view, &facts[i].filter, &arena, &err))
			fail_msg("%s", err.text);
		for (size_t r = 0; r < surface.row_count; r++)
			add_row(&text, &surface.rows[r]);
		strbuf_addf(&text, "\n%zu forwarded, %zu unknown, %zu passed", surface.forwarded,
			    surface.unknown, surface.passed);
		wrong += text_differs(facts[i].fact, &text, facts[i].ioctls);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

/* --- capabilities ----------------------------------------------------------------------- */

static void add_names(struct strbuf *out, const char *what, const struct table_entry *const *of, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? "," : what, of[i]->name);
}

/*
 * Adds a line for each capability that an entry lists: the number of entries, how many of them no earlier
 * capability exposes, how many only this capability exposes, and the entries by family. Then adds the sets,
 * and the entries that no capability exposes.
 */
static void add_caps(struct strbuf *out, const struct caps *caps)
{
	strbuf_addf(out, "\n%zu capabilities", caps->cap_count);
	for (size_t i = 0; i < caps->cap_count; i++) {
		const struct caps_one *one = &caps->caps[i];

		if (!one->entries && one->is_known)
			continue;
		strbuf_addf(out, "\n%zu %s%s: %zu adds %zu own %zu", i, one->name,
			    one->is_known ? "" : " (unknown)", one->entries, one->adds, one->own);
		for (size_t f = 0; f < caps->family_count; f++)
			strbuf_addf(out, " %s %zu", caps->families[f], one->by_family[f]);
	}
	for (size_t i = 0; i < caps->set_count; i++) {
		strbuf_adds(out, "\nset");
		for (size_t c = 0; c < caps->sets[i].cap_count; c++)
			strbuf_addf(out, " %s", caps->sets[i].caps[c]);
		add_names(out, ": ", caps->sets[i].entries, caps->sets[i].entry_count);
	}
	strbuf_addf(out, "\n%zu exposed", caps->reached);
	add_names(out, ", not ", caps->unreached, caps->unreached_count);
}

/* Entries of a table, the requested capabilities (NULL: all), and what they expose. */
static const struct {
	const char *fact, *entries;
	const struct profile_strings *wanted;
	const char *caps;
} caps_facts[] = {
	{ "an entry counts for each of its capabilities, and adds to the first", entries, NULL,
	  "10 capabilities\n"
	  "0 compute: 2 adds 2 own 0 alloc 1 control 1 uvm 0\n"
	  "1 utility: 1 adds 0 own 0 alloc 1 control 0 uvm 0\n"
	  "2 graphics: 2 adds 1 own 1 alloc 0 control 2 uvm 0\n"
	  "set compute graphics: CMD_A\n"
	  "set compute utility: ROOT\n"
	  "set graphics: GONE\n"
	  "3 exposed, not FREE" },
	{ "the requested order decides which capability an entry adds to", entries, &graphics_first,
	  "2 capabilities\n"
	  "0 graphics: 2 adds 2 own 1 alloc 0 control 2 uvm 0\n"
	  "1 compute: 2 adds 1 own 0 alloc 1 control 1 uvm 0\n"
	  "set compute graphics: CMD_A\n"
	  "set compute utility: ROOT\n"
	  "set graphics: GONE\n"
	  "3 exposed, not FREE" },
	{ "an unknown capability is last", "X 3 caps=strange", NULL,
	  "11 capabilities\n"
	  "10 strange (unknown): 1 adds 1 own 1 control 1\n"
	  "set strange: X\n"
	  "1 exposed" },
};

VERIFY_TEST(what_capabilities_expose)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(caps_facts); i++) {
		struct strbuf text = { 0 };
		struct caps caps;

		caps_count(&caps, table_view_of("", caps_facts[i].entries, &arena), caps_facts[i].wanted,
			   &arena);
		add_caps(&text, &caps);
		wrong += text_differs(caps_facts[i].fact, &text, caps_facts[i].caps);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(what_each_capability_gained_and_lost)
{
	static const char older[] = "alloc/ROOT 65 caps=graphics; CMD_A 1 caps=compute; OLD 3 caps=graphics";
	struct strbuf text = { 0 };
	struct caps_since since;
	struct caps caps;

	caps_count(&caps, table_view_of("", entries, &arena), NULL, &arena);
	caps_compare(&since, &caps, table_view_of("", older, &arena), &arena);
	assert_int_equal(since.change_count, 10);
	for (size_t i = 0; i < since.change_count; i++)
		if (since.changes[i].gained_count || since.changes[i].lost_count) {
			strbuf_addf(&text, "\n%zu %s", i, since.changes[i].name);
			add_names(&text, " +", since.changes[i].gained, since.changes[i].gained_count);
			add_names(&text, " -", since.changes[i].lost, since.changes[i].lost_count);
		}
	assert_false(text_differs(__func__, &text,
				  "0 compute +ROOT\n"
				  "1 utility +ROOT\n"
				  "2 graphics +CMD_A,GONE -ROOT,OLD"));
}

/* Lists the entries of @text, which are words like "compute,utility"; "-" has no capabilities. */
static size_t read_entries(const struct table_entry *listed[], const char *text)
{
	size_t count = 0;

	for (char *word; *(word = document_word(&text, &arena)); count++) {
		struct table_entry *entry = arena_array(&arena, 1, sizeof(*entry));
		const char **caps = arena_array(&arena, strlen(word), sizeof(*caps));

		*entry = (struct table_entry){ .family = "control", .name = "X", .caps = caps };
		for (char *rest, *cap = strtok_r(word, ",-", &rest); cap; cap = strtok_r(NULL, ",-", &rest))
			caps[entry->cap_count++] = cap;
		listed[count] = entry;
	}
	return count;
}

VERIFY_TEST(the_smallest_set_of_capabilities_covers_all_entries)
{
	static const struct {
		const char *fact, *entries, *cover;
	} rows[] = {
		{ "one capability that all list is enough", "compute,utility graphics,utility", "utility" },
		{ "of two that are enough, the first of table_caps is used", "compute,utility", "compute" },
		{ "a greedy choice would need three where two are enough", "a,c a,d b,c b,d a,c b,c", "a b" },
		{ "entries without capabilities are ignored", "- video", "video" },
		{ "no entry has a capability", "-", "" },
		{ "20 capabilities can be needed", "a b c d e f g h i j k l m n o p q r s t",
		  "a b c d e f g h i j k l m n o p q r s t" },
		{ "more than 20 cover all entries, too",
		  "a b,c c d e f g h i j k l m n o p q r s t u v,w w,x x t,x",
		  "a c d e f g h i j k l m n o p q r s t u v w x" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct table_entry *listed[25];
		struct strbuf text = { 0 };
		const char *const *caps;

		caps_cover(&caps, listed, read_entries(listed, rows[i].entries), &arena);
		for (; *caps; caps++)
			strbuf_addf(&text, "%s%s", text.length ? " " : "", *caps);
		failed += text_differs(rows[i].fact, &text, rows[i].cover);
	}
	assert_int_equal(failed, 0);
}
