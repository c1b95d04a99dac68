/*
 * cli/bootstrap_files.c - what bootstrap writes into a directory
 *
 * All texts are complete before the first is written. Each file appears whole
 * (file_write_atomic()); if one cannot be written, those before it get the bytes
 * that they had, or go.
 */
#include "cli/bootstrap_files.h"

#include "cli/output.h"
#include "gen/gen.h"
#include "abi/abi.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 4, OLD_LIMIT_BYTES = 256 * 1024 * 1024 };

struct out_file {
	const char *path;
	struct strbuf text;
	struct strbuf old; /* what it held before */
	bool was_there, written;
};

static void render_patch(struct strbuf *out, const struct bootstrap *bootstrap)
{
	struct json_writer writer = { .out = out };

	json_write_table_patch(&writer, &bootstrap->patch);
}

/* The types as gVisor's package nvgpu has its own; a file without types is one of Go as well. */
static void render_structs(struct strbuf *out, const struct bootstrap *bootstrap, struct arena *arena)
{
	const struct gen_file file = {
		.style = GEN_NVPROXY,
		.package = "nvgpu",
		.origin = arena_printf(arena, "%s %s, %s", bootstrap->driver, bootstrap->version, bootstrap->target),
		.types = bootstrap->types,
		.type_count = bootstrap->type_count,
	};

	gen_go(out, &file);
}

static void render(struct out_file files[FILES], const char *dir, const struct bootstrap *bootstrap, struct arena *arena)
{
	static const char *const names[FILES] = { "report.md", "table.patch.json", "structs.go", "bootstrap.json" };

	for (size_t i = 0; i < FILES; i++)
		files[i] = (struct out_file){ .path = arena_printf(arena, "%s/%s", dir, names[i]) };
	report_bootstrap_markdown(&files[0].text, bootstrap);
	render_patch(&files[1].text, bootstrap);
	render_structs(&files[2].text, bootstrap, arena);
	report_bootstrap_json(&files[3].text, bootstrap);
}

/* Remembers what is there. A link, a pipe or a device is refused: what it was could not be put back. */
static int read_old(struct out_file *file, struct err *err)
{
	struct stat st;
	int rc;

	if (lstat(file->path, &st))
		return errno == ENOENT ? 0 : err_set(err, ERR_IO, "cannot look at %s: %s", file->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "%s is no file; remove it, or name another directory", file->path);
	if ((rc = file_check_output(file->path, err)))
		return rc;
	file->was_there = true;
	rc = file_read(&file->old, file->path, OLD_LIMIT_BYTES, err);
	file_forget_input(file->path);
	return rc;
}

/* Puts back what a file was, or removes it; what fails here cannot be helped. */
static void undo(const struct out_file *file)
{
	struct err ignored;

	if (file->was_there)
		file_write_atomic(file->path, strbuf_text(&file->old), file->old.length, &ignored);
	else
		unlink(file->path);
}

static int write_all(struct out_file files[FILES], struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < FILES && !rc; i++)
		rc = read_old(&files[i], err);
	for (size_t i = 0; i < FILES && !rc; i++) {
		rc = file_write_atomic(files[i].path, strbuf_text(&files[i].text), files[i].text.length, err);
		files[i].written = !rc;
	}
	for (size_t i = 0; i < FILES && rc; i++)
		if (files[i].written)
			undo(&files[i]);
	return rc;
}

/* Return: 1 if the directory was made, 0 if it was there, ERR_IO. */
static int make_dir(const char *dir, struct err *err)
{
	struct stat st;

	if (!mkdir(dir, 0777))
		return 1;
	if (errno != EEXIST)
		return err_set(err, ERR_IO, "cannot make the directory %s: %s", dir, strerror(errno));
	if (stat(dir, &st) || !S_ISDIR(st.st_mode))
		return err_set(err, ERR_IO, "%s is no directory; bootstrap writes four files, into a directory", dir);
	return 0;
}

int bootstrap_files_write(const char *dir, const struct bootstrap *bootstrap, struct err *err)
{
	struct arena arena = { 0 };
	struct out_file files[FILES];
	int made, rc;

	if ((made = make_dir(dir, err)) < 0)
		return made;
	render(files, dir, bootstrap, &arena);
	rc = write_all(files, err);
	if (rc && made)
		rmdir(dir);
	for (size_t i = 0; i < FILES; i++) {
		strbuf_release(&files[i].text);
		strbuf_release(&files[i].old);
	}
	arena_release(&arena);
	return rc;
}
