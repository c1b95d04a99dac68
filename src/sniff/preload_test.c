/*
 * The test program is also the workload: if it is run with a mode as its argument, it makes ioctls on a file
 * that looks like a device. The kernel refuses these ioctls with ENOTTY. The library is that of the build
 * directory.
 */
#include "sniff/sniff.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

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

static int workload(const char *mode)
{
	const int fd = device(), file = memfd_create("file", 0);

	if (!strcmp(mode, "once"))
		call(fd, 1);
	else if (!strcmp(mode, "bad"))
		return ioctl(fd, REQUEST, (void *)8) != -1 || errno != ENOTTY;
	else if (!strcmp(mode, "others"))
		return (ioctl(file, REQUEST, NULL) != -1) + isatty(fd) +
		       (ioctl(-1, REQUEST, NULL) != -1 || errno != EBADF);
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
	int ioctls, opens, notes, end_after;
	struct strbuf stream;
	struct trace_message last;
	uint8_t before[16];
	uint32_t words[CALLS + 10]; /* number of calls with each word */
	char note[256];
};

static void started(void *data)
{
	(void)data;
}

static bool bytes(void *data, const void *bytes_, size_t size_bytes)
{
	struct heard *heard = data;

	strbuf_add(&heard->stream, bytes_, size_bytes);
	return true;
}

static bool message(void *data, const struct trace_message *got)
{
	struct heard *heard = data;
	uint32_t word;

	if (got->kind == TRACE_OPEN) {
		heard->opens++;
		return true;
	}
	heard->last = *got;
	if (got->before.size_bytes >= sizeof(heard->before)) {
		memcpy(heard->before, got->before.bytes, sizeof(heard->before));
		memcpy(&word, heard->before, sizeof(word));
		heard->words[word]++;
	}
	return ++heard->ioctls != heard->end_after;
}

static void note(void *data, const char *sentence)
{
	struct heard *heard = data;

	heard->notes++;
	snprintf(heard->note, sizeof(heard->note), "%s", sentence);
}

static const struct device_rule device_list[] = { { .path = "/dev/nvidia*", .family = "frontend" } };
static const struct device_rules devices = { .rules = device_list, .count = 1 };

static char self[1024], library[1100];

static struct preload_result record(struct heard *heard, const char *mode)
{
	const char *command[] = { self, mode, NULL };
	char asan[] = "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0", *environment[] = { asan, NULL };
	const struct pointer_rules none = { NULL, 0 };
	const struct preload_options options = { .library = library,
						 .command = command,
						 .environment = environment,
						 .rules = &none,
						 .devices = &devices,
						 .region_bytes = 1024 };
	const struct preload_observer observer = { started, bytes, message, note, heard };
	struct preload_result result = { 0 };
	struct err err = { "" };

	assert_int_equal(preload_run(&result, &options, &observer, &err), 0);
	return result;
}

static void a_call_is_recorded_with_its_bytes(void **state)
{
	struct heard heard = { 0 };
	const struct preload_result result = record(&heard, "once");

	(void)state;
	assert_int_equal(result.status, 0);
	assert_int_equal(heard.opens, 1);
	assert_int_equal(heard.ioctls, 1);
	assert_int_equal(heard.last.request, REQUEST);
	assert_int_equal(heard.last.ret, -1);
	assert_int_equal(heard.last.error, ENOTTY);
	assert_true(heard.last.pid && heard.last.pid == heard.last.tid);
	assert_memory_equal(heard.before, "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0", 16);
	assert_int_equal(heard.notes, 0);
	strbuf_release(&heard.stream);
}

static void the_bytes_are_a_trace_of_the_messages(void **state)
{
	struct heard heard = { 0 };
	struct trace_reader *reader;
	struct trace_message got;
	int count = 0;

	(void)state;
	record(&heard, "threads");
	reader = trace_reader_new(-1, "t", (const uint8_t *)heard.stream.text, heard.stream.length);
	while (count < heard.ioctls + heard.opens && trace_next(&got, reader, NULL) == 1)
		count++;
	assert_int_equal(count, heard.ioctls + heard.opens);
	trace_reader_free(reader);
	strbuf_release(&heard.stream);
}

static void each_thread_s_calls_are_there_once(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	record(&heard, "threads");
	assert_int_equal(heard.ioctls, THREADS * CALLS);
	for (int i = 0; i < CALLS; i++)
		assert_int_equal(heard.words[i], THREADS);
	strbuf_release(&heard.stream);
}

static void a_bad_pointer_is_recorded_without_bytes(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(record(&heard, "bad").status, 0);
	assert_int_equal(heard.ioctls, 1);
	assert_null(heard.last.before.bytes);
	assert_null(heard.last.after.bytes);
	assert_int_equal(heard.last.argument, 8);
	strbuf_release(&heard.stream);
}

static void other_descriptors_and_requests_are_passed_on(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	assert_int_equal(record(&heard, "others").status, 0);
	assert_int_equal(heard.ioctls, 0);
	strbuf_release(&heard.stream);
}

static void what_outlives_the_command_is_waited_for(void **state)
{
	struct heard heard = { 0 };

	(void)state;
	record(&heard, "leave");
	assert_int_equal(heard.ioctls, 1);
	assert_int_equal(heard.words[9], 1);
	strbuf_release(&heard.stream);
}

/*
 * A call that a signal handler makes during a call is recorded separately. Only a call that interrupts
 * channel_append() is lost, and it is counted.
 */
static void a_handler_s_calls_do_not_spoil_the_interrupted_one(void **state)
{
	struct heard heard = { 0 };
	int lost = 0;

	(void)state;
	assert_int_equal(record(&heard, "alarms").status, 0);
	if (heard.notes)
		assert_int_equal(sscanf(heard.note, "%d call", &lost), 1);
	assert_true(heard.ioctls >= CALLS - lost);
	for (int i = 10; i < CALLS; i++)
		assert_true(heard.words[i] == 1 || lost);
	strbuf_release(&heard.stream);
}

static void the_calls_of_a_killed_process_are_there(void **state)
{
	struct heard heard = { 0 };
	const struct preload_result result = record(&heard, "killed");

	(void)state;
	assert_true(WIFSIGNALED(result.status));
	assert_int_equal(heard.ioctls, CALLS);
	strbuf_release(&heard.stream);
}

static void the_observer_may_end_the_workload(void **state)
{
	struct heard heard = { .end_after = 10 };
	const struct preload_result result = record(&heard, "on");

	(void)state;
	assert_true(result.was_ended);
	assert_true(WIFSIGNALED(result.status));
	assert_int_equal(heard.ioctls, 10);
	strbuf_release(&heard.stream);
}

static void a_command_or_a_library_that_is_not_there_is_said(void **state)
{
	const char *command[] = { "/nowhere/to/be/found", NULL };
	char *environment[] = { NULL };
	const struct pointer_rules none = { NULL, 0 };
	struct heard heard = { 0 };
	const struct preload_observer observer = { started, bytes, message, note, &heard };
	struct preload_options options = { .library = library,
					   .command = command,
					   .environment = environment,
					   .rules = &none,
					   .devices = &devices };
	struct preload_result result;
	struct err err;

	(void)state;
	assert_int_equal(preload_run(&result, &options, &observer, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "cannot run /nowhere/to/be/found: No such file or directory");
	options.library = "/nowhere/lib.so";
	assert_int_equal(preload_run(&result, &options, &observer, &err), ERR_NOT_FOUND);
	assert_string_equal(err.text, "cannot preload /nowhere/lib.so: No such file or directory");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_recorded_with_its_bytes),
		cmocka_unit_test(the_bytes_are_a_trace_of_the_messages),
		cmocka_unit_test(each_thread_s_calls_are_there_once),
		cmocka_unit_test(a_bad_pointer_is_recorded_without_bytes),
		cmocka_unit_test(other_descriptors_and_requests_are_passed_on),
		cmocka_unit_test(what_outlives_the_command_is_waited_for),
		cmocka_unit_test(a_handler_s_calls_do_not_spoil_the_interrupted_one),
		cmocka_unit_test(the_calls_of_a_killed_process_are_there),
		cmocka_unit_test(the_observer_may_end_the_workload),
		cmocka_unit_test(a_command_or_a_library_that_is_not_there_is_said),
	};
	if (argc == 2)
		return workload(argv[1]);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 || !strstr(self, "/test/sniff/preload"))
		return 2;
	snprintf(library, sizeof(library), "%.*s/libdrvabi-preload.so",
		 (int)(strstr(self, "/test/sniff/preload") - self), self);
	return cmocka_run_group_tests_name("preload", tests, NULL, NULL);
}
