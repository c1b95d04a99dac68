/*
 * abi/pack.h - a document as compact, checked bytes
 *
 * Layer L1. Used by cache/. The bytes carry a version of their own and a
 * hash of themselves; anything that is not exactly what abi_pack() wrote is
 * refused, never believed. The form is not an interchange format: JSON is.
 */
#ifndef ABI_PACK_H
#define ABI_PACK_H

#include "abi/document.h"

/* abi_pack - append @abi to @out. */
void abi_pack(struct strbuf *out, const struct abi *abi);

/**
 * abi_unpack - read what abi_pack() wrote
 * @abi: lives in @arena, which gets a copy of every string
 *
 * Return: 0; ERR_FORMAT if the bytes are damaged, cut, or of another version.
 */
int abi_unpack(struct abi *abi, const void *data, size_t size, struct arena *arena, struct err *err);

#endif
