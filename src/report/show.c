/* report/show.c - one record, alias, enum, constant or ioctl as text, and a record as C */
#include "report/internal.h"

/* The lines of show and blame about an ioctl: its versions, and what a proxy does with it. */

static void name_versions(struct strbuf *out, const char *before, const struct history_graph *graph,
			  const size_t *versions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : before, graph->versions[versions[i]].version);
}

void report_span_words(struct strbuf *out, const struct history_graph *graph, const struct history_span *span)
{
	const bool is_renumbered = span->number_since_count || span->number_until_count;
	const char *separator = ": ";

	name_versions(out, "since ", graph, span->since, span->since_count);
	name_versions(out, "; removed in ", graph, span->until, span->until_count);
	strbuf_addf(out, "; in %zu of ", span->version_count);
	strbuf_plural(out, graph->version_count, "release");
	if (!is_renumbered)
		return;
	strbuf_addf(out, ", with this number in %zu", span->number_count);
	if (span->number_since_count != span->since_count ||
	    memcmp(span->number_since, span->since, span->since_count * sizeof(*span->since)) != 0) {
		strbuf_adds(out, separator);
		separator = "; ";
		name_versions(out, "since ", graph, span->number_since, span->number_since_count);
	}
	if (span->number_until_count)
		strbuf_adds(out, separator);
	name_versions(out, "the number changed in ", graph, span->number_until, span->number_until_count);
}

void report_forwarded_words(struct strbuf *out, const struct forwarded *forwarded)
{
	const struct table_entry *entry = forwarded->entry;
	const char *separator = "read, as ";

	if (!forwarded->node) {
		strbuf_adds(out, "unknown: the table has no node for this version");
		return;
	}
	switch (forwarded->use) {
	case FORWARDED_NONE: strbuf_adds(out, "not forwarded"); break;
	case FORWARDED_UNREAD:
		strbuf_adds(out, !entry || entry->struct_count ? "passed through unread"
							       : "forwarded, without parameters in the table");
		break;
	case FORWARDED_READ:
		for (size_t i = 0; i < entry->struct_count; i++) {
			if (!entry->structs[i].proxy)
				continue;
			strbuf_addf(out, "%s%s", separator, entry->structs[i].proxy);
			separator = ", ";
		}
		break;
	}
	for (size_t i = 0; entry && i < entry->cap_count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; under ", entry->caps[i]);
	if (forwarded->passed_as)
		strbuf_addf(out, ", without an entry (%s)", forwarded->passed_as);
	strbuf_addf(out, "; node %s", forwarded->node->version);
	if (!forwarded->node->supported)
		strbuf_adds(out, ", which is not supported");
	if (forwarded->since && forwarded->since != forwarded->node)
		strbuf_addf(out, ", with the entry of node %s", forwarded->since->version);
}

void report_parse_words(struct strbuf *out, const struct lookup_parse *parse)
{
	for (size_t i = 0; i < parse->bits_count; i++) {
		const struct lookup_bits *bits = &parse->bits[i];

		strbuf_addf(out, "%s%s 0x%0*" PRIx64, i ? ", " : "", bits->bits->name,
			    (int)(bits->bits->width + 3) / 4, bits->value);
		if (bits->name)
			strbuf_addf(out, " %s", bits->name);
	}
}

/*
 * Names and numbers as C declarations.
 *
 * Types come in the order of the words, then all numbers as macros: a macro with the name of an enumerator
 * must not precede the enum.
 */

/* Declares a type, or an ioctl's parameters; nothing for constants. Return: 0, or cdecl_*()'s error. */
static int write_type(struct cdecl *writer, const struct show_item *item)
{
	switch (item->item->kind) {
	case ABI_RECORD:
	case ABI_IOCTL: return item->record ? cdecl_record(writer, item->record) : 0;
	case ABI_ENUM: return cdecl_enum(writer, item->item->one);
	case ABI_ALIAS: return cdecl_alias(writer, item->item->alias);
	case ABI_CONSTANT: return 0;
	}
	return 0;
}

/* Writes an ioctl or a constant as a macro; nothing for a type. Return: 0, or the error of cdecl_define(). */
static int write_macro(struct cdecl *writer, const struct show_item *item)
{
	const struct abi_constant *constant = item->item->constant;
	const struct abi_ioctl *ioctl = item->item->ioctl;
	char number[CDECL_NEGATIVE_BYTES + 2], negative[CDECL_NEGATIVE_BYTES], both[ABI_NOTATION_BYTES];
	struct strbuf comment = { 0 };
	const char *written;
	int rc = 0;

	if (item->item->kind == ABI_IOCTL) {
		strbuf_addf(&comment, "%s, %s", ioctl->family, report_params(ioctl));
		rc = cdecl_define(writer, ioctl->name, abi_ioctl_number(ioctl->family, ioctl->number, both),
				  comment.text);
		strbuf_release(&comment);
	} else if (item->item->kind == ABI_CONSTANT) {
		/* "0xa097 (41111)" has two notations; the second one is written as a comment. */
		written = abi_constant_number(constant, both);
		if (constant->value.negative)
			snprintf(number, sizeof(number), "(%s)",
				 cdecl_negative(constant->value.magnitude, negative));
		else
			snprintf(number, sizeof(number), "%.*s%s", (int)strcspn(written, " "), written,
				 constant->value.magnitude > INT64_MAX ? "ULL" : "");
		rc = cdecl_define(writer, constant->name, number,
				  written[strcspn(written, " ")] ? written : "");
	}
	return rc;
}

/* Returns true if a glob matched an unnamed type, which C can only declare inside a different type. */
static bool is_unnamed_match(const struct show_word *word, const struct show_item *item)
{
	return !word->word->is_number && history_is_glob(word->word->text) &&
	       ((item->item->kind == ABI_RECORD && strstr(item->record->name, "::")) ||
		(item->item->kind == ABI_ENUM && strstr(item->item->one->name, "::")) ||
		(item->item->kind == ABI_ALIAS &&
		 item->item->alias->name[strcspn(item->item->alias->name, ":* ")]));
}

/* Writes all items with @write, until it fails. If @are_types, comments name versions not requested. */
static int write_items(struct cdecl *writer, const struct show_report *report, bool are_types,
		       int (*write)(struct cdecl *, const struct show_item *))
{
	struct strbuf origin = { 0 };
	int rc = 0;

	for (size_t w = 0; w < report->count; w++) {
		const struct show_word *word = &report->words[w];

		writer->abi = word->abi;
		if (are_types && word->is_elsewhere) {
			strbuf_reset(&origin);
			strbuf_addf(&origin, "%s: not in %s; this is %s, the nearest version that has it",
				    word->word->text, report->abi->version, word->abi->version);
			cdecl_comment(writer->out, origin.text);
			strbuf_adds(writer->out, "\n");
		}
		for (size_t i = 0; !rc && i < word->lookup->item_count; i++)
			if (!is_unnamed_match(word, &word->items[i]))
				rc = write(writer, &word->items[i]);
	}
	strbuf_release(&origin);
	return rc;
}

int report_show_c(struct strbuf *out, const struct show_report *report, bool expand, struct err *err)
{
	struct cdecl writer = { .out = out, .expand = expand, .err = err };
	struct strbuf origin = { 0 };
	int rc;

	strbuf_addf(&origin, "%s %s, %s", report->abi->driver, report->abi->version, report->abi->target);
	cdecl_comment(out, strbuf_text(&origin));
	strbuf_adds(out, "\n\n");
	if (!(rc = write_items(&writer, report, true, write_type)))
		rc = write_items(&writer, report, false, write_macro);
	if (out->length > 1 && out->text[out->length - 2] == '\n')
		out->text[--out->length] = '\0';
	strbuf_release(&origin);
	cdecl_release(&writer);
	return rc;
}

enum { USERS_SHOWN = 12, PATH_WIDTH = 31, VALUE_WIDTH = 60 };

/* Formats a size: "5b" is in bits, "8" in bytes. */
static const char *size_text(uint64_t size_bits, bool in_bits, char buffer[32])
{
	snprintf(buffer, 32, in_bits ? "%" PRIu64 "b" : "%" PRIu64, in_bits ? size_bits : size_bits / 8);
	return buffer;
}

/* Writes the holes before @offset_bits, beginning with hole @next. Return: the index of the next hole. */
static size_t layout_holes(struct strbuf *out, const struct abi_layout *layout, size_t next,
			   uint64_t offset_bits, const struct report_style *style)
{
	char at[32], size[32];
	struct line line;

	for (; next < layout->hole_count && layout->hole[next].offset_bits < offset_bits; next++) {
		const struct abi_hole *hole = &layout->hole[next];

		line_begin(&line, out, style, 29);
		line_add(&line, "  " DIM("%7s %6s  (%s)"), report_bits(hole->offset_bits, false, at),
			 size_text(hole->size_bits, hole->size_bits % 8, size),
			 hole->is_tail ? "tail padding" : "hole");
		for (size_t i = 0; i < hole->repeat_count; i++)
			line_add(&line, "  " DIM("x%" PRIu64 " every %" PRIu64),
				 hole->repeat[i].count, hole->repeat[i].stride_bits / 8);
		line_end(&line);
	}
	return next;
}

void report_layout_text(struct strbuf *out, const struct abi_layout *layout, const struct report_style *style)
{
	char at[32], size[32], bytes[PLURAL_BYTES];
	struct line line;
	size_t hole = 0;

	text_line(out, style, 2, "%s " NAME "  " PLAIN("%s, align %" PRIu64),
		  layout->is_union ? "union" : "struct", layout->record,
		  report_plural(layout->size_bytes, "byte", bytes), layout->align_bytes);
	text_line(out, style, 2, "  " DIM("%s"), layout->source);
	strbuf_adds(out, "   offset   size  kind     field\n");
	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct abi_scalar *scalar = &layout->scalar[i];

		hole = layout_holes(out, layout, hole, scalar->offset_bits, style);
		line_begin(&line, out, style, 29);
		line_add(&line, "  %7s %6s  %-8s %-*s  " DIM("%s"),
			 report_bits(scalar->offset_bits, scalar->is_bitfield, at),
			 size_text(scalar->size_bits, scalar->is_bitfield, size),
			 abi_scalar_kind_name(scalar->kind), PATH_WIDTH, scalar->path, scalar->type);
		if (scalar->role != ABI_ROLE_NONE)
			line_add(&line, "  " CHANGED("%s"), abi_role_name(scalar->role));
		for (size_t r = 0; r < scalar->repeat_count; r++)
			line_add(&line, "  " PLAIN("x%" PRIu64 " every %" PRIu64), scalar->repeat[r].count,
				 scalar->repeat[r].stride_bits / 8);
		if (scalar->union_path)
			line_add(&line, "  " DIM("alternative %zu of") " " DIM("%s"), scalar->alternative,
				 *scalar->union_path ? scalar->union_path : "the union");
		line_end(&line);
	}
	layout_holes(out, layout, hole, UINT64_MAX, style);
}

/* Writes the layout and other names of the item's record, and the ioctls that carry it. */
static void text_record(struct strbuf *out, const struct show_item *item, const struct report_style *style)
{
	const size_t count = item->user_count;
	const size_t shown = style->verbose || count <= USERS_SHOWN + 1 ? count : USERS_SHOWN;
	const struct abi *abi = item->abi;
	char number[ABI_NOTATION_BYTES];
	struct line line;

	report_layout_text(out, item->layout, style);
	line_begin(&line, out, style, 10);
	for (size_t i = 0; i < abi->record_count; i++) /* the other names of the record's declaration */
		if (!strcmp(abi->records[i].source, item->record->source) &&
		    strcmp(abi->records[i].name, item->record->name))
			line_add(&line, line.words.length ? ", %s" : "  also    %s", abi->records[i].name);
	line_end(&line);
	strbuf_adds(out, count ? "\ncarried by\n" : "\ncarried by no ioctl that the driver's tables name\n");
	for (size_t i = 0; i < shown; i++) {
		const struct abi_ioctl *ioctl = item->users[i].ioctl;

		line_begin(&line, out, style, 24);
		line_add(&line, "  %-10s %-10s %s", ioctl->family,
			 abi_ioctl_number(ioctl->family, ioctl->number, number), ioctl->name);
		for (size_t step = 0; step + 1 < item->users[i].through_count; step++)
			line_add(&line, step ? " > %s" : " through %s", item->users[i].through[step]);
		line_end(&line);
	}
	if (shown < count)
		report_textf(out, "  and %zu more (-v lists them)\n", count - shown);
}

static void text_alias(struct strbuf *out, const struct abi_alias *alias, const struct report_style *style)
{
	char size[PLURAL_BYTES];

	text_line(out, style, 2, "alias " NAME " " PLAIN("= %s,") " " PLAIN("%s"), alias->name, alias->type,
		  report_plural(alias->size_bytes, "byte", size));
}

/* Orders enumerators by value. Those with the same value stay in the document's order, by name. */
static int compare_values(const void *a, const void *b)
{
	const struct abi_enumerator *left = *(const struct abi_enumerator *const *)a;
	const struct abi_enumerator *right = *(const struct abi_enumerator *const *)b;

	return abi_number_compare(left->value, right->value)
		?: compare_numbers((uintptr_t)left, (uintptr_t)right);
}

static void text_enum(struct strbuf *out, const struct abi_enum *one, const struct report_style *style)
{
	const struct abi_enumerator **sorted = xmalloc((one->value_count + 1) * sizeof(*sorted));
	char value[24], size[PLURAL_BYTES];

	text_line(out, style, 2, "enum " NAME "  " PLAIN("%s, %s"), one->name, one->type,
		  report_plural(one->size_bytes, "byte", size));
	text_line(out, style, 2, "  " DIM("%s"), one->source);
	for (size_t i = 0; i < one->value_count; i++)
		sorted[i] = &one->values[i];
	sort_items(sorted, one->value_count, sizeof(*sorted), compare_values);
	for (size_t i = 0; i < one->value_count; i++)
		text_line(out, style, VALUE_WIDTH + 3, "  %-*s %s", VALUE_WIDTH, sorted[i]->name,
			  abi_number_text(sorted[i]->value, value));
	free(sorted);
}

static void text_constant(struct strbuf *out, const struct abi_constant *constant,
			  const struct report_style *style)
{
	char value[ABI_NOTATION_BYTES];

	text_line(out, style, 2, "constant " NAME " " PLAIN("= %s"), constant->name,
		  abi_constant_number(constant, value));
}

/* Appends "direction read-write, type 'K', nr 0x02, 96 bytes"; "any size" if a macro's argument sets it. */
static void encoding_words(struct strbuf *out, const struct abi_ioctl *ioctl)
{
	const uint64_t number = ioctl->number;
	const unsigned type = abi_ioc_get(number, ABI_IOC_TYPE);

	strbuf_addf(out, "direction %s, ", abi_ioc_direction_name(abi_ioc_get(number, ABI_IOC_DIRECTION)));
	strbuf_addf(out, type > ' ' && type < 0x7f ? "type '%c', " : "type 0x%02x, ", (int)type);
	strbuf_addf(out, ioctl->varies & 1u << ABI_IOC_NR ? "nr from 0x%02x on, " : "nr 0x%02x, ",
		    abi_ioc_get(number, ABI_IOC_NR));
	if (ioctl->varies & 1u << ABI_IOC_SIZE)
		strbuf_adds(out, "any size");
	else
		strbuf_plural(out, abi_ioc_get(number, ABI_IOC_SIZE), "byte");
	if (ioctl->argument)
		strbuf_addf(out, " of %s", ioctl->argument);
	if (ioctl->encoding == ABI_NUMBER_IOC_BY_NR)
		strbuf_adds(out, "; the driver compares only type and nr");
}

/* Writes what the document has about an ioctl: number, parameters, parts of the number, flags, source. */
static void text_ioctl(struct strbuf *out, const struct abi_ioctl *ioctl, const struct report_style *style)
{
	const char *element = call_array_element(ioctl);
	const bool is_dispatched = !abi_ioctl_has_flag(ioctl, ABI_FLAG_NOT_DISPATCHED);
	const char *params = ioctl->params			? ioctl->params
			     : !abi_ioctl_params_unknown(ioctl) ? "none"
			     : is_dispatched ? "not known: the profile names no record"
					     : "not known: the driver does not dispatch the ioctl";
	char number[ABI_NOTATION_BYTES];
	struct line line;

	text_line(out, style, 4, "%s ioctl " NAME " " PLAIN("= %s"), ioctl->family, ioctl->name,
		  abi_ioctl_number(ioctl->family, ioctl->number, number));
	strbuf_addf(line_begin_labelled(&line, out, style), "%s%s", element ? element : params,
		    element ? "[], as many as the size in the request has" : "");
	line_end_labelled(&line, "parameters", INK_NONE);
	if (!abi_ioctl_is_plain(ioctl)) {
		encoding_words(line_begin_labelled(&line, out, style), ioctl);
		line_end_labelled(&line, "encoding", INK_NONE);
	}
	line_begin_labelled(&line, out, style);
	for (size_t i = 0; i < ioctl->flag_count; i++)
		strbuf_addf(&line.plain, "%s%s", i ? " " : "", ioctl->flags[i]);
	line_end_labelled(&line, "flags", INK_NONE);
	strbuf_adds(line_begin_labelled(&line, out, style), ioctl->access ? ioctl->access : "");
	line_end_labelled(&line, "access", INK_NONE);
	if (*ioctl->source)
		text_line(out, style, 2, "  " DIM("%s"), ioctl->source);
}

/*
 * Names and numbers as text: first a line that names the version, then a paragraph for each item.
 */

struct show_text {
	struct strbuf *out;
	const struct history_graph *graph;
	const struct report_style *style;
};

enum { CONSTANTS_SHOWN = 12 };

/* Writes what is known: the parts of the item's number, its versions, and what a proxy does with it. */
static void text_known(struct show_text *text, const struct show_item *item)
{
	struct line line;

	line_begin_labelled(&line, text->out, text->style);
	if (item->parse)
		report_parse_words(&line.plain, item->parse);
	line_end_labelled(&line, "number", INK_NONE);
	line_begin_labelled(&line, text->out, text->style);
	if (item->item->span)
		report_span_words(&line.plain, text->graph, item->item->span);
	line_end_labelled(&line, "versions", INK_NONE);
	line_begin_labelled(&line, text->out, text->style);
	if (item->forwarded)
		report_forwarded_words(&line.plain, item->forwarded);
	line_end_labelled(&line, "proxy", INK_NONE);
}

void report_described_text(struct strbuf *out, const struct history_graph *graph,
			   const struct show_item *item, const struct report_style *style)
{
	struct show_text text = { .out = out, .graph = graph, .style = style };

	text_ioctl(out, item->item->ioctl, style);
	text_known(&text, item);
}

/* Writes an item, its versions, what a proxy does with it, and the record of an ioctl's parameters. */
static void text_item(struct show_text *text, const struct show_item *item)
{
	const struct lookup_item *one = item->item;

	switch (one->kind) {
	case ABI_RECORD:
		text_record(text->out, item, text->style);
		strbuf_adds(text->out, one->span ? "\n" : "");
		break;
	case ABI_ENUM: text_enum(text->out, one->one, text->style); break;
	case ABI_ALIAS: text_alias(text->out, one->alias, text->style); break;
	case ABI_CONSTANT:
		text_constant(text->out, one->constant, text->style);
		if (one->is_command)
			report_textf(text->out,
				     "  only a #define: the driver's source has no handler for it\n");
		break;
	case ABI_IOCTL: text_ioctl(text->out, one->ioctl, text->style); break;
	}
	text_known(text, item);
	if (one->kind == ABI_IOCTL && item->record) {
		strbuf_addch(text->out, '\n');
		text_record(text->out, item, text->style);
	}
}

void report_elsewhere_text(struct strbuf *out, const struct lookup_word *word, const char *asked,
			   const char *nearest, const struct report_style *style)
{
	text_line(out, style, 4,
		  word->is_number ? "%s: " ALARM("no ioctl or command of %s;") " this is %s, the nearest version that has it"
				  : "%s: " ALARM("not in %s;") " this is %s, the nearest version that has it",
		  word->text, asked, nearest);
}

/* Many constants can have a small number, so those that are not commands are listed, not described. */
static bool is_listed_only(const struct show_word *word, const struct show_item *item)
{
	return word->word->is_number && item->item->kind == ABI_CONSTANT && !item->item->is_command;
}

/* Lists constants with the requested number, without -v the first CONSTANTS_SHOWN; nothing if none. */
static void text_constants(struct show_text *text, const struct show_word *word)
{
	size_t count = 0, shown = 0, most;

	for (size_t i = 0; i < word->lookup->item_count; i++)
		count += is_listed_only(word, &word->items[i]);
	most = text->style->verbose || count <= CONSTANTS_SHOWN + 1 ? count : CONSTANTS_SHOWN;
	if (count)
		report_textf(text->out, "\nconstants that are %s\n", word->word->text);
	for (size_t i = 0; i < word->lookup->item_count && shown < most; i++)
		if (is_listed_only(word, &word->items[i])) {
			report_textf(text->out, "  %s\n", word->items[i].item->constant->name);
			shown++;
		}
	if (shown < count)
		report_textf(text->out, "  and %zu more (-v lists them)\n", count - shown);
}

void report_show_text(struct strbuf *out, const struct show_report *report, const struct report_style *style)
{
	struct show_text text = { .out = out, .graph = report->graph, .style = style };
	struct line line;
	bool first = true;

	report_textf(out, "%s %s, %s\n", report->abi->driver, report->abi->version, report->abi->target);
	for (size_t w = 0; w < report->count; w++) {
		const struct show_word *word = &report->words[w];

		if (word->is_elsewhere) {
			strbuf_addch(out, '\n');
			report_elsewhere_text(out, word->word, report->abi->version, word->abi->version,
					      style);
			first = false;
		}
		for (size_t i = 0; i < word->lookup->item_count; i++) {
			if (is_listed_only(word, &word->items[i]))
				continue;
			if (!first)
				strbuf_addch(out, '\n');
			first = false;
			text_item(&text, &word->items[i]);
		}
		text_constants(&text, word);
		if (word->lookup->other_count)
			report_textf(out, "\n%s in other versions\n", word->word->text);
		for (size_t i = 0; i < word->lookup->other_count; i++) {
			const struct history_span *span = word->lookup->others[i];

			text_line(out, style, 4, "  %s " NAME, span->family ? span->family : "macro",
				  span->name);
			line_begin(&line, out, style, 6);
			report_span_words(&line.plain, report->graph, span);
			line_end_with(&line, INK_NONE, "    ");
		}
	}
}
