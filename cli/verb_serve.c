/* odim serve: a page in the browser, and an interface for programs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"
#include "input.h"
#include "log.h"
#include "run.h"
#include "security.h"
#include "server.h"

typedef struct settings {
    const char *models, *port, *listen, *token, *log, *upload, *memory, *jobs, *threads, *idle, *time;
    char *hosts;
} settings;

static const cli_option options[] = {
    {"models", 0, "DIR", "Models", "the folder of models to score with; uploaded models are kept there",
     CLI_OPTION_TEXT, 0, offsetof(settings, models)},
    {"port", 'p', "N", "Network", "the port; 0: any that is free [8377]", CLI_OPTION_TEXT, 0,
     offsetof(settings, port)},
    {"listen", 0, "ADDR", "Network", "the address; others than loopback need --token-file [127.0.0.1]",
     CLI_OPTION_TEXT, 0, offsetof(settings, listen)},
    {"host", 0, "NAMES", "Network", "names under which clients may address the server, besides localhost",
     CLI_OPTION_LIST, 0, offsetof(settings, hosts)},
    {"token-file", 0, "FILE", "Network", "requests must have the token in this file", CLI_OPTION_TEXT, 0,
     offsetof(settings, token)},
    {"max-upload", 0, "SIZE", "Limits", "bytes of one upload [1G]", CLI_OPTION_TEXT, 0,
     offsetof(settings, upload)},
    {"max-memory", 0, "SIZE", "Limits", "bytes of all uploads and results together [half of the memory]",
     CLI_OPTION_TEXT, 0, offsetof(settings, memory)},
    {"jobs", 0, "N", "Limits", "jobs that run at a time [1]", CLI_OPTION_TEXT, 0, offsetof(settings, jobs)},
    {"idle-time", 0, "SECONDS", "Limits", "until a connection without a request is closed [60]",
     CLI_OPTION_TEXT, 0, offsetof(settings, idle)},
    {"time-limit", 0, "SECONDS", "Limits", "that a request may take; jobs may take longer [600]",
     CLI_OPTION_TEXT, 0, offsetof(settings, time)},
    {"access-log", 0, "FILE", "Running", "append a JSON line per request to FILE; '-': standard output",
     CLI_OPTION_TEXT, 0, offsetof(settings, log)},
    {"threads", 0, "N", "Running", "threads that handle requests [all cores]", CLI_OPTION_TEXT, 0,
     offsetof(settings, threads)},
};

/* A whole number between low and high; `text` NULL: as it is. */
static bool take_number(const char *option, const char *text, int low, int high, int *out)
{
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : *out;
    if (!text || (end != text && !*end && value >= low && value <= high)) {
        *out = (int)value;
        return true;
    }
    cli_log("--%s must be a number from %d to %d, not '%s'", option, low, high, text);
    return false;
}

static bool take_size(const char *option, const char *text, size_t *out)
{
    double size = text ? cli_input_size(text) : (double)*out;
    if (size >= 1 && size < 9e18) {
        *out = (size_t)size;
        return true;
    }
    cli_log("--%s must be a size such as 500M or 2G, not '%s'", option, text);
    return false;
}

static bool check(const settings *set, http_settings *out)
{
    int idle = 60, limit = 600;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *out = (http_settings){.listen = set->listen ? set->listen : "127.0.0.1",
                           .port = 8377,
                           .models = set->models,
                           .token_file = set->token,
                           .access_log = set->log,
                           .max_upload = (size_t)1 << 30,
                           .max_memory = od_mem_limit(0),
                           .threads = cores > 1 ? (int)cores : 1,
                           .jobs = 1};
    if (!take_number("port", set->port, 0, 65535, &out->port) ||
        !take_number("threads", set->threads, 1, 256, &out->threads) ||
        !take_number("jobs", set->jobs, 1, 64, &out->jobs) ||
        !take_number("idle-time", set->idle, 1, 86400, &idle) ||
        !take_number("time-limit", set->time, 1, 86400, &limit) ||
        !take_size("max-upload", set->upload, &out->max_upload) ||
        !take_size("max-memory", set->memory, &out->max_memory))
        return false;
    out->idle_seconds = idle;
    out->request_seconds = limit;
    if (set->token || http_address_is_loopback(out->listen)) return true;
    cli_log("--listen %s lets other machines in, which needs --token-file FILE", out->listen);
    return false;
}

static int serve(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    http_settings out;
    if (run->path) {
        cli_log("serve takes no file, but got '%s'; --models DIR is the folder of models", run->path);
        return CLI_EXIT_USAGE;
    }
    if (!check(set, &out)) return CLI_EXIT_USAGE;
    char **hosts = cli_list_split(set->hosts);
    if (set->hosts && !hosts) return cli_run_nomem();
    out.hosts = (const char *const *)hosts;
    int code = http_serve(&out);
    free(hosts);
    return code;
}

static int run_serve(int argc, char **argv)
{
    settings set = {0};
    return cli_run_verb(&cli_serve_verb, argc, argv, &set, serve);
}

const cli_verb cli_serve_verb = {
    .name = "serve",
    .summary = "a page in the browser and a scoring service",
    .usage = "[options]",
    .examples = "  odim serve                                   then open http://127.0.0.1:8377/\n"
                "  odim serve --models models                   score with the models in a folder\n"
                "  odim serve --listen 0.0.0.0 --token-file t   for other machines\n",
    .more = "The page shows what a table contains, finds its outliers and learns from what you\n"
            "mark. Programs use the same interface, described by /v1/openapi.json: for example\n"
            "POST /v1/models/NAME/score scores rows with the model DIR/NAME.odim. The server\n"
            "listens on this machine only unless told otherwise, opens no other connection,\n"
            "and keeps uploads in memory only.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_serve,
};
