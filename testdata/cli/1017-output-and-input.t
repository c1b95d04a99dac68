#!/usr/bin/env bash
# No command writes its result over a file that it reads: exit status 2, and the file as it was. -o - is standard output.
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

# kept FILE WORD... - the command with `-o FILE` is refused, and FILE stays
kept() {
	local file=$1
	shift
	it "$* -o $file"
	cp "$WORK/$file" "$WORK/before"
	run "$@" -o "$file"
	expect_status 2
	expect_out_empty
	expect 'says so' grep -q 'would be overwritten, which is' "$ERR"
	expect_same 'the file is as it was' "$WORK/before" "$WORK/$file"
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

it 'what is new in a tree may be written'
run extract --dir tree -o tree/new.json
expect_status 0
expect 'it is there' [ -s "$WORK/tree/new.json" ]

it 'a result that has all of its input may replace it'
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
	expect_same 'the same' "$WORK/once" "$OUT"
done
expect 'no file of that name' [ ! -e "$WORK/-" ]
run sniff --repo "$REPO" --version 110.05.00 -o - -- true
expect 'the trace of a workload' lib_lacks '^drvabi: cannot' "$ERR"
run TMPDIR=/nonexistent decode --repo "$REPO" --version 110.05.00 log -o /dev/stdout
expect_status 0
expect_out_like 0x20803801

it 'a pipe that nobody reads'
mkfifo "$WORK/fifo"
run sniff --repo "$REPO" --version 110.05.00 -o fifo -- true
expect_cannot 'cannot write fifo: nobody reads it'

it 'a link of another user in a directory like /tmp'
mkdir -m 1777 "$WORK/sticky"
echo mine >"$WORK/mine"
ln -s ../mine "$WORK/sticky/trace"
if chown -h 65534 "$WORK/sticky/trace" 2>/dev/null && chown 1 "$WORK/sticky" 2>/dev/null; then
	run sniff --repo "$REPO" --version 110.05.00 -o sticky/trace -- true
	expect_cannot 'cannot write sticky/trace'
	expect 'the file is as it was' [ "$(cat "$WORK/mine")" = mine ]
fi

done_testing
