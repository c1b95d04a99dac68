/*
 * Finds the recorded call that answers a call of the workload.
 *
 * 1. Each recorded ioctl is in three queues. The calls of a QUEUE_SAME have the same inputs. The calls of a
 *    QUEUE_MASKED have inputs that differ only in bytes that the driver changed. The calls of a QUEUE_LOOSE
 *    can also differ in addresses and in bytes that the driver does not read. Queues are in the order of the
 *    trace.
 * 2. The signature of a call is its device, request, inner call and sizes. The driver does not change
 *    the same bytes in all calls of a signature. The mask of a recorded call is the set of inputs that the
 *    driver did not change, with their sizes. Each mask has its own queues. Calls with the same mask are
 *    compared by a hash. The QUEUE_MASKS of a signature has the first call with each mask.
 * 3. A call of the workload is answered by the first unused call of its QUEUE_SAME, then of its QUEUE_MASKED,
 *    then of its QUEUE_LOOSE. If all calls of these queues are used, the last used call answers, in the same
 *    order of queues.
 */
#include "sniff/internal.h"
#include "flatten/flatten.h"

#include <sys/stat.h>

enum queue_kind { QUEUE_SAME, QUEUE_MASKED, QUEUE_LOOSE, QUEUE_MASKS, QUEUE_KIND_COUNT };

/* A recorded ioctl or mmap. */
struct recorded {
	struct trace_message message;
	uint64_t mask;      /* the result of input_mask() for an ioctl */
	size_t mask_first;  /* the first call with the same signature and mask */
	size_t unused;      /* in this first call: the number of unused calls with the mask */
	bool is_used;       /* also true for an ioctl without a result */
	size_t next[QUEUE_KIND_COUNT]; /* indexed by kind: the next call in the queue; SIZE_MAX: none */
};

struct call_queue {
	uint64_t key;       /* the result of queue_key() */
	size_t head, last;
	size_t first;       /* all calls before it are used; SIZE_MAX: all calls are used */
	UT_hash_handle hh;
};

/* The bytes of a record that the driver does not read: padding and, in the outermost record, the status. */
struct unread {
	struct {
		const char *record; /* points to the document's string */
		uint64_t is_outermost;
	} key;
	bool *is_unread;
	size_t size_bytes;
	UT_hash_handle hh;
};

struct replay {
	struct arena arena;              /* owns everything except growing arrays */
	const char *version;             /* the driver's version; NULL: unknown */
	struct driver_files files;
	const char **devices;            /* distinct paths, to which fd_path of each message points */
	size_t device_count, device_capacity;
	struct recorded *recorded;       /* in the order of the trace */
	size_t count, capacity;
	struct call_queue *queues[QUEUE_KIND_COUNT]; /* by key; equal keys of two kinds would make a circle */
	struct unread *unread;
	struct gather_scope *scope;
};

struct replay *replay_new(void)
{
	struct replay *replay = xmalloc(sizeof(*replay));

	*replay = (struct replay){ .version = NULL };
	return replay;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	for (enum queue_kind kind = 0; kind < QUEUE_KIND_COUNT; kind++)
		HASH_CLEAR(hh, replay->queues[kind]);
	HASH_CLEAR(hh, replay->unread);
	free(replay->recorded);
	free(replay->devices);
	files_release(&replay->files);
	arena_release(&replay->arena);
	free(replay);
}

const char *replay_version(const struct replay *replay)
{
	return replay->version ? replay->version : "";
}

const struct driver_files *replay_files(const struct replay *replay)
{
	return &replay->files;
}

bool replay_has_inputs(const struct replay *replay)
{
	bool has_calls = false;

	for (size_t i = 0; i < replay->count; i++) {
		const struct trace_message *message = &replay->recorded[i].message;

		if (message->before.bytes)
			return true;
		has_calls |= message->kind == TRACE_IOCTL && message->after.bytes;
	}
	return !has_calls;
}

bool replay_is_empty(const struct replay *replay)
{
	return !replay->device_count && !replay->files.by_path;
}

/* Finds the trace's string of a device's path; NULL if the trace does not name this device. */
static const char *recorded_device(const struct replay *replay, const char *path)
{
	for (size_t i = 0; i < replay->device_count; i++)
		if (!strcmp(replay->devices[i], path))
			return replay->devices[i];
	return NULL;
}

bool replay_has_device(const struct replay *replay, const char *path)
{
	const struct driver_file *file = files_find(&replay->files, path);

	return recorded_device(replay, path) || (file && S_ISCHR(file->mode));
}

static struct trace_bytes copy_bytes(const struct trace_bytes *bytes, struct arena *arena)
{
	return (struct trace_bytes){
		bytes->bytes ? arena_memdup(arena, bytes->bytes, bytes->size_bytes) : NULL, bytes->size_bytes,
	};
}

/* Copies the parts of a message that replay uses into the arena. @path: the fd_path of the copy */
static struct trace_message copy_message(const struct trace_message *message, const char *path,
					 struct arena *arena)
{
	struct trace_memory *memory = arena_array(arena, message->memory_count + 1, sizeof(*memory));
	struct decode_fd *fds = arena_array(arena, message->fd_count + 1, sizeof(*fds));
	struct trace_message copy = *message;

	for (size_t i = 0; i < message->memory_count; i++) {
		memory[i] = message->memory[i];
		memory[i].before = copy_bytes(&message->memory[i].before, arena);
		memory[i].after = copy_bytes(&message->memory[i].after, arena);
	}
	for (size_t i = 0; i < message->fd_count; i++)
		fds[i].path = arena_strdup(arena, message->fds[i].path);
	copy.fd_path = path;
	copy.before = copy_bytes(&message->before, arena);
	copy.after = copy_bytes(&message->after, arena);
	copy.memory = memory;
	copy.fds = fds;
	copy.version = copy.target = copy.command = "";
	return copy;
}

/* Returns the trace's string of a device's path, which is added if it is new. */
static const char *add_device(struct replay *replay, const char *path)
{
	const char *known = recorded_device(replay, path);

	if (known)
		return known;
	ARRAY_GROW(replay->devices, replay->device_count, replay->device_capacity);
	return replay->devices[replay->device_count++] = arena_strdup(&replay->arena, path);
}

void replay_add(struct replay *replay, const struct trace_message *message)
{
	const char *path;

	if (message->kind == TRACE_HEADER) {
		replay->version = arena_strdup(&replay->arena, message->version);
		return;
	}
	if (message->kind == TRACE_FILE) {
		files_add(&replay->files, message);
		return;
	}
	path = add_device(replay, message->fd_path);
	if (message->kind != TRACE_IOCTL && message->kind != TRACE_MMAP)
		return;
	ARRAY_GROW(replay->recorded, replay->count, replay->capacity);
	replay->recorded[replay->count++] =
		(struct recorded){ .message = copy_message(message, path, &replay->arena),
				   .next = { SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX } };
}

/* --- comparing calls ------------------------------------------------------------------------------- */

#define INPUTS_EMPTY_HASH UINT64_C(0xcbf29ce484222325)

/* Adds bytes to a 64-bit FNV-1a hash, which begins with INPUTS_EMPTY_HASH. */
static void inputs_mix(uint64_t *hash, const void *data, size_t size_bytes)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < size_bytes; i++)
		*hash = (*hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

/*
 * call_signature - hash the device, the request, the inner call, and the sizes of all ranges. A recorded call
 * can only answer calls with the same signature.
 */
static uint64_t call_signature(const char *path, uint64_t request, const struct gathered *gathered)
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

/* inputs_copy - copy the inputs of one range, with zeros for pointers and descriptors. */
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

/* True if the driver changed the byte at @offset of a recorded range. */
static bool was_changed(const struct region *recorded, size_t offset)
{
	return offset < recorded->after.length &&
	       recorded->after.text[offset] != recorded->before.text[offset];
}

/*
 * input_mask - hash which inputs of a recorded call the driver changed, and the sizes of its ranges, so that
 * calls with the same hash can be compared without these inputs
 */
static uint64_t input_mask(const struct gathered *recorded)
{
	uint64_t hash = INPUTS_EMPTY_HASH;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];
		const size_t size_bytes = region->direction == USE_OUT ? SIZE_MAX : region->before.length;

		inputs_mix(&hash, &size_bytes, sizeof(size_bytes));
		for (size_t at = 0; region->direction != USE_OUT && at < region->before.length; at++) {
			const uint8_t changed = was_changed(region, at);

			inputs_mix(&hash, &changed, sizeof(changed));
		}
	}
	return hash;
}

/* Sets is_unread for the bytes that are completely in a range of bits. @repeat: arrays around the range */
static void mark_unread(struct unread *unread, uint64_t offset_bits, uint64_t size_bits,
			const struct abi_repeat *repeat, size_t repeat_count)
{
	const uint64_t end = (offset_bits + size_bits) / 8;

	if (!repeat_count) {
		for (uint64_t at = (offset_bits + 7) / 8; at < end && at < unread->size_bytes; at++)
			unread->is_unread[at] = true;
		return;
	}
	for (uint64_t i = 0; i < repeat->count; i++) {
		const uint64_t at = offset_bits + i * repeat->stride_bits;

		if (!repeat->stride_bits || at / 8 >= unread->size_bytes)
			break;
		mark_unread(unread, at, size_bits, repeat + 1, repeat_count - 1);
	}
}

/*
 * Finds the bytes of a record that the driver does not read (struct unread). If the record has no layout, the
 * driver is assumed to read all bytes.
 */
static const struct unread *unread_of(struct replay *replay, const char *record, bool is_outermost)
{
	const struct unread wanted = { .key = { record, is_outermost } };
	const struct abi *abi = replay->scope->abi;
	struct abi_layout layout = { .size_bytes = 0 };
	struct call_field status;
	struct unread *unread;
	struct err err = { 0 };

	HASH_FIND(hh, replay->unread, &wanted.key, sizeof(wanted.key), unread);
	if (unread)
		return unread;
	unread = arena_array(&replay->arena, 1, sizeof(*unread));
	*unread = wanted;
	HASH_ADD(hh, replay->unread, key, sizeof(unread->key), unread);
	if (flatten_record(&layout, abi, record, &replay->arena, &err))
		return unread;
	unread->size_bytes = (size_t)layout.size_bytes;
	unread->is_unread = arena_array(&replay->arena, unread->size_bytes + 1, sizeof(*unread->is_unread));
	for (size_t i = 0; i < layout.hole_count; i++)
		mark_unread(unread, layout.hole[i].offset_bits, layout.hole[i].size_bits,
			    layout.hole[i].repeat, layout.hole[i].repeat_count);
	if (is_outermost && status_field(&status, abi, record))
		mark_unread(unread, status.offset_bits, status.field->size_bits, NULL, 0);
	return unread;
}

/*
 * Sets bytes that the driver does not read to 0, so that they do not count as a difference of two calls.
 * @bytes: a range of @call, or the range's first bytes
 */
static void hide_unread(struct strbuf *bytes, struct replay *replay, const struct gathered *call,
			size_t region)
{
	const struct region *at = &call->regions[region];

	for (size_t i = 0; i < call->chain_count; i++) {
		const struct unread *unread;

		if (!call->chain[i].record || call->chain[i].address != at->address ||
		    call->chain[i].size_bytes != at->size_bytes)
			continue;
		unread = unread_of(replay, call->chain[i].record, !i);
		/* an argument can be an array of records */
		if (!unread->size_bytes || at->size_bytes % unread->size_bytes)
			continue;
		for (size_t byte = 0; byte < bytes->length; byte++)
			if (unread->is_unread[byte % unread->size_bytes])
				bytes->text[byte] = '\0';
	}
}

enum { WORD_BYTES = 8, PAGE_OFFSET = 0xfff };

/*
 * The kernel chooses random addresses in this range for programs, libraries, heap, stack and mmaps. Lower
 * addresses are chosen by the program, and are the same in each run.
 */
static bool is_like_address(uint64_t word)
{
	return word >> 45 && !(word >> 48);
}

/*
 * Replaces each input word that looks like an address with the complement of its offset in the page, which is
 * the same in each run. Keeps words that the driver changed in @recorded.
 */
static void hide_addresses(struct strbuf *inputs, const struct region *recorded)
{
	for (size_t at = 0; at + WORD_BYTES <= inputs->length; at += WORD_BYTES) {
		bool was_written = false;
		uint64_t word;

		for (size_t i = at; i < at + WORD_BYTES && i < recorded->before.length; i++)
			was_written = was_written || was_changed(recorded, i);
		memcpy(&word, inputs->text + at, sizeof(word));
		if (was_written || !is_like_address(word))
			continue;
		word = ~(word & PAGE_OFFSET);
		memcpy(inputs->text + at, &word, sizeof(word));
	}
}

/**
 * inputs_hash - hash the inputs of @call that calls in one queue have in common
 * @out: set to the hash. If the hash of @recorded itself is the same, @recorded can answer @call
 * @kind: with QUEUE_SAME, @recorded is @call, and the hash has all inputs. Otherwise, it ignores bytes that
 *        the driver changed in @recorded. With QUEUE_LOOSE, it also ignores bytes that the driver does not
 *        read. Of words that look like addresses, it uses only the offset in the page
 *
 * Except with QUEUE_SAME, all calls have the same hash if @message has no bytes from before the call.
 * Return: false if @call has too few bytes, or a different number of ranges.
 */
static bool inputs_hash(uint64_t *out, struct replay *replay, enum queue_kind kind,
			const struct trace_message *message, const struct gathered *recorded,
			const struct gathered *call)
{
	const bool has_inputs = kind == QUEUE_SAME || message->before.bytes;
	uint64_t hash = INPUTS_EMPTY_HASH;
	struct strbuf given = { 0 };
	bool matches = !has_inputs || recorded->count == call->count;

	for (size_t i = 0; matches && has_inputs && i < recorded->count; i++) {
		const struct region *region = &recorded->regions[i];

		if (region->direction == USE_OUT)
			continue;
		inputs_copy(&given, call, i);
		if (kind == QUEUE_LOOSE) {
			hide_unread(&given, replay, call, i);
			hide_addresses(&given, region);
		}
		matches = given.length >= region->before.length;
		for (size_t at = 0; matches && at < region->before.length; at++)
			if (kind == QUEUE_SAME || !was_changed(region, at))
				inputs_mix(&hash, &given.text[at], 1);
	}
	strbuf_release(&given);
	if (matches)
		*out = hash;
	return matches;
}

/* --- the memory of a recorded call ----------------------------------------------------------------- */

/*
 * For gather_recorded(): reads memory as it was before the recorded call, or, if these bytes were not
 * recorded, as it was after the call. Return: the number of bytes; 0 if the range was not recorded.
 */
static size_t read_recorded(void *out, void *data, uint64_t address, size_t size_bytes)
{
	const struct trace_message *message = data;
	const struct trace_bytes *bytes = NULL;

	if (address == message->argument || !message->argument)
		bytes = message->before.bytes ? &message->before : &message->after;
	for (size_t i = 0; (!bytes || !bytes->bytes) && i < message->memory_count; i++) {
		const struct trace_memory *memory = &message->memory[i];

		if (memory->address == address)
			bytes = memory->before.bytes ? &memory->before : &memory->after;
	}
	if (!bytes || !bytes->bytes)
		return 0;
	if (size_bytes > bytes->size_bytes)
		size_bytes = (size_t)bytes->size_bytes;
	memcpy(out, bytes->bytes, size_bytes);
	return size_bytes;
}

/* Collects the ranges of a recorded call, to compare them with a live call's. The caller releases @out. */
static void gather_recorded(struct gathered *out, const struct trace_message *message,
			    struct gather_scope *scope)
{
	struct trace_message copy = *message;
	const struct gather_source source = { .read = read_recorded, .data = &copy };
	struct call first;

	identify_ioctl(&first, scope, message->fd_path, message->request, message->argument);
	if (!first.address && message->after.bytes)
		first.address = 1; /* gVisor's sniffer does not send the argument's address */
	gather_before(out, &first, &source, scope);
	for (size_t i = 0; i < out->count; i++) {
		const struct trace_bytes *after = message_after(message, i, out->regions[i].address);

		if (after && after->bytes)
			strbuf_add(&out->regions[i].after, after->bytes, after->size_bytes);
	}
}

/* --- the index ----------------------------------------------------------------------------------------- */

/* Returns the key of a queue. @mask, @inputs: 0 if calls with different masks or inputs are in one queue */
static uint64_t queue_key(uint64_t signature, uint64_t mask, uint64_t inputs)
{
	const uint64_t parts[] = { signature, mask, inputs };
	uint64_t hash = INPUTS_EMPTY_HASH;

	inputs_mix(&hash, parts, sizeof(parts));
	return hash;
}

static struct call_queue *find_queue(const struct replay *replay, enum queue_kind kind, uint64_t key)
{
	struct call_queue *queue;

	HASH_FIND(hh, replay->queues[kind], &key, sizeof(key), queue);
	return queue;
}

/* Appends the call recorded[@index] to the queue of @kind that has @key. */
static void add_to_queue(struct replay *replay, enum queue_kind kind, uint64_t key, size_t index)
{
	struct call_queue *queue = find_queue(replay, kind, key);

	if (queue) {
		replay->recorded[queue->last].next[kind] = index;
		queue->last = index;
		return;
	}
	queue = arena_array(&replay->arena, 1, sizeof(*queue));
	*queue = (struct call_queue){ .key = key, .head = index, .last = index, .first = index };
	HASH_ADD(hh, replay->queues[kind], key, sizeof(queue->key), queue);
}

/* Returns the first call with the first mask of a signature; next[QUEUE_MASKS] has those of other masks. */
static size_t first_mask(const struct replay *replay, uint64_t signature)
{
	const struct call_queue *masks = find_queue(replay, QUEUE_MASKS, queue_key(signature, 0, 0));

	return masks ? masks->head : SIZE_MAX;
}

/* Adds the call recorded[@index] to the queues by which find_recorded() searches, and sets its mask. */
static void queue_recorded_ioctl(struct replay *replay, size_t index, const struct gathered *gathered)
{
	struct recorded *recorded = &replay->recorded[index];
	const struct trace_message *message = &recorded->message;
	const uint64_t signature = call_signature(message->fd_path, message->request, gathered);
	size_t known = first_mask(replay, signature);
	uint64_t inputs = 0;

	/* a call without bytes from before it matches all calls, so it shares no mask with others */
	recorded->mask = message->before.bytes ? input_mask(gathered) : INPUTS_EMPTY_HASH;
	while (known != SIZE_MAX && replay->recorded[known].mask != recorded->mask)
		known = replay->recorded[known].next[QUEUE_MASKS];
	if (known == SIZE_MAX)
		add_to_queue(replay, QUEUE_MASKS, queue_key(signature, 0, 0), index);
	recorded->mask_first = known == SIZE_MAX ? index : known;
	replay->recorded[recorded->mask_first].unused++;
	for (enum queue_kind kind = QUEUE_SAME; kind <= QUEUE_LOOSE; kind++) {
		inputs_hash(&inputs, replay, kind, message, gathered, gathered);
		add_to_queue(replay, kind,
			     queue_key(signature, kind == QUEUE_SAME ? 0 : recorded->mask, inputs), index);
	}
}

void replay_index(struct replay *replay, struct gather_scope *scope)
{
	struct gathered gathered = { .count = 0 };

	replay->scope = scope;
	for (size_t i = 0; i < replay->count; i++) {
		const struct trace_message *message = &replay->recorded[i].message;

		/* a trace names devices without ioctls of their own (nvidia-caps) only in parameters */
		for (size_t k = 0; k < message->fd_count; k++) {
			const char *path = message->fds[k].path;
			const struct device_rule *rule = device_rule_of_path(scope->devices, path);

			if (rule && !*rule->module)
				add_device(replay, path);
		}
		if (message->kind != TRACE_IOCTL)
			continue;
		/* if the thread ended during the call, the call has no end and no result */
		replay->recorded[i].is_used = message->start_ns && !message->end_ns;
		if (replay->recorded[i].is_used)
			continue;
		gather_recorded(&gathered, message, scope);
		queue_recorded_ioctl(replay, i, &gathered);
		gathered_release(&gathered);
	}
}

/* --- matching -------------------- */

/* Checks whether the process has memory at @address, so that the word can be an address. */
static bool is_mapped(pid_t pid, uint64_t address)
{
	FILE *maps = fopen(proc_path(pid, "maps").text, "re");
	char line[4352];
	bool found = false;

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		uint64_t first, end;

		found = sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &end) == 2 && address >= first &&
			address < end;
	}
	if (maps)
		fclose(maps);
	return found;
}

/* Compares the inputs of two calls, up to the shorter length. @out: bytes that are 0 where both are equal */
static void compare_inputs(struct strbuf *out, const struct gathered *recorded, const struct gathered *call,
			   size_t region)
{
	struct strbuf there = { 0 };

	inputs_copy(out, call, region);
	inputs_copy(&there, recorded, region);
	if (out->length > there.length)
		out->length = there.length;
	for (size_t i = 0; i < out->length; i++)
		out->text[i] ^= there.text[i];
	strbuf_release(&there);
}

/* True if every word that differs from the recorded word is an address that the workload has mapped. */
static bool has_own_addresses(struct replay *replay, size_t index,
			      const struct replay_question *question)
{
	struct gathered recorded = { .count = 0 };
	struct strbuf differs = { 0 };
	bool are_own = true;

	gather_recorded(&recorded, &replay->recorded[index].message, replay->scope);
	for (size_t i = 0; i < question->call->count; i++) {
		const struct region *region = &recorded.regions[i];

		if (region->direction == USE_OUT)
			continue;
		compare_inputs(&differs, &recorded, question->call, i);
		hide_unread(&differs, replay, question->call, i);
		for (size_t at = 0; are_own && at + WORD_BYTES <= differs.length; at += WORD_BYTES) {
			bool is_other = false;
			uint64_t word;

			for (size_t byte = at; byte < at + WORD_BYTES; byte++)
				is_other = is_other || (differs.text[byte] && !was_changed(region, byte));
			memcpy(&word, question->call->regions[i].before.text + at, sizeof(word));
			are_own = !is_other || is_mapped(question->pid, word);
		}
	}
	strbuf_release(&differs);
	gathered_release(&recorded);
	return are_own;
}

/*
 * Finds the first unused call of a queue; with @again, its last used call. Calls of a QUEUE_LOOSE may differ
 * in addresses, so the addresses of each of these calls are checked. SIZE_MAX: none.
 */
static size_t pick_from_queue(struct replay *replay, enum queue_kind kind, uint64_t key, bool again,
			      const struct replay_question *question)
{
	struct call_queue *queue = find_queue(replay, kind, key);
	const struct recorded *recorded = replay->recorded;
	size_t found = SIZE_MAX;

	if (!queue)
		return SIZE_MAX;
	while (queue->first != SIZE_MAX && recorded[queue->first].is_used)
		queue->first = recorded[queue->first].next[kind];
	/* if a queue is asked again, all of its calls are used, except in a QUEUE_LOOSE */
	for (size_t i = !again ? queue->first : kind == QUEUE_LOOSE ? queue->head : queue->last;
	     i != SIZE_MAX && (again || found == SIZE_MAX); i = recorded[i].next[kind])
		if (recorded[i].is_used == again &&
		    (kind != QUEUE_LOOSE || has_own_addresses(replay, i, question)))
			found = i;
	return found;
}

/* Finds the first unused call of QUEUE_MASKED or QUEUE_LOOSE of all masks; with @again, the last used one. */
static size_t find_masked(struct replay *replay, enum queue_kind kind, uint64_t signature,
			const struct replay_question *question, bool again)
{
	struct gathered gathered = { .count = 0 };
	size_t best = SIZE_MAX, found;
	uint64_t inputs;
	bool matches;

	for (size_t i = first_mask(replay, signature); i != SIZE_MAX;
	     i = replay->recorded[i].next[QUEUE_MASKS]) {
		const struct recorded *first = &replay->recorded[i];

		if (!again && (!first->unused || i > best)) /* saves most of the time of a long trace */
			continue;
		gather_recorded(&gathered, &first->message, replay->scope);
		matches = inputs_hash(&inputs, replay, kind, &first->message, &gathered, question->call);
		gathered_release(&gathered);
		if (!matches)
			continue;
		found = pick_from_queue(replay, kind, queue_key(signature, first->mask, inputs), again,
					question);
		if (found != SIZE_MAX && (best == SIZE_MAX || (again ? found > best : found < best)))
			best = found;
	}
	return best;
}

/*
 * Finds the recorded call with the most similar inputs, an unused one before a used one, and sets @fit.
 * Return: its index; SIZE_MAX if no call matches.
 */
static size_t find_recorded(enum replay_fit *fit, struct replay *replay,
			    const struct replay_question *question)
{
	static const struct {
		enum queue_kind kind;
		bool again;
		enum replay_fit fit;
		bool is_strict; /* a strict question also searches this way */
	} ways[] = {
		{ QUEUE_SAME, false, REPLAY_EXACT, true },
		{ QUEUE_MASKED, false, REPLAY_SIMILAR, true },
		{ QUEUE_LOOSE, false, REPLAY_SIMILAR, false },
		{ QUEUE_SAME, true, REPLAY_REPEATED, false },
		{ QUEUE_MASKED, true, REPLAY_REPEATED, false },
		{ QUEUE_LOOSE, true, REPLAY_REPEATED, false },
	};
	const uint64_t signature = call_signature(question->path, question->request, question->call);
	uint64_t inputs = 0;

	inputs_hash(&inputs, replay, QUEUE_SAME, NULL, question->call, question->call);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		size_t found;

		if (question->is_strict && !ways[i].is_strict)
			continue;
		found = ways[i].kind == QUEUE_SAME
				? pick_from_queue(replay, QUEUE_SAME, queue_key(signature, 0, inputs),
						  ways[i].again, question)
				: find_masked(replay, ways[i].kind, signature, question, ways[i].again);
		if (found != SIZE_MAX) {
			*fit = ways[i].fit;
			return found;
		}
	}
	*fit = REPLAY_REFUSED;
	return SIZE_MAX;
}

const struct trace_message *replay_match(struct gathered *recorded, enum replay_fit *fit,
					 struct replay *replay, const struct replay_question *question)
{
	const size_t index = find_recorded(fit, replay, question);
	struct recorded *found;

	if (index == SIZE_MAX)
		return NULL;
	found = &replay->recorded[index];
	replay->recorded[found->mask_first].unused -= !found->is_used;
	found->is_used = true;
	gather_recorded(recorded, &found->message, replay->scope);
	for (size_t i = 0; i < recorded->count && !found->message.before.bytes; i++)
		strbuf_reset(&recorded->regions[i].before);
	return &found->message;
}

void replay_differences(struct strbuf *out, const struct gathered *recorded, const struct gathered *call)
{
	struct strbuf differs = { 0 };

	for (size_t i = 0; i < call->count && i < recorded->count; i++) {
		if (recorded->regions[i].direction == USE_OUT)
			continue;
		compare_inputs(&differs, recorded, call, i);
		for (size_t at = 0, end; at < differs.length; at = end) {
			for (end = at + 1; end < differs.length && !differs.text[end] == !differs.text[at];
			     end++)
				;
			if (!differs.text[at])
				continue;
			strbuf_addf(out, end - at == 1 ? "%sbyte %zu" : "%sbytes %zu-%zu",
				    out->length ? ", " : "", at, end - 1);
			if (i)
				strbuf_addf(out, " of range %zu", i);
			else
				strbuf_adds(out, " of the argument");
		}
	}
	strbuf_release(&differs);
}

size_t replay_unasked(const struct replay *replay)
{
	size_t count = 0;

	for (size_t i = 0; i < replay->count; i++)
		count += replay->recorded[i].message.kind == TRACE_IOCTL && !replay->recorded[i].is_used;
	return count;
}

const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes,
					      uint64_t offset)
{
	for (size_t i = 0; i < replay->count; i++) {
		struct recorded *recorded = &replay->recorded[i];
		const struct trace_message *message = &recorded->message;

		if (recorded->is_used || message->kind != TRACE_MMAP ||
		    message->map_size_bytes != size_bytes ||
		    message->map_offset != offset || strcmp(message->fd_path, path) != 0)
			continue;
		recorded->is_used = true;
		return message;
	}
	return NULL;
}
