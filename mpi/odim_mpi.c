/* odim-mpi: fit, score and detect on many machines, started by mpirun or srun. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "crowd.h"
#include "help.h"
#include "launcher.h"
#include "out.h"
#include "progress.h"
#include "say.h"
#include "suggest.h"
#include "verbs.h"

const char od_program[] = "odim-mpi";
const char od_examples[] = "  mpirun -n 4 odim-mpi detect data.csv -o scores.csv    a score for every row\n"
                           "  srun odim-mpi score -m model.odim new/*.csv -o out.csv\n"
                           "  odim-mpi help detect    all options of a command; those that need all rows in\n"
                           "                          one place (--top, --json, --report, --known-rows,\n"
                           "                          --dp-...) are refused\n";

const od_verb *const od_verbs[] = {&od_mpi_detect_verb, &od_mpi_fit_verb, &od_mpi_score_verb, &od_help_verb,
                                   NULL};

const od_verb *od_verb_find(const char *name)
{
    od_suggest s = {.word = name};
    for (const od_verb *const *verb = od_verbs; *verb; verb++) {
        if (strcmp((*verb)->name, name) == 0) return *verb;
        od_suggest_offer(&s, (*verb)->name);
    }
    if (s.best)
        od_say("unknown command '%s'; did you mean '%s'?", name, s.best);
    else
        od_say("unknown command '%s'; detect, fit and score are for many machines, 'odim' has the others",
               name);
    return NULL;
}

/* mpirun sends it to those that are left when one has died, and says why. */
static void on_signal(int sig)
{
    od_out_abandon();
    od_progress_abandon();
    _exit(128 + sig);
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "help";
    bool asks =
        argc < 2 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        if (od_crowd_rank == 0) printf("odim-mpi %s (kernels: %s)\n", odim_version(), odim_kernels());
        return OD_EXIT_OK;
    }
    if (asks && od_crowd_rank) return OD_EXIT_OK;
    if (asks) return od_help_verb.run(argc > 2 ? argc - 2 : 0, argv + 2);
    const od_verb *verb = od_verb_find(name);
    return verb ? verb->run(argc - 2, argv + 2) : OD_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    od_launcher_guard();
    if (!od_crowd_begin(&argc, &argv)) return OD_EXIT_FAILED;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction new = {.sa_handler = on_signal};
        sigaction(signals[i], &new, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
    if (od_crowd_rank) od_say_mute();
    int code = dispatch(argc, argv);
    fflush(stdout);
    od_crowd_end();
    /* One exit status is enough for mpirun, which has a page to say about each. */
    return od_crowd_rank ? OD_EXIT_OK : code;
}
