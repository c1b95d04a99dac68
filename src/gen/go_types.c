/* gen/go_types.c - make names for Go, store the types of a set, and compute Go's layout of a type */
#include "gen/internal.h"

/* --- names in C, as Go spells them ---------------------------------------------------------- */

/*
 * 1. A name is split into words: at '_', before a capital after a small letter or digit, and before the last
 *    of several capitals ("CEs" is one word).
 * 2. A word that is an initialism, in any case, is spelled as in the list. Every other word begins with a
 *    capital.
 * 3. '_' is removed before a small letter, and kept before a capital or a digit ("hDebuggerClient_Obsolete").
 *
 * The list has the initialisms that gVisor's nvproxy uses in types. nvproxy's table has 312 different pairs
 * of a driver's name and a handwritten name. The rule makes the handwritten name in 275 of them. Most of the
 * others name a field that several records share ("InfoList").
 */
static const char *const initialisms[] = {
	"ID",  "IDs", "UUID",	   "FD",      "CPU",	       "GPU", "GPUs", "VA",   "RM",  "FB",
	"PCI", "ECC", "SMC",	   "GP",      "FIFO",	       "GI",  "GR",   "IMEX", "IVC", "P2P",
	"TPC", "CID", "SubDevice", "VASpace", "InternalFlags",
};

static bool is_capital(char ch)
{
	return isupper((unsigned char)ch);
}

static bool is_small(char ch)
{
	return islower((unsigned char)ch) || isdigit((unsigned char)ch);
}

/*
 * Returns the length of the word of a driver's name at @at, which is not '_': capitals up to the next word
 * ("RM" of "RMCtrl", "CEs"), or one character with the small letters and digits that follow it.
 */
static size_t word_length(const char *at)
{
	size_t capitals = 0, length;

	while (is_capital(at[capitals]))
		capitals++;
	if (capitals > 1 && at[capitals] == 's' && !is_small(at[capitals + 1]))
		return capitals + 1;
	if (capitals > 1)
		return is_small(at[capitals]) ? capitals - 1 : capitals;
	for (length = capitals; is_small(at[length]); length++)
		;
	return length ? length : 1;
}

/* Adds a word to a Go name: as the initialism that it is ("id" is ID), or with a capital. */
static void add_go_word(struct strbuf *out, const char *word, size_t length)
{
	const char *known = word;
	size_t at = out->length;

	for (size_t i = 0; i < sizeof(initialisms) / sizeof(*initialisms); i++)
		if (strlen(initialisms[i]) == length && !strncasecmp(initialisms[i], word, length))
			known = initialisms[i];
	strbuf_add(out, known, length);
	out->text[at] = (char)toupper((unsigned char)out->text[at]);
	if (length > 2 && !strncmp(word + length - 2, "3d", 2))
		out->text[out->length - 1] = 'D';
}

const char *proxytype_field_name(const char *driver, struct arena *arena)
{
	struct strbuf name = { 0 };
	const char *out;

	for (size_t length; *driver; driver += length) {
		length = *driver == '_' ? strspn(driver, "_") : word_length(driver);
		if (*driver != '_')
			add_go_word(&name, driver, length);
		else if (name.length &&
			 (is_capital(driver[length]) || isdigit((unsigned char)driver[length])))
			strbuf_add(&name, driver, length);
	}
	out = arena_printf(arena, "%s%s", name.length && is_capital(name.text[0]) ? "" : "X",
			   strbuf_text(&name));
	strbuf_release(&name);
	return out;
}

const char *proxytype_type_name(const char *record, struct arena *arena)
{
	const char *name = words_without_colons(record, arena);
	size_t length;
	char *type;

	if (is_capital(*name))
		return name;
	if (begins(name, "nv_") && name[3]) /* remove the prefix and the suffix of
						    "nv_ioctl_card_info_t" */
		name += 3;
	length = strlen(name);
	if (length > 2 && !strcmp(name + length - 2, "_t"))
		length -= 2;
	name = proxytype_field_name(arena_strndup(arena, name, length), arena);
	type = arena_strndup(arena, name, strlen(name));
	/* Only in types: nvproxy has the type IoctlExportToDMABufFD, but the field DmaOffset. */
	for (char *dma = strstr(type, "Dma"); dma; dma = strstr(dma, "Dma"))
		memcpy(dma, "DMA", strlen("DMA"));
	return type;
}

/* --- the types of a set ---------------------------------------------------------------------- */

static struct set_type *insert_type(struct proxytype_set *set, struct proxytype type)
{
	struct set_type *entry = arena_alloc(set->arena, sizeof(*entry));

	entry->type = type;
	HASH_ADD_KEYPTR(by_name, set->by_name, type.type->name, strlen(type.type->name), entry);
	return entry;
}

struct proxytype_set *proxytype_set_new(const struct table *known, struct arena *arena)
{
	struct proxytype_set *set = xmalloc(sizeof(*set));

	*set = (struct proxytype_set){ .known = known, .arena = arena };
	for (size_t i = 0; i < known->type_count; i++)
		insert_type(set, (struct proxytype){ .type = &known->types[i] });
	return set;
}

void proxytype_set_free(struct proxytype_set *set)
{
	if (!set)
		return;
	HASH_CLEAR(by_name, set->by_name);
	HASH_CLEAR(by_base, set->by_base);
	free(set);
}

struct set_type *set_find(const struct proxytype_set *set, const char *name)
{
	struct set_type *found;

	HASH_FIND(by_name, set->by_name, name, strlen(name), found);
	return found;
}

const struct table_type *proxytype_find(const struct proxytype_set *set, const char *name)
{
	struct set_type *found = set_find(set, name);

	return found ? found->type.type : NULL;
}

struct set_base *set_base_of(struct proxytype_set *set, const char *name)
{
	struct set_base *found;

	HASH_FIND(by_base, set->by_base, name, strlen(name), found);
	if (!found) {
		found = arena_alloc(set->arena, sizeof(*found));
		found->name = arena_strdup(set->arena, name);
		HASH_ADD_KEYPTR(by_base, set->by_base, found->name, strlen(found->name), found);
	}
	return found;
}

struct set_type *set_add(struct proxytype_set *set, struct set_base *base, struct proxytype type,
			 const struct table_type *flat)
{
	struct set_type *added;

	type.is_new = true;
	added = insert_type(set, type);
	added->base = base;
	added->flat = flat;
	base->types = arena_room(set->arena, base->types, base->count, sizeof(*base->types));
	base->types[base->count++] = added;
	set->new_types = arena_room(set->arena, set->new_types, set->new_count, sizeof(*set->new_types));
	set->new_types[set->new_count++] = &added->type;
	return added;
}

const struct proxytype *const *proxytype_new_types(size_t *count, const struct proxytype_set *set)
{
	*count = set->new_count;
	return set->new_types;
}

/* --- the layout of a type in Go -------------------------------------------------------------- */

/*
 * Go aligns a scalar to its size, an array to its elements, and a struct to its widest scalar, on both
 * targets. No type contains itself: the reader of a table and proxytype_declare() check that. But a table
 * written by hand can nest types deep.
 */
enum { DEPTH_MAX = 256 };

/* The result of a lookup: @word or @entry is set, or neither if the set does not have the type. */
struct looked_up {
	const struct table_word *word;
	struct set_type *entry;
	uint64_t count;
};

/* Looks up the type of the elements of @spelling, and counts them; UINT64_MAX if they are too many. */
static struct looked_up look_up_type(const struct proxytype_set *set, const char *spelling)
{
	struct looked_up out = { .count = 1 };
	struct abi_spelling parsed;

	if (abi_spelling_parse(&parsed, spelling, NULL))
		return out;
	out.word = table_word_find(parsed.base, parsed.base_length);
	if (!out.word)
		HASH_FIND(by_name, set->by_name, parsed.base, parsed.base_length, out.entry);
	for (size_t i = 0; i < parsed.dimension_count; i++)
		if (__builtin_mul_overflow(out.count, parsed.dimension[i], &out.count))
			out.count = UINT64_MAX;
	return out;
}

const struct table_type *go_embedded(const struct proxytype_set *set, const struct table_field *field)
{
	return strcmp(field->name, field->type) ? NULL : proxytype_find(set, field->type);
}

unsigned go_width(const char *word)
{
	const struct table_word *found = table_word_find(word, strlen(word));

	return found ? (unsigned)found->size_bytes : 0;
}

uint64_t go_size(const struct proxytype_set *set, const char *spelling)
{
	struct looked_up found = look_up_type(set, spelling);
	uint64_t bytes;

	if ((!found.word && !found.entry) ||
	    __builtin_mul_overflow(found.count,
				   found.word ? found.word->size_bytes : found.entry->type.type->size_bytes,
				   &bytes))
		return UINT64_MAX;
	return bytes;
}

/* Returns the alignment in bytes; 1 if the type is unknown. @depth: number of types around @spelling */
static uint64_t align_at_depth(struct proxytype_set *set, const char *spelling, int depth)
{
	struct looked_up found = look_up_type(set, spelling);
	const struct table_type *type;
	uint64_t align = 1;

	if (!found.entry || depth >= DEPTH_MAX)
		return found.word ? found.word->size_bytes : 1;
	if (found.entry->align_bytes)
		return found.entry->align_bytes;
	type = found.entry->type.type;
	if (type->alias)
		align = align_at_depth(set, type->alias, depth + 1);
	for (size_t i = 0; !type->alias && i < type->field_count; i++) {
		uint64_t one = align_at_depth(set, type->fields[i].type, depth + 1);

		if (one > align)
			align = one;
	}
	found.entry->align_bytes = align;
	return align;
}

uint64_t go_align(struct proxytype_set *set, const char *spelling)
{
	return align_at_depth(set, spelling, 0);
}

/* --- comparison of two types ------------------------------------------------------------------ */

static const struct table_type *find_set_type(const void *set, const char *name)
{
	return proxytype_find(set, name);
}

/*
 * Sets @scalars to those of @layout without padding, and returns their number. Adjacent scalars that look
 * like one array are merged, because go_same() does not distinguish them.
 */
static size_t join_scalars(struct proxy_scalar *scalars, const struct proxy_layout *layout)
{
	size_t count = 0;

	for (size_t i = 0; i < layout->scalar_count; i++) {
		const struct proxy_scalar *one = &layout->scalars[i];
		struct proxy_scalar *last = count ? &scalars[count - 1] : NULL;

		if (one->is_padding)
			continue;
		if (last && last->element_bytes == one->element_bytes && last->is_signed == one->is_signed &&
		    last->role == one->role &&
		    last->offset_bytes + proxy_scalar_bytes(last) == one->offset_bytes)
			last->count += one->count;
		else
			scalars[count++] = *one;
	}
	return count;
}

bool go_same(const struct proxytype_set *set, const struct table_type *a, const struct table_type *b)
{
	const struct proxy_types types = { find_set_type, set, "" };
	const struct table_type *const sides[] = { a, b };
	struct proxy_scalar *scalars[2];
	struct arena arena = { 0 };
	size_t counts[2];
	bool same = a->size_bytes == b->size_bytes;

	for (int side = 0; side < 2 && same; side++) {
		struct proxy_layout layout;

		same = !proxy_flatten(&layout, &types, sides[side], &arena, NULL);
		if (!same)
			break;
		scalars[side] = arena_array(&arena, layout.scalar_count + 1, sizeof(**scalars));
		counts[side] = join_scalars(scalars[side], &layout);
	}
	same = same && counts[0] == counts[1];
	for (size_t i = 0; same && i < counts[0]; i++) {
		const struct proxy_scalar *x = &scalars[0][i], *y = &scalars[1][i];

		same = x->offset_bytes == y->offset_bytes && x->count == y->count &&
		       x->element_bytes == y->element_bytes && x->is_signed == y->is_signed &&
		       x->role == y->role;
	}
	arena_release(&arena);
	return same;
}
