/* Takes the place of the C library's <limits.h>: see LIBC in witness.py. */
