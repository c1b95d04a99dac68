/* What the cache is asked, what it is offered, and what it says. */
#include "store/stores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* A cache in a directory of the test's own, and what was said. */
struct fixture {
	char dir[128];
	struct strbuf said;
	struct store_options options;
	struct cache_store store;
	struct arena arena;
	struct err err;
};

static void hear(void *data, enum store_remark kind, const char *sentence)
{
	struct fixture *fixture = data;

	assert_int_equal(kind, STORE_WARNING);
	strbuf_addf(&fixture->said, "%s\n", sentence);
}

static int with_cache(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .options = { .remark = hear, .data = &fixture } };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX", temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	fixture.store = (struct cache_store){ .options = &fixture.options, .dir = fixture.dir };
	*state = &fixture;
	return 0;
}

static int without_cache(void **state)
{
	struct fixture *fixture = *state;
	char documents[160];

	cache_clear(fixture->dir, NULL);
	snprintf(documents, sizeof(documents), "%s/documents", fixture->dir);
	rmdir(documents);
	strbuf_release(&fixture->said);
	arena_release(&fixture->arena);
	return rmdir(fixture->dir);
}

/* A version whose tree has the key @hex. */
static struct wanted version(struct store_request *request, const char *name, const char *hex)
{
	struct wanted wanted = { .request = request, .version = { name, name }, .has_key = true, .looked_for_key = true };

	*request = (struct store_request){ .version = name };
	snprintf(wanted.key.hex, sizeof(wanted.key.hex), "%s", hex);
	return wanted;
}

#define KEY "0123456789abcdef0123456789abcdef"
#define OTHER_KEY "fedcba9876543210fedcba9876543210"

/* Offers a document that was extracted, as list.c does. */
static void offer(struct fixture *fixture, const char *hex, bool key_decides)
{
	struct store_request request;
	struct wanted wanted = version(&request, "1.0", hex);

	wanted.key_decides = key_decides;
	request.abi = (struct abi){ .driver = "toy", .version = "1.0", .commit = "c1", .target = "x86_64-linux-gnu" };
	cache_store_ops.offer(&fixture->store, &wanted);
}

static void ask(struct fixture *fixture, struct wanted *const *wanted, size_t count)
{
	assert_int_equal(cache_store_ops.documents(&fixture->store, wanted, count, &fixture->arena, &fixture->err), 0);
}

static bool is_there(struct fixture *fixture, const char *hex)
{
	struct store_request request;
	struct wanted wanted = version(&request, "2.0", hex);

	ask(fixture, (struct wanted *[]){ &wanted }, 1);
	return wanted.done;
}

static void a_document_comes_back_under_the_name_that_was_asked_for(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = version(&request, "2.0", KEY);

	offer(fixture, KEY, true);
	ask(fixture, (struct wanted *[]){ &wanted }, 1);
	assert_true(wanted.done);
	assert_string_equal(request.abi.driver, "toy");
	assert_string_equal(request.abi.version, "2.0");
	assert_string_equal(request.abi.commit, "2.0");
}

static void another_key_is_another_document(void **state)
{
	offer(*state, KEY, true);
	assert_false(is_there(*state, OTHER_KEY));
}

static void two_versions_of_one_key_share_a_document(void **state)
{
	struct fixture *fixture = *state;
	struct store_request first, second;
	struct wanted a = version(&first, "1.0", KEY), b = version(&second, "2.0", KEY);

	offer(fixture, KEY, true);
	ask(fixture, (struct wanted *[]){ &a, &b }, 2);
	assert_true(a.done && b.done);
	assert_string_equal(second.abi.version, "2.0");
	assert_ptr_equal(first.abi.driver, second.abi.driver);
}

static void a_document_that_its_key_does_not_decide_is_not_cached(void **state)
{
	offer(*state, KEY, false);
	assert_false(is_there(*state, KEY));
}

static void a_tree_without_a_key_is_not_asked_for(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request;
	struct wanted wanted = version(&request, "1.0", KEY);

	offer(fixture, KEY, true);
	wanted.has_key = false;
	ask(fixture, (struct wanted *[]){ &wanted }, 1);
	assert_false(wanted.done);
}

static void that_there_is_nowhere_to_write_is_said_once(void **state)
{
	struct fixture *fixture = *state;

	fixture->store.dir = "";
	offer(fixture, KEY, true);
	offer(fixture, OTHER_KEY, true);
	assert_string_equal(strbuf_text(&fixture->said), "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): there is "
							 "nowhere to put it: neither XDG_CACHE_HOME nor HOME is set\n");
	assert_false(is_there(fixture, KEY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_document_comes_back_under_the_name_that_was_asked_for, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(another_key_is_another_document, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(two_versions_of_one_key_share_a_document, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(a_document_that_its_key_does_not_decide_is_not_cached, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(a_tree_without_a_key_is_not_asked_for, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(that_there_is_nowhere_to_write_is_said_once, with_cache, without_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
