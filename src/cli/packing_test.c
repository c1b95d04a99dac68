#include "cli/packing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* Keys are of 32 digits; these are only like them. */
static const char *const commits[] = { "c1", "c2", "c3" };

struct place {
	char dir[64];
	struct arena arena;
	struct abi abi[3]; /* with the constants A; A, B; A, C */
	struct err err;
};

static void make_document(struct abi *abi, struct place *place, const char *second)
{
	const struct abi head = { .driver = "test", .version = "?", .commit = "?", .target = "x86_64-linux-gnu" };
	const struct abi_constant constants[] = { { "A", { 1, false } }, { second, { 2, false } } };
	struct abi_builder *builder = abi_builder_new(&place->arena);

	abi_builder_constant(builder, &constants[0]);
	if (second)
		abi_builder_constant(builder, &constants[1]);
	abi_builder_seal(abi, builder, &head);
	abi_builder_free(builder);
}

static int with_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	snprintf(place->dir, sizeof(place->dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(place->dir));
	make_document(&place->abi[0], place, NULL);
	make_document(&place->abi[1], place, "B");
	make_document(&place->abi[2], place, "C");
	*state = place;
	return 0;
}

static int without(void **state)
{
	struct place *place = *state;
	const char *documents = arena_printf(&place->arena, "%s/documents", place->dir);

	assert_int_equal(cache_clear(place->dir, true, &place->err), 0);
	assert_int_equal(rmdir(documents), 0);
	assert_int_equal(rmdir(place->dir), 0);
	arena_release(&place->arena);
	free(place);
	return 0;
}

static void write_it(struct packing *packing, struct place *place)
{
	if (packing_write(packing, place->dir, "salt", &place->err))
		fail_msg("%s", place->err.text);
	packing_release(packing);
}

/* A pack with the document @i, of a version and called by its key and its commit. */
static void put_one(struct place *place, size_t i, const char *version)
{
	struct packing packing = { .count = 0 };

	packing_name(&packing, commits[i], packing_add(&packing, arena_printf(&place->arena, "key%zu", i), version, &place->abi[i]));
	write_it(&packing, place);
}

/* Adds the document @i to what is there. */
static void add_one(struct place *place, size_t i, const char *version, const bool *used)
{
	struct packing packing = { .count = 0 };
	struct packed old;

	assert_true(packed_read(&old, place->dir, "salt", &place->arena));
	packing_keep(&packing, &old, used);
	packing_name(&packing, commits[i], packing_add(&packing, arena_printf(&place->arena, "key%zu", i), version, &place->abi[i]));
	write_it(&packing, place);
}

/* The second constant of the document that is called @name, "" if it has none; NULL if there is no such document. */
static const char *second_of(struct place *place, const char *name)
{
	struct packed packed;
	struct abi abi;
	size_t document;

	assert_true(packed_read(&packed, place->dir, "salt", &place->arena));
	if (!cache_pack_find(&document, &packed.pack, name))
		return NULL;
	assert_int_equal(archive_document(&abi, packed.archive, document, &place->arena, &place->err), 0);
	assert_string_equal(abi.constants[0].name, "A");
	return abi.constant_count > 1 ? abi.constants[1].name : "";
}

static void a_document_is_found_by_key_and_by_commit(void **state)
{
	put_one(*state, 1, "1.0");
	assert_string_equal(second_of(*state, "key1"), "B");
	assert_string_equal(second_of(*state, "c2"), "B");
	assert_null(second_of(*state, "c1"));
	assert_null(second_of(*state, "key0"));
}

static void what_was_there_stays_whatever_the_order(void **state)
{
	put_one(*state, 1, "2.0");
	add_one(*state, 0, "1.0", NULL);
	add_one(*state, 2, "1.10", NULL);
	assert_string_equal(second_of(*state, "key0"), "");
	assert_string_equal(second_of(*state, "c1"), "");
	assert_string_equal(second_of(*state, "key1"), "B");
	assert_string_equal(second_of(*state, "c2"), "B");
	assert_string_equal(second_of(*state, "key2"), "C");
	assert_string_equal(second_of(*state, "c3"), "C");
}

static void versions_stand_side_by_side(void **state)
{
	struct place *place = *state;
	struct packed packed;

	put_one(place, 1, "2.0");
	add_one(place, 0, "1.9", NULL);
	add_one(place, 2, "1.10", NULL);
	assert_true(packed_read(&packed, place->dir, "salt", &place->arena));
	assert_string_equal(archive_head(packed.archive)->versions[0].name, "1.9 key0");
	assert_string_equal(archive_head(packed.archive)->versions[1].name, "1.10 key2");
	assert_string_equal(archive_head(packed.archive)->versions[2].name, "2.0 key1");
}

static void two_repositories_may_have_a_version_of_one_name(void **state)
{
	put_one(*state, 1, "1.0");
	add_one(*state, 2, "1.0", NULL);
	assert_string_equal(second_of(*state, "c2"), "B");
	assert_string_equal(second_of(*state, "c3"), "C");
}

static void what_is_not_used_can_go(void **state)
{
	const bool used[] = { false, true }; /* in the order of versions */

	put_one(*state, 0, "1.0");
	add_one(*state, 1, "2.0", NULL);
	add_one(*state, 2, "3.0", used);
	assert_null(second_of(*state, "key0"));
	assert_null(second_of(*state, "c1"));
	assert_string_equal(second_of(*state, "key1"), "B");
	assert_string_equal(second_of(*state, "c3"), "C");
}

static void another_name_leaves_the_documents_as_they_are(void **state)
{
	struct place *place = *state;
	struct packing packing = { .count = 0 };
	struct packed before, after;
	size_t document;

	put_one(place, 1, "1.0");
	add_one(place, 2, "2.0", NULL);
	assert_true(packed_read(&before, place->dir, "salt", &place->arena));
	packing_keep(&packing, &before, NULL);
	assert_true(packing_find(&document, &packing, "key2"));
	assert_false(packing_find(&document, &packing, "c1"));
	packing_name(&packing, "c1", document);
	assert_true(packing.as_before);
	write_it(&packing, place);
	assert_true(packed_read(&after, place->dir, "salt", &place->arena));
	assert_int_equal(after.pack.size, before.pack.size);
	assert_memory_equal(after.pack.documents, before.pack.documents, before.pack.size);
	assert_string_equal(second_of(place, "c1"), "C");
	assert_string_equal(second_of(place, "c2"), "B");
}

static void documents_that_are_no_archive_are_not_believed(void **state)
{
	struct place *place = *state;
	const struct cache_pack pack = { .document_count = 1, .documents = "none", .size = 4 };
	struct packed packed;

	assert_int_equal(cache_pack_put(&pack, place->dir, "salt", &place->err), 0);
	assert_false(packed_read(&packed, place->dir, "salt", &place->arena));
}

static void an_archive_of_more_documents_than_are_told_is_not_believed(void **state)
{
	struct place *place = *state;
	struct cache_pack pack;
	struct packed packed;

	put_one(place, 1, "1.0");
	assert_int_equal(cache_pack_get(&pack, place->dir, "salt", &place->arena, &place->err), 0);
	pack.document_count++;
	assert_int_equal(cache_pack_put(&pack, place->dir, "salt", &place->err), 0);
	assert_false(packed_read(&packed, place->dir, "salt", &place->arena));
}

static void what_cannot_be_written_is_an_error(void **state)
{
	struct place *place = *state;
	struct packing packing = { .count = 0 };

	put_one(place, 0, "1.0");
	packing_add(&packing, "key", "1.0", &place->abi[0]);
	assert_int_equal(packing_write(&packing, "/dev/null/none", "salt", &place->err), ERR_IO);
	packing_release(&packing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_document_is_found_by_key_and_by_commit, with_place, without),
		cmocka_unit_test_setup_teardown(what_was_there_stays_whatever_the_order, with_place, without),
		cmocka_unit_test_setup_teardown(versions_stand_side_by_side, with_place, without),
		cmocka_unit_test_setup_teardown(two_repositories_may_have_a_version_of_one_name, with_place, without),
		cmocka_unit_test_setup_teardown(what_is_not_used_can_go, with_place, without),
		cmocka_unit_test_setup_teardown(another_name_leaves_the_documents_as_they_are, with_place, without),
		cmocka_unit_test_setup_teardown(documents_that_are_no_archive_are_not_believed, with_place, without),
		cmocka_unit_test_setup_teardown(an_archive_of_more_documents_than_are_told_is_not_believed, with_place, without),
		cmocka_unit_test_setup_teardown(what_cannot_be_written_is_an_error, with_place, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
