/*
 * A request and its response on a connection of libmicrohttpd. The library calls http_exchange_handle several
 * times per request: after the headers, with each piece of the body, and at its end.
 *
 *     RECEIVING    the body comes; what was refused after the headers is read and thrown away
 *     WORKING      a worker makes the response, and the connection is suspended
 *     READY        the response can be sent
 *     SENDING      it is being sent
 */
#ifndef HTTP_EXCHANGE_H
#define HTTP_EXCHANGE_H

#include "mhd.h"
#include "routes.h"
#include "workers.h"

typedef struct http_loop {
    http_app *app;
    http_workers *workers;
    struct http_connections *connections;
    int ticks;
    atomic_int suspended;   /* connections that wait for a thread */
    atomic_bool refreshing; /* the models are being looked at */
} http_loop;

/* The callbacks of the daemon; the closure is a http_loop. */
void *http_exchange_begin(void *loop, const char *target, struct MHD_Connection *connection);
enum MHD_Result http_exchange_handle(void *loop, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *piece, size_t *size,
                                     void **closure);
void http_exchange_end(void *loop, struct MHD_Connection *connection, void **closure,
                       enum MHD_RequestTerminationCode how);

#endif
