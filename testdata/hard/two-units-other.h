/* See two-units.h. */
struct differs {
	int a;
	int b;
};

struct alike {
	int a;
	struct {
		char c;
	} e;
};

typedef unsigned long number;
enum kind { KIND_A = 2 };
#define HARD_NUMBER 2
#define HARD_SAME 7

typedef short split_name;
struct uses_typedef { split_name t; };
struct other_split { int x, y; };
struct uses_other_tag { struct other_split t; };
