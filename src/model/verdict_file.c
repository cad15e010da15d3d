/* Writes and reads the checks of single cells, and the verdict. */
#include "model/verdict_file.h"

#include <math.h>

#include "common/mem.h"

/* Both are doubles and nothing else, apart from flags. */
#define LIMITS_NUMBERS 10
_Static_assert(sizeof(od_limits) == LIMITS_NUMBERS * sizeof(double), "");
#define GROUPS_MOST 64
#define AXES_MOST   64

/* ---- CHKS -------------------------------------------------------------------------------------------- */

static void write_limits(od_byte_writer *out, const od_limits *l)
{
    const double v[LIMITS_NUMBERS] = {l->low,        l->high,    l->least,    l->most,      l->centre,
                                      l->resolution, l->low_far, l->high_far, l->low_slope, l->high_slope};
    od_bytes_put_f64s(out, v, LIMITS_NUMBERS);
}

void od_checks_file_write(od_byte_writer *out, const odim_model *m)
{
    const od_checks *c = &m->schema.checks;
    od_bytes_put_u32(out, (uint32_t)c->cols);
    od_bytes_put_f64(out, c->empty);
    for (int64_t j = 0; j < c->cols; j++) {
        const od_column_check *k = &c->col[j];
        write_limits(out, &k->limits);
        od_bytes_put_f64(out, k->new_level);
        od_bytes_put_f64(out, k->missing);
        od_bytes_put_u32(out, (uint32_t)(k->run_key + 1));
        od_bytes_put_f64(out, k->run_value);
        od_bytes_put_f64(out, k->run_low);
        od_bytes_put_f64(out, k->run_high);
        od_bytes_put_u8(out, k->related);
        write_limits(out, &k->given);
        od_bytes_put_f64(out, k->centre);
        od_bytes_put_f64(out, k->unit);
    }
    od_bytes_put_u32(out, (uint32_t)c->relations);
    for (int64_t i = 0; i < c->relations; i++) {
        od_bytes_put_u32(out, (uint32_t)c->relation[i]);
        od_bytes_put_u32(out, (uint32_t)(c->level[i].level + 1));
        od_bytes_put_f64(out, c->level[i].level < 0 ? 0.0 : c->level[i].centre);
        od_bytes_put_f64(out, c->level[i].level < 0 ? 1.0 : c->level[i].unit);
    }
    if (c->relations) od_bytes_put_f64s(out, c->precision, (size_t)(c->relations * c->relations));
}

/* Limits may be infinite, and what has none of a side has infinite distances. */
static od_limits read_limits(od_byte_reader *in)
{
    double v[LIMITS_NUMBERS];
    od_bytes_get_f64s(in, v, LIMITS_NUMBERS);
    bool fine = !in->bad && v[0] <= v[1] && v[0] < INFINITY && v[1] > -INFINITY && isfinite(v[2]) &&
                isfinite(v[3]) && isfinite(v[4]) && v[5] >= 0.0 && isfinite(v[5]) && v[6] >= 0.0 &&
                v[7] >= 0.0 && v[8] >= 0.0 && isfinite(v[8]) && v[9] >= 0.0 && isfinite(v[9]);
    if (!fine) {
        in->bad = true;
        return od_limits_none();
    }
    return (od_limits){v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]};
}

static double read_evidence(od_byte_reader *in)
{
    double v = od_bytes_get_f64(in);
    if (!(v >= 0.0 && v < 100.0)) in->bad = true;
    return v;
}

static void read_column(od_byte_reader *in, int64_t cols, od_column_check *k)
{
    k->limits = read_limits(in);
    k->new_level = read_evidence(in);
    k->missing = read_evidence(in);
    k->run_key = (int64_t)(int32_t)od_bytes_get_u32(in) - 1;
    k->run_value = od_bytes_get_f64(in);
    k->run_low = od_bytes_get_f64(in);
    k->run_high = od_bytes_get_f64(in);
    if (k->run_key >= cols || k->run_key < OD_RUN_ROWS || !isfinite(k->run_value) || !isfinite(k->run_low) ||
        !isfinite(k->run_high))
        in->bad = true;
    uint8_t related = od_bytes_get_u8(in);
    k->given = read_limits(in);
    k->centre = od_bytes_get_f64(in);
    k->unit = od_bytes_get_f64(in);
    k->related = related;
    if (related > 1 || !isfinite(k->centre) || !isfinite(k->unit)) in->bad = true;
}

static odim_status read_relations(od_byte_reader *in, od_checks *c, odim_error *err)
{
    uint32_t q = od_bytes_get_u32(in);
    if (in->bad || q > OD_CHECKS_RELATED) return od_fail(err, ODIM_ERR_FORMAT, "cut short, or out of range");
    c->relation = od_alloc(OD_CHECKS_RELATED, sizeof *c->relation);
    c->level = od_alloc(OD_CHECKS_RELATED, sizeof *c->level);
    c->precision = od_alloc((size_t)q * q, sizeof *c->precision);
    if (!c->relation || !c->level || !c->precision) return od_fail_nomem(err);
    c->relations = q;
    for (uint32_t i = 0; i < q; i++) {
        c->relation[i] = od_bytes_get_u32(in);
        od_related_level *l = &c->level[i];
        l->level = (int64_t)od_bytes_get_u32(in) - 1;
        l->centre = od_bytes_get_f64(in);
        l->unit = od_bytes_get_f64(in);
        if (c->relation[i] >= c->cols || !isfinite(l->centre) || !(l->unit > 0.0) || !isfinite(l->unit) ||
            (l->level < 0 && !(c->col[c->relation[i]].unit > 0.0)))
            in->bad = true;
        if (in->bad) return od_fail(err, ODIM_ERR_FORMAT, "not a column");
    }
    od_bytes_get_f64s(in, c->precision, (size_t)q * q);
    for (uint32_t i = 0; i < q * q; i++)
        if (!isfinite(c->precision[i]) || (i / q == i % q && !(c->precision[i] > 0.0))) in->bad = true;
    return in->bad ? od_fail(err, ODIM_ERR_FORMAT, "not a precision matrix") : ODIM_OK;
}

odim_status od_checks_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_model *m = loading->model;
    od_checks *c = &m->schema.checks;
    if (!in->at) return ODIM_OK;
    uint32_t cols = od_bytes_get_u32(in);
    double empty = read_evidence(in);
    if (in->bad || (int64_t)cols != m->schema.cols)
        return od_fail(err, ODIM_ERR_FORMAT, "not a check for each column");
    c->col = od_calloc(cols, sizeof *c->col);
    if (!c->col) return od_fail_nomem(err);
    c->cols = cols;
    c->empty = empty;
    for (uint32_t j = 0; !in->bad && j < cols; j++) read_column(in, cols, &c->col[j]);
    if (in->bad) return od_fail(err, ODIM_ERR_FORMAT, "cut short, or a number is impossible");
    odim_status status = read_relations(in, c, err);
    if (!status && m->config.scale == OD_SCALE_ROBUST) status = od_schema_clip(&m->schema, err);
    return status;
}

/* ---- VERD -------------------------------------------------------------------------------------------- */

void od_score_unit_write(od_byte_writer *out, const od_score_unit *u)
{
    od_bytes_put_u8(out, u->used);
    od_bytes_put_u8(out, u->logarithm);
    od_bytes_put_f64(out, u->offset);
    od_bytes_put_f64(out, u->centre);
    od_bytes_put_f64(out, u->spread);
}

void od_verdict_file_write(od_byte_writer *out, const odim_model *m)
{
    const od_verdict *v = &m->verdict;
    od_score_unit_write(out, &v->shown);
    od_score_unit_write(out, &v->alone);
    od_bytes_put_f64(out, v->alone_most);
    od_score_unit_write(out, &v->loss);
    od_score_unit_write(out, &v->confirm);
    od_bytes_put_f64(out, v->agree_most);
    od_bytes_put_u8(out, v->apart);
    od_bytes_put_f64(out, v->unusual);
    od_bytes_put_u32(out, (uint32_t)v->q);
    od_bytes_put_u32(out, (uint32_t)v->groups);
    for (int i = 0; i < v->groups; i++) {
        od_bytes_put_f64(out, v->group[i].limit);
        od_bytes_put_f64s(out, v->group[i].mean, (size_t)v->q);
        od_bytes_put_f64s(out, v->group[i].whiten, (size_t)(v->q * v->q));
    }
}

od_score_unit od_score_unit_read(od_byte_reader *in)
{
    uint8_t used = od_bytes_get_u8(in), logarithm = od_bytes_get_u8(in);
    od_score_unit u = {.used = used, .logarithm = logarithm};
    u.offset = od_bytes_get_f64(in);
    u.centre = od_bytes_get_f64(in);
    u.spread = od_bytes_get_f64(in);
    if (used > 1 || logarithm > 1 || !(u.offset >= 0.0) || !isfinite(u.offset) || !isfinite(u.centre) ||
        !isfinite(u.spread) || (used && !(u.spread > 0.0)) || (used && logarithm && !(u.offset > 0.0)))
        in->bad = true;
    return u;
}

static odim_status read_group(od_byte_reader *in, od_verdict *v, odim_error *err)
{
    odim_status status = od_verdict_add_group(v, err);
    if (status) return status;
    od_group *g = &v->group[v->groups - 1];
    size_t q = (size_t)v->q;
    g->limit = od_bytes_get_f64(in);
    od_bytes_get_f64s(in, g->mean, q);
    od_bytes_get_f64s(in, g->whiten, q * q);
    bool fine = !in->bad && g->limit >= 0.0 && isfinite(g->limit);
    for (size_t i = 0; fine && i < q; i++) fine = isfinite(g->mean[i]);
    for (size_t i = 0; fine && i < q * q; i++) fine = isfinite(g->whiten[i]);
    return fine ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "cut short, or a number is impossible");
}

/* Whether what the units are of is there. */
static bool fits(const odim_model *m)
{
    const od_verdict *v = &m->verdict;
    bool confirm = false;
    for (int k = 0; k < m->aux_count; k++) confirm |= m->aux[k].confirm;
    return v->shown.used && v->alone.used && v->loss.used == v->confirm.used &&
           (!v->loss.used || m->members) && (!v->confirm.used || confirm) && v->q <= m->transform.axes;
}

odim_status od_verdict_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    od_verdict *v = &loading->model->verdict;
    if (!in->at) return ODIM_OK;
    v->present = true;
    v->shown = od_score_unit_read(in);
    v->alone = od_score_unit_read(in);
    v->alone_most = od_bytes_get_f64(in);
    v->loss = od_score_unit_read(in);
    v->confirm = od_score_unit_read(in);
    v->agree_most = od_bytes_get_f64(in);
    uint8_t apart = od_bytes_get_u8(in);
    v->apart = apart;
    v->unusual = od_bytes_get_f64(in);
    uint32_t q = od_bytes_get_u32(in), groups = od_bytes_get_u32(in);
    v->q = q;
    if (in->bad || apart > 1 || !(v->alone_most > 0.0) || !isfinite(v->alone_most) ||
        !isfinite(v->agree_most) || !isfinite(v->unusual) || q > AXES_MOST || groups > GROUPS_MOST ||
        (groups && !q) || !fits(loading->model))
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or a number is impossible");
    odim_status status = ODIM_OK;
    for (uint32_t i = 0; !status && i < groups; i++) status = read_group(in, v, err);
    return status;
}
