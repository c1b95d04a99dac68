/*
 * Typedefs: of scalars, in chains, of arrays, of pointers, of enums, of
 * records with and without a tag, twice, of a typedef of a record (which
 * keeps the first one's names for what is unnamed), before the definition,
 * with a tag of the same name, const.
 */
typedef unsigned int u32;
typedef u32 handle;
typedef handle client;

typedef handle handles[3];
typedef handles handle_table[2];
typedef handle *handle_pointer;
typedef const handle *const const_pointer;

typedef enum { OFF, ON } power;
typedef power power_again;
typedef enum mode { SLOW, FAST = 7 } mode_typedef;

typedef struct early early_typedef;

typedef struct tag {
	struct {
		u32 v;
	} e;
} first, second;

typedef first third;
typedef third fourth;
typedef struct tag fifth;

typedef struct {
	client c;
} untagged;
typedef untagged untagged_again;

typedef struct same {
	int x;
} same;

typedef const struct tag constant;

struct early {
	early_typedef *next;
	first a;
	third b;
	struct tag c;
	constant d;
	const untagged e;
};

struct uses {
	u32 a;
	client b;
	handles c;
	handle_table d;
	handle_pointer e;
	const_pointer f;
	power g;
	power_again h;
	enum mode i;
	mode_typedef j;
	same k;
	struct same l;
	const u32 m;
	volatile handle n;
};
