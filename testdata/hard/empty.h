/*
 * Empty records, which have no size in C (they have one in C++), and what is
 * around them.
 */
struct empty {
};

typedef struct {
} empty_typedef;

union empty_union {
};

struct around {
	char a;
	struct empty b;
	int c;
	empty_typedef d[4];
	union empty_union e;
	struct {
	} f;
};
