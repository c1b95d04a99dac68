#!/usr/bin/env bash
# verify finds all planted faults: all of the toy driver, and a sample of the demo driver. make check-mutants tests the real driver.
. "$(dirname "$0")/lib.sh"
fixture

# mutants LABEL COUNT ARGUMENT... - pass if COUNT faults (0: all) are planted and found
mutants() {
	it "$1"
	shift
	run_program "$ROOT/scripts/mutate-table" DRVABI="$DRVABI" --count "$@"
	expect_status 0
	expect_err_empty
	expect_out_like "^# ${1/#0/[1-9][0-9]*} faults planted, 0 not found$"
	expect_out_unlike '^not ok'
}

# The sanitizers are slow, so they test a sample.
count=0 sample=120
[ -z "${DRVABI_SAN:-}" ] || count=60 sample=40

run extract --dir "$ROOT/testdata/verify" --profile "$ROOT/testdata/verify/profile.json" -o toy.json
mutants 'the toy' $count --version 1.0 toy.json "$ROOT/testdata/verify/table.json"
mutants 'the demo driver' $sample "$REPO" "$TABLE"

it 'a fault that is not found is reported'
printf '#!/bin/sh\nset -- "$@"\ncase "$*" in *verify*) shift; exec %q verify "$@" --fail-on caps ;; esac\nexec %q "$@"\n' "$DRVABI" "$DRVABI" >"$WORK/blind"
chmod +x "$WORK/blind"
run_program "$ROOT/scripts/mutate-table" DRVABI="$WORK/blind" --version 1.0 --count 20 toy.json "$ROOT/testdata/verify/table.json"
expect_status 1
expect_out_like '^not ok [0-9]+ - 1\.0: sign, 0 of 1 found$'
expect_out_like '^ok [0-9]+ - 1\.0: capability, 1 of 1 found$'
expect_out_like '^# 20 faults planted, 19 not found$'

it 'an unknown version'
run_program "$ROOT/scripts/mutate-table" DRVABI="$DRVABI" --version 9.9 "$REPO" "$TABLE"
expect_status 2
expect_err_like '^mutate-table: .* has no version 9\.9$'

done_testing
