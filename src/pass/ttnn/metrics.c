/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c - ttnn-collect-perf-metrics: writes what a program requires of a device to a file, as JSON: where results
 * are (summary), how long it takes to read the weights of products and to compute the products on one chip
 * (perf_targets), and operations of the matrix engine (flops). Needs TTNN; keeps everything; breaks nothing. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/output.h"
#include "pass/ttnn/nn.h"

/* ---- Operations of an op ---- */

enum { TILE = TSR_TTNN_TILE };

static const tsr_attr *attr(const tsr_op *op, const char *name)
{
    int slot = tsr_opdef_slot(op->def, (tsr_str){name, strlen(name)});
    return slot < 0 ? NULL : op->attrs[slot];
}

static bool is_true(const tsr_op *op, const char *name, bool otherwise)
{
    const tsr_attr *a = attr(op, name);
    return a ? a->i != 0 : otherwise;
}

static uint64_t count(const tsr_value *v)
{
    int64_t n = tsr_type_is(v->type, TSR_TYPE_TENSOR) ? tsr_type_num_elements(v->type) : 0;
    return n > 0 ? (uint64_t)n : 0;
}

/* A dimension in units, counted from the end. */
static uint64_t from_end(const tsr_value *v, size_t i, int64_t unit)
{
    return (uint64_t)(tsr_nn_round_up(v->type->dims[v->type->n - 1 - i], unit) / unit);
}

/* A hook returns operations on numbers (unit 1), or on tiles with unit numbers in each dimension. mesh: sizes; NULL:
 * one device. */
typedef uint64_t metrics_fn(const tsr_op *op, int64_t unit, const tsr_attr *mesh);

static uint64_t product(const tsr_op *op, int64_t unit, bool transposed)
{
    const tsr_value *a = op->in[0].value, *out = &op->out[0];
    if (!tsr_nn_tensor(a) || !tsr_nn_tensor(out) || a->type->n < 2 || out->type->n < 2)
        return 0;
    uint64_t n = from_end(out, 1, unit) * from_end(out, 0, unit) * from_end(a, transposed, unit);
    for (uint32_t i = 0; i + 2 < out->type->n; i++)
        n *= (uint64_t)out->type->dims[i];
    return 2 * n;
}

static uint64_t metrics_matmul(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    (void)mesh;
    return product(op, unit, is_true(op, "transpose_a", false));
}

/* The number of blocks in the third dimension from the end that are not zero. */
static uint64_t metrics_sparse(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    const tsr_attr *some = attr(op, "nnz");
    const tsr_type *t = op->out[0].type;
    uint64_t all = product(op, unit, false),
             blocks = all && t->n > 2 ? from_end(&op->out[0], 2, 1) : 0;
    (void)mesh;
    return some && blocks ? all / blocks * (uint64_t)some->i : all;
}

static uint64_t kernel_size(const tsr_op *op)
{
    const tsr_attr *size = attr(op, "kernel_size");
    uint64_t n = 1;
    if (tsr_attr_is(size, TSR_ATTR_INT))
        return (uint64_t)size->i;
    for (int64_t i = 0; size && i < tsr_attr_count(size); i++)
        n *= (uint64_t)tsr_attr_int_at(size, (size_t)i);
    return n;
}

static uint64_t channels(const tsr_op *op, const char *name)
{
    const tsr_attr *all = attr(op, name), *groups = attr(op, "groups");
    int64_t parts = groups && groups->i > 0 ? groups->i : 1;
    return all && all->i > 0 ? (uint64_t)(all->i / parts) : 0;
}

static uint64_t metrics_conv(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    (void)unit, (void)mesh;
    return 2 * count(&op->out[0]) * channels(op, "in_channels") * kernel_size(op);
}

/* Each input number is spread over a window. */
static uint64_t metrics_conv_transposed(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    (void)unit, (void)mesh;
    return 2 * count(op->in[0].value) * channels(op, "out_channels") * kernel_size(op);
}

/* [batch, heads, length, size]: scores, and the weighted values. */
static uint64_t metrics_attention(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    const tsr_value *q = tsr_ttnn_operand(op, "query"), *k = tsr_ttnn_operand(op, "key"),
                    *v = tsr_ttnn_operand(op, "value");
    const tsr_attr *window = attr(op, "sliding_window_size"), *given = attr(op, "head_dim_v");
    (void)mesh;
    if (!q || !k || !tsr_nn_tensor(q) || !tsr_nn_tensor(k) || q->type->n != 4 || k->type->n != 4 ||
        (!given && (!v || !tsr_nn_tensor(v) || v->type->n != 4)))
        return 0;
    int64_t size = given ? given->i : v->type->dims[3], keys = k->type->dims[2];
    if (window && window->i < keys)
        keys = window->i;
    uint64_t both = from_end(q, 0, unit) + (uint64_t)(tsr_nn_round_up(size, unit) / unit);
    uint64_t n = 2 * (uint64_t)q->type->dims[0] * (uint64_t)q->type->dims[1] *
                 from_end(q, 1, unit) * (uint64_t)(tsr_nn_round_up(keys, unit) / unit) * both;
    return is_true(op, "is_causal", true) && !window ? n / 2 : n;
}

/* Of n numbers on each of d devices, each device adds its part. */
static uint64_t metrics_reduce(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    const tsr_attr *axis = attr(op, "cluster_axis");
    uint64_t n = count(op->in[0].value);
    (void)unit;
    if (!axis || !mesh || axis->i < 0 || axis->i >= tsr_attr_count(mesh))
        return 0;
    int64_t devices = tsr_attr_int_at(mesh, (size_t)axis->i);
    return n - n / (uint64_t)(devices > 1 ? devices : 1);
}

static uint64_t metrics_none(const tsr_op *op, int64_t unit, const tsr_attr *mesh)
{
    (void)op, (void)unit, (void)mesh;
    return 0;
}

typedef struct {
    metrics_fn *run;
    const char *reads; /* names of operands read from DRAM; NULL: not part of perf_targets */
} row;

static const row rows[TSR_OP__COUNT] = {
#define OP(id, name, traits) [TSR_OP_##id] = {
#define METRICS(hook, weights) .run = metrics_##hook, .reads = (weights),
#define END \
    }       \
    ,
#include "dialect/ops.def"
};

static const row *row_of(const tsr_op *op)
{
    return op->def->opcode < TSR_OP__COUNT ? &rows[op->def->opcode] : &rows[0];
}

/* ---- The chip ---- */

enum { FIDELITIES = 4, HIFI2 = 1, HIFI4 = 3 };

typedef struct {
    const char *arch;
    uint64_t bandwidth, clock, cores;
    size_t chips;
    const tsr_attr *mesh; /* sizes; NULL: nothing is registered */
} chip;

/* By architecture: DRAM bytes and clock cycles per second. */
static const struct {
    uint64_t bandwidth, clock;
} speeds[] = {{UINT64_C(288000000000), UINT64_C(1000000000)},
              {UINT64_C(512000000000), UINT64_C(1350000000)}};

static bool find_chip(tsr_op *root, chip *c)
{
    const tsr_attr *system = tsr_dict_get(root->extra, TSR_STR("ttcore.system_desc"));
    const tsr_attr *chips = tsr_attr_is_struct(system, &tsr_def_TTCORE_SYSTEM_DESC)
                                ? system->attrs[TTCORE_SYSTEM_DESC_chips]
                                : NULL;
    if (!chips || !chips->n)
        return tsr_op_error(root, "has no ttcore.system_desc: what devices can do is not known");
    const tsr_attr *first = chips->attrs[0], *grid = first->attrs[TTCORE_CHIP_DESC_grid];
    size_t arch = (size_t)first->attrs[TTCORE_CHIP_DESC_arch]->i;
    *c = (chip){.arch = tsr_def_TTCORE_ARCH.cases[arch], .cores = 1, .chips = chips->n};
    if (arch >= TSR_COUNT(speeds))
        return tsr_op_error(root, "is for '%s', whose speed is not known", c->arch);
    c->bandwidth = speeds[arch].bandwidth;
    c->clock = speeds[arch].clock;
    for (int64_t i = 0; i < tsr_attr_count(grid); i++)
        c->cores *= (uint64_t)tsr_attr_int_at(grid, (size_t)i);
    const tsr_op *device = tsr_tt_device_op(root);
    if (device)
        c->mesh = device->attrs[TTCORE_DEVICE_device_attr]->attrs[TTCORE_DEVICE_mesh_shape];
    return true;
}

/* Cycles of a product of two tiles. */
static double cycles(size_t fidelity)
{
    return 16.0 * (double)(fidelity + 1);
}

static double peak(const chip *c, size_t fidelity)
{
    return (double)c->cores * (double)c->clock * 2 * TILE * TILE * TILE / cycles(fidelity);
}

/* ---- Weights against products ---- */

typedef struct {
    uint64_t from_dram, computed, skipped; /* number of ops, by what bounds them */
    uint64_t params, bytes;
    double ms;
} targets;

static uint64_t volume(const tsr_op *op, bool results)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < (results ? op->nout : op->nin); i++)
        n += count(results ? &op->out[i] : op->in[i].value);
    return n;
}

/* Whether a tensor is read from DRAM as the model has it: a weight or a cache, or a relayout of one that is no
 * larger. */
static bool is_weight(const tsr_value *v)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(v->type);
    if (!layout || tsr_ttnn_buffer(layout) != TSR_TTNN_DRAM)
        return false;
    if (!v->is_arg)
        return tsr_op_is(v->op, TSR_OP_TTCORE_LOAD_CACHED) &&
               volume(v->op, false) == volume(v->op, true);
    const tsr_op *func = tsr_block_parent(v->block);
    const tsr_attr *dicts =
        func && tsr_op_is(func, TSR_OP_FUNC_FUNC) ? func->attrs[FUNC_FUNC_arg_attrs] : NULL;
    const tsr_attr *dict = dicts && v->index < dicts->n ? dicts->attrs[v->index] : NULL;
    const tsr_attr *type = tsr_dict_get(dict, TSR_STR("ttcore.argument_type"));
    return (tsr_attr_is(type, TSR_ATTR_ENUM) &&
            (type->i == TSR_TT_PARAMETER || type->i == TSR_TT_CONSTANT)) ||
           tsr_dict_get(dict, TSR_STR("ttcore.kv_cache"));
}

/* The operand with the next name of a list; NULL: there are no more names, or it is absent. */
static const tsr_value *next_read(const tsr_op *op, const char **names)
{
    char name[32];
    size_t n = strcspn(*names, " ");
    if (!n || n >= sizeof name)
        return NULL;
    memcpy(name, *names, n);
    name[n] = 0;
    *names += n + ((*names)[n] == ' ');
    return tsr_ttnn_operand(op, name);
}

static void add_target(const chip *c, const tsr_op *op, targets *t)
{
    const row *r = row_of(op);
    uint64_t params = 0, bytes = 0;
    if (!r->reads || !*r->reads)
        return;
    bool known = r->run == metrics_none || !tsr_ttnn_operand(op, "attention_mask");
    const char *names = r->reads;
    for (const tsr_value *v; known && (v = next_read(op, &names)) != NULL;) {
        known = is_weight(v);
        params += count(v);
        bytes += (uint64_t)((double)count(v) * 17 / 16 + 0.5); /* a block of 16 shares a byte */
    }
    if (!known) {
        t->skipped++;
        return;
    }
    double dram = (double)bytes / (double)c->bandwidth * 1e6,
           compute = (double)(r->run(op, TILE, c->mesh) / 2) * cycles(HIFI2) * 1e6 /
                     ((double)c->cores * (double)c->clock);
    t->params += params;
    t->bytes += bytes;
    t->ms += (dram > compute ? dram : compute) / 1000;
    t->from_dram += dram >= compute;
    t->computed += dram < compute;
}

/* ---- Placement of results ---- */

/* The number of occurrences of an op. */
typedef struct {
    const tsr_opdef *def;
    uint64_t n;
} kind;

typedef struct {
    tsr_pass *p;
    chip chip;
    targets targets;
    uint64_t ops, tensors, shardable, sharded, spilled, dram, host;
    uint64_t flops;
    double seconds; /* minimum time */
    bool verbose;
    tsr_buf per_op, places;
    TSR_VEC(kind) kinds;
} state;

static bool is_in(const tsr_op *op, tsr_ttnn_buffer_type buffer)
{
    const tsr_attr *layout = op->nout ? tsr_ttnn_layout_of(op->out[0].type) : NULL;
    return layout && tsr_ttnn_buffer(layout) == buffer;
}

static bool is_sharded(const tsr_op *op)
{
    return is_in(op, TSR_TTNN_L1) &&
           tsr_ttnn_spec_of(tsr_ttnn_layout_of(op->out[0].type)).memory >= TSR_TTNN_HEIGHT_SHARDED;
}

static bool is_spilled(const tsr_op *op)
{
    for (const tsr_use *u = op->out[0].uses; u; u = u->next)
        if (tsr_op_is(u->user, TSR_OP_TTNN_TO_MEMORY_CONFIG) && is_in(u->user, TSR_TTNN_DRAM))
            return true;
    return false;
}

static void count_kind(state *s, const tsr_opdef *def)
{
    for (size_t i = 0; i < s->kinds.n; i++)
        if (s->kinds.data[i].def == def) {
            s->kinds.data[i].n++;
            return;
        }
    tsr_vec_push(&s->kinds, (kind){def, 1});
}

/* "name": text, and what follows. */
static void put_text(tsr_buf *out, const char *name, tsr_str text, const char *end)
{
    tsr_buf_printf(out, "        \"%s\": ", name);
    tsr_buf_json(out, text);
    tsr_buf_cstr(out, end);
}

static tsr_str location(const tsr_op *op)
{
    const tsr_attr *loc = tsr_loc_attr(op->module->ctx, op->loc);
    return loc->sub == TSR_LOC_KIND_NAME ? loc->s : TSR_STR("unknown");
}

static void put_place(state *s, const tsr_op *op, bool spilled)
{
    tsr_buf layout = {0};
    tsr_ctx *ctx = s->p->ctx;
    if (op->out[0].type->attr)
        ctx->print_attr(ctx, &layout, op->out[0].type->attr);
    tsr_buf_printf(&s->places,
                   "%s\n      {\n        \"has_system_memory\": %s,\n        \"is_sharded\": %s,\n"
                   "        \"is_spilled_to_dram\": %s,\n",
                   s->places.len ? "," : "", is_in(op, TSR_TTNN_SYSTEM_MEMORY) ? "true" : "false",
                   is_sharded(op) ? "true" : "false", spilled ? "true" : "false");
    put_text(&s->places, "layout_info", tsr_buf_text(&layout), ",\n");
    put_text(&s->places, "location", location(op), ",\n");
    put_text(&s->places, "operation", op->def->name, "\n      }");
    tsr_buf_free(&layout);
}

static void add_place(state *s, const tsr_op *op)
{
    count_kind(s, op->def);
    if (tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE))
        return;
    s->ops++;
    if (!op->nout || !tsr_type_is(op->out[0].type, TSR_TYPE_TENSOR))
        return;
    s->tensors++;
    if (tsr_op_is(op, TSR_OP_TTNN_TO_MEMORY_CONFIG) || !tsr_op_in(op, TSR_DIALECT_TTNN))
        return;
    bool spilled = is_sharded(op) && is_spilled(op);
    s->shardable++;
    s->sharded += is_sharded(op);
    s->spilled += spilled;
    s->dram += is_in(op, TSR_TTNN_DRAM);
    s->host += is_in(op, TSR_TTNN_SYSTEM_MEMORY);
    if (s->verbose)
        put_place(s, op, spilled);
}

static void add_flops(state *s, const tsr_op *op)
{
    const row *r = row_of(op);
    uint64_t n = r->run ? r->run(op, 1, s->chip.mesh) : 0;
    const tsr_attr *config = attr(op, "compute_config");
    const tsr_attr *said =
        tsr_attr_is_struct(config, &tsr_def_TTNN_COMPUTE_CONFIG) ? config->attrs[0] : NULL;
    size_t fidelity = said ? (size_t)said->i : HIFI4;
    if (!n)
        return;
    s->flops += n;
    s->seconds += (double)n / peak(&s->chip, fidelity);
    if (!s->verbose)
        return;
    tsr_buf_printf(&s->per_op, "%s\n      {\n        \"flops\": %" PRIu64 ",\n",
                   s->per_op.len ? "," : "", n);
    put_text(&s->per_op, "location", location(op), ",\n");
    put_text(&s->per_op, "math_fidelity", tsr_cstr(tsr_def_TTNN_MATH_FIDELITY.cases[fidelity]),
             ",\n");
    put_text(&s->per_op, "operation", op->def->name, "\n      }");
}

/* ---- Functions ---- */

static bool has_kind(const tsr_op *op, const char *name)
{
    const tsr_attr *type = tsr_dict_get(op->extra, TSR_STR("tt.function_type"));
    return tsr_op_is(op, TSR_OP_FUNC_FUNC) && tsr_attr_is(type, TSR_ATTR_STRING) &&
           tsr_str_is(type->s, name);
}

static bool is_private(const tsr_op *func)
{
    const tsr_attr *seen = func->attrs[FUNC_FUNC_sym_visibility];
    return seen && tsr_str_is(seen->s, "private");
}

/* The function whose weights count: the only public one, or the function it traces. */
static tsr_op *main_function(tsr_op *root, bool traced)
{
    tsr_op *main = NULL, *inner = NULL;
    size_t n = 0;
    TSR_OPS (root, op) {
        if (has_kind(op, "forward_device") && !is_private(op)) {
            main = op;
            n++;
        }
        if (!inner && has_kind(op, "trace_main"))
            inner = op;
    }
    if (n == 1)
        return traced && inner ? inner : main;
    tsr_op_error(root, "has %zu public functions that a device runs, and must have one", n);
    return NULL;
}

/* ---- Writing ---- */

static void put_number(tsr_buf *out, const char *indent, const char *name, uint64_t n)
{
    tsr_buf_printf(out, "%s\"%s\": %" PRIu64 ",\n", indent, name, n);
}

static void put_flops(const state *s, tsr_buf *out)
{
    static const size_t by_name[FIDELITIES] = {1, 2, 3, 0};
    double all = s->seconds > 0 ? (double)s->flops / s->seconds : 0;
    tsr_buf_printf(out, "  \"flops\": {\n    \"peak_flops_per_sec\": %lld,\n", llround(all));
    tsr_buf_cstr(out, "    \"peak_flops_per_sec_by_fidelity\": {");
    for (size_t i = 0; i < FIDELITIES; i++)
        tsr_buf_printf(out, "%s\n      \"%s\": %lld", i ? "," : "",
                       tsr_def_TTNN_MATH_FIDELITY.cases[by_name[i]],
                       llround(peak(&s->chip, by_name[i])));
    tsr_buf_cstr(out, "\n    },\n");
    if (s->verbose)
        tsr_buf_printf(out, "    \"per_op\": [%.*s%s],\n", TSR_STR_ARG(tsr_buf_text(&s->per_op)),
                       s->per_op.len ? "\n    " : "");
    tsr_buf_printf(out, "    \"total_flops\": %" PRIu64 "\n  },\n", s->flops);
}

static int by_op_name(const void *a, const void *b)
{
    const kind *x = a, *y = b;
    return strcmp(x->def->name.data, y->def->name.data);
}

static void put_kinds(state *s, tsr_buf *out)
{
    qsort(s->kinds.data, s->kinds.n, sizeof *s->kinds.data, by_op_name);
    tsr_buf_cstr(out, "  \"operation_type_breakdown\": {");
    for (size_t i = 0; i < s->kinds.n; i++)
        tsr_buf_printf(out, "%s\n    \"%.*s\": %" PRIu64, i ? "," : "",
                       TSR_STR_ARG(s->kinds.data[i].def->name), s->kinds.data[i].n);
    tsr_buf_cstr(out, "\n  },\n");
}

static void put_targets(const state *s, tsr_buf *out)
{
    const double use = 0.7; /* of the peak, at best */
    const chip *c = &s->chip;
    const targets *t = &s->targets;
    static const char in[] = "    ";
    tsr_buf_cstr(out, "  \"perf_targets\": {\n");
    put_number(out, in, "aiclk_hz", c->clock);
    tsr_buf_printf(out, "    \"arch\": \"%s\",\n", c->arch);
    put_number(out, in, "compute_bound_ops", t->computed);
    put_number(out, in, "cycles_per_tile_matmul", (uint64_t)cycles(HIFI2));
    put_number(out, in, "dram_bandwidth_bytes_per_sec", c->bandwidth);
    put_number(out, in, "dram_bound_ops", t->from_dram);
    put_number(out, in, "num_chips", c->chips);
    put_number(out, in, "num_tensix_cores", c->cores);
    put_number(out, in, "params_count", t->params);
    put_number(out, in, "params_memory_bytes", t->bytes);
    tsr_buf_printf(out, "    \"roofline_ms\": %s,\n", tsr_spell('g', 0, 17, t->ms).text);
    put_number(out, in, "skipped_ops", t->skipped);
    tsr_buf_printf(out, "    \"top_perf_estimate_ms\": %s\n  },\n",
                   tsr_spell('g', 0, 17, t->ms / use).text);
}

static void put_percent(const state *s, tsr_buf *out, const char *name, uint64_t n)
{
    double percent = s->shardable ? (double)n / (double)s->shardable * 100 : 0;
    tsr_buf_printf(out, "    \"%s\": %s,\n", name, tsr_spell('g', 0, 17, percent).text);
}

static void put_summary(const state *s, tsr_buf *out)
{
    static const char in[] = "    ";
    tsr_buf_cstr(out, "  \"summary\": {\n");
    put_number(out, in, "dram_spilled_ops", s->dram);
    put_number(out, in, "effectively_sharded_ops", s->sharded - s->spilled);
    put_percent(s, out, "effectively_sharded_percentage", s->sharded - s->spilled);
    put_number(out, in, "sharded_and_spilled_ops", s->spilled);
    put_number(out, in, "sharded_ops", s->sharded);
    put_percent(s, out, "sharded_percentage", s->sharded);
    put_percent(s, out, "spilled_percentage", s->dram);
    put_number(out, in, "system_memory_ops", s->host);
    put_percent(s, out, "system_memory_percentage", s->host);
    put_number(out, in, "total_ops", s->ops);
    put_number(out, in, "total_ops_with_output_tensor", s->tensors);
    tsr_buf_printf(out, "    \"total_shardable_ops\": %" PRIu64 "\n  }\n", s->shardable);
}

/* The requested file, or one named after the module or its first function. */
static void file_name(tsr_pass *p, tsr_op *root, tsr_buf *out)
{
    tsr_str path = tsr_pass_str(p, "ttnn-perf-metrics-output-file"), name = tsr_op_symbol(root);
    TSR_OPS (root, op)
        if (!name.len && tsr_op_is(op, TSR_OP_FUNC_FUNC) && !has_kind(op, "const_eval"))
            name = tsr_op_symbol(op);
    bool ends = path.len >= 5 && memcmp(path.data + path.len - 5, ".json", 5) == 0;
    if (!path.len)
        tsr_buf_printf(out, "perf_metrics/%.*s_perf_metrics.json", TSR_STR_ARG(name));
    else
        tsr_buf_printf(out, "%.*s%s", TSR_STR_ARG(path), ends ? "" : ".json");
    tsr_buf_char(out, 0);
}

static bool write_file(tsr_op *root, char *path, tsr_str text)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777); /* writing the file reports errors */
        *slash = '/';
    }
    tsr_status s = {0};
    return tsr_output_save(path, text, &s) || tsr_op_error(root, "%s", s.message);
}

static bool report(state *s, tsr_op *root)
{
    tsr_buf out = {0}, path = {0};
    tsr_buf_cstr(&out, "{\n");
    put_flops(s, &out);
    if (s->verbose)
        put_kinds(s, &out);
    if (s->chip.chips == 1) /* nothing is known about communication between chips */
        put_targets(s, &out);
    if (s->verbose)
        tsr_buf_printf(&out, "  \"shardable_operations\": [%.*s%s],\n",
                       TSR_STR_ARG(tsr_buf_text(&s->places)), s->places.len ? "\n  " : "");
    put_summary(s, &out);
    tsr_buf_cstr(&out, "}\n");
    file_name(s->p, root, &path);
    bool ok = write_file(root, path.data, tsr_buf_text(&out));
    tsr_buf_free(&out);
    tsr_buf_free(&path);
    return ok;
}

bool pass_ttnn_collect_perf_metrics(tsr_pass *p, tsr_op *root)
{
    state s = {.p = p, .verbose = tsr_pass_bool(p, "ttnn-perf-metrics-verbose-output-enabled")};
    bool traced = tsr_pass_bool(p, "ttnn-enable-trace");
    tsr_op *main = main_function(root, traced);
    if (!main || !find_chip(root, &s.chip))
        return false;
    TSR_OPS (main, op) {
        add_target(&s.chip, op, &s.targets);
        add_flops(&s, op);
    }
    TSR_OPS (root, func)
        if (has_kind(func, traced ? "trace_main" : "forward_device"))
            TSR_OPS (func, op)
                add_place(&s, op);
    bool ok = report(&s, root);
    tsr_buf_free(&s.per_op);
    tsr_buf_free(&s.places);
    tsr_vec_free(&s.kinds);
    return ok;
}
