/* SPDX-License-Identifier: Apache-2.0 */
/* invariants.c - checks what must hold of the IR between any two passes, and of a context's interned objects at its
 * end. The structural verifier (verify.c) checks programs and emits diagnostics; this file checks the compiler itself,
 * and aborts. It runs after each pass in builds with DEBUG=1 or sanitizers. */
#include "ir/ir.h"

#define HOLDS(op, cond, what) \
    tsr_assert(cond, "'%.*s' after a pass: %s", TSR_STR_ARG((op)->def->name), what)

/* ---- Ids: side tables of passes are indexed by them ---- */

typedef struct {
    tsr_arena scratch;
    tsr_bitset ops, values, blocks;
} ids_seen;

static void see(const tsr_op *op, tsr_bitset *seen, uint32_t id, const char *what)
{
    HOLDS(op, id < seen->n, what);
    HOLDS(op, !tsr_bitset_has(seen, id), what);
    tsr_bitset_add(seen, id);
}

static void check_ids(ids_seen *seen, const tsr_op *op)
{
    see(op, &seen->ops, op->id, "its id is another op's, or too large");
    for (uint32_t i = 0; i < op->nout; i++)
        see(op, &seen->values, op->out[i].id, "a result's id is another value's, or too large");
    for (uint32_t r = 0; r < op->nregion; r++)
        TSR_REGION_BLOCKS (&op->regions[r], b) {
            see(op, &seen->blocks, b->id, "a block's id is another block's, or too large");
            for (uint32_t i = 0; i < b->nargs; i++)
                see(op, &seen->values, b->args[i]->id,
                    "an argument's id is another value's, or too large");
        }
}

/* ---- Attributes ---- */

static void check_dict(const tsr_op *op, const tsr_attr *dict)
{
    HOLDS(op, dict->kind == TSR_ATTR_DICT && dict->n,
          "its discardable attributes are no dictionary");
    for (uint32_t i = 0; i < dict->n; i++) {
        HOLDS(op, dict->named[i].value, "a discardable attribute is missing");
        HOLDS(op, !i || tsr_str_cmp(dict->named[i - 1].name->str, dict->named[i].name->str) < 0,
              "discardable attributes are not sorted by name");
    }
}

static void check_attrs(const tsr_op *op)
{
    bool unregistered = op->def->opcode == TSR_UNREGISTERED;
    HOLDS(op, !unregistered || op->def->nslot == 1,
          "an unknown op has other slots than properties");
    if (!op->extra)
        return;
    check_dict(op, op->extra);
    for (uint32_t i = 0; i < op->extra->n; i++)
        HOLDS(op, tsr_opdef_slot(op->def, op->extra->named[i].name->str) < 0,
              "an inherent attribute is among the discardable ones");
}

/* ---- Links ---- */

/* Every use in the list is an operand of an op in some block, and the list is linked both ways. */
static size_t check_uses(const tsr_op *op, const tsr_value *v)
{
    size_t n = 0;
    for (const tsr_use *u = v->uses; u; u = u->next, n++) {
        HOLDS(op, u->value == v, "a use of another value is in its list");
        HOLDS(op, *u->prev == u, "a use list is broken");
        HOLDS(op, u >= u->user->in && u < u->user->in + u->user->nin, "a use is no operand");
    }
    return n;
}

static void check_operands(const tsr_op *op)
{
    HOLDS(op, op->nin <= op->cap_in, "more operands than room for them");
    for (uint32_t i = 0; i < op->nin; i++) {
        const tsr_use *u = &op->in[i];
        HOLDS(op, u->value, "an operand is missing");
        HOLDS(op, u->user == op, "an operand has another user");
        HOLDS(op, *u->prev == u, "an operand is in no use list");
        HOLDS(op, u->value->type, "an operand has no type");
    }
    uint64_t of_blocks = 0;
    for (uint32_t i = 0; i < op->nsucc; i++) {
        HOLDS(op, op->succ[i], "a successor is missing");
        of_blocks += op->nsuccin[i];
    }
    HOLDS(op, of_blocks <= op->nin, "blocks take more operands than there are");
}

static size_t check_results(const tsr_op *op)
{
    size_t uses = 0;
    for (uint32_t i = 0; i < op->nout; i++) {
        const tsr_value *v = &op->out[i];
        HOLDS(op, !v->is_arg && v->op == op && v->index == i, "a result is another op's");
        HOLDS(op, v->type, "a result has no type");
        uses += check_uses(op, v);
    }
    return uses;
}

static size_t check_block(const tsr_op *op, const tsr_region *region, const tsr_block *b)
{
    size_t uses = 0;
    HOLDS(op, b->region == region, "a block is another region's");
    HOLDS(op, b->prev ? b->prev->next == b : region->first == b, "blocks are not linked");
    HOLDS(op, b->next ? b->next->prev == b : region->last == b, "blocks are not linked");
    HOLDS(op, b->nargs <= b->cap_args, "more arguments than room for them");
    for (uint32_t i = 0; i < b->nargs; i++) {
        const tsr_value *v = b->args[i];
        HOLDS(op, v->is_arg && v->block == b && v->index == i, "an argument is another block's");
        HOLDS(op, v->type, "an argument has no type");
        uses += check_uses(op, v);
    }
    for (const tsr_op *inner = b->first; inner; inner = inner->next) {
        HOLDS(inner, inner->block == b, "it is another block's");
        HOLDS(inner, inner->prev ? inner->prev->next == inner : b->first == inner,
              "ops are not linked");
        HOLDS(inner, inner->next ? inner->next->prev == inner : b->last == inner,
              "ops are not linked");
    }
    return uses;
}

void tsr_op_check_invariants(tsr_op *root)
{
    size_t operands = 0, uses = 0;
    const tsr_module *m = root->module;
    ids_seen seen;
    tsr_arena_init(&seen.scratch);
    seen.ops = tsr_bitset_new(&seen.scratch, m->nop);
    seen.values = tsr_bitset_new(&seen.scratch, m->nvalue);
    seen.blocks = tsr_bitset_new(&seen.scratch, m->nblock);
    TSR_OPS (root, op) {
        HOLDS(op, op->module == root->module, "it is another module's");
        HOLDS(op, op->def->opcode == TSR_UNREGISTERED || !op->nregion || op->regions,
              "regions are missing");
        check_ids(&seen, op);
        check_attrs(op);
        check_operands(op);
        operands += op->nin;
        uses += check_results(op);
        for (uint32_t r = 0; r < op->nregion; r++) {
            HOLDS(op, op->regions[r].op == op, "a region is another op's");
            TSR_REGION_BLOCKS (&op->regions[r], b)
                uses += check_block(op, &op->regions[r], b);
        }
    }
    /* Values from outside of root may be used inside, but values inside must not be used outside. */
    HOLDS(root, uses <= operands, "more uses than operands");
    HOLDS(root, root != root->module->op || uses == operands, "operands that no value knows");
    tsr_arena_free(&seen.scratch);
}

/* ---- Interned objects ---- */

/* The type that the constructor of t's kind returns for t's parts. */
static tsr_type *made_again(tsr_ctx *ctx, const tsr_type *t)
{
    switch ((tsr_type_kind)t->kind) {
    case TSR_TYPE_INTEGER: return tsr_type_integer(ctx, t->width, (tsr_signedness)t->sub);
    case TSR_TYPE_FLOAT: return tsr_type_float(ctx, (tsr_float_kind)t->sub);
    case TSR_TYPE_INDEX: return tsr_type_index(ctx);
    case TSR_TYPE_NONE: return tsr_type_none(ctx);
    case TSR_TYPE_COMPLEX: return tsr_type_complex(ctx, t->elem);
    case TSR_TYPE_TENSOR: return tsr_type_tensor(ctx, t->dims, t->n, t->elem, t->attr);
    case TSR_TYPE_UNRANKED_TENSOR: return tsr_type_unranked_tensor(ctx, t->elem);
    case TSR_TYPE_VECTOR: return tsr_type_vector(ctx, t->dims, t->n, t->elem, t->attr);
    case TSR_TYPE_MEMREF: return tsr_type_memref(ctx, t->dims, t->n, t->elem, t->attr, t->space);
    case TSR_TYPE_UNRANKED_MEMREF: return tsr_type_unranked_memref(ctx, t->elem, t->space);
    case TSR_TYPE_TUPLE: return tsr_type_tuple(ctx, t->types, t->n);
    case TSR_TYPE_FUNCTION: return tsr_type_function(ctx, t->types, t->n, t->types + t->n, t->nout);
    case TSR_TYPE_DIALECT: return tsr_type_dialect(ctx, t->def, t->params);
    case TSR_TYPE_OPAQUE: return tsr_type_opaque(ctx, t->name, t->parts, t->nout);
    }
    return NULL;
}

void tsr_ctx_check_invariants(tsr_ctx *ctx)
{
    for (uint32_t i = 0; i < ctx->types.n; i++) {
        tsr_type *t = ctx->types.entries[i].value;
        tsr_assert(t->ctx == ctx, "a type of kind %d is another context's", t->kind);
        tsr_assert(made_again(ctx, t) == t,
                   "a type of kind %d was changed, or there are two equal ones", t->kind);
    }
    for (uint32_t i = 0; i < ctx->attrs.n; i++) {
        const tsr_attr *a = ctx->attrs.entries[i].value;
        tsr_assert(tsr_attr_is_interned(ctx, a),
                   "an attribute of kind %d was changed, or there are two equal ones", a->kind);
    }
    for (uint32_t i = 0; i < ctx->names.n; i++) {
        const tsr_name *name = ctx->names.entries[i].value;
        tsr_assert(tsr_name_get(ctx, name->str) == name, "the name '%.*s' is not unique",
                   TSR_STR_ARG(name->str));
    }
}
