/*
 * cli/main.c - find the command, run it, print its error, and choose the exit status. If the program is
 * called run_differ, it runs drvabi diff. If it is called driver_ast_parser, it replaces gVisor's tool of
 * that name.
 */
#include "cli/cli.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_CANNOT = 2 };

static int end_with_error(const struct err *err)
{
	output_say("%s", err->text);
	return EXIT_CANNOT;
}

/* Writes the text of @out to standard output, and releases it. Return: the exit status. */
static int print_text(struct strbuf *out, bool may_page)
{
	struct cli_args args = { .out = out, .color = "never", .may_page = may_page };
	struct err err = { "" };
	int rc = output_write(&args, &err);

	strbuf_release(out);
	return rc ? end_with_error(&err) : 0;
}

static int print_help(const struct cli_command *command, bool may_page)
{
	struct strbuf out = { 0 };

	cli_print_help(&out, command, false);
	return print_text(&out, may_page);
}

/*
 * Replaces the name of an included table in args->table with its path, and sets args->accepted to its file
 * of accepted findings, if there is one. Return: 0; ERR_NOT_FOUND if there is no such table.
 */
static int find_inputs(struct cli_args *args, struct err *err)
{
	int rc;

	args->table_name = args->table;
	if (!args->table || (rc = load_table_find(&args->table, args->table, args, err)))
		return args->table ? rc : 0;
	if (args->table != args->table_name) { /* an included table, NAME.json */
		const char *accepted =
			arena_printf(args->arena, "%.*s-accepted.txt",
				     (int)(strlen(args->table) - strlen(".json")), args->table);

		args->accepted = access(accepted, R_OK) ? NULL : accepted;
	}
	return 0;
}

/*
 * Parses the arguments of a command, runs it, and writes its output to -o or standard output. An error is
 * printed. @argv: the words after the command's name. Return: the exit status.
 */
static int run_command(const struct cli_command *command, int argc, char **argv)
{
	struct arena arena = { 0 };
	struct strbuf out = { 0 };
	struct err err = { "" };
	struct cli_args args;
	int rc, written;

	rc = cli_parse(&args, command, argc, argv, &arena, &err);
	args.out = &out;
	if (!rc && args.help)
		rc = print_help(command, args.may_page);
	else if (!rc && !(rc = find_inputs(&args, &err)) && !(rc = output_check(&args, &err))) {
		rc = command->run(&args, &err);
		if (rc >= 0 && (written = output_write(&args, &err)))
			rc = written;
	}
	if (rc < 0)
		rc = end_with_error(&err);
	strbuf_release(&out);
	arena_release(&arena);
	return rc;
}

/*
 * Opens /dev/null for each standard descriptor that is closed. Otherwise, the next file or socket that is
 * opened would get the number of, for example, standard error, and error messages would be written to it.
 * /dev/null is opened for reading only, so that writing still fails.
 */
static void fill_descriptors(void)
{
	int fd;

	while ((fd = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
		;
	if (fd >= 0)
		close(fd);
}

static void go_on(int signal)
{
	(void)signal;
}

/*
 * Installs a handler for SIGXFSZ, so that write(2) fails when a file reaches its size limit, as if the disk
 * were full. SIG_IGN would have the same effect, but a program that drvabi runs would inherit it. execve(2)
 * resets a handler to the default.
 */
static void survive_file_size_limit(void)
{
	const struct sigaction going_on = { .sa_handler = go_on, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (!sigaction(SIGXFSZ, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGXFSZ, &going_on, NULL);
}

/*
 * Raises the stack limit if it is lower than LEAST_BYTES. Return: 0; ERR_LIMIT if the limit cannot be raised.
 */
static int allow_stack(struct err *err)
{
	enum { LEAST_BYTES = 1024 * 1024, USUAL_BYTES = 8 * 1024 * 1024 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= LEAST_BYTES)
		return 0;
	limit.rlim_cur = limit.rlim_max < USUAL_BYTES ? limit.rlim_max : USUAL_BYTES;
	if (limit.rlim_cur >= LEAST_BYTES && !setrlimit(RLIMIT_STACK, &limit))
		return 0;
	return err_set(err, ERR_LIMIT,
		       "the stack limit is %llu KB, but must be 1024 KB or more; raise it with ulimit -s",
		       (unsigned long long)limit.rlim_cur / 1024);
}

int main(int argc, char **argv)
{
	const struct cli_command *command;
	struct strbuf version = { 0 };
	struct err err = { "" };

	if (allow_stack(&err))
		return end_with_error(&err);
	/* Use one heap for all threads, so that each thread can reuse the memory that other threads freed. */
	mallopt(M_ARENA_MAX, 1);
	fill_descriptors();
	survive_file_size_limit();
	if (argc == 2 && !strcmp(argv[1], "--version")) {
		program_version(&version);
		return print_text(&version, false);
	}
	if (program_is_differ())
		return run_command(cli_find_command("diff"), argc - 1, argv + 1);
	if (program_is_parser())
		return run_command(&parser_command, argc - 1, argv + 1);
	if (argc < 2) {
		fprintf(stderr, "drvabi: no command; drvabi --help lists the commands\n");
		return EXIT_CANNOT;
	}
	if (!strcmp(argv[1], "--no-pager") && argc > 2) { /* as in git, --no-pager can precede the command */
		char *option = argv[1];

		argv[1] = argv[2];
		argv[2] = option;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_help(NULL, false);
	command = cli_find_command(argv[1]);
	if (!command) {
		cli_unknown_command(argv[1], &err);
		return end_with_error(&err);
	}
	return run_command(command, argc - 2, argv + 2);
}
