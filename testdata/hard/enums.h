/*
 * Enums: without a name, with values given, negative, wider than 32 bits with
 * and without a sign, packed, as the unnamed type of a field, inside a
 * record, two enumerators of one value, values made of others.
 */
enum { FIRST_OF_UNNAMED = 5, SECOND_OF_UNNAMED };

enum plain { P_ZERO, P_ONE, P_TWO };
enum given { G_A = 10, G_B, G_C = 3, G_SAME = 3, G_MADE = G_A | 0x20 };
enum negative { N_MINUS = -1, N_MIN = -2147483647 - 1, N_ZERO = 0 };
enum wide { W_ONE = 1, W_ALL = 0xffffffffffffffffULL };
enum wide_signed { WS_MIN = -0x7fffffffffffffffLL - 1, WS_MAX = 0x7fffffffffffffffLL };
enum top_bit { T_BIT = 0x80000000 };
enum small { S_A, S_B } __attribute__((packed));

typedef enum { TD_A, TD_B } only_typedef;

struct holder {
	enum { H_OFF, H_ON } state;
	enum inside { I_A, I_B } named;
	enum { H_ONE = 1 } several[3];
	enum plain p;
	enum wide w;
	enum small s;
	only_typedef t;
	const enum plain c;
	enum plain *pointer;
	enum { NOT_A_FIELD_OF_ITS_OWN = 9 } *behind;
};
