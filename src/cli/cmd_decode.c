/* cli/cmd_decode.c - drvabi decode: one ioctl from the command line, or a log or trace (decode_log.c) */
#include "cli/cli.h"

#include <sys/stat.h>

/*
 * the bytes of a call's parameters
 *
 * The bytes are given as hexadecimal digits on the command line, or as a file that contains digits or the
 * output of hexdump or xxd.
 */

enum { TEXT_LIMIT_BYTES = 128 * 1024 * 1024 };

/* Appends the bytes of the digits or the dump in the file @path, or "-". @format: as for hex_read() */
static int read_dump_file(struct strbuf *out, const char *path, const char *format, struct err *err)
{
	struct strbuf text = { 0 };
	int rc;

	if ((rc = file_read(&text, path, TEXT_LIMIT_BYTES, err)))
		goto out;
	if (strlen(strbuf_text(&text)) < text.length)
		rc = err_set(err, ERR_FORMAT,
			"the file has a NUL byte; it must be text: hexadecimal digits, or the output of hexdump or xxd");
	else
		rc = hex_read(out, strbuf_text(&text), format, err);
	if (rc)
		err_prefix(err, "%s", strcmp(path, "-") ? path : "standard input");
out:
	strbuf_release(&text);
	return rc;
}

/*
 * Appends the bytes that @word, hexadecimal digits or the name of a file, contains. @format is the value of
 * --input: @word is then the name of a file in that format. Without @format, the format is recognised, and a
 * word of digits is never a file's name, even if such a file exists.
 */
static int payload_read(struct strbuf *out, const char *word, const char *format, struct err *err)
{
	int rc;

	if (format || !strcmp(word, "-"))
		return read_dump_file(out, word, format, err);
	if (!(rc = hex_read(out, word, NULL, err)) || !load_is_file(word))
		return rc;
	return read_dump_file(out, word, NULL, err);
}

/* Checks that --input names a format of logs if @is_log is true, or else of bytes. Return: 0; ERR_USAGE. */
static int payload_check_input(const char *format, bool is_log, struct arena *arena, struct err *err)
{
	struct strbuf names = { 0 };
	bool is_call = format && (!strcmp(format, "trace") || !strcmp(format, "gvisor"));
	const char *known;

	if (!format)
		return 0;
	strbuf_adds(&names, "trace, gvisor, ");
	for (size_t i = 0; decode_lines_format(i); i++) {
		is_call |= !strcmp(decode_lines_format(i), format);
		strbuf_addf(&names, "%s, ", decode_lines_format(i));
	}
	known = strbuf_take(&names, arena);
	if (!is_call && !hex_has_format(format))
		return usage_error(err, "--input has no format '%s'; use %shex, hexdump or xxd", format, known);
	if (is_log && !is_call)
		return usage_error(err,
			"--input %s is for the bytes of one call; name the call with --control, --alloc, --uvm or a request",
			format);
	if (!is_log && is_call)
		return usage_error(err,
			"--input %s is for a log, but the call is named already; for the call's bytes, use hex, hexdump or xxd",
			format);
	return 0;
}

/* The state of one run of decode. */
struct decode_run {
	const struct cli_args *args;
	struct loaded_scope loaded;
	const char *call_name; /* the value of --control, --alloc or --uvm, unless it is a number */
	struct decode_input input; /* its memory is that of the arguments ADDRESS=HEX */
};

/* --- the command line ------------------------------------------------------------------- */

/*
 * Returns the family that --control, --alloc or --uvm names, and sets @number to the option's value. Both are
 * NULL if none of the options was given.
 */
static const char *named_family(const struct cli_args *args, const char **number)
{
	*number = args->control ? args->control : args->alloc ? args->alloc : args->uvm;
	return args->control ? "control" : args->alloc ? "alloc" : args->uvm ? "uvm" : NULL;
}

/* Returns true if one call is named. A request is a number, and not the name of an existing file. */
static bool is_single(const struct cli_args *args)
{
	const char *name;
	struct stat st;
	uint64_t number;

	return named_family(args, &name) ||
	       (args->word_count && hex_number(&number, args->words[0]) && stat(args->words[0], &st));
}

/*
 * Sets the family and number of run->input, or run->call_name for a name, from a request, or from the value
 * of --control, --alloc or --uvm. A request also gives the size of the parameters. Return: 0; ERR_USAGE.
 */
static int read_ioctl_word(struct decode_run *run, struct err *err)
{
	struct decode_input *input = &run->input;
	const char *number;
	uint64_t request;

	input->family = named_family(run->args, &number);
	if (!number)
		number = run->args->words[0];
	if (!hex_number(&input->number, number)) {
		if (!input->family)
			return usage_error(err,
					   "'%s' is not a number; a number is decimal, or begins with 0x",
					   number);
		run->call_name = number;
	}
	if (input->family)
		return 0;
	request = input->number;
	input->size_bytes = abi_ioc_get(request, ABI_IOC_SIZE);
	input->family = call_identify(&input->number, NULL, request);
	if (!input->family)
		return usage_error(err,
			"%s is not a request of the driver's devices; name a command with --control %s, a class with --alloc, "
			"or an ioctl of UVM with --uvm",
			number, number);
	input->has_size = call_request_size(input->family, request) > 0;
	return 0;
}

/*
 * Adds the bytes of an argument ADDRESS=HEX, such as "0x7ebe51113480=c1d0...", to run->input.memory. Return:
 * 0; ERR_USAGE if ADDRESS is not a number or was given before; what payload_read() returns.
 * @equals: the '=' in @word
 */
static int read_memory(struct decode_run *run, const char *word, const char *equals, struct err *err)
{
	struct decode_input *input = &run->input;
	struct trace_memory *memory =
		arena_room(run->args->arena, input->memory, input->memory_count, sizeof(*memory));
	struct trace_memory *added = &memory[input->memory_count];
	const char *address = arena_strndup(run->args->arena, word, (size_t)(equals - word));
	struct strbuf bytes = { 0 };
	int rc;

	if (!hex_number(&added->address, address))
		return usage_error(err, "'%.40s' is not an address", address);
	for (size_t i = 0; i < input->memory_count; i++)
		if (memory[i].address == added->address)
			return usage_error(err, "the bytes at 0x%llx are given twice; give them once",
					   (unsigned long long)added->address);
	input->memory = memory;
	input->memory_count++;
	if (!(rc = payload_read(&bytes, equals + 1, run->args->input_format, err)))
		added->after = (struct trace_bytes){
			arena_memdup(run->args->arena, strbuf_text(&bytes), bytes.length), bytes.length
		};
	strbuf_release(&bytes);
	return rc;
}

/* Sets run->input from the words after the ioctl: the bytes of its parameters, and memory, ADDRESS=HEX. */
static int read_payload(struct decode_run *run, struct err *err)
{
	const struct cli_args *args = run->args;
	struct strbuf payload = { 0 };
	bool has_payload = false;
	const char *number;
	int rc = 0;

	for (size_t i = named_family(args, &number) ? 0 : 1; i < args->word_count && !rc; i++) {
		const char *text = args->words[i], *equals = strchr(text, '=');
		/*
		 * The output of xxd -i ("unsigned char name[] = {") and the text column of a dump can also
		 * have a "=", but after a blank.
		 */
		const bool has_address = equals && text + strcspn(text, " \t\r\n") > equals;

		rc = has_address ? read_memory(run, text, equals, err)
				 : payload_read(&payload, text, args->input_format, err);
		has_payload |= !has_address;
	}
	if (has_payload) {
		run->input.bytes = arena_memdup(args->arena, strbuf_text(&payload), payload.length);
		run->input.size_bytes = payload.length;
		run->input.has_size = true;
	}
	strbuf_release(&payload);
	return rc;
}

static int check_words(const struct cli_args *args, struct err *err)
{
	if (args->has_rest)
		return usage_error(err,
			"decode takes no arguments after --; leave -- out, and write ./-name for a file whose name begins with a dash");
	if (is_single(args) && !strcmp(args->format, "summary"))
		return usage_error(err,
				   "--format summary is for a log; for one call, use text, json or markdown");
	if (is_single(args) && args->only)
		return usage_error(err, "--only is for a log; leave it out");
	if (is_single(args) && args->against)
		return usage_error(err,
			"--against is for a log or a trace; to compare one ioctl, use drvabi diff --record NAME");
	if (args->against && !strcmp(args->format, "summary"))
		return usage_error(err, "--against cannot print a summary; use text, json or markdown");
	if (!is_single(args) && args->word_count > 1)
		return usage_error(err,
			"'%s' is not a request, and decode takes one file; name FILE, or REQUEST and HEX",
			args->words[0]);
	return payload_check_input(args->input_format, !is_single(args), args->arena, err);
}

/* --- documents ------------------------------------------------------------------------------ */

int load_scope(struct loaded_scope *out, const char *version, const struct cli_args *args, struct err *err)
{
	struct decode_scope *scope = &out->scope;
	const struct lineage *lineage = &out->lineage;
	size_t against;
	int rc;

	if ((rc = lineage_load(&out->lineage, NULL, args, err)) || (rc = load_use(&out->use, args, err)))
		return rc;
	scope->graph = &lineage->graph;
	scope->asked_index = lineage->graph.version_count;
	scope->numbers = decode_numbers_new(&lineage->graph);
	scope->pointers = &out->use.pointers;
	scope->unions = &out->use.unions;
	scope->devices = &out->use.devices;
	if ((version && (rc = lineage_named(&scope->asked, &scope->asked_index, &out->asked, version, lineage,
					    args, err))) ||
	    (args->against && (rc = lineage_named(&scope->against, &against, &out->against, args->against,
						  lineage, args, err))) ||
	    !args->table)
		return rc;
	scope->table = &out->table;
	scope->table_name = args->table_name;
	return load_table_for(&out->table, lineage->driver, args, err);
}

int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen,
		   const struct decode_scope *scope, const char *format, const struct report_style *style,
		   struct err *err)
{
	struct decode_against against;
	struct arena arena = { 0 };
	size_t count;
	struct decode_seen_ioctl *list = decode_seen_list(&count, seen);
	int rc;

	if (!(rc = decode_against(&against, list, count, scope->asked, scope->against, scope->pointers,
				  &arena, err))) {
		against.left_out = decode_seen_left_out(seen);
		*is_other = against.by_fate[DECODE_CHANGED] || against.by_fate[DECODE_GONE];
		if (!strcmp(format, "json"))
			report_against_json(out, &against);
		else
			report_against(out, &against, style);
	}
	free(list);
	arena_release(&arena);
	return rc;
}

/* --- one call ----------------------------------------------------------------------------------- */

/* Returns " (did you mean 0x20800110?)" if a known number was given without its 0x; otherwise "". */
static const char *did_you_mean(const struct decode_run *run)
{
	struct arena *arena = run->args->arena;
	const struct history_graph *graph = run->loaded.scope.graph;
	const char *given;
	uint64_t number;

	if (!named_family(run->args, &given) ||
	    !hex_number(&number, arena_printf(arena, "0x%s", given)))
		return "";
	for (size_t i = graph->version_count; i--;)
		if (graph->versions[i].abi && call_find(graph->versions[i].abi, run->input.family, number))
			return arena_printf(arena, " (did you mean 0x%s?)", given);
	return "";
}

/* Does the driver answer a call with this number of bytes, because it compares only type and nr? */
static bool is_answered(const struct decode_ioctl *ioctl)
{
	const struct abi_ioctl called = { .family = ioctl->family, .number = ioctl->number };

	return abi_ioctl_is_by_nr(&called) &&
	       abi_ioc_get(ioctl->number, ABI_IOC_SIZE) == ioctl->size_bytes;
}

/*
 * Fails if the ioctl is unknown, unless it is inside another one, or if no version has a record with that
 * number of bytes for it, unless the driver answers the call anyway. Return: 0; ERR_NOT_FOUND; ERR_USAGE.
 */
static int check_call(const struct decode_call *call, struct decode_run *run, struct err *err)
{
	const struct decode_scope *scope = &run->loaded.scope;
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct strbuf text = { 0 };

	if (!last->name && call->count == 1)
		return err_set(err, ERR_NOT_FOUND,
			       "no %s ioctl 0x%llx in %s%s; drvabi show 0x%llx%s%s prints what is known about it",
			       last->family, (unsigned long long)last->number, last->searched,
			       did_you_mean(run),
			       (unsigned long long)last->number, scope->table ? " --table " : "",
			       scope->table ? scope->table_name : "");
	if (!last->fits_no_record || is_answered(last))
		return 0;
	strbuf_addf(&text, "%s 0x%llx is ", last->family, (unsigned long long)last->number);
	for (size_t i = 0; i < last->name_count; i++)
		strbuf_addf(&text, "%s%s", i ? " or " : "", last->names[i].name);
	strbuf_addf(&text, ", and no version has %llu bytes of parameters for it; ",
		    (unsigned long long)last->size_bytes);
	if (!decode_number_sizes(&text, scope->numbers, last->family, last->number, last->record))
		strbuf_addf(&text, "%s has %" PRIu64 " in %s", last->record,
			    call_record_size(last->abi, last->record), last->abi->version);
	return usage_error(err, "%s", strbuf_take(&text, run->args->arena));
}

/*
 * If --control, --alloc or --uvm gives a name, sets the number of the call: that in the requested version, or
 * else in the newest version that has the name. Return: 0; ERR_NOT_FOUND, with similar names.
 */
static int find_named_ioctl(struct decode_run *run, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	const struct history_graph *graph = run->loaded.scope.graph;
	const struct abi *asked = run->loaded.scope.asked, *newest = asked;
	const struct abi_ioctl *found;

	if (!run->call_name)
		return 0;
	found = asked ? abi_find_ioctl(asked, run->input.family, run->call_name) : NULL;
	for (size_t i = graph->version_count; i-- && !asked && !found;) {
		const struct abi *abi = graph->versions[i].abi;

		newest = newest ? newest : abi;
		found = abi ? abi_find_ioctl(abi, run->input.family, run->call_name) : NULL;
	}
	if (found) {
		run->input.number = found->number;
		return 0;
	}
	for (size_t i = 0; newest && i < newest->ioctl_count; i++)
		if (!strcmp(newest->ioctls[i].family, run->input.family))
			abi_nearest_name(&nearest, run->call_name, newest->ioctls[i].name);
	return nearby_fail(err, &nearest, "%s %s no %s ioctl '%s'; a number is decimal, or begins with 0x",
			   asked ? asked->version : "the documents of all versions", asked ? "has" : "have",
			   run->input.family, run->call_name);
}

/*
 * Decodes the call of the command line, and appends it to the output. Prints notes if the ioctl's name
 * depends on the version, or if no pointer refers to memory that the user gave. *@wrong: set to the result of
 * decode_is_wrong()
 */
static int decode_single(bool *wrong, struct decode_run *run, struct err *err)
{
	struct strbuf *out = run->args->out;
	struct decode_call call;
	int rc;

	run->input.memory_used = arena_array(run->args->arena, run->input.memory_count + 1, sizeof(bool));
	if ((rc = find_named_ioctl(run, err)) ||
	    (rc = decode_call(&call, &run->input, &run->loaded.scope, run->args->arena, err)) ||
	    (rc = check_call(&call, run, err)))
		return rc;
	if (!strcmp(run->args->format, "json"))
		report_decode_json(out, &call);
	else if (!strcmp(run->args->format, "markdown"))
		report_decode_markdown(out, &call);
	else
		report_decode_text(out, &call, &run->args->style);
	*wrong = decode_is_wrong(&call);
	if (call.ioctls[call.count - 1].name_count > 1 && !run->loaded.scope.asked)
		output_note(run->args,
			    "the name depends on the version of the driver; choose one with --version VERSION");
	for (size_t i = 0; i < run->input.memory_count; i++)
		if (!run->input.memory_used[i])
			output_note(run->args, "this call has no pointer to 0x%llx that the driver follows",
				    (unsigned long long)run->input.memory[i].address);
	return 0;
}

/*
 * drvabi decode: decodes one call, or the calls of a log or a trace. Return: CLI_SOMETHING with --exit-code
 * if decode_is_wrong() is true for a call or, with --against, if the ABI of an ioctl differs.
 */
int cmd_decode(struct cli_args *args, struct err *err)
{
	struct decode_run run = { .args = args };
	const bool single = is_single(args);
	const char *path = args->word_count ? args->words[0] : "-";
	bool wrong = false;
	int rc;

	if (!(rc = check_words(args, err)) &&
	    (!single || (!(rc = read_ioctl_word(&run, err)) && !(rc = read_payload(&run, err)))) &&
	    !(rc = load_scope(&run.loaded, args->version, args, err)))
		rc = single ? decode_single(&wrong, &run, err)
			    : decode_input(&wrong, path, &run.loaded.scope, args, err);
	if (!single) /* decode_input() has written it */
		args->output = NULL;
	decode_numbers_free(run.loaded.scope.numbers);
	return !rc && wrong && args->exit_code ? CLI_SOMETHING : rc;
}
