#!/usr/bin/env bash
# Object ids of a repository are not trusted: a forged repository does not affect the documents of others.
. "$(dirname "$0")/lib.sh"
fixture

header=src/common/sdk/nvidia/inc/nvos.h
honest=$(git --git-dir="$REPO" rev-parse "110.05.00:$header")

# The same object ids, but a different text for the header's id.
cp -r "$REPO" "$WORK/forged.git"
(cd "$WORK/forged.git" && mv objects/pack/* . 2>/dev/null && for pack in *.pack; do git unpack-objects -q <"$pack"; done) || true
find "$WORK/forged.git/objects" -type f -exec chmod u+w {} +
git --git-dir="$REPO" cat-file blob "$honest" | sed 's/NVOS54_PARAMETERS;/NVOS54_PARAMETERS; typedef struct { NvU32 forged; } FORGED_PARAMETERS;/' >"$WORK/nvos.h"
forged=$(git_in forged.git hash-object -w "$WORK/nvos.h")
expect 'the forged header differs' [ "$forged" != "$honest" ]
cp "$WORK/forged.git/objects/${forged:0:2}/${forged:2}" "$WORK/forged.git/objects/${honest:0:2}/${honest:2}"

it 'a forged repository'
run extract --no-cache --repo "$REPO" 110.05.00
keep honest.json
run extract --repo forged.git 110.05.00
expect_status 0
expect_json 'is read as it is' '.records | has("FORGED_PARAMETERS")'
keep forged.json

it 'an honest repository after a forged repository'
run extract --repo "$REPO" 110.05.00
expect_same 'has its own document' "$OUT" "$WORK/honest.json"
run extract --repo "$REPO" 110.05.00
expect_same 'also from the cache' "$OUT" "$WORK/honest.json"

it 'a forged repository after an honest repository'
run extract --repo forged.git 110.05.00
expect_same 'has its own document' "$OUT" "$WORK/forged.json"

it 'one repository with two paths'
ln -s "$REPO" "$WORK/link.git"
rm -rf "$WORK/cache"
run extract --repo "$REPO" 110.05.00
run extract --repo link.git 110.05.00
expect_same 'has the same document' "$OUT" "$WORK/honest.json"
expect 'and one entry in the cache' [ "$(find "$WORK/cache/drvabi/documents" -type f | wc -l)" = 1 ]

it 'the archive'
run archive write --no-cache --repo "$REPO" -o all.drvabi
run DRVABI_ARCHIVE=all.drvabi extract --repo forged.git 110.05.00
expect_same 'has the document of the commit, also for a forged repository' "$OUT" "$WORK/honest.json"
run DRVABI_ARCHIVE=all.drvabi extract --no-archive --no-cache --repo forged.git 110.05.00
expect_same 'is not used with --no-archive' "$OUT" "$WORK/forged.json"

done_testing
