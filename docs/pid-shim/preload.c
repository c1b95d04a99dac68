/*
 * An LD_PRELOAD shim: a program in a container sees its own pids in the ioctls of NVIDIA's driver.
 *
 *	drvabi pids --shim c --versions .. -o pids.h
 *	cc -shared -fPIC -O2 -o preload.so preload.c -ldl
 *	DRVABI_PID_MAP=map DRVABI_PID_DRIVER=535.104.05 LD_PRELOAD=./preload.so program
 *
 * The map is a file with a line "HOST CONTAINER" for each process. Somebody who sees both namespaces writes it: the last two
 * numbers of NSpid in the host's /proc/PID/status. A pid that is not in it stays as it is if it can. Without DRVABI_PID_DRIVER the
 * release is read from /sys/module/nvidia/version. Only control commands are translated, which is what nvidia-smi and NVML need.
 */
#define _GNU_SOURCE
#include "pids.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

enum { ESC_RM_CONTROL = 0x2a, MAP_MAX = 65536 };

/* The argument of ESC_RM_CONTROL, NVOS54_PARAMETERS. */
struct control {
	uint32_t client, object, command, flags;
	uint64_t params;
	uint32_t params_size, status;
};

struct pair {
	uint32_t host, container;
};

static struct pair pairs[MAP_MAX];
static size_t pair_count;
static uint64_t driver;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_driver(void)
{
	const char *release = getenv("DRVABI_PID_DRIVER");
	char text[64] = "";
	FILE *file;

	if (!release && (file = fopen("/sys/module/nvidia/version", "re"))) {
		if (!fgets(text, sizeof(text), file))
			text[0] = '\0';
		fclose(file);
	}
	driver = drvabi_pids_release(release ? release : text);
}

static void read_map(void)
{
	const char *path = getenv("DRVABI_PID_MAP");
	FILE *file = path ? fopen(path, "re") : NULL;

	read_driver();
	if (!file)
		return;
	while (pair_count < MAP_MAX && fscanf(file, "%u %u", &pairs[pair_count].host, &pairs[pair_count].container) == 2)
		pair_count++;
	fclose(file);
}

static const struct pair *of_container(uint32_t pid)
{
	for (size_t i = 0; i < pair_count; i++)
		if (pairs[i].container == pid)
			return &pairs[i];
	return NULL;
}

static const struct pair *of_host(uint32_t pid)
{
	for (size_t i = 0; i < pair_count; i++)
		if (pairs[i].host == pid)
			return &pairs[i];
	return NULL;
}

/*
 * A number that is not in the map stays as it is, unless it is taken in the other namespace: 1001 of the container is not 1001 of the
 * host if that is 7 here. It takes a number that is left over, so that no two pids become one, and the way back leads to where it began.
 */
static uint32_t to_host(uint32_t pid, void *context)
{
	const struct pair *pair = of_container(pid);

	(void)context;
	if (pair)
		return pair->host;
	for (size_t i = 0; i < pair_count && (pair = of_host(pid)); i++)
		pid = pair->container;
	return pid;
}

static uint32_t to_container(uint32_t pid, void *context)
{
	const struct pair *pair = of_host(pid);

	(void)context;
	if (pair)
		return pair->container;
	for (size_t i = 0; i < pair_count && (pair = of_container(pid)); i++)
		pid = pair->host;
	return pid;
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, ...);
	struct control *control;
	va_list arguments;
	void *argument;
	int rc;

	pthread_once(&once, read_map);
	if (!next)
		next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) != 'F' || _IOC_NR(request) != ESC_RM_CONTROL || _IOC_SIZE(request) != sizeof(*control) || !argument)
		return next(fd, request, argument);

	control = argument;
	struct drvabi_pids_call call = {
		.family = DRVABI_PIDS_CONTROL,
		.number = control->command,
		.size = control->params_size,
		.params = (void *)(uintptr_t)control->params,
		.length = control->params ? control->params_size : 0,
		.driver = driver,
	};

	drvabi_pids_map(&call, DRVABI_PIDS_BEFORE, to_host, NULL);
	rc = next(fd, request, argument);
	/* A driver that refuses a call writes no parameters (rmapiControl's RMCTRL_FLAGS_COPYOUT_ON_ERROR): only the caller's own are there. */
	drvabi_pids_map(&call, rc || control->status ? DRVABI_PIDS_IN : DRVABI_PIDS_AFTER, to_container, NULL);
	return rc;
}
