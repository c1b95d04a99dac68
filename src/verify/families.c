/* verify/families.c - does the driver know the families that a table forwards? */
#include "verify/verify.h"

#include <string.h>

static bool has_family(const struct abi *abi, const char *family)
{
	size_t first = abi_ioctls_from(abi, family, 0);

	return first < abi->ioctl_count && !strcmp(abi->ioctls[first].family, family);
}

/* Does no version have ioctls of that family, though one has ioctls? */
static bool is_unknown(const struct verify_result *const *results, size_t count, const char *family)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (has_family(results[i]->abi, family))
			return false;
		any = any || results[i]->abi->ioctl_count;
	}
	return any;
}

const char *verify_unknown_family(const struct verify_result *const *results, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct table_view *view = results[i]->view;
		const char *before = "";

		for (size_t e = 0; e < view->entry_count; e++) {
			const char *family = view->entries[e]->family; /* entries are sorted by it */

			if (strcmp(family, before) && is_unknown(results, count, family))
				return family;
			before = family;
		}
	}
	return NULL;
}
