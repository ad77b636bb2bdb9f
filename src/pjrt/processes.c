/* SPDX-License-Identifier: Apache-2.0 */
/* processes.c - the processes of a job: they learn of each other by the job's store of keys and values, and of deaths by
 * its service.
 *
 * Each process puts one line about itself; process 0 collects the lines and puts one table, which the others get: two
 * requests of a process, not as many as there are processes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pjrt/pjrt.h"

/* Of the lines below. Processes of another format say so. */
enum { FORMAT = 1, PATIENCE_MS = 300000, SECRET = 16 };

typedef struct {
    pj_client *c;
    const pj_Client_Create_args *args;
    unsigned long generation; /* of clients in this process */
} store;

static pj_error *make_error(pj_error_code code, const char *message, size_t size)
{
    return pj_fail(code, "%.*s", (int)(size < 2000 ? size : 2000), message);
}

static int key_of(const store *s, char *out, size_t size, const char *what, size_t i)
{
    return snprintf(out, size, "processes/%lu/%s/%zu", s->generation, what, i);
}

static pj_error *put(const store *s, const char *what, size_t i, const char *value, size_t size)
{
    char key[64];
    pj_callback_error error = make_error;
    int n = key_of(s, key, sizeof key, what, i);
    pj_key_value_put_args a = {.struct_size = sizeof a,
                               .key = key,
                               .key_size = (size_t)n,
                               .value = value,
                               .value_size = size,
                               .callback_error = &error,
                               .user_arg = s->args->kv_put_user_arg};
    return s->args->kv_put_callback(&a);
}

/* Waits for a value, which is copied. */
static pj_error *get(const store *s, const char *what, size_t i, pj_bytes *out)
{
    char key[64];
    pj_callback_error error = make_error;
    int n = key_of(s, key, sizeof key, what, i);
    pj_key_value_get_args a = {.struct_size = sizeof a,
                               .key = key,
                               .key_size = (size_t)n,
                               .timeout_in_ms = PATIENCE_MS,
                               .callback_error = &error,
                               .user_arg = s->args->kv_get_user_arg};
    pj_error *e = s->args->kv_get_callback(&a);
    if (e) {
        pj_error *why =
            pj_fail(pj_error_kind(e), "process %llu waits for what process %zu says of itself: %s",
                    (unsigned long long)s->c->settings.process, i, pj_error_text(e));
        pj_error_free(e);
        return why;
    }
    pj_bytes_add(out, a.value, a.value_size);
    if (a.value_deleter_callback)
        a.value_deleter_callback(a.value);
    return out->failed ? pj_no_memory() : NULL;
}

/* ---- What a process says of itself ---- */

typedef struct {
    int format, pid;
    unsigned long long devices;
    char version[40], address[130], host[70];
} facts;

static void describe(const store *s, pj_bytes *line)
{
    struct utsname name;
    bool named = uname(&name) == 0 && *name.nodename;
    char host[70];
    snprintf(host, sizeof host, "%.64s", named ? name.nodename : "unknown");
    for (char *p = host; *p; p++)
        if (*p <= ' ')
            *p = '_';
    pj_bytes_printf(line, "%d %d %llu %d.%d.%d %s %s\n", FORMAT, (int)getpid(),
                    (unsigned long long)s->c->settings.devices, TSR_VERSION_MAJOR,
                    TSR_VERSION_MINOR, TSR_VERSION_PATCH, tsr_peers_address(s->c->peers), host);
}

static const char *read_facts(const char *at, facts *f)
{
    *f = (facts){0};
    int n = 0;
    if (sscanf(at, "%d %d %llu %39s %129s %69s%n", &f->format, &f->pid, &f->devices, f->version,
               f->address, f->host, &n) != 6 ||
        at[n] != '\n')
        return NULL;
    return at + n + 1;
}

/* A line of the table: of process i. */
static pj_error *take_facts(pj_client *c, size_t i, const facts *f, const facts *first,
                            size_t *counts)
{
    char name[100];
    if (f->format != FORMAT || strcmp(f->version, first->version) != 0)
        return pj_fail(PJ_FAILED_PRECONDITION,
                       "process %zu (%s, pid %d) has Tessera %s, and process 0 (%s, pid %d) %s", i,
                       f->host, f->pid, f->version, first->host, first->pid, first->version);
    if (!f->devices || f->devices > PJ_DEVICES_MAX)
        return pj_fail(PJ_INVALID_ARGUMENT, "process %zu has %llu devices", i, f->devices);
    counts[i] = (size_t)f->devices;
    snprintf(name, sizeof name, "process %zu (%.60s, pid %d)", i, f->host, f->pid);
    if (!tsr_peers_know(c->peers, (int)i, tsr_cstr(f->address), name))
        return pj_fail(PJ_INVALID_ARGUMENT, "process %zu has no address: '%s'", i, f->address);
    return NULL;
}

/* The table: the job's secret in hexadecimal digits, then a line of each process. */
static pj_error *read_table(pj_client *c, const pj_bytes *table, size_t *counts)
{
    unsigned char secret[SECRET];
    const char *at = table->data;
    facts f, first = {0};
    pj_error *e = NULL;
    for (size_t i = 0; i < SECRET; i++) {
        unsigned x = 0;
        if (sscanf(at + 2 * i, "%2x", &x) != 1)
            return pj_fail(PJ_INTERNAL, "the table of processes has no secret");
        secret[i] = (unsigned char)x;
    }
    at += 2 * SECRET + 1;
    tsr_peers_secret(c->peers, secret);
    for (size_t i = 0; !e && i < (size_t)c->settings.processes; i++) {
        at = at ? read_facts(at, &f) : NULL;
        if (!at)
            return pj_fail(PJ_INTERNAL, "the table of processes ends before process %zu", i);
        first = i ? first : f;
        e = take_facts(c, i, &f, &first, counts);
    }
    return e;
}

/* ---- The exchange ---- */

static pj_error *new_secret(pj_bytes *table)
{
    unsigned char secret[SECRET];
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && read(fd, secret, sizeof secret) == (ssize_t)sizeof secret;
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; i < sizeof secret; i++)
        pj_bytes_printf(table, "%02x", ok ? secret[i] : 0u);
    pj_bytes_add(table, "\n", 1);
    return ok ? NULL : pj_fail(PJ_UNAVAILABLE, "cannot read /dev/urandom");
}

static pj_error *make_table(const store *s, pj_bytes *table)
{
    pj_error *e = new_secret(table);
    for (size_t i = 0; !e && i < (size_t)s->c->settings.processes; i++)
        e = get(s, "process", i, table);
    if (!e)
        e = put(s, "table", 0, table->data, table->len);
    return e;
}

static pj_error *exchange(const store *s, size_t *counts)
{
    pj_bytes line = {0}, table = {0};
    size_t mine = (size_t)s->c->settings.process;
    describe(s, &line);
    pj_error *e = line.failed ? pj_no_memory() : put(s, "process", mine, line.data, line.len);
    if (!e)
        e = mine ? get(s, "table", 0, &table) : make_table(s, &table);
    pj_bytes_add(&table, "", 1);
    if (!e && table.failed)
        e = pj_no_memory();
    if (!e && table.len < 2 * SECRET + 2)
        e = pj_fail(PJ_INTERNAL, "the table of processes is too short");
    if (!e)
        e = read_table(s->c, &table, counts);
    pj_bytes_free(&line);
    pj_bytes_free(&table);
    return e;
}

static void tell(void *user, tsr_str text)
{
    (void)user;
    fprintf(stderr, "tessera: %.*s\n", (int)text.len, text.data);
}

/* Where the job's service is: processes reach each other the same way. */
static const char *toward(const pj_settings *s)
{
    const char *given = getenv("JAX_COORDINATOR_ADDRESS");
    return *s->coordinator ? s->coordinator : given;
}

pj_error *pj_processes_meet(pj_client *c, const pj_Client_Create_args *args, size_t *counts)
{
    static atomic_ulong clients;
    tsr_status status = {0};
    const tsr_peers_options options = {.rank = (int)c->settings.process,
                                       .size = (int)c->settings.processes,
                                       .host = getenv("TESSERA_HOST"),
                                       .toward = toward(&c->settings),
                                       .silence = c->settings.silence,
                                       .timeout = c->settings.timeout,
                                       .tell = tell};
    if (!args->kv_get_callback || !args->kv_put_callback)
        return pj_fail(PJ_INVALID_ARGUMENT,
                       "this is process %llu of %llu, and there is no store that they share",
                       (unsigned long long)c->settings.process,
                       (unsigned long long)c->settings.processes);
    c->met = tsr_calloc((size_t)c->settings.processes, sizeof *c->met);
    if (!c->met)
        return pj_no_memory();
    c->peers = tsr_peers_new(&options, &status);
    if (!c->peers)
        return pj_fail(PJ_UNAVAILABLE, "%s", status.message);
    const store s = {c, args, atomic_fetch_add(&clients, 1)};
    return exchange(&s, counts);
}

/* ---- News ---- */

/* The framework ends the program if this fails. */
pj_error *pj_Client_UpdateGlobalProcessInfo(pj_Client_UpdateGlobalProcessInfo_args *args)
{
    pj_client *c = args->client;
    const char *at = (const char *)args->process_infos;
    pj_error *closed = pj_client_check(c);
    if (closed)
        return pj_error_free(closed), NULL;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; at && c->peers && i < args->num_process_infos; i++) {
        pj_process_info p = {0};
        size_t size;
        memcpy(&size, at, sizeof size);
        size_t known = size && size < sizeof p ? size : sizeof p;
        memcpy(&p, at, known);
        at += size ? size : sizeof p;
        if (p.task_id < 0 || (uint64_t)p.task_id >= c->settings.processes)
            continue;
        bool gone = p.state == PJ_PROCESS_DISCONNECTED || p.state == PJ_PROCESS_ERROR;
        if (gone && c->met[p.task_id])
            tsr_peers_gone(c->peers, p.task_id);
        c->met[p.task_id] |= p.state == PJ_PROCESS_CONNECTED;
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}
