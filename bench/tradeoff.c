/*
 * How do settings trade time against accuracy?
 *
 *     tradeoff [--sets NAME,...] [--seeds N] [--threads N] [--repeat N] [--config FILE] [--resume FILE]
 *     tradeoff > tradeoff.tsv
 *     tradeoff_report < tradeoff.tsv
 *     tradeoff_report --svg < tradeoff.tsv > tradeoff.svg
 *
 * Fits and scores every set of sets.h with every setting and with seeds 0 to N - 1 (5 of them), and writes
 * each run as a row when it is done. --repeat: seconds are the median of that many runs (1).
 *
 * FILE (default: tradeoff.txt beside this file; - is standard input) has a line "NAME: PARAMETER=VALUE ..."
 * for each setting, the first of which the others are compared with. '#' begins a comment.
 *
 * A run that was stopped goes on with --resume and what it wrote: those rows are passed on, not run again.
 * Rows of settings that are gone, or have other parameters now, are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "sets.h"
#include "tradeoff_data.h"

enum { MAX_REPEAT = 101 };

typedef struct options {
    const char *sets;    /* NULL: all */
    const char *threads; /* NULL: the parameter's default */
    const char *config, *resume;
    int seeds, repeat;
} options;

/* ---- settings --------------------------------------------------------------------------------------- */

static FILE *open_file(const char *path)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!f) bench_die(path, "cannot be opened");
    return f;
}

static void read_settings(tradeoff *t, const char *path)
{
    FILE *f = open_file(path);
    char line[SETTING_NAME + SETTING_TEXT];
    while (fgets(line, sizeof line, f)) {
        if (strlen(line) == sizeof line - 1) bench_die(path, "has a line that is too long");
        line[strcspn(line, "#\n")] = '\0';
        if (line[strspn(line, " \t\r")]) tradeoff_add_setting(t, line);
    }
    if (f != stdin) fclose(f);
    if (!t->setting_count) bench_die(path, "holds no setting");
}

static odim_params *make_params(const tradeoff_setting *setting, const char *threads)
{
    odim_params *params = bench_paper();
    char word[SETTING_TEXT];
    for (const char *p = setting->params; sscanf(p, "%159s", word) == 1;) {
        if (strncmp(word, "seed=", 5) == 0 || strncmp(word, "threads=", 8) == 0)
            bench_die(word, "is for --seeds and --threads to say");
        bench_assign(params, word);
        p += strspn(p, " \t") + strlen(word);
    }
    if (threads) bench_set(params, "threads", threads);
    return params;
}

/* ---- running ---------------------------------------------------------------------------------------- */

static tradeoff_row run(const table_set *set, const odim_table *table, const odim_params *params, int repeat)
{
    double wall[MAX_REPEAT], cpu[MAX_REPEAT];
    set_result r = {0};
    for (int i = 0; i < repeat; i++) {
        r = sets_run(set, table, params);
        wall[i] = r.wall;
        cpu[i] = r.cpu;
    }
    return (tradeoff_row){
        .auc = r.auc, .ap = r.ap, .wall = bench_median(wall, repeat), .cpu = bench_median(cpu, repeat)};
}

/* One set with one seed. The settings take turns, so that what slows the machine for a while slows all. */
static void run_settings(const tradeoff *t, odim_params **params, const table_set *set, int seed, int repeat)
{
    char text[16];
    snprintf(text, sizeof text, "%d", seed);
    odim_table *table = NULL;
    for (int i = 0; i < t->setting_count; i++) {
        if (tradeoff_find(t, i, set->name, seed)) continue;
        if (!table) table = sets_read(set);
        bench_set(params[i], "seed", text);
        tradeoff_row row = run(set, table, params[i], repeat);
        row.setting = i;
        row.seed = seed;
        memcpy(row.set, set->name, sizeof row.set);
        tradeoff_print_row(t, &row);
    }
    odim_table_free(table);
}

/* The place in t of a setting with this name and these parameters; -1: there is none. */
static int find_same(const tradeoff *t, const tradeoff_setting *setting)
{
    for (int i = 0; i < t->setting_count; i++)
        if (strcmp(t->settings[i].name, setting->name) == 0 &&
            strcmp(t->settings[i].params, setting->params) == 0)
            return i;
    return -1;
}

/* Takes over the rows of an earlier run. */
static void resume(tradeoff *t, const char *path)
{
    static tradeoff before;
    FILE *f = open_file(path);
    tradeoff_read(&before, f);
    if (f != stdin) fclose(f);
    if (strcmp(before.about, t->about) != 0)
        bench_die(path, "its first line is not what this run would write");
    for (int i = 0; i < before.setting_count; i++)
        if (find_same(t, &before.settings[i]) < 0)
            fprintf(stderr, "tradeoff: %s: setting %s is gone or has changed: its rows are left out\n", path,
                    before.settings[i].name);
    for (int i = 0; i < before.row_count; i++) {
        tradeoff_row row = before.rows[i];
        row.setting = find_same(t, &before.settings[row.setting]);
        if (row.setting >= 0) tradeoff_add_row(t, &row);
    }
    free(before.rows);
}

/* ---- options ---------------------------------------------------------------------------------------- */

static void parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *option = argv[i], *value = argv[i + 1];
        if (!value) bench_die(option, "unknown option, or its value is missing");
        if (strcmp(option, "--sets") == 0)
            o->sets = value;
        else if (strcmp(option, "--threads") == 0)
            o->threads = value;
        else if (strcmp(option, "--config") == 0)
            o->config = value;
        else if (strcmp(option, "--resume") == 0)
            o->resume = value;
        else if (strcmp(option, "--seeds") == 0)
            o->seeds = (int)bench_count(value, MAX_SEEDS);
        else if (strcmp(option, "--repeat") == 0)
            o->repeat = (int)bench_count(value, MAX_REPEAT);
        else
            bench_die(option, "unknown option");
    }
}

/* What must be the same for times to be compared, and the command. */
static void describe(tradeoff *t, const options *o, odim_params *params, int argc, char **argv)
{
    char machine[256];
    bench_describe(machine, sizeof machine);
    snprintf(t->about, sizeof t->about, "%s; threads %s; median of %d", machine,
             odim_params_get(params, "threads"), o->repeat);
    size_t used = (size_t)snprintf(t->command, sizeof t->command, "tradeoff");
    for (int i = 1; i < argc && used < sizeof t->command; i++)
        used += (size_t)snprintf(t->command + used, sizeof t->command - used, " %s", argv[i]);
}

int main(int argc, char **argv)
{
    static table_set sets[MAX_SETS];
    static tradeoff t;
    odim_params *params[MAX_SETTINGS] = {NULL};
    options o = {.config = BENCH_DIR "/tradeoff.txt", .seeds = 5, .repeat = 1};
    parse(&o, argc, argv);
    read_settings(&t, o.config);
    for (int i = 0; i < t.setting_count; i++) params[i] = make_params(&t.settings[i], o.threads);
    int count = sets_find(sets, o.sets);

    describe(&t, &o, params[0], argc, argv);
    if (o.resume) resume(&t, o.resume);
    tradeoff_print(&t);
    for (int seed = 0; seed < o.seeds; seed++)
        for (int i = 0; i < count; i++) run_settings(&t, params, &sets[i], seed, o.repeat);

    for (int i = 0; i < t.setting_count; i++) odim_params_free(params[i]);
    free(t.rows);
    return 0;
}
