/*
 * verify/suppress.c - read the lines of a suppression file, apply them to findings, and write new lines
 *
 * 1. suppressions_parse() reads the lines. A line whose date has passed is expired, and covers no finding.
 * 2. suppressions_apply() is called for each version. It moves every finding that a line covers (by rule,
 *    entry, field and version) to the list of suppressed findings, and increments @used of the first such
 *    line.
 * 3. suppressions_try() is called at the end. A line that suppressed nothing is unused, or untried if no
 *    version in its range was compared.
 */
#include "verify/internal.h"

#include <fnmatch.h>

#define BLANKS " \t\v\f\r"

/* Copies the next word of a line, and moves *@at past it and the blanks after it. Return: NULL at the end. */
static const char *next_line_word(const char **at, struct arena *arena)
{
	size_t length = strcspn(*at, BLANKS);
	const char *word = length ? arena_strndup(arena, *at, length) : NULL;

	*at += length;
	*at += strspn(*at, BLANKS);
	return word;
}

/* Parses "2026-09-30" to 20260930, and "never" to 0. Return: 0; ERR_FORMAT if there is no such date. */
static int parse_day(unsigned *out, const char *word, struct err *err)
{
	struct tm day = { .tm_mday = 0 }, given;
	const char *rest;

	if (!strcmp(word, "never")) {
		*out = 0;
		return 0;
	}
	if (fnmatch("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]", word, 0))
		return err_set(err, ERR_FORMAT, "'%s' is not a date; write YYYY-MM-DD, or never", word);
	rest = strptime(word, "%Y-%m-%d", &day); /* reads only the "9" of the day 99 */
	given = day;
	timegm(&day); /* makes March 1 of February 30 */
	if (!rest || *rest || day.tm_mday != given.tm_mday)
		return err_set(err, ERR_FORMAT, "the date %s does not exist", word);
	*out = (unsigned)((day.tm_year + 1900) * 10000 + (day.tm_mon + 1) * 100 + day.tm_mday);
	return 0;
}

/*
 * Checks whether @word means the version: "620" means every version that begins with 620, as in --versions;
 * "620.06" means only itself.
 */
static bool is_or_begins(const char *version, const char *word)
{
	return !strcmp(version, word) || (!strchr(word, '.') && abi_version_begins(version, word));
}

/*
 * Parses "*", "VERSION", "FIRST..LAST", "FIRST.." or "..LAST", and sets out->first and out->last. An open end
 * is "". Return: 0; ERR_FORMAT if the range ends before it begins.
 */
static int parse_range(struct suppression *out, const char *word, struct arena *arena, struct err *err)
{
	const char *dots = strstr(word, "..");

	out->first = out->last = "";
	if (!strcmp(word, "*"))
		return 0;
	out->first = dots ? arena_strndup(arena, word, (size_t)(dots - word)) : word;
	out->last = dots ? dots + 2 : word;
	if (*out->first && *out->last && abi_version_compare(out->first, out->last) > 0 &&
	    !is_or_begins(out->first, out->last))
		return err_set(err, ERR_FORMAT, "the range %s ends before it begins", word);
	return 0;
}

/* Parses the name of a rule of verify. '*' means every rule except "unavailable", which must be named. */
static int rule_bits(unsigned *bits, const char *text, struct err *err)
{
	enum verify_rule rule = VERIFY_LACKING;
	int rc = strcmp(text, "*") ? verify_rule_parse(&rule, text, err) : 0;

	if (!rc)
		*bits = strcmp(text, "*") ? 1u << rule : ~(1u << VERIFY_LACKING);
	return rc;
}

/* Splits "ENTRY:FIELD,...". A line for unavailable versions must have both ends of its range, and a date. */
static int finish_line(struct suppression *line, struct arena *arena, struct err *err)
{
	const size_t length = strcspn(line->entry, ":");

	if (line->entry[length]) {
		line->name = arena_strndup(arena, line->entry, length);
		line->fields = line->entry + length + 1;
	}
	if (line->rules != 1u << VERIFY_LACKING)
		return 0;
	if (!*line->first || !*line->last)
		return err_set(err, ERR_FORMAT,
			       "'%s' does not say which unavailable versions are accepted; name one, or FIRST..LAST",
			       line->versions);
	if (!line->expires)
		return err_set(err, ERR_FORMAT,
			       "an unavailable version cannot be accepted forever; give a date instead of \"never\"");
	return 0;
}

/* Parses "RULE ENTRY VERSIONS EXPIRES REASON"; @parse_rule parses RULE. Return: 0; ERR_FORMAT. */
static int parse_line(struct suppression *out, const char *line, suppress_word parse_rule,
		      struct arena *arena, struct err *err)
{
	const char *rule = next_line_word(&line, arena), *entry = next_line_word(&line, arena),
		   *versions = next_line_word(&line, arena), *expires = next_line_word(&line, arena);
	int rc;

	if (!expires || !*line)
		return err_set(err, ERR_FORMAT,
			       "a line must be RULE ENTRY VERSIONS EXPIRES REASON; this line has no %s",
			       !entry      ? "entry"
			       : !versions ? "versions"
			       : !expires  ? "expiry"
					   : "reason");
	out->rule_text = rule;
	out->entry = out->name = entry;
	out->versions = versions;
	out->expires_text = expires;
	out->reason = line;
	out->unexplained = begins(line, "TODO") && !isalnum((unsigned char)line[4]);
	if ((rc = parse_rule ? parse_rule(&out->rules, rule, err) : rule_bits(&out->rules, rule, err)) ||
	    (rc = parse_day(&out->expires, expires, err)) || (rc = parse_range(out, versions, arena, err)))
		return rc;
	return parse_rule ? 0 : finish_line(out, arena, err);
}

int suppressions_parse(struct suppressions *out, const char *text, const char *path, unsigned today,
		       suppress_word parse_rule, struct arena *arena, struct err *err)
{
	const size_t mark = begins(text, "\xef\xbb\xbf") ? 3 : 0; /* some editors begin with U+FEFF */
	struct view_lines lines = { .at = text + mark, .end = text + strlen(text) };
	struct suppression *items = NULL;
	size_t count = 0;
	struct view line;
	int rc = 0;

	while (!rc && view_next_line(&line, &lines)) {
		struct suppression item = { .path = path, .line = lines.number };

		if (!line.length || *line.at == '#')
			continue;
		if ((rc = parse_line(&item, arena_strndup(arena, line.at, line.length), parse_rule, arena,
				     err)))
			err_prefix(err, "%s:%u", path, item.line);
		item.expired = item.expires && item.expires < today;
		items = arena_room(arena, items, count, sizeof(*items));
		items[count++] = item;
	}
	if (!rc)
		*out = (struct suppressions){ path, items, count };
	return rc;
}

static bool in_range(const struct suppression *item, const char *version)
{
	return (!*item->first || abi_version_compare(item->first, version) <= 0) &&
	       (!*item->last || abi_version_compare(version, item->last) <= 0 ||
		is_or_begins(version, item->last));
}

/* Does one of the globs for fields of a line, which are separated by commas, match a finding's @path? */
static bool has_field(const char *globs, const char *path)
{
	struct arena arena = { 0 };
	bool found = false;

	for (const char *at = globs; at && !found;) {
		const size_t length = strcspn(at, ",");

		found = !fnmatch(arena_strndup(&arena, at, length), path, 0);
		at = at[length] ? at + length + 1 : NULL;
	}
	arena_release(&arena);
	return found;
}

/*
 * Checks whether a line that suppressed nothing is unused, not untried: this run compared a version of its
 * range or one that its last version abbreviates, or there is a table, and it has no version of the range.
 */
static bool is_tried(const struct suppression *item, const struct table *table, const char *const *compared,
		     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (in_range(item, compared[i]) ||
		    (*item->last && abi_version_begins(compared[i], item->last)))
			return true;
	for (size_t i = 0; table && i < table->node_count; i++)
		if (in_range(item, table->nodes[i].version))
			return false;
	return table;
}

void suppressions_try(struct suppressions *suppressions, const struct table *table,
		      const char *const *compared, size_t count)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		struct suppression *item = &suppressions->item[i];

		item->untried = !item->used && !item->expired && !is_tried(item, table, compared, count);
	}
}

struct suppression *suppressions_find(const struct suppressions *suppressions, unsigned rule_bit,
				      const char *entry, const char *path, const char *version)
{
	for (size_t i = 0; i < suppressions->count; i++) {
		struct suppression *item = &suppressions->item[i];

		if (!item->expired && (item->rules & rule_bit) && !fnmatch(item->name, entry, 0) &&
		    (!item->fields || has_field(item->fields, path)) && in_range(item, version))
			return item;
	}
	return NULL;
}

size_t suppressions_apply(const struct suppressed **suppressed, struct verify_result *result,
			  struct suppressions *suppressions, const char *version, struct arena *arena)
{
	const size_t count = result->finding_count + result->unseen_count;
	struct suppressed *gone = arena_array(arena, count + 1, sizeof(*gone));
	struct verify_finding *left = arena_array(arena, count + 1, sizeof(*left));
	size_t gone_count = 0, seen_count = 0;

	for (size_t i = 0; i < count; i++) {
		const struct verify_finding *one = &result->findings[i];
		struct suppression *by =
			suppressions_find(suppressions, 1u << one->rule, one->entry, one->path, version);

		if (by) {
			by->used++;
			gone[gone_count++] = (struct suppressed){ one, by };
		} else {
			left[i - gone_count] = *one;
			seen_count += !one->unseen;
		}
	}
	result->findings = left;
	result->finding_count = seen_count;
	result->unseen = left + seen_count;
	result->unseen_count = count - gone_count - seen_count;
	*suppressed = gone;
	return gone_count;
}

/* --- new lines -------------------------------------------------------------------- */

/*
 * How findings become lines:
 *
 * 1. The versions of the run are ranked from 0, oldest first, in the order that the range of a line uses.
 * 2. Every finding of every version becomes an item. Items are sorted by the line that suppressed them, if
 *    any, then by entry, rule and rank.
 * 3. For items that an existing line suppressed, that line is written again. The other items with the same
 *    entry and rule become one new line for each series of consecutive ranks. The line names their fields.
 */

/* One finding at one version. */
struct version_finding {
	const struct suppression *by; /* NULL if no line suppressed it */
	const struct verify_finding *finding;
	const char *version;
	size_t rank;
};

static int order_versions(const void *a, const void *b)
{
	return abi_version_compare((*(const struct accept_version *const *)a)->version,
				   (*(const struct accept_version *const *)b)->version);
}

/*
 * Sets *@out to the items of all versions, oldest first. The rank of a version is the number of distinct
 * versions that are older and were compared. Return: the number of items.
 */
static size_t collect_items(struct version_finding **out, const struct accept_version *versions, size_t count,
			    struct arena *arena)
{
	const struct accept_version **sorted = arena_array(arena, count + 1, sizeof(*sorted));
	const char *compared = NULL; /* the name of the last version; NULL if it is counted in @rank */
	struct version_finding *item;
	size_t total = 0, rank = 0;

	for (size_t i = 0; i < count; i++) {
		sorted[i] = &versions[i];
		total += versions[i].result->finding_count + versions[i].result->unseen_count +
			 versions[i].suppressed_count;
	}
	sort_items(sorted, count, sizeof(*sorted), order_versions);
	*out = item = arena_array(arena, total + 1, sizeof(*item));
	for (size_t i = 0; i < count; i++) {
		const struct accept_version *one = sorted[i];
		const struct verify_result *result = one->result;

		if (compared && abi_version_compare(compared, one->version)) {
			rank++;
			compared = NULL;
		}
		for (size_t f = 0; !one->unavailable && f < result->finding_count + result->unseen_count; f++)
			*item++ = (struct version_finding){ NULL, &result->findings[f], one->version, rank };
		for (size_t s = 0; s < one->suppressed_count; s++)
			*item++ = (struct version_finding){ one->suppressed[s].by, one->suppressed[s].finding,
							    one->version, rank };
		if (!one->unavailable)
			compared = one->version;
	}
	return (size_t)(item - *out);
}

/*
 * Orders items by their line of the output; 0 if both go into the same line, or into new lines for the same
 * entry and rule. Items that a line of the file suppressed come first, in the order of these lines.
 */
static int compare_output_lines(const struct version_finding *x, const struct version_finding *y)
{
	if (x->by || y->by)
		return !x->by - !y->by ?: compare_numbers(x->by->line, y->by->line);
	return strcmp(x->finding->entry, y->finding->entry)
		?: compare_numbers(x->finding->rule, y->finding->rule);
}

/* Orders items by line of the output, then by version: one line has consecutive versions. */
static int compare_for_output(const void *a, const void *b)
{
	const struct version_finding *x = a, *y = b;

	return compare_output_lines(x, y) ?: compare_numbers(x->rank, y->rank)
		?: finding_order(x->finding, y->finding);
}

static bool same_sentence(const struct verify_finding *a, const struct verify_finding *b)
{
	return !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry) &&
	       !strcmp(a->message, b->message);
}

/*
 * Sets the findings of @out to those of the @length items at @first. Findings with the same entry and message
 * are listed once.
 */
static void collect_sentences(struct acceptance *out, const struct version_finding *first, size_t length,
			      struct arena *arena)
{
	const struct verify_finding **findings = arena_array(arena, length, sizeof(*findings));
	size_t count = 0;

	for (size_t i = 0; i < length; i++) {
		size_t same = 0;

		while (same < count && !same_sentence(findings[same], first[i].finding))
			same++;
		if (same == count)
			findings[count++] = first[i].finding;
	}
	out->findings = findings;
	out->finding_count = count;
}

/* Checks whether the parser would read @text as one word of a line. */
static bool is_line_word(const char *text)
{
	for (const char *at = text; *at; at++)
		if (!isgraph((unsigned char)*at))
			return false;
	return *text;
}

/*
 * Spells the versions of a new line, "570.86.15" or "550.40.07..570.86.15". Return: 0; ERR_FORMAT if a
 * line cannot contain one of them.
 */
static int versions_word(const char **out, const struct version_finding *first,
			 const struct version_finding *last, struct arena *arena, struct err *err)
{
	const char *ends[] = { first->version, last->version };

	for (int i = 0; i < 2; i++)
		if (!is_line_word(ends[i]) || strstr(ends[i], "..") || !strcmp(ends[i], "*"))
			return err_set(
				err, ERR_FORMAT,
				"a line of a suppression file cannot contain the version '%s'; rename it in the "
				"table, or with --version",
				ends[i]);
	*out = first->rank == last->rank ? ends[0] : arena_printf(arena, "%s..%s", ends[0], ends[1]);
	return 0;
}

/* Adds a glob that matches @text, a name or path. '?' stands for ':', ',', blanks and unprintable bytes. */
static void add_glob(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("*?[]\\", *text))
			strbuf_addch(out, '\\');
		strbuf_addch(out, isgraph((unsigned char)*text) && !strchr(":,", *text) ? *text : '?');
	}
}

/* Adds the distinct paths of the findings of a new line, ":a,b"; nothing if no finding has a path. */
static void add_fields(struct strbuf *out, const struct version_finding *first, size_t length)
{
	bool has_path = false;
	size_t same;

	for (size_t i = 0; i < length; i++)
		has_path = has_path || *first[i].finding->path;
	for (size_t i = 0; has_path && i < length; i++) {
		for (same = 0; strcmp(first[same].finding->path, first[i].finding->path);)
			same++;
		if (same < i)
			continue;
		strbuf_addch(out, i ? ',' : ':');
		add_glob(out, first[i].finding->path);
	}
}

/*
 * Copies a line that already exists. Unprintable bytes of its entry become '?'. Its rule and date were
 * checked when it was read. Return: 0; ERR_FORMAT for unprintable bytes in its versions.
 */
static int copy_line(struct acceptance *out, const struct suppression *by, struct arena *arena,
		     struct err *err)
{
	char *entry = arena_strdup(arena, by->entry);

	for (char *at = entry; *at; at++)
		if (!isgraph((unsigned char)*at))
			*at = '?';
	if (!is_line_word(by->versions))
		return err_set(
			err, ERR_FORMAT,
			"line %u of the suppression file has unprintable characters in its versions; rewrite them",
			by->line);
	out->rule = by->rule_text;
	out->entry = entry;
	out->versions = by->versions;
	out->expires = by->expires_text;
	out->reason = by->reason;
	return 0;
}

/*
 * Makes the line that suppresses the @length items at @first, sorted by version; a copy if the file has such
 * a line. Return: 0; ERR_FORMAT if a line cannot contain the entry or a version.
 */
static int make_output_line(struct acceptance *out, const struct version_finding *first, size_t length,
			    struct arena *arena, struct err *err)
{
	const struct suppression *by = first->by;
	struct strbuf entry = { 0 };

	collect_sentences(out, first, length, arena);
	if (by)
		return copy_line(out, by, arena, err);
	if (!*first->finding->entry)
		return err_set(
			err, ERR_FORMAT,
			"a suppression file cannot have a line for an entry without a name; name the entry in the table");
	out->rule = verify_rule_name(first->finding->rule);
	add_glob(&entry, first->finding->entry);
	add_fields(&entry, first, length);
	out->entry = strbuf_take(&entry, arena);
	out->expires = "never";
	out->reason = ACCEPT_TODO;
	return versions_word(&out->versions, first, &first[length - 1], arena, err);
}

int accept_findings(struct acceptances *out, const struct accept_version *versions, size_t count,
		    struct arena *arena, struct err *err)
{
	struct version_finding *items;
	const size_t item_count = collect_items(&items, versions, count, arena);
	struct acceptances lines = { 0 };
	struct acceptance *line;
	size_t length;
	int rc;

	sort_items(items, item_count, sizeof(*items), compare_for_output);
	lines.item = line = arena_array(arena, item_count + 1, sizeof(*line));
	for (size_t i = 0; i < item_count; i += length) {
		const struct version_finding *first = &items[i];

		length = 1; /* items that go into the same line of the output */
		while (i + length < item_count && !compare_output_lines(first, &first[length]) &&
		       (first->by || first[length].rank <= first[length - 1].rank + 1))
			length++;
		if ((rc = make_output_line(&line[lines.count++], first, length, arena, err)))
			return rc;
		lines.unexplained += first->by ? first->by->unexplained : true;
	}
	*out = lines;
	return 0;
}
