/* Arenas, whose memory is freed together, and strings that grow. */
#include "base/base.h"

#include <sys/mman.h>
#include <unistd.h>

/* The first block is small, because many arenas hold very little, and blocks are zeroed. */
enum { ARENA_FIRST_BLOCK = 2 * 1024, ARENA_BLOCK_SIZE = 64 * 1024, ARENA_LARGE_FRACTION = 4 };

/* A block of this size is populated: its caller will write all of it. */
enum { ARENA_POPULATED = 4 * 1024 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	max_align_t data[];
};

static void out_of_memory(size_t size)
{
	fprintf(stderr, "drvabi: out of memory: cannot allocate %zu bytes\n", size);
	exit(2);
}

bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

bool texts_have(const char *const *texts, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(texts[i], text))
			return true;
	return false;
}

void *xmalloc(size_t size)
{
	void *got = malloc(size ? size : 1);

	if (!got)
		out_of_memory(size);
	return got;
}

void *xrealloc(void *old, size_t size)
{
	void *got = realloc(old, size ? size : 1);

	if (!got)
		out_of_memory(size);
	return got;
}

/*
 * Populates all pages with one call instead of a page fault for each. Before Linux 5.14, the call fails, and
 * the pages are populated by page faults.
 */
static void populate(struct arena_block *block)
{
#ifdef MADV_POPULATE_WRITE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE),
			from = ((uintptr_t)block + page - 1) / page * page;
	const uintptr_t until = ((uintptr_t)block->data + block->size) / page * page;

	madvise((void *)from, until - from, MADV_POPULATE_WRITE);
#else
	(void)block;
#endif
}

static struct arena_block *arena_block_new(size_t size)
{
	struct arena_block *block;

	if (size > SIZE_MAX / 2)
		out_of_memory(size);
	block = calloc(1, sizeof(*block) + size);
	if (!block)
		out_of_memory(size);
	block->size = size;
	if (size >= ARENA_POPULATED)
		populate(block);
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	void *memory;

	if (size > SIZE_MAX / 4)
		out_of_memory(size);
	size = round_up(size, align);
	if (!block || block->size - block->used < size) {
		size_t usual = !block				      ? ARENA_FIRST_BLOCK
			       : block->size < ARENA_BLOCK_SIZE / 2 ? block->size * 2
								    : ARENA_BLOCK_SIZE;
		bool is_large = block && size > usual / ARENA_LARGE_FRACTION;
		struct arena_block **link = is_large ? &block->next : &arena->blocks;

		/*
		 * A large allocation gets a separate block, which is inserted after the first block, so that
		 * the rest of the first block can still be used.
		 */
		block = arena_block_new(is_large || size > usual ? size : usual);
		block->next = *link;
		*link = block;
	}
	memory = (char *)block->data + block->used;
	block->used += size;
	return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		out_of_memory(SIZE_MAX);
	return arena_alloc(arena, count * size);
}

void *arena_memdup(struct arena *arena, const void *data, size_t size)
{
	void *copy = arena_alloc(arena, size);

	if (size)
		memcpy(copy, data, size);
	return copy;
}

void *arena_room(struct arena *arena, const void *items, size_t count, size_t size)
{
	void *more;

	if (count & (count - 1)) /* the room is always for a power of two */
		return (void *)items;
	more = arena_array(arena, count ? 2 * count : 1, size);
	if (count)
		memcpy(more, items, count * size);
	return more;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = arena_alloc(arena, (size_t)length + 1);
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}

void arena_join(struct arena *arena, struct arena *from)
{
	struct arena_block **end = &arena->blocks; /* not at the start: the first block has room */

	while (*end)
		end = &(*end)->next;
	*end = from->blocks;
	from->blocks = NULL;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block, *next;

	for (block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->blocks = NULL;
}

/* --- strings -------------------------------------------------------------------- */

int order_named(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void strbuf_reserve(struct strbuf *buf, size_t size)
{
	size_t need = buf->length + size + 1;
	size_t capacity = buf->capacity ? buf->capacity : 64;

	if (need <= buf->capacity)
		return;
	while (capacity < need)
		capacity *= 2;
	buf->text = xrealloc(buf->text, capacity);
	buf->capacity = capacity;
}

void strbuf_add(struct strbuf *buf, const void *data, size_t size)
{
	strbuf_reserve(buf, size);
	if (size)
		memcpy(buf->text + buf->length, data, size);
	buf->length += size;
	buf->text[buf->length] = '\0';
}

void strbuf_adds(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

/* Fast, because JSON is written character by character. */
void strbuf_addch(struct strbuf *buf, char ch)
{
	if (buf->length + 1 >= buf->capacity)
		strbuf_reserve(buf, 1);
	buf->text[buf->length++] = ch;
	buf->text[buf->length] = '\0';
}

void strbuf_addf(struct strbuf *buf, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	strbuf_reserve(buf, (size_t)length);
	va_start(args, format);
	vsnprintf(buf->text + buf->length, (size_t)length + 1, format, args);
	va_end(args);
	buf->length += (size_t)length;
}

void strbuf_plural(struct strbuf *buf, size_t count, const char *word)
{
	size_t length = strlen(word);

	if (count == 1)
		strbuf_addf(buf, "1 %s", word);
	else if (length && word[length - 1] == 'y')
		strbuf_addf(buf, "%zu %.*sies", count, (int)length - 1, word);
	else if (length && word[length - 1] == 's')
		strbuf_addf(buf, "%zu %ses", count, word);
	else
		strbuf_addf(buf, "%zu %ss", count, word);
}

void strbuf_reset(struct strbuf *buf)
{
	buf->length = 0;
	if (buf->text)
		buf->text[0] = '\0';
}

void strbuf_release(struct strbuf *buf)
{
	free(buf->text);
	*buf = (struct strbuf){ 0 };
}

const char *strbuf_take(struct strbuf *buf, struct arena *arena)
{
	const char *text = arena_strndup(arena, strbuf_text(buf), buf->length);

	strbuf_release(buf);
	return text;
}

const char *text_of_day(int64_t seconds, char buffer[32])
{
	const time_t time = (time_t)seconds;
	struct tm day;

	if (!gmtime_r(&time, &day) || !strftime(buffer, 32, "%Y-%m-%d", &day))
		return "?";
	return buffer;
}
