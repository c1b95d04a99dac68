#!/usr/bin/env bash
# Control characters and markup in names of tags and documents are escaped in every format and on standard error.
. "$(dirname "$0")/lib.sh"
fixture

# Tags that git allows. The second begins with the right-to-left override.
tag='110.05<img/src=x/onerror=a><!--' turned=$'1.0\342\200\256gpj' mention='@everyone' link='1.0(http' issue='#17' id='deadbeef'
git clone -q --bare "$REPO" "$WORK/repo"
for name in "$tag" "$turned" "$mention" "$link" "$issue" "$id"; do
	expect "git takes the tag" git --git-dir="$WORK/repo" tag "$name" '110.05.00^{}'
done

# Control characters of ASCII and C1, and marks of direction, as bytes.
signs=$'\033|\302[\200-\237]|\342\200[\216\217\250-\256]|\342\201[\246-\251]|\r'

# harmless - pass if the output and errors of the last run have no control characters
harmless() {
	# shellcheck disable=SC2016 # variables of the inner shell
	expect 'standard output has no control characters' env LC_ALL=C bash -c '! grep -aEn -- "$1" "$2"' - "$signs" "$OUT"
	# shellcheck disable=SC2016
	expect 'standard error has no control characters' env LC_ALL=C bash -c '! grep -aEn -- "$1" "$2"' - "$signs" "$ERR"
}

it 'a tag with HTML, in Markdown'
run diff --repo repo --base 100.20.02 --next "$tag" --format markdown
expect_status 1
expect_out_like '^## nvidia 100\.20\.02 → 110\.05&lt;img/src=x/onerror=a>&lt;!--  \(x86_64-linux-gnu\)$'
expect_out_unlike '<img|<!--'

it 'a tag that looks like a mention'
run diff --repo repo --base 100.20.02 --next "$mention" --format markdown
expect_status 1
expect_out_like '→ @&#8203;everyone  \('

it 'tags that look like an issue and a commit'
run diff --repo repo --base "$issue" --next "$id" --format markdown
expect_status 0
expect_out_like '#&#8203;17 → deadbe&#8203;ef  \('

it 'a tag with the right-to-left override, on a page'
run history --repo repo --format html
expect_status 0
harmless
expect_out_like '"1\.0\\\\u202egpj"'

for format in text json markdown; do
	it "a tag with the right-to-left override, as $format"
	run diff --repo repo --base 100.20.02 --next "$turned" --format "$format"
	expect_status 1
	harmless
	expect_out_like '1\.0\\+u202egpj'
done

it 'an unknown tag'
run diff --repo repo --base 100.20.02 --next "$turned"$'\302\2332J'
expect_cannot '1\.0\\u202egpj\\u009b2J'
harmless

cat >"$WORK/odd.json" <<'END'
{"format": "drvabi-abi/1", "driver": "od\u001b[2Jd", "version": "1\u001b]0;t\u0007\u009b2J\u202e\nx", "commit": "", "target": "x86_64-linux-gnu",
 "records": {"A\u202e\n": {"fields": [], "size": 0, "align": 1, "is_union": false, "source": "a\u001b]0;title"}},
 "aliases": {}, "enums": {}, "constants": {}, "ioctls": [], "warnings": [{"place": "x\u202e", "text": "a\u001b[2J\u009b\nb"}]}
END
sed 's/"size": 0/"size": 8/' "$WORK/odd.json" >"$WORK/next.json"

# answers STATUS WORDS - pass if the command exits with STATUS and its output is harmless
answers() {
	it "a hostile document: $2"
	# shellcheck disable=SC2086 # words
	run $2
	expect_status "$1"
	harmless
	expect 'a name does not begin a line' lib_lacks '^(x|")' "$OUT"
}

odd='--base-json odd.json --next-json next.json'
answers 0 'show --json odd.json A*'
answers 2 'show --json odd.json nothing'
answers 0 'show --json odd.json --format json A*'
answers 2 'show --json odd.json 0x99999999'
answers 0 'flatten odd.json'
answers 0 'flatten -v odd.json'
answers 0 'flatten --format json odd.json'
answers 1 "diff $odd"
answers 1 "diff $odd --format markdown"
answers 1 "diff $odd --format json"

it 'the version of a hostile document, on standard error'
run flatten odd.json
expect_status 0
expect_err_like '^drvabi: 1\\x1b\]0;t\\x07\\u009b2J\\u202e\\x0ax: 1 warning from extraction; details with -v$'

done_testing
