/* The answer for people on a terminal. No line but those of the table depends on the width. */
#include <stdio.h>

#include "results.h"

enum { LISTED = 20, NEXT = 50, NUMBER_TEXT = 32 };

/* 1234567 as 1,234,567. */
static const char *write_count(int64_t n, char buf[NUMBER_TEXT])
{
    char digits[NUMBER_TEXT];
    int len = snprintf(digits, sizeof digits, "%lld", (long long)n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0) buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
    return buf;
}

int64_t cli_results_listed(const cli_results *r)
{
    int64_t rows = odim_table_rows(r->table), flagged = cli_results_flagged(r);
    int64_t listed = flagged ? flagged : cli_results_unusual(r), most = flagged ? LISTED : CLI_FEW_ROWS;
    if (listed > most) listed = most;
    return listed < rows ? listed : rows;
}

static void say_verdict(const cli_results *r, int64_t flagged, cli_out *out)
{
    char count[NUMBER_TEXT], all[NUMBER_TEXT];
    int64_t unusual = cli_results_unusual(r), rows = odim_table_rows(r->table);
    write_count(rows, all);
    if (flagged)
        cli_out_printf(out, "%s of %s row%s", write_count(flagged, count), all, rows == 1 ? "" : "s");
    else
        cli_out_printf(out, "No outliers in %s row%s", all, rows == 1 ? "" : "s");
    if (flagged) cli_out_text(out, flagged == 1 ? " is an outlier" : " are outliers");
    if (unusual)
        cli_out_printf(out, "; %s %s%s unusual", write_count(unusual, count), flagged ? "more " : "",
                       unusual == 1 ? "is" : "are");
    /* Rows that are neither are no findings, and are not shown. */
    if (!flagged && !unusual && rows)
        cli_out_printf(out, ". The highest score is %.2f; outliers are above %.4g", r->scores[r->order[0]],
                       r->threshold);
    cli_out_text(out, !flagged && unusual ? ", which need not mean an error:\n\n" : ".\n");
    if (flagged) cli_out_text(out, "\n");
}

static void say_next(const cli_results *r, int64_t flagged, int64_t listed, cli_out *out)
{
    int64_t rows = odim_table_rows(r->table), more = rows < NEXT ? rows : NEXT;
    cli_out_text(out, "\nNext:\n");
    if (!r->set->report) cli_out_text(out, "  --report report.html   an HTML page\n");
    cli_out_text(out, "  -o scores.csv          the score of every row\n");
    char option[NUMBER_TEXT];
    snprintf(option, sizeof option, "--top %lld", (long long)more);
    if (flagged <= listed && more > listed)
        cli_out_printf(out, "  %-21s  the rows with the highest scores\n", option);
}

bool cli_results_answer(const cli_results *r, int width, cli_out *out)
{
    int64_t flagged = cli_results_flagged(r), listed = cli_results_listed(r);
    char count[NUMBER_TEXT];
    say_verdict(r, flagged, out);
    if (listed && !cli_results_top(r, listed, true, width, out)) return false;
    if (flagged > listed)
        cli_out_printf(out, "and %s more: --top %lld or -o FILE\n", write_count(flagged - listed, count),
                       (long long)flagged);
    say_next(r, flagged, listed, out);
    return true;
}
