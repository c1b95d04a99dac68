/*
 * report/decode.c - one call with its fields, and the distinct ioctls of a log or trace, as text and Markdown
 */
#include "report/internal.h"

#include <sys/sysmacros.h>

static const char *const event_words[] = { [TRACE_OPEN] = "open", [TRACE_MMAP] = "mmap",
					   [TRACE_FILE] = "file" };

void report_trace_event_text(struct strbuf *out, const struct trace_message *event,
			     const struct report_style *style)
{
	const uint64_t device = event->file_device;
	struct line line;

	line_begin(&line, out, style, 4);
	line_add(&line, HEAD("%s") " %s", event_words[event->kind], event->fd_path);
	if (event->kind == TRACE_FILE) {
		line_add(&line, " " PLAIN("mode 0%o"), event->file_mode);
		if (device)
			line_add(&line, " " PLAIN("device %u:%u"), major(device), minor(device));
		if (event->after.size_bytes)
			line_add(&line, " " PLAIN("%llu bytes"), (unsigned long long)event->after.size_bytes);
		line_end(&line);
		return;
	}
	if (event->kind == TRACE_OPEN)
		line_add(&line, " " PLAIN("flags 0x%llx"), (unsigned long long)event->open_flags);
	else
		line_add(&line, " " PLAIN("%llu bytes at offset 0x%llx, protection %llu, flags 0x%llx"),
			 (unsigned long long)event->map_size_bytes, (unsigned long long)event->map_offset,
			 (unsigned long long)event->map_protection, (unsigned long long)event->map_flags);
	if (event->kind == TRACE_MMAP && event->ret >= 0)
		line_add(&line, " " PLAIN("= 0x%llx"), (unsigned long long)event->argument);
	else
		line_add(&line, " " PLAIN("= %d"), event->ret);
	line_end(&line);
}

static const char *event_word(unsigned kind)
{
	return event_words[kind];
}

JSON_IS(event_is_file, trace_message, it->kind == TRACE_FILE)
JSON_IS(event_is_no_file, trace_message, it->kind != TRACE_FILE)
JSON_IS(event_is_no_map, trace_message, it->kind != TRACE_MMAP)
JSON_IS(event_is_open, trace_message, it->kind == TRACE_OPEN)
JSON_GET_NUMBER(event_ret, trace_message, (uint64_t)(int64_t)it->ret)
JSON_GET_NUMBER(event_mode, trace_message, it->file_mode)
JSON_GET_NUMBER(event_flags, trace_message, it->kind == TRACE_OPEN ? it->open_flags : it->map_flags)
JSON_GET_NUMBER(event_size, trace_message,
		it->kind == TRACE_FILE ? it->after.size_bytes : it->map_size_bytes)

#define OF_EVENT(key_, member, left_out) \
	JSON_FIELD(key_, JSON_U64 | JSON_OPTIONAL, trace_message, member, .is_left_out = (left_out))
#define GOT_FROM_EVENT(key_, get, left_out) \
	{ .key = (key_), .kind = JSON_U64 | JSON_OPTIONAL, .get_number = (get), .is_left_out = (left_out) }

const struct json_struct report_event_fields = {
	.field = {
		JSON_FIELD("kind", JSON_NAMED, trace_message, kind, .name_of = event_word,
			   .max = TRACE_FILE + 1),
		JSON_FIELD("path", JSON_TEXT, trace_message, fd_path),
		{ .key = "ret", .kind = JSON_I64 | JSON_OPTIONAL, .get_number = event_ret,
		  .is_left_out = event_is_file },
		GOT_FROM_EVENT("mode", event_mode, event_is_no_file),
		OF_EVENT("device", file_device, event_is_no_file),
		OF_EVENT("address", argument, event_is_no_map),
		GOT_FROM_EVENT("size", event_size, event_is_open),
		OF_EVENT("protection", map_protection, event_is_no_map),
		GOT_FROM_EVENT("flags", event_flags, event_is_file),
		OF_EVENT("offset", map_offset, event_is_no_map),
	},
};

void report_trace_event_json(struct strbuf *out, const struct trace_message *event)
{
	struct json_writer json = { .out = out, .compact = true };

	json_write_struct(&json, event, &report_event_fields);
	json_end(&json);
}

/*
 * Fields as text: "path = value", or "path = old -> new" if the call changed the value. Array elements beyond
 * the count, and trailing zeros, are folded.
 */

enum { VALUE_INDENT = 4, HEX_FROM = 0x10000, SHOWN_MAX = 256 };

struct decode_text {
	struct strbuf *out;
	const struct report_style *style;
	size_t indent; /* spaces before a field */
	struct line line;
};

/* --- values ------------------------------------------------------------------------------ */

/*
 * Returns true if text has the value in hexadecimal: addresses, handles, statuses, the numbers of classes and
 * commands, and any number from HEX_FROM on without a role, because large numbers are often flags.
 */
static bool is_hex(const struct decode_field *field, struct abi_number value)
{
	switch (field->role) {
	case ABI_ROLE_POINTER:
	case ABI_ROLE_HANDLE:
	case ABI_ROLE_KERNEL_POINTER:
	case ABI_ROLE_STATUS: return true;
	case ABI_ROLE_FD: case ABI_ROLE_PID: case ABI_ROLE_SIZE: case ABI_ROLE_COUNT: return false;
	case ABI_ROLE_NONE: break;
	}
	if (field->name && field->kind != ABI_ENUMERATION)
		return true; /* the number of a class or command */
	return !value.negative && (field->kind == ABI_POINTER || value.magnitude >= HEX_FROM);
}

/* Appends the value of an integer field. @index: of the element if the field is an array; else 0 */
static void text_integer(struct decode_text *text, const struct decode_field *field, uint64_t index)
{
	const struct abi_number value = decode_field_value(field, index);
	const char *sign = value.negative ? "-" : "";

	if (field->role == ABI_ROLE_POINTER && !value.magnitude)
		line_add(&text->line, " NULL");
	else if (is_hex(field, value))
		line_add(&text->line, " %s0x%llx", sign, (unsigned long long)value.magnitude);
	else
		line_add(&text->line, " %s%llu", sign, (unsigned long long)value.magnitude);
}

/* Writes bytes in groups of four. */
static void text_bytes(struct decode_text *text, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		line_add(&text->line, i % 4 ? "%02x" : " %02x", bytes[i]);
}

/*
 * Writes the elements of an array, without -v only the first SHOWN_MAX of those to show, and then how many
 * are left out: because of the limit, because the counting field excludes them, or because they are zeros.
 */
static void text_array(struct decode_text *text, const struct decode_field *field)
{
	const uint64_t most = SHOWN_MAX < field->shown ? SHOWN_MAX : field->shown;
	const uint64_t shown = text->style->verbose ? field->count : most;
	const unsigned long long rest = field->count - shown;

	if (!decode_field_is_integer(field) || field->element_bytes == 1)
		text_bytes(text, field->bytes + field->offset_bits / 8, shown * field->element_bytes);
	else
		for (uint64_t i = 0; i < shown; i++)
			text_integer(text, field, i);
	if (rest && shown < field->shown)
		line_add(&text->line, " " DIM("(%llu more; -v shows them)"), rest);
	else if (rest && field->counted_by)
		line_add(&text->line, " " DIM("(%llu more, not in %s)"), rest, field->counted_by);
	else if (rest)
		line_add(&text->line, shown ? " " DIM("(and %llu zeros)") : " " DIM("(%llu zeros)"), rest);
}

/* Adds a value to the line: a quoted string, an array, bytes, or a number and the driver's name for it. */
static void text_value(struct decode_text *text, const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;

	if (field->is_text) {
		for (uint64_t i = 0; i < field->count && bytes[i]; i++)
			strbuf_addch(&text->line.plain, (char)bytes[i]);
		line_add(&text->line, " " ADDED("\"%s\""), strbuf_text(&text->line.plain));
	} else if (field->is_array) {
		text_array(text, field);
	} else if (!decode_field_is_integer(field)) {
		text_bytes(text, bytes, field->size_bits / 8);
	} else {
		text_integer(text, field, 0);
		if (field->name)
			line_add(&text->line, " " NAME, field->name);
	}
}

static void begin_field(struct decode_text *text, const char *path)
{
	line_begin(&text->line, text->out, text->style, text->indent + VALUE_INDENT);
	line_add(&text->line, "%*s%s", (int)text->indent, "", path);
}

/*
 * Writes the line of a field: "path = value", or "path = old -> new" if the call changed the value; then how
 * many elements were not recorded, the class of a handle or the file of a descriptor, the role, and notes.
 */
static void text_field(struct decode_text *text, const struct decode_field *field)
{
	struct decode_field old = *field; /* the value before the call, if it differs */

	old.bytes = field->before;
	old.name = field->name_before;
	old.is_text = field->is_text_before;
	old.shown = field->shown_before;
	begin_field(text, *field->path ? field->path : field->type);
	line_add(&text->line, " " DIM("="));
	if (field->before) {
		text_value(text, &old);
		line_add(&text->line, " " CHANGED("->"));
	}
	text_value(text, field);
	if (field->missing)
		line_add(&text->line, " " CHANGED("(%llu not recorded)"), (unsigned long long)field->missing);
	if (field->object)
		line_add(&text->line, " " NAME, field->object);
	if (field->role && field->role != ABI_ROLE_STATUS)
		line_add(&text->line, "  " DIM("%s"), abi_role_name(field->role));
	if (field->is_unfollowed)
		line_add(&text->line, "  " DIM("not followed: no rule"));
	if (field->member)
		line_add(&text->line, "  " DIM("(union)")); /* the path has the member's name */
	line_end(&text->line);
}

/* --- fields -------------------------------------------------------------------------------- */

static const struct decode_fold *fold_at(const struct decode_text *text, const struct decode_fields *fields,
					 size_t field)
{
	for (size_t i = 0; i < fields->fold_count && !text->style->verbose; i++)
		if (fields->folds[i].first == field && fields->folds[i].until > field)
			return &fields->folds[i];
	return NULL;
}

/* Writes one line for elements of an array that are not listed: "list[16].a and 84 more, all zeros". */
static void text_fold(struct decode_text *text, const struct decode_fold *fold)
{
	const unsigned long long rest = fold->count - fold->shown;

	begin_field(text, "");
	line_add(&text->line, *fold->path ? DIM("%s") " " : "%s", fold->path);
	line_add(&text->line, fold->shown ? DIM("and %llu more,") : DIM("%llu elements,"), rest);
	if (fold->counted_by)
		line_add(&text->line, " " DIM("not in %s%s"), fold->counted_by,
			 fold->is_zero ? "" : "; not all zeros");
	else
		line_add(&text->line, " " DIM("all zeros"));
	line_end(&text->line);
}

/* Writes a line for each field and nonzero padding. Without -v, a fold (array elements) is one line. */
static void text_decoded_fields(struct decode_text *text, const struct decode_fields *fields)
{
	for (size_t i = 0; i < fields->count;) {
		const struct decode_fold *fold = fold_at(text, fields, i);

		if (fold)
			text_fold(text, fold);
		else
			text_field(text, &fields->fields[i]);
		i = fold ? fold->until : i + 1;
	}
	for (size_t i = 0; i < fields->padding_count; i++) {
		begin_field(text, "");
		line_add(&text->line, DIM("(padding at %llu)") " " DIM("="),
			 (unsigned long long)fields->padding[i].offset);
		if (fields->padding[i].is_changed) {
			text_bytes(text, fields->before + fields->padding[i].offset, fields->padding[i].size);
			line_add(&text->line, " " CHANGED("->"));
		}
		text_bytes(text, fields->bytes + fields->padding[i].offset, fields->padding[i].size);
		line_end(&text->line);
	}
}

/* A call as text. */

enum { FIELD_INDENT = 4, MEMORY_INDENT = 6 };

static struct strbuf *decode_text_begin(struct decode_text *text)
{
	return line_begin_labelled(&text->line, text->out, text->style);
}

static void decode_text_label(struct decode_text *text, const char *label, enum report_ink ink,
			      const char *words)
{
	strbuf_adds(decode_text_begin(text), words);
	line_end_labelled(&text->line, label, ink);
}

/* --- the block -------------------------------------------------------------------------------- */

/*
 * Begins a line with the family and number of an ioctl, and the names that fit, or the searched versions if
 * none has the number. The caller ends the line. @is_envelope: the ioctl encloses the decoded one
 */
static void decode_text_title(struct decode_text *text, const struct decode_ioctl *ioctl, bool is_envelope)
{
	line_begin(&text->line, text->out, text->style, FIELD_INDENT);
	line_add(&text->line, is_envelope ? "  " DIM("inside") " %s 0x%llx" : "%s 0x%llx", ioctl->family,
		 (unsigned long long)ioctl->number);
	for (size_t i = 0; i < ioctl->name_count; i++)
		line_add(&text->line, i ? " " ALARM("or") " " HEAD("%s") : " " HEAD("%s"), ioctl->names[i].name);
	if (!ioctl->name_count)
		line_add(&text->line, " " ALARM("? (not in %s)"), ioctl->searched);
}

/* Writes the line "parameters": the record, or why there is none, the size, and the record's version. */
static void decode_text_parameters(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	struct strbuf *words = decode_text_begin(text);

	strbuf_adds(words, ioctl->record       ? ioctl->record
			   : ioctl->is_only_macro ? "a macro only: no table of the driver lists the command"
			   : ioctl->name       ? "none"
					       : "unknown");
	if (ioctl->has_size && (ioctl->record || !ioctl->name))
		strbuf_addf(words, ", %llu bytes", (unsigned long long)ioctl->size_bytes);
	if (ioctl->name_count > 1 && ioctl->record)
		strbuf_addf(words, ", as in %s", ioctl->abi->version);
	line_end_labelled(&text->line, "parameters", INK_NONE);
}

/*
 * Writes a line for each name that fits the number, with the versions that have the name; if the size of the
 * parameters is known, only those with that size. Writes nothing if the size fits the requested version.
 */
static void decode_text_versions(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	const bool by_size = ioctl->has_size && ioctl->record;
	const char *label = by_size ? "size fits" : "versions";

	if (by_size && ioctl->is_asked)
		return;
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		struct strbuf *words;

		if (!name->version_count)
			continue;
		words = decode_text_begin(text);
		for (size_t v = 0; v < name->version_count; v++)
			strbuf_addf(words, "%s%s", v ? ", " : "", name->versions[v]);
		if (ioctl->name_count > 1)
			strbuf_addf(words, " %s%s", name->name, name->is_macro ? ", a macro only" : "");
		line_end_labelled(&text->line, label, INK_NONE);
		label = "or";
	}
}

/* Writes the known parts of "fd 3 /dev/nvidiactl, process 1, libcuda.so.1 cuInit, at 0.012345 s, 37 us". */
static void text_origin(struct decode_text *text, const struct decode_origin *origin)
{
	enum { NS_PER_S = 1000000000, NS_PER_US = 1000 };
	struct line *line = &text->line;

	decode_text_begin(text);
	line_add(line, "  " DIM("%-11s") " ", "by");
	if (origin->fd.number >= 0)
		line_add(line, "fd" NBSP "%lld" NBSP, (long long)origin->fd.number);
	line_add(line, "%s", origin->fd.path);
	if (origin->pid)
		line_add(line, ", process" NBSP "%u", origin->pid);
	if (origin->tid && origin->tid != origin->pid)
		line_add(line, ", thread" NBSP "%u", origin->tid);
	if (origin->caller && *origin->caller)
		line_add(line, ", " PLAIN("%s"), origin->caller);
	if (origin->end_ns)
		line_add(line, ", at" NBSP "%llu.%06llu" NBSP "s, %llu" NBSP "us",
			 (unsigned long long)(origin->start_ns / NS_PER_S),
			 (unsigned long long)(origin->start_ns % NS_PER_S / NS_PER_US),
			 (unsigned long long)((origin->end_ns < origin->start_ns
						       ? 0
						       : origin->end_ns - origin->start_ns) /
					      NS_PER_US));
	line_end(line);
}

/* Writes what the proxy does with the ioctl, and the commands that add it if it is not forwarded. */
static void decode_text_proxy(struct decode_text *text, const struct decode_call *call)
{
	report_forwarded_words(decode_text_begin(text), &call->forwarded);
	line_end_labelled(&text->line, "proxy", call->forwarded.use == FORWARDED_NONE ? INK_ALARM : INK_ADDED);
	for (size_t i = 0; call->adds && i < call->ioctls[call->count - 1].name_count; i++)
		if (call->adds[i]) { /* not broken into two lines, so that the command can be copied */
			report_textf(text->out, "  ");
			report_ink(text->out, text->style, INK_DIM, "%-11s", i ? "or" : "to forward");
			report_textf(text->out, " %s\n", call->adds[i]);
		}
}

/* --- memory that pointers point to --------------------------------------------------------------------- */

/* Writes the fields of the parameters, and then those of the memory that each pointer points to. */
static void text_ioctl(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	text->indent = FIELD_INDENT;
	text_decoded_fields(text, &ioctl->fields);
	text->indent = MEMORY_INDENT;
	for (size_t i = 0; i < ioctl->pointer_count; i++) {
		const struct decode_pointer *pointer = &ioctl->pointers[i];
		const char *direction = use_direction_name(pointer->to.direction);

		line_begin(&text->line, text->out, text->style, MEMORY_INDENT);
		line_add(&text->line, "    %s " DIM("->") " %s", pointer->to.path, pointer->to.element);
		if (pointer->to.counted_by)
			line_add(&text->line, " " PLAIN("x %llu"), (unsigned long long)pointer->to.count);
		if (direction)
			line_add(&text->line, " " DIM("%s"), direction);
		if (pointer->note)
			line_add(&text->line, "  " CHANGED("%s"), pointer->note);
		line_end(&text->line);
		text_decoded_fields(text, &pointer->fields);
	}
}

void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct decode_text text = { .out = out, .style = style };

	decode_text_title(&text, last, false);
	if (call->has_ret)
		line_add(&text.line, " " PLAIN("= %lld"), (long long)call->ret);
	if (call->error_name)
		line_add(&text.line, " " ALARM("%s"), call->error_name);
	else if (call->error)
		line_add(&text.line, " " ALARM("errno %d"), call->error);
	if (call->has_status && call->status_name)
		line_add(&text.line, call->status ? " " ALARM("%s") : " " ADDED("%s"), call->status_name);
	else if (call->has_status)
		line_add(&text.line, " " ALARM("status 0x%llx"), (unsigned long long)call->status);
	line_end(&text.line);
	if (call->origin)
		text_origin(&text, call->origin);
	if (last->name || last->has_size)
		decode_text_parameters(&text, last);
	decode_text_versions(&text, last);
	for (size_t i = 0; i < last->note_count; i++)
		decode_text_label(&text, "note", INK_CHANGED, last->notes[i]);
	if (call->has_table)
		decode_text_proxy(&text, call);
	text_ioctl(&text, last);
	for (size_t i = call->count - 1; i-- > 0;) {
		decode_text_title(&text, &call->ioctls[i], true);
		line_end(&text.line);
		text_ioctl(&text, &call->ioctls[i]);
	}
}

/* A call as Markdown, for an issue or a pull request: a heading, and the text as an indented block. */

void report_decode_markdown(struct strbuf *out, const struct decode_call *call)
{
	const struct report_style plain = { .columns = 0 };
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct strbuf block = { 0 };

	report_decode_text(&block, call, &plain);
	strbuf_adds(out, "### ");
	for (size_t i = 0; last->name && i < last->name_count; i++) {
		strbuf_adds(out, i ? " or " : "");
		escape_markdown_code(out, last->names[i].name);
	}
	if (last->name && !last->name_count)
		strbuf_addf(out, "? (not in %s)", last->searched);
	else if (!last->name)
		strbuf_addf(out, "%s 0x%llx", last->family, (unsigned long long)last->number);
	strbuf_adds(out, "\n\n");
	for (const char *line = strbuf_text(&block); *line;) {
		const char *end = strchr(line, '\n');
		const size_t length = end ? (size_t)(end - line) : strlen(line);

		strbuf_adds(out, "    "); /* unlike a fence, no name can end an indented block */
		strbuf_add(out, line, length);
		strbuf_adds(out, "\n");
		line += length + (end != NULL);
	}
	strbuf_release(&block);
}

/* The distinct ioctls of a log or trace. */

/* Appends how many calls had each status: "3 NV_OK, 1 0x56, 2 others", and how many failed: "1 failed". */
static void status_words(struct strbuf *words, const struct decode_total *total)
{
	for (size_t i = 0; i < total->status_count; i++) {
		const struct decode_status_count *status = &total->statuses[i];

		strbuf_addf(words, "%s%zu ", i ? ", " : "", status->count);
		if (status->name)
			strbuf_adds(words, status->name);
		else
			strbuf_addf(words, "0x%llx", (unsigned long long)status->status);
	}
	if (total->other_statuses)
		strbuf_addf(words, ", %zu others", total->other_statuses);
	if (total->failed)
		strbuf_addf(words, "%s%zu failed", words->length ? ", " : "", total->failed);
}

/*
 * Appends how many calls of an ioctl had pointers that drvabi cannot follow, and how many had a doubtful
 * status, because its offset depends on the version; nothing if there are no such calls.
 */
static void add_unfollowed_note(struct strbuf *words, const struct decode_total *total)
{
	if (total->unfollowed) {
		strbuf_plural(words, total->unfollowed, "call");
		strbuf_adds(words, " had pointers without a rule: the memory that they point to is unknown");
	}
	if (!total->doubtful)
		return;
	strbuf_adds(words, total->unfollowed ? "; " : "");
	strbuf_plural(words, total->doubtful, "call");
	strbuf_adds(words, " had the status in a place that depends on the version; name it with --version");
}

/* Appends "since 570.86.15; removed in 575.51.02" for each name, under any number; nothing if unknown. */
static void lifetime_words(struct strbuf *words, const struct decode_ioctl *ioctl)
{
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		if (*name->lifetime && ioctl->name_count > 1)
			strbuf_addf(words, "%s%s: ", words->length ? "; " : "", name->name);
		if (*name->lifetime)
			strbuf_addf(words, "since %s", name->lifetime);
	}
}

static const char *version_of_total(const struct decode_total *total)
{
	return total->call->ioctls[total->call->count - 1].is_asked ? total->call->version : NULL;
}

/*
 * Returns true if calls of several driver versions are in the summary, which then names the version of each
 * ioctl. Equal versions have the same pointer, that of the document. Unknown versions do not count.
 */
static bool has_several_versions(const struct decode_summary *summary)
{
	const char *first = NULL;

	for (size_t i = 0; i < summary->count; i++) {
		const char *version = version_of_total(&summary->totals[i]);

		if (first && version && version != first)
			return true;
		first = version ? version : first;
	}
	return false;
}

/*
 * Writes an ioctl of a summary: its title with the number of calls, and a line each for its statuses,
 * callers, versions, notes, and the proxy. @version: the driver version of the calls, or NULL to leave it out
 */
static void text_total(struct decode_text *text, const struct decode_total *total, const char *version)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];

	decode_text_title(text, last, false);
	line_add(&text->line, " x%zu", total->count);
	line_end(&text->line);
	if (version)
		decode_text_label(text, "driver", INK_NONE, version);
	status_words(decode_text_begin(text), total);
	line_end_labelled(&text->line, "status", INK_NONE);
	decode_text_label(text, "called by", INK_NONE, strbuf_text(&total->callers));
	if (last->has_size)
		decode_text_parameters(text, last);
	decode_text_versions(text, last);
	lifetime_words(decode_text_begin(text), last);
	line_end_labelled(&text->line, "in driver", INK_NONE);
	for (size_t i = 0; i < last->note_count; i++)
		decode_text_label(text, "note", INK_CHANGED, last->notes[i]);
	add_unfollowed_note(decode_text_begin(text), total);
	line_end_labelled(&text->line, "note", INK_CHANGED);
	if (total->call->has_table)
		decode_text_proxy(text, total->call);
}

void report_decode_summary(struct strbuf *out, const struct decode_summary *summary,
			   const struct report_style *style)
{
	struct decode_text text = { .out = out, .style = style };
	const bool has_versions = has_several_versions(summary);

	if (!summary->count)
		strbuf_adds(out, "no ioctl of the driver\n");
	for (size_t i = 0; i < summary->count; i++)
		text_total(&text, &summary->totals[i],
			   has_versions ? version_of_total(&summary->totals[i]) : NULL);
	if (summary->left_out) {
		strbuf_plural(out, summary->left_out, "call");
		strbuf_addf(out, " of ioctls beyond the first %d distinct ones\n", (int)DECODE_SUMMARY_MAX);
	}
}

/*
 * Writes an ioctl, with the statuses of its calls, as a row. @version: NULL if the row does not name it;
 * @has_table: the row has the column "proxy", which is empty if the calls were not looked up in a table
 */
static void markdown_total(struct sheet *sheet, const struct decode_total *total, const char *version,
			   bool has_table)
{
	const struct decode_ioctl *last = &total->call->ioctls[total->call->count - 1];
	struct strbuf *row = sheet_begin_row(sheet), *words = &sheet->plain;
	const char *separator = "; to forward: ";

	report_textf(row, "%s 0x%llx %s", last->family, (unsigned long long)last->number,
		     last->name_count ? "" : "?");
	for (size_t i = 0; i < last->name_count; i++)
		report_textf(row, "%s" NAME, i ? " or " : "", last->names[i].name);
	report_textf(row, "\t%zu", total->count);
	status_words(words, total);
	sheet_add_cell(sheet);
	strbuf_addch(row, '\t');
	if (last->has_size)
		report_textf(row, "%llu", (unsigned long long)last->size_bytes);
	lifetime_words(words, last);
	if (!last->name_count)
		strbuf_addf(words, "not in %s", last->searched);
	if (version)
		strbuf_addf(words, "%sdriver %s", words->length ? "; " : "", version);
	for (size_t i = 0; i < last->note_count; i++)
		strbuf_addf(words, "%s%s", words->length ? "; " : "", last->notes[i]);
	strbuf_adds(words, words->length && (total->unfollowed || total->doubtful) ? "; " : "");
	add_unfollowed_note(words, total);
	sheet_add_cell(sheet);
	if (has_table && total->call->has_table)
		report_forwarded_words(words, &total->call->forwarded);
	for (size_t i = 0; has_table && total->call->adds && i < last->name_count; i++)
		if (total->call->adds[i]) {
			strbuf_addf(words, "%s%s", separator, total->call->adds[i]);
			separator = "; or ";
		}
	if (has_table)
		sheet_add_cell(sheet);
	sheet_end_row(sheet);
}

void report_decode_summary_markdown(struct strbuf *out, const struct decode_summary *summary)
{
	const bool has_versions = has_several_versions(summary);
	const struct report_style style = { .markdown = true };
	struct sheet_column columns[] = {
		{ .title = "ioctl" }, { .title = "calls", .is_number = true }, { .title = "status" },
		{ .title = "bytes", .is_number = true }, { .title = "in driver" }, { .title = "proxy" }, { 0 }
	};
	struct sheet sheet;
	bool has_table = false;

	for (size_t i = 0; i < summary->count; i++)
		has_table |= summary->totals[i].call->has_table;
	if (!has_table)
		columns[5].title = NULL;
	sheet_init(&sheet, out, &style);
	if (summary->count)
		sheet_table(&sheet, columns);
	else
		sheet_paragraph(&sheet, SHEET_PLAIN, "No ioctl of the driver.");
	for (size_t i = 0; i < summary->count; i++)
		markdown_total(&sheet, &summary->totals[i],
			       has_versions ? version_of_total(&summary->totals[i]) : NULL, has_table);
	if (summary->left_out)
		sheet_paragraph(&sheet, SHEET_PLAIN, "%zu calls of ioctls beyond the first %d distinct ones.",
				summary->left_out, (int)DECODE_SUMMARY_MAX);
	sheet_release(&sheet);
}
