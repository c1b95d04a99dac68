#include "bootstrap/wanted.h"

#include "abi/abi.h"

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

/* One ioctl, or command that only a macro names, that a number is in some of the documents. */
struct candidate {
	struct wanted_ioctl ioctl;
	const char *first, *last; /* versions, oldest and newest */
};
enum { CANDIDATES_MAX = 16 };

struct candidates {
	struct candidate one[CANDIDATES_MAX];
	size_t count;
};

static void add_candidate(struct candidates *found, const char *family, const char *name, const struct abi *abi)
{
	size_t i = 0;

	while (i < found->count && (strcmp(found->one[i].ioctl.family, family) != 0 || strcmp(found->one[i].ioctl.name, name) != 0))
		i++;
	if (i == CANDIDATES_MAX)
		return;
	if (i == found->count)
		found->one[found->count++] = (struct candidate){ { family, name }, abi->version, abi->version };
	found->one[i].last = abi->version;
}

/* Is the macro named after the class of its number? NV2080_CTRL_CMD_X is 0x2080.... */
static bool is_of_class(const struct abi_constant *constant)
{
	return !strncmp(constant->name, "NV", 2) && strtoull(constant->name + 2, NULL, 16) == constant->value.magnitude >> 16;
}

/* Macros count in versions that have no ioctl of the number. */
static void find_number(struct candidates *found, uint64_t number, const struct abi *abi, const struct table *table)
{
	bool any = false;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if (abi->ioctls[i].number == number && is_family(table, abi->ioctls[i].family)) {
			add_candidate(found, abi->ioctls[i].family, abi->ioctls[i].name, abi);
			any = true;
		}
	for (size_t i = 0; i < abi->constant_count && !any; i++) {
		const struct abi_constant *constant = &abi->constants[i];
		const char *family = constant->value.magnitude == number ? family_of_macro(constant) : NULL;

		if (family && is_of_class(constant) && is_family(table, family))
			add_candidate(found, family, constant->name, abi);
	}
}

static int ambiguous(const struct candidates *found, const char *word, struct err *err)
{
	struct strbuf list = { 0 };
	bool has_families = false;
	int rc;

	for (size_t i = 0; i < found->count; i++) {
		const struct candidate *one = &found->one[i];

		has_families |= strcmp(one->ioctl.family, found->one[0].ioctl.family) != 0;
		strbuf_addf(&list, "%s%s %s in %s", i ? ", " : "", one->ioctl.family, one->ioctl.name, one->first);
		if (strcmp(one->first, one->last) != 0)
			strbuf_addf(&list, " to %s", one->last);
	}
	rc = err_set(err, ERR_USAGE, "%s is the number of %s in the table's versions: %s; give the name of the one that you mean", word,
		     has_families ? "ioctls of several families" : "several ioctls", strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}

static int find_one(struct wanted_ioctl *out, const char *word, uint64_t number, const struct abi *const *documents, size_t count,
		    const struct table *table, struct err *err)
{
	struct candidates found = { .count = 0 };

	for (size_t i = 0; i < count; i++)
		if (documents[i])
			find_number(&found, number, documents[i], table);
	if (found.count > 1)
		return ambiguous(&found, word, err);
	if (found.count)
		*out = found.one[0].ioctl;
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

	if (is_number && (rc = find_one(&found, word, number, documents, count, table, err)))
		return rc;
	for (size_t i = count; i-- && !(newest && found.name);) {
		if (!documents[i])
			continue;
		newest = newest ? newest : documents[i];
		if (!is_number)
			find_name(&found, word, documents[i], table);
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
