/*
 * A diff for a program: "drvabi-diff/1". Keys of one object always come in
 * the order below; changes come in the order of the diff.
 */
#include "report/internal.h"

#include "abi/abi.h"

static void json_side(struct json_writer *writer, const char *key, const struct diff_field_side *side)
{
	if (!side)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "path", side->path);
	json_key_unsigned(writer, "offset", side->offset_bits / 8);
	if (side->is_bitfield) {
		json_key_unsigned(writer, "bit_offset", side->offset_bits);
		json_key_unsigned(writer, "bit_width", side->size_bits);
	} else {
		json_key_unsigned(writer, "size", side->size_bits / 8);
	}
	json_key_string(writer, "type", side->type);
	if (side->role != ABI_ROLE_NONE)
		json_key_string(writer, "role", abi_role_name(side->role));
	json_close_object(writer);
}

void report_json_classes(struct json_writer *writer, unsigned classes)
{
	json_key(writer, "classes");
	json_open_inline_array(writer);
	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++)
		if (classes & 1u << bit)
			json_string(writer, diff_class_name((enum diff_class)(1u << bit)));
	json_close_array(writer);
}

void report_json_fields(struct json_writer *writer, const struct diff_change *change)
{
	json_key(writer, "fields");
	json_open_array(writer);
	for (size_t i = 0; i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		json_open_inline_object(writer);
		json_key_string(writer, "op", diff_op_name(field->op));
		json_key_string(writer, "path", (field->after ? field->after : field->before)->path);
		report_json_classes(writer, field->classes);
		json_side(writer, "before", field->before);
		json_side(writer, "after", field->after);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_number_or_null(struct json_writer *writer, const char *key, const struct abi_number *number)
{
	if (!number)
		return;
	json_key(writer, key);
	json_number(writer, *number);
}

void report_json_values(struct json_writer *writer, const struct diff_change *change)
{
	json_key(writer, "values");
	json_open_array(writer);
	for (size_t i = 0; i < change->value_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "name", change->values[i].name);
		if (change->values[i].base_name)
			json_key_string(writer, "base_name", change->values[i].base_name);
		json_number_or_null(writer, "before", change->values[i].before);
		json_number_or_null(writer, "after", change->values[i].after);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_record(struct json_writer *writer, const char *key, const struct abi_record *record)
{
	if (!record)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_unsigned(writer, "size", record->size_bytes);
	json_key_unsigned(writer, "align", record->align_bytes);
	json_key_bool(writer, "is_union", record->is_union);
	json_key_string(writer, "source", record->source);
	json_close_object(writer);
}

static void json_enum(struct json_writer *writer, const char *key, const struct abi_enum *one)
{
	if (!one)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "type", one->type);
	json_key_unsigned(writer, "size", one->size_bytes);
	json_key_string(writer, "source", one->source);
	json_close_object(writer);
}

static void json_alias(struct json_writer *writer, const char *key, const struct abi_alias *alias)
{
	if (!alias)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "type", alias->type);
	json_key_unsigned(writer, "size", alias->size_bytes);
	json_close_object(writer);
}

static void json_ioctl(struct json_writer *writer, const char *key, const struct abi_ioctl *ioctl)
{
	if (!ioctl)
		return;
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_unsigned(writer, "number", ioctl->number);
	json_key(writer, "params");
	json_string(writer, ioctl->params ? ioctl->params : "");
	json_key_strings(writer, "flags", ioctl->flags, ioctl->flag_count);
	if (ioctl->access)
		json_key_string(writer, "access", ioctl->access);
	json_write_ioc(writer, ioctl);
	json_key_string(writer, "source", ioctl->source);
	json_close_object(writer);
}

static void json_sides(struct json_writer *writer, const struct diff_change *change)
{
	switch (change->kind) {
	case ABI_RECORD:
		json_record(writer, "before", change->base_record);
		json_record(writer, "after", change->next_record);
		break;
	case ABI_ALIAS:
		json_alias(writer, "before", change->base_alias);
		json_alias(writer, "after", change->next_alias);
		break;
	case ABI_ENUM:
		json_enum(writer, "before", change->base_enum);
		json_enum(writer, "after", change->next_enum);
		break;
	case ABI_CONSTANT:
		json_number_or_null(writer, "before",
				    change->base_constant ? &change->base_constant->value : NULL);
		json_number_or_null(writer, "after",
				    change->next_constant ? &change->next_constant->value : NULL);
		break;
	case ABI_IOCTL:
		json_ioctl(writer, "before", change->base_ioctl);
		json_ioctl(writer, "after", change->next_ioctl);
		break;
	}
}

static void json_reach(struct json_writer *writer, const struct diff_change *change)
{
	json_key(writer, "reached_by");
	json_open_array(writer);
	for (size_t i = 0; i < change->reach_count; i++) {
		const struct diff_reach *reach = &change->reached_by[i];

		json_open_inline_object(writer);
		json_key_string(writer, "family", reach->ioctl->family);
		json_key_string(writer, "name", reach->ioctl->name);
		json_key_strings(writer, "through", reach->through, reach->through_count);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_entries(struct json_writer *writer, const struct diff_change *change)
{
	json_key(writer, "entries");
	json_open_array(writer);
	for (size_t i = 0; i < change->entry_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "family", change->entries[i]->family);
		json_key_string(writer, "name", change->entries[i]->name);
		json_key_unsigned(writer, "number", change->entries[i]->number);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_use(struct json_writer *writer, const struct diff_change *change)
{
	json_key_string(writer, "use", diff_use_name(change->use));
	json_key_string(writer, "section", diff_section_name(change->section));
	if (!change->new_role_count)
		return;
	json_key(writer, "new_roles");
	json_open_inline_array(writer);
	for (size_t i = 0; i < change->new_role_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "path", change->new_roles[i].path);
		json_key_string(writer, "role", abi_role_name(change->new_roles[i].role));
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* Which other change it is the consequence of, or goes with. */
static void json_reason(struct json_writer *writer, const struct diff_change *change)
{
	if (change->because_count) {
		json_key_strings(writer, "because", change->because, change->because_count);
	}
	if (change->inside)
		json_key_string(writer, "inside", change->inside);
	if (change->with)
		json_key_string(writer, "with", change->with);
}

static void json_change(struct json_writer *writer, const struct diff *diff, const struct diff_change *change)
{
	json_open_object(writer);
	json_key_string(writer, "kind", abi_kind_name(change->kind));
	if (change->family)
		json_key_string(writer, "family", change->family);
	json_key_string(writer, "name", change->name);
	if (change->base_name)
		json_key_string(writer, "base_name", change->base_name);
	if (change->also_count) {
		json_key_strings(writer, "also", change->also, change->also_count);
	}
	if (change->same_as)
		json_key_string(writer, "same_as", change->same_as);
	report_json_classes(writer, change->classes);
	json_key_bool(writer, "proxied", change->proxied);
	if (diff->view)
		json_use(writer, change);
	json_reason(writer, change);
	json_sides(writer, change);
	if (change->number_was)
		json_key_string(writer, "number_was", change->number_was);
	if (change->number_was && change->next_ioctl && !change->number_was_is_gone)
		json_key_unsigned(writer, "number_was_now", change->number_was_now);
	report_json_flags(writer, change);
	if (change->kind == ABI_RECORD)
		report_json_fields(writer, change);
	if (change->kind == ABI_ENUM)
		report_json_values(writer, change);
	if (change->kind == ABI_RECORD)
		json_reach(writer, change);
	if (diff->view)
		json_entries(writer, change);
	json_close_object(writer);
}

static void json_version(struct json_writer *writer, const char *key, const struct abi *abi)
{
	json_key(writer, key);
	json_open_inline_object(writer);
	json_key_string(writer, "version", abi->version);
	json_key_string(writer, "commit", abi->commit);
	json_close_object(writer);
}

static void json_summary(struct json_writer *writer, const struct diff *diff)
{
	static const char *const plural[] = { "records", "aliases", "enums", "constants", "ioctls" };

	json_key(writer, "summary");
	json_open_object(writer);
	for (unsigned kind = 0; kind < ABI_KIND_COUNT; kind++) {
		json_key(writer, plural[kind]);
		json_open_inline_object(writer);
		json_key_unsigned(writer, "added", diff->summary[kind].added);
		json_key_unsigned(writer, "removed", diff->summary[kind].removed);
		json_key_unsigned(writer, "changed", diff->summary[kind].changed);
		json_close_object(writer);
	}
	json_key(writer, "classes");
	json_open_inline_object(writer);
	for (unsigned bit = 0; bit < DIFF_CLASS_COUNT; bit++)
		json_key_unsigned(writer, diff_class_name((enum diff_class)(1u << bit)),
				  diff->class_total[bit]);
	json_close_object(writer);
	json_close_object(writer);
}

void report_diff_json(struct strbuf *out, const struct diff_report *report)
{
	const struct diff *diff = report->diff;
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", DIFF_FORMAT);
	json_version(&writer, "base", diff->base);
	json_version(&writer, "next", diff->next);
	json_key_string(&writer, "driver", diff->next->driver);
	json_key_string(&writer, "target", diff->next->target);
	if (diff->view) {
		json_key(&writer, "table");
		json_open_inline_object(&writer);
		json_key_string(&writer, "proxy", diff->view->table->proxy);
		json_key_string(&writer, "node", diff->view->node->version);
		json_close_object(&writer);
		report_json_verdict(&writer, report);
	}
	json_key(&writer, "changes");
	json_open_array(&writer);
	for (size_t i = 0; i < diff->change_count; i++)
		json_change(&writer, diff, &diff->changes[i]);
	json_close_array(&writer);
	json_summary(&writer, diff);
	if (report->suppressions) {
		json_key_unsigned(&writer, "suppressed", report->suppressed_count);
		report_json_suppressions(&writer, report->suppressions);
	}
	json_close_object(&writer);
	json_end(&writer);
}
