/*
 * history/fixture_test.h - a small history made in memory
 *
 * For the tests of history/ only. A test puts things into documents,
 * version by version, then asks for the graph. Offsets and sizes are bytes.
 */
#ifndef HISTORY_FIXTURE_TEST_H
#define HISTORY_FIXTURE_TEST_H

#include "history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { VERSIONS_MAX = 16 };

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
#define U32(n, at) { .name = (n), .type = "NvU32", .offset_bits = (at) * 8, .size_bits = 32 }
#define U64(n, at) { .name = (n), .type = "NvU64", .offset_bits = (at) * 8, .size_bits = 64 }
#define HANDLE(n, at)                                                                                        \
	{ .name = (n), .type = "NvHandle", .offset_bits = (at) * 8, .size_bits = 32, .role = ABI_ROLE_HANDLE }
#define POINTER(n, at)                                                                                       \
	{ .name = (n), .type = "NvP64", .offset_bits = (at) * 8, .size_bits = 64, .role = ABI_ROLE_POINTER }
#define RECORD(doc, name, size, ...) \
	put_record(doc, name, size, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))
/* A record whose declaration is that of @of. */
#define TYPEDEF(doc, of, name, size, ...) \
	put_typedef(doc, of, name, size, (const struct abi_field[]){ __VA_ARGS__ }, \
		    sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))

static struct arena arena;
static struct history_version versions[VERSIONS_MAX];
static struct abi_builder *docs[VERSIONS_MAX];
static size_t version_count;
static struct history_filter filter;

static inline int begin_test(void **state)
{
	(void)state;
	version_count = 0;
	filter = (struct history_filter){ 0 };
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	for (size_t i = 0; i < version_count; i++)
		abi_builder_free(docs[i]);
	arena_release(&arena);
	return 0;
}

static inline void put_alias(struct abi_builder *doc, const char *name, const char *type, uint64_t size)
{
	const struct abi_alias alias = { name, type, size };

	abi_builder_alias(doc, &alias);
}

/* A version that follows the one called @parent, NULL for none; in the order of versions. */
static inline struct abi_builder *put_version(const char *name, const char *parent, bool on_main)
{
	struct history_version *version = &versions[version_count];
	struct abi_builder *doc = abi_builder_new(&arena);

	*version = (struct history_version){
		.version = name, .commit = "c", .parent = HISTORY_NO_PARENT, .on_main = on_main
	};
	for (size_t i = 0; parent && i < version_count; i++)
		if (!strcmp(versions[i].version, parent))
			version->parent = (long)i;
	put_alias(doc, "NvU32", "unsigned int", 4);
	put_alias(doc, "NvU64", "unsigned long long", 8);
	put_alias(doc, "NvHandle", "unsigned int", 4);
	docs[version_count++] = doc;
	return doc;
}

static inline void put_typedef(struct abi_builder *doc, const char *of, const char *name, uint64_t size,
			       const struct abi_field *fields, size_t count)
{
	struct abi_record record = {
		.name = name, .size_bytes = size, .align_bytes = 4, .field_count = count
	};

	record.source = arena_printf(&arena, "a.h:1:%s", of);
	record.fields = arena_memdup(&arena, fields, count * sizeof(*fields));
	abi_builder_record(doc, &record);
}

static inline void put_record(struct abi_builder *doc, const char *name, uint64_t size,
			      const struct abi_field *fields, size_t count)
{
	put_typedef(doc, name, name, size, fields, count);
}

static inline void put_constant(struct abi_builder *doc, const char *name, uint64_t value)
{
	const struct abi_constant constant = { name, { value, false } };

	abi_builder_constant(doc, &constant);
}

static inline void put_ioctl(struct abi_builder *doc, const char *name, uint64_t number, const char *params)
{
	const struct abi_ioctl ioctl = {
		.family = "control", .name = name, .number = number, .params = params, .source = ""
	};

	abi_builder_ioctl(doc, &ioctl);
}

/* All versions as they are now; a test that seals twice asks for two graphs. */
static inline struct history_graph graph_of_all(void)
{
	struct history_graph graph;

	for (size_t i = 0; i < version_count; i++) {
		const struct abi head = { .driver = "d",
					  .version = versions[i].version,
					  .commit = "c",
					  .target = "x86_64-linux-gnu" };
		struct abi *abi = arena_alloc(&arena, sizeof(*abi));

		abi_builder_seal(abi, docs[i], &head);
		versions[i].abi = abi;
	}
	history_graph_of(&graph, versions, version_count, &arena);
	return graph;
}

/* The test's filter is one number. */
static inline void ask_number(uint64_t number)
{
	filter = (struct history_filter){ .numbers = arena_memdup(&arena, &number, sizeof(number)),
					  .number_count = 1 };
}

/* The whole of it, with the test's filter. */
static inline struct history history_of(const struct history_graph *graph)
{
	struct history_changes *changes = arena_array(&arena, graph->edge_count + 1, sizeof(*changes));
	struct history history;
	struct err err = { "" };

	for (size_t i = 0; i < graph->edge_count; i++)
		if (history_compare(&changes[i], graph, &graph->edges[i], &filter, &arena, &err))
			fail_msg("%s", err.text);
	history_join(&history, graph, &filter, changes, &arena);
	return history;
}

static inline const struct history_event *find_event(const struct history *history, enum abi_kind kind,
						     const char *name)
{
	for (size_t i = 0; i < history->event_count; i++)
		if (history->events[i].change->kind == kind && !strcmp(history->events[i].change->name, name))
			return &history->events[i];
	return NULL;
}

/* The versions of an event's edges, in one line. */
static inline const char *edges_of(const struct history *history, const struct history_event *event)
{
	struct strbuf line = { 0 };
	const char *kept;

	assert_non_null(event);
	for (size_t i = 0; i < event->edge_count; i++)
		strbuf_addf(&line, "%s%s", i ? " " : "",
			    versions[history->graph->edges[event->edges[i]].version].version);
	kept = arena_strdup(&arena, strbuf_text(&line));
	strbuf_release(&line);
	return kept;
}

/* Versions by index, in one line. */
static inline const char *names_of(const size_t *index, size_t count)
{
	struct strbuf line = { 0 };
	const char *kept;

	for (size_t i = 0; i < count; i++)
		strbuf_addf(&line, "%s%s", i ? " " : "", versions[index[i]].version);
	kept = arena_strdup(&arena, strbuf_text(&line));
	strbuf_release(&line);
	return kept;
}

#endif
