#!/usr/bin/env bash
# lib.sh distinguishes this machine's paths from names that only look like them, wherever the checkout is.
. "$(dirname "$0")/lib.sh"

# settled ROOT TEXT WANTED - lib_settled writes WANTED for TEXT. If they differ, TEXT has a path of the checkout ROOT.
settled() {
	local ROOT=$1 said
	said=$(printf '%s\n' "$2" | lib_settled)
	expect "'$2' becomes '$3'" [ "$said" = "$3" ]
	printf '%s\n' "$2" >"$OUT"
	if [ "$2" = "$3" ]; then
		expect_no_path "'$2'" "$OUT"
	else
		expect "a path is found in '$2'" lib_finds_path "$OUT"
	fi
}

lib_finds_path() {
	! lib_has_no_path "$1"
}

it 'a checkout at /src'
for text in src/nvidia/src/kernel/rmapi/control.c:12 kernel-open/src 'in ../src/x.h' a.b/src/ a-b/src/c a_/src /srcs/a /src-2/a; do
	settled /src "$text" "$text"
done
settled /src '/src/build/demo.git' 'ROOT/build/demo.git'
settled /src 'at /src' 'at ROOT'
settled /src '"source": "/src/src/extract/profiles/nvidia.json:1"' '"source": "ROOT/src/extract/profiles/nvidia.json:1"'
settled /src 'cc -I/src/include -isystem /src:/src/a "/src".' 'cc -IROOT/include -isystem ROOT:ROOT/a "ROOT".'
settled /src 'file:///src/a --repo=/src (/src)' 'file://ROOT/a --repo=ROOT (ROOT)'

it 'a checkout whose name has characters with a meaning in regular expressions'
settled '/home/a b/c++ (1) [x]|~' "x '/home/a b/c++ (1) [x]|~/build'" "x 'ROOT/build'"
settled /home/a.b /home/axb/c /home/axb/c

it 'the paths of this checkout, repository and test'
for path in "$ROOT" "$REPO" "$WORK" "$lib_scratch/out"; do
	printf 'src/nvidia/inc/a.h\nread %s/src/a.h\n' "$path" >"$OUT"
	expect 'is found' lib_finds_path "$OUT"
done

done_testing
