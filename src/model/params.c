#include "model/params.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/numtext.h"

typedef enum kind { INT, AUTO_INT, REAL, AUTO_REAL, OFF_REAL, BOOL, CHOICE, SIZES, SEED } kind;

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
#define ARG_SIZES(choices)     "N,N"
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

static bool parse_real(const char *text, const entry *e, double *out)
{
    double v;
    if (od_num_parse(text, strlen(text), &v) != OD_NUM_OK || v < e->min || v > e->max) return false;
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
    case REAL: return parse_real(text, e, field);
    case BOOL:
    case CHOICE: {
        int64_t i = choice_index(e->kind == BOOL ? "off|on" : e->info.arg, text);
        if (i < 0) return false;
        *(int64_t *)field = i;
        return true;
    }
    case SIZES: return parse_sizes(text, e, field);
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
    case SEED:
        return od_fail(err, ODIM_ERR_PARAM, "%s must be a whole number from 0 to 2^64 - 1, not '%s'",
                       e->info.name, shown);
    case BOOL:
    case CHOICE: break;
    }
    return od_fail(err, ODIM_ERR_PARAM, "%s must be one of %s, not '%s'", e->info.name, e->info.arg, shown);
}

/* A value that is the default asks for nothing. */
static bool asks(const odim_params *p, const entry *e)
{
    odim_params copy = *p;
    return p->chosen[e - entries] && strcmp(odim_params_get(&copy, e->info.name), e->info.def) != 0;
}

/* What is only of one kind of network, or of private fits. */
odim_status od_params_check(const odim_params *p, odim_error *err)
{
    static const struct {
        const char *name;
        od_kind kind;
    } only[] = {{"samples", OD_NET_IWAE},    {"score-samples", OD_NET_IWAE}, {"latent", OD_NET_IWAE},
                {"batch-norm", OD_NET_IWAE}, {"likelihood", OD_NET_IWAE},    {"flow-steps", OD_NET_FLOW}};
    odim_params copy = *p;
    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        const entry *e = find(only[i].name);
        if ((od_kind)p->config.model == only[i].kind || !asks(p, e)) continue;
        return od_fail(err, ODIM_ERR_PARAM, "%s is of no use with model %s", e->info.name,
                       odim_params_get(&copy, "model"));
    }
    for (int i = 0; p->config.dp_epsilon == 0 && i < COUNT; i++)
        if (strcmp(entries[i].info.group, "Privacy") == 0 && asks(p, &entries[i]))
            return od_fail(err, ODIM_ERR_PARAM,
                           "%s is of no use without dp-epsilon: the fit would not be private",
                           entries[i].info.name);
    return ODIM_OK;
}

static void start_from(odim_params *p, const char *preset)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        const entry *e = find(presets[i].param);
        if (strcmp(presets[i].name, preset) == 0 && !p->chosen[e - entries])
            parse(e, presets[i].value, (char *)&p->config + e->offset);
    }
}

/* What was not chosen by name goes to the default, to the value of the preset, and to what privacy needs. */
static void restart(odim_params *p)
{
    for (int i = 0; i < COUNT; i++)
        if (!p->chosen[i]) parse(&entries[i], entries[i].info.def, (char *)&p->config + entries[i].offset);
    char preset[sizeof p->text];
    snprintf(preset, sizeof preset, "%s", odim_params_get(p, "preset"));
    start_from(p, preset);
    if (p->config.dp_epsilon > 0) start_from(p, "private");
}

odim_status odim_params_set(odim_params *p, const char *name, const char *value, odim_error *err)
{
    const entry *e = find(name);
    if (!e) return od_fail(err, ODIM_ERR_PARAM, "there is no parameter '%.60s'", name ? name : "");
    if (!value || !parse(e, value, (char *)&p->config + e->offset)) return refuse(e, value ? value : "", err);
    p->chosen[e - entries] = true;
    if (strcmp(name, "preset") == 0 || strcmp(name, "dp-epsilon") == 0) restart(p);
    return ODIM_OK;
}

const char *odim_params_get(odim_params *p, const char *name)
{
    const entry *e = find(name);
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
    case SIZES: {
        const od_sizes *s = field;
        if (s->count == 0) return word_for_zero(e->kind);
        int len = 0;
        for (int i = 0; i < s->count; i++)
            len += snprintf(p->text + len, sizeof p->text - (size_t)len, "%s%lld", i ? "," : "",
                            (long long)s->size[i]);
        break;
    }
    case SEED: snprintf(p->text, sizeof p->text, "%llu", (unsigned long long)*(const uint64_t *)field); break;
    }
    return p->text;
}
