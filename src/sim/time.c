/* SPDX-License-Identifier: Apache-2.0 */
/* time.c - how long kernels and collectives take on a device: see device.h. */
#include "sim/device.h"

#include <math.h>

double tsr_device_file_peak(const tsr_device_file *d, tsr_str type)
{
    double slowest = d->products[0].rate, f32 = 0;
    for (uint32_t i = 0; i < d->nproduct; i++) {
        if (tsr_str_eq(d->products[i].type, type))
            return d->products[i].rate;
        if (tsr_str_eq(d->products[i].type, TSR_STR("f32")))
            f32 = d->products[i].rate;
        slowest = fmin(slowest, d->products[i].rate);
    }
    return f32 > 0 ? f32 : slowest;
}

double tsr_time_product(const tsr_device_file *d, tsr_str type, double batch, double m, double n,
                        double k, double bytes)
{
    double size[3] = {m, n, k}, share = d->product_share;
    for (int i = 0; i < 3; i++)
        share *= size[i] > 0 ? size[i] / (size[i] + d->product_half[i]) : 1;
    double computing = 2 * batch * m * n * k / (tsr_device_file_peak(d, type) * share);
    return fmax(computing, bytes / d->bandwidth);
}

double tsr_time_pass(const tsr_device_file *d, double flops, double bytes)
{
    return fmax(flops / d->vector, bytes / d->bandwidth);
}

tsr_sim_group tsr_sim_group_of(const tsr_device_file *d, int64_t n, int64_t stride)
{
    tsr_sim_group g = {.n = n, .stride = stride < 1 ? 1 : stride};
    for (uint32_t i = 0; i < d->nlink; i++) {
        int64_t reach = d->links[i].devices / g.stride;
        g.within[i] = !d->links[i].devices || reach >= n ? n : reach < 1 ? 1 : reach;
    }
    return g;
}

/* Bytes that each device moves over links of one level, where closer links join k devices and this level joins m such
 * sets. */
static double moved_at(tsr_collective kind, double before, double n, double k, double m)
{
    switch (kind) {
    case TSR_COLLECTIVE_GATHER: return before * (n / (k * m)) * (m - 1);
    case TSR_COLLECTIVE_SCATTER: return before / k * (1 - 1 / m);
    case TSR_COLLECTIVE_REDUCE: return 2 * before / k * (1 - 1 / m);
    case TSR_COLLECTIVE_EXCHANGE: return before * k * (m - 1) / n;
    case TSR_COLLECTIVE_PERMUTE:
    case TSR_COLLECTIVE_BROADCAST: return m > 1 ? before : 0;
    default: return 0;
    }
}

double tsr_time_collective(const tsr_device_file *d, tsr_collective kind, double before,
                           const tsr_sim_group *g, uint32_t *link)
{
    double seconds = 0, k = 1;
    *link = 0;
    for (uint32_t i = 0; i < d->nlink && k < (double)g->n; i++) {
        const tsr_sim_link *l = &d->links[i];
        double m = ceil((double)g->within[i] / k);
        if (m <= 1)
            continue;
        /* A gather uses the farthest links first, while parts are small; for the others the order does not change the
         * bytes. */
        double moved = moved_at(kind, before, (double)g->n, k, m);
        double steps = ceil(log2(m)) * (kind == TSR_COLLECTIVE_REDUCE ? 2 : 1);
        seconds +=
            l->launch + l->latency * steps + (moved > 0 ? (moved + l->half) / l->bandwidth : 0);
        *link = i;
        k *= m;
    }
    return seconds;
}
