/*
 * cli/cli.h - the command line: one table of commands, one table of options
 *
 * The only code that prints errors or exits. The text of --help, the options of the parser and the manual
 * pages follow from the same two tables, in commands.c and options.c.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "abi/abi.h"
#include "base/base.h"
#include "decode/decode.h"
#include "diff/diff.h"
#include "history/history.h"
#include "report/report.h"
#include "sniff/sniff.h"
#include "store/store.h"
#include "verify/verify.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct show_item;

enum { CLI_LIST_MAX = 64 };

/* The values of an option that may be given several times. */
struct cli_list {
	const char *items[CLI_LIST_MAX];
	size_t count;
};

/*
 * The options of all commands, and the memory of the run. A struct cli_option says by offset which member it
 * sets.
 */
struct cli_args {
	struct arena *arena;   /* all that the command reads and finds; main() releases it at the end */
	struct strbuf *out;    /* for the text that the command prints; empty, and main() releases it, too */
	const char *repo;      /* path or URL; DRVABI_REPO; NULL: the profile's public repository */
	const char *dir;       /* an unpacked tree instead of a repository */
	const char *run_file;  /* bootstrap --run: a package of the driver instead of @dir */
	const char *archive;   /* versions of drvabi archive instead of a repository; DRVABI_ARCHIVE */
	const char *profile;   /* built-in name or a file */
	bool profile_of_project; /* .drvabi.json names it */
	const char *target;
	bool target_given;     /* --target; else @target is the default */
	bool profile_given;    /* --profile; else @profile is configured, or the default */
	const char *table;     /* a proxy table; DRVABI_TABLE. After parsing, the path of the name
				  */
	bool table_of_environment;
	const char *table_name; /* as the user wrote it */
	const char *accepted;   /* the file of accepted findings that is included with the table of that name;
				   NULL: none */
	const char *table_from_header; /* instead: the header of a proxy that is written in C */
	const char *map;       /* with it: the structs of the ioctls in the header */
	const char *record;    /* glob */
	const char *constants; /* globs, parted by commas */
	const char *format;    /* one of the command's; its first one unless given; NULL if it has none */
	bool format_given;
	const char *color;     /* "auto", "always", "never" */
	const char *output;    /* NULL: standard output */
	const char *base, *next;
	const char *base_json, *next_json, *json;
	const char *version;
	const char *input;     /* extract's drop-in form */
	const char *build_path; /* driver_ast_parser */
	const char *family, *caller, *name, *caps;         /* surface */
	const char *role;      /* surface, flatten */
	const char *classes;   /* diff, history: of changes */
	const char *since;     /* surface: a node of the table; history: a version */
	const char *until;     /* history */
	const char *fail_on, *suppress, *write_suppress;   /* verify, diff, bootstrap: the first */
	bool not_forwarded;    /* surface */
	bool flat;             /* show */
	bool only_counts;      /* diff, bootstrap: --stat */
	bool strict;                                       /* verify: an unavailable supported version counts;
							      sniff --replay */
	const char *number;                                /* history */
	const char *criterion, *emit;                         /* ranges */
	bool add_ioctls;       /* bootstrap --add */
	bool takes_part;       /* set by commands that read a part of a tree: bootstrap, extract */
	const char *sha256_x86_64, *sha256_arm64;          /* bootstrap */
	bool prove;
	bool exit_code;        /* history, ranges: exit status 1 if there is something */
	bool all_nodes;
	bool expand;           /* show --format c */
	bool help;
	bool man;              /* help: print the man page's source */
	const char *schema;    /* help */
	const char *completion; /* help: print the script of this shell */
	bool complete;         /* help: print what may follow @rest */
	const char *add;       /* archive write --add */
	const char *against;                               /* decode, sniff: a version */
	const char *control, *alloc, *uvm;                 /* decode: the number of a call */
	const char *input_format; /* decode --input */
	bool only;             /* decode: no line but what names an ioctl */
	const char *lang, *style, *package;                /* gen */
	const char *versions;  /* gen, pids, verify: "A..B,C" */
	const char *pid_shim;  /* gen */
	struct cli_list traces; /* bootstrap: CAP=FILE */
	struct cli_list reports; /* FORMAT=FILE: formats that the command has, and names of files */
	const char *attach, *max_bytes, *enforce, *wire, *replay, *listen; /* sniff */
	bool survive, compress, preload, once, who, all;                  /* sniff */
	bool no_archive;
	bool no_cache;
	bool of_repository;    /* set by archive write: versions are those of the repository, whatever an
				  archive names */
	bool quiet;
	bool verbose;
	bool no_pager;
	bool may_page;         /* the command has --no-pager, and it was not given */
	unsigned jobs;         /* 0: as many as there are processors */
	const char *const *words;     /* words that are not options, before "--" */
	size_t word_count;
	const char *const *rest;      /* what follows "--", for a command that takes it */
	size_t rest_count;
	bool has_rest;
};

/* CLI_WORDS: another way to write arguments that are versions; commas part them. */
enum cli_option_kind { CLI_FLAG, CLI_TEXT, CLI_COUNT, CLI_LIST, CLI_WORDS };

struct cli_option {
	const char *name;   /* "repo", without dashes */
	char letter;        /* 'o', or 0 */
	const char *value;  /* what --help calls its argument; NULL for a flag */
	enum cli_option_kind kind;
	size_t offset;      /* in struct cli_args */
	const char *id;     /* what commands list it by; NULL: its name. For two options of one name in two
			       commands */
	const char *help;   /* one or more lines, parted by '\n' */
};

struct cli_example {
	const char *command;
	const char *purpose;
};

struct cli_command {
	const char *name;
	enum cli_group { CLI_COMPARE, CLI_LOOK_UP, CLI_PROXY, CLI_PRODUCE, CLI_HOUSEKEEPING, CLI_GROUP_COUNT,
			 CLI_UNLISTED = CLI_GROUP_COUNT } group;
	const char *summary;          /* after "drvabi NAME - " */
	const char *synopsis;         /* what follows the name */
	const char *description;      /* paragraphs parted by "\n\n" */
	const char *const *options;   /* names or ids in the option table, in the order of --help;
					 NULL-terminated */
	const char *formats;          /* "text|json|markdown": what --format takes, the first is the default;
					 NULL: no --format */
	const struct cli_example *examples; /* ended by a NULL command */
	const char *exit_status;      /* what 0 and 1 mean, without full stop; NULL: there is no 1 */
	bool one_dash;                /* "-input" is "--input", as LLVM's tools have it, and no option is a
					 letter */
	bool takes_rest;              /* what follows "--" is the rest: another program's arguments; else
					 words that may begin with a dash */
	/*
	 * An exit status, or a negative ERR_*. NULL for help, which main runs: it prints this table, so the
	 * table cannot need it.
	 */
	int (*run)(const struct cli_args *args, struct err *err);
};

extern const struct cli_command cli_commands[]; /* ended by a NULL name */

/* cli_find_command - NULL if there is none of that name. */
const struct cli_command *cli_find_command(const char *name);
/*
 * cli_unknown_command - reports that there is no command @word, and similar ones. Return:
 * ERR_USAGE.
 */
int cli_unknown_command(const char *word, struct err *err);
/* cli_find_option - by id, or by long name; NULL if there is none. */
const struct cli_option *cli_find_option(const char *name);

/* cli_option_of - the option of @command that @word is, "--name", "--name=value" or "-x"; else NULL. */
const struct cli_option *cli_option_of(const struct cli_command *command, const char *word);

/* cli_given - the first of these options, texts and flags, that is set, as in "version"; NULL: none is. */
const char *cli_given(const struct cli_args *args, ...) __attribute__((sentinel));

/* cli_option_words - "a|b|c": what @option takes, if that is one of a few words; else NULL. */
const char *cli_option_words(const struct cli_option *option, const struct cli_command *command);

/**
 * cli_parse - read a command's arguments
 * @argv: without the command's own name
 *
 * Options and words may be mixed; "--name=value" and "--name value" are the
 * same; a name may be cut short as long as it stays unique. @args points into
 * @argv and into @arena, which becomes its own.
 * Return: 0 or ERR_USAGE.
 */
int cli_parse(struct cli_args *args, const struct cli_command *command, int argc, char **argv,
	      struct arena *arena, struct err *err);

/**
 * config_load - what .drvabi.json says, in the working directory or above it
 * @out: paths as they are from here; all NULL if there is no file, or another user owns it, which a note
 * reports
 * @path: of the file
 *
 * Return: 0; ERR_FORMAT, ERR_USAGE, ERR_LIMIT or ERR_IO for a file that is ours and cannot be used.
 */
int config_load(struct project_config *out, const char **path, const struct cli_args *args, struct err *err);

/* cli_print_help - of one command, or of the program if NULL. */
void cli_print_help(struct strbuf *out, const struct cli_command *command);
/* cli_print_man - the same words as an scdoc(5) source. */
void cli_print_man(struct strbuf *out, const struct cli_command *command);

/*
 * Exit status: diff and verify say both, as diff(1) does; others return CLI_SOMETHING only with --exit-code.
 */
enum { CLI_NOTHING = 0, CLI_SOMETHING = 1 };

/*
 * what each command of the table runs
 *
 * Return: an exit status (CLI_NOTHING, CLI_SOMETHING), or a
 * negative ERR_* with its sentence in @err.
 */

int cmd_diff(const struct cli_args *args, struct err *err);
int cmd_extract(const struct cli_args *args, struct err *err);
int cmd_flatten(const struct cli_args *args, struct err *err);
int cmd_show(const struct cli_args *args, struct err *err);
int cmd_verify(const struct cli_args *args, struct err *err);
int cmd_pids(const struct cli_args *args, struct err *err);
int cmd_surface(const struct cli_args *args, struct err *err);
int cmd_history(const struct cli_args *args, struct err *err);
int cmd_blame(const struct cli_args *args, struct err *err);
int cmd_archive(const struct cli_args *args, struct err *err);
int cmd_cache(const struct cli_args *args, struct err *err);
int cmd_bootstrap(const struct cli_args *args, struct err *err);
int cmd_ranges(const struct cli_args *args, struct err *err);
int cmd_table(const struct cli_args *args, struct err *err);
int cmd_explain(const struct cli_args *args, struct err *err);
int cmd_gen(const struct cli_args *args, struct err *err);
int cmd_profile(const struct cli_args *args, struct err *err);
int cmd_decode(const struct cli_args *args, struct err *err);
int cmd_sniff(const struct cli_args *args, struct err *err);
int cmd_help(const struct cli_args *args, struct err *err);

/* driver_ast_parser; it is not in cli_commands, since drvabi extract --input does the same. */
extern const struct cli_command parser_command;

/* Lists that help prints by themselves: "environment", "files", "classes"; NULL-terminated. */
extern const char *const manual_topics[];

/*
 * the name that the program was called by
 *
 * One binary has three names: drvabi; run_differ, which is drvabi diff; and driver_ast_parser, which is
 * gVisor's tool of that name. Help, errors and --version use the name that the user typed.
 */

/* program_is_differ - called as run_differ? program_is_parser - as driver_ast_parser? */
bool program_is_differ(void);
bool program_is_parser(void);

/* program_is_command - is the name that of one command? */
bool program_is_command(void);

/* program_name - "run_differ", "driver_ast_parser", or "drvabi" whatever else the file is called. */
const char *program_name(void);

/* program_command - how the user calls @command: "run_differ" or "drvabi show". */
void program_command(struct strbuf *out, const struct cli_command *command);

/* program_version - the output of --version: this version, and its libraries. */
void program_version(struct strbuf *out);

/*
 * program_remember_environment - the environment as this program got it, before main() changes it for
 * libraries program_environment - that one, for a command that is run on behalf of the user
 */
void program_remember_environment(void);
char *const *program_environment(void);

/*
 * what may follow on a command line, for bash, zsh and fish
 *
 * The scripts (completion.bash, .zsh, .fish) know no command and no option: at each TAB they run
 * `drvabi help --complete -- PROGRAM WORD...`, which reads the tables of commands and options.
 */

/* completion_script - of "bash", "zsh" or "fish". */
const char *completion_script(const char *shell);

/**
 * completion_candidates - appends the completions of the last of args->rest to args->out
 * @args: of help; its rest is the program's name as it is called, then the words up to the cursor; the last
 *        may be ""
 *
 * A candidate is a line, "WORD" or "WORD\tWHAT IT IS". ":file" and ":directory" tell the shell to complete
 * names of the file system. Versions and names come from an archive or a local repository, never from the
 * network, and errors give no candidate.
 */
void completion_candidates(const struct cli_args *args);

/*
 * a name or number of the command line, looked up in one version and in those beside it
 *
 * Shared by show and blame.
 */

/* word_read - a number ("0x20801358", "27"), or else a name or glob. */
void word_read(struct lookup_word *out, const char *text);

/* The version that words are looked up in, and facts about others. */
struct word_scope {
	const struct cli_args *args;
	struct store_around around;
	struct history_graph graph; /* without documents */
	struct profile profile;
	struct lookup_scope scope;
	const struct table *table;  /* NULL: none; set by word_load_table(), as is @nodes */
	struct history_graph nodes; /* by which a node of @table is used for a version: load_node() */
};

/* word_load - loads the document of @request, and the graph and index of other versions */
int word_load(struct word_scope *out, struct store_request *request, const struct cli_args *args,
	      struct err *err);

/* word_load_table - @words' table, into @table. Return: what load_table_for() and load_node() return. */
int word_load_table(struct word_scope *words, struct table *table, struct err *err);

/**
 * word_check - was something found, here or in the nearest version?
 * @lookup: of @word in @words' scope
 *
 * Return: 0; ERR_NOT_FOUND if no version has it, with similar names, or if the version that the user named
 * does not have it, with the versions that do.
 */
int word_check(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words,
	       struct err *err);

/*
 * word_is_elsewhere - should the nearest version be shown instead? Not if the user named a version that has
 * something.
 */
bool word_is_elsewhere(const struct lookup *lookup, const struct word_scope *words);

/* word_lookup_at - lookup_find() in the document of another version of the graph. */
void word_lookup_at(struct lookup *out, const struct lookup_word *word, const struct word_scope *words,
		    const struct abi *abi, size_t version);

/* word_describe - sets the parse and forwarded of an item of @abi that is an ioctl or a command */
void word_describe(struct show_item *item, const struct word_scope *words, const struct abi *abi);

/* where results go */

/* output_style - what --color, NO_COLOR and the terminal say. */
struct report_style output_style(const struct cli_args *args);

/*
 * output_say - "drvabi: SENTENCE" (or "run_differ: SENTENCE") on standard error, one line whatever an input's
 * names hold.
 */
void output_say(const char *sentence);

/*
 * output_note - "drvabi: note: SENTENCE" in the same way, unless --quiet: a fact that the result itself does
 * not contain.
 */
void output_note(const struct cli_args *args, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * output_check - is -o standard input, or do two outputs go into one file?
 *
 * An output that is a file which the run reads is detected when it is written: file_note_input().
 * Return: 0; ERR_USAGE.
 */
int output_check(const struct cli_args *args, struct err *err);

/**
 * output_result - a result in the format of each --report, and in that of --format
 * @render: appends @result in the format and style of its arguments
 *
 * Return: what output_write() returns, of the first one that failed; files before it are written.
 */
int output_result(const struct cli_args *args,
		  void (*render)(struct strbuf *out, const void *result, const struct cli_args *args),
		  const void *result, struct err *err);

/**
 * output_write - all of @text to --output or to standard output
 *
 * The renderers have escaped the text of inputs. On a terminal, an unescaped byte that a renderer missed is
 * shown as '?', and a command that may page goes through the pager; files and pipes get what there is.
 * Return: 0 or ERR_IO; then a file that was named is as it was before.
 */
int output_write(const struct strbuf *text, const struct cli_args *args, struct err *err);

/*
 * long results on a terminal, through a pager, as git shows them
 *
 * DRVABI_PAGER names the pager, else PAGER, else it is less; "cat" or an empty name is none. less gets
 * LESS=FRX unless LESS is set: it ends at once if all fits on the screen, passes colours through, and leaves
 * the text on the screen.
 */

/**
 * pager_show - show @text, which is complete, in the pager, and wait for its end
 * @why: a sentence if a pager that the user named cannot be run; else as it was
 *
 * To be called if standard output is a terminal. It is not an error if the user quits the pager early, and
 * its own exit status does not count. Return: false if there is no pager, or it could not be started: then
 * nothing was shown.
 */
bool pager_show(const char *text, size_t length, struct err *why);

/*
 * the lines of a log, as they may be shown
 *
 * Plain text is copied; in all other text, control characters and bytes that are not UTF-8 are spelled out.
 * Tabs and ends of lines stay.
 */

/**
 * pass_through - append @length bytes of @text to @out
 * @scratch: memory for one call; the owner releases it
 *
 * A character of UTF-8 must not be cut at the end of @text, or its bytes are spelled out.
 */
void pass_through(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch);

/* pass_through_whole - how many of @length bytes are whole characters of UTF-8, if more bytes follow */
size_t pass_through_whole(const char *text, size_t length);

/*
 * the profile and the documents that the user's options name
 *
 * Turns options into requests to the store; the store decides where documents come from.
 */

/* load_profile - built-in or file */
int load_profile(struct profile *out, const struct cli_args *args, struct err *err);

/**
 * load_documents - stores_documents() of the store that @args name
 *
 * The documents live in args->arena. Their warnings go to standard error unless args->quiet.
 */
int load_documents(struct store_request *requests, size_t count, const struct cli_args *args,
		   struct err *err);

/*
 * load_warn_each - each warning on standard error, whatever the options are; @name: prefix, NULL if each has
 * its path
 */
void load_warn_each(const struct abi *abi, const char *name);

/* load_history - stores_history() of the store that @args name. A bar shows the progress. */
int load_history(struct store_history *out, const struct store_choice *choice, const struct cli_args *args,
		 struct err *err);

/* load_around - stores_around() of the store that @args name. */
int load_around(struct store_around *out, struct store_request *request, const struct cli_args *args,
		struct err *err);

/* load_archive - stores_archive() of the store that @args name. */
int load_archive(const struct archive **out, const struct cli_args *args, struct err *err);

/* load_tags - stores_tags() of the store that @args name. */
int load_tags(const char *const **names, size_t *count, const struct cli_args *args, struct err *err);

/*
 * the table of a proxy that is written in C
 *
 * Clang parses the header (store), ctable builds the table.
 */

/*
 * load_header_check - that options which go together with --table-from-header do so. Return: 0 or ERR_USAGE.
 */
int load_header_check(const struct cli_args *args, struct err *err);

/*
 * the proxy's table that the user's options name
 *
 * --table, or DRVABI_TABLE, names a file of JSON or an included table, --table-from-header the header of a
 * proxy in C (load_header.c).
 */

enum { TABLE_LIMIT_BYTES = 256 * 1024 * 1024 };

/**
 * load_table_find - the file that the user names, or the included table of that name
 * @out: @name itself if it is a path, ends in ".json", or names a file here; else where NAME.json is
 *
 * A note is printed if a file here hides a table that is included.
 * Return: 0; ERR_NOT_FOUND, with all searched paths. A path need not exist.
 */
int load_table_find(const char **out, const char *name, const struct cli_args *args, struct err *err);

/* load_is_file - does @path name something other than a directory? */
bool load_is_file(const char *path);

/* load_table_file - read and check the table in @path; lives in @arena. */
int load_table_file(struct table *out, const char *path, struct arena *arena, struct err *err);

/* load_table - read and check args->table, or build a table from args->table_from_header. */
int load_table(struct table *out, const struct cli_args *args, struct err *err);

/*
 * load_table_for - load_table() for documents of @driver. Return: 0; ERR_USAGE if the table is another
 * driver's; what load_table() returns.
 */
int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct err *err);

/*
 * load_other_version - "version.mk says 580.95.05": what the makefiles of NVIDIA's driver say of the tree of
 * --dir, if that is another version than @version; a note says so as well. NULL: the same, or nothing.
 */
const char *load_other_version(const char *version, const struct cli_args *args);

/**
 * load_node - the node of @table that is used for @version
 * @out:   its own; else that of its nearest ancestor in the driver's commit graph; else, as for --dir and
 *         --json, by table_nearest_node(): NULL if all nodes are newer
 * @graph: read when it is first needed; { 0 } before the first call
 *
 * Return: 0; what load_history() returns.
 */
int load_node(const struct table_node **out, struct history_graph *graph, const struct table *table,
	      const char *version, const struct cli_args *args, struct err *err);

/**
 * load_table_view - load_table_for() the driver of @abi, at the node that is used for @abi's version
 * @table: loaded unless it has been
 * @graph: as for load_node()
 *
 * A version older than every node gets the first. Return: what load_table_for() and load_node() return.
 */
int load_table_view(struct table_view *view, struct table *table, struct history_graph *graph,
		    const struct abi *abi, const struct cli_args *args, struct err *err);

/* how the driver uses its fields, as its profile's other file says */

/* load_use - of the built-in profile that @args names; none for any other. */
int load_use(struct use_rules *out, const struct cli_args *args, struct err *err);

/* all messages of a trace that the user names */

/**
 * trace_file_each - calls @each with each message; what does not return 0 ends it
 * @path: a file, or "-" for standard input
 *
 * A trace that ends within a message is used up to there; @cut_bytes is then set to where that message
 * begins, else to UINT64_MAX. Return: 0; ERR_FORMAT if it is not a trace, or damaged; ERR_IO; what @each
 * returned.
 */
int trace_file_each(uint64_t *cut_bytes, const char *path,
		    int (*each)(const struct trace_message *message, void *data, struct err *err), void *data,
		    struct err *err);

/* trace_file_warn - a note that a trace is cut, if it is. */
void trace_file_warn(const struct cli_args *args, const char *path, uint64_t cut_bytes);

/*
 * all versions of a repository, or one with its ancestors, and what changed on each edge between them
 *
 * Shared by history, blame, ranges and diff.
 */

struct lineage {
	struct store_history loaded;
	struct history_graph graph;
	const char *driver;              /* of the documents */
	struct history_changes *changes; /* by edge; set by lineage_compare() */
};

/* lineage_versions - the facts about each version that the passes over history need besides its document. */
struct history_version *lineage_versions(const struct source_graph *graph, struct arena *arena);

/*
 * lineage_documents - the same, with the documents; a version that was not requested, or could not be read,
 * has none.
 */
const struct history_version *lineage_documents(const struct store_history *loaded, struct arena *arena);

/**
 * lineage_load - every version with its document
 * @shown:   as in struct store_choice
 *
 * Return: 0; ERR_PARSE if no version at all can be read; what load_history() returns.
 */
int lineage_load(struct lineage *lineage, const char *shown, const struct cli_args *args, struct err *err);

/*
 * lineage_load_named - every version, and the documents of some, beside those that a command has read:
 * without warnings, and without --constants. Return: what load_history() returns.
 */
int lineage_load_named(struct history_graph *out, const char *const *names, size_t count,
		       const struct cli_args *args, struct err *err);

/**
 * lineage_named - the document of one version, which the graph need not have
 * @index:   set to that of the version in the graph, its version_count if it is not there
 * @request: zeroed; @out points into it, or into @lineage
 *
 * Return: what load_documents() returns.
 */
int lineage_named(const struct abi **out, size_t *index, struct store_request *request, const char *version,
		  const struct lineage *lineage, const struct cli_args *args, struct err *err);

/* lineage_compare - both ends of every edge, args->jobs edges at the same time. Once for each lineage. */
int lineage_compare(struct lineage *lineage, const struct history_filter *filter,
		    const struct cli_args *args, struct err *err);

/* the same for many things, on several threads */

/**
 * work_each - do @one for every index below @count
 * @one: called by several threads, each time with another index, and an arena that args->arena takes over at
 *       the end; 0 or a negative ERR_*
 *
 * args->jobs threads, or one a processor. All are done, whatever fails.
 * Return: 0, or the error of the lowest index that failed, with its @err.
 */
int work_each(int (*one)(void *data, size_t index, struct arena *arena, struct err *err), void *data,
	      size_t count, const struct cli_args *args, struct err *err);

/*
 * a name, glob or word of the command line that matches nothing
 *
 * A word that matches nothing is an error: its sentence lists the
 * nearest names, or all words if they are few.
 */

/* nearby_matches - does @glob match a name of @abi, of any kind? */
bool nearby_matches(const struct abi *abi, const char *glob);

/* nearby_names - add names of @abi, of any kind, that resemble @word. */
void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_records - the same, of records only. */
void nearby_records(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_number - is @word an ioctl's number of @abi in hexadecimal, without its "0x"? */
bool nearby_number(const struct abi *abi, const char *word);

/*
 * nearby_are_releases - digits and dots, after the same letters if any: not a branch, a commit or a
 * directory.
 */
bool nearby_are_releases(const char *a, const char *b);

/* Words of one kind: families, flags, capabilities. { 0 } is empty; lives in the arena of nearby_word(). */
struct nearby_words {
	const char **item;
	size_t count, capacity;
};

/* nearby_word - add @word, unless it is there. */
void nearby_word(struct nearby_words *words, const char *word, struct arena *arena);

/* nearby_fail - the sentence, followed by "; nearest: A, B, C" if there are any. Return: ERR_NOT_FOUND. */
int nearby_fail(struct err *err, struct abi_nearest *nearest, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * nearby_words_fail - the sentence, and what @word, which is not one of @words, may have meant
 *
 * Few words are all listed: "; there are A, B, C", or "; there are none". If there are many, the similar
 * ones.
 * Return: ERR_NOT_FOUND.
 */
int nearby_words_fail(struct err *err, const struct nearby_words *words, const char *word, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));

/*
 * The changes that diff --fail-on counts, as bits: those of enum diff_class, and one for each enum
 * diff_section.
 */
enum { FAIL_CLASSES = (1u << DIFF_CLASS_COUNT) - 1 };
#define FAIL_SECTION(section) (1u << (DIFF_CLASS_COUNT + (section)))

/* The work that bootstrap --fail-on counts, as bits. */
enum bootstrap_work {
	WORK_NODE = 1,     /* the table does not have a node */
	WORK_FAULT = 2,    /* verify finds something at the parent */
	WORK_READ = 4,     /* an entry to change that the proxy reads */
	WORK_HANDLER = 8,  /* one that it passes through unread, and has to read from now on */
	WORK_UNREAD = 16,  /* another one that it passes through unread */
};

/* The lists of words that options take, and the bits of their words. */
enum word_list {
	WORDS_CLASS, /* enum diff_class */
	WORDS_FAIL,  /* FAIL_CLASSES and FAIL_SECTION() */
	WORDS_WORK,  /* enum bootstrap_work */
	WORDS_ROLE,  /* 1u << enum abi_role */
};

/**
 * word_list_read - "translation,layout" as bits
 * @text: NULL is not a word, 0
 *
 * Return: 0; ERR_USAGE for a word that is not in @list, with all that are; @out is untouched then.
 */
int word_list_read(unsigned *out, enum word_list list, const char *text, struct err *err);

/* class_list_word - one class: a word of a file. Return: 0; ERR_FORMAT, as above. */
int class_list_word(unsigned *out, const char *word, struct err *err);

/* The documents of a command that reads one version, or those of --versions. */
struct version_range {
	struct store_request *requests; /* by abi_version_compare() */
	size_t count;
};

/**
 * version_range_find - the versions of args->versions: of "A..B", both included, or of several such and of
 * single versions, parted by commas; in the order of versions, each once
 * @out: { 0 }
 *
 * A and B are versions, or how some begin ("580" is all of 580's); without A from the oldest, without B to
 * the newest. Return: 0; ERR_USAGE if it is not a range, or an empty one; ERR_NOT_FOUND if there is no such
 * version, with similar ones.
 */
int version_range_find(struct version_range *out, const struct cli_args *args, struct err *err);

/*
 * version_range_load - the same with the documents; without args->versions, the document of @version or of
 * args->json. Return: also what load_documents() returns.
 */
int version_range_load(struct version_range *out, const char *version, const struct cli_args *args,
		       struct err *err);

/*
 * --constants: macros and enumerators that are in no document otherwise
 *
 * The globs become rules of the profile (abi/abi.h), so the documents are read from the driver's sources, and
 * are cached apart from all others.
 */

/* extra_constants_read - the globs of args->constants. Return: 0; ERR_USAGE if one is empty. */
int extra_constants_read(struct profile_strings *out, const struct cli_args *args, struct err *err);

/*
 * the files of --suppress, and of verify --write-suppress
 *
 * verify/verify.h has the form of a line.
 */

/* suppress_path - the file of accepted findings: --suppress, or the one that is included with the table; or
 * NULL */
const char *suppress_path(const struct cli_args *args);

/* suppress_note_included - a note that @table is a file, and that the included one of its proxy comes with a
 * file of accepted findings */
void suppress_note_included(const struct table *table, const struct cli_args *args);

/**
 * suppress_file_read - the lines of @path, as of today
 * @word: knows the words of the first column; NULL: they are verify's rules
 *
 * Return: 0; ERR_USAGE if SOURCE_DATE_EPOCH is not a time; ERR_FORMAT for a file with a NUL byte; what
 * file_read() and suppressions_parse() return.
 */
int suppress_file_read(struct suppressions *out, const char *path, suppress_word word,
		       const struct cli_args *args, struct err *err);

/*
 * trace_call_follow - the calls inside a call of a trace, by its recorded bytes: those before the call, or,
 * if these were not recorded, those after it. Return: how many; 0 if it is not an ioctl of @devices.
 */
size_t trace_call_follow(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message,
			 const struct device_rules *devices, const struct abi *abi);

/* trace_call_event - an open or an mmap of a trace, for a report. */
struct report_trace_event trace_call_event(const struct trace_message *message);

/* decode_is_wrong - does --exit-code count it? */
bool decode_is_wrong(const struct decode_call *call);

/*
 * what calls are decoded with, and which of them are another ABI in another version
 *
 * Shared by decode and sniff.
 */

struct loaded_scope {
	struct decode_scope scope;      /* without a memo */
	struct lineage lineage;
	struct store_request asked, against; /* of the versions that are named */
	struct table table;             /* with args->table */
	struct use_rules use;
};

/**
 * load_scope - the documents of all versions, and what else calls are decoded with
 * @out: zeroed; decode_numbers_free() of its scope's numbers is due, also after an error
 * @version: of the calls; NULL: not known
 *
 * Return: 0; what lineage_load(), lineage_named(), load_use() and load_table_for() return.
 */
int load_scope(struct loaded_scope *out, const char *version, const struct cli_args *args, struct err *err);

/**
 * against_render - compares the recorded ioctls, and reports the differences
 * @is_other: set to whether an ioctl is another ABI
 * @scope:  asked and against are set
 * @format: "json", "markdown", or else text
 *
 * Return: 0; what decode_against() returns.
 */
int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen,
		   const struct decode_scope *scope, const char *format, const struct report_style *style,
		   struct err *err);

/*
 * what becomes of the calls that sniff sees
 *
 * Each message is written to the trace, counted, and with -v printed. At the end there is a summary. All
 * that a person reads goes to standard error: standard output is the workload's.
 */

/* --enforce */
enum sniff_enforce { SNIFF_ENFORCE_NOT, SNIFF_ENFORCE_INSTANT, SNIFF_ENFORCE_REPORT };

struct sniff_log {
	const struct cli_args *args;
	enum sniff_enforce enforce;
	enum trace_wire wire;
	bool is_json;

	struct loaded_scope loaded;     /* its version is the driver's */
	struct sniff_judge judge;

	struct sniff_use use;
	struct decode_seen *seen;       /* with --against */
	struct decode_handles *handles; /* of printed calls */
	struct decode_memo *memo;       /* the same; the summary keeps data longer than one call */
	struct file_writer file;        /* the trace */
	int fd;                         /* of @file; -1: there is not a trace */
	bool was_there;                 /* the trace's file, before */
	struct driver_files files;      /* of this machine, that the trace has */
	const struct driver_files *replayed; /* with --replay: those of that trace */
	struct strbuf scratch;
	struct compress_packer *packer; /* if the trace is compressed as it is written */
	struct strbuf packed;
	bool has_losses;                /* some calls were not recorded, and that was said */
	bool has_failed;                /* the trace cannot be written any more; @why */
	struct err why;
};

/**
 * sniff_log_load - the documents, and the table that calls are judged by
 * @log: zero except for args, enforce, wire and is_json; sniff_log_release() is due, also after an error
 * @version: of the driver
 */
int sniff_log_load(struct sniff_log *log, const char *version, struct err *err);

/* sniff_log_open - the file of -o, if there is one; it is not changed before sniff_log_begin(). */
int sniff_log_open(struct sniff_log *log, struct err *err);

/* sniff_log_begin - the workload runs: the trace is empty, and gets its header. */
void sniff_log_begin(struct sniff_log *log, const char *target);

/* sniff_log_give_up - the workload did not begin: a file that did not exist before is removed. */
void sniff_log_give_up(struct sniff_log *log);

/* sniff_log_message - for an observer; @log: a struct sniff_log. Return: false if the workload is to end. */
bool sniff_log_message(void *log, const struct trace_message *message, const struct call *chain,
		       size_t chain_count);

/*
 * sniff_log_pack - --compress compresses what sniff_log_bytes() writes at once, and not the whole file at the
 * end. Before sniff_log_begin().
 */
void sniff_log_pack(struct sniff_log *log);

/* sniff_log_bytes - whole messages as a trace has them; they are not counted. */
void sniff_log_bytes(struct sniff_log *log, const void *bytes, size_t size_bytes);

/* sniff_log_loss - the same: a finished sentence about calls that were not recorded, also with --quiet */
void sniff_log_loss(void *log, const char *sentence);

/* sniff_log_is_unsupported - was there an ioctl that the table's proxy does not support? */
bool sniff_log_is_unsupported(const struct sniff_log *log);

/* sniff_log_is_refused - did an ioctl that the proxy does not have get the same error from the driver? */
bool sniff_log_is_refused(const struct sniff_log *log);

/* sniff_log_end - the summary. Return: 0; ERR_IO if the trace is not whole. */
int sniff_log_end(struct sniff_log *log, struct err *err);

void sniff_log_release(struct sniff_log *log);

/**
 * decode_input - decodes the calls of a log, line by line, or of a trace, message by message, as they arrive
 * @path:  "-" for standard input
 * @wrong: set if a call is not forwarded by the scope's table, or fits no version
 * @scope: if it has no version, that of a trace's header or of a line of the log is used
 *
 * What has arrived is answered before more is read: `tail -f LOG | drvabi decode` works. Memory does not grow
 * with the input, except for the distinct ioctls of --format summary.
 * Return: 0; ERR_NOT_FOUND or ERR_IO of the file; ERR_FORMAT, ERR_LIMIT of a message; ERR_IO of the output;
 * what decode_call() returns.
 */
int decode_input(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args,
		 struct err *err);

#endif
