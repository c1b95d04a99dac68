/* Tests of requests and envelopes, with a small document that has names of the driver. */
#include "decode/decode.h"
#include "abi/document_test.h"

#include <sys/sysmacros.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/*
 * The fields of NVOS54_PARAMETERS are 4 bytes after those of the driver, to test that the document decides
 * the offsets. @alloc: the size and the fields of NVOS64_PARAMETERS
 */
#define DOCUMENT(alloc) \
	"struct EVENT 8 { NvU32 hClass@4 } struct TWO 8 { NvU32 a@0; NvU32 b@4 } struct W 8/8 { NvU64 desc@0 fd } " \
	"struct FDS 24/8 { NvS32 fd@0 fd; W[2] wide@8+16 } " \
	"struct LIST 16/8 { NvU32 count@0; NvU32 kind@4; NvP64 list@8 } " \
	"struct NVOS21_PARAMETERS 32/8 { NvU32 hClass@12; NvP64 pAllocParms@16; NvU32 paramsSize@24 } " \
	"struct NVOS32_PARAMETERS 24/8 { NvU32 function@8; U data@16+8 } " \
	"struct NVOS54_PARAMETERS 32/8 { NvU32 flags@0; NvU32 cmd@12; NvP64 params@16; NvU32 paramsSize@24; " \
	"NvU32 status@28 } struct NVOS64_PARAMETERS " alloc " " \
	"struct nv_ioctl_xfer_t 16/8 { NvU32 cmd@0; NvU32 size@4; NvP64 ptr@8 } " \
	"ioctl alloc/NV01_EVENT 5 EVENT ioctl alloc/CLASS 0x2080 NvU32 ioctl CMD 0x20800101 TWO " \
	"ioctl GET_LIST 0x20800102 LIST ioctl SET_FDS 0x20800103 FDS " \
	"ioctl frontend/NV_ESC_RM_CONTROL 0x2a NVOS54_PARAMETERS " \
	"ioctl frontend/NV_ESC_RM_ALLOC 0x2b NVOS64_PARAMETERS " \
	"ioctl frontend/NV_ESC_IOCTL_XFER_CMD 0xd3 nv_ioctl_xfer_t"

static struct arena documents;
static struct abi document;

static int make_document(void **state)
{
	(void)state;
	document = *document_of(
		DOCUMENT("48/8 { NvU32 hClass@12; NvP64 pAllocParms@16; NvU32 paramsSize@32 }"), &documents);
	document.driver = "nvidia";
	document.version = "1.5";
	return 0;
}

static int free_document(void **state)
{
	(void)state;
	arena_release(&documents);
	return 0;
}

/* --- requests ------------------------------------------------------------------------ */

static void an_escape_is_numbered_by_the_lowest_bits(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_string_equal(call_identify(&number, NULL, 0xc020462a), "frontend");
	assert_int_equal(number, 0x2a);
}

static void the_driver_ignores_the_type_on_its_own_device(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_string_equal(call_identify(&number, "frontend", 0xc020002a), "frontend");
	assert_int_equal(number, 0x2a);
}

static void uvm_is_numbered_by_the_whole_request(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_string_equal(call_identify(&number, NULL, 0x30000001), "uvm");
	assert_int_equal(number, 0x30000001);
}

static void a_request_of_another_type_is_none_of_the_drivers(void **state)
{
	uint64_t number;

	(void)state;
	assert_null(call_identify(&number, NULL, 0x5401)); /* TCGETS */
	assert_null(call_identify(&number, "frontend", UINT64_C(0x1c020462a)));
}

/* A C program that stores requests in an int, or Python's ctypes, passes sign-extended requests. */
static void a_request_with_its_sign_is_the_same(void **state)
{
	uint64_t number;

	(void)state;
	assert_string_equal(call_identify(&number, NULL, UINT64_C(0xffffffffc020462a)), "frontend");
	assert_int_equal(number, 0x2a);
	assert_string_equal(call_identify(&number, NULL, UINT64_C(0xffffffffc0106d00)), "modeset");
	assert_int_equal(number, 0xc0106d00);
	assert_null(call_identify(&number, NULL, UINT64_C(0xffffffff4020462a)));
}

static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl",
	  .family = "frontend",
	  .major = 195,
	  .first_minor = 255,
	  .last_minor = 255 },
	{ .path = "/dev/nvidia#", .family = "frontend", .major = 195, .last_minor = UINT32_MAX },
	{ .path = "/dev/nvidia-uvm", .family = "uvm", .driver = "nvidia-uvm" },
	{ .path = "/dev/nvidia-caps/nvidia-cap#", .driver = "nvidia-caps", .last_minor = UINT32_MAX },
	{ .path = "/dev/mem#",
	  .family = "nvlink",
	  .major = 1,
	  .first_minor = 3,
	  .last_minor = 5,
	  .module = "none" },
	{ .path = "/dev/nvidia*", .driver = "nvidia-*", .last_minor = UINT32_MAX },
};
static const struct device_rules devices = { .rules = device_list,
					    .count = sizeof(device_list) / sizeof(*device_list) };

/* gVisor's hook records the requests to all files /dev/nvidia*. The number 1 would be UVM_RESERVE_VA. */
static void a_request_to_another_device_is_none_of_the_drivers(void **state)
{
	uint64_t number;

	(void)state;
	assert_null(call_identify_on(&number, &devices, "/dev/nvidia-caps/nvidia-cap1", 1));
	assert_null(call_identify_on(&number, &devices, "/dev/fb0", 0x4600));
	assert_string_equal(call_identify_on(&number, &devices, "/dev/nvidia-uvm", 1), "uvm");
}

static void a_device_is_known_by_its_path(void **state)
{
	(void)state;
	assert_string_equal(call_family_of_path(&devices, "/dev/nvidiactl"), "frontend");
	assert_string_equal(call_family_of_path(&devices, "/dev/nvidia0"), "frontend");
	assert_string_equal(call_family_of_path(&devices, "/dev/nvidia-uvm"), "uvm");
	assert_null(call_family_of_path(&devices, "/dev/nvidia-caps/nvidia-cap1"));
	assert_null(call_family_of_path(&devices, "/dev/nvidia12b"));
	assert_null(call_family_of_path(&devices, "/dev/nvidiactl2"));
	assert_null(call_family_of_path(&devices, "/dev/pts/0"));
	assert_null(call_family_of_path(NULL, "/dev/nvidiactl"));
}

static const char *path_of(const char *path, dev_t number)
{
	static char usual[64];

	return device_rule_of(usual, sizeof(usual), &devices, path, number) ? usual : NULL;
}

/* A device node can have any path, and a file with any device number can be mounted over a node. */
static void a_device_is_known_by_its_number_before_its_path(void **state)
{
	(void)state;
	assert_string_equal(path_of("/tmp/node", makedev(195, 255)), "/dev/nvidiactl");
	assert_string_equal(path_of("/tmp/node", makedev(195, 12)), "/dev/nvidia12");
	assert_string_equal(path_of("/dev/nvidia3", makedev(195, 255)), "/dev/nvidiactl");
	assert_string_equal(path_of("/dev/nvidia3", makedev(1, 7)), "/dev/nvidia3");
	assert_string_equal(path_of("/dev/nvidia-of-tomorrow", makedev(1, 7)), "/dev/nvidia-of-tomorrow");
	assert_null(path_of("/tmp/node", makedev(1, 7)));
}

/* If /sys has no module for a device (as for /dev/null), a rule with a module matches. */
static void a_number_that_drivers_share_counts_with_its_module(void **state)
{
	(void)state;
	assert_string_equal(path_of("/tmp/node", makedev(1, 3)), "/dev/mem3");
	assert_null(path_of("/dev/mem3", makedev(1, 7)));
}

static void a_path_has_the_drivers_fixed_number(void **state)
{
	(void)state;
	assert_true(device_number_of(&devices, "/dev/nvidiactl") == makedev(195, 255));
	assert_true(device_number_of(&devices, "/dev/nvidia12") == makedev(195, 12));
	assert_true(device_number_of(&devices, "/dev/nvidia-uvm") == 0);
	assert_true(device_number_of(&devices, "/dev/nvidia-none") == 0);
}

static void nvswitch_and_nvlink_are_numbered_by_the_lowest_bits(void **state)
{
	uint64_t number = 0;

	(void)state;
	assert_string_equal(call_identify(&number, "nvswitch", 0xc0205301), "nvswitch");
	assert_int_equal(number, 1);
	assert_string_equal(call_identify(&number, "nvswitch-ctl", 0xc0205301), "nvswitch-ctl");
	assert_int_equal(number, 0xc0205301);
}

/* --- envelopes -------------------------------------------------------------------------- */

static const uint8_t behind[] = { 1, 0, 0, 0, 2, 0, 0, 0 };

static bool read_behind(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	(void)data;
	if (address != 0x1000 || size_bytes > sizeof(behind))
		return false;
	*bytes = behind;
	return true;
}

static const struct call_memory memory = { read_behind, NULL };

static void put32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* Makes NV_ESC_RM_CONTROL with @cmd and @size bytes at @address. */
static size_t control(struct call chain[CALL_DEPTH_MAX], uint8_t bytes[32], uint32_t cmd, uint32_t address,
		      uint32_t size)
{
	const struct call first = {
		.family = "frontend", .number = 0x2a, .bytes = bytes, .size_bytes = 32, .has_size = true
	};

	memset(bytes, 0, 32);
	put32(bytes + 12, cmd);
	put32(bytes + 16, address);
	put32(bytes + 24, size);
	return call_follow(chain, &first, &document, &memory);
}

static void a_control_is_found_inside_its_envelope(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32];

	(void)state;
	assert_int_equal(control(chain, bytes, 0x20800101, 0x1000, 8), 2);
	assert_string_equal(chain[1].ioctl->name, "CMD");
	assert_string_equal(chain[1].record, "TWO");
	assert_ptr_equal(chain[1].bytes, behind);
}

static void a_control_whose_bytes_are_not_known_is_still_named(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32];

	(void)state;
	assert_int_equal(control(chain, bytes, 0x20800101, 0x2000, 8), 2);
	assert_string_equal(chain[1].ioctl->name, "CMD");
	assert_null(chain[1].bytes);
}

static void nobody_is_asked_for_a_gigantic_size(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32];

	(void)state;
	assert_int_equal(control(chain, bytes, 0x20800101, 0x1000, UINT32_MAX), 2);
	assert_null(chain[1].bytes);
}

static void an_allocation_is_as_long_as_its_class_says(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32] = { 0 };
	const struct call first = {
		.family = "frontend", .number = 0x2b, .bytes = bytes, .size_bytes = 32, .has_size = true
	};

	(void)state;
	put32(bytes + 12, 0x2080);
	put32(bytes + 16, 0x1000);
	put32(bytes + 24, 77);
	assert_int_equal(call_follow(chain, &first, &document, &memory), 2);
	assert_string_equal(chain[0].record, "NVOS21_PARAMETERS");
	assert_int_equal(chain[1].size_bytes, 4);
	assert_false(chain[1].has_size);
}

/* NVOS64_PARAMETERS of 515 and 525. */
static void an_allocation_need_not_say_its_size(void **state)
{
	const struct abi *old =
		document_of(DOCUMENT("40/8 { NvU32 hClass@12; NvP64 pAllocParms@16 }"), &documents);
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[40] = { 0 };
	const struct call first = {
		.family = "frontend", .number = 0x2b, .bytes = bytes, .size_bytes = 40, .has_size = true
	};

	(void)state;
	put32(bytes + 12, 0x2080);
	put32(bytes + 16, 0x1000);
	assert_int_equal(call_follow(chain, &first, old, &memory), 2);
	assert_int_equal(chain[1].size_bytes, 4);
	assert_ptr_equal(chain[1].bytes, behind);
}

static void an_envelope_of_another_size_is_not_opened(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32] = { 0 };
	const struct call first = {
		.family = "frontend", .number = 0x2a, .bytes = bytes, .size_bytes = 20, .has_size = true
	};

	(void)state;
	assert_int_equal(call_follow(chain, &first, &document, &memory), 1);
}

/* An envelope at 0x1000 that contains itself. */
static bool read_itself(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	(void)address;
	(void)size_bytes;
	*bytes = data;
	return true;
}

static void an_envelope_in_itself_has_an_end(void **state)
{
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[16] = { 0 };
	const struct call first = {
		.family = "frontend", .number = 0xd3, .bytes = bytes, .size_bytes = 16, .has_size = true
	};
	const struct call_memory itself = { read_itself, bytes };

	(void)state;
	put32(bytes, 0xd3);
	put32(bytes + 4, 16);
	put32(bytes + 8, 0x1000);
	assert_int_equal(call_follow(chain, &first, &document, &itself), CALL_DEPTH_MAX);
}

static void a_rule_of_a_union_is_found_from_both_sides(void **state)
{
	static const struct union_choice choices[] = { { 2, "A", "a" }, { 14, "B", "b" } };
	static const struct use_span later = { "2.0", NULL }, now = { "1.5", "1.6" };
	static const struct union_rule list[] = {
		{ .record = "NVOS32_PARAMETERS",
		  .field = "data",
		  .by = "function",
		  .versions = &later,
		  .version_count = 1 },
		{ .record = "NVOS32_PARAMETERS",
		  .field = "data",
		  .by = "function",
		  .choices = choices,
		  .choice_count = 2,
		  .versions = &now,
		  .version_count = 1 },
	};
	const struct union_rules rules = { list, COUNT(list) };

	(void)state;
	assert_ptr_equal(call_union_rule(&rules, &document, "NVOS32_PARAMETERS", "data"), &list[1]);
	assert_ptr_equal(call_selector_rule(&rules, &document, "NVOS32_PARAMETERS", "function"), &list[1]);
	assert_null(call_union_rule(&rules, &document, "NVOS32_PARAMETERS", "function"));
	assert_null(call_union_rule(&rules, &document, "LIST", "data"));
	assert_null(call_union_rule(NULL, &document, "NVOS32_PARAMETERS", "data"));
	assert_string_equal(call_choice(&list[1], 14)->member, "b");
	assert_null(call_choice(&list[1], 99));
}

/* --- the memory at pointers in the parameters ---------------------------------------------------- */

/* Makes a LIST with @count elements of @kind at 0x1000. */
static const struct call *list_of(uint32_t count, uint32_t kind)
{
	static uint8_t bytes[16];
	static struct call call;

	put32(bytes, count);
	put32(bytes + 4, kind);
	put32(bytes + 8, 0x1000);
	call = (struct call){ .family = "control",
			      .number = 0x20800102,
			      .ioctl = call_find(&document, "control", 0x20800102),
			      .record = "LIST",
			      .bytes = bytes,
			      .size_bytes = 16,
			      .has_size = true };
	return &call;
}

/* Returns the number of pointers that call_pointers() finds with @rule. @out is set to the first. */
static size_t pointers_of(struct call_pointer *out, const struct call *call, const struct pointer_rule *rule)
{
	const struct pointer_rules rules = { rule, 1 };
	struct call_pointer found[CALL_POINTERS_MAX];
	const size_t count = call_pointers(found, call, 0, &document, &rules, &memory);

	if (count)
		*out = found[0];
	return count;
}

#define LIST_RULE                                                                                            \
	.record = "LIST", .path = "list", .count = "count", .element = "NvU32", .direction = USE_INOUT,      \
	.mask = UINT64_MAX

static void a_pointer_is_followed_as_far_as_its_count_says(void **state)
{
	const struct pointer_rule rule = { LIST_RULE };
	struct call_pointer pointer;

	(void)state;
	assert_int_equal(pointers_of(&pointer, list_of(2, 0), &rule), 1);
	assert_int_equal(pointer.address, 0x1000);
	assert_int_equal(pointer.offset_bytes, 8);
	assert_int_equal(pointer.size_bytes, 8);
	assert_ptr_equal(pointer.bytes, behind);
}

static void memory_that_is_not_known_is_listed(void **state)
{
	const struct pointer_rule rule = { LIST_RULE };
	struct call_pointer pointer;

	(void)state;
	assert_int_equal(pointers_of(&pointer, list_of(3, 0), &rule), 1);
	assert_int_equal(pointer.size_bytes, 12);
	assert_null(pointer.bytes);
}

static bool read_never(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	(void)bytes;
	(void)address;
	(void)size_bytes;
	*(bool *)data = true;
	return false;
}

static void a_count_that_is_too_large_is_never_read(void **state)
{
	const struct pointer_rule rules[] = { { LIST_RULE, .times = "count" },
					      { LIST_RULE, .times = "list" } };
	struct call_pointer found[CALL_POINTERS_MAX];
	bool was_asked = false;
	const struct call_memory never = { read_never, &was_asked };

	(void)state;
	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_int_equal(call_pointers(found, list_of(UINT32_MAX, 0), 0, &document,
					       &(struct pointer_rules){ &rules[i], 1 }, &never),
				 1);
		assert_true(found[0].is_too_long);
		assert_int_equal(found[0].size_bytes, 0);
		assert_null(found[0].bytes);
	}
	assert_false(was_asked);
}

static void a_condition_decides_by_the_bits_of_its_mask(void **state)
{
	const struct pointer_rule rule = { .record = "LIST",
					   .path = "list",
					   .count = "count",
					   .element = "NvU32",
					   .when = "kind",
					   .mask = 0xf0,
					   .equals = 0x20 };
	struct call_pointer pointer;

	(void)state;
	assert_int_equal(pointers_of(&pointer, list_of(2, 0x123), &rule), 1);
	assert_int_equal(pointers_of(&pointer, list_of(2, 0x113), &rule), 0);
}

static void a_rule_holds_in_its_versions_and_for_its_ioctl(void **state)
{
	static const struct use_span before[] = { { "1.0", "1.5" } }, since[] = { { "1.5", NULL } };
	const struct pointer_rule old = { LIST_RULE, .versions = before, .version_count = 1 },
				  new = { LIST_RULE, .versions = since, .version_count = 1 };
	const struct pointer_rule other = { LIST_RULE, .ioctl = "SET_LIST" },
				  missing = { .record = "LIST", .path = "tail", .element = "NvU32" };
	struct call_pointer pointer;

	(void)state;
	assert_int_equal(pointers_of(&pointer, list_of(2, 0), &old), 0);
	assert_int_equal(pointers_of(&pointer, list_of(2, 0), &new), 1);
	assert_int_equal(pointers_of(&pointer, list_of(2, 0), &other), 0);
	assert_int_equal(pointers_of(&pointer, list_of(2, 0), &missing), 0);
}

static void of_two_rules_the_first_whose_condition_holds_counts(void **state)
{
	static const struct pointer_rule list[] = {
		{ .record = "LIST",
		  .path = "list",
		  .element = "NvU32[3]",
		  .when = "count",
		  .mask = UINT64_MAX,
		  .equals = 0 },
		{ LIST_RULE },
	};
	const struct pointer_rules rules = { list, 2 };
	struct call_pointer found[CALL_POINTERS_MAX];

	(void)state;
	assert_int_equal(call_pointers(found, list_of(0, 0), 0, &document, &rules, &memory), 1);
	assert_string_equal(found[0].element, "NvU32[3]");
	assert_int_equal(call_pointers(found, list_of(2, 0), 0, &document, &rules, &memory), 1);
	assert_string_equal(found[0].element, "NvU32");
}

/* LIST has two elements at 0x1000. The second element points to 0x1000, too, so the memory is circular. */
static bool read_circle(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	static uint8_t lists[32];

	(void)data;
	put32(lists + 16, 1);
	put32(lists + 24, 0x1000);
	*bytes = lists;
	return address == 0x1000 && size_bytes <= sizeof(lists);
}

static void a_pointer_behind_a_pointer_is_followed_and_one_behind_that_is_not(void **state)
{
	const struct pointer_rule rule = { .record = "LIST",
					   .path = "list",
					   .count = "count",
					   .element = "LIST" };
	const struct pointer_rules rules = { &rule, 1 };
	const struct call_memory circle = { read_circle, NULL };
	struct call_pointer found[CALL_POINTERS_MAX];

	(void)state;
	assert_int_equal(call_pointers(found, list_of(2, 0), 0, &document, &rules, &circle), 2);
	assert_int_equal(found[0].within, 0);
	assert_int_equal(found[0].size_bytes, 32);
	assert_int_equal(found[1].within, 1);
	assert_int_equal(found[1].element_index, 1);
	assert_int_equal(found[1].offset_bytes, 24);
	assert_int_equal(found[1].size_bytes, 16);
	assert_int_equal(call_pointers(found, list_of(2, 0), 0, &document, &rules, NULL), 1);
}

static void a_pointer_without_a_rule_is_told_from_one_whose_condition_fails(void **state)
{
	static const struct pointer_rule rule = { LIST_RULE, .when = "kind", .equals = 1 };
	const struct pointer_rules rules = { &rule, 1 }, none = { NULL, 0 };
	const struct abi_ioctl *ioctl = call_find(&document, "control", 0x20800102);
	struct abi_ioctl envelope = { .family = "frontend", .name = "NV_ESC_RM_CONTROL" };

	(void)state;
	assert_true(call_follows(&rules, &document, ioctl, "LIST", "list"));
	assert_false(call_follows(&none, &document, ioctl, "LIST", "list"));
	assert_false(call_follows(&rules, &document, ioctl, "LIST", "kind"));
	assert_true(call_follows(&none, &document, &envelope, "NVOS54_PARAMETERS", "params"));
}

static void serialized_parameters_have_no_pointers(void **state)
{
	static const struct pointer_rule rule = { LIST_RULE };
	const struct pointer_rules rules = { &rule, 1 };
	struct call_pointer found[CALL_POINTERS_MAX];
	struct call chain[CALL_DEPTH_MAX];
	uint8_t bytes[32];

	(void)state;
	control(chain, bytes, 0x20800102, 0x3000, 16);
	chain[1] = *list_of(2, 0);
	assert_int_equal(call_pointers(found, chain, 1, &document, &rules, &memory), 1);
	put32(bytes, 4); /* flags */
	assert_int_equal(call_pointers(found, chain, 1, &document, &rules, &memory), 0);
}

static void descriptors_are_found_in_nested_records(void **state)
{
	uint8_t bytes[24] = { 0 };
	const struct call call = { .family = "control", .record = "FDS", .bytes = bytes, .size_bytes = 24 };
	struct call_fd fds[CALL_FDS_MAX];

	(void)state;
	put32(bytes, UINT32_MAX);
	put32(bytes + 8, 7);
	put32(bytes + 16, 9);
	assert_int_equal(call_fds(fds, &call, &document), 3);
	assert_int_equal(fds[0].number, -1);
	assert_int_equal(fds[1].number, 7);
	assert_int_equal(fds[2].offset_bytes, 16);
}

static void an_event_is_of_the_class_that_its_parameters_name(void **state)
{
	uint8_t bytes[8] = { 0, 0, 0, 0, 0x79 };
	struct call call = { .family = "alloc",
			     .number = 5,
			     .ioctl = call_find(&document, "alloc", 5),
			     .record = "EVENT",
			     .bytes = bytes,
			     .size_bytes = 8 };
	uint64_t class;

	(void)state;
	assert_true(call_class(&class, &call, &document));
	assert_int_equal(class, 0x79);
	call.bytes = NULL;
	assert_true(call_class(&class, &call, &document));
	assert_int_equal(class, 5);
	call.family = "control";
	assert_false(call_class(&class, &call, &document));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_escape_is_numbered_by_the_lowest_bits),
		cmocka_unit_test(the_driver_ignores_the_type_on_its_own_device),
		cmocka_unit_test(uvm_is_numbered_by_the_whole_request),
		cmocka_unit_test(a_request_of_another_type_is_none_of_the_drivers),
		cmocka_unit_test(a_request_with_its_sign_is_the_same),
		cmocka_unit_test(a_request_to_another_device_is_none_of_the_drivers),
		cmocka_unit_test(a_device_is_known_by_its_path),
		cmocka_unit_test(a_device_is_known_by_its_number_before_its_path),
		cmocka_unit_test(a_number_that_drivers_share_counts_with_its_module),
		cmocka_unit_test(a_path_has_the_drivers_fixed_number),
		cmocka_unit_test(nvswitch_and_nvlink_are_numbered_by_the_lowest_bits),
		cmocka_unit_test(a_control_is_found_inside_its_envelope),
		cmocka_unit_test(a_control_whose_bytes_are_not_known_is_still_named),
		cmocka_unit_test(nobody_is_asked_for_a_gigantic_size),
		cmocka_unit_test(an_allocation_is_as_long_as_its_class_says),
		cmocka_unit_test(an_allocation_need_not_say_its_size),
		cmocka_unit_test(an_envelope_of_another_size_is_not_opened),
		cmocka_unit_test(an_envelope_in_itself_has_an_end),
		cmocka_unit_test(a_rule_of_a_union_is_found_from_both_sides),
		cmocka_unit_test(a_pointer_is_followed_as_far_as_its_count_says),
		cmocka_unit_test(memory_that_is_not_known_is_listed),
		cmocka_unit_test(a_count_that_is_too_large_is_never_read),
		cmocka_unit_test(a_condition_decides_by_the_bits_of_its_mask),
		cmocka_unit_test(a_rule_holds_in_its_versions_and_for_its_ioctl),
		cmocka_unit_test(of_two_rules_the_first_whose_condition_holds_counts),
		cmocka_unit_test(a_pointer_behind_a_pointer_is_followed_and_one_behind_that_is_not),
		cmocka_unit_test(a_pointer_without_a_rule_is_told_from_one_whose_condition_fails),
		cmocka_unit_test(serialized_parameters_have_no_pointers),
		cmocka_unit_test(descriptors_are_found_in_nested_records),
		cmocka_unit_test(an_event_is_of_the_class_that_its_parameters_name),
	};

	return cmocka_run_group_tests(tests, make_document, free_document);
}
