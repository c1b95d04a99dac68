/*
 * Bit-fields: neighbours in one unit, a field that would straddle its unit
 * and so begins a new one, zero width, unnamed padding, mixed types, next to
 * plain members, in unions, packed (where they do straddle), and in an
 * unnamed member.
 */
struct plain_bits {
	unsigned a : 1;
	unsigned b : 3;
	unsigned c : 28;
	unsigned d : 1;
};

struct straddling {
	unsigned a : 20;
	unsigned b : 20; /* does not fit the first 32 bits */
	unsigned long long c : 40;
	unsigned long long d : 30;
};

struct zero_width {
	unsigned char a : 3;
	unsigned char : 0; /* the next one begins a byte */
	unsigned char b : 3;
	unsigned : 0; /* the next one begins a word */
	unsigned char c;
	unsigned d : 4;
};

struct padded {
	unsigned a : 4;
	unsigned : 9; /* no name: padding */
	unsigned b : 4;
};

struct mixed {
	char tag;
	unsigned short a : 9;
	int b : 11;
	_Bool c : 1;
	signed char d : 5;
	unsigned long long e : 33;
	char end;
};

struct packed_bits {
	char tag;
	unsigned a : 30;
	unsigned b : 30;
	char end;
} __attribute__((packed));

union bits_in_union {
	unsigned a : 5;
	unsigned long long b : 40;
	unsigned char c;
};

struct bits_in_unnamed {
	int kind;
	union {
		struct {
			unsigned low : 12;
			unsigned high : 20;
		};
		unsigned whole;
	};
};

enum color { RED, GREEN, BLUE };

struct enum_bits {
	enum color a : 2;
	enum color b : 7;
	unsigned c : 23;
};
