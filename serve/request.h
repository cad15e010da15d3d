/* A request, apart from sockets: its target taken apart, and the headers that matter. */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "http_text.h"

enum {
    HTTP_TARGET_MOST = 8192, /* bytes of path and query */
    HTTP_QUERY_MOST = 64,    /* pairs in a query */
    HTTP_PARTS_MOST = 2,     /* parts of a path that stand for a name or a number */
    HTTP_NAME_MOST = 100     /* bytes of a name */
};

typedef struct http_pair {
    const char *name, *value;
} http_pair;

typedef struct http_request {
    const char *method;
    /* Headers; NULL: not there. */
    const char *host, *origin, *fetch_site, *authorization, *content_type, *accept;
    char *path;                         /* decoded */
    const char *parts[HTTP_PARTS_MOST]; /* of the path, in the places of {} in the pattern of its route */
    http_pair query[HTTP_QUERY_MOST];
    int query_count;
    http_text body; /* a handler may take it, and leaves an empty text */
    char *decoded;  /* memory of path and query */
} http_request;

/*
 * Takes a target such as "/v1/models/a%20b/score?reasons=3" apart. Returns 0 or the status of the problem:
 * 400 if it is not a path, has a bad escape, a NUL or a control character, or too many pairs; 414 if it is
 * too long; 503 if memory is out.
 */
int http_request_parse(http_request *r, const char *target);
void http_request_free(http_request *r);

/* The value of a name in the query; NULL: it is not there. The first one counts. */
const char *http_query(const http_request *r, const char *name);
/* Whether the path has this pattern, in which {} stands for one part that is not empty; sets r->parts. */
bool http_path_matches(http_request *r, const char *pattern);

/* Whether a name is fit for a model: [A-Za-z0-9._-]{1,100}, and the first is not a dot. */
bool http_name_is_fit(const char *name);

/*
 * The best of some media types for a value of Accept (RFC 9110), by its quality, then by the order of the
 * types; -1: none is acceptable. An `accept` of NULL or "" takes the first.
 */
int http_accept(const char *accept, const char *const *types, int count);
/* Whether a content type, with or without parameters, is this media type. */
bool http_type_is(const char *content_type, const char *type);

#endif
