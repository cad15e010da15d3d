/* odim dp-budget: the privacy budget of differentially private training. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "log.h"
#include "run.h"

/* NAN and 0 steps: not given. */
typedef struct settings {
    double rate, noise, epsilon, delta;
    int64_t steps;
    int json;
} settings;

static const cli_option options[] = {
    {"rate", 0, "Q", "Training", "probability that a row takes part in an update", CLI_OPTION_NUMBER, 0,
     offsetof(settings, rate)},
    {"noise", 0, "S", "Training", "standard deviation of the noise, in multiples of the clipping bound",
     CLI_OPTION_NUMBER, 0, offsetof(settings, noise)},
    {"steps", 0, "T", "Training", "number of updates, all members of an ensemble together", CLI_OPTION_COUNT,
     0, offsetof(settings, steps)},
    {"delta", 0, "D", "Guarantee", "well below 1 / (number of rows), such as 1e-5", CLI_OPTION_NUMBER, 0,
     offsetof(settings, delta)},
    {"epsilon", 0, "E", "Guarantee", "privacy budget", CLI_OPTION_NUMBER, 0, offsetof(settings, epsilon)},
    {"json", 0, NULL, "Output", "print JSON instead of text", CLI_OPTION_SWITCH, 1, offsetof(settings, json)},
};

/* What was asked and what was found: a whole run, and what it spends. */
typedef struct budget {
    double rate, noise, delta;
    int64_t steps;
    double spent, order; /* epsilon, and the order of Renyi privacy that shows it */
    double limit;        /* the epsilon that was asked for; NAN: none was */
} budget;

static int fail(const odim_error *err)
{
    /* The library names its arguments as the options here are named. */
    cli_log("--%s", err->msg);
    return CLI_EXIT_USAGE;
}

static int find(const settings *set, budget *b)
{
    odim_error err;
    odim_status status = ODIM_OK;
    *b = (budget){set->rate, set->noise, set->delta, set->steps, 0, 0, set->epsilon};
    if (!set->steps)
        status = odim_dp_steps(b->rate, b->noise, b->limit, b->delta, &b->steps, &err);
    else if (isnan(set->noise))
        status = odim_dp_noise(b->rate, b->limit, b->steps, b->delta, &b->noise, &err);
    if (!status) status = odim_dp_epsilon(b->rate, b->noise, b->steps, b->delta, &b->spent, &b->order, &err);
    return status ? fail(&err) : CLI_EXIT_OK;
}

static void print_json(const budget *b, cli_out *out)
{
    char noise[32]; /* all its digits: less noise is less privacy */
    snprintf(noise, sizeof noise, "%.15g", b->noise);
    cli_json j = {.out = out};
    cli_json_begin(&j, NULL, '{');
    cli_json_string(&j, "version", odim_version());
    cli_json_number(&j, "rate", b->rate);
    cli_json_raw(&j, "noise", noise);
    cli_json_int(&j, "steps", b->steps);
    cli_json_number(&j, "delta", b->delta);
    cli_json_number(&j, "epsilon", b->spent);
    if (!isnan(b->limit)) cli_json_number(&j, "epsilon_limit", b->limit);
    cli_json_number(&j, "order", b->order);
    cli_json_end(&j);
}

static void print_meaning(const budget *b, double spent, cli_out *out)
{
    if (b->steps == 0) {
        cli_out_text(out, "Even a single update exceeds the budget.\n");
    } else if (isinf(spent)) {
        cli_out_text(out, "There is no guarantee.\n");
    } else {
        cli_out_printf(out,
                       "One row more or less changes the probability of any outcome by a factor of at\n"
                       "most e^%.4f, plus %.15g.\n",
                       spent, b->delta);
        cli_out_text(out, "This is for one run. The B members of an ensemble on the same rows are B runs:\n"
                          "together they take B times the steps.\n");
    }
}

static void print_text(const budget *b, cli_out *out)
{
    double spent = ceil(b->spent * 1e4) / 1e4; /* a guarantee is not rounded down */
    cli_out_printf(out, "rate     %.15g\nnoise    %.15g\nsteps    %lld\n", b->rate, b->noise,
                   (long long)b->steps);
    cli_out_printf(out, "epsilon  %.4f", spent);
    if (!isnan(b->limit)) cli_out_printf(out, " of %.15g", b->limit);
    if (isfinite(b->order)) cli_out_printf(out, " (order %.15g)", b->order);
    cli_out_printf(out, "\ndelta    %.15g\n\n", b->delta);
    print_meaning(b, spent, out);
}

static int show_budget(cli_run *run, void *settings_of)
{
    const settings *set = settings_of;
    const char *wrong = NULL;
    budget b;
    cli_out out;
    if (run->path)
        wrong = "dp-budget takes options only";
    else if (isnan(set->rate) || isnan(set->delta))
        wrong = "dp-budget needs --rate and --delta";
    else if (!isnan(set->noise) + !isnan(set->epsilon) + (set->steps > 0) != 2)
        wrong = "dp-budget needs two of --noise, --steps and --epsilon, and finds the third";
    if (wrong) {
        cli_log("%s", wrong);
        return CLI_EXIT_USAGE;
    }
    int code = find(set, &b);
    if (code) return code;
    if (!cli_out_open(&out, NULL)) return CLI_EXIT_FAILED;
    set->json ? print_json(&b, &out) : print_text(&b, &out);
    return cli_out_commit(&out) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int run_budget(int argc, char **argv)
{
    settings set = {.rate = NAN, .noise = NAN, .epsilon = NAN, .delta = NAN};
    return cli_run_verb(&cli_dp_budget_verb, argc, argv, &set, show_budget);
}

const cli_verb cli_dp_budget_verb = {
    .name = "dp-budget",
    .summary = "compute the privacy budget of differentially private training",
    .usage = "--rate Q --delta D [--noise S] [--steps T] [--epsilon E]",
    .examples = "  odim dp-budget --rate 0.04 --noise 1.5 --steps 2250 --delta 1e-5\n"
                "  odim dp-budget --rate 0.04 --noise 1.5 --epsilon 10 --delta 1e-5    steps\n"
                "  odim dp-budget --rate 0.04 --epsilon 10 --steps 2250 --delta 1e-5   noise\n",
    .more = "Give two of --noise, --steps and --epsilon to compute the third: the epsilon\n"
            "spent, the number of updates that the budget allows, or the noise that they\n"
            "need. An update takes every row with probability Q, independently, clips its\n"
            "gradient and adds normal noise to the sum. Results are conservative; noise is a\n"
            "multiple of 0.0001.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_budget,
};
