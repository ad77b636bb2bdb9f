/* SPDX-License-Identifier: Apache-2.0 */
/* reproducer.c - a module and the pipeline that fails on it in one file, as mlir-opt writes and reads it; and the check
 * that a module survives being written and read. */
#include "opt.h"

#include "text/text.h"

#define SECTION TSR_STR("mlir_reproducer")

static void add_resource(tsr_module *m, const char *key, tsr_attr *value)
{
    tsr_resource r = {.dialect = tsr_name_get(m->ctx, SECTION),
                      .key = tsr_name_get(m->ctx, tsr_cstr(key)),
                      .external = true,
                      .value = value};
    tsr_vec_push(&m->resources, r);
}

void reproducer_write(const opt_config *c, tsr_module *m, const tsr_pipeline *pl, tsr_buf *out)
{
    size_t before = m->resources.n;
    tsr_buf text = {0};
    tsr_pipeline_print(&text, pl);
    add_resource(m, "pipeline", tsr_attr_string(m->ctx, tsr_buf_text(&text)));
    add_resource(m, "disable_threading", tsr_attr_bool(m->ctx, true));
    add_resource(m, "verify_each", tsr_attr_bool(m->ctx, c->verify_each));
    tsr_buf_free(&text);
    tsr_print_module(out, m, &c->print);
    m->resources.n = before;
}

tsr_pipeline *reproducer_read(tsr_pipelines *ps, tsr_module *m, tsr_run_options *run)
{
    tsr_str text = {0};
    size_t n = 0;
    for (size_t i = 0; i < m->resources.n; i++) {
        const tsr_resource *r = &m->resources.data[i];
        if (!r->external || !tsr_str_eq(r->dialect->str, SECTION)) {
            m->resources.data[n++] = *r;
            continue;
        }
        if (tsr_str_is(r->key->str, "pipeline") && tsr_attr_is(r->value, TSR_ATTR_STRING))
            text = r->value->s;
        else if (tsr_str_is(r->key->str, "verify_each") && tsr_attr_is(r->value, TSR_ATTR_INT))
            run->verify_each = r->value->i != 0;
    }
    m->resources.n = n;
    if (text.len)
        return tsr_pipeline_parse(ps, text, true);
    tsr_error(m->ctx, m->op->loc,
              "--run-reproducer: the file has no pipeline in external_resources: mlir_reproducer");
    return NULL;
}

/* ---- --verify-roundtrip ---- */

/* Reports where two texts first differ, as a line of each. */
static bool same_text(tsr_module *m, tsr_str a, tsr_str b, const char *form)
{
    if (tsr_str_eq(a, b))
        return true;
    size_t line = 1, start = 0, n = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < n && a.data[i] == b.data[i]; i++)
        if (a.data[i] == '\n') {
            line++;
            start = i + 1;
        }
    tsr_str rest[] = {{a.data + start, a.len - start}, {b.data + start, b.len - start}};
    for (size_t i = 0; i < 2; i++) {
        const char *nl = rest[i].len ? memchr(rest[i].data, '\n', rest[i].len) : NULL;
        rest[i].len = nl ? (size_t)(nl - rest[i].data) : rest[i].len;
        rest[i].len = rest[i].len < 160 ? rest[i].len : 160;
    }
    tsr_error(m->ctx, m->op->loc, "--verify-roundtrip: the module changes when it goes through %s",
              form);
    tsr_note(m->ctx, m->op->loc, "line %zu was '%.*s' and is '%.*s'", line, TSR_STR_ARG(rest[0]),
             TSR_STR_ARG(rest[1]));
    return false;
}

static bool through(const opt_config *c, tsr_module *m, tsr_str data, tsr_str text,
                    const char *form, const tsr_print_options *print)
{
    tsr_ctx *ctx = new_ctx();
    tsr_buf again = {0};
    tsr_ctx_allow_unregistered(ctx, c->file.allow_unregistered);
    source src = {TSR_STR("<roundtrip>"), data, NULL};
    tsr_ctx_on_diag(ctx, diag_to_stderr, &src);
    tsr_module *copy = tsr_load(ctx, data, src.file, 1);
    bool ok = copy != NULL;
    if (ok)
        tsr_print_module(&again, copy, print);
    else
        tsr_error(m->ctx, m->op->loc, "--verify-roundtrip: the module cannot be read again from %s",
                  form);
    ok = ok && same_text(m, text, tsr_buf_text(&again), form);
    if (copy)
        tsr_module_free(copy);
    tsr_buf_free(&again);
    free_ctx(ctx);
    return ok;
}

bool verify_roundtrip(const opt_config *c, tsr_module *m)
{
    tsr_print_options print = {.generic = c->print.generic, .elide_larger = -1};
    tsr_buf text = {0}, bytes = {0};
    tsr_print_module(&text, m, &print);
    bool ok = through(c, m, tsr_buf_text(&text), tsr_buf_text(&text), "text", &print);
    print.local_scope = true; /* alias names are not in bytecode */
    text.len = 0;
    tsr_print_module(&text, m, &print);
    ok = ok && tsr_write_bytecode(&bytes, m->op, -1) &&
         through(c, m, tsr_buf_text(&bytes), tsr_buf_text(&text), "bytecode", &print);
    tsr_buf_free(&text);
    tsr_buf_free(&bytes);
    return ok;
}
