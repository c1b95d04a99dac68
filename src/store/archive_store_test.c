/*
 * Tests which archive the store uses, which versions and documents it finds there, and which versions may
 * still be in the repository.
 */
#include "store/fixture_test.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define ARM "aarch64-linux-gnu"
#define HOME "home/drvabi/nvidia.drvabi"
#define SYSTEM "system/drvabi/nvidia.drvabi"
#define FITS "aa", ABI_GENERATION, X86

static const struct source_version versions[] = {
	{ "515.43.04", "515", 1, SOURCE_NO_PARENT, true },
	{ "590.48.01", COMMIT, 2, 0, true },
};
static const struct profile profile = { .name = "nvidia", .hash = "aa" };
static struct archive_store store;

static int begin_archive_test(void **state)
{
	begin_test(state);
	options.profile = &profile;
	store = (struct archive_store){ .options = &options, .arena = &arena };
	setenv("XDG_DATA_HOME", arena_printf(&arena, "%s/home", dir), 1);
	setenv("XDG_DATA_DIRS", arena_printf(&arena, "%s/system", dir), 1);
	return 0;
}

/* The values that differ between the archives of these tests. */
struct made {
	const char *hash; /* NULL: there is no archive */
	uint64_t generation;
	const char *target;
	bool is_damaged;
};

static const char *put(const char *name, const struct made *made)
{
	const struct archive_head head = { .driver = "nvidia", .profile = made->hash,
					   .generation = made->generation, .targets = &made->target,
					   .target_count = 1,
					   .graph = { .versions = versions, .count = 2, .main = "main" } };
	const char *path = made->hash ? put_archive(name, &head) : NULL;

	if (made->is_damaged)
		assert_int_equal(truncate(path, 100), 0);
	return path;
}

/*
 * The archives that exist, and the one that is used, or the error; then the remarks. The numbers in a message
 * are ABI_GENERATION + 1 and ABI_GENERATION.
 */
static const struct {
	const char *fact;
	struct made named, home, system;
	bool no_archive;
	const char *expected;
} looks[] = {
	{ "a named archive of another profile is refused", .named = { "bb", ABI_GENERATION, X86, false },
	  .expected = "usage: DIR/named was made with a different text of the profile nvidia; give the "
		      "profile with that text (--profile), or write the archive again\n" },
	{ "a named archive of another generation is refused",
	  .named = { "aa", ABI_GENERATION + 1, X86, false },
	  .expected = "usage: DIR/named has documents of generation %d, but this drvabi makes generation %d; "
		      "write the archive again with 'drvabi archive write'\n" },
	{ "a named archive of another target is refused", .named = { "aa", ABI_GENERATION, ARM, false },
	  .expected = "usage: DIR/named has no documents for " X86 ", only for: " ARM "\n" },
	{ "a user's own archive goes before the system's", .home = { FITS, false }, .system = { FITS, false },
	  .expected = "uses DIR/" HOME "\n" },
	{ "an archive that does not fit is passed over", .home = { "aa", ABI_GENERATION + 1, X86, false },
	  .system = { FITS, false },
	  .expected = "uses DIR/" SYSTEM "\n"
		      "detail: not used: DIR/" HOME " has documents of generation %d, but this drvabi makes "
		      "generation %d; write the archive again with 'drvabi archive write'\n" },
	{ "a damaged archive is passed over with a warning",
	  .home = { FITS, true }, .system = { FITS, false },
	  .expected = "uses DIR/" SYSTEM "\n"
		      "warning: DIR/" HOME ": the archive is truncated, or data follows it; download or "
		      "write it again; it is not used\n" },
	{ "no archive is looked for if the user wants none", .home = { FITS, false }, .no_archive = true,
	  .expected = "uses none\n" },
};

#define ARCHIVE_TEST(name) TEST_WITH(name, begin_archive_test, end_test)

ARCHIVE_TEST(the_archive_is_the_first_that_fits)
{
	bool differs = false;

	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		const char *expected =
			arena_printf(&arena, looks[i].expected, ABI_GENERATION + 1, ABI_GENERATION);
		struct strbuf out = { 0 };
		int rc;

		store = (struct archive_store){ .options = &options, .arena = &arena };
		strbuf_reset(&said);
		options.archive = put("named", &looks[i].named);
		options.no_archive = looks[i].no_archive;
		put(HOME, &looks[i].home);
		put(SYSTEM, &looks[i].system);
		if ((rc = archive_store_look(&store, &err))) {
			assert_null(store.archive);
			add_result(&out, rc);
		} else {
			strbuf_adds(&out, "uses ");
			add_text(&out, store.archive ? store.archive->name : "none");
		}
		strbuf_addch(&out, '\n');
		add_text(&out, strbuf_text(&said));
		differs |= text_differs(looks[i].fact, &out, expected);
		remove_files();
	}
	assert_false(differs);
}

/* Appends the version that the store finds, or the error. */
static void add_found(struct strbuf *out, const char *version)
{
	struct found_version found;
	int rc = archive_store_ops.find(&found, &store, version, &arena, &err);

	if (rc)
		add_result(out, rc);
	else
		strbuf_addf(out, "%s %s", found.name, found.commit);
}

ARCHIVE_TEST(versions_are_found_by_name_and_commit_and_the_newest_by_none)
{
	static const struct {
		const char *version, *expected;
	} rows[] = {
		{ "515.43.04", "515.43.04 515" },
		{ COMMIT, "590.48.01 " COMMIT },
		{ NULL, "590.48.01 " COMMIT },
		{ "nothing", "not found: no version nothing in DIR/" HOME
			     " (as of 1970-01-01); nearest: 515.43.04, 590.48.01" },
	};
	bool differs = false;

	put(HOME, &(struct made){ FITS, false });
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct strbuf out = { 0 };

		add_found(&out, rows[i].version);
		differs |= text_differs(rows[i].version ? rows[i].version : "NULL", &out, rows[i].expected);
	}
	assert_false(differs);
}

/* If a table names the version, and not the user, the repository is not searched. */
ARCHIVE_TEST(a_version_that_may_be_in_the_repository_is_left_open)
{
	static const struct {
		const char *version;
		bool is_open;
	} rows[] = {
		{ "main", true },       { "release/r600", true }, { "HEAD", true },       { "600.10", true },
		{ "590.48.02", true },  { "abcdef0", true },      { COMMIT, true },
		{ "590.48.00", false }, { "590.47.01", false },   { "589", false },       { "515", false },
		{ "v590.48.01", false }, { "mian", false },       { "590", false },
	};

	put(HOME, &(struct made){ FITS, false });
	assert_int_equal(archive_store_look(&store, &err), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *version = rows[i].version;

		if (archive_store_ops.leaves_open(&store, version, true) != rows[i].is_open ||
		    archive_store_ops.leaves_open(&store, version, false))
			fail_msg("%s", version);
	}
}

ARCHIVE_TEST(without_an_archive_everything_is_left_open)
{
	struct strbuf out = { 0 };

	add_found(&out, "590.48.01");
	assert_false(text_differs("find", &out, "not found: there is no archive of the driver nvidia"));
	assert_true(archive_store_ops.leaves_open(&store, "590.48.01", false));
}

ARCHIVE_TEST(a_document_is_found_by_its_commit_and_has_the_requested_name)
{
	struct store_request requests[3] = { { .version = NULL } };
	struct wanted wanted[3] = {
		{ .request = &requests[0], .version = { "main", COMMIT } },
		{ .request = &requests[1], .version = { "590.48.01", COMMIT } },
		{ .request = &requests[2],
		  .version = { "590.48.01", "fedcba9876543210fedcba9876543210fedcba98" } },
	};
	struct wanted *const all[] = { &wanted[0], &wanted[1], &wanted[2] };
	struct strbuf out = { 0 };

	put(HOME, &(struct made){ FITS, false });
	assert_int_equal(archive_store_ops.documents(&store, all, 3, &arena, &err), 0);
	for (size_t i = 0; i < 3; i++)
		strbuf_addf(&out, "%s %s\n", wanted[i].done ? requests[i].abi.version : "not done",
			    wanted[i].done ? requests[i].abi.commit : "");
	assert_false(text_differs("documents", &out,
				  "main " COMMIT "\n"
				  "590.48.01 " COMMIT "\n"
				  "not done \n"));
}
