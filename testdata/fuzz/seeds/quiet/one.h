/* guard */
#ifndef A_H
#define A_H
#include "b.h"
# include <c.h>	// angled
#include_next <d.h>
#define HEADER "e.h"
#include HEADER
#define PLAIN (0x20U) /* a
  comment */ + 1
#define LONG a \
	b "c\"d // e" 'f\'' \  
	g // h \
	i
#define FUNC(x, ...) x##_t #x __VA_ARGS__
%:define DIGRAPH 1
??=define TRIGRAPH 2
#undef PLAIN
#pragma push_macro("LONG")
#pragma pop_macro("LONG")
#if 0
#define NOT_PLAIN '"'
#else /*
*/ #endif
#define EMPTY
struct s { int a; /* PLAIN */ };
#endif
