/* Which calls the memory manager answers. UVM_RESERVE_VA is none of them any more. */
#include "uvm_ioctl.h"
#include "uvm_linux_ioctl.h"

static long uvm_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
    switch (cmd)
    {
        case UVM_DEINITIALIZE:
            return 0;

        UVM_ROUTE_CMD_STACK_NO_INIT_CHECK(UVM_INITIALIZE,         uvm_api_initialize);

        UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_REGISTER_GPU,          uvm_api_register_gpu);
        UVM_ROUTE_CMD_STACK_INIT_CHECK(UVM_FREE,                  uvm_api_free);
        UVM_ROUTE_CMD_ALLOC_INIT_CHECK(UVM_MAP_EXTERNAL_ALLOCATION,
                                       uvm_api_map_external_allocation);
    }

    return -EINVAL;
}
