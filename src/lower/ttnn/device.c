/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - ttcore-register-device (except for description files: target/) and ttcore-mark-functions-as-forward.
 *
 * The first describes the system that a program is for (#ttcore.system_desc) and the device that it runs on
 * (ttcore.device @default_device). Without a file there is one chip for each device of the mesh. Needs nothing; keeps
 * everything else. */
#include "asm/reader.h"
#include "lower/ttnn/device.h"
#include "lower/ttnn/ttnn.h"

/* The properties of an architecture's chips. */
typedef struct {
    const char *name;
    int grid[2];
    long long l1_size;
    int channels;
    long long channel_size;
    int align_l1, align_pcie, align_dram;
    int l1_base, erisc_base, dram_base;
    long long dram_end;
    const char *banks; /* the core next to each DRAM bank */
} chip;

static const chip chips[] = {
    {"wormhole_b0",
     {8, 8},
     1499136,
     12,
     1073741824,
     16,
     32,
     32,
     1024,
     1024,
     1024,
     1073741824,
     "(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, "
     "4)"},
    {"blackhole",
     {10, 13},
     1572864,
     8,
     4278190080,
     16,
     64,
     64,
     98304,
     100032,
     64,
     4276383744,
     "(9, 0), (0, 0), (7, 0), (3, 0), (9, 7), (1, 7), (6, 7), (4, 7)"},
};

static const chip *chip_of(tsr_str name)
{
    for (size_t i = 0; i < TSR_COUNT(chips); i++)
        if (tsr_str_is(name, chips[i].name))
            return &chips[i];
    return NULL;
}

static tsr_attr *attr_of_text(tsr_ctx *ctx, tsr_buf *text)
{
    tsr_reader r;
    tsr_reader_init(&r, ctx, NULL, tsr_buf_text(text), TSR_STR("description"), 1);
    tsr_attr *a = tsr_read_attr(&r, NULL);
    tsr_reader_free(&r);
    tsr_buf_free(text);
    tsr_assert(a, "a description that is not one");
    return a;
}

static void write_chip(tsr_buf *out, const chip *c)
{
    tsr_buf_printf(out,
                   "{arch = <%s>, grid = %dx%d, coord_translation_offsets = 18x18, l1_size = %lld, "
                   "num_dram_channels = %d, dram_channel_size = %lld, noc_l1_address_align_bytes = "
                   "%d, pcie_address_align_bytes = %d, noc_dram_address_align_bytes = %d, "
                   "l1_unreserved_base = %d, erisc_l1_unreserved_base = %d, dram_unreserved_base = "
                   "%d, dram_unreserved_end = %lld, ",
                   c->name, c->grid[0], c->grid[1], c->l1_size, c->channels, c->channel_size,
                   c->align_l1, c->align_pcie, c->align_dram, c->l1_base, c->erisc_base,
                   c->dram_base, c->dram_end);
    tsr_buf_printf(out, "supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, "
                        "<bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], "
                        "supported_tile_sizes = [4x16, 16x16, 32x16, 4x32, 16x32, 32x32], "
                        "dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, "
                        "num_datamovement_threads = 2, ");
    tsr_buf_printf(out,
                   "dram_grid = 1x%d, dram_bank_to_logical_worker_noc0 = [%s], "
                   "dram_bank_to_logical_worker_noc1 = [%s]}",
                   c->channels, c->banks, c->banks);
}

/* n chips, each linked to the next one, the last to the first. */
static tsr_attr *describe(tsr_ctx *ctx, const chip *c, int64_t n)
{
    tsr_buf t = {0};
    tsr_buf_printf(&t, "#ttcore.system_desc<[{role = host, target_triple = "
                       "\"x86_64-pc-linux-gnu\"}], [");
    for (int64_t i = 0; i < n; i++) {
        tsr_buf_printf(&t, i ? ", " : "");
        write_chip(&t, c);
    }
    tsr_buf_printf(&t, "], [");
    for (int64_t i = 0; i < n; i++)
        tsr_buf_printf(&t, "%s%lld", i ? ", " : "", (long long)i);
    tsr_buf_printf(&t, "], [");
    for (int64_t i = 0; i < n; i++)
        tsr_buf_printf(&t, "%s1 : i32", i ? ", " : "");
    tsr_buf_printf(&t, "], [0x0x0x0]");
    for (int64_t i = 0; n > 1 && i < n; i++)
        tsr_buf_printf(&t, "%s<[%lld, 0, 0], [%lld, 0, 0]>", i ? ", " : ", [", (long long)i,
                       (long long)((i + 1) % n));
    tsr_buf_printf(&t, n > 1 ? "]>" : ">");
    return attr_of_text(ctx, &t);
}

tsr_attr *tsr_ttcore_describe(tsr_ctx *ctx, tsr_str arch, int64_t n)
{
    const chip *c = chip_of(arch);
    return c ? describe(ctx, c, n) : NULL;
}

/* ---- The device ---- */

typedef struct {
    int64_t dims[8];
    size_t n;
    int64_t chips;
} mesh;

static void write_dims(tsr_buf *t, const int64_t *dims, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tsr_buf_printf(t, "%s%lld", i ? "x" : "", (long long)dims[i]);
}

/* Grids of the first chip, which all chips must have: one program runs on each. */
static tsr_attr *device_attr(tsr_ctx *ctx, const tsr_attr *system, const mesh *m,
                             tsr_attr *topology)
{
    static const char flat[] = "(d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2";
    const tsr_attr *first = system->attrs[TTCORE_SYSTEM_DESC_chips]->attrs[0];
    const tsr_attr *grid = first->attrs[TTCORE_CHIP_DESC_grid],
                   *dram = first->attrs[TTCORE_CHIP_DESC_dram_grid];
    long long banks = dram ? (long long)tsr_attr_int_at(dram, 1) : 1;
    tsr_buf t = {0};
    tsr_buf_printf(
        &t,
        "#ttcore.device<workerGrid = #ttcore.grid<%lldx%lld, virt_to_physical_map = (d0, "
        "d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid "
        "= #ttcore.grid<1x%lld>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), ",
        (long long)tsr_attr_int_at(grid, 0), (long long)tsr_attr_int_at(grid, 1), banks);
    tsr_buf_printf(
        &t,
        "dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, ((%s) floordiv s4) "
        "mod %lld, (((%s) floordiv s4) floordiv %lld) * s4 + (%s) mod s4 + s5), "
        "meshShape = ",
        flat, banks, flat, banks, flat);
    write_dims(&t, m->dims, m->n);
    tsr_buf_printf(&t, ", chipIds = [");
    for (int64_t i = 0; i < m->chips; i++)
        tsr_buf_printf(&t, "%s%lld", i ? ", " : "", (long long)i);
    tsr_buf_printf(&t, "]>");
    tsr_attr *a = attr_of_text(ctx, &t), *params[TTCORE_DEVICE_mesh_topology + 1];
    memcpy(params, a->attrs, sizeof params);
    params[TTCORE_DEVICE_mesh_topology] = topology;
    return tsr_attr_struct(ctx, &tsr_def_TTCORE_DEVICE, params);
}

/* ---- Options ---- */

static bool add_dim(tsr_pass *p, tsr_op *root, mesh *m, int64_t size)
{
    enum { MOST = 4096 };
    if (m->n == TSR_COUNT(m->dims) || size <= 0 || size > MOST || m->chips * size > MOST)
        return tsr_error(p->ctx, root->loc, "a mesh has at most %zu dimensions and %d devices",
                         TSR_COUNT(m->dims), MOST);
    m->dims[m->n++] = size;
    m->chips *= size;
    return true;
}

static bool asked_mesh(tsr_pass *p, tsr_op *root, mesh *out)
{
    tsr_str item;
    for (size_t i = 0; tsr_pass_item(p, "mesh-shape", i, &item); i++) {
        int64_t size = 0;
        for (size_t k = 0; k < item.len && size >= 0; k++)
            size = item.data[k] >= '0' && item.data[k] <= '9' && size < INT32_MAX
                       ? size * 10 + (item.data[k] - '0')
                       : -1;
        TSR_TRY(add_dim(p, root, out, size));
    }
    return true;
}

/* The first mesh of the module, or the one of the options; both must agree. */
static bool mesh_of(tsr_pass *p, tsr_op *root, mesh *out)
{
    mesh asked = {.chips = 1};
    const tsr_attr *meshes = tsr_dict_get(root->extra, TSR_STR("ttcore.meshes"));
    *out = (mesh){.chips = 1};
    TSR_TRY(asked_mesh(p, root, &asked));
    if (tsr_attr_is_struct(meshes, &tsr_def_TTCORE_MESHES) && meshes->attrs[0]->n) {
        const tsr_attr *shape = meshes->attrs[0]->attrs[0]->attrs[TTCORE_MESH_shape];
        for (int64_t i = 0; i < tsr_attr_count(shape); i++)
            TSR_TRY(add_dim(p, root, out, tsr_attr_int_at(shape, (size_t)i)));
    }
    bool same = out->n == asked.n && !memcmp(out->dims, asked.dims, out->n * sizeof *out->dims);
    if (out->n && asked.n && !same)
        return tsr_error(p->ctx, root->loc,
                         "Option mesh-shape and the module's ttcore.meshes are different");
    if (!out->n)
        *out = asked;
    return true;
}

static bool topology_of(tsr_pass *p, tsr_op *root, tsr_attr **out)
{
    tsr_attr *words[8];
    size_t n = 0;
    tsr_str item;
    *out = NULL;
    for (; n < TSR_COUNT(words) && tsr_pass_item(p, "mesh-topology", n, &item); n++) {
        int64_t i = 0;
        while (tsr_def_TTCORE_TOPOLOGY.cases[i] &&
               !tsr_str_is(item, tsr_def_TTCORE_TOPOLOGY.cases[i]))
            i++;
        if (!tsr_def_TTCORE_TOPOLOGY.cases[i])
            return tsr_error(p->ctx, root->loc, "unknown topology '%.*s'", TSR_STR_ARG(item));
        words[n] = tsr_attr_enum(p->ctx, &tsr_def_TTCORE_TOPOLOGY, i);
    }
    if (n)
        *out = tsr_attr_array(p->ctx, words, n);
    return true;
}

/* Checks that the first chip exists, and that its cores and banks are in rows and columns. */
static bool has_grids(const tsr_attr *system)
{
    const tsr_attr *list = system->attrs[TTCORE_SYSTEM_DESC_chips];
    const tsr_attr *first = list->n ? list->attrs[0] : NULL;
    const tsr_attr *dram = first ? first->attrs[TTCORE_CHIP_DESC_dram_grid] : NULL;
    return first && tsr_attr_count(first->attrs[TTCORE_CHIP_DESC_grid]) == 2 &&
           (!dram || (tsr_attr_count(dram) == 2 && tsr_attr_int_at(dram, 1) > 0));
}

static bool system_of(tsr_pass *p, tsr_op *root, int64_t n, tsr_attr **out)
{
    tsr_str arch = tsr_pass_str(p, "mock-system-desc-arch");
    tsr_str key = TSR_STR("ttcore.system_desc");
    *out = tsr_dict_get(root->extra, key);
    if (tsr_attr_is_struct(*out, &tsr_def_TTCORE_SYSTEM_DESC))
        return has_grids(*out) ||
               tsr_error(p->ctx, root->loc,
                         "the system description has no chip with grids of two dimensions");
    *out = tsr_ttcore_describe(p->ctx, arch, n);
    if (!*out)
        return tsr_error(p->ctx, root->loc, "no description of architecture '%.*s'",
                         TSR_STR_ARG(arch));
    root->extra = tsr_dict_with(p->ctx, root->extra, tsr_name_get(p->ctx, key), *out);
    p->changed = true;
    return true;
}

static void add_device(tsr_op *root, const tsr_attr *system, const mesh *m, tsr_attr *topology)
{
    tsr_ctx *ctx = root->module->ctx;
    tsr_op *op = tsr_op_new(root->module, tsr_opdef_of(ctx, TSR_OP_TTCORE_DEVICE), root->loc, NULL,
                            0, NULL, 0, 0, 0);
    op->attrs[TTCORE_DEVICE_sym_name] = tsr_attr_string(ctx, TSR_STR("default_device"));
    op->attrs[TTCORE_DEVICE_device_attr] = device_attr(ctx, system, m, topology);
    tsr_op_insert(op, root->regions[0].first, root->regions[0].first->first);
}

bool tsr_ttcore_add_device(tsr_op *root, const tsr_attr *system, const int64_t *dims, size_t n)
{
    mesh m = {.chips = 1};
    tsr_assert(n <= TSR_COUNT(m.dims), "a mesh of %zu dimensions", n);
    for (size_t i = 0; i < n; i++)
        m.chips *= m.dims[i] = dims[i];
    m.n = m.chips == 1 ? 0 : n;
    if (!has_grids(system))
        return tsr_error(root->module->ctx, root->loc,
                         "the system description has no chip with grids of two dimensions");
    add_device(root, system, &m, NULL);
    return true;
}

static bool register_in(tsr_pass *p, tsr_op *root)
{
    mesh m;
    tsr_attr *topology, *system = NULL;
    TSR_TRY(mesh_of(p, root, &m) && topology_of(p, root, &topology) &&
            system_of(p, root, m.chips, &system));
    if (tsr_symbol_find(root, TSR_STR("default_device")))
        return true;
    add_device(root, system, &m, topology);
    p->changed = true;
    return true;
}

tsr_op *tsr_ttcore_device_module(tsr_op *root)
{
    TSR_BLOCK_OPS (root->regions[0].first, op)
        if (tsr_op_is(op, TSR_OP_TTCORE_DEVICE_MODULE) && op->regions[0].first)
            TSR_BLOCK_OPS (op->regions[0].first, inner)
                if (tsr_op_is(inner, TSR_OP_BUILTIN_MODULE))
                    return inner;
    return root;
}

bool tsr_ttcore_register_device(tsr_pass *p, tsr_op *root)
{
    tsr_op *m = root->regions[0].first ? tsr_ttcore_device_module(root) : NULL;
    return !m || !m->regions[0].first || register_in(p, m);
}

bool pass_ttcore_mark_functions_as_forward(tsr_pass *p, tsr_op *root)
{
    TSR_OPS (root, op) {
        const tsr_attr *hidden =
            tsr_op_is(op, TSR_OP_FUNC_FUNC) ? op->attrs[FUNC_FUNC_sym_visibility] : NULL;
        if (!tsr_op_is(op, TSR_OP_FUNC_FUNC) || (hidden && !tsr_str_is(hidden->s, "public")) ||
            tsr_dict_get(op->extra, TSR_STR("tt.function_type")))
            continue;
        op->extra =
            tsr_dict_with(p->ctx, op->extra, tsr_name_get(p->ctx, TSR_STR("tt.function_type")),
                          tsr_attr_string(p->ctx, TSR_STR("forward_device")));
        p->changed = true;
    }
    return true;
}
