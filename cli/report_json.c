/* The data of the report's script. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "json.h"
#include "reason_words.h"
#include "report.h"

enum {
    TEXT = 61,         /* a cell is cut to this many bytes, the '\0' among them */
    VALUES = 60,       /* columns of a row's full account */
    FEWER = 30,        /* the same where many rows are listed */
    MANY = 500,        /* that is, more than this */
    ROOM = 1400 * 1000 /* bytes of all rows: the list ends where they are used up */
};

static void put_counts(cli_json *j, const char *name, const int64_t *count)
{
    cli_json_begin(j, name, '[');
    for (int i = 0; i <= CLI_REPORT_STEPS; i++) cli_json_int(j, NULL, count[i]);
    cli_json_end(j);
}

/* The columns of the full accounts: those that are reasons first, then in their order. */
static int64_t count_values(const cli_findings *f)
{
    int64_t count = 0, cols = odim_model_cols(f->about->model);
    if (f->pictures) return 0;
    while (f->reason && count < cols && count < (f->listed > MANY ? FEWER : VALUES)) count++;
    return count;
}

/* A text that was cut must not end within a character; and it is to be shown. */
static void put_text(cli_json *j, const char *key, const char text[TEXT])
{
    char whole[TEXT], shown[TEXT];
    size_t len = strlen(text);
    bool is_cut = len + 1 == TEXT;
    memcpy(whole, text, len);
    while (is_cut && len > 0 && ((unsigned char)text[len - 1] & 0xC0) == 0x80) len--;
    if (is_cut && len > 0 && ((unsigned char)text[len - 1] & 0xC0) == 0xC0) len--;
    whole[len] = '\0';
    cli_json_string(j, key, odim_printable(whole, shown, TEXT));
}

/* To three decimals, or to three digits if it is small: no reason has a share of nothing. */
static double rounded(double share)
{
    double unit = 1000;
    while (share > 0 && share * unit < 100 && unit < 1e9) unit *= 10;
    return floor(unit * share + 0.5) / unit;
}

static void put_reasons(const cli_findings *f, int64_t i, cli_json *j)
{
    const cli_report *r = f->about;
    cli_json_begin(j, "reasons", '[');
    for (int k = 0; k < CLI_REPORT_REASONS; k++) {
        const odim_reason *reason = &f->reason[i * CLI_REPORT_REASONS + k];
        char text[TEXT];
        odim_column_info c = ODIM_COLUMN_INFO_INIT;
        if (reason->col < 0 || odim_model_column(r->model, reason->col, &c, NULL)) break;
        cli_json_begin(j, NULL, '[');
        cli_json_int(j, NULL, f->column[reason->col].counted);
        cli_json_number(j, NULL, rounded(reason->share));
        put_text(j, NULL, cli_reason_value(r->model, r->table, f->row[i], reason, text, TEXT));
        put_text(j, NULL, cli_reason_expected(r->model, reason, text, TEXT));
        put_text(j, NULL, odim_reason_usual(r->model, r->table, f->row[i], reason, text, TEXT));
        bool ranged = c.type != ODIM_CATEGORICAL && c.type != ODIM_BOOLEAN;
        cli_json_int(j, NULL, ranged && reason->kind != ODIM_REASON_MISSING);
        cli_json_end(j);
    }
    cli_json_end(j);
}

static void put_row(const cli_findings *f, int64_t i, int64_t values, cli_json *j)
{
    const cli_report *r = f->about;
    int64_t row = f->row[i];
    const char *id = r->table ? odim_table_id(r->table, row) : NULL;
    if (!id && r->table) id = odim_table_file(r->table, row);
    char text[TEXT];
    cli_json_begin(j, NULL, '{');
    cli_json_int(j, "row", cli_report_row(r, row));
    if (id) {
        snprintf(text, TEXT, "%s", id);
        put_text(j, "id", text);
    }
    cli_json_number(j, "score", r->scores[row]);
    cli_json_number(j, "p", floor(1e5 * odim_model_probability(r->model, r->scores[row]) + 0.5) / 1e5);
    if (r->labels) cli_json_int(j, "label", r->labels[row]);
    if (f->pictures && f->pictures[i].thumbnail) {
        cli_json_begin(j, "pictures", '[');
        cli_json_string(j, NULL, f->pictures[i].thumbnail);
        cli_json_string(j, NULL, f->pictures[i].marks);
        cli_json_string(j, NULL, f->pictures[i].expected);
        cli_json_end(j);
    }
    if (f->reason) {
        put_reasons(f, i, j);
        cli_json_begin(j, "values", '[');
        for (int64_t k = 0; k < values; k++) {
            int64_t place = f->column[f->ranked[k]].place;
            *text = '\0';
            if (place >= 0) odim_table_text(r->table, row, place, text, TEXT);
            put_text(j, NULL, text);
        }
        cli_json_end(j);
    }
    cli_json_end(j);
}

/* As many as there is room for; in memory first, since an output does not know how much it has written. */
static void put_rows(const cli_findings *f, int64_t values, cli_json *j)
{
    char *bytes = NULL;
    size_t size = 0;
    cli_out *out = j->out, memory = {.file = open_memstream(&bytes, &size)};
    if (!memory.file) {
        out->error = ENOMEM;
        return;
    }
    j->out = &memory;
    for (int64_t i = 0; i < f->listed && size < ROOM && !memory.error; i++) {
        put_row(f, i, values, j);
        cli_out_flush(&memory);
    }
    j->out = out;
    if (fclose(memory.file) != 0 || memory.error)
        out->error = ENOMEM;
    else
        cli_out_bytes(out, bytes, size);
    free(bytes);
}

/* Names of columns, by their numbers in the model: those of the accounts and of the reasons. */
static void put_names(const cli_findings *f, int64_t values, cli_json *j)
{
    const cli_report *r = f->about;
    cli_json_begin(j, "columns", '{');
    for (int64_t k = 0; k < odim_model_cols(r->model); k++) {
        char number[24], full[TEXT], name[CLI_HTML_NAME];
        int64_t col = f->ranked[k];
        if (f->pictures ? f->column[col].counted != col : k >= values && f->column[col].share == 0) continue;
        snprintf(number, sizeof number, "%lld", (long long)col);
        cli_json_string(j, number, cli_html_cut(cli_reason_name(r->model, col, full, TEXT), name));
    }
    cli_json_end(j);
    cli_json_begin(j, "shown", '[');
    for (int64_t k = 0; k < values; k++) cli_json_int(j, NULL, f->ranked[k]);
    cli_json_end(j);
}

void cli_report_json(const cli_findings *f, cli_out *out)
{
    const cli_report *r = f->about;
    cli_json j = {.out = out, .line = true, .html = true};
    int64_t values = count_values(f);
    cli_json_begin(&j, NULL, '{');
    cli_json_int(&j, "rows", r->rows);
    cli_json_int(&j, "flagged", f->flagged);
    cli_json_int(&j, "noted", f->noted);
    cli_json_number(&j, "unusual", f->unusual);
    cli_json_number(&j, "threshold", r->threshold);
    char name[64], id_name[TEXT];
    cli_json_string(&j, "thresholdName", cli_report_threshold(r, name, sizeof name));
    cli_json_number(&j, "low", f->range.low);
    cli_json_number(&j, "high", f->range.high);
    put_counts(&j, "above", f->above);
    cli_json_int(&j, "cols", odim_model_cols(r->model));
    if (f->judged) {
        int64_t hits = 0;
        for (int64_t i = 0; i < f->flagged; i++) hits += r->labels[r->order[i]] == 1;
        cli_json_int(&j, "flaggedHits", hits);
        cli_json_int(&j, "outliers", f->outliers);
        put_counts(&j, "hits", f->hits);
    }
    const char *id = cli_report_id_name(r);
    if (id) snprintf(id_name, TEXT, "%s", id);
    if (id) put_text(&j, "id", id_name);
    put_names(f, values, &j);
    cli_json_begin(&j, "list", '[');
    put_rows(f, values, &j);
    cli_json_end(&j);
    cli_json_end(&j);
}
