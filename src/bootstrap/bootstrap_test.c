#include "bootstrap/fixture_test.h"

#define CMD "NV2080_CTRL_CMD_ONE"
#define PARAMS "NV2080_CTRL_ONE_PARAMS"
#define READ_TYPE                                                                                            \
	"'" PARAMS                                                                                           \
	"': {'size': 8, 'fields': [{'name': 'Count', 'offset': 0, 'type': 'uint32'}, {'name': 'RMStatus', 'offset': 4, 'type': 'uint32'}]}"
#define READ_TABLE(version)                                                                                  \
	read_table(READ_TYPE, NODE(version, "null", ENTRY(CMD, 545259777, PARAMS, "'" PARAMS "'")))
#define UNREAD_TABLE(version) read_table("", NODE(version, "null", ENTRY(CMD, 545259777, PARAMS, "null")))

/* A version with the command, whose parameters are a count and a status. */
static struct abi_builder *put_plain(const char *version, const char *parent)
{
	struct abi_builder *doc = put_version(version, parent);

	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 8, U32("count", 0), STATUS("rmStatus", 4));
	return doc;
}

/* The same with one number more. */
static struct abi_builder *put_grown(const char *version, const char *parent)
{
	struct abi_builder *doc = put_version(version, parent);

	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 12, U32("count", 0), U32("flags", 4), STATUS("rmStatus", 8));
	return doc;
}

static void equal_versions_need_a_node_only(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_plain("2.0", "1.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_NODE_ONLY);
	assert_int_equal(got.node_count, 1);
	assert_string_equal(got.nodes[0].version, "2.0");
	assert_true(got.nodes[0].supported);
	assert_int_equal(got.proof.unchanged, 1);
	assert_int_equal(got.patch.node_count, 1);
	assert_int_equal(got.patch.type_count, 0);
}

static void a_version_that_the_table_supports_needs_nothing(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_NOTHING);
	assert_int_equal(got.node_count, 0);
	assert_int_equal(got.todo_count, 0);
}

static void a_record_that_is_read_and_grew_gets_a_new_type(void **state)
{
	const struct bootstrap_entry *entry;

	(void)state;
	put_plain("1.0", NULL);
	put_grown("2.0", "1.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_CHANGES);
	entry = entry_of(CMD);
	assert_int_equal(entry->action, BOOTSTRAP_REPLACE);
	assert_string_equal(entry->now->structs[0].proxy, PARAMS "_V2");
	assert_int_equal(got.type_count, 1);
	assert_string_equal(got.types[0]->type->fields[2].name, "RMStatus");
	assert_int_equal(got.types[0]->type->size_bytes, 12);
}

static void a_node_between_stands_where_the_change_first_appeared(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_plain("1.5", "1.0");
	put_grown("2.0", "1.5");
	put_grown("2.5", "2.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.node_count, 2);
	assert_string_equal(got.nodes[0].version, "2.0");
	assert_string_equal(got.nodes[0].parent, "1.0");
	assert_false(got.nodes[0].supported);
	assert_string_equal(got.nodes[1].version, "2.5");
	assert_string_equal(got.nodes[1].parent, "2.0");
	assert_string_equal(entry_of(CMD)->node, "2.0");
	assert_int_equal(got.patch.nodes[0].entry_count, 1);
	assert_int_equal(got.patch.nodes[1].entry_count, 0);
	assert_ptr_equal(got.patch.nodes[1].parent, &got.patch.nodes[0]);
}

static void a_change_that_went_again_needs_no_node_and_is_told(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_grown("2.0", "1.0");
	put_plain("3.0", "2.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_NODE_ONLY);
	assert_int_equal(got.passed_count, 1);
	assert_string_equal(got.passed[0].version, "2.0");
}

static void a_change_that_came_back_stands_where_it_came_back(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_grown("2.0", "1.0");
	put_plain("3.0", "2.0");
	put_grown("4.0", "3.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_string_equal(entry_of(CMD)->node, "4.0");
}

/* TWO changes once, in 2.0; ONE is another record in 2.0, and a third one in 3.0. */
static void a_node_between_that_is_wrong_at_its_own_version_is_a_todo(void **state)
{
	struct abi_builder *doc;

	(void)state;
	for (int i = 1; i <= 3; i++) {
		doc = put_version(i == 1   ? "1.0"
				  : i == 2 ? "2.0"
					   : "3.0",
				  i == 1   ? NULL
				  : i == 2 ? "1.0"
					   : "2.0");
		put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
		put_ioctl(doc, "control", "NV2080_CTRL_CMD_TWO", i == 1 ? 0x20800102 : 0x20800103, NULL);
		RECORD(doc, PARAMS, 4 + 4 * (unsigned)i, U32("count", 0), STATUS("rmStatus", 4 * (unsigned)i));
	}
	read_table(READ_TYPE,
		   NODE("1.0", "null",
			ENTRY(CMD, 545259777, PARAMS,
			      "'" PARAMS
			      "'") ", 'NV2080_CTRL_CMD_TWO': "
				   "{'number': 545259778, 'constant': 'NV2080_CTRL_CMD_TWO', 'caps': ['compute'], 'structs': []}"));
	bootstrap_newest();
	assert_int_equal(got.node_count, 2);
	assert_string_equal(entry_of(CMD)->node, "3.0");
	assert_string_equal(got.todo[0].what, "finding");
	assert_string_equal(got.todo[0].node, "2.0");
	assert_string_equal(got.todo[0].name, CMD);
	assert_non_null(
		strstr(got.todo[0].why, "bootstrap 2.0 first, and then 3.0 with its patch in the table"));
	assert_string_not_equal(got.todo[1].what, "finding");
}

static void a_kernel_address_that_came_is_no_fault_but_is_told(void **state)
{
	struct abi_builder *doc;
	bool told = false;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 16, U32("count", 0), STATUS("rmStatus", 4),
	       FIELD("pInfo", "NvU64", 8, 8, ABI_ROLE_KERNEL_POINTER));
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	for (size_t i = 0; i < got.proof.text_count; i++)
		told |= !strncmp(got.proof.text[i], "New in 2.0, and only a warning (kernel-pointer): ", 48);
	assert_true(told);
	assert_int_equal(got.todo_count, 2); /* checksums */
}

static void an_unread_record_may_grow(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_grown("2.0", "1.0");
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_NODE_ONLY);
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_NONE);
	assert_non_null(strstr(entry_of(CMD)->why, "unread"));
}

static void an_unread_record_with_a_new_pointer_has_to_be_read_by_a_handler_that_nobody_knows(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 16, U32("count", 0), STATUS("rmStatus", 4), POINTER("list", 8));
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REPLACE);
	assert_false(entry_of(CMD)->is_read);
	assert_non_null(entry_of(CMD)->now->structs[0].proxy);
	assert_null(entry_of(CMD)->now->handler.kind);
	assert_true(has_todo("handler"));
	assert_non_null(strstr(entry_of(CMD)->edits[0].text, BOOTSTRAP_TODO));
}

static void an_unread_record_whose_pointer_has_another_name_stays_unread(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	(void)state;
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 8, POINTER("list", 0));
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 12, POINTER("table", 0), U32("flags", 8));
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_NONE);
}

static void a_pointer_that_came_into_a_record_that_is_read_needs_another_handler(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_TWO", 0x20800102, "SOME_POINTER");
	RECORD(doc, PARAMS, 16, U32("count", 0), STATUS("rmStatus", 4), POINTER("list", 8));
	read_table(READ_TYPE, NODE("1.0", "null", ENTRY(CMD, 545259777, PARAMS, "'" PARAMS "'") ","
				   "'OTHER': {'number': 9, 'constant': null, 'caps': [], 'structs': [], 'handler': {'kind': 'simple', 'type': 'Handle'}}"));
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REPLACE);
	assert_null(entry_of(CMD)->now->handler.kind);
	assert_non_null(strstr(entry_of(CMD)->edits[0].text, "list (NvP64 at 8) is a pointer"));
}

static void a_handler_that_takes_any_type_gets_the_new_one(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_grown("2.0", "1.0");
	read_table(READ_TYPE, NODE("1.0", "null", ENTRY(CMD, 545259777, PARAMS, "'" PARAMS "'") ","
				   "'OTHER': {'number': 9, 'constant': null, 'caps': [], 'structs': [], 'handler': {'kind': 'simple', 'type': 'Handle'}}"));
	bootstrap_newest();
	assert_string_equal(entry_of(CMD)->now->handler.kind, "simple");
	assert_string_equal(entry_of(CMD)->now->handler.type, PARAMS "_V2");
}

static void an_unread_record_with_a_new_process_id_has_to_be_read(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 12, U32("count", 0), STATUS("rmStatus", 4), PID("pid", 8));
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REPLACE);
}

static void an_ioctl_that_went_is_removed(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_version("2.0", "1.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REMOVE);
	assert_null(entry_of(CMD)->now);
	assert_true(got.patch.nodes[0].entries[0].removed);
}

static void an_ioctl_with_another_number_gets_a_name_of_its_own(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("575.1", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800102, PARAMS);
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_TWO", 0x20800101, NULL);
	RECORD(doc, PARAMS, 8, U32("count", 0), STATUS("rmStatus", 4));
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_RENUMBER);
	assert_string_equal(entry_of(CMD)->now->name, CMD "_V575");
	assert_string_equal(entry_of(CMD)->now->constant, CMD);
	assert_int_equal(entry_of(CMD)->now->number, 0x20800102);
	assert_non_null(strstr(entry_of(CMD)->why, "NV2080_CTRL_CMD_TWO"));
	assert_int_equal(got.patch.nodes[0].entry_count, 2);
}

static void an_ioctl_with_another_name_is_renamed(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_OTHER", 0x20800101, "NV2080_CTRL_OTHER_PARAMS");
	RECORD(doc, "NV2080_CTRL_OTHER_PARAMS", 8, U32("count", 0), STATUS("rmStatus", 4));
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.entry_count, 1);
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_RENAME);
	assert_string_equal(entry_of(CMD)->now->name, CMD);
	assert_string_equal(entry_of(CMD)->now->constant, "NV2080_CTRL_CMD_OTHER");
	assert_string_equal(entry_of(CMD)->now->structs[0].driver, "NV2080_CTRL_OTHER_PARAMS");
	assert_string_equal(entry_of(CMD)->now->structs[0].proxy, PARAMS);
	assert_int_equal(got.candidate_count, 0);
}

static void another_ioctl_at_the_number_is_no_new_name(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_OTHER", 0x20800101, "NV2080_CTRL_OTHER_PARAMS");
	RECORD(doc, "NV2080_CTRL_OTHER_PARAMS", 4, U32("count", 0));
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_REMOVE);
	assert_non_null(strstr(entry_of(CMD)->why, "NV2080_CTRL_CMD_OTHER"));
}

static void a_number_and_a_handle_that_changed_places_need_a_new_type(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	(void)state;
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 8, HANDLE("hOne", 0), U32("engine", 4));
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800101, PARAMS);
	RECORD(doc, PARAMS, 8, U32("engine", 0), HANDLE("hOne", 4));
	read_table("'" PARAMS
		   "': {'size': 8, 'fields': [{'name': 'HOne', 'offset': 0, 'type': 'Handle'}, {'name': 'Engine', 'offset': 4, 'type': 'uint32'}]}",
		   NODE("1.0", "null", ENTRY(CMD, 545259777, PARAMS, "'" PARAMS "'")));
	bootstrap_newest();
	assert_string_equal(entry_of(CMD)->now->structs[0].proxy, PARAMS "_V2");
	assert_false(has_todo("finding"));
}

static void a_fault_of_the_table_is_told_and_not_the_version_s(void **state)
{
	(void)state;
	put_grown("1.0", NULL);
	put_grown("2.0", "1.0");
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.verdict, BOOTSTRAP_NODE_ONLY);
	assert_true(got.fault_count > 0);
	assert_string_equal(got.faults[0].version, "1.0");
}

static void a_version_between_that_cannot_be_read_is_told(void **state)
{
	const struct bootstrap_options options = { .observed = NULL };
	struct bootstrap_position position;

	(void)state;
	put_plain("1.0", NULL);
	put_plain("1.5", "1.0");
	put_grown("2.0", "1.5");
	READ_TABLE("1.0");
	seal_versions();
	versions[1].abi = NULL;
	assert_int_equal(bootstrap_find(&position, &graph, &table, 2, &arena, &err), 0);
	assert_int_equal(bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err), 0);
	assert_string_equal(entry_of(CMD)->node, "2.0");
	assert_non_null(strstr(got.not_checked[0], "1.5"));
}

static void a_new_command_is_a_candidate_with_the_version_that_brought_it(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_plain("2.0", "1.0");
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_NEW", 0x20800105, "SOME_POINTER");
	doc = put_plain("3.0", "2.0");
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_NEW", 0x20800105, "SOME_POINTER");
	put_ioctl(doc, NULL, "NV2080_CTRL_CMD_MACRO", 0x20800106, NULL);
	put_ioctl(doc, NULL, "NVC9B0_VIDEO_DECODER", 0xc9b0, NULL);
	put_ioctl(doc, NULL, "NV2080_SOMETHING_ELSE", 7, NULL);
	UNREAD_TABLE("1.0");
	bootstrap_newest();
	assert_int_equal(got.candidate_count, 2); /* the class is of a family that the table lacks */
	assert_string_equal(got.candidates[0].name, "NV2080_CTRL_CMD_NEW");
	assert_string_equal(got.candidates[0].first, "2.0");
	assert_false(got.candidates[0].is_simple);
	assert_non_null(strstr(got.candidates[0].why, "pointer"));
	assert_string_equal(got.candidates[1].name, "NV2080_CTRL_CMD_MACRO");
	assert_true(got.candidates[1].is_macro);
}

static void checksums_that_are_given_are_in_the_patch_and_others_are_todo(void **state)
{
	static const char sum[] = "b9e2f80693781431cc87f4cd29109e133dcecb50a50d6b68d4b3bf2d696bd689";
	const struct bootstrap_options options = { .sha256_x86_64 = sum };
	struct bootstrap_position position;

	(void)state;
	put_plain("1.0", NULL);
	put_plain("2.0", "1.0");
	READ_TABLE("1.0");
	seal_versions();
	assert_int_equal(bootstrap_find(&position, &graph, &table, 1, &arena, &err), 0);
	assert_int_equal(bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err), 0);
	assert_int_equal(got.patch.nodes[0].sha256_count, 1);
	assert_string_equal(got.patch.nodes[0].sha256[0].hex, sum);
	assert_int_equal(got.todo_count, 1);
	assert_non_null(strstr(got.todo[0].why, "aarch64-2.0.run"));
}

static void all_fds_of_a_command_are_named_before_the_rest(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_plain("1.0", NULL);
	doc = put_plain("2.0", "1.0");
	put_ioctl(doc, "control", "NV2080_CTRL_CMD_FDS", 0x20800105, "FDS");
	RECORD(doc, "FDS", 48, POINTER("a", 0), POINTER("b", 8), POINTER("c", 16), FIELD("d", "NvU32", 24, 4, ABI_ROLE_FD),
	       FIELD("e", "NvU32", 28, 4, ABI_ROLE_FD), FIELD("f", "NvU32", 32, 4, ABI_ROLE_FD),
	       FIELD("g", "NvU32", 36, 4, ABI_ROLE_FD));
	READ_TABLE("1.0");
	bootstrap_newest();
	assert_non_null(strstr(got.candidates[0].why, "d (NvU32 at 24)"));
	assert_non_null(strstr(got.candidates[0].why, "g (NvU32 at 36)"));
	assert_non_null(strstr(got.candidates[0].why, ", and 3 more"));
}

#define READ_TABLE_AND_NEXT()                                                                                \
	read_table(READ_TYPE, NODE("1.0", "null", ENTRY(CMD, 545259777, PARAMS, "'" PARAMS "'")) ","         \
			      NODE("2.0", "'1.0'", ""))

/* bootstrap_version() of the second version that was put, which has descendants. */
static void bootstrap_second(void)
{
	const struct bootstrap_options options = { .observed = NULL };
	struct bootstrap_position position;

	seal_versions();
	assert_int_equal(bootstrap_find(&position, &graph, &table, 1, &arena, &err), 0);
	assert_int_equal(bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err), 0);
}

static void a_node_that_descends_from_the_new_one_follows_it(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_plain("1.5", "1.0");
	put_plain("2.0", "1.5");
	READ_TABLE_AND_NEXT();
	bootstrap_second();
	assert_int_equal(got.node_count, 2);
	assert_string_equal(got.nodes[1].version, "2.0");
	assert_string_equal(got.nodes[1].parent, "1.5");
	assert_string_equal(got.nodes[1].was_parent, "1.0");
	assert_true(got.nodes[1].exists);
	assert_string_equal(got.patch.nodes[1].parent->version, "1.5");
	assert_false(has_todo("parent"));
}

static void a_node_that_would_lose_what_it_has_stays_and_is_a_todo(void **state)
{
	(void)state;
	put_plain("1.0", NULL);
	put_grown("1.5", "1.0");
	put_plain("2.0", "1.5");
	READ_TABLE_AND_NEXT();
	bootstrap_second();
	assert_int_equal(got.node_count, 1);
	assert_true(has_todo("parent"));
}

static void whether_a_node_that_is_not_at_hand_descends_is_not_checked(void **state)
{
	bool is_said = false;

	(void)state;
	put_plain("1.0", NULL);
	put_plain("1.5", "1.0");
	READ_TABLE_AND_NEXT();
	bootstrap_second();
	for (size_t i = 0; i < got.not_checked_count; i++)
		is_said |= !strncmp(got.not_checked[i], "2.0 follows 1.0 in the table; ", 30);
	assert_true(is_said);
	assert_int_equal(got.node_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_versions_need_a_node_only),
		TEST(a_version_that_the_table_supports_needs_nothing),
		TEST(a_record_that_is_read_and_grew_gets_a_new_type),
		TEST(a_node_between_stands_where_the_change_first_appeared),
		TEST(a_change_that_went_again_needs_no_node_and_is_told),
		TEST(a_change_that_came_back_stands_where_it_came_back),
		TEST(a_node_between_that_is_wrong_at_its_own_version_is_a_todo),
		TEST(a_kernel_address_that_came_is_no_fault_but_is_told),
		TEST(an_unread_record_may_grow),
		TEST(an_unread_record_with_a_new_pointer_has_to_be_read_by_a_handler_that_nobody_knows),
		TEST(an_unread_record_whose_pointer_has_another_name_stays_unread),
		TEST(a_pointer_that_came_into_a_record_that_is_read_needs_another_handler),
		TEST(a_handler_that_takes_any_type_gets_the_new_one),
		TEST(an_unread_record_with_a_new_process_id_has_to_be_read),
		TEST(an_ioctl_that_went_is_removed),
		TEST(an_ioctl_with_another_number_gets_a_name_of_its_own),
		TEST(an_ioctl_with_another_name_is_renamed),
		TEST(another_ioctl_at_the_number_is_no_new_name),
		TEST(a_number_and_a_handle_that_changed_places_need_a_new_type),
		TEST(a_fault_of_the_table_is_told_and_not_the_version_s),
		TEST(a_version_between_that_cannot_be_read_is_told),
		TEST(a_new_command_is_a_candidate_with_the_version_that_brought_it),
		TEST(all_fds_of_a_command_are_named_before_the_rest),
		TEST(a_node_that_descends_from_the_new_one_follows_it),
		TEST(a_node_that_would_lose_what_it_has_stays_and_is_a_todo),
		TEST(whether_a_node_that_is_not_at_hand_descends_is_not_checked),
		TEST(checksums_that_are_given_are_in_the_patch_and_others_are_todo),
	};

	return cmocka_run_group_tests_name("bootstrap", tests, NULL, NULL);
}
