/*
 * The routes: which function answers which request. Nothing here knows of sockets, so that tests and the fuzz
 * target call it as the server does:
 *
 *     http_route_admit     after the headers: may this be asked, and where does it go
 *     http_route_answer    after the body: the response
 */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "http_app.h"

typedef enum http_body {
    HTTP_BODY_NONE,   /* a body is refused */
    HTTP_BODY_SMALL,  /* a few options */
    HTTP_BODY_UPLOAD, /* a file */
    HTTP_BODY_ROWS    /* rows to score: long ones are scored while they come, see score_bulk.h */
} http_body;

enum { HTTP_SMALL_MOST = 1 << 20 }; /* bytes of a small body */

typedef struct http_route {
    const char *method, *path;
    http_handler *handle;
    http_group group; /* in the metrics */
    http_body body;
    bool open; /* needs no token */
    bool slow; /* may take long: runs on a thread of its own, not on one that serves connections */
} http_route;

/* All routes, ended by one without a method. */
extern const http_route http_routes[];

/* The route of a request whose target is parsed. NULL: refused, and the response says why. */
const http_route *http_route_admit(http_app *app, http_request *r, http_response *a);
/* Bytes that a body may have. */
size_t http_route_body_most(const http_app *app, const http_route *route);
void http_route_answer(http_app *app, const http_route *route, http_request *r, http_response *a);

#endif
