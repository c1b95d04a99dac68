/*
 * Tests clones of URLs: when drvabi connects, what killed processes leave, who may write to a clone, and
 * messages without passwords.
 */
#include "source/fixture_test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

const char *__lsan_default_suppressions(void);

/* libgit2 1.5 leaks memory for each line of configuration that is not a url.<base>.insteadOf. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2\n";
}

/* The URL of `fixture`, which has the version 1.0, and a directory for clones of it. */
static const char *url, *cache, *repos;
static unsigned connections; /* how many connections the progress of all sources reported */
static unsigned received;    /* how many objects the progress reported as received */

static void count_progress(void *data, const char *what, size_t done, size_t total)
{
	if (!strcmp(what, "connecting"))
		connections++;
	if (!strcmp(what, "receiving objects") && done)
		received++;
}

static int with_remote(void **state)
{
	begin_test(state);
	fixture_history(&fixture, "main:1.0");
	url = arena_printf(&arena, "file://%s", fixture.path);
	cache = in(fixture.dir, "cache");
	repos = in(cache, "repos");
	connections = received = 0;
	return 0;
}

static int open_clone(struct source **out, const char *of)
{
	struct source_options options = { .cache_dir = cache, .progress = count_progress };

	return source_open(out, of, &options, &fixture.err);
}

static int has_version(struct source *source, const char *version)
{
	struct tree *tree = NULL;
	int rc = source_tree(&tree, source, version, &fixture.err);

	if (rc == ERR_NOT_FOUND && !(rc = source_fetch(source, &fixture.err)))
		rc = source_tree(&tree, source, version, &fixture.err);
	tree_free(tree);
	return rc;
}

/* Opens the clone and looks up one version in it. */
static int looks_for(const char *version)
{
	struct source *source;
	int rc = open_clone(&source, url);

	if (rc)
		return rc;
	rc = has_version(source, version);
	source_free(source);
	return rc;
}

/* Makes the clone if it does not exist. Return: its path. */
static const char *clone_path(void)
{
	struct source *source;
	const char *path;

	assert_int_equal(open_clone(&source, url), 0);
	path = arena_strdup(&arena, source->path);
	source_free(source);
	return path;
}

static bool exists(const char *path)
{
	return !access(path, F_OK);
}

static void assert_says(const char *part)
{
	if (!strstr(fixture.err.text, part))
		fail_msg("\"%s\" does not have \"%s\"", fixture.err.text, part);
}

/* Looks up 1.0, which must fail with a message that has @part. */
static void assert_fails(int rc, const char *part)
{
	assert_int_equal(looks_for("1.0"), rc);
	assert_says(part);
}

/* Checks the beginning of the message: @words, followed by the URL. */
static void assert_begins(const char *words)
{
	assert_starts(fixture.err.text, arena_printf(&arena, "%s%s", words, url));
}

/*
 * Versions that are looked up, each in a new source, and "+1.1", which adds a version to the repository. Each
 * lookup reports whether the version was found, and how drvabi connected.
 */
static const struct {
	const char *fact, *versions, *expected;
} lookups[] = {
	{ "a URL is cloned once", "1.0 1.0 main",
	  "1.0 found, connected once, received; 1.0 found; main found; " },
	{ "a version that the clone does not have is fetched", "1.0 +1.1 1.1 1.1",
	  "1.0 found, connected once, received; 1.1 found, connected once, received; 1.1 found; " },
	{ "a new clone is not fetched into", "1.7", "1.7 not found, connected once, received; " },
};

TEST(a_clone_connects_only_for_missing_versions)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(lookups) / sizeof(*lookups); i++) {
		const char *versions = lookups[i].versions, *version;
		struct strbuf out = { 0 };

		with_remote(state);
		while (*(version = document_word(&versions, &arena))) {
			const unsigned connected = connections, objects = received;
			int rc;

			if (*version == '+') {
				fixture_version(&fixture, "main", version + 1);
				continue;
			}
			rc = looks_for(version);
			strbuf_addf(&out, "%s %s%s%s; ", version,
				    !rc ? "found" : rc == ERR_NOT_FOUND ? "not found" : "error",
				    connections == connected + 1 ? ", connected once" :
				    connections > connected      ? ", connected again" : "",
				    received > objects ? ", received" : "");
		}
		differs |= text_differs(lookups[i].fact, &out, lookups[i].expected);
		end_test(state);
	}
	assert_false(differs);
}

#define CLONE_TEST(name) TEST_WITH(name, with_remote, end_test)

CLONE_TEST(a_clone_names_the_default_branch)
{
	assert_int_equal(git_repository_set_head(fixture.repo, "refs/heads/main"), 0);
	assert_int_equal(looks_for("HEAD"), 0);
	assert_int_equal(looks_for(git_oid_tostr((char[41]){ 0 }, 41, &fixture.commit)), 0);
}

CLONE_TEST(one_run_fetches_once)
{
	struct source *source;

	assert_int_equal(looks_for("1.0"), 0);
	assert_int_equal(open_clone(&source, url), 0);
	assert_int_equal(has_version(source, "1.7"), ERR_NOT_FOUND);
	assert_int_equal(has_version(source, "1.8"), ERR_NOT_FOUND);
	assert_int_equal(connections, 2);
	assert_begins("no version 1.8 in ");
	assert_string_equal(strchr(fixture.err.text, ';'), "; nearest: 1.0");
	source_free(source);
}

CLONE_TEST(a_fetch_can_fail)
{
	assert_int_equal(looks_for("1.0"), 0);
	clone_dir_remove(fixture.path);
	assert_int_equal(looks_for("1.0"), 0);
	assert_int_equal(looks_for("1.1"), ERR_GIT);
	assert_begins("cannot fetch from ");
}

CLONE_TEST(a_clone_that_fails_leaves_no_clone)
{
	const char *path = clone_path();
	struct source *source;

	clone_dir_remove(path);
	clone_dir_remove(fixture.path);
	assert_int_equal(open_clone(&source, url), ERR_GIT);
	assert_begins("cannot clone ");
	assert_false(exists(path));
}

CLONE_TEST(leftovers_of_killed_clones_are_removed)
{
	const char *path = clone_path(), *own = arena_printf(&arena, "%s.tmp-killed", path);
	const char *other = in(repos, "other-0123.git.tmp-killed");
	const char *fresh = in(repos, "alive-0123.git.tmp-alive");
	const struct timespec old = { .tv_sec = time(NULL) - 2 * 24 * 60 * 60 };
	struct source source = { .url = NULL };
	struct clone_lock lock;

	clone_dir_remove(path);
	assert_int_equal(file_make_dirs(own, NULL), 0);
	assert_int_equal(file_make_dirs(other, NULL), 0);
	assert_int_equal(file_make_dirs(fresh, NULL), 0);
	assert_int_equal(utimensat(AT_FDCWD, other, (struct timespec[2]){ old, old }, 0), 0);
	assert_int_equal(clone_lock_acquire(&lock, in(repos, "alive-0123.git"), &source, &fixture.err), 0);
	assert_int_equal(looks_for("1.0"), 0);
	clone_lock_drop(&lock);
	assert_false(exists(own));
	assert_false(exists(other));
	assert_true(exists(fresh));
}

/* The child dies while the parent waits for it. */
CLONE_TEST(leftovers_of_a_clone_that_was_waited_for_are_removed)
{
	const char *path = clone_path(), *own = arena_printf(&arena, "%s.tmp-killed", path);
	struct source source = { .url = NULL };
	struct clone_lock lock;
	int status;
	pid_t child;

	clone_dir_remove(path);
	child = fork();
	assert_int_not_equal(child, -1);
	if (!child) {
		if (!clone_lock_acquire(&lock, path, &source, NULL) && !file_make_dirs(own, NULL))
			usleep(500000);
		_exit(0); /* without clone_lock_drop() */
	}
	while (!exists(own) && !waitpid(child, &status, WNOHANG))
		usleep(1000);
	assert_int_equal(looks_for("1.0"), 0);
	assert_false(exists(own));
	waitpid(child, &status, 0);
}

/* Files under the directory of all clones, and whether pruning leaves them. Another process uses "alive". */
static const struct {
	const char *name;
	bool stays;
} prunes[] = {
	{ "killed-01.git.tmp-abcdef/objects/pack/pack_git2_0123", false },
	{ "killed-01.git.lock", false },
	{ "killed-02.git.tmp-abcdef/HEAD", false },
	{ "failed-03.git.lock", false },
	{ "made-04.git/packed-refs.lock", false },
	{ "made-04.git/refs/heads/main.lock", false },
	{ "made-04.git/objects/pack/pack_git2_0123", false },
	{ "made-04.git/FETCH_HEAD", false },
	{ "made-04.git.lock", false },
	{ "made-04.git/HEAD", true },
	{ "made-04.git/logs/FETCH_HEAD", true },
	{ "stray", true },
	{ "stray.lock", true },
	{ "stray.tmp-abcdef", true },
	{ "alive-01.git.tmp-abcdef/HEAD", true },
	{ "alive-01.git/packed-refs.lock", true },
	{ "alive-01.git.lock", true },
};

CLONE_TEST(pruning_removes_files_of_killed_processes)
{
	struct source source = { .url = NULL };
	struct clone_lock lock;

	assert_int_equal(source_prune(cache, false, &fixture.err), 0); /* the directory does not exist */
	for (size_t i = 0; i < sizeof(prunes) / sizeof(*prunes); i++)
		write_file(in(repos, prunes[i].name), "");
	assert_int_equal(clone_lock_acquire(&lock, in(repos, "alive-01.git"), &source, &fixture.err), 0);
	assert_true(lock.held);
	assert_int_equal(source_prune(cache, false, &fixture.err), 0);
	for (size_t i = 0; i < sizeof(prunes) / sizeof(*prunes); i++)
		if (exists(in(repos, prunes[i].name)) != prunes[i].stays)
			fail_msg("%s", prunes[i].name);
	assert_false(exists(in(repos, "killed-01.git.tmp-abcdef")));
	clone_lock_drop(&lock);
	assert_false(exists(in(repos, "alive-01.git.lock")));
}

CLONE_TEST(no_lock_is_left_behind)
{
	assert_int_equal(looks_for("1.0"), 0);
	assert_int_equal(looks_for("1.1"), ERR_NOT_FOUND);
	assert_false(exists(arena_printf(&arena, "%s.lock", clone_path())));
}

CLONE_TEST(a_killed_fetch_does_not_stop_the_next)
{
	const char *path = clone_path();

	write_file(in(path, "packed-refs.lock"), "");
	write_file(in(path, "refs/heads/main.lock"), "");
	fixture_version(&fixture, "main", "1.1");
	assert_int_equal(looks_for("1.1"), 0);
}

CLONE_TEST(a_damaged_clone_says_what_to_remove)
{
	unlink(in(clone_path(), "HEAD"));
	assert_fails(ERR_GIT, "is damaged; remove that directory to have it cloned again");
}

/* A user who may write to @path could replace the clone with a different repository. */
static void refuses_what_others_may_write(const char *path)
{
	static const mode_t modes[] = { 0720, 0702 };

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		assert_fails(ERR_IO, "others can write to it");
		assert_says(path);
	}
	assert_int_equal(chmod(path, 0700), 0);
	if (!geteuid()) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_fails(ERR_IO, "belongs to a different user");
		assert_int_equal(chown(path, 0, 0), 0);
	}
	assert_int_equal(looks_for("1.0"), 0);
}

CLONE_TEST(a_clone_that_another_user_may_have_made_is_refused)
{
	const char *clone = clone_path(), *moved = arena_printf(&arena, "%s.moved", clone);

	refuses_what_others_may_write(repos);
	refuses_what_others_may_write(clone);
	assert_int_equal(rename(clone, moved), 0);
	assert_int_equal(symlink(moved, clone), 0);
	assert_fails(ERR_IO, "symbolic link");
}

CLONE_TEST(pruning_leaves_a_directory_that_others_may_write_to)
{
	const char *clone = clone_path();

	assert_int_equal(chmod(repos, 0777), 0);
	assert_int_equal(source_prune(cache, true, &fixture.err), ERR_IO);
	assert_true(exists(clone));
}

CLONE_TEST(a_clone_needs_a_cache)
{
	struct source_options options = { .cache_dir = "/dev/null/none" };
	struct source *source;

	assert_int_equal(source_open(&source, url, NULL, &fixture.err), ERR_USAGE);
	assert_says("set XDG_CACHE_HOME or HOME");
	assert_int_equal(source_open(&source, url, &options, &fixture.err), ERR_IO);
}

CLONE_TEST(a_password_is_not_shown_or_sent_in_the_clear)
{
	struct source *source;

	assert_int_equal(open_clone(&source, "http://user:secret@example.invalid/driver"), ERR_USAGE);
	assert_starts(fixture.err.text,
		      "http://***@example.invalid/driver would send a password or token unencrypted;");
	assert_int_equal(connections, 0);
	assert_false(exists(cache));
	assert_int_equal(open_clone(&source, "nonesuch://user:secret@example.org/driver"), ERR_GIT);
	assert_starts(fixture.err.text, "cannot clone nonesuch://***@example.org/driver: ");
	assert_null(strstr(fixture.err.text, "secret"));
	assert_int_equal(looks_for("https://user:secret@example.org/driver"), ERR_USAGE);
	assert_string_equal(
		fixture.err.text,
		"https://***@example.org/driver is a URL, not a version; give a repository with --repo");
}

CLONE_TEST(a_clone_does_not_write_its_url_down)
{
	static const char *const files[] = { "FETCH_HEAD", "config", "packed-refs" };
	const char *clone = clone_path();

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct strbuf text = { 0 };

		if (!file_read(&text, in(clone, files[i]), 10000, NULL))
			assert_null(strstr(strbuf_text(&text), url));
		strbuf_release(&text);
	}
}

/* Both processes find the version. One of them waits for the clone of the other. */
CLONE_TEST(two_processes_clone_at_once)
{
	pid_t child[2];
	int status;

	for (int i = 0; i < 2; i++) {
		child[i] = fork();
		assert_int_not_equal(child[i], -1);
		if (!child[i])
			_exit(looks_for("1.0") ? 1 : 0);
	}
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(looks_for("1.0"), 0);
	assert_int_equal(connections, 0);
}
