/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - stablehlo.rng_bit_generator: its EXEC hook (cpu/random.c runs it). */
#include "dialect/stablehlo/cases.h"
#include "exec/compile/value.h"
#include "exec/target.h"

/* Two words of a Threefry block become neighbours in the first dimension of even size or, if all are odd, in the
 * largest one. */
static void split_dims(const tsr_type *t, int64_t *numbers)
{
    uint32_t split = 0;
    bool even = false;
    for (uint32_t d = 0; d < t->n && !even; d++) {
        even = t->dims[d] % 2 == 0;
        if (even || t->dims[d] > t->dims[split])
            split = d;
    }
    numbers[TSR_RANDOM_SIZE] = t->n ? t->dims[split] : 1;
    numbers[TSR_RANDOM_OUTER] = numbers[TSR_RANDOM_INNER] = 1;
    for (uint32_t d = 0; d < t->n; d++)
        if (d != split)
            numbers[d < split ? TSR_RANDOM_OUTER : TSR_RANDOM_INNER] *= t->dims[d];
}

bool exec_rng_bit_generator(tsr_xbuilder *b, tsr_op *op)
{
    const tsr_type *to = op->out[1].type, *state = op->out[0].type;
    if (!b->p->target->move(TSR_MOVE_RANDOM, tsr_dtype_of(to->elem)) || !tsr_x_plain(to) ||
        !tsr_x_plain(state))
        return false;
    tsr_xid in = tsr_x_in(b, op, 0);
    const tsr_xvalue *x = tsr_xvalue_at(b, in);
    tsr_dtype d = tsr_dtype_of(to->elem), of = (tsr_dtype)x->dtype;
    int64_t numbers[TSR_RANDOM_NUMBERS] = {
        tsr_attr_of(op, STABLEHLO_RNG_BIT_GENERATOR_rng_algorithm)->i == TSR_RNG_THREE_FRY};
    if ((of != TSR_D_U64 && of != TSR_D_I64) || tsr_dtype_of(state->elem) != of || x->rank != 1 ||
        state->n != 1 || state->dims[0] != x->n ||
        !(x->n == 2 || (x->n == 3 && !numbers[TSR_RANDOM_FRY])) || tsr_dtype_is_complex(d) ||
        tsr_dtype_bits(d) < 8 || tsr_type_num_elements(to) <= 0)
        return false;
    if (numbers[TSR_RANDOM_FRY] && tsr_dtype_bytes(d) < 8)
        split_dims(to, numbers);
    in = tsr_x_whole(b, in);
    tsr_type *types[2] = {op->out[0].type, op->out[1].type};
    tsr_node *n = tsr_x_node(b, TSR_NODE_MOVE, op, &in, 1, types, 2);
    n->move = TSR_MOVE_RANDOM;
    n->numbers = tsr_arena_copy(&b->p->arena, numbers, sizeof numbers);
    for (uint32_t i = 0; i < 2; i++)
        tsr_x_set(b, op, i, n->out[i]);
    tsr_x_done(b, n);
    return true;
}
