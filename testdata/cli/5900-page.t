#!/usr/bin/env bash
# The page of a history: it is complete, valid and reproducible, and its scripts compute the right data. Its look is not tested.
# shellcheck source=testdata/cli/lib.sh
. "$(dirname "$0")/lib.sh"
fixture

# page_json FILE - print the data of a page
page_json() {
	sed -n '/^<script id="data"/,/^<\/script>/p' "$1" | sed '1d;$d'
}

# expect_page_data WHAT FILTER [JQ-ARGUMENT]... - like expect_json, for the data of page.html
expect_page_data() {
	page_json "$WORK/page.html" >"$OUT"
	expect_json "$@"
}

# lacks_addresses FILE - pass if the page has no address that a browser could load
lacks_addresses() {
	! grep -Eno '.{0,40}(https?:|//[a-z]|url\([^#]|@import|src=).{0,40}' "$1"
}

# ends_as_framed FILE - pass if only the scripts of the page's frame end
ends_as_framed() {
	[ "$(grep -o '</script' "$1" | wc -l)" = "$(grep -c '^</script>$' "$ROOT/src/report/page.html")" ]
}

it 'is written'
run history --repo "$REPO" --format html -o page.html
expect_status 0
expect_out_empty
expect 'the HTML is complete' grep -q '^</html>$' "$WORK/page.html"
expect 'a policy forbids loading' grep -q "default-src 'none'" "$WORK/page.html"
expect 'script and style are in the page' grep -q '^:root {' "$WORK/page.html"
page_json "$WORK/page.html" >"$WORK/data.json"
sed '/^<script id="data"/,/^<\/script>/d' "$WORK/page.html" >"$WORK/frame.html"
expect 'the frame has no address' lacks_addresses "$WORK/frame.html"
expect 'scripts end only where the frame ends them' ends_as_framed "$WORK/page.html"
expect 'all placeholders of the frame are filled' lib_lacks '\{\{|\}\}$' "$WORK/frame.html"

it 'has the same bytes in all runs'
cp "$WORK/page.html" "$WORK/first.html"
run history --repo "$REPO" --format html -o page.html --no-cache --jobs 1
expect_same 'the page is the same' "$WORK/first.html" "$WORK/page.html"
run history --repo "$REPO" --format html
expect_same 'also on standard output' "$WORK/first.html" "$OUT"

it 'shows versions without scripts'
expect 'each version has a row' [ "$(grep -c '^<tr data-v=' "$WORK/page.html")" = 4 ]
expect 'a row has the version that it is compared with' grep -q '^<tr data-v="2"><th scope="row">110.05.00<td>2022-05-01<td>100.10.01<td>' "$WORK/page.html"

it 'has the same changes as history'
run history --repo "$REPO" --format json
keep history.json
# shellcheck disable=SC2016 # variables of jq
expect_page_data 'every event, in its order' '[.events[] as $e | {kind: .kinds[$e[1]], name: .words[$e[3]]}] == [$history[0].events[] | {kind, name}]' \
	--slurpfile history "$WORK/history.json"
# shellcheck disable=SC2016
expect_page_data 'every version, with its parent' \
	'. as $d | [.versions[] | {version: .[0], parent: (if .[3] < 0 then null else $d.versions[.[3]][0] end)}] == [$history[0].versions[] | {version, parent}]' \
	--slurpfile history "$WORK/history.json"

it 'has all records of all versions'
# Computes the state at each version, by following the changes from the first version.
# shellcheck disable=SC2016
states='def states($v; $kind): . as $d
	| def at($life; $i): if $i < 0 then -1 else [range(0; $life | length; 2) as $s | select($life[$s] == $i) | $life[$s + 1]][0]
		// at($life; $d.versions[$i][3]) end;
	[.lives[] | select(.[0] == $kind) | {name: $d.words[.[2]], state: at(.[3]; $v)} | select(.state >= 0)];'
for version in 0:100.10.01 1:100.20.02 2:110.05.00 3:120.01.00; do
	run extract --repo "$REPO" "${version#*:}"
	keep document.json
	# shellcheck disable=SC2016
	expect_page_data "${version#*:}, with sizes and fields" "$states"'
		. as $d | [states($v; 0)[] | .name as $name | $d.records[.state] | {key: $name, value: {size: .[0], align: .[1], is_union: (.[2] == 1),
			fields: [.[3] as $f | range(0; $f | length; 5) | {name: $d.words[$f[.]], type: $d.words[$f[. + 1]]}]}}] | from_entries
		== ($document[0].records | map_values({size, align, is_union, fields: [.fields[] | {name, type}]}))' \
		--argjson v "${version%:*}" --slurpfile document "$WORK/document.json"
	# shellcheck disable=SC2016
	expect_page_data "${version#*:}, with the numbers of ioctls" "$states"'
		. as $d | [states($v; 4)[] | [.name, $d.ioctls[.state][0]]] | sort == ([$document[0].ioctls[] | [.name, .number]] | sort)' \
		--argjson v "${version%:*}" --slurpfile document "$WORK/document.json"
done

it 'folds versions without changes'
git clone -q --bare "$REPO" "$WORK/twice.git"
git --git-dir="$WORK/twice.git" tag 120.01.01 120.01.00
git --git-dir="$WORK/twice.git" tag 120.01.02 120.01.00
run history --repo twice.git --format html -o twice.html
expect_status 0
expect 'the newest version is first, in one row' \
	grep -q '^<tr class="fold"><td colspan="[0-9]*"><details><summary>2 versions without a change, 120.01.02 to 120.01.01</summary><span data-v="5">120.01.02</span>' "$WORK/twice.html"
expect 'the other versions follow' [ "$(grep -o '^<tr data-v="[0-9]*"' "$WORK/twice.html" | tr -dc '0-9\n' | tr '\n' ' ')" = '3 2 1 0 ' ]

it 'has the nodes of a table'
run history --repo "$REPO" --table "$TABLE" --format html -o table.html
expect_status 0
expect 'the table has a column for nodes' grep -q '<th scope="col">node' "$WORK/table.html"
page_json "$WORK/table.html" >"$OUT"
expect_json 'the data has a node for each version' '(.node_of | length) == (.versions | length) and (.nodes | length) > 0 and .proxy != null'
# shellcheck disable=SC2016 # variables of jq
expect_json 'all nodes are known' '. as $d | all(.node_of[]; . >= -1 and . < ($d.nodes | length))'
run history --repo "$REPO" --format html
expect 'without a table, there are no nodes' lib_lacks 'scope="col">node' "$OUT"

# If node is installed, the scripts are tested.
if node=$(command -v node); then
	it 'the ioctls of a record'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html 'Object.fromEntries(lives.filter((life) => life.kind === RECORD).map((life) =>
		[life.name, Object.values(carriers(life)).map((found) => found.map((one) => one.name))]))'
	expect_status 0
	expect_json 'an ioctl with the record as parameters' '.NV2080_CTRL_GPU_GET_INFO_PARAMS == [["NV2080_CTRL_CMD_GPU_GET_INFO"], []]'
	expect_json 'an ioctl whose parameters contain the record' '.NV2080_CTRL_GPU_INFO == [[], ["NV2080_CTRL_CMD_GPU_GET_INFO"]]'
	expect_json 'several ioctls' '.NvProcessorUuid == [[], ["UVM_MAP_EXTERNAL_ALLOCATION", "UVM_REGISTER_GPU"]]'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html "[ioctlNumber('uvm', 34), ioctlNumber('uvm', 0x30000001), ioctlNumber('alloc', 62),
		ioctlNumber('frontend', 42), ioctlNumber('frontend', 212), constantNumber('X_CMD_Y', 0), constantNumber('K', 65), constantNumber('K', 9),
		constantNumber('K', -12), constantNumber('K', '0xffffffffffffffff')]"
	expect_json 'numbers are as in other reports' '. == ["34", "0x30000001", "0x3e", "0x2a", "212", "0x0", "0x41 (65)", "9", "-12", "0xffffffffffffffff"]'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html 'Object.fromEntries(lives.filter((life) => life.kind === RECORD).map((life) =>
		[life.name, Object.values(carriers(life)).map((found) => found.map((one) => one.name))]))'
	expect_json 'records inside records' '.["NV0000_CTRL_OS_UNIX_EXPORT_OBJECT::data_t::rmMemory_t"] == [[], ["NV0000_CTRL_CMD_OS_UNIX_EXPORT_OBJECT"]]'

	it 'two versions side by side'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html 'differencesOf(0, 3).map(({ changed, added, removed }) =>
		({ changed: changed.flatMap(({ life, also }) => [life, ...also].map((one) => one.name)).sort(), added: added.map((life) => life.name).sort(), removed: removed.map((life) => life.name).sort() }))'
	keep differences.json
	run extract --repo "$REPO" 100.10.01
	keep old.json
	run extract --repo "$REPO" 120.01.00
	keep new.json
	for kind in 0:records 1:aliases 2:enums 3:constants; do
		# shellcheck disable=SC2016
		run_program jq -c --argjson kind "${kind%:*}" --arg key "${kind#*:}" --slurpfile old "$WORK/old.json" --slurpfile new "$WORK/new.json" \
			'[.[$kind].added, .[$kind].removed] == [(($new[0][$key] | keys) - ($old[0][$key] | keys)), (($old[0][$key] | keys) - ($new[0][$key] | keys))]' "$WORK/differences.json"
		expect "${kind#*:}: added and removed items are those of the documents" [ "$(cat "$OUT")" = true ]
	done
	run_program "$node" "$ROOT/testdata/page/run.js" page.html 'differencesOf(0, 3)[RECORD].changed.filter(({ inside }) => !inside)
		.map((item) => [item.life.name, stateAt(item.life, 0)[0], stateAt(item.life, 3)[0]])'
	# shellcheck disable=SC2016
	expect_json 'sizes are those of the documents' 'length > 0 and all(.[]; . as [$name, $was, $is] | $old[0].records[$name].size == $was and $new[0].records[$name].size == $is)' \
		--slurpfile old "$WORK/old.json" --slurpfile new "$WORK/new.json"
	run_program "$node" "$ROOT/testdata/page/run.js" page.html '[differencesOf(2, 2), differencesOf(0, 3)].map((found) => found.reduce((sum, { changed, added, removed }) => sum + changed.length + added.length + removed.length, 0))'
	expect_json 'a version has no differences from itself' '.[0] == 0 and .[1] > 0'

	it 'a selection of classes'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html '[all.map((version) => version.events.length),
		(showOnly(classesAsked("#version=1&class=layout,nonsense"), ""), all.map((version) => version.events.length)), address("version", "1"), classesAsked("#version=a&class="), classesAsked("#class=layout")]'
	expect_json 'has fewer changes, and is in the address' '([.[0], .[1]] | transpose | all(.[0] >= .[1])) and .[0] != .[1] and .[2] == "#version=1&class=layout" and .[3] == 0 and .[4] == 2'

	it 'a selection of one family of ioctls'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html '(showOnly(0, familyAsked("#family=uvm")), [all.flatMap((version) => version.events.map((change) => [change.kind === IOCTL ? change.family : change.kind === RECORD && change.name.startsWith("UVM_")])), address("version", "1"),
		familyAsked("#version=1&class=layout&family=uvm"), classesAsked("#version=1&class=layout&family=uvm"), familyAsked("#family=nonsense")])'
	expect_json 'has its ioctls and their records, and is in the address' '
		(.[0] | length) > 2 and all(.[0][][]; . == "uvm" or . == true) and .[1:] == ["#version=1&family=uvm", "uvm", 2, ""]'

	it 'a search for a number'
	run_program "$node" "$ROOT/testdata/page/run.js" page.html 'numbered(numberOf("0x20803010")).map((life) => [life.name, spansOf(life, 0x20803010n)])
		.map(([name, { added, left, count }]) => [name, count, ...[added, left].map((list) => list.map((group) => [group.number, ...group.versions.map((version) => version.name)]))])'
	expect_json 'finds the changes of the number' '. == [
		["NV2080_CTRL_CMD_DEMO_DRAM_CHECK_INFO", 1, [["0x20803011", "120.01.00"]], []],
		["NV2080_CTRL_CMD_DEMO_DRAM_CHECK_STATUS", 3, [[null, "100.10.01"]], [["0x20803012", "120.01.00"]]]]'
fi

it 'has only the requested records, and the records in them'
name=$(jq -r '[.events[] | select(.kind == "record" and .before and .after)][0].name' "$WORK/history.json")
run history --repo "$REPO" "$name" --format html -o page.html
# shellcheck disable=SC2016
expect_page_data 'the record' '. as $d | [.lives[] | $d.words[.[2]]] | index($name) != null' --arg name "$name"
page_json "$WORK/page.html" >"$WORK/some.json"
expect 'has less than all' [ "$(jq '.lives | length' "$WORK/some.json")" -lt "$(jq '.lives | length' "$WORK/data.json")" ]

it 'escapes names'
git clone -q --bare "$REPO" "$WORK/odd.git"
git --git-dir="$WORK/odd.git" tag '130.01</script><b>&"x' 120.01.00
run history --repo odd.git --format html -o page.html
expect 'no name ends a script' ends_as_framed "$WORK/page.html"
expect 'the table has the name as text' grep -qF '130.01&lt;/script&gt;&lt;b&gt;&amp;&quot;x' "$WORK/page.html"
expect_page_data 'and in the data' '.versions[4][0] == "130.01</script><b>&\"x"'
run history --repo "$REPO" '[<i>N]V*' --format html -o page.html
expect_status 0
expect 'a glob is escaped' grep -qF '&lt;i&gt;' "$WORK/page.html"
expect 'and is not an element' lib_lacks '<i>' "$WORK/page.html"

done_testing
