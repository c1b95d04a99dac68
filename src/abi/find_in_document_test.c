/* Tests of what a document has: items by name, roles, numbers and macros, and which records are the same. */
#include "abi/fixture_test.h"

/* Returns the index of the item that is found; -1 if none is. */
static int index_of(const struct abi *abi, enum abi_kind kind, const char *family, const char *name)
{
	const struct abi_items items = abi_items(abi, kind);
	const void *item = NULL;

	switch (kind) {
	case ABI_RECORD: item = abi_find_record(abi, name); break;
	case ABI_ALIAS: item = abi_find_alias(abi, name); break;
	case ABI_ENUM: item = abi_find_enum(abi, name); break;
	case ABI_CONSTANT: item = abi_find_constant(abi, name); break;
	case ABI_IOCTL: item = abi_find_ioctl(abi, family, name); break;
	}
	return item ? (int)((size_t)((const char *)item - items.first) / items.size_bytes) : -1;
}

static const struct abi *document(void)
{
	return document_of(
		"struct A 8 { } struct AB 8 { } struct ABC 8 { } struct B::c_t 8 { } enum E { } const X 1 "
		"ioctl alloc/SAME 9 - ioctl Z 1 - ioctl SAME 2 - ioctl A 3 - ioctl uvm/U 1 -",
		&arena);
}

TEST(an_item_is_found_by_its_whole_name)
{
	static const struct {
		const char *fact;
		enum abi_kind kind;
		const char *family, *name;
		int index;
	} rows[] = {
		{ "the first record is found", ABI_RECORD, NULL, "A", 0 },
		{ "a record with a longer name is found", ABI_RECORD, NULL, "AB", 1 },
		{ "a record between others is found", ABI_RECORD, NULL, "ABC", 2 },
		{ "the last record is found", ABI_RECORD, NULL, "B::c_t", 3 },
		{ "no name finds nothing", ABI_RECORD, NULL, "", -1 },
		{ "the first letter finds nothing", ABI_RECORD, NULL, "B", -1 },
		{ "a longer name finds nothing", ABI_RECORD, NULL, "ABCD", -1 },
		{ "a part of a name finds nothing", ABI_RECORD, NULL, "B::c", -1 },
		{ "an alias is found", ABI_ALIAS, NULL, "NvU32", 5 },
		{ "a constant is found", ABI_CONSTANT, NULL, "X", 0 },
		{ "an ioctl is found in its family", ABI_IOCTL, "control", "SAME", 2 },
		{ "an ioctl is found in the last family", ABI_IOCTL, "uvm", "U", 4 },
		{ "an ioctl is not found in an earlier family", ABI_IOCTL, "control", "U", -1 },
		{ "an ioctl is not found in a later family", ABI_IOCTL, "uvm", "SAME", -1 },
		{ "an ioctl is not found in a family that is absent", ABI_IOCTL, "beta", "SAME", -1 },
		{ "an ioctl of any family is the first", ABI_IOCTL, NULL, "SAME", 0 },
	};
	const struct abi empty = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (index_of(document(), rows[i].kind, rows[i].family, rows[i].name) != rows[i].index)
			fail_msg("%s", rows[i].fact);
	for (int kind = 0; kind < ABI_KIND_COUNT; kind++)
		assert_int_equal(index_of(&empty, (enum abi_kind)kind, "alloc", "A"), -1);
	assert_int_equal(index_of(&empty, ABI_IOCTL, NULL, "A"), -1);
}

TEST(constants_are_found_by_the_start_of_their_names)
{
	assert_int_equal(abi_constants_from(document(), "X"), 0);
	assert_int_equal(abi_constants_from(document(), ""), 0);
	assert_int_equal(abi_constants_from(document(), "Y"), 1);
}

TEST(ioctls_of_a_family_are_found_by_number)
{
	const struct abi *abi = document();
	size_t count;

	assert_int_equal(abi->ioctl_count, 5);
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const char *family = abi->ioctls[i].family;

		assert_int_equal(abi_ioctls_from(abi, family, abi->ioctls[i].number), i);
		assert_ptr_equal(abi_ioctls_numbered(&count, abi, family, abi->ioctls[i].number),
				 &abi->ioctls[i]);
		assert_int_equal(count, 1);
	}
	assert_null(abi_ioctls_numbered(&count, abi, "uvm", UINT64_MAX));
	assert_int_equal(count, 0);
	assert_int_equal(abi_ioctls_from(abi, "uvm", UINT64_MAX), 5);
	assert_int_equal(abi_ioctls_from(abi, "", 0), 0);
}

TEST(every_role_is_read_as_it_is_written)
{
	enum abi_role role = ABI_ROLE_NONE;

	for (int i = ABI_ROLE_POINTER; i <= ABI_ROLE_LAST; i++) {
		assert_true(abi_role_parse(&role, abi_role_name((enum abi_role)i)));
		assert_int_equal(role, i);
	}
}

TEST(an_unknown_role_is_refused)
{
	enum abi_role role = ABI_ROLE_FD;

	assert_false(abi_role_parse(&role, "hanlde"));
	assert_false(abi_role_parse(&role, ""));
	assert_int_equal(role, ABI_ROLE_FD);
}

TEST(kinds_have_names)
{
	assert_string_equal(abi_kind_name(ABI_RECORD), "record");
	assert_string_equal(abi_kind_name(ABI_IOCTL), "ioctl");
}

TEST(numbers_that_a_double_would_change_are_hexadecimal)
{
	const struct {
		struct abi_number number;
		const char *text;
	} rows[] = {
		{ abi_number_unsigned(0), "0" },
		{ abi_number_signed(-12), "-12" },
		{ abi_number_unsigned(UINT64_C(1) << 53), "9007199254740992" },
		{ abi_number_signed(-(INT64_C(1) << 53)), "-9007199254740992" },
		{ abi_number_unsigned((UINT64_C(1) << 53) + 1), "0x20000000000001" },
		{ abi_number_unsigned(UINT64_MAX), "0xffffffffffffffff" },
		{ abi_number_signed(INT64_MIN), "-0x8000000000000000" },
	};
	char buffer[24];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(abi_number_text(rows[i].number, buffer), rows[i].text);
}

TEST(a_number_differs_from_its_negative_and_zero_has_no_sign)
{
	assert_true(abi_number_equal(abi_number_signed(0), abi_number_unsigned(0)));
	assert_false(abi_number_signed(0).negative);
	assert_false(abi_number_equal(abi_number_signed(-1), abi_number_signed(1)));
}

TEST(numbers_are_ordered_by_value)
{
	const struct abi_number ascending[] = {
		abi_number_signed(INT64_MIN), abi_number_signed(-2), abi_number_signed(-1),
		abi_number_signed(0),
		abi_number_unsigned(1), abi_number_unsigned(2), abi_number_unsigned(UINT64_C(1) << 32),
		abi_number_unsigned(UINT64_MAX),
	};
	const int count = sizeof(ascending) / sizeof(*ascending);

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
			assert_int_equal(abi_number_compare(ascending[i], ascending[j]), (i > j) - (i < j));
}

TEST(the_name_and_source_of_a_record_are_not_its_meaning)
{
	static const struct {
		const char *fact, *other; /* compared with R of the first row */
		bool is_same;
	} rows[] = {
		{ "equal fields at another place", "struct R 8 { NvU32 a@0; NvU32 b:3@32 fd }", true },
		{ "another name and source", "struct T@b.h:2:2 8 { NvU32 a@0; NvU32 b:3@32 fd }", true },
		{ "another size", "struct R 12 { NvU32 a@0; NvU32 b:3@32 fd }", false },
		{ "another alignment", "struct R 8/8 { NvU32 a@0; NvU32 b:3@32 fd }", false },
		{ "a union", "union R 8 { NvU32 a@0; NvU32 b:3@32 fd }", false },
		{ "fewer fields", "struct R 8 { NvU32 a@0 }", false },
		{ "another name of a field", "struct R 8 { NvU32 a@0; NvU32 c:3@32 fd }", false },
		{ "another type", "struct R 8 { NvU32 a@0; NvS32 b:3@32 fd }", false },
		{ "another offset", "struct R 8 { NvU32 a@0; NvU32 b:3@33 fd }", false },
		{ "another width", "struct R 8 { NvU32 a@0; NvU32 b:4@32 fd }", false },
		{ "a bit-field of the same bits", "struct R 8 { NvU32 a:32@0; NvU32 b:3@32 fd }", false },
		{ "another role", "struct R 8 { NvU32 a@0; NvU32 b:3@32 pid }", false },
	};
	const struct abi *one = document_of(rows[0].other, &arena);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (abi_same_item(ABI_RECORD, one->records, document_of(rows[i].other, &arena)->records) !=
		    rows[i].is_same)
			fail_msg("%s", rows[i].fact);
}

/* AMDKFD_IOC_CREATE_QUEUE: _IOWR('K', 0x02, struct kfd_ioctl_create_queue_args) of 96 bytes. */
#define CREATE_QUEUE UINT64_C(0xc0604b02)

TEST(a_number_has_a_direction_a_type_an_nr_and_a_size)
{
	static const struct {
		const char *fact;
		uint64_t number;
		unsigned nr, type, size, direction;
	} rows[] = {
		{ "each field has its bits", CREATE_QUEUE, 2, 'K', 96, ABI_IOC_READ | ABI_IOC_WRITE },
		{ "the largest size has 14 bits", 0x3fff0000, 0, 0, 16383, 0 },
		{ "no other field is in the size", 0xc000ffff, 255, 255, 0, ABI_IOC_READ | ABI_IOC_WRITE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (abi_ioc_get(rows[i].number, ABI_IOC_NR) != rows[i].nr ||
		    abi_ioc_get(rows[i].number, ABI_IOC_TYPE) != rows[i].type ||
		    abi_ioc_get(rows[i].number, ABI_IOC_SIZE) != rows[i].size ||
		    abi_ioc_get(rows[i].number, ABI_IOC_DIRECTION) != rows[i].direction)
			fail_msg("%s", rows[i].fact);
}

TEST(the_fields_are_all_of_32_bits)
{
	uint64_t bits = 0;

	for (int i = 0; i < ABI_IOC_FIELD_COUNT; i++) {
		assert_int_equal(bits & abi_ioc_mask((enum abi_ioc_field)i), 0);
		bits |= abi_ioc_mask((enum abi_ioc_field)i);
	}
	assert_int_equal(bits, UINT32_MAX);
}

TEST(a_direction_is_named_as_the_caller_sees_it)
{
	assert_string_equal(abi_ioc_direction_name(0), "none");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ), "read");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_WRITE), "write");
	assert_string_equal(abi_ioc_direction_name(ABI_IOC_READ | ABI_IOC_WRITE), "read-write");
}

TEST(size_and_direction_are_no_part_of_an_identity_by_nr)
{
	static const struct {
		struct abi_ioctl ioctl;
		uint64_t identity;
	} rows[] = {
		{ { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC_BY_NR }, 0x4b02 },
		{ { .number = CREATE_QUEUE, .encoding = ABI_NUMBER_IOC }, CREATE_QUEUE },
		{ { .number = 0x20800110, .encoding = ABI_NUMBER_PLAIN }, 0x20800110 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(abi_ioctl_identity(&rows[i].ioctl), rows[i].identity);
		assert_int_equal(abi_ioctl_is_plain(&rows[i].ioctl), i >= 2);
	}
}

TEST(a_macro_is_found_by_name_and_unit)
{
	static const struct macro items[] = {
		{ .name = "A", .unit = "rm" },
		{ .name = "A", .unit = "uvm", .evaluated = true, .value = { 1, false } },
		{ .name = "B", .unit = "rm" },
		{ .name = "C", .unit = "rm", .evaluated = true, .value = { 2, false } },
		{ .name = "C", .unit = "uvm", .evaluated = true, .value = { 3, false } },
	};
	static const struct {
		const char *fact, *name, *unit;
		const struct macro *found;
	} rows[] = {
		{ "the first unit that has a value counts", "A", NULL, &items[1] },
		{ "the first of two units that have a value counts", "C", NULL, &items[3] },
		{ "a macro without a value is found", "B", NULL, &items[2] },
		{ "a unit may be named that has no value", "A", "rm", &items[0] },
		{ "a unit may be named that is not the first", "C", "uvm", &items[4] },
		{ "a macro of another unit is not found", "B", "uvm", NULL },
		{ "no name finds nothing", "", NULL, NULL },
		{ "a longer name finds nothing", "AB", NULL, NULL },
		{ "a name after all others finds nothing", "D", NULL, NULL },
	};
	const struct macro_index macros = { items, sizeof(items) / sizeof(*items) }, none = { NULL, 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (macro_find(&macros, rows[i].name, rows[i].unit) != rows[i].found)
			fail_msg("%s", rows[i].fact);
	assert_null(macro_find(&none, "A", NULL));
}

TEST_GROUP(NULL, release_arena)
