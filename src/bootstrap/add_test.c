#include "bootstrap/fixture_test.h"

#define CMD "NV2080_CTRL_CMD_NEW"
#define PARAMS "NV2080_CTRL_NEW_PARAMS"
#define OTHER                                                                                                \
	"'NV2080_CTRL_CMD_OLD': {'number': 545259777, 'constant': null, 'caps': ['compute'], 'structs': [{'driver': 'OLD', 'proxy': null}], 'handler': {'kind': 'simple', 'type': null}}"

static int add(const char *word)
{
	seal_versions();
	return bootstrap_add(&got, &graph, &table, types, &word, 1,
			     &(struct bootstrap_options){ .observed = NULL }, &arena, &err);
}

static struct abi_builder *put_new(const char *version, const char *parent, uint64_t number)
{
	struct abi_builder *doc = put_version(version, parent);

	put_ioctl(doc, "control", CMD, number, PARAMS);
	RECORD(doc, PARAMS, 8, U32("count", 0), U32("flags", 4));
	return doc;
}

static void a_command_is_added_where_it_first_exists(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_new("2.0", "1.0", 0x20800105);
	put_new("3.0", "2.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", "") "," NODE("3.0", "'2.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 1);
	assert_int_equal(got.entries[0].action, BOOTSTRAP_ADD);
	assert_string_equal(got.entries[0].node, "2.0");
	assert_null(got.entries[0].now->structs[0].proxy);
	assert_string_equal(got.entries[0].now->handler.kind, "simple");
	assert_int_equal(got.node_count, 1);
	assert_true(got.nodes[0].exists);
}

static void since_when_the_driver_has_it_is_by_its_graph(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_version("1.1", "1.0");
	put_new("1.2", "1.1", 0x20800105);
	put_new("2.0", "1.2", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_string_equal(got.entries[0].node, "2.0");
	assert_int_equal(got.entries[0].change_count, 1);
	assert_string_equal(got.entries[0].changes[0], "in the driver since 1.2");
}

static void with_a_version_that_the_table_lacks_a_node_between_gets_it(void **state)
{
	const char *const words[] = { CMD };
	const struct bootstrap_options options = { .add = words, .add_count = 1 };
	struct bootstrap_position position;

	(void)state;
	put_version("1.0", NULL);
	put_version("1.1", "1.0");
	put_new("1.2", "1.1", 0x20800105);
	put_new("2.0", "1.2", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_find(&position, &graph, &table, 3, &arena, &err), 0);
	assert_int_equal(bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err), 0);
	assert_string_equal(entry_of(CMD)->node, "1.2");
	assert_int_equal(entry_of(CMD)->action, BOOTSTRAP_ADD);
	assert_int_equal(got.node_count, 2);
	assert_string_equal(got.nodes[0].version, "1.2");
	assert_string_equal(got.nodes[0].parent, "1.0");
	assert_false(got.nodes[0].supported);
	assert_string_equal(got.nodes[1].version, "2.0");
	assert_string_equal(got.nodes[1].parent, "1.2");
	assert_int_equal(got.candidate_count, 1);
}

static void with_a_version_a_node_that_has_it_gets_it_and_the_new_one_inherits_it(void **state)
{
	const char *const words[] = { CMD };
	const struct bootstrap_options options = { .add = words, .add_count = 1 };
	struct bootstrap_position position;

	(void)state;
	put_new("1.0", NULL, 0x20800105);
	put_new("2.0", "1.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_find(&position, &graph, &table, 1, &arena, &err), 0);
	assert_int_equal(bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err), 0);
	assert_int_equal(got.verdict, BOOTSTRAP_CHANGES);
	assert_string_equal(entry_of(CMD)->node, "1.0");
	assert_int_equal(got.node_count, 2);
	assert_true(got.nodes[0].exists);
	assert_string_equal(got.nodes[1].version, "2.0");
	assert_string_equal(got.nodes[1].parent, "1.0");
}

static void a_number_out_of_a_log_is_enough(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_new("2.0", "1.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add("0x20800105"), 0);
	assert_string_equal(got.entries[0].now->name, CMD);
}

/* NEW has the number in 1.0 and 2.0, and another command in 3.0. */
static void put_reassigned(void)
{
	put_new("1.0", NULL, 0x20800105);
	put_new("2.0", "1.0", 0x20800105);
	put_ioctl(put_version("3.0", "2.0"), "control", "NV2080_CTRL_CMD_LATER", 0x20800105, NULL);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", "") "," NODE("3.0", "'2.0'", ""));
}

static void a_number_that_two_commands_had_is_refused_with_their_versions(void **state)
{
	(void)state;
	put_reassigned();
	assert_int_equal(add("0x20800105"), ERR_USAGE);
	assert_non_null(
		strstr(err.text,
		       "control NV2080_CTRL_CMD_NEW in 1.0 to 2.0, control NV2080_CTRL_CMD_LATER in 3.0; give the name"));
}

static void the_name_of_one_of_them_is_enough(void **state)
{
	(void)state;
	put_reassigned();
	assert_int_equal(add(CMD), 0);
	assert_string_equal(got.entries[0].now->name, CMD);
}

static void a_macro_that_has_the_number_in_a_version_without_the_ioctl_counts(void **state)
{
	struct abi_builder *doc;

	(void)state;
	put_new("1.0", NULL, 0x20800105);
	doc = put_version("2.0", "1.0");
	abi_builder_constant(doc, &(struct abi_constant){ "NV2080_CTRL_CMD_MACRO", { 0x20800105, false } });
	abi_builder_constant(doc,
			     &(struct abi_constant){ "NV0073_CTRL_CMD_OTHER_CLASS", { 0x20800105, false } });
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add("0x20800105"), ERR_USAGE);
	assert_non_null(
		strstr(err.text,
		       "control NV2080_CTRL_CMD_NEW in 1.0, control NV2080_CTRL_CMD_MACRO in 2.0; give the name"));
}

static void two_words_for_one_ioctl_add_it_once(void **state)
{
	const char *const words[] = { CMD, "0x20800105", CMD };

	(void)state;
	put_version("1.0", NULL);
	put_new("2.0", "1.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	seal_versions();
	assert_int_equal(bootstrap_add(&got, &graph, &table, types, words, 3,
				       &(struct bootstrap_options){ .observed = NULL }, &arena, &err),
			 0);
	assert_int_equal(got.entry_count, 1);
	assert_int_equal(got.candidate_count, 1);
}

static void every_branch_that_has_it_gets_it(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_new("1.9", "1.0", 0x20800105);
	put_new("2.0", "1.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("1.9", "'1.0'", "") "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 2);
	assert_string_equal(got.entries[0].node, "1.9");
	assert_string_equal(got.entries[1].node, "2.0");
}

static void a_number_that_moves_gets_a_name_of_its_own(void **state)
{
	(void)state;
	put_version("1.0", NULL);
	put_new("2.0", "1.0", 0x20800105);
	put_new("575.1", "2.0", 0x20800106);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", "") "," NODE("575.1", "'2.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 2);
	assert_int_equal(got.entries[1].action, BOOTSTRAP_RENUMBER);
	assert_string_equal(got.entries[1].now->name, CMD "_V575");
}

static void it_is_removed_where_the_driver_has_it_no_more(void **state)
{
	(void)state;
	put_new("1.0", NULL, 0x20800105);
	put_version("2.0", "1.0");
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 2);
	assert_int_equal(got.entries[1].action, BOOTSTRAP_REMOVE);
	assert_string_equal(got.entries[1].node, "2.0");
}

static void a_command_with_a_pointer_has_a_type_for_each_layout_and_a_handler_to_do(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	(void)state;
	put_ioctl(doc, "control", CMD, 0x20800105, PARAMS);
	RECORD(doc, PARAMS, 8, POINTER("list", 0));
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "control", CMD, 0x20800105, PARAMS);
	RECORD(doc, PARAMS, 16, POINTER("list", 0), U64("size", 8));
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 2);
	assert_string_equal(got.entries[0].now->structs[0].proxy, PARAMS);
	assert_int_equal(got.entries[1].action, BOOTSTRAP_REPLACE);
	assert_string_equal(got.entries[1].now->structs[0].proxy, PARAMS "_V2");
	assert_null(got.entries[0].now->handler.kind);
	assert_true(has_todo("handler"));
}

static void a_node_whose_version_is_not_at_hand_inherits_and_is_not_checked(void **state)
{
	(void)state;
	put_new("1.0", NULL, 0x20800105);
	put_new("3.0", "1.0", 0x20800105);
	read_table("", NODE("1.0", "null", OTHER) "," NODE("2.0", "'1.0'", "") "," NODE("3.0", "'2.0'", ""));
	assert_int_equal(add(CMD), 0);
	assert_int_equal(got.entry_count, 1);
	assert_string_equal(got.not_checked[0],
			    "2.0 was not examined: neither the data nor the named repository has it; its node inherits the entry of 1.0");
}

/* --- what the driver copies behind a pointer ------------------------------------------ */

static const struct pointer_rule list_rule = { .record = PARAMS,
					       .path = "list",
					       .count = "count",
					       .element = "NvU32",
					       .direction = USE_INOUT,
					       .limit_bytes = 64,
					       .evidence = "copier.c" };

/* Adds CMD of 1.0, whose parameters point to a list, by one rule that was read up to @until. */
static const struct bootstrap_entry *pointed(struct pointer_rule rule, const char *until, bool has_handle)
{
	const struct use_rules use = { .read_until = until, .pointers = { &rule, 1 } };
	const struct bootstrap_options options = { .use = &use };
	struct abi_builder *doc = put_version("1.0", NULL);
	const char *word = CMD;

	put_ioctl(doc, "control", CMD, 0x20800105, PARAMS);
	RECORD(doc, "ELEMENT", 8, U32("value", 0), PID("owner", 4));
	if (has_handle)
		RECORD(doc, PARAMS, 24, U32("count", 0), HANDLE("hObject", 4), POINTER("list", 8), POINTER("more", 16));
	else
		RECORD(doc, PARAMS, 16, U32("count", 0), POINTER("list", 8));
	read_table("", NODE("1.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_add(&got, &graph, &table, types, &word, 1, &options, &arena, &err), 0);
	return &got.entries[0];
}

static void a_pointer_is_given_with_count_element_direction_and_limit(void **state)
{
	const struct bootstrap_entry *entry = pointed(list_rule, "1.0", false);

	(void)state;
	assert_int_equal(entry->pointer_count, 1);
	assert_int_equal(entry->unknown_count, 0);
	assert_int_equal(entry->pointers[0].offset_bytes, 8);
	assert_int_equal(entry->pointers[0].count_offset_bytes, 0);
	assert_int_equal(entry->pointers[0].count_bytes, 4);
	assert_int_equal(entry->pointers[0].element_bytes, 4);
	assert_int_equal(entry->pointers[0].direction, USE_INOUT);
	assert_int_equal(entry->pointers[0].limit_bytes, 64);
	assert_true(entry->pointers[0].empty_is_refused);
}

/* What is known of a file descriptor is for a handler of its own; beside a pointer it is one more thing to translate. */
static void a_file_descriptor_is_given_with_what_it_is_of(void **state)
{
	const struct fd_rule rule = { .record = PARAMS, .path = "hEvent", .kind = "event", .optional = true,
				      .evidence = "event.c" };
	const struct use_rules use = { .read_until = "1.0", .fds = &rule, .fd_count = 1 };
	const struct bootstrap_options options = { .use = &use };
	struct abi_builder *doc = put_version("1.0", NULL);
	const char *word = CMD;

	(void)state;
	put_ioctl(doc, "control", CMD, 0x20800105, PARAMS);
	RECORD(doc, PARAMS, 16, U32("count", 0), FD("hEvent", 4), PID("owner", 8));
	read_table("", NODE("1.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_add(&got, &graph, &table, types, &word, 1, &options, &arena, &err), 0);
	assert_int_equal(got.entries[0].pointer_count, 0);
	assert_int_equal(got.entries[0].fd_count, 1);
	assert_ptr_equal(got.entries[0].fds[0].rule, &rule);
	assert_int_equal(got.entries[0].fds[0].offset_bytes, 4);
	assert_int_equal(got.entries[0].unknown_count, 1);
	assert_string_equal(got.entries[0].unknown[0].text, "owner (NvU32 at 8) is a process id");
}

/* Why CMD of 2.0 is not simple, if the driver converts its pid since @since. */
static void assert_pid(const char *since, const char *why)
{
	const struct use_span span = { .since = since };
	const struct pid_rule rule = { .record = PARAMS, .path = "owner", .converts = &span, .convert_count = 1 };
	const struct use_rules use = { .pids = { &rule, 1 } };
	const struct bootstrap_options options = { .use = &use };
	struct abi_builder *doc = put_version("2.0", NULL);
	const char *word = CMD;

	put_ioctl(doc, "control", CMD, 0x20800105, PARAMS);
	RECORD(doc, PARAMS, 8, U32("count", 0), PID("owner", 4));
	read_table("", NODE("2.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_add(&got, &graph, &table, types, &word, 1, &options, &arena, &err), 0);
	assert_string_equal(got.entries[0].why, why);
}

static void a_process_id_that_the_driver_converts_is_said_to_be(void **state)
{
	(void)state;
	assert_pid("2.0", "not simple: owner (NvU32 at 4) is a process id, which the driver converts in 2.0");
}

static void a_process_id_that_it_does_not_convert_as_well(void **state)
{
	(void)state;
	assert_pid("3.0", "not simple: owner (NvU32 at 4) is a process id, which the driver does not convert in 2.0");
}

static void a_converted_list_may_be_empty(void **state)
{
	struct pointer_rule rule = list_rule;

	(void)state;
	rule.converted = "NEWER.list";
	assert_false(pointed(rule, "1.0", false)->pointers[0].empty_is_refused);
}

static void what_a_handler_would_have_to_know_beside_it_is_listed(void **state)
{
	static const char *const expected[] = {
		"behind list (ELEMENT), owner (NvU32 at 4) is a process id",
		"list is followed only if count is 2 (copier.c)",
		"list has count times count elements, and may be NULL (copier.c)",
		"the driver sets no limit to the memory that list leads to (copier.c)",
		"more (NvP64 at 16) is a pointer",
		"it names objects that the proxy may have to know: hObject",
		"what the driver copies was compared with its source up to 0.9, not with 1.0: scripts/check-pointers --repo DIR 1.0",
	};
	struct pointer_rule rule = list_rule;
	const struct bootstrap_entry *entry;

	(void)state;
	rule.element = "ELEMENT";
	rule.limit_bytes = 0;
	rule.times = rule.when = "count";
	rule.equals = 2;
	entry = pointed(rule, "0.9", true);
	assert_int_equal(entry->unknown_count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < entry->unknown_count; i++)
		assert_string_equal(entry->unknown[i].text, expected[i]);
	assert_string_equal(got.todo[0].what, "handler");
	assert_non_null(strstr(got.todo[0].why, "nvproxy-patch writes it, if this is known: behind list (ELEMENT), "));
}

/* Adds @name of 1.0, whose parameters name an object. */
static const struct bootstrap_entry *naming_an_object(const char *name)
{
	const struct bootstrap_options options = { .observed = NULL };
	struct abi_builder *doc = put_version("1.0", NULL);

	put_ioctl(doc, "control", name, 0x20800105, PARAMS);
	RECORD(doc, PARAMS, 8, U32("count", 0), HANDLE("hObject", 4));
	read_table("", NODE("1.0", "null", OTHER));
	seal_versions();
	assert_int_equal(bootstrap_add(&got, &graph, &table, types, &name, 1, &options, &arena, &err), 0);
	return &got.entries[0];
}

static void a_command_that_asks_about_an_object_is_simple(void **state)
{
	(void)state;
	assert_string_equal(naming_an_object("NV2080_CTRL_CMD_GET_NEW")->now->handler.kind, "simple");
}

static void a_command_that_names_an_object_has_a_handler_to_do(void **state)
{
	const struct bootstrap_entry *entry = naming_an_object("NV2080_CTRL_CMD_BIND_NEW");

	(void)state;
	assert_null(entry->now->handler.kind);
	assert_string_equal(entry->why, "simple: no pointer, file descriptor or process id; it names objects that the "
					"proxy may have to know: hObject; otherwise the handler is simple");
}

#define PLAIN(name) "'" name "': {'size': 4, 'fields': [{'name': 'A', 'offset': 0, 'type': 'uint32'}]}"
#define FORWARDED(name, number)                                                                              \
	"'" name "': {'number': " #number ", 'constant': null, 'caps': [], 'structs': [{'driver': '" name    \
	"', 'proxy': '" name "'}], 'handler': {'kind': 'simple', 'type': '" name "'}}"

/* As where a version changes the parameters of an entry that the table has: a handle that came is no reason. */
static void a_new_layout_keeps_a_handler_that_takes_any_type(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	(void)state;
	put_ioctl(doc, "alloc", "NEW", 0x9000, "NEW_PARAMS");
	RECORD(doc, "NEW_PARAMS", 4, U32("a", 0));
	doc = put_version("2.0", "1.0");
	put_ioctl(doc, "alloc", "NEW", 0x9000, "NEW_PARAMS");
	RECORD(doc, "NEW_PARAMS", 8, U32("a", 0), HANDLE("hObject", 4));
	read_table(PLAIN("ONE") ", " PLAIN("TWO"),
		   "{'version': '1.0', 'parent': null, 'supported': true, 'ioctls': {'alloc': {" FORWARDED(
			   "ONE", 1) ", " FORWARDED("TWO", 2) "}}}, "
		   "{'version': '2.0', 'parent': '1.0', 'supported': true, 'ioctls': {}}");
	assert_int_equal(add("NEW"), 0);
	assert_int_equal(got.entries[1].action, BOOTSTRAP_REPLACE);
	assert_string_equal(got.entries[1].now->handler.kind, "simple");
	assert_string_equal(got.entries[1].now->handler.type, got.entries[1].now->structs[0].proxy);
	assert_string_not_equal(got.entries[1].now->handler.type, got.entries[0].now->handler.type);
}

/* Adds NEW, whose record another class has, and with @two a third, under a handler that is a function of its own. */
static const struct table_handler *of_a_class_with_the_same_record(bool two)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	put_ioctl(doc, "alloc", "NEW", 0x9000, "ONE");
	RECORD(doc, "ONE", 4, PID("owner", 0));
	read_table(PLAIN("ONE"), arena_printf(&arena, "{'version': '1.0', 'parent': null, 'supported': true, "
						      "'ioctls': {'alloc': {" FORWARDED("ONE", 1) "%s}}}",
					      two ? ", 'B': {'number': 2, 'constant': null, 'caps': [], 'structs': "
						    "[{'driver': 'ONE', 'proxy': 'ONE'}], "
						    "'handler': {'kind': 'simple', 'type': 'ONE'}}"
						  : ""));
	assert_int_equal(add("NEW"), 0);
	return &got.entries[0].now->handler;
}

static void a_handler_of_one_class_is_not_that_of_another_with_its_record(void **state)
{
	(void)state;
	assert_null(of_a_class_with_the_same_record(false)->kind);
}

static void a_handler_of_two_classes_with_a_record_is_that_of_a_third(void **state)
{
	(void)state;
	assert_string_equal(of_a_class_with_the_same_record(true)->kind, "simple");
}

static void a_number_that_is_forwarded_under_another_name_is_an_error(void **state)
{
	struct abi_builder *doc = put_version("1.0", NULL);

	(void)state;
	put_ioctl(doc, "control", "ctrlCmdOld", 545259777, NULL);
	read_table("", NODE("1.0", "null", OTHER));
	assert_int_equal(add("ctrlCmdOld"), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "already"));
}

static void what_the_table_forwards_already_is_an_error(void **state)
{
	(void)state;
	put_new("1.0", NULL, 0x20800105);
	read_table("", NODE("1.0", "null", ENTRY(CMD, 545259781, PARAMS, "null")));
	assert_int_equal(add(CMD), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "already"));
}

static void an_unknown_name_is_an_error_with_the_nearest(void **state)
{
	(void)state;
	put_new("1.0", NULL, 0x20800105);
	read_table("", NODE("1.0", "null", OTHER));
	assert_int_equal(add("NV2080_CTRL_CMD_NWE"), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, CMD));
}

static void an_ioctl_of_a_family_that_the_table_lacks_is_an_error_that_names_it(void **state)
{
	struct abi_builder *doc = put_new("1.0", NULL, 0x20800105);

	(void)state;
	put_ioctl(doc, "drm", "DRM_IOCTL_ONE", 7, NULL);
	read_table("", NODE("1.0", "null", OTHER));
	assert_int_equal(add("DRM_IOCTL_ONE"), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "family drm"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_is_added_where_it_first_exists),
		TEST(since_when_the_driver_has_it_is_by_its_graph),
		TEST(with_a_version_that_the_table_lacks_a_node_between_gets_it),
		TEST(with_a_version_a_node_that_has_it_gets_it_and_the_new_one_inherits_it),
		TEST(a_number_out_of_a_log_is_enough),
		TEST(a_number_that_two_commands_had_is_refused_with_their_versions),
		TEST(the_name_of_one_of_them_is_enough),
		TEST(a_macro_that_has_the_number_in_a_version_without_the_ioctl_counts),
		TEST(two_words_for_one_ioctl_add_it_once),
		TEST(every_branch_that_has_it_gets_it),
		TEST(a_number_that_moves_gets_a_name_of_its_own),
		TEST(it_is_removed_where_the_driver_has_it_no_more),
		TEST(a_command_with_a_pointer_has_a_type_for_each_layout_and_a_handler_to_do),
		TEST(a_node_whose_version_is_not_at_hand_inherits_and_is_not_checked),
		TEST(a_pointer_is_given_with_count_element_direction_and_limit),
		TEST(a_file_descriptor_is_given_with_what_it_is_of),
		TEST(a_process_id_that_the_driver_converts_is_said_to_be),
		TEST(a_process_id_that_it_does_not_convert_as_well),
		TEST(a_converted_list_may_be_empty),
		TEST(what_a_handler_would_have_to_know_beside_it_is_listed),
		TEST(a_command_that_asks_about_an_object_is_simple),
		TEST(a_command_that_names_an_object_has_a_handler_to_do),
		TEST(a_new_layout_keeps_a_handler_that_takes_any_type),
		TEST(a_handler_of_one_class_is_not_that_of_another_with_its_record),
		TEST(a_handler_of_two_classes_with_a_record_is_that_of_a_third),
		TEST(a_number_that_is_forwarded_under_another_name_is_an_error),
		TEST(what_the_table_forwards_already_is_an_error),
		TEST(an_unknown_name_is_an_error_with_the_nearest),
		TEST(an_ioctl_of_a_family_that_the_table_lacks_is_an_error_that_names_it),
	};

	return cmocka_run_group_tests_name("bootstrap add", tests, NULL, NULL);
}
