#include "cli/sniff_library.h"

#include "cli/output.h"
#include "cli/sniff_recorder.h"
#include "sniff/sniff.h"

#include <string.h>
#include <unistd.h>

#define LIBRARY "libdrvabi-preload.so"

static void started(void *data)
{
	sniff_log_begin(data, sniff_target());
}

static bool bytes(void *data, const void *bytes_, size_t size_bytes)
{
	sniff_log_bytes(data, bytes_, size_bytes);
	return true;
}

static bool no_bytes(void *data, const void *bytes_, size_t size_bytes)
{
	(void)data;
	(void)bytes_;
	(void)size_bytes;
	return true;
}

/* Beside the program, where it is built, or where it is installed to. */
static const char *find_library(struct arena *arena)
{
	const char *program = data_surroundings(arena).program;
	const char *slash = program ? strrchr(program, '/') : NULL;
	const int length = slash ? (int)(slash - program) : 0;
	const char *beside = arena_printf(arena, "%.*s/" LIBRARY, length, program ? program : "");

	return access(beside, R_OK) ? arena_printf(arena, "%.*s/../lib/drvabi/" LIBRARY, length, program ? program : "") : beside;
}

/* What is written is what was recorded, unless somebody is to be told of each call. */
static bool is_told(const struct sniff_log *log)
{
	return !log->args->quiet || log->args->verbose || log->is_json || log->enforce != SNIFF_ENFORCE_NOT || log->wire != TRACE_WIRE_DRVABI;
}

int sniff_library_run(struct sniff_result *out, const struct sniff_options *options, struct sniff_log *log, struct err *err)
{
	const bool told = is_told(log);
	const struct preload_observer observer = { .started = started, .bytes = told ? no_bytes : bytes, .message = told ? sniff_recorder_message : NULL,
						   .loss = sniff_recorder_loss, .data = log };
	const struct preload_options preload = { .library = find_library(&log->arena), .command = options->command,
						 .environment = options->environment, .abi = options->abi, .rules = options->pointers,
						 .devices = options->devices, .region_bytes = options->region_bytes };
	struct preload_result result = { .status = 0 };
	int rc;

	if (!told)
		sniff_log_pack(log);
	if (!(rc = preload_run(&result, &preload, &observer, err)))
		*out = (struct sniff_result){ .status = result.status, .was_ended = result.was_ended };
	return rc;
}
