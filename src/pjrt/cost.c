/* cost.c - what a program costs a device: operations and bytes, told by cost_analysis() and memory_analysis(). */
#include <stdlib.h>
#include <string.h>

#include "pjrt/pjrt.h"

/* Bytes and elements of a tensor type; 0 of anything else. */
static double elements(const tsr_type *t)
{
    int64_t rank = t && tsr_type_is_tensor(t) ? tsr_type_rank(t) : -1;
    if (rank < 0)
        return 0;
    double n = 1;
    for (int64_t d = 0; d < rank; d++)
        n *= (double)tsr_type_dim(t, (size_t)d);
    return n < 0 ? 0 : n;
}

static double bytes(const tsr_type *t)
{
    return elements(t) > 0 ? elements(t) * (double)pj_type_bytes(pj_type_of(tsr_type_element(t)))
                           : 0;
}

static bool is(const tsr_op *op, const char *name)
{
    tsr_str n = tsr_op_name(op);
    return n.len == strlen(name) && !memcmp(n.data, name, n.len);
}

/* A product's operations: two for each element of the result and each contracted one. */
static double operations(const tsr_op *op)
{
    if (!tsr_op_num_results(op) || is(op, "stablehlo.constant"))
        return 0;
    double out = elements(tsr_value_type(tsr_op_result(op, 0)));
    if (is(op, "stablehlo.dot_general") || is(op, "stablehlo.dot")) {
        double a = elements(tsr_value_type(tsr_op_operand(op, 0))),
               b = elements(tsr_value_type(tsr_op_operand(op, 1)));
        /* a * b / out is the square of the contracted size times the batch: without a batch this is exact. */
        double k2 = out > 0 ? a * b / out : 0, k = 1;
        while (k * k < k2)
            k *= 2;
        for (int i = 0; i < 40 && k > 0; i++)
            k = (k + k2 / k) / 2;
        return 2 * out * k;
    }
    if (is(op, "stablehlo.reduce"))
        return elements(tsr_value_type(tsr_op_operand(op, 0)));
    return out;
}

static bool add_up(void *user, tsr_op *op)
{
    pj_compiled *p = user;
    if (!is(op, "func.func") && !is(op, "builtin.module") && !is(op, "func.return") &&
        !is(op, "stablehlo.return")) {
        p->flops += operations(op);
        for (size_t i = 0; i < tsr_op_num_operands(op); i++)
            p->bytes_accessed += bytes(tsr_value_type(tsr_op_operand(op, i)));
        for (size_t i = 0; i < tsr_op_num_results(op); i++)
            p->bytes_accessed += bytes(tsr_value_type(tsr_op_result(op, i)));
    }
    return true;
}

/* ---- Memory: what is alive at a time in the body of the function ---- */

typedef struct {
    const tsr_value *value;
    double bytes;
    size_t uses; /* still to come */
} alive;

typedef struct {
    alive *list;
    size_t n, room;
    double now, peak;
} memory;

static bool born(memory *m, const tsr_value *v)
{
    if (m->n == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        alive *more = tsr_realloc(m->list, room * sizeof *more);
        if (!more)
            return false;
        m->list = more;
        m->room = room;
    }
    alive a = {v, bytes(tsr_value_type(v)), tsr_value_num_uses(v)};
    m->now += a.bytes;
    m->peak = m->now > m->peak ? m->now : m->peak;
    m->list[m->n++] = a;
    return true;
}

static void used(memory *m, const tsr_value *v)
{
    for (size_t i = m->n; i-- > 0;)
        if (m->list[i].value == v) {
            if (m->list[i].uses && --m->list[i].uses)
                return;
            m->now -= m->list[i].bytes;
            m->list[i] = m->list[--m->n];
            return;
        }
}

static int64_t peak_of(const tsr_op *func)
{
    enum { MOST = 20000 }; /* ops: what is alive is searched */
    memory m = {0};
    tsr_region *body = func && tsr_op_num_regions(func) ? tsr_op_region(func, 0) : NULL;
    tsr_block *block = body ? tsr_region_first_block(body) : NULL;
    size_t n = 0;
    bool ok = block != NULL;
    for (tsr_op *op = ok ? tsr_block_first_op(block) : NULL; ok && op && n++ < MOST;
         op = tsr_op_next(op)) {
        for (size_t i = 0; ok && i < tsr_op_num_results(op); i++)
            ok = born(&m, tsr_op_result(op, i));
        for (size_t i = 0; i < tsr_op_num_operands(op); i++)
            used(&m, tsr_op_operand(op, i));
        for (size_t i = 0; i < tsr_op_num_results(op); i++)
            if (!tsr_value_num_uses(tsr_op_result(op, i)))
                used(&m, tsr_op_result(op, i));
    }
    tsr_free(m.list);
    return (int64_t)m.peak;
}

static void property(pj_compiled *p, const char *name, double value)
{
    p->properties[p->nproperty++] = (pj_named_value){.struct_size = sizeof(pj_named_value),
                                                     .name = name,
                                                     .name_size = strlen(name),
                                                     .type = PJ_FLOAT,
                                                     .float_value = (float)value,
                                                     .value_size = 1};
}

static void find_cost(pj_compiled *p)
{
    tsr_op_walk(tsr_module_op(p->module), add_up, p);
    int64_t peak = peak_of(tsr_module_lookup(p->module, tsr_cstr("main"))), out = 0;
    for (size_t i = 0; i < p->nout; i++)
        out += (int64_t)p->out[i].bytes;
    p->temp_bytes = peak > out ? peak - out : 0; /* results are among what is alive */
    property(p, "flops", p->flops);
    property(p, "bytes accessed", p->bytes_accessed);
}

void pj_cost(pj_compiled *p)
{
    pthread_mutex_lock(&p->lock);
    if (!p->nproperty)
        find_cost(p);
    pthread_mutex_unlock(&p->lock);
}
