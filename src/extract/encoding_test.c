/* What an encoded number says of an ioctl, and what is wrong about it. */
#include "extract/ioctls_fake.h"

#include "extract/internal.h"

static const struct profile_family plain = { .name = "toy", .source = PROFILE_FROM_CONSTANTS };
static const struct profile_family encoded = { .name = "toy",
					       .source = PROFILE_FROM_IOC,
					       .ioc = { .is_encoded = true } };
static const struct profile_family of_type_k = {
	.name = "toy",
	.source = PROFILE_FROM_IOC,
	.ioc = { .is_encoded = true, .by_nr = true, .types = (const unsigned[]){ 'K' }, .type_count = 1 },
};

/* _IOW('K', 3, struct x[2]), where struct x has 24 bytes. */
#define TWO UINT64_C(0x40304b03)

struct world {
	struct fake_document document;
	struct family_context context;
	struct abi_ioctl ioctl;
	struct macro macro;
	struct ioctl_candidate member;
};

static struct world *begin(struct world *world, const struct profile_family *family)
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
	begin(&world, &encoded)->macro.argument = "x[2]";
	encoding_set(&world.ioctl, &world.context, &world.member);
	assert_string_equal(world.ioctl.params, "x");
	assert_string_equal(world.ioctl.argument, "x[2]");
	fake_warns_only(&world.document, "x.h:1", "says 48 bytes, which is a x[2], and x has 24.");
	fake_end(&world.document);
}

static void an_argument_that_is_the_record_is_told_once(void **state)
{
	struct world world;

	(void)state;
	begin(&world, &encoded)->macro.argument = "x";
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
	begin(&world, &encoded)->macro.params = NULL;
	world.ioctl.params = "x";
	encoding_set(&world.ioctl, &world.context, &world.member);
	fake_warns_only(&world.document, "x.h:1", "says 48 bytes, and x has 24.");
	fake_end(&world.document);
}

static void a_size_that_a_parameter_decides_is_no_mistake(void **state)
{
	struct world world;

	(void)state;
	begin(&world, &encoded)->macro.argument = "x[1]";
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
	begin(&world, &plain)->macro.argument = "x[2]";
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
	begin(&world, &encoded)->member.value = abi_number_signed(INT32_MIN + 0x4b03);
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
	begin(&world, &encoded)->member.value = abi_number_unsigned(UINT64_C(1) << 32);
	assert_false(encoding_number(&number, &world.context, &world.member));
	fake_warns_only(&world.document, "x.h:1", "has more than 32 bits");
	fake_end(&world.document);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
