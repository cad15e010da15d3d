/* Writes and reads the patterns of codes and the rules of arithmetic. */
#include "model/rules_file.h"

#include <math.h>

bool od_rules_file_wanted(const odim_model *m)
{
    const od_checks *c = &m->schema.checks;
    for (int64_t j = 0; j < c->cols; j++)
        if (c->col[j].patterns.count) return true;
    return c->rules.count > 0 || c->excuses > 0;
}

static uint32_t count_coded(const od_checks *c)
{
    uint32_t coded = 0;
    for (int64_t j = 0; j < c->cols; j++) coded += c->col[j].patterns.count > 0;
    return coded;
}

void od_rules_file_write(od_byte_writer *out, const odim_model *m)
{
    const od_checks *c = &m->schema.checks;
    od_bytes_put_u32(out, count_coded(c));
    for (int64_t j = 0; j < c->cols; j++) {
        const od_strlist *patterns = &c->col[j].patterns;
        if (!patterns->count) continue;
        od_bytes_put_u32(out, (uint32_t)j);
        od_bytes_put_u32(out, (uint32_t)patterns->count);
        for (size_t i = 0; i < patterns->count; i++) od_bytes_put_text(out, od_strlist_at(patterns, i));
    }
    od_bytes_put_u32(out, (uint32_t)c->rules.count);
    for (int i = 0; i < c->rules.count; i++) {
        const od_rule *r = &c->rules.rule[i];
        od_bytes_put_u8(out, (uint8_t)r->kind);
        od_bytes_put_u8(out, (uint8_t)r->terms);
        od_bytes_put_f64(out, r->constant);
        for (int k = 0; k < r->terms; k++) {
            od_bytes_put_u32(out, (uint32_t)r->col[k]);
            const double v[] = {r->weight[k], r->share[k], r->step[k], r->rounding[k]};
            od_bytes_put_f64s(out, v, 4);
        }
    }
    od_bytes_put_u32(out, (uint32_t)c->excuses);
    for (int i = 0; i < c->excuses; i++) {
        od_bytes_put_u32(out, (uint32_t)c->excuse[i].col);
        od_bytes_put_u32(out, (uint32_t)c->excuse[i].level);
    }
}

static odim_status read_patterns(od_byte_reader *in, od_checks *c, odim_error *err)
{
    uint32_t coded = od_bytes_get_u32(in);
    odim_status status = ODIM_OK;
    for (uint32_t i = 0; !in->bad && !status && i < coded; i++) {
        uint32_t col = od_bytes_get_u32(in), count = od_bytes_get_u32(in);
        if (in->bad || col >= c->cols || !count || count > OD_PATTERNS_MOST || c->col[col].patterns.count)
            in->bad = true;
        for (uint32_t k = 0; !in->bad && !status && k < count; k++) {
            size_t len = 0;
            const char *text = od_bytes_get_text(in, OD_PATTERN_ROOM - 1, &len);
            if (!in->bad) status = od_strlist_add(&c->col[col].patterns, text, len, err);
        }
    }
    return status;
}

static bool is_fine(const od_rule *r)
{
    if (r->kind == OD_RULE_ADDED && r->terms != 4) return false;
    bool fine = isfinite(r->constant) && (r->kind != OD_RULE_ORDER || (r->terms == 2 && r->constant >= 0.0));
    for (int k = 0; k < r->terms; k++) {
        bool weighted =
            r->kind == OD_RULE_ORDER || (r->kind == OD_RULE_PRODUCT && k == 0) || r->weight[k] != 0.0;
        fine &= weighted && isfinite(r->weight[k]) && isfinite(r->share[k]) && r->step[k] >= 0.0 &&
                isfinite(r->step[k]) && r->rounding[k] >= 0.0 && isfinite(r->rounding[k]);
    }
    return fine;
}

static void read_rule(od_byte_reader *in, const od_schema *s, od_rule *r)
{
    uint8_t kind = od_bytes_get_u8(in), terms = od_bytes_get_u8(in);
    r->constant = od_bytes_get_f64(in);
    if (in->bad || kind >= OD_RULE_KINDS || terms < 2 || terms > OD_RULE_TERMS) {
        in->bad = true;
        return;
    }
    r->kind = (od_rule_kind)kind;
    r->terms = terms;
    for (int k = 0; k < terms; k++) {
        double v[4] = {0};
        uint32_t col = od_bytes_get_u32(in);
        od_bytes_get_f64s(in, v, 4);
        if (in->bad || col >= s->cols || s->col[col].ignored ||
            (s->col[col].type != ODIM_NUMERIC && s->col[col].type != ODIM_TIME)) {
            in->bad = true;
            return;
        }
        r->col[k] = col;
        r->weight[k] = v[0];
        r->share[k] = v[1];
        r->step[k] = v[2];
        r->rounding[k] = v[3];
    }
    if (!is_fine(r)) in->bad = true;
}

static void read_excuses(od_byte_reader *in, const od_schema *s, od_checks *c)
{
    uint32_t excuses = od_bytes_get_u32(in);
    if (excuses > OD_CHECKS_EXCUSES) in->bad = true;
    for (uint32_t i = 0; !in->bad && i < excuses; i++) {
        uint32_t col = od_bytes_get_u32(in), level = od_bytes_get_u32(in);
        if (in->bad || col >= s->cols || s->col[col].ignored || s->col[col].type != ODIM_CATEGORICAL ||
            level >= od_levels_count(&s->col[col].levels)) {
            in->bad = true;
            return;
        }
        c->excuse[c->excuses++] = (od_excuse){col, level};
    }
}

odim_status od_rules_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    od_schema *s = &loading->model->schema;
    od_checks *c = &s->checks;
    if (!in->at) return ODIM_OK;
    if (!c->cols) { /* nothing is checked */
        in->left = 0;
        return ODIM_OK;
    }
    odim_status status = read_patterns(in, c, err);
    uint32_t rules = status || in->bad ? 0 : od_bytes_get_u32(in);
    if (rules > OD_RULES_MOST) in->bad = true;
    for (uint32_t i = 0; !in->bad && i < rules; i++) read_rule(in, s, &c->rules.rule[i]);
    if (!status && !in->bad) read_excuses(in, s, c);
    if (!status && in->bad) return od_fail(err, ODIM_ERR_FORMAT, "cut short, or a number is impossible");
    c->rules.count = (int)rules;
    return status;
}
