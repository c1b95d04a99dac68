#!/usr/bin/env bash
# drvabi cache lists, prunes and clears.
. "$(dirname "$0")/lib.sh"
fixture

it 'an empty cache is not an error'
run cache
expect_status 0
expect_out_like 'documents +0 '

it 'documents of a run are listed'
run diff --repo "$REPO" 100.10.01 110.05.00
expect_status 1
run cache show
expect_status 0
expect_out_like 'documents +2 .* 0 damaged, 0 left over'

it 'a damaged document is counted and pruned'
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

it 'files of killed clones are pruned'
repos=$WORK/cache/drvabi/repos
run extract --repo "file://$REPO" 110.05.00
expect_status 0
clone=$(find "$repos" -mindepth 1 -maxdepth 1 -name '*.git')
expect 'a finished clone leaves no lock' [ ! -e "$clone.lock" ]
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
expect 'complete clones and running clones remain' [ "$(cd "$repos" && find . -mindepth 1 -maxdepth 1 | sort)" = "./alive-0123.git.lock
./alive-0123.git.tmp-abcdef
./${clone##*/}" ]
expect 'no lock remains in a clone' [ -z "$(find "$clone" -name '*.lock' -o -name '*_git2_*')" ]
exec 9>&-
run cache prune
expect 'after the running clones end, only the complete clone remains' [ "$(find "$repos" -mindepth 1 -maxdepth 1)" = "$clone" ]
run extract --no-cache --repo "file://$REPO" 110.05.00
expect_status 0
expect_err_empty

it 'a clone is not cleared while a command reads it'
exec 8<"$clone"
flock -s 8
run cache clear all
expect_status 0
expect 'the clone still exists' [ -e "$clone/HEAD" ]
exec 8<&-
run cache clear all
expect_status 0
expect 'then the clone is removed' [ -z "$(find "$repos" -mindepth 1)" ]
for i in 1 2 3 4 5 6 7 8; do
	(cd "$WORK" && exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" LSAN_OPTIONS="$LSAN" "$DRVABI" extract --no-archive --repo "file://$REPO" 110.05.00 -o "beside$i.json" 2>"$WORK/beside.$i") || echo bad >"$WORK/beside.bad" &
	run cache clear all
	expect_status 0
done
wait
expect 'commands that run at the same time succeed' [ ! -e "$WORK/beside.bad" ]

it 'clear removes everything'
run cache clear
expect_status 0
run cache
expect_out_like 'documents +0 '

it 'nothing outside of the cache is removed'
documents=$WORK/cache/drvabi/documents
rm -rf "$documents"
mkdir "$WORK/mine" "$repos/.git"
: >"$WORK/mine/letter"
: >"$repos/.git/HEAD"
mkdir "$documents"
ln -s "$WORK/mine/letter" "$documents/0123"
run cache
expect_out_like 'documents +1 .* 1 damaged'
run cache prune
expect_status 0
expect 'a link is removed' [ ! -L "$documents/0123" ]
rmdir "$documents"
ln -s "$WORK/mine" "$documents"
for verb in show prune clear; do
	run cache "$verb"
	expect_cannot 'it is a file or a symbolic link; remove it'
done
rm "$documents"
run cache clear all
expect_status 0
expect 'the target of links is unchanged' [ -e "$WORK/mine/letter" ]
expect 'a directory .git is not a clone' [ -e "$repos/.git/HEAD" ]
rm -r "$repos/.git"

it 'invalid arguments'
run cache polish
expect_cannot 'show, prune or clear'
echo kept >"$WORK/kept"
for verb in prune clear; do
	run cache "$verb" -o kept
	expect_cannot "cache $verb prints nothing; leave -o out"
	expect '-o does not change the file' [ "$(cat "$WORK/kept")" = kept ]
done

done_testing
