#!/usr/bin/env bash
# scripts/check-cache: documents from the cache are equal to those extracted without it, and the script finds differences.
. "$(dirname "$0")/../cli/lib.sh"
fixture

check_cache() {
	run_program "$ROOT/scripts/check-cache" "$@"
}

it 'the demo driver'
check_cache DRVABI="$DRVABI" "$REPO"
expect_status 0
expect_out_is same.txt

it 'some of its versions, for another target'
check_cache DRVABI="$DRVABI" --target aarch64-linux-gnu "$REPO" 120.01.00 100.20.02
expect_status 0
expect_out_like '^2 passed, 0 failed$'

it 'a damaged byte, in each version and each way'
check_cache DRVABI="$DRVABI" --self-test "$REPO"
expect_status 0
expect_out_is self-test.txt

# wrap WORDS COMMAND... - write a wrapper of $DRVABI that pipes the output through COMMAND if the arguments match WORDS and do not have --no-cache
wrap() {
	local words=$1
	shift
	cat >"$WORK/wrapped" <<END
#!/bin/sh
case "\$*" in
*--no-cache*) exec '$DRVABI' "\$@" ;;
$words) '$DRVABI' "\$@" | $* ;;
*) exec '$DRVABI' "\$@" ;;
esac
END
	chmod +x "$WORK/wrapped"
}

it 'a cache with a wrong number'
wrap "extract*' 110.05.00'" "sed 's/\"NV_ESC_RM_CONTROL\": 42/\"NV_ESC_RM_CONTROL\": 43/'"
check_cache DRVABI="$WORK/wrapped" "$REPO"
expect_status 1
expect_out_like "^110\.05\.00: with an empty cache: line [0-9]+ is '\"NV_ESC_RM_CONTROL\": 43,?', but '\"NV_ESC_RM_CONTROL\": 42,?' without a cache$"
for way in 'with the cache that extract filled' 'with a cache that older versions filled' 'with a cache that newer versions filled' \
	'with the cache that history filled' 'with the cache that archive write filled' 'from an archive'; do
	expect_out_like "^110\.05\.00: $way: "
done
expect_out_unlike '^1[02]0\.'
expect_out_like '^3 passed, 1 failed$'

it 'a cache that appends a line'
wrap "extract*' 120.01.00'" 'cat; echo'
check_cache DRVABI="$WORK/wrapped" "$REPO" 120.01.00
expect_status 1
expect_out_like '^120\.01\.00: with an empty cache: the document has [0-9]+ lines, but [0-9]+ without a cache$'

it 'an archive that differs with one job'
cat >"$WORK/wrapped" <<END
#!/bin/sh
case "\$*" in
*' --jobs 1 '*) set -- "\$@" 100.10.01 ;;
esac
exec '$DRVABI' "\$@"
END
check_cache DRVABI="$WORK/wrapped" "$REPO"
expect_status 1
expect_out_like '^the archive: with one job: the file is not the same as with an empty cache \([0-9]+ bytes, not [0-9]+\)$'
expect_out_like '^4 passed, 1 failed$'

it 'errors: no program, no tags, an unknown version'
check_cache DRVABI="$WORK/none" "$REPO"
expect_status 2
expect_err_like '^check-cache: cannot execute .*/none; run make, or set DRVABI$'
check_cache DRVABI="$DRVABI" "$WORK"
expect_status 2
expect_err_like '^check-cache: .* has no tags: '
check_cache DRVABI="$DRVABI" "$REPO" 110.05.01
expect_status 2
expect_err_like '^check-cache: drvabi .*no version 110\.05\.01 in '

done_testing
