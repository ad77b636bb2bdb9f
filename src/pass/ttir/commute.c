/* SPDX-License-Identifier: Apache-2.0 */
/* commute.c - ttir-erase-inverse-ops: shared helpers of its rules, the rules of elementwise ops, and the pass. */
#include <stdlib.h>

#include "pass/ttir/commute.h"

/* ---- Origins ---- */

static uint8_t *origin(tsr_ttr_origins *o, const tsr_value *v)
{
    if (v->id >= o->n) {
        uint32_t n = v->id + v->id / 2 + 64;
        o->of = tsr_xrealloc(o->of, n);
        memset(o->of + o->n, 0, n - o->n);
        o->n = n;
    }
    return &o->of[v->id];
}

static tsr_ttr_origin of_argument(const tsr_value *v)
{
    const tsr_op *func = tsr_block_parent(v->block);
    if (!func || !tsr_op_is(func, TSR_OP_FUNC_FUNC) || v->block != func->regions[0].first)
        return TSR_FROM_INPUTS;
    const tsr_attr *dicts = func->attrs[FUNC_FUNC_arg_attrs];
    const tsr_attr *dict = dicts && v->index < dicts->n ? dicts->attrs[v->index] : NULL;
    const tsr_attr *kind = tsr_dict_get(dict, TSR_STR("ttcore.argument_type"));
    bool constant = tsr_attr_is(kind, TSR_ATTR_ENUM) &&
                    (kind->i == TSR_TT_PARAMETER || kind->i == TSR_TT_CONSTANT);
    return constant ? TSR_FROM_CONSTANTS : TSR_FROM_INPUTS;
}

static tsr_ttr_origin join(tsr_ttr_origin a, tsr_ttr_origin b)
{
    return a > b ? a : b;
}

/* Operands before users, with an explicit stack: chains may be long. */
bool tsr_ttr_constant_args_of(tsr_ttr_origins *o, const tsr_value *v)
{
    TSR_VEC(const tsr_value *) stack = {0};
    tsr_vec_push(&stack, v);
    while (stack.n) {
        const tsr_value *top = stack.data[stack.n - 1];
        if (*origin(o, top) != TSR_FROM_UNKNOWN) {
            stack.n--;
            continue;
        }
        tsr_ttr_origin from = TSR_FROM_NOTHING;
        bool known = true;
        if (top->is_arg) {
            from = of_argument(top);
        } else {
            for (uint32_t i = 0; i < top->op->nin; i++) {
                const tsr_value *in = top->op->in[i].value;
                if (*origin(o, in) == TSR_FROM_UNKNOWN) {
                    tsr_vec_push(&stack, in);
                    known = false;
                } else {
                    from = join(from, (tsr_ttr_origin)*origin(o, in));
                }
            }
            if (top->op->nregion)
                from = TSR_FROM_INPUTS;
        }
        if (known) {
            *origin(o, top) = (uint8_t)from;
            stack.n--;
        }
    }
    tsr_vec_free(&stack);
    return *origin(o, v) == TSR_FROM_CONSTANTS;
}

bool tsr_ttr_constant_args(tsr_rewriter *r, const tsr_value *v)
{
    return tsr_ttr_constant_args_of(r->o->user, v);
}

bool tsr_ttr_no_inputs(tsr_rewriter *r, const tsr_value *v)
{
    tsr_ttr_constant_args(r, v);
    return *origin(r->o->user, v) != TSR_FROM_INPUTS;
}

/* ---- Moves ---- */

bool tsr_ttr_same_move(const tsr_op *a, const tsr_op *b)
{
    if (a->def != b->def || !tsr_ttr_is_move(a))
        return false;
    return tsr_op_is(a, TSR_OP_TTIR_RESHAPE)
               ? tt_same_shape(a->out[0].type, b->out[0].type)
               : a->attrs[TTIR_PERMUTE_permutation] == b->attrs[TTIR_PERMUTE_permutation];
}

/* Reshapes that drop dimensions larger than 1 are not moved. */
static bool stays(const tsr_op *move)
{
    enum { MANY = 6 };
    size_t in = move->in[0].value->type->n;
    return (tsr_op_is(move, TSR_OP_TTIR_RESHAPE) && in >= MANY && move->out[0].type->n < in) ||
           tsr_dict_get(move->extra, TSR_STR("decomposed")) || !tsr_ttr_tensor(&move->out[0]) ||
           !tsr_ttr_tensor(move->in[0].value);
}

tsr_op *tsr_ttr_move_below(const tsr_op *op, uint16_t opcode)
{
    if (op->nout != 1 || !op->out[0].uses)
        return NULL;
    tsr_op *move = op->out[0].uses->user;
    if (!tsr_op_is(move, opcode) || stays(move))
        return NULL;
    for (tsr_use *u = op->out[0].uses; u; u = u->next)
        if (!tsr_ttr_same_move(move, u->user))
            return NULL;
    return move;
}

int tsr_ttr_move_above(tsr_rewriter *r, const tsr_op *op, uint16_t opcode)
{
    if (op->nout != 1 || !op->out[0].uses)
        return -1;
    for (uint32_t i = 0; i < op->nin; i++) {
        tsr_op *move = tsr_ttr_single(op->in[i].value, opcode);
        if (move && !stays(move) && !tsr_ttr_constant_args(r, op->in[i].value))
            return (int)i;
    }
    return -1;
}

static tsr_value *of_move(tsr_value *v, const tsr_op *move)
{
    v->op->loc = move->loc;
    v->op->extra = move->extra;
    return v;
}

tsr_value *tsr_ttr_apply(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v)
{
    int64_t perm[TSR_TTIR_RANK];
    if (tsr_op_is(move, TSR_OP_TTIR_RESHAPE))
        return of_move(tsr_ttr_reshape(r, at, v, move->out[0].type->dims, move->out[0].type->n),
                       move);
    tsr_ttr_permutation(move, perm);
    return of_move(tsr_ttr_permute(r, at, v, perm), move);
}

tsr_value *tsr_ttr_undo(tsr_rewriter *r, tsr_op *at, const tsr_op *move, tsr_value *v)
{
    int64_t perm[TSR_TTIR_RANK], back[TSR_TTIR_RANK];
    const tsr_type *in = move->in[0].value->type;
    if (tsr_op_is(move, TSR_OP_TTIR_RESHAPE))
        return of_move(tsr_ttr_reshape(r, at, v, in->dims, in->n), move);
    tsr_ttr_inverse(perm, tsr_ttr_permutation(move, perm), back);
    return of_move(tsr_ttr_permute(r, at, v, back), move);
}

void tsr_ttr_replace_users(tsr_rewriter *r, tsr_op *op, tsr_value *v)
{
    while (op->out[0].uses)
        tsr_rw_replace_one(r, op->out[0].uses->user, v);
}

int64_t tsr_ttr_matching_dim(const tsr_type *from, const tsr_type *to, size_t dim)
{
    int64_t stride = 1, at = 1;
    for (size_t i = dim + 1; i < from->n; i++)
        stride *= from->dims[i];
    for (size_t i = to->n; i-- > 0 && at <= stride; at *= to->dims[i])
        if (at == stride && to->dims[i] == from->dims[dim])
            return (int64_t)i;
    return -1;
}

/* ---- Elementwise ops ---- */

/* Ops with one or two operands that do not broadcast; same: they have the result's shape, else only its rank. */
static bool elementwise(const tsr_op *op, bool same)
{
    if (!tsr_op_has(op, TSR_TRAIT(TT_BROADCAST)) || op->nin == 0 || op->nin > 2 || op->nout != 1 ||
        !tsr_ttr_tensor(&op->out[0]))
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value->type->kind != TSR_TYPE_TENSOR ||
            op->in[i].value->type->n != op->out[0].type->n ||
            (same && !tt_same_shape(op->in[i].value->type, op->out[0].type)))
            return false;
    return true;
}

static bool elementwise_up(tsr_rewriter *r, tsr_op *op, uint16_t opcode)
{
    tsr_op *move = tsr_ttr_move_below(op, opcode);
    tsr_value *in[2];
    if (!move || !elementwise(op, opcode == TSR_OP_TTIR_RESHAPE))
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = tsr_ttr_apply(r, op, move, tsr_rw_in(op, i));
    tsr_type *type =
        tsr_ttir_shaped(op->out[0].type, move->out[0].type->dims, move->out[0].type->n);
    tsr_op *copy = tsr_ttr_copy(r, op, op, in, op->nin, type);
    tsr_ttr_replace_users(r, op, &copy->out[0]);
    return true;
}

/* Whether undoing the move on this operand is free. */
static bool cheap(tsr_rewriter *r, const tsr_op *move, const tsr_value *v)
{
    return !v->is_arg &&
                   (tsr_ttr_same_move(v->op, move) || tsr_op_has(v->op, TSR_TRAIT(CONSTANT_LIKE)))
               ? true
               : tsr_ttr_constant_args(r, v);
}

static bool elementwise_down(tsr_rewriter *r, tsr_op *op, uint16_t opcode)
{
    int k = tsr_ttr_move_above(r, op, opcode);
    tsr_value *in[2];
    if (k < 0 || !elementwise(op, opcode == TSR_OP_TTIR_RESHAPE))
        return false;
    tsr_op *move = tsr_rw_in(op, (size_t)k)->op;
    /* The operand that is moved has the result's shape; others may broadcast. */
    if (!tt_same_shape(move->out[0].type, op->out[0].type))
        return false;
    for (uint32_t i = 0; i < op->nin; i++)
        if ((int)i != k && !cheap(r, move, tsr_rw_in(op, i)))
            return false;
    for (uint32_t i = 0; i < op->nin; i++)
        in[i] = (int)i == k ? tsr_rw_in(move, 0) : tsr_ttr_undo(r, op, move, tsr_rw_in(op, i));
    const tsr_type *from = tsr_rw_in(move, 0)->type;
    tsr_op *copy =
        tsr_ttr_copy(r, op, op, in, op->nin, tsr_ttir_shaped(op->out[0].type, from->dims, from->n));
    tsr_rw_replace_one(r, op, tsr_ttr_apply(r, op, move, &copy->out[0]));
    return true;
}

/* permute(f(x, y)) -> f(permute(x), permute(y)), and reshape */
bool rule_tt_up_elementwise(tsr_rewriter *r, tsr_op *op)
{
    return elementwise_up(r, op, TSR_OP_TTIR_PERMUTE) || elementwise_up(r, op, TSR_OP_TTIR_RESHAPE);
}

/* f(permute(x), permute(y)) -> permute(f(x, y)), and reshape */
bool rule_tt_down_elementwise(tsr_rewriter *r, tsr_op *op)
{
    return elementwise_down(r, op, TSR_OP_TTIR_PERMUTE) ||
           elementwise_down(r, op, TSR_OP_TTIR_RESHAPE);
}

/* ---- The pass ---- */

static uint64_t count_moves(tsr_op *func, tsr_ttr_origins *o)
{
    uint64_t n = 0;
    TSR_OPS (func, op)
        n += tsr_op_has(op, TSR_TRAIT(TT_MOVES)) && !tsr_ttr_constant_args_of(o, &op->out[0]);
    return n;
}

static bool is_flattened(tsr_op *func)
{
    TSR_OPS (func, op)
        if (tsr_flat_of(op).given)
            return true;
    return false;
}

static bool move_in(tsr_pass *p, tsr_op *func)
{
    tsr_ttr_origins o = {0};
    tsr_simplify_options up = {.rules = &tsr_ttr_rewrites,
                               .sets = TSR_TTR_UP | TSR_TTR_FOLD,
                               .max_rounds = TSR_TTR_ROUNDS,
                               .user = &o};
    tsr_simplify_options down = up;
    down.sets = TSR_TTR_DOWN | TSR_TTR_FOLD;
    bool go_up = tsr_pass_bool(p, "enable-commute-upwards"),
         go_down = tsr_pass_bool(p, "enable-commute-downwards");
    int64_t most = tsr_pass_int(p, "max-iterations"), i = 0;
    uint64_t was_up = UINT64_MAX, was_down = UINT64_MAX;
    for (; i < most; i++) {
        if (go_up)
            tsr_simplify(p, func, &up);
        uint64_t now_up = count_moves(func, &o);
        if (go_down)
            tsr_simplify(p, func, &down);
        uint64_t now_down = count_moves(func, &o);
        if (now_up == was_up && now_down == was_down) {
            if (now_up < now_down && go_up)
                tsr_simplify(p, func, &up);
            break;
        }
        was_up = now_up;
        was_down = now_down;
    }
    tsr_free(o.of);
    return i < most ||
           tsr_error(p->ctx, func->loc,
                     "EraseInverseOps: TM count has not converged after %lld iterations.",
                     (long long)most);
}

bool pass_ttir_erase_inverse_ops(tsr_pass *p, tsr_op *root)
{
    bool force = tsr_pass_bool(p, "force");
    TSR_VEC(tsr_op *) funcs = {0};
    bool ok = true;
    TSR_OPS (root, op)
        if (tsr_op_is(op, TSR_OP_FUNC_FUNC) && op->regions[0].first && (force || is_flattened(op)))
            tsr_vec_push(&funcs, op);
    for (size_t i = 0; ok && i < funcs.n; i++)
        ok = move_in(p, funcs.data[i]);
    tsr_vec_free(&funcs);
    return ok;
}
