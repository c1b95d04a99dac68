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

static size_t collect_warnings(struct verify_finding *out, const struct verify_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++)
		if (verify_rule_warns(result->findings[i].rule))
			out[count++] = result->findings[i];
	return count;
}

/* Those of a result that count, the unseen ones behind; and warnings. */
static void collect(struct boot_findings *out, const struct verify_result *result, struct arena *arena)
{
	struct verify_finding *items = arena_array(arena, result->finding_count + result->unseen_count + 1, sizeof(*items));

	struct verify_finding *warnings = arena_array(arena, result->finding_count + 1, sizeof(*warnings));

	*out = (struct boot_findings){ .items = items, .warnings = warnings, .warning_count = collect_warnings(warnings, result) };
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
	boot->known_warnings = found.warnings;
	boot->known_warning_count = found.warning_count;
	return 0;
}

/* The same fault of the same entry, whatever its sentence, and whatever the record is called now. */
static bool is_among(const struct verify_finding *items, size_t count, const struct verify_finding *finding)
{
	for (size_t i = 0; i < count; i++) {
		const struct verify_finding *known = &items[i];

		if (known->rule == finding->rule && !strcmp(known->family, finding->family) && !strcmp(known->entry, finding->entry) &&
		    !strcmp(known->path, finding->path))
			return true;
	}
	return false;
}

/* Those of @found that are not among @known. */
static const struct verify_finding *only_fresh(size_t *count, const struct verify_finding *found, size_t found_count,
					       const struct verify_finding *known, size_t known_count, struct arena *arena)
{
	struct verify_finding *fresh = arena_array(arena, found_count + 1, sizeof(*fresh));

	*count = 0;
	for (size_t i = 0; i < found_count; i++)
		if (!is_among(known, known_count, &found[i]))
			fresh[(*count)++] = found[i];
	return fresh;
}

int findings_fresh_in(struct boot_findings *out, struct boot *boot, const struct abi *abi, const struct table *types,
		      const struct table_entry *const *entries, size_t count)
{
	const struct table_view view = { types, boot->view.node, entries, count };
	struct boot_findings found;
	struct verify_result result;
	int rc;

	if ((rc = check(&result, boot, abi, &view)))
		return rc;
	collect(&found, &result, boot->arena);
	*out = (struct boot_findings){ .items = NULL };
	out->items = only_fresh(&out->count, found.items, found.count, boot->known, boot->known_count, boot->arena);
	out->warnings = only_fresh(&out->warning_count, found.warnings, found.warning_count, boot->known_warnings,
				   boot->known_warning_count, boot->arena);
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
