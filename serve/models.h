/*
 * The models of a folder, loaded: NAME is the file DIR/NAME.odim. A file that changes is loaded again while
 * requests go on with the old model; one that cannot be loaded leaves the old model in place.
 *
 * All functions may be called from any thread.
 */
#ifndef HTTP_MODELS_H
#define HTTP_MODELS_H

#include <pthread.h>

#include "problem.h"
#include "text.h"

enum { HTTP_MODELS_MOST = 256 }; /* models that are loaded */

typedef struct http_models http_models;

/* A loaded model, valid until it is released. */
typedef struct http_model {
    const odim_model *model;
    char fingerprint[17];
    struct http_scorers *scorers; /* see scorers.h */
} http_model;

/* Loads the models of a folder; dir NULL: there are none. NULL: the reason has been reported. */
http_models *http_models_open(const char *dir);
/* After all models are released. */
void http_models_close(http_models *all);
/* Looks for files that are new, changed or gone. */
void http_models_refresh(http_models *all);
int http_models_count(http_models *all);

/* NULL: there is none of that name, 404. "a.odim" is "a". */
http_model *http_models_get(http_models *all, const char *given, serve_problem *why);
void http_models_release(http_models *all, http_model *model);

/* {"models": [{"name", "bytes", "modified", "fingerprint", "columns", "rows"}...]}, by name. */
odim_status http_models_list(http_models *all, serve_text *out, serve_problem *why);
/* What the model contains, as `odim inspect --json` says it. */
odim_status http_models_info(http_models *all, const char *given, serve_text *out, serve_problem *why);
/* The bytes of its file. */
odim_status http_models_file(http_models *all, const char *given, serve_text *out, serve_problem *why);
/* Keeps a model under that name, atomically; *is_new: there was none before. 422 if the bytes are not a
 * model. */
odim_status http_models_put(http_models *all, const char *given, const void *bytes, size_t size, bool *is_new,
                            serve_problem *why);
odim_status http_models_delete(http_models *all, const char *given, serve_problem *why);

#endif
