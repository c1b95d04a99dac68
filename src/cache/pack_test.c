#include "cache/cache.h"

#include "cache/limits.h"
#include "cache/trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

struct place {
	char dir[64];
	struct arena arena;
	struct err err;
};

static const struct cache_name names[] = { { "0123", 1 }, { "4567", 0 }, { "89ab", 2 } };
static const struct cache_pack sample = {
	.names = names, .name_count = 3, .document_count = 3, .documents = "all\0documents", .size = sizeof("all\0documents"),
};
static const struct cache_name other_names[] = { { "0123", 0 } };
static const struct cache_pack other = {
	.names = other_names, .name_count = 1, .document_count = 1, .documents = "another", .size = sizeof("another"),
};

static int with_place(void **state)
{
	static struct place place;

	memset(&place, 0, sizeof(place));
	snprintf(place.dir, sizeof(place.dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(place.dir));
	*state = &place;
	return 0;
}

static const char *documents_of(struct place *place)
{
	return arena_printf(&place->arena, "%s/documents", place->dir);
}

static int without(void **state)
{
	struct place *place = *state;

	trim_directory(documents_of(place), 0);
	rmdir(documents_of(place));
	assert_int_equal(rmdir(place->dir), 0);
	arena_release(&place->arena);
	return 0;
}

static void put(struct place *place, const struct cache_pack *pack, const char *salt)
{
	if (cache_pack_put(pack, place->dir, salt, &place->err))
		fail_msg("%s", place->err.text);
}

static int got(struct cache_pack *out, struct place *place, const char *salt)
{
	return cache_pack_get(out, place->dir, salt, &place->arena, &place->err);
}

/* The path of the only pack, after it has been put. */
static const char *put_alone(struct place *place, const struct cache_pack *pack, const char *salt)
{
	const char *found = NULL;
	struct dirent *entry;
	DIR *stream;

	trim_directory(documents_of(place), 0);
	put(place, pack, salt);
	stream = opendir(documents_of(place));
	assert_non_null(stream);
	while ((entry = readdir(stream)))
		if (*entry->d_name != '.')
			found = arena_printf(&place->arena, "%s/%s", documents_of(place), entry->d_name);
	closedir(stream);
	assert_non_null(found);
	return found;
}

static struct strbuf bytes_of(const char *path)
{
	struct strbuf bytes = { 0 };

	assert_int_equal(file_read(&bytes, path, 1024 * 1024, NULL), 0);
	return bytes;
}

static void write_bytes(const char *path, const void *data, size_t size)
{
	assert_int_equal(file_write_unsynced(path, data, size, NULL), 0);
}

static void a_pack_comes_back_whole(void **state)
{
	struct place *place = *state;
	struct cache_pack pack;

	put(place, &sample, "salt");
	assert_int_equal(got(&pack, place, "salt"), 0);
	assert_int_equal(pack.document_count, 3);
	assert_int_equal(pack.name_count, 3);
	assert_int_equal(pack.size, sample.size);
	assert_memory_equal(pack.documents, sample.documents, sample.size);
}

static void documents_are_found_by_what_they_are_called(void **state)
{
	struct place *place = *state;
	struct cache_pack pack;
	size_t document;

	put(place, &sample, "salt");
	assert_int_equal(got(&pack, place, "salt"), 0);
	for (size_t i = 0; i < sample.name_count; i++) {
		assert_true(cache_pack_find(&document, &pack, names[i].name));
		assert_int_equal(document, names[i].document);
	}
	assert_false(cache_pack_find(&document, &pack, "012"));
	assert_false(cache_pack_find(&document, &pack, "01234"));
	assert_false(cache_pack_find(&document, &pack, ""));
}

static void a_pack_of_nothing_is_a_pack(void **state)
{
	struct place *place = *state;
	const struct cache_pack nothing = { .documents = "" };
	struct cache_pack pack;
	size_t document;

	put(place, &nothing, "salt");
	assert_int_equal(got(&pack, place, "salt"), 0);
	assert_int_equal(pack.size, 0);
	assert_false(cache_pack_find(&document, &pack, "0123"));
}

static void what_was_not_put_is_not_found(void **state)
{
	struct place *place = *state;
	struct cache_pack pack;

	assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
}

static void every_salt_has_its_own(void **state)
{
	struct place *place = *state;
	struct cache_pack pack;

	put(place, &sample, "salt");
	assert_int_equal(got(&pack, place, "other salt"), ERR_NOT_FOUND);
	put(place, &other, "other salt");
	assert_int_equal(got(&pack, place, "salt"), 0);
	assert_int_equal(pack.size, sample.size);
	assert_int_equal(got(&pack, place, "other salt"), 0);
	assert_int_equal(pack.size, other.size);
}

static void one_under_the_name_of_another_is_not_believed(void **state)
{
	struct place *place = *state;
	struct strbuf bytes = bytes_of(put_alone(place, &sample, "salt"));
	struct cache_pack pack;

	write_bytes(put_alone(place, &other, "other salt"), bytes.text, bytes.length);
	assert_int_equal(got(&pack, place, "other salt"), ERR_NOT_FOUND);
	strbuf_release(&bytes);
}

static void a_damaged_one_is_not_found_and_is_replaced(void **state)
{
	struct place *place = *state;
	const char *path = put_alone(place, &sample, "salt");
	struct strbuf bytes = bytes_of(path);
	struct cache_pack pack;

	for (size_t i = 0; i < bytes.length; i++)
		for (int bit = 0; bit < 8; bit++) {
			bytes.text[i] ^= (char)(1 << bit);
			write_bytes(path, bytes.text, bytes.length);
			assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
			bytes.text[i] ^= (char)(1 << bit);
		}
	put(place, &sample, "salt");
	assert_int_equal(got(&pack, place, "salt"), 0);
	strbuf_release(&bytes);
}

static void a_cut_one_is_not_found(void **state)
{
	struct place *place = *state;
	const char *path = put_alone(place, &sample, "salt");
	struct strbuf bytes = bytes_of(path);
	struct cache_pack pack;

	for (size_t size = 0; size < bytes.length; size++) {
		write_bytes(path, bytes.text, size);
		assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
	}
	strbuf_addch(&bytes, '\0');
	write_bytes(path, bytes.text, bytes.length);
	assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
	strbuf_release(&bytes);
}

/* Names and documents of one length, so that only the contents tell the two apart. */
static void names_of_one_and_documents_of_another_are_not_believed(void **state)
{
	struct place *place = *state;
	const struct cache_pack mixed = {
		.names = names, .name_count = 3, .document_count = 3, .documents = "ALL\0DOCUMENTS", .size = sample.size,
	};
	struct strbuf first = bytes_of(put_alone(place, &sample, "salt"));
	const char *path = put_alone(place, &mixed, "salt");
	struct strbuf second = bytes_of(path);
	struct cache_pack pack;

	assert_int_equal(first.length, second.length);
	memcpy(second.text, first.text, first.length - sample.size);
	write_bytes(path, second.text, second.length);
	assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
	strbuf_release(&second);
	strbuf_release(&first);
}

/* What no cache_pack_put() was ever given, under a hash that is right. */
static void names_that_cannot_be_are_not_believed(void **state)
{
	static const struct cache_name no_such_document[] = { { "0123", 3 } };
	static const struct cache_name unsorted[] = { { "4567", 0 }, { "0123", 1 } };
	static const struct cache_name twice[] = { { "0123", 0 }, { "0123", 1 } };
	static const struct cache_pack bad[] = {
		{ .names = no_such_document, .name_count = 1, .document_count = 3, .documents = "" },
		{ .names = unsorted, .name_count = 2, .document_count = 3, .documents = "" },
		{ .names = twice, .name_count = 2, .document_count = 3, .documents = "" },
	};
	struct place *place = *state;
	struct cache_pack pack;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		put(place, &bad[i], "salt");
		assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
	}
}

static void one_that_could_not_be_read_again_is_not_written(void **state)
{
	struct place *place = *state;
	char *many = calloc(1, CACHE_ENTRY_LIMIT_BYTES);
	struct cache_pack large = sample, pack;

	large.documents = many;
	large.size = CACHE_ENTRY_LIMIT_BYTES;
	put(place, &sample, "salt");
	assert_int_equal(cache_pack_put(&large, place->dir, "salt", &place->err), ERR_LIMIT);
	assert_int_equal(got(&pack, place, "salt"), 0);
	assert_int_equal(pack.size, sample.size);
	free(many);
}

static void a_directory_that_cannot_be_written_is_an_error(void **state)
{
	struct place *place = *state;

	assert_int_equal(cache_pack_put(&sample, "/dev/null/none", "salt", &place->err), ERR_IO);
	assert_non_null(strstr(place->err.text, "/dev/null"));
}

enum { ROUNDS = 400 };

static void put_often(struct place *place, const struct cache_pack *pack)
{
	for (int i = 0; i < ROUNDS; i++)
		if (cache_pack_put(pack, place->dir, "salt", NULL))
			_exit(1);
	_exit(0);
}

static void two_writers_and_a_reader_do_not_disturb_each_other(void **state)
{
	struct place *place = *state;
	const struct cache_pack *written[] = { &sample, &other };
	pid_t writers[2];

	put(place, &sample, "salt");
	for (int i = 0; i < 2; i++) {
		writers[i] = fork();
		assert_int_not_equal(writers[i], -1);
		if (!writers[i])
			put_often(place, written[i]);
	}
	for (int i = 0; i < ROUNDS; i++) {
		struct cache_pack pack;

		assert_int_equal(got(&pack, place, "salt"), 0);
		assert_true(pack.size == sample.size || pack.size == other.size);
		assert_int_equal(pack.name_count, pack.size == sample.size ? 3 : 1);
	}
	for (int i = 0; i < 2; i++) {
		int status;

		assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
		assert_int_equal(status, 0);
	}
}

static void reading_an_old_one_marks_it_as_used(void **state)
{
	struct place *place = *state;
	struct timespec old[2] = { { .tv_sec = 1700000000 }, { .tv_sec = 1700000000 } };
	const char *path = put_alone(place, &sample, "salt");
	struct cache_pack pack;
	struct stat st;

	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	assert_int_equal(got(&pack, place, "salt"), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_mtime > 1700000000);
}

static void packs_are_trimmed_as_documents_are(void **state)
{
	struct place *place = *state;
	struct timespec old[2] = { { .tv_sec = 1700000000 }, { .tv_sec = 1700000000 } };
	const char *path = put_alone(place, &sample, "salt");
	struct cache_pack pack;

	put(place, &other, "other salt");
	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	trim_directory(documents_of(place), 1100);
	assert_int_equal(got(&pack, place, "salt"), ERR_NOT_FOUND);
	assert_int_equal(got(&pack, place, "other salt"), 0);
}

static void they_are_counted_pruned_and_cleared(void **state)
{
	struct place *place = *state;
	const char *path = put_alone(place, &sample, "salt");
	struct cache_contents contents;
	struct cache_pack pack;

	put(place, &other, "other salt");
	assert_int_equal(cache_look(&contents, place->dir, &place->err), 0);
	assert_int_equal(contents.packs, 2);
	assert_int_equal(contents.pack_documents, 4);
	assert_int_equal(contents.documents, 0);
	assert_int_equal(contents.damaged, 0);
	assert_true(contents.pack_bytes > sample.size + other.size);
	assert_int_equal(truncate(path, 60), 0);
	assert_int_equal(cache_look(&contents, place->dir, &place->err), 0);
	assert_int_equal(contents.packs, 2);
	assert_int_equal(contents.damaged, 1);
	assert_int_equal(cache_prune(place->dir, &place->err), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(got(&pack, place, "other salt"), 0);
	assert_int_equal(cache_clear(place->dir, false, &place->err), 0);
	assert_int_equal(got(&pack, place, "other salt"), ERR_NOT_FOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_pack_comes_back_whole, with_place, without),
		cmocka_unit_test_setup_teardown(documents_are_found_by_what_they_are_called, with_place, without),
		cmocka_unit_test_setup_teardown(a_pack_of_nothing_is_a_pack, with_place, without),
		cmocka_unit_test_setup_teardown(what_was_not_put_is_not_found, with_place, without),
		cmocka_unit_test_setup_teardown(every_salt_has_its_own, with_place, without),
		cmocka_unit_test_setup_teardown(one_under_the_name_of_another_is_not_believed, with_place, without),
		cmocka_unit_test_setup_teardown(a_damaged_one_is_not_found_and_is_replaced, with_place, without),
		cmocka_unit_test_setup_teardown(a_cut_one_is_not_found, with_place, without),
		cmocka_unit_test_setup_teardown(names_of_one_and_documents_of_another_are_not_believed, with_place, without),
		cmocka_unit_test_setup_teardown(names_that_cannot_be_are_not_believed, with_place, without),
		cmocka_unit_test_setup_teardown(one_that_could_not_be_read_again_is_not_written, with_place, without),
		cmocka_unit_test_setup_teardown(a_directory_that_cannot_be_written_is_an_error, with_place, without),
		cmocka_unit_test_setup_teardown(two_writers_and_a_reader_do_not_disturb_each_other, with_place, without),
		cmocka_unit_test_setup_teardown(reading_an_old_one_marks_it_as_used, with_place, without),
		cmocka_unit_test_setup_teardown(packs_are_trimmed_as_documents_are, with_place, without),
		cmocka_unit_test_setup_teardown(they_are_counted_pruned_and_cleared, with_place, without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
