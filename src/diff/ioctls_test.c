/*
 * Tests if an ioctl was renamed or replaced when its number has a new name, and which flags decide who may
 * call it.
 */
#include "diff/fixture_test.h"

#define FOUR "16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12 } "

/* The ioctl @was with the record P was removed, and @is with the record Q has its number. */
#define REPLACED(was, is) \
	"ioctl " is " added number of " was ", removed\nrecord Q added in " is "\n" \
	"ioctl " was " removed number of " is ", there\nrecord P removed in " was

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
	  "name with X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE "
	  "in X_CTRL_CMD_UCODE_INSTRUMENTATION_GET_STATE; instrumentationType renamed name was covType" },
	{ "one more word is a rename",
	  "struct ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } ioctl X_GEM_FENCE_ATTACH 1 ATTACH_PARAMS",
	  "struct PRIME_ATTACH_PARAMS 8 { NvU32 a@0; NvU32 b@4 } "
	  "ioctl X_GEM_PRIME_FENCE_ATTACH 1 PRIME_ATTACH_PARAMS",
	  "ioctl X_GEM_PRIME_FENCE_ATTACH was X_GEM_FENCE_ATTACH name\n"
	  "record PRIME_ATTACH_PARAMS was ATTACH_PARAMS name with X_GEM_PRIME_FENCE_ATTACH "
	  "in X_GEM_PRIME_FENCE_ATTACH" },
	{ "different words with many equal fields are a rename",
	  "struct P " FOUR "ioctl X_CMD_ONE 1 P", "struct Q " FOUR "ioctl X_CMD_ANOTHER 1 Q",
	  "ioctl X_CMD_ANOTHER was X_CMD_ONE name\n"
	  "record Q was P name with X_CMD_ANOTHER in X_CMD_ANOTHER" },
	{ "different words with few equal fields prove nothing",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_LIMIT_DISABLE 1 P",
	  "struct Q 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_HANDLER_CHECK 1 Q",
	  REPLACED("X_CMD_LIMIT_DISABLE", "X_CMD_HANDLER_CHECK") },
	{ "similar names with different layouts are two ioctls",
	  "struct P " FOUR "ioctl X_CMD_GC6_ENTRY 1 P",
	  "struct Q 20 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvU32 d@12; NvU32 e@16 } ioctl X_CMD_GCX_ENTRY 1 Q",
	  REPLACED("X_CMD_GC6_ENTRY", "X_CMD_GCX_ENTRY") },
	{ "a handle in place of a number is a different layout",
	  "struct P " FOUR "ioctl X_CMD_OLD_ENTRY 1 P",
	  "struct Q 16 { NvU32 a@0; NvU32 b@4; NvU32 c@8; NvHandle d@12 handle } ioctl X_CMD_NEW_ENTRY 1 Q",
	  REPLACED("X_CMD_OLD_ENTRY", "X_CMD_NEW_ENTRY") },
	{ "similar names with different fields are two ioctls",
	  "struct P 8 { NvU32 a@0; NvU32 b@4 } ioctl X_CMD_GET_STATUS_INFO 1 P",
	  "struct Q 8 { NvU32 x@0; NvU32 y@4 } ioctl X_CMD_GET_DATA_INFO 1 Q",
	  REPLACED("X_CMD_GET_STATUS_INFO", "X_CMD_GET_DATA_INFO") },
	{ "without parameters the names decide",
	  "ioctl X_CMD_PUSH_GSP_UCODE 1 -", "ioctl X_CMD_PUSH_UCODE_IMAGE 1 -",
	  "ioctl X_CMD_PUSH_UCODE_IMAGE was X_CMD_PUSH_GSP_UCODE name" },
	{ "without parameters, different names are two ioctls",
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE 1 -", "ioctl X_CMD_PFM_REQ_CHECK 1 -",
	  "ioctl X_CMD_PFM_REQ_CHECK added number of X_CMD_CUDA_LIMIT_DISABLE, removed\n"
	  "ioctl X_CMD_CUDA_LIMIT_DISABLE removed number of X_CMD_PFM_REQ_CHECK, there" },
	{ "if two candidates have the number, none is chosen",
	  "struct P " FOUR "ioctl X_CMD_GET_OLD_STATE 1 P",
	  "struct Q " FOUR "ioctl X_CMD_GET_NEW_STATE 1 Q struct R " FOUR "ioctl X_CMD_GET_OTHER_STATE 1 R",
	  "ioctl X_CMD_GET_NEW_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "ioctl X_CMD_GET_OTHER_STATE added number of X_CMD_GET_OLD_STATE, removed\n"
	  "record Q added in X_CMD_GET_NEW_STATE\n"
	  "record R added in X_CMD_GET_OTHER_STATE\n"
	  "ioctl X_CMD_GET_OLD_STATE removed number of X_CMD_GET_NEW_STATE, there\n"
	  "record P removed in X_CMD_GET_OLD_STATE" },
	{ "two ioctls with swapped names have new numbers",
	  "struct P " FOUR "ioctl X_CMD_GET_A 1 P struct Q " FOUR "ioctl X_CMD_GET_B 2 Q",
	  "struct P " FOUR "ioctl X_CMD_GET_B 1 P struct Q " FOUR "ioctl X_CMD_GET_A 2 Q",
	  "ioctl X_CMD_GET_A number number of X_CMD_GET_B, now 0x1\n"
	  "ioctl X_CMD_GET_B number number of X_CMD_GET_A, now 0x2" },
	{ "a name that now has a different number was not renamed",
	  "struct P " FOUR "ioctl X_CMD_GET_STATE 1 P",
	  "struct P " FOUR "ioctl X_CMD_GET_STATE 2 P struct Q " FOUR "ioctl X_CMD_GET_OLD_STATE 1 Q",
	  "ioctl X_CMD_GET_STATE number\n"
	  "ioctl X_CMD_GET_OLD_STATE added number of X_CMD_GET_STATE, now 0x2\n"
	  "record Q added in X_CMD_GET_OLD_STATE" },
	{ "a chain of names is followed by name",
	  "struct P " FOUR "ioctl X_CMD_GET_A_STATE 1 P struct Q " FOUR "ioctl X_CMD_GET_B_STATE 2 Q",
	  "struct Q " FOUR "ioctl X_CMD_GET_B_STATE 1 Q struct R " FOUR "ioctl X_CMD_GET_C_STATE 2 R",
	  "ioctl X_CMD_GET_B_STATE number number of X_CMD_GET_A_STATE, removed\n"
	  "record R was P name in X_CMD_GET_C_STATE\n"
	  "ioctl X_CMD_GET_C_STATE added number of X_CMD_GET_B_STATE, now 0x1\n"
	  "ioctl X_CMD_GET_A_STATE removed number of X_CMD_GET_B_STATE, there" },
	{ "the same number in a different family is not a rename",
	  "ioctl X_CMD_GET_OLD_STATE 1 -", "ioctl alloc/X_CMD_GET_NEW_STATE 1 -",
	  "ioctl X_CMD_GET_NEW_STATE added\n"
	  "ioctl X_CMD_GET_OLD_STATE removed" },
	/* flags and rights */
	{ "equal flags are not a change",
	  "ioctl CMD 1 - +cacheable +privileged !nice", "ioctl CMD 1 - +cacheable +privileged !nice", "" },
	{ "a different privilege is access",
	  "ioctl CMD 1 - +privileged", "ioctl CMD 1 - +non-privileged",
	  "ioctl CMD access +non-privileged -privileged" },
	{ "a lock is flags",
	  "ioctl CMD 1 - +non-privileged", "ioctl CMD 1 - +no-gpus-lock +non-privileged",
	  "ioctl CMD flags +no-gpus-lock" },
	{ "a privilege and a lock are both",
	  "ioctl CMD 1 - +kernel-privileged", "ioctl CMD 1 - +no-gpus-lock +privileged",
	  "ioctl CMD access|flags +privileged -kernel-privileged +no-gpus-lock" },
	{ "a right is access",
	  "ioctl CMD 1 - +non-privileged", "ioctl CMD 1 - +non-privileged !nice",
	  "ioctl CMD access +right nice" },
	{ "only rights that differ are reported",
	  "ioctl CMD 1 - !debug,nice", "ioctl CMD 1 - !nice,perfmon",
	  "ioctl CMD access +right perfmon -right debug" },
	{ "a longer right is a different right",
	  "ioctl CMD 1 - !nice", "ioctl CMD 1 - !nicer", "ioctl CMD access +right nicer -right nice" },
	{ "a flag for a plugin does not change who may call",
	  "ioctl CMD 1 - +kernel-privileged", "ioctl CMD 1 - +cpu-plugin-for-sriov +kernel-privileged",
	  "ioctl CMD flags +cpu-plugin-for-sriov" },
	{ "a class that only the driver may allocate is access",
	  "ioctl CMD 1 - +non-privileged", "ioctl CMD 1 - +internal-only +non-privileged",
	  "ioctl CMD access +internal-only" },
	{ "an ioctl that no code handles is access",
	  "ioctl CMD 1 - +not-dispatched", "ioctl CMD 1 -", "ioctl CMD access -not-dispatched" },
	{ "an unknown privilege is access",
	  "ioctl CMD 1 - +non-privileged", "ioctl CMD 1 - +hypervisor-privileged +non-privileged",
	  "ioctl CMD access +hypervisor-privileged" },
	{ "no level and then non-privileged is flags",
	  "ioctl CMD 1 -", "ioctl CMD 1 - +non-privileged", "ioctl CMD flags +non-privileged" },
	{ "non-privileged and then no level is flags",
	  "ioctl CMD 1 - +non-privileged", "ioctl CMD 1 -", "ioctl CMD flags -non-privileged" },
	{ "a new privilege is access",
	  "ioctl CMD 1 -", "ioctl CMD 1 - +privileged", "ioctl CMD access +privileged" },
	{ "a removed privilege is access",
	  "ioctl CMD 1 - +kernel-privileged", "ioctl CMD 1 -", "ioctl CMD access -kernel-privileged" },
	{ "a command that is now only deprecated has no privilege of its own",
	  "ioctl CMD 1 - +deprecated +privileged", "ioctl CMD 1 - +deprecated",
	  "ioctl CMD flags -privileged" },
	{ "a deprecated command with a method has a privilege",
	  "ioctl CMD 1 - +deprecated +privileged", "ioctl CMD 1 - +deprecated +non-privileged",
	  "ioctl CMD access +non-privileged -privileged" },
};

DIFF_TEST(renamed_or_replaced)
{
	CHECK(facts, NULL);
}
