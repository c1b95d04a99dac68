/*
 * What supporting a version takes, for a program: "drvabi-bootstrap/1". docs/bootstrap.md explains each key.
 */
#include "report/report.h"

#include "abi/abi.h"

/* A key with strings, one a line: json_key_strings() has them on one. */
static void json_lines(struct json_writer *writer, const char *key, const char *const *texts, size_t count)
{
	json_key(writer, key);
	json_open_array(writer);
	for (size_t i = 0; i < count; i++)
		json_string(writer, texts[i]);
	json_close_array(writer);
}

static void json_proof(struct json_writer *writer, const struct bootstrap_proof *proof)
{
	json_key(writer, "proof");
	json_open_object(writer);
	json_key_unsigned(writer, "entries", proof->entries);
	json_key_unsigned(writer, "structs", proof->structs);
	json_key_unsigned(writer, "scalars", proof->scalars);
	json_key_unsigned(writer, "unchanged", proof->unchanged);
	json_lines(writer, "text", proof->text, proof->text_count);
	json_close_object(writer);
}

static void json_nodes(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "nodes");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->node_count; i++) {
		const struct bootstrap_node *node = &bootstrap->nodes[i];

		json_open_inline_object(writer);
		json_key_string(writer, "version", node->version);
		json_key_string(writer, "parent", node->parent);
		json_key_string(writer, "was_parent", node->was_parent);
		json_key_bool(writer, "supported", node->supported);
		json_key_bool(writer, "exists", node->exists);
		json_key_string(writer, "commit", node->commit);
		json_key(writer, "sha256");
		json_open_object(writer);
		if (node->supported) {
			json_key_string(writer, "x86_64", node->sha256_x86_64);
			json_key_string(writer, "arm64", node->sha256_arm64);
		}
		json_close_object(writer);
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* name, number, constant, record, type and size of one side. */
static void json_side(struct json_writer *writer, const struct table_entry *entry, size_t changed,
		      uint64_t size_bytes)
{
	const struct table_struct *one = changed < entry->struct_count ? &entry->structs[changed]
					 : entry->struct_count         ? entry->structs
								       : NULL;

	json_key_unsigned(writer, "number", entry->number);
	json_key_string(writer, "constant", entry->constant);
	json_key_string(writer, "record", one ? one->driver : NULL);
	json_key_string(writer, "type", one ? one->proxy : NULL);
	json_key_unsigned(writer, "size", size_bytes);
}

static void json_was(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	json_key(writer, "was");
	if (!entry->was) {
		json_null(writer);
		return;
	}
	json_open_inline_object(writer);
	json_key_string(writer, "name", entry->was->name);
	json_side(writer, entry->was, entry->changed, entry->size_was);
	json_close_object(writer);
}

static void json_handler(struct json_writer *writer, const char *key, const struct table_entry *entry)
{
	json_key(writer, key);
	if (!entry || !entry->handler.kind) {
		json_null(writer);
		return;
	}
	json_open_inline_object(writer);
	json_key_string(writer, "kind", entry->handler.kind);
	json_key_string(writer, "type", entry->handler.type);
	json_close_object(writer);
}

static void json_edit_text(struct json_writer *writer, const struct bootstrap_edit *edit)
{
	struct strbuf text = { 0 };

	strbuf_addf(&text, "%s%s%s", edit->remove ? edit->remove : "", edit->remove && edit->text ? "\n" : "",
		    edit->text ? edit->text : "");
	json_key_string(writer, "text", strbuf_text(&text));
	strbuf_release(&text);
}

static void json_edits(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	json_key(writer, "places");
	json_open_array(writer);
	for (size_t i = 0; i < entry->edit_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "place", bootstrap_site_name(entry->edits[i].site));
		json_key_bool(writer, "todo", entry->edits[i].is_todo);
		json_edit_text(writer, &entry->edits[i]);
		json_close_object(writer);
	}
	json_close_array(writer);
}

/* A number that is not known is null. */
static void json_known(struct json_writer *writer, const char *key, uint64_t number)
{
	json_key(writer, key);
	if (number)
		json_unsigned(writer, number);
	else
		json_null(writer);
}

static void json_pointers(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	static const char *const directions[] = { [USE_IN] = "in", [USE_OUT] = "out", [USE_INOUT] = "inout" };

	json_key(writer, "pointers");
	json_open_array(writer);
	for (size_t i = 0; i < entry->pointer_count; i++) {
		const struct bootstrap_pointer *one = &entry->pointers[i];

		json_open_inline_object(writer);
		json_key_string(writer, "path", one->path);
		json_key_unsigned(writer, "offset", one->offset_bytes);
		json_key_string(writer, "count", one->count);
		if (one->count) {
			json_key_unsigned(writer, "count_offset", one->count_offset_bytes);
			json_key_unsigned(writer, "count_size", one->count_bytes);
		}
		json_key_string(writer, "element", one->element);
		json_key_unsigned(writer, "element_size", one->element_bytes);
		json_key_string(writer, "direction", directions[one->direction]);
		json_known(writer, "limit", one->limit_bytes);
		json_key_bool(writer, "empty_refused", one->empty_is_refused);
		json_key_string(writer, "evidence", one->evidence);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_fds(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	json_key(writer, "fds");
	json_open_array(writer);
	for (size_t i = 0; i < entry->fd_count; i++) {
		const struct fd_rule *rule = entry->fds[i].rule;

		json_open_inline_object(writer);
		json_key_string(writer, "path", rule->path);
		json_key_unsigned(writer, "offset", entry->fds[i].offset_bytes);
		json_key_unsigned(writer, "size", entry->fds[i].bytes);
		json_key_string(writer, "kind", rule->kind);
		json_key_bool(writer, "optional", rule->optional);
		json_key_string(writer, "evidence", rule->evidence);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_unknown(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	json_key(writer, "unknown");
	json_open_array(writer);
	for (size_t i = 0; i < entry->unknown_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "what", bootstrap_open_name(entry->unknown[i].what));
		json_key_string(writer, "text", entry->unknown[i].text);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_entry(struct json_writer *writer, const struct bootstrap_entry *entry)
{
	const struct table_entry *one = entry->now ? entry->now : entry->was;

	json_open_object(writer);
	json_key_string(writer, "family", one->family);
	json_key_string(writer, "name", one->name);
	json_key_string(writer, "node", entry->node);
	json_key_string(writer, "use", entry->is_read ? "read" : "unread");
	json_key_string(writer, "action", bootstrap_action_name(entry->action));
	json_side(writer, one, entry->changed, entry->size_now);
	json_was(writer, entry);
	json_lines(writer, "caps", one->caps, one->cap_count);
	json_handler(writer, "handler", entry->was);
	json_handler(writer, "new_handler", entry->now);
	json_key_string(writer, "why", entry->why);
	json_lines(writer, "changes", entry->changes, entry->change_count);
	if (entry->pointer_count)
		json_pointers(writer, entry);
	if (entry->fd_count)
		json_fds(writer, entry);
	if (entry->pointer_count || entry->fd_count)
		json_unknown(writer, entry);
	if (entry->request_bytes)
		json_key_unsigned(writer, "request_size", entry->request_bytes);
	json_edits(writer, entry);
	json_close_object(writer);
}

static void json_entries(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "entries");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->entry_count; i++)
		json_entry(writer, &bootstrap->entries[i]);
	json_close_array(writer);
}

static void json_field(struct json_writer *writer, const struct proxytype *type, size_t index)
{
	const struct table_field *field = &type->type->fields[index];
	const struct proxytype_field *note = type->fields ? &type->fields[index] : NULL;
	static const char *const kinds[] = { [PROXYTYPE_FIELD] = "field",
					     [PROXYTYPE_PADDING] = "padding",
					     [PROXYTYPE_EMBEDDED] = "embedded" };

	json_open_inline_object(writer);
	json_key_string(writer, "name", field->name);
	json_key_unsigned(writer, "offset", field->offset_bytes);
	json_key_string(writer, "type", field->type);
	json_key_string(writer, "kind", kinds[note ? note->kind : PROXYTYPE_FIELD]);
	json_key_string(writer, "driver", note && *note->driver ? note->driver : NULL);
	json_key_string(writer, "role", note ? abi_role_name(note->role) : "");
	json_close_object(writer);
}

static void json_types(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "types");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->type_count; i++) {
		const struct proxytype *type = bootstrap->types[i];

		json_open_object(writer);
		json_key_string(writer, "name", type->type->name);
		json_key_string(writer, "record", type->record);
		json_key_string(writer, "replaces", type->updates);
		json_key_string(writer, "node", type->version);
		json_key_unsigned(writer, "size", type->type->size_bytes);
		json_key_string(writer, "alias", type->type->alias);
		json_key(writer, "fields");
		json_open_array(writer);
		for (size_t f = 0; f < type->type->field_count; f++)
			json_field(writer, type, f);
		json_close_array(writer);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_candidates(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "candidates");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->candidate_count; i++) {
		const struct bootstrap_candidate *one = &bootstrap->candidates[i];

		json_open_object(writer);
		json_key_string(writer, "family", one->family);
		json_key_string(writer, "name", one->name);
		json_key_unsigned(writer, "number", one->number);
		json_key_string(writer, bootstrap->parent ? "new_in" : "node", one->first);
		json_key_string(writer, "record", one->record);
		json_key_unsigned(writer, "size", one->size_bytes);
		json_key_bool(writer, "listed", !one->is_macro);
		json_key_bool(writer, "simple", one->is_simple);
		json_key_string(writer, "why", one->why);
		json_lines(writer, "flags", one->ioctl ? one->ioctl->flags : NULL,
			   one->ioctl ? one->ioctl->flag_count : 0);
		json_key_string(writer, "supersedes", one->supersedes);
		json_lines(writer, "caps", one->caps.caps, one->caps.count);
		json_lines(writer, "likely", one->caps.likely, one->caps.likely_count);
		json_key_string(writer, "evidence", one->caps.evidence);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_misplaced(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "misplaced");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->misplaced_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "version", bootstrap->misplaced[i].version);
		json_key_string(writer, "parent", bootstrap->misplaced[i].parent);
		json_key_string(writer, "should_be", bootstrap->misplaced[i].should_be);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_faults(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "table_faults");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->fault_count; i++) {
		const struct verify_finding *finding = bootstrap->faults[i].finding;

		json_open_inline_object(writer);
		json_key_string(writer, "version", bootstrap->faults[i].version);
		json_key_string(writer, "rule", verify_rule_name(finding->rule));
		json_key_string(writer, "family", finding->family);
		json_key_string(writer, "name", finding->entry);
		json_key_string(writer, "record", finding->record);
		json_key_string(writer, "text", finding->message);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_audit(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "audit");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->audit_count; i++) {
		const struct bootstrap_audit *one = &bootstrap->audit[i];

		json_open_inline_object(writer);
		json_key_string(writer, "family", one->family);
		json_key_string(writer, "name", one->name);
		json_key_string(writer, "record", one->record);
		json_key_string(writer, "path", one->path);
		json_key_string(writer, "what", bootstrap_doubt_name(one->what));
		json_key_string(writer, "text", one->text);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_passed(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "passed");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->passed_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "family", bootstrap->passed[i].family);
		json_key_string(writer, "name", bootstrap->passed[i].name);
		json_key_string(writer, "version", bootstrap->passed[i].version);
		json_key_string(writer, "text", bootstrap->passed[i].text);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_not_compared(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "not_compared");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->not_compared_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "family", bootstrap->not_compared[i]->family);
		json_key_string(writer, "name", bootstrap->not_compared[i]->name);
		json_close_object(writer);
	}
	json_close_array(writer);
}

static void json_todo(struct json_writer *writer, const struct bootstrap *bootstrap)
{
	json_key(writer, "todo");
	json_open_array(writer);
	for (size_t i = 0; i < bootstrap->todo_count; i++) {
		json_open_inline_object(writer);
		json_key_string(writer, "what", bootstrap->todo[i].what);
		json_key_string(writer, "node", bootstrap->todo[i].node);
		json_key_string(writer, "name", bootstrap->todo[i].name);
		json_key_string(writer, "why", bootstrap->todo[i].why);
		json_close_object(writer);
	}
	json_close_array(writer);
}

void report_bootstrap_json(struct strbuf *out, const struct bootstrap *bootstrap)
{
	struct json_writer writer = { .out = out };

	json_open_object(&writer);
	json_key_string(&writer, "format", BOOTSTRAP_FORMAT);
	json_key_string(&writer, "driver", bootstrap->driver);
	json_key_string(&writer, "target", bootstrap->target);
	json_key_string(&writer, "table", bootstrap->table->proxy);
	json_key_string(&writer, "table_revision", bootstrap->table->revision);
	json_key_string(&writer, "version", bootstrap->version);
	json_key_string(&writer, "commit", bootstrap->commit);
	json_key_string(&writer, "verdict", bootstrap_verdict_name(bootstrap->verdict));
	json_key_string(&writer, "parent", bootstrap->parent);
	json_key_string(&writer, "parent_commit", bootstrap->parent_commit);
	json_key_string(&writer, "why", bootstrap->why);
	json_proof(&writer, &bootstrap->proof);
	json_nodes(&writer, bootstrap);
	json_entries(&writer, bootstrap);
	json_types(&writer, bootstrap);
	json_candidates(&writer, bootstrap);
	json_misplaced(&writer, bootstrap);
	json_faults(&writer, bootstrap);
	json_audit(&writer, bootstrap);
	json_passed(&writer, bootstrap);
	json_not_compared(&writer, bootstrap);
	json_lines(&writer, "not_checked", bootstrap->not_checked, bootstrap->not_checked_count);
	json_todo(&writer, bootstrap);
	json_close_object(&writer);
	json_end(&writer);
}
