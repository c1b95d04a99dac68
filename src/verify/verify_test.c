/* Numbers, structs that nobody reads, the driver's own tables, capabilities. */
#include "verify/fixture_test.h"

/* The entry that most tests change a little. */
static struct table_entry entry_of(const char *name, uint64_t number, const char *constant)
{
	return (struct table_entry){
		.family = "control", .name = name, .number = number, .constant = constant
	};
}

static void verified(struct table_entry entry)
{
	assert_int_equal(verify_entry(arena_memdup(&arena, &entry, sizeof(entry))), 0);
}

static void the_number_of_the_macro_is_right(void **state)
{
	(void)state;
	put_constant("CMD", 7);
	put_ioctl("control", "CMD", 7, NULL);
	verified(entry_of("CMD", 7, "CMD"));
	expect_nothing();
	assert_int_equal(found.unseen_count, 0);
}

static void another_number_than_the_macros_is_found(void **state)
{
	(void)state;
	put_constant("CMD", 7);
	verified(entry_of("CMD", 8, "CMD"));
	assert_string_equal(expect_one(VERIFY_NUMBER, "")->message,
			    "CMD is 0x7 in the driver, 0x8 in the proxy");
}

static void a_macro_that_is_gone_is_found(void **state)
{
	(void)state;
	verified(entry_of("CMD", 8, "CMD"));
	expect_one(VERIFY_NUMBER, "");
}

static void the_number_of_another_command_is_found_as_such(void **state)
{
	(void)state;
	put_constant("CMD", 7);
	put_constant("OTHER", 8);
	put_ioctl("control", "OTHER", 8, NULL);
	verified(entry_of("CMD", 8, "CMD"));
	assert_int_equal(found.finding_count, 2);
	assert_string_equal(expect_among(VERIFY_REUSED_NUMBER, "")->message,
			    "0x8 is OTHER in this version, not CMD");
}

static void a_number_of_another_family_is_no_reuse(void **state)
{
	(void)state;
	put_constant("CMD", 8);
	put_ioctl("control", "CMD", 8, NULL);
	put_ioctl("alloc", "OTHER", 8, NULL);
	verified(entry_of("CMD", 8, "CMD"));
	expect_nothing();
	assert_int_equal(found.unseen_count, 0);
}

static const char *const families[] = { "alloc", "control", "frontend", "uvm" };
enum { FAMILIES = sizeof(families) / sizeof(*families) };

static const char *put_ioctl_of(const char *family, uint64_t number)
{
	const char *name = arena_printf(&arena, "%s_%u", family, (unsigned)number);

	put_constant(name, number);
	put_ioctl(family, name, number, NULL);
	return name;
}

/* The ioctl 1 of family @of, which every family has, or 2, which no other has, as an entry of family @in. */
static void verify_in_family(size_t in, size_t of, uint64_t number, bool has_macro)
{
	struct table_entry entry = { .family = families[in], .number = number };

	for (size_t i = 0; i < FAMILIES; i++)
		put_ioctl_of(families[i], 1);
	entry.name = put_ioctl_of(families[of], number);
	entry.constant = has_macro ? entry.name : NULL;
	verified(entry);
	assert_int_equal(found.unseen_count, 0);
	if (in == of)
		expect_nothing();
	else
		expect_one(number == 1 ? VERIFY_REUSED_NUMBER : VERIFY_NUMBER, "");
}

static void an_ioctl_of_any_family_is_found_in_any_other(void **state)
{
	for (size_t i = 0; i < FAMILIES * FAMILIES * 4; i++) {
		end_test(state);
		begin_test(state);
		verify_in_family(i / 4 % FAMILIES, i / 4 / FAMILIES, 1 + i % 2, i / 2 % 2);
	}
}

static void the_family_that_has_the_ioctl_is_named(void **state)
{
	(void)state;
	put_constant("UVM_FREE", 34);
	put_constant("NV01_CONTEXT_DMA", 34);
	put_ioctl("uvm", "UVM_FREE", 34, NULL);
	put_ioctl("control", "NV01_CONTEXT_DMA", 34, NULL);
	verified(entry_of("UVM_FREE", 34, "UVM_FREE"));
	assert_string_equal(expect_one(VERIFY_REUSED_NUMBER, "")->message,
			    "0x22 is NV01_CONTEXT_DMA in this family; UVM_FREE is of the family uvm");
}

static void a_macro_that_no_table_of_the_driver_uses_is_unseen(void **state)
{
	(void)state;
	put_constant("CMD", 7);
	verified(entry_of("CMD", 7, "CMD"));
	assert_string_equal(expect_unseen(VERIFY_NUMBER, "")->message,
			    "no table of the driver has the number 0x7, so nothing but the macro confirms it");
}

static void a_macro_beside_the_ioctl_of_its_number_is_unseen(void **state)
{
	(void)state;
	put_constant("CMD", 7);
	put_constant("OTHER", 7);
	put_ioctl("control", "OTHER", 7, NULL);
	verified(entry_of("CMD", 7, "CMD"));
	assert_string_equal(expect_unseen(VERIFY_NUMBER, "")->message,
			    "0x7 is OTHER in this family, and nothing confirms that CMD is another name of it");
}

static void a_method_without_a_macro_is_found_by_its_name(void **state)
{
	(void)state;
	put_ioctl("control", "subdeviceCtrlCmdGpuReleaseMode", 8, NULL);
	verified(entry_of("NV2080_CTRL_CMD_GPU_RELEASE_MODE", 8, NULL));
	expect_nothing();
	assert_int_equal(found.unseen_count, 0);
}

static void a_method_with_another_number_is_found(void **state)
{
	(void)state;
	put_ioctl("control", "subdeviceCtrlCmdGpuReleaseMode", 8, NULL);
	verified(entry_of("NV2080_CTRL_CMD_GPU_RELEASE_MODE", 9, NULL));
	expect_one(VERIFY_NUMBER, "");
}

static void another_method_has_the_number(void **state)
{
	(void)state;
	put_ioctl("control", "subdeviceCtrlCmdGpuAcquireMode", 9, NULL);
	verified(entry_of("NV2080_CTRL_CMD_GPU_RELEASE_MODE", 9, NULL));
	expect_one(VERIFY_REUSED_NUMBER, "");
}

static void an_entry_that_nothing_confirms_is_unseen(void **state)
{
	(void)state;
	verified(entry_of("UNKNOWN_80028B", 0x80028b, NULL));
	expect_nothing();
	assert_int_equal(found.unseen_count, 1);
	assert_string_equal(found.unseen[0].entry, "UNKNOWN_80028B");
}

static void a_record_that_is_gone_is_missing(void **state)
{
	(void)state;
	compare("GONE", NULL);
	expect_among(VERIFY_MISSING_RECORD, "");
}

static void what_has_no_pointer_is_simple(void **state)
{
	(void)state;
	RECORD("R", 8, U32("a", 0), HANDLE("h", 4));
	compare("R", NULL);
	expect_nothing();
}

static void a_pointer_is_not_simple(void **state)
{
	(void)state;
	RECORD("R", 8, POINTER("p", 0));
	compare("R", NULL);
	assert_string_equal(expect_one(VERIFY_NOT_SIMPLE, "p")->message,
			    "R is passed through unread, but p (NvP64 at 0) is a pointer");
}

static void an_array_of_pointers_is_not_simple(void **state)
{
	(void)state;
	RECORD("R", 16, ROLE("p", "NvP64[2]", 0, 16, ABI_ROLE_POINTER));
	compare("R", NULL);
	expect_one(VERIFY_NOT_SIMPLE, "p");
}

static void a_pointer_in_a_union_is_not_simple(void **state)
{
	(void)state;
	UNION("U", 8, U64("n", 0), POINTER("p", 0));
	RECORD("R", 8, F("u", "U", 0, 8));
	compare("R", NULL);
	expect_one(VERIFY_NOT_SIMPLE, "u.p");
}

static void a_descriptor_in_an_array_of_records_is_not_simple(void **state)
{
	(void)state;
	RECORD("E", 8, U32("a", 0), ROLE("fd", "NvS32", 4, 4, ABI_ROLE_FD));
	RECORD("R", 32, F("e", "E[2][2]", 0, 32));
	compare("R", NULL);
	expect_one(VERIFY_NOT_SIMPLE, "e[][].fd");
}

static void an_address_of_the_kernel_is_a_finding_of_its_own(void **state)
{
	(void)state;
	RECORD("R", 16, U64("a", 0), KERNEL_POINTER("k", "NvU64", 8));
	compare("R", NULL);
	assert_string_equal(expect_one(VERIFY_KERNEL_POINTER, "k")->message,
			    "R is forwarded, and k (NvU64 at 8) is for a kernel address");
}

static void an_address_of_the_kernel_needs_no_handler_whatever_its_type(void **state)
{
	(void)state;
	RECORD("R", 8, KERNEL_POINTER("k", "NvP64", 0));
	compare("R", NULL);
	expect_one(VERIFY_KERNEL_POINTER, "k");
}

static void an_address_of_the_kernel_is_found_in_an_array_of_unions(void **state)
{
	(void)state;
	UNION("U", 8, U64("n", 0), KERNEL_POINTER("k", "NvU64", 0));
	RECORD("R", 16, F("u", "U[2]", 0, 16));
	compare("R", NULL);
	expect_one(VERIFY_KERNEL_POINTER, "u[].k");
}

static void a_record_that_is_read_may_hold_an_address_of_the_kernel_too(void **state)
{
	(void)state;
	RECORD("R", 8, KERNEL_POINTER("k", "NvU64", 0));
	TYPE("T", 8, P("K", "uint64", 0));
	compare("R", "T");
	expect_one(VERIFY_KERNEL_POINTER, "k");
}

static void only_addresses_of_the_kernel_and_unavailable_versions_warn(void **state)
{
	(void)state;
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		assert_int_equal(verify_rule_warns((enum verify_rule)rule),
				 rule == VERIFY_KERNEL_POINTER || rule == VERIFY_LACKING);
}

static void a_name_that_ends_in_fd_is_a_descriptor_whatever_its_type(void **state)
{
	(void)state;
	RECORD("R", 8, U64("notifyFD", 0));
	compare("R", NULL);
	expect_one(VERIFY_NOT_SIMPLE, "notifyFD");
}

static void a_typedef_is_compared_by_size(void **state)
{
	(void)state;
	TYPE("Box", 4, P("V", "Handle", 0));
	compare("NvHandle", "Box");
	expect_nothing();
}

static void a_typedef_of_another_size_is_found(void **state)
{
	(void)state;
	compare("NvHandle", "P64");
	expect_among(VERIFY_SIZE, "");
}

static void a_typedef_that_nobody_reads_is_not_simple(void **state)
{
	(void)state;
	compare("NvHandle", NULL);
	expect_one(VERIFY_NOT_SIMPLE, "");
}

/* An entry whose struct is @record, of a command that the driver's table gives @params. */
static void with_params(const char *params, const char *record)
{
	const struct table_struct one = { record, NULL };
	struct table_entry entry = entry_of("CMD", 1, "CMD");

	put_constant("CMD", 1);
	put_ioctl("control", "CMD", 1, params);
	if (record) {
		entry.structs = arena_memdup(&arena, &one, sizeof(one));
		entry.struct_count = 1;
	}
	verified(entry);
}

static void another_record_than_in_the_drivers_table_is_found(void **state)
{
	(void)state;
	RECORD("R", 4, U32("a", 0));
	RECORD("S", 8, U32("a", 0), U32("b", 4));
	with_params("S", "R");
	assert_string_equal(expect_one(VERIFY_SURFACE, "")->message,
			    "the driver's table says that it takes S (8 bytes), the proxy R (4 bytes)");
}

static void a_tag_and_its_typedef_are_one_record(void **state)
{
	(void)state;
	RECORD("R", 4, U32("a", 0));
	TYPEDEF("R_t", "R", 4, U32("a", 0));
	with_params("R", "R_t");
	expect_nothing();
}

static void a_struct_where_the_driver_takes_none_is_found(void **state)
{
	(void)state;
	RECORD("R", 4, U32("a", 0));
	with_params(NULL, "R");
	expect_one(VERIFY_SURFACE, "");
}

static void no_struct_where_the_driver_takes_one_is_found(void **state)
{
	(void)state;
	RECORD("R", 4, U32("a", 0));
	with_params("R", NULL);
	expect_one(VERIFY_SURFACE, "");
}

static void a_frontend_ioctl_without_a_struct_is_unseen(void **state)
{
	struct table_entry entry = entry_of("ESC", 1, "ESC");

	(void)state;
	entry.family = "frontend";
	RECORD("R", 4, U32("a", 0));
	put_constant("ESC", 1);
	put_ioctl("frontend", "ESC", 1, "R");
	verified(entry);
	expect_nothing();
	assert_int_equal(found.unseen_count, 1);
}

static void custom_names_the_record_where_no_table_does(void **state)
{
	const struct table_struct one = { "R", NULL };
	struct table_entry entry = entry_of("NV1_CTRL_CMD_X", 1, "NV1_CTRL_CMD_X");

	(void)state;
	RECORD("R", 4, U32("a", 0));
	RECORD("NV1_CTRL_X_PARAMS", 8, U32("a", 0));
	put_constant("NV1_CTRL_CMD_X", 1);
	entry.structs = &one;
	entry.struct_count = 1;
	verified(entry);
	expect_one(VERIFY_SURFACE, "");
}

static void one_of_several_structs_is_the_drivers(void **state)
{
	const struct table_struct two[] = { { "R", NULL }, { "S", NULL } };
	struct table_entry entry = entry_of("CMD", 1, "CMD");

	(void)state;
	RECORD("R", 4, U32("a", 0));
	RECORD("S", 8, U32("a", 0));
	put_constant("CMD", 1);
	put_ioctl("control", "CMD", 1, "S");
	entry.structs = two;
	entry.struct_count = 2;
	verified(entry);
	expect_nothing();
}

static void an_unknown_capability_is_found(void **state)
{
	static const char *const caps[] = { "compute", "rdma", "video2" };
	struct table_entry entry = entry_of("CMD", 1, "CMD");

	(void)state;
	put_constant("CMD", 1);
	entry.caps = caps;
	entry.cap_count = 3;
	verified(entry);
	assert_string_equal(expect_one(VERIFY_CAPS, "")->message, "'video2' is not a driver capability");
}

static void a_document_without_roles_is_refused(void **state)
{
	const struct abi head = { .driver = "d", .version = "1", .commit = "", .target = "x86_64-linux-gnu" };
	struct table_view view = { .table = &table };

	(void)state;
	RECORD("R", 8, U64("p", 0));
	abi_builder_seal(&sealed_driver, driver, &head);
	assert_int_equal(verify_view(&found, &sealed_driver, &view, &arena, &err), ERR_FORMAT);
}

/* An entry that is read as @proxy (NULL: unread) and whose handler is this. */
static void handled(const char *proxy, struct table_handler handler)
{
	const struct table_struct one = { "R", proxy };
	struct table_entry entry = entry_of("CMD", 7, "CMD");

	RECORD("R", 4, U32("a", 0));
	TYPE("T", 4, P("A", "uint32", 0));
	TYPE("T_V2", 4, P("A", "uint32", 0));
	put_constant("CMD", 7);
	put_ioctl("control", "CMD", 7, "R");
	entry.structs = arena_memdup(&arena, &one, sizeof(one));
	entry.struct_count = 1;
	entry.handler = handler;
	verified(entry);
}

static void a_handler_of_another_type_is_found(void **state)
{
	(void)state;
	handled("T_V2", (struct table_handler){ .kind = "simple", .type = "T", .type_known = true });
	assert_string_equal(expect_one(VERIFY_HANDLER, "")->message,
			    "the handler simple unmarshals T, the table says T_V2");
}

static void a_handler_that_reads_what_the_table_calls_unread_is_found(void **state)
{
	(void)state;
	handled(NULL, (struct table_handler){ .kind = "simple", .type = "T", .type_known = true });
	assert_string_equal(expect_one(VERIFY_HANDLER, "")->message,
			    "the handler simple unmarshals T, the table says that nothing is read");
}

static void a_handler_of_a_type_that_the_table_lacks_is_found(void **state)
{
	(void)state;
	handled("T", (struct table_handler){ .kind = "simple", .type = "OLD", .type_known = true });
	expect_one(VERIFY_HANDLER, "");
}

static void a_handler_of_the_same_type_fits(void **state)
{
	(void)state;
	handled("T", (struct table_handler){ .kind = "simple", .type = "T", .type_known = true });
	expect_nothing();
}

static void a_handler_that_unmarshals_nothing_fits(void **state)
{
	(void)state;
	handled("T", (struct table_handler){ .kind = "bytes", .type = NULL, .type_known = true });
	expect_nothing();
}

/* A record with a descriptor in an array of structs, and the fields that its handler names. */
static void naming(const char *const *fields, size_t count)
{
	const struct table_struct one = { "R", "T" };
	struct table_entry entry = entry_of("CMD", 7, "CMD");

	RECORD("OP", 8, F("value", "NvU32", 0, 4), ROLE("fd", "NvS32", 4, 4, ABI_ROLE_FD));
	RECORD("R", 24, F("ops", "OP[2]", 0, 16), POINTER("list", 16));
	TYPE("Op", 8, P("Value", "uint32", 0), P("FD", "int32", 4));
	TYPE("T", 24, P("Ops", "Op[2]", 0), P("List", "P64", 16));
	put_constant("CMD", 7);
	put_ioctl("control", "CMD", 7, "R");
	entry.structs = arena_memdup(&arena, &one, sizeof(one));
	entry.struct_count = 1;
	entry.handler = (struct table_handler){
		.kind = "copy", .type = "T", .type_known = true, .fields = { fields, count }, .fields_known = true
	};
	verified(entry);
}

#define NAMING(...) naming((const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void a_fault_of_the_code_is_found(void **state)
{
	static const char *const faults[] = { "copies the parameters in more than once (CopyIn, CopyIn)" };

	(void)state;
	handled("T", (struct table_handler){
			     .kind = "twice", .type = "T", .type_known = true, .faults = { faults, 1 } });
	assert_string_equal(expect_one(VERIFY_CODE, "")->message,
			    "twice copies the parameters in more than once (CopyIn, CopyIn)");
}

static void what_the_code_does_not_name_is_passed_on_as_it_came(void **state)
{
	(void)state;
	naming(NULL, 0);
	assert_int_equal(found.finding_count, 2);
	assert_string_equal(expect_among(VERIFY_AS_IS, "list")->message,
			    "list (NvP64 at 16) is a pointer, and copy passes it on unchanged");
	expect_among(VERIFY_AS_IS, "ops[].fd");
}

static void what_the_code_names_may_be_translated(void **state)
{
	(void)state;
	NAMING("List", "Ops.FD");
	expect_nothing();
}

static void all_of_a_struct_may_be_translated_by_what_takes_it(void **state)
{
	(void)state;
	NAMING("List", "Ops");
	expect_nothing();
}

static void another_field_of_a_like_name_is_another_field(void **state)
{
	(void)state;
	NAMING("Lis", "List2", "Ops.Value", "FD", "Ops.FD.X");
	expect_among(VERIFY_AS_IS, "list");
	expect_among(VERIFY_AS_IS, "ops[].fd");
}

static void a_handler_of_an_unknown_type_fits(void **state)
{
	(void)state;
	handled("T", (struct table_handler){ .kind = "either", .type = NULL, .type_known = false });
	expect_nothing();
}

static void without_a_list_every_rule_that_does_more_than_warn_fails(void **state)
{
	bool fails[VERIFY_RULE_COUNT];

	(void)state;
	assert_int_equal(verify_rules_parse(fails, NULL, &err), 0);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		assert_int_equal(fails[rule], !verify_rule_warns((enum verify_rule)rule));
}

static void only_the_rules_of_a_list_fail(void **state)
{
	bool fails[VERIFY_RULE_COUNT];

	(void)state;
	assert_int_equal(verify_rules_parse(fails, "size,unavailable", &err), 0);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		assert_int_equal(fails[rule], rule == VERIFY_SIZE || rule == VERIFY_LACKING);
	assert_int_equal(verify_rules_parse(fails, "size,girth", &err), ERR_FORMAT);
}

static void a_family_without_ioctls_of_the_driver_is_unknown(void **state)
{
	const struct verify_result *const results[] = { &found };

	(void)state;
	put_ioctl("frontend", "NV_ESC_X", 1, NULL);
	verified((struct table_entry){ .family = "control", .name = "CMD", .number = 1 });
	assert_string_equal(verify_unknown_family(results, 1), "control");
	assert_null(verify_unknown_family(results, 0));
}

static void a_family_with_ioctls_of_the_driver_is_known(void **state)
{
	const struct verify_result *const results[] = { &found };

	(void)state;
	put_ioctl("control", "OTHER", 2, NULL);
	verified((struct table_entry){ .family = "control", .name = "CMD", .number = 1 });
	assert_null(verify_unknown_family(results, 1));
}

static void a_document_that_does_not_hold_together_is_refused(void **state)
{
	const struct table_struct one = { "R", "T" };
	struct table_entry entry = entry_of("CMD", 1, "CMD");

	(void)state;
	RECORD("R", 8, F("r", "R", 0, 8));
	TYPE("T", 8, P("A", "uint64", 0));
	entry.structs = &one;
	entry.struct_count = 1;
	assert_int_equal(verify_entry(&entry), ERR_LIMIT);
	assert_non_null(strstr(err.text, "control CMD: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_number_of_the_macro_is_right),
		TEST(another_number_than_the_macros_is_found),
		TEST(a_macro_that_is_gone_is_found),
		TEST(the_number_of_another_command_is_found_as_such),
		TEST(a_number_of_another_family_is_no_reuse),
		TEST(an_ioctl_of_any_family_is_found_in_any_other),
		TEST(the_family_that_has_the_ioctl_is_named),
		TEST(a_macro_that_no_table_of_the_driver_uses_is_unseen),
		TEST(a_macro_beside_the_ioctl_of_its_number_is_unseen),
		TEST(a_method_without_a_macro_is_found_by_its_name),
		TEST(a_method_with_another_number_is_found),
		TEST(another_method_has_the_number),
		TEST(an_entry_that_nothing_confirms_is_unseen),
		TEST(a_record_that_is_gone_is_missing),
		TEST(what_has_no_pointer_is_simple),
		TEST(a_pointer_is_not_simple),
		TEST(an_array_of_pointers_is_not_simple),
		TEST(a_pointer_in_a_union_is_not_simple),
		TEST(a_descriptor_in_an_array_of_records_is_not_simple),
		TEST(an_address_of_the_kernel_is_a_finding_of_its_own),
		TEST(an_address_of_the_kernel_needs_no_handler_whatever_its_type),
		TEST(an_address_of_the_kernel_is_found_in_an_array_of_unions),
		TEST(a_record_that_is_read_may_hold_an_address_of_the_kernel_too),
		TEST(only_addresses_of_the_kernel_and_unavailable_versions_warn),
		TEST(a_name_that_ends_in_fd_is_a_descriptor_whatever_its_type),
		TEST(a_typedef_is_compared_by_size),
		TEST(a_typedef_of_another_size_is_found),
		TEST(a_typedef_that_nobody_reads_is_not_simple),
		TEST(another_record_than_in_the_drivers_table_is_found),
		TEST(a_tag_and_its_typedef_are_one_record),
		TEST(a_struct_where_the_driver_takes_none_is_found),
		TEST(no_struct_where_the_driver_takes_one_is_found),
		TEST(a_frontend_ioctl_without_a_struct_is_unseen),
		TEST(custom_names_the_record_where_no_table_does),
		TEST(one_of_several_structs_is_the_drivers),
		TEST(an_unknown_capability_is_found),
		TEST(a_document_without_roles_is_refused),
		TEST(a_fault_of_the_code_is_found),
		TEST(what_the_code_does_not_name_is_passed_on_as_it_came),
		TEST(what_the_code_names_may_be_translated),
		TEST(all_of_a_struct_may_be_translated_by_what_takes_it),
		TEST(another_field_of_a_like_name_is_another_field),
		TEST(a_handler_of_another_type_is_found),
		TEST(a_handler_that_reads_what_the_table_calls_unread_is_found),
		TEST(a_handler_of_a_type_that_the_table_lacks_is_found),
		TEST(a_handler_of_the_same_type_fits),
		TEST(a_handler_that_unmarshals_nothing_fits),
		TEST(a_handler_of_an_unknown_type_fits),
		TEST(without_a_list_every_rule_that_does_more_than_warn_fails),
		TEST(only_the_rules_of_a_list_fail),
		TEST(a_family_without_ioctls_of_the_driver_is_unknown),
		TEST(a_family_with_ioctls_of_the_driver_is_known),
		TEST(a_document_that_does_not_hold_together_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
