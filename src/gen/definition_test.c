/* Types of two versions as definitions, each distinct one once. */
#include "gen/fixture_test.h"
#include "gen/internal.h"

static void a_layout_that_stays_is_one_definition(void **state)
{
	const struct definition *first;

	(void)state;
	RECORD(0, "T", 8, 4, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(1, "T", 8, 4, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	seal(GEN_C);
	first = declared(0, "T");
	assert_ptr_equal(declared(1, "T"), first);
	assert_string_equal(first->name, "T");
}

static void what_a_typedef_is_called_does_not_count(void **state)
{
	const struct definition *first;

	(void)state;
	RECORD(0, "T", 4, 4, F("a", "NvU32", 0, 4));
	RECORD(1, "T", 4, 4, F("a", "NvHandle", 0, 4));
	seal(GEN_C);
	first = declared(0, "T");
	assert_ptr_equal(declared(1, "T"), first);
}

static void another_layout_is_named_after_its_version(void **state)
{
	(void)state;
	RECORD(0, "T", 4, 4, F("a", "NvU32", 0, 4));
	RECORD(1, "T", 8, 8, F("a", "NvU64", 0, 8));
	seal(GEN_C);
	declared(0, "T");
	assert_string_equal(declared(1, "T")->name, "T_V590");
	assert_string_equal(got->version, "590.44.01");
}

static void the_v_of_a_tag_is_not_doubled(void **state)
{
	(void)state;
	assert_string_equal(gen_versioned_name("T", "v1.1", false, &arena), "T_V1");
	assert_string_equal(gen_versioned_name("T", "v1.1", true, &arena), "T_V1_1");
	assert_string_equal(gen_versioned_name("T", "vendor", false, &arena), "T_Vvendor");
}

static void a_number_and_a_pointer_are_two(void **state)
{
	(void)state;
	RECORD(0, "T", 8, 8, F("a", "NvU64", 0, 8));
	RECORD(1, "T", 8, 8, F("a", "NvP64", 0, 8));
	seal(GEN_C);
	declared(0, "T");
	assert_string_equal(declared(1, "T")->name, "T_V590");
}

static void a_record_inside_that_changed_makes_another_of_the_outer_one(void **state)
{
	(void)state;
	RECORD(0, "In", 8, 4, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(1, "In", 8, 4, F("b", "NvU32", 0, 4), F("a", "NvU32", 4, 4));
	for (int doc = 0; doc < 2; doc++)
		RECORD(doc, "Out", 16, 4, F("in", "In[2]", 0, 16));
	seal(GEN_C);
	declared(0, "Out");
	assert_string_equal(declared(1, "Out")->name, "Out_V590");
	assert_string_equal(got->members[0].type.definition->name, "In_V590");
}

static void an_old_layout_that_comes_back_is_the_old_definition(void **state)
{
	const struct definition *first;

	(void)state;
	RECORD(0, "T", 4, 4, F("a", "NvU32", 0, 4));
	RECORD(1, "T", 8, 8, F("a", "NvU64", 0, 8));
	seal(GEN_C);
	first = declared(0, "T");
	declared(1, "T");
	assert_ptr_equal(declared(0, "T"), first);
}

static void a_tag_and_its_typedef_are_one_declaration(void **state)
{
	const struct definition *tag;

	(void)state;
	put_record(0, "_T", 4, 4, false, "t.h:1:1", FIELDS(F("a", "NvU32", 0, 4)));
	put_record(0, "T", 4, 4, false, "t.h:1:1", FIELDS(F("a", "NvU32", 0, 4)));
	put_record(0, "U", 4, 4, false, "t.h:1:2", FIELDS(F("a", "NvU32", 0, 4)));
	RECORD(0, "Out", 8, 4, F("a", "T", 0, 4), F("b", "_T", 4, 4));
	seal(GEN_C);
	tag = declared(0, "_T");
	assert_ptr_equal(declared(0, "T")->same_as, tag);
	assert_null(declared(0, "U")->same_as);
	declared(0, "Out");
	assert_ptr_equal(got->members[0].type.record, tag);
	assert_ptr_equal(got->members[1].type.record, tag);
}

static void each_stands_behind_what_it_uses(void **state)
{
	const struct definition *const *all;
	size_t count;

	(void)state;
	RECORD(0, "A", 4, 4, F("z", "Z", 0, 4));
	RECORD(0, "Z", 4, 4, F("a", "NvU32", 0, 4));
	seal(GEN_C);
	declared(0, "A");
	all = definitions_all(&count, set);
	assert_int_equal(count, 3);
	assert_string_equal(all[0]->name, "NvU32");
	assert_string_equal(all[1]->name, "Z");
	assert_string_equal(all[2]->name, "A");
}

static void a_name_is_given_once(void **state)
{
	(void)state;
	RECORD(0, "P", 4, 4, F("a", "P::a_t", 0, 4));
	RECORD(0, "P::a_t", 4, 4, F("x", "NvU32", 0, 4));
	RECORD(0, "P_a_t", 4, 4, F("x", "NvU32", 0, 4));
	seal(GEN_RUST);
	declared(0, "P");
	assert_string_equal(declared(0, "P::a_t")->name, "P_a_t");
	assert_string_equal(declared(0, "P_a_t")->name, "P_a_t_2");
}

static void a_name_of_the_language_is_not_taken(void **state)
{
	(void)state;
	seal(GEN_RUST);
	assert_string_equal(declared(0, "u32")->name, "u32_");
}

static void what_an_unnamed_record_has_is_known_of_this_version(void **state)
{
	bool knows_handle = false;

	(void)state;
	RECORD(0, "P", 4, 4, F("a", "P::a_t", 0, 4));
	RECORD(0, "P::a_t", 4, 4, F("x", "NvU32", 0, 4));
	RECORD(1, "P", 8, 4, F("a", "P::a_t", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(1, "P::a_t", 4, 4, F("x", "NvHandle", 0, 4));
	seal(GEN_C);
	declared(0, "P");
	declared(1, "P");
	assert_string_equal(got->members[0].type.definition->name, "P_a_t");
	for (size_t i = 0; i < got->member_count; i++)
		knows_handle = knows_handle || !strcmp(got->members[i].base, "NvHandle");
	assert_true(knows_handle);
}

static void an_enum_is_its_integer(void **state)
{
	(void)state;
	abi_builder_enum(docs[0],
			 &(struct abi_enum){ .name = "MODE", .type = "int", .size_bytes = 4, .source = "" });
	RECORD(0, "T", 4, 4, F("mode", "MODE", 0, 4));
	seal(GEN_C);
	declared(0, "T");
	assert_true(got->members[0].type.definition->is_enum);
	assert_int_equal(got->members[0].type.scalar, ABI_I32);
	assert_string_equal(got->members[0].type.definition->target.words, "int");
}

static void a_type_of_the_compilers_own_is_bytes(void **state)
{
	(void)state;
	abi_builder_alias(docs[0], &(struct abi_alias){ "_Atomic(int)", "_Atomic(int)", 4 });
	abi_builder_alias(docs[0], &(struct abi_alias){ "_BitInt(20)", "_BitInt(20)", 3 });
	RECORD(0, "T", 4, 4, F("a", "_Atomic(int)", 0, 4));
	RECORD(0, "U", 3, 1, F("a", "_BitInt(20)", 0, 3));
	seal(GEN_C);
	assert_string_equal(declared(0, "T")->members[0].type.words,
			    "unsigned char __attribute__((vector_size(4)))");
	assert_string_equal(got->members[0].type.remark, "_Atomic(int)");
	assert_int_equal(declare(0, "U"), ERR_LAYOUT);
	assert_string_equal(err.text,
			    "type \"_BitInt(20)\" is not one of C's own, and cannot be declared in another language");
}

static void what_is_not_true_is_refused(void **state)
{
	(void)state;
	RECORD(0, "Self", 4, 4, F("a", "Self", 0, 4));
	RECORD(0, "Size", 8, 4, F("a", "NvU32", 0, 8));
	RECORD(0, "Twice", 8, 4, F("a", "NvU32", 0, 4), F("a", "NvU32", 4, 4));
	RECORD(0, "Name", 4, 4, F("a b", "NvU32", 0, 4));
	RECORD(0, "Align", 4, 3, F("a", "NvU32", 0, 4));
	RECORD(0, "Multiple", 6, 4, F("a", "NvU32", 0, 4));
	RECORD(0, "None", 4, 4, F("a", "NvX", 0, 4));
	seal(GEN_C);
	assert_int_equal(declare(0, "Self"), ERR_LIMIT);
	assert_int_equal(declare(0, "Size"), ERR_LAYOUT);
	assert_string_equal(err.text,
			    "field a of record Size is 8 bytes, but its type NvU32 is 4; fix the document");
	assert_int_equal(declare(0, "Twice"), ERR_FORMAT);
	assert_int_equal(declare(0, "Name"), ERR_FORMAT);
	assert_int_equal(declare(0, "Align"), ERR_LAYOUT);
	assert_int_equal(declare(0, "Multiple"), ERR_LAYOUT);
	assert_int_equal(declare(0, "None"), ERR_NOT_FOUND);
	assert_int_equal(declare(0, "Nothing"), ERR_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_layout_that_stays_is_one_definition),
		TEST(what_a_typedef_is_called_does_not_count),
		TEST(another_layout_is_named_after_its_version),
		TEST(the_v_of_a_tag_is_not_doubled),
		TEST(a_number_and_a_pointer_are_two),
		TEST(a_record_inside_that_changed_makes_another_of_the_outer_one),
		TEST(an_old_layout_that_comes_back_is_the_old_definition),
		TEST(a_tag_and_its_typedef_are_one_declaration),
		TEST(each_stands_behind_what_it_uses),
		TEST(a_name_is_given_once),
		TEST(a_name_of_the_language_is_not_taken),
		TEST(what_an_unnamed_record_has_is_known_of_this_version),
		TEST(an_enum_is_its_integer),
		TEST(a_type_of_the_compilers_own_is_bytes),
		TEST(what_is_not_true_is_refused),
	};

	return cmocka_run_group_tests_name("gen/definition", tests, NULL, NULL);
}
