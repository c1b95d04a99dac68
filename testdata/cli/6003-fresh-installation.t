#!/usr/bin/env bash
# A new, relocated installation without repository, network or cache: its output, and when it clones the repository.
. "$(dirname "$0")/lib.sh"

[ -z "${DRVABI_SAN:-}" ] || skip_all 'the installation is not tested in a build with sanitizers'
fixture

# Uses the build directory and the compiler of the running make: different ones would rebuild objects that other tests use.
build=${DRVABI%/*} lib_command='make install' STATUS=0
CC=$(sed 's/ -.*//' "$build/.flags") make --no-print-directory -C "$ROOT" B="${build#"$ROOT"/}" DESTDIR="$WORK/staged" PREFIX=/opt/drvabi install >"$OUT" 2>"$ERR" || STATUS=$?
it 'make install'
expect_status 0
expect_out_unlike '^  (CC|LD) '
mv "$WORK/staged/opt/drvabi" "$WORK/moved"
rm -rf "$WORK/staged"

# fresh_run NAME ARGUMENT... - run the installed program under one of its names, without environment variables
fresh_run() {
	local name=$1
	shift
	run_program "$WORK/moved/bin/$name" DRVABI_REPO= XDG_DATA_DIRS=/nonexistent "$@"
}

# expect_no_clone - pass if nothing was cloned or cached
expect_no_clone() {
	expect 'the cache is empty' [ ! -e "$WORK/cache" ]
}

it 'a diff'
fresh_run run_differ --base 570.133.20 --next 575.51.02 --record '*DRAM_ENCRYPTION*' --format json
expect_status 1
expect_err_empty
expect_json 'finds the commands with new numbers' '[.changes[] | select(.classes | index("number"))] | length == 2'
keep fresh.json
run_differ --archive "$ROOT/data/nvidia.drvabi" --base 570.133.20 --next 575.51.02 --record '*DRAM_ENCRYPTION*' --format json
expect_same 'is the same as with --archive' "$OUT" "$WORK/fresh.json"

it 'a number'
fresh_run drvabi show 0x20800110
expect_status 0
expect_err_empty
expect_out_like 'NV2080_CTRL_CMD_GPU_GET_NAME_STRING'
fresh_run drvabi show 0x20800110 --version 550.54.14
expect_out_like '^nvidia 550\.54\.14, x86_64-linux-gnu'

it 'all versions'
fresh_run drvabi history NVOS54_PARAMETERS
expect_status 0
expect_err_empty
fresh_run drvabi blame NVOS54_PARAMETERS
expect_status 0
fresh_run drvabi archive list --format json
expect_json 'are those of the archive' '.versions | length == 193'
expect_json 'no repository is read' '.beyond == null'
fresh_run drvabi ranges --table "$TABLE" --format json
expect_err_empty

it 'a proxy with nodes that are not in the data'
jq '.versions[0].version = "550.54.14" | .versions[0].supported = true | .versions[1:] = [{version: "999.10", parent: "550.54.14", supported: true}]' "$TABLE" >"$WORK/table.json"
fresh_run drvabi verify --table table.json --format json
expect_err_empty
expect_json 'is checked at the versions that exist' '[.versions[] | select(.status != "unavailable").version] == ["550.54.14"]'
expect_json 'the message names the archive for the others' '[.versions[] | select(.status == "unavailable") | .version, .reason]
	== ["999.10", "not in the data (as of 2026-03-13)"]'

it 'a different target'
fresh_run drvabi extract --target aarch64-linux-gnu 590.48.01
expect_status 0
expect_json 'is in the archive' '.target == "aarch64-linux-gnu"'
expect_no_clone

it 'a version that is not in the data'
for version in 590.48.02 590.49 59 v590.48.01 550.54.41 mian; do
	fresh_run drvabi extract "$version"
	expect_cannot "^drvabi: no version $version.*; nearest: "
done
newest=$("$DRVABI" archive list "$ROOT/data/nvidia.drvabi" | awk '/^580\./ { newest = $1 } END { print newest }')
fresh_run run_differ --base 580 --next 590.48.01
expect_cannot "^drvabi: 580 is ambiguous: [0-9]* versions begin with it: 580\..* up to ${newest//./\\.}; choose one of them$"
fresh_run run_differ --base 550.54.14 --next 590.48.02
expect_cannot '^drvabi: no version 590\.48\.02 in .*/moved/share/drvabi/nvidia\.drvabi \(as of 2026-03-13\); nearest: .*590\.48\.01'
expect_no_clone

it 'a commit of a version in the archive'
commit=$("$DRVABI" archive list "$ROOT/data/nvidia.drvabi" --format json | jq -r '.versions[] | select(.version == "590.48.01").commit')
fresh_run drvabi extract "$commit"
expect_status 0
expect_json 'has the version' '.version == "590.48.01"'
expect_no_clone

# The same for a driver with a local public repository: the demo driver, with an archive of its older versions.
cp -r "$REPO" "$WORK/public.git"
jq --arg url "file://$WORK/public.git" '.repository = $url | .name = "demo"' "$ROOT/src/extract/profiles/nvidia.json" >"$WORK/demo.json"
git clone -q --bare "$REPO" "$WORK/early.git"
git_in early.git tag -d 120.01.00 >/dev/null
run archive write --no-cache --profile ./demo.json --repo early.git -o demo.drvabi
mv "$WORK/demo.drvabi" "$WORK/moved/share/drvabi/demo.drvabi"

it "the archive's versions"
fresh_run drvabi extract --profile ./demo.json
expect_json 'the newest is used by default' '.version == "110.05.00"'
for version in 100.10.01 110.05.00; do
	fresh_run drvabi extract --profile ./demo.json "$version"
	expect_status 0
done
for version in 110.04.99 100.30 105.01.01; do
	fresh_run drvabi extract --profile ./demo.json "$version"
	expect_cannot "^drvabi: no version ${version//./\\.} in .*; nearest: "
done
expect_no_clone

# wants_clone VERSION JQ-FILTER - pass if extract clones the repository, and the filter is true for the document
wants_clone() {
	rm -rf "$WORK/cache"
	fresh_run drvabi extract --profile ./demo.json "$1"
	expect_status 0
	expect_err_empty
	expect_json 'the version is found' "$2"
	expect 'in a clone' [ -d "$WORK/cache/drvabi/repos" ]
	cp "$OUT" "$WORK/fresh.json"
	run extract --no-archive --no-cache --profile ./demo.json --repo "$REPO" "$1"
	expect_same 'the document is the same as from the repository' "$OUT" "$WORK/fresh.json"
}

it 'a newer version'
wants_clone 120.01.00 '.version == "120.01.00"'
it 'a branch'
wants_clone main '.version == "main"'
wants_clone release/100 '.version == "release/100"'
it 'a commit'
wants_clone "$(git --git-dir="$REPO" rev-parse --short=10 '120.01.00^{commit}')" '.version == "120.01.00"'
fresh_run drvabi archive list --profile ./demo.json --format json
expect_json 'history lists the versions that the archive does not have' '.beyond == ["120.01.00"]'

it 'archive write --add with the public repository'
cp "$WORK/moved/share/drvabi/demo.drvabi" "$WORK/own.drvabi"
fresh_run drvabi archive write --profile ./demo.json --add own.drvabi
expect_status 0
expect_out_like '^added 120\.01\.00$'
git_in public.git tag 130.01.00 main
fresh_run drvabi archive write --profile ./demo.json --add own.drvabi
expect_status 0
expect_err_empty
expect 'fetches releases that are newer than the clone' grep -qx 'added 130\.01\.00' "$OUT"
git_in public.git tag -d 130.01.00 >/dev/null

it 'a branch at a commit of a version in the archive'
rm -rf "$WORK/cache"
fresh_run drvabi extract --profile ./demo.json release/100
expect 'is read from the archive' [ ! -e "$WORK/cache/drvabi/documents" ]

it 'a newer archive'
rm -rf "$WORK/cache"
mkdir -p "$WORK/home/.local/share/drvabi" "$WORK/data/drvabi"
run archive write --profile ./demo.json --repo "$REPO" -o newer.drvabi
cp "$WORK/newer.drvabi" "$WORK/home/.local/share/drvabi/demo.drvabi"
fresh_run drvabi extract --profile ./demo.json
expect_json 'is used if it is in the home directory' '.version == "120.01.00"'
head -c 1000 "$WORK/newer.drvabi" >"$WORK/data/drvabi/demo.drvabi"
fresh_run drvabi XDG_DATA_HOME="$WORK/data" extract --profile ./demo.json
expect_status 0
expect_one_line_error '^drvabi: .*/data/drvabi/demo\.drvabi: the archive is truncated, or data follows it; download or write it again; it is not used$'
expect_json 'is skipped if it is damaged' '.version == "110.05.00"'
cp "$ROOT/data/nvidia.drvabi" "$WORK/data/drvabi/demo.drvabi"
fresh_run drvabi XDG_DATA_HOME="$WORK/data" extract --profile ./demo.json
expect_err_empty
expect_json 'is skipped if it is of a different profile' '.version == "110.05.00"'
fresh_run drvabi XDG_DATA_HOME="$WORK/data" extract -v --profile ./demo.json
expect_err_like '^drvabi: not used: .*/data/drvabi/demo\.drvabi is for the driver nvidia, not for demo'

it 'no archive'
rm -rf "$WORK/cache" "$WORK/home/.local"
fresh_run drvabi extract --no-archive --profile ./demo.json 110.05.00
expect_status 0
expect 'the repository is cloned' [ -d "$WORK/cache/drvabi/repos" ]
fresh_run drvabi extract --no-archive --profile ./demo.json
expect_json 'the newest version of the clone is used' '.version == "120.01.00"'

done_testing
