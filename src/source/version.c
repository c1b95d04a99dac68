/*
 * Finds the commit that a version names. The name is looked up as a tag, then as a branch, then as a commit
 * id. Also lists all tags, finds similar names if a name does not exist, and finds damaged lines of
 * packed-refs.
 */
#include "source/internal.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- packed-refs ------------------------------------------------------------------ */

enum { PACKED_REFS_LIMIT_BYTES = 64 * 1024 * 1024 }; /* a million references */

/* The state after the lines of packed-refs that were read so far. */
struct packed_refs {
	bool sorted;      /* the first line states that the references are sorted */
	const char *name; /* the reference in the previous line; NULL: none */
	size_t name_length;
	bool peeled;      /* its second line, with the object that the tag points to, was read */
};

/* Does the line begin with exactly as many hexadecimal digits as an object id of SHA-1 has? */
static bool begins_with_id(const char *line, size_t length)
{
	size_t digits = 0;

	while (digits < length && isxdigit((unsigned char)line[digits]))
		digits++;
	return digits == GIT_OID_HEXSZ;
}

/* Checks a line for packed_refs_check(), and updates @refs. Return: the fault, for the message; or NULL. */
static const char *read_packed_ref(struct packed_refs *refs, const char *line, size_t length)
{
	const char *name = line + GIT_OID_HEXSZ + 1;
	size_t name_length, common;
	int order;

	if (memchr(line, '\0', length))
		return "has a NUL byte";
	if (*line == '#' && !refs->name) {
		refs->sorted |= memmem(line, length, " sorted ", strlen(" sorted ")) != NULL;
		return NULL;
	}
	if (*line == '^') { /* "^<id>", the object of an annotated tag */
		if (!refs->name || refs->peeled || length != GIT_OID_HEXSZ + 1 ||
		    !begins_with_id(line + 1, length - 1))
			return "is not the object id of the tag in the previous line";
		refs->peeled = true;
		return NULL;
	}
	if (!begins_with_id(line, length) || length < GIT_OID_HEXSZ + 2 || line[GIT_OID_HEXSZ] != ' ')
		return "is not an object id followed by a reference name";
	name_length = length - GIT_OID_HEXSZ - 1;
	if (refs->sorted && refs->name) { /* byte by byte, as git sorts them */
		common = refs->name_length < name_length ? refs->name_length : name_length;
		order = memcmp(refs->name, name, common);
		if (order > 0 || (!order && refs->name_length >= name_length))
			return "is out of order, although the first line says that the references are sorted";
	}
	refs->name = name;
	refs->name_length = name_length;
	refs->peeled = false;
	return NULL;
}

int packed_refs_check(const char *path, struct err *err)
{
	struct packed_refs refs = { .name = NULL };
	struct strbuf text = { 0 };
	const char *at, *end;
	int rc;

	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	rc = file_read(&text, path, PACKED_REFS_LIMIT_BYTES, err);
	at = strbuf_text(&text);
	end = at + text.length;
	for (size_t number = 1; !rc && at < end; number++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = newline ? (size_t)(newline - at) : 0;
		const char *wrong;

		if (length && at[length - 1] == '\r')
			length--;
		wrong = newline ? read_packed_ref(&refs, at, length) : "does not end with a newline";
		if (wrong)
			rc = err_set(
				err, ERR_FORMAT,
				"%s:%zu: this line %s, so tags may be missing; repair the file, or clone the repository again",
				path, number, wrong);
		else
			at = newline + 1;
	}
	strbuf_release(&text);
	return rc;
}

/* --- the commit of a name ---------------------------------------------------------- */

enum {
	SHOWN_DIGITS = 12, /* digits of a commit id in messages, if the commit has no tag */
	LISTED_IDS = 8,    /* limit for the number of ids that are listed for an ambiguous id */
	TAGS_MAX = 16,     /* limit for a chain of tags that point to tags */
	TAG_DIRECTORIES_DEEP = 16,
};

/* The references that a name can mean, in git's order: a tag has priority over a branch. */
static const char *const ref_forms[] = {
	"refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/origin/%s",
};

/* The commits whose ids begin with the same digits. */
struct abbreviation {
	const struct objects *objects;
	git_oid prefix;
	size_t digits;
	git_oid commit[LISTED_IDS];
	size_t count; /* may be more than LISTED_IDS */
};

/*
 * Follows annotated tags, also tags of tags, to the commit, and sets commit and found of @out. Only tags are
 * read. @version: for messages. Return: 0; ERR_NOT_FOUND if the object is not a commit; ERR_LIMIT; ERR_GIT.
 */
static int peel_to_commit(struct version *out, struct objects *objects, const git_oid *id,
			  const char *version, struct err *err)
{
	git_object_t type = GIT_OBJECT_TAG;
	git_oid at = *id;
	git_object *tag;
	unsigned tags;
	int rc;

	for (tags = 0; tags <= TAGS_MAX; tags++) {
		if (object_type(&type, objects, &at))
			return err_set(err, ERR_GIT, "%s in %s cannot be read: %s", version, objects->shown,
				       git_why());
		if (type != GIT_OBJECT_TAG)
			break;
		if ((rc = object_open(&tag, objects, &at, OBJECT_TAG, version, err)))
			return rc;
		at = *git_tag_target_id((git_tag *)tag);
		git_object_free(tag);
	}
	if (type == GIT_OBJECT_TAG)
		return err_set(err, ERR_LIMIT, "%s in %s begins a chain of more than %d tags", version,
			       objects->shown, TAGS_MAX);
	if (type != GIT_OBJECT_COMMIT)
		return err_set(
			err, ERR_NOT_FOUND,
			"%s in %s is not a commit, so it has no driver tree; give a tag, a branch or a commit id",
			version, objects->shown);
	out->commit = at;
	out->found = true;
	return 0;
}

/* Finds a tag or branch, and sets @out. Return: 0, also if there is none; as peel_to_commit(). */
static int find_ref(struct version *out, struct objects *objects, const char *version, struct err *err)
{
	struct strbuf name = { 0 };
	git_oid target;
	size_t i;
	int code = GIT_ENOTFOUND, rc = 0;

	for (i = 0; code && i < sizeof(ref_forms) / sizeof(*ref_forms); i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, ref_forms[i], version);
		code = git_reference_name_to_id(&target, objects->repo, name.text);
		if (code && code != GIT_ENOTFOUND && code != GIT_EINVALIDSPEC) {
			rc = err_set(err, ERR_GIT, "cannot read %s in %s: %s", name.text, objects->shown,
				     git_why());
			goto out;
		}
	}
	if (code || (rc = peel_to_commit(out, objects, &target, version, err)))
		goto out;
	strbuf_adds(&out->name, version);
out:
	strbuf_release(&name);
	return rc;
}

/* Finds the object of the tag @name. Return: 0, or an error code of libgit2. */
static int read_tag(git_oid *out, git_repository *repo, const char *name)
{
	struct strbuf ref = { 0 };
	int code;

	strbuf_addf(&ref, "refs/tags/%s", name);
	code = git_reference_name_to_id(out, repo, ref.text);
	strbuf_release(&ref);
	return code;
}

bool version_tag_is_damaged(git_repository *repo, const char *name)
{
	git_oid id;

	return read_tag(&id, repo, name);
}

/* The names of tags or branches that are being collected. */
struct ref_names {
	const char **name; /* in the arena */
	size_t count;
	git_repository *repo;
	struct arena *arena;
};

static void add_name(struct ref_names *names, const char *name)
{
	names->name = arena_room(names->arena, names->name, names->count, sizeof(*names->name));
	names->name[names->count++] = arena_strdup(names->arena, name);
}

/*
 * Adds the damaged tags in @path, the directory of the tags that begin with @prefix, and in its
 * subdirectories. libgit2 does not list files that it cannot read as a reference, and does not report them.
 * A name that ends with .lock is not a tag: git is writing this file. Return: 0; ERR_IO.
 */
static int add_damaged_tags(struct ref_names *names, const char *path, const char *prefix, unsigned depth,
			    struct err *err)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int rc = 0;

	if (!dir && errno == ENOENT)
		return 0;
	if (!dir)
		return err_set(err, ERR_IO, "cannot read the directory %s: %s; its tags are missing", path,
			       strerror(errno));
	while (!rc && (entry = readdir(dir))) {
		struct strbuf below = { 0 }, name = { 0 };
		struct stat info;

		strbuf_addf(&below, "%s/%s", path, entry->d_name);
		strbuf_addf(&name, "%s%s", prefix, entry->d_name);
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
		    view_ends_with(view_of(entry->d_name), ".lock") || lstat(below.text, &info)) {
			/* nothing */
		} else if (S_ISDIR(info.st_mode) && depth) {
			strbuf_addch(&name, '/');
			rc = add_damaged_tags(names, below.text, name.text, depth - 1, err);
		} else if (!S_ISDIR(info.st_mode) && version_tag_is_damaged(names->repo, name.text)) {
			add_name(names, name.text);
		}
		strbuf_release(&below);
		strbuf_release(&name);
	}
	closedir(dir);
	return rc;
}

int version_tags(const char *const **names, size_t *count, git_repository *repo, struct arena *arena,
		 struct err *err)
{
	struct ref_names all = { .repo = repo, .arena = arena };
	struct strbuf path = { 0 };
	git_strarray tags = { 0 };
	size_t kept = 0;
	int rc;

	if (git_tag_list(&tags, repo))
		return err_set(err, ERR_GIT, "cannot list the tags of %s: %s", git_repository_path(repo),
			       git_why());
	for (size_t i = 0; i < tags.count; i++)
		add_name(&all, tags.strings[i]);
	git_strarray_dispose(&tags);
	strbuf_addf(&path, "%srefs/tags", git_repository_commondir(repo));
	if (!(rc = add_damaged_tags(&all, path.text, "", TAG_DIRECTORIES_DEEP, err))) {
		sort_items(all.name, all.count, sizeof(*all.name), abi_order_versions);
		for (size_t i = 0; i < all.count; i++)
			if (!kept || strcmp(all.name[kept - 1], all.name[i]))
				all.name[kept++] = all.name[i];
		*names = all.name;
		*count = kept;
	}
	strbuf_release(&path);
	return rc;
}

/* Sets the commit's name: its first tag in version order, or, if it has no tag, its first digits. */
static int name_commit(struct version *out, struct objects *objects, struct err *err)
{
	struct arena arena = { 0 };
	const char *const *tags;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid target;
	size_t count;
	int rc;

	if ((rc = version_tags(&tags, &count, objects->repo, &arena, err)))
		goto out;
	for (size_t i = 0; i < count && !out->name.length; i++) {
		struct version found = { 0 };

		if (!read_tag(&target, objects->repo, tags[i]) &&
		    !peel_to_commit(&found, objects, &target, tags[i], NULL) &&
		    git_oid_equal(&found.commit, &out->commit))
			strbuf_adds(&out->name, tags[i]);
	}
	if (!out->name.length)
		strbuf_add(&out->name, git_oid_tostr(hex, sizeof(hex), &out->commit), SHOWN_DIGITS);
out:
	arena_release(&arena);
	return rc;
}

/* For git_odb_foreach(): keeps the commits whose ids begin with the given digits. */
static int collect_commit(const git_oid *id, void *data)
{
	struct abbreviation *abbreviation = data;
	git_object_t type;

	if (git_oid_ncmp(id, &abbreviation->prefix, abbreviation->digits) ||
	    object_type(&type, abbreviation->objects, id) || type != GIT_OBJECT_COMMIT)
		return 0;
	for (size_t i = 0; i < abbreviation->count && i < LISTED_IDS; i++)
		if (git_oid_equal(&abbreviation->commit[i], id)) /* the object is in two packs */
			return 0;
	if (abbreviation->count < LISTED_IDS)
		abbreviation->commit[abbreviation->count] = *id;
	abbreviation->count++;
	return 0;
}

/* Orders the commits that an abbreviated id can mean, for the error message. */
static int compare_ids(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

/*
 * Finds the only commit if the ids of several objects begin with @version. Return: 0, also if there is none,
 * and found is not set; ERR_NOT_FOUND if there are several commits, and @err lists them; ERR_GIT.
 */
static int find_ambiguous(struct version *out, struct objects *objects, const char *version, struct err *err)
{
	struct abbreviation same = { .objects = objects, .digits = strlen(version) };
	struct strbuf list = { 0 };
	char hex[GIT_OID_HEXSZ + 1];
	size_t i, listed;
	int code, rc;

	if (!(code = git_oid_fromstrn(&same.prefix, version, same.digits)))
		code = git_odb_foreach(objects->odb, collect_commit, &same);
	if (code)
		return err_set(err, ERR_GIT, "cannot list the objects of %s: %s", objects->shown, git_why());
	if (!same.count)
		return 0;
	listed = same.count < LISTED_IDS ? same.count : LISTED_IDS;
	sort_items(same.commit, listed, sizeof(*same.commit), compare_ids);
	if (same.count == 1) {
		out->commit = same.commit[0];
		out->found = true;
		return 0;
	}
	for (i = 0; i < listed; i++)
		strbuf_addf(&list, "%s%.*s", i ? ", " : "", SHOWN_DIGITS,
			    git_oid_tostr(hex, sizeof(hex), &same.commit[i]));
	rc = err_set(err, ERR_NOT_FOUND, "commit id %s is ambiguous in %s: %s%s; give more digits",
		     version, objects->shown, list.text, same.count > listed ? ", ..." : "");
	strbuf_release(&list);
	return rc;
}

/*
 * Finds a commit by its id or the first digits, and sets @out, with the name of its tag. Return: 0, also if
 * there is none, and found is not set; the errors of find_ambiguous(), peel_to_commit() and version_tags().
 */
static int find_id(struct version *out, struct objects *objects, const char *version, struct err *err)
{
	size_t digits = strlen(version);
	git_oid prefix, id;
	git_object_t type;
	int code, rc;

	if (digits < GIT_OID_MINPREFIXLEN || digits > GIT_OID_HEXSZ ||
	    strspn(version, "0123456789abcdefABCDEF") != digits || git_oid_fromstrn(&prefix, version, digits))
		return 0;
	code = git_odb_exists_prefix(&id, objects->odb, &prefix, digits);
	if (code == GIT_ENOTFOUND)
		return 0;
	if (code == GIT_EAMBIGUOUS)
		rc = find_ambiguous(out, objects, version, err);
	else if (code || object_type(&type, objects, &id))
		rc = err_set(err, ERR_GIT, "cannot look up commit %s in %s: %s", version, objects->shown,
			     git_why());
	else if (digits < GIT_OID_HEXSZ && type != GIT_OBJECT_COMMIT && type != GIT_OBJECT_TAG)
		return 0; /* the id of a file happens to begin with the same digits */
	else
		rc = peel_to_commit(out, objects, &id, version, err);
	return rc || !out->found ? rc : name_commit(out, objects, err);
}

int version_find(struct version *out, git_repository *repo, const char *version, const char *shown,
		 struct err *err)
{
	struct objects objects;
	int rc;

	if ((rc = objects_init(&objects, repo, shown, NULL, err)))
		goto out;
	if (strcmp(version, "HEAD")) {
		rc = find_ref(out, &objects, version, err);
		if (!rc && !out->found)
			rc = find_id(out, &objects, version, err);
	} else if (!git_reference_name_to_id(&out->commit, repo, "HEAD")) {
		out->found = true;
		rc = name_commit(out, &objects, err);
	}
out:
	objects_release(&objects);
	return rc;
}

/* Lists local branches and those of remotes ("origin/main"). Return: 0; ERR_GIT, without a message. */
static int branch_names(const char *const **names, size_t *count, git_repository *repo, struct arena *arena)
{
	git_branch_iterator *branches;
	struct ref_names found = { .arena = arena };
	git_reference *ref;
	git_branch_t type;

	if (git_branch_iterator_new(&branches, repo, GIT_BRANCH_ALL))
		return ERR_GIT;
	while (!git_branch_next(&ref, &type, branches)) {
		const char *name;

		if (!git_branch_name(&name, ref))
			add_name(&found, name);
		git_reference_free(ref);
	}
	git_branch_iterator_free(branches);
	*names = found.name;
	*count = found.count;
	return 0;
}

int nearest_err(git_repository *repo, const char *version, const char *shown, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct arena arena = { 0 };
	struct strbuf list = { 0 };
	const char *const *tags = NULL, *const *branches = NULL;
	size_t tag_count, branch_count;

	if (version_tags(&tags, &tag_count, repo, &arena, NULL))
		tag_count = 0;
	for (size_t i = 0; i < tag_count; i++)
		if (!strcmp(tags[i], version)) { /* the tag exists, but cannot be read */
			arena_release(&arena);
			return err_set(
				err, ERR_GIT,
				"cannot read refs/tags/%s in %s; repair or delete it, or fetch the tags again",
				version, shown);
		}
	if (branch_names(&branches, &branch_count, repo, &arena))
		branch_count = 0;
	if (tag_count)
		abi_nearest_typos(&nearest, version, tags, tag_count);
	if (!nearest.count && branch_count)
		abi_nearest_typos(&nearest, version, branches, branch_count);
	if (!nearest.count && tag_count)
		abi_nearest_neighbours(&nearest, version, tags, tag_count);
	abi_nearest_list(&list, &nearest);
	if (!nearest.count)
		strbuf_adds(&list, ", which has no tags");
	err_set(err, ERR_NOT_FOUND, "no version %s in %s%s", version, shown, list.text);
	strbuf_release(&list);
	arena_release(&arena);
	return ERR_NOT_FOUND;
}
