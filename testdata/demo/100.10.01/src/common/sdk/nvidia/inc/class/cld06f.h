#ifndef CLD06F_H
#define CLD06F_H

/* A channel: work goes to the device through it. Its parameters are NV_CHANNEL_ALLOC_PARAMS. */
#define DEMO_CHANNEL_GPFIFO_A (0x0000D06FU)

#endif
