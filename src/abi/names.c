/*
 * abi/names.c - versions, numbers and names as people write them
 *
 * Contains the order of versions, abbreviated versions, the notation of ioctl numbers, the names of padding,
 * and the search for existing names that are similar to a name that does not exist.
 */
#include "abi/abi.h"

enum { CANDIDATES_SHOWN = 8 };

bool abi_version_begins(const char *version, const char *word)
{
	size_t length = strlen(word);

	return length && !strncmp(version, word, length) && (!version[length] || version[length] == '.');
}

struct abi_version_run abi_version_run(const char *word, const char *const *names, size_t count)
{
	struct abi_version_run run = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], word))
			return (struct abi_version_run){ i, 1 };
		if (!abi_version_begins(names[i], word))
			continue;
		if (!run.count)
			run.first = i;
		run.count = i - run.first + 1;
	}
	return run;
}

int abi_version_ambiguous(const char *word, const char *const *names, struct abi_version_run run,
			  struct err *err)
{
	size_t shown = run.count <= CANDIDATES_SHOWN + 1 ? run.count : CANDIDATES_SHOWN;
	struct strbuf list = { 0 };
	int rc;

	for (size_t i = 0; i < shown; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", names[run.first + i]);
	if (shown < run.count)
		strbuf_addf(&list, " and %zu more up to %s", run.count - shown,
			    names[run.first + run.count - 1]);
	rc = err_set(err, ERR_NOT_FOUND,
		     "%s is ambiguous: %zu versions begin with it: %s; choose one of them", word,
		     run.count, strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}

/*
 * Moves @text past a run of digits, which is to be compared as a number. Return: the first digit after
 * leading zeros; @length is set to the number of digits from there.
 */
static const char *scan_digits(const char **text, size_t *length)
{
	const char *start;

	while (**text == '0')
		(*text)++;
	start = *text;
	while (view_is_digit(**text))
		(*text)++;
	*length = (size_t)(*text - start);
	return start;
}

/* Checks whether @rest, the end of a version, marks a pre-release: "-rc1" of "v6.1-rc1". */
static bool marks_prerelease(const char *rest)
{
	static const char *const marks[] = { "-rc", "-alpha", "-beta", "-pre" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (!strncmp(rest, marks[i], strlen(marks[i])))
			return true;
	return false;
}

int abi_version_compare(const char *a, const char *b)
{
	const char *x = a, *y = b;
	int order;

	for (;;) {
		const char *x_digits, *y_digits;
		size_t x_length, y_length;

		if (marks_prerelease(x) != marks_prerelease(y))
			return marks_prerelease(x) ? -1 : 1;
		if (!*x || !*y)
			break;
		if (view_is_digit(*x) && view_is_digit(*y)) {
			x_digits = scan_digits(&x, &x_length);
			y_digits = scan_digits(&y, &y_length);
			if (x_length != y_length)
				return x_length < y_length ? -1 : 1;
			if ((order = memcmp(x_digits, y_digits, x_length)))
				return order;
		} else if (*x != *y) {
			return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
		} else {
			x++;
			y++;
		}
	}
	if (*x || *y)
		return *x ? 1 : -1;
	return strcmp(a, b); /* "535.54.3" and "535.54.03" have equal numbers */
}

int abi_order_versions(const void *a, const void *b)
{
	return abi_version_compare(*(const char *const *)a, *(const char *const *)b);
}

/*
 * A document does not have the text of the headers, so the ranges are listed here. In all releases,
 * uvm_ioctl.h has numbers such as UVM_IOCTL_BASE(34), which is 34 on Linux. nv-ioctl-numbers.h has numbers
 * such as NV_IOCTL_BASE + 12, where the base is 200. UVM_TEST_IOCTL_BASE(7) is 207, and nvkms uses an enum.
 * All other headers have hexadecimal numbers: nv_escape.h, class/, ctrl/, uvm_linux_ioctl.h, drm and kfd.
 */
const struct abi_counted abi_counted_numbers[] = {
	{ "uvm", 0, 0xffff },
	{ "uvm-test", 0, 0xffff },
	{ "nvkms", 0, 0xffff },
	{ "frontend", 200, 255 },
	{ NULL, 0, 0 },
};

static bool is_counted(const char *family, uint64_t number)
{
	for (const struct abi_counted *counted = abi_counted_numbers; family && counted->family; counted++)
		if (!strcmp(family, counted->family) && number >= counted->first && number <= counted->last)
			return true;
	return false;
}

const char *abi_ioctl_number(const char *family, uint64_t number, char buffer[ABI_NOTATION_BYTES])
{
	snprintf(buffer, ABI_NOTATION_BYTES, is_counted(family, number) ? "%" PRIu64 : "0x%" PRIx64, number);
	return buffer;
}

const char *abi_constant_number(const struct abi_constant *constant, char buffer[ABI_NOTATION_BYTES])
{
	uint64_t value = constant->value.magnitude;

	if (constant->value.negative || value > ABI_DOUBLE_EXACT_MAX)
		return abi_number_text(constant->value, buffer);
	if (strstr(constant->name, "_CMD_"))
		return abi_ioctl_number(NULL, value, buffer);
	snprintf(buffer, ABI_NOTATION_BYTES, value < 10 ? "%" PRIu64 : "0x%" PRIx64 " (%" PRIu64 ")", value,
		 value);
	return buffer;
}

/* Returns the last component of a path, without leading underscores. */
static const char *last_name(const char *path)
{
	const char *dot = strrchr(path, '.');
	const char *name = dot ? dot + 1 : path;

	return name + strspn(name, "_");
}

static bool has_only_digits(const char *text)
{
	return !text[strspn(text, "0123456789_")];
}

/* Returns the text after the first of @words with which @name begins; NULL if it begins with none. */
static const char *after_word(const char *name, const char *const *words)
{
	for (; *words; words++)
		if (!strncasecmp(name, *words, strlen(*words)))
			return name + strlen(*words);
	return NULL;
}

bool padding_in_diff(const char *path)
{
	static const char *const words[] = { "padding", "pad", "reserved", "rsvd", "unused", "dummy", NULL };
	const char *rest = after_word(last_name(path), words);

	return rest && !isalpha((unsigned char)*rest);
}

bool padding_of_driver(const char *path)
{
	static const char *const words[] = { "padding", "pad", "reserved", "rsvd", "unused", NULL };
	const char *rest = after_word(last_name(path), words);

	return rest && has_only_digits(rest);
}

bool padding_of_proxy(const char *name)
{
	static const char *const words[] = { "padding", "pad", NULL };
	const char *rest;

	name += strspn(name, "_");
	rest = after_word(name, words);
	return !*name || (rest && has_only_digits(rest));
}

enum {
	NEAREST_TEXT = 128, /* names longer than this are not compared */
	TYPO_DISTANCE = 2,
	CORE_LETTERS = 3,   /* the minimum length of a word: a shorter word resembles too many names */
	START_LETTERS = 4,  /* the minimum length of the start of the word, if a name contains only that */
	/*
	 * The distance between the groups of abi_nearest_name(): names that begin with the word, likely
	 * misspellings, names that contain the word, and names that contain its start.
	 */
	TIER = 1000,
	SLIP_DISTANCE = 1 * TIER,
	HOLDS_DISTANCE = 2 * TIER,
	BEGINS_DISTANCE = 3 * TIER,
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Counts how many letters must be changed, added, removed or swapped with the next to turn @a into @b.
 * Return: SIZE_MAX if one of the texts is longer than NEAREST_TEXT.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	size_t row[3][NEAREST_TEXT + 1]; /* the last rows of the table of distances between prefixes of @a
					    and @b; row i is at row[i % 3] */
	size_t i, j;

	if (a_length > NEAREST_TEXT || b_length > NEAREST_TEXT)
		return SIZE_MAX;
	for (j = 0; j <= b_length; j++)
		row[0][j] = j;
	for (i = 1; i <= a_length; i++) {
		size_t *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= b_length; j++) {
			now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]),
				       least(before[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], older[j - 2] + 1);
		}
	}
	return row[a_length % 3][b_length];
}

/* Inserts a name, unless it is listed, after those that are as near. A full list loses its farthest name. */
static void nearest_add(struct abi_nearest *nearest, const char *name, size_t distance)
{
	size_t at = nearest->count, i;

	for (i = 0; i < nearest->count; i++)
		if (!strcmp(nearest->name[i], name))
			return;
	while (at && nearest->distance[at - 1] > distance)
		at--;
	if (at == ABI_NEAREST_MAX)
		return;
	if (nearest->count < ABI_NEAREST_MAX)
		nearest->count++;
	for (i = nearest->count - 1; i > at; i--) {
		nearest->name[i] = nearest->name[i - 1];
		nearest->distance[i] = nearest->distance[i - 1];
	}
	nearest->name[at] = name;
	nearest->distance[at] = distance;
}

void abi_nearest_typos(struct abi_nearest *nearest, const char *version, const char *const *names,
		       size_t count)
{
	size_t length = strlen(version), i;

	for (i = count;
	     i--;) { /* from the end, so that of all versions that begin with "580", the newest are kept */
		bool is_start = !strncmp(names[i], version, length) && names[i][length] == '.';
		size_t distance = is_start ? 0 : edit_distance(version, names[i]);

		if (distance <= TYPO_DISTANCE && distance < length)
			nearest_add(nearest, names[i], distance);
	}
}

void abi_nearest_neighbours(struct abi_nearest *nearest, const char *version, const char *const *names,
			    size_t count)
{
	size_t above = 0, closest = 0, i;

	while (above < count && abi_version_compare(names[above], version) <= 0)
		above++;
	for (i = 1; i < count; i++)
		if (edit_distance(version, names[i]) < edit_distance(version, names[closest]))
			closest = i;
	if (above)
		nearest_add(nearest, names[above - 1], 0);
	if (above < count)
		nearest_add(nearest, names[above], 0);
	if (count)
		nearest_add(nearest, names[closest], 0);
}

/* Returns the end of the wildcard at @at. The content of brackets is part of it: any of "[0-9]" can match. */
static const char *wildcard_end(const char *at)
{
	const char *first = at + (at[1] == '!' || at[1] == '^' ? 2 : 1); /* can be "]" */
	const char *close = *at == '[' && *first ? strchr(first + 1, ']') : NULL;

	return close ? close + 1 : at + 1;
}

/*
 * Gets the part of a glob to which names are compared, if they are suggested because the glob matches
 * nothing. Return: a lower-case copy of the longest part of @word without wildcards; the caller frees it.
 */
static char *glob_core(const char *word)
{
	const char *core = word;
	size_t length = 0;
	char *copy;

	while (*word) {
		size_t run = strcspn(word, "*?[]\\");

		if (run > length) {
			core = word;
			length = run;
		}
		word += run;
		if (*word)
			word = wildcard_end(word);
	}
	copy = xmalloc(length + 1);
	for (size_t i = 0; i < length; i++)
		copy[i] = (char)tolower((unsigned char)core[i]);
	copy[length] = '\0';
	return copy;
}

/* Returns the length of the longest prefix of @core that @name contains; 0 if it is below START_LETTERS. */
static size_t contained_prefix(const char *core, const char *name)
{
	char start[START_LETTERS + 1] = "";
	size_t most = 0;

	memcpy(start, core, strnlen(core, START_LETTERS));
	for (const char *at = strstr(name, start); *start && at; at = strstr(at + 1, start)) {
		size_t length = 0;

		while (core[length] && core[length] == at[length])
			length++;
		most = length > most ? length : most;
	}
	return most < START_LETTERS ? 0 : most;
}

/*
 * Returns the distance of @name from @core, both in lower case: the number of the group (see TIER) times
 * TIER, plus a distance inside the group; SIZE_MAX if the names are not similar.
 */
static size_t name_distance(const char *core, const char *name)
{
	size_t length = strlen(core), name_length = strlen(name);
	size_t difference = length < name_length ? name_length - length : length - name_length;
	size_t distance = difference <= TYPO_DISTANCE ? edit_distance(core, name) : SIZE_MAX;
	size_t start = contained_prefix(core, name);

	if (!strncmp(core, name, length))
		return name_length - length;
	if (distance <= TYPO_DISTANCE && distance + 1 < length)
		return SLIP_DISTANCE + distance;
	if (strstr(name, core))
		return HOLDS_DISTANCE;
	if (start && start * 2 >= length)
		return BEGINS_DISTANCE + length - start;
	return SIZE_MAX;
}

void abi_nearest_name(struct abi_nearest *nearest, const char *word, const char *name)
{
	char *core = glob_core(word);
	char lower[NEAREST_TEXT + 1];
	size_t length = strlen(name), distance;

	if (strlen(core) >= CORE_LETTERS && length <= NEAREST_TEXT) {
		for (size_t i = 0; i <= length; i++)
			lower[i] = (char)tolower((unsigned char)name[i]);
		distance = name_distance(core, lower);
		if (nearest->count && nearest->distance[0] / TIER > distance / TIER)
			nearest->count = 0;
		if (distance != SIZE_MAX &&
		    (!nearest->count || nearest->distance[0] / TIER == distance / TIER))
			nearest_add(nearest, name, distance);
	}
	free(core);
}

void abi_nearest_list(struct strbuf *out, struct abi_nearest *nearest)
{
	/* The names are already sorted by distance. */
	for (size_t i = 1; i < nearest->count; i++)
		for (size_t at = i; at && nearest->distance[at - 1] == nearest->distance[at] &&
				    abi_version_compare(nearest->name[at - 1], nearest->name[at]) > 0;
		     at--) {
			const char *later = nearest->name[at - 1];

			nearest->name[at - 1] = nearest->name[at];
			nearest->name[at] = later;
		}
	for (size_t i = 0; i < nearest->count; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "; nearest: ", nearest->name[i]);
}
