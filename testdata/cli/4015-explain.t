#!/usr/bin/env bash
# drvabi explain prints the meaning of each rule and class, with the words of docs/rules.md and SARIF's help.
. "$(dirname "$0")/lib.sh"

it 'all rules'
run explain
expect_status 0
expect_err_empty
expect_out_is rules.txt
sed -n 's/^  \([a-z][a-z-]*\)  *[A-Z].*/\1/p' "$OUT" >"$WORK/rules"
expect 'are listed with all classes of diff' [ "$(wc -l <"$WORK/rules")" = 30 ]

it 'a name that is a rule and a class'
run explain number size
expect_status 0
expect_out_is number.txt

it 'docs/rules.md'
run explain --format markdown
expect_same 'equals the output of explain' "$ROOT/docs/rules.md" "$OUT"

# squeezed FILE... - print in one line, with single spaces
squeezed() {
	cat "$@" | tr -s '[:space:]' ' '
}

it 'examples of rules'
squeezed "$ROOT"/testdata/cli/golden/400[15]/* "$ROOT/src/verify/verify_test.c" >"$WORK/reports"
sed -n '/^## verify/,/^## diff/s/^| <a id="\([a-z-]*\)">.*| `\(.*\)` | .*/\1 \2/p' "$OUT" >"$WORK/examples"
expect 'each rule has an example' [ "$(wc -l <"$WORK/examples")" = 20 ]
while read -r rule example; do
	[ "$rule" = unexplained-suppression ] || expect "$rule: verify prints it" grep -qF -- "$example" "$WORK/reports"
done <"$WORK/examples"

it 'SARIF'
fixture
run verify --repo "$REPO" --table "$TABLE" --version 110.05.00 --format sarif
keep sarif
jq -r '.runs[0].tool.driver | (.rules + .notifications)[].id' "$WORK/sarif" | sort -u >"$WORK/ids"
while read -r rule; do
	[ "$rule" != number ] || continue
	run explain "$rule"
	expect "$rule: the help in SARIF equals the output of explain" [ "$rule (verify) $(jq -r --arg id "$rule" 'first(.runs[0].tool.driver | (.rules + .notifications)[] | select(.id == $id)).help.text' "$WORK/sarif") " = "$(squeezed "$OUT")" ]
done <"$WORK/ids"
expect 'helpUri names docs/rules.md' jq -e 'all(.runs[0].tool.driver | (.rules + .notifications)[]; .helpUri == "urn:drvabi:docs/rules.md#" + .id)' "$WORK/sarif"

it 'an unknown name'
run explain fild-offset
expect_cannot "^drvabi: there is no rule or class of change 'fild-offset'; drvabi explain lists them; nearest: field-offset$"
run explain size nothing-like-it
expect_cannot "^drvabi: there is no rule or class of change 'nothing-like-it'; drvabi explain lists them$"
run explain size --format markdown
expect_cannot "^drvabi: --format is for all rules; leave out 'size'$"

done_testing
