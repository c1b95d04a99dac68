#!/usr/bin/env bash
# The demo driver's repository hashes the same everywhere.
. "$(dirname "$0")/lib.sh"

it 'every tag and branch has its name for good'
run_program "$ROOT/scripts/make-fixture" one.git
expect_status 0
run_program git -C one.git show-ref
expect_out_is refs.txt

it 'with a configuration, a umask and a zone that mislead'
mkdir -p "$WORK/home"
printf '[user]\n\tname = Somebody\n[core]\n\tautocrlf = true\n[init]\n\tdefaultObjectFormat = sha256\n' >"$WORK/home/.gitconfig"
umask 077
run_program "$ROOT/scripts/make-fixture" GIT_DIR=/nonexistent GIT_AUTHOR_NAME=Somebody TZ=Asia/Tokyo two.git
umask 022
expect_status 0
run_program git -C two.git show-ref
expect_out_is refs.txt
run_program git -C two.git fsck --strict
expect_status 0

it 'a second run leaves it alone'
touch -d '2001-01-01' "$WORK/one.git/HEAD"
run_program "$ROOT/scripts/make-fixture" one.git
expect_status 0
expect 'it is the same' [ "$(stat -c %Y "$WORK/one.git/HEAD")" = "$(date -d 2001-01-01 +%s)" ]

it 'a directory that it did not make is not touched'
mkdir "$WORK/mine"
: >"$WORK/mine/precious"
run_program "$ROOT/scripts/make-fixture" mine
expect_status 2
expect_err_like '^make-fixture: mine exists and was not made by this script'
expect 'what was there is still there' [ -e "$WORK/mine/precious" ]
expect_nothing_new

done_testing
