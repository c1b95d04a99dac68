#!/usr/bin/env bash
# history: every change of the demo driver is reported once, at its version, and can be selected by name, number or table.
. "$(dirname "$0")/lib.sh"
fixture

it 'without arguments'
run history --repo "$REPO"
expect_status 0
expect_err_empty
expect_out_is whole.txt

it 'a change on two branches'
run history --repo "$REPO" NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS
expect_status 0
expect_out_is two-branches.txt

it 'a number with all its names'
run history --repo "$REPO" 0x20803010
expect_status 0
expect_out_is number.txt
cp "$OUT" "$WORK/number.txt"
run history --repo "$REPO" --number 545271824
expect_same '--number, and decimal, give the same' "$OUT" "$WORK/number.txt"

it 'a number with its records'
run history --repo "$REPO" 0x20803021 --format json
expect_status 0
expect_json 'changes of the records are listed by name, with the ioctl' '
	[.events[] | select(.kind == "record") | [.name, .version, (.carried_by | map([.family, .name, .through]))]]
	== [["NV2080_CTRL_DEMO_GET_OWNER_PARAMS", "110.05.00",
	     [["control", "NV2080_CTRL_CMD_DEMO_GET_OWNER", ["NV2080_CTRL_DEMO_GET_OWNER_PARAMS"]]]],
	    ["NV2080_CTRL_DEMO_GET_OWNER_PARAMS", "120.01.00",
	     [["control", "NV2080_CTRL_CMD_DEMO_GET_OWNER", ["NV2080_CTRL_DEMO_GET_OWNER_PARAMS"]]]]]'
expect_json 'the span has the number and its later names' '
	[.spans[] | [.number, .number_until, (.now | map([.version, .parent, .number]))]]
	== [[545271841, ["100.20.02"], [["100.20.02", "100.10.01", 545271842]]]]'
keep by-number
run history --repo "$REPO" NV2080_CTRL_CMD_DEMO_GET_OWNER --format json
jq .events "$WORK/by-number" >"$WORK/number-events"
jq .events "$OUT" >"$WORK/name-events"
expect_same 'the name gives the same changes' "$WORK/number-events" "$WORK/name-events"
run history --repo "$REPO" 0x20803022
expect_out_is moved.txt
run history --repo "$REPO" 0x20803021 --format html
expect_out_like 'Only the number <b>0x20803021</b>'
expect_out_like 'NV2080_CTRL_DEMO_GET_OWNER_PARAMS'
expect_out_unlike 'NV2080_CTRL_DEMO_GET_WINDOW_PARAMS'

it 'flags'
run history --repo "$REPO" 0x20802011
expect_out_like '^    access: non-privileged -> privileged$'
run history --repo "$REPO" NV2080_CTRL_CMD_GPU_GET_ENGINES
expect_out_like '^    flags: \+embedded-pointers$'

it 'numbers and names'
run history --repo "$REPO" 34 0x20803021 --number 0X2A UVM_FREE_PARAMS
expect_status 0
expect_out_is several.txt
run history --repo "$REPO" 34 0x20803021 --format markdown
expect_out_is several.md

it 'a number of two families'
git clone -q --bare "$REPO" "$WORK/two.git"
export GIT_INDEX_FILE=$WORK/index
git -C "$WORK/two.git" read-tree 120.01.00
header=kernel-open/nvidia-uvm/uvm_ioctl.h
blob=$(git -C "$WORK/two.git" show "120.01.00:$header" | sed 's/\(#define UVM_FREE .*\)UVM_IOCTL_BASE(34)/\1UVM_IOCTL_BASE(42)/' |
	git -C "$WORK/two.git" hash-object -w --stdin)
git -C "$WORK/two.git" update-index --cacheinfo "100644,$blob,$header"
tree=$(git -C "$WORK/two.git" write-tree)
commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x \
	git -C "$WORK/two.git" commit-tree -p '120.01.00^{commit}' -m two "$tree")
git -C "$WORK/two.git" tag 130.01.00 "$commit"
unset GIT_INDEX_FILE
run history --repo "$WORK/two.git" 42
expect_status 0
expect_out_like '^  - frontend NV_ESC_RM_CONTROL: '
expect_out_like '^  - uvm UVM_FREE: '
expect_out_like 'UVM_FREE: number since 130\.01\.00 \(was 34 at 120\.01\.00\); in 1 of'

it 'a glob'
run history --repo "$REPO" 'NV2080_CTRL_*DEMO_*'
expect_status 0
expect_out_is glob.txt

it 'a name, as Markdown'
run history --repo "$REPO" NV2080_CTRL_CMD_DEMO_GET_OWNER --format markdown
expect_status 0
expect_out_is owner.md

it 'JSON'
run history --repo "$REPO" --format json
expect_status 0
expect_json 'has the format and the graph' '
	.format == "drvabi-history/1" and .main == "main"
	and [.versions[] | [.version, .parent, .on_main]]
	== [["100.10.01", null, true], ["100.20.02", "100.10.01", false], ["110.05.00", "100.10.01", true], ["120.01.00", "110.05.00", true]]'
expect_json 'has commits with 40 digits' 'all(.versions[]; .commit | test("^[0-9a-f]{40}$"))'
expect_json 'has the event of a renumbered ioctl' '
	.events[] | select(.kind == "ioctl" and .name == "NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS")
	| .version == "120.01.00" and .parent == "110.05.00" and .classes == ["number"] and .before == 545271824 and .after == 545271826'
expect_json 'has the former ioctl of a number' '
	.events[] | select(.name == "NV2080_CTRL_CMD_DEMO_DRAM_CHECK_INFO") | .number_was == "NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS"'
expect_json 'marks changes inside a release' '
	[.events[] | select(.inside_release) | .name] == ["NV2080_CTRL_CMD_DEMO_GET_OWNER", "NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS"]'
expect_json 'has a change on two edges once, with both edges' '
	[.events[] | select(.name == "NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS") | [.edges[].version]] == [["100.20.02", "110.05.00"]]'
expect_json 'has counts' '.summary.renumbered == 4 and .summary.reused_numbers == 1 and .summary.edges == 3'
cp "$OUT" "$WORK/history.json"

it 'each edge'
for pair in '100.10.01 100.20.02' '100.10.01 110.05.00' '110.05.00 120.01.00'; do
	# shellcheck disable=SC2086 # two words
	run diff --repo "$REPO" --format json $pair
	jq '[.changes[] | [.kind, .family, .name, .classes]] | sort' "$OUT" >"$WORK/diff"
	# shellcheck disable=SC2016 # variables of jq
	jq --arg version "${pair#* }" \
		'[.events[] | select(any(.edges[]; .version == $version)) | [.kind, .family, .name, .classes]] | sort' \
		"$WORK/history.json" >"$WORK/events"
	expect_same "$pair: diff reports the same" "$WORK/diff" "$WORK/events"
done

it 'with a table'
run history --repo "$REPO" --table "$TABLE" --format json
expect_status 0
expect_json 'has only changes that the proxy forwards' 'all(.events[]; .proxied) and (.events | length) > 0'
# shellcheck disable=SC2016 # variable of jq
expect_json 'has fewer changes than without a table' '(.events | length) < $all' --argjson all "$(jq '.events | length' "$WORK/history.json")"

it 'the same bytes'
run history --repo "$REPO" -v --jobs 1
cp "$OUT" "$WORK/one"
run history --repo "$REPO" -v --jobs 4 --no-cache
expect_same 'with any number of threads, with and without a cache' "$OUT" "$WORK/one"

it 'a name that never changed'
run history --repo "$REPO" NVOS54_PARAMETERS
expect_status 0
expect_out_like '^  - record NVOS54_PARAMETERS: '
expect_out_like 'since 100\.10\.01; in 4 of 4 releases'

it '--exit-code'
run history --repo "$REPO" --exit-code NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS
expect_status 1
expect_out_is two-branches.txt
run history --repo "$REPO" --exit-code NVOS54_PARAMETERS
expect_status 0

it 'errors'
run history --repo "$REPO" NO_SUCH_THING
expect_cannot "the documents of the 4 versions have nothing called 'NO_SUCH_THING'"
run history --repo "$REPO" 'NO_SUCH_*'
expect_cannot "the documents of the 4 versions have nothing called 'NO_SUCH_\*'"
run history --repo "$REPO" NVOS54_PARAMETER
expect_cannot "the documents of the 4 versions have nothing called 'NVOS54_PARAMETER'; nearest: .*NVOS54_PARAMETERS"
run history --repo "$REPO" 20803010f
expect_cannot "the documents of the 4 versions have nothing called '20803010f'$"
run history --repo "$REPO" --number 0x1234567
expect_cannot 'no ioctl or command of the 4 versions has the number 0x1234567'
run history --repo "$REPO" 20803010
expect_cannot 'no ioctl or command of the 4 versions has the number 0x13d6dc2 \(did you mean 0x20803010\?\)$'
run history --repo "$REPO" 42 0x1234567
expect_cannot 'no ioctl or command of the 4 versions has the number 0x1234567; drvabi show 0x1234567 shows its parts$'
run history --repo "$REPO" 0x2a NO_SUCH_THING
expect_cannot "the documents of the 4 versions have nothing called 'NO_SUCH_THING'"
run history --repo "$REPO" 0x
expect_cannot "the documents of the 4 versions have nothing called '0x'"
run history --repo "$REPO" 99999999999999999999
expect_cannot "the documents of the 4 versions have nothing called '99999999999999999999'"
run history --repo "$REPO" --number twelve
expect_cannot "--number takes an ioctl's number, such as 0x20801358, not 'twelve'"
run history --repo "$REPO" --number 2080012f
expect_cannot "not '2080012f'; in hexadecimal it begins with 0x$"
run history --repo "$REPO" --table nowhere.json
expect_cannot 'nowhere\.json'
run history --repo "$WORK"
expect_cannot 'no git repository at '
run history --repo "$REPO" -o /dev/full
expect_cannot '/dev/full'

it 'a repository without tags'
git init -q --bare "$WORK/empty.git"
run history --repo "$WORK/empty.git"
expect_cannot 'has no tags, so it has no history'

it 'a version that cannot be parsed'
git clone -q --bare "$REPO" "$WORK/broken.git"
blob=$(printf '#error broken\n' | git -C "$WORK/broken.git" hash-object -w --stdin)
header=src/common/sdk/nvidia/inc/nvos.h
export GIT_INDEX_FILE=$WORK/index
git -C "$WORK/broken.git" read-tree 110.05.00
git -C "$WORK/broken.git" update-index --cacheinfo "100644,$blob,$header"
tree=$(git -C "$WORK/broken.git" write-tree)
commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x \
	git -C "$WORK/broken.git" commit-tree -p '120.01.00^{commit}' -m broken "$tree")
git -C "$WORK/broken.git" tag 120.02.00 "$commit"
unset GIT_INDEX_FILE
run history --repo "$WORK/broken.git" --format json
expect_status 0
expect_one_line_error 'left out: 120\.02\.00'
expect_json 'is marked as unreadable' '.versions[] | select(.version == "120.02.00") | .unreadable'
expect_json 'has no changes' 'all(.events[].edges[]; .version != "120.02.00")'

done_testing
