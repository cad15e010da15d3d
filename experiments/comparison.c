/* Tables that compare our numbers with the paper's. */
#include <math.h>
#include <string.h>

#include "experiment.h"
#include "plot_figure.h"

static const char *title_of(const exp_comparison *b, int i)
{
    return b->titles ? b->titles[i] : b->settings[i];
}

static double ours_of(const exp_run *r, const exp_comparison *b, const char *set, int i)
{
    return cells_mean(r->cells, set, b->settings[i], b->value, NULL);
}

static double theirs_of(const exp_comparison *b, const char *set, int i)
{
    if (!b->paper) return NAN;
    const char *name = b->theirs ? b->theirs[i] : b->settings[i];
    return tsv_value(b->paper, tsv_find(b->paper, set, NULL, NULL), name);
}

/* The sets of the cells, each once, in the order of the file; returns how many. */
static int list_sets(const exp_run *r, const char *sets[MAX_SETS])
{
    const tsv *t = cells_all(r->cells);
    int count = 0;
    for (int i = 0; i < t->count && count < MAX_SETS; i++) {
        int known = 0;
        for (int j = 0; j < count; j++) known = known || strcmp(sets[j], t->rows[i].key[0]) == 0;
        if (!known) sets[count++] = t->rows[i].key[0];
    }
    return count;
}

static bool is_measured(const exp_run *r, const exp_comparison *b, int i)
{
    const char *sets[MAX_SETS];
    int count = list_sets(r, sets);
    for (int j = 0; j < count; j++)
        if (!isnan(ours_of(r, b, sets[j], i))) return true;
    return false;
}

static bool has_setting(const exp_run *r, const exp_comparison *b, const char *set)
{
    for (int i = 0; i < b->count; i++)
        if (!isnan(ours_of(r, b, set, i))) return true;
    return false;
}

/* A mean is only fair over sets that have every setting of the table, and over the same for both. */
static bool counts(const exp_run *r, const exp_comparison *b, const char *set)
{
    bool any = false;
    for (int i = 0; i < b->count; i++) {
        if (!is_measured(r, b, i)) continue;
        if (isnan(ours_of(r, b, set, i))) return false;
        if (b->paper && isnan(theirs_of(b, set, i))) return false;
        any = true;
    }
    return any;
}

int exp_means(const exp_run *r, const exp_comparison *b, int setting, double *ours, double *theirs)
{
    const char *sets[MAX_SETS];
    int count = list_sets(r, sets), used = 0;
    *ours = *theirs = 0;
    for (int j = 0; j < count; j++) {
        if (!counts(r, b, sets[j])) continue;
        *ours += ours_of(r, b, sets[j], setting);
        *theirs += theirs_of(b, sets[j], setting);
        used++;
    }
    *ours = used ? *ours / used : NAN;
    *theirs = used ? *theirs / used : NAN;
    return used;
}

static void print_number(FILE *page, double value)
{
    if (isnan(value))
        fputs(" |", page);
    else
        fprintf(page, value < 10 ? " %.3f |" : " %.0f |", value);
}

static void print_head(const exp_run *r, FILE *page, const exp_comparison *b)
{
    fprintf(page, "\n| %s |", b->what ? b->what : "set");
    for (int i = 0; i < b->count; i++)
        if (is_measured(r, b, i)) fprintf(page, " %s |%s", title_of(b, i), b->paper ? " paper |" : "");
    fprintf(page, "\n|:--|");
    for (int i = 0; i < b->count; i++)
        if (is_measured(r, b, i)) fprintf(page, "--:|%s", b->paper ? "--:|" : "");
    fputs("\n", page);
}

void exp_table(const exp_run *r, FILE *page, const exp_comparison *b)
{
    const char *sets[MAX_SETS];
    int count = list_sets(r, sets);
    int starred = 0;
    print_head(r, page, b);
    for (int j = 0; j < count; j++) {
        if (!has_setting(r, b, sets[j])) continue;
        bool whole = counts(r, b, sets[j]);
        starred += !whole;
        fprintf(page, "| %s%s |", sets[j], whole ? "" : " *");
        for (int i = 0; i < b->count; i++) {
            if (!is_measured(r, b, i)) continue;
            print_number(page, ours_of(r, b, sets[j], i));
            if (b->paper) print_number(page, theirs_of(b, sets[j], i));
        }
        fputs("\n", page);
    }
    double ours, theirs;
    int used = exp_means(r, b, 0, &ours, &theirs);
    if (!used) return;
    fprintf(page, "| **mean of %d** |", used);
    for (int i = 0; i < b->count; i++) {
        if (!is_measured(r, b, i)) continue;
        exp_means(r, b, i, &ours, &theirs);
        print_number(page, ours);
        if (b->paper) print_number(page, theirs);
    }
    fputs(starred ? "\n\n\\* not in the means: a number is missing.\n" : "\n", page);
}

/* ---- figures ---------------------------------------------------------------------------------------- */

enum { POINTS = 16 };

/* The lines of one side: a thin one for each set that counts, and their mean. values has room for all. */
static int draw_side(const exp_run *r, const exp_comparison *b, const exp_axis *axis, bool theirs,
                     double values[MAX_SETS + 1][POINTS], plot_series series[MAX_SETS + 1])
{
    const char *sets[MAX_SETS];
    int count = list_sets(r, sets), used = 0;
    for (int j = 0; j <= count; j++) {
        bool mean = j == count;
        if (!mean && !counts(r, b, sets[j])) continue;
        for (int i = 0; i < b->count; i++) {
            double both[2];
            exp_means(r, b, i, &both[0], &both[1]);
            values[used][i] = mean     ? both[theirs]
                              : theirs ? theirs_of(b, sets[j], i)
                                       : ours_of(r, b, sets[j], i);
        }
        series[used] = (plot_series){.name = mean ? "mean" : "a set",
                                     .kind = mean ? PLOT_LINE : PLOT_STROKE,
                                     .colour = mean ? PLOT_BLUE : PLOT_GREY,
                                     .thin = !mean,
                                     .x = axis->x,
                                     .y = values[used],
                                     .count = b->count};
        used++;
    }
    return used;
}

void exp_curves(const exp_run *r, FILE *page, const exp_comparison *b, const exp_axis *axis)
{
    static double values[2][MAX_SETS + 1][POINTS];
    static plot_series series[2][MAX_SETS + 1];
    plot_panel panels[2];
    if (b->count > POINTS) return;
    for (int side = 0; side < 2; side++) {
        int lines = draw_side(r, b, axis, side, values[side], series[side]);
        panels[side] = (plot_panel){.title = side ? "The paper's" : "Ours",
                                    .x_label = axis->x_label,
                                    .y_label = axis->y_label,
                                    .x_log = axis->log,
                                    .series = series[side],
                                    .count = lines};
    }
    plot_figure figure = {.page = {.title = axis->title},
                          .columns = 2,
                          .column_width = 360,
                          .panel_height = 270,
                          .same_y = 1,
                          .panels = panels};
    figure.count = b->paper ? 2 : 1;
    FILE *f = exp_figure(r, "");
    plot_figure_write(f, &figure);
    exp_close(f, "figure");
    fprintf(page, "\n![%s](%s.svg)\n", axis->title, r->name);
}
