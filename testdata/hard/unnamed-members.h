/*
 * Unnamed members: two in one record get two names, P::_t and P::_t2; one in
 * another; a named field of unnamed type beside them; the same record under a
 * tag and a typedef has both sets of names.
 */
struct two_unnamed {
	int kind;
	union {
		int as_int;
		float as_float;
	};
	struct {
		short x;
		short y;
	};
	struct {
		char inner;
	} named;
	union {
		long long wide;
		char narrow;
	};
};

struct nested_unnamed {
	struct {
		union {
			struct {
				int deep;
			};
			int flat;
		};
		int after;
	};
};

typedef struct both_tag {
	struct {
		int one;
	};
	union {
		int two;
		char three;
	} u;
} both_typedef;

/* One unnamed type, two fields: it has a name after each. */
struct shared {
	struct {
		int v;
	} first, second[2];
};

/* _Atomic hides the record: libclang's own words for it have the path of the file. */
struct atomic_members {
	_Atomic struct { int a; } one;
	_Atomic struct { int b; } *pointed_to;
	_Atomic enum { ATOMIC_A } kind;
};
