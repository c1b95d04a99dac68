#include "history/select.h"

#include "abi/abi.h"
#include "history/history.h"

#include <stdlib.h>
#include <string.h>

bool select_is_versions(const char *word)
{
	return strchr(word, '.') && !history_is_glob(word);
}

static const char *const *names_of(const struct history_graph *graph, struct arena *arena)
{
	const char **names = arena_array(arena, graph->version_count + 1, sizeof(*names));

	for (size_t i = 0; i < graph->version_count; i++)
		names[i] = graph->versions[i].version;
	return names;
}

static int no_version(const char *word, const char *const *names, size_t count, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	abi_nearest_typos(&nearest, word, names, count);
	if (!nearest.count)
		abi_nearest_neighbours(&nearest, word, names, count);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "none of the %zu versions is or begins with '%s'%s", count, word, strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

/* The versions that @word is or begins; at least one. */
static int run_of(struct abi_version_run *out, const struct history_graph *graph, const char *word, struct err *err)
{
	struct arena arena = { 0 };
	const char *const *names = names_of(graph, &arena);
	int rc = 0;

	*out = abi_version_run(word, names, graph->version_count);
	if (!out->count)
		rc = no_version(word, names, graph->version_count, err);
	arena_release(&arena);
	return rc;
}

/* The one version that @word is or begins. */
static int version_of(size_t *out, const struct history_graph *graph, const char *word, struct err *err)
{
	struct arena arena = { 0 };
	const char *const *names = names_of(graph, &arena);
	struct abi_version_run run;
	int rc;

	if (!(rc = run_of(&run, graph, word, err)) && run.count > 1)
		rc = abi_version_ambiguous(word, names, run, err);
	*out = run.first;
	arena_release(&arena);
	return rc;
}

static bool is_version(const struct history_graph *graph, const char *word)
{
	for (size_t i = 0; i < graph->version_count; i++)
		if (!strcmp(graph->versions[i].version, word))
			return true;
	return false;
}

/* Marks @version and its ancestors with @mark. */
static void mark_lineage(bool *marked, const struct history_graph *graph, size_t version, bool mark)
{
	for (long at = (long)version; at != HISTORY_NO_PARENT; at = graph->versions[at].parent)
		marked[at] = mark;
}

/* What @last has and @first has not. */
static int add_lineage(bool *wanted, const struct history_graph *graph, const char *first, const char *last, struct err *err)
{
	bool *marked = xmalloc((graph->version_count + 1) * sizeof(*marked));
	size_t version = graph->version_count - 1, count = 0;
	int rc = 0;

	memset(marked, 0, (graph->version_count + 1) * sizeof(*marked));
	if (*last)
		rc = version_of(&version, graph, last, err);
	if (!rc)
		mark_lineage(marked, graph, version, true);
	if (!rc && *first && !(rc = version_of(&version, graph, first, err)))
		mark_lineage(marked, graph, version, false);
	for (size_t i = 0; !rc && i < graph->version_count; i++) {
		count += marked[i];
		wanted[i] = wanted[i] || marked[i];
	}
	if (!rc && !count)
		rc = err_set(err, ERR_NOT_FOUND, "%s..%s has no version: %s has all that %s has; give the older one first", first, last, first,
			     *last ? last : "the newest version");
	free(marked);
	return rc;
}

/* From the first that begins with @first to the last that begins with @last. */
static int add_order(bool *wanted, const struct history_graph *graph, const char *first, const char *last, struct err *err)
{
	struct abi_version_run from = { 0, 1 }, to = { graph->version_count - 1, 1 };
	int rc;

	if ((*first && (rc = run_of(&from, graph, first, err))) || (*last && (rc = run_of(&to, graph, last, err))))
		return rc;
	if (from.first >= to.first + to.count)
		return err_set(err, ERR_NOT_FOUND, "%s..%s has no version; give the older one first: %s..%s", first, last, last, first);
	for (size_t i = from.first; i < to.first + to.count; i++)
		wanted[i] = true;
	return 0;
}

static int add_range(bool *wanted, const struct history_graph *graph, const char *word, const char *dots, struct err *err)
{
	struct arena arena = { 0 };
	const char *first = arena_strndup(&arena, word, (size_t)(dots - word)), *last = dots + 2;
	int rc;

	if (*last == '.')
		rc = err_set(err, ERR_USAGE, "'%s' is no range of versions; give it as A..B", word);
	else if (!*first && !*last)
		rc = err_set(err, ERR_USAGE, "'%s' is no range of versions; give at least one of its ends", word);
	else if ((!*first || is_version(graph, first)) && (!*last || is_version(graph, last)))
		rc = add_lineage(wanted, graph, first, last, err);
	else
		rc = add_order(wanted, graph, first, last, err);
	arena_release(&arena);
	return rc;
}

int select_add(bool *wanted, const struct history_graph *graph, const char *word, struct err *err)
{
	const char *dots = strstr(word, "..");
	size_t version;
	int rc;

	if (dots)
		return add_range(wanted, graph, word, dots, err);
	if (!(rc = version_of(&version, graph, word, err)))
		wanted[version] = true;
	return rc;
}

int select_clip(bool *wanted, const struct history_graph *graph, const char *since, const char *until, struct err *err)
{
	struct abi_version_run run;
	int rc;

	if (since && (rc = run_of(&run, graph, since, err))) {
		err_prefix(err, "--since");
		return rc;
	}
	for (size_t i = 0; since && i < run.first; i++)
		wanted[i] = false;
	if (until && (rc = run_of(&run, graph, until, err))) {
		err_prefix(err, "--until");
		return rc;
	}
	for (size_t i = until ? run.first + run.count : graph->version_count; i < graph->version_count; i++)
		wanted[i] = false;
	return 0;
}

bool select_edge(const struct history_filter *filter, const struct history_graph *graph, size_t edge)
{
	return !filter->versions || filter->versions[graph->edges[edge].version];
}

/* Counts what @changes have. */
static void count_all(struct history_changes *changes)
{
	memset(changes->summary, 0, sizeof(changes->summary));
	memset(changes->class_total, 0, sizeof(changes->class_total));
	for (size_t i = 0; i < changes->count; i++)
		diff_count_change(changes->summary, changes->class_total, &changes->changes[i]);
}

static void select_classes(struct history_changes *changes, unsigned classes, struct arena *arena)
{
	struct diff_change *left = arena_array(arena, changes->count + 1, sizeof(*left));
	size_t *carriers = arena_array(arena, changes->count + 1, sizeof(*carriers)), count = 0;

	for (size_t i = 0; i < changes->count; i++) {
		if (!(changes->changes[i].classes & classes))
			continue;
		left[count] = changes->changes[i];
		carriers[count++] = changes->carriers[i];
	}
	changes->changes = left;
	changes->carriers = carriers;
	changes->count = count;
	count_all(changes);
}

void select_changes(struct history_changes *changes, const struct history_graph *graph, const struct history_filter *filter,
		    struct arena *arena)
{
	for (size_t edge = 0; edge < graph->edge_count; edge++)
		if (!select_edge(filter, graph, edge))
			changes[edge] = (struct history_changes){ .count = 0 };
		else if (filter->classes)
			select_classes(&changes[edge], filter->classes, arena);
}
