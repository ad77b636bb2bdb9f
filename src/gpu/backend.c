/* SPDX-License-Identifier: Apache-2.0 */
/* backend.c - prepares the groups of a program for a device, and runs them: it fills in addresses, and launches. */
#include <stdlib.h>

#include "gpu/gpu.h"

#include "base/scope.h"
#include "base/status.h"
#include "exec/run/run.h"

/* ---- What emitters call ---- */

uint32_t tsr_gpu_place(tsr_gpu_maker *m, tsr_xid v)
{
    for (uint32_t i = 0; i < m->values.n; i++)
        if (m->values.data[i] == v)
            return i;
    tsr_vec_push(&m->values, v);
    return (uint32_t)m->values.n - 1;
}

typedef struct {
    tsr_str key;
    tsr_gpu_recipe *recipe;
} known_recipe;

static tsr_str keep(tsr_gpu_maker *m, tsr_str s)
{
    return (tsr_str){tsr_arena_copy(&m->to->arena, s.data, s.len), s.len};
}

bool tsr_gpu_known(tsr_gpu_maker *m, tsr_str key)
{
    uint64_t hash = tsr_hash_str(key);
    TSR_MAP_EACH (&m->recipes, hash, found) {
        const known_recipe *k = found;
        if (tsr_str_eq(k->key, key)) {
            m->recipe = k->recipe;
            return true;
        }
    }
    known_recipe *k = TSR_NEW(&m->to->arena, known_recipe);
    *k = (known_recipe){keep(m, key), m->recipe};
    tsr_map_put(&m->recipes, hash, k);
    return false;
}

void tsr_gpu_add(tsr_gpu_maker *m, const tsr_gpu_step *step, const tsr_gpu_word *words,
                 uint32_t nwords)
{
    tsr_assert(nwords <= TSR_DEVICE_WORDS, "a step of %u words", nwords);
    tsr_gpu_step s = *step;
    s.words = tsr_arena_copy(&m->to->arena, words, nwords * sizeof *words);
    s.nwords = nwords;
    tsr_vec_push(&m->recipe->steps, s);
}

bool tsr_gpu_refuse(tsr_gpu_maker *m, const char *fmt, ...)
{
    tsr_buf why = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&why, fmt, args);
    va_end(args);
    tsr_buf at = {0};
    tsr_group_name(m->p, m->g, &at);
    tsr_status_set(m->status, TSR_BAD_INPUT, "there is no kernel for %.*s: %.*s",
                   TSR_STR_ARG(tsr_buf_text(&at)), TSR_STR_ARG(tsr_buf_text(&why)));
    tsr_buf_free(&at);
    tsr_buf_free(&why);
    return false;
}

/* ---- Texts ---- */

void tsr_gpu_writer_init(tsr_gpu_writer *w)
{
    *w = (tsr_gpu_writer){0};
    tsr_text_init(&w->text, TSR_TEXT_KERNEL);
}

void tsr_gpu_line(tsr_gpu_writer *w, const char *fmt, ...)
{
    va_list args;
    tsr_buf_printf(&w->body, "%*s", 4 * w->depth, "");
    va_start(args, fmt);
    tsr_buf_vprintf(&w->body, fmt, args);
    va_end(args);
    tsr_buf_char(&w->body, '\n');
}

static uint32_t number_of_text(tsr_gpu_maker *m, tsr_str text)
{
    uint64_t hash = tsr_hash_str(text);
    TSR_MAP_EACH (&m->texts, hash, found) {
        uint32_t number = (uint32_t)((uintptr_t)found - 1);
        if (tsr_str_eq(m->to->texts.data[number], text))
            return number;
    }
    tsr_vec_push(&m->to->texts, keep(m, text));
    tsr_map_put(&m->texts, hash, (void *)(uintptr_t)m->to->texts.n);
    return (uint32_t)m->to->texts.n - 1;
}

uint32_t tsr_gpu_writer_end(tsr_gpu_maker *m, tsr_gpu_writer *w)
{
    tsr_buf all = {0}, parts = {0};
    tsr_text_print(&all, "numbers", NULL, 0);
    /* Of several functions with one name the first is taken. */
    if (!m->p->strict && w->brief)
        tsr_text_print(&parts, "brief", NULL, 0);
    if (!m->p->strict)
        tsr_text_print(&parts, "fast", NULL, 0);
    tsr_buf_str(&parts, tsr_buf_text(&w->text.parts));
    tsr_text_used(tsr_buf_text(&parts), tsr_buf_text(&w->body), &all);
    tsr_buf_free(&parts);
    tsr_buf_str(&all, tsr_buf_text(&w->body));
    uint32_t number = number_of_text(m, tsr_buf_text(&all));
    tsr_buf_free(&all);
    tsr_buf_free(&w->body);
    tsr_text_free(&w->text);
    return number;
}

/* ---- Preparing ---- */

static bool emit(tsr_gpu_maker *m)
{
    switch ((tsr_node_kind)m->g->kind) {
    case TSR_NODE_TILE:
    case TSR_NODE_REDUCE: return tsr_gpu_loop(m);
    case TSR_NODE_MOVE: return tsr_gpu_move(m);
    case TSR_NODE_CONTRACT: return tsr_gpu_product(m);
    default: return tsr_gpu_refuse(m, "it is a %s", tsr_group_kind(m->g));
    }
}

/* Whether a backend runs a group; ZEROS and CHECK are the host's (tsr_run_check). */
static bool has_code(const tsr_xgroup *g, tsr_xid number)
{
    return g->into == number && g->nodes.n &&
           (g->kind == TSR_NODE_TILE || g->kind == TSR_NODE_REDUCE ||
            g->kind == TSR_NODE_CONTRACT || g->kind == TSR_NODE_MOVE);
}

static bool make_group(tsr_gpu_maker *m, tsr_xid number)
{
    tsr_gpu_program *to = m->to;
    m->g = &m->p->groups.data[number];
    m->values.n = 0;
    tsr_gpu_recipe *made = m->recipe = TSR_NEW(&to->arena, tsr_gpu_recipe);
    bool ok = emit(m);
    if (m->recipe == made)
        tsr_vec_push(&to->recipes, made);
    to->groups[number] = (tsr_gpu_group){
        .recipe = m->recipe,
        .values = tsr_arena_copy(&to->arena, m->values.data, m->values.n * sizeof *m->values.data),
        .nvalues = (uint32_t)m->values.n};
    return ok;
}

static bool find_kernels(tsr_gpu_program *to)
{
    for (size_t i = 0; i < to->recipes.n; i++)
        for (size_t k = 0; k < to->recipes.data[i]->steps.n; k++) {
            tsr_gpu_step *s = &to->recipes.data[i]->steps.data[k];
            if (s->kind == TSR_GPU_LAUNCH &&
                !to->device->find(to->device, to->code.data[s->text], s->name, &s->kernel))
                return false;
        }
    return true;
}

typedef struct {
    tsr_str text;
    size_t number;
} numbered;

static int longest_first(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return x->text.len != y->text.len ? (x->text.len < y->text.len ? 1 : -1)
                                      : (x->number > y->number) - (x->number < y->number);
}

/* Compiles the texts that are new. Long texts take longest: they begin first. */
static bool compile(tsr_gpu_program *to, tsr_status *status)
{
    tsr_device *d = to->device;
    size_t first = to->code.n, n = to->texts.n - first;
    numbered *order = tsr_xmalloc((n + 1) * sizeof *order);
    tsr_device_text *texts = tsr_xmalloc((n + 1) * sizeof *texts);
    tsr_device_code *found = tsr_xmalloc((n + 1) * sizeof *found);
    for (size_t i = 0; i < n; i++)
        order[i] = (numbered){to->texts.data[first + i], first + i};
    qsort(order, n, sizeof *order, longest_first);
    for (size_t i = 0; i < n; i++)
        texts[i] = (tsr_device_text){order[i].text.data, order[i].text.len};
    bool ok = !n || (d->compile && d->compile(d, texts, n, found));
    for (size_t i = 0; ok && i < n; i++)
        tsr_vec_push(&to->code, found[i]);
    for (size_t i = 0; ok && i < n; i++)
        to->code.data[order[i].number] = found[i];
    tsr_free(order);
    tsr_free(texts);
    tsr_free(found);
    return ok || tsr_status_set(status, TSR_ENVIRONMENT, "%s",
                                d->compile ? d->error : "the device has no kernels");
}

static void discard(void *code)
{
    tsr_gpu_program *to = code;
    for (size_t i = 0; i < to->code.n; i++)
        to->device->drop(to->device, to->code.data[i]);
    tsr_vec_free(&to->code);
    for (size_t i = 0; i < to->recipes.n; i++)
        tsr_vec_free(&to->recipes.data[i]->steps);
    tsr_vec_free(&to->recipes);
    tsr_vec_free(&to->texts);
    tsr_arena_free(&to->arena);
    tsr_free(to);
}

static bool prepare(const tsr_program *p, tsr_device *d, void **code, tsr_status *status)
{
    tsr_gpu_program *to = memset(tsr_xmalloc(sizeof *to), 0, sizeof *to);
    tsr_arena_init(&to->arena);
    to->device = d;
    to->groups = TSR_NEW_ARRAY(&to->arena, tsr_gpu_group, p->groups.n + 1);
    tsr_gpu_maker m = {.p = p, .to = to, .status = status};
    bool ok = true;
    /* Products of the library last: it opens while kernels are compiled. */
    for (int last = 0; ok && last < 2; last++) {
        for (tsr_xid g = 0; ok && g < p->groups.n; g++) {
            m.g = &p->groups.data[g];
            if (!has_code(m.g, g))
                continue;
            if (tsr_gpu_asks_library(p, m.g) == last)
                ok = make_group(&m, g);
            else if (!last)
                ok = tsr_gpu_copy_texts(&m);
        }
        ok = ok && (!d || compile(to, status));
    }
    tsr_map_free(&m.texts);
    tsr_map_free(&m.recipes);
    tsr_vec_free(&m.values);
    *code = to;
    return ok &&
           (!d || find_kernels(to) || tsr_status_set(status, TSR_ENVIRONMENT, "%s", d->error));
}

/* ---- Running ---- */

static uint32_t process_of(const tsr_run *r, int64_t which)
{
    const tsr_process *at = r->e->process;
    return !at ? 0 : which == 2 ? tsr_process_id(r->e) : which ? at->partition : at->replica;
}

static uint64_t word_of(const tsr_run *r, const tsr_gpu_group *g, tsr_gpu_word w)
{
    if (w.place == TSR_XNONE)
        return (uint64_t)w.number;
    if (w.place == TSR_GPU_PROCESS)
        return process_of(r, w.number);
    return (uint64_t)(uintptr_t)tsr_run_at(r, g->values[w.place]) + (uint64_t)w.number;
}

static void *address_of(uint64_t word)
{
    return (void *)(uintptr_t)word;
}

static bool multiply(tsr_device *d, const tsr_gpu_step *s, const uint64_t *words)
{
    tsr_device_product x = *s->product;
    x.a.at = address_of(words[0]);
    x.b.at = address_of(words[1]);
    x.add.at = address_of(words[2]);
    x.out.at = address_of(words[3]);
    x.bias = address_of(words[4]);
    x.aux = address_of(words[5]);
    x.workspace = address_of(words[6]);
    return d->product(d, &x);
}

static bool take_step(const tsr_run *r, tsr_device *d, const tsr_gpu_group *g,
                      const tsr_gpu_step *s)
{
    uint64_t words[TSR_DEVICE_WORDS];
    for (uint32_t i = 0; i < s->nwords; i++)
        words[i] = word_of(r, g, s->words[i]);
    switch ((tsr_gpu_step_kind)s->kind) {
    case TSR_GPU_LAUNCH:
        return d->launch(d,
                         &(tsr_device_launch){.kernel = s->kernel,
                                              .blocks = {s->blocks[0], s->blocks[1], s->blocks[2]},
                                              .threads = s->threads,
                                              .shared = s->shared,
                                              .words = words,
                                              .nwords = s->nwords,
                                              .lane = TSR_LANE_KERNELS});
    case TSR_GPU_PRODUCT: return multiply(d, s, words);
    case TSR_GPU_COPY:
        return words[0] == words[1] ||
               d->copy(d, address_of(words[0]), d, address_of(words[1]), s->bytes);
    case TSR_GPU_FILL: return d->fill(d, address_of(words[0]), s->byte, s->bytes);
    }
    return false;
}

static bool run(tsr_run *r, const tsr_xgroup *g)
{
    if (g->kind == TSR_NODE_ZEROS || g->kind == TSR_NODE_CHECK)
        return tsr_run_check(r, &r->p->nodes.data[g->nodes.data[0]]);
    const tsr_gpu_program *code = r->code;
    const tsr_gpu_group *group = &code->groups[g - r->p->groups.data];
    for (size_t i = 0; i < group->recipe->steps.n; i++)
        if (!take_step(r, code->device, group, &group->recipe->steps.data[i])) {
            tsr_call c = {.e = r->e, .op = r->p->nodes.data[g->nodes.data[0]].op};
            tsr_fail(&c, "%s", code->device->error);
            r->e->failure.environment = true;
            return false;
        }
    return true;
}

/* ---- Dumps ---- */

static void print(const tsr_program *p, const tsr_xgroup *g, tsr_buf *out)
{
    const tsr_gpu_program *code = p->code;
    const tsr_gpu_recipe *recipe = code ? code->groups[g - p->groups.data].recipe : NULL;
    for (size_t i = 0; recipe && i < recipe->steps.n; i++) {
        const tsr_gpu_step *s = &recipe->steps.data[i];
        if (s->kind == TSR_GPU_LAUNCH)
            tsr_buf_printf(out, " %s.%u<%u,%u,%u x %u>", s->name, s->text, s->blocks[0],
                           s->blocks[1], s->blocks[2], s->threads);
        else if (s->kind == TSR_GPU_PRODUCT)
            tsr_buf_cstr(out, " product");
        else
            tsr_buf_printf(out, " %s=%zu", s->kind == TSR_GPU_COPY ? "copy" : "fill", s->bytes);
    }
}

const tsr_backend tsr_backend_gpu = {
    .target = &tsr_target_gpu,
    .prepare = prepare,
    .discard = discard,
    .print = print,
    .run = run,
};
