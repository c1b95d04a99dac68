/*
 * bootstrap/findings.h - what verify finds in a version, and did not find at the parent
 *
 * Inside the room.
 */
#ifndef BOOTSTRAP_FINDINGS_H
#define BOOTSTRAP_FINDINGS_H

#include "bootstrap/run.h"

struct boot_findings {
	const struct verify_finding *items;
	size_t count;
	const struct verify_finding *warnings; /* findings that do not count: set by findings_fresh() */
	size_t warning_count;
};

/* findings_known - sets what verify finds at the parent, and the table's faults. Return: 0; what verify_view() returns. */
int findings_known(struct boot *boot);

/* findings_fresh - of @entries, which are sorted and name types of @types, in the version's document: what is not known at the parent. */
int findings_fresh(struct boot_findings *out, struct boot *boot, const struct table *types, const struct table_entry *const *entries, size_t count);

/* findings_fresh_in - the same in the document of another version. */
int findings_fresh_in(struct boot_findings *out, struct boot *boot, const struct abi *abi, const struct table *types,
		      const struct table_entry *const *entries, size_t count);

/* findings_about - is it about this entry? */
bool findings_about(const struct verify_finding *finding, const struct table_entry *entry);

#endif
