#!/usr/bin/env bash
# Proxy tables that are malformed or of a different driver are rejected with the place of the error.
# shellcheck disable=SC2016 # dollars of sed and jq
. "$(dirname "$0")/lib.sh"
fixture

# refused REGEX - pass if bad.json is rejected as a table
refused() {
	run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table bad.json
	expect_cannot "^drvabi: $1$"
	run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table bad.json --format json -o file
	expect_cannot "^drvabi: $1$"
}

# changed SED-SCRIPT REGEX - change the table with the script, and expect an error
changed() {
	it "$1"
	sed "$1" "$TABLE" >"$WORK/bad.json"
	expect 'the script changed the table' differs
	refused "bad\\.json:$2"
}

differs() {
	! cmp -s "$TABLE" "$WORK/bad.json"
}

changed '$d' '[0-9]+:[0-9]+: .*found the end of the text'
changed '$a x' "[0-9]+:1: expected the end of the text, found 'x'"
changed 's/drvabi-proxy.1/drvabi-proxy\/2/' ' format: expected "drvabi-proxy/1", found "drvabi-proxy/2"'
changed '0,/"driver"/s//"drivre"/' ' drivre: unknown key'
changed '0,/"size": 4/s//"size": "4"/' ' types\..*\.size: .*'
changed '0,/"offset": 0/s//"offset": -1/' ' types\..*\.offset: .*'
changed '0,/"type": "uint32"/s//"type": "uint33"/' '.*uint33.*'
changed '0,/"number": *[0-9]*/s//"number": "x"/' ' versions\[0\]\.ioctls\..*\.number: .*'
changed '2i "format": "drvabi-proxy/1",' ' the key "format" appears twice in one object'

it 'a table of a different driver'
sed 's/"driver": "nvidia"/"driver": "other"/' "$TABLE" >"$WORK/bad.json"
refused 'bad\.json is a table for the driver other, not for nvidia'

it 'files that are not proxy tables'
: >"$WORK/bad.json"
refused 'bad\.json:1:1: expected a value, found the end of the text'
echo '[]' >"$WORK/bad.json"
refused 'bad\.json: expected an object, found an array'
head -c 200000 /dev/zero | tr '\0' '[' >"$WORK/bad.json"
refused 'bad\.json:1:65: nested more than 64 levels deep'
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table nowhere.json
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table .
expect_cannot '^drvabi: cannot read \.: Is a directory$'

done_testing
