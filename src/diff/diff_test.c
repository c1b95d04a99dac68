/*
 * Tests changes of enums, aliases, constants and ioctls, the ioctls that reach a change, the entries that it
 * concerns, and the order of changes.
 */
#include "diff/fixture_test.h"

#define CHAIN \
	"alias I~* I~* 8 struct M 16 { NvP64 n@8 pointer; I~* i@0+8 } struct P 16 { M m@0+16 } " \
	"ioctl CMD_P 1 P ioctl CMD_M 2 M"
#define TWO_CHAINS \
	"alias I~* I~* 8 struct A=behind 8 { I~* i@0+8 } struct B 8 { I~* i@0+8 } " \
	"struct P 16 { A a@0+8; B b@8+8 } ioctl CMD 1 P"
#define UNNAMED "alias I~* I~* 8 union P::u_t 8 { I~* i@0+8 } struct P 8 { P::u_t u@0+8 } ioctl CMD 1 P"

static const struct diff_fact facts[] = {
	{ "a different value of an enumerator is value",
	  "enum E { E_A=0; E_MAX=1 }", "enum E { E_A=0; E_MAX=2 }", "enum E value; E_MAX is 2" },
	{ "an added enumerator is value",
	  "enum E { E_A=0 }", "enum E { E_A=0; E_B=1 }", "enum E value; E_B added" },
	{ "a renamed enumerator is name",
	  "enum E { E_A=0; E_B=1 }", "enum E { E_A=0; E_C=1 }", "enum E name; E_C is 1 was E_B" },
	{ "an enum with a different name is name",
	  "enum WAS { E_A=0 }", "enum IS { E_A=0 }", "enum IS was WAS name" },
	{ "enums are added and removed",
	  "enum GONE { G_A=0 }", "enum NEW { N_A=0 }",
	  "enum NEW added\n"
	  "enum GONE removed" },
	{ "a different value of a constant is value",
	  "const C 1", "const C 2", "constant C value" },
	{ "constants are added and removed",
	  "const GONE 1", "const NEW 1",
	  "constant NEW added\n"
	  "constant GONE removed" },
	{ "a constant that is the number of an ioctl is reported once",
	  "const CMD 1 ioctl CMD 1 -", "const CMD 2 ioctl CMD 2 -", "ioctl CMD number" },
	{ "a constant is reported if its ioctl does not show it",
	  "const CMD 1", "const CMD 2 ioctl CMD 2 -",
	  "ioctl CMD added\n"
	  "constant CMD number in CMD" },
	{ "a different parameter record is number",
	  "struct A 4 { NvU32 a@0 } struct B 8 { NvU64 b@0 } ioctl CMD 1 A",
	  "struct A 4 { NvU32 a@0 } struct B 8 { NvU64 b@0 } ioctl CMD 1 B", "ioctl CMD number" },
	{ "parameters that were renamed are name",
	  "struct A 4 { NvU32 a@0 } ioctl CMD 1 A", "struct B 4 { NvU32 a@0 } ioctl CMD 1 B",
	  "ioctl CMD name\n"
	  "record B was A name in CMD" },
	{ "equal number and parameters with a different name are a rename",
	  "struct P 4 { NvU32 a@0 } ioctl CMD_WAS 1 P", "struct P 4 { NvU32 a@0 } ioctl CMD_IS 1 P",
	  "ioctl CMD_IS was CMD_WAS name" },
	{ "a renamed ioctl renames its parameters",
	  "struct GET_P 4 { NvU32 a@0 } ioctl CMD_GET 1 GET_P",
	  "struct GET_V2_P 4 { NvU32 a@0 } ioctl CMD_GET_V2 1 GET_V2_P",
	  "ioctl CMD_GET_V2 was CMD_GET name\n"
	  "record GET_V2_P was GET_P name with CMD_GET_V2 in CMD_GET_V2" },
	{ "an ioctl with the number of a removed ioctl names it",
	  "struct P 4 { NvU32 a@0 } ioctl CMD_OLD 1 P", "struct Q 8 { NvU64 b@0 } ioctl CMD_NEW 1 Q",
	  "ioctl CMD_NEW added number of CMD_OLD, removed\n"
	  "record Q added in CMD_NEW\n"
	  "ioctl CMD_OLD removed number of CMD_NEW, there\n"
	  "record P removed in CMD_OLD" },
	{ "two ioctls with swapped numbers name each other",
	  "ioctl CMD_A 1 - ioctl CMD_B 2 -", "ioctl CMD_A 2 - ioctl CMD_B 1 -",
	  "ioctl CMD_A number number of CMD_B, now 0x1\n"
	  "ioctl CMD_B number number of CMD_A, now 0x2" },
	{ "ioctls are added and removed",
	  "ioctl GONE 1 -", "ioctl NEW 2 -",
	  "ioctl NEW added\n"
	  "ioctl GONE removed" },
	{ "a different type of an alias is layout",
	  "alias T unsigned~int 4", "alias T unsigned~long 8", "alias T layout" },
	{ "a different spelling of an alias is name",
	  "alias T unsigned~long 8", "alias T unsigned~long~long 8", "alias T name" },
	{ "an enum that is also an alias is reported once",
	  "", "alias E E 4 enum E { E_A=0 }", "enum E added" },
	{ "a number that its owner still has has no new owner",
	  "ioctl STAYS 1 -", "ioctl STAYS 1 - ioctl ALSO 1 -", "ioctl ALSO added" },
	{ "the former owner of an nr is named, whatever the sizes in the numbers",
	  "ioctl CMD_OLD 0xc0304b01 - %nr", "ioctl CMD_OLD 0xc0304b02 - %nr ioctl CMD_NEW 0xc0204b01 - %nr",
	  "ioctl CMD_OLD number\n"
	  "ioctl CMD_NEW added number of CMD_OLD, now 0xc0304b02" },
	{ "if the driver compares whole numbers, a different size is a different number",
	  "ioctl CMD_OLD 0xc0304b01 - %ioc",
	  "ioctl CMD_OLD 0xc0304b02 - %ioc ioctl CMD_NEW 0xc0204b01 - %ioc",
	  "ioctl CMD_OLD number\n"
	  "ioctl CMD_NEW added" },
	{ "an ioctl that grew is the same one with a different number",
	  "ioctl CMD 0xc0304b01 - %nr", "ioctl CMD 0xc0384b01 - %nr", "ioctl CMD number" },
	{ "an enum is reached by the ioctls whose parameters have it",
	  "alias E E 4 enum E { E_A=0; E_MAX=1 } struct P 4 { E e@0 } ioctl CMD 1 P",
	  "alias E E 4 enum E { E_A=0; E_MAX=2 } struct P 4 { E e@0 } ioctl CMD 1 P",
	  "enum E value in CMD:P.E; E_MAX is 2" },
	/* M contains a pointer to I, and P contains M. */
	{ "a record is reached by the shortest chain",
	  "struct I 4 { NvU32 a@0 } " CHAIN, "struct I 8 { NvU32 a@0 } " CHAIN,
	  "record I growth in CMD_M:M.I, CMD_P:P.M.I" },
	/* A comes before B by name, but after B in the header. */
	{ "of two chains of one length, the one that is declared first is named",
	  "struct I 4 { NvU32 a@0 } " TWO_CHAINS, "struct I 8 { NvU32 a@0 } " TWO_CHAINS,
	  "record I growth in CMD:P.B.I" },
	{ "an unnamed record is not a step of the chain",
	  "struct I 4 { NvU32 a@0 } " UNNAMED, "struct I 8 { NvU32 a@0 } " UNNAMED,
	  "record I growth in CMD:P.I" },
	{ "a record that points to itself is visited once",
	  "alias L~* L~* 8 struct L 8 { L~* next@0+8 } ioctl CMD 1 L",
	  "alias L~* L~* 8 struct L 16 { L~* next@0+8 } ioctl CMD 1 L", "record L growth in CMD" },
	{ "a removed record was reached in base",
	  "struct P 4 { NvU32 a@0 } ioctl CMD 1 P", "",
	  "ioctl CMD removed\n"
	  "record P removed in CMD" },
	{ "an added ioctl that the driver does not dispatch is reported without a table",
	  "", "ioctl DEAD 99 - +not-dispatched", "ioctl DEAD added" },
	{ "more important classes come first",
	  "struct A 4 { NvU32 a@0 } struct B 4 { NvU32 a@0 }",
	  "struct A 8 { NvU32 a@0; NvU32 b@4 } struct B 4 { NvHandle a@0 handle }",
	  "record B translation; a retyped translation\n"
	  "record A growth; b added growth" },
	{ "ioctls and records come before the rest",
	  "const C 1 ioctl CMD 1 - +privileged struct R 8 { NvU32 a@0 }",
	  "const C 2 ioctl CMD 1 - struct R 4 { NvU32 a@0 }",
	  "record R layout\n"
	  "ioctl CMD access -privileged\n"
	  "constant C value" },
	{ "a glob selects by name and by chain",
	  "only P* struct X 4 { NvU32 a@0 } struct I 4 { NvU32 a@0 } " CHAIN,
	  "struct X 8 { NvU32 a@0; NvU32 b@4 } struct I 8 { NvU32 a@0 } " CHAIN,
	  "record I growth in CMD_M:M.I, CMD_P:P.M.I" },
	{ "a glob selects the records inside a record that no ioctl carries",
	  "only P* struct X 8 { NvU32 a@0 } struct I 8 { NvU32 a@0 } struct P 8 { I i@0 }",
	  "struct X 8 { NvU32 a@0; NvU32 b@4 } struct I 8 { NvU32 a@0; NvU32 b@4 } struct P 8 { I i@0 }",
	  "record I growth; b added growth" },
};

/* The proxy forwards CMD with the record P, and the number 7. */
static const char table[] = "Cmd 1 P:- macro=CMD; OTHER 7 macro=-";

static const struct diff_fact forwarded_facts[] = {
	{ "a constant that is a number for the table is number",
	  "const CMD 1", "const CMD 2",
	  "constant CMD number; unread/read by Cmd\n"
	  "totals: changes 1" },
	{ "the constant identifies a forwarded ioctl",
	  "ioctl CMD 3 -", "ioctl CMD 4 -",
	  "ioctl CMD number; unread/read by Cmd\n"
	  "totals: changes 1 renumbered 1 entries 1 read entries 1" },
	{ "a new ioctl with a forwarded number is proxied",
	  "", "ioctl NEW 7 -",
	  "ioctl NEW added; unread/unread by OTHER\n"
	  "totals: changes 1" },
	{ "an added ioctl that the driver does not dispatch is not new to a proxy",
	  "", "ioctl DEAD 99 - +not-dispatched ioctl ALIVE 98 -",
	  "ioctl ALIVE added; none/none\n"
	  "totals:" },
	{ "but a forwarded ioctl is, dispatched or not",
	  "", "ioctl DEAD 7 - +not-dispatched",
	  "ioctl DEAD added; unread/unread by OTHER\n"
	  "totals: changes 1" },
	{ "an ioctl that the driver now dispatches is reported",
	  "ioctl DEAD 99 - +not-dispatched", "ioctl DEAD 99 -",
	  "ioctl DEAD access; none/none -not-dispatched\n"
	  "totals:" },
	{ "a number of a different family is not proxied",
	  "", "ioctl alloc/NEW 7 -",
	  "ioctl NEW added; none/none\n"
	  "totals:" },
	{ "a record that an entry names is proxied, and comes first",
	  "ioctl A 20 - struct P 4 { NvU32 a@0 }", "ioctl A 21 - struct P 8 { NvU32 a@0; NvU32 b@4 }",
	  "record P growth; unread/unread by Cmd; b added growth\n"
	  "ioctl A number; none/none\n"
	  "totals: changes 1 records 1 entries 1" },
	{ "a record that a forwarded ioctl carries is proxied",
	  "struct Q 4 { NvU32 a@0 } ioctl OTHER 7 Q", "struct Q 8 { NvU32 a@0; NvU32 b@4 } ioctl OTHER 7 Q",
	  "record Q growth in OTHER; unread/unread by OTHER; b added growth\n"
	  "totals: changes 1 records 1 entries 1" },
};

DIFF_TEST(changes)
{
	CHECK(facts, NULL);
}

DIFF_TEST(changes_of_forwarded_items)
{
	CHECK(forwarded_facts, table);
}

DIFF_TEST(documents_of_different_targets_are_refused)
{
	const struct diff_options options = { 0 };
	const struct abi *base = document_of_version("1", "", &arena);
	struct abi next = *document_of_version("2", "", &arena);
	struct diff diff;
	struct err err = { "" };

	next.target = "aarch64-linux-gnu";
	assert_int_equal(diff_documents(&diff, base, &next, &options, &arena, &err), ERR_USAGE);
	assert_string_equal(err.text, "1 is for x86_64-linux-gnu and 2 is for aarch64-linux-gnu; "
				      "only documents for the same target can be compared");
}

DIFF_TEST(the_most_important_class_is_named_first)
{
	struct strbuf names = { 0 };

	add_classes(&names, (1u << DIFF_CLASS_COUNT) - 1);
	assert_string_equal(strbuf_text(&names),
			    " translation|layout|number|growth|value|access|flags|name|added|removed");
	strbuf_release(&names);
}
