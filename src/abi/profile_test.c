/* Tests of what a profile means: globs, roles of fields, paths of a driver tree, requested constants. */
#include "abi/fixture_test.h"

#define STRINGS(...)                                                                                         \
	{ (const char *const[]){ __VA_ARGS__ },                                                              \
	  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *) }

TEST(a_glob_matches_a_whole_text)
{
	const struct {
		const char *fact;
		struct profile_strings globs;
		const char *text;
		bool matches;
	} rows[] = {
		{ "a glob without wildcards matches itself", STRINGS("NV_ESC_RM_FREE"), "NV_ESC_RM_FREE",
		  true },
		{ "it does not match a longer text", STRINGS("NV_ESC_RM_FREE"), "NV_ESC_RM_FREES", false },
		{ "it does not match a shorter text", STRINGS("NV_ESC_RM_FREE"), "NV_ESC_RM_FRE", false },
		{ "case matters", STRINGS("nv_esc_rm_free"), "NV_ESC_RM_FREE", false },
		{ "a star matches no text", STRINGS("*"), "", true },
		{ "a star matches any text at the end", STRINGS("NV_ESC_*"), "NV_ESC_RM_FREE", true },
		{ "a star matches any text at the start", STRINGS("*_PARAMS"), "A_PARAMS", true },
		{ "stars match any text", STRINGS("*_CMD_*_SET*"), "NV_CMD_X_CMD_Y_SET", true },
		{ "two stars match no text", STRINGS("a**b"), "ab", true },
		{ "the text before a star must match", STRINGS("NV_ESC_*"), "NV_ES", false },
		{ "the text after a star must be at the end", STRINGS("*_PARAMS"), "A_PARAMS_V2", false },
		{ "the texts between stars have their order", STRINGS("*a*b"), "b_a", false },
		{ "a star matches a slash", STRINGS("src/*.h"), "src/ctrl/a.h", true },
		{ "a star before a class matches a slash", STRINGS("src/*.[h]"), "src/ctrl/a.h", true },
		{ "other wildcards are those of fnmatch", STRINGS("ctrl00[0-9]?"), "ctrl0080", true },
		{ "a class must have the character", STRINGS("ctrl00[0-7]?"), "ctrl0080", false },
		{ "a backslash quotes a star", STRINGS("*\\*"), "void *", true },
		{ "a quoted star matches only a star", STRINGS("*\\*"), "void", false },
		{ "any glob of the list will do", STRINGS("A*", "B*"), "BC", true },
		{ "one of the globs must match", STRINGS("A*", "B*"), "CB", false },
		{ "an empty list matches nothing", { NULL, 0 }, "A", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (profile_matches(&rows[i].globs, rows[i].text) != rows[i].matches)
			fail_msg("%s: %s", rows[i].fact, rows[i].text);
}

static const struct profile_role rules[] = {
	{ .role = ABI_ROLE_NONE, .record = "PLAIN*", .name = "fd" },
	{ .role = ABI_ROLE_FD, .name = "*fd" },
	{ .role = ABI_ROLE_HANDLE, .type = "NvHandle" },
	{ .role = ABI_ROLE_POINTER, .type = "*\\*" },
	{ .role = ABI_ROLE_STATUS, .type = "NvU32", .name = "status" },
};
static const struct profile plain = { .name = "test", .roles = rules, .role_count = 5 };
static const struct profile_role qualified_rules[] = {
	{ .role = ABI_ROLE_SIZE, .type = "const char \\*" },
	{ .role = ABI_ROLE_POINTER, .type = "*(\\*)*" },
};
static const struct profile qualified = { .name = "test", .roles = qualified_rules, .role_count = 2 };

TEST(a_field_has_the_role_of_the_first_rule_that_matches)
{
	static const struct {
		const char *fact;
		const struct profile *profile;
		const char *record, *name;
		const char *types[4]; /* the field's type, and those to which its typedefs lead */
		enum abi_role role;
	} rows[] = {
		{ "a role is found by type", &plain, "R", "hClient", { "NvHandle" }, ABI_ROLE_HANDLE },
		{ "a glob for pointers", &plain, "R", "x", { "void *" }, ABI_ROLE_POINTER },
		{ "a typedef has the role of its type", &plain, "R", "status",
		  { "Status[2]", "NvU32", "unsigned int" }, ABI_ROLE_STATUS },
		{ "a type has no role of a typedef", &plain, "R", "status", { "unsigned int" },
		  ABI_ROLE_NONE },
		{ "a typedef with qualifiers has the role of its type", &plain, "R", "x",
		  { "const Object", "NvHandle", "NvU32" }, ABI_ROLE_HANDLE },
		{ "the order of the rules decides, not the order of the types", &plain, "R", "status",
		  { "const Object", "NvHandle", "NvU32" }, ABI_ROLE_HANDLE },
		{ "dimensions do not matter", &plain, "R", "h", { "NvHandle[4][2]" }, ABI_ROLE_HANDLE },
		{ "a dimension without a length does not matter", &plain, "R", "h", { "NvHandle[]" },
		  ABI_ROLE_HANDLE },
		{ "an array of pointers", &plain, "R", "h", { "void *[16]" }, ABI_ROLE_POINTER },
		{ "qualifiers do not matter", &plain, "R", "x", { "void *const" }, ABI_ROLE_POINTER },
		{ "restrict does not matter", &plain, "R", "x", { "int *restrict" }, ABI_ROLE_POINTER },
		{ "qualifiers of an array do not matter", &plain, "R", "x",
		  { "const char *const volatile[3]" }, ABI_ROLE_POINTER },
		{ "_Atomic() does not matter", &plain, "R", "x", { "_Atomic(int *)" }, ABI_ROLE_POINTER },
		{ "volatile does not matter", &plain, "R", "status", { "volatile NvU32" }, ABI_ROLE_STATUS },
		{ "const does not matter", &plain, "R", "h", { "const NvHandle[2]" }, ABI_ROLE_HANDLE },
		{ "the start of a word is not a qualifier", &plain, "R", "constant", { "constant" },
		  ABI_ROLE_NONE },
		{ "a rule can have a qualifier of the target", &qualified, "R", "x", { "const char *" },
		  ABI_ROLE_SIZE },
		{ "without qualifiers, the target has none either", &qualified, "R", "x",
		  { "const char *const" }, ABI_ROLE_NONE },
		{ "a qualifier inside parentheses does not matter", &qualified, "R", "x",
		  { "void (*const)(int)" }, ABI_ROLE_POINTER },
		{ "the case of a name does not matter", &plain, "R", "rmCtrlFd", { "NvS32" }, ABI_ROLE_FD },
		{ "a name in upper case", &plain, "R", "RMCTRLFD", { "NvS32" }, ABI_ROLE_FD },
		{ "a word of a rule does not match across two words", &plain, "R", "isOfD", { "NvS32" },
		  ABI_ROLE_NONE },
		{ "a word of a rule matches a whole word", &plain, "R", "isOfd", { "NvS32" }, ABI_ROLE_FD },
		{ "all that a rule says must hold", &plain, "R", "status", { "NvU32" }, ABI_ROLE_STATUS },
		{ "the type of a rule must match", &plain, "R", "status", { "NvU64" }, ABI_ROLE_NONE },
		{ "the name of a rule must match", &plain, "R", "state", { "NvU32" }, ABI_ROLE_NONE },
		{ "the first rule that holds decides, even if it gives no role", &plain, "PLAIN_R", "fd",
		  { "NvS32" }, ABI_ROLE_NONE },
		{ "a later rule does not matter", &plain, "R", "fd", { "NvHandle" }, ABI_ROLE_FD },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (profile_role_of(rows[i].profile, rows[i].record, rows[i].name, rows[i].types) !=
		    rows[i].role)
			fail_msg("%s", rows[i].fact);
}

TEST(roots_are_all_that_a_document_can_depend_on)
{
	const struct profile_unit units[] = {
		{
			.name = "rm",
			.headers = STRINGS("inc/nvos.h", "inc/ctrl/*/*.h", "inc/class/cl*.h", "*.h"),
			.optional_headers = STRINGS("inc/alloc/*.h"),
			.include = STRINGS("inc", "uvm", "."),
		},
		{ .name = "uvm", .headers = STRINGS("uvm/uvm.h", "inc/nvos.h") },
	};
	const struct profile_family family = {
		.name = "control",
		.files = STRINGS("gen/g_*_nvoc.c"),
		.embedded = STRINGS("rm/copy.c"),
		.dispatch = { .files = STRINGS("kernel/route_*.c") },
		.deprecated = { .files = STRINGS("rm/old.c") },
		.flag_words = { .files = STRINGS("ctl/control.h") },
		.access_words = { .files = STRINGS("ctl/right?.h") },
	};
	const struct profile profile = {
		.name = "p", .units = units, .unit_count = 2, .families = &family, .family_count = 1
	};
	struct profile_strings got;

	profile_roots(&got, &profile, &arena);
	assert_string_equal(join(got.item, got.count),
			    ",ctl,ctl/control.h,gen,inc,inc/alloc,inc/class,inc/ctrl,inc/nvos.h,kernel,"
			    "rm/copy.c,rm/old.c,uvm,uvm/uvm.h");
}

/* Each glob adds a rule for macros and one for enumerators. */
TEST(what_is_asked_for_comes_behind_the_rules_of_the_profile)
{
	static const struct profile_constant own = { .name = "A_*" };
	const struct profile_strings globs = STRINGS("B_*", "C");
	struct profile profile = { .constants = &own, .constant_count = 1 };
	struct strbuf text = { 0 };

	profile_want_constants(&profile, &globs, &arena);
	for (size_t i = 0; i < profile.constant_count; i++)
		strbuf_addf(&text, "%s%s%s\n", profile.constants[i].name,
			    profile.constants[i].enumeration ? " enumerator" : "",
			    profile.constants[i].is_extra ? " extra" : "");
	assert_false(text_differs("two globs", &text,
				  "A_*\nB_* extra\nB_* enumerator extra\nC extra\nC enumerator extra\n"));
}

TEST(a_profile_that_is_asked_for_more_is_another_one)
{
	const struct profile_strings globs[] = { STRINGS("B", "C"), STRINGS("B"), STRINGS("C", "B"),
						 STRINGS("BC") };
	const char *hashes[5] = { "aa" };

	for (size_t i = 0; i < 4; i++) {
		struct profile profile = { .hash = "aa" };

		profile_want_constants(&profile, &globs[i], &arena);
		hashes[i + 1] = profile.hash;
		for (size_t before = 0; before <= i; before++)
			assert_string_not_equal(hashes[before], profile.hash);
	}
}

TEST_GROUP(NULL, release_arena)
