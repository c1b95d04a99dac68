#!/bin/sh
# run-action.sh - run a command of drvabi for action.yml, and write its report, the job's summary, and SARIF
#
# usage: run-action.sh            (all inputs are environment variables, with the names in action.yml)
#
# The script prints the text report. It writes the report in INPUT_FORMAT and, for verify, drvabi.sarif into the directory
# INPUT_OUTPUT. If GitHub sets GITHUB_STEP_SUMMARY and GITHUB_OUTPUT, the script appends the summary and the outputs to these files.
#
# Exit status: 0 if there is nothing to report, 1 if there is, 2 on an error.
set -eu

fail() {
	printf 'run-action.sh: %s\n' "$*" >&2
	exit 2
}

# GitHub does not show a step's summary that is longer than 1 MiB.
summary_limit_bytes=1000000

drvabi=${DRVABI:-drvabi}
command=${INPUT_COMMAND:-verify}
out=${INPUT_OUTPUT:-drvabi-report}
case $out in
*'
'*) fail "the input 'output' has more than one line" ;;
esac

case $command in
verify | diff | ranges) set -- "$command" ;;
*) fail "the input 'command' is '$command'; it must be verify, diff or ranges" ;;
esac
[ -z "${INPUT_TABLE:-}" ] || set -- "$@" --table "$INPUT_TABLE"
[ -z "${INPUT_BASE:-}" ] || set -- "$@" --base "$INPUT_BASE"
[ -z "${INPUT_NEXT:-}" ] || set -- "$@" --next "$INPUT_NEXT"
[ -z "${INPUT_VERSION:-}" ] || set -- "$@" --version "$INPUT_VERSION"
[ -z "${INPUT_SUPPRESS:-}" ] || set -- "$@" --suppress "$INPUT_SUPPRESS"
[ -z "${INPUT_FAIL_ON:-}" ] || set -- "$@" --fail-on "$INPUT_FAIL_ON"
[ -z "${INPUT_REPO:-}" ] || set -- "$@" --repo "$INPUT_REPO"
case $command in
verify)
	[ "${INPUT_ALL_NODES:-false}" != true ] || [ -n "${INPUT_VERSION:-}" ] || set -- "$@" --all-nodes
	[ "${INPUT_STRICT:-true}" != true ] || set -- "$@" --strict
	;;
ranges) set -- "$@" --exit-code ;;
esac

# has_format FORMAT - succeed if the command can write FORMAT
has_format() {
	"$drvabi" help --complete -- drvabi "$command" --format "$1" | grep -qx "$1"
}

format=${INPUT_FORMAT:-}
if [ -z "$format" ]; then
	format=text
	! has_format markdown || format=markdown
fi
report=$out/report.$format
mkdir -p "$out" || fail "cannot make the directory $out"

# Names from the driver or the table are not trusted: GitHub must not execute workflow commands in drvabi's output.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
	trap 'echo "::$token::"; [ -z "${sarif:-}" ] || [ "${status:-2}" = 2 ] || cat "$out/annotations"' EXIT
fi

set -- "$@" --report "$format=$report"
sarif=
if [ "$command" = verify ]; then
	sarif=$out/drvabi.sarif
	set -- "$@" --report "sarif=$sarif" --report "github=$out/annotations"
fi
status=0
"$drvabi" "$@" --color never || status=$?
[ "$status" -le 1 ] || exit 2

# summary - print the report as Markdown
summary() {
	printf '## drvabi %s\n\n' "$command"
	if [ "$(wc -c <"$report")" -gt "$summary_limit_bytes" ]; then
		# shellcheck disable=SC2016 # Markdown
		printf 'The report in `%s` is too long for a summary.\n' "$report"
	elif [ "$format" = markdown ]; then
		cat "$report"
	else
		sed 's/^/    /' "$report"
	fi
}

if [ "${INPUT_SUMMARY:-true}" = true ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
	summary >>"$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
	printf '%s\n' "status=$status" "report=$report" "sarif=$sarif" >>"$GITHUB_OUTPUT"
fi
exit "$status"
