/*
 * Tests if an ioctl was renamed or replaced when its number has a new name, and which flags decide who may
 * call it.
 */
#include "diff/fixture_test.h"

static const struct diff_fact facts[] = {
	{ "one different word and one different field are a rename",
	  "struct X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; "
	  "NvU32 covType@12 } ioctl X_CTRL_CMD_UCODE_COVERAGE_GET_STATE 1 "
	  "X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS",
	  "struct X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; "
	  "NvU32 instrumentationType@12 } ioctl X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE 1 "
	  "X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS",
	  "ioctl X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE was X_CTRL_CMD_UCODE_COVERAGE_GET_STATE name\n"
	  "record X_CTRL_UCODE_INSTRUMENTATION_GET_STATE_PARAMS was X_CTRL_UCODE_COVERAGE_GET_STATE_PARAMS "
	  "name with X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE; "
	  "instrumentationType renamed name was covType" },
	{ "one more word is a rename",
	  "struct ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } ioctl X_GEM_FENCE_ATTACH 1 ATTACH_PARAMS",
	  "struct PRIME_ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } "
	  "ioctl X_GEM_PRIME_FENCE_ATTACH 1 PRIME_ATTACH_PARAMS",
	  "ioctl X_GEM_PRIME_FENCE_ATTACH was X_GEM_FENCE_ATTACH name\n"
	  "record PRIME_ATTACH_PARAMS was ATTACH_PARAMS name with X_GEM_PRIME_FENCE_ATTACH" },
	{ "different words with many equal fields are a rename",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_ONE 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_ANOTHER 1 Q",
	  "ioctl X_CMD_ANOTHER was X_CMD_ONE name\n"
	  "record Q was P name with X_CMD_ANOTHER" },
	{ "different words with few equal fields prove nothing",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_LIMIT_DISABLE 1 P",
	  "struct Q 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_HANDLER_CHECK 1 Q",
	  "ioctl X_CMD_HANDLER_CHECK added number of X_CMD_LIMIT_DISABLE, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_LIMIT_DISABLE removed number of X_CMD_HANDLER_CHECK, there\n"
	  "record P removed" },
	{ "similar names with different layouts are two ioctls",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GC6_ENTRY 1 P",
	  "struct Q 20 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12; NvU32 e@16 } ioctl X_CMD_GCX_ENTRY 1 Q",
	  "ioctl X_CMD_GCX_ENTRY added number of X_CMD_GC6_ENTRY, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_GC6_ENTRY removed number of X_CMD_GCX_ENTRY, there\n"
	  "record P removed" },
	{ "a handle in place of a number is a different layout",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_OLD_ENTRY 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvHandle d@12 handle } ioctl X_CMD_NEW_ENTRY 1 Q",
	  "ioctl X_CMD_NEW_ENTRY added number of X_CMD_OLD_ENTRY, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_OLD_ENTRY removed number of X_CMD_NEW_ENTRY, there\n"
	  "record P removed" },
	{ "similar names with different fields are two ioctls",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_GET_STATUS_INFO 1 P",
	  "struct Q 8 { NvU32 x@0; NvU32 y@4 } ioctl X_CMD_GET_DATA_INFO 1 Q",
	  "ioctl X_CMD_GET_DATA_INFO added number of X_CMD_GET_STATUS_INFO, removed\n"
	  "record Q added\n"
	  "ioctl X_CMD_GET_STATUS_INFO removed number of X_CMD_GET_DATA_INFO, there\n"
	  "record P removed" },
	{ "without parameters the names decide",
	  "ioctl X_CMD_PUSH_GSP_UCODE 1 -", "ioctl X_CMD_PUSH_UCODE_IMAGE 1 -",
	  "ioctl X_CMD_PUSH_UCODE_IMAGE was X_CMD_PUSH_GSP_UCODE name" },
	{ "without parameters, different names are two ioctls",
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE 1 -", "ioctl X_CMD_PFM_REQ_CHECK 1 -",
	  "ioctl X_CMD_PFM_REQ_CHECK added number of X_CMD_CUDA_LIMIT_DISABLE, removed\n"
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE removed number of X_CMD_PFM_REQ_CHECK, there" },
	{ "if two candidates have the number, none is chosen",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OLD_STATE 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_NEW_STATE 1 Q "
	  "struct R 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OTHER_STATE 1 R",
	  "ioctl X_CMD_GET_NEW_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "ioctl X_CMD_GET_OTHER_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "record Q added\n"
	  "record R added\n"
	  "ioctl X_CMD_GET_OLD_STATE removed number of X_CMD_GET_NEW_STATE, there\n"
	  "record P removed" },
	{ "two ioctls with swapped names have new numbers",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B 2 Q",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A 2 Q",
	  "ioctl X_CMD_GET_A number number of X_CMD_GET_B, now 0x1\n"
	  "ioctl X_CMD_GET_B number number of X_CMD_GET_A, now 0x2" },
	{ "a name that now has a different number was not renamed",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_STATE 1 P",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_STATE 2 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_OLD_STATE 1 Q",
	  "ioctl X_CMD_GET_STATE number\n"
	  "ioctl X_CMD_GET_OLD_STATE added number of X_CMD_GET_STATE, now 0x2\n"
	  "record Q added" },
	{ "a chain of names is followed by name",
	  "struct P 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_A_STATE 1 P "
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B_STATE 2 Q",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_B_STATE 1 Q "
	  "struct R 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } ioctl X_CMD_GET_C_STATE 2 R",
	  "ioctl X_CMD_GET_B_STATE number number of X_CMD_GET_A_STATE, removed\n"
	  "record R was P name\n"
	  "ioctl X_CMD_GET_C_STATE added number of X_CMD_GET_B_STATE, now 0x1\n"
	  "ioctl X_CMD_GET_A_STATE removed number of X_CMD_GET_B_STATE, there" },
};

static void the_changes_are_those_of_the_facts(void **state)
{
	(void)state;
	check_facts(facts, sizeof(facts) / sizeof(*facts));
}

static void the_same_number_of_another_family_is_no_rename(void **state)
{
	const struct abi_ioctl other = {
		.family = "alloc", .name = "X_CMD_GET_NEW_STATE", .number = 1, .source = ""
	};
	const struct diff *diff;

	(void)state;
	put_text(base, "ioctl X_CMD_GET_OLD_STATE 1 -");
	abi_builder_ioctl(next, &other);
	diff = compared();
	assert_int_equal(find_change(diff, ABI_IOCTL, "X_CMD_GET_OLD_STATE")->classes, DIFF_REMOVED);
}

/* --- flags and rights ------------------------------------------------------------- */

enum { WORDS_MAX = 4 };

/* Makes an ioctl. @words: its flags, sorted and separated by blanks */
static struct abi_ioctl ioctl_with(const char *words, const char *rights)
{
	const char **flags = arena_array(&arena, WORDS_MAX, sizeof(*flags));
	struct abi_ioctl ioctl = {
		.family = "control", .name = "CMD", .flags = flags, .access = rights, .source = ""
	};
	char *text = arena_strdup(&arena, words), *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		flags[ioctl.flag_count++] = word;
	return ioctl;
}

/*
 * The flags and rights of an ioctl in both versions, and the expected result: "access +root-only -right
 * nice".
 */
static const struct {
	const char *fact, *was, *was_rights, *is, *is_rights, *expected;
} flag_facts[] = {
	{ "equal flags are not a change", "cacheable privileged", "nice", "cacheable privileged", "nice",
	  "-" },
	{ "a different privilege is access", "privileged", NULL, "non-privileged", NULL,
	  "access +non-privileged -privileged" },
	{ "a lock is flags", "non-privileged", NULL, "no-gpus-lock non-privileged", NULL,
	  "flags +no-gpus-lock" },
	{ "a privilege and a lock are both", "kernel-privileged", NULL, "no-gpus-lock privileged", NULL,
	  "access|flags +privileged -kernel-privileged +no-gpus-lock" },
	{ "a right is access", "non-privileged", NULL, "non-privileged", "nice", "access +right nice" },
	{ "only rights that differ are reported", "", "debug,nice", "", "nice,perfmon",
	  "access +right perfmon -right debug" },
	{ "a longer right is a different right", "", "nice", "", "nicer", "access +right nicer -right nice" },
	{ "a flag for a plugin does not change who may call", "kernel-privileged", NULL,
	  "cpu-plugin-for-sriov kernel-privileged", NULL, "flags +cpu-plugin-for-sriov" },
	{ "a class that only the driver may allocate is access", "non-privileged", NULL,
	  "internal-only non-privileged", NULL, "access +internal-only" },
	{ "an ioctl that no code handles is access", "not-dispatched", NULL, "", NULL,
	  "access -not-dispatched" },
	{ "an unknown privilege is access", "non-privileged", NULL, "hypervisor-privileged non-privileged",
	  NULL, "access +hypervisor-privileged" },
	{ "no level and then non-privileged is flags", "", NULL, "non-privileged", NULL,
	  "flags +non-privileged" },
	{ "non-privileged and then no level is flags", "non-privileged", NULL, "", NULL,
	  "flags -non-privileged" },
	{ "a new privilege is access", "", NULL, "privileged", NULL, "access +privileged" },
	{ "a removed privilege is access", "kernel-privileged", NULL, "", NULL,
	  "access -kernel-privileged" },
	{ "a command that is now only deprecated has no privilege of its own", "deprecated privileged", NULL,
	  "deprecated", NULL, "flags -privileged" },
	{ "a deprecated command with a method has a privilege", "deprecated privileged", NULL,
	  "deprecated non-privileged", NULL, "access +non-privileged -privileged" },
};

static void flags_and_rights_decide_who_may_call(void **state)
{
	for (size_t i = 0; i < sizeof(flag_facts) / sizeof(*flag_facts); i++) {
		struct strbuf text = { 0 };
		struct abi_ioctl before, after;
		const struct diff_change *change;

		begin_test(state);
		before = ioctl_with(flag_facts[i].was, flag_facts[i].was_rights);
		after = ioctl_with(flag_facts[i].is, flag_facts[i].is_rights);
		abi_builder_ioctl(base, &before);
		abi_builder_ioctl(next, &after);
		change = find_change(compared(), ABI_IOCTL, "CMD");
		add_classes(&text, change ? change->classes : 0);
		for (size_t k = 0; change && k < change->flag_count; k++)
			strbuf_addf(&text, " %c%s%s", change->flags[k].is_added ? '+' : '-',
				    change->flags[k].kind == DIFF_FLAG_RIGHT ? "right " : "",
				    change->flags[k].word);
		if (strcmp(strbuf_text(&text) + 1, flag_facts[i].expected))
			fail_msg("%s: \"%s\"", flag_facts[i].fact, strbuf_text(&text) + 1);
		strbuf_release(&text);
		end_test(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_changes_are_those_of_the_facts),
		TEST(the_same_number_of_another_family_is_no_rename),
		cmocka_unit_test(flags_and_rights_decide_who_may_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
