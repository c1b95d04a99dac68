/*
 * cli/completion.c - the completion of a command line
 *
 * 1. The command is diff for run_differ, and otherwise the first word. If there is no word before the last,
 *    the commands are offered.
 * 2. The words before the last are read as cli_parse() reads them. The value of an option can be the next
 *    word.
 * 3. The last word is an option's value, an option, or another word. The kind of a value is its name in
 *    --help (FILE, VERSION, FORMAT, ...). The kind of another word is the first name in the command's
 *    usage. So a new option needs no code here.
 */
#include "cli/cli.h"
#include "extract/extract.h"

#include <sys/stat.h>

/* The scripts are included unchanged. The Makefile sets CLI_DIR. */

#ifndef CLI_DIR
#error "CLI_DIR is the directory of the scripts; the Makefile sets it"
#endif

EMBED(completion_bash, CLI_DIR "/completion.bash");
EMBED(completion_zsh, CLI_DIR "/completion.zsh");
EMBED(completion_fish, CLI_DIR "/completion.fish");

const char *completion_script(const char *shell)
{
	return !strcmp(shell, "bash")  ? completion_bash
	       : !strcmp(shell, "zsh") ? completion_zsh
				       : completion_fish;
}

struct completion {
	struct strbuf *out;
	struct strbuf before; /* printed before every candidate: "--format=", "layout," */
	const char *word;     /* the part of the candidate that the user has typed */
	const struct cli_command *command;
	struct cli_args args; /* the source of the offered versions */
	const char *first;    /* the command's first word, "write" after archive; or NULL */
};

/*
 * Appends a candidate for the shell, unless it does not begin with self->word, or has a character that a
 * shell could misread. @about: the description, of which only the first line is used; NULL if there is none
 */
static void offer_candidate(struct completion *self, const char *candidate, const char *about)
{
	/* A shell or a user could misread other characters, which a name in an input can contain. */
	static const char harmless[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+-";

	if (strncmp(candidate, self->word, strlen(self->word)) || !*candidate ||
	    candidate[strspn(candidate, harmless)])
		return;
	strbuf_addf(self->out, "%s%s", strbuf_text(&self->before), candidate);
	if (about)
		strbuf_addf(self->out, "\t%.*s", (int)strcspn(about, "\n"), about);
	strbuf_addch(self->out, '\n');
}

/* Completes only the part of the word after @start, and leaves the part before it unchanged. */
static void skip_to(struct completion *self, const char *start)
{
	strbuf_add(&self->before, self->word, (size_t)(start - self->word));
	self->word = start;
}

/* Offers the words of a list such as "text|json|markdown". */
static void offer_words(struct completion *self, const char *words)
{
	const struct profile_strings list = list_split(words, '|', self->args.arena);

	for (size_t i = 0; i < list.count; i++)
		offer_candidate(self, list.item[i], NULL);
}

/* --- candidates from an archive or a repository --- */

/* Opens the archive that the command would read. NULL if there is none, or a pipe, which could block. */
static const struct archive *archive_of(const struct completion *self)
{
	const struct archive *archive = NULL;
	struct stat st;

	if (self->args.archive && (stat(self->args.archive, &st) || !S_ISREG(st.st_mode)))
		return NULL;
	return load_archive(&archive, &self->args, NULL) ? NULL : archive;
}

static const char *repository_path(const struct completion *self)
{
	return self->args.archive ? NULL : self->args.repo ? self->args.repo : getenv("DRVABI_REPO");
}

/*
 * Offers the tags of a local repository (a URL would need a network), or else the versions of the archive. In
 * "BASE..NEXT", only NEXT is completed. If the word begins like a path, the shell completes directories.
 */
static void offer_versions(struct completion *self)
{
	const char *dots = strstr(self->word, ".."), *path = repository_path(self);
	const struct archive *archive;
	const char *const *names;
	struct stat st;
	size_t count;

	if (self->word[0] != '.' && dots)
		skip_to(self, dots + 2);
	if (self->word[0] == '.' || self->word[0] == '/' ||
	    self->word[0] == '~') { /* an unpacked tree, for diff */
		strbuf_adds(self->out, ":directory\n");
	} else if (path && !stat(path, &st) && S_ISDIR(st.st_mode) &&
		   !load_tags(&names, &count, &self->args, NULL)) {
		for (size_t i = 0; i < count; i++)
			offer_candidate(self, names[i], NULL);
	} else if ((archive = archive_of(self))) {
		const struct source_graph *graph = &archive->head.graph;

		for (size_t i = 0; i < graph->count; i++)
			offer_candidate(self, graph->versions[i].name, NULL);
	}
}

/* With fewer letters, thousands of names would match. */
enum { NAME_LETTERS_MIN = 2 };

/*
 * Offers the names of items in the archive's newest version, if NAME_LETTERS_MIN letters are typed. The names
 * in a repository are not offered, because extracting them takes too long.
 */
static void offer_names(struct completion *self)
{
	struct cli_args args = self->args;
	struct store_request newest = { .version = NULL };
	const struct archive *archive;

	if (strlen(self->word) < NAME_LETTERS_MIN || repository_path(self) || !(archive = archive_of(self)))
		return;
	args.archive = archive->name;
	if (load_documents(&newest, 1, &args, NULL))
		return;
	for (enum abi_kind kind = ABI_RECORD; kind <= ABI_IOCTL; kind++) {
		const struct abi_items items = abi_items(&newest.abi, kind);

		for (size_t i = 0; i < items.count; i++) {
			const char *name = abi_item_name(kind, items.first + i * items.size_bytes);

			/* Most ioctls are also macros, which were offered already. */
			if (kind != ABI_IOCTL || !abi_find_constant(&newest.abi, name))
				offer_candidate(self, name, NULL);
		}
	}
}

/* --- candidates by the kind of a value --- */

static void offer_profiles(struct completion *self)
{
	for (const char *const *name = profile_builtin_names(); *name; name++)
		offer_candidate(self, *name, NULL);
}

static void offer_rules(struct completion *self)
{
	for (int i = 0; i < VERIFY_RULE_COUNT; i++)
		offer_candidate(self, rule_name((size_t)i), rule_text((size_t)i, self->args.arena).what);
}

static void offer_classes(struct completion *self)
{
	for (int i = 0; i < DIFF_CLASS_COUNT; i++)
		offer_candidate(self, diff_class_name(1 << i),
				rule_text(RULE_OF_CLASS(1 << i), self->args.arena).what);
}

static void offer_roles(struct completion *self)
{
	for (int i = ABI_ROLE_NONE + 1; i <= ABI_ROLE_LAST; i++)
		offer_candidate(self, abi_role_name((enum abi_role)i), NULL);
}

static void offer_files(struct completion *self)
{
	strbuf_adds(self->out, ":file\n");
}

static void offer_directories(struct completion *self)
{
	strbuf_adds(self->out, ":directory\n");
}

static const struct {
	const char *value;
	void (*offer)(struct completion *self);
} values[] = {
	{ "VERSION", offer_versions }, { "RULE", offer_rules },     { "CLASS", offer_classes },
	{ "ROLE", offer_roles },       { "FILE", offer_files },     { "HEADER", offer_files },
	{ "TRACE", offer_files },      { "SOCKET", offer_files },   { "PATH", offer_directories },
	{ "DIR", offer_directories },  { "PROFILE", offer_profiles },
};

/* Offers the candidates for one kind of value, such as PATH or "RULE,..."; none for an unknown kind. */
static void offer_kind(struct completion *self, const char *kind, size_t length)
{
	/* In a list such as "layout,tran", only the last word is completed. */
	if (length > 4 && !strncmp(kind + length - 4, ",...", 4)) {
		const char *comma = strrchr(self->word, ',');

		if (comma)
			skip_to(self, comma + 1);
		length -= 4;
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (strlen(values[i].value) == length && !strncmp(values[i].value, kind, length))
			values[i].offer(self);
}

/* Offers the values of an option, according to its name, and to the name of its value in --help. */
static void offer_value(struct completion *self, const struct cli_option *option)
{
	const char *value = option->value, *words = cli_option_words(option, self->command);
	struct profile profile;

	if (words) {
		offer_words(self, words);
		return;
	}
	if (!strcmp(option->name, "family") && !load_profile(&profile, &self->args, NULL))
		for (size_t i = 0; i < profile.family_count; i++)
			offer_candidate(self, profile.families[i].name, NULL);
	if (!strcmp(option->name, "record") || !strcmp(option->name, "name"))
		offer_names(self);
	if (!strcmp(option->name, "profile"))
		offer_profiles(self);
	if (!strcmp(option->name, "table"))
		offer_words(self, "nvproxy");
	while (*value) {
		size_t length = strcspn(value, "|");

		offer_kind(self, value, length);
		value += length + (value[length] == '|');
	}
}

/* --- the words --- */

/*
 * Returns the option that @word gives; NULL if it gives none. @value: set to the text after "="; NULL if
 * there is no "="
 */
static const struct cli_option *option_of(const char **value, const struct cli_command *command,
					  const char *word)
{
	const char *equals = strchr(word, '=');

	*value = equals ? equals + 1 : NULL;
	return cli_option_of(command, word);
}

/*
 * Completes a word that begins with "-". The candidates begin with "--" even if the word has only one dash.
 */
static void offer_options(struct completion *self)
{
	strbuf_adds(&self->before, "--");
	self->word += self->word[1] == '-' ? 2 : 1;
	for (const char *const *id = self->command->options; *id; id++) {
		const struct cli_option *option = cli_find_option(*id);
		const char *help = manual_option(self->command, option, self->args.arena);

		offer_candidate(self, option->name, help ? help : self->command->formats);
	}
}

static void offer_commands(struct completion *self)
{
	struct manual manual;

	for (const struct cli_command *command = cli_commands; command->name; command++) {
		manual_read(&manual, command, self->args.arena);
		if (command->group != CLI_UNLISTED)
			offer_candidate(self, command->name, manual.summary);
	}
}

static bool completes_command(const struct completion *self, const char *name)
{
	return !strcmp(self->command->name, name);
}

/* Offers words that are not options: usually of the kind that the usage names first, such as "NAME". */
static void offer_word(struct completion *self)
{
	struct manual manual;
	const char *usage;

	manual_read(&manual, self->command, self->args.arena);
	usage = manual.usage[0] + (*manual.usage[0] == '[');
	if (completes_command(self, "diff"))
		offer_versions(self);
	else if (completes_command(self, "help")) {
		offer_commands(self);
		for (const char *const *topic = manual_topics; *topic; topic++)
			offer_candidate(self, *topic, NULL);
	} else if (completes_command(self, "explain"))
		for (size_t rule = 0; rule < RULE_COUNT; rule++)
			offer_candidate(self, rule_name(rule), rule_text(rule, self->args.arena).what);
	else if (completes_command(self, "cache"))
		offer_words(self, !self->first                    ? "show|prune|clear"
				  : !strcmp(self->first, "clear") ? "all"
								  : "");
	else if (completes_command(self, "archive") && !self->first)
		offer_words(self, "write|list");
	else if (completes_command(self, "archive"))
		(!strcmp(self->first, "list") ? offer_files : offer_versions)(self);
	else if (!strncmp(usage, "NAME", strlen("NAME")))
		offer_names(self);
	else
		offer_kind(self, usage, strspn(usage, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
}

/*
 * Reads @words, all but the last word, into self->first, and into the archive, repository and profile of
 * self->args. *@is_past_options: set to whether one of @words is "--". Return: the option whose value is the
 * last word; NULL if there is none.
 */
static const struct cli_option *read_words(struct completion *self, const char *const *words, size_t count,
					   bool *is_past_options)
{
	*is_past_options = false;
	for (size_t i = 0; i < count; i++) {
		const char *value;
		const struct cli_option *option = option_of(&value, self->command, words[i]);

		if (!strcmp(words[i], "--")) {
			*is_past_options = true;
			return NULL;
		}
		if (!option && words[i][0] != '-' && !self->first)
			self->first = words[i];
		if (!option || option->kind == CLI_FLAG)
			continue;
		if (!value && i + 1 == count)
			return option;
		value = value ? value : words[++i];
		if (!strcmp(option->name, "archive"))
			self->args.archive = value;
		else if (!strcmp(option->name, "repo"))
			self->args.repo = value;
		else if (!strcmp(option->name, "profile"))
			self->args.profile = value;
	}
	return NULL;
}

/* Offers candidates for the last of @words, which are the words after the command. @count is at least 1. */
static void complete_command(struct completion *self, const char *const *words, size_t count)
{
	bool is_past_options;
	const struct cli_option *option = read_words(self, words, count - 1, &is_past_options);
	const char *value = NULL;

	self->word = words[count - 1];
	if (is_past_options) {
		offer_files(self);
	} else if (option) {
		offer_value(self, option);
	} else if ((option = option_of(&value, self->command, self->word)) && value && option->value) {
		skip_to(self, value);
		offer_value(self, option);
	} else if (*self->word == '-') {
		offer_options(self);
	} else {
		offer_word(self);
	}
}

void completion_candidates(const struct cli_args *args)
{
	const char *const *words = args->rest;
	const size_t count = args->rest_count;
	struct completion self = { .out = args->out,
				   .args = { .arena = args->arena,
					     .profile = "nvidia",
					     .target = "x86_64-linux-gnu",
					     .archive = getenv("DRVABI_ARCHIVE"),
					     .quiet = true } };
	const char *slash = count ? strrchr(words[0], '/') : NULL;
	const bool is_differ = count && !strcmp(slash ? slash + 1 : words[0], "run_differ");

	if (self.args.archive && !*self.args.archive)
		self.args.archive = NULL;
	if (is_differ && count > 1)
		self.command = cli_find_command("diff");
	else if (count > 2)
		self.command = cli_find_command(words[1]);
	if (count == 2) { /* the word after the name of the program */
		self.word = words[1];
		if (!is_differ) {
			offer_commands(&self);
			offer_candidate(&self, "--help", "the list of commands");
		}
		if (!is_differ || words[1][0] == '-')
			offer_candidate(&self, "--version", "which version this is");
	}
	if (self.command)
		complete_command(&self, words + (is_differ ? 1 : 2), count - (is_differ ? 1 : 2));
	strbuf_release(&self.before);
}
