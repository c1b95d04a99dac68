/*
 * Unnamed records as elements: one and two dimensions, behind a pointer, in
 * an array of pointers, inside each other; and typedefs of arrays of and
 * pointers to unnamed records.
 */
typedef struct {
	int a;
	struct {
		char c;
		int d;
	} one[4];
	union {
		short s;
		char b[3];
	} two[4][5];
	struct {
		int behind;
	} *pointer;
	struct {
		int in_array;
	} *pointers[3];
	struct {
		struct {
			unsigned char leaf;
		} inner[2];
		unsigned char after;
	} outer[3];
} arrays;

typedef struct {
	int x, y;
} points[4];

typedef struct {
	long v;
} *behind;

struct uses {
	points p;
	points q[2];
	behind b;
	behind c[2];
};
