/*
 * Tests changes of enums, aliases, constants and ioctls, the ioctls that reach a change, the entries that it
 * concerns, and the order of changes.
 */
#include "diff/fixture_test.h"

static const struct diff_fact facts[] = {
	{ "a different value of an enumerator is value",
	  "enum E { E_A=0; E_MAX=1 }", "enum E { E_A=0; E_MAX=2 }", "enum E value; E_MAX is 2" },
	{ "an added enumerator is value",
	  "enum E { E_A=0 }", "enum E { E_A=0; E_B=1 }", "enum E value; E_B added" },
	{ "a renamed enumerator is name",
	  "enum E { E_A=0; E_B=1 }", "enum E { E_A=0; E_C=1 }", "enum E name; E_C is 1 was E_B" },
	{ "an enum with a different name is name",
	  "enum WAS { E_A=0 }", "enum IS { E_A=0 }", "enum IS was WAS name" },
	{ "enums are added and removed",
	  "enum GONE { G_A=0 }", "enum NEW { N_A=0 }",
	  "enum NEW added\n"
	  "enum GONE removed" },
	{ "a different value of a constant is value",
	  "const C 1", "const C 2", "constant C value" },
	{ "constants are added and removed",
	  "const GONE 1", "const NEW 1",
	  "constant NEW added\n"
	  "constant GONE removed" },
	{ "a constant that is the number of an ioctl is reported once",
	  "const CMD 1 ioctl CMD 1 -", "const CMD 2 ioctl CMD 2 -", "ioctl CMD number" },
	{ "a constant is reported if its ioctl does not show it",
	  "const CMD 1", "const CMD 2 ioctl CMD 2 -",
	  "ioctl CMD added\n"
	  "constant CMD number" },
	{ "a different parameter record is number",
	  "struct A 4 { NvU32 a@0 } struct B 8 { NvU64 b@0+8 } ioctl CMD 1 A",
	  "struct A 4 { NvU32 a@0 } struct B 8 { NvU64 b@0+8 } ioctl CMD 1 B",
	  "ioctl CMD number" },
	{ "parameters that were renamed are name",
	  "struct A 4 { NvU32 a@0 } ioctl CMD 1 A", "struct B 4 { NvU32 a@0 } ioctl CMD 1 B",
	  "ioctl CMD name\n"
	  "record B was A name" },
	{ "equal number and parameters with a different name are a rename",
	  "struct P 4 { NvU32 a@0 } ioctl CMD_WAS 1 P", "struct P 4 { NvU32 a@0 } ioctl CMD_IS 1 P",
	  "ioctl CMD_IS was CMD_WAS name" },
	{ "a renamed ioctl renames its parameters",
	  "struct GET_P 4 { NvU32 a@0 } ioctl CMD_GET 1 GET_P",
	  "struct GET_V2_P 4 { NvU32 a@0 } ioctl CMD_GET_V2 1 GET_V2_P",
	  "ioctl CMD_GET_V2 was CMD_GET name\n"
	  "record GET_V2_P was GET_P name with CMD_GET_V2" },
	{ "an ioctl with the number of a removed ioctl names it",
	  "struct P 4 { NvU32 a@0 } ioctl CMD_OLD 1 P", "struct Q 8 { NvU64 b@0+8 } ioctl CMD_NEW 1 Q",
	  "ioctl CMD_NEW added number of CMD_OLD, removed\n"
	  "record Q added\n"
	  "ioctl CMD_OLD removed number of CMD_NEW, there\n"
	  "record P removed" },
	{ "two ioctls with swapped numbers name each other",
	  "ioctl CMD_A 1 - ioctl CMD_B 2 -", "ioctl CMD_A 2 - ioctl CMD_B 1 -",
	  "ioctl CMD_A number number of CMD_B, now 0x1\n"
	  "ioctl CMD_B number number of CMD_A, now 0x2" },
	{ "ioctls are added and removed",
	  "ioctl GONE 1 -", "ioctl NEW 2 -",
	  "ioctl NEW added\n"
	  "ioctl GONE removed" },
};

static void the_changes_are_those_of_the_facts(void **state)
{
	(void)state;
	check_facts(facts, sizeof(facts) / sizeof(*facts));
}

static void another_type_of_an_alias_is_layout(void **state)
{
	(void)state;
	put_text(base, "alias T unsigned~int 4");
	put_text(next, "alias T unsigned~long 8");
	assert_int_equal(only_change(ABI_ALIAS)->classes, DIFF_LAYOUT);
}

static void another_spelling_of_an_alias_is_name(void **state)
{
	(void)state;
	put_text(base, "alias T unsigned~long 8");
	put_text(next, "alias T unsigned~long~long 8");
	assert_int_equal(only_change(ABI_ALIAS)->classes, DIFF_NAME);
}

static void an_enum_among_the_aliases_is_told_once(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(next, "alias E E 4 enum E { E_A=0 }");
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, ABI_ENUM);
}

static void an_enum_is_reached_by_what_has_it(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		put_text(i ? next : base,
			 "alias E E 4 enum E { E_A=0; E_MAX=%d } struct P 4 { E e@0 } ioctl CMD 1 P", 1 + i);
	}
	assert_int_equal(only_change(ABI_ENUM)->reach_count, 1);
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
	put_text(base, "const CMD 1");
	put_text(next, "const CMD 2");
	assert_int_equal(only_change(ABI_CONSTANT)->classes, DIFF_NUMBER);
}

static void another_number_is_number(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_text(base, "ioctl CMD 1 -");
	put_text(next, "ioctl CMD 2 -");
	change = only_change(ABI_IOCTL);
	assert_int_equal(change->classes, DIFF_NUMBER);
	assert_string_equal(change->family, "control");
	assert_null(change->number_was);
}

/* In base, CMD_OLD has nr 1 and 48 bytes. In next, CMD_NEW has nr 1 and 32 bytes. */
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

/* I changes. M contains I, P contains M, and Q points to M. */
static void put_chain(struct abi_builder *doc, int inner_size)
{
	put_text(doc,
		 "struct I %d { NvU32 a@0 } alias I~* I~* 8 struct M 16 { NvP64 n@8 pointer; I~* i@0+8 } "
		 "struct P 16 { M m@0+16 } ioctl CMD_P 1 P ioctl CMD_M 2 M",
		 inner_size);
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

/* A comes before B by name, but after B in the header. */
static void of_two_chains_as_short_the_one_declared_first_is_told(void **state)
{
	const struct diff_change *change;

	(void)state;
	for (int i = 0; i < 2; i++) {
		put_text(
			i ? next : base,
			"struct I %d { NvU32 a@0 } alias I~* I~* 8 struct A=behind 8 { I~* i@0+8 } struct B 8 { I~* i@0+8 } "
			"struct P 16 { A a@0+8; B b@8+8 } ioctl CMD 1 P",
			i ? 8 : 4);
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
		put_text(
			i ? next : base,
			"struct I %d { NvU32 a@0 } alias I~* I~* 8 union P::u_t 8 { I~* i@0+8 } struct P 8 { P::u_t u@0+8 } "
			"ioctl CMD 1 P",
			i ? 8 : 4);
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
		put_text(i ? next : base, "alias L~* L~* 8 struct L %d { L~* next@0+8 } ioctl CMD 1 L",
			 i ? 16 : 8);
	}
	assert_int_equal(only_change(ABI_RECORD)->reach_count, 1);
}

static void what_is_gone_was_reached_in_base(void **state)
{
	const struct diff_change *change;

	(void)state;
	put_text(base, "struct P 4 { NvU32 a@0 } ioctl CMD 1 P");
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
	put_text(base, "ioctl CMD 3 -");
	put_text(next, "ioctl CMD 4 -");
	change = only_change(ABI_IOCTL);
	assert_true(change->proxied);
	assert_int_equal(change->entry_count, 1);
	assert_ptr_equal(change->entries[0], &entries[0]);
}

static void a_new_ioctl_with_a_forwarded_number_is_proxied(void **state)
{
	(void)state;
	options.view = &view;
	put_text(next, "ioctl NEW 7 -");
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
	put_text(next, "ioctl ALIVE 98 -");
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
	put_text(next, "ioctl DEAD 99 -");
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
	put_text(base, "struct P 4 { NvU32 a@0 }");
	put_text(next, "struct P 8 { NvU32 a@0; NvU32 b@4 }");
	assert_true(only_change(ABI_RECORD)->proxied);
}

static void a_record_that_a_forwarded_ioctl_carries_is_proxied(void **state)
{
	(void)state;
	options.view = &view;
	put_text(base, "struct Q 4 { NvU32 a@0 } ioctl OTHER 7 Q");
	put_text(next, "struct Q 8 { NvU32 a@0; NvU32 b@4 } ioctl OTHER 7 Q");
	assert_ptr_equal(only_change(ABI_RECORD)->entries[0], &entries[1]);
}

static void what_is_proxied_comes_first(void **state)
{
	const struct diff *diff;

	(void)state;
	options.view = &view;
	put_text(base, "ioctl A 20 - struct P 4 { NvU32 a@0 }");
	put_text(next, "ioctl A 21 - struct P 8 { NvU32 a@0; NvU32 b@4 }");
	diff = compared();
	assert_string_equal(diff->changes[0].name, "P");
	assert_string_equal(diff->changes[1].name, "A");
}

static void weightier_classes_come_first(void **state)
{
	const struct diff *diff;

	(void)state;
	put_text(base, "struct A 4 { NvU32 a@0 } struct B 4 { NvU32 a@0 }");
	put_text(next, "struct A 8 { NvU32 a@0; NvU32 b@4 } struct B 4 { NvHandle a@0 handle }");
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
	put_text(base, "const C 1");
	put_text(next, "const C 2");
	put_privileged(base, "CMD", 1);
	put_text(next, "ioctl CMD 1 - struct R 4 { NvU32 a@0 }");
	put_text(base, "struct R 8 { NvU32 a@0 }");
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
	put_text(base, "struct X 4 { NvU32 a@0 }");
	put_text(next, "struct X 8 { NvU32 a@0; NvU32 b@4 }");
	diff = compared();
	assert_int_equal(diff->change_count, 1);
	assert_string_equal(diff->changes[0].name, "I");
	assert_int_equal(diff->summary[ABI_RECORD].changed, 1);
}

static void other_targets_are_refused(void **state)
{
	const struct abi *was = document_seal(base, "1", &arena);
	struct abi is = *document_seal(next, "2", &arena);
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
		cmocka_unit_test(the_changes_are_those_of_the_facts),
		TEST(another_type_of_an_alias_is_layout),
		TEST(another_spelling_of_an_alias_is_name),
		TEST(an_enum_among_the_aliases_is_told_once),
		TEST(an_enum_is_reached_by_what_has_it),
		TEST(an_nr_that_means_another_ioctl_says_whose_it_was_whatever_their_sizes),
		TEST(where_the_whole_number_counts_another_size_is_another_number),
		TEST(an_ioctl_that_grew_is_the_same_one_with_another_number),
		TEST(a_constant_that_the_table_calls_a_number_is_number),
		TEST(another_number_is_number),
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
