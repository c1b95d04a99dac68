#!/usr/bin/env bash
# Every command block of the README and the documents that begins with "$ " prints what stands below it.
. "$(dirname "$0")/lib.sh"
fresh

mkdir "$WORK/bin"
ln -s "$DRVABI" "$WORK/bin/drvabi"
ln -s "$RUN_DIFFER" "$WORK/bin/run_differ"
ln -s bin "$WORK/build"

# blocks FILE - writes each block of FILE to $WORK/N.command and $WORK/N.wanted
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
		expect_same 'prints what the document shows' "${command%.command}.wanted" "$OUT"
	done
done
it 'in all'
expect 'there are some' [ "$total" -ge 5 ]
done_testing
