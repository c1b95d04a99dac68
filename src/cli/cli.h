/*
 * cli/cli.h - the command line: one table of commands, one table of options
 *
 * Only this directory prints errors or exits. The two tables in commands.c and options.c define the text of
 * --help, the options that the parser accepts, and the manual pages.
 *
 * This header includes the headers of the directories that most commands use. A file of this directory
 * includes only the others.
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

struct show_item;

enum { INPUT_LIMIT_BYTES = 256 * 1024 * 1024 };

/*
 * The values of the options of all commands, and the memory of the run. A struct cli_option contains the
 * offset of the member that the option sets.
 */
struct cli_args {
	struct arena *arena;   /* holds all that the command loads and computes; main() releases it */
	struct strbuf *out;    /* the command's output is appended here; main() writes and releases it */
	const char *repo;      /* a path or URL; NULL: DRVABI_REPO or the profile's public repository */
	const char *dir;       /* an unpacked tree that is read instead of a repository */
	const char *run_file;  /* bootstrap --run: a package of the driver that is read instead of @dir */
	const char *archive;   /* the file of an archive that is read instead of a repository */
	const char *profile;   /* the name of a built-in profile, or a file */
	bool profile_of_project; /* @profile comes from .drvabi.json */
	const char *target;
	bool target_given;     /* --target was given; otherwise @target is the default */
	bool profile_given;    /* if false, @profile comes from .drvabi.json, or is the default */
	const char *table;     /* a proxy table; main() replaces a name with its path */
	bool table_of_environment;
	const char *table_name; /* @table as the user wrote it */
	const char *accepted;   /* the file of accepted findings of the included table; NULL if it has none */
	const char *table_from_header; /* a proxy's header in C; used instead of @table */
	const char *map;       /* with @table_from_header: a file with the struct of each ioctl */
	const char *record;    /* a glob for names of records */
	const char *constants; /* globs, separated by commas */
	const char *format;    /* one of the command's formats; NULL if it has no formats */
	bool format_given;
	const char *color;     /* "auto", "always", "never" */
	struct report_style style; /* the result of output_style(), set by cli_parse() */
	const char *output;    /* the file for @out; NULL: standard output */
	const char *base, *next;
	const char *base_json, *next_json, *json;
	const char *version;
	const char *input;     /* extract --input: a JSON file with names */
	const char *build_path; /* driver_ast_parser: -p */
	const char *family, *caller, *name, *caps;         /* options of surface */
	const char *role;      /* option of surface and flatten */
	const char *classes;   /* diff, history: classes of changes */
	const char *since;     /* surface: a node of the table; history: a version */
	const char *until;     /* history: a version */
	const char *fail_on, *suppress, *write_suppress; /* verify; diff and bootstrap: the first two */
	bool not_forwarded;    /* option of surface */
	bool flat;             /* option of show */
	bool only_counts;      /* diff, bootstrap: --stat */
	bool strict; /* verify: fail if a supported version is unavailable; sniff: strict replay */
	const char *number;                                /* history */
	const char *criterion, *emit;                         /* options of ranges */
	bool add_ioctls;       /* bootstrap --add */
	bool accepts_partial;  /* set by bootstrap and extract: the tree can be incomplete */
	const char *sha256_x86_64, *sha256_arm64;          /* bootstrap */
	bool prove;
	bool exit_code;        /* --exit-code: the exit status is 1 if there is something to report */
	bool all_nodes;
	bool expand;           /* option of show --format c */
	bool help;
	bool man;              /* help: print the man page's source */
	const char *schema;    /* help: print this JSON schema */
	const char *completion; /* help: print the script of this shell */
	bool complete;         /* help: print the completions of the last word of @rest */
	const char *add;       /* archive write --add */
	const char *against;                               /* decode, sniff: the version to compare with */
	const char *control, *alloc, *uvm;                 /* decode: the number or the name of a call */
	const char *input_format; /* decode --input */
	bool only;             /* decode: print the decoded calls without the lines of the log */
	const char *lang, *gen_style, *package;            /* options of gen */
	const char *versions;  /* gen, pids, verify: "A..B,C" */
	const char *pid_shim;  /* option of gen and pids */
	struct profile_strings traces; /* bootstrap: CAP=FILE */
	struct profile_strings reports; /* FORMAT=FILE, with one of the command's formats */
	const char *attach, *max_bytes, *enforce, *wire, *replay, *listen; /* options of sniff */
	bool survive, compress, preload, once, who, all;                  /* options of sniff */
	bool no_archive;
	bool no_cache;
	bool of_repository;    /* set by archive write: the repository defines the versions */
	bool quiet;
	bool verbose;
	bool no_pager;
	bool may_page;         /* the command has the option --no-pager, and it was not given */
	unsigned jobs;         /* 0: one thread for each processor */
	const char *const *words;     /* words that are not options, before "--" */
	size_t word_count;
	const char *const *rest;      /* the arguments after "--", if the command takes them */
	size_t rest_count;
	bool has_rest;
};

/*
 * An option of the kind CLI_LIST can be given several times. The value of a CLI_WORDS option is a list of
 * versions, separated by commas. They are appended to the words of the command line.
 */
enum cli_option_kind { CLI_FLAG, CLI_TEXT, CLI_COUNT, CLI_LIST, CLI_WORDS };

struct cli_option {
	const char *name;   /* "repo", without dashes */
	char letter;        /* 'o', or 0 */
	const char *value;  /* the name of the option's argument in --help; NULL for a flag */
	enum cli_option_kind kind;
	size_t offset;      /* in struct cli_args */
	const char *id;     /* the name in cli_command.options; NULL: @name */
};

/*
 * Exit statuses. diff and verify return one of these, as diff(1) does. Most other commands return
 * CLI_SOMETHING only with --exit-code.
 */
enum { CLI_NOTHING = 0, CLI_SOMETHING = 1 };

/*
 * Runs a command. Appends the output to args->out, which main() writes to args->output if the result is not
 * an error. A command that has written a different result to args->output sets it to NULL. Return: an exit
 * status, or a negative ERR_* with a message in @err.
 */
typedef int cli_run(struct cli_args *args, struct err *err);

struct cli_command {
	const char *name;
	enum cli_group { CLI_COMPARE, CLI_LOOK_UP, CLI_PROXY, CLI_PRODUCE, CLI_HOUSEKEEPING, CLI_GROUP_COUNT,
			 CLI_UNLISTED = CLI_GROUP_COUNT } group;
	const char *const *options;   /* names or ids, in the order of --help; NULL-terminated */
	const char *formats;          /* "text|json", the default first; NULL: no --format */
	bool one_dash;                /* "-input" means "--input"; options have no letters */
	bool takes_rest;              /* words after "--" are for a different program, not ordinary words */
	cli_run *run;
};

extern const struct cli_command cli_commands[]; /* ended by a NULL name */

/* cli_find_command - find the command called @name. Return: NULL if there is no such command. */
const struct cli_command *cli_find_command(const char *name);
/*
 * cli_unknown_command - report that no command is called @word, and suggest a similar name. If @word begins
 * with "-", the message is about options of drvabi. Return: ERR_USAGE.
 */
int cli_unknown_command(const char *word, struct err *err);
/* cli_find_option - find an option by its id or its long name. Return: NULL if there is no such option. */
const struct cli_option *cli_find_option(const char *name);

/*
 * cli_option_of - find the option of @command that @word gives, as "--name", "--name=value" or "-x", also where
 * a value is expected. Return: NULL if @word gives no option of @command.
 */
const struct cli_option *cli_option_of(const struct cli_command *command, const char *word);

/*
 * cli_given - find the first of the options with the ids @names, "version dir", that the user gave. Return:
 * its id; NULL if the user gave none of the options.
 */
const char *cli_given(const struct cli_args *args, const char *names);

/* usage_error - report an error of the command line. Return: ERR_USAGE. */
#define usage_error(err, ...) err_set(err, ERR_USAGE, __VA_ARGS__)

/* usage_verb - report that args->words[0] is not one of @verbs, "show, prune or clear". Return: ERR_USAGE. */
int usage_verb(const struct cli_args *args, const char *command, const char *verbs, struct err *err);

/* cli_option_words - return the words that @option accepts, as "a|b|c"; NULL if it accepts other values. */
const char *cli_option_words(const struct cli_option *option, const struct cli_command *command);

/**
 * cli_parse - read a command's arguments
 * @argv: the arguments after the command's name
 *
 * Options and words can be in any order. "--name=value" and "--name value" mean the same. A name can be
 * abbreviated as long as it is unique. @args points into @argv and @arena, and args->arena is @arena.
 * Return: 0 or ERR_USAGE.
 */
int cli_parse(struct cli_args *args, const struct cli_command *command, int argc, char **argv,
	      struct arena *arena, struct err *err);

/**
 * config_load - read .drvabi.json from the working directory or a directory above it
 * @out: its paths are absolute. All are NULL if there is no file, or if the file is ignored because a
 *       different user owns it (a note is printed)
 * @path: set to the path of the file, if there is one
 *
 * Return: 0; ERR_FORMAT, ERR_USAGE, ERR_LIMIT or ERR_IO if the file belongs to the user and cannot be used.
 */
int config_load(struct project_config *out, const char **path, const struct cli_args *args, struct err *err);

enum { MANUAL_ROWS_MAX = 16 };

/* The section of a command in manual.txt. */
struct manual {
	const char *summary;
	const char *usage[MANUAL_ROWS_MAX]; /* the forms of the command line; ended by NULL */
	const char *description;            /* paragraphs, separated by "\n\n" */
	struct {
		const char *purpose, *command;
	} examples[MANUAL_ROWS_MAX];        /* ended by a NULL command */
	const char *exit_status;            /* NULL if 1 is not used */
	const char *related[MANUAL_ROWS_MAX]; /* names of commands; ended by NULL */
};

/* manual_read - read the section of @command; @out lives in @arena */
void manual_read(struct manual *out, const struct cli_command *command, struct arena *arena);

/*
 * manual_option - return the help of @option, one or more lines separated by '\n'; NULL for --format, whose
 * help is the list of the command's formats. In manual.txt, the help for one command, "decode version", comes
 * before the help for all others, "version".
 */
const char *manual_option(const struct cli_command *command, const struct cli_option *option,
			  struct arena *arena);

/*
 * cli_print_help - print the help of @command, or of the program if @command is NULL. If @is_man is true,
 * the text is the scdoc(5) source of the manual page.
 */
void cli_print_help(struct strbuf *out, const struct cli_command *command, bool is_man);

/* The functions that run the commands of the table. */
cli_run cmd_archive, cmd_blame, cmd_bootstrap, cmd_cache, cmd_decode, cmd_diff, cmd_explain, cmd_extract,
	cmd_flatten, cmd_gen, cmd_help, cmd_history, cmd_pids, cmd_profile, cmd_ranges, cmd_show, cmd_sniff,
	cmd_surface, cmd_table, cmd_verify;

/*
 * The command driver_ast_parser. It is not in cli_commands, because drvabi extract --input has the same
 * function.
 */
extern const struct cli_command parser_command;

/* The topics of drvabi help that are not commands: "environment", "files" and "classes". NULL-terminated. */
extern const char *const manual_topics[];

/*
 * the name under which the program was called
 *
 * One binary has three names: drvabi, run_differ and driver_ast_parser. run_differ runs drvabi diff.
 * driver_ast_parser replaces gVisor's tool of the same name. Help, errors and --version use the name that the
 * user typed.
 */

bool program_is_differ(void);  /* called as run_differ */
bool program_is_parser(void);  /* called as driver_ast_parser */
bool program_is_command(void); /* called as one of the two */
const char *program_name(void); /* "run_differ", "driver_ast_parser" or "drvabi" */

/* program_command - append what the user types to run @command: "run_differ" or "drvabi show". */
void program_command(struct strbuf *out, const struct cli_command *command);

/* program_version - append the output of --version: the versions of drvabi and of its libraries. */
void program_version(struct strbuf *out);

/*
 * completion of command lines, for bash, zsh and fish
 *
 * The scripts (completion.bash, .zsh, .fish) contain no names of commands or options: at each TAB they run
 * `drvabi help --complete -- PROGRAM WORD...`, which reads the tables of commands and options.
 */

/* completion_script - return the script for @shell, "bash", "zsh" or "fish". */
const char *completion_script(const char *shell);

/**
 * completion_candidates - append the completions of the last word of args->rest to args->out
 * @args: the arguments of drvabi help. args->rest contains the name under which the program was called, and
 *        the words up to the cursor. The last word can be "".
 *
 * Each candidate is one line, "WORD" or "WORD\tDESCRIPTION". ":file" and ":directory" tell the shell to
 * complete names of files or directories. Versions and names come from an archive or a local repository,
 * never from the network. If there is an error, nothing is appended.
 */
void completion_candidates(const struct cli_args *args);

/*
 * lookup of a name or number of the command line, in one version and in the other versions
 *
 * Shared by show and blame.
 */

/*
 * word_read - parse a word: a number ("0x20801358", "27"), a name or a glob. "struct ", "union " or "enum "
 * before a name is skipped. @out points into @text.
 */
void word_read(struct lookup_word *out, const char *text);

/* The version in which words are looked up, and data about the other versions. */
struct word_scope {
	const struct cli_args *args;
	struct store_around around;
	struct history_graph graph; /* without documents */
	struct profile profile;
	struct lookup_scope scope;
	struct table table;         /* with args->table */
	struct history_graph nodes; /* from load_node(), with which a node is chosen */
};

/*
 * word_load - load the document of @request, the graph and the index of the other versions, and the table
 * that the options name. Return: what load_around(), load_profile(), load_table_for() and load_node() return.
 */
int word_load(struct word_scope *out, struct store_request *request, const struct cli_args *args,
	      struct err *err);

/**
 * word_check - fail if @word was not found
 * @lookup: the result for @word in the scope of @words
 *
 * Return: 0; ERR_NOT_FOUND if no version has @word (the message lists similar names), or if the version that
 * the user named does not have it (the message names a version that does).
 */
int word_check(const struct lookup *lookup, const struct lookup_word *word, const struct word_scope *words,
	       struct err *err);

/*
 * word_is_elsewhere - return whether the item must be shown as version lookup->nearest has it, and not as the
 * requested version has it. False if the user named a version that has the item.
 */
bool word_is_elsewhere(const struct lookup *lookup, const struct word_scope *words);

/*
 * word_lookup_at - call lookup_find() for @abi, the document of a different version. @version: its index in
 * the graph.
 */
void word_lookup_at(struct lookup *out, const struct lookup_word *word, const struct word_scope *words,
		    const struct abi *abi, size_t version);

/* word_describe - for an ioctl or a command of @abi, set item->parse and, with --table, item->forwarded */
void word_describe(struct show_item *item, const struct word_scope *words, const struct abi *abi);

/* output of results */

/* output_style - return the style that --color, NO_COLOR and the terminal select. */
struct report_style output_style(const struct cli_args *args);

/*
 * output_say - print "drvabi: SENTENCE" (or "run_differ: SENTENCE") to standard error, as one line. Control
 * characters are escaped, because names in an input can contain them. @format: as for escape_addf()
 */
void output_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * output_note - print "drvabi: note: SENTENCE" in the same way, unless --quiet was given. A note states a
 * fact that the result itself does not contain.
 */
void output_note(const struct cli_args *args, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * output_check - refuse an output file that is open as standard input, and two outputs to the same file
 *
 * An output file that the run also reads as an input is refused later, when it is written
 * (file_note_input()).
 * Return: 0; ERR_USAGE.
 */
int output_check(const struct cli_args *args, struct err *err);

/**
 * output_result - write @result in the format of each --report, and append it to args->out for --format
 * @render: appends @result in the format and style of its arguments
 *
 * Return: 0, or the error of the first file that could not be written. The earlier ones have been written.
 */
int output_result(const struct cli_args *args,
		  void (*render)(struct strbuf *out, const void *result, const struct cli_args *args),
		  const void *result, struct err *err);

/**
 * output_write - write args->out to args->output, a file or NULL for standard output
 *
 * The renderers have escaped the text of inputs. On a terminal, a control character that a renderer did not
 * escape is shown as '?', and the pager is used if args->may_page is true. Files and pipes get the text
 * unchanged. Afterwards, args->out is empty and args->output is NULL, so that a second call writes nothing.
 * Return: 0; ERR_USAGE if the run reads the output file; ERR_IO. After an error, the file is unchanged.
 */
int output_write(struct cli_args *args, struct err *err);

/*
 * a pager for long results on a terminal, as in git
 *
 * DRVABI_PAGER names the pager. If it is not set, PAGER does. The default is less. "cat" or an empty name
 * means no pager. less gets LESS=FRX unless LESS is set: it exits at once if the text fits on the screen,
 * passes colours through, and leaves the text on the screen.
 */

/**
 * pager_show - show @text, the complete output, in the pager, and wait until the pager exits
 * @why: set to a message if a pager that the user named cannot be run; else unchanged
 *
 * Call this only if standard output is a terminal. It is not an error if the user quits the pager early.
 * Return: false if there is no pager, or if it could not be started; nothing was shown in either case.
 */
bool pager_show(const char *text, size_t length, struct err *why);

/*
 * the lines of a log, made safe for a terminal
 *
 * Printable characters, tabs and newlines are copied. Other control characters, and bytes that are not UTF-8,
 * are escaped.
 */

/**
 * pass_through - append @length bytes of @text to @out
 * @scratch: temporary memory; the caller releases it
 *
 * If @text ends within a UTF-8 character, the bytes of that character are escaped.
 */
void pass_through(struct strbuf *out, const char *text, size_t length, struct strbuf *scratch);

/*
 * the profile and the documents that the user's options name
 *
 * The options become requests to the store, which decides where documents come from.
 */

/*
 * load_profile - load the profile that @args name, a built-in one or a file. Return: 0; ERR_NOT_FOUND if
 * there is none (the message lists the built-in ones); what file_read() and json_read_profile() return.
 */
int load_profile(struct profile *out, const struct cli_args *args, struct err *err);

/**
 * load_documents - call stores_documents() for the store that @args name
 *
 * The documents live in args->arena. The number of their warnings goes to standard error unless args->quiet;
 * with args->verbose, the warnings.
 * Return: 0; ERR_USAGE if a document in a file does not fit the options, or --constants is malformed;
 * ERR_NOT_FOUND if a glob of --constants matches nothing; what load_profile() and stores_documents() return.
 */
int load_documents(struct store_request *requests, size_t count, const struct cli_args *args,
		   struct err *err);

/*
 * load_warn_each - print each warning to standard error. @name: the prefix of each line; NULL if the warnings
 * contain the paths of their files
 */
void load_warn_each(const struct abi *abi, const char *name);

/*
 * load_history - call stores_history() for the store that @args name, show a progress bar, and print warnings
 * as load_documents() does. Return: what load_profile() and stores_history() return; ERR_USAGE if --constants
 * is malformed.
 */
int load_history(struct store_history *out, const struct store_choice *choice, const struct cli_args *args,
		 struct err *err);

/*
 * Each calls the function of the same name, such as stores_around(), for the store that @args name. Return:
 * as that function; as load_profile(); ERR_USAGE if --constants is malformed. load_around() also prints
 * warnings and checks the document, as load_documents() does.
 */
int load_around(struct store_around *out, struct store_request *request, const struct cli_args *args,
		struct err *err);
int load_archive(const struct archive **out, const struct cli_args *args, struct err *err);
int load_run_job(struct byte_reader *out, const struct tree_job *job, const struct cli_args *args,
		 struct err *err);
int load_tags(const char *const **names, size_t *count, const struct cli_args *args, struct err *err);

/*
 * the proxy's table that the user's options name
 *
 * --table or DRVABI_TABLE names a JSON file or an included table. --table-from-header names the header of a
 * proxy that is written in C.
 */

/*
 * load_table_check - check that there is a table for @command, and check the options that can be given only
 * with --table-from-header. Return: 0 or ERR_USAGE.
 */
int load_table_check(const char *command, const struct cli_args *args, struct err *err);

/**
 * load_table_find - find the file that @name means, or the included table called @name
 * @out: set to @name if @name is a path, ends in ".json", or is a file in the working directory; otherwise to
 *       the path of the included NAME.json
 *
 * A note is printed if a file in the working directory hides an included table.
 * If @name is a path, the file need not exist. Return: 0; ERR_NOT_FOUND, with all searched paths in the
 * message.
 */
int load_table_find(const char **out, const char *name, const struct cli_args *args, struct err *err);

/* load_is_file - return whether @path exists and is not a directory */
bool load_is_file(const char *path);

/* load_table_file - read and check the table in @path; @out lives in @arena. */
int load_table_file(struct table *out, const char *path, struct arena *arena, struct err *err);

/*
 * load_table - read and check args->table, or build a table from args->table_from_header. Return: 0; an error
 * of reading the table, or of reading or parsing the header or the file of --map.
 */
int load_table(struct table *out, const struct cli_args *args, struct err *err);

/* load_table_check_driver - check that @table is for @driver. Return: 0 or ERR_USAGE. */
int load_table_check_driver(const struct table *table, const char *driver, const struct cli_args *args,
			    struct err *err);

/* load_table_for - call load_table() and load_table_check_driver(). After an error, @out is unchanged. */
int load_table_for(struct table *out, const char *driver, const struct cli_args *args, struct err *err);

/*
 * load_note_version - compare @version with the version in the makefiles of the tree of --dir. If they
 * differ, print a note. Return: for example "version.mk says 580.95.05" if they differ; NULL if they are
 * equal, or if the makefiles have no version.
 */
const char *load_note_version(const char *version, const struct cli_args *args);

/**
 * load_node - choose the node of @table that is used for @version
 * @out:   set to the node of @version; if there is no such node, to the node of its nearest ancestor in the
 *         driver's commit graph. If the ancestors are unknown, as with --dir and --json: to the result of
 *         table_nearest_node(), which is NULL if all nodes are newer
 * @graph: { 0 } before the first call; loaded when it is first needed
 *
 * A note is printed if the repository does not have the node's version, so that only the number decided.
 * Return: 0; what load_history() returns, except ERR_USAGE.
 */
int load_node(const struct table_node **out, struct history_graph *graph, const struct table *table,
	      const char *version, const struct cli_args *args, struct err *err);

/**
 * load_table_view - set @view to the table at the node that is used for the version of @abi
 * @table: loaded with load_table_for() if its path is NULL
 * @graph: as for load_node()
 *
 * If the version is older than every node, the first node is used. Then, or if a branch or a commit uses the
 * node of a different version, a note is printed. Return: what load_table_for() and load_node() return.
 */
int load_table_view(struct table_view *view, struct table *table, struct history_graph *graph,
		    const struct abi *abi, const struct cli_args *args, struct err *err);

/* how the driver uses fields (struct use_rules) */

/*
 * load_use - read the rules of the built-in profile that @args name; for a profile in a file, @out is empty.
 * Return: 0; what json_read_use() returns.
 */
int load_use(struct use_rules *out, const struct cli_args *args, struct err *err);

/* reading a trace or a log that the user names */

struct trace_file {
	const char *name; /* for messages */
	int fd;           /* after the bytes in @begin */
	uint8_t begin[64];
	ssize_t begin_bytes;
	bool is_trace;    /* it begins like a trace */
};

/*
 * trace_file_open - open a file, or standard input if @path is "-", and read its first bytes. A FIFO cannot
 * be opened twice, because its writer would not wait for a second reader. Return: 0; ERR_NOT_FOUND; ERR_IO.
 */
int trace_file_open(struct trace_file *out, const char *path, struct err *err);
void trace_file_close(struct trace_file *file);

/* trace_file_read - read the next bytes. Return: the number of bytes; 0 at the end; ERR_IO. */
ssize_t trace_file_read(const struct trace_file *file, void *out, size_t size_bytes, struct err *err);

/**
 * trace_file_each - call @each for each message of a trace, until @each does not return 0
 * @path: a file, or "-" for standard input
 *
 * If the trace ends within a message, @each is called for the messages before it, and @cut_bytes is set to
 * the offset of the incomplete message. Otherwise @cut_bytes is set to UINT64_MAX. Return: 0; ERR_FORMAT if
 * the file is not a trace, or is damaged; what trace_file_open() and @each return.
 */
int trace_file_each(uint64_t *cut_bytes, const char *path,
		    int (*each)(const struct trace_message *message, void *data, struct err *err), void *data,
		    struct err *err);

/* trace_file_warn - print a note if a trace ends within a message. */
void trace_file_warn(const struct cli_args *args, const char *path, uint64_t cut_bytes);

/*
 * all versions of a repository, or one version and its ancestors, and the changes on each edge between them
 *
 * Shared by history, blame, ranges and diff.
 */

struct lineage {
	struct store_history loaded;
	struct history_graph graph;
	const char *driver;              /* the driver of the documents */
	struct history_changes *changes; /* indexed by edge; set by lineage_compare() */
};

/*
 * lineage_versions - convert @graph to the array of versions that history.h uses, with all documents NULL.
 * The array has room for one more version.
 */
struct history_version *lineage_versions(const struct source_graph *graph, struct arena *arena);

/*
 * lineage_documents - return the same array with the documents. A document is NULL if its version was not
 * requested or could not be read.
 */
struct history_version *lineage_documents(const struct store_history *loaded, struct arena *arena);

/**
 * lineage_load - load every version with its document
 * @shown:   sets lineage->loaded.newest, as in struct store_choice
 *
 * Return: 0; ERR_PARSE if no version at all can be read; what load_history() returns.
 */
int lineage_load(struct lineage *lineage, const char *shown, const struct cli_args *args, struct err *err);

/*
 * lineage_load_named - load the graph of all versions, and the documents of only the versions @names. To be
 * called after the command has loaded its own documents. Warnings are not printed, and --constants is
 * ignored. Return: what load_history() returns.
 */
int lineage_load_named(struct history_graph *out, const char *const *names, size_t count,
		       const struct cli_args *args, struct err *err);

/**
 * lineage_named - load the document of one version, which need not be in the graph
 * @index:   set to the index of the version in the graph, or to the graph's version_count if it is not there
 * @request: zeroed; @out points into it, or into @lineage
 *
 * Return: what load_documents() returns.
 */
int lineage_named(const struct abi **out, size_t *index, struct store_request *request, const char *version,
		  const struct lineage *lineage, const struct cli_args *args, struct err *err);

/*
 * lineage_compare - set lineage->changes to the changes of every edge, args->jobs edges at a time. Call it
 * only once for each lineage. Return: 0; the error of the first edge that failed.
 */
int lineage_compare(struct lineage *lineage, const struct history_filter *filter,
		    const struct cli_args *args, struct err *err);

/* calls of one function for many indices, on several threads */

/**
 * work_each - call @one for every index less than @count
 * @one: called by several threads, each time with a different index and a different arena. The arenas are
 *       joined to args->arena at the end. Returns 0 or a negative ERR_*
 *
 * args->jobs is the number of threads; 0 means one thread for each processor. @one is called for every index
 * even if some calls fail.
 * Return: 0, or the error of the lowest index that failed, with its @err.
 */
int work_each(int (*one)(void *data, size_t index, struct arena *arena, struct err *err), void *data,
	      size_t count, const struct cli_args *args, struct err *err);

/*
 * suggestions for a name, glob or word of the command line that matches nothing
 *
 * A word that matches nothing is an error. The message lists the nearest names, or all words if there are
 * only a few.
 */

/* nearby_matches - return whether @glob matches a name of any kind in @abi. */
bool nearby_matches(const struct abi *abi, const char *glob);

/* nearby_names - add names of @abi, of any kind, that resemble @word. */
void nearby_names(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_records - add names of records of @abi that resemble @word. */
void nearby_records(struct abi_nearest *nearest, const struct abi *abi, const char *word);

/* nearby_number - return whether @word is an ioctl number of @abi in hexadecimal without "0x". */
bool nearby_number(const struct abi *abi, const char *word);

/*
 * nearby_are_releases - return whether @a and @b are names of releases, and not of branches, commits or
 * directories: both consist of digits and dots, after the same letters, if any.
 */
bool nearby_are_releases(const char *a, const char *b);

/*
 * Words of one kind, such as families, flags or capabilities. { 0 } is an empty list. The array lives in the
 * arena that nearby_word() gets.
 */
struct nearby_words {
	const char **item;
	size_t count;
};

/* nearby_word - add @word, unless @words already has it. */
void nearby_word(struct nearby_words *words, const char *word, struct arena *arena);

/*
 * nearby_fail - set the message, followed by "; nearest: A, B, C" if @nearest has names. Return:
 * ERR_NOT_FOUND.
 */
int nearby_fail(struct err *err, struct abi_nearest *nearest, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * nearby_words_fail - set the message, followed by suggestions for @word, which is not one of @words
 *
 * The suggestions are the words that resemble @word. If there are none, or if @words has only a few words,
 * @words is sorted and all are listed: "; known: A, B, C", "; the only one is A" or "; none are known".
 * Return: ERR_NOT_FOUND.
 */
int nearby_words_fail(struct err *err, const struct nearby_words *words, const char *word, const char *format,
		      ...) __attribute__((format(printf, 4, 5)));

/*
 * The changes that diff --fail-on counts, as bits: the bits of enum diff_class, and one bit for each enum
 * diff_section.
 */
enum { FAIL_CLASSES = (1u << DIFF_CLASS_COUNT) - 1 };
#define FAIL_SECTION(section) (1u << (DIFF_CLASS_COUNT + (section)))

/* The work that bootstrap --fail-on counts, as bits. */
enum bootstrap_work {
	WORK_NODE = 1,     /* a node must be added to the table */
	WORK_FAULT = 2,    /* verify has findings at the parent node, or would have new ones with the patch */
	WORK_READ = 4,     /* an entry that the proxy reads must change */
	WORK_HANDLER = 8,  /* an entry that the proxy passes through unread needs a handler */
	WORK_UNREAD = 16,  /* an entry that the proxy passes through unread must change */
};

/* The lists of words that options accept. Each word has a bit. */
enum word_list {
	WORDS_CLASS, /* enum diff_class */
	WORDS_FAIL,  /* FAIL_CLASSES and FAIL_SECTION() */
	WORDS_WORK,  /* enum bootstrap_work */
	WORDS_ROLE,  /* 1u << enum abi_role */
};

/*
 * list_split - split a list, such as "A,B" or "text|json". The text between two adjacent separators is "".
 * The result is in @arena, and has at least one text, "" if @text is "".
 */
struct profile_strings list_split(const char *text, char separator, struct arena *arena);

/**
 * word_list_read - parse "translation,layout" into bits
 * @text: if NULL, @out is set to 0
 *
 * Return: 0; ERR_USAGE if a word is not in @list. The message lists the valid words, and @out is untouched.
 */
int word_list_read(unsigned *out, enum word_list list, const char *text, struct arena *arena,
		   struct err *err);

/* class_list_word - parse one class, from a file; '*': all. Return: 0; ERR_FORMAT if @word is not a class. */
int class_list_word(unsigned *out, const char *word, struct err *err);

/* The versions that a command reads, with their documents: one version, or all versions of --versions. */
struct version_range {
	struct store_request *requests; /* sorted by abi_version_compare() */
	size_t count;
};

/**
 * version_range_find - find the versions in args->versions: ranges "A..B", which include A and B, and single
 * versions, separated by commas. @out is sorted and contains each version once.
 * @out: { 0 }
 *
 * A and B are versions, or beginnings of versions ("580" means all versions of 580). If A is empty, the range
 * begins with the oldest version. If B is empty, it ends with the newest. Return: 0; ERR_USAGE if a range is
 * malformed or empty; ERR_NOT_FOUND if a version does not exist (the message lists similar ones).
 */
int version_range_find(struct version_range *out, const struct cli_args *args, struct err *err);

/*
 * version_range_load - call version_range_find(), and load the documents of the versions. Without
 * args->versions, load the document of @version or of args->json. Return: what version_range_find() and
 * load_documents() return.
 */
int version_range_load(struct version_range *out, const char *version, const struct cli_args *args,
		       struct err *err);

/*
 * --constants: macros and enumerators that documents do not contain by default
 *
 * The globs become rules of the profile (abi/abi.h). The documents are therefore extracted from the driver's
 * sources, and cached separately.
 */

/* extra_constants_read - parse the globs of args->constants. Return: 0; ERR_USAGE if one is empty. */
int extra_constants_read(struct profile_strings *out, const struct cli_args *args, struct err *err);

/*
 * the files of --suppress, and of verify --write-suppress
 *
 * verify/verify.h describes the format of a line.
 */

/*
 * suppress_path - return the file of accepted findings: the file of --suppress, or the file that is included
 * for the table; NULL if there is neither
 */
const char *suppress_path(const struct cli_args *args);

/*
 * suppress_note_unused - print a note if no file of accepted findings is used, but the included table of
 * the same proxy has one
 */
void suppress_note_unused(const struct table *table, const struct cli_args *args);

/**
 * suppress_file_read - read the lines of @path, and mark those that have expired today
 * @parse_rule: parses a word of the first column; if NULL, the words are rules of verify
 *
 * Return: 0; ERR_USAGE if SOURCE_DATE_EPOCH is not a time; ERR_FORMAT if the file has a NUL byte; what
 * file_read() and suppressions_parse() return.
 */
int suppress_file_read(struct suppressions *out, const char *path, suppress_word parse_rule,
		       const struct cli_args *args, struct err *err);

/*
 * decode_is_wrong - return whether @call makes the exit status 1 with --exit-code: its number or size is
 * unknown, or the table does not forward it.
 */
bool decode_is_wrong(const struct decode_call *call);

/*
 * the data for decoding calls, and the comparison of recorded calls between two versions
 *
 * Shared by decode and sniff.
 */

struct loaded_scope {
	struct decode_scope scope;      /* scope.cache is NULL */
	struct lineage lineage;
	struct store_request asked, against; /* the versions of the calls and of --against */
	struct table table;             /* set with args->table */
	struct use_rules use;
};

/**
 * load_scope - load the documents of all versions, and the other data for decoding calls
 * @out: zeroed; the caller frees @out->scope.numbers with decode_numbers_free(), even after an error
 * @version: the version of the calls; NULL if it is unknown
 *
 * Return: 0; what lineage_load(), lineage_named(), load_use() and load_table_for() return.
 */
int load_scope(struct loaded_scope *out, const char *version, const struct cli_args *args, struct err *err);

/**
 * against_render - compare the ABI of the recorded ioctls between two versions, and report the differences
 * @is_other: set to whether the ABI of an ioctl differs
 * @scope:  its members asked and against must be set
 * @format: "json"; for any other value, @style selects text or Markdown
 *
 * Return: 0; what decode_against() returns.
 */
int against_render(struct strbuf *out, bool *is_other, const struct decode_seen *seen,
		   const struct decode_scope *scope, const char *format, const struct report_style *style,
		   struct err *err);

/**
 * decode_input - decode the calls of a log or a trace as they arrive
 * @path:  "-" for standard input
 * @wrong: set to whether decode_is_wrong() is true for a call; with --against, to whether the ABI of an ioctl
 *         differs
 * @scope: if it has no version, the version that the trace's header or a line of the log names is used
 *
 * Calls that have arrived are decoded and written before more input is read, so `tail -f LOG | drvabi decode`
 * works. Memory use does not grow with the input, except for the distinct ioctls of --format summary.
 * Return: 0; ERR_NOT_FOUND or ERR_IO if the file cannot be read; ERR_FORMAT or ERR_LIMIT if a message is
 * invalid; ERR_IO if the output cannot be written; what decode_call() returns.
 */
int decode_input(bool *wrong, const char *path, const struct decode_scope *scope, const struct cli_args *args,
		 struct err *err);

#endif
