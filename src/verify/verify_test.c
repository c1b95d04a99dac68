/* Tests of verify_view() with one entry. The driver's document and the proxy's table are written as text. */
#include "verify/fixture_test.h"
#include "verify/internal.h"

static struct verify_result found;

/*
 * Verifies a table that has only the entry @text. "R:T" alone means the entry CMD, which has the number 1,
 * and whose parameters in the driver are R. Every document gets a record with a handle and a pointer.
 */
static int verify_entry(const char *document, const char *types, const char *text)
{
	if (strcspn(text, ":") < strcspn(text, " ")) {
		document = arena_printf(&arena, "const CMD 1 ioctl CMD 1 %.*s %s", (int)strcspn(text, ":"),
					text, document);
		text = arena_printf(&arena, "CMD 1 %s", text);
	}
	document = arena_printf(&arena,
				"struct WITH_ROLES 16 { NvHandle h@0 handle; NvP64 p@8 pointer } "
				"alias char char 1 %s",
				document);
	return verify_view(&found, document_of(document, &arena), table_view_of(types, text, &arena), &arena,
			   &err);
}

/* A document, a proxy's types, an entry, and the findings, one per line; "?" precedes an unseen finding */
struct verify_fact {
	const char *fact, *document, *types, *entry, *findings;
};

static void check_facts(const struct verify_fact *facts, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };

		if (verify_entry(facts[i].document, facts[i].types, facts[i].entry))
			strbuf_addf(&text, "\nerror: %s", err.text);
		else
			for (size_t f = 0; f < found.finding_count + found.unseen_count; f++) {
				bool seen = f < found.finding_count;
				const struct verify_finding *one =
					seen ? &found.findings[f] : &found.unseen[f - found.finding_count];

				assert_int_equal(one->unseen, !seen);
				strbuf_addf(&text, "\n%s%s%s%s: %s", seen ? "" : "? ",
					    verify_rule_name(one->rule), *one->path ? " " : "", one->path,
					    one->message);
			}
		wrong += text_differs(facts[i].fact, &text, facts[i].findings);
		end_test(NULL);
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(facts) check_facts(facts, COUNT(facts))

/* --- what a proxy reads, field by field --------------------------------------------------- */

static const struct verify_fact field_facts[] = {
	{ "equal layouts", "struct R 16 { NvHandle hClient@0 handle; NvU32 flags@4; NvP64 params@8 pointer }",
	  "T 16 { Handle HClient@0; uint32 Flags@4; P64 Params@8 }", "R:T", "" },
	{ "another size", "struct R 8 { NvU32 a@0 }", "T 4 { uint32 A@0 }", "R:T",
	  "size: R is 8 bytes in the driver, T 4 in the proxy" },
	{ "a narrower field is another type", "struct R 4 { NvU32 a@0 }", "T 4 { uint16 A@0; uint16 Pad@2 }",
	  "R:T", "field-type a: R.a is NvU32 in the driver, uint16 in the proxy: the widths differ" },
	{ "another sign is another type", "struct R 4 { NvS32 a@0 }", "T 4 { uint32 A@0 }", "R:T",
	  "field-type a: R.a is NvS32 in the driver, uint32 in the proxy: only one of them is signed" },
	{ "plain char is an unsigned byte", "struct R 4 { char[4] name@0+4 }", "T 4 { uint8[4] Name@0 }",
	  "R:T", "" },
	{ "an enum is unsigned", "enum E { E_MINUS=-1 } struct R 8 { E a@0; E b@4 }",
	  "T 8 { uint32 A@0; int32 B@4 }", "R:T",
	  "field-type b: R.b is E in the driver, int32 in the proxy: only one of them is signed" },
	{ "one dimension for two is another length", "struct R 32 { NvU32[4][2] m@0 }",
	  "T 32 { uint32[8] M@0 }", "R:T",
	  "field-type m: R.m is NvU32[4][2] in the driver, uint32[8] in the proxy: the lengths differ" },
	{ "an array of one is not a scalar", "struct R 4 { NvU32[1] a@0 }", "T 4 { uint32 A@0 }", "R:T",
	  "field-type a: R.a is NvU32[1] in the driver, uint32 in the proxy: the lengths differ" },
	{ "a typedef of an array has its dimensions",
	  "alias Row unsigned~int[4] 16 struct R 32 { Row[2] m@0+32 }", "T 32 { uint32[2][4] M@0 }", "R:T",
	  "" },
	{ "a pointer read as a number", "struct R 8 { NvP64 p@0 pointer }", "T 8 { uint64 P@0 }", "R:T",
	  "field-type p: R.p is NvP64 in the driver, uint64 in the proxy: the driver follows it as a "
	  "pointer, the proxy does not" },
	{ "a number that has the role of a pointer is one", "struct R 8 { NvU64 address@0 pointer }",
	  "T 8 { uint64 Address@0 }", "R:T",
	  "field-type address: R.address is NvU64 in the driver, uint64 in the proxy: the driver follows "
	  "it as a pointer, the proxy does not" },
	{ "a number read as a pointer", "struct R 8 { NvU64 n@0 }", "T 8 { P64 N@0 }", "R:T",
	  "field-type n: R.n is NvU64 in the driver, P64 in the proxy: the proxy treats it as a pointer" },
	{ "an address of the kernel fits a number and a pointer",
	  "struct R 16 { NvP64 a@0 kernel-pointer; NvU64 b@8 kernel-pointer }",
	  "T 16 { uint64 A@0; P64 B@8 }", "R:T",
	  "kernel-pointer a: R is forwarded, and a (NvP64 at 0) can hold a kernel address\n"
	  "kernel-pointer b: R is forwarded, and b (NvU64 at 8) can hold a kernel address" },
	{ "a file descriptor of type NvP64 fits a number and a pointer",
	  "struct R 16 { NvP64 a@0 fd; NvP64 b@8 fd }", "T 16 { uint64 A@0; P64 B@8 }", "R:T", "" },
	{ "an address of the kernel has its width", "struct R 8 { NvU64 k@0 kernel-pointer }",
	  "T 8 { uint32 K@0; uint8[4] Pad0@4 }", "R:T",
	  "field-type k: R.k is NvU64 in the driver, uint32 in the proxy: the widths differ\n"
	  "kernel-pointer k: R is forwarded, and k (NvU64 at 0) can hold a kernel address" },
	{ "only a handle fits a handle", "struct R 8 { NvHandle a@0 handle; NvU32 b@4 }",
	  "T 8 { uint32 A@0; Handle B@4 }", "R:T",
	  "field-type a: R.a is NvHandle in the driver, uint32 in the proxy: a handle that the proxy "
	  "treats as a number\n"
	  "field-type b: R.b is NvU32 in the driver, Handle in the proxy: the proxy treats it as a handle" },
	{ "a number that is a handle by its name stays a number",
	  "struct R 12 { NvU32 hClient@0 handle; NvU32 a@4; NvU32 b@8 }",
	  "T 12 { uint32 HClient@0; uint32 A@4; uint32 B@8 }", "R:T", "" },
	{ "or is a handle", "struct R 12 { NvU32 hClient@0 handle; NvU32 a@4; NvU32 b@8 }",
	  "T 12 { Handle HClient@0; uint32 A@4; uint32 B@8 }", "R:T", "" },
	{ "a field at another offset is named with both", "struct R 16 { NvU32 a@0; NvU64 b@8 }",
	  "T 16 { uint64 B@0; uint8[8] Pad@8 }", "R:T",
	  "field-type a: R.a is NvU32 in the driver, uint64 in the proxy: the widths differ\n"
	  "field-offset b: R.b is at 8 in the driver, at 0 in the proxy" },
	{ "a field of an embedded struct can be at another offset, too",
	  "struct R 16 { NvU32 a@0; NvU32 flags@4; NvU32 c@8; NvU32 d@12 }",
	  "Old 16 { uint32 A@0; uint32 C@8; uint32 Flags@12 } T 16 { Old Old@0 }", "R:T",
	  "field-offset flags: R.flags is at 4 in the driver, at 12 in the proxy" },
	{ "unless the driver has a member for the struct",
	  "struct R 16 { NvU64 flags@0; OLD old@8+8 } struct OLD 8 { NvU32 x@0; NvU32 flags@4 }",
	  "Old 8 { uint32 X@0; uint32 Flags@4 } T 16 { uint8[8] Pad0@0; Old Old@8 }", "R:T",
	  "padding-overlap flags: R.flags (NvU64 at 0) overlaps the proxy's padding Pad0" },
	{ "a field of the type itself precedes that of an embedded struct", "struct R 12 { NvU32 flags@0 }",
	  "Old 4 { uint32 Flags@0 } T 12 { Old Old@4; uint32 Flags@8 }", "R:T",
	  "field-offset flags: R.flags is at 0 in the driver, at 8 in the proxy\n"
	  "field-missing Flags: the proxy has Flags (uint32 at 8) where the driver has no field\n"
	  "field-missing Old.Flags: the proxy has Old.Flags (uint32 at 4) where the driver has no field" },
	{ "a lost field is missing", "struct R 8 { NvU32 a@0; NvU32 b@4 }", "T 8 { uint32 A@0 }", "R:T",
	  "field-missing b: R.b (NvU32 at 4) has no field in the proxy" },
	{ "padding over a field", "struct R 8 { NvU32 a@0; NvU32 b@4 }", "T 8 { uint32 A@0; uint32 Pad0@4 }",
	  "R:T", "padding-overlap b: R.b (NvU32 at 4) overlaps the proxy's padding Pad0" },
	{ "padding over a field that the driver reserves is right",
	  "struct R 8 { NvU32 a@0; NvU32 reserved0@4 }", "T 8 { uint32 A@0; uint32 _@4 }", "R:T", "" },
	{ "but something has to be there", "struct R 8 { NvU32 a@0; NvU32 reserved0@4 }",
	  "T 8 { uint32 A@0 }", "R:T",
	  "field-missing reserved0: R.reserved0 (NvU32 at 4) has no field in the proxy" },
	{ "reservedSize is not padding", "struct R 8 { NvU32 a@0; NvU32 reservedSize@4 }",
	  "T 8 { uint32 A@0; uint32 Pad@4 }", "R:T",
	  "padding-overlap reservedSize: R.reservedSize (NvU32 at 4) overlaps the proxy's padding Pad" },
	{ "padding of the proxy in a hole is right", "struct R 16 { NvU32 a@0; NvU64 b@8 }",
	  "T 16 { uint32 A@0; uint8[4] Pad0@4; uint64 B@8 }", "R:T", "" },
	{ "a field in a hole of the driver", "struct R 16 { NvU32 a@0; NvU64 b@8 }",
	  "T 16 { uint32 A@0; uint32 C@4; uint64 B@8 }", "R:T",
	  "field-missing C: the proxy has C (uint32 at 4) where the driver has no field" },
	{ "fields that have each other's names", "struct R 8 { NvU32 width@0; NvU32 height@4 }",
	  "T 8 { uint32 Height@0; uint32 Width@4 }", "R:T",
	  "field-offset width: R.width is at 0 in the driver; the proxy has Height there, and Width at 4\n"
	  "field-offset height: R.height is at 4 in the driver; the proxy has Width there, and Height at 0" },
	{ "a letter for the type is no part of the name",
	  "struct R 12 { NvU32 hDma@0; NvU32 hMemory@4; NvU32 pad@8 }",
	  "T 12 { uint32 Memory@0; uint32 Dma@4; uint32 Pad@8 }", "R:T",
	  "field-offset hDma: R.hDma is at 0 in the driver; the proxy has Memory there, and Dma at 4\n"
	  "field-offset hMemory: R.hMemory is at 4 in the driver; the proxy has Dma there, and Memory at 0" },
	{ "two letters for the type are no part of the name, either",
	  "struct R 8 { NvU32 phClients@0; NvU32 phDevices@4 }", "T 8 { uint32 Devices@0; uint32 Clients@4 }",
	  "R:T",
	  "field-offset phClients: R.phClients is at 0 in the driver; the proxy has Devices there, and "
	  "Clients at 4\n"
	  "field-offset phDevices: R.phDevices is at 4 in the driver; the proxy has Clients there, and "
	  "Devices at 0" },
	{ "two fields can differ only in the letter", "struct R 8 { NvU32 hMemory@0; NvU32 memory@4 }",
	  "T 8 { uint32 HMemory@0; uint32 Memory@4 }", "R:T", "" },
	{ "another name is right", "struct R 8 { NvU32 width@0; NvU32 height@4 }",
	  "T 8 { uint32 W@0; uint32 H@4 }", "R:T", "" },
	{ "a bit-field fits a field that covers it", "struct R 4 { NvU32 low:9@0; NvU32 high:23@9 }",
	  "T 4 { uint32 Bits@0 }", "R:T", "" },
	{ "a bit-field that is half covered is missing", "struct R 4 { NvU32 low:9@0; NvU32 high:23@9 }",
	  "T 4 { uint16 Bits@0; uint16 Pad@2 }", "R:T",
	  "field-missing high: R.high (NvU32 at 1) has no field in the proxy; the proxy's field there is "
	  "Bits" },
	{ "a bit-field under a handle", "struct R 4 { NvU32 low:9@0; NvU32 high:23@9 }", "T 4 { Handle H@0 }",
	  "R:T",
	  "field-type low: R.low is NvU32:9 in the driver, Handle in the proxy: the proxy treats it as a "
	  "handle\n"
	  "field-type high: R.high is NvU32:23 in the driver, Handle in the proxy: the proxy treats it as "
	  "a handle" },
	{ "a bool is not a type for an ioctl", "struct R 1 { NvU8 flag@0 }", "T 1 { bool Flag@0 }", "R:T",
	  "field-type Flag: the proxy's Flag (bool) is a bool, but an application can pass any value" },
	{ "a flexible array has no field in a struct of fixed size",
	  "struct R 4 { NvU32 count@0; NvU32[] e@4+0 }", "T 4 { uint32 Count@0 }", "R:T",
	  "field-missing e: R.e (NvU32[] at 4) has no field in the proxy" },
	{ "an array of no elements needs nothing", "struct R 4 { NvU32 count@0; NvU32[0] e@4+0 }",
	  "T 4 { uint32 Count@0 }", "R:T", "" },
};

VERIFY_TEST(fields)
{
	CHECK(field_facts);
}

static const struct verify_fact record_facts[] = {
	{ "an array of records is written out and reported once",
	  "struct E 8 { NvU32 a@0; NvS32 b@4 } struct R 32 { E[2][2] e@0+32 }",
	  "PE 8 { uint32 A@0; uint32 B@4 } T 32 { PE[2][2] E@0 }", "R:T",
	  "field-type e[0][0].b: R.e[0][0].b is NvS32 in the driver, uint32 in the proxy: only one of "
	  "them is signed (and in 3 more elements)" },
	{ "an array of records that is longer in the proxy",
	  "struct E 4 { NvU32 a@0 } struct R 16 { E[3] e@0 }", "PE 4 { uint32 A@0 } T 16 { PE[4] E@0 }",
	  "R:T", "field-missing E[3].A: the proxy has E[3].A (uint32 at 12) where the driver has no field" },
	{ "an array of one record is not a record", "struct E 4 { NvU32 a@0 } struct R 4 { E e@0 }",
	  "PE 4 { uint32 A@0 } T 4 { PE[1] E@0 }", "R:T",
	  "field-type e.a: R.e.a is NvU32 in the driver, uint32 in the proxy: in arrays with different "
	  "dimensions" },
	{ "four records are not two times two", "struct E 4 { NvU32 a@0 } struct R 16 { E[4] e@0 }",
	  "PE 4 { uint32 A@0 } T 16 { PE[2][2] E@0 }", "R:T",
	  "field-type e[0].a: R.e[0].a is NvU32 in the driver, uint32 in the proxy: in arrays with "
	  "different dimensions (and in 3 more elements)" },
	{ "an array of array typedefs fits an array of records",
	  "struct UUID 16 { NvU8[16] uuid@0 } struct R 32 { UUID[2] u@0+32 }",
	  "NvUUID=uint8[16] 16 T 32 { NvUUID[2] U@0 }", "R:T", "" },
	{ "bytes fit a union without pointers",
	  "union U 16 { NvU8[16] raw@0; NvU64 n@0 } struct R 24 { NvU32 kind@0; U u@8+16 }",
	  "T 24 { uint32 Kind@0; uint32 Pad@4; uint8[16] Data@8 }", "R:T", "" },
	{ "bytes over a union with a pointer are unseen",
	  "union U 16 { NvU64 n@0; NvP64 p@8 pointer } struct R 24 { NvU32 kind@0; U u@8+16 }",
	  "T 24 { uint32 Kind@0; uint32 Pad@4; uint8[16] Data@8 }", "R:T",
	  "? not-simple u: R.u is a union that may hold a pointer or a file descriptor (u.p at 16); the "
	  "proxy declares it as bytes (uint8[16]), and the table does not show how the proxy uses these "
	  "bytes" },
	{ "a pointer in a union in a union under bytes",
	  "union INNER 8 { NvP64 p@0 pointer; NvU64 n@0 } struct BOX 16 { NvU64 a@0; INNER inner@8+8 } "
	  "union U 16 { BOX box@0+16; NvU64 n@0 } struct R 16 { U u@0+16 }", "T 16 { uint8[16] Data@0 }",
	  "R:T",
	  "? not-simple u: R.u is a union that may hold a pointer or a file descriptor (u.box.inner.p at "
	  "8); the proxy declares it as bytes (uint8[16]), and the table does not show how the proxy uses "
	  "these bytes" },
	{ "an unseen finding hides no fault",
	  "union U 8 { NvU64 n@0; NvP64 p@0 pointer } struct R 16 { NvU32 kind@0; U u@8+8 }",
	  "T 16 { int32 Kind@0; uint32 Pad@4; uint8[8] Data@8 }", "R:T",
	  "field-type kind: R.kind is NvU32 in the driver, int32 in the proxy: only one of them is "
	  "signed\n"
	  "? not-simple u: R.u is a union that may hold a pointer or a file descriptor (u.p at 8); the "
	  "proxy declares it as bytes (uint8[8]), and the table does not show how the proxy uses these "
	  "bytes" },
	{ "bytes that end before the union are too few",
	  "union U 16 { NvU8[16] raw@0; NvU8 first@0 } struct R 16 { U u@0+16 }", "T 16 { uint8[1] Data@0 }",
	  "R:T",
	  "field-type u.raw: R.u.raw is NvU8[16] in the driver, uint8[1] in the proxy: the lengths differ" },
	{ "one member fits a union that it covers",
	  "struct A 16 { NvU64 address@0; NvU32 size@8; NvU32 kind@12 } struct B 16 { NvHandle h@0 handle; "
	  "NvU32 x@4; NvU64 y@8 } union U 16 { A a@0+16; B b@0+16 } struct R 16 { U u@0+16 }",
	  "T 16 { uint64 Address@0; uint32 Size@8; uint32 Kind@12 }", "R:T", "" },
	{ "a member with a pointer has to fit as well",
	  "union U 8 { NvU64 cookie@0; NvP64 p@0 pointer } struct R 8 { U u@0+8 }", "T 8 { uint64 Cookie@0 }",
	  "R:T",
	  "field-type u.p: R.u.p (NvP64 at 0) is a pointer, but the proxy reads a different member of "
	  "that union" },
	{ "bytes of another member under padding",
	  "union U 16 { NvU64 small@0; NvU32[4] large@0 } struct R 16 { U u@0+16 }",
	  "T 16 { uint64 Small@0; uint8[8] Pad@8 }", "R:T",
	  "padding-overlap u.large: R.u.large in the union R.u uses the byte at 8, which is padding in "
	  "the proxy" },
	{ "bytes of another member without a field",
	  "union U 16 { NvU64 small@0; NvU32[4] large@0 } struct R 16 { U u@0+16 }",
	  "T 16 { uint64 Small@0 }", "R:T",
	  "field-missing u.large: R.u.large in the union R.u uses the byte at 8, which has no field in "
	  "the proxy" },
	{ "members of an embedded struct that have each other's names",
	  "struct M 8 { NvU32 base@0; NvU32 size@4 } struct R 20 { M inst@0+8; M user@8+8; NvU32 id@16 }",
	  "PM 8 { uint32 Base@0; uint32 Size@4 } Old 16 { PM User@0; PM Inst@8 } T 20 { Old Old@0; uint32 "
	  "ID@16 }",
	  "R:T",
	  "field-offset inst.base: R.inst.base is at 0 in the driver; the proxy has Old.User.Base there, and "
	  "Old.Inst.Base at 8\n"
	  "field-offset user.base: R.user.base is at 8 in the driver; the proxy has Old.Inst.Base there, and "
	  "Old.User.Base at 0" },
	{ "members of an inner struct that have each other's names",
	  "struct M 4 { NvU32 base@0 } struct IN 8 { M inst@0+4; M user@4+4 } struct R 8 { IN in@0+8 }",
	  "PM 4 { uint32 Base@0 } PIN 8 { PM User@0; PM Inst@4 } T 8 { PIN In@0 }", "R:T",
	  "field-offset in.inst.base: R.in.inst.base is at 0 in the driver; the proxy has In.User.Base "
	  "there, and In.Inst.Base at 4\n"
	  "field-offset in.user.base: R.in.user.base is at 4 in the driver; the proxy has In.Inst.Base "
	  "there, and In.User.Base at 0" },
	{ "a typedef is compared by size", "", "Box 4 { Handle V@0 }", "NvHandle:Box", "" },
	{ "a typedef of another size", "", "", "NvHandle:P64",
	  "size: NvHandle is 4 bytes in the driver, P64 8 in the proxy\n"
	  "field-type: NvHandle is an alias in the driver, P64 in the proxy: the proxy treats it as a "
	  "pointer" },
	{ "a document that contradicts itself is refused", "struct R 8 { R r@0+8 }", "T 8 { uint64 A@0 }",
	  "CMD 1 R:T", "error: control CMD: record R contains itself, as member r" },
};

VERIFY_TEST(records_and_unions)
{
	CHECK(record_facts);
}

/* --- numbers, structs that are not read, the driver's own tables, handlers ------------------- */

static const struct verify_fact number_facts[] = {
	{ "the number of the macro is right", "const CMD 7 ioctl CMD 7 -", "", "CMD 7", "" },
	{ "another number than the macro's", "const CMD 7", "", "CMD 8",
	  "number: CMD is 0x7 in the driver, 0x8 in the proxy" },
	{ "a macro that is gone", "", "", "CMD 8", "number: the driver has no macro CMD for the number 0x8" },
	{ "the number of another command", "const CMD 7 const OTHER 8 ioctl OTHER 8 -", "", "CMD 8",
	  "number: CMD is 0x7 in the driver, 0x8 in the proxy\n"
	  "reused-number: 0x8 is OTHER in this version, not CMD" },
	{ "a number of another family is not reused", "const CMD 8 ioctl CMD 8 - ioctl alloc/OTHER 8 -", "",
	  "CMD 8", "" },
	{ "the family that has the ioctl is named",
	  "const UVM_FREE 34 const NV01_CONTEXT_DMA 34 ioctl uvm/UVM_FREE 34 - ioctl NV01_CONTEXT_DMA 34 -",
	  "", "UVM_FREE 34",
	  "reused-number: 0x22 is NV01_CONTEXT_DMA in this family; UVM_FREE belongs to the family uvm" },
	{ "a macro that no table of the driver uses is unseen", "const CMD 7", "", "CMD 7",
	  "? number: no table of the driver has the number 0x7, so only the macro confirms it" },
	{ "a macro beside the ioctl of its number is unseen", "const CMD 7 const OTHER 7 ioctl OTHER 7 -", "",
	  "CMD 7",
	  "? number: 0x7 is OTHER in this family, and nothing confirms that CMD is another name for it" },
	{ "a method without a macro is found by its name", "ioctl subdeviceCtrlCmdGpuReleaseMode 8 -", "",
	  "NV2080_CTRL_CMD_GPU_RELEASE_MODE 8 macro=-", "" },
	{ "a method with another number", "ioctl subdeviceCtrlCmdGpuReleaseMode 8 -", "",
	  "NV2080_CTRL_CMD_GPU_RELEASE_MODE 9 macro=-",
	  "number: subdeviceCtrlCmdGpuReleaseMode is 0x8 in the driver, 0x9 in the proxy" },
	{ "another method has the number", "ioctl subdeviceCtrlCmdGpuAcquireMode 9 -", "",
	  "NV2080_CTRL_CMD_GPU_RELEASE_MODE 9 macro=-",
	  "reused-number: 0x9 is subdeviceCtrlCmdGpuAcquireMode in this version, not "
	  "NV2080_CTRL_CMD_GPU_RELEASE_MODE" },
	{ "an entry that nothing confirms is unseen", "", "", "UNKNOWN_80028B 0x80028b macro=-",
	  "? number: neither a macro nor a table of the driver has the number 0x80028b, so nothing "
	  "confirms it" },
};

VERIFY_TEST(numbers)
{
	CHECK(number_facts);
}

/*
 * Makes an entry in each family. Its ioctl number is 1, which all families have, or 2, which one family has.
 */
VERIFY_TEST(an_ioctl_of_any_family_is_found_in_any_other)
{
	static const char *const families[] = { "alloc", "control", "frontend", "uvm" };

	for (size_t i = 0; i < 4 * 4 * 4; i++) {
		const char *in = families[i / 4 % 4], *of = families[i / 16], *document = "", *name;
		const unsigned number = 1 + i % 2;

		end_test(state);
		name = arena_printf(&arena, "%s_%u", of, number);
		for (size_t f = 0; f < 4; f++)
			document = arena_printf(&arena, "%s const %s_1 1 ioctl %s/%s_1 1 -", document,
						families[f], families[f], families[f]);
		document = arena_printf(&arena, "%s const %s %u ioctl %s/%s %u -", document, name, number, of,
					name, number);
		assert_int_equal(verify_entry(document, "",
					      arena_printf(&arena, "%s/%s %u macro=%s", in, name, number,
							   i / 2 % 2 ? name : "-")),
				 0);
		assert_int_equal(found.unseen_count, 0);
		assert_int_equal(found.finding_count, in != of);
		if (in != of)
			assert_int_equal(found.findings[0].rule,
					 number == 1 ? VERIFY_REUSED_NUMBER : VERIFY_NUMBER);
	}
}

static const struct verify_fact unread_facts[] = {
	{ "a record that is gone", "", "", "GONE:-",
	  "missing-record: the driver has no record or alias GONE" },
	{ "a record without pointers is simple", "struct R 8 { NvU32 a@0; NvHandle h@4 handle }", "", "R:-",
	  "" },
	{ "a pointer is not simple", "struct R 8 { NvP64 p@0 pointer }", "", "R:-",
	  "not-simple p: R is passed through unread, but p (NvP64 at 0) is a pointer" },
	{ "nor is an array of pointers", "struct R 16 { NvP64[2] p@0 pointer }", "", "R:-",
	  "not-simple p: R is passed through unread, but p (NvP64[2] at 0) is a pointer" },
	{ "nor a pointer in a union", "union U 8 { NvU64 n@0; NvP64 p@0 pointer } struct R 8 { U u@0+8 }", "",
	  "R:-",
	  "not-simple u.p: R is passed through unread, but u.p (NvP64 at 0) is a pointer, in a union" },
	{ "nor a descriptor in an array of records",
	  "struct E 8 { NvU32 a@0; NvS32 fd@4 fd } struct R 32 { E[2][2] e@0+32 }", "", "R:-",
	  "not-simple e[][].fd: R is passed through unread, but e[][].fd (NvS32 at 4) is a file descriptor" },
	{ "a name that ends in fd is a descriptor, whatever its type", "struct R 8 { NvU64 notifyFD@0 }", "",
	  "R:-",
	  "not-simple notifyFD: R is passed through unread, but notifyFD (NvU64 at 0) is a file descriptor" },
	{ "an address of the kernel is a finding of its own",
	  "struct R 16 { NvU64 a@0; NvU64 k@8 kernel-pointer }", "", "R:-",
	  "kernel-pointer k: R is forwarded, and k (NvU64 at 8) can hold a kernel address" },
	{ "and needs no handler, whatever its type", "struct R 8 { NvP64 k@0 kernel-pointer }", "", "R:-",
	  "kernel-pointer k: R is forwarded, and k (NvP64 at 0) can hold a kernel address" },
	{ "also in an array of unions",
	  "union U 8 { NvU64 n@0; NvU64 k@0 kernel-pointer } struct R 16 { U[2] u@0+16 }", "", "R:-",
	  "kernel-pointer u[].k: R is forwarded, and u[].k (NvU64 at 0) can hold a kernel address" },
	{ "also in a record that is read", "struct R 8 { NvU64 k@0 kernel-pointer }", "T 8 { uint64 K@0 }",
	  "R:T", "kernel-pointer k: R is forwarded, and k (NvU64 at 0) can hold a kernel address" },
	{ "a typedef that is not read is not simple", "", "", "NvHandle:-",
	  "not-simple: NvHandle is passed through unread, but it is an alias (unsigned int), which has no "
	  "fields to check" },
};

VERIFY_TEST(unread_structs)
{
	CHECK(unread_facts);
}

static const char record[] = "struct R 4 { NvU32 a@0 } const CMD 1 ioctl CMD 1 R";
static const char two_types[] = "T 4 { uint32 A@0 } T_V2 4 { uint32 A@0 }";
/* A descriptor in an array of structs, and a pointer */
static const char ops[] =
	"struct OP 8 { NvU32 value@0; NvS32 fd@4 fd } struct R 24 { OP[2] ops@0+16; NvP64 list@16 pointer }",
		  op_types[] =
			  "Op 8 { uint32 Value@0; int32 FD@4 } T 24 { Op[2] Ops@0; P64 List@16 }";

static const struct verify_fact table_facts[] = {
	{ "a pointer that only the driver's code shows is not simple",
	  "struct R 8 { NvU64 a@0 } const CMD 1 ioctl CMD 1 R +embedded-pointers", "", "CMD 1 R:-",
	  "not-simple: CMD is passed through unread, but the driver follows a pointer in its parameters" },
	{ "a pointer that a field shows is reported once",
	  "struct R 8 { NvP64 p@0 pointer } const CMD 1 ioctl CMD 1 R +embedded-pointers", "", "CMD 1 R:-",
	  "not-simple p: R is passed through unread, but p (NvP64 at 0) is a pointer" },
	{ "another record than in the driver's table",
	  "struct R 4 { NvU32 a@0 } struct S 8 { NvU32 a@0; NvU32 b@4 } const CMD 1 ioctl CMD 1 S", "",
	  "CMD 1 R:-",
	  "surface: the driver's table says that it takes S (8 bytes); the proxy says R (4 bytes)" },
	{ "a tag and its typedef are one record",
	  "struct R 4 { NvU32 a@0 } struct R_t=R 4 { NvU32 a@0 } const CMD 1 ioctl CMD 1 R", "",
	  "CMD 1 R_t:-", "" },
	{ "a struct where the driver takes none", "struct R 4 { NvU32 a@0 } const CMD 1 ioctl CMD 1 -", "",
	  "CMD 1 R:-", "surface: the driver's table says that it takes nothing; the proxy says R (4 bytes)" },
	{ "no struct where the driver takes one", record, "", "CMD 1",
	  "surface: the driver's table says that it takes R (4 bytes), but the proxy has no type for it" },
	{ "a frontend ioctl without a struct is unseen",
	  "struct R 4 { NvU32 a@0 } const ESC 1 ioctl frontend/ESC 1 R", "", "frontend/ESC 1",
	  "? surface: the driver takes R (4 bytes), for which the table has no type" },
	{ "without a table of the driver the record is named by convention",
	  "struct R 4 { NvU32 a@0 } struct NV1_CTRL_X_PARAMS 8 { NvU32 a@0 } const NV1_CTRL_CMD_X 1", "",
	  "NV1_CTRL_CMD_X 1 R:-",
	  "surface: no table of the driver has it, but its name says that it takes NV1_CTRL_X_PARAMS (8 "
	  "bytes); the proxy says R (4 bytes)\n"
	  "? number: no table of the driver has the number 0x1, so only the macro confirms it" },
	{ "one of several structs is the driver's",
	  "struct R 4 { NvU32 a@0 } struct S 8 { NvU32 a@0 } const CMD 1 ioctl CMD 1 S", "", "CMD 1 R:- S:-",
	  "" },
	{ "an unknown capability", "const CMD 1 ioctl CMD 1 -", "", "CMD 1 caps=compute,rdma,video2",
	  "caps: 'video2' is not a driver capability" },
	{ "a handler of another type", record, two_types, "CMD 1 R:T_V2 handler=simple:T",
	  "handler: the handler simple unmarshals T, but the table says T_V2" },
	{ "a handler that reads a record which the table has as unread", record, two_types,
	  "CMD 1 R:- handler=simple:T",
	  "handler: the handler simple unmarshals T, but the table says that nothing is read" },
	{ "a handler of a type that the table does not have", record, two_types,
	  "CMD 1 R:T handler=simple:OLD",
	  "handler: the handler simple unmarshals OLD, but the table says T" },
	{ "a handler of the same type is right", record, two_types, "CMD 1 R:T handler=simple:T", "" },
	{ "so is a handler that unmarshals nothing", record, two_types, "CMD 1 R:T handler=bytes:", "" },
	{ "and a handler of an unknown type", record, two_types, "CMD 1 R:T handler=either", "" },
	{ "a fault of the code", record, two_types, "CMD 1 R:T handler=twice:T faults=copies-twice",
	  "code: twice copies-twice" },
	{ "a field that the code does not name is passed on", ops, op_types, "R:T handler=copy:T fields=",
	  "as-is ops[].fd: ops[].fd (NvS32 at 4) is a file descriptor, and copy passes it on unchanged\n"
	  "as-is list: list (NvP64 at 16) is a pointer, and copy passes it on unchanged" },
	{ "one that it names may be translated", ops, op_types, "R:T handler=copy:T fields=List,Ops.FD", "" },
	{ "so may a whole struct", ops, op_types, "R:T handler=copy:T fields=List,Ops", "" },
	{ "a field with a similar name is another field", ops, op_types,
	  "R:T handler=copy:T fields=Lis,List2,Ops.Value,FD,Ops.FD.X",
	  "as-is ops[].fd: ops[].fd (NvS32 at 4) is a file descriptor, and copy passes it on unchanged\n"
	  "as-is list: list (NvP64 at 16) is a pointer, and copy passes it on unchanged" },
};

VERIFY_TEST(the_drivers_tables_and_handlers)
{
	CHECK(table_facts);
}

VERIFY_TEST(a_document_without_roles_is_refused)
{
	const struct abi *abi = document_of("struct R 8 { NvU64 p@0 }", &arena);

	assert_int_equal(verify_view(&found, abi, table_view_of("", "", &arena), &arena, &err), ERR_FORMAT);
	assert_string_equal(err.text,
			    "1 has no field with the role pointer, so the handlers that copy bytes cannot be "
			    "checked; make the document with drvabi extract and a profile with roles");
}

VERIFY_TEST(a_family_is_unknown_if_the_driver_has_no_ioctl_of_it)
{
	const struct verify_result *const results[] = { &found };

	assert_int_equal(verify_entry("ioctl frontend/NV_ESC_X 1 -", "", "CMD 1 macro=-"), 0);
	assert_string_equal(verify_unknown_family(results, 1), "control");
	assert_null(verify_unknown_family(results, 0));
	assert_int_equal(verify_entry("ioctl OTHER 2 -", "", "CMD 1 macro=-"), 0);
	assert_null(verify_unknown_family(results, 1));
}

VERIFY_TEST(rules_warn_and_fail)
{
	bool all[VERIFY_RULE_COUNT], some[VERIFY_RULE_COUNT];

	assert_int_equal(verify_rules_parse(all, NULL, &err), 0);
	assert_int_equal(verify_rules_parse(some, "size,unavailable", &err), 0);
	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++) {
		assert_int_equal(verify_rule_warns((enum verify_rule)rule),
				 rule == VERIFY_KERNEL_POINTER || rule == VERIFY_LACKING);
		assert_int_equal(all[rule], !verify_rule_warns((enum verify_rule)rule));
		assert_int_equal(some[rule], rule == VERIFY_SIZE || rule == VERIFY_LACKING);
	}
	assert_int_equal(verify_rules_parse(some, "size,girth", &err), ERR_FORMAT);
	assert_string_equal(err.text,
			    "unknown rule 'girth'; the rules are number, reused-number, missing-record, "
			    "size, field-offset, field-type, field-missing, padding-overlap, not-simple, "
			    "as-is, surface, handler, code, caps, kernel-pointer, unavailable");
}

/* --- a proxy's types, flattened ------------------------------------------------------------- */

static const struct table_type *find_type(const void *from, const char *name)
{
	return table_find_type(from, name);
}

/* Flattens the type T of the table @text. */
static int flatten(struct proxy_layout *out, const char *text)
{
	const struct table *table = table_of(text, &arena);
	const struct proxy_types of = { find_type, table, table->path };

	return proxy_flatten(out, &of, table_find_type(table, "T"), &arena, &err);
}

/* Lists the scalars of T with path, offset, dimensions or element size, and properties; or the error. */
static void add_scalars(struct strbuf *out, const char *text)
{
	struct proxy_layout flat;

	if (flatten(&flat, text)) {
		strbuf_adds(out, err.text);
		return;
	}
	for (size_t i = 0; i < flat.scalar_count; i++) {
		const struct proxy_scalar *scalar = &flat.scalars[i];

		strbuf_addf(out, "%s%s@%llu %s%llu", i ? ", " : "", scalar->path,
			    (unsigned long long)scalar->offset_bytes, scalar->is_signed ? "-" : "",
			    (unsigned long long)scalar->element_bytes);
		for (size_t d = 0; d < scalar->dimension_count; d++)
			strbuf_addf(out, "[%llu]", (unsigned long long)scalar->dimension[d]);
		strbuf_addf(out, "%s%s%s%s", scalar->role ? " " : "", abi_role_name(scalar->role),
			    scalar->is_padding ? " padding" : "", scalar->is_bool ? " bool" : "");
	}
}

/* The types of a proxy, and the scalars of T, or the error. */
static const struct {
	const char *types, *scalars;
} types[] = {
	{ "In 8 { uint32 A@0; int32 B@4 } T 16 { uint64 X@0; In In@8 }", "X@0 8, In.A@8 4, In.B@12 -4" },
	{ "T 32 { Handle[8] H@0 }", "H@0 4[8] handle" },
	{ "Class=uint32 4 SubClass=Class 4 T 8 { SubClass[2] C@0 }", "C@0 4[2]" },
	{ "Client=Handle 4 T 8 { Client[2] C@0 }", "C@0 4[2] handle" },
	{ "In 8 { uint32 A@0; uint32 B@4 } Other=In 8 T 16 { Other[2] O@0 }",
	  "O[0].A@0 4, O[0].B@4 4, O[1].A@8 4, O[1].B@12 4" },
	{ "T 32 { uint32[4][2] M@0 }", "M@0 4[4][2]" },
	{ "None 0 { uint8[0] N@0 } T 4 { uint32[0] A@0; None[3] N@0; uint32 B@0 }", "B@0 4" },
	{ "T 5 { uint8 Pad@0; uint8 Pad12@1; uint8 _@2; uint8 padding0@3; uint8 __pad@4 }",
	  "Pad@0 1 padding, Pad12@1 1 padding, _@2 1 padding, padding0@3 1 padding, __pad@4 1 padding" },
	{ "T 3 { uint8 Padlock@0; uint8 Reserved@1; bool PadTo4@2 }",
	  "Padlock@0 1, Reserved@1 1, PadTo4@2 1 bool" },
	{ "In 4 { uint32 A@0 } T 4 { In Pad@0 }", "Pad.A@0 4 padding" },
	{ "None 0 { uint8[0] N@0 } T 0 { None[4294967295] N@0 }",
	  "table.json: type None[4294967295] has more than 65536 fields, counting each array element" },
	{ "T 4 { Nowhere A@0 }", "table.json: the type 'Nowhere' is not defined" },
};

VERIFY_TEST(types_are_flattened)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(types); i++) {
		struct strbuf text = { 0 };

		add_scalars(&text, types[i].types);
		wrong += text_differs(types[i].types, &text, types[i].scalars);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

VERIFY_TEST(an_alias_whose_name_begins_with_bool_is_not_a_bool)
{
	const struct table *table = table_of("boolean=uint32 4 Flag=boolean 4 T 4 { Flag F@0 }", &arena);
	struct table_type *flag = (struct table_type *)table_find_type(table, "Flag");
	const struct proxy_types of = { find_type, table, table->path };
	struct proxy_layout flat;

	flag->role = ABI_ROLE_HANDLE;
	assert_int_equal(proxy_flatten(&flat, &of, table_find_type(table, "T"), &arena, &err), 0);
	assert_false(flat.scalars[0].is_bool);
	flag->alias = "bool";
	assert_int_equal(proxy_flatten(&flat, &of, table_find_type(table, "T"), &arena, &err), 0);
	assert_true(flat.scalars[0].is_bool);
}

VERIFY_TEST(scalars_are_found_by_offset)
{
	struct proxy_layout flat;

	assert_int_equal(flatten(&flat, "T 16 { uint32 A@0; uint64 B@8 }"), 0);
	assert_string_equal(proxy_scalar_at(&flat, 8)->path, "B");
	assert_null(proxy_scalar_at(&flat, 4));
	assert_null(proxy_scalar_over(&flat, 4, 4));
	assert_string_equal(proxy_scalar_over(&flat, 4, 5)->path, "B");
	assert_string_equal(proxy_scalar_over(&flat, 15, 1)->path, "B");
	assert_null(proxy_scalar_over(&flat, 16, 8));
}
