#!/usr/bin/env bash
# drvabi sniff --against: ioctls of a workload or trace whose ABI differs in a different version.
. "$(dirname "$0")/lib.sh"
. "$ROOT/testdata/sniff/lib.sh"
workload
cd "$WORK" || exit
sniff_or_skip

cp "$ROOT/data/nvproxy.json" nvproxy.json
stores=(--archive "$ROOT/data/nvidia.drvabi" --table nvproxy.json)
sniffed=(sniff "${stores[@]}")
logged basic basic
program=("$WORKLOAD_STATIC" --any-answer --log log basic)

it 'a trace'
run decode "${stores[@]}" basic.trace --against 595.45.04
cp "$OUT" decoded.txt
run "${sniffed[@]}" --replay basic.trace --against 595.45.04
expect_status 0
expect_err_empty
expect_out_is trace.txt
expect 'gives the same as decode' diff decoded.txt "$OUT"
run "${sniffed[@]}" --replay basic.trace --against 595.45.04 -q
expect 'also with -q' diff decoded.txt "$OUT"
run "${sniffed[@]}" --replay basic.trace --against 590.44.01
expect_status 0
expect_out_like '^Of 13 ioctls that were used and are in 590.48.01, none has a different ABI in$'

it 'a command'
run "${sniffed[@]}" --replay basic.trace --against 595.45.04 -o again.trace -- "${program[@]}"
expect_status 0
expect_out_empty
cp "$ERR" said
expect 'its output ends with the comparison of decode' diff decoded.txt <(tail -n "$(wc -l <decoded.txt)" said)
expect 'its output begins with the summary' diff "$ROOT/testdata/cli/golden/6122/summary.txt" <(head -n -"$(wc -l <decoded.txt)" said)
run decode "${stores[@]}" again.trace --against 595.45.04
expect 'the recorded trace gives the same' diff decoded.txt "$OUT"
rm log
run "${sniffed[@]}" --replay basic.trace --against 595.45.04 -q -- "${program[@]}"
expect 'with -q, only the comparison is printed' diff decoded.txt "$ERR"
run "${sniffed[@]}" --replay basic.trace --against 595.45.04 --enforce report -- sh -c 'exit 7'
expect_status 7
expect_err_like '^Of 0 ioctls that were used and are in 590.48.01, none has a different ABI in$'

it 'an envelope whose inner parameters were not recorded'
# RM_CONTROL without the memory of its parameters.
sed -n '/"before": "[0-9a-f]*10018020/p' basic.log | head -n 1 | jq -c '.memory = [] | .before = null | .after = null' | "$SNIFF/make-trace" >opaque.trace
run "${sniffed[@]}" --replay opaque.trace --against 595.45.04
expect_status 0
expect_out_like '^Of 1 ioctl that was used and is in 590.48.01, '
expect_out_like '^  1 call carried a nested ioctl that was not recorded and so is not compared'

it 'errors'
run "${sniffed[@]}" --against 595.45.04
expect_cannot '^drvabi: no command; give it after --, as in drvabi sniff -- nvidia-smi$'
run "${sniffed[@]}" --replay basic.trace --against 595.45.99
expect_cannot '^drvabi: no version 595\.45\.99 in .*; nearest: '
run "${sniffed[@]}" --replay basic.trace --against 595.45.99 -o new.trace -- true
expect_cannot '^drvabi: no version 595\.45\.99 in .*; nearest: '
expect 'no trace is created' [ ! -e new.trace ]
for option in '--enforce report' '-o file' '--format json' --survive '--wire gvisor'; do
	# shellcheck disable=SC2086 # an option with its value
	run "${sniffed[@]}" --replay basic.trace --against 595.45.04 $option
	expect_cannot '^drvabi: --replay and --against without a command compare the calls in a trace; other options need a command, after --'
done
run "${sniffed[@]}" --replay "$ROOT/README.md" --against 595.45.04
expect_cannot 'README\.md'
"$ROOT/scripts/make-trace" --wire gvisor <"$ROOT/testdata/decode/trace.jsonl" >gvisor.trace
run "${sniffed[@]}" --replay gvisor.trace --against 595.45.04
expect_cannot '^drvabi: --against: the version of the calls is unknown; name it with --version$'
run "${sniffed[@]}" --replay gvisor.trace --version 590.48.01 --against 595.45.04
expect_status 0
expect_out_like '^  control   0x20800110  NV2080_CTRL_CMD_GPU_GET_NAME_STRING  x'

done_testing
