/*
 * gen/pid_shim.c - tables of pids as C, and the code that walks them
 *
 * 1. Each ioctl of each version gives an entry: family, number, size of the parameters, and its fields that can be translated.
 * 2. Entries are sorted by key (family, number, size), then version. Versions in a row with the same fields become one entry,
 *    from the first of them to the last.
 * 3. The text of a layout's fields is its identity: entries with the same text share one table.
 * 4. What cannot be translated is collected as lines of a comment, each once.
 *
 * The function looks an entry up by key and version. A version that no entry has (a newer driver) gets the entry of its key
 * if there is one only.
 */
#include "gen/gen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A comment of C: whatever @text holds, it ends nothing. */
static void comment_c(struct strbuf *out, const char *text)
{
	strbuf_adds(out, "/* ");
	for (; *text; text++)
		strbuf_addch(out, (unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e || (*text == '/' && (text[1] == '*' || out->text[out->length - 1] == '*')) ? '?' : *text);
	strbuf_adds(out, " */");
}

struct entry {
	const struct pids_row *row;
	const char *fields;       /* the table's text */
	size_t layout;            /* which of the distinct texts */
	const char *first, *last; /* versions */
	size_t version;           /* index of last */
};

struct shim {
	struct arena *arena;
	struct entry *entries;
	size_t entry_count;
	const struct entry **layouts; /* the first entry of each distinct text */
	size_t layout_count;
	const char **left_out;        /* sorted, unique once all are there */
	size_t left_out_count, left_out_space;
};

/* "DRVABI_PIDS_RELEASE(590, 48, 1)"; false if @version is no release of two or three numbers. */
static bool release_text(struct strbuf *out, const char *version)
{
	unsigned long number[3] = { 0 };
	size_t count = 0;

	for (const char *at = version; count < 3; at++) {
		char *end;

		if (*at < '0' || *at > '9')
			return false;
		number[count++] = strtoul(at, &end, 10);
		if (number[count - 1] > 0xfffff)
			return false;
		at = end;
		if (!*at) {
			strbuf_addf(out, "DRVABI_PIDS_RELEASE(%lu, %lu, %lu)", number[0], number[1], number[2]);
			return count > 1;
		}
		if (*at != '.')
			return false;
	}
	return false;
}

static void add_spans(struct strbuf *out, const struct pid_rule *rule)
{
	strbuf_adds(out, "{ ");
	for (size_t i = 0; i < rule->convert_count; i++) {
		strbuf_adds(out, i ? ", { " : "{ ");
		release_text(out, rule->converts[i].since);
		strbuf_adds(out, ", ");
		if (!rule->converts[i].until || !release_text(out, rule->converts[i].until))
			strbuf_adds(out, "UINT64_MAX");
		strbuf_adds(out, " }");
	}
	strbuf_adds(out, rule->convert_count ? " }" : "{ 0, 0 } }");
}

enum { SPANS_MAX = 4 };

/* Why a field is left out; NULL if it is not. */
static const char *why_not(const struct pids_field *field)
{
	if (pids_of_guest(field))
		return "of a guest";
	if (field->union_path)
		return "in a union";
	if (field->pointer)
		return "behind a pointer";
	if (!pids_direction(field))
		return "read or written, nobody knows";
	if (field->width != 4)
		return "not of 32 bits";
	if (field->rule->convert_count > SPANS_MAX || field->offset > UINT32_MAX || field->stride > UINT32_MAX || field->max > UINT32_MAX)
		return "too large";
	if (field->count && field->count->size_bits != 32 && field->count->size_bits != 64)
		return "counted by a field that is neither of 32 bits nor of 64";
	if (field->rule->count && !field->count)
		return "the field that counts them is missing";
	return NULL;
}

static void leave_out(struct shim *shim, const struct pids_row *row, const struct pids_field *field, const char *why)
{
	if (shim->left_out_count == shim->left_out_space) {
		shim->left_out_space = shim->left_out_space ? 2 * shim->left_out_space : 64;
		shim->left_out = xrealloc(shim->left_out, shim->left_out_space * sizeof(*shim->left_out));
	}
	shim->left_out[shim->left_out_count++] = arena_printf(shim->arena, "%s.%s: %s", row->ioctl->ioctl->params, field->path, why);
}

static void add_field(struct strbuf *out, const struct pids_field *field)
{
	static const char *const directions[] = { [USE_IN] = " DRVABI_PIDS_IN", [USE_OUT] = " DRVABI_PIDS_OUT",
						  [USE_INOUT] = " DRVABI_PIDS_IN | DRVABI_PIDS_OUT" };

	strbuf_addf(out, "\t{ %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", ", field->offset, field->stride, field->max);
	if (field->count)
		strbuf_addf(out, "%" PRIu64 ", %" PRIu64 ",", field->count->offset_bits / 8, field->count->size_bits / 8);
	else
		strbuf_adds(out, "0, 0,");
	strbuf_addf(out, "%s, ", directions[field->rule->direction]);
	add_spans(out, field->rule);
	strbuf_adds(out, " }, ");
	comment_c(out, field->path);
	strbuf_addch(out, '\n');
}

/* Step 1 for one ioctl: nothing if none of its fields can be translated. */
static void add_entry(struct shim *shim, const struct pids_row *row, const char *version, size_t index)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < row->field_count; i++) {
		const char *why = why_not(&row->fields[i]);

		if (why)
			leave_out(shim, row, &row->fields[i], why);
		else
			add_field(&text, &row->fields[i]);
	}
	if (text.length)
		shim->entries[shim->entry_count++] = (struct entry){ row, arena_strdup(shim->arena, text.text), 0, version, version, index };
	strbuf_release(&text);
}

static int compare_keys(const struct entry *x, const struct entry *y)
{
	const struct abi_ioctl *a = x->row->ioctl->ioctl, *b = y->row->ioctl->ioctl;
	uint64_t size[2] = { x->row->ioctl->params_bytes, y->row->ioctl->params_bytes };
	int order = strcmp(a->family, b->family);

	if (order)
		return order;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return size[0] < size[1] ? -1 : size[0] > size[1];
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_keys(x, y);

	return order ? order : x->version < y->version ? -1 : x->version > y->version;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Step 2. */
static void join_versions(struct shim *shim)
{
	size_t joined = 0;

	qsort(shim->entries, shim->entry_count, sizeof(*shim->entries), compare_entries);
	for (size_t i = 0; i < shim->entry_count; i++) {
		struct entry *before = joined ? &shim->entries[joined - 1] : NULL, *entry = &shim->entries[i];

		if (before && !compare_keys(before, entry) && !strcmp(before->fields, entry->fields))
			before->last = entry->last;
		else
			shim->entries[joined++] = *entry;
	}
	shim->entry_count = joined;
}

/* Step 3. */
static void number_layouts(struct shim *shim)
{
	shim->layouts = arena_array(shim->arena, shim->entry_count + 1, sizeof(*shim->layouts));
	for (size_t i = 0; i < shim->entry_count; i++) {
		size_t layout = 0;

		while (layout < shim->layout_count && strcmp(shim->layouts[layout]->fields, shim->entries[i].fields) != 0)
			layout++;
		if (layout == shim->layout_count)
			shim->layouts[shim->layout_count++] = &shim->entries[i];
		shim->entries[i].layout = layout;
	}
}

static int collect(struct shim *shim, const struct pids *const *versions, size_t count, struct err *err)
{
	struct strbuf ignored = { 0 };
	size_t rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += versions[i]->row_count;
	shim->entries = arena_array(shim->arena, rows + 1, sizeof(*shim->entries));
	for (size_t i = 0; i < count; i++) {
		const char *version = versions[i]->surface->abi->version;

		if (!release_text(&ignored, version)) {
			strbuf_release(&ignored);
			return err_set(err, ERR_USAGE, "--pid-shim is for releases, and '%s' is none: nobody knows which pids it converts", version);
		}
		for (size_t r = 0; r < versions[i]->row_count; r++)
			add_entry(shim, &versions[i]->rows[r], version, i);
	}
	strbuf_release(&ignored);
	join_versions(shim);
	number_layouts(shim);
	if (shim->left_out_count)
		qsort(shim->left_out, shim->left_out_count, sizeof(*shim->left_out), compare_strings);
	return 0;
}

/* --- text --------------------------------------------------------------------------- */

static const char head[] =
	"#include <stddef.h>\n"
	"#include <stdint.h>\n"
	"#include <string.h>\n"
	"\n"
	"/* What stands before each function; redefine it to export them. */\n"
	"#ifndef DRVABI_PIDS_API\n"
	"#define DRVABI_PIDS_API static __attribute__((unused))\n"
	"#endif\n"
	"\n"
	"/* A release of the driver as a number that can be compared: 590.48.01. */\n"
	"#define DRVABI_PIDS_RELEASE(major, minor, patch) ((uint64_t)(major) << 40 | (uint64_t)(minor) << 20 | (uint64_t)(patch))\n"
	"\n"
	"/* What the driver does with a pid: reads it, writes it, or both. */\n"
	"#define DRVABI_PIDS_IN 1u\n"
	"#define DRVABI_PIDS_OUT 2u\n"
	"\n"
	"/* Before the call what goes in is mapped; after it all of it, so that what went in is the caller's again. */\n"
	"#define DRVABI_PIDS_BEFORE DRVABI_PIDS_IN\n"
	"#define DRVABI_PIDS_AFTER (DRVABI_PIDS_IN | DRVABI_PIDS_OUT)\n"
	"\n";

static const char types[] =
	"struct drvabi_pids_call {\n"
	"\tunsigned family;\n"
	"\tuint32_t number;      /* command, class, or number of the ioctl */\n"
	"\tuint64_t size;        /* of the parameters, as the caller says it */\n"
	"\tvoid *params;\n"
	"\tsize_t length;        /* bytes at params; may be less than size */\n"
	"\tuint64_t driver;      /* DRVABI_PIDS_RELEASE() or drvabi_pids_release() */\n"
	"};\n"
	"\n"
	"struct drvabi_pids_field {\n"
	"\tuint32_t offset, stride, max; /* of the first pid, to the next one, how many at most */\n"
	"\tuint32_t count_offset, count_bytes; /* of the field that counts them; 0 bytes: there is none */\n"
	"\tunsigned direction;\n"
	"\tuint64_t converts[4][2];      /* releases whose driver maps them by itself: from, and the first that does not */\n"
	"};\n"
	"\n"
	"struct drvabi_pids_entry {\n"
	"\tunsigned family;\n"
	"\tuint32_t number;\n"
	"\tuint64_t size, first, last;   /* bytes of the parameters; releases */\n"
	"\tconst struct drvabi_pids_field *fields;\n"
	"\tsize_t field_count;\n"
	"};\n";

static const char code[] =
	"\n"
	"/* drvabi_pids_release - \"590.48.01\" as a number; 0 if @text does not begin with a release. */\n"
	"DRVABI_PIDS_API uint64_t drvabi_pids_release(const char *text)\n"
	"{\n"
	"\tuint64_t number[3] = { 0, 0, 0 };\n"
	"\tsize_t count = 0;\n"
	"\n"
	"\twhile (count < 3 && *text >= '0' && *text <= '9') {\n"
	"\t\twhile (*text >= '0' && *text <= '9' && number[count] <= 0xfffff)\n"
	"\t\t\tnumber[count] = number[count] * 10 + (uint64_t)(*text++ - '0');\n"
	"\t\tif (number[count++] > 0xfffff)\n"
	"\t\t\treturn 0;\n"
	"\t\tif (*text != '.')\n"
	"\t\t\tbreak;\n"
	"\t\ttext++;\n"
	"\t}\n"
	"\treturn count < 2 ? 0 : DRVABI_PIDS_RELEASE(number[0], number[1], number[2]);\n"
	"}\n"
	"\n"
	"/*\n"
	" * drvabi_pids_find - the pids of a call; NULL if it has none that we know\n"
	" *\n"
	" * A release between or after those in the table gets the entry of its command and size, if that is the only one. A\n"
	" * release before the first of the table has none: its layout may be another one.\n"
	" */\n"
	"DRVABI_PIDS_API const struct drvabi_pids_entry *drvabi_pids_find(const struct drvabi_pids_call *call)\n"
	"{\n"
	"\tconst struct drvabi_pids_entry *found = NULL;\n"
	"\tsize_t matches = 0;\n"
	"\n"
	"\tif (call->driver < DRVABI_PIDS_FIRST)\n"
	"\t\treturn NULL;\n"
	"\tfor (size_t i = 0; i < sizeof(drvabi_pids_entries) / sizeof(*drvabi_pids_entries); i++) {\n"
	"\t\tconst struct drvabi_pids_entry *entry = &drvabi_pids_entries[i];\n"
	"\n"
	"\t\tif (entry->family != call->family || entry->number != call->number || entry->size != call->size)\n"
	"\t\t\tcontinue;\n"
	"\t\tif (call->driver >= entry->first && call->driver <= entry->last)\n"
	"\t\t\treturn entry;\n"
	"\t\tfound = entry;\n"
	"\t\tmatches++;\n"
	"\t}\n"
	"\treturn matches == 1 ? found : NULL;\n"
	"}\n"
	"\n"
	"DRVABI_PIDS_API int drvabi_pids_converts(const struct drvabi_pids_field *field, uint64_t driver)\n"
	"{\n"
	"\tfor (size_t i = 0; i < sizeof(field->converts) / sizeof(*field->converts); i++)\n"
	"\t\tif (driver >= field->converts[i][0] && driver < field->converts[i][1])\n"
	"\t\t\treturn 1;\n"
	"\treturn 0;\n"
	"}\n"
	"\n"
	"/* How many pids there are: not more than the field that counts them says, than there is room for, than the buffer holds. */\n"
	"DRVABI_PIDS_API uint64_t drvabi_pids_count(const struct drvabi_pids_field *field, const struct drvabi_pids_call *call)\n"
	"{\n"
	"\tsize_t length = call->length < call->size ? call->length : (size_t)call->size, room;\n"
	"\tconst unsigned char *bytes = (const unsigned char *)call->params;\n"
	"\tuint64_t count = field->max;\n"
	"\n"
	"\tif (field->count_bytes) {\n"
	"\t\tuint32_t narrow;\n"
	"\t\tuint64_t wide;\n"
	"\n"
	"\t\tif (length < field->count_bytes || length - field->count_bytes < field->count_offset)\n"
	"\t\t\treturn 0;\n"
	"\t\tif (field->count_bytes == sizeof(narrow)) {\n"
	"\t\t\tmemcpy(&narrow, bytes + field->count_offset, sizeof(narrow));\n"
	"\t\t\twide = narrow;\n"
	"\t\t} else {\n"
	"\t\t\tmemcpy(&wide, bytes + field->count_offset, sizeof(wide));\n"
	"\t\t}\n"
	"\t\tif (wide < count)\n"
	"\t\t\tcount = wide;\n"
	"\t}\n"
	"\tif (length < sizeof(uint32_t) || length - sizeof(uint32_t) < field->offset)\n"
	"\t\treturn 0;\n"
	"\troom = field->stride ? (length - sizeof(uint32_t) - field->offset) / field->stride + 1 : 1;\n"
	"\treturn count < room ? count : room;\n"
	"}\n"
	"\n"
	"/*\n"
	" * drvabi_pids_map - map the pids in the parameters of a call\n"
	" * @directions: DRVABI_PIDS_BEFORE or DRVABI_PIDS_AFTER\n"
	" * @map:        gives the other pid; it also sees 0 and 0xffffffff, which are no processes\n"
	" *\n"
	" * What the driver maps by itself stays as it is. Bytes that are no pids are only read.\n"
	" * Return: how many were mapped; -1 if no such command has parameters of this size, or the driver's release is not known (0).\n"
	" */\n"
	"DRVABI_PIDS_API long drvabi_pids_map(const struct drvabi_pids_call *call, unsigned directions,\n"
	"\t\t\t\t     uint32_t (*map)(uint32_t pid, void *context), void *context)\n"
	"{\n"
	"\tconst struct drvabi_pids_entry *entry = call->driver ? drvabi_pids_find(call) : NULL;\n"
	"\tunsigned char *bytes = (unsigned char *)call->params;\n"
	"\tlong mapped = 0;\n"
	"\n"
	"\tif (!entry)\n"
	"\t\treturn -1;\n"
	"\tfor (size_t f = 0; f < entry->field_count; f++) {\n"
	"\t\tconst struct drvabi_pids_field *field = &entry->fields[f];\n"
	"\t\tuint64_t count = drvabi_pids_count(field, call);\n"
	"\n"
	"\t\tif (!(field->direction & directions) || drvabi_pids_converts(field, call->driver))\n"
	"\t\t\tcontinue;\n"
	"\t\tfor (uint64_t i = 0; i < count; i++) {\n"
	"\t\t\tunsigned char *at = bytes + field->offset + i * field->stride;\n"
	"\t\t\tuint32_t pid;\n"
	"\n"
	"\t\t\tmemcpy(&pid, at, sizeof(pid));\n"
	"\t\t\tpid = map(pid, context);\n"
	"\t\t\tmemcpy(at, &pid, sizeof(pid));\n"
	"\t\t\tmapped++;\n"
	"\t\t}\n"
	"\t}\n"
	"\treturn mapped;\n"
	"}\n";

/* In capitals, as enumerators are; '_' for what no name of C may have. */
static void add_capitals(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		char c = *text;

		strbuf_addch(out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c >= '0' && c <= '9' ? c : '_');
	}
}

/* uvm-test: DRVABI_PIDS_UVM_TEST */
static void add_family(struct strbuf *out, const char *family)
{
	add_capitals(out, "drvabi_pids_");
	add_capitals(out, family);
}

static void text_families(struct strbuf *out, const struct shim *shim)
{
	strbuf_adds(out, "enum drvabi_pids_family {\n");
	for (size_t i = 0; i < shim->entry_count; i++) {
		const char *family = shim->entries[i].row->ioctl->ioctl->family;

		if (i && !strcmp(family, shim->entries[i - 1].row->ioctl->ioctl->family))
			continue;
		strbuf_addch(out, '\t');
		add_family(out, family);
		strbuf_adds(out, ",\n");
	}
	strbuf_adds(out, "};\n\n");
}

static void text_layouts(struct strbuf *out, const struct shim *shim)
{
	for (size_t i = 0; i < shim->layout_count; i++) {
		strbuf_adds(out, "\n");
		comment_c(out, shim->layouts[i]->row->ioctl->ioctl->params);
		strbuf_addf(out, "\nstatic const struct drvabi_pids_field drvabi_pids_fields_%zu[] = {\n%s};\n", i, shim->layouts[i]->fields);
	}
}

static void text_entries(struct strbuf *out, const struct shim *shim)
{
	strbuf_adds(out, "\nstatic const struct drvabi_pids_entry drvabi_pids_entries[] = {\n");
	for (size_t i = 0; i < shim->entry_count; i++) {
		const struct entry *entry = &shim->entries[i];
		const struct abi_ioctl *ioctl = entry->row->ioctl->ioctl;

		strbuf_adds(out, "\t");
		comment_c(out, ioctl->name);
		strbuf_adds(out, "\n\t{ ");
		add_family(out, ioctl->family);
		strbuf_addf(out, ", 0x%" PRIx64 ", %" PRIu64 ", ", ioctl->number, entry->row->ioctl->params_bytes);
		release_text(out, entry->first);
		strbuf_adds(out, ", ");
		release_text(out, entry->last);
		strbuf_addf(out, ",\n\t  drvabi_pids_fields_%zu, sizeof(drvabi_pids_fields_%zu) / sizeof(*drvabi_pids_fields_%zu) },\n", entry->layout,
			    entry->layout, entry->layout);
	}
	strbuf_adds(out, "};\n");
}

static void text_first(struct strbuf *out, const struct pids *const *versions, size_t count)
{
	const char *first = versions[0]->surface->abi->version;

	for (size_t i = 1; i < count; i++)
		if (abi_version_compare(versions[i]->surface->abi->version, first) < 0)
			first = versions[i]->surface->abi->version;
	strbuf_adds(out, "\n/* The first release of the table. */\n#define DRVABI_PIDS_FIRST ");
	release_text(out, first);
	strbuf_adds(out, "\n");
}

static void text_head(struct strbuf *out, const struct shim *shim, const char *origin)
{
	strbuf_adds(out, "/* Code generated by drvabi gen. DO NOT EDIT. */\n");
	comment_c(out, origin);
	strbuf_adds(out, "\n\n");
	if (shim->left_out_count)
		strbuf_adds(out, "/* Not translated: */\n");
	for (size_t i = 0; i < shim->left_out_count; i++) {
		if (i && !strcmp(shim->left_out[i], shim->left_out[i - 1]))
			continue;
		comment_c(out, shim->left_out[i]);
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, shim->left_out_count ? "\n" : "");
	strbuf_adds(out, head);
}

int gen_pid_shim_c(struct strbuf *out, const struct pids *const *versions, size_t count, const char *origin, struct arena *arena,
		   struct err *err)
{
	struct shim shim = { .arena = arena };
	int rc = collect(&shim, versions, count, err);

	if (!rc && !shim.entry_count)
		rc = err_set(err, ERR_NOT_FOUND, "%s: no ioctl carries a pid that a shim could translate; drvabi pids lists all", origin);
	if (!rc) {
		text_head(out, &shim, origin);
		text_families(out, &shim);
		strbuf_adds(out, types);
		text_layouts(out, &shim);
		text_entries(out, &shim);
		text_first(out, versions, count);
		strbuf_adds(out, code);
	}
	free(shim.left_out);
	return rc;
}
