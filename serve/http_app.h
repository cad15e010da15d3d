/* What all requests share: settings, token, models, counters, and whether the server is about to stop. */
#ifndef HTTP_APP_H
#define HTTP_APP_H

#include <stdatomic.h>

#include "access_log.h"
#include "http_metrics.h"
#include "jobs.h"
#include "models.h"
#include "request.h"
#include "response.h"

typedef struct http_settings {
    const char *listen; /* the address */
    int port;           /* 0: any that is free */
    const char *models; /* the folder of models; NULL: none */
    const char *token_file, *access_log;
    const char *const *hosts; /* further names of this server, ended by NULL; or NULL */
    size_t max_upload;        /* bytes of one body */
    size_t max_memory;        /* bytes of all bodies and results */
    int threads;              /* that handle requests */
    int jobs;                 /* that run at a time */
    double idle_seconds;      /* until a connection without a request is closed */
    double request_seconds;   /* that a request may take, apart from jobs */
} http_settings;

typedef struct http_app {
    http_settings set;
    http_models *models;
    serve_tables *tables;
    serve_jobs *jobs;
    http_log *log; /* or NULL */
    http_metrics metrics;
    char *token;        /* NULL: none is needed */
    atomic_size_t held; /* bytes of bodies in memory */
    atomic_bool stopping;
    atomic_bool cut;    /* scoring is to be given up */
    atomic_int watches; /* streams of events */
    atomic_int bulks;   /* long bodies that are being scored */
    atomic_int active;  /* requests that have not been answered yet */
} http_app;

/* Answers a request. */
typedef void http_handler(http_app *app, http_request *r, http_response *a);

/* Takes what the settings name: the token, the models. False: the reason has been reported. */
bool http_app_open(http_app *app, const http_settings *set);
void http_app_close(http_app *app);

/* Counts bytes of bodies that are held in memory; false: they would be more than half of max_memory. The
 * other half is for tables and jobs. */
bool http_app_hold(http_app *app, size_t bytes);
void http_app_release(http_app *app, size_t bytes);

#endif
