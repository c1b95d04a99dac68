/* What a client takes as its own, in the text that is written. */
#include "gen/gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FIELD(n, t, at, bytes, r) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define BYTES(array) { (const uint8_t *)(array), sizeof(array) }

static const struct abi_field fields[] = {
	FIELD("handle", "NvU32", 0, 4, ABI_ROLE_HANDLE), FIELD("fd", "NvS32", 4, 4, ABI_ROLE_FD), FIELD("pointer", "NvU64", 8, 8, ABI_ROLE_POINTER),
};
static const struct abi_record records[] = { { "PARAMS", fields, COUNT(fields), 16, 8, false, "" } };
static const struct abi_alias aliases[] = { { "NvS32", "int", 4 }, { "NvU32", "unsigned int", 4 }, { "NvU64", "unsigned long long", 8 } };
static const struct abi_ioctl ioctls[] = { { .family = "frontend", .name = "NV_ESC_X", .number = 0x20, .params = "PARAMS", .source = "" } };
static const struct abi document = { .driver = "nvidia", .version = "*/1.5", .target = "x86_64-linux-gnu", .records = records, .record_count = COUNT(records),
				     .aliases = aliases, .alias_count = COUNT(aliases), .ioctls = ioctls, .ioctl_count = COUNT(ioctls) };

struct params {
	uint32_t handle;
	int32_t fd;
	uint64_t pointer;
};

static struct gen_client *client;
static struct strbuf text;
static struct err err;

static int begin_test(void **state)
{
	(void)state;
	client = gen_client_new(&document);
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	gen_client_free(client);
	strbuf_release(&text);
	text = (struct strbuf){ 0 };
	return 0;
}

/* One call of 16 bytes on descriptor 7 of process 1. */
static struct trace_message call_of(const struct params *before, const struct params *after)
{
	return (struct trace_message){
		.kind = TRACE_IOCTL, .fd_path = "/dev/nvidiactl", .fd = 7, .pid = 1, .request = 0xc0104620, .argument = 0x7000,
		.before = { (const uint8_t *)before, sizeof(*before) }, .after = { (const uint8_t *)after, sizeof(*after) },
	};
}

static void add(const struct trace_message *message)
{
	if (gen_client_add(client, message, &err))
		fail_msg("%s", err.text);
}

static const char *written(void)
{
	strbuf_reset(&text);
	gen_client_write(&text, client);
	return text.text;
}

static size_t occurrences(const char *of)
{
	size_t count = 0;

	for (const char *at = written(); (at = strstr(at, of)); at++)
		count++;
	return count;
}

#define assert_has(line) assert_non_null(strstr(written(), line))
#define assert_lacks(line) assert_null(strstr(written(), line))

static void a_word_that_is_the_address_of_memory_is_a_pointer(void **state)
{
	const struct params params = { 0, -1, 0x9000 };
	const struct trace_memory memory = { 0x9000, 4, BYTES("abc"), BYTES("abc") };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.memory = &memory;
	message.memory_count = 1;
	add(&message);
	assert_has("\t{ POINTER, 0, 8, 1, 0 },\n");
}

static void a_pointer_to_what_could_not_be_read_stays_as_it_is(void **state)
{
	const struct params params = { 0, -1, 0x9000 };
	const struct trace_memory memory = { .address = 0x9000, .size_bytes = 4 };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.memory = &memory;
	message.memory_count = 1;
	add(&message);
	assert_lacks("\t{ POINTER");
}

static void memory_within_other_memory_is_a_place_in_it(void **state)
{
	const struct params params = { 0, -1, 0x9002 };
	const struct trace_memory memory[] = { { 0x9002, 2, BYTES("c"), BYTES("c") }, { 0x9000, 4, BYTES("abc"), BYTES("abc") } };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.memory = memory;
	message.memory_count = 2;
	add(&message);
	assert_has("\t{ POINTER, 0, 8, 1, 2 },\n");
	assert_has("BLOCKS_MAX = 2 ");
}

static void memory_that_ends_early_at_a_page_is_not_mapped_behind(void **state)
{
	const struct params params = { 0, -1, 0x8ffc };
	struct trace_memory memory = { 0x8ffc, 100, BYTES("abc"), BYTES("abc") };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.memory = &memory;
	message.memory_count = 1;
	add(&message);
	assert_has(", UNMAPPED },\n");
	memory.address = 0x8ff0;
	add(&message);
	assert_has(", 96 },\n");
}

static void a_handle_that_the_driver_chose_is_known_from_then_on(void **state)
{
	const struct params none = { 0, -1, 0 }, chosen = { 0xc1d00001, -1, 0 };
	struct trace_message message = call_of(&none, &chosen);

	(void)state;
	add(&message);
	message = call_of(&chosen, &chosen);
	add(&message);
	assert_has("\t0xc1d00001,\n");
	assert_has("\t{ NEW_HANDLE, 0, 0, 0, 4 },\n");
	assert_has("\t{ HANDLE, 0, 0, 0, 4 },\n");
}

static void a_handle_that_the_workload_chose_stays(void **state)
{
	const struct params params = { 0xcafe0001, -1, 0 };
	const struct trace_message message = call_of(&params, &params);

	(void)state;
	add(&message);
	assert_lacks("HANDLE, 0");
}

static void what_a_failed_call_leaves_is_no_handle(void **state)
{
	const struct params none = { 0, -1, 0 }, chosen = { 0xc1d00001, -1, 0 };
	struct trace_message message = call_of(&none, &chosen);

	(void)state;
	message.ret = -1;
	add(&message);
	assert_lacks("HANDLE, 0");
}

static void a_descriptor_in_a_call_is_found_by_its_number(void **state)
{
	const struct params params = { 0, 9, 0 };
	const struct trace_fd fd = { 9, "/dev/nvidia0" };
	const struct trace_message opened = { .kind = TRACE_OPEN, .fd_path = "/dev/nvidia0", .pid = 1, .ret = 9, .open_flags = 2 };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.fds = &fd;
	message.fd_count = 1;
	add(&opened);
	add(&message);
	assert_has("\t{ \"/dev/nvidia0\", 9 },\n\t{ \"/dev/nvidiactl\", 7 },\n");
	assert_has("\t{ DESCRIPTOR, 0, 4, 0, 4 },\n");
}

static void a_device_that_nobody_opened_is_opened_at_its_first_call(void **state)
{
	const struct params params = { 0, -1, 0 };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	add(&message);
	message.pid = 2; /* a child has it from its parent */
	add(&message);
	assert_int_equal(occurrences("\t{ OPEN, "), 1);
	assert_int_equal(occurrences("\t{ IOCTL, "), 2);
	assert_int_equal(gen_client_count(client), 3);
}

static void a_number_that_is_opened_again_was_closed(void **state)
{
	const struct trace_message opened = { .kind = TRACE_OPEN, .fd_path = "/dev/nvidiactl", .pid = 1, .ret = 7, .open_flags = 2 };

	(void)state;
	add(&opened);
	add(&opened);
	assert_has("\t{ OPEN, 0, 0, 0, 0, 0, 0, 0x2, 0, 7, 0 },\n");
	assert_has("\t{ OPEN, 0, 0, 0, 1, 0, 0, 0x2, 0x1, 7, 0 },\n");
}

static void equal_calls_share_their_bytes(void **state)
{
	const struct params params = { 0, -1, 0 };
	const struct trace_message message = call_of(&params, &params);
	size_t length;

	(void)state;
	add(&message);
	add(&message);
	written();
	length = text.length;
	add(&message);
	written();
	assert_true(text.length < length + 100);
}

static void an_argument_that_could_not_be_read_is_passed_as_it_is(void **state)
{
	struct trace_message message = call_of(&(struct params){ 0, 0, 0 }, &(struct params){ 0, 0, 0 });

	(void)state;
	message.before = message.after = (struct trace_bytes){ NULL, 0 };
	message.argument = 8;
	message.ret = -1;
	message.error = 14;
	add(&message);
	assert_has(", 0xc0104620, 0x8, -1, 14 },\n");
}

static void bytes_after_alone_are_refused(void **state)
{
	const struct params params = { 0, -1, 0 };
	struct trace_message message = call_of(&params, &params);

	(void)state;
	message.before = (struct trace_bytes){ NULL, 0 };
	assert_int_equal(gen_client_add(client, &message, &err), ERR_FORMAT);
	assert_non_null(strstr(err.text, "lacks the bytes before the call"));
}

static void names_and_paths_end_neither_a_comment_nor_a_string(void **state)
{
	const struct trace_message opened = { .kind = TRACE_OPEN, .fd_path = "/dev/\"*/\\\n?\?/", .pid = 1, .ret = 7, .open_flags = 2 };

	(void)state;
	add(&opened);
	assert_has("recorded with nvidia ??1.5, x86_64-linux-gnu.\n");
	assert_has("\t{ \"/dev/\\042*/\\134\\012\\077\\077/\", 7 },\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_word_that_is_the_address_of_memory_is_a_pointer),
		TEST(a_pointer_to_what_could_not_be_read_stays_as_it_is),
		TEST(memory_within_other_memory_is_a_place_in_it),
		TEST(memory_that_ends_early_at_a_page_is_not_mapped_behind),
		TEST(a_handle_that_the_driver_chose_is_known_from_then_on),
		TEST(a_handle_that_the_workload_chose_stays),
		TEST(what_a_failed_call_leaves_is_no_handle),
		TEST(a_descriptor_in_a_call_is_found_by_its_number),
		TEST(a_device_that_nobody_opened_is_opened_at_its_first_call),
		TEST(a_number_that_is_opened_again_was_closed),
		TEST(equal_calls_share_their_bytes),
		TEST(an_argument_that_could_not_be_read_is_passed_as_it_is),
		TEST(bytes_after_alone_are_refused),
		TEST(names_and_paths_end_neither_a_comment_nor_a_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
