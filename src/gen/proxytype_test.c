/* Tests the proxy's types for a driver's records. */
#include "gen/proxytype_fixture_test.h"

static void scalars_have_their_width_and_sign(void **state)
{
	(void)state;
	RECORD(next, "T", 24, F("a", "NvU8", 0, 1), F("b", "NvU16", 2, 2), F("c", "NvS32", 4, 4),
	       F("d", "NvU64", 8, 8), F("e", "NvBool[8]", 16, 8));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "A", "uint8", 0);
	assert_field(2, "B", "uint16", 2);
	assert_field(3, "C", "int32", 4);
	assert_field(4, "D", "uint64", 8);
	assert_field(5, "E", "uint8[8]", 16);
	assert_true(got->is_new);
}

static void a_gap_is_a_field_and_so_is_the_tail(void **state)
{
	(void)state;
	RECORD(next, "T", 24, F("a", "NvU8", 0, 1), F("b", "NvU64", 8, 8), F("c", "NvU32", 16, 4));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_int_equal(got->type->field_count, 5);
	assert_field(1, "Pad0", "uint8[7]", 1);
	assert_field(4, "Pad1", "uint8[4]", 20);
	assert_int_equal(got->fields[4].kind, PROXYTYPE_PADDING);
}

static void padding_does_not_take_the_name_of_a_field(void **state)
{
	(void)state;
	RECORD(next, "T", 16, F("pad0", "NvU32", 0, 4), F("b", "NvU64", 8, 8));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "Pad0", "uint32", 0);
	assert_field(1, "Pad1", "uint8[4]", 4);
}

static void handles_pointers_and_ids_have_types_of_their_own(void **state)
{
	size_t count;

	(void)state;
	RECORD(next, "NvProcessorUuid", 16, F("uuid", "NvU8[16]", 0, 16));
	RECORD(next, "T", 40, F("h", "NvHandle[2]", 0, 8), F("p", "NvP64", 8, 8),
	       F("u", "NvProcessorUuid", 16, 16), F("q", "NvP64", 32, 8));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "H", "Handle[2]", 0);
	assert_field(1, "P", "P64", 8);
	assert_field(2, "U", "NvUUID", 16);
	assert_string_equal(proxytype_new_types(&count, set)[0]->type->name, "Handle");
	assert_int_equal(count, 4);
}

static void a_union_is_bytes(void **state)
{
	(void)state;
	UNION(next, "T::u_t", 16, F("a", "NvU64", 0, 8), F("b", "NvU8[16]", 0, 16));
	RECORD(next, "T", 24, F("kind", "NvU32", 0, 4), F("u", "T::u_t", 8, 16));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(2, "U", "uint8[16]", 8);
	assert_string_equal(got->fields[2].remark, "union");
}

static void an_unnamed_struct_is_dissolved(void **state)
{
	(void)state;
	RECORD(next, "T::_t", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 16, F("k", "NvU64", 0, 8), F("", "T::_t", 8, 8));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(1, "A", "uint32", 8);
	assert_field(2, "B", "uint32", 12);
}

static void bit_fields_are_the_bytes_that_they_share(void **state)
{
	(void)state;
	RECORD(next, "T", 8, BITS("lo", "NvU32", 0, 3), BITS("hi", "NvU32", 3, 13), F("n", "NvU32", 4, 4));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "Bits0", "uint16", 0);
	assert_string_equal(got->fields[0].remark, "bit-fields lo:3, hi:13");
	assert_field(1, "Pad0", "uint8[2]", 2);
	assert_field(2, "N", "uint32", 4);
}

static void what_go_would_align_elsewhere_is_bytes(void **state)
{
	(void)state;
	RECORD(next, "T", 12, F("a", "NvU32", 0, 4), F("b", "NvU64", 4, 8));
	RECORD(next, "S", 5, F("a", "NvU32", 0, 4), F("b", "NvU8", 4, 1));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "A", "uint32", 0);
	assert_field(1, "B", "uint8[8]", 4);
	assert_string_equal(got->fields[1].remark, "packed: NvU64");
	assert_int_equal(declare("S", NULL), 0);
	assert_field(0, "A", "uint8[4]", 0);
}

static void a_flexible_array_is_no_field(void **state)
{
	(void)state;
	RECORD(next, "T", 4, F("n", "NvU32", 0, 4), F("data", "NvU32[]", 4, 0));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_int_equal(got->type->field_count, 1);
	assert_string_equal(got->beyond, "NvU32[] data");
}

static void a_record_inside_comes_first(void **state)
{
	size_t count;

	(void)state;
	RECORD(next, "In", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 32, F("in", "In[2][2]", 0, 32));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "In", "In[2][2]", 0);
	assert_string_equal(proxytype_new_types(&count, set)[0]->type->name, "In");
	assert_string_equal(proxytype_new_types(&count, set)[1]->type->name, "T");
}

static void a_typedef_of_a_handle_is_the_handle(void **state)
{
	(void)state;
	seal();
	assert_int_equal(declare("NvHandle", NULL), 0);
	assert_string_equal(got->type->name, "Handle");
}

static void what_the_parent_has_is_called_and_typed_as_there(void **state)
{
	(void)state;
	RECORD(base, "T", 8, F("biosList", "NvU32", 0, 4), F("old", "NvU32", 4, 4));
	RECORD(next, "T", 16, F("fresh", "NvU64", 0, 8), F("biosList", "NvU32", 8, 4),
	       F("gpuId", "NvU32", 12, 4));
	TYPE("Kind", 4, { "V", "uint32", 0 });
	TYPE("T", 8, { "InfoList", "Kind", 0 }, { "Old", "uint32", 4 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_string_equal(got->type->name, "T_V590");
	assert_string_equal(got->updates, "T");
	assert_field(1, "InfoList", "Kind", 8);
	assert_field(2, "GPUID", "uint32", 12);
}

static void a_table_by_hand_gives_no_names_that_go_cannot_have(void **state)
{
	(void)state;
	RECORD(base, "T", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 16, F("fresh", "NvU64", 0, 8), F("a", "NvU32", 8, 4), F("b", "NvU32", 12, 4));
	TYPE("K; x", 4, { "V", "uint32", 0 });
	TYPE("T", 8, { "A int\n}", "uint32", 0 }, { "B", "K; x", 4 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_field(1, "A", "uint32", 8);
	assert_field(2, "B", "uint32", 12);
}

static void the_parent_is_the_answer_if_nothing_moved(void **state)
{
	(void)state;
	RECORD(base, "T", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 8, F("a", "NvU32", 0, 4), F("renamed", "NvU32", 4, 4));
	TYPE("T", 8, { "First", "uint32", 0 }, { "Second", "uint32", 4 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_ptr_equal(got->type, &types[0]);
	assert_false(got->is_new);
}

static void another_sign_is_another_type(void **state)
{
	(void)state;
	RECORD(base, "T", 4, F("a", "NvU32", 0, 4));
	RECORD(next, "T", 4, F("a", "NvS32", 0, 4));
	TYPE("T", 4, { "A", "uint32", 0 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_string_equal(got->type->name, "T_V590");
	assert_field(0, "A", "int32", 0);
}

static void a_type_that_grew_embeds_its_parent(void **state)
{
	(void)state;
	RECORD(base, "T", 16, F("a", "NvU64", 0, 8), F("b", "NvU32", 8, 4));
	RECORD(next, "T", 24, F("a", "NvU64", 0, 8), F("b", "NvU32", 8, 4), F("c", "NvU32", 16, 4));
	TYPE("T", 16, { "A", "uint64", 0 }, { "B", "uint32", 8 }, { "Pad0", "uint8[4]", 12 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_field(0, "T", "T", 0);
	assert_int_equal(got->fields[0].kind, PROXYTYPE_EMBEDDED);
	assert_field(1, "C", "uint32", 16);
	assert_field(2, "Pad1", "uint8[4]", 20);
}

static void a_scalar_of_an_embedded_type_is_not_that_type(void **state)
{
	(void)state;
	RECORD(base, "T", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 12, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4), F("c", "NvU32", 8, 4));
	TYPE("T", 4, { "A", "uint32", 0 });
	TYPE("T_V100", 8, { "T", "T", 0 }, { "B", "uint32", 4 });
	seal();
	assert_int_equal(declare("T", "T_V100"), 0);
	assert_field(0, "T_V100", "T_V100", 0);
	assert_field(1, "C", "uint32", 8);
}

static void a_field_in_the_parents_padding_forbids_embedding(void **state)
{
	(void)state;
	RECORD(base, "T", 16, F("a", "NvU64", 0, 8), F("b", "NvU32", 8, 4));
	RECORD(next, "T", 24, F("a", "NvU64", 0, 8), F("b", "NvU32", 8, 4), F("c", "NvU32", 12, 4),
	       F("d", "NvU64", 16, 8));
	TYPE("T", 16, { "A", "uint64", 0 }, { "B", "uint32", 8 }, { "Pad0", "uint8[4]", 12 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_field(0, "A", "uint64", 0);
	assert_int_equal(got->fields[0].kind, PROXYTYPE_FIELD);
}

static void a_record_inside_that_the_table_has_is_used_again(void **state)
{
	size_t count;

	(void)state;
	RECORD(next, "In", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 8, F("in", "In", 0, 8));
	TYPE("In", 8, { "X", "uint32", 0 }, { "Y", "uint32", 4 });
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "In", "In", 0);
	proxytype_new_types(&count, set);
	assert_int_equal(count, 1);
}

static void a_record_inside_that_changed_has_a_version_too(void **state)
{
	(void)state;
	RECORD(base, "In", 4, F("a", "NvU32", 0, 4));
	RECORD(base, "T", 4, F("in", "In", 0, 4));
	RECORD(next, "In", 8, F("a", "NvU32", 0, 4), F("b", "NvU32", 4, 4));
	RECORD(next, "T", 8, F("in", "In", 0, 8));
	TYPE("In", 4, { "A", "uint32", 0 });
	TYPE("T", 4, { "In", "In", 0 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_string_equal(got->type->name, "T_V590");
	assert_field(0, "In", "In_V590", 0);
}

static void a_name_that_is_taken_twice_has_the_whole_version(void **state)
{
	(void)state;
	RECORD(base, "T", 4, F("a", "NvU32", 0, 4));
	RECORD(next, "T", 16, F("b", "NvU64", 0, 8), F("a", "NvU32", 8, 4));
	TYPE("T", 4, { "A", "uint32", 0 });
	TYPE("T_V590", 4, { "A", "int32", 0 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_string_equal(got->type->name, "T_V590_44_01");
}

static void one_layout_is_declared_once(void **state)
{
	const struct proxytype *first;
	size_t count;

	(void)state;
	RECORD(next, "T", 4, F("a", "NvU32", 0, 4));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	first = got;
	assert_int_equal(declare("T", NULL), 0);
	assert_ptr_equal(got, first);
	proxytype_new_types(&count, set);
	assert_int_equal(count, 1);
}

static void status_and_fd_are_found_by_role(void **state)
{
	(void)state;
	RECORD(next, "In", 4, ROLE("status", "NvU32", 0, 4, ABI_ROLE_STATUS));
	RECORD(next, "T", 16, F("params", "In", 0, 4), ROLE("rmCtrlFd", "NvS32", 4, 4, ABI_ROLE_FD),
	       ROLE("pOsEvent", "NvP64", 8, 8, ABI_ROLE_FD));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_string_equal(got->status.path, "Params.Status");
	assert_string_equal(got->fd.path, "RMCtrlFD");
	assert_string_equal(got->fd.type, "int32");
	assert_string_equal(got->os_event.path, "POsEvent");
}

static void of_two_fds_neither_is_the_one(void **state)
{
	(void)state;
	RECORD(next, "T", 8, ROLE("a", "NvS32", 0, 4, ABI_ROLE_FD), ROLE("b", "NvS32", 4, 4, ABI_ROLE_FD));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_null(got->fd.path);
}

static void what_is_embedded_is_promoted(void **state)
{
	(void)state;
	RECORD(base, "T", 4, ROLE("status", "NvU32", 0, 4, ABI_ROLE_STATUS));
	RECORD(next, "T", 8, ROLE("status", "NvU32", 0, 4, ABI_ROLE_STATUS), F("more", "NvU32", 4, 4));
	TYPE("T", 4, { "Status", "uint32", 0 });
	seal();
	assert_int_equal(declare("T", "T"), 0);
	assert_true(got->status.is_promoted);
}

static void a_record_that_contains_itself_is_refused(void **state)
{
	(void)state;
	RECORD(next, "T", 8, F("t", "T", 0, 8));
	seal();
	assert_int_equal(declare("T", NULL), ERR_LIMIT);
	assert_non_null(strstr(err.text, "contains itself"));
}

static void records_that_double_on_every_level_are_refused(void **state)
{
	static char name[40][8];

	(void)state;
	RECORD(next, "R0", 2, F("a", "NvU8", 0, 1), F("b", "NvU8", 1, 1));
	for (unsigned i = 1; i < 40; i++) {
		const char *inner = i > 1 ? name[i - 1] : "R0";

		snprintf(name[i], sizeof(name[i]), "R%u", i);
		RECORD(next, name[i], (uint64_t)2 << i, F("a", inner, 0, (uint64_t)1 << i),
		       F("b", inner, (uint64_t)1 << i, (uint64_t)1 << i));
	}
	seal();
	assert_int_equal(declare("R39", NULL), ERR_LIMIT);
	assert_non_null(strstr(err.text, "more than 16384 members"));
}

static void members_that_overlap_are_refused(void **state)
{
	(void)state;
	RECORD(next, "T", 8, F("a", "NvU64", 0, 8), F("b", "NvU32", 4, 4));
	RECORD(next, "S", 4, F("a", "NvU64", 0, 8));
	seal();
	assert_int_equal(declare("T", NULL), ERR_LAYOUT);
	assert_int_equal(declare("S", NULL), ERR_LAYOUT);
}

static void a_name_that_is_none_in_c_is_refused(void **state)
{
	(void)state;
	RECORD(next, "T", 4, F("a int; }", "NvU32", 0, 4));
	RECORD(next, "S struct {", 4, F("a", "NvU32", 0, 4));
	seal();
	assert_int_equal(declare("T", NULL), ERR_FORMAT);
	assert_int_equal(declare("S struct {", NULL), ERR_FORMAT);
}

static void two_names_that_go_spells_alike_are_told_apart(void **state)
{
	(void)state;
	RECORD(next, "T", 8, F("gpuId", "NvU32", 0, 4), F("gpu_id", "NvU32", 4, 4));
	seal();
	assert_int_equal(declare("T", NULL), 0);
	assert_field(0, "GPUID", "uint32", 0);
	assert_field(1, "GPUID_2", "uint32", 4);
}

static void names_follow_the_proxys_initialisms(void **state)
{
	static const char *const pairs[][2] = {
		{ "rmCtrlFd", "RMCtrlFD" },
		{ "hClient", "HClient" },
		{ "gpu_uuid", "GPUUUID" },
		{ "gpuUuidA", "GPUUUIDA" },
		{ "p2pOptimalReadCEs", "P2POptimalReadCEs" },
		{ "hClass3dObject", "HClass3DObject" },
		{ "l2pBar1P2PDmaInfo", "L2pBar1P2PDmaInfo" },
		{ "hDebuggerClient_Obsolete", "HDebuggerClient_Obsolete" },
		{ "pOsEvent", "POsEvent" },
		{ "_x", "X" },
		{ "__", "X" },
		{ "_3", "X3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		assert_string_equal(proxytype_field_name(pairs[i][0], &arena), pairs[i][1]);
}

static void a_records_name_stands_unless_go_would_hide_it(void **state)
{
	(void)state;
	assert_string_equal(proxytype_type_name("NVOS54_PARAMETERS", &arena), "NVOS54_PARAMETERS");
	assert_string_equal(proxytype_type_name("nv_ioctl_card_info_t", &arena), "IoctlCardInfo");
	assert_string_equal(proxytype_type_name("nv_ioctl_export_to_dma_buf_fd_t", &arena),
			    "IoctlExportToDMABufFD");
	assert_string_equal(proxytype_type_name("NVOS32_PARAMETERS::data_t", &arena),
			    "NVOS32_PARAMETERS_data_t");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(scalars_have_their_width_and_sign),
		TEST(a_gap_is_a_field_and_so_is_the_tail),
		TEST(padding_does_not_take_the_name_of_a_field),
		TEST(handles_pointers_and_ids_have_types_of_their_own),
		TEST(a_union_is_bytes),
		TEST(an_unnamed_struct_is_dissolved),
		TEST(bit_fields_are_the_bytes_that_they_share),
		TEST(what_go_would_align_elsewhere_is_bytes),
		TEST(a_flexible_array_is_no_field),
		TEST(a_record_inside_comes_first),
		TEST(a_typedef_of_a_handle_is_the_handle),
		TEST(what_the_parent_has_is_called_and_typed_as_there),
		TEST(a_table_by_hand_gives_no_names_that_go_cannot_have),
		TEST(the_parent_is_the_answer_if_nothing_moved),
		TEST(another_sign_is_another_type),
		TEST(a_type_that_grew_embeds_its_parent),
		TEST(a_scalar_of_an_embedded_type_is_not_that_type),
		TEST(a_field_in_the_parents_padding_forbids_embedding),
		TEST(a_record_inside_that_the_table_has_is_used_again),
		TEST(a_record_inside_that_changed_has_a_version_too),
		TEST(a_name_that_is_taken_twice_has_the_whole_version),
		TEST(one_layout_is_declared_once),
		TEST(status_and_fd_are_found_by_role),
		TEST(of_two_fds_neither_is_the_one),
		TEST(what_is_embedded_is_promoted),
		TEST(a_record_that_contains_itself_is_refused),
		TEST(records_that_double_on_every_level_are_refused),
		TEST(members_that_overlap_are_refused),
		TEST(a_name_that_is_none_in_c_is_refused),
		TEST(two_names_that_go_spells_alike_are_told_apart),
		TEST(names_follow_the_proxys_initialisms),
		TEST(a_records_name_stands_unless_go_would_hide_it),
	};

	return cmocka_run_group_tests_name("proxytype", tests, NULL, NULL);
}
