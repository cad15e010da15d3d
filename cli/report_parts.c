/* The sections of the report behind the list: columns, labels, learning, the data, what was run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "plot_draw.h"

enum { MOST_COLUMNS = 500, MOST_MATRIX = 20 };

/* ---- columns ---------------------------------------------------------------------------------------- */

static void put_charts(const od_findings *f, FILE *to)
{
    fputs("<p class=\"key\"><span class=\"swatch swatch-others\"></span> other rows <span class=\"swatch "
          "swatch-outliers\"></span> ",
          to);
    fputs(f->spot_name, to);
    fputs("; the height is the share of each. The outermost bars hold what lies beyond.</p>\n<div "
          "class=\"cards\">\n",
          to);
    for (int64_t k = 0; k < f->charts; k++) {
        int64_t col = f->ranked[k];
        odim_column_info c;
        odim_model_column(f->about->model, col, &c, NULL);
        if (c.ignored) continue;
        fputs("<article class=\"card\"><h3>", to);
        od_html_name(to, c.name);
        fputs("</h3>", to);
        od_picture_column(&(od_picture){f, true, to}, col);
        fputs("<p>", to);
        fputs(f->column[col].blame ? "first reason of " : "first reason of none of them", to);
        if (f->column[col].blame) {
            od_html_count(to, f->column[col].blame);
            fputs(f->flagged ? " outlier" : " row", to);
            if (f->column[col].blame != 1) fputs("s", to);
        }
        fputs("</p></article>\n", to);
    }
    fputs("</div>\n", to);
}

static void put_pair(const od_findings *f, FILE *to)
{
    if (f->pair[0] < 0) return;
    fputs("<h3>Two columns together</h3>\n<p>", to);
    od_html_name(to, od_html_column(f, f->pair[0]));
    fputs(" and ", to);
    od_html_name(to, od_html_column(f, f->pair[1]));
    fprintf(to,
            ": the pair in which %s stand furthest apart from the other rows, of which some are drawn.</p>\n",
            f->flagged ? "the outliers" : f->spot_name);
    fputs("<figure tabindex=\"0\">", to);
    od_picture_pair(&(od_picture){f, true, to});
    fputs("</figure>\n", to);
}

void od_html_columns(const od_findings *f, FILE *to)
{
    if (!f->charts) return;
    od_html_begin(to, "columns", "Columns");
    fputs(f->flagged ? "<p>Where the outliers lie, in the columns that are most often the reason"
                     : "<p>Where the highest scores lie, though none of them is an outlier, in the columns "
                       "that are most "
                       "often the reason",
          to);
    if (f->listed < f->flagged) {
        fputs(" (of the ", to);
        od_html_count(to, f->listed);
        fputs(" highest scores)", to);
    }
    fputs(".</p>\n", to);
    put_charts(f, to);
    put_pair(f, to);
    od_html_end(to);
}

/* ---- labels ----------------------------------------------------------------------------------------- */

void od_html_labels(const od_findings *f, FILE *to)
{
    if (!f->judged) return;
    od_html_begin(to, "labels", "Against the labels");
    fprintf(to,
            "<p>Area under the ROC curve <strong>%.4f</strong>, average precision <strong>%.4f</strong>; "
            "%lld rows are "
            "labelled outliers.</p>\n<p id=\"precision\" class=\"counts\" role=\"status\" "
            "aria-live=\"polite\"></p>\n"
            "<figure tabindex=\"0\">",
            f->auc, f->ap, (long long)f->outliers);
    od_picture_labels(&(od_picture){f, true, to});
    fputs("</figure>\n", to);
    od_html_end(to);
}

/* ---- learning --------------------------------------------------------------------------------------- */

/* What the members have in the score. */
static const char *part_of_members(const odim_model *model)
{
    char text[128];
    if (strcmp(odim_model_get(model, "trust", text, sizeof text), "off") != 0)
        return "Together they chose the rows that are trusted, and the score is the distance to these: "
               "members may "
               "differ, "
               "as long as they agree on the rows that are far from odd.";
    if (strcmp(odim_model_get(model, "beside", text, sizeof text), "none") != 0)
        return "The score is the mean of all members, and what the detectors beside them find.";
    return "The score is the mean of all members, which is steadier than any of them.";
}

/* Rank correlations, deeper colours for higher ones. */
static void put_agreement(const od_findings *f, FILE *to)
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
            "<h3>Do the members agree?</h3>\n<p>Each member ranks the rows by its own score. The correlation "
            "of two such "
            "rankings is %.2f in the mean and %.2f at least; 1 is full agreement. %s</p>\n",
            sum, least, part_of_members(f->about->model));
    if (members > MOST_MATRIX) return;
    fputs(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Agreement of the members\"><table "
        "class=\"heat\"><caption>Rank correlation of the members' scores</caption><thead><tr><td></td>",
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

static void put_members(const od_findings *f, FILE *to)
{
    const odim_model *m = f->about->model;
    fputs(
        "<details><summary>The members one by one</summary>\n<table><caption>Members</caption><thead><tr><th "
        "scope=\"col\">member</th><th scope=\"col\">stopped after update</th><th scope=\"col\">kept "
        "update</th><th "
        "scope=\"col\">distance there</th></tr></thead><tbody>\n",
        to);
    for (int b = 0; b < odim_model_members(m) && b < MOST_COLUMNS; b++) {
        odim_member_info info;
        if (odim_model_member(m, b, &info, NULL)) break;
        fprintf(to, "<tr><th scope=\"row\">%d</th><td>%lld</td><td>%lld</td><td>%.4f</td></tr>\n", b + 1,
                (long long)info.updates, (long long)info.best_update, info.distance);
    }
    fputs("</tbody></table></details>\n", to);
}

void od_html_learning(const od_findings *f, FILE *to)
{
    od_html_begin(to, "learning", "How the model learned");
    fputs("<p>A model learns what is frequent first. While it does, the losses of ordinary rows fall and "
          "those of "
          "outliers stay high: two humps, whose distance is measured again and again. Each member keeps the "
          "state in "
          "which they were furthest apart, and stops some time after it.</p>\n",
          to);
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);
    bool drawn = memory && od_picture_distance(&(od_picture){f, true, memory});
    if (memory) fclose(memory);
    if (drawn) {
        fputs("<figure tabindex=\"0\">", to);
        fwrite(bytes, 1, size, to);
        fputs("</figure>\n", to);
    } else {
        fputs("<p>The model does not say how the distance went.</p>\n", to);
    }
    free(bytes);
    put_members(f, to);
    if (f->trace) {
        fputs("<h3>Inliers are learnt first</h3>\n<p>Losses of some of the rows in the first member, trained "
              "on past its "
              "stop.</p>\n<figure tabindex=\"0\">",
              to);
        od_trace_histograms(&f->learning, to);
        fputs("</figure>\n", to);
    }
    put_agreement(f, to);
    od_html_end(to);
}

/* ---- the data --------------------------------------------------------------------------------------- */

static void put_range(const od_report *r, int64_t col, const odim_column_info *c, FILE *to)
{
    char low[64], high[64];
    if (c->type == ODIM_CATEGORICAL) {
        fprintf(to, "%lld level%s", (long long)c->levels, c->levels == 1 ? "" : "s");
    } else if (isnan(c->low)) {
        fputs("-", to);
    } else {
        od_html_text(to, odim_model_text(r->model, col, c->low, low, sizeof low));
        fputs(" to ", to);
        od_html_text(to, odim_model_text(r->model, col, c->high, high, sizeof high));
    }
}

static void put_column_row(const od_findings *f, int64_t col, FILE *to)
{
    const od_report *r = f->about;
    odim_column_info c;
    if (odim_model_column(r->model, col, &c, NULL)) return;
    fputs("<tr><th scope=\"row\">", to);
    od_html_name(to, c.name);
    fprintf(to, "</th><td>%s</td><td>", odim_type_text(c.type));
    if (c.missing) {
        od_html_count(to, c.missing);
        fputs(" (", to);
        od_html_percent(to, (double)c.missing / (double)odim_model_rows(r->model));
        fputs(")", to);
    } else {
        fputs("none", to);
    }
    fputs("</td><td>", to);
    put_range(r, col, &c, to);
    fputs("</td><td>", to);
    if (f->reason) od_html_count(to, f->column[col].blame);
    fputs("</td><td>", to);
    if (c.ignored) {
        fputs("not used: ", to);
        od_html_text(to, c.ignored);
    }
    fputs("</td></tr>\n", to);
}

void od_html_quality(const od_findings *f, FILE *to)
{
    const od_report *r = f->about;
    int64_t cols = odim_model_cols(r->model), shown = cols < MOST_COLUMNS ? cols : MOST_COLUMNS, gaps = 0,
            constant = 0;
    for (int64_t j = 0; j < cols; j++) {
        odim_column_info c;
        if (odim_model_column(r->model, j, &c, NULL)) continue;
        gaps += c.missing > 0;
        constant += c.ignored != NULL;
    }
    od_html_begin(to, "quality", "The data");
    fputs("<ul class=\"plain\">\n<li>", to);
    od_html_count(to, cols);
    fputs(cols == 1 ? " column; " : " columns; ", to);
    if (gaps) {
        od_html_count(to, gaps);
        fputs(" with gaps, ", to);
    } else {
        fputs("no gaps, ", to);
    }
    od_html_count(to, constant);
    fputs(" not used</li>\n", to);
    if (f->duplicates >= 0) {
        fputs("<li>", to);
        od_html_count(to, f->duplicates);
        fputs(f->duplicates == 1 ? " row is a copy of an earlier one</li>\n"
                                 : " rows are copies of an earlier one</li>\n",
              to);
    }
    for (int i = 0; i < r->note_count; i++) {
        fputs("<li>note: <bdi>", to);
        od_html_text(to, r->notes[i]);
        fputs("</bdi></li>\n", to);
    }
    fputs("</ul>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Columns of the "
          "data\"><table><caption>"
          "Columns, as the model was fitted on them</caption><thead><tr><th scope=\"col\">column</th><th "
          "scope=\"col\">type"
          "</th><th scope=\"col\">gaps</th><th scope=\"col\">range</th><th scope=\"col\">first reason "
          "of</th><th "
          "scope=\"col\">remark</th></tr></thead><tbody>\n",
          to);
    for (int64_t j = 0; j < shown; j++) put_column_row(f, j, to);
    fputs("</tbody></table></div>\n", to);
    if (shown < cols) {
        fputs("<p>And ", to);
        od_html_count(to, cols - shown);
        fputs(" columns more.</p>\n", to);
    }
    od_html_end(to);
}

/* ---- what was run ----------------------------------------------------------------------------------- */

static void put_fact(FILE *to, const char *name, const char *value)
{
    fprintf(to, "<tr><th scope=\"row\">%s</th><td>", name);
    od_html_text(to, value);
    fputs("</td></tr>\n", to);
}

void od_html_run(const od_findings *f, FILE *to)
{
    const od_report *r = f->about;
    char text[300], fingerprint[17];
    od_html_begin(to, "run", "What was run");
    if (r->command) {
        fputs("<pre class=\"command\" tabindex=\"0\">", to);
        od_html_text(to, r->command);
        fputs("</pre>\n", to);
    }
    if (od_report_is_private(r))
        fputs("<p>The model was trained with differential privacy. That covers the model, and not this page, "
              "which shows "
              "rows and their scores.</p>\n",
              to);
    odim_model_fingerprint(r->model, fingerprint);
    fputs("<table><caption>The run</caption><tbody>\n", to);
    put_fact(to, "odim", odim_version());
    put_fact(to, "model", fingerprint);
    snprintf(text, sizeof text, "%lld rows", (long long)odim_model_rows(r->model));
    put_fact(to, "fitted on", text);
    if (r->work_seconds > 0) {
        snprintf(text, sizeof text, "reading %.2f s, fitting and scoring %.2f s, this report %.2f s",
                 r->read_seconds, r->work_seconds, f->seconds);
        put_fact(to, "time", text);
    }
    fputs("</tbody></table>\n<details><summary>All parameters</summary>\n<table><caption>Parameters; those "
          "in bold are "
          "not the defaults</caption><thead><tr><th scope=\"col\">parameter</th><th "
          "scope=\"col\">value</th><th "
          "scope=\"col\">meaning</th></tr></thead><tbody>\n",
          to);
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *info = odim_param_at(i);
        if (strcmp(info->name, "threads") == 0 || !odim_model_get(r->model, info->name, text, sizeof text))
            continue;
        bool own = strcmp(text, info->def) != 0;
        fprintf(to, "<tr><th scope=\"row\">%s</th><td>%s", info->name, own ? "<b>" : "");
        od_html_text(to, text);
        fputs(own ? "</b></td><td>" : "</td><td>", to);
        od_html_text(to, info->help);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></details>\n", to);
    od_html_end(to);
}
