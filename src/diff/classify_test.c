/* What happened to the fields of a record, and what that means. */
#include "diff/fixture_test.h"

static void equal_documents_have_no_changes(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), HANDLE("h", 4));
	RECORD(next, "R", 8, U32("a", 0), HANDLE("h", 4));
	assert_int_equal(compared()->change_count, 0);
}

static void an_appended_field_is_growth(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_GROWTH);
	assert_int_equal(change->field_count, 1);
	assert_field(change, "b", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void a_field_put_into_a_hole_is_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 16, U32("a", 0), U64("b", 8));
	RECORD(next, "R", 16, U32("a", 0), U32("x", 4), U64("b", 8));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_GROWTH);
}

static void a_field_put_into_tail_padding_is_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 16, U64("a", 0), U32("b", 8));
	RECORD(next, "R", 16, U64("a", 0), U32("b", 8), U32("c", 12));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_GROWTH);
}

static void an_inserted_field_is_layout_and_moves_what_follows(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 12, U32("a", 0), U32("b", 4), U32("c", 8));
	RECORD(next, "R", 16, U32("a", 0), U32("x", 4), U32("b", 8), U32("c", 12));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_LAYOUT);
	assert_int_equal(change->field_count, 3);
	assert_field(change, "x", DIFF_OP_ADDED, DIFF_LAYOUT);
	assert_field(change, "b", DIFF_OP_MOVED, DIFF_LAYOUT);
	assert_field(change, "c", DIFF_OP_MOVED, DIFF_LAYOUT);
}

static void what_is_put_before_others_is_no_growth(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 4, U32("caps", 0));
	RECORD(next, "R", 12, U32("type", 0), U32("dbdf", 4), U32("caps", 8));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_LAYOUT);
	assert_field(change, "dbdf", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void what_follows_a_longer_array_is_growth_if_it_is_new(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 16, F("a", "NvU32[4]", 0, 16));
	RECORD(next, "R", 36, F("a", "NvU32[8]", 0, 32), U32("b", 32));
	change = only_change(ABI_RECORD);
	assert_field(change, "a", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_field(change, "b", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void a_field_that_went_is_layout(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "R", 4, U32("a", 0));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_LAYOUT);
	assert_field(change, "b", DIFF_OP_REMOVED, DIFF_LAYOUT);
}

static void a_field_that_moved_is_one_move(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 12, U32("a", 0), U64("b", 4));
	RECORD(next, "R", 12, U64("b", 0), U32("a", 8));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 2);
	assert_field(change, "a", DIFF_OP_MOVED, DIFF_LAYOUT);
}

static void swapped_fields_are_two_moves(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "R", 8, U32("b", 0), U32("a", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 2);
	assert_field(change, "a", DIFF_OP_MOVED, DIFF_LAYOUT);
	assert_field(change, "b", DIFF_OP_MOVED, DIFF_LAYOUT);
}

static void fields_come_in_the_order_of_their_place(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "R", 8, U32("b", 0), U32("a", 4));
	change = only_change(ABI_RECORD);
	assert_string_equal(change->fields[0].after->path, "b");
	assert_string_equal(change->fields[1].after->path, "a");
}

static void same_bits_under_another_name_is_name(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("was", 4));
	RECORD(next, "R", 8, U32("a", 0), U32("is", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_field(change, "is", DIFF_OP_RENAMED, DIFF_NAME);
	assert_string_equal(change->fields[0].before->path, "was");
}

static void two_fields_renamed_at_once_keep_their_places(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 12, U32("a", 0), U32("b", 4), U32("c", 8));
	RECORD(next, "R", 12, U32("a", 0), U32("x", 4), U32("y", 8));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_string_equal(find_field(change, "x")->before->path, "b");
	assert_string_equal(find_field(change, "y")->before->path, "c");
}

static void a_chain_of_names_is_read_by_name_first(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("b", 4));
	RECORD(next, "R", 8, U32("b", 0), U32("c", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 3);
	assert_field(change, "b", DIFF_OP_MOVED, DIFF_LAYOUT);
	assert_field(change, "a", DIFF_OP_REMOVED, DIFF_LAYOUT);
	assert_field(change, "c", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void another_kind_at_the_same_bits_is_no_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("was", 4));
	RECORD(next, "R", 8, U32("a", 0), F("is", "NvS32", 4, 4));
	change = only_change(ABI_RECORD);
	assert_field(change, "was", DIFF_OP_REMOVED, DIFF_LAYOUT);
	assert_field(change, "is", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void a_handle_that_gave_way_to_a_number_is_no_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), HANDLE("hFoo", 4));
	RECORD(next, "R", 8, U32("a", 0), U32("flags", 4));
	change = only_change(ABI_RECORD);
	assert_field(change, "hFoo", DIFF_OP_REMOVED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void a_record_made_anew_is_not_renamed_field_by_field(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("width", 0), U32("height", 4));
	RECORD(next, "R", 8, U32("engine", 0), U32("runlist", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 4);
	assert_int_equal(change->classes, DIFF_LAYOUT);
}

static void the_only_field_renamed_is_name(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("width", 0));
	RECORD(next, "R", 4, U32("engine", 0));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_NAME);
}

static void two_candidates_are_no_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	UNION(base, "R", 8, U64("a", 0), U32("x", 0), U32("y", 0));
	UNION(next, "R", 8, U64("a", 0), U32("p", 0), U32("q", 0));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->field_count, 4);
	assert_field(change, "p", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void a_closer_name_elsewhere_forbids_a_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("bMemoryPermitted", 4));
	RECORD(next, "R", 12, U32("a", 0), U32("bCtxPermitted", 4), U32("bVideoMemoryPermitted", 8));
	change = only_change(ABI_RECORD);
	assert_field(change, "bMemoryPermitted", DIFF_OP_REMOVED, DIFF_LAYOUT);
	assert_field(change, "bVideoMemoryPermitted", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void a_field_that_became_padding_is_removed(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("isVirtual", 4));
	RECORD(next, "R", 8, U32("a", 0), U32("padding32bits", 4));
	assert_field(only_change(ABI_RECORD), "isVirtual", DIFF_OP_REMOVED, DIFF_LAYOUT);
}

static void renamed_and_shifted_with_its_neighbours_is_one_field(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 16, U32("a", 0), U32("b", 4), U64("was", 8));
	RECORD(next, "R", 24, U32("x", 0), U32("y", 4), U32("a", 8), U32("b", 12), U64("is", 16));
	change = only_change(ABI_RECORD);
	assert_true(find_field(change, "is")->renamed);
	assert_field(change, "is", DIFF_OP_MOVED, DIFF_LAYOUT | DIFF_NAME);
}

static void renamed_and_moved_elsewhere_is_not_guessed(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 12, U32("was", 0), U32("a", 4), U32("b", 8));
	RECORD(next, "R", 12, U32("a", 0), U32("is", 4), U32("b", 8));
	change = only_change(ABI_RECORD);
	assert_field(change, "was", DIFF_OP_REMOVED, DIFF_LAYOUT);
	assert_field(change, "is", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void a_wider_field_is_resized(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 8, U64("a", 0));
	change = only_change(ABI_RECORD);
	assert_field(change, "a", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_true(change->fields[0].retyped);
}

static void a_longer_array_is_resized_and_not_retyped(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 16, F("a", "NvU32[4]", 0, 16));
	RECORD(next, "R", 32, F("a", "NvU32[8]", 0, 32));
	change = only_change(ABI_RECORD);
	assert_field(change, "a", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_false(change->fields[0].retyped);
}

/* As many elements, and elsewhere all but the first. */
static void exchanged_dimensions_are_layout(void **state)
{
	static const char *const was[] = { "NvU32[2][3]", "NvU32[6]", "Grid", "In[2][3]", "NvHandle[3][2]" };
	static const char *const is[] = { "NvU32[3][2]", "NvU32[2][3]", "Grid", "In[3][2]", "NvHandle[2][3]" };

	(void)state;
	for (size_t i = 0; i < sizeof(was) / sizeof(*was); i++) {
		put_alias(base, "Grid", "unsigned int[2][3]", 24);
		put_alias(next, "Grid", "unsigned int[3][2]", 24);
		RECORD(base, "In", 4, U32("i", 0));
		RECORD(next, "In", 4, U32("i", 0));
		RECORD(base, "R", 24, F("a", was[i], 0, 24));
		RECORD(next, "R", 24, F("a", is[i], 0, 24));
		assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_LAYOUT);
		end_test(NULL);
		begin_test(NULL);
	}
}

static void exchanged_dimensions_of_an_unnamed_record_are_layout(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R::e_t", 4, U32("i", 0));
	RECORD(next, "R::e_t", 4, U32("i", 0));
	RECORD(base, "R", 24, F("e", "R::e_t[2][3]", 0, 24));
	RECORD(next, "R", 24, F("e", "R::e_t[3][2]", 0, 24));
	change = only_change(ABI_RECORD);
	assert_field(change, "e", DIFF_OP_RETYPED, DIFF_LAYOUT);
	assert_int_equal(change->field_count, 1);
}

/* @was and @is: what a field of R points to; spelled in both, or behind the alias P. */
static unsigned classes_of_pointers(const char *was, const char *is, bool behind_alias)
{
	const struct abi_field of_base = F("p", behind_alias ? "P" : was, 0, 8),
			       of_next = F("p", behind_alias ? "P" : is, 0, 8);
	unsigned classes;

	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = i ? next : base;

		RECORD(doc, "One", 8, U32("a", 0), U32("b", 4));
		RECORD(doc, "Like", 8, U32("a", 0), U32("b", 4));
		RECORD(doc, "Other", 4, U32("a", 0));
		put_alias(doc, "P", i ? is : was, 8);
		put_alias(doc, i ? is : was, i ? is : was, 8);
	}
	RECORD(base, "R", 8, of_base);
	RECORD(next, "R", 8, of_next);
	classes = only_change(ABI_RECORD)->classes;
	end_test(NULL);
	begin_test(NULL);
	return classes;
}

static void a_pointer_to_another_type_is_translation(void **state)
{
	static const struct {
		const char *was, *is;
		unsigned classes;
	} rows[] = {
		{ "One *", "Other *", DIFF_TRANSLATION },
		{ "One *", "Like *", DIFF_NAME },
		{ "const One *", "One *", DIFF_NAME },
		{ "One **", "Other **", DIFF_TRANSLATION },
		{ "One **", "One *", DIFF_TRANSLATION },
		{ "int (*)[4]", "int (*)[2]", DIFF_TRANSLATION },
		{ "unsigned int *", "unsigned long long *", DIFF_TRANSLATION },
		{ "One *", "Opaque *", DIFF_TRANSLATION },
		{ "void *", "Opaque *", DIFF_NAME },
		{ "void (*)(int)", "void (*)(long)", DIFF_NAME },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(classes_of_pointers(rows[i].was, rows[i].is, false), rows[i].classes);
		assert_int_equal(classes_of_pointers(rows[i].was, rows[i].is, true), rows[i].classes);
	}
}

static void another_sign_is_layout(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 4, F("a", "NvS32", 0, 4));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_LAYOUT);
}

static void another_spelling_of_the_same_integer_is_name(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 4, F("a", "NvV32", 0, 4));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_NAME);
}

static void an_integer_that_became_an_enum_is_name(void **state)
{
	(void)state;
	ENUM(base, "E", V("E_A", 0));
	ENUM(next, "E", V("E_A", 0));
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 4, F("a", "E", 0, 4));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_NAME);
}

static void an_enum_with_other_values_is_layout(void **state)
{
	(void)state;
	ENUM(base, "E", V("E_A", 0));
	ENUM(base, "G", V("G_A", 7));
	ENUM(next, "E", V("E_A", 0));
	ENUM(next, "G", V("G_A", 7));
	RECORD(base, "R", 4, F("a", "E", 0, 4));
	RECORD(next, "R", 4, F("a", "G", 0, 4));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_LAYOUT);
}

static void an_alias_that_changed_under_a_field_retypes_it(void **state)
{
	(void)state;
	put_alias(base, "Thing", "unsigned int", 4);
	put_alias(next, "Thing", "int", 4);
	RECORD(base, "R", 4, F("a", "Thing", 0, 4));
	RECORD(next, "R", 4, F("a", "Thing", 0, 4));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_LAYOUT);
}

static void a_number_that_became_a_handle_is_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 4, HANDLE("a", 0));
	assert_field(only_change(ABI_RECORD), "a", DIFF_OP_RETYPED, DIFF_TRANSLATION);
}

static void a_handle_that_became_a_number_is_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 4, HANDLE("a", 0));
	RECORD(next, "R", 4, U32("a", 0));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_TRANSLATION);
}

static void an_appended_pointer_is_growth_and_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U64("a", 0));
	RECORD(next, "R", 16, U64("a", 0), POINTER("p", 8));
	assert_field(only_change(ABI_RECORD), "p", DIFF_OP_ADDED, DIFF_GROWTH | DIFF_TRANSLATION);
}

static void an_appended_address_of_the_kernel_is_growth_alone(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U64("a", 0));
	RECORD(next, "R", 16, U64("a", 0), ROLE("k", "NvP64", 8, 8, ABI_ROLE_KERNEL_POINTER));
	assert_field(only_change(ABI_RECORD), "k", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void a_number_that_became_an_address_of_the_kernel_is_no_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U64("a", 0));
	RECORD(next, "R", 8, ROLE("a", "NvU64", 0, 8, ABI_ROLE_KERNEL_POINTER));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_LAYOUT);
}

static void a_pointer_that_became_an_address_of_the_kernel_is_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 8, POINTER("p", 0));
	RECORD(next, "R", 8, ROLE("p", "NvP64", 0, 8, ABI_ROLE_KERNEL_POINTER));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_TRANSLATION);
}

static void a_handle_that_moved_is_layout_and_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), HANDLE("h", 4));
	RECORD(next, "R", 8, HANDLE("h", 0), U32("a", 4));
	assert_field(only_change(ABI_RECORD), "h", DIFF_OP_MOVED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void more_handles_in_an_array_are_translation(void **state)
{
	(void)state;
	RECORD(base, "R", 8, ROLE("h", "NvHandle[2]", 0, 8, ABI_ROLE_HANDLE));
	RECORD(next, "R", 16, ROLE("h", "NvHandle[4]", 0, 16, ABI_ROLE_HANDLE));
	assert_field(only_change(ABI_RECORD), "h", DIFF_OP_RESIZED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void more_records_with_a_handle_are_translation(void **state)
{
	(void)state;
	RECORD(base, "E", 4, HANDLE("h", 0));
	RECORD(next, "E", 4, HANDLE("h", 0));
	RECORD(base, "R", 8, F("e", "E[2]", 0, 8));
	RECORD(next, "R", 16, F("e", "E[4]", 0, 16));
	assert_field(only_change(ABI_RECORD), "e", DIFF_OP_RESIZED, DIFF_LAYOUT | DIFF_TRANSLATION);
}

static void a_renamed_handle_is_name_alone(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), HANDLE("hWas", 4));
	RECORD(next, "R", 8, U32("a", 0), HANDLE("hIs", 4));
	assert_field(only_change(ABI_RECORD), "hIs", DIFF_OP_RENAMED, DIFF_NAME);
}

static void reserved_bytes_that_got_a_use_are_growth(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("reserved", 4));
	RECORD(next, "R", 8, U32("a", 0), U32("b", 4));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_GROWTH);
	assert_field(change, "b", DIFF_OP_ADDED, DIFF_GROWTH);
	assert_field(change, "reserved", DIFF_OP_REMOVED, 0);
}

static void reserved_bytes_that_shrink_for_a_field_are_growth(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 20, U32("a", 0), F("reserved", "NvU32[4]", 4, 16));
	RECORD(next, "R", 20, U32("a", 0), U32("b", 4), F("reserved", "NvU32[3]", 8, 12));
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_GROWTH);
	assert_field(change, "reserved", DIFF_OP_MOVED, 0);
}

static void reserved_bytes_that_grow_at_the_end_are_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), F("rsvd", "NvU32[1]", 4, 4));
	RECORD(next, "R", 12, U32("a", 0), F("rsvd", "NvU32[2]", 4, 8));
	assert_field(only_change(ABI_RECORD), "rsvd", DIFF_OP_RESIZED, DIFF_GROWTH);
}

static void reserved_bytes_that_took_a_hole_are_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), F("rsvd", "NvU8", 4, 1));
	RECORD(next, "R", 8, U32("a", 0), U32("rsvd", 4));
	assert_field(only_change(ABI_RECORD), "rsvd", DIFF_OP_RESIZED, DIFF_GROWTH);
}

static void a_field_over_free_and_used_bytes_is_layout(void **state)
{
	(void)state;
	RECORD(base, "R", 16, U32("reserved", 0), U32("reserved2", 4), U32("b", 8), U32("c", 12));
	RECORD(next, "R", 16, F("d", "NvU32[3]", 0, 12), U32("c", 12));
	assert_field(only_change(ABI_RECORD), "d", DIFF_OP_ADDED, DIFF_LAYOUT);
}

static void a_named_pad_that_became_a_hole_is_name(void **state)
{
	(void)state;
	RECORD(base, "R", 16, U32("a", 0), U32("pad", 4), U64("b", 8));
	RECORD(next, "R", 16, U32("a", 0), U64("b", 8));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_NAME);
}

static void padlink_is_no_padding(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0), U32("padlinkMask", 4));
	RECORD(next, "R", 8, U32("a", 0), U32("linkMask", 4));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_NAME);
}

static void a_new_alternative_of_a_union_is_growth(void **state)
{
	(void)state;
	UNION(base, "R", 8, U64("a", 0));
	UNION(next, "R", 8, U64("a", 0), U32("b", 0));
	assert_field(only_change(ABI_RECORD), "b", DIFF_OP_ADDED, DIFF_GROWTH);
}

static void an_alternative_that_went_is_layout(void **state)
{
	(void)state;
	UNION(base, "R", 8, U64("a", 0), U32("b", 0));
	UNION(next, "R", 8, U64("a", 0));
	assert_field(only_change(ABI_RECORD), "b", DIFF_OP_REMOVED, DIFF_LAYOUT);
}

static void a_struct_that_became_a_union_is_layout(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	UNION(next, "R", 4, U32("a", 0));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_LAYOUT);
}

static void a_larger_size_alone_is_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 4, U32("a", 0));
	RECORD(next, "R", 8, U32("a", 0));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_GROWTH);
}

static void a_smaller_size_alone_is_layout(void **state)
{
	(void)state;
	RECORD(base, "R", 8, U32("a", 0));
	RECORD(next, "R", 4, U32("a", 0));
	assert_int_equal(only_change(ABI_RECORD)->classes, DIFF_LAYOUT);
}

static void a_wider_bit_field_is_resized_and_moves_the_next(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "R", 4, BITS("lo", "NvU32", 0, 3), BITS("hi", "NvU32", 3, 5));
	RECORD(next, "R", 4, BITS("lo", "NvU32", 0, 4), BITS("hi", "NvU32", 4, 5));
	change = only_change(ABI_RECORD);
	assert_field(change, "lo", DIFF_OP_RESIZED, DIFF_LAYOUT);
	assert_field(change, "hi", DIFF_OP_MOVED, DIFF_LAYOUT);
}

static void a_bit_field_in_unused_bits_is_growth(void **state)
{
	(void)state;
	RECORD(base, "R", 4, BITS("lo", "NvU32", 0, 3));
	RECORD(next, "R", 4, BITS("lo", "NvU32", 0, 3), BITS("hi", "NvU32", 3, 5));
	assert_field(only_change(ABI_RECORD), "hi", DIFF_OP_ADDED, DIFF_GROWTH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_documents_have_no_changes),
		TEST(an_appended_field_is_growth),
		TEST(a_field_put_into_a_hole_is_growth),
		TEST(a_field_put_into_tail_padding_is_growth),
		TEST(an_inserted_field_is_layout_and_moves_what_follows),
		TEST(what_is_put_before_others_is_no_growth),
		TEST(what_follows_a_longer_array_is_growth_if_it_is_new),
		TEST(a_field_that_went_is_layout),
		TEST(a_field_that_moved_is_one_move),
		TEST(swapped_fields_are_two_moves),
		TEST(fields_come_in_the_order_of_their_place),
		TEST(same_bits_under_another_name_is_name),
		TEST(two_fields_renamed_at_once_keep_their_places),
		TEST(a_chain_of_names_is_read_by_name_first),
		TEST(another_kind_at_the_same_bits_is_no_rename),
		TEST(a_handle_that_gave_way_to_a_number_is_no_rename),
		TEST(a_record_made_anew_is_not_renamed_field_by_field),
		TEST(the_only_field_renamed_is_name),
		TEST(two_candidates_are_no_rename),
		TEST(a_closer_name_elsewhere_forbids_a_rename),
		TEST(a_field_that_became_padding_is_removed),
		TEST(renamed_and_shifted_with_its_neighbours_is_one_field),
		TEST(renamed_and_moved_elsewhere_is_not_guessed),
		TEST(a_wider_field_is_resized),
		TEST(a_longer_array_is_resized_and_not_retyped),
		TEST(exchanged_dimensions_are_layout),
		TEST(exchanged_dimensions_of_an_unnamed_record_are_layout),
		TEST(a_pointer_to_another_type_is_translation),
		TEST(another_sign_is_layout),
		TEST(another_spelling_of_the_same_integer_is_name),
		TEST(an_integer_that_became_an_enum_is_name),
		TEST(an_enum_with_other_values_is_layout),
		TEST(an_alias_that_changed_under_a_field_retypes_it),
		TEST(a_number_that_became_a_handle_is_translation),
		TEST(a_handle_that_became_a_number_is_translation),
		TEST(an_appended_pointer_is_growth_and_translation),
		TEST(an_appended_address_of_the_kernel_is_growth_alone),
		TEST(a_number_that_became_an_address_of_the_kernel_is_no_translation),
		TEST(a_pointer_that_became_an_address_of_the_kernel_is_translation),
		TEST(a_handle_that_moved_is_layout_and_translation),
		TEST(more_handles_in_an_array_are_translation),
		TEST(more_records_with_a_handle_are_translation),
		TEST(a_renamed_handle_is_name_alone),
		TEST(reserved_bytes_that_got_a_use_are_growth),
		TEST(reserved_bytes_that_shrink_for_a_field_are_growth),
		TEST(reserved_bytes_that_grow_at_the_end_are_growth),
		TEST(reserved_bytes_that_took_a_hole_are_growth),
		TEST(a_field_over_free_and_used_bytes_is_layout),
		TEST(a_named_pad_that_became_a_hole_is_name),
		TEST(padlink_is_no_padding),
		TEST(a_new_alternative_of_a_union_is_growth),
		TEST(an_alternative_that_went_is_layout),
		TEST(a_struct_that_became_a_union_is_layout),
		TEST(a_larger_size_alone_is_growth),
		TEST(a_smaller_size_alone_is_layout),
		TEST(a_wider_bit_field_is_resized_and_moves_the_next),
		TEST(a_bit_field_in_unused_bits_is_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
