#include "verify/types.h"

#include <stdlib.h>
#include <string.h>

struct entries {
	const struct abi *abi;
	const struct table *table;
	const struct ctable_head *head;
	struct arena *arena;
	struct err *err;
};

static int compare_lines(const void *a, const void *b)
{
	const struct ctable_line *x = a, *y = b;
	int order = strcmp(x->family, y->family);

	if (!order)
		order = strcmp(x->constant, y->constant);
	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static bool same_entry(const struct ctable_line *a, const struct ctable_line *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->constant, b->constant);
}

static bool same_caps(const struct table_entry *entry, const struct ctable_line *line)
{
	if (entry->cap_count != line->cap_count)
		return false;
	for (size_t i = 0; i < line->cap_count; i++)
		if (strcmp(entry->caps[i], line->caps[i]))
			return false;
	return true;
}

static int check_family(const struct entries *entries, const struct ctable_line *line)
{
	const struct profile *profile = entries->head->profile;
	struct strbuf known = { 0 };
	int rc;

	for (size_t i = 0; i < profile->family_count; i++) {
		if (!strcmp(profile->families[i].name, line->family)) {
			strbuf_release(&known);
			return 0;
		}
		strbuf_addf(&known, "%s%s", i ? ", " : "", profile->families[i].name);
	}
	rc = err_set(entries->err, ERR_FORMAT, "%s: no family '%.100s'; the profile %s has %s", line->source, line->family, profile->name,
		     known.length ? known.text : "none");
	strbuf_release(&known);
	return rc;
}

static int read_number(uint64_t *out, const struct entries *entries, const struct ctable_line *line)
{
	const struct abi_constant *constant;
	char text[ABI_NOTATION_BYTES];

	*out = line->number;
	if (!line->number_name)
		return 0;
	constant = abi_find_constant(entries->abi, line->number_name);
	if (!constant)
		return err_set(entries->err, ERR_FORMAT, "%s: %s has no macro or enumerator %.200s that is an integer, so the proxy's number "
							 "is not known; write %.200s=NUMBER", line->source, entries->head->path,
			       line->number_name, line->constant);
	if (constant->value.negative || constant->value.magnitude > UINT32_MAX)
		return err_set(entries->err, ERR_FORMAT, "%s: %.200s is %s, and the number of an ioctl has 32 bits", line->source,
			       line->number_name, abi_constant_number(constant, text));
	*out = constant->value.magnitude;
	return 0;
}

/* Another struct of an entry that earlier lines have begun; @first is the first of those. */
static int check_more(const struct entries *entries, const struct table_entry *entry, const struct ctable_line *first,
		      const struct ctable_line *line, uint64_t number)
{
	if (number != entry->number)
		return err_set(entries->err, ERR_FORMAT, "%s: %.200s has another number at %s", line->source, line->constant, first->source);
	if (!same_caps(entry, line))
		return err_set(entries->err, ERR_FORMAT, "%s: %.200s has other capabilities at %s", line->source, line->constant, first->source);
	for (; first < line; first++)
		if (!first->driver || !line->driver || !strcmp(first->driver, line->driver))
			return err_set(entries->err, ERR_FORMAT, "%s: %s has said what %.200s takes", line->source, first->source,
				       line->constant);
	return 0;
}

static int check_proxy(const struct entries *entries, const struct ctable_line *line)
{
	if (!line->proxy || table_find_type(entries->table, line->proxy))
		return 0;
	return err_set(entries->err, ERR_FORMAT, "%s: %s defines no type %.200s", line->source, entries->head->path, line->proxy);
}

/* The lines of one entry, @count of them, one struct each. */
static int fill_entry(struct table_entry *out, const struct entries *entries, const struct ctable_line *line, size_t count)
{
	struct table_struct *structs = arena_array(entries->arena, count, sizeof(*structs));
	uint64_t number;
	int rc;

	*out = (struct table_entry){ .family = line->family, .name = line->constant, .constant = line->constant,
				     .caps = line->caps, .cap_count = line->cap_count, .structs = structs,
				     .file = line->file, .line = line->line };
	if ((rc = check_family(entries, line)))
		return rc;
	for (size_t i = 0; i < count; i++) {
		if ((rc = read_number(&number, entries, &line[i])) || (rc = check_proxy(entries, &line[i])) ||
		    (i && (rc = check_more(entries, out, line, &line[i], number))))
			return rc;
		out->number = number;
		if (line[i].driver)
			structs[out->struct_count++] = (struct table_struct){ line[i].driver, line[i].proxy };
	}
	return 0;
}

static int fill_node(struct table_node *out, const struct entries *entries, const struct ctable_map *map)
{
	struct ctable_line *line = arena_memdup(entries->arena, map->line, map->line_count * sizeof(*line));
	struct table_entry *entry = arena_array(entries->arena, map->line_count, sizeof(*entry));
	size_t count;
	int rc;

	qsort(line, map->line_count, sizeof(*line), compare_lines);
	for (size_t i = 0; i < map->line_count; i += count) {
		for (count = 1; i + count < map->line_count && same_entry(&line[i], &line[i + count]);)
			count++;
		if ((rc = fill_entry(&entry[out->entry_count++], entries, &line[i], count)))
			return rc;
	}
	out->entries = entry;
	return 0;
}

int ctable_build(struct table *out, const struct ctable_map *map, const struct abi *abi, const struct ctable_head *head,
		 struct arena *arena, struct err *err)
{
	struct table_node *node = arena_alloc(arena, sizeof(*node));
	struct table table = { .path = head->path, .proxy = head->path, .driver = head->profile->name, .nodes = node, .node_count = 1,
			       .revision = arena_printf(arena, "for %s", head->version) };
	struct entries entries = { abi, &table, head, arena, err };
	int rc;

	if (!map->line_count)
		return err_set(err, ERR_FORMAT, "%s does not say what it forwards: neither it nor a map file (--map) has a line "
						"\"drvabi: FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT\"", head->path);
	*node = (struct table_node){ .version = head->version, .supported = true };
	if ((rc = ctable_types(&table, map, abi, head->profile, arena, err)) || (rc = fill_node(node, &entries, map)))
		return rc;
	*out = table;
	return 0;
}
