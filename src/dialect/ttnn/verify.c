/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c - rules common to all TTNN ops, and those of memory: layouts, tensors without operands, copies, traces. */
#include "dialect/ttnn/say.h"
#include "dialect/ttnn/view.h"

bool attr_ok_si8_attr(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_INT && tsr_type_is(a->type, TSR_TYPE_INTEGER) &&
           a->type->sub == TSR_SIGNED && a->type->width == 8;
}

bool attr_ok_ttnn_matmul_config(const tsr_attr *a)
{
    return a->kind == TSR_ATTR_STRUCT &&
           (a->def == &tsr_def_TTNN_MATMUL_REUSE || a->def == &tsr_def_TTNN_MATMUL_CAST ||
            a->def == &tsr_def_TTNN_MATMUL_CAST_1D || a->def == &tsr_def_TTNN_MATMUL_DRAM);
}

/* ---- Every op ---- */

static bool is_semaphore(const tsr_op *op, const char *what, uint32_t i, const tsr_type *t)
{
    SAY(t->def == &tsr_def_TTNN_GLOBAL_SEMAPHORE,
        "%s #%u must be TTNN global semaphore., but got %s", what, i, tt_show_type(op, t));
    return true;
}

static bool semaphores(const tsr_op *op)
{
    uint32_t start, n;
    for (uint16_t g = 0; g < op->def->narg; g++)
        if (op->def->args[g].constraint == &tsr_is_TtnnSemaphore &&
            tsr_op_operand_group(op, g, &start, &n))
            for (uint32_t i = start; i < start + n; i++)
                TSR_TRY(is_semaphore(op, "operand", i, IN(op, i)));
    for (uint16_t g = 0; g < op->def->nresult; g++)
        if (op->def->results[g].constraint == &tsr_is_TtnnSemaphore &&
            tsr_op_result_group(op, g, &start, &n))
            for (uint32_t i = start; i < start + n; i++)
                TSR_TRY(is_semaphore(op, "result", i, op->out[i].type));
    return true;
}

/* Tile elements must have the format of the layout. */
static bool formats(const tsr_op *op)
{
    for (uint16_t i = 0; i < op->nout; i++) {
        const tsr_type *t = op->out[i].type;
        const tsr_attr *layout = tsr_ttnn_layout_of(t);
        if (t->kind != TSR_TYPE_TENSOR || t->elem->def != &tsr_def_TTCORE_TILE)
            continue;
        SAY(layout, "Output tensor type missing layout attribute");
        const tsr_type *scalar = tsr_tt_element(op->module->ctx, tsr_ttnn_spec_of(layout).type);
        SAY(scalar == t->elem,
            "Output element type must match the scalar element type from encoding. Element type: "
            "%s, Scalar element type: %s.",
            tt_show_type(op, t->elem), tt_show_type(op, scalar));
    }
    return true;
}

bool tt_encoded(tsr_op *op)
{
    return semaphores(op) && formats(op);
}

bool verify_ttnn_encoding(tsr_op *op)
{
    return tt_encoded(op);
}

/* The rules of the equivalent TTIR op. */
bool verify_ttnn(tsr_op *op)
{
    tsr_ttnn_view v;
    TSR_TRY(tt_encoded(op));
    return !tsr_ttnn_view_of(op, &v) || !v.def.verify || v.def.verify(&v.op);
}

/* ---- Layouts ---- */

static bool layouts(const tsr_op *op, const tsr_attr **in, const tsr_attr **out)
{
    *in = tsr_ttnn_layout_of(IN(op, 0));
    *out = tsr_ttnn_layout_of(OUT(op));
    SAY(*in, "Input tensor type missing layout attribute");
    SAY(*out, "Output tensor type missing layout attribute");
    return true;
}

bool verify_ttnn_to_memory_config(tsr_op *op)
{
    const tsr_attr *in, *out;
    TSR_TRY(tt_encoded(op) && layouts(op, &in, &out));
    tsr_ttnn_spec s = tsr_ttnn_spec_of(out);
    bool device = s.buffer != TSR_TTNN_SYSTEM_MEMORY;
    SAY(!device || s.memory != TSR_TTNN_NO_MEMORY_LAYOUT,
        "Device memory space only supports interleaved or sharded memory layouts");
    SAY(s.buffer != TSR_TTNN_DRAM || s.memory != TSR_TTNN_BLOCK_SHARDED,
        "DRAM memory space doesn't support block sharded memory layout");
    SAY(s.memory <= TSR_TTNN_INTERLEAVED || out->attrs[TTNN_TTNN_LAYOUT_memref]->type->n == 2,
        "Shard shape must be 2D");
    return true;
}

bool verify_ttnn_to_layout(tsr_op *op)
{
    const tsr_attr *in, *out;
    TSR_TRY(tt_encoded(op) && layouts(op, &in, &out));
    tsr_ttnn_spec a = tsr_ttnn_spec_of(in), b = tsr_ttnn_spec_of(out);
    SAY(a.buffer == b.buffer,
        "ttnn.to_layout cannot change buffer type from '%s' to '%s'; use ttnn.to_tensor_spec for "
        "memory-config or device placement changes",
        tsr_def_TTNN_BUFFER_TYPE.cases[a.buffer], tsr_def_TTNN_BUFFER_TYPE.cases[b.buffer]);
    SAY(a.memory == b.memory, "ttnn.to_layout cannot change tensor memory layout; use "
                              "ttnn.to_tensor_spec for memory-config changes");
    SAY(a.grid[0] == b.grid[0] && a.grid[1] == b.grid[1],
        "ttnn.to_layout cannot change grid shape; usettnn.to_tensor_spec for memory-config "
        "changes");
    return true;
}

bool verify_ttnn_to_tensor_spec(tsr_op *op)
{
    const tsr_attr *in, *out;
    return tt_encoded(op) && layouts(op, &in, &out);
}

/* ---- Tensors without operands ---- */

bool verify_ttnn_constant(tsr_op *op)
{
    const tsr_attr *layout = tsr_ttnn_layout_of(OUT(op));
    TSR_TRY(tt_encoded(op));
    if (!layout)
        return true;
    bool host = tsr_ttnn_buffer(layout) == TSR_TTNN_SYSTEM_MEMORY;
    SAY(host || op->nin, "device operand must be specified for non-system memory buffer type");
    SAY(!host || !op->nin, "device operand must not be specified for system memory buffer type");
    return true;
}

static const tsr_attr *dims_of(const tsr_op *op, tsr_str name)
{
    const tsr_attr *shape = tsr_op_attr(op, name);
    return shape ? shape->attrs[0] : NULL;
}

static bool same_dims(const tsr_attr *dims, const tsr_type *t)
{
    if (tt_count(dims) != t->n)
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (tsr_attr_int_at(dims, i) != t->dims[i])
            return false;
    return true;
}

static const char *show_dims(const tsr_op *op, const tsr_attr *dims)
{
    tt_shape s = {.n = 0};
    for (size_t i = 0; i < tt_count(dims) && i < TT_MAX_RANK; i++)
        s.d[s.n++] = tsr_attr_int_at(dims, i);
    return tt_join(op, s.d, s.n, ", ");
}

/* zeros, ones, full, empty */
bool verify_ttnn_shaped(tsr_op *op)
{
    const tsr_attr *dims = dims_of(op, TSR_STR("shape"));
    TSR_TRY(tt_encoded(op));
    SAY(same_dims(dims, OUT(op)), "Output tensor shape must be %s, but got %s", show_dims(op, dims),
        tt_show(op, OUT(op), ", "));
    return true;
}

bool verify_ttnn_rand(tsr_op *op)
{
    const tsr_attr *dims = dims_of(op, TSR_STR("size"));
    TSR_TRY(tt_encoded(op));
    SAY(tt_float(op, TTNN_RAND_low, 0) < tt_float(op, TTNN_RAND_high, 1),
        "'low' value must be < 'high' value");
    SAY(same_dims(dims, OUT(op)),
        "size argument does not match with output tensor shape. [Size = (%s), output tensor shape "
        "= (%s)]",
        show_dims(op, dims), tt_show(op, OUT(op), ", "));
    return true;
}

bool verify_ttnn_arange(tsr_op *op)
{
    int64_t start = tt_int(op, TTNN_ARANGE_start, 0), end = tt_int(op, TTNN_ARANGE_end, 0),
            step = tt_int(op, TTNN_ARANGE_step, 1), size;
    TSR_TRY(tt_encoded(op));
    SAY(step != 0, "Step cannot be zero.");
    bool fits = !__builtin_sub_overflow(end, start, &size) && !(size == INT64_MIN && step == -1);
    size = fits ? size / step : 0;
    SAY(size > 0, "Invalid range: start=%lld, end=%lld, step=%lld", LL(start), LL(end), LL(step));
    SAY(OUT(op)->n == 1 && OUT(op)->dims[0] == size, "Output tensor shape must be %lld, but got %s",
        LL(size), tt_show(op, OUT(op), ", "));
    return true;
}

/* ---- Copies ---- */

bool verify_ttnn_assign(tsr_op *op)
{
    TSR_TRY(tt_encoded(op));
    SAY(tt_same_shape(IN(op, 0), OUT(op)), "input and output tensor must have the same shape");
    SAY(tsr_tt_data_type_of(IN(op, 0)->elem) == tsr_tt_data_type_of(OUT(op)->elem),
        "output tensor data type does not match expected output data type");
    return true;
}

bool verify_ttnn_copy(tsr_op *op)
{
    SAY(tsr_ttnn_on_device(IN(op, 0)), "Source tensor must be on device memory");
    SAY(tsr_ttnn_on_device(IN(op, 1)), "Destination tensor must be on device memory");
    SAY(IN(op, 0) == IN(op, 1), "Source and destination tensor types must match, but got %s and %s",
        tt_show_type(op, IN(op, 0)), tt_show_type(op, IN(op, 1)));
    return true;
}

static bool queue(const tsr_op *op)
{
    int64_t id = tsr_op_attr(op, TSR_STR("cq_id"))->i;
    SAY(id == 0 || id == 1, "Invalid CQ ID %lld", LL(id));
    return true;
}

bool verify_ttnn_write_tensor(tsr_op *op)
{
    SAY(!tsr_ttnn_on_device(IN(op, 0)), "Host tensor must be on system memory");
    SAY(tsr_ttnn_on_device(IN(op, 1)), "Device tensor must be on device memory");
    return queue(op);
}

/* ---- Traces ---- */

/* begin_trace_capture has the number of its trace as result, the others as second operand. */
bool verify_ttnn_trace(tsr_op *op)
{
    const tsr_type *t = op->nout ? OUT(op) : IN(op, 1);
    tsr_ctx *ctx = op->module->ctx;
    TSR_TRY(queue(op));
    if (t->n != 0)
        return tsr_error(ctx, op->loc, "Trace ID must be a scalar");
    if (!tt_is_integer(t->elem))
        return tsr_error(ctx, op->loc, "Trace ID must be an integer");
    if (t->elem->sub != TSR_UNSIGNED)
        return tsr_error(ctx, op->loc, "Trace ID must be unsigned");
    if (t->elem->width != 32)
        return tsr_error(ctx, op->loc, "Trace ID must be 32-bit");
    return tsr_attr_is_struct(t->attr, &tsr_def_TTNN_TRACE_ID) ||
           tsr_error(ctx, op->loc, "Trace ID must have the TraceIdAttr encoding");
}
