/* SPDX-License-Identifier: Apache-2.0 */
/* transformer.c - see transformer.h. Lists the kernels and collectives of one layer as a module would have them and
 * times them with the same functions; layers, microbatches and pipeline stages are counted. */
#include "sim/transformer.h"

#include <math.h>
#include <stddef.h>

/* ---- Figures ---- */

static const struct {
    const char *name;
    size_t at;
    int64_t otherwise;
} figures[] = {
#define X(name, otherwise) {#name, offsetof(tsr_transformer, name), otherwise},
    TSR_TRANSFORMER_FIGURES(X)
#undef X
};

static int64_t *figure(tsr_transformer *t, size_t i)
{
    return (int64_t *)(void *)((char *)t + figures[i].at);
}

static const char *set_figure(tsr_transformer *t, tsr_str key, tsr_str value)
{
    static const char *const recomputes[] = {"none", "selective", "full"};
    if (tsr_str_eq(key, TSR_STR("type"))) {
        t->type = value;
        return value.len ? NULL : "an element type is wanted";
    }
    if (tsr_str_eq(key, TSR_STR("recompute"))) {
        for (int i = 0; i < 3; i++)
            if (tsr_str_eq(value, tsr_cstr(recomputes[i]))) {
                t->recompute = (tsr_recompute)i;
                return NULL;
            }
        return "recompute is none, selective or full";
    }
    for (size_t i = 0; i < TSR_COUNT(figures); i++) {
        if (!tsr_str_eq(key, tsr_cstr(figures[i].name)))
            continue;
        int64_t n = 0;
        for (size_t k = 0; k < value.len; k++)
            if (value.data[k] < '0' || value.data[k] > '9' || k > 8)
                return "a whole number of at most nine digits is wanted";
            else
                n = 10 * n + (value.data[k] - '0');
        *figure(t, i) = n;
        return value.len ? NULL : "a whole number is wanted";
    }
    return "no such figure";
}

/* Rejects figures that are impossible. */
static const char *check_figures(const tsr_transformer *t)
{
    if (!t->layers || !t->hidden || !t->heads)
        return "layers, hidden and heads are needed";
    if (!t->tp || !t->pp || !t->dp || !t->seq || !t->microbatch || !t->interleave || !t->head_size)
        return "a size is 0";
    if (t->zero > 3)
        return "zero is 0 to 3";
    if (t->layers % (t->pp * t->interleave))
        return "stages do not divide the layers";
    if (t->heads % t->tp || t->ffn % t->tp)
        return "tp does not divide the heads and ffn";
    if (t->batch % (t->dp * t->microbatch))
        return "dp times microbatch does not divide the batch";
    if (t->interleave > 1 && t->pp == 1)
        return "interleave needs several pipeline stages";
    return NULL;
}

bool tsr_transformer_read(tsr_str text, tsr_transformer *out, const char **error, size_t *at)
{
    *out = (tsr_transformer){.type = TSR_STR("bf16")};
    for (size_t i = 0; i < TSR_COUNT(figures); i++)
        *figure(out, i) = figures[i].otherwise;
    for (size_t i = 0; i < text.len;) {
        size_t end = i, eq;
        while (end < text.len && text.data[end] != ',')
            end++;
        for (eq = i; eq < end && text.data[eq] != '=';)
            eq++;
        *at = i;
        *error = eq == end ? "name=value is wanted"
                           : set_figure(out, (tsr_str){text.data + i, eq - i},
                                        (tsr_str){text.data + eq + 1, end - eq - 1});
        if (*error)
            return false;
        i = end + 1;
    }
    if (!out->ffn)
        out->ffn = 4 * out->hidden;
    if (!out->head_size && out->heads)
        out->head_size = out->hidden / out->heads;
    if (!out->kv_heads)
        out->kv_heads = out->heads;
    if (!out->batch)
        out->batch = out->dp * out->microbatch;
    *at = 0;
    *error = check_figures(out);
    return !*error;
}

/* ---- One layer, one microbatch ---- */

typedef struct {
    const tsr_transformer *t;
    const tsr_device_file *d;
    double seconds, talking, moved, flops;
} counter;

enum { BYTES = 2 }; /* bytes of an element in products and between layers */

/* A product in the forward pass; the backward pass has two of the same size, with the roles of the dimensions
 * exchanged. */
static void product(counter *c, bool back, double batch, double m, double n, double k)
{
    double bytes = BYTES * batch * (m * k + k * n + m * n);
    const double sizes[2][3] = {{m, k, n}, {k, n, m}};
    for (int i = 0; i < (back ? 2 : 1); i++) {
        const double *s = sizes[i];
        c->seconds += (back ? tsr_time_product(c->d, c->t->type, batch, s[0], s[1], s[2], bytes)
                            : tsr_time_product(c->d, c->t->type, batch, m, n, k, bytes)) +
                      c->d->launch;
        c->flops += 2 * batch * m * n * k;
    }
}

/* A loop over elements that reads and writes this many bytes per element. */
static void pass(counter *c, bool back, double elements, double bytes)
{
    double times = back ? 2 : 1;
    c->seconds +=
        tsr_time_pass(c->d, 4 * elements * times, elements * bytes * times) + times * c->d->launch;
}

/* A collective by which tensor-parallel devices combine a tensor of the layer, before or after its products. */
static void join(counter *c, double elements)
{
    tsr_sim_group g = tsr_sim_group_of(c->d, c->t->tp, 1);
    uint32_t link;
    double before = elements * BYTES;
    if (c->t->tp == 1)
        return;
    double one = c->t->sequence_parallel
                     ? tsr_time_collective(c->d, TSR_COLLECTIVE_SCATTER, before, &g, &link) +
                           tsr_time_collective(c->d, TSR_COLLECTIVE_GATHER,
                                               before / (double)c->t->tp, &g, &link)
                     : tsr_time_collective(c->d, TSR_COLLECTIVE_REDUCE, before, &g, &link);
    c->talking += one;
    c->moved += 2 * before * (1 - 1 / (double)c->t->tp);
}

static void attention(counter *c, bool back)
{
    const tsr_transformer *t = c->t;
    double b = (double)t->microbatch, s = (double)t->seq, d = (double)t->head_size,
           heads = (double)t->heads / (double)t->tp, scores = b * heads * s * s;
    if (t->fused_attention) {
        /* The backward pass recomputes the scores. */
        double flops = 4 * scores * d * (t->causal ? 0.5 : 1) * (back ? 2.5 : 1);
        c->seconds +=
            flops / (tsr_device_file_peak(c->d, t->type) * c->d->attention_share) + c->d->launch;
        c->flops += 4 * scores * d * (back ? 2 : 1);
        return;
    }
    product(c, back, b * heads, s, s, d);
    product(c, back, b * heads, s, d, s);
    if (t->compiled) {
        /* Scaled and masked scores are written in f32, then read for their maximum, their sum and the result. */
        pass(c, back, scores, BYTES + 4 * 4 + 2 * BYTES);
        return;
    }
    pass(c, back, scores, 2 * BYTES);     /* scale, mask, softmax */
    pass(c, back, scores, 2 * BYTES + 1); /* dropout, with its mask */
}

static void layer(counter *c, bool back)
{
    const tsr_transformer *t = c->t;
    double tp = (double)t->tp, tokens = (double)(t->microbatch * t->seq), h = (double)t->hidden,
           own = t->sequence_parallel ? tokens / tp : tokens,
           q = (double)(t->heads * t->head_size) / tp,
           kv = fmax((double)t->kv_heads / tp, 1) * (double)t->head_size, f = (double)t->ffn / tp;
    product(c, back, 1, tokens, q + 2 * kv, h);
    attention(c, back);
    product(c, back, 1, tokens, h, q);
    product(c, back, 1, tokens, t->gated ? 2 * f : f, h);
    product(c, back, 1, tokens, h, f);
    for (int half = 0; half < 2; half++) { /* norm; dropout, residual */
        pass(c, back, own * h, (t->compiled ? 3 : 2) * BYTES);
        pass(c, back, own * h, 3 * BYTES + (t->compiled ? 0 : 1));
    }
    pass(c, back, tokens * f, (t->gated ? 3 : 2) * BYTES);
    join(c, tokens * h);
    join(c, tokens * h);
}

/* Logits and loss, on the last pipeline stage. */
static void head(counter *c, bool back)
{
    double tokens = (double)(c->t->microbatch * c->t->seq),
           v = (double)c->t->vocab / (double)c->t->tp;
    product(c, back, 1, tokens, v, (double)c->t->hidden);
    /* The loss in f32: conversion, maximum, exponentials, their sum; a compiler recomputes whatever is cheap. */
    pass(c, back, tokens * v, c->t->compiled ? BYTES + 4 * 2 : BYTES + 4 * 6);
}

/* ---- A step ---- */

static double layer_parameters(const tsr_transformer *t)
{
    double h = (double)t->hidden, d = (double)t->head_size;
    return h * d * (double)(2 * t->heads + 2 * t->kv_heads) +
           (t->gated ? 3 : 2) * h * (double)t->ffn;
}

static double total(const counter *c)
{
    return c->seconds + c->talking;
}

/* Bytes of activations that one microbatch of a layer keeps for the backward pass. */
static double kept(const tsr_transformer *t)
{
    double tp = (double)t->tp, sbh = (double)(t->seq * t->microbatch) * (double)t->hidden,
           f = (double)t->ffn / (double)t->hidden / 4,
           scores = t->fused_attention || t->recompute == TSR_RECOMPUTE_SELECTIVE
                        ? 0
                        : 5 * (double)t->heads * (double)t->seq / (double)t->hidden;
    if (t->recompute == TSR_RECOMPUTE_FULL)
        return BYTES * sbh / (t->sequence_parallel ? tp : 1);
    double whole = 10, parts = 8 + 16 * f * (t->gated ? 1.5 : 1) + scores;
    return sbh * (t->sequence_parallel ? (whole + parts) / tp : whole + parts / tp);
}

/* Communication between data-parallel devices, and the part of it that computation does not hide. */
static double data_parallel(const tsr_transformer *t, const tsr_device_file *d, double parameters,
                            double forward, double backward, double *moved)
{
    int64_t steps = t->batch / (t->dp * t->microbatch);
    tsr_sim_group g = tsr_sim_group_of(d, t->dp, t->tp);
    uint32_t link;
    if (t->dp == 1)
        return 0;
    double share = parameters / (double)t->dp;
    double gather = tsr_time_collective(d, TSR_COLLECTIVE_GATHER, BYTES * share, &g, &link),
           scatter = tsr_time_collective(d, TSR_COLLECTIVE_SCATTER,
                                         (t->zero == 3 ? BYTES : 4) * parameters, &g, &link);
    double some = parameters * (1 - 1 / (double)t->dp);
    if (!t->zero) { /* one reduction at the end of the step */
        *moved += 2 * 4 * some;
        return tsr_time_collective(d, TSR_COLLECTIVE_REDUCE, 4 * parameters, &g, &link);
    }
    if (t->zero < 3) { /* overlaps with the last backward and the first forward pass */
        *moved += (4 + BYTES) * some;
        return fmax(scatter - backward * d->overlap, scatter * (1 - d->overlap)) +
               fmax(gather - forward * d->overlap, gather * (1 - d->overlap));
    }
    *moved += (double)steps * 3 * BYTES * some;
    return (double)steps *
           (fmax(gather - forward * d->overlap, gather * (1 - d->overlap)) +
            fmax(gather + scatter - backward * d->overlap, (gather + scatter) * (1 - d->overlap)));
}

/* Seconds to send activations and gradients between stages, during which the next stage waits. */
static double between_stages(const tsr_transformer *t, const tsr_device_file *d, double steps,
                             double *moved)
{
    tsr_sim_group g = tsr_sim_group_of(d, 2, t->tp * t->dp);
    uint32_t link;
    double bytes = BYTES * (double)(t->microbatch * t->seq) * (double)t->hidden / (double)t->tp;
    double hop = tsr_time_collective(d, TSR_COLLECTIVE_PERMUTE, bytes, &g, &link);
    *moved += 2 * steps * (double)t->interleave * bytes;
    return 2 * hop * (steps * (double)t->interleave * (1 - d->overlap) + (double)t->pp - 1);
}

void tsr_transformer_step_of(const tsr_transformer *t, const tsr_device_file *d,
                             tsr_transformer_step *out)
{
    counter f = {.t = t, .d = d}, b = f, again = f, last_f = f, last_b = f;
    double nlayer = (double)(t->layers / t->pp),
           steps = (double)(t->batch / (t->dp * t->microbatch)), pp = (double)t->pp,
           tp = (double)t->tp;
    layer(&f, false);
    layer(&b, true);
    head(&last_f, false);
    head(&last_b, true);
    if (t->recompute == TSR_RECOMPUTE_FULL)
        layer(&again, false);
    else if (t->recompute == TSR_RECOMPUTE_SELECTIVE && !t->fused_attention)
        attention(&again, false);
    *out = (tsr_transformer_step){.devices = t->tp * t->pp * t->dp};
    out->forward = nlayer * total(&f) + (t->pp == 1 ? total(&last_f) : 0);
    out->backward = nlayer * (total(&b) + total(&again)) + (t->pp == 1 ? total(&last_b) : 0);
    double heads = total(&last_f) + total(&last_b), one = out->forward + out->backward;
    /* A stage idles while the others start and finish; the last stage also computes the logits. */
    out->bubble = (pp - 1) / (double)t->interleave * one;
    out->seconds = steps * one + out->bubble + (t->pp > 1 ? steps * heads : 0);
    double talk = steps * nlayer * (f.talking + b.talking + again.talking);
    out->moved = steps * nlayer * (f.moved + b.moved + again.moved);
    double hops = t->pp > 1 ? between_stages(t, d, steps, &out->moved) : 0;
    out->seconds += hops;
    talk += hops;
    double embedding = (double)t->vocab * (double)t->hidden,
           parameters = (nlayer * layer_parameters(t) + embedding) / tp;
    double exposed = data_parallel(t, d, parameters, out->forward, out->backward, &out->moved);
    double held = t->zero ? parameters / (double)t->dp : parameters;
    out->seconds += exposed + tsr_time_pass(d, 12 * held, 30 * held);
    out->exposed = talk + exposed;
    out->parameters = layer_parameters(t) * (double)t->layers + embedding;
    double tokens = (double)(t->batch * t->seq),
           whole = tp * tokens / (double)(t->microbatch * t->seq);
    out->work = whole * ((double)t->layers * (f.flops + b.flops) + last_f.flops + last_b.flops);
    out->done = out->work + whole * (double)t->layers * again.flops;
    /* Parameters, gradients of 4 bytes, and three numbers per parameter for the optimiser. */
    double zero = (double)t->dp;
    out->state = parameters * (BYTES / (t->zero == 3 ? zero : 1) + 4 / (t->zero >= 2 ? zero : 1) +
                               12 / (t->zero ? zero : 1));
    double flight = fmin(steps, pp) / pp *
                    (t->interleave > 1 ? 1 + (pp - 1) / (pp * (double)t->interleave) : 1);
    out->activations = kept(t) * (double)t->layers * flight;
}

/* ---- Reports ---- */

void tsr_transformer_text(tsr_buf *out, const tsr_transformer *t, const tsr_device_file *d,
                          const tsr_transformer_step *s)
{
    double peak = tsr_device_file_peak(d, t->type), all = peak * s->seconds * (double)s->devices;
    tsr_buf_report(out, "%lld device%s: ", (long long)s->devices, s->devices == 1 ? "" : "s");
    tsr_buf_str(out, d->about.len ? d->about : d->name);
    tsr_buf_cstr(out, "\n\nparameters             ");
    tsr_buf_quantity(out, s->parameters, "");
    tsr_buf_cstr(out, "\nstep time              ");
    tsr_buf_seconds(out, s->seconds);
    tsr_buf_cstr(out, "\npipeline bubble        ");
    tsr_buf_seconds(out, s->bubble);
    tsr_buf_cstr(out, "\nexposed communication  ");
    tsr_buf_seconds(out, s->exposed);
    tsr_buf_cstr(out, "\nreceived               ");
    tsr_buf_quantity(out, s->moved, "B");
    tsr_buf_report(out, " a device\nMFU                    %.1f %%, HFU %.1f %% of ",
                   100 * s->work / all, 100 * s->done / all);
    tsr_buf_quantity(out, peak, "FLOP/s");
    tsr_buf_cstr(out, "\npeak memory            ");
    tsr_buf_quantity(out, s->state + s->activations, "B");
    tsr_buf_cstr(out, ": state ");
    tsr_buf_quantity(out, s->state, "B");
    tsr_buf_cstr(out, ", activations ");
    tsr_buf_quantity(out, s->activations, "B");
    tsr_buf_cstr(out, s->state + s->activations > d->memory ? ": it does not fit\n" : "\n");
}

void tsr_transformer_json(tsr_buf *out, const tsr_transformer *t, const tsr_device_file *d,
                          const tsr_transformer_step *s)
{
    double peak = tsr_device_file_peak(d, t->type), all = peak * s->seconds * (double)s->devices;
    tsr_buf_cstr(out, "{\n  \"device\": ");
    tsr_buf_json(out, d->name);
    tsr_buf_report(out, ",\n  \"devices\": %lld,\n  \"parameters\": %.0f,\n", (long long)s->devices,
                   s->parameters);
    tsr_buf_report(out, "  \"step_seconds\": %.9g,\n  \"bubble_seconds\": %.9g,\n", s->seconds,
                   s->bubble);
    tsr_buf_report(out, "  \"exposed_seconds\": %.9g,\n  \"received_bytes\": %.0f,\n", s->exposed,
                   s->moved);
    tsr_buf_report(out, "  \"mfu\": %.6g,\n  \"hfu\": %.6g,\n", s->work / all, s->done / all);
    tsr_buf_report(out, "  \"flops_per_second\": %.9g,\n",
                   s->work / s->seconds / (double)s->devices);
    tsr_buf_report(out, "  \"state_bytes\": %.0f,\n  \"activation_bytes\": %.0f,\n", s->state,
                   s->activations);
    tsr_buf_report(out, "  \"peak_bytes\": %.0f,\n  \"memory_bytes\": %.0f\n}\n",
                   s->state + s->activations, d->memory);
}
