#include "cli/program.h"

#include "store/archive.h"
#include "extract/extract.h"
#include "abi/abi.h"
#include "source/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__)
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The pointers of environ, which unsetenv(3) moves; the strings stay where they are. */
static char **remembered;

void program_remember_environment(void)
{
	size_t count = 0;

	while (environ[count])
		count++;
	remembered = xmalloc((count + 1) * sizeof(*remembered));
	memcpy(remembered, environ, (count + 1) * sizeof(*remembered));
}

char *const *program_environment(void)
{
	return remembered;
}

bool program_is_differ(void)
{
	return !strcmp(program_invocation_short_name, "run_differ");
}

const char *program_name(void)
{
	return program_is_differ() ? "run_differ" : "drvabi";
}

void program_command(struct strbuf *out, const struct cli_command *command)
{
	strbuf_adds(out, program_name());
	if (!program_is_differ())
		strbuf_addf(out, " %s", command->name);
}

void program_version(struct strbuf *out)
{
	struct arena arena = { 0 };

	strbuf_addf(out, "%s " DRVABI_VERSION "\n", program_is_differ() ? "run_differ (drvabi)" : "drvabi");
	strbuf_adds(out, "built by   " COMPILER "\n");
	strbuf_addf(out, "libraries  %s,\n", extract_compiler(&arena));
	strbuf_addf(out, "           %s, %s, %s\n", source_libraries(&arena), json_library(&arena), archive_libraries(&arena));
	arena_release(&arena);
}
