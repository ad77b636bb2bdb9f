/* http.h - as much of HTTP/1.1 as the explorer's server speaks: one request for each connection, and answers that end it. */
#ifndef TSR_EXPLORE_HTTP_H
#define TSR_EXPLORE_HTTP_H

#include "base/str.h"

/* Longer requests are refused before they are read. */
enum { TSR_HTTP_HEAD_MOST = 8192, TSR_HTTP_BODY_MOST = 65536 };

typedef struct {
    tsr_str method, path, host, origin, type, body; /* in the bytes that were parsed */
    bool has_origin;
} tsr_http_request;

/* Of a request, or of its beginning: 200 when it is whole, 0 when more is to come, else the status to refuse it with. */
int tsr_http_parse(tsr_str bytes, tsr_http_request *out);
/* Whether a request is for the server at this port and comes from a page of its own, or from no page at all: 200, or the status to
 * refuse it with. A page of somebody else must not ask, even under a name that leads to this machine. */
int tsr_http_allow(const tsr_http_request *r, unsigned port);
/* An answer; type NULL: the status in words is all of it. */
void tsr_http_answer(tsr_buf *out, int status, const char *type, tsr_str body);

/* ---- serve.c: the loop ---- */

/* Fills in an answer of a request that is allowed. */
typedef void tsr_serve_fn(void *user, const tsr_http_request *request, tsr_buf *out);

typedef struct {
    unsigned port; /* 0: any that is free; then the one that it is */
    tsr_serve_fn *answer;
    void *user;
    bool (*stopped)(void *user); /* asked several times a second: whether to end */
    int fd;
} tsr_server;

/* Listens on 127.0.0.1. False: errno says why. */
bool tsr_server_open(tsr_server *s);
/* Answers, one request after the other, until it is stopped. Closes the server. False: errno says why. */
bool tsr_server_run(tsr_server *s);

#endif
