/* SPDX-License-Identifier: Apache-2.0 */
/* explore.h - modules as pages: a module under a mesh and shardings, and answers to what-if questions about others
 * (docs/EXPLORE.md). */
#ifndef TSR_API_EXPLORE_H
#define TSR_API_EXPLORE_H

#include "api/simulate.h"
#include "explore/graph.h"
#include "explore/look.h"

/* The sharding of a value inside the function, named as in the printed module. */
typedef struct {
    tsr_str name, text;
} tsr_value_given;

typedef struct {
    tsr_shard_request shard;
    const tsr_value_given *values;
    size_t nvalue;
    const tsr_device_file *device; /* times are simulated on it; NULL: they are not */
    bool assumed;                  /* nobody asked for this device */
    tsr_str file;                  /* of the module */
    const tsr_graph *like;         /* graph whose sharding colours are reused; NULL: none */
    bool expand;                   /* everything is expanded */
    bool whys;                     /* explain the collectives that move the most bytes */
    uint32_t most_ops; /* partitioned to find which sharding to change; 0: that is not looked for */
} tsr_view_request;

/* A displayed module, and its plan. */
typedef struct {
    tsr_arena arena;
    tsr_module *m, *planned; /* planned: NULL, m, or a partitioned copy */
    bool owned;              /* whether it owns m */
    tsr_shard_plan plan;
    tsr_graph graph;
    tsr_attr **written; /* by argument and then by result: the sharding before propagation */
    tsr_look look;
    tsr_look_try tries[3];
    uint32_t ntry;
    bool looked;                                /* whether there is one: of a module with a plan */
    tsr_buf whys, step, program, figures, html; /* JSON; html: the first look */
} tsr_view;

/* Applies the request to m, propagates, plans with a copy, and lays out the graph. A module without a mesh is shown as
 * it is. False after diagnostics, or with a status. Must be freed in any case, with m if owned. */
bool tsr_view_make(tsr_view *v, tsr_module *m, bool owned, const tsr_view_request *request,
                   tsr_status *status);
void tsr_view_free(tsr_view *v);
/* The view in the form that a page needs. */
tsr_page_view tsr_view_on_page(const tsr_view *v, const char *label);

/* ---- What-if ---- */

/* Answers a question in JSON: {"mesh": "x=2,y=4", "given": [["argument", 0, "x,_"], ["result", 0, "_"], ["value", "%3",
 * "x"]], "why": "%3"}; each part is optional. The answer is the view of base, or the text of why, as JSON. The view is
 * complete if its graph has another shape than the one on the page. The caller frees the text; NULL with a status if
 * there is no such plan. base is not changed. */
tsr_str tsr_view_answer(tsr_module *base, const tsr_view_request *on_page, uint64_t shape,
                        tsr_str question, tsr_status *status);
/* {"mesh", "given"} of a request, in the form of questions. */
void tsr_view_given(tsr_buf *out, const tsr_shard_request *request);

#endif
