/*
 * A diff as JSON: "drvabi-diff/1". The keys of an object have the order of its json_struct in this file. The
 * changes have the order of the diff.
 */
#include "report/internal.h"

/* --- fields and values ---------------------------------------------------------- */

JSON_IS(is_bitfield, diff_field_side, it->is_bitfield)
JSON_IS(is_no_bitfield, diff_field_side, !it->is_bitfield)

static const struct json_struct field_side_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("path", JSON_TEXT, diff_field_side, path),
		JSON_FIELD("offset", JSON_BITS, diff_field_side, offset_bits),
		JSON_FIELD("bit_offset", JSON_U64 | JSON_OPTIONAL, diff_field_side, offset_bits,
			   .is_left_out = is_no_bitfield),
		JSON_FIELD("bit_width", JSON_U64 | JSON_OPTIONAL, diff_field_side, size_bits,
			   .is_left_out = is_no_bitfield),
		JSON_FIELD("size", JSON_BITS | JSON_OPTIONAL, diff_field_side, size_bits,
			   .is_left_out = is_bitfield),
		JSON_FIELD("type", JSON_TEXT, diff_field_side, type),
		JSON_ROLE(JSON_SPARSE, diff_field_side, role),
	},
};

JSON_GET_TEXT(field_path, diff_field, (it->after ? it->after : it->before)->path)

JSON_IS(is_no_record, diff_change, it->kind != ABI_RECORD)
JSON_IS(is_no_enum, diff_change, it->kind != ABI_ENUM)

const struct json_struct report_change_list_fields = {
	.field = {
		JSON_ARRAY("fields", JSON_LIST | JSON_OPTIONAL, diff_change, fields, field_count,
			   JSON_LINE(diff_field,
			JSON_FIELD("op", JSON_NAMED, diff_field, op, .name_of = diff_op_name,
				   .max = DIFF_OP_RESIZED + 1),
			{ .key = "path", .kind = JSON_TEXT, .get_text = field_path },
			JSON_CLASSES("classes", 0, diff_field, classes),
			JSON_FIELD("before", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, diff_field, before,
				   .of = &field_side_fields),
			JSON_FIELD("after", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, diff_field, after,
				   .of = &field_side_fields)), .is_left_out = is_no_record),
		JSON_ARRAY("values", JSON_LIST | JSON_OPTIONAL, diff_change, values, value_count,
			   JSON_LINE(diff_value,
			JSON_FIELD("name", JSON_TEXT, diff_value, name),
			JSON_FIELD("base_name", JSON_TEXT | JSON_SPARSE, diff_value, base_name),
			JSON_FIELD("before", JSON_NUMBER | JSON_BY_POINTER | JSON_SPARSE, diff_value, before),
			JSON_FIELD("after", JSON_NUMBER | JSON_BY_POINTER | JSON_SPARSE, diff_value, after)),
			   .is_left_out = is_no_enum),
	},
};

/* --- flags ---------------------------------------------------------------------- */

/*
 * Writes the added flags if the key ends with "_added", else the removed ones; nothing if there are none.
 * @field->max: the kinds of flags to write, bits 1u << enum diff_flag_kind
 */
static void write_flags(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct diff_change *change = object;
	const bool is_added = strstr(field->key, "_added");
	size_t count = 0;

	for (size_t i = 0; i < change->flag_count; i++) {
		const struct diff_flag *flag = &change->flags[i];

		if (flag->is_added != is_added || !(field->max & 1u << flag->kind))
			continue;
		if (!count++) {
			json_key_open(writer, field->key, json_open_inline_array);
		}
		json_string(writer, flag->word);
	}
	if (count)
		json_close_array(writer);
}

#define FLAGS(key_, kinds) \
	{ \
		.key = (key_), .kind = JSON_TEXTS | JSON_OPTIONAL, .max = (kinds), .write = write_flags \
	}

const struct json_struct report_change_flag_fields = {
	.field = { FLAGS("access_added", 1 << DIFF_FLAG_LEVEL | 1 << DIFF_FLAG_CALLER),
		   FLAGS("access_removed", 1 << DIFF_FLAG_LEVEL | 1 << DIFF_FLAG_CALLER),
		   FLAGS("rights_added", 1 << DIFF_FLAG_RIGHT), FLAGS("rights_removed", 1 << DIFF_FLAG_RIGHT),
		   FLAGS("flags_added", 1 << DIFF_FLAG_OTHER), FLAGS("flags_removed", 1 << DIFF_FLAG_OTHER) },
};

/* --- the item before and after a change -------------------------------------------------- */

const struct json_struct report_ioctl_call_fields = {
	.field = {
		JSON_ARRAY("flags", JSON_TEXTS | JSON_ON_ONE_LINE, abi_ioctl, flags, flag_count, NULL),
		JSON_FIELD("access", JSON_TEXT | JSON_SPARSE, abi_ioctl, access),
		ABI_IOC_FIELD,
	},
};

static const struct json_struct *const side_fields[ABI_KIND_COUNT] = {
	[ABI_RECORD] = JSON_LINE(abi_record,
		JSON_FIELD("size", JSON_U64, abi_record, size_bytes),
		JSON_FIELD("align", JSON_U64, abi_record, align_bytes),
		JSON_FIELD("is_union", JSON_BOOL, abi_record, is_union),
		JSON_FIELD("source", JSON_TEXT, abi_record, source)),
	[ABI_ALIAS] = JSON_LINE(abi_alias,
		JSON_FIELD("type", JSON_TEXT, abi_alias, type),
		JSON_FIELD("size", JSON_U64, abi_alias, size_bytes)),
	[ABI_ENUM] = JSON_LINE(abi_enum,
		JSON_FIELD("type", JSON_TEXT, abi_enum, type),
		JSON_FIELD("size", JSON_U64, abi_enum, size_bytes),
		JSON_FIELD("source", JSON_TEXT, abi_enum, source)),
};

void report_write_side(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct diff_change *change = object;
	const struct json_struct *of = change->kind == ABI_IOCTL ? field->of : side_fields[change->kind];
	const void *item = diff_item(change, strcmp(field->key, "before"));

	if (!item)
		return;
	json_key(writer, field->key);
	if (of)
		json_write_struct(writer, item, of);
	else if (change->kind == ABI_IOCTL)
		json_unsigned(writer, ((const struct abi_ioctl *)item)->number);
	else
		json_number(writer, ((const struct abi_constant *)item)->value);
}

JSON_GET_TEXT(params_or_empty, abi_ioctl, it->params ? it->params : "")

static const struct json_struct ioctl_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("number", JSON_U64, abi_ioctl, number),
		{ .key = "params", .kind = JSON_TEXT, .get_text = params_or_empty },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_ioctl_call_fields },
		JSON_FIELD("source", JSON_TEXT, abi_ioctl, source),
	},
};

/* --- changes -------------------------------------------------------------------- */

JSON_IS(is_without_table, diff_report, !it->diff->view)
JSON_IS(has_no_former_owner, diff_change, !it->number_was || !it->next_ioctl || it->number_was_is_gone)

const struct json_struct report_change_name_fields = {
	.field = {
		JSON_KIND(diff_change, kind),
		JSON_FIELD("family", JSON_TEXT | JSON_SPARSE, diff_change, family),
		JSON_FIELD("name", JSON_TEXT, diff_change, name),
		JSON_FIELD("base_name", JSON_TEXT | JSON_SPARSE, diff_change, base_name),
		JSON_ARRAY("also", JSON_TEXTS | JSON_SPARSE | JSON_ON_ONE_LINE, diff_change, also, also_count,
			   NULL),
		JSON_FIELD("same_as", JSON_TEXT | JSON_SPARSE, diff_change, same_as),
		JSON_CLASSES("classes", 0, diff_change, classes),
	},
};

const struct json_struct report_change_passed_fields = {
	.field = { JSON_FIELD("passed_was", JSON_TEXT | JSON_SPARSE, diff_change, passed_was),
		   JSON_FIELD("passed_as", JSON_TEXT | JSON_SPARSE, diff_change, passed_as) },
};

static const struct json_struct change_fields = {
	.size = sizeof(struct diff_change),
	.field = {
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_name_fields },
		JSON_FIELD("proxied", JSON_BOOL, diff_change, proxied),
		{ .key = "*", .kind = JSON_MEMBERS, .context_omits = is_without_table,
		  .of = JSON_STRUCT(diff_change,
			JSON_FIELD("use", JSON_NAMED | JSON_OPTIONAL, diff_change, use,
				   .name_of = diff_use_name, .max = DIFF_USE_READ + 1),
			JSON_FIELD("section", JSON_NAMED | JSON_OPTIONAL, diff_change, section,
				   .name_of = diff_section_name, .max = DIFF_SECTION_UNREAD + 1),
			JSON_ARRAY("new_roles", JSON_LIST | JSON_SPARSE | JSON_ON_ONE_LINE, diff_change,
				   new_roles, new_role_count, JSON_LINE(diff_new_role,
				JSON_FIELD("path", JSON_TEXT, diff_new_role, path),
				JSON_ROLE(0, diff_new_role, role)))) },
		JSON_ARRAY("because", JSON_TEXTS | JSON_SPARSE | JSON_ON_ONE_LINE, diff_change, because,
			   because_count, NULL),
		JSON_FIELD("inside", JSON_TEXT | JSON_SPARSE, diff_change, inside),
		JSON_FIELD("with", JSON_TEXT | JSON_SPARSE, diff_change, with),
		{ .key = "before", .kind = JSON_WANT_OBJECT | JSON_WANT_INTEGER | JSON_OPTIONAL,
		  .of = &ioctl_fields, .write = report_write_side },
		{ .key = "after", .kind = JSON_WANT_OBJECT | JSON_WANT_INTEGER | JSON_OPTIONAL,
		  .of = &ioctl_fields, .write = report_write_side },
		JSON_FIELD("number_was", JSON_TEXT | JSON_SPARSE, diff_change, number_was),
		JSON_FIELD("number_was_now", JSON_U64 | JSON_OPTIONAL, diff_change, number_was_now,
			   .is_left_out = has_no_former_owner),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_flag_fields },
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_list_fields },
		JSON_ARRAY("reached_by", JSON_LIST | JSON_OPTIONAL, diff_change, reached_by, reach_count,
			   JSON_LINE(diff_reach,
				JSON_INTO_BY_POINTER(diff_reach, ioctl, JSON_STRUCT(abi_ioctl,
					JSON_FIELD("family", JSON_TEXT, abi_ioctl, family),
					JSON_FIELD("name", JSON_TEXT, abi_ioctl, name))),
				JSON_ARRAY("through", JSON_TEXTS, diff_reach, through, through_count, NULL)),
			   .is_left_out = is_no_record),
		JSON_ARRAY("entries", JSON_LIST | JSON_OPTIONAL | JSON_BY_POINTER, diff_change, entries,
			   entry_count, JSON_LINE(table_entry,
				JSON_FIELD("family", JSON_TEXT, table_entry, family),
				JSON_FIELD("name", JSON_TEXT, table_entry, name),
				JSON_FIELD("number", JSON_U64, table_entry, number)),
			   .context_omits = is_without_table),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &report_change_passed_fields },
	},
};

/* --- the verdict ---------------------------------------------------------------- */

JSON_GET_TEXT(fit_name, ranges_choice, it->is_known ? report_fit_name(it->fit) : "unknown")
JSON_GET_TEXT(choice_node, ranges_choice, it->node ? it->node->version : NULL)
JSON_GET_TEXT(choice_follows, ranges_choice, it->is_known && !it->follows_none ? it->follows->version : NULL)

static void write_verdict_text(struct json_writer *writer, const struct json_field *field, const void *object)
{
	struct strbuf text = { 0 };

	report_verdict(&text, object);
	json_key_string(writer, field->key, strbuf_text(&text));
	strbuf_release(&text);
}

JSON_IS(is_unchosen, diff_report, !it->choice)

static const struct json_struct verdict_fields = {
	.field = {
		{ .key = "text", .kind = JSON_TEXT, .write = write_verdict_text },
		JSON_INTO_BY_POINTER(diff_report, choice, JSON_STRUCT(ranges_choice,
			{ .key = "fit", .kind = JSON_TEXT | JSON_OPTIONAL, .get_text = fit_name },
			{ .key = "node", .kind = JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL,
			  .get_text = choice_node },
			{ .key = "follows", .kind = JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL,
			  .get_text = choice_follows },
			JSON_FIELD("why", JSON_TEXT | JSON_SPARSE, ranges_choice, why)),
			.is_left_out = is_unchosen),
		JSON_INTO_BY_POINTER(diff_report, diff, JSON_STRUCT(diff,
			JSON_FIELD("records", JSON_SIZE, diff, totals.records),
			JSON_FIELD("read", JSON_SIZE, diff, totals.read),
			JSON_FIELD("handlers", JSON_SIZE, diff, totals.handlers),
			JSON_FIELD("removed_ioctls", JSON_SIZE, diff, totals.removed),
			JSON_FIELD("renumbered_ioctls", JSON_SIZE, diff, totals.renumbered),
			JSON_FIELD("renamed_ioctls", JSON_SIZE, diff, totals.renamed),
			JSON_FIELD("entries", JSON_SIZE, diff, totals.entries),
			JSON_FIELD("read_entries", JSON_SIZE, diff, totals.read_entries))),
		JSON_INTO_BY_POINTER(diff_report, choice, JSON_STRUCT(ranges_choice,
			JSON_ARRAY("findings", JSON_LIST | JSON_OPTIONAL, ranges_choice, fresh, fresh_count,
				   JSON_LINE(verify_finding,
				{ .key = "*", .kind = JSON_MEMBERS, .of = &report_finding_fields },
				JSON_FIELD("message", JSON_TEXT, verify_finding, message)))),
				     .is_left_out = is_unchosen),
	},
};

/* --- the document ------------------------------------------------------------------ */

static const struct json_struct version_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("version", JSON_TEXT, abi, version),
		JSON_FIELD("commit", JSON_TEXT, abi, commit),
		JSON_ARRAY("warnings", JSON_LIST | JSON_SPARSE, abi, warnings, warning_count,
			   &abi_warning_fields),
	},
};

JSON_GET_TEXT(table_proxy, table_view, it->table->proxy)
JSON_GET_TEXT(table_node, table_view, it->node->version)

static const struct json_struct count_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("added", JSON_SIZE, diff_count, added),
		JSON_FIELD("removed", JSON_SIZE, diff_count, removed),
		JSON_FIELD("changed", JSON_SIZE, diff_count, changed),
	},
};

static void write_class_totals(struct json_writer *writer, const struct json_field *field, const void *object)
{
	json_key_open(writer, field->key, json_open_inline_object);
	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++)
		json_key_unsigned(writer, report_class_name(bit),
				  ((const struct diff *)object)->class_total[bit]);
	json_close_object(writer);
}

#define COUNT(key_, kind_) JSON_FIELD(key_, JSON_OBJECT, diff, summary[kind_], .of = &count_fields)

JSON_IS(is_without_suppressions, diff_report, !it->suppressions)

const struct json_struct report_diff_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = DIFF_FORMAT },
		JSON_INTO_BY_POINTER(diff_report, diff, JSON_STRUCT(diff,
			JSON_FIELD("base", JSON_OBJECT | JSON_BY_POINTER, diff, base, .of = &version_fields),
			JSON_FIELD("next", JSON_OBJECT | JSON_BY_POINTER, diff, next, .of = &version_fields),
			JSON_INTO_BY_POINTER(diff, next, JSON_STRUCT(abi,
				JSON_FIELD("driver", JSON_TEXT, abi, driver),
				JSON_FIELD("target", JSON_TEXT, abi, target))),
			JSON_FIELD("table", JSON_OBJECT | JSON_BY_POINTER | JSON_SPARSE, diff, view,
				   .of = JSON_LINE(table_view,
				{ .key = "proxy", .kind = JSON_TEXT, .get_text = table_proxy },
				{ .key = "node", .kind = JSON_TEXT, .get_text = table_node })))),
		JSON_FIELD("selected_record", JSON_TEXT | JSON_SPARSE, diff_report, record),
		JSON_CLASSES("selected_classes", JSON_SPARSE, diff_report, classes),
		{ .key = "verdict", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &verdict_fields,
		  .is_left_out = is_without_table },
		JSON_INTO_BY_POINTER(diff_report, diff, JSON_STRUCT(diff,
			JSON_ARRAY("changes", JSON_LIST, diff, changes, change_count, &change_fields),
			{ .key = "summary", .kind = JSON_OBJECT, .of = JSON_STRUCT(diff,
				COUNT("records", ABI_RECORD), COUNT("aliases", ABI_ALIAS), COUNT("enums",
												 ABI_ENUM),
				COUNT("constants", ABI_CONSTANT), COUNT("ioctls", ABI_IOCTL),
				{ .key = "classes", .kind = JSON_WANT_OBJECT,
				  .write = write_class_totals }) })),
		JSON_FIELD("suppressed", JSON_SIZE | JSON_OPTIONAL, diff_report, suppressed_count,
			   .is_left_out = is_without_suppressions),
		JSON_INTO_BY_POINTER(diff_report, suppressions, &report_suppression_fields,
				     .is_left_out = is_without_suppressions),
	},
};

void report_diff_json(struct strbuf *out, const struct diff_report *report)
{
	report_write_json(out, report, &report_diff_fields, report);
}
