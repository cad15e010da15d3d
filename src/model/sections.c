/* Has the table of all sections of a model file, and writes and reads those that are short. */
#include "model/sections.h"

#include <math.h>
#include <string.h>

#include "model/detector_file.h"
#include "model/member_file.h"
#include "model/params_file.h"
#include "model/schema_file.h"
#include "model/rules_file.h"
#include "model/verdict_file.h"

/* Of any layer: the sizes of arrays, products of two such and of a number of members, stay within 64 bits. */
#define UNITS_MOST (1 << 21)

/* The numbers of a file are those of od_lik; they stay what they are. */
_Static_assert(OD_LIK_PAPER == 0 && OD_LIK_GAUSSIAN == 1 && OD_LIK_UNIT == 2 && OD_LIK_BERNOULLI == 3, "");

/* A calibration is doubles and nothing else. */
#define CALIBRATION_COUNT (sizeof(od_calibration) / sizeof(double))
_Static_assert(sizeof(od_calibration) == CALIBRATION_COUNT * sizeof(double), "");

/* ---- NETW: the shape of the networks, and how many there are -------------------------------------- */

static void write_network(od_byte_writer *out, const odim_model *m)
{
    const od_shape *s = &m->layout.shape;
    od_bytes_put_u32(out, (uint32_t)s->d);
    od_bytes_put_u32(out, (uint32_t)s->latent);
    od_bytes_put_u32(out, s->batch_norm);
    od_bytes_put_u32(out, (uint32_t)s->lik);
    od_bytes_put_u32(out, (uint32_t)m->members);
    od_bytes_put_u32(out, (uint32_t)od_model_score_samples(m));
    od_bytes_put_u32(out, (uint32_t)s->layers);
    for (int i = 0; i < s->layers; i++) od_bytes_put_u32(out, (uint32_t)s->hidden[i]);
    if (s->kind == OD_NET_FLOW) od_bytes_put_u32(out, (uint32_t)s->steps);
}

static int64_t get_units(od_byte_reader *in)
{
    uint32_t units = od_bytes_get_u32(in);
    if (units == 0 || units > UNITS_MOST) in->bad = true;
    return units;
}

/* A number that must be at most `most`. */
static uint32_t get_upto(od_byte_reader *in, uint32_t most)
{
    uint32_t v = od_bytes_get_u32(in);
    if (v <= most) return v;
    in->bad = true;
    return 0;
}

/* The sections whose length follows from the network must have it: before any memory is taken for them. */
static odim_status check_sizes(const od_loading *loading, const od_layout *l, int64_t features,
                               size_t samples, odim_error *err)
{
    size_t members = (size_t)od_model_member_count(&loading->config);
    if (members && l->params > SIZE_MAX / 4 / members) return od_fail(err, ODIM_ERR_FORMAT, "out of range");
    const struct {
        int section;
        size_t size;
    } want[] = {{OD_REASONS, 8 + 4 + (size_t)features * (1 + OD_QUANTILES) * 4},
                {OD_MEMBERS, members * OD_MEMBER_FILE_SIZE},
                {OD_WEIGHTS, members * l->params * 4},
                {OD_STATISTICS, members * l->stats * 4},
                {OD_NOISE, members * samples * (size_t)l->shape.latent * 4}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        size_t size = loading->body[want[i].section].left;
        if (size != want[i].size)
            return od_fail(err, ODIM_ERR_FORMAT, "section %s must have %zu bytes and has %zu",
                           od_section_kinds[want[i].section].tag, want[i].size, size);
    }
    return ODIM_OK;
}

/* The values of a row after the transform, of which networks of d inputs see all or some. */
static int64_t width_of(const od_loading *loading, int64_t d)
{
    od_byte_reader inputs = loading->body[OD_INPUTS];
    return inputs.at ? get_units(&inputs) : d;
}

/* How many of these values are features; -1: there are more or fewer than the transform makes. */
static int64_t features_of(const od_loading *loading, int64_t d)
{
    d = width_of(loading, d);
    od_byte_reader transform = loading->body[OD_TRANSFORM];
    if (loading->config.transform == OD_TRANSFORM_NONE) return transform.at ? -1 : d;
    int64_t features = get_units(&transform), axes = get_upto(&transform, OD_TRANSFORM_AXES);
    return !transform.bad && features + axes == d ? features : -1;
}

/* What comes after d, where a classical detector is in the place of networks: zeros. */
static odim_status read_no_network(od_byte_reader *in, od_loading *loading, int64_t d, odim_error *err)
{
    const od_layout none = {.shape.d = d};
    for (int i = 0; i < 6; i++) get_upto(in, 0);
    if (in->bad)
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or it has networks besides a classical method");
    int64_t features = features_of(loading, d);
    if (features < 0) return od_fail(err, ODIM_ERR_FORMAT, "not the width of the view that is there");
    odim_status status = check_sizes(loading, &none, features, 0, err);
    return status ? status : od_model_new(&loading->model, &loading->config, &none.shape, features, d, err);
}

static odim_status read_network(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    od_shape s = {0};
    s.d = get_units(in);
    const odim_model asked = {.config = loading->config, .width = width_of(loading, s.d)};
    if (asked.config.method) return read_no_network(in, loading, s.d, err);
    s.latent = get_upto(in, UNITS_MOST);
    s.kind = s.latent ? OD_NET_IWAE : OD_NET_FLOW;
    s.batch_norm = get_upto(in, s.latent ? 1 : 0);
    s.lik = (od_lik)get_upto(in, s.latent ? OD_LIK_BERNOULLI : 0);
    uint32_t members = od_bytes_get_u32(in), samples = od_bytes_get_u32(in);
    s.layers = (int)get_upto(in, OD_MAX_LAYERS);
    for (int i = 0; i < s.layers; i++) s.hidden[i] = get_units(in);
    if (s.kind == OD_NET_FLOW) s.steps = (int)get_upto(in, OD_MAX_STEPS);
    if (in->bad || s.layers == 0 || (s.kind == OD_NET_FLOW && s.steps == 0))
        return od_fail(err, ODIM_ERR_FORMAT, "cut short or out of range");

    bool same = s.kind == OD_NET_FLOW ||
                (asked.config.batch_norm == s.batch_norm && asked.config.likelihood == s.lik);
    if (!same || (od_kind)asked.config.model != s.kind || asked.config.members != members ||
        od_model_score_samples(&asked) != samples)
        return od_fail(err, ODIM_ERR_FORMAT, "not the network that the parameters ask for");
    od_layout layout;
    od_layout_make(&layout, &s);
    int64_t features = features_of(loading, s.d);
    int64_t width = width_of(loading, s.d);
    if (features < 0 || width < s.d)
        return od_fail(err, ODIM_ERR_FORMAT, "not the network for the view that is there");
    odim_status status = check_sizes(loading, &layout, features, samples, err);
    return status ? status : od_model_new(&loading->model, &loading->config, &s, features, width, err);
}

/* ---- COLS, CALB, THRS, REAS: what is known of the table ------------------------------------------- */

static void write_columns(od_byte_writer *out, const odim_model *m)
{
    od_schema_file_write(out, &m->schema);
}

static odim_status read_columns(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_model *m = loading->model;
    odim_status status = od_schema_file_read(in, &m->schema, err);
    m->schema.clamped = m->config.dp_epsilon > 0;
    int64_t least = m->schema.clamped ? 1 : od_schema_least(m->config.min_level_count, m->schema.rows);
    if (!status) od_schema_drop(&m->schema, least);
    int64_t features = features_of(loading, m->layout.shape.d);
    if (!status && m->schema.features != features)
        return od_fail(err, ODIM_ERR_FORMAT, "%lld features, and a network for %lld",
                       (long long)m->schema.features, (long long)features);
    return status;
}

static void write_calibration(od_byte_writer *out, const odim_model *m)
{
    double v[CALIBRATION_COUNT];
    memcpy(v, &m->calibration, sizeof v);
    od_bytes_put_u32(out, CALIBRATION_COUNT);
    od_bytes_put_f64s(out, v, CALIBRATION_COUNT);
}

static odim_status read_calibration(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    double v[CALIBRATION_COUNT];
    od_calibration *c = &loading->model->calibration;
    size_t count = od_bytes_get_count(in, sizeof(double));
    if (count != CALIBRATION_COUNT)
        return od_fail(err, ODIM_ERR_FORMAT, "%zu numbers instead of %zu", count, CALIBRATION_COUNT);
    od_bytes_get_f64s(in, v, CALIBRATION_COUNT);
    memcpy(c, v, sizeof v);
    if (!od_calibration_valid(c)) return od_fail(err, ODIM_ERR_FORMAT, "a number is impossible");
    return ODIM_OK;
}

static void write_threshold(od_byte_writer *out, const odim_model *m)
{
    od_bytes_put_f64(out, m->threshold);
}

static odim_status read_threshold(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    loading->model->threshold = od_bytes_get_f64(in);
    if (in->bad || !isfinite(loading->model->threshold)) return od_fail(err, ODIM_ERR_FORMAT, "not a number");
    return ODIM_OK;
}

static void write_reasons(od_byte_writer *out, const odim_model *m)
{
    size_t d = (size_t)m->schema.features;
    od_bytes_put_f64(out, m->score_p90);
    od_bytes_put_u32(out, OD_QUANTILES);
    od_bytes_put_f32s(out, m->usual, d);
    od_bytes_put_f32s(out, m->quantile_grid, OD_QUANTILES * d);
}

static odim_status read_reasons(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_model *m = loading->model;
    size_t d = (size_t)m->schema.features;
    m->score_p90 = od_bytes_get_f64(in);
    uint32_t quantiles = od_bytes_get_u32(in);
    if (!isfinite(m->score_p90) || quantiles != OD_QUANTILES)
        return od_fail(err, ODIM_ERR_FORMAT, "not a score, or not %d values a feature", OD_QUANTILES);
    odim_status status = od_bytes_get_finite(in, m->usual, d, err);
    return status ? status : od_bytes_get_finite(in, m->quantile_grid, OD_QUANTILES * d, err);
}

/* ---- priv: what privacy has cost ------------------------------------------------------------------ */

static void write_privacy(od_byte_writer *out, const odim_model *m)
{
    const odim_privacy_info *p = &m->privacy;
    od_bytes_put_f64(out, p->epsilon);
    od_bytes_put_f64(out, p->delta);
    od_bytes_put_u64(out, (uint64_t)p->updates);
    od_bytes_put_f64(out, p->rate);
    od_bytes_put_f64(out, p->noise);
    od_bytes_put_f64(out, p->clip);
    od_bytes_put_f64(out, p->other_noise);
    od_bytes_put_u8(out, p->bounds_given != 0);
    od_bytes_put_u8(out, p->scores_counted != 0);
    od_bytes_put_u8(out, p->insecure != 0);
}

static bool is_positive(double v)
{
    return v > 0 && isfinite(v);
}

static odim_status read_privacy(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_privacy_info *p = &loading->model->privacy;
    if (!in->at && loading->config.dp_epsilon == 0) return ODIM_OK;
    p->epsilon = od_bytes_get_f64(in);
    p->delta = od_bytes_get_f64(in);
    p->updates = od_bytes_get_i64(in);
    p->rate = od_bytes_get_f64(in);
    p->noise = od_bytes_get_f64(in);
    p->clip = od_bytes_get_f64(in);
    p->other_noise = od_bytes_get_f64(in);
    uint8_t given = od_bytes_get_u8(in), counted = od_bytes_get_u8(in), insecure = od_bytes_get_u8(in);
    p->bounds_given = given;
    p->scores_counted = counted;
    p->insecure = insecure;
    bool fine = is_positive(p->epsilon) && p->delta > 0 && p->delta < 1 && p->updates > 0 && p->rate > 0 &&
                p->rate <= 1 && is_positive(p->noise) && is_positive(p->clip) && is_positive(p->other_noise);
    if (in->bad || !fine || given > 1 || counted > 1 || insecure > 1)
        return od_fail(err, ODIM_ERR_FORMAT, "missing, cut short, or a number is impossible");
    return ODIM_OK;
}

/* ---- VIEW: what the networks see ------------------------------------------------------------------- */

static void write_view(od_byte_writer *out, const odim_model *m)
{
    od_bytes_put_u32(out, (uint32_t)m->transform.d);
    od_bytes_put_u32(out, (uint32_t)m->transform.axes);
    od_bytes_put_f32s(out, m->transform.numbers, od_transform_count(m->transform.d, m->transform.axes));
}

/* features_of has held the sizes against those of the network. */
static odim_status read_view(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    od_transform *v = &loading->model->transform;
    int64_t d = get_units(in), axes = get_upto(in, OD_TRANSFORM_AXES);
    size_t count = od_transform_count(d, axes);
    if (in->bad || axes > d || in->left != count * sizeof(float))
        return od_fail(err, ODIM_ERR_FORMAT, "cut short, or too long");
    odim_status status = od_transform_new(v, d, axes, err);
    if (!status) status = od_bytes_get_finite(in, v->numbers, count, err);
    for (int64_t j = 0; !status && j < d + axes; j++)
        if (!(v->width[j] > 0.0f) || (j < d && !(v->spread[j] > 0.0f)))
            return od_fail(err, ODIM_ERR_FORMAT, "a width is not positive");
    return status;
}

/* ---- INPT: which of these values each network sees --------------------------------------------------- */

static void write_inputs(od_byte_writer *out, const odim_model *m)
{
    od_bytes_put_u32(out, (uint32_t)m->width);
    for (int64_t b = 0; b < m->members; b++)
        for (int64_t j = 0; j < m->layout.shape.d; j++)
            od_bytes_put_u32(out, (uint32_t)m->member[b].input[j]);
}

static odim_status read_inputs(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_model *m = loading->model;
    int64_t d = m->layout.shape.d;
    get_units(in);
    bool fits = !in->bad && m->members && d < m->width && in->left == (size_t)(m->members * d) * 4;
    for (int64_t b = 0; fits && b < m->members; b++)
        for (int64_t j = 0, last = -1; fits && j < d; j++) {
            int64_t at = od_bytes_get_u32(in);
            fits = at > last && at < m->width;
            m->member[b].input[j] = (int32_t)(last = at);
        }
    return fits ? ODIM_OK : od_fail(err, ODIM_ERR_FORMAT, "cut short, too long, or not in order");
}

static void write_file(od_byte_writer *out, const odim_model *m)
{
    od_file_columns_write(out, &m->schema);
}

static odim_status read_file(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    return od_file_columns_read(in, &loading->model->schema, err);
}

bool od_section_wanted(const odim_model *m, size_t section)
{
    if (section == OD_PRIVACY) return m->privacy.epsilon > 0;
    if (section == OD_TRANSFORM) return m->transform.d > 0;
    if (section == OD_DETECTORS) return m->aux_count > 0;
    if (section == OD_INPUTS) return m->members && m->layout.shape.d < m->width;
    if (section == OD_CHECKS) return m->schema.checks.cols > 0;
    if (section == OD_RULES) return od_rules_file_wanted(m);
    if (section == OD_VERDICT) return m->verdict.present;
    if (section == OD_KNOWN) return m->known.method != OD_METHOD_NONE;
    if (section == OD_FILE) return od_file_columns_wanted(&m->schema);
    if (section != OD_HISTORY) return true;
    for (int64_t b = 0; b < m->members; b++)
        if (m->member[b].history.count) return true;
    return false;
}

const od_section_kind od_section_kinds[OD_SECTIONS] = {
    [OD_PARAMS] = {"PARM", od_params_file_write, od_params_file_read},
    [OD_NETWORK] = {"NETW", write_network, read_network},
    [OD_COLUMNS] = {"COLS", write_columns, read_columns},
    [OD_CALIBRATION] = {"CALB", write_calibration, read_calibration},
    [OD_THRESHOLD] = {"THRS", write_threshold, read_threshold},
    [OD_REASONS] = {"REAS", write_reasons, read_reasons},
    [OD_MEMBERS] = {"MEMB", od_members_file_write, od_members_file_read},
    [OD_WEIGHTS] = {"WGTS", od_weights_file_write, od_weights_file_read},
    [OD_STATISTICS] = {"STAT", od_statistics_file_write, od_statistics_file_read},
    [OD_NOISE] = {"NOIS", od_noise_file_write, od_noise_file_read},
    [OD_HISTORY] = {"hist", od_history_file_write, od_history_file_read},
    [OD_PRIVACY] = {"priv", write_privacy, read_privacy},
    [OD_TRANSFORM] = {"VIEW", write_view, read_view},
    [OD_DETECTORS] = {"COMP", od_detector_file_write, od_detector_file_read},
    [OD_CHECKS] = {"CHKS", od_checks_file_write, od_checks_file_read},
    [OD_RULES] = {"RULE", od_rules_file_write, od_rules_file_read},
    [OD_VERDICT] = {"VERD", od_verdict_file_write, od_verdict_file_read},
    [OD_FILE] = {"FILE", write_file, read_file},
    [OD_KNOWN] = {"KNWN", od_known_file_write, od_known_file_read},
    [OD_INPUTS] = {"INPT", write_inputs, read_inputs},
};
