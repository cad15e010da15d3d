/*
 * The open connections, and a thread that looks at them ten times per second: it closes those that take too
 * long, and wakes up those whose response is waiting for news.
 */
#ifndef HTTP_CONNECTIONS_H
#define HTTP_CONNECTIONS_H

#include "mhd.h"

typedef enum http_phase {
    HTTP_PHASE_IDLE,      /* no request, or headers of one */
    HTTP_PHASE_RECEIVING, /* the body of a request */
    HTTP_PHASE_WORKING,   /* the response is being made */
    HTTP_PHASE_SENDING,
    HTTP_PHASE_WATCHING /* a stream of events, which may be quiet for long */
} http_phase;

typedef struct http_connections http_connections;
typedef struct http_connection http_connection;

/* tick(arg) is called ten times per second. NULL: no memory or no thread. */
http_connections *http_connections_new(double idle_seconds, double request_seconds, void (*tick)(void *arg),
                                       void *arg);
/* After the daemon has stopped. */
void http_connections_free(http_connections *all);
/* Open ones. */
int http_connections_count(http_connections *all);

/* A callback of the daemon; the closure is the http_connections. */
void http_connections_notify(void *closure, struct MHD_Connection *connection, void **socket_context,
                             enum MHD_ConnectionNotificationCode code);

/* The one of a connection of the library; may be NULL. */
http_connection *http_connection_of(struct MHD_Connection *connection);
void http_connection_phase(http_connection *c, http_phase phase);
/* Counts bytes of a body; one that comes too slowly is refused with a 408. False: it has been refused. */
bool http_connection_received(http_connection *c, size_t bytes);
/* Wakes up all connections and lets none rest again. Returns true, for conditions. */
bool http_connections_stop_naps(http_connections *all);
/* Suspends the connection until the next tick. */
void http_connection_nap(http_connection *c, struct MHD_Connection *connection);
/* Sends a short problem at once, which the library cannot before a body has ended. The rest of the body is to
 * be read and thrown away for a while: closing at once could destroy the problem before the client reads it.
 */
void http_connection_refuse(http_connection *c, int status, const char *detail);

#endif
