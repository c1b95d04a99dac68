/*
 * sniff/replay.h - the calls of a trace, to answer those of a workload from
 *
 * Part of sniff/, and of its public face: who runs a command gives it the trace's messages.
 *
 * A call of the workload is answered by the first recorded call, of those that have answered none, with the same device, request, inner number,
 * sizes and inputs. Pointers and descriptors do not count as inputs, nor does memory that the driver only writes. If there is none, by the first whose
 * inputs differ only in bytes that the driver changed: what is there before a call is often what another one left. Of a trace that has
 * only the bytes after a call (gVisor's), the inner number decides.
 */
#ifndef SNIFF_REPLAY_H
#define SNIFF_REPLAY_H

#include "sniff/gather.h"

struct replay;

struct replay *replay_new(void);
void replay_free(struct replay *replay); /* NULL is fine */

/* replay_add - the next message of the trace; copied. Headers are passed over, but for the version. */
void replay_add(struct replay *replay, const struct trace_message *message);

/* replay_version - of the driver that it was recorded with; "" if it is not known. */
const char *replay_version(const struct replay *replay);

/* replay_is_empty - does it name no device? */
bool replay_is_empty(const struct replay *replay);

/* replay_has_device - does the trace name a device file of this path? */
bool replay_has_device(const struct replay *replay, const char *path);

/* replay_index - prepare to match; @scope must outlive it. */
void replay_index(struct replay *replay, const struct gather_scope *scope);

/**
 * replay_match - the recorded call that answers one of the workload
 * @recorded: set to what belongs to it, range by range as in @call; to be released by the caller
 *
 * Return: NULL if there is none.
 */
const struct trace_message *replay_match(struct gathered *recorded, struct replay *replay, const char *path, uint64_t request,
					 const struct gathered *call);

/* replay_match_mmap - the next recorded mmap of that device, size and offset; NULL if there is none. */
const struct trace_message *replay_match_mmap(struct replay *replay, const char *path, uint64_t size_bytes, uint64_t offset);

#endif
