/*
 * bootstrap/add.c - list what the table needs to forward more ioctls
 *
 * 1. Each word is looked up in the versions of the table's nodes. The newest version that has the ioctl is
 *    used.
 * 2. The nodes of the table are visited, parents first. If a node's version has the ioctl, the node gets an
 *    entry, unless its parent has an entry with the same number and type. If the version no longer has the
 *    ioctl, the node removes the entry. A node without a document inherits its parent's entry, and is listed
 *    as not checked.
 * 3. A command whose parameters need no translation is passed through unread. For all other ioctls, a type is
 *    declared, because nvproxy has a type for each ioctl that is not a command.
 * 4. The ancestors of the node's version show since when the driver has the ioctl.
 * 5. The likely capabilities are computed at the first node whose version has the ioctl, from all entries of
 *    that node (caps.c).
 *
 * If the result is for a version that the table does not have, the versions of the path to it are treated as
 * nodes, too. They become new nodes if they get an entry.
 */
#include "bootstrap/internal.h"

struct wanted_ioctl {
	const char *family;
	const char *name; /* the driver's macro, or its method's name */
};

/* The entry of the wanted ioctl at a node. */
struct at_node {
	const struct table_entry *entry; /* NULL if the node does not forward the ioctl */
	const struct abi *abi;           /* the document that the entry was made from */
};

struct adder {
	struct boot *boot;
	struct added_node {
		const struct abi *document;  /* NULL if not available */
		bool changes;                /* the node gets an entry */
		bool inherits;               /* it has no document, and inherits an entry */
		struct at_node at;           /* for the current word, if the node was visited */
	} *nodes;                            /* indexed like those of the table */
	struct bootstrap_candidate *found;   /* one for each word, without duplicates */
	size_t found_count;
	struct wanted_ioctl wanted;          /* the ioctl that the current word names */
	struct bootstrap_candidate *asked;   /* the item of @found for @wanted */
	const char *passed;            /* says that the newest such node passes the ioctl through by its
					  number, so it gets no entry; NULL if there is no such node */
	struct table_view view;        /* the table at the current node */
};

/* --- the ioctls of a word --------------------------------------------------------------------- */

/*
 * The ioctls that a word names in at least one document, including commands that have only a macro. If a
 * proxy forwards no ioctl of a family, such as drm, a word does not mean an ioctl of that family.
 */
struct meanings {
	struct meaning {
		struct wanted_ioctl ioctl;
		const char *first, *last; /* versions, oldest and newest */
	} one[16];
	size_t count;
};

/*
 * Notes that the word names this ioctl in @version, which becomes its last version, and for a new one also
 * the first. Versions are passed in the order of the nodes. If @found is full, nothing is noted.
 */
static void add_meaning(struct meanings *found, const char *family, const char *name, const char *version)
{
	size_t i = 0;

	while (i < found->count &&
	       (strcmp(found->one[i].ioctl.family, family) || strcmp(found->one[i].ioctl.name, name)))
		i++;
	if (i == sizeof(found->one) / sizeof(*found->one))
		return;
	if (i == found->count)
		found->one[found->count++] = (struct meaning){ { family, name }, version, version };
	found->one[i].last = version;
}

/*
 * Adds the ioctls that a word names in one version. A macro counts only if no ioctl has the number or name.
 */
static void add_meanings(struct meanings *found, const struct lookup_word *word, const struct abi *abi,
			 const struct table *table)
{
	bool any = false;

	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];

		if ((word->is_number ? ioctl->number == word->number : !strcmp(ioctl->name, word->text)) &&
		    table_has_family(table, ioctl->family)) {
			add_meaning(found, ioctl->family, ioctl->name, abi->version);
			any = true;
		}
	}
	for (size_t i = 0; i < abi->constant_count && !any; i++) {
		const struct abi_constant *macro = &abi->constants[i];

		/* The name of a command begins with the class in its number: NV2080_… is 0x2080xxxx. */
		if ((word->is_number ? macro->value.magnitude == word->number &&
					       begins(macro->name, "NV") &&
					       strtoull(macro->name + 2, NULL, 16) == word->number >> 16
				     : !strcmp(macro->name, word->text)) &&
		    resolve_is_number(macro) && resolve_is_command(macro->name) &&
		    table_has_family(table, "control"))
			add_meaning(found, "control", macro->name, abi->version);
	}
}

/* Fails because @word is the number of several ioctls, which the message names. Return: ERR_USAGE. */
static int fail_ambiguous(const struct meanings *found, const char *word, struct err *err)
{
	struct strbuf list = { 0 };
	bool has_families = false;
	int rc;

	for (size_t i = 0; i < found->count; i++) {
		const struct meaning *one = &found->one[i];

		has_families |= strcmp(one->ioctl.family, found->one[0].ioctl.family) != 0;
		strbuf_addf(&list, "%s%s %s in %s", i ? ", " : "", one->ioctl.family, one->ioctl.name,
			    one->first);
		if (strcmp(one->first, one->last))
			strbuf_addf(&list, " to %s", one->last);
	}
	rc = err_set(
		err, ERR_USAGE,
		"in the table's versions, %s is the number of %s: %s; give one of these names",
		word, has_families ? "ioctls of several families" : "several ioctls", strbuf_text(&list));
	strbuf_release(&list);
	return rc;
}

/*
 * Fails because no version has the ioctl. The message has similar names, or the family that the proxy does
 * not forward. @newest: the newest version of the table that has a document. Return: ERR_NOT_FOUND.
 */
static int fail_not_found(const struct lookup_word *word, const struct abi *newest, const struct boot *boot)
{
	const struct table *table = boot->table;
	struct abi_nearest nearest = { .count = 0 };
	const bool is_elsewhere = !boot->position && !strchr(word->text, ','); /* in bootstrap_add() */
	struct strbuf hint = { 0 };
	int rc;

	for (size_t i = 0; i < newest->ioctl_count; i++) {
		const struct abi_ioctl *other = &newest->ioctls[i]; /* in a family that is not forwarded */

		if (word->is_number ? other->number == word->number : !strcmp(other->name, word->text))
			return err_set(boot->err, ERR_NOT_FOUND,
				       "%s is %s in the family %s; %s forwards no ioctls of this family",
				       word->text, other->name, other->family, table->path);
	}
	for (size_t i = 0; i < newest->ioctl_count && !word->is_number; i++)
		if (table_has_family(table, newest->ioctls[i].family))
			abi_nearest_name(&nearest, word->text, newest->ioctls[i].name);
	abi_nearest_list(&hint, &nearest);
	rc = err_set(boot->err, ERR_NOT_FOUND, "none of the versions in %s has %s %s%s%s%s%s", table->path,
		     word->is_number ? "the number" : "an ioctl", word->text,
		     is_elsewhere ? "; if another version has it, use bootstrap VERSION --add " : "",
		     is_elsewhere ? word->text : "",
		     word->is_number		? "; drvabi show, with this table, prints what is known about it"
		     : strchr(word->text, ',')	? "; separate names with spaces"
						: "",
		     strbuf_text(&hint));
	strbuf_release(&hint);
	return rc;
}

/*
 * Finds the ioctl that a word names, in the newest document that has it. A number must belong to the same
 * ioctl in all documents. Return: 0; ERR_USAGE if it does not; ERR_NOT_FOUND if no document has the ioctl.
 */
static int find_wanted(struct wanted_ioctl *out, const struct adder *adder, const char *text)
{
	const struct table *table = adder->boot->table;
	struct err *err = adder->boot->err;
	struct lookup_word word = { .text = text };
	struct meanings found = { .count = 0 };
	const struct abi *newest = NULL;
	char *end;

	errno = 0;
	word.number = strtoull(text, &end, 0);
	word.is_number = *text >= '0' && *text <= '9' && !*end && !errno;
	for (size_t i = 0; i < table->node_count; i++) {
		struct meanings here = { .count = 0 };

		if (!adder->nodes[i].document)
			continue;
		newest = adder->nodes[i].document;
		add_meanings(word.is_number ? &found : &here, &word, newest, table);
		if (here.count)
			found = here;
	}
	if (word.is_number && found.count > 1)
		return fail_ambiguous(&found, text, err);
	if (!newest)
		return err_set(
			err, ERR_NOT_FOUND,
			"none of the versions of %s is in the data or a named repository, so nothing can "
			"be added",
			table->path);
	if (!found.count)
		return fail_not_found(&word, newest, adder->boot);
	*out = found.one[0].ioctl;
	return 0;
}

/*
 * Finds the ioctl, or its macro, in one version, and sets family, name, number and ioctl of @out. Return:
 * false if the version does not have it, and number is not set.
 */
static bool find_in_version(struct bootstrap_candidate *out, const struct abi *abi,
			    const struct wanted_ioctl *wanted)
{
	const struct abi_ioctl *ioctl = abi_find_ioctl(abi, wanted->family, wanted->name);
	const struct abi_constant *macro = ioctl ? NULL : abi_find_constant(abi, wanted->name);

	*out = (struct bootstrap_candidate){ .family = wanted->family, .name = wanted->name, .ioctl = ioctl };
	if (!ioctl && !resolve_is_number(macro))
		return false;
	out->number = ioctl ? ioctl->number : macro->value.magnitude;
	return true;
}

/* --- handlers ---------------------------------------------------------------------------- */

static bool is_like(const struct table_entry *entry, const char *family, bool has_params, bool reads)
{
	return entry->handler.kind && entry->handler.type_known && !strcmp(entry->family, family) &&
	       !entry->removed && !entry->struct_count == !has_params && !entry->handler.type == !reads;
}

/* Counts the entries that have the handler of @like, and that is_like() accepts. */
static size_t count_kind(const struct table *table, const struct table_entry *like, const char *family,
			 bool has_params, bool reads)
{
	size_t count = 0;

	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++) {
			const struct table_entry *one = &table->nodes[i].entries[e];

			count += is_like(one, family, has_params, reads) &&
				 !strcmp(one->handler.kind, like->handler.kind);
		}
	return count;
}

/*
 * Returns the most frequent handler of the family's entries, with or without parameters, read or unread;
 * NULL if there is none. If @reads, only handlers that accept any type are considered.
 */
static const char *usual_handler(const struct table *table, const char *family, bool has_params, bool reads)
{
	const char *kind = NULL;
	size_t best = 0;

	for (size_t i = 0; i < table->node_count; i++)
		for (size_t e = 0; e < table->nodes[i].entry_count; e++) {
			const struct table_entry *one = &table->nodes[i].entries[e];
			size_t count;

			if (!is_like(one, family, has_params, reads) ||
			    (reads && !naming_is_generic(table, &one->handler)))
				continue;
			count = count_kind(table, one, family, has_params, reads);
			if (count > best) {
				best = count;
				kind = one->handler.kind;
			}
		}
	return kind;
}

/* --- one entry at one node -------------------------------------------------------------------- */

/*
 * Checks whether the table forwards the wanted ioctl at the current node. Compares the number, or if @number
 * is NULL, the name.
 */
static bool is_forwarded_here(const struct adder *adder, const uint64_t *number)
{
	const char *name = adder->wanted.name;

	for (size_t i = 0; i < adder->view.entry_count; i++) {
		const struct table_entry *one = adder->view.entries[i];

		if (!strcmp(one->family, adder->wanted.family) &&
		    (number ? one->number == *number
			    : !strcmp(one->name, name) || same_text(one->constant, name)))
			return true;
	}
	return false;
}

/*
 * Finds the first entry of the wanted family whose only struct is @record, and is read; NULL if there is
 * none. @alike: set to the number of such entries with the same handler
 */
static const struct table_entry *find_similar(size_t *alike, const struct adder *adder, const char *record)
{
	const struct table_entry *found = NULL;

	*alike = 0;
	for (size_t i = 0; i < adder->view.entry_count; i++) {
		const struct table_entry *one = adder->view.entries[i];

		if (strcmp(one->family, adder->wanted.family) || one->struct_count != 1 ||
		    !one->structs[0].proxy || strcmp(one->structs[0].driver, record))
			continue;
		found = found ? found : one;
		*alike += same_text(one->handler.kind, found->handler.kind);
	}
	return found;
}

/*
 * Declares a type for @record at node @index. It is based on the type of @similar, or else on that of the
 * parent node's entry. Return: 0; an error of proxytype_declare().
 */
static int declare_added_type(const struct proxytype **out, const struct adder *adder, size_t index,
			      const char *record, const struct table_entry *similar,
			      const struct at_node *parent)
{
	struct proxytype_request request = { .abi = adder->nodes[index].document, .record = record };

	request.parent = similar ? table_find_type(adder->boot->table, similar->structs[0].proxy) : NULL;
	request.parent_abi = request.parent ? request.abi : NULL;
	if (!request.parent && parent->entry && parent->entry->struct_count &&
	    parent->entry->structs[0].proxy) {
		request.parent = proxytype_find(adder->boot->types, parent->entry->structs[0].proxy);
		request.parent_abi = parent->abi;
		request.parent_record = parent->entry->structs[0].driver;
	}
	return proxytype_declare(out, adder->boot->types, &request, adder->boot->err);
}

/*
 * Makes the entry for node @index, with number, record, type and handler; the handler has no kind if it is
 * unknown. The caller sets the name and the capabilities. Return: 0; an error of proxytype_declare().
 */
static int make_entry(struct table_entry *out, const struct adder *adder, size_t index,
		      const struct bootstrap_candidate *judged, const struct at_node *parent)
{
	struct arena *arena = adder->boot->arena;
	/* does the proxy read the parameters? It passes those of a simple command through unread */
	bool reads = judged->record && (strcmp(adder->wanted.family, "control") || !judged->is_simple);
	size_t alike = 0;
	const struct table_entry *similar = reads ? find_similar(&alike, adder, judged->record) : NULL;
	const struct proxytype *type = NULL;
	struct table_struct *one;
	bool in_params;
	int rc;

	if (reads && (rc = declare_added_type(&type, adder, index, judged->record, similar, parent)))
		return rc;
	*out = (struct table_entry){
		.family = adder->wanted.family,
		.number = judged->number,
		.constant = abi_find_constant(adder->nodes[index].document, adder->wanted.name)
				    ? adder->wanted.name
				    : NULL,
		.struct_count = judged->record ? 1 : 0,
	};
	out->structs = one = arena_array(arena, 1, sizeof(*one));
	*one = (struct table_struct){ judged->record, type ? type->type->name : NULL };
	/*
	 * The similar entry has the same record, so the new entry can use its type. The new entry can also
	 * use its handler if the handler accepts any type, or if at least two entries have the handler: that
	 * of a single entry may be specific to the entry (NV01_EVENT_OS_EVENT). If the parameters are a
	 * scalar (NvHandle), equal types do not mean that the handler fits.
	 */
	if (similar && similar->handler.type && !strcmp(similar->handler.type, one->proxy) &&
	    abi_find_record(adder->nodes[index].document, judged->record) &&
	    (alike > 1 || naming_is_generic(adder->boot->table, &similar->handler))) {
		out->handler = similar->handler;
		return 0;
	}
	/* For frontend and UVM, the usual handler returns the status in the parameters. */
	in_params = !strcmp(adder->wanted.family, "frontend") || !strcmp(adder->wanted.family, "uvm");
	if (!judged->is_simple || judged->objects ||
	    (in_params && !(type && type->selectors[PROXYTYPE_STATUS].path)))
		return 0;
	out->handler.kind = usual_handler(adder->boot->table, adder->wanted.family, judged->record, reads);
	out->handler.type = reads ? one->proxy : NULL;
	out->handler.type_known = out->handler.kind;
	return 0;
}

static bool is_as_parent(const struct table_entry *a, const struct table_entry *b)
{
	return a->number == b->number && a->struct_count == b->struct_count &&
	       same_text(a->constant, b->constant) &&
	       (!a->struct_count || (same_text(a->structs[0].proxy, b->structs[0].proxy) &&
				     same_text(a->structs[0].driver, b->structs[0].driver)));
}

/* Returns a text that says why the handler of a simple ioctl is unknown; "" if it is known. */
static const char *why_no_handler(const struct adder *adder, const struct bootstrap_candidate *judged,
				  const struct table_entry *now)
{
	const char *type = now->struct_count ? now->structs[0].proxy : NULL;
	const char *usual =
		usual_handler(adder->boot->table, adder->wanted.family, now->struct_count, type);

	if (now->handler.kind || !judged->is_simple)
		return "";
	if (judged->objects && usual)
		return arena_printf(adder->boot->arena, "; otherwise the handler is %s", usual);
	return type && usual ? "; it has no status field for a handler to set"
			     : "; the table has no handler for such parameters";
}

/* Sets the action that changes the entry from @was to @now. Return: the reason, for the report. */
static const char *decide_action(enum bootstrap_action *out, const struct adder *adder,
				 const struct bootstrap_candidate *judged, const struct table_entry *was,
				 const struct table_entry *now, const char *version)
{
	char number[ABI_NOTATION_BYTES];
	struct arena *arena = adder->boot->arena;

	if (!was) {
		*out = BOOTSTRAP_ADD;
		return arena_printf(arena, "%s: %s%s", judged->is_simple ? "simple" : "not simple",
				    judged->why, why_no_handler(adder, judged, now));
	}
	if (!now) {
		*out = BOOTSTRAP_REMOVE;
		return arena_printf(arena, "%s has no %s", version, adder->wanted.name);
	}
	if (was->number != now->number) {
		*out = BOOTSTRAP_RENUMBER;
		return arena_printf(arena, "%s is %s in %s", adder->wanted.name,
				    abi_ioctl_number(adder->wanted.family, judged->number, number), version);
	}
	*out = was->struct_count && now->struct_count &&
			       same_text(was->structs[0].proxy, now->structs[0].proxy) &&
			       !same_text(was->structs[0].driver, now->structs[0].driver)
		       ? BOOTSTRAP_RENAME
		       : BOOTSTRAP_REPLACE;
	return arena_printf(arena, "%s is different in %s, with %llu bytes%s%s%s",
			    judged->record ? judged->record : adder->wanted.name, version,
			    (unsigned long long)judged->size_bytes, now->handler.kind ? "" : "; ",
			    now->handler.kind ? "" : judged->why, why_no_handler(adder, judged, now));
}

/*
 * Returns the version since which the driver has the ioctl (@only_listed: in a table): the oldest of @at and
 * its ancestors that have it without a gap; "X or earlier (Y was not examined)" if Y has no document.
 */
static const char *oldest_ancestor(const struct adder *adder, size_t at, bool only_listed)
{
	const struct history_graph *graph = adder->boot->graph;
	struct bootstrap_candidate one;

	for (long up = graph->versions[at].parent; up != HISTORY_NO_PARENT; up = graph->versions[up].parent) {
		if (!graph->versions[up].abi)
			return arena_printf(adder->boot->arena, "%s or earlier (%s was not examined)",
					    graph->versions[at].version, graph->versions[up].version);
		if (!find_in_version(&one, graph->versions[up].abi, &adder->wanted) ||
		    (only_listed && !one.ioctl))
			break;
		at = (size_t)up;
	}
	return graph->versions[at].version;
}

/*
 * Sets the changes of an added entry: "in the driver since 545.23.06". If the node's version has only a
 * macro, a later version may list the ioctl in a table, so the path to the newest version is also searched.
 */
static void set_since(struct bootstrap_entry *entry, const struct adder *adder, bool is_listed)
{
	const struct history_graph *graph = adder->boot->graph;
	struct arena *arena = adder->boot->arena;
	const char **since = arena_array(arena, 3, sizeof(*since)),
		   *first = oldest_ancestor(adder, history_graph_index(graph, entry->node), false);
	size_t newest = history_graph_index(graph, adder->boot->out.version);
	struct bootstrap_candidate one;

	entry->changes = since;
	since[entry->change_count++] =
		arena_printf(arena, is_listed ? "in the driver since %s" : "only a macro, since %s", first);
	if (!is_listed && newest < graph->version_count && graph->versions[newest].abi &&
	    find_in_version(&one, graph->versions[newest].abi, &adder->wanted) && one.ioctl)
		since[entry->change_count++] = arena_printf(
			arena, "in a table of the driver since %s", oldest_ancestor(adder, newest, true));
	if (adder->passed)
		since[entry->change_count++] = adder->passed;
}

/*
 * Adds a change of the entry at node @index, with its action and reason, and marks the node as changed. @was
 * is NULL for a new entry, @now for a removed one. Return: the change, valid until the next one is added.
 */
static struct bootstrap_entry *add_entry_change(struct adder *adder, size_t index,
						const struct table_entry *was, const struct table_entry *now,
						const struct bootstrap_candidate *judged)
{
	struct boot *boot = adder->boot;
	const struct table_node *node = &boot->table->nodes[index];
	enum bootstrap_action action;
	const char *why = decide_action(&action, adder, judged, was, now, node->version);

	boot->entries = arena_room(boot->arena, boot->entries, boot->out.entry_count, sizeof(*boot->entries));
	boot->entries[boot->out.entry_count++] = (struct bootstrap_entry){
		.node = node->version,
		.action = action,
		.is_read = table_entry_is_read(was ? was : now),
		.was = was,
		.now = now,
		.size_now = judged->size_bytes,
		.why = why,
	};
	if (action == BOOTSTRAP_ADD)
		set_since(&boot->entries[boot->out.entry_count - 1], adder, judged->ioctl != NULL);
	adder->nodes[index].changes = true;
	return &boot->entries[boot->out.entry_count - 1];
}

/* --- from node to node -------------------------------------------------------------------------- */

/*
 * The node's version has the ioctl: adds an entry with its pointers, unless the parent's entry fits this
 * version, too. Sets the entry at the node, which its children inherit. At the first such node, sets
 * adder->asked, with the capabilities. Return: 0; an error of proxytype_declare() or pointers_find().
 */
static int visit_existing(struct adder *adder, size_t index, struct bootstrap_candidate *judged,
			  const struct at_node *parent)
{
	struct boot *boot = adder->boot;
	const struct abi *abi = adder->nodes[index].document;
	const struct table_node *node = &boot->table->nodes[index];
	struct table_entry now, *entry;
	struct bootstrap_entry *added;
	int rc;

	if ((rc = candidates_judge(judged, abi, boot)) ||
	    (rc = make_entry(&now, adder, index, judged, parent)))
		return rc;
	if (!adder->asked->name) { /* this is the first node whose version has the ioctl */
		bootstrap_guess(judged, &adder->view, boot->options->observed, boot->arena);
		*adder->asked = *judged;
		adder->asked->first = node->version;
	}
	if (parent->entry && !now.handler.kind && judged->is_simple && now.struct_count &&
	    now.structs[0].proxy && naming_is_generic(boot->table, &parent->entry->handler))
		now.handler = (struct table_handler){ .kind = parent->entry->handler.kind,
						      .type = now.structs[0].proxy,
						      .type_known = true };
	now.name = adder->wanted.name;
	if (parent->entry) /* if the number changed, the entry needs a new name, for a new constant */
		now.name = parent->entry->number == now.number
				   ? parent->entry->name
				   : naming_free_entry(boot->table, &now, node->version, boot->arena);
	now.caps = adder->asked->caps.caps;
	now.cap_count = adder->asked->caps.count;
	if (parent->entry && is_as_parent(parent->entry, &now)) {
		adder->nodes[index].at = (struct at_node){ parent->entry, abi };
		return 0;
	}
	entry = arena_memdup(boot->arena, &now, sizeof(now));
	adder->nodes[index].at = (struct at_node){ entry, abi };
	added = add_entry_change(adder, index, parent->entry, entry, judged);
	if ((rc = pointers_find(boot, added, abi, judged->ioctl, judged->objects)) || !judged->record ||
	    parent->entry)
		return rc;
	return audit_record(boot, judged->family, judged->name, abi, judged->record, judged->is_simple);
}

/*
 * Decides which entry node @index needs for the wanted ioctl, adds the change, and sets the node's entry,
 * which its children inherit. The node's parent was visited before. Return: as visit_existing().
 */
static int visit_node(struct adder *adder, size_t index)
{
	const struct table_node *node = &adder->boot->table->nodes[index];
	const struct at_node none = { .entry = NULL };
	const struct at_node *parent =
		node->parent ? &adder->nodes[node->parent - adder->boot->table->nodes].at : &none;
	struct bootstrap_candidate one;
	char number[ABI_NOTATION_BYTES];

	adder->nodes[index].at = *parent;
	table_view_at(&adder->view, adder->boot->table, node, adder->boot->arena);
	if (is_forwarded_here(adder, NULL)) {
		adder->nodes[index].at = none; /* the table already forwards the ioctl at this node and its
					    descendants */
		return 0;
	}
	if (!adder->nodes[index].document) {
		adder->nodes[index].inherits |= parent->entry != NULL;
		return 0;
	}
	if (find_in_version(&one, adder->nodes[index].document, &adder->wanted)) {
		const char *passed = table_passes(adder->boot->table, one.family, one.number);

		if (!parent->entry && passed) { /* for this number, the proxy does not look for an entry */
			adder->passed = arena_printf(
				adder->boot->arena, "in %s, it is %s, which the proxy passes through by number (%s)",
				node->version, abi_ioctl_number(one.family, one.number, number), passed);
			adder->nodes[index].at = none;
			return 0;
		}
		if (!parent->entry && is_forwarded_here(adder, &one.number)) {
			adder->nodes[index].at =
				none; /* the node forwards the number under a different name, such as that of
					 a method without a macro */
			return 0;
		}
		return visit_existing(adder, index, &one, parent);
	}
	if (parent->entry)
		add_entry_change(adder, index, parent->entry, NULL, &one);
	adder->nodes[index].at = none;
	return 0;
}

/*
 * Adds the changes of all nodes for the ioctl that @word names, and the candidate, unless an earlier word
 * named it. Return: 0; ERR_NOT_FOUND if no node needs an entry; as find_wanted() and visit_node().
 */
static int add_wanted_ioctl(struct adder *adder, const char *word)
{
	const struct table *table = adder->boot->table;
	size_t before = adder->boot->out.entry_count;
	int rc;

	if ((rc = find_wanted(&adder->wanted, adder, word)))
		return rc;
	for (size_t i = 0; i < adder->found_count; i++)
		if (!strcmp(adder->found[i].family, adder->wanted.family) &&
		    !strcmp(adder->found[i].name, adder->wanted.name))
			return 0; /* an earlier word already named this ioctl */
	adder->asked = &adder->found[adder->found_count];
	adder->passed = NULL;
	for (size_t i = 0; i < table->node_count; i++)
		if ((rc = visit_node(adder, i))) {
			err_prefix(adder->boot->err, "%s at %s", adder->wanted.name, table->nodes[i].version);
			return rc;
		}
	if (adder->boot->out.entry_count == before && adder->passed)
		return err_set(adder->boot->err, ERR_NOT_FOUND, "%s %s needs no entry: %s",
			       adder->wanted.family, adder->wanted.name, adder->passed);
	if (adder->boot->out.entry_count == before)
		return err_set(adder->boot->err, ERR_NOT_FOUND,
			       "%s already forwards %s %s at every node whose version has it", table->path,
			       adder->wanted.family, adder->wanted.name);
	adder->found_count++;
	return 0;
}

/* --- the result ------------------------------------------------------------------------------------ */

/*
 * Copies the table for this run, and appends a node for each version of the path, with the entries that the
 * run has decided on. So an ioctl can be added at an intermediate version.
 */
static struct table *table_with_path(const struct boot *boot)
{
	const struct table *table = boot->table;
	size_t more = boot->position ? boot->position->path_count - 1 : 0;
	struct table *out = arena_memdup(boot->arena, table, sizeof(*table));
	struct table_node *nodes = arena_array(boot->arena, table->node_count + more + 1, sizeof(*nodes));

	for (size_t i = 0; i < table->node_count; i++) {
		nodes[i] = table->nodes[i];
		if (nodes[i].parent)
			nodes[i].parent = &nodes[nodes[i].parent - table->nodes];
	}
	for (size_t i = 1; i <= more; i++) {
		struct table_node *node = &nodes[table->node_count + i - 1];

		node->version = boot_version(boot, i);
		node->parent = i > 1 ? node - 1 : &nodes[boot->position->base - table->nodes];
		nodes_entries(node, &boot->out, boot->arena);
	}
	out->nodes = nodes;
	out->node_count += more;
	return out;
}

/* The order of a report: by entry, and for one entry by node, oldest first. */
static int compare_by_entry(const void *a, const void *b)
{
	const struct bootstrap_entry *x = a, *y = b;

	return table_entry_order(x->now ? x->now : x->was, y->now ? y->now : y->was)
		?: abi_version_compare(x->node, y->node);
}

/*
 * Sets the candidates: the requested ioctls, then other new ones. For bootstrap_version(), which sets the
 * position, they are sorted together.
 */
static void set_candidates(const struct adder *adder)
{
	struct bootstrap *out = &adder->boot->out;
	struct bootstrap_candidate *all =
		arena_array(adder->boot->arena, adder->found_count + out->candidate_count, sizeof(*all));
	size_t count = adder->found_count;

	memcpy(all, adder->found, count * sizeof(*all));
	for (size_t i = 0; i < out->candidate_count; i++) {
		size_t f = 0;

		while (f < adder->found_count && candidates_order(&adder->found[f], &out->candidates[i]))
			f++;
		if (f == adder->found_count)
			all[count++] = out->candidates[i];
	}
	if (adder->boot->position)
		sort_items(all, count, sizeof(*all), candidates_order);
	out->candidates = all;
	out->candidate_count = count;
}

/* Adds the nodes that change to @nodes, and those that inherit an entry without a document to not_checked. */
static void set_nodes(const struct adder *adder, struct bootstrap_node *nodes, size_t table_count)
{
	struct boot *boot = adder->boot;

	for (size_t i = 0; i < table_count; i++) {
		const struct table_node *node = &boot->table->nodes[i];
		const char *parent = node->parent ? node->parent->version : NULL;

		if (adder->nodes[i].changes)
			nodes[boot->out.node_count++] = (struct bootstrap_node){
				.version = node->version,
				.parent = parent,
				.commit = adder->nodes[i].document ? adder->nodes[i].document->commit : "",
				.supported = node->supported,
				.exists = true,
			};
		if (adder->nodes[i].inherits)
			boot_not_checked(boot,
					 "%s was not examined: neither the data nor a named repository has "
					 "it; its node inherits the entry of %s",
					 node->version, parent ? parent : "no other");
	}
}

int add_ioctls(struct boot *boot, struct bootstrap_node *nodes, const char *const *words, size_t word_count)
{
	const struct table *table = boot->table;
	struct adder adder = { .boot = boot };
	bool has_frontend = false;
	int rc = 0;

	if (!word_count)
		return 0;
	boot->table = table_with_path(boot);
	adder.nodes = arena_array(boot->arena, boot->table->node_count, sizeof(*adder.nodes));
	for (size_t i = 0; i < boot->table->node_count; i++) {
		size_t version = history_graph_index(boot->graph, boot->table->nodes[i].version);

		if (version < boot->graph->version_count)
			adder.nodes[i].document = boot->graph->versions[version].abi;
	}
	adder.found = arena_array(boot->arena, word_count, sizeof(*adder.found));
	for (size_t i = 0; i < word_count && !rc; i++)
		rc = add_wanted_ioctl(&adder, words[i]);
	if (!rc) {
		sort_items(boot->entries, boot->out.entry_count, sizeof(*boot->entries), compare_by_entry);
		boot->out.entries = boot->entries;
		set_candidates(&adder);
		set_nodes(&adder, nodes, table->node_count);
		for (size_t i = 0; i < boot->out.entry_count; i++)
			has_frontend |= boot->entries[i].action == BOOTSTRAP_ADD &&
					!strcmp(boot->entries[i].now->family, "frontend");
		/* The profile does not read which escapes the driver handles. Some are only macros. */
		if (has_frontend)
			boot_not_checked(
				boot, "whether any code of the driver handles an added ioctl of frontend");
	}
	boot->table = table;
	return rc;
}

int bootstrap_add(struct bootstrap *out, const struct history_graph *graph, const struct table *table,
		  struct proxytype_set *types, const char *const *words, size_t word_count,
		  const struct bootstrap_options *options, struct arena *arena, struct err *err)
{
	struct boot boot = { .graph = graph,
			     .table = table,
			     .types = types,
			     .arena = arena,
			     .err = err,
			     .options = options };
	struct bootstrap_node *nodes = arena_array(arena, table->node_count, sizeof(*nodes));
	const struct abi *newest = NULL; /* of the versions that have a node and a document */
	int rc;

	for (size_t i = 0; i < graph->version_count; i++) {
		const struct abi *abi = graph->versions[i].abi;

		if (abi && table_find_node(table, abi->version) &&
		    (!newest || abi_version_compare(abi->version, newest->version) > 0))
			newest = abi;
	}
	boot.out.table = table;
	boot.out.driver = table->driver;
	boot.out.target = newest ? newest->target : "";
	boot.out.version = newest ? newest->version : "";
	boot.out.commit = newest ? newest->commit : "";
	if ((rc = add_ioctls(&boot, nodes, words, word_count)))
		return rc;
	boot.out.verdict = BOOTSTRAP_CHANGES;
	boot.out.nodes = nodes;
	edits_write(&boot);
	boot_not_checked(&boot, "what the driver does with the bytes");
	nodes_patch(&boot);
	*out = boot.out;
	return 0;
}
