#!/usr/bin/env bash
# drvabi bootstrap --trace: capabilities from recorded workloads replace guesses.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit

# GPU_GET_PIDS in the workload's calls becomes a command that is not in the table.
logged basic basic
sed 's/8d018020/61138020/g' basic.log | "$SNIFF/make-trace" >a.trace
cp a.trace b.trace
missing=NV2080_CTRL_CMD_FB_GET_REMAPPED_BANKS

# add ARGUMENT... - add an ioctl to the included table
add() {
	run bootstrap --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --add "$@"
}

it 'without a trace'
add "$missing"
expect_status 0
expect_out_unlike 'observed'

it 'a trace'
add "$missing" --trace graphics=a.trace
expect_status 0
expect_out_like 'caps graphics \(observed in a\.trace\)$'
add "$missing" --trace graphics=./a.trace --trace video=b.trace --format json
expect_json 'gives capabilities and evidence' '.candidates[0] | .caps == ["graphics", "video"] and .evidence == "observed in a.trace, b.trace"'
expect_json 'the new entries have these capabilities' '[.entries[].caps] | length > 0 and all(. == ["graphics", "video"])'
add "$missing" --trace video=a.trace --trace graphics=a.trace
expect_out_like 'caps graphics\+video \(observed in a\.trace\)$'

it 'the caller of an ioctl'
for trace in a b; do
	jq -n '{kind: "header", version: "590.48.01", target: "x86_64-linux-gnu"}' -c >who.json
	"$SNIFF/make-trace" --text a.trace | jq -c --arg library "lib$trace.so.1" 'select(.kind == "ioctl") | del(.memory[].size) | .caller = $library + " function" + (.tid % 2 | tostring)
		| .descriptors = .fds' >>who.json
	"$ROOT/scripts/make-trace" <who.json >"who-$trace.trace"
done
add "$missing" --trace graphics=who-a.trace --trace graphics=who-b.trace --format json
expect_json 'is in the evidence' '.candidates[0].evidence | test("^observed in who-a.trace \\(called by liba.so.1 function[01]\\), who-b.trace \\(called by libb.so.1 function[01]\\)$")'

it 'calls that the driver rejected'
add 0xc640 --trace graphics=a.trace
expect_status 0
expect_out_unlike 'observed'
sed -E 's/"ret": 0, ("error": 0, "before": "[0-9a-f]*8d018020)/"ret": -1, \1/' basic.log | sed 's/8d018020/61138020/g' |
	"$SNIFF/make-trace" >failed.trace
add "$missing" --trace graphics=failed.trace
expect_out_unlike 'observed'

it 'a new version'
# NV0073_CTRL_CMD_SYSTEM_VALIDATE_SRM is new in 595.45.04.
sed 's/8d018020/18017300/g' basic.log | "$SNIFF/make-trace" --version 595.45.04 >new.trace
run bootstrap 595.45.04 --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --trace display=new.trace --format json
expect_status 0
expect_json 'has the new ioctl as a candidate' '[.candidates[] | select(.evidence == "observed in new.trace") | [.number, .caps[]]] == [[7536920, "display"]]'

it "a trace of gVisor's hook, which has no version"
sed -E 's/"before": "[^"]*"/"before": null/' basic.log | sed 's/8d018020/61138020/g' | "$SNIFF/make-trace" --version '' >hook.trace
add "$missing" --trace graphics=hook.trace
expect_out_like 'caps graphics \(observed in hook\.trace\)$'

it 'a trace without calls of the driver'
"$SNIFF/make-trace" </dev/null >empty.trace
add "$missing" --trace compute=empty.trace
expect_status 0
expect_err_like '^drvabi: note: empty\.trace has no ioctl that the driver accepted$'

it 'errors'
add "$missing" --trace a.trace
expect_cannot "\-\-trace takes CAP=TRACE, with one of the capabilities [a-z0-9, -]+, not 'a\.trace'\$"
add "$missing" --trace computer=a.trace
expect_cannot "not 'computer=a\.trace'\$"
add "$missing" --trace compute=
expect_cannot "not 'compute='\$"
add "$missing" --trace compute=lacking.trace
expect_cannot 'lacking\.trace: '
add "$missing" --trace compute="$ROOT/README.md"
expect_cannot 'README\.md is not a trace'
"$SNIFF/make-trace" --version 1.2.3 <basic.log >strange.trace
add "$missing" --trace compute=strange.trace
expect_cannot 'strange\.trace.*1\.2\.3'

it 'a trace whose name has control characters'
cp a.trace $'a\e[31m.trace'
add "$missing" --trace $'compute=a\e[31m.trace'
expect_status 0
expect 'is escaped' sh -c '! grep -q "$(printf "\033")" "$1"' sh "$OUT"

done_testing
