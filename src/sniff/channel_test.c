/*
 * Tests the memory that the recorder and the preloaded library share, and how a workload gets its file. Most
 * tests have a second process.
 */
#include "sniff/channel.h"
#include "abi/document_test.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct sides {
	struct channel recorder, workload;
	int fd, socket_fd;
	char path[64], name[HANDOVER_NAME_MAX]; /* of the file; of the socket */
};

static int create(void **state)
{
	struct sides *sides = calloc(1, sizeof(*sides));

	sides->fd = memfd_create("channel", MFD_CLOEXEC);
	snprintf(sides->path, sizeof(sides->path), "/proc/self/fd/%d", sides->fd);
	sides->socket_fd = handover_open(sides->name);
	*state = sides;
	return sides->socket_fd < 0 || channel_create(&sides->recorder, sides->fd, "the plan", 8, 1000) ||
	       channel_attach(&sides->workload, open(sides->path, O_RDWR | O_CLOEXEC));
}

static int release(void **state)
{
	struct sides *sides = *state;

	channel_release(&sides->recorder);
	channel_release(&sides->workload);
	close(sides->fd);
	close(sides->socket_fd);
	free(sides);
	return 0;
}

#define CHANNEL_TEST(name) TEST_WITH(name, create, release)

CHANNEL_TEST(both_sides_see_what_was_agreed)
{
	struct sides *sides = *state;

	assert_int_equal(sides->workload.head->plan_bytes, 8);
	assert_memory_equal(sides->workload.plan, "the plan", 8);
	assert_int_equal(sides->workload.head->region_bytes, 1000);
	assert_int_equal(sides->recorder.head->attached, 1);
}

/* Appends messages that fill the ring more than once, and whose sizes do not divide the ring's. */
CHANNEL_TEST(what_wraps_around_is_in_one_piece)
{
	enum { PIECE = 1000003 };
	struct sides *sides = *state;
	uint8_t *piece = malloc(PIECE);
	const uint8_t *got;

	for (int i = 0; i < 50; i++) {
		memset(piece, i, PIECE);
		channel_append(&sides->workload, piece, PIECE);
		assert_int_equal(channel_peek(&got, &sides->recorder), PIECE);
		assert_memory_equal(got, piece, PIECE);
		channel_take(&sides->recorder, PIECE);
	}
	assert_int_equal(channel_peek(&got, &sides->recorder), 0);
	free(piece);
}

CHANNEL_TEST(a_message_that_is_too_large_is_counted_as_lost)
{
	struct sides *sides = *state;
	char *large = calloc(1, CHANNEL_MESSAGE_MAX + 1);
	const uint8_t *got;

	channel_append(&sides->workload, large, CHANNEL_MESSAGE_MAX + 1);
	assert_int_equal(channel_peek(&got, &sides->recorder), 0);
	assert_int_equal(sides->recorder.head->lost, 1);
	free(large);
}

CHANNEL_TEST(a_process_that_is_killed_with_the_lock_holds_up_nobody)
{
	struct sides *sides = *state;
	const pid_t pid = fork();
	const uint8_t *got;

	if (!pid) {
		pthread_mutex_lock(&sides->workload.head->lock);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	channel_append(&sides->workload, "after", 5);
	channel_append(&sides->workload, "wards", 5);
	assert_int_equal(channel_peek(&got, &sides->recorder), 10);
	assert_memory_equal(got, "afterwards", 10);
}

CHANNEL_TEST(whoever_appends_waits_for_room)
{
	enum { PIECE = CHANNEL_MESSAGE_MAX };
	struct sides *sides = *state;
	uint8_t *piece = calloc(1, PIECE);
	const pid_t pid = fork();
	const uint8_t *got;
	size_t all = 0;

	if (!pid) {
		for (int i = 0; i < 6; i++)
			channel_append(&sides->workload, piece, PIECE);
		_exit(0);
	}
	while (all < 6 * (size_t)PIECE) {
		const size_t there = channel_peek(&got, &sides->recorder);

		assert_true(there <= CHANNEL_RING_BYTES);
		channel_take(&sides->recorder, there);
		all += there;
		usleep(1000);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(sides->recorder.head->lost, 0);
	free(piece);
}

/* Appends to a full ring after the recorder was killed. */
TEST(nobody_waits_for_a_recorder_that_has_gone)
{
	struct channel channel;
	uint8_t *piece = calloc(1, CHANNEL_MESSAGE_MAX);
	const int fd = memfd_create("channel", MFD_CLOEXEC);
	const pid_t pid = fork();
	char path[64];

	if (!pid) {
		channel_create(&channel, fd, "", 0, 1000);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(channel_attach(&channel, open(path, O_RDWR | O_CLOEXEC)), 0);
	for (int i = 0; i < 4; i++)
		channel_append(&channel, piece, CHANNEL_MESSAGE_MAX);
	assert_true(channel.head->is_closed);
	channel_release(&channel);
	close(fd);
	free(piece);
}

/*
 * Starts the first process of a new pid namespace, which appends @count messages. Return: the pid of a child
 * that waits for this process; the child exits with 77 if no namespace can be created.
 */
static pid_t first_of_namespace(struct channel *channel, int count)
{
	const pid_t middle = fork();
	int status;

	if (middle)
		return middle;
	if (unshare(CLONE_NEWPID))
		_exit(77);
	if (!fork()) {
		for (int i = 0; i < count; i++)
			channel_append(channel, "message", 8);
		_exit(getpid() != 1);
	}
	_exit(wait(&status) < 0 || status);
}

/* The lock stores the owner's thread id, which is 1 in both namespaces. */
CHANNEL_TEST(threads_of_one_id_in_two_namespaces_lose_nothing)
{
	enum { COUNT = 100000 };
	struct sides *sides = *state;
	pid_t pids[2];
	const uint8_t *got;
	int status;

	for (int i = 0; i < 2; i++)
		pids[i] = first_of_namespace(&sides->workload, COUNT);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		if (WEXITSTATUS(status) == 77)
			skip();
		assert_int_equal(status, 0);
	}
	assert_int_equal(sides->recorder.head->lost, 0);
	assert_int_equal(channel_peek(&got, &sides->recorder), 2 * COUNT * 8);
}

TEST(another_file_is_not_attached_to)
{
	struct channel channel;

	assert_int_equal(channel_attach(&channel, open("/proc/self/exe", O_RDWR | O_CLOEXEC)), -1);
	assert_int_equal(channel_attach(&channel, open("/dev/null", O_RDWR | O_CLOEXEC)), -1);
	assert_int_equal(channel_attach(&channel, open("/nowhere", O_RDWR | O_CLOEXEC)), -1);
}

/*
 * Forks a child that requests the file as @user (0: this user) and writes into it. The request is answered if
 * @is_answered. Return: 0 if the child got a file, 1 if it got none, or a different number.
 */
static int ask(const struct sides *sides, uid_t user, bool is_answered)
{
	const pid_t pid = fork();
	int status;

	if (!pid) {
		const int fd = user && setuid(user) ? -2 : handover_ask(sides->name);

		_exit(fd < 0 ? -fd : write(fd, "written", 7) == 7 && fcntl(fd, F_GETFD) & FD_CLOEXEC ? 0 : 3);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		if (is_answered)
			handover_serve(sides->socket_fd, sides->fd);
		usleep(1000);
	}
	return WEXITSTATUS(status);
}

CHANNEL_TEST(a_process_that_asks_gets_the_file)
{
	const struct sides *sides = *state;
	char got[7];

	for (int i = 0; i < 3; i++)
		assert_int_equal(ask(sides, 0, true), 0);
	assert_int_equal(pread(sides->fd, got, 7, 14), 7);
	assert_memory_equal(got, "written", 7);
}

CHANNEL_TEST(two_recorders_have_two_names)
{
	const struct sides *sides = *state;
	char other[HANDOVER_NAME_MAX];
	const int second = handover_open(other);

	assert_true(second >= 0);
	assert_string_not_equal(sides->name, other);
	close(second);
}

CHANNEL_TEST(a_recorder_that_has_gone_is_not_waited_for)
{
	struct sides *sides = *state;

	close(sides->socket_fd);
	sides->socket_fd = -1;
	assert_int_equal(handover_ask(sides->name), -1);
	assert_int_equal(handover_ask(""), -1);
	assert_int_equal(
		handover_ask("a name that is longer than any that a recorder would have given to its socket"),
		-1);
}

CHANNEL_TEST(a_process_waits_a_while_for_a_recorder_that_does_not_answer)
{
	assert_int_equal(ask(*state, 0, false), 1);
}

/* Only this user and root get the file. */
CHANNEL_TEST(a_different_user_gets_nothing)
{
	enum { NOBODY = 65534 };

	if (geteuid())
		skip();
	assert_int_equal(ask(*state, NOBODY, true), 1);
}
