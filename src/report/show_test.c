/* Tests of show, the meaning of names and numbers, and of blame, the version that last changed each field. */
#include "report/fixture_test.h"

#define JSON NULL

static const struct abi_enumerator values[] = { { "RED", { 1, false } }, { "GREEN", { 2, true } } };
static const struct abi_enum color = { "COLOR", "int", 4, values, 2, "a.h:2:1" };
static const struct abi_constant constant = { "CLASS_A", { 0xa097, false } };
static const struct abi_ioctl escape = { .family = "frontend", .name = "ESC_A", .number = 1, .source = "" },
			      uvm = { .family = "uvm", .name = "UVM_A", .number = 1, .source = "" },
			      gone = { .family = "kms", .name = "KMS_A", .number = 1, .source = "",
				       .flags = (const char *const[]){ "not-dispatched" }, .flag_count = 1 },
			      array = { .family = "frontend", .name = "NV_ESC_ATTACH_GPUS_TO_FD",
					.source = "" };
static const size_t since[] = { 1 };
static const struct history_move no_move[] = { { .name = NULL } };
static const struct history_span span = { .kind = ABI_IOCTL, .family = "control", .name = "CMD_A",
					  .since = since,
					  .since_count = 1, .version_count = 1, .was = no_move };
static const struct forwarded read_by_proxy = { &table, &node, FORWARDED_READ, &entry_of_a, &node, NULL };

/* A row has one item of the version 2.0. */
static const struct {
	const char *fact, *word;
	const struct report_style *style; /* or JSON */
	struct lookup_item item;
	struct show_item shown; /* without @item */
	const char *is, *has;
} rows[] = {
	{ "a record is listed with its fields", "A", &plain, { .kind = ABI_RECORD, .record = &next_a },
	  { .record = &next_a, .layout = &layout_of_a },
	  .is = "toy 2.0, x86_64-linux-gnu\n"
		"struct A  8 bytes, align 4\n"
		"  a.h:1:1\n"
		"   offset   size  kind     field\n"
		"        0      4  u32      handle                           NvHandle  handle\n"
		"        4      4  u32      flags                            NvU32\n"
		"\n"
		"carried by no ioctl that the driver's tables name\n" },
	{ "an ioctl has its flags, and its use by the proxy", "CMD_A", &plain, { .kind = ABI_IOCTL,
	  .ioctl = &cmd_a },
	  { .forwarded = &read_by_proxy },
	  .has = "control ioctl CMD_A = 0x801\n"
		 "  parameters  A\n"
		 "  flags       privileged\n"
		 "  proxy       read, as AParams; under compute; node 1.0\n" },
	{ "parameters that the profile does not name are not known", "ESC_A", &plain,
	  { .kind = ABI_IOCTL, .ioctl = &escape },
	    .has = "  parameters  not known: the profile names no record\n" },
	{ "parameters of an ioctl that the driver does not dispatch are not known", "KMS_A", &plain,
	  { .kind = ABI_IOCTL, .ioctl = &gone },
	    .has = "  parameters  not known: the driver does not dispatch the ioctl\n" },
	{ "an ioctl without parameters", "UVM_A", &plain, { .kind = ABI_IOCTL, .ioctl = &uvm },
	  .has = "  parameters  none\n" },
	{ "parameters that are an array", "NV_ESC_ATTACH_GPUS_TO_FD", &plain,
	  { .kind = ABI_IOCTL, .ioctl = &array },
	  .has = "  parameters  NvU32[], as many as the size in the request has\n" },
	{ "an ioctl has the first version with its number", "CMD_A", &plain,
	  { .kind = ABI_IOCTL, .ioctl = &cmd_a, .span = &span },
	    .has = "  versions    since 2.0; in 1 of 2 releases\n" },
	{ "an enum lists its values", "COLOR", &plain, { .kind = ABI_ENUM, .one = &color },
	  .has = "enum COLOR  int, 4 bytes\n"
		 "  a.h:2:1\n"
		 "  GREEN                                                        -2\n"
		 "  RED                                                          1\n" },
	{ "a constant has both notations", "CLASS_A", &plain, { .kind = ABI_CONSTANT, .constant = &constant },
	  .has = "constant CLASS_A = 0xa097 (41111)\n" },
	{ "JSON has the same fields of a record", "A", JSON, { .kind = ABI_RECORD, .record = &next_a },
	  { .record = &next_a, .layout = &layout_of_a },
	  .has = "     \"leaves\": [\n"
		 "      {\"path\": \"handle\", \"bit_offset\": 0, \"bit_size\": 32, \"kind\": \"u32\", "
		 "\"type\": \"NvHandle\", \"role\": \"handle\"},\n"
		 "      {\"path\": \"flags\", \"bit_offset\": 32, \"bit_size\": 32, \"kind\": \"u32\", "
		 "\"type\": \"NvU32\"}\n"
		 "     ],\n" },
};

REPORT_TEST(an_item_is_shown)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct lookup_word word = { .text = rows[i].word };
		const struct lookup lookup = { .items = &rows[i].item, .item_count = 1 };
		struct show_item shown = rows[i].shown;
		const struct show_word words = { &word, &next, false, &lookup, &shown };
		const struct show_report report = { &next, &graph, &words, 1 };

		shown.item = &rows[i].item;
		shown.abi = &next;
		fact = rows[i].fact;
		strbuf_reset(&out);
		if (rows[i].style)
			report_show_text(&out, &report, rows[i].style);
		else
			report_show_json(&out, &report);
		if (rows[i].is)
			assert_rendered(rows[i].is);
		if (rows[i].has)
			assert_has(rows[i].has);
	}
}

REPORT_TEST(an_item_of_a_different_version_has_that_version)
{
	report_elsewhere_text(&out, &(struct lookup_word){ .text = "A" }, "2.0", "1.0", &plain);
	assert_rendered("A: not in 2.0; this is 1.0, the nearest version that has it\n");
}

/* --- blame: 1.0 has "handle"; 2.0 added "flags" -------------------------------------------- */

static const size_t first[] = { 0 };
static const struct blame_name former[] = { { "B", 1 }, { "C", 0 } };
static const struct blame_line lines[] = {
	{ .scalar = &scalars_of_a[0], .version = 0, .is_boundary = true, .op = DIFF_OP_ADDED },
	{ .scalar = &scalars_of_a[1], .version = 1, .op = DIFF_OP_ADDED },
}, also_line = { .scalar = &scalars_of_a[1], .version = 1, .op = DIFF_OP_ADDED, .also = { first, 1 } };

#define BLAME .name = "A", .version = 1, .layout = &layout_of_a, .size_version = 1, .size_before = 4

static const struct {
	const char *fact, *field;
	struct blame blame;
	const char *is, *text[2], *json[2];
} blames[] = {
	{ "each field has the version that added it", NULL, { BLAME, .lines = lines, .line_count = 2 },
	  "c2 (2.0 1970-01-02        ) struct A, 8 bytes  (was 4)\n"
	  "^c1 (1.0 1970-01-01       0) NvHandle handle\n"
	  "c2 (2.0 1970-01-02       4) NvU32 flags  (added)\n", { NULL },
	  { "  {\"path\": \"flags\", \"offset\": 4, \"size\": 4, \"type\": \"NvU32\", \"version\": \"2.0\", "
	    "\"commit\": \"c2\", \"date\": \"1970-01-02\", \"boundary\": false, \"op\": \"added\"}\n" } },
	{ "versions of other branches are listed", NULL,
	  { BLAME, .lines = &also_line, .line_count = 1, .size_also = { first, 1 } },
	  "c2 (2.0 1970-01-02        ) struct A, 8 bytes  (was 4; also at 1.0)\n"
	  "c2 (2.0 1970-01-02       4) NvU32 flags  (added; also at 1.0)\n", { NULL },
	  { "\"boundary\": false, \"also\": [\"1.0\"], \"before\": 4}",
	    "\"boundary\": false, \"also\": [\"1.0\"], \"op\": \"added\"}" } },
	{ "former names are listed", NULL,
	  { BLAME, .lines = lines, .line_count = 2, .former = former, .former_count = 2 },
	  NULL, { "struct A, 8 bytes\n    (was 4; called B before 2.0; called C before 1.0)\n" },
	  { "  {\"name\": \"B\", \"before\": \"2.0\"},\n  {\"name\": \"C\", \"before\": \"1.0\"}\n" } },
	{ "one field can be selected", "flags", { BLAME, .lines = lines, .line_count = 2 }, NULL,
	  { "flags", "-handle" }, { "\"flags\"", "-handle" } },
};

REPORT_TEST(each_field_has_the_version_that_changed_it)
{
	for (size_t i = 0; i < COUNT(blames); i++) {
		const struct blame_report report = { &graph, &blames[i].blame, blames[i].field, NULL, NULL };

		fact = blames[i].fact;
		strbuf_reset(&out);
		report_blame_text(&out, &report, &plain);
		if (blames[i].is)
			assert_rendered(blames[i].is);
		assert_has_all(blames[i].text, COUNT(blames[i].text));
		strbuf_reset(&out);
		report_blame_json(&out, &report);
		assert_has_all(blames[i].json, COUNT(blames[i].json));
	}
	assert_true(report_blame_has(&layout_of_a, "flags"));
	assert_false(report_blame_has(&layout_of_a, "flag"));
}
