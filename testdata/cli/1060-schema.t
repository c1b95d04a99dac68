#!/usr/bin/env bash
# JSON Schemas of the formats: they accept and reject the same files as drvabi. In testdata/full,
# 1061-check-schemas.t changes each file more often, and has the ranges of all releases.
. "$(dirname "$0")/lib.sh"
fixture

it 'a schema'
run help --schema drvabi-proxy/1
expect_status 0
expect_json 'has the name of the format' '.title == "drvabi-proxy/1" and .properties.format.const == "drvabi-proxy/1"'
expect_json 'lists the required keys' '.required == ["format", "proxy", "driver", "types", "versions"]'
run help --schema drvabi-pids/1
expect_json 'accepts an array, which --versions prints' '.anyOf == [{"$ref": "#/$defs/version"}, {"type": "array", "items": {"$ref": "#/$defs/version"}}]
	and ."$defs".version.type == "object"'
run help --schema drvabi-proxi/1
expect_cannot "^drvabi: no format 'drvabi-proxi/1'; there are drvabi-abi/1, drvabi-flat/1, .*, drvabi-version-map/1\$"

it 'drvabi and the schemas agree'
run_program python3 PATH="$PATH" "$ROOT/scripts/check-schemas" "$DRVABI" 2 "$REPO"
expect_status 0
expect_out_like '^[0-9]+ files, [0-9]+ changes$'
done_testing
