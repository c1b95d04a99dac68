/*
 * calls.c - make system calls in a loop, for benchmarks
 *
 * usage: calls ioctl|raw|small|getppid COUNT
 *
 * ioctl is RM_CONTROL with 32 bytes and 3,812 bytes of parameters, through libc's ioctl(). raw is the same
 * through syscall(). small is RM_FREE with 16 bytes.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct control {
	uint32_t client, object, command, flags;
	uint64_t params;
	uint32_t params_size, status;
};

struct object {
	uint32_t client, parent, object, status;
};

int main(int argc, char **argv)
{
	static uint8_t params[3812];
	struct control control = { 1, 2, 0x2080018d, 0, (uint64_t)(uintptr_t)params, sizeof(params), 0 };
	struct object object = { 1, 2, 3, 0 };
	const long count = argc == 3 ? atol(argv[2]) : -1;
	int fd;

	if (count < 0 || !strchr("irsg", argv[1][0])) {
		fprintf(stderr, "usage: calls ioctl|raw|small|getppid COUNT\n");
		return 2;
	}
	fd = open("/dev/nvidiactl", O_RDWR);
	for (long i = 0; i < count; i++) {
		if (argv[1][0] == 'g')
			syscall(SYS_getppid);
		else if (argv[1][0] == 's')
			ioctl(fd, _IOWR('F', 0x29, object), &object);
		else if (argv[1][0] == 'r')
			syscall(SYS_ioctl, fd, _IOWR('F', 0x2a, control), &control);
		else
			ioctl(fd, _IOWR('F', 0x2a, control), &control);
	}
	return fd < 0 ? 1 : 0;
}
