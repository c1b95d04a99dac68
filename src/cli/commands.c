/* cli/commands.c - the table of commands, with their help, and the examples of each */
#include "cli/cli.h"

#include <string.h>

static const struct cli_example diff_examples[] = {
	{ "run_differ 550.54.14 570.86.15", "everything that changed" },
	{ "run_differ 580.95.05..590.48 --class translation,layout",
	  "only what moved; 590.48 is short for 590.48.01" },
	{ "run_differ --base 570.133.20 --next 575.51.02 --table nvproxy",
	  "what a proxy forwards comes first" },
	{ "run_differ --base 580.95.05 --next 590.48.01 --format markdown -o report.md",
	  "for a pull request" },
	{ "drvabi diff --base-json old.json --next-json new.json", "two documents, no repository" },
	{ NULL, NULL },
};

static const struct cli_example extract_examples[] = {
	{ "drvabi extract 550.54.14 -o 550.json", "one version's document" },
	{ "drvabi extract --dir /usr/include --profile linux-drm",
	  "another driver's headers, from a directory" },
	{ "drvabi extract 570.86.16 --constants 'NV2080_CTRL_FB_INFO_*'",
	  "with the values that this command takes" },
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
	  "a record: offsets, holes, roles, who carries it" },
	{ "drvabi show 0x20801358", "what is this control command, and since when?" },
	{ "drvabi show 0x20801358 --table nvproxy", "and does the proxy forward it?" },
	{ "drvabi show 'NVOS*'", "every name that matches" },
	{ "drvabi show --format c --expand NVOS54_PARAMETERS 0x2080018d",
	  "a header with all that these need" },
	{ NULL, NULL },
};

static const struct cli_example verify_examples[] = {
	{ "drvabi verify --table nvproxy", "every version that the proxy supports" },
	{ "drvabi verify --table nvproxy --version 580.95.05",
	  "one version, against the node that it follows" },
	{ "drvabi verify --table nvproxy --format junit -o verify.xml", "for CI" },
	{ "drvabi verify --table nvproxy --strict --suppress accepted.txt",
	  "for CI: a version that could not be checked fails, too" },
	{ "drvabi verify --table nvproxy --all-nodes --suppress accepted.txt",
	  "all nodes, without the accepted findings" },
	{ "drvabi verify --table nvproxy --all-nodes --write-suppress accepted.txt",
	  "today's findings, to be reviewed and accepted" },
	{ "drvabi extract 590.48.01 | drvabi verify --table nvproxy --json -", "one document, no repository" },
	{ "drvabi verify --table nvproxy --caps", "the attack surface, in numbers" },
	{ "drvabi verify --table-from-header proxy.h --version 580.95.05 -- -I include",
	  "a proxy that is written in C" },
	{ NULL, NULL },
};

static const struct cli_example surface_examples[] = {
	{ "drvabi surface 590.48.01 --family control --caller non-privileged", "what any process may call" },
	{ "drvabi surface 590.48.01 --role pid,fd --table nvproxy",
	  "where are process ids and file descriptors?" },
	{ "drvabi surface --table nvproxy --caps graphics,video", "what two capabilities expose" },
	{ "drvabi surface 590.48.01 --table nvproxy --caps all --since 550.90.12", "and what of it is new" },
	{ "drvabi surface --format json | jq -r '.ioctls[] | [.name, .number] | @csv'", "for a spreadsheet" },
	{ NULL, NULL },
};

static const struct cli_example pids_examples[] = {
	{ "drvabi pids 590.48.01", "where are process ids?" },
	{ "drvabi pids 590.48.01 --table nvproxy", "and which of them does the proxy forward?" },
	{ "drvabi pids --shim c --versions .. -o pids.h", "code that translates the pids in ioctls" },
	{ "drvabi pids --format json | jq -r '.ioctls[].name'", "for a program" },
	{ NULL, NULL },
};

static const struct cli_example history_examples[] = {
	{ "drvabi history NV_CHANNEL_ALLOC_PARAMS", "since when is it so, and what was it before?" },
	{ "drvabi history 0x20801358", "every command that had this number, and what each carried" },
	{ "drvabi history 580.65.06", "all that this version changed" },
	{ "drvabi history 580.95.05..590.48.01 --class translation",
	  "what changed for 590.48.01 since 580.95.05" },
	{ "drvabi history 580..590 NV_CHANNEL_ALLOC_PARAMS",
	  "of one record, in all versions from 580.* to 590.*" },
	{ "drvabi history --table nvproxy --format json -o history.json",
	  "what a proxy forwards, for a program" },
	{ "drvabi history --format html -o history.html", "a picture of all releases, for a browser" },
	{ NULL, NULL },
};

static const struct cli_example blame_examples[] = {
	{ "drvabi blame NV_CHANNEL_ALLOC_PARAMS", "which version made each field what it is?" },
	{ "drvabi blame NVOS32_PARAMETERS.data.AllocSize --version 550.54.14", "one field and what is in it" },
	{ "drvabi blame 0x2080012f", "the parameters of a command" },
	{ NULL, NULL },
};

static const struct cli_example archive_examples[] = {
	{ "drvabi archive write -o nvidia.drvabi", "every tag of the repository" },
	{ "drvabi archive write 550.54.14 570.86.15 -o two.drvabi", "these only" },
	{ "drvabi archive write --add nvidia.drvabi", "and what was released since" },
	{ "drvabi archive list nvidia.drvabi", "which versions it has" },
	{ "run_differ --archive nvidia.drvabi --base 550.54.14 --next 570.86.15", "no repository is needed" },
	{ NULL, NULL },
};

static const struct cli_example cache_examples[] = {
	{ "drvabi cache", "what it has, and how much" },
	{ "drvabi cache prune", "remove damaged documents and files of killed runs" },
	{ "drvabi cache clear all", "remove every document and every clone" },
	{ NULL, NULL },
};

static const struct cli_example ranges_examples[] = {
	{ "drvabi ranges --table nvproxy", "which versions may share a node of the table?" },
	{ "drvabi ranges --table nvproxy --notion strict --prove",
	  "no scalar of any record differs, and diff agrees" },
	{ "drvabi ranges --table nvproxy --emit go -o versionmap/versionmap.go",
	  "a Go package that maps the driver's version to a node of the table" },
	{ NULL, NULL },
};

static const struct cli_example profile_examples[] = {
	{ "drvabi profile init --dir linux/drivers/misc/toy -o toy.json",
	  "a first profile, out of the headers that make ioctls" },
	{ "drvabi surface --profile toy.json --dir linux/drivers/misc/toy", "and what does it find?" },
	{ "drvabi profile list", "which profiles are built in?" },
	{ "drvabi profile show linux-kfd", "and what does one say?" },
	{ NULL, NULL },
};

static const struct cli_example sniff_examples[] = {
	{ "drvabi sniff -- nvidia-smi", "which ioctls it makes, and whether nvproxy forwards them" },
	{ "drvabi sniff -o TRACE -- python3 train.py", "and all their bytes, for drvabi decode TRACE" },
	{ "drvabi sniff --enforce report -q -- ./test", "exit status 1 if nvproxy lacks one of them" },
	{ "drvabi sniff -v -p 4711", "what a process is doing, call by call" },
	{ "drvabi sniff --preload -q -o TRACE -- ./long-job", "quickly, and without permission to trace" },
	{ "drvabi sniff --listen /tmp/sniffer -o TRACE", "what gVisor's hook sends, from runsc as well" },
	{ "drvabi sniff --replay TRACE -- ./test", "again, on a machine without the driver" },
	{ "drvabi sniff --replay TRACE --against 595.45.04", "which of its ioctls are another ABI there" },
	{ NULL, NULL },
};

static const struct cli_example table_examples[] = {
	{ "drvabi table merge nvproxy out/table.patch.json -o new.json",
	  "add what drvabi bootstrap -o out wrote" },
	{ "drvabi verify --table new.json", "and does it fit the driver?" },
	{ NULL, NULL },
};

static const struct cli_example bootstrap_examples[] = {
	{ "drvabi bootstrap 590.48.01 --table nvproxy", "a new driver is out: what does it take?" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy -o out",
	  "and the report, the table's patch and the structs as files" },
	{ "drvabi bootstrap --add 0x20803041 --table nvproxy", "one more command, by its number in a log" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy --trace video=encode.trace",
	  "with what a workload was seen to use" },
	{ NULL, NULL },
};

static const struct cli_example gen_examples[] = {
	{ "drvabi gen --lang c NVOS54_PARAMETERS 'UVM_FREE*'",
	  "records with all that they need, and numbers" },
	{ "drvabi gen --lang rust --versions 550..590 'UVM_*' -o uvm.rs",
	  "every layout that these versions have" },
	{ "drvabi gen --lang python --version 580.105.08 '*' -o nv_580.py", "all there is, for ctypes" },
	{ "drvabi gen --lang go --style nvproxy UVM_FREE_PARAMS", "as gVisor's nvproxy declares it" },
	{ "drvabi gen --lang c --constants 'NV2080_CTRL_FB_INFO_INDEX_*'",
	  "values of a field, out of the driver's sources" },
	{ "drvabi gen --lang go --table nvproxy -o types.go", "the types that a proxy's table has" },
	{ NULL, NULL },
};

static const struct cli_example decode_examples[] = {
	{ "drvabi decode runsc.log --table nvproxy", "what the log names, and what the proxy does with it" },
	{ "drvabi decode runsc.log --table nvproxy --format summary",
	  "each distinct ioctl once, and how to forward what is not" },
	{ "drvabi decode --control 0x20803801", "one command" },
	{ "drvabi decode --control 0x20802068 08000000", "and the bytes of its parameters" },
	{ "drvabi decode 0xc020462a HEX 0x7ebe51113480=HEX",
	  "a request with its argument, and what a pointer in it points to" },
	{ NULL, NULL },
};

static const struct cli_example help_examples[] = {
	{ "drvabi help diff", "the same as drvabi diff --help" },
	{ ". <(drvabi help --completion bash)", "TAB in this bash, where make install has not put it" },
	{ NULL, NULL },
};

#define FROM_DRIVER "repo", "archive", "dir", "profile", "target", "jobs", "no-archive", "no-cache"
#define TO_USER "output", "color", "no-pager", "quiet", "verbose", "help"

static const char *const diff_options[] = {
	"base",  "next",         "versions-as-words", "base-json",     "next-json", "table",     "record", "constants",
	"class", "diff-fail-on", "diff-suppress", "stat", "format",    FROM_DRIVER, TO_USER,  NULL
};
static const char *const extract_options[] = { "version",   "constants", "input", "format",
					       FROM_DRIVER, TO_USER,     NULL };
static const char *const flatten_options[] = { "version", "record", "flatten-role", "format", FROM_DRIVER,
					       TO_USER,   NULL };
static const char *const show_options[] = { "version", "flat", "flatten-role", "constants", "json",  "table", "format",
					    "expand",  FROM_DRIVER, TO_USER, NULL };
static const char *const verify_options[] = {
	"table",    "table-from-header", "map", "version", "some-versions", "all-nodes", "json",  "fail-on", "strict",
	"suppress", "write-suppress",    "verify-caps", "format",  FROM_DRIVER, TO_USER, NULL
};
static const char *const surface_options[] = { "version", "not-forwarded", "family", "caller", "name",      "role",  "table",
					       "caps",    "since",  "format", FROM_DRIVER, TO_USER, NULL };
static const char *const pids_options[] = { "version", "some-versions", "shim", "json", "table", "format", FROM_DRIVER, TO_USER, NULL };
static const char *const history_options[] = { "versions-as-words", "history-since", "until",     "class",  "table",
					       "number",        "exit-code", "format", "repo",
					       "archive",       "profile",   "target", "jobs",
					       "no-archive",    "no-cache",  TO_USER,  NULL };
static const char *const blame_options[] = { "version",    "table",    "format", "repo",
					     "archive",    "profile",  "target", "jobs",
					     "no-archive", "no-cache", TO_USER,  NULL };
static const char *const archive_options[] = { "add",  "format",     "repo",     "profile", "target",
					       "jobs", "no-archive", "no-cache", TO_USER,   NULL };
static const char *const cache_options[] = { "output", "help", NULL };
static const char *const ranges_options[] = { "table", "table-from-header", "map", "header-version",  "notion", "prove",   "emit",       "ranges-exit-code",
					      "format", "repo",   "archive", "profile",    "target",
					      "jobs",   "no-archive", "no-cache", TO_USER, NULL };
static const char *const bootstrap_options[] = { "table",
						 "version-as-word",
						 "bootstrap-add",
						 "bootstrap-caps",
						 "trace",
						 "sha256-x86_64",
						 "sha256-arm64",
						 "suppress",
						 "bootstrap-exit-code",
						 "bootstrap-fail-on",
						 "stat",
						 "format",
						 "repo",
						 "archive",
						 "profile",
						 "target",
						 "jobs",
						 "no-archive",
						 "no-cache",
						 "bootstrap-output",
						 "color",
						 "quiet",
						 "verbose",
						 "help",
						 NULL };
static const char *const gen_options[] = { "lang",      "pid-shim",  "style",     "package",
					   "version",   "versions",  "constants", "json",
					   "gen-table", FROM_DRIVER, TO_USER,     NULL };
static const char *const decode_options[] = {
	"decode-version",   "control", "alloc", "uvm",     "decode-input", "table",  "against", "only",
	"decode-exit-code", "format",  "repo",  "archive", "profile",      "target", "jobs",    "no-archive",
	"no-cache",         "output",  "color", "quiet",   "verbose",      "help",   NULL
};
static const char *const sniff_options[] = {
	"sniff-output", "attach", "preload", "replay",    "sniff-strict", "listen", "once", "sniff-version",
	"against",      "table",  "enforce", "max-bytes", "survive", "compress", "wire",
	"format",       "repo",   "archive", "profile",   "target",  "jobs",     "no-archive",
	"no-cache",     "quiet",  "verbose", "help",      NULL
};
static const char *const table_options[] = { "output", "no-pager", "help", NULL };
static const char *const profile_options[] = { "version",  "repo",  "dir",  "output",
					       "no-pager", "quiet", "help", NULL };
static const char *const help_options[] = { "man", "completion", "complete", "no-pager", "help", NULL };

const struct cli_command cli_commands[] = {
	{
		.name = "diff",
		.group = CLI_COMPARE,
		.summary = "what changed in the ABI between two driver versions",
		.synopsis = "BASE NEXT|BASE..NEXT [OPTIONS]",
		.description =
			"Compares two versions of the driver, released or out of its git repository, and reports every record, "
			"ioctl, enum, alias and constant that differs, with the classes of the change: what it does to a proxy that forwards these "
			"ioctls. With --table, the first sentence says which node of the table the next version may use, and how "
			"many of the records that the proxy forwards, and of those that it reads, changed. The changes follow in four groups: what the "
			"proxy reads; what it passes through unread, but which gained a pointer, fd or pid; what it passes through, with nothing to "
			"do; what it does not forward, which text counts, and lists with -v, --record or --class. A record that changed only "
			"through one inside it is a line under that one. Markdown "
			"has 65536 characters at most, GitHub's limit, and says what it leaves out.\n\n"
			"A version may be shortened at a dot if only one begins so; if several do, the error lists them.",
		.options = diff_options,
		.formats = "text|json|markdown",
		.examples = diff_examples,
		.exit_status =
			"0 if nothing changed, 1 if something did that --fail-on counts and --suppress does not cover",
		.run = cmd_diff,
	},
	{
		.name = "extract",
		.group = CLI_PRODUCE,
		.takes_rest = true,
		.summary = "a driver tree as an ABI document (JSON)",
		.synopsis = "[VERSION] [OPTIONS] | --input NAMES.json FILE -- CLANG-ARGS",
		.description =
			"Parses the headers that the profile names, as C for the target, and prints every record with its fields, "
			"offsets and sizes, every alias, enum, wanted constant and ioctl as a drvabi-abi/1 document. Without VERSION, "
			"the newest tag. The machine's own headers are never read.\n\n"
			"With --constants, the document has all macros and enumerators of these names besides, as long as they are integers: values "
			"of fields, lengths of arrays. Ranges of bits (7:0) and texts are left out, with one warning that counts them. Such a document "
			"is read from the driver's sources, from the headers that the profile names, and never out of an archive.\n\n"
			"With --input it replaces gVisor's driver_ast_parser: FILE is a C or C++ source on disk, what follows -- is "
			"given to clang, and only the structs and constants that NAMES.json lists, and what they reach, are printed. Names "
			"that the file lacks are listed on standard error, with the nearest ones that it has; the others are printed, and "
			"the exit status is 2. Called as driver_ast_parser, drvabi takes that tool's arguments, reads clang's out of a "
			"compile_commands.json as it does, and gives missing names no exit status of their own.",
		.options = extract_options,
		.formats = "json",
		.examples = extract_examples,
		.run = cmd_extract,
	},
	{
		.name = "show",
		.group = CLI_LOOK_UP,
		.summary = "one record, alias, enum, constant or ioctl, laid out",
		.synopsis = "NAME|NUMBER... [--version VERSION] [OPTIONS]",
		.description =
			"NAME is any name of the driver's ABI or a glob; NUMBER a control command, a class, the number of a frontend or UVM ioctl, or "
			"a constant's value, in decimal or with 0x: as a log prints it (\"unknown control command 0x20801358\"). Records are "
			"shown with offsets, sizes, holes and roles, and the ioctls that carry them; an ioctl with its parameter record. "
			"Without --version, the newest tag.\n\n"
			"--format c is the declaration in C, with offset, size and role of each field in comments, unnamed structs and unions "
			"inside, holes as comments, and attributes where a compiler would choose another layout (x86_64); numbers are macros.\n\n"
			"Out of an archive, it also shows since and until which version the name exists, and what the number is in "
			"other versions. What this version lacks is shown as the nearest version that has it: the nearest ancestor, "
			"else the next newer one; the first line says so. With --version, that is an error that names the version to ask for. "
			"For a number that no version has, the error decodes it and lists similar ones. With --table, it shows what the "
			"proxy does with an ioctl: whether it reads its parameters, under which capabilities, and by which node.",
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
			"Takes a document of drvabi extract from FILE or standard input, or reads a version with --version or --dir, and "
			"lists the scalars of each record in memory order: offset, size, kind, path, declared type and role. Arrays of "
			"records are one group with a stride, members of a union are alternatives, holes and tail padding are listed.",
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
			"Checks every entry of the table, at every version that the proxy supports, against that version's own source: "
			"numbers, sizes, each field's offset, width, sign and length; that what is passed through unread has no pointer "
			"and no file descriptor, in unions and arrays too; and that the driver's own tables accept what the proxy sends. "
			"A version that is neither in the data nor in the repository named is unavailable: that says nothing about whether "
			"it was released. It is counted, and makes the exit status 1 only with --strict.\n\n"
			"With --table-from-header, the structs of a proxy that is written in C are read from its header; the arguments "
			"after -- are clang's. Lines \"drvabi: FAMILY CONSTANT DRIVER_STRUCT PROXY_STRUCT CAP,...\" in its comments, "
			"or the same lines in a file of their own (--map), say which proxy struct is which driver struct; docs/proxy-in-c.md has an example.",
		.options = verify_options,
		.formats = "text|json|markdown|junit|sarif",
		.examples = verify_examples,
		.exit_status =
			"0 if every version that could be checked fits, 1 if there are findings, an accepted one has expired, or with --strict a supported version could not be checked",
		.run = cmd_verify,
	},
	{
		.name = "surface",
		.group = CLI_PROXY,
		.summary = "the ioctls that a version offers, from the driver's own tables",
		.synopsis = "[VERSION] [OPTIONS]",
		.description =
			"Lists every ioctl of a version: family, number, name, parameter record and its size; with -v its flags, too: who may "
			"call it and which rights it needs, whether it is deprecated, and whether no code of the driver answers it "
			"(not-dispatched). With --role, the fields that a proxy must translate are listed below the ioctl, with offset, role, "
			"path and type. With --table, a star marks what the proxy forwards, "
			"and ioctls that the proxy forwards but the driver's tables lack are listed, too. Without VERSION, "
			"the newest tag. The families of nvidia are control, alloc, frontend and uvm, and those of its other devices: "
			"uvm-test, modeset and nvkms, drm, nvswitch and nvswitch-ctl, nvlink.",
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
			"A process in a container has other pids than on the host, so a proxy or a shim has to translate those in ioctls, unless the "
			"driver does. Lists each ioctl whose parameters hold pids: offset of the first, whether the driver reads (in) or writes "
			"(out) it, path, how many there may be and how far apart, and the field that counts them. Then whether the driver converts it "
			"to the caller's pid namespace by itself, and since which versions; where it stopped, that, too. Pids of a virtual "
			"machine's guest are listed, but are no pids of the host. With --table, a star marks what the proxy forwards.\n\n"
			"What is behind a pointer in the parameters is listed where it is known what the driver copies there (list->[].processId). Directions and conversions were read in the driver's source; "
			"docs/pids.md says how. For a branch or a commit, it is not known what the driver converts. Without VERSION, the newest tag.\n\n"
			"With --shim c, it is one file of C: which pids an ioctl carries, by command and size, and a function that maps "
			"them in a buffer by a callback, but for those that the driver converts. docs/pids.md has a ready LD_PRELOAD shim.",
		.options = pids_options,
		.formats = "text|json|markdown",
		.examples = pids_examples,
		.run = cmd_pids,
	},
	{
		.name = "history",
		.group = CLI_COMPARE,
		.summary = "every version at which the ABI changed, over all releases",
		.synopsis = "[NAME|GLOB|NUMBER|VERSION|A..B]... [OPTIONS]",
		.description =
			"Compares every tag of the repository with its nearest tagged ancestor, along the commit graph. A change that "
			"reached several branches in the same way is listed once, with every version that brought it. A version with the "
			"same first number as its ancestor is inside a release: a proxy expects no change there, so these are "
			"marked.\n\n"
			"For a NAME (a record, alias, enum, constant or ioctl): since when it exists, until when, and what "
			"changed in between, in it and, for an ioctl, in the records it carries. For a NUMBER: every ioctl that had it, in "
			"any family, the records that each carried then, and the ioctl's next number, if it got another one. "
			"0x20801358 is hexadecimal, 545264472 decimal. Several names and numbers may be given. With "
			"--table, only what the proxy forwards, before a change or after it. Without any of these, one line for each version "
			"that changed something, and all numbers that changed; -v lists every change.\n\n"
			"For a VERSION: what that version changed; it may be shortened at a dot if only one begins so. For A..B of two versions, "
			"as with git log: what B and its ancestors changed and A and its ancestors did not. If A or B is only the beginning "
			"of versions: all from the first that begins with A to the last that begins with B, in the order of versions, both "
			"included; --since and --until count the same way. One end may be left out. With names and numbers, only changes in these versions.\n\n"
			"--format html is a page for a browser, in one file: the releases along the commit graph, what each of them changed, and "
			"every layout that a record has had, drawn to scale.",
		.options = history_options,
		.formats = "text|json|markdown|html",
		.examples = history_examples,
		.exit_status =
			"0 on success; with --exit-code, 1 if a version changed something of what was asked",
		.run = cmd_history,
	},
	{
		.name = "blame",
		.group = CLI_COMPARE,
		.summary = "field by field, the version that last changed a record",
		.synopsis = "NAME[.FIELD]|NUMBER[.FIELD] [--version VERSION] [OPTIONS]",
		.description =
			"Lists the scalars of a record as they are in VERSION, a tag (default: the newest), and before each of them the "
			"commit, version and date that last added, moved, renamed, resized or retyped it, in the form of git "
			"blame; ^ marks what the first version had already. A renamed record is followed through its old names. For an "
			"ioctl, by its name or NUMBER, it is the parameter record, after what drvabi show says about the ioctl. Without --version, what the "
			"newest version lacks is shown as the nearest version that has it.",
		.options = blame_options,
		.formats = "text|json",
		.examples = blame_examples,
		.run = cmd_blame,
	},
	{
		.name = "archive",
		.group = CLI_PRODUCE,
		.summary = "write, extend or list a file of many versions' documents",
		.synopsis = "write [VERSION...] -o FILE | write --add FILE [-o FILE] | list [FILE]",
		.description =
			"write reads the versions, or every tag of the repository, for x86_64 and aarch64 (--target: for one), and puts their documents "
			"into FILE, each record, ioctl, enum, alias and constant once, together with the commit graph of the versions. With "
			"--add, it extends an archive by the tags that it lacks, and lists them; tags that cannot be read are left out and listed as well. "
			"list shows the versions in FILE, or in the archive that other commands use, and those that the repository has beyond it.\n\n"
			"An archive of the releases up to the day of its newest commit comes with drvabi, and commands read it by default. With --archive FILE, or "
			"DRVABI_ARCHIVE, they read that one; it must be of the same profile and document generation. With "
			"--repo, versions are the repository's, and the document of a commit that an archive has comes out of the archive; --no-archive "
			"switches that off. The output is the same, to the byte, except that show and blame know of other versions from an archive only. FILE is checked whenever it is read. It holds facts only: "
			"names, types, offsets, numbers, and the lines where they are declared.",
		.options = archive_options,
		.formats = "text|json",
		.examples = archive_examples,
		.run = cmd_archive,
	},
	{
		.name = "cache",
		.group = CLI_HOUSEKEEPING,
		.summary = "show, prune or clear the documents and clones of earlier runs",
		.synopsis = "[show|prune|clear [all]]",
		.description =
			"Extracted documents are cached below $XDG_CACHE_HOME/drvabi (or ~/.cache/drvabi), named by the contents of their "
			"sources and by repository, and so are clones of repositories that were named by URL. Any number "
			"of runs may use them at the same time; each file is checked when it is read, and a damaged one is extracted again. show lists what is "
			"cached; prune removes damaged documents, files of killed runs and what is above the limit; clear removes all documents, "
			"clear all the clones as well.",
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
			"Sorts every tag of the repository into sets of versions that are the same to the table, and says which node of the "
			"table each version may use: the one that it follows along the driver's commit graph, if verify finds "
			"nothing with it that it does not find at the node's own version, too; else another one; else the version needs a "
			"new node. These are grouped by what one new node would serve (590.* is every release with that first number), with the "
			"entries that differ; -v lists every finding. Nodes that could be removed are listed: they forward what their parent does and "
			"are no supported version, or what they change is true of the parent's versions as well.\n\n"
			"With --notion table, two versions are the same if numbers are, and each scalar of the records that the proxy translates, "
			"and the size, pointers and fds of the records that it passes through unread. With --notion "
			"strict, every scalar of every record that the table names must be the same, with its name and type. With --prove, diff "
			"compares each version with the first one of its set.\n\n"
			"With --emit, the result is for a proxy that meets a version without a node of its own: the releases that are proven "
			"to fit a node, each with the node and a hash of what the table reads of it, and in Go a function that maps the text of "
			"/proc/driver/nvidia/version to a node and refuses everything else.",
		.options = ranges_options,
		.formats = "text|json|markdown",
		.examples = ranges_examples,
		.exit_status =
			"0 on success; with --exit-code, 1 if a version needs a new node, or --prove finds a difference",
		.run = cmd_ranges,
	},
	{
		.name = "bootstrap",
		.group = CLI_PROXY,
		.summary = "what a new driver version, or one more ioctl, takes",
		.synopsis = "VERSION --table FILE [-o DIR] | [VERSION] --add NAME|NUMBER... --table FILE [-o DIR]",
		.description =
			"Finds the node of the table that VERSION follows along the driver's commit graph, compares each entry that the table forwards "
			"in both versions, and says what supporting VERSION takes: nothing, a node only, or a node with changes. For each "
			"entry that changed it says why, at which version first, and what has to be written where: handler, info, struct, constant, "
			"seccomp rule. What VERSION offers that its parent did not is listed, with the capabilities that are likely, and why.\n\n"
			"With --add, the words are ioctls that the table lacks, by name or number: at which node each first exists, since "
			"when the driver has it, its types through all nodes, and whether something in its parameters has to be translated. "
			"With VERSION before them, both in one run; the table need not have VERSION yet.\n\n"
			"The capabilities of a new ioctl are written only if --caps gives them, or if --trace has them: a recording of a workload "
			"(drvabi sniff) that stands for a capability. What the driver refused does not count.\n\n"
			"What is not known is not invented: a checksum, handler or capability is then a TODO(drvabi), which does not compile. With "
			"-o DIR the report, a patch for drvabi table merge, the new types in Go, and all of it as JSON are written as files.",
		.options = bootstrap_options,
		.formats = "text|json|markdown",
		.examples = bootstrap_examples,
		.exit_status = "0 on success; with --exit-code, 1 if there is something to write; with --fail-on, 1 if there is work of one of these kinds",
		.run = cmd_bootstrap,
	},
	{
		.name = "gen",
		.group = CLI_PRODUCE,
		.summary = "records, numbers and constants as source text",
		.synopsis =
			"--lang LANGUAGE NAME-GLOB... [OPTIONS] | --lang go --table FILE [TYPE-GLOB...]",
		.description =
			"Writes the records that are asked for, with all that they need, as C, Rust, Python (ctypes) or Go with the driver's sizes and offsets. "
			"The file checks itself: where a compiler has another layout it does not compile, and Python does not import it. An ioctl is asked for "
			"by its name, and comes with its number and parameter record, a record with the numbers of the ioctls that carry it; enums and "
			"constants become constants. Without --version, the newest version. The same input gives the same bytes, formatted as gofmt and rustfmt "
			"would. C, Rust and Python have the driver's names; what one of them cannot declare is bytes, with a comment.\n\n"
			"With --versions, each distinct layout is one type: NAME as the oldest version has it, and NAME_V590 where 590 is the first to have "
			"another one. A table in the file says which type is right for which versions; a number that moved is one more constant in the same way.\n\n"
			"Go declares types as a proxy does. In style nvproxy, types are named and declared as gVisor does: a type that is its predecessor with "
			"more behind embeds it, and what has a status or a file descriptor has accessors. The file belongs into package nvgpu, where Handle, "
			"P64 and NvUUID are.",
		.options = gen_options,
		.examples = gen_examples,
		.run = cmd_gen,
	},
	{
		.name = "decode",
		.group = CLI_LOOK_UP,
		.takes_rest = true,
		.summary = "ioctls of a log or a trace, or one of them, named field by field",
		.synopsis =
			"[FILE|-] [OPTIONS] | REQUEST [HEX] [ADDRESS=HEX...] | --control|--alloc|--uvm NUMBER [HEX]",
		.description =
			"Reads a log from FILE or standard input, and says below each line that names an ioctl of the driver which one it is: lines of "
			"runsc's log, old and new, the text of gVisor's ioctl_sniffer, strace and perf trace, with whatever options, and libcudest's dumps. All other "
			"lines pass through, with control characters spelled out; --only drops them. Output comes as the input does. --input names the only format.\n\n"
			"A trace, of drvabi sniff or of gVisor's ioctl_sniffer, is recognised by its first bytes. Its calls are decoded with the version in its "
			"header: with their device, what the driver changed as OLD -> NEW, the class that a handle was allocated with, descriptors with their "
			"path, and the memory that was recorded behind pointers.\n\n"
			"REQUEST is the second argument of ioctl(2); HEX the bytes of its parameters in the order of memory, as digits or as hexdump, od or xxd print "
			"them, or a file with that, or - for standard input; ADDRESS=HEX what a pointer in them points to. What is inside NV_ESC_RM_CONTROL, NV_ESC_RM_ALLOC and NV_ESC_IOCTL_XFER_CMD is decoded, "
			"too. With --control, --alloc or --uvm, HEX is the parameters of that command, class or ioctl. Elements of an array beyond the "
			"count in the same record are folded, and so are zeros at its end; -v shows all.\n\n"
			"Without --version, the call is decoded with the newest version in which the parameters have the size that the call has, and all "
			"versions that fit are listed, and all names if the driver has given the number to another ioctl in between. A size that no "
			"version has is refused, with those that there were. A log of runsc names the version in its line \"NVIDIA driver version: "
			"535.129.03\": it is that of the calls below it.\n\n"
			"With --table, the output says whether the proxy forwards the ioctl, whether it reads its parameters and under which capabilities; or else "
			"the command that says what forwarding takes. Without --version, that is by the newest version that the proxy supports. json is one object a call, one a line; "
			"summary each distinct ioctl once, with how often, with which status, and since when the driver has it; markdown is that as a table, or one call "
			"as a block.\n\n"
			"--against VERSION compares instead: which of the ioctls in the log or trace are another ABI in that version, as a diff of just these with "
			"what pointers in their parameters lead to. The version that the calls were made with is the trace's, or --version. What was not recorded "
			"is not compared, and that is said.",
		.options = decode_options,
		.formats = "text|json|summary|markdown",
		.examples = decode_examples,
		.exit_status =
			"0 on success; with --exit-code, 1 if no version has an ioctl, or its size, or the proxy does not forward it; with --against, if "
			"one is another ABI",
		.run = cmd_decode,
	},
	{
		.name = "profile",
		.group = CLI_HOUSEKEEPING,
		.summary = "start a profile for another driver, list or show built-in ones",
		.synopsis = "init --dir PATH | init --repo PATH | list | show NAME",
		.description =
			"init looks at a tree of a driver for Linux, and prints a profile for it: the headers that make ioctls with _IO(), _IOR(), _IOW(), _IOWR() or "
			"_IOC(), be it through macros of their own; where they find what they include; the types of the ioctls; and rules for roles by what fields "
			"are usually called. In a kernel's tree it looks below include/uapi. With --repo, the newest tag is read, or V.\n\n"
			"It reads texts and compiles nothing, so the profile is to be tried, as standard error says, with what it is unsure of: headers that the tree lacks, types that "
			"are not known, and whether the driver looks at more of a number than its nr. docs/profile.md explains each key.\n\n"
			"list names the profiles that are built in, show prints one.",
		.options = profile_options,
		.examples = profile_examples,
		.run = cmd_profile,
	},
	{
		.name = "sniff",
		.group = CLI_LOOK_UP,
		.takes_rest = true,
		.summary = "what a command asks of the driver, call by call",
		.synopsis =
			"[-o TRACE] [OPTIONS] -- COMMAND [ARGUMENT...] | -p PID [OPTIONS] | --listen SOCKET [OPTIONS] | --replay TRACE --against VERSION",
		.description =
			"Runs COMMAND, and records the ioctls and shared mmaps that it and all that it starts make on the driver's devices: the arguments before "
			"and after, and what pointers in them lead to, as the headers of the driver's version say. Static programs, raw system calls, threads and "
			"children are seen like any other. Opens do not stop: that a device is open is recorded when it is first used. COMMAND's input, output and signals are its own; what drvabi says goes to standard error. A set-user-id program "
			"runs without its privilege, unless drvabi runs as root.\n\n"
			"At the end it says which ioctls were made, how often, with which answers, and what the proxy does with each: by --table, or gVisor's nvproxy, which is included. "
			"What is not supported is listed with the command that says what adding it takes; then comes the smallest set of capabilities that covers the rest. "
			"-v says each call as it ends, -q only what is not supported, and what could not be recorded.\n\n"
			"A trace is written call by call, and is whole up to its last call whatever happens. drvabi decode reads it, and --replay answers a workload from it. "
			"--format json writes what decode says of each call, a line each.\n\n"
			"With --replay, the devices that a trace names are answered from it: opens, stats, ioctls and mmaps. Each recorded call answers one with the same request and "
			"inputs, wherever its pointers lead; what has none is noted, and answered as by a driver that lacks the command. docs/sniff.md has the details.\n\n"
			"--against VERSION also says which of the ioctls that were made are another ABI in that version. With --replay and without COMMAND nothing runs: it is what "
			"drvabi decode --against says of the trace, on standard output.\n\n"
			"Tracing takes the capability SYS_PTRACE in a container.",
		.options = sniff_options,
		.formats = "trace|json",
		.examples = sniff_examples,
		.exit_status =
			"the command's, or its signal; with --enforce, 1 if the proxy does not support an ioctl, or not all could be recorded. Without COMMAND 0, whatever --against finds",
		.run = cmd_sniff,
	},
	{
		.name = "table",
		.group = CLI_PROXY,
		.summary = "a proxy's table with a patch applied",
		.synopsis = "merge TABLE PATCH [-o FILE]",
		.description =
			"Adds what a patch (drvabi-proxy-patch/1: types and versions, as drvabi bootstrap writes them) says to a table, and prints the "
			"whole table, sorted, one field or entry a line. TABLE is a file or the name of an included table, as for --table, and "
			"FILE may be the same file.\n\n"
			"A patch adds versions, types, and entries of versions that exist; it never changes what the table says at a version that it "
			"has. What would is an error that names its place in the patch, and so are a parent that is missing and versions that are "
			"their own parents. What the table has already in the same words changes nothing, so a patch may be merged twice.",
		.options = table_options,
		.examples = table_examples,
		.run = cmd_table,
	},
	{
		.name = "help",
		.group = CLI_HOUSEKEEPING,
		.takes_rest = true,
		.summary = "help on a command, or the source of its manual page",
		.synopsis =
			"[COMMAND|environment|files|classes] [--man] | --completion SHELL | --complete -- PROGRAM WORD...",
		.description =
			"Prints the help of a command, or of the program; or lists the environment variables that drvabi reads, its files, "
			"or the classes of changes. With --man, the same words as scdoc(5) source, from which "
			"the manual pages are built.",
		.options = help_options,
		.examples = help_examples,
		.run = NULL, /* main runs it */
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

	if (is_option)
		for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
			abi_nearest_name(&nearest, word, options[i]);
	for (const struct cli_command *command = cli_commands; command->name && !is_option; command++)
		abi_nearest_name(&nearest, word, command->name);
	if (nearest.count)
		strbuf_addf(&near, " (did you mean %s?)", nearest.name[0]);
	rc = err_set(err, ERR_USAGE, "there is no %s '%s'%s; drvabi --help lists %s",
		     is_option ? "option" : "command", word, strbuf_text(&near),
		     is_option ? "the commands, and their options follow them" : "them");
	strbuf_release(&near);
	return rc;
}
