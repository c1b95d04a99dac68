#!/usr/bin/env bash
# With a table, a diff begins with its verdict. The tests use the real driver and a small table of five entries.
. "$(dirname "$0")/lib.sh"

archive=$ROOT/data/nvidia.drvabi

# The entries are gVisor's at 580.95.05. Two of them have the types of 590.44.01.
cat >"$WORK/two.json" <<'TABLE'
{"format": "drvabi-proxy/1", "proxy": "small proxy", "revision": "", "driver": "nvidia",
 "types": {
  "Handle": {"size": 4, "fields": [{"name": "Val", "offset": 0, "type": "uint32"}], "role": "handle"},
  "Free": {"size": 24, "fields": [{"name": "Base", "offset": 0, "type": "uint64"}, {"name": "Length", "offset": 8, "type": "uint64"},
   {"name": "RMStatus", "offset": 16, "type": "uint32"}, {"name": "Pad0", "offset": 20, "type": "uint8[4]"}]},
  "FreeV590": {"size": 16, "fields": [{"name": "Base", "offset": 0, "type": "uint64"}, {"name": "RMStatus", "offset": 8, "type": "uint32"},
   {"name": "Pad0", "offset": 12, "type": "uint8[4]"}]},
  "Bar1": {"size": 16, "fields": [{"name": "DmaAddress", "offset": 0, "type": "uint64"}, {"name": "DmaSize", "offset": 8, "type": "uint64"}]},
  "Gpa": {"size": 8, "fields": [{"name": "Gpa", "offset": 0, "type": "uint64"}]},
  "P2P": {"size": 72, "fields": [{"name": "HSubDevice", "offset": 0, "type": "Handle"}, {"name": "HPeerSubDevice", "offset": 4, "type": "Handle"},
   {"name": "SubDevicePeerIDMask", "offset": 8, "type": "uint32"}, {"name": "PeerSubDevicePeerIDMask", "offset": 12, "type": "uint32"},
   {"name": "MailboxBar1Addr", "offset": 16, "type": "uint64"}, {"name": "MailboxTotalSize", "offset": 24, "type": "uint32"},
   {"name": "Flags", "offset": 28, "type": "uint32"}, {"name": "SubDeviceEgmPeerIDMask", "offset": 32, "type": "uint32"},
   {"name": "PeerSubDeviceEgmPeerIDMask", "offset": 36, "type": "uint32"}, {"name": "L2pBar1P2PDmaInfo", "offset": 40, "type": "Bar1"},
   {"name": "P2lBar1P2PDmaInfo", "offset": 56, "type": "Bar1"}]},
  "P2PV590": {"size": 88, "fields": [{"name": "P2P", "offset": 0, "type": "P2P"}, {"name": "L2pFabricP2PInfo", "offset": 72, "type": "Gpa"},
   {"name": "P2lFabricP2PInfo", "offset": 80, "type": "Gpa"}]}},
 "versions": [
  {"version": "580.95.05", "parent": null, "supported": true, "ioctls": {
   "uvm": {"UVM_FREE": {"number": 34, "constant": "UVM_FREE", "caps": ["compute"], "structs": [{"driver": "UVM_FREE_PARAMS", "proxy": "Free"}]}},
   "alloc": {"NV50_P2P": {"number": 20539, "constant": "NV50_P2P", "caps": ["compute"], "structs": [{"driver": "NV503B_ALLOC_PARAMETERS", "proxy": "P2P"}]}},
   "control": {
    "NV2080_CTRL_CMD_GPU_GET_NAME_STRING": {"number": 545259792, "constant": "NV2080_CTRL_CMD_GPU_GET_NAME_STRING", "caps": ["compute"],
     "structs": [{"driver": "NV2080_CTRL_GPU_GET_NAME_STRING_PARAMS", "proxy": null}]},
    "NV00F1_CTRL_CMD_GET_FABRIC_EVENTS": {"number": 15794177, "constant": "NV00F1_CTRL_CMD_GET_FABRIC_EVENTS", "caps": ["compute"],
     "structs": [{"driver": "NV00F1_CTRL_GET_FABRIC_EVENTS_PARAMS", "proxy": null}]},
    "NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2": {"number": 545267862, "constant": "NV2080_CTRL_CMD_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2",
     "caps": ["compute"], "structs": [{"driver": "NV2080_CTRL_PERF_GET_GPUMON_PERFMON_UTIL_SAMPLES_V2_PARAMS", "proxy": null}]}}}},
  {"version": "590.44.01", "parent": "580.95.05", "supported": true, "ioctls": {
   "uvm": {"UVM_FREE": {"number": 34, "constant": "UVM_FREE", "caps": ["compute"], "structs": [{"driver": "UVM_FREE_PARAMS", "proxy": "FreeV590"}]}},
   "alloc": {"NV50_P2P": {"number": 20539, "constant": "NV50_P2P", "caps": ["compute"], "structs": [{"driver": "NV503B_ALLOC_PARAMETERS", "proxy": "P2PV590"}]}}}}]}
TABLE
jq 'del(.versions[1])' "$WORK/two.json" >"$WORK/one.json"

# differ BASE NEXT TABLE [OPTION...] - run drvabi diff
differ() {
	local base=$1 next=$2 table=$3
	shift 3
	run_differ --archive "$archive" "$base" "$next" --table "$table" "$@"
}

# verdict - print the first sentence of the report as one line
verdict() {
	sed '/^$/Q' "$OUT" | sed '/^  /d' | tr '\n' ' ' | sed 's/ $//'
}

# expect_verdict TEXT - pass if this is the verdict
expect_verdict() {
	expect "the verdict is: $1" [ "$(verdict)" = "$1" ]
}

it 'no node fits'
differ 580.95.05 590.48.01 one.json
expect_status 1
expect_err_empty
expect_verdict '590.48.01 needs a new node: 5 forwarded records changed, and small proxy reads 2 of them'
expect_out_like "^  With node 580\\.95\\.05, verify has [0-9]+ findings that it does not have at 580"
sed '/^What small proxy does not forward/Q' "$OUT" >"$WORK/needs.txt"
expect_same_golden() { cp "$1" "$OUT" && expect_out_is "$2"; }
expect_same_golden "$WORK/needs.txt" needs.txt

it 'as JSON'
differ 580.95.05 590.48.01 one.json --format json
expect_json 'the verdict is in JSON' '.verdict | .fit == "needs-new-node" and .node == null and .follows == "580.95.05" and .records == 5 and .read == 2
	and .entries == 3 and .read_entries == 2 and ([.findings[].entry] | unique == ["NV50_P2P", "UVM_FREE"])'
expect_json 'records that the proxy reads are first' '[.changes[] | select(.use == "read").name] == [.changes[:2][].name]
	and [.changes[:2][].name] == ["UVM_FREE_PARAMS", "NV503B_ALLOC_PARAMETERS"]'
expect_json 'every change has a use' 'all(.changes[]; (.use | IN("read", "unread", "none")) and (.use == "none" or .proxied))'
expect_json 'a new record inside a changed record has no use of its own' '.changes[] | select(.name == "NV503B_FABRIC_P2P_DMA_INFO")
	| .use == "none" and .inside == "NV503B_ALLOC_PARAMETERS" and .proxied'
expect_json 'an indirect change has its cause' '[.changes[] | select(.name == "NV00F1_CTRL_FABRIC_EVENT", .name == "NV00F1_CTRL_GET_FABRIC_EVENTS_PARAMS").because[]]
	| sort == ["NV00F1_CTRL_ATTACH_REMOTE_GPU_EVENT_DATA", "NV00F1_CTRL_FABRIC_EVENT"]'

it 'the node of an ancestor fits'
differ 590.44.01 595.45.04 two.json
expect_verdict '595.45.04 can use the node of 590.44.01: 2 forwarded records changed, and small proxy reads none of them'

it 'the version has a node'
differ 580.95.05 590.44.01 two.json
expect_verdict 'small proxy has a node for 590.44.01: 5 forwarded records changed, and small proxy reads 2 of them'

it 'nothing changed'
differ 590.48.01 590.48.01 two.json
expect_status 0
expect_verdict '590.48.01 can use the node of 590.44.01: nothing that small proxy forwards changed'

it 'in reverse order'
differ 590.48.01 580.95.05 two.json -q
expect_verdict 'small proxy has a node for 580.95.05: 5 forwarded records changed, and small proxy reads 2 of them'

it 'a version that is older than the table'
differ 535.43.02 515.43.04 two.json -q
expect 'is reported' grep -q "^515\.43\.04 is older than the table's first node, 580\.95\.05, which does not fit" "$OUT"

it 'an unread record gets a process id'
differ 515.43.04 550.54.14 one.json -q
expect_out_like '^What small proxy passes through unread, and must now handle because of a'
expect_out_like '^    new   pid samples\[\]\.nvjpg\.procId, pid samples\[\]\.nvofa\.procId$'
differ 515.43.04 550.54.14 one.json -q --format json
expect_json 'JSON has the field' '[.changes[] | select(.section == "handler") | .new_roles[].path] | index("samples[].nvofa.procId") != null'
expect_json 'the record inside is not counted' '.verdict.handlers == 1'
differ 515.43.04 580.95.05 one.json -q
expect_out_unlike 'must now handle'

it 'documents and directories'
run extract 590.48.01 --archive "$archive" -o next.json
run_differ --archive "$archive" --base 590.44.01 --next-json next.json --table two.json
expect 'without a commit graph, the node is unknown' grep -q "^It is unknown which node 590\.48\.01 can use (next\.json is a document, so its$" "$OUT"
expect_out_unlike 'can use the node'

it 'line lengths'
for pair in '580.95.05 590.48.01' '550.54.14 570.86.15' '515.43.04 595.45.04'; do
	# shellcheck disable=SC2086 # two words
	differ $pair two.json -q
	awk 'length($0) > 80 && NF > 3' "$OUT" >"$WORK/long"
	expect "$pair: lines longer than 80 columns have one name" [ ! -s "$WORK/long" ]
	expect "$pair: no line ends with a space" [ "$(grep -c ' $' "$OUT")" = 0 ]
done

it 'Markdown fits into a comment on GitHub'
for table in '--table two.json' ''; do
	for pair in '550.54.14 570.86.15' '515.43.04 595.45.04'; do
		# shellcheck disable=SC2086 # words
		run_differ --archive "$archive" $pair $table --format markdown -q
		expect "$pair $table: at most 65536 characters" [ "$(wc -m <"$OUT")" -le 65536 ]
		expect "$pair $table: more than 60000 characters" [ "$(wc -m <"$OUT")" -gt 60000 ]
		expect_out_like '^To fit into 65536 characters, this report leaves out the fields of [0-9]+ changes'
		expect "$pair $table: its code blocks are closed" [ $(($(grep -c '^```' "$OUT") % 2)) = 0 ]
		expect "$pair $table: its details are closed" [ "$(grep -c '^<details>' "$OUT")" = "$(grep -c '^</details>' "$OUT")" ]
	done
done
run_differ --archive "$archive" 515.43.04 595.45.04 --class number,added --record '*' --format markdown -q
expect_out_like "^To fit .*\. \`run_differ 515\.43\.04 595\.45\.04 --class number,added --record '\*' -v\` shows all\.$"
differ 580.95.05 590.48.01 one.json --format markdown
expect 'the verdict is first' [ "$(head -1 "$OUT")" = '**590.48.01 needs a new node: 5 forwarded records changed, and small proxy reads 2 of them**' ]
expect_out_unlike 'To fit into'

# accept LINE... - run diff with these suppressions, on 2023-11-14
accept() {
	printf '%s\n' "$@" >"$WORK/accepted"
	run_differ SOURCE_DATE_EPOCH=1700000000 --archive "$archive" 580.95.05 590.48.01 --table one.json --record 'UVM_FREE*' --suppress accepted
}

it '--suppress'
accept 'layout UVM_FREE_PARAMS 590.48.01 never handled in FreeV590'
expect_status 0
expect_out_like '^  1 change suppressed by accepted$'
expect_out_like '^  no other such difference$'
accept '* UVM_FREE* 590.. never any class'
expect_status 0

it 'one class of several'
run_differ --archive "$archive" 580.95.05 590.48.01 --record NV2080_CTRL_NVLINK_GET_NVLE_ENCRYPT_EN_INFO_PARAMS --fail-on growth,layout
expect_status 1
printf 'growth NV2080_CTRL_NVLINK_* * never x\n' >"$WORK/accepted"
run_differ --archive "$archive" 580.95.05 590.48.01 --record NV2080_CTRL_NVLINK_GET_NVLE_ENCRYPT_EN_INFO_PARAMS --suppress accepted
expect_status 1
run_differ --archive "$archive" 580.95.05 590.48.01 --record NV2080_CTRL_NVLINK_GET_NVLE_ENCRYPT_EN_INFO_PARAMS --suppress accepted --fail-on growth
expect_status 0
expect_out_like 'bMmuNvlinkEncryptEn'

it 'an expired line'
accept 'layout UVM_FREE_PARAMS * 2023-11-13 too late'
expect_status 1
expect_out_like '^ +expired +accepted:1  layout  UVM_FREE_PARAMS'
expect_out_like 'struct UVM_FREE_PARAMS'

it 'an unused line'
accept 'layout UVM_FREE_PARAMS * never x' 'layout UVM_MALLOC* * never y' 'layout UVM_FREE* 535.43.02 never of another version'
expect_status 0
expect_out_like '^ +unused +accepted:2  layout  UVM_MALLOC'
expect_out_unlike 'accepted:3'
run_differ --archive "$archive" 580.95.05 590.48.01 --suppress accepted --format json
expect_json 'JSON has the states' '.suppressed == 1 and [.suppressions[].state] == ["used", "unused", "untried"]'

it 'malformed lines'
accept 'not-simple UVM_FREE_PARAMS * never x'
expect_cannot "^drvabi: accepted:1: 'not-simple' is not a class of changes; use translation, layout, .*$"
accept 'layout UVM_FREE_PARAMS * never'
expect_cannot '^drvabi: accepted:1: a line must be '

it '--fail-on'
differ 590.44.01 595.45.04 two.json --fail-on number,added
expect_status 1
differ 590.44.01 595.45.04 two.json --record UVM_FREE --fail-on layout,translation
expect_status 0
differ 590.44.01 595.45.04 two.json --fail-on size
expect_cannot "^drvabi: --fail-on: 'size' is not a class of changes or group of the report; use "

done_testing
