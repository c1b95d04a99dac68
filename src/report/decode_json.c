/*
 * A call as one line of JSON. "fields" and "padding" together give every byte of the parameters.
 */
#include "report/internal.h"

/* Formats bytes as "0x0a1b", for JSON. Return: the text of @buffer, whose former text is overwritten. */
static const char *bytes_text(struct strbuf *buffer, const uint8_t *bytes, uint64_t size)
{
	strbuf_reset(buffer);
	strbuf_adds(buffer, "0x");
	for (uint64_t i = 0; i < size; i++)
		strbuf_addf(buffer, "%02x", bytes[i]);
	return buffer->text;
}

/* Writes a value: a string, bytes in hexadecimal, a number, or a list of numbers. */
static void json_value(struct json_writer *json, const struct decode_field *field)
{
	const uint8_t *bytes = field->bytes + field->offset_bits / 8;
	struct strbuf text = { 0 };

	if (field->is_text) {
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

/* --- fields --------------------------------------------------------------------- */

JSON_IS(is_bitfield, decode_field, it->is_bitfield)
JSON_IS(is_no_bitfield, decode_field, !it->is_bitfield)
JSON_IS(is_no_array, decode_field, !it->is_array)
JSON_IS(is_unchanged, decode_field, !it->before)
JSON_IS(is_not_counted, decode_field, !it->counted_by)
JSON_GET_TEXT(no_rule, decode_field, it->is_unfollowed ? "no rule" : NULL)
JSON_GET_NUMBER(bit_in_byte, decode_field, it->offset_bits % 8)

static void write_field_value(struct json_writer *json, const struct json_field *field, const void *object)
{
	json_key(json, field->key);
	json_value(json, object);
}

/* Writes the value before the call. */
static void write_before(struct json_writer *json, const struct json_field *field, const void *object)
{
	struct decode_field old = *(const struct decode_field *)object;

	old.bytes = old.before;
	old.is_text = old.is_text_before;
	json_key(json, field->key);
	json_value(json, &old);
}

enum { ANY_VALUE = JSON_WANT_STRING | JSON_WANT_INTEGER | JSON_WANT_ARRAY };

static const struct json_struct field_fields = {
	.size = sizeof(struct decode_field),
	.field = {
		JSON_FIELD("path", JSON_TEXT, decode_field, path),
		JSON_FIELD("offset", JSON_BITS, decode_field, offset_bits),
		{ .key = "bit_offset", .kind = JSON_U64 | JSON_OPTIONAL, .get_number = bit_in_byte,
		  .is_left_out = is_no_bitfield },
		JSON_FIELD("bit_width", JSON_U64 | JSON_OPTIONAL, decode_field, size_bits,
			   .is_left_out = is_no_bitfield),
		JSON_FIELD("size", JSON_BITS | JSON_OPTIONAL, decode_field, size_bits,
			   .is_left_out = is_bitfield),
		JSON_FIELD("kind", JSON_NAMED, decode_field, kind, .name_of = abi_scalar_kind_name,
			   .max = ABI_BYTES + 1),
		JSON_FIELD("count", JSON_U64 | JSON_OPTIONAL, decode_field, count,
			   .is_left_out = is_no_array),
		JSON_FIELD("missing", JSON_U64 | JSON_SPARSE, decode_field, missing),
		JSON_ROLE(JSON_SPARSE, decode_field, role),
		{ .key = "value", .kind = ANY_VALUE, .write = write_field_value },
		JSON_FIELD("name", JSON_TEXT | JSON_SPARSE, decode_field, name),
		{ .key = "before", .kind = ANY_VALUE | JSON_OPTIONAL, .write = write_before,
		  .is_left_out = is_unchanged },
		JSON_FIELD("name_before", JSON_TEXT | JSON_SPARSE, decode_field, name_before,
			   .is_left_out = is_unchanged),
		JSON_FIELD("object", JSON_TEXT | JSON_SPARSE, decode_field, object),
		{ .key = "not_followed", .kind = JSON_TEXT | JSON_SPARSE, .get_text = no_rule },
		JSON_FIELD("counted_by", JSON_TEXT | JSON_SPARSE, decode_field, counted_by),
		JSON_FIELD("counted", JSON_U64 | JSON_OPTIONAL, decode_field, shown,
			   .is_left_out = is_not_counted),
		JSON_FIELD("union", JSON_TEXT | JSON_SPARSE, decode_field, member),
	},
};

/* Padding bytes that are not 0. */
static const struct json_struct padding_fields = {
	.field = { JSON_FIELD("offset", JSON_U64, decode_padding, offset),
		   JSON_FIELD("size", JSON_U64, decode_padding, size) },
};

/* Writes bytes that no field covers, and, if the call changed them, the bytes before the call. */
static void write_padding(struct json_writer *json, const struct json_field *field, const void *object)
{
	const struct decode_fields *fields = object;
	struct strbuf text = { 0 };

	json_key_open(json, field->key, json_open_array);
	for (size_t i = 0; i < fields->padding_count; i++) {
		const struct decode_padding *padding = &fields->padding[i];

		json_open_object(json);
		json_write_members(json, padding, &padding_fields);
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

JSON_IS(has_no_padding, decode_fields, !it->padding_count)
JSON_GET_NUMBER(before_is_known, decode_fields, it->before != NULL)

static const struct json_struct bytes_fields = {
	.field = {
		JSON_ARRAY("fields", JSON_LIST, decode_fields, fields, count, &field_fields),
		{ .key = "padding", .kind = JSON_LIST | JSON_OPTIONAL, .write = write_padding,
		  .is_left_out = has_no_padding, .of = JSON_STRUCT(decode_padding,
			{ .key = "*", .kind = JSON_MEMBERS, .of = &padding_fields },
			{ .key = "value", .kind = JSON_TEXT },
			{ .key = "before", .kind = JSON_TEXT | JSON_OPTIONAL }) },
		{ .key = "before_known", .kind = JSON_BOOL | JSON_SPARSE, .get_number = before_is_known },
	},
};

/* --- ioctls --------------------------------------------------------------------- */

/* Writes the bytes of parameters that no header describes; nothing if they have a record or are unknown. */
static void write_bytes(struct json_writer *json, const struct json_field *field, const void *object)
{
	const struct decode_ioctl *ioctl = object;
	struct strbuf text = { 0 };

	if (!ioctl->fields.bytes || ioctl->record)
		return;
	json_key_string(json, field->key, bytes_text(&text, ioctl->fields.bytes, ioctl->size_bytes));
	strbuf_release(&text);
}

static const struct json_struct content_fields = {
	.field = {
		JSON_INTO(decode_ioctl, fields, &bytes_fields),
		{ .key = "bytes", .kind = JSON_TEXT | JSON_OPTIONAL, .write = write_bytes },
		JSON_ARRAY("pointers", JSON_LIST | JSON_SPARSE, decode_ioctl, pointers, pointer_count,
			   JSON_STRUCT(decode_pointer,
			JSON_FIELD("path", JSON_TEXT, decode_pointer, to.path),
			JSON_FIELD("address", JSON_U64, decode_pointer, to.address),
			JSON_FIELD("element", JSON_TEXT | JSON_OR_NULL, decode_pointer, to.element),
			JSON_FIELD("count", JSON_U64, decode_pointer, to.count),
			JSON_FIELD("counted_by", JSON_TEXT | JSON_OR_NULL, decode_pointer, to.counted_by),
			JSON_FIELD("direction", JSON_NAMED | JSON_OR_NULL, decode_pointer, to.direction,
				   .name_of = use_direction_name, .max = USE_INOUT + 1),
			JSON_FIELD("size", JSON_U64, decode_pointer, to.size_bytes),
			JSON_FIELD("recorded", JSON_U64, decode_pointer, recorded_bytes),
			JSON_INTO(decode_pointer, fields, &bytes_fields),
			JSON_FIELD("note", JSON_TEXT | JSON_SPARSE, decode_pointer, note))),
	},
};

JSON_GET_TEXT(only_name, decode_ioctl, it->name_count == 1 ? it->names[0].name : NULL)

static const struct json_struct head_fields = {
	.field = {
		JSON_FIELD("family", JSON_TEXT, decode_ioctl, family),
		{ .key = "name", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = only_name },
		JSON_FIELD("number", JSON_U64, decode_ioctl, number),
	},
};

static const struct json_struct name_fields = {
	.field = {
		JSON_FIELD("name", JSON_TEXT, decode_name, name),
		JSON_FIELD("is_macro", JSON_BOOL, decode_name, is_macro),
		JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, decode_name, record),
		JSON_ARRAY("versions", JSON_TEXTS, decode_name, versions, version_count, NULL),
	},
};

/* Writes "names" if several names fit. The writer's context, if set, has the command that adds each name. */
static void write_names(struct json_writer *json, const struct json_field *field, const void *object)
{
	const struct decode_ioctl *ioctl = object;
	const char *const *adds = json->context;

	if (ioctl->name_count < 2)
		return;
	json_key_open(json, field->key, json_open_array);
	for (size_t i = 0; i < ioctl->name_count; i++) {
		json_open_object(json);
		json_write_members(json, &ioctl->names[i], &name_fields);
		if (adds && adds[i])
			json_key_string(json, "add", adds[i]);
		json_close_object(json);
	}
	json_close_array(json);
}

static const struct json_struct names_fields = {
	.field = { { .key = "names", .kind = JSON_LIST | JSON_OPTIONAL, .write = write_names,
		     .of = JSON_STRUCT(decode_name,
			{ .key = "*", .kind = JSON_MEMBERS, .of = &name_fields },
			{ .key = "add", .kind = JSON_TEXT | JSON_OPTIONAL }) } },
};

JSON_IS(has_no_size, decode_ioctl, !it->has_size)

static const struct json_struct body_fields = {
	.field = { JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, decode_ioctl, record),
		   JSON_FIELD("size", JSON_U64 | JSON_OR_NULL, decode_ioctl, size_bytes,
			      .is_null = has_no_size) },
};

/* --- calls ---------------------------------------------------------------------- */

JSON_GETTER(const struct decode_ioctl *, last_ioctl, decode_call, &it->ioctls[it->count - 1])
JSON_GET_STRUCT(last, decode_call, last_ioctl(it))

static void write_last_names(struct json_writer *json, const struct json_field *field, const void *object)
{
	json->context = (void *)((const struct decode_call *)object)->adds;
	json_write_members(json, last_ioctl(object), field->of);
	json->context = NULL;
}

/* Writes the status that the driver, not ioctl(), returned. */
static void write_status(struct json_writer *json, const struct json_field *field, const void *object)
{
	const struct decode_call *call = object;

	json_key(json, field->key);
	if (call->status_name)
		json_string(json, call->status_name);
	else if (call->has_status)
		json_unsigned(json, call->status);
	else
		json_null(json);
}

static void write_errno(struct json_writer *json, const struct json_field *field, const void *object)
{
	const struct decode_call *call = object;

	if (!call->error)
		return;
	json_key(json, field->key);
	if (call->error_name)
		json_string(json, call->error_name);
	else
		json_number(json, abi_number_signed(call->error));
}

JSON_IS(is_unknown_fd, decode_fd, it->number < 0)
JSON_IS(has_no_caller, decode_origin, !it->caller || !*it->caller)
JSON_IS(has_no_pid, decode_origin, !it->pid)

#define OF_PROCESS(key_, kind_, member) \
	JSON_FIELD(key_, (kind_) | JSON_OPTIONAL, decode_origin, member, .is_left_out = has_no_pid)

static const struct json_struct origin_fields = {
	.field = {
		JSON_FIELD("fd", JSON_OBJECT | JSON_OPTIONAL, decode_origin, fd, .of = JSON_STRUCT(decode_fd,
			JSON_FIELD("number", JSON_U64 | JSON_OR_NULL, decode_fd, number,
				   .is_null = is_unknown_fd),
			JSON_FIELD("path", JSON_TEXT | JSON_OR_NULL, decode_fd, path))),
		JSON_FIELD("caller", JSON_TEXT | JSON_OPTIONAL, decode_origin, caller,
			   .is_left_out = has_no_caller),
		OF_PROCESS("pid", JSON_U32, pid), OF_PROCESS("tid", JSON_U32, tid),
		OF_PROCESS("start_ns", JSON_U64, start_ns), OF_PROCESS("end_ns", JSON_U64, end_ns),
	},
};

JSON_IS(has_no_ret, decode_call, !it->has_ret)
JSON_IS(has_no_origin, decode_call, !it->origin)
JSON_GET_LIST(envelopes, decode_call, it->ioctls, it->count - 1)
JSON_GET_TEXT(proxy_name, decode_call, it->forwarded.table->proxy)
JSON_GET_TEXT(proxy_node, decode_call, it->forwarded.node ? it->forwarded.node->version : NULL)
JSON_GET_TEXT(proxy_use, decode_call, forwarded_use_name(it->forwarded.use))
JSON_IS(has_no_entry, decode_call, !it->forwarded.entry)
JSON_GET_TEXT(only_add, decode_call, it->adds && last_ioctl(it)->name_count == 1 ? it->adds[0] : NULL)
JSON_IS(has_no_add, decode_call, !it->adds || last_ioctl(it)->name_count != 1)

static const struct json_struct proxy_fields = {
	.field = {
		{ .key = "name", .kind = JSON_TEXT, .get_text = proxy_name },
		{ .key = "node", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = proxy_node },
		{ .key = "use", .kind = JSON_TEXT, .get_text = proxy_use },
		JSON_INTO_BY_POINTER(decode_call, forwarded.entry, &report_entry_caps_fields,
				     .is_left_out = has_no_entry),
		JSON_FIELD("passed_as", JSON_TEXT | JSON_SPARSE, decode_call, forwarded.passed_as),
		{ .key = "add", .kind = JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, .get_text = only_add,
		  .is_left_out = has_no_add },
	},
};

JSON_IS(has_no_table, decode_call, !it->has_table)

#define OF_LAST(...) \
	{ .key = "*", .kind = JSON_MEMBERS | JSON_BY_POINTER, .get_struct = last, .of = __VA_ARGS__ }

const struct json_struct report_call_fields = {
	.field = {
		OF_LAST(&head_fields),
		{ .key = "*", .kind = JSON_MEMBERS, .of = &names_fields, .write = write_last_names },
		JSON_FIELD("version", JSON_TEXT | JSON_OR_NULL, decode_call, version),
		OF_LAST(&body_fields),
		JSON_FIELD("ret", JSON_I64 | JSON_OR_NULL, decode_call, ret, .is_null = has_no_ret),
		{ .key = "status", .kind = JSON_WANT_STRING | JSON_WANT_INTEGER | JSON_OR_NULL,
		  .write = write_status },
		{ .key = "errno", .kind = JSON_WANT_STRING | JSON_WANT_INTEGER | JSON_OPTIONAL,
		  .write = write_errno },
		JSON_INTO_BY_POINTER(decode_call, origin, &origin_fields, .is_left_out = has_no_origin),
		OF_LAST(&content_fields),
		OF_LAST(JSON_STRUCT(decode_ioctl,
			JSON_ARRAY("notes", JSON_TEXTS, decode_ioctl, notes, note_count, NULL),
			JSON_ARRAY("versions", JSON_TEXTS, decode_ioctl, versions, version_count, NULL))),
		{ .key = "envelopes", .kind = JSON_LIST | JSON_SPARSE, .get_list = envelopes,
		  .of = JSON_STRUCT(decode_ioctl,
			{ .key = "*", .kind = JSON_MEMBERS, .of = &head_fields },
			{ .key = "*", .kind = JSON_MEMBERS, .of = &names_fields },
			{ .key = "*", .kind = JSON_MEMBERS, .of = &body_fields },
			{ .key = "*", .kind = JSON_MEMBERS, .of = &content_fields }) },
		{ .key = "proxy", .kind = JSON_OBJECT | JSON_OPTIONAL, .of = &proxy_fields,
		  .is_left_out = has_no_table },
	},
};

void report_decode_json(struct strbuf *out, const struct decode_call *call)
{
	struct json_writer json = { .out = out, .compact = true };

	json_write_struct(&json, call, &report_call_fields);
	json_end(&json);
}
