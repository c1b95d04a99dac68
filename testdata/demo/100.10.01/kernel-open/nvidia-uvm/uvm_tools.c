/* What the tools' device answers: nothing yet. */
#include "uvm_ioctl.h"

static long uvm_tools_unlocked_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
    switch (cmd)
    {
    }

    return -EINVAL;
}
