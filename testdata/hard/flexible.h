/*
 * Arrays without a length: flexible ones at the end, of scalars, of records
 * and of unnamed records, through a typedef, zero-length ones at the end and
 * in the middle, in a union.
 */
struct item {
	short a;
	char b;
};

typedef int many[];

struct flexible_scalars {
	int count;
	unsigned char bytes[];
};

struct flexible_records {
	char count;
	struct item items[];
};

struct flexible_unnamed {
	long count;
	struct {
		int x;
	} items[];
};

struct flexible_typedef {
	char count;
	many items;
};

struct flexible_rows {
	int count;
	struct item rows[][4];
};

struct zero_length {
	char head;
	int middle[0];
	char more;
	struct item end[0];
};

union zero_in_union {
	char one;
	long long none[0];
};
