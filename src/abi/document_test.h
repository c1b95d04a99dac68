/*
 * abi/document_test.h - documents written as text, for the tests of every room
 *
 *   struct R 16 { NvU32 a@0; NvU64 b@4; NvU8[3] c@12; NvHandle h@15+1 handle; NvU32 lo:3@0 }
 *   union U 8/4 { … }        8 bytes, aligned to 4
 *   struct S=R 16 { … }      S has the same source as R
 *   struct T@b.h:2:3 4 { … } T has the source b.h:2:3; the default is "a.h:1:" and the name
 *   enum E { E_A=0; E_B=-1 }
 *   ioctl NAME 0x1 PARAMS    or "-" for no parameters; uvm/NAME for a family other than control
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

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* Reads a field. Return: false at the brace that ends the record. */
static inline bool document_field(struct abi_field *out, const char **text, struct arena *arena)
{
	char *type = document_word(text, arena), *place, *end, *role;
	bool is_bits;
	size_t name;

	if (*type == '}')
		return false;
	place = document_word(text, arena);
	name = strcspn(place, ":@");
	is_bits = place[name] == ':';
	for (char *at = type; (at = strchr(at, '~'));)
		*at = ' ';
	*out = (struct abi_field){ .type = type, .is_bitfield = is_bits };
	out->name = strncmp(place, "_", name) ? arena_strndup(arena, place, name) : "";
	out->offset_bits = strtoull(strchr(place, '@') + 1, &end, 10) * (is_bits ? 1 : 8);
	out->size_bits = is_bits       ? strtoull(place + name + 1, NULL, 10)
			 : *end == '+' ? strtoull(end + 1, NULL, 10) * 8
				       : document_type_bytes(type) * 8;
	if (!strchr(place, ';') && strncmp(*text, " }", 2)) {
		role = document_word(text, arena);
		role[strcspn(role, ";")] = '\0';
		assert_int_equal(abi_role_parse(&out->role, role, NULL), 0);
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
			while (*(word = document_word(&text, arena)) != '}') {
				assert_true(count < MOST);
				values[count++] =
					(struct abi_enumerator){ arena_strndup(arena, word,
									       strcspn(word, "=")),
								 document_number(strchr(word, '=') + 1) };
			}
			abi_builder_enum(doc, &(struct abi_enum){
				.name = name, .type = "unsigned int", .size_bytes = 4, .value_count = count,
				.values = arena_memdup(arena, values, count * sizeof(*values)),
				.source = place ? place : arena_printf(arena, "a.h:1:%s", name) });
		} else if (!strcmp(kind, "ioctl")) {
			char *params = document_word(&text, arena), *slash = strchr(name, '/');

			if (slash)
				*slash++ = '\0';
			abi_builder_ioctl(doc, &(struct abi_ioctl){ .family = slash ? name : "control",
								    .name = slash ? slash : name,
								    .number = strtoull(word, NULL, 0),
								    .params = *params == '-' ? NULL : params,
								    .source = place ? place : "" });
		} else if (!strcmp(kind, "const")) {
			abi_builder_constant(doc, &(struct abi_constant){ name, document_number(word) });
		} else if (!strcmp(kind, "alias")) {
			for (char *at = word; (at = strchr(at, '~'));)
				*at = ' ';
			for (char *at = name; (at = strchr(at, '~'));)
				*at = ' ';
			abi_builder_alias(doc, &(struct abi_alias){
				name, word, strtoull(document_word(&text, arena), NULL, 10) });
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

/* document_of - make a sealed document from the text, with the well-known aliases */
static inline const struct abi *document_of(const char *text, struct arena *arena)
{
	struct abi_builder *doc = document_new(arena);
	const struct abi *abi;

	document_put(doc, text, arena);
	abi = document_seal(doc, "1", arena);
	abi_builder_free(doc);
	return abi;
}

#endif
