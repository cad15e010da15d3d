/* The sections of the report behind the list: columns, labels, learning, the data, what was run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "plot_draw.h"

enum { MOST_COLUMNS = 500, ALL_COLUMNS = 25, FIRST_COLUMNS = 12, MOST_MATRIX = 20 };

/* ---- columns ---------------------------------------------------------------------------------------- */

/* How many of the rows that are held against the others a column explains best. */
static void put_blame(const cli_findings *f, int64_t col, FILE *to)
{
    int64_t rows = f->column[col].blame;
    if (!rows) {
        fputs("never the main reason", to);
        return;
    }
    fputs("main reason of ", to);
    cli_html_count(to, rows);
    fputs(f->flagged ? " outlier" : " row", to);
    if (rows != 1) fputs("s", to);
}

static void put_charts(const cli_findings *f, FILE *to)
{
    fprintf(to,
            "<p class=\"key\"><span class=\"swatch swatch-others\"></span> other rows <span class=\"swatch "
            "swatch-outliers\"></span> %s. Height: number of rows (log scale). Values far beyond the rest "
            "have a bar of their own at the end of the axis.</p>\n<div class=\"cards\">\n",
            f->spot_name);
    for (int64_t k = 0; k < f->charts; k++) {
        int64_t col = f->ranked[k];
        odim_column_info c = ODIM_COLUMN_INFO_INIT;
        odim_model_column(f->about->model, col, &c, NULL);
        if (c.ignored) continue;
        fputs("<article class=\"card\"><h3>", to);
        cli_html_name(to, c.name);
        fputs("</h3>", to);
        cli_plot_column(&(cli_plot_kind){f, true, to}, col);
        fputs("<p>", to);
        put_blame(f, col, to);
        fputs("</p></article>\n", to);
    }
    fputs("</div>\n", to);
}

static void put_pair(const cli_findings *f, FILE *to)
{
    if (f->pair[0] < 0) return;
    fputs("<h3>Two columns together</h3>\n<p>", to);
    cli_html_name(to, cli_html_column(f, f->pair[0]));
    fputs(" and ", to);
    cli_html_name(to, cli_html_column(f, f->pair[1]));
    fprintf(to,
            " separate the %s from the other rows best. Rows with equal values are one dot: the more rows, "
            "the larger the dot. Values far beyond the rest are drawn at the edge, with an arrow and the "
            "value. Large tables are sampled.</p>\n",
            f->spot_name);
    fputs("<figure tabindex=\"0\">", to);
    cli_plot_pair(&(cli_plot_kind){f, true, to});
    fputs("</figure>\n", to);
}

void cli_html_columns(const cli_findings *f, FILE *to)
{
    int64_t cols = odim_model_cols(f->about->model);
    if (!f->charts || f->pictures) return;
    cli_html_begin(to, "columns", "Columns");
    if (f->charts < cols) {
        fprintf(to, "<p>The %lld of ", (long long)f->charts);
        cli_html_count(to, cols);
        fprintf(to, " columns that matter most for the %s", f->spot_name);
    } else {
        fprintf(to, "<p>Where the values of the %s lie", f->spot_name);
    }
    if (f->listed < f->flagged) {
        fputs(" (reasons: of the ", to);
        cli_html_count(to, f->listed);
        fputs(" highest scores)", to);
    }
    fputs(".</p>\n", to);
    put_charts(f, to);
    put_pair(f, to);
    cli_html_end(to);
}

/* ---- labels ----------------------------------------------------------------------------------------- */

void cli_html_labels(const cli_findings *f, FILE *to)
{
    if (!f->judged) return;
    cli_html_begin(to, "labels", "Comparison with the labels");
    fprintf(to,
            "<p>Area under the ROC curve (AUC) <strong>%.4f</strong>, average precision "
            "<strong>%.4f</strong>; %lld rows are labeled outliers.</p>\n<p id=\"precision\" "
            "class=\"counts\" role=\"status\" "
            "aria-live=\"polite\"></p>\n"
            "<figure tabindex=\"0\">",
            f->auc, f->ap, (long long)f->outliers);
    cli_plot_labels(&(cli_plot_kind){f, true, to});
    fputs("</figure>\n", to);
    cli_html_end(to);
}

/* ---- learning --------------------------------------------------------------------------------------- */

/* What the networks contribute to the score. */
static const char *part_of_members(const odim_model *model)
{
    char text[128];
    if (strcmp(odim_model_get(model, "trusted-fraction", text, sizeof text), "off") != 0)
        return "Together the networks choose the rows that the model trusts; a score is the distance to "
               "those rows.";
    if (strcmp(odim_model_get(model, "with", text, sizeof text), "none") != 0)
        return "The score combines the mean of all networks with the classical detectors.";
    return "The score is the mean of all networks, which is steadier than any single one.";
}

/* Rank correlations, deeper colors for higher ones. */
static void put_agreement(const cli_findings *f, FILE *to)
{
    int members = odim_model_members(f->about->model), pairs = members * (members - 1) / 2;
    double sum = 0, least = 1;
    if (!f->agreement || !pairs) return;
    for (int a = 0; a < members; a++) {
        for (int b = 0; b < a; b++) {
            sum += f->agreement[a * members + b] / pairs;
            least = fmin(least, f->agreement[a * members + b]);
        }
    }
    fprintf(to,
            "<h3>Do the networks agree?</h3>\n<p>Each network ranks the rows by its own score. The rank "
            "correlation of two networks is %.2f on average and at least %.2f; 1 is full agreement. %s</p>\n",
            sum, least, part_of_members(f->about->model));
    if (members > MOST_MATRIX) return;
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Agreement of the "
          "networks\"><table "
          "class=\"heat\"><caption>Rank correlation of the networks' scores</caption><thead><tr><td></td>",
          to);
    for (int b = 0; b < members; b++) fprintf(to, "<th scope=\"col\">%d</th>", b + 1);
    fputs("</tr></thead><tbody>\n", to);
    for (int a = 0; a < members; a++) {
        fprintf(to, "<tr><th scope=\"row\">%d</th>", a + 1);
        for (int b = 0; b < members; b++) {
            double v = f->agreement[a * members + b];
            fprintf(to, a == b ? "<td></td>" : "<td class=\"h%d\">%.2f</td>",
                    (int)fmax(0, floor(9.999 * fmax(v, 0))), v);
        }
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table></div>\n", to);
}

static void put_members(const cli_findings *f, FILE *to)
{
    const odim_model *m = f->about->model;
    fputs("<details><summary>Each network</summary>\n<table><caption>Networks</caption><thead><tr><th "
          "scope=\"col\">network</th><th scope=\"col\">updates trained</th><th scope=\"col\">update "
          "kept</th><th "
          "scope=\"col\">distance at that update</th></tr></thead><tbody>\n",
          to);
    for (int b = 0; b < odim_model_members(m) && b < MOST_COLUMNS; b++) {
        const odim_member_info *info = odim_model_member(m, b);
        fprintf(to, "<tr><th scope=\"row\">%d</th><td>%lld</td><td>%lld</td><td>%.4f</td></tr>\n", b + 1,
                (long long)info->updates, (long long)info->best_update, info->distance);
    }
    fputs("</tbody></table></details>\n", to);
}

void cli_html_learning(const cli_findings *f, FILE *to)
{
    cli_html_begin(to, "learning", "How the model was trained");
    fputs("<p>Technical background: not needed to read the results. Each network learns the frequent "
          "patterns first. Meanwhile the losses of ordinary rows fall and those of outliers stay high, so "
          "the losses form two groups. Each network keeps the state in which the two groups are furthest "
          "apart.</p>\n",
          to);
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    bool drawn = memory && cli_plot_distance(&(cli_plot_kind){f, true, memory});
    if (memory) fclose(memory);
    if (drawn) {
        fputs("<figure tabindex=\"0\">", to);
        fwrite(bytes, 1, size, to);
        fputs("</figure>\n", to);
    } else {
        fputs("<p>The model file does not contain the training history.</p>\n", to);
    }
    free(bytes);
    put_members(f, to);
    if (f->trace) {
        fputs("<h3>Ordinary rows are learned first</h3>\n<p>Losses of a sample of rows in the first network, "
              "trained beyond its stopping point.</p>\n<figure tabindex=\"0\">",
              to);
        cli_trace_histograms(&f->learning, to);
        fputs("</figure>\n", to);
    }
    put_agreement(f, to);
    cli_html_end(to);
}

/* ---- the data --------------------------------------------------------------------------------------- */

static void put_range(const cli_report *r, int64_t col, const odim_column_info *c, FILE *to)
{
    char low[64], high[64];
    if (c->type == ODIM_CATEGORICAL) {
        fprintf(to, "%lld %s", (long long)c->levels, c->levels == 1 ? "category" : "categories");
    } else if (isnan(c->low)) {
        fputs("-", to);
    } else {
        cli_html_text(to, odim_model_text(r->model, col, c->low, low, sizeof low));
        fputs(" to ", to);
        cli_html_text(to, odim_model_text(r->model, col, c->high, high, sizeof high));
    }
}

static void put_column_row(const cli_findings *f, int64_t col, FILE *to)
{
    const cli_report *r = f->about;
    odim_column_info c = ODIM_COLUMN_INFO_INIT;
    if (odim_model_column(r->model, col, &c, NULL)) return;
    fputs("<tr><th scope=\"row\">", to);
    cli_html_name(to, c.name);
    fprintf(to, "</th><td>%s</td><td>", odim_type_text(c.type));
    if (c.missing) {
        cli_html_count(to, c.missing);
        fputs(" (", to);
        cli_html_percent(to, (double)c.missing / (double)odim_model_rows(r->model));
        fputs(")", to);
    } else {
        fputs("none", to);
    }
    fputs("</td><td>", to);
    put_range(r, col, &c, to);
    fputs("</td><td>", to);
    if (f->reason) {
        cli_html_count(to, f->column[col].blame);
        fputs(f->column[col].blame == 1 ? " row" : " rows", to);
    }
    fputs("</td><td>", to);
    if (c.ignored) {
        fputs("not used: ", to);
        cli_html_text(to, c.ignored);
    }
    fputs("</td></tr>\n", to);
}

/* Columns first to end - 1: in their order where all are shown at once, else those that matter most first. */
static void put_column_table(const cli_findings *f, int64_t first, int64_t end, const char *caption, FILE *to)
{
    bool all = odim_model_cols(f->about->model) <= ALL_COLUMNS;
    fprintf(to,
            "<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" aria-label=\"%s in detail\"><table "
            "class=\"data\"><caption>%s, from the fit</caption><thead><tr><th "
            "scope=\"col\">column</th><th scope=\"col\">type</th><th scope=\"col\">missing</th><th "
            "scope=\"col\">range</th><th scope=\"col\">main reason of</th><th "
            "scope=\"col\">remark</th></tr></thead><tbody>\n",
            caption, caption);
    for (int64_t j = first; j < end; j++) put_column_row(f, all ? j : f->ranked[j], to);
    fputs("</tbody></table></div>\n", to);
}

void cli_html_quality(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    int64_t cols = odim_model_cols(r->model), shown = cols < MOST_COLUMNS ? cols : MOST_COLUMNS, gaps = 0,
            constant = 0, first = shown > ALL_COLUMNS ? FIRST_COLUMNS : shown;
    for (int64_t j = 0; j < cols; j++) {
        odim_column_info c = ODIM_COLUMN_INFO_INIT;
        if (odim_model_column(r->model, j, &c, NULL)) continue;
        gaps += c.missing > 0;
        constant += c.ignored != NULL;
    }
    cli_html_begin(to, "quality", "Data");
    fputs("<ul class=\"plain\">\n<li>", to);
    cli_html_count(to, cols);
    fputs(cols == 1 ? " column; " : " columns; ", to);
    if (gaps) {
        cli_html_count(to, gaps);
        fputs(" with missing values, ", to);
    } else {
        fputs("no missing values, ", to);
    }
    cli_html_count(to, constant);
    fputs(" not used</li>\n", to);
    if (f->duplicates >= 0) {
        fputs("<li>", to);
        cli_html_count(to, f->duplicates);
        fputs(f->duplicates == 1 ? " row duplicates an earlier one</li>\n"
                                 : " rows duplicate an earlier one</li>\n",
              to);
    }
    for (int i = 0; i < r->note_count; i++) {
        fputs("<li>note: <bdi>", to);
        cli_html_text(to, r->notes[i]);
        fputs("</bdi></li>\n", to);
    }
    fputs("</ul>\n", to);
    put_column_table(f, 0, first, "Columns", to);
    if (first < shown) {
        fprintf(to, "<details id=\"more-columns\"><summary>%lld more columns</summary>\n",
                (long long)(shown - first));
        put_column_table(f, first, shown, "More columns", to);
        fputs("</details>\n", to);
    }
    if (shown < cols) {
        fputs("<p>", to);
        cli_html_count(to, cols - shown);
        fputs(" columns are not listed.</p>\n", to);
    }
    cli_html_end(to);
}

/* ---- what was run ----------------------------------------------------------------------------------- */

static void put_fact(FILE *to, const char *name, const char *value)
{
    fprintf(to, "<tr><th scope=\"row\">%s</th><td>", name);
    cli_html_text(to, value);
    fputs("</td></tr>\n", to);
}

void cli_html_run(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    char text[300], fingerprint[17];
    cli_html_begin(to, "run", "This run");
    if (r->command) {
        fputs("<pre class=\"command\" tabindex=\"0\">", to);
        cli_html_text(to, r->command);
        fputs("</pre>\n", to);
    }
    if (cli_report_is_private(r))
        fputs(
            "<p>The model was trained with differential privacy. That protects the model, but not this page, "
            "which shows rows and their scores.</p>\n",
            to);
    odim_model_fingerprint(r->model, fingerprint);
    fputs("<table><caption>Run</caption><tbody>\n", to);
    put_fact(to, "odim", odim_version());
    put_fact(to, "model", fingerprint);
    snprintf(text, sizeof text, "%lld rows", (long long)odim_model_rows(r->model));
    put_fact(to, "fitted on", text);
    if (r->work_seconds > 0) {
        snprintf(text, sizeof text, "reading %.2f s, fitting and scoring %.2f s, report %.2f s",
                 r->read_seconds, r->work_seconds, f->seconds);
        put_fact(to, "time", text);
    }
    fputs("</tbody></table>\n<details><summary>All parameters</summary>\n<table><caption>Parameters "
          "(bold: not the default)</caption><thead><tr><th scope=\"col\">parameter</th><th "
          "scope=\"col\">value</th><th "
          "scope=\"col\">meaning</th></tr></thead><tbody>\n",
          to);
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *info = odim_param_at(i);
        if (strcmp(info->name, "threads") == 0 || !odim_model_get(r->model, info->name, text, sizeof text))
            continue;
        bool own = strcmp(text, info->def) != 0;
        fprintf(to, "<tr><th scope=\"row\">%s</th><td>%s", info->name, own ? "<b>" : "");
        cli_html_text(to, text);
        fputs(own ? "</b></td><td>" : "</td><td>", to);
        cli_html_text(to, info->help);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></details>\n", to);
    cli_html_end(to);
}
