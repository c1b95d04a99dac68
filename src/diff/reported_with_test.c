/*
 * Tests records that changed only because a record inside them changed, and items that were renamed together
 * with an ioctl.
 */
#include "diff/fixture_test.h"

/* OUTER contains INNER, which grows. */
#define SMALL "struct INNER 4 { NvU32 a@0 } struct OUTER 8 { INNER i@0; NvU32 z@4 } "
#define LARGE "struct INNER 8 { NvU32 a@0; NvU32 b@4 } "

/* An ioctl and its record, which are both renamed. */
#define STATE(word, field) \
	"struct X_CTRL_UCODE_" word "_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 " field \
	"@12 } ioctl X_CTRL_CMD_UCODE_" word "_GET_STATE 1 X_CTRL_UCODE_" word "_GET_STATE_PARAMS "
#define COVERAGE STATE("COVERAGE", "covType")
#define INSTRUMENTATION STATE("INSTRUMENTATION", "type")
#define STATE_RENAMED \
	"ioctl X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE was X_CTRL_CMD_UCODE_COVERAGE_GET_STATE name\n" \
	"record X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS was X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS " \
	"name " WITH_STATE " in X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE; type renamed name was covType\n"
#define WITH_STATE "with X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE"

static const struct diff_fact facts[] = {
	{ "a record that changed only with the record inside it names that record",
	  SMALL, LARGE "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }",
	  "record OUTER layout because of INNER; i resized layout; z moved layout\n"
	  "record INNER growth; b added growth" },
	{ "a record with its own new field is reported separately",
	  SMALL, LARGE "struct OUTER 16 { INNER i@0+8; NvU32 z@8; NvU32 new@12 }",
	  "record OUTER layout|growth; i resized layout; z moved layout; new added growth\n"
	  "record INNER growth; b added growth" },
	{ "so is one whose fields have a different order",
	  SMALL, LARGE "struct OUTER 12 { NvU32 z@0; INNER i@4+8 }",
	  "record OUTER layout; z moved layout; i moved layout\n"
	  "record INNER growth; b added growth" },
	{ "so is one with a longer array of the changed record",
	  "struct INNER 4 { NvU32 a@0 } struct OUTER 8 { INNER[2] i@0 }",
	  LARGE "struct OUTER 24 { INNER[3] i@0+24 }",
	  "record OUTER layout; i resized layout\n"
	  "record INNER growth; b added growth" },
	{ "an alias that changed is not a record inside",
	  "alias T unsigned~int 4 struct OUTER 4 { T t@0 }",
	  "alias T unsigned~long~long 8 struct OUTER 8 { T t@0+8 }",
	  "record OUTER layout; t resized layout retyped\n"
	  "alias T layout" },
	{ "a renamed record is reported separately",
	  "ioctl CMD 1 OUTER struct INNER 4 { NvU32 a@0 } "
	  "struct OUTER 16 { INNER i@0; NvU32 x@4; NvU32 y@8; NvU32 z@12 }",
	  "ioctl CMD 1 OUTER_V2 struct INNER 4 { NvS32 a@0 } "
	  "struct OUTER_V2 16 { INNER i@0; NvU32 x@4; NvU32 y@8; NvU32 z@12 }",
	  "record INNER layout in CMD:OUTER_V2.INNER; a retyped layout\n"
	  "ioctl CMD name\n"
	  "record OUTER_V2 was OUTER name in CMD" },
	{ "a chain is reported under the record where it starts",
	  SMALL "struct MOST 8 { OUTER o@0+8 }",
	  LARGE "struct OUTER 12 { INNER i@0+8; NvU32 z@8 } struct MOST 12 { OUTER o@0+12 }",
	  "record MOST layout because of OUTER under INNER; o resized layout\n"
	  "record OUTER layout because of INNER; i resized layout; z moved layout\n"
	  "record INNER growth; b added growth" },
	{ "a change is not reported under a change that is not in the list",
	  "only ADDED " SMALL, LARGE "struct OUTER 12 { INNER i@0+8; NvU32 z@8 } "
	  "struct ADDED 4 { NvU32 n@0 } struct INTO 16 { OUTER o@0+12; ADDED a@12 }",
	  "record ADDED added" },
	{ "the record that a glob selects is listed with those inside it",
	  "only OUTER " SMALL, LARGE "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }",
	  "record OUTER layout because of INNER; i resized layout; z moved layout\n"
	  "record INNER growth; b added growth" },
	{ "a record that was removed inside a changed record is reported with it",
	  "struct GONE 4 { NvU32 g@0 } struct OUTER 8 { NvU32 z@0; GONE g@4 }",
	  "struct OUTER 4 { NvU32 z@0 }",
	  "record OUTER layout; g removed layout\n"
	  "record GONE removed inside OUTER" },
	{ "the parameters of an ioctl are reported separately",
	  "struct OUTER 4 { NvU32 z@0 }",
	  "ioctl CMD 1 NEW struct NEW 4 { NvU32 n@0 } struct OUTER 8 { NvU32 z@0; NEW n@4 }",
	  "record OUTER growth; n added growth\n"
	  "ioctl CMD added\n"
	  "record NEW added in CMD" },
	{ "a record inside an added record is reported with the record around both",
	  "struct OUTER 4 { NvU32 z@0 }",
	  "struct DEEP 4 { NvU32 n@0 } struct NEW 4 { DEEP d@0 } struct OUTER 8 { NvU32 z@0; NEW n@4 }",
	  "record OUTER growth; n added growth\n"
	  "record DEEP added inside OUTER\n"
	  "record NEW added inside OUTER" },
	{ "a constant with the words of a renamed ioctl is reported with the ioctl",
	  "const X_CTRL_UCODE_COVERAGE 0x19 " COVERAGE,
	  "const X_CTRL_UCODE_INSTRUMENTATION 0x19 " INSTRUMENTATION,
	  STATE_RENAMED
	  "constant X_CTRL_UCODE_INSTRUMENTATION was X_CTRL_UCODE_COVERAGE name " WITH_STATE },
	{ "so is the number of a message",
	  "const X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS_MESSAGE_ID 1 " COVERAGE,
	  "const X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID 1 " INSTRUMENTATION,
	  STATE_RENAMED
	  "constant X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS_MESSAGE_ID was "
	  "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS_MESSAGE_ID name " WITH_STATE },
	{ "a constant with a different value was not renamed",
	  "const X_CTRL_UCODE_COVERAGE 0x19 " COVERAGE,
	  "const X_CTRL_UCODE_INSTRUMENTATION 0x1a " INSTRUMENTATION,
	  STATE_RENAMED
	  "constant X_CTRL_UCODE_INSTRUMENTATION added\n"
	  "constant X_CTRL_UCODE_COVERAGE removed" },
	{ "a constant that begins differently is reported separately",
	  "const Y_COVERAGE 1 " COVERAGE, "const Y_INSTRUMENTATION 1 " INSTRUMENTATION,
	  STATE_RENAMED
	  "constant Y_INSTRUMENTATION added\n"
	  "constant Y_COVERAGE removed" },
	{ "a part of a word is not a word",
	  "const X_COVERAGES 1 " COVERAGE, "const X_INSTRUMENTATIONS 1 " INSTRUMENTATION,
	  STATE_RENAMED
	  "constant X_INSTRUMENTATIONS added\n"
	  "constant X_COVERAGES removed" },
	{ "a changed record with its old name is not reported with the renamed ioctl",
	  "struct P 4 { NvU32 a@0 } ioctl X_CMD_GET_OLD_STATE 1 P",
	  "struct P 4 { NvU32 b@0 } ioctl X_CMD_GET_NEW_STATE 1 P",
	  "ioctl X_CMD_GET_NEW_STATE was X_CMD_GET_OLD_STATE name\n"
	  "record P name in X_CMD_GET_NEW_STATE; b renamed name was a" },
	{ "if the ioctl is not in the list, the constant is reported separately",
	  "only X_CTRL_UCODE_INSTRUMENTATION const X_CTRL_UCODE_COVERAGE 0x19 " COVERAGE,
	  "const X_CTRL_UCODE_INSTRUMENTATION 0x19 " INSTRUMENTATION,
	  "constant X_CTRL_UCODE_INSTRUMENTATION was X_CTRL_UCODE_COVERAGE name " WITH_STATE " separately" },
	{ "a constant is reported with the most similar ioctl",
	  "ioctl X_IOCTL_FENCE_ATTACH 1 - ioctl X_IOCTL_FENCE_CREATE 2 - const X_FENCE_CREATE 5",
	  "ioctl X_IOCTL_PRIME_FENCE_ATTACH 1 - "
	  "ioctl X_IOCTL_PRIME_FENCE_CREATE 2 - "
	  "const X_PRIME_FENCE_CREATE 5",
	  "ioctl X_IOCTL_PRIME_FENCE_ATTACH was X_IOCTL_FENCE_ATTACH name\n"
	  "ioctl X_IOCTL_PRIME_FENCE_CREATE was X_IOCTL_FENCE_CREATE name\n"
	  "constant X_PRIME_FENCE_CREATE was X_FENCE_CREATE name with X_IOCTL_PRIME_FENCE_CREATE" },
};

DIFF_TEST(related_changes)
{
	CHECK(facts, NULL);
}

DIFF_TEST(after_a_change_is_dropped_the_changes_under_it_are_reported_separately)
{
	const struct diff_options options = { 0 };
	struct diff diff = *compared(SMALL, LARGE "struct OUTER 12 { INNER i@0+8; NvU32 z@8 }", &options);
	const bool dropped[] = { false, true };
	struct strbuf text = { 0 };

	assert_int_equal(diff.change_count, 2);
	assert_string_equal(diff.changes[1].name, "INNER");
	diff_drop(&diff, dropped, &arena);
	add_diff(&text, &diff);
	assert_false(text_differs(__func__, &text,
				  "record OUTER layout because of INNER separately; i resized layout; "
				  "z moved layout"));
}
