/* SPDX-License-Identifier: Apache-2.0 */
/* auto.h - automatic sharding: candidates are partitioned for real and simulated, and the best one that fits in memory
 * wins. */
#ifndef TSR_API_AUTO_H
#define TSR_API_AUTO_H

#include "api/mesh_plan.h"
#include "search/sharding.h"
#include "search/tactics.h"

/* The origin of a candidate. */
typedef enum { TSR_AUTO_EXPERT, TSR_AUTO_SEARCH, TSR_AUTO_FLIP, TSR_AUTO_GIVEN } tsr_auto_origin;

typedef struct {
    tsr_str name; /* "dp: data parallel, tp: tensor parallel" */
    tsr_auto_origin origin;
    uint32_t mesh;                       /* index of the mesh among those tried */
    tsr_str axes[TSR_SEARCH_AXES];       /* what its axes are called in this plan */
    bool named_by_axes;                  /* name has these names */
    tsr_tactic tactics[TSR_SEARCH_AXES]; /* of an expert's plan */
    tsr_layout *args;
    tsr_layout_pin *pins;
    uint32_t npin;
    bool works;    /* it could be partitioned */
    bool settled;  /* tried with all layers; else the values below are estimated from few */
    bool compiled; /* the peak is the engine's; else it is an estimate */
    double seconds, peak, moved, exposed, computing;
    double starting; /* seconds spent starting kernels */
    uint32_t ncollective;
} tsr_auto_plan;

/* How many devices can be asked for, in numbers and in words. */
enum { TSR_AUTO_LEAST_DEVICES = 2, TSR_AUTO_MOST_DEVICES = 65536 };
#define TSR_AUTO_DEVICES "a number from 2 to 65536"

/* What is wanted of the plan as an object. */
typedef struct {
    tsr_pins pins;
    bool expressible;
    const tsr_str *excluded;
    size_t nexcluded, candidate;
    tsr_str device; /* as it was named */
    bool required;  /* without an object, the search fails; else it is only for the report */
} tsr_plan_request;

/* What the pins of the chosen plan are worth. */
typedef struct {
    uint32_t group;       /* its number */
    double seconds, peak; /* without it; negative seconds: not known */
} tsr_auto_pin_group;

typedef struct {
    uint32_t before; /* pins that the plan had */
    bool minimised;
    tsr_auto_pin_group *groups; /* by pin; NULL: they are not known */
} tsr_auto_pins;

typedef struct {
    tsr_shard_request shard; /* mesh: empty with devices, or the module's own */
    int64_t devices;         /* 0: use mesh */
    tsr_str
        axes; /* with devices: "dp,tp", the names of axes; empty: by what a plan does with them */
    const tsr_device_file *device;
    double memory;  /* bytes per device; 0: the device's */
    double seconds; /* wall-clock time after which only necessary work is done; 0: no limit */
    bool keep;      /* shardings of the module are constraints; else they are dropped */
    bool no_experts, no_search;
    tsr_search_progress_fn *progress; /* may be NULL */
    void *user;
    const tsr_plan_request *plan; /* NULL: with all pins, and no object is made */
} tsr_auto_request;

typedef struct {
    TSR_VEC(tsr_search_mesh) meshes;
    TSR_VEC(tsr_auto_plan) plans;
    uint32_t best;    /* index of the plan */
    uint32_t settled; /* the best plan tried with all layers; UINT32_MAX: none */
    double limit;
    double work;        /* operations in products of the undivided program */
    double bytes_count; /* weight of bytes relative to time: 0 unless the program is small */
    uint32_t nlayer;    /* repeated layers; 0: none, or too few */
    uint32_t nnode, nedge, nsolve;
    double solver_seconds; /* processor time of the longest of nsolve runs */
    double bound_ratio;    /* cost of the solver's answer over its bound; 0: unknown */
    bool fits;
    bool unnamed;            /* each plan names the axes of its mesh by what it does with them */
    tsr_simulated simulated; /* the winner */
    tsr_module *local;       /* its program; NULL: not available yet */
    uint32_t shown[TSR_MESH_PLAN_CANDIDATES], nshown,
        chosen;          /* the plans of the object, and which of them is chosen */
    tsr_auto_pins pins;  /* of the best plan */
    tsr_mesh_plan *plan; /* on request; whoever takes it sets NULL */
} tsr_auto_result;

/* The request for the options of a public call, which may be NULL. */
tsr_auto_request tsr_auto_request_of(const tsr_auto_options *o, const tsr_device_file *device);
/* Finds shardings and applies them to the module, whose calls are inlined. Memory comes from the arena. False after
 * diagnostics, or with a status, for example if nothing fits. */
bool tsr_auto_shard(tsr_arena *arena, tsr_module *m, const tsr_auto_request *request,
                    tsr_auto_result *out, tsr_status *status);
void tsr_auto_free(tsr_auto_result *r);
/* The mesh of a plan, with its own names for the axes. */
tsr_search_mesh tsr_auto_mesh_of(const tsr_auto_result *r, const tsr_auto_plan *p);

/* Steps that bring a program into the form that plans are for: no shardings, no ops that only carry them, no calls. */
bool tsr_auto_drop_shardings(tsr_module *m);
bool tsr_auto_inline(tsr_module *m);
bool tsr_auto_is_manual(const tsr_module *m); /* it has manual computations */

/* Reshards an operand for its reader; last: by value, the previous op that did so. */
void tsr_auto_bring(tsr_op *op, uint32_t operand, tsr_attr *sharding, tsr_op **last);

/* The report, as text or as JSON. explain: with all candidates and why they lost. */
void tsr_auto_text(tsr_buf *out, const tsr_auto_result *r, bool explain);
void tsr_auto_json(tsr_buf *out, const tsr_auto_result *r);

#endif
