/* The scalar types that every header of the demo driver is written in. */
#ifndef NVTYPES_H
#define NVTYPES_H

typedef unsigned char NvU8;
typedef unsigned short NvU16;
typedef unsigned int NvU32;
typedef unsigned long long NvU64;
typedef signed char NvS8;
typedef signed short NvS16;
typedef signed int NvS32;
typedef signed long long NvS64;
typedef NvU8 NvBool;

/* Names an object of the driver. A proxy may have to translate it. */
typedef NvU32 NvHandle;

/* An address in the caller's memory: 64 bits on every target. */
typedef void *NvP64 __attribute__((aligned(8)));

#define NV_ALIGN_BYTES(size) __attribute__((aligned(size)))
#define NV_DECLARE_ALIGNED(member, size) member __attribute__((aligned(size)))

#endif
