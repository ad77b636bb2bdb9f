/* SPDX-License-Identifier: Apache-2.0 */
/* given.c - shardings on the command line: --mesh, --arg and --result of several commands. */
#include "given.h"

#include "api/spmd.h"

/* The colon before the sharding: the last one that does not begin a part of an axis, x:(1)2. */
static const char *find_colon(const char *text)
{
    const char *found = NULL;
    for (const char *p = strchr(text, ':'); p; p = strchr(p + 1, ':'))
        if (p[1] != '(')
            found = p;
    return found;
}

int given_flag(const tool *t, const flag_given *g, bool result, given_vec *out)
{
    const char *colon = find_colon(g->value);
    tsr_shard_given given = {.result = result};
    size_t len = colon ? (size_t)(colon - g->value) : 0;
    if (!len) {
        fprintf(stderr,
                "%s: for the --%s option: '%s' value invalid: a number or a name, a colon and a "
                "sharding are wanted\n",
                t->name, t->command->flags[g->id].name, g->value);
        return usage_exit(t);
    }
    given.text = tsr_cstr(colon + 1);
    given.name = tsr_str_of(g->value, len);
    bool number = len < 10;
    for (size_t i = 0; number && i < len; i++) {
        number = g->value[i] >= '0' && g->value[i] <= '9';
        given.index = given.index * 10 + (size_t)(g->value[i] - '0');
    }
    if (number)
        given.name.len = 0;
    tsr_vec_push(out, given);
    return 0;
}

bool make_ready(tsr_module *m, bool spmd, const char *shape)
{
    if (!tsr_verify(m->op) || !tsr_make_runnable(m, spmd))
        return false;
    if (shape && !tsr_spmd_has_ttir(m))
        return tsr_error(m->ctx, m->op->loc,
                         "--mesh-shape divides the batch of a TTIR program, and this is none; "
                         "--mesh=x=2 and --arg=0:x,_ shard other programs");
    if (shape && !tsr_spmd_set_mesh(m, tsr_cstr(shape)))
        return tsr_error(m->ctx, m->op->loc, "'%s' is no mesh; one is written 1,8", shape);
    return true;
}

bool give_shardings(tsr_module *m, const tsr_shard_request *request, const given_vec *given,
                    const char *function, tsr_status *s)
{
    tsr_shard_request all = *request;
    all.given = given->data;
    all.ngiven = given->n;
    all.function = tsr_cstr(function);
    return tsr_shard_give(m, &all, s);
}

bool divide(tsr_module *m, const tsr_shard_request *request, const given_vec *given,
            const char *function, tsr_status *s)
{
    return give_shardings(m, request, given, function, s) &&
           tsr_spmd_partition(m, tsr_cstr(function), 0, s);
}

void tell_no_mesh(tsr_ctx *ctx, const tsr_op *func)
{
    tsr_emit(ctx, TSR_REMARK, func->loc,
             "no mesh: one device computes everything; --mesh=x=2 gives one, --arg=0:x,_ a "
             "sharding");
}
