#!/usr/bin/env bash
# ABI documents that are malformed, too deep or too large are rejected with the place of the error.
# shellcheck disable=SC2016 # dollars of sed and jq
. "$(dirname "$0")/lib.sh"
fixture

run extract --repo "$REPO" 110.05.00 -o good.json

# refused REGEX - pass if every command that takes a document rejects bad.json
refused() {
	run flatten bad.json
	expect_cannot "^drvabi: $1$"
	run diff --base-json bad.json --next-json good.json -o file
	expect_cannot "^drvabi: $1$"
	run diff --base-json good.json --next-json bad.json
	expect_cannot "^drvabi: $1$"
	run show --json bad.json NvHandle
	expect_cannot "^drvabi: $1$"
}

differs() {
	! cmp -s "$WORK/good.json" "$WORK/bad.json"
}

# changed SED-SCRIPT REGEX - change the document with the script, and expect an error
changed() {
	it "$1"
	sed "$1" "$WORK/good.json" >"$WORK/bad.json"
	expect 'the script changed the document' differs
	refused "bad\\.json:$2"
}

# edited JQ-FILTER REGEX - the same with jq
edited() {
	it "$1"
	jq "$1" "$WORK/good.json" >"$WORK/bad.json"
	refused "$2"
}

changed '$d' "[0-9]+:[0-9]+: .*found the end of the text"
changed '$a x' "[0-9]+:1: expected the end of the text, found 'x'"
changed '$a {}' "[0-9]+:1: expected the end of the text, found '\\{'"
changed '2s/,$//' "3:2: .*expected ',' or '}', found '\"'"
changed '3s/"nvidia"/nvidia/' "3:12: expected a value, found 'n'"
changed '3s/nvidia/nvi\xffdia/' '3:[0-9]+: .*'
changed '3s/nvidia/nvi\tdia/' '3:[0-9]+: .*'
changed '3s/nvidia/nvi\\x/' '3:[0-9]+: .*'
changed '3s/"driver"/"format"/' ' the key "format" appears twice in one object'
changed '3d' ' the key "driver" is missing'
changed '2s/drvabi-abi.1/drvabi-abi\/9/' ' format: expected "drvabi-abi/1", found "drvabi-abi/9"'
changed '2s/drvabi-abi/drvabi-diff/' ' format: expected "drvabi-abi/1", found "drvabi-diff/1"'
changed '0,/"size": 4/s//"size": "4"/' ' [a-zA-Z_.0-9]*\.fields\[[0-9]*\]\.size: .*'
changed '0,/"size": 4/s//"size": -4/' ' [a-zA-Z_.0-9]*\.fields\[[0-9]*\]\.size: .*'
changed '0,/"size": 4/s//"size": 4.5/' '[0-9]+:[0-9]+: expected an integer, found a number with a fraction or an exponent'
changed '0,/"size": 4/s//"size": 1e400/' '[0-9]+:[0-9]+: expected an integer, .*'
changed '0,/"size": 4/s//"size": 99999999999999999999/' '[0-9]+:[0-9]+: 99999999999999999999 exceeds 2\^53, .*'
changed '0,/"offset": 4/s//"ofset": 4/' ' [a-zA-Z_.0-9]*\.fields\[[0-9]*\]\.ofset: unknown key'
changed '0,/"role": "handle"/s//"role": "handel"/' ' .*\.role: "handel" is not a role .*'
changed '0,/"is_union": false/s//"is_union": 0/' ' [a-zA-Z_.0-9]*\.is_union: expected .*, found an integer'
changed '0,/"family": "/s//"family": 5, "x": "/' ' ioctls\[0\]\..*: .*'
edited '.records.nv_uuid.fields[0].dims = [17]' 'bad\.json: records\.nv_uuid\.fields\[0\]\.dims\[0\]: this dimension of the type "NvU8\[16\]" is 16, not 17'
edited '.records.nv_uuid.fields[0].dims = [4, 4]' 'bad\.json: records\.nv_uuid\.fields\[0\]\.dims: the type "NvU8\[16\]" has 1 dimension, not 2'
edited '.records.NVOS00_PARAMETERS.fields[0].dims = [1]' 'bad\.json: records\.NVOS00_PARAMETERS\.fields\[0\]\.dims: the type "[A-Za-z0-9]*" has 0 dimensions, not 1'
edited '.records = []' 'bad\.json: records: expected an object or null, found an array'
edited '.records.NvTwice = 1' 'bad\.json: records\.NvTwice: expected an object, found an integer'
edited '.ioctls[0].number = "0x1ffffffffffffffffff"' 'bad\.json: ioctls\[0\]\.number: .*'
edited '.constants.NV_ESC_RM_FREE = "many"' 'bad\.json: constants\.NV_ESC_RM_FREE: .*'

it 'contradictory records'
# contradiction WHAT JQ-FILTER REGEX - pass if the commands that need the layout reject the document
contradiction() {
	it "$1"
	jq "$2" "$WORK/good.json" >"$WORK/bad.json"
	run flatten bad.json
	expect_cannot "^drvabi: $3$"
	run diff --base-json bad.json --next-json good.json
	expect_cannot "^drvabi: $3$"
}
contradiction 'a record that contains itself' '.records.NVOS00_PARAMETERS.fields[0].type = "NVOS00_PARAMETERS"' '.*NVOS00_PARAMETERS.*'
contradiction 'a field after its record' '.records.NVOS00_PARAMETERS.fields[0].offset = 4096' '.*NVOS00_PARAMETERS.*'
contradiction 'a type that is not there' '.records.NVOS00_PARAMETERS.fields[0].type = "NvNowhere"' '.*NVOS00_PARAMETERS.*'
contradiction 'an array that is too large' '.records.NVOS00_PARAMETERS.fields[0].type = "NvU32[9223372036854775807]"' '.*NVOS00_PARAMETERS.*'

it 'a truncated document'
size=$(stat -c %s "$WORK/good.json")
for part in 1 2 10 100 1000 $((size / 2)) $((size - 3)); do
	head -c "$part" "$WORK/good.json" >"$WORK/bad.json"
	run flatten bad.json
	expect_cannot '^drvabi: bad\.json:[0-9]+:[0-9]+: .*$'
done

it 'files that are not ABI documents'
: >"$WORK/bad.json"
refused 'bad\.json:1:1: expected a value, found the end of the text'
echo '[]' >"$WORK/bad.json"
refused 'bad\.json: expected an object, found an array'
echo '{}' >"$WORK/bad.json"
refused 'bad\.json: the key "[a-z]*" is missing'
printf '\037\213\010' >"$WORK/bad.json"
refused 'bad\.json:1:1: expected a value, found byte 0x1f'
run flatten .
expect_cannot '^drvabi: cannot read \.: Is a directory$'
run diff --base-json good.json --next-json nowhere.json
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'

it 'nesting depth'
head -c 200000 /dev/zero | tr '\0' '[' >"$WORK/bad.json"
refused 'bad\.json:1:65: nested more than 64 levels deep'
{
	printf '{"a":%.0s' $(seq 1 30000)
} >"$WORK/bad.json"
refused 'bad\.json:1:[0-9]+: nested more than 64 levels deep'

it 'a hundred megabytes'
head -c 100000000 /dev/zero | tr '\0' '[' >"$WORK/bad.json"
run diff --base-json bad.json --next-json good.json
expect_cannot '^drvabi: bad\.json:1:65: nested more than 64 levels deep$'
run diff --repo "$REPO" 100.10.01 110.05.00 --table bad.json
expect_cannot '^drvabi: bad\.json:1:65: nested more than 64 levels deep$'
{
	printf '{"format": "'
	head -c 100000000 /dev/zero | tr '\0' 'a'
	printf '"}\n'
} >"$WORK/bad.json"
run flatten bad.json
expect_cannot '^drvabi: bad\.json: .*$'
expect 'the message has less than 2000 bytes' [ "$(stat -c %s "$ERR")" -lt 2000 ]
truncate -s 300M "$WORK/bad.json"
run flatten bad.json
expect_cannot '^drvabi: bad\.json is larger than [0-9]+ bytes; is it the right file\?$'

done_testing
