#!/usr/bin/env bash
# The command line: help of all commands, and errors for invalid options and arguments.
. "$(dirname "$0")/lib.sh"

commands=$("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')

it 'drvabi --help'
run --help
expect_status 0
expect_err_empty
expect_out_like '^Usage: drvabi COMMAND'
expect_out_like '^run_differ is another name of drvabi diff'
keep help
run -h
expect_same '-h prints the same' "$OUT" "$WORK/help"
run help
expect_same 'help prints the same' "$OUT" "$WORK/help"
run --version
expect_status 0
expect_out_like '^drvabi [0-9]+\.[0-9]+\.[0-9]+$'
for command in diff extract show verify surface help; do
	expect "$command is listed" grep -q "^  $command " "$WORK/help"
done

for command in $commands; do
	it "$command"
	run "$command" --help
	expect_status 0
	expect_err_empty
	keep help
	expect_out_like "^drvabi $command - "
	expect_out_like "^Usage: drvabi $command"
	expect_out_like '^Exit status:'
	expect 'no line is longer than 80 columns' [ "$(awk '{ if (length > m) m = length } END { print m }' "$OUT")" -le 80 ]
	run "$command" -h
	expect_same '-h prints the same' "$OUT" "$WORK/help"
	run help "$command"
	expect_same 'help prints the same' "$OUT" "$WORK/help"
	run help --man "$command"
	expect_status 0
	keep man
	expect_out_like "^drvabi-$command\\(1\\) \"drvabi [0-9.]+\" \"drvabi manual\"$"
	sed -n '/^\(Common o\|O\)ptions:/,/^$/s/^  \(-., \)\{0,1\}--\([a-z0-9_-]*\).*/\2/p' "$WORK/help" >"$WORK/options"
	sed -n '/^# OPTIONS/,/^# E/s/^\(\*-.\*, \)\{0,1\}\*--\([a-z0-9_\\-]*\)\*.*/\2/p' "$WORK/man" >"$WORK/documented"
	expect 'the manual has the same options' diff "$WORK/options" "$WORK/documented"
	expect 'there are options' [ -s "$WORK/options" ]
	run "$command" --no-such-option
	expect_cannot "^drvabi: $command has no option --no-such-option; see drvabi $command --help$"
	run "$command" -Z
	expect_cannot "^drvabi: $command has no option -Z; see drvabi $command --help$"
	run "$command" ''
	expect_cannot '^drvabi: argument 1 is empty; is it a variable that is not set\?$'
done

if command -v scdoc >/dev/null; then
	it 'the manual'
	for command in '' $commands; do
		# shellcheck disable=SC2086 # none, or one word
		run help --man $command
		keep page.scd
		INPUT=$WORK/page.scd run_program scdoc
		expect_status 0
		expect_err_empty
		expect_out_like '^\.TH "drvabi'
	done
fi

# refused REGEX ARGUMENT...
refused() {
	local regex=$1
	shift
	run "$@"
	expect_cannot "^drvabi: $regex"
}

it 'exit statuses'
for command in history ranges; do
	run "$command" --help
	expect_out_like '^  0 on success, 1 as described for --exit-code, 2 on an error\.$'
done
for command in diff verify; do
	run "$command" --help
	expect_out_like '^  0 if .*, 1 if '
done
for command in extract flatten show surface blame archive cache help; do
	run "$command" --help
	expect_out_like '^  0 on success, 2 on an error\.$'
done

it 'unknown commands'
refused 'no command; drvabi --help lists the commands$'
refused "there is no command 'dif' \\(did you mean diff\\?\\); drvabi --help lists them$" dif
refused "there is no command 'shwo' \\(did you mean show\\?\\); drvabi --help lists them$" shwo
refused "there is no command 'shwo' \\(did you mean show\\?\\); drvabi --help lists them$" help shwo
refused "there is no command 'xyz'; drvabi --help lists them$" xyz
refused "there is no command 'a\\\\x0ab'; drvabi --help lists them$" $'a\nb'
refused "there is no option '--repo'; drvabi --help lists the commands, and their options follow them$" --repo .
refused "there is no option '--verison' \\(did you mean --version\\?\\); drvabi --help" --verison
refused "there is no command 'xyz'; drvabi --help lists them$" help xyz
refused 'help explains one command at a time$' help diff show

it 'invalid options'
refused 'diff has no option --frobnicate; see drvabi diff --help$' diff --frobnicate=1
refused '--version needs a value, VERSION, and --format is an option; a value that begins with - is written --version=--format$' show X --version --format json
refused '--output needs a value, FILE, and -q is an option;' diff 1.0 2.0 -o -q
refused 'diff has no option --recrod \(did you mean --record\?\); see drvabi diff --help$' diff --recrod=1
refused 'extract has no option --base; see drvabi extract --help$' extract --base 1
refused 'cache has no option --format; see drvabi cache --help$' cache --format json
refused '--base needs a value: VERSION$' diff --base
refused '--output needs a value: FILE$' extract -o
refused '--repo is empty; it takes PATH\|URL$' extract --repo ''
refused '--table is empty; it takes FILE\|NAME$' diff --table= 1 2
refused '--quiet takes no value$' diff --quiet=yes 1 2
refused '--re is ambiguous: --record or --report$' diff --re x
refused '--n is ambiguous: --next or --next-json$' diff --n x

it 'invalid formats'
refused "--format takes one of text\\|json\\|markdown, not 'xml'$" diff --format xml 1 2
refused "--format takes one of text\\|json\\|markdown, not 'tex'$" diff --format tex 1 2
refused "--format takes one of text\\|json\\|markdown, not 'text\\|json'$" diff --format 'text|json' 1 2
refused '--format is empty; it takes FORMAT$' diff --format= 1 2
refused "--format takes json, not 'text'$" extract --format text
refused "--format takes one of text\\|json, not 'markdown'$" flatten --format markdown
refused "--color takes one of auto\\|always\\|never, not 'sometimes'$" diff --color sometimes 1 2
refused "--target takes one of x86_64-linux-gnu\\|aarch64-linux-gnu, not 'mips-linux-gnu'$" diff --target mips-linux-gnu 1 2

it 'invalid numbers'
for number in 0 -1 1.5 x 1025 99999999999999999999 '1 ' 0x10; do
	refused "--jobs takes a whole number from 1 to 1024, not '$number'$" diff --jobs "$number" 1 2
done

it 'invalid arguments of diff'
refused 'no base version; give BASE NEXT, BASE\.\.NEXT, or --base and --next \(drvabi diff --help\)$' diff
refused 'no next version; give BASE NEXT, BASE\.\.NEXT, or --base and --next \(drvabi diff --help\)$' diff 1
refused 'no base version; give BASE NEXT, BASE\.\.NEXT, or --base and --next \(drvabi diff --help\)$' diff --next 1
refused "'3' is one version too many; diff takes two$" diff 1 2 3
refused "'1' is one version too many; diff takes two$" diff --base 1 --next 2 1
refused '--base and --base-json cannot be used together: both name the older version$' diff --base 1 --base-json x.json 2
refused '--next and --next-json cannot be used together: both name the newer version$' diff 1 --next 1 --next-json x.json
refused 'standard input can be one of the two documents, not both$' diff --base-json - --next-json -

it 'invalid arguments of other commands'
refused 'what should be shown\? drvabi show NAME, or a number$' show
refused 'flatten takes one document, not 2$' flatten a b
refused "'a' is a document; leave out --version and --dir, or the document$" flatten a --version 1
refused 'arguments for clang after -- can be used only with --input$' extract 1 -- -I x
refused '--input needs one source file: ' extract --input names.json
refused "no profile 'windows'; the built-in profiles are aws-neuron, habanalabs, linux-drm, linux-kfd, linux-kvm, linux-v4l2, linux-vfio, nvidia; the name of a file must contain a dot or a slash$" extract --profile windows --dir .

done_testing
