/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c - the public queries of ops, values, types and symbols. */
#include "ir/ir.h"

tsr_op *tsr_module_op(tsr_module *m)
{
    return m && !m->broken ? m->op : NULL;
}

tsr_op *tsr_module_lookup(tsr_module *m, tsr_str symbol)
{
    tsr_op *op = tsr_module_op(m);
    for (; op;) {
        size_t len = 0;
        while (len < symbol.len &&
               !(symbol.data[len] == ':' && len + 1 < symbol.len && symbol.data[len + 1] == ':'))
            len++;
        op = tsr_symbol_find(op, tsr_str_of(symbol.data, len));
        if (len == symbol.len)
            return op;
        /* Only a symbol table contains names. */
        if (!op || !tsr_op_has(op, TSR_TRAIT(SYMBOL_TABLE)))
            return NULL;
        symbol = tsr_str_of(symbol.data + len + 2, symbol.len - len - 2);
    }
    return NULL;
}

tsr_str tsr_op_name(const tsr_op *op)
{
    return op ? op->def->name : (tsr_str){"", 0};
}

size_t tsr_op_num_operands(const tsr_op *op)
{
    return op ? op->nin : 0;
}

size_t tsr_op_num_results(const tsr_op *op)
{
    return op ? op->nout : 0;
}

size_t tsr_op_num_regions(const tsr_op *op)
{
    return op ? op->nregion : 0;
}

tsr_value *tsr_op_operand(const tsr_op *op, size_t i)
{
    return op && i < op->nin ? op->in[i].value : NULL;
}

tsr_value *tsr_op_result(const tsr_op *op, size_t i)
{
    return op && i < op->nout ? &op->out[i] : NULL;
}

tsr_region *tsr_op_region(const tsr_op *op, size_t i)
{
    return op && i < op->nregion ? &op->regions[i] : NULL;
}

tsr_op *tsr_op_parent(const tsr_op *op)
{
    return op ? tsr_block_parent(op->block) : NULL;
}

tsr_op *tsr_op_next(const tsr_op *op)
{
    return op ? op->next : NULL;
}

tsr_block *tsr_region_first_block(const tsr_region *region)
{
    return region ? region->first : NULL;
}

tsr_block *tsr_block_next(const tsr_block *block)
{
    return block ? block->next : NULL;
}

tsr_op *tsr_block_first_op(const tsr_block *block)
{
    return block ? block->first : NULL;
}

size_t tsr_block_num_args(const tsr_block *block)
{
    return block ? block->nargs : 0;
}

tsr_value *tsr_block_arg(const tsr_block *block, size_t i)
{
    return block && i < block->nargs ? block->args[i] : NULL;
}

tsr_type *tsr_value_type(const tsr_value *v)
{
    return v ? v->type : NULL;
}

tsr_op *tsr_value_def(const tsr_value *v)
{
    return !v || v->is_arg ? NULL : v->op;
}

size_t tsr_value_num_uses(const tsr_value *v)
{
    size_t n = 0;
    for (const tsr_use *use = v ? v->uses : NULL; use; use = use->next)
        n++;
    return n;
}

bool tsr_type_is_tensor(const tsr_type *t)
{
    return tsr_type_is(t, TSR_TYPE_TENSOR) || tsr_type_is(t, TSR_TYPE_UNRANKED_TENSOR);
}

int64_t tsr_type_rank(const tsr_type *t)
{
    return tsr_type_is_ranked(t) ? (int64_t)t->n : -1;
}

int64_t tsr_type_dim(const tsr_type *t, size_t i)
{
    return tsr_type_is_ranked(t) && i < t->n ? t->dims[i] : TSR_DYNAMIC;
}

tsr_type *tsr_type_element(const tsr_type *t)
{
    return tsr_type_is_shaped(t) || tsr_type_is(t, TSR_TYPE_COMPLEX) ? t->elem : NULL;
}
