/* The lines that say which struct of the proxy is which of the driver's. */
#include "verify/ctable.h"

#include "base/ctext.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 5 };

#define BLANKS " \t\r\v\f"

/* One line on its way into the map. */
struct line_words {
	const char *source, *file;
	unsigned number;
	char *word[WORDS_MAX + 1];
	size_t count;
	struct arena *arena;
	struct err *err;
};

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int expect_identifier(const struct line_words *line, const char *word, const char *what)
{
	if (view_is_name(view_of(word)))
		return 0;
	return err_set(line->err, ERR_FORMAT, "%s: '%.100s' is no name of C, so it is no %s", line->source, word, what);
}

/* Cuts @word at its commas. */
static int read_caps(struct ctable_line *out, const struct line_words *line, char *word)
{
	const char **caps = arena_array(line->arena, strlen(word) + 1, sizeof(*caps));
	char *comma;

	for (; word; word = comma) {
		comma = strchr(word, ',');
		if (comma)
			*comma++ = '\0';
		if (!*word)
			return err_set(line->err, ERR_FORMAT, "%s: a capability is empty; they are parted by one comma each, without blanks",
				       line->source);
		caps[out->cap_count++] = word;
	}
	qsort(caps, out->cap_count, sizeof(*caps), compare_strings);
	for (size_t i = 1; i < out->cap_count; i++)
		if (!strcmp(caps[i - 1], caps[i]))
			return err_set(line->err, ERR_FORMAT, "%s: the capability '%.60s' stands twice", line->source, caps[i]);
	out->caps = caps;
	return 0;
}

/* "CONSTANT", "CONSTANT=42" or "CONSTANT=OTHER_NAME". */
static int read_constant(struct ctable_line *out, const struct line_words *line, char *word)
{
	char *value = strchr(word, '='), *end;
	int rc;

	if (value)
		*value++ = '\0';
	if ((rc = expect_identifier(line, word, "macro of the driver")))
		return rc;
	out->constant = word;
	if (!value || !isdigit((unsigned char)*value)) {
		out->number_name = value ? value : word;
		return expect_identifier(line, out->number_name, "macro of the proxy");
	}
	errno = 0;
	out->number = strtoull(value, &end, 0);
	if (errno || *end || out->number > UINT32_MAX)
		return err_set(line->err, ERR_FORMAT, "%s: '%.60s' is no number from 0 to 0xffffffff", line->source, value);
	return 0;
}

static int read_entry(struct ctable_map *map, const struct line_words *line)
{
	struct ctable_line out = { .source = line->source, .file = line->file, .line = line->number, .order = map->line_count,
				   .family = line->word[0] };
	char *driver = line->word[2], *proxy = line->word[3];
	int rc;

	if (line->count < 4 || line->count > WORDS_MAX)
		return err_set(line->err, ERR_FORMAT, "%s: expected FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT [CAP,...], found %s words",
			       line->source, line->count < 4 ? "fewer" : "more");
	out.driver = strcmp(driver, "-") ? driver : NULL;
	out.proxy = strcmp(proxy, "-") ? proxy : NULL;
	if (out.proxy && !out.driver)
		return err_set(line->err, ERR_FORMAT, "%s: %s stands for no struct of the driver; '-' goes with '-'", line->source, proxy);
	if ((rc = read_constant(&out, line, line->word[1])) ||
	    (out.proxy && (rc = expect_identifier(line, proxy, "struct of the proxy"))) ||
	    (line->count == WORDS_MAX && (rc = read_caps(&out, line, line->word[4]))))
		return rc;
	ARRAY_GROW(map->line, map->line_count, map->line_capacity);
	map->line[map->line_count++] = out;
	return 0;
}

static int read_role(struct ctable_map *map, const struct line_words *line)
{
	struct ctable_role out = { .source = line->source, .type = line->word[1] };

	if (line->count != 3)
		return err_set(line->err, ERR_FORMAT, "%s: expected: type NAME pointer, or: type NAME handle", line->source);
	if (abi_role_parse(&out.role, line->word[2], NULL) || (out.role != ABI_ROLE_POINTER && out.role != ABI_ROLE_HANDLE))
		return err_set(line->err, ERR_FORMAT, "%s: a type is a pointer or a handle, not '%.60s'", line->source, line->word[2]);
	for (size_t i = 0; i < map->role_count; i++)
		if (!strcmp(map->role[i].type, out.type))
			return err_set(line->err, ERR_FORMAT, "%s: %s has said what the type %.100s is", line->source, map->role[i].source,
				       out.type);
	ARRAY_GROW(map->role, map->role_count, map->role_capacity);
	map->role[map->role_count++] = out;
	return 0;
}

/* The words of @text, which is overwritten; at most one more than a line may have. */
static void split(struct line_words *line, char *text)
{
	while (line->count <= WORDS_MAX && *(text += strspn(text, BLANKS))) {
		line->word[line->count++] = text;
		text += strcspn(text, BLANKS);
		if (*text)
			*text++ = '\0';
	}
}

/* What of a line is ours: a copy, or NULL. */
static char *own_text(const char *text, size_t length, enum ctable_kind kind, struct arena *arena)
{
	static const char mark[] = "drvabi:";
	const char *own = kind == CTABLE_MAP ? text : memmem(text, length, mark, strlen(mark));
	char *line;

	if (!own)
		return NULL;
	own += kind == CTABLE_MAP ? 0 : strlen(mark);
	line = arena_strndup(arena, own, (size_t)(text + length - own));
	if (kind == CTABLE_MAP)
		line[strcspn(line, "#")] = '\0';
	else if (strstr(line, "*/"))
		*strstr(line, "*/") = '\0';
	return line;
}

int ctable_read(struct ctable_map *map, const char *text, enum ctable_kind kind, const char *name, struct arena *arena,
		struct err *err)
{
	const char *file = arena_strdup(arena, name);
	unsigned number = 1;
	int rc = 0;

	for (; *text && !rc; number++) {
		size_t length = strcspn(text, "\n");
		char *own = own_text(text, length, kind, arena);
		struct line_words line = { .file = file, .number = number, .arena = arena, .err = err };

		text += length + (text[length] == '\n');
		if (own)
			split(&line, own);
		if (!own || (!line.count && kind == CTABLE_MAP))
			continue;
		line.source = arena_printf(arena, "%s:%u", name, number);
		rc = line.count && !strcmp(line.word[0], "type") ? read_role(map, &line) : read_entry(map, &line);
	}
	return rc;
}

void ctable_release(struct ctable_map *map)
{
	free(map->line);
	free(map->role);
	*map = (struct ctable_map){ 0 };
}

/* Sorts, and drops repetitions. */
static struct profile_strings unique(const char **names, size_t count)
{
	size_t unique_count = 0;

	qsort(names, count, sizeof(*names), compare_strings);
	for (size_t i = 0; i < count; i++)
		if (!unique_count || strcmp(names[unique_count - 1], names[i]))
			names[unique_count++] = names[i];
	return (struct profile_strings){ names, unique_count };
}

void ctable_wanted(struct profile_strings *types, struct profile_strings *numbers, const struct ctable_map *map,
		   struct arena *arena)
{
	const char **type = arena_array(arena, map->line_count + 1, sizeof(*type));
	const char **number = arena_array(arena, map->line_count + 1, sizeof(*number));
	size_t type_count = 0, number_count = 0;

	for (size_t i = 0; i < map->line_count; i++) {
		if (map->line[i].proxy)
			type[type_count++] = map->line[i].proxy;
		if (map->line[i].number_name)
			number[number_count++] = map->line[i].number_name;
	}
	*types = unique(type, type_count);
	*numbers = unique(number, number_count);
}
