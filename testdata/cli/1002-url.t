#!/usr/bin/env bash
# A repository with a URL is cloned once, and fetched again only for a version that the clone does not have.
. "$(dirname "$0")/lib.sh"
fixture

# clones - list the repositories in the cache
clones() {
	find "$WORK/cache/drvabi/repos" -mindepth 1 -maxdepth 1 -type d 2>/dev/null
}

# tag_new VERSION - add a commit and a tag to the repository at the URL
tag_new() {
	local commit
	commit=$(git_in far.git commit-tree -p main -m "$1" 'main^{tree}')
	git_in far.git update-ref refs/heads/main "$commit"
	git_in far.git tag "$1" "$commit"
}

cp -r "$REPO" "$WORK/far.git"
url=file://$WORK/far.git

it 'a version that the repository does not have'
run show TOY_NOTHING --version 999.99 --repo "$url"
expect_cannot '^drvabi: file://.* has no tag or branch 999\.99$'
expect 'nothing is cloned' [ "$(clones | wc -l)" = 0 ]

it 'the first use'
run extract --repo "$REPO" 110.05.00
keep near.json
run extract --repo "$url" 110.05.00
expect_status 0
expect_err_empty
expect_same 'gives the same document as the repository itself' "$OUT" "$WORK/near.json"
expect 'one clone is created' [ "$(clones | wc -l)" = 1 ]
expect 'the clone is bare' [ -e "$(clones)/HEAD" ]

it 'the second use'
mv "$WORK/far.git" "$WORK/gone.git"
run extract --no-cache --repo "$url" 110.05.00
expect_status 0
expect_same 'needs no network' "$OUT" "$WORK/near.json"
run_differ --repo "$url" --base 100.10.01 --next main
expect_status 1
expect_err_empty

it 'a version that the clone does not have'
run extract --repo "$url" 130.01.00
expect_cannot '^drvabi: no version 130\.01\.00 in the existing clone of file://.*/far\.git: cannot fetch .*'
mv "$WORK/gone.git" "$WORK/far.git"
run extract --repo "$url" 130.01.00
expect_cannot '^drvabi: no version 130\.01\.00 in file://.*/far\.git; nearest: '
tag_new 130.01.00
run extract --repo "$url" 130.01.00
expect_status 0
expect_err_empty
expect_json 'is fetched' '.version == "130.01.00"'
expect 'no second clone is created' [ "$(clones | wc -l)" = 1 ]

it 'fetched versions are kept'
mv "$WORK/far.git" "$WORK/gone.git"
run extract --no-cache --repo "$url" 130.01.00
expect_status 0
mv "$WORK/gone.git" "$WORK/far.git"

it 'a damaged clone'
for clone in $(clones); do
	rm -rf "$clone/objects" "$clone/HEAD"
done
run extract --no-cache --repo "$url" 110.05.00
expect_cannot '^drvabi: the clone of file://.*/far\.git in .* is damaged; remove that directory to have it cloned again$'
clones | xargs rm -rf
run extract --no-cache --repo "$url" 110.05.00
expect_status 0

it 'runs that are killed while they clone'
fresh
cp -r "$REPO" "$WORK/far.git"
for delay in 0.005 0.01 0.02 0.04 0.08; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" extract --repo "$url" 110.05.00
	) >/dev/null 2>&1 &
	sleep "$delay"
	kill -9 $! 2>/dev/null || true
	wait $! 2>/dev/null || true
done
mkdir -p "$WORK/cache/drvabi/repos"
: >"$WORK/cache/drvabi/repos/stray"
run extract --repo "$url" 110.05.00
expect_status 0
run extract --repo "$REPO" 110.05.00
keep near.json
run extract --no-cache --repo "$url" 110.05.00
expect_same 'do not affect later runs' "$OUT" "$WORK/near.json"

it 'several first uses at once'
rm -rf "$WORK/cache"
pids=
for i in 1 2 3 4; do
	(
		cd "$WORK"
		exec env -i PATH="$PATH" LSAN_OPTIONS="$LSAN" XDG_CACHE_HOME="$WORK/cache" "$DRVABI" extract --repo "$url" 110.05.00
	) >"$lib_scratch/several.$i" 2>"$ERR" &
	pids="$pids $!"
done
for pid in $pids; do
	expect 'the run succeeds' wait "$pid"
done
for i in 1 2 3 4; do
	expect_same 'the result is the same' "$lib_scratch/several.$i" "$WORK/near.json"
done
expect 'only one clone is created' [ "$(clones | wc -l)" = 1 ]

it 'a URL that does not exist'
rm -rf "$WORK/cache"
run extract --repo file:///nonexistent/driver.git 1
expect_cannot '^drvabi: cannot clone file:///nonexistent/driver\.git: .*; check the URL and the network, or clone it with git'
expect 'the cache has no rest of the clone' [ -z "$(clones)" ]
run extract --repo nosuch://example.org/driver.git 1
expect_cannot '^drvabi: .*nosuch://example\.org/driver\.git'

it 'a secret in a URL is not shown or stored'
rm -rf "$WORK/cache"
# told_nowhere URL - pass if the run fails, and the secret is not in a message, a file or a file name
told_nowhere() {
	run extract --repo "$1" 1
	expect_cannot '^drvabi: '
	expect 'the secret is not in a message' lib_lacks SEC "$ERR"
	expect 'the secret is not in a file name' lib_lacks SEC <(find "$WORK")
	expect 'the secret is not in a file' lib_no_file_has SEC "$WORK/cache"
}

lib_no_file_has() {
	mkdir -p "$2"
	! grep -r -- "$1" "$2"
}

for url in file://user:SECRET@nonexistent/driver.git https://user:SECRET@localhost:1/driver.git https://SECRET@localhost:1/driver.git \
	'https://localhost:1/driver.git?private_token=SECRET' 'https://localhost:1/driver.git#SECRET' https://user:SEC%2FRET@localhost:1/driver.git \
	https://user:SEC/RET@localhost:1/driver.git 'https://user:SECRET@[::1/driver.git' ssh://git:SECRET@localhost:1/driver.git \
	https://localhost:1/b:SECRET@localhost:1/driver.git https://u/b:pw@SECRET@localhost:1/driver.git me@localhost:SECRET@localhost:driver.git \
	user:SECRET@localhost:driver.git https:/user:SECRET@localhost/driver.git 'localhost/driver.git?token=SECRET' nosuch://SECRET@localhost/x; do
	told_nowhere "$url"
done
run extract --repo "$REPO" https://user:SECRET@localhost/driver.git
expect_cannot '^drvabi: https://\*\*\*@localhost/driver\.git is a URL, not a version; give a repository with --repo$'

it 'a secret that would be sent unencrypted'
rm -rf "$WORK/cache"
for url in http://user:SECRET@localhost:1/driver.git http://SECRET@localhost:1/driver.git git://SECRET@localhost:1/driver.git \
	'http://localhost:1/driver.git?private_token=SECRET' HTTP://user:SECRET@localhost:1/driver.git; do
	told_nowhere "$url"
	expect_one_line_error 'would send a password or token unencrypted; use https://$'
	expect 'nothing is created' [ ! -e "$WORK/cache/drvabi/repos" ]
done
printf '[url "http://user:SECRET@localhost:1/"]\n\tinsteadOf = https://localhost:1/\n' >"$WORK/.gitconfig"
run HOME="$WORK" extract --repo https://localhost:1/driver.git 1
expect_cannot '^drvabi: http://\*\*\*@localhost:1/driver\.git would send a password'
printf '[url "https://user:SECRET@localhost:1/"]\n\tinsteadOf = https://localhost:1/\n' >"$WORK/.gitconfig"
run HOME="$WORK" extract --repo https://localhost:1/driver.git 1
expect_cannot '^drvabi: cannot clone https://localhost:1/driver\.git: '
expect 'the secret is not in a message' lib_lacks SEC "$ERR"
rm "$WORK/.gitconfig"

it 'a URL that is sent unencrypted'
run extract --repo http://localhost:1/driver.git 1
expect_cannot '^drvabi: cannot clone http://localhost:1/driver\.git: .*, use https:// '
run extract --repo git://localhost:1/driver.git 1
expect_cannot '^drvabi: cannot clone git://localhost:1/driver\.git: .*, use https:// '

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
git -c safe.directory='*' daemon --listen=127.0.0.1 --port="$port" --base-path="$WORK" --export-all --reuseaddr >/dev/null 2>&1 &
server=$!
served=git://127.0.0.1:$port/far.git
for _ in $(seq 100); do
	! git ls-remote -q "$served" >/dev/null 2>&1 || break
	sleep 0.1
done
run extract --repo "$served" 110.05.00
expect_status 0
expect_same 'is read' "$OUT" "$WORK/near.json"
expect 'there is one warning' [ "$(grep -c '' "$ERR")" = 1 ]
expect_err_like '^drvabi: warning: git://127\.0\.0\.1:[0-9]*/far\.git was downloaded over a connection that others can read and change; use https:// '
run extract --no-cache --repo "$served" 110.05.00
expect_status 0
expect_err_empty
kill "$server"
wait "$server" 2>/dev/null || true

it 'a slow download'
cp -r "$REPO" "$WORK/large.git"
{
	echo 'commit refs/heads/large'
	echo 'committer A <a@example.org> 1 +0000'
	echo 'data 0'
	seq 10000 | sed 's/.*/M 644 inline &\ndata <<end\n&\nend/'
} | git_in large.git fast-import --quiet
run extract --repo "file://$WORK/large.git" 110.05.00
expect_status 0
expect_err_like '^drvabi: note: downloading [0-9]+ objects of the driver.s repository; drvabi cache shows where they are kept$'
run extract --quiet --no-cache --repo "file://$WORK/large.git" 110.05.00
expect_err_empty

it 'a cache that cannot be written'
url=file://$WORK/far.git
run XDG_CACHE_HOME=/dev/null/cache extract --repo "$url" 110.05.00
expect_cannot '^drvabi: cannot make directory /dev/null'
run XDG_CACHE_HOME= HOME= extract --no-cache --repo "$url" 110.05.00
expect_cannot '^drvabi: no place to keep a clone of file://.*: set XDG_CACHE_HOME or HOME, or clone it with git'

done_testing
