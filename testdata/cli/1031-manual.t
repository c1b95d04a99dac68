#!/usr/bin/env bash
# What help and the manual say beyond commands and options: the environment, files, classes of change, other pages.
. "$(dirname "$0")/lib.sh"

# read_by_code - the names of the environment variables that the program reads, from its sources: those that getenv() is given, those
# that it sets for its pager unless they are set, and all that look like ours, since some are passed to a function first; not those of
# the code that gen writes
read_by_code() {
	find "$ROOT/src" -name '*.c' ! -name '*_test.c' ! -path '*/cli/help.c' ! -path '*/gen/*' -exec cat {} + |
		grep -Eo 'getenv\("[A-Z_]+"|setenv\("[A-Z_]+", [^)]*, 0\)|"(DRVABI|XDG)_[A-Z_]+"' | sed 's/^[^"]*"\([A-Z_]*\)".*/\1/' | LC_ALL=C sort -u
}

it 'the environment'
run help environment
expect_status 0
expect_err_empty
sed -n 's/^  \([A-Z_]*\)\( .*\|$\)/\1/p' "$OUT" | grep . | LC_ALL=C sort >"$WORK/listed"
read_by_code >"$WORK/read"
expect 'the list has what the program reads, and nothing else' diff "$WORK/read" "$WORK/listed"
expect 'which is some' [ "$(wc -l <"$WORK/listed")" -ge 11 ]
# A name that is computed would escape the comparison: only functions of these files get one as an argument, and the preloaded library asks for what sniff has set.
(cd "$ROOT/src" && grep -rn --include='*.c' 'getenv([^"]' . | grep -v _test.c | sed 's/:[0-9]*:.*//') | LC_ALL=C sort -u >"$WORK/indirect"
printf '%s\n' ./cli/load.c ./sniff/hook.c ./store/bounded.c >"$WORK/wanted"
expect 'getenv() is given a name, but for three files' diff "$WORK/wanted" "$WORK/indirect"

it 'the classes'
run help classes
expect_status 0
expect_err_empty
sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$OUT" | grep . >"$WORK/classes"
sed -n '/^const char \*diff_class_name/,/^}/p' "$ROOT"/src/diff/*.c | grep -Eo '"[a-z]+"' | tr -d '"' >"$WORK/names"
expect 'are those of the differ, in its order' diff "$WORK/names" "$WORK/classes"
expect_out_unlike 'null'

it 'files'
run help files
expect_status 0
# shellcheck disable=SC2016 # it is the name
expect_out_like '^  \$XDG_CACHE_HOME/drvabi/documents/$'

it 'what is no topic'
run help environments
expect_cannot "^drvabi: there is no command 'environments'.*; drvabi --help lists them$"
run help environment --man
expect_cannot "^drvabi: there is no command 'environment'; drvabi --help lists them$"

it 'every page'
mapfile -t commands < <("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
for page in '' "${commands[@]}"; do
	# shellcheck disable=SC2086 # none, or one word
	run help --man $page
	name=drvabi${page:+-$page}
	keep man
	expect "$name has its headings in order" diff <(printf '# %s\n' 'EXIT STATUS' ENVIRONMENT FILES 'SEE ALSO') <(grep '^# ' "$WORK/man" | tail -n 4)
	sed -n '/^# ENVIRONMENT/,/^# FILES/s/^\*\(.*\)\*$/\1/p' "$WORK/man" | tr -d '\134' | LC_ALL=C sort >"$WORK/variables"
	expect "$name has the environment" diff "$WORK/listed" "$WORK/variables"
	sed -n '/^# SEE ALSO/,$p' "$WORK/man" | grep -o 'drvabi[a-z-]*' >"$WORK/also"
	expect "$name points to other pages" [ -s "$WORK/also" ]
	while read -r other; do
		[ "$other" != drvabi ] || continue
		expect "$name points to $other, which is one" "$DRVABI" help "${other#drvabi-}"
	done <"$WORK/also"
	expect "$name does not point to itself" lib_lacks "^$name$" "$WORK/also"
done

it 'a command with classes'
for command in diff history; do
	run help "$command"
	expect_out_like '^Classes of change:$'
	sed -n '/^Classes of change:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' "$OUT" >"$WORK/of"
	expect_same "$command has all" "$WORK/of" "$WORK/classes"
	run help --man "$command"
	expect_out_like '^# CLASSES OF CHANGE$'
done

done_testing
