# shellcheck shell=bash
# lib.sh - functions for tests that run the workload; to be sourced after testdata/cli/lib.sh
#
#	ARCHIVE             an archive of two releases (two_releases)
#	workload            build the workload, and set WORKLOAD (dynamic) and WORKLOAD_STATIC
#	sniff_or_skip       skip the test if the system does not allow tracing of processes
#	logged MODE FILE    run a mode with --pretend, and write its log to FILE.log and the same calls as a trace to FILE.trace
SNIFF=$ROOT/testdata/sniff
# shellcheck disable=SC2034 # for the tests
COMPARE=$SNIFF/compare
export PYTHONDONTWRITEBYTECODE=1
two_releases

# workload_as FILE FLAG... - compile the workload to FILE if a source file is newer; several tests can do this at the same time
workload_as() {
	local file=$1 source
	shift
	for source in "$SNIFF"/*.[ch]; do
		[ "$file" -nt "$source" ] || {
			"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -pthread "$@" "$SNIFF"/*.c -o "$file.$$" && mv "$file.$$" "$file"
			return
		}
	done
}

workload() {
	WORKLOAD=$DRVABI_TEST_DIR/workload
	WORKLOAD_STATIC=$DRVABI_TEST_DIR/workload-static
	mkdir -p "$DRVABI_TEST_DIR"
	if ! workload_as "$WORKLOAD" || ! workload_as "$WORKLOAD_STATIC" -static; then
		echo 'Bail out! the workload does not compile'
		exit 1
	fi
}

logged() {
	rm -f "$2.log"
	"$WORKLOAD_STATIC" --log "$2.log" --pretend --count "${COUNT:-100}" "$1"
	"$SNIFF/make-trace" <"$2.log" >"$2.trace"
}

# sniff_or_skip - skip the test if the system does not allow tracing of processes
sniff_or_skip() {
	run sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -- true
	! grep -q 'cannot trace' "$ERR" || skip_all "$(sed 's/^drvabi: //' "$ERR")"
}
