/*
 * Repeating the paper, table by table. An experiment measures cells (set, setting, seed), which are kept in
 * DIR/NAME.tsv, and writes a page DIR/NAME.md from them that holds ours beside the paper's; figures are
 * DIR/NAME.svg or DIR/NAME_<more>.svg. Measuring and reporting are apart: a run measures the cells that are
 * not there yet and then reports, and `--report` only reports.
 *
 * To add one: write experiments/exp_<name>.c, which defines `const experiment exp_<name>`, and name it in the
 * list at the head of experiment.c. Numbers of the paper go to experiments/paper_<name>.tsv. What we make of
 * the results is told in docs/experiments/README.md, by hand.
 *
 *     static void measure(exp_run *r)
 *     {
 *         for (int seed = 0; seed < r->seeds; seed++) {
 *             if (!exp_wants(r, "cardio", "K=2", seed)) continue;
 *             odim_params *params = exp_params(r, seed, "samples=2");
 *             ...
 *             exp_put(r, "cardio", "K=2", seed, (double[]){auc, ap});
 *         }
 *     }
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <stdbool.h>
#include <stdio.h>

#include "measured.h"
#include "odim.h"
#include "sets.h"
#include "tsv.h"

typedef struct exp_run {
    const char *name;
    const char *out;  /* the folder */
    int seeds;        /* seeds 0 to seeds - 1 are wanted */
    const char *sets; /* comma-separated: only these; NULL: all */
    const char *base; /* parameters of the experiment, and those of the command line, which win */
    char assignments[1024];
    cells *cells;
} exp_run;

typedef struct experiment {
    const char *name;    /* on the command line and of the files */
    const char *about;   /* one line: what it is, and of the paper's tables which */
    const char *columns; /* values of a cell, with spaces between: "auc ap seconds" */
    const char *base;    /* parameters it starts from, with spaces between: "batch=128 lr=0.0005"; or NULL */
    int seeds;           /* by default; 0: as the program */
    void (*measure)(exp_run *r);
    /* Writes the page, of which the head is there already, and the figures. What was not measured is left
       out: the page is good at any time. */
    void (*report)(const exp_run *r, FILE *page);
} experiment;

/* ---- measuring -------------------------------------------------------------------------------------- */

/* Whether a cell is to be measured; says so on standard error. */
bool exp_wants(const exp_run *r, const char *set, const char *setting, int seed);
/* values: one for each of the experiment's columns; NaN where there is none. */
void exp_put(exp_run *r, const char *set, const char *setting, int seed, const double *values);
/* The parameters of the run with this seed and with these assignments ("samples=2 lr=0.01"; NULL: none), over
   which those of the command line win. Yours to free. */
odim_params *exp_params(const exp_run *r, int seed, const char *assignments);
/* The file at this place under ODIM_DATA. Where it is not, the program says "skipped: no data" and ends well.
 */
void exp_data(char *path, size_t size, const char *place);
/* The next of a row of random numbers that begins with any state. */
uint64_t exp_random(uint64_t *state);
/* Detects on one set with each setting, which is a name and the assignments behind it, and every seed. The
   columns of the experiment are auc, ap, seconds (wall) and updates (a mean over the members), in this order,
   or fewer of them. */
void exp_detect(exp_run *r, const table_set *set, const char *const *settings, const char *const *assignments,
                int count);
/* All that many experiments do: the same on tabular sets (comma-separated; NULL: all). */
void exp_sweep(exp_run *r, const char *sets, const char *const *settings, const char *const *assignments,
               int count);

/* The embeddings of pictures and texts that we have. */
typedef struct exp_part {
    const char *group; /* in the paper */
    const char *name;
    const char *place; /* for exp_data */
} exp_part;
enum { EXP_PARTS = 14 };
extern const exp_part exp_parts[EXP_PARTS];

/* ---- reporting -------------------------------------------------------------------------------------- */

/* A file beside the page: NAME.svg for "", NAME_more.svg for "more". Close it with exp_close. */
FILE *exp_figure(const exp_run *r, const char *more);
void exp_close(FILE *f, const char *what);

/* experiments/paper_<name>.tsv, of which the first column is the key. Yours to tsv_free. */
tsv *exp_paper(const char *name);

/* Ours beside the paper's, a row a set and two columns a setting, and the means over the sets that both have.
 * Sets and settings that were not measured are left out. */
typedef struct exp_comparison {
    const char *value;           /* column of the cells: "auc" */
    const char *const *settings; /* as they are in the cells, */
    const char *const *titles;   /* as the heads of columns; NULL: the same, */
    const char *const *theirs;   /* and as the paper's table has them; NULL: the same */
    int count;
    const tsv *paper; /* NULL: nothing beside */
    const char *what; /* the head of the first column; NULL: "set" */
} exp_comparison;

void exp_table(const exp_run *r, FILE *page, const exp_comparison *b);
/* The two means of a setting over the sets that both have; returns how many sets. */
int exp_means(const exp_run *r, const exp_comparison *b, int setting, double *ours, double *theirs);
/* Draws the same against x (count), ours and the paper's side by side: a line a set, and the mean. The figure
 * is NAME.svg, and the page shows it. */
typedef struct exp_axis {
    const char *title, *x_label, *y_label;
    const double *x;
    bool log;
} exp_axis;
void exp_curves(const exp_run *r, FILE *page, const exp_comparison *b, const exp_axis *axis);
#endif
