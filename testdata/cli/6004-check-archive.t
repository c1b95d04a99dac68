#!/usr/bin/env bash
# scripts/check-archive compares each document of an archive with extraction, and reports differences.
. "$(dirname "$0")/lib.sh"
fixture

check_archive() {
	run_program "$ROOT/scripts/check-archive" DRVABI="$DRVABI" ARCHIVE="$WORK/all.drvabi" "$@"
}

run archive write --no-cache --repo "$REPO" -o all.drvabi

it 'an archive without errors'
check_archive "$REPO"
expect_status 0
expect_out_like '^ok 8 - .*, x86_64-linux-gnu, '
expect_out_like '^1\.\.8$'
expect_out_unlike '^not ok'

it 'one version of the archive'
check_archive "$REPO" 110.05.00
expect_status 0
expect_out_like '^1\.\.2$'

it 'a repository with a different version'
cp -r "$REPO" "$WORK/other.git"
git_in other.git update-ref -d refs/tags/120.01.00
git_in other.git tag 120.01.00 110.05.00
check_archive other.git
expect_status 1
expect_out_like '^not ok [0-9]+ - .*, aarch64-linux-gnu, 120\.01\.00 # .*, in the archive$'
expect_out_like '^ok [0-9]+ - .*, x86_64-linux-gnu, 110\.05\.00$'

it 'a release that the archive does not have'
git_in other.git tag 130.01.00 110.05.00
check_archive other.git 130.01.00
expect_status 1
expect_out_like '^not ok [0-9]+ - .*, x86_64-linux-gnu, 130\.01\.00 # drvabi: no version 130\.01\.00 in '

it 'errors'
check_archive
expect_status 2
check_archive nowhere
expect_status 2
check_archive DRVABI="$WORK/none" "$REPO"
expect_status 2
check_archive ARCHIVE="$WORK/none" "$REPO"
expect_status 2

done_testing
