#include "cli/sniff_summary.h"

#include "cli/against.h"
#include "cli/output.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* While a summary is made. */
struct summing {
	const struct sniff_log *log;
	struct decode_summary summary;
	const struct table_entry **entries; /* of the proxy, that the workload needs */
	size_t entry_count;
	struct strbuf add;                  /* names that the proxy lacks, each once */
	size_t unsupported;                 /* distinct ioctls */
	struct arena arena;
};

static int sum_one(struct summing *summing, const struct sniff_used *used, struct err *err)
{
	const struct decode_input input = {
		.family = used->family, .number = used->number, .has_size = used->has_size, .size_bytes = used->size_bytes,
		.has_ret = true, .ret = used->ret, .has_status = used->has_status, .status = used->status,
	};
	struct decode_call *call = arena_alloc(&summing->arena, sizeof(*call));
	int rc;

	if ((rc = decode_call(call, &input, &summing->log->scope, &summing->arena, err)))
		return rc;
	decode_summary_add(&summing->summary, call, used->count);
	if (call->has_table && call->forwarded.entry)
		summing->entries[summing->entry_count++] = call->forwarded.entry;
	return 0;
}

/* Is it the first with that number and that support? Others have another size or status. */
static bool is_first(const struct sniff_use *use, size_t index)
{
	const struct sniff_used *used = &use->used[index];

	for (size_t i = 0; i < index; i++)
		if (use->used[i].support == used->support && use->used[i].number == used->number && !strcmp(use->used[i].family, used->family))
			return false;
	return true;
}

static const char *support_words(enum sniff_support support)
{
	switch (support) {
	case SNIFF_FORWARDED: return NULL;
	case SNIFF_PASSED: return "passed through without an entry";
	case SNIFF_REFUSED: return "not in the table, but the driver refuses it, too";
	case SNIFF_LACKING: return "not supported";
	}
	return NULL;
}

/* The ioctls of one support, a line each. */
static void sum_support(struct strbuf *out, struct summing *summing, enum sniff_support support)
{
	const struct sniff_log *log = summing->log;

	for (size_t i = 0; i < log->use.count; i++) {
		const struct sniff_used *used = &log->use.used[i];
		const struct abi_ioctl *ioctl;

		if (used->support != support || !is_first(&log->use, i))
			continue;
		ioctl = call_find(log->judge.abi, used->family, used->number);
		strbuf_addf(out, "%s: %s 0x%llx %s\n", support_words(support), used->family, (unsigned long long)used->number,
			    ioctl ? ioctl->name : "(no ioctl of this version)");
		if (support != SNIFF_LACKING)
			continue;
		summing->unsupported++;
		if (ioctl)
			strbuf_addf(&summing->add, " %s", ioctl->name);
	}
}

static void sum_unidentified(struct strbuf *out, const struct sniff_log *log)
{
	if (!log->use.unidentified)
		return;
	strbuf_plural(out, log->use.unidentified, "call");
	strbuf_adds(out, " of devices whose ioctls are not known, such as ");
	escape_terminal(out, log->use.unidentified_path);
	strbuf_addch(out, '\n');
}

static void sum_caps(struct strbuf *out, struct summing *summing)
{
	const char *const *caps;

	sniff_cover(&caps, summing->entries, summing->entry_count, &summing->arena);
	if (!*caps)
		return;
	strbuf_adds(out, "capabilities that cover what is forwarded:");
	for (; *caps; caps++)
		strbuf_addf(out, " %s", *caps);
	strbuf_addch(out, '\n');
}

static void sum_proxy(struct strbuf *out, struct summing *summing)
{
	const struct sniff_log *log = summing->log;

	if (!log->judge.node)
		strbuf_addf(out, "%s has no version that stands for %s\n", log->scope.table_name, log->judge.abi->version);
	if (!log->args->quiet) {
		sum_support(out, summing, SNIFF_PASSED);
		sum_support(out, summing, SNIFF_REFUSED);
	}
	sum_support(out, summing, SNIFF_LACKING);
	sum_unidentified(out, log);
	if (!log->args->quiet) {
		sum_caps(out, summing);
		if (!summing->unsupported && !log->use.unidentified && log->use.count)
			strbuf_addf(out, "%s supports all of them at %s\n", log->scope.table_name, log->judge.abi->version);
	}
	if (summing->add.length)
		strbuf_addf(out, "to add them: drvabi bootstrap --add%s --table %s\n", summing->add.text, log->scope.table_name);
}

static int sum_against(struct strbuf *out, const struct sniff_log *log, const struct report_style *style, struct err *err)
{
	bool is_other;

	return log->seen ? against_render(out, &is_other, log->seen, &log->scope, "text", style, err) : 0;
}

int sniff_summary(struct strbuf *out, const struct sniff_log *log, struct err *err)
{
	struct summing summing = { .log = log };
	struct report_style style = output_style(log->args);
	int rc = 0;

	style.color = false;
	summing.entries = arena_array(&summing.arena, log->use.count + 1, sizeof(*summing.entries));
	for (size_t i = 0; !rc && i < log->use.count; i++)
		rc = sum_one(&summing, &log->use.used[i], err);
	if (!rc && !log->args->quiet)
		report_decode_summary(out, &summing.summary, &style);
	if (!rc) {
		sum_proxy(out, &summing);
		rc = sum_against(out, log, &style, err);
	}
	decode_summary_release(&summing.summary);
	strbuf_release(&summing.add);
	arena_release(&summing.arena);
	return rc;
}
