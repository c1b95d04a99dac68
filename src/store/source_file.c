#include "store/store.h"

#include "extract/extract.h"
#include "store/bounded.h"

/* One file to read, and what became of it. */
struct reading {
	const char *path;
	const char *const *clang_args;
	size_t arg_count;
	const struct extract_wanted *wanted;
	struct abi *abi;
	size_t missing;
	struct arena *arena;
	struct err *err;
	int rc;
};

/* From the worker come the number of names that are missing, then the document. */
static int work(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct reading *reading = data;
	struct arena arena = { 0 };
	size_t missing = 0;
	struct abi abi;
	int rc;

	(void)index;
	rc = extract_file(&abi, &missing, reading->path, reading->clang_args, reading->arg_count, reading->wanted, &arena, err);
	if (!rc) {
		varint_put(out, missing);
		abi_serialize(out, &abi);
	}
	arena_release(&arena);
	return rc;
}

static int read_answer(struct reading *reading, const struct strbuf *bytes)
{
	const unsigned char *at = (const unsigned char *)strbuf_text(bytes), *end = at + bytes->length;
	uint64_t missing;

	if (!varint_get(&missing, &at, end))
		return err_set(reading->err, ERR_FORMAT, "%s: the worker's answer is cut short", reading->path);
	reading->missing = missing;
	return abi_deserialize(reading->abi, at, (size_t)(end - at), reading->arena, reading->err);
}

static void done(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err)
{
	struct reading *reading = data;

	(void)index;
	reading->rc = rc ? err_set(reading->err, rc, "%s", err->text) : read_answer(reading, bytes);
}

static const char *name(void *data, size_t index)
{
	(void)index;
	return ((const struct reading *)data)->path;
}

int store_source_file(struct abi *out, size_t *missing, const char *path, const char *const *clang_args, size_t arg_count,
		      const struct extract_wanted *wanted, struct arena *arena, struct err *err)
{
	struct reading reading = { path, clang_args, arg_count, wanted, out, 0, arena, err, 0 };
	const struct bounded_ops ops = { work, done, name, &reading };
	int rc = bounded_run(&ops, 1, 1, err);

	if (!rc && !reading.rc)
		*missing = reading.missing;
	return rc ? rc : reading.rc;
}
