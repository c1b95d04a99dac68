/*
 * bootstrap/describe.c - say why an entry changed, and how its records changed
 *
 * The changed fields come from the differ, which compares the two documents once.
 */
#include "bootstrap/internal.h"

/* --- fields ----------------------------------------------------------------------- */

static const char *offset_text(uint64_t bits, char buffer[24])
{
	snprintf(buffer, 24, bits % 8 ? "%" PRIu64 ":%" PRIu64 : "%" PRIu64, bits / 8, bits % 8);
	return buffer;
}

/*
 * Returns "rmStatus moved from 16 to 8, and is NvU64 (8 bytes) instead of NvU32 (4)", or that the field is
 * new or gone.
 */
static const char *field_text(const struct diff_field *field, struct arena *arena)
{
	const struct diff_field_side *before = field->before, *after = field->after;
	const struct diff_field_side *one = after ? after : before;
	struct strbuf out = { 0 };
	char from[24], to[24];

	strbuf_adds(&out, one->path);
	if (!before || !after)
		strbuf_addf(&out, " (%s at %s", one->type, offset_text(one->offset_bits, to));
	if (field->renamed)
		strbuf_addf(&out, " was called %s", before->path);
	if (field->moved)
		strbuf_addf(&out, "%s moved from %s to %s", field->renamed ? "," : "",
			    offset_text(before->offset_bits, from), offset_text(after->offset_bits, to));
	if (field->retyped || field->resized)
		strbuf_addf(&out, "%s is %s (%s bytes) instead of %s (%s)",
			    field->renamed || field->moved ? ", and" : "", after->type,
			    offset_text(after->size_bits, to), before->type,
			    offset_text(before->size_bits, from));
	if ((!before || !after || before->role != after->role) && *abi_role_name(one->role))
		strbuf_addf(&out, ", %s", abi_role_name(one->role));
	if (!before || !after)
		strbuf_adds(&out, after ? ") is new" : ") is gone");
	return strbuf_take(&out, arena);
}

/* Sets changes of @out to a text for each field of @record that changed, from @diff. */
static void set_field_changes(struct bootstrap_entry *out, const struct diff *diff, const char *record,
			      struct arena *arena)
{
	for (size_t i = 0; i < diff->change_count; i++) {
		const struct diff_change *change = &diff->changes[i];
		const char **texts;

		if (change->kind != ABI_RECORD || !change->field_count ||
		    (strcmp(change->name, record) && !diff_has_also(change, record)))
			continue;
		out->changes = texts = arena_array(arena, change->field_count, sizeof(*texts));
		while (out->change_count < change->field_count) {
			texts[out->change_count] = field_text(&change->fields[out->change_count], arena);
			out->change_count++;
		}
		return;
	}
}

/* --- why -------------------------------------------------------------------------------- */

/*
 * Finds the struct that the report describes: the first one that needs a new type, otherwise the first one
 * that changed. Return: its index; struct_count if none changed.
 */
static size_t changed_struct(const struct boot_change *change)
{
	size_t count = change->was->struct_count;

	for (size_t i = 0; i < count; i++)
		if (change->structs[i].needs_type)
			return i;
	for (size_t i = 0; i < count; i++) {
		const struct resolved_struct *a = &change->base.structs[i], *b = &change->next.structs[i];

		if (!same_text(a->record, b->record) || a->size_bytes != b->size_bytes ||
		    (a->has_layout && b->has_layout && !layouts_same(&a->layout, &b->layout, true)))
			return i;
	}
	return count;
}

/* Returns why a record needs a change: its size changed, or only its fields. @then: text to append */
static const char *why_record(const struct boot *boot, const struct boot_change *change, size_t index,
			      const char *then)
{
	const struct resolved_struct *was = &change->base.structs[index], *now = &change->next.structs[index];

	if (was->size_bytes != now->size_bytes)
		return arena_printf(boot->arena, "%s is %" PRIu64 " bytes, and was %" PRIu64 "%s",
				    now->record, now->size_bytes, was->size_bytes, then);
	return arena_printf(boot->arena, "fields of %s changed%s", now->record, then);
}

/* Explains why nothing has to be written for a change. */
static const char *why_nothing(const struct boot *boot, const struct boot_change *change, size_t index,
			       const char *name)
{
	const struct resolved_struct *was = &change->base.structs[index], *now = &change->next.structs[index];
	const struct abi_scalar *pid =
		index < change->was->struct_count ? layouts_new_pid(boot, was, now) : NULL;

	if (index == change->was->struct_count)
		return arena_printf(
			boot->arena,
			change->next.ioctl
				? "a table of the driver now lists %s"
				: "no table of the driver lists %s any longer; only its macro exists",
			name);
	if (!change->was->structs[index].proxy)
		return why_record(
			boot, change, index,
			arena_printf(boot->arena, "; the proxy passes it through unread%s, and %s",
				     was->size_bytes != now->size_bytes ? ", whatever its size" : "",
				     !pid ? "no pointer, fd or pid was added"
				     : layouts_is_converted(boot, pid, &now->layout)
					     ? "the driver converts the pids that were added"
					     : arena_printf(boot->arena,
							    "with the pids that it already has, also %s",
							    pid->path)));
	if (was->has_layout && now->has_layout && layouts_same(&was->layout, &now->layout, false))
		return why_record(boot, change, index,
				  " only in name or type; the bytes that the proxy reads are the same");
	return why_record(boot, change, index, "; the proxy's type still matches it");
}

/* Explains a change in one sentence. @index: of the struct that changed; struct_count if none did */
static const char *reason_of_change(const struct boot *boot, const struct boot_change *change, size_t index)
{
	const struct table_entry *entry = change->was;
	const char *name = entry->constant ? entry->constant : entry->name;
	const char *record = index < entry->struct_count ? change->next.structs[index].record : NULL;
	const char *was_record = index < entry->struct_count ? entry->structs[index].driver : NULL;
	const char *constant = change->next.constant ? change->next.constant : "nothing";
	const struct abi_ioctl *other = resolve_ioctl(boot->next, entry->family, entry->number, NULL);
	struct arena *arena = boot->arena;
	char was[ABI_NOTATION_BYTES], now[ABI_NOTATION_BYTES];

	abi_ioctl_number(entry->family, change->base.number, was);
	abi_ioctl_number(entry->family, change->next.number, now);
	switch (change->action) {
	case BOOTSTRAP_REMOVE:
		if (other)
			return arena_printf(arena, "%s was removed, and %s is now %s", name, was, other->name);
		return arena_printf(arena, "%s (%s) was removed", name, was);
	case BOOTSTRAP_RENUMBER:
		return arena_printf(arena, "%s is %s, and was %s%s%s%s", name, now, was,
				    other ? ", which is " : "", other ? other->name : "",
				    other ? " now" : "");
	case BOOTSTRAP_RENAME:
		if (same_text(entry->constant, change->next.constant))
			return arena_printf(arena, "%s is now called %s", was_record, record);
		if (record && strcmp(record, was_record))
			return arena_printf(arena, "%s is now called %s, and %s is now called %s", name, constant,
					    was_record, record);
		return arena_printf(arena, "%s is now called %s", name, constant);
	case BOOTSTRAP_REPLACE:
		if (was_record && !record)
			return arena_printf(
				arena,
				"%s was removed, and no table of the driver names the parameters of %s",
				was_record, name);
		if (change->why && (!entry->structs[index].proxy ||
				    change->base.structs[index].size_bytes ==
					    change->next.structs[index].size_bytes))
			return change->why;
		return why_record(boot, change, index, "");
	case BOOTSTRAP_NONE:
	case BOOTSTRAP_ADD:
		break;
	}
	return why_nothing(boot, change, index, name);
}

/* --- entries ---------------------------------------------------------------------------- */

/*
 * Sets @out to the facts about @change for the report, and adds the TODOs that concern only this entry: new
 * pids, and an ioctl that tables of the driver do not list any longer, or list now.
 */
static void describe_change(struct bootstrap_entry *out, struct boot *boot, const struct boot_change *change,
			    const struct diff *diff)
{
	size_t index = changed_struct(change);

	*out = (struct bootstrap_entry){
		.node = boot_version(boot, change->since),
		.action = change->action,
		.is_read = table_entry_is_read(change->was),
		.was = change->was,
		.now = change->now,
		.changed = index,
	};
	if (change->action == BOOTSTRAP_NONE)
		out->now = change->was;
	if (index < change->was->struct_count) {
		out->size_was = change->base.structs[index].size_bytes;
		out->size_now = change->next.structs[index].size_bytes;
		if (change->next.structs[index].record && change->next.structs[index].has_layout)
			set_field_changes(out, diff, change->next.structs[index].record, boot->arena);
	}
	out->why = reason_of_change(boot, change, index);
	for (size_t i = 0; i < change->was->struct_count && change->action == BOOTSTRAP_NONE; i++) {
		const struct resolved_struct *now = &change->next.structs[i];
		const struct abi_scalar *pid = layouts_new_pid(boot, &change->base.structs[i], now);

		if (pid && !change->was->structs[i].proxy && !layouts_is_converted(boot, pid, &now->layout))
			boot_todo(boot, "pid", boot->out.version, change->was->name,
				  "%s is passed through unread, with the pids that it already had. Now "
				  "%s as well: decide whether it needs a handler",
				  change->was->name, layouts_translated_text(pid, boot->arena));
	}
	/* Do the driver's tables list the forwarded ioctl only in one of the two versions? */
	if (!change->next.is_gone && !change->base.ioctl != !change->next.ioctl) {
		boot->out.unlisted_count += !change->next.ioctl;
		boot_todo(boot, "ioctl", boot->out.version, change->was->name,
			  "%s: review the entry, because %s",
			  change->next.constant ? change->next.constant : change->was->name,
			  change->next.ioctl ? "a table of the driver now lists it"
					     : "no table of the driver lists it any longer");
	}
	if (change->new_role)
		out->new_role = layouts_translated_text(change->new_role, boot->arena);
}

/* Writes a TODO if the proxy passed an ioctl through by its old number, but does not by its new number. */
static void review_passed(struct boot *boot, const struct diff_change *change)
{
	char was[ABI_NOTATION_BYTES], is[ABI_NOTATION_BYTES];

	if (!change->passed_was || change->passed_as || change->entry_count || !change->next_ioctl)
		return;
	boot_todo(boot, "ioctl", boot->out.version, change->name,
		  "%s is %s, and was %s, which the proxy passes through by number (%s). The proxy does not "
		  "forward the new number without an entry (--add %s)",
		  change->name, abi_ioctl_number(change->family, change->next_ioctl->number, is),
		  abi_ioctl_number(change->family, change->base_ioctl->number, was), change->passed_was,
		  change->name);
}

/* Writes a TODO if who may call a forwarded ioctl changed, or whether the driver handles it. */
static void review_access(struct boot *boot, const struct diff_change *change)
{
	const char *words = "";

	if (!change->proxied || !(change->classes & DIFF_ACCESS) || !change->base_ioctl ||
	    !change->next_ioctl)
		return;
	for (size_t i = 0; i < change->flag_count; i++)
		if (change->flags[i].kind != DIFF_FLAG_OTHER)
			words = arena_printf(boot->arena, "%s%s%s%s", words, *words ? ", " : "",
					     change->flags[i].is_added ? "+" : "-", change->flags[i].word);
	boot_todo(boot, "ioctl", boot->out.version, change->name,
		  "%s: review the entry, because its access changed (%s)", change->name, words);
}

int describe_changes(struct boot *boot)
{
	const struct diff_options all = { .view = &boot->forwarded, .use = boot->options->use };
	struct diff diff;
	int rc;

	if ((rc = diff_documents(&diff, boot->base, boot->next, &all, boot->arena, boot->err)))
		return rc;
	for (size_t i = 0; i < boot->change_count; i++) {
		boot->entries =
			arena_room(boot->arena, boot->entries, boot->out.entry_count, sizeof(*boot->entries));
		describe_change(&boot->entries[boot->out.entry_count++], boot, &boot->changes[i], &diff);
	}
	boot->out.entries = boot->entries;
	for (size_t i = 0; i < diff.change_count; i++) {
		review_passed(boot, &diff.changes[i]);
		review_access(boot, &diff.changes[i]);
	}
	return 0;
}

/*
 * Edits of the proxy's source:
 *
 * An entry is written at up to five sites. No compiler checks that these are consistent:
 *
 *   handler   in the node's function of version.go: abi.uvmIoctl[nvgpu.X] = …
 *   info      in the node's info function: info.UvmInfos[nvgpu.X] = …
 *   struct    the type and its accessors, in pkg/abi/nvgpu; the declaration is written to structs.go
 *   constant  the number, in pkg/abi/nvgpu
 *   seccomp   for frontend and uvm, in seccomp_filters.go; a frontend rule compares the size as well
 *
 * If the table does not have a fact, or a person has to find it out, a TODO is written instead.
 */

struct editor {
	struct boot *boot;
	const struct bootstrap_entry *entry;
	struct bootstrap_edit *edits;
	size_t count;
	const char *remove;  /* the value of `remove` for the edit that is being written */
	struct strbuf text;
	struct strbuf comment; /* says why parts of @text are TODOs */
	bool is_todo;
};

/* The names that nvproxy uses for a family. */
static const struct family_words {
	const char *family, *handlers, *handler, *infos;
} family_words[] = {
	{ "control", "abi.controlCmd", "ctrlHandler", "info.ControlInfos" },
	{ "alloc", "abi.allocationClass", "allocHandler", "info.AllocationInfos" },
	{ "frontend", "abi.frontendIoctl", "feHandler", "info.FrontendInfos" },
	{ "uvm", "abi.uvmIoctl", "uvmHandler", "info.UvmInfos" },
};

static const struct {
	const char *cap, *word;
} cap_words[] = {
	{ "compute", "nvconf.CapCompute" },
	{ "utility", "nvconf.CapUtility" },
	{ "graphics", "nvconf.CapGraphics" },
	{ "video", "nvconf.CapVideo" },
	{ "display", "nvconf.CapDisplay" },
	{ "ngx", "nvconf.CapNGX" },
	{ "compat32", "nvconf.CapCompat32" },
	{ "fabric-imex-mgmt", "nvconf.CapFabricIMEXManagement" },
	{ "profiling", "nvconf.CapProfiling" },
	{ "rdma", "nvconf.CapRDMA" },
};

static const struct family_words *words_of(const char *family)
{
	for (size_t i = 0; i < sizeof(family_words) / sizeof(*family_words); i++)
		if (!strcmp(family_words[i].family, family))
			return &family_words[i];
	return NULL;
}

/*
 * Writes a TODO as an identifier in Go, which parses, but does not compile. The reason becomes a comment at
 * the end of the line, and a TODO of the result.
 */
static void add_todo(struct editor *editor, const char *what, const char *why)
{
	const struct bootstrap_entry *entry = editor->entry;

	strbuf_adds(&editor->text, BOOTSTRAP_TODO);
	strbuf_addf(&editor->comment, "%s%s", editor->comment.length ? "; " : "", why);
	editor->is_todo = true;
	boot_todo(editor->boot, what, entry->node, entry->now ? entry->now->name : entry->was->name, "%s",
		  why);
}

/* Returns a text that says why the capabilities of an added ioctl are unknown, and which are likely. */
static const char *why_no_caps(const struct editor *editor, const struct table_entry *entry)
{
	const struct bootstrap *out = &editor->boot->out;
	struct arena *arena = editor->boot->arena;

	for (size_t i = 0; i < out->candidate_count; i++) {
		const struct bootstrap_candidate *one = &out->candidates[i];
		const char *likely = "";

		if (strcmp(one->family, entry->family) ||
		    (strcmp(one->name, entry->name) &&
		     (!entry->constant || strcmp(one->name, entry->constant))))
			continue;
		for (size_t c = 0; c < one->caps.likely_count; c++)
			likely = arena_printf(arena, "%s%s%s", likely, c ? "+" : ", likely ",
					      one->caps.likely[c]);
		return arena_printf(arena, "the capabilities of %s%s (%s)", entry->name, likely,
				    one->caps.evidence);
	}
	return arena_printf(arena, "the table gives %s no capabilities", entry->name);
}

/* Writes the capabilities of the entry as gVisor's source does ("compUtil|nvconf.CapGraphics"), or a TODO. */
static void add_caps(struct editor *editor)
{
	const struct table_entry *entry = editor->entry->now;
	bool both = caps_lists(entry, "compute") && caps_lists(entry, "utility"), any = both;

	if (!entry->cap_count) {
		add_todo(editor, "caps", why_no_caps(editor, entry));
		return;
	}
	if (both)
		strbuf_adds(&editor->text, "compUtil");
	for (size_t i = 0; i < sizeof(cap_words) / sizeof(*cap_words); i++) {
		if (!caps_lists(entry, cap_words[i].cap) || (both && i < 2))
			continue;
		strbuf_addf(&editor->text, "%s%s", any ? "|" : "", cap_words[i].word);
		any = true;
	}
}

/* Adds the text and comment that were collected as an edit, and clears them for the next edit. */
static void end_edit(struct editor *editor, enum bootstrap_site site)
{
	if (editor->comment.length)
		strbuf_addf(&editor->text, " // %s", strbuf_text(&editor->comment));
	editor->edits[editor->count++] = (struct bootstrap_edit){
		site, editor->is_todo, editor->remove,
		editor->text.length ? arena_strdup(editor->boot->arena, strbuf_text(&editor->text)) : NULL,
	};
	strbuf_reset(&editor->text);
	strbuf_reset(&editor->comment);
	editor->remove = NULL;
	editor->is_todo = false;
}

/* --- handler --------------------------------------------------------------------------- */

/* Returns a text for a TODO: "puts the proxy's own number in place of fd (frontend, if it is not 0)". */
static const char *fds_text(const struct bootstrap_entry *entry, struct arena *arena)
{
	const char *text = "puts the proxy's own number in place of ";

	for (size_t i = 0; i < entry->fd_count; i++) {
		const struct fd_rule *rule = entry->fds[i].rule;

		text = arena_printf(arena, "%s%s%s (%s%s)", text, i ? ", " : "", rule->path, rule->kind,
				    rule->optional ? ", if it is not 0" : "");
	}
	return text;
}

/* Returns the text of a TODO for a handler: why it is unknown, and what it has to do. */
static const char *handler_todo_text(const struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;
	const struct table_handler *was = entry->was ? &entry->was->handler : NULL;
	const char *type =
		entry->changed < entry->now->struct_count ? entry->now->structs[entry->changed].proxy : NULL;
	struct arena *arena = editor->boot->arena;

	if (!was && !type)
		return arena_printf(arena, "%s needs a handler; %s", entry->now->name, entry->why);
	if (!was && (entry->pointer_count || entry->fd_count)) {
		const char *text = arena_printf(
			arena, "%s needs a handler that %s; nvproxy-patch writes it", entry->now->name,
			entry->pointer_count ? "copies the memory that its pointers point to, as the driver does"
					     : fds_text(entry, arena));

		for (size_t i = 0; i < entry->unknown_count; i++)
			text = arena_printf(arena, "%s%s%s", text, i ? "; " : "; first find out: ",
					    entry->unknown[i].text);
		return text;
	}
	if (!was)
		return arena_printf(arena, "%s needs a handler that unmarshals nvgpu.%s; %s",
				    entry->now->name, type, entry->why);
	if (!was->kind && !type)
		return arena_printf(arena, "the table does not say which handler %s has", entry->was->name);
	if (!type)
		return arena_printf(arena, "%s; the new parameters of the handler of %s are unknown",
				    entry->why, entry->now->name);
	if (!was->kind)
		return arena_printf(
			arena, "the table does not say which handler %s has; it has to unmarshal nvgpu.%s",
			entry->was->name, type);
	if (!entry->is_read)
		return arena_printf(arena, "%s must be read: it needs a handler for nvgpu.%s instead of %s",
				    entry->now->name, type, was->kind);
	if (entry->new_role)
		return arena_printf(arena,
				    "a handler that unmarshals nvgpu.%s and translates what %s does not translate: %s",
				    type, was->kind, entry->new_role);
	return arena_printf(arena,
			    "a function like %s that unmarshals nvgpu.%s; nvproxy-patch writes it if it can",
			    was->kind, type);
}

/*
 * Begins the edit of an item of a map of gVisor, such as "abi.uvmIoctl": deletes the item of a removed or
 * renamed entry, and assigns to the item of the present entry.
 */
static void add_assignment(struct editor *editor, const char *map)
{
	const struct bootstrap_entry *entry = editor->entry;

	if (entry->was && (!entry->now || strcmp(entry->was->name, entry->now->name)))
		editor->remove =
			arena_printf(editor->boot->arena, "delete(%s, nvgpu.%s)", map, entry->was->name);
	if (entry->now)
		strbuf_addf(&editor->text, "%s[nvgpu.%s] = ", map, entry->now->name);
}

/* Adds the edit that sets handler and capabilities, as TODOs if they are unknown, and deletes an old name. */
static void add_handler_edit(struct editor *editor, const struct family_words *words)
{
	const struct table_handler *handler = editor->entry->now ? &editor->entry->now->handler : NULL;

	add_assignment(editor, words->handlers);
	if (handler) {
		strbuf_addf(&editor->text, "%s(", words->handler);
		if (!handler->kind)
			add_todo(editor, "handler", handler_todo_text(editor));
		else if (naming_is_generic(editor->boot->table, handler))
			strbuf_addf(&editor->text, "%s[nvgpu.%s]", handler->kind, handler->type);
		else
			strbuf_adds(&editor->text, handler->kind);
		strbuf_adds(&editor->text, ", ");
		add_caps(editor);
		strbuf_addch(&editor->text, ')');
	}
	end_edit(editor, BOOTSTRAP_HANDLER);
}

/* --- info ------------------------------------------------------------------------------- */

/*
 * Adds the edit that names the ioctl and its structs, for messages of the proxy, and deletes the item of
 * a removed or renamed entry.
 */
static void add_info_edit(struct editor *editor, const struct family_words *words)
{
	const struct table_entry *entry = editor->entry->now;
	const struct table_struct *first = entry ? entry->structs : NULL;
	const char *function = "simpleIoctlInfo";

	add_assignment(editor, words->infos);
	if (entry && entry->struct_count && first->proxy)
		function = strcmp(first->proxy, first->driver) ? "ioctlInfoWithStructName" : "ioctlInfo";
	if (entry)
		strbuf_addf(&editor->text, "%s(\"%s\"", function,
			    entry->constant ? entry->constant : entry->name);
	for (size_t i = 0; entry && i < entry->struct_count; i++) {
		const struct table_struct *one = &entry->structs[i];

		if (!one->proxy)
			strbuf_addf(&editor->text, ", \"%s\"", one->driver);
		else if (!strcmp(one->proxy, one->driver) || i)
			strbuf_addf(&editor->text, ", nvgpu.%s{}", one->proxy);
		else
			strbuf_addf(&editor->text, ", nvgpu.%s{}, \"%s\"", one->proxy, one->driver);
	}
	strbuf_adds(&editor->text, entry ? ")" : "");
	end_edit(editor, BOOTSTRAP_INFO);
}

/* --- struct, constant, seccomp ---------------------------------------------------------------- */

/* Adds an edit that names the types that the entry has now, but had not before. */
static void add_struct_edit(struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;

	for (size_t i = 0; i < entry->now->struct_count; i++) {
		const char *type = entry->now->structs[i].proxy,
			   *was = entry->was ? entry->was->structs[i].proxy : NULL;

		if (!type || (was && !strcmp(type, was)))
			continue;
		strbuf_addf(&editor->text, "%s%s%s", editor->text.length ? "; " : "", type,
			    table_find_type(editor->boot->table, type) ? ", which already exists"
								       : ", as in structs.go");
	}
	if (editor->text.length)
		end_edit(editor, BOOTSTRAP_STRUCT);
}

enum { IOC_SIZE_BYTES_MAX = (1 << 14) - 1 };

/*
 * Returns the parameter size that a frontend ioctl's request contains; 0 if it is unknown, or if the argument
 * is an array.
 */
static uint64_t request_size(const struct boot *boot, const struct bootstrap_entry *entry)
{
	const char *name = entry->now->constant ? entry->now->constant : entry->now->name;
	const struct use_rules *use = boot->options->use;

	if (strcmp(entry->now->family, "frontend") || entry->size_now > IOC_SIZE_BYTES_MAX)
		return 0;
	for (size_t i = 0; use && i < use->array_count; i++)
		if (!strcmp(use->arrays[i].ioctl, name))
			return 0;
	return entry->size_now;
}

/*
 * Adds the seccomp rule that permits the request of a frontend or UVM ioctl, if the ioctl is new, or its
 * request changed: the size for frontend, the number for UVM. Other families need no rule.
 */
static void add_seccomp_edit(struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;
	const char *family = entry->now->family, *name = entry->now->name;
	bool is_new = entry->action == BOOTSTRAP_ADD;

	/* Only frontend requests contain a size; those of UVM do not. */
	if (!strcmp(family, "frontend") &&
	    (is_new || (table_entry_is_read(entry->now) && entry->size_was != entry->size_now))) {
		if (entry->request_bytes)
			strbuf_addf(&editor->text, "{seccomp.EqualTo(frontendIoctlCmd(nvgpu.%s, %llu)), ",
				    name, (unsigned long long)entry->request_bytes);
		else
			strbuf_addf(&editor->text,
				    "{seccomp.MaskedEqual(notIocSizeMask, frontendIoctlCmd(nvgpu.%s, 0)), ",
				    name);
	} else if (!strcmp(family, "uvm") && (is_new || entry->action == BOOTSTRAP_RENUMBER)) {
		strbuf_addf(&editor->text, "{seccomp.EqualTo(nvgpu.%s), ", name);
	} else {
		return;
	}
	add_caps(editor);
	strbuf_adds(&editor->text, "},");
	end_edit(editor, BOOTSTRAP_SECCOMP);
}

/* Sets the edits of gVisor's source that the entry needs, and request_bytes. */
static void add_edits(struct boot *boot, struct bootstrap_entry *entry)
{
	struct editor editor = { .boot = boot, .entry = entry };
	const struct family_words *words = words_of(entry->was ? entry->was->family : entry->now->family);
	char number[ABI_NOTATION_BYTES];

	if (entry->action == BOOTSTRAP_NONE || !words)
		return;
	editor.edits = arena_array(boot->arena, BOOTSTRAP_SITES, sizeof(*editor.edits));
	if (entry->action != BOOTSTRAP_RENAME)
		add_handler_edit(&editor, words);
	add_info_edit(&editor, words);
	if (entry->now) {
		entry->request_bytes = request_size(boot, entry);
		add_struct_edit(&editor);
		if (entry->action == BOOTSTRAP_ADD || entry->action == BOOTSTRAP_RENUMBER) {
			strbuf_addf(&editor.text, "%s = %s", entry->now->name,
				    abi_ioctl_number(entry->now->family, entry->now->number, number));
			end_edit(&editor, BOOTSTRAP_CONSTANT);
		}
		add_seccomp_edit(&editor);
	}
	strbuf_release(&editor.text);
	strbuf_release(&editor.comment);
	entry->edits = editor.edits;
	entry->edit_count = editor.count;
}

void edits_write(struct boot *boot)
{
	for (size_t i = 0; i < boot->out.entry_count; i++)
		add_edits(boot, &boot->entries[i]);
}
