/* Tests changes of records inside records, records with several names, and renamed records. */
#include "diff/fixture_test.h"

static const struct diff_fact facts[] = {
	{ "an unnamed record is part of its parent",
	  "struct P::e_t 4 { NvU32 a@0 } struct P 4 { P::e_t e@0 }",
	  "struct P::e_t 8 { NvU32 a@0; NvU32 b@4 } struct P 8 { P::e_t e@0+8 }",
	  "record P growth; e.b added growth" },
	{ "an unnamed member adds nothing to the path",
	  "union P::unnamed_t 8 { NvU64 a@0 } struct P 8 { P::unnamed_t @0+8 }",
	  "union P::unnamed_t 8 { NvU64 a@0; NvU32 b@0 } struct P 8 { P::unnamed_t @0+8 }",
	  "record P growth; b added growth" },
	{ "a longer array of unnamed records is resized",
	  "struct P::e_t 4 { NvHandle h@0 handle } struct P 8 { P::e_t[2] e@0 }",
	  "struct P::e_t 4 { NvHandle h@0 handle } struct P 12 { P::e_t[3] e@0 }",
	  "record P translation|layout; e resized translation|layout" },
	{ "a field in a repeated unnamed record has brackets",
	  "struct P::e_t 4 { NvU32 a@0 } struct P 8 { P::e_t[2] e@0 }",
	  "struct P::e_t 8 { NvU32 a@0; NvU32 b@4 } struct P 16 { P::e_t[2] e@0+16 }",
	  "record P layout; e resized layout; e[].b added layout" },
	{ "a named record inside is reported separately",
	  "struct I 8 { NvU32 a@0 } struct P 8 { I i@0+8 }",
	  "struct I 8 { NvU32 a@0; NvU32 b@4 } struct P 8 { I i@0+8 }", "record I growth; b added growth" },
	{ "a named record that only grew at the end is growth",
	  "struct I 4 { NvU32 a@0 } struct P 8 { NvU32 n@0; I i@4 }",
	  "struct I 8 { NvU32 a@0; NvU32 b@4 } struct P 12 { NvU32 n@0; I i@4+8 }",
	  "record I growth; b added growth\n"
	  "record P growth because of I; i resized growth" },
	{ "a field after a record that grew has moved",
	  "struct I 4 { NvU32 a@0 } struct P 8 { I i@0; NvU32 n@4 }",
	  "struct I 8 { NvU32 a@0; NvU32 b@4 } struct P 12 { I i@0+8; NvU32 n@8 }",
	  "record P layout because of I; i resized layout; n moved layout\n"
	  "record I growth; b added growth" },
	{ "a record with a handle that moved is translation",
	  "struct I 4 { NvHandle h@0 handle } struct P 8 { NvU32 n@0; I i@4 }",
	  "struct I 4 { NvHandle h@0 handle } struct P 8 { I i@0; NvU32 n@4 }",
	  "record P translation|layout; i moved translation|layout; n moved layout" },
	{ "an unnamed record that gets a name is name",
	  "struct P::e_t 8 { NvU32 a@0; NvU32 b@4 } struct P 16 { P::e_t[2] e@0+16 }",
	  "struct ENTRY 8 { NvU32 a@0; NvU32 b@4 } struct P 16 { ENTRY[2] e@0+16 }",
	  "record P name; e retyped name\n"
	  "record ENTRY added inside P" },
	{ "a field wrapped in a named union is renamed",
	  "struct P 8 { NvU32 a@0; NvU32 value@4 }",
	  "union P::u_t 4 { NvU32 value@0; NvU8[4] bytes@0 } struct P 8 { NvU32 a@0; P::u_t u@4 }",
	  "record P growth|name; u.bytes added growth; u.value renamed name was value" },
	{ "all names of a record are one change",
	  "struct _tag 4 { NvU32 a@0 } struct NAME=_tag 4 { NvU32 a@0 }",
	  "struct _tag 8 { NvU32 a@0; NvU32 b@4 } struct NAME=_tag 8 { NvU32 a@0; NvU32 b@4 }",
	  "record NAME growth also _tag; b added growth" },
	{ "a record is reported under the name that its ioctl uses",
	  "struct SHORT 4 { NvU32 a@0 } struct LONGER_PARAMS=SHORT 4 { NvU32 a@0 } ioctl CMD 1 LONGER_PARAMS",
	  "struct SHORT 8 { NvU32 a@0; NvU32 b@4 } "
	  "struct LONGER_PARAMS=SHORT 8 { NvU32 a@0; NvU32 b@4 } "
	  "ioctl CMD 1 LONGER_PARAMS",
	  "record LONGER_PARAMS growth also SHORT in CMD; b added growth" },
	{ "a new typedef of an old record is added",
	  "struct OLD 4 { NvU32 a@0 }", "struct OLD 4 { NvU32 a@0 } struct NEW=OLD 4 { NvU32 a@0 }",
	  "record NEW added same as OLD" },
	{ "typedefs that were removed together are one change",
	  "struct REC 4 { NvU32 a@0 } struct GONE_A=REC 4 { NvU32 a@0 } struct GONE_B=REC 4 { NvU32 a@0 }",
	  "struct REC 4 { NvU32 a@0 }", "record GONE_A removed also GONE_B same as REC" },
	{ "a typedef that became a separate record is compared",
	  "struct ONE 4 { NvU32 a@0 } struct TWO=ONE 4 { NvU32 a@0 }",
	  "struct ONE 4 { NvU32 a@0 } struct TWO 8 { NvU32 a@0; NvU32 b@4 }",
	  "record TWO growth; b added growth" },
	{ "a different name for the same record is name",
	  "struct _tag 4 { NvU32 a@0 } struct WAS=_tag 4 { NvU32 a@0 }",
	  "struct _tag 4 { NvU32 a@0 } struct IS=_tag 4 { NvU32 a@0 }", "record IS was WAS name also _tag" },
	{ "equal scalars with a similar name are a rename",
	  "struct GET_INFO_PARAMS 8 { NvU32 a@0; NvU32 b@4 }",
	  "struct GET_INFO_V2_PARAMS 8 { NvU32 a@0; NvU32 b@4 }",
	  "record GET_INFO_V2_PARAMS was GET_INFO_PARAMS name" },
	{ "equal scalars with a different name prove nothing",
	  "struct NV2080_CTRL_FOO_PARAMS 4 { NvU32 value@0 }",
	  "struct NV2080_CTRL_BAR_PARAMS 4 { NvU32 value@0 }",
	  "record NV2080_CTRL_BAR_PARAMS added\n"
	  "record NV2080_CTRL_FOO_PARAMS removed" },
	{ "a renamed record has all its names",
	  "struct _INFO 8 { NvU32 a@0; NvU32 b@4 } struct INFO=_INFO 8 { NvU32 a@0; NvU32 b@4 }",
	  "struct _INFO_V2 8 { NvU32 a@0; NvU32 b@4 } struct INFO_V2=_INFO_V2 8 { NvU32 a@0; NvU32 b@4 }",
	  "record INFO_V2 was INFO name also _INFO,_INFO_V2" },
	{ "two candidates are not a rename",
	  "struct INFO 8 { NvU32 a@0; NvU32 b@4 }",
	  "struct INFO_V2 8 { NvU32 a@0; NvU32 b@4 } struct INFO_V3 8 { NvU32 a@0; NvU32 b@4 }",
	  "record INFO_V2 added\n"
	  "record INFO_V3 added\n"
	  "record INFO removed" },
	{ "new parameters of an ioctl are its old parameters renamed",
	  "struct WAS 4 { NvU32 a@0 } ioctl CMD 1 WAS", "struct IS 8 { NvU32 a@0; NvU32 b@4 } ioctl CMD 1 IS",
	  "record IS was WAS growth|name in CMD; b added growth\n"
	  "ioctl CMD name" },
	{ "ioctls that disagree prove nothing",
	  "struct WAS 4 { NvU32 a@0 } ioctl CMD_A 1 WAS ioctl CMD_B 2 WAS",
	  "struct ONE 8 { NvU32 x@0; NvU32 b@4 } "
	  "struct TWO 8 { NvU32 y@0; NvU32 z@4 } "
	  "ioctl CMD_A 1 ONE "
	  "ioctl CMD_B 2 TWO",
	  "ioctl CMD_A number\n"
	  "ioctl CMD_B number\n"
	  "record ONE added in CMD_A\n"
	  "record TWO added in CMD_B\n"
	  "record WAS removed in CMD_A, CMD_B" },
	{ "a member whose record was renamed is name",
	  "struct ITEM 8 { NvU32 a@0; NvU32 b@4 } struct P 8 { ITEM i@0+8 }",
	  "struct ITEM_V1 8 { NvU32 a@0; NvU32 b@4 } struct P 8 { ITEM_V1 i@0+8 }",
	  "record ITEM_V1 was ITEM name\n"
	  "record P name; i retyped name" },
	{ "a new name is reached only by the ioctls that use it",
	  "struct OLD 4 { NvU32 a@0 } ioctl CMD_OLD 1 OLD",
	  "struct OLD 4 { NvU32 a@0 } struct NEW=OLD 4 { NvU32 a@0 } struct P 4 { NEW n@0 } "
	  "ioctl CMD_OLD 1 OLD ioctl CMD_NEW 2 P",
	  "ioctl CMD_NEW added\n"
	  "record NEW added same as OLD in CMD_NEW:P.NEW\n"
	  "record P added in CMD_NEW" },
};

DIFF_TEST(records)
{
	CHECK(facts, NULL);
}

DIFF_TEST(a_document_that_contradicts_itself_is_refused)
{
	const struct abi *base = document_of_version("1", "struct R 4 { R r@0 }", &arena);
	const struct abi *next = document_of_version("2", "struct R 8 { R r@0+8 }", &arena);
	const struct diff_options options = { 0 };
	struct diff diff;
	struct err err = { "" };

	assert_int_equal(diff_documents(&diff, base, next, &options, &arena, &err), ERR_LIMIT);
	assert_string_equal(err.text, "1: record R contains itself, as member r");
}
