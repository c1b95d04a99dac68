#!/usr/bin/env bash
# history for some versions and classes; abbreviated versions; diff A..B.
. "$(dirname "$0")/lib.sh"
fixture

# versions_are WHAT VERSION... - pass if standard output has the changes of exactly these versions
versions_are() {
	local what=$1
	shift
	expect "$what" [ "$(jq -r '[.selected_versions[]] | join(" ")' "$OUT")" = "$*" ]
}

it 'one version'
run history --repo "$REPO" 110.05.00
expect_status 0
expect_err_empty
expect_out_is version.txt
run history --repo "$REPO" 110.05.00 --format json
versions_are 'is the only one' 110.05.00
expect_json 'all events are at its edge' '(.events | length > 0) and all(.events[]; .version == "110.05.00") and .summary.edges == 1'
cp "$OUT" "$WORK/whole.json"
run history --repo "$REPO" 110 --format json
expect_cannot '^drvabi: no ioctl or command of the 4 versions has the number 110; 110\.\.110 are the versions that begin with it$'
run history --repo "$REPO" 110.05 --format json
expect_same 'can be abbreviated' "$OUT" "$WORK/whole.json"

it 'A..B, as in git log'
run history --repo "$REPO" 100.10.01..120.01.00 --format json
versions_are 'has the ancestors of the second' 110.05.00 120.01.00
run history --repo "$REPO" 100.20.02..120.01.00 --format json
versions_are 'does not have the ancestors of the first' 110.05.00 120.01.00
run history --repo "$REPO" 110.05.00..100.20.02 --format json
versions_are 'is not the order of versions' 100.20.02
run history --repo "$REPO" 110.05.00.. --format json
versions_are 'goes up to the newest' 120.01.00
run history --repo "$REPO" ..100.20.02 --format json
versions_are 'begins with the first' 100.10.01 100.20.02
run history --repo "$REPO" 120.01.00..110.05.00
expect_cannot '^drvabi: 120\.01\.00\.\.110\.05\.00 is empty, because 120\.01\.00 includes all of 110\.05\.00; give the older version first$'

it 'versions are in order'
run history --repo "$REPO" 100..110 --format json
versions_are 'has both ends' 100.10.01 100.20.02 110.05.00
run history --repo "$REPO" --since 100.20 --until 110 --format json
versions_are 'is --since and --until, too' 100.20.02 110.05.00
run history --repo "$REPO" --since 110 --format json
versions_are 'may have one end' 110.05.00 120.01.00
run history --repo "$REPO" 100..120 --until 110 --format json
versions_are 'is cut by --until' 100.10.01 100.20.02 110.05.00
run history --repo "$REPO" 120..100
expect_cannot '^drvabi: 120\.\.100 is empty; give the older version first: 100\.\.120$'
run history --repo "$REPO" 100..110
expect_out_is range.txt

it 'with a name'
run history --repo "$REPO" NV2080_CTRL_DEMO_SET_TIMEOUT_PARAMS 110.05.00
expect_status 0
expect_out_is name.txt

it 'with a class'
run history --repo "$REPO" --class number,growth
expect_status 0
expect_out_is classes.txt
run history --repo "$REPO" --class growth --format json
expect_json 'every event has the class' '(.events | length > 0) and all(.events[]; .classes | index("growth")) and .selected_classes == ["growth"]'
run history --repo "$REPO" --class grow
expect_cannot "^drvabi: --class: 'grow' is not a class of changes; use translation, "

it 'a later name outside of the selected versions is reported'
run history --repo "$REPO" 0x20803021 110.05.00 --format json
expect_json 'in the span' '.spans[] | select(.number == 545271841) | .now[0].version == "100.20.02"'

it 'errors'
run history --repo "$REPO" 105.01.00
expect_cannot "^drvabi: none of the 4 versions is or begins with '105\\.01\\.00'; nearest: 120\\.01\\.00$"
run history --repo "$REPO" --since 105
expect_cannot "^drvabi: --since: none of the 4 versions is or begins with '105'; nearest: "
run history --repo "$REPO" 110..110 --until 100
expect_cannot '^drvabi: no version is in all requested ranges; leave one of them out$'
run history --repo "$REPO" 100.10.01
expect_cannot '^drvabi: 100\.10\.01 has no earlier version to compare it with; '
run history --repo "$REPO" 100.10
expect_cannot '^drvabi: 100\.10\.01 has no earlier version to compare it with'
run history --repo "$REPO" 100.10.01...110.05.00
expect_cannot "^drvabi: '100\\.10\\.01\\.\\.\\.110\\.05\\.00' is not a range of versions; give it as A\\.\\.B$"
run history --repo "$REPO" ..
expect_cannot "^drvabi: '\\.\\.' is not a range of versions; give at least one of its ends$"
run history --repo "$REPO" --since 110 --format html
expect_cannot '^drvabi: --format html writes one page of all versions and classes; leave out --since$'
run history --repo "$REPO" --exit-code 110.05.00 NV_ESC_RM_FREE
expect_status 0

it 'an abbreviated version'
run diff --repo "$REPO" 110.05.00 120.01.00
keep whole
run diff --repo "$REPO" 110 120.01
expect_status 1
expect_same 'is the whole version' "$OUT" "$WORK/whole"
run diff --repo "$REPO" 100 120
expect_cannot '^drvabi: 100 is ambiguous: 2 versions begin with it: 100\.10\.01, 100\.20\.02; choose one of them$'
run show --repo "$REPO" --version 120 UVM_FREE
expect_status 0
expect_out_like '^nvidia 120\.01\.00, '
run blame --repo "$REPO" --version 110 UVM_FREE
expect_status 0
run archive write 100 --repo "$REPO" -o a.drvabi
expect_cannot '100 is ambiguous: 2 versions begin with it'
run archive write --repo "$REPO" -o all.drvabi
run diff --archive all.drvabi 110 120
expect_same 'is the same in an archive' "$OUT" "$WORK/whole"

it 'diff A..B'
run diff --repo "$REPO" 110.05.00..120.01.00
expect_status 1
expect_same 'is the same as diff A B' "$OUT" "$WORK/whole"
run diff --repo "$REPO" 110..120
expect_same 'also with abbreviated versions' "$OUT" "$WORK/whole"
run diff --repo "$REPO" 110.05.00.. 
expect_cannot "^drvabi: '110\\.05\\.00\\.\\.' does not name two versions; give only BASE\\.\\.NEXT$"
run diff --repo "$REPO" 110.05.00..120.01.00 --base 100.10.01
expect_cannot 'does not name two versions; give only BASE'
run diff --repo "$REPO" 110.05.00 120.01.00 100.10.01
expect_cannot "'100\\.10\\.01' is one version too many"
unpack 110.05.00 old
unpack 120.01.00 new
run diff ./old ./new
expect_status 1
mkdir "$WORK/sub"
run diff ./sub/../old --next ./new
expect_status 1

done_testing
