#!/usr/bin/env bash
# verify with one document and no repository, and with a driver that is not NVIDIA's.
. "$(dirname "$0")/lib.sh"
fixture

toy=$ROOT/testdata/verify
run extract --repo "$REPO" 110.05.00 -o 110.json
run extract --dir "$toy" --profile "$toy/profile.json" -o toy.json

it 'a document has its version'
run verify --json 110.json --table "$TABLE"
expect_status 0
expect_out_like '^ +pass +110\.05\.00 '
expect_out_like '^ +1 of 1 version checked: 1 pass, 0 fail, 0 unavailable$'

it 'the same report as with the repository'
run verify --json 110.json --table "$TABLE" --format json
keep document
run verify --repo "$REPO" --version 110.05.00 --table "$TABLE" --format json
expect_same 'the reports are equal' "$OUT" "$WORK/document"

it 'from standard input'
INPUT=$WORK/110.json
run verify --json - --table "$TABLE"
expect_status 0
INPUT=

it 'a different version is an error'
run verify --json 110.json --table "$TABLE" --version 120.01.00
expect_cannot '^drvabi: 110\.json has version 110\.05\.00, not 120\.01\.00$'

it "the document of a directory has no version"
run verify --json toy.json --table "$toy/table.json"
expect_cannot '^drvabi: toy\.json does not name its version; give --version$'
run verify --json toy.json --table "$toy/table.json" --version 2.0
expect_status 0
expect_out_like '^ +pass +2\.0 +11 +'

it 'a directory and a profile'
run verify --dir "$toy" --profile "$toy/profile.json" --table "$toy/table.json" --version 1.0
expect_status 0
expect_out_like '^ +pass +1\.0 +12 +11 +74 +0 '

it 'a different driver'
run verify --json toy.json --table "$TABLE" --version 110.05.00
expect_cannot "table\.json is a table for the driver nvidia, not for toy\$"

it 'a document and a repository'
run verify --json toy.json --table "$TABLE" --repo "$REPO"
expect_cannot '^drvabi: --json and --repo cannot be used together: both name a place to read from$'

it 'a document without roles'
jq 'del(.records[].fields[].role)' "$WORK/110.json" >"$WORK/mute.json"
run verify --json mute.json --table "$TABLE"
expect_cannot '^drvabi: 110\.05\.00: 110\.05\.00 has no field with the role pointer, so the handlers that copy bytes cannot be checked; make'

it 'a document with contradictions'
jq '.records.NVOS00_PARAMETERS.fields[0].offset = 4096' "$WORK/110.json" >"$WORK/lies.json"
run verify --json lies.json --table "$TABLE"
expect_cannot 'NVOS00_PARAMETERS'
jq '.records.NVOS00_PARAMETERS.fields[0].type = "NVOS00_PARAMETERS"' "$WORK/110.json" >"$WORK/lies.json"
run verify --json lies.json --table "$TABLE"
expect_cannot 'NVOS00_PARAMETERS'
jq 'del(.aliases.NvHandle)' "$WORK/110.json" >"$WORK/lies.json"
run verify --json lies.json --table "$TABLE"
expect_cannot 'NvHandle'

it 'a file that is not a document'
run verify --json "$TABLE" --table "$TABLE"
expect_cannot '^drvabi: .*table\.json: '

done_testing
