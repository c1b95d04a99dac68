/*
 * Tests of the fields of a record's bytes. A row of facts[] has the bytes of a type, and the fields as lines:
 *
 *   KIND kind@0 = 2 KIND_TWO was 1 KIND_ONE     "was" if the call changed the field
 *   NvU32[4] pidTbl@4 = 5 6 7 0, shown 2 by pidTblCount
 *   char[7] name@12 = 'GP', missing 5           the last five elements were not recorded
 *   NvU32 data.word@4 = 0, member of data
 *   fold elements 1 of 3 by elementCount: 3..7  the fields from 3 to 6; an element is shown
 *   padding 10+2 changed
 */
#include "decode/internal.h"
#include "decode/fixture_test.h"

static struct arena arena, documents;
static struct abi document;

static int make_document(void **state)
{
	document = *document_of(
		"alias NvS8 signed~char 1 alias char char 1 "
		"struct BAD 8 { NvU32 a@6 } struct BAD_BITS 8 { NvU32[2] a:3@0 } struct BITS 4 { NvU32 low:3@0; NvU32 high:7@3 } "
		"struct DEEP 4 { DEEP a@0+4; DEEP b@0+4 } struct ELEMENT 4/2 { NvU16 a@0; NvS8 b@2+1 } "
		"struct LIST 16 { NvU32 elementCount@0 count; ELEMENT[3] elements@4+12 } "
		"struct PLAIN 20 { KIND kind@0; NvU32 status@4 status; NvU8 small@8; char[7] name@12+7 } "
		"struct SELECTED 8 { NvU32 which@0; UNION data@4 } "
		"struct SELECTEDS 16 { SELECTED[2] list@0+16 } "
		"struct TABLE 20 { NvU32 pidTblCount@0 count; NvU32[4] pidTbl@4 } "
		"union UNION 4 { NvU32 word@0; NvU8[4] bytes@0 } "
		"enum KIND { KIND_ONE=1; KIND_TWO=2 } const NV_ERR_NOT_SUPPORTED 0x56 const NV_OK 0",
		&documents);
	document.driver = "nvidia";
	return 0;
}

static int free_document(void **state)
{
	arena_release(&arena);
	arena_release(&documents);
	return 0;
}

static const struct union_choice chosen[] = { { 1, "CHOICE_WORD", "word" },
					      { 2, "CHOICE_BYTES", "bytes" },
					      { 3, "CHOICE_GONE", "gone" } };
static const struct union_rule union_rule[] = { { .record = "SELECTED",
						  .field = "data",
						  .by = "which",
						  .choices = chosen,
						  .choice_count = COUNT(chosen) } };
static const struct union_rules unions = { union_rule, COUNT(union_rule) };
static const struct decode_scope scope = { .unions = &unions };

struct fields_fact {
	const char *fact, *type;
	uint64_t size_bytes, recorded_bytes;
	const char *bytes, *before; /* in hexadecimal, without zeros at the end; @before is NULL if unknown */
	const char *fields;
};

#define THREE "KIND kind@0 = 2 KIND_TWO\nNvU32 status@4 = 86 NV_ERR_NOT_SUPPORTED\nNvU8 small@8 = 7\n"

static const char plain[] = "02000000 56000000 0700ee00 475055";

static const struct fields_fact facts[] = {
	{ "enumerators and statuses have names, texts are strings, and padding that is not 0 is listed",
	  "PLAIN", 20, 20, plain, NULL,
	  THREE "char[7] name@12 = 'GPU'\npadding 10+2" },
	{ "a count shows how many elements are in use",
	  "TABLE", 20, 20, "02000000 05000000 06000000 07", NULL,
	  "NvU32 pidTblCount@0 = 2\n"
	  "NvU32[4] pidTbl@4 = 5 6 7 0, shown 2 by pidTblCount" },
	{ "a count that is larger than the array counts nothing",
	  "TABLE", 20, 20, "ffffffff 05000000 06", NULL,
	  "NvU32 pidTblCount@0 = 4294967295\n"
	  "NvU32[4] pidTbl@4 = 5 6 0 0, shown 2\n"
	  "exceeded by pidTblCount" },
	{ "elements of records are listed and folded", "LIST", 16, 16, "01000000 3412ff00 09", NULL,
	  "NvU32 elementCount@0 = 1\n"
	  "NvU16 elements[0].a@4 = 4660\n" "NvS8 elements[0].b@6 = -1\n"
	  "NvU16 elements[1].a@8 = 9\n" "NvS8 elements[1].b@10 = 0\n"
	  "NvU16 elements[2].a@12 = 0\n" "NvS8 elements[2].b@14 = 0\n"
	  "fold elements 1 of 3 by elementCount: 3..7" },
	{ "every member of a union is listed", "UNION", 4, 4, "01020304", NULL,
	  "NvU32 word@0 = 67305985, member of UNION\nNvU8[4] bytes@0 = 1 2 3 4, member of UNION" },
	{ "another field selects the member of a union",
	  "SELECTEDS", 16, 16, "02000000 01020304 01000000 05060708", NULL,
	  "NvU32 list[0].which@0 = 2 CHOICE_BYTES\n"
	  "NvU8[4] list[0].data.bytes@4 = 1 2 3 4\n"
	  "NvU32 list[1].which@8 = 1 CHOICE_WORD\n"
	  "NvU32 list[1].data.word@12 = 134678021" },
	{ "a value that selects nothing leaves all members", "SELECTED", 8, 8, "09", NULL,
	  "NvU32 which@0 = 9\n"
	  "NvU32 data.word@4 = 0, member of data\n"
	  "NvU8[4] data.bytes@4 = 0 0 0 0, shown 0, member of data" },
	{ "a value that selects a missing member leaves all members", "SELECTED", 8, 8, "03", NULL,
	  "NvU32 which@0 = 3 CHOICE_GONE\n"
	  "NvU32 data.word@4 = 0, member of data\n"
	  "NvU8[4] data.bytes@4 = 0 0 0 0, shown 0, member of data" },
	{ "a bit-field is its bits", "BITS", 4, 4, "fd01", NULL, "NvU32 low:3@0 = 5\nNvU32 high:7@3 = 63" },
	{ "an alias is one field without a path", "NvU32", 4, 4, "01", NULL, "NvU32 @0 = 1" },
	{ "an array is a type like any other", "ELEMENT[2]", 8, 8, "01000200 03000400", NULL,
	  "NvU16 [0].a@0 = 1\nNvS8 [0].b@2 = 2\nNvU16 [1].a@4 = 3\nNvS8 [1].b@6 = 4" },
	{ "a field outside its record is refused", "BAD", 8, 8, "", NULL,
	  "ERR_LAYOUT BAD of 1: 'a' is not inside its record" },
	{ "a bit-field of an array is refused", "BAD_BITS", 8, 6, "", NULL,
	  "ERR_LAYOUT BAD_BITS of 1: 'a' is a bit-field, but its type is not an integer" },
	{ "a record in itself has an end", "DEEP", 4, 4, "", NULL,
	  "ERR_LIMIT DEEP of 1: DEEP nests records deeper than 64 levels" },
	{ "only changed fields have a value from before",
	  "PLAIN", 20, 20, plain, "01000000 56000000 07000000 43",
	  "KIND kind@0 = 2 KIND_TWO was 1 KIND_ONE\n"
	  "NvU32 status@4 = 86 NV_ERR_NOT_SUPPORTED\n"
	  "NvU8 small@8 = 7\n"
	  "char[7] name@12 = 'GPU' was 'C'\n"
	  "padding 10+2 changed" },
	{ "a bit-field changes by its own bits", "BITS", 4, 4, "05", "0d",
	  "NvU32 low:3@0 = 5\nNvU32 high:7@3 = 0 was 1" },
	{ "of a payload that was cut in an array, the recorded elements are listed",
	  "PLAIN", 20, 14, plain, NULL,
	  THREE "char[7] name@12 = 'GP', missing 5\npadding 10+2" },
	{ "of a payload that was cut in its padding, the recorded padding is listed",
	  "PLAIN", 20, 11, plain, NULL, THREE "padding 10+1" },
	{ "a field that was cut is not listed", "PLAIN", 20, 7, plain, NULL, "KIND kind@0 = 2 KIND_TWO" },
	{ "elements that were not recorded are not folded", "ELEMENT[3]", 12, 10, "01000200", NULL,
	  "NvU16 [0].a@0 = 1\n" "NvS8 [0].b@2 = 2\n"
	  "NvU16 [1].a@4 = 0\n" "NvS8 [1].b@6 = 0\n"
	  "NvU16 [2].a@8 = 0\n"
	  "fold  1 of 2 zeros: 2..4" },
	{ "the field that selects a member was not recorded", "SELECTED", 8, 3, "01", NULL, "" },
	{ "the field that selects a member was recorded", "SELECTED", 8, 8, "01", NULL,
	  "NvU32 which@0 = 1 CHOICE_WORD\nNvU32 data.word@4 = 0" },
};

/* Returns the bytes of a row, of which @recorded exist. */
static const uint8_t *bytes_of(const char *text, uint64_t recorded)
{
	struct strbuf bytes = { 0 };
	const uint8_t *copy;

	assert_int_equal(hex_read(&bytes, text, "hex", NULL), 0);
	while (bytes.length < recorded)
		strbuf_addch(&bytes, '\0');
	copy = arena_memdup(&arena, bytes.text, recorded);
	strbuf_release(&bytes);
	return copy;
}

/* Appends the value of a field in @bytes. */
static void print_value(struct strbuf *out, struct decode_field field, const uint8_t *bytes, bool is_text,
			const char *name)
{
	field.bytes = bytes;
	if (is_text)
		strbuf_addf(out, " '%.*s'", (int)field.count, (const char *)bytes + field.offset_bits / 8);
	for (uint64_t i = 0; i < field.count && !is_text; i++) {
		const struct abi_number value = decode_field_value(&field, i);

		strbuf_addf(out, value.negative ? " -%llu" : " %llu", (unsigned long long)value.magnitude);
	}
	if (name)
		strbuf_addf(out, " %s", name);
}

static void print_field(struct strbuf *out, const struct decode_field *field)
{
	const bool is_bits = field->is_bitfield;

	strbuf_addf(out, "\n%s %s", field->type, field->path);
	if (is_bits)
		strbuf_addf(out, ":%llu", (unsigned long long)field->size_bits);
	strbuf_addf(out, "@%llu =", (unsigned long long)field->offset_bits / (is_bits ? 1 : 8));
	print_value(out, *field, field->bytes, field->is_text, field->name);
	if (field->before) {
		strbuf_adds(out, " was");
		print_value(out, *field, field->before, field->is_text_before, field->name_before);
	}
	if (field->shown != field->count && !field->is_text)
		strbuf_addf(out, ", shown %llu", (unsigned long long)field->shown);
	if (field->counted_by)
		strbuf_addf(out, " by %s", field->counted_by);
	if (field->missing)
		strbuf_addf(out, ", missing %llu", (unsigned long long)field->missing);
	if (field->member)
		strbuf_addf(out, ", member of %s", field->member);
}

static void print_fields(struct strbuf *out, const struct decode_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		print_field(out, &fields->fields[i]);
	for (size_t i = 0; i < fields->fold_count; i++) {
		const struct decode_fold *fold = &fields->folds[i];

		strbuf_addf(out, "\nfold %s %llu of %llu", fold->path, (unsigned long long)fold->shown,
			    (unsigned long long)fold->count);
		if (fold->counted_by)
			strbuf_addf(out, " by %s", fold->counted_by);
		strbuf_addf(out, "%s: %zu..%zu", fold->is_zero ? " zeros" : "", fold->first, fold->until);
	}
	for (size_t i = 0; i < fields->padding_count; i++)
		strbuf_addf(out, "\npadding %llu+%llu%s", (unsigned long long)fields->padding[i].offset,
			    (unsigned long long)fields->padding[i].size,
			    fields->padding[i].is_changed ? " changed" : "");
	if (fields->exceeded_by)
		strbuf_addf(out, "\nexceeded by %s", fields->exceeded_by);
}

static bool fields_differ(const struct fields_fact *fact, const struct decode_scope *with)
{
	const struct decode_payload payload = {
		bytes_of(fact->bytes, fact->recorded_bytes),
		fact->before ? bytes_of(fact->before, fact->recorded_bytes) : NULL, fact->size_bytes,
		fact->recorded_bytes,
	};
	struct decode_fields fields = { .count = 0 };
	struct strbuf text = { 0 };
	struct err err = { "" };
	const int rc = decode_fields(&fields, with, &document, fact->type, &payload, &arena, &err);

	if (rc)
		print_err(&text, rc, &err);
	print_fields(&text, &fields);
	return text_differs(fact->fact, &text, fact->fields);
}

TEST(the_fields_are_those_of_the_facts)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(facts); i++)
		wrong += fields_differ(&facts[i], &scope);
	assert_int_equal(wrong, 0);
}

/* Several rows have the same record, and select different members of a union. */
TEST(the_fields_are_the_same_with_a_cache)
{
	const struct decode_scope caching = { .unions = &unions, .cache = decode_cache_new() };
	size_t wrong = 0;

	for (size_t i = 0; i < 2 * COUNT(facts); i++)
		wrong += fields_differ(&facts[i % COUNT(facts)], &caching);
	decode_cache_free(caching.cache);
	assert_int_equal(wrong, 0);
}

TEST(the_cache_has_a_type_of_its_own)
{
	static const uint8_t bytes[16];
	const struct decode_payload payload = { bytes, NULL, 16, 16 };
	const struct decode_scope caching = { .cache = decode_cache_new() };

	for (unsigned i = 0; i < 2; i++) {
		struct arena of_one_call = { 0 };
		struct decode_fields got = { .count = 0 };
		const char *type = arena_printf(&of_one_call, "%s[%u]", "NvU32", 4);

		assert_int_equal(decode_fields(&got, &caching, &document, type, &payload, &of_one_call, NULL),
				 0);
		assert_int_equal(got.count, 1);
		assert_string_equal(got.fields[0].type, "NvU32[4]");
		assert_ptr_not_equal(got.fields[0].type, type);
		arena_release(&of_one_call);
	}
	decode_cache_free(caching.cache);
}

/* Except for the first three, the names are those of the driver's records in the comments. */
TEST(an_array_is_counted_by_the_field_of_its_name)
{
#define BY_NAME "NvU16 numObjects@0 count; NvU64 gpuAttributesCount@8 count; NvU32[4] objects@16; " \
		"NvU32[4] perGpuAttributes@32; NvU32[4] other@48"
#define OF_A_NAME "NvU64[2] bKsv@0; NvU64[4] bKsvList@16; NvU32 numBksvs@48 count"
	static const struct {
		const char *fields, *array, *count;
	} rows[] = {
		{ BY_NAME, "objects", "numObjects" },
		{ BY_NAME, "perGpuAttributes", "gpuAttributesCount" },
		{ BY_NAME, "other", NULL },
		/* The only count. Its name has a part of the array's name, the array's plural, or no array:
		 * NV0000_SYNC_GPU_BOOST_GROUP_CONFIG, NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS,
		 * UVM_GET_GPU_UUID_TABLE_PARAMS */
		{ "NvU32 gpuCount@0 count; NvU32[4] gpuIds@4", "gpuIds", "gpuCount" },
		{ "NvU32 numClasses@0 count; NvU32[4] classList@4", "classList", "numClasses" },
		{ "NvU32 validCount@0 count; NvU32[4] gpuUuidArray@4", "gpuUuidArray", "validCount" },
		/* Counts that do not count the array: NV2080_CTRL_GR_CTX_BUFFER_INFO; DPAUXPACKET, whose
		 * auxCount is a serial number (ctrl0073dp.h). NV2080_CTRL_FB_GET_FS_INFO_PARAMS has an array,
		 * and a second array that is padding. */
		{ "NvU64 pageCount@0 count; NvU8[16] uuid@8", "uuid", NULL },
		{ "NvU32 auxEvents@0; NvU32 auxCount@4 count; NvU8[16] auxPacket@8", "auxPacket", NULL },
		{ "NvU16 numQueries@0 count; NvU8[4] queries@8; NvU8[6] reserved@2", "reserved", NULL },
		/* Two arrays with similar names, in NV0073_CTRL_SPECIFIC_HDCP_CTRL_PARAMS. bKsv has an
		 * element for each link */
		{ OF_A_NAME, "bKsv", NULL },
		{ OF_A_NAME, "bKsvList", "numBksvs" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		static const uint8_t zeros[64];
		const char *text = arena_printf(&arena, "struct R 64 { %s }", rows[i].fields);
		struct decode_fields fields = { .count = 0 };
		const struct decode_field *field;

		assert_int_equal(decode_fields(&fields, &scope, document_of(text, &arena), "R",
					       &(struct decode_payload){ zeros, NULL, 64, 64 }, &arena, NULL),
				 0);
		field = fields.fields;
		while (strcmp(field->path, rows[i].array))
			field++;
		if (!same_text(field->counted_by, rows[i].count))
			fail_msg("%s: %s", text, field->counted_by ? field->counted_by : "none");
	}
}

TEST_GROUP(make_document, free_document)
