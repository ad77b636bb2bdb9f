/* SPDX-License-Identifier: Apache-2.0 */
/* address.c - addresses of the TCP transport: "host:port", or "[host]:port" where the host has colons. */
#include "tcp/inner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Resolved addresses, which the caller frees; NULL: error says why. */
static struct addrinfo *resolve(const char *address, int type, const char **error)
{
    char host[TSR_TCP_ADDRESS];
    const char *colon = strrchr(address, ':');
    size_t n = colon ? (size_t)(colon - address) : 0;
    *error = "an address is host:port";
    if (!n || n >= sizeof host || !colon[1])
        return NULL;
    memcpy(host, address, n);
    host[n] = 0;
    if (host[0] == '[' && host[n - 1] == ']') {
        memmove(host, host + 1, n - 2);
        host[n - 2] = 0;
    }
    struct addrinfo wanted = {.ai_socktype = type, .ai_flags = AI_NUMERICSERV}, *found = NULL;
    int code = getaddrinfo(host, colon + 1, &wanted, &found);
    if (code)
        *error = gai_strerror(code);
    return code ? NULL : found;
}

static bool write_address(const struct sockaddr *a, socklen_t size, bool port, char *out,
                          size_t room)
{
    char host[96], service[16];
    if (getnameinfo(a, size, host, sizeof host, service, sizeof service,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return false;
    const char *form = a->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s";
    int n = snprintf(out, room, form, host, port ? service : "0");
    return n > 0 && (size_t)n < room;
}

bool tsr_tcp_bound(int fd, char *out, size_t size)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    return getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
           write_address((struct sockaddr *)&a, n, true, out, size);
}

int tsr_tcp_listen(const char *address, tsr_status *status)
{
    enum { BACKLOG = 1024 };
    const char *error;
    struct addrinfo *all = resolve(address, SOCK_STREAM, &error);
    int fd = -1, on = 1;
    for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
            break;
        error = strerror(errno);
        close(fd);
        fd = -1;
    }
    if (all)
        freeaddrinfo(all);
    if (fd < 0)
        tsr_status_set(status, TSR_ENVIRONMENT, "cannot listen on '%.100s': %s", address, error);
    return fd;
}

bool tsr_tcp_source(const char *to, char *out, size_t size)
{
    const char *error;
    struct addrinfo *all = resolve(to, SOCK_DGRAM, &error);
    bool ok = false;
    for (struct addrinfo *a = all; a && !ok; a = a->ai_next) {
        struct sockaddr_storage own;
        socklen_t n = sizeof own;
        int fd = socket(a->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
            continue;
        /* Nothing is sent: the kernel only chooses the way. */
        ok = connect(fd, a->ai_addr, a->ai_addrlen) == 0 &&
             getsockname(fd, (struct sockaddr *)&own, &n) == 0 &&
             write_address((struct sockaddr *)&own, n, false, out, size);
        close(fd);
    }
    if (all)
        freeaddrinfo(all);
    return ok;
}

int tsr_tcp_connect(const char *address, const char **error)
{
    struct addrinfo *all = resolve(address, SOCK_STREAM, error);
    int fd = -1;
    for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
        fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 && (connect(fd, a->ai_addr, a->ai_addrlen) == 0 || errno == EINPROGRESS))
            break;
        *error = strerror(errno);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    if (all)
        freeaddrinfo(all);
    return fd;
}
