/*
 * diff/fixture_test.h - make documents in memory, and write a diff as text, for the tests of diff
 *
 * Everything is in one arena, which is released after each test. Offsets and sizes are in bytes, except for
 * bit-fields.
 */
#ifndef DIFF_FIXTURE_TEST_H
#define DIFF_FIXTURE_TEST_H

#include "diff/diff.h"
#include "abi/document_test.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)

static struct arena arena;
static struct abi_builder *base, *next; /* the two documents of the current test */
static struct diff_options options;

static inline int begin_test(void **state)
{
	(void)state;
	options = (struct diff_options){ 0 };
	base = document_new(&arena);
	next = document_new(&arena);
	return 0;
}

static inline int end_test(void **state)
{
	(void)state;
	abi_builder_free(base);
	abi_builder_free(next);
	arena_release(&arena);
	return 0;
}

/* Adds a document's items. @format: the items as text (abi/document_test.h) */
static inline void __attribute__((format(printf, 2, 3)))
put_text(struct abi_builder *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	document_put(doc, arena_vprintf(&arena, format, args), &arena);
	va_end(args);
}

/* Adds the ioctl _IOWR('K', @nr, @params), with a size of @size bytes. */
static inline void put_encoded(struct abi_builder *doc, const char *name, unsigned nr, unsigned size,
			       enum abi_encoding encoding)
{
	const struct abi_ioctl ioctl = {
		.family = "control",
		.name = name,
		.number = UINT64_C(0xc0000000) | size << 16 | 'K' << 8 | nr,
		.source = "",
		.encoding = encoding,
	};

	abi_builder_ioctl(doc, &ioctl);
}

/* Seals and compares both documents. */
static inline const struct diff *compared(void)
{
	struct diff *diff = arena_alloc(&arena, sizeof(*diff));
	const struct abi *was = document_seal(base, "1", &arena), *is = document_seal(next, "2", &arena);
	struct err err = { "" };

	if (diff_documents(diff, was, is, &options, &arena, &err))
		fail_msg("%s", err.text);
	return diff;
}

static inline const struct diff_change *find_change(const struct diff *diff, enum abi_kind kind,
						    const char *name)
{
	for (size_t i = 0; i < diff->change_count; i++)
		if (diff->changes[i].kind == kind && !strcmp(diff->changes[i].name, name))
			return &diff->changes[i];
	return NULL;
}

/* Returns the only change of @kind. */
static inline const struct diff_change *only_change(enum abi_kind kind)
{
	const struct diff *diff = compared();
	const struct diff_change *found = NULL;

	for (size_t i = 0; i < diff->change_count; i++) {
		if (diff->changes[i].kind != kind)
			continue;
		assert_null(found);
		found = &diff->changes[i];
	}
	assert_non_null(found);
	return found;
}

static inline const struct diff_field *find_field(const struct diff_change *change, const char *path)
{
	for (size_t i = 0; i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		if (!strcmp((field->after ? field->after : field->before)->path, path))
			return field;
	}
	fail_msg("no change of %s in %s", path, change->name);
	return NULL;
}

static inline void assert_field(const struct diff_change *change, const char *path, enum diff_op op,
				unsigned classes)
{
	const struct diff_field *field = find_field(change, path);

	assert_string_equal(diff_op_name(field->op), diff_op_name(op));
	assert_int_equal(field->classes, classes);
}

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

static inline void add_texts(struct strbuf *out, const char *what, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		strbuf_addf(out, "%s%s", i ? "," : what, texts[i]);
}

/*
 * Appends "record R growth; b added growth; is renamed name was old": the kind, name and classes of a change,
 * other facts about it, and its fields or enumerators. "-" means no classes.
 */
static inline void add_change(struct strbuf *out, const struct diff_change *change)
{
	strbuf_addf(out, "%s %s", abi_kind_name(change->kind), change->name);
	add_texts(out, " was ", &change->base_name, change->base_name != NULL);
	add_classes(out, change->classes);
	add_texts(out, " also ", change->also, change->also_count);
	add_texts(out, " same as ", &change->same_as, change->same_as != NULL);
	add_texts(out, " because of ", change->because, change->because_count);
	add_texts(out, " inside ", &change->inside, change->inside != NULL);
	add_texts(out, " with ", &change->with, change->with != NULL);
	if (change->number_was) {
		strbuf_addf(out, " number of %s, ", change->number_was);
		if (change->next_ioctl && !change->number_was_is_gone)
			strbuf_addf(out, "now 0x%llx", (unsigned long long)change->number_was_now);
		else
			strbuf_adds(out, change->next_ioctl ? "removed" : "there");
	}
	for (size_t i = 0; i < change->field_count; i++) {
		const struct diff_field *field = &change->fields[i];

		strbuf_addf(out, "; %s %s", (field->after ? field->after : field->before)->path,
			    diff_op_name(field->op));
		add_classes(out, field->classes);
		if (field->retyped && field->op != DIFF_OP_RETYPED)
			strbuf_adds(out, " retyped");
		if (field->renamed)
			strbuf_addf(out, " was %s", field->before->path);
	}
	for (size_t i = 0; i < change->value_count; i++) {
		const struct diff_value *value = &change->values[i];

		strbuf_addf(out, "; %s %s", value->name,
			    !value->before  ? "added"
			    : !value->after ? "removed"
					    : "is");
		if (value->before && value->after)
			strbuf_addf(out, " %llu", (unsigned long long)value->after->magnitude);
		add_texts(out, " was ", &value->base_name, value->base_name != NULL);
	}
}

/* Two documents, and the changes between them, one on each line. */
struct diff_fact {
	const char *fact, *base, *next, *changes;
};

static inline void check_facts(const struct diff_fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };
		const struct diff *diff;

		begin_test(NULL);
		put_text(base, "%s", facts[i].base);
		put_text(next, "%s", facts[i].next);
		diff = compared();
		for (size_t c = 0; c < diff->change_count; c++) {
			strbuf_adds(&text, c ? "\n" : "");
			add_change(&text, &diff->changes[c]);
		}
		assert_false(text_differs(facts[i].fact, &text, facts[i].changes));
		end_test(NULL);
	}
}

#endif
