#include "store/reader.h"

#include "extract/extract.h"

#include <stdint.h>
#include <string.h>

/* The document: the declarations of the headers, then the ioctls, whose numbers are their macros. */
static int extract_document(struct abi *out, bool *inside_roots, struct tree *tree, const struct store_options *options,
			    struct memo *memo, struct arena *arena, struct err *err)
{
	const struct extract_options how = { .target = options->target, .memo = memo };
	const struct abi head = {
		.driver = options->profile->name, .version = tree->version, .commit = tree->commit, .target = options->target,
	};
	struct abi_builder *builder = abi_builder_new(arena);
	struct extract_result result;
	int rc;

	memo_age(memo);
	if ((rc = extract_tree(&result, builder, tree, options->profile, &how, arena, err)) ||
	    (rc = ioctls_add(builder, tree, options->profile, &result.macros, memo, arena, err)))
		goto out;
	abi_builder_seal(out, builder, &head);
	*inside_roots = result.inside_roots;
out:
	abi_builder_free(builder);
	return rc;
}

/* The packed document, behind a byte that says whether its key decides it. */
static int read_tree(struct strbuf *out, struct tree *tree, const struct store_options *options, struct memo *memo, struct err *err)
{
	struct arena arena = { 0 };
	bool inside_roots;
	struct abi abi;
	int rc = extract_document(&abi, &inside_roots, tree, options, memo, &arena, err);

	if (!rc) {
		strbuf_addch(out, inside_roots ? READER_DOCUMENT_OF_KEY : READER_DOCUMENT);
		abi_serialize(out, &abi);
	}
	arena_release(&arena);
	return rc;
}

/* What a failed reading asked is not all that one that succeeds does: it is not remembered. */
static int read_noting(struct strbuf *out, struct reader *reader, size_t job, struct tree *tree, const struct store_options *options,
		       struct err *err)
{
	const size_t at = reader->past_count % READER_PAST_MAX;
	struct dependencies *dependencies = &reader->past[at].dependencies;
	struct tree *noting;
	int rc;

	dependencies_release(dependencies);
	reader->past[at].job = job;
	noting = dependencies_tree(dependencies, tree);
	rc = read_tree(out, noting, options, reader->memo, err);
	tree_free(noting);
	reader->past_count += !rc;
	return rc;
}

/* Appends the job of the same document. Return: is there one? */
static bool add_job(struct strbuf *out, struct reader *reader, struct tree *tree)
{
	size_t count = reader->past_count < READER_PAST_MAX ? reader->past_count : READER_PAST_MAX;

	for (size_t i = 1; i <= count; i++) {
		const size_t at = (reader->past_count - i) % READER_PAST_MAX;

		if (!dependencies_hold(&reader->past[at].dependencies, tree))
			continue;
		strbuf_addch(out, READER_JOB);
		strbuf_add(out, &reader->past[at].job, sizeof(reader->past[at].job));
		return true;
	}
	return false;
}

int reader_read(struct strbuf *out, struct reader *reader, size_t job, struct tree *tree, const struct store_options *options, struct err *err)
{
	if (!reader->memo)
		reader->memo = memo_new();
	return add_job(out, reader, tree) ? 0 : read_noting(out, reader, job, tree, options, err);
}

size_t reader_job(const struct strbuf *answer)
{
	size_t job = SIZE_MAX;

	if (answer->length == 1 + sizeof(job) && answer->text[0] == READER_JOB)
		memcpy(&job, answer->text + 1, sizeof(job));
	return job;
}
