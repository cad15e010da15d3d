/* A request, apart from sockets: its target taken apart, and the headers that matter. */
#ifndef SRV_REQUEST_H
#define SRV_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "serve_text.h"

enum {
    SRV_TARGET_MOST = 8192, /* bytes of path and query */
    SRV_QUERY_MOST = 64,    /* pairs in a query */
    SRV_PARTS_MOST = 2,     /* parts of a path that stand for a name or a number */
    SRV_NAME_MOST = 100     /* bytes of a name */
};

typedef struct srv_pair {
    const char *name, *value;
} srv_pair;

typedef struct srv_request {
    const char *method;
    /* Headers; NULL: not there. */
    const char *host, *origin, *fetch_site, *authorization, *content_type, *accept;
    char *path;                        /* decoded */
    const char *parts[SRV_PARTS_MOST]; /* of the path, in the places of {} in the pattern of its route */
    srv_pair query[SRV_QUERY_MOST];
    int query_count;
    srv_text body; /* a handler may take it, and leaves an empty text */
    char *decoded; /* memory of path and query */
} srv_request;

/*
 * Takes a target such as "/v1/models/a%20b/score?reasons=3" apart. Returns 0 or the status of the problem:
 * 400 if it is not a path, has a bad escape, a NUL or a control character, or too many pairs; 414 if it is
 * too long; 503 if memory is out.
 */
int srv_request_parse(srv_request *r, const char *target);
void srv_request_free(srv_request *r);

/* The value of a name in the query; NULL: it is not there. The first one counts. */
const char *srv_query(const srv_request *r, const char *name);
/* Whether the path has this pattern, in which {} stands for one part that is not empty; sets r->parts. */
bool srv_path_matches(srv_request *r, const char *pattern);

/* Whether a name is fit for a model: [A-Za-z0-9._-]{1,100}, and the first is not a dot. */
bool srv_name_is_fit(const char *name);

/*
 * The best of some media types for a value of Accept (RFC 9110), by its quality, then by the order of the
 * types; -1: none is acceptable. An `accept` of NULL or "" takes the first.
 */
int srv_accept(const char *accept, const char *const *types, int count);
/* Whether a content type, with or without parameters, is this media type. */
bool srv_type_is(const char *content_type, const char *type);

#endif
