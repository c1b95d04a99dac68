/*
 * extract/fixture_test.h - extracts documents from headers in memory, for tests
 *
 * The profile reads a.h, with the include directory inc/, and requests the constants K_*. All data is in one
 * arena, which is released after each test.
 */
#ifndef EXTRACT_FIXTURE_TEST_H
#define EXTRACT_FIXTURE_TEST_H

#include "extract/extract.h"

#include "extract/memory_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* The profile and the results of a test. */
struct fixture {
	struct arena arena;
	struct err err;
	struct extract_result result;
	struct abi abi;
	struct profile_unit unit;
	struct profile profile;
};

#define STRINGS(...)                                                                                         \
	{ (const char *const[]){ __VA_ARGS__ },                                                              \
	  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *) }

static const struct profile_constant any_k = { .name = "K_*" };

static inline int set_up(void **state)
{
	static const char *const header = "a.h", *const dir = "inc";
	const struct profile_unit unit = { .name = "main",
					   .headers = { &header, 1 },
					   .include = { &dir, 1 } };
	struct fixture *fixture = xmalloc(sizeof(*fixture));

	*fixture = (struct fixture){ .unit = unit, .profile = { .name = "test", .unit_count = 1 } };
	fixture->profile.units = &fixture->unit;
	fixture->profile.constants = &any_k;
	fixture->profile.constant_count = 1;
	*state = fixture;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *fixture = *state;

	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

static inline int extract_for(struct fixture *fixture, const struct memory_file *files, const char *target)
{
	struct memory_tree tree = memory_tree_of(files);
	struct extract_options options = { .target = target };
	struct abi_builder *builder = abi_builder_new(&fixture->arena);
	const struct abi head = { .driver = fixture->profile.name,
				  .version = tree.tree.version,
				  .commit = tree.tree.commit,
				  .target = target };
	int rc = extract_tree(&fixture->result, builder, &tree.tree, &fixture->profile, &options,
			      &fixture->arena, &fixture->err);

	if (!rc)
		abi_builder_seal(&fixture->abi, builder, &head);
	abi_builder_free(builder);
	return rc;
}

static inline int extract(struct fixture *fixture, const struct memory_file *files)
{
	return extract_for(fixture, files, "x86_64-linux-gnu");
}

/* Extracts and returns the document of a header a.h with the text @text. */
static inline const struct abi *abi_of(void **state, const char *text)
{
	const struct memory_file files[] = { { "a.h", text }, { NULL, NULL } };
	struct fixture *fixture = *state;

	assert_int_equal(extract(fixture, files), 0);
	return &fixture->abi;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
