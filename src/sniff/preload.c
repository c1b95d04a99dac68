/* sniff/preload.c - runs a command with the library preloaded, and collects what it recorded */
#include "sniff/sniff.h"

#include "sniff/hook_internal.h"
#include "sniff/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_NS = 500 * 1000, IDLE_NS = 5 * 1000 * 1000 };

struct preload_run {
	const struct preload_options *options;
	const struct preload_observer *observer;
	struct channel channel;
	int channel_fd, socket_fd; /* the latter -1: there is none */
	char path[64], socket[HANDOVER_NAME_MAX]; /* of both */
	char link_dir[32];            /* that the library has a name in that ld.so takes; "": it needs none */
	struct trace_unpacker *unpacker;
	pid_t command;
	bool has_ended;               /* the command; what it started may go on */
	pid_t *strangers;             /* children that this process had before */
	size_t stranger_count;
	unsigned refused;             /* processes of other users that asked for the channel */
	struct preload_result result;
	bool is_damaged; /* what is in the ring is not what the library writes */
	sigset_t signals, before;
	struct sigaction children; /* what SIGCHLD did before */
};

/* --- the command --------------------------------------------------------------------------------- */

static bool is_variable(const char *entry, const char *name)
{
	return !strncmp(entry, name, strlen(name)) && entry[strlen(name)] == '=';
}

/* What ld.so ends a name at in LD_PRELOAD, or replaces there ($ORIGIN); it knows no quotes. */
#define LD_PRELOAD_SPECIAL " :$"
#define LINK_NAME "/libdrvabi-preload.so"

static const char *library_of(const struct preload_run *recording)
{
	return *recording->link_dir ? recording->link_dir : recording->options->library;
}

/* A link, so that it lasts if this process is killed, and is found in a pid namespace; in a directory that nobody else may change. */
static int open_link(struct preload_run *recording, struct err *err)
{
	const char *library = recording->options->library;
	char link[sizeof(recording->link_dir) + sizeof(LINK_NAME)];

	if (!strpbrk(library, LD_PRELOAD_SPECIAL))
		return 0;
	snprintf(recording->link_dir, sizeof(recording->link_dir), "/tmp/drvabi-XXXXXX");
	if (mkdtemp(recording->link_dir)) {
		snprintf(link, sizeof(link), "%s" LINK_NAME, recording->link_dir);
		if (!chmod(recording->link_dir, 0755) && !symlink(library, link)) /* the workload may become another user's */
			return 0;
		rmdir(recording->link_dir);
	}
	*recording->link_dir = '\0';
	return err_set(err, ERR_IO, "cannot preload %s: ld.so takes no path with a space, a colon or a dollar sign, and a link to it in /tmp cannot be made: %s; "
		       "install drvabi elsewhere, or leave --preload out", library, strerror(errno));
}

static void close_link(const struct preload_run *recording)
{
	char link[sizeof(recording->link_dir) + sizeof(LINK_NAME)];

	if (!*recording->link_dir)
		return;
	snprintf(link, sizeof(link), "%s" LINK_NAME, recording->link_dir);
	unlink(link);
	rmdir(recording->link_dir);
}

/* The command's environment, with the library before all others that are preloaded. */
static char **environment_of(const struct preload_run *recording, struct arena *arena)
{
	const struct preload_options *options = recording->options;
	const char *others = "";
	size_t count = 0, used = 0;
	char **out;

	while (options->environment[count])
		count++;
	out = arena_array(arena, count + 4, sizeof(*out));
	for (size_t i = 0; i < count; i++)
		if (is_variable(options->environment[i], "LD_PRELOAD"))
			others = options->environment[i] + strlen("LD_PRELOAD=");
		else if (!is_variable(options->environment[i], CHANNEL_VARIABLE) && !is_variable(options->environment[i], HANDOVER_VARIABLE))
			out[used++] = options->environment[i];
	out[used++] = arena_printf(arena, "LD_PRELOAD=%s%s%s%s", library_of(recording), *recording->link_dir ? LINK_NAME : "", *others ? ":" : "", others);
	out[used++] = arena_printf(arena, "%s=%s", CHANNEL_VARIABLE, recording->path);
	if (recording->socket_fd >= 0)
		out[used] = arena_printf(arena, "%s=%s", HANDOVER_VARIABLE, recording->socket);
	return out;
}

/* What was blocked or ignored is so for it, as without drvabi. Says in @failed why it cannot. */
static void become_command(const struct preload_run *recording, char **environment, int failed)
{
	const char *const *command = recording->options->command;

	sigaction(SIGCHLD, &recording->children, NULL);
	pthread_sigmask(SIG_SETMASK, &recording->before, NULL);
	execvpe(command[0], (char *const *)(uintptr_t)command, environment);
	if (write(failed, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

/* Return: 0; why it does not run. */
static int wait_for_exec(struct preload_run *recording, int failed)
{
	int error = 0;
	ssize_t got;

	do
		got = read(failed, &error, sizeof(error)); /* the exec closes the other end */
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)sizeof(error))
		return 0;
	waitpid(recording->command, NULL, 0);
	return error;
}

static int spawn(struct preload_run *recording, char **environment, struct err *err)
{
	const char *name = recording->options->command[0];
	int failed[2], error;

	if (pipe2(failed, O_CLOEXEC))
		return err_set(err, ERR_IO, "cannot run %s: %s", name, strerror(errno));
	recording->command = fork();
	error = recording->command < 0 ? errno : 0;
	if (!recording->command) {
		close(failed[0]);
		become_command(recording, environment, failed[1]);
	}
	close(failed[1]);
	if (!error)
		error = wait_for_exec(recording, failed[0]);
	close(failed[0]);
	if (error)
		return err_set(err, error == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot run %s: %s", name, strerror(error));
	return 0;
}

/* --- what was recorded ----------------------------------------------------------------------------- */

static void tell_loss(const struct preload_run *recording, const char *sentence)
{
	recording->observer->loss(recording->observer->data, sentence);
}

static void end_workload(struct preload_run *recording)
{
	recording->result.was_ended = true;
	if (!recording->has_ended)
		kill(recording->command, SIGKILL);
	channel_close(&recording->channel);
}

static void tell_damage(struct preload_run *recording)
{
	recording->is_damaged = true;
	tell_loss(recording, "the workload has overwritten what was recorded of it; what it does from now on is not recorded");
}

/* How many bytes are whole messages: all, unless the workload wrote there itself. */
static size_t whole_bytes(struct preload_run *recording, const uint8_t *begin, size_t size_bytes)
{
	const uint8_t *at = begin, *const end = begin + size_bytes;
	uint64_t length;

	while (end - at >= TRACE_LENGTH_BYTES && (length = trace_length(at)) <= (uint64_t)(end - at) - TRACE_LENGTH_BYTES)
		at += TRACE_LENGTH_BYTES + length;
	if (at != end)
		tell_damage(recording);
	return (size_t)(at - begin);
}

static void tell_messages(struct preload_run *recording, const uint8_t *at, const uint8_t *end)
{
	struct trace_message message;
	struct err err;
	int rc = 0;

	while (!recording->result.was_ended && (rc = trace_take(&message, recording->unpacker, &at, end, CHANNEL_MESSAGE_MAX, &err)) == 1)
		if (!recording->observer->message(recording->observer->data, &message))
			end_workload(recording);
	if (rc < 0)
		tell_damage(recording);
}

/* Return: false if there was nothing. */
static bool take_messages(struct preload_run *recording)
{
	const struct preload_observer *observer = recording->observer;
	const uint8_t *begin;
	const size_t there = channel_peek(&begin, &recording->channel);
	size_t size_bytes = 0;

	if (there == SIZE_MAX) {
		if (!recording->is_damaged)
			tell_damage(recording);
		return false;
	}
	if (!recording->is_damaged && !recording->result.was_ended)
		size_bytes = whole_bytes(recording, begin, there);
	if (size_bytes && !observer->bytes(observer->data, begin, size_bytes))
		end_workload(recording);
	if (size_bytes && observer->message)
		tell_messages(recording, begin, begin + size_bytes);
	channel_take(&recording->channel, there);
	return there;
}

/* --- until all have ended -------------------------------------------------------------------------- */

static bool is_stranger(const struct preload_run *recording, pid_t pid)
{
	for (size_t i = 0; i < recording->stranger_count; i++)
		if (recording->strangers[i] == pid)
			return true;
	return false;
}

/* One that has ended: the workload may get its number. */
static void forget_stranger(struct preload_run *recording, pid_t pid)
{
	for (size_t i = 0; i < recording->stranger_count; i++)
		if (recording->strangers[i] == pid) {
			recording->strangers[i] = recording->strangers[--recording->stranger_count];
			return;
		}
}

/* The workload's processes that are children of this one: the command, and those whose parents have ended. @signal: 0 sends none. */
static size_t signal_children(const struct preload_run *recording, int signal)
{
	pid_t *found;
	const size_t count = processes_find(&found, PROCESSES_OF_PARENT, getpid());
	size_t own = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_stranger(recording, found[i]))
			continue;
		own++;
		kill(found[i], signal);
	}
	free(found);
	return own;
}

/* Return: false if no child is left. */
static bool reap(struct preload_run *recording)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		forget_stranger(recording, pid);
		if (pid == recording->command) {
			recording->result.status = status;
			recording->has_ended = true;
		}
	}
	if (pid)
		return false;
	if (recording->result.was_ended)
		signal_children(recording, SIGKILL);
	return !recording->has_ended || !recording->stranger_count || signal_children(recording, 0);
}

/* What the terminal sends, it sends to the command as well. What the command sends is for its parent, and not for itself. */
static void pass_on(const struct preload_run *recording, const siginfo_t *info)
{
	if (info->si_signo == SIGCHLD || info->si_code > 0 || info->si_pid == recording->command)
		return;
	if (recording->has_ended)
		signal_children(recording, info->si_signo); /* what it left behind */
	else
		kill(recording->command, info->si_signo);
}

static void watch(struct preload_run *recording)
{
	bool busy = true;

	while (reap(recording)) {
		const struct timespec time = { .tv_nsec = busy ? BUSY_NS : IDLE_NS };
		siginfo_t info;

		if (sigtimedwait(&recording->signals, &info, &time) > 0)
			pass_on(recording, &info);
		if (recording->socket_fd >= 0)
			recording->refused += handover_serve(recording->socket_fd, recording->channel_fd);
		busy = take_messages(recording);
	}
	channel_close(&recording->channel);
	while (take_messages(recording) && !recording->is_damaged)
		;
}

static void tell_losses(const struct preload_run *recording)
{
	const struct channel_head *head = recording->channel.head;
	struct strbuf sentence = { 0 };

	if (!head->attached)
		strbuf_adds(&sentence, "the library was not loaded, as into static programs and those with privileges of their own; without --preload, sniff sees them");
	else if (head->lost)
		strbuf_addf(&sentence, "%" PRIu64 " call%s missing: there was no memory to record in, or a signal interrupted that", head->lost,
			    head->lost == 1 ? " is" : "s are");
	if (sentence.length && !recording->result.was_ended)
		tell_loss(recording, sentence.text);
	if (recording->refused)
		tell_loss(recording, "what processes of other users did is not recorded: only those of this user get at the memory that is shared with drvabi");
	strbuf_release(&sentence);
}

static int run(struct preload_run *recording, struct err *err)
{
	struct arena arena = { 0 };
	int was_reaper = 0, rc;

	prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	recording->stranger_count = processes_find(&recording->strangers, PROCESSES_OF_PARENT, getpid());
	if (!(rc = spawn(recording, environment_of(recording, &arena), err))) {
		recording->observer->started(recording->observer->data);
		watch(recording);
		tell_losses(recording);
	}
	prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
	free(recording->strangers);
	arena_release(&arena);
	return rc;
}

static int run_with_signals(struct preload_run *recording, struct err *err)
{
	static const int taken[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD };
	const struct sigaction by_default = { .sa_handler = SIG_DFL }; /* who ignores it learns of no child how it ended */
	int rc;

	sigemptyset(&recording->signals);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		sigaddset(&recording->signals, taken[i]);
	pthread_sigmask(SIG_BLOCK, &recording->signals, &recording->before);
	sigaction(SIGCHLD, &by_default, &recording->children);
	rc = run(recording, err);
	sigaction(SIGCHLD, &recording->children, NULL);
	pthread_sigmask(SIG_SETMASK, &recording->before, NULL);
	return rc;
}

/* The kernel counts memory that is shared as a file. */
static int cannot_share(struct err *err, int error)
{
	struct rlimit limit;

	if (error != EFBIG || getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return err_set(err, ERR_IO, "cannot share memory with the workload: %s", strerror(error));
	return err_set(err, ERR_IO, "cannot share memory with the workload: files may have %llu bytes here, and its %d MB count as one; raise the limit "
		       "(ulimit -f), or leave --preload out", (unsigned long long)limit.rlim_cur, CHANNEL_RING_BYTES / (1024 * 1024) + 1);
}

/* A file without a name: the workload finds it among this process's descriptors, or asks for it, and nothing is left of it. */
static int open_channel(struct preload_run *recording, struct err *err)
{
	const struct preload_options *options = recording->options;
	struct strbuf plan = { 0 };
	int rc = 0;

	plan_make(&plan, options->abi, options->rules, options->devices);
	recording->channel_fd = memfd_create("drvabi-preload", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (recording->channel_fd < 0 ||
	    channel_create(&recording->channel, recording->channel_fd, plan.text, plan.length, options->region_bytes) ||
	    fcntl(recording->channel_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) /* what is mapped stays */
		rc = cannot_share(err, errno);
	strbuf_release(&plan);
	if (rc && recording->channel_fd >= 0)
		close(recording->channel_fd);
	if (rc)
		return rc;
	snprintf(recording->path, sizeof(recording->path), "/proc/%ld/fd/%d", (long)getpid(), recording->channel_fd);
	recording->socket_fd = handover_open(recording->socket);
	return 0;
}

static void close_channel(struct preload_run *recording)
{
	channel_release(&recording->channel);
	close(recording->channel_fd);
	if (recording->socket_fd >= 0)
		close(recording->socket_fd);
}

int preload_run(struct preload_result *out, const struct preload_options *options, const struct preload_observer *observer, struct err *err)
{
	struct preload_run recording = { .options = options, .observer = observer };
	int rc;

	if (access(options->library, R_OK))
		return err_set(err, ERR_NOT_FOUND, "cannot preload %s: %s", options->library, strerror(errno));
	if ((rc = open_channel(&recording, err)))
		return rc;
	if ((rc = open_link(&recording, err))) {
		close_channel(&recording);
		return rc;
	}
	recording.unpacker = trace_unpacker_new();
	if (!(rc = run_with_signals(&recording, err)))
		*out = recording.result;
	trace_unpacker_free(recording.unpacker);
	close_link(&recording);
	close_channel(&recording);
	return rc;
}
