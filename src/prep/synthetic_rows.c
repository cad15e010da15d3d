/* Draws random rows within the bounds of a schema. */
#include "prep/synthetic_rows.h"

#include <string.h>

#include "common/mem.h"
#include "base/rng.h"

static double make_cell(const od_schema_col *c, double part)
{
    if (c->type == ODIM_CATEGORICAL) return (double)(int64_t)(part * (double)od_levels_count(&c->levels));
    if (c->type == ODIM_BOOLEAN) return part < 0.5 ? 0 : 1;
    return c->low + (c->high - c->low) * part;
}

static odim_status copy_column(od_column *to, const od_schema_col *c, odim_error *err)
{
    odim_status status = ODIM_OK;
    to->type = c->type;
    to->name = od_strndup(c->name, strlen(c->name));
    if (!to->name) return od_fail_nomem(err);
    for (int64_t i = 0; !status && i < od_levels_count(&c->levels); i++) {
        const char *text = od_strlist_at(&c->levels.texts, (size_t)i);
        uint32_t code;
        status = od_levels_code(&to->levels, text, strlen(text), &code, err);
    }
    return status;
}

static odim_status fill(odim_table *t, const od_schema *s, int64_t rows, uint64_t seed, odim_error *err)
{
    int64_t used = 0, k = 0;
    for (int64_t j = 0; j < s->cols; j++) used += !s->col[j].ignored;
    odim_status status = od_table_set_cols(t, used, err);
    double *cells = status ? NULL : od_alloc((size_t)rows, (size_t)used * sizeof *cells);
    if (!status && !cells) status = od_fail_nomem(err);
    t->cells = cells;
    t->is_f64 = true;
    for (int64_t j = 0; !status && j < s->cols; j++) {
        if (s->col[j].ignored) continue;
        od_rng stream = od_rng_make(seed, 0, OD_RNG_SYNTHETIC, (uint32_t)j);
        for (int64_t i = 0; i < rows; i++) {
            uint32_t word[4];
            od_rng_block(&stream, (uint64_t)i, word);
            cells[i * used + k] = make_cell(&s->col[j], (double)od_unit(word[0]));
        }
        status = copy_column(&t->col[k++], &s->col[j], err);
    }
    t->n = rows;
    return status;
}

odim_status od_synthetic_rows(odim_table **out, const od_schema *s, int64_t rows, uint64_t seed,
                              odim_error *err)
{
    *out = NULL;
    odim_table *t = od_table_new();
    odim_status status = t ? fill(t, s, rows, seed, err) : od_fail_nomem(err);
    if (status)
        odim_table_free(t);
    else
        *out = t;
    return status;
}
