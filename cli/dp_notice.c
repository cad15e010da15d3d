#include "dp_notice.h"

#include <math.h>
#include <stdio.h>

/* A guarantee is not rounded down. */
static double round_up(double epsilon)
{
    return ceil(epsilon * 1e4) / 1e4;
}

static void write_spent(const odim_model *m, const odim_privacy_info *p, char *buf, size_t size)
{
    int members = odim_model_members(m);
    int len =
        snprintf(buf, size,
                 "%lld updates of %d member%s, each row in one with probability %.4g, noise %.4g, "
                 "clipping norm %.4g; bounds %s, scores %s",
                 (long long)p->updates, members, members == 1 ? "" : "s", p->rate, p->noise, p->clip,
                 p->bounds_given ? "given" : "counted", p->scores_counted ? "counted" : "not looked at");
    if (!p->bounds_given || p->scores_counted)
        snprintf(buf + len, size - (size_t)len, " (noise %.4g)", p->other_noise);
}

void cli_dp_notice_say(cli_run *work, const odim_model *m, bool scored)
{
    const odim_privacy_info *p = odim_model_privacy(m);
    char text[400];
    if (!p) return;
    double epsilon = round_up(p->epsilon);
    snprintf(
        text, sizeof text,
        "the model is differentially private, epsilon %.4f and delta %.15g for all of it: one row more or "
        "less changes the probability of any model by a factor of at most e^%.4f, plus %.15g",
        epsilon, p->delta, epsilon, p->delta);
    cli_run_note(work, text);
    write_spent(m, p, text, sizeof text);
    cli_run_note(work, text);
    cli_run_note(
        work, scored ? "this covers the model file (--save-model) and what is made from it; not covered are "
                       "the scores, ranks and reasons of these rows, their number, and the choice of "
                       "columns and settings"
                     : "this covers the model file and what is made from it; not covered are the number of "
                       "rows, and the choice of columns and settings");
    if (p->insecure)
        cli_run_note(work, "dp-insecure-seed is on: there is no privacy against anyone who knows the seed, "
                           "and it is in the model file");
}

void cli_dp_notice_print(const odim_model *m, cli_out *out)
{
    const odim_privacy_info *p = odim_model_privacy(m);
    char text[400];
    if (!p) return;
    write_spent(m, p, text, sizeof text);
    cli_out_printf(out, "private: epsilon %.4f, delta %.15g, with respect to one row more or less%s\n  %s\n",
                   round_up(p->epsilon), p->delta,
                   p->insecure ? ", but not against anyone who knows the seed" : "", text);
}

void cli_dp_notice_json(const odim_model *m, cli_json *j)
{
    const odim_privacy_info *p = odim_model_privacy(m);
    if (!p) return;
    cli_json_begin(j, "privacy", '{');
    cli_json_number(j, "epsilon", p->epsilon);
    cli_json_number(j, "delta", p->delta);
    cli_json_string(j, "adjacency", "one row more or less");
    cli_json_int(j, "updates", p->updates);
    cli_json_number(j, "rate", p->rate);
    cli_json_number(j, "noise", p->noise);
    cli_json_number(j, "clip", p->clip);
    cli_json_number(j, "other_noise", p->other_noise);
    cli_json_string(j, "bounds", p->bounds_given ? "given" : "counted");
    cli_json_string(j, "scores", p->scores_counted ? "counted" : "not looked at");
    cli_json_raw(j, "insecure_seed", p->insecure ? "true" : "false");
    cli_json_string(j, "covers", "the model, not the scores of the rows it was fitted on");
    cli_json_end(j);
}
