/*
 * A long body, scored while it arrives. The bytes go through a pipe to the reader that the command uses, so
 * that a body of any length needs little memory besides its scores:
 *
 *     connection --feed--> queue --feeder thread--> pipe --> scoring thread --> response
 *
 * If the queue is full, the connection pauses until there is room again.
 */
#ifndef HTTP_SCORE_BULK_H
#define HTTP_SCORE_BULK_H

#include "http_app.h"

typedef struct http_bulk http_bulk;

/* Begins with a request whose path has been matched. wake(ctx) is called, on any thread, once for each
 * http_bulk_wait. NULL: refused, and the response says why. */
http_bulk *http_bulk_new(http_app *app, const http_request *r, void (*wake)(void *ctx), void *ctx,
                         http_response *a);
/* Takes bytes of the body; returns how many. Fewer than `size`: wait before the rest. */
size_t http_bulk_feed(http_bulk *b, const char *bytes, size_t size);
/* The body is complete. */
void http_bulk_end(http_bulk *b);
/* Has `wake` called as soon as there is room or, after the end, the response; at once if that is so. */
void http_bulk_wait(http_bulk *b);
/* Whether the response is ready. */
bool http_bulk_is_done(http_bulk *b);
/* Takes it. */
void http_bulk_answer(http_bulk *b, http_response *a);
/* Forgets it, also before the end; what still runs is cancelled. */
void http_bulk_free(http_bulk *b);

#endif
