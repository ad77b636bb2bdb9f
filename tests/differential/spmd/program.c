/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - random programs: values and statements. */
#include <stdarg.h>

#include "program.h"

const char *const elem_names[ELEMS] = {"f32", "f64", "bf16", "f16",  "i32", "i64",
                                       "i8",  "ui8", "ui32", "ui64", "i1",  "complex<f32>"};

uint64_t next_random(program *p)
{
    uint64_t z = (p->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

bool is_float(elem e)
{
    return e <= F16;
}

bool is_int(elem e)
{
    return e >= I32 && e <= U64;
}

bool functions_differ;

double elem_exact(elem e)
{
    static const double most[] = {
        [F32] = 0x1p24, [F64] = 0x1p53, [BF16] = 0x1p8, [F16] = 0x1p11, [C64] = 0x1p23};
    return is_float(e) || e == C64 ? most[e] : INFINITY;
}

double elem_epsilon(elem e)
{
    static const double eps[] = {
        [F32] = 0x1p-23, [F64] = 0x1p-52, [BF16] = 0x1p-7, [F16] = 0x1p-10, [C64] = 0x1p-22};
    return is_float(e) || e == C64 ? eps[e] : 0;
}

/* ---- Text ---- */

const char *keep(program *p, const char *fmt, ...)
{
    char *text;
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    text = malloc((size_t)n + 1);
    if (!text || p->ntext == (int)(sizeof p->text / sizeof *p->text)) {
        fprintf(stderr, "spmd: out of room\n");
        exit(3);
    }
    vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return p->text[p->ntext++] = text;
}

const char *type_of(program *p, elem e, const shape *s)
{
    char dims[RANK * 24] = "";
    size_t n = 0;
    for (int d = 0; d < s->rank; d++)
        n += (size_t)snprintf(dims + n, sizeof dims - n, "%lldx", (long long)s->d[d]);
    return keep(p, "tensor<%s%s>", dims, elem_names[e]);
}

static const char *numbers(program *p, const char *open, const char *close, const int64_t *v, int n)
{
    char text[1024];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", open);
    for (int i = 0; i < n; i++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "%s%lld", i ? ", " : "", (long long)v[i]);
    snprintf(text + at, sizeof text - at, "%s", close);
    return keep(p, "%s", text);
}

const char *ints_text(program *p, const int64_t *v, int n)
{
    return numbers(p, n ? "array<i64: " : "array<i64", ">", v, n);
}

const char *list_text(program *p, const int64_t *v, int n)
{
    return numbers(p, "[", "]", v, n);
}

/* ---- Values ---- */

int64_t elements(const shape *s)
{
    int64_t n = 1;
    for (int d = 0; d < s->rank; d++)
        n *= s->d[d];
    return n;
}

int64_t up_to(program *p, int64_t n)
{
    return n > 1 ? between(p, 1, n) : n;
}

int64_t random_dim(program *p)
{
    static const int64_t sizes[] = {1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 13, 16};
    if (p->empties && chance(p, 20))
        return 0;
    int64_t d = sizes[below(p, (int64_t)(sizeof sizes / sizeof *sizes))];
    return d <= p->most ? d : between(p, 1, p->most);
}

shape random_shape(program *p, int low, int high)
{
    shape s = {(int)between(p, low, high), {0}};
    do {
        for (int d = 0; d < s.rank; d++)
            s.d[d] = random_dim(p);
    } while (elements(&s) > 600);
    return s;
}

elem random_elem(program *p, const char *among)
{
    static const elem floats[] = {F32, F32, F32, F64, BF16, F16},
                      ints[] = {I32, I32, I64, I8, U8, U32};
    switch (among[below(p, (int64_t)strlen(among))]) {
    case 'f': return floats[below(p, 6)];
    case 'i': return ints[below(p, 6)];
    case 's': return ints[below(p, 4)];
    case 'b': return I1;
    default: return C64;
    }
}

int new_value(program *p, elem e, shape s)
{
    if (p->nvalue == VALUES) {
        fprintf(stderr, "spmd: too many values\n");
        exit(3);
    }
    value *v = &p->values[p->nvalue];
    *v = (value){.e = e, .s = s, .mag = INFINITY, .low = -3, .high = 3};
    if (is_float(e) || e == C64)
        v->low = e == BF16 || e == F16 ? -2 : -3;
    if (e == BF16 || e == F16)
        v->high = 2;
    if (e == U8 || e == U32 || e == U64 || e == I1)
        v->low = 0;
    if (e == I1)
        v->high = 1;
    v->whole = !is_float(e) && e != C64;
    if (v->whole)
        v->mag = 0;
    return p->nvalue++;
}

int arg_in(program *p, elem e, shape s, int low, int high)
{
    high = high < low ? low : high; /* places in an empty dimension: there are none */
    if (p->isolated)
        return constant_of(p, e, s, low, high);
    int id = new_value(p, e, s);
    value *v = &p->values[id];
    v->arg = true;
    v->low = low;
    v->high = high;
    v->whole = true;
    v->mag = is_int(e) || e == I1 ? 0 : abs(low) > abs(high) ? abs(low) : abs(high);
    return id;
}

int constant_of(program *p, elem e, shape s, int low, int high)
{
    int id = new_value(p, e, s);
    value *v = &p->values[id];
    v->whole = true;
    v->mag = is_int(e) || e == I1 ? 0 : abs(low) > abs(high) ? abs(low) : abs(high);
    buffer b = {0};
    /* Elements in nested lists, or one for all. */
    bool splat = s.rank == 0 || (elements(&s) && chance(p, 30));
    int64_t n = splat ? 1 : elements(&s), at[RANK] = {0};
    for (int64_t i = 0; i < n; i++) {
        if (i)
            put(&b, ", ");
        for (int d = 0; !splat && d < s.rank; d++) {
            bool first = true;
            for (int k = d; k < s.rank; k++)
                first &= at[k] == 0;
            if (first)
                put(&b, "[");
        }
        int64_t x = between(p, low, high);
        if (e == C64)
            put(&b, "(%lld.0, %lld.0)", (long long)x, (long long)between(p, low, high));
        else if (e == I1)
            put(&b, "%s", x ? "true" : "false");
        else
            put(&b, is_float(e) ? "%s%lld.0" : "%s%lld",
                is_float(e) && x == 0 && chance(p, 30) ? "-" : "", (long long)x);
        for (int d = s.rank; !splat && d-- > 0;) {
            if (++at[d] < s.d[d])
                break;
            at[d] = 0;
            put(&b, "]");
        }
    }
    const char *props = keep(p, "value = dense<%s> : %s", b.data ? b.data : "", type_of(p, e, &s));
    free(b.data);
    emit(p, "stablehlo.constant", NULL, 0, &id, 1, props);
    return id;
}

static bool visible(const program *p, int id)
{
    const value *v = &p->values[id];
    if (v->fresh || v->type)
        return false;
    if (p->isolated)
        return id >= p->isolated_from && !v->arg;
    return !v->func;
}

/* Values in blocks that are closed are out of reach: they are marked fresh. */
static bool fits(const program *p, int id, elem e, const shape *s, need n)
{
    const value *v = &p->values[id];
    return visible(p, id) && v->e == e && v->s.rank == s->rank &&
           memcmp(v->s.d, s->d, (size_t)s->rank * sizeof *s->d) == 0 &&
           (!n.exact ||
            (v->steps == 0 && (!functions_differ || v->whole || elem_epsilon(v->e) == 0))) &&
           (!n.finite || v->mag < INFINITY) && (n.mag == 0 || v->mag <= n.mag);
}

int take(program *p, elem e, shape s, need n)
{
    int found[VALUES], k = 0;
    for (int i = 0; i < p->nvalue; i++)
        if (fits(p, i, e, &s, n))
            found[k++] = i;
    if (k && chance(p, 70))
        return found[chance(p, 50) ? k - 1 : below(p, k)];
    int low = -3, high = 3;
    if (e == BF16 || e == F16)
        low = -2, high = 2;
    if (e == U8 || e == U32 || e == U64)
        low = 0;
    if (e == I1)
        low = 0, high = 1;
    return chance(p, 12) ? constant_of(p, e, s, low, high) : arg_in(p, e, s, low, high);
}

int any(program *p, const char *among, int low, int high, need n)
{
    int found[VALUES], k = 0;
    for (int i = 0; i < p->nvalue; i++) {
        const value *v = &p->values[i];
        char kind = is_float(v->e) ? 'f' : is_int(v->e) ? 'i' : v->e == I1 ? 'b' : 'c';
        bool is_signed = v->e == I32 || v->e == I64 || v->e == I8;
        if ((strchr(among, kind) || (is_signed && strchr(among, 's'))) && v->s.rank >= low &&
            v->s.rank <= high && fits(p, i, v->e, &v->s, n))
            found[k++] = i;
    }
    if (k && chance(p, 75))
        return found[chance(p, 60) ? k - 1 : below(p, k)];
    return take(p, random_elem(p, among), random_shape(p, low, high), n);
}

/* ---- Statements ---- */

block *new_block(program *p)
{
    (void)p;
    block *b = calloc(1, sizeof *b);
    if (!b)
        exit(3);
    b->terminator = "stablehlo.return";
    return b;
}

stmt *emit(program *p, const char *name, const int *in, int nin, const int *out, int nout,
           const char *props)
{
    stmt *s = calloc(1, sizeof *s);
    if (!s || p->at->nstmt == STMTS)
        exit(3);
    *s =
        (stmt){.op = p->op, .name = name, .props = props, .nin = nin, .nout = nout, .shards = true};
    memcpy(s->in, in ? in : s->in, (size_t)nin * sizeof *s->in);
    memcpy(s->out, out, (size_t)nout * sizeof *s->out);
    if (!strcmp(name, "stablehlo.constant")) /* operands that others need count as what they are */
        s->op = find_op(name);
    p->at->stmts[p->at->nstmt++] = s;
    return s;
}

static void free_block(block *b)
{
    for (int i = 0; b && i < b->nstmt; i++) {
        for (int k = 0; k < b->stmts[i]->nblock; k++)
            free_block(b->stmts[i]->blocks[k]);
        free(b->stmts[i]);
    }
    free(b);
}

bool add_op(program *p, int op)
{
    int before = p->op, nvalue = p->nvalue, nstmt = p->at->nstmt, nfunc = p->nfunc,
        nextra = p->nextra;
    p->op = op;
    bool ok = op_rows[op].make(p);
    p->op = before;
    if (ok)
        return true;
    /* As if it had not been tried. */
    p->nvalue = nvalue;
    p->nextra = nextra;
    while (p->at->nstmt > nstmt) {
        stmt *s = p->at->stmts[--p->at->nstmt];
        for (int k = 0; k < s->nblock; k++)
            free_block(s->blocks[k]);
        free(s);
    }
    while (p->nfunc > nfunc)
        free_block(p->funcs[--p->nfunc]);
    return false;
}

static int random_op(program *p)
{
    int sum = 0;
    for (int i = 0; i < nop_rows; i++)
        sum += op_rows[i].weight;
    int at = (int)below(p, sum);
    for (int i = 0; i < nop_rows; i++)
        if ((at -= op_rows[i].weight) < 0)
            return i;
    return 0;
}

void open_block(program *p, block *b)
{
    p->stack[p->depth++] = p->at;
    p->scope[p->nscope++] = p->nvalue;
    p->at = b;
}

void fill_block(program *p, int n)
{
    for (int i = 0, tries = 0;
         i < n && tries < 20 && p->nvalue < VALUES - 60 && p->at->nstmt < STMTS - 12; tries++)
        i += add_op(p, random_op(p));
}

void close_block(program *p)
{
    int first = p->scope[--p->nscope];
    for (int i = first; i < p->nvalue; i++) /* arguments of the main function stay within reach */
        if (!p->values[i].arg)
            p->values[i].fresh = true;
    p->at = p->stack[--p->depth];
}

/* ---- Programs ---- */

static void collect_in(block *b, stmt **out, int *n, int max)
{
    for (int i = 0; i < b->nstmt; i++) {
        if (b->stmts[i]->gone)
            continue;
        if (*n < max)
            out[(*n)++] = b->stmts[i];
        for (int k = 0; k < b->stmts[i]->nblock; k++)
            collect_in(b->stmts[i]->blocks[k], out, n, max);
    }
}

void collect_stmts(program *p, stmt **out, int *n, int max)
{
    *n = 0;
    collect_in(p->main, out, n, max);
    for (int i = 0; i < p->nfunc; i++)
        collect_in(p->funcs[i], out, n, max);
}

static void choose_results(program *p)
{
    bool used[VALUES] = {false};
    for (int i = 0; i < p->main->nstmt; i++)
        for (int k = 0; k < p->main->stmts[i]->nin; k++)
            used[p->main->stmts[i]->in[k]] = true;
    for (int i = p->main->nstmt; i-- > 0;)
        for (int k = 0; k < p->main->stmts[i]->nout; k++) {
            int v = p->main->stmts[i]->out[k];
            if (!p->values[v].type && p->nresult < 8 && (!used[v] || chance(p, 30)))
                p->results[p->nresult++] = v;
        }
}

program *new_program(uint64_t seed, const int *ops, int nop, int64_t most, int bias)
{
    program *p = calloc(1, sizeof *p);
    if (!p)
        exit(3);
    p->seed = seed;
    p->state = seed * 0x2545f4914f6cdd1du + 77;
    p->most = most;
    p->biased = bias;
    p->op = -1;
    p->at = p->main = new_block(p);
    p->propagate = bias == SPREAD || (bias < 0 && chance(p, 50));
    p->empties = bias < 0 && chance(p, 12);
    make_meshes(p);
    int n = nop && bias >= 0 ? nop : (int)between(p, 1, nop ? nop + 1 : 9);
    for (int i = 0, tries = 0;
         i < n && tries < 60 && p->nvalue < VALUES - 60 && p->main->nstmt < STMTS - 12; tries++)
        i += add_op(p, nop ? ops[i % nop] : random_op(p));
    choose_results(p);
    make_shardings(p);
    return p;
}

void free_program(program *p)
{
    free_block(p->main);
    for (int i = 0; i < p->nfunc; i++)
        free_block(p->funcs[i]);
    for (int i = 0; i < p->ntext; i++)
        free(p->text[i]);
    free(p);
}

/* ---- The table of ops ---- */

const op_row op_rows[] = {
#define OP(name, maker, weight) {name, make_##maker, weight},
#include "ops.def"
};
const int nop_rows = sizeof op_rows / sizeof *op_rows;

int find_op(const char *name)
{
    for (int i = 0; i < nop_rows; i++)
        if (!strcmp(op_rows[i].name, name))
            return i;
    return -1;
}
