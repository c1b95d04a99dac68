#!/usr/bin/env bash
# Repositories that only worker processes open: packs that are links, and the progress bar of a clone that fails.
. "$(dirname "$0")/lib.sh"
fixture

it 'pack files that are links to files outside the repository'
git clone -q --bare --no-local "$REPO" "$WORK/linked.git"
git_in linked.git repack -qad
mkdir "$WORK/packs"
for file in "$WORK"/linked.git/objects/pack/pack-*; do
	mv "$file" "$WORK/packs"
	ln -s "$WORK/packs/${file##*/}" "$file"
done
run extract --repo linked.git
expect_status 0
expect_err_empty

it 'the progress bar of a clone that fails'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	(cd "$WORK" && HOME=$WORK XDG_CACHE_HOME=$WORK/cache TERM=xterm \
		script -qec "'$DRVABI' extract --repo file:///nonexistent/repository" /dev/null </dev/null >"$OUT") || :
	expect 'the bar is erased before the error message' grep -q $' \rdrvabi: cannot clone' "$OUT"
fi

done_testing
