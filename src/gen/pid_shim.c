/*
 * gen/pid_shim.c - write tables of pids in C, with the code that reads them
 *
 * 1. Each ioctl of each version becomes an entry: family, number, size of the parameters, and the fields that
 *    can be translated.
 * 2. Entries are sorted by key (family, number, size), then by version. Adjacent entries with the same key
 *    and the same fields are merged into one entry, with the first and the last version.
 * 3. Entries whose fields have the same text share one table of fields.
 * 4. The fields that cannot be translated are listed in comments at the top of the file, each once.
 *
 * pid_shim.in has the types, and the function that finds the entry of a call. Its lines {{families}} and
 * {{tables}} are replaced.
 */
#include "gen/internal.h"

#ifndef GEN_DIR
#error "GEN_DIR is the directory of pid_shim.in; the Makefile sets it"
#endif

EMBED(gen_pid_shim_frame, GEN_DIR "/pid_shim.in");

enum { SPANS_MAX = 4 };

struct shim_entry {
	const struct pids_row *row;
	const char *fields;       /* the table of fields, as C */
	size_t layout;            /* index into @layouts of struct shim */
	const char *first, *last; /* the versions that have these fields */
	size_t version;           /* the index of @first, by which entries are sorted */
};

struct shim {
	struct arena *arena;
	struct shim_entry *entries;
	size_t entry_count;
	const struct shim_entry **layouts; /* the first entry with each distinct text */
	size_t layout_count;
	const char **left_out;        /* "RECORD.field: why"; sorted when complete */
	size_t left_out_count;
};

/* --- tables --------------------------------------------------------------------------- */

/*
 * Writes "DRVABI_PIDS_RELEASE(590, 48, 1)". Return: false if @version is not a release of two or three
 * numbers. A single number is written nevertheless.
 */
static bool add_release(struct strbuf *out, const char *version)
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
			strbuf_addf(out, "DRVABI_PIDS_RELEASE(%lu, %lu, %lu)", number[0], number[1],
				    number[2]);
			return count > 1;
		}
		if (*at != '.')
			return false;
	}
	return false;
}

/* Returns why the shim does not translate @field; NULL if it does. */
static const char *why_left_out(const struct pids_field *field)
{
	if (pids_of_guest(field))
		return "the pid belongs to a virtual machine's guest";
	if (field->union_path)
		return "in a union";
	if (field->pointer)
		return "in memory that a pointer refers to";
	if (!pids_direction(field))
		return "unknown whether the driver reads or writes it";
	if (field->width != 4)
		return "not 32 bits wide";
	if (field->rule->convert_count > SPANS_MAX || field->offset > UINT32_MAX ||
	    field->stride > UINT32_MAX || field->max > UINT32_MAX)
		return "too large for the table";
	if (field->count && field->count->size_bits != 32 && field->count->size_bits != 64)
		return "its count field is neither 32 nor 64 bits wide";
	if (field->rule->count && !field->count)
		return "its count field is missing";
	return NULL;
}

/* Writes a field as a row of C: where its pids are, their direction, and the releases that convert them. */
static void add_pid_field(struct strbuf *out, const struct pids_field *field)
{
	static const char *const directions[] = { [USE_IN] = " DRVABI_PIDS_IN",
						  [USE_OUT] = " DRVABI_PIDS_OUT",
						  [USE_INOUT] = " DRVABI_PIDS_IN | DRVABI_PIDS_OUT" };
	const struct pid_rule *rule = field->rule;

	strbuf_addf(out, "\t{ %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 ",%s, { ",
		    field->offset, field->stride, field->max,
		    field->count ? field->count->offset_bits / 8 : 0,
		    field->count ? field->count->size_bits / 8 : 0, directions[rule->direction]);
	for (size_t i = 0; i < rule->convert_count; i++) {
		strbuf_adds(out, i ? ", { " : "{ ");
		add_release(out, rule->converts[i].since);
		strbuf_adds(out, ", ");
		if (!rule->converts[i].until || !add_release(out, rule->converts[i].until))
			strbuf_adds(out, "UINT64_MAX");
		strbuf_adds(out, " }");
	}
	strbuf_adds(out, rule->convert_count ? " } }, " : "{ 0, 0 } } }, ");
	cdecl_comment(out, field->path);
	strbuf_addch(out, '\n');
}

/*
 * Adds the entry of an ioctl in one version, with its fields as C. A field that cannot be translated is added
 * to left_out instead, with the reason. If no field can be translated, the ioctl has no entry.
 */
static void add_shim_entry(struct shim *shim, const struct pids_row *row, const char *version, size_t index)
{
	struct strbuf text = { 0 };

	for (size_t i = 0; i < row->field_count; i++) {
		const struct pids_field *field = &row->fields[i];
		const char *why = why_left_out(field);

		if (!why) {
			add_pid_field(&text, field);
			continue;
		}
		shim->left_out = arena_room(shim->arena, shim->left_out, shim->left_out_count,
					    sizeof(*shim->left_out));
		shim->left_out[shim->left_out_count++] =
			arena_printf(shim->arena, "%s.%s: %s", row->ioctl->ioctl->params, field->path, why);
	}
	if (text.length)
		shim->entries[shim->entry_count++] = (struct shim_entry){
			row, arena_strdup(shim->arena, text.text), 0, version, version, index
		};
	strbuf_release(&text);
}

/* Compares ioctls and sizes. join_entries() joins equal entries if their fields are also equal. */
static int compare_ioctls_of_entries(const struct shim_entry *x, const struct shim_entry *y)
{
	const struct abi_ioctl *a = x->row->ioctl->ioctl, *b = y->row->ioctl->ioctl;

	return strcmp(a->family, b->family) ?: compare_numbers(a->number, b->number)
		?: compare_numbers(x->row->ioctl->params_bytes, y->row->ioctl->params_bytes);
}

/* Orders entries by ioctl and size, and then by version, so that join_entries() can join adjacent ones. */
static int compare_shim_entries(const void *a, const void *b)
{
	const struct shim_entry *x = a, *y = b;

	return compare_ioctls_of_entries(x, y) ?: compare_numbers(x->version, y->version);
}

/* Sorts and merges the entries, and lists their distinct fields in shim->layouts (steps 2 and 3). */
static void join_entries(struct shim *shim)
{
	size_t joined = 0;

	sort_items(shim->entries, shim->entry_count, sizeof(*shim->entries), compare_shim_entries);
	shim->layouts = arena_array(shim->arena, shim->entry_count + 1, sizeof(*shim->layouts));
	for (size_t i = 0; i < shim->entry_count; i++) {
		struct shim_entry *before = joined ? &shim->entries[joined - 1] : NULL,
				  *entry = &shim->entries[i];

		if (before && !compare_ioctls_of_entries(before, entry) &&
		    !strcmp(before->fields, entry->fields))
			before->last = entry->last;
		else
			shim->entries[joined++] = *entry;
	}
	shim->entry_count = joined;
	for (size_t i = 0; i < joined; i++) {
		struct shim_entry *entry = &shim->entries[i];

		while (entry->layout < shim->layout_count &&
		       strcmp(shim->layouts[entry->layout]->fields, entry->fields) != 0)
			entry->layout++;
		if (entry->layout == shim->layout_count)
			shim->layouts[shim->layout_count++] = entry;
	}
}

/* Collects and joins the entries of all versions. Return: 0; ERR_USAGE if a version is not a release. */
static int collect_entries(struct shim *shim, const struct pids *const *versions, size_t count,
			   struct err *err)
{
	struct strbuf ignored = { 0 };
	size_t rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += versions[i]->row_count;
	shim->entries = arena_array(shim->arena, rows + 1, sizeof(*shim->entries));
	for (size_t i = 0; i < count; i++) {
		const char *version = versions[i]->surface->abi->version;

		if (!add_release(&ignored, version)) {
			strbuf_release(&ignored);
			return err_set(err, ERR_USAGE,
				       "'%s' is not a release, so the pids that its driver converts are "
				       "unknown; give a release",
				       version);
		}
		for (size_t r = 0; r < versions[i]->row_count; r++)
			add_shim_entry(shim, &versions[i]->rows[r], version, i);
	}
	strbuf_release(&ignored);
	join_entries(shim);
	sort_items(shim->left_out, shim->left_out_count, sizeof(*shim->left_out), order_named);
	return 0;
}

/* --- text --------------------------------------------------------------------------- */

/* Writes DRVABI_PIDS_UVM_TEST for "uvm-test". '_' replaces characters that a C name cannot have. */
static void add_family_macro(struct strbuf *out, const char *family)
{
	strbuf_adds(out, "DRVABI_PIDS_");
	for (; *family; family++)
		strbuf_addch(out, islower((unsigned char)*family) || isdigit((unsigned char)*family)
					  ? (char)toupper(*family)
					  : '_');
}

/* Writes the tables of fields, the table of entries, and DRVABI_PIDS_FIRST: @first, the oldest release. */
static void add_tables(struct strbuf *out, const struct shim *shim, const char *first)
{
	for (size_t i = 0; i < shim->layout_count; i++) {
		strbuf_addch(out, '\n');
		cdecl_comment(out, shim->layouts[i]->row->ioctl->ioctl->params);
		strbuf_addf(out,
			    "\nstatic const struct drvabi_pids_field drvabi_pids_fields_%zu[] = {\n%s};\n", i,
			    shim->layouts[i]->fields);
	}
	strbuf_adds(out, "\nstatic const struct drvabi_pids_entry drvabi_pids_entries[] = {\n");
	for (size_t i = 0; i < shim->entry_count; i++) {
		const struct shim_entry *entry = &shim->entries[i];
		const struct abi_ioctl *ioctl = entry->row->ioctl->ioctl;

		strbuf_addch(out, '\t');
		cdecl_comment(out, ioctl->name);
		strbuf_adds(out, "\n\t{ ");
		add_family_macro(out, ioctl->family);
		strbuf_addf(out, ", 0x%" PRIx64 ", %" PRIu64 ", ", ioctl->number,
			    entry->row->ioctl->params_bytes);
		add_release(out, entry->first);
		strbuf_adds(out, ", ");
		add_release(out, entry->last);
		strbuf_addf(
			out,
			",\n\t  drvabi_pids_fields_%zu, sizeof(drvabi_pids_fields_%zu) / sizeof(*drvabi_pids_fields_%zu) },\n",
			entry->layout, entry->layout, entry->layout);
	}
	strbuf_adds(out, "};\n\n/* The oldest release in the table. */\n#define DRVABI_PIDS_FIRST ");
	add_release(out, first);
	strbuf_addch(out, '\n');
}

int gen_pid_shim_c(struct strbuf *out, const struct pids *const *versions, size_t count, const char *origin,
		   struct arena *arena, struct err *err)
{
	static const char families_mark[] = "{{families}}\n", tables_mark[] = "{{tables}}\n";
	const char *families = strstr(gen_pid_shim_frame, families_mark),
		   *types = families + strlen(families_mark);
	const char *tables = strstr(types, tables_mark);
	struct shim shim = { .arena = arena };
	int rc = collect_entries(&shim, versions, count, err);

	if (rc)
		return rc;
	if (!shim.entry_count)
		return err_set(err, ERR_NOT_FOUND,
			       "%s: no ioctl has a pid that a shim can translate; drvabi pids lists all pids",
			       origin);
	strbuf_adds(out, "/* Code generated by drvabi gen. DO NOT EDIT. */\n");
	cdecl_comment(out, origin);
	strbuf_adds(out, shim.left_out_count ? "\n\n/* Fields that are not translated: */\n" : "\n\n");
	for (size_t i = 0; i < shim.left_out_count; i++) {
		if (i && !strcmp(shim.left_out[i], shim.left_out[i - 1]))
			continue;
		cdecl_comment(out, shim.left_out[i]);
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, shim.left_out_count ? "\n" : "");
	strbuf_add(out, gen_pid_shim_frame, (size_t)(families - gen_pid_shim_frame));
	strbuf_adds(out, "enum drvabi_pids_family {\n");
	for (size_t i = 0; i < shim.entry_count; i++) {
		const char *family = shim.entries[i].row->ioctl->ioctl->family;

		if (i && !strcmp(family, shim.entries[i - 1].row->ioctl->ioctl->family))
			continue;
		strbuf_addch(out, '\t');
		add_family_macro(out, family);
		strbuf_adds(out, ",\n");
	}
	strbuf_adds(out, "};\n\n");
	strbuf_add(out, types, (size_t)(tables - types));
	add_tables(out, &shim, versions[0]->surface->abi->version);
	strbuf_adds(out, tables + strlen(tables_mark));
	return 0;
}
