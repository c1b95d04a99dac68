#define NV_ESC_A 0x2a /* struct s */
#define NV_MASK (1 << 3)
#define NV_BAD (1 +
#define NV_STRING "x"
typedef unsigned int NvU32;
enum e { E_A, E_B = 1u << 31, E_C = -1 };
struct s {
	NvU32 a:3, :2, b:7;
	union { int fd; void *p; } u;
	struct { enum e x[2][3]; } in[4];
	struct { char c; };
	int (*f[2])(int);
	struct t *next;
	char tail[];
};
typedef struct { NvU32 z __attribute__((aligned(16))); } T;
struct t { T t; } __attribute__((packed));
