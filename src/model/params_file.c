/* Writes and reads parameters as lines "name=value", under the names that the file format fixed. */
#include "model/params_file.h"

#include <stdio.h>
#include <string.h>

#include "model/container.h"
#include "model/params.h"

/* The others say how to run, not what comes out. */
static bool is_part_of_model(const odim_param_info *info)
{
    return strcmp(info->group, "Running") != 0;
}

/* Files know these parameters, and words in their values, by the names they had when the format was made. */
static const struct renaming {
    const char *now, *in_file;
} parameters[] = {{"transform", "view"},    {"with", "beside"},           {"trusted-fraction", "trust"},
                  {"neighbors", "nearest"}, {"tree-sample", "tree-rows"}, {NULL, NULL}},
  transforms[] = {{"none", "plain"}, {"log-pca", "soft"}, {NULL, NULL}},
  detectors[] = {{"subsample-knn", "near"}, {"@transform", "@view"}, {NULL, NULL}};

/* Copies text with each word of the list replaced. */
static void translate(char *to, size_t size, const char *text, const struct renaming *list, bool to_file)
{
    size_t len = 0;
    while (*text && len + 1 < size) {
        const struct renaming *r = list;
        while (r->now &&
               strncmp(text, to_file ? r->now : r->in_file, strlen(to_file ? r->now : r->in_file)) != 0)
            r++;
        const char *from = to_file ? r->now : r->in_file, *put = to_file ? r->in_file : r->now;
        if (!from) {
            to[len++] = *text++;
            continue;
        }
        int put_len = snprintf(to + len, size - len, "%s", put);
        len += (size_t)put_len < size - len ? (size_t)put_len : size - len - 1;
        text += strlen(from);
    }
    to[len] = '\0';
}

static const struct renaming *words_of(const char *parameter)
{
    static const struct renaming none = {NULL, NULL};
    return strcmp(parameter, "transform") == 0 ? transforms
           : strcmp(parameter, "with") == 0    ? detectors
                                               : &none;
}

static const char *parameter_in_file(const char *name)
{
    for (const struct renaming *r = parameters; r->now; r++)
        if (strcmp(r->now, name) == 0) return r->in_file;
    return name;
}

static const char *parameter_from_file(const char *in_file)
{
    for (const struct renaming *r = parameters; r->now; r++)
        if (strcmp(r->in_file, in_file) == 0) return r->now;
    return in_file;
}

/* Those that came after version 1 of the format are written only where they are not what od_params_unwritten
 * has: a file that has no use for them stays as it was, and can be read by what knows nothing of them. */
static bool is_young(const odim_param_info *info)
{
    static const char *const young[] = {
        "known-weight", "model",        "flow-steps", "transform",   "method",
        "with",         "neighbors",    "trees",      "tree-sample", "trusted-fraction",
        "share-safe",   "max-features", "nu",         "gamma",       "clusters",
        "projections",  "bins",         "references", "bags",        "score-pool"};
    for (size_t i = 0; i < sizeof young / sizeof *young; i++)
        if (strcmp(info->name, young[i]) == 0) return true;
    return strcmp(info->group, "Privacy") == 0;
}

/* A file that is older than this parameter keeps every level: what is not there is 1, not the default. */
static bool is_level_count(const odim_param_info *info)
{
    return strcmp(info->name, "min-level-count") == 0;
}

void od_params_file_write(od_byte_writer *out, const odim_model *m)
{
    odim_params p = {.config = m->config}, unwritten;
    od_params_unwritten(&unwritten);
    for (int i = 0; i < odim_param_count(); i++) {
        const odim_param_info *info = odim_param_at(i);
        if (!is_part_of_model(info) || !od_params_apply(&m->config, info)) continue;
        const char *value = odim_params_get(&p, info->name);
        if (is_young(info) && strcmp(value, odim_params_get(&unwritten, info->name)) == 0) continue;
        if (is_level_count(info) && (!od_schema_counted(&m->schema) || strcmp(value, "1") == 0)) continue;
        char filed[256];
        const char *name = parameter_in_file(info->name);
        translate(filed, sizeof filed, value, words_of(info->name), true);
        od_bytes_put(out, name, strlen(name));
        od_bytes_put(out, "=", 1);
        od_bytes_put(out, filed, strlen(filed));
        od_bytes_put(out, "\n", 1);
    }
}

static int find_param(const char *name)
{
    for (int i = 0; i < odim_param_count(); i++)
        if (strcmp(odim_param_at(i)->name, name) == 0) return i;
    return -1;
}

static odim_status read_param(odim_params *p, char *line, odim_error *err)
{
    char *equals = strchr(line, '=');
    if (!equals) return od_fail(err, ODIM_ERR_FORMAT, "a line is not of the form name=value");
    *equals = '\0';
    const char *name = parameter_from_file(line);
    int i = find_param(name);
    if (i < 0 || !is_part_of_model(odim_param_at(i))) {
        char shown[64];
        return od_fail(err, ODIM_ERR_FORMAT,
                       "unknown parameter '%s': written by a newer odim; " OD_CONTAINER_NEWER,
                       od_printable(shown, sizeof shown, line, strlen(line)));
    }
    if (p->chosen[i]) return od_fail(err, ODIM_ERR_FORMAT, "%s is there twice", line);
    /* What auto grew out of. */
    bool best = strcmp(line, "preset") == 0 && strcmp(equals + 1, "best") == 0;
    char value[256];
    translate(value, sizeof value, equals + 1, words_of(name), false);
    return od_params_put(p, name, best ? "auto" : value, err);
}

/* A parameter that is younger than the file has its value in preset paper, but for one. */
odim_status od_params_file_read(od_byte_reader *in, od_loading *loading, odim_error *err)
{
    odim_params p;
    od_params_unwritten(&p);
    while (in->left) {
        char line[256];
        const unsigned char *end = memchr(in->at, '\n', in->left);
        size_t len = end ? (size_t)(end - in->at) : 0;
        if (!end || len >= sizeof line || memchr(in->at, '\0', len))
            return od_fail(err, ODIM_ERR_FORMAT, "not lines of text");
        memcpy(line, od_bytes_take(in, len + 1), len);
        line[len] = '\0';
        odim_status status = read_param(&p, line, err);
        if (status) return status;
    }
    if (!p.chosen[find_param("min-level-count")] && p.config.dp_epsilon == 0) p.config.min_level_count = 1;
    loading->config = p.config;
    return ODIM_OK;
}
