/*
 * Tests the entries of the cache: their keys, damage, links, the owner of the directory and the limit of its
 * size. Tests which documents the cache stores and gives as a store.
 */
#include "store/fixture_test.h"

#include <fcntl.h>

static const char *const headers[] = { "inc/a.h", "lib/*.h" };
static const struct profile_unit unit = { .name = "only", .headers = { headers, 2 } };
static const struct profile profile = { .name = "test", .units = &unit, .unit_count = 1 };

/* A tree with two roots. The id of inc/a.h is the first character of the version, and lib is absent. */
static int fake_id(struct tree *tree, const char *path, char hex[41], struct err *why)
{
	if (strcmp(path, "inc/a.h"))
		return err_set(why, ERR_NOT_FOUND, "no %s", path);
	memset(hex, *tree->version, 40);
	hex[40] = '\0';
	return 0;
}

static int broken_id(struct tree *tree, const char *path, char hex[41], struct err *why)
{
	return err_set(why, ERR_GIT, "cannot read %s", path);
}

static const struct tree_ops fake_ops = { .id = fake_id };
static const struct tree_ops broken_ops = { .id = broken_id };

static const char *key_of(const char *version, const char *salt)
{
	struct tree tree = { &fake_ops, version, "0123" };
	char *key = arena_alloc(&arena, CACHE_KEY_DIGITS + 1);

	assert_true(cache_key_of(key, &tree, &profile, salt));
	return key;
}

static const char *key, *other_key;
static const char *documents; /* the directory of the entries */
static const char *entry;     /* the path of the entry of @key */
static struct cache_store store;

static int begin_cache_test(void **state)
{
	begin_test(state);
	key = key_of("a", "salt");
	other_key = key_of("b", "salt");
	documents = arena_printf(&arena, "%s/documents", dir);
	entry = arena_printf(&arena, "%s/%s", documents, key);
	store = (struct cache_store){ .options = &options, .dir = dir };
	return 0;
}

/* Fails if anything else than documents is left in the directory. */
static int end_cache_test(void **state)
{
	remove_files();
	cache_clear(dir, NULL);
	rmdir(documents);
	return end_test(state);
}

static int put_packed(const struct abi *abi, const char *into)
{
	struct strbuf packed = { 0 };
	int rc;

	assert_int_equal(archive_pack(&packed, abi, &err), 0);
	rc = cache_put((struct view){ packed.text, packed.length }, into, key, &err);
	strbuf_release(&packed);
	return rc;
}

static int put(void)
{
	static const struct abi_constant constant = { "ANSWER", { 42, false } };
	const struct abi abi = { .driver = "test", .version = "1.0", .commit = "0123", .target = X86,
				 .constants = &constant, .constant_count = 1 };

	return put_packed(&abi, dir);
}

/* Returns the document of an entry; "none" if it is not found. */
static const char *get(const char *of)
{
	struct abi abi;

	return cache_get(&abi, dir, of, &arena) ?
		       arena_printf(&arena, "%s %s %s %s %zu: %s %d", abi.driver, abi.version, abi.commit,
				    abi.target, abi.constant_count, abi.constants[0].name,
				    (int)abi.constants[0].value.magnitude) :
		       "none";
}

#define PUT "test 1.0 0123 x86_64-linux-gnu 1: ANSWER 42"

static off_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : st.st_size;
}

#define CACHE_TEST(name) TEST_WITH(name, begin_cache_test, end_cache_test)

CACHE_TEST(an_entry_comes_back_whole)
{
	assert_string_equal(get(key), "none");
	assert_int_equal(put(), 0);
	assert_string_equal(get(key), PUT);
	assert_string_equal(get(other_key), "none");
}

static void flip_bit(const char *path, off_t offset)
{
	int fd = open(path, O_RDWR);
	char byte;

	assert_int_not_equal(fd, -1);
	assert_int_equal(pread(fd, &byte, 1, offset), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, offset), 1);
	close(fd);
}

CACHE_TEST(a_damaged_or_cut_entry_is_not_found_and_is_replaced)
{
	off_t size;

	assert_int_equal(put(), 0);
	size = size_of(entry);
	for (off_t offset = 0; offset < size; offset++) {
		flip_bit(entry, offset);
		assert_string_equal(get(key), "none");
		assert_int_equal(put(), 0);
	}
	assert_string_equal(get(key), PUT);
	while (size--) {
		assert_int_equal(truncate(entry, size), 0);
		assert_string_equal(get(key), "none");
	}
}

CACHE_TEST(a_directory_that_cannot_be_written_is_an_error)
{
	const struct abi abi = { .driver = "test", .version = "", .commit = "", .target = X86 };

	assert_int_equal(put_packed(&abi, "/dev/null/none"), ERR_IO);
	assert_non_null(strstr(err.text, "/dev/null"));
}

/* A user who can write to the directory could rename the document of a different version. */
CACHE_TEST(an_entry_under_another_name_is_not_found)
{
	assert_int_equal(put(), 0);
	assert_int_equal(rename(entry, arena_printf(&arena, "%s/%s", documents, other_key)), 0);
	assert_string_equal(get(other_key), "none");
}

CACHE_TEST(a_directory_that_others_may_write_to_is_not_used)
{
	assert_int_equal(put(), 0);
	assert_int_equal(chmod(documents, 0777), 0);
	assert_string_equal(get(key), "none");
	assert_int_equal(put(), ERR_IO);
	assert_non_null(strstr(err.text, "others can write to it"));
	assert_int_equal(chmod(documents, 0700), 0);
	assert_string_equal(get(key), PUT);
}

CACHE_TEST(a_directory_that_is_a_link_is_not_used)
{
	const char *moved = arena_printf(&arena, "%s/moved", dir);

	assert_int_equal(put(), 0);
	assert_int_equal(rename(documents, moved), 0);
	assert_int_equal(symlink("moved", documents), 0);
	assert_string_equal(get(key), "none");
	assert_int_equal(put(), ERR_IO);
	assert_int_equal(cache_prune(dir, &err), ERR_IO);
	assert_int_equal(cache_clear(dir, &err), ERR_IO);
	assert_int_equal(access(arena_printf(&arena, "%s/%s", moved, key), F_OK), 0);
	unlink(documents);
	assert_int_equal(rename(moved, documents), 0);
}

/*
 * An entry can be a link or a FIFO. The target of a link is neither read nor written, and nothing waits for a
 * FIFO.
 */
CACHE_TEST(an_entry_that_is_a_link_is_replaced)
{
	const char *real = arena_printf(&arena, "%s.real", entry);
	struct stat st;

	assert_int_equal(put(), 0);
	assert_int_equal(rename(entry, real), 0);
	assert_int_equal(truncate(real, 5), 0);
	assert_int_equal(symlink(real, entry), 0);
	assert_string_equal(get(key), "none");
	assert_int_equal(put(), 0);
	assert_int_equal(size_of(real), 5);
	assert_int_equal(lstat(entry, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	unlink(entry);
	assert_int_equal(mkfifo(entry, 0600), 0);
	assert_string_equal(get(key), "none");
	assert_int_equal(put(), 0);
	assert_string_equal(get(key), PUT);
}

CACHE_TEST(a_key_is_made_of_contents_and_salt)
{
	assert_int_equal(strlen(key), 32);
	assert_string_equal(key_of("a", "salt"), key);
	assert_string_equal(key_of("another version of the same files", "salt"), key);
	assert_string_not_equal(key_of("b", "salt"), key);
	assert_string_not_equal(key_of("a", "other salt"), key);
}

CACHE_TEST(a_tree_that_has_no_ids_or_cannot_be_read_has_no_key)
{
	struct tree directory = { &fake_ops, "/some/where", "" }, broken = { &broken_ops, "1.0", "0123" };
	char none[CACHE_KEY_DIGITS + 1];

	assert_false(cache_key_of(none, &directory, &profile, "salt"));
	assert_false(cache_key_of(none, &broken, &profile, "salt"));
}

/* Files with their sizes and times of use, the limit, and the files that are left. */
static const struct {
	const char *fact;
	struct {
		const char *name;
		size_t size_bytes;
		time_t age_seconds;
		long nanoseconds;
	} files[3];
	uint64_t limit_bytes;
	const char *left;
} trims[] = {
	{ "trimming removes the least recently used document",
	  { { "old-document", 64 * 1024, 300, 0 }, { "b", 64 * 1024, 100, 0 }, { "c", 64 * 1024, 200, 0 } },
	  191 * 1024, "b c " },
	{ "nanoseconds decide between documents of one second",
	  { { "a", 64 * 1024, 300, 2 }, { "b", 64 * 1024, 300, 1 }, { "c", 64 * 1024, 300, 3 } }, 191 * 1024,
	  "a c " },
	{ "names decide between documents of one time",
	  { { "c", 64 * 1024, 300, 0 }, { "b", 64 * 1024, 300, 0 }, { "a", 64 * 1024, 300, 0 } }, 191 * 1024,
	  "c b " },
	{ "trimming removes nothing from a small directory", { { "a", 64 * 1024, 300, 0 } }, 65 * 1024,
	  "a " },
	{ "trimming removes files of killed writers",
	  { { "a.1-1.tmp", 10, 2 * 60 * 60, 0 }, { "a.1-2.tmp", 10, 10 * 60, 0 } }, 1024 * 1024,
	  "a.1-2.tmp " },
	{ "a limit of 0 leaves nothing", { { "a", 10, 300, 0 }, { "b", 10, 100, 0 } }, 0, "" },
	{ "a directory that does not exist is ignored", { { NULL, 0, 0, 0 } }, 0, "" },
};

CACHE_TEST(trimming_leaves_the_files_of_the_limit)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(trims) / sizeof(*trims); i++) {
		const time_t now = time(NULL);
		struct strbuf out = { 0 };
		const char *paths[3];

		for (size_t f = 0; f < 3 && trims[i].files[f].name; f++) {
			const struct timespec used = { now - trims[i].files[f].age_seconds,
						       trims[i].files[f].nanoseconds };
			const size_t size = trims[i].files[f].size_bytes;

			paths[f] = put_file(arena_printf(&arena, "documents/%s", trims[i].files[f].name),
					    arena_alloc(&arena, size), size);
			assert_int_equal(
				utimensat(AT_FDCWD, paths[f], (struct timespec[2]){ used, used }, 0), 0);
		}
		trim_directory(documents, trims[i].limit_bytes);
		for (size_t f = 0; f < 3 && trims[i].files[f].name; f++)
			if (size_of(paths[f]) != -1) {
				assert_int_equal(size_of(paths[f]), trims[i].files[f].size_bytes);
				strbuf_addf(&out, "%s ", trims[i].files[f].name);
			}
		differs |= text_differs(trims[i].fact, &out, trims[i].left);
		remove_files();
	}
	assert_false(differs);
}

CACHE_TEST(a_link_with_the_name_of_a_temporary_file_is_removed_but_not_its_target)
{
	const char *target = put_file("letter", "mine", 4);
	const char *link = arena_printf(&arena, "%s/a.1-1.tmp", documents);
	struct cache_contents contents;
	struct stat st;

	assert_int_equal(put(), 0);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(cache_look(&contents, dir, &err), 0);
	assert_int_equal(contents.leftovers, 1);
	assert_int_equal(cache_prune(dir, &err), 0);
	assert_int_equal(lstat(link, &st), -1);
	assert_int_equal(size_of(target), 4);
	assert_string_equal(get(key), PUT);
}

CACHE_TEST(reading_an_old_entry_marks_it_as_used)
{
	const struct timespec old[2] = { { .tv_sec = 1700000000 }, { .tv_sec = 1700000000 } };
	struct stat st;

	assert_int_equal(put(), 0);
	assert_int_equal(utimensat(AT_FDCWD, entry, old, 0), 0);
	assert_string_equal(get(key), PUT);
	assert_int_equal(stat(entry, &st), 0);
	assert_true(st.st_mtime > 1700000000);
}

#define NONE "not found: there is no directory for a cache: set XDG_CACHE_HOME or HOME"

CACHE_TEST(the_default_directory_follows_xdg)
{
	static const struct {
		const char *home, *xdg, *expected;
	} rows[] = {
		{ "/home/me", "/var/me", "/var/me/drvabi" },
		{ "/home/me", "relative", "/home/me/.cache/drvabi" },
		{ "", "relative", NONE },
		{ NULL, "relative", NONE },
	};
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf out = { 0 };
		int rc;

		setenv("XDG_CACHE_HOME", rows[i].xdg, 1);
		if (rows[i].home)
			setenv("HOME", rows[i].home, 1);
		else
			unsetenv("HOME");
		if ((rc = cache_default_dir(&out, &err)))
			add_result(&out, rc);
		differs |= text_differs(rows[i].expected, &out, rows[i].expected);
	}
	assert_false(differs);
}

/* --- the cache as a store ------------------------------------------------------------ */

#define KEY "0123456789abcdef0123456789abcdef"
#define OTHER_KEY "fedcba9876543210fedcba9876543210"

/* Makes a version whose tree has the key @hex. */
static struct wanted version(struct store_request *request, const char *name, const char *hex)
{
	struct wanted wanted = {
		.request = request, .version = { name, name }, .looked_for_key = true
	};

	*request = (struct store_request){ .version = name };
	snprintf(wanted.key, sizeof(wanted.key), "%s", hex);
	return wanted;
}

/* Puts a document that a worker has read. */
static void put_read(const char *hex, bool key_decides)
{
	struct store_request request;
	struct wanted wanted = version(&request, "1.0", hex);
	struct strbuf packed = { 0 };

	wanted.key_decides = key_decides;
	request.abi = (struct abi){ .driver = "toy", .version = "1.0", .commit = "c1", .target = X86 };
	assert_int_equal(archive_pack(&packed, &request.abi, &err), 0);
	cache_store_put(&store, &wanted, (struct view){ packed.text, packed.length });
	strbuf_release(&packed);
}

static void ask(struct wanted *const *wanted, size_t count)
{
	assert_int_equal(cache_store_ops.documents(&store, wanted, count, &arena, &err), 0);
}

/* A document with KEY was read as 1.0. @expected: the document that version 2.0 gets */
static const struct {
	const char *fact;
	bool key_decides;
	const char *asked;
	const char *expected;
} put_documents[] = {
	{ "a document has the name that was requested", true, KEY, "toy 2.0 2.0" },
	{ "another key is another document", true, OTHER_KEY, "none" },
	{ "a document that its key does not decide is not cached", false, KEY, "none" },
	{ "a tree without a key has no document", true, "", "none" },
};

CACHE_TEST(a_document_that_was_read_is_found_by_its_key)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(put_documents) / sizeof(*put_documents); i++) {
		struct store_request request;
		struct wanted wanted = version(&request, "2.0", put_documents[i].asked);
		struct strbuf out = { 0 };

		put_read(KEY, put_documents[i].key_decides);
		ask((struct wanted *[]){ &wanted }, 1);
		if (wanted.done)
			strbuf_addf(&out, "%s %s %s", request.abi.driver, request.abi.version,
				    request.abi.commit);
		else
			strbuf_adds(&out, "none");
		differs |= text_differs(put_documents[i].fact, &out, put_documents[i].expected);
		cache_clear(dir, NULL);
	}
	assert_false(differs);
}

CACHE_TEST(two_versions_of_one_key_share_a_document)
{
	struct store_request first, second;
	struct wanted a = version(&first, "1.0", KEY), b = version(&second, "2.0", KEY);

	put_read(KEY, true);
	ask((struct wanted *[]){ &a, &b }, 2);
	assert_true(a.done && b.done);
	assert_string_equal(second.abi.version, "2.0");
	assert_ptr_equal(first.abi.driver, second.abi.driver);
}

CACHE_TEST(a_missing_directory_is_reported_once)
{
	struct store_request request;
	struct wanted wanted = version(&request, "2.0", KEY);

	store.dir = "";
	put_read(KEY, true);
	put_read(OTHER_KEY, true);
	assert_string_equal(strbuf_text(&said),
			    "warning: the cache cannot be written (set XDG_CACHE_HOME, or give --no-cache): "
			    "there is no directory for the cache: neither XDG_CACHE_HOME nor HOME is set\n");
	ask((struct wanted *[]){ &wanted }, 1);
	assert_false(wanted.done);
}
