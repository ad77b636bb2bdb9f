/* SPDX-License-Identifier: Apache-2.0 */
/* shardings.c - random meshes and shardings, and which kinds of them a statement has. */
#include "program.h"

/* Numbers of the devices: in order, or in any. */
static void set_order(program *p, mesh *m, bool shuffled)
{
    int total = 1;
    for (int i = 0; i < m->naxis; i++)
        total *= m->sizes[i];
    m->shuffled = shuffled;
    for (int i = 0; i < total; i++)
        m->ids[i] = i;
    for (int i = total; m->shuffled && i-- > 1;) {
        int k = (int)below(p, i + 1), t = m->ids[i];
        m->ids[i] = m->ids[k];
        m->ids[k] = t;
    }
    bool same = true;
    for (int i = 0; i < total; i++)
        same &= m->ids[i] == i;
    m->shuffled &= !same;
}

static void make_mesh(program *p, mesh *m)
{
    m->naxis = (int)between(p, p->biased == SEVERAL ? 2 : 1, AXES);
    int total = 1;
    for (int i = 0; i < m->naxis; i++) {
        int most = DEVICES / total, left = m->naxis - i - 1;
        if (p->biased == SEVERAL && i == 0)
            most = 4;
        if (p->biased == SUB_AXIS && i == 0)
            m->sizes[i] = chance(p, 50) ? 4 : chance(p, 50) ? 8 : 6;
        else
            m->sizes[i] = most <= 1 ? 1 : (int)between(p, left && chance(p, 15) ? 1 : 2, most);
        if (left >= 1 && chance(p, 70) && m->sizes[i] > 2 && !(p->biased == SUB_AXIS && i == 0))
            m->sizes[i] = 2;
        total *= m->sizes[i];
    }
    set_order(p, m, p->biased == ORDER || chance(p, 15));
}

/* The same devices along other axes: one of all of them, or the same sizes in another order. */
static void make_other_mesh(program *p, const mesh *like, mesh *m)
{
    int total = 1;
    *m = *like;
    for (int i = 0; i < like->naxis; i++)
        total *= like->sizes[i];
    if (chance(p, 30)) {
        m->naxis = 1;
        m->sizes[0] = total;
    }
    for (int i = m->naxis; i-- > 1;) {
        int k = (int)below(p, i + 1), t = m->sizes[i];
        m->sizes[i] = m->sizes[k];
        m->sizes[k] = t;
    }
    set_order(p, m, chance(p, 50));
}

const char *const reduction_names[3] = {"", "max", "min"};

int mesh_size(const mesh *m)
{
    int total = 1;
    for (int i = 0; i < m->naxis; i++)
        total *= m->sizes[i];
    return total;
}

const char *mesh_name(int number)
{
    static char names[MESH_MAX][16];
    snprintf(names[number], sizeof names[number], number ? "@mesh_%d" : "@mesh", number);
    return names[number];
}

bool takes_part(const program *p, const mesh *m)
{
    return m->naxis && mesh_size(&p->meshes[0]) % mesh_size(m) == 0;
}

/* Fewer devices: so many that all are some times them (divides), or not. */
static bool make_smaller_mesh(program *p, bool divides, mesh *m)
{
    int all = mesh_size(&p->meshes[0]), n = (int)between(p, 2, all);
    if (n >= all || (all % n == 0) != divides)
        return false;
    *m = (mesh){.naxis = 1, .sizes = {n}};
    if (n % 2 == 0 && n > 2 && chance(p, 50))
        *m = (mesh){.naxis = 2, .sizes = {n / 2, 2}};
    set_order(p, m, chance(p, 40));
    return true;
}

void make_meshes(program *p)
{
    make_mesh(p, &p->meshes[0]);
    p->nmesh = 1;
    if (p->biased == MESHES || (p->biased < 0 && chance(p, 15)))
        make_other_mesh(p, &p->meshes[0], &p->meshes[p->nmesh++]);
    if (p->biased >= 0 || !chance(p, 30))
        return;
    if (chance(p, 25))
        p->meshes[p->nmesh++] = (mesh){0};
    if (chance(p, 25))
        p->meshes[p->nmesh++] = (mesh){.single = true, .ids = {(int)below(p, DEVICES)}};
    if (chance(p, 15))
        p->meshes[p->nmesh++] = (mesh){.naxis = 1, .sizes = {1}};
    if (chance(p, 60) && make_smaller_mesh(p, true, &p->meshes[p->nmesh]))
        p->nmesh++;
    if (p->nmesh < MESH_MAX && chance(p, 15) && make_smaller_mesh(p, false, &p->meshes[p->nmesh]))
        p->nmesh++;
}

int axis_size(const program *p, const sharding *s, axis_ref a)
{
    return a.size ? a.size : p->meshes[s->mesh].sizes[a.axis];
}

/* Axes and parts of axes that are left, in random order. */
static int pieces_of(program *p, const mesh *m, axis_ref *out)
{
    int n = 0;
    for (int i = 0; i < m->naxis; i++) {
        int size = m->sizes[i], cut = 0;
        if (size == 4 || size == 6 || size == 8)
            cut = p->biased == SUB_AXIS || chance(p, 25) ? (size == 8 && chance(p, 50)   ? 4
                                                            : size == 6 && chance(p, 50) ? 3
                                                                                         : 2)
                                                         : 0;
        if (cut) {
            out[n++] = (axis_ref){i, 1, cut};
            out[n++] = (axis_ref){i, cut, size / cut};
        } else {
            out[n++] = (axis_ref){i, 1, 0};
        }
    }
    for (int i = n; i-- > 1;) {
        int k = (int)below(p, i + 1);
        axis_ref t = out[i];
        out[i] = out[k];
        out[k] = t;
    }
    return n;
}

static bool before(axis_ref a, axis_ref b)
{
    return a.axis != b.axis ? a.axis < b.axis : a.pre < b.pre;
}

/* Some of the axes that are left, in the order of the mesh. */
static void make_unreduced(program *p, const axis_ref *left, int n, elem e, sharding *out)
{
    out->how = e == C64 ? 0 : (int)below(p, 3);
    for (int i = 0; i < n && out->nunreduced < AXES; i++) {
        int at = out->nunreduced;
        bool joins = false;
        for (int k = 0; k < at; k++) /* parts that follow each other would be written as one */
            joins |= out->unreduced[k].axis == left[i].axis;
        if (joins || chance(p, 30))
            continue;
        for (; at > 0 && before(left[i], out->unreduced[at - 1]); at--)
            out->unreduced[at] = out->unreduced[at - 1];
        out->unreduced[at] = left[i];
        out->nunreduced++;
    }
}

/* How a value may be unreduced: not at all, as a sum, or in any way. */
typedef enum { REDUCED, SUMMED, JOINED } may_be;

static void make_sharding(program *p, const shape *s, elem e, may_be may, sharding *out)
{
    axis_ref left[2 * AXES];
    *out = (sharding){.set = true,
                      .mesh = p->nmesh > 1 && chance(p, 40) ? (int)between(p, 1, p->nmesh - 1) : 0};
    if (p->meshes[out->mesh].single)
        return;
    int n = pieces_of(p, &p->meshes[out->mesh], left);
    for (int i = 0; i < s->rank; i++)
        out->open[i] = p->propagate && chance(p, 40);
    while (n > 0 && s->rank && !chance(p, 15)) {
        axis_ref a = left[--n];
        int d = (int)below(p, s->rank), size = axis_size(p, out, a);
        if (p->biased == SEVERAL)
            for (int i = 0; i < s->rank; i++)
                if (out->n[i] == 1)
                    d = i;
        /* Most parts are not empty, and many are full. */
        int64_t parts = size;
        for (int i = 0; i < out->n[d]; i++)
            parts *= axis_size(p, out, out->axes[d][i]);
        if ((parts > s->d[d] && !chance(p, 25)) || (s->d[d] % parts && p->biased == EVEN) ||
            (s->d[d] % parts && p->biased < 0 && chance(p, 30)))
            continue;
        if (out->n[d] == AXES)
            continue;
        /* Parts of one axis that follow each other would be written as one. */
        if (out->n[d]) {
            axis_ref b = out->axes[d][out->n[d] - 1];
            if (b.axis == a.axis && b.size && a.size && b.pre * b.size == a.pre)
                continue;
        }
        out->axes[d][out->n[d]++] = a;
    }
    if (may != REDUCED && p->biased < 0 && chance(p, 25))
        make_unreduced(p, left, n, e, out);
    if (may == SUMMED)
        out->how = 0;
}

static bool sharded(const program *p, const sharding *s, const shape *at)
{
    for (int d = 0; s->set && d < at->rank; d++)
        for (int i = 0; i < s->n[d]; i++)
            if (axis_size(p, s, s->axes[d][i]) > 1)
                return true;
    return false;
}

void make_shardings(program *p)
{
    stmt *all[STMTS * 8];
    bool used[VALUES] = {false}, defined[VALUES] = {false};
    const value *constrains[VALUES] = {NULL};
    int n;
    collect_stmts(p, all, &n, STMTS * 8);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < all[i]->nin; k++)
            used[all[i]->in[k]] = true;
        for (int k = 0; k < all[i]->nout; k++) {
            defined[all[i]->out[k]] = true;
            if (all[i]->constrains)
                constrains[all[i]->out[k]] = &p->values[all[i]->in[0]];
        }
    }
    for (int i = 0; i < p->nvalue; i++) {
        value *v = &p->values[i];
        int percent = p->biased == IN_ONLY    ? used[i] * 95
                      : p->biased == OUT_ONLY ? !used[i] * 95
                      : p->propagate          ? 45
                                              : 75;
        /* Constraints may begin sums, and nothing else; reductions of others are as they are. */
        const value *from = constrains[i];
        bool joined = from && (from->joined || (from->sh.nunreduced && from->sh.how));
        may_be may = from                         ? joined ? REDUCED : SUMMED
                     : defined[i] && p->propagate ? REDUCED
                                                  : JOINED;
        if (!v->type && chance(p, percent))
            make_sharding(p, &v->s, v->e, may, &v->sh);
    }
    for (int i = 0; i < p->nresult; i++)
        if (chance(p, p->biased == IN_ONLY ? 0 : 40))
            make_sharding(p, &p->values[p->results[i]].s, p->values[p->results[i]].e, JOINED,
                          &p->result_sh[i]);
}

/* ---- Kinds ---- */

const char *const kind_names[KINDS] = {"even", "uneven", "several", "sub-axis", "in",
                                       "out",  "others", "order",   "spread",   "meshes"};

uint32_t kinds_of(const program *p, const stmt *s, uint32_t *never)
{
    uint32_t kinds = 0, meshes = 0;
    bool in = false, out = false, differ = false, ranked_in = false, ranked_out = false;
    *never = 0;
    for (int i = 0; i < s->nin + s->nout; i++) {
        const value *v = &p->values[i < s->nin ? s->in[i] : s->out[i - s->nin]];
        if (v->type)
            continue;
        (i < s->nin ? &ranked_in : &ranked_out)[0] |= v->s.rank > 0;
        if (!sharded(p, &v->sh, &v->s))
            continue;
        (i < s->nin ? &in : &out)[0] = true;
        meshes |= 1u << v->sh.mesh;
        const value *first = &p->values[s->nin ? s->in[0] : s->out[0]];
        differ |= first->s.rank != v->s.rank || memcmp(&first->sh, &v->sh, sizeof v->sh) != 0;
        for (int d = 0; d < v->s.rank; d++) {
            int64_t parts = 1;
            for (int k = 0; k < v->sh.n[d]; k++) {
                axis_ref a = v->sh.axes[d][k];
                parts *= axis_size(p, &v->sh, a);
                kinds |= a.size ? 1u << SUB_AXIS : 0;
            }
            if (parts > 1)
                kinds |= v->s.d[d] % parts ? 1u << UNEVEN : 1u << EVEN;
            if (v->sh.n[d] > 1 && parts > 1)
                kinds |= 1u << SEVERAL;
        }
    }
    bool none = !ranked_in || s->nin == 0;
    if (none)
        *never |= 1u << IN_ONLY | 1u << OTHERS;
    if (!ranked_out || s->constrains)
        *never |= 1u << OUT_ONLY | 1u << OTHERS;
    if (!ranked_in && !ranked_out)
        *never = ~0u;
    if (s->constrains)
        *never &= ~(1u << OTHERS | 1u << OUT_ONLY);
    if (in && !out)
        kinds |= 1u << IN_ONLY;
    if (out && !in)
        kinds |= 1u << OUT_ONLY;
    if (in && out && differ)
        kinds |= 1u << OTHERS;
    if ((in || out) && p->meshes[0].shuffled)
        kinds |= 1u << ORDER;
    if ((in || out) && p->propagate)
        kinds |= 1u << SPREAD;
    if (meshes > 1)
        kinds |= 1u << MESHES;
    return kinds;
}
