/*
 * A driver that is none, behind the shim of docs/pid-shim: GET_PIDS says 1001 and 1002, or 7 and 8 if
 * CONVERTS is set, as a driver does that converts; GET_PID_INFO prints the pid that it is asked for. If REFUSES is set, it writes nothing
 * but the status. With a main() that calls it as NVML does.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

struct control {
	uint32_t client, object, command, flags;
	uint64_t params;
	uint32_t params_size, status;
};

#ifdef DRIVER
int ioctl(int fd, unsigned long request, ...)
{
	const uint32_t pids[] = { 2, getenv("CONVERTS") ? 7 : 1001, getenv("CONVERTS") ? 8 : 1002 };
	struct control *control;
	va_list arguments;

	(void)fd;
	(void)request;
	va_start(arguments, request);
	control = va_arg(arguments, struct control *);
	va_end(arguments);
	if (getenv("REFUSES"))
		control->status = 0x56;
	else if (control->command == 0x2080018d)
		memcpy((char *)(uintptr_t)control->params + 8, pids, sizeof(pids));
	else
		printf("driver: asked for %u\n", *(uint32_t *)(uintptr_t)(control->params + 8));
	return 0;
}
#else
static uint32_t list[3812 / 4], info[14408 / 4];

int main(void)
{
	struct control control = { .command = 0x2080018d, .params = (uintptr_t)list, .params_size = sizeof(list) };

	/* What the program has there is no pid of the host, although it has the number of one. */
	list[2] = 2;
	list[3] = list[4] = 1001;
	ioctl(-1, _IOC(_IOC_READ | _IOC_WRITE, 'F', 0x2a, sizeof(control)), &control);
	printf("program: %u %u\n", list[3], list[4]);
	info[0] = 1;
	info[2] = list[3];
	control = (struct control){ .command = 0x2080018e, .params = (uintptr_t)info, .params_size = sizeof(info) };
	ioctl(-1, _IOC(_IOC_READ | _IOC_WRITE, 'F', 0x2a, sizeof(control)), &control);
	printf("program: asked for %u\n", info[2]);
	return 0;
}
#endif
