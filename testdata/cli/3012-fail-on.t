#!/usr/bin/env bash
# diff: --fail-on does not silently ignore classes that --class omits
. "$(dirname "$0")/lib.sh"
fixture

it '--fail-on with classes that --class omits'
run diff 110.05.00 120.01.00 --repo "$REPO" --class growth,added --fail-on growth,layout
expect_cannot '^drvabi: --fail-on names the class layout, whose changes --class leaves out; name it in both$'

it '--fail-on with classes that --class shows'
run diff 110.05.00 120.01.00 --repo "$REPO" --class layout,added --fail-on layout
expect_status 1
run diff 110.05.00 120.01.00 --repo "$REPO" --class layout,removed --fail-on removed
expect_status 0

it 'groups of the report, with a table'
run diff 110.05.00 120.01.00 --repo "$REPO" --table "$TABLE" --fail-on read --stat
expect_status 1
expect_out_like 'names or reads, and may have to adapt to: [1-9]'
expect 'no change is printed' test "$(grep -c 'struct' "$OUT")" = 0
run diff 100.10.01 100.20.02 --repo "$REPO" --table "$TABLE" --fail-on handler
expect_status 0
run diff 110.05.00 120.01.00 --repo "$REPO" --fail-on read
expect_cannot '^drvabi: --fail-on read depends on what a proxy forwards; give the table of the proxy with --table FILE$'
run diff 110.05.00 120.01.00 --repo "$REPO" --table "$TABLE" --fail-on reads
expect_cannot "'reads' is not a class of changes or group of the report; use translation, .*, read, handler, unread\$"

it 'versions as an option'
run diff --versions 110.05.00..120.01.00 --repo "$REPO" --stat
expect_status 1
run diff --versions 110.05.00,120.01.00 --repo "$REPO" --stat
expect_status 1
expect_out_like '110\.05\.00 -> 120\.01\.00'

it '--stat prints only counts'
run diff 110.05.00 120.01.00 --repo "$REPO" --stat
expect_status 1
expect 'has a line for each kind' grep -Eq '^  record +[0-9]+ changed +[0-9]+ added +[0-9]+ removed$' "$OUT"
expect 'has no changes' test "$(wc -l <"$OUT")" -le 6
run diff 110.05.00 120.01.00 --repo "$REPO" --stat --format json
expect_cannot '^drvabi: --stat is for --format text, not for json$'
done_testing
