/* Shared parts of the benchmarks: errors, clocks, parameters, the machine. */
#include "bench.h"

#include "common/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void bench_die(const char *what, const char *why)
{
    fprintf(stderr, BENCH_NAME ": %s: %s\n", what, why);
    exit(1);
}

void bench_check(const char *what, odim_status status, const odim_error *err)
{
    if (status) bench_die(what, err->msg);
}

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_wall(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, od_compare_double);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

long long bench_count(const char *text, long long most)
{
    char *end;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || value < 1 || value > most)
        bench_die(text, "not a number that is possible here");
    return value;
}

odim_params *bench_paper(void)
{
    odim_params *params = odim_params_new();
    if (!params) bench_die("parameters", "out of memory");
    bench_set(params, "preset", "paper");
    return params;
}

void bench_set(odim_params *params, const char *name, const char *value)
{
    odim_error err;
    bench_check(name, odim_params_set(params, name, value, &err), &err);
}

void bench_assign(odim_params *params, const char *assignment)
{
    char name[64];
    size_t len = strcspn(assignment, "=");
    if (assignment[len] != '=' || len >= sizeof name) bench_die(assignment, "not PARAMETER=VALUE");
    memcpy(name, assignment, len);
    name[len] = '\0';
    bench_set(params, name, assignment + len + 1);
}

int bench_is_called(const odim_model *model, double score)
{
    return score > odim_model_threshold(model);
}

double bench_probability(const odim_model *model, double score)
{
    return odim_model_probability(model, score);
}

int bench_half(const char *text)
{
    if (strcmp(text, "odd") == 0) return 1;
    if (strcmp(text, "even") == 0) return 2;
    bench_die(text, "not even or odd");
}

void bench_describe(char *out, size_t size)
{
    char line[256] = "", *model = NULL;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && !model && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) model = strchr(line, ':');
    if (f) fclose(f);
    if (model) model[strcspn(model, "\n")] = '\0';
    snprintf(out, size, "%s, %ld cores; odim %s, kernels %s",
             model ? model + strspn(model, ": ") : "unknown processor", sysconf(_SC_NPROCESSORS_ONLN),
             odim_version(), odim_kernels());
}

void bench_head(int argc, char **argv, odim_params *params)
{
    char about[256];
    bench_describe(about, sizeof about);
    printf("- Machine and version: %s\n", about);
    printf("- Preset: %s, ", odim_params_get(params, "preset"));
    printf("seed: %s\n", odim_params_get(params, "seed"));
    printf("- Command: `bench/" BENCH_NAME);
    for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    printf("`\n\n");
}
