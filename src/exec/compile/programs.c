/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - programs of a module, by function. */
#include "exec/programs.h"

struct tsr_programs {
    tsr_module *module;
    tsr_program_options options;
    tsr_map of;
};

tsr_program *tsr_programs_find(const tsr_programs *x, const tsr_op *function)
{
    TSR_MAP_EACH (&x->of, tsr_hash_ptr(function), p)
        if (((tsr_program *)p)->function == function)
            return p;
    return NULL;
}

tsr_program *tsr_programs_get(tsr_programs *x, const tsr_op *function)
{
    tsr_program *p = tsr_programs_find(x, function);
    if (!p) {
        p = tsr_program_new(x->module, function, &x->options);
        tsr_map_put(&x->of, tsr_hash_ptr(function), p);
    }
    return p;
}

tsr_programs *tsr_programs_new(tsr_module *m, const tsr_program_options *options)
{
    tsr_programs *x = tsr_xmalloc(sizeof *x);
    *x = (tsr_programs){.module = m, .options = options ? *options : (tsr_program_options){0}};
    return x;
}

void tsr_programs_free(tsr_programs *x)
{
    for (uint32_t i = 0; x && i < x->of.n; i++)
        tsr_program_free(x->of.entries[i].value);
    if (x)
        tsr_map_free(&x->of);
    tsr_free(x);
}
