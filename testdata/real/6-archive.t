#!/usr/bin/env bash
# The archive that comes along says what the real driver says: its releases as Debian carries them, extracted here and now.
. "$(dirname "$0")/../cli/lib.sh"

driver=${B:-${DRVABI%/*}}/debian-driver
archive=$ROOT/data/nvidia.drvabi

"$ROOT/scripts/debian-driver" "$driver" >&2 || skip_all 'there is no real driver to compare with'

for version in $(git --git-dir="$driver/repo" tag); do
	it "$version"
	run extract --repo "$driver/repo" "$version"
	expect_status 0
	# Debian has the files and not the commits.
	jq 'del(.commit)' "$OUT" >"$WORK/extracted.json"
	run extract --archive "$archive" "$version"
	expect_status 0
	expect_err_empty
	jq 'del(.commit)' "$OUT" >"$WORK/archived.json"
	expect_same 'is archived as it is extracted (else: make archive REPO=...)' "$WORK/extracted.json" "$WORK/archived.json"
done

done_testing
