#include "gen/printed.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

struct cdecl_printed {
	const void *type; /* of the document */
	UT_hash_handle hh;
};

struct cdecl_enumerator {
	const char *name;
	UT_hash_handle hh;
};

void cdecl_release(struct cdecl *writer)
{
	struct cdecl_enumerator *enumerator, *following;
	struct cdecl_printed *one, *next;

	HASH_ITER(hh, writer->enumerators, enumerator, following) {
		HASH_DEL(writer->enumerators, enumerator);
		free(enumerator);
	}

	HASH_ITER(hh, writer->printed, one, next) {
		HASH_DEL(writer->printed, one);
		free(one);
	}
	arena_release(&writer->arena);
}

bool printed_is_new(struct cdecl *writer, const void *type)
{
	struct cdecl_printed *found;

	HASH_FIND_PTR(writer->printed, &type, found);
	if (found)
		return false;
	found = xmalloc(sizeof(*found));
	*found = (struct cdecl_printed){ .type = type };
	HASH_ADD_PTR(writer->printed, type, found);
	return true;
}

bool printed_is_new_enumerator(struct cdecl *writer, const char *name)
{
	struct cdecl_enumerator *found;

	HASH_FIND_STR(writer->enumerators, name, found);
	if (found)
		return false;
	found = xmalloc(sizeof(*found));
	*found = (struct cdecl_enumerator){ .name = name };
	HASH_ADD_KEYPTR(hh, writer->enumerators, found->name, strlen(found->name), found);
	return true;
}
