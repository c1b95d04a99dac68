/* nvidia tree, x86_64-linux-gnu */

typedef unsigned char NvU8; /* size 1 */

typedef unsigned int NvU32; /* size 4 */

/* src/common/sdk/nvidia/inc/nvos.h:96:9 */
struct NVOS_HARD_ALIGNED {
	NvU8 a;                                 /*     0     1 */
	/* hole: 31 bytes */
	NvU8 b __attribute__((aligned(32)));    /*    32     1 */
	/* hole: 31 bytes */
	NvU32 c __attribute__((aligned(32)));   /*    64     4 */
	/* tail padding: 60 bytes */
} __attribute__((aligned(64))); /* size 128, align 64 */

typedef unsigned long long NvU64; /* size 8 */

typedef unsigned short NvU16; /* size 2 */

/* src/common/sdk/nvidia/inc/nvos.h:89:9 */
struct NVOS_HARD_BITS {
	NvU8 a;                                 /*     0     1 */
	NvU32 x : 7;                            /*     1:0   7b */
	/* hole: 17 bits */
	unsigned char : 1;
	unsigned char : 8;
	unsigned char : 8;
	NvU32 y : 3;                            /*     4:0   3b */
	/* hole: 29 bits */
	unsigned char : 5;
	unsigned char : 8;
	unsigned char : 8;
	unsigned char : 8;
	NvU64 z : 33;                           /*     8:0  33b */
	NvU8 b : 1;                             /*    12:1   1b */
	/* hole: 14 bits */
	NvU16 c;                                /*    14     2 */
}; /* size 16, align 8 */

/* src/common/sdk/nvidia/inc/nvos.h:97:9 */
struct NVOS_HARD_BOTH {
	NvU8 a;                                 /*     0     1 */
	NvU64 b;                                /*     1     8 */
	NvU16 c;                                /*     9     2 */
	/* tail padding: 1 byte */
} __attribute__((packed, aligned(4))); /* size 12, align 4 */

/* src/common/sdk/nvidia/inc/nvos.h:104:9 */
struct NVOS_HARD_EMPTY {
}; /* size 0, align 1 */

/* src/common/sdk/nvidia/inc/nvos.h:100:9 */
struct NVOS_HARD_ENUM {
	enum {
		NVOS_A = -1,
		NVOS_B = 5,
	} kind;                                 /*     0     4 */
	enum {
		NVOS_C = 0,
	} small;                                /*     4     4 */
	int zero[0];                            /*     8     0 */
}; /* size 8, align 4 */

/* src/common/sdk/nvidia/inc/nvos.h:106:9 */
struct NVOS_HARD_FILLED {
	NvU8 a;                                 /*     0     1 */
	unsigned char hole_at_1[15];            /* hole: 15 bytes */
	union {
		struct {
			NvU8 b;                 /*    16     1 */
			unsigned char hole_3_at_1[7];
						/* hole: 7 bytes */
			struct {
				NvU32 c;        /*    24     4 */
			};                      /*    24     4 */
			/* tail padding: 4 bytes */
		} __attribute__((aligned(8)));  /*    16    16 */
		struct {
			NvU8 d;                 /*    16     1 */
			unsigned char hole_5_at_1[7];
						/* hole: 7 bytes */
			struct {
				NvU32 e;        /*    24     4 */
			};                      /*    24     4 */
			NvU8 f;                 /*    28     1 */
			/* tail padding: 3 bytes */
		} __attribute__((aligned(8)));  /*    16    16 */
	};                                      /*    16    16 */
	_Atomic(int) n;                         /*    32     4 */
	unsigned char __attribute__((vector_size(4))) m;
	/*    36     4  _Atomic(NVOS_HARD_FILLED::m_t) */
	/* tail padding: 8 bytes */
} __attribute__((aligned(16))); /* size 48, align 16 */

/* src/common/sdk/nvidia/inc/nvos.h:102:9 */
enum NVOS_HARD_TINY {
	NVOS_TINY = 0,
} __attribute__((packed)); /* size 1, unsigned char */

/* src/common/sdk/nvidia/inc/nvos.h:98:9 */
struct NVOS_HARD_WHOLE {
	NvU32 a;                                /*     0     4 */
	/* tail padding: 12 bytes */
} __attribute__((aligned(16))); /* size 16, align 16 */

/* src/common/sdk/nvidia/inc/nvos.h:103:9 */
struct NVOS_HARD_MORE {
	enum NVOS_HARD_TINY tiny;               /*     0     1 */
	/* hole: 7 bytes */
	struct NVOS_HARD_PACKED *more;          /*     8     8  pointer */
	struct NVOS_HARD_WHOLE whole[2];        /*    16    32 */
	struct NVOS_HARD_BOTH both;             /*    48    12 */
	/* tail padding: 4 bytes */
}; /* size 64, align 16 */

/* src/common/sdk/nvidia/inc/nvos.h:101:8 */
struct NVOS_HARD_NODE {
	struct NVOS_HARD_NODE *next;            /*     0     8  pointer */
	const char *name;                       /*     8     8  pointer */
	void *call; /*    16     8  pointer  void (*)(int) */
	void *numbers; /*    24     8  pointer  NvU32 *const * */
	volatile NvU32 v;                       /*    32     4 */
	/* tail padding: 4 bytes */
}; /* size 40, align 8 */

typedef void *NvP64; /* size 8 */

typedef unsigned int NvHandle; /* size 4 */

/* src/common/sdk/nvidia/inc/nvos.h:83:9 */
struct NVOS_HARD_PACKED {
	NvU32 lo : 3;                           /*     0:0   3b */
	/* hole: 2 bits */
	unsigned char : 2;
	NvU32 hi : 5;                           /*     0:5   5b */
	NvU32 straddles : 30;                   /*     1:2  30b */
	struct {
		NvU8 a;                         /*     5     1 */
		/* hole: 7 bytes */
		NvU64 b;                        /*    13     8 */
	} pairs[2][3];                          /*     5    96 */
	union {
		NvU8 byte;                      /*   101     1 */
		NvP64 pointer;                  /*   101     8  pointer */
		struct {
			NvHandle hFirst;        /*   101     4  handle */
			NvU32 fd;               /*   105     4  fd */
		};                              /*   101     8 */
	};                                      /*   101     8 */
	NvU8 tail[];                            /*   109     0 */
} __attribute__((packed)); /* size 109, align 1 */

/* src/common/sdk/nvidia/inc/nvos.h:112:9 */
struct NVOS_HARD_TAIL {
	NvU32 count;                            /*     0     4  count */
	struct NVOS_HARD_EMPTY none;            /*     4     0 */
	struct {
		NvU16 x;                        /*     4     2 */
		NvU8 y;                         /*     6     1 */
	} __attribute__((packed)) pairs[];      /*     4     0 */
}; /* size 4, align 4 */

/* src/common/sdk/nvidia/inc/nvos.h:99:9 */
union NVOS_HARD_UNION {
	NvU8 a[5];                              /*     0     5 */
	NvU16 b;                                /*     0     2 */
	struct {
		NvU8 c;                         /*     0     1 */
		/* hole: 3 bytes */
		NvU32 d;                        /*     4     4 */
	} e[2];                                 /*     0    16 */
} __attribute__((packed)); /* size 16, align 1 */

/* src/common/sdk/nvidia/inc/nvos.h:105:9 */
struct NVOS_HARD_UNNAMED {
	NvU8 a;                                 /*     0     1 */
	unsigned char hole_at_1[7];             /* hole: 7 bytes */
	struct {
		NvU32 b;                        /*     8     4 */
	};                                      /*     8     4 */
	NvU8 c;                                 /*    12     1 */
	NvU16 d;                                /*    13     2 */
	/* tail padding: 1 byte */
} __attribute__((packed, aligned(8))); /* size 16, align 8 */
