/* Writes and reads the detectors of a model. */
#include "model/detector_file.h"

#include <math.h>

#include "model/verdict_file.h"

static const size_t part_size[] = {0, sizeof(float), sizeof(double), sizeof(int32_t)};

/* ---- writing -------------------------------------------------------------------------------------- */

static void write_part(od_byte_writer *out, const od_detector_array *p)
{
    size_t count = (size_t)p->count;
    od_bytes_put_u32(out, (uint32_t)p->kind);
    if (p->kind == OD_ARRAY_NONE) return;
    od_bytes_put_u64(out, count);
    if (p->kind == OD_ARRAY_FLOAT) od_bytes_put_f32s(out, p->at.f, count);
    if (p->kind == OD_ARRAY_DOUBLE) od_bytes_put_f64s(out, p->at.d, count);
    if (p->kind == OD_ARRAY_INT) od_bytes_put_i32s(out, p->at.i, count);
}

static void write_arrays(od_byte_writer *out, const od_detector *c)
{
    for (int k = 0; k < OD_DETECTOR_COUNTS; k++) od_bytes_put_u64(out, (uint64_t)c->count[k]);
    for (int k = 0; k < OD_DETECTOR_ARRAYS; k++) write_part(out, &c->part[k]);
}

void od_known_file_write(od_byte_writer *out, const odim_model *m)
{
    od_score_unit_write(out, &m->verdict.learned);
    write_arrays(out, &m->known);
}

void od_detector_file_write(od_byte_writer *out, const odim_model *m)
{
    od_bytes_put_u32(out, (uint32_t)m->aux_count);
    for (int i = 0; i < m->aux_count; i++) {
        const od_aux_detector *c = &m->aux[i];
        od_bytes_put_u32(out, (uint32_t)c->detector.method);
        od_bytes_put_u32(out, c->transformed);
        od_bytes_put_f64(out, c->weight);
        write_arrays(out, &c->detector);
    }
}

/* ---- reading -------------------------------------------------------------------------------------- */

static bool are_finite(const od_detector_array *p)
{
    bool fine = true;
    for (int64_t i = 0; p->kind == OD_ARRAY_FLOAT && i < p->count; i++) fine = fine && isfinite(p->at.f[i]);
    for (int64_t i = 0; p->kind == OD_ARRAY_DOUBLE && i < p->count; i++) fine = fine && isfinite(p->at.d[i]);
    return fine;
}

static odim_status read_part(od_byte_reader *in, od_detector *c, int i, odim_error *err)
{
    uint32_t kind = od_bytes_get_u32(in);
    int64_t count = kind == OD_ARRAY_NONE ? 0 : od_bytes_get_i64(in);
    if (in->bad || kind > OD_ARRAY_INT || (count == 0) != (kind == OD_ARRAY_NONE))
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or out of range");
    if (kind == OD_ARRAY_NONE) return ODIM_OK;
    if ((size_t)count > in->left / part_size[kind])
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or out of range");
    odim_status status = od_detector_array_new(c, i, (od_detector_array_kind)kind, count, err);
    if (status) return status;
    const od_detector_array *p = &c->part[i];
    if (kind == OD_ARRAY_FLOAT) od_bytes_get_f32s(in, p->at.f, (size_t)count);
    if (kind == OD_ARRAY_DOUBLE) od_bytes_get_f64s(in, p->at.d, (size_t)count);
    if (kind == OD_ARRAY_INT) od_bytes_get_i32s(in, p->at.i, (size_t)count);
    return are_finite(p) ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "a number is not finite");
}

/* The method and the number of features are set. */
static odim_status read_arrays(od_byte_reader *in, od_detector *c, odim_error *err)
{
    for (int k = 0; k < OD_DETECTOR_COUNTS; k++) c->count[k] = od_bytes_get_i64(in);
    odim_status status = in->bad ? od_fail(err, ODIM_ERR_FORMAT, "cut short, or out of range") : ODIM_OK;
    for (int k = 0; !status && k < OD_DETECTOR_ARRAYS; k++) status = read_part(in, c, k, err);
    return status ? status : od_detector_kind_of(c->method)->check(c, err);
}

odim_status od_known_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_model *m = loading->model;
    if (!in->at) return ODIM_OK;
    if (!m->verdict.present) return od_fail(err, ODIM_ERR_FORMAT, "known rows without a verdict");
    m->verdict.learned = od_score_unit_read(in);
    if (in->bad || !m->verdict.learned.used) return od_fail(err, ODIM_ERR_FORMAT, "cut short, or no unit");
    m->known.method = OD_METHOD_KNOWN_ROWS;
    m->known.d = m->schema.features;
    return read_arrays(in, &m->known, err);
}

/* The od_aux_detector that the parameters have in this place. */
static od_aux_detector asked_for(const od_config *config, int i)
{
    if (config->trusted_fraction > 0 && i > 0)
        return (od_aux_detector){.detector.method = OD_METHOD_MCD, .confirm = true};
    if (config->trusted_fraction > 0) return (od_aux_detector){.detector.method = OD_METHOD_TRUSTED_KNN};
    if (config->method)
        return (od_aux_detector){.detector.method = (od_method)config->method,
                                 .transformed = config->transform != OD_TRANSFORM_NONE};
    return (od_aux_detector){.detector.method = config->with.item[i].method,
                             .transformed = config->with.item[i].transformed};
}

static odim_status read_detector(od_byte_reader *in, od_loading *loading, int i, odim_error *err)
{
    odim_model *m = loading->model;
    od_aux_detector *c = &m->aux[i], asked = asked_for(&loading->config, i);
    uint32_t method = od_bytes_get_u32(in), transformed = od_bytes_get_u32(in);
    const od_detector_kind *kind = od_detector_kind_of((od_method)method);
    c->weight = od_bytes_get_f64(in);
    if (in->bad || !kind || transformed > 1 || !(c->weight >= 0) || isinf(c->weight))
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or out of range");
    if (kind->method != asked.detector.method || (!asked.confirm && (transformed == 1) != asked.transformed))
        return od_fail(err, ODIM_ERR_FORMAT, "not the detectors that the parameters ask for");
    if (asked.confirm && c->weight != 0.0) return od_fail(err, ODIM_ERR_FORMAT, "a witness with a weight");
    c->transformed = transformed;
    c->confirm = asked.confirm;
    c->detector.method = kind->method;
    c->detector.d = od_model_sees(m, c);
    return read_arrays(in, &c->detector, err);
}

odim_status od_detector_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    const od_config *config = &loading->config;
    int count = config->method || config->trusted_fraction > 0 ? 1 : config->with.count;
    if (!in->at && !count) return ODIM_OK;
    uint32_t have = od_bytes_get_u32(in);
    if (config->trusted_fraction > 0 && !config->method && have == 2) count = 2; /* and a witness */
    if (have != (uint32_t)count || in->bad || !count)
        return od_fail(err, ODIM_ERR_FORMAT, "not the detectors that the parameters ask for");
    odim_status status = ODIM_OK;
    if (config->trusted_fraction > 0) loading->model->losses = 0;
    for (int i = 0; !status && i < count; i++) {
        loading->model->aux_count = i + 1;
        status = read_detector(in, loading, i, err);
    }
    return status;
}
