/* The open connections, and the thread that looks after them. */
#include "connections.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

#include "common/mem.h"
#include "response.h"
#include "run.h"

/* Bytes per second of a body, beyond the seconds that any body may take; seconds that a refused client gets
 * to read the reason. */
enum { LEAST_RATE = 16 * 1024, LINGER = 5 };

struct srv_connection {
    srv_connections *all;
    srv_connection *next, *before;
    int fd;
    srv_phase phase;
    double since;                   /* when the phase began */
    size_t received;                /* bytes of the body */
    bool cut;                       /* refused, only its end is awaited */
    struct MHD_Connection *napping; /* suspended until the next tick */
};

struct srv_connections {
    pthread_mutex_t lock;
    pthread_t thread;
    srv_connection *first;
    int count;
    double idle_seconds, request_seconds;
    void (*tick)(void *arg);
    void *arg;
    bool ending, running;
};

static double limit_of(const srv_connection *c)
{
    const srv_connections *all = c->all;
    if (c->cut) return LINGER;
    switch (c->phase) {
    case SRV_PHASE_IDLE: return all->idle_seconds;
    case SRV_PHASE_RECEIVING: return all->idle_seconds + (double)c->received / LEAST_RATE;
    case SRV_PHASE_SENDING: return all->request_seconds;
    default: return 1e300;
    }
}

/* The lock is held: the descriptor is this connection's until srv_connections_notify has removed it. */
static void refuse(srv_connection *c, int status, const char *detail)
{
    char text[512], head[256];
    if (c->cut) return;
    c->cut = true;
    c->since = cli_run_clock();
    int size =
        snprintf(text, sizeof text,
                 "{\"type\": \"about:blank\", \"title\": \"%s\", \"status\": %d, \"detail\": \"%s\"}\n",
                 srv_reason(status), status, detail);
    int len = snprintf(head, sizeof head,
                       "HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n"
                       "%sConnection: close\r\n\r\n",
                       status, srv_reason(status), size, status == 429 ? "Retry-After: 1\r\n" : "");
    if (send(c->fd, head, (size_t)len, MSG_NOSIGNAL | MSG_DONTWAIT | MSG_MORE) == len)
        (void)!send(c->fd, text, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT);
    shutdown(c->fd, SHUT_WR);
}

static void look_at(srv_connection *c, double now)
{
    if (c->napping) {
        struct MHD_Connection *connection = c->napping;
        c->napping = NULL;
        mhd.resume_connection(connection);
    }
    if (now - c->since <= limit_of(c)) return;
    if (c->phase == SRV_PHASE_RECEIVING && !c->cut)
        refuse(c, 408, "the body comes too slowly");
    else
        shutdown(c->fd, SHUT_RDWR);
}

static void *look_after(void *arg)
{
    srv_connections *all = arg;
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        double now = cli_run_clock();
        pthread_mutex_lock(&all->lock);
        bool ending = all->ending;
        for (srv_connection *c = all->first; c; c = c->next) look_at(c, now);
        pthread_mutex_unlock(&all->lock);
        all->tick(all->arg);
        if (ending) return NULL;
    }
}

srv_connections *srv_connections_new(double idle_seconds, double request_seconds, void (*tick)(void *arg),
                                     void *arg)
{
    srv_connections *all = od_calloc(1, sizeof *all);
    if (!all) return NULL;
    all->idle_seconds = idle_seconds;
    all->request_seconds = request_seconds;
    all->tick = tick;
    all->arg = arg;
    pthread_mutex_init(&all->lock, NULL);
    all->running = pthread_create(&all->thread, NULL, look_after, all) == 0;
    if (all->running) return all;
    srv_connections_free(all);
    return NULL;
}

void srv_connections_free(srv_connections *all)
{
    if (!all) return;
    pthread_mutex_lock(&all->lock);
    all->ending = true;
    pthread_mutex_unlock(&all->lock);
    if (all->running) pthread_join(all->thread, NULL);
    pthread_mutex_destroy(&all->lock);
    od_free(all);
}

int srv_connections_count(srv_connections *all)
{
    pthread_mutex_lock(&all->lock);
    int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

static void add(srv_connections *all, struct MHD_Connection *connection, void **socket_context)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    srv_connection *c = info ? od_calloc(1, sizeof *c) : NULL;
    *socket_context = c;
    if (!c) return;
    c->all = all;
    c->fd = info->connect_fd;
    c->since = cli_run_clock();
    pthread_mutex_lock(&all->lock);
    c->next = all->first;
    if (c->next) c->next->before = c;
    all->first = c;
    all->count++;
    pthread_mutex_unlock(&all->lock);
}

void srv_connections_notify(void *closure, struct MHD_Connection *connection, void **socket_context,
                            enum MHD_ConnectionNotificationCode code)
{
    srv_connections *all = closure;
    srv_connection *c = *socket_context;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        add(all, connection, socket_context);
        return;
    }
    if (!c) return;
    pthread_mutex_lock(&all->lock);
    if (c->next) c->next->before = c->before;
    *(c->before ? &c->before->next : &all->first) = c->next;
    all->count--;
    pthread_mutex_unlock(&all->lock);
    od_free(c);
    *socket_context = NULL;
}

srv_connection *srv_connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void srv_connection_phase(srv_connection *c, srv_phase phase)
{
    if (!c) return;
    pthread_mutex_lock(&c->all->lock);
    c->phase = phase;
    c->since = cli_run_clock();
    c->received = 0;
    pthread_mutex_unlock(&c->all->lock);
}

bool srv_connection_received(srv_connection *c, size_t bytes)
{
    if (!c) return true;
    pthread_mutex_lock(&c->all->lock);
    c->received += bytes;
    bool fine = !c->cut;
    pthread_mutex_unlock(&c->all->lock);
    return fine;
}

void srv_connection_nap(srv_connection *c, struct MHD_Connection *connection)
{
    if (!c) return;
    mhd.suspend_connection(connection);
    pthread_mutex_lock(&c->all->lock);
    c->napping = connection;
    pthread_mutex_unlock(&c->all->lock);
}

void srv_connection_refuse(srv_connection *c, int status, const char *detail)
{
    if (!c) return;
    pthread_mutex_lock(&c->all->lock);
    refuse(c, status, detail);
    pthread_mutex_unlock(&c->all->lock);
}
