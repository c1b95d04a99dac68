/* report/show_json.c - names and numbers, for a program: "drvabi-show/1" */
#include "report/report.h"

#include "abi/abi.h"

#include <string.h>

static void json_user(struct json_writer *writer, const struct diff_reach *user)
{
	json_open_inline_object(writer);
	json_key_string(writer, "family", user->ioctl->family);
	json_key_string(writer, "name", user->ioctl->name);
	json_key_unsigned(writer, "number", user->ioctl->number);
	json_key(writer, "through");
	json_open_inline_array(writer);
	for (size_t i = 0; i + 1 < user->through_count; i++)
		json_string(writer, user->through[i]);
	json_close_array(writer);
	json_close_object(writer);
}

static void json_also(struct json_writer *writer, const struct abi *abi, const struct abi_record *record)
{
	json_key(writer, "also");
	json_open_inline_array(writer);
	for (size_t i = 0; i < abi->record_count; i++)
		if (!strcmp(abi->records[i].source, record->source) &&
		    strcmp(abi->records[i].name, record->name))
			json_string(writer, abi->records[i].name);
	json_close_array(writer);
}

/* The members of a record, without its name. */
static void json_record(struct json_writer *writer, const struct abi *abi, const struct show_item *item)
{
	json_also(writer, abi, item->record);
	json_write_layout(writer, item->layout);
	json_key(writer, "carried_by");
	json_open_array(writer);
	for (size_t i = 0; i < item->user_count; i++)
		json_user(writer, &item->users[i]);
	json_close_array(writer);
}

static void json_ioctl(struct json_writer *writer, const struct abi_ioctl *ioctl)
{
	json_key_string(writer, "family", ioctl->family);
	json_key_string(writer, "name", ioctl->name);
	json_key_unsigned(writer, "number", ioctl->number);
	json_key_string(writer, "params", ioctl->params);
	json_key_strings(writer, "flags", ioctl->flags, ioctl->flag_count);
	json_key_string(writer, "access", ioctl->access);
	json_write_ioc(writer, ioctl);
	json_key_string(writer, "source", ioctl->source);
}

static void json_enum(struct json_writer *writer, const struct abi_enum *one)
{
	json_key_string(writer, "name", one->name);
	json_key_string(writer, "type", one->type);
	json_key_unsigned(writer, "size", one->size_bytes);
	json_key_string(writer, "source", one->source);
	json_key(writer, "values");
	json_open_object(writer);
	for (size_t i = 0; i < one->value_count; i++) {
		json_key(writer, one->values[i].name);
		json_number(writer, one->values[i].value);
	}
	json_close_object(writer);
}

static void json_constant(struct json_writer *writer, const struct lookup_item *item)
{
	json_key_string(writer, "name", item->constant->name);
	json_key(writer, "value");
	json_number(writer, item->constant->value);
	json_key_bool(writer, "is_command", item->is_command);
}

/* Which of the five it is, by its kind. */
static void json_thing(struct json_writer *writer, const struct abi *abi, const struct show_item *item)
{
	const struct lookup_item *one = item->item;

	switch (one->kind) {
	case ABI_RECORD:
		json_key_string(writer, "name", one->record->name);
		json_record(writer, abi, item);
		return;
	case ABI_ALIAS:
		json_key_string(writer, "name", one->alias->name);
		json_key_string(writer, "type", one->alias->type);
		json_key_unsigned(writer, "size", one->alias->size_bytes);
		return;
	case ABI_ENUM: json_enum(writer, one->one); return;
	case ABI_CONSTANT: json_constant(writer, one); return;
	case ABI_IOCTL: json_ioctl(writer, one->ioctl); return;
	}
}

static void json_bits(struct json_writer *writer, const struct lookup_parse *parse)
{
	json_key(writer, "bits");
	json_open_inline_array(writer);
	for (size_t i = 0; i < parse->bits_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "name", parse->bits[i].bits->name);
		json_key_unsigned(writer, "value", parse->bits[i].value);
		json_key_string(writer, "called", parse->bits[i].name);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_described(struct json_writer *writer, const struct history_graph *graph,
			   const struct show_item *item)
{
	if (item->parse)
		json_bits(writer, item->parse);
	report_span_json(writer, graph, item->item->span);
	report_forwarded_json(writer, item->forwarded);
}

void report_described_json(struct json_writer *writer, const struct history_graph *graph,
			   const struct show_item *item)
{
	json_ioctl(writer, item->item->ioctl);
	json_described(writer, graph, item);
}

static void json_item(struct json_writer *writer, const struct show_report *report, const struct abi *abi,
		      const struct show_item *item)
{
	json_open_object(writer);
	json_key_string(writer, "kind", abi_kind_name(item->item->kind));
	json_thing(writer, abi, item);
	json_described(writer, report->graph, item);
	if (item->item->kind == ABI_IOCTL && item->record) {
		json_key(writer, "record");
		json_open_object(writer);
		json_key_string(writer, "name", item->record->name);
		json_record(writer, abi, item);
		json_close_object(writer);
	}
	json_close_object(writer);
}

static void json_others(struct json_writer *writer, const struct show_report *report,
			const struct lookup *lookup)
{
	json_key(writer, "others");
	json_open_array(writer);
	for (size_t i = 0; i < lookup->other_count; i++) {
		json_open_object(writer);
		json_key_string(writer, "kind", abi_kind_name(lookup->others[i]->kind));
		if (lookup->others[i]->family)
			json_key_string(writer, "family", lookup->others[i]->family);
		json_key_string(writer, "name", lookup->others[i]->name);
		report_span_json(writer, report->graph, lookup->others[i]);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_word(struct json_writer *writer, const struct show_report *report,
		      const struct show_word *word)
{
	json_open_object(writer);
	json_key_string(writer, "word", word->word->text);
	if (word->word->is_number)
		json_key_unsigned(writer, "number", word->word->number);
	json_key_string(writer, "version", word->abi->version);
	json_key_bool(writer, "is_elsewhere", word->abi != report->abi);
	json_key(writer, "items");
	json_open_array(writer);
	for (size_t i = 0; i < word->lookup->item_count; i++)
		json_item(writer, report, word->abi, &word->items[i]);
	json_close_array(writer);
	if (word->word->is_number)
		json_others(writer, report, word->lookup);
	json_close_object(writer);
}

void report_show_json(struct strbuf *out, const struct show_report *report)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", SHOW_FORMAT);
	json_key_string(&writer, "driver", report->abi->driver);
	json_key_string(&writer, "version", report->abi->version);
	json_key_string(&writer, "commit", report->abi->commit);
	json_key_string(&writer, "target", report->abi->target);
	json_key(&writer, "words");
	json_open_array(&writer);
	for (size_t i = 0; i < report->count; i++)
		json_word(&writer, report, &report->words[i]);
	json_close_array(&writer);
	json_close_object(&writer);
	json_end(&writer);
}
