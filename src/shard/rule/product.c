/* SPDX-License-Identifier: Apache-2.0 */
/* product.c - our own rules for products that Shardy leaves out: einsum and ragged_dot. */
#include "shard/rule/build.h"

/* ---- Einsum ---- */

/* Labels: letters, then the dimensions of "...", last one first. */
enum { LETTERS = 52, DOTS = 64, LABELS = LETTERS + DOTS };

typedef struct {
    uint8_t label[LABELS];
    uint32_t n;
} labels;

typedef struct {
    tsr_rule_build *b;
    labels of[3]; /* of operands and result */
} einsum;

static int letter(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

/* The labels of tensor t, one per dimension. */
static bool read_labels(einsum *e, uint32_t t, tsr_str text)
{
    labels *l = &e->of[t];
    uint32_t rank = tsr_build_rank(e->b, t), letters = 0;
    bool dots = false;
    for (size_t i = 0; i < text.len; i++)
        letters += letter(text.data[i]) >= 0;
    for (size_t i = 0; i < text.len; i++) {
        int c = letter(text.data[i]);
        if (text.data[i] == ' ')
            continue;
        if (c >= 0) {
            if (l->n == rank || l->n == LABELS)
                return false;
            l->label[l->n++] = (uint8_t)c;
            continue;
        }
        if (dots || text.len - i < 3 || memcmp(text.data + i, "...", 3) != 0 || letters > rank ||
            rank - letters > DOTS || rank > LABELS)
            return false;
        dots = true;
        i += 2;
        for (uint32_t k = rank - letters; k-- > 0;)
            l->label[l->n++] = (uint8_t)(LETTERS + k);
    }
    return l->n == rank;
}

/* "ab,bc->ac"; one operand has no comma. */
static bool read_config(einsum *e, tsr_str text)
{
    uint32_t t = 0;
    size_t from = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool arrow = i + 1 < text.len && text.data[i] == '-' && text.data[i + 1] == '>';
        if (!arrow && text.data[i] != ',')
            continue;
        if (t >= e->b->op->nin || !read_labels(e, t++, tsr_str_of(text.data + from, i - from)))
            return false;
        from = i + (arrow ? 2 : 1);
        if (arrow)
            break;
    }
    return t == e->b->op->nin && read_labels(e, t, tsr_str_of(text.data + from, text.len - from));
}

/* The first dimension with this label; TSR_NO_DIM. */
static int64_t find(const labels *l, uint8_t label)
{
    for (uint32_t d = 0; d < l->n; d++)
        if (l->label[d] == label)
            return d;
    return TSR_NO_DIM;
}

/* A label that occurs twice on a tensor selects a diagonal, which cannot be cut. The later dimensions get their own
 * factors. */
static bool repeats(const einsum *e, uint8_t label)
{
    for (uint32_t t = 0; t < e->b->ntensor; t++)
        for (uint32_t d = 0, seen = 0; d < e->of[t].n; d++)
            if (e->of[t].label[d] == label && seen++)
                return true;
    return false;
}

static void add_label(einsum *e, uint8_t label)
{
    tsr_rule_build *b = e->b;
    bool diagonal = repeats(e, label);
    int64_t size = 1, dims[3];
    for (uint32_t t = 0; t < b->ntensor; t++) {
        dims[t] = find(&e->of[t], label);
        if (dims[t] != TSR_NO_DIM && tsr_rule_size(b, t, dims[t]) != 1)
            size = tsr_rule_size(b, t, dims[t]);
    }
    tsr_factor_kind kind = diagonal                             ? TSR_FACTOR_NEED_REPLICATION
                           : dims[b->ntensor - 1] == TSR_NO_DIM ? TSR_FACTOR_REDUCTION
                                                                : TSR_FACTOR_PASS_THROUGH;
    uint32_t f = tsr_rule_factor(b, size, kind, false);
    for (uint32_t t = 0; t < b->ntensor; t++) {
        if (tsr_rule_size(b, t, dims[t]) == size)
            tsr_rule_put(b, f, t, dims[t]);
        for (uint32_t d = 0; diagonal && d < e->of[t].n; d++)
            if (e->of[t].label[d] == label && d != dims[t])
                tsr_rule_put(b, tsr_rule_factor(b, tsr_rule_size(b, t, d), kind, false), t, d);
    }
}

bool shard_einsum(tsr_rule_build *b)
{
    einsum e = {.b = b};
    bool done[LABELS] = {0};
    const tsr_attr *config =
        tsr_attr_of(b->op, tsr_opdef_slot(b->op->def, TSR_STR("einsum_config")));
    if (b->ntensor > 3 || !read_config(&e, config->s))
        return false;
    for (uint32_t i = b->ntensor; i-- > 0;) { /* the result's labels first */
        uint32_t t = i == b->ntensor - 1 ? i : b->ntensor - 2 - i;
        for (uint32_t d = 0; d < e.of[t].n; d++) {
            uint8_t label = e.of[t].label[d];
            if (!done[label])
                add_label(&e, label);
            done[label] = true;
        }
    }
    return true;
}

/* ---- Ragged dot ---- */

typedef struct {
    tsr_rule_build *b;
    /* dimension of lhs that is divided into groups; groups may cross shard boundaries, so it stays whole */
    int64_t ragged;
    int64_t out; /* next dimension of the result */
} ragged_dot;

static void add(ragged_dot *r, int64_t lhs, int64_t rhs, int64_t groups, bool in_result,
                bool summed)
{
    tsr_rule_build *b = r->b;
    bool whole = lhs != TSR_NO_DIM && lhs == r->ragged;
    uint32_t f =
        tsr_rule_factor(b, tsr_rule_size(b, lhs == TSR_NO_DIM, lhs == TSR_NO_DIM ? rhs : lhs),
                        whole    ? TSR_FACTOR_NEED_REPLICATION
                        : summed ? TSR_FACTOR_REDUCTION
                                 : TSR_FACTOR_PASS_THROUGH,
                        false);
    tsr_rule_put(b, f, 0, lhs);
    tsr_rule_put(b, f, 1, rhs);
    tsr_rule_put(b, f, 2, groups);
    if (in_result)
        tsr_rule_put(b, f, 3, r->out++);
}

/* The group dimension of a result that has one part per group. */
static void add_group_dim(ragged_dot *r)
{
    uint32_t f =
        tsr_rule_factor(r->b, tsr_rule_size(r->b, 3, 0), TSR_FACTOR_NEED_REPLICATION, false);
    tsr_rule_put(r->b, f, 3, r->out++);
}

bool shard_ragged_dot(tsr_rule_build *b)
{
    tsr_dot dot;
    tsr_dot_of(b->op, &dot);
    if (dot.ragged.n != 1)
        return false;
    ragged_dot r = {b, tsr_ints_at(dot.ragged, 0), 0};
    /* group_sizes has the batch dimensions, up to a ragged one, before others; or only the groups. */
    bool batched = tsr_build_rank(b, 2) > 1;
    if (tsr_ints_has(dot.contract[0], r.ragged))
        add_group_dim(&r);
    for (uint32_t i = 0; i < dot.batch[0].n; i++) {
        int64_t lhs = tsr_ints_at(dot.batch[0], i);
        batched &= lhs != r.ragged;
        add(&r, lhs, tsr_ints_at(dot.batch[1], i), batched ? (int64_t)i : TSR_NO_DIM, true, false);
    }
    for (uint32_t t = 0; t < 2; t++)
        for (int64_t d = 0; d < tsr_build_rank(b, t); d++)
            if (tsr_dot_is_free(&dot, (int)t, d))
                add(&r, t ? TSR_NO_DIM : d, t ? d : TSR_NO_DIM, TSR_NO_DIM, true, false);
    for (uint32_t i = 0; i < dot.contract[0].n; i++)
        add(&r, tsr_ints_at(dot.contract[0], i), tsr_ints_at(dot.contract[1], i), TSR_NO_DIM, false,
            true);
    for (int64_t d = 0; d < tsr_build_rank(b, 1); d++)
        if (tsr_ints_has(dot.group, d))
            tsr_rule_put(
                b, tsr_rule_factor(b, tsr_rule_size(b, 1, d), TSR_FACTOR_NEED_REPLICATION, false),
                1, d);
    for (uint32_t d = 0; d < tsr_build_rank(b, 2);
         d++) /* sizes are positions along the ragged dimension */
        if (!b->count || !b->count[b->dims[2] + d])
            tsr_rule_put(
                b, tsr_rule_factor(b, tsr_rule_size(b, 2, d), TSR_FACTOR_NEED_REPLICATION, false),
                2, d);
    return true;
}
