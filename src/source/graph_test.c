#include "source/fixture_test.h"

static struct arena arena;

static int with_bare(void **state)
{
	static struct fixture fixture;

	fixture_init(&fixture, FIXTURE_BARE);
	*state = &fixture;
	return 0;
}

static int without(void **state)
{
	fixture_release(*state);
	arena_release(&arena);
	return 0;
}

static struct source_graph graph_of(struct fixture *fixture)
{
	struct source *source = fixture_open(fixture);
	struct source_graph graph;

	if (source_graph(&graph, source, &arena, &fixture->err))
		fail_msg("%s", fixture->err.text);
	source_free(source);
	return graph;
}

static const struct source_version *find(const struct source_graph *graph, const char *name)
{
	for (size_t i = 0; i < graph->count; i++)
		if (!strcmp(graph->versions[i].name, name))
			return &graph->versions[i];
	fail_msg("no version %s", name);
	return NULL;
}

/* Returns the name of a version's parent, "" if it has none. */
static const char *parent(const struct source_graph *graph, const char *name)
{
	long at = find(graph, name)->parent;

	return at == SOURCE_NO_PARENT ? "" : graph->versions[at].name;
}

/* Makes a branch that begins at the last commit. */
static void branch_off(struct fixture *fixture, const char *branch)
{
	git_reference *ref;
	char name[64];

	snprintf(name, sizeof(name), "refs/heads/%s", branch);
	assert_int_equal(git_reference_create(&ref, fixture->repo, name, &fixture->commit, 1, NULL), 0);
	git_reference_free(ref);
}

static void put_version(struct fixture *fixture, const char *branch, const char *name)
{
	fixture_file(fixture, "inc/a.h", name);
	fixture_commit(fixture, branch, name);
	fixture_tag_object(fixture, name, &fixture->commit, NULL);
}

static git_commit *commit_of(struct fixture *fixture, const char *branch)
{
	git_commit *commit;
	char name[64];
	git_oid id;

	snprintf(name, sizeof(name), "refs/heads/%s", branch);
	assert_int_equal(git_reference_name_to_id(&id, fixture->repo, name), 0);
	assert_int_equal(git_commit_lookup(&commit, fixture->repo, &id), 0);
	return commit;
}

/* Merges @other into @branch. */
static void put_merge(struct fixture *fixture, const char *branch, const char *other)
{
	git_signature who = { (char *)"Fixture", (char *)"fixture@example.org", { 1700000000, 0, '+' } };
	git_commit *parents[] = { commit_of(fixture, branch), commit_of(fixture, other) };
	char name[64];
	git_tree *tree;

	snprintf(name, sizeof(name), "refs/heads/%s", branch);
	assert_int_equal(git_commit_tree(&tree, parents[0]), 0);
	assert_int_equal(git_commit_create(&fixture->commit, fixture->repo, name, &who, &who, NULL, "merge",
					   tree, 2, (const git_commit **)parents),
			 0);
	git_tree_free(tree);
	git_commit_free(parents[0]);
	git_commit_free(parents[1]);
}

static void a_version_follows_the_tag_before_it(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;
	char hex[41];

	put_version(fixture, "main", "1.9");
	fixture_commit(fixture, "main", "no tag");
	put_version(fixture, "main", "1.10");
	graph = graph_of(fixture);
	assert_int_equal(graph.count, 2);
	assert_string_equal(graph.versions[0].name, "1.9");
	assert_string_equal(parent(&graph, "1.9"), "");
	assert_string_equal(parent(&graph, "1.10"), "1.9");
	assert_string_equal(find(&graph, "1.10")->commit, git_oid_tostr(hex, sizeof(hex), &fixture->commit));
	assert_int_equal(find(&graph, "1.10")->time, 1700000000);
	assert_false(graph.shallow);
}

static void a_release_branch_leaves_main_where_it_was_made(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	branch_off(fixture, "release");
	put_version(fixture, "main", "2.0");
	put_version(fixture, "release", "1.1");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "2.0"), "1.0");
	assert_string_equal(parent(&graph, "1.1"), "1.0");
	assert_true(find(&graph, "1.0")->on_main);
	assert_true(find(&graph, "2.0")->on_main);
	assert_false(find(&graph, "1.1")->on_main);
}

static void a_merged_branch_is_not_main(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	branch_off(fixture, "side");
	put_version(fixture, "side", "1.5");
	put_version(fixture, "main", "1.1");
	put_merge(fixture, "main", "side");
	put_version(fixture, "main", "2.0");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "2.0"),
			    "1.1"); /* 1.5 has the same distance, but is on the merged side */
	assert_false(find(&graph, "1.5")->on_main);
}

static void of_a_merge_the_side_with_fewer_commits_is_nearer(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	branch_off(fixture, "side");
	put_version(fixture, "side", "1.5");
	fixture_commit(fixture, "side", "no tag");
	put_version(fixture, "main", "1.1");
	put_merge(fixture, "main", "side");
	put_version(fixture, "main", "2.0");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "2.0"), "1.1");
}

static void a_descendant_is_nearer_than_its_ancestor(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	branch_off(fixture, "side");
	put_version(fixture, "main", "1.1");
	fixture_commit(fixture, "main", "no tag");
	fixture_commit(fixture, "main", "no tag");
	put_merge(fixture, "side", "main");
	put_version(fixture, "side", "1.2");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "1.2"), "1.1");
}

/*
 * In the first merge, 0.9 from a different root is nearer than 1.5. In the second merge, 1.0 is not the
 * nearest, because 1.5 descends from it.
 */
static void a_tag_with_a_descendant_is_never_the_nearest(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	branch_off(fixture, "late");
	put_version(fixture, "main", "1.5");
	fixture_commit(fixture, "main", "no tag");
	fixture_commit(fixture, "main", "no tag");
	put_version(fixture, "other", "0.9");
	put_merge(fixture, "main", "other");
	put_merge(fixture, "late", "main");
	put_version(fixture, "late", "3.0");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "3.0"), "0.9");
}

enum { COMMITS = 14, PARENTS = 3, GRAPHS = 60 };

/* A random graph, and its properties, computed without source_graph(). Parents come before children. */
struct chance {
	git_oid id[COMMITS];
	size_t parent[COMMITS][PARENTS], parents[COMMITS];
	bool tagged[COMMITS];
	unsigned ancestors[COMMITS]; /* bit sets of commits */
};

static unsigned chance_next(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 16;
}

static void put_chance_commit(struct chance *chance, struct fixture *fixture, unsigned graph, size_t i,
			      const git_tree *tree)
{
	git_signature who = { (char *)"Fixture", (char *)"fixture@example.org", { 1700000000, 0, '+' } };
	git_commit *parents[PARENTS] = { NULL };
	char text[64];

	for (size_t k = 0; k < chance->parents[i]; k++)
		assert_int_equal(git_commit_lookup(&parents[k], fixture->repo,
						   &chance->id[chance->parent[i][k]]),
				 0);
	snprintf(text, sizeof(text), "graph %u, commit %zu", graph, i);
	assert_int_equal(git_commit_create(&chance->id[i], fixture->repo, NULL, &who, &who, NULL, text, tree,
					   chance->parents[i], (const git_commit **)parents),
			 0);
	for (size_t k = 0; k < chance->parents[i]; k++)
		git_commit_free(parents[k]);
	snprintf(text, sizeof(text), "%u.%zu", graph + 1, i);
	if (chance->tagged[i])
		fixture_tag_object(fixture, text, &chance->id[i], NULL);
}

static void make_chance(struct chance *chance, struct fixture *fixture, unsigned graph, unsigned *random,
			const git_tree *tree)
{
	unsigned share = 20 + chance_next(random) % 60;

	*chance = (struct chance){ .parents = { 0 } };
	for (size_t i = 0; i < COMMITS; i++) {
		size_t wanted = i ? 1 + chance_next(random) % PARENTS : 0;

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
		put_chance_commit(chance, fixture, graph, i, tree);
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

static void graphs_by_chance_are_as_the_definition_says(void **state)
{
	static struct chance chance[GRAPHS];
	struct fixture *fixture = *state;
	struct source_graph graph;
	git_commit *first;
	git_tree *tree;
	unsigned random = 7;
	size_t tags = 0;

	fixture_commit(fixture, "start", "for its tree");
	assert_int_equal(git_commit_lookup(&first, fixture->repo, &fixture->commit), 0);
	assert_int_equal(git_commit_tree(&tree, first), 0);
	for (unsigned g = 0; g < GRAPHS; g++)
		make_chance(&chance[g], fixture, g, &random, tree);
	git_tree_free(tree);
	git_commit_free(first);
	graph = graph_of(fixture);
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

static void tags_of_one_commit_follow_each_other(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	put_version(fixture, "main", "2.0");
	fixture_tag_object(fixture, "1.9", &fixture->commit, "annotated");
	put_version(fixture, "main", "3.0");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "1.9"), "1.0");
	assert_string_equal(parent(&graph, "2.0"), "1.9");
	assert_string_equal(parent(&graph, "3.0"), "2.0");
}

static void a_tag_of_a_file_is_no_version(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;
	git_oid blob;

	put_version(fixture, "main", "1.0");
	assert_int_equal(git_blob_create_from_buffer(&blob, fixture->repo, "x", 1), 0);
	fixture_tag_object(fixture, "key", &blob, NULL);
	graph = graph_of(fixture);
	assert_int_equal(graph.count, 1);
	assert_int_equal(graph.no_commit_count, 1);
	assert_string_equal(graph.no_commits[0], "key");
}

static void a_damaged_tag_is_named_and_not_left_out_in_silence(void **state)
{
	static const char *const texts[] = { "", "garbage\n", "0123\n" };
	struct fixture *fixture = *state;
	struct source_graph graph;
	const char *const *names;
	struct source *source;
	struct tree *tree;
	size_t count;

	put_version(fixture, "main", "1.0");
	for (size_t i = 0; i < 3; i++) {
		const char *path = arena_printf(&arena, "%s/refs/tags/2.%zu",
						git_repository_commondir(fixture->repo), i);

		assert_int_equal(file_write_atomic(path, texts[i], strlen(texts[i]), NULL), 0);
	}
	graph = graph_of(fixture);
	assert_int_equal(graph.count, 1);
	assert_int_equal(graph.damaged_count, 3);
	assert_string_equal(graph.damaged[2], "2.2");
	assert_int_equal(graph.no_commit_count, 0);
	source = fixture_open(fixture);
	assert_int_equal(source_versions(&names, &count, source, &arena, &fixture->err), 0);
	assert_int_equal(count, 4);
	assert_int_equal(source_tree(&tree, source, "2.0", &fixture->err), ERR_GIT);
	assert_non_null(strstr(fixture->err.text, "cannot read refs/tags/2.0"));
	source_free(source);
}

static void a_repository_without_tags_has_no_versions(void **state)
{
	struct source_graph graph;

	fixture_file(*state, "a", "a");
	fixture_commit(*state, "main", "no tag");
	graph = graph_of(*state);
	assert_int_equal(graph.count, 0);
}

static void unrelated_versions_have_no_parents(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	put_version(fixture, "main", "1.0");
	put_version(fixture, "other", "2.0");
	graph = graph_of(fixture);
	assert_string_equal(parent(&graph, "2.0"), "");
	assert_false(find(&graph, "2.0")->on_main);
}

static void a_shallow_clone_says_so(void **state)
{
	struct fixture *fixture = *state;
	struct strbuf file = { 0 }, line = { 0 };
	struct source_graph graph;
	char hex[41];

	put_version(fixture, "main", "1.0");
	git_oid_tostr(hex, sizeof(hex), &fixture->commit);
	put_version(fixture, "main", "1.1");
	/* The commit of 1.0 is missing, as in a clone of depth 1. */
	strbuf_addf(&line, "%s\n", git_oid_tostr((char[41]){ 0 }, 41, &fixture->commit));
	strbuf_addf(&file, "%s/shallow", fixture->path);
	assert_int_equal(file_write_atomic(file.text, line.text, line.length, &fixture->err), 0);
	assert_int_equal(git_tag_delete(fixture->repo, "1.0"), 0);
	strbuf_reset(&file);
	strbuf_addf(&file, "%s/objects/%.2s/%s", fixture->path, hex, hex + 2);
	assert_int_equal(unlink(file.text), 0);
	graph = graph_of(fixture);
	assert_true(graph.shallow);
	assert_int_equal(graph.count, 1);
	assert_string_equal(parent(&graph, "1.1"), "");
	strbuf_release(&file);
	strbuf_release(&line);
}

static void main_is_what_the_remote_says(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;
	git_reference *ref;

	put_version(fixture, "main", "1.0");
	assert_int_equal(git_reference_create(&ref, fixture->repo, "refs/remotes/origin/trunk",
					      &fixture->commit, 0, NULL),
			 0);
	git_reference_free(ref);
	assert_int_equal(git_reference_symbolic_create(&ref, fixture->repo, "refs/remotes/origin/HEAD",
						       "refs/remotes/origin/trunk", 0, NULL),
			 0);
	git_reference_free(ref);
	put_version(fixture, "main", "1.1");
	graph = graph_of(fixture);
	assert_string_equal(graph.main, "trunk");
	assert_true(find(&graph, "1.0")->on_main);
	assert_false(find(&graph, "1.1")->on_main);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, with_bare, without)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_version_follows_the_tag_before_it),
		TEST(a_release_branch_leaves_main_where_it_was_made),
		TEST(a_merged_branch_is_not_main),
		TEST(of_a_merge_the_side_with_fewer_commits_is_nearer),
		TEST(a_descendant_is_nearer_than_its_ancestor),
		TEST(a_tag_with_a_descendant_is_never_the_nearest),
		TEST(graphs_by_chance_are_as_the_definition_says),
		TEST(tags_of_one_commit_follow_each_other),
		TEST(a_tag_of_a_file_is_no_version),
		TEST(a_damaged_tag_is_named_and_not_left_out_in_silence),
		TEST(a_repository_without_tags_has_no_versions),
		TEST(unrelated_versions_have_no_parents),
		TEST(a_shallow_clone_says_so),
		TEST(main_is_what_the_remote_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
