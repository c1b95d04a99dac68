#include "bootstrap/findings.h"

#include <string.h>

/*
 * A fault tells two versions apart, and so does a pointer that may have come
 * into bytes that the proxy forwards. Warnings, and what else cannot be seen, do not.
 */
static bool counts(const struct verify_finding *finding)
{
	return !verify_rule_warns(finding->rule) && (!finding->unseen || finding->rule == VERIFY_NOT_SIMPLE);
}

/* Those of a result that count, the unseen ones behind. */
static void collect(struct boot_findings *out, const struct verify_result *result, struct arena *arena)
{
	struct verify_finding *items = arena_array(arena, result->finding_count + result->unseen_count + 1, sizeof(*items));

	*out = (struct boot_findings){ .items = items };
	for (size_t i = 0; i < result->finding_count; i++)
		if (counts(&result->findings[i]))
			items[out->count++] = result->findings[i];
	for (size_t i = 0; i < result->unseen_count; i++)
		if (counts(&result->unseen[i]))
			items[out->count++] = result->unseen[i];
}

static void set_faults(struct boot *boot, const struct boot_findings *found)
{
	struct bootstrap_fault *faults = arena_array(boot->arena, found->count + 1, sizeof(*faults));

	for (size_t i = 0; i < found->count; i++)
		if (!found->items[i].unseen)
			faults[boot->out.fault_count++] = (struct bootstrap_fault){ boot->base->version, &found->items[i] };
	boot->out.faults = faults;
}

/* verify does not say which version it is about. */
static int check(struct verify_result *out, const struct boot *boot, const struct abi *abi, const struct table_view *view)
{
	int rc = verify_view(out, abi, view, boot->arena, boot->err);

	if (rc)
		err_prefix(boot->err, "%s", abi->version);
	return rc;
}

int findings_known(struct boot *boot)
{
	struct boot_findings found;
	struct verify_result result;
	int rc;

	if ((rc = check(&result, boot, boot->base, &boot->view)))
		return rc;
	collect(&found, &result, boot->arena);
	set_faults(boot, &found);
	boot->known = found.items;
	boot->known_count = found.count;
	return 0;
}

/* The same fault of the same entry, whatever its sentence, and whatever the record is called now. */
static bool is_known(const struct boot *boot, const struct verify_finding *finding)
{
	for (size_t i = 0; i < boot->known_count; i++) {
		const struct verify_finding *known = &boot->known[i];

		if (known->rule == finding->rule && !strcmp(known->family, finding->family) && !strcmp(known->entry, finding->entry) &&
		    !strcmp(known->path, finding->path))
			return true;
	}
	return false;
}

int findings_fresh_in(struct boot_findings *out, struct boot *boot, const struct abi *abi, const struct table *types,
		      const struct table_entry *const *entries, size_t count)
{
	const struct table_view view = { types, boot->view.node, entries, count };
	struct boot_findings found;
	struct verify_finding *fresh;
	struct verify_result result;
	int rc;

	if ((rc = check(&result, boot, abi, &view)))
		return rc;
	collect(&found, &result, boot->arena);
	fresh = arena_array(boot->arena, found.count + 1, sizeof(*fresh));
	*out = (struct boot_findings){ .items = fresh };
	for (size_t i = 0; i < found.count; i++)
		if (!is_known(boot, &found.items[i]))
			fresh[out->count++] = found.items[i];
	return 0;
}

int findings_fresh(struct boot_findings *out, struct boot *boot, const struct table *types, const struct table_entry *const *entries, size_t count)
{
	return findings_fresh_in(out, boot, boot->next, types, entries, count);
}

bool findings_about(const struct verify_finding *finding, const struct table_entry *entry)
{
	return !strcmp(finding->family, entry->family) && !strcmp(finding->entry, entry->name);
}
