/* Scoring block by block. */
#include "stream.h"

#include <stdlib.h>

#include "input.h"
#include "parts.h"
#include "signals.h"

enum { BLOCK_ROWS = 16384 };

typedef struct stream {
    cli_score_job *s;
    odim_reader *reader;
    cli_results results;
    cli_rows rows;
    double *scores, *raw;
    odim_reason *reasons;
    int64_t flagged;
    bool labeled;
    int notes;       /* printed so far */
    int64_t skipped; /* bad rows */
    int64_t begin;   /* the first row to score */
    int64_t before;  /* rows of the file before those that are read */
    int64_t end;     /* the row after the last one; -1: all that come */
} stream;

/* Blocks are short: they need no progress line, but can be interrupted. */
static int is_interrupted(const odim_progress *now, void *user)
{
    (void)now;
    (void)user;
    return cli_signals_caught();
}

int cli_stream_explain(cli_run *work, const cli_results *r, odim_reason *reasons, const odim_params *params)
{
    odim_error err;
    odim_hooks hooks = cli_run_hooks(work);
    if (!r->rank) hooks.progress = is_interrupted;
    cli_run_begin();
    odim_status status = cli_results_explain(r, reasons, params, &hooks, &err);
    return cli_run_end(status, &err, cli_input_name(r->path));
}

static int score_block(stream *x, const odim_table *block)
{
    cli_score_job *s = x->s;
    odim_error err;
    odim_hooks hooks = {.size = sizeof hooks, .progress = is_interrupted};
    x->results.table = block;
    cli_run_begin();
    odim_status status = odim_score(s->model, block, s->run->params, &hooks, x->scores, &err);
    if (!status && x->raw) status = odim_score_raw(s->model, block, s->run->params, &hooks, x->raw, &err);
    int code = cli_run_end(status, &err, cli_input_name(s->run->path));
    if (!code && x->reasons) code = cli_stream_explain(s->run, &x->results, x->reasons, s->run->params);
    if (code) return code;
    if (!x->rows.columns && !cli_rows_begin(&x->rows, &x->results, &s->out, -1)) return CLI_EXIT_FAILED;
    cli_rows_add(&x->rows, &x->results);
    x->flagged += cli_results_flagged(&x->results);
    x->labeled = odim_table_labels(block) != NULL;
    x->results.first += odim_table_rows(block);
    cli_out_flush(&s->out);
    odim_progress now = {.stage = ODIM_STAGE_SCORING, .rows_done = x->results.first};
    cli_progress_draw(&s->run->bar, &now);
    return s->out.error ? CLI_EXIT_FAILED : CLI_EXIT_OK;
}

/* Reads rows that are not scored, at most `most`, or all with -1; their number is added to *rows. */
static int pass_over(odim_reader *reader, int64_t most, int64_t *rows)
{
    odim_error err;
    const odim_table *block;
    for (int64_t left = most; left;) {
        int64_t count = most >= 0 && left < BLOCK_ROWS ? left : BLOCK_ROWS;
        if (odim_reader_next(reader, count, &block, &err)) return cli_run_fail(&err, NULL);
        int64_t n = odim_table_rows(block);
        if (n == 0) return CLI_EXIT_OK;
        *rows += n;
        if (most >= 0) left -= n;
    }
    return CLI_EXIT_OK;
}

/* Counts the rows of the file, and finds those of this part. The first part has some if the file has. */
static int find_part(stream *x)
{
    cli_score_job *s = x->s;
    odim_error err;
    odim_reader *reader;
    int64_t rows = 0;
    odim_read_options reading = s->reading;
    reading.keep = 0;
    if (odim_reader_open(&reader, s->run->path, &reading, &err)) return cli_run_fail(&err, NULL);
    int code = pass_over(reader, -1, &rows);
    odim_reader_free(reader);
    int64_t share = rows / s->parts, rest = rows % s->parts, before = s->part - 1;
    x->begin = share * before + (before < rest ? before : rest);
    x->end = x->begin + share + (before < rest);
    x->results.continued = s->part > 1;
    return code;
}

/* Opens the file at the beginning of a part that was scanned: nothing before it is read. */
static int open_scanned(stream *x)
{
    cli_score_job *s = x->s;
    odim_error err;
    odim_scan *scan;
    int code = cli_parts_load_scan(&scan, s->scanned, s->parts);
    if (!code && odim_scan_open(scan, s->part - 1, s->run->path, &s->reading, &x->reader, &err))
        code = cli_run_fail(&err, NULL);
    if (!code) x->results.first = x->before = odim_scan_first(scan, s->part - 1);
    x->results.continued = s->part > 1;
    odim_scan_free(scan);
    return code;
}

static int open_file(stream *x)
{
    odim_error err;
    int code = x->s->parts ? find_part(x) : CLI_EXIT_OK;
    if (!code && odim_reader_open(&x->reader, x->s->run->path, &x->s->reading, &err))
        code = cli_run_fail(&err, NULL);
    x->before = x->begin;
    return code;
}

static int score_all(stream *x)
{
    cli_score_job *s = x->s;
    odim_error err;
    const odim_table *block;
    int code = x->begin > 0 ? pass_over(x->reader, x->begin, &x->results.first) : CLI_EXIT_OK;
    if (code) return code;
    for (;;) {
        int64_t left = x->end < 0 ? BLOCK_ROWS : x->end - x->results.first;
        if (left == 0) return CLI_EXIT_OK;
        if (odim_reader_next(x->reader, left < BLOCK_ROWS ? left : BLOCK_ROWS, &block, &err))
            return cli_run_fail(&err, NULL);
        /* Where the model was fitted just now, the notes about the file have been printed. */
        for (; s->load && odim_table_note(block, x->notes); x->notes++)
            cli_run_note(s->run, odim_table_note(block, x->notes));
        x->skipped += odim_table_skipped(block);
        if (odim_table_rows(block) == 0) return CLI_EXIT_OK;
        if ((code = score_block(x, block))) return code;
    }
}

int cli_stream_score(cli_score_job *s)
{
    stream x = {.s = s, .end = -1, .results = {.path = s->run->path, .model = s->model, .set = s->set}};
    cli_output_threshold(s->set, s->model, &x.results.threshold);
    int code = s->scanned ? open_scanned(&x) : open_file(&x);
    if (code) return code;
    x.scores = malloc(BLOCK_ROWS * sizeof *x.scores);
    x.results.scores = x.scores;
    if (s->set->raw_scores) x.results.raw = x.raw = malloc(BLOCK_ROWS * sizeof *x.raw);
    if (s->set->explain) x.reasons = malloc((size_t)(BLOCK_ROWS * s->set->explain) * sizeof *x.reasons);
    x.results.reasons = x.reasons;
    bool room = x.scores && (!s->set->raw_scores || x.raw) && (!s->set->explain || x.reasons);
    code = room ? score_all(&x) : cli_run_nomem();
    cli_progress_clear();
    if (!code && x.rows.columns && !cli_rows_end(&x.rows)) code = CLI_EXIT_FAILED;
    /* Also after a failed write: the reason is reported there. */
    if ((!code || s->out.error) && !cli_out_commit(&s->out)) code = CLI_EXIT_FAILED;
    if (!code && x.labeled && !s->run->quiet)
        fputs("no AUC: a stream keeps no scores; 'odim eval' takes them from the output\n", stderr);
    if (!code) cli_results_summary(s->run, x.flagged, x.results.first - x.before);
    if (!code) cli_run_skipped(s->run, x.skipped);
    cli_rows_free(&x.rows);
    free(x.scores);
    free(x.raw);
    free(x.reasons);
    odim_reader_free(x.reader);
    return code;
}
