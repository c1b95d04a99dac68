#include "extract/excerpt.h"

#include <stdlib.h>
#include <string.h>

struct excerpt {
	const struct plan *plan;
	const bool *wanted;
	bool **shown;      /* by file, by chunk; NULL: none is */
	bool *is_whole;    /* by file: it is shown as it is, but for #includes */
	bool *is_needed;   /* by file: it is wanted, or something of it is shown */
	bool *is_live;     /* by file: it is needed, or one begins in it */
	bool *is_asked;    /* by file: it may be included where that cannot be taken out */
	const char **raw;  /* by file: its text in the tree, if it was read */
};

static bool *new_flags(const struct plan *plan)
{
	return arena_array(plan->arena, plan->count, sizeof(bool));
}

static bool *shown_of(struct excerpt *excerpt, size_t index)
{
	const struct plan *plan = excerpt->plan;

	if (!excerpt->shown[index])
		excerpt->shown[index] = arena_array(plan->arena, plan->files[index].text->digest.chunk_count, sizeof(bool));
	return excerpt->shown[index];
}

static void show_relevant(struct excerpt *excerpt, const struct plan_file *file)
{
	for (size_t i = 0; i < file->relevant_count; i++) {
		const struct plan_seat *seat = &file->relevant[i];

		excerpt->is_needed[seat->file] = true;
		if (seat->chunk == PLAN_WHOLE)
			excerpt->is_whole[seat->file] = true;
		else
			shown_of(excerpt, seat->file)[seat->chunk] = true;
	}
}

struct excerpt *excerpt_new(const struct plan *plan, const bool *wanted)
{
	struct excerpt *excerpt = arena_alloc(plan->arena, sizeof(*excerpt));

	*excerpt = (struct excerpt){
		.plan = plan, .wanted = wanted, .shown = arena_array(plan->arena, plan->count, sizeof(*excerpt->shown)),
		.is_whole = new_flags(plan), .is_needed = new_flags(plan), .is_live = new_flags(plan), .is_asked = new_flags(plan),
		.raw = arena_array(plan->arena, plan->count, sizeof(*excerpt->raw)),
	};
	for (size_t i = 0; i < plan->count; i++) {
		if (!wanted[i])
			continue;
		excerpt->is_needed[i] = true;
		excerpt->is_whole[i] = !plan->files[i].text->digest.is_split;
		show_relevant(excerpt, &plan->files[i]);
	}
	for (size_t i = 0; i < plan->count; i++)
		for (size_t at = i; excerpt->is_needed[i] && !excerpt->is_live[at]; at = plan->files[at].opener)
			excerpt->is_live[at] = true;
	return excerpt;
}

/* --- texts ------------------------------------------------------------------ */

/*
 * Every file begins at one place, under a header or in another file; what
 * includes it later finds it done. So of all #includes those are kept at which
 * a file that is needed begins, or one in which another such begins; then all
 * of them begin in the order in which they would with all files.
 */
static bool is_kept(const struct excerpt *excerpt, size_t index, const struct plan_target *target)
{
	const struct plan_file *other = &excerpt->plan->files[target->file];

	return excerpt->is_live[target->file] && other->opener == index && other->ordinal == target->ordinal;
}

/* A text in the making, whose lines and columns are those of the whole one. */
struct some {
	struct strbuf text;
	const char *at;      /* in the whole text: so far lines were counted */
	size_t lines, line;  /* of that place, and of the end of what was written */
};

static void write_chunk(struct some *some, const char *bytes, const struct digest_chunk *chunk)
{
	const char *start = bytes + chunk->start, *end = bytes + chunk->end, *newline;

	while ((newline = memchr(some->at, '\n', (size_t)(start - some->at)))) {
		some->at = newline + 1;
		some->lines++;
	}
	for (; some->line < some->lines; some->line++)
		strbuf_addch(&some->text, '\n');
	for (; some->at < start; some->at++)
		strbuf_addch(&some->text, ' ');
	strbuf_add(&some->text, start, (size_t)(end - start));
	for (const char *at = start; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		some->line++;
	strbuf_addch(&some->text, '\n');
	some->line++;
}

static void write_include(struct some *some, const char *path, const char *open, const char *close)
{
	strbuf_addf(&some->text, "#include %s%s%s\n", open, path, close);
	some->line++;
}

/*
 * The chunks of a file that are shown, and the #includes that are kept, each
 * of which takes no more room than it had. Those of a file that is wanted and
 * lead to no file stay, since they may lead to clang's own, or be errors.
 */
static struct strbuf write_some(const struct excerpt *excerpt, size_t index, const char *bytes)
{
	const struct plan_file *file = &excerpt->plan->files[index];
	const struct digest *digest = &file->text->digest;
	const bool *shown = excerpt->shown[index];
	struct some some = { .at = bytes };
	size_t chunk = 0, t = 0;
	bool is_inside;

	for (size_t i = 0; i <= digest->include_count; i++) {
		const struct digest_include *include = &digest->includes[i];
		const struct plan_target *target = t < file->target_count && file->targets[t].ordinal == i ? &file->targets[t++] : NULL;

		for (; shown && chunk < digest->chunk_count && digest->chunks[chunk].seen <= i; chunk++)
			if (shown[chunk])
				write_chunk(&some, bytes, &digest->chunks[chunk]);
		/* One in a chunk is there if that is shown. If not, it counts all the same where it is kept. */
		is_inside = i < digest->include_count && chunk && include->at < digest->chunks[chunk - 1].end;
		if (i == digest->include_count || (is_inside && shown && shown[chunk - 1]))
			continue;
		if (target && is_kept(excerpt, index, target))
			write_include(&some, excerpt->plan->files[target->file].text->path, "\"" CLOSURE_ROOT, "\"");
		else if (!target && !is_inside && excerpt->wanted[index])
			write_include(&some, include->spelled.at, include->kind == SCAN_QUOTED ? "\"" : "<", include->kind == SCAN_QUOTED ? "\"" : ">");
	}
	strbuf_adds(&some.text, "#pragma once\n");
	return some.text;
}

/* The line on which an #include stands, if nothing else does and it does not go on: from the "#" on. */
static char *include_line(char *bytes, const struct digest_include *include)
{
	char *spelled = bytes + include->at, *at = spelled - 1, *end = spelled + include->spelled.length + 1;

	while (*end == ' ' || *end == '\t' || *end == '\r')
		end++;
	while (at > bytes && at[-1] != '\n')
		at--;
	while (*at == ' ' || *at == '\t')
		at++;
	return *at == '#' && *end == '\n' && at[1] == 'i' && !memchr(at, '/', (size_t)(spelled - at)) ? at : NULL;
}

/* A file as it is, but for #includes that are not kept. */
static const char *write_whole(const struct excerpt *excerpt, size_t index, const char *bytes, size_t size)
{
	const struct plan_file *file = &excerpt->plan->files[index];
	char *copy = arena_strndup(excerpt->plan->arena, bytes, size), *line;

	for (size_t t = 0; t < file->target_count; t++) {
		if (is_kept(excerpt, index, &file->targets[t]))
			continue;
		line = include_line(copy, &file->text->digest.includes[file->targets[t].ordinal]);
		if (line)
			memset(line, ' ', strcspn(line, "\r\n"));
	}
	return copy;
}

/* --- files ------------------------------------------------------------------ */

/* Is an #include in the middle of something that may be shown? */
static bool is_in_chunk(const struct digest *digest, const struct digest_include *include)
{
	size_t low = 0, high = digest->chunk_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (digest->chunks[middle].start <= include->at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && include->at < digest->chunks[low - 1].end;
}

/* What is not taken out must lead somewhere. */
static void ask_for_targets(struct excerpt *excerpt, size_t index)
{
	const struct plan_file *file = &excerpt->plan->files[index];
	const struct digest *digest = &file->text->digest;

	for (size_t t = 0; t < file->target_count; t++)
		if (excerpt->is_whole[index] || (excerpt->wanted[index] && digest->must_be_scanned) ||
		    is_in_chunk(digest, &digest->includes[file->targets[t].ordinal]))
			excerpt->is_asked[file->targets[t].file] = true;
}

static int put_file(struct excerpt *excerpt, struct closure *closure, size_t index, excerpt_read *read, struct err *err)
{
	const struct plan *plan = excerpt->plan;
	struct share_text *text = plan->files[index].text;
	const char *bytes = "";
	size_t size = 0;
	int rc;

	if (excerpt->is_needed[index] && (rc = read(&bytes, &size, plan, text, err)))
		return rc;
	if (excerpt->is_whole[index]) {
		bytes = write_whole(excerpt, index, bytes, size);
	} else if (!excerpt->wanted[index]) {
		struct strbuf some = write_some(excerpt, index, bytes);

		size = some.length;
		bytes = arena_strndup(plan->arena, strbuf_text(&some), size);
		strbuf_release(&some);
	}
	excerpt->raw[index] = bytes;
	closure_put(closure, text->path, bytes, size)->order = index;
	return 0;
}

int excerpt_load(struct excerpt *excerpt, struct closure *closure, excerpt_read *read, struct err *err)
{
	const struct plan *plan = excerpt->plan;
	int rc = 0;

	closure->is_excerpt = true;
	closure->headers = arena_array(plan->arena, plan->root_count, sizeof(*closure->headers));
	closure->header_count = 0;
	for (size_t i = 0; i < plan->root_count; i++)
		if (excerpt->is_live[i] && plan->files[i].opener == i)
			closure->headers[closure->header_count++] = plan->files[i].text->path;
	for (size_t i = 0; i < plan->count; i++)
		if (excerpt->is_needed[i])
			ask_for_targets(excerpt, i);
	for (size_t i = 0; i < plan->count && !rc; i++)
		if (excerpt->is_live[i] || excerpt->is_asked[i])
			rc = put_file(excerpt, closure, i, read, err);
	return rc;
}

/* --- what a header needs of itself ------------------------------------------ */

#define NONE UINT32_MAX

/* The chunks of one file that are shown, and where its names are given a meaning. */
struct trim {
	const struct digest *digest;
	bool *shown;
	uint32_t *first; /* by hash of a name: of the meanings; NONE */
	uint32_t *next;  /* by meaning: another one with such a hash */
	size_t mask;
	uint32_t *work;  /* chunks whose words are to be looked at */
	size_t work_count;
};

static void trim_show(struct trim *trim, uint32_t chunk)
{
	if (chunk == DIGEST_NO_CHUNK || trim->shown[chunk])
		return;
	trim->shown[chunk] = true;
	trim->work[trim->work_count++] = chunk;
}

static void trim_name(struct trim *trim, uint64_t name)
{
	for (uint32_t at = trim->first[name & trim->mask]; at != NONE; at = trim->next[at])
		if (trim->digest->meanings[at].name == name)
			trim_show(trim, trim->digest->meanings[at].chunk);
}

static void trim_question(void *data, struct view word)
{
	trim_name(data, digest_name(word));
}

/* Show what is fresh, but for macros, and whatever that needs, or is asked for. */
static void find_own(bool *shown, const bool *fresh, const struct digest *digest, struct view questions)
{
	struct trim trim = { .digest = digest, .shown = shown, .mask = 63 };

	while (trim.mask < digest->meaning_count)
		trim.mask = trim.mask * 2 + 1;
	trim.first = xmalloc((trim.mask + 1) * sizeof(*trim.first));
	trim.next = xmalloc((digest->meaning_count + 1) * sizeof(*trim.next));
	trim.work = xmalloc((digest->chunk_count + 1) * sizeof(*trim.work));
	memset(trim.first, 0xff, (trim.mask + 1) * sizeof(*trim.first));
	for (size_t i = 0; i < digest->meaning_count; i++) {
		uint32_t *first = &trim.first[digest->meanings[i].name & trim.mask];

		trim.next[i] = *first;
		*first = (uint32_t)i;
	}
	for (uint32_t i = 0; i < digest->chunk_count; i++)
		if (shown[i])
			trim.work[trim.work_count++] = i;
		else if (fresh ? fresh[i] : !digest->chunks[i].is_define)
			trim_show(&trim, i);
	scan_words(questions, &trim, trim_question);
	while (trim.work_count) {
		uint32_t chunk = trim.work[--trim.work_count];

		for (uint32_t w = digest->chunks[chunk].word; w < digest->chunks[chunk + 1].word; w++)
			trim_name(&trim, digest_word(digest->words[w]));
	}
	free(trim.first);
	free(trim.next);
	free(trim.work);
}

void excerpt_trim(struct excerpt *excerpt, struct closure *closure, bool *const *fresh, struct view questions)
{
	const struct plan *plan = excerpt->plan;

	for (size_t i = 0; i < closure->file_count; i++) {
		struct closure_file *file = closure->files[i];
		const struct digest *digest = &plan->files[file->order].text->digest;
		struct strbuf some;

		/* One whose #includes were spelled anew is shown as it is now. */
		if (excerpt->wanted[file->order] && !excerpt->is_whole[file->order] && file->text == excerpt->raw[file->order]) {
			find_own(shown_of(excerpt, file->order), fresh[file->order], digest, questions);
			some = write_some(excerpt, file->order, file->text);
			file->text = arena_strndup(plan->arena, strbuf_text(&some), some.length);
			file->size = some.length;
			strbuf_release(&some);
		}
		tree_forget(closure->tree, file->path);
	}
}
