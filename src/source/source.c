#include "source/git.h"

#include "source/packed_refs.h"
#include "source/url.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check_refs(const struct source *source, struct err *err)
{
	struct strbuf path = { 0 };
	int rc;

	strbuf_addf(&path, "%spacked-refs", git_repository_commondir(source->repo));
	rc = packed_refs_check(path.text, err);
	strbuf_release(&path);
	return rc;
}

int source_open(struct source **out, const char *repo, const struct source_options *options, struct err *err)
{
	struct source *source;
	int rc;

	if ((rc = git_setup(err)))
		return rc;
	source = xmalloc(sizeof(*source));
	*source = (struct source){ .shown = git_shown(repo), .blobs = blobs_new(), .use_fd = -1 };
	pthread_mutex_init(&source->lock, NULL);
	if (options)
		source->options = *options;
	if (url_is_url(repo))
		rc = clone_open(source, repo, err);
	else
		rc = git_open(&source->repo, repo, 0, source->shown, err);
	if (!rc)
		rc = check_refs(source, err);
	source->options.cache_dir = NULL;
	if (rc)
		source_free(source);
	else
		*out = source;
	return rc;
}

const char *source_shown(const struct source *source)
{
	return source->shown;
}

void source_free(struct source *source)
{
	if (!source)
		return;
	git_repository_free(source->repo);
	if (source->use_fd >= 0)
		close(source->use_fd);
	blobs_drop(source->blobs);
	pthread_mutex_destroy(&source->lock);
	free(source->shown);
	free(source->url);
	free(source->path);
	free(source);
}

/* A URL is no version, and may hold a password that would be shown as a version is. */
static int url_is_no_version(const char *url, struct err *err)
{
	struct strbuf shown = { 0 };
	int rc;

	url_redact(&shown, url);
	rc = err_set(err, ERR_USAGE, "%s is a URL and no version; a repository is named with --repo", shown.text);
	strbuf_release(&shown);
	return rc;
}

int source_tree(struct tree **out, struct source *source, const char *version, struct err *err)
{
	struct version found = { 0 };
	int rc;

	if (strstr(version, "://"))
		return url_is_no_version(version, err);
	pthread_mutex_lock(&source->lock);
	rc = version_find(&found, source->repo, version, source->shown, err);
	if (!rc && !found.found && source->url && !source->fetched) {
		if ((rc = clone_fetch(source, err)))
			err_prefix(err, "no version %s in the copy of %s made before", version, source->shown);
		else
			rc = version_find(&found, source->repo, version, source->shown, err);
	}
	if (!rc && !found.found)
		rc = nearest_err(source->repo, version, source->shown, err);
	if (!rc)
		rc = commit_files_open(out, source, &found.commit, found.name.text, err);
	pthread_mutex_unlock(&source->lock);
	strbuf_release(&found.name);
	return rc;
}

int source_versions(const char *const **names, size_t *count, struct source *source, struct arena *arena, struct err *err)
{
	int rc;

	pthread_mutex_lock(&source->lock);
	rc = version_tags(names, count, source->repo, arena, err);
	pthread_mutex_unlock(&source->lock);
	return rc;
}
