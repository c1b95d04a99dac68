#include "verify/numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const struct abi_ioctl *x, const struct abi_ioctl *y)
{
	int order = strcmp(x->family, y->family);

	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct abi_ioctl *x = *(const struct abi_ioctl *const *)a, *y = *(const struct abi_ioctl *const *)b;
	int order = compare_keys(x, y);

	return order ? order : strcmp(x->name, y->name);
}

void numbers_init(struct numbers *out, const struct abi *abi, struct arena *arena)
{
	out->abi = abi;
	out->by_number = arena_array(arena, abi->ioctl_count + 1, sizeof(*out->by_number));
	for (size_t i = 0; i < abi->ioctl_count; i++)
		out->by_number[i] = &abi->ioctls[i];
	qsort(out->by_number, abi->ioctl_count, sizeof(*out->by_number), compare_numbers);
}

const struct abi_ioctl *const *numbers_find(const struct numbers *numbers, const char *family, uint64_t number, size_t *count)
{
	const struct abi_ioctl key = { .family = family, .number = number };
	size_t low = 0, high = numbers->abi->ioctl_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_keys(numbers->by_number[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < numbers->abi->ioctl_count && !compare_keys(numbers->by_number[low + *count], &key);)
		(*count)++;
	return *count ? &numbers->by_number[low] : NULL;
}

bool numbers_constant_is(const struct abi *abi, const char *name, uint64_t number)
{
	const struct abi_constant *constant = name ? abi_find_constant(abi, name) : NULL;

	return constant && !constant->value.negative && constant->value.magnitude == number;
}

static const char *skip_underscores(const char *at)
{
	while (*at == '_')
		at++;
	return at;
}

/* Does @text begin with @word but for case and underscores? Return: what follows, or NULL. */
static const char *after(const char *text, const char *word)
{
	for (;; text++, word++) {
		text = skip_underscores(text);
		word = skip_underscores(word);
		if (!*word)
			return text;
		if (tolower((unsigned char)*text) != tolower((unsigned char)*word))
			return NULL;
	}
}

/* What follows CTRL_CMD, or NULL. */
static const char *command_tail(const char *name)
{
	for (const char *tail; *name; name++)
		if ((tail = after(name, "ctrlcmd")))
			return tail;
	return NULL;
}

static bool same_command(const char *entry, const char *method)
{
	const char *a = command_tail(entry), *b = command_tail(method), *rest;

	return a && b && (rest = after(a, b)) && !*rest;
}

bool numbers_is_command(const struct abi *abi, const struct abi_ioctl *ioctl, const char *constant, const char *entry)
{
	if (!strcmp(ioctl->name, constant ? constant : entry))
		return true;
	return !constant && !abi_find_constant(abi, ioctl->name) && same_command(entry, ioctl->name);
}

const struct abi_ioctl *numbers_of_command(const struct numbers *numbers, const char *family, const char *constant, const char *entry)
{
	const struct abi *abi = numbers->abi;

	for (size_t i = 0; i < abi->ioctl_count; i++)
		if ((!family || !strcmp(abi->ioctls[i].family, family)) && numbers_is_command(abi, &abi->ioctls[i], constant, entry))
			return &abi->ioctls[i];
	return NULL;
}

const struct abi_record *numbers_params_by_name(const struct abi *abi, const char *constant, struct arena *arena)
{
	const char *cmd = strstr(constant, "_CTRL_CMD_");

	if (!cmd)
		return NULL;
	return abi_find_record(abi, arena_printf(arena, "%.*s_CTRL_%s_PARAMS", (int)(cmd - constant), constant,
						 cmd + strlen("_CTRL_CMD_")));
}
