/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c - emits the instructions of a group as loops over elements.
 *
 * Instructions are divided into stages. A stage is one loop over the elements of a block, whose values are local
 * variables, followed by the instructions that need whole blocks: folds, and functions that compilers do not vectorize.
 * A value that a later stage reads is kept in scratch memory. Numbers that are the same for a row, or for all elements,
 * are variables outside the loop. */
#include "target/c/writer.h"

#include "exec/contract.h"
#include "exec/kernel/gemm.h"

typedef enum { ELEMENT, ROW, ONCE, ALIAS } scope;

typedef struct {
    uint8_t scope;
    bool after;                     /* works on whole blocks, after the stage's loop */
    bool kept;                      /* in scratch memory */
    uint32_t in[TSR_TILE_OPERANDS]; /* instructions */
    /* The stages in which it runs, may be read, is stored to memory. */
    uint32_t stage, ready, store;
    uint32_t declared; /* number of the loop in which it has a variable */
    size_t offset;     /* of its scratch memory, if kept */
    const char *each;  /* the function that computes a whole block */
} fact;

typedef struct {
    tsr_c_function *f;
    tsr_c_writer *w;
    const tsr_program *p;
    const tsr_xgroup *g;
    fact *of;
    uint32_t n, stages, loops;
    int64_t block;
    size_t bytes; /* of scratch memory */
    tsr_buf out;
    tsr_buf heads; /* declarations of pointers */
    tsr_map pointers;
    int depth;
    bool ok, rows;
} loop;

static void line(loop *l, const char *fmt, ...) TSR_PRINTF(2, 3);
static void line(loop *l, const char *fmt, ...)
{
    va_list args;
    tsr_buf_printf(&l->out, "%*s", 4 * l->depth, "");
    va_start(args, fmt);
    tsr_buf_vprintf(&l->out, fmt, args);
    va_end(args);
    tsr_buf_char(&l->out, '\n');
}

static void refuse(loop *l, const tsr_instr *o, const char *what)
{
    const tsr_op *op = o->node < l->p->nodes.n ? l->p->nodes.data[o->node].op : NULL;
    if (!l->ok)
        return;
    l->ok = op ? tsr_c_refuse_op(l->w, op, what)
               : tsr_c_refuse(l->w, tsr_group_loc(l->p, l->g), "%s", what);
}

static size_t room(loop *l, size_t bytes)
{
    size_t at = l->bytes;
    l->bytes += (bytes + 63) & ~(size_t)63;
    return at;
}

/* ---- Locations and stages ---- */

static uint32_t source(const loop *l, uint32_t i)
{
    while (l->of[i].scope == ALIAS)
        i = l->of[i].in[0];
    return i;
}

static void find_scope(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    fact *t = &l->of[i];
    if (o->invariant)
        t->scope = ONCE;
    else if (o->kind == TSR_I_SPREAD)
        t->scope = ALIAS;
    else if (l->g->mode == TSR_LOOP_ROWS && (o->by_row || o->kind == TSR_I_FOLD))
        t->scope = ROW;
    else
        t->scope = ELEMENT;
    t->after = o->kind == TSR_I_FOLD || o->kind == TSR_I_COLUMN;
    if (o->kind == TSR_I_TILE && t->scope == ELEMENT)
        t->after =
            tsr_text_tile_is_hard(&l->w->text, (tsr_tile_op)o->op, (tsr_dtype)o->from, &t->each);
}

/* Assigns stages, and finds when values may be read. */
static void schedule(loop *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        fact *t = &l->of[i];
        find_scope(l, i);
        for (uint8_t k = 0; k < o->nin; k++) {
            uint32_t ready = l->of[source(l, t->in[k])].ready;
            t->stage = ready > t->stage ? ready : t->stage;
        }
        t->ready = t->stage + t->after;
        t->store = t->ready;
        l->stages = t->ready + 1 > l->stages ? t->ready + 1 : l->stages;
    }
    /* Memory of an operand is overwritten only after all of it has been read. */
    for (uint32_t i = 0; i < l->n; i++)
        if (l->g->code[i].over)
            l->of[i].store = l->stages - 1;
}

static bool is_pointer(const loop *l, uint32_t i)
{
    uint8_t kind = l->g->code[i].kind;
    return l->of[i].scope == ELEMENT && (kind == TSR_I_LOAD || kind == TSR_I_PRODUCT);
}

/* Marks values that later stages or whole-block instructions read. */
static void keep(loop *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        fact *t = &l->of[i];
        for (uint8_t k = 0; k < o->nin; k++) {
            uint32_t from = source(l, t->in[k]);
            fact *u = &l->of[from];
            bool whole = o->kind == TSR_I_FOLD || o->kind == TSR_I_COLUMN;
            uint32_t stage = o->kind == TSR_I_STORE ? t->store : t->stage;
            bool later = u->scope == ELEMENT && (u->after || t->after || stage > u->stage);
            if (!is_pointer(l, from) && (whole || later || (t->each && !k)))
                u->kept = true;
        }
        t->kept |= t->scope == ELEMENT && t->after && o->kind == TSR_I_TILE;
    }
    /* An iota is recomputed from its own numbers. */
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].kept && l->g->code[i].kind == TSR_I_IOTA && l->of[i].scope == ELEMENT)
            l->of[i].kept = false;
}

static bool simple_iota(const tsr_instr *o)
{
    return o->view && o->view->space.rank == 1;
}

/* Elements of a block: a row, or a few hundred that begin and end where rows of views do. */
static int64_t block_of(const tsr_xgroup *g)
{
    enum { BLOCK = 512 };
    int64_t row = g->mode == TSR_LOOP_COLUMNS ? g->inner : 0;
    if (g->mode == TSR_LOOP_ROWS)
        return g->inner;
    for (uint32_t i = 0; i < g->ncode && g->mode == TSR_LOOP_MAP; i++) {
        const tsr_instr *o = &g->code[i];
        if (o->kind != TSR_I_LOAD || o->whole || o->invariant)
            continue;
        int64_t inner = o->view->space.dims[o->view->space.rank - 1];
        row = !row || inner < row ? inner : row;
    }
    int64_t block = row && row <= BLOCK ? BLOCK / row * row : BLOCK;
    return block < g->n ? block : g->n;
}

/* All elements are one block if no value is kept between stages. */
static void find_block(loop *l)
{
    const tsr_xgroup *g = l->g;
    bool keeps = g->product != TSR_XNONE || g->mode != TSR_LOOP_MAP;
    l->block = block_of(g);
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &g->code[i];
        keeps |= l->of[i].kept || l->of[i].after;
        keeps |= l->of[i].scope == ELEMENT && ((o->kind == TSR_I_LOAD && !o->whole) ||
                                               (o->kind == TSR_I_IOTA && !simple_iota(o)));
    }
    if (!keeps)
        l->block = g->n;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &g->code[i];
        fact *t = &l->of[i];
        size_t elem = tsr_dtype_bytes((tsr_dtype)o->dtype);
        if (t->scope == ELEMENT && o->kind == TSR_I_IOTA && !simple_iota(o))
            t->offset = room(l, (size_t)l->block * sizeof(int64_t));
        else if (t->kept || (t->scope == ELEMENT && o->kind == TSR_I_LOAD && !o->whole))
            t->offset = room(l, (size_t)l->block * elem);
    }
}

/* ---- Names ---- */

/* A typed pointer to the memory of a value. */
static const char *pointer(loop *l, tsr_xid v, tsr_dtype d)
{
    const char *at = tsr_c_at(l->w, tsr_storage_of(l->p, v));
    if (!at) {
        l->ok = l->ok && tsr_c_refuse(l->w, tsr_group_loc(l->p, l->g),
                                      "this value has no place before the program runs");
        return "0";
    }
    uint32_t number = tsr_c_pointer(l->f, at);
    const char *name = tsr_text_of(&l->w->text, "a%u_%s", number, tsr_text_name(d));
    uint64_t key = number * 64u + d;
    TSR_MAP_EACH (&l->pointers, key, found)
        return found;
    tsr_map_put(&l->pointers, key, (void *)name);
    tsr_buf_printf(&l->heads, "    %s *const %s = (%s *)p[%u];\n", tsr_text_type(d), name,
                   tsr_text_type(d), number);
    return name;
}

static const char *place_name(loop *l, const tsr_instr *o)
{
    if (o->value == TSR_XNONE)
        return "q";
    return pointer(l, o->value, (tsr_dtype)o->dtype);
}

/* An element of an iota, given its position. */
static const char *of_place(loop *l, const tsr_instr *o, const char *place)
{
    tsr_dtype d = (tsr_dtype)o->dtype, wide = tsr_register_type(d);
    const char *v = tsr_text_convert(&l->w->text, wide, TSR_D_I64, place);
    v = v ? tsr_text_convert(&l->w->text, d, wide, v) : NULL;
    if (!v)
        refuse(l, o, "an iota of this type");
    return v ? v : "0";
}

/* An expression for an element that is in memory, or for an iota. */
static const char *in_memory(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const fact *t = &l->of[i];
    bool flag = o->dtype == TSR_D_I1;
    if (t->kept && o->kind != TSR_I_LOAD)
        return tsr_text_of(&l->w->text, "r%u[i]", i);
    switch (o->kind) {
    case TSR_I_LOAD:
        if (!o->whole)
            return tsr_text_of(&l->w->text, "l%u[i]%s", i, flag ? " & 1" : "");
        return tsr_text_of(&l->w->text, "%s[s + i]%s", pointer(l, o->value, (tsr_dtype)o->dtype),
                           flag ? " & 1" : "");
    case TSR_I_PRODUCT: return "q[i]";
    case TSR_I_IOTA:
        if (simple_iota(o))
            return of_place(l, o,
                            tsr_text_of(&l->w->text, "(%lld + %lld * (s + i))",
                                        (long long)o->view->offset,
                                        (long long)o->view->strides[0]));
        return of_place(l, o, tsr_text_of(&l->w->text, "n%u[i]", i));
    default: return NULL;
    }
}

/* The name of a value inside a loop, which reads it at its first use. */
static const char *name_of(loop *l, uint32_t i)
{
    i = source(l, i);
    fact *t = &l->of[i];
    const tsr_instr *o = &l->g->code[i];
    if (t->scope == ELEMENT && t->declared != l->loops) {
        const char *from = in_memory(l, i);
        tsr_assert(from, "instruction %u is not there yet", i);
        line(l, "const %s t%u = %s;", tsr_text_local((tsr_dtype)o->dtype), i, from);
        t->declared = l->loops;
    }
    return tsr_text_of(&l->w->text, "t%u", i);
}

/* The expression that an instruction computes from the names of its operands. */
static const char *computed(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const fact *t = &l->of[i];
    if (o->kind == TSR_I_CONVERT) {
        const char *v = tsr_text_convert(&l->w->text, (tsr_dtype)o->dtype, (tsr_dtype)o->from,
                                         name_of(l, t->in[0]));
        if (!v)
            refuse(l, o, "a conversion between these types");
        return v ? v : "0";
    }
    const char *fn = tsr_text_tile(&l->w->text, (tsr_tile_op)o->op, (tsr_dtype)o->from);
    if (!fn) {
        refuse(l, o, "elements of this type");
        return "0";
    }
    tsr_buf text = {0};
    tsr_buf_printf(&text, "%s(", fn);
    for (uint8_t k = 0; k < o->nin; k++)
        tsr_buf_printf(&text, "%s%s", k ? ", " : "", name_of(l, t->in[k]));
    tsr_buf_cstr(&text, ")");
    tsr_buf_char(&text, 0);
    const char *copy = tsr_arena_copy(&l->w->text.arena, text.data, text.len);
    tsr_buf_free(&text);
    return copy;
}

static const char *cast_of(tsr_dtype d)
{
    return d == TSR_D_I1 ? "(uint8_t)" : "";
}

/* ---- Values computed once, and once per row ---- */

static void put_once(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype;
    const char *v = NULL;
    if (o->kind == TSR_I_SPLAT)
        v = tsr_text_number(&l->w->text, d, o->bits);
    else if (o->kind == TSR_I_LOAD)
        v = tsr_text_of(&l->w->text, "%s[%lld]%s", pointer(l, o->value, d),
                        (long long)o->view->offset, d == TSR_D_I1 ? " & 1" : "");
    else if (o->kind == TSR_I_IOTA)
        v = of_place(l, o, tsr_text_of(&l->w->text, "(int64_t)%lld", (long long)o->view->offset));
    else
        v = computed(l, i);
    line(l, "const %s t%u = %s;", tsr_text_local(d), i, v);
}

/* The offset of the row's element in a view. */
static const char *row_place(loop *l, const tsr_instr *o)
{
    return o->view ? tsr_text_of(&l->w->text, "tsr_place(&table%u, row)", tsr_c_view(l->w, o->view))
                   : "row";
}

static void put_row(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype;
    const char *v = NULL;
    if (o->kind == TSR_I_STORE)
        return;
    if (o->kind == TSR_I_LOAD)
        v = tsr_text_of(&l->w->text, "%s[%s]%s", pointer(l, o->value, d), row_place(l, o),
                        d == TSR_D_I1 ? " & 1" : "");
    else if (o->kind == TSR_I_IOTA)
        v = of_place(l, o, row_place(l, o));
    else if (o->kind == TSR_I_SPLAT)
        v = tsr_text_number(&l->w->text, d, o->bits);
    else
        v = computed(l, i);
    line(l, "const %s t%u = %s;", tsr_text_local(d), i, v);
}

/* ---- Whole blocks ---- */

/* A pointer to the n elements of a value. */
static const char *array_of(loop *l, uint32_t i)
{
    i = source(l, i);
    const tsr_instr *o = &l->g->code[i];
    if (is_pointer(l, i)) {
        if (o->kind == TSR_I_PRODUCT)
            return "q";
        return o->whole
                   ? tsr_text_of(&l->w->text, "%s + s", pointer(l, o->value, (tsr_dtype)o->dtype))
                   : tsr_text_of(&l->w->text, "l%u", i);
    }
    /* Values that are variables elsewhere. */
    if (l->of[i].scope != ELEMENT || o->kind == TSR_I_IOTA) {
        l->loops++;
        line(l, "for (int64_t i = 0; i < n; i++) {");
        l->depth++;
        line(l, "r%u[i] = %s%s;", i, cast_of((tsr_dtype)o->dtype), name_of(l, i));
        l->depth--;
        line(l, "}");
    }
    return tsr_text_of(&l->w->text, "r%u", i);
}

static void put_fold(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype;
    bool most;
    const char *fold = tsr_text_fold(&l->w->text, (tsr_fold_op)o->fold, d, &most);
    const char *in = array_of(l, l->of[i].in[0]);
    if (!fold) {
        refuse(l, o, "a reduction of this type");
        return;
    }
    if (l->g->mode == TSR_LOOP_LONG)
        line(l, "tsr_lanes_add_%s(lanes%u, %s, n);", fold, i, in);
    else
        line(l, "const %s t%u = tsr_%s_%s(%s, n);", tsr_text_local(d), i, most ? "most" : "fold",
             fold, in);
}

static void put_column(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const char *in = array_of(l, l->of[i].in[0]);
    const char *fn = tsr_text_tile(&l->w->text, (tsr_tile_op)o->op, (tsr_dtype)o->dtype);
    if (!fn) {
        refuse(l, o, "a reduction of this type");
        return;
    }
    line(l, "for (int64_t k = 0; k < n; k += width) {");
    line(l, "    const %s *from = %s + k;", tsr_text_type((tsr_dtype)o->dtype), in);
    line(l, "    TSR_LOOP");
    line(l, "    for (int64_t i = 0; i < width; i++)");
    line(l, "        sum%u[i] = %s%s(sum%u[i], from[i]);", i, cast_of((tsr_dtype)o->dtype), fn, i);
    line(l, "}");
}

static void put_after(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    if (o->kind == TSR_I_FOLD) {
        put_fold(l, i);
        return;
    }
    if (o->kind == TSR_I_COLUMN) {
        put_column(l, i);
        return;
    }
    if (l->of[i].each) {
        line(l, "%s(r%u, %s, n);", l->of[i].each, i, array_of(l, l->of[i].in[0]));
        return;
    }
    l->loops++;
    line(l, "for (int64_t i = 0; i < n; i++) {");
    l->depth++;
    const char *v = computed(l, i);
    line(l, "r%u[i] = %s%s;", i, cast_of((tsr_dtype)o->dtype), v);
    l->depth--;
    line(l, "}");
}

/* ---- Stages ---- */

/* The loop over the elements of a stage; nothing if the stage has none. */
static void put_elements(loop *l, uint32_t stage)
{
    size_t start = l->out.len;
    bool any = false;
    l->loops++;
    line(l, "TSR_LOOP");
    line(l, "for (int64_t i = 0; i < n; i++) {");
    l->depth++;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        fact *t = &l->of[i];
        if (t->scope != ELEMENT)
            continue;
        bool here =
            t->stage == stage && !t->after && (o->kind == TSR_I_TILE || o->kind == TSR_I_CONVERT);
        if (here) {
            const char *v = computed(l, i);
            line(l, "const %s t%u = %s;", tsr_text_local((tsr_dtype)o->dtype), i, v);
            t->declared = l->loops;
            any = true;
        }
        if (here && t->kept)
            line(l, "r%u[i] = %st%u;", i, cast_of((tsr_dtype)o->dtype), i);
        if (o->kind == TSR_I_STORE && t->store == stage) {
            const char *v = name_of(l, t->in[0]);
            line(l, "%s[%s] = %s%s;", place_name(l, o), o->value == TSR_XNONE ? "i" : "s + i",
                 cast_of((tsr_dtype)o->dtype), v);
            any = true;
        }
    }
    l->depth--;
    line(l, "}");
    if (!any)
        l->out.len = start;
}

static void put_block(loop *l)
{
    const tsr_xgroup *g = l->g;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &g->code[i];
        if (l->of[i].scope != ELEMENT || o->kind == TSR_I_STORE)
            continue;
        uint32_t bits = 8 * tsr_dtype_bytes((tsr_dtype)o->dtype);
        if (o->kind == TSR_I_IOTA && !simple_iota(o)) {
            uint32_t view = tsr_c_view(l->w, o->view);
            TSR_TEXT_PART(&l->w->text, "iota", {'-', ""});
            line(l, "tsr_iota(&table%u, s, n, n%u);", view, i);
        }
        if (o->kind == TSR_I_LOAD && !o->whole) {
            const char *name = tsr_text_of(&l->w->text, "%u", bits),
                       *type = tsr_text_type((tsr_dtype)o->dtype);
            uint32_t view = tsr_c_view(l->w, o->view);
            if (bits > 64) {
                refuse(l, o, "elements of this type");
                continue;
            }
            TSR_TEXT_PART(&l->w->text, "load", {'n', name}, {'b', name});
            line(l, "const %s *const l%u = (const %s *)tsr_load_%u(&table%u, %s, s, n, w + %zu);",
                 type, i, type, bits, view, pointer(l, o->value, (tsr_dtype)o->dtype),
                 l->of[i].offset);
        }
    }
    for (uint32_t stage = 0; stage < l->stages; stage++) {
        for (uint32_t i = 0; i < l->n; i++)
            if (l->of[i].scope == ROW && l->of[i].stage == stage && !l->of[i].after)
                put_row(l, i);
        put_elements(l, stage);
        for (uint32_t i = 0; i < l->n; i++)
            if (l->of[i].after && l->of[i].stage == stage)
                put_after(l, i);
    }
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &g->code[i];
        if (l->of[i].scope != ROW || o->kind != TSR_I_STORE)
            continue;
        uint32_t from = source(l, l->of[i].in[0]);
        line(l, "%s[row] = %st%u;", place_name(l, o), cast_of((tsr_dtype)o->dtype), from);
    }
}

/* ---- Loops ---- */

static void put_map(loop *l)
{
    long long n = (long long)l->g->n;
    if (l->block >= l->g->n) {
        line(l, "const int64_t s = 0, n = %lld;", n);
        put_block(l);
        line(l, "(void)s;");
        return;
    }
    line(l, "for (int64_t s = 0; s < %lld; s += %lld) {", n, (long long)l->block);
    l->depth++;
    line(l, "const int64_t n = tsr_least(%lld, %lld - s);", (long long)l->block, n);
    put_block(l);
    l->depth--;
    line(l, "}");
}

static void put_rows(loop *l)
{
    line(l, "for (int64_t row = 0; row < %lld; row++) {", (long long)(l->g->n / l->g->inner));
    l->depth++;
    line(l, "const int64_t n = %lld, s = row * n;", (long long)l->g->inner);
    put_block(l);
    line(l, "(void)s;");
    l->depth--;
    line(l, "}");
}

/* Stores a reduction, after its pieces have been joined, to its value. */
static void put_total(loop *l, uint32_t i, const char *index, const char *total)
{
    const tsr_instr *o = &l->g->code[i];
    tsr_dtype d = (tsr_dtype)o->dtype, to = (tsr_dtype)l->p->values.data[o->value].dtype;
    const char *v = tsr_text_convert(&l->w->text, to, d, total);
    if (!v)
        refuse(l, o, "a reduction of this type");
    else
        line(l, "%s[%s] = %s%s;", pointer(l, o->value, to), index, cast_of(to), v);
}

static const char *joiner(loop *l, uint32_t i)
{
    const tsr_instr *o = &l->g->code[i];
    const char *fn = tsr_text_tile(&l->w->text, (tsr_tile_op)o->op, (tsr_dtype)o->dtype);
    if (!fn)
        refuse(l, o, "a reduction of this type");
    return fn ? fn : "";
}

/* The fold function of instruction i; NULL: it is not a fold, or there is none with lanes in C. */
static const char *fold_at(loop *l, uint32_t i)
{
    bool most;
    const tsr_instr *o = &l->g->code[i];
    return o->kind == TSR_I_FOLD
               ? tsr_text_fold(&l->w->text, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype, &most)
               : NULL;
}

static void put_long(loop *l)
{
    const tsr_xgroup *g = l->g;
    line(l, "for (int64_t row = 0; row < %lld; row++) {", (long long)(g->n / g->inner));
    l->depth++;
    for (uint32_t i = 0; i < l->n; i++)
        if (g->code[i].kind == TSR_I_FOLD)
            line(l, "%s total%u = 0;", tsr_text_local((tsr_dtype)g->code[i].dtype), i);
    line(l, "for (int64_t first = 0; first < %lld; first += %d) {", (long long)g->inner,
         TSR_PART_OF_ROW);
    l->depth++;
    line(l, "const int64_t end = row * %lld + tsr_least(first + %d, %lld);", (long long)g->inner,
         TSR_PART_OF_ROW, (long long)g->inner);
    for (uint32_t i = 0; i < l->n; i++) {
        const char *fold = fold_at(l, i);
        if (fold) {
            line(l, "%s lanes%u[64];", tsr_text_type((tsr_dtype)g->code[i].dtype), i);
            line(l, "tsr_lanes_start_%s(lanes%u);", fold, i);
        }
    }
    line(l, "for (int64_t s = row * %lld + first; s < end; s += %lld) {", (long long)g->inner,
         (long long)l->block);
    l->depth++;
    line(l, "const int64_t n = tsr_least(%lld, end - s);", (long long)l->block);
    put_block(l);
    l->depth--;
    line(l, "}");
    for (uint32_t i = 0; i < l->n; i++) {
        const char *fold = fold_at(l, i);
        if (fold)
            line(l,
                 "total%u = first ? %s(total%u, tsr_lanes_end_%s(lanes%u)) : "
                 "tsr_lanes_end_%s(lanes%u);",
                 i, joiner(l, i), i, fold, i, fold, i);
    }
    l->depth--;
    line(l, "}");
    for (uint32_t i = 0; i < l->n; i++)
        if (g->code[i].kind == TSR_I_FOLD)
            put_total(l, i, "row", tsr_text_of(&l->w->text, "total%u", i));
    l->depth--;
    line(l, "}");
}

/* Scratch of each column fold: the sum of a chunk of rows, and of all. */
static void put_column_sums(loop *l, int64_t strip)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        if (o->kind != TSR_I_COLUMN)
            continue;
        size_t bytes = (size_t)strip * tsr_dtype_bytes((tsr_dtype)o->dtype);
        const char *type = tsr_text_type((tsr_dtype)o->dtype);
        line(l, "%s *const sum%u = (%s *)(w + %zu);", type, i, type, room(l, bytes));
        line(l, "%s *const total%u = (%s *)(w + %zu);", type, i, type, room(l, bytes));
    }
}

/* The rows from first to end, added to the sums: several at a time if a block has room for them. */
static void put_column_rows(loop *l)
{
    const tsr_xgroup *g = l->g;
    int64_t each = l->block / g->inner;
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &g->code[i];
        if (o->kind == TSR_I_COLUMN)
            line(l, "for (int64_t i = 0; i < width; i++)\n%*ssum%u[i] = %s;", 4 * l->depth + 4, "",
                 i, tsr_text_neutral(&l->w->text, (tsr_fold_op)o->fold, (tsr_dtype)o->dtype));
    }
    if (each > 1) {
        line(l, "for (int64_t reduced = first; reduced < end; reduced += %lld) {", (long long)each);
        line(l,
             "    const int64_t s = (batch * %lld + reduced) * %lld, n = tsr_least(%lld, end - "
             "reduced) * %lld;",
             (long long)g->reduced, (long long)g->inner, (long long)each, (long long)g->inner);
    } else {
        line(l, "for (int64_t reduced = first; reduced < end; reduced++) {");
        line(l, "    const int64_t s = (batch * %lld + reduced) * %lld + column, n = width;",
             (long long)g->reduced, (long long)g->inner);
    }
    l->depth++;
    put_block(l);
    line(l, "(void)s;");
    l->depth--;
    line(l, "}");
}

static void put_columns(loop *l)
{
    const tsr_xgroup *g = l->g;
    int64_t chunk = tsr_rows_of_part(g->inner);
    int64_t strip = g->inner < l->block ? g->inner : l->block;
    line(l, "for (int64_t batch = 0; batch < %lld; batch++)",
         (long long)(g->n / (g->inner * g->reduced)));
    line(l, "for (int64_t column = 0; column < %lld; column += %lld) {", (long long)g->inner,
         (long long)strip);
    l->depth++;
    line(l, "const int64_t width = tsr_least(%lld, %lld - column);", (long long)strip,
         (long long)g->inner);
    put_column_sums(l, strip);
    line(l, "for (int64_t first = 0; first < %lld; first += %lld) {", (long long)g->reduced,
         (long long)chunk);
    l->depth++;
    line(l, "const int64_t end = tsr_least(first + %lld, %lld);", (long long)chunk,
         (long long)g->reduced);
    put_column_rows(l);
    for (uint32_t i = 0; i < l->n; i++)
        if (g->code[i].kind == TSR_I_COLUMN) {
            line(l, "for (int64_t i = 0; i < width; i++)");
            line(l, "    total%u[i] = first ? %s(total%u[i], sum%u[i]) : sum%u[i];", i,
                 joiner(l, i), i, i, i);
        }
    l->depth--;
    line(l, "}");
    for (uint32_t i = 0; i < l->n; i++)
        if (g->code[i].kind == TSR_I_COLUMN) {
            line(l, "for (int64_t i = 0; i < width; i++)");
            l->depth++;
            put_total(l, i,
                      tsr_text_of(&l->w->text, "batch * %lld + column + i", (long long)g->inner),
                      tsr_text_of(&l->w->text, "total%u[i]", i));
            l->depth--;
        }
    l->depth--;
    line(l, "}");
}

/* Blocks of a product: row by row, or as one row if they are contiguous. */
static void put_product(loop *l)
{
    const tsr_xgroup *g = l->g;
    const tsr_contract *c = l->p->nodes.data[g->product].contract;
    tsr_dtype sum = tsr_contract_sum((tsr_dtype)c->type, (tsr_dtype)c->to);
    const char *type = tsr_text_type(sum);
    long long m = (long long)c->side[0].rest, n = (long long)c->side[1].rest;
    line(l, "int64_t lines = b->rows;");
    if (g->mode == TSR_LOOP_MAP) {
        line(l, "int64_t length = b->cols;");
        line(l, "if (length == %lld && b->stride == %lld) {", n, n);
        line(l, "    length *= lines;");
        line(l, "    lines = 1;");
        line(l, "}");
    }
    line(l, "for (int64_t k = 0; k < lines; k++) {");
    l->depth++;
    line(l, "const int64_t begin = (b->batch * %lld + b->row + k) * %lld + b->col;", m, n);
    if (g->mode == TSR_LOOP_MAP) {
        line(l, "for (int64_t done = 0; done < length; done += %lld) {", (long long)l->block);
        l->depth++;
        line(l, "const int64_t s = begin + done, n = tsr_least(%lld, length - done);",
             (long long)l->block);
        line(l, "%s *const q = (%s *)b->at + k * b->stride + done;", type, type);
        put_block(l);
        line(l, "(void)s;\n%*s(void)q;", 4 * l->depth, "");
        l->depth--;
        line(l, "}");
    } else {
        line(l, "const int64_t s = begin, n = %lld, row = s / n;", n);
        line(l, "%s *const q = (%s *)b->at + k * b->stride;", type, type);
        put_block(l);
        line(l, "(void)row;\n%*s(void)q;", 4 * l->depth, "");
        l->depth--;
        line(l, "}");
        return;
    }
    l->depth--;
    line(l, "}");
}

/* Declarations, and values that are the same for all elements. */
static void put_heads(loop *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const tsr_instr *o = &l->g->code[i];
        const fact *t = &l->of[i];
        const char *type = tsr_text_type((tsr_dtype)o->dtype);
        if (o->kind == TSR_I_STORE || !type)
            continue;
        if (t->scope == ELEMENT && o->kind == TSR_I_IOTA && !simple_iota(o))
            line(l, "int64_t *const n%u = (int64_t *)(w + %zu);", i, t->offset);
        else if (t->kept)
            line(l, "%s *const r%u = (%s *)(w + %zu);", type, i, type, t->offset);
    }
    for (uint32_t i = 0; i < l->n; i++)
        if (l->of[i].scope == ONCE)
            put_once(l, i);
}

static bool check_types(loop *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (!tsr_text_type((tsr_dtype)l->g->code[i].dtype)) {
            refuse(l, &l->g->code[i],
                   tsr_text_of(&l->w->text, "elements of type %s",
                               tsr_dtype_name((tsr_dtype)l->g->code[i].dtype)));
            return false;
        }
    return true;
}

/* Writes a loop to text; bytes: the scratch memory that it needs. */
static bool write(tsr_c_function *f, const tsr_xgroup *g, tsr_buf *text, size_t *bytes)
{
    loop l = {.f = f, .w = f->w, .p = f->w->p, .g = g, .n = g->ncode, .depth = 1, .ok = true};
    l.of = tsr_xmalloc((g->ncode + 1) * sizeof *l.of);
    memset(l.of, 0, (g->ncode + 1) * sizeof *l.of);
    if (check_types(&l)) {
        tsr_text_operands(l.g, l.n, l.of->in, sizeof *l.of);
        schedule(&l);
        keep(&l);
        find_block(&l);
        put_heads(&l);
        if (g->product != TSR_XNONE)
            put_product(&l);
        else if (g->mode == TSR_LOOP_MAP)
            put_map(&l);
        else if (g->mode == TSR_LOOP_ROWS)
            put_rows(&l);
        else if (g->mode == TSR_LOOP_LONG)
            put_long(&l);
        else
            put_columns(&l);
        tsr_buf_str(text, tsr_buf_text(&l.heads));
        tsr_buf_str(text, tsr_buf_text(&l.out));
    }
    *bytes = l.bytes;
    tsr_buf_free(&l.heads);
    tsr_buf_free(&l.out);
    tsr_map_free(&l.pointers);
    tsr_free(l.of);
    return l.ok;
}

bool tsr_c_loop(tsr_c_writer *w, const tsr_xgroup *g)
{
    tsr_c_function f = {.w = w};
    bool ok = write(&f, g, &f.text, &f.scratch);
    if (ok) {
        tsr_c_call(&f);
        return true;
    }
    tsr_buf_free(&f.text);
    tsr_vec_free(&f.at);
    return false;
}

bool tsr_c_block_loop(tsr_c_function *f, const tsr_xgroup *g, tsr_buf *out, size_t *bytes)
{
    return write(f, g, out, bytes);
}
