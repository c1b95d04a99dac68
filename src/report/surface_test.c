/*
 * Tests of the ioctls of a version, of those that the capabilities of a proxy expose, and of those that carry
 * process ids.
 */
#include "report/fixture_test.h"

#define JSON NULL

/* --- surface: a row has one ioctl or entry ---------------------------------------------------- */

#define LONG_NAME "NV0100_CTRL_CMD_PERFORM_LOCK_STRESS_INTERNAL_NO_GPUS_LOCK_API_LOCK_READ_MODE"

static const struct abi_ioctl long_cmd = {
	.family = "control", .name = LONG_NAME, .number = 0x801, .params = "A", .source = ""
};

static const struct {
	const char *fact;
	const struct report_style *style; /* or JSON */
	struct surface_row row;
	const struct table_view *view;
	unsigned roles;
	const char *has[2];
} rows[] = {
	{ "an ioctl is a line with its number and parameters", &plain,
	  { .ioctl = &cmd_a, .params = "A", .params_bytes = 8 }, NULL, 0,
	  { "toy 2.0: 1 ioctl\n\ncontrol   0x801       CMD_A  A, 8 bytes\n" } },
	{ "flags are listed with -v", &verbose,
	  { .ioctl = &cmd_a, .params = "A", .params_bytes = 8 }, NULL, 0,
	  { "control   0x801       CMD_A  A, 8 bytes\n                      privileged\n" } },
	{ "a name that is too long for one line is not broken", &plain,
	  { .ioctl = &long_cmd, .params = "A", .params_bytes = 8 }, NULL, 0,
	  { "control   0x801\n    " LONG_NAME "\n                      A, 8 bytes\n" } },
	{ "fields with the requested roles are listed below", &plain,
	  { .ioctl = &cmd_a, .params = "A", .params_bytes = 8, .fields = scalars_of_a, .field_count = 1 },
	  NULL, 1u << ABI_ROLE_HANDLE,
	  { "control   0x801       CMD_A  A, 8 bytes\n            0  handle    handle  NvHandle\n" } },
	{ "with a table, forwarded ioctls are marked", &plain,
	  { .ioctl = &cmd_a, .params = "A", .entry = &entry_of_a, .params_bytes = 8 }, &view, 0,
	  { "toy 2.0: 1 ioctl, 1 forwarded (*) by proxy (node 1.0)\n", "* control   0x801       CMD_A " } },
	{ "an entry that the driver does not have is listed", &plain, { .entry = &entry_of_a }, &view, 0,
	  { "not in the driver's tables\n" } },
	{ "JSON has an object for each ioctl", JSON,
	  { .ioctl = &cmd_a, .params = "A", .entry = &entry_of_a, .params_bytes = 8 }, &view, 0,
	  { "  {\"family\": \"control\", \"number\": 2049, \"name\": \"CMD_A\", \"in_driver\": true, "
	    "\"params\": \"A\", \"params_size\": 8, \"flags\": [\"privileged\"], \"forwarded\": true, "
	    "\"caps\": [\"compute\"]}\n" } },
};

REPORT_TEST(an_ioctl_is_rendered)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct surface surface = { .abi = &next, .view = rows[i].view, .rows = &rows[i].row,
					   .row_count = 1, .roles = rows[i].roles,
					   .unknown = !rows[i].row.ioctl };

		surface.forwarded = rows[i].row.entry && rows[i].row.ioctl;
		fact = rows[i].fact;
		strbuf_reset(&out);
		if (rows[i].style)
			report_surface_text(&out, &surface, rows[i].style);
		else
			report_surface_json(&out, &surface, NULL, NULL);
		assert_has_all(rows[i].has, COUNT(rows[i].has));
	}
}

REPORT_TEST(capabilities_have_what_each_adds_and_gained)
{
	static const char *const families[] = { "control" };
	static const size_t by_family[] = { 1 };
	static const struct caps_one cap = { .name = "compute", .is_known = true, .entries = 1, .adds = 1,
					     .own = 1, .by_family = by_family };
	static const struct caps_set set = { compute, 1, entries, 1 };
	static const struct caps caps = { .view = &view, .families = families, .family_count = 1,
					  .caps = &cap, .cap_count = 1, .sets = &set, .set_count = 1,
					  .reached = 1 };
	static const struct caps_change gained = { "compute", entries, 1, NULL, 0 };
	const struct caps_since since = { &view, &gained, 1 };

	report_caps_text(&out, &caps, NULL, &plain);
	assert_rendered("proxy at node 1.0: 1 entries, 1 of them exposed by 1 of 1 capabilities\n"
			"\n"
			"capability          entries    adds  only by it    control\n"
			"compute                   1       1           1          1\n"
			"\n"
			"no entry is shared by two capabilities\n"
			"\n"
			"every entry of the node is reached by some capability\n");
	report_caps_text(&out, &caps, &since, &plain);
	assert_has("  compute +1 -0\n    + control  CMD_A\n");
}

/* --- pids: a row has one field of CMD_A ----------------------------------------------------- */

static const struct use_span spans[] = { { "1.0", "1.5" }, { "2.0", NULL } };
static const struct pid_rule converted = { .record = "A", .path = "pid[]", .direction = USE_OUT,
					   .converts = spans, .convert_count = 2, .evidence = "a.c" };
static const struct pid_rule never = { .record = "A", .path = "pid", .direction = USE_IN, .evidence = "a.c" };
static const struct pid_rule guest = { .record = "A", .path = "pid", .direction = USE_IN, .of_guest = true,
				       .evidence = "a.c" };

static const struct {
	const char *fact;
	struct pids_field field;
	const struct table_view *view;
	bool is_json;
	const char *is, *has;
} pid_rows[] = {
	{ "a single pid is one line",
	  { .path = "pid", .offset = 4, .width = 4, .max = 1, .rule = &never, .converts = PIDS_NO },
	  .is = "toy 2.0: 1 ioctl carries process ids\n"
		"\n"
		"control   0x801       CMD_A  A 8\n"
		"            4  in     pid  never converted\n" },
	{ "an array has its size, its count, and the versions that convert it",
	  { .path = "pid[]", .width = 4, .stride = 4, .max = 2, .count = &scalars_of_a[1], .rule = &converted,
	    .converts = PIDS_YES },
	  .has = "            0  out    pid[]  x2 every 4, counted by flags\n"
		 "                          converted 1.0 until 1.5, since 2.0\n" },
	{ "without a rule, the direction is a question mark", { .path = "pid", .width = 4, .max = 1 },
	  .has = "            0  ?      pid\n" },
	{ "a process of a guest is marked", { .path = "pid", .width = 4, .max = 1, .rule = &guest },
	  .has = "pid  of a guest\n" },
	{ "with a table, the use by the proxy is listed",
	  { .path = "pid", .width = 4, .max = 1, .rule = &never, .converts = PIDS_NO }, &view,
	  .has = "* control   0x801       CMD_A  A 8\n"
		 "                        read by the proxy, by compute\n" },
	{ "in JSON, unknown values are null", { .path = "pid", .offset = 4, .width = 4, .max = 1 },
	  .is_json = true,
	  .has = "{\"path\": \"pid\", \"offset\": 4, \"width\": 4, \"stride\": 0, \"max\": 1, "
		 "\"count\": null, \"direction\": null, \"of\": \"host\", \"driver_converts\": null, "
		 "\"driver_converts_since\": [], "
		 "\"driver_converts_until\": [], \"evidence\": null}" },
};

REPORT_TEST(a_pid_is_rendered)
{
	for (size_t i = 0; i < COUNT(pid_rows); i++) {
		const struct surface_row ioctl = {
			.ioctl = &cmd_a, .entry = pid_rows[i].view ? &entry_of_a : NULL, .params_bytes = 8
		};
		const struct surface surface = { .abi = &next, .view = pid_rows[i].view, .rows = &ioctl,
						 .row_count = 1 };
		const struct pids_row row = { .ioctl = &ioctl, .fields = &pid_rows[i].field,
					      .field_count = 1 };
		const struct pids pids = { .surface = &surface, .rows = &row, .row_count = 1,
					   .forwarded = pid_rows[i].view != NULL };

		fact = pid_rows[i].fact;
		strbuf_reset(&out);
		if (pid_rows[i].is_json)
			report_pids_json(&out, &pids);
		else
			report_pids(&out, &pids, &plain);
		if (pid_rows[i].is)
			assert_rendered(pid_rows[i].is);
		if (pid_rows[i].has)
			assert_has(pid_rows[i].has);
	}
}
