/* graph.h - a module as a picture: nodes in rows, groups of them that open and close, edges; and what is made of it.
 *
 * A node is an op, or an argument of a block. A group is a block: its nodes stand one behind the other, arguments first, then ops in
 * the order of the program. Nothing here asks what an op is: all dialects look alike. */
#ifndef TSR_EXPLORE_GRAPH_H
#define TSR_EXPLORE_GRAPH_H

#include "shard/spmd/plan.h"

enum { TSR_NO_NODE = 0xFFFFFFFF };

typedef struct {
    tsr_op *op;             /* NULL: an argument */
    const tsr_value *value; /* the argument, or the op's first result; NULL: the op has none */
    uint32_t group;
    uint32_t row, col;   /* in its group */
    uint32_t inner, nin; /* groups inside: the first, how many; they stand one behind the other */
    int32_t sharding;    /* index into shardings; -1: none */
    int32_t x, y, w, h;  /* tsr_graph_place; w is 0 when it is inside something closed */
} tsr_graph_node;

typedef struct {
    const tsr_sharding *sharding;
    uint32_t colour; /* 0: not divided; else from 1, one for each set of axes */
} tsr_graph_sharding;

typedef struct {
    uint32_t parent; /* the node it is inside of; TSR_NO_NODE: the module's body */
    uint32_t first, n;
    uint32_t nrow;
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
    uint32_t *from;   /* nodes of the same group whose values a node uses, or something inside it */
    uint32_t *order;  /* of each group its nodes, row by row */
    uint32_t nedge;
    uint64_t steps; /* how much work the layout was: what the tests count */
} tsr_graph;

/* Nodes, edges, rows. Gives ids anew. All memory but the vectors' is the arena's. */
void tsr_graph_make(tsr_arena *arena, tsr_module *m, tsr_graph *g);
void tsr_graph_free(tsr_graph *g);
/* Opens the module's body and this function (NULL: all functions), or everything. */
void tsr_graph_open(tsr_graph *g, const tsr_op *func, bool all);
/* Coordinates of what is to be seen. */
void tsr_graph_place(tsr_graph *g);

/* What a node says in its box: "stablehlo.add", "func.func @main", "%arg0". */
void tsr_graph_title(tsr_buf *out, const tsr_graph *g, const tsr_graph_node *n);
/* The dimensions of a sharding, as a plan has them; replicated when it is NULL. */
void tsr_graph_cut(tsr_buf *out, const tsr_sharding *s);
uint32_t tsr_graph_colour(const tsr_graph *g, const tsr_graph_node *n);

/* Text, with what could mislead a reader written as an escape: controls, changes of direction, broken UTF-8; and with what has a
 * meaning where it goes made harmless. */
typedef enum {
    TSR_VISIBLE_JSON, /* a text of JSON, strings quoted already, inside a script */
    TSR_VISIBLE_XML,
    TSR_VISIBLE_DOT,  /* inside quotes */
    TSR_VISIBLE_TEXT, /* a terminal */
} tsr_visible;
void tsr_text_visible(tsr_buf *out, tsr_str s, tsr_visible where);

/* Pictures for other tools. */
void tsr_graph_dot(tsr_buf *out, const tsr_graph *g);
void tsr_graph_svg(tsr_buf *out, const tsr_graph *g);
/* Meshes and the cut of each argument and result of a plan, with box characters. */
void tsr_plan_picture(tsr_buf *out, tsr_arena *arena, tsr_module *m, const tsr_shard_plan *plan);

/* What a page shows. The plan may be NULL; planned: the module that it is of. */
typedef struct {
    const tsr_graph *graph;
    const tsr_shard_plan *plan;
    tsr_module *planned;
    tsr_str file, text; /* the source; empty: none */
    int version;        /* of who makes the page */
} tsr_page;

void tsr_page_json(tsr_buf *out, const tsr_page *page);
void tsr_page_html(tsr_buf *out, const tsr_page *page);

#endif
