/* Tests which recorded call answers a call of the workload. */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <time.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define CONTROL_DEVICE "/dev/nvidiactl"

/* _IOWR('F', number, struct parameters) */
enum {
	REQUEST = (int)0xc0184601,
	OTHER_REQUEST = (int)0xc0184602,
	PADDED_REQUEST = (int)0xc0184603,
};

/* The driver writes @answer, and writes @count numbers to @list. */
struct parameters {
	uint32_t question, answer;
	int32_t fd;
	uint32_t count;
	uint64_t list;
};

/* Bytes 1 to 7 and 20 to 23 are padding. */
struct padded {
	uint8_t question;
	uint64_t number;
	uint32_t status;
};

static struct arena documents;
static struct abi abi;

static int make_document(void **state)
{
	(void)state;
	abi = *document_of("struct PADDED 24/8 { NvU8 question@0; NvU64 number@8; NvU32 status@16 status } "
			   "struct PARAMETERS 24/8 { NvU32 question@0; NvU32 answer@4; NvS32 fd@8 fd; NvU32 count@12; "
			   "NvP64 list@16 pointer } ioctl frontend/ONE 1 PARAMETERS ioctl frontend/TWO 2 PARAMETERS "
			   "ioctl frontend/THREE 3 PADDED",
			   &documents);
	abi.driver = "nvidia";
	abi.version = "590.48.01";
	return 0;
}

static int free_document(void **state)
{
	(void)state;
	arena_release(&documents);
	return 0;
}

static const struct pointer_rule list = { .record = "PARAMETERS",
					  .path = "list",
					  .count = "count",
					  .element = "NvU32",
					  .direction = USE_OUT };
static const struct pointer_rules rules = { &list, 1 };

/* The devices as in src/extract/profiles/nvidia-use.json. */
static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" },
	{ .path = "/dev/nvidia#", .family = "frontend" },
	{ .path = "/dev/nvidia-uvm", .family = "uvm" },
	{ .path = "/dev/nvidia-modeset", .family = "modeset" },
	{ .path = "/dev/dri/card#", .family = "drm" },
	{ .path = "/dev/dri/renderD#", .family = "drm" },
};
static const struct device_rules devices = { .rules = device_list,
					    .count = sizeof(device_list) / sizeof(*device_list) };

struct world {
	struct traits traits;
	struct gather_scope scope;
	struct replay *replay;
	struct gathered call, recorded;
	uint64_t next_address;
	bool is_lenient;
	enum replay_fit fit; /* the fit of the last answer */
};

static int begin(void **state)
{
	struct world *world = xmalloc(sizeof(*world));

	memset(world, 0, sizeof(*world));
	world->traits = (struct traits){ .abi = &abi, .rules = &rules };
	world->scope = (struct gather_scope){ &world->traits, 4096, &devices };
	world->replay = replay_new();
	world->next_address = 0x7000;
	*state = world;
	return 0;
}

static int end(void **state)
{
	struct world *world = *state;

	replay_free(world->replay);
	gathered_release(&world->call);
	gathered_release(&world->recorded);
	traits_release(&world->traits);
	free(world);
	return 0;
}

static struct trace_bytes bytes_of(const struct parameters *parameters)
{
	return (struct trace_bytes){ (const uint8_t *)parameters, sizeof(*parameters) };
}

static struct trace_message message_of(const struct parameters *before, const struct parameters *after)
{
	return (struct trace_message){ .kind = TRACE_IOCTL,
				       .fd_path = CONTROL_DEVICE,
				       .request = (uint32_t)REQUEST,
				       .argument = 0x1000,
				       .start_ns = 1,
				       .end_ns = 2,
				       .before = bytes_of(before),
				       .after = bytes_of(after),
				       .version = "",
				       .target = "",
				       .command = "" };
}

/* Records a call in which the driver answers @question with @answer. */
static void record(struct world *world, uint32_t question, uint32_t answer)
{
	const struct parameters before = { .question = question },
				after = { .question = question, .answer = answer };
	const struct trace_message message = message_of(&before, &after);

	replay_add(world->replay, &message);
}

/* Reads the workload's memory: the list has zeros, and every other address has the parameters. */
static size_t read_parameters(void *out, void *data, uint64_t address, size_t size_bytes)
{
	const struct parameters *parameters = data;

	memset(out, 0, size_bytes);
	if (address != parameters->list)
		memcpy(out, parameters, size_bytes < sizeof(*parameters) ? size_bytes : sizeof(*parameters));
	return size_bytes;
}

static const struct trace_message *ask_as(struct world *world, const char *path, uint64_t request,
					  struct parameters parameters)
{
	const struct gather_source source = { read_parameters, &parameters };
	struct call first;

	identify_ioctl(&first, world->scope.devices, path, request, world->next_address += 0x1000, &abi);
	gather_before(&world->call, &first, &source, &world->scope);
	return replay_match(&world->recorded, &world->fit, world->replay,
			    &(struct replay_question){ path, request, &world->call, getpid(),
						       !world->is_lenient });
}

static const struct trace_message *ask(struct world *world, struct parameters parameters)
{
	return ask_as(world, CONTROL_DEVICE, (uint32_t)REQUEST, parameters);
}

/* Returns the recorded answer; 0 if no recorded call matches. */
static uint32_t answer(struct world *world, uint32_t question)
{
	const struct trace_message *found = ask(world, (struct parameters){ .question = question });
	struct parameters after = { .answer = 0 };

	if (found)
		memcpy(&after, found->after.bytes, sizeof(after));
	return after.answer;
}

static void the_same_question_gets_the_recorded_answer(void **state)
{
	struct world *world = *state;

	record(world, 1, 11);
	record(world, 2, 22);
	replay_index(world->replay, &world->scope);
	assert_int_equal(answer(world, 2), 22);
	assert_int_equal(answer(world, 1), 11);
}

static void the_same_question_again_gets_the_next_answer_and_then_none(void **state)
{
	struct world *world = *state;

	record(world, 1, 11);
	record(world, 1, 12);
	replay_index(world->replay, &world->scope);
	assert_int_equal(answer(world, 1), 11);
	assert_int_equal(answer(world, 1), 12);
	assert_int_equal(answer(world, 1), 0);
}

static void another_question_gets_none(void **state)
{
	struct world *world = *state;

	record(world, 1, 11);
	replay_index(world->replay, &world->scope);
	assert_int_equal(answer(world, 3), 0);
}

static void another_device_or_request_gets_none(void **state)
{
	const struct parameters parameters = { .question = 1 };
	struct world *world = *state;

	record(world, 1, 11);
	replay_index(world->replay, &world->scope);
	assert_null(ask_as(world, "/dev/nvidia0", (uint32_t)REQUEST, parameters));
	assert_null(ask_as(world, CONTROL_DEVICE, (uint32_t)OTHER_REQUEST, parameters));
	assert_non_null(ask_as(world, CONTROL_DEVICE, (uint32_t)REQUEST, parameters));
}

static void what_the_driver_overwrote_may_differ(void **state)
{
	struct world *world = *state;

	record(world, 1, 11);
	replay_index(world->replay, &world->scope);
	assert_non_null(ask(world, (struct parameters){ .question = 1, .answer = 99 }));
}

static void equal_inputs_come_before_such_that_nearly_are(void **state)
{
	const struct parameters before = { .question = 1, .answer = 99 },
				after = { .question = 1, .answer = 12 };
	const struct trace_message message = message_of(&before, &after);
	struct world *world = *state;
	const struct trace_message *found;

	record(world, 1, 11);
	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	found = ask(world, before);
	assert_non_null(found);
	assert_memory_equal(found->after.bytes, &after, sizeof(after));
}

/* Records a call in which the driver changes the answer from @before_answer to @after_answer. */
static void record_change(struct world *world, uint32_t before_answer, uint32_t after_answer)
{
	const struct parameters before = { .question = 1, .answer = before_answer },
				after = { .question = 1, .answer = after_answer };
	const struct trace_message message = message_of(&before, &after);

	replay_add(world->replay, &message);
}

static void of_several_that_nearly_are_the_first_of_the_trace_answers(void **state)
{
	const struct parameters asked = { .question = 1, .answer = 0x0505 };
	struct world *world = *state;

	record_change(world, 0x0500, 0x0511); /* changes the low byte */
	record_change(world, 0x0005, 0x1105); /* changes the byte above it */
	record_change(world, 0x0505, 0x0555); /* changes the low byte again */
	record_change(world, 0x0900, 0x0911); /* differs in the byte that is not changed */
	record_change(world, 0x0509, 0x0599);
	replay_index(world->replay, &world->scope);
	assert_int_equal(((const struct parameters *)ask(world, asked)->before.bytes)->answer, 0x0505);
	assert_int_equal(((const struct parameters *)ask(world, asked)->before.bytes)->answer, 0x0500);
	assert_int_equal(((const struct parameters *)ask(world, asked)->before.bytes)->answer, 0x0005);
	assert_int_equal(((const struct parameters *)ask(world, asked)->before.bytes)->answer, 0x0509);
	assert_null(ask(world, asked));
}

/* Comparing each call of the workload with each recorded call would take 400 million comparisons. */
static void many_calls_without_an_answer_take_no_long(void **state)
{
	struct world *world = *state;
	const clock_t began = clock();

	for (uint32_t i = 0; i < 20000; i++)
		record(world, i, 1);
	replay_index(world->replay, &world->scope);
	for (uint32_t i = 0; i < 20000; i++)
		assert_int_equal(answer(world, 0x10000 + i), 0);
	assert_true(clock() - began < 10 * CLOCKS_PER_SEC);
}

static void what_is_asked_oftener_gets_the_last_answer_again(void **state)
{
	struct world *world = *state;

	world->is_lenient = true;
	record(world, 1, 11);
	record(world, 1, 12);
	record(world, 2, 22);
	replay_index(world->replay, &world->scope);
	assert_int_equal(replay_unasked(world->replay), 3);
	assert_int_equal(answer(world, 1), 11);
	assert_int_equal(world->fit, REPLAY_EXACT);
	assert_int_equal(answer(world, 1), 12);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(answer(world, 1), 12);
		assert_int_equal(world->fit, REPLAY_REPEATED);
	}
	assert_int_equal(answer(world, 3), 0);
	assert_int_equal(world->fit, REPLAY_REFUSED);
	assert_int_equal(replay_unasked(world->replay), 1);
	/* also if only bytes that the driver wrote differ */
	assert_non_null(ask(world, (struct parameters){ .question = 2, .answer = 7 }));
	assert_int_equal(world->fit, REPLAY_SIMILAR);
	assert_non_null(ask(world, (struct parameters){ .question = 2, .answer = 8 }));
	assert_int_equal(world->fit, REPLAY_REPEATED);
}

/* Makes parameters whose first word is @address. The driver does not change this word. */
static struct parameters at_address(uint64_t address)
{
	return (struct parameters){ .question = (uint32_t)address, .answer = (uint32_t)(address >> 32) };
}

static void record_at(struct world *world, uint64_t address, uint32_t count)
{
	struct parameters before = at_address(address), after;
	struct trace_message message = message_of(&before, &after);

	before.count = count;
	after = before;
	after.fd = 77;
	replay_add(world->replay, &message);
}

static void an_address_may_be_another_one_if_it_is_the_workload_s_own(void **state)
{
	static char own[1];
	const uint64_t address = (uintptr_t)own, recorded = 0x7abc00000000 | (address & 0xfff);
	struct world *world = *state;
	struct strbuf differences = { 0 };

	record_at(world, recorded, 0);
	record_at(world, recorded + 0x1000, 0);
	replay_index(world->replay, &world->scope);
	assert_null(ask(world, at_address(address)));
	world->is_lenient = true;
	assert_null(ask(world, at_address(address + 1)));               /* a different offset in the page */
	assert_null(ask(world, at_address(0x2abc00000000 | (address & 0xfff)))); /* not mapped */
	assert_null(ask(world, at_address(address & 0xffffffff)));     /* not an address */
	assert_non_null(ask(world, at_address(address)));
	assert_int_equal(world->fit, REPLAY_SIMILAR);
	replay_differences(&differences, &world->recorded, &world->call);
	assert_non_null(strstr(strbuf_text(&differences), " of the argument"));
	assert_int_equal(replay_unasked(world->replay), 1);
	assert_non_null(ask(world, at_address(recorded + 0x1000)));
	assert_int_equal(world->fit, REPLAY_EXACT);
	assert_non_null(ask(world, at_address(address)));
	assert_int_equal(world->fit, REPLAY_REPEATED);
	strbuf_release(&differences);
}

/* @garbage: the value of the padding, which the driver does not read */
static struct parameters padded(uint8_t garbage, uint8_t question, uint64_t number, uint32_t status)
{
	const struct padded fields_set = { .question = question, .number = number, .status = status };
	struct parameters bytes;

	memset(&bytes, garbage, sizeof(bytes));
	memcpy(&bytes, &fields_set.question, 1);
	memcpy((uint8_t *)&bytes + 8, &fields_set.number, 8);
	memcpy((uint8_t *)&bytes + 16, &fields_set.status, 4);
	return bytes;
}

static void record_padded(struct world *world, const struct parameters *before)
{
	struct trace_message message = message_of(before, before);

	message.request = (uint32_t)PADDED_REQUEST;
	replay_add(world->replay, &message);
}

static const struct trace_message *ask_padded(struct world *world, struct parameters asked)
{
	return ask_as(world, CONTROL_DEVICE, (uint32_t)PADDED_REQUEST, asked);
}

static void padding_and_the_status_may_differ_and_nothing_else(void **state)
{
	const struct parameters first = padded(1, 7, 70, 0), second = padded(2, 7, 70, 0);
	struct world *world = *state;
	struct strbuf differences = { 0 };

	record_padded(world, &first);
	record_padded(world, &second);
	replay_index(world->replay, &world->scope);
	assert_null(ask_padded(world, padded(9, 7, 70, 0)));
	world->is_lenient = true;
	assert_null(ask_padded(world, padded(9, 8, 70, 0)));
	assert_null(ask_padded(world, padded(9, 7, 71, 0)));
	assert_memory_equal(ask_padded(world, padded(9, 7, 70, 5))->before.bytes, &first, sizeof(first));
	assert_int_equal(world->fit, REPLAY_SIMILAR);
	replay_differences(&differences, &world->recorded, &world->call);
	assert_string_equal(
		strbuf_text(&differences),
		"bytes 1-7 of the argument, byte 16 of the argument, bytes 20-23 of the argument");
	assert_memory_equal(ask_padded(world, padded(9, 7, 70, 0))->before.bytes, &second, sizeof(second));
	assert_int_equal(world->fit, REPLAY_SIMILAR);
	assert_memory_equal(ask_padded(world, padded(9, 7, 70, 0))->before.bytes, &second, sizeof(second));
	assert_int_equal(world->fit, REPLAY_REPEATED);
	strbuf_release(&differences);
}

static void of_several_addresses_that_with_the_other_inputs_answers(void **state)
{
	static char own[1];
	const uint64_t address = (uintptr_t)own, recorded = 0x7abc00000000 | (address & 0xfff);
	struct parameters asked = at_address(address);
	struct world *world = *state;

	world->is_lenient = true;
	record_at(world, recorded, 0x4001);
	record_at(world, recorded, 0x4002);
	replay_index(world->replay, &world->scope);
	asked.count = 0x4003; /* makes the word look like an address */
	assert_null(ask(world, asked));
	asked.count = 0x4002;
	assert_non_null(ask(world, asked));
	assert_int_equal(world->recorded.regions[0].before.text[12], 2);
}

static void pointers_and_descriptors_are_no_inputs(void **state)
{
	const struct parameters before = { .question = 1, .fd = 5, .count = 2, .list = 0x2000 };
	const uint32_t zeros[2] = { 0, 0 }, numbers[2] = { 7, 8 };
	const struct trace_memory memory = { .address = 0x2000,
					     .size_bytes = sizeof(numbers),
					     .before = { (const uint8_t *)zeros, sizeof(zeros) },
					     .after = { (const uint8_t *)numbers, sizeof(numbers) } };
	struct trace_message message = message_of(&before, &before);
	struct world *world = *state;

	message.memory = &memory;
	message.memory_count = 1;
	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	assert_null(ask(world, (struct parameters){ .question = 1,
						    .fd = 9,
						    .count = 3,
						    .list = 0x5000 })); /* the list has a different size */
	assert_non_null(
		ask(world, (struct parameters){ .question = 1, .fd = 9, .count = 2, .list = 0x5000 }));
	assert_int_equal(world->recorded.count, 2);
	assert_int_equal(world->recorded.regions[1].after.length, sizeof(numbers));
	assert_memory_equal(world->recorded.regions[1].after.text, numbers, sizeof(numbers));
}

/* gVisor's sniffer records neither the argument's address nor the bytes from before the call. */
static void without_the_bytes_before_what_is_asked_does_not_count(void **state)
{
	const struct parameters after = { .question = 1, .answer = 11 };
	struct trace_message message = message_of(&after, &after);
	struct world *world = *state;

	message.before = (struct trace_bytes){ NULL, 0 };
	message.argument = message.start_ns = message.end_ns = 0;
	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	assert_int_equal(answer(world, 3), 11);
	assert_int_equal(world->recorded.regions[0].before.length, 0);
}

static void a_call_that_never_ended_answers_nothing(void **state)
{
	const struct parameters before = { .question = 1 };
	struct trace_message message = message_of(&before, &before);
	struct world *world = *state;

	message.end_ns = 0;
	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	assert_null(ask(world, before));
}

static void a_recorded_call_may_have_fewer_bytes_than_its_request(void **state)
{
	const struct parameters before = { .question = 1 };
	struct trace_message message = message_of(&before, &before);
	struct world *world = *state;

	message.before.size_bytes = 2;
	message.after.size_bytes = 2;
	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	assert_null(ask(world, (struct parameters){ .question = 0x10000 }));
	assert_int_equal(world->recorded.count, 0);
}

static void each_mmap_of_a_size_and_offset_is_used_once(void **state)
{
	const struct trace_message message = { .kind = TRACE_MMAP,
					       .fd_path = CONTROL_DEVICE,
					       .map_size_bytes = 4096,
					       .map_offset = 8192,
					       .ret = -1 };
	struct world *world = *state;

	replay_add(world->replay, &message);
	replay_index(world->replay, &world->scope);
	assert_null(replay_match_mmap(world->replay, CONTROL_DEVICE, 4096, 0));
	assert_null(replay_match_mmap(world->replay, CONTROL_DEVICE, 8192, 8192));
	assert_null(replay_match_mmap(world->replay, "/dev/nvidia0", 4096, 8192));
	assert_int_equal(replay_match_mmap(world->replay, CONTROL_DEVICE, 4096, 8192)->ret, -1);
	assert_null(replay_match_mmap(world->replay, CONTROL_DEVICE, 4096, 8192));
}

static void it_knows_the_version_and_the_devices(void **state)
{
	char version[] = "590.48.01", path[] = CONTROL_DEVICE;
	const struct trace_message header = {
		.kind = TRACE_HEADER, .fd_path = "", .version = version, .target = "", .command = ""
	};
	const struct trace_message open = { .kind = TRACE_OPEN, .fd_path = path };
	struct world *world = *state;

	assert_string_equal(replay_version(world->replay), "");
	assert_true(replay_is_empty(world->replay));
	replay_add(world->replay, &header);
	assert_true(replay_is_empty(world->replay));
	replay_add(world->replay, &open);
	memset(version, 'x', sizeof(version) - 1); /* the replay has a copy */
	memset(path, 'x', sizeof(path) - 1);
	assert_string_equal(replay_version(world->replay), "590.48.01");
	assert_false(replay_is_empty(world->replay));
	assert_true(replay_has_device(world->replay, CONTROL_DEVICE));
	assert_false(replay_has_device(world->replay, "/dev/nvidia0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_same_question_gets_the_recorded_answer, begin, end),
		cmocka_unit_test_setup_teardown(the_same_question_again_gets_the_next_answer_and_then_none,
						begin, end),
		cmocka_unit_test_setup_teardown(another_question_gets_none, begin, end),
		cmocka_unit_test_setup_teardown(another_device_or_request_gets_none, begin, end),
		cmocka_unit_test_setup_teardown(what_the_driver_overwrote_may_differ, begin, end),
		cmocka_unit_test_setup_teardown(equal_inputs_come_before_such_that_nearly_are, begin, end),
		cmocka_unit_test_setup_teardown(of_several_that_nearly_are_the_first_of_the_trace_answers,
						begin, end),
		cmocka_unit_test_setup_teardown(many_calls_without_an_answer_take_no_long, begin, end),
		cmocka_unit_test_setup_teardown(what_is_asked_oftener_gets_the_last_answer_again, begin, end),
		cmocka_unit_test_setup_teardown(an_address_may_be_another_one_if_it_is_the_workload_s_own,
						begin, end),
		cmocka_unit_test_setup_teardown(padding_and_the_status_may_differ_and_nothing_else, begin,
						end),
		cmocka_unit_test_setup_teardown(of_several_addresses_that_with_the_other_inputs_answers,
						begin, end),
		cmocka_unit_test_setup_teardown(pointers_and_descriptors_are_no_inputs, begin, end),
		cmocka_unit_test_setup_teardown(without_the_bytes_before_what_is_asked_does_not_count, begin,
						end),
		cmocka_unit_test_setup_teardown(a_call_that_never_ended_answers_nothing, begin, end),
		cmocka_unit_test_setup_teardown(a_recorded_call_may_have_fewer_bytes_than_its_request, begin,
						end),
		cmocka_unit_test_setup_teardown(each_mmap_of_a_size_and_offset_is_used_once, begin, end),
		cmocka_unit_test_setup_teardown(it_knows_the_version_and_the_devices, begin, end),
	};

	return cmocka_run_group_tests_name("replay", tests, make_document, free_document);
}
