/*
 * Tests the recorder whose library is preloaded into the workload.
 *
 * The test program is also the workload: if it is run with a mode as its argument, it makes ioctls on a file
 * that looks like a device. The kernel refuses these ioctls with ENOTTY. The library is that of the build
 * directory.
 */
#include "sniff/sniff.h"
#include "abi/document_test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, CALLS = 500 };

struct parameters {
	uint32_t words[4];
};

#define REQUEST _IOWR('F', 0x29, struct parameters)

/* --- the workload ------------------------------------------------------------------------- */

static int device(void)
{
	return memfd_create("drvabi:/dev/nvidiactl", 0);
}

/* Makes an ioctl, and ends the program if errno is not ENOTTY. */
static void call(int fd, uint32_t word)
{
	struct parameters parameters = { { word, 2, 3, 4 } };

	errno = 77;
	if (ioctl(fd, REQUEST, &parameters) != -1 || errno != ENOTTY)
		_exit(3);
}

static void *call_often(void *fd)
{
	for (int i = 0; i < CALLS; i++)
		call(*(int *)fd, (uint32_t)i);
	return NULL;
}

static void threads(int fd)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, call_often, &fd);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* Starts a grandchild that outlives the command. */
static void leave(int fd)
{
	if (fork())
		return;
	usleep(100000);
	call(fd, 9);
	_exit(0);
}

static int handled;

static void on_alarm(int signal_number)
{
	(void)signal_number;
	call(handled, 8);
}

static void alarms(int fd)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };

	handled = fd;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	call_often(&fd);
	setitimer(ITIMER_REAL, &never, NULL);
}

/*
 * Makes a call with a pointer. With drm's type, its number has a different direction than the driver's:
 * drm_ioctl() compares only type and nr.
 */
static void call_with_pointer(int fd, char type)
{
	uint32_t target[2] = { 5, 6 };
	uint64_t parameters[2] = { (uintptr_t)target, 2 };

	if (ioctl(fd, _IOC(_IOC_READ, type, 0x41, sizeof(parameters)), parameters) != -1 || errno != ENOTTY)
		_exit(3);
}

/* Returns the number of pages of this process that are in memory. */
static long resident_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	long pages = 0;

	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		_exit(3);
	fclose(file);
	return pages;
}

/* Makes calls on devices of other drivers, which have the same descriptor one after the other. */
static bool search_takes_no_memory(void)
{
	enum { OPENS = 4000 };
	const long before = resident_pages();

	for (int i = 0; i < OPENS; i++) {
		const int fd = open(i % 2 ? "/dev/zero" : "/dev/full", O_RDWR | O_CLOEXEC);

		call(fd, 1);
		close(fd);
	}
	return resident_pages() - before < OPENS / 4;
}

static int workload(const char *mode)
{
	const int fd = device(), file = memfd_create("file", 0);

	if (!strcmp(mode, "once"))
		call(fd, 1);
	else if (!strcmp(mode, "bad"))
		return ioctl(fd, REQUEST, (void *)8) != -1 || errno != ENOTTY;
	else if (!strcmp(mode, "drm"))
		call_with_pointer(memfd_create("drvabi:/dev/dri/card0", 0), 'd');
	else if (!strcmp(mode, "other"))
		call_with_pointer(memfd_create("drvabi:/dev/other", 0), 'o');
	else if (!strcmp(mode, "others"))
		return (ioctl(file, REQUEST, NULL) != -1) + isatty(fd) +
		       (ioctl(-1, REQUEST, NULL) != -1 || errno != EBADF);
	else if (!strcmp(mode, "search"))
		return !search_takes_no_memory();
	else if (!strcmp(mode, "threads"))
		threads(fd);
	else if (!strcmp(mode, "leave"))
		leave(fd);
	else if (!strcmp(mode, "alarms"))
		alarms(fd);
	else if (!strcmp(mode, "killed")) {
		call_often(&(int){ fd });
		raise(SIGKILL);
	} else if (!strcmp(mode, "on")) {
		for (;;)
			call(fd, 1);
	}
	return 0;
}

/* --- the recorder ----------------------------------------------------------------------------- */

struct heard {
	int ioctls, opens, end_after;
	size_t target_bytes; /* recorded at the only pointer of a call */
	bool is_threaded; /* other threads than the main thread make the calls */
	struct strbuf stream, text; /* @text: wrong messages, calls without bytes, and notes */
	uint32_t words[CALLS + 10]; /* number of calls with each word */
};

static void started(void *data)
{
	(void)data;
}

static void bytes(void *data, const void *bytes_, size_t size_bytes)
{
	struct heard *heard = data;

	strbuf_add(&heard->stream, bytes_, size_bytes);
}

static bool message(void *data, const struct trace_message *got, const struct call *chain, size_t chain_count)
{
	struct heard *heard = data;
	struct parameters parameters = { .words = { 0 } };
	const uint32_t *word = parameters.words;

	(void)chain, (void)chain_count;
	if (got->kind == TRACE_OPEN) {
		heard->opens++;
		return true;
	}
	heard->target_bytes += got->memory_count == 1 ? got->memory[0].before.size_bytes : 0;
	if (got->before.size_bytes == sizeof(parameters))
		memcpy(&parameters, got->before.bytes, sizeof(parameters));
	if (got->request != REQUEST || got->ret != -1 || got->error != ENOTTY || !got->pid || !got->tid ||
	    (got->pid == got->tid) == heard->is_threaded)
		strbuf_adds(&heard->text, "\nthe message differs");
	if (!got->before.bytes && !got->after.bytes)
		strbuf_addf(&heard->text, "\nno bytes at 0x%llx", (unsigned long long)got->argument);
	else if (word[0] < CALLS + 10 && word[1] == 2 && word[2] == 3 && word[3] == 4)
		heard->words[word[0]]++;
	else
		strbuf_adds(&heard->text, "\nthe bytes differ");
	return ++heard->ioctls != heard->end_after;
}

static void note(void *data, const char *sentence)
{
	struct heard *heard = data;

	strbuf_addf(&heard->text, "\n%s", sentence);
}

static const struct device_rule device_list[] = { { .path = "/dev/nvidia*", .family = "frontend" },
						  { .path = "/dev/dri/card#", .family = "drm" },
						  { .path = "/dev/other", .family = "other" } };
static const struct device_rules devices = { .rules = device_list, .count = 3 };
static const struct pointer_rule pointer = { .record = "P", .path = "p", .count = "n", .element = "NvU32" };
static const struct pointer_rules pointers = { &pointer, 1 };
static const struct abi *document; /* NULL: no pointer is followed */

static char self[1024], library[1100];

static int preload(struct sniff_result *result, struct heard *heard, const char *with,
		   const char *const *command, struct err *err)
{
	char asan[] = "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0", none[] = "LD_PRELOAD=";
	char *environment[] = { asan, none, none, NULL }; /* a variable can be there twice */
	const struct sniff_options options = { .library = with,
					       .command = command,
					       .environment = environment,
					       .abi = document,
					       .pointers = &pointers,
					       .devices = &devices,
					       .region_bytes = 1024 };
	const struct sniff_observer observer = {
		.started = started, .bytes = bytes, .message = message, .loss = note, .data = heard
	};

	return preload_run(result, &options, &observer, err);
}

static struct sniff_result record(struct heard *heard, const char *mode)
{
	const char *const command[] = { self, mode, NULL };
	struct sniff_result result = { 0 };
	struct err err = { "" };

	assert_int_equal(preload(&result, heard, library, command, &err), 0);
	return result;
}

static int messages_in(const struct strbuf *stream)
{
	const uint8_t *first = (const uint8_t *)stream->text;
	struct trace_reader *reader = trace_reader_new(-1, "t", first, stream->length);
	struct trace_message got;
	int count = 0;

	while (trace_next(&got, reader, NULL) == 1)
		count++;
	trace_reader_free(reader);
	return count;
}

/* Writes the result, the number of ioctls, and "FIRST-LAST*COUNT" for words that COUNT calls have. */
static void recorded(struct strbuf *out, const struct heard *heard, const struct sniff_result *result)
{
	const int status = result->status;

	strbuf_adds(out, result->was_ended ? "ended, " : "");
	strbuf_addf(out, "%s %d: %d ioctls", WIFSIGNALED(status) ? "signal" : "exit",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), heard->ioctls);
	for (size_t i = 0, last; i < CALLS + 10; i = last + 1) {
		for (last = i; last + 1 < CALLS + 10 && heard->words[last + 1] == heard->words[i]; last++)
			;
		if (heard->words[i])
			strbuf_addf(out, " %zu-%zu*%u", i, last, heard->words[i]);
	}
	strbuf_adds(out, strbuf_text(&heard->text));
}

TEST(calls_are_recorded)
{
	static const struct {
		const char *fact, *mode, *expected;
		bool is_threaded;
		int end_after;
	} rows[] = {
		{ "a call is recorded with its bytes", "once", "exit 0: 1 ioctls 1-1*1", false, 0 },
		{ "each thread's calls are recorded once", "threads",
		  "exit 0: 4000 ioctls 0-499*8", true, 0 },
		{ "a bad pointer is recorded without bytes", "bad",
		  "exit 0: 1 ioctls\nno bytes at 0x8", false, 0 },
		{ "other descriptors and requests are passed on", "others",
		  "exit 0: 0 ioctls", false, 0 },
		{ "calls on devices of other drivers take no memory", "search",
		  "exit 0: 0 ioctls", false, 0 },
		{ "the recorder waits for processes that outlive the command", "leave",
		  "exit 0: 1 ioctls 9-9*1", false, 0 },
		{ "the calls of a killed process are recorded", "killed",
		  "signal 9: 500 ioctls 0-499*1", false, 0 },
		{ "the observer may end the workload", "on",
		  "ended, signal 9: 10 ioctls 1-1*10", false, 10 },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct heard heard = { .end_after = rows[i].end_after, .is_threaded = rows[i].is_threaded };
		const struct sniff_result result = record(&heard, rows[i].mode);
		struct strbuf got = { 0 };

		recorded(&got, &heard, &result);
		failed += text_differs(rows[i].fact, &got, rows[i].expected);
		assert_true(heard.opens == (heard.ioctls > 0) ||
			    (heard.is_threaded && heard.opens > 0 && heard.opens <= THREADS));
		if (!rows[i].end_after) /* the stream is a trace of the messages */
			assert_int_equal(messages_in(&heard.stream), heard.ioctls + heard.opens);
		strbuf_release(&heard.stream);
		strbuf_release(&heard.text);
	}
	assert_int_equal(failed, 0);
}

/* Linux compares only type and nr of drm's numbers. A family can be that of any driver. */
TEST(the_pointers_of_a_call_are_followed)
{
	static const char *const documents[] = {
		"ioctl other/ONE 0x80106f41 P struct P 16 { NvP64 p@0 pointer; NvU64 n@8 }",
		"ioctl drm/ONE 0x40106441 P struct P 16 { NvP64 p@0 pointer; NvU64 n@8 }",
		/* By type and nr, ONE is after TWO. */
		("ioctl drm/ONE 0x40106441 P ioctl drm/TWO 0x80106440 Q ioctl drm/THREE 0x80106442 Q "
		 "struct P 16 { NvP64 p@0 pointer; NvU64 n@8 } struct Q 16 { NvU64 a@0; NvU64 b@8 }"),
	};

	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		struct arena arena = { 0 };
		struct abi_builder *doc = document_new(&arena);
		struct heard heard = { 0 };

		document_put(doc, documents[i], &arena);
		document = document_seal(doc, "1.0", &arena);
		assert_int_equal(record(&heard, i ? "drm" : "other").status, 0);
		assert_int_equal(heard.ioctls, 1);
		assert_int_equal(heard.target_bytes, 8);
		document = NULL;
		abi_builder_free(doc);
		arena_release(&arena);
		strbuf_release(&heard.stream);
		strbuf_release(&heard.text);
	}
}

/*
 * A call that a signal handler makes during a call is recorded separately. Only a call that interrupts
 * channel_append() is lost, and it is counted.
 */
TEST(calls_of_a_handler_do_not_spoil_the_interrupted_call)
{
	struct heard heard = { 0 };
	int lost = 0;

	assert_int_equal(record(&heard, "alarms").status, 0);
	if (heard.text.length)
		assert_int_equal(sscanf(strbuf_text(&heard.text), "\n%d call", &lost), 1);
	assert_true(heard.ioctls >= CALLS - lost);
	for (int i = 10; i < CALLS; i++)
		assert_true(heard.words[i] == 1 || lost);
	strbuf_release(&heard.stream);
	strbuf_release(&heard.text);
}

TEST(a_command_or_a_library_that_does_not_exist_is_reported)
{
	static const char *const command[] = { "/nowhere/to/be/found", NULL };
	struct heard heard = { 0 };
	struct sniff_result result;
	struct err err;

	assert_int_equal(preload(&result, &heard, library, command, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "cannot run /nowhere/to/be/found: No such file or directory");
	assert_int_equal(preload(&result, &heard, "/nowhere/lib.so", command, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "cannot preload /nowhere/lib.so: No such file or directory");
}

static int find_library(void **state)
{
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || !strstr(self, "/test/sniff/preload"))
		return -1;
	snprintf(library, sizeof(library), "%.*s/libdrvabi-preload.so",
		 (int)(strstr(self, "/test/sniff/preload") - self), self);
	return 0;
}

TEST_PROGRAM(find_library, NULL, workload)
