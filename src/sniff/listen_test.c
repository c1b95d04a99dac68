#include "sniff/sniff.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

enum { MANY = 2000 };

/* The messages that a listener's observer got, and the child that sends messages. */
struct heard {
	char dir[64], path[80];
	void (*talk)(const struct heard *heard); /* runs in the child */
	pid_t child;
	int messages, notes;
	struct trace_message last;
	char last_path[64];
	uint8_t last_bytes[16];
	char note[512];
	int end_after; /* number of messages after which to end; 0: never */
};

static int connected(const struct heard *heard)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", heard->path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		_exit(1);
	return fd;
}

static void started(void *data)
{
	struct heard *heard = data;

	heard->child = fork();
	if (heard->child)
		return;
	heard->talk(heard);
	_exit(0);
}

static bool message(void *data, const struct trace_message *got)
{
	struct heard *heard = data;

	heard->messages++;
	heard->last = *got;
	snprintf(heard->last_path, sizeof(heard->last_path), "%s", got->fd_path);
	if (got->after.size_bytes && got->after.size_bytes <= sizeof(heard->last_bytes))
		memcpy(heard->last_bytes, got->after.bytes, got->after.size_bytes);
	return heard->messages != heard->end_after;
}

static void note(void *data, const char *sentence)
{
	struct heard *heard = data;

	heard->notes++;
	snprintf(heard->note, sizeof(heard->note), "%s", sentence);
}

static int make_folder(void **state)
{
	struct heard *heard = calloc(1, sizeof(*heard));

	snprintf(heard->dir, sizeof(heard->dir), "/tmp/drvabi-listen-test.XXXXXX");
	if (!mkdtemp(heard->dir))
		return -1;
	snprintf(heard->path, sizeof(heard->path), "%s/s", heard->dir);
	*state = heard;
	return 0;
}

static int remove_folder(void **state)
{
	struct heard *heard = *state;
	int rc = rmdir(heard->dir); /* fails if the socket still exists */

	free(heard);
	return rc;
}

/* Listens while @talk runs in a child, which must succeed. */
static void listen_to(struct heard *heard, void (*talk)(const struct heard *), bool until_gone)
{
	const struct listen_options options = { heard->path, until_gone };
	const struct listen_observer observer = { started, message, note, heard };
	struct err err = { "" };
	int status;

	heard->talk = talk;
	assert_int_equal(listen_run(&options, &observer, &err), 0);
	assert_int_equal(waitpid(heard->child, &status, 0), heard->child);
	assert_int_equal(status, 0);
}

static struct trace_message a_call(void)
{
	return (struct trace_message){ .kind = TRACE_IOCTL,
				       .fd_path = "/dev/nvidiactl",
				       .fd = -1,
				       .request = 0xc020462a,
				       .ret = -1,
				       .after = { (const uint8_t *)"\1\2\3", 3 } };
}

static void put(int fd, const void *bytes, size_t size)
{
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(2);
}

static void send_call(int fd)
{
	const struct trace_message call = a_call();
	struct strbuf packed = { 0 };

	trace_pack(&packed, &call, TRACE_WIRE_GVISOR);
	put(fd, packed.text, packed.length);
	strbuf_release(&packed);
}

static void talk_once(const struct heard *heard)
{
	send_call(connected(heard));
}

static void a_call_arrives_with_its_fields_and_the_callers_pid(void **state)
{
	struct heard *heard = *state;

	listen_to(heard, talk_once, true);
	assert_int_equal(heard->messages, 1);
	assert_int_equal(heard->last.kind, TRACE_IOCTL);
	assert_string_equal(heard->last_path, "/dev/nvidiactl");
	assert_int_equal(heard->last.request, 0xc020462a);
	assert_int_equal(heard->last.ret, -1);
	assert_int_equal(heard->last.after.size_bytes, 3);
	assert_memory_equal(heard->last_bytes, "\1\2\3", 3);
	assert_int_equal(heard->last.pid, heard->child);
	assert_int_equal(heard->last.fd, -1);
	assert_int_equal(heard->notes, 0);
}

static void talk_by_bytes(const struct heard *heard)
{
	const struct trace_message call = a_call();
	const int fd = connected(heard), other = connected(heard);
	struct strbuf packed = { 0 };

	trace_pack(&packed, &call, TRACE_WIRE_GVISOR);
	for (size_t i = 0; i < packed.length; i++) {
		put(fd, packed.text + i, 1);
		send_call(other);
		usleep(100);
	}
	strbuf_release(&packed);
}

static void a_call_may_arrive_byte_by_byte_among_others(void **state)
{
	struct heard *heard = *state;
	const struct trace_message call = a_call();
	struct strbuf packed = { 0 };

	trace_pack(&packed, &call, TRACE_WIRE_GVISOR);
	listen_to(heard, talk_by_bytes, true);
	assert_int_equal(heard->messages, packed.length + 1);
	strbuf_release(&packed);
}

static void talk_much(const struct heard *heard)
{
	int fds[100];

	for (int i = 0; i < 100; i++)
		fds[i] = connected(heard);
	for (int i = 0; i < MANY; i++)
		send_call(fds[i % 100]);
}

static void many_connections_are_heard_to_their_ends(void **state)
{
	struct heard *heard = *state;

	listen_to(heard, talk_much, true);
	assert_int_equal(heard->messages, MANY);
}

static void talk_nonsense(const struct heard *heard)
{
	const int bad = connected(heard), good = connected(heard);
	static char nonsense[1 << 20];

	send_call(bad);
	memset(nonsense, 0xff, sizeof(nonsense));
	for (int i = 0; i < 8; i++)
		put(bad, nonsense, sizeof(nonsense)); /* does not fit into the socket's buffer */
	send_call(bad);
	send_call(good);
}

static void nonsense_is_read_and_thrown_away(void **state)
{
	struct heard *heard = *state;
	char want[300];

	listen_to(heard, talk_nonsense, true);
	assert_int_equal(heard->messages, 2);
	assert_int_equal(heard->notes, 1);
	snprintf(
		want, sizeof(want),
		"process %d sends data that gVisor's hook does not send; its data is ignored from byte 46 on: "
		"its length is 18446744073709551615 bytes, but at most 32768 are allowed; the trace is damaged there, or this is not a trace",
		(int)heard->child);
	assert_string_equal(heard->note, want);
}

/* Sends messages that only drvabi's own traces have. */
static void talk_ours(const struct heard *heard)
{
	struct trace_message call = a_call();
	const struct trace_message open = { .kind = TRACE_OPEN, .fd_path = "/dev/nvidiactl", .fd = -1 };
	const int fd = connected(heard);
	struct strbuf packed = { 0 };

	call.pid = 1;
	call.error = 5;
	trace_pack(&packed, &call, TRACE_WIRE_DRVABI);
	trace_pack(&packed, &open, TRACE_WIRE_DRVABI);
	put(fd, packed.text, packed.length);
	strbuf_release(&packed);
}

static void what_gvisors_hook_does_not_say_is_not_believed(void **state)
{
	struct heard *heard = *state;

	listen_to(heard, talk_ours, true);
	assert_int_equal(heard->messages, 1);
	assert_int_equal(heard->last.pid, heard->child);
	assert_int_equal(heard->last.error, 0);
	assert_int_equal(heard->notes, 1);
	assert_non_null(strstr(heard->note, "a message that is not an ioctl of a device"));
}

static void talk_and_interrupt(const struct heard *heard)
{
	const int fd = connected(heard);

	for (int i = 0; i < MANY; i++)
		send_call(fd);
	kill(getppid(), SIGINT);
	pause(); /* keeps the connection open */
}

static void a_signal_ends_it_and_what_had_arrived_is_heard(void **state)
{
	struct heard *heard = *state;
	const struct listen_options options = { heard->path, false };
	const struct listen_observer observer = { started, message, note, heard };

	heard->talk = talk_and_interrupt;
	assert_int_equal(listen_run(&options, &observer, NULL), 0);
	assert_int_equal(heard->messages, MANY);
	kill(heard->child, SIGKILL);
	waitpid(heard->child, NULL, 0);
}

static void talk_until_refused(const struct heard *heard)
{
	const struct trace_message call = a_call();
	const int fd = connected(heard);
	struct strbuf packed = { 0 };

	trace_pack(&packed, &call, TRACE_WIRE_GVISOR);
	while (send(fd, packed.text, packed.length, MSG_NOSIGNAL) > 0)
		;
	strbuf_release(&packed);
}

static void the_observer_may_end_it(void **state)
{
	struct heard *heard = *state;

	heard->end_after = 10;
	listen_to(heard, talk_until_refused, false);
	assert_int_equal(heard->messages, 10);
}

static void a_socket_that_nobody_listens_at_is_replaced(void **state)
{
	struct heard *heard = *state;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", heard->path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	listen_to(heard, talk_once, true);
	assert_int_equal(heard->messages, 1);
}

static void what_is_in_use_is_refused(void **state)
{
	struct heard *heard = *state;
	const struct listen_options options = { heard->path, true };
	const struct listen_observer observer = { started, message, note, heard };
	struct err err;
	char want[200];
	const int fd = open(heard->path, O_CREAT | O_WRONLY, 0600);

	assert_int_equal(listen_run(&options, &observer, &err), ERR_IO);
	snprintf(want, sizeof(want), "cannot listen at %s: Address already in use", heard->path);
	assert_string_equal(err.text, want);
	assert_int_equal(access(heard->path, F_OK), 0);
	close(fd);
	unlink(heard->path);
}

static void a_path_that_is_too_long_is_refused(void **state)
{
	char path[200];
	const struct listen_options options = { path, true };
	struct err err;

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(listen_run(&options, NULL, &err), ERR_IO);
	assert_non_null(strstr(err.text, "the path of a socket must have 1 to 107 bytes; use a shorter path"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_call_arrives_with_its_fields_and_the_callers_pid,
						make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_call_may_arrive_byte_by_byte_among_others, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(many_connections_are_heard_to_their_ends, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(nonsense_is_read_and_thrown_away, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_gvisors_hook_does_not_say_is_not_believed, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(a_signal_ends_it_and_what_had_arrived_is_heard, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(the_observer_may_end_it, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(a_socket_that_nobody_listens_at_is_replaced, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(what_is_in_use_is_refused, make_folder, remove_folder),
		cmocka_unit_test(a_path_that_is_too_long_is_refused),
	};

	return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
