/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c - see ranks.h.
 *
 * What a rank prints goes to an unnamed file, which the first rank gets when all agree on the outcome. Each rank is the
 * child of a process that only waits for it, its keeper: the launcher knows the keeper. Ranks of a host record in
 * shared memory where they are and what they wait for. When a rank dies early, its keeper reports where it was and what
 * the others waited for, ends those of its host, and then itself; then the launcher ends the rest. */
#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exec/run/transport.h"

enum { HOST = 64, PATH = 256 };

/* Data shared by the ranks of a host. */
typedef struct {
    _Atomic int pid; /* 0: the rank is on another host; -1: it has ended normally */
    tsr_rank_state state;
} seat;

typedef struct {
    _Atomic int ended; /* by this rank + 1, which has reported why; 0: not ended */
    int size;
    seat seats[];
} table;

struct ranks {
    const tool *t;
    tsr_transport *transport;
    tsr_remote *remote;
    int out, err;           /* the real ones */
    int kept_out, kept_err; /* unnamed files */
    int to, from;           /* pipes to the keeper and from it */
    table *table;
    bool over; /* all have agreed that it is over */
};

static size_t table_bytes(int size)
{
    return sizeof(table) + (size_t)size * sizeof(seat);
}

static table *map_table(int fd, int size)
{
    void *p = fd < 0 ? MAP_FAILED
                     : mmap(NULL, table_bytes(size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Whether this rank is the first to report why the job ends. */
static bool ends_job(table *t, int rank)
{
    int nobody = 0;
    return !t || atomic_compare_exchange_strong(&t->ended, &nobody, rank + 1);
}

/* ---- The keeper ---- */

static void put(int fd, tsr_str text)
{
    while (text.len) {
        ssize_t n = write(fd, text.data, text.len);
        if (n <= 0)
            return;
        text.data += n;
        text.len -= (size_t)n;
    }
}

static void put_text(int fd, const char *text)
{
    put(fd, tsr_cstr(text));
}

/* Prints what is kept of a rank's output, with its number before each line. */
static void put_kept(int rank, int kept)
{
    char part[1024], number[32];
    bool begins = true;
    snprintf(number, sizeof number, "rank %d: ", rank);
    off_t at = 0;
    for (ssize_t n; kept >= 0 && (n = pread(kept, part, sizeof part, at)) > 0; at += n)
        for (ssize_t i = 0; i < n; i++) {
            if (begins)
                put_text(2, number);
            put(2, tsr_str_of(part + i, 1));
            begins = part[i] == '\n';
        }
}

/* The others notice by and by that nothing arrives any more: gives them a moment to record what they wait for. */
static void await_others(const table *t, int gone)
{
    enum { EACH = 5000000, MOST = 500 };
    for (int k = 0; k < MOST; k++) {
        bool all = true;
        for (int i = 0; i < t->size; i++)
            all &= i == gone || t->seats[i].pid <= 0 || t->seats[i].state.waits[0] ||
                   kill(t->seats[i].pid, 0) != 0;
        if (all)
            return;
        nanosleep(&(struct timespec){0, EACH}, NULL);
    }
}

/* Reports a rank that died early: where it was, and what the others waited for. */
static void tell_of(const table *t, int gone, int status)
{
    char text[2048];
    const seat *s = &t->seats[gone];
    int n = WIFSIGNALED(status)
                ? snprintf(text, sizeof text, "tessera: error: rank %d was ended by signal %d",
                           gone, WTERMSIG(status))
                : snprintf(text, sizeof text, "tessera: error: rank %d has ended before its time",
                           gone);
    snprintf(text + n, sizeof text - (size_t)n, "%s%s\n",
             s->state.at[0] ? "; the last collective that it came to is "
                            : ", before any collective",
             s->state.at);
    put_text(2, text);
    for (int i = 0; i < t->size; i++) {
        const tsr_rank_state *at = &t->seats[i].state;
        if (i == gone || t->seats[i].pid <= 0)
            continue;
        snprintf(text, sizeof text, "tessera: note: rank %d %s%s\n", i,
                 at->waits[0] ? "waits:"
                 : at->at[0]  ? "does not wait; the last collective that it came to is "
                              : "has come to no collective",
                 at->waits[0] ? at->waits : at->at);
        put_text(2, text);
    }
}

static void end_others(const table *t, int gone)
{
    for (int i = 0; i < t->size; i++)
        if (i != gone && t->seats[i].pid > 0)
            kill(t->seats[i].pid, SIGKILL);
}

/* What the keeper has to know: the file shared by the ranks of the host, and the number of its own rank. */
typedef struct {
    int rank, size;
    char path[PATH];
} news;

/* Forwards signals of a launcher. A rank that does not end within a second of one is killed. */
static int wait_for(pid_t child)
{
    int status = 0;
    bool asked = false;
    sigset_t all;
    sigfillset(&all);
    for (;;) {
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        int sig =
            asked ? sigtimedwait(&all, NULL, &(struct timespec){1, 0}) : sigwaitinfo(&all, NULL);
        if (sig < 0 && asked && errno == EAGAIN)
            kill(child, SIGKILL);
        else if (sig > 0 && sig != SIGCHLD)
            kill(child, sig);
        asked |= sig == SIGTERM || sig == SIGINT || sig == SIGHUP || sig == SIGQUIT;
    }
}

/* Waits for the rank and ends as it does. */
static TSR_NORETURN void keep(pid_t child, int from, int to, int kept)
{
    news n;
    table *t = NULL;
    if (read(from, &n, sizeof n) == (ssize_t)sizeof n) {
        t = map_table(open(n.path, O_RDWR | O_CLOEXEC), n.size);
        put_text(to, "k");
    }
    int status = wait_for(child);
    /* When a rank has failed, a launcher may end those that only have to leave MPI. */
    bool well = t ? t->seats[n.rank].pid == -1 : WIFEXITED(status);
    if (!t && WIFEXITED(status) && WEXITSTATUS(status))
        put_kept(0, kept);
    if (t && !well && ends_job(t, n.rank)) {
        put_kept(n.rank, kept);
        await_others(t, n.rank);
        tell_of(t, n.rank, status);
        end_others(t, n.rank);
    }
    _exit(WIFEXITED(status) && (well || WEXITSTATUS(status)) ? WEXITSTATUS(status)
                                                             : EXIT_ENVIRONMENT);
}

/* Called before the transport starts: its threads and devices must not be in two processes. Only the rank returns. */
static void start_keeper(ranks *r)
{
    int down[2], up[2];
    sigset_t all, old;
    r->to = r->from = -1;
    if (pipe(up) != 0)
        return;
    if (pipe(down) != 0) {
        close(up[0]);
        close(up[1]);
        return;
    }
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    pid_t parent = getpid(), child = fork();
    if (child > 0) {
        close(up[1]);
        close(down[0]);
        keep(child, up[0], down[1], r->kept_err);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    close(up[0]);
    close(down[1]);
    r->to = up[1];
    r->from = down[0];
    if (child < 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a launcher ends the keeper */
    if (getppid() != parent)
        _exit(EXIT_ENVIRONMENT);
}

/* ---- The output of ranks ---- */

static int nameless(void)
{
    char path[] = "/tmp/tessera-XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static void keep_output(ranks *r)
{
    fflush(NULL);
    r->out = dup(1);
    r->err = dup(2);
    if (r->kept_out >= 0)
        dup2(r->kept_out, 1);
    if (r->kept_err >= 0)
        dup2(r->kept_err, 2);
}

/* The output since the last call. */
static void take_output(int fd, tsr_buf *out)
{
    char part[4096];
    off_t at = 0;
    ssize_t n;
    while (fd >= 0 && (n = pread(fd, part, sizeof part, at)) > 0) {
        tsr_buf_str(out, tsr_str_of(part, (size_t)n));
        at += n;
    }
    if (fd >= 0 && ftruncate(fd, 0) == 0)
        lseek(fd, 0, SEEK_SET);
}

/* Lines with the number of the rank before each. */
static void write_lines(int fd, int rank, tsr_str text)
{
    tsr_buf out = {0};
    for (size_t i = 0; i < text.len; i++) {
        if (i == 0 || text.data[i - 1] == '\n')
            tsr_buf_printf(&out, "rank %d: ", rank);
        tsr_buf_char(&out, text.data[i]);
    }
    put(fd, tsr_buf_text(&out));
    tsr_buf_free(&out);
}

/* Of a rank that died on this host its keeper knows more: gives it a moment to report. */
static void await_keeper(table *t)
{
    enum { EACH = 5000000, MOST = 100 };
    for (int k = 0; t && k < MOST && !atomic_load(&t->ended); k++)
        nanosleep(&(struct timespec){0, EACH}, NULL);
}

/* The job ends here: by a timeout, or because the transport has failed. */
static void tell(void *user, tsr_str text)
{
    ranks *r = user;
    tsr_buf kept = {0};
    await_keeper(r->table);
    if (!ends_job(r->table, r->transport->rank))
        return; /* another rank has reported it */
    fflush(NULL);
    take_output(r->kept_err, &kept);
    tsr_buf_printf(&kept, "tessera: error: %.*s\n", TSR_STR_ARG(text));
    put(r->err, tsr_buf_text(&kept));
    tsr_buf_free(&kept);
    if (r->table)
        end_others(r->table, r->transport->rank);
}

/* ---- The job ---- */

/* Ranks of a host share a file, that of the first of them; it is unlinked when all keepers have it. */
static void take_seat(ranks *r)
{
    char mine[HOST + PATH] = "", ack;
    int size = r->transport->size, rank = r->transport->rank, lead = rank;
    tsr_str *all = tsr_xmalloc((size_t)size * sizeof *all);
    gethostname(mine, HOST - 1);
    strcpy(mine + HOST, "/tmp/tessera-job-XXXXXX");
    int fd = mkstemp(mine + HOST);
    if (fd < 0 || ftruncate(fd, (off_t)table_bytes(size)) != 0)
        mine[HOST] = 0;
    tsr_remote_share(r->remote, mine, sizeof mine, -1, all);
    for (int i = size; i-- > 0;)
        if (memcmp(all[i].data, mine, HOST) == 0)
            lead = i;
    news n = {.rank = rank, .size = size};
    snprintf(n.path, sizeof n.path, "%s", all[lead].data + HOST);
    if (lead != rank && fd >= 0)
        close(fd);
    if (lead != rank)
        fd = open(n.path, O_RDWR | O_CLOEXEC);
    r->table = map_table(fd, size);
    if (r->table) {
        r->table->size = size;
        r->table->seats[rank].pid = (int)getpid();
        tsr_remote_watch(r->remote, &r->table->seats[rank].state, tell, r);
    }
    if (fd >= 0)
        close(fd);
    if (r->table && r->to >= 0)
        put(r->to, tsr_str_of((char *)&n, sizeof n));
    if (r->table && r->from >= 0 && read(r->from, &ack, 1) != 1)
        put_text(2, "tessera: warning: nobody watches over this rank\n");
    for (int i = 0; i < size; i++)
        tsr_free((void *)all[i].data);
    tsr_remote_share(r->remote, NULL, 0, -1, all);
    for (int i = 0; i < size; i++)
        tsr_free((void *)all[i].data);
    tsr_free(all);
    if (mine[HOST])
        unlink(mine + HOST);
}

ranks *ranks_open(const tool *t, const char *transport, hosts *h, int *code)
{
    tsr_status s = {0};
    ranks *r = tsr_xmalloc(sizeof *r);
    *r = (ranks){.t = t, .out = -1, .err = -1};
    r->kept_out = nameless();
    r->kept_err = nameless();
    bool tcp = strcmp(transport, "tcp") == 0;
    bool ok = !tcp || hosts_start(h, &s);
    if (ok)
        start_keeper(r);
    if (ok)
        r->transport = tcp ? hosts_open(h, &s) : tsr_transport_open(transport, &s);
    hosts_free(h);
    if (!r->transport) {
        fprintf(stderr, "%s: error: %s\n", t->name, s.message);
        *code = s.code == TSR_BAD_INPUT ? usage_exit(t) : EXIT_ENVIRONMENT;
        tsr_free(r);
        return NULL;
    }
    keep_output(r);
    r->remote = tsr_remote_new(r->transport);
    tsr_remote_watch(r->remote, NULL, tell, r);
    take_seat(r);
    return r;
}

int ranks_rank(const ranks *r)
{
    return r->transport->rank;
}

int ranks_size(const ranks *r)
{
    return r->transport->size;
}

tsr_remote *ranks_remote(const ranks *r)
{
    return r->remote;
}

/* The messages of ranks: an exit code, the length of the output to stdout, that text, and the output to stderr. */
typedef struct {
    int64_t code, out;
    int64_t follows; /* another rank failed first */
} verdict;

static tsr_str part(tsr_str all, bool out)
{
    verdict v;
    memcpy(&v, all.data, sizeof v);
    return out ? tsr_str_of(all.data + sizeof v, (size_t)v.out)
               : tsr_str_of(all.data + sizeof v + v.out, all.len - sizeof v - (size_t)v.out);
}

/* Output that is equal on all ranks is printed once; otherwise each line has the number of its rank. */
static void print_all(const ranks *r, const tsr_str *all)
{
    bool same = true;
    for (int i = 1; i < r->transport->size; i++)
        same &= tsr_str_eq(part(all[0], false), part(all[i], false)) || !part(all[i], false).len;
    for (int i = 0; i < r->transport->size; i++) {
        put(r->out, part(all[i], true));
        if (same && i == 0)
            put(r->err, part(all[i], false));
        else if (!same)
            write_lines(r->err, i, part(all[i], false));
    }
}

int ranks_agree(ranks *r, int code)
{
    if (!r || r->over)
        return code;
    tsr_buf mine = {0}, out = {0};
    fflush(NULL);
    take_output(r->kept_out, &out);
    verdict v = {code, (int64_t)out.len, tsr_remote_follows(r->remote)};
    tsr_buf_str(&mine, tsr_str_of((char *)&v, sizeof v));
    tsr_buf_str(&mine, tsr_buf_text(&out));
    take_output(r->kept_err, &mine);
    tsr_str *all = tsr_xmalloc((size_t)r->transport->size * sizeof *all);
    tsr_remote_share(r->remote, mine.data, mine.len, -1, all);
    int64_t first = 0, own = 0; /* own: of those that failed by themselves */
    for (int i = r->transport->size; i-- > 0;) {
        memcpy(&v, all[i].data, sizeof v);
        first = v.code ? v.code : first;
        own = v.code && !v.follows ? v.code : own;
    }
    first = own ? own : first;
    if (r->transport->rank == 0)
        print_all(r, all);
    for (int i = 0; i < r->transport->size; i++)
        tsr_free((void *)all[i].data);
    tsr_free(all);
    tsr_buf_free(&mine);
    tsr_buf_free(&out);
    r->over = first != 0;
    return (int)first;
}

int ranks_close(ranks *r, int code)
{
    if (!r)
        return code;
    if (tsr_remote_is_dead(r->remote)) { /* requests are pending */
        tell(r, TSR_STR("the rank was stopped, and ends the job"));
        r->transport->abort(r->transport, code ? code : EXIT_ENVIRONMENT);
    }
    code = ranks_agree(r, code);
    if (r->table)
        r->table->seats[r->transport->rank].pid = -1;
    tsr_remote_free(r->remote);
    r->transport->close(r->transport);
    dup2(r->out, 1);
    dup2(r->err, 2);
    tsr_free(r);
    return code;
}
