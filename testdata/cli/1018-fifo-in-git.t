#!/usr/bin/env bash
# Files that would make drvabi wait forever, or use a wrong file, cause a message.
. "$(dirname "$0")/lib.sh"
fixture

# reads REPO - read the repository with a time limit, and set $status
reads() {
	status=0
	timeout 20 "$DRVABI" extract --no-archive --no-cache --repo "$1" 110.05.00 >"$WORK/out" 2>"$WORK/err" || status=$?
}
# refuses REPO FILE - pass if the error names FILE
refuses() {
	reads "$1"
	expect "$2 is an error" [ "$status" = 2 ]
	expect "$2 is named" grep -q "$2 is a FIFO or a device" "$WORK/err"
}
# again - create a bare clone in $WORK/copy
again() {
	rm -rf "$WORK/copy"
	git clone -q --bare "$REPO" "$WORK/copy"
}

it 'a FIFO in a repository'
for name in packed-refs config refs/tags/100.99.99 objects/info/alternates objects/ab/cdef0123 hooks/pipe; do
	again
	mkdir -p "$WORK/copy/${name%/*}" 2>/dev/null || true
	rm -rf "${WORK:?}/copy/$name"
	mkfifo "$WORK/copy/$name"
	refuses "$WORK/copy" "copy/$name"
done

it 'a FIFO at a link to a directory; a loop of links is accepted'
again
ln -s .. "$WORK/copy/refs/up"
ln -s . "$WORK/copy/refs/same"
reads "$WORK/copy"
expect 'a loop is accepted' [ "$status" = 0 ]
mkdir "$WORK/elsewhere"
mkfifo "$WORK/elsewhere/pipe"
ln -s "$WORK/elsewhere" "$WORK/copy/refs/tags/link"
refuses "$WORK/copy" copy/refs/tags/link/pipe

it 'a FIFO in the object directory of an alternate repository'
git clone -q --bare "$REPO" "$WORK/first"
git clone -q --bare "$REPO" "$WORK/second"
echo "$WORK/second/objects" >"$WORK/first/objects/info/alternates"
again
printf '# borrowed\n../../first/objects\n' >"$WORK/copy/objects/info/alternates"
reads "$WORK/copy"
expect 'without a FIFO, the repository is read' [ "$status" = 0 ]
mkfifo "$WORK/second/objects/info/alternates"
refuses "$WORK/copy" second/objects/info/alternates
rm "$WORK/second/objects/info/alternates"
mkfifo "$WORK/second/objects/pack/pack-0123.idx"
refuses "$WORK/copy" second/objects/pack/pack-0123.idx
echo second/objects >"$WORK/copy/objects/info/alternates" # relative to the working directory
cd "$WORK"
refuses "$WORK/copy" second/objects/pack/pack-0123.idx
mkdir "$WORK/loop" "$WORK/loop/info"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "$WORK/loop"; done >"$WORK/loop/info/alternates"
cp "$WORK/loop/info/alternates" "$WORK/copy/objects/info/alternates"
reads "$WORK/copy"
expect 'a loop of alternates is accepted' [ "$status" = 0 ]

it 'a FIFO in a linked worktree'
rm -rf "$WORK/main" "$WORK/linked"
git clone -q "$REPO" "$WORK/main"
git -C "$WORK/main" worktree add -q "$WORK/linked" 110.05.00 2>/dev/null
reads "$WORK/linked/src"
expect 'without a FIFO, the repository is read' [ "$status" = 0 ]
for name in config packed-refs worktrees/linked/HEAD refs/tags/pipe worktrees/linked/refs/pipe; do
	file=$WORK/main/.git/$name
	mkdir -p "${file%/*}"
	[ ! -e "$file" ] || mv "$file" "$WORK/saved"
	mkfifo "$file"
	reads "$WORK/linked"
	expect "$name is an error" [ "$status" = 2 ]
	rm "$file"
	[ ! -e "$WORK/saved" ] || mv "$WORK/saved" "$file"
done
rm "$WORK/linked/.git"
mkfifo "$WORK/linked/.git"
reads "$WORK/linked"
expect '.git itself is an error' [ "$status" = 2 ]

it "a FIFO that the repository's configuration includes"
mkfifo "$WORK/pipe"
printf '[include]\n\tpath = %s/pipe\n' "$WORK" >"$WORK/nested"
while IFS= read -r text; do
	again
	printf "$text" | sed "s|@|$WORK|" >>"$WORK/copy/config"
	HOME=$WORK refuses "$WORK/copy" pipe
done <<'EOF'
[include]\n\tpath = @/pipe\n
[include] PATH=@/pipe
[include]\n\tx = a\\\nb\n\tpath = "@/pi"pe # a comment\n
[include]\n\tpath = @/pi\\\n# a comment\npe\n
[include]\n\tpath = ../pipe\r\n
[include]\n\tpath = ~/pipe\n
[includeIf "gitdir:**"]\n\tpath = @/pipe\n
[includeIf "gitdir:\"]**"]\n\tpath = @/pipe\n
[includeIf "onbranch:m*"]path=@/pipe
[include]\n\tpath = @/nested\n
EOF
again
printf '[include]\n\tpath = /dev/tty\n' >>"$WORK/copy/config"
refuses "$WORK/copy" /dev/tty
again
printf '[remote "pipe"]\n\tpath = %s/pipe\n# path = %s/pipe\n[include]\n\tpath = nowhere\n\tpath = ../x.d\n\tpath = description\n' "$WORK" "$WORK" >>"$WORK/copy/config"
: >"$WORK/copy/description"
reads "$WORK/copy"
expect 'without a FIFO, the repository is read' [ "$status" = 0 ]

it 'a configuration that includes too many files'
again
for i in 0 1 2 3 4 5 6 7 8; do
	echo '[include]'
	for j in 1 2 3 4 5 6 7 8 9 10; do printf '\tpath = %s\n' "$WORK/level$((i + 1))"; done
done >"$WORK/all"
for i in 1 2 3 4 5 6 7 8; do sed -n "$((i * 11 + 1)),$((i * 11 + 11))p" "$WORK/all" >"$WORK/level$i"; done
sed -n 1,11p "$WORK/all" >>"$WORK/copy/config"
reads "$WORK/copy"
expect 'is an error' [ "$status" = 2 ]
expect 'with a message' grep -q 'includes more than 1000 files' "$WORK/err"

it 'a file with the name of an included table'
cp "$ROOT/data/nvproxy.json" "$WORK/nvproxy"
run verify --table nvproxy --version 595.44.03
expect 'is used, with a note' grep -q 'note: the file nvproxy is used as the table, not the included table .*nvproxy.json' "$ERR"

it 'without /proc, the included archive is found'
# The sanitizers read their options and the threads in /proc, so a build with sanitizers does not run without it.
if [ -z "${DRVABI_SAN:-}" ] && unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	status=0
	(cd "$WORK" && env -i PATH="$PATH" HOME="$WORK/home" unshare -m sh -c 'mount -t tmpfs none /proc && exec "$0" show --version 595.44.03 NVOS21_PARAMETERS' "$DRVABI") \
		>"$WORK/out" 2>"$WORK/err" || status=$?
	expect 'is found' [ "$status" = 0 ]
fi

it 'a small stack limit is raised, or causes an error'
status=0
(ulimit -Ss 64 && exec "$DRVABI" extract --no-archive --no-cache --repo "$REPO" 110.05.00) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'is raised' [ "$status" = 0 ]
status=0
(ulimit -Ss 64 && ulimit -Hs 64 && exec "$DRVABI" --version) >"$WORK/out" 2>"$WORK/err" || status=$?
expect 'is an error' [ "$status" = 2 ]
expect 'with a message' grep -q 'the stack limit is 64 KB' "$WORK/err"

done_testing
