#!/usr/bin/env bash
# show and blame use all versions that drvabi has: what a number means in each version, and how a proxy uses it.
. "$(dirname "$0")/lib.sh"
fixture

versions='100.10.01 100.20.02 110.05.00 120.01.00'
all="--archive all.drvabi"

it 'all versions'
run archive write --repo "$REPO" -o all.drvabi
expect_status 0

# shows GOLDEN ARGUMENT... - pass if show prints GOLDEN, with the archive of all versions
shows() {
	it "show ${*:2}"
	# shellcheck disable=SC2086 # two words
	run show $all "${@:2}"
	expect_status 0
	expect_err_empty
	expect_out_is "$1.txt"
}

shows number 0x20803010
shows removed-number 0x20802021
shows removed-name NV2080_CTRL_CMD_PERF_RESET_LIMIT
shows removed-record NV2080_CTRL_PERF_RESET_LIMIT_PARAMS
shows ioctl UVM_VALIDATE_VA_RANGE
shows small-number 0x2a
shows class 0xd1b7
shows forwarded-read UVM_MAP_EXTERNAL_ALLOCATION --table "$TABLE"
shows forwarded-unread 0x20800110 --table "$TABLE"
shows not-forwarded NV2080_CTRL_CMD_DEMO_GET_WINDOW --table "$TABLE"
shows several 0x20802021 NvHandle 0x20803021 --table "$TABLE"

# shellcheck disable=SC2086
{
it 'an ioctl whose number differs in the newest version'
run show $all --version 100.20.02 NV2080_CTRL_CMD_DEMO_GET_OWNER
expect_status 0
expect_out_like '^  versions    since 100\.10\.01; in 4 of 4 releases, with this number in 1: since$'
expect_out_like '^              100\.20\.02$'
cp "$OUT" "$WORK/by-name"
run show $all --version 100.20.02 0x20803022
expect 'the line of versions is the same for the name and the number' diff <(grep -A1 '^  versions' "$WORK/by-name") <(grep -A1 "^  versions" "$OUT")
run show $all --version 100.10.01 NV2080_CTRL_CMD_DEMO_GET_OWNER
expect_out_like '^  versions    since 100\.10\.01; in 4 of 4 releases, with this number in 3: the$'
expect_out_like '^              number changed in 100\.20\.02$'

it 'a version that does not have the ioctl'
run show $all --version 120.01.00 0x20802021
expect_cannot '^drvabi: nvidia 120\.01\.00 has no ioctl or command 0x20802021; --version 100\.10\.01 has it: control NV2080_CTRL_CMD_PERF_RESET_LIMIT, since 100\.10\.01; removed in 110\.05\.00; in 2 of 4 releases$'
run show $all --version 100.10.01 UVM_VALIDATE_VA_RANGE
expect_cannot '^drvabi: nvidia 100\.10\.01 has no UVM_VALIDATE_VA_RANGE; --version 110\.05\.00 has it: uvm UVM_VALIDATE_VA_RANGE, since 110\.05\.00; in 2 of 4 releases$'
run blame $all --version 120.01.00 0x20802021
expect_cannot '^drvabi: nvidia 120\.01\.00 has no ioctl or command 0x20802021; --version 100\.10\.01 has it: '

it 'a number that is in no version'
run show $all 0x20803099
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 0x20803099: class 0x2080 NV20_SUBDEVICE_0, interface 0x30, method 0x99; nearest: 0x20803030 NV2080_CTRL_CMD_DEMO_GET_STATS$'
run show $all 0x12345678
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 0x12345678: class 0x1234, interface 0x56, method 0x78$'
run show $all 0xd1b8
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 0xd1b8; nearest: 0xd1b7 DEMO_ENCODER_A$'
run show $all 0xc010462a
expect_cannot '; as a request of ioctl\(2\) it is number 0x2a with 16 bytes; try drvabi show 0x2a$'
run show $all 999999
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 999999'
run show $all 0xffffffffffffffff
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 0xffffffffffffffff$'
run show $all 0x1ffffffffffffffff
expect_cannot "^drvabi: the documents of the 4 versions have nothing called '0x1ffffffffffffffff'$"

it 'a number that is only in the proxy table'
jq '.versions[0].ioctls.control.UNKNOWN = {"number": 545271961, "constant": null, "caps": ["compute"], "structs": []}' "$TABLE" >"$WORK/unknown.json"
run show $all 0x20803099 --table unknown.json
expect_cannot '; node 120\.01\.00 of the table forwards it as control UNKNOWN$'

it 'a misspelled name'
run show $all 20802021
expect_cannot "^drvabi: the documents of the 4 versions do not have the number 20802021 \\(did you mean 0x20802021\\?\\)$"
run show $all 2080012f
expect_cannot "^drvabi: the documents of the 4 versions have nothing called '2080012f'; nearest: "
run show $all d1b7
expect_cannot "^drvabi: the documents of the 4 versions have nothing called 'd1b7' \\(did you mean 0xd1b7\\?\\)$"
run show $all NV2080_CTRL_CMD_PERF_RESET_LIMITS
expect_cannot "have nothing called 'NV2080_CTRL_CMD_PERF_RESET_LIMITS'; nearest: NV2080_CTRL_CMD_PERF_RESET_LIMIT; --constants '"
run show $all 'NV2080_CTRL_CMD_NOTHING*'
expect_cannot "have nothing called 'NV2080_CTRL_CMD_NOTHING\\*'"

it 'a glob that matches only in older versions'
run show $all '*_RESET_LIMIT'
expect_status 0
expect_out_like '^\*_RESET_LIMIT: not in 120\.01\.00; this is 100\.10\.01, the nearest version that has'

it 'a repository whose versions are in the archive'
run DRVABI_ARCHIVE=all.drvabi show --repo "$REPO" 0x20802021
expect_out_is removed-number.txt
for command in 'show NVOS54_PARAMETERS' 'show 0x20803021' 'blame UVM_FREE' 'blame 0x20803021'; do
	run $command $all
	keep said
	run DRVABI_ARCHIVE=all.drvabi $command --repo "$REPO"
	expect_same "$command prints the same" "$OUT" "$WORK/said"
done

it 'without an archive, other versions are not read'
run show --repo "$REPO" 0x20802021
expect_cannot '^drvabi: the document of nvidia 120\.01\.00 does not have the number 0x20802021: class 0x2080 NV20_SUBDEVICE_0, interface 0x20, method 0x21; nearest: 0x20802020 NV2080_CTRL_CMD_PERF_SET_LIMIT$'
run show --repo "$REPO" 0x20803021
expect_out_unlike '^  versions '
run blame --repo "$REPO" 0x20803021
expect_status 0
expect_out_unlike '^  versions '

it 'an archive of a different repository'
run archive write --repo "$REPO" 100.10.01 -o old.drvabi
run DRVABI_ARCHIVE=old.drvabi show --repo "$REPO" --version 120.01.00 0x20803021
expect_status 0
expect_out_unlike '^  versions '

it 'a command that has only a macro'
run extract $all 120.01.00
jq '.ioctls |= map(select(.name != "NV2080_CTRL_CMD_DEMO_BIND"))' "$OUT" >"$WORK/macro.json"
run show --json macro.json 0x20803001 --table "$TABLE"
expect_status 0
expect_out_is macro.txt
run show --json macro.json NV2080_CTRL_CMD_DEMO_BIND --table "$TABLE"
expect_out_is macro.txt

it 'several ioctls and many constants with one number'
run extract $all 120.01.00
jq '.ioctls += [{"family": "aa", "name": "A", "number": 42, "params": "NVOS54_PARAMETERS", "source": ""}]
	| .constants += ([range(20) | {key: "K\(. + 10)", value: 42}] | from_entries)' "$OUT" >"$WORK/many.json"
run show --json many.json 0x2a
expect_status 0
expect_out_is many.txt
run show --json many.json 0x2a -v
expect_out_like '^  K29$'
run show --json many.json 0x2a --format json
expect_json 'all are listed' '[.words[0].items[] | .kind] == ["ioctl", "ioctl"] + [range(20) | "constant"]'

it 'JSON'
run show $all 0x20802021 NV2080_CTRL_CMD_GPU_GET_ENGINES NvHandle UVM_MAX_GPUS NV2080_CTRL_GPU_MODE NVOS54_PARAMETERS --format json --table "$TABLE"
expect_status 0
expect_err_empty
expect_out_is show.json
expect_json 'has its format' '.format == "drvabi-show/1" and .version == "120.01.00"'
expect_json 'has the version of each item' '[.words[] | .version, .is_elsewhere][:4] == ["100.10.01", true, "120.01.00", false]'
run flatten $all --version 120.01.00 --record NVOS54_PARAMETERS --format json
jq '.records.NVOS54_PARAMETERS' "$OUT" >"$WORK/flat.json"
run show $all NVOS54_PARAMETERS --format json
expect_json 'has the layout that flatten prints' '.words[0].items[0] | {size, align, is_union, source, leaves, holes} == $flat[0]' --slurpfile flat "$WORK/flat.json"

# blames GOLDEN ARGUMENT... - pass if blame prints GOLDEN, with the archive of all versions
blames() {
	it "blame ${*:2}"
	run blame $all "${@:2}"
	expect_status 0
	expect_err_empty
	expect_out_is "$1.txt"
}

blames blame-number 0x20800123 --table "$TABLE"
blames blame-removed 0x20802021
blames blame-field 0x20800123.engineList

it 'blame an ioctl, as JSON'
run blame $all UVM_MAP_EXTERNAL_ALLOCATION --format json --table "$TABLE"
expect_json 'has the ioctl' '.ioctl | .family == "uvm" and .name == "UVM_MAP_EXTERNAL_ALLOCATION" and .number == 33 and .since == ["100.10.01"]
	and .forwarded.use == "read" and .forwarded.node == "120.01.00" and .forwarded.entry_node == "110.05.00"'
run blame $all UVM_MAP_EXTERNAL_ALLOCATION_PARAMS --format json --table "$TABLE"
expect_json 'has no ioctl for a record' 'has("ioctl") | not'

it 'errors of blame'
run blame $all 0x20803099
expect_cannot '^drvabi: the documents of the 4 versions do not have the number 0x20803099: class 0x2080 NV20_SUBDEVICE_0'
run blame $all 0x20803020
expect_cannot '^drvabi: 0x20803020 is control NV2080_CTRL_CMD_DEMO_FLUSH at 120\.01\.00, which has no parameter record$'
run blame $all UVM_DEINITIALIZE
expect_cannot '^drvabi: UVM_DEINITIALIZE is uvm UVM_DEINITIALIZE at 120\.01\.00, which has no parameter record$'
run blame $all 'NV2080*'
expect_cannot "has no record called 'NV2080\\*'"
}

it 'a table of a different driver'
jq '.driver = "other"' "$TABLE" >"$WORK/other.json"
for command in show blame; do
	run $command --archive all.drvabi UVM_FREE --table other.json
	expect_cannot 'other\.json is a table for the driver other, not for nvidia'
done

it 'all ioctls of all versions'
for version in $versions; do
	run extract --archive all.drvabi "$version"
	jq -r '[.ioctls[].number] | unique | .[]' "$OUT" >"$WORK/numbers"
	jq '[.ioctls[]] | length' "$OUT" >"$WORK/count"
	mapfile -t numbers <"$WORK/numbers"
	run show --archive all.drvabi --version "$version" "${numbers[@]}" --format json
	expect_status 0
	expect_json "$version: all ioctls have a match" '[.words[].items[] | select(.kind == "ioctl")] | length == $count[0]' --slurpfile count "$WORK/count"
	expect_json "$version: all ioctls list their versions" 'all(.words[].items[] | select(.kind == "ioctl"); .versions >= 1 and (.since | length >= 1))'
done

done_testing
