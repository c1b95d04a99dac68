/*
 * The work to support a version, as JSON: "drvabi-bootstrap/1". docs/bootstrap.md explains each key.
 */
#include "report/internal.h"

/* A node that the proxy does not support has no checksums. */
JSON_IS(is_unsupported, bootstrap_node, !it->supported)

/* --- entries -------------------------------------------------------------------- */

static const struct json_struct number_fields = {
	.field = {
		JSON_FIELD("number", JSON_U64, table_entry, number),
		JSON_FIELD("constant", JSON_TEXT | JSON_OR_NULL, table_entry, constant),
	},
};

static const struct json_struct struct_fields = {
	.field = {
		JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, table_struct, driver),
		JSON_FIELD("type", JSON_TEXT | JSON_OR_NULL, table_struct, proxy),
	},
};

/* Returns the entry's struct number @changed, or its first struct if it does not have that many. */
static const struct table_struct *changed_struct(const struct table_entry *entry, size_t changed)
{
	static const struct table_struct none = { NULL, NULL };

	return entry->struct_count ? &entry->structs[changed < entry->struct_count ? changed : 0] : &none;
}

static const struct table_entry *entry_now(const struct bootstrap_entry *entry)
{
	return entry->now ? entry->now : entry->was;
}

JSON_GET_STRUCT(get_now, bootstrap_entry, entry_now(it))
JSON_GET_STRUCT(struct_now, bootstrap_entry, changed_struct(entry_now(it), it->changed))
JSON_GET_STRUCT(get_was, bootstrap_entry, it->was ? it : NULL)
JSON_GET_STRUCT(struct_was, bootstrap_entry, changed_struct(it->was, it->changed))
JSON_GET_TEXT(entry_family, bootstrap_entry, entry_now(it)->family)
JSON_GET_TEXT(entry_name, bootstrap_entry, entry_now(it)->name)
JSON_GET_TEXT(entry_use, bootstrap_entry, it->is_read ? "read" : "unread")
JSON_GET_LIST(entry_caps, bootstrap_entry, entry_now(it)->caps, entry_now(it)->cap_count)

static const struct json_struct handler_fields = {
	.is_inline = true,
	.field = {
		JSON_FIELD("kind", JSON_TEXT, table_handler, kind),
		JSON_FIELD("type", JSON_TEXT | JSON_OR_NULL, table_handler, type),
	},
};

/* Returns the handler of an entry; NULL if the proxy's handler is unknown. */
static const struct table_handler *handler_of(const struct table_entry *entry)
{
	return entry && entry->handler.kind ? &entry->handler : NULL;
}

JSON_GET_STRUCT(handler_was, bootstrap_entry, handler_of(it->was))
JSON_GET_STRUCT(handler_now, bootstrap_entry, handler_of(it->now))
JSON_IS(is_single, bootstrap_pointer, !it->count)
JSON_IS(has_no_memory, bootstrap_entry, !it->pointer_count && !it->fd_count)

/* Writes the line to remove and the line to add as one text. An edit has one or both of them. */
static void write_edit_text(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct bootstrap_edit *edit = object;
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s%s%s", edit->remove ? edit->remove : "", edit->remove && edit->text ? "\n" : "",
		    edit->text ? edit->text : "");
	json_key_string(writer, field->key, strbuf_text(&text));
	strbuf_release(&text);
}

static const struct json_struct entry_fields = {
	.size = sizeof(struct bootstrap_entry),
	.field = {
		{ .key = "family", .kind = JSON_TEXT, .get_text = entry_family },
		{ .key = "name", .kind = JSON_TEXT, .get_text = entry_name },
		JSON_FIELD("node", JSON_TEXT, bootstrap_entry, node),
		{ .key = "use", .kind = JSON_TEXT, .get_text = entry_use },
		JSON_FIELD("action", JSON_NAMED, bootstrap_entry, action, .name_of = bootstrap_action_name,
			   .max = BOOTSTRAP_ADD + 1),
		{ .key = "*", .kind = JSON_MEMBERS | JSON_BY_POINTER, .get_struct = get_now,
		  .of = &number_fields },
		{ .key = "*", .kind = JSON_MEMBERS | JSON_BY_POINTER, .get_struct = struct_now,
		  .of = &struct_fields },
		JSON_FIELD("size", JSON_U64, bootstrap_entry, size_now),
		{ .key = "was", .kind = JSON_OBJECT | JSON_BY_POINTER | JSON_OR_NULL, .get_struct = get_was,
		  .of = JSON_LINE(bootstrap_entry,
			JSON_INTO_BY_POINTER(bootstrap_entry, was, JSON_STRUCT(table_entry,
				JSON_FIELD("name", JSON_TEXT, table_entry, name),
				{ .key = "*", .kind = JSON_MEMBERS, .of = &number_fields })),
			{ .key = "*", .kind = JSON_MEMBERS | JSON_BY_POINTER, .get_struct = struct_was,
			  .of = &struct_fields },
			JSON_FIELD("size", JSON_U64, bootstrap_entry, size_was)) },
		{ .key = "caps", .kind = JSON_TEXTS, .get_list = entry_caps },
		{ .key = "handler", .kind = JSON_OBJECT | JSON_BY_POINTER | JSON_OR_NULL,
		  .of = &handler_fields, .get_struct = handler_was },
		{ .key = "new_handler", .kind = JSON_OBJECT | JSON_BY_POINTER | JSON_OR_NULL,
		  .of = &handler_fields, .get_struct = handler_now },
		JSON_FIELD("why", JSON_TEXT, bootstrap_entry, why),
		JSON_ARRAY("changes", JSON_TEXTS, bootstrap_entry, changes, change_count, NULL),
		JSON_ARRAY("pointers", JSON_LIST | JSON_SPARSE, bootstrap_entry, pointers, pointer_count,
			   JSON_LINE(bootstrap_pointer,
			JSON_FIELD("path", JSON_TEXT, bootstrap_pointer, path),
			JSON_FIELD("offset", JSON_U64, bootstrap_pointer, offset_bytes),
			JSON_FIELD("count", JSON_TEXT | JSON_OR_NULL, bootstrap_pointer, count),
			JSON_FIELD("count_offset", JSON_U64 | JSON_OPTIONAL, bootstrap_pointer,
				   count_offset_bytes, .is_left_out = is_single),
			JSON_FIELD("count_size", JSON_U64 | JSON_OPTIONAL, bootstrap_pointer, count_bytes,
				   .is_left_out = is_single),
			JSON_FIELD("element", JSON_TEXT | JSON_OR_NULL, bootstrap_pointer, element),
			JSON_FIELD("element_size", JSON_U64, bootstrap_pointer, element_bytes),
			JSON_FIELD("direction", JSON_NAMED, bootstrap_pointer, direction,
				   .name_of = use_direction_name, .max = USE_INOUT + 1),
			JSON_FIELD("limit", JSON_U64 | JSON_OR_NULL, bootstrap_pointer, limit_bytes),
			JSON_FIELD("empty_refused", JSON_BOOL, bootstrap_pointer, empty_is_refused),
			JSON_FIELD("evidence", JSON_TEXT | JSON_OR_NULL, bootstrap_pointer, evidence))),
		JSON_ARRAY("fds", JSON_LIST | JSON_SPARSE, bootstrap_entry, fds, fd_count,
			   JSON_LINE(bootstrap_fd,
			JSON_INTO_BY_POINTER(bootstrap_fd, rule, JSON_STRUCT(fd_rule,
				JSON_FIELD("path", JSON_TEXT, fd_rule, path))),
			JSON_FIELD("offset", JSON_U64, bootstrap_fd, offset_bytes),
			JSON_FIELD("size", JSON_U64, bootstrap_fd, bytes),
			JSON_INTO_BY_POINTER(bootstrap_fd, rule, JSON_STRUCT(fd_rule,
				JSON_FIELD("kind", JSON_TEXT, fd_rule, kind),
				JSON_FIELD("optional", JSON_BOOL, fd_rule, optional),
				JSON_FIELD("evidence", JSON_TEXT, fd_rule, evidence))))),
		JSON_ARRAY("unknown", JSON_LIST | JSON_OPTIONAL, bootstrap_entry, unknown, unknown_count,
			   JSON_LINE(bootstrap_unknown,
			JSON_FIELD("what", JSON_NAMED, bootstrap_unknown, what,
				   .name_of = bootstrap_open_name, .max = BOOTSTRAP_OPEN_VERSION + 1),
			JSON_FIELD("text", JSON_TEXT, bootstrap_unknown, text)),
			.is_left_out = has_no_memory),
		JSON_FIELD("request_size", JSON_U64 | JSON_SPARSE, bootstrap_entry, request_bytes),
		JSON_ARRAY("places", JSON_LIST, bootstrap_entry, edits, edit_count, JSON_LINE(bootstrap_edit,
			JSON_FIELD("place", JSON_NAMED, bootstrap_edit, site, .name_of = bootstrap_site_name,
				   .max = BOOTSTRAP_SITES),
			JSON_FIELD("todo", JSON_BOOL, bootstrap_edit, is_todo),
			{ .key = "text", .kind = JSON_TEXT, .write = write_edit_text })),
	},
};

/* --- types ---------------------------------------------------------------------- */

/* A field of a type. For a type that is already in the table, only the name, offset and type are known. */
struct type_field {
	const struct table_field *field;
	const char *driver; /* name in the driver; NULL if it has none, as for padding */
	enum proxytype_kind kind;
	enum abi_role role;
};

static const char *type_kind_name(unsigned kind)
{
	static const char *const names[] = { [PROXYTYPE_FIELD] = "field",
					     [PROXYTYPE_PADDING] = "padding",
					     [PROXYTYPE_EMBEDDED] = "embedded" };

	return names[kind];
}

/* Writes a type's fields. If type->fields is NULL, the type is in the table, and their roles are unknown. */
static void write_type_fields(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct proxytype *type = object;

	json_key_open(writer, field->key, json_open_array);
	for (size_t i = 0; i < type->type->field_count; i++) {
		struct type_field one = { .field = &type->type->fields[i] };

		if (type->fields) {
			one.driver = *type->fields[i].driver ? type->fields[i].driver : NULL;
			one.kind = type->fields[i].kind;
			one.role = type->fields[i].role;
		}
		json_write_struct(writer, &one, field->of);
	}
	json_close_array(writer);
}

JSON_GET_TEXT(type_name, proxytype, it->type->name)
JSON_GET_NUMBER(type_size, proxytype, it->type->size_bytes)
JSON_GET_TEXT(type_alias, proxytype, it->type->alias)

static const struct json_struct type_fields = {
	.field = {
		{ .key = "name", .kind = JSON_TEXT, .get_text = type_name },
		JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, proxytype, record),
		JSON_FIELD("replaces", JSON_TEXT | JSON_OR_NULL, proxytype, updates),
		JSON_FIELD("node", JSON_TEXT | JSON_OR_NULL, proxytype, version),
		{ .key = "size", .kind = JSON_U64, .get_number = type_size },
		{ .key = "alias", .kind = JSON_TEXT | JSON_OR_NULL, .get_text = type_alias },
		{ .key = "fields", .kind = JSON_LIST, .write = write_type_fields, .of = JSON_LINE(type_field,
			JSON_INTO_BY_POINTER(type_field, field, JSON_STRUCT(table_field,
				JSON_FIELD("name", JSON_TEXT, table_field, name),
				JSON_FIELD("offset", JSON_U64, table_field, offset_bytes),
				JSON_FIELD("type", JSON_TEXT, table_field, type))),
			JSON_FIELD("kind", JSON_NAMED, type_field, kind, .name_of = type_kind_name,
				   .max = PROXYTYPE_EMBEDDED + 1),
			JSON_FIELD("driver", JSON_TEXT | JSON_OR_NULL, type_field, driver),
			JSON_FIELD("role", JSON_NAMED, type_field, role, .name_of = abi_role_name,
				   .max = ABI_ROLE_LAST + 1)) },
	},
};

/* --- candidates ----------------------------------------------------------------- */

/* Writes candidate->first: as "new_in" if there is a parent, otherwise as "node". */
static void write_first(struct json_writer *writer, const struct json_field *field, const void *object)
{
	const struct bootstrap *bootstrap = writer->context;

	if (!strcmp(field->key, bootstrap->parent ? "new_in" : "node"))
		json_key_string(writer, field->key, ((const struct bootstrap_candidate *)object)->first);
}

JSON_GET_NUMBER(is_listed, bootstrap_candidate, !it->is_macro)
JSON_GET_LIST(ioctl_flags, bootstrap_candidate, it->ioctl ? it->ioctl->flags : NULL,
	      it->ioctl ? it->ioctl->flag_count : 0)

static const struct json_struct candidate_fields = {
	.size = sizeof(struct bootstrap_candidate),
	.field = {
		JSON_FIELD("family", JSON_TEXT, bootstrap_candidate, family),
		JSON_FIELD("name", JSON_TEXT, bootstrap_candidate, name),
		JSON_FIELD("number", JSON_U64, bootstrap_candidate, number),
		{ .key = "new_in", .kind = JSON_TEXT | JSON_OPTIONAL, .write = write_first },
		{ .key = "node", .kind = JSON_TEXT | JSON_OPTIONAL, .write = write_first },
		JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, bootstrap_candidate, record),
		JSON_FIELD("size", JSON_U64, bootstrap_candidate, size_bytes),
		{ .key = "listed", .kind = JSON_BOOL, .get_number = is_listed },
		JSON_FIELD("simple", JSON_BOOL, bootstrap_candidate, is_simple),
		JSON_FIELD("why", JSON_TEXT | JSON_OR_NULL, bootstrap_candidate, why),
		{ .key = "flags", .kind = JSON_TEXTS, .get_list = ioctl_flags },
		JSON_FIELD("supersedes", JSON_TEXT | JSON_OR_NULL, bootstrap_candidate, supersedes),
		JSON_ARRAY("caps", JSON_TEXTS, bootstrap_candidate, caps.caps, caps.count, NULL),
		JSON_ARRAY("likely", JSON_TEXTS, bootstrap_candidate, caps.likely, caps.likely_count, NULL),
		JSON_FIELD("evidence", JSON_TEXT | JSON_OR_NULL, bootstrap_candidate, caps.evidence),
	},
};

/* --- the document ------------------------------------------------------------------ */

const struct json_struct report_bootstrap_fields = {
	.field = {
		{ .key = "format", .kind = JSON_FORMAT, .text = BOOTSTRAP_FORMAT },
		JSON_FIELD("driver", JSON_TEXT, bootstrap, driver),
		JSON_FIELD("target", JSON_TEXT, bootstrap, target),
		JSON_INTO_BY_POINTER(bootstrap, table, JSON_STRUCT(table,
			JSON_FIELD("table", JSON_TEXT, table, proxy),
			JSON_FIELD("table_revision", JSON_TEXT | JSON_OR_NULL, table, revision))),
		JSON_FIELD("version", JSON_TEXT | JSON_OR_NULL, bootstrap, version),
		JSON_FIELD("commit", JSON_TEXT | JSON_OR_NULL, bootstrap, commit),
		JSON_FIELD("verdict", JSON_NAMED, bootstrap, verdict, .name_of = bootstrap_verdict_name,
			   .max = BOOTSTRAP_CHANGES + 1),
		JSON_FIELD("parent", JSON_TEXT | JSON_OR_NULL, bootstrap, parent),
		JSON_FIELD("parent_commit", JSON_TEXT | JSON_OR_NULL, bootstrap, parent_commit),
		JSON_FIELD("why", JSON_TEXT | JSON_OR_NULL, bootstrap, why),
		JSON_FIELD("proof", JSON_OBJECT, bootstrap, proof, .of = JSON_STRUCT(bootstrap_proof,
			JSON_FIELD("entries", JSON_SIZE, bootstrap_proof, entries),
			JSON_FIELD("structs", JSON_SIZE, bootstrap_proof, structs),
			JSON_FIELD("scalars", JSON_SIZE, bootstrap_proof, scalars),
			JSON_FIELD("unchanged", JSON_SIZE, bootstrap_proof, unchanged),
			JSON_ARRAY("text", JSON_TEXTS, bootstrap_proof, text, text_count, NULL))),
		JSON_ARRAY("nodes", JSON_LIST, bootstrap, nodes, node_count, JSON_LINE(bootstrap_node,
			JSON_FIELD("version", JSON_TEXT, bootstrap_node, version),
			JSON_FIELD("parent", JSON_TEXT | JSON_OR_NULL, bootstrap_node, parent),
			JSON_FIELD("was_parent", JSON_TEXT | JSON_OR_NULL, bootstrap_node, was_parent),
			JSON_FIELD("supported", JSON_BOOL, bootstrap_node, supported),
			JSON_FIELD("exists", JSON_BOOL, bootstrap_node, exists),
			JSON_FIELD("commit", JSON_TEXT | JSON_OR_NULL, bootstrap_node, commit),
			{ .key = "sha256", .kind = JSON_OBJECT, .of = JSON_STRUCT(bootstrap_node,
				JSON_FIELD("x86_64", JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, bootstrap_node,
					   sha256_x86_64, .is_left_out = is_unsupported),
				JSON_FIELD("arm64", JSON_TEXT | JSON_OR_NULL | JSON_OPTIONAL, bootstrap_node,
					   sha256_arm64, .is_left_out = is_unsupported)) })),
		JSON_ARRAY("entries", JSON_LIST, bootstrap, entries, entry_count, &entry_fields),
		JSON_ARRAY("types", JSON_LIST | JSON_BY_POINTER, bootstrap, types, type_count, &type_fields),
		JSON_ARRAY("candidates", JSON_LIST, bootstrap, candidates, candidate_count,
			   &candidate_fields),
		JSON_ARRAY("misplaced", JSON_LIST, bootstrap, misplaced, misplaced_count,
			   JSON_LINE(bootstrap_misplaced,
			JSON_FIELD("version", JSON_TEXT, bootstrap_misplaced, version),
			JSON_FIELD("parent", JSON_TEXT | JSON_OR_NULL, bootstrap_misplaced, parent),
			JSON_FIELD("should_be", JSON_TEXT | JSON_OR_NULL, bootstrap_misplaced, should_be))),
		JSON_ARRAY("table_faults", JSON_LIST, bootstrap, faults, fault_count,
			   JSON_LINE(bootstrap_fault,
			JSON_FIELD("version", JSON_TEXT, bootstrap_fault, version),
			JSON_INTO_BY_POINTER(bootstrap_fault, finding, JSON_STRUCT(verify_finding,
				JSON_FIELD("rule", JSON_NAMED, verify_finding, rule,
					   .name_of = verify_rule_name, .max = VERIFY_RULE_COUNT),
				JSON_FIELD("family", JSON_TEXT, verify_finding, family),
				JSON_FIELD("name", JSON_TEXT, verify_finding, entry),
				JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, verify_finding, record),
				JSON_FIELD("text", JSON_TEXT, verify_finding, message))))),
		JSON_ARRAY("audit", JSON_LIST, bootstrap, audit, audit_count, JSON_LINE(bootstrap_audit,
			JSON_FIELD("family", JSON_TEXT, bootstrap_audit, family),
			JSON_FIELD("name", JSON_TEXT, bootstrap_audit, name),
			JSON_FIELD("record", JSON_TEXT | JSON_OR_NULL, bootstrap_audit, record),
			JSON_FIELD("path", JSON_TEXT | JSON_OR_NULL, bootstrap_audit, path),
			JSON_FIELD("what", JSON_NAMED, bootstrap_audit, what, .name_of = bootstrap_doubt_name,
				   .max = BOOTSTRAP_COUNT_TIMES_SIZE + 1),
			JSON_FIELD("text", JSON_TEXT, bootstrap_audit, text))),
		JSON_ARRAY("passed", JSON_LIST, bootstrap, passed, passed_count, JSON_LINE(bootstrap_passed,
			JSON_FIELD("family", JSON_TEXT, bootstrap_passed, family),
			JSON_FIELD("name", JSON_TEXT, bootstrap_passed, name),
			JSON_FIELD("version", JSON_TEXT, bootstrap_passed, version),
			JSON_FIELD("text", JSON_TEXT, bootstrap_passed, text))),
		JSON_ARRAY("not_compared", JSON_LIST | JSON_BY_POINTER, bootstrap, not_compared,
			   not_compared_count, JSON_LINE(table_entry,
			JSON_FIELD("family", JSON_TEXT, table_entry, family),
			JSON_FIELD("name", JSON_TEXT, table_entry, name))),
		JSON_ARRAY("not_checked", JSON_TEXTS, bootstrap, not_checked, not_checked_count, NULL),
		JSON_ARRAY("todo", JSON_LIST, bootstrap, todo, todo_count, JSON_LINE(bootstrap_todo,
			JSON_FIELD("what", JSON_TEXT, bootstrap_todo, what),
			JSON_FIELD("node", JSON_TEXT | JSON_OR_NULL, bootstrap_todo, node),
			JSON_FIELD("name", JSON_TEXT | JSON_OR_NULL, bootstrap_todo, name),
			JSON_FIELD("why", JSON_TEXT, bootstrap_todo, why))),
	},
};

void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap)
{
	report_write_json(out, bootstrap, &report_bootstrap_fields, bootstrap);
}
