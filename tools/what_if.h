/* SPDX-License-Identifier: Apache-2.0 */
/* what_if.h - `tessera explore --serve`: the page, and answers to what-if questions about other meshes and
 * shardings. */
#ifndef TSR_TOOLS_WHAT_IF_H
#define TSR_TOOLS_WHAT_IF_H

#include "api/explore.h"
#include "tools.h"

typedef struct {
    const tool *t;
    unsigned port;
    tsr_module *base; /* before any shardings were given */
    const tsr_view_request *request;
    uint64_t shape; /* of the graph on the page */
    tsr_str html;
} what_if;

/* Serves until Ctrl-C; returns the exit code. */
int serve_page(what_if *w);
/* "8000". 0, or the exit code after a message on stderr. */
int read_port(const tool *t, const char *text, unsigned *port);

#endif
