#pragma once
/* Included by three names; it counts once. */
#include "../../shared.h"
#include "./sibling.h"

struct inner {
	struct shared s;
	struct sibling t;
};
