/* Tests which store is used if the user named a document, an archive, or nothing. */
#include "abi/abi.h"
#include "store/internal.h"
#include "store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define X86 "x86_64-linux-gnu"

/* 1.0, then 2.0 on the main branch, and 1.1 on a side branch. */
static const struct archive_version versions[] = {
	{ "1.0", "1000000000000000000000000000000000000000", 1, ARCHIVE_NO_PARENT, true },
	{ "1.1", "1100000000000000000000000000000000000000", 2, 0, false },
	{ "2.0", "2000000000000000000000000000000000000000", 3, 0, true },
};
enum { VERSION_COUNT = sizeof(versions) / sizeof(*versions) };

static const struct profile profile = { .name = "toy", .hash = "aa" };

/* An archive in a separate directory, and a store that uses it. */
struct fixture {
	char dir[128], path[160];
	struct stores *stores;
	struct arena arena;
	struct err err;
};

static void ignore(void *data, enum store_remark kind, const char *sentence)
{
	(void)data;
	(void)kind;
	(void)sentence;
}

static void write_archive(struct fixture *fixture)
{
	static const char *const targets[] = { X86 };
	const struct abi document = { .driver = "toy", .version = "", .commit = "", .target = X86 };
	const struct abi *documents[VERSION_COUNT] = { &document, &document, &document };
	const struct archive_head head = { .driver = "toy",
					   .profile = "aa",
					   .generation = ABI_GENERATION,
					   .targets = targets,
					   .target_count = 1,
					   .versions = versions,
					   .count = VERSION_COUNT,
					   .main = "main" };
	struct strbuf bytes = { 0 };

	assert_int_equal(archive_write(&bytes, &head, documents, &fixture->err), 0);
	assert_int_equal(file_write_atomic(fixture->path, bytes.text, bytes.length, &fixture->err), 0);
	strbuf_release(&bytes);
}

static void open_with(struct fixture *fixture, struct store_options options)
{
	options.profile = &profile;
	options.target = X86;
	options.no_cache = true;
	options.remark = ignore;
	stores_free(fixture->stores);
	stores_open(&fixture->stores, &options, &fixture->arena);
}

static int with_archive(void **state)
{
	static struct fixture fixture;
	const char *temp = getenv("TMPDIR");

	fixture = (struct fixture){ .dir = "" };
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX",
		 temp && strlen(temp) < 100 ? temp : "/tmp");
	assert_non_null(mkdtemp(fixture.dir));
	snprintf(fixture.path, sizeof(fixture.path), "%s/file", fixture.dir);
	write_archive(&fixture);
	open_with(&fixture, (struct store_options){ .archive = fixture.path });
	*state = &fixture;
	return 0;
}

static int without_archive(void **state)
{
	struct fixture *fixture = *state;

	stores_free(fixture->stores);
	arena_release(&fixture->arena);
	unlink(fixture->path);
	return rmdir(fixture->dir);
}

static void a_version_comes_out_of_the_archive_that_was_named(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "1.1" };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "1.1");
	assert_string_equal(request.abi.commit, versions[1].commit);
}

static void no_version_is_the_newest(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = NULL };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "2.0");
}

static void a_version_that_there_is_not_is_an_error(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0" };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), ERR_NOT_FOUND);
	assert_non_null(strstr(fixture->err.text, "3.0"));
}

static void a_version_that_may_lack_says_in_what(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0", .may_lack = true };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_true(request.lacking);
	assert_string_equal(request.lacking_why,
			    arena_printf(&fixture->arena, "not in the archive %s (as of 1970-01-01)",
					 fixture->path));
	assert_non_null(strstr(request.lacking_to_do, "--repo"));
}

static void what_is_skipped_is_not_read(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "3.0", .skipped = true };

	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_null(request.abi.version);
}

static void a_document_s_file_needs_no_store(void **state)
{
	const struct abi document = { .driver = "toy", .version = "9.0", .commit = "", .target = X86 };
	struct fixture *fixture = *state;
	struct store_request request = { .json = fixture->path };
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };

	json_write_abi(&writer, &document);
	assert_int_equal(file_write_atomic(fixture->path, text.text, text.length, &fixture->err), 0);
	strbuf_release(&text);
	open_with(fixture, (struct store_options){ .no_archive = true });
	assert_int_equal(stores_documents(&request, 1, fixture->stores, &fixture->err), 0);
	assert_string_equal(request.abi.version, "9.0");
}

static void a_history_has_all_versions(void **state)
{
	const struct store_choice all = { 0 };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &all, &fixture->err), 0);
	assert_int_equal(history.graph.count, VERSION_COUNT);
	for (size_t i = 0; i < VERSION_COUNT; i++)
		assert_string_equal(history.requests[i].abi.version, versions[i].name);
}

static void a_history_shows_the_requested_tag(void **state)
{
	const struct store_choice asked = { .shown = "1.1" };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &asked, &fixture->err), 0);
	assert_int_equal(history.newest, 1);
	for (size_t i = 0; i < VERSION_COUNT; i++)
		assert_false(history.requests[i].skipped);
}

static void a_history_may_be_of_named_versions(void **state)
{
	static const char *const names[] = { "1.1" };
	const struct store_choice named = { .names = names, .count = 1 };
	struct fixture *fixture = *state;
	struct store_history history;

	assert_int_equal(stores_history(&history, fixture->stores, &named, &fixture->err), 0);
	assert_true(history.requests[0].skipped);
	assert_false(history.requests[1].skipped);
	assert_true(history.requests[2].skipped);
}

static void a_directory_has_no_history(void **state)
{
	const struct store_choice all = { 0 };
	struct fixture *fixture = *state;
	struct store_history history;

	open_with(fixture, (struct store_options){ .dir = fixture->dir });
	assert_int_equal(stores_history(&history, fixture->stores, &all, &fixture->err), ERR_USAGE);
}

static void around_a_version_are_those_of_the_archive(void **state)
{
	struct fixture *fixture = *state;
	struct store_request request = { .version = "1.1" };
	struct store_around around;

	assert_int_equal(stores_around(&around, &request, fixture->stores, &fixture->err), 0);
	assert_int_equal(around.graph.count, VERSION_COUNT);
	assert_int_equal(around.asked, 1);
	assert_string_equal(request.abi.version, "1.1");
}

static void a_repository_that_nobody_named_has_no_tags(void **state)
{
	struct fixture *fixture = *state;
	const char *const *names;
	size_t count;

	assert_int_equal(stores_tags(&names, &count, fixture->stores, &fixture->err), 0);
	assert_null(names);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, with_archive, without_archive)

enum { KNOWN_MAX = 4 };

/* A store that has some versions, and the documents of some commits. The store logs its calls. */
struct fake {
	const char *knows[KNOWN_MAX]; /* the versions; the commit of version "x" is "x" */
	const char *has[KNOWN_MAX];   /* the commits whose documents the store has */
	const char *fails;            /* a commit whose document cannot be read */
	bool breaks;                  /* all calls fail */
	bool is_last;                 /* ends the search for a version */
	struct strbuf *log;
};

static bool among(const char *const list[KNOWN_MAX], const char *text)
{
	for (size_t i = 0; i < KNOWN_MAX && list[i]; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

static int fake_find(struct found_version *out, void *data, const char *version, struct arena *arena,
		     struct err *err)
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
	struct source_version *tags = arena_array(arena, KNOWN_MAX, sizeof(*tags));

	if (!self->knows[0])
		return err_set(err, ERR_NOT_FOUND, "none");
	*out = (struct source_graph){ .main = self->knows[0], .versions = tags };
	for (; out->count < KNOWN_MAX && self->knows[out->count]; out->count++)
		tags[out->count] = (struct source_version){ .name = self->knows[out->count],
							    .commit = self->knows[out->count] };
	return 0;
}

static int fake_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *arena,
			  struct err *err)
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
			request->rc = err_set(&request->err, ERR_PARSE, "%s does not parse",
					      wanted[i]->version.commit);
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
	.find = fake_find,
	.leaves_open = fake_leaves_open,
	.versions = fake_versions,
	.documents = fake_documents,
	.offer = fake_offer,
};

/* The fixture of each test: a list of two stores, and two requests. */
struct fixture_of_list {
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
	struct fixture_of_list *fixture_of_list = calloc(1, sizeof(*fixture_of_list));

	*state = fixture_of_list;
	fixture_of_list->first =
		(struct fake){ .knows = { "one" }, .has = { "one" }, .log = &fixture_of_list->log };
	fixture_of_list->second = (struct fake){ .knows = { "two", "one" },
						 .has = { "two", "one" },
						 .log = &fixture_of_list->log };
	list_add(&fixture_of_list->list, &fake_ops, &fixture_of_list->first, false);
	list_add(&fixture_of_list->list, &fake_ops, &fixture_of_list->second, false);
	fixture_of_list->wanted[0] =
		(struct wanted){ .request = &fixture_of_list->requests[0], .version = { "one", "one" } };
	fixture_of_list->wanted[1] =
		(struct wanted){ .request = &fixture_of_list->requests[1], .version = { "two", "two" } };
	return 0;
}

static int without_list(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	strbuf_release(&fixture_of_list->log);
	arena_release(&fixture_of_list->arena);
	free(fixture_of_list);
	return 0;
}

static int find(struct fixture_of_list *fixture_of_list, struct found_version *out, const char *version)
{
	return list_find(out, &fixture_of_list->list, version, true, &fixture_of_list->arena,
			 &fixture_of_list->err);
}

static int documents(struct fixture_of_list *fixture_of_list)
{
	return list_documents(&fixture_of_list->list, fixture_of_list->wanted, 2, &fixture_of_list->arena,
			      &fixture_of_list->err);
}

static void a_name_is_asked_of_each_store_in_turn(void **state)
{
	struct found_version found;

	assert_int_equal(find(*state, &found, "two"), 0);
	assert_string_equal(found.commit, "two");
}

static void a_version_that_is_cut_short_is_the_only_one_that_begins_so(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	fixture_of_list->first = (struct fake){ .knows = { "1.0", "2.0" }, .log = &fixture_of_list->log };
	assert_int_equal(find(fixture_of_list, &found, "2"), 0);
	assert_string_equal(found.name, "2.0");
	assert_string_equal(found.commit, "2.0");
}

static void of_several_that_begin_so_all_are_named(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	fixture_of_list->first = (struct fake){ .knows = { "2.0", "2.1" }, .log = &fixture_of_list->log };
	assert_int_equal(find(fixture_of_list, &found, "2"), ERR_NOT_FOUND);
	assert_string_equal(fixture_of_list->err.text,
			    "2 is ambiguous: 2 versions begin with it: 2.0, 2.1; choose one of them");
}

static void only_a_user_cuts_versions_short(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	fixture_of_list->first = (struct fake){ .knows = { "2.0" }, .log = &fixture_of_list->log };
	assert_int_equal(list_find(&found, &fixture_of_list->list, "2", false, &fixture_of_list->arena,
				   &fixture_of_list->err),
			 ERR_NOT_FOUND);
}

static void a_store_may_say_that_no_later_one_is_asked(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	fixture_of_list->first.is_last = true;
	assert_int_equal(find(fixture_of_list, &found, "two"), ERR_NOT_FOUND);
	assert_string_equal(fixture_of_list->err.text, "two is not among one");
}

static void an_unknown_name_is_refused_in_the_words_of_the_last_store(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	assert_int_equal(find(fixture_of_list, &found, "three"), ERR_NOT_FOUND);
	assert_string_equal(fixture_of_list->err.text, "three is not among two");
}

static void a_broken_store_is_not_passed_over(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;

	fixture_of_list->first.breaks = true;
	assert_int_equal(find(fixture_of_list, &found, "two"), ERR_GIT);
	assert_int_equal(documents(fixture_of_list), ERR_FORMAT);
}

static void a_silent_store_names_nothing_but_gives_documents(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct found_version found;
	struct source_graph graph;

	fixture_of_list->list.stores[0].is_silent = true;
	fixture_of_list->second.knows[1] = NULL;
	assert_int_equal(find(fixture_of_list, &found, "one"), ERR_NOT_FOUND);
	assert_int_equal(list_versions(&graph, &fixture_of_list->list, &fixture_of_list->arena,
				       &fixture_of_list->err),
			 0);
	assert_string_equal(graph.main, "two");
	assert_int_equal(documents(fixture_of_list), 0);
	assert_string_equal(fixture_of_list->requests[0].abi.driver, "one");
}

static void versions_are_those_of_the_first_store_that_has_any(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;
	struct source_graph graph;

	assert_int_equal(list_versions(&graph, &fixture_of_list->list, &fixture_of_list->arena,
				       &fixture_of_list->err),
			 0);
	assert_string_equal(graph.main, "one");
	fixture_of_list->first.knows[0] = NULL;
	assert_int_equal(list_versions(&graph, &fixture_of_list->list, &fixture_of_list->arena,
				       &fixture_of_list->err),
			 0);
	assert_string_equal(graph.main, "two");
}

static void a_document_comes_from_the_first_store_that_has_it(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	assert_int_equal(documents(fixture_of_list), 0);
	assert_string_equal(fixture_of_list->requests[0].abi.driver, "one");
	assert_string_equal(fixture_of_list->requests[1].abi.driver, "two");
	assert_string_equal(fixture_of_list->log.text,
			    "one asked for one two; two asked for two; one offered two; ");
}

static void a_store_that_is_not_needed_is_not_asked(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	fixture_of_list->first.has[1] = "two";
	assert_int_equal(documents(fixture_of_list), 0);
	assert_string_equal(fixture_of_list->log.text, "one asked for one two; ");
}

static void what_is_done_is_not_asked_for(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	fixture_of_list->wanted[1].done = true;
	assert_int_equal(documents(fixture_of_list), 0);
	assert_string_equal(fixture_of_list->log.text, "one asked for one; ");
}

static void a_document_that_cannot_be_read_is_said_by_its_request(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	fixture_of_list->second.fails = "two";
	assert_int_equal(documents(fixture_of_list), 0);
	assert_int_equal(fixture_of_list->requests[0].rc, 0);
	assert_int_equal(fixture_of_list->requests[1].rc, ERR_PARSE);
	assert_string_equal(fixture_of_list->log.text, "one asked for one two; two asked for two; ");
}

static void a_document_that_nothing_has_is_an_error(void **state)
{
	struct fixture_of_list *fixture_of_list = *state;

	fixture_of_list->second.has[0] = NULL;
	assert_int_equal(documents(fixture_of_list), ERR_NOT_FOUND);
	assert_string_equal(fixture_of_list->err.text, "there is no document of two");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_version_comes_out_of_the_archive_that_was_named),
		TEST(no_version_is_the_newest),
		TEST(a_version_that_there_is_not_is_an_error),
		TEST(a_version_that_may_lack_says_in_what),
		TEST(what_is_skipped_is_not_read),
		TEST(a_document_s_file_needs_no_store),
		TEST(a_history_has_all_versions),
		TEST(a_history_shows_the_requested_tag),
		TEST(a_history_may_be_of_named_versions),
		TEST(a_directory_has_no_history),
		TEST(around_a_version_are_those_of_the_archive),
		TEST(a_repository_that_nobody_named_has_no_tags),
		cmocka_unit_test_setup_teardown(a_name_is_asked_of_each_store_in_turn, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(a_store_may_say_that_no_later_one_is_asked, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(an_unknown_name_is_refused_in_the_words_of_the_last_store,
						with_list, without_list),
		cmocka_unit_test_setup_teardown(a_broken_store_is_not_passed_over, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_silent_store_names_nothing_but_gives_documents, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(versions_are_those_of_the_first_store_that_has_any, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(a_version_that_is_cut_short_is_the_only_one_that_begins_so,
						with_list, without_list),
		cmocka_unit_test_setup_teardown(of_several_that_begin_so_all_are_named, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(only_a_user_cuts_versions_short, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_comes_from_the_first_store_that_has_it, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(a_store_that_is_not_needed_is_not_asked, with_list,
						without_list),
		cmocka_unit_test_setup_teardown(what_is_done_is_not_asked_for, with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_that_cannot_be_read_is_said_by_its_request,
						with_list, without_list),
		cmocka_unit_test_setup_teardown(a_document_that_nothing_has_is_an_error, with_list,
						without_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
