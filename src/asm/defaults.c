/* SPDX-License-Identifier: Apache-2.0 */
/* defaults.c - the defaults of inherent attributes, as given in their rows. */
#include <stdlib.h>

#include "asm/reader.h"

/* The default as an attribute; NULL if its text is invalid, which would be an error in the table. */
tsr_attr *tsr_slot_default(tsr_ctx *ctx, const tsr_slotdef *slot)
{
    const char *text = slot->value;
    tsr_reader r;
    tsr_reader_init(&r, ctx, NULL, (tsr_str){text, strlen(text)}, TSR_STR("default"), 1);
    tsr_attr *value = tsr_read_attr(&r, NULL);
    tsr_reader_free(&r);
    return value;
}

bool tsr_op_attr_is_default(const tsr_op *op, size_t slot)
{
    const tsr_slotdef *def = &op->def->slots[slot];
    const tsr_attr *value = op->attrs[slot];
    if (def->need != TSR_ATTR_DEFAULT || !value)
        return false;
    if (value->kind == TSR_ATTR_INT &&
        def->constraint->form == TSR_FORM_BOOL) /* by far the most frequent */
        return (value->i != 0) == (strcmp(def->value, "true") == 0);
    return tsr_slot_default(op->module->ctx, def) == value;
}
