/*
 * Makes the documents of versions from the things of a target:
 *
 * 1. unpack() reads all things of the target, and the versions that have each thing.
 * 2. For each wanted version, open_cursors() finds the list of lines of every file.
 * 3. select_things() selects the things of one kind that the version has, in the order in which
 *    archive_write.c appended their lines. Each thing uses the next line in the list of its file.
 * 4. At the end, every line must have been used, and no name may occur twice. Otherwise, the archive is
 *    inconsistent.
 * 5. If a version does not differ from the previous version, it gets a copy of the previous document, which
 *    shares all elements.
 */
#include "store/internal.h"

/*
 * The versions that have a thing, as sorted spans, with at least one version between two spans. The set does
 * not own the spans.
 */
struct version_set {
	const struct abi_span *spans;
	size_t count;
};

/* The source of a thing in the last document that has the thing. */
struct known_source {
	const char *text; /* NULL: no document has the thing yet */
	int64_t line;
};

/* The things of one kind, in the order of documents. The arrays are indexed by thing. */
struct things {
	char *items;                  /* see thing_parts() */
	size_t count, size_bytes;     /* @size_bytes is the size of one item */
	struct version_set *versions; /* select_things() drops the spans that have ended */
	uint32_t *rank;               /* things with the same name have the same rank */
	struct place *places;         /* NULL: this kind has no sources */
	struct known_source *known;   /* versions with the same source share its text */
};

/* A list of lines. */
struct unpacked_lines {
	struct byte_reader in;
	uint32_t path;
	struct version_set versions;
};

/* A list of lines, and the position after the last line that was read. */
struct line_cursor {
	struct byte_reader in;
	int64_t line; /* the last line that was read */
};

/* The contents of an archive for one target. */
struct unpacked {
	const struct archive *archive;
	size_t target;               /* the target's index */
	struct parts parts;          /* reads the things */
	struct byte_reader version_sets;
	struct abi_record *layouts;  /* size, align, is_union, fields */
	size_t layout_count;
	size_t next_layout;          /* the first layout that has not been read yet */
	struct view *paths;          /* NUL-terminated */
	struct things things[THING_KIND_COUNT];
	struct unpacked_lines *lines;
	size_t line_count;
	bool *differs;               /* indexed by version: true if it differs from the previous version */
	struct line_cursor *cursors; /* indexed by path: the lines of the version that is read */
	size_t *selected;            /* the things of one kind that the version has */
	char *elements;              /* memory for the elements of the documents that were not read yet */
	size_t element_bytes;
	bool failed;                 /* the archive is inconsistent */
	struct arena *arena;         /* owns what documents point to: strings, fields, enumerators, flags and
					warnings */
	struct arena *scratch;       /* owns everything else; can be @arena */
};

/* --- the versions that have a thing ---------------------------------------------- */

static bool version_set_has(const struct version_set *set, uint32_t version)
{
	for (size_t i = 0; i < set->count && set->spans[i].from <= version; i++)
		if (version < set->spans[i].until)
			return true;
	return false;
}

/*
 * Reads the versions that have a thing, for one target: @count spans, each written as its distance from the
 * previous span, and its length minus 1. If a span is invalid, all->version_sets fails.
 */
static struct version_set read_spans(struct unpacked *all, size_t count)
{
	uint64_t versions = all->archive->head.graph.count;
	struct abi_span *spans = arena_array(all->scratch, count + 1, sizeof(*spans));
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t gap = byte_reader_number(&all->version_sets);
		uint64_t length;

		if (gap >= versions - end || (i && !gap)) {
			byte_reader_fail(&all->version_sets);
			break;
		}
		length = byte_reader_below(&all->version_sets, versions - end - gap) + 1;
		spans[i] = (struct abi_span){ (uint32_t)(end + gap), (uint32_t)(end + gap + length) };
		end += gap + length;
	}
	return (struct version_set){ spans, count };
}

/*
 * Reads which versions of the wanted target have a thing, and skips the sets of the other targets. Sets
 * all->differs where a span begins, or has ended, so that other versions get copies of documents. If no
 * target has the thing, all->version_sets fails.
 */
static struct version_set read_version_set(struct unpacked *all)
{
	struct version_set wanted = { NULL, 0 }, now = { NULL, 0 };
	bool is_anywhere = false;

	for (size_t target = 0; target < all->archive->head.target_count; target++) {
		const size_t count = byte_reader_count(&all->version_sets, 1);

		if (!target || count != ARCHIVE_SET_AS_BEFORE)
			now = read_spans(all, target ? count - ARCHIVE_SET_OWN : count);
		is_anywhere |= now.count;
		if (target == all->target)
			wanted = now;
	}
	if (!is_anywhere)
		byte_reader_fail(&all->version_sets);
	for (size_t i = 0; i < wanted.count; i++) {
		all->differs[wanted.spans[i].from] = true;
		all->differs[wanted.spans[i].until] = true;
	}
	return wanted;
}

/* --- the things of one target --------------------------------------------------- */

/*
 * Reads the layout of @record: the layout itself at its first use, and later only its number, with which the
 * layout is copied from all->layouts. If the number is invalid, all->parts.in fails.
 */
static void read_layout(struct unpacked *all, struct abi_record *record)
{
	const uint64_t number = byte_reader_number(&all->parts.in);
	const char *name = record->name;

	if (number == ARCHIVE_LAYOUT_NEW && all->next_layout < all->layout_count) {
		thing_parts(&all->parts, THING_LAYOUT, record, NULL);
		all->layouts[all->next_layout++] = *record;
	} else if (number && number - ARCHIVE_LAYOUT_KNOWN < all->next_layout) {
		*record = all->layouts[number - ARCHIVE_LAYOUT_KNOWN];
		record->name = name;
	} else {
		byte_reader_fail(&all->parts.in);
	}
}

/*
 * Reads all things of one kind into all->things[@kind], each with the versions that have it. If a thing is
 * invalid, or is not in the order of documents, all->parts.in fails.
 */
static void read_things(struct unpacked *all, size_t kind)
{
	/* The minimum size of a thing in the block. */
	static const size_t least_bytes[THING_KIND_COUNT] = {
		[ABI_RECORD] = 4, [ABI_ALIAS] = 3, [ABI_ENUM] = 6, [ABI_CONSTANT] = 3, [ABI_IOCTL] = 8,
		[THING_WARNINGS] = 1,
	};
	struct things *things = &all->things[kind];
	const size_t count = byte_reader_count(&all->parts.in, least_bytes[kind]);
	const size_t size = thing_bytes(kind);
	char *items = arena_array(all->scratch, count + 1, size);

	*things = (struct things){
		.items = items,
		.count = count,
		.size_bytes = size,
		.versions = arena_array(all->scratch, count + 1, sizeof(*things->versions)),
		.rank = arena_array(all->scratch, count + 1, sizeof(*things->rank)),
	};
	if (kind != THING_WARNINGS && abi_item_source((enum abi_kind)kind, items)) {
		things->places = arena_array(all->scratch, count + 1, sizeof(*things->places));
		things->known = arena_array(all->scratch, count + 1, sizeof(*things->known));
	}
	for (size_t i = 0; i < count && !all->parts.in.failed; i++) {
		char *item = items + i * size;
		int step;

		things->versions[i] = read_version_set(all);
		thing_parts(&all->parts, kind, item, things->places ? &things->places[i] : NULL);
		if (kind == ABI_RECORD)
			read_layout(all, (struct abi_record *)item);
		if (kind == THING_WARNINGS && !((struct abi *)item)->warning_count)
			byte_reader_fail(&all->parts.in); /* an empty list is not written */
		if (!i || kind == THING_WARNINGS || all->parts.in.failed)
			continue;
		step = abi_order_items((enum abi_kind)kind, item - size, item);
		things->rank[i] = things->rank[i - 1] + (step < 0);
		if (step > 0) /* not in the order of documents */
			byte_reader_fail(&all->parts.in);
	}
}

/* Reads the block ARCHIVE_THINGS into @all. Return: false if a byte is missing, superfluous or invalid. */
static bool open_things(struct unpacked *all)
{
	struct byte_reader *in = &all->parts.in;
	size_t most = 0;

	all->parts.path_count = byte_reader_count(in, 1);
	all->paths = arena_array(all->scratch, all->parts.path_count + 1, sizeof(*all->paths));
	for (size_t i = 0; i < all->parts.path_count; i++)
		all->paths[i] = view_of(text_part(&all->parts, NULL));
	all->layout_count = byte_reader_count(in, 4);
	all->layouts = arena_array(all->scratch, all->layout_count + 1, sizeof(*all->layouts));
	for (size_t kind = 0; kind < THING_KIND_COUNT; kind++) {
		read_things(all, kind);
		if (all->things[kind].count > most)
			most = all->things[kind].count;
	}
	all->selected = arena_array(all->scratch, most + 1, sizeof(*all->selected));
	return byte_reader_is_done(in) && all->parts.next_string == all->parts.string_count &&
	       all->next_layout == all->layout_count;
}

/* Finds the lists of lines in @in, which read_source() reads. Return: false if the block is damaged. */
static bool open_lines(struct unpacked *all, struct byte_reader *in)
{
	all->line_count = byte_reader_count(in, 2);
	all->lines = arena_array(all->scratch, all->line_count + 1, sizeof(*all->lines));
	for (size_t i = 0; i < all->line_count; i++) {
		struct unpacked_lines *lines = &all->lines[i];
		size_t size;

		lines->versions = read_version_set(all);
		lines->path = (uint32_t)byte_reader_below(in, all->parts.path_count);
		size = byte_reader_count(in, 1);
		byte_reader_init(&lines->in, in->at, size);
		in->at += size;
	}
	return byte_reader_is_done(in);
}

/* Sets parts->strings, which point into the block. Return: false if the block is damaged. */
static bool open_strings(struct parts *parts, struct byte_reader *in, struct arena *scratch)
{
	parts->string_count = byte_reader_count(in, 1);
	parts->strings = arena_array(scratch, parts->string_count + 1, sizeof(*parts->strings));
	for (size_t i = 0; i < parts->string_count; i++)
		parts->strings[i] = byte_reader_text(in);
	return byte_reader_is_done(in);
}

/**
 * unpack - read the contents for one target
 * @out: points into @archive, @arena and @scratch, which are explained in struct unpacked
 *
 * Return: 0; ERR_FORMAT if the archive is inconsistent.
 */
static int unpack(struct unpacked *out, const struct archive *archive, size_t target, struct arena *arena,
		  struct arena *scratch, struct err *err)
{
	struct byte_reader blocks[ARCHIVE_BLOCK_COUNT];
	bool whole = true;

	*out = (struct unpacked){ .archive = archive, .target = target,
				  .parts = { .reads = true, .arena = arena },
				  .arena = arena, .scratch = scratch };
	out->differs = arena_array(scratch, archive->head.graph.count + 2, sizeof(*out->differs));
	for (size_t i = ARCHIVE_STRINGS; whole && i < ARCHIVE_BLOCK_COUNT; i++)
		whole = block_unpack(&blocks[i], &archive->blocks[i], i == ARCHIVE_STRINGS ? arena : scratch);
	if (whole) {
		out->parts.in = blocks[ARCHIVE_THINGS];
		out->version_sets = blocks[ARCHIVE_VERSION_SETS];
	}
	if (whole && open_strings(&out->parts, &blocks[ARCHIVE_STRINGS], scratch) && open_things(out) &&
	    open_lines(out, &blocks[ARCHIVE_LINES]) && byte_reader_is_done(&out->version_sets))
		return 0;
	return err_set(err, ERR_FORMAT, "%s: the archive is inconsistent; it was not written by this drvabi",
		       archive->name);
}

/* --- documents ------------------------------------------------------------------ */

enum { ELEMENTS_LIMIT_BYTES = 256 * 1024 * 1024 };

/*
 * Prepares all->cursors to read the lines of @version: sets the cursor of each file to the file's list in
 * this version. If the version has two lists for a file, sets all->failed.
 */
static void open_cursors(struct unpacked *all, uint32_t version)
{
	memset(all->cursors, 0, (all->parts.path_count + 1) * sizeof(*all->cursors));
	for (size_t i = 0; i < all->line_count; i++) {
		struct line_cursor *cursor = &all->cursors[all->lines[i].path];

		if (!version_set_has(&all->lines[i].versions, version))
			continue;
		if (cursor->in.end)
			all->failed = true;
		cursor->in = all->lines[i].in;
	}
}

/*
 * Returns the place where a thing is declared, "path:line:column", in all->arena. Reads the line number, if
 * the place has one, from the cursor of its file. If the line is the same as in the last document with the
 * thing, returns the same text again. If the number is invalid, the cursor fails.
 */
static const char *read_source(struct unpacked *all, const struct place *place, struct known_source *known)
{
	const struct view path = all->paths[place->path];
	struct line_cursor *cursor = &all->cursors[place->path];

	if (place->form != ARCHIVE_LOCATION_WHOLE) {
		uint64_t step = byte_reader_number(&cursor->in);

		if (step > 2 * (uint64_t)UINT32_MAX)
			step = byte_reader_fail(&cursor->in);
		cursor->line += varint_unfolded(step);
		if (cursor->line < 0 || cursor->line > UINT32_MAX) {
			byte_reader_fail(&cursor->in);
			cursor->line = 0;
		}
	}
	if (!known->text || known->line != cursor->line)
		*known = (struct known_source){ location_join(path.at, path.length, place->form,
							      (uint32_t)cursor->line, all->arena),
						cursor->line };
	return known->text;
}

/*
 * Allocates the elements of all documents at once, because this is faster: history of all releases takes 10 %
 * less time. All of NVIDIA's releases need 40 MB, and only forged archives reach the limit. @anew: indexed by
 * version: true if the version's document is read
 */
static void reserve_elements(struct unpacked *all, const bool *anew)
{
	const size_t versions = all->archive->head.graph.count;
	size_t *before = arena_array(all->scratch, versions + 1, sizeof(*before)); /* documents before it */

	for (size_t i = 0; i < versions; i++)
		before[i + 1] = before[i] + anew[i];
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		for (size_t i = 0; i < all->things[kind].count; i++)
			for (size_t k = 0; k < all->things[kind].versions[i].count; k++) {
				const struct abi_span span = all->things[kind].versions[i].spans[k];

				all->element_bytes += (before[span.until] - before[span.from]) *
						      all->things[kind].size_bytes;
			}
	if (all->element_bytes > ELEMENTS_LIMIT_BYTES)
		all->element_bytes = ELEMENTS_LIMIT_BYTES;
	all->elements = arena_alloc(all->arena, all->element_bytes);
}

/* Returns zeroed memory for elements, from reserve_elements(); from the arena if that is too small. */
static void *take_elements(struct unpacked *all, size_t count, size_t size)
{
	char *elements = all->elements;

	if (count > all->element_bytes / size)
		return arena_array(all->arena, count, size);
	all->elements += count * size;
	all->element_bytes -= count * size;
	return elements;
}

/*
 * Adds the things of one kind that @version has to @abi, and reads their sources. Drops earlier spans, so
 * versions must be read in ascending order. If two things have one name, sets all->failed.
 */
static void select_things(struct abi *abi, struct unpacked *all, size_t kind, uint32_t version)
{
	struct things *things = &all->things[kind];
	const struct abi *warned = (const struct abi *)things->items;
	const size_t size = things->size_bytes;
	size_t count = 0;
	char *items, *item;

	for (size_t thing = 0; thing < things->count; thing++) {
		struct version_set *left = &things->versions[thing];

		for (; left->count && left->spans->until <= version; left->count--)
			left->spans++;
		if (!left->count || left->spans->from > version)
			continue;
		if (count && things->rank[all->selected[count - 1]] == things->rank[thing])
			all->failed = true;
		all->selected[count++] = thing;
	}
	if (count && kind == THING_WARNINGS) {
		abi->warnings = warned[all->selected[0]].warnings;
		abi->warning_count = warned[all->selected[0]].warning_count;
	}
	if (!count || kind == THING_WARNINGS)
		return;
	item = items = take_elements(all, count, size);
	for (size_t k = 0; k < count; k++, item += size) {
		const size_t thing = all->selected[k];

		memcpy(item, things->items + thing * size, size);
		if (things->places)
			*abi_item_source((enum abi_kind)kind, item) =
				read_source(all, &things->places[thing], &things->known[thing]);
	}
	abi_set_items(abi, (enum abi_kind)kind, items, count);
}

/*
 * Makes the document of head->versions[@index]: finds the lines of each file, selects the things that the
 * version has, and checks that all lines were used. Return: 0; ERR_FORMAT if the archive is inconsistent.
 */
static int read_document(struct abi *out, struct unpacked *all, size_t index, struct err *err)
{
	const struct archive_head *head = &all->archive->head;
	const uint32_t version = (uint32_t)index;
	struct abi abi = { .driver = head->driver,
			   .version = head->graph.versions[index].name,
			   .commit = head->graph.versions[index].commit,
			   .target = head->targets[all->target] };

	open_cursors(all, version);
	for (size_t kind = 0; kind < THING_KIND_COUNT; kind++)
		select_things(&abi, all, kind, version);
	for (size_t i = 0; i < all->parts.path_count; i++) /* all lines must have been used */
		all->failed |= !byte_reader_is_done(&all->cursors[i].in);
	if (all->failed)
		return err_set(
			err, ERR_FORMAT,
			"%s: the archive is inconsistent for version %s; it was not written by this drvabi",
			all->archive->name, abi.version);
	*out = abi;
	return 0;
}

/*
 * Reads the documents of all versions for which @out is not NULL. A version without differences gets a copy
 * of the previous document. Return: 0; ERR_FORMAT.
 */
static int read_documents(struct abi *const *out, struct unpacked *all, struct err *err)
{
	const struct source_graph *graph = &all->archive->head.graph;
	bool *anew = arena_array(all->scratch, graph->count + 1, sizeof(*anew)); /* the others are copies */
	int rc = 0;

	for (size_t i = 0; i < graph->count; i++)
		anew[i] = out[i] && (!i || all->differs[i] || !out[i - 1]);
	reserve_elements(all, anew);
	all->cursors = arena_array(all->scratch, all->parts.path_count + 1, sizeof(*all->cursors));
	for (size_t i = 0; !rc && i < graph->count; i++) {
		if (anew[i]) {
			rc = read_document(out[i], all, i, err);
		} else if (out[i]) {
			*out[i] = *out[i - 1];
			out[i]->version = graph->versions[i].name;
			out[i]->commit = graph->versions[i].commit;
		}
	}
	return rc;
}

/* Lists the things, except warnings, that any version of the target has, with pointers into @all. */
static struct abi_index make_index(struct unpacked *all)
{
	struct abi_index_item *items, *item;
	size_t most = 0;

	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++)
		most += all->things[kind].count;
	item = items = arena_array(all->arena, most + 1, sizeof(*items));
	for (size_t kind = 0; kind < ABI_KIND_COUNT; kind++) {
		const struct things *things = &all->things[kind];
		const char *thing = things->items;

		for (size_t i = 0; i < things->count; i++, thing += things->size_bytes) {
			const struct abi_ioctl *ioctl = (const void *)thing;
			const struct abi_constant *constant = (const void *)thing;

			if (!things->versions[i].count) /* this target does not have the thing */
				continue;
			item->kind = (enum abi_kind)kind;
			item->name = abi_item_name(item->kind, thing);
			if (kind == ABI_IOCTL) {
				item->family = ioctl->family;
				item->number = abi_number_unsigned(ioctl->number);
			} else if (kind == ABI_CONSTANT) {
				item->number = constant->value;
			}
			item->spans = things->versions[i].spans;
			item++->span_count = things->versions[i].count;
		}
	}
	return (struct abi_index){ items, (size_t)(item - items) };
}

int archive_documents(struct abi *const *out, struct abi_index *index, const struct archive *archive,
		      size_t target, struct arena *arena, struct err *err)
{
	struct arena scratch = { 0 };
	struct unpacked all;
	struct abi_index made = { NULL, 0 };
	int rc;

	if (!(rc = unpack(&all, archive, target, arena, index ? arena : &scratch, err))) {
		if (index)
			made = make_index(&all); /* first, because reading documents drops spans */
		rc = read_documents(out, &all, err);
	}
	if (!rc && index)
		*index = made;
	arena_release(&scratch);
	return rc;
}

int archive_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err)
{
	struct abi got, *documents[] = { &got };
	struct arena scratch = { 0 };
	const struct archive *archive;
	const char *const *absent;
	struct byte_reader in;
	size_t count;
	int rc;

	byte_reader_init(&in, data, size);
	count = texts_read(&absent, &in, arena);
	if (in.failed)
		return err_set(err, ERR_FORMAT, "the packed document is truncated");
	rc = archive_open(&archive, in.at, (size_t)(in.end - in.at), "a packed document", &scratch, err);
	if (!rc && (archive->head.graph.count != 1 || archive->head.target_count != 1))
		rc = err_set(err, ERR_FORMAT, "a packed document must have one version and one target");
	if (!rc && !(rc = archive_documents(documents, NULL, archive, 0, arena, err))) {
		*abi = got;
		abi->driver = arena_strdup(arena, got.driver); /* @scratch owns the strings of @got */
		abi->version = arena_strdup(arena, got.version);
		abi->commit = arena_strdup(arena, got.commit);
		abi->target = arena_strdup(arena, got.target);
		abi->absent = absent;
		abi->absent_count = count;
	}
	arena_release(&scratch);
	return rc;
}
