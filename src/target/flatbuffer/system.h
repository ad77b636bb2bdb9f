/* SPDX-License-Identifier: Apache-2.0 */
/* system.h - system descriptions as files (.ttsys). */
#ifndef TSR_TARGET_FLATBUFFER_SYSTEM_H
#define TSR_TARGET_FLATBUFFER_SYSTEM_H

#include "target/flatbuffer/value.h"

/* Writes #ttcore.system_desc as a file. False after a diagnostic. */
bool tsr_fb_write_system(tsr_ctx *ctx, tsr_buf *out, tsr_attr *system);
/* Reads one; name is for messages. NULL after a diagnostic at loc. */
tsr_attr *tsr_fb_read_system(tsr_ctx *ctx, tsr_loc loc, tsr_str data, tsr_str name);
/* The attribute of a table. Lists that the text always shows are present even if empty. */
tsr_attr *tsr_fb_system_attr(tsr_fb_conv *c, const tsr_fb_table *t);
/* A file's bytes as a tree; reports errors with their offset, at loc. name: of the file, if loc is not in it. A
 * different schema hash is a warning. */
tsr_fb_table *tsr_fb_load_file(tsr_ctx *ctx, tsr_arena *arena, tsr_loc loc, const tsr_fb_file *file,
                               tsr_str data, tsr_str name);

#endif
