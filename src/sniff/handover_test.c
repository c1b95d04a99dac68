#include "sniff/channel.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* A child that asks, and writes into what it gets. Return: 0 if it got something, 1 if not. */
static int ask(const char *name, int socket_fd, int channel_fd)
{
	const pid_t pid = fork();
	int status;

	if (!pid) {
		const int fd = handover_ask(name);

		_exit(fd < 0 || write(fd, "written", 7) != 7 || !(fcntl(fd, F_GETFD) & FD_CLOEXEC));
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		if (socket_fd >= 0)
			handover_serve(socket_fd, channel_fd);
		usleep(1000);
	}
	return WEXITSTATUS(status);
}

static void who_asks_gets_the_file(void **state)
{
	const int channel_fd = memfd_create("channel", MFD_CLOEXEC);
	char name[HANDOVER_NAME_MAX], got[7];
	const int socket_fd = handover_open(name);

	(void)state;
	assert_true(socket_fd >= 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ask(name, socket_fd, channel_fd), 0);
	assert_int_equal(pread(channel_fd, got, 7, 14), 7);
	assert_memory_equal(got, "written", 7);
	close(socket_fd);
	close(channel_fd);
}

static void two_recorders_have_two_names(void **state)
{
	char one[HANDOVER_NAME_MAX], other[HANDOVER_NAME_MAX];
	const int first = handover_open(one), second = handover_open(other);

	(void)state;
	assert_true(first >= 0 && second >= 0);
	assert_string_not_equal(one, other);
	close(first);
	close(second);
}

static void a_recorder_that_has_gone_is_not_waited_for(void **state)
{
	char name[HANDOVER_NAME_MAX];
	const int socket_fd = handover_open(name);

	(void)state;
	close(socket_fd);
	assert_int_equal(handover_ask(name), -1);
	assert_int_equal(handover_ask(""), -1);
	assert_int_equal(handover_ask("a name that is longer than any that a recorder would have given to its socket"), -1);
}

static void a_recorder_that_does_not_answer_is_waited_for_for_a_while(void **state)
{
	char name[HANDOVER_NAME_MAX];
	const int socket_fd = handover_open(name);

	(void)state;
	assert_int_equal(ask(name, -1, -1), 1);
	close(socket_fd);
}

/* Nobody but this user and root gets the file. */
static void another_user_gets_nothing(void **state)
{
	enum { NOBODY = 65534 };
	const int channel_fd = memfd_create("channel", MFD_CLOEXEC);
	char name[HANDOVER_NAME_MAX];
	const int socket_fd = handover_open(name);
	int status;
	pid_t pid;

	(void)state;
	if (geteuid())
		skip();
	pid = fork();
	if (!pid)
		_exit(setuid(NOBODY) || handover_ask(name) >= 0);
	while (!waitpid(pid, &status, WNOHANG)) {
		handover_serve(socket_fd, channel_fd);
		usleep(1000);
	}
	assert_int_equal(status, 0);
	close(socket_fd);
	close(channel_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_asks_gets_the_file),
		cmocka_unit_test(two_recorders_have_two_names),
		cmocka_unit_test(a_recorder_that_has_gone_is_not_waited_for),
		cmocka_unit_test(a_recorder_that_does_not_answer_is_waited_for_for_a_while),
		cmocka_unit_test(another_user_gets_nothing),
	};

	return cmocka_run_group_tests_name("preload handover", tests, NULL, NULL);
}
