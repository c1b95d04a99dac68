/*
 * history/reading.c - what a proxy's table reads of a document, as text
 *
 * A line for each fact, in the order of the view's entries. Of an entry:
 *
 *   its number, and the macro's value in the driver;
 *   what else the driver means by that number;
 *   the parameter record that the driver's tables name for it, and its size;
 *   each struct: that there is one, its size, and its leaves.
 *
 * Of which leaves, and what of them, goes by the notion; see ranges.h.
 */
#include "history/reading.h"

#include "flatten/flatten.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

struct reading {
	struct strbuf *out;
	const struct abi *abi;
	enum ranges_notion notion;
	struct arena arena; /* layouts */
	struct err *err;
};

bool ranges_is_acted_on(const struct abi_leaf *leaf)
{
	size_t length = strlen(leaf->path);

	return (leaf->kind == ABI_POINTER && leaf->role != ABI_ROLE_KERNEL_POINTER) || leaf->role == ABI_ROLE_POINTER || leaf->role == ABI_ROLE_FD ||
	       (length >= 2 && !strcasecmp(leaf->path + length - 2, "fd"));
}

static void read_constant(struct reading *reading, const struct table_entry *entry)
{
	const struct abi_constant *constant = entry->constant ? abi_find_constant(reading->abi, entry->constant) : NULL;
	char value[24];

	strbuf_addf(reading->out, "%s %s 0x%" PRIx64 " %s = %s\n", entry->family, entry->name, entry->number,
		    entry->constant ? entry->constant : "-", constant ? abi_number_text(constant->value, value) : "-");
}

/* What the driver means by the entry's number: the entry itself, or else everything that has it. */
static void read_owners(struct reading *reading, const struct table_entry *entry)
{
	const struct abi *abi = reading->abi;
	size_t first = abi_ioctls_from(abi, entry->family, entry->number), end = first;
	bool own = false;

	for (; end < abi->ioctl_count && abi->ioctls[end].number == entry->number &&
	       !strcmp(abi->ioctls[end].family, entry->family); end++)
		own |= entry->constant && !strcmp(abi->ioctls[end].name, entry->constant);
	for (size_t i = first; i < end; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		const struct abi_record *params = ioctl->params ? abi_find_record(abi, ioctl->params) : NULL;

		if (own && strcmp(ioctl->name, entry->constant))
			continue;
		strbuf_addf(reading->out, "  is %s(%s %" PRIu64 ")\n", own ? "it" : ioctl->name, ioctl->params ? ioctl->params : "-",
			    params ? params->size_bytes : 0);
	}
}

static void read_leaf(struct reading *reading, const struct abi_leaf *leaf)
{
	struct strbuf *out = reading->out;

	strbuf_addf(out, "    %" PRIu64 " +%" PRIu64 " %s %" PRIu64 " x%" PRIu64 "%s%s%s %s", leaf->offset_bits, leaf->size_bits,
		    abi_scalar_name(leaf->kind), leaf->element_bits, leaf->count, leaf->dimension_count ? " array" : "",
		    leaf->is_bitfield ? " bits" : "", leaf->flexible ? " flexible" : "", abi_role_name(leaf->role));
	for (size_t i = 0; i < leaf->dimension_count; i++)
		strbuf_addf(out, "[%" PRIu64 "]", leaf->dimension[i]);
	for (size_t i = 0; i < leaf->repeat_count; i++)
		strbuf_addf(out, " %" PRIu64 "/%" PRIu64, leaf->repeat[i].count, leaf->repeat[i].stride_bits);
	if (ranges_is_acted_on(leaf))
		strbuf_adds(out, " acted on");
	if (reading->notion == RANGES_STRICT)
		strbuf_addf(out, " %s %s", leaf->path, leaf->type);
	strbuf_addch(out, '\n');
}

static int read_record(struct reading *reading, const struct table_struct *one, const struct abi_record *record)
{
	bool whole = one->proxy || reading->notion == RANGES_STRICT;
	struct abi_layout layout;
	int rc;

	if ((rc = flatten_record(&layout, reading->abi, record->name, &reading->arena, reading->err)))
		return rc;
	strbuf_addf(reading->out, " %" PRIu64 " bytes\n", layout.size_bytes);
	for (size_t i = 0; i < layout.leaf_count; i++)
		if (whole || ranges_is_acted_on(&layout.leaf[i]))
			read_leaf(reading, &layout.leaf[i]);
	return 0;
}

static int read_struct(struct reading *reading, const struct table_struct *one)
{
	const struct abi_record *record = abi_find_record(reading->abi, one->driver);
	const struct abi_alias *alias = record ? NULL : abi_find_alias(reading->abi, one->driver);

	strbuf_addf(reading->out, "  %s as %s:", one->driver, one->proxy ? one->proxy : "-");
	if (record)
		return read_record(reading, one, record);
	if (alias)
		strbuf_addf(reading->out, " %s %" PRIu64 "\n", alias->type, alias->size_bytes);
	else
		strbuf_adds(reading->out, " none\n");
	return 0;
}

/* Of the ioctl with the entry's name, or else its number: number, parameter record, and all its leaves. */
static int read_own_record(struct reading *reading, const struct table_entry *entry)
{
	for (size_t i = 0; i < reading->abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &reading->abi->ioctls[i];
		const struct table_struct whole = { ioctl->params, "anew" };
		int rc;

		if (strcmp(ioctl->family, entry->family) || (entry->constant ? strcmp(ioctl->name, entry->constant) : ioctl->number != entry->number))
			continue;
		strbuf_addf(reading->out, "  own 0x%" PRIx64 "\n", ioctl->number);
		if (ioctl->params && (rc = read_struct(reading, &whole)))
			return rc;
	}
	return 0;
}

int ranges_reading_anew(struct strbuf *out, const struct abi *abi, const struct table_view *view, enum ranges_notion notion,
			struct err *err)
{
	struct reading reading = { .out = out, .abi = abi, .notion = notion, .err = err };
	int rc = ranges_reading(out, abi, view, notion, err);

	for (size_t i = 0; i < view->entry_count && !rc; i++)
		rc = read_own_record(&reading, view->entries[i]);
	arena_release(&reading.arena);
	return rc;
}

int ranges_reading(struct strbuf *out, const struct abi *abi, const struct table_view *view, enum ranges_notion notion,
		   struct err *err)
{
	struct reading reading = { .out = out, .abi = abi, .notion = notion, .err = err };
	int rc = 0;

	for (size_t i = 0; i < view->entry_count && !rc; i++) {
		const struct table_entry *entry = view->entries[i];

		read_constant(&reading, entry);
		read_owners(&reading, entry);
		for (size_t s = 0; s < entry->struct_count && !rc; s++)
			rc = read_struct(&reading, &entry->structs[s]);
	}
	arena_release(&reading.arena);
	return rc;
}
