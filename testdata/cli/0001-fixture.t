#!/usr/bin/env bash
# The demo driver's repository has the same hashes on every machine.
. "$(dirname "$0")/lib.sh"

it 'every tag and branch has a fixed hash'
run_program "$ROOT/scripts/make-fixture" one.git
expect_status 0
run_program git -C one.git show-ref
expect_out_is refs.txt

it 'with a misleading configuration, umask and time zone'
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

it 'a second run changes nothing'
touch -d '2001-01-01' "$WORK/one.git/HEAD"
run_program "$ROOT/scripts/make-fixture" one.git
expect_status 0
expect 'HEAD is not written again' [ "$(stat -c %Y "$WORK/one.git/HEAD")" = "$(date -d 2001-01-01 +%s)" ]

it 'a directory that the script did not create is not changed'
mkdir "$WORK/mine"
: >"$WORK/mine/precious"
run_program "$ROOT/scripts/make-fixture" mine
expect_status 2
expect_err_like '^make-fixture: mine exists and was not made by this script'
expect 'the file in it still exists' [ -e "$WORK/mine/precious" ]
expect_nothing_new

done_testing
