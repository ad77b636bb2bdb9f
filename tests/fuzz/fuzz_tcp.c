/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_tcp.c - what comes from the network under a fuzzer: a rank is greeted and gets the input as frames, while it sends, has
 * asked for messages, and withdraws some. It must take or refuse them, and neither hang nor touch what is not its own. The first
 * byte says what it has begun. */
#include "fuzz.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcp/tcp.h"

enum { ROOM = 150000, LONG = 140000, REQUESTS = 6 };

typedef struct {
    tsr_transport *t;
    tsr_request r[REQUESTS];
    bool open[REQUESTS];
    char data[REQUESTS][ROOM];
} rank;

static void begin(rank *k, int i, bool out, int tag, size_t bytes)
{
    tsr_span s = {k->data[i], bytes, 1, 0};
    if (bytes > 16) /* rows with gaps */
        s = (tsr_span){k->data[i], bytes / 4, 4, bytes / 4 + 1};
    k->open[i] =
        out ? k->t->send(k->t, 1, tag, &s, &k->r[i]) : k->t->receive(k->t, 1, tag, &s, &k->r[i]);
}

/* Takes what the rank sends, and what it says of its requests. */
static void go_on(rank *k, int fd)
{
    char waste[4096];
    for (int round = 0; round < 4; round++) {
        while (recv(fd, waste, sizeof waste, MSG_DONTWAIT) > 0)
            ;
        k->t->rest(k->t, 1);
        for (int i = 0; i < REQUESTS; i++) {
            int done = k->open[i] ? k->t->test(k->t, &k->r[i]) : 0;
            if (done < 0)
                k->t->cancel(k->t, &k->r[i]);
            k->open[i] &= done == 0;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rank k;
    int pair[2], from = -1;
    size_t bytes;
    tsr_status s = {0};
    if (size < 1 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 0;
    tsr_tcp_options o = {.rank = 0, .size = 2, .listener = -1, .listen = "127.0.0.1:0"};
    memset(&k, 0, sizeof k);
    k.t = tsr_tcp_open(&o, &s);
    fuzz_must(k.t != NULL, "no transport");
    tsr_tcp_adopt(k.t, 1, pair[0]);
    if (data[0] & 1)
        begin(&k, 0, false, 20, 8);
    if (data[0] & 2)
        begin(&k, 1, false, 21, LONG);
    if (data[0] & 4)
        begin(&k, 2, true, 22, LONG);
    if (data[0] & 8)
        begin(&k, 3, true, 22, 8);
    for (size_t at = 1; at < size;) {
        size_t n = size - at < 5000 ? size - at : 5000;
        ssize_t sent = send(pair[1], data + at, n, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0)
            break;
        at += (size_t)sent;
        go_on(&k, pair[1]);
    }
    if (data[0] & 16 && k.open[1]) {
        k.t->cancel(k.t, &k.r[1]);
        k.open[1] = false;
    }
    begin(&k, 4, false, 23, 8);
    begin(&k, 5, false, 20, LONG);
    go_on(&k, pair[1]);
    (void)k.t->probe(k.t, 1, &from, &bytes);
    close(pair[1]);
    go_on(&k, -1);
    for (int i = 0; i < REQUESTS; i++)
        if (k.open[i])
            k.t->cancel(k.t, &k.r[i]);
    tsr_tcp_leave(k.t);
    return 0;
}
