/* decode/call.c - decodes a call into named fields */
/*
 * 1. The envelopes and the inner ioctl are found. If the bytes before the call are known, they are used,
 *    because the driver read these bytes. The record of an envelope is that of the newest version in which
 *    the record has the envelope's size.
 * 2. The ioctl and the version of each call are resolved (resolve.c), or taken from the cache.
 * 3. The bytes and the memory at pointers are decoded into fields.
 * 4. The driver's status is added. The objects of handles are named, and the call is applied to the known
 *    objects.
 * 5. If the caller gave a table, the proxy's use of the innermost ioctl is added.
 */
#include "decode/internal.h"

#include <uthash.h>

struct known_ioctl {
	struct ioctl_key key;
	struct decode_ioctl ioctl;
	UT_hash_handle hh;
};

struct decode_cache *decode_cache_new(void)
{
	struct decode_cache *cache = xmalloc(sizeof(*cache));

	*cache = (struct decode_cache){ .ioctls = NULL };
	return cache;
}

void decode_cache_free(struct decode_cache *cache)
{
	if (!cache)
		return;
	HASH_CLEAR(hh, cache->ioctls);
	decode_types_clear(cache);
	arena_release(&cache->arena);
	free(cache);
}

/* --- ioctls ---------------------------------------------------------------------------- */

/*
 * Finds the name, the record and the version of a call's ioctl, as decode_resolve() does, or takes them from
 * the scope's cache, which can be NULL. Return: the result, in the cache or in @arena; never NULL.
 */
static const struct decode_ioctl *resolve_ioctl(const struct call *call, bool has_bytes,
						const struct decode_scope *scope, struct arena *arena)
{
	/* The key of a longer family does not have its end. */
	struct decode_cache *cache = strlen(call->family) < FAMILY_MAX ? scope->cache : NULL;
	struct ioctl_key key = ioctl_key_of(call->family, call->number);
	struct known_ioctl *known;
	bool is_kept;

	key.has_size = call->has_size || call->bytes;
	key.size_bytes = key.has_size ? call->size_bytes : 0;
	key.has_bytes = has_bytes;
	if (cache) {
		HASH_FIND(hh, cache->ioctls, &key, sizeof(key), known);
		if (known)
			return &known->ioctl;
	}
	/* Unknown numbers are not cached: their search is fast, and a log can have any number of them. */
	is_kept = cache && HASH_COUNT(cache->ioctls) < DECODE_CACHE_MAX &&
		  decode_numbers_find(scope->numbers, call->family, call->number);
	known = arena_alloc(is_kept ? &cache->arena : arena, sizeof(*known));
	known->key = key;
	decode_resolve(&known->ioctl, call, has_bytes, scope, is_kept ? &cache->arena : arena);
	if (is_kept)
		HASH_ADD(hh, cache->ioctls, key, sizeof(known->key), known);
	return &known->ioctl;
}

/* --- recorded memory ---------------------------------------------------------------------- */

/* Returns the part of @known that begins at @offset, of at most @size_bytes. */
static struct trace_bytes part_from(const struct trace_bytes *known, uint64_t offset, uint64_t size_bytes)
{
	const uint64_t rest = known->bytes && offset < known->size_bytes ? known->size_bytes - offset : 0;

	return (struct trace_bytes){ rest ? known->bytes + offset : NULL,
				     rest < size_bytes ? rest : size_bytes };
}

/*
 * Finds the recorded memory that has the most bytes from @address on, at most @size_bytes; no bytes if none
 * were recorded. Sets memory_used for all memory that has the address.
 */
static struct trace_memory find_memory(const struct decode_input *input, uint64_t address,
				       uint64_t size_bytes)
{
	struct trace_memory most = { .address = address, .size_bytes = size_bytes };

	for (size_t i = 0; i < input->memory_count; i++) {
		const struct trace_memory *known = &input->memory[i];
		const uint64_t offset = address - known->address;
		const struct trace_memory found = { address, size_bytes,
						    part_from(&known->before, offset, size_bytes),
						    part_from(&known->after, offset, size_bytes) };

		if (address < known->address || !trace_memory_recorded(&found))
			continue;
		if (input->memory_used)
			input->memory_used[i] = true;
		if (trace_memory_recorded(&found) > trace_memory_recorded(&most))
			most = found;
	}
	return most;
}

/* Returns the bytes after the call if they were recorded, else those before it. */
static const struct trace_bytes *last_bytes(const struct trace_memory *memory)
{
	return memory->after.bytes ? &memory->after : &memory->before;
}

static const char *cut_note(uint64_t recorded_bytes, uint64_t size_bytes, struct arena *arena)
{
	return arena_printf(arena, "%llu of %llu bytes were recorded", (unsigned long long)recorded_bytes,
			    (unsigned long long)size_bytes);
}

/*
 * Returns the reason why the memory of a pointer is not shown, or is shown only in part or from before the
 * call; NULL if all of it is shown.
 */
static const char *note_of_pointer(const struct decode_pointer *pointer, const struct trace_memory *found,
				   struct arena *arena)
{
	if (pointer->to.is_too_long)
		return arena_printf(arena, "longer than %d bytes, so it was not read", (int)CALL_SIZE_MAX);
	if (!pointer->to.element_bytes)
		return "the document does not have this type";
	if (pointer->to.size_bytes && !trace_memory_recorded(found))
		return "not recorded";
	if (pointer->recorded_bytes < pointer->to.size_bytes)
		return cut_note(pointer->recorded_bytes, pointer->to.size_bytes, arena);
	if (!found->after.bytes && found->before.bytes && pointer->to.direction != USE_IN)
		return "recorded only before the call";
	return NULL;
}

/*
 * Makes a payload of the bytes after the call, with those before the call only if at least as many were
 * recorded. If no bytes after the call were recorded, those before it take their place.
 */
static struct decode_payload recorded_payload(const struct trace_memory *found, uint64_t size_bytes)
{
	const struct trace_bytes *last = last_bytes(found);
	const bool has_both = found->after.bytes && found->before.size_bytes >= last->size_bytes;

	return (struct decode_payload){ .bytes = last->bytes,
					.before = has_both ? found->before.bytes : NULL,
					.size_bytes = size_bytes,
					.recorded_bytes = last->size_bytes };
}

/* Decodes the elements at a pointer, also one recorded in part. An error becomes the pointer's note. */
static void read_elements(struct decode_pointer *pointer, const struct trace_memory *found,
			  const struct decode_ioctl *ioctl, const struct decode_scope *scope,
			  struct arena *arena)
{
	const struct call_pointer *to = &pointer->to;
	struct decode_payload payload = recorded_payload(found, to->element_bytes);
	const char *type = to->element;
	struct err err = { "" };

	if (!payload.bytes || !to->element_bytes)
		return;
	if (to->counted_by) {
		const uint64_t count = (payload.recorded_bytes + to->element_bytes - 1) / to->element_bytes;

		type = arena_printf(arena, "%s[%llu]", to->element, (unsigned long long)count);
		payload.size_bytes = count * to->element_bytes;
	}
	if (decode_fields(&pointer->fields, scope, ioctl->abi, type, &payload, arena, &err) && !pointer->note)
		pointer->note = arena_strdup(arena, err.text);
}

/* Is the pointer NULL? Its value before the call is used if known, because the driver read that value. */
static bool is_null(const struct decode_field *field)
{
	const uint8_t *bytes = (field->before ? field->before : field->bytes) + field->offset_bits / 8;

	for (uint64_t i = 0; i < field->size_bits / 8; i++)
		if (bytes[i])
			return false;
	return true;
}

/*
 * Sets is_unfollowed for the pointers without a rule, whose memory cannot be shown. @fields has @call's
 * parameters, or an array of its record. @call: NULL for memory of the second level of pointers, whose
 * pointers are not followed, so all of them are marked
 */
static void mark_unfollowed(const struct decode_fields *fields, const struct call *call,
			    const struct abi *abi, const struct pointer_rules *rules)
{
	for (size_t i = 0; i < fields->count; i++) {
		struct decode_field *field =
			(struct decode_field *)&fields->fields[i]; /* writable: made by decode_call() */
		const char *element = *field->path == '[' ? strchr(field->path, '.') : NULL;

		field->is_unfollowed = field->role == ABI_ROLE_POINTER && !is_null(field) &&
				       (!call || !call_follows(rules, abi, call->ioctl, call->record,
							       element ? element + 1 : field->path));
	}
}

/* Reads recorded memory, from before the call if possible. Return: false if not all bytes were recorded. */
static bool read_whole(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_memory found = find_memory(data, address, size_bytes);

	if (trace_memory_recorded(&found) < size_bytes)
		return false;
	*bytes = found.before.size_bytes == size_bytes ? found.before.bytes : found.after.bytes;
	return true;
}

size_t trace_call_follow(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message,
			 const struct device_rules *devices, const struct abi *abi)
{
	const struct decode_input input = { .memory = message->memory,
					    .memory_count = message->memory_count };
	const struct call_memory memory = { .read = read_whole, .data = (void *)&input };
	const struct trace_bytes *bytes = message->before.bytes ? &message->before : &message->after;
	struct call first = { .address = message->argument,
			      .bytes = bytes->bytes,
			      .size_bytes = bytes->size_bytes,
			      .has_size = bytes->bytes };

	if (message->kind != TRACE_IOCTL)
		return 0;
	first.family = call_identify_on(&first.number, devices, message->fd_path, message->request);
	return first.family ? call_follow(chain, &first, abi, &memory) : 0;
}

/*
 * Sets @ioctl's pointers, with the fields of the memory at them, and marks the pointers without a rule.
 * @chain[@index] is @ioctl's call, in the document used for decoding.
 */
static void follow_pointers(struct decode_ioctl *ioctl, const struct call *chain, size_t index,
			    const struct decode_scope *scope, const struct decode_input *input,
			    struct arena *arena)
{
	struct call_pointer found[CALL_POINTERS_MAX];
	const struct call_memory reading = { .read = read_whole, .data = (void *)input };
	const size_t count = call_pointers(found, chain, index, ioctl->abi, scope->pointers, &reading);
	struct decode_pointer *pointers = arena_array(arena, count, sizeof(*pointers));

	for (size_t i = 0; i < count; i++) {
		const struct call element = { .record = found[i].element };
		const struct call_pointer *outer = found[i].within ? &found[found[i].within - 1] : NULL;
		const struct trace_memory recorded = find_memory(input, found[i].address,
								 found[i].size_bytes);

		pointers[i].to = found[i];
		if (outer) /* "list[2].data", "paramStructPtr->data" */
			pointers[i].to.path =
				outer->counted_by
					? arena_printf(arena, "%s[%llu].%s", outer->path,
						       (unsigned long long)found[i].element_index,
						       found[i].path)
					: arena_printf(arena, "%s->%s", outer->path, found[i].path);
		pointers[i].recorded_bytes = last_bytes(&recorded)->size_bytes;
		pointers[i].note = note_of_pointer(&pointers[i], &recorded, arena);
		read_elements(&pointers[i], &recorded, ioctl, scope, arena);
		mark_unfollowed(&pointers[i].fields, outer ? NULL : &element, ioctl->abi, scope->pointers);
	}
	ioctl->pointers = pointers;
	ioctl->pointer_count = count;
	if (!index || !call_is_serialized(&chain[index - 1], ioctl->abi))
		mark_unfollowed(&ioctl->fields, &chain[index], ioctl->abi, scope->pointers);
}

static bool has_unfollowed(const struct decode_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++)
		if (fields->fields[i].is_unfollowed)
			return true;
	return false;
}

bool decode_has_unfollowed(const struct decode_ioctl *ioctl)
{
	bool found = has_unfollowed(&ioctl->fields);

	for (size_t i = 0; i < ioctl->pointer_count && !found; i++)
		found = has_unfollowed(&ioctl->pointers[i].fields);
	return found;
}

/* A call while it is being decoded. */
struct call_pass {
	const struct decode_input *input;
	const struct decode_scope *scope;
	struct call chain[CALL_DEPTH_MAX];
	size_t count;
	struct decode_ioctl *ioctls;
	struct arena *arena;
};

/* Finds a call's recorded parameters, after the call if possible. Their bytes are NULL if not recorded. */
static struct decode_payload find_payload(const struct call_pass *pass, size_t index)
{
	const struct decode_input *input = pass->input;
	const struct call *call = &pass->chain[index];
	const struct decode_payload whole = { call->bytes, NULL, call->size_bytes, call->size_bytes };
	struct trace_memory found;

	if (!index && call->bytes)
		return input->bytes ? (struct decode_payload){ input->bytes, input->before, input->size_bytes,
							       input->size_bytes }
				    : whole;
	if (!call->address)
		return whole;
	found = find_memory(input, call->address, call->size_bytes);
	return !trace_memory_recorded(&found) || (call->bytes && found.after.size_bytes < call->size_bytes)
		       ? whole
		       : recorded_payload(&found, call->size_bytes);
}

/*
 * Sets @ioctl's fields to the one field whose value is known from a log, although the parameters' bytes are
 * unknown. Sets no field if the record does not have it. Return: 0; an error of decode_fields().
 */
static int decode_known_field(struct decode_ioctl *ioctl, const struct call_pass *pass, struct err *err)
{
	const struct decode_input *input = pass->input;
	const uint64_t size_bytes = call_record_size(ioctl->abi, ioctl->record);
	struct decode_payload payload = { .size_bytes = size_bytes, .recorded_bytes = size_bytes };
	uint8_t *bytes = arena_alloc(pass->arena, size_bytes + 1);
	struct decode_fields all = { .count = 0 };
	struct call_field at;
	int rc;

	if (!call_field_find(&at, ioctl->abi, ioctl->record, input->field) || at.field->is_bitfield ||
	    at.offset_bits % 8 || at.offset_bits / 8 + sizeof(uint64_t) > size_bytes)
		return 0;
	for (uint64_t i = 0; i < at.field->size_bits / 8 && i < sizeof(uint64_t); i++)
		bytes[at.offset_bits / 8 + i] = (uint8_t)(input->value >> 8 * i);
	payload.bytes = bytes;
	rc = decode_fields(&all, pass->scope, ioctl->abi, ioctl->record, &payload, pass->arena, err);
	for (size_t i = 0; i < all.count; i++)
		if (!strcmp(all.fields[i].path, input->field))
			ioctl->fields = (struct decode_fields){ .bytes = bytes, .fields = &all.fields[i],
								.count = 1 };
	return rc;
}

/*
 * Decodes one ioctl of the chain of envelopes: its names, its fields, the memory of its pointers, and notes.
 * Return: 0, also if there are no bytes to decode; an error of decode_fields().
 */
static int decode_chain_ioctl(struct call_pass *pass, size_t index, struct err *err)
{
	static const char unknown_classes[] =
		"; the proxy's table does not say which classes are allowed for this ioctl";
	struct decode_ioctl *ioctl = &pass->ioctls[index];
	struct call *call = &pass->chain[index];
	const struct decode_payload payload = find_payload(pass, index);
	int rc = 0;

	*ioctl = *resolve_ioctl(call, payload.bytes, pass->scope, pass->arena);
	if (payload.recorded_bytes == payload.size_bytes)
		ioctl->fields = (struct decode_fields){ .bytes = payload.bytes, .before = payload.before };
	/* A payload without bytes gets no note, because most logs have no bytes. */
	if (payload.bytes && payload.recorded_bytes < payload.size_bytes)
		decode_add_note(ioctl, pass->arena, "%s",
				cut_note(payload.recorded_bytes, payload.size_bytes, pass->arena));
	if (index + 1 == pass->count)
		ioctl->allocated_by = pass->input->allocated_by;
	if (ioctl->allocated_by) /* a table's entries for classes are only for NV_ESC_RM_ALLOC */
		decode_add_note(ioctl, pass->arena, "allocated by %s%s", ioctl->allocated_by,
				pass->scope->table ? unknown_classes : "");
	if (ioctl->record && !payload.bytes && !index && pass->input->field)
		return decode_known_field(ioctl, pass, err);
	if (!ioctl->record || !payload.bytes || ioctl->fits_no_record)
		return 0;
	rc = decode_fields(&ioctl->fields, pass->scope, ioctl->abi, ioctl->record, &payload, pass->arena,
			   err);
	if (!rc && ioctl->fields.exceeded_by)
		decode_add_note(ioctl, pass->arena, "%s is larger than the number of elements of its array",
				ioctl->fields.exceeded_by);
	/* Now the call gets the ioctl of the document with which the fields were decoded. */
	call->ioctl = call_find(ioctl->abi, ioctl->family, ioctl->number);
	call->record = ioctl->record;
	if (!rc && pass->scope->pointers && call->record)
		follow_pointers(ioctl, pass->chain, index, pass->scope, pass->input, pass->arena);
	return rc;
}

/* If several names of the inner ioctl fit, names the value of the envelope's number field "NAME or NAME". */
static void name_inner(const struct decode_ioctl *envelope, const struct call *call,
		       const struct decode_ioctl *inner, struct arena *arena)
{
	const struct call_rule *rule =
		call->ioctl && call->record ? call_rule_of(call->ioctl, call->record) : NULL;
	const char *names;

	if (!rule || inner->name_count < 2)
		return;
	names = inner->names[0].name;
	for (size_t i = 1; i < inner->name_count; i++)
		names = arena_printf(arena, "%s or %s", names, inner->names[i].name);
	for (size_t i = 0; i < envelope->fields.count; i++) {
		struct decode_field *field =
			(struct decode_field *)&envelope->fields.fields[i]; /* decode_call() made it */

		if (!strcmp(field->path, rule->number))
			field->name = names;
	}
}

/*
 * Sets @out's status and its name: the recorded status, or that in a field if the call did not fail and its
 * bytes are known. A status has the same number in all versions, so its name can come from any document.
 */
static void find_status(struct decode_call *out, const struct decode_input *input,
			const struct decode_scope *scope)
{
	const struct history_graph *graph = scope->graph;
	/* A call that failed has no status, and the bytes before a call do not have it yet. */
	const bool was_answered = input->bytes && (!input->has_ret || input->ret >= 0);

	out->has_status = input->has_status;
	out->status = input->status;
	for (size_t i = 0; was_answered && i < out->count && !out->has_status; i++)
		for (size_t f = 0; f < out->ioctls[i].fields.count; f++) {
			const struct decode_field *field = &out->ioctls[i].fields.fields[f];

			if (field->role != ABI_ROLE_STATUS || field->is_array || strchr(field->path, '.'))
				continue;
			out->has_status = true;
			out->status = decode_field_value(field, 0).magnitude;
			out->status_name = field->name;
			out->is_status_doubtful = out->ioctls[i].is_ambiguous;
		}
	if (out->has_status && !out->status_name && scope->asked)
		out->status_name = decode_status_name(scope->asked, out->status);
	for (size_t v = graph->version_count; out->has_status && !out->status_name && v-- > 0;)
		out->status_name = graph->versions[v].abi
					   ? decode_status_name(graph->versions[v].abi, out->status)
					   : NULL;
}

/* Finds the node for the scope's version, or if that is unknown, the newest supported node. NULL if none. */
static const struct table_node *node_of_scope(const struct decode_scope *scope)
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

/*
 * Finds whether the proxy's table forwards the last ioctl; if not, the drvabi commands that add the ioctl to
 * the table. Sets nothing for a class that a different ioctl than NV_ESC_RM_ALLOC allocates.
 */
static void find_forwarded(struct decode_call *out, const struct decode_scope *scope, struct arena *arena)
{
	const struct decode_ioctl *last = &out->ioctls[out->count - 1];
	const char **adds;

	if (last->allocated_by)
		return;
	out->has_table = true;
	forwarded_find(&out->forwarded, scope->table, node_of_scope(scope), last->family, last->number);
	if (out->forwarded.use != FORWARDED_NONE || !last->name || last->is_only_macro ||
	    !table_has_family(scope->table, last->family))
		return;
	out->adds = adds = arena_array(arena, last->name_count, sizeof(*adds));
	for (size_t i = 0; i < last->name_count; i++)
		if (!last->names[i].is_macro)
			adds[i] = arena_printf(arena, "drvabi bootstrap --add %s --table %s",
					       last->names[i].name, scope->table_name);
}

int decode_call(struct decode_call *out, const struct decode_input *input, const struct decode_scope *scope,
		struct arena *arena, struct err *err)
{
	const struct call first = { .family = input->family,
				    .number = input->number,
				    .has_size = input->has_size,
				    .size_bytes = input->size_bytes,
				    .address = input->address,
				    .bytes = input->before ? input->before : input->bytes };
	const struct call_memory memory = { .read = read_whole, .data = (void *)input };
	const struct abi *abi = resolve_ioctl(&first, first.bytes, scope, arena)->abi;
	struct call_pass pass = {
		.input = input, .scope = scope, .chain = { first }, .count = 1, .arena = arena
	};
	struct decode_call call = {
		.origin = input->origin,
		.callers = input->callers,
		.has_ret = input->has_ret,
		.ret = input->ret,
		.error = input->error,
		.error_name = input->error ? strerrorname_np(input->error) : NULL,
	};
	struct decode_ioctl *last;
	int rc;

	if (abi && first.bytes)
		pass.count = call_follow(pass.chain, &first, abi, &memory);
	pass.ioctls = arena_array(arena, pass.count, sizeof(*pass.ioctls));
	last = &pass.ioctls[pass.count - 1];
	for (size_t i = 0; i < pass.count; i++)
		if ((rc = decode_chain_ioctl(&pass, i, err)))
			return rc;
	for (size_t i = 0; i + 1 < pass.count; i++) {
		name_inner(&pass.ioctls[i], &pass.chain[i], &pass.ioctls[i + 1], arena);
		for (size_t n = 0; n < pass.ioctls[i].note_count; n++)
			decode_add_note(last, arena, "%s: %s", pass.ioctls[i].name, pass.ioctls[i].notes[n]);
	}
	call.ioctls = pass.ioctls;
	call.count = pass.count;
	if (last->abi && (scope->asked == last->abi ||
			  (last->version_count == 1 && !strstr(last->versions[0], ".."))))
		call.version = last->abi->version;
	find_status(&call, input, scope);
	decode_annotate(pass.ioctls, &call, pass.chain, input);
	if (scope->table)
		find_forwarded(&call, scope, arena);
	*out = call;
	return 0;
}

bool decode_scope_name(struct decode_scope *scope, const char *version)
{
	const struct history_graph *graph = scope->graph;
	const size_t i = history_graph_index(graph, version);

	scope->named = version;
	scope->asked = i < graph->version_count ? graph->versions[i].abi : NULL;
	scope->asked_index = i;
	return scope->asked;
}
