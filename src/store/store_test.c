/*
 * Tests which documents the stores give if the user named an archive, a document or a directory, and how a
 * list of stores is searched.
 */
#include "store/fixture_test.h"

/* --- the stores of an archive ------------------------------------------------------ */

/* 1.0, then 2.0 on the main branch, and 1.1 on a side branch. */
static const struct source_version versions[] = {
	{ "1.0", "1000000000000000000000000000000000000000", 1, SOURCE_NO_PARENT, true },
	{ "1.1", "1100000000000000000000000000000000000000", 2, 0, false },
	{ "2.0", "2000000000000000000000000000000000000000", 3, 0, true },
};
enum { VERSION_COUNT = sizeof(versions) / sizeof(*versions) };
static const char *const targets[] = { X86 };
static const struct archive_head head = {
	.driver = "toy", .profile = "aa", .generation = ABI_GENERATION, .targets = targets,
	.target_count = 1, .graph = { .versions = versions, .count = VERSION_COUNT, .main = "main" },
};
static const struct profile profile = { .name = "toy", .hash = "aa" };
static struct stores *stores;

static void open_stores(const char *archive, const char *directory)
{
	options.profile = &profile;
	options.no_cache = true;
	options.no_archive = !archive && !directory;
	options.archive = archive;
	options.dir = directory;
	stores_free(stores);
	stores_open(&stores, &options, &arena);
}

static int begin_archive_test(void **state)
{
	begin_test(state);
	open_stores(put_archive("file", &head), NULL);
	return 0;
}

static int end_archive_test(void **state)
{
	stores_free(stores);
	stores = NULL;
	return end_test(state);
}

/* A request, and its document, or why there is none. */
static const struct {
	const char *fact;
	struct store_request request;
	const char *expected;
} requests[] = {
	{ "a version comes from the archive that was named", { .version = "1.1" },
	  "1.1 1100000000000000000000000000000000000000" },
	{ "no version is the newest", { .version = NULL }, "2.0 2000000000000000000000000000000000000000" },
	{ "a version that does not exist is an error", { .version = "3.0" },
	  "not found: no version 3.0 in DIR/file (as of 1970-01-01); nearest: 1.0, 2.0, 1.1" },
	{ "a version that may be lacking is explained", { .version = "3.0", .may_lack = true },
	  "lacking: not in the archive DIR/file (as of 1970-01-01); update the archive (drvabi archive write "
	  "--add), name a clone that has the version (--repo), or name the version's unpacked tree (--dir "
	  "and --version)" },
	{ "a skipped version is not read", { .version = "3.0", .skipped = true }, "not read" },
};

#define ARCHIVE_TEST(name) TEST_WITH(name, begin_archive_test, end_archive_test)

ARCHIVE_TEST(a_request_gets_its_document)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		struct store_request request = requests[i].request;
		int rc = stores_documents(&request, 1, stores, &err);
		struct strbuf out = { 0 };

		if (rc)
			add_result(&out, rc);
		else if (request.lacking)
			add_text(&out, arena_printf(&arena, "lacking: %s; %s", request.lacking_why,
						    request.lacking_to_do));
		else if (!request.abi.version)
			strbuf_adds(&out, "not read");
		else
			strbuf_addf(&out, "%s %s", request.abi.version, request.abi.commit);
		differs |= text_differs(requests[i].fact, &out, requests[i].expected);
	}
	assert_false(differs);
}

ARCHIVE_TEST(a_document_s_file_needs_no_store)
{
	const struct abi document = { .driver = "toy", .version = "9.0", .commit = "", .target = X86 };
	struct store_request request = { 0 };
	struct strbuf text = { 0 };

	json_write_abi(&(struct json_writer){ .out = &text }, &document);
	request.json = put_file("document", text.text, text.length);
	strbuf_release(&text);
	open_stores(NULL, NULL);
	assert_int_equal(stores_documents(&request, 1, stores, &err), 0);
	assert_string_equal(request.abi.version, "9.0");
}

/* The choice of versions, and the versions of the history; "(1.0)" is skipped. */
static const char *const only[] = { "1.1" };
static const struct {
	const char *fact;
	struct store_choice choice;
	bool has_directory;
	const char *expected;
} histories[] = {
	{ "a history has all versions", { .shown = NULL }, false, "1.0 1.1 2.0 newest 2.0" },
	{ "a history shows the requested tag", { .shown = "1.1" }, false, "1.0 1.1 2.0 newest 1.1" },
	{ "a history may be of named versions", { .names = only, .count = 1 }, false,
	  "(1.0) 1.1 (2.0) newest 2.0" },
	{ "a directory has no history", { .shown = NULL }, true,
	  "usage: --dir is a tree without versions; history needs a repository" },
};

ARCHIVE_TEST(a_history_has_the_chosen_versions)
{
	const char *archive = options.archive;
	bool differs = false;

	for (size_t i = 0; i < sizeof(histories) / sizeof(*histories); i++) {
		struct store_history history = { .requests = NULL };
		struct strbuf out = { 0 };
		int rc;

		if (histories[i].has_directory)
			open_stores(NULL, dir);
		else
			open_stores(archive, NULL);
		if ((rc = stores_history(&history, stores, &histories[i].choice, &err)))
			add_result(&out, rc);
		for (size_t v = 0; v < history.graph.count; v++) {
			const struct store_request *request = &history.requests[v];

			strbuf_addf(&out, request->skipped ? "(%s) " : "%s ",
				    request->skipped ? request->version : request->abi.version);
		}
		if (!rc)
			strbuf_addf(&out, "newest %s", history.graph.versions[history.newest].name);
		differs |= text_differs(histories[i].fact, &out, histories[i].expected);
	}
	assert_false(differs);
}

ARCHIVE_TEST(around_a_version_are_those_of_the_archive)
{
	struct store_request request = { .version = "1.1" };
	struct store_around around;

	assert_int_equal(stores_around(&around, &request, stores, &err), 0);
	assert_int_equal(around.graph.count, VERSION_COUNT);
	assert_int_equal(around.asked, 1);
	assert_string_equal(request.abi.version, "1.1");
}

ARCHIVE_TEST(a_repository_that_nobody_named_has_no_tags)
{
	const char *const *names;
	size_t count;

	assert_int_equal(stores_tags(&names, &count, stores, &err), 0);
	assert_null(names);
}

/* --- a list of stores --------------------------------------------------------------- */

/* A store that has some versions, and the documents of some commits. The store logs its calls. */
struct fake {
	const char *knows; /* the versions, as words; the commit of version "x" is "x" */
	const char *has;   /* the commits whose documents the store has */
	const char *fails; /* a commit whose document cannot be read */
	bool breaks;       /* all calls fail */
	bool is_last;      /* ends the search for a version */
};

/* Takes the next word of a list. Return: false at its end. */
static bool next_word(const char **out, const char **words)
{
	*out = document_word(words, &arena);
	return **out;
}

static const char *first_word(const char *words)
{
	return document_word(&words, &arena);
}

static bool among(const char *words, const char *text)
{
	const char *word;

	while (next_word(&word, &words))
		if (!strcmp(word, text))
			return true;
	return false;
}

static int fake_find(struct found_version *out, void *data, const char *version, struct arena *in,
		     struct err *why)
{
	const struct fake *self = data;

	if (self->breaks)
		return err_set(why, ERR_GIT, "broken");
	if (!among(self->knows, version))
		return err_set(why, ERR_NOT_FOUND, "%s is not among %s", version, first_word(self->knows));
	*out = (struct found_version){ version, version };
	return 0;
}

static bool fake_leaves_open(void *data, const char *version, bool by_user)
{
	return !((struct fake *)data)->is_last;
}

static int fake_versions(struct source_graph *out, void *data, struct arena *in, struct err *why)
{
	const char *words = ((struct fake *)data)->knows, *word;
	struct source_version *tags = arena_array(in, 4, sizeof(*tags));

	if (!*words)
		return err_set(why, ERR_NOT_FOUND, "none");
	*out = (struct source_graph){ .main = first_word(words), .versions = tags };
	while (next_word(&word, &words))
		tags[out->count++] = (struct source_version){ .name = word, .commit = word };
	return 0;
}

static int fake_documents(void *data, struct wanted *const *wanted, size_t count, struct arena *in,
			  struct err *why)
{
	struct fake *self = data;

	strbuf_addf(&said, "%s asked for", first_word(self->knows));
	for (size_t i = 0; i < count; i++) {
		struct store_request *request = wanted[i]->request;
		const char *commit = wanted[i]->version.commit;
		bool fails = self->fails && !strcmp(self->fails, commit);

		strbuf_addf(&said, " %s", commit);
		if (!fails && !among(self->has, commit))
			continue;
		wanted[i]->done = true;
		request->abi.driver = first_word(self->knows);
		if (fails)
			request->rc = err_set(&request->err, ERR_PARSE, "%s does not parse", commit);
	}
	strbuf_adds(&said, "; ");
	return self->breaks ? err_set(why, ERR_FORMAT, "broken") : 0;
}

static const struct store_ops fake_ops = { .find = fake_find,
					   .leaves_open = fake_leaves_open,
					   .versions = fake_versions,
					   .documents = fake_documents };

/*
 * Two stores, and the result of one call: the name and commit that are found, the main branch of the
 * versions, or the log, followed by the stores that gave the documents of "one" and "two".
 */
#define FIRST { .knows = "one", .has = "one" }
#define SECOND { .knows = "two one", .has = "two one" }
enum call { FIND, FIND_FOR_TABLE, VERSIONS, DOCUMENTS, SECOND_DOCUMENT_IS_DONE };
static const struct {
	const char *fact;
	struct fake first, second;
	bool first_gives_documents;
	enum call call;
	const char *version, *expected;
} lists[] = {
	{ "a name is asked of each store in turn", FIRST, SECOND, false, FIND, "two", "two two" },
	{ "an abbreviation is the only version that begins with it",
	  { .knows = "1.0 2.0", .has = "" }, SECOND, false, FIND, "2", "2.0 2.0" },
	{ "of several versions that begin with it, all are named",
	  { .knows = "2.0 2.1", .has = "" }, SECOND, false, FIND, "2",
	  "not found: 2 is ambiguous: 2 versions begin with it: 2.0, 2.1; choose one of them" },
	{ "only a user abbreviates versions", { .knows = "2.0", .has = "" }, SECOND, false,
	  FIND_FOR_TABLE, "2", "not found: 2 is not among two" },
	{ "a store may end the search", { .knows = "one", .has = "one", .is_last = true }, SECOND, false,
	  FIND, "two", "not found: two is not among one" },
	{ "the message about an unknown name is that of the last store", FIRST, SECOND, false, FIND, "three",
	  "not found: three is not among two" },
	{ "a broken store is not passed over for a name",
	  { .knows = "one", .has = "one", .breaks = true }, SECOND, false, FIND, "two", "git: broken" },
	{ "a broken store is not passed over for a document",
	  { .knows = "one", .has = "one", .breaks = true }, SECOND, false, DOCUMENTS, NULL,
	  "one asked for one two; format: broken" },
	{ "a silent store finds no version", FIRST, { .knows = "two", .has = "two one" }, true, FIND, "one",
	  "not found: one is not among two" },
	{ "a silent store lists no version", FIRST, { .knows = "two", .has = "two one" }, true,
	  VERSIONS, NULL, "main two" },
	{ "a silent store gives documents", FIRST, { .knows = "two", .has = "two one" }, true,
	  DOCUMENTS, NULL, "one asked for one two; two asked for two; from one; from two" },
	{ "versions are those of the first store", FIRST, SECOND, false, VERSIONS, NULL, "main one" },
	{ "a store without versions is passed over", { .knows = "", .has = "one" }, SECOND, false, VERSIONS,
	  NULL, "main two" },
	{ "a document comes from the first store that has it", FIRST, SECOND, false, DOCUMENTS, NULL,
	  "one asked for one two; two asked for two; from one; from two" },
	{ "a store that is not needed is not asked", { .knows = "one", .has = "one two" }, SECOND, false,
	  DOCUMENTS, NULL, "one asked for one two; from one; from one" },
	{ "a document that is done is not asked for", FIRST, SECOND, false, SECOND_DOCUMENT_IS_DONE, NULL,
	  "one asked for one; from one; unchanged" },
	{ "an error in a document belongs to its request", FIRST,
	  { .knows = "two one", .has = "two one", .fails = "two" }, false, DOCUMENTS, NULL,
	  "one asked for one two; two asked for two; from one; parse: two does not parse" },
	{ "a document that no store has is an error", FIRST, { .knows = "two one", .has = "" }, false,
	  DOCUMENTS, NULL,
	  "one asked for one two; two asked for two; not found: there is no document of two" },
};

static void add_documents(struct strbuf *out, const struct list *list, bool second_is_done)
{
	struct store_request asked[2] = { { .version = NULL } };
	struct wanted wanted[] = {
		{ .request = &asked[0], .version = { "one", "one" } },
		{ .request = &asked[1], .version = { "two", "two" }, .done = second_is_done },
	};
	int rc = list_documents(list, wanted, 2, &arena, &err);

	strbuf_adds(out, strbuf_text(&said));
	if (rc)
		add_result(out, rc);
	for (size_t i = 0; !rc && i < 2; i++) {
		err = asked[i].err;
		strbuf_adds(out, i ? "; " : "");
		if (asked[i].rc)
			add_result(out, asked[i].rc);
		else if (asked[i].abi.driver)
			strbuf_addf(out, "from %s", asked[i].abi.driver);
		else
			strbuf_adds(out, "unchanged");
	}
}

STORE_TEST(a_list_of_stores_is_searched_in_order)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		struct fake first = lists[i].first, second = lists[i].second;
		struct found_version found;
		struct source_graph graph;
		struct list list = { .count = 0 };
		struct strbuf out = { 0 };
		int rc = 0;

		strbuf_reset(&said);
		list_add(&list, &fake_ops, &first, lists[i].first_gives_documents);
		list_add(&list, &fake_ops, &second, false);
		if (lists[i].call == FIND || lists[i].call == FIND_FOR_TABLE) {
			rc = list_find(&found, &list, lists[i].version, lists[i].call == FIND, &arena, &err);
			if (!rc)
				strbuf_addf(&out, "%s %s", found.name, found.commit);
		} else if (lists[i].call == VERSIONS) {
			rc = list_versions(&graph, &list, &arena, &err);
			strbuf_addf(&out, "main %s", rc ? "?" : graph.main);
		} else {
			add_documents(&out, &list, lists[i].call == SECOND_DOCUMENT_IS_DONE);
		}
		if (rc)
			add_result(&out, rc);
		differs |= text_differs(lists[i].fact, &out, lists[i].expected);
	}
	assert_false(differs);
}
