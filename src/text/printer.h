/* SPDX-License-Identifier: Apache-2.0 */
/* printer.h - shared by the files of the module printer. */
#ifndef TSR_TEXT_PRINTER_H
#define TSR_TEXT_PRINTER_H

#include "asm/writer.h"

/* The name of a value: %number, %name, and #sub if it is one of a group. */
typedef struct {
    const char *name; /* NULL: by number */
    uint32_t len, number;
    uint32_t sub, group; /* position in its group, and the group's size */
} value_label;

typedef struct {
    tsr_writer w;
    tsr_asm a;           /* for assembly hooks; its op changes */
    value_label *labels; /* by value id */
    tsr_arena arena;
    tsr_str default_dialect;
    const struct predecessors
        *preds; /* of the blocks of the region that is printed, when it has several */
} printer;

/* Names every value inside op. */
void printer_name_values(printer *p, tsr_op *op);

#endif
