/*
 * Tests which changes of a table a version, or one more ioctl, needs. The history of a small driver and the
 * table of a proxy are written as text.
 */
#include "bootstrap/bootstrap.h"
#include "abi/table_test.h"

enum { VERSIONS_MAX = 8, LIST_MAX = 16 };

#define BOOTSTRAP_TEST(name) TEST_WITH(name, NULL, end_test)
#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static struct arena arena;
static struct err err;
static struct history_version versions[VERSIONS_MAX];
static size_t version_count;
static struct history_graph graph;
static struct table *table;
static struct proxytype_set *types;
static struct bootstrap got;

static int end_test(void **state)
{
	proxytype_set_free(types);
	types = NULL;
	arena_release(&arena);
	return 0;
}

/*
 * Parses "@1.0 ioctl X 1 P … @2.0?<1.0 …": versions with their documents; "?" marks one that cannot be read.
 * Each ioctl has a macro with its name, and each version has a record with a pointer and a handle.
 */
static void put_versions(const char *text)
{
	version_count = 0;
	while (*text) {
		char *word = document_word(&text, &arena), *parent = strchr(word, '<'), *mark;
		const char *end = strstr(text, " @");
		const char *own = end ? arena_strndup(&arena, text, (size_t)(end - text)) : text;
		struct abi_builder *doc = document_new(&arena);
		struct history_version *version = &versions[version_count];

		if (parent)
			*parent++ = '\0';
		if ((mark = strchr(word, '?')))
			*mark = '\0';
		*version = (struct history_version){ .version = word + 1, .parent = HISTORY_NO_PARENT,
						     .commit = "0123456789abcdef0123456789abcdef01234567" };
		for (size_t i = 0; parent && i < version_count; i++)
			if (!strcmp(versions[i].version, parent))
				version->parent = (long)i;
		document_put(doc, "struct SOME_POINTER 12 { NvP64 p@0 pointer; NvHandle hOne@8 handle }",
			     &arena);
		document_put(doc, own, &arena);
		for (const char *at = own; (at = strstr(at, "ioctl "));) {
			char *name = (at += 6, document_word(&at, &arena)), *slash = strchr(name, '/');

			document_put(doc, arena_printf(&arena, "const %s %s", slash ? slash + 1 : name,
						       document_word(&at, &arena)), &arena);
		}
		version->abi = mark ? NULL : document_seal(doc, version->version, &arena);
		abi_builder_free(doc);
		version_count++;
		text = end ? end + 1 : "";
	}
	history_graph_of(&graph, versions, version_count, &arena);
}

static void put_table(const char *text)
{
	table = table_of(text, &arena);
	types = proxytype_set_new(table, &arena);
}

/* --- the result as text ----------------------------------------------------------------- */

static void add_entry(struct strbuf *out, const struct bootstrap_entry *entry)
{
	const struct table_entry *now = entry->now;

	strbuf_addf(out, "\n%s at %s %s: %s", bootstrap_action_name(entry->action), entry->node,
		    entry->was ? entry->was->name : now->name, entry->why);
	for (size_t i = 0; entry->action == BOOTSTRAP_ADD && i < entry->change_count; i++)
		strbuf_addf(out, "; %s", entry->changes[i]);
	if (now && entry->action != BOOTSTRAP_NONE) {
		strbuf_addf(out, "\n  now %s 0x%llx %s", now->name, (unsigned long long)now->number,
			    now->constant ? now->constant : "-");
		for (size_t i = 0; i < now->struct_count; i++)
			strbuf_addf(out, " %s:%s", now->structs[i].driver,
				    now->structs[i].proxy ? now->structs[i].proxy : "-");
		strbuf_addf(out, " by %s:%s", now->handler.kind ? now->handler.kind : "?",
			    now->handler.type ? now->handler.type : "-");
	}
	for (size_t i = 0; i < entry->pointer_count; i++) {
		const struct bootstrap_pointer *one = &entry->pointers[i];

		strbuf_addf(out, "\n  pointer %s@%llu of %s@%llu+%llu %s of %llu, %d, at most %llu%s",
			    one->path, (unsigned long long)one->offset_bytes, one->count,
			    (unsigned long long)one->count_offset_bytes, (unsigned long long)one->count_bytes,
			    one->element, (unsigned long long)one->element_bytes, (int)one->direction,
			    (unsigned long long)one->limit_bytes, one->empty_is_refused ? ", not empty" : "");
	}
	for (size_t i = 0; i < entry->fd_count; i++)
		strbuf_addf(out, "\n  fd %s@%llu+%llu %s", entry->fds[i].rule->path,
			    (unsigned long long)entry->fds[i].offset_bytes,
			    (unsigned long long)entry->fds[i].bytes, entry->fds[i].rule->kind);
	for (size_t i = 0; i < entry->unknown_count; i++)
		strbuf_addf(out, "\n  unknown %s: %s", bootstrap_open_name(entry->unknown[i].what),
			    entry->unknown[i].text);
}

static void add_nodes(struct strbuf *out)
{
	strbuf_addf(out, "\n%s", bootstrap_verdict_name(got.verdict));
	for (size_t i = 0; i < got.node_count; i++) {
		const struct bootstrap_node *node = &got.nodes[i];
		const struct table_node *patch = &got.patch.nodes[i];

		strbuf_addf(out, "; %s after %s%s%s", node->version, node->parent ? node->parent : "none",
			    node->supported ? "" : " between", node->exists ? " exists" : "");
		if (node->was_parent)
			strbuf_addf(out, " was after %s", node->was_parent);
		assert_string_equal(patch->version, node->version);
		assert_string_equal(patch->parent ? patch->parent->version : "none",
				    node->parent ? node->parent : "none");
		for (size_t e = 0; e < patch->entry_count; e++)
			strbuf_addf(out, "%s%s%s", e ? ", " : ": ", patch->entries[e].removed ? "-" : "",
				    patch->entries[e].name);
	}
}

/*
 * Prints all except missing checksums, edits, and the facts that are never checked. Prints candidates only
 * for a version.
 */
static void add_result(struct strbuf *out, bool is_version)
{
	add_nodes(out);
	for (size_t i = 0; i < got.entry_count; i++)
		add_entry(out, &got.entries[i]);
	for (size_t i = 0; i < got.type_count; i++) {
		const struct table_type *type = got.types[i]->type;

		strbuf_addf(out, "\ntype %s of %llu:", type->name, (unsigned long long)type->size_bytes);
		for (size_t f = 0; f < type->field_count; f++)
			strbuf_addf(out, " %s", type->fields[f].name);
	}
	for (size_t i = 0; i < got.candidate_count && is_version; i++)
		strbuf_addf(out, "\ncandidate %s%s at %s %s: %s", got.candidates[i].name,
			    got.candidates[i].is_macro ? " (macro)" : "", got.candidates[i].first,
			    got.candidates[i].is_simple ? "simple" : "not simple", got.candidates[i].why);
	for (size_t i = 0; i < got.audit_count; i++)
		strbuf_addf(out, "\naudit %s: %s", bootstrap_doubt_name(got.audit[i].what),
			    got.audit[i].text);
	for (size_t i = 0; i < got.passed_count; i++)
		strbuf_addf(out, "\npassed: %s", got.passed[i].text);
	for (size_t i = 0; i < got.fault_count; i++)
		strbuf_addf(out, "\nfault at %s: %s", got.faults[i].version, got.faults[i].finding->message);
	for (size_t i = 0; i < got.proof.text_count; i++)
		if (!strncmp(got.proof.text[i], "New in", 6))
			strbuf_addf(out, "\n%s", got.proof.text[i]);
	for (size_t i = 0; i < got.todo_count; i++)
		if (strcmp(got.todo[i].what, "checksum") != 0 && strcmp(got.todo[i].what, "caps") != 0)
			strbuf_addf(out, "\ntodo %s at %s: %s", got.todo[i].what, got.todo[i].node,
				    got.todo[i].why);
	for (size_t i = 0; i < got.not_checked_count; i++)
		if (strncmp(got.not_checked[i], "what the ", 9) &&
		    strncmp(got.not_checked[i], "ioctls that", 11))
			strbuf_addf(out, "\nnot checked: %s", got.not_checked[i]);
}

/* --- commands ------------------------------------------------------------------------- */

#define LIST_RULE(...) \
	{ .record = "N", .path = "list", .count = "count", .direction = USE_INOUT, \
	  .evidence = "copier.c", __VA_ARGS__ }
static const struct pointer_rule
	list_rule = LIST_RULE(.element = "NvU32", .limit_bytes = 64),
	converted_rule = LIST_RULE(.element = "NvU32", .limit_bytes = 64, .converted = "NEWER.list"),
	open_rule = LIST_RULE(.element = "ELEMENT", .times = "count", .when = "count", .equals = 2);
static const struct fd_rule event_rule = {
	.record = "N", .path = "hEvent", .kind = "event", .optional = true, .evidence = "event.c"
};
static const struct use_span since_2 = { .since = "2.0" }, since_3 = { .since = "3.0" };
static const struct pid_rule
	pid_since_2 = { .record = "N", .path = "owner", .converts = &since_2, .convert_count = 1 },
	pid_since_3 = { .record = "N", .path = "owner", .converts = &since_3, .convert_count = 1 };
static const struct {
	const char *name;
	struct use_rules rules;
} uses[] = {
	{ "list", { .read_until = "1.0", .pointers = { &list_rule, 1 } } },
	{ "converted", { .read_until = "1.0", .pointers = { &converted_rule, 1 } } },
	{ "open", { .read_until = "0.9", .pointers = { &open_rule, 1 } } },
	{ "event", { .read_until = "1.0", .fds = &event_rule, .fd_count = 1 } },
	{ "pid_2", { .pids = { &pid_since_2, 1 } } },
	{ "pid_3", { .pids = { &pid_since_3, 1 } } },
};

/*
 * Runs a command such as "1.5 use=list add WORD": bootstrap_version() for the version (by default the
 * newest), with rules and added ioctls. With "add" and without a version, runs bootstrap_add().
 */
static int run(const char *asked, const char *sha256)
{
	struct bootstrap_options options = { .sha256_x86_64 = sha256 };
	const char **words = arena_array(&arena, LIST_MAX, sizeof(*words));
	struct bootstrap_position position;
	size_t version = version_count - 1;
	bool is_version = !*asked, is_added = false;
	char *word;
	int rc;

	options.add = words;
	while (*(word = document_word(&asked, &arena)))
		if (is_added) {
			words[options.add_count++] = word;
		} else if (!strcmp(word, "add")) {
			is_added = true;
		} else if (!strncmp(word, "use=", 4)) {
			for (size_t i = 0; i < COUNT(uses); i++)
				if (!strcmp(uses[i].name, word + 4))
					options.use = &uses[i].rules;
		} else {
			is_version = true;
			version = history_graph_index(&graph, word);
		}
	if (!is_version)
		return bootstrap_add(&got, &graph, table, types, words, options.add_count, &options, &arena,
				     &err);
	if ((rc = bootstrap_find(&position, &graph, table, version, &arena, &err)))
		return rc;
	return bootstrap_version(&got, &position, &graph, table, types, &options, &arena, &err);
}

/* A history, a table, a command (run()), and the whole result, or the error. */
struct fact {
	const char *fact, *versions, *table, *asked, *answer;
};

static void check_facts(const struct fact *facts, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++) {
		struct strbuf text = { 0 };

		put_versions(facts[i].versions);
		put_table(facts[i].table);
		if (run(facts[i].asked, NULL))
			strbuf_addf(&text, "\n%s", err.text);
		else
			add_result(&text,
				   strncmp(facts[i].asked, "add", 3) && strncmp(facts[i].asked, "use", 3));
		wrong += text_differs(facts[i].fact, &text, facts[i].answer);
		end_test(NULL);
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(facts) check_facts(facts, COUNT(facts))

/* --- a version --------------------------------------------------------------------------- */

#define IOCTL "ioctl ONE 0x101 P struct P "
#define PLAIN IOCTL "8 { NvU32 count@0; NvU32 rmStatus@4 status } "
#define GROWN IOCTL "12 { NvU32 count@0; NvU32 flags@4; NvU32 rmStatus@8 status } "
#define WITH_LIST IOCTL "16 { NvU32 count@0; NvU32 rmStatus@4 status; NvP64 list@8 pointer } "
#define TYPE "P 8 { uint32 Count@0; uint32 RMStatus@4 } "
#define READ "ONE 0x101 P:P handler=simple:P"
#define READ_TABLE TYPE "node 1.0 { " READ " }"
/* A command according to its name */
#define COMMAND "ioctl N_CTRL_CMD_ONE 0x101 P struct P 8 { NvU32 count@0; NvU32 rmStatus@4 status } "
#define COMMAND_TABLE TYPE "node 1.0 { N_CTRL_CMD_ONE 0x101 P:P handler=simple:P }"
#define UNREAD_TABLE "node 1.0 { ONE 0x101 P:- handler=simple: }"
/* A function that unmarshals several types accepts any type. */
#define GENERIC_TABLE TYPE "node 1.0 { " READ "; OTHER 9 macro=- handler=simple:Handle }"

/* The record that is read has 12 bytes from the version @node on, and needs the proxy's type @type. */
#define GROWN_AT(node, type) \
	"replace at " node " ONE: P is 12 bytes, and was 8\n" \
	"  now ONE 0x101 ONE P:" type " by ?:-\n" \
	"type " type " of 12: Count Flags RMStatus\n" \
	"todo handler at " node ": a function like simple that unmarshals nvgpu." type "; nvproxy-patch " \
	"writes it if it can"
/* The unread record has @bytes bytes in 2.0, and had @was. */
#define UNREAD(bytes, was) \
	"none at 2.0 ONE: P is " bytes " bytes, and was " was "; the proxy passes it through unread, " \
	"whatever its size, and no pointer, fd or pid was added"
/* The unread record must be read from 2.0 on, and needs a type with the size and fields @type. */
#define MUST_BE_READ(why, type) \
	"replace at 2.0 ONE: P is passed through unread, and " why "\n" \
	"  now ONE 0x101 ONE P:P by ?:-\n" \
	"type P of " type "\n"
#define MUST_BE_READ_TODO \
	"todo handler at 2.0: ONE must be read: it needs a handler for nvgpu.P instead of simple"

static const struct fact version_facts[] = {
	{ "equal versions need a node only", "@1.0 " PLAIN "@2.0<1.0 " PLAIN, READ_TABLE, "",
	  "node only; 2.0 after 1.0" },
	{ "a version that the table supports needs nothing", "@1.0 " PLAIN, READ_TABLE, "", "nothing" },
	{ "a record that is read and grew gets a new type", "@1.0 " PLAIN "@2.0<1.0 " GROWN, READ_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  GROWN_AT("2.0", "P_V2") },
	{ "a node between is where the change first appeared",
	  "@1.0 " PLAIN "@1.5<1.0 " PLAIN "@2.0<1.5 " GROWN "@2.5<2.0 " GROWN, READ_TABLE, "",
	  "node with changes; 2.0 after 1.0 between: ONE; 2.5 after 2.0\n"
	  GROWN_AT("2.0", "P_V2") },
	{ "a pointer that only the driver's code shows is a todo",
	  "@1.0 " PLAIN "@2.0<1.0 ioctl ONE 0x101 P +embedded-pointers struct P 8 { NvU32 count@0; NvU32 rmStatus@4 "
	  "status } ", UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  "todo finding at 2.0: ONE is passed through unread, but the driver follows a pointer in its parameters" },
	{ "an ioctl that other callers may use, or that is no longer handled, is a todo",
	  "@1.0 " PLAIN "ioctl TWO 0x102 - +privileged ioctl uvm/THREE 3 - @2.0<1.0 " PLAIN
	  "ioctl TWO 0x102 - +non-privileged ioctl uvm/THREE 3 - +not-dispatched",
	  TYPE "node 1.0 { " READ "; TWO 0x102 ; uvm/THREE 3 }", "",
	  "node only; 2.0 after 1.0\n"
	  "todo ioctl at 2.0: THREE: review the entry, because its access changed (+not-dispatched)\n"
	  "todo ioctl at 2.0: TWO: review the entry, because its access changed (+non-privileged, -privileged)" },
	{ "a further pid in an unread record is a todo",
	  "@1.0 ioctl ONE 0x101 N struct N 8 { NvU32 a@0; NvU32 pid@4 pid } "
	  "@2.0<1.0 ioctl ONE 0x101 N struct N 12 { NvU32 a@0; NvU32 pid@4 pid; NvU32 owner@8 pid }",
	  "node 1.0 { ONE 0x101 N:- handler=simple: }", "2.0 use=pid_3",
	  "node only; 2.0 after 1.0\n"
	  "none at 2.0 ONE: N is 12 bytes, and was 8; the proxy passes it through unread, whatever its size, and "
	  "with the pids that it already has, also owner\n"
	  "audit pid: pid (NvU32 at 4) is a process id\n"
	  "audit pid: owner (NvU32 at 8) is a process id\n"
	  "todo pid at 2.0: ONE is passed through unread, with the pids that it already had. Now owner (NvU32 at "
	  "8) is a process id as well: decide whether it needs a handler" },
	{ "a further pid that the driver converts needs none",
	  "@1.0 ioctl ONE 0x101 N struct N 8 { NvU32 a@0; NvU32 pid@4 pid } "
	  "@2.0<1.0 ioctl ONE 0x101 N struct N 12 { NvU32 a@0; NvU32 pid@4 pid; NvU32 owner@8 pid }",
	  "node 1.0 { ONE 0x101 N:- handler=simple: }", "2.0 use=pid_2",
	  "node only; 2.0 after 1.0\n"
	  "none at 2.0 ONE: N is 12 bytes, and was 8; the proxy passes it through unread, whatever its size, and "
	  "the driver converts the pids that were added\n"
	  "audit pid: pid (NvU32 at 4) is a process id\n"
	  "audit pid: owner (NvU32 at 8) is a process id" },
	{ "an ioctl that the proxy no longer passes through by number is a todo",
	  "@1.0 " PLAIN "ioctl LEGACY 0x8002 - @2.0<1.0 " PLAIN "ioctl LEGACY 0x2 -",
	  "passed 0x8000 " READ_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  "todo ioctl at 2.0: LEGACY is 0x2, and was 0x8002, which the proxy passes through by number (passed). "
	  "The proxy does not forward the new number without an entry (--add LEGACY)" },
	{ "an added ioctl needs no entry where the proxy passes it through by number",
	  "@1.0 " PLAIN "ioctl LEGACY 0x8002 - @2.0<1.0 " PLAIN "ioctl LEGACY 0x2 -",
	  "passed 0x8000 " TYPE "node 1.0 { " READ " } node 2.0<1.0 { }", "add LEGACY",
	  "node with changes; 2.0 after 1.0 exists: LEGACY\n"
	  "add at 2.0 LEGACY: simple: it takes no parameters; the table has no handler for such parameters; in "
	  "the driver since 1.0; in 1.0, it is 0x8002, which the proxy passes through by number (passed)\n"
	  "  now LEGACY 0x2 LEGACY by ?:-\n"
	  "todo handler at 2.0: LEGACY needs a handler; simple: it takes no parameters; the table has no "
	  "handler for such parameters" },
	{ "an ioctl that the proxy passes through by number everywhere needs no entry",
	  "@1.0 " PLAIN "ioctl LEGACY 0x8002 -", "passed 0x8000 " READ_TABLE, "add LEGACY",
	  "control LEGACY needs no entry: in 1.0, it is 0x8002, which the proxy passes through by number (passed)" },
	{ "a change that was reverted needs no node and is reported",
	  "@1.0 " PLAIN "@2.0<1.0 " GROWN "@3.0<2.0 " PLAIN, READ_TABLE, "",
	  "node only; 3.0 after 1.0\n"
	  "passed: P is different in 2.0, but the same in 3.0 and 1.0" },
	{ "a change that was made again is where it was made again",
	  "@1.0 " PLAIN "@2.0<1.0 " GROWN "@3.0<2.0 " PLAIN "@4.0<3.0 " GROWN, READ_TABLE, "",
	  "node with changes; 4.0 after 1.0: ONE\n"
	  GROWN_AT("4.0", "P_V4") },
	{ "a node between that is wrong at its own version is a todo",
	  "@1.0 " PLAIN "ioctl TWO 0x102 - @2.0<1.0 " GROWN "ioctl TWO 0x103 - @3.0<2.0 " IOCTL "16 { "
	  "NvU32 count@0; NvU32 rmStatus@12 status } ioctl TWO 0x103 -",
	  TYPE "node 1.0 { " READ " ; TWO 0x102 }", "",
	  "node with changes; 2.0 after 1.0 between: -TWO, TWO_V2; 3.0 after 2.0: ONE\n"
	  "replace at 3.0 ONE: P is 16 bytes, and was 8\n"
	  "  now ONE 0x101 ONE P:P_V3 by ?:-\n"
	  "renumber at 2.0 TWO: TWO is 0x103, and was 0x102\n"
	  "  now TWO_V2 0x103 TWO by ?:-\n"
	  "type P_V3 of 16: Count Pad0 RMStatus\n"
	  "todo finding at 2.0: in 2.0, P is 12 bytes in the driver, P 8 in the proxy; bootstrap 2.0, "
	  "merge its patch into the table, and then bootstrap 3.0\n"
	  "todo handler at 3.0: a function like simple that unmarshals nvgpu.P_V3; nvproxy-patch writes "
	  "it if it can\n"
	  "todo handler at 2.0: the table does not say which handler TWO has" },
	{ "a kernel address that was added is only a warning",
	  "@1.0 " PLAIN "@2.0<1.0 " IOCTL "16 { NvU32 count@0; NvU32 rmStatus@4 status; "
	  "NvU64 pInfo@8 kernel-pointer }", UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("16", "8") "\n"
	  "New in 2.0, but only a warning (kernel-pointer): P is forwarded, and pInfo (NvU64 at 8) can "
	  "hold a kernel address." },
	{ "an unread record may grow", "@1.0 " PLAIN "@2.0<1.0 " GROWN, UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("12", "8") },
	{ "an unread record with a new pointer has to be read", "@1.0 " PLAIN "@2.0<1.0 " WITH_LIST,
	  UNREAD_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  MUST_BE_READ("list (NvP64 at 8) is a pointer", "16: Count RMStatus List") MUST_BE_READ_TODO },
	{ "so has one with a new process id",
	  "@1.0 " PLAIN "@2.0<1.0 " IOCTL "12 { NvU32 count@0; NvU32 rmStatus@4 status; NvU32 pid@8 pid }",
	  UNREAD_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  MUST_BE_READ("pid (NvU32 at 8) is a process id", "12: Count RMStatus Pid") MUST_BE_READ_TODO },
	{ "if only the pointer's name is new it stays unread",
	  "@1.0 " IOCTL "8 { NvP64 list@0 pointer } @2.0<1.0 " IOCTL "12 { NvP64 table@0 pointer; "
	  "NvU32 flags@8 }", UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("12", "8") "\n"
	  "audit pointer: table (NvP64 at 0) is a pointer\n"
	  "fault at 1.0: P is passed through unread, but list (NvP64 at 0) is a pointer\n"
	  "todo finding at 2.0: P is passed through unread, but table (NvP64 at 0) is a pointer" },
	{ "a pointer that was added to a record that is read needs another handler",
	  "@1.0 " PLAIN "@2.0<1.0 " WITH_LIST, GENERIC_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  "replace at 2.0 ONE: P is 16 bytes, and was 8\n"
	  "  now ONE 0x101 ONE P:P_V2 by ?:-\n"
	  "type P_V2 of 16: P List\n"
	  "fault at 1.0: the handler simple unmarshals Handle, but the table says that nothing is read\n"
	  "todo handler at 2.0: a handler that unmarshals nvgpu.P_V2 and translates what simple does not "
	  "translate: list (NvP64 at 8) is a pointer" },
	{ "a handler that takes any type gets the new one", "@1.0 " PLAIN "@2.0<1.0 " GROWN, GENERIC_TABLE,
	  "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  "replace at 2.0 ONE: P is 12 bytes, and was 8\n"
	  "  now ONE 0x101 ONE P:P_V2 by simple:P_V2\n"
	  "type P_V2 of 12: Count Flags RMStatus\n"
	  "fault at 1.0: the handler simple unmarshals Handle, but the table says that nothing is read" },
	{ "an ioctl that the version does not have is removed", "@1.0 " PLAIN "@2.0<1.0", READ_TABLE, "",
	  "node with changes; 2.0 after 1.0: -ONE\n"
	  "remove at 2.0 ONE: ONE (0x101) was removed" },
	{ "an ioctl with another number gets a name of its own",
	  "@1.0 " PLAIN "@575.1<1.0 ioctl ONE 0x102 P ioctl TWO 0x101 - struct P 8 { NvU32 count@0; "
	  "NvU32 rmStatus@4 status }", READ_TABLE, "",
	  "node with changes; 575.1 after 1.0: -ONE, ONE_V575\n"
	  "renumber at 575.1 ONE: ONE is 0x102, and was 0x101, which is TWO now\n"
	  "  now ONE_V575 0x102 ONE P:P by simple:P\n"
	  "candidate TWO at 575.1 simple: it takes no parameters" },
	{ "an ioctl with another name is renamed",
	  "@1.0 " PLAIN "@2.0<1.0 ioctl OTHER 0x101 Q struct Q 8 { NvU32 count@0; NvU32 rmStatus@4 status }",
	  READ_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  "rename at 2.0 ONE: ONE is now called OTHER, and P is now called Q\n"
	  "  now ONE 0x101 OTHER Q:P by simple:P" },
	{ "so is one of which only a macro is left",
	  "@1.0 " COMMAND "@2.0<1.0 const N_CTRL_CMD_OTHER 0x101 "
	  "struct N_CTRL_OTHER_PARAMS 8 { NvU32 count@0; NvU32 rmStatus@4 status }", COMMAND_TABLE, "",
	  "node with changes; 2.0 after 1.0: N_CTRL_CMD_ONE\n"
	  "rename at 2.0 N_CTRL_CMD_ONE: N_CTRL_CMD_ONE is now called N_CTRL_CMD_OTHER, and P is now "
	  "called N_CTRL_OTHER_PARAMS\n"
	  "  now N_CTRL_CMD_ONE 0x101 N_CTRL_CMD_OTHER N_CTRL_OTHER_PARAMS:P by simple:P\n"
	  "todo ioctl at 2.0: N_CTRL_CMD_OTHER: review the entry, because no table of the driver lists it any "
	  "longer" },
	{ "an ioctl that left or joined the driver's tables is a todo",
	  "@1.0 " PLAIN "const TWO 0x102 ioctl THREE 0x103 - const THREE 0x103 "
	  "@2.0<1.0 " PLAIN "const TWO 0x102 ioctl TWO 0x102 - const THREE 0x103",
	  TYPE "node 1.0 { " READ "; TWO 0x102 ; THREE 0x103 }", "",
	  "node only; 2.0 after 1.0\n"
	  "none at 2.0 THREE: no table of the driver lists THREE any longer; only its macro exists\n"
	  "none at 2.0 TWO: a table of the driver now lists TWO\n"
	  "todo ioctl at 2.0: THREE: review the entry, because no table of the driver lists it any longer\n"
	  "todo ioctl at 2.0: TWO: review the entry, because a table of the driver now lists it" },
	{ "another ioctl of the number is not a new name",
	  "@1.0 " COMMAND "@2.0<1.0 ioctl N_CTRL_CMD_OTHER 0x101 Q struct Q 4 { NvU32 count@0 }",
	  COMMAND_TABLE, "",
	  "node with changes; 2.0 after 1.0: -N_CTRL_CMD_ONE\n"
	  "remove at 2.0 N_CTRL_CMD_ONE: N_CTRL_CMD_ONE was removed, and 0x101 is now N_CTRL_CMD_OTHER\n"
	  "candidate N_CTRL_CMD_OTHER at 2.0 simple: no pointer, file descriptor or process id" },
	{ "a number and a handle that changed places need a new type",
	  "@1.0 " IOCTL "8 { NvHandle hOne@0 handle; NvU32 engine@4 } @2.0<1.0 " IOCTL "8 { NvU32 engine@0; "
	  "NvHandle hOne@4 handle }", "P 8 { Handle HOne@0; uint32 Engine@4 } node 1.0 { " READ " }", "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  "replace at 2.0 ONE: P.engine is NvU32 in the driver, Handle in the proxy: the proxy treats it "
	  "as a handle\n"
	  "  now ONE 0x101 ONE P:P_V2 by ?:-\n"
	  "type P_V2 of 8: Engine HOne\n"
	  "todo handler at 2.0: a function like simple that unmarshals nvgpu.P_V2; nvproxy-patch writes "
	  "it if it can" },
	{ "a fault of the table is not one of the version", "@1.0 " GROWN "@2.0<1.0 " GROWN, READ_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  "fault at 1.0: P is 12 bytes in the driver, P 8 in the proxy\n"
	  "fault at 1.0: P.rmStatus (NvU32 at 8) has no field in the proxy" },
	{ "a version between that cannot be read is reported", "@1.0 " PLAIN "@1.5?<1.0 @2.0<1.5 " GROWN,
	  READ_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  GROWN_AT("2.0", "P_V2") "\n"
	  "not checked: 1.5, an intermediate version, cannot be read" },
	{ "new commands are candidates, with the version that added them; a class is of another family",
	  "@1.0 " PLAIN "@2.0<1.0 " PLAIN "ioctl NEW 0x105 SOME_POINTER @3.0<2.0 " PLAIN "ioctl NEW 0x105 "
	  "SOME_POINTER const NV2080_CTRL_CMD_MACRO 0x20800106 const NVC9B0_VIDEO_DECODER 0xc9b0 const "
	  "NV2080_SOMETHING_ELSE 7", UNREAD_TABLE, "",
	  "node only; 3.0 after 1.0\n"
	  "candidate NEW at 2.0 not simple: p (NvP64 at 0) is a pointer\n"
	  "candidate NV2080_CTRL_CMD_MACRO (macro) at 3.0 not simple: no table of the driver gives its "
	  "parameters" },
	{ "all fds of a command are named before the rest",
	  "@1.0 " PLAIN "@2.0<1.0 " PLAIN "ioctl FDS 0x105 F struct F 48 { NvP64 a@0 pointer; "
	  "NvP64 b@8 pointer; NvP64 c@16 pointer; NvU32 d@24 fd; NvU32 e@28 fd; NvU32 f@32 fd; "
	  "NvU32 g@36 fd }", READ_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  "candidate FDS at 2.0 not simple: d (NvU32 at 24) is a file descriptor, e (NvU32 at 28) is a "
	  "file descriptor, f (NvU32 at 32) is a file descriptor, g (NvU32 at 36) is a file descriptor, "
	  "and 3 more" },
	{ "a node that descends from the new one follows it",
	  "@1.0 " PLAIN "@1.5<1.0 " PLAIN "@2.0<1.5 " PLAIN, READ_TABLE " node 2.0<1.0 { }", "1.5",
	  "node only; 1.5 after 1.0; 2.0 after 1.5 exists was after 1.0" },
	{ "a node that would lose an entry stays, and is a todo",
	  "@1.0 " PLAIN "@1.5<1.0 " GROWN "@2.0<1.5 " PLAIN, READ_TABLE " node 2.0<1.0 { }", "1.5",
	  "node with changes; 1.5 after 1.0: ONE\n"
	  GROWN_AT("1.5", "P_V1") "\n"
	  "todo parent at 2.0: 2.0 descends from 1.5, but follows 1.0 in the table; as a child of 1.5, it "
	  "would inherit a different ONE, because 2.0 has no entry of its own" },
	{ "one that has the entry itself follows the new one",
	  "@1.0 " PLAIN "@1.5<1.0 " GROWN "@2.0<1.5 " PLAIN,
	  TYPE "node 1.0 { " READ " } node 2.0<1.0 { " READ " }", "1.5",
	  "node with changes; 1.5 after 1.0: ONE; 2.0 after 1.5 exists was after 1.0\n"
	  GROWN_AT("1.5", "P_V1") },
	{ "whether a node whose version is not at hand descends is not checked",
	  "@1.0 " PLAIN "@1.5<1.0 " PLAIN, READ_TABLE " node 2.0<1.0 { }", "1.5",
	  "node only; 1.5 after 1.0\n"
	  "not checked: 2.0 follows 1.0 in the table. Neither the data nor a named repository has this "
	  "version, so drvabi cannot tell whether it descends from a new node" },
};

BOOTSTRAP_TEST(versions_of_a_driver)
{
	CHECK(version_facts);
}

BOOTSTRAP_TEST(checksums_that_are_given_are_in_the_patch_and_others_are_todo)
{
	static const char sum[] = "b9e2f80693781431cc87f4cd29109e133dcecb50a50d6b68d4b3bf2d696bd689";

	put_versions("@1.0 " PLAIN "@2.0<1.0 " PLAIN);
	put_table(READ_TABLE);
	assert_int_equal(run("", sum), 0);
	assert_int_equal(got.patch.nodes[0].sha256_count, 1);
	assert_string_equal(got.patch.nodes[0].sha256[0].hex, sum);
	assert_int_equal(got.todo_count, 1);
	assert_non_null(strstr(got.todo[0].why, "aarch64-2.0.run"));
}

/* A history in which the record of the only ioctl, which is unread, gets other fields in 2.0. */
#define AUDIT(fields) "@1.0 " IOCTL "4 { NvU32 one@0 } @2.0<1.0 " IOCTL fields

static const struct fact doubt_facts[] = {
	{ "a number of 64 bits that is called an address may be a pointer",
	  AUDIT("16 { NvU64 gpuAddr@0; NvU64 address_high@8 }"), UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("16", "4") "\n"
	  "audit maybe-pointer: gpuAddr (NvU64 at 0) has 64 bits, and may be an address of the caller or "
	  "of the device\n"
	  "audit maybe-pointer: address_high (NvU64 at 8) has 64 bits, and may be an address of the "
	  "caller or of the device" },
	{ "a number with another name or width is not",
	  AUDIT("24 { NvU64 value@0; NvU64 addressee@8; NvU32 addr@16; NvU32 pad@20 }"), UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("24", "4") },
	{ "a count beside a size and an address",
	  AUDIT("16 { NvU32 num@0 count; NvU32 length@4 size; NvU64 address@8 }"), UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("16", "4") "\n"
	  "audit maybe-pointer: address (NvU64 at 8) has 64 bits, and may be an address of the caller or "
	  "of the device\n"
	  "audit count-times-size: num times length: the product may overflow where it is computed" },
	{ "a count and a size without a pointer are no doubt",
	  AUDIT("8 { NvU32 num@0 count; NvU32 length@4 size }"), UNREAD_TABLE, "",
	  "node only; 2.0 after 1.0\n"
	  UNREAD("8", "4") },
	{ "for a handler that has to be written, its product is reported",
	  AUDIT("16 { NvU32 num@0 count; NvU32 length@4 size; NvP64 list@8 pointer }"), UNREAD_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  MUST_BE_READ("list (NvP64 at 8) is a pointer", "16: Num Length List")
	  "audit count-times-size: num times length: the product may overflow where it is computed\n"
	  MUST_BE_READ_TODO },
	{ "a descriptor in a field of a pointer's type is a descriptor", AUDIT("8 { NvP64 pOsEvent@0 fd }"),
	  UNREAD_TABLE, "",
	  "node with changes; 2.0 after 1.0: ONE\n"
	  MUST_BE_READ("pOsEvent (NvP64 at 0) is a file descriptor", "8: POsEvent") MUST_BE_READ_TODO },
};

BOOTSTRAP_TEST(doubts)
{
	CHECK(doubt_facts);
}

/* --- one more ioctl ------------------------------------------------------------------------ */

#define NEW_OF(number, fields) "ioctl NEW " number " N struct N " fields " "
#define ADDED NEW_OF("0x105", "8 { NvU32 count@0; NvU32 flags@4 }")
#define OLD "OLD 0x101 macro=- OLD:- handler=simple:"
#define TABLE "node 1.0 { " OLD " } "
#define TWO TABLE "node 2.0<1.0 { } "
#define CLASS(name, number) "alloc/" name " " number " macro=- " name ":" name " handler=simple:" name

/* The node @node gets the simple command NEW, which the driver has had since @since. */
#define SIMPLE(node, since) \
	"add at " node " NEW: simple: no pointer, file descriptor or process id; " \
	"in the driver since " since "\n" \
	"  now NEW 0x105 NEW N:- by simple:-"

static const struct fact added_facts[] = {
	{ "a command is added where it first exists", "@1.0 @2.0<1.0 " ADDED "@3.0<2.0 " ADDED,
	  TWO "node 3.0<2.0 { }", "add NEW",
	  "node with changes; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("2.0", "2.0") },
	{ "since when the driver has it is by its graph", "@1.0 @1.1<1.0 @1.2<1.1 " ADDED "@2.0<1.2 " ADDED,
	  TWO, "add NEW",
	  "node with changes; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("2.0", "1.2") },
	{ "with a version that the table does not have, a node between gets it",
	  "@1.0 @1.1<1.0 @1.2<1.1 " ADDED "@2.0<1.2 " ADDED, TABLE, "2.0 add NEW",
	  "node with changes; 1.2 after 1.0 between: NEW; 2.0 after 1.2\n"
	  SIMPLE("1.2", "1.2") "\n"
	  "candidate NEW at 1.2 simple: no pointer, file descriptor or process id\n"
	  "fault at 1.0: the driver has no record or alias OLD" },
	{ "with a version, a node whose version has it gets it, and the new one inherits it",
	  "@1.0 " ADDED "@2.0<1.0 " ADDED, TABLE, "2.0 add NEW",
	  "node with changes; 1.0 after none exists: NEW; 2.0 after 1.0\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "candidate NEW at 1.0 simple: no pointer, file descriptor or process id\n"
	  "fault at 1.0: the driver has no record or alias OLD" },
	{ "a number from a log is enough", "@1.0 @2.0<1.0 " ADDED, TWO, "add 0x105",
	  "node with changes; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("2.0", "2.0") },
	{ "a number that two commands had is refused with their versions",
	  "@1.0 " ADDED "@2.0<1.0 " ADDED "@3.0<2.0 ioctl LATER 0x105 -", TWO "node 3.0<2.0 { }", "add 0x105",
	  "in the table's versions, 0x105 is the number of several ioctls: control NEW in 1.0 to 2.0, "
	  "control LATER in 3.0; give one of these names" },
	{ "the name of one of them is enough", "@1.0 " ADDED "@2.0<1.0 " ADDED "@3.0<2.0 ioctl LATER 0x105 -",
	  TWO "node 3.0<2.0 { }", "add NEW",
	  "node with changes; 1.0 after none exists: NEW; 3.0 after 2.0 exists: -NEW\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "remove at 3.0 NEW: 3.0 has no NEW" },
	{ "a macro that has the number in a version without the ioctl counts",
	  "@1.0 " NEW_OF("0x20800105", "8 { NvU32 count@0; NvU32 flags@4 }")
	  "@2.0<1.0 const NV2080_CTRL_CMD_MACRO 0x20800105 const NV0073_CTRL_CMD_OTHER_CLASS 0x20800105", TWO,
	  "add 0x20800105",
	  "in the table's versions, 0x20800105 is the number of several ioctls: control NEW in 1.0, "
	  "control NV2080_CTRL_CMD_MACRO in 2.0; give one of these names" },
	{ "two words for one ioctl add it once", "@1.0 @2.0<1.0 " ADDED, TWO, "add NEW 0x105 NEW",
	  "node with changes; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("2.0", "2.0") },
	{ "every branch that has it gets it", "@1.0 @1.9<1.0 " ADDED "@2.0<1.0 " ADDED,
	  TABLE "node 1.9<1.0 { } node 2.0<1.0 { }", "add NEW",
	  "node with changes; 1.9 after 1.0 exists: NEW; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("1.9", "1.9") "\n"
	  SIMPLE("2.0", "2.0") },
	{ "a number that moves gets a name of its own",
	  "@1.0 @2.0<1.0 " ADDED "@575.1<2.0 " NEW_OF("0x106", "8 { NvU32 count@0; NvU32 flags@4 }"),
	  TWO "node 575.1<2.0 { }", "add NEW",
	  "node with changes; 2.0 after 1.0 exists: NEW; 575.1 after 2.0 exists: -NEW, NEW_V575\n"
	  SIMPLE("2.0", "2.0") "\n"
	  "renumber at 575.1 NEW: NEW is 0x106 in 575.1\n"
	  "  now NEW_V575 0x106 NEW N:- by simple:-" },
	{ "it is removed where the driver no longer has it", "@1.0 " ADDED "@2.0<1.0", TWO, "add NEW",
	  "node with changes; 1.0 after none exists: NEW; 2.0 after 1.0 exists: -NEW\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "remove at 2.0 NEW: 2.0 has no NEW" },
	{ "an unread command that gets a pointer must be read from then on",
	  "@1.0 " ADDED "@2.0<1.0 " NEW_OF("0x105", "8 { NvP64 list@0 pointer }"), TWO, "add NEW",
	  "node with changes; 1.0 after none exists: NEW; 2.0 after 1.0 exists: NEW\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "replace at 2.0 NEW: N is different in 2.0, with 8 bytes; list (NvP64 at 0) is a pointer\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "type N of 8: List\n"
	  "todo handler at 2.0: NEW must be read: it needs a handler for nvgpu.N instead of simple" },
	{ "a command with a pointer has a type for each layout, and its handler is a todo",
	  "@1.0 " NEW_OF("0x105", "8 { NvP64 list@0 pointer }") "@2.0<1.0 "
	  NEW_OF("0x105", "16 { NvP64 list@0 pointer; NvU64 size@8 }"), TWO, "add NEW",
	  "node with changes; 1.0 after none exists: NEW; 2.0 after 1.0 exists: NEW\n"
	  "add at 1.0 NEW: not simple: list (NvP64 at 0) is a pointer; in the driver since 1.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "replace at 2.0 NEW: N is different in 2.0, with 16 bytes; list (NvP64 at 0) is a pointer\n"
	  "  now NEW 0x105 NEW N:N_V2 by ?:-\n"
	  "type N of 8: List\n"
	  "type N_V2 of 16: N Size\n"
	  "todo handler at 1.0: NEW needs a handler that unmarshals nvgpu.N; not simple: list (NvP64 at "
	  "0) is a pointer\n"
	  "todo handler at 2.0: the table does not say which handler NEW has; it has to unmarshal "
	  "nvgpu.N_V2" },
	{ "a node whose version is not at hand inherits it and is not checked",
	  "@1.0 " ADDED "@3.0<1.0 " ADDED, TWO "node 3.0<2.0 { }", "add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "not checked: 2.0 was not examined: neither the data nor a named repository has it; its node "
	  "inherits the entry of 1.0" },
	{ "so is one that inherits only the first of two",
	  "@1.0 " ADDED "@3.0<1.0 " ADDED "ioctl LATER 0x106 -", TWO "node 3.0<2.0 { }", "add NEW LATER",
	  "node with changes; 1.0 after none exists: NEW; 3.0 after 2.0 exists: LATER\n"
	  "add at 3.0 LATER: simple: it takes no parameters; the table has no handler for such parameters; in "
	  "the driver since 3.0\n"
	  "  now LATER 0x106 LATER by ?:-\n"
	  SIMPLE("1.0", "1.0") "\n"
	  "todo handler at 3.0: LATER needs a handler; simple: it takes no parameters; the table has no "
	  "handler for such parameters\n"
	  "not checked: 2.0 was not examined: neither the data nor a named repository has it; its node "
	  "inherits the entry of 1.0" },
	{ "a pointer has count, element, direction and limit",
	  "@1.0 " NEW_OF("0x105", "16 { NvU32 count@0; NvP64 list@8 pointer }"), TABLE, "use=list add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: list (NvP64 at 8) is a pointer; in the driver since 1.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "  pointer list@8 of count@0+4 NvU32 of 4, 3, at most 64, not empty\n"
	  "type N of 16: Count Pad0 List\n"
	  "todo handler at 1.0: NEW needs a handler that copies the memory that its pointers point to, as "
	  "the driver does; nvproxy-patch writes it" },
	{ "a converted list may be empty",
	  "@1.0 " NEW_OF("0x105", "16 { NvU32 count@0; NvP64 list@8 pointer }"), TABLE,
	  "use=converted add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: list (NvP64 at 8) is a pointer; in the driver since 1.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "  pointer list@8 of count@0+4 NvU32 of 4, 3, at most 64\n"
	  "type N of 16: Count Pad0 List\n"
	  "todo handler at 1.0: NEW needs a handler that copies the memory that its pointers point to, as "
	  "the driver does; nvproxy-patch writes it" },
	{ "what a handler would have to know beside it is listed",
	  "@1.0 struct ELEMENT 8 { NvU32 value@0; NvU32 owner@4 pid } "
	  NEW_OF("0x105", "24 { NvU32 count@0; NvHandle hObject@4 handle; NvP64 list@8 pointer; "
	  "NvP64 more@16 pointer }"),
	  TABLE, "use=open add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: list (NvP64 at 8) is a pointer, more (NvP64 at 16) is a pointer; "
	  "in the driver since 1.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "  pointer list@8 of count@0+4 ELEMENT of 8, 3, at most 0, not empty\n"
	  "  unknown field: in the memory at list (ELEMENT), owner (NvU32 at 4) is a process id\n"
	  "  unknown condition: list is followed only if count is 2 (copier.c)\n"
	  "  unknown product: list has count times count elements, and may be NULL (copier.c)\n"
	  "  unknown limit: the driver does not limit the size of the memory at list (copier.c)\n"
	  "  unknown field: more (NvP64 at 16) is a pointer\n"
	  "  unknown objects: it refers to objects that the proxy may have to track: hObject\n"
	  "  unknown version: the rules about copied memory were checked against the driver's source up "
	  "to 0.9, not 1.0: scripts/check-pointers --repo DIR 1.0\n"
	  "type N of 24: Count HObject List More\n"
	  "todo handler at 1.0: NEW needs a handler that copies the memory that its pointers point to, as "
	  "the driver does; nvproxy-patch writes it; first find out: in the memory at list (ELEMENT), "
	  "owner (NvU32 at 4) is a process id; list is followed only if count is 2 (copier.c); list has "
	  "count times count elements, and may be NULL (copier.c); the driver does not limit the size of "
	  "the memory at list (copier.c); more (NvP64 at 16) is a pointer; it refers to objects that the "
	  "proxy may have to track: hObject; the rules about copied memory were checked against the "
	  "driver's source up to 0.9, not 1.0: scripts/check-pointers --repo DIR 1.0" },
	{ "a file descriptor has a kind, and a handler of its own",
	  "@1.0 " NEW_OF("0x105", "16 { NvU32 count@0; NvU32 hEvent@4 fd; NvU32 owner@8 pid }"), TABLE,
	  "use=event add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: hEvent (NvU32 at 4) is a file descriptor, owner (NvU32 at 8) is a "
	  "process id; in the driver since 1.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "  fd hEvent@4+4 event\n"
	  "  unknown field: owner (NvU32 at 8) is a process id\n"
	  "type N of 16: Count HEvent Owner Pad0\n"
	  "todo handler at 1.0: NEW needs a handler that puts the proxy's own number in place of hEvent "
	  "(event, if it is not 0); nvproxy-patch writes it; first find out: owner (NvU32 at 8) is a "
	  "process id" },
	{ "a process id that the driver converts",
	  "@2.0 " NEW_OF("0x105", "8 { NvU32 count@0; NvU32 owner@4 pid }"), "node 2.0 { " OLD " }",
	  "use=pid_2 add NEW",
	  "node with changes; 2.0 after none exists: NEW\n"
	  "add at 2.0 NEW: not simple: owner (NvU32 at 4) is a process id, which the driver converts in "
	  "2.0; in the driver since 2.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "type N of 8: Count Owner\n"
	  "todo handler at 2.0: NEW needs a handler that unmarshals nvgpu.N; not simple: owner (NvU32 at "
	  "4) is a process id, which the driver converts in 2.0" },
	{ "and one that it does not convert",
	  "@2.0 " NEW_OF("0x105", "8 { NvU32 count@0; NvU32 owner@4 pid }"), "node 2.0 { " OLD " }",
	  "use=pid_3 add NEW",
	  "node with changes; 2.0 after none exists: NEW\n"
	  "add at 2.0 NEW: not simple: owner (NvU32 at 4) is a process id, which the driver does not "
	  "convert in 2.0; in the driver since 2.0\n"
	  "  now NEW 0x105 NEW N:N by ?:-\n"
	  "type N of 8: Count Owner\n"
	  "todo handler at 2.0: NEW needs a handler that unmarshals nvgpu.N; not simple: owner (NvU32 at "
	  "4) is a process id, which the driver does not convert in 2.0" },
	{ "a command that asks about an object is simple",
	  "@1.0 ioctl CMD_GET_NEW 0x105 P struct P 8 { NvU32 count@0; NvHandle hObject@4 handle }", TABLE,
	  "add CMD_GET_NEW",
	  "node with changes; 1.0 after none exists: CMD_GET_NEW\n"
	  "add at 1.0 CMD_GET_NEW: simple: no pointer, file descriptor or process id; in the driver since "
	  "1.0\n"
	  "  now CMD_GET_NEW 0x105 CMD_GET_NEW P:- by simple:-" },
	{ "the handler of a command that names an object is a todo",
	  "@1.0 ioctl CMD_BIND_NEW 0x105 P struct P 8 { NvU32 count@0; NvHandle hObject@4 handle }", TABLE,
	  "add CMD_BIND_NEW",
	  "node with changes; 1.0 after none exists: CMD_BIND_NEW\n"
	  "add at 1.0 CMD_BIND_NEW: simple: no pointer, file descriptor or process id; it refers to "
	  "objects that the proxy may have to track: hObject; otherwise the handler is simple; in the "
	  "driver since 1.0\n"
	  "  now CMD_BIND_NEW 0x105 CMD_BIND_NEW P:- by ?:-\n"
	  "todo handler at 1.0: CMD_BIND_NEW needs a handler; simple: no pointer, file descriptor or "
	  "process id; it refers to objects that the proxy may have to track: hObject; otherwise the "
	  "handler is simple" },
	{ "with a new layout, a handler that takes any type stays",
	  "@1.0 ioctl alloc/NEW 0x9000 N struct N 4 { NvU32 a@0 } @2.0<1.0 ioctl alloc/NEW 0x9000 N "
	  "struct N 8 { NvU32 a@0; NvHandle hObject@4 handle }",
	  "ONE 4 { uint32 A@0 } TWO 4 { uint32 A@0 } node 1.0 { " CLASS("ONE", "1") "; " CLASS("TWO", "2")
	  " } node 2.0<1.0 { }", "add NEW",
	  "node with changes; 1.0 after none exists: NEW; 2.0 after 1.0 exists: NEW\n"
	  "add at 1.0 NEW: simple: no pointer, file descriptor or process id; in the driver since 1.0\n"
	  "  now NEW 0x9000 NEW N:N by simple:N\n"
	  "replace at 2.0 NEW: N is different in 2.0, with 8 bytes\n"
	  "  now NEW 0x9000 NEW N:N_V2 by simple:N_V2\n"
	  "type N of 4: A\n"
	  "type N_V2 of 8: N HObject" },
	{ "the handler of one class is not that of another with its record",
	  "@1.0 ioctl alloc/NEW 0x9000 ONE struct ONE 4 { NvU32 owner@0 pid }",
	  "ONE 4 { uint32 A@0 } node 1.0 { " CLASS("ONE", "1") " }", "add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: owner (NvU32 at 0) is a process id; in the driver since 1.0\n"
	  "  now NEW 0x9000 NEW ONE:ONE by ?:-\n"
	  "todo handler at 1.0: NEW needs a handler that unmarshals nvgpu.ONE; not simple: owner (NvU32 "
	  "at 0) is a process id" },
	{ "the handler of two classes with a record is that of a third",
	  "@1.0 ioctl alloc/NEW 0x9000 ONE struct ONE 4 { NvU32 owner@0 pid }",
	  "ONE 4 { uint32 A@0 } node 1.0 { " CLASS("ONE", "1") " ; alloc/B 2 macro=- ONE:ONE "
	  "handler=simple:ONE }", "add NEW",
	  "node with changes; 1.0 after none exists: NEW\n"
	  "add at 1.0 NEW: not simple: owner (NvU32 at 0) is a process id; in the driver since 1.0\n"
	  "  now NEW 0x9000 NEW ONE:ONE by simple:ONE" },
	{ "a number that is forwarded under another name is an error", "@1.0 ioctl ctrlCmdOld 0x101 -", TABLE,
	  "add ctrlCmdOld",
	  "table.json already forwards control ctrlCmdOld at every node whose version has it" },
	{ "so is an ioctl that the table forwards", "@1.0 " ADDED, "node 1.0 { NEW 0x105 N:- }", "add NEW",
	  "table.json already forwards control NEW at every node whose version has it" },
	{ "an unknown name is an error with the nearest one", "@1.0 " ADDED, TABLE, "add NWE",
	  "none of the versions in table.json has an ioctl NWE; if another version has it, use bootstrap VERSION "
	  "--add NWE; nearest: NEW" },
	{ "a comma does not separate names", "@1.0 " ADDED, TABLE, "add A,B",
	  "none of the versions in table.json has an ioctl A,B; separate names with spaces" },
	{ "an ioctl of a family that the table does not forward is an error that names it",
	  "@1.0 " ADDED "ioctl drm/DRM_IOCTL_ONE 7 -", TABLE, "add DRM_IOCTL_ONE",
	  "DRM_IOCTL_ONE is DRM_IOCTL_ONE in the family drm; table.json forwards no ioctls of this family" },
};

BOOTSTRAP_TEST(more_ioctls)
{
	CHECK(added_facts);
}

BOOTSTRAP_TEST(an_added_frontend_ioctl_has_a_seccomp_rule_for_each_size)
{
	static const char *const rules[] = {
		"{seccomp.MaskedEqual(notIocSizeMask, frontendIoctlCmd(nvgpu.NEW, 0)), ",
		"{seccomp.EqualTo(frontendIoctlCmd(nvgpu.NEW, 8)), ",
	};

	put_versions("@1.0 ioctl frontend/NEW 0x2a - "
		     "@2.0<1.0 ioctl frontend/NEW 0x2a N struct N 8 { NvU32 count@0; NvU32 flags@4 }");
	put_table("node 1.0 { frontend/OLD 0x2b } node 2.0<1.0 { }");
	assert_int_equal(run("add NEW", NULL), 0);
	assert_int_equal(got.entry_count, 2);
	for (size_t i = 0; i < got.entry_count; i++) {
		const struct bootstrap_entry *entry = &got.entries[i];
		const struct bootstrap_edit *last = &entry->edits[entry->edit_count - 1];

		assert_int_equal(last->site, BOOTSTRAP_SECCOMP);
		assert_memory_equal(last->text, rules[i], strlen(rules[i]));
	}
}

/* --- the node that a version follows --------------------------------------------------------- */

/* A history, the nodes of a table, and the position of a version among them. */
static const struct {
	const char *fact, *versions, *nodes, *version, *position;
} position_facts[] = {
	{ "the graph decides, not the order of versions", "@580.105 @580.173<580.105 @590.44<580.105",
	  "node 580.105 { } node 580.173<580.105 { }", "590.44", "580.105 by 580.105 590.44" },
	{ "the path has every intermediate version, and no version of a side branch",
	  "@1.0 @1.1<1.0 @1.1.side<1.0 @2.0<1.1", "node 1.0 { }", "2.0", "1.0 by 1.0 1.1 2.0" },
	{ "a version can have a node of its own", "@1.0 @2.0<1.0", "node 1.0 { } node 2.0<1.0 { }", "2.0",
	  "2.0 own by 2.0" },
	{ "a version before all nodes is an error", "@1.0 @2.0", "node 2.0 { }", "1.0",
	  "no ancestor of 1.0 in the driver's commit graph is a node of table.json, whose oldest node is "
	  "2.0; bootstrap compares a node with a later version" },
	{ "a node with a different parent than in the graph is misplaced", "@1.0 @1.5<1.0 @2.0<1.0",
	  "node 1.0 { } node 1.5<1.0 { } node 2.0<1.5 { }", "2.0", "2.0 own by 2.0, 2.0 after 1.0 not 1.5" },
	{ "a parent that is not available is not checked", "@1.0 @2.0<1.0",
	  "node 1.0 { } node 1.9<1.0 { } node 2.0<1.9 { }", "2.0", "2.0 own by 2.0" },
};

/*
 * Finds the position of each version, such as "1.0 by 1.0 1.1 2.0": the node ("own" if it is the version's),
 * the path, and misplaced nodes; or the error.
 */
BOOTSTRAP_TEST(positions)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(position_facts); i++) {
		struct bootstrap_position at;
		struct strbuf text = { 0 };
		size_t version;

		put_versions(position_facts[i].versions);
		put_table(position_facts[i].nodes);
		version = history_graph_index(&graph, position_facts[i].version);
		if (bootstrap_find(&at, &graph, table, version, &arena, &err)) {
			strbuf_adds(&text, err.text);
		} else {
			strbuf_addf(&text, "%s%s by", at.base->version, at.exists ? " own" : "");
			for (size_t p = 0; p < at.path_count; p++)
				strbuf_addf(&text, " %s", versions[at.path[p]].version);
			for (size_t m = 0; m < at.misplaced_count; m++)
				strbuf_addf(&text, ", %s after %s not %s", at.misplaced[m].version,
					    at.misplaced[m].should_be, at.misplaced[m].parent);
		}
		wrong += text_differs(position_facts[i].fact, &text, position_facts[i].position);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

/* --- capabilities: facts, and guesses ---------------------------------------------------------- */

static const struct bootstrap_use used[] = {
	{ "control", "", 781, "video", "b.trace", "libcuda.so.1 cuInit" },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "b.trace", NULL },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "compute", "c.trace", NULL },
	{ "control", "NV2080_CTRL_CMD_GET_RATE_V2", 7, "video", "b.trace", NULL },
	{ "frontend", "E_NEW", 780, "video", "b.trace", NULL },
};
static const char *const given_caps[] = { "graphics", "video" };
static const struct bootstrap_observed seen = { .uses = used, .count = COUNT(used) },
				       given = { .given = given_caps, .given_count = 2 };

#define FIVE "B_TWO 769 caps=compute ; C_THREE 770 caps=compute"

/* The capabilities of a command: "CAPS likely CAPS for OLD: evidence". A guarded command has only a macro. */
static const struct {
	const char *fact, *entries, *name;
	uint64_t number;
	const struct bootstrap_observed *observed;
	bool is_guarded;
	const char *guess;
} caps_facts[] = {
	{ "a newer form has the capabilities of the older one", "NV2080_CTRL_CMD_GET_RATE 1 caps=profiling",
	  "NV2080_CTRL_CMD_GET_RATE_V2", 2, NULL, false,
	  "likely profiling for NV2080_CTRL_CMD_GET_RATE: like NV2080_CTRL_CMD_GET_RATE, which it "
	  "supersedes" },
	{ "a word that belongs to a capability that a user has to request is enough",
	  "NV2080_CTRL_CMD_GET_RATE 1 caps=compute,utility", "NV00F8_CTRL_CMD_FABRIC_STATE", 0xf80101, NULL,
	  false, "likely fabric-imex-mgmt: the word FABRIC" },
	{ "a word counts if its entries agree",
	  "A_DECODER_ONE 1 caps=video ; B_DECODER_TWO 257 caps=video ; C_DECODER_THREE 513 caps=video ; "
	  "D_FOUR 769 caps=compute ; D_FIVE 770 caps=compute ; D_SIX 771 caps=compute ; D_SEVEN 772 "
	  "caps=compute", "E_DECODER", 0x9999, NULL, false,
	  "likely video: 3 of 3 entries with the word DECODER" },
	{ "neighbours count if all agree", FIVE, "E_NEW", 780, NULL, false,
	  "likely compute: 2 of 2 in 0000.03" },
	{ "not if one differs", FIVE " ; D_FOUR 771 caps=video", "E_NEW", 780, NULL, false,
	  ": only 2 of 3 in 0000.03 have compute" },
	{ "a number without neighbours has no evidence", FIVE, "E_NEW", 0x5000, NULL, false,
	  ": no entry in 0000.50" },
	{ "nothing is likely for a guarded ioctl", FIVE, "E_NEW", 780, NULL, true,
	  ": no table of the driver lists it in this version" },
	{ "given capabilities are facts, even for a guarded ioctl", FIVE, "E_NEW", 780, &given, true,
	  "graphics+video: given with --caps" },
	{ "an entry is not evidence for itself", "D_ONE 769 caps=rdma ; D_TWO 1025 caps=compute", "D_ONE",
	  1026, NULL, false, "likely compute: 1 of 1 in 0000.04" },
	{ "observed capabilities replace a guess; the superseded entry stays",
	  "NV2080_CTRL_CMD_GET_RATE 1 caps=profiling", "NV2080_CTRL_CMD_GET_RATE_V2", 2, &seen, false,
	  "compute+video likely profiling for NV2080_CTRL_CMD_GET_RATE: observed in b.trace, c.trace" },
	{ "an ioctl without a name in the observed driver is found by its number", FIVE, "E_NEW", 781, &seen,
	  false, "video likely compute: observed in b.trace (called by libcuda.so.1 cuInit)" },
	{ "a number in a different family was not observed", FIVE, "E_NEW", 780, &seen, false,
	  "likely compute: 2 of 2 in 0000.03" },
	{ "nor does a table without entries give any", "", "E_NEW", 780, NULL, false,
	  ": the table is empty" },
};

BOOTSTRAP_TEST(capabilities)
{
	size_t wrong = 0;

	for (size_t i = 0; i < COUNT(caps_facts); i++) {
		const char *name = caps_facts[i].name;
		const struct abi_ioctl ordinary = { .family = "control", .name = name };
		struct bootstrap_candidate one = { .family = "control", .name = name,
						   .number = caps_facts[i].number,
						   .ioctl = caps_facts[i].is_guarded ? NULL : &ordinary };
		struct strbuf text = { 0 };

		bootstrap_guess(&one, table_view_of("", caps_facts[i].entries, &arena),
				caps_facts[i].observed, &arena);
		for (size_t c = 0; c < one.caps.count; c++)
			strbuf_addf(&text, "%s%s", c ? "+" : "", one.caps.caps[c]);
		for (size_t c = 0; c < one.caps.likely_count; c++)
			strbuf_addf(&text, "%s%s", c ? "+" : one.caps.count ? " likely " : "likely ",
				    one.caps.likely[c]);
		strbuf_addf(&text, "%s%s: %s", one.supersedes ? " for " : "",
			    one.supersedes ? one.supersedes : "", one.caps.evidence);
		wrong += text_differs(caps_facts[i].fact, &text, caps_facts[i].guess);
		end_test(state);
	}
	assert_int_equal(wrong, 0);
}

BOOTSTRAP_TEST(leave_one_out_of_the_real_table)
{
	struct strbuf text = { 0 };
	struct table_view view;
	struct table real;
	size_t entries = 0, likely = 0, right = 0;

	assert_int_equal(file_read(&text, "data/nvproxy.json", 64 << 20, &err), 0);
	assert_int_equal(
		json_read_table(&real, NULL, text.text, text.length, "data/nvproxy.json", &arena, &err), 0);
	strbuf_release(&text);
	table_view_at(&view, &real, table_find_node(&real, "590.48.01"), &arena);
	for (size_t i = 0; i < view.entry_count; i++) {
		const struct table_entry *entry = view.entries[i];
		const struct abi_ioctl ordinary = { .family = entry->family, .name = entry->name };
		struct bootstrap_candidate one = { .family = entry->family, .name = entry->name,
						   .number = entry->number, .ioctl = &ordinary };

		bootstrap_guess(&one, &view, NULL, &arena);
		assert_int_equal(one.caps.count, 0);
		entries++;
		likely += one.caps.likely_count != 0;
		right += caps_same(entry->caps, entry->cap_count, one.caps.likely, one.caps.likely_count);
	}
	print_message("# %zu entries: something is likely for %zu, which is right for %zu (%.1f %%)\n",
		      entries, likely, right, 100.0 * (double)right / (double)likely);
	assert_true(right * 100 >= likely * 70);
}
