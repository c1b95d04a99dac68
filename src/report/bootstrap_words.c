#include "report/bootstrap_internal.h"

#include "report/style.h"

#include <string.h>

const char *bootstrap_family(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now->family : entry->was->family;
}

const char *bootstrap_name(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now->name : entry->was->name;
}

bool bootstrap_is_work(const struct bootstrap_entry *entry, const char *node)
{
	return entry->action != BOOTSTRAP_NONE && !strcmp(entry->node, node);
}

static const char *type_of(const struct bootstrap_entry *entry)
{
	return entry->now && entry->changed < entry->now->struct_count ? entry->now->structs[entry->changed].proxy : NULL;
}

const struct bootstrap_entry *bootstrap_same_before(const struct bootstrap *bootstrap, size_t index)
{
	const struct bootstrap_entry *entry = &bootstrap->entries[index];
	const char *type = type_of(entry);

	for (size_t i = 0; i < index && type; i++) {
		const struct bootstrap_entry *one = &bootstrap->entries[i];

		if (one->action == entry->action && type_of(one) && !strcmp(type_of(one), type) && !strcmp(one->node, entry->node) &&
		    !strcmp(one->why, entry->why))
			return one;
	}
	return NULL;
}

bool bootstrap_is_told_todo(const struct bootstrap *bootstrap, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(bootstrap->todo[i].what, bootstrap->todo[index].what) && !strcmp(bootstrap->todo[i].why, bootstrap->todo[index].why))
			return true;
	return false;
}

static void add_actions(struct strbuf *out, const struct bootstrap *bootstrap)
{
	size_t counts[BOOTSTRAP_ADD + 1] = { 0 };
	const char *separator = ": ";

	for (size_t i = 0; i < bootstrap->entry_count; i++)
		counts[bootstrap->entries[i].action]++;
	for (size_t action = BOOTSTRAP_REPLACE; action <= BOOTSTRAP_ADD; action++) {
		if (!counts[action])
			continue;
		strbuf_adds(out, separator);
		strbuf_plural(out, counts[action], "entry");
		strbuf_addf(out, " to %s", bootstrap_action_name((enum bootstrap_action)action));
		separator = ", ";
	}
}

/* The table has the version: as a node between, or supported and with faults. */
static void add_existing(struct strbuf *out, const struct bootstrap *bootstrap)
{
	strbuf_addf(out, "%s: the table has %s%s", bootstrap_verdict_name(bootstrap->verdict), bootstrap->version,
		    bootstrap->node_count ? ", and does not support it" : "");
	if (!bootstrap->fault_count)
		return;
	strbuf_adds(out, "; ");
	strbuf_plural(out, bootstrap->fault_count, "fault");
	strbuf_adds(out, " of the table to mend");
}

static void add_version(struct strbuf *out, const struct bootstrap *bootstrap)
{
	if (bootstrap->verdict != BOOTSTRAP_NOTHING && (!bootstrap->node_count || bootstrap->nodes[0].exists)) {
		add_existing(out, bootstrap);
		return;
	}
	switch (bootstrap->verdict) {
	case BOOTSTRAP_NOTHING:
		strbuf_addf(out, "nothing to do: the table supports %s", bootstrap->version);
		return;
	case BOOTSTRAP_NODE_ONLY:
		strbuf_addf(out, "node only: %s after %s, with no entry of its own", bootstrap->version, bootstrap->nodes[0].parent);
		return;
	case BOOTSTRAP_CHANGES:
		break;
	}
	strbuf_adds(out, "node with changes: ");
	strbuf_plural(out, bootstrap->node_count, "node");
	strbuf_addf(out, " after %s", bootstrap->nodes[0].parent);
	add_actions(out, bootstrap);
}

static void add_ioctls(struct strbuf *out, const struct bootstrap *bootstrap)
{
	strbuf_plural(out, bootstrap->node_count, "node");
	strbuf_adds(out, bootstrap->node_count == 1 ? " of the table changes" : " of the table change");
	add_actions(out, bootstrap);
}

void bootstrap_headline(struct strbuf *out, const struct bootstrap *bootstrap)
{
	if (bootstrap->parent)
		add_version(out, bootstrap);
	else
		add_ioctls(out, bootstrap);
}

static void add_caps(struct strbuf *out, const char *const *caps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? "+" : "", caps[i]);
}

void bootstrap_guess_words(struct strbuf *out, const struct bootstrap_caps *caps)
{
	if (caps->count) {
		add_caps(out, caps->caps, caps->count);
	} else {
		strbuf_adds(out, BOOTSTRAP_TODO);
		if (caps->likely_count)
			strbuf_adds(out, ", likely ");
		add_caps(out, caps->likely, caps->likely_count);
	}
	strbuf_addf(out, " (%s)", caps->evidence);
}

const char *bootstrap_caller(const struct bootstrap_candidate *candidate)
{
	static const char *const callers[] = { "internal", "internal-only", "kernel-privileged", "privileged", NULL };

	for (const char *const *caller = callers; *caller; caller++)
		if (abi_ioctl_has_flag(candidate->ioctl, *caller))
			return *caller;
	return NULL;
}

void bootstrap_node_words(struct strbuf *out, const struct bootstrap_node *node)
{
	if (node->parent)
		strbuf_addf(out, "after %s", node->parent);
	if (node->exists)
		strbuf_adds(out, node->parent ? ", is in the table" : "is in the table");
	else if (!node->supported)
		strbuf_adds(out, ", a node between, not supported");
	if (!node->supported || (node->exists && !node->sha256_x86_64 && !node->sha256_arm64))
		return;
	strbuf_addf(out, "; SHA-256: x86_64 %s, arm64 %s", node->sha256_x86_64 ? node->sha256_x86_64 : BOOTSTRAP_TODO,
		    node->sha256_arm64 ? node->sha256_arm64 : BOOTSTRAP_TODO);
}
