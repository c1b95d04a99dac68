/*
 * Counts the distinct ioctls of a workload, and finds whether a proxy supports them. Also finds the version
 * of the driver.
 */
#include "sniff/internal.h"

enum { FILE_BYTES = 64 * 1024 };

bool driver_version_find(const char **out, const char *text, struct arena *arena)
{
	const char *at = text;

	while (*at && *at != '\n') {
		const size_t blank = strspn(at, " \t"), length = strcspn(at + blank, " \t\n"),
			     digits = strspn(at + blank, "0123456789.");

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
		rc = err_set(err, ERR_NOT_FOUND,
			     "the driver's version is unknown: there is no %s; give the version with "
			     "--version",
			     DRIVER_VERSION_FILE);
	else if (!driver_version_find(out, strbuf_text(&text), arena))
		rc = err_set(err, ERR_FORMAT, "%s does not name a version; give the version with --version",
			     DRIVER_VERSION_FILE);
	strbuf_release(&text);
	return rc;
}

static bool is_status(const struct sniff_used *used, const struct abi *abi, const char *name)
{
	const struct abi_constant *constant = abi_find_constant(abi, name);

	return used->has_status && constant && constant->value.magnitude == used->status;
}

/*
 * Returns what the proxy would do with an ioctl that the workload made; without a table, SNIFF_FORWARDED. For
 * calls that the proxy does not forward, decides as gVisor's Ioctl.IsSupported() (tools/ioctl_sniffer).
 */
static enum sniff_support support_of(const struct sniff_used *used, const struct sniff_judge *judge)
{
	struct forwarded forwarded;

	if (!judge->table)
		return SNIFF_FORWARDED;
	forwarded_find(&forwarded, judge->table, judge->node, used->family, used->number);
	if (forwarded.passed_as)
		return SNIFF_PASSED;
	if (forwarded.use != FORWARDED_NONE)
		return SNIFF_FORWARDED;
	if (strstr(judge->table->proxy, "nvproxy") &&
	    ((!strcmp(used->family, "control") && is_status(used, judge->abi, "NV_ERR_NOT_SUPPORTED")) ||
	     (!strcmp(used->family, "alloc") && is_status(used, judge->abi, "NV_ERR_INVALID_CLASS"))))
		return SNIFF_REFUSED;
	return SNIFF_LACKING;
}

/*
 * Reads the driver's status from the outermost record that has a status field: the record of
 * NV_ESC_IOCTL_XFER_CMD has no such field. If ioctl() failed, the field still has the caller's bytes.
 */
static void read_status(struct sniff_used *used, const struct trace_message *message,
			const struct call *chain, size_t count, const struct abi *abi)
{
	const struct trace_bytes *after;
	struct call_field status;

	for (size_t i = 0; i < count && message->ret >= 0; i++) {
		if (!status_field(&status, abi, chain[i].record))
			continue;
		after = message_after(message, i, chain[i].address);
		used->has_status = after && after->bytes &&
				   call_field_read(&used->status, &status, after->bytes, after->size_bytes);
		return;
	}
}

const struct sniff_used *sniff_use_add(struct sniff_use *use, const struct trace_message *message,
				       const struct call *chain,
				       size_t chain_count, const struct sniff_judge *judge)
{
	const struct call *last = chain_count ? &chain[chain_count - 1] : NULL;
	struct sniff_used used, *found;

	if (!last) {
		if (!use->unidentified++)
			snprintf(use->unidentified_path, sizeof(use->unidentified_path), "%s",
				 message->fd_path);
		return NULL;
	}
	memset(&used, 0, sizeof(used)); /* padding is part of the key */
	snprintf(used.family, sizeof(used.family), "%s", last->family);
	used.number = last->number;
	used.has_size = last->has_size || last->bytes;
	used.size_bytes = last->size_bytes;
	used.error = message->error;
	read_status(&used, message, chain, chain_count, judge->abi);
	HASH_FIND(hh, use->used, &used, offsetof(struct sniff_used, ret), found);
	if (!found) {
		used.ret = message->ret;
		used.support = support_of(&used, judge);
		found = xmalloc(sizeof(*found));
		memcpy(found, &used, sizeof(used));
		HASH_ADD(hh, use->used, family, offsetof(struct sniff_used, ret), found);
	}
	found->count++;
	decode_callers_add(&found->callers, message->caller);
	return found;
}

void sniff_use_release(struct sniff_use *use)
{
	struct sniff_used *used, *next;

	HASH_ITER(hh, use->used, used, next) {
		HASH_DEL(use->used, used);
		strbuf_release(&used->callers);
		free(used);
	}
	*use = (struct sniff_use){ .used = NULL };
}
