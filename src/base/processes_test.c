#include "base/processes.h"

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static pid_t sleeping(void)
{
	const pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

static bool has(const pid_t *found, size_t count, pid_t pid)
{
	while (count)
		if (found[--count] == pid)
			return true;
	return false;
}

static void the_children_of_a_process_are_found(void **state)
{
	const pid_t first = sleeping(), second = sleeping();
	pid_t *found;
	size_t count = processes_find(&found, PROCESSES_OF_PARENT, getpid());

	(void)state;
	assert_true(has(found, count, first));
	assert_true(has(found, count, second));
	assert_false(has(found, count, getpid()));
	free(found);
	kill(first, SIGKILL);
	waitpid(first, NULL, 0);
	count = processes_find(&found, PROCESSES_OF_PARENT, getpid());
	assert_false(has(found, count, first));
	assert_true(has(found, count, second));
	free(found);
	kill(second, SIGKILL);
	waitpid(second, NULL, 0);
}

static void a_process_that_has_none_has_none(void **state)
{
	const pid_t pid = sleeping();
	pid_t *found;

	(void)state;
	assert_int_equal(processes_find(&found, PROCESSES_OF_PARENT, pid), 0);
	assert_null(found);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), getpid());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(processes_number(PROCESSES_OF_PARENT, pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_children_of_a_process_are_found),
		cmocka_unit_test(a_process_that_has_none_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
