/* The models of a folder, loaded. */
#include "models.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/platform.h"
#include "common/atomic_file.h"
#include "common/mem.h"
#include "json.h"
#include "log.h"
#include "model_json.h"
#include "request.h"
#include "scorers.h"

static const char ending[] = ".odim";

/* What tells one version of a file from another. */
typedef struct version {
    struct timespec changed;
    ino_t number;
    off_t size;
} version;

typedef struct loaded {
    http_model is; /* the first member: an http_model is a loaded */
    odim_model *model;
    atomic_int uses;
} loaded;

typedef struct entry {
    char name[HTTP_NAME_MOST + 1];
    loaded *model; /* NULL: the file could not be loaded */
    version version;
    bool seen; /* by the refresh in progress */
} entry;

struct http_models {
    char dir[PATH_MAX];    /* "": there is none */
    pthread_mutex_t write; /* taken first, by those that change files or entries */
    pthread_mutex_t lock;  /* of the entries */
    entry *entries;        /* (HTTP_MODELS_MOST), by name */
    int count;
    bool full; /* has been reported */
};

/* ---- one model -------------------------------------------------------------------------------------- */

static loaded *wrap(odim_model *model)
{
    loaded *l = od_calloc(1, sizeof *l);
    if (!l) {
        odim_model_free(model);
        return NULL;
    }
    l->model = model;
    l->is.model = model;
    l->is.scorers = http_scorers_new(model);
    if (!l->is.scorers) {
        od_free(l);
        odim_model_free(model);
        return NULL;
    }
    odim_model_fingerprint(model, l->is.fingerprint);
    atomic_store(&l->uses, 1);
    return l;
}

static void drop(loaded *l)
{
    if (!l || atomic_fetch_sub(&l->uses, 1) > 1) return;
    http_scorers_free(l->is.scorers);
    odim_model_free(l->model);
    od_free(l);
}

void http_models_release(http_models *all, http_model *model)
{
    (void)all;
    drop((loaded *)model);
}

/* ---- files ------------------------------------------------------------------------------------------ */

/* The name without the ending. False: not fit for a model. */
static bool take_name(const char *name, char out[HTTP_NAME_MOST + 1])
{
    if (!http_name_is_fit(name)) return false;
    size_t len = strlen(name), end = sizeof ending - 1;
    if (len > end && strcmp(name + len - end, ending) == 0) len -= end;
    memcpy(out, name, len);
    out[len] = '\0';
    return true;
}

static bool path_of(const http_models *all, const char *name, char path[PATH_MAX])
{
    int len = snprintf(path, PATH_MAX, "%s/%s%s", all->dir, name, ending);
    return len > 0 && len < PATH_MAX;
}

static bool version_of(const char *path, version *out)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    *out = (version){od_platform_changed(&info), info.st_ino, info.st_size};
    return true;
}

static bool is_same(const version *a, const version *b)
{
    return a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec &&
           a->number == b->number && a->size == b->size;
}

static odim_status fail_name(serve_problem *why, const char *name)
{
    return serve_fail(why, 404, "there is no model '%s'", name);
}

/* ---- the list: the lock is held ---------------------------------------------------------------------- */

/* The place of a name, or where it belongs. */
static int place_of(const http_models *all, const char *name, bool *found)
{
    int low = 0, high = all->count;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(all->entries[middle].name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

/* The entry of a name, made if there is none; NULL: there are too many. */
static entry *entry_of(http_models *all, const char *name)
{
    bool found;
    int at = place_of(all, name, &found);
    if (found) return &all->entries[at];
    if (all->count == HTTP_MODELS_MOST) return NULL;
    memmove(&all->entries[at + 1], &all->entries[at], (size_t)(all->count++ - at) * sizeof *all->entries);
    all->entries[at] = (entry){.seen = true};
    snprintf(all->entries[at].name, sizeof all->entries[at].name, "%s", name);
    return &all->entries[at];
}

static void remove_at(http_models *all, int at)
{
    drop(all->entries[at].model);
    memmove(&all->entries[at], &all->entries[at + 1], (size_t)(--all->count - at) * sizeof *all->entries);
}

/* ---- changes: `write` is held ------------------------------------------------------------------------ */

/* Puts a model in the place of the old one; NULL: only the version is noted. False: there are too many. */
static bool replace(http_models *all, const char *name, loaded *model, const version *now)
{
    pthread_mutex_lock(&all->lock);
    entry *e = entry_of(all, name);
    loaded *old = e && model ? e->model : NULL;
    if (e && model) e->model = model;
    if (e) e->version = *now;
    if (e) e->seen = true;
    pthread_mutex_unlock(&all->lock);
    drop(old);
    return e;
}

/* Loads a file unless it is the version that is loaded. */
static void refresh_one(http_models *all, const char *name)
{
    char path[PATH_MAX];
    version now;
    bool found;
    odim_error err;
    odim_model *model;
    if (!path_of(all, name, path) || !version_of(path, &now)) return;
    pthread_mutex_lock(&all->lock);
    int at = place_of(all, name, &found);
    bool same = found && is_same(&all->entries[at].version, &now);
    if (found) all->entries[at].seen = true;
    bool full = !found && all->count == HTTP_MODELS_MOST;
    pthread_mutex_unlock(&all->lock);
    if (full && !all->full)
        cli_log("%s: more than %d models; the others are not loaded", all->dir, all->count);
    if (full) all->full = true;
    if (same || full) return;
    if (odim_model_load(&model, path, &err)) {
        cli_log("%s", err.msg);
        replace(all, name, NULL, &now);
        return;
    }
    loaded *l = wrap(model);
    if (l && !replace(all, name, l, &now)) drop(l);
}

static void refresh(http_models *all)
{
    DIR *folder = opendir(all->dir);
    if (!folder) return;
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->count; i++) all->entries[i].seen = false;
    pthread_mutex_unlock(&all->lock);
    for (struct dirent *file; (file = readdir(folder));) {
        char name[HTTP_NAME_MOST + 1];
        size_t len = strlen(file->d_name);
        bool is_model =
            len > sizeof ending - 1 && strcmp(file->d_name + len - sizeof ending + 1, ending) == 0;
        if (is_model && take_name(file->d_name, name)) refresh_one(all, name);
    }
    closedir(folder);
    pthread_mutex_lock(&all->lock);
    for (int i = all->count - 1; i >= 0; i--)
        if (!all->entries[i].seen) remove_at(all, i);
    pthread_mutex_unlock(&all->lock);
}

void http_models_refresh(http_models *all)
{
    if (!*all->dir) return;
    pthread_mutex_lock(&all->write);
    refresh(all);
    pthread_mutex_unlock(&all->write);
}

/* Temporary files of a server that was killed while it wrote a model; see common/atomic_file.c. */
static void remove_leftovers(const http_models *all)
{
    enum { OLD = 3600 }; /* seconds: no write takes that long */
    DIR *folder = opendir(all->dir);
    if (!folder) return;
    for (struct dirent *file; (file = readdir(folder));) {
        struct stat info;
        size_t len = strlen(file->d_name);
        bool ours =
            strncmp(file->d_name, ".odim-", 6) == 0 && len > 4 && strcmp(file->d_name + len - 4, ".tmp") == 0;
        if (ours && fstatat(dirfd(folder), file->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode) && info.st_mtime < time(NULL) - OLD)
            unlinkat(dirfd(folder), file->d_name, 0);
    }
    closedir(folder);
}

http_models *http_models_open(const char *dir)
{
    struct stat info;
    http_models *all = od_calloc(1, sizeof *all);
    if (all) all->entries = od_calloc(HTTP_MODELS_MOST, sizeof *all->entries);
    if (!all || !all->entries) {
        od_free(all);
        cli_log("out of memory");
        return NULL;
    }
    pthread_mutex_init(&all->write, NULL);
    pthread_mutex_init(&all->lock, NULL);
    if (!dir) return all;
    bool fits = strlen(dir) < sizeof all->dir - HTTP_NAME_MOST - sizeof ending;
    if (!fits || stat(dir, &info) != 0 || !S_ISDIR(info.st_mode) || access(dir, R_OK | X_OK) != 0) {
        cli_log("%s: not a folder of models that can be read", dir);
        http_models_close(all);
        return NULL;
    }
    snprintf(all->dir, sizeof all->dir, "%s", dir);
    remove_leftovers(all);
    http_models_refresh(all);
    return all;
}

void http_models_close(http_models *all)
{
    if (!all) return;
    while (all->count) remove_at(all, all->count - 1);
    pthread_mutex_destroy(&all->write);
    pthread_mutex_destroy(&all->lock);
    od_free(all->entries);
    od_free(all);
}

int http_models_count(http_models *all)
{
    pthread_mutex_lock(&all->lock);
    int count = all->count;
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* ---- requests --------------------------------------------------------------------------------------- */

static loaded *find(http_models *all, const char *name)
{
    bool found;
    pthread_mutex_lock(&all->lock);
    int at = place_of(all, name, &found);
    loaded *l = found ? all->entries[at].model : NULL;
    if (l) atomic_fetch_add(&l->uses, 1);
    pthread_mutex_unlock(&all->lock);
    return l;
}

http_model *http_models_get(http_models *all, const char *given, serve_problem *why)
{
    char name[HTTP_NAME_MOST + 1], path[PATH_MAX];
    version now;
    loaded *l = take_name(given, name) ? find(all, name) : NULL;
    if (l) return &l->is;
    /* A file that has just appeared. */
    if (*all->dir && take_name(given, name) && path_of(all, name, path) && version_of(path, &now)) {
        pthread_mutex_lock(&all->write);
        refresh_one(all, name);
        pthread_mutex_unlock(&all->write);
        if ((l = find(all, name))) return &l->is;
        serve_fail(why, 500, "the file of the model '%s' cannot be loaded", given);
        return NULL;
    }
    fail_name(why, given);
    return NULL;
}

odim_status http_models_list(http_models *all, serve_text *out, serve_problem *why)
{
    serve_text_out t;
    odim_status status = serve_text_begin(&t, why);
    if (status) return status;
    cli_json j = {.out = &t.out};
    cli_json_begin(&j, NULL, '{');
    cli_json_begin(&j, "models", '[');
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < all->count; i++) {
        const entry *e = &all->entries[i];
        if (!e->model) continue;
        cli_json_begin(&j, NULL, '{');
        cli_json_string(&j, "name", e->name);
        cli_json_int(&j, "bytes", (int64_t)e->version.size);
        cli_json_int(&j, "modified", (int64_t)e->version.changed.tv_sec);
        cli_json_string(&j, "fingerprint", e->model->is.fingerprint);
        cli_json_int(&j, "columns", odim_model_cols(e->model->model));
        cli_json_int(&j, "rows", odim_model_rows(e->model->model));
        cli_json_end(&j);
    }
    pthread_mutex_unlock(&all->lock);
    cli_json_end(&j);
    cli_json_end(&j);
    return serve_text_end(&t, out, why);
}

odim_status http_models_info(http_models *all, const char *given, serve_text *out, serve_problem *why)
{
    char name[HTTP_NAME_MOST + 1];
    serve_text_out t;
    http_model *m = http_models_get(all, given, why);
    if (!m) return ODIM_ERR_PARAM;
    odim_status status = serve_text_begin(&t, why);
    take_name(given, name);
    if (!status) cli_model_json(m->model, name, &t.out);
    if (!status) status = serve_text_end(&t, out, why);
    http_models_release(all, m);
    return status;
}

odim_status http_models_file(http_models *all, const char *given, serve_text *out, serve_problem *why)
{
    http_model *m = http_models_get(all, given, why);
    if (!m) return ODIM_ERR_PARAM;
    odim_status status = serve_text_of_model(m->model, out, why);
    http_models_release(all, m);
    return status;
}

static odim_status fail_disk(serve_problem *why, const char *name, int error)
{
    return serve_fail(why, error == ENOSPC || error == EDQUOT || error == EFBIG ? 507 : 500,
                      "the model '%s' cannot be written: %s", name, strerror(error));
}

odim_status http_models_put(http_models *all, const char *given, const void *bytes, size_t size, bool *is_new,
                            serve_problem *why)
{
    char name[HTTP_NAME_MOST + 1], path[PATH_MAX];
    odim_error err;
    odim_model *model;
    version now;
    od_atomic_file file;
    if (!take_name(given, name)) return serve_fail(why, 400, "'%s' cannot be the name of a model", given);
    if (!*all->dir) return serve_fail(why, 409, "the server was started without --models DIR");
    if (odim_model_load_memory(&model, bytes, size, &err)) return serve_fail_error(why, &err);
    loaded *l = wrap(model);
    if (!l) return serve_fail_nomem(why);
    pthread_mutex_lock(&all->write);
    pthread_mutex_lock(&all->lock);
    place_of(all, name, is_new);
    *is_new = !*is_new;
    bool full = *is_new && all->count == HTTP_MODELS_MOST;
    pthread_mutex_unlock(&all->lock);
    int error = full ? 0 : path_of(all, name, path) ? od_atomic_file_open(&file, path) : ENAMETOOLONG;
    if (!full && !error) {
        error = od_atomic_file_write(&file, bytes, size);
        if (error)
            od_atomic_file_discard(&file);
        else
            error = od_atomic_file_commit(&file);
    }
    bool fine = !full && !error && version_of(path, &now) && replace(all, name, l, &now);
    pthread_mutex_unlock(&all->write);
    if (fine) return ODIM_OK;
    drop(l);
    if (full) return serve_fail(why, 507, "there are %d models already", HTTP_MODELS_MOST);
    return fail_disk(why, name, error ? error : EIO);
}

odim_status http_models_delete(http_models *all, const char *given, serve_problem *why)
{
    char name[HTTP_NAME_MOST + 1], path[PATH_MAX];
    bool found;
    if (!*all->dir || !take_name(given, name) || !path_of(all, name, path)) return fail_name(why, given);
    pthread_mutex_lock(&all->write);
    int error = unlink(path) == 0 ? 0 : errno;
    if (!error || error == ENOENT) {
        pthread_mutex_lock(&all->lock);
        int at = place_of(all, name, &found);
        if (found) remove_at(all, at);
        pthread_mutex_unlock(&all->lock);
    }
    pthread_mutex_unlock(&all->write);
    if (error == ENOENT) return fail_name(why, given);
    return error ? serve_fail(why, 500, "the model '%s' cannot be deleted: %s", name, strerror(error))
                 : ODIM_OK;
}
