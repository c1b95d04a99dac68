/* cli/commands.c - the table of commands, with their help, and the examples of each */
#include "cli/cli.h"

#include <string.h>

static const struct cli_example diff_examples[] = {
	{ "run_differ 550.54.14 570.86.15", "everything that changed" },
	{ "run_differ 580.95.05..590.48 --class translation,layout",
	  "two classes only; 590.48 is short for 590.48.01" },
	{ "run_differ --base 570.133.20 --next 575.51.02 --table nvproxy",
	  "the changes that affect a proxy come first" },
	{ "run_differ --base 580.95.05 --next 590.48.01 --format markdown -o report.md",
	  "a report for a pull request" },
	{ "drvabi diff --base-json old.json --next-json new.json", "two documents that drvabi "
	  "extract wrote" },
	{ NULL, NULL },
};

static const struct cli_example extract_examples[] = {
	{ "drvabi extract 550.54.14 -o 550.json", "the document of one version" },
	{ "drvabi extract --dir /usr/include --profile linux-drm",
	  "another driver's headers, from a directory" },
	{ "drvabi extract 570.86.16 --constants 'NV2080_CTRL_FB_INFO_*'",
	  "also the possible values of a field" },
	{ "drvabi extract --input names.json file.cc -- -I include",
	  "in place of gVisor's driver_ast_parser" },
	{ NULL, NULL },
};

static const struct cli_example flatten_examples[] = {
	{ "drvabi flatten --version 590.48.01 --record NVOS54_PARAMETERS", "one record as a table" },
	{ "drvabi extract 590.48.01 | drvabi flatten --format json | jq .records",
	  "from a document in a pipe" },
	{ NULL, NULL },
};

static const struct cli_example show_examples[] = {
	{ "drvabi show NV_CHANNEL_ALLOC_PARAMS --version 570.86.15",
	  "a record: offsets, holes, roles, the ioctls that carry it" },
	{ "drvabi show 0x20801358", "a control command, and since when it exists" },
	{ "drvabi show 0x20801358 --table nvproxy", "and whether the proxy forwards the command" },
	{ "drvabi show 'NVOS*'", "every name that matches" },
	{ "drvabi show --format c --expand NVOS54_PARAMETERS 0x2080018d",
	  "a header with all types that these two use" },
	{ NULL, NULL },
};

static const struct cli_example verify_examples[] = {
	{ "drvabi verify --table nvproxy", "every version that the proxy supports" },
	{ "drvabi verify --table nvproxy --version 580.95.05",
	  "compare one version with its node" },
	{ "drvabi verify --table nvproxy --report junit=verify.xml", "also write a report for "
	  "CI" },
	{ "drvabi verify --table nvproxy --strict --suppress accepted.txt",
	  "fail also if a version could not be checked" },
	{ "drvabi verify --table nvproxy --all-nodes --suppress accepted.txt",
	  "all nodes, without the accepted findings" },
	{ "drvabi verify --table nvproxy --all-nodes --write-suppress accepted.txt",
	  "write today's findings, to be reviewed and accepted" },
	{ "drvabi extract 590.48.01 | drvabi verify --table nvproxy --json -", "a document from a pipe" },
	{ "drvabi verify --table-from-header proxy.h --version 580.95.05 -- -I include",
	  "a proxy that is written in C" },
	{ NULL, NULL },
};

static const struct cli_example surface_examples[] = {
	{ "drvabi surface 590.48.01 --family control --caller non-privileged", "the commands "
	  "that any process may call" },
	{ "drvabi surface 590.48.01 --role pid,fd --table nvproxy",
	  "the ioctls with process ids or file descriptors" },
	{ "drvabi surface --table nvproxy --caps graphics,video", "the ioctls that two "
	  "capabilities allow" },
	{ "drvabi surface 590.48.01 --table nvproxy --caps all --since 550.90.12",
	  "all capabilities, and what changed since 550.90.12" },
	{ "drvabi surface --versions 535.129.03..595 --table nvproxy --caps all",
	  "the same for each of several versions" },
	{ "drvabi surface --format json | jq -r '.ioctls[] | [.name, .number] | @csv'", "for a spreadsheet" },
	{ NULL, NULL },
};

static const struct cli_example pids_examples[] = {
	{ "drvabi pids 590.48.01", "the ioctls with process ids" },
	{ "drvabi pids 590.48.01 --table nvproxy", "and which of them the proxy forwards" },
	{ "drvabi pids --shim c --versions .. -o pids.h", "code that translates the pids in ioctls" },
	{ "drvabi pids --format json | jq -r '.ioctls[].name'", "for a program" },
	{ NULL, NULL },
};

static const struct cli_example history_examples[] = {
	{ "drvabi history NV_CHANNEL_ALLOC_PARAMS", "since when a record exists, and how it changed" },
	{ "drvabi history 0x20801358", "every command that had this number, and its records" },
	{ "drvabi history 580.65.06", "everything that this version changed" },
	{ "drvabi history 580.95.05..590.48.01 --class translation",
	  "what 590.48.01 has changed since 580.95.05" },
	{ "drvabi history 580..590 NV_CHANNEL_ALLOC_PARAMS",
	  "one record, in all versions from 580.* to 590.*" },
	{ "drvabi history --table nvproxy --format json -o history.json",
	  "changes of what a proxy forwards, for a program" },
	{ "drvabi history --format html -o history.html", "a picture of all releases, for a browser" },
	{ NULL, NULL },
};

static const struct cli_example blame_examples[] = {
	{ "drvabi blame NV_CHANNEL_ALLOC_PARAMS", "which version last changed each field" },
	{ "drvabi blame NVOS32_PARAMETERS.data.AllocSize --version 550.54.14", "one field and its members" },
	{ "drvabi blame 0x2080012f", "the parameters of a command" },
	{ NULL, NULL },
};

static const struct cli_example archive_examples[] = {
	{ "drvabi archive write -o nvidia.drvabi", "every tag of the repository" },
	{ "drvabi archive write 550.54.14 570.86.15 -o two.drvabi", "two versions only" },
	{ "drvabi archive write --add nvidia.drvabi", "add newer releases" },
	{ "drvabi archive list nvidia.drvabi", "which versions it has" },
	{ "run_differ --archive nvidia.drvabi --base 550.54.14 --next 570.86.15",
	  "compare without a repository" },
	{ NULL, NULL },
};

static const struct cli_example cache_examples[] = {
	{ "drvabi cache", "what is cached, and its size" },
	{ "drvabi cache prune", "remove damaged documents and files of killed runs" },
	{ "drvabi cache clear all", "remove every document and every clone" },
	{ NULL, NULL },
};

static const struct cli_example ranges_examples[] = {
	{ "drvabi ranges --table nvproxy", "which versions can share a node of the table" },
	{ "drvabi ranges --table nvproxy --criterion strict --prove",
	  "sets in which no scalar differs, checked by diff" },
	{ "drvabi ranges --table nvproxy --emit go -o versionmap/versionmap.go",
	  "a Go package that maps the driver's version to a node of the table" },
	{ NULL, NULL },
};

static const struct cli_example profile_examples[] = {
	{ "drvabi profile init --dir linux/drivers/misc/toy -o toy.json",
	  "write a profile from the headers that define ioctls" },
	{ "drvabi surface --profile toy.json --dir linux/drivers/misc/toy",
	  "then list the ioctls that it finds" },
	{ "drvabi profile list", "the built-in profiles" },
	{ "drvabi profile show linux-kfd", "print one of them" },
	{ NULL, NULL },
};

static const struct cli_example sniff_examples[] = {
	{ "drvabi sniff -- nvidia-smi", "the ioctls of nvidia-smi, and whether nvproxy forwards them" },
	{ "drvabi sniff -o TRACE -- python3 train.py", "record all bytes, for drvabi decode TRACE" },
	{ "drvabi sniff --enforce report -q -- ./test",
	  "exit status 1 if nvproxy does not support an ioctl" },
	{ "drvabi sniff -v -p 4711", "each call of a running process" },
	{ "drvabi sniff --preload -q -o TRACE -- ./long-job", "faster, and without permission to trace" },
	{ "drvabi sniff --listen /tmp/sniffer -o TRACE",
	  "record what gVisor's hook sends, also inside runsc" },
	{ "drvabi sniff --replay TRACE -- ./test", "repeat on a machine without the driver" },
	{ "drvabi sniff --replay TRACE --against 595.45.04", "the ioctls whose ABI differs in 595.45.04" },
	{ NULL, NULL },
};

static const struct cli_example table_examples[] = {
	{ "drvabi table merge nvproxy out/table.patch.json -o new.json",
	  "add what drvabi bootstrap -o out wrote" },
	{ "drvabi verify --table new.json", "then compare the result with the driver" },
	{ NULL, NULL },
};

static const struct cli_example explain_examples[] = {
	{ "drvabi explain not-simple", "a finding of verify: what it means, and what to do" },
	{ "drvabi explain translation", "a class of change, as diff reports it" },
	{ "drvabi explain", "all of them, one line each" },
	{ NULL, NULL },
};

static const struct cli_example bootstrap_examples[] = {
	{ "drvabi bootstrap 590.48.01 --table nvproxy", "what a new driver version requires" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy -o out",
	  "also write the report, the table's patch and the structs as files" },
	{ "drvabi bootstrap --add 0x20803041 --table nvproxy", "support a command, by its number in a log" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy --trace video=encode.trace",
	  "with the ioctls that a recorded workload used" },
	{ NULL, NULL },
};

static const struct cli_example gen_examples[] = {
	{ "drvabi gen --lang c NVOS54_PARAMETERS 'UVM_FREE*'",
	  "records with the types and numbers that belong to them" },
	{ "drvabi gen --lang rust --versions 550..590 'UVM_*' -o uvm.rs",
	  "every layout that these versions have" },
	{ "drvabi gen --lang python --version 580.105.08 '*' -o nv_580.py", "everything, for ctypes" },
	{ "drvabi gen --lang go --style nvproxy UVM_FREE_PARAMS", "as gVisor's nvproxy declares it" },
	{ "drvabi gen --lang c --constants 'NV2080_CTRL_FB_INFO_INDEX_*'",
	  "the possible values of a field" },
	{ "drvabi gen --lang go --table nvproxy -o types.go", "the types that a proxy's table has" },
	{ NULL, NULL },
};

static const struct cli_example decode_examples[] = {
	{ "drvabi decode runsc.log --table nvproxy",
	  "which ioctls the log names, and what the proxy does with them" },
	{ "drvabi decode runsc.log --table nvproxy --format summary",
	  "each distinct ioctl once, and how to forward it" },
	{ "drvabi decode --control 0x20803801", "one control command" },
	{ "drvabi decode --control 0x20802068 08000000", "one control command with the bytes of "
	  "its parameters" },
	{ "drvabi decode 0xc020462a HEX 0x7ebe51113480=HEX",
	  "a request with its argument, and the memory at a pointer in it" },
	{ NULL, NULL },
};

static const struct cli_example help_examples[] = {
	{ "drvabi help diff", "the same as drvabi diff --help" },
	{ ". <(drvabi help --completion bash)", "completion in this bash, without make install" },
	{ NULL, NULL },
};

#define FROM_VERSIONS "repo", "archive", "profile", "target", "jobs", "no-archive", "no-cache"
#define FROM_DRIVER "repo", "archive", "dir", "profile", "target", "jobs", "no-archive", "no-cache"
#define TO_USER "output", "color", "no-pager", "quiet", "verbose", "help"

static const char *const diff_options[] = {
	"base", "next", "versions-as-words", "base-json", "next-json", "table", "record", "constants",
	"class", "diff-fail-on", "diff-suppress", "stat", "format", "report", FROM_DRIVER, TO_USER, NULL
};
static const char *const extract_options[] = {
	"version", "constants", "input", "format", FROM_DRIVER, TO_USER, NULL
};
static const char *const flatten_options[] = {
	"flatten-version", "record", "role", "format", FROM_DRIVER, TO_USER, NULL
};
static const char *const show_options[] = {
	"version", "flat", "role", "constants", "json", "table", "format", "expand", FROM_DRIVER,
	TO_USER, NULL
};
static const char *const verify_options[] = {
	"table", "table-from-header", "map", "verify-version", "versions", "all-nodes", "json", "fail-on",
	"strict", "suppress", "write-suppress", "format", "report", FROM_DRIVER, TO_USER, NULL
};
static const char *const surface_options[] = {
	"version", "versions", "not-forwarded", "family", "caller", "name", "role", "table", "caps",
	"since", "format", FROM_DRIVER, TO_USER, NULL
};
static const char *const pids_options[] = {
	"version", "versions", "shim", "json", "table", "format", FROM_DRIVER, TO_USER, NULL
};
static const char *const history_options[] = {
	"versions-as-words", "history-since", "until", "class", "table", "number", "exit-code", "format",
	FROM_VERSIONS, TO_USER, NULL
};
static const char *const blame_options[] = { "version", "table", "format", FROM_VERSIONS, TO_USER, NULL };
static const char *const archive_options[] = {
	"add", "format", "repo", "profile", "target", "jobs", "no-archive", "no-cache", TO_USER, NULL
};
static const char *const cache_options[] = { "output", "help", NULL };
static const char *const ranges_options[] = {
	"table", "table-from-header", "map", "header-version", "criterion", "prove", "emit",
	"ranges-exit-code", "format", "report", FROM_VERSIONS, TO_USER, NULL
};
static const char *const bootstrap_options[] = {
	"table", "version-as-word", "dir", "bootstrap-json", "run", "bootstrap-add", "bootstrap-caps", "trace",
	"sha256-x86_64", "sha256-arm64", "suppress", "bootstrap-exit-code", "bootstrap-fail-on", "stat",
	"format", FROM_VERSIONS, "bootstrap-output", "color", "quiet", "verbose", "help", NULL
};
static const char *const gen_options[] = {
	"lang", "pid-shim", "style", "package", "version", "versions", "constants", "json", "gen-table",
	FROM_DRIVER, TO_USER, NULL
};
static const char *const decode_options[] = {
	"decode-version", "control", "alloc", "uvm", "decode-input", "table", "against", "only",
	"decode-exit-code", "format", FROM_VERSIONS, "output", "color", "quiet", "verbose", "help", NULL
};
static const char *const sniff_options[] = {
	"sniff-output", "attach", "all", "preload", "replay", "sniff-strict", "listen", "once",
	"sniff-version", "against", "table", "enforce", "max-bytes", "survive", "who", "compress", "wire",
	"format", FROM_VERSIONS, "quiet", "verbose", "help", NULL
};
static const char *const table_options[] = { "output", "no-pager", "help", NULL };
static const char *const explain_options[] = { "format", TO_USER, NULL };
static const char *const profile_options[] = {
	"version", "repo", "dir", "output", "no-pager", "quiet", "help", NULL
};
static const char *const help_options[] = {
	"man", "schema", "completion", "complete", "no-pager", "help", NULL
};

const struct cli_command cli_commands[] = {
	{
		.name = "diff",
		.group = CLI_COMPARE,
		.summary = "what changed in the ABI between two driver versions",
		.synopsis = "BASE NEXT|BASE..NEXT [OPTIONS]",
		.description =
			"Reports every record, ioctl, enum, alias and constant that differs, "
			"with its classes of change.\n\n"
			"With --table, the first sentence says which node of the table the next "
			"version can use, how many forwarded records changed, and how many of "
			"those the proxy reads. Changes that may affect the proxy come first. "
			"Changes to other items are only counted in the text report, unless you "
			"use -v, --record or --class.\n\n"
			"+ marks an added field, - a removed one, and ~ a changed one. A "
			"removed field has its offset in the base version. \"in\" lists the "
			"ioctls that carry the record, \"through\" the records between ioctl "
			"and record, \"hence\" the outer records that changed because of it, "
			"and \"with\" the inner records that were added or removed with it.",
		.options = diff_options,
		.formats = "text|json|markdown",
		.examples = diff_examples,
		.exit_status =
			"0 if nothing changed, 1 if there is a change that counts (--fail-on, --suppress)",
		.run = cmd_diff,
	},
	{
		.name = "extract",
		.group = CLI_PRODUCE,
		.takes_rest = true,
		.summary = "a driver tree as an ABI document (JSON)",
		.synopsis = "[VERSION] [OPTIONS] | --input NAMES.json FILE -- CLANG-ARGS",
		.description =
			"Parses the headers that the profile names, as C for the target, and prints "
			"every record, alias, enum, constant and ioctl as a drvabi-abi/1 document. The "
			"machine's own headers are never read.\n\n"
			"With --input, it works like gVisor's driver_ast_parser: FILE is a C or C++ source, and "
			"only the structs and constants that NAMES.json lists, and the types that they "
			"use, are printed. Names that FILE does not have are listed on standard error, "
			"and the exit status is 2. Called as driver_ast_parser, drvabi takes that "
			"tool's arguments.",
		.options = extract_options,
		.formats = "json",
		.examples = extract_examples,
		.run = cmd_extract,
	},
	{
		.name = "show",
		.group = CLI_LOOK_UP,
		.summary = "one record, alias, enum, constant or ioctl in detail",
		.synopsis = "NAME|NUMBER... [--version VERSION] [OPTIONS]",
		.description =
			"NAME is a record, alias, enum, constant or ioctl, or a glob. NUMBER is "
			"a control command, a class, the number of an ioctl, or a constant's "
			"value, in decimal or with 0x.\n\n"
			"With an archive, show also lists the versions that have the name, and "
			"what the number means in other versions. If the newest version does "
			"not have the name, the nearest version that has it is shown. --table "
			"adds whether the proxy forwards the ioctl and reads its parameters, "
			"under which capabilities, and at which node.\n\n"
			"--format c prints declarations, with the offset, size and role of each "
			"field in comments. A record has attributes if a compiler for x86_64 "
			"would otherwise choose a different layout.",
		.options = show_options,
		.formats = "text|json|c",
		.examples = show_examples,
		.run = cmd_show,
	},
	{
		.name = "flatten",
		.group = CLI_UNLISTED, /* show --flat */
		.summary = "records as flat lists of scalars, with every hole",
		.synopsis = "[FILE] [OPTIONS]",
		.description =
			"Takes a document of drvabi extract from FILE or standard input, or reads a "
			"version with --version or --dir, and lists the scalars of each record in "
			"memory order: offset, size, kind, path, declared type and role. An array of "
			"records is listed once, with its count and stride. Members of a union are "
			"alternatives. Holes and tail padding are listed.",
		.options = flatten_options,
		.formats = "text|json",
		.examples = flatten_examples,
		.run = cmd_flatten,
	},
	{
		.name = "verify",
		.group = CLI_PROXY,
		.takes_rest = true,
		.summary = "a proxy's table against the driver: the parity test",
		.synopsis = "--table FILE [OPTIONS] | --table-from-header HEADER [OPTIONS] [-- CLANG-ARGS]",
		.description =
			"Compares every entry of the table with the driver's source, at every "
			"version that the proxy supports: numbers, sizes, and each field's "
			"offset, width, sign and length. A record that is passed through unread "
			"must not contain a pointer or file descriptor. The driver's own tables "
			"must name the entries' parameter records. A version that is neither in "
			"the data nor in the named repository is counted as unavailable.\n\n"
			"docs/verify.md has the details, and docs/proxy-in-c.md an example of "
			"--table-from-header.",
		.options = verify_options,
		.formats = "text|json|markdown|junit|sarif|github",
		.examples = verify_examples,
		.exit_status =
			"0 if every checked version fits, 1 if a finding counts (--fail-on, --strict, "
			"--suppress) or a line of --suppress has expired",
		.run = cmd_verify,
	},
	{
		.name = "surface",
		.group = CLI_PROXY,
		.summary = "the ioctls that a version offers, from the driver's own tables",
		.synopsis = "[VERSION] [OPTIONS]",
		.description =
			"Lists every ioctl of a version: family, number, name, parameter record "
			"and size. -v adds its flags: who may call it, which rights it needs, "
			"whether it is deprecated, and whether no code of the driver handles it "
			"(not-dispatched). With --table, a star marks forwarded ioctls, and "
			"ioctls that only the table has are also listed. docs/devices.md lists "
			"nvidia's families.",
		.options = surface_options,
		.formats = "text|json",
		.examples = surface_examples,
		.run = cmd_surface,
	},
	{
		.name = "pids",
		.group = CLI_PROXY,
		.summary = "the ioctls that carry process ids, and where",
		.synopsis = "[VERSION] [OPTIONS]",
		.description =
			"A process in a container has a different pid on the host, so a proxy "
			"has to translate pids in ioctls, unless the driver does. Lists each "
			"ioctl with pids: their offset and path, whether the driver reads (in) "
			"or writes (out) them, how many there can be and how far apart they "
			"are, the field that counts them, and the versions in which the driver "
			"converts them. \"guest\" marks pids of a virtual machine's processes. "
			"With --table, a star marks forwarded ioctls.\n\n"
			"For a branch or a commit, it is unknown which pids the driver "
			"converts. docs/pids.md explains the list and --shim.",
		.options = pids_options,
		.formats = "text|json|markdown",
		.examples = pids_examples,
		.run = cmd_pids,
	},
	{
		.name = "history",
		.group = CLI_COMPARE,
		.summary = "every version that changed the ABI, over all releases",
		.synopsis = "[NAME|GLOB|NUMBER|VERSION|A..B]... [OPTIONS]",
		.description =
			"Compares every tagged version with its nearest tagged ancestor in the "
			"commit graph. A change that several branches made is listed once, with "
			"every version that made it. The words \"inside release 580\" mark "
			"changes between two versions of 580.*, where a proxy expects none.\n\n"
			"Without an argument, history prints one line for each version that "
			"changed something, and all ioctl numbers that changed. -v lists every "
			"change. NAME selects items with this name and, for an ioctl, the "
			"records that it carries. NUMBER selects every ioctl that had this "
			"number, in any family. VERSION selects the changes in that version. "
			"A..B selects, as in git log, the changes in B and its ancestors, but "
			"not those in A and its ancestors. A..B with prefixes of versions "
			"(580..590) selects all versions from the first 580.* to the last "
			"590.*. Either end can be omitted. --table selects items that the proxy "
			"forwards.",
		.options = history_options,
		.formats = "text|json|markdown|html",
		.examples = history_examples,
		.exit_status = "0 on success, 1 as described for --exit-code",
		.run = cmd_history,
	},
	{
		.name = "blame",
		.group = CLI_COMPARE,
		.summary = "which version last changed each field of a record",
		.synopsis = "NAME[.FIELD]|NUMBER[.FIELD] [--version VERSION] [OPTIONS]",
		.description =
			"Lists the scalars of a record. A line begins with the commit, version "
			"and date of the scalar's last change. ^ marks fields that the first "
			"version already had. \"also at\" lists versions of "
			"other branches that made the same change. A renamed record is followed "
			"through its old names. If the newest version does not have the name, "
			"the nearest version that has it is shown.",
		.options = blame_options,
		.formats = "text|json",
		.examples = blame_examples,
		.run = cmd_blame,
	},
	{
		.name = "archive",
		.group = CLI_PRODUCE,
		.summary = "write, extend or list an archive of many versions",
		.synopsis = "write [VERSION...] -o FILE | write --add FILE [-o FILE] | list [FILE]",
		.description =
			"write reads the versions, by default every tag of the repository, for "
			"x86_64 and aarch64 (or --target), and writes their documents and "
			"commit graph into FILE. write --add adds the tags that the archive "
			"does not have. Tags that cannot be read are listed and left out. list "
			"shows the versions in FILE (default: the archive that commands use), "
			"and the versions of the repository that FILE does not have.\n\n"
			"With --repo, other commands take known commits from the archive, "
			"except with --no-archive.",
		.options = archive_options,
		.formats = "text|json",
		.examples = archive_examples,
		.run = cmd_archive,
	},
	{
		.name = "cache",
		.group = CLI_HOUSEKEEPING,
		.summary = "show, prune or clear the cached documents and clones",
		.synopsis = "[show|prune|clear [all]]",
		.description =
			"The cache, in $XDG_CACHE_HOME/drvabi (or ~/.cache/drvabi), has "
			"extracted documents, and clones of repositories given by URL. prune "
			"removes damaged documents, files of killed runs, and the oldest "
			"documents above the size limit. clear removes all documents, and clear "
			"all also the clones. Several runs can share the cache.",
		.options = cache_options,
		.examples = cache_examples,
		.run = cmd_cache,
	},
	{
		.name = "ranges",
		.takes_rest = true,
		.group = CLI_PROXY,
		.summary = "which versions can share one node of a proxy's table",
		.synopsis = "--table FILE [OPTIONS] | --table-from-header FILE --version V [-- CLANG-ARGS]",
		.description =
			"Sorts all tagged versions into sets with the same ABI for the table, "
			"and says which node of the table each version can use. A node fits a "
			"version if verify, with this node, finds nothing that it does not also "
			"find in the node's own version. The nearest node along the driver's "
			"commit graph is preferred. If no node fits, the version needs a new "
			"one: new nodes are listed with the versions that each could serve, and "
			"the entries that differ. -v lists every finding. Nodes that could be "
			"removed are also listed.\n\n"
			"--emit writes the node of each proven release, for a proxy to use at "
			"run time. A release is proven if its node fits and --prove finds no "
			"difference.",
		.options = ranges_options,
		.formats = "text|json|markdown",
		.examples = ranges_examples,
		.exit_status = "0 on success, 1 as described for --exit-code",
		.run = cmd_ranges,
	},
	{
		.name = "bootstrap",
		.group = CLI_PROXY,
		.summary = "what a new driver version, or one more ioctl, requires",
		.synopsis =
			"VERSION --table FILE [--dir TREE] [-o DIR] | [VERSION] --add NAME|NUMBER... --table FILE [-o DIR]",
		.description =
			"Compares VERSION with its nearest ancestor in the driver's commit graph that is a "
			"node of the table, and reports what supporting it requires: "
			"nothing, a node only, or a node with changes. For each changed entry, "
			"it says why and since when the entry changed, and what to write where: "
			"handler, info, struct, constant, seccomp rule. New ioctls are listed "
			"with likely capabilities and the reason.\n\n"
			"With --add, it reports the same for ioctls that the table does not "
			"have: the nodes at which each first exists, its types at all nodes, "
			"and the fields to translate.\n\n"
			"A version without a public tag needs --dir, --run or --json. An "
			"unknown checksum, handler or capability is a TODO(drvabi), which does "
			"not compile.",
		.options = bootstrap_options,
		.formats = "text|json|markdown",
		.examples = bootstrap_examples,
		.exit_status = "0 on success, 1 as described for --exit-code and --fail-on",
		.run = cmd_bootstrap,
	},
	{
		.name = "gen",
		.group = CLI_PRODUCE,
		.summary = "records, numbers and constants as source text",
		.synopsis = "--lang LANGUAGE NAME-GLOB... [OPTIONS] | --lang go --table FILE [TYPE-GLOB...]",
		.description =
			"Writes records, with all types that they use, as C, Rust, Python "
			"(ctypes) or Go. The file checks itself: if the compiler lays out a "
			"record differently, the file does not compile, and Python does not "
			"import it. If you name an ioctl, the file also has its parameter record; if you "
			"name a record, also the numbers of the ioctls that carry it. A type that "
			"the language cannot declare is an array of bytes, with a comment.\n\n"
			"With --versions, each distinct layout is one type: NAME as in the "
			"oldest version, and NAME_V590 if 590 is the first version with a "
			"different layout. A table in the file maps versions to types.\n\n"
			"docs/gen.md describes each language.",
		.options = gen_options,
		.examples = gen_examples,
		.run = cmd_gen,
	},
	{
		.name = "decode",
		.group = CLI_LOOK_UP,
		.takes_rest = true,
		.summary = "the ioctls of a log or a trace, or one ioctl, field by field",
		.synopsis =
			"[FILE|-] [OPTIONS] | REQUEST [HEX] [ADDRESS=HEX...] | --control|--alloc|--uvm NUMBER [HEX]",
		.description =
			"Reads a log from FILE or standard input, and explains each ioctl of "
			"the driver below its line. It reads logs of runsc, gVisor's "
			"ioctl_sniffer, strace and perf trace, and libcudest's dumps. All other "
			"lines pass through. FILE may also be a trace of drvabi sniff or "
			"gVisor's ioctl_sniffer.\n\n"
			"REQUEST is the second argument of ioctl(2). HEX has the bytes of the "
			"parameters in memory order: hex digits, the output of hexdump, od or "
			"xxd, a file with one of these, or - for standard input. ADDRESS=HEX "
			"gives the memory that a pointer in the parameters points to. -v shows "
			"all elements of arrays.\n\n"
			"--table adds whether the proxy forwards the ioctl and reads its "
			"parameters, and under which capabilities, or the command that says "
			"what forwarding it requires. --format summary prints each distinct "
			"ioctl once, markdown prints the same as a table, and json prints one "
			"object per call. docs/decode.md has the details.",
		.options = decode_options,
		.formats = "text|json|summary|markdown",
		.examples = decode_examples,
		.exit_status = "0 on success, 1 as described for --exit-code",
		.run = cmd_decode,
	},
	{
		.name = "profile",
		.group = CLI_HOUSEKEEPING,
		.summary = "start a profile for another driver, list or show built-in ones",
		.synopsis = "init --dir PATH | init --repo PATH | list | show NAME",
		.description =
			"init writes a profile for a Linux driver: the headers that define "
			"ioctls with _IO(), _IOR(), _IOW(), _IOWR() or _IOC(), their include "
			"directories, the types of the ioctls, and rules that assign roles by "
			"common field names. In a kernel tree, it reads include/uapi. It "
			"compiles nothing. Standard error says how to test the profile, and "
			"what is unknown. docs/profile.md explains each key.",
		.options = profile_options,
		.examples = profile_examples,
		.run = cmd_profile,
	},
	{
		.name = "sniff",
		.group = CLI_LOOK_UP,
		.takes_rest = true,
		.summary = "record the ioctls that a command makes on the driver",
		.synopsis =
			"[-o TRACE] [OPTIONS] -- COMMAND [ARGUMENT...] | -p PID [OPTIONS] | --listen SOCKET [OPTIONS] | --replay TRACE --against VERSION",
		.description =
			"Runs COMMAND, and records the ioctls and shared mmaps that it and its "
			"children make on the driver's devices: the arguments before and after "
			"the call, and the memory at pointers in them. COMMAND keeps its input, "
			"output and signals; drvabi writes to standard error.\n\n"
			"At the end, sniff reports which ioctls were made, how often, with "
			"which statuses, and what the proxy of --table (default: gVisor's "
			"nvproxy) does with each. It prints the drvabi bootstrap command that "
			"adds the unsupported ioctls, and the smallest set of capabilities that "
			"covers the supported ones. -v prints each call as it ends, and -q only "
			"unsupported ioctls and what could not be recorded.\n\n"
			"In a replay, a call without a recorded answer is reported, and fails "
			"as if the driver did not have the command. --replay without COMMAND "
			"only compares the trace with VERSION. docs/sniff.md has the details.",
		.options = sniff_options,
		.formats = "trace|json",
		.examples = sniff_examples,
		.exit_status =
			"the status or signal of COMMAND, or 0 without COMMAND, 1 as --enforce says",
		.run = cmd_sniff,
	},
	{
		.name = "table",
		.group = CLI_PROXY,
		.summary = "apply a patch to a proxy's table",
		.synopsis = "merge TABLE PATCH [-o FILE]",
		.description =
			"Adds a patch (drvabi-proxy-patch/1) to a table, and prints the whole "
			"table, sorted. TABLE is a file or the name of an included table. FILE "
			"may be TABLE itself.\n\n"
			"A patch adds types and versions, and entries to existing versions. A "
			"patch that would change existing content of the table is an error. "
			"Merging a patch again changes nothing.",
		.options = table_options,
		.examples = table_examples,
		.run = cmd_table,
	},
	{
		.name = "explain",
		.group = CLI_LOOK_UP,
		.summary = "a rule of verify or a class of change, and what to do about it",
		.synopsis = "[RULE|CLASS]... [OPTIONS]",
		.description =
			"Prints what a rule or class means, an example, and what to do.",
		.options = explain_options,
		.formats = "text|markdown",
		.examples = explain_examples,
		.run = cmd_explain,
	},
	{
		.name = "help",
		.group = CLI_HOUSEKEEPING,
		.takes_rest = true,
		.summary = "help on a command, or the source of its manual page",
		.synopsis =
			"[COMMAND|environment|files|classes] [--man] | --completion SHELL | --complete -- PROGRAM WORD...",
		.description =
			"Prints the help of a command, or lists environment variables, files, "
			"or classes of change.",
		.options = help_options,
		.examples = help_examples,
		.run = NULL, /* main() runs help */
	},
	{ .name = NULL },
};

const struct cli_command *cli_find_command(const char *name)
{
	for (const struct cli_command *command = cli_commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

int cli_unknown_command(const char *word, struct err *err)
{
	static const char *const options[] = { "--version", "--help", "--no-pager" };
	struct abi_nearest nearest = { .count = 0 };
	struct strbuf near = { 0 };
	const bool is_option = *word == '-';
	int rc;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (is_option || !strcmp(word, options[i] + 2))
			abi_nearest_name(&nearest, word, options[i]);
	for (const struct cli_command *command = cli_commands; command->name && !is_option; command++)
		abi_nearest_name(&nearest, word, command->name);
	if (nearest.count)
		strbuf_addf(&near, " (did you mean %s?)", nearest.name[0]);
	rc = usage_error(err, "there is no %s '%s'%s; drvabi --help lists %s",
			 is_option ? "option" : "command", word, strbuf_text(&near),
			 is_option ? "the commands, and their options follow them" : "them");
	strbuf_release(&near);
	return rc;
}
