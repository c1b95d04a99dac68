/*
 * abi/read_dims.h - "dims" of a document against its types
 *
 * Layer L2, internal to json/. A document does not store dimensions: they follow from the
 * types, and are written for readers that do not look aliases up.
 */
#ifndef ABI_READ_DIMS_H
#define ABI_READ_DIMS_H

#include "abi/dom.h"

/**
 * read_dims_check - are the "dims" in the text those that the types have?
 * @root: the text of @abi, whose records json_read_abi() has accepted
 *
 * Return: 0; ERR_FORMAT with the path of the first that contradicts.
 */
int read_dims_check(const struct json_value *root, const struct abi *abi, struct err *err);

#endif
