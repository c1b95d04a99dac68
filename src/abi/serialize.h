/*
 * abi/serialize.h - a document as compact, checked bytes
 *
 * Layer L1. The cache stores these bytes, and a worker process sends them to its
 * parent. They begin with a version of their form and a hash of the rest;
 * abi_deserialize() refuses anything that abi_serialize() did not write. This is
 * no interchange format: JSON is.
 */
#ifndef ABI_SERIALIZE_H
#define ABI_SERIALIZE_H

#include "abi/document.h"

/* abi_serialize - append @abi to @out. */
void abi_serialize(struct strbuf *out, const struct abi *abi);

/**
 * abi_deserialize - read what abi_serialize() wrote
 * @abi: in @arena, with a copy of every string; untouched on failure
 *
 * Return: 0; ERR_FORMAT if the bytes are damaged, cut, or of another version.
 */
int abi_deserialize(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err);

#endif
