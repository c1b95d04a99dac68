/* Tests the changes of a record's fields, and their classes. */
#include "diff/fixture_test.h"

static const struct diff_fact facts[] = {
	{ "equal documents have no changes",
	  "struct R 8 { NvU32 a@0; NvHandle h@4 handle }", "struct R 8 { NvU32 a@0; NvHandle h@4 handle }",
	  "" },
	{ "an appended field is growth",
	  "struct R 4 { NvU32 a@0 }", "struct R 8 { NvU32 a@0; NvU32 b@4 }",
	  "record R growth; b added growth" },
	{ "a new field in a hole is growth",
	  "struct R 16 { NvU32 a@0; NvU64 b@8 }", "struct R 16 { NvU32 a@0; NvU32 x@4; NvU64 b@8 }",
	  "record R growth; x added growth" },
	{ "a new field in tail padding is growth",
	  "struct R 16 { NvU64 a@0; NvU32 b@8 }", "struct R 16 { NvU64 a@0; NvU32 b@8; NvU32 c@12 }",
	  "record R growth; c added growth" },
	{ "an inserted field is layout and moves the fields after it",
	  "struct R 12 { NvU32 a@0; NvU32 b@4; NvU32 c@8 }",
	  "struct R 16 { NvU32 a@0; NvU32 x@4; NvU32 b@8; NvU32 c@12 }",
	  "record R layout; x added layout; b moved layout; c moved layout" },
	{ "a field before the others is not growth",
	  "struct R 4 { NvU32 caps@0 }", "struct R 12 { NvU32 type@0; NvU32 dbdf@4; NvU32 caps@8 }",
	  "record R layout; type added layout; dbdf added layout; caps moved layout" },
	{ "a new field after a longer array is growth",
	  "struct R 16 { NvU32[4] a@0 }", "struct R 36 { NvU32[8] a@0; NvU32 b@32 }",
	  "record R layout|growth; a resized layout; b added growth" },
	{ "a removed field is layout",
	  "struct R 8 { NvU32 a@0; NvU32 b@4 }", "struct R 4 { NvU32 a@0 }",
	  "record R layout; b removed layout" },
	{ "a moved field is one move",
	  "struct R 12 { NvU32 a@0; NvU64 b@4 }", "struct R 12 { NvU64 b@0; NvU32 a@8 }",
	  "record R layout; b moved layout; a moved layout" },
	{ "swapped fields are two moves, in the order of their new offsets",
	  "struct R 8 { NvU32 a@0; NvU32 b@4 }", "struct R 8 { NvU32 b@0; NvU32 a@4 }",
	  "record R layout; b moved layout; a moved layout" },
	{ "equal bits with a different name are name",
	  "struct R 8 { NvU32 a@0; NvU32 was@4 }", "struct R 8 { NvU32 a@0; NvU32 is@4 }",
	  "record R name; is renamed name was was" },
	{ "two fields renamed at once keep their offsets",
	  "struct R 12 { NvU32 a@0; NvU32 b@4; NvU32 c@8 }",
	  "struct R 12 { NvU32 a@0; NvU32 x@4; NvU32 y@8 }",
	  "record R name; x renamed name was b; y renamed name was c" },
	{ "in a chain of names, equal names are paired first",
	  "struct R 8 { NvU32 a@0; NvU32 b@4 }", "struct R 8 { NvU32 b@0; NvU32 c@4 }",
	  "record R layout; a removed layout; b moved layout; c added layout" },
	{ "a different kind at the same bits is not a rename",
	  "struct R 8 { NvU32 a@0; NvU32 was@4 }", "struct R 8 { NvU32 a@0; NvS32 is@4 }",
	  "record R layout; was removed layout; is added layout" },
	{ "a handle replaced with a number is not a rename",
	  "struct R 8 { NvU32 a@0; NvHandle hFoo@4 handle }", "struct R 8 { NvU32 a@0; NvU32 flags@4 }",
	  "record R translation|layout; hFoo removed translation|layout; flags added layout" },
	{ "a record with all new fields is not renamed field by field",
	  "struct R 8 { NvU32 width@0; NvU32 height@4 }", "struct R 8 { NvU32 engine@0; NvU32 runlist@4 }",
	  "record R layout; width removed layout; engine added layout; height removed layout; "
	  "runlist added layout" },
	{ "the only field renamed is name",
	  "struct R 4 { NvU32 width@0 }", "struct R 4 { NvU32 engine@0 }",
	  "record R name; engine renamed name was width" },
	{ "two candidates are not a rename",
	  "union R 8 { NvU64 a@0; NvU32 x@0; NvU32 y@0 }", "union R 8 { NvU64 a@0; NvU32 p@0; NvU32 q@0 }",
	  "record R layout|growth; x removed layout; y removed layout; p added growth; q added growth" },
	{ "a more similar name elsewhere prevents a rename",
	  "struct R 8 { NvU32 a@0; NvU32 bMemoryPermitted@4 }",
	  "struct R 12 { NvU32 a@0; NvU32 bCtxPermitted@4; NvU32 bVideoMemoryPermitted@8 }",
	  "record R layout|growth; bMemoryPermitted removed layout; bCtxPermitted added layout; "
	  "bVideoMemoryPermitted added growth" },
	{ "a field that became padding is removed",
	  "struct R 8 { NvU32 a@0; NvU32 isVirtual@4 }", "struct R 8 { NvU32 a@0; NvU32 padding32bits@4 }",
	  "record R layout; isVirtual removed layout; padding32bits added layout" },
	{ "a field that was renamed and moved with its neighbours is one field",
	  "struct R 16 { NvU32 a@0; NvU32 b@4; NvU64 was@8 }",
	  "struct R 24 { NvU32 x@0; NvU32 y@4; NvU32 a@8; NvU32 b@12; NvU64 is@16 }",
	  "record R layout|name; x added layout; y added layout; a moved layout; b moved layout; "
	  "is moved layout|name was was" },
	{ "a field that was renamed and moved elsewhere is two fields",
	  "struct R 12 { NvU32 was@0; NvU32 a@4; NvU32 b@8 }",
	  "struct R 12 { NvU32 a@0; NvU32 is@4; NvU32 b@8 }",
	  "record R layout; was removed layout; a moved layout; is added layout" },
	{ "a wider field is resized",
	  "struct R 4 { NvU32 a@0 }", "struct R 8 { NvU64 a@0 }",
	  "record R layout; a resized layout retyped" },
	{ "a longer array is resized and not retyped",
	  "struct R 16 { NvU32[4] a@0 }", "struct R 32 { NvU32[8] a@0 }",
	  "record R layout; a resized layout" },
	{ "exchanged dimensions of an unnamed record are layout",
	  "struct R::e_t 4 { NvU32 i@0 } struct R 24 { R::e_t[2][3] e@0 }",
	  "struct R::e_t 4 { NvU32 i@0 } struct R 24 { R::e_t[3][2] e@0 }",
	  "record R layout; e retyped layout" },
	{ "a different sign is layout",
	  "struct R 4 { NvU32 a@0 }", "struct R 4 { NvS32 a@0 }", "record R layout; a retyped layout" },
	{ "a different spelling of the same integer is name",
	  "struct R 4 { NvU32 a@0 }", "struct R 4 { NvV32 a@0 }", "record R name; a retyped name" },
	{ "an integer that became an enum is name",
	  "enum E { E_A=0 } struct R 4 { NvU32 a@0 }", "enum E { E_A=0 } struct R 4 { E a@0 }",
	  "record R name; a retyped name" },
	{ "an enum with other values is layout",
	  "enum E { E_A=0 } enum G { G_A=7 } struct R 4 { E a@0 }",
	  "enum E { E_A=0 } enum G { G_A=7 } struct R 4 { G a@0 }", "record R layout; a retyped layout" },
	{ "a number that became a handle is translation",
	  "struct R 4 { NvU32 a@0 }", "struct R 4 { NvHandle a@0 handle }",
	  "record R translation; a retyped translation" },
	{ "a handle that became a number is translation",
	  "struct R 4 { NvHandle a@0 handle }", "struct R 4 { NvU32 a@0 }",
	  "record R translation; a retyped translation" },
	{ "an appended pointer is growth and translation",
	  "struct R 8 { NvU64 a@0 }", "struct R 16 { NvU64 a@0; NvP64 p@8 pointer }",
	  "record R translation|growth; p added translation|growth" },
	{ "an appended address of the kernel is only growth",
	  "struct R 8 { NvU64 a@0 }", "struct R 16 { NvU64 a@0; NvP64 k@8 kernel-pointer }",
	  "record R growth; k added growth" },
	{ "a number that became an address of the kernel is not translation",
	  "struct R 8 { NvU64 a@0 }", "struct R 8 { NvU64 a@0 kernel-pointer }",
	  "record R layout; a retyped layout" },
	{ "a pointer that became an address of the kernel is translation",
	  "struct R 8 { NvP64 p@0 pointer }", "struct R 8 { NvP64 p@0 kernel-pointer }",
	  "record R translation; p retyped translation" },
	{ "a handle that moved is layout and translation",
	  "struct R 8 { NvU32 a@0; NvHandle h@4 handle }", "struct R 8 { NvHandle h@0 handle; NvU32 a@4 }",
	  "record R translation|layout; h moved translation|layout; a moved layout" },
	{ "more handles in an array are translation",
	  "struct R 8 { NvHandle[2] h@0 handle }", "struct R 16 { NvHandle[4] h@0 handle }",
	  "record R translation|layout; h resized translation|layout" },
	{ "more records with a handle are translation",
	  "struct E 4 { NvHandle h@0 handle } struct R 8 { E[2] e@0 }",
	  "struct E 4 { NvHandle h@0 handle } struct R 16 { E[4] e@0 }",
	  "record R translation|layout; e resized translation|layout" },
	{ "a renamed handle is only name",
	  "struct R 8 { NvU32 a@0; NvHandle hWas@4 handle }",
	  "struct R 8 { NvU32 a@0; NvHandle hIs@4 handle }", "record R name; hIs renamed name was hWas" },
	{ "reserved bytes that are used are growth",
	  "struct R 8 { NvU32 a@0; NvU32 reserved@4 }", "struct R 8 { NvU32 a@0; NvU32 b@4 }",
	  "record R growth; reserved removed -; b added growth" },
	{ "reserved bytes that shrink for a field are growth",
	  "struct R 20 { NvU32 a@0; NvU32[4] reserved@4 }",
	  "struct R 20 { NvU32 a@0; NvU32 b@4; NvU32[3] reserved@8 }",
	  "record R growth; b added growth; reserved moved -" },
	{ "reserved bytes that grow at the end are growth",
	  "struct R 8 { NvU32 a@0; NvU32[1] rsvd@4 }", "struct R 12 { NvU32 a@0; NvU32[2] rsvd@4 }",
	  "record R growth; rsvd resized growth" },
	{ "reserved bytes that grow into a hole are growth",
	  "struct R 8 { NvU32 a@0; NvU8 rsvd@4 }", "struct R 8 { NvU32 a@0; NvU32 rsvd@4 }",
	  "record R growth; rsvd resized growth retyped" },
	{ "a field over free and used bytes is layout",
	  "struct R 16 { NvU32 reserved@0; NvU32 reserved2@4; NvU32 b@8; NvU32 c@12 }",
	  "struct R 16 { NvU32[3] d@0; NvU32 c@12 }",
	  "record R layout; reserved removed -; d added layout; reserved2 removed -; b removed layout" },
	{ "a named pad that became a hole is name",
	  "struct R 16 { NvU32 a@0; NvU32 pad@4; NvU64 b@8 }", "struct R 16 { NvU32 a@0; NvU64 b@8 }",
	  "record R name; pad removed -" },
	{ "padlink is not padding",
	  "struct R 8 { NvU32 a@0; NvU32 padlinkMask@4 }", "struct R 8 { NvU32 a@0; NvU32 linkMask@4 }",
	  "record R name; linkMask renamed name was padlinkMask" },
	{ "a new alternative of a union is growth",
	  "union R 8 { NvU64 a@0 }", "union R 8 { NvU64 a@0; NvU32 b@0 }",
	  "record R growth; b added growth" },
	{ "a removed alternative is layout",
	  "union R 8 { NvU64 a@0; NvU32 b@0 }", "union R 8 { NvU64 a@0 }",
	  "record R layout; b removed layout" },
	{ "a struct that became a union is layout",
	  "struct R 4 { NvU32 a@0 }", "union R 4 { NvU32 a@0 }", "record R layout" },
	{ "only a larger size is growth",
	  "struct R 4 { NvU32 a@0 }", "struct R 8 { NvU32 a@0 }", "record R growth" },
	{ "only a smaller size is layout",
	  "struct R 8 { NvU32 a@0 }", "struct R 4 { NvU32 a@0 }", "record R layout" },
	{ "a wider bit-field is resized and moves the next",
	  "struct R 4 { NvU32 lo:3@0; NvU32 hi:5@3 }", "struct R 4 { NvU32 lo:4@0; NvU32 hi:5@4 }",
	  "record R layout; lo resized layout; hi moved layout" },
	{ "a bit-field in unused bits is growth",
	  "struct R 4 { NvU32 lo:3@0 }", "struct R 4 { NvU32 lo:3@0; NvU32 hi:5@3 }",
	  "record R growth; hi added growth" },
	{ "an alias that changed retypes the fields that use it",
	  "alias Thing unsigned~int 4 struct R 4 { Thing a@0 }", "alias Thing int 4 struct R 4 { Thing a@0 }",
	  "record R layout; a retyped layout\n"
	  "alias Thing layout" },
};

DIFF_TEST(changes_of_fields)
{
	CHECK(facts, NULL);
}

/* --- a field whose type changed --------------------------------------------------------- */

/*
 * Returns a document with a record R that has one field. @type: its type, spelled in the field, or in the
 * alias P. The alias Grid has different dimensions in each version.
 */
static const char *document_with(const char *type, bool is_alias, unsigned bytes, bool is_next)
{
	char *word = arena_strdup(&arena, type);

	for (char *at = word; (at = strchr(at, ' '));)
		*at = '~';
	return arena_printf(&arena,
			    "struct One 8 { NvU32 a@0; NvU32 b@4 } struct Like 8 { NvU32 a@0; NvU32 b@4 } "
			    "struct Other 4 { NvU32 a@0 } struct In 4 { NvU32 i@0 } "
			    "alias Grid unsigned~int%s 24 alias %s %s %u alias P %s %u "
			    "struct R %u { %s p@0+%u }",
			    is_next ? "[3][2]" : "[2][3]", strchr(word, '*') ? word : "Unused", word, bytes,
			    word, bytes, bytes, is_alias ? "P" : word, bytes);
}

/* The types of a field in both versions, its size in bytes, and the classes of the change. */
static const struct {
	const char *base, *next;
	unsigned bytes;
	const char *classes;
} types[] = {
	/* A pointer to a different type is translation. */
	{ "One *", "Other *", 8, "translation" },
	{ "One *", "Like *", 8, "name" },
	{ "const One *", "One *", 8, "name" },
	{ "One **", "Other **", 8, "translation" },
	{ "One **", "One *", 8, "translation" },
	{ "int (*)[4]", "int (*)[2]", 8, "translation" },
	{ "unsigned int *", "unsigned long long *", 8, "translation" },
	{ "One *", "Opaque *", 8, "translation" },
	{ "void *", "Opaque *", 8, "name" },
	{ "void (*)(int)", "void (*)(long)", 8, "name" },
	/* All elements except the first have moved, although the number of elements is the same. */
	{ "NvU32[2][3]", "NvU32[3][2]", 24, "layout" },
	{ "NvU32[6]", "NvU32[2][3]", 24, "layout" },
	{ "Grid", "Grid", 24, "layout" },
	{ "In[2][3]", "In[3][2]", 24, "layout" },
	{ "NvHandle[3][2]", "NvHandle[2][3]", 24, "layout" },
};

DIFF_TEST(types_of_fields)
{
	const struct diff_options only_r = { .record = "R" };
	size_t wrong = 0;

	/* A canonical C type can also be spelled in an alias. */
	for (size_t i = 0; i < 2 * sizeof(types) / sizeof(*types); i++) {
		const bool is_alias = i % 2 && strchr(types[i / 2].base, '*');
		const char *was = types[i / 2].base, *is = types[i / 2].next, *classes = types[i / 2].classes;
		const unsigned bytes = types[i / 2].bytes;
		struct strbuf text = { 0 };

		add_diff(&text, compared(document_with(was, is_alias, bytes, false),
					 document_with(is, is_alias, bytes, true), &only_r));
		wrong += text_differs(
			arena_printf(&arena, "%s and %s%s", was, is, is_alias ? " as an alias" : ""), &text,
			arena_printf(&arena, "record R %s; p retyped %s", classes, classes));
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}
