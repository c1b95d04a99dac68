#include "cli/sniff_recorder.h"

#include "decode/decode.h"
#include "cli/sniff_log.h"

static const struct trace_bytes *recorded(const struct trace_bytes *before, const struct trace_bytes *after)
{
	return before->bytes ? before : after;
}

static bool read_recorded(const uint8_t **bytes, void *data, uint64_t address, uint64_t size_bytes)
{
	const struct trace_message *message = data;

	for (size_t i = 0; i < message->memory_count; i++) {
		const struct trace_memory *memory = &message->memory[i];
		const struct trace_bytes *found = recorded(&memory->before, &memory->after);

		if (memory->address != address || memory->size_bytes != size_bytes || found->size_bytes != size_bytes)
			continue;
		*bytes = found->bytes;
		return true;
	}
	return false;
}

static size_t follow(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message, const struct decode_scope *scope)
{
	const struct call_memory memory = { .read = read_recorded, .data = (void *)message };
	const struct trace_bytes *bytes = recorded(&message->before, &message->after);
	struct call first = { .address = message->argument, .bytes = bytes->bytes, .size_bytes = bytes->size_bytes, .has_size = bytes->bytes };

	if (message->kind != TRACE_IOCTL)
		return 0;
	first.family = call_identify_on(&first.number, scope->devices, message->fd_path, message->request);
	return first.family ? call_follow(chain, &first, scope->asked, &memory) : 0;
}

bool sniff_recorder_message(void *log, const struct trace_message *message)
{
	struct call chain[CALL_DEPTH_MAX];
	const size_t count = follow(chain, message, &((struct sniff_log *)log)->scope);

	return sniff_log_message(log, message, chain, count);
}

void sniff_recorder_loss(void *log, const char *sentence)
{
	sniff_log_loss(log, sentence);
}
