/*
 * testdata/fuzz/lib/fuzz.h - what the fuzzing targets share
 *
 * Each testdata/fuzz/TARGET.c is one libFuzzer program that feeds bytes to
 * one reader; scripts/fuzz builds and runs them. A finding is a crash, a
 * report of a sanitizer, a hang, or a promise of ours that did not hold.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "abi/abi.h"

/* What libFuzzer calls. Return: 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* MUST - a promise; if it does not hold, the input is a finding. */
#define MUST(promise) ((promise) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #promise, NULL))
/* MUST_SAY - the same, for what has a sentence in a struct err. */
#define MUST_SAY(promise, err) ((promise) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #promise, (err)->text))

_Noreturn void fuzz_fail(const char *file, int line, const char *promise, const char *why);

/* fuzz_text - a copy in memory of its very size, with a NUL behind it, so that reading on is seen. Freed with free(). */
char *fuzz_text(const uint8_t *data, size_t size);

/* fuzz_sentence - @err holds one finished sentence, or at least something that can be shown as one line. */
void fuzz_sentence(const struct err *err);

/* The input as a source of choices; zeros when it is used up. */
struct fuzz_choice {
	const uint8_t *at;
	size_t left;
};

/* fuzz_pick - 0 … @count - 1; @count is at most 256. */
unsigned fuzz_pick(struct fuzz_choice *choice, unsigned count);
uint64_t fuzz_number(struct fuzz_choice *choice);

/* fuzz_document - a document made of choices: mostly sound, sometimes a lie. */
void fuzz_document(struct abi *out, struct fuzz_choice *choice, struct arena *arena);
/* fuzz_next_version - @abi with a few changes, as another version would have. */
void fuzz_next_version(struct abi *out, const struct abi *abi, struct fuzz_choice *choice, struct arena *arena);

/* The imaginary driver and table of testdata/demo, read once. */
const struct abi *fuzz_demo_abi(void);
const struct table *fuzz_demo_table(void);

/*
 * What may be done with a document, with every promise that the headers make
 * checked on the way.
 */
void fuzz_flatten_all(const struct abi *abi);
void fuzz_round_trip(const struct abi *abi); /* JSON and back: the same bytes */
void fuzz_pack_trip(const struct abi *abi);  /* packed and back: the same document */
void fuzz_diff(const struct abi *base, const struct abi *next, const struct table_view *view);
void fuzz_show_all(const struct abi *abi);   /* drvabi show of everything, and the surface */
void fuzz_verify(const struct abi *abi, const struct table_view *view, const char *suppressions);

#endif
