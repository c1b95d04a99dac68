#include "extract/surface_tables.h"

#include "extract/embedded.h"
#include "extract/nvoc.h"
#include "extract/surface_deprecated.h"
#include "extract/surface_names.h"
#include "extract/surface_words.h"

#include <stdlib.h>
#include <string.h>

/* Everything that is read before the first command can be added. */
struct methods {
	const struct surface_table *table;
	struct nvoc_methods found;
	const struct nvoc_method **kept; /* sorted by id, each once */
	struct surface_wish *wishes;     /* for the method of the same index */
	size_t kept_count;
	struct embedded_commands embedded;
	struct surface_deprecated_list deprecated;
	struct surface_words flags;
	struct surface_words access;
};

static void methods_take_table(void *data, const struct surface_file *file)
{
	nvoc_scan(&((struct methods *)data)->found, file);
}

static void methods_take_embedded(void *data, const struct surface_file *file)
{
	struct methods *methods = data;

	embedded_scan(&methods->embedded, file, methods->table->macros);
}

static void methods_append(struct nvoc_methods *to, const struct nvoc_methods *from)
{
	for (size_t i = 0; i < from->count; i++) {
		ARRAY_GROW(to->items, to->count, to->capacity);
		to->items[to->count++] = from->items[i];
	}
}

/* The rows of one table; each text is read once. What is warned of is not remembered: each version is to warn. */
static int methods_read_table(void *data, const char *path, struct err *err)
{
	struct methods *methods = data;
	const struct surface_table *table = methods->table;
	struct memo_entry *entry = memo_entry(table->memo, "nvoc", table->tree, path);
	size_t before = methods->found.count, warnings = abi_builder_warning_count(table->builder);
	struct nvoc_methods added;
	int rc;

	if (entry && entry->value) {
		methods_append(&methods->found, entry->value);
		return 0;
	}
	rc = surface_read_file(table->tree, path, table->builder, entry ? &entry->arena : table->arena, methods_take_table, methods, err);
	if (!entry)
		return rc;
	if (rc || abi_builder_warning_count(table->builder) != warnings) {
		memo_forget(table->memo, entry);
		return rc;
	}
	added.count = methods->found.count - before;
	added.items = arena_memdup(&entry->arena, methods->found.items + before, added.count * sizeof(*added.items));
	added.capacity = 0;
	entry->value = arena_memdup(&entry->arena, &added, sizeof(added));
	return 0;
}

static int methods_read(struct methods *methods, struct err *err)
{
	const struct surface_table *table = methods->table;
	const struct profile_family *family = table->family;
	int files, rc;

	files = surface_each_path(table, &family->files, methods_read_table, methods, err);
	if (files < 0)
		return files;
	if (!methods->found.count)
		surface_no_table(table, files);
	files = surface_read_files(table->tree, &family->embedded, table->builder, table->arena, methods_take_embedded,
				   methods, err);
	if (files < 0)
		return files;
	if (!files && family->embedded.count)
		abi_builder_warning(table->builder, arena_strdup(table->arena, family->embedded.item[0]),
				    "There is no such file, so it is not known which commands carry embedded pointers.");
	embedded_sort(&methods->embedded);
	if ((rc = surface_deprecated_read(&methods->deprecated, table, err)))
		return rc;
	rc = surface_words_read(&methods->flags, table->tree, &family->flag_words, false, table->builder, table->arena, err);
	if (rc)
		return rc;
	return surface_words_read(&methods->access, table->tree, &family->access_words, true, table->builder, table->arena, err);
}

/* By id; of one id, in the order of the files. */
static int methods_compare(const void *a, const void *b)
{
	const struct nvoc_method *left = *(const struct nvoc_method *const *)a;
	const struct nvoc_method *right = *(const struct nvoc_method *const *)b;

	if (left->id != right->id)
		return left->id < right->id ? -1 : 1;
	return left < right ? -1 : left > right;
}

static bool methods_same(const struct nvoc_method *a, const struct nvoc_method *b)
{
	if (!a->params != !b->params || (a->params && strcmp(a->params, b->params)))
		return false;
	return a->flags == b->flags && a->access == b->access;
}

/*
 * A class exports its methods again in each class derived from it (the
 * semaphore surface's, for one, stand in two tables): the same number with the
 * same parameters and flags is one command.
 */
static void methods_keep(struct methods *methods)
{
	const struct surface_table *table = methods->table;
	size_t count = methods->found.count;

	if (!count)
		return;
	methods->kept = xmalloc(count * sizeof(*methods->kept));
	for (size_t i = 0; i < count; i++)
		methods->kept[i] = &methods->found.items[i];
	qsort(methods->kept, count, sizeof(*methods->kept), methods_compare);
	for (size_t i = 0; i < count; i++) {
		const struct nvoc_method *one = methods->kept[i];
		const struct nvoc_method *before = methods->kept_count ? methods->kept[methods->kept_count - 1] : NULL;

		if (!before || before->id != one->id)
			methods->kept[methods->kept_count++] = one;
		else if (!methods_same(before, one))
			abi_builder_warning(table->builder, one->source, arena_printf(table->arena,
				"%s has the number 0x%llx of %s at %s, with other parameters or flags; it is left out.",
				one->func, (unsigned long long)one->id, before->func, before->source));
	}
}

static void methods_name(struct methods *methods)
{
	methods->wishes = xmalloc((methods->kept_count + 1) * sizeof(*methods->wishes));
	for (size_t i = 0; i < methods->kept_count; i++) {
		const struct nvoc_method *method = methods->kept[i];

		methods->wishes[i] = (struct surface_wish){
			.number = method->id, .params = method->params, .func = method->func,
		};
	}
	surface_names_find(methods->wishes, methods->kept_count, methods->table->family, methods->table->macros);
}

/*
 * The driver asks the deprecated table first, and comes to the method only if the flags of the
 * call are not 0: both answer the number, so the ioctl has the flags of both.
 */
static void methods_add_deprecated_words(struct surface_word_set *flags, const struct methods *methods,
					 const struct nvoc_method *method)
{
	struct surface_deprecated *deprecated = surface_deprecated_find(&methods->deprecated, method->id);
	const struct surface_table *table = methods->table;

	if (!deprecated)
		return;
	deprecated->has_method = true;
	for (size_t i = 0; i < deprecated->ioctl.flag_count; i++)
		surface_word_set_add(flags, deprecated->ioctl.flags[i]);
	if (deprecated->ioctl.params && (!method->params || strcmp(method->params, deprecated->ioctl.params)))
		abi_builder_warning(table->builder, deprecated->ioctl.source,
				    arena_printf(table->arena, "%s takes a %s here, and another record as the method at %s, which is what "
							       "stands in the document.", deprecated->ioctl.name,
						 deprecated->ioctl.params, method->source));
}

static void methods_add_deprecated_one(const struct methods *methods, const struct abi_ioctl *deprecated)
{
	struct surface_word_set flags = { 0 };
	struct abi_ioctl ioctl = *deprecated;

	for (size_t i = 0; i < ioctl.flag_count; i++)
		surface_word_set_add(&flags, ioctl.flags[i]);
	if (embedded_has(&methods->embedded, ioctl.number))
		surface_word_set_add(&flags, ABI_FLAG_EMBEDDED_POINTERS);
	ioctl.flags = surface_word_set_take(&ioctl.flag_count, &flags, methods->table->arena);
	surface_add(methods->table, &ioctl);
}

/* The deprecated commands that no method answers. */
static void methods_add_deprecated(const struct methods *methods)
{
	for (size_t i = 0; i < methods->deprecated.count; i++) {
		const struct surface_deprecated *deprecated = &methods->deprecated.items[i];

		if (!deprecated->has_method)
			methods_add_deprecated_one(methods, &deprecated->ioctl);
	}
}

static void methods_add(const struct methods *methods, const struct nvoc_method *method, const struct surface_wish *wish)
{
	struct arena *arena = methods->table->arena;
	struct surface_word_set flags = { 0 }, access = { 0 };
	struct abi_ioctl ioctl = {
		.family = methods->table->name,
		.name = wish->macro ? wish->macro->name : method->func,
		.number = method->id,
		.params = method->params,
		.source = method->source,
	};

	surface_words_add_bits(&flags, &methods->flags, method->flags, arena);
	if (embedded_has(&methods->embedded, method->id))
		surface_word_set_add(&flags, ABI_FLAG_EMBEDDED_POINTERS);
	if (method->conditional)
		surface_word_set_add(&flags, ABI_FLAG_CONDITIONAL);
	methods_add_deprecated_words(&flags, methods, method);
	ioctl.flags = surface_word_set_take(&ioctl.flag_count, &flags, arena);
	surface_words_add_bits(&access, &methods->access, method->access, arena);
	ioctl.access = surface_word_set_join(&access, arena);
	surface_add(methods->table, &ioctl);
}

int surface_add_methods(const struct surface_table *table, struct err *err)
{
	struct methods methods = { .table = table };
	int rc = methods_read(&methods, err);

	if (!rc) {
		methods_keep(&methods);
		methods_name(&methods);
		for (size_t i = 0; i < methods.kept_count; i++)
			methods_add(&methods, methods.kept[i], &methods.wishes[i]);
		methods_add_deprecated(&methods);
	}
	surface_words_release(&methods.access);
	surface_words_release(&methods.flags);
	free(methods.embedded.items);
	free(methods.deprecated.items);
	free(methods.wishes);
	free(methods.kept);
	free(methods.found.items);
	return rc;
}
