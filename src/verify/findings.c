/* verify/findings.c - the rules, and a growing list of findings */
#include "verify/internal.h"

static const char *const names[VERIFY_RULE_COUNT] = {
	[VERIFY_NUMBER] = "number",
	[VERIFY_REUSED_NUMBER] = "reused-number",
	[VERIFY_MISSING_RECORD] = "missing-record",
	[VERIFY_SIZE] = "size",
	[VERIFY_FIELD_OFFSET] = "field-offset",
	[VERIFY_FIELD_TYPE] = "field-type",
	[VERIFY_FIELD_MISSING] = "field-missing",
	[VERIFY_PADDING_OVERLAP] = "padding-overlap",
	[VERIFY_NOT_SIMPLE] = "not-simple",
	[VERIFY_AS_IS] = "as-is",
	[VERIFY_SURFACE] = "surface",
	[VERIFY_HANDLER] = "handler",
	[VERIFY_CODE] = "code",
	[VERIFY_CAPS] = "caps",
	[VERIFY_KERNEL_POINTER] = "kernel-pointer",
	[VERIFY_LACKING] = "unavailable",
};

const char *verify_rule_name(enum verify_rule rule)
{
	return names[rule];
}

bool verify_rule_warns(enum verify_rule rule)
{
	return rule == VERIFY_KERNEL_POINTER || rule == VERIFY_LACKING;
}

int verify_rule_parse(enum verify_rule *rule, const char *name, struct err *err)
{
	struct strbuf known = { 0 };
	int rc;

	for (int i = 0; i < VERIFY_RULE_COUNT; i++)
		if (!strcmp(names[i], name)) {
			*rule = (enum verify_rule)i;
			return 0;
		}
	for (int i = 0; i < VERIFY_RULE_COUNT; i++)
		strbuf_addf(&known, "%s%s", i ? ", " : "", names[i]);
	rc = err_set(err, ERR_FORMAT, "unknown rule '%s'; the rules are %s", name, strbuf_text(&known));
	strbuf_release(&known);
	return rc;
}

int verify_rules_parse(bool fails[VERIFY_RULE_COUNT], const char *list, struct err *err)
{
	struct strbuf name = { 0 };
	int rc = 0;

	for (int rule = 0; rule < VERIFY_RULE_COUNT; rule++)
		fails[rule] = !list && !verify_rule_warns((enum verify_rule)rule);
	while (list && *list && !rc) {
		size_t length = strcspn(list, ",");
		enum verify_rule rule;

		strbuf_reset(&name);
		strbuf_add(&name, list, length);
		if (!(rc = verify_rule_parse(&rule, strbuf_text(&name), err)))
			fails[rule] = true;
		list += length + (list[length] == ',');
	}
	strbuf_release(&name);
	return rc;
}

void finding_add(struct finding_list *list, struct verify_finding finding, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	finding.message = arena_strdup(list->arena, text);
	list->item = arena_room(list->arena, list->item, list->count, sizeof(*list->item));
	list->item[list->count++] = finding;
}

/* Checks whether two paths are equal, except for the indices in brackets: "e[0].fd" and "e[1].fd". */
static bool same_but_index(const char *a, const char *b)
{
	while (*a && *a == *b) {
		bool opens = *a == '[';

		a++;
		b++;
		if (opens) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
		}
	}
	return *a == *b;
}

/* Do two findings report one fault in two array elements? Offsets, indices and messages can differ. */
static bool same_fault(const struct verify_finding *a, const struct verify_finding *b)
{
	return a->rule == b->rule && a->unseen == b->unseen && a->driver.present == b->driver.present &&
	       a->proxy.present == b->proxy.present &&
	       (!a->driver.present || !strcmp(a->driver.type, b->driver.type)) &&
	       (!a->proxy.present || !strcmp(a->proxy.type, b->proxy.type)) &&
	       same_but_index(a->path, b->path);
}

void finding_fold(struct finding_list *list, size_t first)
{
	size_t *more = xmalloc((list->count - first + 1) * sizeof(*more));
	size_t count = first;

	for (size_t i = first; i < list->count; i++) {
		size_t like = strchr(list->item[i].path, '[') ? first : count;

		while (like < count && !same_fault(&list->item[like], &list->item[i]))
			like++;
		if (like < count) {
			more[like - first]++;
			continue;
		}
		more[count - first] = 0;
		list->item[count++] = list->item[i];
	}
	list->count = count;
	for (size_t i = first; i < count; i++)
		if (more[i - first])
			list->item[i].message = arena_printf(list->arena, "%s (and in %zu more element%s)",
							     list->item[i].message, more[i - first],
							     more[i - first] == 1 ? "" : "s");
	free(more);
}

int finding_order(const void *a, const void *b)
{
	const struct verify_finding *x = a, *y = b;

	return strcmp(x->family, y->family) ?: strcmp(x->entry, y->entry) ?: strcmp(x->record, y->record)
		?: compare_numbers(x->driver.offset_bytes, y->driver.offset_bytes)
		?: compare_numbers(x->rule, y->rule) ?: strcmp(x->path, y->path)
		?: strcmp(x->message, y->message);
}

/* Orders findings for a report, those that are unseen last. */
static int compare_for_report(const void *a, const void *b)
{
	const struct verify_finding *x = a, *y = b;

	return x->unseen - y->unseen ?: finding_order(x, y);
}

void findings_split(struct verify_result *out, struct finding_list *found)
{
	sort_items(found->item, found->count, sizeof(*found->item), compare_for_report);
	out->finding_count = 0;
	while (out->finding_count < found->count && !found->item[out->finding_count].unseen)
		out->finding_count++;
	out->findings = arena_memdup(found->arena, found->item, found->count * sizeof(*found->item));
	out->unseen = out->findings + out->finding_count;
	out->unseen_count = found->count - out->finding_count;
}
