/*
 * cli/sniff_chain.h - what a recorded call is, and what is inside
 *
 * Layer L6. For recorders that do not say so themselves.
 */
#ifndef CLI_SNIFF_CHAIN_H
#define CLI_SNIFF_CHAIN_H

#include "call/call.h"
#include "trace/trace.h"

/**
 * sniff_chain_of - by the bytes in a message: those before the call, or, if these were not recorded, after it
 *
 * Return: how many are set; 0 if it is no ioctl of a family that the driver has.
 */
size_t sniff_chain_of(struct call chain[CALL_DEPTH_MAX], const struct trace_message *message, const struct abi *abi);

#endif
