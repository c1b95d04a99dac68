#!/usr/bin/env bash
# No command overwrites a file that it reads: exit status 2, and the file is unchanged. -o - is standard output.
. "$(dirname "$0")/lib.sh"
fixture

git_in . clone -q "$REPO" tree
git_in tree checkout -q --detach 110.05.00
run extract --repo "$REPO" 110.05.00 -o document.json
run archive write --repo "$REPO" -o archive.drvabi
run sniff --repo "$REPO" --version 110.05.00 -o trace -- true
cp "$TABLE" "$WORK/table.json"
cp "$ROOT/src/extract/profiles/nvidia.json" "$WORK/profile.json"
echo 'struct a { int b; };' >"$WORK/a.h"
echo '{"structs": ["a"], "constants": []}' >"$WORK/names.json"
printf '%032d\n' 0 >"$WORK/payload"
echo 'nvproxy: unknown control command 0x20803801 (paramsSize=1928)' >"$WORK/log"
echo 'size NV_ESC_REGISTER_FD * never known' >"$WORK/accepted"
jq '{format: "drvabi-proxy-patch/1", proxy: .proxy, types: {}, versions: []}' "$TABLE" >"$WORK/patch.json"
mkdir -p "$WORK/data/drvabi"
header=$(cd "$WORK" && find tree -name 'ctrl2080demo.h')
cp "$WORK/archive.drvabi" "$WORK/data/drvabi/nvidia.drvabi"
ln -s log "$WORK/link"
ln "$WORK/document.json" "$WORK/second-name"

# kept FILE WORD... - pass if the command with `-o FILE` fails and FILE is unchanged
kept() {
	local file=$1
	shift
	it "$* -o $file"
	cp "$WORK/$file" "$WORK/before"
	run "$@" -o "$file"
	expect_status 2
	expect_out_empty
	expect 'the error says that FILE is an input' grep -q 'is an input of this run, and would be overwritten' "$ERR"
	expect_same 'the file is unchanged' "$WORK/before" "$WORK/$file"
}

kept document.json flatten document.json
kept second-name flatten document.json
kept document.json show NVOS54_PARAMETERS --json document.json
kept document.json diff --base-json document.json --next-json document.json
kept archive.drvabi archive list archive.drvabi
kept archive.drvabi show NVOS54_PARAMETERS --archive archive.drvabi
kept data/drvabi/nvidia.drvabi DRVABI_REPO= XDG_DATA_HOME="$WORK/data" show NVOS54_PARAMETERS
kept table.json verify --repo "$REPO" --table table.json --version 110.05.00
kept table.json surface --repo "$REPO" 110.05.00 --table table.json
kept accepted verify --repo "$REPO" --table table.json --suppress accepted
kept profile.json extract --repo "$REPO" 110.05.00 --profile ./profile.json
kept names.json extract --input names.json a.h
kept a.h extract --input names.json a.h
kept payload decode --repo "$REPO" --version 110.05.00 --control 0x20803001 payload
kept log decode --repo "$REPO" --version 110.05.00 log
kept link decode --repo "$REPO" --version 110.05.00 log
kept trace decode --repo "$REPO" --version 110.05.00 trace
kept patch.json table merge table.json patch.json
kept "$header" extract --dir tree
kept "$header" flatten --dir ./tree
kept "$header" diff --base ./tree --next ./tree

git_in . clone -q --bare -s "$REPO" borrower.git
git_in . clone -q --bare "$REPO" repo.git
git_in repo.git pack-refs --all
kept repo.git/packed-refs extract --repo repo.git 110.05.00
kept repo.git/HEAD flatten --repo repo.git --version 110.05.00
kept tree/.git/config extract --repo tree 110.05.00
kept borrower.git/objects/info/alternates extract --repo borrower.git 110.05.00
kept "repo.git/$(cd "$WORK/repo.git" && find objects -type f ! -name '*.idx' | head -n 1)" archive write --repo repo.git
mkdir "$WORK/include"
echo 'struct b { int c; };' >"$WORK/include/b.h"
echo '#include "include/b.h"' >"$WORK/b.c"
echo '{"structs": ["b"], "constants": []}' >"$WORK/b.json"
kept include/b.h extract --input b.json b.c

it 'a file of a tree that was not read can be overwritten, more than once'
for time in first second; do
	run extract --dir tree -o tree/new.json
	expect_status 0
	expect "the file is written the $time time" [ -s "$WORK/tree/new.json" ]
done

it 'standard output that is also an input'
for words in 'decode --version 110.05.00' 'decode --format summary'; do
	cp "$WORK/log" "$WORK/both"
	lib_command="drvabi $words both >>both" STATUS=0
	# shellcheck disable=SC2086 # words
	(cd "$WORK" && exec timeout 60 env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" $words --repo "$REPO" both >>both 2>"$ERR") || STATUS=$?
	expect_status 2
	expect_one_line_error '^drvabi: standard output is an input of this run, and would be overwritten; name a different file$'
	expect_same 'the file is unchanged' "$WORK/log" "$WORK/both"
done
lib_command='drvabi decode <both >>both' STATUS=0
(cd "$WORK" && exec timeout 60 env XDG_CACHE_HOME="$WORK/cache" "$DRVABI" decode --version 110.05.00 --repo "$REPO" <both >>both 2>"$ERR") || STATUS=$?
expect_status 2
expect_same 'the file is unchanged' "$WORK/log" "$WORK/both"

it 'a result that contains its whole input can replace it'
run table merge table.json patch.json -o table.json
expect_status 0
run archive write --repo "$REPO" --add archive.drvabi -o archive.drvabi
expect_status 0

it '-o - is standard output'
run show NVOS54_PARAMETERS --json document.json
keep once
for words in 'show NVOS54_PARAMETERS --json document.json' ; do
	# shellcheck disable=SC2086 # words
	run $words -o -
	expect_status 0
	expect_same 'is the same' "$WORK/once" "$OUT"
done
expect 'no file - is created' [ ! -e "$WORK/-" ]
run sniff --repo "$REPO" --version 110.05.00 -o - -- true
expect 'the trace of a workload is written' lib_lacks '^drvabi: cannot' "$ERR"
run TMPDIR=/nonexistent decode --repo "$REPO" --version 110.05.00 log -o /dev/stdout
expect_status 0
expect_out_like 0x20803801

it 'a pipe that is closed before all is read'
mkfifo "$WORK/fifo"
run sniff --repo "$REPO" --version 110.05.00 -o fifo -- true
expect_cannot 'cannot write fifo: no process reads it'

for command in "show NVOS54_PARAMETERS --json document.json" "decode --repo $REPO --version 110.05.00 --control 0x20803001"; do
	# shellcheck disable=SC2086 # words
	run $command -o fifo
	expect_cannot 'cannot write fifo: no process reads it'
done

it 'a link of a different user in a directory like /tmp'
mkdir -m 1777 "$WORK/sticky"
echo mine >"$WORK/mine"
ln -s ../mine "$WORK/sticky/trace"
if chown -h 65534 "$WORK/sticky/trace" 2>/dev/null && chown 1 "$WORK/sticky" 2>/dev/null; then
	run sniff --repo "$REPO" --version 110.05.00 -o sticky/trace -- true
	expect_cannot 'cannot write sticky/trace'
	expect 'the file is unchanged' [ "$(cat "$WORK/mine")" = mine ]
fi

done_testing
