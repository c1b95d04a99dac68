/*
 * Tests of requests, envelopes, and the memory at pointers, with a small document that has names of the
 * driver. The result of a row is text:
 *
 *   frontend 0x2a                          the family and the number of a request
 *   control CMD TWO[8] at 0x1000 0100…     a call inside an envelope; the size is not in brackets if the
 *                                          envelope has none
 *   list@8 -> 0x1000 NvU32 x 2 by count inout [8] 0100…
 *                                          the pointer "list" at byte 8, its rule, and the memory at it
 */
#include "decode/fixture_test.h"
#include "decode/internal.h"

#include <sys/sysmacros.h>

/*
 * The fields of NVOS54_PARAMETERS are 4 bytes after those of the driver, to test that the document decides
 * the offsets. @alloc: the size and the fields of NVOS64_PARAMETERS
 */
#define DOCUMENT(alloc)                                                                                      \
	"struct EVENT 8 { NvU32 hClass@4 } struct TWO 8 { NvU32 a@0; NvU32 b@4 } "                           \
	"struct F 4/4 { NvS32 fd@0 fd } struct W 8/8 { NvU64 desc@0 fd } "                                   \
	"struct FDS 24/8 { NvS32 fd@0 fd; F inner@4; W[2] wide@8+16 } "                                      \
	"struct LIST 16/8 { NvU32 count@0; NvU32 kind@4; NvP64 list@8 } "                                    \
	"struct NVOS21_PARAMETERS 32/8 { NvU32 hClass@12; NvP64 pAllocParms@16; NvU32 paramsSize@24 } "      \
	"struct NVOS32_PARAMETERS 24/8 { NvU32 function@8; U data@16+8 } "                                   \
	"struct NVOS54_PARAMETERS 32/8 { NvU32 flags@0; NvU32 cmd@12; NvP64 params@16; "                     \
	"NvU32 paramsSize@24; NvU32 status@28 } struct NVOS64_PARAMETERS " alloc " "                         \
	"struct nv_ioctl_xfer_t 16/8 { NvU32 cmd@0; NvU32 size@4; NvP64 ptr@8 } "                            \
	"ioctl alloc/NV01_EVENT 5 EVENT ioctl alloc/CLASS 0x2080 NvU32 ioctl CMD 0x20800101 TWO "            \
	"ioctl GET_LIST 0x20800102 LIST ioctl SET_FDS 0x20800103 FDS "                                       \
	"ioctl frontend/NV_ESC_RM_CONTROL 0x2a NVOS54_PARAMETERS "                                           \
	"ioctl frontend/NV_ESC_RM_ALLOC 0x2b NVOS64_PARAMETERS "                                             \
	"ioctl frontend/NV_ESC_IOCTL_XFER_CMD 0xd3 nv_ioctl_xfer_t"

static struct arena documents;
static struct abi document;
static const struct abi *old_document; /* with NVOS64_PARAMETERS of 515 and 525 */

static int make_document(void **state)
{
	document = *document_of(
		DOCUMENT("48/8 { NvU32 hClass@12; NvP64 pAllocParms@16; NvU32 paramsSize@32 }"), &documents);
	document.driver = "nvidia";
	document.version = "1.5";
	old_document = document_of(DOCUMENT("40/8 { NvU32 hClass@12; NvP64 pAllocParms@16 }"), &documents);
	return 0;
}

static int free_document(void **state)
{
	arena_release(&documents);
	return 0;
}

/* --- requests ------------------------------------------------------------------------ */

static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend", .major = 195, .first_minor = 255,
	  .last_minor = 255 },
	{ .path = "/dev/nvidia#", .family = "frontend", .major = 195, .last_minor = UINT32_MAX },
	{ .path = "/dev/nvidia-uvm", .family = "uvm", .driver = "nvidia-uvm" },
	{ .path = "/dev/nvidia-caps/nvidia-cap#", .driver = "nvidia-caps", .last_minor = UINT32_MAX },
	{ .path = "/dev/mem#", .family = "nvlink", .major = 1, .first_minor = 3, .last_minor = 5,
	  .module = "none" },
	{ .path = "/dev/nvidia*", .driver = "nvidia-*", .last_minor = UINT32_MAX },
};
static const struct device_rules devices = { .rules = device_list, .count = COUNT(device_list) };

TEST(a_request_is_identified)
{
	static const struct {
		const char *fact;
		const char *family; /* of the device, or its path, or NULL if the device is unknown */
		uint64_t request;
		const char *result;
	} rows[] = {
		{ "an escape is numbered by the lowest bits", NULL, 0xc020462a, "frontend 0x2a" },
		{ "the driver ignores the type on its own device", "frontend", 0xc020002a, "frontend 0x2a" },
		{ "uvm is numbered by the whole request", NULL, 0x30000001, "uvm 0x30000001" },
		{ "TCGETS is not a request of the driver", NULL, 0x5401, "none" },
		{ "a request has 32 bits", "frontend", 0x1c020462a, "none" },
		/* A C program that stores requests in an int, or Python's ctypes, passes such requests. */
		{ "a sign-extended escape is the same", NULL, 0xffffffffc020462a, "frontend 0x2a" },
		{ "a sign-extended request is the same", NULL, 0xffffffffc0106d00, "modeset 0xc0106d00" },
		{ "a positive request is not sign-extended", NULL, 0xffffffff4020462a, "none" },
		{ "nvswitch is numbered by the lowest bits", "nvswitch", 0xc0205301, "nvswitch 0x1" },
		{ "nvswitch-ctl is not", "nvswitch-ctl", 0xc0205301, "nvswitch-ctl 0xc0205301" },
		/* gVisor's hook records the requests to all files /dev/nvidia*. 1 would be UVM_RESERVE_VA. */
		{ "a capability has no ioctls of the driver", "/dev/nvidia-caps/nvidia-cap1", 1, "none" },
		{ "another device has no ioctls of the driver", "/dev/fb0", 0x4600, "none" },
		{ "a device of the driver has its family", "/dev/nvidia-uvm", 1, "uvm 0x1" },
		{ "the device for control has its family", "/dev/nvidiactl", 1, "frontend 0x1" },
		{ "a device with a number has its family", "/dev/nvidia0", 1, "frontend 0x1" },
		{ "a device below another root has its family", "/run/nvidia/driver/dev/nvidia-uvm", 1,
		  "uvm 0x1" },
		{ "a path below another root has dev", "/run/nvidia/driver/nvidia-uvm", 1, "none" },
		{ "letters after a device's number", "/dev/nvidia12b", 1, "none" },
		{ "a digit after a device's name", "/dev/nvidiactl2", 1, "none" },
		{ "a terminal is not a device of the driver", "/dev/pts/0", 1, "none" },
	};
	uint64_t number;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *of = rows[i].family;
		const char *family = of && *of == '/'
					     ? call_identify_on(&number, &devices, of, rows[i].request)
					     : call_identify(&number, of, rows[i].request);
		struct strbuf text = { 0 };

		if (family)
			strbuf_addf(&text, "%s 0x%llx", family, (unsigned long long)number);
		else
			strbuf_adds(&text, "none");
		assert_false(text_differs(rows[i].fact, &text, rows[i].result));
	}
	assert_null(call_identify_on(&number, NULL, "/dev/nvidiactl", 1));
}

static const char *path_of(const char *path, dev_t number)
{
	static char usual[64];

	return device_rule_of(usual, sizeof(usual), &devices, path, number) ? usual : NULL;
}

/* A device node can have any path, and a file with any device number can be mounted over a node. */
TEST(a_device_is_known_by_its_number_before_its_path)
{
	assert_string_equal(path_of("/tmp/node", makedev(195, 255)), "/dev/nvidiactl");
	assert_string_equal(path_of("/tmp/node", makedev(195, 12)), "/dev/nvidia12");
	assert_string_equal(path_of("/dev/nvidia3", makedev(195, 255)), "/dev/nvidiactl");
	assert_string_equal(path_of("/dev/nvidia3", makedev(1, 7)), "/dev/nvidia3");
	assert_string_equal(path_of("/dev/nvidia-of-tomorrow", makedev(1, 7)), "/dev/nvidia-of-tomorrow");
	assert_null(path_of("/tmp/node", makedev(1, 7)));
}

/* If /sys has no module for a device (as for /dev/null), a rule with a module matches. */
TEST(a_number_that_drivers_share_counts_with_its_module)
{
	assert_string_equal(path_of("/tmp/node", makedev(1, 3)), "/dev/mem3");
	assert_null(path_of("/dev/mem3", makedev(1, 7)));
}

TEST(a_path_has_the_drivers_fixed_number)
{
	assert_true(device_number_of(&devices, "/dev/nvidiactl") == makedev(195, 255));
	assert_true(device_number_of(&devices, "/dev/nvidia12") == makedev(195, 12));
	assert_true(device_number_of(&devices, "/dev/nvidia-uvm") == 0);
	assert_true(device_number_of(&devices, "/dev/nvidia-none") == 0);
}

/* --- envelopes -------------------------------------------------------------------------- */

static size_t reads; /* how often memory was read */

/*
 * The memory of the process: two words at 0x1000, and two LISTs at 0x2000. The second LIST has one element,
 * at 0x2000, so the memory is circular.
 */
static bool read_process(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	static const uint8_t words[] = { 1, 0, 0, 0, 2, 0, 0, 0 }, lists[32] = { [16] = 1, [25] = 0x20 };

	(void)data;
	reads++;
	assert_true(size_bytes <= CALL_SIZE_MAX);
	*bytes = address == 0x1000 ? words : lists;
	return (address == 0x1000 && size_bytes <= sizeof(words)) ||
	       (address == 0x2000 && size_bytes <= sizeof(lists));
}

static const struct call_memory memory = { read_process, NULL };

/* Memory that has the bytes @data at every address, so an envelope at 0x1000 contains itself. */
static bool read_itself(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	(void)address;
	(void)size_bytes;
	*bytes = data;
	return true;
}

/*
 * The words of NVOS54, and of NVOS21 or NVOS64. Words are used as bytes, because every machine with the
 * driver is little-endian.
 */
#define CONTROL(cmd, address, size) { 0, 0, 0, cmd, address, 0, size }
#define ALLOC(class, address, size) { 0, 0, 0, class, address, 0, size }

static const struct envelope {
	const char *fact;
	const struct abi **abi; /* NULL for the document */
	uint32_t number, size_bytes;
	uint32_t words[10];
	const char *chain; /* the calls, one a line */
} envelopes[] = {
	{ "a control is found inside its envelope", NULL, 0x2a, 32, CONTROL(0x20800101, 0x1000, 8),
	  "frontend NV_ESC_RM_CONTROL NVOS54_PARAMETERS[32]\n"
	  "control CMD TWO[8] at 0x1000 0100000002000000" },
	{ "a control whose bytes are unknown still has its name", NULL, 0x2a, 32,
	  CONTROL(0x20800101, 0x3000, 8),
	  "frontend NV_ESC_RM_CONTROL NVOS54_PARAMETERS[32]\n"
	  "control CMD TWO[8] at 0x3000 unknown" },
	{ "memory of a gigantic size is not read", NULL, 0x2a, 32, CONTROL(0x20800101, 0x1000, UINT32_MAX),
	  "frontend NV_ESC_RM_CONTROL NVOS54_PARAMETERS[32]\n"
	  "control CMD TWO[4294967295] at 0x1000 unknown" },
	{ "an allocation has the size of its class", NULL, 0x2b, 32, ALLOC(0x2080, 0x1000, 77),
	  "frontend NV_ESC_RM_ALLOC NVOS21_PARAMETERS[32]\n"
	  "alloc CLASS NvU32 4 at 0x1000 01000000" },
	{ "an allocation need not have a size", &old_document, 0x2b, 40, ALLOC(0x2080, 0x1000, 0),
	  "frontend NV_ESC_RM_ALLOC NVOS64_PARAMETERS[40]\n"
	  "alloc CLASS NvU32 4 at 0x1000 01000000" },
	{ "an envelope of another size is not opened", NULL, 0x2a, 20, CONTROL(0x20800101, 0x1000, 8),
	  "frontend NV_ESC_RM_CONTROL NVOS54_PARAMETERS[20]" },
};

static size_t follow(struct call chain[CALL_DEPTH_MAX], const struct envelope *envelope,
		     const struct call_memory *with)
{
	const struct call first = { .family = "frontend", .number = envelope->number,
				    .bytes = (const uint8_t *)envelope->words,
				    .size_bytes = envelope->size_bytes, .has_size = true };

	return call_follow(chain, &first, envelope->abi ? *envelope->abi : &document, with);
}

static void print_known(struct strbuf *out, const uint8_t *bytes, uint64_t size_bytes)
{
	strbuf_adds(out, bytes ? " " : " unknown");
	for (uint64_t i = 0; bytes && i < size_bytes; i++)
		strbuf_addf(out, "%02x", bytes[i]);
}

TEST(an_envelope_is_followed)
{
	for (size_t i = 0; i < COUNT(envelopes); i++) {
		struct call chain[CALL_DEPTH_MAX];
		struct strbuf text = { 0 };
		const size_t count = follow(chain, &envelopes[i], &memory);

		for (size_t k = 0; k < count; k++) {
			strbuf_addf(&text, chain[k].has_size ? "\n%s %s %s[%llu]" : "\n%s %s %s %llu",
				    chain[k].family, chain[k].ioctl->name, chain[k].record,
				    (unsigned long long)chain[k].size_bytes);
			if (!k)
				continue;
			strbuf_addf(&text, " at 0x%llx", (unsigned long long)chain[k].address);
			print_known(&text, chain[k].bytes, chain[k].size_bytes);
		}
		assert_false(text_differs(envelopes[i].fact, &text, envelopes[i].chain));
	}
}

TEST(an_envelope_in_itself_has_an_end)
{
	const struct envelope transfer = { "", NULL, 0xd3, 16, { 0xd3, 16, 0x1000 }, "" };
	const struct call_memory itself = { read_itself, (void *)transfer.words };
	struct call chain[CALL_DEPTH_MAX];

	assert_int_equal(follow(chain, &transfer, &itself), CALL_DEPTH_MAX);
}

TEST(a_rule_of_a_union_is_found_from_both_sides)
{
	static const struct union_choice choices[] = { { 2, "A", "a" }, { 14, "B", "b" } };
	static const struct use_span later = { "2.0", NULL }, now = { "1.5", "1.6" };
	static const struct union_rule list[] = {
		{ .record = "NVOS32_PARAMETERS", .field = "data", .by = "function",
		  .versions = &later, .version_count = 1 },
		{ .record = "NVOS32_PARAMETERS", .field = "data", .by = "function",
		  .choices = choices, .choice_count = 2, .versions = &now, .version_count = 1 },
	};
	const struct union_rules rules = { list, COUNT(list) };

	assert_ptr_equal(call_union_rule(&rules, &document, "NVOS32_PARAMETERS", "data", NULL), &list[1]);
	assert_ptr_equal(call_union_rule(&rules, &document, "NVOS32_PARAMETERS", NULL, "function"), &list[1]);
	assert_null(call_union_rule(&rules, &document, "NVOS32_PARAMETERS", "function", NULL));
	assert_null(call_union_rule(&rules, &document, "LIST", "data", NULL));
	assert_null(call_union_rule(NULL, &document, "NVOS32_PARAMETERS", "data", NULL));
	assert_string_equal(call_choice(&list[1], 14)->member, "b");
	assert_null(call_choice(&list[1], 99));
}

/* --- the memory at pointers in the parameters ---------------------------------------------------- */

/* A rule for LIST's pointer; @bits: the bits that a condition compares */
#define LIST_RULE_OF(bits)                                                                                   \
	.record = "LIST", .path = "list", .count = "count", .element = "NvU32", .direction = USE_INOUT,      \
	.mask = bits
#define LIST_RULE LIST_RULE_OF(UINT64_MAX)
#define LIST_2 "list@8 -> 0x1000 NvU32 x 2 by count inout [8] 0100000002000000"
#define ZEROS_16 "00000000000000000000000000000000"

static const struct use_span before[] = { { "1.0", "1.5" } }, since[] = { { "1.5", NULL } };

#define LIST_OF(type) .record = "LIST", .path = "list", .element = type
#define AT_0 LIST_OF("NvU32[3]"), .when = "count", .mask = UINT64_MAX

static const struct pointers_fact {
	const char *fact;
	uint32_t words[4]; /* of LIST: count, kind, list */
	struct pointer_rule rules[2];
	const char *pointers;
} pointers_facts[] = {
	{ "a pointer is followed as far as its count says", { 2, 0, 0x1000 }, { { LIST_RULE } }, LIST_2 },
	{ "memory that is unknown is listed", { 3, 0, 0x1000 }, { { LIST_RULE } },
	  "list@8 -> 0x1000 NvU32 x 3 by count inout [12] unknown" },
	{ "memory for a count that is too large is not read", { UINT32_MAX, 0, 0x1000 },
	  { { LIST_RULE, .times = "count" } },
	  "list@8 -> 0x1000 NvU32 x 18446744065119617025 by count inout [0] unknown too long, nothing read" },
	{ "memory for a product that is too large is not read", { UINT32_MAX, 0, 0x1000 },
	  { { LIST_RULE, .times = "list" } },
	  "list@8 -> 0x1000 NvU32 x 17592186040320 by count inout [0] unknown too long, nothing read" },
	{ "a condition is true by the bits of its mask", { 2, 0x123, 0x1000 },
	  { { LIST_RULE_OF(0xf0), .when = "kind", .equals = 0x20 } }, LIST_2 },
	{ "a condition is false by the bits of its mask", { 2, 0x113, 0x1000 },
	  { { LIST_RULE_OF(0xf0), .when = "kind", .equals = 0x20 } }, "" },
	{ "a rule does not apply after its versions", { 2, 0, 0x1000 },
	  { { LIST_RULE, .versions = before, .version_count = 1 } }, "" },
	{ "a rule applies in its versions", { 2, 0, 0x1000 },
	  { { LIST_RULE, .versions = since, .version_count = 1 } }, LIST_2 },
	{ "a rule does not apply to another ioctl", { 2, 0, 0x1000 },
	  { { LIST_RULE, .ioctl = "SET_LIST" } }, "" },
	{ "a rule for a missing field does not apply", { 2, 0, 0x1000 },
	  { { .record = "LIST", .path = "tail", .element = "NvU32" } }, "" },
	{ "of two rules, the first is used if its condition is true", { 0, 0, 0x1000 },
	  { { AT_0 }, { LIST_RULE } }, "list@8 -> 0x1000 NvU32[3] x 1 [12] unknown" },
	{ "of two rules, the second is used if the condition of the first is false", { 2, 0, 0x1000 },
	  { { AT_0 }, { LIST_RULE } }, LIST_2 },
	{ "a pointer in memory at a pointer is followed, and a pointer in memory at that is not",
	  { 2, 0, 0x2000 }, { { LIST_OF("LIST"), .count = "count" } },
	  "list@8 -> 0x2000 LIST x 2 by count [32] " ZEROS_16 "01000000000000000020000000000000\n"
	  "list@24 of element 1 at pointer 1 -> 0x2000 LIST x 1 by count [16] " ZEROS_16 },
};

/* Makes a call with parameters that have these words. */
static struct call call_of(const char *family, uint64_t number, const char *record, const uint32_t *words)
{
	return (struct call){ .family = family, .number = number, .record = record,
			      .ioctl = call_find(&document, family, number), .bytes = (const uint8_t *)words,
			      .size_bytes = call_record_size(&document, record), .has_size = true };
}

static struct call list_of(const uint32_t words[4])
{
	return call_of("control", 0x20800102, "LIST", words);
}

static void print_pointer(struct strbuf *out, const struct call_pointer *pointer)
{
	strbuf_addf(out, "\n%s@%llu", pointer->path, (unsigned long long)pointer->offset_bytes);
	if (pointer->within)
		strbuf_addf(out, " of element %llu at pointer %zu",
			    (unsigned long long)pointer->element_index, pointer->within);
	strbuf_addf(out, " -> 0x%llx %s x %llu", (unsigned long long)pointer->address, pointer->element,
		    (unsigned long long)pointer->count);
	if (pointer->counted_by)
		strbuf_addf(out, " by %s", pointer->counted_by);
	if (use_direction_name(pointer->direction))
		strbuf_addf(out, " %s", use_direction_name(pointer->direction));
	strbuf_addf(out, " [%llu]", (unsigned long long)pointer->size_bytes);
	print_known(out, pointer->bytes, pointer->size_bytes);
	strbuf_adds(out, pointer->is_too_long ? " too long" : "");
}

TEST(the_pointers_are_those_of_the_facts)
{
	for (size_t i = 0; i < COUNT(pointers_facts); i++) {
		const struct pointers_fact *fact = &pointers_facts[i];
		const struct pointer_rules rules = { fact->rules, fact->rules[1].record ? 2 : 1 };
		struct call_pointer found[CALL_POINTERS_MAX];
		struct strbuf text = { 0 };
		const struct call call = list_of(fact->words);
		size_t count;

		reads = 0;
		count = call_pointers(found, &call, 0, &document, &rules, &memory);
		for (size_t k = 0; k < count; k++)
			print_pointer(&text, &found[k]);
		strbuf_adds(&text, count && !reads ? ", nothing read" : "");
		assert_false(text_differs(fact->fact, &text, fact->pointers));
	}
}

TEST(without_memory_only_the_parameters_are_searched)
{
	static const struct pointer_rule rule = { LIST_OF("LIST"), .count = "count" };
	struct call_pointer found[CALL_POINTERS_MAX];
	const struct call call = list_of((const uint32_t[]){ 2, 0, 0x2000, 0 });

	assert_int_equal(
		call_pointers(found, &call, 0, &document, &(struct pointer_rules){ &rule, 1 }, NULL), 1);
}

TEST(a_pointer_has_a_rule_even_if_its_condition_is_false)
{
	static const struct pointer_rule rule = { LIST_RULE, .when = "kind", .equals = 1 };
	const struct pointer_rules rules = { &rule, 1 }, none = { NULL, 0 };
	const struct abi_ioctl *ioctl = call_find(&document, "control", 0x20800102);
	struct abi_ioctl envelope = { .family = "frontend", .name = "NV_ESC_RM_CONTROL" };

	assert_true(call_follows(&rules, &document, ioctl, "LIST", "list"));
	assert_false(call_follows(&none, &document, ioctl, "LIST", "list"));
	assert_false(call_follows(&rules, &document, ioctl, "LIST", "kind"));
	assert_true(call_follows(&none, &document, &envelope, "NVOS54_PARAMETERS", "params"));
}

TEST(serialized_parameters_have_no_pointers)
{
	struct envelope control = { "", NULL, 0x2a, 32, CONTROL(0x20800102, 0x3000, 16), "" };
	static const struct pointer_rule rule = { LIST_RULE };
	const struct pointer_rules rules = { &rule, 1 };
	struct call_pointer found[CALL_POINTERS_MAX];
	struct call chain[CALL_DEPTH_MAX];

	assert_int_equal(follow(chain, &control, &memory), 2);
	chain[1] = list_of((const uint32_t[]){ 2, 0, 0x1000, 0 });
	assert_int_equal(call_pointers(found, chain, 1, &document, &rules, &memory), 1);
	control.words[0] = 4; /* flags */
	assert_int_equal(call_pointers(found, chain, 1, &document, &rules, &memory), 0);
}

TEST(descriptors_are_found_in_nested_records)
{
	static const uint32_t words[] = { UINT32_MAX, 5, 7, 0, 9, 0 };
	const struct call call = call_of("control", 0x20800103, "FDS", words);
	struct strbuf text = { 0 };
	struct call_fd fds[CALL_FDS_MAX];
	const size_t count = call_fds(fds, &call, &document);

	for (size_t i = 0; i < count; i++)
		strbuf_addf(&text, " %d@%d", (int)fds[i].number, (int)fds[i].offset_bytes);
	assert_false(text_differs("NUMBER@OFFSET", &text, " -1@0 5@4 7@8 9@16"));
}

TEST(an_event_has_the_class_in_its_parameters)
{
	struct call call = call_of("alloc", 5, "EVENT", (const uint32_t[]){ 0, 0x79 });
	uint64_t class;

	assert_true(call_class(&class, &call, &document));
	assert_int_equal(class, 0x79);
	call.bytes = NULL;
	assert_true(call_class(&class, &call, &document));
	assert_int_equal(class, 5);
	call.family = "control";
	assert_false(call_class(&class, &call, &document));
}

TEST_GROUP(make_document, free_document)
