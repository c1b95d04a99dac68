#!/usr/bin/env bash
# The output has the same bytes in repeated runs, with any number of jobs, with and without a cache, and in any directory.
. "$(dirname "$0")/lib.sh"
fixture

pairs='100.10.01:100.20.02 100.10.01:110.05.00 110.05.00:120.01.00 100.20.02:120.01.00 120.01.00:100.10.01'

for pair in $pairs; do
	it "$pair"
	# differ NAME OPTION... - write the reports of run_differ to $WORK/NAME.text, NAME.json and NAME.markdown
	differ() {
		run_differ "${@:2}" --repo "$REPO" --base "${pair%:*}" --next "${pair#*:}" --report "json=$1.json" --report "markdown=$1.markdown"
		expect_status 1
		if [ "$pair" = 120.01.00:100.10.01 ]; then
			expect_one_line_error '^drvabi: note: base 120\.01\.00 has a higher number than next 100\.10\.01$'
		else
			expect_err_empty
		fi
		keep "$1.text"
	}
	# same WHAT NAME NAME
	same() {
		for format in text json markdown; do
			expect_same "$format: $1" "$WORK/$2.$format" "$WORK/$3.$format"
		done
	}
	rm -rf "$WORK/cache"
	differ first --no-cache --jobs 1
	differ two --jobs 2
	same 'without cached documents, two jobs' two first
	differ eight --jobs 8
	same 'with cached documents, eight jobs' eight first
	differ tabled --table "$TABLE" --no-cache
	differ cached --table "$TABLE"
	same 'with a table' cached tabled
done

it 'repeated runs'
pair=100.10.01:120.01.00
run_differ --no-cache --repo "$REPO" --base "${pair%:*}" --next "${pair#*:}" --format json
keep first
for i in 1 2 3 4 5 6; do
	run_differ --no-cache --jobs 2 --repo "$REPO" --base "${pair%:*}" --next "${pair#*:}" --format json
	expect_same "run $i" "$OUT" "$WORK/first"
done

it 'a different locale, time zone, home and directory'
cp -r "$REPO" "$WORK/elsewhere.git"
run_differ LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent --no-cache --repo elsewhere.git --base "${pair%:*}" --next "${pair#*:}" --format json
expect_same 'the result is the same' "$OUT" "$WORK/first"

it 'the answer'
for pair in 100.10.01:100.10.01 100.10.01:110.05.00 110.05.00:110.05.00 main:120.01.00; do
	run_differ --repo "$REPO" --base "${pair%:*}" --next "${pair#*:}"
	if [ "$pair" = 100.10.01:110.05.00 ]; then
		expect_status 1
	else
		expect_status 0
	fi
done

done_testing
