/* A call for a person at a terminal. */
#include "report/decode.h"

#include "report/decode_internal.h"

enum { LABEL_INDENT = 2, LABEL_COLUMN = 14, FIELD_INDENT = 4, MEMORY_INDENT = 6 };

void decode_text_label(struct decode_text *text, const char *label, enum report_ink ink, const char *words)
{
	wrap_begin(&text->line, text->out, text->style, LABEL_INDENT, LABEL_COLUMN);
	wrap_label(&text->line, INK_DIM, label);
	wrap_pad(&text->line, LABEL_COLUMN);
	wrap_text(&text->line, ink, 0, words);
	wrap_end(&text->line);
}

/* --- the block -------------------------------------------------------------------------------- */

void decode_text_title(struct decode_text *text, const struct decode_ioctl *ioctl, bool is_envelope)
{
	wrap_begin(&text->line, text->out, text->style, is_envelope ? LABEL_INDENT : 0, FIELD_INDENT);
	if (is_envelope)
		wrap_word(&text->line, INK_DIM, 0, "inside");
	wrap_word(&text->line, INK_NONE, 1, "%s", ioctl->family);
	wrap_word(&text->line, INK_NONE, 1, "0x%llx", (unsigned long long)ioctl->number);
	for (size_t i = 0; i < ioctl->name_count; i++) {
		if (i)
			wrap_word(&text->line, INK_ALARM, 1, "or");
		wrap_word(&text->line, INK_HEAD, 1, "%s", ioctl->names[i].name);
	}
	if (!ioctl->name_count)
		wrap_word(&text->line, INK_ALARM, 1, "? (no version has it)");
}

static void text_answer(struct decode_text *text, const struct decode_call *call)
{
	if (call->has_ret)
		wrap_word(&text->line, INK_NONE, 1, "= %lld", (long long)call->ret);
	if (call->has_error && call->error_name)
		wrap_word(&text->line, INK_ALARM, 1, "%s", call->error_name);
	else if (call->has_error)
		wrap_word(&text->line, INK_ALARM, 1, "errno %d", call->error);
	if (call->has_status && call->status_name)
		wrap_word(&text->line, call->status ? INK_ALARM : INK_ADDED, 1, "%s", call->status_name);
	else if (call->has_status)
		wrap_word(&text->line, INK_ALARM, 1, "status 0x%llx", (unsigned long long)call->status);
	wrap_end(&text->line);
}

void decode_text_parameters(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	struct strbuf words = { 0 };

	strbuf_adds(&words, ioctl->record ? ioctl->record : ioctl->is_command ? "a macro only: no table of the driver lists the command" :
			    ioctl->name ? "none" : "unknown");
	if (ioctl->has_size && (ioctl->record || !ioctl->name))
		strbuf_addf(&words, ", %llu bytes", (unsigned long long)ioctl->size_bytes);
	if (ioctl->name_count > 1 && ioctl->record)
		strbuf_addf(&words, ", as in %s", ioctl->abi->version);
	decode_text_label(text, "parameters", INK_NONE, strbuf_text(&words));
	strbuf_release(&words);
}

static void versions_words(struct strbuf *words, const struct decode_name *name)
{
	for (size_t i = 0; i < name->version_count; i++)
		strbuf_addf(words, "%s%s", i ? ", " : "", name->versions[i]);
}

/* A line for each name that fits, if there are several. */
void decode_text_versions(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	const bool by_size = ioctl->has_size && ioctl->record;
	const char *label = by_size ? "size fits" : "versions";
	struct strbuf words = { 0 };

	if (by_size && ioctl->is_asked)
		return;
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		versions_words(&words, name);
		if (ioctl->name_count > 1)
			strbuf_addf(&words, " %s%s", name->name, name->is_macro ? ", a macro only" : "");
		if (name->version_count) {
			decode_text_label(text, label, INK_NONE, strbuf_text(&words));
			label = "or";
		}
		strbuf_reset(&words);
	}
	strbuf_release(&words);
}

/* "fd 3 /dev/nvidiactl, process 1234, thread 1240, at 0.012345 s, 37 us" */
static void text_origin(struct decode_text *text, const struct decode_origin *origin)
{
	enum { NS_PER_S = 1000000000, NS_PER_US = 1000 };
	struct strbuf words = { 0 };

	if (origin->fd.number >= 0)
		strbuf_addf(&words, "fd %lld ", (long long)origin->fd.number);
	strbuf_adds(&words, origin->fd.path);
	if (origin->pid)
		strbuf_addf(&words, ", process %u", origin->pid);
	if (origin->tid && origin->tid != origin->pid)
		strbuf_addf(&words, ", thread %u", origin->tid);
	if (origin->end_ns)
		strbuf_addf(&words, ", at %llu.%06llu s, %llu us", (unsigned long long)(origin->start_ns / NS_PER_S),
			    (unsigned long long)(origin->start_ns % NS_PER_S / NS_PER_US),
			    (unsigned long long)((origin->end_ns < origin->start_ns ? 0 : origin->end_ns - origin->start_ns) / NS_PER_US));
	wrap_begin(&text->line, text->out, text->style, LABEL_INDENT, LABEL_COLUMN);
	wrap_label(&text->line, INK_DIM, "by");
	wrap_pad(&text->line, LABEL_COLUMN);
	wrap_phrases(&text->line, INK_NONE, 0, strbuf_text(&words));
	wrap_end(&text->line);
	strbuf_release(&words);
}

void report_decode_proxy_words(struct strbuf *words, const struct forwarded *forwarded)
{
	if (forwarded->use == FORWARDED_NONE) {
		strbuf_adds(words, "not forwarded");
	} else {
		strbuf_addf(words, "forwarded, %s", forwarded_use_name(forwarded->use));
		for (size_t i = 0; forwarded->entry && i < forwarded->entry->cap_count; i++)
			strbuf_addf(words, "%s%s", i ? ", " : ", under ", forwarded->entry->caps[i]);
		if (forwarded->passed_as)
			strbuf_addf(words, ", without an entry (%s)", forwarded->passed_as);
	}
	if (forwarded->node)
		strbuf_addf(words, " (node %s)", forwarded->node->version);
	else
		strbuf_adds(words, " (no node of its table stands for this version)");
}

/* A command is one word: who copies two lines of it runs something else. */
static void text_command(struct decode_text *text, const char *label, const char *command)
{
	wrap_begin(&text->line, text->out, text->style, LABEL_INDENT, LABEL_COLUMN);
	wrap_label(&text->line, INK_DIM, label);
	wrap_pad(&text->line, LABEL_COLUMN);
	wrap_word(&text->line, INK_NONE, 0, "%s", command);
	wrap_end(&text->line);
}

void decode_text_proxy(struct decode_text *text, const struct decode_call *call)
{
	struct strbuf words = { 0 };

	report_decode_proxy_words(&words, &call->forwarded);
	decode_text_label(text, "proxy", call->forwarded.use == FORWARDED_NONE ? INK_ALARM : INK_ADDED, strbuf_text(&words));
	for (size_t i = 0; call->adds && i < call->ioctls[call->count - 1].name_count; i++)
		if (call->adds[i])
			text_command(text, i ? "or" : "to forward", call->adds[i]);
	strbuf_release(&words);
}

/* --- memory behind pointers --------------------------------------------------------------------- */

static void text_pointer(struct decode_text *text, const struct decode_pointer *pointer)
{
	const struct call_pointer *to = &pointer->to;
	const char *direction = call_direction_name(to->direction);

	wrap_begin(&text->line, text->out, text->style, FIELD_INDENT, MEMORY_INDENT);
	wrap_word(&text->line, INK_NONE, 0, "%s", to->path);
	wrap_word(&text->line, INK_DIM, 1, "->");
	wrap_word(&text->line, INK_NONE, 1, "%s", to->element);
	if (to->counted_by)
		wrap_word(&text->line, INK_NONE, 1, "x %llu", (unsigned long long)to->count);
	if (direction)
		wrap_word(&text->line, INK_DIM, 1, "%s", direction);
	if (pointer->note)
		wrap_text(&text->line, INK_CHANGED, 2, pointer->note);
	wrap_end(&text->line);
	text->indent = MEMORY_INDENT;
	report_decode_fields_text(text, &pointer->fields);
}

static void text_ioctl(struct decode_text *text, const struct decode_ioctl *ioctl)
{
	text->indent = FIELD_INDENT;
	report_decode_fields_text(text, &ioctl->fields);
	for (size_t i = 0; i < ioctl->pointer_count; i++)
		text_pointer(text, &ioctl->pointers[i]);
}

void report_decode_text(struct strbuf *out, const struct decode_call *call, const struct report_style *style)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct decode_text text = { .out = out, .style = style };

	decode_text_title(&text, last, false);
	text_answer(&text, call);
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
		wrap_end(&text.line);
		text_ioctl(&text, &call->ioctls[i]);
	}
}
