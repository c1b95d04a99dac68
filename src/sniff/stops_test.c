/* Tests whether a call that begins is a restarted call. */
#include "sniff/internal.h"
#include "abi/document_test.h"

#include <signal.h>
#include <unistd.h>

/* Makes a call with these values. */
static struct watched call_at(uint64_t instruction, uint64_t stack, uint64_t argument)
{
	return (struct watched){ .number = 16,
				 .arguments = { 3, 0xc0104601, argument },
				 .instruction = instruction,
				 .stack = stack,
				 .is_restarted = true };
}

static struct entry entry_of(const struct watched *call)
{
	struct entry entry = { .number = call->number,
			       .instruction = call->instruction,
			       .stack = call->stack };

	for (size_t i = 0; i < 6; i++)
		entry.arguments[i] = call->arguments[i];
	return entry;
}

/* Programs do not see these numbers. 515 is ENOIOCTLCMD. */
TEST(some_results_mean_that_a_call_may_be_restarted)
{
	static const int yes[] = { -512, -513, -514, -516 }, no[] = { -515, -EINTR, 512, 0 };

	for (size_t i = 0; i < 4; i++) {
		assert_true(restart_may_follow(yes[i]));
		assert_false(restart_may_follow(no[i]));
	}
}

TEST(the_same_call_at_the_same_place_is_the_interrupted_one)
{
	struct watched call = call_at(0x100, 0x200, 1);
	struct tracee tracee = { .interrupted = &call };
	const struct entry entry = entry_of(&call);

	assert_true(restart_continue(&tracee, &entry));
	assert_ptr_equal(tracee.call, &call);
	assert_null(tracee.interrupted);
	assert_false(call.is_restarted);
}

TEST(another_place_stack_argument_or_number_is_another_call)
{
	struct watched call = call_at(0x100, 0x200, 1);
	struct tracee tracee = { .interrupted = &call };
	struct entry others[4];

	for (size_t i = 0; i < 4; i++)
		others[i] = entry_of(&call);
	others[0].instruction++;
	others[1].stack++;
	others[2].arguments[5]++;
	others[3].number++;
	for (size_t i = 0; i < 4; i++)
		assert_false(restart_continue(&tracee, &others[i]));
	assert_ptr_equal(tracee.interrupted, &call);
	assert_null(tracee.call);
}

/* Handlers make the same call and are interrupted as well. Only the stack differs between these calls. */
TEST(of_several_the_one_that_is_made_again_is_found)
{
	struct watched outer = call_at(0x100, 0x300, 1), middle = call_at(0x100, 0x200, 1),
		       inner = call_at(0x100, 0x100, 1);
	struct tracee tracee = { .interrupted = &inner };
	struct entry entry = entry_of(&middle);

	inner.next = &middle;
	middle.next = &outer;
	assert_true(restart_continue(&tracee, &entry));
	assert_ptr_equal(tracee.call, &middle);
	assert_null(middle.next);
	assert_ptr_equal(tracee.interrupted, &inner);
	assert_ptr_equal(inner.next, &outer);
	assert_false(restart_continue(&tracee, &entry));
}

static void on_signal(int signal)
{
	(void)signal;
}

/* The tracee is the test's own process. /proc shows the signals for which the process has handlers. */
TEST(the_handlers_context_matters_if_there_is_a_handler)
{
	struct watched call = call_at(0x100, 0x200, 1);
	struct tracee tracee = { .tid = getpid(), .interrupted = &call };

	call.is_restarted = false;
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, SIG_DFL);
	assert_true(restart_must_look(&tracee, SIGUSR1));
	assert_false(restart_must_look(&tracee, SIGUSR2));
	call.is_restarted = true; /* its context has been read */
	assert_false(restart_must_look(&tracee, SIGUSR1));
	tracee.interrupted = NULL;
	assert_false(restart_must_look(&tracee, SIGUSR1));
	call.is_restarted = false;
	tracee = (struct tracee){ .tid = 0x7fffffff, .interrupted = &call }; /* a thread that has ended */
	assert_false(restart_must_look(&tracee, SIGUSR1));
}
