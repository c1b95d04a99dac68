/*
 * How a call is followed:
 *
 * 1. The argument is read. Its size is in the request; UVM's is that of the ioctl's parameters.
 * 2. If it is an envelope, what is inside is read, and that may be one, too: the chain.
 * 3. Behind the whole chain, in its order: what the pointers of each call lead to, and its descriptors.
 *
 * A range is read once. What could not be read whole is recorded, and not looked into.
 */
#include "sniff/follow.h"

/* Of a chain, and of one range that is looked into: as CALL_DEPTH_MAX and CALL_SIZE_MAX of decode/call.h. */
enum { DEPTH_MAX = 4, SIZE_MAX_BYTES = 16 * 1024 * 1024, NUMBER_MASK = 0xff, SIZE_SHIFT = 16, SIZE_MASK = 0x3fff };

struct following {
	struct frame *frame;
	const struct plan *plan;
	uint64_t region_limit_bytes;
};

/* A call of the chain. */
struct level {
	const struct plan_entry *entry; /* of the parameters' very size; NULL: none */
	const uint8_t *bytes;           /* NULL: not known */
	size_t size_bytes;
	bool is_serialized;             /* its pointers are not followed */
};

static struct frame_region *find_region(struct frame *frame, uint64_t address, uint64_t size_bytes)
{
	for (size_t i = 0; i < frame->region_count; i++)
		if (frame->regions[i].address == address && frame->regions[i].size_bytes == size_bytes)
			return &frame->regions[i];
	return NULL;
}

static struct frame_region *read_region(const struct following *following, uint64_t address, uint64_t size_bytes)
{
	struct frame *frame = following->frame;
	struct frame_region *region;
	uint64_t wanted = size_bytes;

	if (frame->region_count == FRAME_REGIONS)
		return NULL;
	if (wanted > following->region_limit_bytes)
		wanted = following->region_limit_bytes;
	if (wanted > FRAME_BYTES - frame->used_bytes)
		wanted = FRAME_BYTES - frame->used_bytes;
	region = &frame->regions[frame->region_count++];
	*region = (struct frame_region){ .address = address, .size_bytes = size_bytes, .before = frame->bytes + frame->used_bytes };
	region->before_bytes = own_memory_read(region->before, frame->tid, &frame->stack, address, (size_t)wanted);
	frame->used_bytes += region->before_bytes;
	return region;
}

/* Return: the bytes; NULL if not all of them are known. */
static const uint8_t *read_all(const struct following *following, uint64_t address, uint64_t size_bytes)
{
	const struct frame_region *region = find_region(following->frame, address, size_bytes);

	if (!region)
		region = read_region(following, address, size_bytes);
	return region && region->before_bytes == size_bytes ? region->before : NULL;
}

/* What is inside an envelope. The driver goes by the class of an allocation: the size that it gives need not be true. */
static struct level open_envelope(const struct following *following, const struct plan_step *step, const struct level *outer)
{
	const uint64_t number = plan_value(&step->number, outer->bytes, outer->size_bytes);
	const uint64_t address = plan_value(&step->pointer, outer->bytes, outer->size_bytes);
	uint64_t size_bytes = plan_value(&step->size, outer->bytes, outer->size_bytes);
	const struct plan_entry *usual = step->family == PLAN_ALLOC ? plan_find(following->plan, step->family, number) : NULL;
	struct level inner = { .bytes = NULL };

	if (usual)
		size_bytes = usual->size_bytes;
	inner.entry = plan_find_size(following->plan, step->family, number, size_bytes);
	inner.is_serialized = plan_value(&step->serialized, outer->bytes, outer->size_bytes) & step->serialized_mask;
	if (address && size_bytes && size_bytes <= SIZE_MAX_BYTES)
		inner.bytes = read_all(following, address, size_bytes);
	inner.size_bytes = (size_t)size_bytes;
	return inner;
}

static const struct plan_step *envelope_of(const struct plan *plan, const struct level *level)
{
	const struct plan_step *step = level->entry && level->bytes ? &plan->steps[level->entry->first_step] : NULL;

	return step && level->entry->step_count && step->kind == PLAN_ENVELOPE ? step : NULL;
}

static void read_pointer(const struct following *following, const struct plan_step *step, const struct level *level)
{
	const uint64_t address = plan_value(&step->pointer, level->bytes, level->size_bytes);
	const uint64_t count = step->size.size_bytes ? plan_value(&step->size, level->bytes, level->size_bytes) : 1;
	const uint64_t times = step->times.size_bytes ? plan_value(&step->times, level->bytes, level->size_bytes) : 1;
	uint64_t size_bytes;

	if (level->is_serialized || !address || (plan_value(&step->when, level->bytes, level->size_bytes) & step->mask) != step->equals)
		return;
	if (count > SIZE_MAX_BYTES || times > SIZE_MAX_BYTES || count * times > SIZE_MAX_BYTES ||
	    (step->element_bytes && count * times > SIZE_MAX_BYTES / step->element_bytes))
		return;
	size_bytes = count * times * step->element_bytes;
	if (size_bytes)
		read_all(following, address, size_bytes);
}

/* A descriptor is an int, or an int in 64 bits. */
static void note_fd(struct frame *frame, const struct plan_step *step, const struct level *level)
{
	const uint64_t value = plan_value(&step->number, level->bytes, level->size_bytes);
	const int64_t number = step->number.size_bytes == 4 ? (int32_t)value : (int64_t)value;

	if (number >= 0 && number <= INT32_MAX && frame->fd_count < FRAME_FDS)
		frame->fds[frame->fd_count++] = number;
}

static void look_into(const struct following *following, const struct level *level)
{
	if (!level->entry || !level->bytes)
		return;
	for (uint32_t i = 0; i < level->entry->step_count; i++) {
		const struct plan_step *step = &following->plan->steps[level->entry->first_step + i];

		if (step->kind == PLAN_POINTER)
			read_pointer(following, step, level);
		else if (step->kind == PLAN_FD)
			note_fd(following->frame, step, level);
	}
}

static struct level outermost(const struct following *following, enum plan_family family, uint64_t request, uint64_t argument)
{
	const bool is_known_by_nr = family == PLAN_FRONTEND || family == PLAN_NVSWITCH || family == PLAN_NVLINK; /* as decode/identify.c has it */
	const uint64_t number = is_known_by_nr ? request & NUMBER_MASK : request;
	struct level level = { .size_bytes = (request >> SIZE_SHIFT) & SIZE_MASK };

	if (family == PLAN_UVM) {
		const struct plan_entry *usual = plan_find(following->plan, family, number);

		level.size_bytes = usual ? usual->size_bytes : 0;
	}
	if (argument && level.size_bytes)
		level.bytes = read_all(following, argument, level.size_bytes);
	if (family < PLAN_FAMILIES)
		level.entry = plan_find_size(following->plan, family, number, level.size_bytes);
	return level;
}

void follow_before(struct frame *frame, const struct plan *plan, enum plan_family family, uint64_t request, uint64_t argument,
		   uint64_t region_limit_bytes)
{
	const struct following following = { frame, plan, region_limit_bytes };
	const struct plan_step *envelope;
	struct level chain[DEPTH_MAX];
	size_t count = 1;

	chain[0] = outermost(&following, family, request, argument);
	while (count < DEPTH_MAX && (envelope = envelope_of(plan, &chain[count - 1]))) {
		chain[count] = open_envelope(&following, envelope, &chain[count - 1]);
		count++;
	}
	for (size_t i = 0; i < count; i++)
		look_into(&following, &chain[i]);
}

void follow_after(struct frame *frame)
{
	for (size_t i = 0; i < frame->region_count; i++) {
		struct frame_region *region = &frame->regions[i];

		region->after = frame->bytes + frame->used_bytes;
		region->after_bytes = own_memory_read(region->after, frame->tid, &frame->stack, region->address, region->before_bytes);
		frame->used_bytes += region->after_bytes;
	}
}
