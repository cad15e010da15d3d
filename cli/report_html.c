/* The page around the pictures, section by section. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot_draw.h"
#include "report.h"
#include "say.h"
#include "sha256.h"

/* Of report/, by the build. */
extern const char od_report_css[], od_report_js[];

enum { NAME = 61, MOST_COLUMNS = 500, MOST_MATRIX = 20 };

/* ---- small things ----------------------------------------------------------------------------------- */

static void put_count(FILE *f, int64_t n)
{
    char buf[32];
    fputs(plot_number(buf, sizeof buf, (double)n), f);
}

static void put_number(FILE *f, double v)
{
    char buf[32];
    snprintf(buf, sizeof buf, "%.5g", v);
    fputs(buf, f);
}

/* Two digits, and all of those before the point. */
static void put_percent(FILE *f, double share)
{
    fprintf(f, 100 * share < 9.95 ? "%.2g&#8239;%%" : "%.0f&#8239;%%", 100 * share);
}

/* A name of any length. */
static void put_name(FILE *f, const char *name)
{
    char buf[NAME];
    if (strlen(name) < NAME) {
        plot_text(f, *name ? name : "(no name)");
        return;
    }
    size_t len = NAME - 4;
    while (len > 0 && ((unsigned char)name[len] & 0xC0) == 0x80) len--;
    snprintf(buf, sizeof buf, "%.*s", (int)len, name);
    plot_text(f, buf);
    fputs("&#8230;", f);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash && slash[1] ? slash + 1 : path;
}

static void begin(FILE *f, const char *id, const char *heading)
{
    fprintf(f, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">%s</h2>\n", id, id, id,
            heading);
}

static void end(FILE *f)
{
    fputs("</section>\n", f);
}

static const char *name_of(const od_findings *f, int64_t col)
{
    odim_column_info c;
    return odim_model_column(f->about->model, col, &c, NULL) ? "" : c.name;
}

/* ---- the answer ------------------------------------------------------------------------------------- */

static void put_headline(const od_findings *f, FILE *to)
{
    const od_report *r = f->about;
    fputs("<h1>", to);
    if (f->flagged) {
        fputs("<span id=\"headline-count\">", to);
        put_count(to, f->flagged);
        fprintf(to, "</span> outlier%s among ", f->flagged == 1 ? "" : "s");
    } else {
        fputs("<span id=\"headline-count\">No</span> outliers among ", to);
    }
    put_count(to, r->rows);
    fputs(" rows</h1>\n<p class=\"source\">in <strong>", to);
    plot_text(to, base_name(r->path));
    fputs("</strong></p>\n", to);
}

/* How sure: what the probabilities add up to. */
static void put_sureness(const od_findings *f, FILE *to)
{
    fputs("<p>", to);
    if (f->flagged) {
        fputs("A row is called an outlier when its score is above ", to);
        put_number(to, f->about->threshold);
        fputs(". By the two groups that were fitted to the scores, about <strong>", to);
        fprintf(to, "%.0f of these %lld</strong> belong to the group that stands apart", f->sure,
                (long long)f->flagged);
        if (f->missed >= 0.5) fprintf(to, "; about %.0f more may be hidden among the rows below", f->missed);
        fputs(".</p>\n", to);
    } else {
        fputs("No score stands apart from the rest: none is above ", to);
        put_number(to, f->about->threshold);
        fputs(". The rows with the highest scores are listed all the same.</p>\n", to);
    }
}

static void put_advice(const od_findings *f, FILE *to)
{
    int shown = 0;
    for (int64_t k = 0; f->reason && k < f->charts && shown < 3; k++) {
        const od_report_column *c = &f->column[f->ranked[k]];
        if (!c->blame) break;
        fputs(shown        ? ", "
              : f->flagged ? "<p>What makes them outliers most often: "
                           : "<p>What makes the highest scores high most often: ",
              to);
        fputs("<a href=\"#columns\"><b>", to);
        put_name(to, name_of(f, f->ranked[k]));
        fprintf(to, "</b></a> (%lld row%s)", (long long)c->blame, c->blame == 1 ? "" : "s");
        shown++;
    }
    if (shown && f->flagged)
        fputs(". Look at these columns first, and at the rows at the head of the list", to);
    if (shown) fputs(".</p>\n", to);
}

static void put_answer(const od_findings *f, FILE *to)
{
    const od_report *r = f->about;
    fputs("<section id=\"answer\" aria-label=\"The answer\">\n", to);
    put_headline(f, to);
    put_sureness(f, to);
    put_advice(f, to);
    fputs("<dl class=\"facts\">\n<div><dt>outliers</dt><dd><span id=\"fact-share\">", to);
    put_percent(to, (double)f->flagged / (double)r->rows);
    fputs("</span></dd></div>\n<div><dt>highest score</dt><dd>", to);
    put_number(to, r->scores[r->order[0]]);
    fputs("</dd></div>\n<div><dt>columns used</dt><dd>", to);
    int64_t used = 0;
    for (int64_t j = 0; j < odim_model_cols(r->model); j++) {
        odim_column_info c;
        used += !odim_model_column(r->model, j, &c, NULL) && !c.ignored;
    }
    put_count(to, used);
    if (f->judged) {
        fputs("</dd></div>\n<div><dt>AUC, by the labels</dt><dd>", to);
        fprintf(to, "%.4f", f->auc);
    }
    fputs("</dd></div>\n</dl>\n</section>\n", to);
}

/* ---- scores ----------------------------------------------------------------------------------------- */

static void put_data_table(const od_findings *f, FILE *to)
{
    enum { EACH = 4 };
    fputs(
        "<details><summary>The same as a table</summary>\n<table><caption>Rows by score</caption><thead><tr>"
        "<th scope=\"col\">score from</th><th scope=\"col\">to</th><th "
        "scope=\"col\">rows</th></tr></thead><tbody>\n",
        to);
    for (int i = 0; i < OD_REPORT_BARS; i += EACH) {
        double sum = 0;
        for (int k = 0; k < EACH; k++) sum += f->bar[i + k];
        fputs("<tr><td>", to);
        put_number(to, f->edge[i]);
        fputs("</td><td>", to);
        put_number(to, f->edge[i + EACH]);
        fputs("</td><td>", to);
        put_count(to, (int64_t)sum);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></details>\n", to);
}

static void put_scores(const od_findings *f, FILE *to)
{
    begin(to, "scores", "Scores");
    fputs(
        "<p>How many rows have which score; the scale of the rows is logarithmic, so that few show beside "
        "many. Move "
        "the threshold with the slider, or by a click into the picture: the counts and the list follow.</p>\n"
        "<figure id=\"score-figure\" tabindex=\"0\">\n",
        to);
    od_picture_scores(&(od_picture){f, true, to});
    if (f->beyond) {
        fputs("<figcaption>The last bar holds ", to);
        put_count(to, f->beyond);
        fputs(f->beyond == 1 ? " row" : " rows", to);
        fputs(" beyond it, up to ", to);
        put_number(to, f->about->scores[f->about->order[0]]);
        fputs(".</figcaption>\n", to);
    }
    fprintf(to,
            "</figure>\n<div class=\"control\"><label for=\"slider\">Threshold</label> <input type=\"range\" "
            "id=\"slider\" "
            "min=\"0\" max=\"%d\" step=\"1\"> <button type=\"button\" id=\"reset\">back to the "
            "model's</button></div>\n"
            "<p id=\"counts\" class=\"counts\" role=\"status\" aria-live=\"polite\"></p>\n",
            OD_REPORT_STEPS);
    put_data_table(f, to);
    end(to);
}

/* ---- the list --------------------------------------------------------------------------------------- */

static void put_list(const od_findings *f, FILE *to)
{
    begin(to, "list", "The most outlying rows");
    fputs("<div class=\"control\"><label for=\"search\">Search</label> <input type=\"search\" id=\"search\" "
          "autocomplete=\"off\" spellcheck=\"false\"> <label><input type=\"checkbox\" id=\"only\" checked> "
          "only rows above "
          "the threshold</label> <button type=\"button\" id=\"copy\">Copy as table</button></div>\n"
          "<p id=\"listed\" class=\"counts\" role=\"status\" aria-live=\"polite\"></p>\n"
          "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"list-h\"><table "
          "id=\"rows\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"
          "<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
          "data-key=\"row\">row</button></th>",
          to);
    if (f->about->table && odim_table_id_name(f->about->table)) {
        fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
              "data-key=\"id\">",
              to);
        put_name(to, odim_table_id_name(f->about->table));
        fputs("</button></th>", to);
    }
    fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"descending\"><button type=\"button\" "
          "data-key=\"score\">score</button></th>"
          "<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
          "data-key=\"p\">probability</button></th>",
          to);
    if (f->about->labels)
        fputs("<th scope=\"col\" role=\"columnheader\" aria-sort=\"none\"><button type=\"button\" "
              "data-key=\"label\">label</button></th>",
              to);
    if (f->reason)
        fputs("<th scope=\"col\" role=\"columnheader\">reasons: the value, and what was expected</th>", to);
    fputs("</tr></thead><tbody role=\"rowgroup\"></tbody></table></div>\n<button type=\"button\" id=\"more\" "
          "hidden>Show "
          "more</button>\n"
          "<noscript><p>The list needs scripts. <code>odim detect --top 20 --explain 3</code> shows it in a "
          "terminal."
          "</p></noscript>\n<dialog id=\"account\" aria-labelledby=\"account-h\"><h3 id=\"account-h\"></h3>"
          "<div id=\"account-body\"></div><button type=\"button\" id=\"close\">Close</button></dialog>\n",
          to);
    end(to);
}

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
        put_name(to, c.name);
        fputs("</h3>", to);
        od_picture_column(&(od_picture){f, true, to}, col);
        fputs("<p>", to);
        fputs(f->column[col].blame ? "first reason of " : "first reason of none of them", to);
        if (f->column[col].blame) {
            put_count(to, f->column[col].blame);
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
    put_name(to, name_of(f, f->pair[0]));
    fputs(" and ", to);
    put_name(to, name_of(f, f->pair[1]));
    fprintf(to,
            ": the pair in which %s stand furthest apart from the other rows, of which some are drawn.</p>\n",
            f->flagged ? "the outliers" : f->spot_name);
    fputs("<figure tabindex=\"0\">", to);
    od_picture_pair(&(od_picture){f, true, to});
    fputs("</figure>\n", to);
}

static void put_columns(const od_findings *f, FILE *to)
{
    if (!f->charts) return;
    begin(to, "columns", "Columns");
    fputs(f->flagged ? "<p>Where the outliers lie, in the columns that are most often the reason"
                     : "<p>Where the highest scores lie, though none of them is an outlier, in the columns "
                       "that are most "
                       "often the reason",
          to);
    if (f->listed < f->flagged) {
        fputs(" (of the ", to);
        put_count(to, f->listed);
        fputs(" highest scores)", to);
    }
    fputs(".</p>\n", to);
    put_charts(f, to);
    put_pair(f, to);
    end(to);
}

/* ---- labels ----------------------------------------------------------------------------------------- */

static void put_labels(const od_findings *f, FILE *to)
{
    if (!f->judged) return;
    begin(to, "labels", "Against the labels");
    fprintf(to,
            "<p>Area under the ROC curve <strong>%.4f</strong>, average precision <strong>%.4f</strong>; "
            "%lld rows are "
            "labelled outliers.</p>\n<p id=\"precision\" class=\"counts\" role=\"status\" "
            "aria-live=\"polite\"></p>\n"
            "<figure tabindex=\"0\">",
            f->auc, f->ap, (long long)f->outliers);
    od_picture_labels(&(od_picture){f, true, to});
    fputs("</figure>\n", to);
    end(to);
}

/* ---- learning --------------------------------------------------------------------------------------- */

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
            "rankings is %.2f in the mean and %.2f at least; 1 is full agreement. The score is the mean of "
            "all members, "
            "which is steadier than any of them.</p>\n",
            sum, least);
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

static void put_learning(const od_findings *f, FILE *to)
{
    begin(to, "learning", "How the model learned");
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
    end(to);
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
        plot_text(to, odim_model_text(r->model, col, c->low, low, sizeof low));
        fputs(" to ", to);
        plot_text(to, odim_model_text(r->model, col, c->high, high, sizeof high));
    }
}

static void put_column_row(const od_findings *f, int64_t col, FILE *to)
{
    const od_report *r = f->about;
    odim_column_info c;
    if (odim_model_column(r->model, col, &c, NULL)) return;
    fputs("<tr><th scope=\"row\">", to);
    put_name(to, c.name);
    fprintf(to, "</th><td>%s</td><td>", odim_type_text(c.type));
    if (c.missing) {
        put_count(to, c.missing);
        fputs(" (", to);
        put_percent(to, (double)c.missing / (double)odim_model_rows(r->model));
        fputs(")", to);
    } else {
        fputs("none", to);
    }
    fputs("</td><td>", to);
    put_range(r, col, &c, to);
    fputs("</td><td>", to);
    if (f->reason) put_count(to, f->column[col].blame);
    fputs("</td><td>", to);
    if (c.ignored) {
        fputs("not used: ", to);
        plot_text(to, c.ignored);
    }
    fputs("</td></tr>\n", to);
}

static void put_quality(const od_findings *f, FILE *to)
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
    begin(to, "quality", "The data");
    fputs("<ul class=\"plain\">\n<li>", to);
    put_count(to, cols);
    fputs(cols == 1 ? " column; " : " columns; ", to);
    if (gaps) {
        put_count(to, gaps);
        fputs(" with gaps, ", to);
    } else {
        fputs("no gaps, ", to);
    }
    put_count(to, constant);
    fputs(" not used</li>\n", to);
    if (f->duplicates >= 0) {
        fputs("<li>", to);
        put_count(to, f->duplicates);
        fputs(f->duplicates == 1 ? " row is a copy of an earlier one</li>\n"
                                 : " rows are copies of an earlier one</li>\n",
              to);
    }
    for (int i = 0; i < r->note_count; i++) {
        fputs("<li>note: ", to);
        plot_text(to, r->notes[i]);
        fputs("</li>\n", to);
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
        put_count(to, cols - shown);
        fputs(" columns more.</p>\n", to);
    }
    end(to);
}

/* ---- what was run ----------------------------------------------------------------------------------- */

static void put_fact(FILE *to, const char *name, const char *value)
{
    fprintf(to, "<tr><th scope=\"row\">%s</th><td>", name);
    plot_text(to, value);
    fputs("</td></tr>\n", to);
}

static void put_run(const od_findings *f, FILE *to)
{
    const od_report *r = f->about;
    char text[300], fingerprint[17];
    begin(to, "run", "What was run");
    if (r->command) {
        fputs("<pre class=\"command\" tabindex=\"0\">", to);
        plot_text(to, r->command);
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
        plot_text(to, text);
        fputs(own ? "</b></td><td>" : "</td><td>", to);
        plot_text(to, info->help);
        fputs("</td></tr>\n", to);
    }
    fputs("</tbody></table></details>\n", to);
    end(to);
}

/* ---- the page --------------------------------------------------------------------------------------- */

static void put_nav(const od_findings *f, FILE *to)
{
    fputs("<nav aria-label=\"Contents\"><ul><li><a href=\"#scores\">Scores</a></li><li><a "
          "href=\"#list\">Rows</a></li>",
          to);
    if (f->charts) fputs("<li><a href=\"#columns\">Columns</a></li>", to);
    if (f->judged) fputs("<li><a href=\"#labels\">Labels</a></li>", to);
    fputs("<li><a href=\"#learning\">Learning</a></li><li><a href=\"#quality\">Data</a></li><li><a "
          "href=\"#run\">Run</a>"
          "</li></ul></nav>\n",
          to);
}

/* The style sheet of the page and that of the pictures, as one; NULL: out of memory. */
static char *make_style(void)
{
    char *style = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&style, &size);
    if (!f) return NULL;
    plot_style(f);
    fputs("\n", f);
    fputs(od_report_css, f);
    if (fclose(f) == 0) return style;
    free(style);
    return NULL;
}

/* Nothing is fetched, and nothing runs but the one script: whatever a cell holds. */
static void put_head(const od_findings *f, const char *style, FILE *to)
{
    char script_hash[OD_SHA256_TEXT], style_hash[OD_SHA256_TEXT];
    od_sha256_base64(od_report_js, strlen(od_report_js), script_hash);
    od_sha256_base64(style, strlen(style), style_hash);
    fprintf(
        to,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-%s'; "
        "style-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"odim "
        "%s\">\n<title>",
        script_hash, style_hash, odim_version());
    fputs("Outliers in ", to);
    plot_text(to, base_name(f->about->path));
    fputs("</title>\n<style>", to);
    fputs(style, to);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#list\">Skip to the list</a>\n", to);
}

void od_report_page(const od_findings *f, od_out *out)
{
    FILE *to = out->file;
    char *style = make_style();
    if (!style) {
        out->error = ENOMEM;
        return;
    }
    put_head(f, style, to);
    free(style);
    put_nav(f, to);
    fputs("<main>\n", to);
    put_answer(f, to);
    put_scores(f, to);
    put_list(f, to);
    put_columns(f, to);
    put_labels(f, to);
    put_learning(f, to);
    put_quality(f, to);
    put_run(f, to);
    fputs("</main>\n<footer><p>Written by odim ", to);
    plot_text(to, odim_version());
    fputs(". This page is complete: it fetches nothing.</p></footer>\n<script type=\"application/json\" "
          "id=\"data\">",
          to);
    od_report_json(f, out);
    fputs("</script>\n<script>", to);
    fputs(od_report_js, to);
    fputs("</script>\n</body>\n</html>\n", to);
}

bool od_report_write(const od_findings *f, od_out *page, od_out *drawing, const char *picture)
{
    const char *name = picture ? picture : "scores";
    if (page) {
        od_report_page(f, page);
        if (!od_out_commit(page)) return false;
    }
    if (!drawing) return true;
    if (od_picture_named(&(od_picture){f, false, drawing->file}, name)) return od_out_commit(drawing);
    od_say("there is nothing to draw for --picture %s", name);
    return false;
}
