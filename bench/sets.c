#include "sets.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

/* ---- finding ---------------------------------------------------------------------------------------- */

/* "31_satimage-2.npz" -> "satimage2" */
static void name_set(char out[SET_NAME], const char *file)
{
    const char *start = file + strspn(file, "0123456789");
    if (start == file || *start != '_') start = file;
    size_t len = 0;
    for (; *start && strcmp(start, ".npz") != 0 && len < SET_NAME - 1; start++)
        if (isalnum((unsigned char)*start)) out[len++] = (char)tolower((unsigned char)*start);
    out[len] = '\0';
}

int sets_listed(const char *list, const char *name)
{
    if (!list) return 1;
    size_t len = strlen(name);
    for (const char *p = list; *p; p += strcspn(p, ",")) {
        p += *p == ',';
        if (strcspn(p, ",") == len && memcmp(p, name, len) == 0) return 1;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const table_set *)a)->name, ((const table_set *)b)->name);
}

/* Each name of the list must have been found. */
static void check_all(const table_set *sets, int count, const char *wanted, const char *folder)
{
    for (const char *p = wanted;; p++) {
        char name[64], why[160];
        int found = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ","), p);
        snprintf(why, sizeof why, "there is no set '%s'", name);
        for (int i = 0; i < count; i++) found |= strcmp(sets[i].name, name) == 0;
        if (!found) bench_die(folder, why);
        p += strcspn(p, ",");
        if (!*p) return;
    }
}

/* Adds those of one folder, in the order of their names, and returns how many there are now. */
static int find_in(table_set sets[MAX_SETS], int count, const char *folder, const char *wanted)
{
    int first = count;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t len = strlen(e->d_name);
        if (len < 4 || strcmp(e->d_name + len - 4, ".npz") != 0) continue;
        if (count == MAX_SETS) bench_die(folder, "too many files");
        name_set(sets[count].name, e->d_name);
        snprintf(sets[count].path, sizeof sets[count].path, "%s/%s", folder, e->d_name);
        sets[count].number = atoi(e->d_name);
        count += sets_listed(wanted, sets[count].name);
    }
    if (dir) closedir(dir);
    qsort(sets + first, (size_t)(count - first), sizeof *sets, by_name);
    return count;
}

static int find(table_set sets[MAX_SETS], const char *wanted, const char *const *folders, int folder_count)
{
    const char *data = getenv("ODIM_DATA");
    char folder[2048];
    int count = 0;
    if (!data) data = "../shared/data";
    snprintf(folder, sizeof folder, "%s/tabular", data);
    if (access(folder, F_OK) != 0) {
        printf("skipped: no data (ODIM_DATA is the folder that holds tabular/*.npz)\n");
        exit(0);
    }
    for (int i = 0; i < folder_count; i++) {
        snprintf(folder, sizeof folder, "%s/%s", data, folders[i]);
        count = find_in(sets, count, folder, wanted);
    }
    if (!wanted && !count) bench_die(data, "holds no .npz file");
    if (wanted) check_all(sets, count, wanted, data);
    return count;
}

int sets_find(table_set sets[MAX_SETS], const char *wanted)
{
    return find(sets, wanted, (const char *const[]){"tabular"}, 1);
}

int sets_find_all(table_set sets[MAX_SETS], const char *wanted)
{
    return find(sets, wanted, (const char *const[]){"tabular", "image-embeddings", "text-embeddings"}, 3);
}

/* ---- running ---------------------------------------------------------------------------------------- */

odim_table *sets_read(const table_set *set)
{
    odim_error err;
    odim_table *table;
    bench_check(set->name, odim_table_read(&table, set->path, NULL, &err), &err);
    if (!odim_table_labels(table)) bench_die(set->path, "has no labels");
    return table;
}

/* Everything but the seconds. */
static void judge(const char *name, const odim_model *model, const double *scores, const int8_t *labels,
                  int64_t n, set_result *r)
{
    odim_error err;
    bench_check(name, odim_auc(scores, labels, n, &r->auc, &err), &err);
    bench_check(name, odim_average_precision(scores, labels, n, &r->ap, &err), &err);
    int members = odim_model_members(model);
    for (int i = 0; i < members; i++) {
        const odim_member_info *info = odim_model_member(model, i);
        r->updates += (double)info->updates / members;
        r->best_update += (double)info->best_update / members;
    }
}

set_result sets_run(const table_set *set, const odim_table *table, const odim_params *params)
{
    set_result r = {0};
    odim_error err;
    odim_model *model;
    int64_t n = odim_table_rows(table);
    double *scores = malloc((size_t)n * sizeof *scores);
    if (!scores) bench_die(set->name, "out of memory");

    double wall = bench_wall(), cpu = bench_cpu();
    bench_check(set->name, odim_fit(table, params, NULL, &model, &err), &err);
    bench_check(set->name, odim_score_raw(model, table, params, NULL, scores, &err), &err);
    r.wall = bench_wall() - wall;
    r.cpu = bench_cpu() - cpu;
    judge(set->name, model, scores, odim_table_labels(table), n, &r);
    free(scores);
    odim_model_free(model);
    return r;
}

set_result sets_detect(const char *name, const odim_table *table, const int8_t *labels,
                       const odim_params *params, double *scores)
{
    set_result r = {0};
    odim_error err;
    odim_model *model;
    double wall = bench_wall(), cpu = bench_cpu();
    bench_check(name, odim_detect(table, params, NULL, &model, scores, &err), &err);
    r.wall = bench_wall() - wall;
    r.cpu = bench_cpu() - cpu;
    /* The paper's figures are of losses, not of verdicts. */
    bench_check(name, odim_score_raw(model, table, params, NULL, scores, &err), &err);
    judge(name, model, scores, labels, odim_table_rows(table), &r);
    odim_model_free(model);
    return r;
}
