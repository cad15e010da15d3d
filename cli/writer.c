/* Rows as CSV, TSV, JSON lines or NPY. */
#include "writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/numtext.h"
#include "npyhead.h"
#include "log.h"

static bool ends_with(const char *text, const char *ending)
{
    size_t len = strlen(text), end = strlen(ending);
    return len >= end && strcmp(text + len - end, ending) == 0;
}

cli_row_format cli_writer_format(const char *asked, const char *output)
{
    static const struct {
        const char *name, *ending;
        cli_row_format format;
    } known[] = {{"csv", ".csv", CLI_ROWS_CSV},
                 {"tsv", ".tsv", CLI_ROWS_TSV},
                 {"jsonl", ".jsonl", CLI_ROWS_JSONL},
                 {"jsonl", ".ndjson", CLI_ROWS_JSONL},
                 {"npy", ".npy", CLI_ROWS_NPY}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (asked ? strcmp(asked, known[i].name) == 0 : output && ends_with(output, known[i].ending))
            return known[i].format;
    return CLI_ROWS_CSV;
}

/* ---- a value ----------------------------------------------------------------------------------------- */

static bool needs_quotes(const char *text)
{
    return strpbrk(text, ",\"\r\n") || text[0] == ' ' || (*text && text[strlen(text) - 1] == ' ');
}

/* -5, +3.2, -.5e-3: no formulas, though they begin like one. */
static bool is_signed_number(const char *text)
{
    static const char digits[] = "0123456789";
    if (*text != '-' && *text != '+') return false;
    size_t whole = strspn(++text, digits);
    text += whole;
    size_t part = *text == '.' ? strspn(text + 1, digits) : 0;
    if (*text == '.') text += 1 + part;
    if (whole + part == 0) return false;
    if (*text == 'e' || *text == 'E') {
        text += text[1] == '-' || text[1] == '+' ? 2 : 1;
        size_t power = strspn(text, digits);
        if (power == 0) return false;
        text += power;
    }
    return *text == '\0';
}

/* What makes a spreadsheet compute, or run, a cell: these in front, also as wide as in Japanese. */
static bool is_formula(const char *text)
{
    static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    if (strcmp(text, "-") == 0) return false; /* a missing cell */
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (strncmp(text, wide[i], 3) == 0) return true;
    return *text && strchr("=+-@\t\r\n", *text) && !is_signed_number(text);
}

static void put_csv(cli_out *out, const char *text, const char *before)
{
    if (!needs_quotes(text)) {
        cli_out_text(out, before);
        cli_out_text(out, text);
        return;
    }
    cli_out_bytes(out, "\"", 1);
    cli_out_text(out, before);
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        cli_out_bytes(out, text, (size_t)(quote - text));
        cli_out_bytes(out, "\"\"", 2);
    }
    cli_out_text(out, text);
    cli_out_bytes(out, "\"", 1);
}

static void put_tsv(cli_out *out, const char *text)
{
    static const char special[] = "\t\n\r\\", letter[] = "tnr\\";
    for (size_t run; run = strcspn(text, special), text[run]; text += run + 1) {
        char escape[] = {'\\', letter[strchr(special, text[run]) - special]};
        cli_out_bytes(out, text, run);
        cli_out_bytes(out, escape, sizeof escape);
    }
    cli_out_text(out, text);
}

/* Numbers of a row are written together: one call for each of them would take longer than writing them. */
static void pass_on(cli_writer *w)
{
    if (w->held) cli_out_bytes(w->out, w->hold, w->held);
    w->held = 0;
}

static void put_short(cli_writer *w, const char *bytes, size_t size)
{
    if (w->held + size > sizeof w->hold) pass_on(w);
    memcpy(w->hold + w->held, bytes, size);
    w->held += size;
}

/* Text that is ready to be written as a cell of CSV or TSV. */
static void put_plain(cli_writer *w, const char *text)
{
    const char *before = w->safe && is_formula(text) ? "'" : "";
    pass_on(w);
    if (w->format == CLI_ROWS_TSV) {
        cli_out_text(w->out, before);
        put_tsv(w->out, text);
    } else {
        put_csv(w->out, text, before);
    }
}

static void put_separator(cli_writer *w, int column)
{
    if (column > 0) put_short(w, w->format == CLI_ROWS_TSV ? "\t" : ",", 1);
}

/* Little endian, whatever the machine. */
static void put_binary(cli_out *out, uint64_t bits)
{
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char)(bits >> 8 * i & 0xFF);
    cli_out_bytes(out, bytes, sizeof bytes);
}

/* What comes before a value, and what comes after it. */
static void begin_value(cli_writer *w)
{
    if (w->format == CLI_ROWS_JSONL && w->at == 0) cli_json_begin(&w->json, NULL, '{');
    if (w->format == CLI_ROWS_CSV || w->format == CLI_ROWS_TSV) put_separator(w, w->at);
}

static void end_value(cli_writer *w)
{
    if (++w->at < w->count) return;
    w->at = 0;
    w->rows_done++;
    if (w->format == CLI_ROWS_JSONL)
        cli_json_end(&w->json);
    else if (w->format != CLI_ROWS_NPY)
        put_short(w, "\n", 1);
    pass_on(w);
}

void cli_writer_int(cli_writer *w, int64_t value)
{
    char text[OD_NUM_ROOM];
    begin_value(w);
    switch (w->format) {
    case CLI_ROWS_JSONL: cli_json_int(&w->json, w->columns[w->at].name, value); break;
    case CLI_ROWS_NPY: put_binary(w->out, (uint64_t)value); break;
    default: put_short(w, text, od_num_int(text, value));
    }
    end_value(w);
}

void cli_writer_number(cli_writer *w, double value)
{
    char text[OD_NUM_ROOM];
    uint64_t bits;
    begin_value(w);
    switch (w->format) {
    case CLI_ROWS_JSONL: cli_json_number(&w->json, w->columns[w->at].name, value); break;
    case CLI_ROWS_NPY:
        memcpy(&bits, &value, sizeof bits);
        put_binary(w->out, bits);
        break;
    default:
        if (!isnan(value)) put_short(w, text, od_num_short(text, value));
    }
    end_value(w);
}

void cli_writer_text(cli_writer *w, const char *text)
{
    begin_value(w);
    switch (w->format) {
    case CLI_ROWS_JSONL:
        if (text)
            cli_json_string(&w->json, w->columns[w->at].name, text);
        else
            cli_json_raw(&w->json, w->columns[w->at].name, "null");
        break;
    case CLI_ROWS_NPY: break;
    default:
        if (text) put_plain(w, text);
    }
    end_value(w);
}

void cli_writer_copy(cli_writer *w, const char *text)
{
    if (w->format != CLI_ROWS_JSONL || !cli_json_is_number(text)) {
        cli_writer_text(w, text);
        return;
    }
    begin_value(w);
    cli_json_raw(&w->json, w->columns[w->at].name, text);
    end_value(w);
}

void cli_writer_flag(cli_writer *w, bool value)
{
    begin_value(w);
    switch (w->format) {
    case CLI_ROWS_JSONL: cli_json_raw(&w->json, w->columns[w->at].name, value ? "true" : "false"); break;
    case CLI_ROWS_NPY: cli_out_bytes(w->out, value ? "\1" : "\0", 1); break;
    default: put_short(w, value ? "1" : "0", 1);
    }
    end_value(w);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static bool begin_npy(cli_writer *w)
{
    char *header;
    size_t size;
    if (w->rows < 0 && !cli_out_is_file(w->out)) {
        cli_log("%s: NPY begins with the number of rows, which is not known yet; write to a file",
                w->out->name);
        return false;
    }
    if (!cli_npyhead_make(w->columns, w->count, w->rows < 0 ? 0 : w->rows, &header, &size)) return false;
    cli_out_bytes(w->out, header, size);
    free(header);
    return true;
}

void cli_writer_continue(cli_writer *w, cli_out *out, cli_row_format format, const cli_out_column *columns,
                         int count, int64_t rows, bool safe)
{
    *w = (cli_writer){.out = out,
                      .format = format,
                      .columns = columns,
                      .count = count,
                      .rows = rows,
                      .safe = safe,
                      .json = {.out = out, .line = true}};
}

bool cli_writer_begin(cli_writer *w, cli_out *out, cli_row_format format, const cli_out_column *columns,
                      int count, int64_t rows, bool safe)
{
    cli_writer_continue(w, out, format, columns, count, rows, safe);
    if (format == CLI_ROWS_NPY) return begin_npy(w);
    if (format == CLI_ROWS_JSONL) return true;
    for (int i = 0; i < count; i++) {
        put_separator(w, i);
        put_plain(w, columns[i].name);
    }
    cli_out_bytes(out, "\n", 1);
    return true;
}

bool cli_writer_end(cli_writer *w)
{
    if (w->rows >= 0 && w->rows_done != w->rows) {
        cli_log("%s: %lld rows came where %lld were expected", w->out->name, (long long)w->rows_done,
                (long long)w->rows);
        return false;
    }
    if (w->format != CLI_ROWS_NPY || w->rows >= 0) return true;
    char *header;
    size_t size;
    if (!cli_npyhead_make(w->columns, w->count, w->rows_done, &header, &size)) return false;
    cli_out_rewrite(w->out, header, size);
    free(header);
    return true;
}
