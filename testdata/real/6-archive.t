#!/usr/bin/env bash
# The archive that comes along says what the real driver says: its releases as Debian carries them, extracted here and now.
# They are compared by their names, for Debian has the files and not the commits. So a change of extraction, or of the
# profile, after which the archive was not written again is found.
. "$(dirname "$0")/../cli/lib.sh"

driver=${B:-${DRVABI%/*}}/debian-driver
archive=$ROOT/data/nvidia.drvabi

"$ROOT/scripts/debian-driver" "$driver" >&2 || skip_all 'there is no real driver to compare with'

for version in $(git --git-dir="$driver/repo" tag); do
	for target in x86_64-linux-gnu aarch64-linux-gnu; do
		it "$version, $target"
		run extract --no-archive --no-cache --repo "$driver/repo" --target "$target" "$version"
		expect_status 0
		jq 'del(.commit)' "$OUT" >"$WORK/extracted.json"
		run extract --archive "$archive" --target "$target" "$version"
		expect_status 0
		expect_err_empty
		jq 'del(.commit)' "$OUT" >"$WORK/archived.json"
		expect_same 'is archived as it is extracted (else: raise ABI_GENERATION, and make archive REPO=...)' \
			"$WORK/extracted.json" "$WORK/archived.json"
	done
done

done_testing
