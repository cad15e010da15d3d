/*
 * The open connections, and a thread that looks at them ten times per second: it closes those that take too
 * long, and wakes up those whose response is waiting for news.
 */
#ifndef SRV_CONNECTIONS_H
#define SRV_CONNECTIONS_H

#include "mhd.h"

typedef enum srv_phase {
    SRV_PHASE_IDLE,      /* no request, or headers of one */
    SRV_PHASE_RECEIVING, /* the body of a request */
    SRV_PHASE_WORKING,   /* the response is being made */
    SRV_PHASE_SENDING,
    SRV_PHASE_WATCHING /* a stream of events, which may be quiet for long */
} srv_phase;

typedef struct srv_connections srv_connections;
typedef struct srv_connection srv_connection;

/* tick(arg) is called ten times per second. NULL: no memory or no thread. */
srv_connections *srv_connections_new(double idle_seconds, double request_seconds, void (*tick)(void *arg),
                                     void *arg);
/* After the daemon has stopped. */
void srv_connections_free(srv_connections *all);
/* Open ones. */
int srv_connections_count(srv_connections *all);

/* A callback of the daemon; the closure is the srv_connections. */
void srv_connections_notify(void *all, struct MHD_Connection *connection, void **socket_context,
                            enum MHD_ConnectionNotificationCode code);

/* The one of a connection of the library; may be NULL. */
srv_connection *srv_connection_of(struct MHD_Connection *connection);
void srv_connection_phase(srv_connection *c, srv_phase phase);
/* Counts bytes of a body; one that comes too slowly is refused with a 408. False: it has been refused. */
bool srv_connection_received(srv_connection *c, size_t bytes);
/* Suspends the connection until the next tick. */
void srv_connection_nap(srv_connection *c, struct MHD_Connection *connection);
/* Sends a short problem at once, which the library cannot before a body has ended. The rest of the body is to
 * be read and thrown away for a while: closing at once could destroy the problem before the client reads it.
 */
void srv_connection_refuse(srv_connection *c, int status, const char *detail);

#endif
