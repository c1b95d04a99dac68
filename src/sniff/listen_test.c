/*
 * Tests which messages of gVisor's hook a listener passes on. A child connects to the socket and sends calls.
 * Every call must arrive with the fields of sent, and with the child's pid.
 */
#include "sniff/sniff.h"
#include "abi/document_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 2000 };

static const struct trace_message sent = { .kind = TRACE_IOCTL,
					   .fd_path = "/dev/nvidiactl",
					   .fd = -1,
					   .request = 0xc020462a,
					   .ret = -1,
					   .after = { (const uint8_t *)"\1\2\3", 3 } };

/* The directory of a test's socket, the child, and what the listener's observer got. */
struct heard {
	char dir[64], path[80];
	void (*talk)(const struct heard *heard); /* runs in the child */
	pid_t child;
	int count, end_after; /* messages; the number after which to end, 0: never */
	struct strbuf text;   /* wrong messages, and notes */
};

static int make_folder(void **state)
{
	static struct heard heard;

	heard = (struct heard){ .dir = "/tmp/drvabi-listen-test.XXXXXX" };
	if (!mkdtemp(heard.dir))
		return -1;
	snprintf(heard.path, sizeof(heard.path), "%s/s", heard.dir);
	*state = &heard;
	return 0;
}

static int remove_folder(void **state)
{
	struct heard *heard = *state;

	strbuf_release(&heard->text);
	return rmdir(heard->dir); /* fails if the socket still exists */
}

/* --- the child ---------------------------------------------------------------------------------------- */

/* Returns a new socket, and its address. */
static int socket_of(struct sockaddr_un *address, const struct heard *heard)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(address->sun_path, sizeof(address->sun_path), "%s", heard->path);
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int connected(const struct heard *heard)
{
	struct sockaddr_un address;
	const int fd = socket_of(&address, heard);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		_exit(1);
	return fd;
}

static void put(int fd, const void *bytes, size_t size)
{
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(2);
}

/* A call in the format of gVisor's hook. */
static struct strbuf packed_call(void)
{
	struct strbuf packed = { 0 };

	trace_pack(&packed, &sent, TRACE_WIRE_GVISOR);
	return packed;
}

static void send_call(int fd)
{
	struct strbuf packed = packed_call();

	put(fd, packed.text, packed.length);
	strbuf_release(&packed);
}

static void talk_once(const struct heard *heard)
{
	send_call(connected(heard));
}

/* Sends whole calls, and one call between their bytes. */
static void talk_by_bytes(const struct heard *heard)
{
	const int fd = connected(heard), other = connected(heard);
	struct strbuf packed = packed_call();

	for (size_t i = 0; i < packed.length; i++) {
		put(fd, packed.text + i, 1);
		send_call(other);
		usleep(100);
	}
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

/* Sends messages that only drvabi's own traces have. */
static void talk_ours(const struct heard *heard)
{
	const struct trace_message open = { .kind = TRACE_OPEN, .fd_path = "/dev/nvidiactl", .fd = -1 };
	struct trace_message call = sent;
	struct strbuf packed = { 0 };

	call.pid = 1;
	call.error = 5;
	trace_pack(&packed, &call, TRACE_WIRE_DRVABI);
	trace_pack(&packed, &open, TRACE_WIRE_DRVABI);
	put(connected(heard), packed.text, packed.length);
	strbuf_release(&packed);
}

static void talk_and_interrupt(const struct heard *heard)
{
	const int fd = connected(heard);
	char byte;

	for (int i = 0; i < MANY; i++)
		send_call(fd);
	kill(getppid(), SIGINT);
	while (read(fd, &byte, 1) > 0) /* keeps the connection open until the listener ends */
		;
}

static void talk_until_refused(const struct heard *heard)
{
	const int fd = connected(heard);
	struct strbuf packed = packed_call();

	while (send(fd, packed.text, packed.length, MSG_NOSIGNAL) > 0)
		;
	strbuf_release(&packed);
}

/* --- the listener ------------------------------------------------------------------------------------- */

static void started(void *data)
{
	struct heard *heard = data;

	heard->child = fork();
	if (heard->child)
		return;
	heard->talk(heard);
	_exit(0);
}

static bool message(void *data, const struct trace_message *got, const struct call *chain, size_t chain_count)
{
	struct heard *heard = data;

	assert_true(!chain && !chain_count);
	if (got->kind != sent.kind || strcmp(got->fd_path, sent.fd_path) || got->fd != sent.fd ||
	    got->request != sent.request || got->ret != sent.ret || got->error ||
	    got->pid != (uint32_t)heard->child || got->after.size_bytes != sent.after.size_bytes ||
	    memcmp(got->after.bytes, sent.after.bytes, sent.after.size_bytes))
		strbuf_addf(&heard->text, "\nmessage %d differs", heard->count);
	return ++heard->count != heard->end_after;
}

static void note(void *data, const char *sentence)
{
	struct heard *heard = data;

	strbuf_addf(&heard->text, "\n%s", sentence);
}

TEST_WITH(the_listener_passes_on_what_the_hook_sends, make_folder, remove_folder)
{
	static const struct {
		const char *fact;
		void (*talk)(const struct heard *heard);
		bool until_gone, is_left; /* @is_left: a socket exists on which nobody listens */
		int end_after, count;
		const char *note; /* after "process PID sends data that gVisor's hook does not send; " */
	} rows[] = {
		{ "a call arrives with its fields and the caller's pid", talk_once, true, false, 0, 1, NULL },
		{ "a call may arrive byte by byte among others: 46 bytes", talk_by_bytes, true, false, 0, 47,
		  NULL },
		{ "many connections are heard to their ends", talk_much, true, false, 0, MANY, NULL },
		{ "nonsense is read and discarded", talk_nonsense, true, false, 0, 2,
		  "its data is ignored from byte 46 on: its length is 18446744073709551615 bytes, but at "
		  "most 32768 are allowed; the trace is damaged there, or this is not a trace" },
		{ "fields and messages that gVisor's hook does not send are ignored", talk_ours, true, false,
		  0, 1, "its data is ignored from byte 50 on: a message that is not an ioctl of a device" },
		{ "a signal ends the listener after the messages that had arrived", talk_and_interrupt, false,
		  false, 0, MANY, NULL },
		{ "the observer may end the listener", talk_until_refused, false, false, 10, 10, NULL },
		{ "a socket on which nobody listens is replaced", talk_once, true, true, 0, 1, NULL },
	};
	size_t failed = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct heard *heard = *state;
		const struct sniff_observer observer = { .started = started, .message = message, .loss = note,
							 .data = heard };
		struct strbuf expected = { 0 }, got = { 0 };
		struct sockaddr_un address;
		const int fd = socket_of(&address, heard);
		int status;

		if (rows[i].is_left)
			assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
		close(fd);
		heard->talk = rows[i].talk;
		heard->end_after = rows[i].end_after;
		assert_int_equal(listen_run(heard->path, rows[i].until_gone, &observer, NULL), 0);
		assert_int_equal(waitpid(heard->child, &status, 0), heard->child);
		assert_int_equal(status, 0);
		strbuf_addf(&expected, "%d messages", rows[i].count);
		if (rows[i].note)
			strbuf_addf(&expected, "\nprocess %d sends data that gVisor's hook does not send; %s",
				    (int)heard->child, rows[i].note);
		strbuf_addf(&got, "%d messages%s", heard->count, strbuf_text(&heard->text));
		failed += text_differs(rows[i].fact, &got, strbuf_text(&expected));
		strbuf_release(&expected);
		assert_int_equal(remove_folder(state), 0);
		assert_int_equal(make_folder(state), 0);
	}
	assert_int_equal(failed, 0);
}

static void assert_refused(const char *path, const char *why)
{
	struct strbuf expected = { 0 };
	struct err err;

	strbuf_addf(&expected, "cannot listen at %s", why);
	assert_int_equal(listen_run(path, true, NULL, &err), ERR_IO);
	assert_string_equal(err.text, expected.text);
	strbuf_release(&expected);
}

TEST_WITH(a_path_that_is_in_use_or_too_long_is_refused, make_folder, remove_folder)
{
	struct heard *heard = *state;
	char why[200], path[109] = { 0 };

	close(open(heard->path, O_CREAT | O_WRONLY, 0600));
	snprintf(why, sizeof(why), "%s: Address already in use", heard->path);
	assert_refused(heard->path, why);
	assert_int_equal(unlink(heard->path), 0);
	memset(path, 'a', sizeof(path) - 1);
	snprintf(why, sizeof(why), "'%s': the path of a socket must have 1 to 107 bytes; use a shorter path",
		 path);
	assert_refused(path, why);
}
