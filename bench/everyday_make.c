/* The list of everyday tables, and the columns they are made of. */
#include "everyday.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "common/compare.h"

/* ---- random numbers --------------------------------------------------------------------------------- */

/* SplitMix64. */
double ed_uniform(ed_random *r)
{
    uint64_t x = r->state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double ed_between(ed_random *r, double low, double high)
{
    return low + (high - low) * ed_uniform(r);
}

double ed_normal(ed_random *r, double mean, double sigma)
{
    double u = 1.0 - ed_uniform(r), angle = 6.283185307179586 * ed_uniform(r);
    return mean + sigma * sqrt(-2.0 * log(u)) * cos(angle);
}

double ed_lognormal(ed_random *r, double median, double sigma)
{
    return median * exp(ed_normal(r, 0.0, sigma));
}

double ed_poisson(ed_random *r, double mean)
{
    double left = exp(-mean), product = ed_uniform(r);
    int n = 0;
    for (; product > left && n < 10000; n++) product *= ed_uniform(r);
    return n;
}

int ed_pick(ed_random *r, int n)
{
    return (int)(ed_uniform(r) * n);
}

int ed_chance(ed_random *r, double share)
{
    return ed_uniform(r) < share;
}

int ed_choose(ed_random *r, int n, const double *weights)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += weights[i];
    double at = sum * ed_uniform(r);
    int i = 0;
    while (i < n - 1 && (at -= weights[i]) >= 0.0) i++;
    return i;
}

double ed_clamp(double v, double low, double high)
{
    return fmax(low, fmin(high, v));
}

double ed_round(double v, int decimals)
{
    double unit = pow(10.0, decimals);
    return floor(v * unit + 0.5) / unit + 0.0; /* no minus zero */
}

/* ---- dates ------------------------------------------------------------------------------------------ */

/* In the calendar of today, which is taken to have held always. */
double ed_day(int year, int month, int day)
{
    int y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (double)(era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468);
}

void ed_civil(double day, int *year, int *month, int *of_month)
{
    int z = (int)day + 719468, era = z / 146097, of_era = z - era * 146097;
    int years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * years + years / 4 - years / 100), mp = (5 * of_year + 2) / 153;
    *of_month = of_year - (153 * mp + 2) / 5 + 1;
    *month = mp < 10 ? mp + 3 : mp - 9;
    *year = years + era * 400 + (*month <= 2);
}

/* ---- tables ----------------------------------------------------------------------------------------- */

/* Tables of one size come in pairs: what has an even number is for choosing rules, what has an odd one for
 * looking once, and both halves have tables of people, of money, of things and of time. */
const ed_spec *ed_spec_of(int number)
{
    static const char *const order[ED_TABLES] = {
        "expenses", "team",     "grades",  "race",   "bills",  "seedlings", "fleet",
        "plates",   "invoices", "members", "clinic", "staff",  "wine",      "houses",
        "pump",     "weather",  "hotel",   "orders", "claims", "survey",    "freight",
        "stock",    "cooling",  "server",  "bank",   "meter",  "trips",     "weblog"};
    const ed_spec *const lists[] = {ed_people, ed_money, ed_things, ed_series};
    for (int i = 0; i < 4; i++)
        for (const ed_spec *s = lists[i]; s->name; s++)
            if (strcmp(s->name, order[number - 1]) == 0) return s;
    bench_die(order[number - 1], "is not made by anything");
}

int ed_find_column(const ed_spec *spec, const char *name)
{
    for (int i = 0; i < ED_COLUMNS && spec->columns[i].name; i++)
        if (strcmp(spec->columns[i].name, name) == 0) return i;
    bench_die(name, "there is no such column");
}

static void *allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) bench_die("table", "out of memory");
    return p;
}

static void fill(ed_table *t, uint64_t state)
{
    ed_random r = {.state = state}, gaps = {.state = state ^ UINT64_C(0x6761707300000000)};
    for (int64_t i = 0; i < t->rows; i++) {
        double *v = t->clean + i * t->cols;
        t->spec->row(&r, i, v);
        for (int c = 0; c < t->cols; c++) {
            const ed_column *column = &t->spec->columns[c];
            v[c] = column->type == ED_NUMBER ? ed_round(v[c], column->decimals) : floor(v[c]);
            if (column->gaps > 0.0 && ed_chance(&gaps, column->gaps)) v[c] = NAN;
        }
    }
}

static void sort_columns(ed_table *t)
{
    for (int c = 0; c < t->cols; c++) {
        t->sorted[c] = allocate((size_t)t->rows, sizeof(double));
        for (int64_t i = 0; i < t->rows; i++)
            if (!isnan(t->clean[i * t->cols + c])) t->sorted[c][t->present[c]++] = t->clean[i * t->cols + c];
        qsort(t->sorted[c], (size_t)t->present[c], sizeof(double), od_compare_double);
    }
}

void ed_make(ed_table *t, int number, uint64_t state)
{
    *t = (ed_table){.spec = ed_spec_of(number), .number = number};
    t->rows = t->spec->rows;
    while (t->cols < ED_COLUMNS && t->spec->columns[t->cols].name) t->cols++;
    size_t cells = (size_t)t->rows * (size_t)t->cols;
    t->clean = allocate(cells, sizeof(double));
    t->spoilt = allocate(cells, sizeof(double));
    t->truth = allocate((size_t)t->rows, sizeof *t->truth);
    uint64_t start = state * UINT64_C(0xd1342543de82ef95) + (uint64_t)number * UINT64_C(0xaf251af3b0f025b5);
    fill(t, start);
    sort_columns(t);
    memcpy(t->spoilt, t->clean, cells * sizeof(double));
    ed_plant_errors(t, ~start);
}

void ed_free(ed_table *t)
{
    for (int c = 0; c < t->cols; c++) free(t->sorted[c]);
    free(t->clean);
    free(t->spoilt);
    free(t->truth);
}

/* ---- files ------------------------------------------------------------------------------------------ */

static void put_date(FILE *to, double day)
{
    int year, month, of_month;
    ed_civil(day, &year, &month, &of_month);
    fprintf(to, "%04d-%02d-%02d", year, month, of_month);
}

/* A value that its column's decimals cannot show, such as 0.075 for 75, has more. */
static void put_number(FILE *to, const ed_column *column, double v)
{
    if (column->before) fputs(column->before, to);
    if (fabs(v - ed_round(v, column->decimals)) < 1e-9 * fmax(1.0, fabs(v)))
        fprintf(to, column->before ? "%05.*f" : "%.*f", column->decimals, v);
    else
        fprintf(to, "%.6g", v);
}

void ed_put_cell(FILE *to, const ed_spec *spec, const ed_column *column, double v)
{
    if (isnan(v)) return;
    switch (column->type) {
    case ED_NUMBER: put_number(to, column, v); break;
    case ED_CATEGORY:
        fputs(v < ED_NEW_LEVEL ? column->levels[(int)v] : spec->plants[(int)v - ED_NEW_LEVEL].text, to);
        break;
    case ED_DATE: put_date(to, v); break;
    case ED_TIME: {
        double day = floor(v / 86400.0);
        int second = (int)(v - day * 86400.0);
        put_date(to, day);
        fprintf(to, " %02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60);
        break;
    }
    }
}

char *ed_csv(const ed_table *t, const double *cells, size_t *size)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    if (!to) bench_die(t->spec->name, "out of memory");
    for (int c = 0; c < t->cols; c++) fprintf(to, "%s%s", c ? "," : "", t->spec->columns[c].name);
    fputc('\n', to);
    for (int64_t i = 0; i < t->rows; i++) {
        for (int c = 0; c < t->cols; c++) {
            if (c) fputc(',', to);
            ed_put_cell(to, t->spec, &t->spec->columns[c], cells[i * t->cols + c]);
        }
        fputc('\n', to);
    }
    if (fclose(to) != 0) bench_die(t->spec->name, "out of memory");
    return text;
}

void ed_write_truth(const ed_table *t, FILE *to)
{
    fprintf(to, "row,kind,gross,column\n");
    for (int64_t i = 0; i < t->rows; i++) {
        const ed_truth *e = &t->truth[i];
        if (!e->kind) continue;
        fprintf(to, "%lld,%s,%d,%s", (long long)i + 1, ed_kind_name(e->kind), e->gross,
                t->spec->columns[e->col].name);
        if (e->other >= 0) fprintf(to, "+%s", t->spec->columns[e->other].name);
        fputc('\n', to);
    }
}
