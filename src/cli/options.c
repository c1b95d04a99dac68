/* cli/options.c - the table of options (manual.txt has their help), and the parser of the command line */
#include "cli/cli.h"

#define TEXT_AS(member, id) CLI_TEXT, offsetof(struct cli_args, member), id
#define FLAG_AS(member, id) CLI_FLAG, offsetof(struct cli_args, member), id
#define TEXT(member) TEXT_AS(member, NULL)
#define FLAG(member) FLAG_AS(member, NULL)

static const struct cli_option option_table[] = {
	{ "base", 0, "VERSION", TEXT(base) },
	{ "next", 0, "VERSION", TEXT(next) },
	{ "base-json", 0, "FILE", TEXT(base_json) },
	{ "next-json", 0, "FILE", TEXT(next_json) },
	{ "json", 0, "FILE", TEXT(json) },
	{ "version", 0, "VERSION", TEXT(version) },
	{ "version", 0, "VERSION", TEXT_AS(version, "verify-version") },
	{ "versions", 0, "A..B|A,B", TEXT(versions) },
	{ "versions", 0, "A..B|A,B", CLI_WORDS, 0, "versions-as-words" },
	{ "version", 0, "VERSION", CLI_WORDS, 0, "version-as-word" },
	{ "lang", 0, "LANGUAGE", TEXT(lang) },
	{ "pid-shim", 0, "LANGUAGE", TEXT(pid_shim) },
	{ "shim", 0, "LANGUAGE", TEXT(pid_shim) },
	{ "flat", 0, NULL, FLAG(flat) },
	{ "not-forwarded", 0, NULL, FLAG(not_forwarded) },
	{ "style", 0, "STYLE", TEXT(gen_style) },
	{ "package", 0, "NAME", TEXT(package) },
	{ "table", 0, "FILE", TEXT_AS(table, "gen-table") },
	{ "input", 0, "FILE", TEXT(input) },
	{ "p", 0, "DIR", TEXT(build_path) },
	{ "repo", 0, "PATH|URL", TEXT(repo) },
	{ "archive", 0, "FILE", TEXT(archive) },
	{ "add", 0, "FILE", TEXT(add) },
	{ "add", 0, NULL, FLAG_AS(add_ioctls, "bootstrap-add") },
	{ "sha256-x86_64", 0, "HEX", TEXT(sha256_x86_64) },
	{ "sha256-arm64", 0, "HEX", TEXT(sha256_arm64) },
	{ "trace", 0, "CAP=TRACE", CLI_LIST, offsetof(struct cli_args, traces), NULL },
	{ "dir", 0, "PATH", TEXT(dir) },
	{ "run", 0, "FILE", TEXT(run_file) },
	{ "profile", 0, "NAME|FILE", TEXT(profile) },
	{ "target", 0, "TRIPLE", TEXT(target) },
	{ "table", 0, "FILE|NAME", TEXT(table) },
	{ "table-from-header", 0, "HEADER", TEXT(table_from_header) },
	{ "map", 0, "FILE", TEXT(map) },
	{ "record", 0, "GLOB", TEXT(record) },
	{ "constants", 0, "GLOB,...", TEXT(constants) },
	{ "family", 0, "GLOB", TEXT(family) },
	{ "caller", 0, "WORD", TEXT(caller) },
	{ "name", 0, "GLOB", TEXT(name) },
	{ "role", 0, "ROLE,...", TEXT(role) },
	{ "class", 0, "CLASS,...", TEXT(classes) },
	{ "caps", 0, "CAP,...", TEXT(caps) },
	{ "caps", 0, "CAP,...", TEXT_AS(caps, "bootstrap-caps") },
	{ "since", 0, "VERSION", TEXT(since) },
	{ "until", 0, "VERSION", TEXT(until) },
	{ "all-nodes", 0, NULL, FLAG(all_nodes) },
	{ "fail-on", 0, "RULE,...", TEXT(fail_on) },
	{ "strict", 0, NULL, FLAG(strict) },
	{ "fail-on", 0, "CLASS,...", TEXT_AS(fail_on, "diff-fail-on") },
	{ "fail-on", 0, "WORK,...", TEXT_AS(fail_on, "bootstrap-fail-on") },
	{ "stat", 0, NULL, FLAG(only_counts) },
	{ "suppress", 0, "FILE", TEXT_AS(suppress, "diff-suppress") },
	{ "suppress", 0, "FILE", TEXT(suppress) },
	{ "write-suppress", 0, "FILE", TEXT(write_suppress) },
	{ "number", 0, "NUMBER", TEXT(number) },
	{ "criterion", 0, "CRITERION", TEXT(criterion) },
	{ "prove", 0, NULL, FLAG(prove) },
	{ "emit", 0, "FORM", TEXT(emit) },
	{ "exit-code", 0, NULL, FLAG(exit_code) },
	{ "control", 0, "NUMBER", TEXT(control) },
	{ "alloc", 0, "NUMBER", TEXT(alloc) },
	{ "uvm", 0, "NUMBER", TEXT(uvm) },
	{ "input", 0, "FORMAT", TEXT_AS(input_format, "decode-input") },
	{ "against", 0, "VERSION", TEXT(against) },
	{ "only", 0, NULL, FLAG(only) },
	{ "attach", 'p', "PID", TEXT(attach) },
	{ "replay", 0, "TRACE", TEXT(replay) },
	{ "preload", 0, NULL, FLAG(preload) },
	{ "listen", 0, "SOCKET", TEXT(listen) },
	{ "once", 0, NULL, FLAG(once) },
	{ "max-bytes", 0, "N", TEXT(max_bytes) },
	{ "enforce", 0, "WHEN", TEXT(enforce) },
	{ "survive", 0, NULL, FLAG(survive) },
	{ "all", 0, NULL, FLAG(all) },
	{ "who", 0, NULL, FLAG(who) },
	{ "compress", 0, NULL, FLAG(compress) },
	{ "wire", 0, "FORMAT", TEXT(wire) },
	{ "output", 'o', "TRACE", TEXT_AS(output, "sniff-output") },
	{ "expand", 0, NULL, FLAG(expand) },
	{ "output", 'o', "DIR", TEXT_AS(output, "bootstrap-output") },
	{ "format", 0, "FORMAT", TEXT(format) },
	{ "report", 0, "FORMAT=FILE", CLI_LIST, offsetof(struct cli_args, reports), NULL },
	{ "color", 0, "WHEN", TEXT(color) },
	{ "output", 'o', "FILE", TEXT(output) },
	{ "jobs", 0, "N", CLI_COUNT, offsetof(struct cli_args, jobs), NULL },
	{ "no-archive", 0, NULL, FLAG(no_archive) },
	{ "no-cache", 0, NULL, FLAG(no_cache) },
	{ "no-pager", 0, NULL, FLAG(no_pager) },
	{ "quiet", 'q', NULL, FLAG(quiet) },
	{ "verbose", 'v', NULL, FLAG(verbose) },
	{ "man", 0, NULL, FLAG(man) },
	{ "schema", 0, "FORMAT", TEXT(schema) },
	{ "completion", 0, "SHELL", TEXT(completion) },
	{ "complete", 0, NULL, FLAG(complete) },
	{ "help", 'h', NULL, FLAG(help) },
};

enum { OPTION_COUNT = sizeof(option_table) / sizeof(option_table[0]) };

/* The options whose values are from a list of words. */
static const struct {
	const char *option, *words;
} option_words[] = {
	{ "color", "auto|always|never" },   { "target", "x86_64-linux-gnu|aarch64-linux-gnu" },
	{ "criterion", "table|strict" },       { "enforce", "instant|report" },
	{ "wire", "drvabi|gvisor" },        { "lang", GEN_LANGUAGES },
	{ "style", "plain|nvproxy" },       { "pid-shim", "c" },            { "shim", "c" },
	{ "completion", "bash|zsh|fish" },  { "emit", "go|json" },
};

const char *cli_option_words(const struct cli_option *option, const struct cli_command *command)
{
	for (size_t i = 0; i < sizeof(option_words) / sizeof(*option_words); i++)
		if (!strcmp(option_words[i].option, option->name))
			return option_words[i].words;
	return strcmp(option->name, "format") ? NULL : command->formats;
}

struct profile_strings list_split(const char *text, char separator, struct arena *arena)
{
	const char **items = arena_array(arena, strlen(text) + 1, sizeof(*items));
	size_t count = 0;

	for (const char *end;; text = end + 1) {
		end = strchrnul(text, separator);
		items[count++] = arena_strndup(arena, text, (size_t)(end - text));
		if (!*end)
			return (struct profile_strings){ items, count };
	}
}

static const char *class_name(unsigned bit)
{
	return diff_class_name((enum diff_class)(1u << bit));
}

static const char *role_name(unsigned bit)
{
	return abi_role_name((enum abi_role)bit);
}

/* Returns the name of a class of change or of a section of the report. */
static const char *fail_on_name(unsigned bit)
{
	return bit < DIFF_CLASS_COUNT ? class_name(bit)
				      : diff_section_name((enum diff_section)(bit - DIFF_CLASS_COUNT));
}

static const char *work_name(unsigned bit)
{
	static const char *const names[] = { "node", "fault", "read", "handler", "unread" };

	return names[bit];
}

static const struct {
	const char *option, *what;
	const char *(*name_of)(unsigned bit);
	unsigned first, end; /* the range of bits */
} word_lists[] = {
	[WORDS_CLASS] = { "--class", "class of changes", class_name, 0, DIFF_CLASS_COUNT },
	[WORDS_FAIL] = { "--fail-on", "class of changes or group of the report", fail_on_name, 0,
			 DIFF_CLASS_COUNT + DIFF_SECTION_UNREAD + 1 },
	[WORDS_WORK] = { "--fail-on", "kind of work", work_name, 0, 5 },
	[WORDS_ROLE] = { "--role", "role of fields", role_name, ABI_ROLE_NONE + 1, ABI_ROLE_LAST + 1 },
};

/* Adds the bit of @word to @out. @code: the error if @list does not contain the word. */
static int add_bit(unsigned *out, enum word_list list, const char *word, int code, struct err *err)
{
	struct strbuf all = { 0 };

	for (unsigned bit = word_lists[list].first; bit < word_lists[list].end; bit++) {
		const char *name = word_lists[list].name_of(bit);

		if (!strcmp(name, word)) {
			*out |= 1u << bit;
			strbuf_release(&all);
			return 0;
		}
		strbuf_addf(&all, "%s%s", all.length ? ", " : "", name);
	}
	err_set(err, code, "'%s' is not a %s; use %s", word, word_lists[list].what, all.text);
	strbuf_release(&all);
	return code;
}

int word_list_read(unsigned *out, enum word_list list, const char *text, struct arena *arena,
		   struct err *err)
{
	struct profile_strings words = { 0 };
	unsigned bits = 0;

	if (text)
		words = list_split(text, ',', arena);
	for (size_t i = 0; i < words.count; i++)
		if (add_bit(&bits, list, words.item[i], ERR_USAGE, err)) {
			err_prefix(err, "%s", word_lists[list].option);
			return ERR_USAGE;
		}
	*out = bits;
	return 0;
}

int class_list_word(unsigned *out, const char *word, struct err *err)
{
	*out = strcmp(word, "*") ? 0 : ~0u;
	return *out ? 0 : add_bit(out, WORDS_CLASS, word, ERR_FORMAT, err);
}

int extra_constants_read(struct profile_strings *out, const struct cli_args *args, struct err *err)
{
	*out = list_split(args->constants, ',', args->arena);
	for (size_t i = 0; i < out->count; i++)
		if (!*out->item[i])
			return usage_error(err, "--constants: one of the names in '%s' is empty",
					   args->constants);
	return 0;
}

const struct cli_option *cli_find_option(const char *name)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (!strcmp(option_table[i].id ? option_table[i].id : option_table[i].name, name))
			return &option_table[i];
	return NULL;
}

/* Returns true if the member of an option is set; always false for the kind CLI_WORDS. */
static bool is_given(const struct cli_args *args, const struct cli_option *option)
{
	const void *member = (const char *)args + option->offset;

	switch (option->kind) {
	case CLI_FLAG: return *(const bool *)member;
	case CLI_TEXT: return *(const char *const *)member;
	case CLI_LIST: return ((const struct profile_strings *)member)->count;
	case CLI_COUNT: return *(const unsigned *)member;
	case CLI_WORDS: break;
	}
	return false;
}

const char *cli_given(const struct cli_args *args, const char *names)
{
	const struct profile_strings list = list_split(names, ' ', args->arena);

	for (size_t i = 0; i < list.count; i++)
		if (is_given(args, cli_find_option(list.item[i])))
			return list.item[i];
	return NULL;
}

const struct cli_option *cli_option_of(const struct cli_command *command, const char *word)
{
	const size_t length = strcspn(word, "=");

	for (const char *const *id = command->options; *id; id++) {
		const struct cli_option *option = cli_find_option(*id);

		if ((word[0] == '-' && word[1] && word[1] == option->letter && !word[2]) ||
		    (length > 2 && !strncmp(word, "--", 2) && strlen(option->name) == length - 2 &&
		     !strncmp(word + 2, option->name, length - 2)))
			return option;
	}
	return NULL;
}

static bool takes_option(const struct cli_command *command, const char *id)
{
	for (const char *const *name = command->options; *name; name++)
		if (!strcmp(*name, id))
			return true;
	return false;
}

/*
 * Fails with ERR_USAGE: "diff has no option --x; see drvabi diff --help". Under the name run_differ or
 * driver_ast_parser, the message does not name the command. @hint: follows the option in the message
 */
static int fail_no_such_option(const struct cli_command *command, const char *word, const char *hint,
			       struct err *err)
{
	struct strbuf called = { 0 };
	int rc;

	program_command(&called, command);
	if (program_is_command())
		rc = usage_error(err, "there is no option %s%s; see %s --help", word, hint, called.text);
	else
		rc = usage_error(err, "%s has no option %s%s; see %s --help", command->name, word, hint,
				 called.text);
	strbuf_release(&called);
	return rc;
}

/*
 * Fails with ERR_USAGE, and suggests a similar option, or explains why the option was removed.
 * @text: the name without dashes; a value can follow after its @length bytes
 */
static int fail_unknown_option(const struct cli_command *command, const char *text, size_t length,
			       struct err *err)
{
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf word = { 0 }, hint = { 0 };
	int rc;

	static const struct {
		const char *command, *option, *instead;
	} absent[] = {
		{ "gen", "format", "the language is selected by --lang go, c, rust or python" },
		{ "gen", "client",
		  "it was removed, because its programs opened any device that a trace named; "
		  "drvabi sniff --replay TRACE -- COMMAND answers a workload from a trace" },
		{ "verify", "caps",
		  "it was removed; drvabi surface --table TABLE --caps all counts what each capability exposes" },
	};

	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (!strcmp(command->name, absent[i].command) && length == strlen(absent[i].option) &&
		    !memcmp(text, absent[i].option, length))
			return usage_error(err, "%s has no option --%s: %s", absent[i].command,
					   absent[i].option, absent[i].instead);
	strbuf_adds(&word, "--");
	strbuf_add(&word, text, length);
	for (const char *const *id = command->options; *id; id++)
		abi_nearest_name(&nearest, word.text + 2, cli_find_option(*id)->name);
	if (nearest.count)
		strbuf_addf(&hint, " (did you mean --%s?)", nearest.name[0]);
	rc = fail_no_such_option(command, word.text, strbuf_text(&hint), err);
	strbuf_release(&word);
	strbuf_release(&hint);
	return rc;
}

/*
 * Finds the option of @command whose name is the @length bytes at @text, or the only option whose name
 * begins with them. Return: 0; ERR_USAGE if there is none, or if several begin with them.
 */
static int option_by_name(const struct cli_option **out, const struct cli_command *command, const char *text,
			  size_t length, struct err *err)
{
	const struct cli_option *found = NULL;

	if (length == strlen("no-pager") && !memcmp(text, "no-pager", length)) {
		*out = cli_find_option("no-pager"); /* allowed for all commands */
		return 0;
	}
	for (const char *const *id = command->options; *id; id++) {
		const struct cli_option *option = cli_find_option(*id);

		if (strncmp(option->name, text, length))
			continue;
		if (strlen(option->name) == length) {
			*out = option;
			return 0;
		}
		if (found)
			return usage_error(err, "--%.*s is ambiguous: --%s or --%s", (int)length, text,
					   found->name, option->name);
		found = option;
	}
	if (!found)
		return fail_unknown_option(command, text, length, err);
	*out = found;
	return 0;
}

/* Returns true if @word is one of @words, "text|json". */
static bool has_choice(const char *words, const char *word, struct arena *arena)
{
	const struct profile_strings choices = list_split(words, '|', arena);

	return texts_have(choices.item, choices.count, word);
}

/* Checks that a value of --report is FORMAT=FILE, with a format of the command. Return: 0; ERR_USAGE. */
static int check_report(const struct cli_command *command, const char *value, struct arena *arena,
			struct err *err)
{
	const char *file = strchr(value, '=');

	if (!file || !file[1] || !strcmp(file, "=-") ||
	    !has_choice(command->formats, arena_strndup(arena, value, (size_t)(file - value)), arena))
		return usage_error(err,
			"--report takes FORMAT=FILE, where FORMAT is one of %s, and FILE is a file name, not '%s'",
			command->formats, value);
	return 0;
}

/*
 * Fails because an option was given twice, so that one value would be ignored. If the value is a list, the
 * message shows how to join both values.
 */
static int fail_given_twice(const struct cli_option *option, const char *first, const char *second,
			    struct err *err)
{
	if (strstr(option->value, ",..."))
		return usage_error(err, "--%s is given twice; join the values with a comma: --%s %s,%s",
				   option->name, option->name, first, second);
	return usage_error(err, "--%s is given twice, as %s and as %s; give it once", option->name, first,
			   second);
}

/* Refuses a removed format with ERR_USAGE. The message has the jq filter that replaces it. */
static int refuse_removed_format(const struct cli_command *command, const char *format, struct err *err)
{
	static const struct {
		const char *command, *format, *filter;
	} removed[] = {
		{ "surface", "csv", ".ioctls[] | [.family, .number, .name, .params, .params_size] | @csv" },
		{ "pids", "csv",
		  ".ioctls[] as $i | $i.pids[] | [$i.family, $i.number, $i.name, .path, .offset] | @csv" },
		{ "history", "csv",
		  ".events[] | [.version, .parent, .kind, .name, (.classes | join(\" \"))] | @csv" },
		{ "verify", "tap",
		  ".versions[] | (if .status == \"fail\" then \"not ok \" else \"ok \" end) + .version" },
	};

	for (size_t i = 0; i < sizeof(removed) / sizeof(*removed); i++)
		if (!strcmp(command->name, removed[i].command) && !strcmp(format, removed[i].format))
			return usage_error(err, "--format %s was removed; use --format json | jq -r '%s'",
					   format, removed[i].filter);
	return 0;
}

/* Fails if an option that accepts a list of words, such as --format, has a different value. */
static int check_word(const struct cli_option *option, const struct cli_command *command, const char *value,
		      struct arena *arena, struct err *err)
{
	const char *words = cli_option_words(option, command);
	int rc;

	if (!words)
		return 0;
	if (!strcmp(option->name, "format") && (rc = refuse_removed_format(command, value, err)))
		return rc;
	if (has_choice(words, value, arena))
		return 0;
	if (!strcmp(command->name, "show") && !strcmp(option->name, "format") &&
	    strstr("go rust python", value))
		return usage_error(err, "show --format takes %s; drvabi gen --lang %s writes source text",
				   words, value);
	return usage_error(err, "--%s takes %s%s, not '%s'", option->name,
			   strchr(words, '|') ? "one of " : "", words, value);
}

/* Returns the target for a usual name of a processor, such as arm64; other names are returned unchanged. */
static const char *target_of(const char *name)
{
	static const struct {
		const char *name, *target;
	} names[] = {
		{ "arm64", "aarch64-linux-gnu" },
		{ "aarch64", "aarch64-linux-gnu" },
		{ "amd64", "x86_64-linux-gnu" },
		{ "x86_64", "x86_64-linux-gnu" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return names[i].target;
	return name;
}

/*
 * Sets the member for an option, or appends to it or to @words if the option can be given several times.
 * Return: 0; ERR_USAGE if the value is invalid, or a second one is given for an option that takes one.
 * @words: args->words, with room for all words of the command line
 */
static int option_store(struct cli_args *args, const struct cli_option *option,
			const struct cli_command *command, const char *value, const char **words,
			struct err *err)
{
	void *member = (char *)args + option->offset;
	struct profile_strings *list = member, items;
	const char **item;
	int rc;
	char *end;
	unsigned long count;

	/* An empty value comes from a shell variable that is not set, and is never intended. */
	if (option->kind != CLI_FLAG && option->kind != CLI_COUNT && !*value)
		return usage_error(err, "--%s is empty; it takes %s", option->name, option->value);
	switch (option->kind) {
	case CLI_FLAG:
		*(bool *)member = true;
		return 0;
	case CLI_TEXT:
		if (*(const char **)member)
			return fail_given_twice(option, *(const char **)member, value, err);
		if (!strcmp(option->name, "target"))
			value = target_of(value);
		*(const char **)member = value;
		return check_word(option, command, value, args->arena, err);
	case CLI_LIST:
		if (!strcmp(option->name, "report") && (rc = check_report(command, value, args->arena, err)))
			return rc;
		item = arena_room(args->arena, list->item, list->count, sizeof(*item));
		item[list->count++] = value;
		list->item = item;
		return 0;
	case CLI_WORDS:
		items = list_split(value, ',', args->arena);
		for (size_t i = 0; i < items.count; i++) {
			if (!*items.item[i])
				return usage_error(err, "--%s takes %s, not '%s'", option->name,
						   option->value, value);
			words[args->word_count++] = items.item[i];
		}
		return 0;
	case CLI_COUNT:
		errno = 0;
		count = strtoul(value, &end, 10);
		if (errno || *end || end == value || *value == '-' || !count || count > 1024)
			return usage_error(err, "--%s takes a whole number from 1 to 1024, not '%s'",
					   option->name, value);
		if (*(unsigned *)member)
			return usage_error(err, "--%s is given twice; give it once", option->name);
		*(unsigned *)member = (unsigned)count;
		return 0;
	}
	return 0;
}

/*
 * Parses and stores an option, "--name", "--name value", "--name=value" or "-x". Return: 0; ERR_USAGE.
 * *@index: the index of the option; if the value is the next word, set to the index of the value
 */
static int option_parse(struct cli_args *args, const struct cli_command *command, int argc, char **argv,
			int *index, const char **words, struct err *err)
{
	const char *word = argv[*index];
	const char *name = word + 1 + (word[1] == '-');
	const struct cli_option *option = NULL;
	const char *value = NULL;
	int rc;

	if (word[1] == '-' || command->one_dash) {
		size_t length = strcspn(name, "=");

		if ((rc = option_by_name(&option, command, name, length, err)))
			return rc;
		if (name[length])
			value = name + length + 1;
	} else {
		for (const char *const *id = command->options; *id && !option; id++)
			option = cli_find_option(*id)->letter == word[1] ? cli_find_option(*id) : NULL;
		if (!option)
			return fail_no_such_option(command, word, "", err);
		if (word[2])
			value = word + 2;
	}
	if (option->kind == CLI_FLAG && value)
		return usage_error(err, "--%s takes no value", option->name);
	if (option->kind != CLI_FLAG && !value) {
		if (*index + 1 >= argc)
			return usage_error(err, "--%s needs a value: %s", option->name, option->value);
		value = argv[++*index];
		if (cli_option_of(command, value))
			return usage_error(err,
				"--%s needs a value, %s, and %s is an option; a value that begins with - is written --%s=%s",
				option->name, option->value, value, option->name, value);
	}
	return option_store(args, option, command, value, words, err);
}

#define PLACE "both name a place to read from"
#define ATTACHED "no process is traced"

/*
 * Options that cannot be used together, and options that need a different option. A rule applies to the
 * commands that have an option with the id @option. A rule without a reason applies only if the command also
 * has the option @others.
 */
static const struct option_rule {
	const char *option, *others; /* ids; @others is a list, "repo dir" */
	const char *why;             /* why they exclude each other; NULL if @option needs @others */
} option_rules[] = {
	{ "dir", "repo", PLACE },
	{ "archive", "repo dir", PLACE },
	{ "json", "repo dir archive", PLACE },
	{ "run", "dir json", "both name the source of one version" },
	{ "constants", "archive json base-json next-json", "--constants reads the driver's sources" },
	{ "no-archive", "archive add", "no archive would be read" },
	{ "version", "dir", "a tree has no versions" },
	{ "versions", "version json dir all-nodes", "both name what to read" },
	{ "all-nodes", "version json", "both name what to check" },
	{ "base", "base-json", "both name the older version" },
	{ "next", "next-json", "both name the newer version" },
	{ "table", "table-from-header", "both name a proxy" },
	{ "gen-table", "version versions json dir constants", "the types of a table have no version" },
	{ "not-forwarded", "caps", "capabilities are those of forwarded ioctls" },
	{ "pid-shim", "lang style package constants gen-table", "a shim has only one form" },
	{ "shim", "format", "both are forms of output" },
	{ "emit", "format report", "both are forms of output" },
	{ "add", "target", "the archive has its own targets" },
	{ "input", "constants", "the file of --input lists the constants" },
	{ "control", "alloc uvm", "both name the call" },
	{ "alloc", "uvm", "both name the call" },
	{ "listen", "attach preload replay survive", "gVisor's hook records the calls" },
	{ "preload", "attach replay survive", ATTACHED },
	{ "who", "listen preload", ATTACHED },
	{ "all", "attach listen preload replay", "--all attaches to every process" },
	{ "attach", "replay", "a replay answers a command from its beginning" },
	{ "dir", "verify-version", NULL },
	{ "role", "flat", NULL },
	{ "caps", "table", NULL },
	{ "since", "caps", NULL },
	{ "not-forwarded", "table", NULL },
	{ "map", "table-from-header", NULL },
	{ "once", "listen", NULL },
	{ "compress", "sniff-output", NULL },
};

/* Refuses options that exclude each other if @with_reason, or else options without one that they need. */
static int check_rules(const struct cli_args *args, const struct cli_command *command, bool with_reason,
		       struct err *err)
{
	for (size_t i = 0; i < sizeof(option_rules) / sizeof(*option_rules); i++) {
		const struct option_rule *rule = &option_rules[i];
		const struct cli_option *option = cli_find_option(rule->option), *needed;
		const char *other;

		if (!rule->why == with_reason || !takes_option(command, rule->option) ||
		    !is_given(args, option))
			continue;
		other = cli_given(args, rule->others);
		if (with_reason && other)
			return usage_error(err, "--%s and --%s cannot be used together: %s", option->name,
					   cli_find_option(other)->name, rule->why);
		if (with_reason || other || !takes_option(command, rule->others))
			continue;
		needed = cli_find_option(rule->others);
		return usage_error(err, "--%s can be used only with --%s; add --%s%s%s", option->name,
				   needed->name, needed->name, needed->value ? " " : "",
				   needed->value ? needed->value : "");
	}
	return 0;
}

/* Sets *@member to @value, and appends @key to the list @taken. Does nothing if @value is NULL. */
static void take_configured(const char **member, const char *value, const char *key, struct strbuf *taken)
{
	if (!value)
		return;
	*member = value;
	strbuf_addf(taken, "%s%s", taken->length ? ", " : "", key);
}

/*
 * Reads the project's .drvabi.json, and uses its values for options that neither the command line nor the
 * environment sets. The file is for one driver, so it is ignored if --profile names a different profile. Its
 * suppressions are used only if no other table is named. Prints the used keys. Return: as config_load().
 */
static int args_choose_configured(struct cli_args *args, const struct cli_command *command, struct err *err)
{
	struct project_config config;
	struct strbuf taken = { 0 };
	const char *path, *repo = getenv("DRVABI_REPO");
	bool is_ours_table;
	int rc;

	if (args->help || !takes_option(command, "profile"))
		return 0;
	if ((rc = config_load(&config, &path, args, err)) ||
	    (args->profile && strcmp(args->profile, config.profile ? config.profile : "nvidia")))
		return rc;
	is_ours_table = !args->table && !args->table_from_header;
	args->profile_of_project = !args->profile && config.profile;
	if (!args->profile)
		take_configured(&args->profile, config.profile, "profile", &taken);
	if (is_ours_table && takes_option(command, "table"))
		take_configured(&args->table, config.table, "table", &taken);
	if (is_ours_table && !args->suppress && takes_option(command, "suppress"))
		take_configured(&args->suppress, config.suppressions, "suppressions", &taken);
	if (!args->repo && !args->dir && !args->archive && !args->json && !(repo && *repo) &&
	    takes_option(command, "repo"))
		take_configured(&args->repo, config.repo, "repo", &taken);
	if (taken.length)
		output_say("using %s from %s", taken.text, path);
	strbuf_release(&taken);
	return 0;
}

/*
 * Checks which options were given together, and sets those that come from the environment, the project or a
 * default. Return: 0; ERR_USAGE; what args_choose_configured() returns.
 */
static int args_check(struct cli_args *args, const struct cli_command *command, struct err *err)
{
	const char *table = getenv("DRVABI_TABLE"), *archive = getenv("DRVABI_ARCHIVE");
	int rc;

	/* At this point, only the command line has set options. */
	if (!args->help && (rc = check_rules(args, command, true, err)))
		return rc;
	args->may_page = takes_option(command, "no-pager") && !args->no_pager;
	if (args->output && !strcmp(args->output, "-")) {
		args->may_page = false;
		args->output = !strcmp(command->name, "sniff") ? "/dev/stdout"
							       : NULL; /* sniff needs -o to write a trace */
	}
	if (!args->color)
		args->color = "auto";
	args->format_given = args->format;
	if (!args->format && command->formats)
		args->format = arena_strndup(args->arena, command->formats, strcspn(command->formats, "|"));
	args->target_given = args->target;
	args->profile_given = args->profile;
	if (!args->target)
		args->target = "x86_64-linux-gnu";
	if (archive && *archive && takes_option(command, "archive") && !args->archive &&
	    !cli_given(args, "repo dir no-archive constants"))
		args->archive = archive;
	if (table && *table && takes_option(command, "table") && !args->table && !args->table_from_header) {
		args->table = table;
		args->table_of_environment = true;
	}
	if ((rc = args_choose_configured(args, command, err)))
		return rc;
	if (!args->profile)
		args->profile = "nvidia";
	args->style = output_style(args);
	/* The needed option can come from the environment or the project. */
	return args->help ? 0 : check_rules(args, command, false, err);
}

int cli_parse(struct cli_args *args, const struct cli_command *command, int argc, char **argv,
	      struct arena *arena, struct err *err)
{
	const char **words;
	size_t room = (size_t)argc + 1;
	bool words_only = false;
	int rc;

	for (int i = 0; i < argc; i++)
		for (const char *at = argv[i]; (at = strchr(at, ',')); at++)
			room++;
	words = arena_array(arena, room, sizeof(*words));
	*args = (struct cli_args){ .arena = arena, .words = words };
	for (int i = 0; i < argc; i++) {
		if (!words_only && !strcmp(argv[i], "--") && command->takes_rest) {
			args->has_rest = true;
			args->rest = (const char *const *)argv + i + 1;
			args->rest_count = (size_t)(argc - i - 1);
			break;
		}
		if (!*argv[i])
			return usage_error(err, "argument %d is empty; is it a variable that is not set?",
					   i + 1);
		if (words_only || argv[i][0] != '-' || !argv[i][1])
			words[args->word_count++] = argv[i];
		else if (!strcmp(argv[i], "--"))
			words_only = true;
		else if ((rc = option_parse(args, command, argc, argv, &i, words, err)))
			return rc;
	}
	return args_check(args, command, err);
}
