#ifndef CTRL2080_H
#define CTRL2080_H

#include "ctrl2080/ctrl2080demo.h"
#include "ctrl2080/ctrl2080gpu.h"
#include "ctrl2080/ctrl2080perf.h"

#endif
