/*
 * testdata/fuzz/lib/fuzz.h - functions for all fuzz targets
 *
 * Each testdata/fuzz/TARGET.c is a libFuzzer program that passes its input to
 * one reader. scripts/fuzz builds and runs the targets. They report crashes,
 * sanitizer errors, hangs, and failed assertions.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "abi/abi.h"

/* LLVMFuzzerTestOneInput - test one input. libFuzzer calls this function. Return: 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* MUST - assert that @promise is true; abort otherwise, so that libFuzzer reports the input */
#define MUST(promise) ((promise) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #promise, NULL))
/* MUST_SAY - the same as MUST, and print the message of @err if the assertion fails */
#define MUST_SAY(promise, err) ((promise) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #promise, (err)->text))

_Noreturn void fuzz_fail(const char *file, int line, const char *promise, const char *why);

/* fuzz_text - copy @data to memory of exactly @size + 1 bytes, with a NUL at the end. Free it with free(). */
char *fuzz_text(const uint8_t *data, size_t size);

/* fuzz_sentence - assert that @err has a message that is not empty and not cut off */
void fuzz_sentence(const struct err *err);

/* struct fuzz_choice - the rest of the input, as a source of choices. After its end, all choices are 0. */
struct fuzz_choice {
	const uint8_t *at;
	size_t left;
};

/* fuzz_pick - choose a number from 0 to @count - 1. @count is at most 256. */
unsigned fuzz_pick(struct fuzz_choice *choice, unsigned count);
uint64_t fuzz_number(struct fuzz_choice *choice);

/* fuzz_document - generate a document. It is mostly valid, but can have wrong sizes, offsets or types. */
void fuzz_document(struct abi *out, struct fuzz_choice *choice, struct arena *arena);
/* fuzz_next_version - generate the next version of @abi, with a few changes */
void fuzz_next_version(struct abi *out, const struct abi *abi, struct fuzz_choice *choice, struct arena *arena);

/* The demo driver's document (demo.json) and table (testdata/demo/table.json). They are read only once. */
const struct abi *fuzz_demo_abi(void);
const struct table *fuzz_demo_table(void);

/*
 * Run a pass on a document, and assert that the results are as documented in
 * the headers.
 */
void fuzz_flatten_all(const struct abi *abi);
void fuzz_round_trip(const struct abi *abi); /* write, read and write JSON: the same bytes */
void fuzz_pack_trip(const struct abi *abi);  /* pack and unpack: the same document */
void fuzz_diff(const struct abi *base, const struct abi *next, const struct table_view *view);
void fuzz_show_all(const struct abi *abi);   /* drvabi show of all items, and the surface */
void fuzz_verify(const struct abi *abi, const struct table_view *view, const char *suppressions);

#endif
