#!/usr/bin/env bash
# What drvabi cache shows, prunes and clears.
. "$(dirname "$0")/lib.sh"
fixture

it 'an empty cache is no error'
run cache
expect_status 0
expect_out_like 'documents +0 '

it 'a run leaves its documents'
run diff --repo "$REPO" 100.10.01 110.05.00
expect_status 1
run cache show
expect_status 0
expect_out_like 'documents +2 .* 0 damaged, 0 left over'

it 'a damaged document is counted, and pruned'
for document in "$WORK"/cache/drvabi/documents/*; do
	printf 'x' >>"$document"
	break
done
run cache
expect_out_like 'documents +2 .* 1 damaged'
run cache prune
expect_status 0
run cache
expect_out_like 'documents +1 .* 0 damaged'

it 'clear leaves nothing'
run cache clear
expect_status 0
run cache
expect_out_like 'documents +0 '

it 'what cache cannot do is refused'
run cache polish
expect_cannot 'show, prune or clear'

done_testing
