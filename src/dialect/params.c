/* SPDX-License-Identifier: Apache-2.0 */
/* params.c - the column PARAMS of all rows; see params.h. */
#include "dialect/hooks.h"

typedef void any_fn(void); /* any hook; its kind determines its type */

enum {
    KIND_none,
#define X(kind) KIND_##kind,
    TSR_PARAMS_KINDS(X)
#undef X
};

static const uint8_t kinds[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = 0
#define PARAMS(kind, hook) +KIND_##kind
#define END ,
#include "dialect/ops.def"
};

static any_fn *const hooks[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = 0
#define PARAMS(kind, hook) +(any_fn *)params_##hook
#define END ,
#include "dialect/ops.def"
};

static any_fn *find(const tsr_op *op, int kind)
{
    uint16_t opcode = op->def->opcode;
    return opcode < TSR_OP__COUNT && kinds[opcode] == kind ? hooks[opcode] : NULL;
}

#define X(kind)                                                      \
    bool tsr_##kind##_of(const tsr_op *op, tsr_##kind *out)          \
    {                                                                \
        any_fn *hook = find(op, KIND_##kind);                        \
        memset(out, 0, sizeof *out);                                 \
        if (hook)                                                    \
            ((void (*)(const tsr_op *, tsr_##kind *))hook)(op, out); \
        return hook != NULL;                                         \
    }
TSR_PARAMS_KINDS(X)
#undef X

int64_t tsr_gather_window(const tsr_gather *g, const tsr_type *slices, int64_t dim)
{
    size_t at = 0;
    if (!tsr_gather_keeps(g, dim))
        return 1;
    for (int64_t d = 0; d < dim; d++)
        at += tsr_gather_keeps(g, d);
    return slices->dims[tsr_ints_at(g->window, at)];
}
