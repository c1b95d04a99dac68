#include "store/extract_many.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	/* As much as libclang gives to the thread that it would make for every parse, and as much again for what calls it. */
	STACK_BYTES = 16 * 1024 * 1024,
	SILENT_COUNT = 2, /* two are read before anyone has looked */
};

struct run {
	const struct extract_many *many;
	const struct store_options *options;
	size_t next; /* the next index to take, under @lock, as all that follows */
	size_t done;
	pthread_mutex_t lock;
};

static size_t next_index(struct run *run)
{
	size_t index;

	pthread_mutex_lock(&run->lock);
	index = run->next++;
	pthread_mutex_unlock(&run->lock);
	return index;
}

static void *work(void *data)
{
	struct run *run = data;
	const struct extract_many *many = run->many;
	size_t index;

	while ((index = next_index(run)) < many->count) {
		struct err err = { "" };
		struct strbuf bytes = { 0 };
		int rc = many->make(&bytes, many->data, index, &err);

		pthread_mutex_lock(&run->lock);
		many->take(many->data, index, rc, &bytes, &err);
		run->done++;
		if (many->count > SILENT_COUNT && run->options->progress)
			run->options->progress(run->options->data, "reading versions", run->done, many->count);
		pthread_mutex_unlock(&run->lock);
		strbuf_release(&bytes);
	}
	return NULL;
}

static size_t jobs_of(const struct store_options *options, size_t count)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t jobs = options->jobs ? options->jobs : processors > 0 ? (size_t)processors : 1;

	return jobs < count ? jobs : count;
}

/* Return: how many could be had. */
static size_t start_workers(pthread_t *threads, size_t count, struct run *run)
{
	pthread_attr_t attributes;
	size_t started = 0;

	if (pthread_attr_init(&attributes))
		return 0;
	if (!pthread_attr_setstacksize(&attributes, STACK_BYTES))
		while (started < count && !pthread_create(&threads[started], &attributes, work, run))
			started++;
	pthread_attr_destroy(&attributes);
	return started;
}

/*
 * The threads have stacks for libclang, which need not make a thread for each
 * parse then. It is told so by the environment, and by nothing else. A thread
 * that cannot be had is not missed; without any, this one works.
 */
void extract_many(const struct extract_many *many, const struct store_options *options)
{
	static const char no_threads[] = "LIBCLANG_NOTHREADS";
	struct run run = { .many = many, .options = options };
	size_t jobs = jobs_of(options, many->count);
	pthread_t *threads = xmalloc((jobs + 1) * sizeof(*threads));
	bool is_set = getenv(no_threads);
	size_t started;

	if (many->count > SILENT_COUNT) /* threads work long enough to be worth heaps of their own */
		mallopt(M_ARENA_MAX, (int)jobs + 1);
	pthread_mutex_init(&run.lock, NULL);
	setenv(no_threads, "1", 0);
	started = start_workers(threads, jobs, &run);
	if (!started && !is_set)
		unsetenv(no_threads);
	if (!started)
		work(&run);
	while (started)
		pthread_join(threads[--started], NULL);
	if (!is_set)
		unsetenv(no_threads);
	pthread_mutex_destroy(&run.lock);
	free(threads);
}
