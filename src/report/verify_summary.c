/* report/verify_summary.c - counts and comparisons that several renderers of verify print; below all of them */
#include "report/verify_internal.h"

#include <stdlib.h>
#include <string.h>

const char *verify_status_name(enum verify_status status)
{
	switch (status) {
	case VERIFY_PASS: return "pass";
	case VERIFY_FAIL: return "fail";
	case VERIFY_UNAVAILABLE: return "unavailable";
	}
	return "";
}

const char *verify_state(const struct suppression *line)
{
	return line->expired ? "expired" : line->untried ? "untried" : !line->used ? "unused" : line->unexplained ? "unexplained" : "used";
}

bool verify_is_settled(const struct suppression *line)
{
	return line->untried || (line->used && !line->expired && !line->unexplained);
}

size_t verify_count(const struct verify_report *report, enum verify_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		count += report->versions[i].status == status;
	return count;
}

static bool same_finding(const struct verify_finding *a, const struct verify_finding *b)
{
	return a->rule == b->rule && !strcmp(a->family, b->family) && !strcmp(a->entry, b->entry) && !strcmp(a->message, b->message);
}

bool verify_same_findings(const struct verify_version *a, const struct verify_version *b)
{
	if (a->result.finding_count != b->result.finding_count)
		return false;
	for (size_t i = 0; i < a->result.finding_count; i++)
		if (!same_finding(&a->result.findings[i], &b->result.findings[i]))
			return false;
	return true;
}

const struct verify_version *verify_same_as(const struct verify_report *report, size_t index)
{
	const struct verify_version *version = &report->versions[index];

	for (size_t i = 0; i < index && version->result.finding_count; i++)
		if (verify_same_findings(&report->versions[i], version))
			return &report->versions[i];
	return NULL;
}

static struct verify_unseen_sum *find_sum(struct verify_unseen_sum *sums, size_t count, const struct verify_finding *unseen)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(sums[i].unseen.family, unseen->family) && !strcmp(sums[i].unseen.entry, unseen->entry) &&
		    !strcmp(sums[i].unseen.message, unseen->message))
			return &sums[i];
	return NULL;
}

size_t verify_unseen_sums(struct verify_unseen_sum **out, const struct verify_report *report)
{
	struct verify_unseen_sum *sums = NULL, *sum;
	size_t count = 0, capacity = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		for (size_t u = 0; u < report->versions[i].result.unseen_count; u++) {
			const struct verify_finding *unseen = &report->versions[i].result.unseen[u];

			sum = find_sum(sums, count, unseen);
			if (!sum) {
				ARRAY_GROW(sums, count, capacity);
				sum = &sums[count++];
				*sum = (struct verify_unseen_sum){ .unseen = *unseen };
			}
			sum->versions++;
		}
	}
	*out = sums;
	return count;
}

/* Is an earlier sum about the same entry? */
static bool is_counted(const struct verify_unseen_sum *sums, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(sums[i].unseen.family, sums[index].unseen.family) && !strcmp(sums[i].unseen.entry, sums[index].unseen.entry))
			return true;
	return false;
}

size_t verify_unseen_entries(const struct verify_report *report)
{
	struct verify_unseen_sum *sums;
	size_t count = verify_unseen_sums(&sums, report), entries = 0;

	for (size_t i = 0; i < count; i++)
		entries += !is_counted(sums, i);
	free(sums);
	return entries;
}

void verify_totals(struct strbuf *out, const struct verify_report *report)
{
	size_t unseen = verify_unseen_entries(report);

	strbuf_addf(out, "%zu pass, %zu fail, %zu unavailable", verify_count(report, VERIFY_PASS), verify_count(report, VERIFY_FAIL),
		    verify_count(report, VERIFY_UNAVAILABLE));
	if (!unseen)
		return;
	strbuf_adds(out, "; not everything of ");
	report_plural(out, unseen, "entry");
	strbuf_adds(out, " could be checked");
}
