/* What a thread needs to score rows with a model, kept for the next request. */
#include "scorers.h"

#include <pthread.h>

#include "common/mem.h"

struct http_scorers {
    pthread_mutex_t lock;
    const odim_model *model;
    http_scorer *free;
};

http_scorers *http_scorers_new(const odim_model *model)
{
    http_scorers *all = od_calloc(1, sizeof *all);
    if (!all) return NULL;
    all->model = model;
    pthread_mutex_init(&all->lock, NULL);
    return all;
}

static void free_one(http_scorer *s)
{
    odim_params_free(s->params);
    od_free(s);
}

static http_scorer *make(void)
{
    http_scorer *s = od_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->params = odim_params_new();
    if (s->params && odim_params_set(s->params, "threads", "1", NULL) == ODIM_OK) return s;
    free_one(s);
    return NULL;
}

void http_scorers_free(http_scorers *all)
{
    if (!all) return;
    for (http_scorer *s = all->free, *next; s; s = next) {
        next = s->next;
        free_one(s);
    }
    pthread_mutex_destroy(&all->lock);
    od_free(all);
}

http_scorer *http_scorers_take(http_scorers *all)
{
    pthread_mutex_lock(&all->lock);
    http_scorer *s = all->free;
    if (s) all->free = s->next;
    pthread_mutex_unlock(&all->lock);
    return s ? s : make();
}

void http_scorers_return(http_scorers *all, http_scorer *s)
{
    pthread_mutex_lock(&all->lock);
    s->next = all->free;
    all->free = s;
    pthread_mutex_unlock(&all->lock);
}
