/*
 * report/show_json.c - names and numbers as JSON: "drvabi-show/1"
 *
 * The context of the writer is a pointer to the graph of the versions, which the spans need.
 */
#include "report/internal.h"

/* --- the versions of an ioctl, and what a proxy does with it ----------------------------- */

static void write_graph_size(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct history_graph *graph = *(const struct history_graph *const *)writer->context;

	(void)object;
	json_key_unsigned(writer, field->key, graph->version_count);
}

JSON_IS(has_no_number, history_span, !it->number_since_count && !it->number_until_count)

#define VERSIONS(key_, list, counter, ...) \
	JSON_ARRAY(key_, JSON_TEXTS | JSON_OPTIONAL, history_span, list, counter, NULL, \
		   .write = report_write_versions, __VA_ARGS__)

static const struct json_struct span_fields = {
	.field = {
		VERSIONS("since", since, since_count), VERSIONS("until", until, until_count),
		VERSIONS("number_since", number_since, number_since_count, .is_left_out = has_no_number),
		VERSIONS("number_until", number_until, number_until_count, .is_left_out = has_no_number),
		JSON_FIELD("versions", JSON_SIZE | JSON_OPTIONAL, history_span, version_count),
		JSON_FIELD("number_versions", JSON_SIZE | JSON_OPTIONAL, history_span, number_count,
			   .is_left_out = has_no_number),
		{ .key = "of_versions", .kind = JSON_SIZE | JSON_OPTIONAL, .write = write_graph_size },
	},
};

JSON_GET_TEXT(forwarded_at, forwarded, it->node ? it->node->version : NULL)
JSON_GET_TEXT(forwarded_use, forwarded, it->node ? forwarded_use_name(it->use) : NULL)
JSON_GET_TEXT(forwarded_since, forwarded, it->since->version)
JSON_IS(has_no_node, forwarded, !it->node)
JSON_IS(has_no_entry, forwarded, !it->entry)

static const struct json_struct forwarded_fields = {
	.field = {
		{ .key = "node", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = forwarded_at },
		JSON_INTO_BY_POINTER(forwarded, node, JSON_STRUCT(table_node,
			JSON_FIELD("supported", JSON_BOOL | JSON_OPTIONAL, table_node, supported)),
				     .is_left_out = has_no_node),
		{ .key = "use", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = forwarded_use },
		JSON_FIELD("passed_as", JSON_TEXT | JSON_SPARSE, forwarded, passed_as),
		{ .key = "entry_node", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = forwarded_since,
		  .is_left_out = has_no_entry },
		JSON_INTO_BY_POINTER(forwarded, entry, JSON_STRUCT(table_entry,
			JSON_FIELD("name", JSON_TEXT | JSON_OPTIONAL, table_entry, name),
			JSON_ARRAY("caps", JSON_TEXTS | JSON_OPTIONAL | JSON_ON_ONE_LINE, table_entry, caps,
				   cap_count, NULL),
			JSON_ARRAY("structs", JSON_LIST | JSON_OPTIONAL | JSON_ON_ONE_LINE, table_entry,
				   structs, struct_count, JSON_LINE(table_struct,
				JSON_FIELD("driver", JSON_TEXT, table_struct, driver),
				JSON_FIELD("proxy", JSON_TEXT | JSON_OR_NULL, table_struct, proxy)))),
				     .is_left_out = has_no_entry),
	},
};

JSON_IS(has_no_parse, show_item, !it->parse)
JSON_IS(has_no_span, lookup_item, !it->span)

static const struct json_struct known_fields = {
	.field = {
		JSON_INTO_BY_POINTER(show_item, parse, JSON_STRUCT(lookup_parse,
			JSON_ARRAY("bits", JSON_LIST | JSON_OPTIONAL | JSON_ON_ONE_LINE, lookup_parse, bits,
				   bits_count, JSON_LINE(lookup_bits,
				JSON_INTO_BY_POINTER(lookup_bits, bits, JSON_STRUCT(profile_bits,
					JSON_FIELD("name", JSON_TEXT, profile_bits, name))),
				JSON_FIELD("value", JSON_U64, lookup_bits, value),
				JSON_FIELD("called", JSON_TEXT | JSON_OR_NULL, lookup_bits, name)))),
				     .is_left_out = has_no_parse),
		JSON_INTO_BY_POINTER(show_item, item, JSON_STRUCT(lookup_item,
			JSON_INTO_BY_POINTER(lookup_item, span, &span_fields, .is_left_out = has_no_span))),
		JSON_FIELD("forwarded", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, show_item, forwarded,
			   .of = &forwarded_fields),
	},
};

/* --- records -------------------------------------------------------------------- */

JSON_GET_LIST(user_through, diff_reach, it->through, it->through_count - 1)
JSON_GET_TEXT(record_name, show_item, it->record->name)

/* Writes the other names of the record: records that the same place in the source declares. */
static void write_also(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct show_item *item = object;

	json_key_open(writer, field->key, json_open_inline_array);
	for (size_t i = 0; i < item->abi->record_count; i++) {
		const struct abi_record *one = &item->abi->records[i];

		if (!strcmp(one->source, item->record->source) && strcmp(one->name, item->record->name))
			json_string(writer, one->name);
	}
	json_close_array(writer);
}

static const struct json_struct record_fields = {
	.field = {
		{ .key = "name", .kind = JSON_TEXT, .get_text = record_name },
		{ .key = "also", .kind = JSON_TEXTS, .write = write_also },
		JSON_INTO_BY_POINTER(show_item, layout, &abi_layout_fields),
		JSON_ARRAY("carried_by", JSON_LIST, show_item, users, user_count, JSON_LINE(diff_reach,
			JSON_INTO_BY_POINTER(diff_reach, ioctl, JSON_STRUCT(abi_ioctl,
				JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
				JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
				JSON_FIELD("number", JSON_U64, abi_ioctl, number))),
			{ .key = "through", .kind = JSON_TEXTS, .get_list = user_through })),
	},
};

/* --- the other kinds ------------------------------------------------------------ */

static const struct json_struct alias_fields = {
	.field = {
		JSON_FIELD("name", JSON_TEXT, abi_alias, name),
		JSON_FIELD("type", JSON_TEXT, abi_alias, type),
		JSON_FIELD("size", JSON_U64, abi_alias, size_bytes),
	},
};

static void write_values(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct abi_enum *one = object;

	json_key_open(writer, field->key, json_open_object);
	for (size_t i = 0; i < one->value_count; i++) {
		json_key(writer, one->values[i].name);
		json_number(writer, one->values[i].value);
	}
	json_close_object(writer);
}

static const struct json_struct enum_fields = {
	.field = {
		JSON_FIELD("name", JSON_TEXT, abi_enum, name),
		JSON_FIELD("type", JSON_TEXT, abi_enum, type),
		JSON_FIELD("size", JSON_U64, abi_enum, size_bytes),
		JSON_FIELD("source", JSON_TEXT, abi_enum, source),
		{ .key = "values", .kind = JSON_WANT_OBJECT, .write = write_values },
	},
};

static const struct json_struct constant_fields = {
	.field = {
		JSON_FIELD("name", JSON_TEXT, abi_constant, name),
		JSON_FIELD("value", JSON_NUMBER, abi_constant, value),
	},
};

static const struct json_struct ioctl_fields = {
	.field = {
		JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
		JSON_FIELD("name", JSON_TEXT, abi_ioctl, name),
		JSON_FIELD("number", JSON_U64, abi_ioctl, number),
		JSON_FIELD("params", JSON_TEXT | JSON_OR_NULL, abi_ioctl, params),
		JSON_ARRAY("flags", JSON_TEXTS | JSON_ON_ONE_LINE, abi_ioctl, flags, flag_count, NULL),
		JSON_FIELD("access", JSON_TEXT | JSON_OR_NULL, abi_ioctl, access),
		ABI_IOC_FIELD,
		JSON_FIELD("source", JSON_TEXT, abi_ioctl, source),
	},
};

const struct json_struct report_described_fields = {
	.field = {
		JSON_INTO_BY_POINTER(show_item, item, JSON_STRUCT(lookup_item,
			JSON_INTO_BY_POINTER(lookup_item, ioctl, &ioctl_fields))),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &known_fields },
	},
};

/* --- items ---------------------------------------------------------------------- */

JSON_IS(is_no_record, show_item, it->item->kind != ABI_RECORD)
JSON_IS(is_no_alias, lookup_item, it->kind != ABI_ALIAS)
JSON_IS(is_no_enum, lookup_item, it->kind != ABI_ENUM)
JSON_IS(is_no_constant, lookup_item, it->kind != ABI_CONSTANT)
JSON_IS(is_no_ioctl, lookup_item, it->kind != ABI_IOCTL)
JSON_GET_TEXT(item_kind, show_item, abi_kind_name(it->item->kind))
JSON_IS(has_no_params, show_item, it->item->kind != ABI_IOCTL || !it->record)

static const struct json_struct item_fields = {
	.size = sizeof(struct show_item),
	.field = {
		{ .key = "kind", .kind = JSON_TEXT, .get_text = item_kind },
		JSON_FIELD("*", JSON_MEMBERS | JSON_BY_POINTER | JSON_OPTIONAL, show_item, item,
			   .of = JSON_STRUCT(lookup_item,
			JSON_INTO_BY_POINTER(lookup_item, ioctl, &ioctl_fields, .is_left_out = is_no_ioctl),
			JSON_INTO_BY_POINTER(lookup_item, one, &enum_fields, .is_left_out = is_no_enum),
			JSON_INTO_BY_POINTER(lookup_item, alias, &alias_fields, .is_left_out = is_no_alias),
			JSON_INTO_BY_POINTER(lookup_item, constant, &constant_fields,
					     .is_left_out = is_no_constant),
			JSON_FIELD("is_command", JSON_BOOL | JSON_OPTIONAL, lookup_item, is_command,
				   .is_left_out = is_no_constant))),
		{ .key = "*", .kind = JSON_MEMBERS | JSON_OPTIONAL, .of = &record_fields,
		  .is_left_out = is_no_record },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &known_fields },
		{ .key = "record", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &record_fields,
		  .is_left_out = has_no_params },
	},
};

/* --- words ---------------------------------------------------------------------- */

JSON_IS(is_name, lookup_word, !it->is_number)
JSON_GET_LIST(word_items, show_word, it->items, it->lookup->item_count)
JSON_IS(is_name_without_others, show_word, !it->word->is_number && !it->lookup->other_count)

static const struct json_struct word_fields = {
	.size = sizeof(struct show_word),
	.field = {
		JSON_INTO_BY_POINTER(show_word, word, JSON_STRUCT(lookup_word,
			JSON_FIELD("word", JSON_TEXT, lookup_word, text),
			JSON_FIELD("number", JSON_U64 | JSON_OPTIONAL, lookup_word, number,
				   .is_left_out = is_name))),
		JSON_INTO_BY_POINTER(show_word, abi, JSON_STRUCT(abi,
			JSON_FIELD("version", JSON_TEXT, abi, version))),
		JSON_FIELD("is_elsewhere", JSON_BOOL, show_word, is_elsewhere),
		{ .key = "items", .kind = JSON_LIST, .of = &item_fields, .get_list = word_items },
		JSON_INTO_BY_POINTER(show_word, lookup, JSON_STRUCT(lookup,
			JSON_ARRAY("others", JSON_LIST | JSON_OPTIONAL | JSON_BY_POINTER, lookup,
				   others, other_count, JSON_STRUCT(history_span,
				JSON_KIND(history_span, kind),
				JSON_FIELD("family", JSON_TEXT | JSON_SPARSE, history_span, family),
				JSON_FIELD("name", JSON_TEXT, history_span, name),
				{ .key = "*", .kind = JSON_MEMBERS, .of = &span_fields }))),
				     .is_left_out = is_name_without_others),
	},
};

const struct json_struct report_show_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = SHOW_FORMAT },
		JSON_INTO_BY_POINTER(show_report, abi, &report_document_fields),
		JSON_ARRAY("words", JSON_LIST, show_report, words, count, &word_fields),
	},
};

void report_show_json(struct strbuf *out, const struct show_report *report)
{
	report_write_json(out, report, &report_show_fields, &report->graph);
}
