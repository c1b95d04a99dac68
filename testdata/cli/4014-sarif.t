#!/usr/bin/env bash
# verify --format sarif: one result for each finding, at the line of the entry, with stable fingerprints.
. "$(dirname "$0")/lib.sh"
fixture

# faulty NAME FILTER - write the demo table, with a wrong number and changed by jq, to $WORK/NAME
faulty() {
	jq ".versions[0].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO.number = 545259779 | $2" "$TABLE" >"$WORK/$1"
}

# sarif FILE [OPTION]... - run verify on all versions of a table
sarif() {
	local table=$1
	shift
	run verify --repo "$REPO" --table "$table" --format sarif --all-nodes "$@"
}

it 'a finding in four versions'
faulty t.json .
sarif t.json
expect_status 1
expect_json 'is one result' '.runs[0].results | length == 1 and .[0].properties.versions == ["100.10.01", "100.20.02", "110.05.00", "120.01.00"]'
row=$(jq '.runs[0].results[0].locations[0].physicalLocation.region.startLine' "$OUT")
expect 'has the line of its entry' grep -q '^ *"NV2080_CTRL_CMD_GPU_GET_INFO": {' <(sed -n "${row}p" "$WORK/t.json")
jq -c '.runs[0].results[].partialFingerprints' "$OUT" >"$WORK/fingerprints"

it 'moved lines, and an additional version'
jq --indent 7 '.versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true}]' "$WORK/t.json" | sed 's/^{/\n\n&/' >"$WORK/moved.json"
sarif moved.json
jq -c '.runs[0].results[].partialFingerprints' "$OUT" >"$WORK/again"
expect_same 'do not change the fingerprint' "$WORK/fingerprints" "$WORK/again"
# shellcheck disable=SC2016 # variables of jq
expect_json 'change the location' '.runs[0].results[0].locations[0].physicalLocation.region.startLine == $row + 2' --argjson row "$row"

it 'a table with one line'
jq -c . "$WORK/t.json" >"$WORK/line.json"
sarif line.json
expect_json 'has all entries in line 1' '.runs[0].results[0].locations[0].physicalLocation.region.startLine == 1'

it 'an entry that a later node defines again'
# shellcheck disable=SC2016 # variable of jq
faulty anew.json '.versions[0].ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO as $entry
	| (.versions[] | select(.version == "110.05.00") | .ioctls.control.NV2080_CTRL_CMD_GPU_GET_INFO) = $entry'
sarif anew.json
expect_json 'has a separate result' '[.runs[0].results[].properties.versions] == [["100.10.01", "100.20.02"], ["110.05.00", "120.01.00"]]'
expect_json 'with a separate fingerprint' '[.runs[0].results[].partialFingerprints[]] | length == 2 and unique == .'
expect_json 'and a separate line' '[.runs[0].results[].locations[0].physicalLocation.region.startLine] | unique | length == 2'

it 'a finding that is accepted in some versions'
echo 'number * ..100.20.02 never known' >"$WORK/accepted"
sarif t.json --suppress accepted
expect_json 'is two results' '[.runs[0].results[] | {n: (.suppressions | length), v: .properties.versions}]
	== [{n: 0, v: ["110.05.00", "120.01.00"]}, {n: 1, v: ["100.10.01", "100.20.02"]}]'
# shellcheck disable=SC2016 # variables of jq
expect_json 'the open result keeps its fingerprint' '.runs[0].results[0].partialFingerprints == $was[0]' --slurpfile was "$WORK/fingerprints"
echo 'number * * never known' >"$WORK/accepted"
sarif t.json --suppress accepted
# shellcheck disable=SC2016 # variables of jq
expect_json 'so does a result that is accepted in all versions' '.runs[0].results[0].partialFingerprints == $was[0]' --slurpfile was "$WORK/fingerprints"

it 'a table from a header'
cat >"$WORK/proxy.h" <<'H'

/* drvabi: control NV2080_CTRL_CMD_GPU_GET_INFO=3 - - */
H
echo 'control NV2080_CTRL_CMD_DEMO_BIND=4 - -' >"$WORK/map"
run verify --repo "$REPO" --table-from-header proxy.h --map map --version 120.01.00 --format sarif
expect_status 1
expect_json 'has locations in the header and in the map file' '[.runs[0].results[] | select(.ruleId == "number") | .locations[0].physicalLocation
	| [.artifactLocation.uri, .region.startLine]] | sort == [["map", 1], ["proxy.h", 2]]'

it 'properties that readers of SARIF need'
sarif t.json
expect_json 'each rule has an absolute helpUri' 'all(.runs[0].tool.driver | .rules[], .notifications[]; .helpUri | test("^[a-z]+:"))'
jq -r '.runs[0].tool.driver | .rules[], .notifications[] | .helpUri' "$OUT" | sed 's/.*#//' >"$WORK/anchors"
missing=$(while read -r anchor; do grep -q "<a id=\"$anchor\"></a>" "$ROOT/docs/rules.md" || echo "$anchor"; done <"$WORK/anchors")
expect 'docs/rules.md has all anchors' [ -s "$WORK/anchors" -a -z "$missing" ]
expect_json 'results have only properties of SARIF' 'all(.runs[0].results[]; keys - ["level", "locations", "message", "partialFingerprints", "properties",
	"ruleId", "ruleIndex", "suppressions"] == [])'

done_testing
