/* Tests requests to the cache, offers, and messages. */
#include "store/cache.h"
#include "store/internal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

struct site {
	char dir[64];
	struct arena arena;
	struct err err;
};

static const char *const headers[] = { "inc/a.h", "lib/*.h" };
static const struct profile_unit unit = { .name = "only", .headers = { headers, 2 } };
static const struct profile profile = { .name = "test", .units = &unit, .unit_count = 1 };

/* A tree with two roots. The id of inc/a.h is the first character of the version, and lib is absent. */
static int fake_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	if (strcmp(path, "inc/a.h"))
		return err_set(err, ERR_NOT_FOUND, "no %s", path);
	memset(hex, *tree->version, 40);
	hex[40] = '\0';
	return 0;
}

static int broken_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	(void)tree;
	(void)hex;
	return err_set(err, ERR_GIT, "cannot read %s", path);
}

static const struct tree_ops fake_ops = { .id = fake_id };
static const struct tree_ops broken_ops = { .id = broken_id };

static struct cache_key key_of(const char *version, const char *salt)
{
	struct tree tree = { &fake_ops, version, "0123" };
	struct cache_key key;
	struct err err;

	if (cache_key_of(&key, &tree, &profile, salt, &err))
		fail_msg("%s", err.text);
	return key;
}

static int with_place(void **state)
{
	static struct site site;

	memset(&site, 0, sizeof(site));
	snprintf(site.dir, sizeof(site.dir), "/tmp/drvabi-XXXXXX");
	assert_non_null(mkdtemp(site.dir));
	*state = &site;
	return 0;
}

/* Removes the directory, which has only files documents/ENTRY. */
static int without(void **state)
{
	struct site *site = *state;
	struct strbuf documents = { 0 };

	strbuf_addf(&documents, "%s/documents", site->dir);
	trim_directory(documents.text, 0);
	rmdir(documents.text);
	assert_int_equal(rmdir(site->dir), 0);
	strbuf_release(&documents);
	arena_release(&site->arena);
	return 0;
}

static void sample(struct abi *abi, struct site *site)
{
	const struct abi head = {
		.driver = "test", .version = "1.0", .commit = "0123", .target = "x86_64-linux-gnu"
	};
	const struct abi_constant constant = { "ANSWER", { 42, false } };
	struct abi_builder *builder = abi_builder_new(&site->arena);

	abi_builder_constant(builder, &constant);
	abi_builder_seal(abi, builder, &head);
	abi_builder_free(builder);
}

/* Writes an entry into the cache. Return: the path of the entry. */
static const char *put_sample(struct site *site, const struct cache_key *key)
{
	struct abi abi;

	sample(&abi, site);
	if (cache_put(&abi, site->dir, key, &site->err))
		fail_msg("%s", site->err.text);
	return arena_printf(&site->arena, "%s/documents/%s", site->dir, key->hex);
}

static void damage(const char *path, off_t offset, off_t length)
{
	int fd = open(path, O_RDWR);
	char byte;

	assert_int_not_equal(fd, -1);
	assert_int_equal(pread(fd, &byte, 1, offset), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
	assert_int_equal(ftruncate(fd, length), 0);
	close(fd);
}

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

static void an_entry_comes_back_whole(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	struct abi abi;

	put_sample(site, &key);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), 0);
	assert_int_equal(abi.constant_count, 1);
	assert_string_equal(abi.constants[0].name, "ANSWER");
	assert_int_equal(abi.constants[0].value.magnitude, 42);
	assert_string_equal(abi.version, "1.0");
}

static void what_was_not_put_is_not_found(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	struct abi abi;

	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
}

static void a_damaged_entry_is_not_found_and_is_replaced(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	const char *path = put_sample(site, &key);
	off_t size = size_of(path), offset;
	struct abi abi;

	for (offset = 0; offset < size; offset++) {
		put_sample(site, &key);
		damage(path, offset, size);
		assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	}
	put_sample(site, &key);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), 0);
}

static void a_cut_entry_is_not_found(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	const char *path = put_sample(site, &key);
	off_t size = size_of(path);
	struct abi abi;

	while (size--) {
		assert_int_equal(truncate(path, size), 0);
		assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	}
}

static void a_directory_that_cannot_be_written_is_an_error(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	struct abi abi;

	sample(&abi, site);
	assert_int_equal(cache_put(&abi, "/dev/null/none", &key, &site->err), ERR_IO);
	assert_non_null(strstr(site->err.text, "/dev/null"));
}

/* A user who can write to the directory could rename the document of a different version. */
static void an_entry_under_another_name_is_not_found(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt"), other = key_of("b", "salt");
	const char *path = put_sample(site, &key);
	struct abi abi;

	assert_int_equal(rename(path, arena_printf(&site->arena, "%s/documents/%s", site->dir, other.hex)),
			 0);
	assert_int_equal(cache_get(&abi, site->dir, &other, &site->arena, &site->err), ERR_NOT_FOUND);
	assert_non_null(strstr(site->err.text, "a different key"));
}

static void a_directory_that_others_may_write_to_is_not_used(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	const char *documents = arena_printf(&site->arena, "%s/documents", site->dir);
	struct abi abi;

	put_sample(site, &key);
	assert_int_equal(chmod(documents, 0777), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	sample(&abi, site);
	assert_int_equal(cache_put(&abi, site->dir, &key, &site->err), ERR_IO);
	assert_non_null(strstr(site->err.text, "others can write to it"));
	assert_int_equal(chmod(documents, 0700), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), 0);
}

static void a_directory_that_is_a_link_is_not_used(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	const char *documents = arena_printf(&site->arena, "%s/documents", site->dir);
	const char *moved = arena_printf(&site->arena, "%s/moved", site->dir);
	struct abi abi;

	put_sample(site, &key);
	assert_int_equal(rename(documents, moved), 0);
	assert_int_equal(symlink("moved", documents), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	sample(&abi, site);
	assert_int_equal(cache_put(&abi, site->dir, &key, &site->err), ERR_IO);
	unlink(documents);
	assert_int_equal(rename(moved, documents), 0);
}

/*
 * An entry can be a link or a FIFO. The target of a link is neither read nor written, and nothing waits for a
 * FIFO.
 */
static void an_entry_that_is_a_link_is_replaced(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	const char *path = put_sample(site, &key), *real = arena_printf(&site->arena, "%s.real", path);
	struct abi abi;
	struct stat st;

	assert_int_equal(rename(path, real), 0);
	assert_int_equal(truncate(real, 5), 0);
	assert_int_equal(symlink(real, path), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	put_sample(site, &key);
	assert_int_equal(size_of(real), 5);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), ERR_NOT_FOUND);
	put_sample(site, &key);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), 0);
}

static void a_key_is_made_of_contents_and_salt(void **state)
{
	struct cache_key key = key_of("a", "salt");

	(void)state;
	assert_int_equal(strlen(key.hex), 32);
	assert_string_equal(key_of("a", "salt").hex, key.hex);
	assert_string_equal(key_of("another version of the same files", "salt").hex, key.hex);
	assert_string_not_equal(key_of("b", "salt").hex, key.hex);
	assert_string_not_equal(key_of("a", "other salt").hex, key.hex);
}

static void a_directory_has_no_key(void **state)
{
	struct site *site = *state;
	struct tree tree = { &fake_ops, "/some/where", "" };
	struct cache_key key;

	assert_int_equal(cache_key_of(&key, &tree, &profile, "salt", &site->err), ERR_NOT_FOUND);
}

static void a_tree_that_cannot_be_read_has_no_key(void **state)
{
	struct site *site = *state;
	struct tree tree = { &broken_ops, "1.0", "0123" };
	struct cache_key key;

	assert_int_equal(cache_key_of(&key, &tree, &profile, "salt", &site->err), ERR_GIT);
}

static const char *put_file(struct site *site, const char *name, size_t size, time_t age_seconds)
{
	const char *path = arena_printf(&site->arena, "%s/documents/%s", site->dir, name);
	struct timespec times[2] = { { .tv_sec = time(NULL) - age_seconds },
				     { .tv_sec = time(NULL) - age_seconds } };
	char *bytes = arena_alloc(&site->arena, size);

	assert_int_equal(file_make_dirs(arena_printf(&site->arena, "%s/documents", site->dir), &site->err),
			 0);
	assert_int_equal(file_write_atomic(path, bytes, size, &site->err), 0);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	return path;
}

static void trimming_removes_the_least_recently_used(void **state)
{
	struct site *site = *state;
	const char *oldest = put_file(site, "a", 64 * 1024, 300);
	const char *newest = put_file(site, "b", 64 * 1024, 100);
	const char *middle = put_file(site, "c", 64 * 1024, 200);

	trim_directory(arena_printf(&site->arena, "%s/documents", site->dir), 191 * 1024);
	assert_int_equal(size_of(oldest), -1);
	assert_int_equal(size_of(middle), 64 * 1024);
	assert_int_equal(size_of(newest), 64 * 1024);
}

static void trimming_leaves_alone_what_is_small_enough(void **state)
{
	struct site *site = *state;
	const char *path = put_file(site, "a", 64 * 1024, 300);

	trim_directory(arena_printf(&site->arena, "%s/documents", site->dir), 65 * 1024);
	assert_int_equal(size_of(path), 64 * 1024);
}

static void trimming_removes_what_killed_writers_left(void **state)
{
	struct site *site = *state;
	const char *dead = put_file(site, "a.1-1.tmp", 10, 2 * 60 * 60);
	const char *alive = put_file(site, "a.1-2.tmp", 10, 10 * 60);

	trim_directory(arena_printf(&site->arena, "%s/documents", site->dir), 1024 * 1024);
	assert_int_equal(size_of(dead), -1);
	assert_int_equal(size_of(alive), 10);
	unlink(alive);
}

static void reading_an_old_entry_marks_it_as_used(void **state)
{
	struct site *site = *state;
	const struct cache_key key = key_of("a", "salt");
	struct timespec old[2] = { { .tv_sec = 1700000000 }, { .tv_sec = 1700000000 } };
	const char *path = put_sample(site, &key);
	struct abi abi;
	struct stat st;

	assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	assert_int_equal(cache_get(&abi, site->dir, &key, &site->arena, &site->err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_mtime > 1700000000);
}

static void the_default_directory_follows_xdg(void **state)
{
	struct site *site = *state;
	struct strbuf dir = { 0 };

	setenv("HOME", "/home/me", 1);
	setenv("XDG_CACHE_HOME", "/var/me", 1);
	assert_int_equal(cache_default_dir(&dir, &site->err), 0);
	assert_string_equal(dir.text, "/var/me/drvabi");
	strbuf_reset(&dir);
	setenv("XDG_CACHE_HOME", "relative", 1);
	assert_int_equal(cache_default_dir(&dir, &site->err), 0);
	assert_string_equal(dir.text, "/home/me/.cache/drvabi");
	unsetenv("HOME");
	assert_int_equal(cache_default_dir(&dir, &site->err), ERR_NOT_FOUND);
	strbuf_release(&dir);
}

/* A cache in a separate directory, and its remarks. */
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
	snprintf(fixture.dir, sizeof(fixture.dir), "%s/drvabi-XXXXXX",
		 temp && strlen(temp) < 100 ? temp : "/tmp");
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

/* Makes a version whose tree has the key @hex. */
static struct wanted version(struct store_request *request, const char *name, const char *hex)
{
	struct wanted wanted = {
		.request = request, .version = { name, name }, .has_key = true, .looked_for_key = true
	};

	*request = (struct store_request){ .version = name };
	snprintf(wanted.key.hex, sizeof(wanted.key.hex), "%s", hex);
	return wanted;
}

#define KEY "0123456789abcdef0123456789abcdef"
#define OTHER_KEY "fedcba9876543210fedcba9876543210"

/* Offers an extracted document, as list_documents() does. */
static void offer(struct fixture *fixture, const char *hex, bool key_decides)
{
	struct store_request request;
	struct wanted wanted = version(&request, "1.0", hex);

	wanted.key_decides = key_decides;
	request.abi = (struct abi){
		.driver = "toy", .version = "1.0", .commit = "c1", .target = "x86_64-linux-gnu"
	};
	cache_store_ops.offer(&fixture->store, &wanted);
}

static void ask(struct fixture *fixture, struct wanted *const *wanted, size_t count)
{
	assert_int_equal(cache_store_ops.documents(&fixture->store, wanted, count, &fixture->arena,
						   &fixture->err),
			 0);
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
	assert_string_equal(strbuf_text(&fixture->said),
			    "the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): there is "
			    "no directory for the cache: neither XDG_CACHE_HOME nor HOME is set\n");
	assert_false(is_there(fixture, KEY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_entry_comes_back_whole, with_place, without),
		cmocka_unit_test_setup_teardown(what_was_not_put_is_not_found, with_place, without),
		cmocka_unit_test_setup_teardown(a_damaged_entry_is_not_found_and_is_replaced, with_place,
						without),
		cmocka_unit_test_setup_teardown(a_cut_entry_is_not_found, with_place, without),
		cmocka_unit_test_setup_teardown(a_directory_that_cannot_be_written_is_an_error, with_place,
						without),
		cmocka_unit_test_setup_teardown(an_entry_under_another_name_is_not_found, with_place,
						without),
		cmocka_unit_test_setup_teardown(a_directory_that_others_may_write_to_is_not_used, with_place,
						without),
		cmocka_unit_test_setup_teardown(a_directory_that_is_a_link_is_not_used, with_place, without),
		cmocka_unit_test_setup_teardown(an_entry_that_is_a_link_is_replaced, with_place, without),
		cmocka_unit_test_setup_teardown(a_key_is_made_of_contents_and_salt, with_place, without),
		cmocka_unit_test_setup_teardown(a_directory_has_no_key, with_place, without),
		cmocka_unit_test_setup_teardown(a_tree_that_cannot_be_read_has_no_key, with_place, without),
		cmocka_unit_test_setup_teardown(trimming_removes_the_least_recently_used, with_place,
						without),
		cmocka_unit_test_setup_teardown(trimming_leaves_alone_what_is_small_enough, with_place,
						without),
		cmocka_unit_test_setup_teardown(trimming_removes_what_killed_writers_left, with_place,
						without),
		cmocka_unit_test_setup_teardown(reading_an_old_entry_marks_it_as_used, with_place, without),
		cmocka_unit_test_setup_teardown(the_default_directory_follows_xdg, with_place, without),
		cmocka_unit_test_setup_teardown(a_document_comes_back_under_the_name_that_was_asked_for,
						with_cache, without_cache),
		cmocka_unit_test_setup_teardown(another_key_is_another_document, with_cache, without_cache),
		cmocka_unit_test_setup_teardown(two_versions_of_one_key_share_a_document, with_cache,
						without_cache),
		cmocka_unit_test_setup_teardown(a_document_that_its_key_does_not_decide_is_not_cached,
						with_cache, without_cache),
		cmocka_unit_test_setup_teardown(a_tree_without_a_key_is_not_asked_for, with_cache,
						without_cache),
		cmocka_unit_test_setup_teardown(that_there_is_nowhere_to_write_is_said_once, with_cache,
						without_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
