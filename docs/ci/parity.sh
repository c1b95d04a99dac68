#!/bin/sh
# parity.sh - check that the proxy's table fits every driver version that it supports
#
# usage: parity.sh TABLE [OUTDIR]
#
# Copy this script into the proxy's repository, and run it in any CI. It prints
# the findings, and always writes verify.xml (JUnit) and verify.sarif to OUTDIR
# (default: .). If the table's directory has a file parity-accepted.txt, the
# findings in it are accepted. To create this file, use
# drvabi verify --table TABLE --write-suppress FILE. A supported version that
# could not be checked fails, unless this file accepts it until a date.
#
# DRVABI       the program (default: drvabi)
# DRVABI_REPO  a clone of the driver's repository (default: drvabi's included
#              archive)
#
# Exit status: 0 if the table fits, 1 if it does not, 2 on an error.
set -u

[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
table=$1
out=${2:-.}
drvabi=${DRVABI:-drvabi}

set -- verify --table "$table" --strict
accepted=$(dirname "$table")/parity-accepted.txt
[ ! -e "$accepted" ] || set -- "$@" --suppress "$accepted"

mkdir -p "$out" || exit 2
# Names from the driver or the table are not trusted: GitHub must not execute workflow commands in drvabi's output.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
	trap 'echo "::$token::"' EXIT
fi
"$drvabi" "$@" --report "junit=$out/verify.xml" --report "sarif=$out/verify.sarif"
status=$?
[ "$status" -le 1 ] || exit 2
exit "$status"
