#!/usr/bin/env bash
# scripts/check-gen on the demo driver: the code that gen writes has the documents' layouts in each language, and planted faults are found.
. "$(dirname "$0")/../cli/lib.sh"
fixture
[ -z "${DRVABI_SAN-}" ] || skip_all 'the sanitizers do not change the generated code'

export DRVABI GOCACHE=${GOCACHE:-$DRVABI_TEST_DIR/gocache}
mkdir -p "$GOCACHE"

# check ARGUMENT... - run scripts/check-gen
check() {
	STATUS=0
	"$ROOT/scripts/check-gen" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

it 'help'
check --help
expect_status 0
expect_out_like '^usage: check-gen '

it 'two versions and their range'
check --repo "$REPO" 100.10.01 120.01.00
expect_status 0
expect_out_like '^ok: 100\.10\.01, c, x86_64-linux-gnu: 100\.10\.01: 57 records, 199 fields, 0 bit-fields$'
expect_out_like '^ok: range, c, x86_64-linux-gnu: 100\.10\.01: 57 records, 199 fields, 0 bit-fields$'
expect_out_like '^ok: range, python, x86_64-linux-gnu: 120\.01\.00: 63 records, 226 fields, 0 bit-fields$'
expect_out_unlike '^not ok'

it 'planted faults'
check --self-test --repo "$REPO" 120.01.00
expect_status 0
for language in c:gcc python:python3 rust:rustc go:go; do
	tool=${language#*:} language=${language%:*}
	command -v "$tool" >/dev/null || continue
	[ "$language" = go ] || expect_out_like "^ok: $language: the comparison finds a wrong offset$"
	expect_out_like "^ok: $language: $tool reports a wrong size$"
	expect_out_like "^ok: $language: $tool reports a wrong offset$"
done
if compgen -c clang- | grep -qx "clang-$("$ROOT/scripts/install-deps" --llvm)"; then
	expect_out_like '^ok: c: clang[-0-9]* reports a wrong offset'
fi
expect_out_unlike '^not ok'

it 'an unknown version'
check --repo "$REPO" 99.0
expect_status 2

done_testing
