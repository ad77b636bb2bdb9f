/* SPDX-License-Identifier: Apache-2.0 */
/* transformer.h - times training steps of transformers from their figures alone, without a module. */
#ifndef TSR_SIM_TRANSFORMER_H
#define TSR_SIM_TRANSFORMER_H

#include "sim/sim.h"

typedef enum { TSR_RECOMPUTE_NONE, TSR_RECOMPUTE_SELECTIVE, TSR_RECOMPUTE_FULL } tsr_recompute;

// clang-format off
/* X(name, default): figures that are integers; 0: derived from others. compiled: the ops between products are the fused
 * loops that a compiler makes of an f32 program without dropout, as in a module; otherwise they are hand-written
 * kernels. */
#define TSR_TRANSFORMER_FIGURES(X) \
    X(layers, 0) X(hidden, 0) X(heads, 0) X(seq, 2048) X(vocab, 51200) X(ffn, 0) X(kv_heads, 0) X(head_size, 0) X(gated, 0) \
    X(tp, 1) X(pp, 1) X(dp, 1) X(batch, 0) X(microbatch, 1) X(interleave, 1) X(sequence_parallel, 0) X(zero, 0) \
    X(fused_attention, 0) X(causal, 0) X(compiled, 0)
// clang-format on

typedef struct {
#define X(name, otherwise) int64_t name;
    TSR_TRANSFORMER_FIGURES(X)
#undef X
    tsr_recompute recompute;
    tsr_str type; /* element type of products: "bf16" */
} tsr_transformer;

/* Reads "layers=48,hidden=6144,heads=64,tp=8,recompute=full"; figures not named have their defaults. On failure *error
 * is the message and *at the position. */
bool tsr_transformer_read(tsr_str text, tsr_transformer *out, const char **error, size_t *at);

typedef struct {
    double seconds, forward, backward; /* of a step; of a microbatch on one stage */
    double exposed;                    /* communication that is not hidden */
    double bubble;                     /* idle time of pipeline stages */
    /* operations that the model needs in a step, on all devices */
    double work;
    double done;               /* operations done, including recomputation */
    double state, activations; /* bytes on each device */
    double moved;              /* bytes that each device receives */
    int64_t devices;
    double parameters;
} tsr_transformer_step;

void tsr_transformer_step_of(const tsr_transformer *t, const tsr_device_file *d,
                             tsr_transformer_step *out);
void tsr_transformer_text(tsr_buf *out, const tsr_transformer *t, const tsr_device_file *d,
                          const tsr_transformer_step *s);
void tsr_transformer_json(tsr_buf *out, const tsr_transformer *t, const tsr_device_file *d,
                          const tsr_transformer_step *s);

#endif
