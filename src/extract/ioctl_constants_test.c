/* Families whose members are macros or enumerators: their records, routes and dispatch. */
#include "extract/small_driver_fake.h"

static void constants_find_their_records_by_the_first_rule_that_fits(void **state)
{
	struct made made;
	const struct abi *abi = &made.document.abi;

	(void)state;
	begin(&made);
	make(&made, &escapes);
	assert_int_equal(made.rc, 0);
	fake_warns_nothing(&made.document);
	assert_int_equal(abi->ioctl_count, 3);
	assert_string_equal(abi_find_ioctl(abi, "frontend", "ESC_ALLOC")->params, "esc_alloc");
	assert_string_equal(abi_find_ioctl(abi, "frontend", "ESC_FREE")->params, "ESC_FREE_PARAMS");
	assert_null(abi_find_ioctl(abi, "frontend", "ESC_NOTHING")->params);
	assert_string_equal(abi_find_ioctl(abi, "frontend", "ESC_FREE")->source, "inc/x.h:7");
	fake_end(&made.document);
}

static void a_negative_constant_is_no_ioctl(void **state)
{
	struct profile_family negative = escapes;
	struct made made;

	(void)state;
	negative.except.count = 1;
	begin(&made);
	make(&made, &negative);
	fake_warns_only(&made.document, "inc/x.h:9", "negative");
	fake_end(&made.document);
}

static void constants_of_another_unit_do_not_count(void **state)
{
	struct profile_family elsewhere = escapes;
	struct made made;

	(void)state;
	elsewhere.unit = "uvm";
	begin(&made);
	make(&made, &elsewhere);
	fake_warns_nothing(&made.document);
	assert_int_equal(made.document.abi.ioctl_count, 0);
	fake_end(&made.document);
}

static const struct profile_route kms_calls[] = {
	{ .name = "KMS_ENTRY", .ioctl = "\\1", .record = "Kms\\2Params", .prefix = "" },
	{ .name = "KMS_ADMIN",
	  .ioctl = "\\1",
	  .record = "Kms\\2Params",
	  .flags = FAKE_STRINGS("admin"),
	  .prefix = "" },
};
static const struct profile_params kms_params[] = { { .record = "\\l1", .name_regex = "^(KMS_.*)$" } };

/* KMS_FLIP by its route, KMS_IDLE by its name; KMS_GONE is answered nowhere. */
static const struct profile_family kms = {
	.name = "kms",
	.source = PROFILE_FROM_ENUM,
	.enumeration = "KmsCommand",
	.except = FAKE_STRINGS("KMS_COUNT"),
	.flags = FAKE_STRINGS("test"),
	.routes = { FAKE_STRINGS("kms/kms.c"), kms_calls, 2 },
	.params = kms_params,
	.param_count = 1,
};

static void add_kms(struct made *made)
{
	static const struct abi_enumerator values[] = {
		{ "KMS_COUNT", { 3, false } },
		{ "KMS_FLIP", { 0, false } },
		{ "KMS_GONE", { 2, false } },
		{ "KMS_IDLE", { 1, false } },
	};
	static const char *const names[] = { "KmsFlipParams", "KmsOtherParams", "kms_gone", "kms_idle" };

	abi_builder_enum(made->document.builder, &(struct abi_enum){ .name = "KmsCommand",
								     .type = "unsigned int",
								     .size_bytes = 4,
								     .values = values,
								     .value_count = 4,
								     .source = "kms/api.h:9:1" });
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		abi_builder_record(made->document.builder,
				   &(struct abi_record){ .name = names[i], .source = "" });
}

static void make_kms(struct made *made, const char *routes)
{
	static struct fake_file file = { "kms/kms.c", NULL };

	begin(made);
	add_kms(made);
	file.text = routes;
	made->tree.files = &file;
	made->tree.count = routes != NULL;
	make(made, &kms);
	assert_int_equal(made->rc, 0);
}

static void enumerators_are_ioctls_and_constants(void **state)
{
	struct made made;
	const struct abi *abi = &made.document.abi;
	const struct abi_ioctl *flip;

	(void)state;
	make_kms(&made,
		 "KMS_ENTRY(KMS_FLIP, Flip), KMS_ADMIN(KMS_FLIP, Flip),\nKMS_ENTRY(KMS_IDLE, Other),\n");
	fake_warns_nothing(&made.document);
	assert_int_equal(abi->ioctl_count, 3);
	flip = abi_find_ioctl(abi, "kms", "KMS_FLIP");
	assert_int_equal(flip->number, 0);
	assert_string_equal(flip->params, "KmsFlipParams");
	assert_string_equal(flip->source, "kms/api.h:9:1");
	assert_string_equal(flags_of(flip, &made.document.arena), "admin,test");
	assert_string_equal(abi_find_ioctl(abi, "kms", "KMS_IDLE")->params, "KmsOtherParams");
	assert_string_equal(abi_find_ioctl(abi, "kms", "KMS_GONE")->params, "kms_gone");
	assert_string_equal(flags_of(abi_find_ioctl(abi, "kms", "KMS_GONE"), &made.document.arena),
			    "not-dispatched,test");
	assert_int_equal(abi_find_constant(abi, "KMS_GONE")->value.magnitude, 2);
	assert_null(abi_find_constant(abi, "KMS_COUNT"));
	fake_end(&made.document);
}

static void routes_that_contradict_each_other_are_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made,
		 "KMS_ENTRY(KMS_FLIP, Flip)\nKMS_ENTRY(KMS_FLIP, Other)\nKMS_ENTRY(KMS_IDLE, Flip) KMS_ENTRY(KMS_GONE, Flip)");
	fake_warns_only(&made.document, "kms/kms.c:2",
			"KMS_FLIP takes a KmsOtherParams here and a KmsFlipParams at kms/kms.c:1, which stands.");
	assert_string_equal(abi_find_ioctl(&made.document.abi, "kms", "KMS_FLIP")->params, "KmsFlipParams");
	fake_end(&made.document);
}

static void a_route_of_no_ioctl_is_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made, "KMS_ENTRY(KMS_FLOP, Flip)");
	fake_warns_only(&made.document, "kms/kms.c:1",
			"The driver answers KMS_FLOP, which is no ioctl of family kms in its headers.");
	fake_end(&made.document);
}

static void a_record_of_a_route_that_no_header_has_is_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made, "KMS_ENTRY(KMS_FLIP, Gone)");
	fake_warns_only(&made.document, "kms/api.h:9:1",
			"KMS_FLIP takes a KmsGoneParams, which no header of the profile declares.");
	fake_end(&made.document);
}

/* Nothing is known of what is dispatched: no ioctl is said to be dispatched nowhere. */
static void sources_without_routes_are_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made, NULL);
	fake_warns_only(&made.document, "kms/kms.c",
			"There is no such file, so it is not known which ioctls of family kms the driver answers.");
	assert_string_equal(flags_of(abi_find_ioctl(&made.document.abi, "kms", "KMS_GONE"),
				     &made.document.arena),
			    "test");
	fake_end(&made.document);
	make_kms(&made, "int nothing;\n");
	fake_warns_only(&made.document, "kms/kms.c",
			"No call that the profile names stands here, so it is not known");
	fake_end(&made.document);
}

static void a_driver_without_the_device_is_no_fault(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &kms);
	fake_warns_nothing(&made.document);
	assert_int_equal(made.document.abi.ioctl_count, 0);
	fake_end(&made.document);
}

static void sources_whose_headers_are_elsewhere_are_named(void **state)
{
	static const struct fake_file file = { "kms/kms.c", "KMS_ENTRY(KMS_FLIP, Flip)" };
	struct made made;

	(void)state;
	begin(&made);
	made.tree.files = &file;
	made.tree.count = 1;
	make(&made, &kms);
	fake_warns_only(&made.document, "kms/kms.c",
			"This file answers ioctls of family kms, but no header that the profile names has any.");
	fake_end(&made.document);
}

static const char *escape_flags(struct made *made, const char *name)
{
	return flags_of(abi_find_ioctl(&made->document.abi, "frontend", name), &made->document.arena);
}

static void make_dispatched(struct made *made, const char *const *paths, size_t count)
{
	static const char *const routes[] = { "ROUTE*" };
	struct profile_family family = escapes;

	family.dispatch = (struct profile_dispatch){ { paths, count }, { routes, 1 } };
	begin(made);
	make(made, &family);
	assert_int_equal(made->rc, 0);
}

static void what_no_switch_sends_on_has_a_flag(void **state)
{
	static const char *const both[] = { "uvm/main.c", "uvm/more.c" };
	struct made made;

	(void)state;
	make_dispatched(&made, both, 1);
	fake_warns_nothing(&made.document);
	assert_string_equal(escape_flags(&made, "ESC_ALLOC"), "");
	assert_string_equal(escape_flags(&made, "ESC_FREE"), "");
	assert_string_equal(escape_flags(&made, "ESC_NOTHING"), "not-dispatched");
	fake_end(&made.document);
	make_dispatched(&made, both, 2);
	fake_warns_nothing(&made.document);
	assert_string_equal(escape_flags(&made, "ESC_NOTHING"), "conditional");
	fake_end(&made.document);
}

static void what_stands_in_another_form_is_not_called_not_dispatched(void **state)
{
	static const char *const both[] = { "uvm/main.c", "uvm/more.c" };
	static const char *const routes[] = { "ROUTE*" };
	struct profile_family family = escapes;
	struct made made;

	(void)state;
	family.dispatch = (struct profile_dispatch){ { both, 2 }, { routes, 1 } };
	family.except = (struct profile_strings)FAKE_STRINGS("*_MINUS");
	begin(&made);
	make(&made, &family);
	fake_warns_only(&made.document, "uvm/more.c:7",
			"ESC_LAST stands here, but under no label of a switch over commands");
	assert_string_equal(escape_flags(&made, "ESC_LAST"), "");
	fake_end(&made.document);
}

static void nothing_is_called_not_dispatched_where_it_is_not_known(void **state)
{
	static const struct {
		const char *path, *source, *words;
	} cases[] = {
		{ "uvm/strange.c", "uvm/strange.c:3", "The label of this case is not one name" },
		{ "uvm/nameless.c", "uvm/nameless.c:4",
		  "ESC_UNKNOWN is dispatched here, but the headers give it no number" },
		{ "uvm/none.c", "uvm/none.c", "No ioctl is dispatched in this file" },
		{ "uvm/gone.c", "uvm/gone.c",
		  "There is no such file, so it is not known which ioctls are dispatched" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *paths[] = { "uvm/main.c", cases[i].path };
		struct made made;

		make_dispatched(&made, i < 2 ? paths : paths + 1, i < 2 ? 2 : 1);
		fake_warns_only(&made.document, cases[i].source, cases[i].words);
		assert_string_equal(escape_flags(&made, "ESC_NOTHING"), "");
		fake_end(&made.document);
	}
}

static void an_ioctl_that_is_dispatched_but_excepted_is_named(void **state)
{
	static const char *const paths[] = { "uvm/main.c" };
	struct profile_family family = escapes;
	struct made made;

	(void)state;
	family.dispatch = (struct profile_dispatch){ { paths, 1 }, FAKE_STRINGS("ROUTE*") };
	family.except = (struct profile_strings)FAKE_STRINGS("*_LAST", "*_MINUS", "*_A*");
	begin(&made);
	make(&made, &family);
	fake_warns_only(&made.document, "uvm/main.c:5",
			"The driver answers ESC_ALLOC, which is no ioctl of family frontend in its headers");
	fake_end(&made.document);
}

static void constants_of_other_files_do_not_count(void **state)
{
	struct profile_family elsewhere = escapes;
	struct made made;

	(void)state;
	elsewhere.files = (struct profile_strings)FAKE_STRINGS("inc/y.h", "in?/x.h");
	begin(&made);
	make(&made, &elsewhere);
	assert_int_equal(made.document.abi.ioctl_count, 0);
	fake_end(&made.document);
}

static void a_dispatch_that_cannot_be_read_is_an_error(void **state)
{
	struct profile_family family = escapes;
	struct made made;

	(void)state;
	family.dispatch.files = (struct profile_strings)FAKE_STRINGS("uvm/main.c");
	begin(&made);
	made.tree.read_fails = ERR_GIT;
	make(&made, &family);
	assert_int_equal(made.rc, ERR_GIT);
	fake_end(&made.document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_find_their_records_by_the_first_rule_that_fits),
		cmocka_unit_test(a_negative_constant_is_no_ioctl),
		cmocka_unit_test(constants_of_another_unit_do_not_count),
		cmocka_unit_test(enumerators_are_ioctls_and_constants),
		cmocka_unit_test(routes_that_contradict_each_other_are_named),
		cmocka_unit_test(a_route_of_no_ioctl_is_named),
		cmocka_unit_test(a_record_of_a_route_that_no_header_has_is_named),
		cmocka_unit_test(sources_without_routes_are_named),
		cmocka_unit_test(a_driver_without_the_device_is_no_fault),
		cmocka_unit_test(sources_whose_headers_are_elsewhere_are_named),
		cmocka_unit_test(what_no_switch_sends_on_has_a_flag),
		cmocka_unit_test(what_stands_in_another_form_is_not_called_not_dispatched),
		cmocka_unit_test(nothing_is_called_not_dispatched_where_it_is_not_known),
		cmocka_unit_test(an_ioctl_that_is_dispatched_but_excepted_is_named),
		cmocka_unit_test(constants_of_other_files_do_not_count),
		cmocka_unit_test(a_dispatch_that_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests_name("constants", tests, NULL, NULL);
}
