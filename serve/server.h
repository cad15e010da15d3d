/* The HTTP server: starts it, waits for a signal, and stops it in order. */
#ifndef SRV_SERVER_H
#define SRV_SERVER_H

#include "serve_app.h"

/* Returns the exit code of the command. */
int srv_serve(const srv_settings *set);

#endif
