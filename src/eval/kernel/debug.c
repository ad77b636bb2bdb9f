/* SPDX-License-Identifier: Apache-2.0 */
/* debug.c - ops that observe a program: they print, write files, or wait; values pass through unchanged.
 *
 * debug.dump writes a NumPy file whatever the extension of its name. debug.memory_snapshot writes JSON, which
 * docs/EVAL.md describes. On a mesh each device writes its own file: device 1 inserts ".1" before the extension; device
 * 0 uses the name itself. */
#include <stdlib.h>

#include "base/scope.h"
#include "eval/kernel/kernels.h"
#include "eval/mesh.h"
#include "eval/plan.h"
#include "eval/file/print.h"

/* The name of this device's file. */
static void own_name(const tsr_call *c, tsr_str path, tsr_buf *out)
{
    uint32_t me = tsr_process_id(c->e);
    size_t dot = path.len;
    for (size_t i = path.len; i-- > 0 && path.data[i] != '/';)
        if (path.data[i] == '.' && dot == path.len)
            dot = i;
    tsr_buf_str(out, tsr_str_of(path.data, dot));
    if (me)
        tsr_buf_printf(out, ".%u", me);
    tsr_buf_str(out, tsr_str_of(path.data + dot, path.len - dot));
}

static void show(tsr_call *c, tsr_buf *text)
{
    tsr_mesh_lock_context(c->e);
    tsr_tensor_print(text, c->in[0]);
    tsr_mesh_unlock_context(c->e);
    tsr_buf_char(text, '\n');
}

bool eval_debug_print(tsr_call *c)
{
    tsr_buf text = {0};
    tsr_buf_str(&text, tsr_call_attr(c, DEBUG_PRINT_message)->s);
    tsr_buf_char(&text, '\n');
    show(c, &text);
    bool ok = tsr_effect_do(c, TSR_EFFECT_PRINT, tsr_buf_text(&text), NULL, 0);
    tsr_buf_free(&text);
    return ok;
}

bool eval_debug_dump(tsr_call *c)
{
    tsr_buf path = {0};
    own_name(c, tsr_call_attr(c, DEBUG_DUMP_file_path)->s, &path);
    bool ok = tsr_effect_do(c, TSR_EFFECT_DUMP, tsr_buf_text(&path), c->in, 1);
    tsr_buf_free(&path);
    return ok;
}

/* Devices wait one after the other: there is one user. */
bool eval_debug_breakpoint(tsr_call *c)
{
    const struct tsr_eval_host *host = c->e->host;
    if (!host || !host->pause)
        return true;
    tsr_buf text = {0};
    show(c, &text);
    tsr_breakpoint at = {.text = tsr_buf_text(&text),
                         .file = {"", 0},
                         .value = c->in[0],
                         .device = tsr_process_id(c->e)};
    tsr_loc_position(c->e->ctx, c->op->loc, &at.file, &at.line, &at.col);
    bool on = tsr_mesh_stop_begin(c->e);
    if (on) {
        tsr_scope *scope = tsr_scope_suspend();
        on = host->pause(host->user, &at);
        tsr_scope_resume(scope);
        tsr_mesh_stop_end(c->e, on);
    }
    tsr_buf_free(&text);
    return on || tsr_fail(c, "is where the run was ended");
}

bool eval_debug_overwrite(tsr_call *c)
{
    c->out[0] = tsr_call_take(c, 1);
    return true;
}

/* ---- Memory ---- */

static void describe(tsr_call *c, tsr_buf *out, const tsr_tensor *t)
{
    tsr_buf_cstr(out, "{\"type\": \"");
    tsr_mesh_lock_context(c->e);
    tsr_tensor_print_type(out, t);
    tsr_mesh_unlock_context(c->e);
    tsr_buf_printf(out, "\", \"bytes\": %zu}", tsr_tensor_bytes(t));
}

/* The function that the frame belongs to. */
static const tsr_op *function_of(const tsr_op *op)
{
    while (op && !tsr_op_has(op, TSR_TRAIT(FUNCTION)))
        op = tsr_block_parent(op->block);
    return op;
}

/* Tensors by address, to find those that are the value of several slots. */
typedef struct {
    const tsr_tensor *t;
    uint32_t slot;
} held;

static int by_address(const void *a, const void *b)
{
    const held *x = a, *y = b;
    uintptr_t p = (uintptr_t)x->t, q = (uintptr_t)y->t;
    return p != q ? (p < q ? -1 : 1) : x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* By slot: whether it is the first with its tensor. The caller frees it. */
static bool *first_ones(const tsr_frame *f)
{
    uint32_t n = f->n;
    bool *first = tsr_calloc(n + 1u, sizeof *first);
    held *all = tsr_xmalloc((n + 1u) * sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (held){f->slots[i], i};
    qsort(all, n, sizeof *all, by_address);
    for (uint32_t i = 0; first && i < n; i++)
        first[all[i].slot] =
            all[i].t && all[i].t->kind == TSR_TENSOR && (!i || all[i - 1].t != all[i].t);
    tsr_free(all);
    return first;
}

bool eval_debug_memory_snapshot(tsr_call *c)
{
    const tsr_op *func = function_of(c->op);
    tsr_buf path = {0}, values = {0};
    size_t bytes = 0, live = 0;
    own_name(c, tsr_call_attr(c, DEBUG_MEMORY_SNAPSHOT_file_path)->s, &path);
    bool *first = first_ones(c->frame);
    for (uint32_t i = 0; first && i < c->frame->n; i++) {
        const tsr_tensor *t = c->frame->slots[i];
        if (!first[i])
            continue;
        tsr_buf_cstr(&values, live++ ? ",\n    " : "");
        describe(c, &values, t);
        bytes += tsr_tensor_bytes(t);
    }
    tsr_free(first);
    tsr_buf_char(&path, 0);
    tsr_buf_cstr(&path, "{\n  \"function\": \"");
    tsr_buf_str(&path, func ? tsr_op_symbol(func) : TSR_STR(""));
    tsr_buf_printf(&path, "\",\n  \"device\": %u,\n  \"operand\": ", tsr_process_id(c->e));
    describe(c, &path, c->in[0]);
    tsr_buf_printf(&path, ",\n  \"tensors\": %zu,\n  \"bytes\": %zu,\n  \"values\": [\n    ", live,
                   bytes);
    tsr_buf_str(&path, tsr_buf_text(&values));
    tsr_buf_cstr(&path, "\n  ]\n}\n");
    bool ok = tsr_effect_do(c, TSR_EFFECT_FILE, tsr_buf_text(&path), NULL, 0);
    tsr_buf_free(&path);
    tsr_buf_free(&values);
    return ok;
}
