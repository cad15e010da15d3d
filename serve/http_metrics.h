/* Counters of requests, and the text that Prometheus reads. */
#ifndef HTTP_METRICS_H
#define HTTP_METRICS_H

#include <stdatomic.h>
#include <stdint.h>

#include "http_text.h"

enum { HTTP_GROUPS = 6, HTTP_CLASSES = 5, HTTP_BUCKETS = 12 };

/* Routes are counted in groups: pages and files, models, scores, tables, jobs, the rest. */
typedef enum http_group {
    HTTP_GROUP_PAGE,
    HTTP_GROUP_MODELS,
    HTTP_GROUP_SCORE,
    HTTP_GROUP_TABLES,
    HTTP_GROUP_JOBS,
    HTTP_GROUP_OTHER
} http_group;

typedef struct http_metrics {
    atomic_ullong requests[HTTP_GROUPS][HTTP_CLASSES]; /* by group and class of status, 1xx to 5xx */
    atomic_ullong taken[HTTP_GROUPS][HTTP_BUCKETS];    /* by group and time */
    atomic_ullong nanoseconds[HTTP_GROUPS];
    atomic_ullong received, sent; /* bytes of bodies */
    atomic_ullong rows;           /* scored by requests */
    atomic_ullong refused;        /* requests that were cut off while they came */
} http_metrics;

/* One request. */
void http_metrics_add(http_metrics *m, http_group group, int status, double seconds, uint64_t received,
                      uint64_t sent, uint64_t rows);
void http_metrics_write(http_metrics *m, http_text *out);
/* A gauge or counter with one value. */
void http_metrics_value(http_text *out, const char *name, const char *kind, const char *help, double value);
/* The memory of the process, in bytes; 0: unknown. */

#endif
