#include "cli/manual.h"

#include <string.h>

const struct manual_term manual_environment[] = {
	{ "DRVABI_REPO", "The driver's repository when --repo is not given: a path or a URL." },
	{ "DRVABI_ARCHIVE", "The archive when --archive is not given. With neither this nor a repository, the archive that comes with drvabi "
			    "answers about every version that it has (drvabi help files)." },
	{ "DRVABI_TABLE", "The proxy's table when --table is not given: a file, or the name of a table that comes with drvabi." },
	{ "DRVABI_PAGER", "On a terminal, the program that shows results, run by sh if it is more than one word. \"cat\" or an empty value is no pager." },
	{ "PAGER", "The same when DRVABI_PAGER is not set. Default: less." },
	{ "LESS", "The options of less. Default: FRX, which ends at once if all fits on the screen, passes colors through and leaves the text "
		  "on the screen." },
	{ "LV", "The options of lv. Default: -c, which passes colors through." },
	{ "DRVABI_PARSE_MB", "How much memory the process that reads one version's headers may use, in MB. Default: 2048, at least 64." },
	{ "DRVABI_PARSE_SECONDS", "How much processor time the same process may use. Default: 60." },
	{ "NO_COLOR", "If it is set and not empty, there are no colors, unless with --color always." },
	{ "TERM", "If it is \"dumb\", there are no colors either, and no pager unless one is named." },
	{ "HOME", "Where the two XDG directories below are when their variables are not set." },
	{ "TMPDIR", "Where decode -o collects a long result whose output is no regular file. Default: /tmp." },
	{ "XDG_CACHE_HOME", "Holds drvabi/ (drvabi help files). Default: ~/.cache." },
	{ "XDG_DATA_HOME", "The first directory to look in for drvabi/PROFILE.drvabi. Default: ~/.local/share." },
	{ "XDG_DATA_DIRS", "The last directories to look in for it, separated by colons. Default: /usr/local/share:/usr/share." },
	{ "SOURCE_DATE_EPOCH", "The time, in seconds since 1970, that verify compares the dates in a --suppress file with. Default: now." },
	{ NULL, NULL },
};

const struct manual_term manual_files[] = {
	{ "$XDG_DATA_HOME/drvabi/PROFILE.drvabi", "An archive of your own for that profile; it comes before the one that is installed." },
	{ "PREFIX/share/drvabi/nvidia.drvabi", "The archive of versions of NVIDIA's driver that comes with drvabi; drvabi archive list says which. PREFIX/share is "
					       "../share from where the program is, or one of XDG_DATA_DIRS; the first that fits is used." },
	{ "PREFIX/share/drvabi/nvproxy.json", "The table of gVisor's nvproxy, which --table nvproxy reads." },
	{ "PREFIX/share/drvabi/nvproxy-accepted.txt", "The reviewed findings about gVisor's nvproxy, for verify --suppress." },
	{ "$XDG_CACHE_HOME/drvabi/documents/", "Documents that were extracted before. Removing them is always safe; see drvabi-cache(1)." },
	{ "$XDG_CACHE_HOME/drvabi/repos/", "Clones of repositories that were named by URL, and of the profile's public one." },
	{ NULL, NULL },
};

static const struct manual_term classes[] = {
	{ "translation", "A pointer, fd, handle or pid was added, removed or moved, or a pointer leads to another type: a proxy must act." },
	{ "layout", "Offset, size, type, length or dimensions of existing bytes changed, or an alignment." },
	{ "number", "An ioctl or class has another number, or another parameter record; or the driver knows it by other parts of its number." },
	{ "growth", "Bytes were appended, or taken from padding." },
	{ "value", "An enumerator or a constant has another value." },
	{ "access", "An ioctl needs other privileges or rights." },
	{ "flags", "An ioctl has other flags, none of them a privilege; told as a count, -v lists them." },
	{ "name", "Renamed in place, with the same bytes." },
	{ "added", "Only the next version has it." },
	{ "removed", "Only the base version has it." },
	{ NULL, NULL },
};

const char *manual_class(const char *name)
{
	for (const struct manual_term *term = classes; term->term; term++)
		if (!strcmp(term->term, name))
			return term->text;
	return NULL;
}

bool manual_has_classes(const struct cli_command *command)
{
	return !strcmp(command->name, "diff") || !strcmp(command->name, "history");
}

static const struct {
	const char *command;
	const char *related[5];
} see_also[] = {
	{ "archive", { "cache", "extract", NULL } },
	{ "blame", { "history", "show", NULL } },
	{ "cache", { "archive", NULL } },
	{ "decode", { "bootstrap", "show", "surface", NULL } },
	{ "diff", { "history", "ranges", "show", "verify", NULL } },
	{ "extract", { "archive", "flatten", NULL } },
	{ "flatten", { "extract", "show", NULL } },
	{ "history", { "blame", "diff", "ranges", NULL } },
	{ "pids", { "gen", "surface", NULL } },
	{ "ranges", { "history", "verify", NULL } },
	{ "show", { "blame", "flatten", "surface", NULL } },
	{ "surface", { "pids", "show", "verify", NULL } },
	{ "sniff", { "bootstrap", "decode", NULL } },
	{ "table", { "verify", NULL } },
	{ "verify", { "diff", "ranges", "surface", "table", NULL } },
};

const char *const *manual_related(const struct cli_command *command)
{
	static const char *const none[] = { NULL };

	for (size_t i = 0; i < sizeof(see_also) / sizeof(*see_also); i++)
		if (!strcmp(see_also[i].command, command->name))
			return see_also[i].related;
	return none;
}

const char *const manual_topics[] = { "environment", "files", "classes", NULL };

void manual_exit_status(struct strbuf *out, const struct cli_command *command)
{
	const char *all = "diff and verify: 0 if there is nothing to report, 1 if there is something. All other commands: 0 if it could be done; history and "
			  "ranges, with --exit-code, 1 if there is something";

	if (command)
		all = command->exit_status ? command->exit_status : "0 if it could be done";
	strbuf_addf(out, "%s. 2 if it could not: then there is one line on standard error that says what, where, and what to do.",
		    all);
}

void manual_option_heading(struct strbuf *out, const struct cli_option *option, const char *emphasis)
{
	if (option->letter)
		strbuf_addf(out, "%s-%c%s, ", emphasis, option->letter, emphasis);
	strbuf_addf(out, "%s--%s%s", emphasis, option->name, emphasis);
	if (option->value)
		strbuf_addf(out, " %s", option->value);
}
