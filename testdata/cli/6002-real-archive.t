#!/usr/bin/env bash
# The included archive of the real driver: its contents, and that it needs no repository.
. "$(dirname "$0")/lib.sh"

archive=$ROOT/data/nvidia.drvabi

it 'the versions'
run archive list "$archive" --format json
expect_status 0
expect_json 'are those in the documentation' '.versions | length == 193 and .[0].version == "515.43.04" and .[-1].version == "595.45.04"'
expect_json 'have a commit, a time and a branch' 'all(.versions[]; (.commit | test("^[0-9a-f]{40}$")) and .time > 1651363200)'
expect_json 'have one first version' '[.versions[] | select(.parent == null).version] == ["515.43.04"]'
expect 'have the number in data/README.md' grep -q '193 releases' "$ROOT/data/README.md"

it 'the size'
expect 'is below 2 MB' [ "$(wc -c <"$archive")" -lt 2000000 ]

it 'the archive has no data of the machine that made it'
run extract --archive "$archive" 590.48.01
expect_status 0
expect_err_empty
expect_out_unlike '"/|/tmp/|/home/|https?://'

it 'the commands with new numbers in 575.51.02'
run diff --archive "$archive" 570.133.20 575.51.02 --record '*DRAM_ENCRYPTION*' --format json
expect_status 1
expect_json 'are found' '[.changes[] | select(.classes | index("number")).name] == ["NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_INFOROM_SUPPORT", "NV2080_CTRL_CMD_FB_QUERY_DRAM_ENCRYPTION_STATUS"]'

it 'each ioctl as an entry of all other families'
run surface 590.48.01 --archive "$archive" --format json
cp "$OUT" "$WORK/surface.json"
jq '.ioctls as $all | ([$all[].family] | unique) as $families | {format: "drvabi-proxy/1", proxy: "p", revision: "r", driver: "nvidia", types: {},
	versions: [{version: "590.48.01", parent: null, supported: true, ioctls: ([$families[] as $in | {key: $in, value: ([$all[] | select(.family != $in)
		| {key: (.family + "/" + .name), value: {number, constant: .name, caps: [], structs: []}}] | from_entries)}] | from_entries)}]}' "$WORK/surface.json" >"$WORK/families.json"
run verify --archive "$archive" --table families.json --format json
expect_status 1
jq '[.versions[0].findings[] | select(.rule == "number" or .rule == "reused-number") | .family + " " + .entry] | unique | length' "$OUT" >"$WORK/found"
jq '.versions[0].ioctls | map(length) | add' "$WORK/families.json" >"$WORK/planted"
expect 'is rejected' cmp "$WORK/planted" "$WORK/found"

it 'an ioctl that the table passes through by number, and whose number changed'
run ranges --archive "$archive" --table nvproxy
expect_out_like '^  - 590\.44\.01 after 580\.105\.08: control$'
expect_out_like '^    NV2080_CTRL_CMD_RUSD_GET_SUPPORTED_FEATURES 0x208001ea \(was 0x208081ea\), no$'
run ranges --archive "$archive" --table nvproxy --format json
expect_json 'is listed' '[.versions[] | select(.renumbered) | [.version, .renumbered_since, .renumbered[0].before, .renumbered[0].passed_was]] ==
	[["590.44.01", "580.105.08", 545292778, "RM_GSS_LEGACY_MASK"]]'
run history --archive "$archive" --table nvproxy NV2080_CTRL_CMD_RUSD_GET_SUPPORTED_FEATURES --format json
expect_json 'is in the history' '.events[-1] | .passed_was == "RM_GSS_LEGACY_MASK" and (has("passed_as") | not)'

it 'a well-known record'
run flatten --archive "$archive" --version 550.54.14 --record NVOS54_PARAMETERS --format json
expect_json "has the driver's size" '.records.NVOS54_PARAMETERS.size == 32'

it 'a number that has only a macro'
run show --archive "$archive" --version 590.48.01 0x20801361
expect_status 0
expect_out_like '^constant NV2080_CTRL_CMD_FB_GET_REMAPPED_BANKS = '
expect_out_like '^  only a #define: the driver.s source has no handler for it$'
expect_out_like '^  number      class 0x2080 NV20_SUBDEVICE_0, interface 0x13 FB, method 0x61$'
expect_out_like '^  versions    since 590\.44\.01; in 5 of 193 releases$'
run show --archive "$archive" --version 590.48.01 0x20801361 --format json
expect_json 'is shown with its ioctls in other versions' '[.words[0].others[] | .kind + " " + .name] ==
	["ioctl NV2080_CTRL_CMD_FB_GET_CPU_COHERENT_RANGE", "ioctl NV2080_CTRL_CMD_FB_GET_REMAPPED_BANKS"]'

it 'a macro that is an ioctl in other versions'
run show --archive "$archive" --version 595.45.04 NV0080_CTRL_CMD_BIF_RESET --format json
expect_json 'is in all versions, and the ioctl is listed' '.words[0] | (.items[0] | .kind == "constant" and .versions == .of_versions and .until == [])
	and (.others | length == 1 and .[0].kind == "ioctl" and .[0].versions == 28)'

it 'a removed number'
run show --archive "$archive" 0x20803065 --format json
expect_status 0
expect_json 'is shown with its last record' '.version == "595.45.04" and (.words[0] | .version == "580.105.08" and .is_elsewhere and (.items[0]
	| .name == "NV2080_CTRL_CMD_NVLINK_PRM_ACCESS_GHPKT" and .since == ["560.28.03"] and .until == ["590.44.01"] and .versions == 57
	and .record.size == 502 and ([.record.leaves[] | [.path, .bit_offset / 8]] == [["bWrite", 0], ["prm.data", 1], ["trap_id", 498], ["action", 500]])))'
run show --archive "$archive" 0x20803065 --version 590.48.01
expect_cannot '^drvabi: nvidia 590\.48\.01 has no ioctl or command 0x20803065; --version 580\.105\.08 has it: control NV2080_CTRL_CMD_NVLINK_PRM_ACCESS_GHPKT, since 560\.28\.03; removed in 590\.44\.01; in 57 of 193 releases$'
run blame --archive "$archive" 0x20803065
expect_status 0
expect_out_like '^0x20803065: no ioctl or command of 595\.45\.04; this is 580\.105\.08, the nearest$'
expect_out_like '^448d5cc65624 \(560\.28\.03 2024-07-19 +498\) NvU16 trap_id +\(added\)$'
run show --archive "$archive" 0x13
expect_out_like '^  uvm UVM_REGISTER_MPS_CLIENT$'

it 'a number that is in no version'
run show --archive "$archive" 0x20801399
expect_cannot '^drvabi: the documents of the 193 versions do not have the number 0x20801399: class 0x2080 NV20_SUBDEVICE_0, interface 0x13 FB, method 0x99; nearest: '
run show --archive "$archive" 0xc641
expect_cannot '^drvabi: the documents of the 193 versions do not have the number 0xc641; nearest: 0xc640 AMPERE_SMC_MONITOR_SESSION, '
run show --archive "$archive" 0xc08046d4
expect_cannot '; as a request of ioctl\(2\) it is number 0xd4 with 128 bytes; try drvabi show 0xd4$'
run show --archive "$archive" 2080012f
expect_cannot '\(did you mean 0x2080012f\?\)$'

it 'a small number'
run show --archive "$archive" 0x27 --format json
expect_json 'is shown for each family' '[.words[0].items[] | select(.kind == "ioctl") | .family + " " + .name] ==
	["frontend NV_ESC_RM_ALLOC_MEMORY", "nvkms NVKMS_IOCTL_RELEASE_OWNERSHIP", "nvlink CTRL_NVLINK_RESERVED_7", "nvswitch CTRL_NVSWITCH_GET_FATAL_ERROR_SCOPE", "uvm UVM_PAGEABLE_MEM_ACCESS"]'
run blame --archive "$archive" 0x27
expect_cannot '^drvabi: 0x27 matches several ioctls: frontend NV_ESC_RM_ALLOC_MEMORY, nvkms NVKMS_IOCTL_RELEASE_OWNERSHIP, nvlink CTRL_NVLINK_RESERVED_7, nvswitch CTRL_NVSWITCH_GET_FATAL_ERROR_SCOPE, uvm UVM_PAGEABLE_MEM_ACCESS; name one of them$'

it 'classes and commands from logs'
run show --archive "$archive" 0xc640
expect_out_like '^alloc ioctl AMPERE_SMC_MONITOR_SESSION = '
run show --archive "$archive" --version 550.54.15 0x20803801
expect_out_like '^struct NV2080_CTRL_GRMGR_GET_GR_FS_INFO_PARAMS  1928 bytes, '
run show --archive "$archive" 0x2080122b
expect_out_like '^control ioctl NV2080_CTRL_CMD_GR_GET_TPC_MASK = '

done_testing
