/* The page: its head, the answer, the scores and the list. report_parts.c has the sections behind them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "plot_draw.h"
#include "log.h"

/* Of report/, and the SHA-256 of these and of plot/plot.css, by the build. */
extern const char cli_report_css[], cli_common_js[], cli_report_js[];
extern const char cli_report_css_hash[], cli_common_js_hash[], cli_report_js_hash[], cli_plot_css_hash[];

/* ---- the answer ------------------------------------------------------------------------------------- */

/* The script writes the same when the threshold moves. */
static void put_headline(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    fputs("<h1><span id=\"headline-count\">", to);
    if (f->flagged)
        cli_html_count(to, f->flagged);
    else
        fputs("No", to);
    fprintf(to, "</span> <span id=\"headline-rest\">outlier%s", f->flagged == 1 ? "" : "s");
    if (f->noted) {
        fputs(f->flagged ? " and " : ", ", to);
        cli_html_count(to, f->noted);
        fprintf(to, " unusual row%s", f->noted == 1 ? "" : "s");
    }
    fputs(" among ", to);
    cli_html_count(to, r->rows);
    if (!f->noted) fprintf(to, " row%s", r->rows == 1 ? "" : "s");
    fputs("</span></h1>\n<p class=\"source\">in <strong><bdi>", to);
    cli_html_text(to, cli_html_file(r->path));
    fputs("</bdi></strong></p>\n", to);
}

/* What the two words mean. */
static void put_meaning(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    char name[64];
    fputs("<p>A row is called an <strong>outlier</strong> if its score is above ", to);
    cli_html_number(to, r->threshold);
    if (r->asked) fprintf(to, ", %s", cli_report_threshold(r, name, sizeof name));
    if (f->unusual < r->threshold) {
        fputs(", and <strong>unusual</strong> if it is above ", to);
        fprintf(to, "%.3g", f->unusual);
        fputs(" but not above the threshold: worth a look, but not clearly wrong", to);
    }
    fputs(".", to);
    if (f->readable)
        fputs(" A typical row scores about 0, and 84&#8239;% of the rows that the model was fitted on score "
              "below 1.",
              to);
    fputs("</p>\n", to);
}

/* If there are no outliers, the first rows of the list are named instead. */
static void put_highest(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    int64_t count = f->listed < CLI_REPORT_HIGHEST ? f->listed : CLI_REPORT_HIGHEST;
    if (f->flagged || count < 1) return;
    if (count == 1)
        fputs("<p>The row with the highest score is ", to);
    else
        fprintf(to, "<p>The %lld rows with the highest scores are ", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        int64_t row = f->row[i];
        fputs(i == 0 ? "" : i + 1 < count ? ", " : " and ", to);
        cli_html_count(to, cli_report_row(r, row));
        fprintf(to, " (%.3g)", r->scores[row]);
    }
    fputs(".</p>\n", to);
}

static void put_advice(const cli_findings *f, FILE *to)
{
    int shown = 0;
    for (int64_t k = 0; f->reason && k < f->charts && shown < 3; k++) {
        const cli_report_column *c = &f->column[f->ranked[k]];
        if (!c->blame) break;
        if (!shown) fprintf(to, "<p>Most common main reasons of the %s: ", f->spot_name);
        fputs(shown ? ", " : "", to);
        fputs(f->pictures ? "<b>" : "<a href=\"#columns\"><b>", to);
        cli_html_name(to, cli_html_column(f, f->ranked[k]));
        fprintf(to, "</b>%s (%lld row%s)", f->pictures ? "" : "</a>", (long long)c->blame,
                c->blame == 1 ? "" : "s");
        shown++;
    }
    if (shown) fputs(".</p>\n", to);
}

static void put_share(const cli_findings *f, const char *name, const char *id, int64_t rows, FILE *to)
{
    fprintf(to, "<div><dt>%s</dt><dd id=\"%s\">", name, id);
    cli_html_count(to, rows);
    fputs(" (", to);
    cli_html_percent(to, (double)rows / (double)f->about->rows);
    fputs(")</dd></div>\n", to);
}

static void put_facts(const cli_findings *f, FILE *to)
{
    const cli_report *r = f->about;
    fputs("<dl class=\"facts\">\n<div><dt>rows</dt><dd>", to);
    cli_html_count(to, r->rows);
    fputs("</dd></div>\n", to);
    put_share(f, "outliers", "fact-outliers", f->flagged, to);
    put_share(f, "unusual rows", "fact-unusual", f->noted, to);
    if (f->charts && f->column[f->ranked[0]].blame) {
        fputs("<div><dt>most common main reason</dt><dd>", to);
        cli_html_name(to, cli_html_column(f, f->ranked[0]));
        fputs("</dd></div>\n", to);
    }
    fputs("<div><dt>threshold</dt><dd>score above <span id=\"fact-threshold\">", to);
    cli_html_number(to, r->threshold);
    fputs("</span></dd></div>\n", to);
    if (f->judged) fprintf(to, "<div><dt>AUC against the labels</dt><dd>%.4f</dd></div>\n", f->auc);
    fputs("</dl>\n", to);
}

static void put_answer(const cli_findings *f, FILE *to)
{
    fputs("<section id=\"answer\" aria-label=\"Result\">\n", to);
    put_headline(f, to);
    put_meaning(f, to);
    put_highest(f, to);
    put_advice(f, to);
    put_facts(f, to);
    fputs("</section>\n", to);
}

/* ---- scores ----------------------------------------------------------------------------------------- */

static void put_data_table(const cli_findings *f, FILE *to)
{
    enum { EACH = 4 };
    fputs("<details><summary>Show as a table</summary>\n<table><caption>Rows by score</caption><thead><tr>"
          "<th scope=\"col\">score from</th><th scope=\"col\">to</th><th "
          "scope=\"col\">rows</th></tr></thead><tbody>\n",
          to);
    for (int i = 0; i < CLI_REPORT_BARS; i += EACH) {
        double sum = 0;
        for (int k = 0; k < EACH; k++)
            for (int level = 0; level < CLI_LEVELS; level++) sum += f->bar[level][i + k];
        fputs("<tr><td>", to);
        cli_html_number(to, f->edge[i]);
        fputs("</td><td>", to);
        cli_html_number(to, f->edge[i + EACH]);
        fputs("</td><td>", to);
        cli_html_count(to, (int64_t)sum);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></details>\n", to);
}

static void put_scores(const cli_findings *f, FILE *to)
{
    cli_html_begin(to, "scores", "Scores");
    fputs("<p>Number of rows by score (log scale). Move the threshold with the slider, or click in the "
          "plot: the counts and the list follow.</p>\n"
          "<figure id=\"score-figure\" tabindex=\"0\">\n",
          to);
    cli_plot_scores(&(cli_plot_kind){f, true, to});
    if (f->beyond) {
        fputs("<figcaption>The last bar contains ", to);
        cli_html_count(to, f->beyond);
        fputs(f->beyond == 1 ? " row" : " rows", to);
        fputs(" with higher scores than the axis shows, up to ", to);
        cli_html_number(to, f->about->scores[f->about->order[0]]);
        fputs(".</figcaption>\n", to);
    }
    fprintf(to,
            "</figure>\n<div class=\"control\"><label for=\"slider\">Threshold</label> <input type=\"range\" "
            "id=\"slider\" "
            "min=\"0\" max=\"%d\" step=\"1\"> <button type=\"button\" "
            "id=\"reset\">Reset</button></div>\n"
            "<p id=\"counts\" class=\"counts\" role=\"status\" aria-live=\"polite\"></p>\n",
            CLI_REPORT_STEPS);
    put_data_table(f, to);
    cli_html_end(to);
}

/* ---- the list --------------------------------------------------------------------------------------- */

static void put_list(const cli_findings *f, FILE *to)
{
    cli_html_begin(to, "list", "Rows with the highest scores");
    fputs(f->pictures ? "<p>Beside each picture: where it differs from what was expected there. What is "
                        "brighter is <span class=\"brighter\">orange</span>, what is darker is <span "
                        "class=\"darker\">blue</span>. Select a row to see what was expected.</p>\n"
                      : "<p>Select a row to see all its values, and what is usual.</p>\n",
          to);
    fputs("<div class=\"control\"><label "
          "for=\"search\">Search</label> <input type=\"search\" id=\"search\" autocomplete=\"off\" "
          "spellcheck=\"false\"> <label for=\"which\">Show</label> <select id=\"which\"><option "
          "value=\"outliers\">outliers</option><option value=\"notable\">outliers and unusual rows</option>"
          "<option value=\"all\">all rows on this page</option></select> <button type=\"button\" "
          "id=\"copy\">Copy as table</button></div>\n"
          "<p id=\"listed\" class=\"counts\" role=\"status\" aria-live=\"polite\"></p>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"list-h\"><table "
          "id=\"rows\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"
          "<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
          "data-key=\"row\">row</button></th>",
          to);
    if (cli_report_id_name(f->about)) {
        fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
              "data-key=\"id\">",
              to);
        cli_html_name(to, cli_report_id_name(f->about));
        fputs("</button></th>", to);
    }
    fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"descending\"><button type=\"button\" "
          "data-key=\"score\">score</button></th>"
          "<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
          "data-key=\"p\">probability</button></th><th scope=\"col\" role=\"columnheader\">verdict</th>",
          to);
    if (f->about->labels)
        fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
              "data-key=\"label\">label</button></th>",
              to);
    if (f->pictures) fputs("<th scope=\"col\" role=\"columnheader\">picture</th>", to);
    if (f->reason) fputs("<th scope=\"col\" role=\"columnheader\">reasons</th>", to);
    fputs(
        "</tr></thead><tbody role=\"rowgroup\"></tbody></table></div>\n<button type=\"button\" id=\"more\" "
        "hidden>Show "
        "more</button>\n"
        "<noscript><p>The list needs JavaScript. <code>odim detect --top 20 --explain 3</code> shows it in a "
        "terminal."
        "</p></noscript>\n<dialog id=\"account\" aria-labelledby=\"account-h\"><h3 id=\"account-h\"></h3>"
        "<div id=\"account-body\"></div><button type=\"button\" id=\"close\">Close</button></dialog>\n",
        to);
    cli_html_end(to);
}

/* ---- the page --------------------------------------------------------------------------------------- */

static void put_nav(const cli_findings *f, FILE *to)
{
    fputs("<nav aria-label=\"Contents\"><ul><li><a href=\"#scores\">Scores</a></li><li><a "
          "href=\"#list\">Rows</a></li>",
          to);
    if (f->charts && !f->pictures) fputs("<li><a href=\"#columns\">Columns</a></li>", to);
    if (f->judged) fputs("<li><a href=\"#labels\">Labels</a></li>", to);
    if (odim_model_members(f->about->model)) fputs("<li><a href=\"#learning\">Training</a></li>", to);
    fputs("<li><a href=\"#quality\">Data</a></li><li><a "
          "href=\"#run\">Run</a>"
          "</li></ul></nav>\n",
          to);
}

/* The page loads nothing, and only its own scripts can run, whatever a cell contains. */
static void put_head(const cli_findings *f, FILE *to)
{
    fprintf(
        to,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-%s' "
        "'sha256-%s'; style-src 'sha256-%s' 'sha256-%s'; %sbase-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"odim "
        "%s\">\n<title>",
        cli_common_js_hash, cli_report_js_hash, cli_plot_css_hash, cli_report_css_hash,
        f->pictures ? "img-src data:; " : "", odim_version());
    fputs("Outliers in ", to);
    cli_html_text(to, cli_html_file(f->about->path));
    fputs("</title>\n<style>", to);
    plot_style(to);
    fputs("</style>\n<style>", to);
    fputs(cli_report_css, to);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#list\">Skip to the list</a>\n", to);
}

void cli_report_page(const cli_findings *f, cli_out *out)
{
    FILE *to = out->file;
    put_head(f, to);
    put_nav(f, to);
    fputs("<main>\n", to);
    put_answer(f, to);
    put_scores(f, to);
    put_list(f, to);
    cli_html_columns(f, to);
    cli_html_labels(f, to);
    if (odim_model_members(f->about->model)) cli_html_learning(f, to);
    cli_html_quality(f, to);
    cli_html_run(f, to);
    fputs("</main>\n<footer><p>Written by odim ", to);
    cli_html_text(to, odim_version());
    fputs(". This page is self-contained: it loads nothing from elsewhere.</p></footer>\n<script "
          "type=\"application/json\" "
          "id=\"data\">",
          to);
    cli_report_json(f, out);
    fputs("</script>\n<script>", to);
    fputs(cli_common_js, to);
    fputs("</script>\n<script>", to);
    fputs(cli_report_js, to);
    fputs("</script>\n</body>\n</html>\n", to);
}

bool cli_report_write(const cli_findings *f, cli_out *page, cli_out *drawing, const char *picture)
{
    const char *name = picture ? picture : "scores";
    if (page) {
        cli_report_page(f, page);
        if (!cli_out_commit(page)) return false;
    }
    if (!drawing) return true;
    if (cli_plot_named(&(cli_plot_kind){f, false, drawing->file}, name)) return cli_out_commit(drawing);
    cli_log("there is nothing to draw for --plot-kind %s", name);
    return false;
}
