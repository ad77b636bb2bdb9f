/* SPDX-License-Identifier: Apache-2.0 */
/* call.h - one call of emitted code as a runnable module: the inverse of emission by calls.def.
 *
 * A call is JSON: {"function": "ttnn.add", "arguments": [...], "named": {...}, "mesh": [1, 2]}. Tensors are {"tensor":
 * i}, devices {"device": true}, semaphores {"semaphore": true}; enumerations are their words, configurations are
 * objects of their fields, nan and inf are strings. The function's row of calls.def says which TTNN op it is and which
 * operand or attribute each argument is; result types are inferred (call_types.c). */
#ifndef TSR_TARGET_EMIT_CALL_H
#define TSR_TARGET_EMIT_CALL_H

#include "base/json.h"
#include "dialect/dialect.h"
#include "dialect/ttnn/ttnn.h"

typedef struct {
    tsr_module *m; /* its function "call" takes all tensors */
    tsr_op *op;
    size_t nresult; /* results of op; followed by all tensors again, if op changes some */
    bool changes;
} tsr_emit_call;

/* types: of the tensors that the call refers to, without layouts. False after a diagnostic. The caller frees m. */
bool tsr_emit_read_call(tsr_ctx *ctx, const tsr_json *call, tsr_type *const *types, size_t n,
                        tsr_emit_call *out);

/* call_types.c: types of the results of op, which has none yet and is in a module with its mesh. type: data type of the
 * first, or TSR_TT_NO_DATA_TYPE: inferred. False after a diagnostic. */
bool tsr_emit_result_types(tsr_op *op, tsr_tt_data_type type, tsr_type_vec *out);
/* The type of a tensor in the form that op needs: TTNN ops have layouts, some those of the host. */
tsr_type *tsr_emit_laid_out(const tsr_opdef *def, tsr_type *t, bool host);
/* The size of the mesh along an axis. */
int64_t tsr_emit_mesh_size(const tsr_op *op, int64_t axis);

#endif
