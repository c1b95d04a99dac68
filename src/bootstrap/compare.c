/*
 * bootstrap/compare.c - which entries changed, and at which version first
 *
 * 1. Each entry of the parent's view is looked up in the parent's document and in
 *    the version's (resolve.c). If number, names and layouts are the same, it is unchanged.
 * 2. Of a changed entry, the path is walked back from the version, as long as
 *    the entry is as it is there: where that begins, a node has to stand.
 * 3. Of an unchanged entry, the versions between are looked at as well: a change
 *    that came and went needs no node, but is told.
 *
 * Versions of equal content share one document, which is looked at once.
 */
#include "bootstrap/compare.h"

#include "bootstrap/layouts.h"

#include <string.h>

const struct abi *boot_document(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].abi;
}

const char *boot_version(const struct boot *boot, size_t index)
{
	return boot->graph->versions[boot->position->path[index]].version;
}

static bool same_text(const char *a, const char *b)
{
	return !a ? !b : b && !strcmp(a, b);
}

static bool same_struct(const struct resolved_struct *a, const struct resolved_struct *b)
{
	if (!same_text(a->record, b->record) || a->has_layout != b->has_layout || a->size_bytes != b->size_bytes)
		return false;
	return !a->has_layout || layouts_same(&a->layout, &b->layout);
}

static bool same_number(const struct resolved *a, const struct resolved *b)
{
	return a->is_gone == b->is_gone && a->number == b->number && same_text(a->constant, b->constant);
}

bool boot_is_unchanged(const struct boot_change *change, const struct resolved *other)
{
	if (!same_number(&change->base, other) || !change->base.ioctl != !other->ioctl)
		return false;
	for (size_t i = 0; i < change->was->struct_count; i++)
		if (!same_struct(&change->base.structs[i], &other->structs[i]))
			return false;
	return true;
}

static bool is_read(const struct table_entry *entry)
{
	for (size_t i = 0; i < entry->struct_count; i++)
		if (entry->structs[i].proxy)
			return true;
	return false;
}

static int resolve_at(struct resolved *out, const struct boot *boot, const struct abi *abi, const struct table_entry *entry)
{
	const struct resolver resolver = { boot->base, abi, boot->arena, boot->err };
	int rc = resolve_entry(out, &resolver, entry);

	if (rc)
		err_prefix(boot->err, "%s: %s %s", abi->version, entry->family, entry->name);
	return rc;
}

static void count_compared(struct boot *boot, const struct boot_change *change)
{
	struct bootstrap_proof *proof = &boot->out.proof;

	proof->entries++;
	for (size_t i = 0; i < change->was->struct_count; i++) {
		proof->structs += change->next.structs[i].record != NULL;
		proof->scalars += change->next.structs[i].layout.leaf_count;
	}
}

/* Is @now what @change became in the version, as far as its action goes? */
static bool is_as_next(const struct boot_change *change, const struct resolved *now)
{
	if (!same_number(&change->next, now))
		return false;
	for (size_t i = 0; i < change->was->struct_count && !now->is_gone; i++) {
		const struct resolved_struct *a = &change->next.structs[i], *b = &now->structs[i];

		if (!same_text(a->record, b->record) || a->size_bytes != b->size_bytes || a->has_layout != b->has_layout)
			return false;
		if (a->has_layout && !(change->action == BOOTSTRAP_NONE ? layouts_same : layouts_same_bytes)(&a->layout, &b->layout))
			return false;
	}
	return true;
}

int compare_find_since(struct boot *boot, struct boot_change *change)
{
	size_t index = boot->position->path_count - 1;
	struct resolved now;
	int rc;

	change->since = index;
	while (index-- > 1) {
		const struct abi *abi = boot_document(boot, index);

		if (!abi)
			continue;
		if ((rc = resolve_at(&now, boot, abi, change->was)))
			return rc;
		if (!is_as_next(change, &now))
			return 0;
		change->since = index;
	}
	return 0;
}

static void add_passed(struct boot *boot, struct bootstrap_passed *passed, const struct boot_change *change, size_t index)
{
	const struct table_entry *entry = change->was;
	const char *what = entry->struct_count ? entry->structs[0].driver : entry->constant ? entry->constant : entry->name;

	passed[boot->out.passed_count++] = (struct bootstrap_passed){
		entry->family, entry->name, boot_version(boot, index),
		arena_printf(boot->arena, "%s is another one in %s, and in %s again what it is in %s", what, boot_version(boot, index),
			     boot->out.version, boot->out.parent),
	};
}

/* The first version between in which an unchanged entry is another one. */
static int find_passed(struct boot *boot, struct bootstrap_passed *passed, const struct boot_change *change)
{
	const struct abi *last = NULL;
	struct resolved now;
	int rc;

	for (size_t i = 1; i + 1 < boot->position->path_count; i++) {
		const struct abi *abi = boot_document(boot, i);

		if (!abi || (last && last->records == abi->records && last->ioctls == abi->ioctls))
			continue;
		last = abi;
		if ((rc = resolve_at(&now, boot, abi, change->was)))
			return rc;
		if (boot_is_unchanged(change, &now))
			continue;
		add_passed(boot, passed, change, i);
		return 0;
	}
	return 0;
}

static int compare_entry(struct boot *boot, struct bootstrap_passed *passed, const struct table_entry *entry)
{
	struct boot_change *change = &boot->changes[boot->change_count];
	int rc;

	*change = (struct boot_change){ .was = entry, .is_read = is_read(entry) };
	if ((rc = resolve_at(&change->base, boot, boot->base, entry)) ||
	    (rc = resolve_at(&change->next, boot, boot->next, entry)))
		return rc;
	count_compared(boot, change);
	if (!boot_is_unchanged(change, &change->next)) {
		boot->change_count++;
		return 0;
	}
	boot->out.proof.unchanged++;
	return find_passed(boot, passed, change);
}

int compare_entries(struct boot *boot)
{
	struct bootstrap_passed *passed = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(*passed));
	int rc = 0;

	boot->changes = arena_array(boot->arena, boot->view.entry_count + 1, sizeof(*boot->changes));
	boot->out.passed = passed;
	for (size_t i = 0; i < boot->view.entry_count && !rc; i++)
		rc = compare_entry(boot, passed, boot->view.entries[i]);
	return rc;
}
