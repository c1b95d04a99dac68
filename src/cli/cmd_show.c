/* cli/cmd_show.c - drvabi show, flatten and extract: a whole document, or parts of it */
#include "cli/cli.h"
#include "extract/extract.h"
#include "flatten/flatten.h"

#include <fnmatch.h>

/*
 * Sets the elements of @wanted for the records that @glob matches and, if @ioctls is true, for the parameter
 * records of ioctls with that name or number. Return: 0; ERR_NOT_FOUND if there are no such records.
 */
static int mark_records(bool *wanted, const struct abi *abi, const char *glob, bool ioctls, struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct lookup_word word;
	bool any = false;

	for (size_t i = 0; i < abi->record_count; i++)
		if (!fnmatch(glob, abi->records[i].name, 0))
			any = wanted[i] = true;
	word_read(&word, glob);
	for (size_t i = 0; ioctls && i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		const struct abi_record *record = lookup_record(abi, ioctl);

		if (record && (word.is_number ? ioctl->number == word.number : !strcmp(ioctl->name, glob)))
			any = wanted[record - abi->records] = true;
	}
	if (any)
		return 0;
	nearby_records(&nearest, abi, glob);
	return nearby_fail(err, &nearest, "no record of %s %s matches '%s'", abi->driver, abi->version, glob);
}

/*
 * Appends to @out the layouts of the records that @globs match, or of all records if there are no globs, and
 * adds their number to *@count. Return: 0; what mark_records() and flatten_record() return.
 */
static int flatten_all(struct abi_layout *out, size_t *count, const struct abi *abi, const char *const *globs,
		       size_t glob_count, const struct cli_args *args, struct err *err)
{
	bool *wanted = arena_array(args->arena, abi->record_count + 1, sizeof(*wanted));
	int rc;

	for (size_t i = 0; i < glob_count; i++)
		if ((rc = mark_records(wanted, abi, globs[i], args->flat, err)))
			return rc;
	for (size_t i = 0; i < abi->record_count; i++) {
		if (glob_count && !wanted[i])
			continue;
		if ((rc = flatten_record(&out[*count], abi, abi->records[i].name, args->arena, err)))
			return rc;
		++*count;
	}
	return 0;
}

/*
 * Loads the document of @request, and appends the scalars of the records that @globs match, or of all records
 * without globs; with --role, only the scalars of these roles. Fails if a glob or the roles match nothing.
 */
static int print_flat(struct store_request *request, const char *const *globs, size_t glob_count,
		      const struct cli_args *args, struct err *err)
{
	const struct abi *abi = &request->abi;
	struct json_writer writer = { .out = args->out };
	struct abi_layout *layouts;
	size_t count = 0, left = 0;
	unsigned roles; /* the roles of the scalars to print, as bits 1u << enum abi_role; 0: all scalars */
	int rc;

	if ((rc = word_list_read(&roles, WORDS_ROLE, args->role, args->arena, err)) ||
	    (rc = load_documents(request, 1, args, err)))
		return rc;
	layouts = arena_array(args->arena, abi->record_count + 1, sizeof(*layouts));
	if ((rc = flatten_all(layouts, &count, abi, globs, glob_count, args, err)))
		return rc;
	/* Scalars without a requested role, and records that have no other scalars, are removed. */
	for (size_t i = 0; roles && i < count; i++) {
		flatten_select(&layouts[left], &layouts[i], roles, args->arena);
		left += layouts[left].scalar_count > 0;
	}
	if (roles && count && !left)
		return err_set(err, ERR_NOT_FOUND, "no %s of %s %s has a scalar of the role %s",
			       args->record || args->flat ? "such record" : "record", abi->driver,
			       abi->version, args->role);
	count = roles ? left : count;
	if (!count)
		output_note(args, "%s %s has no records", abi->driver, abi->version);
	if (!strcmp(args->format, "json")) {
		json_write_layouts(&writer, abi, layouts, count, roles);
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		strbuf_adds(args->out, i ? "\n" : "");
		report_layout_text(args->out, &layouts[i], &args->style);
	}
	return 0;
}

/* The state of one run of show. */
struct show {
	const struct cli_args *args;
	struct store_request request;
	struct store_request *others; /* for each word, the version that has the item */
	struct word_scope words;
};

/*
 * Sets out->layout to the layout of a record, and out->users to its users: the ioctls whose parameters
 * contain it. The parameters of an ioctl such as NV_ESC_RM_ALLOC are one of two records, depending on their
 * size, but the document names only one of them, so the ioctl is added as a user of the other.
 */
static int add_layout_and_users(struct show_item *out, const struct abi *abi, const struct abi_record *record,
				struct arena *arena, struct err *err)
{
	const struct abi_ioctl *sized = call_sized_ioctl(abi, record->name);
	struct abi_layout *layout = arena_alloc(arena, sizeof(*layout));
	struct diff_reach *users;
	int rc;

	if ((rc = flatten_record(layout, abi, record->name, arena, err)) ||
	    (rc = diff_users(&out->users, &out->user_count, abi, record, arena, err)))
		return rc;
	out->layout = layout;
	if (!sized)
		return 0;
	users = arena_array(arena, out->user_count + 1, sizeof(*users));
	if (out->user_count)
		memcpy(users, out->users, out->user_count * sizeof(*users));
	users[out->user_count++] =
		(struct diff_reach){ .ioctl = sized,
				     .through = arena_memdup(arena, &record->name, sizeof(record->name)),
				     .through_count = 1 };
	out->users = users;
	return 0;
}

/*
 * Returns the record to show for an item; NULL if there is none. For a glob, the parameters of ioctls are not
 * shown, because a glob can match hundreds of ioctls.
 */
static const struct abi_record *record_of(const struct abi *abi, const struct lookup_item *item,
					  const struct lookup_word *word)
{
	if (item->kind == ABI_IOCTL && (word->is_number || !history_is_glob(word->text)))
		return lookup_record(abi, item->ioctl);
	return item->kind == ABI_RECORD ? item->record : NULL;
}

/*
 * If the word is a whole request of ioctl(2), such as 0xc020462a, replaces it with the name of the ioctl with
 * that number and size. If the driver compares only type and nr, the size can be any. Return: true if there
 * is exactly one such ioctl.
 */
static bool read_request(struct lookup_word *word, const struct show *show)
{
	const struct abi *abi = &show->request.abi;
	const unsigned size_bytes = abi_ioc_get(word->number, ABI_IOC_SIZE);
	const char *name = NULL, *family;
	uint64_t number;

	if (!word->is_number)
		return false;
	family = size_bytes ? call_identify(&number, NULL, word->number) : NULL;
	for (size_t i = 0; i < abi->ioctl_count; i++) {
		const struct abi_ioctl *ioctl = &abi->ioctls[i];
		const struct abi_record *record = lookup_record(abi, ioctl);

		if (abi_ioctl_is_by_nr(ioctl)
			    ? abi_ioctl_identity(ioctl) != (word->number & ~abi_ioc_mask(ABI_IOC_SIZE) &
							    ~abi_ioc_mask(ABI_IOC_DIRECTION))
			    : !family || strcmp(ioctl->family, family) || ioctl->number != number ||
				      !record || record->size_bytes != size_bytes)
			continue;
		if (name)
			return false;
		name = ioctl->name;
	}
	if (!name)
		return false;
	word->text = name;
	word->is_number = false;
	return true;
}

/*
 * Looks up args->words[@index], and sets @out to what is shown for it. If the item is shown as another
 * version has it, that document is loaded into show->others. Fails if nothing has the name.
 */
static int show_word(struct show_word *out, struct show *show, size_t index, struct err *err)
{
	const struct cli_args *args = show->args;
	struct lookup_word *word = arena_alloc(args->arena, sizeof(*word));
	struct lookup *lookup = arena_alloc(args->arena, sizeof(*lookup));
	struct store_request *other = &show->others[index];
	const struct abi *abi = &show->request.abi;
	struct show_item *items;
	int rc;

	word_read(word, args->words[index]);
	lookup_find(lookup, &show->words.scope, word, args->arena);
	if (!lookup->item_count && lookup->nearest == show->words.graph.version_count &&
	    read_request(word, show)) {
		output_note(args, "%s is a request of ioctl(2): %s, with %u bytes of parameters",
			    args->words[index], word->text, abi_ioc_get(word->number, ABI_IOC_SIZE));
		lookup_find(lookup, &show->words.scope, word, args->arena);
	}
	if ((rc = word_check(lookup, word, &show->words, err)))
		return rc;
	if (word_is_elsewhere(lookup, &show->words)) {
		other->version = show->words.graph.versions[lookup->nearest].version;
		if ((rc = load_documents(other, 1, args, err)))
			return rc;
		abi = &other->abi;
		word_lookup_at(lookup, word, &show->words, abi, lookup->nearest);
	}
	items = arena_array(args->arena, lookup->item_count + 1, sizeof(*items));
	for (size_t i = 0; i < lookup->item_count; i++) {
		items[i].item = &lookup->items[i];
		items[i].abi = abi;
		items[i].record = record_of(abi, &lookup->items[i], word);
		if (items[i].record && strcmp(args->format, "c") &&
		    (rc = add_layout_and_users(&items[i], abi, items[i].record, args->arena, err)))
			return rc;
		word_describe(&items[i], &show->words, abi);
	}
	*out = (struct show_word){ word, abi, abi != &show->request.abi, lookup, items };
	return 0;
}

/* drvabi show: appends the items that the words name, from one version; with --flat, their scalars. */
int cmd_show(struct cli_args *args, struct err *err)
{
	struct show show = { .args = args, .request = { .json = args->json, .version = args->version } };
	struct show_report report = { .abi = &show.request.abi,
				      .graph = &show.words.graph,
				      .count = args->word_count };
	struct show_word *words;
	int rc;

	if (!args->word_count)
		return usage_error(err, "what should be shown? drvabi show NAME, or a number");
	if (args->expand && strcmp(args->format, "c"))
		return usage_error(err, "--expand is for declarations of C; give --format c as well");
	if (args->flat && !strcmp(args->format, "c"))
		return usage_error(err, "--flat is for --format text and json, not for c");
	if (args->flat)
		return print_flat(&show.request, args->words, args->word_count, args, err);
	if ((rc = word_load(&show.words, &show.request, args, err)))
		return rc;
	show.others = arena_array(args->arena, args->word_count, sizeof(*show.others));
	report.words = words = arena_array(args->arena, args->word_count, sizeof(*words));
	for (size_t i = 0; i < args->word_count; i++)
		if ((rc = show_word(&words[i], &show, i, err)))
			return rc;
	if (!strcmp(args->format, "json"))
		report_show_json(args->out, &report);
	else if (!strcmp(args->format, "c"))
		return report_show_c(args->out, &report, args->expand, err);
	else
		report_show_text(args->out, &report, &args->style);
	return 0;
}

/* drvabi flatten: appends the scalars of records. The default document is that of standard input. */
int cmd_flatten(struct cli_args *args, struct err *err)
{
	struct store_request request = { .version = args->version };

	if (args->word_count > 1)
		return usage_error(err, "flatten takes one document, not %zu", args->word_count);
	if (args->word_count && (args->version || args->dir))
		return usage_error(err, "'%s' is a document; leave out --version and --dir, or the document",
				   args->words[0]);
	if (!args->version && !args->dir)
		request.json = args->word_count ? args->words[0] : "-";
	return print_flat(&request, &args->record, args->record != NULL, args, err);
}

/*
 * Extracts the names of --input from a source file, as gVisor's driver_ast_parser does, and prints the
 * warnings. @missing: set to the number of names that the file does not have
 */
static int extract_wanted(struct abi *abi, size_t *missing, const struct cli_args *args, struct err *err)
{
	struct extract_wanted wanted = { .is_for_gvisor = program_is_parser(),
					 .build_path = args->build_path };
	struct strbuf file = { 0 };
	int rc;

	if (args->word_count != 1)
		return usage_error(err,
			"--input needs one source file: drvabi extract --input NAMES.json FILE -- CLANG-ARGS");
	rc = file_read(&file, args->input, 64 * 1024 * 1024, err);
	if (!rc)
		rc = json_read_wanted(&wanted.structs, &wanted.constants, strbuf_text(&file), file.length,
				      args->input, args->arena, err);
	strbuf_release(&file);
	if (rc || (rc = store_source_file(abi, missing, args->words[0], args->rest, args->rest_count, &wanted,
					  args->arena, err)))
		return rc;
	if (!args->quiet)
		load_warn_each(abi, NULL);
	return 0;
}

/* Loads the document of a version, or of a given tree; without both, of the newest version. */
static int extract_version(struct store_request *request, const struct cli_args *args, struct err *err)
{
	struct cli_args with = *args;

	if (args->word_count > 1 || (args->word_count && args->version))
		return usage_error(err, "extract reads one version at a time");
	if (args->has_rest)
		return usage_error(err, "arguments for clang after -- can be used only with --input");
	request->version = args->word_count ? args->words[0] : args->version;
	if (args->dir && request->version)
		return usage_error(err, "--dir is a tree without versions; leave '%s' out", request->version);
	with.accepts_partial = true;
	return load_documents(request, 1, &with, err);
}

/*
 * drvabi extract: appends the document of a version, a tree or, with --input, a source file. If names of
 * --input are missing, the rest is written before the command fails.
 */
int cmd_extract(struct cli_args *args, struct err *err)
{
	struct store_request request = { 0 };
	struct json_writer writer = { .out = args->out };
	size_t missing = 0;
	int rc;

	if ((rc = args->input ? extract_wanted(&request.abi, &missing, args, err)
			      : extract_version(&request, args, err)))
		return rc;
	json_write_abi(&writer, &request.abi);
	if (!missing || program_is_parser() || (rc = output_write(args, err)))
		return rc;
	return err_set(err, ERR_NOT_FOUND, "%s: %zu of the names in %s %s not found; the rest was extracted",
		       args->words[0], missing, args->input, missing == 1 ? "is" : "are");
}

static int run_parser(struct cli_args *args, struct err *err)
{
	if (!args->input || args->word_count != 1)
		return usage_error(err, "give --input NAMES.json and one source file");
	return cmd_extract(args, err);
}

static const char *const parser_options[] = { "input", "output", "p", "help", NULL };

const struct cli_command parser_command = {
	.name = "driver_ast_parser",
	.one_dash = true,
	.takes_rest = true,
	.options = parser_options,
	.run = run_parser,
};
