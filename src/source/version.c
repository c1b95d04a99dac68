#include "source/git.h"

#include <stdlib.h>
#include <string.h>

enum {
	SHOWN_DIGITS = 12, /* of a commit id that no tag names */
	LISTED_IDS = 8,    /* of an ambiguous one */
};

/* Where a name may stand, as git itself looks; a tag goes before a branch. */
static const char *const ref_forms[] = {
	"refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/origin/%s",
};

/* The objects that begin with the same digits. */
struct abbreviation {
	git_repository *repo;
	git_oid prefix;
	size_t digits;
	git_oid commit[LISTED_IDS];
	size_t count; /* may be more than LISTED_IDS */
};

/* Follows annotated tags, also tags of tags, to the commit. */
static int peel_to_commit(struct version *out, git_object *object, const char *version, const char *shown, struct err *err)
{
	git_object *commit = NULL;
	int code = git_object_peel(&commit, object, GIT_OBJECT_COMMIT);

	if (code == GIT_EPEEL || code == GIT_EINVALIDSPEC || code == GIT_EAMBIGUOUS)
		return err_set(err, ERR_NOT_FOUND,
			       "%s in %s is no commit, so it has no driver tree; give a tag, a branch or a commit id", version, shown);
	if (code)
		return err_set(err, ERR_GIT, "cannot read the commit of %s in %s: %s", version, shown, git_why());
	out->commit = *git_object_id(commit);
	out->found = true;
	git_object_free(commit);
	return 0;
}

static int find_ref(struct version *out, git_repository *repo, const char *version, const char *shown, struct err *err)
{
	struct strbuf name = { 0 };
	git_object *object = NULL;
	git_oid target;
	size_t i;
	int code = GIT_ENOTFOUND, rc = 0;

	for (i = 0; code && i < sizeof(ref_forms) / sizeof(*ref_forms); i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, ref_forms[i], version);
		code = git_reference_name_to_id(&target, repo, name.text);
		if (code && code != GIT_ENOTFOUND && code != GIT_EINVALIDSPEC) {
			rc = err_set(err, ERR_GIT, "cannot read %s in %s: %s", name.text, shown, git_why());
			goto out;
		}
	}
	if (code)
		goto out;
	if (git_object_lookup(&object, repo, &target, GIT_OBJECT_ANY)) {
		rc = err_set(err, ERR_GIT, "%s in %s cannot be read: %s", version, shown, git_why());
		goto out;
	}
	rc = peel_to_commit(out, object, version, shown, err);
	if (!rc)
		strbuf_adds(&out->name, version);
out:
	git_object_free(object);
	strbuf_release(&name);
	return rc;
}

int version_order(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;
	int order = abi_version_compare(*left, *right);

	return order ? order : strcmp(*left, *right);
}

int version_tags(const char *const **names, size_t *count, git_repository *repo, struct arena *arena, struct err *err)
{
	git_strarray tags = { 0 };
	const char **sorted;
	size_t i;

	if (git_tag_list(&tags, repo))
		return err_set(err, ERR_GIT, "cannot list the tags of %s: %s", git_repository_path(repo), git_why());
	sorted = arena_array(arena, tags.count + 1, sizeof(*sorted));
	for (i = 0; i < tags.count; i++)
		sorted[i] = arena_strdup(arena, tags.strings[i]);
	qsort(sorted, tags.count, sizeof(*sorted), version_order);
	*names = sorted;
	*count = tags.count;
	git_strarray_dispose(&tags);
	return 0;
}

/* The first tag, in version order, of @commit; else its first digits. */
static int name_commit(struct version *out, git_repository *repo, struct err *err)
{
	struct arena arena = { 0 };
	struct strbuf name = { 0 };
	const char *const *tags;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid target;
	size_t i, count;
	int rc;

	if ((rc = version_tags(&tags, &count, repo, &arena, err)))
		goto out;
	for (i = 0; i < count && !out->name.length; i++) {
		git_object *object = NULL, *commit = NULL;

		strbuf_reset(&name);
		strbuf_addf(&name, "refs/tags/%s", tags[i]);
		if (!git_reference_name_to_id(&target, repo, name.text) &&
		    !git_object_lookup(&object, repo, &target, GIT_OBJECT_ANY) &&
		    !git_object_peel(&commit, object, GIT_OBJECT_COMMIT) &&
		    git_oid_equal(git_object_id(commit), &out->commit))
			strbuf_adds(&out->name, tags[i]);
		git_object_free(commit);
		git_object_free(object);
	}
	if (!out->name.length)
		strbuf_add(&out->name, git_oid_tostr(hex, sizeof(hex), &out->commit), SHOWN_DIGITS);
out:
	strbuf_release(&name);
	arena_release(&arena);
	return rc;
}

/* An object may lie in two packs. */
static bool listed_already(const struct abbreviation *abbreviation, const git_oid *id)
{
	size_t i;

	for (i = 0; i < abbreviation->count && i < LISTED_IDS; i++)
		if (git_oid_equal(&abbreviation->commit[i], id))
			return true;
	return false;
}

static int collect_commit(const git_oid *id, void *data)
{
	struct abbreviation *abbreviation = data;
	git_object *object = NULL;

	if (git_oid_ncmp(id, &abbreviation->prefix, abbreviation->digits) ||
	    git_object_lookup(&object, abbreviation->repo, id, GIT_OBJECT_ANY))
		return 0;
	if (git_object_type(object) == GIT_OBJECT_COMMIT && !listed_already(abbreviation, id)) {
		if (abbreviation->count < LISTED_IDS)
			abbreviation->commit[abbreviation->count] = *id;
		abbreviation->count++;
	}
	git_object_free(object);
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

/* Several objects begin like that; if only one of them is a commit, that one is meant. */
static int find_ambiguous(struct version *out, git_repository *repo, const char *version, const char *shown, struct err *err)
{
	struct abbreviation same = { .repo = repo, .digits = strlen(version) };
	struct strbuf list = { 0 };
	char hex[GIT_OID_HEXSZ + 1];
	git_odb *odb = NULL;
	size_t i, listed;
	int rc = 0;

	if (git_oid_fromstrn(&same.prefix, version, same.digits) ||
	    git_repository_odb(&odb, repo) ||
	    git_odb_foreach(odb, collect_commit, &same))
		rc = err_set(err, ERR_GIT, "cannot list the objects of %s: %s", shown, git_why());
	git_odb_free(odb);
	if (rc)
		return rc;
	if (!same.count)
		return 0;
	listed = same.count < LISTED_IDS ? same.count : LISTED_IDS;
	qsort(same.commit, listed, sizeof(*same.commit), compare_ids);
	if (same.count == 1) {
		out->commit = same.commit[0];
		out->found = true;
		return 0;
	}
	for (i = 0; i < listed; i++)
		strbuf_addf(&list, "%s%.*s", i ? ", " : "", SHOWN_DIGITS, git_oid_tostr(hex, sizeof(hex), &same.commit[i]));
	rc = err_set(err, ERR_NOT_FOUND, "commit id %s is ambiguous in %s: %s%s; give more digits",
		     version, shown, list.text, same.count > listed ? ", ..." : "");
	strbuf_release(&list);
	return rc;
}

static int find_id(struct version *out, git_repository *repo, const char *version, const char *shown, struct err *err)
{
	size_t digits = strlen(version);
	git_object *object = NULL;
	git_oid prefix;
	int code, rc;

	if (digits < GIT_OID_MINPREFIXLEN || digits > GIT_OID_HEXSZ ||
	    strspn(version, "0123456789abcdefABCDEF") != digits || git_oid_fromstrn(&prefix, version, digits))
		return 0;
	code = git_object_lookup_prefix(&object, repo, &prefix, digits, GIT_OBJECT_ANY);
	if (code == GIT_ENOTFOUND)
		return 0;
	if (code == GIT_EAMBIGUOUS)
		rc = find_ambiguous(out, repo, version, shown, err);
	else if (code)
		rc = err_set(err, ERR_GIT, "cannot look up commit %s in %s: %s", version, shown, git_why());
	else if (digits == GIT_OID_HEXSZ || git_object_type(object) == GIT_OBJECT_COMMIT || git_object_type(object) == GIT_OBJECT_TAG)
		rc = peel_to_commit(out, object, version, shown, err);
	else
		rc = 0; /* a file's id that happens to begin like that */
	git_object_free(object);
	return rc || !out->found ? rc : name_commit(out, repo, err);
}

int version_find(struct version *out, git_repository *repo, const char *version, const char *shown, struct err *err)
{
	int rc;

	if (!strcmp(version, "HEAD")) {
		if (git_reference_name_to_id(&out->commit, repo, "HEAD"))
			return 0;
		out->found = true;
		return name_commit(out, repo, err);
	}
	rc = find_ref(out, repo, version, shown, err);
	if (rc || out->found)
		return rc;
	return find_id(out, repo, version, shown, err);
}
