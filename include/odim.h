/*
 * odim finds outliers in tables.
 *
 *     odim_error err;
 *     odim_table *table;
 *     odim_model *model;
 *     if (odim_table_read(&table, "data.csv", NULL, &err)) return fail(&err);
 *     double *scores = malloc((size_t)odim_table_rows(table) * sizeof *scores);
 *     if (odim_detect(table, NULL, NULL, &model, scores, &err)) return fail(&err);
 *     for (int64_t i = 0; i < odim_table_rows(table); i++)
 *         if (scores[i] > odim_model_threshold(model)) printf("row %lld is an outlier\n", (long long)i);
 *     free(scores);
 *     odim_model_free(model);
 *     odim_table_free(table);
 *
 * Ownership. Arguments are borrowed for the duration of the call. A handle that a call returns is yours until
 * you pass it to its `_free` function; `_free(NULL)` does nothing. A `const` pointer that a call returns
 * belongs to the handle it came from. Output arrays are yours, and you choose their size.
 *
 * Errors. A call that can fail returns an odim_status, where 0 is success. If it fails, it fills in the
 * odim_error that is its last argument; that pointer may be NULL. A failed call sets its output handle to
 * NULL and leaves the contents of output arrays undefined.
 *
 * NULL. A pointer may be NULL where this header says so. Any other NULL argument makes a call that returns an
 * odim_status fail with ODIM_ERR_PARAM, and the message names the argument. Functions that return a property
 * accept a NULL handle, and an index that is out of range, and return 0, NULL or NaN. Functions that write
 * text to `buf` then write "". They return `buf`, which may be NULL if `size` is 0.
 *
 * Indices of rows, columns, members and levels start at 0. Texts for people, such as messages, count from 1.
 *
 * Versions. A struct that begins with `size` may get more fields at its end. Initialize it with its macro,
 * such as ODIM_HOOKS_INIT, or set size to its sizeof and everything else to 0. Programs compiled with an
 * older header keep working: the library treats fields beyond `size` as 0, and fills in only as many bytes of
 * a result. A size of 0 is an error, and so is a field that this version of the library does not know, unless
 * it is 0. Structs to which the library gives a `const` pointer may also get more fields at their end: do not
 * step from one to the next by adding to the pointer. The layout of odim_error never changes.
 *
 * Threads. Tables and models do not change once they are made, and any number of threads may use one at the
 * same time. A params handle, a reader, a scorer, and a call that fits or scores belong to one thread. The
 * library never prints, exits, or changes the state of the process (locale, signals, environment, random
 * seeds).
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
/* 100 for version 0.1.0, 10203 for 1.2.3. */
#define ODIM_VERSION_NUMBER (ODIM_VERSION_MAJOR * 10000 + ODIM_VERSION_MINOR * 100 + ODIM_VERSION_PATCH)

/* The version of the library at run time, which may be newer than the header: "0.1.0" and 100. */
ODIM_API const char *odim_version(void);
ODIM_API int odim_version_number(void);

/* The numeric kernels in use on this machine: "avx512", "avx2", "neon" or "ref". Set ODIM_KERN=ref in the
 * environment to force "ref". */
ODIM_API const char *odim_kernels(void);

/* ---- errors --------------------------------------------------------------------------------------- */

typedef enum odim_status {
    ODIM_OK = 0,
    ODIM_ERR_NOMEM,     /* out of memory */
    ODIM_ERR_IO,        /* a file cannot be opened, read or written */
    ODIM_ERR_FORMAT,    /* a file is damaged, or is not of the format it should be */
    ODIM_ERR_DATA,      /* the data can be read but not used: text among numbers, no rows, missing columns */
    ODIM_ERR_PARAM,     /* an argument or a parameter is NULL, unknown or out of range */
    ODIM_ERR_CANCELLED, /* the progress callback asked to stop */
    ODIM_ERR_SYSTEM     /* the operating system refused something else, such as a thread */
} odim_status;

/* The layout of this struct is frozen. */
typedef struct odim_error {
    odim_status status;
    int64_t row;   /* the data row at fault, from 0 (a header is not counted); -1: none */
    int64_t col;   /* the column of the file at fault, from 0; -1: none */
    char msg[512]; /* one complete line: file, row and column counted from 1, reason */
} odim_error;

/* A short description, such as "out of memory". */
ODIM_API const char *odim_status_text(odim_status status);

/*
 * Makes text from a file safe to show on a terminal, and returns buf. Control characters, characters that
 * change the direction of writing, invisible characters, line separators, and bytes that are not UTF-8 become
 * escapes such as \n, \x1b and \u202e. Text that does not fit in `size` bytes is cut between characters and
 * ends in "...". Messages and notes of the library are safe already. Names of columns, levels, ids and cells
 * are not.
 */
ODIM_API const char *odim_printable(const char *text, char *buf, size_t size);

/* How messages and notes name the options of odim_read_options that would help. */
typedef enum odim_hints {
    ODIM_HINTS_FIELDS, /* "(set bad_rows)" */
    ODIM_HINTS_FLAGS,  /* "(--bad-rows)", for a program with the flags of the command odim */
    ODIM_HINTS_NONE    /* not at all, for a program that does not offer them */
} odim_hints;

/* Sets that for the whole process. Call it before other functions; ODIM_HINTS_FIELDS is the default. */
ODIM_API void odim_hints_set(odim_hints hints);

/* ---- tables --------------------------------------------------------------------------------------- */

typedef struct odim_table odim_table;
typedef struct odim_model odim_model;

/*
 * What a column contains. It is found from the data: a column is numeric, boolean (true and false, yes and
 * no) or time (ISO 8601 dates and times) if all of its cells are, and categorical otherwise. Cells may be
 * missing: empty, NA, NaN, null, ? and similar.
 */
typedef enum odim_type { ODIM_NUMERIC, ODIM_BOOLEAN, ODIM_CATEGORICAL, ODIM_TIME } odim_type;

/* "numeric", "boolean", "categorical" or "time". */
ODIM_API const char *odim_type_text(odim_type type);

/* What to do with a row of text that has too few or too many fields, or a cell that does not fit its column.
 */
typedef enum odim_bad_rows {
    ODIM_BAD_ROWS_STOP, /* fail, with a message that names the row */
    ODIM_BAD_ROWS_SKIP, /* leave it out: odim_table_skipped counts these, and notes name the first of them */
    ODIM_BAD_ROWS_CALL  /* keep it, with what can be read, and call it an outlier: odim_table_bad_row says why
                         */
} odim_bad_rows;

/*
 * How to read a file. Everything that is 0 or NULL is detected, or does not apply. Columns are given by name;
 * a text that is not the name of a column but a number is the number of a column, counted from 1. Lists of
 * columns and of texts are arrays that end with NULL.
 */
typedef struct odim_read_options {
    size_t size;
    const char *format; /* "csv", "tsv", "npy", "npz", "idx", "json", "jsonl", "xlsx", "ods", "parquet",
                           "arrow" or "duckdb"; NULL or "auto": by content, then by name */
    int delimiter;      /* of CSV; 0: one of , ; tab | */
    int header;         /* of CSV; 1: the first line has the names, -1: it does not, 0: detect */
    const char *label;  /* column of labels to judge scores by (1 outlier, 0 inlier); not a feature */
    const char *id;     /* column that identifies the rows; not a feature. NULL: a column of a text file that
                           looks     like an id; "": none */
    const char *known;  /* column of what is known before fitting (1 outlier, 0 inlier, empty unknown); not a
                           feature: see odim_table_set_known */
    const char *known_rows; /* instead: a file of known outliers, one per line: ids if there is an id column,
                               else row numbers from 1; a tab and "fine" after one make it an inlier */
    const char *const *ignore; /* columns to leave out */
    const char *const *only;   /* the feature columns; NULL: all others */

    const char *const *numeric; /* columns of this type; a cell that does not fit is an error */
    const char *const *boolean;
    const char *const *categorical;
    const char *const *time;
    const char *const *na;  /* additional markers for missing cells */
    const odim_model *like; /* read the columns that this model needs, by name, with its types */
    int keep;               /* 1: keep all cells as text, for odim_table_kept */
    int64_t unpacked;   /* most bytes of memory for an array in a compressed file; 0: half of the machine's
                           memory and, for large arrays, 200 times the compressed size */
    const char *bounds; /* a file of what is public about the columns: see odim_table_set_bounds */

    const char *encoding; /* of text, as iconv names it; NULL: UTF-8, or UTF-16 and UTF-32 with a byte order
                             mark; fields that are not UTF-8 are taken as Windows-1252 */
    int decimal;          /* the decimal mark of all numbers, '.' or ','; 0: detect it for each column */
    const char *const *formats; /* pairs of a column and its format: "comma" or "point" for numbers; "iso",
                                   "ymd", "dmy", "mdy", "named", "unix" or "unix-ms" for dates */
    odim_bad_rows bad_rows;     /* what to do with rows that do not fit */
    const char *entry;          /* the file to read in a zip archive; NULL: the only table in it */
    const char *sheet; /* of a workbook: its name, or its number among those that are not hidden; NULL: the
                          first with cells that is not hidden */
    const char *table; /* of a database: the table or view to read; NULL: its only table */
    const char *sql; /* instead: a SELECT statement, in a database file or, with the path "", in files that it
                        names */
    const char *const *more_files; /* further files of the same table, read after the path: they have the same
                                      columns, in any order. Not with odim_table_read_memory */
    const char *pixels; /* of a folder of pictures: columns and rows of the grid that each is scaled to,
                           "32x32" or "32x32:color"; NULL: those of the model, else "16x16" */
    const struct odim_hooks *hooks; /* called while odim_table_read, odim_table_read_memory or
                                       odim_reader_open reads; see odim_hooks below */
    int64_t threads; /* that parse CSV, besides one that reads and unpacks it ahead; 1: only the caller's, 0:
                        as many as the machine has cores, or as odim_fit_file is told by its parameters. The
                        result is always the same */
} odim_read_options;

/* Reads a table. The path "-" is standard input. Gzip is detected. options may be NULL. A path such as
 * "sales/2024-*.parquet" stands for several Parquet files, and that of a folder for the pictures in it: each
 * PNG or JPEG file is a row, its name is the id, and its pixels are the columns. */
ODIM_API odim_status odim_table_read(odim_table **out, const char *path, const odim_read_options *options,
                                     odim_error *err);

/* Reads a PNG or JPEG file as a thumbnail in color: rgb (side, side, 3) gets *height rows of *width pixels,
 * both at most `side`, which is at most 256. `unpacked` is that of odim_read_options. */
ODIM_API odim_status odim_picture_read(const char *path, int side, int64_t unpacked, unsigned char *rgb,
                                       int *width, int *height, odim_error *err);

/* Reads a table from memory. `name` stands for the file's name in messages and detection, and may be NULL. */
ODIM_API odim_status odim_table_read_memory(odim_table **out, const void *bytes, size_t size,
                                            const char *name, const odim_read_options *options,
                                            odim_error *err);

/*
 * Reads a file block by block, for files that are larger than memory or never end. Each odim_reader_next
 * gives the next rows, at most `most`, as a table that is valid until the next call; a table without rows is
 * the end. From a pipe it gives the rows that have arrived, and waits for at least one. To find the types of
 * the columns, opening reads the whole file once, and keeps standard input in memory. With options->like the
 * types are known, and at most some megabytes are read ahead.
 */
typedef struct odim_reader odim_reader;
ODIM_API odim_status odim_reader_open(odim_reader **out, const char *path, const odim_read_options *options,
                                      odim_error *err);
ODIM_API odim_status odim_reader_next(odim_reader *reader, int64_t most, const odim_table **block,
                                      odim_error *err);
ODIM_API void odim_reader_free(odim_reader *reader);

/*
 * Wraps an array of yours, (rows, cols), with `stride` elements from one row to the next (0: cols). It is not
 * copied: keep it unchanged until the table is freed. NaN is a missing cell. names, an array of cols texts,
 * may be NULL: "x1", "x2", ...
 */
ODIM_API odim_status odim_table_wrap_f32(odim_table **out, const float *x, int64_t rows, int64_t cols,
                                         int64_t stride, const char *const *names, odim_error *err);
ODIM_API odim_status odim_table_wrap_f64(odim_table **out, const double *x, int64_t rows, int64_t cols,
                                         int64_t stride, const char *const *names, odim_error *err);

/* A column of yours, for odim_table_build: numbers, or texts and the index of each cell's text. */
typedef struct odim_column {
    size_t size;
    const char *name;      /* NULL or "": "x" and its number */
    const double *numbers; /* (rows), times in seconds since 1970; NaN: missing. NULL: the column has texts */
    const int32_t *codes;  /* (rows) indices of texts; negative: missing */
    const char *const *texts; /* (text_count) */
    int64_t text_count;
    int typed; /* 1: the type is as below; 0: numbers are numeric, the type of texts is detected */
    odim_type type;
} odim_column;

/*
 * Builds a table from columns[0..cols-1], each with `rows` cells. Everything is copied. Texts mean what they
 * mean in a CSV file, so the table is the same as one read from a file with these cells. like may be NULL;
 * otherwise the columns are matched with those of the model, by name or, if none has a name, by position, and
 * get its types.
 */
ODIM_API odim_status odim_table_build(odim_table **out, const odim_column *const *columns, int64_t cols,
                                      int64_t rows, const odim_model *like, odim_error *err);

/*
 * The Arrow C data interface: how programs in one process share columns without copying them. These structs
 * are the same in every program, and only the first header that is included defines them. The specification
 * is at https://arrow.apache.org/docs/format/CDataInterface.html.
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
    const char *format; /* the type: "g" is float64, "u" is UTF-8 text, "+s" is a row of columns */
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *); /* NULL: it has been released, or moved */
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count; /* -1: not counted */
    int64_t offset;     /* of the first value, in all buffers */
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out); /* 0, or an errno */
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out); /* at the end, out->release is NULL */
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/*
 * Builds a table from all batches of an Arrow stream. The table is the same as one read from a CSV or Parquet
 * file with these values and options: columns get their types from their values, one may become the id, and
 * with options->like they are matched with those of the model by name. A float32 means the shortest decimal
 * number that is nearest to it. Durations are seconds. Columns of bytes are left out; lists, structs and
 * other nested columns must be ignored. options may be NULL; of those about files only known_rows and bounds
 * apply.
 *
 * The call takes over the stream and releases it, even if it fails. Without a model, all batches are held
 * until it returns; with options->like, one at a time.
 */
ODIM_API odim_status odim_table_arrow(odim_table **out, struct ArrowArrayStream *stream,
                                      const odim_read_options *options, odim_error *err);
ODIM_API void odim_table_free(odim_table *table);

/*
 * Sets what is known about the rows before fitting: known (rows) is 1 for an outlier, 0 for an inlier and -1
 * for unknown. It is copied; NULL removes it. The model learns from the other rows, and learns that known
 * outliers are unlikely. With the preset `auto` it also learns that rows of the kind of known outliers are
 * outliers, and that rows of the kind of known inliers are not. Scoring does not use it. Call it before other
 * threads use the table.
 */
ODIM_API odim_status odim_table_set_known(odim_table *table, const int8_t *known, odim_error *err);

/*
 * Sets what is public about the columns, for a differentially private fit (dp-epsilon), which must not take
 * it from the rows: low and high (cols) are bounds of the values that can be stated without looking at the
 * rows. low must be below high. Values outside the bounds are allowed. All columns must be numeric or
 * boolean. Call it before other threads use the table.
 *
 * Tables with other columns are read with the `bounds` of odim_read_options. That is a CSV file with the
 * columns "column", "low", "high" and "levels", and one row for each column to use. It has bounds for numbers
 * and times, at most 64 levels separated by | for a category, and neither for a boolean.
 */
ODIM_API odim_status odim_table_set_bounds(odim_table *table, const double *low, const double *high,
                                           odim_error *err);

ODIM_API int64_t odim_table_rows(const odim_table *table);
ODIM_API int64_t odim_table_cols(const odim_table *table); /* feature columns only */
ODIM_API const char *odim_table_name(const odim_table *table, int64_t col);
ODIM_API odim_type odim_table_type(const odim_table *table, int64_t col);
/* The value of a cell: a number, 0 or 1 for a boolean, seconds since 1970 for a time, the index of its level
   for a category. NaN if it is missing. */
ODIM_API double odim_table_value(const odim_table *table, int64_t row, int64_t col);
/* The cell as text, cut to size: "12.5", "red", "2024-05-01"; "" if it is missing. Returns buf. */
ODIM_API const char *odim_table_text(const odim_table *table, int64_t row, int64_t col, char *buf,
                                     size_t size);
ODIM_API const int8_t *odim_table_labels(const odim_table *table);        /* (rows) or NULL */
ODIM_API const char *odim_table_label_name(const odim_table *table);      /* or NULL */
ODIM_API const int8_t *odim_table_known(const odim_table *table);         /* (rows) or NULL */
ODIM_API const char *odim_table_id(const odim_table *table, int64_t row); /* or NULL */
ODIM_API const char *odim_table_id_name(const odim_table *table);         /* or NULL */
/* With the option `keep`: the columns of the file and their cells as text. */
ODIM_API int64_t odim_table_kept_cols(const odim_table *table);
ODIM_API const char *odim_table_kept_name(const odim_table *table, int64_t col);
ODIM_API const char *odim_table_kept(const odim_table *table, int64_t row, int64_t col);
/* The number of rows that equal an earlier row in all features. */
ODIM_API odim_status odim_table_duplicates(const odim_table *table, int64_t *out, odim_error *err);
/* The number of a row in its file, from 0; it differs from `row` where a block or bad rows come before. */
ODIM_API int64_t odim_table_row_number(const odim_table *table, int64_t row);
/* The file of a row if several were read (more_files), in which it has that number; else NULL. */
ODIM_API const char *odim_table_file(const odim_table *table, int64_t row);
/* How many rows were left out (ODIM_BAD_ROWS_SKIP). Of a block: since the block before. */
ODIM_API int64_t odim_table_skipped(const odim_table *table);
/* What is wrong with a row that was kept (ODIM_BAD_ROWS_CALL), or NULL. Scoring makes it an outlier. */
ODIM_API const char *odim_table_bad_row(const odim_table *table, int64_t row);
/* Remarks from reading, such as "column 'memo' is not in the model: ignored"; NULL after the last. */
ODIM_API const char *odim_table_note(const odim_table *table, int index);

/* ---- parameters ----------------------------------------------------------------------------------- */

typedef struct odim_params odim_params;

/* The definition of a parameter. The command line, its manual and the Python package are generated from
 * these. */
typedef struct odim_param_info {
    const char *name; /* "check-every" */
    const char *arg;  /* the kind of value, as a usage line shows it: "N", "RATE", or choices: "a|b|c" */
    const char *group;
    const char *def; /* the default, as odim_params_get returns it */
    const char *help;
} odim_param_info;

ODIM_API int odim_param_count(void);
ODIM_API const odim_param_info *odim_param_at(int index); /* NULL if out of range */

ODIM_API odim_params *odim_params_new(void); /* the defaults; NULL: out of memory */
ODIM_API void odim_params_free(odim_params *params);
/* Sets a parameter from text, such as "members" to "10". */
ODIM_API odim_status odim_params_set(odim_params *params, const char *name, const char *value,
                                     odim_error *err);
/* The current value as text, valid until the next call with these params; NULL for an unknown name. */
ODIM_API const char *odim_params_get(odim_params *params, const char *name);

/* ---- fitting and scoring -------------------------------------------------------------------------- */

/* What a call is doing. A fit scores its training rows at the end. */
typedef enum odim_stage {
    ODIM_STAGE_FITTING,
    ODIM_STAGE_SCORING,
    ODIM_STAGE_EXPLAINING, /* finding reasons, or learning what is usual for them */
    ODIM_STAGE_READING     /* reading a file */
} odim_stage;

/* "fitting", "scoring", "explaining" or "reading". */
ODIM_API const char *odim_stage_text(odim_stage stage);

/* A check of the stop rule. */
typedef struct odim_member_check {
    int member;
    int64_t update; /* of the member */
    double distance;
} odim_member_check;

typedef struct odim_progress {
    odim_stage stage;
    int members;       /* size of the ensemble; 0: a classical method, whose fraction may stay 0 */
    int members_done;  /* members fitted so far */
    int64_t updates;   /* gradient updates so far, of all members together */
    double distance;   /* the latest distance that the stop rule found; 0 before the first */
    int64_t rows;      /* rows to score or explain; 0: unknown */
    int64_t rows_done; /* rows read, scored or explained so far */
    double fraction;   /* 0 to 1: an estimate of how much of this stage is done */
    /* The latest check of the stop rule since the call before; loss_count is 0 if there was none. */
    int member;          /* that was checked */
    int64_t update;      /* its updates until then */
    const float *losses; /* (loss_count) of the rows that were checked; valid during the call */
    int64_t loss_count;
    /* For plots of a fit that runs; both are valid during the call. */
    const odim_member_check *checks; /* (check_count) all checks since the call before, up to 512 */
    int64_t check_count;
    const float
        *recent; /* (recent_count) losses of the latest rows that one member was trained on, up to 1024 */
    int64_t recent_count;
    int recent_member;
    int64_t recent_update; /* its updates until then */
} odim_progress;

/*
 * Callbacks; each may be NULL. progress is called about ten times per second, always on the thread that made
 * the call. If it returns non-zero, the call soon fails with ODIM_ERR_CANCELLED. note receives remarks of one
 * line, such as "column 'unit' is constant".
 */
typedef struct odim_hooks {
    size_t size;
    int (*progress)(const odim_progress *now, void *user);
    void (*note)(const char *text, void *user);
    void *user;
} odim_hooks;

/*
 * In the calls below, params may be NULL for the defaults, and hooks may be NULL. Scoring and explaining use
 * only the parameter `threads`.
 */

/* Fits a model. Large tables are represented by a random sample of about 100,000 rows. */
ODIM_API odim_status odim_fit(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                              odim_model **out, odim_error *err);

/* Fits a model and scores the rows of the table. Same results as odim_fit and odim_score, but faster. */
ODIM_API odim_status odim_detect(const odim_table *table, const odim_params *params, const odim_hooks *hooks,
                                 odim_model **out, double *scores, odim_error *err);

/*
 * Fits the same model as odim_fit would for the table in that file, without holding its rows in memory. The
 * file is read twice unless its format states the types of the columns. Standard input is held in memory.
 * options may be NULL.
 */
ODIM_API odim_status odim_fit_file(const char *path, const odim_read_options *options,
                                   const odim_params *params, const odim_hooks *hooks, odim_model **out,
                                   odim_error *err);
ODIM_API void odim_model_free(odim_model *model);

/*
 * A partial fit: what a fit takes from rows, collected from parts of the table by any number of threads,
 * processes or machines, and merged in any order. The model is then, to the bit, the one that odim_fit makes
 * from all rows at once. Each part adds its rows with the number of the first of them among all rows, from 0:
 *
 *     each worker:   odim_partial_new(&part, params, &err);
 *                    odim_partial_add(part, rows, first, &err);        -- once or more often
 *                    odim_partial_save_memory(part, &bytes, &size, &err);
 *     at the end:    odim_partial_load_memory(&part, bytes, size, &err);
 *                    odim_partial_merge(all, part, &err);              -- for each of them
 *                    odim_partial_fit(all, params, NULL, &model, &err);
 *
 * All parts need the same columns, with the same types. Numbers and times are plain. The types of text
 * columns are found from the cells of all parts by a first pass, an odim_scan (below), unless the caller
 * gives them (`typed` of odim_column, `numeric`, `categorical` and so on of odim_read_options). Of params
 * only `seed` matters before the fit. A part that failed can only be freed. A part takes the memory of at
 * most 131,072 rows. The bytes are for the same version of the library.
 */
typedef struct odim_partial odim_partial;
ODIM_API odim_status odim_partial_new(odim_partial **out, const odim_params *params, odim_error *err);
ODIM_API void odim_partial_free(odim_partial *partial);
ODIM_API odim_status odim_partial_add(odim_partial *partial, const odim_table *rows, int64_t first,
                                      odim_error *err);
/* Adds what `other` has, which stays as it is. Rows that both have are an error. */
ODIM_API odim_status odim_partial_merge(odim_partial *partial, const odim_partial *other, odim_error *err);
/* The number of rows so far. */
ODIM_API int64_t odim_partial_rows(const odim_partial *partial);
/* Free the bytes with odim_free. */
ODIM_API odim_status odim_partial_save_memory(const odim_partial *partial, void **bytes, size_t *size,
                                              odim_error *err);
ODIM_API odim_status odim_partial_load_memory(odim_partial **out, const void *bytes, size_t size,
                                              odim_error *err);
/* Fails if rows are missing between number 0 and the last. */
ODIM_API odim_status odim_partial_fit(const odim_partial *partial, const odim_params *params,
                                      const odim_hooks *hooks, odim_model **out, odim_error *err);

/*
 * A scan: the first pass over the parts of a table. It counts the rows of each part and collects what decides
 * the types of the columns: which cells are numbers, dates or texts, their decimal marks, and whether a
 * column names the rows or is free text. Parts are numbered from 0, in the order of the rows, and merge in
 * any order:
 *
 *     each worker:   odim_scan_new(&scan, &err);
 *                    odim_scan_add(scan, i, columns, cols, rows, &err);     -- or odim_scan_file
 *                    odim_scan_save_memory(scan, &bytes, &size, &err);
 *     one place:     odim_scan_load_memory(&scan, bytes, size, &err);
 *                    odim_scan_merge(all, scan, &err);                      -- for each of them
 *     each worker:   odim_scan_table(all, columns, cols, rows, &table, &err);  -- or odim_scan_open
 *                    odim_partial_add(part, table, odim_scan_first(all, i), &err);
 *
 * The model of the partial fit is then, to the bit, the one that odim_fit makes of all rows. A scan that
 * failed can only be freed. The bytes are for the same version of the library.
 */
typedef struct odim_scan odim_scan;
ODIM_API odim_status odim_scan_new(odim_scan **out, odim_error *err);
ODIM_API void odim_scan_free(odim_scan *scan);
/* Adds part number `part`. The columns are those of odim_table_build; rows may be 0. */
ODIM_API odim_status odim_scan_add(odim_scan *scan, int64_t part, const odim_column *const *columns,
                                   int64_t cols, int64_t rows, odim_error *err);
/*
 * Adds part `part` of the `parts` that a file is divided into. Of a CSV file or an array that is not
 * compressed only the bytes of the part are read, and the beginning; of any other file, part 0 has all rows.
 * Bad rows are errors. options may be NULL; options->like is the model that rows are to be scored with.
 */
ODIM_API odim_status odim_scan_file(odim_scan *scan, int64_t part, int64_t parts, const char *path,
                                    const odim_read_options *options, odim_error *err);
/* Adds what `other` has, which stays as it is. Parts that both have are an error. */
ODIM_API odim_status odim_scan_merge(odim_scan *scan, const odim_scan *other, odim_error *err);
ODIM_API int64_t odim_scan_parts(const odim_scan *scan); /* that it has */
/* The number of rows before a part; -1 if parts before it are missing. */
ODIM_API int64_t odim_scan_first(const odim_scan *scan, int64_t part);
/* Free the bytes with odim_free. */
ODIM_API odim_status odim_scan_save_memory(const odim_scan *scan, void **bytes, size_t *size,
                                           odim_error *err);
ODIM_API odim_status odim_scan_load_memory(odim_scan **out, const void *bytes, size_t size, odim_error *err);
/* A table like that of odim_table_build, of some of the rows, with the types that the scan has found. Fails
 * if parts are missing. */
ODIM_API odim_status odim_scan_table(const odim_scan *scan, const odim_column *const *columns, int64_t cols,
                                     int64_t rows, odim_table **out, odim_error *err);
/* A reader of the rows of a part of the file, with the same options as for odim_scan_file. */
ODIM_API odim_status odim_scan_open(const odim_scan *scan, int64_t part, const char *path,
                                    const odim_read_options *options, odim_reader **out, odim_error *err);

/*
 * Scores the rows of a table: scores (rows), high = outlier. 0 is the median training row, and 84 % of the
 * training rows are below 1. Rows above odim_model_threshold are outliers; the threshold is 4 unless the
 * model was fitted with a contamination. The table needs the columns of the model, by name and in any order;
 * it may have others. A score depends only on the model and the row.
 */
ODIM_API odim_status odim_score(const odim_model *model, const odim_table *table, const odim_params *params,
                                const odim_hooks *hooks, double *scores, odim_error *err);
/*
 * The scores in units of the method, which cannot be compared between models. For networks they are the mean
 * over the members of the importance weighted bound on the negative log-likelihood; for distances they are
 * the distance.
 */
ODIM_API odim_status odim_score_raw(const odim_model *model, const odim_table *table,
                                    const odim_params *params, const odim_hooks *hooks, double *scores,
                                    odim_error *err);

/* Which rows to score. */
typedef struct odim_score_options {
    size_t size;
    const int64_t *rows; /* (count); NULL: all rows of the table, and count is not used */
    int64_t count;
} odim_score_options;

/* scores (members of the model, rows): the raw score that each member gives. options may be NULL. */
ODIM_API odim_status odim_score_members(const odim_model *model, const odim_table *table,
                                        const odim_score_options *options, const odim_params *params,
                                        const odim_hooks *hooks, double *scores, odim_error *err);

/* A row is an outlier if its score is above this. */
ODIM_API double odim_model_threshold(const odim_model *model);
/* A row that is not an outlier is unusual, and worth a look, if its score is above this. */
ODIM_API double odim_model_unusual(const odim_model *model);
/* The probability that a row with this score is an outlier. */
ODIM_API double odim_model_probability(const odim_model *model, double score);
/* The same for n scores at once. `probabilities` (n) may be the same array as `scores`. */
ODIM_API odim_status odim_model_probabilities(const odim_model *model, const double *scores, int64_t n,
                                              double *probabilities, odim_error *err);

/*
 * A scorer scores rows one by one or in small blocks, as they come. It belongs to one thread; make one for
 * each. Making it allocates all of its memory. Scoring with it allocates nothing, starts no thread, and gives
 * the same bits as odim_score. The model must outlive it.
 */
typedef struct odim_scorer odim_scorer;
ODIM_API odim_status odim_scorer_new(odim_scorer **out, const odim_model *model, odim_error *err);
ODIM_API void odim_scorer_free(odim_scorer *scorer);
ODIM_API const odim_model *odim_scorer_model(const odim_scorer *scorer);
/*
 * Scores rows of values (rows, odim_model_cols), with `stride` elements from one row to the next (0: as many
 * as there are columns). A value is what odim_table_value returns; that of a category is the index of a level
 * of odim_model_level, and any other number, such as -1, is a level that the model does not know. NaN is a
 * missing cell. Columns that the model ignores are not looked at. scores (rows) are as odim_score has them,
 * raw (rows) as odim_score_raw has them; each may be NULL.
 */
ODIM_API odim_status odim_scorer_score(odim_scorer *scorer, const double *values, int64_t rows,
                                       int64_t stride, double *scores, double *raw, odim_error *err);
/* The same for the rows of a table, such as the blocks of an odim_reader. */
ODIM_API odim_status odim_scorer_table(odim_scorer *scorer, const odim_table *table, double *scores,
                                       double *raw, odim_error *err);
/*
 * The value of a cell of a column of the model that comes as text, read as odim_table_read does with the
 * model as `like`: its formats of numbers and dates, its markers for missing cells (NaN), its levels (-1: not
 * among them). A text that does not fit the column fails with ODIM_ERR_DATA; to treat the row as
 * ODIM_BAD_ROWS_CALL does, give the cell the value NaN and the row the score odim_model_bad_row_score. Each
 * column that describes a free text ("note: length") takes the whole text.
 */
ODIM_API odim_status odim_model_value(const odim_model *model, int64_t col, const char *text, double *value,
                                      odim_error *err);
/* The score of a row with cells that could not be read, given the score of what is left of it. */
ODIM_API double odim_model_bad_row_score(const odim_model *model, double score);

/* Planned, and reserved as a name: odim_reader_open_rows, a reader whose rows come from a callback. */

/* ---- reasons -------------------------------------------------------------------------------------- */

/* What is unusual about a cell. */
typedef enum odim_reason_kind {
    ODIM_REASON_VALUE,         /* the value is beyond what is usual in its column */
    ODIM_REASON_COMBINATION,   /* it is unusual in combination with the other columns */
    ODIM_REASON_CONTRADICTION, /* the other columns determine a different value */
    ODIM_REASON_LEVEL,         /* its level is new or rare */
    ODIM_REASON_MISSING,       /* it is missing */
    ODIM_REASON_UNREADABLE     /* the row could not be read: see odim_table_bad_row */
} odim_reason_kind;

/* "value", "combination", "contradiction", "level", "missing" or "unreadable". */
ODIM_API const char *odim_reason_kind_text(odim_reason_kind kind);

/* A reason why a row is unusual: one of its columns. For pictures it is one of nine parts of the picture: col
 * is the pixel there that stands out most, value and expected are means of the pixels that stand out. */
typedef struct odim_reason {
    int64_t col;     /* column of the model */
    double share;    /* of everything that is unusual about the row, 0 to 1 */
    double value;    /* the cell, as odim_table_value returns it */
    double expected; /* what the model expected, for a category a level of odim_model_level; NaN if that is
                        the value itself */
    odim_reason_kind kind;
} odim_reason;

/* Which rows to explain. */
typedef struct odim_explain_options {
    size_t size;
    const int64_t *rows; /* (count); NULL: all rows of the table, and count is not used */
    int64_t count;
    int top; /* most reasons per row; 0: 3 */
} odim_explain_options;

/* Finds the reasons of rows. options may be NULL: three reasons for each row. */
typedef struct odim_reasons odim_reasons;
ODIM_API odim_status odim_explain(const odim_model *model, const odim_table *table,
                                  const odim_explain_options *options, const odim_params *params,
                                  const odim_hooks *hooks, odim_reasons **out, odim_error *err);
ODIM_API void odim_reasons_free(odim_reasons *reasons);
/* The number of rows that were explained, and the number of reasons for the one at `index` in that list. */
ODIM_API int64_t odim_reasons_rows(const odim_reasons *reasons);
ODIM_API int odim_reasons_count(const odim_reasons *reasons, int64_t index);
/* Its reason at `place`; 0 is the most important. NULL after the last. */
ODIM_API const odim_reason *odim_reasons_at(const odim_reasons *reasons, int64_t index, int place);

/*
 * The same for every cell: the share of each column in what is unusual about a row, and the value that was
 * expected there, for a category a level as in odim_reason. share and expected (count, columns of the model)
 * may be NULL. options->top is not used.
 */
ODIM_API odim_status odim_explain_cells(const odim_model *model, const odim_table *table,
                                        const odim_explain_options *options, const odim_params *params,
                                        const odim_hooks *hooks, double *share, double *expected,
                                        odim_error *err);

/* "flow 912 (62 %): expected about 41.3, usually 12 to 77". `row` is the row of the table. */
ODIM_API const char *odim_reason_text(const odim_model *model, const odim_table *table, int64_t row,
                                      const odim_reason *reason, char *buf, size_t size);
/* Only what is usual there, or what is known about the level: "12 to 77", "seen at most once in training; did
   you mean 'Berlin'?", "hardly ever missing otherwise". */
ODIM_API const char *odim_reason_usual(const odim_model *model, const odim_table *table, int64_t row,
                                       const odim_reason *reason, char *buf, size_t size);

/* ---- what a model contains ------------------------------------------------------------------------ */

ODIM_API int64_t odim_model_rows(const odim_model *model); /* of the table it was fitted on */
ODIM_API int64_t odim_model_cols(const odim_model *model);
ODIM_API int64_t odim_model_features(const odim_model *model); /* numbers that the networks see per row */

/* A column of the table that the model was fitted on. */
typedef struct odim_column_info {
    size_t size;
    const char *name;
    odim_type type;
    const char *ignored; /* NULL: the column is used; otherwise why not, such as "is constant" */
    int64_t missing;     /* missing cells */
    double low, high;    /* range of all values; NaN for a category, and if there are no values */
    double usual_low;    /* range without values beyond the limits, and without the lowest and highest 1 % */
    double usual_high;
    int64_t levels;     /* of a category */
    int64_t own_levels; /* levels that are frequent enough to have a feature of their own */
    int64_t features;   /* numbers that the networks see of this column */
    int64_t least;      /* of a category: levels that fewer rows have were dropped */
    int64_t dropped;    /* rows with such a level, which the model cannot tell from a new one */
} odim_column_info;

ODIM_API odim_status odim_model_column(const odim_model *model, int64_t col, odim_column_info *out,
                                       odim_error *err);
/* A level of a category, and the number of rows that have it; rows may be NULL. NULL if there is no such
 * level. */
ODIM_API const char *odim_model_level(const odim_model *model, int64_t col, int64_t level, int64_t *rows);
/* A value of a column as text for people: "41.3", "red", "2024-05-01"; "" for NaN. A value of a category is
   the index of a level. Safe to print, as by odim_printable. Returns buf. */
ODIM_API const char *odim_model_text(const odim_model *model, int64_t col, double value, char *buf,
                                     size_t size);
/* How the cells of a text column are written, for people: "decimal comma, EUR", "day/month/year"; "" if they
   are plain numbers, ISO 8601 dates or texts, and for other columns. Returns buf. */
ODIM_API const char *odim_model_format(const odim_model *model, int64_t col, char *buf, size_t size);
/* If the model is of pictures: 1, and the columns, rows and colors (1 or 3) of their grid; else 0. */
ODIM_API int odim_model_pixels(const odim_model *model, int *cols, int *rows, int *colors);
/* The part of the picture that a column is in, such as "upper left"; NULL if the model is not of pictures. */
ODIM_API const char *odim_model_place(const odim_model *model, int64_t col);
/* The value of a parameter that the model was fitted with, as odim_params_get returns it. Returns buf; NULL
   for an unknown name, and for a parameter that does not apply to the model's method. */
ODIM_API const char *odim_model_get(const odim_model *model, const char *name, char *buf, size_t size);

typedef struct odim_member_info {
    int64_t updates;     /* gradient updates done */
    int64_t best_update; /* the update whose weights were kept */
    double distance;     /* the stop rule's distance there */
} odim_member_info;

/* The number of members; 0 if a classical method replaces the networks. */
ODIM_API int odim_model_members(const odim_model *model);
ODIM_API const odim_member_info *odim_model_member(const odim_model *model, int index);

/* A check of the stop rule: the distance between the two groups of a member's losses after some updates. */
typedef struct odim_check {
    int64_t update;
    double distance; /* NaN: some losses were not finite */
} odim_check;

/* The number of checks of a member; 0 for models that do not record them. */
ODIM_API int64_t odim_model_checks(const odim_model *model, int member);
ODIM_API const odim_check *odim_model_check(const odim_model *model, int member, int64_t index);

/* The privacy loss of a model fitted with dp-epsilon. docs/PRIVACY.md says what it covers and what it does
 * not. */
typedef struct odim_privacy_info {
    double epsilon, delta; /* of the whole model, if one row is added or removed */
    int64_t updates;       /* per member */
    double rate;           /* probability that a row takes part in an update */
    double noise,
        clip; /* standard deviation of the noise in units of clip, the norm gradients are clipped to */
    double other_noise; /* the same for everything else that was counted: bounds, scores */
    int bounds_given;   /* 1: bounds came from the caller; 0: they were counted */
    int scores_counted; /* 1: the distribution of scores was counted; 0: there were too few rows */
    int insecure;       /* 1: the noise came from the seed, so anyone who knows the seed can remove it */
} odim_privacy_info;

/* NULL for a model that was not fitted privately. */
ODIM_API const odim_privacy_info *odim_model_privacy(const odim_model *model);

/* What a model reveals about single training rows to anyone who can read it: see docs/PRIVACY.md. All counts
   of a private model are 0. */
typedef struct odim_held_info {
    size_t size;
    int64_t rows;   /* complete training rows, counting copies once */
    int64_t values; /* upper bound of single values of columns: minimum, maximum, median and so on */
    int64_t levels; /* texts of categories */
    int64_t once;   /* those that only one row has */
} odim_held_info;

ODIM_API odim_status odim_model_held(const odim_model *model, odim_held_info *out, odim_error *err);

/* ---- saving and loading --------------------------------------------------------------------------- */

/*
 * A saved model gives every row the same score as the original, bit for bit. Nothing in a file is ever
 * executed. A file that is truncated, corrupt or malicious is refused with ODIM_ERR_FORMAT and the reason.
 * docs/FORMAT.md describes the format and what it guarantees.
 *
 * Saving is atomic: the file contains either the old or the new bytes, even if the call fails or the machine
 * stops. Symbolic links are followed. Anything other than a regular file is written to directly.
 */
ODIM_API odim_status odim_model_save(const odim_model *model, const char *path, odim_error *err);
ODIM_API odim_status odim_model_load(odim_model **out, const char *path, odim_error *err);

/* The same in memory. Free the bytes with odim_free. */
ODIM_API odim_status odim_model_save_memory(const odim_model *model, void **bytes, size_t *size,
                                            odim_error *err);
ODIM_API odim_status odim_model_load_memory(odim_model **out, const void *bytes, size_t size,
                                            odim_error *err);
ODIM_API void odim_free(void *bytes);

/* Writes 16 hexadecimal digits that identify the model and do not change when it is saved and loaded; "" if
   the model is NULL. out may be NULL. */
ODIM_API void odim_model_fingerprint(const odim_model *model, char out[17]);

/* ---- how a model learns --------------------------------------------------------------------------- */

/*
 * A trace trains the same members as odim_fit, but continues where early stopping would have ended, and
 * records the losses on the way. At first the losses of inliers fall faster than those of outliers; later the
 * outliers are learned as well.
 */
typedef struct odim_trace odim_trace;

typedef struct odim_trace_options {
    size_t size;
    int64_t length;         /* updates per member; 0: 500, or the last of `updates` if that is more */
    const int64_t *updates; /* (count) after which to record losses, 1 to length; NULL: 10, 20, 30, 40 and
                               500, as far as they are within length */
    int count;
    int64_t rows; /* most rows whose losses to record; 0: 5000 */
} odim_trace_options;

/* options may be NULL. */
ODIM_API odim_status odim_trace_fit(const odim_table *table, const odim_params *params,
                                    const odim_trace_options *options, const odim_hooks *hooks,
                                    odim_trace **out, odim_error *err);
ODIM_API void odim_trace_free(odim_trace *trace);

/*
 * What the stop rule saw of each member up to the end, and what it would have done: `updates` is where it
 * would have stopped (0: not before the end), and `best_update` is what it would have kept.
 */
ODIM_API int odim_trace_members(const odim_trace *trace);
ODIM_API const odim_member_info *odim_trace_member(const odim_trace *trace, int index);
ODIM_API int64_t odim_trace_checks(const odim_trace *trace); /* the same number for all members */
ODIM_API const odim_check *odim_trace_check(const odim_trace *trace, int member, int64_t index);

/*
 * The moments when losses were recorded: after the chosen updates and, if the table has labels, at every
 * check. Losses are means over the members, as in scoring. auc is NaN without labels of both kinds.
 */
ODIM_API int64_t odim_trace_moments(const odim_trace *trace);
ODIM_API int64_t odim_trace_update(const odim_trace *trace, int64_t moment);
ODIM_API const double *odim_trace_losses(const odim_trace *trace, int64_t moment); /* (odim_trace_rows) */
ODIM_API double odim_trace_auc(const odim_trace *trace, int64_t moment);

/* The rows whose losses were recorded, in ascending order: all, or as many as the options allow, evenly
   spaced. With labels up to half of them are outliers, and each kind is evenly spaced. */
ODIM_API int64_t odim_trace_rows(const odim_trace *trace);
ODIM_API const int64_t *odim_trace_row_numbers(const odim_trace *trace);

/* ---- judging scores by labels --------------------------------------------------------------------- */

/* The area under the ROC curve; ties count half. Labels are 1 (outlier) and 0, and both must occur. */
ODIM_API odim_status odim_auc(const double *scores, const int8_t *labels, int64_t n, double *out,
                              odim_error *err);
/* Average precision: the sum over distinct thresholds of (increase in recall) x (precision). */
ODIM_API odim_status odim_average_precision(const double *scores, const int8_t *labels, int64_t n,
                                            double *out, odim_error *err);
/* rank (n): 1 for the highest score. Equal scores are ranked in row order. */
ODIM_API odim_status odim_rank(const double *scores, int64_t n, int64_t *rank, odim_error *err);

/* ---- differential privacy: the budget ------------------------------------------------------------- */

/*
 * A private update includes each row with probability `rate`, clips the contribution of each row, and adds
 * normal noise to the sum: `noise` is its standard deviation as a multiple of the clipping bound. After
 * `steps` updates the result is (epsilon, delta)-differentially private: adding or removing one row changes
 * the probability of any outcome by a factor of at most e^epsilon, plus delta. Steps of several runs on the
 * same rows, such as the members of an ensemble, add up. docs/PRIVACY.md says how it is computed.
 *
 * rate: above 0, at most 1. noise and epsilon: above 0. delta: above 0 and below 1; it should be well below
 * one over the number of rows. All results err on the safe side.
 */

/* What the steps cost; infinite if there is no guarantee. order, which may be NULL, is the order of Renyi
   privacy that proves it; infinite if none is needed, or none does. */
ODIM_API odim_status odim_dp_epsilon(double rate, double noise, int64_t steps, double delta, double *epsilon,
                                     double *order, odim_error *err);
/* How many steps stay within epsilon: 0 if not even one does, 2^53 at most. */
ODIM_API odim_status odim_dp_steps(double rate, double noise, double epsilon, double delta, int64_t *steps,
                                   odim_error *err);
/* The least noise, a multiple of 0.0001, with which so many steps (at least 1) stay within epsilon. */
ODIM_API odim_status odim_dp_noise(double rate, double epsilon, int64_t steps, double delta, double *noise,
                                   odim_error *err);

/* ---- initializers --------------------------------------------------------------------------------- */

/* For structs that begin with their size: odim_hooks hooks = ODIM_HOOKS_INIT; hooks.progress = ... */
/* clang-format off */
#define ODIM_READ_OPTIONS_INIT    {sizeof(odim_read_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ODIM_BAD_ROWS_STOP, 0, 0, 0, 0, 0, 0, 0, 0}
#define ODIM_COLUMN_INIT          {sizeof(odim_column), 0, 0, 0, 0, 0, 0, ODIM_NUMERIC}
#define ODIM_HOOKS_INIT           {sizeof(odim_hooks), 0, 0, 0}
#define ODIM_SCORE_OPTIONS_INIT   {sizeof(odim_score_options), 0, 0}
#define ODIM_EXPLAIN_OPTIONS_INIT {sizeof(odim_explain_options), 0, 0, 0}
#define ODIM_COLUMN_INFO_INIT     {sizeof(odim_column_info), 0, ODIM_NUMERIC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
#define ODIM_HELD_INFO_INIT       {sizeof(odim_held_info), 0, 0, 0, 0}
#define ODIM_TRACE_OPTIONS_INIT   {sizeof(odim_trace_options), 0, 0, 0, 0}
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif
