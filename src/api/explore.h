/* explore.h - modules as pages: a module under a mesh and shardings, and answers to what would be under others (docs/EXPLORE.md). */
#ifndef TSR_API_EXPLORE_H
#define TSR_API_EXPLORE_H

#include "api/simulate.h"
#include "explore/graph.h"

/* The sharding of a value inside the function, which is named as printing names it. */
typedef struct {
    tsr_str name, text;
} tsr_value_given;

typedef struct {
    tsr_shard_request shard;
    const tsr_value_given *values;
    size_t nvalue;
    const tsr_device *device; /* times are simulated on it; NULL: they are not */
    const tsr_graph *like;    /* has colours of shardings already; NULL: none */
    bool expand;              /* everything is open */
    bool whys;                /* the reasons of the collectives that move the most are told */
} tsr_view_request;

/* A module as it is shown, and its plan. */
typedef struct {
    tsr_arena arena;
    tsr_module *m, *planned; /* planned: NULL, m, or a copy that was partitioned */
    bool owned;              /* m */
    tsr_shard_plan plan;
    tsr_graph graph;
    tsr_buf whys, times, step; /* step: the report of a simulation, times: its trace */
} tsr_view;

/* Gives m what the request says, propagates, plans with a copy, and lays out the graph. A module without a mesh is shown as it is.
 * False after diagnostics, or with a status. Free it in any case; owned: and m with it. */
bool tsr_view_make(tsr_view *v, tsr_module *m, bool owned, const tsr_view_request *request,
                   tsr_status *status);
void tsr_view_free(tsr_view *v);
/* How a page has it. */
tsr_page_view tsr_view_on_page(const tsr_view *v, const char *label);

/* ---- What-if ---- */

/* A question in JSON: {"mesh": "x=2,y=4", "given": [["argument", 0, "x,_"], ["result", 0, "_"], ["value", "%3", "x"]], "why": "%3"};
 * each may be left out. Answers with the view of base, or with the text of why, as JSON. The view is whole when its graph has another
 * shape than the one on the page. Text is the caller's to free; NULL, and a status: there is no such plan. base stays as it is. */
tsr_str tsr_view_answer(tsr_module *base, const tsr_view_request *on_page, uint64_t shape,
                        tsr_str question, tsr_status *status);
/* {"mesh", "given"} of a request, as questions have them. */
void tsr_view_given(tsr_buf *out, const tsr_shard_request *request);

#endif
