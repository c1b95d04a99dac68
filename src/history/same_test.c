/*
 * Changes each property of a document alone, and tests that diff reports the change, that history does not
 * skip it, and that blame agrees with diff. The list of properties is compared with the structs of abi/abi.h:
 * a new member of one of them needs a new row.
 */
#include "history/fixture_test.h"

#include "history/internal.h"

#include <ctype.h>

/* The parts of a document that is not sealed yet. */
struct draft {
	struct abi_field fields[8];
	struct abi_record record;
	struct abi_alias alias;
	struct abi_enumerator values[2];
	struct abi_enum one;
	struct abi_constant constant;
	const char *flags[2];
	struct abi_ioctl ioctl;
};

enum { A, B, GRID, TARGET, LOW, MORE, FIELDS };

static void set_draft(struct draft *draft)
{
	*draft = (struct draft){
		.fields = {
			[A] = { .name = "a", .type = "NvU32", .size_bits = 32 },
			[B] = { .name = "b", .type = "NvU32", .offset_bits = 32, .size_bits = 32 },
			[GRID] = { .name = "grid", .type = "NvU32[2][3]", .offset_bits = 64, .size_bits = 192 },
			[TARGET] = { .name = "target", .type = "T *", .offset_bits = 256, .size_bits = 64 },
			[LOW] = { .name = "low", .type = "NvU32", .offset_bits = 320, .size_bits = 32, .is_bitfield = true },
			[MORE] = { .name = "more", .type = "pair", .offset_bits = 352, .size_bits = 32 },
		},
		.record = { .name = "R", .field_count = FIELDS, .size_bytes = 64, .align_bytes = 8, .source = "a.h:1:1" },
		.alias = { "pair", "unsigned char[2][2]", 4 },
		.values = { { "E_ONE", { 1, false } }, { "E_TWO", { 2, false } } },
		.one = { .name = "E", .type = "unsigned int", .size_bytes = 4, .value_count = 2, .source = "a.h:2:1" },
		.constant = { "C", { 5, false } },
		.flags = { "cacheable", "privileged" },
		.ioctl = { .family = "toy", .name = "IOCTL", .number = 0xc0404b01, .params = "R", .flag_count = 2, .access = "nice", .source = "a.c:3",
			   .encoding = ABI_NUMBER_IOC, .argument = "R *" },
	};
}

static void put_draft(struct abi_builder *doc, struct draft *draft)
{
	struct abi_record record = draft->record;
	struct abi_enum one = draft->one;
	struct abi_ioctl ioctl = draft->ioctl;

	document_put(doc, "alias T~* T~* 8 alias OTHER~* OTHER~* 8 alias R~* R~* 8 struct T 4 { NvU32 t@0 } "
			  "struct OTHER 8 { NvU64 t@0 }", &arena);
	record.fields = arena_memdup(&arena, draft->fields, record.field_count * sizeof(*record.fields));
	one.values = arena_memdup(&arena, draft->values, one.value_count * sizeof(*one.values));
	ioctl.flags = arena_memdup(&arena, draft->flags, ioctl.flag_count * sizeof(*draft->flags));
	abi_builder_record(doc, &record);
	abi_builder_alias(doc, &draft->alias);
	abi_builder_enum(doc, &one);
	abi_builder_constant(doc, &draft->constant);
	abi_builder_ioctl(doc, &ioctl);
}

#define CHANGE(name, statement) static void name(struct draft *draft) { statement; }
CHANGE(field_name, draft->fields[A].name = "z")
CHANGE(field_type, draft->fields[A].type = "NvS32")
CHANGE(field_spelling, draft->fields[A].type = "NvHandle")
CHANGE(field_dimensions, draft->fields[GRID].type = "NvU32[3][2]")
CHANGE(field_dimension_count, draft->fields[GRID].type = "NvU32[6]")
CHANGE(field_target, draft->fields[TARGET].type = "OTHER *")
CHANGE(field_offset, draft->fields[MORE].offset_bits = 384)
CHANGE(field_size, draft->fields[LOW].size_bits = 16)
CHANGE(field_bits, draft->fields[LOW].is_bitfield = false)
CHANGE(field_role, draft->fields[B].role = ABI_ROLE_HANDLE)
CHANGE(field_other_role, draft->fields[B].role = ABI_ROLE_COUNT)
CHANGE(record_name, draft->record.name = "RENAMED")
CHANGE(record_fields, draft->record.field_count--)
CHANGE(record_size, draft->record.size_bytes = 72)
CHANGE(record_align, draft->record.align_bytes = 16)
CHANGE(record_union, draft->record.is_union = true)
CHANGE(record_source, draft->record.source = "b.h:9:1")
CHANGE(alias_name, draft->alias.name = "couple"; draft->fields[MORE].type = "couple")
CHANGE(alias_type, draft->alias.type = "unsigned char[4]")
CHANGE(alias_size, draft->alias = ((struct abi_alias){ "pair", "unsigned short[2][2]", 8 });
       draft->fields[MORE].size_bits = 64)
CHANGE(enumerator_name, draft->values[0].name = "E_A")
CHANGE(enumerator_value, draft->values[0].value.magnitude = 7)
CHANGE(enum_name, draft->one.name = "F")
CHANGE(enum_type, draft->one.type = "int")
CHANGE(enum_size, draft->one.size_bytes = 8)
CHANGE(enum_values, draft->one.value_count--)
CHANGE(enum_source, draft->one.source = "b.h:2:1")
CHANGE(constant_name, draft->constant.name = "D")
CHANGE(constant_value, draft->constant.value.magnitude = 6)
CHANGE(constant_sign, draft->constant.value.negative = true)
CHANGE(ioctl_family, draft->ioctl.family = "other")
CHANGE(ioctl_name, draft->ioctl.name = "RENAMED")
CHANGE(ioctl_number, draft->ioctl.number++)
CHANGE(ioctl_params, draft->ioctl.params = "T")
CHANGE(ioctl_flags, draft->flags[0] = "other")
CHANGE(ioctl_flag_count, draft->ioctl.flag_count--)
CHANGE(ioctl_access, draft->ioctl.access = "nice,other")
CHANGE(ioctl_no_access, draft->ioctl.access = NULL)
CHANGE(ioctl_source, draft->ioctl.source = "b.c:3")
CHANGE(ioctl_encoding, draft->ioctl.encoding = ABI_NUMBER_IOC_BY_NR)
CHANGE(ioctl_varies, draft->ioctl.varies = 1)
CHANGE(ioctl_argument, draft->ioctl.argument = "R[1]")
CHANGE(ioctl_array, draft->ioctl.argument = "NvU32[2]")

/*
 * @what: the changed item; NULL if the property is not part of the ABI. @path: a field to run blame on, or
 * NULL
 */
static const struct row {
	const char *structure, *member;
	void (*change)(struct draft *draft);
	const char *what, *path;
	unsigned classes;
} rows[] = {
	{ "abi_field", "name", field_name, "R", "z", DIFF_NAME },
	{ "abi_field", "type", field_type, "R", "a", DIFF_LAYOUT },
	{ "abi_field", "type", field_spelling, "R", "a", DIFF_NAME },
	{ "abi_field", "type", field_dimensions, "R", "grid", DIFF_LAYOUT },
	{ "abi_field", "type", field_dimension_count, "R", "grid", DIFF_LAYOUT },
	{ "abi_field", "type", field_target, "R", "target", DIFF_TRANSLATION },
	{ "abi_field", "offset_bits", field_offset, "R", "more", DIFF_LAYOUT },
	{ "abi_field", "size_bits", field_size, "R", "low", DIFF_LAYOUT },
	{ "abi_field", "is_bitfield", field_bits, "R", "low", DIFF_NAME },
	{ "abi_field", "role", field_role, "R", "b", DIFF_TRANSLATION },
	{ "abi_field", "role", field_other_role, "R", "b", DIFF_LAYOUT },
	{ "abi_record", "name", record_name, "R", NULL, DIFF_NAME },
	{ "abi_record", "fields", record_fields, "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "field_count", record_fields, "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "size_bytes", record_size, "R", NULL, DIFF_GROWTH },
	{ "abi_record", "align_bytes", record_align, "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "is_union", record_union, "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "source", record_source, NULL, NULL, 0 },
	{ "abi_alias", "name", alias_name, "pair", NULL, DIFF_REMOVED },
	{ "abi_alias", "type", alias_type, "R", "more", DIFF_LAYOUT },
	{ "abi_alias", "size_bytes", alias_size, "R", "more", DIFF_LAYOUT },
	{ "abi_enumerator", "name", enumerator_name, "E", NULL, DIFF_NAME },
	{ "abi_enumerator", "value", enumerator_value, "E", NULL, DIFF_VALUE },
	{ "abi_number", "magnitude", enumerator_value, "E", NULL, DIFF_VALUE },
	{ "abi_number", "negative", constant_sign, "C", NULL, DIFF_VALUE },
	{ "abi_enum", "name", enum_name, "E", NULL, DIFF_NAME },
	{ "abi_enum", "type", enum_type, "E", NULL, DIFF_LAYOUT },
	{ "abi_enum", "size_bytes", enum_size, "E", NULL, DIFF_LAYOUT },
	{ "abi_enum", "values", enum_values, "E", NULL, DIFF_VALUE },
	{ "abi_enum", "value_count", enum_values, "E", NULL, DIFF_VALUE },
	{ "abi_enum", "source", enum_source, NULL, NULL, 0 },
	{ "abi_constant", "name", constant_name, "C", NULL, DIFF_REMOVED },
	{ "abi_constant", "value", constant_value, "C", NULL, DIFF_VALUE },
	{ "abi_ioctl", "family", ioctl_family, "IOCTL", NULL, DIFF_ADDED },
	{ "abi_ioctl", "name", ioctl_name, "IOCTL", NULL, DIFF_NAME },
	{ "abi_ioctl", "number", ioctl_number, "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "params", ioctl_params, "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "flags", ioctl_flags, "IOCTL", NULL, DIFF_FLAGS },
	{ "abi_ioctl", "flag_count", ioctl_flag_count, "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "access", ioctl_access, "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "access", ioctl_no_access, "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "source", ioctl_source, NULL, NULL, 0 },
	{ "abi_ioctl", "encoding", ioctl_encoding, "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "varies", ioctl_varies, "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "argument", ioctl_argument, "IOCTL", NULL, DIFF_TRANSLATION | DIFF_LAYOUT },
	{ "abi_ioctl", "argument", ioctl_array, "IOCTL", NULL, DIFF_TRANSLATION | DIFF_LAYOUT },
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static struct history_graph two_versions(void (*change)(struct draft *draft))
{
	struct draft draft;

	begin_test(NULL);
	set_draft(&draft);
	put_draft(put_version("1.0", NULL), &draft);
	if (change)
		change(&draft);
	put_draft(put_version("2.0", "1.0"), &draft);
	return graph_of_all();
}

static bool is_about(const struct diff_change *change, const char *name)
{
	return !strcmp(change->name, name) || (change->base_name && !strcmp(change->base_name, name));
}

static const struct diff_change *change_of(const struct history_changes *changes, const char *name)
{
	for (size_t i = 0; i < changes->count; i++)
		if (is_about(&changes->changes[i], name) && changes->changes[i].kind != ABI_ALIAS)
			return &changes->changes[i];
	for (size_t i = 0; i < changes->count; i++)
		if (is_about(&changes->changes[i], name))
			return &changes->changes[i];
	return NULL;
}

static void blame_agrees(const struct history_graph *graph, const struct row *row)
{
	struct blame blame;
	size_t changed = 0;

	assert_int_equal(history_blame(&blame, graph, 1, "R", &arena, &err), 0);
	for (size_t i = 0; i < blame.line_count; i++) {
		bool is_new = blame.lines[i].version == 1;

		changed += is_new;
		if (is_new != !strcmp(blame.lines[i].leaf->path, row->path))
			fail_msg("%s.%s: blame says that %s is of version %s", row->structure, row->member,
				 blame.lines[i].leaf->path, versions[blame.lines[i].version].version);
	}
	assert_int_equal(changed, 1);
}

static void each_property_of_the_model_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		struct history_graph graph = two_versions(row->change);
		struct history_changes changes, asked;
		const struct diff_change *change;

		if (history_compare(&changes, &graph, &graph.edges[0], &filter, &arena, &err))
			fail_msg("%s", err.text);
		if (history_same(versions[0].abi, versions[1].abi) != !row->what ||
		    !changes.count != !row->what)
			fail_msg("%s.%s (row %zu): %zu changes", row->structure, row->member, i,
				 changes.count);
		if (row->what) {
			change = change_of(&changes, row->what);
			if (!change || change->classes != row->classes)
				fail_msg("%s.%s (row %zu): classes %#x of %s, not %#x", row->structure,
					 row->member, i, change ? change->classes : 0, row->what,
					 row->classes);
			filter = (struct history_filter){ .names = &row->what, .name_count = 1 };
			if (history_untouched(versions[0].abi, versions[1].abi, &filter))
				fail_msg("%s.%s (row %zu): %s is untouched", row->structure, row->member, i,
					 row->what);
			assert_int_equal(history_compare(&asked, &graph, &graph.edges[0], &filter, &arena,
							 &err),
					 0);
			assert_non_null(change_of(&asked, row->what));
		}
		if (row->path)
			blame_agrees(&graph, row);
		end_test(NULL);
		version_count = 0;
	}
}

static void nothing_is_told_of_what_is_the_same(void **state)
{
	struct history_graph graph = two_versions(NULL);
	struct history_changes changes;

	(void)state;
	assert_true(history_same(versions[0].abi, versions[1].abi));
	assert_int_equal(history_compare(&changes, &graph, &graph.edges[0], &filter, &arena, &err), 0);
	assert_int_equal(changes.count, 0);
}

/* Finds the row of a member, whose name is the last word before the semicolon. */
static void find_row_of(const char *structure, const char *start, const char *end)
{
	while (end > start && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	for (start = end; isalnum((unsigned char)start[-1]) || start[-1] == '_'; start--)
		;
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].structure, structure) &&
		    strlen(rows[i].member) == (size_t)(end - start) &&
		    !memcmp(rows[i].member, start, (size_t)(end - start)))
			return;
	fail_msg("struct %s has a member %.*s, and no row above changes it", structure, (int)(end - start),
		 start);
}

static void every_member_has_a_row(void **state)
{
	static const char *const structures[] = {
		"abi_number",	  "abi_field", "abi_record",   "abi_alias",
		"abi_enumerator", "abi_enum",  "abi_constant", "abi_ioctl"
	};
	struct strbuf text = { 0 };

	(void)state;
	if (file_read(&text, "src/abi/abi.h", 1 << 20, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof(structures) / sizeof(*structures); i++) {
		const char *head = arena_printf(&arena, "struct %s {\n", structures[i]);
		const char *at = strstr(text.text, head), *end;

		assert_non_null(at);
		end = strstr(at, "\n};");
		assert_non_null(end);
		for (at += strlen(head); at < end; at = strchr(at, '\n') + 1) {
			const char *semicolon = memchr(at, ';', (size_t)(strchr(at, '\n') - at));

			if (at[1] == '\t') /* the second line of a comment */
				continue;
			assert_non_null(semicolon);
			find_row_of(structures[i], at, semicolon);
		}
	}
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(each_property_of_the_model_is_told),
		TEST(nothing_is_told_of_what_is_the_same),
		TEST(every_member_has_a_row),
	};

	return cmocka_run_group_tests_name("history/same", tests, NULL, NULL);
}
