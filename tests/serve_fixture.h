/* Tables and jobs for the tests of the server's modules: uploads, bodies, waiting, and values in answers. */
#ifndef SERVE_FIXTURE_H
#define SERVE_FIXTURE_H

#include <stdbool.h>

#include "jobs.h"
#include "test.h"
#include "verb.h"

/* What main.c has, for the verbs. */
const char cli_program[] = "odim", cli_examples[] = "";
const cli_verb *const cli_verbs[] = {NULL};
const cli_verb *cli_verb_find(const char *name)
{
    return name ? NULL : *cli_verbs;
}

static serve_problem why;
static serve_text answer; /* of the last call */

/* A copy that the modules can free. */
static inline void *copy_of(const char *text, size_t size)
{
    void *copy = malloc(size + 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* A whole file; NULL if there is none. */
static inline char *file_bytes(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    if (!f) return NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long len = ftell(f);
        rewind(f);
        text = malloc((size_t)len + 1);
        if (text) *size = fread(text, 1, (size_t)len, f);
        if (text) text[*size] = '\0';
    }
    fclose(f);
    return text;
}

/* Where the value of a key begins in a JSON text, from `at` on; NULL: there is none. */
static inline const char *value_in(const char *at, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = at ? strstr(at, quoted) : NULL;
    return found ? found + strlen(quoted) : NULL;
}

static inline const char *value_of(const char *key)
{
    return value_in(answer.bytes, key);
}

static inline double number_of(const char *key)
{
    const char *at = value_of(key);
    return at ? strtod(at, NULL) : NAN;
}

/* Whether the value of a key begins with this text, quotes included. */
static inline bool is_value(const char *key, const char *text)
{
    const char *at = value_of(key);
    return at && strncmp(at, text, strlen(text)) == 0;
}

static inline bool has(const char *text)
{
    return answer.bytes && strstr(answer.bytes, text);
}

static inline int count_of(const char *text)
{
    int count = 0;
    for (const char *at = answer.bytes; at && (at = strstr(at, text)); at += strlen(text)) count++;
    return count;
}

/* Forgets the last answer; for the next call. */
static inline serve_text *fresh(void)
{
    serve_text_free(&answer);
    why = (serve_problem){0};
    return &answer;
}

/* The id that the last answer has under this key. */
static inline void id_of(const char *key, char id[SERVE_ID])
{
    const char *at = value_of(key);
    *id = '\0';
    if (at && *at == '"') snprintf(id, SERVE_ID, "%.*s", SERVE_ID - 1, at + 1);
}

static inline bool no_event(const char *name, const char *data, void *ctx)
{
    (void)name;
    (void)data;
    (void)ctx;
    return true;
}

/* Waits for the end of a job; the answer is its status. */
static inline void wait_for(serve_jobs *j, const char *id)
{
    serve_watch *w;
    if (serve_watch_open(&w, j, id, NULL, NULL, &why)) return;
    while (serve_watch_take(w, no_event, NULL)) serve_watch_wait(w, 10);
    serve_watch_close(w);
    serve_jobs_status(j, id, fresh(), &why);
}

/* Uploads a text; its description is the answer. */
static inline void upload(serve_tables *t, const char *name, const char *text, size_t size, char id[SERVE_ID])
{
    CHECK_INT(serve_tables_add(t, name, copy_of(text, size), size, fresh(), &why), ODIM_OK);
    id_of("table", id);
}

/* Starts a job on a table with this further text in the body, and waits for its end. */
static inline void detect(serve_jobs *j, const char *table, const char *more, char id[SERVE_ID])
{
    char body[1000];
    snprintf(body, sizeof body, "{\"table\": \"%s\"%s}", table, more);
    CHECK_INT(serve_jobs_detect(j, body, strlen(body), id, fresh(), &why), ODIM_OK);
    if (why.status) printf("  %s\n", why.detail);
    wait_for(j, id);
}

static inline void learn(serve_jobs *j, const char *parent, const char *body, char id[SERVE_ID])
{
    CHECK_INT(serve_jobs_learn(j, parent, body, strlen(body), id, fresh(), &why), ODIM_OK);
    wait_for(j, id);
}

#define CHECK_PROBLEM(code, text)                                                                            \
    do {                                                                                                     \
        CHECK_INT(why.status, code);                                                                         \
        CHECK_STR(why.detail, text);                                                                         \
    } while (0)

/*
 * 300 rows in the German manner: a number with a prefix, dates with points, amounts with a comma and a unit,
 * a count, a town. Row 18 has an amount that is a hundred times too high, row 21 has none. Every third row is
 * in MÜNCHEN, from row 3 on; the amount is 10.5 times the count and less than 1 more.
 */
static inline char *german(size_t *size)
{
    static const char *const towns[] = {"Köln", "Bonn", "MÜNCHEN"};
    char *text = NULL;
    FILE *f = open_memstream(&text, size);
    unsigned state = 1;
    if (!f) return NULL;
    fputs("Nr;Datum;Betrag;Menge;Ort;Leer\n", f);
    for (int i = 0; i < 300; i++) {
        state = state * 1103515245u + 12345u;
        int count = 1 + (int)(state >> 16) % 9, cents = 1050 * count + (int)(state >> 8) % 100;
        fprintf(f, "A-%d;%02d.%02d.2024;", i + 1, i % 28 + 1, i / 28 + 1);
        if (i == 17)
            fputs("9.876,50 €", f);
        else if (i != 20)
            fprintf(f, "%d,%02d €", cents / 100, cents % 100);
        fprintf(f, ";%d;%s;\n", count, towns[i % 3]);
    }
    fclose(f);
    return text;
}

#endif
