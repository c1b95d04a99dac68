#!/usr/bin/env bash
# The commands of the README and the documents: a block that begins with "$ " prints the text after the command, and all other
# drvabi commands that need no repository, device or network are accepted, in the order of their document. Of the documents in docs/, only
# `make check-full` runs these commands. ranges reads all releases for seconds: with an option, only `make check-full` runs it;
# otherwise its options are read, and no archive.
. "$(dirname "$0")/lib.sh"
fresh

mkdir "$WORK/bin"
ln -s "$DRVABI" "$WORK/bin/drvabi"
ln -s "$RUN_DIFFER" "$WORK/bin/run_differ"
ln -s bin "$WORK/build"

# blocks FILE - write each block of FILE to $WORK/N.command and $WORK/N.wanted
blocks() {
	awk -v to="$WORK" '
		/^```/ { block = 0; inside = !inside; next }
		inside && /^\$ / { block = ++count; print substr($0, 3) > (to "/" block ".command"); printf "" > (to "/" block ".wanted"); next }
		block { print > (to "/" block ".wanted") }' "$1"
}

total=0
for file in README.md docs/*.md; do
	rm -f "$WORK"/*.command
	blocks "$ROOT/$file"
	for command in "$WORK"/*.command; do
		[ -e "$command" ] || continue
		total=$((total + 1))
		it "$file: $(cat "$command")"
		run_program /bin/bash PATH="$WORK/bin:$PATH" DRVABI_REPO= -c "$(cat "$command")"
		expect_status 0
		expect_err_empty
		expect_same 'prints the text of the document' "${command%.command}.wanted" "$OUT"
	done
done
it 'blocks'
expect 'there are at least 5 blocks' [ "$total" -ge 5 ]

# commands FILE - print the drvabi commands in FILE's blocks and tables that need only the included data, without comments
commands() {
	awk '
		function take(line) { sub(/  *# .*/, "", line); if (line !~ /…/) print line }
		/^```/ { inside = !inside; next }
		(inside || /^    /) && /^ *(build\/)?(drvabi|run_differ) [a-z-]/ && !/ us  /{ sub(/^ */, ""); take($0) }
		/^\| / {
			while (match($0, /`(drvabi|run_differ) [^`]*`/)) {
				take(substr($0, RSTART + 1, RLENGTH - 2))
				$0 = substr($0, RSTART + RLENGTH)
			}
		}' "$1" | grep -Ev -e '--repo|--dir|--run NV|--next main|archive write|HEX|TRACE|drvabi sniff|session\.trace|table merge|, RM_FREE|, both buffers' |
		sed "s/SUM/$(printf '%064d' 0)/g"
}

files=(README.md)
commands_min=12
if in_full; then
	files+=(docs/*.md data/README.md)
	commands_min=30
fi
accepted=0
for file in "${files[@]}"; do
	fresh
	mkdir "$WORK/bin" "$WORK/include" "$WORK/versionmap"
	ln -s "$DRVABI" "$WORK/bin/drvabi"
	ln -s "$RUN_DIFFER" "$WORK/bin/run_differ"
	ln -s bin "$WORK/build"
	cp -R "$ROOT/data" "$WORK/data"
	cp "$ROOT/data/nvproxy.json" "$ROOT/data/nvproxy-accepted.txt" "$WORK/"
	cp "$ROOT/data/nvproxy.json" "$WORK/table.json"
	cp "$ROOT/data/nvproxy-accepted.txt" "$WORK/accepted.txt"
	cp "$ROOT/testdata/decode/log.txt" "$WORK/runsc.log"
	sed -n '/^```c$/,/^```$/{/^```/d;p;}' "$ROOT/$file" >"$WORK/proxy.h"
	commands "$ROOT/$file" >"$lib_scratch/commands"
	while read -r line; do
		accepted=$((accepted + 1))
		it "$file: $line"
		if ! in_full && [[ $line == 'drvabi ranges --table nvproxy --'* ]]; then
			run_program /bin/bash PATH="$WORK/bin:$PATH" DRVABI_REPO= -c "$line --archive none"
			expect 'has valid options' grep -q '^drvabi: cannot open none: ' "$ERR"
			continue
		fi
		run_program /bin/bash PATH="$WORK/bin:$PATH" DRVABI_REPO= -o pipefail -c "$line"
		expect 'is accepted' [ "$STATUS" -le 1 ]
	done <"$lib_scratch/commands"
done
it 'the picture of the README'
fresh
run history --table "$ROOT/data/nvproxy.json" --archive "$ROOT/data/nvidia.drvabi" --format html -o page.html
run_program "$ROOT/scripts/picture" page.html
expect_status 0
expect_err_empty
expect 'scripts/picture draws a dot for each release' [ "$(grep -o '<circle' "$OUT" | wc -l)" = 193 ]
expect 'docs/history.svg has a dot for each release' [ "$(grep -o '<circle' "$ROOT/docs/history.svg" | wc -l)" = 193 ]

it 'commands'
expect "there are at least $commands_min commands" [ "$accepted" -ge "$commands_min" ]
done_testing
