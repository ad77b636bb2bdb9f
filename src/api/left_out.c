/* SPDX-License-Identifier: Apache-2.0 */
/* left_out.c - what a build with MINIMAL=1 answers in place of tt-mlir's dialects, targets and checks: shared code finds
 * no such op, and who asks for a file or text of theirs gets a diagnostic. No other build compiles this file. */
#include "check/ttnn.h"
#include "dialect/ttcore/ttcore.h"
#include "dialect/ttir/shape.h"
#include "dialect/ttnn/view.h"
#include "eval/eval.h"
#include "eval/kernel/ttir/cache.h"
#include "eval/tt_mesh.h"
#include "exec/compile/build.h"
#include "lower/lower.h"
#include "lower/ttnn/device.h"
#include "target/emit/call.h"
#include "target/emit/emit.h"
#include "target/flatbuffer/program.h"

static bool left_out(tsr_ctx *ctx, const char *what)
{
    return tsr_error(ctx, TSR_LOC_UNKNOWN, "%s: this build has no tt-mlir (MINIMAL=1)", what);
}

/* ---- Attributes and types that nothing has ---- */

#define STRUCT(id, name, nparam, flags) const tsr_attrdef tsr_def_##id = {0};
#define ENUM(id, name, flags, ...) const tsr_attrdef tsr_def_##id = {0};
#define TYPE(id, name, nparam) const tsr_attrdef tsr_def_##id = {0};
#define PLAIN_TYPE(id, name) const tsr_attrdef tsr_def_##id = {0};
#define TSR_ROWS_LEFT_OUT
#include "dialect/attrs.def"
#undef TSR_ROWS_LEFT_OUT

/* ---- Ops: none of TTNN's, no mesh of TTIR's ---- */

enum tsr_opcode tsr_ttnn_means(const tsr_op *op)
{
    (void)op;
    return 0;
}

enum tsr_opcode tsr_row_of_values(const tsr_op *op)
{
    return op->def->opcode;
}

bool tsr_op_means_trait(const tsr_op *op, tsr_traits trait)
{
    return tsr_op_has(op, trait);
}

bool tsr_ttnn_view_of(const tsr_op *op, tsr_ttnn_view *out)
{
    (void)op;
    (void)out;
    return false;
}

bool tsr_tt_mesh_find(const tsr_module *m, tsr_tt_mesh *out, const char **what)
{
    (void)m;
    (void)what;
    *out = (tsr_tt_mesh){.devices = 1};
    return true;
}

const tsr_tt_mesh *tsr_tt_mesh_of(tsr_call *c)
{
    (void)c;
    return NULL;
}

bool tsr_tt_in_cache(tsr_call *c, int64_t at, int64_t rows)
{
    (void)c;
    return at >= 0 && at < rows;
}

void tsr_tt_store_free(struct tsr_tt_store *store)
{
    tsr_assert(!store, "no op keeps what is stored");
}

bool tsr_ttnn_check(tsr_module *m, const tsr_op *func, bool strict, tsr_device_memory *out)
{
    (void)m;
    (void)func;
    (void)strict;
    if (out)
        *out = (tsr_device_memory){0};
    return true;
}

void tsr_device_memory_print(const tsr_device_memory *d, tsr_buf *out)
{
    (void)d;
    (void)out;
}

double tt_float(const tsr_op *op, int slot, double otherwise)
{
    (void)op, (void)slot;
    return otherwise;
}

/* Hooks that shared files name. No op has them. */
bool exec_ttir_permute(tsr_xbuilder *b, tsr_op *op)
{
    (void)b, (void)op;
    return false;
}

bool exec_ttir_reshape(tsr_xbuilder *b, tsr_op *op)
{
    return exec_ttir_permute(b, op);
}

bool exec_ttir_transpose(tsr_xbuilder *b, tsr_op *op)
{
    return exec_ttir_permute(b, op);
}

bool exec_ttir_typecast(tsr_xbuilder *b, tsr_op *op)
{
    return exec_ttir_permute(b, op);
}

bool tsr_ttir_takes_call(tsr_str target)
{
    (void)target;
    return false;
}

/* ---- Files and text ---- */

const tsr_fb_file tsr_fb_files[] = {[TSR_FB_TTM] = {NULL, NULL, NULL}};

const tsr_fb_file *tsr_fb_file_of(tsr_str data)
{
    (void)data;
    return NULL;
}

bool tsr_fb_write_module(tsr_module *m, const tsr_fb_file *kind, const tsr_fb_extra *extra,
                         tsr_buf *out)
{
    (void)kind;
    (void)extra;
    (void)out;
    return left_out(m->ctx, "binaries");
}

tsr_module *tsr_fb_read_module(tsr_ctx *ctx, tsr_str data, tsr_str name)
{
    (void)data;
    (void)name;
    left_out(ctx, "binaries");
    return NULL;
}

tsr_module *tsr_fb_module_of(tsr_ctx *ctx, const tsr_fb_table *root, tsr_str name)
{
    (void)root;
    return tsr_fb_read_module(ctx, (tsr_str){0}, name);
}

tsr_fb_table *tsr_fb_load_file(tsr_ctx *ctx, tsr_arena *arena, tsr_loc loc, const tsr_fb_file *file,
                               tsr_str data, tsr_str name)
{
    (void)arena;
    (void)loc;
    (void)file;
    (void)data;
    (void)name;
    left_out(ctx, "binaries");
    return NULL;
}

void tsr_fb_json(tsr_buf *out, const tsr_fb_table *t, int indent)
{
    (void)out;
    (void)t;
    (void)indent;
}

bool tsr_fb_write_system(tsr_ctx *ctx, tsr_buf *out, tsr_attr *system)
{
    (void)out;
    (void)system;
    return left_out(ctx, "system descriptions");
}

const char *tsr_fb_data_type(const tsr_type *elem)
{
    (void)elem;
    return NULL;
}

tsr_attr *tsr_ttcore_describe(tsr_ctx *ctx, tsr_str arch, int64_t n)
{
    (void)arch;
    (void)n;
    left_out(ctx, "system descriptions");
    return NULL;
}

bool tsr_emit_cpp(const tsr_module *m, tsr_str file, tsr_buf *out)
{
    (void)file;
    (void)out;
    return left_out(m->ctx, "text in C++");
}

bool tsr_emit_python(const tsr_module *m, tsr_str file, tsr_buf *out)
{
    (void)file;
    (void)out;
    return left_out(m->ctx, "text in Python");
}

bool tsr_emit_read_call(tsr_ctx *ctx, const tsr_json *call, tsr_type *const *types, size_t n,
                        tsr_emit_call *out)
{
    (void)call;
    (void)types;
    (void)n;
    (void)out;
    return left_out(ctx, "calls of emitted code");
}

tsr_tt_data_type tsr_tt_data_type_of(const tsr_type *elem)
{
    (void)elem;
    return TSR_TT_NO_DATA_TYPE;
}

tsr_type *tsr_tt_element(tsr_ctx *ctx, tsr_tt_data_type t)
{
    (void)ctx;
    (void)t;
    return NULL;
}
