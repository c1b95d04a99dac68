#!/usr/bin/env bash
# scripts/check-schemas with many changes to each file: drvabi and its JSON Schemas accept and reject the same files.
. "$(dirname "$0")/../cli/lib.sh"

it 'drvabi and the schemas agree'
run_program "$ROOT/scripts/check-schemas" PATH="$PATH" "$DRVABI"
expect_status 0
expect_out_like '^[0-9]+ files, [0-9]+ changes$'

done_testing
