/* Rights that one client may give another: each a bit of an access mask. */
#ifndef RS_ACCESS_H
#define RS_ACCESS_H

#define RS_ACCESS_DUP_OBJECT  0U
#define RS_ACCESS_NICE        1U
#define RS_ACCESS_COUNT       2U

#endif
