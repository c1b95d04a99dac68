/* report/verify_summary.c - counts and comparisons that several renderers of verify print; below all of them */
#include "report/verify_internal.h"

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

/* The versions that were compared, and with @unavailable those too that could not be and count or were accepted, oldest first, as their numbers in the report. Return: how many. */
static size_t compared_versions(size_t *out, const struct verify_report *report, bool unavailable)
{
	size_t count = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		size_t at = count;

		if (report->versions[i].status == VERIFY_UNAVAILABLE &&
		    !(unavailable && (report->versions[i].failing || report->versions[i].suppressed_count)))
			continue;
		for (; at && abi_version_compare(report->versions[out[at - 1]].version, report->versions[i].version) > 0; at--)
			out[at] = out[at - 1];
		out[at] = i;
		count++;
	}
	return count;
}

static void group(struct finding_blocks *out, const struct verify_report *report, const struct verify_groups *groups, bool unseen,
		  bool fold, struct arena *arena)
{
	struct finding_at *items;
	size_t total = 0, count = 0;

	for (size_t i = 0; i < report->version_count; i++)
		total += unseen ? report->versions[i].result.unseen_count : report->versions[i].result.finding_count;
	items = arena_array(arena, total + 1, sizeof(*items));
	for (size_t rank = 0; rank < groups->version_count; rank++) {
		const struct verify_result *result = &report->versions[groups->versions[rank]].result;
		const struct verify_finding *findings = unseen ? result->unseen : result->findings;

		for (size_t f = 0; f < (unseen ? result->unseen_count : result->finding_count); f++)
			items[count++] = (struct finding_at){ &findings[f], rank };
	}
	findings_group(out, items, count, fold, arena);
}

void verify_group(struct verify_groups *out, const struct verify_report *report, bool fold, bool unavailable, struct arena *arena)
{
	size_t *versions = arena_array(arena, report->version_count + 1, sizeof(*versions));
	const char **names = arena_array(arena, report->version_count + 1, sizeof(*names));
	struct verify_groups groups = { .versions = versions, .names = names };

	groups.version_count = compared_versions(versions, report, unavailable);
	for (size_t rank = 0; rank < groups.version_count; rank++)
		names[rank] = report->versions[versions[rank]].version;
	group(&groups.findings, report, &groups, false, fold, arena);
	group(&groups.unseen, report, &groups, true, fold, arena);
	*out = groups;
}

bool verify_line_versions(struct strbuf *out, const struct verify_groups *groups, const struct finding_line *line)
{
	if (line->version_count == groups->version_count) {
		strbuf_addf(out, "all %zu versions compared", groups->version_count);
		return groups->version_count > 1;
	}
	findings_runs(out, groups->names, line->versions, line->version_count);
	if (line->version_count > 2)
		strbuf_addf(out, " (%zu versions)", line->version_count);
	return true;
}

size_t verify_unseen_entries(const struct verify_report *report)
{
	struct verify_groups groups;
	struct arena arena = { 0 };

	verify_group(&groups, report, false, false, &arena);
	arena_release(&arena);
	return groups.unseen.entry_count;
}

const struct suppression *verify_accepted(const struct verify_version *version)
{
	return version->status == VERIFY_UNAVAILABLE && version->suppressed_count ? version->suppressed[0].by : NULL;
}

void verify_why_unavailable(struct strbuf *out, const struct verify_version *version)
{
	strbuf_addf(out, "%s; to check it, %s", version->reason, version->to_do);
}

const char *verify_to_do(const struct verify_report *report)
{
	for (size_t i = 0; i < report->version_count; i++)
		if (report->versions[i].status == VERIFY_UNAVAILABLE)
			return report->versions[i].to_do;
	return NULL;
}

void verify_totals(struct strbuf *out, const struct verify_report *report)
{
	size_t unseen = verify_unseen_entries(report), unavailable = verify_count(report, VERIFY_UNAVAILABLE), failing = 0, accepted = 0;

	for (size_t i = 0; i < report->version_count; i++) {
		failing += report->versions[i].status == VERIFY_UNAVAILABLE && report->versions[i].failing;
		accepted += verify_accepted(&report->versions[i]) != NULL;
	}
	strbuf_addf(out, "%zu of ", report->version_count - unavailable);
	strbuf_plural(out, report->version_count, "version");
	strbuf_addf(out, " checked: %zu pass, %zu fail, %zu unavailable", verify_count(report, VERIFY_PASS), verify_count(report, VERIFY_FAIL),
		    unavailable);
	if (failing)
		strbuf_addf(out, ", of which %zu fail%s the run", failing, failing == 1 ? "s" : "");
	if (accepted)
		strbuf_addf(out, "%s %zu %s accepted", failing ? " and" : ", of which", accepted, accepted == 1 ? "is" : "are");
	if (!unseen)
		return;
	strbuf_adds(out, "; not everything of ");
	strbuf_plural(out, unseen, "entry");
	strbuf_adds(out, " could be checked");
}
