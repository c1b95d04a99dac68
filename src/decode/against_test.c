/*
 * Tests of how decode_against() compares a workload's ioctls with a different version. A row has the only
 * ioctl that the workload used, and the result: its fate, "number" if its number changed, and the names of
 * the changes in the diff.
 */
#include "decode/fixture_test.h"

#define LIST_AND_SAME \
	"struct LIST 16/8 { NvU32 count@0; NvP64 list@8 pointer } struct SAME 4 { NvU32 a@0 } " \
	"ioctl SAME_CMD 1 SAME ioctl GROWN_CMD 2 GROWN ioctl LIST_CMD 4 LIST "

static const char in_base[] = LIST_AND_SAME "struct ELEMENT 4 { NvU32 a@0 } struct GROWN 4 { NvU32 a@0 } "
					    "ioctl GONE_CMD 3 - ioctl UNUSED 5 GROWN",
		  in_next[] = LIST_AND_SAME "struct ELEMENT 8 { NvU32 a@0; NvU32 b@4 } "
					    "struct GROWN 8 { NvU32 a@0; NvU32 b@4 } ioctl UNUSED 6 GROWN";
static const struct pointer_rule rule = {
	.record = "LIST", .path = "list", .count = "count", .element = "ELEMENT"
};
static const struct pointer_rules rules = { &rule, 1 };

static const struct {
	const char *fact;
	uint64_t number;
	const struct pointer_rules *pointers;
	const char *result;
} facts[] = {
	{ "an ioctl whose record is the same is the same", 1, &rules, "same" },
	{ "a record that grew is a changed ABI, and is alone in the diff", 2, &rules, "changed GROWN" },
	{ "an ioctl that was removed is gone", 3, &rules, "gone GONE_CMD" },
	{ "the target of a pointer counts", 4, &rules, "changed ELEMENT" },
	{ "the target of a pointer without a rule does not count", 4, NULL, "same" },
	{ "a different number is a changed ABI", 5, &rules, "changed number UNUSED GROWN" },
	{ "an ioctl that base does not have is not compared", 99, &rules, "unknown" },
};

TEST(the_fates_are_those_of_the_facts)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < COUNT(facts); i++) {
		const struct decode_seen_ioctl seen = { .family = "control", .number = facts[i].number,
							.count = 1 };
		struct decode_against against = { .count = 0 };
		struct strbuf text = { 0 };
		struct err err = { "" };

		if (decode_against(&against, &seen, 1, document_of(in_base, &arena),
				   document_of(in_next, &arena), facts[i].pointers, &arena, &err))
			fail_msg("%s", err.text);
		assert_int_equal(against.count, 1);
		assert_int_equal(against.by_fate[against.rows[0].fate], 1);
		strbuf_adds(&text, decode_fate_name(against.rows[0].fate));
		strbuf_adds(&text, against.rows[0].classes & DIFF_NUMBER ? " number" : "");
		for (size_t k = 0; k < against.diff.change_count; k++)
			strbuf_addf(&text, " %s", against.diff.changes[k].name);
		assert_false(text_differs(facts[i].fact, &text, facts[i].result));
	}
	arena_release(&arena);
}
