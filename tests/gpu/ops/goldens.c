/* SPDX-License-Identifier: Apache-2.0 */
/* goldens.c - prints what programs become: the steps of each group, and the texts of kernels. */
#include "api/eval.h"
#include "run.h"
#include "tessera/tessera.h"

static void print_matrix(const char *name, const tsr_device_matrix *x)
{
    printf(" %s type %d line %lld matrix %lld%s", name, (int)x->type, (long long)x->line,
           (long long)x->matrix, x->transposed ? " transposed" : "");
}

static void print_words(const tsr_gpu_step *s)
{
    for (uint32_t i = 0; i < s->nwords; i++)
        if (s->words[i].place == TSR_XNONE)
            printf(" %lld", (long long)s->words[i].number);
        else
            printf(" v%u+%lld", s->words[i].place, (long long)s->words[i].number);
    printf("\n");
}

static void print_step(const tsr_gpu_step *s)
{
    if (s->kind == TSR_GPU_LAUNCH) {
        printf("  launch text %u %s, %u x %u threads:", s->text, s->name, s->blocks[0], s->threads);
    } else if (s->kind == TSR_GPU_PRODUCT) {
        const tsr_device_product *p = s->product;
        printf("  product %lld x %lld x %lld by %lld", (long long)p->m, (long long)p->n,
               (long long)p->k, (long long)p->batch);
        print_matrix("a", &p->a);
        print_matrix("b", &p->b);
        print_matrix("out", &p->out);
        printf("%s epilogue %d:", p->fast ? " fast" : "", (int)p->epilogue);
    } else {
        printf("  copy %zu:", s->bytes);
    }
    print_words(s);
}

bool test_print(tsr_ctx *ctx, const char *path)
{
    tsr_status status = {0};
    tsr_module *m = tsr_module_parse_file(ctx, path);
    const tsr_op *f =
        m && tsr_make_runnable(m, false) ? tsr_entry_find(m, TSR_STR("main"), &status) : NULL;
    if (!f)
        return false;
    tsr_program *p = tsr_program_new(m, f, &(tsr_program_options){.backend = &tsr_backend_gpu});
    const tsr_gpu_program *code = p->code;
    for (size_t i = 0; i < p->main.groups.n; i++) {
        tsr_xid g = p->main.groups.data[i];
        tsr_buf name = {0};
        tsr_group_name(p, &p->groups.data[g], &name);
        printf("%s %.*s\n", tsr_group_kind(&p->groups.data[g]), TSR_STR_ARG(tsr_buf_text(&name)));
        tsr_buf_free(&name);
        const tsr_gpu_recipe *r = code->groups[g].recipe;
        for (size_t k = 0; r && k < r->steps.n; k++)
            print_step(&r->steps.data[k]);
    }
    for (size_t i = 0; i < code->texts.n; i++) {
        tsr_str text = code->texts.data[i]; /* what all texts begin with is left out */
        while (text.len && !tsr_str_starts(text, "TSR_FN") && !tsr_str_starts(text, "TSR_KERNEL"))
            text = (tsr_str){text.data + 1, text.len - 1};
        printf("---- text %zu\n%.*s\n", i, TSR_STR_ARG(text));
    }
    tsr_program_free(p);
    tsr_module_free(m);
    return true;
}
