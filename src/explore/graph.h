/* SPDX-License-Identifier: Apache-2.0 */
/* graph.h - a module as a picture: nodes in rows, groups of nodes that open and close, edges; and the output made from
 * it.
 *
 * A node is an op, an argument of a block, or a box of them (scope.h). A group is what a block or a box contains: its
 * nodes are contiguous, arguments first, then the rest in program order. The body of a private function is in the first
 * op that calls it. All dialects look alike. */
#ifndef TSR_EXPLORE_GRAPH_H
#define TSR_EXPLORE_GRAPH_H

#include "base/status.h"
#include "explore/scope.h"
#include "shard/spmd/plan.h"
#include "sim/sim.h"

enum { TSR_NO_NODE = 0xFFFFFFFF };

typedef struct {
    tsr_op *op;             /* NULL: an argument, or a box */
    const tsr_value *value; /* the argument, or the op's first result; NULL: the op has none */
    const tsr_box *box;     /* NULL: an op or an argument */
    uint32_t group;
    uint32_t
        body; /* of a call, or a function: the node that has the function's body; TSR_NO_NODE: itself */
    uint32_t row, col;   /* in its group */
    uint32_t inner, nin; /* groups inside: the first, how many; they are contiguous */
    int32_t sharding;    /* index into shardings; -1: none */
    int32_t x, y, w, h;  /* tsr_graph_place; w is 0 inside a closed group */
} tsr_graph_node;

typedef struct {
    const tsr_sharding *sharding;
    uint32_t colour; /* 0: not divided; else from 1, one for each set of axes */
} tsr_graph_sharding;

typedef struct {
    uint32_t parent; /* the node it is inside of; TSR_NO_NODE: the module's body */
    uint32_t first, n;
    uint32_t nrow;
    uint32_t depth; /* number of enclosing groups */
    bool open;
    int32_t w, h;
} tsr_graph_group;

typedef struct {
    tsr_module *m;
    tsr_arena *arena;
    tsr_shardings table;
    tsr_str *names; /* of values, by id */
    TSR_VEC(tsr_graph_node) nodes;
    TSR_VEC(tsr_graph_group) groups;
    TSR_VEC(tsr_graph_sharding) shardings; /* those of nodes, each once */
    uint64_t colour_axes[64];              /* by colour: its axes, a bit each */
    uint32_t ncolour;
    uint32_t *starts; /* by node: where its edges begin in from; one more at the end */
    /* nodes of the same group whose values it uses, itself or between nested nodes */
    uint32_t *from;
    uint32_t *used_starts; /* the same, ignoring groups: nodes whose values an op uses */
    uint32_t *used;
    uint32_t *order; /* nodes of each group, row by row */
    uint32_t nedge, nused;
    uint32_t nlayer;
    /* hash of the names of ops, groups and edges: graphs of equal shape differ in shardings alone */
    uint64_t shape;
    uint64_t steps; /* work of the layout, counted for the tests */
} tsr_graph;

/* Builds nodes, edges and rows. Renumbers ids. All memory except the vectors is allocated in the arena. */
void tsr_graph_make(tsr_arena *arena, tsr_module *m, tsr_graph *g);
void tsr_graph_free(tsr_graph *g);
/* Gives shardings the same colours as in another graph. */
void tsr_graph_colour_like(tsr_graph *g, const tsr_graph *other);
/* Opens the module's body and this function (NULL: all functions), or everything. */
void tsr_graph_open(tsr_graph *g, const tsr_op *func, bool all);
/* Computes coordinates of visible nodes. */
void tsr_graph_place(tsr_graph *g);

/* The text of a node's box: "stablehlo.add", "func.func @main", "%arg0". */
void tsr_graph_title(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n);
/* The dimensions of a sharding, as in a plan; replicated if it is NULL. */
void tsr_graph_cut(tsr_buf *out, const tsr_sharding *s);
uint32_t tsr_graph_colour(const tsr_graph *g, const tsr_graph_node *n);

/* Pictures for other tools. */
void tsr_graph_dot(tsr_buf *out, const tsr_graph *g);
void tsr_graph_svg(tsr_buf *out, const tsr_graph *g);
/* Draws meshes and the division of each argument and result of a plan, with box characters. */
void tsr_plan_picture(tsr_buf *out, tsr_arena *arena, tsr_module *m, const tsr_shard_plan *plan);

/* ---- Pages ---- */

/* State of a node when two graphs are compared. */
typedef enum { TSR_DIFF_SAME, TSR_DIFF_CHANGED, TSR_DIFF_ALONE } tsr_diff;
/* Compares two graphs of one context; by node of each: a tsr_diff, allocated in the graphs' arenas. Returns the number
 * of nodes of b that differ from a. */
size_t tsr_graph_diff(const tsr_graph *a, const tsr_graph *b, uint8_t **of_a, uint8_t **of_b);

/* One graph of a page. The plan may be NULL. */
typedef struct {
    const char *label;
    const tsr_graph *graph;
    const tsr_shard_plan *plan;
    const uint8_t *diff; /* NULL: not compared */
    /* JSON: why the values that need collectives are sharded as they are; empty: none */
    tsr_str whys;
    tsr_str step, program, figures; /* JSON; empty: none */
    tsr_str look;                   /* HTML; empty: none */
} tsr_page_view;

/* The contents of a page: one view, or two side by side. */
typedef struct {
    const tsr_page_view *views;
    size_t nview;
    tsr_str file, text;     /* the source; empty: none */
    int version;            /* of the program that writes the page */
    tsr_str trace, goldens; /* JSON (reports.c); empty: none */
    tsr_str given;          /* JSON: the mesh and shardings given by the user; empty: none */
    bool served;            /* by a server that answers what-if questions */
} tsr_page;

/* all: also what pages do not show. */
void tsr_page_json(tsr_buf *out, const tsr_page *page, bool all);
void tsr_page_html(tsr_buf *out, const tsr_page *page);
/* pack.c: the size, and the text deflated, in base64. At most 4 GB of text. */
void tsr_page_pack(tsr_buf *out, tsr_str text);
/* One view as an answer; only_shardings: leaves out what does not depend on shardings. */
void tsr_page_answer(tsr_buf *out, const tsr_page *page, bool only_shardings);

/* ---- program.c ---- */

/* What a device does in a step, as JSON: tasks with those inside of them, and how long values are in memory. device:
 * NULL, times are not known. */
void tsr_page_program(tsr_buf *out, const tsr_sim *sim, const tsr_device_file *device,
                      const tsr_shard_plan *plan, tsr_ctx *ctx);

/* ---- reports.c: reports of other commands, converted for pages ---- */

/* A trace in Chrome's format, or the output of `tessera run --timing --json`. False: the status has the error and its
 * position. */
bool tsr_page_trace(tsr_arena *arena, tsr_str file, tsr_str text, tsr_buf *out, tsr_status *status);
/* The report of a check of goldens (docs/API.md). */
bool tsr_page_goldens(tsr_arena *arena, tsr_str file, tsr_str text, tsr_buf *out,
                      tsr_status *status);

#endif
