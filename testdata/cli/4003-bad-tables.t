#!/usr/bin/env bash
# Malformed tables are rejected with the place of the error, and nothing is checked.
. "$(dirname "$0")/lib.sh"
fixture

# broken LABEL FILTER REGEX - expect an error for the demo table, changed by jq
broken() {
	it "$1"
	jq "$2" "$TABLE" >"$WORK/t.json"
	run verify --repo "$REPO" --table t.json
	expect_cannot "^drvabi: t\.json:([0-9:]+:)? $3"
}
root='.versions[0].ioctls.control'
info="$root.NV2080_CTRL_CMD_GPU_GET_INFO"
entry='versions\[0\]\.ioctls\.control\.NV2080_CTRL_CMD_GPU_GET_INFO'

broken 'parents in a ring' '.versions[1].parent = "120.01.00" | .versions[2].parent = "100.20.02"' \
	'versions\[[0-9]\]\.parent: the parents of "[0-9.]+" lead back to it'
broken 'a parent of itself' '.versions[0].parent = "100.10.01"' 'versions\[0\]\.parent: the parents of "100\.10\.01" lead back to it$'
broken 'a parent that is not there' '.versions[1].parent = "1.2.3"' 'versions\[1\]\.parent: there is no version "1\.2\.3"$'
broken 'a version twice' '.versions[1].version = "100.10.01"' 'versions\[1\]\.version: the version "100\.10\.01" appears twice$'
broken 'no versions' '.versions = []' 'versions: a table needs at least one version$'
broken 'an empty version' '.versions[0].version = ""' 'versions\[0\]\.version: '
broken 'a type that is missing' "$info.structs[0].proxy = \"Nowhere\"" \
	"$entry\.structs\[0\]\.proxy: the type \"Nowhere\" is not among \"types\"\$"
broken 'a field of a type that is missing' '.types.Handle.fields[0].type = "Nowhere"' \
	'types\.Handle\.fields\[0\]\.type: the type "Nowhere" is neither a scalar nor among "types"$'
broken 'types in a ring' '.types.Handle.fields[0].type = "Handle"' 'types\.Handle\.fields\[0\]\.type: the type "Handle" contains itself$'
broken 'fields that overlap' '.types.IoctlWaitOpenComplete.fields[1].offset = 2' \
	'types\.IoctlWaitOpenComplete\.fields\[1\]: the field overlaps the one before it$'
broken 'a field that leaves its type' '.types.IoctlWaitOpenComplete.size = 6' \
	'types\.IoctlWaitOpenComplete\.fields\[1\]: the field extends past the end of its type, which has 6 bytes$'
broken 'fields out of order' '.types.IoctlWaitOpenComplete.fields |= reverse' 'types\.IoctlWaitOpenComplete\.fields\[1\]: '
broken 'an array too large' '.types.Handle.fields[0].type = "uint8[4294967295][4294967295]"' 'types\.Handle\.fields\[0\]\.type: '
broken 'brackets that do not pair' '.types.Handle.fields[0].type = "uint8[4"' 'types\.Handle\.fields\[0\]\.type: '
broken 'a number out of range' "$info.number = 4294967296" "$entry\.number: "
broken 'a negative number' "$info.number = -1" "$entry\.number: "
broken 'a number with a fraction' "$info.number = 1.5" 'expected an integer, found a number with a fraction'
broken 'a number that is a string' "$info.number = \"one\"" "$entry\.number: "
broken 'caps that are no list' "$info.caps = \"compute\"" "$entry\.caps: "
broken 'a capability twice' "$info.caps = [\"compute\", \"compute\"]" "$entry\.caps: the capability \"compute\" appears twice\$"
broken 'a key that is unknown' "$info.nunber = 1" "$entry"
broken 'a key that is missing' "del($info.structs)" "$entry"
broken 'an entry that is a number' "$info = 1" "$entry: "
broken 'null where there is nothing to remove' "$info = null" "$entry: null removes an entry, but no parent has this entry\$"
broken 'supported is no truth' '.versions[0].supported = "yes"' 'versions\[0\]\.supported: '
broken 'another format' '.format = "drvabi-proxy/2"' 'format: '
broken 'a list' '[.]' ''

# raw LABEL REGEX - expect an error for $WORK/t.json
raw() {
	it "$1"
	run verify --repo "$REPO" --table t.json
	expect_cannot "^drvabi: t\.json:([0-9:]+:)? $2"
}
: >"$WORK/t.json"
raw 'an empty file' ''
printf '{"format": "drvabi-proxy/1",' >"$WORK/t.json"
raw 'cut off' '.*the end of the text'
sed 's/"revision"/"driver": "nvidia", "driver"/' "$TABLE" >"$WORK/t.json"
raw 'a key twice' '.*driver'
{ cat "$TABLE"; echo '{}'; } >"$WORK/t.json"
raw 'text after the end' ''
head -c 104857600 /dev/zero | tr '\0' '[' >"$WORK/t.json"
raw '100 MB of nesting' '.*deep'
rm "$WORK/t.json"

it 'a table that does not exist'
run verify --repo "$REPO" --table t.json
expect_cannot 't\.json'

it 'a directory'
mkdir "$WORK/t.json"
run verify --repo "$REPO" --table t.json
expect_cannot 't\.json'

it 'too many fields'
jq '.types.Big = {size: 4294967295, fields: [{name: "A", offset: 0, type: "One[4294967295]"}]}
	| .types.One = {size: 1, fields: [{name: "B", offset: 0, type: "uint8"}]}
	| '"$info"'.structs[0].proxy = "Big"' "$TABLE" >"$WORK/big.json"
run verify --repo "$REPO" --table big.json
expect_cannot '^drvabi: .*big\.json: type One.* has more than 65536 fields, counting each array element$'

it 'too many elements without fields'
jq '.types.Big = {size: 0, fields: [{name: "A", offset: 0, type: "None[4294967295]"}]}
	| .types.None = {size: 0, fields: []}
	| '"$info"'.structs[0].proxy = "Big"' "$TABLE" >"$WORK/big.json"
run verify --repo "$REPO" --table big.json
expect_cannot '^drvabi: .*big\.json: type None.* has more than 65536 fields, counting each array element$'

done_testing
