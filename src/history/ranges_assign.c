/*
 * history/ranges_assign.c - find the node of the table that a version can safely use
 *
 * 1. Baseline, for each node: verify is run at the node's own version. Its findings are faults of the table,
 *    and count as known from then on.
 * 2. For each version: verify is run with the node that it follows. If every finding is known (same rule,
 *    entry, record and path), the node is safe.
 * 3. Otherwise, other nodes are tried: first the nodes of the version's own release, then the others. In both
 *    rounds, the newest node that is not newer than the version is tried first.
 * 4. If no node is safe, the version needs a new node.
 *
 * ranges_passed() is separate: it finds renumbered ioctls that have no entry, which verify cannot find.
 *
 * Only findings that distinguish versions count. Warnings do not count, and unseen findings count only if
 * they are possible pointers.
 */
#include "history/internal.h"

#include <xxhash.h>

static struct ranges_node *ranges_node_of(const struct ranges *ranges, const struct table_node *node)
{
	return &ranges->nodes[node - ranges->table->nodes];
}

static bool same_side(const struct verify_side *a, const struct verify_side *b)
{
	return a->present == b->present && a->offset_bytes == b->offset_bytes &&
	       a->size_bytes == b->size_bytes && a->has_number == b->has_number && a->number == b->number;
}

/*
 * Does verify find the same fault of the same entry at the node's own version? For parameters that the proxy
 * passes on unchanged, the offset does not matter. For all others, a different size, offset or number is a
 * different fault.
 */
static bool is_known_finding(const struct ranges_node *node, const struct verify_finding *b)
{
	const bool is_passed = b->rule == VERIFY_NOT_SIMPLE || b->rule == VERIFY_AS_IS ||
			       b->rule == VERIFY_KERNEL_POINTER;

	for (size_t i = 0; i < node->known_count; i++) {
		const struct verify_finding *a = &node->known[i];

		if (a->rule == b->rule && !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry) &&
		    !strcmp(a->record, b->record) && !strcmp(a->path, b->path) &&
		    (is_passed || (same_side(&a->driver, &b->driver) && same_side(&a->proxy, &b->proxy))))
			return true;
	}
	return false;
}

/* Copies a finding from temporary memory into @arena. The copy counts, so it is not marked as unseen. */
static void copy_finding(struct verify_finding *out, const struct verify_finding *finding,
			 struct arena *arena)
{
	*out = *finding;
	out->family = arena_strdup(arena, finding->family);
	out->entry = arena_strdup(arena, finding->entry);
	out->record = arena_strdup(arena, finding->record);
	out->path = arena_strdup(arena, finding->path);
	out->message = arena_strdup(arena, finding->message);
	out->driver.type = finding->driver.type ? arena_strdup(arena, finding->driver.type) : NULL;
	out->proxy.type = finding->proxy.type ? arena_strdup(arena, finding->proxy.type) : NULL;
	out->unseen = false;
}

/**
 * check_node - list the findings that are reasons not to use @node at a version
 * @out: lives in @arena; NULL if only the count is needed
 *
 * Such a finding is a fault that verify does not have at the node's own version, or a pointer that may have
 * been added to bytes that the proxy forwards. Return: 0, and @count is set; an error of verify_view().
 */
static int check_node(const struct verify_finding **out, size_t *count, const struct ranges *ranges,
		      const struct table_node *node, const struct abi *abi, struct arena *arena,
		      struct err *err)
{
	const struct ranges_node *known = ranges_node_of(ranges, node);
	struct arena scratch = { 0 };
	struct verify_result result;
	struct verify_finding *fresh = NULL;
	size_t total;
	int rc;

	if ((rc = verify_view(&result, abi, ranges_view(ranges, node), &scratch, err))) {
		err_prefix(err, "%s", abi->version);
		goto out;
	}
	total = result.finding_count + result.unseen_count;
	if (out)
		*out = fresh = arena_array(arena, total + 1, sizeof(*fresh));
	*count = 0;
	for (size_t i = 0; i < total; i++) {
		const struct verify_finding *one = &result.findings[i];

		if (verify_rule_warns(one->rule) || (one->unseen && one->rule != VERIFY_NOT_SIMPLE) ||
		    is_known_finding(known, one))
			continue;
		if (fresh)
			copy_finding(&fresh[*count], one, arena);
		++*count;
	}
out:
	arena_release(&scratch);
	return rc;
}

/*
 * Sets @out to true if @node is safe for every version that follows its parent, and there is such a version.
 * Versions with equal documents are adjacent, so only the first of them is checked.
 */
static int fits_parent(bool *out, const struct ranges *ranges, const struct table_node *node, struct err *err)
{
	const struct abi *last = NULL;
	size_t fresh = 0;
	int rc = 0;

	for (size_t i = 0; i < ranges->graph->version_count && !rc && !fresh; i++) {
		const struct ranges_version *version = &ranges->versions[i];
		const struct abi *abi = ranges->graph->versions[i].abi;

		if (!abi || version->follows_none || version->node != node->parent ||
		    (last && last->records == abi->records))
			continue;
		rc = check_node(NULL, &fresh, ranges, node, abi, NULL, err);
		last = abi;
	}
	*out = last && !fresh;
	return rc;
}

int ranges_baseline(struct ranges *ranges, size_t index, struct arena *arena, struct err *err)
{
	struct ranges_node *node = &ranges->nodes[index];
	const struct verify_finding *known;
	size_t count;
	int rc;

	if (node->version < 0)
		return 0;
	if ((rc = check_node(&known, &count, ranges, node->node, ranges->graph->versions[node->version].abi,
			     arena, err)))
		return rc;
	node->known = known;
	node->known_count = count;
	return node->node->parent && !node->is_empty
		       ? fits_parent(&node->fits_parent, ranges, node->node, err)
		       : 0;
}

/*
 * Finds a different safe node: first in the version's own release, then in other releases. In each round,
 * nodes that are not newer than the version are tried before newer ones, and the newest first. A node that
 * forwards exactly what its parent forwards, or whose version has no document, is skipped. Sets @out to NULL
 * if no node is safe. Return: 0; an error of verify_view().
 */
static int find_other(const struct table_node **out, const struct ranges *ranges, size_t version,
		      struct err *err)
{
	const struct history_version *one = &ranges->graph->versions[version];

	for (int round = 0; round < 4; round++)
		for (size_t i = ranges->table->node_count; i--;) {
			const struct table_node *node = &ranges->table->nodes[i];
			bool is_newer = abi_version_compare(node->version, one->version) > 0;
			size_t fresh;
			int rc;

			if (node == ranges->versions[version].node ||
			    ranges_node_of(ranges, node)->is_empty || is_newer != (round & 1) ||
			    history_same_release(node->version, one->version) != (round < 2) ||
			    ranges_node_of(ranges, node)->version < 0)
				continue;
			if ((rc = check_node(NULL, &fresh, ranges, node, one->abi, NULL, err)))
				return rc;
			if (!fresh) {
				*out = node;
				return 0;
			}
		}
	*out = NULL;
	return 0;
}

/*
 * Sets @out to the hash, in hexadecimal, of all facts of @abi that the entries of @node read. Versions with
 * the same hash are the same to the proxy. Return: 0; an error of flatten_record().
 */
static int hash_facts(char out[33], const struct ranges *ranges, const struct table_node *node,
		      const struct abi *abi, struct err *err)
{
	struct strbuf text = { 0 };
	XXH128_hash_t hash;
	int rc;

	rc = ranges_write_facts(&text, abi, ranges_view(ranges, node), ranges->criterion, false, err);
	if (!rc) {
		hash = XXH3_128bits(strbuf_text(&text), text.length);
		snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash.high64,
			 (unsigned long long)hash.low64);
	}
	strbuf_release(&text);
	return rc;
}

size_t ranges_first_equal(const struct ranges *ranges, size_t version)
{
	const struct history_version *all = ranges->graph->versions;

	for (size_t i = 0; i < version; i++)
		if (all[i].abi && all[i].abi->records == all[version].abi->records &&
		    all[i].abi->ioctls == all[version].abi->ioctls &&
		    ranges->versions[i].node == ranges->versions[version].node &&
		    ranges->versions[i].follows_none == ranges->versions[version].follows_none)
			return i;
	return version;
}

int ranges_fit_version(struct ranges *ranges, size_t version, struct arena *arena, struct err *err)
{
	const struct abi *abi = ranges->graph->versions[version].abi;
	struct ranges_version *out = &ranges->versions[version];
	int rc;

	if ((rc = check_node(&out->fresh, &out->fresh_count, ranges, out->node, abi, arena, err)))
		return rc;
	if (!out->fresh_count) {
		out->fit = RANGES_FITS;
		out->safe = out->node;
		return 0;
	}
	if (out->follows_none) {
		out->fit = RANGES_OLDER;
		return 0;
	}
	if ((rc = find_other(&out->safe, ranges, version, err)))
		return rc;
	out->fit = out->safe ? RANGES_OTHER : RANGES_NEEDS;
	return 0;
}

int ranges_assign(struct ranges *ranges, size_t version, struct arena *arena, struct err *err)
{
	const struct abi *abi = ranges->graph->versions[version].abi;
	struct ranges_version *out = &ranges->versions[version];
	int rc;

	if (!abi || ranges_first_equal(ranges, version) != version)
		return 0;
	if ((rc = hash_facts(out->facts_hash, ranges, out->node, abi, err)) ||
	    (rc = ranges_fit_version(ranges, version, arena, err)) || !out->safe)
		return rc;
	if (out->safe != out->node)
		return hash_facts(out->proof, ranges, out->safe, abi, err);
	memcpy(out->proof, out->facts_hash, sizeof(out->proof));
	return 0;
}

/* --- an independent proof that versions of a set have the same ABI for the table ------------- */

/*
 * Sets are derived from the facts that the table reads (ranges_write_facts()). Here, the differ compares each
 * version with the first version of its set. Each change of a forwarded item is compared with the facts that
 * the table reads about the item. The two methods share only the document and the code in flatten/.
 */

struct proof {
	const struct table_view *view;
	enum ranges_criterion criterion;
};

/* How the table names a record. */
enum mention { NOT_NAMED, PASSED_THROUGH, TRANSLATED };

/* How the table uses a record: the strongest use by any entry. */
static enum mention mention_of(const struct proof *proof, const char *record)
{
	enum mention mention = NOT_NAMED;

	for (size_t i = 0; record && i < proof->view->entry_count; i++)
		for (size_t s = 0; s < proof->view->entries[i]->struct_count; s++) {
			const struct table_struct *one = &proof->view->entries[i]->structs[s];

			if (strcmp(one->driver, record))
				continue;
			if (one->proxy)
				return TRANSLATED;
			mention = PASSED_THROUGH;
		}
	return mention;
}

static void raise_mention(enum mention *mention, enum mention other)
{
	if (other > *mention)
		*mention = other;
}

static bool must_be_acted_on(const struct diff_field_side *side)
{
	return side && ranges_is_acted_on(side->path, strchr(side->type, '*') ? ABI_POINTER : ABI_BYTES,
					  side->role);
}

/*
 * Does the field's change affect more than its name, or the spelling of its type? A table that reads only
 * offsets ignores these.
 */
static bool moves_bytes(const struct diff_field *field)
{
	return !field->before || !field->after || field->moved || field->resized ||
	       field->before->role != field->after->role ||
	       (field->retyped && field->classes & ~(unsigned)DIFF_NAME);
}

/*
 * Did the bytes of a field change? @translated: if false, only a pointer or fd counts, which the proxy must
 * find even in records that it passes through
 */
static bool touches_bytes(const struct diff_change *change, bool translated)
{
	for (size_t i = 0; i < change->field_count; i++)
		if (moves_bytes(&change->fields[i]) &&
		    (translated || must_be_acted_on(change->fields[i].before) ||
		     must_be_acted_on(change->fields[i].after)))
			return true;
	return false;
}

/*
 * Does the table read what changed in the record? A record that the proxy passes through is read only for
 * its size and for pointers and fds.
 */
static bool reads_record(const struct proof *proof, const struct diff_change *change)
{
	enum mention own, any; /* for the record itself, and for the records that contain it */

	if (change->same_as) /* only a name was added or removed; the record still exists under a different
				one */
		return mention_of(proof, change->name) != NOT_NAMED;
	own = mention_of(proof, change->name);
	raise_mention(&own, mention_of(proof, change->base_name));
	for (size_t i = 0; i < change->also_count; i++)
		raise_mention(&own, mention_of(proof, change->also[i]));
	any = own;
	for (size_t i = 0; i < change->reach_count; i++)
		for (size_t step = 0; step < change->reached_by[i].through_count; step++)
			raise_mention(&any, mention_of(proof, change->reached_by[i].through[step]));
	if (any == NOT_NAMED)
		return false;
	if (!change->base_record || !change->next_record)
		return own != NOT_NAMED;
	if (proof->criterion == RANGES_STRICT)
		return true;
	return touches_bytes(change, any == TRANSLATED) ||
	       ((any == TRANSLATED || own == PASSED_THROUGH) &&
		change->base_record->size_bytes != change->next_record->size_bytes);
}

static bool is_entry_of(const struct table_entry *entry, const struct abi_ioctl *ioctl)
{
	return ioctl && !strcmp(entry->family, ioctl->family) && entry->number == ioctl->number;
}

/* Is the change one that the table reads? Then the two versions of a set are not the same to the proxy. */
static bool reads_change(const struct proof *proof, const struct diff_change *change)
{
	const struct abi_ioctl *base = change->base_ioctl, *next = change->next_ioctl;
	const struct table_view *view = proof->view;

	switch (change->kind) {
	case ABI_RECORD: return reads_record(proof, change);
	case ABI_IOCTL:
		if (base && next && base->number == next->number && !strcmp(base->name, next->name) &&
		    !(change->classes & DIFF_NUMBER))
			return false;
		for (size_t i = 0; i < view->entry_count; i++)
			if (is_entry_of(view->entries[i], base) || is_entry_of(view->entries[i], next))
				return true;
		return false;
	case ABI_CONSTANT:
		for (size_t i = 0; i < view->entry_count; i++)
			if (view->entries[i]->constant && !strcmp(view->entries[i]->constant, change->name))
				return true;
		return false;
	case ABI_ALIAS:
	case ABI_ENUM: return false; /* the records that use the enum have changes of their own */
	}
	return true;
}

int ranges_prove(struct ranges_proof *out, const struct ranges *ranges, size_t version, struct arena *arena,
		 struct err *err)
{
	const struct ranges_version *one = &ranges->versions[version];
	const struct history_version *all = ranges->graph->versions;
	size_t first = one->set == SIZE_MAX ? version : ranges->sets[one->set].versions[0];
	const struct proof proof = { ranges_view(ranges, one->node), ranges->criterion };
	const struct diff_options options = { .view = proof.view };
	struct arena scratch = { 0 };
	const char **against;
	struct diff diff;
	int rc;

	if (!all[version].abi || first == version || history_same(all[first].abi, all[version].abi)) {
		*out = (struct ranges_proof){ 0 };
		return 0;
	}
	if (!(rc = diff_documents(&diff, all[first].abi, all[version].abi, &options, &scratch, err))) {
		against = arena_array(arena, diff.change_count + 1, sizeof(*against));
		*out = (struct ranges_proof){ .compared = true, .against = against };
		for (size_t i = 0; i < diff.change_count; i++) {
			const struct diff_change *change = &diff.changes[i];

			if (reads_change(&proof, change))
				against[out->against_count++] = arena_printf(
					arena, "%s %s", abi_kind_name(change->kind), change->name);
			else
				out->unread += change->proxied;
		}
	}
	arena_release(&scratch);
	return rc;
}

/* --- ioctls that the table passes through by only one of two numbers ------------------------- */

/* Does @abi have an ioctl with the family, the number and the name of @ioctl? */
static bool has_ioctl(const struct abi *abi, const struct abi_ioctl *ioctl)
{
	size_t count;
	const struct abi_ioctl *there = abi_ioctls_numbered(&count, abi, ioctl->family, ioctl->number);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(there[i].name, ioctl->name))
			return true;
	return false;
}

/*
 * Can the differ find an ioctl of @abi that the table passes through, with a different number in @other? It
 * has the same name there, or, if the driver compares only a part of the number, another one.
 */
static bool may_be_half_passed(const struct table *table, const struct abi *abi, const struct abi *other)
{
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if (!table_passes(table, ioctl->family, ioctl->number) || has_ioctl(other, ioctl))
			continue;
		if (abi_ioctl_is_by_nr(ioctl) || abi_find_ioctl(other, ioctl->family, ioctl->name))
			return true;
	}
	return false;
}

int ranges_passed(struct ranges *ranges, size_t version, struct arena *arena, struct err *err)
{
	const struct history_version *all = ranges->graph->versions;
	const long parent = history_known_parent(all, (long)version);
	struct ranges_version *out = &ranges->versions[version];
	const struct diff_options options = { .view = ranges_view(ranges, out->node) };
	struct arena scratch = { 0 };
	struct diff_change *passed;
	struct diff diff;
	int rc;

	out->passed_count = 0;
	out->passed_since = parent;
	if (!all[version].abi || parent == HISTORY_NO_PARENT ||
	    (!may_be_half_passed(ranges->table, all[parent].abi, all[version].abi) &&
	     !may_be_half_passed(ranges->table, all[version].abi, all[parent].abi)))
		return 0;
	if (!(rc = diff_documents(&diff, all[parent].abi, all[version].abi, &options, &scratch, err))) {
		out->passed = passed = arena_array(arena, diff.change_count + 1, sizeof(*passed));
		for (size_t i = 0; i < diff.change_count; i++) {
			const struct diff_change *change = &diff.changes[i];

			if (change->kind == ABI_IOCTL && change->base_ioctl && change->next_ioctl &&
			    !change->entry_count && !change->passed_was != !change->passed_as)
				history_copy_change(&passed[out->passed_count++], change, arena);
		}
	}
	arena_release(&scratch);
	return rc;
}
