/* gen - generate source code for two versions, and check that it has the layouts of the driver's records */
#include "lib/fuzz.h"

#include "gen/internal.h"

#include <stdlib.h>
#include <string.h>

/* struct extent - the size and alignment of a type in Go */
struct extent {
	uint64_t size_bytes, align_bytes;
};

static struct extent word_extent(const char *word, size_t length)
{
	static const char *const words[] = { "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64" };

	for (unsigned i = 0; i < 8; i++)
		if (strlen(words[i]) == length && !strncmp(words[i], word, length))
			return (struct extent){ 1u << i / 2, 1u << i / 2 };
	return (struct extent){ 0, 0 };
}

static struct extent type_extent(const struct proxytype_set *set, const struct table_type *type);

static struct extent extent_of(const struct proxytype_set *set, const char *spelling)
{
	struct abi_spelling parsed;
	struct extent extent;
	char name[512];

	MUST(!abi_spelling_parse(&parsed, spelling, NULL) && parsed.base_length < sizeof(name));
	memcpy(name, parsed.base, parsed.base_length);
	name[parsed.base_length] = '\0';
	extent = word_extent(name, parsed.base_length);
	if (!extent.size_bytes && !extent.align_bytes) {
		MUST(proxytype_find(set, name));
		extent = type_extent(set, proxytype_find(set, name));
	}
	for (size_t i = 0; i < parsed.dimension_count; i++)
		extent.size_bytes *= parsed.dimension[i];
	return extent;
}

/* type_extent - compute the size and alignment of a type. Check that the compiler adds no padding to it. */
static struct extent type_extent(const struct proxytype_set *set, const struct table_type *type)
{
	struct extent all = { 0, 1 };

	if (type->alias)
		return extent_of(set, type->alias);
	for (size_t i = 0; i < type->field_count; i++) {
		struct extent field = extent_of(set, type->fields[i].type);

		MUST(type->fields[i].offset_bytes == all.size_bytes);
		MUST(all.size_bytes % field.align_bytes == 0);
		all.size_bytes += field.size_bytes;
		if (field.align_bytes > all.align_bytes)
			all.align_bytes = field.align_bytes;
	}
	MUST(all.size_bytes % all.align_bytes == 0);
	return all;
}

static void check_types(const struct proxytype_set *set, const struct gen_file *file)
{
	for (size_t i = 0; i < file->type_count; i++) {
		const struct proxytype *type = file->types[i];

		MUST(type_extent(set, type->type).size_bytes == type->type->size_bytes);
		for (size_t j = 0; j < type->type->field_count; j++)
			for (size_t k = 0; k < j; k++)
				MUST(strcmp(type->type->fields[j].name, type->type->fields[k].name));
		for (size_t j = 0; j < i; j++)
			MUST(strcmp(file->types[j]->type->name, type->type->name));
	}
}

/* check_plan - check that fields have the driver's offsets, and that in Rust each byte belongs to an item */
static void check_plan(const struct plan *plan, const struct definition *definition, enum gen_language language)
{
	bool is_union = definition->record->is_union;
	uint64_t end_bytes = 0;
	size_t members = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_item *item = &plan->items[i];

		MUST(is_union ? !item->offset_bytes : item->offset_bytes >= end_bytes);
		MUST(is_union || language != GEN_RUST || item->offset_bytes == end_bytes);
		end_bytes = item->offset_bytes + item->size_bytes;
		MUST(end_bytes <= definition->size_bytes);
		if (item->kind == PLAN_FIELD || item->kind == PLAN_BYTES)
			MUST(item->offset_bytes * 8 == item->members->field->offset_bits && item->size_bytes * 8 == item->members->field->size_bits);
		for (size_t k = 0; k < i; k++)
			MUST(strcmp(item->name, plan->items[k].name));
		members += item->member_count;
	}
	MUST(members == definition->record->field_count);
	MUST(is_union || language != GEN_RUST || end_bytes == definition->size_bytes);
	MUST(definition->size_bytes % plan->effective_bytes == 0);
}

static void check_definitions(const struct gen_file *file, enum gen_language language)
{
	for (size_t i = 0; i < file->definition_count; i++) {
		const struct definition *definition = file->definitions[i];

		for (size_t j = 0; j < i; j++)
			MUST(strcmp(file->definitions[j]->name, definition->name));
		if (definition->plan)
			check_plan(definition->plan, definition, language);
	}
}

static int write_file(struct strbuf *out, const struct gen_file *file, enum gen_language language, struct err *err)
{
	switch (language) {
	case GEN_GO: gen_go(out, file); return 0;
	case GEN_C: return gen_c(out, file, err);
	case GEN_RUST: gen_rust(out, file); return 0;
	case GEN_PYTHON: return gen_python(out, file, err);
	}
	return 0;
}

/* glob_of - get a record's name, or "*". With "*", a record that cannot be declared hides the others. */
static const char *glob_of(const struct abi *abi, struct fuzz_choice *choice)
{
	return abi->record_count && fuzz_pick(choice, 4) ? abi->records[fuzz_pick(choice, 256) % abi->record_count].name : "*";
}

static void generate(const struct gen_request *request, struct strbuf *out, struct arena *arena)
{
	static const struct table nothing;
	const struct table *known = request->style == GEN_NVPROXY ? &gen_nvproxy_types : &nothing;
	struct proxytype_set *set = request->language == GEN_GO ? proxytype_set_new(known, arena) : NULL;
	struct err err = { "" };
	const char *lost;
	struct gen_file file;

	if (gen_collect(&file, request, set, &lost, arena, &err)) {
		fuzz_sentence(&err);
	} else {
		if (set)
			check_types(set, &file);
		else if (request->language != GEN_C)
			check_definitions(&file, request->language);
		if (write_file(out, &file, request->language, &err))
			fuzz_sentence(&err);
	}
	proxytype_set_free(set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_choice choice = { data, size };
	struct arena arena = { 0 };
	struct abi base, next;
	const struct abi *versions[2] = { &base, &next };
	const char *glob;
	struct gen_request request = { .versions = versions, .version_count = 2, .is_range = true, .globs = &glob, .glob_count = 1 };
	struct strbuf once = { 0 }, twice = { 0 };

	request.language = (enum gen_language)fuzz_pick(&choice, 4);
	request.style = request.language == GEN_GO && fuzz_pick(&choice, 2) ? GEN_NVPROXY : GEN_PLAIN;
	fuzz_document(&base, &choice, &arena);
	fuzz_next_version(&next, &base, &choice, &arena);
	glob = glob_of(&base, &choice);
	generate(&request, &once, &arena);
	generate(&request, &twice, &arena);
	MUST(!strcmp(strbuf_text(&once), strbuf_text(&twice)));
	strbuf_release(&once);
	strbuf_release(&twice);
	arena_release(&arena);
	return 0;
}
