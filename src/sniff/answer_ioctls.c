/*
 * The ioctls and mappings that a trace answers in place of the kernel. answer_paths.c answers other system
 * calls.
 *
 * At the entry of a call, the tracer sets the system call number to -1, so that the kernel executes nothing.
 * It also writes the bytes that the driver changed into the caller's memory. At the exit, the caller gets the
 * recorded result. A shared mmap of a device becomes an mmap of anonymous memory.
 */
#include "sniff/internal.h"

#include <sys/mman.h>

enum { ARGUMENTS = 6 };

void answer_with(struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ ANSWER_RESULT, result };
	if (arch_read(&registers, tracee->tid) && arch_set_number(&registers, tracee->tid, -1))
		arch_write(tracee->tid, &registers);
}

void answer_change(struct watched *call, struct tracee *tracee, int64_t number,
		   const uint64_t arguments[6])
{
	struct user_regs_struct registers;

	call->answer = (struct answer){ .kind = ANSWER_CHANGED };
	if (!arch_read(&registers, tracee->tid) ||
	    (number >= 0 && !arch_set_number(&registers, tracee->tid, number)))
		return;
	for (unsigned i = 0; i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, arguments[i]);
	arch_write(tracee->tid, &registers);
}

int64_t answer_exit(const struct watched *call, struct tracee *tracee, int64_t result)
{
	struct user_regs_struct registers;

	if (call->answer.kind == ANSWER_NONE || !arch_read(&registers, tracee->tid))
		return result;
	if (call->answer.kind == ANSWER_RESULT)
		result = call->answer.result;
	for (unsigned i = 0; call->answer.kind == ANSWER_CHANGED && i < ARGUMENTS; i++)
		arch_set_argument(&registers, i, call->arguments[i]);
	/* set last, because on aarch64, it is in the same register as the first argument */
	arch_set_result(&registers, result);
	arch_write(tracee->tid, &registers);
	return result;
}

/* --- ioctls -------------------------------------------------------------------------------------- */

/* True if the byte at @offset of a range is part of a pointer or descriptor, which differ in each run. */
static bool is_reference(const struct gathered *gathered, size_t region, size_t offset)
{
	for (size_t i = 0; i < gathered->reference_count; i++) {
		const struct reference *at = &gathered->references[i];

		if (at->region == region && offset >= at->offset_bytes &&
		    offset < at->offset_bytes + at->size_bytes)
			return true;
	}
	return false;
}

/*
 * Writes the bytes that the driver changed in a recorded range into the caller's memory. If the trace does
 * not have the bytes from before the call, all bytes except pointers and descriptors are written.
 */
static void write_region(struct tracee *tracee, const struct gathered *call, const struct gathered *recorded,
			 size_t index)
{
	const struct region *here = &call->regions[index], *there = &recorded->regions[index];
	struct strbuf bytes = { 0 };
	size_t first = here->before.length, last = 0;

	strbuf_add(&bytes, here->before.text, here->before.length);
	for (size_t i = 0; i < bytes.length && i < there->after.length; i++) {
		const bool was_changed = i < there->before.length
						 ? there->before.text[i] != there->after.text[i]
						 : !is_reference(recorded, index, i);

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

/*
 * Writes the recorded status into the status field of the program's argument, if there is one. write_region()
 * omits bytes that the recorded call did not change, but the program may have a different value there.
 */
static void write_status_field(const struct session *session, const struct tracee *tracee,
			       const struct gathered *call, const struct gathered *recorded)
{
	const char *record = call->chain_count ? call->chain[0].record : NULL;
	const struct strbuf *after = recorded->count ? &recorded->regions[0].after : NULL;
	struct call_field field;
	uint64_t offset, size_bytes;

	if (!after || !call->count || !status_field(&field, session->options->abi, record))
		return;
	offset = field.offset_bits / 8;
	size_bytes = field.field->size_bits / 8;
	if (offset + size_bytes <= after->length && offset + size_bytes <= call->regions[0].before.length)
		memory_write(tracee->tid, call->regions[0].address + offset, after->text + offset,
			     size_bytes);
}

/* Writes a note about an answer. @format: a sentence with "%s" for the ioctl, and "%s" for @word */
static void note_answer(const struct session *session, const struct tracee *tracee,
			const struct watched *call, const char *format, const char *word)
{
	const struct gathered *gathered = &call->gathered;
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	struct strbuf name = { 0 }, text = { 0 };

	if (last)
		strbuf_addf(&name, "%s %s%s0x%llx", last->family, last->ioctl ? last->ioctl->name : "",
			    last->ioctl ? " " : "", (unsigned long long)last->number);
	else
		strbuf_addf(&name, "request 0x%llx", (unsigned long long)call->arguments[1]);
	strbuf_addf(&text, format, strbuf_text(&name), word);
	observer_note(session->observer, "%s of process %d: %s", call->device.path, (int)tracee->pid,
		     strbuf_text(&text));
	strbuf_release(&name);
	strbuf_release(&text);
}

/*
 * Answers a call for which there is no recorded call, as a driver without the command or class does: with 0,
 * and an error in the status field. If the field cannot be set, with EINVAL. Also writes a note.
 */
static void refuse_call(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct gathered *gathered = &call->gathered;
	const struct call *last = gathered->chain_count ? &gathered->chain[gathered->chain_count - 1] : NULL;
	const struct abi *abi = session->options->abi;
	const bool is_alloc = last && !strcmp(last->family, "alloc");
	const char *word = is_alloc ? "NV_ERR_INVALID_CLASS" : "NV_ERR_NOT_SUPPORTED";
	const struct abi_constant *constant = abi_find_constant(abi, word);
	/* the call that has the status field */
	const struct call *outer = gathered->chain_count ? &gathered->chain[0] : NULL;
	struct call_field field;
	uint32_t status;

	if (!constant || !outer || !outer->bytes || !status_field(&field, abi, outer->record)) {
		answer_with(call, tracee, -EINVAL);
		word = "EINVAL";
	} else {
		status = (uint32_t)constant->value.magnitude;
		memory_write(tracee->tid, gathered->regions[0].address + field.offset_bits / 8, &status,
			     sizeof(status));
		answer_with(call, tracee, 0);
	}
	note_answer(session, tracee, call, "the trace has no unused %s with these inputs; the call gets %s",
		    word);
}

void answer_ioctl(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct replay_question question = { call->device.path, (uint32_t)call->arguments[1],
						  &call->gathered, tracee->pid,
						  session->options->replay_strictly };
	struct gathered recorded = { .count = 0 };
	enum replay_fit fit;
	const struct trace_message *message =
		replay_match(&recorded, &fit, session->options->replay, &question);
	struct strbuf differences = { 0 };

	session->result.answered[fit]++;
	if (!message) {
		refuse_call(session, tracee, call);
		return;
	}
	if (fit != REPLAY_EXACT && session->options->notes_answers) {
		replay_differences(&differences, &recorded, &call->gathered);
		if (!differences.length)
			note_answer(session, tracee, call, "%s gets the same answer %s", "again");
		else
			note_answer(session, tracee, call,
				    fit == REPLAY_REPEATED
					    ? "%s again gets the answer to a call with different %s"
					    : "%s gets the answer to a call with different %s",
				    differences.text);
		strbuf_release(&differences);
	}
	for (size_t i = 0; i < call->gathered.count && i < recorded.count; i++)
		write_region(tracee, &call->gathered, &recorded, i);
	write_status_field(session, tracee, &call->gathered, &recorded);
	gathered_release(&recorded);
	answer_with(call, tracee, message->ret < 0 ? -message->error : message->ret);
}

/* --- mmaps ------------------------------------------------------------------------------------------ */

void answer_mmap(struct session *session, struct tracee *tracee, struct watched *call)
{
	const struct trace_message *message =
		replay_match_mmap(session->options->replay, call->device.path, call->arguments[1],
				  call->arguments[5]);
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
