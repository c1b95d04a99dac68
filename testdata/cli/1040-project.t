#!/usr/bin/env bash
# .drvabi.json: how it is found, used, overridden, and ignored if it does not belong to the user
. "$(dirname "$0")/lib.sh"
fixture

cp "$TABLE" "$WORK/table.json"
: >"$WORK/accepted.txt"
above=$(dirname "$WORK")/.drvabi.json

# config TEXT - write the project's file
config() {
	printf '%s\n' "$1" >"$WORK/.drvabi.json"
}

it 'table and repository of the project are used'
config "{\"table\": \"table.json\", \"repo\": \"$REPO\"}"
run DRVABI_REPO= verify --version 110.05.00
expect_status 0
expect_err_like '^drvabi: using table, repo from .*/\.drvabi\.json$'
run DRVABI_REPO= verify --version 110.05.00 -q
expect_err_like '^drvabi: using table, repo from .*/\.drvabi\.json$'
run_differ DRVABI_REPO= 110.05.00 120.01.00 --stat
expect_status 1
expect_err_like '^run_differ: using table, repo from '

it 'the command line and the environment override it'
run DRVABI_REPO= verify --version 110.05.00 --table "$TABLE" --repo "$REPO"
expect_status 0
expect_err_empty
run DRVABI_REPO="$REPO" DRVABI_TABLE="$TABLE" verify --version 110.05.00
expect_status 0
expect_err_empty
run profile show linux-kfd
expect_err_empty
cp "$OUT" "$WORK/kfd.json"
run DRVABI_REPO= surface --profile linux-kfd --repo "$REPO"
expect "a different driver does not use the project's file" lib_lacks 'using' "$ERR"

it 'commands without these options do not read it'
config 'no JSON'
run cache
expect_status 0
run verify --help
expect_status 0

it 'a file that cannot be used'
run verify
expect_cannot '/\.drvabi\.json'
config '{"tables": "table.json"}'
run verify
expect_cannot '/\.drvabi\.json: .*tables: unknown key$'
config '{"table": "table.json", "repo": "https://example.org/x"}'
run verify
expect_cannot '/\.drvabi\.json: repo: .* is not a directory; repo must be a repository on this machine$'

it 'the file cannot be an output'
config '{"table": "table.json"}'
run verify --repo "$REPO" --version 110.05.00 -o .drvabi.json
expect_status 2
expect 'the file is not changed' grep -q '^{"table": "table.json"}$' "$WORK/.drvabi.json"

it 'the search goes up to the root of a repository'
rm "$WORK/.drvabi.json"
echo '{"table": "work/table.json"}' >"$above"
run verify --repo "$REPO" --version 110.05.00
expect_status 0
expect_err_like 'using table from '
mkdir "$WORK/.git"
run verify --repo "$REPO" --version 110.05.00
expect_cannot "verify needs the proxy's table"
rmdir "$WORK/.git"
rm "$above"

it 'a file that does not belong to the user is ignored'
ln -s table.json "$WORK/.drvabi.json"
run verify --repo "$REPO"
expect_status 2
expect_err_like 'note: .*/\.drvabi\.json is ignored: it is a symbolic link$'
rm "$WORK/.drvabi.json"
mkfifo "$WORK/.drvabi.json"
run verify --repo "$REPO"
expect_status 2
expect_err_like 'note: .*/\.drvabi\.json is ignored: it is not a regular file$'
rm "$WORK/.drvabi.json"
config '{"table": "table.json"}'
if chown 12345 "$WORK/.drvabi.json" 2>"$WORK/chown.txt"; then
	run verify --repo "$REPO"
	expect_status 2
	expect_err_like 'note: .*/\.drvabi\.json is ignored: it belongs to another user$'
fi
rm -f "$WORK/.drvabi.json"

it 'suppressions are used only with the table'
config '{"table": "table.json", "suppressions": "accepted.txt"}'
run verify --repo "$REPO" --version 110.05.00
expect_status 0
expect_err_like 'using table, suppressions from'
run verify --repo "$REPO" --version 110.05.00 --table "$TABLE"
expect_err_empty

it "a repository in a project's profile is not cloned"
jq '.name = "mine" | .repository = "https://127.0.0.1:9/x"' "$WORK/kfd.json" >"$WORK/mine.json"
config '{"profile": "mine.json"}'
run DRVABI_REPO= surface
expect_status 2
expect 'nothing is downloaded' lib_lacks '127\.0\.0\.1' "$ERR"
run DRVABI_REPO= surface --profile ./mine.json
expect_err_like '127\.0\.0\.1'
done_testing
