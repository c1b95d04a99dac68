#include "store/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { KNOWN_MAX = 4 };

/* A store that knows some versions and has the documents of some commits; it writes down what it is asked. */
struct fake {
	const char *knows[KNOWN_MAX]; /* versions; the commit of "x" is "x" */
	const char *has[KNOWN_MAX];   /* commits */
	const char *fails;            /* a commit whose document cannot be read */
	bool breaks;                  /* it fails as a whole */
	bool is_last;                 /* no later store is to be asked */
	struct strbuf *log;
};

static bool among(const char *const list[KNOWN_MAX], const char *text)
{
	for (size_t i = 0; i < KNOWN_MAX && list[i]; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

static int fake_find(struct found_version *out, void *data, const char *version, struct arena *arena, struct err *err)
{
	const struct fake *self = data;

	(void)arena;
	if (self->breaks)
		return err_set(err, ERR_GIT, "broken");
	if (!among(self->knows, version))
		return err_set(err, ERR_NOT_FOUND, "%s is not among %s", version, self->knows[0]);
	*out = (struct found_version){ version, version };
	return 0;
}

static bool fake_leaves_open(void *data, const char *version, bool by_user)
{
	(void)version;
	(void)by_user;
	return !((struct fake *)data)->is_last;
}

static int fake_versions(struct source_graph *out, void *data, struct arena *arena, struct err *err)
{
	const struct fake *self = data;
	struct source_version *versions = arena_array(arena, KNOWN_MAX, sizeof(*versions));

	if (!self->knows[0])
		return err_set(err, ERR_NOT_FOUND, "none");
	*out = (struct source_graph){ .main = self->knows[0], .versions = versions };
	for (; out->count < KNOWN_MAX && self->knows[out->count]; out->count++)
		versions[out->count] = (struct source_version){ .name = self->knows[out->count], .commit = self->knows[out->count] };
	return 0;
}

static int fake_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena, struct err *err)
{
	struct fake *self = data;

	(void)arena;
	strbuf_addf(self->log, "%s asked for", self->knows[0] ? self->knows[0] : "?");
	for (size_t i = 0; i < count; i++) {
		struct store_request *request = wanted[i]->request;
		bool fails = self->fails && !strcmp(self->fails, wanted[i]->version.commit);

		strbuf_addf(self->log, " %s", wanted[i]->version.commit);
		if (!fails && !among(self->has, wanted[i]->version.commit))
			continue;
		wanted[i]->done = true;
		request->abi.driver = self->knows[0];
		if (fails)
			request->rc = err_set(&request->err, ERR_PARSE, "%s does not parse", wanted[i]->version.commit);
	}
	strbuf_adds(self->log, "; ");
	return self->breaks ? err_set(err, ERR_FORMAT, "broken") : 0;
}

static void fake_offer(void *data, const struct wanted *wanted)
{
	struct fake *self = data;

	strbuf_addf(self->log, "%s offered %s; ", self->knows[0], wanted->version.commit);
}

static const struct store_ops fake_ops = {
	.find = fake_find, .leaves_open = fake_leaves_open, .versions = fake_versions, .documents = fake_documents, .offer = fake_offer,
};

/* What every test has: a list of two stores, and two requests. */
struct fixture {
	struct strbuf log;
	struct fake first, second;
	struct list list;
	struct store_request requests[2];
	struct wanted wanted[2];
	struct arena arena;
	struct err err;
};

static int with_list(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	*state = fixture;
	fixture->first = (struct fake){ .knows = { "one" }, .has = { "one" }, .log = &fixture->log };
	fixture->second = (struct fake){ .knows = { "two", "one" }, .has = { "two", "one" }, .log = &fixture->log };
	list_add(&fixture->list, &fake_ops, &fixture->first, false);
	list_add(&fixture->list, &fake_ops, &fixture->second, false);
	fixture->wanted[0] = (struct wanted){ .request = &fixture->requests[0], .version = { "one", "one" } };
	fixture->wanted[1] = (struct wanted){ .request = &fixture->requests[1], .version = { "two", "two" } };
	return 0;
}

static int without_list(void **state)
{
	struct fixture *fixture = *state;

	strbuf_release(&fixture->log);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

static int find(struct fixture *fixture, struct found_version *out, const char *version)
{
	return list_find(out, &fixture->list, version, true, &fixture->arena, &fixture->err);
}

static int documents(struct fixture *fixture)
{
	return list_documents(&fixture->list, fixture->wanted, 2, &fixture->arena, &fixture->err);
}

static void a_name_is_asked_of_each_store_in_turn(void **state)
{
	struct found_version found;

	assert_int_equal(find(*state, &found, "two"), 0);
	assert_string_equal(found.commit, "two");
}

static void a_version_that_is_cut_short_is_the_only_one_that_begins_so(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->first = (struct fake){ .knows = { "1.0", "2.0" }, .log = &fixture->log };
	assert_int_equal(find(fixture, &found, "2"), 0);
	assert_string_equal(found.name, "2.0");
	assert_string_equal(found.commit, "2.0");
}

static void of_several_that_begin_so_all_are_named(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->first = (struct fake){ .knows = { "2.0", "2.1" }, .log = &fixture->log };
	assert_int_equal(find(fixture, &found, "2"), ERR_NOT_FOUND);
	assert_string_equal(fixture->err.text, "2 is the beginning of 2 versions: 2.0, 2.1; give one of them");
}

static void only_a_user_cuts_versions_short(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->first = (struct fake){ .knows = { "2.0" }, .log = &fixture->log };
	assert_int_equal(list_find(&found, &fixture->list, "2", false, &fixture->arena, &fixture->err), ERR_NOT_FOUND);
}

static void a_store_may_say_that_no_later_one_is_asked(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->first.is_last = true;
	assert_int_equal(find(fixture, &found, "two"), ERR_NOT_FOUND);
	assert_string_equal(fixture->err.text, "two is not among one");
}

static void an_unknown_name_is_refused_in_the_words_of_the_last_store(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	assert_int_equal(find(fixture, &found, "three"), ERR_NOT_FOUND);
	assert_string_equal(fixture->err.text, "three is not among two");
}

static void a_broken_store_is_not_passed_over(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;

	fixture->first.breaks = true;
	assert_int_equal(find(fixture, &found, "two"), ERR_GIT);
	assert_int_equal(documents(fixture), ERR_FORMAT);
}

static void a_silent_store_names_nothing_but_gives_documents(void **state)
{
	struct fixture *fixture = *state;
	struct found_version found;
	struct source_graph graph;

	fixture->list.stores[0].is_silent = true;
	fixture->second.knows[1] = NULL;
	assert_int_equal(find(fixture, &found, "one"), ERR_NOT_FOUND);
	assert_int_equal(list_versions(&graph, &fixture->list, &fixture->arena, &fixture->err), 0);
	assert_string_equal(graph.main, "two");
	assert_int_equal(documents(fixture), 0);
	assert_string_equal(fixture->requests[0].abi.driver, "one");
}

static void versions_are_those_of_the_first_store_that_has_any(void **state)
{
	struct fixture *fixture = *state;
	struct source_graph graph;

	assert_int_equal(list_versions(&graph, &fixture->list, &fixture->arena, &fixture->err), 0);
	assert_string_equal(graph.main, "one");
	fixture->first.knows[0] = NULL;
	assert_int_equal(list_versions(&graph, &fixture->list, &fixture->arena, &fixture->err), 0);
	assert_string_equal(graph.main, "two");
}

static void a_document_comes_from_the_first_store_that_has_it(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(documents(fixture), 0);
	assert_string_equal(fixture->requests[0].abi.driver, "one");
	assert_string_equal(fixture->requests[1].abi.driver, "two");
	assert_string_equal(fixture->log.text, "one asked for one two; two asked for two; one offered two; ");
}

static void a_store_that_is_not_needed_is_not_asked(void **state)
{
	struct fixture *fixture = *state;

	fixture->first.has[1] = "two";
	assert_int_equal(documents(fixture), 0);
	assert_string_equal(fixture->log.text, "one asked for one two; ");
}

static void what_is_done_is_not_asked_for(void **state)
{
	struct fixture *fixture = *state;

	fixture->wanted[1].done = true;
	assert_int_equal(documents(fixture), 0);
	assert_string_equal(fixture->log.text, "one asked for one; ");
}

static void a_document_that_cannot_be_read_is_said_by_its_request(void **state)
{
	struct fixture *fixture = *state;

	fixture->second.fails = "two";
	assert_int_equal(documents(fixture), 0);
	assert_int_equal(fixture->requests[0].rc, 0);
	assert_int_equal(fixture->requests[1].rc, ERR_PARSE);
	assert_string_equal(fixture->log.text, "one asked for one two; two asked for two; ");
}

static void a_document_that_nothing_has_is_an_error(void **state)
{
	struct fixture *fixture = *state;

	fixture->second.has[0] = NULL;
	assert_int_equal(documents(fixture), ERR_NOT_FOUND);
	assert_string_equal(fixture->err.text, "there is no document of two");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_name_is_asked_of_each_store_in_turn, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_store_may_say_that_no_later_one_is_asked, with_list, without_list),
		cmocka_unit_test_setup_teardown(an_unknown_name_is_refused_in_the_words_of_the_last_store, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_broken_store_is_not_passed_over, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_silent_store_names_nothing_but_gives_documents, with_list, without_list),
		cmocka_unit_test_setup_teardown(versions_are_those_of_the_first_store_that_has_any, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_version_that_is_cut_short_is_the_only_one_that_begins_so, with_list, without_list),
		cmocka_unit_test_setup_teardown(of_several_that_begin_so_all_are_named, with_list, without_list),
		cmocka_unit_test_setup_teardown(only_a_user_cuts_versions_short, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_comes_from_the_first_store_that_has_it, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_store_that_is_not_needed_is_not_asked, with_list, without_list),
		cmocka_unit_test_setup_teardown(what_is_done_is_not_asked_for, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_that_cannot_be_read_is_said_by_its_request, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_that_nothing_has_is_an_error, with_list, without_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
