#!/usr/bin/env bash
# JSON Schemas of the formats: python3-jsonschema accepts what is written, and agrees with the readers on changed files.
. "$(dirname "$0")/lib.sh"
fresh

it 'a schema'
run help --schema drvabi-proxy/1
expect_status 0
expect_json 'is of that format' '.title == "drvabi-proxy/1" and .properties.format.const == "drvabi-proxy/1"'
expect_json 'says what must be there' '.required == ["format", "proxy", "driver", "types", "versions"]'
run help --schema drvabi-proxi/1
expect_cannot "^drvabi: no format 'drvabi-proxi/1'; there are drvabi-abi/1, drvabi-flat/1, .*, drvabi-version-map/1\$"

it 'the readers and the schemas'
run_program python3 "$ROOT/scripts/check-schemas" "$DRVABI"
expect_status 0
expect_out_like '^[0-9]+ files, [0-9]+ changes$'
done_testing
