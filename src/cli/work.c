#include "cli/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct work {
	int (*one)(void *data, size_t index, struct err *err);
	void *data;
	size_t count;
	size_t next;   /* the next index to work on; it and all below are under @lock */
	int rc;        /* of @failed */
	size_t failed; /* the lowest index that did */
	struct err *err;
	pthread_mutex_t lock;
};

static unsigned jobs_of(const struct cli_args *args, size_t count)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned jobs = args->jobs ? args->jobs : processors > 0 ? (unsigned)processors : 1;

	return jobs < count ? jobs : count ? (unsigned)count : 1;
}

static void note_failure(struct work *work, size_t index, int rc, const struct err *err)
{
	pthread_mutex_lock(&work->lock);
	if (!work->rc || index < work->failed) {
		work->rc = rc;
		work->failed = index;
		if (work->err)
			*work->err = *err;
	}
	pthread_mutex_unlock(&work->lock);
}

static void *worker(void *data)
{
	struct work *work = data;

	for (;;) {
		struct err err = { "" };
		size_t index;
		int rc;

		pthread_mutex_lock(&work->lock);
		index = work->next++;
		pthread_mutex_unlock(&work->lock);
		if (index >= work->count)
			return NULL;
		if ((rc = work->one(work->data, index, &err)))
			note_failure(work, index, rc, &err);
	}
}

int work_each(int (*one)(void *data, size_t index, struct err *err), void *data, size_t count, const struct cli_args *args,
	      struct err *err)
{
	struct work work = { .one = one, .data = data, .count = count, .err = err };
	unsigned helpers = jobs_of(args, count) - 1, started = 0;
	pthread_t *threads = xmalloc((helpers + 1) * sizeof(*threads));

	pthread_mutex_init(&work.lock, NULL);
	while (started < helpers && !pthread_create(&threads[started], NULL, worker, &work))
		started++;
	worker(&work); /* this thread works too; fewer threads only make it slower */
	while (started)
		pthread_join(threads[--started], NULL);
	pthread_mutex_destroy(&work.lock);
	free(threads);
	return work.rc;
}
