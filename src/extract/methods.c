/*
 * The control commands:
 *
 * 1. The rows of the method tables are read, each text once for all versions that have it (methods_read_table()).
 * 2. What else there is to say of a command is read: which carry embedded pointers, which are deprecated, and the words for
 *    flags and rights (methods_read()).
 * 3. Methods of one number are united: a derived class exports those of its base again (methods_unite()).
 * 4. Macros name the numbers (command_names.h).
 * 5. Each method becomes an ioctl, with the flags of the deprecated command of its number. The deprecated
 *    commands that no method answers follow.
 */
#include "extract/family.h"

#include "extract/command_names.h"
#include "extract/deprecated_ioctls.h"
#include "extract/embedded.h"
#include "extract/flag_words.h"
#include "extract/nvoc.h"

#include <stdlib.h>
#include <string.h>

/* Everything that is read before the first command can be added. */
struct methods {
	const struct family_context *context;
	struct nvoc_methods found;
	const struct nvoc_method **unique; /* sorted by id, each once */
	struct command_name *names;      /* for the method of the same index */
	size_t unique_count;
	struct embedded_commands embedded;
	struct deprecated_ioctls deprecated;
	struct flag_words flags;
	struct flag_words access;
};

static void methods_scan_table(void *data, const struct table_file *file)
{
	nvoc_scan(&((struct methods *)data)->found, file);
}

static void methods_scan_embedded(void *data, const struct table_file *file)
{
	struct methods *methods = data;

	embedded_scan(&methods->embedded, file, methods->context->macros);
}

static void methods_append(struct nvoc_methods *to, const struct nvoc_methods *from)
{
	for (size_t i = 0; i < from->count; i++) {
		ARRAY_GROW(to->items, to->count, to->capacity);
		to->items[to->count++] = from->items[i];
	}
}

/* The rows of one table; each text is read once. A text with warnings is not remembered, since each version is to warn. */
static int methods_read_table(void *data, const char *path, struct err *err)
{
	struct methods *methods = data;
	const struct family_context *context = methods->context;
	struct memo_entry *entry = memo_entry(context->memo, "nvoc", context->tree, path);
	size_t before = methods->found.count, warnings = abi_builder_warning_count(context->builder);
	struct nvoc_methods added;
	int rc;

	if (entry && entry->value) {
		methods_append(&methods->found, entry->value);
		return 0;
	}
	rc = table_file_read(context->tree, path, context->builder, entry ? &entry->arena : context->arena, methods_scan_table, methods, err);
	if (!entry)
		return rc;
	if (rc || abi_builder_warning_count(context->builder) != warnings) {
		memo_forget(context->memo, entry);
		return rc;
	}
	added.count = methods->found.count - before;
	added.items = arena_memdup(&entry->arena, methods->found.items + before, added.count * sizeof(*added.items));
	added.capacity = 0;
	entry->value = arena_memdup(&entry->arena, &added, sizeof(added));
	return 0;
}

static int methods_read_tables(struct methods *methods, struct err *err)
{
	const struct family_context *context = methods->context;
	int files = table_paths_each(context->tree, &context->family->files, methods_read_table, methods, err);

	if (files < 0)
		return files;
	if (!methods->found.count)
		family_warn_no_table(context, files);
	return 0;
}

static int methods_read_embedded(struct methods *methods, struct err *err)
{
	const struct family_context *context = methods->context;
	const struct profile_strings *globs = &context->family->embedded;
	int files = table_files_read(context->tree, globs, context->builder, context->arena, methods_scan_embedded, methods, err);

	if (files < 0)
		return files;
	if (!files && globs->count)
		abi_builder_warning(context->builder, arena_strdup(context->arena, globs->item[0]),
				    "There is no such file, so it is not known which commands carry embedded pointers.");
	embedded_sort(&methods->embedded);
	return 0;
}

static int methods_read(struct methods *methods, struct err *err)
{
	const struct family_context *context = methods->context;
	const struct profile_family *family = context->family;
	int rc;

	if ((rc = methods_read_tables(methods, err)) ||
	    (rc = methods_read_embedded(methods, err)) ||
	    (rc = deprecated_ioctls_read(&methods->deprecated, context, err)) ||
	    (rc = flag_words_read(&methods->flags, context->tree, &family->flag_words, false, context->builder, context->arena, err)))
		return rc;
	return flag_words_read(&methods->access, context->tree, &family->access_words, true, context->builder, context->arena, err);
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
 * semaphore surface's, for one, are in two tables): the same number with the
 * same parameters and flags is one command.
 */
static void methods_unite(struct methods *methods)
{
	const struct family_context *context = methods->context;
	size_t count = methods->found.count;

	if (!count)
		return;
	methods->unique = xmalloc(count * sizeof(*methods->unique));
	for (size_t i = 0; i < count; i++)
		methods->unique[i] = &methods->found.items[i];
	qsort(methods->unique, count, sizeof(*methods->unique), methods_compare);
	for (size_t i = 0; i < count; i++) {
		const struct nvoc_method *one = methods->unique[i];
		const struct nvoc_method *before = methods->unique_count ? methods->unique[methods->unique_count - 1] : NULL;

		if (!before || before->id != one->id)
			methods->unique[methods->unique_count++] = one;
		else if (!methods_same(before, one))
			abi_builder_warning(context->builder, one->source, arena_printf(context->arena,
				"%s has the number 0x%llx of %s at %s, with other parameters or flags; it is left out.",
				one->func, (unsigned long long)one->id, before->func, before->source));
	}
}

static void methods_name(struct methods *methods)
{
	methods->names = xmalloc((methods->unique_count + 1) * sizeof(*methods->names));
	for (size_t i = 0; i < methods->unique_count; i++) {
		const struct nvoc_method *method = methods->unique[i];

		methods->names[i] = (struct command_name){
			.number = method->id, .params = method->params, .func = method->func,
		};
	}
	command_names_find(methods->names, methods->unique_count, methods->context->family, methods->context->macros);
}

/*
 * The driver asks the deprecated table first, and comes to the method only if the flags of the
 * call are not 0: both answer the number, so the ioctl has the flags of both.
 */
static void methods_add_deprecated_words(struct word_set *flags, const struct methods *methods,
					 const struct nvoc_method *method)
{
	struct deprecated_ioctl *deprecated = deprecated_ioctls_find(&methods->deprecated, method->id);
	const struct family_context *context = methods->context;

	if (!deprecated)
		return;
	deprecated->has_method = true;
	for (size_t i = 0; i < deprecated->ioctl.flag_count; i++)
		word_set_add(flags, deprecated->ioctl.flags[i]);
	if (deprecated->ioctl.params && (!method->params || strcmp(method->params, deprecated->ioctl.params)))
		abi_builder_warning(context->builder, deprecated->ioctl.source,
				    arena_printf(context->arena, "%s takes a %s here, and another record as the method at %s, which is what "
							       "stands in the document.", deprecated->ioctl.name,
						 deprecated->ioctl.params, method->source));
}

static void methods_add_deprecated_one(const struct methods *methods, const struct abi_ioctl *deprecated)
{
	struct word_set flags = { 0 };
	struct abi_ioctl ioctl = *deprecated;

	for (size_t i = 0; i < ioctl.flag_count; i++)
		word_set_add(&flags, ioctl.flags[i]);
	if (embedded_has(&methods->embedded, ioctl.number))
		word_set_add(&flags, ABI_FLAG_EMBEDDED_POINTERS);
	ioctl.flags = word_set_seal(&ioctl.flag_count, &flags, methods->context->arena);
	family_add_ioctl(methods->context, &ioctl);
}

/* The deprecated commands that no method answers. */
static void methods_add_deprecated(const struct methods *methods)
{
	for (size_t i = 0; i < methods->deprecated.count; i++) {
		const struct deprecated_ioctl *deprecated = &methods->deprecated.items[i];

		if (!deprecated->has_method)
			methods_add_deprecated_one(methods, &deprecated->ioctl);
	}
}

static void methods_add(const struct methods *methods, const struct nvoc_method *method, const struct command_name *name)
{
	struct arena *arena = methods->context->arena;
	struct word_set flags = { 0 }, access = { 0 };
	struct abi_ioctl ioctl = {
		.family = methods->context->name,
		.name = name->macro ? name->macro->name : method->func,
		.number = method->id,
		.params = method->params,
		.source = method->source,
	};

	flag_words_add_bits(&flags, &methods->flags, method->flags, arena);
	if (embedded_has(&methods->embedded, method->id))
		word_set_add(&flags, ABI_FLAG_EMBEDDED_POINTERS);
	if (method->conditional)
		word_set_add(&flags, ABI_FLAG_CONDITIONAL);
	methods_add_deprecated_words(&flags, methods, method);
	ioctl.flags = word_set_seal(&ioctl.flag_count, &flags, arena);
	flag_words_add_bits(&access, &methods->access, method->access, arena);
	ioctl.access = word_set_join(&access, arena);
	family_add_ioctl(methods->context, &ioctl);
}

static void methods_add_all(struct methods *methods)
{
	methods_unite(methods);
	methods_name(methods);
	for (size_t i = 0; i < methods->unique_count; i++)
		methods_add(methods, methods->unique[i], &methods->names[i]);
	methods_add_deprecated(methods);
}

static void methods_release(struct methods *methods)
{
	flag_words_release(&methods->access);
	flag_words_release(&methods->flags);
	free(methods->embedded.items);
	free(methods->deprecated.items);
	free(methods->names);
	free(methods->unique);
	free(methods->found.items);
}

int methods_add_family(const struct family_context *context, struct err *err)
{
	struct methods methods = { .context = context };
	int rc = methods_read(&methods, err);

	if (!rc)
		methods_add_all(&methods);
	methods_release(&methods);
	return rc;
}
