#include "source/object.h"

#include "source/allocation.h"
#include "source/git.h"
#include "source/loaded.h"

#include <inttypes.h>

enum {
	/* The largest commit of OGKM has 4 kB, the largest tag 1 kB. A message may quote a log, a tag may hold a signature. */
	COMMIT_LIMIT_BYTES = 1024 * 1024,
	TAG_LIMIT_BYTES = 1024 * 1024,
	/* The largest directory of OGKM has 111 kB. This is one of 100,000 names. */
	DIRECTORY_LIMIT_BYTES = 4 * 1024 * 1024,
	LINK_LIMIT_BYTES = 4096, /* PATH_MAX: no system has longer ones */
	/* A delta lists its copies, and parsing lists what it finds: 100,000 names are 4 MB. */
	UNPACK_EXTRA_BYTES = 8 * 1024 * 1024,
};

/* Of one version, or of all commits. The headers of a version of OGKM need 60 MB, all of its commits 1 MB. */
static const uint64_t unpack_limit_bytes = (uint64_t)16 << 30;

static const struct object_rule {
	git_object_t type;
	size_t limit_bytes;
	size_t type_limit_bytes; /* of the objects that it may be a delta to: a link may be one to a file */
	const char *name;
} rules[] = {
	[OBJECT_COMMIT] = { GIT_OBJECT_COMMIT, COMMIT_LIMIT_BYTES, COMMIT_LIMIT_BYTES, "commit" },
	[OBJECT_TAG] = { GIT_OBJECT_TAG, TAG_LIMIT_BYTES, TAG_LIMIT_BYTES, "tag" },
	[OBJECT_DIRECTORY] = { GIT_OBJECT_TREE, DIRECTORY_LIMIT_BYTES, DIRECTORY_LIMIT_BYTES, "directory" },
	[OBJECT_FILE] = { GIT_OBJECT_BLOB, LOADED_FILE_LIMIT_BYTES, LOADED_FILE_LIMIT_BYTES, "file" },
	[OBJECT_LINK] = { GIT_OBJECT_BLOB, LINK_LIMIT_BYTES, LOADED_FILE_LIMIT_BYTES, "link" },
};

int objects_init(struct objects *out, git_repository *repo, const char *shown, const char *version, struct err *err)
{
	*out = (struct objects){ .repo = repo, .shown = shown, .version = version, .left_bytes = unpack_limit_bytes };
	if (git_repository_odb(&out->odb, repo))
		return err_set(err, ERR_GIT, "cannot open the objects of %s: %s", shown, git_why());
	loose_dirs_init(&out->loose, git_repository_commondir(repo));
	return 0;
}

void objects_release(struct objects *objects)
{
	loose_dirs_release(&objects->loose);
	git_odb_free(objects->odb);
	objects->odb = NULL;
}

int object_type(git_object_t *out, const struct objects *objects, const git_oid *id)
{
	size_t size;

	return git_odb_read_header(&size, out, objects->odb, id);
}

/* "inc/a.h of version 1.0 in /srv/driver"; @where: "in" */
static const char *name_object(struct strbuf *out, const struct objects *objects, const char *what, const char *where)
{
	strbuf_adds(out, what);
	if (objects->version)
		strbuf_addf(out, " of version %s", objects->version);
	strbuf_addf(out, " %s %s", where, objects->shown);
	return out->text;
}

static int unreadable(const struct objects *objects, int code, const char *what, struct err *err)
{
	struct strbuf name = { 0 };
	int rc;

	if (code == GIT_ENOTFOUND)
		rc = err_set(err, ERR_GIT, "%s: is it a partial clone?", name_object(&name, objects, what, "is missing from"));
	else
		rc = err_set(err, ERR_GIT, "cannot read %s: %s", name_object(&name, objects, what, "in"), git_why());
	strbuf_release(&name);
	return rc;
}

static int check_header(const struct objects *objects, const git_oid *id, const struct object_rule *rule, const char *what,
			struct err *err)
{
	struct strbuf name = { 0 };
	git_object_t type;
	size_t size;
	int code = git_odb_read_header(&size, &type, objects->odb, id), rc = 0;

	if (code)
		return unreadable(objects, code, what, err);
	if (type != rule->type)
		rc = err_set(err, ERR_GIT, "%s is a %s, and should be a %s: the repository is damaged",
			     name_object(&name, objects, what, "in"), git_object_type2string(type), git_object_type2string(rule->type));
	else if (size > rule->limit_bytes)
		rc = err_set(err, ERR_LIMIT, "%s has %zu bytes; a %s of a driver may have %zu",
			     name_object(&name, objects, what, "in"), size, rule->name, rule->limit_bytes);
	strbuf_release(&name);
	return rc;
}

static int check_loose(const struct objects *objects, const git_oid *id, const char *what, struct err *err)
{
	const char *fault = loose_fault(&objects->loose, id);
	struct strbuf name = { 0 };
	int rc;

	if (!fault)
		return 0;
	rc = err_set(err, ERR_GIT, "%s %s: the repository is damaged; git fsck says more", name_object(&name, objects, what, "in"), fault);
	strbuf_release(&name);
	return rc;
}

static int too_much(const struct objects *objects, const struct allocation_bound *bound, const char *what, struct err *err)
{
	struct strbuf name = { 0 };
	int rc;

	name_object(&name, objects, what, "in");
	if (bound->refused_bytes > bound->block_bytes)
		rc = err_set(err, ERR_LIMIT, "%s is stored so that unpacking it takes %zu bytes at once; it may take %zu",
			     name.text, bound->refused_bytes, bound->block_bytes);
	else
		rc = err_set(err, ERR_LIMIT, "cannot read %s: more than %" PRIu64 " GB were unpacked until there; is the repository made to do harm?",
			     name.text, unpack_limit_bytes >> 30);
	strbuf_release(&name);
	return rc;
}

int object_open(git_object **out, struct objects *objects, const git_oid *id, enum object_use use, const char *what, struct err *err)
{
	const struct object_rule *rule = &rules[use];
	struct allocation_bound bound;
	int code, rc;

	if ((rc = check_header(objects, id, rule, what, err)) ||
	    (rc = check_loose(objects, id, what, err)))
		return rc;
	allocation_begin(&bound, rule->type_limit_bytes + UNPACK_EXTRA_BYTES, &objects->left_bytes);
	code = git_object_lookup(out, objects->repo, id, rule->type);
	allocation_end(&bound);
	if (code && bound.refused_bytes)
		return too_much(objects, &bound, what, err);
	return code ? unreadable(objects, code, what, err) : 0;
}
