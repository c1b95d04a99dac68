#!/bin/sh
# hard.t - documents of headers that are hard to parse (TAP, for prove)
#
# Each header has one topic. The expected document is TOPIC.json, or TOPIC.TARGET.json if the targets differ. UPDATE_GOLDEN=1 rewrites them.
# DRVABI is the path of the program; the default is drvabi.
set -eu
cd "$(dirname "$0")"
drvabi=${DRVABI:-drvabi}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

topics='arrays bit-fields empty enums flexible includes macros packed pointers scalars shared-names targets two-units
	typedefs unnamed-arrays unnamed-members'
targets='x86_64-linux-gnu aarch64-linux-gnu'

# profile TOPIC - write the profile of a topic; two-units has a second unit
profile() {
	sed "s/TOPIC/$1/" profile.json > "$tmp/profile.json"
	[ "$1" = two-units ] || return 0
	sed 's|{"name": "one".*|&, {"name": "other", "headers": ["two-units-other.h"], "include": ["."]}|' \
		"$tmp/profile.json" > "$tmp/two.json"
	mv "$tmp/two.json" "$tmp/profile.json"
}

# expected TOPIC TARGET - print the name of the file with the expected document
expected() {
	if [ -e "$1.$2.json" ] || { [ -n "${UPDATE_GOLDEN-}" ] && [ "$1" = targets ]; }; then
		echo "$1.$2.json"
	else
		echo "$1.json"
	fi
}

check() {
	profile "$1"
	"$drvabi" extract -q --dir . --profile "$tmp/profile.json" --target "$2" -o "$tmp/out.json" &&
		sed '/^ "version":/d; /^ "target":/d' "$tmp/out.json" > "$tmp/got.json" || return 1
	[ -z "${UPDATE_GOLDEN-}" ] || cp "$tmp/got.json" "$(expected "$1" "$2")"
	diff -u "$(expected "$1" "$2")" "$tmp/got.json" > "$tmp/diff"
}

number=0
for topic in $topics; do
	for target in $targets; do
		number=$((number + 1))
		: > "$tmp/diff"
		if check "$topic" "$target"; then
			echo "ok $number - $topic, $target"
		else
			echo "not ok $number - $topic, $target"
			sed 's/^/# /' "$tmp/diff"
		fi
	done
done
echo "1..$number"
