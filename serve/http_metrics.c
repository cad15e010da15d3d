/* Counters of requests, and the text that Prometheus reads. */
#include "http_metrics.h"

#include <string.h>

#include "common/platform.h"

static const char *const groups[HTTP_GROUPS] = {"page", "models", "score", "tables", "jobs", "other"};

/* Upper ends of the buckets in seconds; the last has none. */
static const double ends[HTTP_BUCKETS - 1] = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                              0.01,   0.05,    0.25,   1,     10};

void http_metrics_add(http_metrics *m, http_group group, int status, double seconds, uint64_t received,
                      uint64_t sent, uint64_t rows)
{
    int class = status >= 100 && status < 600 ? status / 100 - 1 : HTTP_CLASSES - 1, bucket = 0;
    while (bucket < HTTP_BUCKETS - 1 && seconds > ends[bucket]) bucket++;
    atomic_fetch_add_explicit(&m->requests[group][class], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&m->taken[group][bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&m->nanoseconds[group], (unsigned long long)(seconds * 1e9),
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&m->received, received, memory_order_relaxed);
    atomic_fetch_add_explicit(&m->sent, sent, memory_order_relaxed);
    atomic_fetch_add_explicit(&m->rows, rows, memory_order_relaxed);
}

static void head(http_text *out, const char *name, const char *kind, const char *help)
{
    http_text_printf(out, "# HELP odim_%s %s\n# TYPE odim_%s %s\n", name, help, name, kind);
}

void http_metrics_value(http_text *out, const char *name, const char *kind, const char *help, double value)
{
    head(out, name, kind, help);
    http_text_printf(out, "odim_%s %.17g\n", name, value);
}

static void write_times(http_metrics *m, http_text *out, int group)
{
    unsigned long long total = 0;
    for (int i = 0; i < HTTP_BUCKETS; i++) {
        total += atomic_load(&m->taken[group][i]);
        if (i < HTTP_BUCKETS - 1)
            http_text_printf(out, "odim_request_seconds_bucket{group=\"%s\",le=\"%g\"} %llu\n", groups[group],
                             ends[i], total);
        else
            http_text_printf(out, "odim_request_seconds_bucket{group=\"%s\",le=\"+Inf\"} %llu\n",
                             groups[group], total);
    }
    http_text_printf(out, "odim_request_seconds_sum{group=\"%s\"} %.9f\n", groups[group],
                     1e-9 * (double)atomic_load(&m->nanoseconds[group]));
    http_text_printf(out, "odim_request_seconds_count{group=\"%s\"} %llu\n", groups[group], total);
}

void http_metrics_write(http_metrics *m, http_text *out)
{
    head(out, "requests_total", "counter", "Requests by group and class of status.");
    for (int group = 0; group < HTTP_GROUPS; group++)
        for (int class = 1; class < HTTP_CLASSES; class ++)
            http_text_printf(out, "odim_requests_total{group=\"%s\",status=\"%dxx\"} %llu\n", groups[group],
                             class + 1, atomic_load(&m->requests[group][class]));
    head(out, "request_seconds", "histogram",
         "Time from the first byte of a request to the last of its response.");
    for (int group = 0; group < HTTP_GROUPS; group++) write_times(m, out, group);
    http_metrics_value(out, "received_bytes_total", "counter", "Bytes of bodies of requests.",
                       (double)atomic_load(&m->received));
    http_metrics_value(out, "sent_bytes_total", "counter", "Bytes of bodies of responses.",
                       (double)atomic_load(&m->sent));
    http_metrics_value(out, "rows_scored_total", "counter", "Rows scored by requests, apart from jobs.",
                       (double)atomic_load(&m->rows));
    http_metrics_value(out, "resident_bytes", "gauge", "Memory of the process.", od_platform_resident());
}
