/* Array lengths that several headers share. */
#ifndef DEMOLIMITS_H
#define DEMOLIMITS_H

#define DEMO_MAX_ENGINES      8
#define DEMO_MAX_NAME_LENGTH  32

#endif
