/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.c - a device file of this machine: see cpu.h. */
#include "sim/cpu.h"

#include "sim/sim.h"

/* Element types for which the machine has its own product rates. */
static const struct {
    const char *name;
    tsr_dtype type;
} types[] = {{"f32", TSR_D_F32}, {"f64", TSR_D_F64}, {"bf16", TSR_D_BF16}};

void tsr_cpu_device(tsr_buf *out, const tsr_machine *m, double memory)
{
    double threads = m->threads > 0 ? m->threads : 1;
    tsr_buf_cstr(out, "{\n  \"name\": \"cpu\",\n  \"about\": \"one thread of ");
    for (const char *p = m->name; *p; p++)
        if (*p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
            tsr_buf_char(out, *p);
    tsr_buf_report(out, "\",\n  \"memory\": %.0f,\n  \"bandwidth\": %.9g,\n", memory / threads,
                   m->bandwidth.all / threads);
    tsr_buf_report(out, "  \"launch\": %.9g,\n  \"vector\": %.9g,\n  \"products\": {", m->dispatch,
                   m->gemm[0].one);
    for (size_t i = 0; i < TSR_COUNT(types); i++)
        tsr_buf_report(out, "%s\"%s\": %.9g", i ? ", " : "", types[i].name,
                       tsr_machine_flops(m, types[i].type, true) / threads);
    /* Rates are measured; large products reach them. Threads exchange values through memory and do almost nothing else
     * meanwhile. */
    tsr_buf_report(out,
                   "},\n  \"product_share\": 1,\n  \"product_half\": [4, 8, 8],\n"
                   "  \"attention_share\": 0.5,\n  \"overlap\": 0.1,\n  \"links\": [\n"
                   "    {\"name\": \"memory\", \"bandwidth\": %.9g, \"latency\": %.9g, "
                   "\"launch\": %.9g}\n  ]\n}\n",
                   m->bandwidth.all / threads / 2, m->dispatch, m->dispatch);
}
