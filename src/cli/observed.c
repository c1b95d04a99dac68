/*
 * 1. Each message of a trace is followed through its envelopes (decode/call.h), with the document of the trace's version.
 * 2. What the driver served is a use, under the name that the document has.
 * 3. The uses of all traces are sorted, and each is there once.
 */
#include "cli/observed.h"

#include "cli/load.h"
#include "cli/load_use.h"
#include "cli/output.h"
#include "cli/trace_file.h"

#include "decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* One trace. */
struct observed_run {
	const struct cli_args *args;
	const char *version;       /* if the trace does not say its own */
	const char *cap, *name;    /* of the trace */
	struct store_request one;
	bool has_document;
	struct use_rules use;
	struct bootstrap_use **uses; /* of all traces */
	size_t *count, *capacity;
	struct arena *arena;
};

/* --- memory ------------------------------------------------------------------------- */

/* Bytes of a message at an address; @is_after: as they are when the call has returned. */
static const struct trace_bytes *bytes_at(const struct trace_message *message, uint64_t address, bool is_after)
{
	if (address == message->argument)
		return is_after ? &message->after : &message->before;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == address)
			return is_after ? &message->memory[i].after : &message->memory[i].before;
	return NULL;
}

static bool read_before(const uint8_t **out, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_bytes *found = bytes_at(data, address, false);

	if (!found || !found->bytes || found->size_bytes < size_bytes)
		return false;
	*out = found->bytes;
	return true;
}

/* --- calls --------------------------------------------------------------------------- */

static bool is_status(const struct abi *abi, const char *name, uint64_t value)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return constant && constant->value.magnitude == value;
}

/* Does an envelope say that the driver has no such thing as is inside? */
static bool is_refused(const struct trace_message *message, const struct call *envelope, const struct abi *abi)
{
	const struct trace_bytes *after = bytes_at(message, envelope->address, true);
	uint64_t status;

	if (!after || !after->bytes || !envelope->record ||
	    !call_field_value(&status, abi, envelope->record, "status", after->bytes, after->size_bytes))
		return false;
	return is_status(abi, "NV_ERR_NOT_SUPPORTED", status) || is_status(abi, "NV_ERR_INVALID_CLASS", status);
}

/* Has this trace been seen to use it? */
static bool is_known(const struct observed_run *run, const struct call *call, const char *name)
{
	for (size_t i = *run->count; i-- > 0;) {
		const struct bootstrap_use *use = &(*run->uses)[i];

		if (use->number == call->number && !strcmp(use->name, name) && !strcmp(use->family, call->family) && use->cap == run->cap &&
		    use->trace == run->name)
			return true;
	}
	return false;
}

static void add_use(struct observed_run *run, const struct call *call)
{
	const char *name = call->ioctl ? call->ioctl->name : "";

	if (is_known(run, call, name))
		return;
	ARRAY_GROW(*run->uses, *run->count, *run->capacity);
	(*run->uses)[(*run->count)++] = (struct bootstrap_use){
		arena_strdup(run->arena, call->family), arena_strdup(run->arena, name), call->number, run->cap, run->name,
	};
}

static void add_call(struct observed_run *run, const struct trace_message *message)
{
	const struct call_memory memory = { .read = read_before, .data = (void *)message };
	const struct trace_bytes *bytes = message->before.bytes ? &message->before : &message->after;
	struct call first = { .family = NULL }, chain[CALL_DEPTH_MAX];
	size_t count;

	first.family = call_identify_on(&first.number, &run->use.devices, message->fd_path, message->request);
	if (!first.family || message->ret < 0)
		return;
	first.address = message->argument;
	first.bytes = bytes->bytes;
	first.size_bytes = bytes->size_bytes;
	first.has_size = bytes->bytes != NULL;
	count = call_follow(chain, &first, &run->one.abi, &memory);
	for (size_t i = 0; i < count; i++) {
		add_use(run, &chain[i]);
		if (is_refused(message, &chain[i], &run->one.abi))
			return;
	}
}

/* --- traces -------------------------------------------------------------------------- */

/* The document of the version that the first message names. */
static int load_document(struct observed_run *run, const struct trace_message *message, struct err *err)
{
	const bool is_header = message->kind == TRACE_HEADER;
	struct cli_args args = *run->args;
	int rc;

	run->one.version = is_header && *message->version ? arena_strdup(run->arena, message->version) : run->version;
	if (!args.target_given && is_header && *message->target)
		args.target = arena_strdup(run->arena, message->target);
	if ((rc = load_documents(&run->one, 1, &args, err))) {
		err_prefix(err, "%s", run->name);
		return rc;
	}
	run->has_document = true;
	return 0;
}

static int add_message(const struct trace_message *message, void *data, struct err *err)
{
	struct observed_run *run = data;
	int rc;

	if (!run->has_document && (rc = load_document(run, message, err)))
		return rc;
	if (message->kind == TRACE_IOCTL)
		add_call(run, message);
	return 0;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* "compute=FILE": sets the capability and the path. */
static int split(const char **cap, const char **path, const char *item, struct err *err)
{
	const size_t length = strcspn(item, "=");
	struct strbuf all = { 0 };
	int rc;

	for (const char *const *known = table_caps; *known; known++) {
		if (strlen(*known) == length && !strncmp(*known, item, length) && item[length] && item[length + 1]) {
			*cap = *known;
			*path = item + length + 1;
			strbuf_release(&all);
			return 0;
		}
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", *known);
	}
	rc = err_set(err, ERR_USAGE, "--trace takes CAP=TRACE, with one of the capabilities %s, not '%s'", all.text, item);
	strbuf_release(&all);
	return rc;
}

static int load_trace(struct observed_run *run, const char *item, struct err *err)
{
	const size_t before = *run->count;
	uint64_t cut_bytes = UINT64_MAX;
	const char *path = "";
	int rc;

	if ((rc = split(&run->cap, &path, item, err)))
		return rc;
	run->name = file_name(path);
	if (!(rc = trace_file_each(&cut_bytes, path, add_message, run, err))) {
		trace_file_warn(run->args, path, cut_bytes);
		if (*run->count == before)
			output_note(run->args, "%s has no ioctl that the driver served", path);
	}
	load_documents_release(&run->one, 1);
	return rc;
}

int observed_load(struct bootstrap_observed *out, const struct cli_args *args, const char *version, struct arena *arena, struct err *err)
{
	struct bootstrap_use *uses = NULL;
	size_t count = 0, capacity = 0;
	int rc = 0;

	for (size_t i = 0; i < args->traces.count && !rc; i++) {
		struct observed_run run = { .args = args, .version = version, .uses = &uses, .count = &count, .capacity = &capacity, .arena = arena };

		if (!(rc = load_use(&run.use, args, arena, err)))
			rc = load_trace(&run, args->traces.items[i], err);
	}
	if (!rc && count) {
		qsort(uses, count, sizeof(*uses), bootstrap_use_order);
		out->uses = arena_memdup(arena, uses, count * sizeof(*uses));
		out->count = count;
	}
	free(uses);
	return rc;
}
