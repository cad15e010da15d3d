/* The HTTP server: starts it, waits for a signal, and stops it in order. */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "http_app.h"

/* Returns the exit code of the command. */
int http_serve(const http_settings *set);

#endif
