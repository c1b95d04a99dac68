/*
 * A call as one line of JSON. With "fields" and "padding", every byte of the parameters can be written again.
 */
#include "report/report.h"

#include "abi/abi.h"

static const char *bytes_text(struct strbuf *buffer, const uint8_t *bytes, uint64_t size)
{
	strbuf_reset(buffer);
	strbuf_adds(buffer, "0x");
	for (uint64_t i = 0; i < size; i++)
		strbuf_addf(buffer, "%02x", bytes[i]);
	return buffer->text;
}

/* A string, the bytes in hexadecimal, a number or a list of such. */
static void json_value(struct json_writer *json, const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	struct strbuf text = { 0 };

	if (field->is_text) {
		strbuf_adds(&text, "");
		for (uint64_t i = 0; i < field->count && bytes[i]; i++)
			strbuf_addch(&text, (char)bytes[i]);
		json_string(json, strbuf_text(&text));
	} else if (!decode_field_is_integer(field) || (field->is_array && field->element_bytes == 1)) {
		json_string(json, bytes_text(&text, bytes, field->size_bits / 8));
	} else if (!field->is_array) {
		json_number(json, decode_field_value(field, 0));
	} else {
		json_open_array(json);
		for (uint64_t i = 0; i < field->count; i++)
			json_number(json, decode_field_value(field, i));
		json_close_array(json);
	}
	strbuf_release(&text);
}

/* The call's results, which differ. */
static void json_before(struct json_writer *json, const struct decode_field *field)
{
	struct decode_field old = *field;

	old.bytes = field->before;
	old.is_text = field->is_text_before;
	json_key(json, "before");
	json_value(json, &old);
	if (field->name_before)
		json_key_string(json, "name_before", field->name_before);
}

static void json_field(struct json_writer *json, const struct decode_field *field)
{
	json_open_object(json);
	json_key_string(json, "path", field->path);
	json_key_unsigned(json, "offset", field->offset_bits / 8);
	if (field->is_bitfield) {
		json_key_unsigned(json, "bit_offset", field->offset_bits % 8);
		json_key_unsigned(json, "bit_width", field->size_bits);
	} else {
		json_key_unsigned(json, "size", field->size_bits / 8);
	}
	json_key_string(json, "kind", abi_scalar_name(field->kind));
	if (field->is_array)
		json_key_unsigned(json, "count", field->count);
	if (field->missing)
		json_key_unsigned(json, "missing", field->missing);
	if (field->role)
		json_key_string(json, "role", abi_role_name(field->role));
	json_key(json, "value");
	json_value(json, field);
	if (field->name)
		json_key_string(json, "name", field->name);
	if (field->before)
		json_before(json, field);
	if (field->object)
		json_key_string(json, "object", field->object);
	if (field->is_unfollowed)
		json_key_string(json, "not_followed", "no rule");
	if (field->counted_by) {
		json_key_string(json, "counted_by", field->counted_by);
		json_key_unsigned(json, "counted", field->shown);
	}
	if (field->member)
		json_key_string(json, "union", field->member);
	json_close_object(json);
}

static void json_padding(struct json_writer *json, const struct decode_fields *fields)
{
	struct strbuf text = { 0 };

	json_key(json, "padding");
	json_open_array(json);
	for (size_t i = 0; i < fields->padding_count; i++) {
		const struct decode_padding *padding = &fields->padding[i];

		json_open_object(json);
		json_key_unsigned(json, "offset", padding->offset);
		json_key_unsigned(json, "size", padding->size);
		json_key_string(json, "value",
				bytes_text(&text, fields->bytes + padding->offset, padding->size));
		if (padding->is_changed)
			json_key_string(json, "before",
					bytes_text(&text, fields->before + padding->offset, padding->size));
		json_close_object(json);
	}
	json_close_array(json);
	strbuf_release(&text);
}

static void json_field_list(struct json_writer *json, const struct decode_fields *fields)
{
	json_key(json, "fields");
	json_open_array(json);
	for (size_t i = 0; i < fields->count; i++)
		json_field(json, &fields->fields[i]);
	json_close_array(json);
	if (fields->padding_count)
		json_padding(json, fields);
	if (fields->before)
		json_key_bool(json, "before_known", true);
}

static void json_pointer(struct json_writer *json, const struct decode_pointer *pointer)
{
	const struct call_pointer *to = &pointer->to;

	json_open_object(json);
	json_key_string(json, "path", to->path);
	json_key_unsigned(json, "address", to->address);
	json_key_string(json, "element", to->element);
	json_key_unsigned(json, "count", to->count);
	json_key_string(json, "counted_by", to->counted_by);
	json_key_string(json, "direction", call_direction_name(to->direction));
	json_key_unsigned(json, "size", to->size_bytes);
	json_key_unsigned(json, "recorded", pointer->recorded_bytes);
	json_field_list(json, &pointer->fields);
	if (pointer->note)
		json_key_string(json, "note", pointer->note);
	json_close_object(json);
}

static void json_fields(struct json_writer *json, const struct decode_ioctl *ioctl)
{
	struct strbuf text = { 0 };

	json_field_list(json, &ioctl->fields);
	if (ioctl->fields.bytes && !ioctl->record)
		json_key_string(json, "bytes", bytes_text(&text, ioctl->fields.bytes, ioctl->size_bytes));
	if (ioctl->pointer_count) {
		json_key(json, "pointers");
		json_open_array(json);
		for (size_t i = 0; i < ioctl->pointer_count; i++)
			json_pointer(json, &ioctl->pointers[i]);
		json_close_array(json);
	}
	strbuf_release(&text);
}

static void json_head(struct json_writer *json, const struct decode_ioctl *ioctl)
{
	json_key_string(json, "family", ioctl->family);
	json_key_string(json, "name", ioctl->name_count == 1 ? ioctl->names[0].name : NULL);
	json_key_unsigned(json, "number", ioctl->number);
}

/* If several names fit. @adds: by name; NULL: none */
static void json_names(struct json_writer *json, const struct decode_ioctl *ioctl, const char *const *adds)
{
	if (ioctl->name_count < 2)
		return;
	json_key(json, "names");
	json_open_array(json);
	for (size_t i = 0; i < ioctl->name_count; i++) {
		const struct decode_name *name = &ioctl->names[i];

		json_open_object(json);
		json_key_string(json, "name", name->name);
		json_key_bool(json, "is_macro", name->is_macro);
		json_key_string(json, "record", name->record);
		json_key_strings(json, "versions", name->versions, name->version_count);
		if (adds && adds[i])
			json_key_string(json, "add", adds[i]);
		json_close_object(json);
	}
	json_close_array(json);
}

static void json_body(struct json_writer *json, const struct decode_ioctl *ioctl)
{
	json_key_string(json, "record", ioctl->record);
	json_key(json, "size");
	if (ioctl->has_size)
		json_unsigned(json, ioctl->size_bytes);
	else
		json_null(json);
}

static void json_answer(struct json_writer *json, const struct decode_call *call)
{
	json_key(json, "ret");
	if (call->has_ret)
		json_number(json, abi_number_signed(call->ret));
	else
		json_null(json);
	json_key(json, "status");
	if (call->status_name)
		json_string(json, call->status_name);
	else if (call->has_status)
		json_unsigned(json, call->status);
	else
		json_null(json);
}

static void json_origin(struct json_writer *json, const struct decode_origin *origin)
{
	json_key(json, "fd");
	json_open_object(json);
	json_key(json, "number");
	if (origin->fd.number < 0)
		json_null(json);
	else
		json_unsigned(json, (uint64_t)origin->fd.number);
	json_key_string(json, "path", origin->fd.path);
	json_close_object(json);
	if (origin->caller && *origin->caller)
		json_key_string(json, "caller", origin->caller);
	if (!origin->pid)
		return;
	json_key_unsigned(json, "pid", origin->pid);
	json_key_unsigned(json, "tid", origin->tid);
	json_key_unsigned(json, "start_ns", origin->start_ns);
	json_key_unsigned(json, "end_ns", origin->end_ns);
}

static void json_error(struct json_writer *json, const struct decode_call *call)
{
	json_key(json, "errno");
	if (call->error_name)
		json_string(json, call->error_name);
	else
		json_number(json, abi_number_signed(call->error));
}

static void json_proxy(struct json_writer *json, const struct decode_call *call)
{
	const struct forwarded *forwarded = &call->forwarded;

	json_key(json, "proxy");
	json_open_object(json);
	json_key_string(json, "name", forwarded->table->proxy);
	json_key_string(json, "node", forwarded->node ? forwarded->node->version : NULL);
	json_key_string(json, "use", forwarded_use_name(forwarded->use));
	if (forwarded->entry)
		json_key_strings(json, "caps", forwarded->entry->caps, forwarded->entry->cap_count);
	if (forwarded->passed_as)
		json_key_string(json, "passed_as", forwarded->passed_as);
	if (call->adds && call->ioctls[call->count - 1].name_count == 1)
		json_key_string(json, "add", call->adds[0]);
	json_close_object(json);
}

static void json_envelopes(struct json_writer *json, const struct decode_call *call)
{
	json_key(json, "envelopes");
	json_open_array(json);
	for (size_t i = 0; i + 1 < call->count; i++) {
		json_open_object(json);
		json_head(json, &call->ioctls[i]);
		json_names(json, &call->ioctls[i], NULL);
		json_body(json, &call->ioctls[i]);
		json_fields(json, &call->ioctls[i]);
		json_close_object(json);
	}
	json_close_array(json);
}

void report_decode_json(struct strbuf *out, const struct decode_call *call)
{
	const struct decode_ioctl *last = &call->ioctls[call->count - 1];
	struct json_writer json = { .out = out, .compact = true };

	json_open_object(&json);
	json_head(&json, last);
	json_names(&json, last, call->adds);
	json_key_string(&json, "version", call->version);
	json_body(&json, last);
	json_answer(&json, call);
	if (call->has_error)
		json_error(&json, call);
	if (call->origin)
		json_origin(&json, call->origin);
	json_fields(&json, last);
	json_key_strings(&json, "notes", last->notes, last->note_count);
	json_key_strings(&json, "versions", last->versions, last->version_count);
	if (call->count > 1)
		json_envelopes(&json, call);
	if (call->has_table)
		json_proxy(&json, call);
	json_close_object(&json);
	json_end(&json);
}
