/*
 * base/embed.h - a file of the source tree as text in the program
 *
 * Layer L0. The assembler puts the bytes into read-only data, with a NUL
 * behind: no generated C, and no string literal too long for the standard. The
 * Makefile defines the directory, and rebuilds the object when a file changes.
 */
#ifndef BASE_EMBED_H
#define BASE_EMBED_H

/* EMBED - declares @symbol, "const char symbol[]", with the bytes of the file @path, a literal. */
#define EMBED(symbol, path) \
	__asm__(".pushsection .rodata\n" \
		"\t.globl " #symbol "\n" \
		"\t.hidden " #symbol "\n" \
		#symbol ":\n" \
		"\t.incbin \"" path "\"\n" \
		"\t.byte 0\n" \
		"\t.popsection\n"); \
	extern const char symbol[] __attribute__((visibility("hidden")))

#endif
