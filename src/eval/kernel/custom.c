/* SPDX-License-Identifier: Apache-2.0 */
/* custom.c - custom calls: a table of targets, then those of LAPACK.
 *
 * Annotations of compilers (shardings, placements, layouts) do not change values. Unknown targets are passed to the
 * caller, or fail. */
#include "eval/host.h"
#include "eval/kernel/check.h"
#include "eval/kernel/lapack.h"
#include "eval/kernel/kernels.h"
#include "eval/mesh.h"

static tsr_str target_of(const tsr_call *c)
{
    return tsr_call_attr(c, STABLEHLO_CUSTOM_CALL_call_target_name)->s;
}

/* Whether a value can be used as result i unchanged. */
static bool fits_result(const tsr_call *c, size_t i, const tsr_tensor *t)
{
    const tsr_type *type = c->op->out[i].type;
    if (type->kind != TSR_TYPE_TENSOR)
        return t->kind != TSR_TENSOR || type->kind == TSR_TYPE_UNRANKED_TENSOR ||
               type->kind == TSR_TYPE_MEMREF;
    bool fits = t->kind == TSR_TENSOR && t->rank == type->n && t->dtype == tsr_dtype_of(type->elem);
    for (uint32_t d = 0; fits && d < type->n; d++)
        fits = type->dims[d] == TSR_DYNAMIC || type->dims[d] == t->dims[d];
    return fits;
}

/* Operand i as result i. */
static bool pass_through(tsr_call *c)
{
    if (c->op->nout > c->op->nin)
        return tsr_fail(c, "@%.*s has more results than operands", TSR_STR_ARG(target_of(c)));
    for (uint32_t i = 0; i < c->op->nout; i++) {
        if (!fits_result(c, i, c->in[i]))
            return tsr_fail(c,
                            "@%.*s gives result %u another type than operand %u has, which no "
                            "single process can do",
                            TSR_STR_ARG(target_of(c)), i, i);
        c->out[i] = tsr_call_take(c, i);
    }
    return true;
}

static bool do_nothing(tsr_call *c)
{
    return !c->op->nout ||
           tsr_fail(c, "@%.*s has results that nobody gives", TSR_STR_ARG(target_of(c)));
}

/* Conditions on shapes that a program was exported with: operand 0 must be true. */
static bool assert_shape(tsr_call *c)
{
    if (!c->op->nin || c->in[0]->kind != TSR_TENSOR || c->in[0]->n != 1)
        return tsr_fail(c, "@shape_assertion needs one truth value");
    if (tsr_get_int(c->in[0], 0))
        return do_nothing(c);
    const tsr_attr *message = tsr_op_attr(c->op, TSR_STR("error_message"));
    if (!tsr_attr_is(message, TSR_ATTR_STRING))
        return tsr_fail(c, "@shape_assertion does not hold");
    /* {0}, {1}, ... refer to the other operands. */
    tsr_buf text = {0};
    for (size_t i = 0; i < message->s.len; i++) {
        size_t k = i + 1, n = 0;
        while (message->s.data[i] == '{' && k < message->s.len && message->s.data[k] >= '0' &&
               message->s.data[k] <= '9' && n < c->op->nin)
            n = n * 10 + (size_t)(message->s.data[k++] - '0');
        bool named =
            k > i + 1 && k < message->s.len && message->s.data[k] == '}' && n + 1 < c->op->nin;
        if (named && c->in[n + 1]->kind == TSR_TENSOR && c->in[n + 1]->n == 1) {
            tsr_buf_int(&text, tsr_get_int(c->in[n + 1], 0));
            i = k;
        } else {
            tsr_buf_char(&text, message->s.data[i]);
        }
    }
    tsr_fail(c, "@shape_assertion does not hold: %.*s", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

/* Operand 0; the others only give its shape. */
static bool pass_first(tsr_call *c)
{
    return (c->op->nout == 1 && c->op->nin)
               ? pass_through(c)
               : tsr_fail(c, "@%.*s gives its first operand", TSR_STR_ARG(target_of(c)));
}

/* The kernel of a target; called with the custom_call as its op. */
static const struct {
    const char *name;
    eval_fn *kernel;
} targets[] = {
    {"check.eq", tsr_check_call_eq},
    {"check.expect_eq", tsr_check_call_expect_eq},
    {"check.expect_almost_eq", tsr_check_call_expect_almost_eq},
    {"check.expect_close", tsr_check_call_expect_close},
    /* Shardings. */
    {"Sharding", pass_through},
    {"SPMDFullToShardShape", pass_through},
    {"SPMDShardToFullShape", pass_through},
    {"InspectSharding", pass_through},
    {"xla.sdy.FuncResultSharding", pass_through},
    {"xla.sdy.GlobalToLocalShape", pass_through},
    {"xla.sdy.LocalToGlobalShape", pass_through},
    {"xla.sdy.PropagationBarrier", pass_through},
    {"xla.sdy.ShardingGroup", do_nothing},
    {"tt.sharding_constraint", pass_through},
    {"tt.mark_argument", pass_through},
    /* Placement and layout. */
    {"annotate_device_placement", pass_through},
    {"MoveToHost", pass_through},
    {"MoveToDevice", pass_through},
    {"PinToDevice", pass_through},
    {"LayoutConstraint", pass_through},
    {"Pin", pass_through},
    {"Unpin", pass_through},
    /* Dynamic shapes. */
    {"shape_assertion", assert_shape},
    {"stablehlo.shape_refinement_operand_wrapper", pass_first},
};

/* ---- Targets of the caller ---- */

static bool make_result(tsr_call *c, size_t i, void **data)
{
    const tsr_type *type = c->op->out[i].type;
    *data = NULL;
    if (type->kind == TSR_TYPE_TENSOR && !tsr_type_has_static_shape(type))
        return tsr_fail(c, "@%.*s has a result of a shape that is not known",
                        TSR_STR_ARG(target_of(c)));
    c->out[i] = type->kind == TSR_TYPE_TENSOR ? tsr_tensor_zeros(type->elem, type->dims, type->n)
                                              : tsr_token_new();
    if (!c->out[i])
        return tsr_fail_memory(c, "a result");
    *data = c->out[i]->data;
    return true;
}

static bool call_host(tsr_call *c, const tsr_eval_host *host)
{
    tsr_attr *config = tsr_attr_of(c->op, STABLEHLO_CUSTOM_CALL_backend_config);
    if (!tsr_attr_is(config, TSR_ATTR_DICT) && c->op->extra)
        config = tsr_dict_get(c->op->extra, TSR_STR("mhlo.backend_config"));
    void **data = tsr_xmalloc((c->op->nout + 1) * sizeof *data);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->op->nout; i++)
        ok = make_result(c, i, &data[i]);
    tsr_custom_call call = {.target = target_of(c),
                            .config = config,
                            .device = c->e->process ? c->e->process->id : 0,
                            .nin = c->op->nin,
                            .nout = c->op->nout,
                            .in = c->in,
                            .out = c->out,
                            .out_data = data};
    tsr_status status = {0};
    if (ok && !host->custom_call(host->custom_user, &call, &status))
        ok = tsr_fail(c, "%s", *status.message ? status.message : "the call failed");
    for (uint32_t i = 0; ok && i < c->op->nout; i++)
        if (data[i])
            tsr_tensor_tidy(c->out[i]);
    tsr_free(data);
    return ok;
}

static eval_fn *kernel_of(tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(targets); i++)
        if (tsr_str_is(name, targets[i].name))
            return targets[i].kernel;
    return tsr_lapack_find(name);
}

bool tsr_custom_target_known(tsr_str name)
{
    return kernel_of(name) != NULL;
}

bool eval_custom_call(tsr_call *c)
{
    tsr_str name = target_of(c);
    eval_fn *kernel = kernel_of(name);
    if (kernel)
        return kernel(c);
    if (c->e->host && c->e->host->custom_call)
        return call_host(c, c->e->host);
    return tsr_fail(c, "calls '@%.*s', which is not known here", TSR_STR_ARG(name));
}
