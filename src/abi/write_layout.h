/*
 * abi/write_layout.h - the members of one flat layout, as "drvabi-flat/1" has them, and of an ioctl's number, as "drvabi-abi/1" does
 *
 * Layer L2, public: for other formats that hold a layout or an ioctl. It borrows all that it
 * is given, and does not fail.
 */
#ifndef ABI_WRITE_LAYOUT_H
#define ABI_WRITE_LAYOUT_H

#include "abi/layout.h"
#include "abi/writer.h"

/* json_write_layout - "size", "align", "is_union", "source", "leaves" and "holes", into the object that is open. */
void json_write_layout(struct json_writer *writer, const struct abi_layout *layout);

/* json_write_leaf - its members, into the object that is open. */
void json_write_leaf(struct json_writer *writer, const struct abi_leaf *leaf);

/* json_write_ioc - the member "ioc", what the number says, into the object of an ioctl that is open; nothing if the number is plain. */
void json_write_ioc(struct json_writer *writer, const struct abi_ioctl *ioctl);

#endif
