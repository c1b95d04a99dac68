/* Records, enums and types as clang has them. */
#include "extract/fixture_test.h"

static void a_struct_has_its_fields(void **state)
{
	const struct abi *abi = abi_of(state, "struct s { char a; int b; };\n");
	const struct abi_record *s = abi_find_record(abi, "s");

	assert_non_null(s);
	assert_int_equal(s->size_bytes, 8);
	assert_int_equal(s->field_count, 2);
	assert_string_equal(s->fields[1].name, "b");
	assert_int_equal(s->fields[1].offset_bits, 32);
	assert_string_equal(s->source, "a.h:1:8");
}

static void two_unnamed_members_have_two_names(void **state)
{
	const struct abi *abi = abi_of(state, "struct s { struct { int a; }; union { int b; }; };\n");
	const struct abi_record *s = abi_find_record(abi, "s");

	assert_string_equal(s->fields[0].type, "s::_t");
	assert_string_equal(s->fields[1].type, "s::_t2");
	assert_true(abi_find_record(abi, "s::_t2")->is_union);
}

static void a_typedef_is_a_copy_with_names_of_its_own(void **state)
{
	const struct abi *abi =
		abi_of(state, "typedef struct t { struct { int x; } e[4]; } T; typedef T U;\n");

	assert_string_equal(abi_find_record(abi, "t")->fields[0].type, "t::e_t[4]");
	assert_string_equal(abi_find_record(abi, "T")->fields[0].type, "T::e_t[4]");
	assert_string_equal(abi_find_record(abi, "U")->fields[0].type, "T::e_t[4]");
	assert_non_null(abi_find_record(abi, "T::e_t"));
}

static void a_role_comes_from_the_profile(void **state)
{
	static const struct profile_role role = { .role = ABI_ROLE_FD, .name = "*fd" };
	struct fixture *fixture = *state;
	const struct abi *abi;

	fixture->profile.roles = &role;
	fixture->profile.role_count = 1;
	abi = abi_of(state, "struct s { int ctlFd; int other; };\n");
	assert_int_equal(abi_find_record(abi, "s")->fields[0].role, ABI_ROLE_FD);
	assert_int_equal(abi_find_record(abi, "s")->fields[1].role, ABI_ROLE_NONE);
}

static void the_target_decides(void **state)
{
	const struct memory_file files[] = { { "a.h", "#define K_CHAR ((char)0xff)\n" }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract_for(fixture, files, "x86_64-linux-gnu"), 0);
	assert_true(abi_find_constant(&fixture->abi, "K_CHAR")->value.negative);
	assert_int_equal(extract_for(fixture, files, "aarch64-linux-gnu"), 0);
	assert_false(abi_find_constant(&fixture->abi, "K_CHAR")->value.negative);
}

static void an_unknown_target_is_refused(void **state)
{
	const struct memory_file files[] = { { "a.h", "" }, { NULL, NULL } };

	assert_int_equal(extract_for(*state, files, "vax"), ERR_USAGE);
}

/* inner.h declares three things for itself: one is used by a.h, under a typedef. */
static void what_only_the_context_declares_is_recorded_where_it_is_used(void **state)
{
	static const char *const context = "inc/inner.h";
	const struct memory_file files[] = {
		{ "a.h", "#include \"inner.h\"\nstruct s { Used u; };\n" },
		{ "inc/inner.h",
		  "typedef struct used_tag { int a; } Used; struct idle { Used u; }; enum idle_e { IDLE_1 }; typedef int idle_t;\n" },
		{ NULL, NULL },
	};
	struct fixture *fixture = *state;
	const struct abi *abi = &fixture->abi;

	fixture->unit.context = (struct profile_strings){ &context, 1 };
	assert_int_equal(extract(fixture, files), 0);
	assert_int_equal(abi->record_count, 3);
	assert_non_null(abi_find_record(abi, "Used"));
	assert_non_null(abi_find_record(abi, "used_tag"));
	assert_int_equal(abi->enum_count, 0);
	assert_null(abi_find_alias(abi, "idle_t"));
	fixture->unit.context.count = 0;
	assert_int_equal(extract(fixture, files), 0);
	assert_non_null(abi_find_record(abi, "idle"));
	assert_non_null(abi_find_enum(abi, "idle_e"));
}

static void types_inside_expressions_are_found(void **state)
{
	const struct abi *abi =
		abi_of(state,
		       "enum { Q = sizeof(enum { LEN = 5 }) };\nstruct s { int a[sizeof(struct t { char c; })]; };\n");

	assert_non_null(abi_find_enum(abi, "::LEN_t"));
	assert_non_null(abi_find_record(abi, "t"));
}

static void what_clang_declares_by_itself_is_no_record(void **state)
{
	const struct abi *abi = abi_of(state, "typedef __builtin_va_list list; struct s { list l; };\n");

	assert_int_equal(abi->record_count, 1);
}

static void a_record_of_records_without_end_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, "struct s0 {};\n");
	for (i = 1; i < 60; i++)
		strbuf_addf(&text, "struct s%d { struct s%d a, b; };\n", i, i - 1);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }),
			 ERR_LIMIT);
	strbuf_release(&text);
}

/* @repeated is the same text @count times, or one with the numbers @count counts through. */
static void assert_too_deep(void **state, const char *head, const char *repeated, int count, const char *tail)
{
	struct fixture *fixture = *state;
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, head);
	for (i = 0; i < count; i++)
		strbuf_addf(&text, repeated, i, i + 1);
	strbuf_adds(&text, tail);
	assert_int_equal(extract(fixture, (struct memory_file[]){ { "a.h", text.text }, { NULL, NULL } }),
			 ERR_LIMIT);
	assert_int_equal(strncmp(fixture->err.text, "a.h:", 4), 0);
	strbuf_release(&text);
}

static void types_of_types_without_end_are_refused(void **state)
{
	assert_too_deep(state, "typedef int t0;\n", "typedef t%d *t%d;\n", 5000, "");
	assert_too_deep(state, "struct s0 { int x; };\n", "struct s%2$d { struct s%1$d x; };\n", 5000, "");
}

static void a_long_chain_of_typedefs_is_fine(void **state)
{
	struct strbuf text = { 0 };
	int i;

	strbuf_adds(&text, "typedef struct { int x; } t0;\n");
	for (i = 0; i < 500; i++)
		strbuf_addf(&text, "typedef t%d t%d;\n", i, i + 1);
	assert_int_equal(abi_of(state, text.text)->record_count, 501);
	strbuf_release(&text);
}

static void a_long_chain_of_pointers_is_no_deep_one(void **state)
{
	struct strbuf text = { 0 };
	int i;

	for (i = 0; i < 20000; i++)
		strbuf_addf(&text, "struct s%d { struct s%d *next; };\n", i, i + 1);
	assert_int_equal(abi_of(state, text.text)->record_count, 20000);
	strbuf_release(&text);
}

static void two_runs_give_the_same(void **state)
{
	const char *text =
		"enum { A, B }; struct s { enum { C } e; struct { int x; } u[2][3]; };\n#define K_A 1\n";
	const struct abi *first = abi_of(state, text);
	struct abi copy = *first;
	const struct abi *second = abi_of(state, text);
	size_t i;

	assert_int_equal(copy.record_count, second->record_count);
	for (i = 0; i < copy.record_count; i++)
		assert_true(abi_same_record(&copy.records[i], &second->records[i]));
	assert_non_null(abi_find_enum(second, "::A_t"));
	assert_non_null(abi_find_enum(second, "s::e_t"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_struct_has_its_fields),
		TEST(two_unnamed_members_have_two_names),
		TEST(a_typedef_is_a_copy_with_names_of_its_own),
		TEST(a_role_comes_from_the_profile),
		TEST(the_target_decides),
		TEST(an_unknown_target_is_refused),
		TEST(what_only_the_context_declares_is_recorded_where_it_is_used),
		TEST(types_inside_expressions_are_found),
		TEST(what_clang_declares_by_itself_is_no_record),
		TEST(a_record_of_records_without_end_is_refused),
		TEST(types_of_types_without_end_are_refused),
		TEST(a_long_chain_of_typedefs_is_fine),
		TEST(a_long_chain_of_pointers_is_no_deep_one),
		TEST(two_runs_give_the_same),
	};

	return cmocka_run_group_tests_name("extract", tests, NULL, NULL);
}
