/*
 * Tests which recorded call answers a call of the workload.
 *
 * A row has the lines of a trace and the calls of the workload. Each line is a call:
 *
 *   [/dev/PATH] [hook|unended|cut] [IOCTL] FIELD=VALUE ... [=> FIELD=VALUE ...]
 *
 *   =>       the fields that the driver changed
 *   hook     gVisor's hook recorded it, without the argument's address and the bytes from before the call
 *   unended  the end of the call was not recorded
 *   cut      only two bytes were recorded
 *
 * The default is the ioctl ONE of /dev/nvidiactl. value_of() has the names of addresses. The workload's
 * calls end with ": FIT LINE (DIFFERENCES)": the expected answer, and its line in the trace. Matches are
 * strict until the line "lenient". The line "unasked : COUNT" has the number of unused recorded calls.
 */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <unistd.h>

#define CONTROL_DEVICE "/dev/nvidiactl"

/* REQUEST is _IOWR('F', 0, 24 bytes). */
enum { ADDRESS = 0x1000, SIZE_BYTES = 24, CUT_BYTES = 2, REQUEST = (int)0xc0184600 };

static struct arena documents;
static struct abi abi;

static int make_document(void **state)
{
	abi = *document_of(
		"struct PARAMETERS 24/8 { NvU32 ask@0; NvU32 answer@4; NvS32 fd@8 fd; NvU32 count@12; "
		"NvP64 list@16 pointer } ioctl frontend/ONE 1 PARAMETERS ioctl frontend/TWO 2 PARAMETERS "
		"struct PADDED 24/8 { NvU8 ask@0; NvU64 number@8; NvU32 status@16 status } "
		"ioctl frontend/PADDED 3 PADDED "
		"struct PLACE 24/8 { NvU64 at@0; NvS32 fd@8 fd; NvU32 count@12; NvU64 rest@16 } "
		"ioctl frontend/PLACE 4 PLACE "
		"struct WIDE 24/8 { NvU64 fd@0 fd; NvU32 ask@8; NvU32 answer@12; NvU64 rest@16 } "
		"ioctl frontend/WIDE 5 WIDE",
		&documents);
	abi.driver = "nvidia";
	abi.version = "590.48.01";
	return 0;
}

static int free_document(void **state)
{
	arena_release(&documents);
	return 0;
}

static const struct pointer_rule list = {
	.record = "PARAMETERS", .path = "list", .count = "count", .element = "NvU32", .direction = USE_OUT
};
static const struct pointer_rules rules = { &list, 1 };
static const struct device_rule device_list[] = { { .path = CONTROL_DEVICE, .family = "frontend" },
						  { .path = "/dev/nvidia#", .family = "frontend" } };
static const struct device_rules devices = { .rules = device_list, .count = 2 };

/* --- calls as text ---------------------------------------------------------------------------------- */

struct call_line {
	char path[32], how; /* the first letter of "hook", "unended" or "cut"; '\0': the whole call */
	uint64_t request, list, numbers; /* the driver wrote @numbers to the list, which was 0; 0: no list */
	uint8_t before[SIZE_BYTES], after[SIZE_BYTES];
};

/* Returns a number, or an address that has a name. */
static uint64_t value_of(const char *text)
{
	static char mapped[1];
	const uint64_t own = (uintptr_t)mapped;
	const struct {
		const char *name;
		uint64_t value;
	} addresses[] = {
		{ "own", own }, /* the workload is this process */
		{ "own+1", own + 1 },
		{ "theirs", own ^ 0x105a5a5a5000 }, /* recorded: bytes 1 to 5 differ from the own address */
		{ "theirs2", own ^ 0x105a5a5a4000 },
		{ "unmapped", 0x2abc00000000 | (own & 0xfff) },
		{ "low", own & 0xffffffff }, /* lower than all addresses that the kernel chooses */
	};

	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		if (!strcmp(text, addresses[i].name))
			return addresses[i].value;
	return strtoull(text, NULL, 0);
}

/* Sets "FIELD=VALUE" in @bytes: a field of @record, its padding, or the numbers of its list. */
static void set_field(struct call_line *call, uint8_t *bytes, const char *record, const char *word)
{
	const struct abi_record *found = abi_find_record(&abi, record);
	const uint64_t value = value_of(strchr(word, '=') + 1);

	if (begins(word, "numbers=")) {
		call->numbers = value;
		return;
	}
	if (begins(word, "padding=")) {
		memset(bytes + 1, (int)value, 7);
		memset(bytes + 20, (int)value, 4);
		return;
	}
	if (begins(word, "list="))
		call->list = value;
	for (size_t i = 0; i < found->field_count; i++) {
		const struct abi_field *field = &found->fields[i];

		if (begins(word, field->name) && word[strlen(field->name)] == '=') {
			memcpy(bytes + field->offset_bits / 8, &value, field->size_bits / 8);
			return;
		}
	}
	fail_msg("no field: %s", word);
}

static void read_call(struct call_line *out, const char *text)
{
	const struct abi_ioctl *ioctl = abi_find_ioctl(&abi, "frontend", "ONE");
	struct arena arena = { 0 };
	bool is_after = false;

	*out = (struct call_line){ .path = CONTROL_DEVICE };
	for (char *word; *(word = document_word(&text, &arena));) {
		if (*word == '/')
			snprintf(out->path, sizeof(out->path), "%s", word);
		else if (isupper(*word))
			assert_non_null(ioctl = abi_find_ioctl(&abi, "frontend", word));
		else if (!strcmp(word, "=>"))
			is_after = true;
		else if (!strchr(word, '='))
			out->how = *word;
		else if (is_after)
			set_field(out, out->after, ioctl->params, word);
		else
			set_field(out, out->before, ioctl->params, word);
		if (!is_after)
			memcpy(out->after, out->before, SIZE_BYTES);
	}
	out->request = (uint32_t)REQUEST + ioctl->number;
	arena_release(&arena);
}

/* --- the trace and the workload ---------------------------------------------------------------------- */

struct world {
	struct gather_scope scope;
	struct replay *replay;
	struct call_line *recorded; /* the lines of the trace */
	size_t count, capacity;
	uint64_t next_address;
	bool is_lenient;
};

static void world_init(struct world *world)
{
	*world = (struct world){ .scope = { .abi = &abi, .pointers = &rules, .devices = &devices,
					   .region_bytes = 4096 },
				 .replay = replay_new(),
				 .next_address = 0x7000 };
}

static void world_release(struct world *world)
{
	replay_free(world->replay);
	traits_release(&world->scope);
	free(world->recorded);
}

/* Adds a line to the trace. The thread id in the message is the number of the line. */
static void record(struct world *world, const char *text)
{
	static const uint64_t zero;
	struct call_line *call;

	ARRAY_GROW(world->recorded, world->count, world->capacity);
	read_call(call = &world->recorded[world->count++], text);
	const bool is_of_hook = call->how == 'h';
	const size_t size_bytes = call->how == 'c' ? CUT_BYTES : SIZE_BYTES;
	const struct trace_memory memory = { .address = call->list,
					     .size_bytes = sizeof(zero),
					     .before = { (const uint8_t *)&zero, sizeof(zero) },
					     .after = { (const uint8_t *)&call->numbers, sizeof(zero) } };
	const struct trace_message message = { .kind = TRACE_IOCTL,
					       .fd_path = call->path,
					       .request = call->request,
					       .argument = is_of_hook ? 0 : ADDRESS,
					       .start_ns = is_of_hook ? 0 : 1,
					       .end_ns = is_of_hook || call->how == 'u' ? 0 : 2,
					       .before = { is_of_hook ? NULL : call->before,
							   is_of_hook ? 0 : size_bytes },
					       .after = { call->after, size_bytes },
					       .memory = &memory,
					       .memory_count = call->numbers != 0,
					       .tid = (uint32_t)world->count };

	replay_add(world->replay, &message);
}

/* Reads the workload's memory: the list has zeros, and every other address has the parameters. */
static size_t read_workload(void *out, void *data, uint64_t address, size_t size_bytes)
{
	const struct call_line *call = data;

	memset(out, 0, size_bytes);
	if (address != call->list)
		memcpy(out, call->before, size_bytes < SIZE_BYTES ? size_bytes : SIZE_BYTES);
	return size_bytes;
}

static void assert_holds(const struct strbuf *got, const void *bytes, size_t size_bytes)
{
	assert_int_equal(got->length, size_bytes);
	if (size_bytes)
		assert_memory_equal(got->text, bytes, size_bytes);
}

/* The answer must have the bytes of its line, and the numbers that the driver wrote to the list. */
static void assert_is_of(const struct gathered *recorded, const struct trace_message *found,
			 const struct call_line *line)
{
	const bool has_list = line->numbers != 0;

	assert_int_equal(recorded->count, 1 + has_list);
	assert_holds(&recorded->regions[0].before, line->before, line->how == 'h' ? 0 : SIZE_BYTES);
	assert_holds(&recorded->regions[0].after, line->after, SIZE_BYTES);
	if (has_list)
		assert_holds(&recorded->regions[1].after, &line->numbers, sizeof(line->numbers));
	assert_int_equal(found->after.size_bytes, SIZE_BYTES);
	assert_memory_equal(found->after.bytes, line->after, SIZE_BYTES);
}

/* Appends the answer to a call of the workload. */
static void ask(struct strbuf *out, struct world *world, const char *text)
{
	static const char *const fits[] = { "exact", "similar", "repeated", "refused" };
	struct gathered call = { .count = 0 }, recorded = { .count = 0 };
	struct strbuf differences = { 0 };
	const struct trace_message *found;
	enum replay_fit fit;
	struct call_line line;
	struct call first;

	read_call(&line, text);
	identify_ioctl(&first, &world->scope, line.path, line.request, world->next_address += 0x1000);
	gather_before(&call, &first, &(struct gather_source){ read_workload, &line }, &world->scope);
	found = replay_match(&recorded, &fit, world->replay,
			     &(struct replay_question){ line.path, line.request, &call, getpid(),
							!world->is_lenient });
	strbuf_adds(out, fits[fit]);
	if (found) {
		assert_is_of(&recorded, found, &world->recorded[found->tid - 1]);
		strbuf_addf(out, " %u", found->tid);
		replay_differences(&differences, &recorded, &call);
	} else {
		assert_int_equal(recorded.count, 0);
	}
	if (differences.length)
		strbuf_addf(out, " (%s)", strbuf_text(&differences));
	strbuf_release(&differences);
	gathered_release(&call);
	gathered_release(&recorded);
}

static char *next_line(const char **text, struct arena *arena)
{
	const size_t length = strcspn(*text, "\n");
	char *line = arena_strndup(arena, *text, length);

	*text += length + ((*text)[length] == '\n');
	return line;
}

static bool answers_differ(const char *fact, const char *trace, const char *workload)
{
	struct arena arena = { 0 };
	struct strbuf got = { 0 };
	struct world world;

	world_init(&world);
	while (*trace)
		record(&world, next_line(&trace, &arena));
	replay_index(world.replay, &world.scope);
	for (const char *at = workload; *at;) {
		char *line = next_line(&at, &arena), *answer = strstr(line, " : ");

		if (answer)
			*answer = '\0';
		strbuf_addf(&got, answer ? "%s : " : "%s", line);
		if (!strcmp(line, "lenient"))
			world.is_lenient = true;
		else if (!strcmp(line, "unasked"))
			strbuf_addf(&got, "%zu", replay_unasked(world.replay));
		else
			ask(&got, &world, line);
		strbuf_addch(&got, '\n');
	}
	world_release(&world);
	arena_release(&arena);
	return text_differs(fact, &got, workload);
}

TEST(a_recorded_call_answers_a_call)
{
	static const struct {
		const char *fact, *trace, *workload;
	} rows[] = {
		{ "the same inputs get the recorded answer",
		  "ask=1 => answer=11\n" "ask=2 => answer=22\n",
		  "ask=2 : exact 2\n" "ask=1 : exact 1\n" },
		{ "the same inputs again get the next answer, and then none",
		  "ask=1 => answer=11\n" "ask=1 => answer=12\n",
		  "ask=1 : exact 1\n" "ask=1 : exact 2\n" "ask=1 : refused\n" },
		{ "different inputs, or a different device or request, get none",
		  "ask=1 => answer=11\n",
		  "ask=3 : refused\n" "/dev/nvidia0 ask=1 : refused\n" "TWO ask=1 : refused\n"
		  "ask=1 : exact 1\n" },
		{ "bytes that the driver overwrote may differ",
		  "ask=1 => answer=11\n",
		  "ask=1 answer=99 : similar 1 (byte 4 of the argument)\n" },
		{ "equal inputs are preferred to nearly equal inputs",
		  "ask=1 => answer=11\n" "ask=1 answer=99 => answer=12\n",
		  "ask=1 answer=99 : exact 2\n" },
		{ "of several calls with nearly equal inputs, the first in the trace answers",
		  "ask=1 answer=0x0500 => answer=0x0511\n"
		  "ask=1 answer=0x0005 => answer=0x1105\n" /* the driver changes the byte above */
		  "ask=1 answer=0x0505 => answer=0x0555\n"
		  "ask=1 answer=0x0900 => answer=0x0911\n" /* differs in the byte that is not changed */
		  "ask=1 answer=0x0509 => answer=0x0599\n",
		  "ask=1 answer=0x0505 : exact 3\n"
		  "ask=1 answer=0x0505 : similar 1 (byte 4 of the argument)\n"
		  "ask=1 answer=0x0505 : similar 2 (byte 5 of the argument)\n"
		  "ask=1 answer=0x0505 : similar 5 (byte 4 of the argument)\n"
		  "ask=1 answer=0x0505 : refused\n" },
		{ "a call that is made again gets the last answer again, even if overwritten bytes differ",
		  "ask=1 => answer=11\n" "ask=1 => answer=12\n" "ask=2 => answer=22\n",
		  "lenient\n" "unasked : 3\n"
		  "ask=1 : exact 1\n" "ask=1 : exact 2\n"
		  "ask=1 : repeated 2\n" "ask=1 : repeated 2\n" "ask=1 : repeated 2\n"
		  "ask=3 : refused\n" "unasked : 1\n"
		  "ask=2 answer=7 : similar 3 (byte 4 of the argument)\n"
		  "ask=2 answer=8 : repeated 3 (byte 4 of the argument)\n" },
		{ "an address may differ if the workload has mapped it, at the same offset in the page",
		  "PLACE at=theirs => fd=77\n" "PLACE at=theirs2 => fd=77\n",
		  "PLACE at=own : refused\n"
		  "lenient\n"
		  "PLACE at=own+1 : refused\n" "PLACE at=unmapped : refused\n" "PLACE at=low : refused\n"
		  "PLACE at=own : similar 1 (bytes 1-5 of the argument)\n"
		  "unasked : 1\n"
		  "PLACE at=theirs2 : exact 2\n"
		  "PLACE at=own : repeated 2 (bytes 1-5 of the argument)\n" },
		{ "of several calls with addresses, the one with the same other inputs answers",
		  "PLACE at=theirs count=0x4001 => fd=77\n" "PLACE at=theirs count=0x4002 => fd=77\n",
		  "lenient\n"
		  "PLACE at=own count=0x4003 : refused\n"
		  "PLACE at=own count=0x4002 : similar 2 (bytes 1-5 of the argument)\n" },
		{ "words that look like addresses, but are not mapped, must be the same",
		  "PLACE at=theirs count=0x4001\n" "PLACE at=theirs count=0x4002\n",
		  "lenient\n"
		  "PLACE at=own count=0x4003 : refused\n"
		  "PLACE at=own count=0x4002 : similar 2 (bytes 1-5 of the argument)\n" },
		{ "padding and the status may differ, and nothing else",
		  "PADDED padding=1 ask=7 number=70\n" "PADDED padding=2 ask=7 number=70\n",
		  "PADDED padding=9 ask=7 number=70 : refused\n"
		  "lenient\n"
		  "PADDED padding=9 ask=8 number=70 : refused\n"
		  "PADDED padding=9 ask=7 number=71 : refused\n"
		  "PADDED padding=9 ask=7 number=70 status=5 : similar 1 "
		  "(bytes 1-7 of the argument, byte 16 of the argument, bytes 20-23 of the argument)\n"
		  "PADDED padding=9 ask=7 number=70 : similar 2 "
		  "(bytes 1-7 of the argument, bytes 20-23 of the argument)\n"
		  "PADDED padding=9 ask=7 number=70 : repeated 2 "
		  "(bytes 1-7 of the argument, bytes 20-23 of the argument)\n" },
		{ "pointers and descriptors are not inputs, but the size of a list is",
		  "ask=1 fd=5 count=2 list=0x2000 => numbers=0x800000007\n",
		  "ask=1 fd=9 count=3 list=0x5000 : refused\n"
		  "ask=1 fd=9 count=2 list=0x5000 : exact 1\n" },
		{ "all 64 bits of a descriptor are not inputs, but those of an integer are",
		  "WIDE fd=5 ask=1 rest=6 => answer=11\n",
		  "WIDE fd=0x900000009 ask=1 rest=0x900000006 : refused\n"
		  "WIDE fd=0x900000009 ask=1 rest=6 : exact 1\n" },
		{ "inputs are not compared without the bytes from before the call",
		  "hook ask=1 => answer=11\n",
		  "ask=3 : similar 1\n" },
		{ "a call with these bytes does not hide one without them",
		  "ask=1\n" "hook ask=1\n", "ask=5 : similar 2\n" "ask=1 : exact 1\n" },
		{ "a call that never ended answers nothing", "unended ask=1\n", "ask=1 : refused\n" },
		{ "a recorded call may have fewer bytes than its request",
		  "cut ask=1\n", "ask=0x10000 : refused\n" },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		failed += answers_differ(rows[i].fact, rows[i].trace, rows[i].workload);
	assert_int_equal(failed, 0);
}

/* Comparing each call of the workload with each recorded call would take 400 million comparisons. */
TEST(many_calls_without_an_answer_do_not_take_long)
{
	enum { MANY = 20000 };
	const clock_t began = clock();
	struct strbuf answer = { 0 };
	struct world world;
	char line[64];

	world_init(&world);
	for (int i = 0; i < MANY; i++) {
		snprintf(line, sizeof(line), "ask=%d => answer=1", i);
		record(&world, line);
	}
	replay_index(world.replay, &world.scope);
	for (int i = 0; i < MANY; i++) {
		snprintf(line, sizeof(line), "ask=%d", 0x10000 + i);
		strbuf_reset(&answer);
		ask(&answer, &world, line);
		assert_string_equal(strbuf_text(&answer), "refused");
	}
	assert_true(clock() - began < 10 * CLOCKS_PER_SEC);
	strbuf_release(&answer);
	world_release(&world);
}

TEST(each_mmap_of_a_size_and_offset_is_used_once)
{
	const struct trace_message message = { .kind = TRACE_MMAP,
					       .fd_path = CONTROL_DEVICE,
					       .map_size_bytes = 4096,
					       .map_offset = 8192,
					       .ret = -1 };
	struct world world;

	world_init(&world);
	replay_add(world.replay, &message);
	replay_index(world.replay, &world.scope);
	assert_null(replay_match_mmap(world.replay, CONTROL_DEVICE, 4096, 0));
	assert_null(replay_match_mmap(world.replay, CONTROL_DEVICE, 8192, 8192));
	assert_null(replay_match_mmap(world.replay, "/dev/nvidia0", 4096, 8192));
	assert_int_equal(replay_match_mmap(world.replay, CONTROL_DEVICE, 4096, 8192)->ret, -1);
	assert_null(replay_match_mmap(world.replay, CONTROL_DEVICE, 4096, 8192));
	world_release(&world);
}

TEST(it_knows_the_version_and_the_devices)
{
	char version[] = "590.48.01", path[] = CONTROL_DEVICE;
	const struct trace_message header = { .kind = TRACE_HEADER, .fd_path = "", .version = version },
				   open = { .kind = TRACE_OPEN, .fd_path = path };
	struct replay *replay = replay_new();

	assert_string_equal(replay_version(replay), "");
	assert_true(replay_is_empty(replay));
	replay_add(replay, &header);
	assert_true(replay_is_empty(replay));
	replay_add(replay, &open);
	memset(version, 'x', sizeof(version) - 1); /* the replay has a copy */
	memset(path, 'x', sizeof(path) - 1);
	assert_string_equal(replay_version(replay), "590.48.01");
	assert_false(replay_is_empty(replay));
	assert_true(replay_has_device(replay, CONTROL_DEVICE));
	assert_false(replay_has_device(replay, "/dev/nvidia0"));
	replay_free(replay);
}

TEST_GROUP(make_document, free_document)
