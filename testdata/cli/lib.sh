# shellcheck shell=bash
# lib.sh - functions for the command-line tests, which print TAP (for prove)
#
# A test is testdata/cli/NNNN-what.t. The first digit is the stage. Example:
#
#	#!/usr/bin/env bash
#	. "$(dirname "$0")/lib.sh"
#	fixture
#
#	it 'reports the fields that grew'
#	run diff --repo "$REPO" 100.10.01 110.05.00
#	expect_status 1
#	expect_out_is grew.txt          # golden/NNNN/grew.txt; UPDATE_GOLDEN=1 rewrites it
#
#	it 'names the nearest versions'
#	run diff --repo "$REPO" 100.10.01 110.05.01
#	expect_cannot 'no version 110\.05\.01 in .*; nearest: '
#
#	done_testing
#
# The program runs in the directory $WORK, with an empty cache and an empty home
# directory inside it, and no other environment variables. Goldens have REPO,
# WORK and ROOT in place of this machine's paths.
#
#	DRVABI            the program to test (default: build/drvabi)
#	DRVABI_TEST_DIR   the directory that keeps the fixture repository between tests
#	UPDATE_GOLDEN=1   rewrite goldens; then read `git diff`
#	DRVABI_FULL=1     also run the cases that only `make check-full` runs (in_full)
set -eu

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
DRVABI=${DRVABI:-$ROOT/build/drvabi}
RUN_DIFFER=${DRVABI%/*}/run_differ
DRVABI_TEST_DIR=${DRVABI_TEST_DIR:-${DRVABI%/*}/cli-tests}
REPO=$DRVABI_TEST_DIR/demo.git
# shellcheck disable=SC2034 # for the tests
TABLE=$ROOT/testdata/demo/table.json
LSAN=${LSAN_OPTIONS:-suppressions=\"$ROOT/testdata/lsan.supp\":print_suppressions=0} # quoted: the path may have a space
GOLDEN=$ROOT/testdata/cli/golden/$(basename "$0" | cut -c1-4)

lib_scratch=$(mktemp -d)
# The Python for which scripts/install-deps installs modules comes first in PATH, before one of pyenv or of a virtual environment.
if [ -x /usr/bin/python3 ]; then
	mkdir "$lib_scratch/python"
	ln -s /usr/bin/python3 "$lib_scratch/python/python3"
	PATH=$lib_scratch/python:$PATH
fi
WORK=$lib_scratch/work
OUT=$lib_scratch/out ERR=$lib_scratch/err
STATUS=0
mkdir "$WORK" "$lib_scratch/used"
: >"$OUT"
: >"$ERR"
lib_name=drvabi
lib_count=0 lib_failed=0 lib_label='' lib_command='' lib_before=''
trap 'chmod -R u+rwX "$lib_scratch" 2>/dev/null; rm -rf "$lib_scratch"' EXIT

# --- results ------------------------------------------------------------------

# it LABEL - set the label of the following expectations
it() {
	lib_label=$1
}

# note - print standard input as comments, at most 60 lines
note() {
	sed 's/^/#   /' | head -n 60
}

# pass WHAT, fail WHAT - print the result of one test. After fail, the caller prints the reason to standard output.
pass() {
	lib_count=$((lib_count + 1))
	printf 'ok %d - %s%s\n' "$lib_count" "${lib_label:+$lib_label: }" "$1"
}

fail() {
	lib_count=$((lib_count + 1))
	lib_failed=$((lib_failed + 1))
	printf 'not ok %d - %s%s\n' "$lib_count" "${lib_label:+$lib_label: }" "$1"
	[ -z "$lib_command" ] || printf '# after: %s (exit status %d)\n' "$lib_command" "$STATUS"
	if [ -s "$ERR" ]; then
		echo '# standard error:'
		note <"$ERR"
	fi
}

# expect WHAT COMMAND... - pass if the command succeeds
expect() {
	local what=$1
	shift
	if "$@" >"$lib_scratch/said" 2>&1; then
		pass "$what"
	else
		fail "$what"
		note <"$lib_scratch/said"
	fi
}

# skip_all WHY - skip all tests of this file
skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# in_full - true in `make check-full`. It also runs the cases that take seconds and rarely find an error that other cases do not find.
in_full() {
	[ -n "${DRVABI_FULL:-}" ]
}

# A pager would wait for input at the terminal that a test creates.
export DRVABI_PAGER=cat

# golden_is_left_out NAME - mark a golden as used, although this machine cannot make the output to compare it with
golden_is_left_out() {
	: >"$lib_scratch/used/$1"
}

# done_testing - print the plan and exit with 1 if a test failed; must be the last line of a test file
done_testing() {
	local file
	it ''
	if [ -d "$GOLDEN" ]; then
		for file in "$GOLDEN"/*; do
			[ -e "$lib_scratch/used/${file##*/}" ] || fail "golden ${file#"$ROOT"/} is used"
		done
	fi
	printf '1..%d\n' "$lib_count"
	[ "$lib_failed" = 0 ] || exit 1
}

# --- running ------------------------------------------------------------------

# fixture - create the demo driver's repository at $REPO, unless it exists
fixture() {
	mkdir -p "$DRVABI_TEST_DIR"
	"$ROOT/scripts/make-fixture" "$REPO" || {
		echo 'Bail out! scripts/make-fixture failed'
		exit 1
	}
}

# two_releases - set ARCHIVE to an archive of 590.48.01 and 595.45.04. Commands read it in a fifth of the time of all releases. Several
# tests can make it at the same time.
two_releases() {
	ARCHIVE=$DRVABI_TEST_DIR/two-releases.drvabi
	[ "$ARCHIVE" -nt "$DRVABI" ] && [ "$ARCHIVE" -nt "$ROOT/data/nvidia.drvabi" ] && return
	mkdir -p "$DRVABI_TEST_DIR"
	{ DRVABI=$DRVABI "$ROOT/scripts/archive-subset" "$ROOT/data/nvidia.drvabi" "$ARCHIVE.$$" 590.48.01 595.45.04 && mv "$ARCHIVE.$$" "$ARCHIVE"; } || {
		echo 'Bail out! scripts/archive-subset failed'
		exit 1
	}
}

# unpack VERSION DIR - write the files of a version of the demo driver into $WORK/DIR, which is emptied first
unpack() {
	rm -rf "${WORK:?}/$2"
	mkdir -p "$WORK/$2"
	git --git-dir="$REPO" archive "$1" | tar -x -C "$WORK/$2"
}

# git_in DIR ARGUMENT... - run git in $WORK/DIR, without configuration of this machine, and with a fixed author and date
git_in() {
	local dir=$1
	shift
	env -i PATH="$PATH" HOME="$lib_scratch" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.org \
		GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.org GIT_AUTHOR_DATE=2001-01-01T00:00:00Z \
		GIT_COMMITTER_DATE=2001-01-01T00:00:00Z git -C "$WORK/$dir" "$@"
}

# fresh - empty $WORK, with the cache
fresh() {
	chmod -R u+rwX "$WORK"
	rm -rf "$WORK"
	mkdir "$WORK"
}

# run [NAME=VALUE]... ARGUMENT... - run drvabi; set STATUS, and write standard output to $OUT and standard error to $ERR
run() {
	run_program "$DRVABI" "$@"
}

# run_differ [NAME=VALUE]... ARGUMENT... - the same with run_differ
run_differ() {
	run_program "$RUN_DIFFER" "$@"
}

# A run that does not name a repository must not clone the driver's public repository.
lib_no_repo=/nonexistent/repository

# run_program PROGRAM [NAME=VALUE]... ARGUMENT... - the same with PROGRAM. Standard input is $INPUT, if set.
run_program() {
	local program=$1 settings=()
	shift
	while [[ ${1:-} =~ ^[A-Z_]+= ]]; do
		settings+=("$1")
		shift
	done
	lib_command="${settings[*]:+${settings[*]} }${program##*/} $*"
	lib_list
	lib_before=$lib_listing
	lib_name=drvabi
	case ${program##*/} in run_differ | driver_ast_parser) lib_name=${program##*/} ;; esac
	STATUS=0
	(
		cd "$WORK" || exit 99
		exec env -i PATH="$PATH" HOME="$WORK/home" XDG_CACHE_HOME="$WORK/cache" NO_COLOR=1 LC_ALL=C TZ=UTC TERM=dumb DRVABI_REPO="$lib_no_repo" \
			ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}" \
			LSAN_OPTIONS="$LSAN" "${settings[@]}" "$program" "$@"
	) <"${INPUT:-/dev/null}" >"$OUT" 2>"$ERR" || STATUS=$?
}

# lib_list - set lib_listing to all files in $WORK except the cache. There is a listing before each run, so it starts no process.
lib_list() {
	local IFS=$'\n' file files=()
	shopt -s dotglob globstar nullglob
	for file in "$WORK"/*; do
		[ "$file" != "$WORK/cache" ] || continue
		files+=("$file")
		[ -L "$file" ] || [ ! -d "$file" ] || files+=("$file"/**)
	done
	shopt -u dotglob globstar nullglob
	lib_listing="${files[*]#"$WORK"}"
}

# --- expectations ---------------------------------------------------------------

# expect_status NUMBER
expect_status() {
	if [ "$STATUS" = "$1" ]; then
		pass "exit status is $1"
	else
		fail "exit status is $1"
	fi
}

# lib_path_regex PATH - set lib_regex to an extended regular expression that matches PATH from the start of a path to the end of a name,
# with two groups before PATH and one after it. If the checkout is at /src, it matches in /src/build and -I/src, but not in nvidia/src/kernel.
lib_path_regex() {
	local at quoted=
	for ((at = 0; at < ${#1}; at++)); do
		case ${1:at:1} in
		[][\\.*^$+?\(\){}\|]) quoted+="\\${1:at:1}" ;;
		*) quoted+=${1:at:1} ;;
		esac
	done
	lib_regex="(^|[^[:alnum:]._-])(-[[:alpha:]]+)?$quoted(\$|[^[:alnum:]_-])"
}

# lib_settled - print standard input with this machine's paths replaced
lib_settled() {
	local edits=() word
	for word in REPO WORK ROOT; do
		lib_path_regex "${!word}"
		edits+=(-e ":$word" -e "s"$'\001'"$lib_regex"$'\001'"\\1\\2$word\\3"$'\001' -e "t$word")
	done
	sed -E "${edits[@]}"
}

# expect_no_path WHAT FILE - pass if FILE has no path of this machine: the checkout, or a file of this test
expect_no_path() {
	expect "$1 has no path of this machine" lib_has_no_path "$2"
}

lib_has_no_path() {
	local path
	for path in "$REPO" "$lib_scratch" "$ROOT"; do
		lib_path_regex "$path"
		lib_lacks "$lib_regex" "$1" || return
	done
}

# expect_file_is FILE GOLDEN-NAME
expect_file_is() {
	local golden=$GOLDEN/$2
	: >"$lib_scratch/used/$2"
	lib_settled <"$1" >"$lib_scratch/settled"
	if [ -n "${UPDATE_GOLDEN:-}" ]; then
		mkdir -p "$GOLDEN"
		cp "$lib_scratch/settled" "$golden"
		pass "golden ${golden#"$ROOT"/} is rewritten"
	elif [ ! -e "$golden" ]; then
		fail "golden ${golden#"$ROOT"/} exists (UPDATE_GOLDEN=1 creates it)"
	elif diff -u "$golden" "$lib_scratch/settled" >"$lib_scratch/difference"; then
		pass "as golden ${golden#"$ROOT"/}"
	else
		fail "as golden ${golden#"$ROOT"/}"
		tail -n +3 "$lib_scratch/difference" | note
	fi
}

# expect_out_is GOLDEN-NAME, expect_err_is GOLDEN-NAME
expect_out_is() {
	expect_file_is "$OUT" "$1"
}

expect_err_is() {
	expect_file_is "$ERR" "$1"
}

# expect_out_like REGEX, expect_out_unlike REGEX, expect_err_like REGEX - REGEX is extended, and must match in one line
expect_out_like() {
	expect "standard output has $1" lib_has "$1" "$OUT"
}

expect_out_unlike() {
	expect "standard output does not have $1" lib_lacks "$1" "$OUT"
}

expect_err_like() {
	expect "standard error has $1" lib_has "$1" "$ERR"
}

# lib_has REGEX FILE - grep -Eq; starts no process if one of the first lines matches
lib_has() {
	local line lines
	mapfile -t -n 40 lines <"$2"
	for line in "${lines[@]}"; do
		[[ $line =~ $1 ]] && return
	done
	grep -Eq -- "$1" "$2"
}

lib_lacks() {
	! grep -En -- "$1" "$2"
}

# expect_out_empty, expect_err_empty
expect_out_empty() {
	expect 'standard output is empty' [ ! -s "$OUT" ]
}

expect_err_empty() {
	expect 'standard error is empty' [ ! -s "$ERR" ]
}

# expect_json WHAT FILTER [JQ-ARGUMENT]... - pass if standard output is JSON and jq's FILTER gives true
expect_json() {
	local what=$1 filter=$2
	shift 2
	expect "$what" lib_json "$@" "$filter" "$OUT"
}

# jq exits with 0 for an empty file
lib_json() {
	[ -s "$OUT" ] || { echo 'standard output is empty'; return 1; }
	jq -e "$@"
}

# The error for headers that crash the process which reads them. With AddressSanitizer, the process exits instead.
# shellcheck disable=SC2034 # for tests
lib_died='the process that read its headers crashed \(.*\); is an expression or a type nested thousands of times\?'
[ -z "${DRVABI_SAN-}" ] || lib_died="($lib_died|the process that read its headers ended without an answer \(status [0-9]+\))"

# expect_cannot REGEX - pass if the last run failed as all errors must: exit status 2, no standard output, one line on
# standard error that matches, and no new file
expect_cannot() {
	expect_status 2
	expect_out_empty
	expect_one_line_error "$1"
	expect_nothing_new
}

# expect_one_line_error REGEX - pass if standard error is one line that matches. The line begins with the name by which the program
# was called. REGEX has "drvabi: " for both names.
expect_one_line_error() {
	expect "standard error is one line: $1" lib_one_line "$1"
}

lib_one_line() {
	local line
	mapfile line <"$ERR"
	[ "${#line[@]}" = 1 ] || { echo 'it is not one line'; return 1; }
	[[ ${line[0]} == *$'\n' ]] || { echo 'it does not end with a newline'; return 1; }
	[[ ${line[0]} == "$lib_name: "* ]] || { echo "it does not begin with \"$lib_name: \""; return 1; }
	line[0]=drvabi${line[0]#"$lib_name"}
	[[ ${line[0]%$'\n'} =~ $1 ]] || { echo "it does not match $1"; return 1; }
}

# expect_nothing_new - pass if the last run created no file in $WORK, except in the cache
expect_nothing_new() {
	lib_list
	expect 'no file is created' lib_unchanged
}

lib_unchanged() {
	[ "$lib_listing" = "$lib_before" ] || { diff <(echo "$lib_before") <(echo "$lib_listing") || true; return 1; }
}

# keep NAME - copy the last run's standard output to $WORK/NAME
keep() {
	cp "$OUT" "$WORK/$1"
}

# expect_same WHAT FILE FILE - pass if both files have the same bytes and are not empty
expect_same() {
	expect "$1" lib_same "$2" "$3"
}

lib_same() {
	[ -s "$1" ] || { echo 'it is empty'; return 1; }
	cmp "$1" "$2"
}

# expect_as_compiled WHAT tag|typedef REGEX CC-ARGUMENT... - pass if the document on standard output has the C compiler's
# layout of each struct and union whose name matches. Standard input is C text that declares them as tags or typedefs.
expect_as_compiled() {
	local what=$1 kind=$2 names=$3
	shift 3
	# shellcheck disable=SC2016 # variables of jq
	{
		cat
		jq -r --arg names "$names" --arg kind "$kind" '.records | to_entries[] | select(.key | test($names)) | .key as $name | .value
			| (if $kind == "typedef" then "" elif .is_union then "union " else "struct " end + $name) as $type
			| "_Static_assert(sizeof(\($type)) == \(.size), \"\($name)\");",
			  (.fields[] | select(.name != "" and (has("bit_width") | not))
			   | "_Static_assert(__builtin_offsetof(\($type), \(.name)) == \(.offset), \"\($name).\(.name)\");")' "$OUT"
	} >"$lib_scratch/layout.c"
	expect "$what" lib_compiles "$@"
}

lib_compiles() {
	grep -q _Static_assert "$lib_scratch/layout.c" || { echo 'there is nothing to compare'; return 1; }
	"${CC:-cc}" -fsyntax-only -w "$@" -x c "$lib_scratch/layout.c"
}
