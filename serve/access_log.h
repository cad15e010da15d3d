/*
 * The access log: one JSON object per line and request, such as
 *
 *     {"time": "2026-05-01T12:00:00.123Z", "client": "127.0.0.1", "method": "POST", "path":
 * "/v1/models/a/score", "status": 200, "received": 54, "sent": 112, "rows": 1, "seconds": 0.000151}
 *
 * without queries, tokens and bodies. Lines are collected and written ten times per second. A log that cannot
 * be written is reported once, and its lines are dropped.
 */
#ifndef HTTP_ACCESS_LOG_H
#define HTTP_ACCESS_LOG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct http_log http_log;

typedef struct http_log_line {
    const char *client, *method, *path;
    int status;
    uint64_t received, sent, rows;
    double seconds;
} http_log_line;

/* path "-": standard output. NULL: the reason has been reported. */
http_log *http_log_open(const char *path);
void http_log_add(http_log *log, const http_log_line *line);
void http_log_flush(http_log *log);
void http_log_close(http_log *log);

#endif
