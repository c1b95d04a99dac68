/*
 * interrupted.c - ioctls that a signal interrupts: once with a handler that lets the kernel make the call again, once without
 *
 * usage: interrupted DEVICE [left]
 *
 * Makes a terminal, and mounts it over DEVICE. TCSETS of a process in the background is interrupted by SIGTTOU. Prints the calls that the program
 * saw, as "REQUEST RETURNED ERRNO". With "left", the handler jumps out of TCSETS and then out of TCSETSW, which never end, and nothing is printed.
 * Exit status: 0; 2 if it cannot be done here.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int terminal;
static volatile int handled;

static int call(unsigned long request, void *argument)
{
	const int returned = ioctl(terminal, request, argument), error = returned ? errno : 0;
	char line[64];
	const int length = snprintf(line, sizeof(line), "%lx %d %d\n", request, returned, error);

	return write(STDOUT_FILENO, line, (size_t)length) == length ? returned : -1;
}

/* The handler makes calls, too; the third one ends being in the background. */
static void on_stop(int number)
{
	pid_t group = getpgrp();
	int waiting;

	(void)number;
	call(TIOCOUTQ, &waiting);
	if (++handled == 3)
		call(TIOCSPGRP, &group);
}

static int background(struct termios *settings)
{
	struct sigaction action = { .sa_handler = on_stop };

	setpgid(0, 0);
	sigaction(SIGTTOU, &action, NULL);
	call(TCSETS, settings); /* EINTR */
	action.sa_flags = SA_RESTART;
	sigaction(SIGTTOU, &action, NULL);
	handled = 0;
	return call(TCSETS, settings); /* again and again, until the handler has moved the process to the foreground */
}

static sigjmp_buf after;

static void jump(int number)
{
	siglongjmp(after, number);
}

static int leave_calls(struct termios *settings)
{
	const struct sigaction action = { .sa_handler = jump, .sa_flags = SA_RESTART };

	setpgid(0, 0);
	sigaction(SIGTTOU, &action, NULL);
	if (!sigsetjmp(after, 1))
		return ioctl(terminal, TCSETS, settings);
	if (!sigsetjmp(after, 1))
		return ioctl(terminal, TCSETSW, settings);
	return 0;
}

static int session(const char *device, bool leaves)
{
	struct termios settings;
	int status = 2;
	pid_t child;

	setsid();
	terminal = open(device, O_RDWR);
	if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) || ioctl(terminal, TCGETS, &settings))
		return 2;
	signal(SIGHUP, SIG_IGN);
	child = fork();
	if (!child)
		_exit(leaves ? leave_calls(&settings) : background(&settings));
	waitpid(child, &status, 0);
	return status ? 1 : 0;
}

int main(int argc, char **argv)
{
	const int master = open("/dev/pts/ptmx", O_RDWR | O_NOCTTY);
	int status = 0;
	pid_t child;

	if (argc < 2 || master < 0 || grantpt(master) || unlockpt(master) || mount(ptsname(master), argv[1], NULL, MS_BIND, NULL))
		return 2;
	child = fork();
	if (!child)
		_exit(session(argv[1], argc == 3));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
