#ifndef CTRL0000_H
#define CTRL0000_H

#include "ctrl0000/ctrl0000system.h"
#include "ctrl0000/ctrl0000unix.h"

#endif
