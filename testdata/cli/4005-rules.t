#!/usr/bin/env bash
# The findings of each rule, for faults that are planted in testdata/verify/table.json.
. "$(dirname "$0")/lib.sh"

toy=$ROOT/testdata/verify
run extract --dir "$toy" --profile "$toy/profile.json" -o toy.json
echo 'number NV0000_CTRL_CMD_TOY_OLD 1.0 never the macro has no method' >"$WORK/old"

# found LABEL FILTER - plant a fault in the table; the findings are appended to $WORK/all
found() {
	reported 1 "$@"
}

# unseen LABEL FILTER - the same for entries that cannot be checked
unseen() {
	reported 0 "$@"
}

# reported STATUS LABEL FILTER - the same, with the exit status
reported() {
	local status=$1
	shift
	it "$1"
	jq "$2" "$toy/table.json" >"$WORK/t.json"
	run verify --json toy.json --table t.json --version 1.0 --suppress old
	expect_status "$status"
	{ echo "$1"; sed -n '/^Findings\|^Not checked/,$p' "$OUT" | grep -v '^\($\|Findings\)'; } >>"$WORK/all"
}
e='.versions[0].ioctls.control'

found 'another number' "$e.TOY_CMD_QUERY.number = 999"
found 'the number of another command' "$e.TOY_CMD_QUERY.number = 265"
found 'two entries for one number' "$e.ZWEI = ($e.TOY_CMD_QUERY | .structs = [])"
found 'a macro that the driver does not have' "$e.TOY_CMD_QUERY.constant = \"TOY_CMD_QUERY2\""
found 'a record that the driver does not have' "$e.TOY_CMD_QUERY.structs[0].driver = \"TOY_QUERY\""
found 'another record of the driver' "$e.TOY_CMD_QUERY.structs[0].driver = \"toy_almost_query\""
found 'a record that no table names, but custom' "$e.NV0000_CTRL_CMD_TOY_OLD.structs[0].driver = \"toy_almost_query\""
found 'no struct where the driver has one' "$e.TOY_CMD_QUERY.structs = []"
found 'a struct where the driver has none' "$e.TOY_CMD_RESET.structs = [{driver: \"TOY_QUERY_PARAMS\", proxy: null}]"
found 'another size' '.types.Sample.size = 40'
found 'fields exchanged' '.types.Op.fields[0].name = "Value" | .types.Op.fields[4].name = "Opcode"'
found 'structs exchanged' '.types.Open.fields[5] = {name: "Peers", offset: 16, type: "Uuid[2]"} | .types.Open.fields[6] = {name: "UUID", offset: 48, type: "Uuid"}'
found 'a field elsewhere' '.types.Copy.fields[4] = {name: "Pad9", offset: 56, type: "uint8"} | .types.Copy.fields[5] = {name: "Flags", offset: 57, type: "uint8"} | .types.Copy.fields[6] = {name: "Delta", offset: 58, type: "int16"}'
found 'a narrower field' '.types.Copy.fields[2].type = "uint32"'
found 'another sign, in an array of records' '.types.Op.fields[1].type = "uint32"'
found 'an enum with a sign' '.types.Mode.alias = "int32"'
found 'a shorter array' '.types.Batch.fields[4].type = "Handle[7]"'
found 'an array of records that is shorter' '.types.Batch.fields[2].type = "Op[2]"'
found 'other dimensions' '.types.Vector.fields[0].type = "uint32[4][2]"'
found 'a pointer as integer' '.types.Copy.fields[0].type = "uint64"'
found 'an integer as pointer' '.types.Copy.fields[2].type = "P64"'
found 'a handle as integer' '.types.Map.fields[0].type = "uint32"'
found 'an integer as handle' '.types.Batch.fields[0].type = "Handle"'
found 'a handle over bit-fields' '.types.Bits.fields[0].type = "Handle"'
found 'bit-fields that nothing covers' '.types.Bits.fields |= .[1:]'
found 'a bool' '.types.Open.fields[4].type = "bool[2]" | .types.Open.fields[4].name = "Reserved0"'
found 'a lost field' '.types.Op.fields |= del(.[2])'
found 'a field where the driver has no field' '.types.Op.fields[3].name = "HOther"'
found 'padding over a field' '.types.Op.fields[0].name = "Pad7"'
found 'padding over a union' '.types.Sample.fields[2].name = "_"'
found 'a union of which too little is read' '.types.ByMap.fields |= .[:2]'
found 'bytes of a union that are too few' '.types.Sample.fields[2].type = "uint8[23]"'
unseen 'a union with a pointer as bytes' '.types.Map.fields[3] = {name: "Where", offset: 24, type: "uint8[8]"}'
found 'another member of a union than the pointer' '.types.Map.fields[3] = {name: "Cookie", offset: 24, type: "uint64"}'
for hidden in in_union in_array in_two_dimensions deep array_of_pointers; do
	found "called simple: hidden $hidden" "$e.TOY_CMD_QUERY.structs[0].driver = \"toy_hidden_$hidden\""
done
found 'a typedef called simple' "$e.TOY_CMD_FREE.structs[0].proxy = null"
found 'a typedef of another size' "$e.TOY_CMD_FREE.structs[0].proxy = \"P64\""
found 'a handler of another type' "$e.TOY_CMD_COPY.handler.type = \"Open\""
found 'a handler of what is called unread' "$e.TOY_CMD_QUERY.handler.type = \"Open\""
found 'an unknown capability' "$e.TOY_CMD_QUERY.caps = [\"compute\", \"grafics\"]"

it 'the texts of all findings'
expect_file_is "$WORK/all" rules.txt

it 'a kernel address is a warning'
jq '.roles = [{role: "kernel-pointer", type: "ToyU64", name: "hits", evidence: "toy_stats() in toy.c"},
	{role: "kernel-pointer", name: "counters"}] + .roles' "$toy/profile.json" >"$WORK/leaks.json"
run extract --dir "$toy" --profile leaks.json -o leaks-toy.json
for format in text json markdown junit; do
	run verify --json leaks-toy.json --table "$toy/table.json" --version 1.0 --format $format
	expect_status 0
	expect_err_empty
	expect_out_is "kernel-pointer.$format"
done
run verify --json leaks-toy.json --table "$toy/table.json" --version 1.0 --format sarif
expect_status 0
expect_json 'SARIF has warnings' '[.runs[0].results[] | .ruleId, .level] == ["kernel-pointer", "warning", "kernel-pointer", "warning"]'
run verify --json leaks-toy.json --table "$toy/table.json" --version 1.0 --fail-on kernel-pointer
expect_status 1
echo 'kernel-pointer TOY_CMD_* * never the driver clears it' >"$WORK/accepted"
run verify --json leaks-toy.json --table "$toy/table.json" --version 1.0 --fail-on kernel-pointer --suppress accepted
expect_status 0
expect_out_like '^ +pass +1\.0 .* 0 +2( |$)'

it 'an entry that the driver cannot confirm'
jq "$e.NOWHERE = {number: 77, constant: null, caps: [], structs: []}" "$toy/table.json" >"$WORK/t.json"
run verify --json toy.json --table t.json --version 1.0
expect_status 0
expect_out_like '^  number +control NOWHERE$'
expect_out_like '^ +neither a macro nor a table of the driver has the'

it 'names in the table cannot add lines'
jq "${e}[\"A\\nok 9\"] = $e.TOY_CMD_QUERY | ${e}[\"A\\nok 9\"].caps = [\"x\\n<y>&\\\"|\"]" "$toy/table.json" >"$WORK/t.json"
for format in text markdown; do
	run verify --json toy.json --table t.json --version 1.0 --format $format
	expect_status 1
	expect "$format has no line that a name added" lib_lacks '^(ok 9|<y>)' "$OUT"
done
run verify --json toy.json --table t.json --version 1.0 --format junit
expect 'XML is valid' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$OUT"
run verify --json toy.json --table t.json --version 1.0 --format sarif
expect_json 'SARIF is valid JSON' '.runs[0].results[0].message.text | contains("<y>&\"|")'

done_testing
