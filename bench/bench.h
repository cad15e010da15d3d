/* Shared by the benchmarks: errors, clocks, parameters from text, the machine. */
#ifndef BENCH_H
#define BENCH_H

#include "odim.h"

/* Prints the message with the program's name on standard error, and exits with status 1. */
__attribute__((noreturn)) void bench_die(const char *what, const char *why);
void bench_check(const char *what, odim_status status, const odim_error *err);

/* Seconds: on the clock, and of all threads of this process. */
double bench_wall(void);
double bench_cpu(void);

double bench_median(double *values, int count); /* sorts them */

/* A whole number from 1 to `most`, and nothing else in the text. */
long long bench_count(const char *text, long long most);

/* Those of preset paper, which most studies are of. */
odim_params *bench_paper(void);
void bench_set(odim_params *params, const char *name, const char *value);
void bench_assign(odim_params *params, const char *assignment); /* "samples=20" */

/* What the library says of a row with this score: the one place that knows how it is asked. */
int bench_is_called(const odim_model *model, double score);
double bench_probability(const odim_model *model, double score);

/* 1: odd, 2: even */
int bench_half(const char *text);

/* "AMD EPYC, 2 cores; odim 0.1.0, kernels avx2" */
void bench_describe(char *out, size_t size);
/* What was measured with, as the head of a page: machine, preset and seed, the command line. */
void bench_head(int argc, char **argv, odim_params *params);

#endif
