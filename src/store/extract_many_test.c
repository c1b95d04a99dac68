#include "store/extract_many.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { JOBS = 20 };

/* What each job gave, and how often. */
struct results {
	unsigned taken[JOBS];
	int rc[JOBS];
	char said[JOBS][64];
};

/* Job N gives N bytes; every third one fails. */
static int make(struct strbuf *out, void *data, size_t index, struct err *err)
{
	(void)data;
	for (size_t i = 0; i < index; i++)
		strbuf_addch(out, (char)('a' + index));
	return index % 3 == 2 ? err_set(err, ERR_PARSE, "job %zu does not parse", index) : 0;
}

static void take(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err)
{
	struct results *results = data;

	results->taken[index]++;
	results->rc[index] = rc;
	snprintf(results->said[index], sizeof(results->said[index]), "%.60s", rc ? err->text : strbuf_text(bytes));
}

static void run(struct results *results, size_t count, unsigned jobs)
{
	const struct extract_many many = { make, take, results, count };
	const struct store_options options = { .jobs = jobs };

	memset(results, 0, sizeof(*results));
	extract_many(&many, &options);
}

static void every_job_is_taken_once_whatever_fails(void **state)
{
	struct results results;

	(void)state;
	for (unsigned jobs = 0; jobs < 5; jobs++) {
		run(&results, JOBS, jobs);
		for (size_t i = 0; i < JOBS; i++) {
			assert_int_equal(results.taken[i], 1);
			assert_int_equal(results.rc[i], i % 3 == 2 ? ERR_PARSE : 0);
		}
	}
}

static void a_job_gives_its_bytes_or_its_sentence(void **state)
{
	struct results results;

	(void)state;
	run(&results, JOBS, 3);
	assert_string_equal(results.said[0], "");
	assert_string_equal(results.said[4], "eeee");
	assert_string_equal(results.said[5], "job 5 does not parse");
}

static void no_jobs_are_no_work(void **state)
{
	struct results results;

	(void)state;
	run(&results, 0, 3);
	assert_int_equal(results.taken[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_job_is_taken_once_whatever_fails),
		cmocka_unit_test(a_job_gives_its_bytes_or_its_sentence),
		cmocka_unit_test(no_jobs_are_no_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
