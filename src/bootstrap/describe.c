/*
 * bootstrap/describe.c - why an entry changed, and what of its records, in words
 *
 * The fields are those of the differ, which is asked once for both documents.
 */
#include "bootstrap/describe.h"

#include "bootstrap/layouts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- fields ----------------------------------------------------------------------- */

static const char *bytes_of(uint64_t bits, char buffer[24])
{
	snprintf(buffer, 24, bits % 8 ? "%" PRIu64 ":%" PRIu64 : "%" PRIu64, bits / 8, bits % 8);
	return buffer;
}

static void add_role(struct strbuf *out, const struct diff_field_side *side)
{
	if (*abi_role_name(side->role))
		strbuf_addf(out, ", %s", abi_role_name(side->role));
}

/* "rmStatus moved from 16 to 8, was NvU32". */
static void add_changed_field(struct strbuf *out, const struct diff_field *field)
{
	char from[24], to[24];

	strbuf_addf(out, "%s", field->after->path);
	if (field->renamed)
		strbuf_addf(out, " was called %s", field->before->path);
	if (field->moved)
		strbuf_addf(out, "%s moved from %s to %s", field->renamed ? "," : "", bytes_of(field->before->offset_bits, from),
			    bytes_of(field->after->offset_bits, to));
	if (field->retyped || field->resized)
		strbuf_addf(out, "%s is %s (%s bytes), was %s (%s)", field->renamed || field->moved ? "," : "", field->after->type,
			    bytes_of(field->after->size_bits, to), field->before->type, bytes_of(field->before->size_bits, from));
	if (field->before->role != field->after->role)
		add_role(out, field->after);
}

static const char *field_text(const struct diff_field *field, struct arena *arena)
{
	struct strbuf out = { 0 };
	const struct diff_field_side *one = field->after ? field->after : field->before;
	const char *text;
	char at[24];

	if (field->before && field->after) {
		add_changed_field(&out, field);
	} else {
		strbuf_addf(&out, "%s (%s at %s", one->path, one->type, bytes_of(one->offset_bits, at));
		add_role(&out, one);
		strbuf_adds(&out, field->after ? ") is new" : ") is gone");
	}
	text = arena_strdup(arena, strbuf_text(&out));
	strbuf_release(&out);
	return text;
}

static bool is_of_record(const struct diff_change *change, const char *record)
{
	if (change->kind != ABI_RECORD || !change->field_count)
		return false;
	for (size_t i = 0; i < change->also_count; i++)
		if (!strcmp(change->also[i], record))
			return true;
	return !strcmp(change->name, record);
}

static void set_fields(struct bootstrap_entry *out, const struct diff *diff, const char *record, struct arena *arena)
{
	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];
		const char **texts;

		if (!is_of_record(change, record))
			continue;
		out->changes = texts = arena_array(arena, change->field_count, sizeof(*texts));
		while (out->change_count < change->field_count) {
			texts[out->change_count] = field_text(&change->fields[out->change_count], arena);
			out->change_count++;
		}
		return;
	}
}

/* --- why -------------------------------------------------------------------------------- */

static bool differs(const char *a, const char *b)
{
	return !a ? b != NULL : !b || strcmp(a, b);
}

/* The struct that changed; their count if none did. */
static size_t changed_struct(const struct boot_change *change)
{
	size_t count = change->was->struct_count;

	for (size_t i = 0; i < count; i++)
		if (change->needs_type[i])
			return i;
	for (size_t i = 0; i < count; i++) {
		const struct resolved_struct *a = &change->base.structs[i], *b = &change->next.structs[i];

		if (differs(a->record, b->record) || a->size_bytes != b->size_bytes ||
		    (a->has_layout && b->has_layout && !layouts_same(&a->layout, &b->layout)))
			return i;
	}
	return count;
}

static const char *called(const struct boot_change *change)
{
	return change->was->constant ? change->was->constant : change->was->name;
}

static const char *why_removed(const struct boot *boot, const struct boot_change *change)
{
	const struct abi_ioctl *other = resolve_ioctl(boot->next, change->was->family, change->was->number, NULL);
	char number[ABI_NOTATION_BYTES];

	abi_ioctl_number(change->was->family, change->was->number, number);
	if (other)
		return arena_printf(boot->arena, "%s is gone, and %s is %s now", called(change), number, other->name);
	return arena_printf(boot->arena, "%s (%s) is gone", called(change), number);
}

static const char *why_renumbered(const struct boot *boot, const struct boot_change *change)
{
	const struct abi_ioctl *other = resolve_ioctl(boot->next, change->was->family, change->base.number, NULL);
	char was[ABI_NOTATION_BYTES], now[ABI_NOTATION_BYTES];

	abi_ioctl_number(change->was->family, change->base.number, was);
	abi_ioctl_number(change->was->family, change->next.number, now);
	return arena_printf(boot->arena, "%s is %s, and was %s%s%s%s", called(change), now, was, other ? ", which is " : "",
			    other ? other->name : "", other ? " now" : "");
}

static const char *why_renamed(const struct boot *boot, const struct boot_change *change, size_t index)
{
	const char *constant = change->next.constant;
	const char *record = index < change->was->struct_count ? change->record[index] : NULL;

	if (differs(change->was->constant, constant) && record && strcmp(record, change->was->structs[index].driver))
		return arena_printf(boot->arena, "%s is called %s now, and %s %s", called(change), constant ? constant : "nothing",
				    change->was->structs[index].driver, record);
	if (differs(change->was->constant, constant))
		return arena_printf(boot->arena, "%s is called %s now", called(change), constant ? constant : "nothing");
	return arena_printf(boot->arena, "%s is called %s now", change->was->structs[index].driver, record);
}

static const char *why_sizes(const struct boot *boot, const struct boot_change *change, size_t index, const char *then)
{
	const struct resolved_struct *was = &change->base.structs[index], *now = &change->next.structs[index];

	if (was->size_bytes != now->size_bytes)
		return arena_printf(boot->arena, "%s is %" PRIu64 " bytes, and was %" PRIu64 "%s", now->record, now->size_bytes, was->size_bytes, then);
	return arena_printf(boot->arena, "fields of %s changed%s", now->record, then);
}

static const char *why_nothing(const struct boot *boot, const struct boot_change *change, size_t index)
{
	if (index == change->was->struct_count)
		return arena_printf(boot->arena, change->next.ioctl ? "a table of the driver lists %s now" : "no table of the driver lists %s any more; its macro is there",
				    called(change));
	if (!change->was->structs[index].proxy)
		return why_sizes(boot, change, index, change->base.structs[index].size_bytes != change->next.structs[index].size_bytes ?
			"; the proxy passes it through unread, whatever its size, and no pointer, fd or pid came" :
			"; the proxy passes it through unread, and no pointer, fd or pid came");
	if (change->base.structs[index].has_layout && change->next.structs[index].has_layout &&
	    layouts_same_bytes(&change->base.structs[index].layout, &change->next.structs[index].layout))
		return why_sizes(boot, change, index, " in name or type only; the bytes that the proxy reads are the same");
	return why_sizes(boot, change, index, "; the proxy's type meets it as before");
}

static const char *why_replaced(const struct boot *boot, const struct boot_change *change, size_t index)
{
	if (index < change->was->struct_count && !change->record[index])
		return arena_printf(boot->arena, "%s is gone, and no table of the driver says what %s takes now",
				    change->was->structs[index].driver, called(change));
	if (change->was->structs[index].proxy && change->base.structs[index].size_bytes != change->next.structs[index].size_bytes)
		return why_sizes(boot, change, index, "");
	return change->why ? change->why : why_sizes(boot, change, index, "");
}

static const char *why(const struct boot *boot, const struct boot_change *change, size_t index)
{
	switch (change->action) {
	case BOOTSTRAP_REMOVE:
		return why_removed(boot, change);
	case BOOTSTRAP_RENUMBER:
		return why_renumbered(boot, change);
	case BOOTSTRAP_RENAME:
		return why_renamed(boot, change, index);
	case BOOTSTRAP_REPLACE:
		return why_replaced(boot, change, index);
	case BOOTSTRAP_NONE:
	case BOOTSTRAP_ADD:
		break;
	}
	return why_nothing(boot, change, index);
}

/* --- entries ---------------------------------------------------------------------------- */

static void describe(struct bootstrap_entry *out, struct boot *boot, const struct boot_change *change, const struct diff *diff)
{
	size_t index = changed_struct(change);

	*out = (struct bootstrap_entry){
		.node = boot_version(boot, change->since),
		.action = change->action,
		.is_read = change->is_read,
		.was = change->was,
		.now = change->now,
		.changed = index,
	};
	if (change->action == BOOTSTRAP_NONE)
		out->now = change->was;
	if (index < change->was->struct_count) {
		out->size_was = change->base.structs[index].size_bytes;
		out->size_now = change->next.structs[index].size_bytes;
		if (change->record[index] && change->next.structs[index].has_layout)
			set_fields(out, diff, change->record[index], boot->arena);
	}
	out->why = why(boot, change, index);
	if (change->came)
		out->came = arena_printf(boot->arena, "%s (%s at %" PRIu64 ") is a %s", change->came->path, change->came->type, change->came->offset_bits / 8,
					 layouts_translated_words(change->came));
}

int describe_changes(struct boot *boot)
{
	struct bootstrap_entry *entries = arena_array(boot->arena, boot->change_count + 1, sizeof(*entries));
	const struct diff_options all = { .view = NULL };
	struct diff diff;
	int rc;

	boot->out.entries = entries;
	if (!boot->change_count)
		return 0;
	if ((rc = diff_documents(&diff, boot->base, boot->next, &all, boot->arena, boot->err)))
		return rc;
	for (size_t i = 0; i < boot->change_count; i++)
		describe(&entries[boot->out.entry_count++], boot, &boot->changes[i], &diff);
	return 0;
}
