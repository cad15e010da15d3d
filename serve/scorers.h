/* What a thread needs to score rows with a model, kept for the next request. */
#ifndef HTTP_SCORERS_H
#define HTTP_SCORERS_H

#include <stdbool.h>

#include "odim.h"

enum { HTTP_EXTRAS = 16, HTTP_EXTRA_ROOM = 64 };

typedef struct http_scorer {
    struct http_scorer *next; /* in the list of those that are free */
    odim_params *params;      /* one thread */
    odim_scorer *scorer;
    double *values; /* (cols) of a row */
    int32_t *order; /* (keys_most) the column of each key of the last object; -1: none */
    int64_t *seen;  /* (cols) the object that a column was last set by */
    int64_t object; /* counts objects */
    int64_t keys_most;
    /* Keys that are not columns of the model and that reading leaves out: another could be its id. */
    char extras[HTTP_EXTRAS][HTTP_EXTRA_ROOM];
    int extra_count;
} http_scorer;

/* Shared by all scorers of a model. */
typedef struct http_scorers http_scorers;
typedef struct http_column {
    const char *name;
    size_t len;
    odim_type type;
    bool used;
} http_column;

/* NULL: out of memory. The model must outlive them. */
http_scorers *http_scorers_new(const odim_model *model);
void http_scorers_free(http_scorers *all);
/* The columns of the model. */
const http_column *http_scorers_columns(const http_scorers *all, int64_t *count);
/* One that no other thread uses; NULL: out of memory. */
http_scorer *http_scorers_take(http_scorers *all);
void http_scorers_return(http_scorers *all, http_scorer *s);

#endif
