#!/usr/bin/env bash
# diff --class shows only changes of the given classes.
. "$(dirname "$0")/lib.sh"
fixture

it 'one class'
run diff --repo "$REPO" 110.05.00 120.01.00 --class layout --format json
expect_status 1
expect_json 'every change has the class' '(.changes | length > 0) and all(.changes[]; .classes | index("layout"))'
expect_json 'the summary counts only these changes' '.summary.classes.layout == (.changes | length) and .summary.classes.added == 0'

it 'two classes'
run diff --repo "$REPO" 110.05.00 120.01.00 --class number,value --format json
expect_status 1
expect_json 'every change has one of them' 'all(.changes[]; .classes | any(. == "number" or . == "value"))'

it 'with a name'
run diff --repo "$REPO" 110.05.00 120.01.00 --class layout --record 'NV2080*'
expect_status 1
expect_out_is layout.txt

it 'no change has the class'
run diff --repo "$REPO" 110.05.00 120.01.00 --class removed --record 'NV2080*'
expect_status 0
expect_out_is nothing.txt
run diff --repo "$REPO" 110.05.00 120.01.00 --class removed --record 'NV2080*' --format markdown
expect_out_is nothing.md
run diff --repo "$REPO" 110.05.00 120.01.00 --class removed --record 'NV2080*' --format json
expect_json 'JSON names the selection' '.changes == [] and .selected_classes == ["removed"] and .selected_record == "NV2080*"'
run diff --repo "$REPO" 110.05.00 120.01.00 --fail-on removed --format json
expect_json '--fail-on selects nothing' '.changes != [] and (has("selected_classes") or has("selected_record") | not)'

it 'an unknown class'
run diff --repo "$REPO" 110.05.00 120.01.00 --class layot
expect_cannot "^drvabi: --class: 'layot' is not a class of changes; use translation, layout, "

done_testing
