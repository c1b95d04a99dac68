#!/usr/bin/env bash
# All records of a release, and the types of nvproxy's table, in Go: the Go compiler gives them the layouts of the document and the table.
. "$(dirname "$0")/../cli/lib.sh"
command -v go >/dev/null || skip_all 'Go is not installed'
go list structs >/dev/null 2>&1 || skip_all 'Go is older than 1.23, so it has no package structs'
[ -z "${DRVABI_SAN-}" ] || skip_all 'the sanitizers do not change the generated code'

export DRVABI GOCACHE=${GOCACHE:-$DRVABI_TEST_DIR/gocache}
mkdir -p "$GOCACHE"
STATUS=0
"$ROOT/scripts/check-gen-go" --table "$ROOT/data/nvproxy.json" 590.48.01 >"$OUT" 2>"$ERR" || STATUS=$?

it 'scripts/check-gen-go'
expect_status 0
expect_out_like '^ok: 590\.48\.01: 3232 records, '
expect_out_like '^ok: 590\.48\.01-nvproxy: 3232 records, '
expect_out_like '^ok: plain: [0-9]+ types, '
expect_out_like '^ok: nvproxy: a wrong size does not compile$'
expect_out_like '^ok: nvproxy: a wrong offset does not compile$'
expect_out_unlike '^not ok'

done_testing
