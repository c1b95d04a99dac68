#!/usr/bin/env bash
# Versions from tags, branches and commits of a repository, and from directories.
# shellcheck disable=SC2016 # variables of jq
. "$(dirname "$0")/lib.sh"
fixture

# version_is WHAT - pass if the document on standard output has this version
version_is() {
	expect_status 0
	expect_err_empty
	expect_json "the version is $1" '.version == $v' --arg v "$1"
}

commit=$(git --git-dir="$REPO" rev-parse '110.05.00^{commit}')
tip=$(git --git-dir="$REPO" rev-parse '120.01.00^{commit}')

it 'a tag'
run extract --repo "$REPO" 110.05.00
version_is 110.05.00
expect_json 'the document has the commit' '.commit == $c' --arg c "$commit"
keep tag.json

it 'an annotated tag'
run extract --repo "$REPO" --version 120.01.00
version_is 120.01.00
expect_json 'the document has the commit that was tagged' '.commit == $c' --arg c "$tip"

it 'a branch'
run extract --repo "$REPO" main
version_is main
expect_json 'the document has the commit' '.commit == $c' --arg c "$tip"
run extract --repo "$REPO" release/100
version_is release/100

it 'a commit id'
run extract --repo "$REPO" "$commit"
expect_status 0
expect_same 'gives the same document as the tag' "$OUT" "$WORK/tag.json"

it 'an abbreviated commit id'
run extract --repo "$REPO" "${commit:0:10}"
expect_same 'gives the same document as the tag' "$OUT" "$WORK/tag.json"

it 'without a version, the newest tag is used'
run extract --repo "$REPO"
version_is 120.01.00

it 'DRVABI_REPO'
run DRVABI_REPO="$REPO" extract 110.05.00
expect_same 'is used like --repo' "$OUT" "$WORK/tag.json"

it 'two tags of one commit, one of them a pre-release'
git_in . clone -q --bare "$REPO" twice.git
git_in twice.git tag 120.01.00-rc1 120.01.00^{commit}
run history --no-cache --repo twice.git 120.01.00
expect_out_like 'only at 120\.01\.00 \(the same commit as 120\.01\.00-rc1\)$'
run extract --repo twice.git
version_is 120.01.00

it 'a repository with a work tree, and a directory in it'
git_in . clone -q "$REPO" clone
run extract --repo clone 110.05.00
expect_same 'gives the same document as the bare repository' "$OUT" "$WORK/tag.json"
run extract --repo clone/src/common 110.05.00
expect_same 'so does a directory in the work tree' "$OUT" "$WORK/tag.json"
printf 'struct broken {\n' >>"$WORK/clone/src/common/sdk/nvidia/inc/nvos.h"
run extract --no-cache --repo clone 110.05.00
expect_same 'changes in the work tree do not matter' "$OUT" "$WORK/tag.json"
rm -rf "$WORK/clone"

it 'a directory'
unpack 110.05.00 tree
run extract --dir tree
version_is tree
jq 'del(.version)' "$OUT" >"$WORK/a"
jq '.commit = "" | del(.version)' "$WORK/tag.json" >"$WORK/b"
expect_same 'gives the same document as the tag, without a commit' "$WORK/a" "$WORK/b"
run extract --dir "$WORK/tree"
expect_json 'the document has no path except that of the tree' '[.. | strings | select(contains($w))] == [$w + "/tree"]' --arg w "$WORK"

it 'directories as versions'
unpack 100.10.01 old
run diff ./old ./tree --format json
expect_status 1
jq 'del(.base, .next)' "$OUT" >"$WORK/a"
run diff --repo "$REPO" 100.10.01 110.05.00 --format json
jq 'del(.base, .next)' "$OUT" >"$WORK/b"
expect_same 'have the same differences as the tags' "$WORK/a" "$WORK/b"
run diff --repo "$REPO" --base 110.05.00 --next ./tree
expect_status 0

it 'not a repository'
run extract --repo nowhere 110.05.00
expect_cannot '^drvabi: no git repository at nowhere; give a clone of the driver with --repo PATH, or an unpacked tree with --dir PATH$'
run run_differ --repo tree 1 2
expect_cannot '^drvabi: there is no command'
run_differ --repo tree 100.10.01 110.05.00
expect_cannot '^drvabi: no git repository at tree; '
run extract --repo tag.json 110.05.00
expect_cannot '^drvabi: no git repository at tag\.json; '

it 'unknown versions'
run extract --repo "$REPO" 110.05.01
expect_cannot '^drvabi: no version 110\.05\.01 in .*/demo\.git; nearest: 110\.05\.00$'
run extract --repo "$REPO" 110.04.99
expect_cannot '^drvabi: no version 110\.04\.99 in .*/demo\.git; nearest: 100\.20\.02, 110\.05\.00$'
run extract --repo "$REPO" 100.20.03
expect_cannot '^drvabi: no version 100\.20\.03 in .*/demo\.git; nearest: 100\.20\.02, 100\.10\.01$'
run extract --repo "$REPO" man
expect_cannot '^drvabi: no version man in .*/demo\.git; nearest: main$'
run extract --repo "$REPO" 0123456789abcdef0123456789abcdef01234567
expect_cannot '^drvabi: no version 0123456789abcdef0123456789abcdef01234567 in '
run_differ --repo "$REPO" --base 100.10.01 --next 110.05.09
expect_cannot '^drvabi: no version 110\.05\.09 in .*/demo\.git; nearest: 110\.05\.00$'
run_differ --repo "$REPO" --base 1.2 --next 1.3
expect_cannot '^drvabi: no version 1\.2 in '
run show --repo "$REPO" --version 130 NVOS54_PARAMETERS
expect_cannot '^drvabi: no version 130 in .*/demo\.git; nearest: .*120\.01\.00$'
run flatten --repo "$REPO" --version 130
expect_cannot '^drvabi: no version 130 in '
run extract --repo "$REPO" $'110.05.00\n\033[31m'
expect_cannot '^drvabi: no version 110\.05\.00.* in '
run extract --repo "$REPO" '110.05.00^{tree}'
expect_cannot '^drvabi: '

it 'a tag whose file is damaged'
cp -r "$REPO" "$WORK/damaged.git"
: >"$WORK/damaged.git/refs/tags/130.00.00"
ln -s nowhere "$WORK/damaged.git/refs/tags/125.00.00"
for version in 130.00.00 125.00.00; do
	run extract --no-archive --repo damaged.git "$version"
	expect_cannot "^drvabi: cannot read refs/tags/${version//./\\.} in damaged\.git"
done
run extract --no-archive --repo damaged.git
expect_cannot '^drvabi: cannot read refs/tags/130\.00\.00 in damaged\.git'
run history --no-archive --repo damaged.git --quiet
expect_status 0
expect_err_like '^drvabi: the tag 130\.00\.00 of damaged\.git cannot be read, so its version is left out; '
expect_err_like '^drvabi: the tag 125\.00\.00 of damaged\.git cannot be read, so its version is left out; '
run extract --no-archive --repo damaged.git 120.01.00
expect_status 0

it 'repositories without a version of a driver'
git_in . init -q empty
run extract --repo empty
expect_cannot '^drvabi: empty has no tags; name a version with --version$'
run extract --repo empty 1
expect_cannot '^drvabi: no version 1 in empty, which has no tags$'
: >"$WORK/empty/README"
git_in empty add README
git_in empty commit -q -m one
git_in empty tag 1
git_in empty tag -m tree tree 'HEAD^{tree}'
run extract --repo empty 1
expect_cannot '^drvabi: version 1 has no file src/common/sdk/nvidia/inc/nvos\.h, which unit rm of the profile reads; is this the right tree'
run extract --repo empty tree
expect_cannot '^drvabi: .*tree'

it 'directories that cannot be read'
run extract --dir nowhere
expect_cannot '^drvabi: cannot open directory nowhere: No such file or directory$'
run extract --dir tag.json
expect_cannot '^drvabi: .*tag\.json'
run diff ./old ./nowhere
expect_cannot '^drvabi: cannot open directory \./nowhere: No such file or directory$'
run extract --dir tree/src
expect_cannot '^drvabi: version tree/src has no file src/common/sdk/nvidia/inc/nvos\.h, which unit rm '

it 'options that contradict each other'
run extract --repo "$REPO" --dir tree
expect_cannot '^drvabi: --dir and --repo cannot be used together: both name a place to read from$'
run extract --dir tree 110.05.00
expect_cannot "^drvabi: --dir is a tree without versions; leave '110\.05\.00' out$"
run show --dir tree --version 110.05.00 NvHandle
expect_cannot '^drvabi: --version and --dir cannot be used together: a tree has no versions$'
run flatten --dir tree --version 110.05.00
expect_cannot '^drvabi: --version and --dir cannot be used together: a tree has no versions$'
run diff --dir tree 100.10.01 110.05.00
expect_cannot '^drvabi: diff takes directories as versions: --base \./old --next \./new$'
run extract --repo "$REPO" 100.10.01 110.05.00
expect_cannot '^drvabi: extract reads one version at a time$'

it 'a link that leaves the tree'
ln -sf "$ROOT/Makefile" "$WORK/tree/src/common/sdk/nvidia/inc/nvos.h"
run extract --dir tree
expect_cannot '^drvabi: src/common/sdk/nvidia/inc/nvos\.h in tree is a link that leaves the tree '

# damaged OBJECTS COMMAND... - run COMMAND on each object file of a copy of the repository. libgit2 1.5 loops forever
# on an object that is cut off in the middle (libgit2 issue 7342).
damaged() {
	rm -rf "$WORK/damaged.git"
	cp -r "$REPO" "$WORK/damaged.git"
	[ "$1" = objects ] || git_in damaged.git repack -adq
	find "$WORK/damaged.git/objects" -type f -exec chmod u+w {} +
	find "$WORK/damaged.git/objects" -type f ! -name '*.idx' -exec "${@:2}" {} +
	run extract --no-cache --repo damaged.git 110.05.00
	expect_cannot '^drvabi: .*110\.05\.00.*damaged\.git'
}

it 'a damaged repository'
damaged objects truncate -s 0
damaged objects rm
damaged pack truncate -s 0
damaged pack truncate -s 20000
damaged pack rm

it 'damaged references'
# unreadable LINE WHY - change packed-refs with the sed script on standard input, and expect an error for LINE
unreadable() {
	rm -rf "$WORK/damaged.git"
	cp -r "$REPO" "$WORK/damaged.git"
	git_in damaged.git pack-refs --all
	sed -i -f - "$WORK/damaged.git/packed-refs"
	for command in extract history; do
		run "$command" --no-cache --repo damaged.git
		expect_cannot "^drvabi: .*/damaged\.git/packed-refs:$1: this line $2, so tags may be missing; repair the file, or clone the repository again$"
	done
}
unreadable 3 'is not an object id followed by a reference name' <<<'3s/.*/rubbish/'
unreadable 4 'is not an object id followed by a reference name' <<<'3G'
unreadable 2 'is not an object id followed by a reference name' <<<'2s/^./x/'
unreadable 2 'has a NUL byte' <<<'2s/$/\x00/'
unreadable '[0-9]+' 'is out of order, although the first line says that the references are sorted' <<<'2{h;d};$G'

done_testing
