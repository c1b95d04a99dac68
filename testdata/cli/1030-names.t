#!/usr/bin/env bash
# The names of the program, and its version, which is in one line of the Makefile.
. "$(dirname "$0")/lib.sh"

version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")

it 'run_differ --help'
run diff --help
sed -e 's/^drvabi diff - /run_differ - /' -e 's/^Usage: drvabi diff /Usage: run_differ /' -e 's/^  drvabi diff /  run_differ /' "$OUT" >"$WORK/help"
run_differ --help
expect_status 0
expect_same 'equals that of drvabi diff, with the name run_differ' "$OUT" "$WORK/help"
expect_out_like '^Usage: run_differ '
expect_out_unlike 'drvabi diff'

it 'errors of run_differ begin with its name'
run_differ
expect_cannot '^drvabi: no base version; give BASE NEXT, BASE\.\.NEXT, or --base and --next \(run_differ --help\)$'
run_differ --recrod x
expect_cannot '^drvabi: there is no option --recrod \(did you mean --record\?\); see run_differ --help$'
run_differ -Z
expect_cannot '^drvabi: there is no option -Z; see run_differ --help$'
expect_err_like '^run_differ: there is no option -Z'

it 'a copy with a different name'
cp "$DRVABI" "$WORK/other"
run_program "$WORK/other" diff
expect_cannot '^drvabi: no base version; give BASE NEXT, BASE\.\.NEXT, or --base and --next \(drvabi diff --help\)$'

it '--version'
run --version
expect_status 0
expect_err_empty
expect 'begins with the name and the version' [ "$(head -n 1 "$OUT")" = "drvabi $version" ]
for library in 'clang version' libgit2 zlib cJSON zstd xxhash; do
	expect_out_like "$library [0-9]+\\.[0-9]+"
done
expect_out_like '^built by   (gcc|clang) [0-9]'
expect 'has at most 80 columns' lib_lacks '.{81}' "$OUT"
tail -n +2 "$OUT" >"$WORK/rest"
run_differ --version
expect_status 0
expect 'run_differ prints its name' [ "$(head -n 1 "$OUT")" = "run_differ (drvabi) $version" ]
tail -n +2 "$OUT" >"$WORK/differ"
expect_same 'the rest is the same' "$WORK/rest" "$WORK/differ"
run verify --version
expect_cannot '^drvabi: --version needs a value: VERSION$'

it 'the version'
run help --man
expect_out_like "^drvabi\\(1\\) \"drvabi $version\" \"drvabi manual\"$"
fixture
run verify --repo "$REPO" --table "$TABLE" --version 110.05.00 --format sarif
expect_json 'in SARIF' ".runs[0].tool.driver.version == \"$version\""
# shellcheck disable=SC2016 # a variable of the inner shell
expect 'is in one place' bash -c 'cd "$1" && ! grep -rnIFw --exclude-dir=build --exclude-dir="build-*" --exclude-dir=.git --exclude=CHANGELOG.md \
	-e "$2" Makefile README.md action.yml docs src scripts data/README.md | grep -v "^Makefile:[0-9]*:VERSION := "' - "$ROOT" "$version"
# shellcheck disable=SC2016 # a field of awk
expect 'is the newest version in the changelog' [ "$(awk '/^## [0-9]/ { print $2; exit }' "$ROOT/CHANGELOG.md")" = "$version" ]

done_testing
