/*
 * The calls of a trace, from which those of a workload are answered.
 *
 * 1. Each recorded ioctl is in two queues: of those with the same inputs, and of those with the same inputs
 *    but for what the driver changed. Each recorded mmap is in one. A queue has the order of the trace.
 * 2. What the driver changed is not the same bytes in all calls of a shape. A recorded call's mask is which
 *    of its inputs the driver left as they were, and how long they are: there is a queue for each mask, and
 *    few masks. Two calls of one mask are compared by one number, so that nobody compares each with each.
 * 3. A call of the workload takes the first of the queue of its inputs, or else the first of all that its
 *    masks lead to.
 */
#include "sniff/internal.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum queue_kind { QUEUE_MMAPS, QUEUE_SAME, QUEUE_NEAR };

/* A recorded ioctl or mmap. */
struct recorded {
	const struct trace_message *message;
	struct mask *mask;  /* of an ioctl */
	bool is_used;
	size_t next[QUEUE_NEAR + 1]; /* of its queue of that kind; SIZE_MAX: none */
};

struct queue_key {
	uint64_t kind, shape, mask, inputs; /* of an mmap: its path's address, its size, its offset */
};

struct queue {
	struct queue_key key;
	size_t first;       /* that is not used, once it was asked for; SIZE_MAX: none */
	size_t last;
	UT_hash_handle hh;
};

/* A mask of a shape. */
struct mask {
	struct { uint64_t shape, hash; } key;
	size_t first;       /* recorded ioctl that has it */
	size_t left;        /* that are not used */
	struct mask *next;  /* of the same shape, in the order of the trace */
	UT_hash_handle hh;
};

/* All ioctls of one shape. */
struct bucket {
	uint64_t shape;
	struct mask *masks, *last;
	UT_hash_handle hh;
};

struct replay {
	struct arena arena;              /* of all that is not an array that grows */
	const char *version;             /* of the driver; NULL: not known */
	struct trace_message *messages;  /* in the order of the trace, without headers */
	size_t count, capacity;
	const char **devices;            /* each path once; fd_path of a message is one of them */
	size_t device_count, device_capacity;
	struct recorded *recorded;       /* its ioctls and mmaps */
	size_t recorded_count;
	struct queue *queues;
	struct mask *masks;
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
	if (!replay)
		return;
	HASH_CLEAR(hh, replay->queues);
	HASH_CLEAR(hh, replay->masks);
	HASH_CLEAR(hh, replay->buckets);
	free(replay->messages);
	free(replay->devices);
	arena_release(&replay->arena);
	free(replay);
}

const char *replay_version(const struct replay *replay)
{
	return replay->version ? replay->version : "";
}

bool replay_is_empty(const struct replay *replay)
{
	return !replay->device_count;
}

/* The trace's own string of a path; NULL: it names no such device. */
static const char *path_of(const struct replay *replay, const char *path)
{
	for (size_t i = 0; i < replay->device_count; i++)
		if (!strcmp(replay->devices[i], path))
			return replay->devices[i];
	return NULL;
}

bool replay_has_device(const struct replay *replay, const char *path)
{
	return path_of(replay, path);
}

static struct trace_bytes copy_bytes(const struct trace_bytes *bytes, struct arena *arena)
{
	return (struct trace_bytes){
		bytes->bytes ? arena_memdup(arena, bytes->bytes, bytes->size_bytes) : NULL, bytes->size_bytes,
	};
}

static struct trace_message copy_message(const struct trace_message *message, const char *path,
					 struct arena *arena)
{
	struct trace_memory *memory = arena_array(arena, message->memory_count + 1, sizeof(*memory));
	struct trace_message copy = *message;

	for (size_t i = 0; i < message->memory_count; i++) {
		memory[i] = message->memory[i];
		memory[i].before = copy_bytes(&message->memory[i].before, arena);
		memory[i].after = copy_bytes(&message->memory[i].after, arena);
	}
	copy.fd_path = path;
	copy.before = copy_bytes(&message->before, arena);
	copy.after = copy_bytes(&message->after, arena);
	copy.memory = memory;
	copy.fds = NULL;
	copy.fd_count = 0;
	copy.version = copy.target = copy.command = "";
	return copy;
}

/* Of a header the version alone, of other messages all but the descriptors. */
void replay_add(struct replay *replay, const struct trace_message *message)
{
	const char *path;

	if (message->kind == TRACE_HEADER) {
		replay->version = arena_strdup(&replay->arena, message->version);
		return;
	}
	path = path_of(replay, message->fd_path);
	if (!path) {
		ARRAY_GROW(replay->devices, replay->device_count, replay->device_capacity);
		path = arena_strdup(&replay->arena, message->fd_path);
		replay->devices[replay->device_count++] = path;
	}
	ARRAY_GROW(replay->messages, replay->count, replay->capacity);
	replay->messages[replay->count++] = copy_message(message, path, &replay->arena);
}

/* --- what of a call must be the same -------------------------------------------------------------- */

#define INPUTS_EMPTY_HASH UINT64_C(0xcbf29ce484222325)

/* Adds bytes to a hash, which begins as INPUTS_EMPTY_HASH: FNV-1a, of 64 bits. */
static void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size_bytes; i++)
		*hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/* inputs_shape - a hash of device, request, what is inside, and the sizes of all ranges. */
static uint64_t inputs_shape(const char *path, uint64_t request, const struct gathered *gathered)
{
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	uint64_t hash = INPUTS_EMPTY_HASH;

	inputs_mix(&hash, path, strlen(path) + 1);
	inputs_mix(&hash, &request, sizeof(request));
	if (last) {
		inputs_mix(&hash, last->family, strlen(last->family) + 1);
		inputs_mix(&hash, &last->number, sizeof(last->number));
	}
	for (size_t i = 0; i < gathered->count; i++)
		inputs_mix(&hash, &gathered->regions[i].size_bytes, sizeof(gathered->regions[i].size_bytes));
	return hash;
}

/* inputs_copy - the bytes of one range that are inputs: pointers and descriptors become zeros. */
static void inputs_copy(struct strbuf *out, const struct gathered *gathered, size_t region)
{
	const struct region *at = &gathered->regions[region];

	strbuf_reset(out);
	strbuf_add(out, at->before.text, at->before.length);
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *reference = &gathered->references[i];

		if (reference->region == region &&
		    reference->offset_bytes + reference->size_bytes <= out->length)
			memset(out->text + reference->offset_bytes, 0, reference->size_bytes);
	}
}

/* inputs_hash - of all ranges, but for those that the driver only writes. */
static uint64_t inputs_hash(const struct gathered *gathered)
{
	struct strbuf inputs = { 0 };
	uint64_t hash = INPUTS_EMPTY_HASH;

	for (size_t i = 0; i < gathered->count; i++) {
		if (gathered->regions[i].direction == USE_OUT)
			continue;
		inputs_copy(&inputs, gathered, i);
		inputs_mix(&hash, inputs.text, inputs.length);
	}
	strbuf_release(&inputs);
	return hash;
}

/*
 * The bytes after the call of one range of @recorded, which was gathered from @message; NULL: there are none.
 */
static const struct trace_bytes *near_after(const struct trace_message *message,
					    const struct gathered *recorded, size_t region)
{
	return message_after(message, region, recorded->regions[region].address);
}

static bool was_changed(const struct trace_bytes *after, const struct region *region, size_t offset)
{
	return after && after->bytes && offset < after->size_bytes &&
	       after->bytes[offset] != (uint8_t)region->before.text[offset];
}

/* near_mask - a hash of the mask of @recorded, which was gathered from @message. */
static uint64_t near_mask(const struct trace_message *message, const struct gathered *recorded)
{
	uint64_t hash = INPUTS_EMPTY_HASH;

	if (!message->before.bytes)
		return hash;
	inputs_mix(&hash, &recorded->count, sizeof(recorded->count));
	for (size_t i = 0; i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];
		const struct trace_bytes *after = near_after(message, recorded, i);
		const size_t size_bytes = region->direction == USE_OUT ? SIZE_MAX : region->before.length;

		inputs_mix(&hash, &size_bytes, sizeof(size_bytes));
		for (size_t at = 0; region->direction != USE_OUT && at < region->before.length; at++) {
			const uint8_t changed = was_changed(after, region, at);

			inputs_mix(&hash, &changed, sizeof(changed));
		}
	}
	return hash;
}

/**
 * near_hash - what @call has where the mask of @recorded says that the driver left it
 * @out: set to a hash. The driver's answer to @recorded is one to @call as well, but for what it wrote, if
 *       the hash of @recorded itself is the same.
 *
 * Of a message without bytes before the call, nothing is left: every call has the same.
 * Return: false if @call has too few bytes, or other ranges.
 */
static bool near_hash(uint64_t *out, const struct trace_message *message, const struct gathered *recorded,
		      const struct gathered *call)
{
	uint64_t hash = INPUTS_EMPTY_HASH;
	struct strbuf given = { 0 };
	bool matches = !message->before.bytes || recorded->count == call->count;

	for (size_t i = 0; matches && message->before.bytes && i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];
		const struct trace_bytes *after = near_after(message, recorded, i);

		if (region->direction == USE_OUT)
			continue;
		inputs_copy(&given, call, i);
		matches = given.length >= region->before.length;
		for (size_t at = 0; matches && at < region->before.length; at++)
			if (!was_changed(after, region, at))
				inputs_mix(&hash, &given.text[at], 1);
	}
	strbuf_release(&given);
	if (matches)
		*out = hash;
	return matches;
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

static void gather_recorded(struct gathered *out, const struct trace_message *message,
			    const struct gather_scope *scope)
{
	struct trace_message copy = *message;
	const struct gather_source source = { .read = read_recorded, .data = &copy };
	struct call first;

	identify_ioctl(&first, scope->devices, message->fd_path, message->request, message->argument,
		       scope->traits ? scope->traits->abi : NULL);
	if (!first.address && message->after.bytes)
		first.address = 1; /* gVisor's sniffer does not say where the argument was */
	gather_before(out, &first, &source, scope);
}

/* --- the index ----------------------------------------------------------------------------------------- */

static struct queue *find_queue(struct replay *replay, const struct queue_key *key)
{
	struct queue *queue;

	HASH_FIND(hh, replay->queues, key, sizeof(*key), queue);
	return queue;
}

static void add_to_queue(struct replay *replay, const struct queue_key *key, size_t index)
{
	struct queue *queue = find_queue(replay, key);

	if (queue) {
		replay->recorded[queue->last].next[key->kind] = index;
		queue->last = index;
		return;
	}
	queue = arena_array(&replay->arena, 1, sizeof(*queue));
	*queue = (struct queue){ .key = *key, .first = index, .last = index };
	HASH_ADD(hh, replay->queues, key, sizeof(queue->key), queue);
}

static struct bucket *add_bucket(struct replay *replay, uint64_t shape)
{
	struct bucket *bucket;

	HASH_FIND(hh, replay->buckets, &shape, sizeof(shape), bucket);
	if (bucket)
		return bucket;
	bucket = arena_array(&replay->arena, 1, sizeof(*bucket));
	*bucket = (struct bucket){ .shape = shape };
	HASH_ADD(hh, replay->buckets, shape, sizeof(bucket->shape), bucket);
	return bucket;
}

static struct mask *add_mask(struct replay *replay, uint64_t shape, uint64_t hash, size_t index)
{
	struct bucket *bucket = add_bucket(replay, shape);
	struct mask wanted = { .key = { shape, hash }, .first = index }, *mask;

	HASH_FIND(hh, replay->masks, &wanted.key, sizeof(wanted.key), mask);
	if (mask)
		return mask;
	mask = arena_array(&replay->arena, 1, sizeof(*mask));
	*mask = wanted;
	HASH_ADD(hh, replay->masks, key, sizeof(mask->key), mask);
	if (bucket->last)
		bucket->last->next = mask;
	else
		bucket->masks = mask;
	bucket->last = mask;
	return mask;
}

static void add_ioctl(struct replay *replay, size_t index, const struct gathered *gathered)
{
	struct recorded *recorded = &replay->recorded[index];
	const struct trace_message *message = recorded->message;
	const uint64_t shape = inputs_shape(message->fd_path, message->request, gathered),
		       mask = near_mask(message, gathered);
	struct queue_key same = { QUEUE_SAME, shape, 0, inputs_hash(gathered) },
			 near = { QUEUE_NEAR, shape, mask, 0 };

	near_hash(&near.inputs, message, gathered, gathered);
	recorded->mask = add_mask(replay, shape, mask, index);
	recorded->mask->left++;
	add_to_queue(replay, &same, index);
	add_to_queue(replay, &near, index);
}

static struct queue_key key_of_mmap(const char *path, uint64_t size_bytes, uint64_t offset)
{
	return (struct queue_key){ QUEUE_MMAPS, (uintptr_t)path, size_bytes, offset };
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
	replay->recorded = arena_array(&replay->arena, replay->count + 1, sizeof(*replay->recorded));
	for (size_t i = 0; i < replay->count; i++) {
		const struct trace_message *message = &replay->messages[i];
		const struct queue_key mapped = key_of_mmap(message->fd_path, message->map_size_bytes,
							    message->map_offset);
		const bool is_ioctl = message->kind == TRACE_IOCTL && has_end(message);
		const size_t index = replay->recorded_count;

		if (!is_ioctl && message->kind != TRACE_MMAP)
			continue;
		replay->recorded[replay->recorded_count++] =
			(struct recorded){ .message = message, .next = { SIZE_MAX, SIZE_MAX, SIZE_MAX } };
		if (!is_ioctl) {
			add_to_queue(replay, &mapped, index);
			continue;
		}
		gather_recorded(&gathered, message, scope);
		add_ioctl(replay, index, &gathered);
	}
	gathered_release(&gathered);
}

/* --- matching -------------------- */

/* The first of a queue that is not used; SIZE_MAX: none. */
static size_t first_of(struct replay *replay, const struct queue_key *key)
{
	struct queue *queue = find_queue(replay, key);

	while (queue && queue->first != SIZE_MAX && replay->recorded[queue->first].is_used)
		queue->first = replay->recorded[queue->first].next[key->kind];
	return queue ? queue->first : SIZE_MAX;
}

/* The first whose inputs differ only where the driver wrote. */
static size_t find_near(struct replay *replay, uint64_t shape, const struct gathered *call)
{
	struct gathered gathered = { .count = 0 };
	struct bucket *bucket;
	size_t found = SIZE_MAX;

	HASH_FIND(hh, replay->buckets, &shape, sizeof(shape), bucket);
	for (const struct mask *mask = bucket ? bucket->masks : NULL; mask; mask = mask->next) {
		const struct trace_message *message = replay->recorded[mask->first].message;
		struct queue_key key = { QUEUE_NEAR, shape, mask->key.hash, 0 };

		if (!mask->left || mask->first > found)
			continue;
		gather_recorded(&gathered, message, replay->scope);
		if (near_hash(&key.inputs, message, &gathered, call)) {
			const size_t first = first_of(replay, &key);

			found = first < found ? first : found;
		}
	}
	gathered_release(&gathered);
	return found;
}

static struct recorded *find_recorded(struct replay *replay, uint64_t shape, const struct gathered *call)
{
	const struct queue_key same = { QUEUE_SAME, shape, 0, inputs_hash(call) };
	size_t found = first_of(replay, &same);

	if (found == SIZE_MAX)
		found = find_near(replay, shape, call);
	return found == SIZE_MAX ? NULL : &replay->recorded[found];
}

const struct trace_message *replay_match(struct gathered *recorded, struct replay *replay, const char *path,
					 uint64_t request,
					 const struct gathered *call)
{
	struct recorded *found = find_recorded(replay, inputs_shape(path, request, call), call);

	if (!found)
		return NULL;
	found->is_used = true;
	found->mask->left--;
	gather_recorded(recorded, found->message, replay->scope);
	for (size_t i = 0; i < recorded->count; i++) {
		const struct trace_bytes *after = near_after(found->message, recorded, i);

		strbuf_reset(&recorded->regions[i].after);
		if (after && after->bytes)
			strbuf_add(&recorded->regions[i].after, after->bytes, after->size_bytes);
		if (!found->message->before.bytes)
			strbuf_reset(&recorded->regions[i].before);
	}
	return found->message;
}

const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes,
					      uint64_t offset)
{
	const struct queue_key key = key_of_mmap(path_of(replay, path), size_bytes, offset);
	const size_t found = first_of(replay, &key);

	if (found == SIZE_MAX)
		return NULL;
	replay->recorded[found].is_used = true;
	return replay->recorded[found].message;
}
