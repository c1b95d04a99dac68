#!/usr/bin/env bash
# scripts/chance-edits: diff reports each known edit of random pairs of headers.
. "$(dirname "$0")/../cli/lib.sh"

expect 'each known edit is reported, with a fixed seed' "$ROOT/scripts/chance-edits" --seed 23 --count 60
expect 'with a new seed each time' "$ROOT/scripts/chance-edits" --count 200

done_testing
