#include "cli/commands.h"
#include "cli/load_table.h"
#include "cli/output.h"
#include "cli/word.h"

#include "decode/decode.h"
#include "flatten/flatten.h"
#include "report/report.h"

#include <string.h>

/* What one run of show has read. */
struct show {
	const struct cli_args *args;
	struct store_request request;
	struct store_request *others; /* by word: a version that has what the one that was asked for has not */
	struct word_scope words;
	struct table table;           /* with args->table */
	struct arena *arena;          /* the request's */
};

/* One word's document, and which of the versions it is. */
struct shown {
	const struct abi *abi;
	size_t version;
};

static int show_request(struct store_request *request, const struct cli_args *args, struct err *err)
{
	if (!args->word_count)
		return err_set(err, ERR_USAGE, "what should be shown? drvabi show NAME, or a number");
	if (args->expand && strcmp(args->format, "c"))
		return err_set(err, ERR_USAGE, "--expand is for declarations of C; give --format c as well");
	request->json = args->json;
	request->version = args->version;
	if (args->dir && args->version)
		return err_set(err, ERR_USAGE, "--dir is a tree without versions; leave --version out");
	return 0;
}

static int show_load(struct show *show, struct err *err)
{
	int rc;

	if ((rc = show_request(&show->request, show->args, err)) ||
	    (rc = word_load(&show->words, &show->request, show->args, err)))
		return rc;
	show->others = arena_array(show->arena, show->args->word_count, sizeof(*show->others));
	if (!show->args->table)
		return 0;
	show->words.table = &show->table;
	return load_table_for(&show->table, show->request.abi.driver, show->args, show->arena, err);
}

static void show_release(struct show *show)
{
	if (show->others)
		load_documents_release(show->others, show->args->word_count);
	load_documents_release(&show->request, 1);
}

/* NV_ESC_RM_ALLOC has one of two records, by the size of the call; the driver's tables name one of them. */
static void add_sized_user(struct show_item *out, const struct abi *abi, const struct abi_record *record, struct arena *arena)
{
	const struct abi_ioctl *ioctl = call_sized_ioctl(abi, record->name);
	const char **through = arena_memdup(arena, &record->name, sizeof(*through));
	struct diff_reach *users;

	if (!ioctl)
		return;
	users = arena_array(arena, out->user_count + 1, sizeof(*users));
	if (out->user_count)
		memcpy(users, out->users, out->user_count * sizeof(*users));
	users[out->user_count++] = (struct diff_reach){ .ioctl = ioctl, .through = through, .through_count = 1 };
	out->users = users;
}

/* The layout of a record, and the ioctls that carry it. */
static int draw(struct show_item *out, const struct abi *abi, const struct abi_record *record, struct arena *arena, struct err *err)
{
	struct abi_layout *layout = arena_alloc(arena, sizeof(*layout));
	int rc;

	if ((rc = flatten_record(layout, abi, record->name, arena, err)) ||
	    (rc = diff_users(&out->users, &out->user_count, abi, record, arena, err)))
		return rc;
	out->layout = layout;
	add_sized_user(out, abi, record, arena);
	return 0;
}

/* A glob lists ioctls without their parameters: there may be hundreds. */
static const struct abi_record *record_of(const struct abi *abi, const struct lookup_item *item, const struct lookup_word *word)
{
	if (item->ioctl && (word->is_number || !history_is_glob(word->text)))
		return lookup_record(abi, item->ioctl);
	return item->record;
}

static int show_items(struct show_word *out, const struct show *show, const struct shown *shown, struct err *err)
{
	struct show_item *items = arena_array(show->arena, out->lookup->item_count + 1, sizeof(*items));
	int rc;

	for (size_t i = 0; i < out->lookup->item_count; i++) {
		const struct abi_record *record = record_of(shown->abi, &out->lookup->items[i], out->word);

		items[i].item = &out->lookup->items[i];
		items[i].record = record;
		if (record && strcmp(show->args->format, "c") && (rc = draw(&items[i], shown->abi, record, show->arena, err)))
			return rc;
		word_describe(&items[i], &show->words, shown->abi, shown->version, show->arena);
	}
	out->items = items;
	return 0;
}

/* Looks the word up in the nearest version that has it; loads that version's document. */
static int show_nearest(struct lookup *out, struct shown *shown, struct show *show, size_t index, const struct lookup_word *word,
			struct err *err)
{
	struct store_request *request = &show->others[index];
	size_t nearest = out->nearest;
	int rc;

	request->version = show->words.graph.versions[nearest].version;
	if ((rc = load_documents(request, 1, show->args, err)))
		return rc;
	word_lookup_at(out, word, &show->words, &request->abi, nearest, show->arena);
	*shown = (struct shown){ &request->abi, nearest };
	return 0;
}

static int show_word(struct show_word *out, struct show *show, size_t index, struct err *err)
{
	struct lookup_word *word = arena_alloc(show->arena, sizeof(*word));
	struct lookup *lookup = arena_alloc(show->arena, sizeof(*lookup));
	struct shown shown = { &show->request.abi, show->words.scope.version };
	int rc;

	word_read(word, show->args->words[index]);
	lookup_find(lookup, &show->words.scope, word, show->arena);
	if ((rc = word_check(lookup, word, &show->words, err)) ||
	    (word_is_elsewhere(lookup, &show->words) && (rc = show_nearest(lookup, &shown, show, index, word, err))))
		return rc;
	*out = (struct show_word){ .word = word, .abi = shown.abi, .lookup = lookup };
	return show_items(out, show, &shown, err);
}

static int show_render(struct strbuf *out, const struct show_report *report, const struct cli_args *args, struct err *err)
{
	struct report_style style = output_style(args);

	if (!strcmp(args->format, "c"))
		return report_show_c(out, report, args->expand, err);
	if (!strcmp(args->format, "json"))
		report_show_json(out, report);
	else
		report_show_text(out, report, &style);
	return 0;
}

int cmd_show(const struct cli_args *args, struct err *err)
{
	struct show show = { .args = args, .arena = &show.request.arena };
	struct show_report report = { .abi = &show.request.abi, .graph = &show.words.graph, .count = args->word_count };
	struct strbuf out = { 0 };
	struct show_word *words;
	int rc;

	if ((rc = show_load(&show, err)))
		goto out;
	words = arena_array(show.arena, args->word_count, sizeof(*words));
	for (size_t i = 0; i < args->word_count; i++)
		if ((rc = show_word(&words[i], &show, i, err)))
			goto out;
	report.words = words;
	if (!(rc = show_render(&out, &report, args, err)))
		rc = output_write(&out, args, err);
out:
	strbuf_release(&out);
	show_release(&show);
	return rc;
}
