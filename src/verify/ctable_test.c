/*
 * Tests the table that is made from a proxy's header in C, and from lines that map its structs to those of
 * the driver.
 */
#include "verify/fixture_test.h"
#include "extract/extract.h"

#include <unistd.h>

static const struct profile_role roles[] = {
	{ .role = ABI_ROLE_HANDLE, .type = "NvHandle" },
	{ .role = ABI_ROLE_POINTER, .type = "NvP64" },
	{ .role = ABI_ROLE_HANDLE, .type = "unsigned int", .name = "hClient" },
	{ .role = ABI_ROLE_STATUS, .type = "NvStatus" },
};
static const struct profile_family families[] = { { .name = "control" }, { .name = "uvm" } };
static const struct profile profile = { .name = "demo", .roles = roles, .role_count = 4,
					.families = families, .family_count = 2 };

static char path[] = P_tmpdir "/drvabi-test-XXXXXX.h"; /* the header */

static int make_header(void **state)
{
	return close(mkstemps(path, 2));
}

static int remove_header(void **state)
{
	return unlink(path);
}

/* Makes a table from a header and a map. */
static int build(struct table *out, struct ctable_map *map, const char *header, const char *lines)
{
	const struct ctable_head head = { "p.h", "1.0", &profile };
	struct extract_wanted wanted = { 0 };
	struct abi abi;
	size_t missing;
	int rc;

	assert_int_equal(file_write_atomic(path, header, strlen(header), NULL), 0);
	if ((rc = ctable_read(map, header, CTABLE_HEADER, "p.h", &arena, &err)) ||
	    (rc = ctable_read(map, lines, CTABLE_MAP, "map", &arena, &err)))
		return rc;
	ctable_wanted(&wanted.structs, &wanted.numbers, map, &arena);
	assert_int_equal(extract_file(&abi, &missing, path, NULL, 0, &wanted, &arena, &err), 0);
	return ctable_build(out, map, &abi, &head, &arena, &err);
}

/* Adds "p.h:3 control A 0x1 DRIVER:a caps=b,x": an entry's place, family, macro, number, structs and caps. */
static void add_entry(struct strbuf *out, const struct table_entry *entry)
{
	assert_string_equal(entry->name, entry->constant);
	strbuf_addf(out, "\n%s:%u %s %s 0x%llx", entry->file, entry->line, entry->family, entry->constant,
		    (unsigned long long)entry->number);
	for (size_t i = 0; i < entry->struct_count; i++)
		strbuf_addf(out, " %s:%s", entry->structs[i].driver,
			    entry->structs[i].proxy ? entry->structs[i].proxy : "-");
	for (size_t i = 0; i < entry->cap_count; i++)
		strbuf_addf(out, "%s%s", i ? "," : " caps=", entry->caps[i]);
}

/* Adds a line for each struct, "a 8: 0 n int, 4 f float", and the other types, "float=uint32; int=int32". */
static void add_types(struct strbuf *out, const struct table *table)
{
	struct strbuf others = { 0 };

	for (size_t t = 0; t < table->type_count; t++) {
		const struct table_type *type = &table->types[t];

		if (type->alias) {
			strbuf_addf(&others, "; %s=%s%s%s", type->name, type->alias, type->role ? " " : "",
				    abi_role_name(type->role));
			continue;
		}
		assert_int_equal(type->role, ABI_ROLE_NONE);
		strbuf_addf(out, "\n%s %llu:", type->name, (unsigned long long)type->size_bytes);
		for (size_t i = 0; i < type->field_count; i++)
			strbuf_addf(out, "%s %u %s %s", i ? "," : "", (unsigned)type->fields[i].offset_bytes,
				    type->fields[i].name, type->fields[i].type);
	}
	strbuf_addf(out, "\n%s", strbuf_text(&others) + 2);
	strbuf_release(&others);
}

/* A header, the lines of a map, and the types or entries of the table, or the error. */
struct ctable_fact {
	const char *fact, *header, *lines, *result;
};

/* Compares the entries or types of each table, or the error. */
static void check_facts(const struct ctable_fact *facts, size_t count, bool has_types)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct ctable_map map = { 0 };
		struct strbuf text = { 0 };
		struct table table;
		const int rc = build(&table, &map, facts[i].header, facts[i].lines);

		if (rc) {
			assert_int_equal(rc, ERR_FORMAT);
			strbuf_addf(&text, "error: %s", err.text);
		} else if (has_types) {
			add_types(&text, &table);
		} else {
			assert_int_equal(table.node_count, 1);
			assert_string_equal(table.nodes->version, "1.0");
			for (size_t e = 0; e < table.nodes->entry_count; e++)
				add_entry(&text, &table.nodes->entries[e]);
		}
		wrong += text_differs(facts[i].fact, &text, facts[i].result);
		end_test(NULL);
	}
	assert_int_equal(wrong, 0);
}

static const char line[] = "control A=1 DRIVER_A a"; /* maps the struct a of each header */

static const struct ctable_fact type_facts[] = {
	{ "a field is spelled as in the header",
	  "typedef unsigned long long NvU64; struct b { char c; }; "
	  "struct a { unsigned int n; _Bool f; char text[2][8]; NvU64 big; struct b in[2]; };", line,
	  "a 40: 0 n unsigned int, 4 f _Bool, 5 text char[2][8], 24 big NvU64, 32 in b[2]\n"
	  "b 1: 0 c char\n"
	  "NvU64=uint64; _Bool=bool; char=uint8; unsigned int=uint32; void *=uint64 pointer" },
	{ "numbers have width and sign",
	  "enum e { X }; typedef enum __attribute__((packed)) { Y } small; typedef short s16; struct a { "
	  "enum e e; small s; s16 i; signed char c; double d; };", line,
	  "a 24: 0 e e, 4 s small, 6 i s16, 8 c signed char, 16 d double\n"
	  "double=uint64; e=uint32; s16=int16; signed char=int8; small=uint8; void *=uint64 pointer" },
	{ "a typedef that hides dimensions is replaced with its type",
	  "typedef unsigned char uuid[16]; typedef struct { int x; } point, line[2]; typedef void *ends[2]; "
	  "struct a { uuid one; uuid many[3]; line way[4]; ends e; };", line,
	  "a 112: 0 one unsigned char[16], 16 many uint8[3][16], 64 way point[4][2], 96 e void *[2]\n"
	  "point 4: 0 x int\n"
	  "int=int32; line=point[2]; unsigned char=uint8; uuid=uint8[16]; void *=uint64 pointer" },
	{ "so is a typedef with the name of a basic type of tables",
	  "typedef unsigned long long uint32; struct a { uint32 n[2]; };", line,
	  "a 16: 0 n uint64[2]\n"
	  "void *=uint64 pointer" },
	{ "pointers have the role pointer",
	  "typedef unsigned long long NvP64; typedef struct b *link; struct a { void *p; const char *s; "
	  "void (*call)(int); int (*row)[4]; NvP64 n; link l; void (*calls[2])(int); };", line,
	  "a 64: 0 p void *, 8 s const char *, 16 call void (*)(int), 24 row int (*)[4], 32 n NvP64, "
	  "40 l link, 48 calls void (*)(int)[2]\n"
	  "NvP64=uint64 pointer; const char *=uint64 pointer; int (*)[4]=uint64 pointer; "
	  "link=uint64 pointer; void (*)(int)=uint64 pointer; void *=uint64 pointer" },
	{ "the profile or a line makes a type a handle",
	  "typedef unsigned NvHandle; typedef unsigned mine; typedef int NvStatus; /* drvabi: type mine "
	  "handle */ struct a { NvHandle h; mine m; unsigned int hClient; NvStatus s; };", line,
	  "a 16: 0 h NvHandle, 4 m mine, 8 hClient unsigned int, 12 s NvStatus\n"
	  "NvHandle=uint32 handle; NvStatus=int32; mine=uint32 handle; unsigned int=uint32; "
	  "void *=uint64 pointer" },
	{ "a union is an array of bytes",
	  "union u { long l; char c; }; struct a { int n; union u one; union u many[3]; union { short x; "
	  "int y; }; };", line,
	  "a 48: 0 n int, 8 one uint8[8], 16 many uint8[24], 40 x uint8[4]\n"
	  "a::_t=uint8[4]; char=uint8; int=int32; long=int64; short=int16; u=uint8[8]; "
	  "void *=uint64 pointer" },
	{ "the members of an unnamed struct are members of the enclosing struct",
	  "struct a { int n; struct { short a; struct { short b; }; }; int z; };", line,
	  "a 12: 0 n int, 4 a short, 6 b short, 8 z int\n"
	  "a::_t 4: 0 a short, 2 b short\n"
	  "a::_t::_t 2: 0 b short\n"
	  "int=int32; short=int16; void *=uint64 pointer" },
	{ "consecutive bit-fields are one field", "struct a { unsigned a : 3, b : 9; unsigned char c; };",
	  line,
	  "a 4: 0 a uint8[2], 2 c unsigned char\n"
	  "unsigned char=uint8; unsigned int=uint32; void *=uint64 pointer" },
	{ "an integer if they fill it", "struct a { unsigned a : 16, b : 16; int z; };", line,
	  "a 8: 0 a uint32, 4 z int\n"
	  "int=int32; unsigned int=uint32; void *=uint64 pointer" },
	{ "and two fields if unused bytes separate them",
	  "struct a { unsigned a : 4, : 20, b : 4; unsigned : 0; unsigned c : 1; };", line,
	  "a 8: 0 a uint8[1], 3 b uint8[2]\n"
	  "unsigned int=uint32; void *=uint64 pointer" },
	{ "a field without bytes is left out", "struct a { int n; int none[0]; int more[]; };", line,
	  "a 4: 0 n int\n"
	  "int=int32; void *=uint64 pointer" },
};

VERIFY_TEST(types)
{
	check_facts(type_facts, COUNT(type_facts), true);
}

static const struct ctable_fact entry_facts[] = {
	{ "every form of comment is read",
	  "/* drvabi: control A DRV_A a x,b */\n"
	  "// drvabi: control B DRV_B -\r\n"
	  "/*\n * drvabi: uvm C=C_NUMBER - -\n */\n"
	  "#define A 1\nenum { B = 2 };\n#define C_NUMBER (1U << 31)\n"
	  "struct a { int n; }; /* drvabi: control A DRV_A2 - b,x */\n",
	  "# nothing\n\n control\tD=0x4 DRV_D a # all\n",
	  "p.h:1 control A 0x1 DRV_A:a DRV_A2:- caps=b,x\n"
	  "p.h:2 control B 0x2 DRV_B:-\n"
	  "map:3 control D 0x4 DRV_D:a\n"
	  "p.h:4 uvm C 0x80000000" },
	{ "an entry has the file and line of its first line",
	  "struct a { int n; };\n/*\n * drvabi: control A=1 DRV_A a\n * drvabi: control A=1 DRV_B a\n */\n",
	  "\ncontrol B=2 DRV_B a",
	  "p.h:3 control A 0x1 DRV_A:a DRV_B:a\n"
	  "map:2 control B 0x2 DRV_B:a" },
	/* an error names the line */
	{ "no line", "", "",
	  "error: p.h does not list the ioctls that it forwards: neither it nor a map file (--map) has a "
	  "line \"drvabi: FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT\"" },
	{ "no colon", "/* drvabi: control A=1 D - */\n/* drvabi control B=2 D - */\n", "",
	  "error: p.h:2: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi" },
	{ "no colon before the role of a type", " * drvabi type a handle", "",
	  "error: p.h:1: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi" },
	{ "a tab in place of the colon", "/* drvabi\tcontrol B=2 D - */\n", "",
	  "error: p.h:1: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi" },
	{ "no colon, after a name that begins with drvabi", "struct drvabi_b; /* drvabi control B=2 D - */\n", "",
	  "error: p.h:1: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi" },
	{ "a blank before the colon", "/* drvabi : uvm B=2 D - */ /* drvabi :control C=3 D - */\n", "",
	  "error: p.h:1: a line for drvabi begins with \"drvabi:\"; write the colon directly after drvabi" },
	{ "a sentence about drvabi",
	  "/* drvabi reads this header, too */ // drvabi control\n/* the drvabi A B C D */\n",
	  "control A=1 D -", "map:1 control A 0x1 D:-" },
	{ "too few words", "\n/* drvabi: control A */", "",
	  "error: p.h:2: expected FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT [CAP,...], found fewer words" },
	{ "too many words", "", "control A=1 D - c too much",
	  "error: map:1: expected FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT [CAP,...], found more words" },
	{ "an unknown family", "", "\nother A=1 D -",
	  "error: map:2: unknown family 'other'; the profile demo has control, uvm" },
	{ "an unknown struct of the proxy", "", "control A=1 D a", "error: map:1: p.h defines no type a" },
	{ "an unknown number", "", "control A D -",
	  "error: map:1: p.h has no macro or enumerator A that is an integer, so the proxy's number is "
	  "not known; write A=NUMBER" },
	{ "a negative number", "#define A -1\n", "control A D -",
	  "error: map:1: A is 0xffffffffffffffff, but an ioctl number has 32 bits" },
	{ "a number of more than 32 bits", "", "control A=0x100000000 D -",
	  "error: map:1: '0x100000000' is not a number from 0 to 0xffffffff" },
	{ "an invalid number", "", "control A=1x D -",
	  "error: map:1: '1x' is not a number from 0 to 0xffffffff" },
	{ "an invalid name", "", "control A\"=1 D -",
	  "error: map:1: 'A\"' is not a valid C identifier, so it cannot be a macro of the driver" },
	{ "a proxy's struct without the driver's", "", "control A=1 - a",
	  "error: map:1: a needs a struct of the driver; name it, or write '-' for both structs" },
	{ "an empty capability", "", "control A=1 D - c,,d",
	  "error: map:1: a capability is empty; separate capabilities with one comma, without blanks" },
	{ "a capability twice", "", "control A=1 D - c,c", "error: map:1: the capability 'c' appears twice" },
	{ "an unknown role", "", "type a fd",
	  "error: map:1: the role of a type is pointer or handle, not 'fd'" },
	{ "a type without a role", "", "type a",
	  "error: map:1: expected: type NAME pointer, or: type NAME handle" },
	{ "two roles of a type", "", "type a handle\ntype a pointer",
	  "error: map:2: map:1 has already given the type a a role" },
	{ "a role of an unused type", "", "type a handle\ncontrol A=1 D -",
	  "error: map:1: no struct of the proxy uses the type a" },
	/* so does an error about two lines that contradict each other */
	{ "numbers", "", "control A=1 D -\ncontrol A=2 E -",
	  "error: map:2: A has a different number at map:1" },
	{ "capabilities", "", "control A=1 D - c\ncontrol A=1 E -",
	  "error: map:2: A has different capabilities at map:1" },
	{ "parameters", "", "control A=1 D -\ncontrol A=1 E -\ncontrol A=1 D -",
	  "error: map:3: map:1 has already given the parameters of A" },
	{ "no parameters", "/* drvabi: control A=1 D - */", "control A=1 - -",
	  "error: map:1: p.h:1 has already given the parameters of A" },
};

VERIFY_TEST(entries)
{
	check_facts(entry_facts, COUNT(entry_facts), false);
}

TEST_GROUP(make_header, remove_header)
