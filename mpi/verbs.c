/* The verbs fit, detect and score of odim-mpi, with the options of the same verbs of `odim`. */
#include "verbs.h"

#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "common/mem.h"
#include "base/cores.h"
#include "held.h"
#include "input.h"
#include "job.h"
#include "model/params.h"
#include "progress.h"
#include "log.h"

typedef struct settings {
    cli_operands files;
    cli_input input;
    cli_lists lists; /* of the input's options */
    cli_output output;
    const char *model, *save, *threads, *checkpoint;
    int traffic;
} settings;

#define CLUSTER_OPTIONS                                                                                      \
    {"checkpoint",                                                                                           \
     0,                                                                                                      \
     "DIR",                                                                                                  \
     "Running",                                                                                              \
     "keep finished work in DIR, from which the same command resumes; shared, or one DIR per machine",       \
     CLI_OPTION_TEXT,                                                                                        \
     0,                                                                                                      \
     offsetof(settings, checkpoint)},                                                                        \
    {                                                                                                        \
        "traffic", 0, NULL, "Running", "report the time and the bytes sent for each stage",                  \
            CLI_OPTION_SWITCH, 1, offsetof(settings, traffic)                                                \
    }

static const cli_option detect_options[] = {
    CLI_INPUT_OPTIONS(settings, ""),
    CLI_INPUT_COLUMNS(settings),
    CLI_OUTPUT_OPTIONS(settings),
    {"save-model", 0, "MODEL", "Output", "save the fitted model to this file, for 'odim score'",
     CLI_OPTION_TEXT, 0, offsetof(settings, save)},
    CLUSTER_OPTIONS,
};

static const cli_option fit_options[] = {
    CLI_INPUT_OPTIONS(settings, ""),
    CLI_INPUT_COLUMNS(settings),
    {"output", 'o', "MODEL", "Output", "write the model to this file (atomically)", CLI_OPTION_TEXT, 0,
     offsetof(settings, save)},
    {"quiet", 'q', NULL, "Output", "print only errors to stderr", CLI_OPTION_SWITCH, 1,
     offsetof(settings, output.quiet)},
    CLUSTER_OPTIONS,
};

static const cli_option score_options[] = {
    {"model", 'm', "MODEL", "Input", "the model file that 'odim fit' wrote", CLI_OPTION_TEXT, 0,
     offsetof(settings, model)},
    CLI_INPUT_OPTIONS(settings, ""),
    CLI_OUTPUT_OPTIONS(settings),
    {"threads", 0, "N", "Running", "threads per rank [cores of the machine / ranks on it]", CLI_OPTION_TEXT,
     0, offsetof(settings, threads)},
    CLUSTER_OPTIONS,
};

/* ---- checking the settings -------------------------------------------------------------------------- */

static const char *find_wrong(const cli_verb *verb, const settings *set, odim_params *params)
{
    if (set->input.bad_rows && strcmp(set->input.bad_rows, "stop") != 0)
        return "odim-mpi stops at a bad row: --bad-rows skip and call need 'odim'";
    bool fit = verb == &job_fit_verb;
    if (set->files.count == 0) return "a FILE is needed";
    for (int i = 0; i < set->files.count; i++)
        if (strcmp(set->files.text[i], "-") == 0)
            return "several ranks cannot read standard input: give a file that all ranks can open";
    if (fit && !set->save) return "fit needs a file for the model: --output MODEL";
    if (verb == &job_score_verb && !set->model)
        return "score needs a model: --model MODEL, as 'odim fit' writes it";
    if (!fit && (!set->output.output || strcmp(set->output.output, "-") == 0))
        return "odim-mpi writes scores only to a file: --output FILE";
    if (set->input.known_rows)
        return "odim-mpi has no --known-rows: use a column of known outliers (--known-outliers)";
    if (cli_input_is_private(params)) return "odim-mpi has no --dp-epsilon: it needs all rows on one machine";
    return NULL;
}

static bool check(const cli_verb *verb, settings *set, odim_params *params, odim_read_options *reading)
{
    double threshold;
    const char *wrong = find_wrong(verb, set, params);
    if (wrong) {
        cli_log("%s", wrong);
        return false;
    }
    odim_error err;
    if (set->threads && odim_params_set(params, "threads", set->threads, &err)) {
        cli_log("--%s", err.msg);
        return false;
    }
    set->output.stream = 1; /* refuses what needs all scores at once */
    if (!cli_input_options(&set->input, &set->lists, reading) ||
        !cli_output_threshold(&set->output, NULL, &threshold))
        return false;
    for (int i = 0; i < set->files.count; i++) {
        if (!cli_output_check(&set->output, params, set->files.text[i])) return false;
        if (!cli_input_is(set->files.text[i], set->save)) continue;
        cli_log("%s: is the input; save the model in another file", set->save);
        return false;
    }
    if (!set->output.output || !set->save || strcmp(set->output.output, set->save) != 0) return true;
    cli_log("the scores and the model cannot both go to %s", set->save);
    return false;
}

/* ---- the work --------------------------------------------------------------------------------------- */

/* Fails unless all ranks have the same version and arguments. */
static odim_status check_same(int argc, char **argv, odim_error *err)
{
    od_byte_writer hasher = od_bytes_hasher();
    struct {
        char version[64];
        uint64_t arguments;
    } own = {0}, first;
    snprintf(own.version, sizeof own.version, "%s", odim_version());
    for (int i = 0; i < argc; i++) od_bytes_put(&hasher, argv[i], strlen(argv[i]) + 1);
    own.arguments = hasher.hash;
    first = own;
    job_comm_share(&first, sizeof first);
    odim_status status = ODIM_OK;
    if (strcmp(first.version, own.version) != 0)
        status = od_fail(err, ODIM_ERR_PARAM, "is version %s of odim-mpi, but rank 0 is %s", own.version,
                         first.version);
    else if (first.arguments != own.arguments)
        status = od_fail(err, ODIM_ERR_PARAM, "was started with different arguments than rank 0");
    return job_comm_agree(status, err);
}

/* By default a rank uses the cores of its machine divided by the ranks on it. */
static odim_status set_threads(job_context *job, odim_error *err)
{
    int64_t each = od_cores() / job_comm_neighbors();
    char text[32];
    job->asked = job->params->config.threads;
    if (job->asked) return ODIM_OK;
    snprintf(text, sizeof text, "%lld", (long long)(each > 1 ? each : 1));
    return odim_params_set(job->params, "threads", text, err);
}

/* Logs a line every few seconds, if stderr is not a terminal, as under mpirun. */
static void log_progress(const odim_progress *now)
{
    static double last;
    double time = cli_run_clock(), wait = job_comm_seconds("ODIM_MPI_EVERY", 10.0);
    if (last == 0) last = time;
    if (time - last < wait) return;
    last = time;
    if (now->stage == ODIM_STAGE_READING)
        cli_log("reading: %lld rows", (long long)now->rows_done);
    else if (now->stage == ODIM_STAGE_SCORING)
        cli_log("scoring: %.0f %%, %lld of %lld rows", 100 * now->fraction, (long long)now->rows_done,
                (long long)now->rows);
    else
        cli_log("fitting: %.0f %%", 100 * now->fraction);
}

/* Shows the progress of all ranks. */
static void show(const job_progress *sum, void *ctx)
{
    cli_run *work = ctx;
    double fraction = sum->all > 0 ? (double)sum->done / (double)sum->all : 0;
    odim_progress now = {.fraction = fraction < 1 ? fraction : 1};
    if (sum->stage == JOB_STAGE_BEGIN || sum->stage == JOB_STAGE_WRITE || work->quiet) return;
    if (sum->stage == JOB_STAGE_TRAIN) {
        now.members = (int)(sum->all / 100);
        now.members_done = (int)(sum->done / 100);
    } else if (sum->stage == JOB_STAGE_SCORE) {
        now.stage = ODIM_STAGE_SCORING;
        now.rows = sum->all;
        now.rows_done = sum->done;
    } else {
        now.stage = ODIM_STAGE_READING;
        now.rows_done = sum->done;
    }
    if (work->bar.on)
        cli_progress_draw(&work->bar, &now);
    else
        log_progress(&now);
}

/* The outputs, on rank 0. They are opened before the work begins, so that a bad path is reported early. */
typedef struct outputs {
    cli_out scores, model;
} outputs;

static odim_status open_outputs(const job_context *job, outputs *out, odim_error *err)
{
    if (job_comm_rank) return ODIM_OK;
    /* cli_out_open has reported the reason. */
    if (job->set && !cli_out_open(&out->scores, job->set->output)) return od_fail(err, ODIM_ERR_IO, "%s", "");
    if (job->set && !cli_out_is_file(&out->scores))
        return od_fail(err, ODIM_ERR_IO, "%s: must be a regular file, because several ranks write to it",
                       job->set->output);
    if (job->save && !cli_out_open(&out->model, job->save)) return od_fail(err, ODIM_ERR_IO, "%s", "");
    return ODIM_OK;
}

static odim_status save_model(const job_context *job, outputs *out, odim_error *err)
{
    if (job_comm_rank || !job->save) return ODIM_OK;
    cli_held_say(job->work, job->model);
    return cli_run_save(job->model, &out->model, NULL) ? od_fail(err, ODIM_ERR_IO, "%s", "") : ODIM_OK;
}

static odim_status commit_scores(outputs *out, odim_error *err)
{
    if (job_comm_rank || cli_out_commit(&out->scores)) return ODIM_OK;
    return od_fail(err, ODIM_ERR_IO, "%s", "");
}

static void say_summary(const job_context *job, int64_t flagged)
{
    double percent = 100.0 * (double)flagged / (double)job->rows;
    cli_progress_clear();
    if (job_comm_rank || job->work->quiet) return;
    fprintf(stderr, percent < 9.95 ? "%lld of %lld rows %s (%.2g %%)\n" : "%lld of %lld rows %s (%.0f %%)\n",
            (long long)flagged, (long long)job->rows, flagged == 1 ? "is an outlier" : "are outliers",
            percent);
}

static odim_status run_stages(job_context *job, outputs *out, int argc, char **argv, odim_error *err)
{
    int64_t flagged = 0;
    odim_status status = check_same(argc, argv, err);
    if (!status) status = job_comm_agree(set_threads(job, err), err);
    if (!status && job->load) status = job_comm_agree(odim_model_load(&job->model, job->load, err), err);
    job->reading.like = job->model;
    if (!status) status = job_partition_plan(job, err);
    if (!status) status = job_comm_agree(open_outputs(job, out, err), err);
    if (!status) status = job_checkpoint_open(job, err);
    if (!status) status = job_scan(job, err);
    if (!status && !job->load) status = job_cluster_fit(job, err);
    if (!status) status = job_comm_agree(save_model(job, out, err), err);
    if (!status && job->set) {
        status = job_cluster_score(job, &out->scores, &flagged, err);
        if (!status) status = job_comm_agree(commit_scores(out, err), err);
    }
    job_comm_watch(NULL, NULL);
    if (!status && job->set) say_summary(job, flagged);
    return status;
}

static int run_job(const cli_verb *verb, settings *set, odim_params *params, const odim_read_options *reading,
                   int argc, char **argv)
{
    odim_error err = {0};
    cli_run at_work;
    outputs out = {0};
    job_context job = {.verb = verb->name,
                       .reading = *reading,
                       .params = params,
                       .set = verb == &job_fit_verb ? NULL : &set->output,
                       .load = set->model,
                       .save = set->save,
                       .checkpoint = set->checkpoint,
                       .work = &at_work,
                       .files = set->files.count,
                       .open = -1};
    cli_run_init(&at_work, set->output.quiet || job_comm_rank);
    if (job_comm_rank == 0) job_comm_watch(show, &at_work);
    job.file = od_calloc((size_t)job.files, sizeof *job.file);
    odim_status status = job_comm_agree(job.file ? ODIM_OK : od_fail_nomem(&err), &err);
    for (int64_t i = 0; !status && i < job.files; i++) job.file[i].path = set->files.text[i];
    if (!status) status = run_stages(&job, &out, argc, argv, &err);
    job_comm_watch(NULL, NULL);
    cli_progress_clear();
    job_partition_close(&job);
    if (job_comm_rank == 0) {
        cli_out_discard(&out.scores);
        cli_out_discard(&out.model);
    }
    job_checkpoint_close(!status);
    if (status && err.msg[0]) cli_log("%s", err.msg);
    if (!status && set->traffic) job_comm_traffic(stderr);
    odim_model_free(job.model);
    job_partition_free(&job);
    od_free(job.file);
    cli_run_free(&at_work);
    return !status ? CLI_EXIT_OK : status == ODIM_ERR_PARAM ? CLI_EXIT_USAGE : CLI_EXIT_FAILED;
}

/* Returns -1 if the command line is fine, or the exit code. */
static int parse(const cli_verb *verb, int argc, char **argv, settings *set, odim_params *params,
                 odim_read_options *reading)
{
    const char *path;
    if (!params) return cli_run_nomem();
    int code = cli_args_parse(verb, argc, argv, set, verb->params ? params : NULL, &path);
    return code < 0 && !check(verb, set, params, reading) ? CLI_EXIT_USAGE : code;
}

int job_verb_run(const cli_verb *verb, int argc, char **argv)
{
    settings set = {0};
    odim_read_options reading;
    odim_params *params = odim_params_new();
    /* Rank 0 parses first: it alone answers --help and reports errors. */
    int64_t code = job_comm_rank ? -1 : parse(verb, argc, argv, &set, params, &reading);
    job_comm_share(&code, sizeof code);
    if (code < 0) {
        odim_error err;
        int own = job_comm_rank ? parse(verb, argc, argv, &set, params, &reading) : -1;
        odim_status status = own < 0 ? ODIM_OK : od_fail(&err, ODIM_ERR_PARAM, "cannot use the command line");
        status = job_comm_agree(status, &err);
        if (status) cli_log("%s", err.msg);
        code = status ? CLI_EXIT_USAGE : run_job(verb, &set, params, &reading, argc, argv);
    }
    cli_args_free(verb, &set);
    cli_lists_free(&set.lists);
    odim_params_free(params);
    return (int)code;
}

#define MORE                                                                                                 \
    "Every rank must be able to open the FILEs; each reads only its part. Several files\n"                   \
    "are treated as one, in the given order. Model and scores are, to the byte, those of\n"                  \
    "'odim --stream', for any number of ranks. docs/CLUSTER.md has more.\n"

const cli_verb job_detect_verb = {
    .name = "detect",
    .summary = "find outliers in a table, on many machines",
    .usage = "FILE... -o SCORES [options]",
    .examples = "  mpirun odim-mpi detect data.csv -o scores.csv\n"
                "  mpirun odim-mpi detect part-*.csv -o scores.csv --checkpoint kept\n"
                "  srun odim-mpi detect data.npy -o scores.npy --save-model model.odim\n",
    .more = MORE,
    .options = detect_options,
    .option_count = sizeof detect_options / sizeof *detect_options,
    .many = true,
    .operands = offsetof(settings, files),
    .params = true,
};

const cli_verb job_fit_verb = {
    .name = "fit",
    .summary = "fit a model on a table, on many machines",
    .usage = "FILE... -o MODEL [options]",
    .examples = "  mpirun odim-mpi fit data.csv -o model.odim\n",
    .more = MORE,
    .options = fit_options,
    .option_count = sizeof fit_options / sizeof *fit_options,
    .many = true,
    .operands = offsetof(settings, files),
    .params = true,
};

const cli_verb job_score_verb = {
    .name = "score",
    .summary = "score rows with a fitted model, on many machines",
    .usage = "FILE... -m MODEL -o SCORES [options]",
    .examples = "  mpirun odim-mpi score -m model.odim new.csv -o scores.csv\n",
    .more = MORE,
    .options = score_options,
    .option_count = sizeof score_options / sizeof *score_options,
    .many = true,
    .operands = offsetof(settings, files),
};
