/*
 * cli/cli.h - the command line: one table of commands, one table of options
 *
 * Layer L6, the only code that prints errors or exits. What --help says,
 * what the parser accepts and what the man pages hold come from the same two
 * tables: commands.c and options.c.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "abi/abi.h"

enum { CLI_LIST_MAX = 64 };

/* The values of an option that may be given several times. */
struct cli_list {
	const char *items[CLI_LIST_MAX];
	size_t count;
};

/* The options of all commands. A struct cli_option says by offset which member it sets. */
struct cli_args {
	const char *repo;      /* path or URL; DRVABI_REPO; NULL: the profile's public repository */
	const char *dir;       /* an unpacked tree instead of a repository */
	const char *archive;   /* versions of drvabi archive instead of a repository; DRVABI_ARCHIVE */
	const char *profile;   /* built-in name or a file */
	const char *target;
	bool target_given;     /* --target; else @target is the default */
	const char *table;     /* a proxy table; DRVABI_TABLE. Once parsed, the path that the name stands for */
	bool table_of_environment;
	const char *table_name; /* as the user wrote it */
	const char *table_from_header; /* instead: the header of a proxy that is written in C */
	const char *map;       /* with it: what in the header stands for what */
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
	const char *family, *caller, *name, *caps;         /* surface */
	const char *role;      /* surface, flatten */
	const char *classes;   /* diff, history: of changes */
	const char *since;     /* surface: a node of the table; history: a version */
	const char *until;     /* history */
	const char *fail_on, *suppress, *write_suppress;   /* verify */
	bool strict;                                       /* verify: an unavailable supported version counts */
	bool show_caps;        /* verify --caps */
	const char *number;                                /* history */
	const char *notion;                                /* ranges */
	bool add_ioctls;       /* bootstrap --add */
	const char *sha256_x86_64, *sha256_arm64;          /* bootstrap */
	bool prove;
	bool exit_code;        /* history, ranges: exit status 1 if there is something */
	bool all_nodes;
	bool expand;           /* show --format c */
	bool help;
	bool man;              /* help: print the man page's source */
	const char *completion; /* help: print the script of this shell */
	bool complete;         /* help: print what may follow @rest */
	const char *add;       /* archive write --add */
	const char *against;                               /* decode, sniff: a version */
	const char *control, *alloc, *uvm;                 /* decode: the number of a call */
	const char *input_format; /* decode --input */
	bool only;             /* decode: no line but what names an ioctl */
	const char *lang, *style, *package, *versions;     /* gen */
	const char *pid_shim;  /* gen */
	struct cli_list traces; /* bootstrap: CAP=FILE */
	const char *attach, *max_bytes, *enforce, *wire, *replay, *listen; /* sniff */
	bool survive, compress, preload, once;                  /* sniff */
	bool no_archive;
	bool no_cache;
	bool of_repository;    /* set by archive write: versions are those of the repository, whatever an archive names */
	bool quiet;
	bool verbose;
	bool no_pager;
	bool may_page;         /* the command has --no-pager, and it was not given */
	unsigned jobs;         /* 0: as many as there are processors */
	const char *const *words;     /* what is no option, before "--" */
	size_t word_count;
	const char *const *rest;      /* what follows "--", for a command that takes it */
	size_t rest_count;
	bool has_rest;
};

enum cli_option_kind { CLI_FLAG, CLI_TEXT, CLI_COUNT, CLI_LIST };

struct cli_option {
	const char *name;   /* "repo", without dashes */
	char letter;        /* 'o', or 0 */
	const char *value;  /* what --help calls its argument; NULL for a flag */
	enum cli_option_kind kind;
	size_t offset;      /* in struct cli_args */
	const char *id;     /* what commands list it by; NULL: its name. For two options of one name in two commands */
	const char *help;   /* one or more lines, parted by '\n' */
};

struct cli_example {
	const char *command;
	const char *purpose;
};

struct cli_command {
	const char *name;
	const char *summary;          /* after "drvabi NAME - " */
	const char *synopsis;         /* what follows the name */
	const char *description;      /* paragraphs parted by "\n\n" */
	const char *const *options;   /* names or ids in the option table, in the order of --help; NULL-terminated */
	const char *formats;          /* "text|json|markdown": what --format takes, the first is the default; NULL: no --format */
	const struct cli_example *examples; /* ended by a NULL command */
	const char *exit_status;      /* what 0 and 1 mean, without full stop; NULL: there is no 1 */
	bool takes_rest;              /* what follows "--" is the rest: another program's arguments; else words that may begin with a dash */
	/* An exit status, or a negative ERR_*. NULL for help, which main runs: it prints this table, so the table cannot need it. */
	int (*run)(const struct cli_args *args, struct err *err);
};

extern const struct cli_command cli_commands[]; /* ended by a NULL name */

/* cli_find_command - NULL if there is none of that name. */
const struct cli_command *cli_find_command(const char *name);
/* cli_unknown_command - say that there is no command @word, and which one it may have meant. Return: ERR_USAGE. */
int cli_unknown_command(const char *word, struct err *err);
/* cli_find_option - by id, or by long name; NULL if there is none. */
const struct cli_option *cli_find_option(const char *name);

/**
 * cli_parse - read a command's arguments
 * @argv: without the command's own name
 *
 * Options and words may be mixed; "--name=value" and "--name value" are the
 * same; a name may be cut short as long as it stays unique. @args points into
 * @argv and into @arena.
 * Return: 0 or ERR_USAGE.
 */
int cli_parse(struct cli_args *args, const struct cli_command *command, int argc, char **argv,
	      struct arena *arena, struct err *err);

/* cli_print_help - of one command, or of the program if NULL. */
void cli_print_help(struct strbuf *out, const struct cli_command *command);
/* cli_print_topic - one of manual_topics; false if @topic is none of them. */
bool cli_print_topic(struct strbuf *out, const char *topic);
/* cli_print_man - the same words as an scdoc(5) source. */
void cli_print_man(struct strbuf *out, const struct cli_command *command);

/* Exit status: diff and verify say both, as diff(1) does; others say CLI_SOMETHING only if --exit-code asks for it. */
enum { CLI_NOTHING = 0, CLI_SOMETHING = 1 };

#endif
