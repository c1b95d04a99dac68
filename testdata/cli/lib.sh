# shellcheck shell=bash
# lib.sh - what the command-line tests are written in (TAP, for prove)
#
# A test is testdata/cli/NNNN-what.t; its first digit is the stage. It reads
#
#	#!/usr/bin/env bash
#	. "$(dirname "$0")/lib.sh"
#	fixture
#
#	it 'says what grew'
#	run diff --repo "$REPO" 100.10.01 110.05.00
#	expect_status 1
#	expect_out_is grew.txt          # golden/NNNN/grew.txt; UPDATE_GOLDEN=1 rewrites it
#
#	it 'names the versions that are near'
#	run diff --repo "$REPO" 100.10.01 110.05.01
#	expect_cannot 'no version 110\.05\.01 in .*; nearest: '
#
#	done_testing
#
# The program runs in a directory of its own, $WORK, with an empty cache and
# home below it and nothing else of the environment; relative paths are below
# $WORK. Paths of this machine are written REPO, WORK and ROOT in goldens.
#
#	DRVABI            the program to test (default: build/drvabi)
#	DRVABI_TEST_DIR   where the fixture repository is kept between tests
#	UPDATE_GOLDEN=1   rewrite goldens, then look at `git diff`
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

# it LABEL - what the expectations that follow are about
it() {
	lib_label=$1
}

# note - standard input as comments, a screenful at most
note() {
	sed 's/^/#   /' | head -n 60
}

# pass WHAT, fail WHAT - one test; what went wrong is written to standard output, after fail
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

# expect WHAT COMMAND... - passes if the command succeeds
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

# skip_all WHY - no test of this file can run here
skip_all() {
	printf '1..0 # SKIP %s\n' "$1"
	exit 0
}

# A pager would wait for somebody at the terminal that a test makes.
export DRVABI_PAGER=cat

# golden_is_left_out NAME - what it is compared with cannot be made on this machine
golden_is_left_out() {
	: >"$lib_scratch/used/$1"
}

# done_testing - the last line of a test file
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

# fixture - the demo driver's repository, at $REPO; made by the first test that asks for it
fixture() {
	mkdir -p "$DRVABI_TEST_DIR"
	"$ROOT/scripts/make-fixture" "$REPO" || {
		echo 'Bail out! scripts/make-fixture failed'
		exit 1
	}
}

# unpack VERSION DIR - that version of the demo driver as files, in place of what DIR in $WORK held
unpack() {
	rm -rf "${WORK:?}/$2"
	mkdir -p "$WORK/$2"
	git --git-dir="$REPO" archive "$1" | tar -x -C "$WORK/$2"
}

# git_in DIR ARGUMENT... - git in $WORK/DIR, with nobody's configuration and a fixed author and date
git_in() {
	local dir=$1
	shift
	env -i PATH="$PATH" HOME="$lib_scratch" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Demo GIT_AUTHOR_EMAIL=demo@example.org \
		GIT_COMMITTER_NAME=Demo GIT_COMMITTER_EMAIL=demo@example.org GIT_AUTHOR_DATE=2001-01-01T00:00:00Z \
		GIT_COMMITTER_DATE=2001-01-01T00:00:00Z git -C "$WORK/$dir" "$@"
}

# fresh - an empty $WORK, without cache
fresh() {
	chmod -R u+rwX "$WORK"
	rm -rf "$WORK"
	mkdir "$WORK"
}

# run [NAME=VALUE]... ARGUMENT... - the program; sets STATUS, and fills $OUT and $ERR
run() {
	run_program "$DRVABI" "$@"
}

# run_differ [NAME=VALUE]... ARGUMENT... - the same under its other name
run_differ() {
	run_program "$RUN_DIFFER" "$@"
}

# A run that should name a repository and does not must not end up at the driver's public one.
lib_no_repo=/nonexistent/repository

# run_program PROGRAM [NAME=VALUE]... ARGUMENT... - standard input is $INPUT, if that is set
run_program() {
	local program=$1 settings=()
	shift
	while [[ ${1:-} =~ ^[A-Z_]+= ]]; do
		settings+=("$1")
		shift
	done
	lib_command="${settings[*]:+${settings[*]} }${program##*/} $*"
	lib_before=$(lib_listing)
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

# lib_listing - all files in $WORK but the cache; for a subshell
lib_listing() {
	cd "$WORK" && find . -path ./cache -prune -o -print
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

# lib_path_regex PATH - matches PATH where a path begins and a name ends (extended; two groups before PATH, one behind).
# The checkout may be at /src: then /src/build is a path of this machine, -I/src is one, and nvidia/src/kernel is none.
lib_path_regex() {
	# shellcheck disable=SC2001 # a set of characters, each with a backslash before it
	printf '(^|[^[:alnum:]._-])(-[[:alpha:]]+)?%s($|[^[:alnum:]_-])' "$(sed 's/[][\\.*^$+?(){}|]/\\&/g' <<<"$1")"
}

# lib_replaced PATH WORD - standard input, with WORD for PATH
lib_replaced() {
	sed -E -e ':again' -e "s"$'\001'"$(lib_path_regex "$1")"$'\001'"\\1\\2$2\\3"$'\001' -e 't again'
}

# lib_settled - standard input, with this machine's paths replaced
lib_settled() {
	lib_replaced "$REPO" REPO | lib_replaced "$WORK" WORK | lib_replaced "$ROOT" ROOT
}

# expect_no_path WHAT FILE - FILE names no path of this machine: not the checkout, nor what this test works with
expect_no_path() {
	expect "$1 has no path of this machine" lib_has_no_path "$2"
}

lib_has_no_path() {
	local path
	for path in "$REPO" "$lib_scratch" "$ROOT"; do
		lib_lacks "$(lib_path_regex "$path")" "$1" || return
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
		fail "golden ${golden#"$ROOT"/} exists (UPDATE_GOLDEN=1 makes it)"
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

# expect_out_like REGEX, expect_out_unlike REGEX, expect_err_like REGEX - extended, line by line
expect_out_like() {
	expect "standard output has $1" grep -Eq -- "$1" "$OUT"
}

expect_out_unlike() {
	expect "standard output lacks $1" lib_lacks "$1" "$OUT"
}

expect_err_like() {
	expect "standard error has $1" grep -Eq -- "$1" "$ERR"
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

# expect_json WHAT FILTER [JQ-ARGUMENT]... - standard output is JSON, and jq's FILTER is true of it
expect_json() {
	local what=$1 filter=$2
	shift 2
	expect "$what" lib_json "$@" "$filter" "$OUT"
}

# jq's own exit status is 0 for an empty file
lib_json() {
	[ -s "$OUT" ] || { echo 'standard output is empty'; return 1; }
	jq -e "$@"
}

# What is said of headers that end the process which reads them; AddressSanitizer makes an exit of a signal.
# shellcheck disable=SC2034 # for tests
lib_died='libclang crashed on its headers \(.*\); is an expression or a type nested thousands of times\?'
[ -z "${DRVABI_SAN-}" ] || lib_died="($lib_died|the process that read its headers ended without an answer \(status [0-9]+\))"

# expect_cannot REGEX - how every failure looks: exit status 2, nothing on standard output, one finished line on
# standard error that matches, and no file that was not there before
expect_cannot() {
	expect_status 2
	expect_out_empty
	expect_one_line_error "$1"
	expect_nothing_new
}

# expect_one_line_error REGEX - standard error is one line that matches. It begins with the name that the program was called by;
# REGEX has "drvabi: " for either name.
expect_one_line_error() {
	expect "standard error is one line: $1" lib_one_line "$1"
}

lib_one_line() {
	local line
	mapfile line <"$ERR"
	[ "${#line[@]}" = 1 ] || { echo 'it is not one line'; return 1; }
	[[ ${line[0]} == *$'\n' ]] || { echo 'its end is missing'; return 1; }
	[[ ${line[0]} == "$lib_name: "* ]] || { echo "it does not begin with \"$lib_name: \""; return 1; }
	line[0]=drvabi${line[0]#"$lib_name"}
	[[ ${line[0]%$'\n'} =~ $1 ]] || { echo "it does not match $1"; return 1; }
}

# expect_nothing_new - the last run left no file in $WORK (its cache aside) that was not there before
expect_nothing_new() {
	local after
	after=$(lib_listing)
	expect 'no file is left behind' lib_unchanged "$after"
}

lib_unchanged() {
	[ "$1" = "$lib_before" ] || { diff <(sort <<<"$lib_before") <(sort <<<"$1") || true; return 1; }
}

# keep NAME - the last run's standard output, as $WORK/NAME
keep() {
	cp "$OUT" "$WORK/$1"
}

# expect_same WHAT FILE FILE - the same bytes, and more than none
expect_same() {
	expect "$1" lib_same "$2" "$3"
}

lib_same() {
	[ -s "$1" ] || { echo 'it is empty'; return 1; }
	cmp "$1" "$2"
}

# expect_as_compiled WHAT tag|typedef REGEX CC-ARGUMENT... - the C compiler lays out every struct and union whose name
# matches as the document on standard output says; standard input is C text that declares them, by tag or by typedef
expect_as_compiled() {
	local what=$1 kind=$2 names=$3
	shift 3
	# shellcheck disable=SC2016 # the variables are jq's
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
