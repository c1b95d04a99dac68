#include "source/fixture_test.h"

#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

const char *__lsan_default_suppressions(void);

/* libgit2 1.5 leaks memory for each line of configuration that is not a url.<base>.insteadOf. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2\n";
}

/* A repository, its URL, and a directory for clones of it. */
struct remote {
	struct fixture fixture;
	char url[128];
	char cache[96];
	unsigned connections; /* how many connections the progress of all sources reported */
	unsigned received;    /* how many objects the progress reported as received */
};

static void count_progress(void *data, const char *what, size_t done, size_t total)
{
	struct remote *remote = data;

	(void)total;
	if (!strcmp(what, "connecting"))
		remote->connections++;
	if (!strcmp(what, "receiving objects") && done)
		remote->received++;
}

static int with_remote(void **state)
{
	static struct remote remote;

	memset(&remote, 0, sizeof(remote));
	fixture_init(&remote.fixture, FIXTURE_BARE);
	fixture_version(&remote.fixture, "1.0");
	snprintf(remote.url, sizeof(remote.url), "file://%s", remote.fixture.path);
	snprintf(remote.cache, sizeof(remote.cache), "%s/cache", remote.fixture.dir);
	*state = &remote;
	return 0;
}

static int without(void **state)
{
	fixture_release(&((struct remote *)*state)->fixture);
	return 0;
}

static int open_clone(struct source **out, struct remote *remote, const char *url)
{
	struct source_options options = { .cache_dir = remote->cache,
					  .progress = count_progress,
					  .progress_data = remote };

	return source_open(out, url, &options, &remote->fixture.err);
}

static int has_version(struct remote *remote, struct source *source, const char *version)
{
	struct tree *tree = NULL;
	int rc = source_tree(&tree, source, version, &remote->fixture.err);

	tree_free(tree);
	return rc;
}

/* Opens the clone and looks up one version in it. */
static int looks_for(struct remote *remote, const char *version)
{
	struct source *source;
	int rc = open_clone(&source, remote, remote->url);

	if (rc)
		return rc;
	rc = has_version(remote, source, version);
	source_free(source);
	return rc;
}

/* Finds the path of the existing clone. */
static void clone_place(struct strbuf *out, struct remote *remote)
{
	struct source *source;

	assert_int_equal(open_clone(&source, remote, remote->url), 0);
	strbuf_adds(out, source->path);
	source_free(source);
}

static void make_old(const char *path)
{
	struct timespec times[2] = { { .tv_sec = time(NULL) - 2 * 24 * 60 * 60 },
				     { .tv_sec = time(NULL) - 2 * 24 * 60 * 60 } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void a_url_is_cloned_once(void **state)
{
	struct remote *remote = *state;
	unsigned received;

	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(remote->connections, 1);
	assert_true(remote->received > 0);
	received = remote->received;
	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(looks_for(remote, "main"), 0);
	assert_int_equal(remote->connections, 1);
	assert_int_equal(remote->received, received);
}

static void a_clone_names_the_default_branch(void **state)
{
	struct remote *remote = *state;
	char hex[41];

	assert_int_equal(git_repository_set_head(remote->fixture.repo, "refs/heads/main"), 0);
	assert_int_equal(looks_for(remote, "HEAD"), 0);
	assert_int_equal(looks_for(remote, git_oid_tostr(hex, sizeof(hex), &remote->fixture.commit)), 0);
}

static void a_version_that_is_lacking_is_fetched(void **state)
{
	struct remote *remote = *state;

	assert_int_equal(looks_for(remote, "1.0"), 0);
	fixture_version(&remote->fixture, "1.1");
	assert_int_equal(looks_for(remote, "1.1"), 0);
	assert_int_equal(remote->connections, 2);
	assert_int_equal(looks_for(remote, "1.1"), 0);
	assert_int_equal(remote->connections, 2);
}

static void one_run_fetches_once(void **state)
{
	struct remote *remote = *state;
	struct source *source;

	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(open_clone(&source, remote, remote->url), 0);
	assert_int_equal(has_version(remote, source, "1.7"), ERR_NOT_FOUND);
	assert_int_equal(has_version(remote, source, "1.8"), ERR_NOT_FOUND);
	assert_int_equal(remote->connections, 2);
	assert_starts(remote->fixture.err.text, "no version 1.8 in file://");
	assert_non_null(strstr(remote->fixture.err.text, "; nearest: 1.0"));
	source_free(source);
}

static void a_new_clone_is_not_fetched_into(void **state)
{
	struct remote *remote = *state;

	assert_int_equal(looks_for(remote, "1.7"), ERR_NOT_FOUND);
	assert_int_equal(remote->connections, 1);
}

static void a_fetch_that_fails_says_for_what(void **state)
{
	struct remote *remote = *state;

	assert_int_equal(looks_for(remote, "1.0"), 0);
	clone_dir_remove(remote->fixture.path);
	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(looks_for(remote, "1.1"), ERR_GIT);
	assert_starts(remote->fixture.err.text, "no version 1.1 in the existing clone of file://");
	assert_non_null(strstr(remote->fixture.err.text, ": cannot fetch from file://"));
}

static void a_clone_that_fails_leaves_no_clone(void **state)
{
	struct remote *remote = *state;
	struct source *source;
	struct strbuf path = { 0 };

	clone_place(&path, remote);
	clone_dir_remove(path.text);
	clone_dir_remove(remote->fixture.path);
	assert_int_equal(open_clone(&source, remote, remote->url), ERR_GIT);
	assert_starts(remote->fixture.err.text, "cannot clone file://");
	assert_int_equal(access(path.text, F_OK), -1);
	strbuf_release(&path);
}

static void leftovers_of_killed_clones_are_removed(void **state)
{
	struct remote *remote = *state;
	struct strbuf path = { 0 }, own = { 0 }, other = { 0 }, fresh = { 0 };

	clone_place(&path, remote);
	clone_dir_remove(path.text);
	strbuf_addf(&own, "%s.tmp-killed", path.text);
	strbuf_addf(&other, "%s/repos/other-0123.git.tmp-killed", remote->cache);
	strbuf_addf(&fresh, "%s/repos/other-0123.git.tmp-alive", remote->cache);
	assert_int_equal(file_make_dirs(own.text, NULL), 0);
	assert_int_equal(file_make_dirs(other.text, NULL), 0);
	assert_int_equal(file_make_dirs(fresh.text, NULL), 0);
	make_old(other.text);
	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(access(own.text, F_OK), -1);
	assert_int_equal(access(other.text, F_OK), -1);
	assert_int_equal(access(fresh.text, F_OK), 0);
	strbuf_release(&path);
	strbuf_release(&own);
	strbuf_release(&other);
	strbuf_release(&fresh);
}

static void put_file(const char *dir, const char *name)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s/%s", dir, name);
	*strrchr(path.text, '/') = '\0';
	assert_int_equal(file_make_dirs(path.text, NULL), 0);
	path.text[strlen(path.text)] = '/'; /* restores the slash, which was replaced with a NUL */
	assert_int_equal(file_write_atomic(path.text, "", 0, NULL), 0);
	strbuf_release(&path);
}

static bool is_there(const char *dir, const char *name)
{
	struct strbuf path = { 0 };
	bool there;

	strbuf_addf(&path, "%s/%s", dir, name);
	there = !access(path.text, F_OK);
	strbuf_release(&path);
	return there;
}

static void pruning_removes_what_the_killed_left(void **state)
{
	static const char *const left[] = {
		"killed-01.git.tmp-abcdef/objects/pack/pack_git2_0123",
		"killed-01.git.lock",
		"killed-02.git.tmp-abcdef/HEAD",
		"failed-03.git.lock",
		"made-04.git/packed-refs.lock",
		"made-04.git/refs/heads/main.lock",
		"made-04.git/objects/pack/pack_git2_0123",
		"made-04.git/FETCH_HEAD",
		"made-04.git.lock",
	};
	static const char *const others[] = { "made-04.git/HEAD", "made-04.git/logs/FETCH_HEAD", "stray",
					      "stray.lock", "stray.tmp-abcdef" };
	struct remote *remote = *state;
	struct strbuf dir = { 0 };
	size_t i;

	strbuf_addf(&dir, "%s/repos", remote->cache);
	for (i = 0; i < sizeof(left) / sizeof(*left); i++)
		put_file(dir.text, left[i]);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		put_file(dir.text, others[i]);
	assert_int_equal(source_prune(remote->cache, false, &remote->fixture.err), 0);
	for (i = 0; i < sizeof(left) / sizeof(*left); i++)
		assert_false(is_there(dir.text, left[i]));
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_true(is_there(dir.text, others[i]));
	assert_false(is_there(dir.text, "killed-01.git.tmp-abcdef"));
	strbuf_release(&dir);
}

static void pruning_leaves_what_is_at_work(void **state)
{
	static const char *const files[] = { "alive-01.git.tmp-abcdef/HEAD", "alive-01.git/packed-refs.lock",
					     "alive-01.git.lock" };
	struct remote *remote = *state;
	struct source source = { .url = NULL };
	struct strbuf dir = { 0 }, clone = { 0 };
	struct clone_lock lock;
	size_t i;

	strbuf_addf(&dir, "%s/repos", remote->cache);
	strbuf_addf(&clone, "%s/alive-01.git", dir.text);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		put_file(dir.text, files[i]);
	assert_int_equal(clone_lock_acquire(&lock, clone.text, &source, &remote->fixture.err), 0);
	assert_true(lock.held);
	assert_int_equal(source_prune(remote->cache, false, &remote->fixture.err), 0);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++)
		assert_true(is_there(dir.text, files[i]));
	clone_lock_drop(&lock);
	assert_false(is_there(dir.text, "alive-01.git.lock"));
	strbuf_release(&clone);
	strbuf_release(&dir);
}

static void pruning_nothing_is_no_error(void **state)
{
	struct remote *remote = *state;

	assert_int_equal(source_prune(remote->cache, false, &remote->fixture.err), 0);
}

static void no_lock_is_left_behind(void **state)
{
	struct remote *remote = *state;
	struct strbuf path = { 0 };

	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(looks_for(remote, "1.1"), ERR_NOT_FOUND);
	clone_place(&path, remote);
	strbuf_adds(&path, ".lock");
	assert_int_equal(access(path.text, F_OK), -1);
	strbuf_release(&path);
}

static void a_killed_fetch_does_not_stop_the_next(void **state)
{
	struct remote *remote = *state;
	struct strbuf path = { 0 };

	clone_place(&path, remote);
	strbuf_adds(&path, "/packed-refs.lock");
	assert_int_equal(file_write_atomic(path.text, "", 0, NULL), 0);
	path.length -= strlen("/packed-refs.lock");
	strbuf_adds(&path, "/refs/heads/main.lock");
	assert_int_equal(file_write_atomic(path.text, "", 0, NULL), 0);
	fixture_version(&remote->fixture, "1.1");
	assert_int_equal(looks_for(remote, "1.1"), 0);
	strbuf_release(&path);
}

static void a_damaged_clone_says_what_to_remove(void **state)
{
	struct remote *remote = *state;
	struct strbuf path = { 0 };

	clone_place(&path, remote);
	strbuf_adds(&path, "/HEAD");
	unlink(path.text);
	assert_int_equal(looks_for(remote, "1.0"), ERR_GIT);
	assert_non_null(strstr(remote->fixture.err.text,
			       "is damaged; remove that directory to have it cloned again"));
	strbuf_release(&path);
}

/* A user who may write to @path could replace the clone with a different repository. */
static void refuses_what_others_may_write(struct remote *remote, const char *path)
{
	static const mode_t modes[] = { 0720, 0702 };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		assert_int_equal(looks_for(remote, "1.0"), ERR_IO);
		assert_non_null(strstr(remote->fixture.err.text, "others can write to it"));
		assert_non_null(strstr(remote->fixture.err.text, path));
	}
	assert_int_equal(chmod(path, 0700), 0);
	if (!geteuid()) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_int_equal(looks_for(remote, "1.0"), ERR_IO);
		assert_non_null(strstr(remote->fixture.err.text, "belongs to a different user"));
		assert_int_equal(chown(path, 0, 0), 0);
	}
	assert_int_equal(looks_for(remote, "1.0"), 0);
}

static void a_clone_that_somebody_else_may_have_planted_is_refused(void **state)
{
	struct remote *remote = *state;
	struct strbuf repos = { 0 }, clone = { 0 }, moved = { 0 };

	clone_place(&clone, remote);
	strbuf_addf(&repos, "%s/repos", remote->cache);
	refuses_what_others_may_write(remote, repos.text);
	refuses_what_others_may_write(remote, clone.text);
	strbuf_addf(&moved, "%s.moved", clone.text);
	assert_int_equal(rename(clone.text, moved.text), 0);
	assert_int_equal(symlink(moved.text, clone.text), 0);
	assert_int_equal(looks_for(remote, "1.0"), ERR_IO);
	assert_non_null(strstr(remote->fixture.err.text, "symbolic link"));
	strbuf_release(&repos);
	strbuf_release(&clone);
	strbuf_release(&moved);
}

static void pruning_leaves_a_directory_that_others_may_write_to(void **state)
{
	struct remote *remote = *state;
	struct strbuf repos = { 0 }, clone = { 0 };

	clone_place(&clone, remote);
	strbuf_addf(&repos, "%s/repos", remote->cache);
	assert_int_equal(chmod(repos.text, 0777), 0);
	assert_int_equal(source_prune(remote->cache, true, &remote->fixture.err), ERR_IO);
	assert_int_equal(access(clone.text, F_OK), 0);
	strbuf_release(&repos);
	strbuf_release(&clone);
}

static void a_clone_needs_a_cache(void **state)
{
	struct remote *remote = *state;
	struct source_options options = { .cache_dir = "/dev/null/none" };
	struct source *source;

	assert_int_equal(source_open(&source, remote->url, NULL, &remote->fixture.err), ERR_USAGE);
	assert_non_null(strstr(remote->fixture.err.text, "set XDG_CACHE_HOME or HOME"));
	assert_int_equal(source_open(&source, remote->url, &options, &remote->fixture.err), ERR_IO);
}

static void a_password_is_not_shown(void **state)
{
	struct remote *remote = *state;
	struct source *source;

	assert_int_equal(open_clone(&source, remote, "nonesuch://user:secret@example.org/driver"), ERR_GIT);
	assert_starts(remote->fixture.err.text, "cannot clone nonesuch://***@example.org/driver: ");
	assert_null(strstr(remote->fixture.err.text, "secret"));
}

static void a_password_is_not_sent_in_the_clear(void **state)
{
	struct remote *remote = *state;
	struct source *source;

	assert_int_equal(open_clone(&source, remote, "http://user:secret@example.invalid/driver"), ERR_USAGE);
	assert_starts(remote->fixture.err.text,
		      "http://***@example.invalid/driver would send a password or token unencrypted;");
	assert_int_equal(remote->connections, 0);
	assert_int_equal(access(remote->cache, F_OK), -1);
}

static void a_clone_does_not_write_its_url_down(void **state)
{
	struct remote *remote = *state;
	static const char *const files[] = { "FETCH_HEAD", "config", "packed-refs" };
	struct strbuf clone = { 0 }, path = { 0 }, text = { 0 };

	clone_place(&clone, remote);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		strbuf_reset(&path);
		strbuf_reset(&text);
		strbuf_addf(&path, "%s/%s", clone.text, files[i]);
		if (!file_read(&text, path.text, 10000, NULL))
			assert_null(strstr(strbuf_text(&text), remote->url));
	}
	strbuf_release(&text);
	strbuf_release(&path);
	strbuf_release(&clone);
}

static void a_url_is_no_version(void **state)
{
	struct remote *remote = *state;

	assert_int_equal(looks_for(remote, "https://user:secret@example.org/driver"), ERR_USAGE);
	assert_string_equal(
		remote->fixture.err.text,
		"https://***@example.org/driver is a URL, not a version; give a repository with --repo");
}

/* Both processes find the version. One of them waits for the clone of the other. */
static void two_processes_clone_at_once(void **state)
{
	struct remote *remote = *state;
	pid_t child[2];
	int status, i;

	for (i = 0; i < 2; i++) {
		child[i] = fork();
		assert_int_not_equal(child[i], -1);
		if (!child[i])
			_exit(looks_for(remote, "1.0") ? 1 : 0);
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(looks_for(remote, "1.0"), 0);
	assert_int_equal(remote->connections, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_url_is_cloned_once, with_remote, without),
		cmocka_unit_test_setup_teardown(a_clone_names_the_default_branch, with_remote, without),
		cmocka_unit_test_setup_teardown(a_version_that_is_lacking_is_fetched, with_remote, without),
		cmocka_unit_test_setup_teardown(one_run_fetches_once, with_remote, without),
		cmocka_unit_test_setup_teardown(a_new_clone_is_not_fetched_into, with_remote, without),
		cmocka_unit_test_setup_teardown(a_fetch_that_fails_says_for_what, with_remote, without),
		cmocka_unit_test_setup_teardown(a_clone_that_fails_leaves_no_clone, with_remote, without),
		cmocka_unit_test_setup_teardown(leftovers_of_killed_clones_are_removed, with_remote, without),
		cmocka_unit_test_setup_teardown(pruning_removes_what_the_killed_left, with_remote, without),
		cmocka_unit_test_setup_teardown(pruning_leaves_what_is_at_work, with_remote, without),
		cmocka_unit_test_setup_teardown(pruning_nothing_is_no_error, with_remote, without),
		cmocka_unit_test_setup_teardown(no_lock_is_left_behind, with_remote, without),
		cmocka_unit_test_setup_teardown(a_killed_fetch_does_not_stop_the_next, with_remote, without),
		cmocka_unit_test_setup_teardown(a_damaged_clone_says_what_to_remove, with_remote, without),
		cmocka_unit_test_setup_teardown(a_clone_that_somebody_else_may_have_planted_is_refused,
						with_remote, without),
		cmocka_unit_test_setup_teardown(pruning_leaves_a_directory_that_others_may_write_to,
						with_remote, without),
		cmocka_unit_test_setup_teardown(a_clone_needs_a_cache, with_remote, without),
		cmocka_unit_test_setup_teardown(a_password_is_not_shown, with_remote, without),
		cmocka_unit_test_setup_teardown(a_password_is_not_sent_in_the_clear, with_remote, without),
		cmocka_unit_test_setup_teardown(a_clone_does_not_write_its_url_down, with_remote, without),
		cmocka_unit_test_setup_teardown(a_url_is_no_version, with_remote, without),
		cmocka_unit_test_setup_teardown(two_processes_clone_at_once, with_remote, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
