#!/usr/bin/env bash
# scripts/check-numbers: decode and show report all names of all numbers in all releases. testdata/cli/5302-decode-versions.t has a few of them.
. "$(dirname "$0")/../cli/lib.sh"

it 'all numbers of all releases'
run_program "$ROOT/scripts/check-numbers" PATH="$PATH" DRVABI="$DRVABI" DRVABI_REPO=
expect_status 0
expect_out_like '^193 versions, [0-9]+ numbers, 115 with several names .*, 0 complaints$'

done_testing
