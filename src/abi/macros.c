#include "abi/macros.h"

#include <string.h>

/* The first item whose name is not less than @name. */
static size_t lower_bound(const struct macro_index *macros, const char *name)
{
	size_t low = 0, high = macros->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(macros->items[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct macro *macro_find(const struct macro_index *macros, const char *name, const char *unit)
{
	const struct macro *first = NULL;
	size_t i;

	for (i = lower_bound(macros, name); i < macros->count && !strcmp(macros->items[i].name, name); i++) {
		const struct macro *macro = &macros->items[i];

		if (unit ? !strcmp(macro->unit, unit) : macro->evaluated)
			return macro;
		if (!first && !unit)
			first = macro;
	}
	return first;
}
