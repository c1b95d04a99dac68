#include "bootstrap/wanted.h"

#include "abi/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(uint64_t *out, const char *word)
{
	char *end;

	errno = 0;
	*out = strtoull(word, &end, 0);
	return *word >= '0' && *word <= '9' && !*end && !errno;
}

/* Does the table have a family of that name? A proxy that forwards no drm ioctl does not ask for one. */
static bool is_family(const struct table *table, const char *family)
{
	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++)
			if (!strcmp(table->nodes[i].entries[e].family, family))
				return true;
	return false;
}

/* What kind of macro is it, if no table of the driver has it? NULL: none that is an ioctl's. */
static const char *family_of_macro(const struct abi_constant *constant)
{
	if (constant->value.negative || constant->value.magnitude > UINT32_MAX)
		return NULL;
	return resolve_is_command(constant->name) ? "control" : NULL;
}

static int ambiguous(const struct wanted_ioctl *one, const struct abi_ioctl *other, const char *word, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s is a number of two families: %s %s, %s %s; give the name", word, one->family, one->name, other->family,
		       other->name);
}

static int find_number(struct wanted_ioctl *out, const char *word, uint64_t number, const struct abi *abi, const struct table *table, struct err *err)
{
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if (ioctl->number != number || !is_family(table, ioctl->family))
			continue;
		if (out->name && strcmp(out->family, ioctl->family))
			return ambiguous(out, ioctl, word, err);
		if (!out->name)
			*out = (struct wanted_ioctl){ ioctl->family, ioctl->name };
	}
	for (size_t i = 0; i < abi->constant_count && !out->name; i++) {
		const char *family = family_of_macro(&abi->constants[i]);

		if (family && abi->constants[i].value.magnitude == number && is_family(table, family))
			*out = (struct wanted_ioctl){ family, abi->constants[i].name };
	}
	return 0;
}

static void find_name(struct wanted_ioctl *out, const char *word, const struct abi *abi, const struct table *table)
{
	const struct abi_constant *constant = abi_find_constant(abi, word);
	const char *family = constant ? family_of_macro(constant) : NULL;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (!strcmp(abi->ioctls[i].name, word) && is_family(table, abi->ioctls[i].family)) {
			*out = (struct wanted_ioctl){ abi->ioctls[i].family, abi->ioctls[i].name };
			return;
		}
	if (family && is_family(table, family))
		*out = (struct wanted_ioctl){ family, constant->name };
}

/* An ioctl of that name or number in a family that the proxy does not forward; NULL if there is none. */
static const struct abi_ioctl *elsewhere(const char *word, const struct abi *newest)
{
	uint64_t number;
	bool is_number = read_number(&number, word);

	for (size_t i = 0; i < newest->ioctl_count; i++)
		if (is_number ? newest->ioctls[i].number == number : !strcmp(newest->ioctls[i].name, word))
			return &newest->ioctls[i];
	return NULL;
}

static int not_found(const char *word, bool is_number, const struct abi *newest, const struct table *table, struct err *err)
{
	const struct abi_ioctl *other = elsewhere(word, newest);
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	int rc;

	if (other)
		return err_set(err, ERR_NOT_FOUND, "%s is %s of the family %s, of which %s forwards nothing", word, other->name, other->family, table->path);
	for (size_t i = 0; i < newest->ioctl_count && !is_number; i++)
		if (is_family(table, newest->ioctls[i].family))
			abi_nearest_name(&nearest, word, newest->ioctls[i].name);
	abi_nearest_list(&near, &nearest);
	rc = err_set(err, ERR_NOT_FOUND, "no node of %s has a version with %s %s%s%s", table->path, is_number ? "the number" : "an ioctl", word,
		     is_number ? "; drvabi show says what is known of it" : "", strbuf_text(&near));
	strbuf_release(&near);
	return rc;
}

int wanted_find(struct wanted_ioctl *out, const char *word, const struct abi *const *documents, size_t count, const struct table *table,
		struct err *err)
{
	struct wanted_ioctl found = { .name = NULL };
	const struct abi *newest = NULL;
	uint64_t number;
	bool is_number = read_number(&number, word);
	int rc;

	for (size_t i = count; i-- && !found.name;) {
		if (!documents[i])
			continue;
		newest = newest ? newest : documents[i];
		if (!is_number)
			find_name(&found, word, documents[i], table);
		else if ((rc = find_number(&found, word, number, documents[i], table, err)))
			return rc;
	}
	if (!newest)
		return err_set(err, ERR_NOT_FOUND, "none of the versions of %s is in the data or the repository named, so nothing can be added", table->path);
	if (!found.name)
		return not_found(word, is_number, newest, table, err);
	*out = found;
	return 0;
}

void wanted_look(struct wanted_state *out, const struct wanted_ioctl *wanted, const struct abi *abi)
{
	const struct abi_ioctl *ioctl = abi_find_ioctl(abi, wanted->family, wanted->name);
	const struct abi_constant *constant = ioctl ? NULL : abi_find_constant(abi, wanted->name);

	*out = (struct wanted_state){ .ioctl = ioctl };
	if (!ioctl && (!constant || constant->value.negative || constant->value.magnitude > UINT32_MAX))
		return;
	out->exists = true;
	out->number = ioctl ? ioctl->number : constant->value.magnitude;
}
