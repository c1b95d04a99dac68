/*
 * In C a tag and a typedef may share a name and be two types. The typedef keeps
 * the name, the tag is called NAME::struct_t, and no field of the one is read as
 * the other.
 */
struct of_integer { int a, b; };
typedef long long of_integer;

typedef enum { SHARED_A } of_enum;
struct of_enum { unsigned int a; };

struct of_pointer { struct of_pointer *next; struct { int v; } in; };
typedef struct of_pointer *of_pointer;

struct other { char c; };
typedef struct other of_record;
struct of_record { short s; };

enum of_char { SHARED_B };
typedef char of_char;

typedef struct same { int q; } same;

struct uses {
	struct of_integer a[2];
	of_integer b;
	struct of_enum c;
	of_enum d;
	struct of_pointer e;
	of_pointer f;
	struct of_record g;
	of_record h;
	enum of_char i;
	of_char j;
	same k;
	struct same l;
};
