/* SPDX-License-Identifier: Apache-2.0 */
/* vjp_custom_call.c - custom calls: targets that only place a value, and LAPACK's. */
#include "pass/grad/lapack.h"

/* ---- Targets that place a value without changing it ---- */

/* transpose NULL: it depends on how the value is cut, which only manual computations know. */
static const struct {
    const char *target, *transpose;
} identities[] = {
    {"Sharding", "Sharding"},       {"SPMDFullToShardShape", NULL},
    {"SPMDShardToFullShape", NULL}, {"annotate_device_placement", "annotate_device_placement"},
    {"MoveToHost", "MoveToDevice"}, {"MoveToDevice", "MoveToHost"},
};

static bool transpose_of(const tsr_op *op, const char **transpose)
{
    tsr_str name = tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
    for (size_t i = 0; i < TSR_COUNT(identities); i++)
        if (tsr_str_is(name, identities[i].target) && op->nin == 1 && op->nout == 1) {
            *transpose = identities[i].transpose;
            return true;
        }
    return tsr_op_error(op, "cannot be differentiated: target '%.*s' has no rule",
                        TSR_STR_ARG(name));
}

/* ---- LAPACK's ---- */

typedef struct {
    const char *name;
    tsr_lapack_linear *linear;
    vjp_fn *vjp; /* NULL: the linear rule, transposed */
    tsr_lapack_unfold *unfold;
    /* m: like the matrix, M: a matrix, v: a vector for each; others are ignored */
    const char *results;
} target;

/* clang-format off */
static const target targets[] = {
    {"potrf", tsr_lapack_potrf, NULL, NULL, "m"},
    {"getrf", tsr_lapack_getrf, NULL, NULL, "mv"},
    {"geqrf", tsr_lapack_geqrf, NULL, NULL, "mv"},
    {"geqp3", tsr_lapack_geqp3, NULL, NULL, "mvv"},
    {"gtsv",  tsr_lapack_gtsv, tsr_lapack_gtsv_vjp, NULL, "vvvm."},
    {"syevd", tsr_lapack_syevd, NULL, NULL, "mv."},
    {"heevd", tsr_lapack_syevd, NULL, NULL, "mv."},
    {"gesdd", tsr_lapack_gesdd, NULL, NULL, "mvMM."},
    {"gesvd", tsr_lapack_gesdd, NULL, NULL, "mvMM."},
    {"geev",  tsr_lapack_geev, NULL, NULL, ""},
    {"orgqr", NULL, NULL, tsr_lapack_orgqr, "m"},
    {"ungqr", NULL, NULL, tsr_lapack_orgqr, "m"},
    {"ormqr", NULL, NULL, tsr_lapack_ormqr, "M"},
    {"unmqr", NULL, NULL, tsr_lapack_ormqr, "M"},
    {"trsm",  NULL, NULL, tsr_lapack_trsm, "M"},
};
/* clang-format on */

static tsr_str target_name(const tsr_op *op)
{
    return tsr_attr_of(op, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
}

/* Whether results have the ranks that the rule expects. */
static bool fits(const tsr_op *op, const tsr_lapack_form *name, const target *t)
{
    const tsr_type *m = tsr_hlo_in(op, name->skip + (strcmp(t->name, "gtsv") == 0 ? 3u : 0u));
    bool ok = m->n >= 2;
    if (strcmp(t->name, "geev") == 0) {
        uint32_t n = (name->ffi                           ? 0
                      : m->elem->kind == TSR_TYPE_COMPLEX ? 2
                                                          : 3) +
                     (m->elem->kind == TSR_TYPE_COMPLEX ? 1u : 2u);
        ok &= op->nout >= n + 3 && op->out[n].type->n == m->n && op->out[n + 1].type->n == m->n;
    }
    ok &= op->nout >= strlen(t->results);
    for (uint32_t i = 0; ok && t->results[i]; i++) {
        const tsr_type *r = op->out[i].type;
        char kind = t->results[i];
        ok = tsr_type_is(r, TSR_TYPE_TENSOR) && tsr_type_has_static_shape(r) &&
             (kind == 'm'   ? r == m
              : kind == 'M' ? r->n == m->n
              : kind == 'v' ? r->n + 1 == m->n
                            : true);
    }
    return ok;
}

/* The rule of a target of LAPACK whose operands are matrices of static size; NULL: none. */
static const target *rule_of(const tsr_op *op, tsr_lapack_form *name)
{
    if (!tsr_lapack_parse(target_name(op), name) || op->nin < (uint32_t)name->skip + name->nmatrix)
        return NULL;
    for (uint32_t i = name->skip; i < op->nin; i++)
        if (!tsr_type_is(tsr_hlo_in(op, i), TSR_TYPE_TENSOR) ||
            !tsr_type_has_static_shape(tsr_hlo_in(op, i)) ||
            (i == name->skip && tsr_hlo_in(op, i)->n < 1))
            return NULL;
    for (size_t i = 0; i < TSR_COUNT(targets); i++)
        if (strcmp(targets[i].name, name->name) == 0)
            return fits(op, name, &targets[i]) ? &targets[i] : NULL;
    return NULL;
}

bool tsr_lapack_ask(const tsr_op *op, const tsr_lapack_form *name, const char *key, uint32_t old,
                    int64_t *out)
{
    if (name->ffi) {
        *out = tsr_lapack_option(op, key);
        return true;
    }
    tsr_i64_vec values = {0};
    bool ok = tsr_hlo_const_ints(tsr_grad_in(op, old), &values) && values.n == 1;
    *out = ok ? values.data[0] : 0;
    tsr_vec_free(&values);
    return ok || tsr_grad_none(op, "its options are not constants");
}

bool tsr_lapack_lower(const tsr_op *op, const tsr_lapack_form *name, uint32_t old, bool *out)
{
    int64_t v;
    TSR_TRY(tsr_lapack_ask(op, name, "uplo", old, &v));
    *out = name->ffi ? v == 'L' : v != 0;
    return true;
}

tsr_op *tsr_lapack_call(tsr_lapack_job *j, const char *name, tsr_value *const *in, size_t nin,
                        tsr_type *const *types, size_t nout, const char *const *options)
{
    tsr_ctx *ctx = j->b->ctx;
    tsr_op *op = tsr_build_open(j->b, TSR_OP_STABLEHLO_CUSTOM_CALL, in, nin, nout, 0);
    tsr_buf text = {0};
    tsr_buf_printf(&text, "lapack_%c%s_ffi", j->name.letter, name);
    op->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] = tsr_attr_string(ctx, tsr_buf_text(&text));
    tsr_buf_free(&text);
    enum { FFI = 4 };
    op->attrs[STABLEHLO_CUSTOM_CALL_api_version] = tsr_attr_i32(ctx, FFI);
    tsr_named_vec named = {0};
    for (size_t i = 0; options && options[i]; i += 2)
        tsr_vec_push(&named, (tsr_named){tsr_name_get(ctx, tsr_cstr(options[i])),
                                         tsr_attr_int(ctx, tsr_type_integer(ctx, 8, TSR_UNSIGNED),
                                                      options[i + 1][0])});
    op->attrs[STABLEHLO_CUSTOM_CALL_backend_config] = tsr_attr_dict(ctx, named.data, named.n);
    tsr_vec_free(&named);
    return tsr_build_close_as(j->b, op, types);
}

typedef struct {
    tsr_lapack_job job;
    tsr_lapack_linear *linear;
} asked;

static bool tangents(void *user, tsr_value **t, const bool *want, tsr_value **out)
{
    asked *a = user;
    a->job.t = t + a->job.name.skip;
    a->job.want = want;
    a->job.out = out;
    return a->linear(&a->job);
}

/* ---- The columns ---- */

tsr_unfolded unfold_custom_call(tsr_grad *g, tsr_op *op, tsr_build *b, tsr_value **out)
{
    (void)g;
    tsr_lapack_form name;
    const target *t = rule_of(op, &name);
    if (!t || !t->unfold)
        return TSR_UNFOLD_KEEP;
    /* Work buffers and the like are zero. */
    for (uint32_t i = 1; i < op->nout; i++)
        if (!tsr_hlo_is_ranked(op->out[i].type) || !tsr_is_number(op->out[i].type->elem) ||
            !tsr_type_has_static_shape(op->out[i].type))
            return TSR_UNFOLD_KEEP;
    if (!t->unfold(op, &name, b, out))
        return TSR_UNFOLD_FAILED;
    for (uint32_t i = 1; i < op->nout; i++)
        out[i] = tsr_build_like(b, &op->out[i], tsr_elem(&op->out[i]), 0);
    return TSR_UNFOLD_DONE;
}

bool vjp_custom_call(tsr_grad *g, tsr_op *op, tsr_value *const *ct)
{
    tsr_lapack_form name;
    const target *t = rule_of(op, &name);
    if (t && t->vjp)
        return t->vjp(g, op, ct);
    if (t && t->linear) {
        asked a = {.job = {.b = &g->b, .op = op, .name = name}, .linear = t->linear};
        return tsr_grad_transposed(g, op, ct, tangents, &a);
    }
    const char *transpose;
    TSR_TRY(transpose_of(op, &transpose));
    if (!transpose)
        return tsr_op_error(op, "cannot be differentiated as it is: --tessera-import-gspmd makes a "
                                "manual computation of it, which can");
    tsr_type *type = tsr_hlo_in(op, 0);
    tsr_op *again = tsr_grad_again(&g->b, op, ct, &type);
    again->attrs[STABLEHLO_CUSTOM_CALL_call_target_name] =
        tsr_attr_string(g->b.ctx, tsr_cstr(transpose));
    tsr_op_insert(again, g->b.block, g->b.at);
    tsr_grad_add(g, tsr_grad_in(op, 0), &again->out[0]);
    return true;
}

bool jvp_custom_call(tsr_grad *g, tsr_op *op)
{
    tsr_lapack_form name;
    const target *t = rule_of(op, &name);
    const char *transpose;
    if (!t || !t->linear)
        return transpose_of(op, &transpose) && jvp_linear(g, op);
    tsr_value_vec in = {0}, out = {0};
    tsr_buf want = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, tsr_grad_of(g, tsr_grad_in(op, i)));
    for (uint32_t i = 0; i < op->nout; i++) {
        tsr_vec_push(&out, NULL);
        tsr_buf_char(&want, tsr_grad_wanted(g, &op->out[i]));
    }
    asked a = {.job = {.b = &g->b, .op = op, .name = name}, .linear = t->linear};
    bool ok = tangents(&a, in.data, (const bool *)want.data, out.data);
    for (uint32_t i = 0; ok && i < op->nout; i++)
        tsr_grad_set(g, &op->out[i], out.data[i]);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    tsr_buf_free(&want);
    return ok;
}
