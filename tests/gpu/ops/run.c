/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - see run.h. */
#include "run.h"

#include "api/eval.h"
#include "eval/plan.h"
#include "tessera/tessera.h"

bool test_begin(test_job *j, tsr_ctx *ctx, tsr_str text)
{
    tsr_status status = {0};
    *j = (test_job){.m = tsr_module_parse(ctx, text, TSR_STR("test.mlir"))};
    j->f = j->m && tsr_make_runnable(j->m, false) ? tsr_entry_find(j->m, TSR_STR("main"), &status)
                                                  : NULL;
    if (!j->f)
        return false;
    j->nin = (int)j->f->regions[0].first->nargs;
    j->nout = (int)j->f->regions[0].first->last->nin;
    return j->nin <= TEST_MOST && j->nout <= TEST_MOST;
}

void test_drop(tsr_tensor **t)
{
    tsr_tensors_drop(t, TEST_MOST);
}

void test_end(test_job *j)
{
    test_drop(j->in);
    test_drop(j->want);
    tsr_module_free(j->m);
}

static void fill(tsr_tensor *t, int64_t most)
{
    tsr_dtype part = tsr_dtype_part((tsr_dtype)t->dtype); /* of complex numbers */
    size_t bytes = tsr_tensor_bytes(t), each = tsr_dtype_bytes(part);
    bool is_int = tsr_dtype_is_int(part);
    for (size_t i = 0; i < bytes && most < 0; i++)
        ((uint8_t *)t->data)[i] = (uint8_t)test_draw(0, t->dtype == TSR_D_I1 ? 1 : 255);
    for (size_t i = 0; i < bytes / each && most >= 0; i++) {
        bool is_signed = tsr_dtype_kind(part) != TSR_K_UINT;
        int64_t whole = most ? test_draw(is_signed ? -2 : 0, most) : test_draw(is_int ? 0 : -8, 8);
        double v = most || is_int ? (double)whole : (double)whole / 8;
        tsr_convert(part, (char *)t->data + i * each, TSR_D_F64, &v, 1);
    }
}

bool test_evaluate(test_job *j, const int64_t *most)
{
    for (int i = 0; i < j->nin; i++) {
        const tsr_type *t = j->f->regions[0].first->args[i]->type;
        j->in[i] = tsr_tensor_zeros(t->elem, t->dims, t->n);
        fill(j->in[i], most ? most[i] : -1);
    }
    tsr_plan *plan = tsr_plan_facts(j->m);
    tsr_plan_frames(plan, j->m);
    tsr_eval e;
    tsr_eval_init(&e, j->m, plan);
    bool ok = tsr_eval_function(&e, j->f, j->in, (size_t)j->nin, j->want);
    tsr_eval_free(&e);
    tsr_plan_free(plan);
    return ok;
}

bool test_run(const test_job *j, const tsr_mock_options *how, void (*change)(tsr_device *d),
              tsr_tensor **out, char *error, size_t size)
{
    tsr_device *d = tsr_mock_open(0, how, error, size);
    if (change)
        change(d);
    tsr_program *p = tsr_program_new(
        j->m, j->f, &(tsr_program_options){.backend = &tsr_backend_gpu, .device = d});
    tsr_eval e;
    tsr_eval_init(&e, j->m, p->plan);
    bool ok = tsr_program_run(p, &e, j->in, (size_t)j->nin, out, (size_t)j->nout, NULL);
    if (!ok)
        snprintf(error, size, "%.*s", TSR_STR_ARG(tsr_buf_text(&e.failure.message)));
    else if (tsr_program_others(p))
        snprintf(error, size, "the host runs %u groups", tsr_program_others(p));
    ok = ok && !tsr_program_others(p);
    tsr_eval_free(&e);
    tsr_program_free(p);
    if (ok && !d->synchronize(d)) { /* found when memory is released */
        snprintf(error, size, "%s", d->error);
        ok = false;
    }
    d->close(d);
    return ok;
}
