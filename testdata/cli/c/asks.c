/*
 * asks.c - ioctls of a process that is as its words say
 *
 * usage: asks WORD...
 *
 *	call N       an ioctl of /dev/nvidiactl, of type 'F'
 *	edge N       the same; of the argument, 10 bytes are mapped
 *	uvm N        one of /dev/nvidia-uvm, a bare number
 *	user N       becomes the user N
 *	hidden       lets nobody look at it
 *	short N      an ioctl of /dev/nvidiactl that has a descriptor in it (NV_ESC_REGISTER_FD is 201), in a signal handler on a stack of 8 KB
 *	sleep N      waits for N seconds
 *	thread       a thread goes on with the words that follow, and the first one ends
 *	again        becomes the same program, for the words that follow
 *
 * Exit status: 0; 2 if it cannot.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int call(const char *path, unsigned long request)
{
	char argument[256] = { 0 };
	const int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return 2;
	ioctl(fd, request, argument);
	close(fd);
	return 0;
}

/* Two pages, and then one. */
static int call_at_edge(unsigned long request)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);

	if (pages == MAP_FAILED || munmap(pages + page, page) || fd < 0)
		return 2;
	ioctl(fd, request, pages + page - 10);
	close(fd);
	return 0;
}

static unsigned long handled;

static void handle(int signal)
{
	int descriptor = STDIN_FILENO;

	(void)signal;
	ioctl(open("/dev/nvidiactl", O_RDWR | O_CLOEXEC), handled, &descriptor);
}

static int call_on_short_stack(unsigned long request)
{
	static char memory[8192];
	const stack_t stack = { .ss_sp = memory, .ss_size = sizeof(memory) };
	struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };

	handled = request;
	return sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL) || raise(SIGUSR1) ? 2 : 0;
}

static int do_all(char **argv);

static void *go_on(void *words)
{
	usleep(100000); /* until the first thread has ended */
	exit(do_all(words));
}

static void begin_thread(char **words)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, go_on, words))
		exit(2);
	pthread_exit(NULL);
}

/* @argv: ended by NULL; the words begin after the first. */
static int do_all(char **argv)
{
	int rc = 0;

	for (int i = 1; !rc && argv[i]; i++) {
		const unsigned long number = argv[i + 1] ? strtoul(argv[i + 1], NULL, 0) : 0;

		if (!strcmp(argv[i], "hidden")) {
			rc = prctl(PR_SET_DUMPABLE, 0) ? 2 : 0;
		} else if (!strcmp(argv[i], "short")) {
			rc = call_on_short_stack(_IOC(_IOC_READ | _IOC_WRITE, 'F', number, sizeof(int)));
			i++;
		} else if (!strcmp(argv[i], "sleep")) {
			sleep((unsigned)number);
			i++;
		} else if (!strcmp(argv[i], "thread")) {
			begin_thread(argv + i);
		} else if (!strcmp(argv[i], "again")) {
			argv[i] = argv[0];
			execv("/proc/self/exe", argv + i);
			rc = 2;
		} else if (!strcmp(argv[i], "call")) {
			rc = call("/dev/nvidiactl", _IOC(_IOC_READ | _IOC_WRITE, 'F', number, 32));
			i++;
		} else if (!strcmp(argv[i], "edge")) {
			rc = call_at_edge(_IOC(_IOC_READ | _IOC_WRITE, 'F', number, 32));
			i++;
		} else if (!strcmp(argv[i], "uvm")) {
			rc = call("/dev/nvidia-uvm", number);
			i++;
		} else if (!strcmp(argv[i], "user")) {
			rc = setresuid((uid_t)number, (uid_t)number, (uid_t)number) ? 2 : 0;
			i++;
		} else {
			rc = 2;
		}
	}
	return rc;
}

int main(int argc, char **argv)
{
	return argc > 1 ? do_all(argv) : 2;
}
