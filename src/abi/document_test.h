/*
 * abi/document_test.h - documents and JSON written as text, for the tests of every room
 *
 *   struct R 16 { NvU32 a@0; NvU64 b@4; NvU8[3] c@12; NvHandle h@15+1 handle; NvU32 lo:3@0 }
 *   union U 8/4 { … }        8 bytes, aligned to 4
 *   struct S=R 16 { … }      S has the same source as R
 *   struct T@b.h:2:3 4 { … } T has the source b.h:2:3; the default is "a.h:1:" and the name
 *   enum E { E_A=0; E_B=-1 }
 *   enum E long 8 { … }      a type other than unsigned~int with 4 bytes
 *   ioctl NAME 0x1 PARAMS    or "-" for no parameters; uvm/NAME for a family other than control
 *   ioctl NAME 0x1 - +a +b   flags; "!x" is the access right x
 *   ioctl NAME 0x1 - %nr     the number is encoded, and the driver compares only type and nr; %ioc: all parts
 *   ioctl NAME 0x1 - ?4 =x~* parts of the number vary (1 << enum abi_ioc_field); the C type of its argument
 *   const NAME -5
 *   alias T unsigned~int 4   "~" is a space in a type or in the name of an alias
 *
 * A field has a type, a name, an offset in bytes, and optionally a size and a role. The default size is that
 * of a well-known type, or 4 bytes for each element. A bit-field has a width and an offset in bits. "_" is an
 * unnamed field.
 */
#ifndef ABI_DOCUMENT_TEST_H
#define ABI_DOCUMENT_TEST_H

#include "abi/abi.h"
#include "base/unit_test.h"

/* The aliases from NVIDIA's headers that tests use. */
static const struct abi_alias document_aliases[] = {
	{ "NvBool", "unsigned char", 1 },  { "NvHandle", "unsigned int", 4 }, { "NvP64", "void *", 8 },
	{ "NvS32", "int", 4 },		   { "NvU16", "unsigned short", 2 },  { "NvU32", "unsigned int", 4 },
	{ "NvU64", "unsigned long long", 8 }, { "NvU8", "unsigned char", 1 }, { "NvV32", "unsigned int", 4 },
};

static inline struct abi_builder *document_new(struct arena *arena)
{
	struct abi_builder *doc = abi_builder_new(arena);

	for (size_t i = 0; i < sizeof(document_aliases) / sizeof(*document_aliases); i++)
		abi_builder_alias(doc, &document_aliases[i]);
	return doc;
}

static inline const struct abi *document_seal(struct abi_builder *doc, const char *version,
					      struct arena *arena)
{
	const struct abi head = {
		.driver = "d", .version = version, .commit = "", .target = "x86_64-linux-gnu"
	};
	struct abi *abi = arena_alloc(arena, sizeof(*abi));

	abi_builder_seal(abi, doc, &head);
	return abi;
}

/*
 * text_differs - compare the lines that a test made with the expected lines; releases @text
 *
 * A newline before the first line is ignored. Return: true if the lines differ; both are then printed to
 * standard error.
 */
static inline bool text_differs(const char *fact, struct strbuf *text, const char *expected)
{
	const char *got = strbuf_text(text);
	bool differs;

	got += *got == '\n';
	differs = strcmp(got, expected) != 0;
	if (differs) /* not print_error() of cmocka, which truncates long texts */
		fprintf(stderr, "%s:\n%s\nexpected:\n%s\n", fact, got, expected);
	strbuf_release(text);
	return differs;
}

/* json_text - copy a JSON text into @arena, with " for each ' of @text: {'size': 4} */
static inline const char *json_text(const char *text, struct arena *arena)
{
	char *copy = arena_strdup(arena, text);

	for (char *at = copy; (at = strchr(at, '\''));)
		*at = '"';
	return copy;
}

/* Returns the next word, in @arena; "" at the end of the text. */
static inline char *document_word(const char **text, struct arena *arena)
{
	const size_t length = strcspn(*text += strspn(*text, " \n\t"), " \n\t");
	char *word = arena_strndup(arena, *text, length);

	*text += length;
	return word;
}

/* Returns the size of a type; for an array, that of all elements. */
static inline uint64_t document_type_bytes(const char *type)
{
	uint64_t bytes = 4;

	for (size_t i = 0; i < sizeof(document_aliases) / sizeof(*document_aliases); i++)
		if (!strncmp(document_aliases[i].name, type, strcspn(type, "[")) &&
		    strlen(document_aliases[i].name) == strcspn(type, "["))
			bytes = document_aliases[i].size_bytes;
	for (const char *at = strchr(type, '['); at; at = strchr(at + 1, '['))
		bytes *= strtoull(at + 1, NULL, 10);
	return bytes;
}

/* Returns @text with a space for each "~". */
static inline char *document_spaces(char *text)
{
	for (char *at = text; (at = strchr(at, '~'));)
		*at = ' ';
	return text;
}

/* Returns the next word without @mark, its first character; NULL if it has a different first character. */
static inline char *document_marked(const char **text, char mark, struct arena *arena)
{
	*text += strspn(*text, " \n\t");
	return **text == mark ? document_word(text, arena) + 1 : NULL;
}

/* Reads a field. Return: false at the brace that ends the record. */
static inline bool document_field(struct abi_field *out, const char **text, struct arena *arena)
{
	char *type = document_spaces(document_word(text, arena)), *place, *end, *role;
	bool is_bits;
	size_t name;

	if (*type == '}')
		return false;
	place = document_word(text, arena);
	name = strcspn(place, ":@");
	is_bits = place[name] == ':';
	*out = (struct abi_field){ .type = type, .is_bitfield = is_bits };
	out->name = strncmp(place, "_", name) ? arena_strndup(arena, place, name) : "";
	out->offset_bits = strtoull(strchr(place, '@') + 1, &end, 10) * (is_bits ? 1 : 8);
	out->size_bits = is_bits       ? strtoull(place + name + 1, NULL, 10)
			 : *end == '+' ? strtoull(end + 1, NULL, 10) * 8
				       : document_type_bytes(type) * 8;
	if (!strchr(place, ';') && strncmp(*text, " }", 2)) {
		role = document_word(text, arena);
		role[strcspn(role, ";")] = '\0';
		assert_true(abi_role_parse(&out->role, role));
	}
	return true;
}

static inline struct abi_number document_number(const char *text)
{
	return (struct abi_number){ strtoull(text + (*text == '-'), NULL, 0), *text == '-' };
}

static inline void document_put(struct abi_builder *doc, const char *text, struct arena *arena)
{
	enum { MOST = 64 };
	struct abi_field fields[MOST];
	struct abi_enumerator values[MOST];
	size_t count = 0;
	char *kind;

	for (; *(kind = document_word(&text, arena)); count = 0) {
		char *name = document_word(&text, arena), *word = document_word(&text, arena), *end;
		char *place = strchr(name, '@');

		if (place)
			*place++ = '\0';
		if (!strcmp(kind, "enum")) {
			const char *type = "unsigned int";
			uint64_t bytes = 4;

			if (*word != '{') {
				type = document_spaces(word);
				bytes = strtoull(document_word(&text, arena), NULL, 10);
				assert_string_equal(document_word(&text, arena), "{");
			}
			while (*(word = document_word(&text, arena)) != '}') {
				assert_true(count < MOST);
				values[count++] =
					(struct abi_enumerator){ arena_strndup(arena, word,
									       strcspn(word, "=")),
								 document_number(strchr(word, '=') + 1) };
			}
			abi_builder_enum(doc, &(struct abi_enum){
				.name = name, .type = type, .size_bytes = bytes, .value_count = count,
				.values = arena_memdup(arena, values, count * sizeof(*values)),
				.source = place ? place : arena_printf(arena, "a.h:1:%s", name) });
		} else if (!strcmp(kind, "ioctl")) {
			char *slash = strchr(name, '/'), *marked;
			const char *flags[MOST];
			struct abi_ioctl ioctl = { .family = slash ? name : "control",
						   .name = slash ? slash + 1 : name,
						   .number = strtoull(word, NULL, 0),
						   .params = document_spaces(document_word(&text, arena)),
						   .source = place ? place : "" };

			if (slash)
				*slash = '\0';
			if (*ioctl.params == '-')
				ioctl.params = NULL;
			for (; (marked = document_marked(&text, '+', arena)); assert_true(count < MOST))
				flags[count++] = marked;
			ioctl.flags = count ? arena_memdup(arena, flags, count * sizeof(*flags)) : NULL;
			ioctl.flag_count = count;
			ioctl.access = document_marked(&text, '!', arena);
			if ((marked = document_marked(&text, '%', arena)))
				ioctl.encoding = strcmp(marked, "nr") ? ABI_NUMBER_IOC : ABI_NUMBER_IOC_BY_NR;
			if ((marked = document_marked(&text, '?', arena)))
				ioctl.varies = (unsigned)atoi(marked);
			if ((marked = document_marked(&text, '=', arena)))
				ioctl.argument = document_spaces(marked);
			abi_builder_ioctl(doc, &ioctl);
		} else if (!strcmp(kind, "const")) {
			abi_builder_constant(doc, &(struct abi_constant){ name, document_number(word) });
		} else if (!strcmp(kind, "alias")) {
			abi_builder_alias(doc, &(struct abi_alias){
				document_spaces(name), document_spaces(word),
				strtoull(document_word(&text, arena), NULL, 10) });
		} else {
			char *of = strchr(name, '=');
			struct abi_record record = { .align_bytes = 4, .is_union = !strcmp(kind, "union") };

			if (of)
				*of++ = '\0';
			record.name = name;
			record.source = place ? place : arena_printf(arena, "a.h:1:%s", of ? of : name);
			record.size_bytes = strtoull(word, &end, 10);
			if (*end == '/')
				record.align_bytes = strtoull(end + 1, NULL, 10);
			assert_string_equal(document_word(&text, arena), "{");
			while (document_field(&fields[count], &text, arena))
				assert_true(++count < MOST);
			record.fields = arena_memdup(arena, fields, count * sizeof(*fields));
			record.field_count = count;
			abi_builder_record(doc, &record);
		}
	}
}

/* Returns "NAME@SOURCE", without the default source. */
static inline const char *document_name_at(const char *name, const char *source, const char *default_source,
				      struct arena *arena)
{
	return strcmp(source, default_source) ? arena_printf(arena, "%s@%s", name, source) : name;
}

/* Returns @text with "~" for each space. */
static inline const char *document_tildes(const char *text, struct arena *arena)
{
	char *copy = arena_strdup(arena, text);

	for (char *at = copy; (at = strchr(at, ' '));)
		*at = '~';
	return copy;
}

static inline void document_add_field(struct strbuf *out, const struct abi_field *field, struct arena *arena)
{
	strbuf_addf(out, " %s %s", document_tildes(field->type, arena), *field->name ? field->name : "_");
	if (field->is_bitfield)
		strbuf_addf(out, ":%d@%d", (int)field->size_bits, (int)field->offset_bits);
	else
		strbuf_addf(out, "@%d", (int)field->offset_bits / 8);
	if (!field->is_bitfield && field->size_bits != document_type_bytes(field->type) * 8)
		strbuf_addf(out, "+%d", (int)field->size_bits / 8);
	strbuf_addf(out, field->role ? " %s;" : ";", abi_role_name(field->role));
}

/*
 * document_lines - append a line for each item and each warning, in the document's order
 *
 * An item is written in the notation above, without the encoding of an ioctl's number, and a warning as
 * "PLACE: TEXT".
 */
static inline void document_lines(struct strbuf *out, const struct abi *abi)
{
	struct arena words = { 0 };
	char value[24];

	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];
		const char *source = arena_printf(&words, "a.h:1:%s", record->name);

		strbuf_addf(out, "%s %s %d", record->is_union ? "union" : "struct",
			    document_name_at(record->name, record->source, source, &words),
			    (int)record->size_bytes);
		if (record->align_bytes != 4)
			strbuf_addf(out, "/%d", (int)record->align_bytes);
		strbuf_adds(out, " {");
		for (size_t f = 0; f < record->field_count; f++)
			document_add_field(out, &record->fields[f], &words);
		strbuf_adds(out, " }\n");
	}
	for (size_t i = 0; i < abi->alias_count; i++)
		strbuf_addf(out, "alias %s %s %d\n", document_tildes(abi->aliases[i].name, &words),
			    document_tildes(abi->aliases[i].type, &words), (int)abi->aliases[i].size_bytes);
	for (size_t i = 0; i < abi->enum_count; i++) {
		const struct abi_enum *one = &abi->enums[i];
		const char *source = arena_printf(&words, "a.h:1:%s", one->name);

		strbuf_addf(out, "enum %s", document_name_at(one->name, one->source, source, &words));
		if (strcmp(one->type, "unsigned int") || one->size_bytes != 4)
			strbuf_addf(out, " %s %d", document_tildes(one->type, &words), (int)one->size_bytes);
		strbuf_adds(out, " {");
		for (size_t v = 0; v < one->value_count; v++)
			strbuf_addf(out, " %s=%s;", one->values[v].name,
				    abi_number_text(one->values[v].value, value));
		strbuf_adds(out, " }\n");
	}
	for (size_t i = 0; i < abi->constant_count; i++)
		strbuf_addf(out, "const %s %s\n", abi->constants[i].name,
			    abi_number_text(abi->constants[i].value, value));
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		strbuf_addf(out, "ioctl %s/%s 0x%llx %s", ioctl->family,
			    document_name_at(ioctl->name, ioctl->source, "", &words),
			    (unsigned long long)ioctl->number,
			    ioctl->params ? document_tildes(ioctl->params, &words) : "-");
		for (size_t f = 0; f < ioctl->flag_count; f++)
			strbuf_addf(out, " +%s", ioctl->flags[f]);
		if (ioctl->access)
			strbuf_addf(out, " !%s", ioctl->access);
		strbuf_addch(out, '\n');
	}
	for (size_t i = 0; i < abi->warning_count; i++)
		strbuf_addf(out, "%s: %s\n", abi->warnings[i].place, abi->warnings[i].text);
	arena_release(&words);
}

/* document_of_version - make a sealed document of a version from the text, with the well-known aliases */
static inline const struct abi *document_of_version(const char *version, const char *text,
						    struct arena *arena)
{
	struct abi_builder *doc = document_new(arena);
	const struct abi *abi;

	document_put(doc, text, arena);
	abi = document_seal(doc, version, arena);
	abi_builder_free(doc);
	return abi;
}

static inline const struct abi *document_of(const char *text, struct arena *arena)
{
	return document_of_version("1", text, arena);
}

#endif
