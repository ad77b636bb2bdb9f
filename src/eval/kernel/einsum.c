/* SPDX-License-Identifier: Apache-2.0 */
/* einsum.c - einsum and unary_einsum, as one matrix product over offsets (eval/math/gemm.h).
 *
 * Each label has a stride in each operand and in the result: the sum of the strides of the dimensions that carry it (a
 * repeated label walks a diagonal), or 0 where it is absent. Labels of the result give batch, rows and columns; all
 * others are summed over. */
#include <stdlib.h>

#include "eval/math/gemm.h"

eval_fn eval_einsum, eval_unary_einsum;

enum {
    LETTERS = 52,
    LABELS = LETTERS + TSR_MAX_RANK
}; /* dimensions of "...": from LETTERS on, the last one first */
enum { LHS, RHS, OUT, SIDES };

typedef struct {
    int64_t size[LABELS]; /* -1: the label is not used */
    int64_t stride[SIDES][LABELS];
    bool on[SIDES][LABELS];
    uint8_t labels[SIDES][TSR_MAX_RANK];
    size_t rank[SIDES];
    size_t ndots; /* maximum number of dimensions that "..." represents */
} einsum;

static int letter(char ch)
{
    return ch >= 'a' && ch <= 'z' ? ch - 'a' : ch >= 'A' && ch <= 'Z' ? ch - 'A' + 26 : -1;
}

/* The labels of one side; rank: of the operand, or -1 for the result, where "..." has as many dimensions as in the
 * operands. */
static bool read_labels(tsr_call *c, einsum *e, int side, tsr_str text, int rank)
{
    size_t letters = 0, n = 0;
    bool dots = false;
    for (size_t i = 0; i < text.len; i++)
        letters += letter(text.data[i]) >= 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == ' ')
            continue;
        int l = letter(text.data[i]);
        if (n >= TSR_MAX_RANK)
            return tsr_fail(c, "has too many dimensions in its einsum_config");
        if (l >= 0) {
            e->labels[side][n++] = (uint8_t)l;
            continue;
        }
        if (dots || text.len - i < 3 || memcmp(text.data + i, "...", 3) != 0)
            return tsr_fail(c, "has an einsum_config that is none");
        dots = true;
        i += 2;
        int64_t more = rank < 0 ? (int64_t)e->ndots : rank - (int64_t)letters;
        if (more < 0 || n + (size_t)more > TSR_MAX_RANK)
            return tsr_fail(c, "has an einsum_config that does not fit its operands");
        if (side != OUT && (size_t)more > e->ndots)
            e->ndots = (size_t)more;
        for (int64_t k = more; k-- > 0;)
            e->labels[side][n++] = (uint8_t)(LETTERS + k);
    }
    e->rank[side] = n;
    if (rank >= 0 && n != (size_t)rank)
        return tsr_fail(c, "has an einsum_config that does not fit its operands");
    return true;
}

static bool take_operand(tsr_call *c, einsum *e, int side, const tsr_tensor *t)
{
    for (size_t d = 0; d < t->rank; d++) {
        uint8_t l = e->labels[side][d];
        e->on[side][l] = true;
        if (e->size[l] < 0 || e->size[l] == 1)
            e->size[l] = t->dims[d];
        else if (t->dims[d] != e->size[l] && t->dims[d] != 1)
            return tsr_fail(c, "has one label for dimensions of sizes %lld and %lld",
                            (long long)e->size[l], (long long)t->dims[d]);
    }
    return true;
}

static void set_strides(einsum *e, int side, const int64_t *dims)
{
    int64_t strides[TSR_MAX_RANK];
    tsr_strides(dims, e->rank[side], strides);
    for (size_t d = 0; d < e->rank[side];
         d++) /* a dimension of size 1 is broadcast to its label's size */
        e->stride[side][e->labels[side][d]] += dims[d] == 1 ? 0 : strides[d];
}

/* Offsets of one side for all values of some labels, the last one fastest. */
static int64_t *offsets(const einsum *e, int side, const uint8_t *labels, size_t n, int64_t count)
{
    int64_t dims[LABELS], index[LABELS] = {0};
    int64_t *out = tsr_malloc((size_t)(count > 0 ? count : 1) * sizeof *out);
    for (size_t k = 0; k < n; k++)
        dims[k] = e->size[labels[k]];
    for (int64_t i = 0; out && i < count; i++) {
        out[i] = 0;
        for (size_t k = 0; k < n; k++)
            out[i] += index[k] * e->stride[side][labels[k]];
        tsr_next_index(index, dims, n);
    }
    return out;
}

enum { BATCH, ROWS, COLS, SUMMED, GROUPS };

typedef struct {
    uint8_t labels[LABELS];
    size_t n;
    int64_t count;
    int64_t *at[SIDES];
} group;

static bool find_groups(tsr_call *c, const einsum *e, group *g)
{
    for (int k = 0; k < GROUPS; k++)
        g[k].count = 1;
    for (int l = 0; l < LABELS; l++) {
        bool left = e->on[LHS][l], right = e->on[RHS][l], kept = e->on[OUT][l];
        if (!left && !right && !kept)
            continue;
        if (!left && !right)
            return tsr_fail(c, "has a label in its result that no operand has");
        group *to = &g[!kept ? SUMMED : left && right ? BATCH : left ? ROWS : COLS];
        to->labels[to->n++] = (uint8_t)l;
        to->count *= e->size[l];
    }
    for (int k = 0; k < GROUPS; k++)
        for (int side = 0; side < SIDES; side++) {
            g[k].at[side] = offsets(e, side, g[k].labels, g[k].n, g[k].count);
            if (!g[k].at[side])
                return tsr_fail_memory(c, "offsets");
        }
    return true;
}

static void shift(int64_t *to, const int64_t *from, int64_t n, int64_t by)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = from[i] + by;
}

static bool multiply(tsr_call *c, const group *g, const tsr_tensor *l, const tsr_tensor *r,
                     tsr_tensor *out)
{
    int64_t rows = g[ROWS].count, cols = g[COLS].count, depth = g[SUMMED].count;
    int64_t *mem = tsr_malloc((size_t)(2 * rows + depth + 1) * sizeof *mem);
    if (!mem)
        return tsr_fail_memory(c, "offsets");
    int64_t *left = mem, *to = mem + rows, *right = to + rows;
    bool ok = true;
    for (int64_t b = 0; ok && b < g[BATCH].count; b++) {
        shift(left, g[ROWS].at[LHS], rows, g[BATCH].at[LHS][b]);
        shift(to, g[ROWS].at[OUT], rows, g[BATCH].at[OUT][b]);
        shift(right, g[SUMMED].at[RHS], depth, g[BATCH].at[RHS][b]);
        tsr_matrix ma = {
            .t = l, .row = left, .col = g[SUMMED].at[LHS], .nrow = rows, .ncol = depth};
        tsr_matrix mb = {.t = r, .row = right, .col = g[COLS].at[RHS], .nrow = depth, .ncol = cols};
        ok = tsr_gemm(c, &ma, &mb, &(tsr_target){out, to, g[COLS].at[OUT]});
    }
    tsr_free(mem);
    return ok;
}

static bool run(tsr_call *c, tsr_str left, tsr_str right, tsr_str result, const tsr_tensor *l,
                const tsr_tensor *r)
{
    einsum *e = tsr_calloc(1, sizeof *e);
    group *g = tsr_calloc(GROUPS, sizeof *g);
    int64_t dims[TSR_MAX_RANK];
    bool ok = e && g ? true : tsr_fail_memory(c, "offsets");
    for (int i = 0; ok && i < LABELS; i++)
        e->size[i] = -1;
    ok = ok && read_labels(c, e, LHS, left, l->rank) && read_labels(c, e, RHS, right, r->rank) &&
         read_labels(c, e, OUT, result, -1) && take_operand(c, e, LHS, l) &&
         take_operand(c, e, RHS, r);
    for (size_t d = 0; ok && d < e->rank[OUT]; d++) {
        uint8_t label = e->labels[OUT][d];
        e->on[OUT][label] = true;
        dims[d] = e->size[label] < 0 ? 0 : e->size[label];
    }
    tsr_tensor *out = ok ? tsr_call_new(c, 0, dims, e->rank[OUT]) : NULL;
    if (out && out->n) { /* an empty result may have very many rows */
        memset(out->data, 0,
               tsr_tensor_bytes(out)); /* a label twice in the result: zeros off the diagonal */
        set_strides(e, LHS, l->dims);
        set_strides(e, RHS, r->dims);
        set_strides(e, OUT, dims);
        ok = find_groups(c, e, g) && multiply(c, g, l, r, out);
    }
    for (int k = 0; g && k < GROUPS; k++)
        for (int side = 0; side < SIDES; side++)
            tsr_free(g[k].at[side]);
    tsr_free(g);
    tsr_free(e);
    return ok && out;
}

/* Splits text at the first occurrence of mark; false if there is none. */
static bool cut(tsr_str text, const char *mark, tsr_str *before, tsr_str *after)
{
    size_t n = strlen(mark);
    for (size_t i = 0; i + n <= text.len; i++)
        if (memcmp(text.data + i, mark, n) == 0) {
            *before = tsr_str_of(text.data, i);
            *after = tsr_str_of(text.data + i + n, text.len - i - n);
            return true;
        }
    return false;
}

bool eval_einsum(tsr_call *c)
{
    tsr_str operands, left, right, result;
    if (!cut(tsr_call_attr(c, STABLEHLO_EINSUM_einsum_config)->s, "->", &operands, &result) ||
        !cut(operands, ",", &left, &right))
        return tsr_fail(c, "has an einsum_config that is not of the form 'ab,bc->ac'");
    return run(c, left, right, result, c->in[0], c->in[1]);
}

/* The product with a scalar one. */
bool eval_unary_einsum(tsr_call *c)
{
    tsr_str operand, result;
    if (!cut(tsr_call_attr(c, STABLEHLO_UNARY_EINSUM_einsum_config)->s, "->", &operand, &result))
        return tsr_fail(c, "has an einsum_config that is not of the form 'ab->a'");
    tsr_tensor *one = tsr_tensor_new(c->in[0]->elem, NULL, 0);
    if (!one)
        return tsr_fail_memory(c, "a scalar");
    if (tsr_dtype_is_complex((tsr_dtype)one->dtype))
        tsr_set_complex(one, 0, (tsr_complex){1, 0});
    else
        tsr_set_int(one, 0, 1);
    bool ok = run(c, operand, TSR_STR(""), result, c->in[0], one);
    tsr_tensor_unref(one);
    return ok;
}
