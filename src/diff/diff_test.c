/* Enums, aliases, constants, ioctls; who reaches what, which entries that touches, and in what order. */
#include "diff/fixture_test.h"

static void another_value_of_an_enumerator_is_value(void **state)
{
	const struct diff_change *change;

	(void)state;
	ENUM(base, "E", V("E_A", 0), V("E_MAX", 1));
	ENUM(next, "E", V("E_A", 0), V("E_MAX", 2));
	change = only_change(ABI_ENUM);
	assert_int_equal(change->classes, DIFF_VALUE);
	assert_int_equal(change->value_count, 1);
	assert_string_equal(change->values[0].name, "E_MAX");
	assert_int_equal(change->values[0].before->magnitude, 1);
	assert_int_equal(change->values[0].after->magnitude, 2);
}

static void an_added_enumerator_is_value(void **state)
{
	const struct diff_change *change;

	(void)state;
	ENUM(base, "E", V("E_A", 0));
	ENUM(next, "E", V("E_A", 0), V("E_B", 1));
	change = only_change(ABI_ENUM);
	assert_int_equal(change->classes, DIFF_VALUE);
	assert_null(change->values[0].before);
}

static void a_renamed_enumerator_is_name(void **state)
{
	const struct diff_change *change;

	(void)state;
	ENUM(base, "E", V("E_A", 0), V("E_B", 1));
	ENUM(next, "E", V("E_A", 0), V("E_C", 1));
	change = only_change(ABI_ENUM);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_int_equal(change->value_count, 1);
	assert_string_equal(change->values[0].name, "E_C");
	assert_string_equal(change->values[0].base_name, "E_B");
}

static void an_enum_under_another_name_is_name(void **state)
{
	const struct diff_change *change;

	(void)state;
	ENUM(base, "WAS", V("E_A", 0));
	ENUM(next, "IS", V("E_A", 0));
	change = only_change(ABI_ENUM);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_string_equal(change->base_name, "WAS");
}

static void enums_come_and_go(void **state)
{
	const struct diff *diff;

	(void)state;
	ENUM(base, "GONE", V("G_A", 0));
	ENUM(next, "NEW", V("N_A", 0));
	diff = compared();
	assert_int_equal(find_change(diff, ABI_ENUM, "GONE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_ENUM, "NEW")->classes, DIFF_ADDED);
}

static void another_type_of_an_alias_is_layout(void **state)
{
	(void)state;
	put_alias(base, "T", "unsigned int", 4);
	put_alias(next, "T", "unsigned long", 8);
	assert_int_equal(only_change(ABI_ALIAS)->classes, DIFF_LAYOUT);
}

static void another_spelling_of_an_alias_is_name(void **state)
{
	(void)state;
	put_alias(base, "T", "unsigned long", 8);
	put_alias(next, "T", "unsigned long long", 8);
	assert_int_equal(only_change(ABI_ALIAS)->classes, DIFF_NAME);
}

static void an_enum_among_the_aliases_is_told_once(void **state)
{
	const struct diff *diff;

	(void)state;
	put_alias(next, "E", "E", 4);
	ENUM(next, "E", V("E_A", 0));
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, ABI_ENUM);
}

static void an_enum_is_reached_by_what_has_it(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = i ? next : base;

		put_alias(doc, "E", "E", 4);
		ENUM(doc, "E", V("E_A", 0), V("E_MAX", 1 + (unsigned)i));
		RECORD(doc, "P", 4, F("e", "E", 0, 4));
		put_ioctl(doc, "CMD", 1, "P");
	}
	assert_int_equal(only_change(ABI_ENUM)->reach_count, 1);
}

static void another_value_of_a_constant_is_value(void **state)
{
	(void)state;
	put_constant(base, "C", 1);
	put_constant(next, "C", 2);
	assert_int_equal(only_change(ABI_CONSTANT)->classes, DIFF_VALUE);
}

static void constants_come_and_go(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "GONE", 1);
	put_constant(next, "NEW", 1);
	diff = compared();
	assert_int_equal(find_change(diff, ABI_CONSTANT, "GONE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_CONSTANT, "NEW")->classes, DIFF_ADDED);
}

static void a_constant_that_is_an_ioctls_number_is_told_once(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "CMD", 1);
	put_constant(next, "CMD", 2);
	put_ioctl(base, "CMD", 1, NULL);
	put_ioctl(next, "CMD", 2, NULL);
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, ABI_IOCTL);
}

static void a_constant_is_told_if_its_ioctl_does_not_tell(void **state)
{
	(void)state;
	put_constant(base, "CMD", 1);
	put_constant(next, "CMD", 2);
	put_ioctl(next, "CMD", 2, NULL);
	assert_non_null(find_change(compared(), ABI_CONSTANT, "CMD"));
}

static void a_constant_that_the_table_calls_a_number_is_number(void **state)
{
	static const struct table_entry entry = {
		.family = "control", .name = "Cmd", .constant = "CMD", .number = 1
	};
	static const struct table_entry *const list[] = { &entry };
	static const struct table_view one = { .entries = list, .entry_count = 1 };

	(void)state;
	options.view = &one;
	put_constant(base, "CMD", 1);
	put_constant(next, "CMD", 2);
	assert_int_equal(only_change(ABI_CONSTANT)->classes, DIFF_NUMBER);
}

static void another_number_is_number(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_ioctl(base, "CMD", 1, NULL);
	put_ioctl(next, "CMD", 2, NULL);
	change = only_change(ABI_IOCTL);
	assert_int_equal(change->classes, DIFF_NUMBER);
	assert_string_equal(change->family, "control");
	assert_null(change->number_was);
}

static void other_parameters_are_number(void **state)
{
	(void)state;
	RECORD(base, "A", 4, U32("a", 0));
	RECORD(base, "B", 8, U64("b", 0));
	RECORD(next, "A", 4, U32("a", 0));
	RECORD(next, "B", 8, U64("b", 0));
	put_ioctl(base, "CMD", 1, "A");
	put_ioctl(next, "CMD", 1, "B");
	assert_int_equal(only_change(ABI_IOCTL)->classes, DIFF_NUMBER);
}

static void parameters_that_were_renamed_are_name(void **state)
{
	(void)state;
	RECORD(base, "A", 4, U32("a", 0));
	RECORD(next, "B", 4, U32("a", 0));
	put_ioctl(base, "CMD", 1, "A");
	put_ioctl(next, "CMD", 1, "B");
	assert_int_equal(only_change(ABI_IOCTL)->classes, DIFF_NAME);
}

static void the_same_number_and_parameters_under_another_name_are_a_rename(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P", 4, U32("a", 0));
	RECORD(next, "P", 4, U32("a", 0));
	put_ioctl(base, "CMD_WAS", 1, "P");
	put_ioctl(next, "CMD_IS", 1, "P");
	change = only_change(ABI_IOCTL);
	assert_int_equal(change->classes, DIFF_NAME);
	assert_string_equal(change->base_name, "CMD_WAS");
	assert_null(change->number_was);
}

static void a_renamed_ioctl_takes_its_parameters_along(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "GET_P", 4, U32("a", 0));
	RECORD(next, "GET_V2_P", 4, U32("a", 0));
	put_ioctl(base, "CMD_GET", 1, "GET_P");
	put_ioctl(next, "CMD_GET_V2", 1, "GET_V2_P");
	diff = compared();
	assert_int_equal(diff->change_count, 2);
	assert_string_equal(find_change(diff, ABI_RECORD, "GET_V2_P")->base_name, "GET_P");
	assert_int_equal(find_change(diff, ABI_IOCTL, "CMD_GET_V2")->classes, DIFF_NAME);
}

static void a_number_that_means_another_ioctl_says_whose_it_was(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "P", 4, U32("a", 0));
	RECORD(next, "Q", 8, U64("b", 0));
	put_ioctl(base, "CMD_OLD", 1, "P");
	put_ioctl(next, "CMD_NEW", 1, "Q");
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "CMD_NEW")->classes, DIFF_ADDED);
	assert_string_equal(find_change(diff, ABI_IOCTL, "CMD_NEW")->number_was, "CMD_OLD");
	assert_string_equal(find_change(diff, ABI_IOCTL, "CMD_OLD")->number_was, "CMD_NEW");
}

static void two_ioctls_that_swapped_numbers_name_each_other(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "CMD_A", 1, NULL);
	put_ioctl(base, "CMD_B", 2, NULL);
	put_ioctl(next, "CMD_A", 2, NULL);
	put_ioctl(next, "CMD_B", 1, NULL);
	diff = compared();
	assert_int_equal(diff->change_count, 2);
	assert_string_equal(find_change(diff, ABI_IOCTL, "CMD_A")->number_was, "CMD_B");
	assert_string_equal(find_change(diff, ABI_IOCTL, "CMD_B")->number_was, "CMD_A");
}

/* CMD_OLD has nr 1 and 48 bytes in base, CMD_NEW has it with 32 in next. */
static const struct diff *reused_nr(enum abi_encoding encoding)
{
	put_encoded(base, "CMD_OLD", 1, 48, encoding);
	put_encoded(next, "CMD_OLD", 2, 48, encoding);
	put_encoded(next, "CMD_NEW", 1, 32, encoding);
	return compared();
}

static void an_nr_that_means_another_ioctl_says_whose_it_was_whatever_their_sizes(void **state)
{
	const struct diff_change *change = find_change(reused_nr(ABI_NUMBER_IOC_BY_NR), ABI_IOCTL, "CMD_NEW");

	(void)state;
	assert_string_equal(change->number_was, "CMD_OLD");
	assert_int_equal(change->number_was_now, 0xc0304b02);
}

static void where_the_whole_number_counts_another_size_is_another_number(void **state)
{
	(void)state;
	assert_null(find_change(reused_nr(ABI_NUMBER_IOC), ABI_IOCTL, "CMD_NEW")->number_was);
}

static void an_ioctl_that_grew_is_the_same_one_with_another_number(void **state)
{
	const struct diff *diff;

	(void)state;
	put_encoded(base, "CMD", 1, 48, ABI_NUMBER_IOC_BY_NR);
	put_encoded(next, "CMD", 1, 56, ABI_NUMBER_IOC_BY_NR);
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].classes, DIFF_NUMBER);
	assert_null(diff->changes[0].number_was);
}

static void ioctls_come_and_go(void **state)
{
	const struct diff *diff;

	(void)state;
	put_ioctl(base, "GONE", 1, NULL);
	put_ioctl(next, "NEW", 2, NULL);
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "GONE")->classes, DIFF_REMOVED);
	assert_int_equal(find_change(diff, ABI_IOCTL, "NEW")->classes, DIFF_ADDED);
}

/* I changes; it is in M, which P has directly and Q through a pointer. */
static void put_chain(struct abi_builder *doc, uint64_t inner_size)
{
	RECORD(doc, "I", inner_size, U32("a", 0));
	put_alias(doc, "I *", "I *", 8);
	RECORD(doc, "M", 16, POINTER("n", 8), F("i", "I *", 0, 8));
	RECORD(doc, "P", 16, F("m", "M", 0, 16));
	put_ioctl(doc, "CMD_P", 1, "P");
	put_ioctl(doc, "CMD_M", 2, "M");
}

static void a_record_is_reached_by_the_shortest_chain(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_chain(base, 4);
	put_chain(next, 8);
	change = only_change(ABI_RECORD);
	assert_int_equal(change->reach_count, 2);
	assert_string_equal(change->reached_by[0].ioctl->name, "CMD_M");
	assert_int_equal(change->reached_by[0].through_count, 2);
	assert_string_equal(change->reached_by[1].ioctl->name, "CMD_P");
	assert_int_equal(change->reached_by[1].through_count, 3);
	assert_string_equal(change->reached_by[1].through[0], "P");
	assert_string_equal(change->reached_by[1].through[1], "M");
	assert_string_equal(change->reached_by[1].through[2], "I");
}

/* A comes before B by name, and after it in the header. */
static void of_two_chains_as_short_the_one_declared_first_is_told(void **state)
{
	const struct diff_change *change;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = i ? next : base;

		RECORD(doc, "I", i ? 8 : 4, U32("a", 0));
		put_alias(doc, "I *", "I *", 8);
		TYPEDEF(doc, "behind", "A", 8, F("i", "I *", 0, 8));
		RECORD(doc, "B", 8, F("i", "I *", 0, 8));
		RECORD(doc, "P", 16, F("a", "A", 0, 8), F("b", "B", 8, 8));
		put_ioctl(doc, "CMD", 1, "P");
	}
	change = only_change(ABI_RECORD);
	assert_int_equal(change->reach_count, 1);
	assert_int_equal(change->reached_by[0].through_count, 3);
	assert_string_equal(change->reached_by[0].through[1], "B");
}

static void an_unnamed_record_is_no_step_of_the_chain(void **state)
{
	const struct diff_change *change;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = i ? next : base;

		RECORD(doc, "I", i ? 8 : 4, U32("a", 0));
		put_alias(doc, "I *", "I *", 8);
		UNION(doc, "P::u_t", 8, F("i", "I *", 0, 8));
		RECORD(doc, "P", 8, F("u", "P::u_t", 0, 8));
		put_ioctl(doc, "CMD", 1, "P");
	}
	change = only_change(ABI_RECORD);
	assert_int_equal(change->reached_by[0].through_count, 2);
	assert_string_equal(change->reached_by[0].through[0], "P");
	assert_string_equal(change->reached_by[0].through[1], "I");
}

static void a_record_that_points_to_itself_is_walked_once(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		struct abi_builder *doc = i ? next : base;

		put_alias(doc, "L *", "L *", 8);
		RECORD(doc, "L", i ? 16 : 8, F("next", "L *", 0, 8));
		put_ioctl(doc, "CMD", 1, "L");
	}
	assert_int_equal(only_change(ABI_RECORD)->reach_count, 1);
}

static void what_is_gone_was_reached_in_base(void **state)
{
	const struct diff_change *change;

	(void)state;
	RECORD(base, "P", 4, U32("a", 0));
	put_ioctl(base, "CMD", 1, "P");
	change = only_change(ABI_RECORD);
	assert_int_equal(change->classes, DIFF_REMOVED);
	assert_int_equal(change->reach_count, 1);
}

static struct table_struct driver_p = { "P", NULL };
static struct table_entry entries[] = {
	{ .family = "control",
	  .name = "Cmd",
	  .constant = "CMD",
	  .number = 1,
	  .structs = &driver_p,
	  .struct_count = 1 },
	{ .family = "control", .name = "OTHER", .number = 7 },
};
static const struct table_entry *const entry_list[] = { &entries[0], &entries[1] };
static const struct table_view view = { .entries = entry_list, .entry_count = 2 };

static void a_forwarded_ioctl_is_known_by_its_constant(void **state)
{
	const struct diff_change *change;

	(void)state;
	options.view = &view;
	put_ioctl(base, "CMD", 3, NULL);
	put_ioctl(next, "CMD", 4, NULL);
	change = only_change(ABI_IOCTL);
	assert_true(change->proxied);
	assert_int_equal(change->entry_count, 1);
	assert_ptr_equal(change->entries[0], &entries[0]);
}

static void a_new_ioctl_with_a_forwarded_number_is_proxied(void **state)
{
	(void)state;
	options.view = &view;
	put_ioctl(next, "NEW", 7, NULL);
	assert_true(only_change(ABI_IOCTL)->proxied);
}

static void put_not_dispatched(struct abi_builder *doc, uint64_t number)
{
	static const char *const flags[] = { ABI_FLAG_NOT_DISPATCHED };
	const struct abi_ioctl ioctl = { .family = "control",
					 .name = "DEAD",
					 .number = number,
					 .flags = flags,
					 .flag_count = 1,
					 .source = "" };

	abi_builder_ioctl(doc, &ioctl);
}

static void what_the_driver_does_not_dispatch_is_nothing_new_to_a_proxy(void **state)
{
	(void)state;
	options.view = &view;
	put_not_dispatched(next, 99);
	put_ioctl(next, "ALIVE", 98, NULL);
	assert_string_equal(only_change(ABI_IOCTL)->name, "ALIVE");
}

static void without_a_table_what_is_not_dispatched_is_told(void **state)
{
	(void)state;
	put_not_dispatched(next, 99);
	assert_int_equal(only_change(ABI_IOCTL)->classes, DIFF_ADDED);
}

static void what_a_proxy_forwards_is_new_dispatched_or_not(void **state)
{
	(void)state;
	options.view = &view;
	put_not_dispatched(next, 7);
	assert_true(only_change(ABI_IOCTL)->proxied);
}

static void what_a_proxy_could_not_use_and_now_can_is_told(void **state)
{
	(void)state;
	options.view = &view;
	put_not_dispatched(base, 99);
	put_ioctl(next, "DEAD", 99, NULL);
	assert_int_equal(only_change(ABI_IOCTL)->classes, DIFF_ACCESS);
}

static void a_number_of_another_family_is_not_proxied(void **state)
{
	const struct abi_ioctl ioctl = { .family = "alloc", .name = "NEW", .number = 7, .source = "" };

	(void)state;
	options.view = &view;
	abi_builder_ioctl(next, &ioctl);
	assert_false(only_change(ABI_IOCTL)->proxied);
}

static void a_record_that_an_entry_names_is_proxied(void **state)
{
	(void)state;
	options.view = &view;
	RECORD(base, "P", 4, U32("a", 0));
	RECORD(next, "P", 8, U32("a", 0), U32("b", 4));
	assert_true(only_change(ABI_RECORD)->proxied);
}

static void a_record_that_a_forwarded_ioctl_carries_is_proxied(void **state)
{
	(void)state;
	options.view = &view;
	RECORD(base, "Q", 4, U32("a", 0));
	RECORD(next, "Q", 8, U32("a", 0), U32("b", 4));
	put_ioctl(base, "OTHER", 7, "Q");
	put_ioctl(next, "OTHER", 7, "Q");
	assert_ptr_equal(only_change(ABI_RECORD)->entries[0], &entries[1]);
}

static void what_is_proxied_comes_first(void **state)
{
	const struct diff *diff;

	(void)state;
	options.view = &view;
	put_ioctl(base, "A", 20, NULL);
	put_ioctl(next, "A", 21, NULL);
	RECORD(base, "P", 4, U32("a", 0));
	RECORD(next, "P", 8, U32("a", 0), U32("b", 4));
	diff = compared();
	assert_string_equal(diff->changes[0].name, "P");
	assert_string_equal(diff->changes[1].name, "A");
}

static void weightier_classes_come_first(void **state)
{
	const struct diff *diff;

	(void)state;
	RECORD(base, "A", 4, U32("a", 0));
	RECORD(next, "A", 8, U32("a", 0), U32("b", 4));
	RECORD(base, "B", 4, U32("a", 0));
	RECORD(next, "B", 4, HANDLE("a", 0));
	diff = compared();
	assert_string_equal(diff->changes[0].name, "B");
	assert_int_equal(diff->class_total[0], 1);
	assert_int_equal(diff->class_total[3], 1);
	assert_int_equal(diff->summary[ABI_RECORD].changed, 2);
}

static void put_privileged(struct abi_builder *doc, const char *name, uint64_t number)
{
	static const char *const flags[] = { "privileged" };
	const struct abi_ioctl ioctl = { .family = "control", .name = name, .number = number, .flags = flags,
					 .flag_count = 1, .source = "" };

	abi_builder_ioctl(doc, &ioctl);
}

static void ioctls_and_records_come_before_the_rest(void **state)
{
	const struct diff *diff;

	(void)state;
	put_constant(base, "C", 1);
	put_constant(next, "C", 2);
	put_privileged(base, "CMD", 1);
	put_ioctl(next, "CMD", 1, NULL);
	RECORD(base, "R", 8, U32("a", 0));
	RECORD(next, "R", 4, U32("a", 0));
	diff = compared();
	assert_string_equal(diff->changes[0].name, "R");
	assert_string_equal(diff->changes[1].name, "CMD");
	assert_string_equal(diff->changes[2].name, "C");
}

static void a_glob_selects_by_name_and_by_chain(void **state)
{
	const struct diff *diff;

	(void)state;
	options.record = "P*";
	put_chain(base, 4);
	put_chain(next, 8);
	RECORD(base, "X", 4, U32("a", 0));
	RECORD(next, "X", 8, U32("a", 0), U32("b", 4));
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_string_equal(diff->changes[0].name, "I");
	assert_int_equal(diff->summary[ABI_RECORD].changed, 1);
}

static void other_targets_are_refused(void **state)
{
	const struct abi *was = sealed(base, "1");
	struct abi is = *sealed(next, "2");
	struct diff diff;
	struct err err = { "" };

	(void)state;
	is.target = "aarch64-linux-gnu";
	assert_int_equal(diff_documents(&diff, was, &is, &options, &arena, &err), ERR_USAGE);
	assert_non_null(strstr(err.text, "aarch64-linux-gnu"));
}

static void classes_are_named_in_the_order_of_weight(void **state)
{
	static const char *const names[DIFF_CLASS_COUNT] = { "translation", "layout", "number", "growth",
							     "value",       "access", "flags",  "name",
							     "added",       "removed" };

	(void)state;
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		assert_string_equal(diff_class_name((enum diff_class)(1 << i)), names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(another_value_of_an_enumerator_is_value),
		TEST(an_added_enumerator_is_value),
		TEST(a_renamed_enumerator_is_name),
		TEST(an_enum_under_another_name_is_name),
		TEST(enums_come_and_go),
		TEST(another_type_of_an_alias_is_layout),
		TEST(another_spelling_of_an_alias_is_name),
		TEST(an_enum_among_the_aliases_is_told_once),
		TEST(an_enum_is_reached_by_what_has_it),
		TEST(another_value_of_a_constant_is_value),
		TEST(constants_come_and_go),
		TEST(an_nr_that_means_another_ioctl_says_whose_it_was_whatever_their_sizes),
		TEST(where_the_whole_number_counts_another_size_is_another_number),
		TEST(an_ioctl_that_grew_is_the_same_one_with_another_number),
		TEST(a_constant_that_is_an_ioctls_number_is_told_once),
		TEST(a_constant_is_told_if_its_ioctl_does_not_tell),
		TEST(a_constant_that_the_table_calls_a_number_is_number),
		TEST(another_number_is_number),
		TEST(other_parameters_are_number),
		TEST(parameters_that_were_renamed_are_name),
		TEST(the_same_number_and_parameters_under_another_name_are_a_rename),
		TEST(a_renamed_ioctl_takes_its_parameters_along),
		TEST(a_number_that_means_another_ioctl_says_whose_it_was),
		TEST(two_ioctls_that_swapped_numbers_name_each_other),
		TEST(ioctls_come_and_go),
		TEST(a_record_is_reached_by_the_shortest_chain),
		TEST(of_two_chains_as_short_the_one_declared_first_is_told),
		TEST(an_unnamed_record_is_no_step_of_the_chain),
		TEST(a_record_that_points_to_itself_is_walked_once),
		TEST(what_is_gone_was_reached_in_base),
		TEST(a_forwarded_ioctl_is_known_by_its_constant),
		TEST(a_new_ioctl_with_a_forwarded_number_is_proxied),
		TEST(what_the_driver_does_not_dispatch_is_nothing_new_to_a_proxy),
		TEST(without_a_table_what_is_not_dispatched_is_told),
		TEST(what_a_proxy_forwards_is_new_dispatched_or_not),
		TEST(what_a_proxy_could_not_use_and_now_can_is_told),
		TEST(a_number_of_another_family_is_not_proxied),
		TEST(a_record_that_an_entry_names_is_proxied),
		TEST(a_record_that_a_forwarded_ioctl_carries_is_proxied),
		TEST(what_is_proxied_comes_first),
		TEST(weightier_classes_come_first),
		TEST(ioctls_and_records_come_before_the_rest),
		TEST(a_glob_selects_by_name_and_by_chain),
		TEST(other_targets_are_refused),
		TEST(classes_are_named_in_the_order_of_weight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
