/* SPDX-License-Identifier: Apache-2.0 */
/* metal.c - TTMetal programs that the host runs, as queues of commands: tensors are sharded, one host function computes
 * everything, its results are assembled and returned. There is no command for a device kernel: an op that needs one is
 * rejected. */
#include "dialect/ttcore/ttcore.h"
#include "target/flatbuffer/program.h"
#include "text/text.h"

/* ---- Buffers ---- */

/* Row-major strides, in elements; returns the number of elements. */
static int64_t strides_of(const tsr_type *t, int64_t *out)
{
    int64_t n = 1;
    for (size_t i = t->n; i-- > 0;) {
        out[i] = n;
        n *= t->dims[i];
    }
    return n;
}

/* The data type number of a tensor that a host buffer can hold; -1 after a diagnostic. */
static int64_t data_type_of(tsr_fb_state *s, const tsr_type *t)
{
    const char *word = tsr_type_is(t, TSR_TYPE_TENSOR) ? tsr_fb_data_type(t->elem) : NULL;
    bool fits = word && t->n <= TSR_MAX_RANK && tsr_type_has_static_shape(t) &&
                tsr_type_num_elements(t) >= 0;
    for (size_t i = 0; fits && i < t->n; i++)
        fits = t->dims[i] <= INT32_MAX;
    if (fits && !t->attr)
        return tsr_fb_number(&tsr_fb_DataType, (tsr_str){word, strlen(word)});
    tsr_buf text = {0};
    s->c.ctx->print_type(&text, t);
    tsr_error(s->c.ctx, s->c.loc, "a buffer of the host cannot hold %.*s%s", (int)text.len,
              text.data, fits ? ", which has a layout" : "");
    tsr_buf_free(&text);
    return -1;
}

/* mesh: its name; empty: the tensor is not sharded. */
static tsr_fb_table *desc_of(tsr_fb_state *s, tsr_type *t, tsr_str mesh)
{
    static const int64_t scalar[2] = {1, 1};
    int64_t strides[TSR_MAX_RANK], type = data_type_of(s, t);
    if (type < 0)
        return NULL;
    tsr_arena *a = s->c.arena;
    tsr_fb_table *desc = tsr_fb_table_new(a, &tsr_fb_BufferDesc);
    int64_t n = strides_of(t, strides);
    tsr_fb_set_ints(a, desc, "shape", t->dims, t->n);
    tsr_fb_set_ints(a, desc, "host_strides", strides, t->n);
    tsr_fb_set_int(desc, "host_volume", n);
    tsr_fb_set_int(desc, "data_type", type);
    tsr_fb_set_ints(a, desc, "element_shape", scalar, 2);
    tsr_fb_value *detail = tsr_fb_at(desc, "buffer_detail");
    *detail = (tsr_fb_value){
        .table = tsr_fb_table_new(a, &tsr_fb_SystemBuffer),
        .tag = (uint8_t)(1 + tsr_fb_find(&tsr_fb_BufferDetail, TSR_STR("SystemBuffer"))),
        .set = true};
    tsr_fb_set_ints(a, detail->table, "stride", strides, t->n);
    if (mesh.len)
        tsr_fb_set_text(desc, "mesh", mesh);
    return desc;
}

static tsr_str mesh_name(const tsr_fb_state *s)
{
    const tsr_attr *shape = s->device ? s->device->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    int64_t n = 1;
    for (int64_t i = 0; shape && i < tsr_attr_count(shape); i++)
        n *= tsr_attr_int_at(shape, (size_t)i);
    return n > 1 ? TSR_STR("mesh") : (tsr_str){"", 0};
}

/* Whether each device has a value of its own: sharded values, and values computed from them. */
static bool in_parts(const tsr_value *v)
{
    if (v->is_arg)
        return false;
    if (tsr_op_is(v->op, TSR_OP_TTIR_MESH_SHARD))
        return v->op->attrs[TTIR_MESH_SHARD_shard_direction]->i == TSR_TT_FULL_TO_SHARD;
    return tsr_op_is(v->op, TSR_OP_FUNC_CALL);
}

static tsr_fb_table *ref_of(tsr_fb_state *s, const tsr_value *v)
{
    TSR_MAP_EACH (&s->refs, tsr_hash_ptr(v), found) {
        return found;
    }
    tsr_fb_table *desc = desc_of(s, v->type, in_parts(v) ? mesh_name(s) : (tsr_str){"", 0});
    if (!desc)
        return NULL;
    tsr_fb_table *t = tsr_fb_table_new(s->c.arena, &tsr_fb_BufferRef);
    tsr_fb_set_sub(t, "desc", desc);
    tsr_fb_set_int(t, "global_id", s->nextid++);
    tsr_map_put(&s->refs, tsr_hash_ptr(v), t);
    return t;
}

static bool set_ref(tsr_fb_state *s, tsr_fb_table *t, const char *field, const tsr_value *v)
{
    tsr_fb_table *ref = ref_of(s, v);
    tsr_fb_set_sub(t, field, ref);
    return ref != NULL;
}

static bool set_refs(tsr_fb_state *s, tsr_fb_table *t, const char *field, const tsr_value *const *v,
                     size_t n)
{
    tsr_fb_value *list = tsr_fb_set_list(s->c.arena, t, field, n);
    for (size_t i = 0; i < n; i++) {
        list[i] = (tsr_fb_value){.table = ref_of(s, v[i]), .set = true};
        TSR_TRY(list[i].table != NULL);
    }
    return true;
}

/* The description of an argument or a result for callers. */
static tsr_fb_table *tensor_of(tsr_fb_state *s, const tsr_type *t)
{
    tsr_arena *a = s->c.arena;
    tsr_fb_table *ref = tsr_fb_table_new(a, &tsr_fb_MetalTensorRef),
                 *desc = tsr_fb_add_sub(a, ref, "desc"),
                 *layout = tsr_fb_add_sub(a, desc, "layout"),
                 *memory = tsr_fb_add_sub(a, layout, "memory_desc");
    int64_t type = data_type_of(s, t);
    if (type < 0)
        return NULL;
    tsr_fb_set_int(ref, "size",
                   tsr_type_num_elements(t) * (int64_t)(tsr_type_storage_bits(t->elem) / 8));
    tsr_fb_set_ints(a, desc, "shape", t->dims, t->n);
    tsr_fb_set_ints(a, desc, "mesh_shape", NULL, 0);
    tsr_fb_set_int(memory, "data_type", type);
    return ref;
}

static bool set_tensors(tsr_fb_state *s, tsr_fb_table *t, const char *field,
                        const tsr_value *const *v, size_t n)
{
    tsr_fb_value *list = tsr_fb_set_list(s->c.arena, t, field, n);
    for (size_t i = 0; i < n; i++) {
        list[i] = (tsr_fb_value){.table = tensor_of(s, v[i]->type), .set = true};
        TSR_TRY(list[i].table != NULL);
    }
    return true;
}

/* ---- Commands ---- */

typedef struct {
    tsr_fb_state *s;
    const tsr_op *op;
    tsr_fb_value *list;
    size_t n;
} queue;

/* Appends a command to the queue; returns the table of its case. */
static tsr_fb_table *add(queue *q, const tsr_fb_type *type)
{
    tsr_arena *a = q->s->c.arena;
    tsr_fb_table *command = tsr_fb_table_new(a, &tsr_fb_Command);
    tsr_fb_value *v = tsr_fb_at(command, "type");
    tsr_print_options print = {.elide_larger = 16};
    tsr_buf text = {0};
    *v =
        (tsr_fb_value){.table = tsr_fb_table_new(a, type),
                       .tag = (uint8_t)(1 + tsr_fb_find(&tsr_fb_CommandType,
                                                        (tsr_str){type->name, strlen(type->name)})),
                       .set = true};
    tsr_print_op(&text, (tsr_op *)q->op, &print);
    tsr_fb_set_text(command, "loc", tsr_fb_location(q->s, q->op));
    tsr_fb_set_text(command, "debug_info", tsr_fb_keep(a, &text));
    q->list[q->n++] = (tsr_fb_value){.table = command, .set = true};
    return v->table;
}

static bool shard(queue *q)
{
    static const char *const words[] = {[TSR_TT_REPLICATE] = "Replicate",
                                        [TSR_TT_MAXIMAL] = "Maximal",
                                        [TSR_TT_DEVICES] = "Devices"};
    const tsr_op *op = q->op;
    const char *word = words[op->attrs[TTIR_MESH_SHARD_shard_type]->i];
    bool out = op->attrs[TTIR_MESH_SHARD_shard_direction]->i == TSR_TT_SHARD_TO_FULL;
    if (!word)
        return tsr_op_error(op, "is an identity, which is no command");
    tsr_fb_table *t = add(q, &tsr_fb_MeshShardCommand);
    tsr_fb_set_int(t, "shard_type",
                   tsr_fb_number(&tsr_fb_MeshShardType, (tsr_str){word, strlen(word)}));
    tsr_fb_set_int(t, "shard_direction",
                   tsr_fb_number(&tsr_fb_MeshShardDirection,
                                 out ? TSR_STR("ShardToFullShape") : TSR_STR("FullToShardShape")));
    static const struct {
        const char *field;
        int slot;
    } lists[] = {{"shard_shape", TTIR_MESH_SHARD_shard_shape},
                 {"shard_dims", TTIR_MESH_SHARD_shard_dims}};
    for (size_t k = 0; k < TSR_COUNT(lists); k++) {
        int64_t v[TSR_MAX_RANK], n = tsr_attr_count(op->attrs[lists[k].slot]);
        if (n > TSR_MAX_RANK)
            return tsr_op_error(op, "has too many dimensions");
        for (int64_t i = 0; i < n; i++)
            v[i] = tsr_attr_int_at(op->attrs[lists[k].slot], (size_t)i);
        tsr_fb_set_ints(q->s->c.arena, t, lists[k].field, v, (size_t)n);
    }
    return set_ref(q->s, t, "src", op->in[0].value) && set_ref(q->s, t, "dst", &op->out[0]);
}

typedef TSR_VEC(const tsr_value *) values;

static bool call(queue *q)
{
    const tsr_op *op = q->op;
    values in = {0}, out = {0};
    if (!tsr_dict_get(op->extra, TSR_STR("ttir.cpu_hoisted_call")))
        return tsr_op_error(op, "calls a function that is not the host's: cpu-hoist-forward makes "
                                "it so");
    tsr_fb_table *t = add(q, &tsr_fb_CpuCommand);
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&in, op->in[i].value);
    for (uint32_t i = 0; i < op->nout; i++)
        tsr_vec_push(&out, &op->out[i]);
    bool ok = set_refs(q->s, t, "ins", in.data, in.n) && set_refs(q->s, t, "outs", out.data, out.n);
    tsr_fb_set_text(t, "func_name", op->attrs[FUNC_CALL_callee]->s);
    tsr_fb_set_int(t, "dylib_id", 0);
    tsr_vec_free(&in);
    tsr_vec_free(&out);
    return ok;
}

static bool allocate(queue *q)
{
    tsr_fb_table *t = add(q, &tsr_fb_HostAllocCommand);
    int i = tsr_fb_find(t->type, TSR_STR("data"));
    return set_ref(q->s, t, "dst", &q->op->out[0]) &&
           tsr_fb_elements(q->s, q->op, q->op->attrs[TTIR_CONSTANT_value], &t->type->fields[i],
                           &t->fields[i]);
}

static bool finish(queue *q, tsr_fb_table *program, tsr_fb_table *device)
{
    const tsr_op *op = q->op;
    values out = {0};
    for (uint32_t i = 0; i < op->nin; i++)
        tsr_vec_push(&out, op->in[i].value);
    add(q, &tsr_fb_FinishCommand);
    bool ok = set_refs(q->s, add(q, &tsr_fb_ReturnCommand), "results", out.data, out.n) &&
              set_refs(q->s, device, "outputs", out.data, out.n) &&
              set_tensors(q->s, program, "outputs", out.data, out.n);
    tsr_vec_free(&out);
    return ok;
}

static bool command(queue *q, tsr_fb_table *program, tsr_fb_table *device)
{
    const tsr_op *op = q->op;
    q->s->c.loc = op->loc;
    if (tsr_op_is(op, TSR_OP_TTIR_MESH_SHARD))
        return shard(q);
    if (tsr_op_is(op, TSR_OP_FUNC_CALL))
        return call(q);
    if (tsr_op_is(op, TSR_OP_TTIR_CONSTANT))
        return allocate(q);
    if (tsr_op_is(op, TSR_OP_FUNC_RETURN))
        return finish(q, program, device);
    return tsr_op_error(op, "is no command of the host, and kernels of devices are not made here: "
                            "ttir-to-ttmetal-host-pipeline lets the host run it");
}

/* ---- Programs ---- */

static void mesh_of(tsr_fb_state *s, tsr_fb_table *device)
{
    const tsr_attr *shape = s->device ? s->device->attrs[TTCORE_DEVICE_mesh_shape] : NULL;
    int64_t dims[TSR_MAX_RANK] = {1, 1}, n = shape ? tsr_attr_count(shape) : 0;
    tsr_fb_table *mesh = tsr_fb_add_sub(s->c.arena, device, "mesh");
    tsr_str name = mesh_name(s);
    n = n > TSR_MAX_RANK ? 0 : n;
    for (int64_t i = 0; i < n; i++)
        dims[i] = tsr_attr_int_at(shape, (size_t)i);
    if (name.len)
        tsr_fb_set_text(mesh, "name", name);
    tsr_fb_set_ints(s->c.arena, mesh, "mesh_shape", dims, n ? (size_t)n : 2);
}

/* The format cannot express that an argument or a result has its local shape. On one device that is the global
 * shape. */
static bool is_whole(const tsr_fb_state *s, const tsr_op *f)
{
    if (!mesh_name(s).len)
        return true;
    static const int slots[] = {FUNC_FUNC_arg_attrs, FUNC_FUNC_res_attrs};
    for (size_t k = 0; k < TSR_COUNT(slots); k++) {
        const tsr_attr *list = f->attrs[slots[k]];
        for (uint32_t i = 0; list && i < list->n; i++) {
            const tsr_attr *status = tsr_dict_get(list->attrs[i], TSR_STR("ttcore.shard_status"));
            if (tsr_attr_is_struct(status, &tsr_def_TTCORE_SHARD_STATUS) &&
                status->i == TSR_TT_PRESHARDED)
                return tsr_op_error(f,
                                    "%s %u is given in parts, which a binary of TTMetal cannot "
                                    "say",
                                    k ? "result" : "argument", i);
        }
    }
    return true;
}

bool tsr_fb_metal_program(tsr_fb_state *s, tsr_op *f, tsr_fb_table *program)
{
    tsr_block *body = f->regions[0].first;
    tsr_arena *a = s->c.arena;
    size_t n = 1; /* a return is two commands */
    if (body->next)
        return tsr_op_error(f, "has more than one block");
    TSR_TRY(is_whole(s, f));
    TSR_BLOCK_OPS (body, op) {
        (void)op;
        n++;
    }
    tsr_fb_value *devices = tsr_fb_set_list(a, program, "device_programs", 1);
    tsr_fb_table *device = tsr_fb_table_new(a, &tsr_fb_DeviceProgram);
    devices[0] = (tsr_fb_value){.table = device, .set = true};
    tsr_fb_value *queues = tsr_fb_set_list(a, device, "command_queues", 1);
    tsr_fb_table *line = tsr_fb_table_new(a, &tsr_fb_CommandQueue);
    queues[0] = (tsr_fb_value){.table = line, .set = true};
    tsr_fb_set_text(line, "name", tsr_op_symbol(f));
    tsr_fb_set_int(line, "queue_id", 0);
    const tsr_value *const *args = (const tsr_value *const *)body->args;
    TSR_TRY(set_tensors(s, program, "inputs", args, body->nargs) &&
            set_refs(s, device, "inputs", args, body->nargs));
    queue q = {.s = s, .list = tsr_fb_set_list(a, line, "commands", n)};
    TSR_BLOCK_OPS (body, op) {
        q.op = op;
        TSR_TRY(command(&q, program, device));
    }
    tsr_fb_at(line, "commands")->n = q.n;
    mesh_of(s, device);
    return true;
}
