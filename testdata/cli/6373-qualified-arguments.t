#!/usr/bin/env bash
# Ioctls whose argument is a typedef of a pointer, or qualified, have the record's name as parameters.
. "$(dirname "$0")/lib.sh"
fresh

mkdir -p "$WORK/tree"
printf '{"format": "drvabi-profile/1", "name": "toy", "units": [{"name": "toy", "headers": ["toy.h"], "basics": "linux"}],
 "families": [{"name": "toy", "source": "ioc"}]}\n' >"$WORK/toy.json"
cat >"$WORK/tree/toy.h" <<'C'
struct r { int a, b; };
typedef struct r *pointer, alias;
typedef pointer pointer_again;
typedef const struct r *const pointer_to_const;
typedef const struct r qualified;
typedef struct { long a; } *pointer_to_unnamed;
#define TOY_1 _IOWR('t', 1, pointer)
#define TOY_2 _IOWR('t', 2, pointer_again)
#define TOY_3 _IOWR('t', 3, pointer_to_const)
#define TOY_4 _IOWR('t', 4, const struct r)
#define TOY_5 _IOWR('t', 5, struct r volatile)
#define TOY_6 _IOWR('t', 6, const alias)
#define TOY_7 _IOWR('t', 7, qualified)
#define TOY_8 _IOWR('t', 8, pointer_to_unnamed)
#define TOY_9 _IOWR('t', 9, struct r *const)
#define TOY_10 _IOWR('t', 10, struct r **)
C

it 'have the record'
run surface --profile toy.json --dir tree --format json
expect_status 0
expect_err_empty
expect_json 'all of them' '[.ioctls | sort_by(.number % 256)[] | [.name[4:], .params, .params_size]] == [
	["1", "r", 8], ["2", "r", 8], ["3", "r", 8], ["4", "r", 8], ["5", "r", 8], ["6", "alias", 8], ["7", "qualified", 8],
	["8", "pointer_to_unnamed::_t", 8], ["9", "r", 8], ["10", "r **", 8]]'

done_testing
