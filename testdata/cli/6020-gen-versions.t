#!/usr/bin/env bash
# drvabi gen --versions: declarations have the version in their name, and never reuse a name of the driver for something else.
. "$(dirname "$0")/lib.sh"

cat >"$WORK/toy.json" <<'JSON'
{"format": "drvabi-profile/1", "name": "toy", "description": "", "repository": null, "constants": [], "roles": [],
 "units": [{"name": "toy", "headers": ["toy.h"], "include": ["."], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc", "ioc": {"known_by": "nr"}}]}
JSON

# tagged REPOSITORY TAG TEXT - add a commit whose toy.h is TEXT
tagged() {
	git init -q "$WORK/$1"
	printf '#include <linux/ioctl.h>\n%s\n' "$3" >"$WORK/$1/toy.h"
	git -C "$WORK/$1" add .
	git -C "$WORK/$1" -c user.name=A -c user.email=a@b commit -q -m "$2"
	git -C "$WORK/$1" tag "$2"
}

# compiles FILE - pass if FILE is valid Go in the format of gofmt
compiles() {
	cp "$1" "$WORK/o.go"
	if command -v go gofmt >/dev/null; then
		expect 'gofmt' [ -z "$(gofmt -l "$WORK/o.go" 2>&1)" ]
		expect 'go vet' env GOCACHE="${GOCACHE:-$DRVABI_TEST_DIR/gocache}" GO111MODULE=off go vet "$WORK/o.go"
	else
		pass 'Go # SKIP Go is not installed'
	fi
}

it 'major versions with any number of digits'
for tags in '1.0 2.0 3.0' '10 20 30' 'v5.11 v5.12 v6.1'; do
	# shellcheck disable=SC2086 # words
	set -- $tags
	tagged "$1" "$1" 'struct s { int a; };'
	tagged "$1" "$2" 'struct s { int a, b; };'
	tagged "$1" "$3" 'struct s { int a, b, c; };'
	run gen --lang go --repo "$1" --profile toy.json --versions .. s
	expect_status 0
	expect "three types for $tags" [ "$(grep -c '^type S' "$OUT")" = 3 ]
	expect_out_like '^// S_Vv?[0-9_]+ is the updated version of S since '
	expect_out_unlike '_V[v0-9_]*_V'
	compiles "$OUT"
done

it 'names of the driver that look like versioned names'
tagged names 1.0 'struct s { int a; };
#define TOY_A _IOW(84, 1, struct s)'
tagged names 2.0 'struct s { int a, b; };
struct s_V2 { long q; };
#define TOY_A _IOW(84, 1, struct s[2])
#define TOY_A_V2 _IOW(84, 2, struct s)'
tagged names 3.0 'struct s { int a, b, c; };
struct s_V2 { long q, r; };
#define TOY_A _IOW(84, 1, struct s[2])
#define TOY_A_V2 _IOW(84, 2, struct s)'
for language in c go; do
	run gen --lang "$language" --repo names --profile toy.json --versions .. '*'
	expect_status 0
	expect_out_is "names.$language"
done
compiles "$OUT"

done_testing
