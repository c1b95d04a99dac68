/*
 * bootstrap/edits.c - what to write where in the proxy's source
 *
 * An entry is written at up to five sites, which nothing holds together:
 *
 *   handler   in the node's function of version.go: abi.uvmIoctl[nvgpu.X] = …
 *   info      in the node's info function: info.UvmInfos[nvgpu.X] = …
 *   struct    the type and its accessors, in pkg/abi/nvgpu; the text is in structs.go
 *   constant  the number, in pkg/abi/nvgpu
 *   seccomp   for frontend and uvm, in seccomp_filters.go: a frontend rule compares the size as well
 *
 * What the table does not say, or what takes a person to know, is a TODO.
 */
#include "bootstrap/edits.h"

#include "bootstrap/lists.h"
#include "bootstrap/naming.h"

#include <inttypes.h>
#include <string.h>

struct editor {
	struct boot *boot;
	const struct bootstrap_entry *entry;
	struct bootstrap_edit *edits;
	size_t count;
	const char *remove;  /* of the edit that is being written */
	struct strbuf text;
	struct strbuf comment; /* why something in it is a TODO */
	bool is_todo;
};

/* The names that nvproxy has for a family. */
static const struct family_words {
	const char *family, *handlers, *handler, *infos;
} family_words[] = {
	{ "control", "controlCmd", "ctrlHandler", "ControlInfos" },
	{ "alloc", "allocationClass", "allocHandler", "AllocationInfos" },
	{ "frontend", "frontendIoctl", "feHandler", "FrontendInfos" },
	{ "uvm", "uvmIoctl", "uvmHandler", "UvmInfos" },
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

static bool has_cap(const struct table_entry *entry, const char *cap)
{
	for (size_t i = 0; i < entry->cap_count; i++)
		if (!strcmp(entry->caps[i], cap))
			return true;
	return false;
}

/* A TODO in Go: it parses, and calls what no package has. The reason becomes a comment behind the line. */
static void add_todo(struct editor *editor, const char *what, const char *why)
{
	const struct bootstrap_entry *entry = editor->entry;

	strbuf_adds(&editor->text, BOOTSTRAP_TODO);
	strbuf_addf(&editor->comment, "%s%s", editor->comment.length ? "; " : "", why);
	editor->is_todo = true;
	lists_todo(editor->boot, (struct bootstrap_todo){ what, entry->node, entry->now ? entry->now->name : entry->was->name,
							 arena_strdup(editor->boot->arena, why) });
}

/* What there is of evidence, of an ioctl that is added. */
static const char *why_no_caps(const struct editor *editor, const struct table_entry *entry)
{
	const struct bootstrap *out = &editor->boot->out;
	struct arena *arena = editor->boot->arena;

	for (size_t i = 0; i < out->candidate_count; i++) {
		const struct bootstrap_candidate *one = &out->candidates[i];
		struct strbuf likely = { 0 };
		const char *text;

		if (strcmp(one->family, entry->family) || (strcmp(one->name, entry->name) && (!entry->constant || strcmp(one->name, entry->constant))))
			continue;
		for (size_t c = 0; c < one->caps.likely_count; c++)
			strbuf_addf(&likely, "%s%s", c ? "+" : "", one->caps.likely[c]);
		text = arena_printf(arena, "the capabilities of %s, likely %s (%s)", entry->name, strbuf_text(&likely), one->caps.evidence);
		strbuf_release(&likely);
		return text;
	}
	return arena_printf(arena, "the table gives %s no capabilities", entry->name);
}

static void add_caps(struct editor *editor)
{
	const struct table_entry *entry = editor->entry->now;
	bool both = has_cap(entry, "compute") && has_cap(entry, "utility"), any = both;

	if (!entry->cap_count) {
		add_todo(editor, "caps", why_no_caps(editor, entry));
		return;
	}
	if (both)
		strbuf_adds(&editor->text, "compUtil");
	for (size_t i = 0; i < sizeof(cap_words) / sizeof(*cap_words); i++) {
		if (!has_cap(entry, cap_words[i].cap) || (both && i < 2))
			continue;
		strbuf_addf(&editor->text, "%s%s", any ? "|" : "", cap_words[i].word);
		any = true;
	}
}

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

static const char *new_type(const struct bootstrap_entry *entry)
{
	return entry->changed < entry->now->struct_count ? entry->now->structs[entry->changed].proxy : NULL;
}

static const char *why_no_handler(const struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;
	const struct table_handler *was = entry->was ? &entry->was->handler : NULL;
	const char *type = new_type(entry);
	struct arena *arena = editor->boot->arena;

	if (!was && !type)
		return arena_printf(arena, "the table says of no entry like %s which handler it has", entry->now->name);
	if (!was)
		return arena_printf(arena, "%s needs a handler that unmarshals nvgpu.%s; %s", entry->now->name, type, entry->why);
	if (!was->kind && !type)
		return arena_printf(arena, "the table does not say which handler %s has", entry->was->name);
	if (!type)
		return arena_printf(arena, "%s; what the handler of %s reads is for a person to find out", entry->why, entry->now->name);
	if (!was->kind)
		return arena_printf(arena, "the table does not say which handler %s has; it has to unmarshal nvgpu.%s", entry->was->name, type);
	if (!entry->is_read)
		return arena_printf(arena, "%s has to be read: a handler for nvgpu.%s instead of %s", entry->now->name, type, was->kind);
	if (entry->came)
		return arena_printf(arena, "a handler that unmarshals nvgpu.%s and translates what %s does not: %s", type, was->kind, entry->came);
	return arena_printf(arena, "a twin of %s that unmarshals nvgpu.%s", was->kind, type);
}

static void add_handler(struct editor *editor)
{
	const struct table_handler *handler = &editor->entry->now->handler;

	if (!handler->kind)
		add_todo(editor, "handler", why_no_handler(editor));
	else if (naming_is_generic(editor->boot->table, handler))
		strbuf_addf(&editor->text, "%s[nvgpu.%s]", handler->kind, handler->type);
	else
		strbuf_adds(&editor->text, handler->kind);
}

static void write_handler(struct editor *editor, const struct family_words *words)
{
	const struct bootstrap_entry *entry = editor->entry;

	if (entry->was && (!entry->now || strcmp(entry->was->name, entry->now->name)))
		editor->remove = arena_printf(editor->boot->arena, "delete(abi.%s, nvgpu.%s)", words->handlers, entry->was->name);
	if (entry->now) {
		strbuf_addf(&editor->text, "abi.%s[nvgpu.%s] = %s(", words->handlers, entry->now->name, words->handler);
		add_handler(editor);
		strbuf_adds(&editor->text, ", ");
		add_caps(editor);
		strbuf_addch(&editor->text, ')');
	}
	end_edit(editor, BOOTSTRAP_HANDLER);
}

/* --- info ------------------------------------------------------------------------------- */

static void add_struct(struct editor *editor, const struct table_struct *one, bool is_first)
{
	if (!one->proxy)
		strbuf_addf(&editor->text, ", \"%s\"", one->driver);
	else if (!strcmp(one->proxy, one->driver) || !is_first)
		strbuf_addf(&editor->text, ", nvgpu.%s{}", one->proxy);
	else
		strbuf_addf(&editor->text, ", nvgpu.%s{}, \"%s\"", one->proxy, one->driver);
}

static void add_info(struct editor *editor)
{
	const struct table_entry *entry = editor->entry->now;
	const struct table_struct *first = entry->structs;
	const char *function = "simpleIoctlInfo";

	if (entry->struct_count && first->proxy)
		function = strcmp(first->proxy, first->driver) ? "ioctlInfoWithStructName" : "ioctlInfo";
	strbuf_addf(&editor->text, "%s(\"%s\"", function, entry->constant ? entry->constant : entry->name);
	for (size_t i = 0; i < entry->struct_count; i++)
		add_struct(editor, &entry->structs[i], !i);
	strbuf_addch(&editor->text, ')');
}

static void write_info(struct editor *editor, const struct family_words *words)
{
	const struct bootstrap_entry *entry = editor->entry;

	if (entry->was && (!entry->now || strcmp(entry->was->name, entry->now->name)))
		editor->remove = arena_printf(editor->boot->arena, "delete(info.%s, nvgpu.%s)", words->infos, entry->was->name);
	if (entry->now) {
		strbuf_addf(&editor->text, "info.%s[nvgpu.%s] = ", words->infos, entry->now->name);
		add_info(editor);
	}
	end_edit(editor, BOOTSTRAP_INFO);
}

/* --- the other three ---------------------------------------------------------------------- */

static void write_structs(struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;

	for (size_t i = 0; i < entry->now->struct_count; i++) {
		const char *type = entry->now->structs[i].proxy, *was = entry->was ? entry->was->structs[i].proxy : NULL;

		if (!type || (was && !strcmp(type, was)))
			continue;
		strbuf_addf(&editor->text, "%s%s%s", editor->text.length ? "; " : "", type,
			    table_find_type(editor->boot->table, type) ? ", which is there" : ", as in structs.go");
	}
	if (editor->text.length)
		end_edit(editor, BOOTSTRAP_STRUCT);
}

static void write_constant(struct editor *editor)
{
	const struct table_entry *entry = editor->entry->now;
	char number[ABI_NOTATION_BYTES];

	strbuf_addf(&editor->text, "%s = %s", entry->name, abi_ioctl_number(entry->family, entry->number, number));
	end_edit(editor, BOOTSTRAP_CONSTANT);
}

static bool has_new_size(const struct bootstrap_entry *entry)
{
	return entry->action == BOOTSTRAP_ADD || (entry->is_read && entry->size_was != entry->size_now);
}

/* A rule for a size that is not the same in all versions lets every size pass: the handler checks it. */
static void write_seccomp(struct editor *editor)
{
	const struct bootstrap_entry *entry = editor->entry;
	bool is_frontend = !strcmp(entry->now->family, "frontend");

	if (is_frontend && has_new_size(entry))
		strbuf_addf(&editor->text, "{seccomp.MaskedEqual(notIocSizeMask, frontendIoctlCmd(nvgpu.%s, 0)), ", entry->now->name);
	else if (!strcmp(entry->now->family, "uvm") && (entry->action == BOOTSTRAP_ADD || entry->action == BOOTSTRAP_RENUMBER))
		strbuf_addf(&editor->text, "{seccomp.EqualTo(nvgpu.%s), ", entry->now->name);
	else
		return;
	add_caps(editor);
	strbuf_adds(&editor->text, "},");
	end_edit(editor, BOOTSTRAP_SECCOMP);
}

static void write_all(struct editor *editor, const struct family_words *words)
{
	const struct bootstrap_entry *entry = editor->entry;

	if (entry->action != BOOTSTRAP_RENAME)
		write_handler(editor, words);
	write_info(editor, words);
	if (!entry->now)
		return;
	write_structs(editor);
	if (entry->action == BOOTSTRAP_ADD || entry->action == BOOTSTRAP_RENUMBER)
		write_constant(editor);
	write_seccomp(editor);
}

void edits_write(struct boot *boot, struct bootstrap_entry *entry)
{
	struct editor editor = { .boot = boot, .entry = entry };
	const struct family_words *words = words_of(entry->was ? entry->was->family : entry->now->family);

	if (entry->action == BOOTSTRAP_NONE || !words)
		return;
	editor.edits = arena_array(boot->arena, BOOTSTRAP_SITES, sizeof(*editor.edits));
	write_all(&editor, words);
	strbuf_release(&editor.text);
	strbuf_release(&editor.comment);
	entry->edits = editor.edits;
	entry->edit_count = editor.count;
}
