#!/usr/bin/env bash
# drvabi sniff: the summary of a workload, whether the proxy supports its calls, and the exit status.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

cp "$ROOT/data/nvproxy.json" nvproxy.json
sniffed=(sniff --archive "$ROOT/data/nvidia.drvabi")
logged basic basic
program=("$WORKLOAD_STATIC" --any-answer --log log basic)

# A table without two entries of gVisor's: a patch removes them at a version after all others.
python3 - <<'END'
import json

with open("nvproxy.json", encoding="utf-8") as file:
    table = json.load(file)


def prune(node):
    if isinstance(node, dict):
        return {key: prune(value) for key, value in node.items()
                if key not in ("NV2080_CTRL_CMD_GPU_GET_NAME_STRING", "UVM_PAGEABLE_MEM_ACCESS")}
    return [prune(one) for one in node] if isinstance(node, list) else node


with open("fewer.json", "w", encoding="utf-8") as file:
    json.dump(prune(table), file)
with open("other.json", "w", encoding="utf-8") as file:
    json.dump(dict(prune(table), proxy="another proxy"), file)
END

it 'the summary'
run "${sniffed[@]}" --table nvproxy.json --replay basic.trace -- "${program[@]}"
expect_status 0
expect_out_empty
expect_err_is summary.txt

it 'with unsupported calls'
run "${sniffed[@]}" --table fewer.json --replay basic.trace -- "${program[@]}"
expect_status 0
tail -n 5 "$ERR" >last
expect_file_is last unsupported.txt
run "${sniffed[@]}" --table fewer.json -q --replay basic.trace -- "${program[@]}"
expect_status 0
expect_err_is quiet.txt

it "gVisor's criterion is used only for its tables"
# nvproxy also rejects the class and the command that the driver rejects.
run "${sniffed[@]}" --table other.json -q --replay basic.trace -- "${program[@]}"
expect_err_like '^not supported: alloc 0xc640 AMPERE_SMC_MONITOR_SESSION$'

it '--enforce report'
run "${sniffed[@]}" --table nvproxy.json --enforce report -q --replay basic.trace -- "${program[@]}"
expect_status 0
run "${sniffed[@]}" --enforce report -q --table fewer.json --replay basic.trace -- "${program[@]}"
expect_status 1
expect_err_like '^not supported: control 0x20800110 NV2080_CTRL_CMD_GPU_GET_NAME_STRING$'

it '--enforce instant'
rm -f log
run "${sniffed[@]}" --table nvproxy.json --enforce instant -q --replay basic.trace -- "${program[@]}"
expect_status 0
expect 'all calls were made' [ "$(wc -l <log)" = "$(wc -l <basic.log)" ]
rm -f log
run "${sniffed[@]}" --enforce instant -q --table fewer.json --replay basic.trace -o trace -- "${program[@]}"
expect_status 1
expect_err_like '^drvabi: the workload was ended, because the ioctl above is not supported$'
expect 'only the calls before the unsupported call were made' [ "$(wc -l <log)" = 7 ]
run decode --archive "$ROOT/data/nvidia.drvabi" --format json trace
expect_json 'the unsupported call is the last one of the trace' -s '.[-1].name == "UVM_PAGEABLE_MEM_ACCESS"'

it '-v'
logged fds fds
run "${sniffed[@]}" --table nvproxy.json -v --replay fds.trace -- "$WORKLOAD_STATIC" --log log fds
expect_status 0
expect_out_empty
expect 'prints each call like decode' grep -q '^frontend 0xc9 NV_ESC_REGISTER_FD' "$ERR"

it '--format json'
run "${sniffed[@]}" --table nvproxy.json -q --format json -o calls.json --replay fds.trace -- "$WORKLOAD_STATIC" --log log fds
expect_status 0
expect_err_empty
run "${sniffed[@]}" --table nvproxy.json -q -o fds.recorded --replay fds.trace -- "$WORKLOAD_STATIC" --log log fds
run decode --archive "$ROOT/data/nvidia.drvabi" --table nvproxy.json --format json fds.recorded
# Process ids, times and addresses differ between runs.
settled() {
	jq -cS 'walk(if type == "object" then del(.pid, .tid, .start_ns, .end_ns, .address) else . end) | del(.. | select(type == "object" and .role? == "pointer"))' "$1"
}
expect "equals decode's output for the trace" diff <(settled calls.json) <(settled "$OUT")

done_testing
