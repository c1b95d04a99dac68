#!/usr/bin/env bash
# diff finds each change in the list of testdata/demo/README.md, at its version and with its class.
. "$(dirname "$0")/lib.sh"
fixture

# parent_of VERSION - print the version to compare with
parent_of() {
	awk -v version="$1" '$1 == version { print $2 }' "$ROOT/testdata/demo/series"
}

# rows - print "class<TAB>change<TAB>version<TAB>name" for each version and name of the README's table
rows() {
	sed -n '/^| class /,/^$/p' "$ROOT/testdata/demo/README.md" | tail -n +3 | awk -F ' *\\| *' -v OFS='\t' '
		$2 != "" { class = $2 }
		NF > 4 {
			versions = split($4, version, /, /)
			names = split($5, name, /, /)
			for (v = 1; v <= versions; v++)
				for (n = 1; n <= names; n++) {
					gsub(/`/, "", name[n])
					print class, $3, version[v], name[n]
				}
		}'
}

for version in 100.20.02 110.05.00 120.01.00; do
	it "$version"
	run diff --repo "$REPO" "$(parent_of "$version")" "$version" --format json
	expect_status 1
	expect_err_empty
	cp "$OUT" "$WORK/$version.json"
done

rows >"$WORK/rows"
it 'the table of the README'
expect 'has rows for all ten classes' [ "$(cut -f 1 "$WORK/rows" | sort -u | wc -l)" = 10 ]
while IFS=$(printf '\t') read -r class change version name; do
	it "$class, $change"
	record=${name%%.*}
	field=
	[ "$record" = "$name" ] || field=${name#*.}
	cp "$WORK/$version.json" "$OUT"
	# shellcheck disable=SC2016 # variables of jq
	expect_json "$name at $version" '
		[.changes[] | select(.name == $record and (.classes | index($class)))] as $found
		| ($found | length > 0) and ($field == "" or any($found[].fields[]?; .path == $field))' \
		--arg record "$record" --arg class "$class" --arg field "$field"
done <"$WORK/rows"

it 'a number with a new meaning'
cp "$WORK/120.01.00.json" "$OUT"
expect_json 'the former command is named' '
	.changes[] | select(.kind == "ioctl" and .name == "NV2080_CTRL_CMD_DEMO_DRAM_CHECK_INFO")
	| tostring | test("NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS")'

it 'a record of two commands'
cp "$WORK/110.05.00.json" "$OUT"
expect_json 'is reported with both' '
	.changes[] | select(.name == "NV2080_CTRL_PERF_SAMPLE") | [.reached_by[].name]
	== ["NV2080_CTRL_CMD_PERF_GET_SAMPLE", "NV2080_CTRL_CMD_PERF_GET_SAMPLES"]'

it 'equal versions'
run diff --repo "$REPO" 110.05.00 110.05.00
expect_status 0

done_testing
