#!/usr/bin/env bash
# drvabi gen with headers of Linux: flexible, packed and aligned records, and ioctls with scalars, pointers and arrays.
. "$(dirname "$0")/lib.sh"
[ -z "${DRVABI_SAN-}" ] || skip_all 'the generated code is the same with the sanitizers'

export DRVABI GOCACHE=${GOCACHE:-$DRVABI_TEST_DIR/gocache}
mkdir -p "$GOCACHE" "$WORK/uapi"
cp "$ROOT/testdata/cli/c/uapi.h" "$WORK/uapi"
git -C "$WORK/uapi" init -q
git -C "$WORK/uapi" add .
git -C "$WORK/uapi" -c user.name=A -c user.email=a@b commit -q -m 'One header'
git -C "$WORK/uapi" tag 1.0
cat >"$WORK/uapi.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "uapi", "description": "", "repository": null, "constants": [{"name": "X_*"}], "roles": [],
 "units": [{"name": "uapi", "headers": ["uapi.h"], "include": ["."]}],
 "families": [{"name": "x", "source": "ioc", "ioc": {"types": ["x"], "known_by": "nr"}}]}
JSON

# check ARGUMENT... - run scripts/check-gen
check() {
	STATUS=0
	"$ROOT/scripts/check-gen" --repo "$WORK/uapi" --profile "$WORK/uapi.json" "$@" >"$OUT" 2>"$ERR" || STATUS=$?
}

it 'all languages accept the output'
check 1.0
expect_status 0
expect_out_like '^ok: 1\.0, c, x86_64-linux-gnu: 1\.0: 59 records, 113 fields, 20 bit-fields$'
expect_out_like '^ok: 1\.0, python, x86_64-linux-gnu: 1\.0: 59 records, 121 fields, 20 bit-fields$'
expect_out_unlike '^not ok'

it 'a planted fault is found'
check --self-test 1.0
expect_status 0
expect_out_like '^ok: c: gcc reports a wrong offset$'
expect_out_unlike '^not ok'

for language in c rust python go; do
	it "parameters of ioctls, $language"
	run gen --lang "$language" --repo uapi --profile uapi.json 'X_LEN*' X_UL X_CH X_INT X_NONE
	expect_status 0
	expect_out_is "uapi.$language"
done

done_testing
