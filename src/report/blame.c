/* The version that last changed each field: in the form of git blame, and as JSON ("drvabi-blame/1"). */
#include "report/report.h"

#include "abi/abi.h"
#include "report/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COMMIT_DIGITS = 12 };

/* "data" has "data.x", "data[].y" and itself. */
static bool belongs(const char *path, const char *field)
{
	size_t length = field ? strlen(field) : 0;

	return !field || (!strncmp(path, field, length) &&
			  (!path[length] || path[length] == '.' || path[length] == '['));
}

bool report_blame_has(const struct blame *blame, const char *field)
{
	for (size_t i = 0; i < blame->line_count; i++)
		if (belongs(blame->lines[i].leaf->path, field))
			return true;
	return false;
}

static void op_words(struct strbuf *out, const struct blame_line *line)
{
	const struct abi_leaf *before = line->before, *leaf = line->leaf;
	char at[32];

	if (line->is_boundary)
		return;
	strbuf_addf(out, "%s", diff_op_name(line->op));
	if (!before)
		return;
	if (line->op == DIFF_OP_RENAMED)
		strbuf_addf(out, ", was %s", before->path);
	if (before->offset_bits != leaf->offset_bits)
		strbuf_addf(out, " from %s", report_bits(before->offset_bits, before->is_bitfield, at));
	if (strcmp(before->type, leaf->type))
		strbuf_addf(out, ", was %s", before->type);
	for (size_t i = 0; i < before->repeat_count; i++)
		if (leaf->repeat_count <= i || before->repeat[i].count != leaf->repeat[i].count)
			strbuf_addf(out, ", was x%" PRIu64, before->repeat[i].count);
	if (before->role != leaf->role)
		strbuf_addf(out, ", %s", leaf->role == ABI_ROLE_NONE ? "no role now" : "another role");
}

/* The column before a line: commit, version, date. */
static void text_who(struct strbuf *out, const struct history_graph *graph, size_t index, bool is_boundary,
		     int width, const struct report_style *style)
{
	const struct history_version *version = &graph->versions[index];
	char date[32];

	report_ink(out, style, is_boundary ? INK_DIM : INK_CHANGED, "%s%.*s", is_boundary ? "^" : "",
		   COMMIT_DIGITS - (is_boundary ? 1 : 0), version->commit);
	report_textf(out, " (%-*s %s ", width, version->version, text_of_day(version->time, date));
}

static int widest_version(const struct blame *blame, const struct history_graph *graph)
{
	size_t widest = strlen(graph->versions[blame->size_version].version);

	for (size_t i = 0; i < blame->line_count; i++) {
		size_t length = strlen(graph->versions[blame->lines[i].version].version);

		widest = length > widest ? length : widest;
	}
	return (int)widest;
}

/* " (moved from 8)" after the text of a line, or below it. */
static void text_note(struct wrap *wrap, const char *words)
{
	struct strbuf note = { 0 };

	strbuf_addf(&note, "(%s)", words);
	wrap_phrases(wrap, INK_DIM, 2, note.text);
	strbuf_release(&note);
}

static void text_line(struct strbuf *out, const struct blame_line *line, const struct history_graph *graph,
		      int width, const struct report_style *style)
{
	const struct abi_leaf *leaf = line->leaf;
	struct strbuf words = { 0 };
	struct wrap wrap;
	char at[32];

	text_who(out, graph, line->version, line->is_boundary, width, style);
	report_textf(out, "%7s) ", report_bits(leaf->offset_bits, leaf->is_bitfield, at));
	wrap_continue(&wrap, out, style, 0);
	wrap.indent = wrap.column + 2;
	wrap_text(&wrap, INK_NONE, 0, leaf->type);
	wrap_word(&wrap, INK_NAME, 1, "%s", leaf->path);
	if (leaf->is_bitfield)
		wrap_word(&wrap, INK_NONE, 1, ": %" PRIu64, leaf->size_bits);
	for (size_t i = 0; i < leaf->repeat_count; i++)
		wrap_word(&wrap, INK_NONE, 1, "x%" PRIu64, leaf->repeat[i].count);
	op_words(&words, line);
	if (words.length)
		text_note(&wrap, words.text);
	wrap_end(&wrap);
	strbuf_release(&words);
}

static void text_head(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
		      int width, const struct report_style *style)
{
	const struct abi_layout *layout = blame->layout;
	struct strbuf size = { 0 };
	struct wrap wrap;

	text_who(out, graph, blame->size_version, blame->size_is_boundary, width, style);
	report_textf(out, "       ) %s ", layout->is_union ? "union" : "struct");
	wrap_continue(&wrap, out, style, 0);
	wrap.indent = wrap.column + 2;
	wrap_word(&wrap, INK_NAME, 0, "%s,", layout->record);
	strbuf_plural(&size, layout->size_bytes, "byte");
	wrap_word(&wrap, INK_NONE, 1, "%s", size.text);
	strbuf_release(&size);
	if (!blame->size_is_boundary && blame->size_before)
		wrap_word(&wrap, INK_DIM, 2, "(was %" PRIu64 ")", blame->size_before);
	wrap_end(&wrap);
}

void report_blame_text(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
		       const char *field, const struct report_style *style)
{
	int width = widest_version(blame, graph);

	text_head(out, blame, graph, width, style);
	for (size_t i = 0; i < blame->line_count; i++)
		if (belongs(blame->lines[i].leaf->path, field))
			text_line(out, &blame->lines[i], graph, width, style);
}

static void json_leaf(struct json_writer *writer, const struct abi_leaf *leaf)
{
	json_key_string(writer, "path", leaf->path);
	json_key_unsigned(writer, "offset", leaf->offset_bits / 8);
	if (leaf->is_bitfield) {
		json_key_unsigned(writer, "bit_offset", leaf->offset_bits);
		json_key_unsigned(writer, "bit_width", leaf->size_bits);
	} else {
		json_key_unsigned(writer, "size", leaf->size_bits / 8);
	}
	json_key_string(writer, "type", leaf->type);
	if (leaf->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(leaf->role));
}

/* The keys that say who: of a line, and of the record's size. */
static void json_who(struct json_writer *writer, const struct history_graph *graph, size_t index,
		     bool is_boundary)
{
	char date[32];

	json_key_string(writer, "version", graph->versions[index].version);
	json_key_string(writer, "commit", graph->versions[index].commit);
	json_key_string(writer, "date", text_of_day(graph->versions[index].time, date));
	json_key_bool(writer, "boundary", is_boundary);
}

static void json_line(struct json_writer *writer, const struct blame_line *line,
		      const struct history_graph *graph)
{
	json_open_inline_object(writer);
	json_leaf(writer, line->leaf);
	json_who(writer, graph, line->version, line->is_boundary);
	if (!line->is_boundary)
		json_key_string(writer, "op", diff_op_name(line->op));
	if (line->before) {
		json_key(writer, "before");
		json_open_inline_object(writer);
		json_leaf(writer, line->before);
		json_close_object(writer);
	}
	json_close_object(writer);
}

static void json_ioctl(struct json_writer *writer, const struct blame_ioctl *ioctl)
{
	if (!ioctl)
		return;
	json_key(writer, "ioctl");
	json_open_object(writer);
	report_described_json(writer, ioctl->known, ioctl->item);
	json_close_object(writer);
}

void report_blame_json(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
		       const char *field)
{
	report_blame_ioctl_json(out, blame, graph, field, NULL);
}

void report_blame_ioctl_json(struct strbuf *out, const struct blame *blame, const struct history_graph *graph,
			     const char *field, const struct blame_ioctl *ioctl)
{
	struct json_writer writer = { .out = out };
	const struct history_version *version = &graph->versions[blame->version];

	json_open_object(&writer);
	json_key_string(&writer, "format", BLAME_FORMAT);
	json_key_string(&writer, "record", blame->name);
	json_key_string(&writer, "version", version->version);
	json_key_string(&writer, "commit", version->commit);
	json_ioctl(&writer, ioctl);
	json_key(&writer, "size");
	json_open_inline_object(&writer);
	json_key_unsigned(&writer, "size", blame->layout->size_bytes);
	json_who(&writer, graph, blame->size_version, blame->size_is_boundary);
	if (blame->size_before)
		json_key_unsigned(&writer, "before", blame->size_before);
	json_close_object(&writer);
	json_key(&writer, "lines");
	json_open_array(&writer);
	for (size_t i = 0; i < blame->line_count; i++)
		if (belongs(blame->lines[i].leaf->path, field))
			json_line(&writer, &blame->lines[i], graph);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
}
