/* What a fit that has learned changes: which rows became outliers, which no longer are, which ranks moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "result.h"

/* Keeps the `most` moves with the largest weights, the largest first. */
typedef struct top {
    serve_move *move;
    double weight[SERVE_MOVES];
    int64_t count;
    int most;
} top;

static void offer(top *t, const serve_move *move, double weight)
{
    int64_t at = t->count < t->most ? t->count : t->most;
    while (at > 0 && t->weight[at - 1] < weight) at--;
    if (at == t->most) return;
    if (t->count < t->most) t->count++;
    for (int64_t i = t->count - 1; i > at; i--) {
        t->move[i] = t->move[i - 1];
        t->weight[i] = t->weight[i - 1];
    }
    t->move[at] = *move;
    t->weight[at] = weight;
}

serve_moved *serve_moved_make(const serve_result *before, const serve_result *after, const char *parent)
{
    serve_moved *m = od_calloc(1, sizeof *m);
    if (!m) return NULL;
    top now = {.move = m->now, .most = SERVE_MOVES}, no_longer = {.move = m->no_longer, .most = SERVE_MOVES},
        up = {.move = m->up, .most = SERVE_RANKS}, down = {.move = m->down, .most = SERVE_RANKS};
    double square = 0, n = (double)after->rows;
    snprintf(m->parent, sizeof m->parent, "%s", parent);
    for (int64_t i = 0; i < after->rows; i++) {
        const serve_move move = {i, before->scores[i], after->scores[i], before->rank[i], after->rank[i]};
        bool was = serve_result_level(before, i, before->threshold) == CLI_OUTLIER,
             is = serve_result_level(after, i, after->threshold) == CLI_OUTLIER;
        double rise = (double)(move.rank_before - move.rank_after);
        m->outliers_before += was;
        m->outliers_after += is;
        m->now_count += is && !was;
        m->no_longer_count += was && !is;
        square += rise * rise;
        if (is && !was) offer(&now, &move, move.after - move.before);
        if (was && !is) offer(&no_longer, &move, move.before - move.after);
        if (serve_result_mark(after, i)) continue;
        /* A step near the head matters more than one in the middle. */
        double weight = log((double)move.rank_before) - log((double)move.rank_after);
        if (weight > 0) offer(&up, &move, weight);
        if (weight < 0) offer(&down, &move, -weight);
    }
    m->up_count = up.count;
    m->down_count = down.count;
    /* Spearman's, of ranks without ties. */
    m->correlation = n > 1 ? 1 - 6 * square / (n * (n * n - 1)) : 1;
    return m;
}

static void put_moves(const serve_result *r, const char *key, const serve_move *move, int64_t count,
                      cli_json *j)
{
    cli_json_begin(j, key, '[');
    for (int64_t i = 0; i < count; i++) {
        const char *id = odim_table_id(r->table, move[i].row), *mark = serve_result_mark(r, move[i].row);
        cli_json_begin(j, NULL, '{');
        cli_json_int(j, "row", odim_table_row_number(r->table, move[i].row) + 1);
        if (id)
            cli_json_string(j, "id", id);
        else
            cli_json_raw(j, "id", "null");
        cli_json_number(j, "before", move[i].before);
        cli_json_number(j, "after", move[i].after);
        cli_json_int(j, "rank_before", move[i].rank_before);
        cli_json_int(j, "rank_after", move[i].rank_after);
        if (mark)
            cli_json_string(j, "mark", mark);
        else
            cli_json_raw(j, "mark", "null");
        cli_json_end(j);
    }
    cli_json_end(j);
}

void serve_moved_json(const serve_result *r, cli_json *j)
{
    const serve_moved *m = r->moved;
    if (!m) {
        cli_json_raw(j, "moved", "null");
        return;
    }
    cli_json_begin(j, "moved", '{');
    cli_json_string(j, "parent", m->parent);
    put_moves(r, "now_outliers", m->now, m->now_count < SERVE_MOVES ? m->now_count : SERVE_MOVES, j);
    put_moves(r, "no_longer", m->no_longer,
              m->no_longer_count < SERVE_MOVES ? m->no_longer_count : SERVE_MOVES, j);
    put_moves(r, "up", m->up, m->up_count, j);
    put_moves(r, "down", m->down, m->down_count, j);
    cli_json_begin(j, "counts", '{');
    cli_json_int(j, "now_outliers", m->now_count);
    cli_json_int(j, "no_longer", m->no_longer_count);
    cli_json_int(j, "outliers_before", m->outliers_before);
    cli_json_int(j, "outliers_after", m->outliers_after);
    cli_json_end(j);
    cli_json_number(j, "correlation", m->correlation);
    cli_json_end(j);
}
