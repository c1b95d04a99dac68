/* sniff/session.c - one run: the command, the driver version, what was called, the result */
#include "sniff/internal.h"
#include "sniff/sniff.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 16 };

static bool has_fds(const struct abi *abi, const struct abi_record *record, unsigned depth)
{
	struct abi_type type;

	for (size_t i = 0; i < record->field_count; i++) {
		const struct abi_field *field = &record->fields[i];

		if (field->role == ABI_ROLE_FD)
			return true;
		if (depth < DEPTH_MAX && !abi_resolve_type(&type, abi, field->type, NULL) && type.record && has_fds(abi, type.record, depth + 1))
			return true;
	}
	return false;
}

static bool has_pointers(const struct pointer_rules *rules, const char *record)
{
	for (size_t i = 0; i < rules->count; i++)
		if (!strcmp(rules->rules[i].record, record))
			return true;
	return false;
}

static bool find_inner_pointer(struct call_field *out, const struct abi *abi, const struct call *call)
{
	const struct call_rule *rule = call->ioctl ? call_rule_of(call->ioctl, call->record) : NULL;

	return rule && call_field_find(out, abi, call->record, rule->pointer);
}

const struct trait *traits_of(struct traits *traits, const struct call *call)
{
	const struct trait wanted = { .key = { call->ioctl, call->record } };
	const struct abi_record *found;
	struct trait *trait;

	HASH_FIND(hh, traits->found, &wanted.key, sizeof(wanted.key), trait);
	if (trait)
		return trait;
	trait = xmalloc(sizeof(*trait));
	found = abi_find_record(traits->abi, call->record);
	*trait = (struct trait){ .key = wanted.key, .has_fds = found && has_fds(traits->abi, found, 0),
				 .has_pointers = has_pointers(traits->rules, call->record) };
	trait->is_envelope = find_inner_pointer(&trait->inner_pointer, traits->abi, call);
	HASH_ADD(hh, traits->found, key, sizeof(trait->key), trait);
	return trait;
}

void traits_release(struct traits *traits)
{
	struct trait *trait, *next;

	HASH_ITER(hh, traits->found, trait, next) {
		HASH_DEL(traits->found, trait);
		free(trait);
	}
}

enum { FILE_BYTES = 64 * 1024 };

bool driver_version_find(const char **out, const char *text, struct arena *arena)
{
	const char *at = text;

	while (*at && *at != '\n') {
		const size_t blank = strspn(at, " \t"), length = strcspn(at + blank, " \t\n"), digits = strspn(at + blank, "0123456789.");

		at += blank;
		if (digits && digits == length && memchr(at, '.', length) && *at != '.') {
			*out = arena_strndup(arena, at, length);
			return true;
		}
		at += length;
	}
	return false;
}

int driver_version_read(const char **out, struct arena *arena, struct err *err)
{
	struct strbuf text = { 0 };
	int rc = file_read(&text, DRIVER_VERSION_FILE, FILE_BYTES, err);

	if (rc)
		rc = err_set(err, ERR_NOT_FOUND, "the driver's version is not known: there is no %s; name it with --version", DRIVER_VERSION_FILE);
	else if (!driver_version_find(out, strbuf_text(&text), arena))
		rc = err_set(err, ERR_FORMAT, "%s names no version; name it with --version", DRIVER_VERSION_FILE);
	strbuf_release(&text);
	return rc;
}

static bool is_status(const struct sniff_used *used, const struct abi *abi, const char *name)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return used->has_status && constant && constant->value.magnitude == used->status;
}

/* What nvproxy does with calls that it does not forward: Ioctl.IsSupported() of tools/ioctl_sniffer. */
static enum sniff_support without_entry(const struct sniff_used *used, const struct sniff_judge *judge)
{
	const bool is_control = !strcmp(used->family, "control");

	if (!strstr(judge->table->proxy, "nvproxy"))
		return SNIFF_LACKING;
	if ((is_control && is_status(used, judge->abi, "NV_ERR_NOT_SUPPORTED")) ||
	    (!strcmp(used->family, "alloc") && is_status(used, judge->abi, "NV_ERR_INVALID_CLASS")))
		return SNIFF_REFUSED;
	return SNIFF_LACKING;
}

static enum sniff_support support_of(const struct sniff_used *used, const struct sniff_judge *judge)
{
	struct forwarded forwarded;

	if (!judge->table)
		return SNIFF_FORWARDED;
	forwarded_find(&forwarded, judge->table, judge->node, used->family, used->number);
	if (forwarded.passed_as)
		return SNIFF_PASSED;
	return forwarded.use != FORWARDED_NONE ? SNIFF_FORWARDED : without_entry(used, judge);
}

/* After the call, of the call itself or of what is inside. */
static const struct trace_bytes *after_of(const struct trace_message *message, const struct call *chain, size_t index)
{
	if (!index)
		return &message->after;
	for (size_t i = 0; i < message->memory_count; i++)
		if (message->memory[i].address == chain[index].address)
			return &message->memory[i].after;
	return NULL;
}

/* Sets what @use remembers of the record's status. */
static void find_status(struct sniff_use *use, const char *name, const struct abi *abi)
{
	const struct abi_record *record = name ? abi_find_record(abi, name) : NULL;

	use->status_of = name;
	use->has_status = false;
	for (size_t i = 0; record && i < record->field_count; i++)
		if (record->fields[i].role == ABI_ROLE_STATUS) {
			use->has_status = call_field_find(&use->status, abi, name, record->fields[i].name);
			return;
		}
}

/*
 * What the driver answered: in the outermost record that has a status. That of NV_ESC_IOCTL_XFER_CMD has none. A call that failed
 * has no answer: what is in its status is the caller's.
 */
static void read_status(struct sniff_used *used, struct sniff_use *use, const struct trace_message *message, const struct call *chain, size_t count,
			const struct abi *abi)
{
	for (size_t i = 0; i < count && message->ret >= 0; i++) {
		const struct trace_bytes *after;

		if (use->status_of != chain[i].record)
			find_status(use, chain[i].record, abi);
		if (!use->has_status)
			continue;
		after = after_of(message, chain, i);
		used->has_status = after && call_field_read(&used->status, &use->status, after->bytes, after->bytes ? after->size_bytes : 0);
		return;
	}
}

static uint64_t hash_of(const struct sniff_used *used)
{
	uint64_t hash = used->number * UINT64_C(0x9e3779b97f4a7c15);

	hash ^= (used->size_bytes + used->status * 31 + (uint64_t)(uint32_t)used->error * 17 + (unsigned char)used->family[0]) * UINT64_C(0xff51afd7ed558ccd);
	return hash ^ hash >> 32;
}

static bool is_same(const struct sniff_used *a, const struct sniff_used *b)
{
	return a->number == b->number && a->has_size == b->has_size && a->size_bytes == b->size_bytes && a->has_status == b->has_status &&
	       a->status == b->status && a->error == b->error && !strcmp(a->family, b->family);
}

static size_t *slot_of(const struct sniff_use *use, const struct sniff_used *used)
{
	size_t at = (size_t)hash_of(used) & (use->slot_count - 1);

	while (use->slots[at] && !is_same(&use->used[use->slots[at] - 1], used))
		at = (at + 1) & (use->slot_count - 1);
	return &use->slots[at];
}

/* At most half of the slots are in use. */
static void grow(struct sniff_use *use)
{
	if (use->slot_count > 2 * use->count)
		return;
	free(use->slots);
	use->slot_count = use->slot_count ? 2 * use->slot_count : 256;
	use->slots = xmalloc(use->slot_count * sizeof(*use->slots));
	memset(use->slots, 0, use->slot_count * sizeof(*use->slots));
	for (size_t i = 0; i < use->count; i++)
		*slot_of(use, &use->used[i]) = i + 1;
}

const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message, const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge)
{
	struct sniff_used used = { .ret = message->ret, .error = message->error };
	const struct call *last = chain_count ? &chain[chain_count - 1] : NULL;
	size_t *slot;

	if (!last) {
		if (!use->unidentified++)
			snprintf(use->unidentified_path, sizeof(use->unidentified_path), "%s", message->fd_path);
		return NULL;
	}
	used.family = last->family;
	used.number = last->number;
	used.has_size = last->has_size || last->bytes;
	used.size_bytes = last->size_bytes;
	read_status(&used, use, message, chain, chain_count, judge->abi);
	grow(use);
	slot = slot_of(use, &used);
	if (!*slot) {
		used.support = support_of(&used, judge);
		ARRAY_GROW(use->used, use->count, use->capacity);
		use->used[use->count++] = used;
		*slot = use->count;
	}
	use->used[*slot - 1].count++;
	return &use->used[*slot - 1];
}

void sniff_use_release(struct sniff_use *use)
{
	free(use->used);
	free(use->slots);
	*use = (struct sniff_use){ .count = 0 };
}

uint64_t session_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

void session_note(const struct session *session, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	session->observer->note(session->observer->data, line.text);
}

void session_loss(const struct session *session, const char *format, ...)
{
	struct err line;
	va_list list;

	va_start(list, format);
	vsnprintf(line.text, sizeof(line.text), format, list);
	va_end(list);
	session->observer->loss(session->observer->data, line.text);
}

struct tracee *session_tracee(struct session *session, pid_t tid)
{
	struct tracee *tracee;

	HASH_FIND_INT(session->tracees, &tid, tracee);
	if (tracee)
		return tracee;
	tracee = xmalloc(sizeof(*tracee));
	*tracee = (struct tracee){ .tid = tid, .table = -1 };
	HASH_ADD_INT(session->tracees, tid, tracee);
	return tracee;
}

void session_forget(struct session *session, struct tracee *tracee)
{
	HASH_DEL(session->tracees, tracee);
	ahead_release(&tracee->ahead);
	if (tracee->table >= 0) {
		close(tracee->table);
		session->table_count--;
	}
	free(tracee);
}

struct opened *session_opened(struct session *session, pid_t pid, int fd)
{
	struct opened wanted, *found;

	memset(&wanted, 0, sizeof(wanted)); /* with what lies between the members: it is a key */
	wanted.key.pid = pid;
	wanted.key.fd = fd;
	HASH_FIND(hh, session->opened, &wanted.key, sizeof(wanted.key), found);
	if (found)
		return found;
	found = xmalloc(sizeof(*found));
	*found = wanted;
	HASH_ADD(hh, session->opened, key, sizeof(found->key), found);
	return found;
}

void session_forget_used(struct session *session, pid_t pid)
{
	struct opened *opened, *next;

	HASH_ITER(hh, session->opened, opened, next)
		if (opened->key.pid == pid) {
			*opened->path = '\0';
			opened->is_hidden = opened->has_foreign_calls = false;
		}
}

void session_forget_opened(struct session *session, pid_t pid)
{
	struct opened *opened, *next;

	HASH_ITER(hh, session->opened, opened, next)
		if (opened->key.pid == pid) {
			HASH_DEL(session->opened, opened);
			free(opened);
		}
}

pid_t session_pid(struct tracee *tracee)
{
	char name[64], line[128];
	FILE *file;
	int pid;

	if (tracee->pid)
		return tracee->pid;
	tracee->pid = tracee->tid;
	snprintf(name, sizeof(name), "/proc/%d/status", (int)tracee->tid);
	file = fopen(name, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Tgid: %d", &pid) == 1) {
			tracee->pid = pid;
			break;
		}
	if (file)
		fclose(file);
	return tracee->pid;
}

/* Descriptors of this process are few: often 1,024. */
int session_table(struct session *session, struct tracee *tracee)
{
	enum { TABLES_MAX = 128 };

	if (tracee->table < 0 && session->table_count < TABLES_MAX) {
		tracee->table = device_table_open(tracee->tid);
		session->table_count += tracee->table >= 0;
	}
	return tracee->table;
}

struct watched *session_new_call(struct session *session, struct tracee *tracee, const struct entry *entry)
{
	struct watched *call = session->unused;

	if (call) {
		session->unused = call->next;
	} else {
		call = xmalloc(sizeof(*call));
		memset(call, 0, sizeof(*call));
	}
	call->next = NULL;
	call->is_restarted = false;
	call->number = entry->number;
	memcpy(call->arguments, entry->arguments, sizeof(call->arguments));
	call->instruction = entry->instruction;
	call->stack = entry->stack;
	call->start_ns = session_now_ns();
	call->answer = (struct answer){ .kind = ANSWER_NONE };
	call->gathered.count = call->gathered.chain_count = call->gathered.reference_count = 0;
	tracee->call = call;
	return call;
}

void session_end_call(struct session *session, struct watched *call)
{
	call->next = session->unused;
	session->unused = call;
}

static void session_release(struct session *session)
{
	struct tracee *tracee, *next;
	struct opened *opened, *after;
	struct watched *call;

	HASH_ITER(hh, session->tracees, tracee, next)
		session_forget(session, tracee);
	HASH_ITER(hh, session->opened, opened, after) {
		HASH_DEL(session->opened, opened);
		free(opened);
	}
	gathered_release(&session->recorded);
	traits_release(&session->traits);
	while ((call = session->unused)) {
		session->unused = call->next;
		gathered_release(&call->gathered);
		free(call);
	}
}

const char *sniff_target(void)
{
	return sniff_arch.target;
}

static void kill_all(const struct session *session)
{
	struct tracee *tracee, *next;

	HASH_ITER(hh, session->tracees, tracee, next)
		kill(tracee->tid, SIGKILL);
}

/* Each process once, not each thread. */
static void signal_all(const struct session *session, int signal)
{
	struct tracee *tracee, *next;

	HASH_ITER(hh, session->tracees, tracee, next)
		if (session_pid(tracee) == tracee->tid)
			kill(tracee->tid, signal);
}

/* What wait(2) says of a thread. */
struct change {
	pid_t tid;
	int status;
};

struct changes {
	struct change *changes;
	size_t count, capacity;
};

/* Children that this process had when it became drvabi are no part of the workload: nobody waits for them. */
static bool is_any_traced(const struct session *session)
{
	pid_t *found;
	size_t count;

	if (session->tracees)
		return true;
	count = processes_find(&found, PROCESSES_OF_TRACER, getpid());
	free(found);
	return count;
}

/*
 * All that there is, before the first is seen to: wait(2) looks at threads in an order of its own, and of many that stop again at once the last
 * would wait for ever. Return: false if nothing is left that is traced.
 */
static bool take_changes(struct changes *out, const struct session *session)
{
	struct change change;

	out->count = 0;
	if (!session->tracees) {
		change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL);
		if (!change.tid && !is_any_traced(session))
			return false;
	}
	if (session->tracees || !change.tid)
		change.tid = wait4(-1, &change.status, __WALL, NULL);
	if (change.tid < 0)
		return errno == EINTR; /* ECHILD: there is no thread any more */
	for (; change.tid > 0; change.tid = wait4(-1, &change.status, __WALL | WNOHANG, NULL)) {
		ARRAY_GROW(out->changes, out->count, out->capacity);
		out->changes[out->count++] = change;
		if (HASH_COUNT(session->tracees) == 1)
			break;
	}
	return true;
}

/* Until nothing is left that is traced. */
static void wait_for_all(struct session *session)
{
	struct changes changes = { .count = 0 };
	bool was_ending = false;
	int signal;

	while (take_changes(&changes, session)) {
		for (size_t i = 0; i < changes.count; i++)
			stops_next(session, changes.changes[i].tid, changes.changes[i].status);
		if (session->is_ending && !was_ending)
			kill_all(session);
		was_ending = session->is_ending;
		if (!session->options->pid && (signal = signals_left()))
			signal_all(session, signal);
		if (!session->is_leaving && session->options->pid && signals_arrived())
			attach_leave(session);
	}
	free(changes.changes);
}

/* How many were in each process, nobody says: one is too many. */
static void tell_foreign(const struct session *session)
{
	struct strbuf count = { 0 };

	if (!session->foreign_calls)
		return;
	strbuf_plural(&count, session->foreign_calls, "ioctl");
	session_loss(session, "%s of programs that are not %s ones %s not recorded", strbuf_text(&count), sniff_arch.target,
		     session->foreign_calls == 1 ? "is" : "are");
	strbuf_release(&count);
}

int sniff_run(struct sniff_result *out, const struct sniff_options *options, const struct sniff_observer *observer, struct err *err)
{
	struct session session = {
		.options = options,
		.observer = observer,
		.stops_at_all = options->survive || options->pid,
		.traits = { .abi = options->abi, .rules = options->pointers },
		.scope = { .region_bytes = options->region_bytes, .devices = options->devices },
		.began_ns = session_now_ns(),
	};
	struct signals signals;
	int rc;

	session.scope.traits = &session.traits;
	if (options->replay)
		replay_index(options->replay, &session.scope);
	rc = options->pid ? attach_process(&session, err) : start_command(&session, err);
	if (!rc) {
		signals_begin(&signals, options->pid ? 0 : session.child);
		wait_for_all(&session);
		signals_end(&signals);
		tell_foreign(&session);
		*out = session.result;
	}
	session_release(&session);
	return rc;
}
