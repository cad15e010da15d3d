/* Reads and writes the runs that bench/tradeoff measured. */
#include "tradeoff_data.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define BLANK     " \t\r\n"
#define HEADING   "setting\tset\tseed\tauc\tap\twall_s\tcpu_s\n"
#define COMMAND   "# command: "
#define SETTING   "# setting "
#define ROW_BLOCK 1024

static int find_setting(const tradeoff *t, const char *name)
{
    for (int i = 0; i < t->setting_count; i++)
        if (strcmp(t->settings[i].name, name) == 0) return i;
    return -1;
}

void tradeoff_add_setting(tradeoff *t, const char *line)
{
    tradeoff_setting s = {.name = ""};
    size_t name = strcspn(line, ":" BLANK);
    if (name == 0 || name >= sizeof s.name || line[name] != ':')
        bench_die(line, "not NAME: PARAMETER=VALUE ...");
    memcpy(s.name, line, name);
    const char *params = line + name + 1 + strspn(line + name + 1, BLANK);
    size_t len = strlen(params);
    while (len && strchr(BLANK, params[len - 1])) len--;
    if (len >= sizeof s.params) bench_die(s.name, "too many parameters");
    memcpy(s.params, params, len);
    if (find_setting(t, s.name) >= 0) bench_die(s.name, "is there twice");
    if (t->setting_count == MAX_SETTINGS) bench_die(s.name, "too many settings");
    t->settings[t->setting_count++] = s;
}

void tradeoff_add_row(tradeoff *t, const tradeoff_row *row)
{
    if (t->row_count % ROW_BLOCK == 0) {
        t->rows = realloc(t->rows, ((size_t)t->row_count + ROW_BLOCK) * sizeof *t->rows);
        if (!t->rows) bench_die("rows", "out of memory");
    }
    t->rows[t->row_count++] = *row;
}

static void parse_row(tradeoff *t, const char *line)
{
    tradeoff_row r;
    char name[SETTING_NAME];
    if (sscanf(line, "%31s %63s %d %lf %lf %lf %lf", name, r.set, &r.seed, &r.auc, &r.ap, &r.wall, &r.cpu) !=
            7 ||
        !(r.cpu > 0))
        bench_die(line, "not a line that bench/tradeoff writes");
    r.setting = find_setting(t, name);
    if (r.setting < 0) bench_die(name, "is not among the settings at the head");
    if (tradeoff_find(t, r.setting, r.set, r.seed)) bench_die(line, "is there twice");
    tradeoff_add_row(t, &r);
}

static int starts_with(const char *line, const char *start)
{
    return strncmp(line, start, strlen(start)) == 0;
}

static void copy_comment(char out[ABOUT_TEXT], const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > ABOUT_TEXT) bench_die(text, "too long");
    memcpy(out, text, size);
}

void tradeoff_read(tradeoff *t, FILE *f)
{
    char line[2 * ABOUT_TEXT];
    while (fgets(line, sizeof line, f)) {
        size_t len = strcspn(line, "\n");
        if (!line[len] && feof(f)) return; /* was cut off */
        line[len] = '\0';
        if (starts_with(line, SETTING))
            tradeoff_add_setting(t, line + strlen(SETTING));
        else if (starts_with(line, COMMAND))
            copy_comment(t->command, line + strlen(COMMAND));
        else if (starts_with(line, "# "))
            copy_comment(t->about, line + 2);
        else if (!starts_with(line, "setting\t"))
            parse_row(t, line);
    }
}

const tradeoff_row *tradeoff_find(const tradeoff *t, int setting, const char *set, int seed)
{
    for (int i = 0; i < t->row_count; i++) {
        const tradeoff_row *r = &t->rows[i];
        if (r->setting == setting && r->seed == seed && strcmp(r->set, set) == 0) return r;
    }
    return NULL;
}

void tradeoff_print(const tradeoff *t)
{
    printf("# %s\n" COMMAND "%s\n", t->about, t->command);
    for (int i = 0; i < t->setting_count; i++)
        printf(SETTING "%s: %s\n", t->settings[i].name, t->settings[i].params);
    fputs(HEADING, stdout);
    for (int i = 0; i < t->row_count; i++) tradeoff_print_row(t, &t->rows[i]);
    fflush(stdout);
}

void tradeoff_print_row(const tradeoff *t, const tradeoff_row *row)
{
    printf("%s\t%s\t%d\t%.6f\t%.6f\t%.4g\t%.4g\n", t->settings[row->setting].name, row->set, row->seed,
           row->auc, row->ap, row->wall, row->cpu);
    fflush(stdout);
}
