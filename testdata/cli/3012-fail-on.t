#!/usr/bin/env bash
# diff: what is left out by --class is not left out of --fail-on in silence
. "$(dirname "$0")/lib.sh"
fixture

it '--fail-on with classes that --class leaves out'
run diff 110.05.00 120.01.00 --repo "$REPO" --class growth,added --fail-on growth,layout
expect_cannot '^drvabi: --fail-on asks for the class layout, of which --class leaves out changes; name it in both$'

it '--fail-on with classes that --class shows'
run diff 110.05.00 120.01.00 --repo "$REPO" --class layout,added --fail-on layout
expect_status 1
run diff 110.05.00 120.01.00 --repo "$REPO" --class layout,removed --fail-on removed
expect_status 0
done_testing
