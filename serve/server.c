/* The HTTP server: starts it, waits for a signal, and stops it in order. */
#include "server.h"

#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common/platform.h"
#include "connections.h"
#include "exchange.h"
#include "log.h"
#include "signals.h"
#include "verb.h"

enum {
    CONNECTIONS_MOST = 4096,
    HEADERS_MOST = 32 * 1024, /* bytes of a connection's headers and buffers */
    WAITING_MOST = 256,       /* slow requests that may wait for a worker */
    STOP_SECONDS = 30,        /* that running requests get to finish */
    CUT_SECONDS = 5           /* that they get to notice that they are given up */
};

/* A socket that listens, or -1; the reason has been reported. *port becomes the one it has. */
static int listen_on(const char *address, int *port)
{
    char service[8];
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                             .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    snprintf(service, sizeof service, "%d", *port);
    int error = od_platform_address(address, service, &hints, &found);
    if (error) {
        cli_log("--listen must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, not '%s'",
                address);
        return -1;
    }
    struct sockaddr_storage bound;
    socklen_t size = sizeof bound;
    int on = 1, fd = od_platform_socket(found->ai_family);
    bool fine = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                bind(fd, found->ai_addr, found->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0 &&
                getsockname(fd, (struct sockaddr *)&bound, &size) == 0;
    freeaddrinfo(found);
    if (fine &&
        getnameinfo((struct sockaddr *)&bound, size, NULL, 0, service, sizeof service, NI_NUMERICSERV) == 0) {
        *port = (int)strtol(service, NULL, 10);
        return fd;
    }
    cli_log("cannot listen on %s, port %d: %s", address, *port, strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

/* Connections are descriptors, of which a process may have few by default. */
static void allow_descriptors(void)
{
    struct rlimit limit;
    const rlim_t wanted = CONNECTIONS_MOST + 256;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* request.c decodes targets. */
static size_t unescape_nothing(void *closure, struct MHD_Connection *connection, char *text)
{
    (void)closure;
    (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *start(http_loop *loop, int fd)
{
    unsigned threads = (unsigned)loop->app->set.threads;
    struct rlimit limit;
    unsigned most = CONNECTIONS_MOST;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < CONNECTIONS_MOST + 64)
        most = limit.rlim_cur > 128 ? (unsigned)limit.rlim_cur - 64 : 64;
    return mhd.start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
                            http_exchange_handle, loop, MHD_OPTION_LISTEN_SOCKET, fd,
                            MHD_OPTION_THREAD_POOL_SIZE, threads > 1 ? threads : 0,
                            MHD_OPTION_CONNECTION_LIMIT, most, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            (size_t)HEADERS_MOST, MHD_OPTION_URI_LOG_CALLBACK, http_exchange_begin, loop,
                            MHD_OPTION_UNESCAPE_CALLBACK, unescape_nothing, NULL, MHD_OPTION_NOTIFY_COMPLETED,
                            http_exchange_end, loop, MHD_OPTION_NOTIFY_CONNECTION, http_connections_notify,
                            loop->connections, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static void refresh(void *arg)
{
    http_loop *loop = arg;
    http_models_refresh(loop->app->models);
    atomic_store(&loop->refreshing, false);
}

/* Ten times per second. */
static void tick(void *arg)
{
    http_loop *loop = arg;
    if (loop->app->log) http_log_flush(loop->app->log);
    if (++loop->ticks % 10 != 0 || atomic_exchange(&loop->refreshing, true)) return;
    if (!http_workers_add(loop->workers, refresh, loop)) atomic_store(&loop->refreshing, false);
}

static void nap(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000},
              NULL);
}

static void wait_until_zero(const atomic_int *count, int seconds)
{
    for (int i = 0; i < seconds * 100 && atomic_load(count) > 0; i++) nap(10);
}

/* Answers what was asked; connections that ask again get a 503. Returns false if a request does not end. */
static bool stop(http_loop *loop, struct MHD_Daemon *daemon, int fd)
{
    http_app *app = loop->app;
    atomic_store(&app->stopping, true);
    serve_jobs_stop(app->jobs);
    mhd.quiesce_daemon(daemon);
    close(fd);
    wait_until_zero(&app->active, STOP_SECONDS);
    atomic_store(&app->cut, true);
    wait_until_zero(&loop->suspended, CUT_SECONDS);
    /* The library cannot close a connection that rests. */
    if (atomic_load(&loop->suspended) > 0 || !http_connections_stop_naps(loop->connections)) return false;
    mhd.stop_daemon(daemon);
    wait_until_zero(&app->bulks, CUT_SECONDS);
    return atomic_load(&app->bulks) == 0;
}

static int serve(http_loop *loop, int fd, int port)
{
    const http_settings *set = &loop->app->set;
    bool bracket = strchr(set->listen, ':');
    loop->workers = http_workers_new(2 * set->threads + 2, WAITING_MOST);
    loop->connections = http_connections_new(set->idle_seconds, set->request_seconds, tick, loop);
    struct MHD_Daemon *daemon = loop->workers && loop->connections ? start(loop, fd) : NULL;
    if (daemon) {
        printf("http://%s%s%s:%d/\n", bracket ? "[" : "", set->listen, bracket ? "]" : "", port);
        fflush(stdout);
        while (!cli_signals_caught()) nap(50);
        if (!stop(loop, daemon, fd)) {
            cli_log("a request does not end and is cut off");
            if (loop->app->log) http_log_flush(loop->app->log);
            fflush(NULL);
            _exit(CLI_EXIT_OK);
        }
    } else {
        cli_log("the server cannot start: %s", errno ? strerror(errno) : "out of memory");
        close(fd);
    }
    http_connections_free(loop->connections);
    http_workers_free(loop->workers);
    return daemon ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

int http_serve(const http_settings *set)
{
    http_app app;
    http_loop loop = {.app = &app};
    int port = set->port;
    if (!http_mhd_load() || !http_app_open(&app, set)) return CLI_EXIT_FAILED;
    signal(SIGPIPE, SIG_IGN);
    allow_descriptors();
    cli_signals_defer(true);
    int fd = listen_on(set->listen, &port), code = CLI_EXIT_FAILED;
    if (fd >= 0) code = serve(&loop, fd, port);
    http_app_close(&app);
    return code;
}
