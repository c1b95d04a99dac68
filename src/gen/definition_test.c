/* Tests the definitions of the types of two versions, and how Rust and Python declare records. */
#include "gen/fixture_test.h"

static struct definitions *set;

static int end_test(void **state)
{
	definitions_free(set);
	set = NULL;
	arena_release(&arena);
	return 0;
}

/* Writes a plan: "pack 4: a@0+1, pad_0@1+3 padding, bits_0@4+1 2 bits". */
static void add_plan(struct strbuf *out, const struct plan *plan)
{
	static const char *const kinds[] = { "", " bytes", " bits", " padding" };

	strbuf_addf(out, "\n  aligned to %llu", (unsigned long long)plan->effective_bytes);
	if (plan->pack_bytes)
		strbuf_addf(out, ", pack %llu", (unsigned long long)plan->pack_bytes);
	if (plan->align_bytes)
		strbuf_addf(out, ", align %llu", (unsigned long long)plan->align_bytes);
	strbuf_adds(out, plan->has_align ? ", not to be packed" : "");
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_item *item = &plan->items[i];

		strbuf_addf(out, "%s %s@%llu+%llu", i ? "," : ":", item->name,
			    (unsigned long long)item->offset_bytes, (unsigned long long)item->size_bytes);
		if (item->kind == PLAN_BITS)
			strbuf_addf(out, " %zu", item->member_count);
		strbuf_addf(out, "%s%s", kinds[item->kind], item->is_anonymous ? " anonymous" : "");
	}
}

/*
 * Writes the definition of a name, its members and its plan, "T_V590 = T: a NvU64, b int of MODE"; or the
 * error.
 */
static void add_definition(struct strbuf *out, const struct abi *abi, const char *name)
{
	const struct definition *got;
	int rc = definitions_declare(&got, set, abi, name, &err);

	if (rc) {
		add_error(out, rc);
		return;
	}
	strbuf_addf(out, "\n%s", got->name);
	if (got->same_as)
		strbuf_addf(out, " = %s", got->same_as->name);
	for (size_t i = 0; got->record && i < got->record->field_count; i++) {
		const struct definition_type *type = &got->members[i].type;

		strbuf_addf(out, "%s %s %s", i ? "," : ":", got->members[i].field->name,
			    type->definition ? type->definition->name : type->words);
		if (type->definition && type->definition->is_enum)
			strbuf_addf(out, " of %s", type->definition->target.words);
		if (type->remark)
			strbuf_addf(out, " (%s)", type->remark);
	}
	if (got->plan)
		add_plan(out, got->plan);
}

/*
 * Two documents (100.1 and 590.44.01), a language, the names to declare ("'": in 590.44.01), and the result.
 */
struct definition_fact {
	const char *fact, *first, *second;
	enum gen_language language;
	const char *names, *definitions;
};

static void check_facts(const struct definition_fact *facts, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };
		const char *names = facts[i].names;
		const struct definition *const *all;
		const struct abi *abis[2];
		size_t defined;
		char *name;

		abis[0] = document_at(facts[i].first, "100.1");
		abis[1] = document_at(facts[i].second, "590.44.01");
		set = definitions_new(facts[i].language, &arena);
		while (*(name = document_word(&names, &arena))) {
			bool is_second = name[strlen(name) - 1] == '\'';

			name[strlen(name) - is_second] = '\0';
			add_definition(&text, abis[is_second], name);
		}
		all = definitions_all(&defined, set);
		strbuf_adds(&text, "\nall:");
		for (size_t d = 0; d < defined; d++)
			strbuf_addf(&text, " %s", all[d]->name);
		wrong += text_differs(facts[i].fact, &text, facts[i].definitions);
		end_test(NULL);
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(facts) check_facts(facts, sizeof(facts) / sizeof(*(facts)))

TEST_WITH(definitions, NULL, end_test)
{
	static const struct definition_fact facts[] = {
		{ "an unchanged layout has one definition", "struct T 8 { NvU32 a@0; NvU32 b@4 }",
		  "struct T 8 { NvU32 a@0; NvU32 b@4 }", GEN_C, "T T'",
		  "T: a NvU32, b NvU32\nT: a NvU32, b NvU32\nall: NvU32 T" },
		{ "the name of a typedef does not count", "struct T 4 { NvU32 a@0 }",
		  "struct T 4 { NvHandle a@0 }", GEN_C, "T T'",
		  "T: a NvU32\nT: a NvU32\nall: NvU32 T NvHandle" },
		{ "a changed layout is named after its version; an old layout has its old definition",
		  "struct T 4 { NvU32 a@0 }", "struct T 8/8 { NvU64 a@0 }", GEN_C, "T T' T",
		  "T: a NvU32\nT_V590: a NvU64\nT: a NvU32\nall: NvU32 T NvU64 T_V590" },
		{ "a number and a pointer differ", "struct T 8/8 { NvU64 a@0 }",
		  "struct T 8/8 { NvP64 a@0 }", GEN_C, "T T'",
		  "T: a NvU64\nT_V590: a NvP64\nall: NvU64 T NvP64 T_V590" },
		{ "a changed inner record changes the outer record",
		  "struct In 8 { NvU32 a@0; NvU32 b@4 } struct Out 16 { In[2] in@0+16 }",
		  "struct In 8 { NvU32 b@0; NvU32 a@4 } struct Out 16 { In[2] in@0+16 }", GEN_C, "Out Out'",
		  "Out: in In\nOut_V590: in In_V590\nall: NvU32 In Out In_V590 Out_V590" },
		{ "a tag and its typedef are one declaration",
		  "struct _T 4 { NvU32 a@0 } struct T=_T 4 { NvU32 a@0 } struct U 4 { NvU32 a@0 } "
		  "struct Out 8 { T a@0; _T b@4 }",
		  "", GEN_C, "_T T U Out",
		  "_T: a NvU32\nT = _T: a NvU32\nU: a NvU32\nOut: a T, b _T\nall: NvU32 _T T U Out" },
		{ "a type follows those that it uses", "struct A 4 { Z z@0 } struct Z 4 { NvU32 a@0 }", "",
		  GEN_C, "A", "A: z Z\nall: NvU32 Z A" },
		{ "names are unique",
		  "struct P 4 { P::a_t a@0 } struct P::a_t 4 { NvU32 x@0 } struct P_a_t 4 { NvU32 x@0 }", "",
		  GEN_RUST, "P P::a_t P_a_t",
		  "P: a P_a_t\n  aligned to 4: a@0+4\nP_a_t: x NvU32\n  aligned to 4: x@0+4\n"
		  "P_a_t_2: x NvU32\n  aligned to 4: x@0+4\nall: NvU32 P_a_t P P_a_t_2" },
		{ "a name of the language is not used", "", "", GEN_RUST, "u32", "u32_\nall: u32_" },
		{ "an unnamed record has one definition for each layout",
		  "struct P 4 { P::a_t a@0 } struct P::a_t 4 { NvU32 x@0 }",
		  "struct P 8 { P::a_t a@0; NvU32 b@4 } struct P::a_t 4 { NvHandle x@0 }", GEN_C, "P P'",
		  "P: a P_a_t\nP_V590: a P_a_t, b NvU32\n"
		  "all: NvU32 P_a_t P NvHandle P_V590" },
		{ "an unnamed record can be qualified",
		  "struct P 4 { const~P::a_t a@0 } struct P::a_t 4 { NvU32 x@0 }", "", GEN_C, "P",
		  "P: a P_a_t (const P::a_t)\nall: NvU32 P_a_t P" },
		{ "an enum is its integer", "enum MODE { M=0 } struct T 4 { MODE mode@0 }", "", GEN_C, "T",
		  "T: mode MODE of unsigned int\nall: MODE T" },
		{ "a compiler's own type is bytes",
		  "alias _Atomic(int) _Atomic(int) 4 alias _BitInt(20) _BitInt(20) 3 struct T 4 { "
		  "_Atomic(int) a@0 } struct U 3/1 { _BitInt(20) a@0+3 }",
		  "", GEN_C, "T U",
		  "T: a unsigned char __attribute__((vector_size(4))) (_Atomic(int))\n"
		  "ERR_LAYOUT: type \"_BitInt(20)\" is not a standard type of C, so it cannot be declared; "
		  "leave it out\n"
		  "all: T" },
		{ "an inconsistent document is refused",
		  "struct Self 4 { Self a@0 } struct Size 8 { NvU32 a@0+8 } "
		  "struct Twice 8 { NvU32 a@0; NvU32 a@4 } struct Name 4 { NvU32 a-b@0 } "
		  "struct Align 4/3 { NvU32 a@0 } struct Multiple 6 { NvU32 a@0 } struct None 4 { NvX a@0 }",
		  "", GEN_C, "Self Size Twice Name Align Multiple None Nothing",
		  "ERR_LIMIT: Self: types nest deeper than 64 levels, or contain themselves\n"
		  "ERR_LAYOUT: field a of record Size is 8 bytes, but its type NvU32 is 4; fix the document\n"
		  "ERR_FORMAT: record Twice has field a twice; fix the document\n"
		  "ERR_FORMAT: field name \"a-b\" of record Name is not an identifier; fix the document\n"
		  "ERR_LAYOUT: Align: alignment 3 is not a power of two; fix the document\n"
		  "ERR_LAYOUT: Multiple: its size is not a multiple of its alignment; fix the document\n"
		  "ERR_NOT_FOUND: type \"NvX\" is not a record, alias or enum of the document\n"
		  "ERR_NOT_FOUND: d 100.1 has no type 'Nothing'\nall: NvU32" },
	};

	CHECK(facts);
}

TEST_WITH(plans, NULL, end_test)
{
	static const char holes[] = "struct T 24/8 { NvU8 a@0; NvU64 b@8; NvU16 c@16 }",
			  odd[] = "struct T 12 { NvU8 a@0; NvU64 b@1 }";
	static const struct definition_fact facts[] = {
		{ "in Rust, all padding is declared as fields", holes, "", GEN_RUST, "T",
		  "T: a NvU8, b NvU64, c NvU16\n"
		  "  aligned to 8: a@0+1, pad_0@1+7 padding, b@8+8, c@16+2, pad_1@18+6 padding\n"
		  "all: NvU8 NvU64 NvU16 T" },
		{ "Python leaves its own padding", holes, "", GEN_PYTHON, "T",
		  "T: a NvU8, b NvU64, c NvU16\n  aligned to 8: a@0+1, b@8+8, c@16+2\n"
		  "all: NvU8 NvU64 NvU16 T" },
		{ "padding precedes a field at a larger offset", "struct T 8 { NvU32 a@0; NvU8 b@6 }", "",
		  GEN_PYTHON, "T",
		  "T: a NvU32, b NvU8\n  aligned to 4: a@0+4, pad_0@4+2 padding, b@6+1\nall: NvU32 NvU8 T" },
		{ "a packed record", "struct T 9/1 { NvU8 a@0; NvU64 b@1 }", "", GEN_RUST, "T",
		  "T: a NvU8, b NvU64\n  aligned to 1, pack 1: a@0+1, b@1+8\nall: NvU8 NvU64 T" },
		{ "a record packed to four", "struct T 12 { NvU32 a@0; NvU64 b@4 }", "", GEN_RUST, "T",
		  "T: a NvU32, b NvU64\n  aligned to 4, pack 4: a@0+4, b@4+8\nall: NvU32 NvU64 T" },
		{ "a packed and aligned record has bytes in Rust", odd, "", GEN_RUST, "T",
		  "T: a NvU8, b NvU64\n"
		  "  aligned to 4, align 4, not to be packed: a@0+1, b@1+8 bytes, pad_0@9+3 padding\n"
		  "all: NvU8 NvU64 T" },
		{ "the same record is packed in Python", odd, "", GEN_PYTHON, "T",
		  "T: a NvU8, b NvU64\n  aligned to 1, pack 1: a@0+1, b@1+8, pad_0@9+3 padding\n"
		  "all: NvU8 NvU64 T" },
		{ "Rust packs no record that is aligned",
		  "struct In 16/16 { NvU32 a@0 } struct T 17/1 { NvU8 a@0; In inner@1+16 }", "", GEN_RUST,
		  "T",
		  "T: a NvU8, inner In\n  aligned to 1, pack 1: a@0+1, inner@1+16 bytes\n"
		  "all: NvU8 NvU32 In T" },
		{ "bit-fields share bytes",
		  "struct T 8 { NvU32 lo:3@0; NvU32 hi:12@5; NvU8 c@3; NvU32 far:9@40 }", "", GEN_RUST, "T",
		  "T: lo NvU32, hi NvU32, c NvU8, far NvU32\n"
		  "  aligned to 4, align 4, not to be packed: bits_0@0+3 2 bits, c@3+1, pad_0@4+1 padding, "
		  "bits_1@5+2 1 bits, pad_1@7+1 padding\nall: NvU32 NvU8 T" },
		{ "a union has its size", "union T 8 { NvU32 a@0; NvU32 b:9@0 }", "", GEN_PYTHON, "T",
		  "T: a NvU32, b NvU32\n  aligned to 4: a@0+4, bits_0@0+2 1 bits, pad_0@0+8 padding\n"
		  "all: NvU32 T" },
		{ "a type that the language does not have is bytes",
		  "struct T 32/16 { __int128 wide@0+16; NvU32 a@16 }", "", GEN_RUST, "T",
		  "T: wide __int128, a NvU32\n"
		  "  aligned to 16, align 16, not to be packed: wide@0+16 bytes, a@16+4, "
		  "pad_0@20+12 padding\nall: NvU32 T" },
		{ "names are valid in the language, and unique",
		  "struct T 24 { NvU32 in@0; NvU32 in_@4; NvU8 pad_0@8; T::_t _@12; NvU8 anon_0@16 } "
		  "struct T::_t 4 { NvU32 x@0 }",
		  "", GEN_PYTHON, "T",
		  "T: in NvU32, in_ NvU32, pad_0 NvU8,  T__t, anon_0 NvU8\n"
		  "  aligned to 4: in__@0+4, in_@4+4, pad_0@8+1, anon_1@12+4 anonymous, anon_0@16+1, "
		  "pad_1@17+7 padding\nall: NvU32 NvU8 T__t T" },
		{ "a keyword is raw in Rust", "struct T 8 { NvU32 type@0; NvU32 self@4 }", "", GEN_RUST, "T",
		  "T: type NvU32, self NvU32\n  aligned to 4: r#type@0+4, self_@4+4\nall: NvU32 T" },
		{ "fields that overlap are refused", "struct T 8 { NvU32 a@0; NvU32 b@2 }", "", GEN_PYTHON,
		  "T", "ERR_LAYOUT: T: its fields overlap, so it cannot be declared; fix the document\nall: "
		  "NvU32 T" },
	};

	CHECK(facts);
}

TEST_WITH(the_v_of_a_tag_is_not_doubled, NULL, end_test)
{
	assert_string_equal(gen_versioned_name("T", "v1.1", false, &arena), "T_V1");
	assert_string_equal(gen_versioned_name("T", "v1.1", true, &arena), "T_V1_1");
	assert_string_equal(gen_versioned_name("T", "vendor", false, &arena), "T_Vvendor");
}

/* Tests the functions for bit-fields of the record T in Rust: the text from "bit_fields!" on, or nothing. */
TEST_WITH(bit_fields_in_rust, NULL, end_test)
{
	static const struct {
		const char *fact, *record, *functions;
	} rows[] = {
		{ "each bit-field has functions", "struct T 8 { NvU32 a@0; NvU32 lo:3@32; int hi:5@35 }",
		  "    lo: NvU32, set_lo, bits_0, 0, 3;\n    hi: i32, set_hi, bits_0, 3, 5;\n} }\n" },
		{ "a record without bit-fields has none", "struct T 4 { NvU32 a@0 }", "" },
		{ "an unnamed bit-field has none", "struct T 4 { NvU32 _:3@0; NvU32 a:1@3 }",
		  "    a: NvU32, set_a, bits_0, 3, 1;\n} }\n" },
		{ "a bit-field that is not an integer of Rust has none",
		  "struct T 16/16 { __int128 a:100@0 }", "" },
		{ "a bit-field wider than its type has none", "struct T 4 { NvU8 a:9@0; NvU8 b:8@9 }",
		  "    b: NvU8, set_b, bits_0, 9, 8;\n} }\n" },
		{ "all functions of a record have different names",
		  "struct T 4 { NvU32 a:1@0; NvU32 set_a:1@1; NvU32 a_:1@2; NvU32 self:1@3; NvU32 self_:1@4 "
		  "}",
		  "    a: NvU32, set_a__, bits_0, 0, 1;\n    set_a: NvU32, set_set_a, bits_0, 1, 1;\n"
		  "    a_: NvU32, set_a_, bits_0, 2, 1;\n    self__: NvU32, set_self, bits_0, 3, 1;\n"
		  "    self_: NvU32, set_self_, bits_0, 4, 1;\n} }\n" },
	};
	static const char call[] = "\nbit_fields! { T, {\n";
	size_t wrong = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct gen_file file = { .package = "toy", .origin = "toy" };
		struct strbuf text = { 0 }, functions = { 0 };
		const struct definition *got;
		const char *found;

		set = definitions_new(GEN_RUST, &arena);
		assert_int_equal(definitions_declare(&got, set, document_at(rows[i].record, "1"), "T", &err),
				 0);
		file.definitions = definitions_all(&file.definition_count, set);
		gen_rust(&text, &file);
		found = strstr(strbuf_text(&text), call);
		assert_true(found || !strstr(strbuf_text(&text), "macro_rules! bit_fields"));
		strbuf_adds(&functions, found ? found + strlen(call) : "");
		wrong += text_differs(rows[i].fact, &functions, rows[i].functions);
		strbuf_release(&text);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}
