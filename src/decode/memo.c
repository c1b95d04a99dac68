#include "decode/memo.h"

#include "decode/numbers.h"
#include "decode/resolve.h"
#include "decode/template.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

enum { FAMILY_MAX = 16, WAYS_MAX = 64 };

/* All bytes of a key count: it is zeroed first. */
struct ioctl_key {
	uint64_t number, size_bytes;
	uint8_t has_size, has_bytes;
	char family[FAMILY_MAX];
};

struct known_ioctl {
	struct ioctl_key key;
	struct decode_ioctl ioctl;
	UT_hash_handle hh;
};

struct known_type {
	struct decode_template form; /* its type is the key */
	struct known_type *next;     /* of the same type, in another document, or with other members of its unions */
	UT_hash_handle hh;
};

struct decode_memo {
	struct known_ioctl *ioctls;
	struct known_type *types;
	size_t type_count, field_count;
	struct arena arena;
};

struct decode_memo *decode_memo_new(void)
{
	struct decode_memo *memo = xmalloc(sizeof(*memo));

	*memo = (struct decode_memo){ .ioctls = NULL };
	return memo;
}

void decode_memo_free(struct decode_memo *memo)
{
	if (!memo)
		return;
	HASH_CLEAR(hh, memo->ioctls);
	HASH_CLEAR(hh, memo->types);
	arena_release(&memo->arena);
	free(memo);
}

/* --- ioctls ---------------------------------------------------------------------------- */

static const struct decode_ioctl *resolved(const struct decode_subject *subject, const struct decode_scope *scope, struct arena *arena)
{
	struct decode_ioctl *ioctl = arena_alloc(arena, sizeof(*ioctl));

	decode_resolve(ioctl, subject, scope, arena);
	return ioctl;
}

const struct decode_ioctl *decode_memo_ioctl(const struct decode_subject *subject, const struct decode_scope *scope, struct arena *arena)
{
	struct decode_memo *memo = scope->memo;
	struct known_ioctl *known;
	struct ioctl_key key;

	/* A number that no version has is found out by one search, and a log may have as many of them as it likes. */
	if (!memo || strlen(subject->family) >= FAMILY_MAX || !decode_numbers_find(scope->numbers, subject->family, subject->number))
		return resolved(subject, scope, arena);
	memset(&key, 0, sizeof(key));
	key.number = subject->number;
	key.size_bytes = subject->has_size ? subject->size_bytes : 0;
	key.has_size = subject->has_size;
	key.has_bytes = subject->has_bytes;
	memcpy(key.family, subject->family, strlen(subject->family));
	HASH_FIND(hh, memo->ioctls, &key, sizeof(key), known);
	if (known)
		return &known->ioctl;
	if (HASH_COUNT(memo->ioctls) >= DECODE_MEMO_MAX)
		return resolved(subject, scope, arena);
	known = arena_alloc(&memo->arena, sizeof(*known));
	known->key = key;
	decode_resolve(&known->ioctl, subject, scope, &memo->arena);
	HASH_ADD(hh, memo->ioctls, key, sizeof(known->key), known);
	return &known->ioctl;
}

/* --- types ------------------------------------------------------------------------------- */

static const struct decode_template *find_type(const struct decode_memo *memo, const struct abi *abi, const char *type, const uint8_t *bytes,
					       uint64_t size_bytes)
{
	struct known_type *known;

	HASH_FIND(hh, memo->types, type, strlen(type), known);
	while (known && (known->form.abi != abi || known->form.size_bytes != size_bytes || !decode_template_fits(&known->form, bytes)))
		known = known->next;
	return known ? &known->form : NULL;
}

/* A union's members are few; those of many unions in an array are chosen in too many ways. */
static bool has_room(const struct decode_memo *memo, const struct decode_template *form, const struct known_type *first)
{
	size_t count = 0;

	for (const struct known_type *at = first; at; at = at->next)
		count++;
	return memo->type_count < DECODE_MEMO_MAX && memo->field_count + form->count <= DECODE_MEMO_FIELDS_MAX &&
	       (count < WAYS_MAX || !form->choice_count);
}

/* A template is in the arena of its call; the memo makes its own copy by compiling it again, once. */
static void remember_type(struct decode_memo *memo, const struct decode_template *form, const struct union_rules *unions, const uint8_t *bytes)
{
	struct known_type *known, *first;

	HASH_FIND(hh, memo->types, form->type, strlen(form->type), first);
	if (!has_room(memo, form, first))
		return;
	known = arena_alloc(&memo->arena, sizeof(*known));
	if (decode_template_compile(&known->form, form->abi, unions, form->type, bytes, form->size_bytes, &memo->arena, NULL))
		return;
	memo->type_count++;
	memo->field_count += form->count;
	if (first) {
		known->next = first->next;
		first->next = known;
	} else {
		HASH_ADD_KEYPTR(hh, memo->types, known->form.type, strlen(known->form.type), known);
	}
}

int decode_fields(struct decode_fields *out, const struct decode_scope *scope, const struct abi *abi, const char *type, const uint8_t *bytes,
		  const uint8_t *before, uint64_t size_bytes, struct arena *arena, struct err *err)
{
	struct decode_memo *memo = scope->memo;
	const struct decode_template *known = memo ? find_type(memo, abi, type, bytes, size_bytes) : NULL;
	struct decode_template form;
	int rc;

	if (!known) {
		if ((rc = decode_template_compile(&form, abi, scope->unions, type, bytes, size_bytes, arena, err)))
			return rc;
		if (memo)
			remember_type(memo, &form, scope->unions, bytes);
		known = &form;
	}
	decode_template_apply(out, known, bytes, before, arena);
	return 0;
}
