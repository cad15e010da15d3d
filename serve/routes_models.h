/* The routes of models: list, look, keep, forget, score. */
#ifndef HTTP_ROUTES_MODELS_H
#define HTTP_ROUTES_MODELS_H

#include "http_app.h"

http_handler http_models_get_list, http_models_get_one, http_models_put_one, http_models_delete_one,
    http_models_score;

#endif
