/* Tests of what a document has: its items by name, its roles and numbers, and which records are the same. */
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

static void an_item_is_found_by_its_whole_name(void **state)
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

static void constants_are_found_by_the_start_of_their_names(void **state)
{
	assert_int_equal(abi_constants_from(document(), "X"), 0);
	assert_int_equal(abi_constants_from(document(), ""), 0);
	assert_int_equal(abi_constants_from(document(), "Y"), 1);
}

static void ioctls_of_a_family_are_found_by_number(void **state)
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

static void every_role_is_read_as_it_is_written(void **state)
{
	enum abi_role role = ABI_ROLE_NONE;
	struct err err;

	for (int i = ABI_ROLE_POINTER; i <= ABI_ROLE_LAST; i++) {
		assert_int_equal(abi_role_parse(&role, abi_role_name((enum abi_role)i), &err), 0);
		assert_int_equal(role, i);
	}
}

static void an_unknown_role_is_refused(void **state)
{
	enum abi_role role = ABI_ROLE_FD;
	struct err err = { "" };

	assert_int_equal(abi_role_parse(&role, "hanlde", &err), ERR_FORMAT);
	assert_int_equal(abi_role_parse(&role, "", NULL), ERR_FORMAT);
	assert_int_equal(role, ABI_ROLE_FD);
	assert_string_equal(err.text, "\"hanlde\" is not a role; the roles are pointer, fd, handle, pid, "
				      "status, size, count and kernel-pointer");
}

static void kinds_have_names(void **state)
{
	assert_string_equal(abi_kind_name(ABI_RECORD), "record");
	assert_string_equal(abi_kind_name(ABI_IOCTL), "ioctl");
}

static void numbers_that_a_double_would_change_are_hexadecimal(void **state)
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

static void a_number_differs_from_its_negative_and_zero_has_no_sign(void **state)
{
	assert_true(abi_number_equal(abi_number_signed(0), abi_number_unsigned(0)));
	assert_false(abi_number_signed(0).negative);
	assert_false(abi_number_equal(abi_number_signed(-1), abi_number_signed(1)));
}

static void the_name_and_source_of_a_record_are_not_its_meaning(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_item_is_found_by_its_whole_name),
		cmocka_unit_test(constants_are_found_by_the_start_of_their_names),
		cmocka_unit_test(ioctls_of_a_family_are_found_by_number),
		cmocka_unit_test(every_role_is_read_as_it_is_written),
		cmocka_unit_test(an_unknown_role_is_refused),
		cmocka_unit_test(kinds_have_names),
		cmocka_unit_test(numbers_that_a_double_would_change_are_hexadecimal),
		cmocka_unit_test(a_number_differs_from_its_negative_and_zero_has_no_sign),
		cmocka_unit_test(the_name_and_source_of_a_record_are_not_its_meaning),
	};

	return cmocka_run_group_tests_name("document", tests, NULL, release_arena);
}
