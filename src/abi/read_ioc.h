/*
 * abi/read_ioc.h - what an ABI document says of an ioctl's number
 *
 * Layer L2, internal to json/.
 */
#ifndef ABI_READ_IOC_H
#define ABI_READ_IOC_H

#include "abi/dom.h"

/**
 * json_read_ioc - the "ioc" of an ioctl
 * @ioctl: its number is set; its encoding, varies and argument are set here
 * @at: absent is fine: then the number is plain
 *
 * Return: 0; ERR_FORMAT, also if the number says something else.
 */
int json_read_ioc(struct abi_ioctl *ioctl, const struct json_value *at, struct arena *arena, struct err *err);

#endif
