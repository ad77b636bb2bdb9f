/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - CompileOptionsProto, read from protobuf's wire format. Unknown fields are skipped, as in protobuf. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "pjrt/pjrt.h"

typedef struct {
    const unsigned char *at, *end;
    bool bad;
} reader;

typedef struct {
    uint32_t number, wire;
    uint64_t value; /* of a varint or fixed number */
    reader sub;     /* of bytes */
} field;

static uint64_t varint(reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            break;
        unsigned char c = *r->at++;
        v |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return v;
    }
    r->bad = true;
    return 0;
}

static uint64_t fixed(reader *r, size_t n)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->at) < n) {
        r->bad = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)r->at[i] << (8 * i);
    r->at += n;
    return v;
}

/* The next field; false at the end, or if the bytes are invalid. */
static bool next(reader *r, field *f)
{
    if (r->bad || r->at == r->end)
        return false;
    uint64_t key = varint(r);
    *f = (field){.number = (uint32_t)(key >> 3), .wire = (uint32_t)(key & 7)};
    if (f->wire == 0) {
        f->value = varint(r);
    } else if (f->wire == 1) {
        f->value = fixed(r, 8);
    } else if (f->wire == 5) {
        f->value = fixed(r, 4);
    } else if (f->wire == 2) {
        uint64_t n = varint(r);
        if (r->bad || n > (uint64_t)(r->end - r->at)) {
            r->bad = true;
            return false;
        }
        f->sub = (reader){r->at, r->at + n, false};
        r->at += n;
    } else {
        r->bad = true;
    }
    return !r->bad;
}

static bool is_sub(const field *f, uint32_t number)
{
    return f->number == number && f->wire == 2;
}

/* Integers of a repeated field. */
typedef struct {
    int64_t *data;
    size_t n;
    bool no_memory;
} numbers;

/* Packed or one by one; false: they are invalid, or there is no memory. */
static bool add_numbers(const field *f, numbers *to)
{
    reader r = f->sub;
    do {
        if (f->wire == 2 && r.at == r.end)
            break;
        uint64_t v = f->wire == 2 ? varint(&r) : f->value;
        if (r.bad || to->n > PJ_DEVICES_MAX)
            return false;
        int64_t *more = tsr_realloc(to->data, (to->n + 1) * sizeof *more);
        to->no_memory = !more;
        if (!more)
            return false;
        to->data = more;
        more[to->n++] = (int64_t)v;
    } while (f->wire == 2);
    return true;
}

static pj_error *bad_numbers(const numbers *list, const char *what)
{
    return list->no_memory
               ? pj_no_memory()
               : pj_fail(PJ_INVALID_ARGUMENT, "the compile options have a %s that is none", what);
}

/* DeviceAssignmentProto {1 replica_count, 2 computation_count, 3 repeated {1 replica_device_ids}}: by computation
 * there, by replica here. */
static pj_error *read_devices(pj_options *o, reader r)
{
    field f, inner;
    int64_t replicas = 0, computations = 0;
    numbers list = {0};
    bool ok = true;
    while (ok && next(&r, &f)) {
        if (f.number == 1 && f.wire == 0)
            replicas = (int64_t)f.value;
        else if (f.number == 2 && f.wire == 0)
            computations = (int64_t)f.value;
        else if (is_sub(&f, 3))
            while (ok && next(&f.sub, &inner))
                ok = inner.number != 1 || add_numbers(&inner, &list);
        ok = ok && !f.sub.bad;
    }
    ok = ok && !r.bad && replicas > 0 && computations > 0 && replicas <= PJ_DEVICES_MAX &&
         computations <= PJ_DEVICES_MAX && (uint64_t)(replicas * computations) == list.n;
    tsr_free(o->devices);
    o->devices = ok ? tsr_malloc(list.n * sizeof *o->devices) : NULL;
    o->ndevices = o->devices ? list.n : 0;
    list.no_memory |= ok && !o->devices;
    for (size_t i = 0; i < o->ndevices; i++)
        o->devices[i] =
            list.data[(i % (size_t)computations) * (size_t)replicas + i / (size_t)computations];
    tsr_free(list.data);
    return o->devices ? NULL : bad_numbers(&list, "device assignment");
}

/* ShapeProto {5 layout {1 minor_to_major}}: arrays are row-major, the last dimension first. */
static pj_error *check_shape(reader r)
{
    field f, inner;
    pj_error *e = NULL;
    while (!e && next(&r, &f)) {
        numbers order = {0};
        bool ok = true, same = true;
        while (is_sub(&f, 5) && ok && next(&f.sub, &inner))
            ok = inner.number != 1 || add_numbers(&inner, &order);
        for (size_t i = 0; i < order.n; i++)
            same &= order.data[i] == (int64_t)(order.n - 1 - i);
        tsr_free(order.data);
        if (!ok || f.sub.bad)
            e = bad_numbers(&order, "layout");
        else if (!same)
            e = pj_fail(PJ_UNIMPLEMENTED, "the compile options ask for another layout; arrays on "
                                          "Tessera's devices are row major");
    }
    if (!e && r.bad)
        e = pj_fail(PJ_INVALID_ARGUMENT, "the compile options end too early");
    return e;
}

/* ExecutableBuildOptionsProto. */
static pj_error *read_build(pj_options *o, reader r)
{
    enum { RESULT_LAYOUT = 2, REPLICAS = 4, PARTITIONS = 5, ASSIGNMENT = 9 };
    field f;
    pj_error *e = NULL;
    while (!e && next(&r, &f)) {
        if (f.number == REPLICAS && f.wire == 0)
            o->replicas = (int64_t)f.value;
        else if (f.number == PARTITIONS && f.wire == 0)
            o->partitions = (int64_t)f.value;
        else if (is_sub(&f, ASSIGNMENT))
            e = read_devices(o, f.sub);
        else if (is_sub(&f, RESULT_LAYOUT))
            e = check_shape(f.sub);
    }
    if (!e && r.bad)
        e = pj_fail(PJ_INVALID_ARGUMENT, "the compile options end too early");
    return e;
}

/* ---- Overrides ---- */

typedef enum { FLAG_ANY, FLAG_BOOL, FLAG_WHOLE, FLAG_NUMBER } flag_kind;

typedef struct {
    const char *name;
    flag_kind kind;
} flag;

static const flag flags[] = {
#define FLAG(name, kind) {name, FLAG_##kind},
#include "pjrt/flags.def"
#undef FLAG
};

/* The kind of values that a flag accepts. False: there is no such flag. */
static bool find_flag(tsr_str name, flag_kind *kind)
{
    *kind = FLAG_ANY;
    for (size_t i = 0; i < TSR_COUNT(flags); i++)
        if (tsr_str_is(name, flags[i].name)) {
            *kind = flags[i].kind;
            return true;
        }
    return tsr_str_starts(name, "xla_");
}

static bool is_bool_text(tsr_str s)
{
    static const char *const words[] = {"true", "false", "True", "False", "1", "0"};
    for (size_t i = 0; i < TSR_COUNT(words); i++)
        if (tsr_str_is(s, words[i]))
            return true;
    return false;
}

/* Digits with a sign; if it need not be an integer, also a point and an exponent. */
static bool is_number_text(tsr_str s, bool whole)
{
    size_t i = s.len && (s.data[0] == '-' || s.data[0] == '+'), digits = 0;
    for (; i < s.len && s.data[i] >= '0' && s.data[i] <= '9'; i++)
        digits++;
    if (whole || i == s.len)
        return digits && i == s.len;
    for (; i < s.len && strchr("0123456789.eE+-", s.data[i]); i++)
        digits += s.data[i] >= '0' && s.data[i] <= '9';
    return digits && i == s.len;
}

/* OptionOverrideProto: 1 string, 2 bool, 3 integer, 4 floating-point number. */
static bool takes(flag_kind kind, reader r)
{
    field f;
    bool ok = true;
    while (next(&r, &f)) {
        tsr_str text = {(const char *)f.sub.at, f.wire == 2 ? (size_t)(f.sub.end - f.sub.at) : 0};
        if (kind == FLAG_BOOL)
            ok = is_sub(&f, 1) ? is_bool_text(text) : f.number == 2;
        else if (kind != FLAG_ANY)
            ok = is_sub(&f, 1) ? is_number_text(text, kind == FLAG_WHOLE)
                               : f.number == 3 || (f.number == 4 && kind == FLAG_NUMBER);
    }
    return ok && !r.bad;
}

/* An option by its name. XLA's flags are for another compiler: they are accepted, and have no effect. */
static pj_error *check_override(reader r)
{
    static const char *const kinds[] = {"value", "bool value", "int value", "double value"};
    field f;
    tsr_str name = {"", 0};
    reader value = {r.at, r.at, false};
    while (next(&r, &f))
        if (is_sub(&f, 1))
            name = (tsr_str){(const char *)f.sub.at, (size_t)(f.sub.end - f.sub.at)};
        else if (is_sub(&f, 2))
            value = f.sub;
    flag_kind kind;
    int shown = (int)(name.len < 100 ? name.len : 100);
    if (r.bad || !find_flag(name, &kind))
        return pj_fail(PJ_INVALID_ARGUMENT, "No such compile option: '%.*s'", shown, name.data);
    return takes(kind, value) ? NULL
                              : pj_fail(PJ_INVALID_ARGUMENT,
                                        "the value of the compile option '%.*s' is not a valid %s.",
                                        shown, name.data, kinds[kind]);
}

pj_error *pj_options_read(pj_options *o, const char *data, size_t len)
{
    enum { ARGUMENT_LAYOUT = 1, BUILD = 3, PORTABLE = 4, OVERRIDES = 7 };
    reader r = {(const unsigned char *)data, (const unsigned char *)data + len, false};
    field f;
    pj_error *e = NULL;
    *o = (pj_options){.replicas = 1, .partitions = 1};
    while (!e && next(&r, &f)) {
        if (is_sub(&f, BUILD))
            e = read_build(o, f.sub);
        else if (f.number == PORTABLE && f.wire == 0)
            o->portable = f.value != 0;
        else if (is_sub(&f, OVERRIDES))
            e = check_override(f.sub);
        else if (is_sub(&f, ARGUMENT_LAYOUT))
            e = check_shape(f.sub);
    }
    if (!e && r.bad)
        e = pj_fail(PJ_INVALID_ARGUMENT, "the compile options are no protobuf message");
    if (!e && (o->replicas < 1 || o->partitions < 1 || o->replicas > PJ_DEVICES_MAX ||
               o->partitions > PJ_DEVICES_MAX || o->replicas * o->partitions > PJ_DEVICES_MAX))
        e = pj_fail(PJ_INVALID_ARGUMENT,
                    "the compile options ask for %lld replicas of %lld partitions",
                    (long long)o->replicas, (long long)o->partitions);
    if (!e && o->devices && o->ndevices != (size_t)(o->replicas * o->partitions))
        e = pj_fail(PJ_INVALID_ARGUMENT,
                    "the device assignment has %zu devices for %lld replicas of %lld partitions",
                    o->ndevices, (long long)o->replicas, (long long)o->partitions);
    if (e)
        pj_options_free(o);
    return e;
}

void pj_options_free(pj_options *o)
{
    tsr_free(o->devices);
    *o = (pj_options){0};
}
