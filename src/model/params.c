/* Parses, prints and checks parameters, including which of them go together. */
#include "model/params.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/numtext.h"

typedef enum kind {
    INT,
    AUTO_INT,
    REAL,
    AUTO_REAL,
    OFF_REAL,
    BOOL,
    CHOICE,
    METHOD,
    SIZES,
    DETECTORS,
    SEED
} kind;

typedef struct entry {
    odim_param_info info;
    kind kind;
    size_t offset; /* of the field in od_config */
    double min, max;
} entry;

/* What a value is called in a usage line. */
#define ARG_INT(choices)       "N"
#define ARG_AUTO_INT(choices)  "N"
#define ARG_REAL(choices)      "X"
#define ARG_AUTO_REAL(choices) "X"
#define ARG_OFF_REAL(choices)  "X"
#define ARG_BOOL(choices)      "on|off"
#define ARG_CHOICE(choices)    choices
#define ARG_METHOD(choices)    choices
#define ARG_SIZES(choices)     "N,N"
#define ARG_DETECTORS(choices) "NAME,NAME"
#define ARG_SEED(choices)      "N"

#define P(name, field, kind, def, min, max, choices, group, help)                                            \
    {{name, ARG_##kind(choices), group, def, help}, kind, offsetof(od_config, field), min, max},
static const entry entries[] = {
#include "model/params.def"
};
#undef P

#define COUNT ((int)(sizeof entries / sizeof *entries))
_Static_assert(COUNT <= OD_MAX_PARAMS, "odim_params.chosen is too short");

static const struct preset {
    const char *name, *param, *value;
} presets[] = {
#define PRESET(name, param, value) {name, param, value},
#include "model/presets.def"
#undef PRESET
};

int odim_param_count(void)
{
    return COUNT;
}

const odim_param_info *odim_param_at(int index)
{
    return index >= 0 && index < COUNT ? &entries[index].info : NULL;
}

static const entry *find(const char *name)
{
    for (int i = 0; name && i < COUNT; i++)
        if (strcmp(entries[i].info.name, name) == 0) return &entries[i];
    return NULL;
}

/* The word for a value that is kept as 0, or NULL where every value is a number. */
static const char *word_for_zero(kind k)
{
    if (k == DETECTORS) return "none";
    return k == OFF_REAL ? "off" : k == AUTO_INT || k == AUTO_REAL || k == SIZES ? "auto" : NULL;
}

/* A whole number of at most 15 digits: exact in a double. */
static bool parse_int(const char *text, size_t len, const entry *e, int64_t *out)
{
    double v;
    if (od_num_parse(text, len, &v) != OD_NUM_OK || v < e->min || v > e->max || v != (double)(int64_t)v)
        return false;
    *out = (int64_t)v;
    return true;
}

static bool parse_real(const char *text, size_t len, const entry *e, double *out)
{
    double v;
    if (od_num_parse(text, len, &v) != OD_NUM_OK || v < e->min || v > e->max) return false;
    *out = v;
    return true;
}

static bool parse_sizes(const char *text, const entry *e, od_sizes *out)
{
    od_sizes s = {0};
    for (;;) {
        size_t len = strcspn(text, ",");
        if (s.count == OD_MAX_LAYERS || !parse_int(text, len, e, &s.size[s.count])) return false;
        s.count++;
        if (!text[len]) break;
        text += len + 1;
    }
    *out = s;
    return true;
}

/* "subsample-knn", "iforest:0.5", "iforest@transform:0.5", with commas between; none twice. */
static bool parse_detectors(const char *text, const entry *e, od_aux_spec *out)
{
    od_aux_spec w = {0};
    for (;; text++) {
        size_t len = strcspn(text, ",:@");
        if (w.count == OD_MAX_AUX) return false;
        od_method method = od_detector_named(text, len);
        if (!method) return false;
        text += len;
        bool transformed = strncmp(text, "@transform", strlen("@transform")) == 0;
        if (transformed) text += strlen("@transform");
        double weight = 1.0;
        if (*text == ':') {
            len = strcspn(++text, ",");
            if (!parse_real(text, len, e, &weight)) return false;
            text += len;
        }
        for (int i = 0; i < w.count; i++)
            if (w.item[i].method == method && w.item[i].transformed == transformed) return false;
        w.item[w.count].method = method;
        w.item[w.count].transformed = transformed;
        w.item[w.count++].weight = weight;
        if (*text != ',') break;
    }
    if (*text) return false;
    *out = w;
    return true;
}

static void write_detectors(const od_aux_spec *w, char *text, size_t size)
{
    size_t len = 0;
    for (int i = 0; i < w->count; i++) {
        char weight[32];
        od_num_format(weight, w->item[i].weight, false);
        bool plain = w->item[i].weight == 1.0;
        len += (size_t)snprintf(
            text + len, size - len, "%s%s%s%s%s", i ? "," : "", od_detector_kind_of(w->item[i].method)->name,
            w->item[i].transformed ? "@transform" : "", plain ? "" : ":", plain ? "" : weight);
    }
}

static bool parse_seed(const char *text, uint64_t *out)
{
    uint64_t v = 0;
    if (!*text) return false;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || v > (UINT64_MAX - digit) / 10) return false;
        v = v * 10 + digit;
    }
    *out = v;
    return true;
}

/* The place of text among "a|b|c", or -1. */
static int64_t choice_index(const char *choices, const char *text)
{
    for (int64_t i = 0;; i++) {
        size_t len = strcspn(choices, "|");
        if (strlen(text) == len && strncmp(choices, text, len) == 0) return i;
        if (!choices[len]) return -1;
        choices += len + 1;
    }
}

static void clear(const entry *e, void *field)
{
    if (e->kind == SIZES)
        *(od_sizes *)field = (od_sizes){0};
    else if (e->kind == DETECTORS)
        *(od_aux_spec *)field = (od_aux_spec){0};
    else if (e->kind == AUTO_INT)
        *(int64_t *)field = 0;
    else
        *(double *)field = 0.0;
}

static bool parse(const entry *e, const char *text, void *field)
{
    const char *word = word_for_zero(e->kind);
    if (word && strcmp(text, word) == 0) {
        clear(e, field);
        return true;
    }
    switch (e->kind) {
    case AUTO_INT:
    case INT: return parse_int(text, strlen(text), e, field);
    case AUTO_REAL:
    case OFF_REAL:
    case REAL: return parse_real(text, strlen(text), e, field);
    case BOOL:
    case CHOICE: {
        int64_t i = choice_index(e->kind == BOOL ? "off|on" : e->info.arg, text);
        if (i < 0) return false;
        *(int64_t *)field = i;
        return true;
    }
    case METHOD:
        if (choice_index(e->info.arg, text) < 0) return false;
        *(int64_t *)field = od_detector_named(text, strlen(text));
        return true;
    case SIZES: return parse_sizes(text, e, field);
    case DETECTORS: return parse_detectors(text, e, field);
    case SEED: return parse_seed(text, field);
    }
    return false;
}

void od_params_defaults(od_config *config)
{
    *config = (od_config){0};
    for (int i = 0; i < COUNT; i++)
        parse(&entries[i], entries[i].info.def, (char *)config + entries[i].offset);
}

static void start_from(odim_params *p, const char *preset)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        const entry *e = find(presets[i].param);
        if (strcmp(presets[i].name, preset) == 0 && !p->chosen[e - entries])
            parse(e, presets[i].value, (char *)&p->config + e->offset);
    }
}

void od_params_unwritten(odim_params *p)
{
    const entry *e = find("preset");
    *p = (odim_params){0};
    od_params_defaults(&p->config);
    parse(e, "paper", (char *)&p->config + e->offset);
    start_from(p, "paper");
}

odim_params *odim_params_new(void)
{
    odim_params *p = od_calloc(1, sizeof *p);
    if (p) od_params_defaults(&p->config);
    return p;
}

void odim_params_free(odim_params *p)
{
    od_free(p);
}

static odim_status refuse(const entry *e, const char *value, odim_error *err)
{
    char shown[64];
    const char *word = word_for_zero(e->kind), * or = word ? " or " : "";
    if (!word) word = "";
    od_printable(shown, sizeof shown, value, strlen(value));
    switch (e->kind) {
    case INT:
    case AUTO_INT:
        return od_fail(err, ODIM_ERR_PARAM, "%s must be a whole number from %.0f to %.0f%s%s, not '%s'",
                       e->info.name, e->min, e->max, or, word, shown);
    case REAL:
    case AUTO_REAL:
    case OFF_REAL:
        return od_fail(err, ODIM_ERR_PARAM, "%s must be a number from %g to %g%s%s, not '%s'", e->info.name,
                       e->min, e->max, or, word, shown);
    case SIZES:
        return od_fail(
            err, ODIM_ERR_PARAM,
            "%s must be up to %d whole numbers from %.0f to %.0f with commas between, or auto, not '%s'",
            e->info.name, OD_MAX_LAYERS, e->min, e->max, shown);
    case DETECTORS:
        return od_fail(
            err, ODIM_ERR_PARAM,
            "%s must be none, or up to %d different ones of subsample-knn, iforest, knn, lof, mcd, pca, "
            "hbos, ecod, copod, ocsvm, cblof, loda, cof, sod and bagging, with commas between, each with "
            "@transform and a weight from %g to %g or without, such as "
            "subsample-knn,iforest@transform:0.5; not '%s'",
            e->info.name, OD_MAX_AUX, e->min, e->max, shown);
    case SEED:
        return od_fail(err, ODIM_ERR_PARAM, "%s must be a whole number from 0 to 2^64 - 1, not '%s'",
                       e->info.name, shown);
    case BOOL:
    case METHOD:
    case CHOICE: break;
    }
    return od_fail(err, ODIM_ERR_PARAM, "%s must be one of %s, not '%s'", e->info.name, e->info.arg, shown);
}

/* What was not chosen by name goes to the default, to the value of the preset, and to what privacy needs. */
static void restart(odim_params *p)
{
    for (int i = 0; i < COUNT; i++)
        if (!p->chosen[i]) parse(&entries[i], entries[i].info.def, (char *)&p->config + entries[i].offset);
    char preset[sizeof p->text];
    const entry *e = find("preset");
    /* What has no use for the networks of `auto`, or may not have them, starts from the plain method. */
    if (!p->chosen[e - entries] && (p->config.method || p->config.dp_epsilon > 0))
        parse(e, "paper", (char *)&p->config + e->offset);
    snprintf(preset, sizeof preset, "%s", odim_params_get(p, "preset"));
    start_from(p, preset);
    if (p->config.dp_epsilon > 0) start_from(p, "private");
}

odim_status od_params_put(odim_params *p, const char *name, const char *value, odim_error *err)
{
    const entry *e = find(name);
    if (!e) return od_fail(err, ODIM_ERR_PARAM, "there is no parameter '%.60s'", name);
    if (!parse(e, value, (char *)&p->config + e->offset)) return refuse(e, value, err);
    p->chosen[e - entries] = true;
    return ODIM_OK;
}

odim_status odim_params_set(odim_params *p, const char *name, const char *value, odim_error *err)
{
    OD_NEED(p, "params", err);
    OD_NEED(name, "name", err);
    OD_NEED(value, "value", err);
    odim_status status = od_params_put(p, name, value, err);
    if (status) return status;
    if (strcmp(name, "preset") == 0 || strcmp(name, "dp-epsilon") == 0 || strcmp(name, "method") == 0)
        restart(p);
    return ODIM_OK;
}

const char *odim_params_get(odim_params *p, const char *name)
{
    const entry *e = p ? find(name) : NULL;
    if (!e) return NULL;
    const void *field = (const char *)&p->config + e->offset;
    switch (e->kind) {
    case INT:
    case AUTO_INT:
        if (e->kind == AUTO_INT && *(const int64_t *)field == 0) return word_for_zero(e->kind);
        snprintf(p->text, sizeof p->text, "%lld", (long long)*(const int64_t *)field);
        break;
    case REAL:
    case AUTO_REAL:
    case OFF_REAL:
        if (e->kind != REAL && *(const double *)field == 0.0) return word_for_zero(e->kind);
        return od_num_format(p->text, *(const double *)field, false);
    case BOOL: return *(const int64_t *)field ? "on" : "off";
    case CHOICE: {
        const char *c = e->info.arg;
        for (int64_t i = *(const int64_t *)field; i > 0; i--) c += strcspn(c, "|") + 1;
        snprintf(p->text, sizeof p->text, "%.*s", (int)strcspn(c, "|"), c);
        break;
    }
    case METHOD: {
        const od_detector_kind *k = od_detector_kind_of((od_method) * (const int64_t *)field);
        return k ? k->name : "odim";
    }
    case SIZES: {
        const od_sizes *s = field;
        if (s->count == 0) return word_for_zero(e->kind);
        int len = 0;
        for (int i = 0; i < s->count; i++)
            len += snprintf(p->text + len, sizeof p->text - (size_t)len, "%s%lld", i ? "," : "",
                            (long long)s->size[i]);
        break;
    }
    case DETECTORS: {
        const od_aux_spec *w = field;
        if (w->count == 0) return word_for_zero(e->kind);
        write_detectors(w, p->text, sizeof p->text);
        break;
    }
    case SEED: snprintf(p->text, sizeof p->text, "%llu", (unsigned long long)*(const uint64_t *)field); break;
    }
    return p->text;
}
