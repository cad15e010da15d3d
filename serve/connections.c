/* The open connections, and the thread that looks after them. */
#include "connections.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

#include "common/platform.h"
#include "common/mem.h"
#include "response.h"
#include "run.h"

/* Bytes per second of a body, beyond the seconds that any body may take; seconds that a refused client gets
 * to read the reason. */
enum { LEAST_RATE = 16 * 1024, LINGER = 5 };

struct http_connection {
    http_connections *all;
    http_connection *next, *before;
    int fd;
    http_phase phase;
    double since;                   /* when the phase began */
    size_t received;                /* bytes of the body */
    bool cut;                       /* refused, only its end is awaited */
    bool gone;                      /* the client had closed its side at the last look */
    size_t received_then;           /* `received` at the last look */
    struct MHD_Connection *napping; /* suspended until the next tick */
};

struct http_connections {
    pthread_mutex_t lock;
    pthread_t thread;
    http_connection *first;
    int count;
    double idle_seconds, request_seconds;
    void (*tick)(void *arg);
    void *arg;
    bool ending, running, awake;
};

static double limit_of(const http_connection *c)
{
    const http_connections *all = c->all;
    if (c->cut) return LINGER;
    switch (c->phase) {
    case HTTP_PHASE_IDLE: return all->idle_seconds;
    case HTTP_PHASE_RECEIVING: return all->idle_seconds + (double)c->received / LEAST_RATE;
    case HTTP_PHASE_SENDING: return all->request_seconds;
    default: return 1e300;
    }
}

/* The lock is held: the descriptor is this connection's until http_connections_notify has removed it. */
static void refuse(http_connection *c, int status, const char *detail)
{
    char text[512], head[256];
    if (c->cut) return;
    c->cut = true;
    c->since = cli_run_clock();
    int size =
        snprintf(text, sizeof text,
                 "{\"type\": \"about:blank\", \"title\": \"%s\", \"status\": %d, \"detail\": \"%s\"}\n",
                 http_reason(status), status, detail);
    int len = snprintf(head, sizeof head,
                       "HTTP/1.1 %d %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n"
                       "%sConnection: close\r\n\r\n",
                       status, http_reason(status), size, status == 429 ? "Retry-After: 1\r\n" : "");
    if (od_platform_send(c->fd, head, (size_t)len, true) == len)
        (void)!od_platform_send(c->fd, text, (size_t)size, false);
    shutdown(c->fd, SHUT_WR);
}

static void wake_up(http_connection *c)
{
    struct MHD_Connection *connection = c->napping;
    c->napping = NULL;
    if (connection) mhd.resume_connection(connection);
}

/*
 * Whether the client has left in the middle. The library does not always notice: of data and the end that
 * come together it reads the data, and waits for an event that has been already. Between two looks the body
 * that has come with the end is handled.
 */
static bool has_left(http_connection *c)
{
    char byte;
    bool open = c->phase == HTTP_PHASE_RECEIVING || c->phase == HTTP_PHASE_WATCHING;
    bool gone = open && recv(c->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
    bool left = gone && c->gone && c->received == c->received_then;
    c->gone = gone;
    c->received_then = c->received;
    return left;
}

static void look_at(http_connection *c, double now)
{
    wake_up(c);
    if (has_left(c)) shutdown(c->fd, SHUT_RDWR);
    if (now - c->since <= limit_of(c)) return;
    if (c->phase == HTTP_PHASE_RECEIVING && !c->cut)
        refuse(c, 408, "the body comes too slowly");
    else
        shutdown(c->fd, SHUT_RDWR);
}

static void *look_after(void *arg)
{
    http_connections *all = arg;
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        double now = cli_run_clock();
        pthread_mutex_lock(&all->lock);
        bool ending = all->ending;
        for (http_connection *c = all->first; c; c = c->next) look_at(c, now);
        pthread_mutex_unlock(&all->lock);
        all->tick(all->arg);
        if (ending) return NULL;
    }
}

http_connections *http_connections_new(double idle_seconds, double request_seconds, void (*tick)(void *arg),
                                       void *arg)
{
    http_connections *all = od_calloc(1, sizeof *all);
    if (!all) return NULL;
    all->idle_seconds = idle_seconds;
    all->request_seconds = request_seconds;
    all->tick = tick;
    all->arg = arg;
    pthread_mutex_init(&all->lock, NULL);
    all->running = pthread_create(&all->thread, NULL, look_after, all) == 0;
    if (all->running) return all;
    http_connections_free(all);
    return NULL;
}

void http_connections_free(http_connections *all)
{
    if (!all) return;
    pthread_mutex_lock(&all->lock);
    all->ending = true;
    pthread_mutex_unlock(&all->lock);
    if (all->running) pthread_join(all->thread, NULL);
    pthread_mutex_destroy(&all->lock);
    od_free(all);
}

bool http_connections_stop_naps(http_connections *all)
{
    pthread_mutex_lock(&all->lock);
    all->awake = true;
    for (http_connection *c = all->first; c; c = c->next) wake_up(c);
    pthread_mutex_unlock(&all->lock);
    return true;
}

int http_connections_count(http_connections *all)
{
    pthread_mutex_lock(&all->lock);
    int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

static void add(http_connections *all, struct MHD_Connection *connection, void **socket_context)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    http_connection *c = info ? od_calloc(1, sizeof *c) : NULL;
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

void http_connections_notify(void *closure, struct MHD_Connection *connection, void **socket_context,
                             enum MHD_ConnectionNotificationCode code)
{
    http_connections *all = closure;
    http_connection *c = *socket_context;
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

http_connection *http_connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void http_connection_phase(http_connection *c, http_phase phase)
{
    if (!c) return;
    pthread_mutex_lock(&c->all->lock);
    c->phase = phase;
    c->since = cli_run_clock();
    c->received = 0;
    pthread_mutex_unlock(&c->all->lock);
}

bool http_connection_received(http_connection *c, size_t bytes)
{
    if (!c) return true;
    pthread_mutex_lock(&c->all->lock);
    c->received += bytes;
    bool fine = !c->cut;
    pthread_mutex_unlock(&c->all->lock);
    return fine;
}

void http_connection_nap(http_connection *c, struct MHD_Connection *connection)
{
    if (!c) return;
    pthread_mutex_lock(&c->all->lock);
    if (!c->all->awake) {
        mhd.suspend_connection(connection);
        c->napping = connection;
    }
    pthread_mutex_unlock(&c->all->lock);
}

void http_connection_refuse(http_connection *c, int status, const char *detail)
{
    if (!c) return;
    pthread_mutex_lock(&c->all->lock);
    refuse(c, status, detail);
    pthread_mutex_unlock(&c->all->lock);
}
