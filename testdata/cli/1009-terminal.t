#!/usr/bin/env bash
# Control characters in names are printed as escapes on a terminal.
. "$(dirname "$0")/lib.sh"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip_all 'this machine cannot create a terminal: script(1) of util-linux or /dev/pts is missing'

cat >"$WORK/odd.json" <<'END'
{"format": "drvabi-abi/1", "driver": "odd", "version": "1", "commit": "", "target": "x86_64-linux-gnu",
 "records": {"A\u001b[2J\u009b\u0007": {"fields": [], "size": 0, "align": 1, "is_union": false, "source": "a\u001b]0;title"}},
 "aliases": {}, "enums": {}, "constants": {}, "ioctls": [], "warnings": [{"place": "x", "text": "a\u001b[2J\nb"}]}
END

# on_terminal WORDS - run drvabi with standard output and standard error on a terminal
on_terminal() {
	lib_command="drvabi $1 on a terminal" STATUS=0
	(cd "$WORK" && TERM=xterm script -qec "'$DRVABI' $1" /dev/null </dev/null >"$OUT") || STATUS=$?
}

it 'a name with control characters'
on_terminal 'flatten --color never odd.json'
expect_status 0
expect 'the record is printed' grep -qF 'A\x1b[2J\u009b\x07' "$OUT"
expect 'no control characters are printed' lib_lacks $'\033|\302\233|\007' "$OUT"

it 'with colours'
on_terminal 'flatten --color always odd.json'
expect_status 0
expect "drvabi's own escape sequences are printed" grep -qF $'\033[1m' "$OUT"
expect 'no other control characters are printed' lib_lacks $'\033[^[]|\033\\[2J|\302\233|\007' "$OUT"

it 'a warning is one line'
on_terminal 'flatten -v --color never odd.json'
expect 'bytes that are not text are printed as escapes' grep -qF 'drvabi: 1: x: a\x1b[2J\x0ab' "$OUT"

it 'a pipe gets the same output, because it can end at a terminal'
run flatten odd.json
expect_status 0
expect 'the record is printed' grep -qF 'A\x1b[2J\u009b\x07' "$OUT"
expect 'no control characters are printed' lib_lacks $'\033|\302\233|\007' "$OUT"

done_testing
