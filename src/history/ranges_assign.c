/*
 * history/ranges_assign.c - which node of the table is safe for a version
 *
 * 1. Baseline, for each node: what verify finds at the node's own version.
 *    These are faults of the table, and known from then on.
 * 2. For each version: verify with the node that it follows. If every finding
 *    is known (same rule, entry, record and path), the node is safe.
 * 3. If not, other nodes are tried: first those of the version's own release,
 *    then all; each time the newest that is not newer than the version first.
 * 4. If none is safe, the version needs a new node.
 *
 * Only findings that tell two versions apart count: no warnings, and of what
 * could not be checked only a possible pointer.
 */
#include "history/history.h"
#include "history/reading.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static const struct abi *abi_of(const struct ranges *ranges, long version)
{
	return version < 0 ? NULL : ranges->graph->versions[version].abi;
}

static struct ranges_node *node_of(const struct ranges *ranges, const struct table_node *node)
{
	return &ranges->nodes[node - ranges->table->nodes];
}

/* The same fault of the same entry, whatever the sizes and offsets in its sentence. */
static bool same_finding(const struct verify_finding *a, const struct verify_finding *b)
{
	return a->rule == b->rule && !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry) && !strcmp(a->record, b->record) &&
	       !strcmp(a->path, b->path);
}

static bool is_known(const struct ranges_node *node, const struct verify_finding *finding)
{
	for (size_t i = 0; i < node->known_count; i++)
		if (same_finding(&node->known[i], finding))
			return true;
	return false;
}

static struct verify_side copy_side(const struct verify_side *side, struct arena *arena)
{
	struct verify_side copy = *side;

	copy.type = side->type ? arena_strdup(arena, side->type) : NULL;
	return copy;
}

static void copy_finding(struct verify_finding *out, const struct verify_finding *finding, struct arena *arena)
{
	*out = (struct verify_finding){
		.rule = finding->rule,
		.family = arena_strdup(arena, finding->family),
		.entry = arena_strdup(arena, finding->entry),
		.record = arena_strdup(arena, finding->record),
		.path = arena_strdup(arena, finding->path),
		.driver = copy_side(&finding->driver, arena),
		.proxy = copy_side(&finding->proxy, arena),
		.message = arena_strdup(arena, finding->message),
	};
}

/* Is the finding a reason against the node? A fault is, and a pointer that may have come into bytes that the proxy forwards. */
static bool is_reason(const struct ranges_node *known, const struct verify_finding *finding)
{
	return !verify_rule_warns(finding->rule) && (!finding->unseen || finding->rule == VERIFY_NOT_SIMPLE) && !is_known(known, finding);
}

/* Appends those of @findings that are reasons to the @count of @out; @out: NULL if only the number is wanted. */
static void collect_findings(struct verify_finding *out, size_t *count, const struct ranges_node *known, const struct verify_finding *findings,
			  size_t finding_count, struct arena *arena)
{
	for (size_t i = 0; i < finding_count; i++) {
		if (!is_reason(known, &findings[i]))
			continue;
		if (out)
			copy_finding(&out[*count], &findings[i], arena);
		++*count;
	}
}

/**
 * check - what verify finds with @node at a version, but for warnings and what is known of the node
 * @out: NULL if only the number is wanted; else it lives in @arena
 */
static int check(const struct verify_finding **out, size_t *count, const struct ranges *ranges, const struct table_node *node,
		 const struct abi *abi, struct arena *arena, struct err *err)
{
	const struct ranges_node *known = node_of(ranges, node);
	struct arena scratch = { 0 };
	struct verify_result result;
	struct verify_finding *fresh;
	int rc;

	if ((rc = verify_view(&result, abi, ranges_view(ranges, node), &scratch, err))) {
		err_prefix(err, "%s", abi->version);
		goto out;
	}
	*count = 0;
	fresh = out ? arena_array(arena, result.finding_count + result.unseen_count + 1, sizeof(*fresh)) : NULL;
	collect_findings(fresh, count, known, result.findings, result.finding_count, arena);
	collect_findings(fresh, count, known, result.unseen, result.unseen_count, arena);
	if (out)
		*out = fresh;
out:
	arena_release(&scratch);
	return rc;
}

/* Is @node safe for every version that follows its parent? Equal documents follow each other: one of them is enough. */
static int fits_parent(bool *out, const struct ranges *ranges, const struct table_node *node, struct err *err)
{
	const struct abi *last = NULL;
	size_t fresh = 0;
	int rc = 0;

	for (size_t i = 0; i < ranges->graph->version_count && !rc && !fresh; i++) {
		const struct ranges_version *version = &ranges->versions[i];
		const struct abi *abi = ranges->graph->versions[i].abi;

		if (!abi || version->follows_none || version->node != node->parent || (last && last->records == abi->records))
			continue;
		rc = check(NULL, &fresh, ranges, node, abi, NULL, err);
		last = abi;
	}
	*out = last && !fresh;
	return rc;
}

int ranges_baseline(struct ranges *ranges, size_t index, struct arena *arena, struct err *err)
{
	struct ranges_node *node = &ranges->nodes[index];
	const struct abi *abi = abi_of(ranges, node->version);
	const struct verify_finding *known;
	size_t count;
	int rc;

	if (!abi)
		return 0;
	if ((rc = check(&known, &count, ranges, node->node, abi, arena, err)))
		return rc;
	node->known = known;
	node->known_count = count;
	return node->node->parent && !node->is_empty ? fits_parent(&node->fits_parent, ranges, node->node, err) : 0;
}

/* Has @node the first number of @version, as 570.133.20 has that of 570.195.03? */
static bool is_of_release(const struct table_node *node, const char *version)
{
	size_t length = strcspn(version, ".");

	return length == strcspn(node->version, ".") && !strncmp(node->version, version, length);
}

/*
 * Another node that is safe: of the version's own release, then of any; the
 * newest that is not newer, then the newest of all. One that forwards just
 * what its parent does stands for nothing of its own.
 */
static int find_other(const struct table_node **out, const struct ranges *ranges, size_t version, struct err *err)
{
	const struct history_version *one = &ranges->graph->versions[version];

	for (int round = 0; round < 4; round++)
		for (size_t i = ranges->table->node_count; i--;) {
			const struct table_node *node = &ranges->table->nodes[i];
			bool is_newer = abi_version_compare(node->version, one->version) > 0;
			size_t fresh;
			int rc;

			if (node == ranges->versions[version].node || node_of(ranges, node)->is_empty || is_newer != (round & 1) ||
			    is_of_release(node, one->version) != (round < 2) || node_of(ranges, node)->version < 0)
				continue;
			if ((rc = check(NULL, &fresh, ranges, node, one->abi, NULL, err)))
				return rc;
			if (!fresh) {
				*out = node;
				return 0;
			}
		}
	*out = NULL;
	return 0;
}

static int set_reading(struct ranges_version *out, const struct ranges *ranges, const struct abi *abi, struct err *err)
{
	struct strbuf text = { 0 };
	XXH128_hash_t hash;
	int rc;

	if (!(rc = ranges_reading(&text, abi, ranges_view(ranges, out->node), ranges->notion, err))) {
		hash = XXH3_128bits(strbuf_text(&text), text.length);
		snprintf(out->reading, sizeof(out->reading), "%016llx%016llx", (unsigned long long)hash.high64,
			 (unsigned long long)hash.low64);
	}
	strbuf_release(&text);
	return rc;
}

size_t ranges_twin(const struct ranges *ranges, size_t version)
{
	const struct history_version *all = ranges->graph->versions;

	for (size_t i = 0; i < version; i++)
		if (all[i].abi && all[i].abi->records == all[version].abi->records && all[i].abi->ioctls == all[version].abi->ioctls &&
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

	if ((rc = check(&out->fresh, &out->fresh_count, ranges, out->node, abi, arena, err)))
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
	int rc;

	if (!abi || ranges_twin(ranges, version) != version)
		return 0;
	if ((rc = set_reading(&ranges->versions[version], ranges, abi, err)))
		return rc;
	return ranges_fit_version(ranges, version, arena, err);
}
