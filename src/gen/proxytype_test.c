/*
 * Tests the proxy's types for a driver's records.
 *
 * A row has the documents of two versions (100.1 and 590.44.01), the types of the proxy's table, the records
 * of the second version to declare, and the result. "T<T_V100" is the record T with the parent type T_V100.
 */
#include "gen/fixture_test.h"

struct type_row {
	const char *fact, *base, *next, *types, *asked, *expected;
};

static void add_selector(struct strbuf *out, const char *name, const struct proxytype_selector *selector)
{
	if (selector->path)
		strbuf_addf(out, " %s=%s %s%s", name, selector->path, selector->type,
			    selector->is_promoted ? " promoted" : "");
}

/*
 * Appends a new type: "T_V590 24 updates T { T T@0 embedded; uint32 C@16; uint8[4] Pad1@20 padding }". The
 * fields that code accesses by their role follow: "fd=RMCtrlFD int32".
 */
static void add_type(struct strbuf *out, const struct proxytype *of)
{
	static const char *const kinds[] = { "", " padding", " embedded" };
	const struct table_type *type = of->type;

	assert_true(of->is_new);
	strbuf_addf(out, "\n%s%s%s %llu", type->name, type->alias ? "=" : "", type->alias ? type->alias : "",
		    (unsigned long long)type->size_bytes);
	if (of->updates)
		strbuf_addf(out, " updates %s", of->updates);
	strbuf_adds(out, type->alias ? "" : " {");
	for (size_t i = 0; i < type->field_count; i++) {
		strbuf_addf(out, "%s %s %s@%llu%s", i ? ";" : "", type->fields[i].type, type->fields[i].name,
			    (unsigned long long)type->fields[i].offset_bytes, kinds[of->fields[i].kind]);
		if (of->fields[i].remark)
			strbuf_addf(out, " (%s)", of->fields[i].remark);
	}
	strbuf_adds(out, type->alias ? "" : " }");
	if (of->beyond)
		strbuf_addf(out, " before %s", of->beyond);
	add_selector(out, "status", &of->selectors[PROXYTYPE_STATUS]);
	add_selector(out, "fd", &of->selectors[PROXYTYPE_FD]);
	add_selector(out, "os_event", &of->selectors[PROXYTYPE_OS_EVENT]);
}

/*
 * Declares the records. Appends an error, or all types that this added to the set. If the last one of them is
 * not the result, a line names the result: "T is T of the table".
 */
static void add_declared(struct strbuf *out, const struct type_row *row)
{
	const struct abi *base = document_at(row->base, "100.1"), *next = document_at(row->next, "590.44.01");
	const struct table table = table_of(row->types);
	struct proxytype_set *set = proxytype_set_new(&table, &arena);
	const char *asked = row->asked;
	size_t count = 0;
	char *record;

	while (*(record = document_word(&asked, &arena))) {
		struct proxytype_request request = { .abi = next, .record = record };
		const struct proxytype *got, *const *all;
		size_t before = count;
		char *parent = strchr(record, '<');
		int rc;

		if (parent) {
			*parent++ = '\0';
			request.parent = proxytype_find(set, parent);
			request.parent_abi = base;
		}
		if ((rc = proxytype_declare(&got, set, &request, &err))) {
			add_error(out, rc);
			continue;
		}
		all = proxytype_new_types(&count, set);
		for (size_t i = before; i < count; i++)
			add_type(out, all[i]);
		if (before < count && got == all[count - 1])
			continue;
		assert_true(got->is_new || got->type == table_find_type(&table, got->type->name));
		strbuf_addf(out, "\n%s is %s%s", record, got->type->name, got->is_new ? "" : " of the table");
	}
	proxytype_set_free(set);
}

static void check_types(const struct type_row *rows, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };

		add_declared(&text, &rows[i]);
		wrong += text_differs(rows[i].fact, &text, rows[i].expected);
		arena_release(&arena);
	}
	assert_int_equal(wrong, 0);
}

#define IN "struct In 8 { NvU32 a@0; NvU32 b@4 } "
#define A_B_8 "struct T 8 { NvU32 a@0; NvU32 b@4 }"
#define A_B_16 "struct T 16 { NvU64 a@0; NvU32 b@8 }"
#define TYPE_A "T 4 { uint32 A@0 } "
#define TYPE_A_B "T 16 { uint64 A@0; uint32 B@8; uint8[4] Pad0@12 }"

TEST(a_record_becomes_a_type)
{
	static const struct type_row rows[] = {
		{ "scalars have their width and sign", "",
		  "struct T 24 { NvU8 a@0; NvU16 b@2; NvS32 c@4; NvU64 d@8; NvBool[8] e@16 }", "", "T",
		  "T 24 { uint8 A@0; uint8[1] Pad0@1 padding; uint16 B@2; int32 C@4; uint64 D@8; "
		  "uint8[8] E@16 }" },
		{ "a gap is a field, and so is the tail", "",
		  "struct T 24 { NvU8 a@0; NvU64 b@8; NvU32 c@16 }", "", "T",
		  "T 24 { uint8 A@0; uint8[7] Pad0@1 padding; uint64 B@8; uint32 C@16; "
		  "uint8[4] Pad1@20 padding }" },
		{ "padding does not take the name of a field", "", "struct T 16 { NvU32 pad0@0; NvU64 b@8 }",
		  "", "T", "T 16 { uint32 Pad0@0; uint8[4] Pad1@4 padding; uint64 B@8 }" },
		{ "handles, pointers and ids have types of their own", "",
		  "struct NvProcessorUuid 16 { NvU8[16] uuid@0 } "
		  "struct T 40 { NvHandle[2] h@0; NvP64 p@8; NvProcessorUuid u@16+16; NvP64 q@32 }", "", "T",
		  "Handle=uint32 4\nP64=uint64 8\nNvUUID=uint8[16] 16\n"
		  "T 40 { Handle[2] H@0; P64 P@8; NvUUID U@16; P64 Q@32 }" },
		{ "a union is bytes", "",
		  "union T::u_t 16 { NvU64 a@0; NvU8[16] b@0 } struct T 24 { NvU32 kind@0; T::u_t u@8+16 }",
		  "", "T", "T 24 { uint32 Kind@0; uint8[4] Pad0@4 padding; uint8[16] U@8 (union) }" },
		{ "an unnamed struct is dissolved", "",
		  "struct T::_t 8 { NvU32 a@0; NvU32 b@4 } struct T 16 { NvU64 k@0; T::_t _@8+8 }", "", "T",
		  "T 16 { uint64 K@0; uint32 A@8; uint32 B@12 }" },
		{ "bit-fields are the bytes that they share", "",
		  "struct T 8 { NvU32 lo:3@0; NvU32 hi:13@3; NvU32 n@4 }", "", "T",
		  "T 8 { uint16 Bits0@0 (bit-fields lo:3, hi:13); uint8[2] Pad0@2 padding; uint32 N@4 }" },
		{ "bit-fields that Go cannot align keep their names", "",
		  "struct T 3/1 { NvU16 lo:3@0; NvU16 hi:13@3; NvU8 n@2 }", "", "T",
		  "T 3 { uint8[2] Bits0@0 (bit-fields lo:3, hi:13); uint8 N@2 }" },
		{ "a field that Go would move is bytes, and so is one that would enlarge the struct", "",
		  "struct T 12 { NvU32 a@0; NvU64 b@4 } struct S 5 { NvU32 a@0; NvU8 b@4 }", "", "T S",
		  "T 12 { uint32 A@0; uint8[8] B@4 (packed: NvU64) }\n"
		  "S 5 { uint8[4] A@0 (packed: NvU32); uint8 B@4 }" },
		{ "a flexible array is not a field", "", "struct T 4 { NvU32 n@0; NvU32[] data@4+0 }", "",
		  "T", "T 4 { uint32 N@0 } before NvU32[] data" },
		{ "a record inside comes first", "", IN "struct T 32 { In[2][2] in@0+32 }", "", "T",
		  "In 8 { uint32 A@0; uint32 B@4 }\nT 32 { In[2][2] In@0 }" },
		{ "a typedef of a handle is the handle", "", "", "", "NvHandle", "Handle=uint32 4" },
		{ "one layout is declared once", "", "struct T 4 { NvU32 a@0 }", "", "T T",
		  "T 4 { uint32 A@0 }\nT is T" },
		{ "two names that Go spells alike differ", "", "struct T 8 { NvU32 gpuId@0; NvU32 gpu_id@4 }",
		  "", "T", "T 8 { uint32 GPUID@0; uint32 GPUID_2@4 }" },
		{ "status and fd are found by role", "",
		  "struct In 4 { NvU32 status@0 status } struct T 16 { In params@0; NvS32 rmCtrlFd@4 fd; "
		  "NvP64 pOsEvent@8 fd }", "", "T",
		  "In 4 { uint32 Status@0 } status=Status uint32\nP64=uint64 8\n"
		  "T 16 { In Params@0; int32 RMCtrlFD@4; P64 POsEvent@8 } "
		  "status=Params.Status uint32 fd=RMCtrlFD int32 os_event=POsEvent P64" },
		{ "neither of two fds is the fd", "", "struct T 8 { NvS32 a@0 fd; NvS32 b@4 fd }", "", "T",
		  "T 8 { int32 A@0; int32 B@4 }" },
	};

	check_types(rows, sizeof(rows) / sizeof(*rows));
}

TEST(a_type_follows_those_of_the_table)
{
	static const struct type_row rows[] = {
		{ "an unchanged field has the name and the type of the parent's field",
		  "struct T 8 { NvU32 biosList@0; NvU32 old@4 }",
		  "struct T 16 { NvU64 fresh@0; NvU32 biosList@8; NvU32 gpuId@12 }",
		  "Kind 4 { uint32 V@0 } T 8 { Kind InfoList@0; uint32 Old@4 }", "T<T",
		  "T_V590 16 updates T { uint64 Fresh@0; Kind InfoList@8; uint32 GPUID@12 }" },
		{ "names of a table that Go does not allow are not used", A_B_8,
		  "struct T 16 { NvU64 fresh@0; NvU32 a@8; NvU32 b@12 }",
		  "K;\rx 4 { uint32 V@0 } T 8 { uint32 A\rint}@0; K;\rx B@4 }", "T<T",
		  "T_V590 16 updates T { uint64 Fresh@0; uint32 A@8; uint32 B@12 }" },
		{ "the parent is the result if nothing moved", A_B_8,
		  "struct T 8 { NvU32 a@0; NvU32 renamed@4 }", "T 8 { uint32 First@0; uint32 Second@4 }",
		  "T<T", "T is T of the table" },
		{ "a different sign is a different type", "struct T 4 { NvU32 a@0 }",
		  "struct T 4 { NvS32 a@0 }", TYPE_A, "T<T", "T_V590 4 updates T { int32 A@0 }" },
		{ "a type that grew embeds its parent", A_B_16,
		  "struct T 24 { NvU64 a@0; NvU32 b@8; NvU32 c@16 }", TYPE_A_B, "T<T",
		  "T_V590 24 updates T { T T@0 embedded; uint32 C@16; uint8[4] Pad1@20 padding }" },
		{ "a scalar of an embedded type does not have that type", A_B_8,
		  "struct T 12 { NvU32 a@0; NvU32 b@4; NvU32 c@8 }", TYPE_A "T_V100 8 { T T@0; uint32 B@4 }",
		  "T<T_V100", "T_V590 12 updates T { T_V100 T_V100@0 embedded; uint32 C@8 }" },
		{ "a field in the parent's padding forbids embedding", A_B_16,
		  "struct T 24 { NvU64 a@0; NvU32 b@8; NvU32 c@12; NvU64 d@16 }", TYPE_A_B, "T<T",
		  "T_V590 24 updates T { uint64 A@0; uint32 B@8; uint32 C@12; uint64 D@16 }" },
		{ "a record inside that the table has is used again", "", IN "struct T 8 { In in@0+8 }",
		  "In 8 { uint32 X@0; uint32 Y@4 }", "T", "T 8 { In In@0 }" },
		{ "a record inside that changed has a version, too",
		  "struct In 4 { NvU32 a@0 } struct T 4 { In in@0 }", IN "struct T 8 { In in@0+8 }",
		  "In 4 { uint32 A@0 } T 4 { In In@0 }", "T<T",
		  "In_V590 8 updates In { In In@0 embedded; uint32 B@4 }\n"
		  "T_V590 8 updates T { In_V590 In@0 }" },
		{ "if the name with a version is in use, the name has the whole version",
		  "struct T 4 { NvU32 a@0 }", "struct T 16 { NvU64 b@0; NvU32 a@8 }",
		  TYPE_A "T_V590 4 { int32 A@0 }", "T<T",
		  "T_V590_44_01 16 updates T { uint64 B@0; uint32 A@8; uint8[4] Pad0@12 padding }" },
		{ "the accessors of an embedded type are promoted", "struct T 4 { NvU32 status@0 status }",
		  "struct T 8 { NvU32 status@0 status; NvU32 more@4 }", "T 4 { uint32 Status@0 }", "T<T",
		  "T_V590 8 updates T { T T@0 embedded; uint32 More@4 } status=Status uint32 promoted" },
	};

	check_types(rows, sizeof(rows) / sizeof(*rows));
}

TEST(a_faulty_record_is_refused)
{
	static const struct type_row rows[] = {
		{ "a record that contains itself", "", "struct T 8 { T t@0+8 }", "", "T",
		  "ERR_LIMIT: record T contains itself" },
		{ "members that overlap", "", "struct T 8 { NvU64 a@0; NvU32 b@4 } struct S 4 { NvU64 a@0 }",
		  "", "T S",
		  "ERR_LAYOUT: member b of record T overlaps the member before it; fix the document\n"
		  "ERR_LAYOUT: member a of record S ends after the record; fix the document" },
		{ "a name that is not one in C", "", "struct T 4 { NvU32 a;}@0 } struct S{ 4 { NvU32 a@0 }",
		  "", "T S{",
		  "ERR_FORMAT: member \"a;}\" of record T does not have a valid name in Go; "
		  "fix the document\nERR_FORMAT: record \"S{\" does not have a valid name in Go; "
		  "fix the document" },
	};

	check_types(rows, sizeof(rows) / sizeof(*rows));
}

TEST(records_that_double_on_every_level_are_refused)
{
	const char *text = "struct R0 2 { NvU8 a@0; NvU8 b@1 }";

	for (unsigned i = 1; i < 40; i++)
		text = arena_printf(&arena, "%s struct R%u %llu { R%u a@0+%llu; R%u b@%llu+%llu }", text, i,
				    2ULL << i, i - 1, 1ULL << i, i - 1, 1ULL << i, 1ULL << i);
	check_types(&(const struct type_row){ "too many members", "", text, "", "R39",
					      "ERR_LIMIT: record R39 has more than 16384 members, including "
					      "those of nested records" },
		    1);
}

TEST(names_in_go)
{
	static const struct {
		const char *(*name_in_go)(const char *driver, struct arena *arena);
		const char *driver, *go;
	} rows[] = {
		{ proxytype_field_name, "rmCtrlFd", "RMCtrlFD" },
		{ proxytype_field_name, "hClient", "HClient" },
		{ proxytype_field_name, "gpu_uuid", "GPUUUID" },
		{ proxytype_field_name, "gpuUuidA", "GPUUUIDA" },
		{ proxytype_field_name, "p2pOptimalReadCEs", "P2POptimalReadCEs" },
		{ proxytype_field_name, "hClass3dObject", "HClass3DObject" },
		{ proxytype_field_name, "l2pBar1P2PDmaInfo", "L2pBar1P2PDmaInfo" },
		{ proxytype_field_name, "hDebuggerClient_Obsolete", "HDebuggerClient_Obsolete" },
		{ proxytype_field_name, "pOsEvent", "POsEvent" },
		{ proxytype_field_name, "_x", "X" },
		{ proxytype_field_name, "__", "X" },
		{ proxytype_field_name, "_3", "X3" },
		/* A record's name is kept, unless it is not exported in Go. */
		{ proxytype_type_name, "NVOS54_PARAMETERS", "NVOS54_PARAMETERS" },
		{ proxytype_type_name, "nv_ioctl_card_info_t", "IoctlCardInfo" },
		{ proxytype_type_name, "nv_ioctl_export_to_dma_buf_fd_t", "IoctlExportToDMABufFD" },
		{ proxytype_type_name, "NVOS32_PARAMETERS::data_t", "NVOS32_PARAMETERS_data_t" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(rows[i].name_in_go(rows[i].driver, &arena), rows[i].go);
	arena_release(&arena);
}
