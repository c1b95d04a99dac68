/* Ioctls and records as UAPI headers of Linux have them, and some that are harder; read by 6013-gen-uapi.t. */
#ifndef UAPI_H
#define UAPI_H
typedef unsigned int __u32; typedef unsigned long long __u64; typedef unsigned char __u8; typedef unsigned short __u16;
#define _IOC(d,t,n,s) (((d)<<30)|((t)<<8)|(n)|((s)<<16))
#define _IOW(t,n,x) _IOC(1U,t,n,sizeof(x))
#define _IOWR(t,n,x) _IOC(3U,t,n,sizeof(x))
#define _IO(t,n) _IOC(0U,t,n,0)
typedef struct { long long a; long double b; } max_align_t;
typedef struct { int __val[2]; } __fsid_t;
typedef long intptr_t; typedef unsigned long uintptr_t; typedef unsigned long size_t; typedef long ssize_t; typedef int wchar_t;
typedef unsigned long uint64_t; typedef long int64_t; typedef unsigned char uint8_t; typedef _Bool bool;
struct use { max_align_t m; __fsid_t f; size_t s; ssize_t ss; wchar_t w; uint64_t u; int64_t i; bool b; intptr_t p; };
struct flex { __u32 n; __u32 pad; struct { __u64 a; __u32 b; } e[]; };
struct flexz { __u32 n; __u64 data[0]; };
struct flexu { __u32 n; union { __u32 a[0]; __u64 b[0]; }; };
struct outer { __u32 x; struct flex tail; };
struct __attribute__((aligned(8))) al { __u32 a; };
struct al2 { __u8 a; struct al v[3]; __u8 z __attribute__((aligned(4))); };
struct pk { __u8 a; struct al v; __u64 b; } __attribute__((packed));
struct pk4 { __u8 a; __u64 b; } __attribute__((packed, aligned(4)));
struct inpk { __u8 x; struct pk4 p; __u16 y; } __attribute__((packed));
typedef __u64 __aligned_u64 __attribute__((aligned(8)));
typedef __u64 lessu64 __attribute__((aligned(4)));
struct less { __u32 a; lessu64 b; __u32 c; };
typedef struct { __u8 b[16]; } __attribute__((aligned(16))) vec;
struct vecs { __u8 a; vec v; vec w[2]; };
union un { struct { __u32 a; union { __u16 b; struct { __u8 c, d; }; }; }; __u64 whole; __u8 raw[12]; };
enum big { BIG_A = 0x100000000ULL, BIG_B = -1LL };
enum neg { NEG_A = -5, NEG_B = 7 };
enum u8e { E8_A, E8_B = 255 } __attribute__((packed));
enum { ANON_A = 1, ANON_B = 1 << 31 };
struct enums { enum big b; enum neg n; enum u8e e; enum { IN_A, IN_B } in; };
struct fnp { int (*f)(int, void *); void *(*g[3])(void); const char *const *names; struct fnp *next; volatile int v; };
struct pad1 { __u8 a; __u8 : 0; __u8 b; __u32 : 5; __u32 c : 3; __u32 : 0; __u32 d : 9; };
struct vla2 { __u32 m[2][3][4]; __u8 s[0][4]; __u16 last[]; };
struct shadow { __u32 u32; __u32 u8; __u32 c_void; __u32 core; __u32 size; __u32 value; __u32 bytes; __u32 ctypes; __u32 offsetof; __u32 linux_; };
struct u32 { __u32 x; }; struct core { struct u32 u; }; struct layout { int layout; }; struct bit_fields { int a : 3; }; struct ctypes { int x; }; struct int_ { int y; }; struct Layout { int record; };
struct property { int a : 2; int get : 3; int put : 4; int property : 5; };
struct clone { int clone : 4; int into : 3; int drop : 4; int borrow : 5; int eq : 2;};
struct onlybits { int : 4; };
struct onlypad { int : 0; };
union uempty { };
struct hasempty { struct onlypad p; union uempty u; int x; };
struct i128 { __int128 a; unsigned __int128 b : 100; };
struct flt { float a[3]; double d; long double l[2]; _Complex float cf; };
struct bf16 { __u16 a : 9; __u32 b : 20; __u64 c : 50; __u8 d; __u16 e : 4; };
struct ms { char c; long long b : 7; short s : 9; } __attribute__((ms_struct));
typedef struct flex flex_t; typedef flex_t flex_tt; typedef struct flex flex_arr[2];
struct self { struct self *self; __u32 Self; __u32 super; };
struct dup { union { struct { __u32 a; }; struct { __u32 b; }; }; union { struct { __u32 c; }; struct { __u32 d; }; }; };
struct anonarr { struct { __u8 x; __u32 y; } a[2][3]; union { __u16 q; } b; } ;
struct wide { __u8 a; __u64 b : 33; __u8 c; } __attribute__((packed));
struct unaligned_end { __u64 a; __u8 b; } __attribute__((packed, aligned(2)));
#define X_GET _IOWR('x', 1, struct use)
#define X_FLEX _IOW('x', 2, struct flex)
#define X_ARR _IOW('x', 3, struct al[3])
#define X_LEN(len) _IOC(2U, 'x', 0x10 + (len), len)
#define X_INT _IOW('x', 4, int)
#define X_UL _IOW('x', 5, unsigned long)
#define X_CH _IOW('x', 6, char *)
#define X_NONE _IO('x', 7)
#define X_ENUM _IOW('x', 8, enum neg)
#define X_F _IOW('x', 9, flex_tt)
#define X_A2 _IOW('x', 10, flex_arr)
#define X_PTR _IOW('x', 11, struct use *)
#define X_128 _IOW('x', 12, __int128)
#define X_NEG (-17)
#define X_STR "str"
#define X_BIG 0xffffffffffffffffULL
#endif
