/* SPDX-License-Identifier: Apache-2.0 */
/* ops_manual.c - manual computations: programs for each device inside of one for all.
 *
 * Each bound axis has a role, so that what devices give fits what the computation says of its
 * results. Free axes may shard dimensions too, behind the bound ones, or be unreduced. Bodies have
 * collectives, in loops and in functions as well. A function may be called where other axes are
 * bound, of another mesh, or outside of all computations. */
#include "program.h"

typedef enum {
    SHARDS,  /* a dimension of operand and result */
    PARTIAL, /* both are unreduced */
    OPENED,  /* every device has the operand; the result is unreduced */
    ALIKE,   /* every device has both */
    CLOSED,  /* a dimension of the operand; the result is unreduced */
    ROLES
} role;

typedef struct {
    program *p;
    const mesh *m;
    int number; /* of the mesh */
    elem e;
    bool bound[AXES];
    role roles[AXES];
    bool one_each; /* no two devices must give the same */
    double mag;
    shape local; /* of the value in the body, whose type is type */
    const char *type;
    int names, channels;
    bool joined; /* the result is unreduced, and not a sum */
    helper here; /* what the function at hand does: its axes and numbers */
} manual;

/* Devices that differ along one axis alone, one row for each such set. */
static const char *groups_along(program *p, const mesh *m, int axis)
{
    int total = mesh_size(m), inner = 1, n = 0;
    buffer b = {0};
    for (int i = axis + 1; i < m->naxis; i++)
        inner *= m->sizes[i];
    for (int first = 0; first < total; first++) {
        if (first / inner % m->sizes[axis])
            continue;
        put(&b, "%s[", n++ ? ", " : "");
        for (int k = 0; k < m->sizes[axis]; k++)
            put(&b, "%s%d", k ? ", " : "", m->ids[first + k * inner]);
        put(&b, "]");
    }
    const char *text = keep(p, "dense<[%s]> : tensor<%dx%dxi64>", b.data, n, m->sizes[axis]);
    free(b.data);
    return text;
}

/* From each device along the axis to the next; the last one's goes to the first, or nowhere. */
static const char *pairs_along(program *p, const mesh *m, int axis, bool ring)
{
    int total = mesh_size(m), inner = 1, n = 0;
    buffer b = {0};
    for (int i = axis + 1; i < m->naxis; i++)
        inner *= m->sizes[i];
    for (int place = 0; place < total; place++) {
        int at = place / inner % m->sizes[axis], to = (at + 1) % m->sizes[axis];
        if (to || ring)
            put(&b, "%s[%d, %d]", n++ ? ", " : "", m->ids[place],
                m->ids[place + (to - at) * inner]);
    }
    const char *text = keep(p, "dense<[%s]> : tensor<%dx2xi64>", b.data, n);
    free(b.data);
    return text;
}

static int bound_axis(manual *c)
{
    int axes[AXES], n = 0;
    for (int i = 0; i < c->m->naxis; i++)
        if (c->bound[i])
            axes[n++] = i;
    return axes[below(c->p, n)];
}

static void put_all_reduce(manual *c, buffer *b, int in, int out)
{
    static const char *const joins[] = {"add", "maximum", "minimum"};
    int axis = bound_axis(c), k = (int)below(c->p, 3);
    const char *x = type_of(c->p, c->e, &SCALAR);
    put(b,
        "        %%m%d = \"stablehlo.all_reduce\"(%%m%d) <{replica_groups = %s, channel_handle = "
        "#stablehlo.channel_handle<handle = %d, type = 1>, use_global_device_ids}> ({\n        "
        "^bb0(%%ja%d: %s, %%jb%d: %s):\n          %%jc%d = stablehlo.%s %%ja%d, %%jb%d : %s\n      "
        "    "
        "stablehlo.return %%jc%d : %s\n        }) : (%s) -> %s\n",
        out, in, groups_along(c->p, c->m, axis), ++c->channels, out, x, out, x, out, joins[k], out,
        out, x, out, x, c->type, c->type);
    c->here.along |= 1u << axis;
    if (!k)
        c->mag *= c->m->sizes[axis];
}

static void put_permute(manual *c, buffer *b, int in, int out)
{
    int axis = bound_axis(c);
    bool ring = c->roles[axis] == ALIKE || chance(c->p, 50);
    put(b,
        "        %%m%d = \"stablehlo.collective_permute\"(%%m%d) <{source_target_pairs = %s, "
        "channel_handle = #stablehlo.channel_handle<handle = %d, type = 1>}> : (%s) -> %s\n",
        out, in, pairs_along(c->p, c->m, axis, ring), ++c->channels, c->type, c->type);
    c->here.along |= 1u << axis;
    c->here.bent |= ring ? 0 : 1u << axis;
}

/* The device's number, added. */
static void put_number(manual *c, buffer *b, int in, int out)
{
    const char *x = type_of(c->p, c->e, &SCALAR);
    put(b,
        "        %%d%d = stablehlo.partition_id : tensor<ui32>\n        %%e%d = stablehlo.convert "
        "%%d%d : (tensor<ui32>) -> %s\n        %%f%d = stablehlo.broadcast_in_dim %%e%d, dims = [] "
        ": (%s) -> %s\n        %%m%d = stablehlo.add %%m%d, %%f%d : %s\n",
        out, out, out, x, out, out, x, c->type, out, in, out, c->type);
    c->mag += mesh_size(c->m);
    c->here.numbers = true;
}

static int put_steps(manual *c, buffer *b, int in, int n, int depth);

static int put_loop(manual *c, buffer *b, int in, int depth)
{
    int k = ++c->names, times = (int)between(c->p, 0, 2), inside;
    double before = c->mag;
    put(b,
        "        %%z%d = stablehlo.constant dense<0> : tensor<i32>\n        %%l%d:2 = "
        "stablehlo.while(%%i%d = %%z%d, %%m%d = %%m%d) : tensor<i32>, %s cond {\n          %%n%d = "
        "stablehlo.constant dense<%d> : tensor<i32>\n          %%p%d = stablehlo.compare LT, "
        "%%i%d, %%n%d : (tensor<i32>, tensor<i32>) -> tensor<i1>\n          stablehlo.return %%p%d "
        ": tensor<i1>\n        } do {\n",
        k, k, k, k, k, in, c->type, k, times, k, k, k, k);
    inside = put_steps(c, b, k, 1, depth + 1);
    put(b,
        "          %%o%d = stablehlo.constant dense<1> : tensor<i32>\n          %%j%d = "
        "stablehlo.add %%i%d, %%o%d : tensor<i32>\n          stablehlo.return %%j%d, %%m%d : "
        "tensor<i32>, %s\n        }\n",
        k, k, k, k, k, inside, c->type);
    int out = ++c->names;
    put(b, "        %%m%d = stablehlo.add %%l%d#1, %%l%d#1 : %s\n", out, k, k, c->type);
    double each = before > 0 ? c->mag / before : 1;
    c->mag = 2 * (before + (c->mag - before) * 2) * (each > 1 ? each : 1);
    return out;
}

/* What a function does is done where it is called. */
static void add_helper(helper *to, const helper *h)
{
    to->along |= h->along;
    to->bent |= h->bent;
    to->binds |= h->binds;
    to->numbers |= h->numbers;
}

/* Whether the body may call it: all devices that must give the same still do. */
static bool may_call(const manual *c, const helper *h)
{
    unsigned bound = 0, alike = 0;
    for (int a = 0; a < c->m->naxis; a++) {
        bound |= c->bound[a] ? 1u << a : 0;
        alike |= c->roles[a] == ALIKE ? 1u << a : 0;
    }
    bool any_mesh = !h->along && !h->binds && mesh_size(c->m) <= h->devices;
    return h->type && !strcmp(h->type, c->type) && (any_mesh || c->number == h->mesh) &&
           !(h->along & ~bound) && !(h->bent & alike) && !(h->binds & bound) &&
           (!h->numbers || c->one_each) && (wraps(c->e) || c->mag <= h->takes);
}

static int make_helper(manual *c, int depth)
{
    program *p = c->p;
    buffer f = {0};
    int number = p->nextra++, first = ++c->names;
    helper *h = &p->extra[number], around = c->here;
    *h = c->here = (helper){0};
    double takes = c->mag;
    int last = put_steps(c, &f, first, (int)between(p, 1, 2), depth + 1);
    *h = c->here;
    h->e = c->e;
    h->s = c->local;
    h->mesh = c->number;
    h->devices = mesh_size(c->m);
    h->takes = takes;
    h->gives = c->mag;
    h->type = c->type;
    h->text =
        keep(p, "  func.func private @g%d(%%m%d: %s) -> %s {\n%s        return %%m%d : %s\n  }\n",
             number, first, c->type, c->type, f.data ? f.data : "", last, c->type);
    free(f.data);
    c->here = around;
    return number;
}

/* A function of its own, or one that is there. */
static int put_call(manual *c, buffer *b, int in, int depth)
{
    program *p = c->p;
    int found[FUNCS], n = 0;
    for (int i = 0; i < p->nextra; i++)
        if (may_call(c, &p->extra[i]))
            found[n++] = i;
    if (!n && p->nextra == FUNCS)
        return in;
    int number =
        n && (p->nextra == FUNCS || chance(p, 60)) ? found[below(p, n)] : make_helper(c, depth);
    c->mag = p->extra[number].gives;
    add_helper(&c->here, &p->extra[number]);
    int out = ++c->names;
    put(b, "        %%m%d = func.call @g%d(%%m%d) : (%s) -> %s\n", out, number, in, c->type,
        c->type);
    return out;
}

/* Calls of functions without collectives where no axis is bound: there the device is number 0. */
static void call_outside(manual *c)
{
    program *p = c->p;
    for (int i = 0; i < p->nextra; i++) {
        const helper *h = &p->extra[i];
        if (h->along || h->binds || strcmp(h->type, c->type) || chance(p, 40))
            continue;
        int in = take(p, c->e, c->local, (need){.exact = true, .finite = true, .mag = h->takes});
        if (val(p, in)->mag > h->takes)
            continue;
        int out = new_value(p, c->e, c->local);
        if (!sized(p, out, h->gives, val(p, in)->whole, 0, 1) || val(p, out)->steps > 0) {
            p->nvalue--;
            continue;
        }
        emit(p, "func.call", &in, 1, &out, 1, keep(p, "callee = @g%d", i));
    }
}

/* A computation inside, that binds one more axis. */
static int put_nested(manual *c, buffer *b, int in, int depth)
{
    program *p = c->p;
    int axis = (int)below(p, c->m->naxis), d = (int)below(p, c->local.rank), in_how, out_how;
    int size = c->m->sizes[axis];
    if (c->bound[axis] || size < 2)
        return in;
    manual k = *c;
    bool shards = c->local.d[d] % size == 0 && chance(p, 60);
    k.bound[axis] = true;
    k.one_each = false;
    k.here = (helper){0};
    k.roles[axis] = shards ? SHARDS : PARTIAL;
    k.local.d[d] /= shards ? size : 1;
    k.type = type_of(p, k.e, &k.local);
    in_how = (int)below(p, 3);
    out_how = (int)below(p, 3);
    buffer text[2] = {0}, body = {0};
    for (int i = 0; i < 2; i++) {
        put(&text[i], "<%s, [", mesh_name(k.number));
        for (int j = 0; j < c->local.rank; j++)
            put(&text[i], shards && j == d ? "%s{\"%c\"}" : "%s{}", j ? ", " : "", 'a' + axis);
        if (shards)
            put(&text[i], "]>");
        else
            put(&text[i], "], unreduced=%s{\"%c\"}>", reduction_names[i ? out_how : in_how],
                'a' + axis);
    }
    int first = ++k.names, last = put_steps(&k, &body, first, (int)between(p, 1, 2), depth + 1);
    int out = ++k.names;
    put(b,
        "        %%m%d = sdy.manual_computation(%%m%d) in_shardings=[%s] out_shardings=[%s] "
        "manual_axes={\"%c\"} (%%m%d: %s) {\n%s          sdy.return %%m%d : %s\n        } : (%s) "
        "-> "
        "%s\n",
        out, in, text[0].data, text[1].data, 'a' + axis, first, k.type, body.data ? body.data : "",
        last, k.type, c->type, c->type);
    c->names = k.names;
    c->channels = k.channels;
    k.here.along &= ~(1u << axis);
    k.here.bent &= ~(1u << axis);
    k.here.binds |= 1u << axis;
    add_helper(&c->here, &k.here);
    c->mag = k.mag * (!shards && !out_how ? size : 1);
    free(text[0].data);
    free(text[1].data);
    free(body.data);
    return out;
}

static int put_steps(manual *c, buffer *b, int in, int n, int depth)
{
    for (int i = 0; i < n; i++) {
        int kind = (int)below(c->p, 14), out;
        if (kind == 0 && depth < 2) {
            in = put_loop(c, b, in, depth);
            continue;
        }
        if ((kind == 1 || kind > 10) && depth < 2) {
            in = put_call(c, b, in, depth);
            continue;
        }
        if ((kind == 9 || kind == 10) && depth < 2) {
            in = put_nested(c, b, in, depth);
            continue;
        }
        out = ++c->names;
        if (kind <= 3) {
            put_all_reduce(c, b, in, out);
        } else if (kind <= 5) {
            put_permute(c, b, in, out);
        } else if ((kind <= 7 || kind > 10) && c->one_each && c->e != I1) {
            put_number(c, b, in, out);
        } else {
            put(b, "        %%m%d = stablehlo.add %%m%d, %%m%d : %s\n", out, in, in, c->type);
            c->mag *= 2;
        }
        in = out;
    }
    return in;
}

/* ---- Shardings ---- */

/* Axes of each dimension and unreduced ones as text, and the size of the whole. */
static const char *sharding_text(manual *c, const int *dims, bool out, shape *s)
{
    program *p = c->p;
    buffer b = {0}, unreduced = {0};
    int free_dims[AXES], how = c->e == C64 ? 0 : (int)below(p, 3);
    const char *part[AXES]; /* of free axes: all, or their first half */
    for (int a = 0; a < c->m->naxis; a++) {
        free_dims[a] = c->m->sizes[a] < 2 || c->bound[a] ? -1 : (int)between(p, -2, s->rank - 1);
        part[a] = c->m->sizes[a] > 2 && c->m->sizes[a] % 2 == 0 && chance(p, 30) ? ":(1)2" : "";
    }
    put(&b, "<%s, [", mesh_name(c->number));
    for (int d = 0; d < s->rank; d++) {
        int n = 0;
        put(&b, "%s{", d ? ", " : "");
        for (int bound = 1; bound >= 0; bound--)
            for (int a = 0; a < c->m->naxis; a++) {
                bool here = bound ? c->bound[a] && dims[a] == d &&
                                        (c->roles[a] == SHARDS || (c->roles[a] == CLOSED && !out))
                                  : !c->bound[a] && free_dims[a] == d;
                if (!here)
                    continue;
                put(&b, "%s\"%c\"%s", n++ ? ", " : "", 'a' + a, bound ? "" : part[a]);
                if (bound)
                    s->d[d] *= c->m->sizes[a];
            }
        put(&b, "}");
    }
    double factor = 1;
    for (int a = 0; a < c->m->naxis; a++) {
        role r = c->roles[a];
        bool here = c->bound[a] ? r == PARTIAL || (out && (r == OPENED || r == CLOSED))
                                : free_dims[a] == -2;
        if (!here)
            continue;
        put(&unreduced, "%s\"%c\"%s", unreduced.n ? ", " : "", 'a' + a, c->bound[a] ? "" : part[a]);
        factor *= c->bound[a] && !how ? c->m->sizes[a] : 1;
    }
    if (out) {
        c->mag *= factor;
        c->joined = unreduced.n && how;
    }
    const char *text = unreduced.n ? keep(p, "%s], unreduced=%s{%s}>", b.data, reduction_names[how],
                                          unreduced.data)
                                   : keep(p, "%s]>", b.data);
    free(b.data);
    free(unreduced.data);
    return text;
}

static bool choose_mesh(manual *c)
{
    program *p = c->p;
    bool any_bound = false;
    c->number = chance(p, 50) ? p->nmesh - 1 : (int)below(p, p->nmesh);
    c->m = &p->meshes[c->number];
    if (!takes_part(p, c->m))
        return false;
    c->one_each = true;
    for (int a = 0; a < c->m->naxis; a++) {
        c->bound[a] = c->m->sizes[a] > 1 && chance(p, 60);
        c->roles[a] = chance(p, 50) ? SHARDS : (role)below(p, ROLES);
        any_bound |= c->bound[a];
        c->one_each &= c->m->sizes[a] == 1 || (c->bound[a] && c->roles[a] != ALIKE);
    }
    return any_bound;
}

bool make_manual(program *p)
{
    static const elem elems[] = {F32, F32, I32, I32, I1, BF16};
    manual c = {.p = p, .e = elems[below(p, 6)]};
    if (p->depth || p->isolated || p->draws || !choose_mesh(&c))
        return false;
    p->manual = true;
    shape local = {(int)between(p, 1, 3), {0}}, s, t;
    int dims[AXES], last = 0;
    bool again = p->nextra && chance(p, 60); /* so that it can call what others call */
    for (int d = 0; d < local.rank; d++)
        local.d[d] = p->empties && chance(p, 25) ? 0 : between(p, 1, 4);
    if (again) {
        const helper *h = &p->extra[below(p, p->nextra)];
        local = h->s;
        c.e = h->e;
    }
    for (int a = 0; a < AXES; a++)
        dims[a] = (int)below(p, local.rank);
    s = t = local;
    c.local = local;
    c.type = type_of(p, c.e, &local);
    const char *from = sharding_text(&c, dims, false, &s);
    need small = {.exact = true, .finite = true, .mag = 100};
    int in = take(p, c.e, s, small);
    c.mag = val(p, in)->mag;
    buffer body = {0};
    put(&body, "      ^bb0(%%m0: %s):\n", c.type);
    if (again)
        last = put_call(&c, &body, last, 0);
    last = put_steps(&c, &body, last, (int)between(p, 1, 3), 0);
    put(&body, "        sdy.return %%m%d : %s\n", last, c.type);
    const char *to = sharding_text(&c, dims, true, &t), *text = keep(p, "%s", body.data);
    free(body.data);
    int out = new_value(p, c.e, t);
    if (elements(&s) > 600 || elements(&t) > 600 ||
        !sized(p, out, c.mag, val(p, in)->whole, 0, mesh_size(c.m)) || val(p, out)->steps > 0)
        return false;
    char names[64] = "";
    size_t at = 0;
    for (int a = 0; a < c.m->naxis; a++)
        if (c.bound[a])
            at += (size_t)snprintf(names + at, sizeof names - at, "%s\"%c\"", at ? ", " : "",
                                   'a' + a);
    stmt *st = emit(p, "sdy.manual_computation", &in, 1, &out, 1,
                    keep(p,
                         "in_shardings = #sdy.sharding_per_value<[%s]>, out_shardings = "
                         "#sdy.sharding_per_value<[%s]>, manual_axes = #sdy<manual_axes{%s}>",
                         from, to, names));
    st->regions[0] = text;
    st->shards = false;
    val(p, out)->joined = c.joined;
    if (chance(p, 50))
        call_outside(&c);
    return true;
}
