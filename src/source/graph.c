/*
 * source/graph.c - find the nearest tagged ancestor of each tag in the commit graph
 *
 * 1. find_tags() resolves every tag to a commit. Damaged tags, and tags of objects that are not commits, are
 *    not versions.
 * 2. walk_tags() makes each tag the parent of the next higher tag of the same commit. Only the lowest of
 *    these tags still needs a parent.
 * 3. walk_from() visits all commits that a tag reaches, parents before children. It is a depth-first search
 *    with an explicit stack, because Linux has a million commits in a row.
 * 4. learn_nearest() computes the nearest tags of a commit from its parents: a parent's own tag, or if it has
 *    none, the parent's nearest tags. Tags from which another of these tags descends are removed. All
 *    remaining tags are kept, because a later merge may add a tag that is older than one of them. Example: in
 *    one merge, a tag of a side branch is nearer than 1.5, and in the next merge, 1.0 is nearer than that
 *    tag. If only the nearest tag were kept, 1.0 would be found, although 1.5 descends from 1.0.
 * 5. The parent of a commit's tag is the nearest tag with the fewest commits in between. If several tags have
 *    the same number, the parent is the tag that is reached first through first parents.
 * 6. mark_main() follows first parents from the head of the main branch; tags
 *    on this line are on the main branch.
 */
#include "source/internal.h"

#include <search.h>

/*
 * The limit for commits and parents together. A commit of 1 MB can have 20,000 parents, and takes only 30
 * bytes of a pack if a similar commit exists. Linux has 1.3 million commits.
 */
enum { GRAPH_LIMIT = 8 * 1024 * 1024 };

/* One of the nearest tags of a commit. */
struct graph_nearest {
	size_t tag;
	size_t commits; /* number of commits on the shortest path to the tag from the commit for which the
			   list was made */
};

/* A commit, which is found by its id. */
struct graph_node {
	git_oid id;
	int64_t time;
	long tag;      /* the commit's highest tag; SOURCE_NO_PARENT if it has none */
	const struct graph_nearest *nearest; /* the nearest tags among its ancestors; if the commit has one
					  parent, and the parent has no tag, this is the parent's list */
	unsigned nearest_count;
	size_t commits; /* number of commits from this one to the commit for which the list was made */
	struct graph_node **parents;
	unsigned parent_count;
	bool expanded; /* the parents are known */
	bool done;     /* the nearest tags are known as well */
	bool on_main;
};

struct graph_walk {
	struct source_graph graph; /* the result */
	struct objects objects;
	size_t size; /* number of commits, their parents, and tags examined in merges */
	struct arena arena; /* owns everything but the versions and the stack */
	void *by_id;        /* tsearch(3) tree of struct graph_node */
	struct source_version *versions; /* graph.versions */
	struct graph_node **nodes; /* one for each version */
	size_t tags_done;   /* number of tagged commits whose nearest tags are known */
	size_t *order;      /* indexed by version: its position in an order that has ancestors before
			       descendants */
	size_t *seen, seen_by; /* indexed by version: the number of the last search that reached the version
				  */
	struct graph_nearest *found; /* the current commit's tags */
	size_t *slot;       /* indexed by version: its position in @found, if it is in @found */
	size_t *pending;    /* tags whose ancestors are not searched yet */
	struct graph_node **stack; /* malloc'd, because arena_room() is for arrays that only grow */
	size_t stack_count, stack_capacity;
};

/* Orders nodes by commit id, by which node_of() finds them. */
static int compare_nodes(const void *a, const void *b)
{
	return git_oid_cmp(&((const struct graph_node *)a)->id, &((const struct graph_node *)b)->id);
}

/* Returns the node of the commit @id, and adds it if this is the first time that the commit is seen. */
static struct graph_node *node_of(struct graph_walk *walk, const git_oid *id)
{
	struct graph_node key = { .id = *id };
	void *const *found = tfind(&key, &walk->by_id, compare_nodes);
	struct graph_node *node;

	if (found)
		return *found;
	node = arena_alloc(&walk->arena, sizeof(*node));
	*node = (struct graph_node){ .id = *id, .tag = SOURCE_NO_PARENT };
	tsearch(node, &walk->by_id, compare_nodes);
	return node;
}

static void leave_node(void *node)
{
	(void)node; /* the arena owns it */
}

static void push_node(struct graph_walk *walk, struct graph_node *node)
{
	ARRAY_GROW(walk->stack, walk->stack_count, walk->stack_capacity);
	walk->stack[walk->stack_count++] = node;
}

/* Counts work. Return: 0; ERR_LIMIT beyond the limit, because a small repository can have a huge graph. */
static int count_steps(struct graph_walk *walk, size_t steps, struct err *err)
{
	walk->size += steps;
	if (walk->size <= GRAPH_LIMIT)
		return 0;
	return err_set(err, ERR_LIMIT,
		       "the tags of %s lead to more than %d commits, parents of commits and merged tags",
		       walk->objects.shown, GRAPH_LIMIT);
}

/*
 * Reads the commit of @node: sets its time and parents, and pushes the parents that are not expanded yet. In
 * a shallow clone, a commit that is missing has no parents. Return: 0; ERR_LIMIT; ERR_GIT.
 */
static int expand(struct graph_walk *walk, struct graph_node *node, struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	git_object_t type;
	git_object *object;
	git_commit *commit;
	int rc;

	node->expanded = true;
	if (walk->graph.shallow && object_type(&type, &walk->objects, &node->id) == GIT_ENOTFOUND)
		return 0;
	git_oid_tostr(hex, sizeof(hex), &node->id);
	if ((rc = object_open(&object, &walk->objects, &node->id, OBJECT_COMMIT, hex, err)))
		return rc;
	commit = (git_commit *)object;
	if ((rc = count_steps(walk, 1 + git_commit_parentcount(commit), err)))
		goto out;
	node->time = git_commit_time(commit);
	node->parent_count = git_commit_parentcount(commit);
	node->parents = arena_array(&walk->arena, node->parent_count + 1, sizeof(struct graph_node *));
	for (unsigned i = 0; i < node->parent_count; i++) {
		node->parents[i] = node_of(walk, git_commit_parent_id(commit, i));
		if (!node->parents[i]->expanded)
			push_node(walk, node->parents[i]);
	}
out:
	git_object_free(object);
	return rc;
}

/*
 * Lists the tags that @node's parents lead to in walk->found, each with the length of the shortest path.
 * Return: the number of tags.
 */
static size_t list_of_parents(struct graph_walk *walk, const struct graph_node *node)
{
	size_t count = 0;

	for (unsigned i = 0; i < node->parent_count; i++) {
		const struct graph_node *parent = node->parents[i];
		const struct graph_nearest own = { (size_t)parent->tag, 0 };
		const bool is_tagged = parent->tag != SOURCE_NO_PARENT;
		const struct graph_nearest *nearest = is_tagged ? &own : parent->nearest;
		size_t nearest_count = is_tagged ? 1 : parent->nearest_count;

		for (size_t k = 0; k < nearest_count; k++) {
			size_t commits = nearest[k].commits + (is_tagged ? 0 : parent->commits) + 1,
			       slot = walk->slot[nearest[k].tag];

			if (slot >= count || walk->found[slot].tag != nearest[k].tag) {
				walk->slot[nearest[k].tag] = count;
				walk->found[count++] = (struct graph_nearest){ nearest[k].tag, commits };
			} else if (commits < walk->found[slot].commits) {
				walk->found[slot].commits = commits;
			}
		}
	}
	return count;
}

/*
 * Marks the tagged ancestors of the first @count tags of walk->found in walk->seen, so that learn_nearest()
 * leaves them out. The search goes from each tag to its nearest tags, and stops at tags that are older than
 * all of walk->found. Return: 0; ERR_LIMIT.
 */
static int mark_older(struct graph_walk *walk, size_t count, struct err *err)
{
	size_t oldest = SIZE_MAX, pending = 0, steps = 0;

	walk->seen_by++;
	for (size_t i = 0; i < count; i++) {
		walk->pending[pending++] = walk->found[i].tag;
		if (walk->order[walk->found[i].tag] < oldest)
			oldest = walk->order[walk->found[i].tag];
	}
	while (pending) {
		const struct graph_node *node = walk->nodes[walk->pending[--pending]];

		for (size_t k = 0; k < node->nearest_count; k++, steps++) {
			size_t tag = node->nearest[k].tag;

			if (walk->seen[tag] == walk->seen_by || walk->order[tag] < oldest)
				continue;
			walk->seen[tag] = walk->seen_by;
			walk->pending[pending++] = tag;
		}
	}
	return count_steps(walk, steps, err);
}

/*
 * Sets the nearest tags of @node from those of its parents, except tags that are ancestors of other ones.
 * Sets done, and the position of @node's own tag in walk->order. Return: 0; ERR_LIMIT.
 */
static int learn_nearest(struct graph_walk *walk, struct graph_node *node, struct err *err)
{
	const struct graph_node *parent = node->parent_count == 1 ? node->parents[0] : NULL;
	size_t count, left = 0;
	int rc;

	if (parent && parent->tag == SOURCE_NO_PARENT) {
		node->nearest = parent->nearest;
		node->nearest_count = parent->nearest_count;
		node->commits = parent->commits + 1;
	} else if ((count = list_of_parents(walk, node))) {
		if (count > 1 &&
		    ((rc = mark_older(walk, count, err)) || (rc = count_steps(walk, count, err))))
			return rc;
		for (size_t i = 0; i < count; i++)
			if (count == 1 || walk->seen[walk->found[i].tag] != walk->seen_by)
				walk->found[left++] = walk->found[i];
		node->nearest = arena_memdup(&walk->arena, walk->found, left * sizeof(*node->nearest));
		node->nearest_count = (unsigned)left;
	}
	if (node->tag != SOURCE_NO_PARENT)
		walk->order[node->tag] = walk->tags_done++;
	node->done = true;
	return 0;
}

/* Returns the nearest tag with the fewest commits in between, a version's parent; or SOURCE_NO_PARENT. */
static long nearest_of(const struct graph_node *node)
{
	const struct graph_nearest *best = node->nearest;

	for (size_t i = 1; i < node->nearest_count; i++)
		if (node->nearest[i].commits < best->commits)
			best = &node->nearest[i];
	return node->nearest_count ? (long)best->tag : SOURCE_NO_PARENT;
}

/* Sets the nearest tags of @start and its ancestors, parents first. Return: 0; ERR_LIMIT; ERR_GIT. */
static int walk_from(struct graph_walk *walk, struct graph_node *start, struct err *err)
{
	push_node(walk, start);
	while (walk->stack_count) {
		struct graph_node *node = walk->stack[walk->stack_count - 1];
		int rc;

		if (!node->expanded) {
			if ((rc = expand(walk, node, err)))
				return rc;
			continue;
		}
		if (!node->done && (rc = learn_nearest(walk, node, err)))
			return rc;
		walk->stack_count--;
	}
	return 0;
}

/*
 * Lists all tags, and divides them into versions with a node for each, tags of objects that are not commits,
 * and damaged tags. Return: 0; ERR_GIT; ERR_IO; ERR_LIMIT.
 */
static int find_tags(struct graph_walk *walk, struct arena *arena, struct err *err)
{
	const char *const *names;
	const char **others, **damaged;
	size_t count, i;
	int rc;

	if ((rc = version_tags(&names, &count, walk->objects.repo, arena, err)))
		return rc;
	walk->graph.versions = walk->versions = arena_array(arena, count + 1, sizeof(*walk->versions));
	walk->nodes = arena_array(&walk->arena, count + 1, sizeof(struct graph_node *));
	others = arena_array(arena, count + 1, sizeof(char *));
	damaged = arena_array(arena, count + 1, sizeof(char *));
	for (i = 0; i < count && !rc; i++) {
		struct version found = { 0 };

		rc = version_find(&found, walk->objects.repo, names[i], walk->objects.shown, err);
		if (!rc && found.found) {
			walk->versions[walk->graph.count].name = names[i];
			walk->nodes[walk->graph.count++] = node_of(walk, &found.commit);
		} else if (version_tag_is_damaged(walk->objects.repo, names[i])) {
			damaged[walk->graph.damaged_count++] = names[i];
			rc = 0;
		} else if (!rc || rc == ERR_NOT_FOUND) {
			others[walk->graph.no_commit_count++] = names[i];
			rc = 0;
		}
		strbuf_release(&found.name);
	}
	walk->graph.no_commits = others;
	walk->graph.damaged = damaged;
	return rc;
}

/* Sets parent, commit and time of each version, by a walk to older commits. Return: as walk_from(). */
static int walk_tags(struct graph_walk *walk, struct arena *arena, struct err *err)
{
	char hex[GIT_OID_HEXSZ + 1];
	int rc;

	walk->order = arena_array(&walk->arena, walk->graph.count + 1, sizeof(*walk->order));
	walk->seen = arena_array(&walk->arena, walk->graph.count + 1, sizeof(*walk->seen));
	walk->slot = arena_array(&walk->arena, walk->graph.count + 1, sizeof(*walk->slot));
	walk->found = arena_array(&walk->arena, walk->graph.count + 1, sizeof(*walk->found));
	walk->pending = arena_array(&walk->arena, 2 * walk->graph.count + 1, sizeof(*walk->pending));
	/* The parent of a tag is the next lower tag of its commit. walk_from() must know all tags. */
	for (size_t i = 0; i < walk->graph.count; i++) {
		walk->versions[i].parent = walk->nodes[i]->tag;
		walk->nodes[i]->tag = (long)i;
	}
	for (size_t i = 0; i < walk->graph.count; i++) {
		struct source_version *version = &walk->versions[i];

		if ((rc = walk_from(walk, walk->nodes[i], err)))
			return rc;
		if (version->parent == SOURCE_NO_PARENT)
			version->parent = nearest_of(walk->nodes[i]);
		version->commit = arena_strdup(arena, git_oid_tostr(hex, sizeof(hex), &walk->nodes[i]->id));
		version->time = walk->nodes[i]->time;
	}
	return 0;
}

/*
 * Returns the branch that the reference @name points to, without @prefix: "main". NULL if @name is not a
 * symbolic reference to a name that begins with @prefix.
 */
static const char *symbolic_branch(git_repository *repo, const char *name, const char *prefix,
				   struct arena *arena)
{
	const char *branch = NULL;
	git_reference *ref;

	if (git_reference_lookup(&ref, repo, name))
		return NULL;
	if (git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC) {
		const char *target = git_reference_symbolic_target(ref);

		if (begins(target, prefix))
			branch = arena_strdup(arena, target + strlen(prefix));
	}
	git_reference_free(ref);
	return branch;
}

/*
 * Finds the main branch, and sets graph.main and @commit. The remote's HEAD comes first, because the project
 * chose it. In a work tree, HEAD is only the branch that the user has checked out. References that do not
 * exist are skipped. Return: false if there is no main branch.
 */
static bool find_main(git_oid *commit, struct graph_walk *walk, struct arena *arena)
{
	static const char *const remote = "refs/remotes/origin/", *const local = "refs/heads/";
	git_repository *repo = walk->objects.repo;
	const struct {
		const char *prefix, *branch;
	} candidates[] = {
		{ remote, symbolic_branch(repo, "refs/remotes/origin/HEAD", remote, arena) },
		{ local, symbolic_branch(repo, "HEAD", local, arena) },
		{ remote, "main" },
		{ local, "main" },
		{ remote, "master" },
		{ local, "master" },
	};

	for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
		const char *branch = candidates[i].branch;

		if (branch &&
		    !git_reference_name_to_id(commit, repo,
					      arena_printf(arena, "%s%s", candidates[i].prefix, branch))) {
			walk->graph.main = branch;
			return true;
		}
	}
	return false;
}

/*
 * Sets on_main of the versions on the main branch: its head, and all first parents from there on. Does
 * nothing if there is no main branch. Return: 0; ERR_LIMIT; ERR_GIT.
 */
static int mark_main(struct graph_walk *walk, struct arena *arena, struct err *err)
{
	git_oid commit;
	struct graph_node *node;
	int rc;

	if (!find_main(&commit, walk, arena))
		return 0;
	node = node_of(walk, &commit);
	if ((rc = walk_from(walk, node, err)))
		return rc;
	for (; node; node = node->parent_count ? node->parents[0] : NULL)
		node->on_main = true;
	for (size_t i = 0; i < walk->graph.count; i++)
		walk->versions[i].on_main = walk->nodes[i]->on_main;
	return 0;
}

int source_graph(struct source_graph *out, struct source *source, struct arena *arena, struct err *err)
{
	struct graph_walk walk = { .graph.shallow = git_repository_is_shallow(source->repo) == 1 };
	int rc;

	if (!(rc = objects_init(&walk.objects, source->repo, source->shown, NULL, err)) &&
	    !(rc = find_tags(&walk, arena, err)) && !(rc = walk_tags(&walk, arena, err)) &&
	    !(rc = mark_main(&walk, arena, err)))
		*out = walk.graph;
	objects_release(&walk.objects);
	free(walk.stack);
	tdestroy(walk.by_id, leave_node);
	arena_release(&walk.arena);
	return rc;
}
