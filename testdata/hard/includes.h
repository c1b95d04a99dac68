/*
 * Includes: through "..", through ".", by another name for the same file, by
 * a macro, from a directory of the profile, in a branch that is not taken.
 */
#include "deep/er/inner.h"
#include "deep/../shared.h"
#include "deep/er/../er/./sibling.h"
#include <deep/er/inner.h>

#define SHARED "shared.h"
#include SHARED

#if 0
#include "no/such/file.h"
#endif
/* #include "nor/this.h" */

struct includes {
	struct inner i;
	struct sibling s;
};
