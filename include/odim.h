/*
 * odim: finds the outliers of a table.
 *
 *     odim_error err;
 *     odim_table *t;
 *     if (odim_table_read(&t, "data.csv", NULL, &err)) { puts(err.msg); return 1; }
 *     odim_params *p = odim_params_new();
 *     odim_model *m;
 *     double *score = malloc(odim_table_rows(t) * sizeof *score);
 *     odim_fit(t, p, NULL, &m, &err);
 *     odim_score(m, t, NULL, NULL, score, &err);     // high = outlier
 *     odim_model_free(m); odim_params_free(p); odim_table_free(t);
 *
 * Ownership: inputs are borrowed for the call; handles returned are yours until `_free`; `const`
 * pointers returned belong to the handle; output arrays are yours and sized by you. `_free(NULL)` is fine.
 *
 * Errors: every call that can fail returns an odim_status (0 = fine) and fills the odim_error you pass
 * last; that pointer may be NULL. When a call fails its output handle is NULL.
 *
 * Threads: tables and models are immutable once made and may be used by several threads at a time;
 * params and a fit or score call belong to one thread. The library never prints, exits or changes the
 * state of the process (locale, signals, environment, random seeds).
 */
#ifndef ODIM_H
#define ODIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ODIM_API __attribute__((visibility("default")))
#else
#define ODIM_API
#endif

#define ODIM_VERSION_MAJOR 0
#define ODIM_VERSION_MINOR 1
#define ODIM_VERSION_PATCH 0

/* "0.1.0": of the library that runs, not of the header. */
ODIM_API const char *odim_version(void);

/* The numeric kernels in use on this machine: "avx2" or "ref". ODIM_KERN=ref in the environment caps them. */
ODIM_API const char *odim_kernels(void);

/* ---- errors --------------------------------------------------------------------------------------- */

typedef enum odim_status {
    ODIM_OK = 0,
    ODIM_ERR_NOMEM,     /* out of memory */
    ODIM_ERR_IO,        /* a file cannot be opened, read or written */
    ODIM_ERR_FORMAT,    /* the bytes are not what the format says they must be */
    ODIM_ERR_DATA,      /* well-formed, but not usable: not a number, no rows, wrong number of columns */
    ODIM_ERR_PARAM,     /* a parameter or argument out of its range, or an unknown name */
    ODIM_ERR_CANCELLED, /* the progress callback asked to stop */
    ODIM_ERR_SYSTEM     /* the operating system refused something else, such as a thread */
} odim_status;

typedef struct odim_error {
    odim_status status;
    int64_t row;   /* 1-based data row (a header is not counted), 0 when no row is to blame */
    int64_t col;   /* 1-based column of the file, 0 when no column is to blame */
    char msg[512]; /* one line, complete: file, row, column, reason */
} odim_error;

/* A short name such as "out of memory". */
ODIM_API const char *odim_status_text(odim_status status);

/*
 * Text from a file, safe to show on a terminal. Control characters, characters that reverse the direction of
 * writing, invisible ones, line separators and bytes that are not UTF-8 become escapes such as \n, \x1b and
 * \u202e. Cut between characters, with "..." at the end, to fit `size` bytes. Messages and notes of the
 * library have been through it; names of columns, levels, ids and cells have not. Returns buf.
 */
ODIM_API const char *odim_printable(const char *text, char *buf, size_t size);

/* ---- tables --------------------------------------------------------------------------------------- */

typedef struct odim_table odim_table;
typedef struct odim_model odim_model;

/*
 * What a column holds. It is found from the data: all cells numbers, all of them true/false or yes/no, all of
 * them ISO 8601 dates or times, else a category. Cells may be missing: empty, NA, NaN, null, ? and the like.
 */
typedef enum odim_type { ODIM_NUMERIC, ODIM_BOOLEAN, ODIM_CATEGORICAL, ODIM_TIME } odim_type;

/* "numeric", "boolean", "categorical", "time". */
ODIM_API const char *odim_type_text(odim_type type);

/* All zero means: find out. Columns are named by their name or else by their 1-based number. */
typedef struct odim_read_options {
    const char *format; /* "csv", "tsv", "npy", "npz", "idx"; NULL or "auto": by content, then by name */
    const char *label;  /* column of known labels (1 = outlier, 0 = inlier); never a feature */
    const char *id;     /* column that names the rows; never a feature */
    const char *known;  /* column of what is known before fitting: 1 = outlier, 0 = inlier, empty = not known;
                           never a feature */
    const char *known_rows; /* or: a file of the outliers that are known, one a line: row numbers from 1 or,
                               with id, ids */
    const char *ignore;     /* columns to leave out, comma-separated */
    const char *only;       /* the feature columns, comma-separated; NULL: all that are left */
    int delimiter;          /* of CSV; 0: detect among , ; tab | */
    int header;             /* of CSV; 0: detect, 1: there is one, -1: there is none */

    const char *numeric;     /* columns that are numbers, comma-separated: any other cell is an error */
    const char *categorical; /* columns that are categories, even if all cells are numbers */
    const char *types;       /* "COL=TYPE,COL=TYPE" with the names of odim_type_text */
    const char *na;          /* further texts that stand for a missing cell, comma-separated */
    int keep;                /* non-zero: keep all cells as text, for odim_table_kept */
    const odim_model *like;  /* read what this model needs: its columns, by name, with its types */
    int64_t unpacked;        /* bytes of memory that an array in a compressed file may take; 0: half of the
                                    machine's, and for large ones at most 200 times their compressed size */
    const char *bounds;      /* a file of what is public about the columns: see odim_table_set_bounds */
} odim_read_options;

/* Reads a table. path "-" is standard input. gzip is recognised by content. options may be NULL. */
ODIM_API odim_status odim_table_read(odim_table **out, const char *path, const odim_read_options *options,
                                     odim_error *err);

/* The same from memory; `name` stands for the file's name in messages and in detection. */
ODIM_API odim_status odim_table_read_memory(odim_table **out, const void *bytes, size_t size,
                                            const char *name, const odim_read_options *options,
                                            odim_error *err);

/*
 * The same file block after block, for files that are larger than memory or never end: each call gives the
 * next rows, at most `most`, as a table that is valid until the next call; no rows are the end. From a pipe
 * come the rows that are there, at least one. The columns' types are found by a pass over the whole file
 * unless options->like says what they are: only then is standard input read once and not held in memory.
 */
typedef struct odim_reader odim_reader;
ODIM_API odim_status odim_reader_open(odim_reader **out, const char *path, const odim_read_options *options,
                                      odim_error *err);
ODIM_API odim_status odim_reader_next(odim_reader *reader, int64_t most, const odim_table **block,
                                      odim_error *err);
ODIM_API void odim_reader_free(odim_reader *reader);

/*
 * Wraps an array of yours, (rows, cols) with `stride` elements from row to row (0: cols). No copy is made:
 * the array must stay as it is until the table is freed. names (cols strings) may be NULL: "x1", "x2", ...
 */
ODIM_API odim_status odim_table_wrap_f32(odim_table **out, const float *x, int64_t rows, int64_t cols,
                                         int64_t stride, const char *const *names, odim_error *err);
ODIM_API odim_status odim_table_wrap_f64(odim_table **out, const double *x, int64_t rows, int64_t cols,
                                         int64_t stride, const char *const *names, odim_error *err);

/* A column of yours, for odim_table_build: numbers, or texts of which each cell is one by its number. */
typedef struct odim_column {
    const char *name;         /* NULL or "": "x" and its number */
    const double *numbers;    /* (rows) NaN where there is none, of a time seconds since 1970; NULL: texts */
    const int32_t *codes;     /* (rows) which of the texts a cell is, from 0; below 0: it is missing */
    const char *const *texts; /* (text_count) */
    int64_t text_count;
    int typed; /* non-zero: it is of this type; 0: numbers are numeric, what texts are is found as in a file
                */
    odim_type type;
} odim_column;

/*
 * A table of such columns. All of it is copied. Texts mean what they mean in a CSV file, so the table is the
 * one that would be read from a file of the same cells. like: a model whose columns these are, by name, or
 * all without names and in its order; they are taken with its types. It may be NULL.
 */
ODIM_API odim_status odim_table_build(odim_table **out, const odim_column *columns, int64_t cols,
                                      int64_t rows, const odim_model *like, odim_error *err);
ODIM_API void odim_table_free(odim_table *table);

/*
 * What is known of the rows before fitting: known (rows) is 1 for an outlier, 0 for an inlier, -1 where it is
 * not known; NULL: nothing is. It is copied. Known outliers are kept apart in fitting: the model learns what
 * the other rows are like, and that these are unlikely. Known inliers are rows like the others. Scoring does
 * not look at it. For a table that no other thread uses yet.
 */
ODIM_API odim_status odim_table_set_known(odim_table *table, const int8_t *known, odim_error *err);

/*
 * What is public about the columns, for a differentially private fit (dp-epsilon), which must not take it
 * from the rows: low and high (cols) are bounds of the values, low below high, as far as they can be told
 * without looking at the rows. Values outside are no error. For a table that no other thread uses yet, whose
 * columns are all numbers or booleans.
 *
 * Tables with other columns are read with the `bounds` of odim_read_options: a CSV file with the columns
 * "column", "low", "high" and "levels" and a row for each column that is to be used: numbers or times as
 * bounds; or the levels of a category with | between them, at most 64; or nothing, which is a boolean.
 */
ODIM_API odim_status odim_table_set_bounds(odim_table *table, const double *low, const double *high,
                                           odim_error *err);

ODIM_API int64_t odim_table_rows(const odim_table *table);
ODIM_API int64_t odim_table_cols(const odim_table *table); /* features only */
ODIM_API const char *odim_table_name(const odim_table *table, int64_t col);
ODIM_API odim_type odim_table_type(const odim_table *table, int64_t col);
/* Both 0-based. Of a boolean 0 or 1, of a time seconds since 1970, of a category the number of its level;
   NaN where the cell is missing. */
ODIM_API double odim_table_value(const odim_table *table, int64_t row, int64_t col);
/* The cell as text, cut to size: "12.5", "red", "2024-05-01", and "" where it is missing. Returns buf. */
ODIM_API const char *odim_table_text(const odim_table *table, int64_t row, int64_t col, char *buf,
                                     size_t size);
ODIM_API const int8_t *odim_table_labels(const odim_table *table);        /* (rows) or NULL */
ODIM_API const char *odim_table_label_name(const odim_table *table);      /* or NULL */
ODIM_API const int8_t *odim_table_known(const odim_table *table);         /* (rows) or NULL */
ODIM_API const char *odim_table_id(const odim_table *table, int64_t row); /* or NULL */
ODIM_API const char *odim_table_id_name(const odim_table *table);         /* or NULL */
/* With `keep`: every column of the file, as text. */
ODIM_API int64_t odim_table_kept_cols(const odim_table *table);
ODIM_API const char *odim_table_kept_name(const odim_table *table, int64_t col);
ODIM_API const char *odim_table_kept(const odim_table *table, int64_t row, int64_t col);
/* How many rows are copies of an earlier one, in all features. */
ODIM_API odim_status odim_table_duplicates(const odim_table *table, int64_t *out, odim_error *err);
/* Remarks from reading, such as "column 'memo' is not in the model: ignored"; NULL after the last. */
ODIM_API const char *odim_table_note(const odim_table *table, int index);

/* ---- parameters ----------------------------------------------------------------------------------- */

typedef struct odim_params odim_params;

/* One parameter as params.def defines it. Bounds are inclusive; choices are separated by '|' ("a|b|c"). */
typedef struct odim_param_info {
    const char *name; /* "check-every": the flag without its dashes */
    const char *arg;  /* what to call the value in a usage line: "N", "RATE", "a|b" */
    const char *group;
    const char *def; /* default as text, what `_get` would return on fresh params */
    const char *help;
} odim_param_info;

ODIM_API int odim_param_count(void);
ODIM_API const odim_param_info *odim_param_at(int index); /* NULL when out of range */

ODIM_API odim_params *odim_params_new(void); /* defaults; NULL: out of memory */
ODIM_API void odim_params_free(odim_params *params);
/* Sets one parameter from text ("members", "10"), checked against its range. */
ODIM_API odim_status odim_params_set(odim_params *params, const char *name, const char *value,
                                     odim_error *err);
/* The current value as text; NULL for an unknown name. Valid until the next call with the same params. */
ODIM_API const char *odim_params_get(odim_params *params, const char *name);

/* ---- fit and score -------------------------------------------------------------------------------- */

typedef struct odim_progress {
    int scoring; /* 0: fitting, 1: scoring */
    int reading; /* 1: going over the rows of a file before fitting */
    int members; /* of the ensemble; 0: a classical method is fitted, and while nobody knows how long it takes
                    the fraction stays 0 */
    int members_done;  /* fitted so far */
    int64_t updates;   /* gradient updates so far, all members together */
    double distance;   /* the newest value of the stop rule's distance, 0 before the first */
    int64_t rows;      /* to score; 0 while that is not known */
    int64_t rows_done; /* scored, or read, so far */
    double fraction;   /* 0..1, an estimate: how much of this call is done */
} odim_progress;

/*
 * progress is called about ten times a second, always on the thread that called odim_fit or odim_score;
 * non-zero cancels: the call ends soon with ODIM_ERR_CANCELLED. note receives one-line remarks, such as
 * "column 'unit' is constant". Either may be NULL.
 */
typedef struct odim_hooks {
    int (*progress)(const odim_progress *now, void *user);
    void (*note)(const char *text, void *user);
    void *user;
} odim_hooks;

/* params NULL: defaults; hooks may be NULL. Large tables are represented by some 100,000 of their rows. */
ODIM_API odim_status odim_fit(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                              odim_model **out, odim_error *err);

/*
 * The same, and the scores of all rows of the table, which fitting needs anyway: faster than odim_fit and
 * odim_score, with the same result.
 */
ODIM_API odim_status odim_detect(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                                 odim_model **out, double *scores, odim_error *err);

/*
 * The same model as odim_fit gives for the table of that file, without holding its rows in memory. The file
 * is read twice, unless its format says what the columns are; what cannot be is held in memory.
 */
ODIM_API odim_status odim_fit_file(const char *path, const odim_read_options *options,
                                   const odim_params *params, const odim_hooks *hooks, odim_model **out,
                                   odim_error *err);

/*
 * scores: (rows of the table), high = outlier. 0 is the median training row, 1 the row that 84 % of them are
 * below; rows above odim_model_threshold, which is 4 unless a contamination was given, are outliers. The
 * table must have the columns the model was fitted on, by name; order is
 * free, and others do no harm. A row's score depends on the model and that row only; of params only
 * `threads` is used, NULL: defaults.
 */
ODIM_API odim_status odim_score(const odim_model *model, const odim_table *table, const odim_params *params,
                                const odim_hooks *hooks, double *scores, odim_error *err);
/*
 * The same in the units of the method, which cannot be compared between models: of networks the mean over the
 * members of the importance weighted bound on the negative log-likelihood, of distances the distance.
 */
ODIM_API odim_status odim_score_raw(const odim_model *model, const odim_table *table,
                                    const odim_params *params, const odim_hooks *hooks, double *scores,
                                    odim_error *err);
ODIM_API void odim_model_free(odim_model *model);

/* A row is an outlier when its score is above this. */
ODIM_API double odim_model_threshold(const odim_model *model);
/* A row that is no outlier is unusual, and worth a look, when its score is above this. */
ODIM_API double odim_model_unusual(const odim_model *model);
/* The probability that a row with this score is an outlier. */
ODIM_API double odim_model_probability(const odim_model *model, double score);

/* What share of all rows has a score about there, per unit of score: of the inliers, and of the outliers, as
   they were found among the scores of the training rows. To be drawn over a histogram whose area is 1. */
ODIM_API void odim_model_density(const odim_model *model, double score, double *inliers, double *outliers);

/*
 * scores (members of the model, count): what each member says of rows[0..count-1] of the table, 0-based. A
 * score is the mean over the members. Of params only `threads` is used, NULL: defaults; hooks may be NULL.
 */
ODIM_API odim_status odim_score_members(const odim_model *model, const odim_table *table, const int64_t *rows,
                                        int64_t count, const odim_params *params, const odim_hooks *hooks,
                                        double *scores, odim_error *err);

/* ---- what is in a model --------------------------------------------------------------------------- */

/* A column of the table that the model was fitted on. */
typedef struct odim_column_info {
    const char *name;
    odim_type type;
    const char *ignored;          /* NULL: it is used; else why it is not, such as "is constant" */
    int64_t missing;              /* cells without a value */
    double low, high;             /* of all values; NaN for a category and where there are none */
    double usual_low, usual_high; /* one in a hundred values is below, one above */
    int64_t levels;               /* of a category */
    int64_t own_levels;           /* those that are frequent enough to count by themselves */
    int64_t features;             /* numbers that the networks see of it */
    int64_t least;                /* of a category: levels in fewer rows are not kept */
    int64_t dropped;              /* rows that have such a level; it is not known from one never seen */
} odim_column_info;

ODIM_API int64_t odim_model_rows(const odim_model *model); /* it was fitted on */
ODIM_API int64_t odim_model_cols(const odim_model *model);
ODIM_API int64_t odim_model_features(const odim_model *model);
ODIM_API odim_status odim_model_column(const odim_model *model, int64_t col, odim_column_info *out,
                                       odim_error *err);
/* A level of a category, and how many rows have it (may be NULL); NULL: there is none of that number. */
ODIM_API const char *odim_model_level(const odim_model *model, int64_t col, int64_t level, int64_t *rows);
/* A value of a column as text for people: "41.3", "red", "2024-05-01"; of a category it is the number of a
   level. Made safe by odim_printable; "" for NaN. Returns buf. */
ODIM_API const char *odim_model_text(const odim_model *model, int64_t col, double value, char *buf,
                                     size_t size);
/* The value of a parameter that it was fitted with, as odim_params_get has it; NULL for an unknown name,
   and for one that had no say, such as those of networks where there are none. */
ODIM_API const char *odim_model_get(const odim_model *model, const char *name, char *buf, size_t size);

typedef struct odim_member_info {
    int64_t updates;     /* gradient updates done */
    int64_t best_update; /* the one whose parameters were kept */
    double distance;     /* the stop rule's distance there */
} odim_member_info;

/* 0 where a classical method is in the place of networks. */
ODIM_API int odim_model_members(const odim_model *model);
ODIM_API odim_status odim_model_member(const odim_model *model, int index, odim_member_info *out,
                                       odim_error *err);

/* What the stop rule saw of a member: how far apart the two humps of its losses were after so many updates.
 */
typedef struct odim_check {
    int64_t update;
    double distance; /* NaN: the losses were not numbers */
} odim_check;

/* How often it looked; 0 for models that do not remember. */
ODIM_API int64_t odim_model_checks(const odim_model *model, int member);
ODIM_API odim_status odim_model_check(const odim_model *model, int member, int64_t index, odim_check *out,
                                      odim_error *err);

/* What a private model has cost (dp-epsilon). docs/PRIVACY.md says what is covered and what is not. */
typedef struct odim_privacy_info {
    double epsilon, delta; /* of the whole model, with respect to one row more or less */
    int64_t updates;       /* of each member */
    double rate;           /* the probability of a row to be in an update */
    double noise, clip; /* standard deviation of the noise, in units of the norm that gradients are cut to */
    double other_noise; /* the same on what else was counted: bounds, scores */
    int bounds_given;   /* 1: bounds came from the caller, 0: they were counted */
    int scores_counted; /* 1: what scores mean was counted, 0: there were too few rows for that */
    int insecure;       /* 1: the noise came from the seed: there is no privacy against who knows it */
} odim_privacy_info;

/* 1, or 0 for a model that was not fitted privately, with *out all zero. */
ODIM_API int odim_model_privacy(const odim_model *model, odim_privacy_info *out);

/* What a model holds of single training rows, for everyone who has it to read: docs/PRIVACY.md. All zero for
   a private model. */
typedef struct odim_held_info {
    int64_t rows;   /* training rows, all their values, copies counted once */
    int64_t values; /* single values of columns, at most: bounds, medians and the like */
    int64_t levels; /* texts of categories */
    int64_t once;   /* of these, such as one row has and no other */
} odim_held_info;

ODIM_API odim_status odim_model_held(const odim_model *model, odim_held_info *out, odim_error *err);

/* ---- saving and loading --------------------------------------------------------------------------- */

/*
 * A saved model scores every row as the one it was saved from, bit for bit. Nothing in a file is ever
 * executed; one that is truncated, corrupt or made to do harm is refused with ODIM_ERR_FORMAT and the reason.
 * docs/FORMAT.md describes the format and what is promised of it.
 *
 * The file changes at once: under its name are all the old bytes or all the new ones, also when the call
 * fails or the machine stops. Links are followed; what is not a regular file is written to directly.
 */
ODIM_API odim_status odim_model_save(const odim_model *model, const char *path, odim_error *err);
ODIM_API odim_status odim_model_load(odim_model **out, const char *path, odim_error *err);

/* The same in memory. The bytes saved are yours until odim_free. */
ODIM_API odim_status odim_model_save_memory(const odim_model *model, void **bytes, size_t *size,
                                            odim_error *err);
ODIM_API odim_status odim_model_load_memory(odim_model **out, const void *bytes, size_t size,
                                            odim_error *err);
ODIM_API void odim_free(void *bytes);

/* 16 hexadecimal digits that name the model: the same after saving and loading, others for another model. */
ODIM_API void odim_model_fingerprint(const odim_model *model, char out[17]);

/* ---- reasons -------------------------------------------------------------------------------------- */

/* What makes a row an outlier: one of its columns. */
typedef struct odim_reason {
    int64_t col;     /* of the model's columns; -1: there is no further reason */
    double share;    /* of all that is unusual about the row, 0 to 1 */
    double value;    /* as odim_table_value has it */
    double expected; /* what the model expected there; of a category the number of odim_model_level */
} odim_reason;

/*
 * reasons (count, top): the foremost reasons of rows[0..count-1] of the table, 0-based, most important first.
 * Of params only `threads` is used, NULL: defaults; hooks may be NULL.
 */
ODIM_API odim_status odim_explain(const odim_model *model, const odim_table *table, const int64_t *rows,
                                  int64_t count, int top, const odim_params *params, const odim_hooks *hooks,
                                  odim_reason *reasons, odim_error *err);

/* "flow 912 (62 %): expected about 41.3, usually 12 to 77". The table is the one that was explained. */
ODIM_API const char *odim_reason_text(const odim_model *model, const odim_table *table, int64_t row,
                                      const odim_reason *reason, char *buf, size_t size);

/* ---- how a model learns --------------------------------------------------------------------------- */

/*
 * The members of the same model as odim_fit makes, trained on past where they would have stopped, and looked
 * at on the way: first the losses of the inliers fall and those of the outliers lag behind, later the
 * outliers are learnt as well.
 */
typedef struct odim_trace odim_trace;

/* All zero: the defaults. */
typedef struct odim_trace_options {
    int64_t length;         /* updates of each member; 0: 500 or, if that is more, the last of `updates` */
    const int64_t *updates; /* (count) after which to look at the losses of rows, 1 to length; NULL: 10, 20,
                               30, 40 and 500, as far as that is within the length */
    int count;
    int64_t rows; /* at most so many are looked at; 0: 5000 */
} odim_trace_options;

/* params NULL: defaults; options and hooks may be NULL. */
ODIM_API odim_status odim_trace_fit(const odim_table *table, const odim_params *params,
                                    const odim_trace_options *options, const odim_hooks *hooks,
                                    odim_trace **out, odim_error *err);
ODIM_API void odim_trace_free(odim_trace *trace);

/*
 * What the stop rule saw of each member, up to the end, and what it would have made of it: `updates` is where
 * training would have stopped, 0 if it had not by the end, `best_update` what would have been kept.
 */
ODIM_API int odim_trace_members(const odim_trace *trace);
ODIM_API odim_status odim_trace_member(const odim_trace *trace, int index, odim_member_info *out,
                                       odim_error *err);
ODIM_API int64_t odim_trace_checks(const odim_trace *trace); /* the same for all members */
ODIM_API odim_status odim_trace_check(const odim_trace *trace, int member, int64_t index, odim_check *out,
                                      odim_error *err);

/*
 * The moments at which rows were looked at: the chosen updates and, where the table has labels, all checks
 * too. Losses are those that scoring would give: means over the members. auc: NaN without labels of both
 * kinds.
 */
ODIM_API int64_t odim_trace_moments(const odim_trace *trace);
ODIM_API int64_t odim_trace_update(const odim_trace *trace, int64_t moment);
ODIM_API const double *odim_trace_losses(const odim_trace *trace, int64_t moment); /* (odim_trace_rows) */
ODIM_API double odim_trace_auc(const odim_trace *trace, int64_t moment);

/* The rows looked at: 0-based numbers, ascending. All rows, or as many as the options say, evenly spread;
   with labels evenly among the outliers, of which there are up to half, and evenly among the inliers. */
ODIM_API int64_t odim_trace_rows(const odim_trace *trace);
ODIM_API const int64_t *odim_trace_row_numbers(const odim_trace *trace);

/* ---- judging scores against labels ---------------------------------------------------------------- */

/* Area under the ROC curve, ties counted half. Needs both labels: otherwise ODIM_ERR_DATA. */
ODIM_API odim_status odim_auc(const double *scores, const int8_t *labels, int64_t n, double *out,
                              odim_error *err);
/* Average precision: the sum over distinct thresholds of (recall step) x (precision there). */
ODIM_API odim_status odim_average_precision(const double *scores, const int8_t *labels, int64_t n,
                                            double *out, odim_error *err);
/* rank[i] = 1 for the highest score; equal scores take their row order. */
ODIM_API odim_status odim_rank(const double *scores, int64_t n, int64_t *rank, odim_error *err);

/* ---- differential privacy: the budget ------------------------------------------------------------- */

/*
 * Private training takes every row with probability `rate` for an update, clips what each contributes, and
 * adds normal noise to the sum: `noise` is its standard deviation in multiples of the clipping bound. After
 * `steps` updates the result is (epsilon, delta)-differentially private with respect to one row more or less:
 * that changes the probability of any outcome by a factor of at most e^epsilon, plus delta. Runs on the same
 * rows, such as the members of an ensemble, add up their steps. docs/PRIVACY.md says how it is computed.
 *
 * rate: above 0, at most 1. noise and epsilon: above 0. delta: above 0 and below 1; it should be well below
 * one over the number of rows. All results are on the safe side.
 */

/* What updates spend; infinite where there is no guarantee. order: the order of Renyi privacy that shows it,
   infinite where none is needed or none does; may be NULL. */
ODIM_API odim_status odim_dp_epsilon(double rate, double noise, int64_t steps, double delta, double *epsilon,
                                     double *order, odim_error *err);
/* How many updates stay within epsilon: 0 when not even one does, 2^53 at most. */
ODIM_API odim_status odim_dp_steps(double rate, double noise, double epsilon, double delta, int64_t *steps,
                                   odim_error *err);
/* The least noise with which so many updates, at least 1, stay within epsilon, as a multiple of 0.0001. */
ODIM_API odim_status odim_dp_noise(double rate, double epsilon, int64_t steps, double delta, double *noise,
                                   odim_error *err);

#ifdef __cplusplus
}
#endif

#endif
