/*
 * Tests which tables of pids a file has, and for which releases. testdata/full/5201-pid-shim.t runs the code.
 *
 * A row has versions, each with one ioctl (A or B) that has one pid, and the tables or the error.
 */
#include "gen/fixture_test.h"

static const struct pid_rule
	in = { .record = "R", .path = "pid", .direction = USE_IN, .evidence = "" },
	guest = { .record = "R", .path = "pid", .direction = USE_IN, .of_guest = true, .evidence = "" },
	counted = { .record = "R", .path = "pid", .direction = USE_OUT, .count = "gone", .evidence = "" };
static const struct abi_ioctl
	ioctl_a = { .family = "control", .name = "A", .number = 0x801, .params = "R", .source = "" },
	ioctl_b = { .family = "uvm-test", .name = "B", .number = 2, .params = "R", .source = "" };
static const struct surface_row row_a = { .ioctl = &ioctl_a, .params_bytes = 8 },
				row_b = { .ioctl = &ioctl_b, .params_bytes = 8 };
/* The pid is at offset 0 or 4, or is one that cannot be translated. */
static const struct {
	const char *name;
	struct pids_field field;
} fields[] = {
	{ "at-0", { .path = "pid", .width = 4, .max = 1, .rule = &in } },
	{ "at-4", { .path = "pid", .offset = 4, .width = 4, .max = 1, .rule = &in } },
	{ "guest", { .path = "pid", .width = 4, .max = 1, .rule = &guest } },
	{ "wide", { .path = "pid", .width = 8, .max = 1, .rule = &in } },
	{ "unknown", { .path = "pid", .width = 4, .max = 1 } },
	{ "uncounted", { .path = "pid", .width = 4, .stride = 4, .max = 2, .rule = &counted } },
};

struct shim_row {
	const char *fact, *versions, *expected;
};

/* Makes the version "1.0/A/at-0". */
static const struct pids *version_of(char *text)
{
	const char *ioctl = strchr(text, '/') + 1, *name = strchr(ioctl, '/') + 1;
	struct abi *abi = arena_memdup(&arena, &(struct abi){ .driver = "d" }, sizeof(*abi));
	const struct surface_row *of = *ioctl == 'A' ? &row_a : &row_b;
	struct surface surface = { .abi = abi, .rows = of, .row_count = 1 };
	struct pids_row row = { .ioctl = of, .field_count = 1 };
	struct pids pids = { .row_count = 1 };

	abi->version = arena_strndup(&arena, text, strcspn(text, "/"));
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!strcmp(fields[i].name, name))
			row.fields = &fields[i].field;
	assert_non_null(row.fields);
	pids.surface = arena_memdup(&arena, &surface, sizeof(surface));
	pids.rows = arena_memdup(&arena, &row, sizeof(row));
	return arena_memdup(&arena, &pids, sizeof(pids));
}

/* Appends the parts that differ between files: the list of omitted fields, the families and the tables. */
static void add_tables(struct strbuf *out, const struct shim_row *row)
{
	const struct pids *versions[8];
	const char *text = row->versions, *left_out, *families, *tables;
	struct strbuf file = { 0 };
	size_t count = 0;
	char *word;
	int rc;

	while (*(word = document_word(&text, &arena)))
		versions[count++] = version_of(word);
	if ((rc = gen_pid_shim_c(&file, versions, count, "d", &arena, &err))) {
		assert_int_equal(file.length, 0);
		add_error(out, rc);
		return;
	}
	if ((left_out = strstr(file.text, "\n/* Fields that")))
		strbuf_add(out, left_out, (size_t)(strstr(left_out, "\n\n#include") - left_out));
	families = strstr(file.text, "\nenum drvabi_pids_family");
	strbuf_add(out, families, (size_t)(strstr(families, "\nstruct") - families));
	tables = strstr(file.text, "\n/* R */");
	strbuf_add(out, tables, (size_t)(strstr(tables, "\n/* drvabi_pids_release -") - tables));
	strbuf_release(&file);
}

#define FIELDS(number, text)                                                                                 \
	"/* R */\nstatic const struct drvabi_pids_field drvabi_pids_fields_" number "[] = {\n\t{ " text      \
	", DRVABI_PIDS_IN, { { 0, 0 } } }, /* pid */\n};\n\n"
#define ENTRY(name, key, first, last, fields)                                                                \
	"\t/* " name " */\n\t{ DRVABI_PIDS_" key ", DRVABI_PIDS_RELEASE(" first "), DRVABI_PIDS_RELEASE("    \
	last "),\n\t  drvabi_pids_fields_" fields ", sizeof(drvabi_pids_fields_" fields                      \
	") / sizeof(*drvabi_pids_fields_" fields ") },\n"
#define AT_0 "0, 0, 1, 0, 0"
#define AT_4 "4, 0, 1, 0, 0"
#define CONTROL "enum drvabi_pids_family {\n\tDRVABI_PIDS_CONTROL,\n};\n\n"
#define ENTRIES "static const struct drvabi_pids_entry drvabi_pids_entries[] = {\n"
#define FIRST_1_0                                                                                            \
	"};\n\n/* The oldest release in the table. */\n"                                                     \
	"#define DRVABI_PIDS_FIRST DRVABI_PIDS_RELEASE(1, 0, 0)\n"

TEST(tables_of_pids)
{
	static const struct shim_row rows[] = {
		{ "versions with the same fields are one entry", "1.0/A/at-0 1.5.02/A/at-0",
		  CONTROL FIELDS("0", AT_0) ENTRIES ENTRY("A", "CONTROL, 0x801, 8", "1, 0, 0", "1, 5, 2", "0")
		  FIRST_1_0 },
		{ "a field that moved within the same size is a second entry",
		  "1.0/A/at-0 2.0/A/at-4 3.0/A/at-4",
		  CONTROL FIELDS("0", AT_0) FIELDS("1", AT_4) ENTRIES
		  ENTRY("A", "CONTROL, 0x801, 8", "1, 0, 0", "1, 0, 0", "0")
		  ENTRY("A", "CONTROL, 0x801, 8", "2, 0, 0", "3, 0, 0", "1") FIRST_1_0 },
		{ "ioctls with the same fields share a table", "1.0/A/at-0 2.0/B/at-0",
		  "enum drvabi_pids_family {\n\tDRVABI_PIDS_CONTROL,\n\tDRVABI_PIDS_UVM_TEST,\n};\n\n"
		  FIELDS("0", AT_0) ENTRIES ENTRY("A", "CONTROL, 0x801, 8", "1, 0, 0", "1, 0, 0", "0")
		  ENTRY("B", "UVM_TEST, 0x2, 8", "2, 0, 0", "2, 0, 0", "0") FIRST_1_0 },
		{ "each omitted field is named once",
		  "1.0/A/at-0 2.0/B/guest 3.0/B/guest 4.0/B/wide 5.0/B/unknown 6.0/B/uncounted",
		  "/* Fields that are not translated: */\n/* R.pid: its count field is missing */\n"
		  "/* R.pid: not 32 bits wide */\n/* R.pid: the pid belongs to a virtual machine's guest */\n"
		  "/* R.pid: unknown whether the driver reads or writes it */\n"
		  CONTROL FIELDS("0", AT_0) ENTRIES ENTRY("A", "CONTROL, 0x801, 8", "1, 0, 0", "1, 0, 0", "0")
		  FIRST_1_0 },
	};
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf text = { 0 };

		add_tables(&text, &rows[i]);
		wrong += text_differs(rows[i].fact, &text, rows[i].expected);
		arena_release(&arena);
	}
	assert_int_equal(wrong, 0);
}

TEST(a_version_that_is_not_a_release_is_refused)
{
	static const char *const names[] = { "main", "590", "1.2.3.4", "1..2", "99999999.1", "1.2x", "" };
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct shim_row row = { names[i], arena_printf(&arena, "%s/A/at-0", names[i]), NULL };
		const char *expected = arena_printf(&arena,
			"ERR_USAGE: '%s' is not a release, so the pids that "
						    "its driver converts are unknown; give a release",
						  names[i]);
		struct strbuf text = { 0 };

		add_tables(&text, &row);
		wrong += text_differs(row.fact, &text, expected);
	}
	arena_release(&arena);
	assert_int_equal(wrong, 0);
}
