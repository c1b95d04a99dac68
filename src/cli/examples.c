#include "cli/examples.h"

const struct cli_example diff_examples[] = {
	{ "run_differ 550.54.14 570.86.15", "everything that changed" },
	{ "run_differ 580.95.05..590.48 --class translation,layout", "only what moved; 590.48 is short for 590.48.01" },
	{ "run_differ --base 570.133.20 --next 575.51.02 --table nvproxy", "what a proxy forwards comes first" },
	{ "run_differ --base 580.95.05 --next 590.48.01 --format markdown -o report.md", "for a pull request" },
	{ "drvabi diff --base-json old.json --next-json new.json", "two documents, no repository" },
	{ NULL, NULL },
};

const struct cli_example extract_examples[] = {
	{ "drvabi extract 550.54.14 -o 550.json", "one version's document" },
	{ "drvabi extract --dir /usr/include --profile linux-drm", "another driver's headers, from a directory" },
	{ "drvabi extract 570.86.16 --constants 'NV2080_CTRL_FB_INFO_*'", "with the values that this command takes" },
	{ "drvabi extract --input names.json file.cc -- -I include", "in place of gVisor's driver_ast_parser" },
	{ NULL, NULL },
};

const struct cli_example flatten_examples[] = {
	{ "drvabi flatten --version 590.48.01 --record NVOS54_PARAMETERS", "one record as a table" },
	{ "drvabi extract 590.48.01 | drvabi flatten --format json | jq .records", "from a document in a pipe" },
	{ NULL, NULL },
};

const struct cli_example show_examples[] = {
	{ "drvabi show NV_CHANNEL_ALLOC_PARAMS --version 570.86.15", "a record: offsets, holes, roles, who carries it" },
	{ "drvabi show 0x20801358", "what is this control command, and since when?" },
	{ "drvabi show 0x20801358 --table nvproxy", "and does the proxy forward it?" },
	{ "drvabi show 'NVOS*'", "every name that matches" },
	{ "drvabi show --format c --expand NVOS54_PARAMETERS 0x2080018d", "a header with all that these need" },
	{ NULL, NULL },
};

const struct cli_example verify_examples[] = {
	{ "drvabi verify --table nvproxy", "every version that the proxy supports" },
	{ "drvabi verify --table nvproxy --version 580.95.05", "one version, against the node that it follows" },
	{ "drvabi verify --table nvproxy --format junit -o verify.xml", "for CI" },
	{ "drvabi verify --table nvproxy --strict --suppress accepted.txt", "for CI: a version that could not be checked fails, too" },
	{ "drvabi verify --table nvproxy --all-nodes --suppress accepted.txt", "all nodes, without the accepted findings" },
	{ "drvabi verify --table nvproxy --all-nodes --write-suppress accepted.txt", "today's findings, to be reviewed and accepted" },
	{ "drvabi extract 590.48.01 | drvabi verify --table nvproxy --json -", "one document, no repository" },
	{ "drvabi verify --table nvproxy --caps", "the attack surface, in numbers" },
	{ "drvabi verify --table-from-header proxy.h --version 580.95.05 -- -I include", "a proxy that is written in C" },
	{ NULL, NULL },
};

const struct cli_example surface_examples[] = {
	{ "drvabi surface 590.48.01 --family control --caller non-privileged", "what any process may call" },
	{ "drvabi surface 590.48.01 --role pid,fd --table nvproxy", "where are process ids and file descriptors?" },
	{ "drvabi surface --table nvproxy --caps graphics,video", "what two capabilities expose" },
	{ "drvabi surface 590.48.01 --table nvproxy --caps all --since 550.90.12", "and what of it is new" },
	{ "drvabi surface --format json | jq -r '.ioctls[] | [.name, .number] | @csv'", "for a spreadsheet" },
	{ NULL, NULL },
};

const struct cli_example pids_examples[] = {
	{ "drvabi pids 590.48.01", "where are process ids?" },
	{ "drvabi pids 590.48.01 --table nvproxy", "and which of them does the proxy forward?" },
	{ "drvabi pids --format json | jq -r '.ioctls[].name'", "for a program" },
	{ NULL, NULL },
};

const struct cli_example history_examples[] = {
	{ "drvabi history NV_CHANNEL_ALLOC_PARAMS", "since when is it so, and what was it before?" },
	{ "drvabi history 0x20801358", "every command that had this number, and what each carried" },
	{ "drvabi history 580.65.06", "all that this version changed" },
	{ "drvabi history 580.95.05..590.48.01 --class translation", "what changed for 590.48.01 since 580.95.05" },
	{ "drvabi history 580..590 NV_CHANNEL_ALLOC_PARAMS", "of one record, in all versions from 580.* to 590.*" },
	{ "drvabi history --table nvproxy --format json -o history.json", "what a proxy forwards, for a program" },
	{ "drvabi history --format html -o history.html", "a picture of all releases, for a browser" },
	{ NULL, NULL },
};

const struct cli_example blame_examples[] = {
	{ "drvabi blame NV_CHANNEL_ALLOC_PARAMS", "which version made each field what it is?" },
	{ "drvabi blame NVOS32_PARAMETERS.data.AllocSize --version 550.54.14", "one field and what is in it" },
	{ "drvabi blame 0x2080012f", "the parameters of a command" },
	{ NULL, NULL },
};

const struct cli_example archive_examples[] = {
	{ "drvabi archive write -o nvidia.drvabi", "every tag of the repository" },
	{ "drvabi archive write 550.54.14 570.86.15 -o two.drvabi", "these only" },
	{ "drvabi archive write --add nvidia.drvabi", "and what was released since" },
	{ "drvabi archive list nvidia.drvabi", "which versions it has" },
	{ "run_differ --archive nvidia.drvabi --base 550.54.14 --next 570.86.15", "no repository is needed" },
	{ NULL, NULL },
};

const struct cli_example cache_examples[] = {
	{ "drvabi cache", "what it has, and how much" },
	{ "drvabi cache prune", "remove damaged documents and files of killed runs" },
	{ "drvabi cache clear all", "remove every document and every clone" },
	{ NULL, NULL },
};

const struct cli_example ranges_examples[] = {
	{ "drvabi ranges --table nvproxy", "which versions may share a node of the table?" },
	{ "drvabi ranges --table nvproxy --notion strict --prove", "no scalar of any record differs, and diff agrees" },
	{ NULL, NULL },
};

const struct cli_example profile_examples[] = {
	{ "drvabi profile init --dir linux/drivers/misc/toy -o toy.json", "a first profile, out of the headers that make ioctls" },
	{ "drvabi surface --profile toy.json --dir linux/drivers/misc/toy", "and what does it find?" },
	{ "drvabi profile list", "which profiles are built in?" },
	{ "drvabi profile show linux-kfd", "and what does one say?" },
	{ NULL, NULL },
};

const struct cli_example sniff_examples[] = {
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

const struct cli_example table_examples[] = {
	{ "drvabi table merge nvproxy out/table.patch.json -o new.json", "add what drvabi bootstrap -o out wrote" },
	{ "drvabi verify --table new.json", "and does it fit the driver?" },
	{ NULL, NULL },
};

const struct cli_example bootstrap_examples[] = {
	{ "drvabi bootstrap 590.48.01 --table nvproxy", "a new driver is out: what does it take?" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy -o out", "and the report, the table's patch and the structs as files" },
	{ "drvabi bootstrap --add 0x20801361 --table nvproxy", "one more command, by its number in a log" },
	{ "drvabi bootstrap 590.48.01 --table nvproxy --trace video=encode.trace", "with what a workload was seen to use" },
	{ NULL, NULL },
};

const struct cli_example gen_examples[] = {
	{ "drvabi gen --lang c NVOS54_PARAMETERS 'UVM_FREE*'", "records with all that they need, and numbers" },
	{ "drvabi gen --lang rust --versions 550..590 'UVM_*' -o uvm.rs", "every layout that these versions have" },
	{ "drvabi gen --lang python --version 580.105.08 '*' -o nv_580.py", "all there is, for ctypes" },
	{ "drvabi gen --lang go --style nvproxy UVM_FREE_PARAMS", "as gVisor's nvproxy declares it" },
	{ "drvabi gen --lang c --constants 'NV2080_CTRL_FB_INFO_INDEX_*'", "values of a field, out of the driver's sources" },
	{ "drvabi gen --pid-shim c --versions .. -o pids.h", "code that translates the pids in ioctls" },
	{ "drvabi gen --lang go --table nvproxy -o types.go", "the types that a proxy's table has" },
	{ NULL, NULL },
};

const struct cli_example decode_examples[] = {
	{ "drvabi decode runsc.log --table nvproxy", "what the log names, and what the proxy does with it" },
	{ "drvabi decode runsc.log --table nvproxy --format summary", "each distinct ioctl once, and how to forward what is not" },
	{ "drvabi decode --control 0x20803801", "one command" },
	{ "drvabi decode --control 0x20802068 08000000", "and the bytes of its parameters" },
	{ "drvabi decode 0xc020462a HEX 0x7ebe51113480=HEX", "a request with its argument, and what a pointer in it points to" },
	{ NULL, NULL },
};

const struct cli_example help_examples[] = {
	{ "drvabi help diff", "the same as drvabi diff --help" },
	{ ". <(drvabi help --completion bash)", "TAB in this bash, where make install has not put it" },
	{ NULL, NULL },
};
