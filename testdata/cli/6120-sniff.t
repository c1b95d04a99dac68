#!/usr/bin/env bash
# drvabi sniff does not change the command's output and exit status, and reports errors.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

answers=(sniff --archive "$ARCHIVE" --table "$ROOT/data/nvproxy.json")
sniffed=("${answers[@]}" --version 590.48.01)

# alike WHAT COMMAND... - pass if output, errors and exit status are the same with and without drvabi sniff
alike() {
	local what=$1
	shift
	run_program "$@"
	cp "$OUT" plain.out
	cp "$ERR" plain.err
	local plain=$STATUS
	run "${sniffed[@]}" -q -- "$@"
	expect_status "$plain"
	expect "$what: the same output" diff plain.out "$OUT"
	expect "$what: the same errors" diff plain.err "$ERR"
}

it 'a command'
alike 'output and status' /bin/sh -c 'echo out; echo err >&2; exit 7'
alike 'a name that PATH has' env printf '%s\n' 'a b' ''
INPUT=$ROOT/README.md alike 'standard input' /usr/bin/env cksum
alike 'descriptors' /bin/sh -c 'ls /proc/self/fd | wc -l'
alike 'signals that are ignored or blocked' /bin/sh -c 'grep -E "^Sig[BIC]" /proc/self/status'
CPATH=/nowhere alike 'environment' /usr/bin/env
alike 'children and pipes' /bin/bash -c 'seq 1 1000 | (read -r a; cat) | wc -l; (exit 3); echo $?; wait; sleep 0 & wait $!; echo $?'
alike 'a signal with a handler' /bin/bash -c 'trap "echo caught" USR1; kill -USR1 $$; echo after'
alike 'a stopped child' /bin/bash -c 'sleep 0.3 & kill -STOP $!; sleep 0.1; kill -CONT $!; wait $!; echo $?'
alike 'a child that a signal ends' /bin/bash -c 'sleep 9 & kill -TERM $!; wait $!; echo $?'
sniffed+=(--survive)
it 'a command, --survive'
alike 'output and status' /bin/sh -c 'echo out; ls / | wc -l; exit 7'
unset 'sniffed[-1]'

it 'a command that a signal ends'
run_program env bash -c '"$@"; echo $?' - "$DRVABI" "${sniffed[@]}" -q -- sh -c 'kill -TERM $$'
expect_out_like '^143$'
run "${sniffed[@]}" -- true
expect_status 0
expect 'a trace without calls is reported' grep -qx 'no ioctl of the driver' "$ERR"

it 'a command that does not exist'
run "${sniffed[@]}" -o trace -- no-such-command
expect_cannot '^drvabi: cannot run no-such-command: there is no such command in PATH$'
run "${sniffed[@]}" -o trace -- ./no-such-file
expect_cannot '^drvabi: cannot run \./no-such-file: No such file or directory$'
echo old >there
run "${sniffed[@]}" -o there -- /etc/passwd
expect_cannot '^drvabi: cannot run /etc/passwd: Permission denied$'
expect 'an existing file is not changed' grep -qx old there

it 'arguments'
run "${sniffed[@]}"
expect_cannot '^drvabi: no command; give it after --, as in drvabi sniff -- nvidia-smi$'
run "${sniffed[@]}" true
expect_cannot "^drvabi: 'true' is not an option; the command goes after --, as in drvabi sniff -- nvidia-smi$"
run "${sniffed[@]}" -p 1 -- true
expect_cannot '^drvabi: --attach runs no command; leave out the command$'
run "${sniffed[@]}" -p 0
expect_cannot "^drvabi: -p takes a number from 1 to [0-9]*, not '0'$"
run "${sniffed[@]}" --enforce later -- true
expect_cannot "^drvabi: --enforce takes one of instant\\|report, not 'later'$"
run "${sniffed[@]}" --max-bytes many -- true
expect_cannot "^drvabi: --max-bytes takes a number from 1 to 4294967295, not 'many'$"
run "${sniffed[@]}" --wire http -- true
expect_cannot "^drvabi: --wire takes one of drvabi\\|gvisor, not 'http'$"
run "${sniffed[@]}" --format json -- true
expect_cannot "^drvabi: --format json needs a file, because standard output belongs to the command; name it with -o$"
run "${sniffed[@]}" --compress -- true
expect_cannot '^drvabi: --compress can be used only with --output; add --output TRACE$'

it 'versions'
[ -e /proc/driver/nvidia/version ] || {
	run "${answers[@]}" -- true
	expect_cannot "^drvabi: the driver's version is unknown: there is no /proc/driver/nvidia/version; give the version with --version$"
}
run "${answers[@]}" --version 590.48.02 -- true
expect_cannot '^drvabi: no version 590\.48\.02 in .*; nearest: .*590\.48\.01'

it 'a process that does not exist'
run "${sniffed[@]}" -p 2147483647
expect_cannot '^drvabi: there is no process 2147483647$'

logged basic basic
workload=("$WORKLOAD_STATIC" --any-answer --log log basic)

it 'a full disk'
run "${sniffed[@]}" -q --replay basic.trace -o /dev/full -- "${workload[@]}"
expect_status 2
expect 'the workload continues' [ "$(wc -l <log)" = "$(wc -l <basic.log)" ]
expect_err_like '^drvabi: /dev/full: .*No space left on device; the trace ends early$'

it 'a damaged trace'
size=$(stat -c %s basic.trace)
head -c $((size - 3)) basic.trace >cut.trace
run "${sniffed[@]}" --replay cut.trace -- "${workload[@]}"
expect_status 0
expect_err_like "^drvabi: note: cut.trace ends within the message at offset [0-9]+; the calls before it are used$"
{ cat basic.trace; printf '\004\0\0\0\0\0\0\0\377\377\377\377'; } >damaged.trace
run "${sniffed[@]}" --replay damaged.trace -o trace -- "${workload[@]}"
expect_cannot "^drvabi: damaged.trace.*$size"
run "${sniffed[@]}" --replay "$ROOT/README.md" -- true
expect_cannot 'README\.md is not a trace; drvabi sniff -o FILE -- COMMAND records one$'
run "${sniffed[@]}" --replay nothing -- true
expect_cannot '^drvabi: cannot read nothing: No such file or directory$'
head -c 0 /dev/null | "$SNIFF/make-trace" >empty.trace
run "${sniffed[@]}" --replay empty.trace -- true
expect_cannot '^drvabi: empty\.trace names no device: there is nothing to replay$'
run "${sniffed[@]}" --replay basic.trace -o basic.trace -- true
expect_cannot '^drvabi: basic\.trace is an input of this run, and would be overwritten; name a different file$'

done_testing
