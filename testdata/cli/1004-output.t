#!/usr/bin/env bash
# Output is written completely or not at all.
. "$(dirname "$0")/lib.sh"
fixture

# The commands to run. REPO is the repository; "-" at the start means exit status 1.
commands() {
	cat <<-'LIST'
		- diff --repo REPO 100.10.01 110.05.00
		- diff --repo REPO 100.10.01 110.05.00 --format json
		- diff --repo REPO 100.10.01 110.05.00 --format markdown
		0 extract --repo REPO 110.05.00
		0 flatten --repo REPO --version 110.05.00
		0 flatten --repo REPO --version 110.05.00 --format json
		0 show --repo REPO NV_CHANNEL_ALLOC_PARAMS
		0 surface --repo REPO 110.05.00
		0 surface --repo REPO 110.05.00 --format json
		0 surface --repo REPO 110.05.00 --format json
	LIST
}

while read -r status line; do
	it "$line"
	[ "$status" = 0 ] || status=1
	read -ra words <<<"$line"
	words=("${words[@]/#REPO/$REPO}")
	run "${words[@]}"
	expect_status "$status"
	expect_err_empty
	expect 'the output is not empty' [ -s "$OUT" ]
	expect 'the output ends with a newline' [ -z "$(tail -c 1 "$OUT")" ]
	expect 'no escape sequences in a file or a pipe' lib_lacks $'\033' "$OUT"
	expect_no_path 'it' "$OUT"
	keep stdout
	run "${words[@]}" -o file
	expect_status "$status"
	expect_out_empty
	expect_err_empty
	expect_same '-o writes the same output' "$WORK/file" "$WORK/stdout"
	lib_list
	expect 'no other file is created' [ "$(grep -c file <<<"$lib_listing")" = 1 ]
	rm "$WORK/file"
	run "${words[@]}" -o /dev/full
	expect_cannot '^drvabi: cannot write /dev/full: No space left on device$'
	lib_command="drvabi $line >/dev/full" STATUS=0
	(cd "$WORK" && env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" "${words[@]}" >/dev/full 2>"$ERR") || STATUS=$?
	expect_status 2
	expect_one_line_error '^drvabi: cannot write to standard output: No space left on device$'
done < <(commands)

it 'all commands notice a full disk'
for words in --version --help 'help diff' 'help --man' 'diff --help'; do
	lib_command="drvabi $words >/dev/full" STATUS=0
	# shellcheck disable=SC2086
	(cd "$WORK" && "$DRVABI" $words >/dev/full 2>"$ERR") || STATUS=$?
	expect_status 2
	expect_one_line_error '^drvabi: cannot write to standard output: No space left on device$'
done

it 'standard output is closed'
lib_command='drvabi extract >&-' STATUS=0
(cd "$WORK" && env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" extract --repo "$REPO" 110.05.00 >&- 2>"$ERR") || STATUS=$?
expect_status 2
expect_one_line_error '^drvabi: cannot write to standard output: '

it 'output files that cannot be written'
run extract --repo "$REPO" 110.05.00 -o nowhere/file
expect_cannot '^drvabi: cannot write nowhere/file: No such file or directory$'
run extract --repo "$REPO" 110.05.00 -o .
expect_cannot '^drvabi: cannot write \.: it is a directory$'
run extract --repo "$REPO" 110.05.00 -o /dev/null/file
expect_cannot '^drvabi: cannot write /dev/null/file: Not a directory$'
run extract --repo "$REPO" 110.05.00 -o ''
expect_cannot '^drvabi: --output is empty; it takes FILE$'

it 'a run that fails does not change the output file'
printf 'precious\n' >"$WORK/kept"
run extract --repo "$REPO" 110.05.01 -o kept
expect_cannot '^drvabi: no version 110\.05\.01 in '
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.00 --table nowhere.json -o kept
expect_cannot '^drvabi: cannot open nowhere\.json: No such file or directory$'
expect 'not a byte of the file changes' [ "$(cat "$WORK/kept")" = precious ]
run extract --repo "$REPO" 110.05.01 -o fresh
expect_cannot '^drvabi: no version'
run extract --repo "$REPO" 110.05.00 -o kept
expect_status 0
expect 'a run that succeeds replaces the file' jq -e '.version == "110.05.00"' "$WORK/kept"

it 'the output exceeds the file size limit'
lib_command='drvabi extract -o limited, with ulimit -f 8' STATUS=0
lib_list
lib_before=$lib_listing
(cd "$WORK" && trap '' XFSZ && ulimit -f 8 && env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" extract --no-cache --repo "$REPO" 110.05.00 -o limited >"$OUT" 2>"$ERR") || STATUS=$?
expect_cannot '^drvabi: cannot write limited: File too large$'

it 'a pipe that is closed before all is read'
lib_command='drvabi extract | head -c 1'
(cd "$WORK" && env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" extract --repo "$REPO" 110.05.00 2>"$ERR" | head -c 1 >"$OUT")
expect 'prints no error' lib_lacks '' "$ERR"

it '--color always'
run NO_COLOR=1 diff --repo "$REPO" 100.10.01 110.05.00 --color always
expect_status 1
expect_out_like $'\033\\['
sed 's/\x1b\[[0-9;]*m//g' "$OUT" >"$WORK/plain"
run diff --repo "$REPO" 100.10.01 110.05.00 --color never
expect_same 'differs only in the escape sequences' "$WORK/plain" "$OUT"
run diff --repo "$REPO" 100.10.01 110.05.00 --color always -o coloured
expect 'also colours a file' grep -q $'\033\\[' "$WORK/coloured"
for format in json markdown; do
	run diff --repo "$REPO" 100.10.01 110.05.00 --color always --format "$format"
	expect "does not colour $format" lib_lacks $'\033' "$OUT"
done
run show --repo "$REPO" --color always NV_CHANNEL_ALLOC_PARAMS
expect_out_like $'\033\\['

it 'a terminal'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	# on_terminal SETTING... - run drvabi with standard output and standard error on a terminal, and write both to $OUT
	on_terminal() {
		lib_command="on a terminal with $*" STATUS=0
		(cd "$WORK" && env -u NO_COLOR XDG_CACHE_HOME="$WORK/cache" TERM=xterm "$@" \
			script -qec "'$DRVABI' diff --repo '$REPO' 100.10.01 110.05.00" /dev/null </dev/null >"$OUT" 2>"$ERR") || STATUS=$?
	}
	on_terminal A=b
	expect_status 1
	expect_out_like $'\033\\['
	on_terminal NO_COLOR=1
	expect 'NO_COLOR disables colours' lib_lacks $'\033\\[[0-9]' "$OUT"
	on_terminal NO_COLOR=
	expect_out_like $'\033\\['
	on_terminal TERM=dumb
	expect 'TERM=dumb disables colours' lib_lacks $'\033\\[[0-9]' "$OUT"
else
	pass 'not tested: script(1) is not installed # SKIP'
fi

done_testing
