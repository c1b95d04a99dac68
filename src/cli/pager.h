/*
 * cli/pager.h - long results on a terminal, through a pager, as git shows them
 *
 * Layer L6. DRVABI_PAGER names the pager, else PAGER, else it is less; "cat" or an empty name is none. less gets LESS=FRX unless LESS is
 * set: it ends at once if all fits on the screen, passes colours through, and leaves the text on the screen.
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include "abi/abi.h"

/**
 * pager_show - show @text, which is complete, in the pager, and wait for its end
 * @why: a sentence if a pager that the user named cannot be run; else as it was
 *
 * To be called if standard output is a terminal. A pager that the user quits early is no error, and its own exit status does not count.
 * Return: false if there is no pager, or it could not be started: then nothing was shown.
 */
bool pager_show(const char *text, size_t length, struct err *why);

#endif
