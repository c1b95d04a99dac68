#!/usr/bin/env bash
# Help and the manual pages: environment, files, classes of change, and references to other pages.
. "$(dirname "$0")/lib.sh"

# read_by_code - list the environment variables in drvabi's sources: arguments of getenv(), variables that it sets for its pager, and all
# names that begin with DRVABI, because some are first passed to a function. The code that gen writes is not
# searched.
read_by_code() {
	find "$ROOT/src" -name '*.c' ! -name '*_test.c' ! -path '*/gen/*' -exec cat {} + |
		grep -Eo 'getenv\("[A-Z_]+"|setenv\("[A-Z_]+", [^)]*, 0\)|"(DRVABI|XDG)_[A-Z_]+"' | sed 's/^[^"]*"\([A-Z_]*\)".*/\1/' | LC_ALL=C sort -u
}

it 'the environment'
run help environment
expect_status 0
expect_err_empty
sed -n 's/^  \([A-Z_]*\)\( .*\|$\)/\1/p' "$OUT" | grep . | LC_ALL=C sort >"$WORK/listed"
read_by_code >"$WORK/read"
expect 'the list has exactly the variables that drvabi reads' diff "$WORK/read" "$WORK/listed"
expect 'there are at least 11 variables' [ "$(wc -l <"$WORK/listed")" -ge 11 ]
# The comparison cannot see computed names. Only functions of these files pass a name to getenv(), and the preloaded library reads variables that sniff sets.
(cd "$ROOT/src" && grep -rn --include='*.c' 'getenv([^"]' . | grep -v _test.c | sed 's/:[0-9]*:.*//') | LC_ALL=C sort -u >"$WORK/indirect"
printf '%s\n' ./cli/load.c ./sniff/hook.c ./store/worker.c >"$WORK/wanted"
expect 'only three files call getenv() with a computed name' diff "$WORK/wanted" "$WORK/indirect"

it 'the classes'
run help classes
expect_status 0
expect_err_empty
sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$OUT" | grep . >"$WORK/classes"
sed -n '/^const char \*diff_class_name/,/^}/p' "$ROOT"/src/diff/*.c | grep -Eo '"[a-z]+"' | tr -d '"' >"$WORK/names"
expect 'are those of drvabi, in the same order' diff "$WORK/names" "$WORK/classes"
expect_out_unlike 'null'

it 'files'
run help files
expect_status 0
# shellcheck disable=SC2016 # the name
expect_out_like '^  \$XDG_CACHE_HOME/drvabi/documents/$'

it 'unknown topics'
run help environments
expect_cannot "^drvabi: there is no command 'environments'.*; drvabi --help lists them$"
run help environment --man
expect_cannot "^drvabi: there is no command 'environment'; drvabi --help lists them$"

it 'all pages'
mapfile -t commands < <("$DRVABI" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
for page in '' "${commands[@]}"; do
	# shellcheck disable=SC2086 # no word, or one word
	run help --man $page
	name=drvabi${page:+-$page}
	keep man
	expect "the last headings of $name are in order" diff <(printf '# %s\n' 'EXIT STATUS' ENVIRONMENT FILES 'SEE ALSO') <(grep '^# ' "$WORK/man" | tail -n 4)
	sed -n '/^# ENVIRONMENT/,/^# FILES/s/^\*\(.*\)\*$/\1/p' "$WORK/man" | tr -d '\134' | LC_ALL=C sort >"$WORK/variables"
	expect "$name lists the environment variables" diff "$WORK/listed" "$WORK/variables"
	sed -n '/^# SEE ALSO/,$p' "$WORK/man" | grep -o 'drvabi[a-z-]*' >"$WORK/also"
	expect "$name refers to other pages" [ -s "$WORK/also" ]
	while read -r other; do
		[ "$other" != drvabi ] || continue
		expect "$name refers to the existing page $other" "$DRVABI" help "${other#drvabi-}"
	done <"$WORK/also"
	expect "$name does not refer to itself" lib_lacks "^$name$" "$WORK/also"
done

it 'commands with classes'
for command in diff history; do
	run help "$command"
	expect_out_like '^Classes of change:$'
	sed -n '/^Classes of change:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' "$OUT" >"$WORK/of"
	expect_same "$command lists all classes" "$WORK/of" "$WORK/classes"
	run help --man "$command"
	expect_out_like '^# CLASSES OF CHANGE$'
done

done_testing
