#!/bin/sh
# new-driver.sh - find releases of the driver for which the proxy's table needs changes
#
# usage: new-driver.sh TABLE [OUTDIR]
#
# A release needs work if it is newer than every node of the table, or if no node of the table fits it. The script first lists the
# driver's tags. It clones the repository, into the cache, only if drvabi's included archive does not have all tags. If a release
# needs work, the script writes new-driver.md, the text for an issue, to OUTDIR (default: .), and prints the title of the issue.
#
# DRVABI      the program (default: drvabi)
# DRIVER_URL  the driver's repository (default: NVIDIA's public repository)
#
# Exit status: 0 if no release needs work, 1 if one does, 2 on an error. Needs git and jq.
set -eu

fail() {
	printf 'new-driver.sh: %s\n' "$*" >&2
	exit 2
}

[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
table=$1
out=${2:-.}
drvabi=${DRVABI:-drvabi}
url=${DRIVER_URL:-https://github.com/NVIDIA/open-gpu-kernel-modules.git}
unset DRVABI_REPO

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 2' HUP INT TERM

git ls-remote --tags --refs "$url" >"$scratch/refs" || fail "cannot list the tags of $url"
sed 's|.*refs/tags/||' "$scratch/refs" >"$scratch/tags"
[ -s "$scratch/tags" ] || fail "$url has no tags"
"$drvabi" archive list --quiet --format json -o "$scratch/archive.json" || fail "cannot list drvabi's included archive"
jq -r '.versions[].version' "$scratch/archive.json" >"$scratch/known"

set -- --table "$table"
! grep -qvxF -f "$scratch/known" "$scratch/tags" || set -- "$@" --repo "$url"
"$drvabi" ranges "$@" --quiet --format json -o "$scratch/ranges.json" || fail "drvabi ranges failed"

# Find the releases after the last node, by version, and those without a node that fits. A release sorts before its own node.
jq -r '(.nodes[] | "\(.version) node"), (.versions[] | "\(.version) a release")' "$scratch/ranges.json" | sort -V |
	awk '$2 == "node" { count = 0; next } { later[++count] = $1 } END { for (i = 1; i <= count; i++) print later[i] }' >"$scratch/later"
jq -r '.versions[] | select(.fit == "needs-new-node") | .version' "$scratch/ranges.json" >"$scratch/unfit"
sort -uV "$scratch/later" "$scratch/unfit" >"$scratch/work"
if [ ! -s "$scratch/work" ]; then
	echo 'no release of the driver needs work'
	exit 0
fi

# A tag of the driver can be any text. Characters that Markdown could interpret become question marks.
as_text() {
	printf '%s' "$1" | tr -c 'A-Za-z0-9._+-' '?'
}

newest=$(tail -n 1 "$scratch/work")
shown=$(as_text "$newest")
count=$(wc -l <"$scratch/work")
case $count in
1) title="driver $shown needs work" ;;
2) title="driver $shown and 1 more release need work" ;;
*) title="driver $shown and $((count - 1)) more releases need work" ;;
esac

# why VERSION - print one row of the table of releases
why() {
	if grep -qxF -e "$1" "$scratch/unfit"; then
		echo "| $(as_text "$1") | no node of the table fits, so the table needs a new node |"
	else
		node=$(jq -r --arg v "$1" '.versions[] | select(.version == $v) | .node // .follows // "no node"' "$scratch/ranges.json")
		echo "| $(as_text "$1") | newer than every node; everything that the table reads is the same as in $(as_text "$node") |"
	fi
}

# details - print what changed from the newest release's node to this release
details() {
	base=$(jq -r --arg v "$newest" '.versions[] | select(.version == $v) | .follows // empty' "$scratch/ranges.json")
	[ -n "$base" ] || return 0
	status=0
	"$drvabi" diff --base "$base" --next "$newest" "$@" --quiet --format markdown -o "$scratch/diff.md" || status=$?
	[ "$status" -le 1 ] || fail "drvabi diff --base $base --next $newest failed"
	echo
	cat "$scratch/diff.md"
}

mkdir -p "$out" || fail "cannot make the directory $out"
{
	printf '%s\n\n| release | why |\n|---|---|\n' "$title"
	while read -r version; do
		why "$version"
	done <"$scratch/work"
	details "$@"
} >"$scratch/report.md"
mv "$scratch/report.md" "$out/new-driver.md"
printf '%s\n' "$title"
exit 1
