/* use - read rules about the use of fields ("drvabi-use/1"), and apply them to calls of the demo driver */
#include "lib/fuzz.h"

#include "decode/internal.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

static void check_spans(const struct use_span *spans, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		MUST(spans[i].since && (!spans[i].until || abi_version_compare(spans[i].since, spans[i].until) < 0));
		MUST(!i || (spans[i - 1].until && abi_version_compare(spans[i - 1].until, spans[i].since) <= 0));
	}
}

static void check_rules(const struct use_rules *rules)
{
	for (size_t i = 0; i < rules->pids.count; i++) {
		const struct pid_rule *rule = &rules->pids.rules[i];

		MUST(rule->record && rule->path && rule->evidence && rule->direction != USE_UNKNOWN);
		check_spans(rule->converts, rule->convert_count);
	}
	for (size_t i = 0; i < rules->pointers.count; i++) {
		const struct pointer_rule *rule = &rules->pointers.rules[i];

		MUST(rule->record && rule->path && rule->element && use_direction_name(rule->direction));
		MUST((!rule->times || rule->count) && !(rule->equals & ~rule->mask));
		check_spans(rule->versions, rule->version_count);
	}
	for (size_t i = 0; i < rules->unions.count; i++) {
		const struct union_rule *rule = &rules->unions.rules[i];

		MUST(rule->record && rule->field && rule->by && rule->evidence);
		for (size_t c = 0; c < rule->choice_count; c++)
			MUST(rule->choices[c].member && call_choice(rule, rule->choices[c].value) == &rule->choices[c]);
		check_spans(rule->versions, rule->version_count);
	}
}

/* apply_rules - decode each record of the demo driver as ioctl parameters that begin with the input */
static void apply_rules(const struct use_rules *rules, const uint8_t *data, size_t size, struct arena *arena)
{
	const struct abi *abi = fuzz_demo_abi();
	const struct decode_scope scope = { .pointers = &rules->pointers, .unions = &rules->unions };

	for (size_t i = 0; i < abi->record_count; i++) {
		const struct abi_record *record = &abi->records[i];
		uint8_t *bytes = xmalloc(record->size_bytes + 1);
		struct call_pointer pointers[CALL_POINTERS_MAX];
		const struct call call = { .family = "", .record = record->name, .bytes = bytes, .size_bytes = record->size_bytes };
		const size_t recorded = size < record->size_bytes ? size : record->size_bytes;
		uint8_t *start = xmalloc(recorded); /* this size exactly: the sanitizer detects reads past the end */
		const struct decode_payload whole = { bytes, NULL, record->size_bytes, record->size_bytes },
					    part = { start, NULL, record->size_bytes, recorded };
		struct decode_fields fields;
		struct err err = { "" };

		memset(bytes, 0xff, record->size_bytes + 1);
		memcpy(bytes, data, recorded);
		memcpy(start, data, recorded);
		MUST(call_pointers(pointers, &call, 0, abi, &rules->pointers, NULL) <= CALL_POINTERS_MAX);
		if (decode_fields(&fields, &scope, abi, record->name, &whole, arena, &err) ||
		    decode_fields(&fields, &scope, abi, record->name, &part, arena, &err))
			fuzz_sentence(&err);
		free(start);
		free(bytes);
	}
}

static void list_pids(const struct use_rules *rules, struct arena *arena)
{
	struct surface surface;
	struct err err = { "" };
	struct pids pids;

	MUST(!surface_select(&surface, fuzz_demo_abi(), NULL, &(struct surface_filter){ .family = NULL }, arena, &err));
	if (pids_select(&pids, &surface, rules, arena, &err))
		fuzz_sentence(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct arena arena = { 0 };
	struct use_rules rules;
	struct err err = { "" };

	if (json_read_use(&rules, text, size, "use.json", &arena, &err)) {
		fuzz_sentence(&err);
	} else {
		check_rules(&rules);
		apply_rules(&rules, data, size, &arena);
		list_pids(&rules, &arena);
	}
	arena_release(&arena);
	free(text);
	return 0;
}
