#!/usr/bin/env bash
# The report of one pair of versions in all formats, from all kinds of sources.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

it 'run_differ, as text'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00
expect_status 1
expect_err_empty
expect_out_is diff.txt
keep diff.txt

it 'as JSON'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --format json
expect_status 1
expect_err_empty
expect_out_is diff.json
keep diff.json
expect_json 'it is drvabi-diff/1' '.format == "drvabi-diff/1" and .base.version == "110.05.00" and .next.version == "120.01.00"'
expect_json 'has both commits' '.base.commit == $b and .next.commit == $n' \
	--arg b "$(git --git-dir="$REPO" rev-parse '110.05.00^{commit}')" --arg n "$(git --git-dir="$REPO" rev-parse '120.01.00^{commit}')"
expect_json 'has only known kinds and classes' 'all(.changes[];
	(.kind | IN("record", "alias", "enum", "constant", "ioctl"))
	and (.classes | length > 0 and all(.[]; IN("translation", "layout", "number", "growth", "value", "access", "flags", "name", "added", "removed"))))'
expect_json 'fields have known operations' 'all(.changes[].fields[]?; .op | IN("added", "removed", "moved", "renamed", "retyped", "resized"))'
expect_json 'the summary counts the changes' '. as $d | all("record", "ioctl", "enum", "alias", "constant"; . as $kind
	| ($d.summary[$kind + "s"] // $d.summary[$kind] // $d.summary.aliases) as $sum
	| [$d.changes[] | select(.kind == $kind)] | length == ($sum | add))'

it 'as Markdown'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --format markdown
expect_status 1
expect_err_empty
expect_out_is diff.md
keep diff.md
expect 'its code blocks are closed' [ $(($(grep -c '^```' "$OUT") % 2)) = 0 ]

it 'with forwarded items first'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --table "$TABLE"
expect_status 1
expect_err_empty
expect_out_is table.txt
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --table "$TABLE" --format json
expect_json 'proxied changes come first' '[.changes[] | .proxied // false] | . == (sort | reverse) and any and (all | not)'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --table "$TABLE" --format markdown
expect_out_is table.md

it 'a selection of records'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --record 'NV2080_CTRL_PERF_*'
expect_status 1
expect_out_is some.txt
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --record 'NOTHING*'
expect_cannot "^drvabi: --record: neither 110\.05\.00 nor 120\.01\.00 has a name that matches 'NOTHING\*'$"

it 'in reverse order'
run_differ --repo "$REPO" --base 120.01.00 --next 110.05.00 --format json
expect_status 1
keep back.json
jq '[.changes[] | select(.classes == ["added"]) | .name] | sort' "$WORK/diff.json" >"$WORK/a"
jq '[.changes[] | select(.classes == ["removed"]) | .name] | sort' "$WORK/back.json" >"$WORK/b"
expect_same 'added items are removed' "$WORK/a" "$WORK/b"

it 'drvabi diff'
run diff --repo "$REPO" 110.05.00 120.01.00
expect_status 1
expect_same 'prints the same as run_differ' "$OUT" "$WORK/diff.txt"
run diff --repo "$REPO" --next=120.01.00 110.05.00
expect_same 'options and arguments can be mixed' "$OUT" "$WORK/diff.txt"
run diff --repo "$REPO" --next 120.01.00 --base 110.05.00
expect_same 'in any order' "$OUT" "$WORK/diff.txt"

it 'two documents'
run extract --repo "$REPO" 110.05.00 -o base.json
run extract --repo "$REPO" 120.01.00 -o next.json
for format in txt:text json:json md:markdown; do
	run diff --base-json base.json --next-json next.json --format "${format#*:}"
	expect_status 1
	expect_err_empty
	expect_same "have the same ${format#*:}" "$OUT" "$WORK/diff.${format%:*}"
done
run diff base.json next.json
expect_same 'documents are accepted as versions' "$OUT" "$WORK/diff.txt"
run diff --base-json base.json --next 120.01.00 --repo "$REPO"
expect_same 'a document and a version' "$OUT" "$WORK/diff.txt"
INPUT=$WORK/base.json run diff --base-json - --next-json next.json
expect_same 'a document from a pipe' "$OUT" "$WORK/diff.txt"
jq -S . "$WORK/base.json" >"$WORK/sorted.json"
run diff --base-json sorted.json --next-json next.json
expect_same 'a document that jq has rewritten' "$OUT" "$WORK/diff.txt"
run diff --base-json base.json --next-json next.json --table "$TABLE"
expect_out_is documents.txt

it 'two directories'
unpack 110.05.00 base
unpack 120.01.00 next
run diff ./base ./next
expect_status 1
sed 's/ 110\.05\.00 / .\/base /; s/ 120\.01\.00 / .\/next /' "$WORK/diff.txt" >"$WORK/named.txt"
expect_same 'have the same report, with their own names' "$OUT" "$WORK/named.txt"

it 'a different target'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --target aarch64-linux-gnu
expect_status 1
sed 's/x86_64/aarch64/' "$WORK/diff.txt" >"$WORK/arm.txt"
expect_same 'has the same report for this driver' "$OUT" "$WORK/arm.txt"

it 'no changes'
run_differ --repo "$REPO" --base 120.01.00 --next main
expect_status 0
expect_out_is nothing.txt
run_differ --repo "$REPO" --base 120.01.00 --next main --format json
expect_status 0
expect_json 'the list of changes is empty' '.changes == []'
run_differ --repo "$REPO" --base 120.01.00 --next main --format markdown
expect_status 0
expect_out_is nothing.md

it 'a glob that matches nothing'
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --record UVM_FREE_PARAM
expect_cannot "^drvabi: --record: neither 110\.05\.00 nor 120\.01\.00 has a name that matches 'UVM_FREE_PARAM'; nearest: UVM_FREE_PARAMS$"
run_differ --repo "$REPO" --base 110.05.00 --next 120.01.00 --record NVOS54_PARAMETERS
expect_status 0
expect_err_empty

it 'warnings from extraction'
run extract --repo "$REPO" 120.01.00 -o next.json
jq '.warnings = [{place: "a.h:1", text: "It is not known."}]' "$WORK/next.json" >"$WORK/warned.json"
run_differ next.json warned.json --format json
expect_status 0
expect_json 'are in the report, with their version' '.next.warnings == [{place: "a.h:1", text: "It is not known."}] and (.base | has("warnings") | not)'
run_differ next.json warned.json --format markdown
expect_out_like '^Extraction of 120\.01\.00 gave 1 warning: the items concerned may be wrong or missing here\. -v lists them\.$'
run verify --json warned.json --table "$TABLE" --format json
expect_json "are in verify's report" '[.versions[].warnings[].place] == ["a.h:1"]'
run verify --json warned.json --table "$TABLE" --format markdown
expect_out_like '^Extraction of 120\.01\.00 gave 1 warning'

it 'base has a higher number than next'
run_differ --repo "$REPO" --base 120.01.00 --next 110.05.00
expect_status 1
expect_one_line_error '^drvabi: note: base 120\.01\.00 has a higher number than next 110\.05\.00$'
run_differ -q --repo "$REPO" --base 120.01.00 --next 110.05.00
expect_err_empty

it 'all reports'
for file in diff.txt diff.json diff.md; do
	expect_no_path "$file" "$WORK/$file"
	expect "$file has no text of libclang" lib_lacks 'anonymous|unnamed (struct|union)|libclang|clang' "$WORK/$file"
done

done_testing
