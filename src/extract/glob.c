#include "extract/glob.h"

#include <fnmatch.h>
#include <string.h>

static struct view part_at(const char *text)
{
	return (struct view){ text, strcspn(text, "*") };
}

void glob_prepare(struct glob_pattern *out, const char *text, struct arena *arena)
{
	size_t stars = 0;
	const char *p;

	*out = (struct glob_pattern){ .text = text, .literal = strcspn(text, "*?[\\") };
	if (strpbrk(text, "?[\\"))
		return;
	for (p = text; (p = strchr(p, '*')); p++)
		stars++;
	out->parts = arena_array(arena, stars + 1, sizeof(*out->parts));
	for (p = text; out->part_count <= stars; p += out->parts[out->part_count++].length + 1)
		out->parts[out->part_count] = part_at(p);
}

static bool wild_accepts(const char *pattern, struct view name)
{
	char copy[512];

	if (name.length >= sizeof(copy))
		return false;
	memcpy(copy, name.at, name.length);
	copy[name.length] = '\0';
	return !fnmatch(pattern, copy, 0);
}

/* Names are short: looking for both ends and comparing is quicker than memmem(). */
static const char *find_part(const char *at, const char *end, struct view part)
{
	if (!part.length)
		return at;
	for (; (size_t)(end - at) >= part.length; at++)
		if (at[part.length - 1] == part.at[part.length - 1] && *at == *part.at && !memcmp(at, part.at, part.length))
			return at;
	return NULL;
}

/* The first part begins the name, the last one ends it, the others follow each other as early as they can. */
static bool parts_accept(const struct glob_pattern *pattern, struct view name)
{
	const struct view *last = &pattern->parts[pattern->part_count - 1];
	const char *at = name.at + pattern->literal, *end = name.at + name.length;
	size_t i;

	if (pattern->part_count == 1)
		return name.length == pattern->literal;
	for (i = 1; i + 1 < pattern->part_count; i++) {
		at = find_part(at, end, pattern->parts[i]);
		if (!at)
			return false;
		at += pattern->parts[i].length;
	}
	return (size_t)(end - at) >= last->length && !memcmp(end - last->length, last->at, last->length);
}

bool glob_accepts(const struct glob_pattern *pattern, struct view name)
{
	if (name.length < pattern->literal || memcmp(name.at, pattern->text, pattern->literal))
		return false;
	return glob_accepts_rest(pattern, name);
}

bool glob_accepts_rest(const struct glob_pattern *pattern, struct view name)
{
	return pattern->parts ? parts_accept(pattern, name) : wild_accepts(pattern->text, name);
}
