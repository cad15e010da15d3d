/* Completes a schema after it was made or loaded, and describes its columns in words. */
#include "prep/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "base/hint.h"

#define NOTED_COLUMNS 5

/* Levels in fewer rows than this are not kept; in small tables levels in two rows may be frequent. */
#define LEAST_ROWS       5
#define LEAST_ROWS_SMALL 2
/* One in so many rows is usual. */
#define USUAL_SHARE 20
/* The feature "another level" for a level that is not kept: like a rare one, or twice as much. */
#define UNLISTED_RARE 1.0
#define UNLISTED_NEW  2.0

/* Not just the odd one out: more than one row, and one in twenty. */
static bool is_usual(int64_t count, int64_t rows)
{
    return count >= 2 && count >= rows / USUAL_SHARE + (rows % USUAL_SHARE != 0);
}

int64_t od_schema_least(int64_t asked, int64_t rows)
{
    if (asked) return asked;
    int64_t frequent = rows / OD_SCHEMA_LEVEL_SHARE + (rows % OD_SCHEMA_LEVEL_SHARE != 0);
    return frequent < LEAST_ROWS_SMALL ? LEAST_ROWS_SMALL : frequent < LEAST_ROWS ? frequent : LEAST_ROWS;
}

bool od_schema_counted(const od_schema *s)
{
    bool any = false;
    for (int64_t j = 0; j < s->cols; j++) any |= s->col[j].type == ODIM_CATEGORICAL && !s->col[j].ignored;
    return any && !s->clamped;
}

/*
 * A level that is not kept cannot be told from one that was never seen, so both are worth the same. How much
 * depends on how likely one is to come, and the training rows that had one tell. Where they are few, as
 * typing mistakes are, such a level is worth twice a rare one. Where they are usual, as names or numbers of
 * customers are, it is worth no more than a rare one, unless it is far less likely: a level without a feature
 * of its own, which a share p of the rows has, is worth the root of -log p (see schema_fit.c), so that for a
 * share of p^2 or less twice as much is nearer to the truth than once.
 */
void od_schema_drop(od_schema *s, int64_t least)
{
    s->least = least;
    for (int64_t j = 0; j < s->cols; j++) {
        od_schema_col *c = &s->col[j];
        if (c->type != ODIM_CATEGORICAL || c->ignored) continue;
        int64_t dropped = least > 1 ? s->rows - c->missing : 0, rare = dropped;
        for (int64_t i = 0; dropped > 0 && i < od_levels_count(&c->levels); i++) {
            dropped -= c->level_count[i];
            if (c->level_feature[i] >= 0) rare -= c->level_count[i];
        }
        c->dropped = dropped > 0 ? dropped : 0;
        bool few = (double)c->dropped * (double)s->rows <= (double)rare * (double)rare;
        c->unlisted = few || !is_usual(c->dropped, s->rows) ? UNLISTED_NEW : UNLISTED_RARE;
    }
}

static int64_t count_features(const od_schema_col *c)
{
    int64_t n = 1;
    if (c->ignored || c->checked) return 0;
    if (c->type == ODIM_CATEGORICAL) n = c->own_levels + 1;
    for (unsigned cycle = OD_CYCLE_DAY; c->type == ODIM_TIME && cycle <= OD_CYCLE_YEAR; cycle *= 2)
        n += c->cycles & cycle ? 2 : 0;
    return n + c->indicator;
}

odim_status od_schema_finish(od_schema *s, odim_error *err)
{
    s->features = 0;
    s->plain = true;
    for (int64_t j = 0; j < s->cols; j++) {
        od_schema_col *c = &s->col[j];
        c->first = s->features;
        c->features = count_features(c);
        s->features += c->features;
        s->plain &= c->features == 1 && c->type == ODIM_NUMERIC;
        if (s->features > OD_MAX_COLS)
            return od_fail(err, ODIM_ERR_DATA,
                           "the columns make more than %d features; choose some of them%s", OD_MAX_COLS,
                           OD_HINT("only|ignore"));
    }
    if (s->features == 0)
        return od_fail(err, ODIM_ERR_DATA, "no usable columns: all are constant or ignored");
    s->owner = od_alloc((size_t)s->features, sizeof *s->owner);
    if (!s->owner) return od_fail_nomem(err);
    for (int64_t j = 0; j < s->cols; j++)
        for (int64_t f = 0; f < s->col[j].features; f++) s->owner[s->col[j].first + f] = j;
    return ODIM_OK;
}

odim_status od_schema_clip(od_schema *s, odim_error *err)
{
    if (!s->checks.cols) return ODIM_OK;
    s->clip_low = od_alloc((size_t)s->features, 2 * sizeof *s->clip_low);
    if (!s->clip_low) return od_fail_nomem(err);
    s->clip_high = s->clip_low + s->features;
    for (int64_t f = 0; f < s->features; f++) {
        const od_schema_col *c = &s->col[s->owner[f]];
        const od_limits *l = &s->checks.col[s->owner[f]].limits;
        bool linear = f == c->first && (c->type == ODIM_NUMERIC || c->type == ODIM_TIME);
        s->clip_low[f] = linear ? l->low : -INFINITY;
        s->clip_high[f] = linear ? l->high : INFINITY;
    }
    return ODIM_OK;
}

void od_schema_free(od_schema *s)
{
    for (int64_t j = 0; s->col && j < s->cols; j++) {
        od_free(s->col[j].name);
        od_levels_free(&s->col[j].levels);
        od_free(s->col[j].level_count);
        od_free(s->col[j].level_feature);
    }
    od_free(s->col);
    od_free(s->shift);
    od_free(s->width);
    od_free(s->owner);
    od_free(s->clip_low);
    od_checks_free(&s->checks);
    od_file_columns_free(&s->file);
    od_text_profiles_free(&s->texts);
    *s = (od_schema){0};
}

int64_t od_schema_sources(const od_schema *s)
{
    int64_t n = 0;
    for (int64_t j = 0; j < s->cols; j++) n += !od_schema_is_further(&s->col[j]);
    return n;
}

/* ---- words ---------------------------------------------------------------------------------------- */

void od_schema_usual(const od_schema *s, int64_t col, double *low, double *high)
{
    *low = s->col[col].usual_low;
    *high = s->col[col].usual_high;
    if (!s->checks.cols) return;
    const od_limits *l = &s->checks.col[col].limits;
    double least = isfinite(l->low) ? fmax(*low, l->least) : *low;
    double most = isfinite(l->high) ? fmin(*high, l->most) : *high;
    if (!(least <= most)) return;
    *low = least;
    *high = most;
}

const char *od_schema_show(const od_schema_col *col, char *buf, size_t size)
{
    return od_printable(buf, size, col->name, strlen(col->name));
}

odim_status od_schema_fail_missing(const od_schema *s, const char *who, const bool *found, odim_error *err)
{
    char list[200] = "", more[40] = "", name[48];
    size_t used = 0;
    int64_t missing = 0, shown = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        if (found[j]) continue;
        missing++;
        const od_schema_col *c = &s->col[j];
        od_printable(name, sizeof name, c->name, od_text_source(c->name, (od_text_feature)c->format.feature));
        if (used + strlen(name) + 5 > sizeof list) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", shown++ ? ", " : "", name);
    }
    if (shown < missing) snprintf(more, sizeof more, " and %lld more", (long long)(missing - shown));
    return od_fail(err, ODIM_ERR_DATA, "%s column%s %s%s, which %s not there", who, missing > 1 ? "s" : "",
                   list, more, missing > 1 ? "are" : "is");
}

const char *od_schema_why(od_ignored ignored)
{
    static const char *const why[] = {
        [OD_USED] = NULL,
        [OD_IGNORED_CONSTANT] = "is constant",
        [OD_IGNORED_EMPTY] = "is empty",
        [OD_IGNORED_TEXT] = "has a different value in almost every row (looks like an ID)",
        [OD_IGNORED_RARE] = "has no frequent level",
    };
    return why[ignored];
}

void od_schema_note(const od_schema *s, const odim_hooks *hooks)
{
    int64_t noted = 0;
    char text[400], name[64];
    if (!hooks || !hooks->note) return;
    for (int64_t j = 0; j < s->cols; j++) {
        const od_schema_col *c = &s->col[j];
        /* Reading has said what became of a text. */
        if (!c->ignored || c->format.feature || noted++ >= NOTED_COLUMNS) continue;
        snprintf(text, sizeof text, "column '%s' %s: ignored", od_schema_show(c, name, sizeof name),
                 od_schema_why(c->ignored));
        hooks->note(text, hooks->user);
    }
    if (noted <= NOTED_COLUMNS) return;
    snprintf(text, sizeof text, "%lld more columns are constant or not usable: ignored",
             (long long)(noted - NOTED_COLUMNS));
    hooks->note(text, hooks->user);
}
