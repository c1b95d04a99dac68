#include "cli/gen_client.h"

#include "cli/load.h"
#include "cli/trace_file.h"

#include "gen/client.h"

#include <string.h>

/* What one run has read. */
struct client_run {
	const struct cli_args *args;
	struct store_request one;
	struct gen_client *client; /* NULL until the version is known */
	const char *version, *target;
	struct arena arena;
};

static int check_words(const struct cli_args *args, struct err *err)
{
	const char *other = args->style ? "style" : args->package ? "package" : args->table ? "table" : args->versions ? "versions" : args->pid_shim ? "pid-shim" : args->constants ? "constants" : NULL;

	if (!args->lang || strcmp(args->lang, "c") != 0)
		return err_set(err, ERR_USAGE, "--client is written in C alone; add --lang c");
	if (other)
		return err_set(err, ERR_USAGE, "--client has nothing to do with --%s; leave it out", other);
	if (args->word_count)
		return err_set(err, ERR_USAGE, "--client takes all calls of the trace; leave '%s' out", args->words[0]);
	return 0;
}

/* The document that the user asked for, or else the one of the trace's header. */
static int begin(struct client_run *run, const struct trace_message *message, struct err *err)
{
	const bool is_header = message->kind == TRACE_HEADER;
	struct cli_args args = *run->args;
	int rc;

	if (!args.version && !args.json && !args.dir) {
		if (!is_header || !*message->version)
			return err_set(err, ERR_USAGE, "%s does not say which version of the driver it is of; add --version VERSION", args.client);
		args.version = run->version = arena_strdup(&run->arena, message->version);
	}
	if (!args.target_given && is_header && *message->target)
		args.target = run->target = arena_strdup(&run->arena, message->target);
	run->one.version = args.version;
	run->one.json = args.json;
	if ((rc = load_documents(&run->one, 1, &args, err)))
		return rc;
	run->client = gen_client_new(&run->one.abi);
	return 0;
}

static int add(const struct trace_message *message, void *data, struct err *err)
{
	struct client_run *run = data;
	int rc;

	if (!run->client && (rc = begin(run, message, err)))
		return rc;
	return gen_client_add(run->client, message, err);
}

int gen_client(struct strbuf *out, const struct cli_args *args, struct err *err)
{
	struct client_run run = { .args = args };
	uint64_t cut_bytes = UINT64_MAX;
	int rc;

	if (!(rc = check_words(args, err)) && !(rc = trace_file_each(&cut_bytes, args->client, add, &run, err))) {
		trace_file_warn(args, args->client, cut_bytes);
		if (run.client && gen_client_count(run.client))
			gen_client_write(out, run.client);
		else
			rc = err_set(err, ERR_NOT_FOUND, "%s has no calls", args->client);
	}
	gen_client_free(run.client);
	load_documents_release(&run.one, 1);
	arena_release(&run.arena);
	return rc;
}
