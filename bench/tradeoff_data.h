/*
 * What bench/tradeoff writes and bench/tradeoff_report reads: comments (about the machine; the command; a
 * line
 * "# setting NAME: P=V ..." for each setting, the first of which is what the others are compared with), a
 * heading, and a row of tab-separated values for each run.
 */
#ifndef TRADEOFF_DATA_H
#define TRADEOFF_DATA_H

#include <stdio.h>

#include "sets.h"

enum { SETTING_NAME = 32, SETTING_TEXT = 160, ABOUT_TEXT = 512, MAX_SETTINGS = 64, MAX_SEEDS = 64 };

typedef struct tradeoff_setting {
    char name[SETTING_NAME];
    char params[SETTING_TEXT]; /* "samples=20 batch-norm=off" */
} tradeoff_setting;

typedef struct tradeoff_row {
    int setting; /* its place in tradeoff.settings */
    char set[SET_NAME];
    int seed;
    double auc, ap;
    double wall, cpu; /* seconds of fitting and scoring */
} tradeoff_row;

typedef struct tradeoff {
    char about[ABOUT_TEXT], command[ABOUT_TEXT];
    tradeoff_setting settings[MAX_SETTINGS];
    int setting_count;
    tradeoff_row *rows; /* grows; lives as long as the program */
    int row_count;
} tradeoff;

/* All of these end the program when the text is not what it must be. */
void tradeoff_add_setting(tradeoff *t, const char *line); /* "NAME: P=V P=V" */
void tradeoff_add_row(tradeoff *t, const tradeoff_row *row);
void tradeoff_read(tradeoff *t, FILE *f);

/* NULL: no such run. */
const tradeoff_row *tradeoff_find(const tradeoff *t, int setting, const char *set, int seed);

/* To standard output, at once: what is written is not lost when the program is stopped. */
void tradeoff_print(const tradeoff *t);
void tradeoff_print_row(const tradeoff *t, const tradeoff_row *row);

#endif
