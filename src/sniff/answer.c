#include "sniff/answer.h"

#include "sniff/arch.h"
#include "sniff/memory.h"
#include "sniff/replay.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { ARGUMENTS = 6 };

void answer_with(struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ ANSWER_RESULT, result };
	if (arch_read(&registers, tracee->tid) && arch_set_number(&registers, tracee->tid, -1))
		arch_write(tracee->tid, &registers);
}

void answer_change(struct watched *call, struct tracee *tracee, int64_t number, const uint64_t arguments[6])
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ .kind = ANSWER_CHANGED };
	if (!arch_read(&registers, tracee->tid) || (number >= 0 && !arch_set_number(&registers, tracee->tid, number)))
		return;
	for (unsigned i = 0; i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, arguments[i]);
	arch_write(tracee->tid, &registers);
}

/* The register of the first argument is that of the result on some processors: the result comes last. */
int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	if (call->answer.kind == ANSWER_NONE || !arch_read(&registers, tracee->tid))
		return result;
	if (call->answer.kind == ANSWER_RESULT)
		result = call->answer.result;
	for (unsigned i = 0; call->answer.kind == ANSWER_CHANGED && i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, call->arguments[i]);
	arch_set_result(&registers, result);
	arch_write(tracee->tid, &registers);
	return result;
}

/* --- ioctls -------------------------------------------------------------------------------------- */

static bool is_reference(const struct gathered *gathered, size_t region, size_t offset)
{
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *at = &gathered->references[i];

		if (at->region == region && offset >= at->offset_bytes && offset < at->offset_bytes + at->size_bytes)
			return true;
	}
	return false;
}

/* What the driver changed, at the caller's address; of a trace without bytes before, all but pointers and descriptors. */
static void write_region(struct tracee *tracee, const struct gathered *call, const struct gathered *recorded, size_t index)
{
	const struct region *here = &call->regions[index], *there = &recorded->regions[index];
	struct strbuf bytes = { 0 };
	size_t first = here->before.length, last = 0;

	strbuf_add(&bytes, here->before.text, here->before.length);
	for (size_t i = 0; i < bytes.length && i < there->after.length; i++) {
		const bool was_changed = i < there->before.length ? there->before.text[i] != there->after.text[i] : !is_reference(recorded, index, i);

		if (!was_changed)
			continue;
		bytes.text[i] = there->after.text[i];
		first = i < first ? i : first;
		last = i + 1;
	}
	if (first < last)
		memory_write(tracee->tid, here->address + first, bytes.text + first, last - first);
	strbuf_release(&bytes);
}

/* The field in the outermost record that the driver answers in. */
static bool status_field(struct call_field *out, const struct gathered *call, const struct abi *abi)
{
	const struct call *outer = call->chain_count ? &call->chain[0] : NULL;
	const struct abi_record *record = outer && outer->bytes && outer->record ? abi_find_record(abi, outer->record) : NULL;

	for (size_t i = 0; record && i < record->field_count; i++)
		if (record->fields[i].role == ABI_ROLE_STATUS)
			return call_field_find(out, abi, outer->record, record->fields[i].name);
	return false;
}

/* As the driver says that it has no such command or class: in the status; where there is none, EINVAL. */
static void refuse(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	const struct abi *abi = session->options->abi;
	const bool is_alloc = last && !strcmp(last->family, "alloc");
	const char *word = is_alloc ? "NV_ERR_INVALID_CLASS" : "NV_ERR_NOT_SUPPORTED";
	const struct abi_constant *constant = abi_find_constant(abi, word);
	struct call_field field;
	uint32_t status;

	session->result.unmatched++;
	if (!constant || !status_field(&field, gathered, abi)) {
		answer_with(call, tracee, -EINVAL);
		word = "EINVAL";
	} else {
		status = (uint32_t)constant->value.magnitude;
		memory_write(tracee->tid, gathered->regions[0].address + field.offset_bits / 8, &status, sizeof(status));
		answer_with(call, tracee, 0);
	}
	if (last)
		session_note(session, "%s of process %d: the trace has no %s %s%s0x%llx with these inputs left; it gets %s", call->device.path, (int)tracee->pid,
			     last->family, last->ioctl ? last->ioctl->name : "", last->ioctl ? " " : "", (unsigned long long)last->number, word);
	else
		session_note(session, "%s of process %d: the trace has no request 0x%llx with these inputs left; it gets %s", call->device.path,
			     (int)tracee->pid, (unsigned long long)call->arguments[1], word);
}

void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct trace_message *message =
		replay_match(&session->recorded, session->options->replay, call->device.path, (uint32_t)call->arguments[1], &call->gathered);

	if (!message) {
		refuse(session, tracee, call);
		return;
	}
	for (size_t i = 0; i < call->gathered.count && i < session->recorded.count; i++)
		write_region(tracee, &call->gathered, &session->recorded, i);
	answer_with(call, tracee, message->ret < 0 ? -message->error : message->ret);
}

/* --- mmaps ------------------------------------------------------------------------------------------ */

void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct trace_message *message =
		replay_match_mmap(session->options->replay, call->device.path, call->arguments[1], call->arguments[5]);
	uint64_t arguments[ARGUMENTS];

	if (message && message->ret < 0) {
		answer_with(call, tracee, -message->error);
		return;
	}
	memcpy(arguments, call->arguments, sizeof(arguments));
	arguments[3] |= MAP_ANONYMOUS;
	arguments[4] = UINT64_MAX;
	arguments[5] = 0;
	answer_change(call, tracee, -1, arguments);
}
