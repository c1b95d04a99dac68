#include "sniff/replay.h"

#include "sniff/identify.h"
#include "sniff/inputs.h"
#include "sniff/recording.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A recorded ioctl. */
struct recorded {
	const struct trace_message *message;
	uint64_t shape;     /* hash of what must be the same */
	uint64_t inputs;    /* hash of the bytes */
	bool is_used;
	size_t next;        /* of the same shape, in the order of the trace; the count: none */
};

/* All ioctls of one shape. */
struct bucket {
	uint64_t shape;
	size_t first;       /* that is not used; the count: none */
	size_t last;
	UT_hash_handle hh;
};

struct replay {
	struct recording trace;
	struct recorded *recorded; /* its ioctls */
	size_t recorded_count;
	bool *is_mapped;    /* by message: an mmap that was used */
	struct bucket *buckets;
	const struct gather_scope *scope;
};

struct replay *replay_new(void)
{
	struct replay *replay = xmalloc(sizeof(*replay));

	*replay = (struct replay){ .buckets = NULL };
	return replay;
}

void replay_free(struct replay *replay)
{
	struct bucket *bucket, *next;

	if (!replay)
		return;
	HASH_ITER(hh, replay->buckets, bucket, next) {
		HASH_DEL(replay->buckets, bucket);
		free(bucket);
	}
	recording_release(&replay->trace);
	free(replay);
}

void replay_add(struct replay *replay, const struct trace_message *message)
{
	recording_add(&replay->trace, message);
}

const char *replay_version(const struct replay *replay)
{
	return replay->trace.version ? replay->trace.version : "";
}

bool replay_is_empty(const struct replay *replay)
{
	return !replay->trace.device_count;
}

bool replay_has_device(const struct replay *replay, const char *path)
{
	return recording_has_device(&replay->trace, path);
}

/* --- what belongs to a recorded call -------------------------------------------------------------- */

/* Bytes that were there before the call, or else, of what was never recorded before, those after it. */
static const struct trace_bytes *held(const struct trace_bytes *before, const struct trace_bytes *after)
{
	return before->bytes ? before : after;
}

static size_t read_recorded(void *out, void *data, uint64_t address, size_t size_bytes)
{
	const struct trace_message *message = data;
	const struct trace_bytes *bytes = NULL;

	if (address == message->argument || !message->argument)
		bytes = held(&message->before, &message->after);
	for (size_t i = 0; (!bytes || !bytes->bytes) && i < message->memory_count; i++)
		if (message->memory[i].address == address)
			bytes = held(&message->memory[i].before, &message->memory[i].after);
	if (!bytes || !bytes->bytes)
		return 0;
	if (size_bytes > bytes->size_bytes)
		size_bytes = (size_t)bytes->size_bytes;
	memcpy(out, bytes->bytes, size_bytes);
	return size_bytes;
}

static void gather_recorded(struct gathered *out, const struct trace_message *message, const struct gather_scope *scope)
{
	struct trace_message copy = *message;
	const struct gather_source source = { .read = read_recorded, .data = &copy };
	struct call first;

	identify_ioctl(&first, message->fd_path, message->request, message->argument, scope->traits ? scope->traits->abi : NULL);
	if (!first.address && message->after.bytes)
		first.address = 1; /* gVisor's sniffer does not say where the argument was */
	gather_before(out, &first, &source, scope);
}

/* --- the index ----------------------------------------------------------------------------------------- */

static void add_to_bucket(struct replay *replay, size_t index)
{
	struct recorded *recorded = &replay->recorded[index];
	struct bucket *bucket;

	HASH_FIND(hh, replay->buckets, &recorded->shape, sizeof(recorded->shape), bucket);
	if (bucket) {
		replay->recorded[bucket->last].next = index;
		bucket->last = index;
		return;
	}
	bucket = xmalloc(sizeof(*bucket));
	*bucket = (struct bucket){ .shape = recorded->shape, .first = index, .last = index };
	HASH_ADD(hh, replay->buckets, shape, sizeof(bucket->shape), bucket);
}

/* A call that never ended, because its thread did, answers nothing. */
static bool has_end(const struct trace_message *message)
{
	return message->end_ns || !message->start_ns;
}

void replay_index(struct replay *replay, const struct gather_scope *scope)
{
	struct gathered gathered = { .count = 0 };

	replay->scope = scope;
	replay->recorded = arena_array(&replay->trace.arena, replay->trace.count + 1, sizeof(*replay->recorded));
	replay->is_mapped = arena_array(&replay->trace.arena, replay->trace.count + 1, sizeof(*replay->is_mapped));
	for (size_t i = 0; i < replay->trace.count; i++) {
		const struct trace_message *message = &replay->trace.messages[i];
		struct recorded *recorded = &replay->recorded[replay->recorded_count];

		if (message->kind != TRACE_IOCTL || !has_end(message))
			continue;
		gather_recorded(&gathered, message, scope);
		*recorded = (struct recorded){ .message = message, .shape = inputs_shape(message->fd_path, message->request, &gathered),
					       .inputs = inputs_hash(&gathered), .next = SIZE_MAX };
		add_to_bucket(replay, replay->recorded_count++);
	}
	gathered_release(&gathered);
}

/* --- matching --------------------------------------------------------------------------------------------- */

static const struct trace_bytes *after_of(const struct trace_message *message, const struct gathered *recorded, size_t region)
{
	if (!region)
		return &message->after;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == recorded->regions[region].address)
			return &message->memory[i].after;
	return NULL;
}

static bool region_nearly_matches(const struct trace_message *message, const struct gathered *recorded, const struct gathered *call, size_t region)
{
	const struct trace_bytes *after = after_of(message, recorded, region);
	struct strbuf wanted = { 0 }, given = { 0 };
	bool matches = true;

	inputs_copy(&wanted, recorded, region);
	inputs_copy(&given, call, region);
	for (size_t i = 0; matches && i < wanted.length; i++) {
		const bool was_changed = after && after->bytes && i < after->size_bytes && after->bytes[i] != (uint8_t)recorded->regions[region].before.text[i];

		matches = i < given.length && (wanted.text[i] == given.text[i] || was_changed);
	}
	strbuf_release(&wanted);
	strbuf_release(&given);
	return matches;
}

/* Do the inputs differ only where the driver wrote? */
static bool nearly_matches(const struct recorded *recorded, const struct gathered *call, const struct gather_scope *scope)
{
	struct gathered gathered = { .count = 0 };
	bool matches;

	if (!recorded->message->before.bytes)
		return true;
	gather_recorded(&gathered, recorded->message, scope);
	matches = gathered.count == call->count;
	for (size_t i = 0; matches && i < gathered.count; i++)
		matches = gathered.regions[i].direction == USE_OUT || region_nearly_matches(recorded->message, &gathered, call, i);
	gathered_release(&gathered);
	return matches;
}

/* The first of a shape that is not used. */
static void skip_used(struct replay *replay, struct bucket *bucket)
{
	while (bucket->first != SIZE_MAX && replay->recorded[bucket->first].is_used)
		bucket->first = replay->recorded[bucket->first].next;
}

static struct recorded *find(struct replay *replay, const struct bucket *bucket, const struct gathered *call)
{
	const uint64_t inputs = inputs_hash(call);

	for (size_t i = bucket->first; i != SIZE_MAX; i = replay->recorded[i].next)
		if (!replay->recorded[i].is_used && replay->recorded[i].inputs == inputs)
			return &replay->recorded[i];
	for (size_t i = bucket->first; i != SIZE_MAX; i = replay->recorded[i].next)
		if (!replay->recorded[i].is_used && nearly_matches(&replay->recorded[i], call, replay->scope))
			return &replay->recorded[i];
	return NULL;
}

const struct trace_message *replay_match(struct gathered *recorded, struct replay *replay, const char *path, uint64_t request,
					 const struct gathered *call)
{
	const uint64_t shape = inputs_shape(path, request, call);
	struct bucket *bucket;
	struct recorded *found;

	HASH_FIND(hh, replay->buckets, &shape, sizeof(shape), bucket);
	if (!bucket)
		return NULL;
	skip_used(replay, bucket);
	found = find(replay, bucket, call);
	if (!found)
		return NULL;
	found->is_used = true;
	gather_recorded(recorded, found->message, replay->scope);
	for (size_t i = 0; i < recorded->count; i++) {
		const struct trace_bytes *after = after_of(found->message, recorded, i);

		strbuf_reset(&recorded->regions[i].after);
		if (after && after->bytes)
			strbuf_add(&recorded->regions[i].after, after->bytes, after->size_bytes);
		if (!found->message->before.bytes)
			strbuf_reset(&recorded->regions[i].before);
	}
	return found->message;
}

const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes, uint64_t offset)
{
	for (size_t i = 0; i < replay->trace.count; i++) {
		const struct trace_message *message = &replay->trace.messages[i];

		if (message->kind != TRACE_MMAP || replay->is_mapped[i] || strcmp(message->fd_path, path) || message->map_size_bytes != size_bytes ||
		    message->map_offset != offset)
			continue;
		replay->is_mapped[i] = true;
		return message;
	}
	return NULL;
}
