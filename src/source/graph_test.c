/* Tests the graph of versions: the parents of tags, the main branch, and tags that are not versions. */
#include "source/fixture_test.h"

static struct source_graph graph_of_fixture(void)
{
	struct source *source = fixture_open(&fixture);
	struct source_graph graph;

	if (source_graph(&graph, source, &arena, &fixture.err))
		fail_msg("%s", fixture.err.text);
	source_free(source);
	return graph;
}

/* Checks that a version has the commit of its tag. */
static void check_commit(const struct source_version *version)
{
	git_object *commit;

	assert_int_equal(git_revparse_single(&commit, fixture.repo,
					     arena_printf(&arena, "refs/tags/%s^{commit}", version->name)),
			 0);
	assert_string_equal(version->commit, git_oid_tostr((char[41]){ 0 }, 41, git_object_id(commit)));
	assert_int_equal(version->time, 1700000000);
	git_object_free(commit);
}

/* Appends the main branch, and each version with its parent: "trunk; 1.0 main; 1.1 after 1.0". */
static void add_graph(struct strbuf *out, const struct source_graph *graph)
{
	strbuf_addf(out, "%s%s", graph->main, graph->shallow ? " shallow" : "");
	for (size_t i = 0; i < graph->count; i++) {
		const struct source_version *version = &graph->versions[i];

		check_commit(version);
		strbuf_addf(out, "; %s", version->name);
		if (version->parent != SOURCE_NO_PARENT)
			strbuf_addf(out, " after %s", graph->versions[version->parent].name);
		strbuf_adds(out, version->on_main ? " main" : "");
	}
	for (size_t i = 0; i < graph->no_commit_count; i++)
		strbuf_addf(out, "; no commit: %s", graph->no_commits[i]);
	for (size_t i = 0; i < graph->damaged_count; i++)
		strbuf_addf(out, "; damaged: %s", graph->damaged[i]);
}

/* A history (fixture_test.h), and its graph. */
static const struct {
	const char *fact, *history, *expected;
} graphs[] = {
	{ "a version follows the tag before it", "main:1.9 main: main:1.10",
	  "main; 1.9 main; 1.10 after 1.9 main" },
	{ "a release branch leaves main where it was made", "main:1.0 release<main main:2.0 release:1.1",
	  "main; 1.0 main; 1.1 after 1.0; 2.0 after 1.0 main" },
	{ "a merged branch is not main, and at the same distance, main is nearer",
	  "main:1.0 side<main side:1.5 main:1.1 main+side main:2.0",
	  "main; 1.0 main; 1.1 after 1.0 main; 1.5 after 1.0; 2.0 after 1.1 main" },
	{ "of a merge, the side with fewer commits is nearer",
	  "main:1.0 side<main side:1.5 side: main:1.1 main+side main:2.0",
	  "main; 1.0 main; 1.1 after 1.0 main; 1.5 after 1.0; 2.0 after 1.1 main" },
	{ "a descendant is nearer than its ancestor",
	  "main:1.0 side<main main:1.1 main: main: side+main side:1.2",
	  "main; 1.0 main; 1.1 after 1.0 main; 1.2 after 1.1" },
	/*
	 * In the first merge, 0.9 from a different root is nearer than 1.5. In the second merge, 1.0 is not
	 * the nearest, because 1.5 descends from it.
	 */
	{ "a tag with a descendant is never the nearest",
	  "main:1.0 late<main main:1.5 main: main: other:0.9 main+other late+main late:3.0",
	  "main; 0.9; 1.0 main; 1.5 after 1.0 main; 3.0 after 0.9" },
	{ "tags of one commit follow each other", "main:1.0 main:2.0 ~1.9 main:3.0",
	  "main; 1.0 main; 1.9 after 1.0 main; 2.0 after 1.9 main; 3.0 after 2.0 main" },
	{ "a tag of a file is not a version", "main:1.0 !key", "main; 1.0 main; no commit: key" },
	{ "a repository without tags has no versions", "main:", "main" },
	{ "unrelated versions have no parents", "main:1.0 other:2.0", "main; 1.0 main; 2.0" },
	{ "main is the branch that the remote names",
	  "main:1.0 origin/trunk<main origin/HEAD@origin/trunk main:1.1",
	  "trunk; 1.0 main; 1.1 after 1.0" },
};

TEST(each_version_follows_the_nearest_tag)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(graphs) / sizeof(*graphs); i++) {
		struct strbuf out = { 0 };
		struct source_graph graph;

		begin_test(state);
		fixture_history(&fixture, graphs[i].history);
		graph = graph_of_fixture();
		add_graph(&out, &graph);
		differs |= text_differs(graphs[i].fact, &out, graphs[i].expected);
		end_test(state);
	}
	assert_false(differs);
}

enum { COMMITS = 14, GRAPHS = 60 };

/* A random graph, and its properties, computed without source_graph(). Parents come before children. */
struct chance {
	git_oid id[COMMITS];
	size_t parent[COMMITS][PARENTS_MAX], parents[COMMITS];
	bool tagged[COMMITS];
	unsigned ancestors[COMMITS]; /* bit sets of commits */
};

static unsigned chance_next(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

static void put_chance_commit(struct chance *chance, unsigned graph, size_t i, const git_tree *tree)
{
	git_oid parents[PARENTS_MAX];

	for (size_t k = 0; k < chance->parents[i]; k++)
		parents[k] = chance->id[chance->parent[i][k]];
	fixture_commit_tree(&fixture, NULL, arena_printf(&arena, "graph %u, commit %zu", graph, i), tree,
			    parents, chance->parents[i]);
	chance->id[i] = fixture.commit;
	if (chance->tagged[i])
		fixture_tag_object(&fixture, arena_printf(&arena, "%u.%zu", graph + 1, i), &chance->id[i],
				   NULL);
}

static void make_chance(struct chance *chance, unsigned graph, unsigned *random,
			const git_tree *tree)
{
	unsigned share = 20 + chance_next(random) % 60;

	*chance = (struct chance){ .parents = { 0 } };
	for (size_t i = 0; i < COMMITS; i++) {
		size_t wanted = i ? 1 + chance_next(random) % PARENTS_MAX : 0;

		for (size_t k = 0; k < wanted; k++) {
			size_t parent = i - 1 - chance_next(random) % (i < 6 ? i : 6);
			bool known =
				chance_next(random) % 12 == 0; /* sometimes a root, or fewer parents */

			for (size_t other = 0; other < chance->parents[i]; other++)
				known |= chance->parent[i][other] == parent;
			if (known)
				continue;
			chance->parent[i][chance->parents[i]++] = parent;
			chance->ancestors[i] |= chance->ancestors[parent] | 1u << parent;
		}
		chance->tagged[i] = chance_next(random) % 100 < share;
		put_chance_commit(chance, graph, i, tree);
	}
}

/*
 * Finds the tags that can be reached from @from without passing a different tag: the lengths of the shortest
 * paths to these tags, and the order in which the search finds them.
 */
static void meet_tags(const struct chance *chance, size_t from, size_t length, size_t shortest[COMMITS],
		      size_t order[COMMITS], size_t *met)
{
	for (size_t k = 0; k < chance->parents[from]; k++) {
		size_t parent = chance->parent[from][k];

		if (!chance->tagged[parent]) {
			meet_tags(chance, parent, length + 1, shortest, order, met);
			continue;
		}
		if (!shortest[parent])
			order[(*met)++] = parent;
		if (!shortest[parent] || length < shortest[parent])
			shortest[parent] = length;
	}
}

/*
 * Finds the nearest tag by its definition: no tagged ancestor of @commit descends from it, and of all such
 * tags, its path is the shortest.
 */
static size_t nearest_by_definition(const struct chance *chance, size_t commit)
{
	size_t shortest[COMMITS] = { 0 }, order[COMMITS], met = 0, best = SIZE_MAX;

	meet_tags(chance, commit, 1, shortest, order, &met);
	for (size_t i = 0; i < met; i++) {
		bool has_descendant = false;

		for (size_t other = 0; other < COMMITS; other++)
			has_descendant |= chance->tagged[other] && chance->ancestors[commit] >> other & 1 &&
					  chance->ancestors[other] >> order[i] & 1;
		if (!has_descendant && (best == SIZE_MAX || shortest[order[i]] < shortest[best]))
			best = order[i];
	}
	return best;
}

/* Returns the name of a version's parent, "" if it has none. */
static const char *parent(const struct source_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->count; i++)
		if (!strcmp(graph->versions[i].name, name))
			return graph->versions[i].parent == SOURCE_NO_PARENT ?
				       "" : graph->versions[graph->versions[i].parent].name;
	fail_msg("no version %s", name);
	return NULL;
}

SOURCE_TEST(graphs_by_chance_are_as_the_definition_says)
{
	static struct chance chance[GRAPHS];
	struct source_graph graph;
	git_commit *first;
	git_tree *tree;
	unsigned random = 7;
	size_t tags = 0;

	fixture_commit(&fixture, "start", "for its tree");
	assert_int_equal(git_commit_lookup(&first, fixture.repo, &fixture.commit), 0);
	assert_int_equal(git_commit_tree(&tree, first), 0);
	for (unsigned g = 0; g < GRAPHS; g++)
		make_chance(&chance[g], g, &random, tree);
	git_tree_free(tree);
	git_commit_free(first);
	graph = graph_of_fixture();
	for (unsigned g = 0; g < GRAPHS; g++)
		for (size_t i = 0; i < COMMITS; i++) {
			size_t nearest = nearest_by_definition(&chance[g], i);
			char name[32], wanted[32] = "";

			if (!chance[g].tagged[i])
				continue;
			tags++;
			snprintf(name, sizeof(name), "%u.%zu", g + 1, i);
			if (nearest != SIZE_MAX)
				snprintf(wanted, sizeof(wanted), "%u.%zu", g + 1, nearest);
			assert_string_equal(parent(&graph, name), wanted);
		}
	assert_int_equal(graph.count, tags);
}

SOURCE_TEST(a_damaged_tag_is_named_and_not_left_out_in_silence)
{
	static const char *const texts[] = { "", "garbage\n", "0123\n" };
	struct source_graph graph;
	const char *const *names;
	struct strbuf out = { 0 };
	struct source *source;
	struct tree *tree;
	size_t count;

	fixture_history(&fixture, "main:1.0");
	for (size_t i = 0; i < 3; i++)
		write_file(arena_printf(&arena, "%s/refs/tags/2.%zu", fixture.path, i), texts[i]);
	graph = graph_of_fixture();
	add_graph(&out, &graph);
	assert_false(text_differs("graph", &out, "main; 1.0 main; damaged: 2.0; damaged: 2.1; damaged: 2.2"));
	source = fixture_open(&fixture);
	assert_int_equal(source_versions(&names, &count, source, &arena, &fixture.err), 0);
	assert_int_equal(count, 4);
	assert_int_equal(source_tree(&tree, source, "2.0", &fixture.err), ERR_GIT);
	assert_non_null(strstr(fixture.err.text, "cannot read refs/tags/2.0"));
	source_free(source);
}

/* The commit of 1.0 is missing, as in a clone of depth 1. */
SOURCE_TEST(a_shallow_clone_says_so)
{
	struct source_graph graph;
	struct strbuf out = { 0 };
	char first[41];

	fixture_history(&fixture, "main:1.0");
	git_oid_tostr(first, sizeof(first), &fixture.commit);
	fixture_history(&fixture, "main:1.1");
	write_file(in(fixture.path, "shallow"),
		   arena_printf(&arena, "%s\n", git_oid_tostr((char[41]){ 0 }, 41, &fixture.commit)));
	assert_int_equal(git_tag_delete(fixture.repo, "1.0"), 0);
	assert_int_equal(
		unlink(arena_printf(&arena, "%s/objects/%.2s/%s", fixture.path, first, first + 2)), 0);
	graph = graph_of_fixture();
	add_graph(&out, &graph);
	assert_false(text_differs("graph", &out, "main shallow; 1.1 main"));
}
