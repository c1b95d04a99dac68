#!/usr/bin/env bash
# The scripts and workflows of docs/ci and action.yml.
. "$(dirname "$0")/lib.sh"
fixture

# parity ARGUMENT... - run docs/ci/parity.sh
parity() {
	run_program "$ROOT/docs/ci/parity.sh" DRVABI="$DRVABI" DRVABI_REPO="$REPO" "$@"
}

it 'a table that fits'
cp "$TABLE" "$WORK/t.json"
parity t.json out
expect_status 0
expect_err_empty
expect_out_like '^ +3 of 3 versions checked: 3 pass, 0 fail, 0 unavailable$'
expect 'the JUnit report is valid XML' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$WORK/out/verify.xml"

it 'workflow commands in the output are disabled'
jq '.proxy = "::error::x"' "$TABLE" >"$WORK/forged.json"
parity GITHUB_ACTIONS=true forged.json out
expect_status 0
token=$(sed -n '1s/^::stop-commands:://p' "$OUT")
expect 'the first line disables commands' [ ${#token} = 32 ]
expect 'the last line enables commands' [ "$(tail -n 1 "$OUT")" = "::$token::" ]
for workflow in "$ROOT"/docs/ci/*.yml "$ROOT/action.yml"; do
	# shellcheck disable=SC2016 # GitHub's expressions
	expect "$(basename "$workflow"): values are passed to commands in the environment" [ -z "$(grep -F '${{' "$workflow" | grep -vE '^ *(- )?[A-Za-z_-]+: ')" ]
	expect "$(basename "$workflow"): every action is pinned by hash" lib_lacks 'uses: [^#@]*@[^ ]{1,39}( |$)' "$workflow"
done
run_program "$ROOT/scripts/check-archive" "$REPO" '600.10;id'
expect_status 2
expect_err_like "^check-archive: invalid version '600\\.10;id': "

it 'SARIF has the properties that its readers need'
cp "$WORK/out/verify.sarif" "$OUT"
# shellcheck disable=SC2016 # variables of jq
sarif='.version == "2.1.0" and (.runs | length) == 1 and .runs[0].tool.driver.name == "drvabi"
	and all(.runs[0].tool.driver.rules[]; .id and .shortDescription.text and .fullDescription.text and .help.text and .helpUri)
	and all(.runs[0].results[]; .message.text and .ruleId and (.locations | length) > 0
		and all(.locations[]; .physicalLocation.artifactLocation.uri and .physicalLocation.region.startLine >= 1))
	and all(.runs[0].invocations[]; .executionSuccessful)
	and (.runs[0].tool.driver as $d | all(.runs[0].results[]; $d.rules[.ruleIndex].id == .ruleId)
		and all(.runs[0].invocations[0].toolExecutionNotifications[]; $d.notifications[.descriptor.index].id == .descriptor.id))'
expect_json 'for a table that fits' "$sarif"

it 'a table that does not fit, and a version that is not in the repository'
jq '.types.IoctlSysParams.fields[0].type = "int64" | .versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]' \
	"$TABLE" >"$WORK/t.json"
parity t.json out
expect_status 1
cp "$WORK/out/verify.sarif" "$OUT"
expect_json 'SARIF has the findings' "$sarif"' and [.runs[0].results[] | .ruleId, (.properties.versions | length)] == ["field-type", 3, "unavailable", 1]
	and .runs[0].results[1].level == "error"'
expect_json 'SARIF has the version' '[.runs[0].invocations[0].toolExecutionNotifications[].message.text] | length == 1 and (.[0] | test("^130.00.00 is unavailable: not in the repository"))'

it 'accepted findings'
echo 'field-type NV_ESC_SYS_PARAMS * never looked at' >"$WORK/parity-accepted.txt"
parity t.json out
expect_status 1
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable, of which 1 fails the( run)?$'
echo 'unavailable * 130.00.00 9999-12-31 our clone has it next week' >>"$WORK/parity-accepted.txt"
parity t.json out
expect_status 0
expect_out_like '^ +3 of 4 versions checked: 3 pass, 0 fail, 1 unavailable, of which 1 is accepted$'
cp "$WORK/out/verify.sarif" "$OUT"
expect_json 'accepted findings are also in SARIF' '[.runs[0].results[].suppressions[0].justification] | unique == ["looked at", "our clone has it next week"]'

it 'errors of parity.sh'
parity nowhere.json out
expect_status 2
parity
expect_status 2
expect_err_like '^usage: parity\.sh TABLE'

it 'the workflow runs parity.sh'
# shellcheck disable=SC2016 # text of the workflow
expect 'by its path' grep -q 'docs/ci/parity\.sh "\$TABLE" parity$' "$ROOT/docs/ci/github-workflow.yml"

# step FILE NAME - print the shell script of the step NAME: the lines after its "run: |", without their indentation
step() {
	awk -v name="- name: $2" '
		function indentation(line) { match(line, /^ */); return RLENGTH }
		index($0, name) && substr($0, indentation($0) + 1) == name { here = 1; next }
		here && /^ *run: \|$/ { inside = 1; outer = indentation($0); next }
		inside && /[^ ]/ && indentation($0) <= outer { exit }
		inside { if (!inner) inner = indentation($0); print substr($0, inner + 1) }
		here && /^ *- / { here = 0 }' "$1"
}

# run_step SETTING... - run the script in $WORK/step as GitHub does; it writes $WORK/output and $WORK/summary for GitHub
run_step() {
	rm -f "$WORK/output" "$WORK/summary"
	run_program bash GITHUB_ACTION_PATH="$ROOT" GITHUB_OUTPUT="$WORK/output" GITHUB_STEP_SUMMARY="$WORK/summary" DRVABI="$DRVABI" DRVABI_REPO="$REPO" \
		"$@" --noprofile --norc -eo pipefail "$WORK/step"
}

it 'the action'
action=$ROOT/action.yml
sed -n '/^inputs:/,/^outputs:/s/^  \([a-z-]*\):$/\1/p' "$action" | LC_ALL=C sort >"$WORK/declared"
grep -o 'inputs\.[a-z-]*' "$action" | sed 's/inputs\.//' | LC_ALL=C sort -u >"$WORK/used"
expect_same 'uses exactly the declared inputs' "$WORK/declared" "$WORK/used"
# shellcheck disable=SC2016 # quotes of Markdown
sed -n 's/^| \(`[a-z-]*`[`a-z, -]*\) |.*/\1/p' "$ROOT/docs/ci/README.md" | grep -o '[a-z-]*' | LC_ALL=C sort >"$WORK/documented"
expect_same 'docs/ci/README.md lists the declared inputs' "$WORK/declared" "$WORK/documented"
for name in 'build drvabi' 'run drvabi'; do
	step "$action" "$name" >"$WORK/step"
	expect "$name: the script has valid syntax" bash -n "$WORK/step"
	expect 'the script has two lines' [ "$(wc -l <"$WORK/step")" = 2 ]
	expect 'no expression is a part of the script' lib_lacks '\$\{\{' "$WORK/step"
done
# shellcheck disable=SC2016 # GitHub's expressions
expect 'passes inputs to scripts only in the environment' [ "$(grep -c '^ *[A-Z_]*: \${{ inputs\.[a-z-]* }}$' "$action")" = "$(wc -l < <(grep -F '{{ inputs.' "$action"))" ]
cat >"$WORK/make" <<'END'
#!/bin/sh
echo "make $*"
END
mkdir "$WORK/bin"
mv "$WORK/make" "$WORK/bin/make"
chmod +x "$WORK/bin/make"
step "$action" 'build drvabi' >"$WORK/step"
mkdir -p "$WORK/sources/scripts"
printf '#!/bin/sh\necho "install-deps $*"\n' >"$WORK/sources/scripts/install-deps"
chmod +x "$WORK/sources/scripts/install-deps"
run_step GITHUB_ACTION_PATH="$WORK/sources" PATH="$WORK/bin:$PATH"
expect_status 0
expect 'builds drvabi in its own directory' diff "$OUT" <(printf '%s\n' 'install-deps build' "make -C $WORK/sources all")

it 'the action on a table'
step "$action" 'run drvabi' >"$WORK/step"
cp "$TABLE" "$WORK/t.json"
rm "$WORK/parity-accepted.txt"
run_step INPUT_TABLE=t.json
expect_status 0
expect_err_empty
expect_out_like '^ +3 of 3 versions checked: 3 pass, 0 fail, 0 unavailable$'
expect 'sets its outputs' diff "$WORK/output" <(printf '%s\n' status=0 report=drvabi-report/report.markdown sarif=drvabi-report/drvabi.sarif)
expect 'writes a summary' grep -q '^## drvabi verify$' "$WORK/summary"
expect 'the summary contains the report' diff <(tail -n +3 "$WORK/summary") "$WORK/drvabi-report/report.markdown"
expect 'writes SARIF' jq -e '.version == "2.1.0"' "$WORK/drvabi-report/drvabi.sarif"
jq '.types.IoctlSysParams.fields[0].type = "int64"' "$TABLE" >"$WORK/t.json"
run_step INPUT_TABLE=t.json INPUT_FORMAT=junit INPUT_OUTPUT=here INPUT_SUMMARY=false
expect_status 1
expect 'its status is 1 if there are findings' grep -qx status=1 "$WORK/output"
expect 'the format can be chosen' grep -q '<testsuites' "$WORK/here/report.junit"
expect 'writes no summary with INPUT_SUMMARY=false' [ ! -e "$WORK/summary" ]
run_step INPUT_TABLE=t.json INPUT_FAIL_ON=number
expect_status 0
run_step INPUT_TABLE=t.json INPUT_FAIL_ON=number INPUT_ALL_NODES=true
expect_out_like '^ +4 of 4 versions checked: '
jq '.versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]' "$TABLE" >"$WORK/newer.json"
run_step INPUT_TABLE=newer.json
expect_status 1
expect_out_like 'of which 1 fails the( run)?$'
run_step INPUT_TABLE=newer.json INPUT_STRICT=false
expect_status 0
run_step INPUT_TABLE=t.json INPUT_VERSION=110.05.00
expect_status 1
expect_out_unlike '^120\.'

run_step INPUT_TABLE=t.json GITHUB_ACTIONS=true
expect_status 1
token=$(sed -n 's/^::stop-commands:://p' "$OUT")
sed "1,/^::$token::\$/d" "$OUT" >"$WORK/annotations"
expect 'prints annotations after commands are enabled again' grep -q '^::error file=t\.json,line=[0-9]*,title=field-type::frontend NV_ESC_SYS_PARAMS: ' "$WORK/annotations"
expect 'and prints nothing else there' lib_lacks '^(:[^:]|[^:])' "$WORK/annotations"

it 'the action on two versions'
run_step INPUT_COMMAND=diff INPUT_BASE=100.10.01 INPUT_NEXT=110.05.00 INPUT_TABLE=t.json
expect_status 1
expect 'diff has no SARIF' grep -qx 'sarif=' "$WORK/output"
expect 'diff has a summary' grep -q '^## drvabi diff$' "$WORK/summary"
run_step INPUT_COMMAND=diff INPUT_BASE=100.10.01 INPUT_NEXT=100.10.01
expect_status 0
run_step INPUT_COMMAND=ranges INPUT_TABLE=t.json
expect 'ranges has a summary' grep -q '^## drvabi ranges$' "$WORK/summary"

it 'the action with invalid inputs'
run_step INPUT_COMMAND=cache
expect_status 2
expect_err_like "^run-action\\.sh: the input 'command' is 'cache'; it must be verify, diff or ranges$"
run_step INPUT_TABLE=nowhere.json
expect_status 2
expect_err_like '^drvabi: cannot open nowhere\.json: '
expect 'sets no outputs' [ ! -e "$WORK/output" ]
# shellcheck disable=SC2016 # the input
run_step INPUT_TABLE='$(touch made); `touch made`' INPUT_OUTPUT='a b;touch made'
expect_status 2
expect 'does not run code in an input' [ ! -e "$WORK/made" ]
run_step INPUT_TABLE=t.json INPUT_OUTPUT=$'x\nstatus=0'
expect_status 2
expect_err_like "^run-action\\.sh: the input 'output' has more than one line$"

# new_driver ARGUMENT... - run docs/ci/new-driver.sh
new_driver() {
	run_program "$ROOT/docs/ci/new-driver.sh" DRVABI="$DRVABI" DRIVER_URL="$REPO" "$@"
}

it 'a table with a node for the newest driver'
cp "$TABLE" "$WORK/t.json"
new_driver t.json out
expect_status 0
expect_err_empty
expect_out_like '^no release of the driver needs work$'
expect 'nothing is written' [ ! -e "$WORK/out/new-driver.md" ]

it 'a table without a node for the newest driver'
jq '.versions |= map(select(.version | startswith("100.")))' "$TABLE" >"$WORK/t.json"
new_driver t.json out
expect_status 1
expect_err_empty
keep title
expect 'the report has the changes' grep -q '^## nvidia 100\.10\.01 → 120\.01\.00 ' "$WORK/out/new-driver.md"
# up_to_table FILE - print the report up to the end of the table of releases, without the output of diff
up_to_table() {
	awk '/^\| / { here = 1 } here && /^$/ { exit } { print }' "$1"
}
up_to_table "$WORK/out/new-driver.md" >"$OUT"
expect_out_is new-driver.md
expect 'its first line is the title' [ "$(head -n 1 "$OUT")" = "$(cat "$WORK/title")" ]
new_driver nowhere.json out
expect_status 2
new_driver DRIVER_URL="$WORK/nowhere" t.json out
expect_status 2
expect_err_like 'new-driver\.sh: cannot list the tags of '
new_driver
expect_status 2
expect_err_like '^usage: new-driver\.sh TABLE'

it 'a tag with characters that have a meaning in Markdown'
git clone -q --bare "$REPO" "$WORK/odd.git"
# shellcheck disable=SC2016 # the name of the tag
git --git-dir="$WORK/odd.git" tag '121.00.00|@all`$(x)`<b>' 120.01.00
new_driver DRIVER_URL="$WORK/odd.git" t.json out
expect_status 1
expect 'the characters are replaced in the title' grep -q '^driver 121\.00\.00?*[a-z?]* and 2 more releases need work$' "$OUT"
expect 'and in the table of releases' grep -Eq '^\| 121\.00\.00[?a-zx]+ \| ' "$WORK/out/new-driver.md"
expect 'and occur nowhere else' lib_lacks '121.00.00.*(@|<b>|`)' <(up_to_table "$WORK/out/new-driver.md")

it 'workflows'
for file in "$action" "$ROOT"/docs/ci/*.yml; do
	expect "${file##*/} pins actions to commits" lib_lacks 'uses:' <(grep -Ev 'uses: [a-z-]+/[a-z/-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+$' "$file" | grep 'uses:')
	expect "${file##*/} has no tab" lib_lacks $'\t' "$file"
	while read -r name; do
		step "$file" "$name" >"$WORK/step"
		expect "${file##*/}, $name: no expression is a part of the script" lib_lacks '\$\{\{' "$WORK/step"
		expect "${file##*/}, $name: the script has valid syntax" bash -n "$WORK/step"
	done < <(grep -B 9 '^ *run: |$' "$file" | sed -n 's/^ *- name: //p' | sort -u)
	if python3 -c 'import yaml' 2>/dev/null; then
		expect "${file##*/} is valid YAML" python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file"
	fi
done
new=$ROOT/docs/ci/new-driver.yml
step "$new" 'look for releases that need work' >"$WORK/step"
mkdir -p "$WORK/.drvabi/build" "$WORK/.drvabi/docs"
ln -s "$DRVABI" "$WORK/.drvabi/build/drvabi"
ln -s "$ROOT/docs/ci" "$WORK/.drvabi/docs/ci"
run_step TABLE=t.json DRIVER_URL="$REPO"
expect_status 0
expect 'the output says that releases need work' grep -qx work=1 "$WORK/output"
step "$new" 'open an issue, unless there is one' >"$WORK/step"
cat >"$WORK/bin/gh" <<'END'
#!/bin/sh
case "$1 $2" in
"issue list") cat open ;;
"issue create") printf '%s\n' "$@" >created ;;
esac
END
chmod +x "$WORK/bin/gh"
: >"$WORK/open"
run_step PATH="$WORK/bin:$PATH"
expect_status 0
expect 'opens an issue' diff "$WORK/created" <(printf '%s\n' issue create --title "$(cat "$WORK/title")" --body-file body)
rm "$WORK/created"
cp "$WORK/title" "$WORK/open"
run_step PATH="$WORK/bin:$PATH"
expect_status 0
expect 'opens no second issue' [ ! -e "$WORK/created" ]

done_testing
