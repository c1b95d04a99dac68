/*
 * history/fixture_test.h - make histories from text, for the tests of history
 *
 * "@1.0 struct R 4 { NvU32 a@0 } @1.1<1.0 … @2.0?<1.0" lists the versions in order. Each has its parent after
 * "<", and its document (abi/document_test.h). A "?" marks a version that cannot be read.
 */
#ifndef HISTORY_FIXTURE_TEST_H
#define HISTORY_FIXTURE_TEST_H

#include "history/history.h"
#include "abi/document_test.h"

enum { VERSIONS_MAX = 16 };

#define HISTORY_TEST(name) TEST_WITH(name, begin_test, end_test)

static struct arena arena;
static struct history_version versions[VERSIONS_MAX];
static struct abi_builder *docs[VERSIONS_MAX];
static bool is_unreadable[VERSIONS_MAX];
static size_t version_count;
static struct history_filter filter;
static struct err err;

static inline int begin_test(void **state)
{
	version_count = 0;
	memset(is_unreadable, 0, sizeof(is_unreadable));
	filter = (struct history_filter){ 0 };
	return 0;
}

static inline int end_test(void **state)
{
	for (size_t i = 0; i < version_count; i++)
		abi_builder_free(docs[i]);
	version_count = 0;
	arena_release(&arena);
	return 0;
}

/* Adds a version with the parent @parent, or NULL. Versions must be added in order. */
static inline struct abi_builder *put_version(const char *name, const char *parent)
{
	struct history_version *version = &versions[version_count];

	*version = (struct history_version){ .version = name, .commit = "c", .parent = HISTORY_NO_PARENT,
					     .on_main = true };
	for (size_t i = 0; parent && i < version_count; i++)
		if (!strcmp(versions[i].version, parent))
			version->parent = (long)i;
	return docs[version_count++] = document_new(&arena);
}

/* Makes the graph of all versions so far. A test can call it twice, and gets two graphs. */
static inline struct history_graph graph_of_all(void)
{
	struct history_graph graph;

	for (size_t i = 0; i < version_count; i++) {
		const struct abi *abi = document_seal(docs[i], versions[i].version, &arena);

		versions[i].abi = is_unreadable[i] ? NULL : abi;
	}
	history_graph_of(&graph, versions, version_count, &arena);
	return graph;
}

static inline struct history_graph graph_of(const char *text)
{
	while (*text) {
		char *word = document_word(&text, &arena), *parent = strchr(word, '<'), *mark;
		const char *end = strstr(text, " @");
		struct abi_builder *doc;

		assert_int_equal(*word, '@');
		if (parent)
			*parent++ = '\0';
		if ((mark = strchr(word, '?')))
			*mark = '\0';
		is_unreadable[version_count] = mark;
		doc = put_version(word + 1, parent);
		document_put(doc, end ? arena_strndup(&arena, text, (size_t)(end - text)) : text, &arena);
		text = end ? end + 1 : "";
	}
	return graph_of_all();
}

/* Sets the filter to these words: names and numbers. */
static inline void ask(const char *words)
{
	const char **names = arena_array(&arena, strlen(words) + 1, sizeof(*names));
	uint64_t *numbers = arena_array(&arena, strlen(words) + 1, sizeof(*numbers));
	const char *word;

	filter = (struct history_filter){ .names = names, .numbers = numbers };
	while (*(word = document_word(&words, &arena)))
		if (*word >= '0' && *word <= '9')
			numbers[filter.number_count++] = strtoull(word, NULL, 0);
		else
			names[filter.name_count++] = word;
}

/* Computes the whole history, with the test's filter. */
static inline struct history history_of(const struct history_graph *graph)
{
	struct history_changes *changes = arena_array(&arena, graph->edge_count + 1, sizeof(*changes));
	struct history history;

	for (size_t i = 0; i < graph->edge_count; i++)
		if (history_compare(&changes[i], graph, &graph->edges[i], &filter, &arena, &err))
			fail_msg("%s", err.text);
	history_join(&history, graph, &filter, changes, &arena);
	return history;
}

/* Lists the versions with the indices @index in one line. */
static inline const char *names_of(const size_t *index, size_t count)
{
	const char *line = "";

	for (size_t i = 0; i < count; i++)
		line = arena_printf(&arena, "%s%s%s", line, i ? " " : "", versions[index[i]].version);
	return line;
}

/* A history, a query, and the result as text, one line per item. */
struct history_fact {
	const char *fact, *graph, *asked, *answer;
};

/* Checks all facts. @answer: appends the result, as lines that each begin with a newline */
static inline void check_facts(const struct history_fact *facts, size_t count,
			       void (*answer)(struct strbuf *out, const struct history_graph *graph,
					      const char *asked))
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };
		struct history_graph graph;

		begin_test(NULL);
		graph = graph_of(facts[i].graph);
		ask(facts[i].asked);
		answer(&text, &graph, facts[i].asked);
		wrong += text_differs(facts[i].fact, &text, facts[i].answer);
		end_test(NULL);
	}
	assert_int_equal(wrong, 0);
}

#endif
