/* What a thread needs to score rows with a model, kept for the next request. */
#ifndef HTTP_SCORERS_H
#define HTTP_SCORERS_H

#include "odim.h"

typedef struct http_scorer {
    struct http_scorer *next; /* in the list of those that are free */
    odim_params *params;      /* one thread */
} http_scorer;

typedef struct http_scorers http_scorers;

/* NULL: out of memory. The model must outlive them. */
http_scorers *http_scorers_new(const odim_model *model);
void http_scorers_free(http_scorers *all);
/* One that no other thread uses; NULL: out of memory. */
http_scorer *http_scorers_take(http_scorers *all);
void http_scorers_return(http_scorers *all, http_scorer *s);

#endif
