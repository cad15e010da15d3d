/* What a thread needs to score rows with a model, kept for the next request. */
#include "scorers.h"

#include <pthread.h>
#include <string.h>

#include "common/mem.h"

enum { MORE_KEYS = 64 }; /* keys of an object beyond the columns of the model */

struct http_scorers {
    pthread_mutex_t lock;
    const odim_model *model;
    http_column *columns; /* (cols) */
    int64_t cols;
    http_scorer *free;
};

http_scorers *http_scorers_new(const odim_model *model)
{
    int64_t cols = odim_model_cols(model);
    http_scorers *all = od_calloc(1, sizeof *all);
    http_column *columns = od_calloc((size_t)cols, sizeof *columns);
    if (!all || !columns) {
        od_free(all);
        od_free(columns);
        return NULL;
    }
    for (int64_t k = 0; k < cols; k++) {
        odim_column_info info = ODIM_COLUMN_INFO_INIT;
        if (odim_model_column(model, k, &info, NULL)) continue;
        columns[k] = (http_column){info.name, strlen(info.name), info.type, !info.ignored};
    }
    all->model = model;
    all->columns = columns;
    all->cols = cols;
    pthread_mutex_init(&all->lock, NULL);
    return all;
}

static void free_one(http_scorer *s)
{
    odim_scorer_free(s->scorer);
    odim_params_free(s->params);
    od_free(s->values);
    od_free(s->order);
    od_free(s->seen);
    od_free(s);
}

static http_scorer *make(const http_scorers *all)
{
    http_scorer *s = od_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->keys_most = all->cols + MORE_KEYS;
    s->values = od_calloc((size_t)all->cols, sizeof *s->values);
    s->order = od_calloc((size_t)s->keys_most, sizeof *s->order);
    s->seen = od_calloc((size_t)all->cols, sizeof *s->seen);
    s->params = odim_params_new();
    if (s->values && s->order && s->seen && s->params &&
        odim_params_set(s->params, "threads", "1", NULL) == ODIM_OK &&
        odim_scorer_new(&s->scorer, all->model, NULL) == ODIM_OK)
        return s;
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
    od_free(all->columns);
    od_free(all);
}

const http_column *http_scorers_columns(const http_scorers *all, int64_t *count)
{
    *count = all->cols;
    return all->columns;
}

http_scorer *http_scorers_take(http_scorers *all)
{
    pthread_mutex_lock(&all->lock);
    http_scorer *s = all->free;
    if (s) all->free = s->next;
    pthread_mutex_unlock(&all->lock);
    return s ? s : make(all);
}

void http_scorers_return(http_scorers *all, http_scorer *s)
{
    pthread_mutex_lock(&all->lock);
    s->next = all->free;
    all->free = s;
    pthread_mutex_unlock(&all->lock);
}
