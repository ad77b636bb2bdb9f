/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - programs as text. Ops stand in their generic form: it is the same for all of them. */
#include <stdarg.h>

#include "program.h"

void put(buffer *b, const char *fmt, ...)
{
    va_list args;
    for (;;) {
        va_start(args, fmt);
        int n = vsnprintf(b->data ? b->data + b->n : NULL, b->cap - b->n, fmt, args);
        va_end(args);
        if (b->n + (size_t)n < b->cap) {
            b->n += (size_t)n;
            return;
        }
        b->cap = (b->cap + (size_t)n + 64) * 2;
        b->data = realloc(b->data, b->cap);
        if (!b->data)
            exit(3);
    }
}

static void put_type(buffer *b, const value *v)
{
    if (v->type) {
        put(b, "%s", v->type);
        return;
    }
    put(b, "tensor<");
    for (int d = 0; d < v->s.rank; d++)
        put(b, "%lldx", (long long)v->s.d[d]);
    put(b, "%s>", elem_names[v->e]);
}

static void put_axis(buffer *b, const program *p, const sharding *s, axis_ref a, int i)
{
    put(b, "%s\"%c\"", i ? ", " : "", 'a' + a.axis);
    if (a.size && a.size != p->meshes[s->mesh].sizes[a.axis])
        put(b, ":(%d)%d", a.pre, a.size);
}

static void put_sharding(buffer *b, const program *p, const value *v, const sharding *s)
{
    put(b, "<%s, [", mesh_name(s->mesh));
    for (int d = 0; d < v->s.rank && !p->meshes[s->mesh].single; d++) {
        put(b, "%s{", d ? ", " : "");
        for (int i = 0; i < s->n[d]; i++)
            put_axis(b, p, s, s->axes[d][i], i);
        put(b, "%s}", s->open[d] ? s->n[d] ? ", ?" : "?" : "");
    }
    put(b, "]");
    if (s->nunreduced) {
        put(b, ", unreduced=%s{", reduction_names[s->how]);
        for (int i = 0; i < s->nunreduced; i++)
            put_axis(b, p, s, s->unreduced[i], i);
        put(b, "}");
    }
    put(b, ">");
}

static void put_block(buffer *b, const program *p, const block *k, int indent);

bool full_precision;

bool is_product(const stmt *s)
{
    static const char *const names[] = {"stablehlo.dot_general", "stablehlo.dot",
                                        "stablehlo.convolution", "stablehlo.dynamic_conv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(s->name, names[i]) == 0)
            return true;
    return false;
}

/* The properties of an op, or nothing. */
static void put_props(buffer *b, const stmt *s)
{
    static const char precision[] =
        "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]";
    bool high = full_precision && is_product(s);
    if (high || s->props)
        put(b, " <{%s%s%s}>", high ? precision : "", high && s->props ? ", " : "",
            s->props ? s->props : "");
}

static void put_stmt(buffer *b, const program *p, const stmt *s, int indent)
{
    put(b, "%*s", indent, "");
    for (int i = 0; i < s->nout; i++)
        put(b, "%s%%v%d", i ? ", " : "", s->out[i]);
    put(b, "%s\"%s\"(", s->nout ? " = " : "", s->name);
    for (int i = 0; i < s->nin; i++)
        put(b, "%s%%v%d", i ? ", " : "", s->in[i]);
    put(b, ")");
    if (s->constrains) {
        put(b, " <{sharding = #sdy.sharding");
        put_sharding(b, p, &p->values[s->out[0]], &p->values[s->out[0]].sh);
        put(b, "}>");
    } else {
        put_props(b, s);
    }
    if (s->regions[0] || s->nblock) {
        put(b, " (");
        for (int i = 0; i < 2 && s->regions[i]; i++)
            put(b, "%s{\n%s}", i ? ", " : "", s->regions[i]);
        for (int i = 0; i < s->nblock; i++) {
            put(b, "%s{\n", i ? ", " : "");
            put_block(b, p, s->blocks[i], indent + 2);
            put(b, "%*s}", indent, "");
        }
        put(b, ")");
    }
    bool any_set = false, all_tensors = true;
    for (int i = 0; i < s->nout; i++) {
        any_set |= p->values[s->out[i]].sh.set;
        all_tensors &= !p->values[s->out[i]].type;
    }
    if (s->shards && any_set && all_tensors && !s->constrains) {
        put(b, " {sdy.sharding = #sdy.sharding_per_value<[");
        for (int i = 0; i < s->nout; i++) {
            put(b, "%s", i ? ", " : "");
            sharding none = {.set = true};
            const value *v = &p->values[s->out[i]];
            put_sharding(b, p, v, v->sh.set ? &v->sh : &none);
        }
        put(b, "]>}");
    }
    put(b, " : (");
    for (int i = 0; i < s->nin; i++) {
        put(b, "%s", i ? ", " : "");
        put_type(b, &p->values[s->in[i]]);
    }
    put(b, ") -> (");
    for (int i = 0; i < s->nout; i++) {
        put(b, "%s", i ? ", " : "");
        put_type(b, &p->values[s->out[i]]);
    }
    put(b, ")\n");
}

static void put_block(buffer *b, const program *p, const block *k, int indent)
{
    if (k->nargs) {
        put(b, "%*s^bb0(", indent - 2, "");
        for (int i = 0; i < k->nargs; i++) {
            put(b, "%s%%v%d: ", i ? ", " : "", k->args[i]);
            put_type(b, &p->values[k->args[i]]);
        }
        put(b, "):\n");
    }
    for (int i = 0; i < k->nstmt; i++)
        if (!k->stmts[i]->gone)
            put_stmt(b, p, k->stmts[i], indent);
    put(b, "%*s\"%s\"(", indent, "", k->terminator);
    for (int i = 0; i < k->nret; i++)
        put(b, "%s%%v%d", i ? ", " : "", k->ret[i]);
    put(b, ") : (");
    for (int i = 0; i < k->nret; i++) {
        put(b, "%s", i ? ", " : "");
        put_type(b, &p->values[k->ret[i]]);
    }
    put(b, ") -> ()\n");
}

static void mark_used(const program *p, const block *b, bool *used, bool *defined, bool *called)
{
    for (int i = 0; i < b->nargs; i++)
        defined[b->args[i]] = true;
    for (int i = 0; i < b->nret; i++)
        used[b->ret[i]] = true;
    for (int i = 0; i < b->nstmt; i++) {
        const stmt *s = b->stmts[i];
        if (s->gone)
            continue;
        for (int k = 0; k < s->nin; k++)
            used[s->in[k]] = true;
        for (int k = 0; k < s->nout; k++)
            defined[s->out[k]] = true;
        for (int k = 0; k < s->nblock; k++)
            mark_used(p, s->blocks[k], used, defined, called);
        for (int f = 0; s->props && f < p->nfunc; f++) {
            char name[16];
            snprintf(name, sizeof name, "@f%d", f);
            called[f] |= strstr(s->props, name) != NULL;
        }
    }
}

static void put_arg(buffer *b, const program *p, int v)
{
    put(b, "%%v%d: ", v);
    put_type(b, &p->values[v]);
    if (p->values[v].sh.set) {
        put(b, " {sdy.sharding = #sdy.sharding");
        put_sharding(b, p, &p->values[v], &p->values[v].sh);
        put(b, "}");
    }
}

static void put_body(buffer *b, const program *p, const block *k)
{
    put(b, ") {\n");
    put_block(b, p, k, 4);
    put(b, "  }\n");
}

static block main_of(const program *p, bool *used, bool *defined, bool *called)
{
    block body = *p->main;
    body.nret = p->nresult;
    memcpy(body.ret, p->results, (size_t)body.nret * sizeof *body.ret);
    body.terminator = "func.return";
    mark_used(p, &body, used, defined, called);
    return body;
}

int program_args(const program *p, int *ids)
{
    bool used[VALUES] = {false}, defined[VALUES] = {false}, called[FUNCS] = {false};
    int n = 0;
    main_of(p, used, defined, called);
    for (int i = 0; i < p->nvalue; i++)
        if (used[i] && !defined[i])
            ids[n++] = i;
    return n;
}

static void put_mesh(buffer *b, const mesh *m, int number)
{
    int total = mesh_size(m);
    put(b, "  sdy.mesh %s = <[", mesh_name(number));
    for (int i = 0; i < m->naxis; i++)
        put(b, "%s\"%c\"=%d", i ? ", " : "", 'a' + i, m->sizes[i]);
    put(b, "]");
    if (m->single)
        put(b, ", device_ids=[%d]", m->ids[0]);
    for (int i = 0; m->shuffled && i < total; i++)
        put(b, "%s%d%s", i ? ", " : ", device_ids=[", m->ids[i], i + 1 == total ? "]" : "");
    put(b, ">\n");
}

/* Functions that are called by what is there, which calls others. */
static void put_extra(buffer *b, const program *p)
{
    bool done[FUNCS] = {false};
    for (int i = 0; i < p->nextra; i++) {
        char call[16], symbol[16]; /* in the text of bodies, and as an op's property */
        snprintf(call, sizeof call, "@g%d(", i);
        snprintf(symbol, sizeof symbol, "@g%d}", i);
        bool called = strstr(b->data, call) || strstr(b->data, symbol);
        if (done[i] || !called) /* or it is taken out again */
            continue;
        put(b, "%s", p->extra[i].text);
        done[i] = true;
        i = -1;
    }
}

char *program_text(const program *p)
{
    buffer b = {0};
    bool used[VALUES] = {false}, defined[VALUES] = {false}, called[FUNCS] = {false};
    block body = main_of(p, used, defined, called);
    put(&b, "module {\n");
    for (int i = 0; i < p->nmesh; i++)
        put_mesh(&b, &p->meshes[i], i);
    put(&b, "  func.func @main(");
    bool first = true;
    for (int i = 0; i < p->nvalue; i++)
        if (used[i] && !defined[i]) {
            put(&b, "%s", first ? "" : ", ");
            put_arg(&b, p, i);
            first = false;
        }
    put(&b, ") -> (");
    for (int i = 0; i < body.nret; i++) {
        put(&b, "%s", i ? ", " : "");
        const value *v = &p->values[body.ret[i]];
        put_type(&b, v);
        if (p->result_sh[i].set) {
            put(&b, " {sdy.sharding = #sdy.sharding");
            put_sharding(&b, p, v, &p->result_sh[i]);
            put(&b, "}");
        }
    }
    put_body(&b, p, &body);
    for (int f = 0; f < p->nfunc; f++) {
        if (!called[f])
            continue;
        block k = *p->funcs[f];
        put(&b, "  func.func private @f%d(", f);
        for (int i = 0; i < k.nargs; i++) {
            put(&b, "%s", i ? ", " : "");
            put_arg(&b, p, k.args[i]);
        }
        put(&b, ") -> (");
        for (int i = 0; i < k.nret; i++) {
            put(&b, "%s", i ? ", " : "");
            put_type(&b, &p->values[k.ret[i]]);
        }
        k.nargs = 0;
        put_body(&b, p, &k);
    }
    put_extra(&b, p);
    put(&b, "}\n");
    return b.data;
}
