/*
 * extract/ioctls_fake.h - a tree in memory, and a document that a test fills
 *
 * Only tests include this header.
 */
#ifndef EXTRACT_IOCTLS_FAKE_H
#define EXTRACT_IOCTLS_FAKE_H

#include "abi/abi.h"
#include "extract/internal.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define FAKE_STRINGS(...)                                                                                    \
	{ (const char *const[]){ __VA_ARGS__ },                                                              \
	  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *) }

struct fake_file {
	const char *path;
	const char *text;
};

/* A tree in memory. A glob matches only a file whose path is equal to it. */
struct fake_tree {
	struct tree tree;
	const struct fake_file *files;
	size_t count;
	int read_fails; /* the error that reading a file returns; 0 if reading succeeds */
};

static inline const struct fake_file *fake_find(struct tree *tree, const char *path)
{
	struct fake_tree *fake = (struct fake_tree *)tree;

	for (size_t i = 0; i < fake->count; i++)
		if (!strcmp(fake->files[i].path, path))
			return &fake->files[i];
	return NULL;
}

static inline int fake_glob(struct tree *tree, const char *pattern, const char ***paths, size_t *count,
			    struct err *err)
{
	const struct fake_file *file = fake_find(tree, pattern);

	(void)err;
	if (file) {
		*paths = xrealloc(*paths, (*count + 1) * sizeof(**paths));
		(*paths)[(*count)++] = file->path;
	}
	return 0;
}

static inline int fake_read(struct tree *tree, const char *path, const char **text, size_t *size,
			    struct err *err)
{
	const struct fake_file *file = fake_find(tree, path);
	int fails = ((struct fake_tree *)tree)->read_fails;

	if (fails)
		return err_set(err, fails, "cannot read %s", path);
	*text = file->text;
	*size = strlen(file->text);
	return 0;
}

static const struct tree_ops fake_ops = { .glob = fake_glob, .read = fake_read };

/* A document that a test fills and then checks. */
struct fake_document {
	struct arena arena;
	struct abi_builder *builder;
	struct abi abi;
};

static inline void fake_begin(struct fake_document *document)
{
	*document = (struct fake_document){ 0 };
	document->builder = abi_builder_new(&document->arena);
}

static inline void fake_seal(struct fake_document *document)
{
	static const struct abi head;

	abi_builder_seal(&document->abi, document->builder, &head);
	abi_builder_free(document->builder);
	document->builder = NULL;
}

static inline void fake_end(struct fake_document *document)
{
	abi_builder_free(document->builder);
	arena_release(&document->arena);
}

static inline struct table_file fake_table_file(struct fake_document *document, const char *text)
{
	return (struct table_file){
		.path = "t.c",
		.text = text,
		.size = strlen(text),
		.builder = document->builder,
		.arena = &document->arena,
	};
}

/* Seals the document, and checks that it has exactly one warning, at @source and with @words in its text. */
static inline void fake_warns_only(struct fake_document *document, const char *source, const char *words)
{
	fake_seal(document);
	assert_int_equal(document->abi.warning_count, 1);
	assert_string_equal(document->abi.warnings[0].place, source);
	assert_non_null(strstr(document->abi.warnings[0].text, words));
}

static inline void fake_warns_nothing(struct fake_document *document)
{
	fake_seal(document);
	if (document->abi.warning_count)
		fail_msg("%s: %s", document->abi.warnings[0].place, document->abi.warnings[0].text);
}

#endif
