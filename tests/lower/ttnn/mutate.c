/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c - programs of TTNN with one mistake each, for tests/ttnn_mutations.sh.
 *
 *     mutate FILE       lists mistakes that can be made: number, kind, op
 *     mutate FILE N     prints the program with mistake N
 *
 * The mistakes are those that a lowering or a later pass makes: something is left out, is too early, is of another layout, or has another
 * number. Types of other ops stay as they are: who takes the wrong value is what it was. */
#include <stdio.h>
#include <stdlib.h>

#include "api/api.h"
#include "dialect/opcode.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttnn/ttnn.h"
#include "text/text.h"

/* Makes the mistake at op; false: it cannot be made there. dry: only says so. */
typedef bool mistake(tsr_op *op, bool dry);

/* ---- Ops that are left out ---- */

/* The operand lives as long as the result did, so that its end does not give the mistake away. */
static void outlive(tsr_value *v)
{
    for (const tsr_use *u = v->uses; u; u = u->next)
        if (tsr_op_is(u->user, TSR_OP_TTNN_DEALLOCATE)) {
            tsr_op_erase(u->user);
            return;
        }
}

static bool leave_out(tsr_op *op, bool dry)
{
    if (dry)
        return op->nout == 1 && op->out[0].uses;
    outlive(op->in[0].value);
    tsr_value_replace(&op->out[0], op->in[0].value);
    tsr_op_erase(op);
    return true;
}

/* Without a wider type, an op that takes both computes the same. */
static bool widens(const tsr_op *op)
{
    tsr_tt_data_type from = tsr_tt_data_type_of(op->in[0].value->type->elem);
    return (from == TSR_TT_BF16 || from == TSR_TT_SI32) &&
           tsr_tt_data_type_of(op->out[0].type->elem) == TSR_TT_F32;
}

static bool no_typecast(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_TYPECAST) && !widens(op) && leave_out(op, dry);
}

/* These work on rows and on tiles. */
static bool takes_both(const tsr_op *op)
{
    return tsr_op_is(op, TSR_OP_TTNN_CONV2D) || tsr_op_is(op, TSR_OP_TTNN_MAX_POOL2D);
}

static bool no_to_layout(tsr_op *op, bool dry)
{
    for (const tsr_use *u = op->nout ? op->out[0].uses : NULL; u; u = u->next)
        if (takes_both(u->user))
            return false;
    return tsr_op_is(op, TSR_OP_TTNN_TO_LAYOUT) && leave_out(op, dry);
}

static bool no_to_device(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_TO_DEVICE) && leave_out(op, dry);
}

static bool no_from_device(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_FROM_DEVICE) && leave_out(op, dry);
}

static bool no_collective(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_ALL_REDUCE) && leave_out(op, dry);
}

static bool no_cache_write(tsr_op *op, bool dry)
{
    bool writes = tsr_op_is(op, TSR_OP_TTNN_FILL_CACHE) ||
                  tsr_op_is(op, TSR_OP_TTNN_UPDATE_CACHE) ||
                  tsr_op_is(op, TSR_OP_TTNN_PAGED_UPDATE_CACHE);
    if (writes && !dry)
        tsr_op_erase(op);
    return writes;
}

/* ---- Memory ---- */

/* Arguments may outlive the function: their end says nothing. */
static bool no_deallocate(tsr_op *op, bool dry)
{
    bool is = tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE) && !op->in[0].value->is_arg &&
              tsr_ttnn_on_device(op->in[0].value->type);
    if (is && !dry)
        tsr_op_erase(op);
    return is;
}

static bool uses(const tsr_op *op, const tsr_value *v)
{
    for (uint32_t i = 0; i < op->nin; i++)
        if (op->in[i].value == v)
            return true;
    return false;
}

/* Before its last user. */
static bool early_deallocate(tsr_op *op, bool dry)
{
    if (!tsr_op_is(op, TSR_OP_TTNN_DEALLOCATE))
        return false;
    tsr_value *v = op->in[0].value;
    tsr_op *user = op->prev;
    while (user && !uses(user, v))
        user = user->prev;
    if (!user || dry)
        return user != NULL;
    tsr_block *b = op->block;
    tsr_op *copy = tsr_op_new(op->module, op->def, op->loc, &v, 1, NULL, 0, 0, 0);
    copy->attrs[TTNN_DEALLOCATE_force] = op->attrs[TTNN_DEALLOCATE_force];
    tsr_op_erase(op);
    tsr_op_insert(copy, b, user);
    return true;
}

/* ---- Layouts ---- */

/* The first result under another layout. */
static bool relay(tsr_op *op, bool dry, void (*change)(tsr_ttnn_spec *s))
{
    const tsr_type *t = op->nout == 1 ? op->out[0].type : NULL;
    const tsr_attr *layout = t ? tsr_ttnn_layout_of(t) : NULL;
    if (!layout || !tsr_ttnn_on_device(t) || !op->out[0].uses)
        return false;
    tsr_ttnn_spec s = tsr_ttnn_spec_of(layout);
    change(&s);
    if (!dry)
        op->out[0].type = tsr_type_tensor(t->ctx, t->dims, t->n, t->elem,
                                          tsr_ttnn_layout(t->ctx, t->dims, t->n, s));
    return true;
}

static void other_page(tsr_ttnn_spec *s)
{
    s->tiled = !s->tiled;
}

static void other_type(tsr_ttnn_spec *s)
{
    s->type = s->type == TSR_TT_BF16 ? TSR_TT_F32 : TSR_TT_BF16;
}

static void on_host(tsr_ttnn_spec *s)
{
    *s = tsr_ttnn_host(s->type);
}

static bool wrong_page(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_LINEAR) && relay(op, dry, other_page);
}

static bool wrong_type(tsr_op *op, bool dry)
{
    return (tsr_op_is(op, TSR_OP_TTNN_SUBTRACT) || tsr_op_is(op, TSR_OP_TTNN_SIGMOID)) &&
           relay(op, dry, other_type);
}

static bool wrong_memory(tsr_op *op, bool dry)
{
    return (tsr_op_is(op, TSR_OP_TTNN_MATMUL) || tsr_op_is(op, TSR_OP_TTNN_MULTIPLY)) &&
           relay(op, dry, on_host);
}

/* One tile more than the tensor has. */
static bool wrong_size(tsr_op *op, bool dry)
{
    const tsr_type *t = op->nout == 1 ? op->out[0].type : NULL;
    const tsr_attr *layout = t && tsr_op_is(op, TSR_OP_TTNN_PAD) ? tsr_ttnn_layout_of(t) : NULL;
    if (!layout || dry)
        return layout != NULL;
    int64_t dims[8];
    memcpy(dims, t->dims, t->n * sizeof *dims);
    dims[t->n - 1] += TSR_TTNN_TILE;
    op->out[0].type =
        tsr_type_tensor(t->ctx, t->dims, t->n, t->elem,
                        tsr_ttnn_layout(t->ctx, dims, t->n, tsr_ttnn_spec_of(layout)));
    return true;
}

/* ---- Numbers ---- */

static bool set_float(tsr_op *op, const char *name, double value, bool dry)
{
    int slot = tsr_opdef_slot(op->def, (tsr_str){name, strlen(name)});
    if (slot < 0 || !op->attrs[slot] || op->attrs[slot]->kind != TSR_ATTR_FLOAT)
        return false;
    if (!dry)
        op->attrs[slot] = tsr_attr_float(op->module->ctx, op->attrs[slot]->type, value);
    return true;
}

/* Garbage in what the tensor is padded with, which is summed. */
static bool garbage(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_PAD) && set_float(op, "value", 1e4, dry);
}

static bool wrong_fill(tsr_op *op, bool dry)
{
    return tsr_op_is(op, TSR_OP_TTNN_FULL) && set_float(op, "fill_value", -3, dry);
}

static bool swapped(tsr_op *op, bool dry)
{
    bool is = tsr_op_is(op, TSR_OP_TTNN_SUBTRACT) || tsr_op_is(op, TSR_OP_TTNN_DIVIDE);
    if (is && !dry) {
        tsr_value *a = op->in[0].value, *b = op->in[1].value;
        tsr_op_set_operand(op, 0, b);
        tsr_op_set_operand(op, 1, a);
    }
    return is;
}

static bool other_reduction(tsr_op *op, bool dry)
{
    bool is = tsr_op_is(op, TSR_OP_TTNN_ALL_REDUCE);
    if (is && !dry)
        op->attrs[TTNN_ALL_REDUCE_reduce_type] =
            tsr_attr_enum(op->module->ctx, &tsr_def_TTCORE_REDUCE_TYPE, TSR_TT_MAX);
    return is;
}

/* ---- Meshes ---- */

/* Placements in the other order. */
static bool swapped_mapper(tsr_op *op, bool dry)
{
    if (!tsr_op_is(op, TSR_OP_TTNN_DISTRIBUTE_TENSOR))
        return false;
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *config = op->attrs[TTNN_DISTRIBUTE_TENSOR_mapper_config], *list = config->attrs[0];
    if (list->n != 2 || list->attrs[0] == list->attrs[1] || dry)
        return list->n == 2 && list->attrs[0] != list->attrs[1];
    tsr_attr *both[] = {list->attrs[1], list->attrs[0]};
    tsr_attr *params[] = {tsr_attr_array(ctx, both, 2), config->attrs[1]};
    op->attrs[TTNN_DISTRIBUTE_TENSOR_mapper_config] =
        tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_MAPPER, params);
    return true;
}

/* Every device has the first one's part: the whole is divided along the other dimension. */
static bool other_dimension(tsr_op *op, bool dry)
{
    if (!tsr_op_is(op, TSR_OP_TTNN_DISTRIBUTE_TENSOR) || op->out[0].type->n != 2)
        return false;
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *config = op->attrs[TTNN_DISTRIBUTE_TENSOR_mapper_config], *list = config->attrs[0];
    tsr_attr *items[8];
    for (uint32_t i = 0; i < list->n && i < TSR_COUNT(items); i++) {
        tsr_attr *dim = list->attrs[i]->attrs[1],
                 *pair[] = {list->attrs[i]->attrs[0],
                            dim && dim->i >= 0 ? tsr_attr_i32(ctx, (int32_t)(1 - dim->i)) : dim};
        items[i] = tsr_attr_struct(ctx, &tsr_def_TTNN_PLACEMENT, pair);
    }
    tsr_attr *params[] = {tsr_attr_array(ctx, items, list->n), config->attrs[1]};
    if (!dry)
        op->attrs[TTNN_DISTRIBUTE_TENSOR_mapper_config] =
            tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_MAPPER, params);
    return true;
}

static bool other_composer(tsr_op *op, bool dry)
{
    if (!tsr_op_is(op, TSR_OP_TTNN_AGGREGATE_TENSOR))
        return false;
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *config = op->attrs[TTNN_AGGREGATE_TENSOR_composer_config], *dims = config->attrs[0];
    if (dims->n != 2 || dry)
        return dims->n == 2;
    tsr_attr *both[] = {dims->attrs[1], dims->attrs[0]};
    tsr_attr *params[] = {tsr_attr_array(ctx, both, 2), config->attrs[1]};
    op->attrs[TTNN_AGGREGATE_TENSOR_composer_config] =
        tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_COMPOSER, params);
    return true;
}

/* More devices than there are. */
static bool other_device(tsr_op *op, bool dry)
{
    static const int64_t shape[] = {2, 4};
    bool is = tsr_op_is(op, TSR_OP_TTNN_GET_DEVICE);
    tsr_ctx *ctx = op->module->ctx;
    tsr_attr *list = tsr_attr_i64_array(ctx, shape, 2);
    if (is && !dry)
        op->attrs[TTNN_GET_DEVICE_mesh_shape] =
            tsr_attr_struct(ctx, &tsr_def_TTNN_MESH_SHAPE, &list);
    return is;
}

static const struct {
    const char *name;
    mistake *make;
} mistakes[] = {
    {"typecast is left out", no_typecast},
    {"to_layout is left out", no_to_layout},
    {"to_device is left out", no_to_device},
    {"from_device is left out", no_from_device},
    {"collective is left out", no_collective},
    {"write to a cache is left out", no_cache_write},
    {"deallocate is left out", no_deallocate},
    {"deallocate comes too early", early_deallocate},
    {"rows for tiles", wrong_page},
    {"layout of another data type", wrong_type},
    {"result on the host", wrong_memory},
    {"layout of another size", wrong_size},
    {"garbage in the padding", garbage},
    {"another number", wrong_fill},
    {"operands are swapped", swapped},
    {"another reduction", other_reduction},
    {"placements of a mapper are swapped", swapped_mapper},
    {"mapper divides another dimension", other_dimension},
    {"dimensions of a composer are swapped", other_composer},
    {"device that is not there", other_device},
};

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    *n = 0;
    while (f) {
        if (*n == room)
            text = realloc(text, room = 2 * room + 65536);
        size_t k = text ? fread(text + *n, 1, room - *n, f) : 0;
        if (!k)
            break;
        *n += k;
    }
    if (f)
        fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    size_t n;
    long wanted = argc > 2 ? strtol(argv[2], NULL, 10) : -1, at = 0;
    char *text = argc > 1 ? read_all(argv[1], &n) : NULL;
    tsr_ctx *ctx = tsr_ctx_new();
    tsr_module *m = text ? tsr_parse_module(ctx, tsr_str_of(text, n), tsr_cstr(argv[1]), 1) : NULL;
    if (!m)
        return 2;
    tsr_op *next;
    for (tsr_op *op = m->op; op; op = next) {
        next = tsr_walk_next(m->op, op);
        for (size_t k = 0; k < TSR_COUNT(mistakes); k++) {
            if (!mistakes[k].make(op, true))
                continue;
            if (wanted < 0)
                printf("%ld %s: %.*s\n", at, mistakes[k].name, TSR_STR_ARG(op->def->name));
            if (at++ != wanted)
                continue;
            mistakes[k].make(op, false);
            tsr_buf out = {0};
            tsr_print_module(&out, m, &(tsr_print_options){0});
            fwrite(out.data, 1, out.len, stdout);
            tsr_buf_free(&out);
            tsr_module_free(m);
            tsr_ctx_free(ctx);
            free(text);
            return 0;
        }
    }
    tsr_module_free(m);
    tsr_ctx_free(ctx);
    free(text);
    return wanted < 0 ? 0 : 2;
}
