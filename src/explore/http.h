/* SPDX-License-Identifier: Apache-2.0 */
/* http.h - the part of HTTP/1.1 that the explorer's server speaks: one request per connection, which the answer
 * ends. */
#ifndef TSR_EXPLORE_HTTP_H
#define TSR_EXPLORE_HTTP_H

#include "base/str.h"

/* Longer requests are refused before they are read. */
enum { TSR_HTTP_HEAD_MOST = 8192, TSR_HTTP_BODY_MOST = 65536 };

typedef struct {
    tsr_str method, path, host, origin, type, body; /* point into the bytes that were parsed */
    bool has_origin;
} tsr_http_request;

/* Parses a request, or its beginning: 200 if it is complete, 0 if more must be read, else the status to refuse it
 * with. */
int tsr_http_parse(tsr_str bytes, tsr_http_request *out);
/* Whether a request is for the server at this port and comes from one of its own pages, or from no page at all: 200, or
 * the status to refuse it with. Pages of other sites must not send requests, even under a host name that leads to this
 * machine. */
int tsr_http_allow(const tsr_http_request *r, unsigned port);
/* Writes an answer; type NULL: the body is the status in words. */
void tsr_http_answer(tsr_buf *out, int status, const char *type, tsr_str body);

/* ---- serve.c: the loop ---- */

/* Fills in the answer to a request that is allowed. */
typedef void tsr_serve_fn(void *user, const tsr_http_request *request, tsr_buf *out);

typedef struct {
    unsigned port; /* 0: any free one; then the port in use */
    tsr_serve_fn *answer;
    void *user;
    bool (*stopped)(void *user); /* called several times a second: whether to stop */
    int fd;
} tsr_server;

/* Listens on 127.0.0.1. False: errno says why. */
bool tsr_server_open(tsr_server *s);
/* Answers one request after the other until stopped. Closes the server. False: errno says why. */
bool tsr_server_run(tsr_server *s);

#endif
