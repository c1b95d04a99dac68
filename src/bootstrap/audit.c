/*
 * bootstrap/audit.c - fields that somebody should look at before a record is called simple
 *
 * What has a role is told by its role. Of the others:
 *
 *   maybe-pointer     64 bits, no array, and a name as of an address: "gpuAddr", "pBuffer", "userPtr". The driver uses
 *                     such fields for addresses of the device as well, where there is nothing to translate.
 *   count-times-size  a field that counts, beside one that is the size of an element, in a record with a pointer or what
 *                     may be one: who copies what it points to has to compute their product, which may overflow.
 */
#include "bootstrap/audit.h"

#include "bootstrap/layouts.h"
#include "bootstrap/lists.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char *base_name(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Is the word among those of the name? Words begin with a capital, or behind a '_'. */
static bool has_word(const char *name, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = name; *at; at++) {
		bool begins = at == name || at[-1] == '_' || (isupper((unsigned char)*at) && !isupper((unsigned char)at[-1]));

		if (begins && !strncasecmp(at, word, length) && !islower((unsigned char)at[length]))
			return true;
	}
	return false;
}

static bool is_called_address(const char *path)
{
	static const char *const words[] = { "addr", "address", "ptr", "pointer", "buffer", "buf", "va", NULL };
	const char *name = base_name(path);

	if (name[0] == 'p' && isupper((unsigned char)name[1]))
		return true;
	for (const char *const *word = words; *word; word++)
		if (has_word(name, *word))
			return true;
	return false;
}

static bool is_maybe_pointer(const struct abi_leaf *leaf)
{
	return leaf->role == ABI_ROLE_NONE && leaf->element_bits == 64 && leaf->kind == ABI_U64 && is_called_address(leaf->path);
}

/* What there is to say of one field; NULL: nothing. */
static const char *doubt_of(enum bootstrap_doubt *what, const struct abi_leaf *leaf)
{
	if (leaf->role == ABI_ROLE_FD) {
		*what = BOOTSTRAP_FD;
		return "is a file descriptor";
	}
	if (leaf->role == ABI_ROLE_PID) {
		*what = BOOTSTRAP_PID;
		return "is a process id";
	}
	if (layouts_is_translated(leaf)) {
		*what = leaf->kind == ABI_POINTER || leaf->role == ABI_ROLE_POINTER ? BOOTSTRAP_POINTER : BOOTSTRAP_FD;
		return *what == BOOTSTRAP_FD ? "is a file descriptor by its name" : "is a pointer";
	}
	if (is_maybe_pointer(leaf)) {
		*what = BOOTSTRAP_MAYBE_POINTER;
		return "has 64 bits, and may be an address of the caller or of the device";
	}
	return NULL;
}

static void audit_fields(struct boot *boot, struct bootstrap_audit one, const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++) {
		const struct abi_leaf *leaf = &layout->leaf[i];
		const char *doubt = doubt_of(&one.what, leaf);

		if (!doubt)
			continue;
		one.path = leaf->path;
		one.text = arena_printf(boot->arena, "%s (%s at %" PRIu64 ") %s", leaf->path, leaf->type, leaf->offset_bits / 8, doubt);
		lists_audit(boot, one);
	}
}

static bool has_pointer(const struct abi_layout *layout)
{
	for (size_t i = 0; i < layout->leaf_count; i++)
		if (layout->leaf[i].kind == ABI_POINTER || layout->leaf[i].role == ABI_ROLE_POINTER || is_maybe_pointer(&layout->leaf[i]))
			return true;
	return false;
}

static const struct abi_leaf *leaf_of_role(const struct abi_layout *layout, enum abi_role role)
{
	for (size_t i = 0; i < layout->leaf_count; i++)
		if (layout->leaf[i].role == role && !layout->leaf[i].repeat_count)
			return &layout->leaf[i];
	return NULL;
}

static void audit_product(struct boot *boot, struct bootstrap_audit one, const struct abi_layout *layout)
{
	const struct abi_leaf *count = leaf_of_role(layout, ABI_ROLE_COUNT), *size = leaf_of_role(layout, ABI_ROLE_SIZE);

	if (!count || !size || !has_pointer(layout))
		return;
	one.what = BOOTSTRAP_COUNT_TIMES_SIZE;
	one.path = count->path;
	one.text = arena_printf(boot->arena, "%s times %s: the product may overflow where it is computed", count->path, size->path);
	lists_audit(boot, one);
}

int audit_record(struct boot *boot, const char *family, const char *name, const struct abi *abi, const char *record, bool is_simple)
{
	struct bootstrap_audit one = { .family = family, .name = name, .record = record };
	struct resolved_struct resolved;
	int rc;

	if ((rc = resolve_layout(&resolved, abi, record, boot->arena, boot->err)))
		return rc;
	if (is_simple)
		audit_fields(boot, one, &resolved.layout);
	audit_product(boot, one, &resolved.layout);
	return 0;
}

int audit_changed(struct boot *boot)
{
	int rc = 0;

	for (size_t i = 0; i < boot->change_count && !rc; i++) {
		const struct boot_change *change = &boot->changes[i];

		for (size_t s = 0; s < change->was->struct_count && !rc; s++)
			if (!change->was->structs[s].proxy && change->next.structs[s].has_layout && !change->next.is_gone)
				rc = audit_record(boot, change->was->family, change->was->name, boot->next, change->record[s], !change->needs_type[s]);
	}
	return rc;
}
