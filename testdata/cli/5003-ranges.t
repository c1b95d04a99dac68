#!/usr/bin/env bash
# ranges: sets of versions with the same ABI for a table, and the node that each version can use.
. "$(dirname "$0")/lib.sh"
fixture

# edited FILTER - write the demo table, changed by jq, to $WORK/table.json
edited() {
	jq "$1" "$TABLE" >"$WORK/table.json"
}

it 'the unchanged table'
run ranges --repo "$REPO" --table "$TABLE" --prove
expect_status 0
expect_err_empty
expect_out_like '^  4 can use the node that they follow, 0 a different one, 0 need a new one, 0$'

it 'a table whose newest node is 110.05.00'
edited 'del(.versions[] | select(.version == "120.01.00"))'
run ranges --repo "$REPO" --table table.json
expect_status 0
expect_out_is short-table.txt
run ranges --repo "$REPO" --table table.json --format json
expect_status 0
expect_json 'has the version that needs a node' '
	.format == "drvabi-ranges/1" and .criterion == "table"
	and ([.versions[] | select(.fit == "needs-new-node") | [.version, .follows, .served_by]] == [["120.01.00", "110.05.00", "120.01.00"]])'
expect_json 'has the reason' '[.versions[] | select(.version == "120.01.00") | .findings[].rule] | index("number") != null'
expect_json 'has counts' '.summary.new_nodes == 1 and .summary.fits == 3'

run ranges --repo "$REPO" --table table.json --exit-code
expect_status 1
expect_out_is short-table.txt
run ranges --repo "$REPO" --table "$TABLE" --exit-code --prove
expect_status 0

it 'a node without differences from its parent'
edited '.versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true, "ioctls": {}}]'
run ranges --repo "$REPO" --table table.json --format json
expect_status 0
expect_json 'is marked as empty' '.nodes[] | select(.version == "130.00.00") | .verdict == "empty" and (.available | not)'

it 'a node that only changes the handler of an entry'
edited '[.versions[].ioctls // {} | .control // {} | to_entries[]] as $all | ($all[0]) as $first
	| .versions += [{"version": "130.00.00", "parent": "120.01.00", "supported": true,
		"ioctls": {"control": {($first.key): ($first.value + {"handler": {"kind": "other"}})}}}]'
run ranges --repo "$REPO" --table table.json --format json
expect_status 0
expect_json 'is not marked as empty' '.nodes[] | select(.version == "130.00.00") | .verdict != "empty"'

it 'a tag without changes'
git clone -q --bare "$REPO" "$WORK/more.git"
commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x \
	git -C "$WORK/more.git" commit-tree -p '120.01.00^{commit}' -m more '120.01.00^{tree}')
git -C "$WORK/more.git" tag 120.02.00 "$commit"
for criterion in table strict; do
	run ranges --repo "$WORK/more.git" --table "$TABLE" --criterion "$criterion" --prove --format json
	expect_status 0
	expect_json "is in the set of the version that it follows ($criterion)" 'any(.sets[]; . == ["120.01.00", "120.02.00"])'
	expect_json "can use the node of that version ($criterion)" '.versions[] | select(.version == "120.02.00") | .node == "120.01.00"'
	expect_json "diff finds no contradiction ($criterion)" 'all(.versions[]; .proof.against == [])'
done

it 'the same bytes'
run ranges --repo "$REPO" --table "$TABLE" --jobs 1 --format json
cp "$OUT" "$WORK/one"
run ranges --repo "$REPO" --table "$TABLE" --jobs 4 --no-cache --format json
expect_same 'with any number of threads, with and without a cache' "$OUT" "$WORK/one"

it 'errors'
run ranges --repo "$REPO"
expect_cannot "ranges needs the proxy's table"
run ranges --repo "$REPO" --table "$TABLE" --criterion loose
expect_cannot "--criterion takes one of table\\|strict, not 'loose'"
run ranges --repo "$REPO" --table "$TABLE" 110.05.00
expect_cannot "ranges takes no '110\.05\.00'"
run ranges --repo "$REPO" --table "$TABLE" --profile linux-kfd
expect_status 2

done_testing
