/* The main program of odim-mpi: fit, score and detect on many machines, started by mpirun or srun. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "comm.h"
#include "help.h"
#include "out.h"
#include "progress.h"
#include "log.h"
#include "common/suggest.h"
#include "verbs.h"

const char cli_program[] = "odim-mpi";
const char cli_examples[] =
    "  mpirun -n 4 odim-mpi detect data.csv -o scores.csv    a score for every row\n"
    "  srun odim-mpi score -m model.odim new/*.csv -o out.csv\n"
    "  odim-mpi help detect    all options of a command; those that need all rows in\n"
    "                          one place (--top, --json, --report, --known-rows,\n"
    "                          --dp-...) are refused\n";

const cli_verb *const cli_verbs[] = {&job_detect_verb, &job_fit_verb, &job_score_verb, &cli_help_verb, NULL};

const cli_verb *cli_verb_find(const char *name)
{
    od_suggest s = {.word = name};
    for (const cli_verb *const *verb = cli_verbs; *verb; verb++) {
        if (strcmp((*verb)->name, name) == 0) return *verb;
        od_suggest_offer(&s, (*verb)->name);
    }
    if (s.best)
        cli_log("unknown command '%s'; did you mean '%s'?", name, s.best);
    else
        cli_log("unknown command '%s'; odim-mpi has detect, fit and score, and 'odim' has the others", name);
    return NULL;
}

/* mpirun sends a signal to the remaining ranks when one has died, and says why. */
static void on_signal(int sig)
{
    cli_out_abandon();
    cli_progress_abandon();
    _exit(128 + sig);
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "help";
    bool asks =
        argc < 2 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        if (job_comm_rank == 0) printf("odim-mpi %s (kernels: %s)\n", odim_version(), odim_kernels());
        return CLI_EXIT_OK;
    }
    if (asks && job_comm_rank) return CLI_EXIT_OK;
    if (asks) return cli_help_verb.run(argc > 2 ? argc - 2 : 0, argv + 2);
    const cli_verb *verb = cli_verb_find(name);
    return verb ? job_verb_run(verb, argc - 2, argv + 2) : CLI_EXIT_USAGE;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    if (!job_comm_begin(&argc, &argv)) return CLI_EXIT_FAILED;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction new = {.sa_handler = on_signal};
        sigaction(signals[i], &new, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
    if (job_comm_rank) cli_log_mute();
    odim_hints_set(ODIM_HINTS_FLAGS);
    int code = dispatch(argc, argv);
    fflush(stdout);
    job_comm_end();
    /* One exit status is enough: mpirun prints a page of text about each. */
    return job_comm_rank ? CLI_EXIT_OK : code;
}
