#!/usr/bin/env bash
# scripts/layers finds planted faults of each kind.
. "$(dirname "$0")/lib.sh"

# plant FILE LINE... - write a file of a small source tree
plant() {
	mkdir -p "$WORK/src/$(dirname "$1")"
	local file=$1
	shift
	printf '%s\n' "$@" >"$WORK/src/$file"
}

# tree - write a source tree without faults
tree() {
	fresh
	plant base/base.h '#include "base/part.h"'
	plant base/part.h '#include <stddef.h>'
	plant base/inner.h ''
	plant abi/abi.h '#include "abi/writer.h"'
	plant source/source.h '#include "abi/abi.h"'
	plant abi/writer.h '#include "base/base.h"'
	plant flatten/flatten.h '#include "base/base.h"'
	plant diff/diff.h '#include "flatten/flatten.h"'
	plant diff/diff.c '#include "diff/diff.h"' '#include "base/part.h"' '#include <xxhash.h>'
	plant report/report.h '#include "diff/diff.h"' '#include "abi/writer.h"'
}

# finds LABEL REGEX - pass if the fault is reported, and nothing else
finds() {
	it "$1"
	run_program "$ROOT/scripts/layers" CC="${CC:-cc}" src
	expect_status 1
	expect "reports $2" grep -Eq -- "^# src/$2" "$OUT"
	expect 'and nothing else' [ "$(grep -c '^# ' "$OUT")" = 1 ]
}

it 'a tree without faults'
tree
run_program "$ROOT/scripts/layers" CC="${CC:-cc}" src
expect_status 0

tree; plant diff/a.c '#include "source/source.h"'
finds 'a lower room that may not be included' 'diff/a\.c:1: includes source/source\.h, but diff'
tree; plant flatten/a.c '#include "diff/diff.h"'
finds 'a higher room' 'flatten/a\.c:1: includes diff/diff\.h, but flatten'
tree; plant diff/a.c '#include "base/inner.h"'
finds 'a private header' 'diff/a\.c:1: includes base/inner\.h, which is private to base'
tree; plant diff/a.c '#include "diff.h"'
finds 'a header without its room' 'diff/a\.c:1: includes "diff\.h", which is in no room'
tree; plant diff/a.c '# include <git2.h>'
finds 'a third-party header' 'diff/a\.c:1: includes <git2\.h>'
tree; plant diff/a.c '#include <uthash.h>'
finds 'a third-party header that only other rooms use' 'diff/a\.c:1: includes <uthash\.h>'
tree; plant diff/a.c '#include <cmocka.h>'
finds 'the test library outside of tests' 'diff/a\.c:1: includes cmocka\.h'
tree; plant diff/a_test.c '#include <cmocka.h>' '#include "source/source.h"' '#include "report/report.h"'
finds 'a test that includes a higher room' 'diff/a_test\.c:3: includes report/report\.h'
tree; plant diff/a.c 'int f(void) { return snprintf(a, b) + strcpy (a, b); }'
finds 'a banned call' 'diff/a\.c:1: uses strcpy'
tree; plant diff/a.c '/* strcpy(a, b) */ // exit(1)' 'const char *s = "gets( \" stderr";' "char c = '\"'; void f(void) { exit(1); }"
finds 'a call that only one room may use, among comments and strings' 'diff/a\.c:3: uses exit'
tree; plant attic/a.c 'int x;'
finds 'an unknown room' 'attic/a\.c:1: is in a room that'
tree; plant diff/a.h 'struct a { uint32_t b; };'
finds 'a header that depends on an earlier include' 'diff/a\.h: does not compile alone: .*uint32_t'

done_testing
