#!/usr/bin/env bash
# Long output on a terminal is shown in a pager, as in git.
# shellcheck disable=SC2016 # variables of the pager
. "$(dirname "$0")/lib.sh"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip_all 'this machine cannot create a terminal: script(1) of util-linux or /dev/pts is missing'
fixture

diff="diff --repo '$REPO' 100.10.01 110.05.00"
mkdir "$WORK/bin"
printf '#!/bin/sh\necho "this is less $LESS"\nexec cat\n' >"$WORK/bin/less"
chmod +x "$WORK/bin/less"

# on_terminal SETTING... WORDS - run drvabi with standard output and standard error on a terminal, and write both to $OUT
on_terminal() {
	local words=${!#}
	lib_command="$* on a terminal" STATUS=0
	(cd "$WORK" && env --default-signal=INT -u NO_COLOR -u PAGER -u DRVABI_PAGER -u LESS PATH="$WORK/bin:$PATH" XDG_CACHE_HOME="$WORK/cache" TERM=xterm "${@:1:$#-1}" \
		script -qec "exec '$DRVABI' $words" /dev/null <"${INPUT:-/dev/null}" | tr -d '\r' >"$OUT"; exit "${PIPESTATUS[0]}") || STATUS=$?
}

# shows TEXT - pass if the first line is TEXT
shows() {
	expect "the first line is '$1'" [ "$(head -n 1 "$OUT")" = "$1" ]
}

it 'the default pager is less'
on_terminal "$diff"
expect_status 1
shows 'this is less FRX'
expect 'the output is coloured' grep -q $'\033\\[1m' "$OUT"
sed 1d "$OUT" >"$WORK/paged"
on_terminal "$diff --no-pager"
expect_status 1
expect_same 'the output is the same as without a pager' "$WORK/paged" "$OUT"

it 'a different pager'
on_terminal PAGER='echo it is PAGER; cat' "$diff"
expect_status 1
shows 'it is PAGER'
on_terminal PAGER='echo it is PAGER; cat' DRVABI_PAGER='echo it is ours; cat' "$diff"
expect_status 1
shows 'it is ours'
on_terminal LESS=S "$diff"
shows 'this is less S'

it 'no pager'
for setting in DRVABI_PAGER= DRVABI_PAGER=cat PAGER= PAGER=cat TERM=dumb; do
	on_terminal "$setting" "$diff --color always"
	expect_status 1
	expect_same "$setting disables the pager" "$OUT" "$WORK/paged"
done
run DRVABI_PAGER='echo paged; cat' diff --repo "$REPO" 100.10.01 110.05.00
expect_out_unlike paged
on_terminal DRVABI_PAGER='echo paged; cat' "$diff -o /dev/stdout"
expect_out_unlike paged
on_terminal DRVABI_PAGER='echo paged; cat' "$diff -o file"
expect 'no pager with -o' [ ! -s "$OUT" ]
on_terminal DRVABI_PAGER='echo paged; cat' 'cache'
expect_status 0
expect_out_unlike paged
on_terminal DRVABI_PAGER='echo paged; cat' '--version'
expect_out_unlike paged

it 'help'
for words in 'diff --help' 'help diff' 'help environment'; do
	on_terminal DRVABI_PAGER='echo paged; cat' "$words"
	expect_status 0
	shows paged
	on_terminal DRVABI_PAGER='echo paged; cat' "$words --no-pager"
	expect_status 0
	expect_out_unlike paged
done

it 'the exit status is that of the command'
for pager in 'exit 5' 'head -n 1' 'kill -9 $$' false; do
	on_terminal DRVABI_PAGER="$pager" "$diff"
	expect_status 1
	on_terminal DRVABI_PAGER="$pager" "show --repo '$REPO' NV_CHANNEL_ALLOC_PARAMS"
	expect_status 0
	expect 'nothing is printed about the pager' lib_lacks drvabi: "$OUT"
done

it 'a pager that exits early'
on_terminal DRVABI_PAGER='head -n 1' "surface --archive '$ROOT/data/nvidia.drvabi' 590.48.01"
expect_status 0
expect 'only one line is printed' [ "$(wc -l <"$OUT")" = 1 ]

it 'a pager that is interrupted'
mkfifo "$WORK/typed"
# Presses the key after the pager has started.
(for _ in $(seq 600); do [ ! -e "$WORK/there" ] || break; sleep 0.05; done; sleep 0.2; printf '\003'; sleep 1) >"$WORK/typed" &
INPUT=$WORK/typed on_terminal DRVABI_PAGER='trap "echo interrupted" INT; : >there; sleep 20; cat' "$diff"
wait
expect_status 1
expect_out_like '^(\^C)?interrupted$'
expect_out_like '110\.05\.00'

it 'a pager that does not exist'
rm "$WORK/bin/less"
ln -s "$(command -v cat)" "$(command -v script)" "$(command -v sh)" "$WORK/bin"
on_terminal PATH="$WORK/bin" "$diff"
expect_status 1
expect_same 'without less, the output is printed' "$OUT" "$WORK/paged"
for pager in no-such-pager 'no-such-pager -x'; do
	on_terminal DRVABI_PAGER="$pager" "$diff"
	expect_status 1
	expect_out_like "^drvabi: note: the pager '$pager' cannot be run; set DRVABI_PAGER to a different one, or to cat for none$"
	expect_out_like '110\.05\.00'
done

it 'errors are not paged'
on_terminal DRVABI_PAGER='echo paged; cat' "diff --repo '$REPO' 100.10.01 1"
expect_status 2
expect_out_unlike paged
expect_out_like '^drvabi: no version 1 in '

done_testing
