/* Tests of the fields of a record's bytes. */
#include "decode/internal.h"
#include "abi/document_test.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct arena arena, documents;
static struct abi document;

static int make_document(void **state)
{
	(void)state;
	document = *document_of(
		"alias NvS8 signed~char 1 alias char char 1 "
		"struct BAD 8 { NvU32 a@6 } struct BITS 4 { NvU32 low:3@0; NvU32 high:7@3 } "
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
	(void)state;
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

#define WHOLE(bytes, before, size) &(struct decode_payload){ bytes, before, size, size }

static struct decode_fields decoded(const char *record, const uint8_t *bytes, uint64_t size)
{
	struct decode_fields fields = { .count = 0 };
	struct err err = { "" };

	if (decode_fields(&fields, &scope, &document, record, WHOLE(bytes, NULL, size), &arena, &err))
		fail_msg("%s", err.text);
	return fields;
}

static const uint8_t plain[20] = { 2, 0, 0, 0, 0x56, 0, 0, 0, 7, 0, 0xee, 0, 'G', 'P', 'U' };

static void an_enumerator_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(decoded("PLAIN", plain, 20).fields[0].name, "KIND_TWO");
}

static void a_status_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(decoded("PLAIN", plain, 20).fields[1].name, "NV_ERR_NOT_SUPPORTED");
}

static void bytes_of_text_are_a_string(void **state)
{
	const struct decode_fields got = decoded("PLAIN", plain, 20);

	(void)state;
	assert_true(got.fields[3].is_text);
	assert_false(got.fields[2].is_text);
}

static void padding_that_is_not_zero_is_listed(void **state)
{
	const struct decode_fields got = decoded("PLAIN", plain, 20);

	(void)state;
	assert_int_equal(got.padding_count, 1);
	assert_int_equal(got.padding[0].offset, 10);
	assert_int_equal(got.padding[0].size, 2);
}

static void a_count_says_how_many_elements_are_shown(void **state)
{
	static const uint8_t bytes[20] = { 2, 0, 0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7 };
	const struct decode_fields got = decoded("TABLE", bytes, 20);

	(void)state;
	assert_int_equal(got.fields[1].shown, 2);
	assert_string_equal(got.fields[1].counted_by, "pidTblCount");
	assert_int_equal(decode_field_value(&got.fields[1], 2).magnitude, 7);
}

static void a_count_that_is_more_than_there_is_counts_nothing(void **state)
{
	static const uint8_t bytes[20] = { 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 6 };
	const struct decode_fields got = decoded("TABLE", bytes, 20);

	(void)state;
	assert_int_equal(got.fields[1].shown, 2); /* up to the last element that is not 0 */
	assert_null(got.fields[1].counted_by);
}

static void elements_of_records_are_listed_and_folded(void **state)
{
	static const uint8_t bytes[16] = { 1, 0, 0, 0, 0x34, 0x12, 0xff, 0, 9 };
	const struct decode_fields got = decoded("LIST", bytes, 16);

	(void)state;
	assert_int_equal(got.count, 7);
	assert_string_equal(got.fields[1].path, "elements[0].a");
	assert_int_equal(decode_field_value(&got.fields[1], 0).magnitude, 0x1234);
	assert_true(decode_field_value(&got.fields[2], 0).negative);
	assert_int_equal(got.fold_count, 1);
	assert_int_equal(got.folds[0].first, 3);
	assert_int_equal(got.folds[0].until, 7);
	assert_false(got.folds[0].is_zero);
}

static void every_member_of_a_union_is_listed(void **state)
{
	static const uint8_t bytes[4] = { 1, 2, 3, 4 };
	const struct decode_fields got = decoded("UNION", bytes, 4);

	(void)state;
	assert_int_equal(got.count, 2);
	assert_string_equal(got.fields[1].member, "UNION");
}

static void a_bit_field_is_its_bits(void **state)
{
	static const uint8_t bytes[4] = { 0xfd, 0x01 };
	const struct decode_fields got = decoded("BITS", bytes, 4);

	(void)state;
	assert_int_equal(decode_field_value(&got.fields[0], 0).magnitude, 5);
	assert_int_equal(decode_field_value(&got.fields[1], 0).magnitude, 0x3f);
}

static void an_alias_is_one_field_without_a_path(void **state)
{
	static const uint8_t bytes[4] = { 1 };
	const struct decode_fields got = decoded("NvU32", bytes, 4);

	(void)state;
	assert_int_equal(got.count, 1);
	assert_string_equal(got.fields[0].path, "");
}

static void another_field_chooses_the_member_of_a_union(void **state)
{
	static const uint8_t bytes[16] = { 2, 0, 0, 0, 1, 2, 3, 4, 1, 0, 0, 0, 5, 6, 7, 8 };
	const struct decode_fields got = decoded("SELECTEDS", bytes, 16);

	(void)state;
	assert_int_equal(got.count, 4);
	assert_string_equal(got.fields[0].name, "CHOICE_BYTES");
	assert_string_equal(got.fields[1].path, "list[0].data.bytes");
	assert_null(got.fields[1].member);
	assert_string_equal(got.fields[3].path, "list[1].data.word");
}

static void a_value_that_chooses_nothing_leaves_all_members(void **state)
{
	static const uint8_t unknown[8] = { 9 }, gone[8] = { 3 };

	(void)state;
	assert_int_equal(decoded("SELECTED", unknown, 8).count, 3);
	assert_null(decoded("SELECTED", unknown, 8).fields[0].name);
	assert_string_equal(decoded("SELECTED", unknown, 8).fields[1].member, "data");
	assert_int_equal(decoded("SELECTED", gone, 8).count, 3);
}

static void what_is_remembered_is_for_the_same_choice_only(void **state)
{
	static const uint8_t one[8] = { 1 }, two[8] = { 2 }, unknown[8] = { 9 };
	const struct decode_scope remembering = { .unions = &unions, .memo = decode_memo_new() };
	const struct { const uint8_t *bytes; size_t count; const char *path;
	} want[] = {
		{ one, 2, "data.word" },     { two, 2, "data.bytes" }, { one, 2, "data.word" },
		{ unknown, 3, "data.word" }, { two, 2, "data.bytes" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(want); i++) {
		struct decode_fields got = { .count = 0 };
		struct err err = { "" };

		assert_int_equal(decode_fields(&got, &remembering, &document, "SELECTED",
					       WHOLE(want[i].bytes, NULL, 8), &arena, &err),
				 0);
		assert_int_equal(got.count, want[i].count);
		assert_string_equal(got.fields[1].path, want[i].path);
	}
	decode_memo_free(remembering.memo);
}

static void what_is_remembered_has_a_type_of_its_own(void **state)
{
	static const uint8_t bytes[16];
	const struct decode_scope remembering = { .memo = decode_memo_new() };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct arena of_one_call = { 0 };
		struct decode_fields got = { .count = 0 };
		struct err err = { "" };
		const char *type = arena_printf(&of_one_call, "%s[%u]", "NvU32", 4);

		assert_int_equal(decode_fields(&got, &remembering, &document, type,
					       WHOLE(bytes, NULL, 16), &of_one_call, &err),
				 0);
		assert_int_equal(got.count, 1);
		assert_string_equal(got.fields[0].type, "NvU32[4]");
		assert_ptr_not_equal(got.fields[0].type, type);
		arena_release(&of_one_call);
	}
	decode_memo_free(remembering.memo);
}

static void a_field_outside_its_record_is_refused(void **state)
{
	static const uint8_t bytes[8];
	struct decode_fields got = { .count = 0 };
	struct err err = { "" };

	(void)state;
	assert_int_equal(decode_fields(&got, &scope, &document, "BAD", WHOLE(bytes, NULL, 8), &arena, &err),
			 ERR_LAYOUT);
	assert_string_equal(err.text, "BAD of 1: 'a' is not inside its record");
}

static void a_record_in_itself_has_an_end(void **state)
{
	static const uint8_t bytes[4];
	struct decode_fields got = { .count = 0 };
	struct err err = { "" };

	(void)state;
	assert_int_equal(decode_fields(&got, &scope, &document, "DEEP", WHOLE(bytes, NULL, 4), &arena, &err),
			 ERR_LIMIT);
}

/* Except for the first three, the names are those of the driver's records in the comments. */
static void an_array_is_counted_by_the_field_of_its_name(void **state)
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

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *text = arena_printf(&arena, "struct R 64 { %s }", rows[i].fields);
		const struct abi_record *record = abi_find_record(document_of(text, &arena), "R");
		const struct abi_field *field = record->fields, *count;

		while (strcmp(field->name, rows[i].array))
			field++;
		count = decode_counted_by(record, field);
		if (!rows[i].count != !count || (count && strcmp(count->name, rows[i].count)))
			fail_msg("%s: %s", text, count ? count->name : "none");
	}
}

static struct decode_fields changed(const char *record, const uint8_t *before, const uint8_t *bytes,
				    uint64_t size)
{
	struct decode_fields fields = { .count = 0 };
	struct err err = { "" };

	if (decode_fields(&fields, &scope, &document, record, WHOLE(bytes, before, size), &arena, &err))
		fail_msg("%s", err.text);
	return fields;
}

static void only_what_changed_has_a_value_from_before(void **state)
{
	static const uint8_t before[20] = { 1, 0, 0, 0, 0x56, 0, 0, 0, 7, 0, 0, 0, 'C' };
	const struct decode_fields got = changed("PLAIN", before, plain, 20);

	(void)state;
	assert_ptr_equal(got.fields[0].before, before);
	assert_string_equal(got.fields[0].name_before, "KIND_ONE");
	assert_null(got.fields[1].before);
	assert_ptr_equal(got.fields[3].before, before);
	assert_true(got.fields[3].is_text_before);
	assert_int_equal(got.padding_count, 1);
	assert_true(got.padding[0].is_changed);
}

static void a_bit_field_changes_by_its_own_bits(void **state)
{
	static const uint8_t before[4] = { 0x0d }, after[4] = { 0x05 };
	const struct decode_fields got = changed("BITS", before, after, 4);

	(void)state;
	assert_null(got.fields[0].before);
	assert_non_null(got.fields[1].before);
}

static void an_array_is_a_type_like_any_other(void **state)
{
	static const uint8_t bytes[8] = { 1, 0, 2, 0, 3, 0, 4, 0 };
	const struct decode_fields got = decoded("ELEMENT[2]", bytes, 8);

	(void)state;
	assert_int_equal(got.count, 4);
	assert_string_equal(got.fields[2].path, "[1].a");
}

/* Decodes @size bytes, of which only the first @recorded exist. */
static struct decode_fields cut(const char *record, const uint8_t *bytes, uint64_t size, uint64_t recorded)
{
	const struct decode_payload payload = { arena_memdup(&arena, bytes, recorded), NULL, size, recorded };
	struct decode_fields fields = { .count = 0 };
	struct err err = { "" };

	if (decode_fields(&fields, &scope, &document, record, &payload, &arena, &err))
		fail_msg("%s", err.text);
	return fields;
}

static void of_a_payload_that_was_cut_what_was_recorded_is_listed(void **state)
{
	struct decode_fields got = cut("PLAIN", plain, 20, 14);

	(void)state;
	assert_int_equal(got.count, 4);
	assert_string_equal(got.fields[3].path, "name");
	assert_int_equal(got.fields[3].count, 2); /* "GP", the first two of seven characters */
	assert_int_equal(got.fields[3].missing, 5);
	assert_int_equal(got.padding_count, 1);
	got = cut("PLAIN", plain, 20, 11);
	assert_int_equal(got.count, 3);
	assert_int_equal(got.padding_count, 1);
	got = cut("PLAIN", plain, 20, 7); /* the status has four bytes */
	assert_int_equal(got.count, 1);
	assert_int_equal(got.padding_count, 0);
}

static void elements_that_were_not_recorded_are_not_folded(void **state)
{
	static const uint8_t bytes[12] = { 1, 0, 2, 0 };
	const struct decode_fields got = cut("ELEMENT[3]", bytes, 12, 10);

	(void)state;
	assert_int_equal(got.count, 5); /* two elements, and the first field of the third */
	assert_string_equal(got.fields[4].path, "[2].a");
	assert_int_equal(got.fold_count, 1);
	assert_int_equal(got.folds[0].count, 2);
	assert_int_equal(got.folds[0].first, 2);
	assert_int_equal(got.folds[0].until, 4);
}

static void what_chooses_a_member_may_not_have_been_recorded(void **state)
{
	static const uint8_t bytes[8] = { 1 };

	(void)state;
	assert_int_equal(cut("SELECTED", bytes, 8, 3).count, 0);
	assert_int_equal(cut("SELECTED", bytes, 8, 8).count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_enumerator_has_its_name),
		cmocka_unit_test(a_status_has_its_name),
		cmocka_unit_test(bytes_of_text_are_a_string),
		cmocka_unit_test(padding_that_is_not_zero_is_listed),
		cmocka_unit_test(a_count_says_how_many_elements_are_shown),
		cmocka_unit_test(a_count_that_is_more_than_there_is_counts_nothing),
		cmocka_unit_test(elements_of_records_are_listed_and_folded),
		cmocka_unit_test(every_member_of_a_union_is_listed),
		cmocka_unit_test(another_field_chooses_the_member_of_a_union),
		cmocka_unit_test(a_value_that_chooses_nothing_leaves_all_members),
		cmocka_unit_test(what_is_remembered_is_for_the_same_choice_only),
		cmocka_unit_test(what_is_remembered_has_a_type_of_its_own),
		cmocka_unit_test(a_bit_field_is_its_bits),
		cmocka_unit_test(an_alias_is_one_field_without_a_path),
		cmocka_unit_test(a_field_outside_its_record_is_refused),
		cmocka_unit_test(a_record_in_itself_has_an_end),
		cmocka_unit_test(an_array_is_counted_by_the_field_of_its_name),
		cmocka_unit_test(only_what_changed_has_a_value_from_before),
		cmocka_unit_test(a_bit_field_changes_by_its_own_bits),
		cmocka_unit_test(an_array_is_a_type_like_any_other),
		cmocka_unit_test(of_a_payload_that_was_cut_what_was_recorded_is_listed),
		cmocka_unit_test(elements_that_were_not_recorded_are_not_folded),
		cmocka_unit_test(what_chooses_a_member_may_not_have_been_recorded),
	};

	return cmocka_run_group_tests(tests, make_document, free_document);
}
