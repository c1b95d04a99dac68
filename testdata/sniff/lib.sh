# shellcheck shell=bash
# lib.sh - the workload, built for the tests that run it; comes after testdata/cli/lib.sh
#
#	workload            sets WORKLOAD (dynamic) and WORKLOAD_STATIC
#	sniff_or_skip       ends the test where nobody may trace a process
#	logged MODE FILE    FILE.log: what the workload says of a mode that it pretends; FILE.trace: the same as a trace
SNIFF=$ROOT/testdata/sniff
# shellcheck disable=SC2034 # for the tests
COMPARE=$SNIFF/compare
export PYTHONDONTWRITEBYTECODE=1

# workload_as FILE FLAG... - compile it, if its source is newer; two tests may do so at the same time
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

# sniff_or_skip - ends the test with SKIP where nobody may trace a process
sniff_or_skip() {
	run sniff --archive "$ROOT/data/nvidia.drvabi" --table "$ROOT/data/nvproxy.json" --version 590.48.01 -- true
	! grep -q 'cannot trace' "$ERR" || skip_all "$(sed 's/^drvabi: //' "$ERR")"
}
