/* Scores rows by the classical detectors of a model, and divides these scores among columns. */
#include "score/aux_detectors.h"

static const float *seen_by(const od_aux_detector *c, const od_aux_rows *in)
{
    return c->transformed ? in->seen : in->plain;
}

size_t od_aux_scratch(const odim_model *m)
{
    size_t most = 0;
    for (int i = 0; i < m->aux_count; i++) {
        const od_detector *c = &m->aux[i].detector;
        size_t size = od_detector_kind_of(c->method)->scratch(c);
        if (size > most) most = size;
    }
    size_t known = m->known.method ? od_detector_kind_of(m->known.method)->scratch(&m->known) : 0;
    return known > most ? known : most;
}

void od_aux_score(const od_aux_detector *c, const od_aux_rows *in, double *score)
{
    const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
    const float *x = seen_by(c, in);
    for (int64_t at = 0; at < in->rows; at += OD_DETECTOR_ROWS) {
        int64_t count = in->rows - at < OD_DETECTOR_ROWS ? in->rows - at : OD_DETECTOR_ROWS;
        kind->score(&c->detector, x + at * c->detector.d, count, in->scratch, score + at);
    }
}

void od_aux_add(const odim_model *m, const od_aux_rows *in, double *score)
{
    double own[OD_DETECTOR_ROWS];
    for (int k = 0; k < m->aux_count; k++) {
        const od_aux_detector *c = &m->aux[k];
        const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
        const float *x = seen_by(c, in);
        if (c->weight == 0.0) continue;
        for (int64_t at = 0; at < in->rows; at += OD_DETECTOR_ROWS) {
            int64_t count = in->rows - at < OD_DETECTOR_ROWS ? in->rows - at : OD_DETECTOR_ROWS;
            kind->score(&c->detector, x + at * c->detector.d, count, in->scratch, own);
            for (int64_t i = 0; i < count; i++) score[at + i] += c->weight * own[i];
        }
    }
}

const od_aux_detector *od_aux_confirming(const odim_model *m)
{
    for (int k = 0; k < m->aux_count; k++)
        if (m->aux[k].confirm) return &m->aux[k];
    return NULL;
}

double od_aux_attribute(const odim_model *m, const od_aux_rows *row, double *part_plain, double *part_seen)
{
    double sum = 0.0;
    for (int k = 0; k < m->aux_count; k++) {
        const od_aux_detector *c = &m->aux[k];
        const od_detector_kind *kind = od_detector_kind_of(c->detector.method);
        const float *x = seen_by(c, row);
        double own;
        if (c->weight == 0.0) continue;
        if (kind->attribute)
            own = kind->attribute(&c->detector, x, row->scratch, c->weight,
                                  c->transformed ? part_seen : part_plain);
        else
            kind->score(&c->detector, x, 1, row->scratch, &own);
        sum += c->weight * own;
    }
    return sum;
}
