/* The access log. */
#include "access_log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"
#include "http_text.h"
#include "log.h"
#include "odim.h"

enum { LINES_MOST = 1 << 24, PATH_SHOWN = 300 }; /* bytes that may wait, bytes of a path */

struct http_log {
    pthread_mutex_t lock;
    int fd;
    bool broken; /* has been reported */
    http_text lines;
    time_t second; /* of `day` */
    char day[24];
};

http_log *http_log_open(const char *path)
{
    http_log *log = od_calloc(1, sizeof *log);
    if (!log) {
        cli_log("out of memory");
        return NULL;
    }
    log->fd = strcmp(path, "-") == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                                     : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (log->fd < 0) {
        cli_log("%s: %s", path, strerror(errno));
        od_free(log);
        return NULL;
    }
    pthread_mutex_init(&log->lock, NULL);
    log->lines.most = LINES_MOST;
    return log;
}

static void write_lines(http_log *log, const http_text *lines)
{
    const char *at = lines->bytes;
    size_t left = lines->size;
    while (left > 0) {
        ssize_t wrote = write(log->fd, at, left);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            if (!log->broken) cli_log("the access log cannot be written: %s", strerror(errno));
            log->broken = true;
            return;
        }
        at += wrote;
        left -= (size_t)wrote;
    }
    log->broken = false;
}

void http_log_add(http_log *log, const http_log_line *line)
{
    struct timespec now;
    struct tm parts;
    char path[PATH_SHOWN];
    clock_gettime(CLOCK_REALTIME, &now);
    odim_printable(line->path ? line->path : "", path, sizeof path);
    pthread_mutex_lock(&log->lock);
    if (now.tv_sec != log->second && gmtime_r(&now.tv_sec, &parts)) {
        strftime(log->day, sizeof log->day, "%Y-%m-%dT%H:%M:%S", &parts);
        log->second = now.tv_sec;
    }
    http_text *t = &log->lines;
    http_text_printf(t, "{\"time\": \"%s.%03dZ\", \"client\": \"%s\", \"method\": ", log->day,
                     (int)(now.tv_nsec / 1000000), line->client);
    http_text_json(t, line->method);
    http_text_puts(t, ", \"path\": ");
    http_text_json(t, path);
    http_text_printf(
        t, ", \"status\": %d, \"received\": %llu, \"sent\": %llu, \"rows\": %llu, \"seconds\": %.6f}\n",
        line->status, (unsigned long long)line->received, (unsigned long long)line->sent,
        (unsigned long long)line->rows, line->seconds);
    pthread_mutex_unlock(&log->lock);
}

/* Requests do not wait while lines are written. */
void http_log_flush(http_log *log)
{
    pthread_mutex_lock(&log->lock);
    http_text lines = log->lines;
    log->lines = (http_text){.most = LINES_MOST};
    pthread_mutex_unlock(&log->lock);
    if (lines.failed) cli_log("the access log is too slow: lines are lost");
    write_lines(log, &lines);
    http_text_free(&lines);
}

void http_log_close(http_log *log)
{
    if (!log) return;
    http_log_flush(log);
    close(log->fd);
    http_text_free(&log->lines);
    pthread_mutex_destroy(&log->lock);
    od_free(log);
}
