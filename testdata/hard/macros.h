/*
 * Macros: what is an integer constant, of any sign and up to 64 bits, is one,
 * however it is written; what is not is left out, with a warning if it looks
 * like a number, without one if it never was meant to be.
 */
enum { ENUMERATOR = 77 };
struct sized {
	int a[5];
};
typedef unsigned char byte;

/* Integers. */
#define HARD_DECIMAL 42
#define HARD_HEX 0x2A
#define HARD_OCTAL 052
#define HARD_PARENTHESES ((0x42))
#define HARD_SUFFIX 7UL
#define HARD_COMMENT (3) /* a comment, with "quotes" */
#define HARD_CONTINUED (1 + \
		       2)
#define HARD_EXPRESSION (HARD_DECIMAL + HARD_HEX * 2)
#define HARD_SHIFT (1U << 31)
#define HARD_SHIFT_64 (1ULL << 63)
#define HARD_NEGATIVE -1
#define HARD_NEGATIVE_64 (-0x7fffffffffffffffLL - 1)
#define HARD_UNSIGNED_MINUS_ONE (-1U)
#define HARD_ALL_ONES 0xffffffffffffffffULL
#define HARD_ABOVE_2_53 9007199254740993
#define HARD_ENUMERATOR ENUMERATOR
#define HARD_CAST ((byte)0x1ff)
#define HARD_SIGNED_CAST ((signed char)0xff)
#define HARD_FLOAT_CAST ((int)2.75)
#define HARD_SIZEOF sizeof(struct sized)
#define HARD_SIZEOF_MEMBER sizeof(((struct sized *)0)->a)
#define HARD_CHARACTER 'A'
#define HARD_CONDITIONAL (HARD_DECIMAL > 3 ? 10 : 20)
#define HARD_COMPARISON (HARD_DECIMAL == 42)
#define HARD_BY_FUNCTION_LIKE FUNCTION_LIKE(4)
#define FUNCTION_LIKE(x) ((x) * 100)
#define HARD_USED_BEFORE_DEFINED (HARD_DEFINED_LATER + 1)
#define HARD_DEFINED_LATER 8

/* Under conditions. */
#if 0
#define HARD_NOT_DEFINED 1
#endif
#ifdef ENUMERATOR_IS_NO_MACRO
#define HARD_CHOSEN 1
#else
#define HARD_CHOSEN 2
#endif
#define HARD_UNDEFINED 1
#undef HARD_UNDEFINED
#define HARD_REDEFINED 1
#undef HARD_REDEFINED
#define HARD_REDEFINED 2
/* #define HARD_IN_A_COMMENT 1 */
// #define HARD_IN_A_LINE_COMMENT 1

/* Not meant to be anything: no warning. */
#define HARD_EMPTY

/* No integers: a warning each. */
#define HARD_STRING "text"
#define HARD_BIT_RANGE 31:0
#define HARD_LIST 1, 2, 3
#define HARD_BRACES { 1, 2 }
#define HARD_STATEMENT do { } while (0)
#define HARD_KEYWORD unsigned int
#define HARD_FRACTION 1.5
#define HARD_TYPE byte
#define HARD_OPEN (1
#define HARD_CLOSE 1)
#define HARD_ASSIGNMENT x = 1

/* These look like integers and are none. */
#define HARD_NOT_CONSTANT (some_function() + 1)
#define HARD_UNKNOWN_NAME (NO_SUCH_NAME + 1)
#define HARD_ALIAS_OF_NOTHING NO_SUCH_NAME_EITHER
#define HARD_DIVISION_BY_ZERO (1 / 0)
#define HARD_TOO_WIDE ((__int128)1 << 100)
#define HARD_TOO_LONG 123456789012345678901234567890
#define HARD_ADDRESS ((unsigned long)&some_variable)
int some_function(void);
extern int some_variable;

/* What this one stands for would end the enumeration it is asked in. */
#define HARD_UPSETS_THE_PARSER (INNER_OPEN 1)
#define INNER_OPEN { ( {
#define HARD_AFTER_THE_UPSET 99

/* Drivers are built with gcc, and their conditions ask which. */
struct of_gcc {
#if __GNUC__ >= 5 && !defined(__STRICT_ANSI__)
	int built_with_gcc_5_or_later;
#else
	char built_with_gcc_4;
#endif
};
