/*
 * report/world_test.h - one object of every kind that can be reported, with the same name in every field that
 * comes from outside
 *
 * The test of hostile names and the fuzzing target of the renderers use this file.
 */
#ifndef REPORT_WORLD_TEST_H
#define REPORT_WORLD_TEST_H

#include "report/report.h"

/* One object of every kind that can be reported, with the same name everywhere. */
struct world {
	const char *name;
	const char *names[2];
	struct abi_field field;
	struct abi_record record, record_before;
	struct abi_alias alias, alias_before;
	struct abi_enumerator value;
	struct abi_enum one;
	struct abi_constant constant;
	struct abi_ioctl ioctl, ioctl_before;
	struct abi abi;
	struct abi_scalar scalar, scalar_before;
	struct abi_layout layout;
	struct table_entry entry;
	const struct table_entry *entries[1];
	struct table_node node;
	struct table table;
	struct table_view view;
	struct diff_field_side side, side_before;
	struct diff_field fields[3];
	struct abi_number number, number_before;
	struct diff_value values[3];
	struct diff_reach reach;
	struct diff_change changes[ABI_KIND_COUNT + 2]; /* the last change is reported under the record */
	struct diff_new_role new_role;
	const struct diff_change *reported;
	struct ranges_choice choice;
	struct diff diff;
	struct diff_report diff_report;
	struct history_version versions[2];
	struct history_edge edge;
	struct history_graph graph;
	struct history_filter filter;
	struct history_changes edge_changes;
	size_t edges[2];
	struct history_event events[ABI_KIND_COUNT + 1];
	struct history history;
	size_t span_versions[1];
	struct history_move move;
	struct history_span span[2];
	struct history_spans spans;
	struct history_report history_report;
	struct history_timelines timelines;
	struct blame_line line;
	struct blame_name former;
	struct blame blame;
	struct verify_finding finding;
	struct verify_finding unseen;
	const struct verify_finding *found[2];
	struct acceptance acceptance;
	struct acceptances acceptances;
	struct suppression suppression;
	struct suppressions suppressions;
	struct suppressed suppressed;
	struct verify_version verified[2];
	struct verify_report verify;
	size_t by_family[1];
	struct caps_one cap;
	struct caps_set set;
	struct caps caps;
	struct caps_change caps_change;
	struct caps_since since;
	struct surface_row rows[2];
	struct surface surface;
	struct use_span pid_span;
	struct pid_rule pid_rule;
	struct pids_field pids_fields[2];
	struct pids_row pids_row;
	struct pids pids;
	struct ranges_version range_versions[2];
	struct ranges_node range_node;
	size_t set_versions[2];
	struct ranges_set range_set;
	struct ranges_proof proofs[2];
	struct ranges ranges;
	struct ranges_report ranges_report;
	struct bootstrap_node boot_nodes[2];
	struct bootstrap_edit boot_edits[BOOTSTRAP_SITES];
	struct bootstrap_entry boot_entries[3];
	struct bootstrap_candidate boot_candidate;
	struct bootstrap_misplaced boot_misplaced;
	struct bootstrap_fault boot_fault;
	struct bootstrap_audit boot_audit;
	struct bootstrap_passed boot_passed;
	struct bootstrap_todo boot_todo;
	struct proxytype boot_type;
	const struct proxytype *boot_types[1];
	struct bootstrap bootstrap;
	struct abi other_abi;
	struct table_struct table_struct;
	struct table_entry read_entry;
	struct profile_bits bits;
	struct lookup_bits parsed;
	struct lookup_parse parse;
	struct forwarded forwarded[2];
	struct lookup_word word;
	struct lookup_item items[ABI_KIND_COUNT];
	struct lookup lookup;
	const struct history_span *others[1];
	struct show_item show_items[ABI_KIND_COUNT];
	struct show_word show_word;
	struct show_report show;
	struct blame_report blame_report, blame_ioctl_report;
	struct decode_field decode_fields[2];
	struct decode_fold decode_fold;
	struct decode_padding decode_padding;
	struct decode_pointer decode_pointer;
	struct decode_origin decode_origin;
	struct decode_name decode_names[2];
	struct decode_ioctl decode_ioctls[2];
	struct decode_call decode_call;
	struct decode_total decode_total;
	struct decode_summary decode_summary;
	struct decode_seen_ioctl seen;
	struct decode_against_row against_row;
	struct decode_against against;
	struct trace_message trace_event;
};

static inline void world_fill_abi(struct world *w)
{
	const char *name = w->name;

	w->names[0] = w->names[1] = name;
	w->field = (struct abi_field){ .name = name, .type = name, .size_bits = 32 };
	w->record = (struct abi_record){ name, &w->field, 1, 8, 4, false, name };
	w->record_before = (struct abi_record){ name, &w->field, 1, 4, 4, false, name };
	w->alias = (struct abi_alias){ name, name, 4 };
	w->alias_before = (struct abi_alias){ name, "int", 4 };
	w->value = (struct abi_enumerator){ name, { 1, false } };
	w->one = (struct abi_enum){ name, name, 4, &w->value, 1, name };
	w->constant = (struct abi_constant){ name, { 1, false } };
	w->ioctl = (struct abi_ioctl){ name, name, 0x2080,         name, w->names, 2,
				       name, name, ABI_NUMBER_IOC, 1,    name };
	w->ioctl_before = (struct abi_ioctl){ name, name, 0x2081,           "x", w->names, 1,
					      name, name, ABI_NUMBER_PLAIN, 0,   NULL };
	w->abi = (struct abi){ .driver = name, .version = name, .commit = name, .target = name,
			       .records = &w->record, .record_count = 1 };
	w->scalar = (struct abi_scalar){ .path = name, .type = name, .size_bits = 32, .union_path = name };
	w->scalar_before = (struct abi_scalar){ .path = name, .type = "x", .size_bits = 32,
					       .offset_bits = 32 };
	w->layout = (struct abi_layout){ .record = name, .source = name, .size_bytes = 8, .align_bytes = 4,
					 .scalar = &w->scalar, .scalar_count = 1 };
	w->entry = (struct table_entry){ .family = name, .name = name, .caps = w->names, .cap_count = 2 };
	w->entries[0] = &w->entry;
	w->node = (struct table_node){ .version = name, .entries = &w->entry, .entry_count = 1 };
	w->table = (struct table){ .path = name, .proxy = name, .revision = name, .driver = name,
				   .nodes = &w->node, .node_count = 1 };
	w->view = (struct table_view){ &w->table, &w->node, w->entries, 1 };
}

static inline void world_fill_diff(struct world *w)
{
	const char *name = w->name;

	w->side = (struct diff_field_side){ name, name, 0, 32, false, ABI_ROLE_HANDLE };
	w->side_before = (struct diff_field_side){ name, "x", 32, 32, false, ABI_ROLE_NONE };
	w->fields[0] = (struct diff_field){ .after = &w->side };
	w->fields[1] = (struct diff_field){ .before = &w->side };
	w->fields[2] = (struct diff_field){
		.before = &w->side_before, .after = &w->side, .renamed = true, .moved = true
	};
	w->values[0] = (struct diff_value){ name, NULL, NULL, &w->number };
	w->values[1] = (struct diff_value){ name, NULL, &w->number, NULL };
	w->values[2] = (struct diff_value){ name, name, &w->number_before, &w->number };
	w->reach = (struct diff_reach){ &w->ioctl, w->names, 2 };
	for (int kind = 0; kind <= ABI_KIND_COUNT; kind++)
		w->changes[kind] =
			(struct diff_change){ .kind = (enum abi_kind)(kind % ABI_KIND_COUNT), .name = name,
					      .base_name = name, .classes = DIFF_LAYOUT, .proxied = kind % 2,
					      .section = kind % 2 ? DIFF_SECTION_READ : DIFF_SECTION_NONE,
					      .also = w->names, .also_count = 2, .entries = w->entries,
					      .entry_count = 1 };
	w->changes[ABI_RECORD].base_record = &w->record_before;
	w->changes[ABI_RECORD].next_record = &w->record;
	w->changes[ABI_RECORD].fields = w->fields;
	w->changes[ABI_RECORD].field_count = 3;
	w->changes[ABI_RECORD].reached_by = &w->reach;
	w->changes[ABI_RECORD].reach_count = 1;
	w->changes[ABI_ALIAS].base_alias = &w->alias_before;
	w->changes[ABI_ALIAS].next_alias = &w->alias;
	w->changes[ABI_ENUM].base_enum = w->changes[ABI_ENUM].next_enum = &w->one;
	w->changes[ABI_ENUM].values = w->values;
	w->changes[ABI_ENUM].value_count = 3;
	w->changes[ABI_CONSTANT].next_constant = &w->constant;
	w->changes[ABI_CONSTANT].number_was = name;
	w->changes[ABI_IOCTL].family = w->changes[ABI_IOCTL].number_was = name;
	w->changes[ABI_IOCTL].base_ioctl = &w->ioctl_before;
	w->changes[ABI_IOCTL].next_ioctl = &w->ioctl;
	w->changes[ABI_KIND_COUNT].same_as = name;
	w->changes[ABI_KIND_COUNT].next_record = &w->record;
	w->new_role = (struct diff_new_role){ name, ABI_ROLE_POINTER };
	w->changes[ABI_RECORD].new_roles = &w->new_role;
	w->changes[ABI_RECORD].new_role_count = 1;
	w->changes[ABI_RECORD].because = w->names;
	w->changes[ABI_RECORD].because_count = 2;
	w->changes[ABI_KIND_COUNT + 1] = w->changes[ABI_RECORD];
	w->changes[ABI_KIND_COUNT + 1].inside = name;
	w->changes[ABI_KIND_COUNT + 1].under = &w->changes[ABI_RECORD];
	w->reported = &w->changes[ABI_KIND_COUNT + 1];
	w->changes[ABI_RECORD].reported = &w->reported;
	w->changes[ABI_RECORD].reported_count = 1;
	w->choice = (struct ranges_choice){ .version = name, .is_known = true, .fit = RANGES_NEEDS,
					    .follows = &w->node, .fresh = &w->finding, .fresh_count = 1 };
	w->diff = (struct diff){ .base = &w->abi, .next = &w->abi, .view = &w->view, .changes = w->changes,
				 .change_count = ABI_KIND_COUNT + 2 };
	w->diff_report = (struct diff_report){ .diff = &w->diff, .choice = &w->choice, .record = name,
					       .suppressions = &w->suppressions, .suppressed_count = 1 };
}

static inline void world_fill_history(struct world *w)
{
	const char *name = w->name;

	for (int i = 0; i < 2; i++)
		w->versions[i] = (struct history_version){ name, name, 0, i - 1, true, &w->abi };
	w->edge = (struct history_edge){ 1, 0, true };
	w->graph = (struct history_graph){ w->versions, 2, &w->edge, 1 };
	w->filter = (struct history_filter){ .names = w->names, .name_count = 2, .table = &w->table };
	w->edge_changes = (struct history_changes){ .changes = w->changes, .count = ABI_KIND_COUNT + 1 };
	for (int i = 0; i <= ABI_KIND_COUNT; i++)
		w->events[i] = (struct history_event){ .change = &w->changes[i],
						       .carrier_count = i == ABI_RECORD, .edges = w->edges,
						       .edge_count = 2, .inside_release = true,
						       .renumbered = true, .reused = true };
	w->history = (struct history){ .graph = &w->graph, .filter = &w->filter, .changes = &w->edge_changes,
				       .events = w->events, .event_count = ABI_KIND_COUNT + 1,
				       .changed_edges = 1 };
	w->move = (struct history_move){ .kind = ABI_CONSTANT, .name = name, .number = 1 };
	w->span[0] = (struct history_span){ .kind = ABI_IOCTL, .family = name, .name = name,
					    .since = w->span_versions, .since_count = 1,
					    .until = w->span_versions, .until_count = 1, .was = &w->move,
					    .now = &w->move };
	w->span[1] = w->span[0];
	w->span[1].name = "x";
	w->spans = (struct history_spans){ .spans = w->span, .count = 2 };
	w->history_report = (struct history_report){ name, name, name, &w->history, &w->spans };
	w->line = (struct blame_line){ .scalar = &w->scalar, .version = 1, .also = { w->span_versions, 1 },
				       .op = DIFF_OP_RENAMED, .before = &w->scalar_before };
	w->former = (struct blame_name){ name, 0 };
	w->blame = (struct blame){ .name = name, .former = &w->former, .former_count = 1,
				   .layout = &w->layout, .lines = &w->line, .line_count = 1 };
}

static inline void world_fill_verify(struct world *w)
{
	const char *name = w->name;

	w->finding = (struct verify_finding){ VERIFY_SIZE,      name, name, name, name, { .type = name },
					      { .type = name }, name, false };
	w->unseen = w->finding;
	w->unseen.unseen = true;
	w->suppression = (struct suppression){ .line = 1, .rule_text = name, .versions = name,
					       .expires_text = name, .entry = name, .first = "", .last = "",
					       .reason = name, .expired = true };
	w->suppressions = (struct suppressions){ name, &w->suppression, 1 };
	w->suppressed = (struct suppressed){ &w->finding, &w->suppression };
	w->found[0] = &w->finding;
	w->found[1] = &w->unseen;
	w->acceptance = (struct acceptance){ "size", "CMD", "1.0", "never", name, w->found, 2 };
	w->acceptances = (struct acceptances){ &w->acceptance, 1, 1 };
	w->verified[0] = (struct verify_version){ .version = name, .status = VERIFY_FAIL, .failing = 1,
						  .suppressed = &w->suppressed, .suppressed_count = 1,
						  .result = { .view = &w->view, .abi = &w->abi,
							      .findings = &w->finding, .finding_count = 1,
							      .unseen = &w->unseen, .unseen_count = 1,
							      .entry_count = 1 } };
	w->verified[1] = (struct verify_version){
		.version = name, .status = VERIFY_UNAVAILABLE, .reason = name, .to_do = name
	};
	w->verify = (struct verify_report){ .table = &w->table, .versions = w->verified, .version_count = 2,
					    .suppressions = &w->suppressions };
	w->verify.fails[VERIFY_SIZE] = true;
	w->cap = (struct caps_one){ .name = name, .entries = 1, .by_family = w->by_family };
	w->set = (struct caps_set){ w->names, 2, w->entries, 1 };
	w->caps = (struct caps){ .view = &w->view, .families = w->names, .family_count = 1, .caps = &w->cap,
				 .cap_count = 1, .sets = &w->set, .set_count = 1, .unreached = w->entries,
				 .unreached_count = 1 };
	w->caps_change = (struct caps_change){ name, w->entries, 1, w->entries, 1 };
	w->since = (struct caps_since){ &w->view, &w->caps_change, 1 };
	w->rows[0] = (struct surface_row){
		&w->ioctl, &w->entry, w->table.proxy, w->ioctl.params, 8, &w->scalar, 1
	};
	w->rows[1] = (struct surface_row){ .entry = &w->entry };
	w->surface = (struct surface){ &w->abi, &w->view, w->rows, 2, 1u << ABI_ROLE_PID, false, 1, 1, 1 };
}

static inline void world_fill_pids(struct world *w)
{
	const char *name = w->name;

	w->pid_span = (struct use_span){ name, name };
	w->pid_rule = (struct pid_rule){ .record = name, .path = name, .direction = USE_OUT,
					 .converts = &w->pid_span, .convert_count = 1, .evidence = name };
	w->pids_fields[0] = (struct pids_field){ .path = name, .type = name, .width = 4, .stride = 4,
						 .max = 2, .count = &w->scalar, .union_path = name,
						 .rule = &w->pid_rule, .converts = PIDS_NO };
	w->pids_fields[1] = (struct pids_field){ .path = name, .type = name, .width = 4, .max = 1 };
	w->pids_row = (struct pids_row){ &w->rows[0], name, 8, w->pids_fields, 2 };
	w->pids = (struct pids){ &w->surface, &w->pids_row, 1, 1, &w->pids_row, 1 };
}

static inline void world_fill_ranges(struct world *w)
{
	for (int i = 0; i < 2; i++) {
		w->range_versions[i] = (struct ranges_version){
			.node = &w->node, .fit = RANGES_NEEDS, .fresh = &w->finding, .fresh_count = 1
		};
		w->proofs[i] = (struct ranges_proof){ .against = w->names, .against_count = 2 };
		w->set_versions[i] = (size_t)i;
	}
	w->range_node = (struct ranges_node){ .node = &w->node, .follows = &w->node, .is_misplaced = true,
					      .verdict = RANGES_MERGE, .known = &w->finding,
					      .known_count = 1 };
	w->range_set = (struct ranges_set){ w->set_versions, 2 };
	w->ranges = (struct ranges){ .graph = &w->graph, .table = &w->table, .versions = w->range_versions,
				     .nodes = &w->range_node, .sets = &w->range_set, .set_count = 1,
				     .new_nodes = 1 };
	w->ranges_report = (struct ranges_report){ w->name, w->name, &w->ranges, w->proofs };
}

static inline void world_fill_bootstrap_lists(struct world *w)
{
	const char *name = w->name;

	w->boot_candidate = (struct bootstrap_candidate){
		.family = name, .name = name, .number = 1, .first = name, .record = name, .ioctl = &w->ioctl,
		.why = name, .supersedes = name,
		.caps = { .likely = w->names, .likely_count = 2, .evidence = name }
	};
	w->boot_misplaced = (struct bootstrap_misplaced){ name, name, name };
	w->boot_fault = (struct bootstrap_fault){ name, &w->finding };
	w->boot_audit = (struct bootstrap_audit){ name, name, name, name, BOOTSTRAP_MAYBE_POINTER, name };
	w->boot_passed = (struct bootstrap_passed){ name, name, name, name };
	w->boot_todo = (struct bootstrap_todo){ "handler", name, name, name };
	w->boot_type = (struct proxytype){ .type = w->table.types, .record = name, .version = name,
					   .updates = name };
	w->boot_types[0] = &w->boot_type;
}

static inline void world_fill_bootstrap(struct world *w)
{
	const char *name = w->name;

	world_fill_bootstrap_lists(w);
	for (int site = 0; site < BOOTSTRAP_SITES; site++)
		w->boot_edits[site] = (struct bootstrap_edit){ (enum bootstrap_site)site, true, name, name };
	for (int i = 0; i < 3; i++)
		w->boot_entries[i] =
			(struct bootstrap_entry){ .node = name,
						  .action = i ? BOOTSTRAP_REPLACE : BOOTSTRAP_NONE,
						  .was = &w->entry, .now = i < 2 ? &w->entry : NULL,
						  .why = name, .changes = w->names, .change_count = 2,
						  .edits = w->boot_edits, .edit_count = BOOTSTRAP_SITES };
	w->boot_nodes[0] = (struct bootstrap_node){ .version = name, .parent = name, .commit = name };
	w->boot_nodes[1] = (struct bootstrap_node){
		.version = name, .parent = name, .commit = name, .supported = true, .sha256_x86_64 = name
	};
	w->bootstrap = (struct bootstrap){ .table = &w->table, .driver = name, .target = name,
					   .version = name, .commit = name, .parent = name,
					   .parent_commit = name, .why = name, .verdict = BOOTSTRAP_CHANGES,
					   .proof = { .text = w->names, .text_count = 2 },
					   .nodes = w->boot_nodes, .node_count = 2,
					   .entries = w->boot_entries, .entry_count = 3,
					   .types = w->boot_types, .type_count = w->table.type_count ? 1 : 0,
					   .candidates = &w->boot_candidate, .candidate_count = 1,
					   .misplaced = &w->boot_misplaced, .misplaced_count = 1,
					   .faults = &w->boot_fault, .fault_count = 1,
					   .audit = &w->boot_audit, .audit_count = 1,
					   .passed = &w->boot_passed, .passed_count = 1,
					   .not_checked = w->names, .not_checked_count = 2,
					   .todo = &w->boot_todo, .todo_count = 1 };
}

static inline void world_fill_show(struct world *w)
{
	const char *name = w->name;

	w->bits = (struct profile_bits){ .name = name, .width = 8 };
	w->parsed = (struct lookup_bits){ &w->bits, 1, name };
	w->parse = (struct lookup_parse){ name, &w->parsed, 1 };
	w->table_struct = (struct table_struct){ name, name };
	w->read_entry = (struct table_entry){ .family = name, .name = name, .caps = w->names, .cap_count = 2,
					      .structs = &w->table_struct, .struct_count = 1 };
	w->forwarded[0] =
		(struct forwarded){ &w->table, &w->node, FORWARDED_READ, &w->read_entry, &w->node, name };
	w->forwarded[1] = (struct forwarded){ &w->table, &w->node, FORWARDED_NONE, NULL, NULL, NULL };
	w->word = (struct lookup_word){ .text = name };
	for (int kind = 0; kind < ABI_KIND_COUNT; kind++) {
		w->items[kind] = (struct lookup_item){ .kind = (enum abi_kind)kind, .span = w->span };
		w->show_items[kind] = (struct show_item){ .item = &w->items[kind], .parse = &w->parse,
							  .forwarded = &w->forwarded[kind % 2],
							  .abi = &w->other_abi };
	}
	w->items[ABI_RECORD].record = w->show_items[ABI_RECORD].record = w->show_items[ABI_IOCTL].record =
		&w->record;
	w->show_items[ABI_RECORD].layout = w->show_items[ABI_IOCTL].layout = &w->layout;
	w->show_items[ABI_RECORD].users = &w->reach;
	w->show_items[ABI_RECORD].user_count = 1;
	w->items[ABI_ALIAS].alias = &w->alias;
	w->items[ABI_ENUM].one = &w->one;
	w->items[ABI_CONSTANT].constant = &w->constant;
	w->items[ABI_CONSTANT].is_command = true;
	w->items[ABI_IOCTL].ioctl = &w->ioctl;
	w->others[0] = w->span;
	w->lookup = (struct lookup){
		.items = w->items, .item_count = ABI_KIND_COUNT, .others = w->others, .other_count = 1
	};
	w->show_word = (struct show_word){ &w->word, &w->other_abi, true, &w->lookup, w->show_items };
	w->other_abi = w->abi;
	w->show = (struct show_report){ &w->abi, &w->graph, &w->show_word, 1 };
	w->blame_report = (struct blame_report){ .graph = &w->graph, .blame = &w->blame };
	w->blame_ioctl_report = (struct blame_report){ &w->graph, &w->blame, NULL, &w->show_items[ABI_IOCTL],
						       &w->graph };
}

/* Fills a call that changed its parameters, with memory that a pointer points to, inside an envelope. */
static inline void world_fill_decode(struct world *w)
{
	static const uint8_t before[8] = { 1 }, after[8] = { 2 };
	const struct decode_fields fields = { .bytes = after, .before = before, .fields = w->decode_fields,
					      .count = 2, .folds = &w->decode_fold, .fold_count = 1,
					      .padding = &w->decode_padding, .padding_count = 1 };
	const char *name = w->name;

	w->decode_fields[0] = (struct decode_field){ .path = name, .type = name, .size_bits = 32,
						     .kind = ABI_U32, .element_bytes = 4, .count = 1,
						     .shown = 1, .role = ABI_ROLE_HANDLE, .bytes = after,
						     .before = before, .name = name, .name_before = name,
						     .object = name, .member = name };
	w->decode_fields[1] = (struct decode_field){ .path = name, .type = name, .size_bits = 64,
						     .kind = ABI_U32, .element_bytes = 4, .count = 2,
						     .shown = 1, .is_array = true, .bytes = after,
						     .counted_by = name };
	w->decode_fold = (struct decode_fold){
		.first = 1, .until = 1, .path = name, .count = 2, .shown = 1, .counted_by = name
	};
	w->decode_padding = (struct decode_padding){ .size = 4, .is_changed = true };
	w->decode_pointer = (struct decode_pointer){
		.to = { .path = name, .element = name, .counted_by = name, .count = 1, .direction = USE_OUT },
		.fields = fields, .note = name
	};
	w->decode_origin = (struct decode_origin){ 1, 2, 3, 4, { 5, name }, name };
	for (int i = 0; i < 2; i++)
		w->decode_names[i] = (struct decode_name){ name, i, name, w->names, 2, name };
	for (int i = 0; i < 2; i++)
		w->decode_ioctls[i] = (struct decode_ioctl){ .family = name, .number = 1, .name = name,
							     .record = name, .has_size = true,
							     .size_bytes = 8, .abi = &w->abi,
							     .names = w->decode_names, .name_count = 2,
							     .versions = w->names, .version_count = 2,
							     .fields = fields, .pointers = &w->decode_pointer,
							     .pointer_count = 1, .notes = w->names,
							     .note_count = 2 };
	w->decode_call = (struct decode_call){ .ioctls = w->decode_ioctls, .count = 2, .version = name,
					       .origin = &w->decode_origin, .error = 5,
					       .error_name = name, .has_status = true, .status_name = name,
					       .has_table = true,
					       .forwarded = { &w->table, &w->node, FORWARDED_READ,
							      &w->read_entry, &w->node, name },
					       .adds = w->names };
	w->decode_total = (struct decode_total){
		.call = &w->decode_call, .count = 1, .statuses = { { 1, name, 1 } }, .status_count = 1
	};
	w->decode_summary = (struct decode_summary){ .totals = &w->decode_total, .count = 1 };
	w->seen = (struct decode_seen_ioctl){ name, 1, 1, 1, 1 };
	w->against_row =
		(struct decode_against_row){ &w->seen, &w->ioctl, name, DECODE_CHANGED, DIFF_LAYOUT };
	w->against = (struct decode_against){
		.diff = w->diff, .rows = &w->against_row, .count = 1, .by_fate = { [DECODE_CHANGED] = 1 }
	};
	w->trace_event = (struct trace_message){ .kind = TRACE_OPEN, .fd_path = name };
}

/* world_fill - write @name into every field; @w keeps the pointer */
static inline void world_fill(struct world *w, const char *name)
{
	*w = (struct world){ .name = name, .number = { 1, false }, .number_before = { 2, false } };
	world_fill_abi(w);
	world_fill_diff(w);
	world_fill_history(w);
	world_fill_verify(w);
	world_fill_pids(w);
	world_fill_ranges(w);
	world_fill_bootstrap(w);
	world_fill_show(w);
	world_fill_decode(w);
}

#endif
