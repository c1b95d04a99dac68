/*
 * abi/abi.h - the model that every pass agrees on
 *
 * Layer L1: includes base/ only. This is the public header of the room; it
 * includes the others:
 *
 *   abi/document.h  struct abi: records, aliases, enums, constants, ioctls
 *   abi/ioc.h       what the number of an ioctl of Linux is made of
 *   abi/index.h     struct abi_index: what many versions have, and which of them
 *   abi/type.h      reading a type as a document spells it ("NvU32[4][2]")
 *   abi/layout.h    struct abi_layout: the flat scalars of one record
 *   abi/tree.h      struct tree: the files of one driver version
 *   abi/profile.h   struct profile: what to read in such a tree
 *   abi/macros.h    struct macro_index: the macros of all units, and their values
 *   abi/memo.h      struct memo: what is known of a text that the next version may have, too
 *   abi/table.h     struct table: what a proxy believes about the ABI
 *   abi/serialize.h a document as compact, checked bytes
 *   abi/notation.h  a number as the headers write it
 *   abi/use_rules.h what a driver does with process ids and pointers
 *   abi/padding.h   names that say that bytes are unused
 *   abi/abbreviation.h the first numbers of a version
 *   abi/nearest.h   names that exist, for one that does not
 *
 * A document is built with a struct abi_builder, sealed once, and const from
 * then on. All its strings and arrays are in one arena. Names are sorted by
 * strcmp(), so that every output has one order by construction.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "abi/document.h"
#include "abi/index.h"
#include "abi/ioc.h"
#include "abi/layout.h"
#include "abi/macros.h"
#include "abi/memo.h"
#include "abi/abbreviation.h"
#include "abi/nearest.h"
#include "abi/padding.h"
#include "abi/notation.h"
#include "abi/use_rules.h"
#include "abi/serialize.h"
#include "abi/profile.h"
#include "abi/table.h"
#include "abi/tree.h"
#include "abi/type.h"
#include "abi/write_layout.h"
#include "abi/writer.h"
#include "abi/json.h"

#endif
