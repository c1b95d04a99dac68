/*
 * Alignment that is not the natural one: packed and aligned records, aligned
 * and packed members, aligned typedefs, #pragma pack, and how they nest.
 */
struct natural {
	char a;
	long long b;
	short c;
};

struct packed {
	char a;
	long long b;
	short c;
} __attribute__((packed));

struct packed_aligned {
	char a;
	int b;
} __attribute__((packed, aligned(4)));

struct aligned {
	char a;
} __attribute__((aligned(64)));

struct members {
	char a;
	int b __attribute__((packed));
	char c __attribute__((aligned(16)));
	struct packed d;
	struct aligned e;
};

typedef unsigned long long aligned_u64 __attribute__((aligned(8)));
typedef int loose_int __attribute__((aligned(2)));
typedef struct natural aligned_natural __attribute__((aligned(32)));

struct typedefs {
	char a;
	aligned_u64 b;
	char c;
	loose_int d;
	char e;
	aligned_natural f;
};

#pragma pack(push, 1)
struct pragma_one {
	char a;
	int b;
	struct natural c;
};
#pragma pack(push, 2)
struct pragma_two {
	char a;
	int b;
	long long c;
};
#pragma pack(pop)
union pragma_union {
	char a[5];
	int b;
};
#pragma pack(pop)

struct after_pragma {
	char a;
	int b;
};
