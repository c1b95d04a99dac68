#!/usr/bin/env bash
# An archive: one file with the documents of all versions. It gives the repository's documents, and damaged archives are rejected.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

versions='100.10.01 100.20.02 110.05.00 120.01.00'

# damage FROM TO OFFSET BYTE - copy a file and change one byte of the copy
damage() {
	cp "$WORK/$1" "$WORK/$2"
	printf '%b' "$4" | dd of="$WORK/$2" bs=1 seek="$3" conv=notrunc status=none
}

it 'all tags are written'
run archive write --repo "$REPO" -o all.drvabi
expect_status 0
expect_out_empty
expect_err_empty

it 'a second archive, written by one thread and without a cache'
run archive write --repo "$REPO" --jobs 1 --no-cache -o again.drvabi
expect_status 0
expect_same 'has the same bytes' "$WORK/all.drvabi" "$WORK/again.drvabi"

it 'the contents of the archive'
run archive list all.drvabi --format json
expect_status 0
expect_json 'are all tags, in order' '[.versions[].version] == ($v | split(" "))' --arg v "$versions"
expect_json 'have the nearest ancestor' '[.versions[].parent] == [null, "100.10.01", "100.10.01", "110.05.00"]'
expect_json 'have the branch' '[.versions[].on_main] == [true, false, true, true]'
expect_json 'have the commit' '.versions[3].commit == $c' --arg c "$(git --git-dir="$REPO" rev-parse '120.01.00^{commit}')"
run archive list all.drvabi
expect_status 0
expect_out_like '^nvidia: 4 versions for aarch64-linux-gnu, x86_64-linux-gnu$'
expect_out_like '^100\.20\.02 +2022-09-01 +[0-9a-f]{12} +100\.10\.01 +\(not on the main branch\)$'

# From here on, a repository is only used with --repo.
for version in $versions; do
	it "the document of $version"
	run extract --repo "$REPO" "$version"
	keep document.json
	run extract --archive all.drvabi "$version"
	expect_status 0
	expect_err_empty
	expect_same "equals the repository's document" "$OUT" "$WORK/document.json"
done

# same_as_repository ARGUMENT... - pass if output, errors and exit status are the same with --repo and with --archive
same_as_repository() {
	local status
	it "$*"
	run "$@" --repo "$REPO"
	keep said
	expect_err_empty
	status=$STATUS
	run "$@" --archive all.drvabi
	expect_status "$status"
	expect_same 'has the same output' "$OUT" "$WORK/said"
	expect_err_empty
}

same_as_repository diff 100.10.01 110.05.00 --table "$TABLE" --format json
same_as_repository diff 120.01.00 120.01.00
same_as_repository show 'NVOS*'
same_as_repository flatten --version 110.05.00 --format json
same_as_repository surface 110.05.00 --format json
same_as_repository verify --table "$TABLE"
same_as_repository history --format json
same_as_repository history NVOS54_PARAMETERS
same_as_repository blame NVOS54_PARAMETERS
same_as_repository ranges --table "$TABLE" --format json

it 'DRVABI_ARCHIVE'
run extract --archive all.drvabi 110.05.00
keep document.json
run DRVABI_ARCHIVE=all.drvabi extract 110.05.00
expect_same 'is used like --archive' "$OUT" "$WORK/document.json"
run DRVABI_ARCHIVE=all.drvabi DRVABI_REPO=nowhere extract 110.05.00
expect_same 'has precedence over DRVABI_REPO' "$OUT" "$WORK/document.json"
run DRVABI_ARCHIVE=nowhere extract --repo "$REPO" 110.05.00
expect_same 'does not have precedence over --repo' "$OUT" "$WORK/document.json"
run DRVABI_ARCHIVE= DRVABI_REPO="$REPO" extract 110.05.00
expect_same 'is ignored if it is empty' "$OUT" "$WORK/document.json"
run DRVABI_ARCHIVE=nowhere archive write --repo "$REPO" 110.05.00 -o written.drvabi
expect_status 0

it 'a directory compared with a version of an archive'
unpack 110.05.00 tree
run diff --archive all.drvabi ./tree 110.05.00
expect_status 0
expect_err_empty

it 'a selection of versions'
run archive write --repo "$REPO" 120.01.00 100.10.01 -o two.drvabi
expect_status 0
run archive list two.drvabi --format json
expect_json 'is in order' '[.versions[].version] == ["100.10.01", "120.01.00"]'
expect_json 'each follows a version of the archive' '[.versions[].parent] == [null, "100.10.01"]'
run diff --archive two.drvabi 100.10.01 120.01.00 --format json
keep two.json
run diff --repo "$REPO" 100.10.01 120.01.00 --format json
expect_same 'compare as with all versions' "$OUT" "$WORK/two.json"

it 'a different target'
run archive write --repo "$REPO" --target aarch64-linux-gnu 110.05.00 -o arm.drvabi
expect_status 0
run extract --repo "$REPO" --target aarch64-linux-gnu 110.05.00
keep arm.json
run extract --archive arm.drvabi --target aarch64-linux-gnu 110.05.00
expect_same 'has its own documents' "$OUT" "$WORK/arm.json"
run extract --archive arm.drvabi 110.05.00
expect_cannot 'arm\.drvabi has no documents for x86_64-linux-gnu, only for: aarch64-linux-gnu$'

it 'archive write --add'
cp -r "$REPO" "$WORK/early.git"
git_in early.git tag -d 120.01.00 >/dev/null
run archive write --repo early.git -o early.drvabi
cp "$WORK/early.drvabi" "$WORK/extended.drvabi"
run archive list early.drvabi --repo "$REPO"
expect_status 0
expect_out_like '^The repository has 1 more'
expect_out_like '^120\.01\.00$'
run archive list early.drvabi --repo "$REPO" --format json
expect_json 'lists the versions that only the repository has' '.beyond == ["120.01.00"]'
run archive list early.drvabi --repo early.git --format json
expect_json 'lists none if the archive has all' '.beyond == []'
run archive write --repo "$REPO" --add early.drvabi -o other.drvabi
expect_status 0
expect_err_empty
expect_out_like '^added 120\.01\.00$'
expect_same 'gives the same as a new archive' "$WORK/other.drvabi" "$WORK/all.drvabi"
expect_same 'does not change the archive if -o names a different file' "$WORK/early.drvabi" "$WORK/extended.drvabi"
run archive write --repo "$REPO" --add extended.drvabi
expect_status 0
expect_same 'extends the archive in place' "$WORK/extended.drvabi" "$WORK/all.drvabi"
run archive write --repo "$REPO" --add extended.drvabi
expect_status 0
expect_out_empty
run archive write --repo early.git --add extended.drvabi
expect_out_empty
expect_same 'keeps versions that the repository does not have' "$WORK/extended.drvabi" "$WORK/all.drvabi"

it 'a release that cannot be read'
cp -r "$REPO" "$WORK/late.git"
git_in late.git tag 130.01.00 "$(git_in late.git commit-tree -p main -m none "$(git_in late.git mktree </dev/null)")"
run archive write --repo late.git --add extended.drvabi
expect_status 0
expect_out_empty
expect_err_like '^drvabi: left out: version 130\.01\.00 has no file '
expect_same 'is omitted' "$WORK/extended.drvabi" "$WORK/all.drvabi"

it 'an archive of a different profile'
sed 's/"role": "handle", "type": "NvHandle"/"role": "none", "type": "NvHandle"/' "$ROOT/src/extract/profiles/nvidia.json" >"$WORK/other.json"
run extract --archive all.drvabi --profile ./other.json 110.05.00
expect_cannot '^drvabi: all\.drvabi was made with a different text of the profile nvidia; give the profile with that text \(--profile\), or write the archive again$'
run archive write --repo "$REPO" --profile ./other.json --add all.drvabi
expect_cannot '^drvabi: all\.drvabi was made with a different text of the profile nvidia'
run archive write --repo "$REPO" --profile ./other.json 110.05.00 -o other.drvabi
run extract --archive other.drvabi --profile ./other.json 110.05.00
expect_status 0
run extract --profile ./other.json --repo "$REPO" 110.05.00
keep other-110.json
run extract --archive other.drvabi --profile ./other.json 110.05.00
expect_same 'is used with its profile' "$OUT" "$WORK/other-110.json"
run extract --profile linux-drm --archive all.drvabi 110.05.00
expect_cannot '^drvabi: all\.drvabi is for the driver nvidia, not for linux-drm; give --profile nvidia, or a different archive$'

it 'a version that is not in the archive'
run extract --archive all.drvabi 110.05.01
expect_cannot '^drvabi: no version 110\.05\.01 in all\.drvabi \(as of 20[0-9-]+\); nearest: 110\.05\.00'
run diff --archive two.drvabi 100.10.01 110.05.00
expect_cannot '^drvabi: no version 110\.05\.00 in two\.drvabi \(as of 20[0-9-]+\); nearest: '

it 'a file that is not an archive'
run extract --archive nowhere 110.05.00
expect_cannot 'nowhere'
: >"$WORK/empty"
run extract --archive empty 110.05.00
expect_cannot '^drvabi: empty: this is not an archive of drvabi'
run archive list document.json
expect_cannot '^drvabi: document\.json: this is not an archive of drvabi'
run history --archive .
expect_cannot '[Dd]irectory'

it 'a damaged archive'
size=$(wc -c <"$WORK/all.drvabi")
head -c $((size - 1)) "$WORK/all.drvabi" >"$WORK/short"
run extract --archive short 110.05.00
expect_cannot '^drvabi: short: the archive is truncated'
cat "$WORK/all.drvabi" "$WORK/empty" - <<<x >"$WORK/long"
run extract --archive long 110.05.00
expect_cannot '^drvabi: long: the archive is truncated, or data follows it'
damage all.drvabi future 7 '\003'
run extract --archive future 110.05.00
expect_cannot "^drvabi: future: the archive has format 3, but this drvabi reads format 2; write it again with 'drvabi archive write'$"
for offset in 20 40 100 $((size / 2)) $((size - 9)); do
	damage all.drvabi damaged "$offset" '\252'
	cmp -s "$WORK/all.drvabi" "$WORK/damaged" && damage all.drvabi damaged "$offset" '\253'
	run diff --archive damaged 100.10.01 110.05.00
	expect_cannot '^drvabi: damaged: .*; download or write it again$'
done

it 'contradictory options'
run extract --repo "$REPO" --archive all.drvabi 110.05.00
expect_cannot 'both name a place to read from$'
run extract --dir tree --archive all.drvabi
expect_cannot 'both name a place to read from$'
run extract --no-archive --archive all.drvabi 110.05.00
expect_cannot '^drvabi: --no-archive and --archive cannot be used together: no archive would be read$'

it 'an archive that cannot be written'
run archive write --repo "$REPO"
expect_cannot 'needs a file to write to: -o FILE'
run archive write --repo "$REPO" 110.05.01 -o none.drvabi
expect_cannot 'no version 110\.05\.01 in .*; nearest: '
run archive write --repo "$REPO" main -o none.drvabi
expect_cannot 'main is not a tag of '
run archive write --repo "$REPO" -o nowhere/none.drvabi
expect_cannot 'nowhere/none\.drvabi'
run archive write --repo "$REPO" -o /dev/full
expect_cannot '/dev/full'
run archive
expect_cannot 'archive can write or list'
run archive read all.drvabi
expect_cannot "archive can write or list, not 'read'"
run archive list all.drvabi two.drvabi
expect_cannot 'takes one file'
run archive write --repo "$REPO" --add all.drvabi 110.05.00
expect_cannot '^drvabi: --add extends an archive by every tag that it does not have'
run archive write --repo "$REPO" --add all.drvabi --target aarch64-linux-gnu
expect_cannot '^drvabi: --add and --target cannot be used together: the archive has its own targets$'
run archive write --repo "$REPO" --add nowhere.drvabi
expect_cannot 'nowhere\.drvabi'
run archive write --repo "$REPO" --profile linux-drm --add all.drvabi
expect_cannot '^drvabi: all\.drvabi is for the driver nvidia, not for linux-drm; give --profile nvidia, or a different archive$'

done_testing
