/* Uploaded tables: the registry, the bytes, and the count of all memory. */
#include "uploads.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/platform.h"
#include "common/mem.h"
#include "parsed.h"

struct serve_memory {
    pthread_mutex_t lock;
    int64_t used, limit;
    serve_tables *tables; /* that make room */
};

/* An upload. The registry's lock guards everything but the bytes, the name and the id, which do not change;
 * a reference keeps these. */
typedef struct upload {
    char id[SERVE_ID];
    char *name;
    void *bytes;
    size_t size;
    serve_parsed *parsed;  /* as it was read last; NULL: that failed, */
    serve_problem problem; /* for this reason */
    serve_options options; /* as tried last */
    int refs;              /* the registry's, and one for each call that uses it */
    struct upload *next;   /* the one used next longest ago */
} upload;

struct serve_tables {
    serve_limits limits;
    serve_memory memory;
    pthread_mutex_t lock;
    upload *first; /* the one used last */
    int count;
    bool (*evict)(void *ctx);
    void *evict_ctx;
};

double serve_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double serve_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

odim_status serve_new_id(char id[SERVE_ID], serve_problem *why)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[(SERVE_ID - 1) / 2];
    if (od_platform_random(bytes, sizeof bytes) != 0)
        return serve_fail(why, 500, "the system has no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++) {
        id[2 * i] = digits[bytes[i] >> 4];
        id[2 * i + 1] = digits[bytes[i] & 15];
    }
    id[SERVE_ID - 1] = '\0';
    return ODIM_OK;
}

char *serve_name(const char *name)
{
    enum { LONGEST = 200 };
    const char *base = name;
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '\\') base = c + 1;
    size_t len = strlen(base);
    if (len > LONGEST) base += len - LONGEST; /* its ending tells the format */
    while (((unsigned char)*base & 0xC0) == 0x80) base++;
    return *base ? od_strndup(base, strlen(base)) : od_strndup("table", 5);
}

/* ---- memory ----------------------------------------------------------------------------------------- */

static bool evict_table(serve_tables *t);

odim_status serve_memory_take(serve_memory *m, int64_t bytes, serve_problem *why)
{
    serve_tables *t = m->tables;
    for (;;) {
        pthread_mutex_lock(&m->lock);
        bool fits = bytes <= m->limit - m->used;
        if (fits) m->used += bytes;
        pthread_mutex_unlock(&m->lock);
        if (fits) return ODIM_OK;
        if (bytes <= m->limit && ((t->evict && t->evict(t->evict_ctx)) || evict_table(t))) continue;
        return serve_fail(why, 413, "this needs %lld MiB of memory, of which the server allows %lld MiB",
                          (long long)(bytes >> 20) + 1, (long long)(m->limit >> 20));
    }
}

void serve_memory_give(serve_memory *m, int64_t bytes)
{
    pthread_mutex_lock(&m->lock);
    m->used -= bytes;
    pthread_mutex_unlock(&m->lock);
}

int64_t serve_memory_left(serve_memory *m)
{
    pthread_mutex_lock(&m->lock);
    int64_t left = m->limit - m->used;
    pthread_mutex_unlock(&m->lock);
    return left;
}

int64_t serve_tables_memory(serve_tables *t, int64_t *limit)
{
    if (limit) *limit = t->memory.limit;
    return t->memory.limit - serve_memory_left(&t->memory);
}

serve_memory *serve_tables_count_memory(serve_tables *t)
{
    return &t->memory;
}

const serve_limits *serve_tables_limits(const serve_tables *t)
{
    return &t->limits;
}

void serve_tables_set_evict(serve_tables *t, bool (*evict)(void *ctx), void *ctx)
{
    t->evict = evict;
    t->evict_ctx = ctx;
}

/* ---- the registry ----------------------------------------------------------------------------------- */

static serve_limits complete(const serve_limits *given)
{
    enum { MILLION = 1000000 };
    serve_limits l = given ? *given : (serve_limits){0};
    if (l.memory <= 0) l.memory = (int64_t)(od_mem_physical() / 2);
    if (l.rows <= 0) l.rows = 50 * MILLION;
    if (l.columns <= 0) l.columns = 16384;
    if (l.tables <= 0) l.tables = 100;
    if (l.jobs <= 0) l.jobs = 200;
    if (l.queue <= 0) l.queue = 16;
    if (l.workers <= 0) l.workers = 1;
    return l;
}

odim_status serve_tables_new(serve_tables **out, const serve_limits *limits, serve_problem *why)
{
    serve_tables *t = *out = od_calloc(1, sizeof *t);
    if (!t) return serve_fail_nomem(why);
    t->limits = complete(limits);
    t->memory.limit = t->limits.memory;
    t->memory.tables = t;
    pthread_mutex_init(&t->lock, NULL);
    pthread_mutex_init(&t->memory.lock, NULL);
    return ODIM_OK;
}

/* The registry's lock is not held. */
static void free_upload(serve_tables *t, upload *u)
{
    serve_parsed_unref(u->parsed);
    serve_options_free(&u->options);
    serve_memory_give(&t->memory, (int64_t)u->size);
    free(u->bytes);
    od_free(u->name);
    od_free(u);
}

void serve_tables_free(serve_tables *t)
{
    if (!t) return;
    for (upload *u = t->first, *next; u; u = next) {
        next = u->next;
        free_upload(t, u);
    }
    pthread_mutex_destroy(&t->memory.lock);
    pthread_mutex_destroy(&t->lock);
    od_free(t);
}

int serve_tables_count(serve_tables *t)
{
    pthread_mutex_lock(&t->lock);
    int count = t->count;
    pthread_mutex_unlock(&t->lock);
    return count;
}

static void release(serve_tables *t, upload *u)
{
    pthread_mutex_lock(&t->lock);
    bool last = --u->refs == 0;
    pthread_mutex_unlock(&t->lock);
    if (last) free_upload(t, u);
}

/* Takes an upload out of the list; the lock is held, and the registry's reference goes to the caller. */
static upload *detach(serve_tables *t, upload *u)
{
    upload **at = &t->first;
    while (*at && *at != u) at = &(*at)->next;
    if (!*at) return NULL;
    *at = u->next;
    t->count--;
    return u;
}

/* The lock is held. */
static upload *find(serve_tables *t, const char *id)
{
    upload *u = t->first;
    while (u && strcmp(u->id, id) != 0) u = u->next;
    return u;
}

/* The one that was used longest ago and is not in use. Jobs have their own reference to what was read. */
static bool evict_table(serve_tables *t)
{
    upload *oldest = NULL;
    pthread_mutex_lock(&t->lock);
    for (upload *u = t->first; u; u = u->next)
        if (u->refs == 1) oldest = u;
    if (oldest) detach(t, oldest);
    pthread_mutex_unlock(&t->lock);
    if (oldest) free_upload(t, oldest);
    return oldest != NULL;
}

/* A reference, which makes it the one used last; NULL: there is none. */
static upload *take(serve_tables *t, const char *id, serve_problem *why)
{
    pthread_mutex_lock(&t->lock);
    upload *u = find(t, id);
    if (u) {
        detach(t, u);
        u->next = t->first;
        t->first = u;
        t->count++;
        u->refs++;
    }
    pthread_mutex_unlock(&t->lock);
    if (!u) serve_fail(why, 404, "there is no such table; it may have been deleted to make room");
    return u;
}

/* ---- what clients ask ------------------------------------------------------------------------------- */

static odim_status describe(serve_tables *t, upload *u, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    serve_problem problem;
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    pthread_mutex_lock(&t->lock);
    serve_parsed *parsed = serve_parsed_ref(u->parsed);
    problem = u->problem;
    pthread_mutex_unlock(&t->lock);
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    cli_json_string(&j, "table", u->id);
    cli_json_string(&j, "name", u->name);
    cli_json_int(&j, "bytes", (int64_t)u->size);
    if (parsed) {
        serve_parsed_json(parsed, &j);
    } else {
        cli_json_raw(&j, "rows", "0");
        cli_json_raw(&j, "columns", "[]");
        cli_json_raw(&j, "preview", "{\"rows\": []}");
        cli_json_raw(&j, "notes", "[]");
        cli_json_raw(&j, "options", "{}");
        serve_problem_json(&problem, "problem", &j);
    }
    serve_choices_json(u->name, u->bytes, u->size, &j);
    cli_json_end(&j);
    serve_parsed_unref(parsed);
    return serve_text_end(&to, out, why);
}

/* Whether other options may help: it is a text, or there is something to choose. */
static bool may_help(const upload *u, odim_status status)
{
    enum { LOOKED_AT = 4096 };
    if (status != ODIM_ERR_DATA && status != ODIM_ERR_FORMAT && status != ODIM_ERR_PARAM) return false;
    size_t len = u->size < LOOKED_AT ? u->size : LOOKED_AT;
    return (len > 0 && !memchr(u->bytes, 0, len)) || serve_choices_exist(u->name, u->bytes, u->size);
}

static odim_status insert(serve_tables *t, upload *u, serve_problem *why)
{
    odim_status status = ODIM_OK;
    for (bool full = true; full && !status;) {
        pthread_mutex_lock(&t->lock);
        full = t->count >= t->limits.tables;
        if (!full) {
            u->next = t->first;
            t->first = u;
            t->count++;
            u->refs++;
        }
        pthread_mutex_unlock(&t->lock);
        if (full && !evict_table(t)) status = serve_fail(why, 503, "there are too many tables in use");
    }
    return status;
}

odim_status serve_tables_add(serve_tables *t, const char *name, void *bytes, size_t size, serve_text *out,
                             serve_problem *why)
{
    serve_problem problem = {0};
    *out = (serve_text){0};
    upload *u = od_calloc(1, sizeof *u);
    if (!u) {
        free(bytes);
        return serve_fail_nomem(why);
    }
    u->bytes = bytes;
    u->refs = 1;
    odim_status status = serve_memory_take(&t->memory, (int64_t)size, why);
    if (!status) u->size = size; /* what is counted */
    if (!status && !(u->name = serve_name(name))) status = serve_fail_nomem(why);
    if (!status) status = serve_new_id(u->id, why);
    if (!status) {
        odim_status read = serve_parsed_read(&u->parsed, &t->memory, &t->limits, u->name, bytes, size,
                                             &u->options, &problem);
        u->problem = problem;
        if (read && (problem.status == 413 || !may_help(u, read))) {
            status = read;
            if (why) *why = problem;
        }
    }
    if (!status) status = insert(t, u, why);
    if (!status) status = describe(t, u, out, why);
    release(t, u);
    return status;
}

/* The bytes are read without a lock. Of two reads at a time, the later to end counts. */
odim_status serve_tables_read(serve_tables *t, const char *id, const char *body, size_t size, serve_text *out,
                              serve_problem *why)
{
    serve_request request = {0};
    serve_parsed *parsed = NULL;
    *out = (serve_text){0};
    odim_status status = serve_request_parse(&request, body, size, why);
    upload *u = status ? NULL : take(t, id, why);
    if (!status && !u) status = ODIM_ERR_PARAM;
    if (!status)
        status = serve_parsed_read(&parsed, &t->memory, &t->limits, u->name, u->bytes, u->size,
                                   &request.options, why);
    if (!status) {
        pthread_mutex_lock(&t->lock);
        serve_parsed *old = u->parsed;
        u->parsed = parsed;
        pthread_mutex_unlock(&t->lock);
        serve_parsed_unref(old);
        status = describe(t, u, out, why);
    }
    if (u) release(t, u);
    serve_request_free(&request);
    return status;
}

odim_status serve_tables_get(serve_tables *t, const char *id, serve_text *out, serve_problem *why)
{
    *out = (serve_text){0};
    upload *u = take(t, id, why);
    if (!u) return ODIM_ERR_PARAM;
    odim_status status = describe(t, u, out, why);
    release(t, u);
    return status;
}

odim_status serve_tables_delete(serve_tables *t, const char *id, serve_problem *why)
{
    pthread_mutex_lock(&t->lock);
    upload *u = find(t, id);
    if (u) detach(t, u);
    pthread_mutex_unlock(&t->lock);
    if (!u) return serve_fail(why, 404, "there is no such table");
    release(t, u);
    return ODIM_OK;
}

/* ---- for jobs --------------------------------------------------------------------------------------- */

/* Options as text, with the id that a table has if none is given. */
static odim_status write_options(const serve_options *o, const char *id, serve_text *out, serve_problem *why)
{
    serve_text_out to;
    odim_status status = serve_text_begin(&to, why);
    if (status) return status;
    cli_json j = {.out = &to.out, .line = true};
    cli_json_begin(&j, NULL, '{');
    serve_options_json(o, id, &j);
    cli_json_end(&j);
    return serve_text_end(&to, out, why);
}

static odim_status same_options(const serve_parsed *p, const serve_options *o, bool *same, serve_problem *why)
{
    serve_text a = {0}, b = {0};
    const char *id = odim_table_id_name(p->table);
    odim_status status = write_options(&p->options, id ? id : "", &a, why);
    if (!status) status = write_options(o, id ? id : "", &b, why);
    *same = !status && a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    serve_text_free(&a);
    serve_text_free(&b);
    return status;
}

static odim_status find_parsed(serve_tables *t, upload *u, const serve_options *options, serve_parsed **out,
                               serve_problem *why)
{
    bool same = true;
    *out = NULL;
    pthread_mutex_lock(&t->lock);
    serve_parsed *parsed = serve_parsed_ref(u->parsed);
    serve_problem problem = u->problem;
    pthread_mutex_unlock(&t->lock);
    if (!parsed && !options) {
        if (why) *why = problem;
        return ODIM_ERR_DATA;
    }
    odim_status status = parsed && options ? same_options(parsed, options, &same, why) : ODIM_OK;
    if (!status && same) *out = serve_parsed_ref(parsed);
    serve_parsed_unref(parsed);
    return status;
}

odim_status serve_tables_find(serve_tables *t, const char *id, const serve_options *options,
                              serve_parsed **out, char **name, serve_problem *why)
{
    *out = NULL;
    *name = NULL;
    upload *u = take(t, id, why);
    if (!u) return ODIM_ERR_PARAM;
    odim_status status = find_parsed(t, u, options, out, why);
    if (!status && !(*name = od_strndup(u->name, strlen(u->name)))) status = serve_fail_nomem(why);
    if (status) serve_parsed_unref(*out);
    if (status) *out = NULL;
    release(t, u);
    return status;
}

odim_status serve_tables_parse(serve_tables *t, const char *id, const serve_options *options,
                               serve_parsed **out, serve_problem *why)
{
    *out = NULL;
    upload *u = take(t, id, why);
    if (!u) return ODIM_ERR_PARAM;
    odim_status status = find_parsed(t, u, options, out, why);
    if (!status && !*out)
        status = serve_parsed_read(out, &t->memory, &t->limits, u->name, u->bytes, u->size, options, why);
    release(t, u);
    return status;
}
