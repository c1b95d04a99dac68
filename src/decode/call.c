/*
 * 1. The request is followed (call/): envelopes, and what is inside, by the bytes before the call if they are known: the
 *    driver went by them. Which record an envelope is, the newest version whose record has its size says.
 * 2. For each of them, which ioctl it is and in which version is resolved (resolve.c), or remembered (memo.c).
 * 3. Bytes become fields, and the memory behind pointers (follow.c).
 * 4. What the driver answered; handles get the class of their object, and the call changes what is known of objects.
 * 5. With a table, what the proxy does with the innermost one.
 */
#include "decode/decode.h"

#include "decode/annotate.h"
#include "decode/follow.h"
#include "decode/resolve.h"

#include <string.h>

/* A call while it is being decoded. */
struct pass {
	const struct decode_input *input;
	const struct decode_scope *scope;
	const struct decode_memory *memory; /* NULL: none */
	struct call chain[CALL_DEPTH_MAX];
	size_t count;
	struct decode_ioctl *ioctls;
	struct arena *arena;
};

/* --- memory ------------------------------------------------------------------------------------- */

/* For a caller that knows bytes of one time only. */
static bool find_by_reading(struct decode_recorded *out, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct call_memory *memory = data;
	const uint8_t *bytes;

	if (!memory->read(&bytes, memory->data, address, size_bytes))
		return false;
	*out = (struct decode_recorded){ .after = bytes, .after_bytes = size_bytes };
	return true;
}

/* What call_follow() asks for: all of it, before the call if that is known. */
static bool read_whole(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct decode_memory *memory = data;
	struct decode_recorded found = { .before = NULL };

	if (!memory->find(&found, memory->data, address, size_bytes))
		return false;
	if (found.before && found.before_bytes >= size_bytes)
		*bytes = found.before;
	else if (found.after && found.after_bytes >= size_bytes)
		*bytes = found.after;
	else
		return false;
	return true;
}

/* --- the chain ------------------------------------------------------------------------------------ */

static const struct decode_ioctl *resolve(const struct pass *pass, const struct call *call)
{
	const struct decode_subject subject = { .family = call->family, .number = call->number, .has_size = call->has_size || call->bytes,
						.size_bytes = call->size_bytes, .has_bytes = call->bytes };

	return decode_memo_ioctl(&subject, pass->scope, pass->arena);
}

static void follow_chain(struct pass *pass)
{
	const struct decode_input *input = pass->input;
	const struct call first = { .family = input->family, .number = input->number, .has_size = input->has_size, .size_bytes = input->size_bytes,
				    .address = input->address, .bytes = input->before ? input->before : input->bytes };
	const struct call_memory memory = { .read = read_whole, .data = (void *)pass->memory };
	const struct abi *abi = resolve(pass, &first)->abi;

	pass->chain[0] = first;
	pass->count = abi && first.bytes ? call_follow(pass->chain, &first, abi, pass->memory ? &memory : NULL) : 1;
}

/* The bytes of one call of the chain, and those before it if they are others. */
static void find_bytes(const uint8_t **bytes, const uint8_t **before, const struct pass *pass, size_t index)
{
	const struct call *call = &pass->chain[index];
	struct decode_recorded found = { .before = NULL };

	*bytes = index ? call->bytes : pass->input->bytes ? pass->input->bytes : pass->input->before;
	*before = index || !pass->input->bytes ? NULL : pass->input->before;
	if (!index || !*bytes || !pass->memory->find(&found, pass->memory->data, call->address, call->size_bytes) || !found.after ||
	    found.after_bytes < call->size_bytes)
		return;
	*before = found.before && found.before_bytes >= call->size_bytes ? found.before : NULL;
	*bytes = found.after;
}

static void add_note(struct decode_ioctl *ioctl, const struct pass *pass, const char *text)
{
	const char **notes = arena_array(pass->arena, ioctl->note_count + 1, sizeof(*notes));

	for (size_t i = 0; i < ioctl->note_count; i++)
		notes[i] = ioctl->notes[i];
	notes[ioctl->note_count++] = text;
	ioctl->notes = notes;
}

/* What a table says of a class is of NV_ESC_RM_ALLOC. */
static void note_within(struct decode_ioctl *ioctl, const struct pass *pass)
{
	ioctl->within = pass->input->within;
	if (ioctl->within)
		add_note(ioctl, pass, arena_printf(pass->arena, pass->scope->table ? "allocated by %s; which classes the proxy takes there is not in its table" :
										     "allocated by %s", ioctl->within));
}

/* "not recorded" is the usual case in a log, and said by what is not there; a part of it is worth a word. */
static void note_cut(struct decode_ioctl *ioctl, const struct pass *pass, size_t index)
{
	const struct call *call = &pass->chain[index];
	struct decode_recorded found = { .before = NULL };
	uint64_t known;

	if (call->bytes || !pass->memory || !call->size_bytes || !call->address ||
	    !pass->memory->find(&found, pass->memory->data, call->address, call->size_bytes))
		return;
	known = found.after ? found.after_bytes : found.before_bytes;
	add_note(ioctl, pass, arena_printf(pass->arena, "%llu of %llu bytes were recorded", (unsigned long long)known,
					   (unsigned long long)call->size_bytes));
}

static int decode_one(struct pass *pass, size_t index, struct err *err)
{
	struct decode_ioctl *ioctl = &pass->ioctls[index];
	struct call *call = &pass->chain[index];
	const uint8_t *bytes, *before;
	int rc = 0;

	*ioctl = *resolve(pass, call);
	find_bytes(&bytes, &before, pass, index);
	ioctl->fields.bytes = bytes;
	ioctl->fields.before = before;
	note_cut(ioctl, pass, index);
	if (index + 1 == pass->count)
		note_within(ioctl, pass);
	if (!ioctl->record || !bytes || ioctl->is_refused)
		return 0;
	rc = decode_fields(&ioctl->fields, pass->scope, ioctl->abi, ioctl->record, bytes, before, ioctl->size_bytes, pass->arena, err);
	/* From here on, in the document that its fields are of. */
	call->ioctl = call_find(ioctl->abi, ioctl->family, ioctl->number);
	call->record = ioctl->record;
	if (!rc)
		decode_follow(ioctl, pass->chain, index, pass->scope, pass->memory, pass->arena);
	return rc;
}

/* Its field that says which call is inside has the names of all that it may be. */
static void name_inner(const struct decode_ioctl *envelope, const struct call *call, const struct decode_ioctl *inner, struct arena *arena)
{
	const struct call_rule *rule = call->ioctl && call->record ? call_rule_of(call->ioctl, call->record) : NULL;
	struct strbuf names = { 0 };

	for (size_t i = 0; i < inner->name_count; i++)
		strbuf_addf(&names, "%s%s", i ? " or " : "", inner->names[i].name);
	for (size_t i = 0; rule && inner->name_count > 1 && i < envelope->fields.count; i++) {
		struct decode_field *field = (struct decode_field *)&envelope->fields.fields[i]; /* this pass made it */

		if (!strcmp(field->path, rule->number))
			field->name = arena_strdup(arena, strbuf_text(&names));
	}
	strbuf_release(&names);
}

/* --- the answer ------------------------------------------------------------------------------------- */

static const struct decode_field *find_status_field(const struct decode_call *call)
{
	const struct decode_field *found = NULL;

	for (size_t i = 0; i < call->count && !found; i++)
		for (size_t f = 0; f < call->ioctls[i].fields.count; f++) {
			const struct decode_field *field = &call->ioctls[i].fields.fields[f];

			if (field->role == ABI_ROLE_STATUS && !field->is_array && !strchr(field->path, '.'))
				found = field;
		}
	return found;
}

/* What the driver answered: the status that was recorded, or the one in an envelope. A status has one number in all versions. */
static void find_status(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope)
{
	const struct history_graph *graph = scope->graph;
	const bool was_answered = !input->has_ret || input->ret >= 0; /* else the driver wrote none */
	const struct decode_field *field = input->has_status || !was_answered ? NULL : find_status_field(out);

	out->has_status = input->has_status || field;
	out->status = field ? decode_field_value(field, 0).magnitude : input->status;
	out->status_name = field ? field->name : NULL;
	if (out->has_status && !out->status_name && scope->asked)
		out->status_name = decode_status_name(scope->asked, out->status);
	for (size_t v = graph->version_count; out->has_status && !out->status_name && v-- > 0;)
		out->status_name = graph->versions[v].abi ? decode_status_name(graph->versions[v].abi, out->status) : NULL;
}

static void find_answer(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope)
{
	out->origin = input->origin;
	out->has_ret = input->has_ret;
	out->ret = input->ret;
	out->has_error = input->has_error;
	out->error = input->error;
	out->error_name = input->has_error ? decode_errno_name(input->error) : NULL;
	find_status(out, input, scope);
}

/* The version, if only one fits. */
static const char *version_of(const struct decode_ioctl *last, const struct decode_scope *scope)
{
	if (!last->abi || (scope->asked != last->abi && (last->version_count != 1 || strstr(last->versions[0], ".."))))
		return NULL;
	return last->abi->version;
}

/* --- the proxy ------------------------------------------------------------------------------------- */

bool decode_scope_name(struct decode_scope *scope, const char *version)
{
	const struct history_graph *graph = scope->graph;
	size_t i = 0;

	while (i < graph->version_count && (!graph->versions[i].abi || strcmp(graph->versions[i].version, version) != 0))
		i++;
	scope->named = version;
	scope->asked = i < graph->version_count ? graph->versions[i].abi : NULL;
	scope->asked_index = i;
	return scope->asked;
}

/* Without a version, the newest one that the proxy supports. */
static const struct table_node *node_of(const struct decode_scope *scope)
{
	const struct table_node *newest = NULL;

	if (scope->asked)
		return forwarded_node(scope->table, scope->graph, scope->asked_index, scope->asked->version);
	if (scope->named)
		return table_nearest_node(scope->table, scope->named);
	for (size_t i = 0; i < scope->table->node_count; i++) {
		const struct table_node *node = &scope->table->nodes[i];

		if (node->supported && (!newest || abi_version_compare(node->version, newest->version) > 0))
			newest = node;
	}
	return newest;
}

static bool table_has_family(const struct table *table, const char *family)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

static void find_forwarded(struct decode_call *out, const struct decode_scope *scope, struct arena *arena)
{
	const struct decode_ioctl *last = &out->ioctls[out->count - 1];
	const char **adds;

	if (last->within)
		return;
	out->has_table = true;
	forwarded_find(&out->forwarded, scope->table, node_of(scope), last->family, last->number);
	if (out->forwarded.use != FORWARDED_NONE || !last->name || last->is_command || !table_has_family(scope->table, last->family))
		return;
	out->adds = adds = arena_array(arena, last->name_count, sizeof(*adds));
	for (size_t i = 0; i < last->name_count; i++)
		if (!last->names[i].is_macro)
			adds[i] = arena_printf(arena, "drvabi bootstrap --add %s --table %s", last->names[i].name, scope->table_name);
}

int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope, struct arena *arena,
		struct err *err)
{
	const struct decode_memory reading = { .find = find_by_reading, .data = (void *)input->memory };
	struct pass pass = { .input = input, .scope = scope, .arena = arena,
			     .memory = input->recorded ? input->recorded : input->memory ? &reading : NULL };
	struct decode_call call = { .count = 0 };
	int rc;

	follow_chain(&pass);
	pass.ioctls = arena_array(arena, pass.count, sizeof(*pass.ioctls));
	for (size_t i = 0; i < pass.count; i++)
		if ((rc = decode_one(&pass, i, err)))
			return rc;
	for (size_t i = 0; i + 1 < pass.count; i++)
		name_inner(&pass.ioctls[i], &pass.chain[i], &pass.ioctls[i + 1], arena);
	call.ioctls = pass.ioctls;
	call.count = pass.count;
	call.version = version_of(&pass.ioctls[pass.count - 1], scope);
	find_answer(&call, input, scope);
	decode_annotate(pass.ioctls, &call, pass.chain, input);
	if (scope->table)
		find_forwarded(&call, scope, arena);
	*out = call;
	return 0;
}
