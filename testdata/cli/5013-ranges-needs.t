#!/usr/bin/env bash
# ranges: versions that need a new node, grouped by the node that would serve them, and nodes that can be removed.
. "$(dirname "$0")/lib.sh"
fixture

# edited FILTER - write the demo table, changed by jq, to $WORK/table.json
edited() {
	jq "$1" "$TABLE" >"$WORK/table.json"
}

# more TAG PARENT - add a tag to $WORK/more.git, with the files of PARENT
more() {
	local commit
	commit=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x \
		git -C "$WORK/more.git" commit-tree -p "$2^{commit}" -m more "$2^{tree}")
	git -C "$WORK/more.git" tag "$1" "$commit"
}

it 'a table whose newest node is 110.05.00'
git clone -q --bare "$REPO" "$WORK/more.git"
more 120.02.00 120.01.00
more 130.00.00 120.02.00
edited 'del(.versions[] | select(.version == "120.01.00"))'
run ranges --repo more.git --table table.json
expect_status 0
expect_out_is needs.txt
expect 'no line is longer than 80 columns' lib_lacks '.{81}' "$OUT"
run ranges --repo more.git --table table.json -v
expect_out_is needs-verbose.txt
run ranges --repo more.git --table table.json --format markdown --prove
expect_status 0
expect_out_is needs.md
run ranges --repo more.git --table table.json --format json
expect_json 'one node serves three versions' '.summary.new_nodes == 1 and ([.versions[] | select(.served_by == "120.01.00") | .version] | length == 3)'

it 'nodes that are equal to their parents'
edited '.versions += [{"version": "120.02.00", "parent": "120.01.00", "supported": true}, {"version": "130.00.00", "parent": "120.02.00", "supported": false}]'
run ranges --repo more.git --table table.json
expect_out_like '^  - 130\.00\.00 forwards the same as 120\.02\.00,'
expect_out_unlike '^  120\.02\.00 '
expect_out_like '^  1 more node forwards the same as its parent,'

done_testing
