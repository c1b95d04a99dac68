#include "store/store.h"

#include "extract/extract.h"
#include "store/workers.h"

/* One file to read, and what became of it. */
struct reading {
	const char *path;
	const char *const *clang_args;
	size_t arg_count;
	const struct extract_wanted *wanted;
	struct abi *abi;
	struct arena *arena;
	struct err *err;
	int rc;
};

static int work(void *data, size_t index, struct strbuf *out, struct err *err)
{
	const struct reading *reading = data;
	struct arena arena = { 0 };
	struct abi abi;
	int rc;

	(void)index;
	rc = extract_file(&abi, reading->path, reading->clang_args, reading->arg_count, reading->wanted, &arena, err);
	if (!rc)
		abi_pack(out, &abi);
	arena_release(&arena);
	return rc;
}

static void done(void *data, size_t index, int rc, const struct strbuf *bytes, const struct err *err)
{
	struct reading *reading = data;

	(void)index;
	if (rc)
		reading->rc = err_set(reading->err, rc, "%s", err->text);
	else
		reading->rc = abi_unpack(reading->abi, strbuf_text(bytes), bytes->length, reading->arena, reading->err);
}

static const char *name(void *data, size_t index)
{
	(void)index;
	return ((const struct reading *)data)->path;
}

int store_source_file(struct abi *out, const char *path, const char *const *clang_args, size_t arg_count,
		      const struct extract_wanted *wanted, struct arena *arena, struct err *err)
{
	struct reading reading = { path, clang_args, arg_count, wanted, out, arena, err, 0 };
	const struct workers_ops ops = { work, done, name, &reading };
	int rc = workers_run(&ops, 1, 1, err);

	return rc ? rc : reading.rc;
}
