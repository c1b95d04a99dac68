#include "cli/load_header.h"

#include "cli/load.h"
#include "verify/verify.h"
#include "extract/extract.h"

#include <string.h>

enum { TEXT_BYTES_MAX = 64 * 1024 * 1024 };

int load_header_check(const struct cli_args *args, struct err *err)
{
	if (args->table_from_header && args->table)
		return err_set(err, ERR_USAGE, "--table and --table-from-header name two proxies; give one");
	if (args->table_from_header && !args->version)
		return err_set(err, ERR_USAGE, "--table-from-header needs --version VERSION: a header has the structs of one version");
	if (!args->table_from_header && args->map)
		return err_set(err, ERR_USAGE, "--map goes with --table-from-header only");
	if (!args->table_from_header && args->has_rest)
		return err_set(err, ERR_USAGE, "arguments for clang after -- go with --table-from-header only");
	return 0;
}

static int read_lines(struct ctable_map *map, const char *path, enum ctable_kind kind, struct arena *arena, struct err *err)
{
	struct strbuf file = { 0 };
	int rc;

	rc = file_read(&file, path, TEXT_BYTES_MAX, err);
	if (!rc && strlen(strbuf_text(&file)) != file.length)
		rc = err_set(err, ERR_FORMAT, "%s: this is no text file, it has a NUL byte", path);
	if (!rc)
		rc = ctable_read(map, strbuf_text(&file), kind, path, arena, err);
	strbuf_release(&file);
	return rc;
}

/* The user's arguments come last, so they override the others. */
static const char *const *clang_args(size_t *count, const struct cli_args *args, struct arena *arena)
{
	const char **all = arena_array(arena, args->rest_count + 2, sizeof(*all));

	all[0] = arena_printf(arena, "--target=%s", args->target);
	all[1] = "-ffreestanding";
	for (size_t i = 0; i < args->rest_count; i++)
		all[i + 2] = args->rest[i];
	*count = args->rest_count + 2;
	return all;
}

static int read_header(struct abi *out, const struct ctable_map *map, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct profile_strings types, numbers;
	struct extract_wanted wanted;
	const char *const *clang;
	size_t clang_count, missing;

	ctable_wanted(&types, &numbers, map, arena);
	wanted = (struct extract_wanted){ .structs = types.item, .struct_count = types.count,
					  .numbers = numbers.item, .number_count = numbers.count };
	clang = clang_args(&clang_count, args, arena);
	return store_source_file(out, &missing, args->table_from_header, clang, clang_count, &wanted, arena, err);
}

int load_header_table(struct table *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct ctable_head head = { .path = args->table_from_header, .version = args->version };
	struct ctable_map map = { 0 };
	struct profile profile;
	struct abi abi;
	int rc;

	if ((rc = load_profile(&profile, args, arena, err)) ||
	    (rc = read_lines(&map, args->table_from_header, CTABLE_HEADER, arena, err)) ||
	    (args->map && (rc = read_lines(&map, args->map, CTABLE_MAP, arena, err))) ||
	    (rc = read_header(&abi, &map, args, arena, err)))
		goto out;
	head.profile = &profile;
	rc = ctable_build(out, &map, &abi, &head, arena, err);
	if (!rc)
		load_warn(&abi, args->table_from_header, args);
out:
	ctable_release(&map);
	return rc;
}
