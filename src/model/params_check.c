/* Refuses combinations of parameters: all of them, each with one text. */
#include <string.h>

#include "model/params.h"
#include "prep/schema.h"

/* Whether parameter i was set by name to a value that asks for something: not to its default, and not to the
 * preset that a method starts from. */
static bool asks(const odim_params *p, int i)
{
    odim_params copy = *p;
    const odim_param_info *info = odim_param_at(i);
    const char *value = odim_params_get(&copy, info->name);
    if (p->config.method && strcmp(info->name, "preset") == 0 && strcmp(value, "paper") == 0) return false;
    return p->chosen[i] && strcmp(value, info->def) != 0;
}

static bool is_chosen(const odim_params *p, const char *name)
{
    int i = 0;
    while (strcmp(odim_param_at(i)->name, name) != 0) i++;
    return p->chosen[i];
}

/* The value of a parameter as text, in *copy. */
static const char *text_of(const od_config *c, const char *name, odim_params *copy)
{
    *copy = (odim_params){.config = *c};
    return odim_params_get(copy, name);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) names++;
    return *names;
}

/* Whether this detector is the method, or one of the auxiliary detectors. */
static bool uses(const od_config *c, od_method method)
{
    bool found = (od_method)c->method == method;
    for (int i = 0; !c->method && i < c->with.count; i++) found |= c->with.item[i].method == method;
    return found;
}

/* The detector that a parameter is for; OD_METHOD_NONE: for several, or for none. */
static od_method owner(const char *name)
{
    static const struct {
        const char *name;
        od_method method;
    } owners[] = {
        {"trees", OD_METHOD_IFOREST}, {"tree-sample", OD_METHOD_IFOREST}, {"nu", OD_METHOD_OCSVM},
        {"gamma", OD_METHOD_OCSVM},   {"clusters", OD_METHOD_CBLOF},      {"projections", OD_METHOD_LODA},
        {"bins", OD_METHOD_LODA},     {"references", OD_METHOD_SOD},      {"bags", OD_METHOD_BAGGING}};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (strcmp(owners[i].name, name) == 0) return owners[i].method;
    return OD_METHOD_NONE;
}

bool od_params_apply(const od_config *c, const odim_param_info *info)
{
    static const char *const ensemble[] = {"preset",     "members", "samples", "score-samples",
                                           "score-pool", "with",    NULL};
    static const char *const groups[] = {"Network", "Training", "Privacy", NULL};
    if (strcmp(info->name, "min-level-count") == 0) return c->dp_epsilon == 0;
    if (strcmp(info->name, "neighbors") == 0)
        return c->trusted_fraction > 0 || uses(c, OD_METHOD_KNN) || uses(c, OD_METHOD_LOF) ||
               uses(c, OD_METHOD_COF) || uses(c, OD_METHOD_SOD) || uses(c, OD_METHOD_BAGGING);
    od_method only = owner(info->name);
    if (only) return uses(c, only);
    return !c->method || !(is_one_of(info->group, groups) || is_one_of(info->name, ensemble));
}

/* Refuses a parameter that was asked for and has no effect on what is fitted. */
static odim_status check_use(const odim_params *p, int i, odim_error *err)
{
    static const char *const iwae[] = {"samples",    "score-samples", "score-pool", "latent",
                                       "batch-norm", "likelihood",    NULL};
    odim_params copy;
    const odim_param_info *info = odim_param_at(i);
    const char *name = info->name;
    if (!asks(p, i)) return ODIM_OK;
    if (strcmp(name, "min-level-count") == 0 && p->config.dp_epsilon > 0)
        return od_fail(err, ODIM_ERR_PARAM,
                       "min-level-count is of no use with dp-epsilon: levels are given and not counted");
    if (!od_params_apply(&p->config, info))
        return p->config.method ? od_fail(err, ODIM_ERR_PARAM, "%s is of no use with method %s", name,
                                          text_of(&p->config, "method", &copy))
                                : od_fail(err, ODIM_ERR_PARAM, "%s is of no use without %s", name,
                                          owner(name) ? od_detector_kind_of(owner(name))->name
                                                      : "knn, lof, cof, sod, bagging or trusted-fraction");
    bool flow = p->config.model == OD_NET_FLOW;
    if (flow ? is_one_of(name, iwae) : strcmp(name, "flow-steps") == 0)
        return od_fail(err, ODIM_ERR_PARAM, "%s is of no use with model %s", name,
                       text_of(&p->config, "model", &copy));
    if (p->config.dp_epsilon == 0 && strcmp(info->group, "Privacy") == 0)
        return od_fail(err, ODIM_ERR_PARAM,
                       "%s is of no use without dp-epsilon: the fit would not be private", name);
    return ODIM_OK;
}

#define INSTEAD                                                                                              \
    "; use preset paper or fast, or method iforest, mcd, pca or hbos, or train with differential privacy "   \
    "(dp-epsilon)"

/* Refuses what would put rows, or most values of a column, into a model that is to be shared. */
static odim_status check_sharing(const odim_params *p, odim_error *err)
{
    const od_config *c = &p->config;
    if (!c->share_safe) return ODIM_OK;
    if (c->trusted_fraction > 0)
        return od_fail(err, ODIM_ERR_PARAM, "share-safe: trusted-fraction%s keeps %s" INSTEAD,
                       is_chosen(p, "trusted-fraction") ? "" : " (of preset auto)",
                       od_detector_kind_of(OD_METHOD_TRUSTED_KNN)->keeps);
    for (od_method m = OD_METHOD_IFOREST; m <= OD_METHOD_LAST; m++) {
        const od_detector_kind *k = od_detector_kind_of(m);
        if (k->keeps && uses(c, m))
            return od_fail(err, ODIM_ERR_PARAM, "share-safe: %s %s keeps %s" INSTEAD,
                           c->method ? "method" : "with", k->name, k->keeps);
    }
    if (c->min_level_count == 1)
        return od_fail(err, ODIM_ERR_PARAM,
                       "share-safe: min-level-count 1 keeps texts that a single row has; leave it out, or "
                       "take 2 or more");
    return ODIM_OK;
}

/* Refuses what cannot be fitted with differential privacy. */
static odim_status check_privacy(const od_config *c, odim_error *err)
{
    odim_params copy;
    if (!(c->dp_epsilon > 0)) return ODIM_OK;
    if (c->method)
        return od_fail(err, ODIM_ERR_PARAM, "method %s cannot be fitted with privacy: leave out dp-epsilon",
                       text_of(c, "method", &copy));
    if (c->model == OD_NET_FLOW)
        return od_fail(err, ODIM_ERR_PARAM,
                       "model flow cannot be trained with privacy: leave out dp-epsilon");
    if (c->transform || c->with.count || c->trusted_fraction > 0)
        return od_fail(
            err, ODIM_ERR_PARAM,
            "with dp-epsilon, transform must be none, with must be none and trusted-fraction must be "
            "off: they store values of training rows");
    if (c->score_pool)
        return od_fail(err, ODIM_ERR_PARAM,
                       "with dp-epsilon, score-pool must be auto: the choice would depend on training rows");
    if (c->batch_norm)
        return od_fail(err, ODIM_ERR_PARAM,
                       "batch-norm on makes the rows of a batch depend on each other, which a private fit "
                       "(dp-epsilon) cannot have");
    if (c->scale != OD_SCALE_MINMAX)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) scales by bounds: it needs scale minmax");
    return ODIM_OK;
}

odim_status od_params_check(const odim_params *p, odim_error *err)
{
    const od_config *c = &p->config;
    odim_status status = check_privacy(c, err);
    if (!status) status = check_sharing(p, err);
    for (int i = 0; !status && i < odim_param_count(); i++) status = check_use(p, i, err);
    for (int i = 0; !status && i < c->with.count; i++)
        if (c->with.item[i].transformed && c->transform == OD_TRANSFORM_NONE)
            return od_fail(err, ODIM_ERR_PARAM, "%s@transform is of no use with transform none",
                           od_detector_kind_of(c->with.item[i].method)->name);
    if (!status && c->likelihood == OD_LIK_BERNOULLI && c->scale == OD_SCALE_STANDARD)
        status = od_fail(err, ODIM_ERR_PARAM,
                         "likelihood bernoulli is for values from 0 to 1: it needs scale minmax");
    return status;
}

odim_status od_params_check_kind(const od_config *c, od_fit_kind kind, odim_error *err)
{
    odim_params copy;
    if (c->dp_epsilon > 0 && kind == OD_FIT_STREAMED)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) needs all rows in memory: it cannot be streamed");
    if (c->dp_epsilon > 0 && kind == OD_FIT_TRACED)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a trace shows losses of rows, which are not private: leave out dp-epsilon");
    if (c->method && kind == OD_FIT_TRACED)
        return od_fail(err, ODIM_ERR_PARAM, "method %s is not trained: there is nothing to trace",
                       text_of(c, "method", &copy));
    return ODIM_OK;
}

odim_status od_params_check_known(const od_config *c, bool column, int64_t marked, odim_error *err)
{
    odim_params copy;
    /* The column alone is refused: that a private fit fails must not depend on what is in a row. */
    if (c->dp_epsilon > 0 && column)
        return od_fail(err, ODIM_ERR_PARAM,
                       "a private fit (dp-epsilon) cannot learn from known outliers: they would not be "
                       "protected");
    if (c->method && marked > 0)
        return od_fail(err, ODIM_ERR_PARAM, "method %s does not learn from known outliers",
                       text_of(c, "method", &copy));
    return ODIM_OK;
}
