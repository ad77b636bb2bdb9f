/* SPDX-License-Identifier: Apache-2.0 */
/* hosts.c - the ranks of a job on TCP: started here, or by somebody else on the hosts of a list. See ranks.h. */
#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 4096 };

static bool refuse(tsr_status *s, const char *what, const char *value)
{
    return tsr_status_set(s, TSR_BAD_INPUT, "%s '%.100s'", what, value ? value : "");
}

static bool read_number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* ---- Ranks on this host ---- */

/* Whoever is not done some time after another has failed is killed. */
static TSR_NORETURN void wait_for_all(pid_t *children, int n)
{
    const double patience = 10;
    double failed = 0;
    int code = 0, left = n;
    while (left) {
        int status, k = 0;
        pid_t gone = waitpid(-1, &status, failed > 0 ? WNOHANG : 0);
        if (gone < 0 && errno != EINTR)
            break;
        while (k < n && children[k] != gone)
            k++;
        if (gone > 0 && k < n) {
            children[k] = 0;
            left--;
            int its = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_ENVIRONMENT;
            code = code ? code : its;
            failed = its && failed <= 0 ? wall_seconds() : failed;
            continue;
        }
        for (k = 0; k < n && wall_seconds() - failed > patience; k++)
            if (children[k] > 0)
                kill(children[k], SIGKILL);
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
    _exit(code);
}

static bool make_cookie(unsigned char *out)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && read(fd, out, TSR_TCP_COOKIE) == TSR_TCP_COOKIE;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* All listen before any starts: nobody has to look for another. */
static bool start_here(hosts *h, tsr_status *s)
{
    int *listeners = tsr_xmalloc((size_t)h->n * sizeof *listeners);
    pid_t *children = tsr_xmalloc((size_t)h->n * sizeof *children);
    bool ok = make_cookie(h->cookie) ||
              tsr_status_set(s, TSR_ENVIRONMENT, "cannot read /dev/urandom: %s", strerror(errno));
    for (int i = 0; i < h->n; i++)
        listeners[i] = -1;
    for (int i = 0; ok && i < h->n; i++) {
        listeners[i] = tsr_tcp_listen("127.0.0.1:0", s);
        ok = listeners[i] >= 0 &&
             tsr_tcp_bound(listeners[i], h->addresses[i], sizeof h->addresses[i]);
    }
    pid_t parent = getpid();
    fflush(NULL);
    for (int i = 0; ok && i < h->n; i++) {
        children[i] = fork();
        if (children[i] > 0)
            continue;
        if (children[i] < 0) {
            fprintf(stderr, "tessera: error: cannot start rank %d: %s\n", i, strerror(errno));
            while (i-- > 0)
                kill(children[i], SIGKILL);
            _exit(EXIT_ENVIRONMENT);
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(EXIT_ENVIRONMENT);
        h->mine = i;
        h->listener = listeners[i];
        for (int k = 0; k < h->n; k++)
            if (k != i)
                close(listeners[k]);
        tsr_free(listeners);
        tsr_free(children);
        return true;
    }
    for (int i = 0; i < h->n; i++)
        if (listeners[i] >= 0)
            close(listeners[i]);
    if (ok)
        wait_for_all(children, h->n);
    tsr_free(listeners);
    tsr_free(children);
    return false;
}

/* ---- Ranks on hosts of a list ---- */

static const char *given_rank(const hosts *h)
{
    static const char *const variables[] = {"TESSERA_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};
    const char *text = h->rank;
    for (size_t i = 0; !text && i < TSR_COUNT(variables); i++)
        text = getenv(variables[i]);
    return text;
}

/* A secret that all ranks are given, or what they all know: then whoever knows the list can join. */
static void find_cookie(hosts *h)
{
    const char *text = getenv("TESSERA_COOKIE");
    text = text && *text ? text : h->list;
    for (size_t i = 0; i < TSR_TCP_COOKIE; i++) {
        uint64_t x = 0xCBF29CE484222325u + i;
        for (const char *p = text; *p; p++)
            x = (x ^ (unsigned char)*p) * 0x100000001B3u;
        h->cookie[i] = (unsigned char)(x >> 32 ^ x >> 11);
    }
}

static bool read_list(hosts *h, tsr_status *s)
{
    int i = 0;
    for (const char *p = h->list; i < h->n; i++) {
        size_t n = strcspn(p, ",");
        if (!n || n >= sizeof h->addresses[i] || !memchr(p, ':', n))
            return refuse(s, "--hosts is a number of ranks, or host:port,host:port,...; not",
                          h->list);
        memcpy(h->addresses[i], p, n);
        h->addresses[i][n] = 0;
        p += n + 1;
    }
    const char *rank = given_rank(h);
    uint64_t mine;
    if (!rank)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "--hosts names %d ranks; --rank, or TESSERA_RANK, says which this is",
                              h->n);
    if (!read_number(rank, &mine) || mine >= (uint64_t)h->n)
        return tsr_status_set(s, TSR_BAD_INPUT, "rank '%.40s' is none of the %d of --hosts", rank,
                              h->n);
    h->mine = (int)mine;
    find_cookie(h);
    return true;
}

bool hosts_start(hosts *h, tsr_status *s)
{
    uint64_t n = 0;
    if (!h->list || !*h->list)
        return tsr_status_set(s, TSR_BAD_INPUT,
                              "--transport=tcp needs --hosts: a number of ranks on this host, or "
                              "an address for each rank");
    bool here = read_number(h->list, &n);
    n = here ? n : 0;
    for (const char *p = h->list; !here && p; p = strchr(p + 1, ','))
        n++;
    if (!n || n > MOST_RANKS)
        return tsr_status_set(s, TSR_BAD_INPUT, "--hosts: there are 1 to %d ranks", MOST_RANKS);
    h->n = (int)n;
    h->listener = -1;
    h->addresses = tsr_xmalloc(n * sizeof *h->addresses);
    return here ? start_here(h, s) : read_list(h, s);
}

tsr_transport *hosts_open(hosts *h, tsr_status *s)
{
    const double starting = 60;
    tsr_tcp_options o = {.rank = h->mine,
                         .size = h->n,
                         .listener = h->listener,
                         .listen = h->addresses[h->mine],
                         .patience = h->listener < 0 ? starting : 0};
    memcpy(o.cookie, h->cookie, sizeof o.cookie);
    tsr_transport *t = tsr_tcp_open(&o, s);
    for (int i = 0; t && i < h->n; i++)
        tsr_tcp_know(t, i, tsr_cstr(h->addresses[i]), NULL);
    return t;
}

void hosts_free(hosts *h)
{
    tsr_free(h->addresses);
    h->addresses = NULL;
}
