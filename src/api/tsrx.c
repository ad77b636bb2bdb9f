/* SPDX-License-Identifier: Apache-2.0 */
/* tsrx.c - see tsrx.h. */
#include "api/tsrx.h"

#include <sys/utsname.h>

#include "api/artifact.h"
#include "api/eval.h"
#include "base/scope.h"
#include "eval/plan.h"
#include "exec/kernel/tile.h"
#include "text/bytecode/bytecode.h"

enum { MAGIC = 8, WORD = 8 };

/* Numbers in the header: those of the file, then two per section, then facts. */
enum {
#define NUMBER(name) AT_##name,
#include "api/tsrx.def"
    AT_SECTIONS
};
enum {
#define SECTION(name) SECTION_##name,
#include "api/tsrx.def"
    NSECTION
};
enum { AT_FACTS = AT_SECTIONS + 2 * NSECTION };
enum {
#define FACT(name, value) FACT_##name,
#include "api/tsrx.def"
    NFACT
};
enum { NNUMBER = AT_FACTS + NFACT, HEAD = MAGIC + NNUMBER * WORD };

static const char *const section_names[] = {
#define SECTION(name) #name,
#include "api/tsrx.def"
};
static const char *const fact_names[] = {
#define FACT(name, value) #name,
#include "api/tsrx.def"
};

static uint64_t word_at(const char *p)
{
    uint64_t v = 0;
    for (int i = WORD - 1; i >= 0; i--)
        v = v << 8 | (uint8_t)p[i];
    return v;
}

static void put_word(char *p, uint64_t v)
{
    for (int i = 0; i < WORD; i++)
        p[i] = (char)(v >> 8 * i);
}

static size_t place_of(int number)
{
    return MAGIC + (size_t)number * WORD;
}

/* ---- Checksums ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

/* Of the bytes after its own position: four independent sums, for speed, as there may be large constants. */
static uint64_t checksum_of(tsr_str data)
{
    size_t at = place_of(AT_checksum + 1);
    uint64_t sum[4] = {1, 2, 3, 4}, all = data.len;
    for (; data.len - at >= 4 * WORD; at += 4 * WORD)
        for (int i = 0; i < 4; i++)
            sum[i] = mix(sum[i], word_at(data.data + at + i * WORD));
    for (; at < data.len; at++)
        all = mix(all, (uint8_t)data.data[at]);
    for (int i = 0; i < 4; i++)
        all = mix(all, sum[i]);
    return all;
}

void tsr_tsrx_seal(char *data, size_t size)
{
    if (size >= HEAD)
        put_word(data + place_of(AT_checksum), checksum_of((tsr_str){data, size}));
}

static uint64_t mix_group(uint64_t h, const tsr_xgroup *g)
{
    h = mix(h, g->kind | (uint64_t)g->mode << 8 | (uint64_t)g->step << 32);
    h = mix(mix(mix(h, (uint64_t)g->n), (uint64_t)g->inner), g->then);
    for (uint32_t i = 0; i < g->ncode; i++) {
        const tsr_instr *o = &g->code[i];
        h = mix(h, o->kind | (uint64_t)o->op << 8 | (uint64_t)o->dtype << 16 |
                       (uint64_t)o->fold << 24 | (uint64_t)o->out << 32);
        h = mix(h, o->bits);
        for (uint8_t k = 0; k < o->nin; k++)
            h = mix(h, o->in[k]);
    }
    return h;
}

/* A digest of what runs, in which order, and where its values are stored. */
static uint64_t digest_of(const tsr_program *p)
{
    uint64_t h = 0;
    for (size_t i = 0; i < p->groups.n; i++)
        h = mix_group(h, &p->groups.data[i]);
    for (size_t i = 0; i < p->values.n; i++) {
        const tsr_xvalue *x = &p->values.data[i];
        h = mix(h, x->place | (uint64_t)x->dtype << 8 | (uint64_t)x->first << 32);
        h = mix(mix(h, (uint64_t)x->n), x->place == TSR_PLACE_ARENA ? x->offset : 0);
    }
    return h;
}

static void find_facts(const tsr_program *p, tsr_tsrx_facts *out)
{
#define FACT(name, value) out->name = (uint64_t)(value);
#include "api/tsrx.def"
}

/* ---- Writing ---- */

static void put_machine(tsr_buf *out)
{
    struct utsname u;
    tsr_buf_printf(out, "%s %s", uname(&u) == 0 ? u.machine : "unknown", tsr_isa_name());
}

static void begin_section(tsr_buf *out, size_t start)
{
    while ((out->len - start) % TSR_TSRX_ALIGN)
        tsr_buf_char(out, 0);
}

static bool put_section(tsr_buf *out, int section, tsr_module *m, const tsr_op *func)
{
    int v = tsr_version();
    switch (section) {
    case SECTION_producer:
        tsr_buf_printf(out, "Tessera%d.%d.%d", v / 10000, v / 100 % 100, v % 100);
        return true;
    case SECTION_machine: put_machine(out); return true;
    case SECTION_function: tsr_buf_str(out, tsr_op_symbol(func)); return true;
    default: return tsr_write_bytecode(out, m->op, -1);
    }
}

static void no_memory(void)
{
    tsr_stop(TSR_ENVIRONMENT, "no memory for the constants of the program%s",
             tsr_memory_reason().text);
}

static void compile(tsr_module *m, const tsr_op *func, bool strict, tsr_tsrx_facts *out,
                    bool *starved)
{
    tsr_program *p = tsr_program_new(m, func, &(tsr_program_options){.strict = strict});
    find_facts(p, out);
    *starved = p->starved;
    tsr_program_free(p);
}

/* Whether it can be compiled to a program. */
static bool find_program(tsr_module *m, const tsr_op *func, bool strict, tsr_tsrx_facts *out)
{
    tsr_plan *plan = tsr_plan_facts(m);
    bool compiled = plan && !tsr_plan_needs_evaluator(plan);
    tsr_plan_free(plan);
    if (!compiled)
        return false;
    bool starved;
    compile(m, func, strict, out, &starved);
    if (starved) { /* a passing lack of memory, or due to a constant: a second try tells */
        tsr_tsrx_facts first = *out;
        compile(m, func, strict, out, &starved);
        if (memcmp(&first, out, sizeof first) != 0)
            no_memory();
    }
    return true;
}

bool tsr_tsrx_write(tsr_buf *out, tsr_module *m, const tsr_op *func, uint64_t flags)
{
    size_t start = out->len;
    uint64_t numbers[NNUMBER] = {[AT_version] = TSR_TSRX_VERSION, [AT_order] = TSR_TSRX_ORDER};
    tsr_tsrx_facts facts = {0};
    if (find_program(m, func, flags & TSR_TSRX_STRICT, &facts))
        flags |= TSR_TSRX_COMPILED;
    for (int i = 0; i < HEAD; i++)
        tsr_buf_char(out, 0);
    for (int i = 0; i < NSECTION; i++) {
        begin_section(out, start);
        uint64_t *at = &numbers[AT_SECTIONS + 2 * i];
        at[0] = out->len - start;
        if (!put_section(out, i, m, func))
            return false;
        at[1] = out->len - start - at[0];
    }
    numbers[AT_flags] = flags;
    numbers[AT_size] = out->len - start;
#define FACT(name, value) numbers[AT_FACTS + FACT_##name] = facts.name;
#include "api/tsrx.def"
    memcpy(out->data + start, TSR_TSRX_MAGIC, MAGIC);
    for (int i = 0; i < NNUMBER; i++)
        put_word(out->data + start + place_of(i), numbers[i]);
    tsr_tsrx_seal(out->data + start, out->len - start);
    return true;
}

/* ---- Reading ---- */

bool tsr_tsrx_is(tsr_str data)
{
    return data.len >= MAGIC && memcmp(data.data, TSR_TSRX_MAGIC, MAGIC) == 0;
}

typedef struct {
    tsr_ctx *ctx;
    tsr_str data;
    tsr_loc loc;
    tsr_str section[NSECTION];
} reader;

static uint64_t number_of(const reader *r, int i)
{
    return word_at(r->data.data + place_of(i));
}

static bool is_text(tsr_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((uint8_t)s.data[i] < ' ' || s.data[i] == 0x7F)
            return false;
    return s.len > 0;
}

static bool wrong(const reader *r, size_t at, const char *fmt, ...) TSR_PRINTF(3, 4);
static bool wrong(const reader *r, size_t at, const char *fmt, ...)
{
    tsr_buf text = {0};
    va_list args;
    va_start(args, fmt);
    tsr_buf_vprintf(&text, fmt, args);
    va_end(args);
    tsr_error(r->ctx, r->loc, "this saved program cannot be run: byte %zu: %.*s", at,
              TSR_STR_ARG(tsr_buf_text(&text)));
    tsr_buf_free(&text);
    return false;
}

static bool check_head(const reader *r)
{
    const unsigned long long version =
        r->data.len >= place_of(AT_version + 1) ? number_of(r, AT_version) : 0;
    if (r->data.len >= place_of(AT_order + 1) && number_of(r, AT_order) != TSR_TSRX_ORDER)
        return wrong(r, place_of(AT_order),
                     "its numbers are in an order of bytes that is not little endian");
    if (r->data.len >= place_of(AT_version + 1) && version != TSR_TSRX_VERSION)
        return wrong(
            r, place_of(AT_version),
            "it is of version %llu of the format, and this is version %d: compile it again",
            version, TSR_TSRX_VERSION);
    if (r->data.len < HEAD)
        return wrong(r, r->data.len, "it ends in its head, which has %d bytes", HEAD);
    if (number_of(r, AT_size) != r->data.len)
        return wrong(r, place_of(AT_size), "it is to have %llu bytes, and has %zu",
                     (unsigned long long)number_of(r, AT_size), r->data.len);
    if (number_of(r, AT_checksum) != checksum_of(r->data))
        return wrong(r, place_of(AT_checksum),
                     "its checksum is not that of its bytes: it was changed");
    if (number_of(r, AT_flags) & ~(uint64_t)TSR_TSRX_FLAGS)
        return wrong(r, place_of(AT_flags), "it has flags that there are not");
    return true;
}

/* Each section follows the one before; the padding between them is zeros. */
static bool read_sections(reader *r)
{
    uint64_t end = HEAD;
    for (int i = 0; i < NSECTION; i++) {
        int number = AT_SECTIONS + 2 * i;
        uint64_t at = number_of(r, number), n = number_of(r, number + 1);
        if (at % TSR_TSRX_ALIGN || at < end || at - end >= TSR_TSRX_ALIGN || at > r->data.len)
            return wrong(r, place_of(number),
                         "the section '%s' begins at a place where none can be", section_names[i]);
        if (n > r->data.len - at || !n)
            return wrong(r, place_of(number + 1),
                         "the section '%s' has more bytes than are left, or none",
                         section_names[i]);
        for (; end < at; end++)
            if (r->data.data[end])
                return wrong(r, (size_t)end, "what is before the section '%s' is not zero",
                             section_names[i]);
        r->section[i] = (tsr_str){r->data.data + at, (size_t)n};
        end = at + n;
        if (i < SECTION_function && !is_text(r->section[i]))
            return wrong(r, (size_t)at, "the section '%s' is no text", section_names[i]);
    }
    return end == r->data.len || wrong(r, (size_t)end, "there is more behind its last section");
}

/* The module, which is checked like any other untrusted input. */
static tsr_module *read_module(const reader *r, tsr_str filename, bool kept)
{
    tsr_str code = r->section[SECTION_module];
    size_t at = (size_t)(code.data - r->data.data);
    if (!tsr_is_bytecode(code))
        return wrong(r, at, "the section 'module' is no bytecode"), NULL;
    tsr_module *m = tsr_bytecode_read(r->ctx, code, filename, kept);
    if (m && tsr_verify(m->op) && tsr_is_runnable(m))
        return m;
    wrong(r, at, "the module in it is no program that runs");
    if (m)
        tsr_module_free(m);
    return NULL;
}

tsr_module *tsr_tsrx_read(tsr_ctx *ctx, tsr_str data, tsr_str filename, bool kept, tsr_tsrx *out)
{
    reader r = {
        .ctx = ctx, .data = data, .loc = tsr_loc_file(ctx, tsr_name_get(ctx, filename), 0, 0)};
    *out = (tsr_tsrx){0};
    if (!check_head(&r) || !read_sections(&r))
        return NULL;
    tsr_module *m = read_module(&r, filename, kept);
    if (!m)
        return NULL;
    *out = (tsr_tsrx){.flags = number_of(&r, AT_flags),
                      .producer = r.section[SECTION_producer],
                      .machine = r.section[SECTION_machine],
                      .function = r.section[SECTION_function]};
#define FACT(name, value) out->facts.name = number_of(&r, AT_FACTS + FACT_##name);
#include "api/tsrx.def"
    return m;
}

bool tsr_tsrx_check(const tsr_program *p, const tsr_tsrx *saved)
{
    tsr_tsrx_facts now;
    find_facts(p, &now);
    if (p->starved && memcmp(&saved->facts, &now, sizeof now) != 0)
        no_memory();
    const uint64_t *a = (const uint64_t *)&saved->facts, *b = (const uint64_t *)&now;
    for (int i = 0; i < NFACT; i++)
        if (a[i] != b[i])
            return tsr_error(
                p->module->ctx, p->function->loc,
                "this saved program cannot be run: %.*s compiled it to another program "
                "than this version does (%s: %llu, now %llu): compile it again",
                TSR_STR_ARG(saved->producer), fact_names[i], (unsigned long long)a[i],
                (unsigned long long)b[i]);
    return true;
}
