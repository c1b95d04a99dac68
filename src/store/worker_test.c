/*
 * Tests the workers: each job is done once, a job that fails or kills its worker gets an error with the
 * reason, and a worker can do nothing but read the files that it may read.
 */
#include "store/internal.h"

#include "abi/document_test.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

enum { JOBS_MAX = 64 };

/* Jobs and their results. */
struct fixture {
	void (*misbehave)(void); /* what job @bad does */
	size_t bad;
	int rc[JOBS_MAX];
	char text[JOBS_MAX][1024]; /* the result, or the error message */
	unsigned done[JOBS_MAX];
};

static int job(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct fixture *fixture = data;

	if (index == fixture->bad && fixture->misbehave)
		fixture->misbehave();
	else if (index == fixture->bad)
		return err_set(err, ERR_PARSE, "job %zu has an error", index);
	strbuf_addf(out, "result %zu", index);
	return 0;
}

static void done(void *data, size_t index, int rc, struct view result, const struct err *err)
{
	struct fixture *fixture = data;

	fixture->done[index]++;
	fixture->rc[index] = rc;
	snprintf(fixture->text[index], sizeof(fixture->text[index]), "%.*s",
		 rc ? (int)sizeof(err->text) : (int)result.length, rc ? err->text : result.at);
}

static const char *name(void *data, size_t index)
{
	static char text[32];

	snprintf(text, sizeof(text), "v%zu", index);
	return text;
}

/* Runs one job in one worker. Return: its result. */
static const char *run_one(int (*work)(void *, size_t, struct strbuf *, struct err *),
			   const char *const *(*prepare)(void *))
{
	static char text[1024];
	const struct bounded_ops ops = { .work = work, .prepare = prepare, .subject = "v0" };
	struct arena arena = { 0 };
	struct byte_reader out;
	struct err err;

	assert_int_equal(bounded_ask(&out, &ops, &arena, &err), 0);
	snprintf(text, sizeof(text), "%.*s", (int)(out.end - out.at), (const char *)out.at);
	arena_release(&arena);
	return text;
}

static void run(struct fixture *fixture, size_t count, unsigned jobs)
{
	const struct bounded_ops ops = { .work = job, .done = done, .name = name, .data = fixture };
	struct err err = { "" };

	assert_int_equal(bounded_run(&ops, count, jobs, &err), 0);
	for (size_t i = 0; i < count; i++) {
		char expected[64];

		assert_int_equal(fixture->done[i], 1);
		snprintf(expected, sizeof(expected), "result %zu", i);
		if (i != fixture->bad)
			assert_string_equal(fixture->text[i], expected);
	}
}

TEST(every_job_is_done_once)
{
	for (unsigned jobs = 1; jobs < 5; jobs++)
		run(&(struct fixture){ .bad = SIZE_MAX }, 20, jobs);
}

static void crash(void)
{
	raise(SIGABRT);
}

static void leave(void)
{
	_exit(7);
}

static void run_out_of_memory(void)
{
	_exit(2); /* like xmalloc() */
}

static void use_up_processor_time(void)
{
	raise(SIGXCPU);
}

/* One of several jobs misbehaves or has an error, and gets an error message. The other jobs are done. */
static const struct {
	const char *fact;
	void (*misbehave)(void); /* NULL: the job returns an error */
	size_t bad, count;
	unsigned jobs;
	int rc;
	const char *text;
} failures[] = {
	{ "an error is one job's own", NULL, 3, 8, 2, ERR_PARSE, "job 3 has an error" },
	{ "a crash is one job's own", crash, 0, 5, 2, ERR_LIMIT,
	  "v0: the process that read its headers crashed (Aborted); is an expression or a type nested "
	  "thousands of times?" },
	{ "a worker that exits is reported with its status, 7 << 8", leave, 4, 5, 1, ERR_LIMIT,
	  "v4: the process that read its headers ended without an answer (status 1792)" },
	{ "a worker that ran out of memory is reported with its bound", run_out_of_memory, 0, 2, 1, ERR_LIMIT,
	  "v0: reading its headers takes more than 2048 MB of memory; DRVABI_PARSE_MB=N allows more" },
	{ "a worker that used up its processor time is reported with its bound",
	  use_up_processor_time, 1, 3, 2, ERR_LIMIT,
	  "v1: reading its headers takes more than 7 s of processor time; DRVABI_PARSE_SECONDS=N "
	  "allows more" },
};

TEST(a_failure_is_one_job_s_own)
{
	bool differs = false;

	setenv("DRVABI_PARSE_SECONDS", "7", 1);
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct fixture fixture = { .bad = failures[i].bad, .misbehave = failures[i].misbehave };
		struct strbuf out = { 0 };

		run(&fixture, failures[i].count, failures[i].jobs);
		strbuf_adds(&out, fixture.text[failures[i].bad]);
		differs |= text_differs(failures[i].fact, &out, failures[i].text);
		assert_int_equal(fixture.rc[failures[i].bad], failures[i].rc);
	}
	unsetenv("DRVABI_PARSE_SECONDS");
	assert_false(differs);
}

static void spin(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

static void wait_without_end(void)
{
	for (;;)
		sleep(1000);
}

/* The worker ends at the bound on processor time, or if it uses no processor time. */
TEST(work_without_end_ends)
{
	static const struct {
		void (*misbehave)(void);
		const char *message;
	} rows[] = {
		{ spin, "v1: reading its headers takes more than 1 s of processor time; DRVABI_PARSE_SECONDS=N "
			"allows more" },
		{ wait_without_end, "v1: reading its headers waited for more than 1 s; is one of the files a "
				    "FIFO, or on a disk that does not answer? DRVABI_PARSE_SECONDS=N allows more" },
	};

	setenv("DRVABI_PARSE_SECONDS", "1", 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct fixture fixture = { .bad = 1, .misbehave = rows[i].misbehave };

		run(&fixture, 3, 2);
		assert_int_equal(fixture.rc[1], ERR_LIMIT);
		assert_string_equal(fixture.text[1], rows[i].message);
	}
	unsetenv("DRVABI_PARSE_SECONDS");
}

static int tell_bound(void *data, size_t index, struct strbuf *out, struct err *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CPU, &limit))
		return err_set(err, ERR_IO, "no limit");
	strbuf_addf(out, "%llu", (unsigned long long)limit.rlim_cur);
	return 0;
}

/* The limit is one second more than requested, because the kernel counts whole seconds. */
TEST(a_worker_has_a_bound_on_processor_time)
{
	setenv("DRVABI_PARSE_SECONDS", "7", 1);
	assert_string_equal(run_one(tell_bound, NULL), "8");
	unsetenv("DRVABI_PARSE_SECONDS");
}

TEST(a_bound_that_is_not_a_number_is_refused)
{
	struct fixture fixture = { .bad = SIZE_MAX };
	const struct bounded_ops ops = { .work = job, .done = done, .name = name, .data = &fixture };
	static const char *const bad[] = { "0", "63", "-1", "1x", " 1", "99999999999999999999" };
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		setenv("DRVABI_PARSE_MB", bad[i], 1);
		assert_int_equal(bounded_run(&ops, 1, 1, &err), ERR_USAGE);
	}
	unsetenv("DRVABI_PARSE_MB");
}

static char victim[] = "/tmp/drvabi-bounded-test.XXXXXX";

/*
 * Tries the actions of a hostile worker, and appends the names of those that succeed. Some actions use the
 * file @victim.
 */
static int try_calls(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct {
		const char *name;
		bool is_done;
	} calls[] = {
		{ "read", open(victim, O_RDONLY) >= 0 },
		{ "open", open(victim, O_WRONLY) >= 0 || open(victim, O_RDWR) >= 0 },
		{ "truncate", open(victim, O_RDONLY | O_TRUNC) >= 0 || !truncate(victim, 0) },
		{ "create", open("/tmp", O_TMPFILE | O_RDWR, 0600) >= 0 || creat(victim, 0600) >= 0 },
		{ "chmod", !chmod(victim, 0777) },
		{ "chown", !chown(victim, getuid(), getgid()) },
		{ "link", !symlink("/", "/tmp/drvabi-bounded-test.link") ||
				  !link(victim, "/tmp/drvabi-bounded-test.link") },
		{ "mkdir", !mkdir("/tmp/drvabi-bounded-test.dir", 0700) },
		{ "rename", !rename(victim, victim) },
		{ "remove", !unlink(victim) },
		{ "socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0 },
		{ "kill", !kill(getppid(), 0) },
		{ "signal", !fcntl(STDIN_FILENO, F_SETOWN, getppid()) },
		{ "limit", !prlimit(getppid(), RLIMIT_CORE, &(struct rlimit){ 0, 0 }, NULL) },
		{ "code",
		  mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED },
		{ "ioctl", !ioctl(STDIN_FILENO, FIOCLEX) },
		{ "fork", fork() >= 0 },
		{ "exec", execl("/bin/true", "true", (char *)NULL) >= 0 },
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].is_done)
			strbuf_addf(out, "%s ", calls[i].name);
	return 0;
}

/* The function of a thread. Workers need threads, because libclang parses in a thread. */
static void *be_a_thread(void *data)
{
	return data;
}

static int use_threads(void *data, size_t index, struct strbuf *out, struct err *err)
{
	pthread_t thread;

	strbuf_adds(out, !pthread_create(&thread, NULL, be_a_thread, NULL) && !pthread_join(thread, NULL)
				 ? "threads"
				 : "");
	return 0;
}

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define HAS_FILTER 0 /* see worker.c */
#else
#define HAS_FILTER 1
#endif

TEST(a_worker_may_read_and_nothing_else)
{
	int fd;

	if (!HAS_FILTER) { /* skip() of cmocka 1.1.7 is "not ok # SKIP", which prove counts as a failure */
		print_message("# no filter under the sanitizers: not tried\n");
		return;
	}
	fd = mkstemp(victim);
	assert_true(fd >= 0);
	assert_string_equal(run_one(try_calls, NULL), "read ");
	close(fd);
	unlink(victim);
	assert_string_equal(run_one(use_threads, NULL), "threads");
}

static char kept_dir[] = "/tmp/drvabi-bounded-test.XXXXXX";

static int open_files(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const char *const paths[] = { "kept/file", "kept/link", "kept/../other", "other", "/etc/passwd",
				      "kept",	   "." };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (open(paths[i], O_RDONLY) >= 0)
			strbuf_addf(out, "%s ", paths[i]);
	return 0;
}

static bool kernel_has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

static const char *const *list_readable(void *data)
{
	static const char *const readable[] = { "absent", "kept", NULL };

	return readable;
}

TEST(a_worker_reads_only_readable_files)
{
	const int before = open(".", O_RDONLY | O_DIRECTORY);

	if (!HAS_FILTER || !kernel_has_landlock()) {
		print_message("# no Landlock here: not tried\n");
		return;
	}
	assert_non_null(mkdtemp(kept_dir));
	assert_int_equal(chdir(kept_dir), 0);
	assert_int_equal(mkdir("kept", 0700), 0);
	close(creat("kept/file", 0600));
	close(creat("other", 0600));
	assert_int_equal(symlink("../other", "kept/link"), 0);
	assert_string_equal(run_one(open_files, list_readable), "kept/file kept ");
	unlink("kept/file");
	unlink("kept/link");
	unlink("other");
	rmdir("kept");
	assert_int_equal(fchdir(before), 0);
	rmdir(kept_dir);
	close(before);
}

static int large_job(void *data, size_t index, struct strbuf *out, struct err *err)
{
	for (size_t i = 0; i < 3000000; i++)
		strbuf_addch(out, (char)(i * 7 + index));
	return 0;
}

static void check_large(void *data, size_t index, int rc, struct view result, const struct err *err)
{
	assert_int_equal(rc, 0);
	assert_int_equal(result.length, 3000000);
	for (size_t i = 0; i < result.length; i++)
		if (result.at[i] != (char)(i * 7 + index))
			fail();
	++*(unsigned *)data;
}

TEST(a_large_result_is_complete)
{
	unsigned count = 0;
	const struct bounded_ops ops = {
		.work = large_job, .done = check_large, .name = name, .data = &count
	};
	struct err err;

	assert_int_equal(bounded_run(&ops, 6, 3, &err), 0);
	assert_int_equal(count, 6);
}
