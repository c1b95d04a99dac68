#!/usr/bin/env bash
# The included archive has the documents that are extracted from Debian's source packages of the driver. Versions are compared by name, because
# Debian has the files but not the commits. This test fails if extraction or the profile changed and the archive was not written again.
. "$(dirname "$0")/../cli/lib.sh"

driver=${B:-${DRVABI%/*}}/debian-driver
archive=$ROOT/data/nvidia.drvabi

"$ROOT/scripts/debian-driver" "$driver" >&2 || skip_all 'the source packages of the driver are not available'

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
		expect_same 'the archived document equals the extracted one (if not, raise ABI_GENERATION, then make archive REPO=...)' \
			"$WORK/extracted.json" "$WORK/archived.json"
	done
done

done_testing
