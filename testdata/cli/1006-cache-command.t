#!/usr/bin/env bash
# What drvabi cache shows, prunes and clears.
. "$(dirname "$0")/lib.sh"
fixture

it 'an empty cache is no error'
run cache
expect_status 0
expect_out_like 'documents +0 '

it 'a run leaves its documents'
run diff --repo "$REPO" 100.10.01 110.05.00
expect_status 1
run cache show
expect_status 0
expect_out_like 'documents +2 .* 0 damaged, 0 left over'

it 'a damaged document is counted, and pruned'
for document in "$WORK"/cache/drvabi/documents/*; do
	printf 'x' >>"$document"
	break
done
run cache
expect_out_like 'documents +2 .* 1 damaged'
run cache prune
expect_status 0
run cache
expect_out_like 'documents +1 .* 0 damaged'

it 'what killed clones left is pruned'
repos=$WORK/cache/drvabi/repos
run extract --repo "file://$REPO" 110.05.00
expect_status 0
clone=$(find "$repos" -mindepth 1 -maxdepth 1 -name '*.git')
expect 'no lock is left by a clone that was made' [ ! -e "$clone.lock" ]
mkdir -p "$repos/killed-0123.git.tmp-abcdef/objects/pack"
: >"$repos/killed-0123.git.tmp-abcdef/objects/pack/pack_git2_0123"
: >"$repos/killed-0123.git.lock"
: >"$clone.lock"
: >"$clone/packed-refs.lock"
: >"$clone/objects/pack/pack_git2_0123"
mkdir "$repos/alive-0123.git.tmp-abcdef"
exec 9>"$repos/alive-0123.git.lock"
flock 9
run cache prune
expect_status 0
expect_out_empty
expect_err_empty
expect 'what is left is whole, or at work' [ "$(cd "$repos" && find . -mindepth 1 -maxdepth 1 | sort)" = "./alive-0123.git.lock
./alive-0123.git.tmp-abcdef
./${clone##*/}" ]
expect 'no lock is left in a clone' [ -z "$(find "$clone" -name '*.lock' -o -name '*_git2_*')" ]
exec 9>&-
run cache prune
expect 'nothing is at work' [ "$(find "$repos" -mindepth 1 -maxdepth 1)" = "$clone" ]
run extract --no-cache --repo "file://$REPO" 110.05.00
expect_status 0
expect_err_empty

it 'a clone that a command reads is not cleared from under it'
exec 8<"$clone"
flock -s 8
run cache clear all
expect_status 0
expect 'it is there' [ -e "$clone/HEAD" ]
exec 8<&-
run cache clear all
expect_status 0
expect 'then it goes' [ -z "$(find "$repos" -mindepth 1)" ]
for i in 1 2 3 4 5 6 7 8; do
	(cd "$WORK" && exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" LSAN_OPTIONS="$LSAN" "$DRVABI" extract --no-archive --repo "file://$REPO" 110.05.00 -o "beside$i.json" 2>"$WORK/beside.$i") || echo bad >"$WORK/beside.bad" &
	run cache clear all
	expect_status 0
done
wait
expect 'commands beside it work' [ ! -e "$WORK/beside.bad" ]

it 'clear leaves nothing'
run cache clear
expect_status 0
run cache
expect_out_like 'documents +0 '

it 'what cache cannot do is refused'
run cache polish
expect_cannot 'show, prune or clear'

done_testing
