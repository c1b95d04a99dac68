#!/usr/bin/env bash
# decode prints the member of a union that the call selects, with the rules of src/extract/profiles/nvidia-use.json.
. "$(dirname "$0")/lib.sh"

answers=(DRVABI_REPO= decode)

# zeros COUNT - print COUNT bytes as hexadecimal digits
zeros() {
	printf '00%.0s' $(seq "$1")
}

# inside COMMAND HEX VERSION UNION - write the paths inside a union to $OUT, one per line
inside() {
	run "${answers[@]}" --control "$1" "$2" --version "$3" --format json
	expect_status 0
	jq -r --arg union "$4" '.fields[].path | select(startswith($union))' "$OUT" >"$OUT.paths"
	mv "$OUT.paths" "$OUT"
}

it 'a query whose type is in the adjacent field'
inside 0x20803801 "0100000000000000""0300000000000000""0000000000000000$(zeros 1904)" 590.48.01 'queries[0].queryData'
expect 'is a query of a TPC mask' [ "$(sort -u "$OUT" | tr '\n' ' ')" = 'queries[0].queryData.tpcMaskData.gpcId queries[0].queryData.tpcMaskData.tpcMask ' ]

it 'each element of an array has its own field'
run "${answers[@]}" --control 0x20801346 "0200000000000000""0100000000000000$(zeros 24)""0500000000000000$(zeros 24)""6300000000000000$(zeros 3768)" \
	--version 590.48.01 --format json
expect_status 0
expect_json 'the first is an FBP mask' '[.fields[].path | select(startswith("queries[0].queryParams")) | split(".")[2]] | unique == ["fbp"]'
expect_json 'the second is a ROP mask' '[.fields[].path | select(startswith("queries[1].queryParams")) | split(".")[2]] | unique == ["rop"]'
expect_json 'a number without a rule has all members, and a note' '[.fields[] | select(.path | startswith("queries[2].queryParams"))] | length > 40 and all(.union == "queries[2].queryParams")'
expect_json "the number has the driver's name" 'any(.fields[]; .path == "queries[1].queryType" and .name == "NV2080_CTRL_FB_FS_INFO_ROP_MASK")'

it 'a number that meant a different member in older versions'
inside 0x2080240b "0300000000000000$(zeros 168)" 515.43.04 nocatJournalData
expect_out_like '^nocatJournalData\.tagData'
expect_out_unlike 'rclog|tdrReason|insertData'
inside 0x2080240b "0300000000000000$(zeros 96)" 590.48.01 nocatJournalData
expect_out_like '^nocatJournalData\.rclog'
expect_out_unlike 'tagData|tdrReason'

it 'a union without a name'
inside 0xc56f010b "$(zeros 136)0000000000000000" 590.48.01 kmb
expect_out_like 'decryptBundle'
expect_out_unlike 'hmacBundle'

it 'JSON has all bytes; those of other members are padding'
run "${answers[@]}" --control 0x402c0105 "$(zeros 12)0a00000000000000$(printf 'ff%.0s' $(seq 76))" --version 590.48.01 --format json
expect_status 0
expect_json 'only the member of the EDID is printed' '[.fields[].path | select(startswith("transData")) | split(".")[1]] | unique == ["edidData"]'
expect_json 'all bytes are printed' '([.fields[].size] | add) + ([.padding[].size] | add) >= 88'

it 'the rules fit the documents'
export DRVABI DRVABI_REPO=
check() {
	STATUS=0
	python3 "$1/scripts/check-unions" "${@:2}" >"$OUT" 2>"$ERR" || STATUS=$?
}
check "$ROOT" 515.43.04 535.43.02 550.40.07 590.48.01 595.45.04
expect_status 0
expect_out_like '^5 versions, [0-9]+ rules, 0 errors$'
mkdir -p "$DRVABI_TEST_DIR"/wrong/{scripts,src/extract/profiles}
cp "$ROOT/scripts/check-unions" "$DRVABI_TEST_DIR/wrong/scripts"
sed 's/"by": "queryType"/"by": "queryKind"/' "$ROOT/src/extract/profiles/nvidia-use.json" >"$DRVABI_TEST_DIR/wrong/src/extract/profiles/nvidia-use.json"
check "$DRVABI_TEST_DIR/wrong" 590.48.01
expect_status 1
expect_out_like '^590.48.01: NV2080_CTRL_FB_FS_INFO_QUERY.queryParams: the record has no field queryKind$'

done_testing
