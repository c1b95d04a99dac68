/*
 * decode/counted.h - which field counts the elements of an array
 *
 * Internal to decode/.
 */
#ifndef DECODE_COUNTED_H
#define DECODE_COUNTED_H

#include "abi/abi.h"

/**
 * decode_counted_by - the field of @record that says how many elements of @array are in use
 *
 * The one whose name says so ("pidTblCount" of "pidTbl", "numObjects" of
 * "objects"), or the only count of a record that has one array, if it is
 * named after a part of it ("gpuCount" of "gpuIds") or after nothing ("count",
 * "numEntries"). A count of something else hides elements that are in use, and
 * a count that is not found hides none; so in doubt there is none.
 *
 * @array is one of the record's fields.
 * Return: NULL if there is none.
 */
const struct abi_field *decode_counted_by(const struct abi_record *record, const struct abi_field *array);

#endif
