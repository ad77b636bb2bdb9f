/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c - functions around those of a case: for all processes of a grid, and for a mesh of devices. */
#include <stdio.h>
#include <string.h>

#include "property.h"

static void put_type(tsr_buf *out, tsr_module *m, tsr_str f, size_t i, bool result)
{
    tsr_str text =
        tsr_type_print(result ? tsr_module_output_type(m, f, i) : tsr_module_input_type(m, f, i));
    tsr_buf_str(out, text);
    tsr_free((void *)text.data);
}

/* @all_<name>: operands and results come in groups of first (of the original) and the rest,
 * process by process. */
static void write_wrapper(tsr_buf *out, tsr_module *m, const char *name, const test_case *c,
                          size_t firstin, size_t firstout)
{
    size_t nin, nout, n = (size_t)(c->replicas * c->partitions);
    tsr_str f = tsr_cstr(name);
    tsr_module_signature(m, f, &nin, &nout);
    tsr_buf_printf(out, "func.func @all_%s(", name);
    for (int group = 0, comma = 0; group < 2; group++)
        for (size_t p = 0; p < n; p++)
            for (size_t i = group ? firstin : 0; i < (group ? nin : firstin); i++, comma = 1) {
                tsr_buf_printf(out, "%s%%a%zu_%zu: ", comma ? ", " : "", p, i);
                put_type(out, m, f, i, false);
            }
    tsr_buf_cstr(out, ") -> (");
    for (int group = 0, comma = 0; group < 2; group++)
        for (size_t p = 0; p < n; p++)
            for (size_t i = group ? firstout : 0; i < (group ? nout : firstout); i++, comma = 1) {
                tsr_buf_cstr(out, comma ? ", " : "");
                put_type(out, m, f, i, true);
            }
    tsr_buf_printf(out, ") {\n  %%r:%zu = \"interpreter.run_parallel\"(", n * nout);
    for (size_t k = 0; k < n * nin; k++)
        tsr_buf_printf(out, "%s%%a%zu_%zu", k ? ", " : "", k / nin, k % nin);
    tsr_buf_cstr(out, ") {programs = [");
    for (int r = 0; r < c->replicas; r++) {
        tsr_buf_cstr(out, r ? ", [" : "[");
        for (int k = 0; k < c->partitions; k++)
            tsr_buf_printf(out, "%s@%s", k ? ", " : "", name);
        tsr_buf_cstr(out, "]");
    }
    tsr_buf_cstr(out, "]} : (");
    for (size_t k = 0; k < n * nin; k++) {
        tsr_buf_cstr(out, k ? ", " : "");
        put_type(out, m, f, k % nin, false);
    }
    tsr_buf_cstr(out, ") -> (");
    for (size_t k = 0; k < n * nout; k++) {
        tsr_buf_cstr(out, k ? ", " : "");
        put_type(out, m, f, k % nout, true);
    }
    tsr_buf_cstr(out, ")\n  return ");
    for (int types = 0; types < 2; types++) {
        tsr_buf_cstr(out, types ? " : " : "");
        for (int group = 0, comma = 0; group < 2; group++)
            for (size_t p = 0; p < n; p++)
                for (size_t i = group ? firstout : 0; i < (group ? nout : firstout);
                     i++, comma = 1) {
                    tsr_buf_cstr(out, comma ? ", " : "");
                    if (types)
                        put_type(out, m, f, i, true);
                    else
                        tsr_buf_printf(out, "%%r#%zu", p * nout + i);
                }
    }
    tsr_buf_cstr(out, "\n}\n");
}

/* The module's text up to its closing brace. */
static void put_open_module(tsr_buf *out, tsr_module *m)
{
    tsr_str printed = tsr_module_print(m, NULL);
    size_t end = printed.len;
    while (end > 0 && printed.data[end - 1] != '}')
        end--;
    tsr_buf_str(out, tsr_str_of(printed.data, end ? end - 1 : 0));
    tsr_free((void *)printed.data);
}

bool spread_over_grid(trial *t, const test_case *c)
{
    size_t n = (size_t)(c->replicas * c->partitions);
    tsr_buf text = {0};
    if (n < 1 || n * t->nin > MAX_ARGS || n * t->nout > MAX_ARGS)
        return false;
    put_open_module(&text, t->m);
    write_wrapper(&text, t->m, "f", c, t->nin, t->nout);
    write_wrapper(&text, t->m, "f_jvp", c, t->nin, t->nout);
    write_wrapper(&text, t->m, "f_grad", c, t->nin, 0);
    tsr_buf_cstr(&text, "}\n");
    tsr_module_free(t->m);
    t->m = tsr_module_parse(t->ctx, tsr_buf_text(&text), tsr_cstr("grid"));
    tsr_buf_free(&text);
    t->prefix = "all_";
    return t->m != NULL;
}

/* ---- Meshes ---- */

/* Dimensions of an argument by axes of the mesh: each axis cuts one that has several elements, or none. */
static void put_sharding(tsr_buf *out, run_state *r, tsr_type *type)
{
    int64_t rank = tsr_type_rank(type), by[2];
    for (int axis = 0; axis < 2; axis++) {
        by[axis] = rank > 0 && next_bits(r) % 4 ? (int64_t)(next_bits(r) % (uint64_t)rank) : -1;
        if (by[axis] >= 0 && tsr_type_dim(type, (size_t)by[axis]) < 2)
            by[axis] = -1;
    }
    tsr_buf_cstr(out, " {sdy.sharding = #sdy.sharding<@halves, [");
    for (int64_t d = 0; d < rank; d++) {
        bool x = by[0] == d, y = by[1] == d;
        tsr_buf_printf(out, "%s{%s%s%s}", d ? ", " : "", x ? "\"x\"" : "", x && y ? ", " : "",
                       y ? "\"y\"" : "");
    }
    tsr_buf_cstr(out, "]>}");
}

/* @split_<name>: sharded arguments, and a call. */
static void write_split(tsr_buf *out, run_state *r, tsr_module *m, const char *name, size_t nin,
                        size_t nout)
{
    tsr_str f = tsr_cstr(name);
    tsr_buf_printf(out, "sdy.mesh @halves = <[\"x\"=2, \"y\"=2]>\nfunc.func @split_%s(", name);
    for (size_t i = 0; i < nin; i++) {
        tsr_buf_printf(out, "%s%%a%zu: ", i ? ", " : "", i);
        put_type(out, m, f, i, false);
        put_sharding(out, r, tsr_module_input_type(m, f, i));
    }
    for (int again = 0; again < 2; again++) { /* the signature, and the call */
        tsr_buf_cstr(out, ") -> (");
        for (size_t i = 0; i < nout; i++) {
            tsr_buf_cstr(out, i ? ", " : "");
            put_type(out, m, f, i, true);
        }
        if (again)
            break;
        tsr_buf_printf(out, ") {\n  %%r:%zu = call @%s(", nout, name);
        for (size_t i = 0; i < nin; i++)
            tsr_buf_printf(out, "%s%%a%zu", i ? ", " : "", i);
        tsr_buf_cstr(out, ") : (");
        for (size_t i = 0; i < nin; i++) {
            tsr_buf_cstr(out, i ? ", " : "");
            put_type(out, m, f, i, false);
        }
    }
    tsr_buf_cstr(out, ")\n  return ");
    for (size_t i = 0; i < nout; i++)
        tsr_buf_printf(out, "%s%%r#%zu", i ? ", " : "", i);
    tsr_buf_cstr(out, " : ");
    for (size_t i = 0; i < nout; i++) {
        tsr_buf_cstr(out, i ? ", " : "");
        put_type(out, m, f, i, true);
    }
    tsr_buf_cstr(out, "\n}\n}\n");
}

static bool are_near(trial *t, const char *name, tsr_tensor **got, tsr_tensor **want, size_t n)
{
    tsr_tolerance near = {.rtol = 1e-8, .atol = 1e-8};
    for (size_t i = 0; i < n; i++) {
        tsr_comparison c;
        if (tsr_tensor_compare(got[i], want[i], &near, &c))
            continue;
        snprintf(t->why, sizeof t->why, "%s on a mesh: result %zu is off by %g", name, i,
                 c.max_abs);
        return false;
    }
    return true;
}

bool same_on_mesh(trial *t, run_state *r, const char *name, tsr_tensor **in, size_t nin,
                  tsr_tensor **want, size_t nout)
{
    tsr_tensor *got[2 * MAX_ARGS];
    tsr_buf text = {0};
    char split[64];
    snprintf(split, sizeof split, "split_%s", name);
    put_open_module(&text, t->m);
    write_split(&text, r, t->m, name, nin, nout);
    trial divided = {.ctx = t->ctx,
                     .prefix = "",
                     .m = tsr_module_parse(t->ctx, tsr_buf_text(&text), tsr_cstr("mesh"))};
    bool ok = divided.m && tsr_module_partition(divided.m);
    if (ok && !(ok = call(&divided, split, in, nin, got, nout)))
        memcpy(t->why, divided.why, sizeof t->why);
    if (ok) {
        ok = are_near(t, name, got, want, nout);
        drop(got, nout);
    }
    if (!ok)
        printf("%.*s\n", TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_module_free(divided.m);
    tsr_buf_free(&text);
    return ok;
}
