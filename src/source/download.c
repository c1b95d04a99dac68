#include "source/download.h"

#include "source/allocation.h"
#include "source/url.h"

#include <stdint.h>
#include <string.h>
#include <sys/statvfs.h>

enum {
	/*
	 * libgit2 writes packs through a mapping: on a full disk the program
	 * would die of a SIGBUS instead of failing. So it stops before.
	 */
	SPACE_LEFT_BYTES = 48 * 1024 * 1024,
	SPACE_EVERY_BYTES = 8 * 1024 * 1024,
};

/* One fetch, for libgit2's callbacks. */
struct download {
	const struct source *source;
	const char *dir;      /* where the objects go */
	size_t checked_bytes; /* received when the space was last looked at */
	bool disk_is_full;
	bool asked;           /* for credentials, once */
};

static void tell(const struct download *download, const char *what, size_t done, size_t total)
{
	if (download->source->options.progress)
		download->source->options.progress(download->source->options.progress_data, what, done, total);
}

static bool is_disk_full(struct download *download, size_t received_bytes)
{
	struct statvfs space;

	if (received_bytes && received_bytes - download->checked_bytes < SPACE_EVERY_BYTES)
		return false;
	download->checked_bytes = received_bytes;
	return !statvfs(download->dir, &space) &&
	       (uint64_t)space.f_bavail * space.f_frsize < SPACE_LEFT_BYTES;
}

static int on_transfer(const git_indexer_progress *stats, void *data)
{
	struct download *download = data;

	if (is_disk_full(download, stats->received_bytes)) {
		download->disk_is_full = true;
		return GIT_EUSER;
	}
	if (stats->total_objects && stats->received_objects == stats->total_objects)
		tell(download, "resolving deltas", stats->indexed_deltas, stats->total_deltas);
	else
		tell(download, "receiving objects", stats->received_objects, stats->total_objects);
	return 0;
}

/* Only where the other end is a directory of this machine (file://). */
static int on_pack(int stage, uint32_t done, uint32_t total, void *data)
{
	tell(data, stage == GIT_PACKBUILDER_ADDING_OBJECTS ? "counting objects" : "compressing objects", done, total);
	return 0;
}

/* What can be had without asking anybody: the ssh agent, and a ticket of Kerberos. */
static int on_credentials(git_credential **out, const char *url, const char *user, unsigned allowed, void *data)
{
	struct download *download = data;

	(void)url;
	if (allowed & GIT_CREDENTIAL_USERNAME)
		return git_credential_username_new(out, user ? user : "git");
	if (download->asked)
		return GIT_EAUTH;
	download->asked = true;
	if (allowed & GIT_CREDENTIAL_SSH_KEY)
		return git_credential_ssh_key_from_agent(out, user ? user : "git");
	if (allowed & GIT_CREDENTIAL_DEFAULT)
		return git_credential_default_new(out);
	return GIT_EAUTH;
}

static int fetch_all(git_remote *remote, git_repository *repo, struct download *download)
{
	char *specs[] = { (char *)"+refs/heads/*:refs/heads/*", (char *)"+refs/tags/*:refs/tags/*" };
	const git_strarray refspecs = { specs, 2 };
	git_fetch_options options;
	git_buf head = { 0 };
	int code;

	git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION);
	options.callbacks.transfer_progress = on_transfer;
	options.callbacks.pack_progress = on_pack;
	options.callbacks.credentials = on_credentials;
	options.callbacks.payload = download;
	options.proxy_opts.type = GIT_PROXY_AUTO;
	options.update_fetchhead = 0; /* FETCH_HEAD would hold the URL */
	options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE; /* the refspec brings them all */
	code = git_remote_connect(remote, GIT_DIRECTION_FETCH, &options.callbacks, &options.proxy_opts, NULL);
	if (code)
		return code;
	/* An empty repository has no default branch, which does not matter. */
	if (git_remote_default_branch(&head, remote))
		head.ptr = NULL;
	code = git_remote_fetch(remote, &refspecs, &options, "drvabi");
	if (!code && head.ptr)
		code = git_repository_set_head(repo, head.ptr);
	git_buf_dispose(&head);
	return code;
}

/* A file for each of hundreds of tags is slow to list: put them into one. */
static int pack_refs(git_repository *repo)
{
	git_refdb *refdb;
	int code = git_repository_refdb(&refdb, repo);

	if (code)
		return code;
	code = git_refdb_compress(refdb);
	git_refdb_free(refdb);
	return code;
}

/* @used: the URL after the user's configuration has had its say (url.<base>.insteadOf); NULL if it did not come to that */
static int download_failed(const struct download *run, int code, const char *used, const char *verb, struct err *err)
{
	const char *shown = run->source->shown;
	struct strbuf given = { 0 }, reason = { 0 };
	size_t object_bytes;
	int rc;

	url_redact_text(&given, git_why(), run->source->url);
	url_redact_text(&reason, strbuf_text(&given), used ? used : run->source->url);
	if (run->disk_is_full)
		rc = err_set(err, ERR_IO, "cannot %s %s: less than %d MB are left on the disk of %s",
			     verb, shown, SPACE_LEFT_BYTES / 1024 / 1024, run->dir);
	else if ((object_bytes = allocation_refused()))
		rc = err_set(err, ERR_LIMIT, "cannot %s %s: it has an object that takes %zu bytes to unpack, and may take %d; clone it with git and give the clone with --repo PATH",
			     verb, shown, object_bytes, ALLOCATION_BLOCK_BYTES);
	else if (code == GIT_EAUTH)
		rc = err_set(err, ERR_GIT, "cannot %s %s: it asks for a name and a password; clone it with git and give the clone with --repo PATH",
			     verb, shown);
	else
		rc = err_set(err, ERR_GIT, "cannot %s %s: %s; check the URL and the network%s, or clone it with git and give the clone with --repo PATH",
			     verb, shown, strbuf_text(&reason),
			     url_is_clear(run->source->url) ? ", write https:// so that nobody can read and change what comes" : "");
	strbuf_release(&given);
	strbuf_release(&reason);
	return rc;
}

/* No secret was sent, but what came may be anybody's. */
static void warn_of_clear(const struct source *source, const char *used)
{
	struct strbuf text = { 0 };

	if (!source->options.warn || !(url_is_clear(source->url) || url_is_clear(used)))
		return;
	strbuf_addf(&text, "%s came over a connection that anybody on the way can read and change; write https:// if the host has it", source->shown);
	source->options.warn(source->options.warn_data, text.text);
	strbuf_release(&text);
}

int download(git_repository *repo, const struct source *source, const char *verb, struct err *err)
{
	struct download run = { .source = source, .dir = git_repository_path(repo) };
	git_remote *remote = NULL;
	int code, rc = 0;

	tell(&run, "connecting", 0, 0);
	allocation_refused(); /* whatever that was, it was no download */
	allocation_lists(true);
	/* An anonymous remote is not written down, and neither is a password in the URL. */
	if (!(code = git_remote_create_anonymous(&remote, repo, source->url)) &&
	    !(rc = url_check(git_remote_url(remote), err)) && !(code = fetch_all(remote, repo, &run)))
		code = pack_refs(repo);
	allocation_lists(false);
	if (rc)
		goto out;
	if (code)
		rc = download_failed(&run, code, remote ? git_remote_url(remote) : NULL, verb, err);
	else
		warn_of_clear(source, git_remote_url(remote));
out:
	git_remote_free(remote);
	return rc;
}
