/*
 * The report: one HTML page that shows what was found. It is made of three things: `report_data` finds out
 * what there is to show, however large the table, `report_charts` draws the pictures, `report_html` and
 * `report_json` write the page around them. report/ holds its style and its script.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "histogram.h"
#include "odim.h"
#include "out.h"
#include "report_pictures.h"
#include "trace_figure.h"

enum {
    CLI_REPORT_BARS = 80,     /* of the histogram of scores */
    CLI_REPORT_STEPS = 1000,  /* places of the threshold */
    CLI_REPORT_LISTED = 2000, /* rows of the list */
    CLI_REPORT_REASONS = 5,   /* of each */
    CLI_REPORT_CHARTS = 12,   /* columns that are drawn */
    CLI_REPORT_HIGHEST = 5,   /* rows that are named if there are no outliers */
    CLI_REPORT_NOTES = 50
};

/* What a report is about. */
typedef struct cli_report {
    const char *path;    /* the file of the rows, for the title */
    const char *command; /* that repeats it */
    const odim_model *model;
    const odim_table *table; /* the rows; NULL: only their scores are known */
    int64_t rows;
    const double *scores;  /* (rows) */
    const int64_t *order;  /* (rows) 0-based, most outlying first */
    const int64_t *number; /* (rows) of each in its file, from 1; NULL: 1, 2, ... */
    const int8_t *labels;  /* (rows) or NULL */
    double threshold;
    const char *asked; /* the option that has set it; NULL: it is the model's */
    const char *const *notes;
    int note_count;
    double read_seconds, work_seconds; /* 0: not known */
    const odim_params *params;         /* of which the threads are used */
    const odim_hooks *hooks;
} cli_report;

/* A column of the model, as far as the report is about it. */
typedef struct cli_report_column {
    int64_t place;   /* in the table; -1: it is not there */
    int64_t blame;   /* listed spots of which it is the first reason */
    double share;    /* sum of its shares in their reasons */
    int64_t counted; /* the column that its reasons are counted for: of a part of a picture the first, else
                        itself */
} cli_report_column;

/* What is said of a row. */
typedef enum cli_log_level { CLI_ORDINARY, CLI_UNUSUAL, CLI_OUTLIER, CLI_LEVELS } cli_log_level;

/* What there is to show. */
typedef struct cli_findings {
    const cli_report *about;
    /* Scores. */
    cli_range range; /* that is drawn, and within which the threshold can be moved; its own may lie outside */
    double edge[CLI_REPORT_BARS + 1]; /* the threshold is one of these, where it is within the range */
    double bar[CLI_LEVELS][CLI_REPORT_BARS];
    int64_t above[CLI_REPORT_STEPS + 1]; /* scores above each place of the threshold */
    int64_t hits[CLI_REPORT_STEPS + 1];  /* labeled outliers among these */
    int64_t beyond;                      /* scores above the range */
    double unusual;                      /* a row above this that is not an outlier is unusual */
    int64_t flagged;                     /* outliers */
    int64_t noted;                       /* unusual rows */
    bool readable;                       /* scores are on the common scale: 0 is the median row */
    /* The list. */
    int64_t listed;
    odim_reason *reason; /* (listed, CLI_REPORT_REASONS); NULL: the rows are not known */
    int64_t *row;        /* (listed) */
    /* Columns. */
    cli_report_column *column; /* (columns of the model) */
    int64_t *ranked;           /* (columns of the model) by blame, most first */
    int64_t charts;            /* of the first of these there are charts */
    int64_t pair[2];           /* the two numeric columns that show most; -1: there are none */
    int64_t *others, *found;   /* samples of the rows that are not spots, and of those that are */
    int64_t other_count, found_count;
    int64_t duplicates; /* -1: not known */
    /* Members. */
    double *agreement; /* (members, members) rank correlations; NULL: not known */
    odim_trace *trace; /* of one member, or NULL */
    cli_trace_data learning;
    int8_t *kind; /* (rows) 1 above the threshold */
    /* Which rows are held against the others: the outliers; where there are none, the unusual rows; where
     * there are none either, the highest scores. */
    int8_t *spot; /* (rows) */
    int64_t spots;
    const char *spot_name;
    /* With labels of both kinds. */
    bool judged;
    int64_t outliers;
    double auc, ap;
    double seconds; /* that this took */
    /* Of a folder of pictures. */
    cli_row_pictures *pictures; /* (listed); NULL: the rows are not pictures */
} cli_findings;

cli_log_level cli_findings_level(const cli_findings *f, int64_t row);
/* Fails with what the library said; cli_findings_free in any case. */
odim_status cli_findings_make(cli_findings *f, const cli_report *r, odim_error *err);
void cli_findings_free(cli_findings *f);

/* Whether the model was trained with differential privacy, which covers it and not what a report shows. */
/* The number of a row for people, from 1. */
int64_t cli_report_row(const cli_report *r, int64_t row);
/* The column that names the rows: ids or, without them, the files if there are several. NULL: none. */
const char *cli_report_id_name(const cli_report *r);
bool cli_report_is_private(const cli_report *r);

/* "the model's threshold", or by which option it was set. */
const char *cli_report_threshold(const cli_report *r, char *buf, size_t size);

/* One picture. embedded: as a part of a page. */
typedef struct cli_plot_kind {
    const cli_findings *of;
    bool embedded;
    FILE *to;
} cli_plot_kind;

/* All return false when there is nothing to draw, and then write nothing. */
bool cli_plot_scores(const cli_plot_kind *p);
bool cli_plot_column(const cli_plot_kind *p, int64_t col);
bool cli_plot_pair(const cli_plot_kind *p);
bool cli_plot_distance(const cli_plot_kind *p);
bool cli_plot_labels(const cli_plot_kind *p);
/* By name: scores, pair, learning, labels. */
#define CLI_PLOT_KINDS "scores|pair|learning|labels"
bool cli_plot_named(const cli_plot_kind *p, const char *name);
/* What a picture needs and is not there, as far as that is known before any work; NULL: nothing is missing.
 * name NULL: scores; table NULL: only scores are known; model NULL: there is none yet. */
const char *cli_plot_lacks(const char *name, const odim_table *table, const odim_model *model);

/* The page. Look at the output's errors afterwards. */
void cli_report_page(const cli_findings *f, cli_out *out);
/* Both into outputs that are open, those that are not NULL, and these into their places; picture NULL:
 * scores. False: the reason has been reported. */
bool cli_report_write(const cli_findings *f, cli_out *page, cli_out *drawing, const char *picture);
/* The data of its script. */
void cli_report_json(const cli_findings *f, cli_out *out);

#endif
