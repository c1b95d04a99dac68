/*
 * Changes each property of a document alone, and tests that diff reports the change, that history does not
 * skip it, and that blame agrees with diff. The list of properties is compared with the structs of abi/abi.h:
 * a new member of one of them needs a new row.
 */
#include "history/fixture_test.h"

#include "history/internal.h"

#define DOCUMENT                                                                                             \
	"alias T~* T~* 8 alias OTHER~* OTHER~* 8 alias R~* R~* 8 struct T 4 { NvU32 t@0 } "                  \
	"struct OTHER 8 { NvU64 t@0 } "                                                                      \
	"struct R@a.h:1:1 64/8 { NvU32 a@0; NvU32 b@4; NvU32[2][3] grid@8; T~* target@32+8; "                \
	"NvU32 low:32@320; pair more@44 } alias pair unsigned~char[2][2] 4 "                                 \
	"enum E@a.h:2:1 unsigned~int 4 { E_ONE=1; E_TWO=2 } const C 5 "                                      \
	"ioctl toy/IOCTL@a.c:3 0xc0404b01 R +cacheable +privileged !nice %ioc =R~*"

/*
 * A member of a struct of abi/abi.h, and a change of the document that changes only this member: @from is
 * replaced with @to. @what: the changed item; NULL if the property is not part of the ABI. @path: a field to
 * run blame on, or NULL
 */
static const struct row {
	const char *structure, *member, *from, *to, *what, *path;
	unsigned classes;
} rows[] = {
	{ "abi_field", "name", "NvU32 a@0", "NvU32 z@0", "R", "z", DIFF_NAME },
	{ "abi_field", "type", "NvU32 a@0", "NvS32 a@0", "R", "a", DIFF_LAYOUT },
	{ "abi_field", "type", "NvU32 a@0", "NvHandle a@0", "R", "a", DIFF_NAME },
	{ "abi_field", "type", "[2][3] grid", "[3][2] grid", "R", "grid", DIFF_LAYOUT },
	{ "abi_field", "type", "[2][3] grid", "[6] grid", "R", "grid", DIFF_LAYOUT },
	{ "abi_field", "type", "T~* target", "OTHER~* target", "R", "target", DIFF_TRANSLATION },
	{ "abi_field", "offset_bits", "more@44", "more@48", "R", "more", DIFF_LAYOUT },
	{ "abi_field", "size_bits", "low:32@320", "low:16@320", "R", "low", DIFF_LAYOUT },
	{ "abi_field", "is_bitfield", "low:32@320", "low@40", "R", "low", DIFF_NAME },
	{ "abi_field", "role", "b@4", "b@4 handle", "R", "b", DIFF_TRANSLATION },
	{ "abi_field", "role", "b@4", "b@4 count", "R", "b", DIFF_LAYOUT },
	{ "abi_record", "name", "struct R@", "struct RENAMED@", "R", NULL, DIFF_NAME },
	{ "abi_record", "fields", "; pair more@44", "", "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "field_count", "; pair more@44", "", "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "size_bytes", "64/8", "72/8", "R", NULL, DIFF_GROWTH },
	{ "abi_record", "align_bytes", "64/8", "64/16", "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "is_union", "struct R@", "union R@", "R", NULL, DIFF_LAYOUT },
	{ "abi_record", "source", "a.h:1:1", "a.h:1:1", NULL, NULL, 0 }, /* equal documents */
	{ "abi_record", "source", "a.h:1:1", "b.h:9:1", NULL, NULL, 0 },
	{ "abi_alias", "name", "pair", "couple", "pair", NULL, DIFF_REMOVED },
	{ "abi_alias", "type", "char[2][2]", "char[4]", "R", "more", DIFF_LAYOUT },
	{ "abi_alias", "size_bytes", "more@44 } alias pair unsigned~char[2][2] 4",
	  "more@44+8 } alias pair unsigned~short[2][2] 8", "R", "more", DIFF_LAYOUT },
	{ "abi_enumerator", "name", "E_ONE", "E_A", "E", NULL, DIFF_NAME },
	{ "abi_enumerator", "value", "E_ONE=1", "E_ONE=7", "E", NULL, DIFF_VALUE },
	{ "abi_number", "magnitude", "E_ONE=1", "E_ONE=7", "E", NULL, DIFF_VALUE },
	{ "abi_number", "negative", "const C 5", "const C -5", "C", NULL, DIFF_VALUE },
	{ "abi_enum", "name", "enum E@", "enum F@", "E", NULL, DIFF_NAME },
	{ "abi_enum", "type", "unsigned~int 4 {", "int 4 {", "E", NULL, DIFF_LAYOUT },
	{ "abi_enum", "size_bytes", "unsigned~int 4 {", "unsigned~int 8 {", "E", NULL, DIFF_LAYOUT },
	{ "abi_enum", "values", "; E_TWO=2", "", "E", NULL, DIFF_VALUE },
	{ "abi_enum", "value_count", "; E_TWO=2", "", "E", NULL, DIFF_VALUE },
	{ "abi_enum", "source", "a.h:2:1", "b.h:2:1", NULL, NULL, 0 },
	{ "abi_constant", "name", "const C", "const D", "C", NULL, DIFF_REMOVED },
	{ "abi_constant", "value", "const C 5", "const C 6", "C", NULL, DIFF_VALUE },
	{ "abi_ioctl", "family", "toy/", "other/", "IOCTL", NULL, DIFF_ADDED },
	{ "abi_ioctl", "name", "/IOCTL", "/RENAMED", "IOCTL", NULL, DIFF_NAME },
	{ "abi_ioctl", "number", "0xc0404b01", "0xc0404b02", "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "params", "0xc0404b01 R", "0xc0404b01 T", "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "flags", "+cacheable", "+other", "IOCTL", NULL, DIFF_FLAGS },
	{ "abi_ioctl", "flag_count", "+privileged ", "", "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "access", "!nice", "!nice,other", "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "access", "!nice ", "", "IOCTL", NULL, DIFF_ACCESS },
	{ "abi_ioctl", "source", "a.c:3", "b.c:3", NULL, NULL, 0 },
	{ "abi_ioctl", "encoding", "%ioc", "%nr", "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "varies", "%ioc", "%ioc ?1", "IOCTL", NULL, DIFF_NUMBER },
	{ "abi_ioctl", "argument", "=R~*", "=R[1]", "IOCTL", NULL, DIFF_TRANSLATION | DIFF_LAYOUT },
	{ "abi_ioctl", "argument", "=R~*", "=NvU32[2]", "IOCTL", NULL, DIFF_TRANSLATION | DIFF_LAYOUT },
};
enum { ROWS = sizeof(rows) / sizeof(*rows) };

/* Returns DOCUMENT with @to for each @from, which it must have. */
static const char *changed_document(const char *from, const char *to)
{
	const char *rest = DOCUMENT, *text = "";

	assert_non_null(strstr(rest, from));
	for (const char *at; (at = strstr(rest, from)); rest = at + strlen(from))
		text = arena_printf(&arena, "%s%.*s%s", text, (int)(at - rest), rest, to);
	return arena_printf(&arena, "%s%s", text, rest);
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
		if (is_new != !strcmp(blame.lines[i].scalar->path, row->path))
			fail_msg("%s.%s: blame says that %s is of version %s", row->structure, row->member,
				 blame.lines[i].scalar->path, versions[blame.lines[i].version].version);
	}
	assert_int_equal(changed, 1);
}

HISTORY_TEST(each_property_of_the_model_is_told)
{
	for (size_t i = 0; i < ROWS; i++) {
		const struct row *row = &rows[i];
		struct history_changes changes, asked;
		const struct diff_change *change;
		struct history_graph graph;

		begin_test(NULL);
		graph = graph_of(arena_printf(&arena, "@1.0 %s @2.0<1.0 %s", DOCUMENT,
					      changed_document(row->from, row->to)));
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
	}
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

HISTORY_TEST(every_member_has_a_row)
{
	static const char *const structures[] = {
		"abi_number",	  "abi_field", "abi_record",   "abi_alias",
		"abi_enumerator", "abi_enum",  "abi_constant", "abi_ioctl"
	};
	struct strbuf text = { 0 };

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
