/*
 * extract/unit_main.h - the name of the main file
 *
 * Layer L2, inside extract/.
 */
#ifndef EXTRACT_UNIT_MAIN_H
#define EXTRACT_UNIT_MAIN_H

/* What clang calls the main file, which is ours. */
#define UNIT_MAIN "/dev/null/main.c"

#endif
