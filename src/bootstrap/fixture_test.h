/*
 * bootstrap/fixture_test.h - a small driver and a proxy's table for it, made in memory
 *
 * For the tests of bootstrap/ only. A test puts ioctls and records into
 * documents, version by version, and reads a table from JSON in which ' stands for ".
 */
#ifndef BOOTSTRAP_FIXTURE_TEST_H
#define BOOTSTRAP_FIXTURE_TEST_H

#include "bootstrap/bootstrap.h"
#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { VERSIONS_MAX = 8 };

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
#define FIELD(n, t, at, bytes, r)                                                                            \
	{ .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define U32(n, at) FIELD(n, "NvU32", at, 4, ABI_ROLE_NONE)
#define U64(n, at) FIELD(n, "NvU64", at, 8, ABI_ROLE_NONE)
#define PID(n, at) FIELD(n, "NvU32", at, 4, ABI_ROLE_PID)
#define FD(n, at) FIELD(n, "NvU32", at, 4, ABI_ROLE_FD)
#define STATUS(n, at) FIELD(n, "NvU32", at, 4, ABI_ROLE_STATUS)
#define HANDLE(n, at) FIELD(n, "NvHandle", at, 4, ABI_ROLE_HANDLE)
#define POINTER(n, at) FIELD(n, "NvP64", at, 8, ABI_ROLE_POINTER)
#define RECORD(doc, name, size, ...) \
	put_record(doc, name, size, (const struct abi_field[]){ __VA_ARGS__ }, \
		   sizeof((const struct abi_field[]){ __VA_ARGS__ }) / sizeof(struct abi_field))

static struct arena arena;
static struct history_version versions[VERSIONS_MAX];
static struct abi_builder *docs[VERSIONS_MAX];
static size_t version_count;
static struct proxytype_set *types;
static struct table table;
static struct history_graph graph;
static struct bootstrap got;
static struct err err;

static inline int begin_test(void **state)
{
	(void)state;
	version_count = 0;
	types = NULL;
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	for (size_t i = 0; i < version_count; i++)
		abi_builder_free(docs[i]);
	proxytype_set_free(types);
	arena_release(&arena);
	return 0;
}

static inline void put_alias(struct abi_builder *doc, const char *name, const char *type, uint64_t size)
{
	const struct abi_alias alias = { name, type, size };

	abi_builder_alias(doc, &alias);
}

static inline void put_record(struct abi_builder *doc, const char *name, uint64_t size,
			      const struct abi_field *fields, size_t count)
{
	const struct abi_record record = {
		.name = name,
		.fields = arena_memdup(&arena, fields, count * sizeof(*fields)),
		.field_count = count,
		.size_bytes = size,
		.align_bytes = 4,
		.source = arena_printf(&arena, "%s.h:1:1", name),
	};

	abi_builder_record(doc, &record);
}

/* A macro, and an ioctl of that name and number if @family is one. */
static inline void put_ioctl(struct abi_builder *doc, const char *family, const char *name, uint64_t number,
			     const char *params)
{
	const struct abi_constant constant = { name, abi_number_unsigned(number) };
	const struct abi_ioctl ioctl = {
		.family = family, .name = name, .number = number, .params = params, .source = ""
	};

	abi_builder_constant(doc, &constant);
	if (family)
		abi_builder_ioctl(doc, &ioctl);
}

/*
 * A version that follows the one called @parent, NULL for none; it has a record with a pointer, as every
 * driver.
 */
static inline struct abi_builder *put_version(const char *name, const char *parent)
{
	struct history_version *version = &versions[version_count];
	struct abi_builder *doc = abi_builder_new(&arena);

	*version = (struct history_version){ .version = name,
					     .commit = "0123456789abcdef0123456789abcdef01234567",
					     .parent = HISTORY_NO_PARENT };
	for (size_t i = 0; parent && i < version_count; i++)
		if (!strcmp(versions[i].version, parent))
			version->parent = (long)i;
	put_alias(doc, "NvU32", "unsigned int", 4);
	put_alias(doc, "NvS32", "int", 4);
	put_alias(doc, "NvU64", "unsigned long long", 8);
	put_alias(doc, "NvP64", "void *", 8);
	put_alias(doc, "NvHandle", "unsigned int", 4);
	RECORD(doc, "SOME_POINTER", 12, POINTER("p", 0), HANDLE("hOne", 8));
	docs[version_count++] = doc;
	return doc;
}

static inline void seal_versions(void)
{
	for (size_t i = 0; i < version_count; i++) {
		struct abi *abi = arena_alloc(&arena, sizeof(*abi));
		const struct abi head = { .driver = "nvidia",
					  .version = versions[i].version,
					  .commit = versions[i].commit,
					  .target = "x86_64-linux-gnu" };

		abi_builder_seal(abi, docs[i], &head);
		versions[i].abi = abi;
	}
	history_graph_of(&graph, versions, version_count, &arena);
}

/* Reads the table; @nodes are the elements of "versions", @more types stand beside Handle and P64. */
static inline void read_table(const char *more, const char *nodes)
{
	char *text =
		arena_printf(&arena,
			     "{'format': 'drvabi-proxy/1', 'proxy': 'test', 'driver': 'nvidia', 'types': {"
			     "'Handle': {'size': 4, 'fields': [{'name': 'Val', 'offset': 0, 'type': 'uint32'}], 'role': 'handle'},"
			     "'P64': {'size': 8, 'alias': 'uint64', 'role': 'pointer'}%s%s}, 'versions': [%s]}",
			     *more ? ", " : "", more, nodes);

	for (char *at = text; *at; at++)
		if (*at == '\'')
			*at = '"';
	if (json_read_table(&table, text, strlen(text), "table.json", &arena, &err))
		fail_msg("%s", err.text);
	types = proxytype_set_new(&table, &arena);
}

/* One control entry of a table: NAME with number, record and the proxy's type ("null": none). */
#define ENTRY(name, number, record, proxy) \
	"'" name "': {'number': " #number ", 'constant': '" name "', 'caps': ['compute', 'utility'], " \
	"'structs': [{'driver': '" record "', 'proxy': " proxy "}], 'handler': {'kind': 'simple', 'type': " proxy "}}"
#define NODE(version, parent, entries)                                                                       \
	"{'version': '" version "', 'parent': " parent                                                       \
	", 'supported': true, 'ioctls': {'control': {" entries "}}}"

/* bootstrap_version() of the newest version that was put; fails the test if it fails. */
static inline void bootstrap_newest(void)
{
	const struct bootstrap_options options = { .observed = NULL };
	struct bootstrap_position position;

	seal_versions();
	if (bootstrap_find(&position, &graph, &table, version_count - 1, &arena, &err) ||
	    bootstrap_version(&got, &position, &graph, &table, types, &options, &arena, &err))
		fail_msg("%s", err.text);
}

/* The result's entry of that name, now or before; fails the test if there is none. */
static inline const struct bootstrap_entry *entry_of(const char *name)
{
	for (size_t i = 0; i < got.entry_count; i++)
		if ((got.entries[i].was && !strcmp(got.entries[i].was->name, name)) ||
		    (got.entries[i].now && !strcmp(got.entries[i].now->name, name)))
			return &got.entries[i];
	fail_msg("no entry %s", name);
	return NULL;
}

static inline bool has_todo(const char *what)
{
	for (size_t i = 0; i < got.todo_count; i++)
		if (!strcmp(got.todo[i].what, what))
			return true;
	return false;
}

#endif
