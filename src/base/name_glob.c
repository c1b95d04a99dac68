#include "base/name_glob.h"

#include <fnmatch.h>
#include <string.h>

static struct view run_at(const char *text)
{
	return (struct view){ text, strcspn(text, "*") };
}

void name_glob_init(struct name_glob *out, const char *text, struct arena *arena)
{
	size_t stars = 0;
	const char *p;

	*out = (struct name_glob){ .text = text, .literal = strcspn(text, "*?[\\") };
	if (strpbrk(text, "?[\\"))
		return;
	for (p = text; (p = strchr(p, '*')); p++)
		stars++;
	out->runs = arena_array(arena, stars + 1, sizeof(*out->runs));
	for (p = text; out->run_count <= stars; p += out->runs[out->run_count++].length + 1)
		out->runs[out->run_count] = run_at(p);
}

static bool wildcards_match(const char *pattern, struct view name)
{
	char copy[512];

	return view_copy(copy, sizeof(copy), name) && !fnmatch(pattern, copy, 0);
}

/* Names are short: looking for both ends and comparing is quicker than memmem(). */
static const char *find_run(const char *at, const char *end, struct view run)
{
	if (!run.length)
		return at;
	for (; (size_t)(end - at) >= run.length; at++)
		if (at[run.length - 1] == run.at[run.length - 1] && *at == *run.at && !memcmp(at, run.at, run.length))
			return at;
	return NULL;
}

/* The first run begins the name, the last one ends it, the others follow each other as early as they can. */
static bool runs_match(const struct name_glob *pattern, struct view name)
{
	const struct view *last = &pattern->runs[pattern->run_count - 1];
	const char *at = name.at + pattern->literal, *end = name.at + name.length;
	size_t i;

	if (pattern->run_count == 1)
		return name.length == pattern->literal;
	for (i = 1; i + 1 < pattern->run_count; i++) {
		at = find_run(at, end, pattern->runs[i]);
		if (!at)
			return false;
		at += pattern->runs[i].length;
	}
	return (size_t)(end - at) >= last->length && !memcmp(end - last->length, last->at, last->length);
}

bool name_glob_matches(const struct name_glob *pattern, struct view name)
{
	if (name.length < pattern->literal || memcmp(name.at, pattern->text, pattern->literal))
		return false;
	return name_glob_matches_rest(pattern, name);
}

bool name_glob_matches_rest(const struct name_glob *pattern, struct view name)
{
	return pattern->runs ? runs_match(pattern, name) : wildcards_match(pattern->text, name);
}
