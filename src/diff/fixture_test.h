/*
 * diff/fixture_test.h - compare two documents that are written as text, and write the diff as text
 *
 * A row of a table has a fact, two documents (abi/document_test.h), and all changes between the documents.
 * Everything is in one arena, which is released after each row and each test.
 */
#ifndef DIFF_FIXTURE_TEST_H
#define DIFF_FIXTURE_TEST_H

#include "diff/diff.h"
#include "abi/table_test.h"

#define DIFF_TEST(name) TEST_WITH(name, NULL, end_test)

static struct arena arena;

static inline int end_test(void **state)
{
	arena_release(&arena);
	return 0;
}

static inline const struct diff *compared(const char *base, const char *next,
					  const struct diff_options *options)
{
	struct diff *diff = arena_alloc(&arena, sizeof(*diff));
	const struct abi *was = document_of_version("1", base, &arena);
	const struct abi *is = document_of_version("2.0", next, &arena);
	struct err err = { "" };

	if (diff_documents(diff, was, is, options, &arena, &err))
		fail_msg("%s", err.text);
	return diff;
}

/* --- the result as text ----------------------------------------------------------------- */

static inline void add_classes(struct strbuf *out, unsigned classes)
{
	const char *separator = " ";

	strbuf_adds(out, classes ? "" : " -");
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		if (classes >> i & 1) {
			strbuf_addf(out, "%s%s", separator, diff_class_name((enum diff_class)(1 << i)));
			separator = "|";
		}
}

static inline void add_texts(struct strbuf *out, const char *what, const char *const *texts, size_t count,
			     const char *separator)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? separator : what, texts[i]);
}

static inline void add_text(struct strbuf *out, const char *what, const char *text)
{
	add_texts(out, what, &text, text != NULL, "");
}

/* Adds "; b moved layout": the main change of a field, its classes, and its other changes. */
static inline void add_field(struct strbuf *out, const struct diff_field *field)
{
	strbuf_addf(out, "; %s %s", (field->after ? field->after : field->before)->path,
		    diff_op_name(field->op));
	add_classes(out, field->classes);
	if (field->retyped && field->op != DIFF_OP_RETYPED)
		strbuf_adds(out, " retyped");
	if (field->renamed)
		strbuf_addf(out, " was %s", field->before->path);
}

static inline void add_value(struct strbuf *out, const struct diff_value *value)
{
	strbuf_addf(out, "; %s %s", value->name, !value->before ? "added" : !value->after ? "removed" : "is");
	if (value->before && value->after)
		strbuf_addf(out, " %llu", (unsigned long long)value->after->magnitude);
	add_text(out, " was ", value->base_name);
}

/*
 * Adds what the proxy does with the item, what must be done, and why: "; unread/handler by CMD_A, CMD_B for
 * p pointer". "by" precedes the table's entries.
 */
static inline void add_use(struct strbuf *out, const struct diff_change *change)
{
	strbuf_addf(out, "; %s/%s", diff_use_name(change->use), diff_section_name(change->section));
	assert_true(change->proxied || !change->entry_count);
	add_text(out, " passed was ", change->passed_was);
	add_text(out, " passed as ", change->passed_as);
	for (size_t i = 0; i < change->entry_count; i++)
		add_text(out, i ? ", " : " by ", change->entries[i]->name);
	for (size_t i = 0; i < change->new_role_count; i++)
		strbuf_addf(out, " for %s %s", change->new_roles[i].path,
			    abi_role_name(change->new_roles[i].role));
}

/* Adds " in CMD:P.R": the parameters P of CMD contain or point to the item R. Adds " in CMD" if P is R. */
static inline void add_reach(struct strbuf *out, const struct diff_change *change)
{
	for (size_t i = 0; i < change->reach_count; i++) {
		const struct diff_reach *reach = &change->reached_by[i];

		add_text(out, i ? ", " : " in ", reach->ioctl->name);
		if (reach->through_count != 1 || strcmp(reach->through[0], change->name) != 0)
			add_texts(out, ":", reach->through, reach->through_count, ".");
	}
}

/*
 * Adds "record R growth; b added growth; is renamed name was old": the kind, name and classes of a change,
 * other facts about it, and its fields or enumerators. "-" means no classes. A change is reported with the
 * change that "because of", "inside" or "with" names first, unless "under" names a different change. The word
 * "separately" means that it is not reported with another change.
 */
static inline void add_change(struct strbuf *out, const struct diff_change *change, bool has_table)
{
	const char *related = change->with		  ? change->with
			      : change->inside		  ? change->inside
			      : change->because_count ? change->because[0]
							  : NULL;
	const char *under = change->under ? change->under->name : NULL;

	strbuf_addf(out, "%s %s", abi_kind_name(change->kind), change->name);
	add_text(out, " was ", change->base_name);
	add_classes(out, change->classes);
	add_texts(out, " also ", change->also, change->also_count, ",");
	add_text(out, " same as ", change->same_as);
	add_texts(out, " because of ", change->because, change->because_count, ",");
	add_text(out, " inside ", change->inside);
	add_text(out, " with ", change->with);
	if (related && !under)
		strbuf_adds(out, " separately");
	else if (under && (!related || strcmp(related, under) != 0))
		add_text(out, " under ", under);
	add_reach(out, change);
	if (change->number_was) {
		strbuf_addf(out, " number of %s, ", change->number_was);
		if (change->next_ioctl && !change->number_was_is_gone)
			strbuf_addf(out, "now 0x%llx", (unsigned long long)change->number_was_now);
		else
			strbuf_adds(out, change->next_ioctl ? "removed" : "there");
	}
	if (has_table)
		add_use(out, change);
	else
		assert_false(change->use || change->section || change->proxied || change->entry_count ||
			     change->new_role_count);
	for (size_t i = 0; i < change->field_count; i++)
		add_field(out, &change->fields[i]);
	for (size_t i = 0; i < change->value_count; i++)
		add_value(out, &change->values[i]);
	for (size_t i = 0; i < change->flag_count; i++)
		strbuf_addf(out, " %c%s%s", change->flags[i].is_added ? '+' : '-',
			    change->flags[i].kind == DIFF_FLAG_RIGHT ? "right " : "", change->flags[i].word);
}

/* Adds a line with the totals that are not 0. */
static inline void add_totals(struct strbuf *out, const struct diff_totals *totals)
{
	const struct {
		const char *name;
		size_t count;
	} all[] = {
		{ "changes", totals->changes },	      { "records", totals->records },
		{ "read", totals->read },	      { "handlers", totals->handlers },
		{ "removed", totals->removed },	      { "renumbered", totals->renumbered },
		{ "renamed", totals->renamed },	      { "entries", totals->entries },
		{ "read entries", totals->read_entries },
	};

	strbuf_adds(out, "\ntotals:");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].count)
			strbuf_addf(out, " %s %zu", all[i].name, all[i].count);
}

/* Checks that the summary and the totals of the classes are those of the listed changes. */
static inline void check_summary(const struct diff *diff)
{
	struct diff_count summary[ABI_KIND_COUNT] = { { 0 } };
	size_t class_total[DIFF_CLASS_COUNT] = { 0 };

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];
		struct diff_count *count = &summary[change->kind];

		assert_string_equal(change->family ? change->family : "none",
				    change->kind != ABI_IOCTL ? "none"
				    : change->next_ioctl      ? change->next_ioctl->family
							      : change->base_ioctl->family);
		count->added += (change->classes & DIFF_ADDED) != 0;
		count->removed += (change->classes & DIFF_REMOVED) != 0;
		count->changed += !(change->classes & (DIFF_ADDED | DIFF_REMOVED));
		for (int c = 0; c < DIFF_CLASS_COUNT; c++)
			class_total[c] += change->classes >> c & 1;
	}
	assert_memory_equal(diff->summary, summary, sizeof(summary));
	assert_memory_equal(diff->class_total, class_total, sizeof(class_total));
}

static inline void add_diff(struct strbuf *out, const struct diff *diff)
{
	check_summary(diff);
	for (size_t i = 0; i < diff->change_count; i++) {
		strbuf_adds(out, "\n");
		add_change(out, &diff->changes[i], diff->view != NULL);
	}
	if (diff->view)
		add_totals(out, &diff->totals);
}

/* --- tables ------------------------------------------------------------------------------ */

/*
 * Two documents, and the changes between them, one on each line. If the first document begins with "only
 * GLOB", only changes that match the glob are listed. The second driver converts the pid "i.converted".
 */
struct diff_fact {
	const char *fact, *base, *next, *changes;
};

/* check_facts - compare the documents of each row. @entries: those of a proxy's table; NULL for no table */
static inline void check_facts(const struct diff_fact *facts, size_t count, const char *entries)
{
	static const struct use_span since_2 = { .since = "2.0" };
	static const struct pid_rule rule = { .record = "*", .path = "i.converted", .converts = &since_2,
					      .convert_count = 1 };
	static const struct use_rules use = { .pids = { &rule, 1 } };
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct diff_options options = { .use = &use };
		const char *base = facts[i].base;
		struct strbuf text = { 0 };

		if (entries)
			options.view = table_view_of("passed 0x8000", entries, &arena);
		if (!strncmp(base, "only ", 5)) {
			base += 5;
			options.record = document_word(&base, &arena);
		}
		add_diff(&text, compared(base, facts[i].next, &options));
		wrong += text_differs(facts[i].fact, &text, facts[i].changes);
		arena_release(&arena);
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(facts, entries) check_facts(facts, sizeof(facts) / sizeof(*(facts)), entries)

#endif
