/*
 * workload.c - the modes of the workload; each tests one aspect of tracing
 *
 * usage: workload --log FILE [--raw] [--pretend] [--any-answer] [--count N] MODE...
 *
 * Each mode opens its own devices and allocates its own handles. Modes run one after the other, and append to
 * the log.
 * Exit status: 0; 1 if a mode got unexpected results; 2 if it cannot be run; 3 if the log cannot be written.
 */
#include "workload.h"
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct options options = { .log = -1, .count = 1000 };

static void fail(const char *what)
{
	if (options.any_answer)
		return;
	fprintf(stderr, "workload: %s\n", what);
	_exit(1);
}

/* --- calls ---------------------------------------------------------------------------- */

static uint64_t address_of(const void *pointer)
{
	return (uint64_t)(uintptr_t)pointer;
}

/* plain - make a frontend ioctl whose parameters contain no pointers */
static int plain(struct device device, unsigned number, void *argument, size_t size_bytes)
{
	struct call call = { .device = device, .request = _IOC(_IOC_READ | _IOC_WRITE, 'F', number, size_bytes), .argument = argument, .size_bytes = size_bytes };

	return call_make(&call);
}

/* rm_alloc - make an NV_ESC_RM_ALLOC. Return: the handle of the new object. */
static uint32_t rm_alloc(struct device device, uint32_t root, uint32_t parent, uint32_t object, uint32_t class, void *params, size_t size_bytes)
{
	struct rm_alloc alloc = { .root = root, .parent = parent, .object = object, .class = class, .params = address_of(params) };
	struct call call = {
		.device = device, .request = ESCAPE(ESC_ALLOC, struct rm_alloc), .argument = &alloc, .size_bytes = sizeof(alloc),
		.memory = { { params, size_bytes } }, .memory_count = params ? 1 : 0,
	};

	call_make(&call);
	return alloc.object;
}

/* rm_control_list - make an NV_ESC_RM_CONTROL whose @params can point to @list. Return: the status. */
static uint32_t rm_control_list(struct device device, uint32_t client, uint32_t object, uint32_t command, void *params, size_t size_bytes,
				struct memory list)
{
	struct rm_control control = {
		.client = client, .object = object, .command = command, .params = address_of(params), .params_size = (uint32_t)size_bytes,
	};
	struct call call = {
		.device = device, .request = ESCAPE(ESC_CONTROL, struct rm_control), .argument = &control, .size_bytes = sizeof(control),
		.memory = { { params, size_bytes }, list }, .memory_count = list.address ? 2 : 1,
	};

	call_make(&call);
	return control.status;
}

static uint32_t rm_control(struct device device, uint32_t client, uint32_t object, uint32_t command, void *params, size_t size_bytes)
{
	return rm_control_list(device, client, object, command, params, size_bytes, (struct memory){ NULL, 0 });
}

/* --- modes ---------------------------------------------------------------------------- */

/* struct session - a client with a device and a subdevice, whose handles are DEVICE and SUBDEVICE */
struct session {
	struct device control, gpu;
	uint32_t client, subdevice;
};

enum { DEVICE = 0xd0, SUBDEVICE = 0x5d };

static struct session session_begin(void)
{
	struct session session = { device_open("/dev/nvidiactl", O_RDWR), device_open("/dev/nvidia0", O_RDWR), 0, SUBDEVICE };
	struct device_params device = { .size = 1ull << 40 };
	uint32_t root = 0, subdevice = 0;

	session.client = rm_alloc(session.control, 0, 0, 0, CLASS_ROOT, &root, sizeof(root));
	rm_alloc(session.control, session.client, session.client, DEVICE, CLASS_DEVICE, &device, sizeof(device));
	rm_alloc(session.control, session.client, DEVICE, SUBDEVICE, CLASS_SUBDEVICE, &subdevice, sizeof(subdevice));
	return session;
}

static void session_end(const struct session *session)
{
	struct rm_free all = { session->client, 0, session->client, 0 };

	plain(session->control, ESC_FREE, &all, sizeof(all));
	close(session->gpu.fd);
	close(session->control.fd);
}

static void get_name(const struct session *session)
{
	uint8_t name[NAME_SIZE] = { 0 };

	rm_control(session->control, session->client, session->subdevice, GPU_GET_NAME, name, sizeof(name));
}

/* mode_basic - make one call of each kind */
static void mode_basic(void)
{
	struct session session = session_begin();
	struct device uvm = device_open("/dev/nvidia-uvm", O_RDWR);
	struct uvm_initialize initialize = { .flags = 0 };
	struct uvm_pageable pageable = { .access = 0 };
	struct api_version version = { .command = '2', .text = "590.48.01" };
	struct rm_alloc_old old = { session.client, SUBDEVICE, 0, CLASS_UNKNOWN, 0, 0, 0 };
	uint8_t not_there[NOT_THERE_SIZE] = { 1 };
	static uint8_t pids[PIDS_SIZE];
	uint32_t parameters = 1;

	call_make(&(struct call){ .device = uvm, .request = UVM_INITIALIZE, .argument = &initialize, .size_bytes = sizeof(initialize) });
	call_make(&(struct call){ .device = uvm, .request = UVM_PAGEABLE_MEM_ACCESS, .argument = &pageable, .size_bytes = sizeof(pageable) });
	plain(session.control, ESC_CHECK_VERSION, &version, sizeof(version));
	get_name(&session);
	rm_control(session.control, session.client, SUBDEVICE, GPU_GET_PIDS, pids, sizeof(pids));
	rm_control(session.control, session.client, SUBDEVICE, NOT_THERE, not_there, sizeof(not_there));
	rm_alloc(session.control, session.client, SUBDEVICE, 0, CLASS_SUBDEVICE, &parameters, sizeof(parameters));
	plain(session.control, ESC_ALLOC, &old, sizeof(old));
	session_end(&session);
	close(uvm.fd);
}

/* mode_embedded - make calls whose parameters contain a pointer */
static void mode_embedded(void)
{
	struct session session = session_begin();
	uint32_t list[4] = { 0 };
	struct engines engines = { 0, 0, 0 };

	rm_control(session.control, session.client, SUBDEVICE, GPU_GET_ENGINES, &engines, sizeof(engines));
	engines = (struct engines){ 4, 0, address_of(list) };
	rm_control_list(session.control, session.client, SUBDEVICE, GPU_GET_ENGINES, &engines, sizeof(engines), (struct memory){ list, sizeof(list) });
	if (list[3] != 12)
		fail("embedded: the list was not written");
	session_end(&session);
}

/* mode_xfer - make an ioctl inside NV_ESC_IOCTL_XFER_CMD */
static void mode_xfer(void)
{
	struct session session = session_begin();
	uint8_t name[NAME_SIZE] = { 0 };
	struct rm_control control = { session.client, SUBDEVICE, GPU_GET_NAME, 0, address_of(name), sizeof(name), 0 };
	struct xfer xfer = { ESC_CONTROL, sizeof(control), address_of(&control) };

	call_make(&(struct call){
		.device = session.control, .request = ESCAPE(ESC_XFER, struct xfer), .argument = &xfer, .size_bytes = sizeof(xfer),
		.memory = { { &control, sizeof(control) }, { name, sizeof(name) } }, .memory_count = 2,
	});
	if (!name[5])
		fail("xfer: the name was not written");
	session_end(&session);
}

/* mode_fds - make calls with file descriptors in their parameters */
static void mode_fds(void)
{
	struct session session = session_begin();
	struct os_event event = { session.client, DEVICE, (uint32_t)session.gpu.fd, 0 };
	int control = session.control.fd;

	call_make(&(struct call){
		.device = session.gpu, .request = ESCAPE(ESC_REGISTER_FD, int), .argument = &control, .size_bytes = sizeof(control),
		.descriptors = { { control, session.control.path } }, .descriptor_count = 1,
	});
	call_make(&(struct call){
		.device = session.control, .request = ESCAPE(ESC_ALLOC_OS_EVENT, struct os_event), .argument = &event, .size_bytes = sizeof(event),
		.descriptors = { { session.gpu.fd, session.gpu.path } }, .descriptor_count = 1,
	});
	session_end(&session);
}

/* mode_bad - use invalid pointers as the ioctl's argument, and in its parameters */
static void mode_bad(void)
{
	struct session session = session_begin();
	void *const closed = (void *)0x10000000000; /* the same in every run */
	void *const nowhere[] = { NULL, (void *)8, (void *)0xffff800000000000, mmap(closed, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) };

	for (size_t i = 0; i < sizeof(nowhere) / sizeof(*nowhere); i++) {
		if (plain(session.control, ESC_FREE, nowhere[i], sizeof(struct rm_free)) != -1 || errno != EFAULT)
			fail("bad: an ioctl with an invalid argument did not fail with EFAULT");
		if (i && rm_control(session.control, session.client, SUBDEVICE, GPU_GET_NAME, nowhere[i], NAME_SIZE) != STATUS_INVALID_ADDRESS)
			fail("bad: a call with an invalid pointer did not return the status INVALID_ADDRESS");
	}
	session_end(&session);
}

/* mode_partial - use buffers whose end is not mapped */
static void mode_partial(void)
{
	struct session session = session_begin();
	uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages, 0x5a, 4096);
	mprotect(pages + 4096, 4096, PROT_NONE);
	if (plain(session.control, ESC_FREE, pages + 4096 - 10, sizeof(struct rm_free)) != -1 || errno != EFAULT)
		fail("partial: the ioctl did not fail with EFAULT");
	if (rm_control(session.control, session.client, SUBDEVICE, GPU_GET_NAME, pages + 4096 - 40, NAME_SIZE) != STATUS_INVALID_ADDRESS)
		fail("partial: the call did not return the status INVALID_ADDRESS");
	session_end(&session);
	munmap(pages, 8192);
}

/* repeat - make options.count calls in a session, each with different bytes */
static void repeat(const struct session *session, uint32_t mark)
{
	for (long i = 0; i < options.count; i++) {
		uint32_t state = mark + (uint32_t)i;

		rm_control(session->control, session->client, session->subdevice, GET_PSTATE, &state, sizeof(state));
	}
}

static void mode_many(void)
{
	struct session session = session_begin();

	repeat(&session, 0);
	session_end(&session);
}

static void *thread(void *mark)
{
	struct session session = session_begin();

	repeat(&session, (uint32_t)(uintptr_t)mark);
	session_end(&session);
	return NULL;
}

static void mode_threads(void)
{
	pthread_t threads[8];

	for (uintptr_t i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, thread, (void *)(i << 24)))
			fail("threads: cannot start a thread");
	for (size_t i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
}

static void wait_for(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child || status)
		fail("a child process failed");
}

static void mode_fork(void)
{
	struct session session = session_begin();
	pid_t child = fork();

	if (!child) {
		get_name(&session);
		_exit(0);
	}
	wait_for(child);
	session_end(&session);
}

/* again - execute this program again in mode child, with the session's descriptor and handles */
static void again(const struct session *session)
{
	char fd[16], client[16];
	char *arguments[11] = { (char *)"workload", (char *)"--log", (char *)options.log_path, (char *)"--session", fd, client };
	size_t count = 6;

	snprintf(fd, sizeof(fd), "%d", session->control.fd);
	snprintf(client, sizeof(client), "%u", session->client);
	if (options.raw)
		arguments[count++] = (char *)"--raw";
	if (options.pretend)
		arguments[count++] = (char *)"--pretend";
	if (options.any_answer)
		arguments[count++] = (char *)"--any-answer";
	arguments[count++] = (char *)"child";
	execv("/proc/self/exe", arguments);
	_exit(126);
}

static struct session inherited;

static void mode_child(void)
{
	get_name(&inherited);
}

static void mode_exec(void)
{
	struct session session = session_begin();
	pid_t child;

	fcntl(session.control.fd, F_SETFD, 0);
	child = fork();
	if (!child)
		again(&session);
	wait_for(child);
	session_end(&session);
}

static void mode_vfork(void)
{
	struct session session = session_begin();
	pid_t child;

	fcntl(session.control.fd, F_SETFD, 0);
	child = vfork();
	if (!child)
		again(&session);
	wait_for(child);
	get_name(&session);
	session_end(&session);
}

/* mode_dup - use a device through duplicated descriptors, after the first descriptor is closed */
static void mode_dup(void)
{
	struct session session = session_begin();
	struct session other = session;

	other.control.fd = dup(session.control.fd);
	get_name(&other);
	close(session.control.fd);
	session.control.fd = dup2(other.control.fd, 200);
	get_name(&session);
	close(other.control.fd);
	other.control.fd = fcntl(200, F_DUPFD_CLOEXEC, 300);
	get_name(&other);
	close(200);
	session_end(&other);
	close(session.gpu.fd);
}

/* message_of - make a message that sends a descriptor */
static struct msghdr message_of(struct iovec *byte, void *space, size_t size_bytes, int fd)
{
	struct msghdr message = { .msg_iov = byte, .msg_iovlen = 1, .msg_control = space, .msg_controllen = size_bytes };
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	*header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int)) };
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return message;
}

/* mode_pass - use a descriptor that a child process opens and sends to its parent */
static void mode_pass(void)
{
	_Alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = { 0 };
	char byte = 0;
	struct iovec vector = { &byte, 1 };
	struct api_version version = { .command = '2', .text = "590.48.01" };
	struct device device = { -1, "/dev/nvidiactl" };
	struct msghdr message;
	int pair[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		fail("pass: cannot create a socket pair");
	child = fork();
	if (!child) {
		message = message_of(&vector, space, sizeof(space), device_open("/dev/nvidiactl", O_RDWR).fd);
		_exit(sendmsg(pair[1], &message, 0) != 1);
	}
	wait_for(child);
	message = message_of(&vector, space, sizeof(space), -1);
	if (recvmsg(pair[0], &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
		fail("pass: no descriptor was received");
	memcpy(&device.fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(device.fd));
	plain(device, ESC_CHECK_VERSION, &version, sizeof(version));
	close(device.fd);
	close(pair[0]);
	close(pair[1]);
}

static volatile sig_atomic_t signals_seen;

static void on_alarm(int number)
{
	(void)number;
	signals_seen++;
}

/* mode_signals - make calls while a signal arrives every 200 microseconds */
static void mode_signals(void)
{
	struct session session = session_begin();
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	repeat(&session, 0);
	setitimer(ITIMER_REAL, &never, NULL);
	session_end(&session);
	if (!signals_seen)
		fail("signals: no signal arrived");
}

/* mode_mmap - map a device, and check that the mapping can be read and written */
static void mode_mmap(void)
{
	struct device gpu = device_open("/dev/nvidia0", O_RDWR);
	uint32_t *words = device_map(gpu, 8192, 0);

	if (words == MAP_FAILED)
		fail("mmap: mmap() failed");
	words[2047] = 0x12345678;
	if (words[2047] != 0x12345678 || words[0])
		fail("mmap: the mapping does not have the values that were written");
	munmap(words, 8192);
	close(gpu.fd);
}

/* mode_stat - check that stat() and access() see the devices */
static void mode_stat(void)
{
	static const char *const paths[] = { "/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia-uvm" };
	struct stat stat_of;

	for (size_t i = 0; i < 3; i++)
		if (stat(paths[i], &stat_of) || !S_ISCHR(stat_of.st_mode) || access(paths[i], R_OK | W_OK))
			fail("stat: a device is missing");
}

/* mode_types - alternate between ioctls with the driver's ioctl type ('F') and with a different type */
static void mode_types(void)
{
	struct device control = device_open("/dev/nvidiactl", O_RDWR);

	for (long i = 0; i < options.count; i++) {
		struct rm_free bytes = { (uint32_t)i, 2, 3, 4 };

		plain(control, ESC_FREE, &bytes, sizeof(bytes));
		call_make(&(struct call){ .device = control, .request = _IOWR('x', ESC_FREE, bytes), .argument = &bytes, .size_bytes = sizeof(bytes) });
	}
	close(control.fd);
}

/* --- the command line ----------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {
	{ "basic", mode_basic }, { "embedded", mode_embedded }, { "xfer", mode_xfer }, { "fds", mode_fds }, { "bad", mode_bad },
	{ "partial", mode_partial }, { "many", mode_many }, { "threads", mode_threads }, { "fork", mode_fork }, { "exec", mode_exec },
	{ "vfork", mode_vfork }, { "dup", mode_dup }, { "pass", mode_pass }, { "signals", mode_signals }, { "mmap", mode_mmap },
	{ "stat", mode_stat }, { "types", mode_types }, { "child", mode_child },
};

static void run(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		if (!strcmp(modes[i].name, name)) {
			modes[i].run();
			return;
		}
	}
	fprintf(stderr, "workload: unknown mode '%s'\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--log") && i + 1 < argc) {
			options.log_path = argv[++i];
			options.log = open(options.log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		} else if (!strcmp(argv[i], "--session") && i + 2 < argc) {
			inherited = (struct session){ { atoi(argv[i + 1]), "/dev/nvidiactl" }, { -1, "" }, (uint32_t)strtoul(argv[i + 2], NULL, 10), SUBDEVICE };
			i += 2;
		} else if (!strcmp(argv[i], "--count") && i + 1 < argc) {
			options.count = atol(argv[++i]);
		} else if (!strcmp(argv[i], "--raw")) {
			options.raw = true;
		} else if (!strcmp(argv[i], "--pretend")) {
			options.pretend = true;
		} else if (!strcmp(argv[i], "--any-answer")) {
			options.any_answer = true;
		} else if (options.log < 0) {
			fprintf(stderr, "usage: workload --log FILE [--raw] [--pretend] [--any-answer] [--count N] MODE...\n");
			return 2;
		} else {
			run(argv[i]);
		}
	}
	return 0;
}
