/*
 * cli/node_choice.c - which node of the table the next version of a diff may use
 *
 * 1. The commit graph says which node the version follows. No document is read but the version's.
 * 2. The document of that node's own version tells what verify finds there. If
 *    it finds nothing else at the version, that is the node.
 * 3. Only if it does, the documents of all nodes are read, and each is tried.
 */
#include "cli/node_choice.h"

#include "cli/lineage.h"

#include <string.h>

struct node_choice {
	const struct table *table;
	const char *version;
	struct cli_args args; /* quiet: what is said of documents was said when the diff read them */
	struct arena *arena;
};

static bool is_directory(const char *version)
{
	return version && (*version == '/' || !strncmp(version, "./", 2) || !strncmp(version, "../", 3) || !strcmp(version, ".") ||
			   !strcmp(version, ".."));
}

static const char *why_unknown(const struct store_request *request, struct arena *arena)
{
	if (request->json)
		return arena_printf(arena, "%s is a document's file, which is in no commit graph",
				    strcmp(request->json, "-") ? request->json : "standard input");
	if (is_directory(request->version))
		return arena_printf(arena, "%s is a directory, which is in no commit graph", request->version);
	return NULL;
}

static size_t find_version(const struct history_graph *graph, const char *version)
{
	size_t i = 0;

	while (i < graph->version_count && strcmp(graph->versions[i].version, version))
		i++;
	return i;
}

/* The tag that the document is of: by its name, or by its commit if the user named that. Return: false if there is none. */
static bool set_tag(struct node_choice *choice, const struct history_graph *graph, const struct abi *abi)
{
	if (find_version(graph, choice->version) < graph->version_count)
		return true;
	for (size_t i = 0; *abi->commit && i < graph->version_count; i++)
		if (!strcmp(graph->versions[i].commit, abi->commit)) {
			choice->version = graph->versions[i].version;
			return true;
		}
	return false;
}

/* The documents of @names, and the graph of all versions. */
static int load_named(struct history_graph *out, const struct node_choice *choice, const char *const *names, size_t count, struct err *err)
{
	const struct store_choice named = { .names = names, .count = count };

	return lineage_load_named(out, &named, &choice->args, choice->arena, err);
}

/* The version, and those of all nodes that the graph has. Return: how many. */
static size_t list_nodes(const char **names, const struct node_choice *choice, const struct history_graph *graph)
{
	size_t count = 0;

	names[count++] = choice->version;
	for (size_t i = 0; i < choice->table->node_count; i++)
		if (find_version(graph, choice->table->nodes[i].version) < graph->version_count)
			names[count++] = choice->table->nodes[i].version;
	return count;
}

/* With the node that the version follows, and with all nodes if that one is not safe. */
static int choose(struct ranges_choice *out, const struct node_choice *choice, struct history_graph *graph, struct err *err)
{
	const char **names = arena_array(choice->arena, choice->table->node_count + 1, sizeof(char *));
	size_t version = find_version(graph, choice->version), count = 1;
	const struct table_node *node = ranges_followed(graph, choice->table, version);
	int rc;

	names[0] = choice->version;
	if (find_version(graph, node->version) < graph->version_count)
		names[count++] = node->version;
	if ((rc = load_named(graph, choice, names, count, err)) ||
	    (rc = ranges_choose(out, graph, choice->table, version, choice->arena, err)) || out->node || out->follows_none)
		return rc;
	count = list_nodes(names, choice, graph);
	if ((rc = load_named(graph, choice, names, count, err)))
		return rc;
	return ranges_choose(out, graph, choice->table, version, choice->arena, err);
}

int node_choice_load(struct ranges_choice *out, const struct table *table, const struct store_request *request,
		     const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct node_choice choice = { .table = table, .version = request->abi.version, .args = *args, .arena = arena };
	struct history_graph graph;
	int rc = 0;

	choice.args.quiet = true;
	choice.args.verbose = false;
	choice.args.constants = NULL; /* a table has none, and the archive is enough */
	*out = (struct ranges_choice){ .version = request->abi.version, .why = why_unknown(request, arena) };
	if (out->why)
		return 0;
	if ((rc = load_named(&graph, &choice, &choice.version, 1, err)) == ERR_NOT_FOUND)
		rc = load_named(&graph, &choice, &choice.version, 0, err);
	if (!rc && !set_tag(&choice, &graph, &request->abi))
		out->why = arena_printf(arena, "%s is no tag", request->abi.version);
	return rc || out->why ? rc : choose(out, &choice, &graph, err);
}
