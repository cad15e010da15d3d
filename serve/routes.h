/*
 * The routes: which function answers which request. Nothing here knows of sockets, so that tests and the fuzz
 * target call it as the server does:
 *
 *     srv_route_admit     after the headers: may this be asked, and where does it go
 *     srv_route_answer    after the body: the response
 */
#ifndef SRV_ROUTES_H
#define SRV_ROUTES_H

#include "serve_app.h"

typedef void srv_handler(srv_app *app, srv_request *r, srv_response *a);

typedef enum srv_body {
    SRV_BODY_NONE,  /* a body is refused */
    SRV_BODY_SMALL, /* a few options */
    SRV_BODY_UPLOAD /* a file */
} srv_body;

enum { SRV_SMALL_MOST = 1 << 20 }; /* bytes of a small body */

typedef struct srv_route {
    const char *method, *path;
    srv_handler *handle;
    srv_body body;
    bool open; /* needs no token */
    bool slow; /* may take long: runs on a thread of its own, not on one that serves connections */
} srv_route;

/* All routes, ended by one without a method. */
extern const srv_route srv_routes[];

/* The route of a request whose target is parsed. NULL: refused, and the response says why. */
const srv_route *srv_route_admit(srv_app *app, srv_request *r, srv_response *a);
/* Bytes that a body may have. */
size_t srv_route_body_most(const srv_app *app, const srv_route *route);
void srv_route_answer(srv_app *app, const srv_route *route, srv_request *r, srv_response *a);

#endif
