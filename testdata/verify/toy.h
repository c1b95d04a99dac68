/*
 * A driver of one header, with what is hard for a proxy's table in it:
 * handles, pointers and descriptors in every position, unions that are read
 * as bytes or by one member, arrays of records in one and two dimensions,
 * bit-fields, typedefs of arrays, fields that the driver itself calls
 * reserved. table.json is right about all of it; the tests plant faults in
 * that. Records below "Not used" are what those put in the place of others.
 */
#ifndef TOY_H
#define TOY_H

typedef unsigned char ToyU8;
typedef unsigned short ToyU16;
typedef unsigned int ToyU32;
typedef int ToyS32;
typedef unsigned long long ToyU64;
typedef ToyU32 ToyHandle;
typedef void *ToyP64 __attribute__((aligned(8)));
typedef ToyU32 ToyVector[4];

typedef enum { TOY_MODE_OFF, TOY_MODE_ON } TOY_MODE;

typedef struct { ToyU8 uuid[16]; } ToyUuid;

#define TOY_CMD_OPEN 0x101
typedef struct {
	ToyHandle hClient;
	ToyS32 fd;
	TOY_MODE mode;
	ToyU16 minor;
	ToyU8 reserved0[2];
	ToyUuid uuid;
	ToyUuid peers[2];
	char name[12];
} TOY_OPEN_PARAMS;

#define TOY_CMD_COPY 0x102
typedef struct {
	ToyP64 source;
	ToyP64 targets[4];
	ToyU64 length;
	long long shift;
	short delta;
	ToyU8 flags;
	ToyU32 status;
} TOY_COPY_PARAMS;

#define TOY_CMD_BATCH 0x103
struct toy_op {
	ToyU32 opcode;
	ToyS32 delta;
	ToyHandle hObject;
	ToyU64 value;
};
typedef struct {
	ToyU32 count;
	struct toy_op ops[3];
	struct toy_op table[2][2];
	ToyHandle hList[8];
} TOY_BATCH_PARAMS;

/* Read as bytes; nothing in it is a pointer. */
#define TOY_CMD_SAMPLE 0x104
typedef struct {
	ToyU32 kind;
	union {
		ToyU8 raw[24];
		ToyU64 counters[3];
		struct { ToyHandle hObject; ToyU32 rate; } stream;
	} data;
} TOY_SAMPLE_PARAMS;

/* Read by one member, which covers the other. */
#define TOY_CMD_MAP 0x105
typedef struct {
	ToyHandle hObject;
	union {
		struct { ToyU64 address; ToyU32 size; ToyU32 kind; } map;
		struct { ToyHandle hPeer; ToyU32 index; ToyU64 cookie; } import;
	} by;
	union {
		ToyP64 pointer;
		ToyU64 cookie;
	} where;
} TOY_MAP_PARAMS;

#define TOY_CMD_BITS 0x106
typedef struct {
	ToyU32 low : 4;
	ToyU32 high : 28;
	ToyU32 flag : 1;
	ToyU32 : 0;
	ToyU8 last;
} TOY_BITS_PARAMS;

#define TOY_CMD_VECTOR 0x107
typedef struct {
	ToyVector rows[2];
	ToyVector single;
} TOY_VECTOR_PARAMS;

/* Passed through unread. */
#define TOY_CMD_QUERY 0x108
typedef struct {
	ToyU32 value[8];
	ToyHandle hObject;
} TOY_QUERY_PARAMS;

#define TOY_CMD_STATS 0x109
typedef struct {
	struct { ToyU64 hits; ToyU64 misses; } cache[4];
	union { ToyU32 word; ToyU8 bytes[4]; } last;
} TOY_STATS_PARAMS;

/* In no table of the driver: its name alone says what it takes. */
#define NV0000_CTRL_CMD_TOY_OLD 0x10a
typedef struct {
	ToyU32 age;
} NV0000_CTRL_TOY_OLD_PARAMS;

/* A typedef, not a record. */
#define TOY_CMD_FREE 0x10b
typedef ToyHandle TOY_FREE_PARAMS;

/* Without parameters. */
#define TOY_CMD_RESET 0x10c

/* --- Not used by any ioctl ------------------------------------------------ */

/* Pointers and descriptors that only flattening finds. */
struct toy_hidden_in_union {
	ToyU32 kind;
	union { ToyU64 value; ToyP64 pointer; } u;
};
struct toy_hidden_in_array {
	ToyU32 count;
	struct { ToyU64 value; ToyP64 pointer; } e[3];
};
struct toy_hidden_in_two_dimensions {
	struct { ToyU32 value; ToyS32 fd; } e[2][3];
};
struct toy_hidden_deep {
	union { struct { union { struct { ToyU32 a; ToyS32 notifyFd; } b[2]; ToyU64 c; } d; } e[2]; ToyU8 f[16]; } g;
};
struct toy_hidden_array_of_pointers {
	union { ToyP64 pointers[2]; ToyU64 values[2]; } u;
};

/* Almost TOY_QUERY_PARAMS. */
struct toy_almost_query {
	ToyU32 value[9];
};

#endif
