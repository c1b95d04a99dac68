/*
 * base/base.h - the public header of the room: small, finished, boring
 *
 * Layer L0: includes nothing of the project but its own files.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include "base/arena.h"
#include "base/byte_reader.h"
#include "base/chardev.h"
#include "base/data_paths.h"
#include "base/embed.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/processes.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/varint.h"
#include "base/compress.h"
#include "base/ctext.h"

#endif
