#!/usr/bin/env bash
# drvabi pids: the ioctls with process ids, and the fields, for the real driver in the included archive.
. "$(dirname "$0")/lib.sh"
fixture

archive=$ROOT/data/nvidia.drvabi

# pids ARGUMENT... - run pids for the real driver
pids() {
	run pids --archive "$archive" "$@"
}

# field WHAT NUMBER PATH EXPECTED - compare offset, stride, maximum, count and direction of one field
field() {
	expect_json "$1" "[.ioctls[] | select(.number == $2 and .family != \"uvm-test\") | .pids[] | select(.path == \"$3\") | [.offset, .stride, .max, .count, .direction]] == [$4]"
}

it '590.48.01'
pids 590.48.01
expect_status 0
expect_err_empty
expect_out_is 590.txt
expect 'no line is longer than 80 columns' lib_lacks '.{81}' "$OUT"

it 'fields that people found in the source'
pids 590.48.01 --format json
expect_json 'has the format and the version' '.format == "drvabi-pids/1" and .version == "590.48.01"'
expect_json 'has the sizes of records' '[.ioctls[] | select(.number == (545259917, 545259918)).size] == [3812, 14408]'
field GET_PIDS 545259917 'pidTbl[]' '[12, 4, 950, "pidTblCount", "out"]'
field GET_PID_INFO 545259918 'pidInfoList[].pid' '[8, 72, 200, "pidInfoListCount", "in"]'
field 'process accounting' 2819 pid '[4, 0, 1, null, "inout"]'
field 'process accounting, guest' 2819 subPid '[8, 0, 1, null, "in"]'
field 'accounting pids, of whom' 2820 pid '[4, 0, 1, null, "in"]'
field 'accounting pids' 2820 'pidTbl[]' '[8, 4, 4000, "pidCount", "out"]'
for number in 2817 2818 2821; do
	field "accounting state $number" "$number" pid '[4, 0, 1, null, "in"]'
done
field NVENC 545259951 'sessionInfoTbl[].processId' '[4, 32, 512, "sessionInfoTblEntry", "out"]'
field NVFBC 545259900 'sessionInfoTbl[].processId' '[4, 52, 256, "sessionInfoCount", "out"]'
offset=32
for engine in fb gr nvenc nvdec nvjpg nvofa; do
	field "GPUMON $engine" 545267862 "samples[].$engine.procId" "[$offset, 776, 72, null, \"out\"]"
	offset=$((offset + 128))
done
field 'sub process' 2305 subProcessID '[0, 0, 1, null, "in"]'
field 'RC error report' 1543 processId '[32, 0, 1, null, "out"]'
field HWPM 2429288707 pid '[4, 0, 1, null, "out"]'
field UVM_ADD_SESSION 10 pidTarget '[0, 0, 1, null, "in"]'
expect_json 'has the fields of channels' '[.ioctls[] | select(.name | endswith("CHANNEL_GPFIFO") or contains("CHANNEL_GPFIFO_")) | [.pids[].offset]] | length == 11 and unique == [[296, 300]]'
expect_json 'sub-process ids are those of a guest' 'all(.ioctls[].pids[]; (.path | test("sub_?p"; "i")) == (.of == "guest"))'
expect_json 'all fields have evidence' 'all(.ioctls[].pids[]; .evidence | length > 10)'

# converts VERSION EXPECTED - compare whether the driver converts GET_PIDS, GET_PID_INFO, accounting, its table, samples, NVENC and NVFBC
converts() {
	pids "$1" --format json
	expect_json "$1" "[[545259917, \"pidTbl[]\"], [545259918, \"pidInfoList[].pid\"], [2819, \"pid\"], [2820, \"pidTbl[]\"], [545267862, \"samples[].gr.procId\"], [545259900, \"sessionInfoTbl[].processId\"]] as \$wanted | . as \$all | [\$wanted[] as \$w | \$all.ioctls[] | select(.number == \$w[0] and .family == \"control\") | .pids[] | select(.path == \$w[1]).driver_converts] == [$2]"
}

it 'ids that the driver converts'
converts 515.43.04 'false, false, false, false, false, false'
converts 535.43.23 'false, false, false, false, false, false'
converts 535.43.24 'true, false, false, false, false, false'
converts 535.54.03 'false, false, false, false, false, false'
converts 535.113.01 'true, false, false, false, false, false'
converts 560.35.03 'true, false, false, false, false, false'
converts 565.57.01 'true, true, false, false, false, false'
converts 570.86.15 'true, true, true, true, true, false'
converts 570.123.11 'true, true, true, false, true, false'
converts 570.124.04 'true, true, true, true, true, false'
converts 570.133.20 'true, true, true, false, true, false'
converts 595.45.04 'true, true, true, false, true, false'
expect_json 'has the version since which the driver converts' '[.ioctls[] | select(.number == 545259917) | .pids[] | .driver_converts_since, .driver_converts_until] == [["535.43.24", "535.113.01"], ["535.54.03"]]'

it 'with a table'
pids 590.48.01 --table "$ROOT/data/nvproxy.json"
expect_out_like '9 of them forwarded \(\*\) by gvisor$'
expect_out_like '^\* control   0x2080018d  NV2080_CTRL_CMD_GPU_GET_PIDS$'
expect_out_like '^                        passed through unread, by compute, utility$'
expect 'no line is longer than 80 columns' lib_lacks '.{81}' "$OUT"
pids 590.48.01 --table "$ROOT/data/nvproxy.json" --format json
expect_json 'has read, unread and none' '[.ioctls[] | select(.number == (545259917, 50287, 2820)) | .use] | sort == ["none", "read", "unread"]'
pids 590.48.01 --table "$ROOT/data/nvproxy.json" --format markdown
expect_out_is 590.md

it 'all releases'
for version in 515.43.04 525.105.17 535.261.03 545.29.06 550.163.01 555.58.02 575.64.05 580.142; do
	pids "$version" --format json
	expect_json "$version: all directions are known" '(.ioctls | length) > 15 and all(.ioctls[].pids[]; .direction != null)'
done

it 'a commit'
run extract --archive "$archive" 590.48.01
sed 's/"version": "590.48.01"/"version": "main"/' "$OUT" >"$WORK/main.json"
run pids --json main.json --format json
expect_json 'conversion is unknown' 'all(.ioctls[].pids[]; .driver_converts == null)'

it 'a driver without use rules'
cp "$ROOT/src/extract/profiles/nvidia.json" "$WORK/other.json"
run pids --profile other.json --repo "$REPO" 120.01.00 --format json
expect_status 0
expect_json 'has no directions' 'all(.ioctls[].pids[]; .direction == null and .count == null)'

it 'an unknown version'
pids 590.48.99
expect_cannot 'no version 590\.48\.99'
pids 590.48.01 595.45.04
expect_cannot 'pids reads one version; --versions A..B reads several$'


it '--shim equals gen --pid-shim'
pids 590.48.01 --shim c
expect_status 0
cp "$OUT" "$WORK/shim.h"
run gen --archive "$archive" --pid-shim c --version 590.48.01
expect_same 'the output has the same bytes' "$OUT" "$WORK/shim.h"
pids 590.48.01 --shim c --format json
expect_cannot '^drvabi: --shim and --format cannot be used together: both are forms of output$'

it '--versions prints each version that differs, and the versions that are equal to the version before'
pids --versions 580,590.44.01..590.48.01
expect_status 0
expect 'two reports, and two lines for equal versions' test "$(grep -c '^nvidia 5' "$OUT")" = 4
expect_out_like '^nvidia 580\.76\.05\.\.580\.142: the same as 580\.65\.06$'
expect_out_like '^nvidia 590\.48\.01: the same as 590\.44\.01$'
pids --versions 580.95.05,590.48.01 --format json
expect_json 'JSON is an array' 'map([.format, .version]) == [["drvabi-pids/1", "580.95.05"], ["drvabi-pids/1", "590.48.01"]]'
pids 590.48.01 --versions 580..590
expect_cannot '^drvabi: --versions and 590\.48\.01 both name what to read; give one$'
done_testing
