/*
 * This file reduces the findings of many versions to a few lines:
 *
 * 1. Findings are sorted by entry, record, offset, rule and sentence. So findings that are equal except for
 *    the version are adjacent, and become one line. If a subject has several sentences, the sentence of the
 *    oldest version comes first.
 * 2. Lines with the same entry, rule, record and set of versions become one line if they differ only in one
 *    component of a path and in the offsets after " at ". If a line can be joined at several components, the
 *    component that joins the most lines is chosen.
 * 3. Entries of the same family with the same sentences become one block.
 *
 * Steps 2 and 3 build a key from the parts that must be equal and look it up in a hash table, so
 * thousands of findings are not compared with each other.
 */
#include "report/internal.h"

#include <uthash.h>

/* The lines or entries with the same key. */
struct keyed {
	char *key;
	size_t count;   /* step 2: number of lines that could choose the key */
	size_t *member; /* indices of the lines that chose it, or of the entries; ascending */
	size_t members;
	UT_hash_handle hh;
};

struct keys {
	struct keyed *table;
	struct arena arena;
};

static struct keyed *find_or_add_key(struct keys *keys, const char *key)
{
	struct keyed *found;

	HASH_FIND_STR(keys->table, key, found);
	if (found)
		return found;
	found = arena_alloc(&keys->arena, sizeof(*found));
	found->key = arena_strdup(&keys->arena, key);
	HASH_ADD_KEYPTR(hh, keys->table, found->key, strlen(found->key), found);
	return found;
}

static void add_member(struct keys *keys, struct keyed *key, size_t member)
{
	key->member = arena_room(&keys->arena, key->member, key->members, sizeof(*key->member));
	key->member[key->members++] = member;
}

static void keys_release(struct keys *keys)
{
	HASH_CLEAR(hh, keys->table);
	arena_release(&keys->arena);
}

/* Compares the entry, record, offset, rule and path of two findings, which are its subject. */
static int compare_subjects(const struct verify_finding *x, const struct verify_finding *y)
{
	uint64_t at_x = x->driver.present ? x->driver.offset_bytes : x->proxy.offset_bytes;
	uint64_t at_y = y->driver.present ? y->driver.offset_bytes : y->proxy.offset_bytes;

	return strcmp(x->family, y->family) ?: strcmp(x->entry, y->entry) ?: strcmp(x->record, y->record)
		?: compare_numbers(at_x, at_y) ?: compare_numbers(x->rule, y->rule)
		?: strcmp(x->path, y->path);
}

/* Compares subjects and sentences: equal findings, of different versions, become one line in make_lines(). */
static int compare_for_lines(const struct verify_finding *x, const struct verify_finding *y)
{
	return compare_subjects(x, y) ?: strcmp(x->message, y->message);
}

/* Orders lines by subject, then by the oldest version that has the line's sentence. */
static int compare_finding_lines(const void *a, const void *b)
{
	const struct finding_line *x = a, *y = b;

	return compare_subjects(x->first, y->first) ?: compare_numbers(x->versions[0], y->versions[0])
		?: strcmp(x->message, y->message);
}

/* Orders findings for make_lines(): those of one line are adjacent, oldest version first. */
static int compare_findings_at(const void *a, const void *b)
{
	const struct finding_at *x = a, *y = b;

	return compare_for_lines(x->finding, y->finding) ?: compare_numbers(x->version, y->version);
}

/* Step 1: joins sorted @items that differ only in the version, and sorts the lines. Return: their number. */
static size_t make_lines(struct finding_line *lines, const struct finding_at *items, size_t count,
			 struct arena *arena)
{
	size_t made = 0, length;

	for (size_t i = 0; i < count; i += length) {
		size_t *versions;
		size_t distinct = 0;

		for (length = 1;
		     i + length < count && !compare_for_lines(items[i].finding, items[i + length].finding);)
			length++;
		versions = arena_array(arena, length, sizeof(*versions));
		for (size_t j = i; j < i + length; j++)
			if (!distinct || versions[distinct - 1] != items[j].version)
				versions[distinct++] = items[j].version;
		lines[made++] = (struct finding_line){ items[i].finding, items[i].finding->message, 1,
						       versions, distinct };
	}
	sort_items(lines, made, sizeof(*lines), compare_finding_lines);
	return made;
}

/*
 * Finds the path of the field in the sentence, as a word or after a record's name and a dot. Return: NULL if
 * the sentence does not have the path.
 */
static const char *path_in(const struct verify_finding *finding)
{
	const char *message = finding->message,
		   *found = *finding->path ? strstr(message, finding->path) : NULL;

	for (; found; found = strstr(found + 1, finding->path)) {
		const char next = found[strlen(finding->path)];

		if ((found == message || found[-1] == ' ' || found[-1] == '.') &&
		    !isalnum((unsigned char)next) && next != '_')
			return found;
	}
	return NULL;
}

/* Counts the components of the finding's path, "a.b" has two; 0 if the message does not have the path. */
static size_t component_count(const struct verify_finding *finding)
{
	size_t count = 1;

	for (const char *at = finding->path; *at; at++)
		count += *at == '.';
	return path_in(finding) ? count : 0;
}

/* Returns component number @component of the path, inside the finding's message, which has the path. */
static const char *component_at(const struct verify_finding *finding, size_t component, size_t *length)
{
	const char *at = finding->path;

	for (; component; component--)
		at = strchr(at, '.') + 1;
	*length = strcspn(at, ".");
	return path_in(finding) + (at - finding->path);
}

static bool is_offset(const char *start, const char *at)
{
	return isdigit((unsigned char)*at) && at - start >= 4 && !memcmp(at - 4, " at ", 4);
}

/* Appends @text to a key, with a mark in place of each offset, so that keys do not depend on offsets. */
static void add_without_offsets(struct strbuf *out, const char *text, size_t length)
{
	const char *end = text + length;

	for (const char *at = text; at < end;) {
		if (!is_offset(text, at)) {
			strbuf_addch(out, *at++);
			continue;
		}
		strbuf_addch(out, '\1');
		while (at < end && isdigit((unsigned char)*at))
			at++;
	}
}

/* Sets @key to a text that is equal for lines that differ only in this component, and in offsets. */
static void key_without(struct strbuf *key, const struct finding_line *line, size_t component)
{
	const struct verify_finding *finding = line->first;
	size_t length;
	const char *name = component_at(finding, component, &length);

	strbuf_reset(key);
	strbuf_addf(key, "%d %zu %s\n", (int)finding->rule, component, finding->record);
	for (size_t i = 0; i < line->version_count; i++)
		strbuf_addf(key, "%zu ", line->versions[i]);
	add_without_offsets(key, finding->message, (size_t)(name - finding->message));
	strbuf_addch(key, '\2');
	add_without_offsets(key, name + length, strlen(name + length));
}

/* Returns the key for the component at which the most lines can be joined with @line; NULL without a path. */
static struct keyed *best_key(struct keys *keys, struct strbuf *key, const struct finding_line *line)
{
	struct keyed *best = NULL;

	for (size_t component = 0; component < component_count(line->first); component++) {
		struct keyed *found;

		key_without(key, line, component);
		found = find_or_add_key(keys, key->text);
		if (!best || found->count > best->count)
			best = found;
	}
	return best;
}

/* Appends "144" if all lines have the same offset here, or "144, 272"; advances each @at past it. */
static void add_offsets(struct strbuf *out, const char **at, size_t count)
{
	bool same = true;
	size_t first = strtoul(at[0], NULL, 10);

	for (size_t i = 1; i < count; i++)
		same &= strtoul(at[i], NULL, 10) == first;
	for (size_t i = 0; i < (same ? 1 : count); i++)
		strbuf_addf(out, "%s%.*s", i ? ", " : "", (int)strspn(at[i], "0123456789"), at[i]);
	for (size_t i = 0; i < count; i++)
		at[i] += strspn(at[i], "0123456789");
}

/*
 * Joins sentences that differ only in offsets: appends the first from @at[0] to @end, with all offsets of the
 * sentences. Advances @at[].
 */
static void add_joined(struct strbuf *out, const char **at, size_t count, const char *end)
{
	const char *start = at[0];

	while (at[0] < end) {
		if (is_offset(start, at[0])) {
			add_offsets(out, at, count);
			continue;
		}
		strbuf_addch(out, *at[0]);
		for (size_t i = 0; i < count; i++)
			at[i]++;
	}
}

/*
 * Joins messages that differ only in offsets and in one component of a path, at the position in the key:
 * "samples[].{fb,gr}.pid (NvU32 at 8, 72)". Return: the message, in @arena.
 */
static const char *joined_message(const struct finding_line *lines, const struct keyed *key,
				  struct arena *arena)
{
	const char **at = arena_array(arena, key->members, sizeof(*at)), *name;
	size_t component = strtoul(strchr(key->key, ' '), NULL, 10), length;
	struct strbuf out = { 0 };

	for (size_t i = 0; i < key->members; i++)
		at[i] = lines[key->member[i]].first->message;
	add_joined(&out, at, key->members, component_at(lines[key->member[0]].first, component, &length));
	for (size_t i = 0; i < key->members; i++) {
		name = component_at(lines[key->member[i]].first, component, &length);
		strbuf_addf(&out, "%s%.*s", i ? "," : "{", (int)length, name);
		at[i] = name + length;
	}
	strbuf_addch(&out, '}');
	add_joined(&out, at, key->members, at[0] + strlen(at[0]));
	return strbuf_take(&out, arena);
}

/*
 * Step 2: sets chosen[i] to the key with which the most lines can be joined with lines[i], and adds the line
 * to the key's members; or sets it to NULL if the line's message does not have its path.
 */
static void choose_keys(struct keyed **chosen, struct keys *keys, const struct finding_line *lines,
			size_t count)
{
	struct strbuf key = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t component = 0; component < component_count(lines[i].first); component++) {
			key_without(&key, &lines[i], component);
			find_or_add_key(keys, key.text)->count++;
		}
	for (size_t i = 0; i < count; i++)
		if ((chosen[i] = best_key(keys, &key, &lines[i])))
			add_member(keys, chosen[i], i);
	strbuf_release(&key);
}

/* Does step 2 in place, for the lines of one entry. Return: the number of remaining lines. */
static size_t fold_lines(struct finding_line *lines, size_t count, struct arena *arena)
{
	struct keys keys = { 0 };
	struct keyed **chosen = arena_array(&keys.arena, count + 1, sizeof(struct keyed *));
	size_t left = 0;

	choose_keys(chosen, &keys, lines, count);
	for (size_t i = 0; i < count; i++) {
		struct finding_line line = lines[i];

		if (chosen[i] && chosen[i]->member[0] != i)
			continue;
		if (chosen[i] && chosen[i]->members > 1) { /* the other members are not overwritten yet */
			line.message = joined_message(lines, chosen[i], arena);
			line.finding_count = chosen[i]->members;
		}
		lines[left++] = line;
	}
	keys_release(&keys);
	return left;
}

/* The lines of one entry. */
struct finding_run {
	const struct finding_line *lines;
	size_t count;
	struct keyed *key;
};

/* Does step 3: the block of a key has the lines of its first entry and the names of all its entries. */
static void make_blocks(struct finding_blocks *out, const struct finding_run *runs, size_t count,
			struct arena *arena)
{
	struct finding_block *blocks = arena_array(arena, count + 1, sizeof(*blocks));
	size_t made = 0;

	for (size_t i = 0; i < count; i++) {
		const struct keyed *key = runs[i].key;
		const char **names;

		if (key->member[0] != i)
			continue;
		names = arena_array(arena, key->members, sizeof(*names));
		for (size_t n = 0; n < key->members; n++)
			names[n] = runs[key->member[n]].lines->first->entry;
		blocks[made++] = (struct finding_block){ runs[i].lines->first->family, names, key->members,
							 runs[i].lines, runs[i].count };
	}
	*out = (struct finding_blocks){ blocks, made, count };
}

void findings_group(struct finding_blocks *out, struct finding_at *items, size_t count, bool fold,
		    struct arena *arena)
{
	struct finding_line *lines = arena_array(arena, count + 1, sizeof(*lines));
	struct keys keys = { 0 };
	struct strbuf key = { 0 };
	struct finding_run *runs;
	size_t run_count = 0, length;

	sort_items(items, count, sizeof(*items), compare_findings_at);
	count = make_lines(lines, items, count, arena);
	runs = arena_array(&keys.arena, count + 1, sizeof(*runs));
	for (size_t i = 0; i < count; i += length) {
		const struct verify_finding *first = lines[i].first;

		for (length = 1; i + length < count; length++)
			if (strcmp(first->family, lines[i + length].first->family) ||
			    strcmp(first->entry, lines[i + length].first->entry))
				break;
		runs[run_count++] =
			(struct finding_run){ &lines[i], fold ? fold_lines(&lines[i], length, arena) : length,
					     NULL };
	}
	for (size_t i = 0; i < run_count; i++) {
		strbuf_reset(&key); /* the key is equal for entries of the same block */
		strbuf_addf(&key, "%s\n", runs[i].lines->first->family);
		for (size_t n = 0; n < runs[i].count; n++) {
			const struct finding_line *line = &runs[i].lines[n];

			strbuf_addf(&key, "%d %s\n", (int)line->first->rule, line->message);
			for (size_t v = 0; v < line->version_count; v++)
				strbuf_addf(&key, "%zu ", line->versions[v]);
		}
		if (!fold) /* no two entries have the same key */
			strbuf_addf(&key, "%zu", i);
		runs[i].key = find_or_add_key(&keys, key.text);
		add_member(&keys, runs[i].key, i);
	}
	make_blocks(out, runs, run_count, arena);
	strbuf_release(&key);
	keys_release(&keys);
}

void findings_runs(struct strbuf *out, const char *const *names, const size_t *versions, size_t count)
{
	size_t length;

	for (size_t i = 0; i < count; i += length) {
		for (length = 1; i + length < count && versions[i + length] == versions[i] + length;)
			length++;
		strbuf_addf(out, "%s%s", i ? ", " : "", names[versions[i]]);
		if (length > 1)
			strbuf_addf(out, "%s%s", length > 2 ? ".." : ", ", names[versions[i + length - 1]]);
	}
}
