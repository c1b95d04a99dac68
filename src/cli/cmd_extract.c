#include "cli/commands.h"
#include "cli/load.h"
#include "cli/output.h"

#include "extract/extract.h"
#include "abi/abi.h"

#include <string.h>

/* The names of --input. */
static int read_wanted(struct extract_wanted *out, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct profile_strings structs, constants;
	struct strbuf file = { 0 };
	int rc;

	if (args->constants)
		return err_set(err, ERR_USAGE, "--constants is about a driver's tree; with --input, list names under \"constants\" in %s", args->input);
	if (args->word_count != 1)
		return err_set(err, ERR_USAGE, "--input goes with one source file: drvabi extract --input NAMES.json FILE -- CLANG-ARGS");
	rc = file_read(&file, args->input, 64 * 1024 * 1024, err);
	if (!rc)
		rc = json_read_wanted(&structs, &constants, strbuf_text(&file), file.length, args->input, arena, err);
	strbuf_release(&file);
	if (!rc)
		*out = (struct extract_wanted){ .structs = structs.item, .struct_count = structs.count,
						.constants = constants.item, .constant_count = constants.count };
	return rc;
}

/*
 * gVisor's driver_ast_parser, dropped in. Names that the file lacks do not hold up the others: what there is, is printed,
 * and @missing says how many there are.
 */
static int extract_wanted(struct abi *abi, size_t *missing, const struct cli_args *args, struct arena *arena, struct err *err)
{
	struct extract_wanted wanted;
	int rc;

	if ((rc = read_wanted(&wanted, args, arena, err)) ||
	    (rc = store_source_file(abi, missing, args->words[0], args->rest, args->rest_count, &wanted, arena, err)))
		return rc;
	if (!args->quiet)
		load_warn_each(abi, NULL);
	return 0;
}

static int fail_missing(size_t missing, const struct cli_args *args, struct err *err)
{
	return err_set(err, ERR_NOT_FOUND, "%s: %zu of the names in %s %s not there; the rest was extracted", args->words[0], missing,
		       args->input, missing == 1 ? "is" : "are");
}

static int extract_version(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (args->word_count > 1 || (args->word_count && args->version))
		return err_set(err, ERR_USAGE, "extract reads one version at a time");
	if (args->has_rest)
		return err_set(err, ERR_USAGE, "arguments for clang after -- go with --input only");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave '%s' out", request->version);
	return load_documents(request, 1, args, err);
}

int cmd_extract(const struct cli_args *args, struct err *err)
{
	struct store_request request = { 0 };
	struct strbuf out = { 0 };
	struct json_writer writer = { .out = &out };
	size_t missing = 0;
	int rc;

	if (args->input)
		rc = extract_wanted(&request.abi, &missing, args, &request.arena, err);
	else
		rc = extract_version(&request, args, err);
	if (!rc) {
		json_write_abi(&writer, &request.abi);
		rc = output_write(&out, args, err);
	}
	if (!rc && missing)
		rc = fail_missing(missing, args, err);
	strbuf_release(&out);
	load_documents_release(&request, 1);
	return rc;
}
