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

/* A typedef may be aligned in another way than the record that it is a typedef of: above all if the tag has the same name. */
typedef struct { int a; int b[3]; } behind_unnamed __attribute__((aligned(16)));
typedef struct behind_tag { int a; } behind_tag __attribute__((aligned(2)));
typedef struct behind_same { int a; } behind_same;
struct behind { char c; behind_unnamed unnamed; char d; behind_tag by_typedef; struct behind_tag by_tag; behind_same same; };
