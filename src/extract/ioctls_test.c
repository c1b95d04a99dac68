/*
 * Tests of encoded ioctl numbers, of families of macros or enumerators, and of families from the driver's
 * tables.
 */
#include "extract/internal.h"
#include "extract/ioctls_fake.h"
#include "extract/small_driver_fake.h"

static const struct profile_family plain = { .name = "toy", .source = PROFILE_FROM_CONSTANTS };
static const struct profile_family encoded = { .name = "toy",
					       .source = PROFILE_FROM_IOC,
					       .ioc = { .is_encoded = true } };
static const struct profile_family of_type_k = {
	.name = "toy",
	.source = PROFILE_FROM_IOC,
	.ioc = { .is_encoded = true, .by_nr = true, .types = (const unsigned[]){ 'K' }, .type_count = 1 },
};

/* The ioctl _IOW('K', 3, struct x[2]), where struct x has 24 bytes. */
#define TWO UINT64_C(0x40304b03)

struct world {
	struct fake_document document;
	struct family_context context;
	struct abi_ioctl ioctl;
	struct macro macro;
	struct ioctl_candidate member;
};

static struct world *begin_number(struct world *world, const struct profile_family *family)
{
	*world = (struct world){ .macro = { .name = "X_TWO", .params = "x" } };
	fake_begin(&world->document);
	world->context = (struct family_context){ .builder = world->document.builder,
						  .family = family,
						  .name = "toy",
						  .arena = &world->document.arena };
	world->ioctl =
		(struct abi_ioctl){ .family = "toy", .name = "X_TWO", .number = TWO, .source = "x.h:1" };
	world->member = (struct ioctl_candidate){
		.name = "X_TWO", .source = "x.h:1", .value = { TWO, false }, .macro = &world->macro
	};
	abi_builder_record(world->document.builder,
			   &(struct abi_record){
				   .name = "x", .size_bytes = 24, .align_bytes = 8, .source = "x.h:2:8" });
	return world;
}

static void an_array_is_no_record_and_worth_a_warning(void **state)
{
	struct world world;

	(void)state;
	begin_number(&world, &encoded)->macro.argument = "x[2]";
	encoding_set(&world.ioctl, &world.context, &world.member);
	assert_string_equal(world.ioctl.params, "x");
	assert_string_equal(world.ioctl.argument, "x[2]");
	fake_warns_only(&world.document, "x.h:1", "encodes a size of 48 bytes, that of x[2], but x has 24.");
	fake_end(&world.document);
}

static void an_argument_that_is_the_record_is_told_once(void **state)
{
	struct world world;

	(void)state;
	begin_number(&world, &encoded)->macro.argument = "x";
	world.ioctl.number = UINT64_C(0x40184b03);
	encoding_set(&world.ioctl, &world.context, &world.member);
	assert_null(world.ioctl.argument);
	assert_int_equal(world.ioctl.encoding, ABI_NUMBER_IOC);
	fake_warns_nothing(&world.document);
	fake_end(&world.document);
}

static void a_record_of_the_profile_is_held_against_the_size_as_well(void **state)
{
	struct world world;

	(void)state;
	begin_number(&world, &encoded)->macro.params = NULL;
	world.ioctl.params = "x";
	encoding_set(&world.ioctl, &world.context, &world.member);
	fake_warns_only(&world.document, "x.h:1", "a size of 48 bytes, but x has 24.");
	fake_end(&world.document);
}

static void a_size_that_a_parameter_decides_is_no_mistake(void **state)
{
	struct world world;

	(void)state;
	begin_number(&world, &encoded)->macro.argument = "x[1]";
	world.macro.varying = UINT64_C(0x00180000);
	encoding_set(&world.ioctl, &world.context, &world.member);
	assert_int_equal(world.ioctl.varies, 1 << ABI_IOC_SIZE);
	assert_string_equal(world.ioctl.argument, "x[]");
	fake_warns_nothing(&world.document);
	fake_end(&world.document);
}

static void plain_numbers_say_nothing(void **state)
{
	struct world world;

	(void)state;
	begin_number(&world, &plain)->macro.argument = "x[2]";
	encoding_set(&world.ioctl, &world.context, &world.member);
	assert_int_equal(world.ioctl.encoding, ABI_NUMBER_PLAIN);
	assert_null(world.ioctl.params);
	fake_warns_nothing(&world.document);
	fake_end(&world.document);
}

static void types_select(void **state)
{
	(void)state;
	assert_true(encoding_wants(&of_type_k, TWO));
	assert_false(encoding_wants(&of_type_k, UINT64_C(0x40304c03)));
	assert_true(encoding_wants(&encoded, UINT64_C(0x40304c03)));
}

static void a_direction_that_makes_the_number_negative_is_its_bits(void **state)
{
	struct world world;
	uint64_t number;

	(void)state;
	begin_number(&world, &encoded)->member.value = abi_number_signed(INT32_MIN + 0x4b03);
	assert_true(encoding_number(&number, &world.context, &world.member));
	assert_int_equal(number, UINT64_C(0x80004b03));
	fake_warns_nothing(&world.document);
	fake_end(&world.document);
}

static void more_than_32_bits_are_no_number(void **state)
{
	struct world world;
	uint64_t number;

	(void)state;
	begin_number(&world, &encoded)->member.value = abi_number_unsigned(UINT64_C(1) << 32);
	assert_false(encoding_number(&number, &world.context, &world.member));
	fake_warns_only(&world.document, "x.h:1", "has more than 32 bits");
	fake_end(&world.document);
}

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

/*
 * KMS_FLIP gets its record from its route, and KMS_IDLE from a rule for names. The driver does not handle
 * KMS_GONE.
 */
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
	make_kms(
		&made,
		"KMS_ENTRY(KMS_FLIP, Flip)\nKMS_ENTRY(KMS_FLIP, Other)\nKMS_ENTRY(KMS_IDLE, Flip) KMS_ENTRY(KMS_GONE, Flip)");
	fake_warns_only(
		&made.document, "kms/kms.c:2",
		"KMS_FLIP takes a KmsOtherParams here, but a KmsFlipParams at kms/kms.c:1; the latter is used.");
	assert_string_equal(abi_find_ioctl(&made.document.abi, "kms", "KMS_FLIP")->params, "KmsFlipParams");
	fake_end(&made.document);
}

static void a_route_of_no_ioctl_is_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made, "KMS_ENTRY(KMS_FLOP, Flip)");
	fake_warns_only(&made.document, "kms/kms.c:1",
			"The driver handles KMS_FLOP, but its headers do not define it as an ioctl of family kms.");
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

/*
 * If the sources have no routes, it is unknown which ioctls are dispatched, so no ioctl gets the flag
 * not-dispatched.
 */
static void sources_without_routes_are_named(void **state)
{
	struct made made;

	(void)state;
	make_kms(&made, NULL);
	fake_warns_only(
		&made.document, "kms/kms.c",
		"The tree does not have this file, so it is unknown which ioctls of family kms the driver answers.");
	assert_string_equal(flags_of(abi_find_ioctl(&made.document.abi, "kms", "KMS_GONE"),
				     &made.document.arena),
			    "test");
	fake_end(&made.document);
	make_kms(&made, "int nothing;\n");
	fake_warns_only(&made.document, "kms/kms.c",
			"This file has no call that the profile names, so it is unknown");
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
	fake_warns_only(
		&made.document, "kms/kms.c",
		"This file answers ioctls of family kms, but the headers that the profile lists define no "
		"ioctls of this family.");
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
			"ESC_LAST is mentioned here, but not in a label of a switch over commands");
	assert_string_equal(escape_flags(&made, "ESC_LAST"), "");
	fake_end(&made.document);
}

static void nothing_is_called_not_dispatched_where_it_is_not_known(void **state)
{
	static const struct {
		const char *path, *source, *words;
	} cases[] = {
		{ "uvm/strange.c", "uvm/strange.c:3", "The label of this case is not a single name" },
		{ "uvm/nameless.c", "uvm/nameless.c:4",
		  "ESC_UNKNOWN is dispatched here, but the headers give it no number" },
		{ "uvm/none.c", "uvm/none.c", "This file has no switch over a command" },
		{ "uvm/gone.c", "uvm/gone.c",
		  "The tree does not have this file, so it is unknown which ioctls are dispatched" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *paths[] = { "uvm/main.c", cases[i].path };
		struct made made;

		make_dispatched(&made, paths, 2);
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
	fake_warns_only(
		&made.document, "uvm/main.c:5",
		"The driver handles ESC_ALLOC, but its headers do not define it as an ioctl of family frontend");
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

static struct profile_family control = {
	.name = "control",
	.source = PROFILE_FROM_NVOC,
	.match = FAKE_STRINGS("NV*_CTRL_*"),
	.files = FAKE_STRINGS("gen/g_a_nvoc.c", "gen/g_b_nvoc.c"),
	.embedded = FAKE_STRINGS("rm/copy.c"),
	.flag_words = { .files = FAKE_STRINGS("rm/control.h"),
			.prefix = FAKE_STRINGS("CF_"),
			.fallback = "CF_KERNEL",
			.unless = FAKE_STRINGS("CF_ANYONE") },
	.access_words = { .files = FAKE_STRINGS("rm/rights.h"), .prefix = FAKE_STRINGS("RS_ACCESS_") },
};

static const struct profile_family alloc = {
	.name = "alloc",
	.source = PROFILE_FROM_RS_ENTRY,
	.files = FAKE_STRINGS("rm/list.h"),
	.flag_words = { .files = FAKE_STRINGS("rm/flags.h"),
			.prefix = FAKE_STRINGS("RS_FLAGS_ALLOC_", "RS_FLAGS_") },
	.access_words = { .files = FAKE_STRINGS("rm/rights.h"), .prefix = FAKE_STRINGS("RS_ACCESS_") },
};

static void a_command_has_all_that_the_driver_says(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &control);
	assert_int_equal(made.rc, 0);
	fake_warns_nothing(&made.document);
	assert_int_equal(made.document.abi.ioctl_count, 2);
	ioctl = abi_find_ioctl(&made.document.abi, "control", "NV2080_CTRL_CMD_SPIN");
	assert_non_null(ioctl);
	assert_int_equal(ioctl->number, 0x20800101);
	assert_string_equal(ioctl->params, "NV2080_CTRL_SPIN_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "anyone,embedded-pointers,no-lock");
	assert_string_equal(ioctl->access, "nice");
	assert_string_equal(ioctl->source, "gen/g_a_nvoc.c:3");
	fake_end(&made.document);
}

static void a_command_without_parameters_is_known_by_class_and_method(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &control);
	fake_seal(&made.document);
	ioctl = abi_find_ioctl(&made.document.abi, "control", "NV2080_CTRL_CMD_HALT");
	assert_non_null(ioctl);
	assert_null(ioctl->params);
	assert_null(ioctl->access);
	assert_string_equal(flags_of(ioctl, &made.document.arena), "kernel");
	fake_end(&made.document);
}

static void a_command_without_a_macro_has_its_methods_name(void **state)
{
	struct profile_family none = control;
	struct made made;

	(void)state;
	none.match = (struct profile_strings){ 0 };
	begin(&made);
	make(&made, &none);
	fake_seal(&made.document);
	assert_non_null(abi_find_ioctl(&made.document.abi, "control", "subdeviceCtrlCmdSpin"));
	fake_end(&made.document);
}

static void one_number_with_other_parameters_is_named(void **state)
{
	const struct profile_family two = {
		.name = "control", .source = PROFILE_FROM_NVOC, .match = control.match,
		.files = FAKE_STRINGS("gen/g_b_nvoc.c", "gen/g_other_nvoc.c"),
		.flag_words = control.flag_words, .access_words = control.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &two);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "gen/g_other_nvoc.c:3", "it is left out");
	assert_int_equal(made.document.abi.ioctl_count, 1);
	fake_end(&made.document);
}

static void parameters_that_no_header_declares_are_named(void **state)
{
	const struct profile_family other = {
		.name = "control", .source = PROFILE_FROM_NVOC, .match = control.match,
		.files = FAKE_STRINGS("gen/g_other_nvoc.c"),
		.flag_words = control.flag_words, .access_words = control.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &other);
	fake_warns_only(&made.document, "gen/g_other_nvoc.c:3", "NV2080_CTRL_OTHER_PARAMS");
	assert_int_equal(made.document.abi.ioctl_count, 1);
	fake_end(&made.document);
}

static const struct profile_params old_params[] = { { .record = "\\1", .regex = "([A-Z0-9_]+)_MESSAGE_ID" } };

static struct profile_family control_with(const char *const *old_file)
{
	struct profile_family family = control;

	family.deprecated = (struct profile_deprecated){ { old_file, 1 }, "oldTable" };
	family.params = old_params;
	family.param_count = 1;
	return family;
}

static void deprecated_commands_stand_beside_the_methods(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &family);
	assert_int_equal(made.rc, 0);
	fake_seal(&made.document);
	assert_int_equal(abi->ioctl_count, 4);
	ioctl = abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT");
	assert_int_equal(ioctl->number, 0x20800103);
	assert_string_equal(ioctl->params, "NV2080_CTRL_WAIT_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "deprecated,embedded-pointers");
	assert_string_equal(ioctl->source, "rm/old.c:5");
	assert_null(ioctl->access);
	ioctl = abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_SPIN");
	assert_string_equal(flags_of(ioctl, &made.document.arena),
			    "anyone,deprecated,embedded-pointers,no-lock,skip-vgpu");
	assert_string_equal(ioctl->source, "gen/g_a_nvoc.c:3");
	fake_end(&made.document);
}

/*
 * The comment of NV2080_CTRL_CMD_WALK names WALK_PARAMS, but its function mentions only SPIN_PARAMS. No rule
 * of the profile gives NV2080_CTRL_CMD_SPIN a record.
 */
static void a_record_that_only_one_witness_names_is_not_known(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;

	(void)state;
	begin(&made);
	make(&made, &family);
	fake_seal(&made.document);
	assert_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WALK")->params);
	assert_int_equal(abi->warning_count, 2);
	assert_string_equal(abi->warnings[0].place, "rm/old.c:4");
	assert_non_null(
		strstr(abi->warnings[0].text, "No rule of the profile gives NV2080_CTRL_CMD_SPIN a record"));
	assert_string_equal(abi->warnings[1].place, "rm/old.c:6");
	assert_non_null(
		strstr(abi->warnings[1].text,
		       "NV2080_CTRL_CMD_WALK should have the parameters NV2080_CTRL_WALK_PARAMS, but its function"));
	fake_end(&made.document);
}

static void the_first_row_of_a_number_counts(void **state)
{
	static const char *const file = "rm/old_again.c";
	const struct profile_family family = control_with(&file);
	struct made made;
	const struct abi *abi = &made.document.abi;

	(void)state;
	begin(&made);
	make(&made, &family);
	fake_seal(&made.document);
	assert_non_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT"));
	assert_null(abi_find_ioctl(abi, "control", "NV2080_CTRL_CMD_WAIT_ALIAS"));
	assert_int_equal(abi->warning_count, 2);
	assert_non_null(strstr(abi->warnings[1].text,
			       "The deprecated command GONE is left out: the headers give it no number"));
	assert_non_null(strstr(
		abi->warnings[0].text,
		"NV2080_CTRL_CMD_WAIT_ALIAS has the same number as NV2080_CTRL_CMD_WAIT at rm/old_again.c:2"));
	fake_end(&made.document);
}

static void a_tree_without_a_deprecated_table_is_named(void **state)
{
	static const char *const file = "rm/gone.c";
	const struct profile_family family = control_with(&file);
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &family);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "rm/gone.c",
			"The tree does not have this file, so it is unknown which commands are deprecated");
	assert_int_equal(made.document.abi.ioctl_count, 2);
	fake_end(&made.document);
}

static void a_tree_without_tables_is_named(void **state)
{
	struct profile_family absent = control;
	struct made made;

	(void)state;
	absent.embedded = (struct profile_strings){ 0 };
	absent.files.count = 1;
	begin(&made);
	made.tree.files = files + 3;
	made.tree.count -= 3;
	make(&made, &absent);
	assert_int_equal(made.rc, 0);
	fake_warns_only(&made.document, "gen/g_a_nvoc.c", "The tree does not have this file");
	fake_end(&made.document);
}

static void a_tree_that_cannot_be_read_is_an_error(void **state)
{
	struct made made;

	(void)state;
	begin(&made);
	made.tree.read_fails = ERR_GIT;
	make(&made, &control);
	assert_int_equal(made.rc, ERR_GIT);
	assert_string_equal(made.err.text, "cannot read gen/g_a_nvoc.c");
	fake_end(&made.document);
	begin(&made);
	made.tree.read_fails = ERR_GIT;
	make(&made, &alloc);
	assert_int_equal(made.rc, ERR_GIT);
	fake_end(&made.document);
}

static void a_class_has_all_that_the_driver_says(void **state)
{
	struct made made;
	const struct abi_ioctl *ioctl;

	(void)state;
	begin(&made);
	make(&made, &alloc);
	assert_int_equal(made.rc, 0);
	fake_warns_nothing(&made.document);
	ioctl = abi_find_ioctl(&made.document.abi, "alloc", "THING_A");
	assert_int_equal(ioctl->number, 0x9010);
	assert_string_equal(ioctl->params, "THING_PARAMS");
	assert_string_equal(flags_of(ioctl, &made.document.arena), "anyone,lock,required");
	assert_string_equal(ioctl->access, "nice");
	assert_string_equal(ioctl->source, "rm/list.h:1");
	ioctl = abi_find_ioctl(&made.document.abi, "alloc", "THING_B");
	assert_null(ioctl->params);
	assert_int_equal(ioctl->flag_count, 0);
	assert_null(ioctl->access);
	fake_end(&made.document);
}

static void a_class_without_a_number_is_named(void **state)
{
	const struct profile_family lonely = {
		.name = "alloc", .source = PROFILE_FROM_RS_ENTRY, .files = FAKE_STRINGS("rm/lonely.h"),
		.flag_words = alloc.flag_words, .access_words = alloc.access_words,
	};
	struct made made;

	(void)state;
	begin(&made);
	make(&made, &lonely);
	fake_warns_only(&made.document, "rm/lonely.h:1", "THING_C");
	assert_int_equal(made.document.abi.ioctl_count, 0);
	fake_end(&made.document);
}

static void a_malformed_expression_is_an_error(void **state)
{
	static const char *const file = "rm/old.c";
	const struct profile_params params = { .record = "X", .regex = "(" };
	struct profile_family broken = escapes;
	struct made made;

	(void)state;
	broken.params = &params;
	broken.param_count = 1;
	begin(&made);
	make(&made, &broken);
	assert_int_equal(made.rc, ERR_FORMAT);
	fake_end(&made.document);
	broken = control_with(&file);
	broken.params = &params;
	begin(&made);
	make(&made, &broken);
	assert_int_equal(made.rc, ERR_FORMAT);
	fake_end(&made.document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_is_no_record_and_worth_a_warning),
		cmocka_unit_test(an_argument_that_is_the_record_is_told_once),
		cmocka_unit_test(a_record_of_the_profile_is_held_against_the_size_as_well),
		cmocka_unit_test(a_size_that_a_parameter_decides_is_no_mistake),
		cmocka_unit_test(plain_numbers_say_nothing),
		cmocka_unit_test(types_select),
		cmocka_unit_test(a_direction_that_makes_the_number_negative_is_its_bits),
		cmocka_unit_test(more_than_32_bits_are_no_number),
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
		cmocka_unit_test(a_command_has_all_that_the_driver_says),
		cmocka_unit_test(a_command_without_parameters_is_known_by_class_and_method),
		cmocka_unit_test(a_command_without_a_macro_has_its_methods_name),
		cmocka_unit_test(one_number_with_other_parameters_is_named),
		cmocka_unit_test(parameters_that_no_header_declares_are_named),
		cmocka_unit_test(deprecated_commands_stand_beside_the_methods),
		cmocka_unit_test(a_record_that_only_one_witness_names_is_not_known),
		cmocka_unit_test(the_first_row_of_a_number_counts),
		cmocka_unit_test(a_tree_without_a_deprecated_table_is_named),
		cmocka_unit_test(a_tree_without_tables_is_named),
		cmocka_unit_test(a_tree_that_cannot_be_read_is_an_error),
		cmocka_unit_test(a_class_has_all_that_the_driver_says),
		cmocka_unit_test(a_class_without_a_number_is_named),
		cmocka_unit_test(a_malformed_expression_is_an_error),
	};

	return cmocka_run_group_tests_name("ioctls", tests, NULL, NULL);
}
