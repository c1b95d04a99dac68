/* Records that are hard to declare in C, Rust or Python; read with --dir by 6010-gen-languages.t. */
#ifndef HARD_H
#define HARD_H
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long long u64;
typedef unsigned int uint32_t;
typedef _Bool bool;
struct bits { u32 lo : 3, : 2, hi : 5, straddles : 22; u8 last; int minus : 7; long long big : 33; };
struct packed_bits { u32 lo : 3, : 2, hi : 5, straddles : 30; u16 after; } __attribute__((packed));
struct flags { union { struct { u32 on : 1, mode : 4, rest : 27; }; u32 value; }; u64 x; };
struct packed { u8 a; u64 b; u16 c[3]; } __attribute__((packed));
struct both { u8 a; u64 b; u16 c; } __attribute__((packed, aligned(4)));
struct two { u8 a; u32 b; u64 c; } __attribute__((packed, aligned(2)));
#pragma pack(push, 4)
struct pack4 { u8 a; u64 b; u16 c; };
#pragma pack(pop)
struct aligned { u8 a; u8 b __attribute__((aligned(32))); u32 c __attribute__((aligned(64))); };
struct whole { u32 a; } __attribute__((aligned(16)));
struct packed_whole { u8 a; struct whole w; struct whole v[2]; } __attribute__((packed));
union sizes { u8 a[5]; u16 b; struct { u8 c; u32 d; } e[2]; } __attribute__((packed));
struct keywords { u32 in, from, type, self, match, fn, crate, Self, is, None, _fields_, as; };
struct nodes { struct nodes *next; const char *name; void (*call)(int); u32 *const *numbers; volatile u32 v; const void *opaque; };
typedef enum { TINY_A, TINY_B } __attribute__((packed)) tiny;
enum mode { MODE_OFF = -1, MODE_ON = 1 };
struct floats { float f; double d; long double ld; u8 tail; __int128 wide; bool yes; char text[7]; };
struct empty { };
struct tail { u32 count; struct empty none; struct { u16 x; u8 y; } __attribute__((packed)) pairs[]; };
struct more { tiny t; enum mode m; enum { MORE_A, MORE_B } unnamed; struct packed *p; struct whole w[2][3]; struct both b; int zero[0]; struct flags f[2]; };
typedef struct more more_t;
typedef u32 matrix[2][3];
typedef struct packed packeds[4];
struct arrays { matrix m[5]; packeds p; packeds q[2]; u8 last[2][2][2]; };
struct Option { u32 x; };
typedef struct { u32 str; } str;
struct on_i386 { u32 a; u64 __attribute__((aligned(8))) b; };
union bits_union { u32 a : 3; u32 b : 9; u64 c : 40; };
struct deep { struct { union { struct { u32 x : 4, y : 4; }; u8 byte; }; union { struct { u32 x2 : 4; u32 y2 : 4; }; u8 byte2; }; } in; u8 pad_0; u8 z; u64 bits_0; };
typedef unsigned int __u32;
struct underscores { __u32 __count; __u32 __on : 1, __rest : 31; };
struct bits_keywords { u32 in : 4, type : 5, self : 3, set_in : 2, self_ : 2, in_ : 8; tiny t : 2; bool yes : 1; enum mode m : 3; signed char minus : 5; unsigned long long whole : 64; long long most : 63; };
struct bits_packed { u8 a : 3; u16 b : 12, c : 9; long long d : 40; } __attribute__((packed));
struct declarators { int (*fa[3])(int[5]); int (*(*pf)(void))[4]; int (*(*pg[2])(void))[4]; int *(*pi[2])[3]; u32 (*pj)[3][2]; int last; };
typedef int (*functions[3])(int[5]);
struct of_functions { functions x[2]; int last; };
typedef int vector __attribute__((vector_size(16)));
struct vectors { int x __attribute__((vector_size(16))); int y; vector z[2]; u8 v; u8 large __attribute__((vector_size(64))); };
struct packed_vector { u8 a; vector v; } __attribute__((packed));
struct complex { u8 a; _Complex float f; u8 b; _Complex double d[2]; _Complex long double l; };
union bits_in_union { u32 a : 20; struct { u32 b : 4; }; };
struct bits_in_both { u32 x; struct { u32 b : 4; int y; }; u32 c : 4; struct { u32 bits_1 : 3; struct { u8 z; u8 d : 3; }; }; u32 bits_0; };
struct dunders { int __class__, __init__, __dict__, __slots__, _type_; u32 __hash__ : 3, __on : 4; };
#endif
