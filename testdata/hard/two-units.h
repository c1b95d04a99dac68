/*
 * Two translation units that define one name differently: the first one is
 * kept and a warning says so. What both define alike is one. hard.t gives the
 * profile a second unit, two-units-other.h.
 */
struct differs {
	int a;
};

struct alike {
	int a;
	struct {
		char c;
	} e;
};

typedef unsigned int number;
enum kind { KIND_A = 1 };
#define HARD_NUMBER 1
#define HARD_SAME 7

/* A tag here, a typedef there. */
struct split_name { int a; };
struct uses_tag { struct split_name t; };
typedef int other_split;
