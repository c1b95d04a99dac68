#!/bin/sh
# parity.sh - does the proxy's table fit every driver version that it claims?
#
# usage: parity.sh TABLE [OUTDIR]
#
# Copy it into the proxy's repository and call it from any CI. What is found
# goes to standard output, for the log; OUTDIR (default: .) gets verify.xml
# (JUnit) and verify.sarif, whatever was found. Findings that were looked at
# stand in parity-accepted.txt beside the table, if there is one
# (drvabi verify --table TABLE --write-suppress FILE writes it). A supported
# version that could not be checked is 1, unless that file accepts it with a day.
#
# DRVABI       the program (default: drvabi)
# DRVABI_REPO  a clone of the driver; without it the archive that comes with
#              drvabi answers about every version that it has
#
# Exit status: 0 it fits; 1 it does not; 2 it could not be checked.
set -u

[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
table=$1
out=${2:-.}
drvabi=${DRVABI:-drvabi}

set -- verify --table "$table" --strict
accepted=$(dirname "$table")/parity-accepted.txt
[ ! -e "$accepted" ] || set -- "$@" --suppress "$accepted"

mkdir -p "$out" || exit 2
# Names of the driver and of the table are other people's: in what drvabi prints, GitHub obeys no workflow command.
if [ "${GITHUB_ACTIONS:-}" = true ]; then
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
	trap 'echo "::$token::"' EXIT
fi
"$drvabi" "$@" --report "junit=$out/verify.xml" --report "sarif=$out/verify.sarif"
status=$?
[ "$status" -le 1 ] || exit 2
exit "$status"
