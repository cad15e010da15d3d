/* Interruption: by a signal at once, or in order during a long call. */
#include "signals.h"

#include <signal.h>
#include <unistd.h>

#include "out.h"
#include "progress.h"

static volatile sig_atomic_t deferred, caught;

void cli_signals_die(int sig)
{
    sigset_t only;
    signal(sig, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, sig);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(sig);
    _exit(128 + sig);
}

static void on_signal(int sig)
{
    if (deferred && !caught) {
        caught = sig;
        return;
    }
    cli_out_abandon();
    cli_progress_abandon();
    static const char text[] = "odim: interrupted\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    cli_signals_die(sig);
}

/* Nobody reads our output any more: end as every program does by default, but tidily. */
static void on_pipe(int sig)
{
    cli_out_abandon();
    cli_signals_die(sig);
}

static void handle(int sig, void (*handler)(int))
{
    struct sigaction old, new = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&new.sa_mask);
    /* Who started us may have switched it off, as nohup does: leave it so. */
    if (sigaction(sig, NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(sig, &new, NULL);
}

void cli_signals_install(void)
{
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
    handle(SIGHUP, on_signal);
    handle(SIGQUIT, on_signal);
    handle(SIGPIPE, on_pipe);
    /* A file that would grow past the user's limit is a write error like a full disk, not a reason to die. */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_signals_defer(bool on)
{
    deferred = on;
}

int cli_signals_caught(void)
{
    return caught;
}
