#ifndef CL003E_H
#define CL003E_H

/* Memory of the machine, which the device may read and write. */
#define NV01_MEMORY_SYSTEM (0x0000003EU)

#endif
