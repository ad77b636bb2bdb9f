/* SPDX-License-Identifier: Apache-2.0 */
/* read_affine.c - affine maps and integer sets: affine_map<(d0)[s0] -> (d0 + s0)>, affine_set<(d0) : (d0 - 1 >= 0)>. */
#include <stdlib.h>

#include "asm/reader.h"

/* Also bounds the depth of an expression: sums are left-associative. */
enum { MAX_IDS = 1024, MAX_OPERANDS = 2048 };

typedef struct {
    tsr_reader *r;
    tsr_str names[MAX_IDS]; /* dimensions, then symbols */
    uint32_t ndim, nsym, noperand;
} scope;

typedef const tsr_affine *expr;

static expr make(scope *s, tsr_affine_kind kind, int64_t value, expr l, expr r)
{
    return tsr_affine_get(s->r->ctx, kind, value, l, r);
}

static expr constant(scope *s, int64_t v)
{
    return make(s, TSR_AFFINE_CONST, v, NULL, NULL);
}

static expr read_sum(scope *s);

static expr read_name(scope *s)
{
    expr e = NULL;
    for (uint32_t i = 0; i < s->ndim + s->nsym; i++)
        if (tsr_str_eq(s->names[i], tsr_tok_text(s->r)))
            e = i < s->ndim ? make(s, TSR_AFFINE_DIM, i, NULL, NULL)
                            : make(s, TSR_AFFINE_SYM, i - s->ndim, NULL, NULL);
    if (e)
        tsr_read_next(s->r);
    else
        tsr_read_error(s->r, "use of undeclared identifier");
    return e;
}

/* operand ::= id | integer | '(' sum ')' | '-' operand | 'symbol' '(' id ')' */
static expr read_operand(scope *s, bool right)
{
    tsr_reader *r = s->r;
    uint64_t v;
    if (++s->noperand > MAX_OPERANDS) {
        tsr_read_error(r, "more than %d operands in affine expressions", MAX_OPERANDS);
        return NULL;
    }
    if (!tsr_read_enter(r))
        return NULL;
    expr e = NULL;
    if (tsr_read_is(r, TOK_WORD)) {
        e = read_name(s);
    } else if (tsr_read_is(r, TOK_INT)) {
        if (!tsr_tok_uint(tsr_tok_text(r), &v) || v > INT64_MAX) {
            tsr_read_error(r, "constant too large for index");
        } else {
            tsr_read_next(r);
            e = constant(s, (int64_t)v);
        }
    } else if (tsr_read_take(r, '(')) {
        if (tsr_read_is(r, ')'))
            tsr_read_error(r, "no expression inside parentheses");
        else
            e = read_sum(s);
        if (e && !tsr_read_expect(r, ')', "expected ')'"))
            e = NULL;
    } else if (tsr_read_take(r, '-')) {
        e = read_operand(s, false);
        if (e)
            e = make(s, TSR_AFFINE_MUL, 0, e, constant(s, -1));
        else
            tsr_read_error(r, "missing operand of negation");
    } else if (tsr_read_is(r, TOK_PERCENT)) {
        tsr_read_error(r, "unexpected ssa identifier");
    } else if (right) {
        tsr_read_error(r, "missing right operand of binary operator");
    } else if (tsr_read_is(r, '+') || tsr_read_is(r, '*')) {
        tsr_read_error(r, "missing left operand of binary operator");
    } else {
        tsr_read_wrong(r, "expected affine expression");
    }
    tsr_read_leave(r);
    return e;
}

static bool symbolic(expr e)
{
    if (e->kind == TSR_AFFINE_DIM)
        return false;
    return !e->lhs || (symbolic(e->lhs) && symbolic(e->rhs));
}

/* product ::= operand (('*' | 'floordiv' | 'ceildiv' | 'mod') operand)* */
static expr read_product(scope *s, bool is_right)
{
    tsr_reader *r = s->r;
    expr e = read_operand(s, is_right);
    while (e) {
        tsr_affine_kind kind;
        if (tsr_read_is(r, '*'))
            kind = TSR_AFFINE_MUL;
        else if (tsr_read_word_is(r, "floordiv"))
            kind = TSR_AFFINE_FLOORDIV;
        else if (tsr_read_word_is(r, "ceildiv"))
            kind = TSR_AFFINE_CEILDIV;
        else if (tsr_read_word_is(r, "mod"))
            kind = TSR_AFFINE_MOD;
        else
            break;
        tsr_loc loc = tsr_read_loc(r);
        tsr_read_next(r);
        expr right = read_operand(s, true);
        if (!right)
            return NULL;
        if (kind == TSR_AFFINE_MUL && !symbolic(e) && !symbolic(right)) {
            tsr_error(r->ctx, loc,
                      "non-affine expression: at least one of the multiply operands has to be "
                      "either a constant "
                      "or symbolic");
            return NULL;
        }
        if (kind != TSR_AFFINE_MUL && !symbolic(right)) {
            tsr_error(r->ctx, loc,
                      "non-affine expression: right operand of %s has to be either a constant or "
                      "symbolic",
                      kind == TSR_AFFINE_MOD       ? "mod"
                      : kind == TSR_AFFINE_CEILDIV ? "ceildiv"
                                                   : "floordiv");
            return NULL;
        }
        e = make(s, kind, 0, e, right);
    }
    return e;
}

/* a + (b + c) as (a + b) + c: both are written without parentheses, and must be equal when read again. */
static expr sum(scope *s, expr l, expr r)
{
    return r->kind == TSR_AFFINE_ADD ? make(s, TSR_AFFINE_ADD, 0, sum(s, l, r->lhs), r->rhs)
                                     : make(s, TSR_AFFINE_ADD, 0, l, r);
}

/* sum ::= product (('+' | '-') product)* */
static expr read_sum(scope *s)
{
    expr e = read_product(s, false);
    while (e && (tsr_read_is(s->r, '+') || tsr_read_is(s->r, '-'))) {
        bool minus = tsr_read_is(s->r, '-');
        tsr_read_next(s->r);
        expr right = read_product(s, true);
        if (!right)
            return NULL;
        e = sum(s, e, minus ? make(s, TSR_AFFINE_MUL, 0, right, constant(s, -1)) : right);
    }
    return e;
}

static bool read_ids(scope *s, int close, const char *expected_close, uint32_t *count)
{
    tsr_reader *r = s->r;
    tsr_read_next(r);
    if (!tsr_read_is(r, close)) {
        do {
            if (!tsr_read_is(r, TOK_WORD))
                return tsr_read_wrong(r, "expected bare identifier");
            for (uint32_t i = 0; i < s->ndim + s->nsym; i++)
                if (tsr_str_eq(s->names[i], tsr_tok_text(r)))
                    return tsr_read_error(r, "redefinition of identifier '%.*s'",
                                          TSR_STR_ARG(tsr_tok_text(r)));
            if (s->ndim + s->nsym == MAX_IDS)
                return tsr_read_error(r, "more than %d identifiers", MAX_IDS);
            s->names[s->ndim + s->nsym] = tsr_tok_text(r);
            ++*count;
            tsr_read_next(r);
        } while (tsr_read_take(r, ','));
    }
    return tsr_read_expect(r, close, expected_close);
}

typedef TSR_VEC(expr) expr_vec;
typedef TSR_VEC(bool) bool_vec;

/* constraint ::= sum ('>=' | '<=' | '==') sum, as lhs - rhs >= 0 or == 0 */
static bool read_constraint(scope *s, expr_vec *out, bool_vec *eqs)
{
    tsr_reader *r = s->r;
    expr left = read_sum(s);
    TSR_TRY(left != NULL);
    int first = r->tok.kind;
    if ((first != '>' && first != '<' && first != '=') || *r->p != '=')
        return tsr_read_error(
            r, "expected '== affine-expr' or '>= affine-expr' at end of affine constraint");
    tsr_read_next(r);
    tsr_read_next(r);
    expr right = read_sum(s);
    TSR_TRY(right != NULL);
    if (first == '<') {
        expr t = left;
        left = right;
        right = t;
    }
    if (right->kind != TSR_AFFINE_CONST || right->value != 0)
        left = sum(s, left, make(s, TSR_AFFINE_MUL, 0, right, constant(s, -1)));
    tsr_vec_push(out, left);
    tsr_vec_push(eqs, first == '=');
    return true;
}

static tsr_attr *read_body(scope *s, bool want_set, tsr_loc begin)
{
    tsr_reader *r = s->r;
    expr_vec exprs = {0};
    bool_vec eqs = {0};
    tsr_attr *result = NULL;
    bool is_set = tsr_read_take(r, ':');
    if ((!is_set && !tsr_read_expect(r, TOK_ARROW, "expected '->' or ':'")) ||
        !tsr_read_expect(r, '(',
                         is_set ? "expected '(' in integer set constraint list"
                                : "expected '(' in affine map range"))
        return NULL;
    if (!tsr_read_is(r, ')')) {
        do {
            if (is_set) {
                if (!read_constraint(s, &exprs, &eqs))
                    goto out;
            } else {
                expr e = read_sum(s);
                if (!e)
                    goto out;
                tsr_vec_push(&exprs, e);
            }
        } while (tsr_read_take(r, ','));
    }
    if (!tsr_read_expect(r, ')',
                         is_set ? "expected ')' in integer set constraint list"
                                : "expected ')' in affine map range"))
        goto out;
    if (is_set != want_set) {
        tsr_error(r->ctx, begin,
                  want_set ? "expected IntegerSet, but got AffineMap"
                           : "expected AffineMap, but got IntegerSet");
        goto out;
    }
    if (is_set && !exprs.n) { /* no constraint: one that always holds */
        tsr_vec_push(&exprs, constant(s, 0));
        tsr_vec_push(&eqs, true);
    }
    result = is_set ? tsr_attr_integer_set(r->ctx, s->ndim, s->nsym, exprs.data, eqs.data, exprs.n)
                    : tsr_attr_affine_map(r->ctx, s->ndim, s->nsym, exprs.data, exprs.n);
out:
    tsr_vec_free(&exprs);
    tsr_vec_free(&eqs);
    return result;
}

static tsr_attr *read_affine(tsr_reader *r, bool is_set)
{
    scope *s = tsr_xmalloc(sizeof *s);
    s->r = r;
    s->ndim = s->nsym = s->noperand = 0;
    tsr_attr *result = NULL;
    tsr_loc begin = tsr_read_loc(r);
    if (!tsr_read_is(r, '('))
        tsr_read_wrong(r, "expected '(' in dimensional identifier list");
    else if (read_ids(s, ')', "expected ')' in dimensional identifier list", &s->ndim) &&
             (!tsr_read_is(r, '[') || read_ids(s, ']', "expected ']' in symbol list", &s->nsym)))
        result = read_body(s, is_set, begin);
    tsr_free(s);
    return result;
}

tsr_attr *tsr_read_affine(tsr_reader *r, bool is_set)
{
    if (!tsr_read_expect(r, '<',
                         is_set ? "expected '<' in integer set" : "expected '<' in affine map"))
        return NULL;
    tsr_attr *a = read_affine(r, is_set);
    return a && tsr_read_expect(r, '>', "expected '>'") ? a : NULL;
}

tsr_attr *tsr_read_bare_map(tsr_reader *r)
{
    return read_affine(r, false);
}
