/*
 * busy.c - threads that make one ioctl after the other
 *
 * usage: busy THREADS MILLISECONDS
 *
 * The threads begin at the same time. Each thread has a number of its own for its ioctls of /dev/nvidiactl, from 1 on. Prints the number
 * of calls that each thread made, a line each.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

static volatile int stop;
static unsigned long calls[THREADS_MAX];
static int device;
static pthread_barrier_t begin;

static void *call(void *number)
{
	const long index = (long)number;
	char argument[32] = { 0 };

	pthread_barrier_wait(&begin);
	for (; !stop; calls[index]++)
		ioctl(device, _IOC(_IOC_READ | _IOC_WRITE, 'F', index + 1, sizeof(argument)), argument);
	return NULL;
}

int main(int argc, char **argv)
{
	const long count = argc == 3 ? atol(argv[1]) : 0;
	pthread_t threads[THREADS_MAX];

	device = open("/dev/nvidiactl", O_RDWR);
	if (device < 0 || count < 1 || count > THREADS_MAX)
		return 2;
	pthread_barrier_init(&begin, NULL, (unsigned)count + 1);
	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, call, (void *)i))
			return 2;
	pthread_barrier_wait(&begin);
	usleep((unsigned)atoi(argv[2]) * 1000);
	stop = 1;
	for (long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (long i = 0; i < count; i++)
		printf("%lu\n", calls[i]);
	return 0;
}
