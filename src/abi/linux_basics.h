/*
 * abi/linux_basics.h - the few headers of Linux that every driver's header includes
 *
 * Layer L2, internal to json/. A profile's unit that says "basics": "linux" gets them as stand-ins, in a directory
 * that is searched last: a tree that has these headers is read with its own. What they declare is the
 * kernel's ABI, and has not changed since Linux 2.6; on x86 and arm64 it is the same.
 */
#ifndef ABI_LINUX_BASICS_H
#define ABI_LINUX_BASICS_H

#include "abi/profile.h"

/*
 * linux_basics_add - add the stand-ins and their directory, <linux/types.h> and <linux/ioctl.h> at the end of the prologue, and the
 * kernel's marks (__user) as empty macros; __packed is what it is in the kernel, as else it would be the name of a variable
 *
 * What linux/types.h and the like declare becomes context: a document has what of it the driver uses. All is in @arena.
 */
void linux_basics_add(struct profile_unit *unit, struct arena *arena);

#endif
