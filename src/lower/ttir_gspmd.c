/* ttir_gspmd.c - GSPMD's custom calls become ttir.mesh_shard.
 *
 * @SPMDFullToShardShape of @Sharding cuts a tensor as the latter's mhlo.sharding says,
 * @SPMDShardToFullShape of @Sharding puts one together as its own says:
 *
 *   sharding ::= '{' ('replicated' | 'manual' | tiles) '}'
 *   tiles    ::= 'devices=[' tile ']' devices 'last_tile_dim_replicate'?
 *   devices  ::= '<=[' grid ']' ('T(' order ')')? | id (',' id)*
 *
 * The device at each place of the tile is computed, and from where neighbours stand the axis of
 * the mesh that cuts a dimension. A @Sharding that stands alone says nothing that TTIR asks for:
 * its operand takes its place. */
#include "lower/ttir_mesh.h"
#include "shard/tt.h"
#include "shard/tt_xla.h"

enum { MOST = 16 }; /* dimensions of a tile or a grid */

typedef struct {
    int64_t data[MOST];
    uint32_t n;
} numbers;

/* A tensor's parts on devices. */
typedef struct {
    numbers tile;        /* parts along each dimension; when replicates, then how many copies */
    numbers grid, order; /* place i has the device i of grid transposed by order; none: device i */
    tsr_i64_vec ids;     /* the devices themselves, when they are listed */
    bool replicates, whole;
} tiling;

/* ---- Reading ---- */

static bool take(tsr_str *s, const char *word)
{
    size_t n = strlen(word);
    if (s->len < n || memcmp(s->data, word, n) != 0)
        return false;
    *s = (tsr_str){s->data + n, s->len - n};
    return true;
}

static bool read_number(tsr_str *s, int64_t *out)
{
    size_t n = 0;
    *out = 0;
    for (; n < s->len && s->data[n] >= '0' && s->data[n] <= '9' && n < 10; n++)
        *out = *out * 10 + (s->data[n] - '0');
    *s = (tsr_str){s->data + n, s->len - n};
    return n > 0 && n < 10;
}

static bool read_numbers(tsr_str *s, numbers *out)
{
    out->n = 0;
    do
        TSR_TRY(out->n < MOST && read_number(s, &out->data[out->n++]));
    while (take(s, ","));
    return true;
}

static int64_t product(const numbers *x)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < x->n; i++)
        n = x->data[i] < 1 || n > INT32_MAX / x->data[i] ? 0 : n * x->data[i];
    return n;
}

static bool read_devices(tsr_str *s, tiling *t)
{
    int64_t id;
    TSR_TRY(take(s, "[") && read_numbers(s, &t->tile) && take(s, "]"));
    if (take(s, "<=[")) {
        TSR_TRY(read_numbers(s, &t->grid) && take(s, "]"));
        if (take(s, "T("))
            TSR_TRY(read_numbers(s, &t->order) && take(s, ")") && t->order.n == t->grid.n);
        uint32_t seen = 0;
        for (uint32_t i = 0; i < t->order.n; i++) {
            TSR_TRY(t->order.data[i] < t->grid.n);
            seen |= (uint32_t)1 << t->order.data[i];
        }
        return product(&t->tile) && product(&t->tile) == product(&t->grid) &&
               (!t->order.n || seen == ((uint32_t)1 << t->grid.n) - 1);
    }
    do {
        TSR_TRY(read_number(s, &id));
        tsr_vec_push(&t->ids, id);
    } while (take(s, ","));
    return product(&t->tile) == (int64_t)t->ids.n;
}

/* False for what is no tensor cut or copied: manual, maximal, subgroups. */
static bool read_sharding(tsr_str s, tiling *t)
{
    *t = (tiling){.whole = false};
    if (take(&s, "{replicated}"))
        return t->whole = true;
    TSR_TRY(take(&s, "{devices=") && read_devices(&s, t));
    t->replicates = take(&s, " last_tile_dim_replicate");
    return take(&s, "}");
}

static int64_t device_at(const tiling *t, int64_t place)
{
    if (t->ids.n)
        return t->ids.data[place];
    if (!t->order.n)
        return place;
    int64_t device = 0, at[MOST];
    for (uint32_t i = t->grid.n; i-- > 0;) {
        uint32_t d = (uint32_t)t->order.data[i];
        at[d] = place % t->grid.data[d];
        place /= t->grid.data[d];
    }
    for (uint32_t d = 0; d < t->grid.n; d++)
        device = device * t->grid.data[d] + at[d];
    return device;
}

/* ---- Axes ---- */

/* The axes of the mesh that cut each dimension, in dims; false when the devices do not stand
 * along them. */
static bool axes_of(const tiling *t, const tsr_ttir_grid *grid, uint32_t rank, int64_t *dims)
{
    for (uint32_t a = 0; a < grid->n; a++)
        dims[a] = -1;
    if (t->whole)
        return true;
    int64_t total = product(&t->tile);
    if (t->tile.n != rank + t->replicates || total != tsr_ttir_devices(grid))
        return false;
    /* A dimension of k parts is cut by neighbouring axes whose sizes have the product k, the
     * last of them stepping as far as the second part is from the first. */
    int64_t step = total;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t k = t->tile.data[d];
        step /= k;
        if (k == 1)
            continue;
        int64_t from = device_at(t, step) - device_at(t, 0), stride = 1;
        for (uint32_t a = grid->n; a-- > 0 && k > 1; stride *= grid->sizes[a]) {
            if (grid->sizes[a] == 1 || stride < from)
                continue;
            if (k % grid->sizes[a] || dims[a] >= 0)
                return false;
            dims[a] = d;
            k /= grid->sizes[a];
        }
        if (k != 1)
            return false;
    }
    /* All devices, to be sure. */
    for (int64_t place = 0; place < total; place++) {
        int64_t rest = place, coordinates[MOST], device = device_at(t, place);
        for (uint32_t d = t->tile.n; d-- > 0; rest /= t->tile.data[d])
            coordinates[d] = rest % t->tile.data[d];
        for (uint32_t a = grid->n; a-- > 0; device /= grid->sizes[a])
            if (dims[a] >= 0) {
                int64_t *at = &coordinates[dims[a]];
                if (*at % grid->sizes[a] != device % grid->sizes[a])
                    return false;
                *at /= grid->sizes[a];
            }
    }
    return true;
}

/* ---- Calls ---- */

static tsr_str sharding_of(const tsr_op *op)
{
    const tsr_attr *s = op->extra ? tsr_dict_get(op->extra, TSR_TT_XLA_SHARDING) : NULL;
    return tsr_attr_is(s, TSR_ATTR_STRING) ? s->s : TSR_STR("");
}

static bool is_unary(const tsr_op *op)
{
    return op->nin == 1 && op->nout == 1 && tsr_type_is(op->in[0].value->type, TSR_TYPE_TENSOR) &&
           tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR);
}

static bool is_presharded(const tsr_op *op)
{
    const tsr_attr *status = op->extra ? tsr_dict_get(op->extra, TSR_TT_SHARD_STATUS) : NULL;
    return tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) &&
           status->i == TSR_TT_PRESHARDED;
}

/* What op, an @SPMD* of a @Sharding, computes; NULL when it cannot be said. */
static tsr_value *convert(tsr_op *op, const tsr_ttir_grid *grid, bool full_to_shard)
{
    tsr_op *from = op->in[0].value->is_arg ? NULL : op->in[0].value->op;
    if (!from || !tsr_str_is(tsr_tt_target(from), "Sharding") || !is_unary(from))
        return NULL;
    tsr_value *v = from->in[0].value;
    tsr_type *type = op->out[0].type;
    bool alone = !from->out[0].uses->next;
    if (is_presharded(from) && alone) {
        if (full_to_shard && (v->type == type || tsr_ttir_retype_argument(v, from, type)))
            return v;
        if (!full_to_shard && (v->type == type || tsr_ttir_retype_results(&op->out[0], v)))
            return v;
    }
    tiling t;
    int64_t dims[TSR_TTIR_AXES];
    const tsr_type *whole = full_to_shard ? v->type : type;
    bool ok = read_sharding(sharding_of(full_to_shard ? from : op), &t) &&
              axes_of(&t, grid, whole->n, dims);
    tsr_value *made = NULL;
    if (ok) {
        tsr_build b = tsr_build_before(op);
        made = tsr_ttir_mesh_shard(&b, v, type, full_to_shard, t.tile.data, t.whole ? 0 : whole->n,
                                   dims, grid->n);
        tsr_build_free(&b);
    }
    tsr_vec_free(&t.ids);
    return made;
}

static bool mesh_of(tsr_op *root, tsr_ttir_grid *grid)
{
    if (tsr_ttir_grid_of(root, grid))
        return true;
    tsr_tt_gspmd_grid mesh;
    bool quiet = root->module->ctx->quiet;
    root->module->ctx->quiet = true;
    bool ok = tsr_tt_gspmd_mesh(root, &mesh);
    root->module->ctx->quiet = quiet;
    if (ok)
        *grid = (tsr_ttir_grid){{mesh.x, mesh.y}, 2};
    return ok;
}

void tsr_ttir_gspmd(tsr_op *root)
{
    tsr_ttir_grid grid = {.n = 0};
    TSR_VEC(tsr_op *) calls = {0};
    TSR_OPS (root, op) {
        tsr_str target = tsr_tt_target(op);
        if (is_unary(op) &&
            (tsr_str_is(target, "Sharding") || tsr_str_is(target, "SPMDFullToShardShape") ||
             tsr_str_is(target, "SPMDShardToFullShape")))
            tsr_vec_push(&calls, op);
    }
    if (calls.n && mesh_of(root, &grid))
        for (size_t i = 0; i < calls.n; i++) {
            tsr_str target = tsr_tt_target(calls.data[i]);
            if (tsr_str_is(target, "Sharding"))
                continue;
            tsr_value *v =
                convert(calls.data[i], &grid, tsr_str_is(target, "SPMDFullToShardShape"));
            if (v) {
                tsr_value_replace(&calls.data[i]->out[0], v);
                tsr_op_erase(calls.data[i]);
                calls.data[i] = NULL;
            }
        }
    /* Those that stand alone: what an @SPMD* that stays is applied to stays as well. */
    for (size_t i = calls.n; i-- > 0;) {
        tsr_op *op = calls.data[i];
        if (!op || !tsr_str_is(tsr_tt_target(op), "Sharding"))
            continue;
        bool free = op->in[0].value->type == op->out[0].type || !op->out[0].uses;
        for (const tsr_use *use = op->out[0].uses; use; use = use->next)
            free &= !tsr_str_is(tsr_tt_target(use->user), "SPMDFullToShardShape") &&
                    !tsr_str_is(tsr_tt_target(use->user), "SPMDShardToFullShape");
        if (!free)
            continue;
        tsr_value_replace(&op->out[0], op->in[0].value);
        tsr_op_erase(op);
    }
    tsr_vec_free(&calls);
}
