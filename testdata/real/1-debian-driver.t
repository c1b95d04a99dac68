#!/usr/bin/env bash
# The differ on the real driver, as Debian carries it: two versions, facts that gcc states about their structs, and
# changes between them that stand in their headers.
. "$(dirname "$0")/../cli/lib.sh"

BASE=535.261.03
NEXT=555.58.02
DEBIAN=${B:-$ROOT/build}/debian-driver
FACTS=$ROOT/testdata/real/facts.txt

# fact_holds DOCUMENT STRUCT SIZE FIELD=OFFSET... - as the document has it
fact_holds() {
	local document=$1 struct=$2 size=$3 found
	shift 3
	found=$(jq -r --arg s "$struct" '.records[$s] | [.size] + ([.fields[] | "\(.name)=\(.offset)"]) | .[]' "$document") || return 1
	printf '%s\n' "$found" | head -n 1 | grep -qx "$size" || { echo "$struct has another size than $size"; return 1; }
	for fact in "$@"; do
		printf '%s\n' "$found" | grep -qxF "$fact" || { echo "$struct has no $fact"; return 1; }
	done
}

# counts_are DOCUMENT RECORDS CONTROL ALLOC FRONTEND UVM
counts_are() {
	jq -r '[(.records | length)] + ([.ioctls[].family] as $f | ["control", "alloc", "frontend", "uvm"] | map(. as $n | [$f[] | select(. == $n)] | length))
		| map(tostring) | join(" ")' "$1" | grep -qxF "$2 $3 $4 $5 $6" || { jq '[(.records | length)], ([.ioctls[].family] | group_by(.) | map({(.[0]): length}) | add)' -c "$1"; return 1; }
}

# changed RECORD CLASS SIZE SIZE - in the diff
changed() {
	jq -e --arg n "$1" --arg c "$2" --argjson b "$3" --argjson a "$4" \
		'.changes[] | select(.kind == "record" and (.name == $n or any(.also[]?; . == $n))) | select((.classes | index($c)) and .before.size == $b and .after.size == $a)' "$WORK/diff.json" >/dev/null
}

it 'the real driver'
if "$ROOT/scripts/debian-driver" "$DEBIAN" >"$WORK/fetch" 2>&1; then
	pass 'can be had from Debian'
else
	fail "can be had from Debian: $(tail -n 1 "$WORK/fetch")"
	done_testing
fi
REPO=$DEBIAN/repo

for version in "$BASE" "$NEXT"; do
	it "$version"
	run extract --repo "$REPO" "$version" -o "$version.json"
	expect_status 0
	expect_err_empty
	while read -r of struct size fields; do
		[ "$of" = "$version" ] || continue
		# shellcheck disable=SC2086 # one word a fact
		expect "$struct is as gcc has it" fact_holds "$WORK/$version.json" "$struct" "$size" $fields
	done <"$FACTS"
done
it 'counts'
expect "of $BASE" counts_are "$WORK/$BASE.json" 2224 1132 145 40 69
expect "of $NEXT" counts_are "$WORK/$NEXT.json" 2346 1208 153 41 69

it 'the diff'
run_differ --repo "$REPO" --base "$BASE" --next "$NEXT" --format json -o diff.json
expect_status 1
expect 'NVOS47 grew in the middle' changed NVOS47_PARAMETERS layout 40 48
expect 'NV_MEMORY_ALLOCATION_PARAMS was appended to' changed NV_MEMORY_ALLOCATION_PARAMS growth 120 128
expect 'NV00FD got an export packet with a handle' changed NV00FD_ALLOCATION_PARAMETERS translation 40 80
expect 'the memory mapper got handles' changed NV_MEMORY_MAPPER_ALLOCATION_PARAMS translation 1 24
expect 'FB_GET_INFO_V2 has a longer list' changed NV2080_CTRL_FB_GET_INFO_V2_PARAMS layout 436 444
expect 'P2P_CAPS got a pointer' changed NV0000_CTRL_SYSTEM_GET_P2P_CAPS_PARAMS translation 168 176
expect 'CLASSLIST_V2 has a shorter list' changed NV0080_CTRL_GPU_GET_CLASSLIST_V2_PARAMS layout 644 404
expect 'GET_KMB got a handle' changed NVC56F_CTRL_CMD_GET_KMB_PARAMS translation 124 128
expect 'UVM_MAP_EXTERNAL_ALLOCATION takes more GPUs' changed UVM_MAP_EXTERNAL_ALLOCATION_PARAMS layout 1200 9264
expect 'UVM_ALLOC_SEMAPHORE_POOL takes more GPUs' changed UVM_ALLOC_SEMAPHORE_POOL_PARAMS layout 1184 9248
expect 'a command was renumbered' jq -e '.changes[] | select(.kind == "ioctl" and .name == "NV0073_CTRL_CMD_SYSTEM_GET_ACTIVE") | select(.before.number == 7536934 and .after.number == 7536908)' "$WORK/diff.json"

it 'every format'
run_differ --repo "$REPO" --base "$BASE" --next "$NEXT"
expect_status 1
expect_out_like '^nvidia 535\.261\.03 -> 555\.58\.02'
run_differ --repo "$REPO" --base "$BASE" --next "$NEXT" --format markdown
expect_status 1
expect_out_like '^## nvidia 535\.261\.03 → 555\.58\.02'
run_differ --repo "$REPO" --base "$BASE" --next "$BASE"
expect_status 0

done_testing
