#include "decode/pending.h"

bool pending_add(struct pending *pending, size_t format, uint64_t thread, const struct decode_line *line)
{
	size_t i = 0;

	if (pending->count == PENDING_MAX)
		return false;
	while (pending->calls[i].is_used)
		i++;
	pending->calls[i] = (struct pending_call){ .is_used = true, .format = format, .thread = thread, .serial = pending->serial++, .line = *line };
	pending->count++;
	return true;
}

static void take(struct decode_line *out, struct pending *pending, struct pending_call *call)
{
	*out = call->line;
	call->is_used = false;
	pending->count--;
}

/* The slot of a thread's call; PENDING_MAX if it has none. */
static size_t find(const struct pending *pending, size_t format, uint64_t thread)
{
	for (size_t i = 0; i < PENDING_MAX && pending->count; i++) {
		const struct pending_call *call = &pending->calls[i];

		if (call->is_used && call->format == format && call->thread == thread)
			return i;
	}
	return PENDING_MAX;
}

const struct decode_line *pending_find(const struct pending *pending, size_t format, uint64_t thread)
{
	const size_t at = find(pending, format, thread);

	return at < PENDING_MAX ? &pending->calls[at].line : NULL;
}

bool pending_take(struct decode_line *out, struct pending *pending, size_t format, uint64_t thread)
{
	const size_t at = find(pending, format, thread);

	if (at == PENDING_MAX)
		return false;
	take(out, pending, &pending->calls[at]);
	return true;
}

/* The only call of a format; NULL if there is none, or there are more. */
static struct pending_call *only_call(struct pending *pending, size_t format)
{
	struct pending_call *only = NULL;

	for (size_t i = 0; i < PENDING_MAX; i++) {
		struct pending_call *call = &pending->calls[i];

		if (!call->is_used || call->format != format)
			continue;
		if (only)
			return NULL;
		only = call;
	}
	return only;
}

bool pending_take_resumed(struct decode_line *out, struct pending *pending, size_t format, uint64_t thread)
{
	struct pending_call *only;

	if (pending_take(out, pending, format, thread))
		return true;
	only = only_call(pending, format);
	if (!only || (thread && only->thread))
		return false;
	take(out, pending, only);
	return true;
}

bool pending_take_oldest(struct decode_line *out, struct pending *pending)
{
	struct pending_call *oldest = NULL;

	for (size_t i = 0; i < PENDING_MAX && pending->count; i++) {
		struct pending_call *call = &pending->calls[i];

		if (call->is_used && (!oldest || call->serial < oldest->serial))
			oldest = call;
	}
	if (oldest)
		take(out, pending, oldest);
	return oldest != NULL;
}
