/* Cuts what comes next of a CSV file into pieces, and has threads parse them. */
#include "prep/text_pieces.h"

#include <stdatomic.h>
#include <string.h>

#include "base/cores.h"
#include "base/forkjoin.h"
#include "base/poll.h"
#include "common/mem.h"
#include "prep/text_piece.h"

/* Pieces are of that size if there is enough to read, and never smaller than the second. */
#define PIECE       ((size_t)256 << 10)
#define USUAL_LEAST ((size_t)64 << 10)
/* More than one per thread, since some take longer than others. */
#define PIECES_PER_THREAD 2
#define MOST_THREADS      32
/* The counts of a column take kilobytes per piece. */
#define MOST_COUNTED 256

static _Atomic size_t least_piece = USUAL_LEAST;

struct od_text_pieces {
    int threads;
    od_forkjoin *team;
    od_text_piece *piece; /* (PIECES_PER_THREAD * threads) */
    od_csv_bytes *bytes;  /* the same: of each */
    int count;            /* of the window in hand */
    int current;          /* those before it are used up */
    bool counting;        /* cells are counted, not parsed */
    int64_t base;         /* where the window begins in the file */
    int64_t again;        /* another window is made here and not before */
};

void od_text_pieces_set_least(size_t bytes)
{
    atomic_store(&least_piece, bytes ? bytes : USUAL_LEAST);
}

void od_text_pieces_free(od_text_pieces *s)
{
    if (!s) return;
    od_forkjoin_free(s->team);
    for (int i = 0; s->piece && i < s->threads * PIECES_PER_THREAD; i++) od_text_piece_free(&s->piece[i]);
    od_free(s->piece);
    od_free(s->bytes);
    od_free(s);
}

void od_text_pieces_begin(od_text_pieces *s)
{
    for (int i = 0; s && i < s->count; i++) s->piece[i].coded = false;
}

/* Whether the next record may come from a piece. */
static bool usable(const od_text_rows *r)
{
    return r->csv && !r->records && r->threads != 1 && !r->pending && od_csv_can_pass(r->csv);
}

static odim_status make(od_text_rows *r, odim_error *err)
{
    if (r->pieces) return ODIM_OK;
    int64_t threads = r->threads > 0 ? r->threads : od_cores();
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads < 2) {
        r->threads = 1;
        return ODIM_OK;
    }
    od_text_pieces *s = r->pieces = od_calloc(1, sizeof *s);
    if (!s) return od_fail_nomem(err);
    s->threads = (int)threads;
    s->piece = od_calloc((size_t)threads * PIECES_PER_THREAD, sizeof *s->piece);
    s->bytes = od_calloc((size_t)threads * PIECES_PER_THREAD, sizeof *s->bytes);
    return s->piece && s->bytes ? ODIM_OK : od_fail_nomem(err);
}

/* Where a line begins at `at` or later; `len` if there is none. */
static size_t find_line(const char *text, size_t len, size_t at)
{
    const char *end = memchr(text + at, '\n', len - at);
    if (!end) end = memchr(text + at, '\r', len - at);
    return end ? (size_t)(end - text) + 1 : len;
}

/* Cuts the window; returns whether it is worth it. */
static bool cut(od_text_pieces *s, const od_csv_bytes *window)
{
    size_t most = (size_t)s->threads * PIECES_PER_THREAD, pieces = window->len / atomic_load(&least_piece);
    if (pieces > most) pieces = most;
    s->count = s->current = 0;
    for (size_t i = 0, start = 0; pieces > 1 && i < pieces && start < window->len; i++) {
        size_t end = window->len / pieces * (i + 1);
        end = i + 1 == pieces || end <= start ? window->len : find_line(window->text, window->len, end);
        s->bytes[s->count] =
            (od_csv_bytes){window->text + start, end - start, .whole = window->whole && end == window->len};
        s->piece[s->count++].start = start;
        start = end;
    }
    return s->count > 1;
}

static void work(void *ctx, int worker, int64_t index)
{
    od_text_pieces *s = ctx;
    (void)worker;
    index = s->count - 1 - index; /* a team begins with the highest */
    if (s->counting)
        od_text_piece_count(&s->piece[index], &s->bytes[index], index > 0);
    else
        od_text_piece_parse(&s->piece[index], &s->bytes[index]);
}

/* A new window, if the one before is used up and there is enough to read. Cells are counted, behind
 * those of the votes, if there are some. */
static odim_status fill(od_text_rows *r, const odim_table *t, const od_type_votes *votes, bool ready,
                        odim_error *err)
{
    odim_status status = make(r, err);
    od_text_pieces *s = r->pieces;
    if (status || !s || od_csv_at(r->csv) < s->again) return status;
    od_csv_bytes window;
    size_t least = atomic_load(&least_piece), piece = least < USUAL_LEAST ? 4 * least : PIECE;
    s->count = s->current = 0;
    s->counting = !t;
    status = od_csv_window(r->csv, piece * (size_t)s->threads * PIECES_PER_THREAD, ready, &window, err);
    if (status) return status;
    s->base = od_csv_at(r->csv);
    s->again = s->base + (int64_t)window.len;
    if (!cut(s, &window)) return ODIM_OK;
    for (int i = 0; i < s->count && !status; i++)
        status = t ? od_text_piece_prepare(&s->piece[i], r, t, err)
                   : od_text_piece_prepare_votes(&s->piece[i], r, votes, err);
    if (!status && !s->team) status = od_forkjoin_new(&s->team, s->threads, err);
    if (status) {
        s->count = 0;
        return status;
    }
    od_forkjoin_run(s->team, s->count, work, s);
    for (int i = 0; i < s->count; i++) {
        if (!s->piece[i].status) continue;
        s->count = 0;
        if (err) *err = s->piece[i].err;
        return s->piece[i].status;
    }
    /* What the last piece did not read to the end belongs to the next window. It is behind the others, so
     * that a file none of whose rows fit is not cut again for each of them. */
    s->again = s->base + (int64_t)s->piece[s->count - 1].end;
    return ODIM_OK;
}

/* The piece that has a row where the reader is, or NULL. */
static od_text_piece *find(od_text_pieces *s, int64_t at)
{
    for (; s->current < s->count; s->current++) {
        od_text_piece *p = &s->piece[s->current];
        int64_t place = at - s->base - (int64_t)p->start;
        if (place < 0) return NULL;
        while (p->next < p->table.n && p->place[p->next].from < place) p->next++;
        if (p->next < p->table.n) return p->place[p->next].from == place ? p : NULL;
    }
    return NULL;
}

odim_status od_text_pieces_take(od_text_rows *r, odim_table *t, int64_t most, bool ready, odim_error *err)
{
    odim_status status = ODIM_OK;
    if (!usable(r) || t->paths.count) return ODIM_OK;
    if (!r->pieces || r->pieces->current == r->pieces->count) status = fill(r, t, NULL, ready, err);
    od_text_piece *p = status || !r->pieces ? NULL : find(r->pieces, od_csv_at(r->csv));
    if (!p) return status;
    od_csv_passed passed = {0};
    const od_piece_row *place = &p->place[p->next];
    uint32_t from = place->from, end = from;
    for (; p->next + passed.rows < p->table.n && passed.rows < most && place->from == end; place++) {
        if (place->recoded && !passed.recoded) passed.recoded_line = passed.lines + place->line;
        passed.recoded += place->recoded;
        passed.lines += place->lines;
        passed.rows++;
        end = place->end;
    }
    passed.bytes = end - from;
    if ((status = od_text_piece_give(p, passed.rows, r, t, err))) return status;
    od_csv_pass(r->csv, &passed);
    return ODIM_OK;
}

odim_status od_text_pieces_count(od_text_rows *r, od_type_votes *votes, int64_t *rows, odim_error *err)
{
    odim_status status = ODIM_OK;
    /* The reader has a record in hand, which is counted. */
    if (r->why.status || !r->csv || r->records || r->threads == 1 || r->cols.features > MOST_COUNTED ||
        !od_csv_can_pass(r->csv))
        return ODIM_OK;
    for (;;) {
        od_text_pieces *s = r->pieces;
        if (!s || s->current == s->count) status = fill(r, NULL, votes, false, err);
        if (status || !(s = r->pieces) || s->current == s->count) return status;
        od_text_piece *p = &s->piece[s->current];
        int64_t at = od_csv_at(r->csv) - s->base;
        if (at < (int64_t)p->start) return ODIM_OK;
        s->current++;
        if (at > (int64_t)p->start) continue;
        if (!od_text_piece_merge(p, votes, &status, err)) continue;
        if (!status) status = od_poll_check(err);
        if (status) return status;
        od_csv_pass(r->csv, &p->counted);
        *rows += p->counted.rows;
    }
}
