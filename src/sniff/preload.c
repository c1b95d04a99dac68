/*
 * Runs a command with the preloaded library: makes a plan from the document, starts the command, and reads
 * the recorded calls until all processes of the workload have ended. The plan tells the library which bytes
 * of each call to record. The channel is the shared memory through which the library sends them
 * (channel.h). If LD_PRELOAD cannot have the library's path, a symbolic link to the library is made.
 */
#include "sniff/channel.h"
#include "sniff/internal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the plan ------------------------------------------------------------------------------------- */

/* With NVOS54_FLAGS_FINN_SERIALIZED (nvos.h), the driver does not follow pointers in the parameters. */
#define SERIALIZING_RECORD "NVOS54_PARAMETERS"

enum { SERIALIZED = 4, RECORD_BYTES_MAX = 1024 * 1024 };

struct making {
	const struct abi *abi;
	const struct pointer_rules *rules;
	struct plan_entry *entries;
	size_t entry_count, entry_capacity;
	struct plan_step *steps;
	size_t step_count, step_capacity;
};

static void add_step(struct making *making, const struct plan_step *step)
{
	ARRAY_GROW(making->steps, making->step_count, making->step_capacity);
	making->steps[making->step_count++] = *step;
}

/* Finds a field. Return: zeros if the record has no such field, or the field does not have whole bytes. */
static struct plan_field field_of(const struct making *making, const char *record, const char *path)
{
	struct call_field found;

	if (!path || !call_field_find(&found, making->abi, record, path) || found.offset_bits % 8 ||
	    found.field->is_bitfield ||
	    found.field->size_bits > 64 || found.offset_bits / 8 > UINT32_MAX)
		return (struct plan_field){ 0, 0 };
	return (struct plan_field){ (uint32_t)(found.offset_bits / 8),
				    (uint32_t)(found.field->size_bits / 8) };
}

/* If a record is an envelope of another ioctl, adds the step that finds that ioctl and its parameters. */
static void add_envelope(struct making *making, const struct abi_ioctl *ioctl, const char *record)
{
	const struct call_rule *rule = call_rule_of(ioctl, record);
	struct plan_step step = { .kind = PLAN_ENVELOPE };

	if (!rule)
		return;
	snprintf(step.family, sizeof(step.family), "%s", rule->family);
	step.number = field_of(making, record, rule->number);
	step.pointer = field_of(making, record, rule->pointer);
	step.size = field_of(making, record, rule->size);
	if (!step.number.size_bytes || !step.pointer.size_bytes || !step.size.size_bytes)
		return;
	if (!strcmp(record, SERIALIZING_RECORD)) {
		step.when = field_of(making, record, "flags");
		step.mask = SERIALIZED;
	}
	add_step(making, &step);
}

/* Adds a step for each pointer of a record that the profile lists, so that its target is recorded. */
static void add_pointers(struct making *making, const struct abi_ioctl *ioctl, const char *record)
{
	for (size_t i = 0; i < making->rules->count; i++) {
		const struct pointer_rule *rule = &making->rules->rules[i];

		if (!call_pointer_rule_matches(rule, making->abi, ioctl, record))
			continue;
		add_step(making, &(struct plan_step){
			.kind = PLAN_POINTER,
			.pointer = field_of(making, record, rule->path),
			.size = field_of(making, record, rule->count),
			.times = field_of(making, record, rule->times),
			.when = field_of(making, record, rule->when),
			.element_bytes = call_record_size(making->abi, rule->element),
			.mask = rule->mask, .equals = rule->equals,
		});
	}
}

/*
 * Adds the entry, with its steps, for parameters of @size_bytes; none if no record has this size, or it is
 * too large. The entry goes after all entries with the same or a lower number. The ioctls of a document are
 * sorted by number, so only the entries of drm move: their identity is a part of the number.
 */
static void add_plan_entry(struct making *making, const struct abi_ioctl *ioctl, uint64_t size_bytes)
{
	const char *record = call_record(making->abi, ioctl, size_bytes);
	const struct call call = { .record = record, .size_bytes = size_bytes };
	struct plan_entry entry = { .number = abi_ioctl_identity(ioctl),
				    .size_bytes = size_bytes,
				    .first_step = (uint32_t)making->step_count };
	struct call_fd fds[CALL_FDS_MAX];
	size_t fd_count, at;

	if (!record || call_record_size(making->abi, record) != size_bytes || !size_bytes ||
	    size_bytes > RECORD_BYTES_MAX)
		return;
	add_envelope(making, ioctl, record);
	add_pointers(making, ioctl, record);
	fd_count = call_fds(fds, &call, making->abi);
	for (size_t i = 0; i < fd_count; i++)
		add_step(making, &(struct plan_step){
			.kind = PLAN_FD,
			.number = { (uint32_t)fds[i].offset_bytes, (uint32_t)fds[i].size_bytes },
		});
	snprintf(entry.family, sizeof(entry.family), "%s", ioctl->family);
	entry.step_count = (uint32_t)(making->step_count - entry.first_step);
	ARRAY_GROW(making->entries, making->entry_count, making->entry_capacity);
	for (at = making->entry_count++; at && making->entries[at - 1].number > entry.number &&
					 !strcmp(making->entries[at - 1].family, entry.family);
	     at--)
		making->entries[at] = making->entries[at - 1];
	making->entries[at] = entry;
}

/**
 * plan_make - append the plan for all ioctls of a document: which memory the library records for them
 * @abi:   NULL: the plan follows no pointers
 * @rules: which pointers the driver follows
 */
static void plan_make(struct strbuf *out, const struct abi *abi, const struct pointer_rules *rules,
		      const struct device_rules *devices)
{
	struct making making = { .abi = abi, .rules = rules };
	struct plan_head head;

	for (size_t i = 0; abi && i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		const uint64_t usual = ioctl->params ? call_record_size(abi, ioctl->params) : 0;

		add_plan_entry(&making, ioctl, usual);
		/* an ioctl of frontend can have several records; the one with the usual size is first */
		if (!call_rule_of(ioctl, "NVOS21_PARAMETERS") && !call_rule_of(ioctl, "NVOS64_PARAMETERS"))
			continue;
		for (size_t k = 0; k < abi->record_count; k++)
			if (abi->records[k].size_bytes != usual && call_rule_of(ioctl, abi->records[k].name))
				add_plan_entry(&making, ioctl, abi->records[k].size_bytes);
	}
	head = (struct plan_head){ (uint32_t)making.entry_count, (uint32_t)making.step_count,
				   (uint32_t)devices->count, 0 };
	strbuf_add(out, &head, sizeof(head));
	strbuf_add(out, making.entries, making.entry_count * sizeof(*making.entries));
	strbuf_add(out, making.steps, making.step_count * sizeof(*making.steps));
	if (devices->count)
		strbuf_add(out, devices->rules, devices->count * sizeof(*devices->rules));
	free(making.entries);
	free(making.steps);
}

enum { BUSY_NS = 500 * 1000, IDLE_NS = 5 * 1000 * 1000 };

struct preload_recording {
	const struct sniff_options *options;
	const struct sniff_observer *observer;
	struct channel channel;
	int channel_fd, socket_fd; /* @socket_fd is -1 if there is no socket */
	char path[64], socket[HANDOVER_NAME_MAX]; /* the channel's path, the socket's name */
	/* a link to the library, if ld.so rejects its path, and the link's directory; else "" */
	char link[64], link_dir[32];
	struct trace_unpacker *unpacker;
	pid_t command;
	bool has_ended;               /* the command has ended; its child processes may continue */
	pid_t *strangers;             /* children that this process had before the run */
	size_t stranger_count;
	unsigned refused;             /* processes of other users that requested the channel */
	struct sniff_result result;
	bool is_damaged; /* the bytes in the ring were not written by the library */
	sigset_t signals, before;
	struct sigaction children; /* the previous action for SIGCHLD */
};

/* --- the command --------------------------------------------------------------------------------- */

/* ld.so splits LD_PRELOAD at blanks and colons, and expands $ORIGIN. There is no way to quote them. */
#define LD_PRELOAD_SPECIAL " :$"

/*
 * If LD_PRELOAD cannot have the library's path, makes a link to the library in a directory that no other user
 * may change, and sets link and link_dir. The link remains if this process is killed, and processes in other
 * pid namespaces find it. Return: 0; ERR_IO.
 */
static int open_link(struct preload_recording *recording, struct err *err)
{
	const char *library = recording->options->library;

	if (!strpbrk(library, LD_PRELOAD_SPECIAL))
		return 0;
	snprintf(recording->link_dir, sizeof(recording->link_dir), "/tmp/drvabi-XXXXXX");
	if (mkdtemp(recording->link_dir)) {
		snprintf(recording->link, sizeof(recording->link), "%s/libdrvabi-preload.so",
			 recording->link_dir);
		/* so that the workload can use the link after it has changed its user */
		if (!chmod(recording->link_dir, 0755) && !symlink(library, recording->link))
			return 0;
		rmdir(recording->link_dir);
	}
	*recording->link = *recording->link_dir = '\0';
	return err_set(
		err, ERR_IO,
		"cannot preload %s: ld.so accepts no path with a space, a colon or a dollar sign, and a link to the library cannot be made in /tmp: %s; "
		"install drvabi in a different directory, or omit --preload",
		library, strerror(errno));
}

/* Executes the command, with the library preloaded before all others. Returns only on failure. */
static void exec_command(const struct preload_recording *recording)
{
	const struct sniff_options *options = recording->options;
	const char *library = *recording->link ? recording->link : options->library, *others = "";
	struct strbuf preload = { 0 };

	environ = (char **)(uintptr_t)options->environment;
	/* ld.so uses the last of several variables with one name, setenv() replaces only the first */
	for (char *const *at = environ; *at; at++)
		if (begins(*at, "LD_PRELOAD="))
			others = *at + strlen("LD_PRELOAD=");
	strbuf_addf(&preload, "%s%s%s", library, *others ? ":" : "", others);
	unsetenv("LD_PRELOAD");
	unsetenv(CHANNEL_VARIABLE);
	unsetenv(HANDOVER_VARIABLE);
	setenv("LD_PRELOAD", preload.text, 1);
	setenv(CHANNEL_VARIABLE, recording->path, 1);
	if (recording->socket_fd >= 0)
		setenv(HANDOVER_VARIABLE, recording->socket, 1);
	execvp(options->command[0], (char *const *)(uintptr_t)options->command);
}

/* Starts the command as a child, and waits for its exec. Return: 0; ERR_NOT_FOUND; ERR_IO. */
static int spawn_command(struct preload_recording *recording, struct err *err)
{
	const char *name = recording->options->command[0];
	int failed[2], error;

	if (pipe2(failed, O_CLOEXEC))
		return err_set(err, ERR_IO, "cannot run %s: %s", name, strerror(errno));
	recording->command = fork();
	error = recording->command < 0 ? errno : 0;
	if (!recording->command) { /* the command inherits the original signal settings */
		close(failed[0]);
		sigaction(SIGCHLD, &recording->children, NULL);
		pthread_sigmask(SIG_SETMASK, &recording->before, NULL);
		exec_command(recording);
		_exit(write(failed[1], &errno, sizeof(errno)) < 0 ? 126 : 127);
	}
	close(failed[1]);
	if (!error && read(failed[0], &error, sizeof(error)) == (ssize_t)sizeof(error))
		waitpid(recording->command, NULL, 0); /* otherwise the exec has closed the other end */
	close(failed[0]);
	if (error)
		return err_set(err, error == ENOENT ? ERR_NOT_FOUND : ERR_IO, "cannot run %s: %s", name,
			       strerror(error));
	return 0;
}

/* --- the recorded calls ---------------------------------------------------------------------------- */

static void end_workload(struct preload_recording *recording)
{
	recording->result.was_ended = true;
	if (!recording->has_ended)
		kill(recording->command, SIGKILL);
	channel_close(&recording->channel);
}

static void report_damage(struct preload_recording *recording)
{
	recording->is_damaged = true;
	observer_loss(recording->observer,
		      "the workload has overwritten the recorded calls; its later calls are not recorded");
}

/* Returns the size of all whole messages. If bytes remain, reports that the workload wrote to the ring. */
static size_t whole_bytes(struct preload_recording *recording, const uint8_t *begin, size_t size_bytes)
{
	const uint8_t *at = begin, *const end = begin + size_bytes;
	uint64_t length;

	while (end - at >= TRACE_LENGTH_BYTES &&
	       (length = trace_length(at)) <= (uint64_t)(end - at) - TRACE_LENGTH_BYTES)
		at += TRACE_LENGTH_BYTES + length;
	if (at != end)
		report_damage(recording);
	return (size_t)(at - begin);
}

/*
 * Passes the messages in the ring on to the observer, and removes them. If the observer refuses a message,
 * ends the workload. If the workload has overwritten the ring, reports this, and discards the bytes.
 * Return: false if the ring was empty, or its head was overwritten.
 */
static bool take_messages(struct preload_recording *recording)
{
	const struct sniff_observer *observer = recording->observer;
	const uint8_t *begin, *end;
	const size_t there = channel_peek(&begin, &recording->channel);
	struct trace_message message;
	size_t size_bytes = 0;
	struct err err;
	int rc = 0;

	if (there == SIZE_MAX) {
		if (!recording->is_damaged)
			report_damage(recording);
		return false;
	}
	if (!recording->is_damaged && !recording->result.was_ended)
		size_bytes = whole_bytes(recording, begin, there);
	if (size_bytes && observer->bytes)
		observer->bytes(observer->data, begin, size_bytes);
	end = begin + size_bytes;
	while (observer->message && !recording->result.was_ended &&
	       (rc = trace_take(&message, recording->unpacker, &begin, end, CHANNEL_MESSAGE_MAX, &err)) == 1)
		if (!observer->message(observer->data, &message, NULL, 0))
			end_workload(recording);
	if (rc < 0)
		report_damage(recording);
	channel_take(&recording->channel, there);
	return there;
}

/* --- until all processes have ended ---------------------------------------------------------------- */

/* Finds @pid in strangers. Return: its index; stranger_count if it is not there. */
static size_t find_stranger(const struct preload_recording *recording, pid_t pid)
{
	size_t at = 0;

	while (at < recording->stranger_count && recording->strangers[at] != pid)
		at++;
	return at;
}

/*
 * Sends @signal to the workload's processes that are children of this process: the command, and processes
 * whose parents have ended. @signal: 0 sends nothing. Return: the number of these processes.
 */
static size_t signal_children(const struct preload_recording *recording, int signal)
{
	pid_t *found;
	const size_t count = processes_find(&found, PROCESSES_OF_PARENT, getpid());
	size_t own = 0;

	for (size_t i = 0; i < count; i++) {
		if (find_stranger(recording, found[i]) < recording->stranger_count)
			continue;
		own++;
		kill(found[i], signal);
	}
	free(found);
	return own;
}

/*
 * Takes the exit status of children that have ended. If the observer ended the workload, kills its remaining
 * processes. Return: false if no process of the workload is left.
 */
static bool reap_children(struct preload_recording *recording)
{
	int status;
	size_t at;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		at = find_stranger(recording, pid);
		if (at < recording->stranger_count) /* a process of the workload may get this pid */
			recording->strangers[at] = recording->strangers[--recording->stranger_count];
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

/*
 * Takes messages of the workload, passes signals on to it, and sends the channel to processes that request
 * it, until all processes of the workload have ended. Then closes the channel, and takes the last messages.
 */
static void watch_recording(struct preload_recording *recording)
{
	bool busy = true;

	while (reap_children(recording)) {
		const struct timespec time = { .tv_nsec = busy ? BUSY_NS : IDLE_NS };
		siginfo_t info;

		/* the command gets signals of the terminal as well, and its own are meant for this process */
		if (sigtimedwait(&recording->signals, &info, &time) > 0 && info.si_signo != SIGCHLD &&
		    info.si_code <= 0 && info.si_pid != recording->command) {
			if (recording->has_ended) /* the command may have left processes running */
				signal_children(recording, info.si_signo);
			else
				kill(recording->command, info.si_signo);
		}
		if (recording->socket_fd >= 0)
			recording->refused += handover_serve(recording->socket_fd, recording->channel_fd);
		busy = take_messages(recording);
	}
	channel_close(&recording->channel);
	while (take_messages(recording) && !recording->is_damaged)
		;
}

/*
 * Runs the command as a child, records it until its last process has ended, and reports calls that are
 * missing. Afterwards, signals are handled as before. Return: 0; an error of spawn_command().
 */
static int run_recording(struct preload_recording *recording, struct err *err)
{
	static const int taken[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCHLD };
	/* if SIGCHLD is ignored, children have no status */
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	const struct channel_head *head = recording->channel.head;
	int was_reaper = 0, rc;

	sigemptyset(&recording->signals);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		sigaddset(&recording->signals, taken[i]);
	pthread_sigmask(SIG_BLOCK, &recording->signals, &recording->before);
	sigaction(SIGCHLD, &by_default, &recording->children);
	prctl(PR_GET_CHILD_SUBREAPER, &was_reaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	recording->stranger_count = processes_find(&recording->strangers, PROCESSES_OF_PARENT, getpid());
	if (!(rc = spawn_command(recording, err))) {
		recording->observer->started(recording->observer->data);
		watch_recording(recording);
		if (!head->attached && !recording->result.was_ended) {
			observer_loss(recording->observer,
				"the library was not loaded: static and set-user-id programs do not load it; sniff without --preload records them");
		} else if (head->lost && !recording->result.was_ended) {
			observer_loss(recording->observer,
				"%" PRIu64 " call%s missing: memory ran out, or a signal interrupted the recording",
				head->lost, head->lost == 1 ? " is" : "s are");
		}
		if (recording->refused)
			observer_loss(recording->observer,
				"calls of other users' processes are not recorded: they cannot open the memory shared with drvabi");
	}
	prctl(PR_SET_CHILD_SUBREAPER, was_reaper);
	free(recording->strangers);
	sigaction(SIGCHLD, &recording->children, NULL);
	pthread_sigmask(SIG_SETMASK, &recording->before, NULL);
	return rc;
}

/* Explains @error of open_channel(). RLIMIT_FSIZE applies to shared memory as well. Return: ERR_IO. */
static int cannot_share(struct err *err, int error)
{
	struct rlimit limit;

	if (error != EFBIG || getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return err_set(err, ERR_IO, "cannot share memory with the workload: %s", strerror(error));
	return err_set(
		err, ERR_IO,
		"cannot share memory with the workload: a file can have at most %llu bytes here, and the shared memory needs %d MB; raise the limit "
		"(ulimit -f), or omit --preload",
		(unsigned long long)limit.rlim_cur, CHANNEL_RING_BYTES / (1024 * 1024) + 1);
}

/*
 * Makes the channel in a file without a name, which is freed with its last descriptor. The workload opens it
 * in /proc/PID/fd of this process, or requests it through the socket, which is optional. Return: 0; ERR_IO.
 */
static int open_channel(struct preload_recording *recording, struct err *err)
{
	const struct sniff_options *options = recording->options;
	struct strbuf plan = { 0 };
	int rc = 0;

	plan_make(&plan, options->abi, options->pointers, options->devices);
	recording->channel_fd = memfd_create("drvabi-preload", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (recording->channel_fd < 0 ||
	    channel_create(&recording->channel, recording->channel_fd, plan.text, plan.length,
			   options->region_bytes) ||
	    /* the size cannot change any more, but the contents can */
	    fcntl(recording->channel_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		rc = cannot_share(err, errno);
	strbuf_release(&plan);
	if (rc && recording->channel_fd >= 0)
		close(recording->channel_fd);
	if (rc)
		return rc;
	snprintf(recording->path, sizeof(recording->path), "/proc/%ld/fd/%d", (long)getpid(),
		 recording->channel_fd);
	recording->socket_fd = handover_open(recording->socket);
	return 0;
}

static void close_channel(struct preload_recording *recording)
{
	channel_release(&recording->channel);
	close(recording->channel_fd);
	if (recording->socket_fd >= 0)
		close(recording->socket_fd);
}

int preload_run(struct sniff_result *out, const struct sniff_options *options,
		const struct sniff_observer *observer, struct err *err)
{
	struct preload_recording recording = { .options = options, .observer = observer };
	int rc;

	if (access(options->library, R_OK))
		return err_set(err, ERR_NOT_FOUND, "cannot preload %s: %s", options->library,
			       strerror(errno));
	if ((rc = open_channel(&recording, err)))
		return rc;
	if ((rc = open_link(&recording, err))) {
		close_channel(&recording);
		return rc;
	}
	recording.unpacker = trace_unpacker_new();
	if (!(rc = run_recording(&recording, err)))
		*out = recording.result;
	trace_unpacker_free(recording.unpacker);
	if (*recording.link) {
		unlink(recording.link);
		rmdir(recording.link_dir);
	}
	close_channel(&recording);
	return rc;
}
