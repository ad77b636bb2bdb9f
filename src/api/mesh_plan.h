/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_plan.h - a plan for a mesh: the shardings that a search found, apart from the module that it found them for.
 *
 * A plan has candidates, each complete: a mesh, a sharding for every argument and result, and pins, which are shardings
 * of values in between. Ops are numbered in program order in the form that every program is brought into first: calls
 * inlined, without shardings. A sharding is a text as on the command line (shard/core/given.h): "dp+tp,_". A plan
 * belongs to no context: it is applied to any module with the same program. */
#ifndef TSR_API_MESH_PLAN_H
#define TSR_API_MESH_PLAN_H

#include "api/simulate.h"
#include "base/json.h"
#include "search/layout.h"

/* An argument or a result of the function. */
typedef struct {
    tsr_str name, type, location,
        sharding; /* name: "" if it has none; no type: a tensor without sharding */
} tsr_mesh_plan_port;

/* The sharding of the result of an op, or of an operand for this reader alone. */
typedef struct {
    uint32_t number;  /* of the op */
    uint32_t operand; /* 1 + its number; 0: the result */
    uint32_t group;   /* pins that were tried and kept together */
    tsr_str op, name, type, location, source, sharding;
    double without_seconds, without_peak; /* of a step without its group; negative: not known */
} tsr_mesh_plan_pin;

typedef struct {
    tsr_str name;
    tsr_search_mesh mesh; /* without parts of axes */
    double seconds, peak, moved, exposed;
    uint32_t ncollective, pins_before;
    bool fits, minimised, estimated; /* estimated: from few of the layers that repeat */
    tsr_mesh_plan_port *args, *results;
    uint32_t narg, nresult, npin;
    tsr_mesh_plan_pin *pins; /* in program order */
} tsr_mesh_plan_candidate;

/* What a plan knows of its program. */
typedef struct {
    tsr_str function;
    uint64_t fingerprint; /* of types and ops */
    uint32_t nop;
} tsr_mesh_plan_program;

struct tsr_mesh_plan {
    tsr_arena arena;
    tsr_mesh_plan_program program;
    tsr_str device;
    double memory; /* bytes a device */
    bool expressible, keep;
    tsr_pins pins;
    uint32_t chosen, n;
    tsr_mesh_plan_candidate *candidates;
};

enum { TSR_MESH_PLAN_VERSION = 1, TSR_MESH_PLAN_CANDIDATES = 8 };

#define TSR_MESH_PLAN_TOLERANCE 0.02

const char *tsr_pins_name(tsr_pins pins); /* "few" */
static inline const tsr_mesh_plan_candidate *tsr_mesh_plan_chosen(const tsr_mesh_plan *p)
{
    return &p->candidates[p->chosen];
}
tsr_mesh_plan *tsr_mesh_plan_new(void);

/* ---- mesh_plan_json.c, mesh_plan_read.c ---- */

void tsr_mesh_plan_json(tsr_buf *out, const tsr_mesh_plan *p);
/* NULL with a status; *bad, which may be NULL, is the diagnostic at the place in the text, which has the text of the
 * status. */
tsr_mesh_plan *tsr_mesh_plan_read(tsr_str text, tsr_str name, tsr_diag *bad, tsr_status *status);

/* ---- mesh_plan_apply.c ---- */

/* The program of a function whose module is in the form that plans are for. */
void tsr_mesh_plan_program_of(const tsr_op *func, tsr_mesh_plan_program *out);
/* An argument or a result without its sharding, in the arena. */
tsr_mesh_plan_port tsr_mesh_plan_port_of(tsr_arena *arena, const tsr_op *func, bool result,
                                         uint32_t i);
/* Gives the chosen candidate's mesh and shardings to a module, whose calls are inlined. with_pins: false for those of
 * arguments and results alone, which other versions of the program can take too. False after diagnostics, or with a
 * status. */
bool tsr_mesh_plan_apply(tsr_module *m, const tsr_mesh_plan *p, bool with_pins, tsr_status *status);

/* ---- mesh_plan_check.c ---- */

typedef struct {
    const tsr_device_file *device; /* NULL: the plan's */
    double memory;                 /* bytes; 0: the plan's */
    double tolerance;              /* a share: 0.02 */
    bool no_pins;
} tsr_mesh_plan_check_request;

/* Simulates a copy of the module with the plan, and reports the figures beside the promised ones. *keeps: whether it
 * keeps the promise. False after diagnostics, or with a status. */
bool tsr_mesh_plan_check(tsr_module *m, const tsr_mesh_plan *p,
                         const tsr_mesh_plan_check_request *request, bool json, tsr_buf *out,
                         bool *keeps, tsr_status *status);
/* How the chosen candidates of two plans differ: figures, shardings of arguments, pins. */
void tsr_mesh_plan_differences(tsr_buf *out, const tsr_mesh_plan *a, const tsr_mesh_plan *b,
                               bool json);

#endif
