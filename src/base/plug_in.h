/* SPDX-License-Identifier: Apache-2.0 */
/* plug_in.h - plug-ins: libraries tessera_NAME.so that are opened at run time. */
#ifndef TSR_BASE_PLUG_IN_H
#define TSR_BASE_PLUG_IN_H

#include "base/str.h"

/* Opens tessera_<name>.so, with dlopen's flags: from a folder of TESSERA_PLUGINS (folders, parted by colons), from beside
 * the program and the library, from where both are installed, or from where the system looks. It stays open. NULL: why
 * receives the loader's message; it stays empty where there is no such file. */
void *tsr_plug_in_open(const char *name, int flags, tsr_buf *why);
/* An exported symbol, which is a function: its address is copied to fn, a pointer to it. False: there is none. */
bool tsr_plug_in_find(void *library, const char *symbol, void *fn);

#endif
