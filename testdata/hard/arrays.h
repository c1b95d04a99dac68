/*
 * Arrays of arrays of records, in C order; arrays of pointers; an array of
 * one; typedefs of arrays in arrays (the outermost typedef is looked
 * through, as gVisor's tool does, those inside are not).
 */
struct cell {
	char tag;
	int value;
};

typedef unsigned char uuid[16];
typedef uuid uuid_pair[2];
typedef int matrix[2][3];
typedef struct cell row[3];

struct grid {
	struct cell cells[2][3];
	struct cell cube[2][3][4];
	struct cell one[1];
	struct cell *pointers[2][3];
	uuid plain;
	uuid several[4];
	uuid_pair pair;
	uuid_pair pairs[5];
	matrix m;
	matrix n[7];
	row r;
	row rows[2];
	const char text[8];
};
