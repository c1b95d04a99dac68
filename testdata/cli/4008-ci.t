#!/usr/bin/env bash
# What docs/ci offers: one command, an exit status, JUnit and SARIF.
. "$(dirname "$0")/lib.sh"
fixture

# parity ARGUMENT... - docs/ci/parity.sh
parity() {
	run_program "$ROOT/docs/ci/parity.sh" DRVABI="$DRVABI" DRVABI_REPO="$REPO" "$@"
}

it 'a table that fits'
cp "$TABLE" "$WORK/t.json"
parity t.json out
expect_status 0
expect_err_empty
expect_out_like '^4 pass, 0 fail, 0 unavailable$'
expect 'JUnit is XML' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$WORK/out/verify.xml"

it 'SARIF has what its readers ask for'
cp "$WORK/out/verify.sarif" "$OUT"
# shellcheck disable=SC2016 # it is not the shell's
sarif='.version == "2.1.0" and (.runs | length) == 1 and .runs[0].tool.driver.name == "drvabi"
	and all(.runs[0].tool.driver.rules[]; .id and .shortDescription.text and .fullDescription.text and .help.text and .helpUri)
	and all(.runs[0].results[]; .message.text and .ruleId and (.locations | length) > 0
		and all(.locations[]; .physicalLocation.artifactLocation.uri and .physicalLocation.region.startLine >= 1))
	and all(.runs[0].invocations[]; .executionSuccessful)
	and (.runs[0].tool.driver as $d | all(.runs[0].results[]; $d.rules[.ruleIndex].id == .ruleId)
		and all(.runs[0].invocations[0].toolExecutionNotifications[]; $d.notifications[.descriptor.index].id == .descriptor.id))'
expect_json 'of a table that fits' "$sarif"

it 'a table that does not, and a version without source'
jq '.types.IoctlSysParams.fields[0].type = "int64" | .versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]' \
	"$TABLE" >"$WORK/t.json"
parity t.json out
expect_status 1
cp "$WORK/out/verify.sarif" "$OUT"
expect_json 'SARIF has the findings' "$sarif"' and (.runs[0].results | length) == 1
	and (.runs[0].results[0].properties.versions | length) == 4'
expect_json 'and the version' '[.runs[0].invocations[0].toolExecutionNotifications[].message.text] == ["130.00.00 is unavailable: the repository has no such version"]'

it 'accepted findings'
echo 'field-type NV_ESC_SYS_PARAMS * never looked at' >"$WORK/parity-accepted.txt"
parity t.json out
expect_status 0
cp "$WORK/out/verify.sarif" "$OUT"
expect_json 'are results all the same' '[.runs[0].results[].suppressions[0].justification] | unique == ["looked at"]'

it 'what could not be checked'
parity nowhere.json out
expect_status 2
parity
expect_status 2
expect_err_like '^usage: parity\.sh TABLE'

it 'the workflow runs it'
# shellcheck disable=SC2016 # it is not the shell's
expect 'by its path' grep -q 'docs/ci/parity\.sh "\$TABLE" parity$' "$ROOT/docs/ci/github-workflow.yml"

done_testing
