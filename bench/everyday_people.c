/* Everyday tables about people. */
#include <math.h>

#include "everyday.h"

/* Eight people who share an office. */
static void team(ed_random *r, int64_t i, double *v)
{
    double age = ed_clamp(ed_normal(r, 41, 10), 23, 63);
    *v++ = (double)i;
    *v++ = age;
    *v++ = ed_normal(r, 174, 8);
    *v++ = ed_round(ed_lognormal(r, 41000 + 300 * age, 0.15), -2);
    *v++ = ed_clamp(ed_normal(r, 27, 3), 20, 32);
}

/* Four exams of one class, and homework done. */
static void grades(ed_random *r, int64_t i, double *v)
{
    double able = ed_normal(r, 0, 1);
    *v++ = 101 + (double)i;
    for (int k = 0; k < 4; k++) *v++ = ed_clamp(68 + 11 * able + ed_normal(r, 0, 6), 20, 100);
    *v++ = ed_clamp(ed_round(8 + able + ed_normal(r, 0, 1), 0), 0, 10);
    *v = ed_chance(r, 0.5);
}

/* Runners over ten kilometres. */
static void race(ed_random *r, int64_t i, double *v)
{
    int woman = ed_chance(r, 0.4);
    double pace = ed_lognormal(r, woman ? 5.5 : 5.0, 0.12);
    *v++ = 1 + (double)i;
    *v++ = ed_clamp(ed_normal(r, 38, 11), 18, 70);
    *v++ = woman;
    *v++ = pace * 5 + ed_normal(r, 0, 0.3);
    *v++ = pace * 10 * ed_between(r, 1.0, 1.04);
    *v++ = ed_normal(r, woman ? 172 : 166, 9);
    *v = ed_choose(r, 4, (const double[]){5, 3, 2, 1});
}

/* Members of a gym: most come now and then, some never. */
static void members(ed_random *r, int64_t i, double *v)
{
    int plan = ed_choose(r, 3, (const double[]){60, 30, 10});
    *v++ = 1001 + (double)i;
    *v++ = ed_day(2021, 1, 1) + ed_between(r, 0, 1200);
    *v++ = ed_clamp(ed_lognormal(r, 34, 0.3), 16, 80);
    *v++ = plan;
    *v++ = (double[]){24.9, 39.9, 59.9}[plan];
    *v++ = ed_chance(r, 0.15) ? 0 : ed_poisson(r, 6 + 3 * plan);
    *v++ = ed_chance(r, 0.8);
}

/* Visits to a doctor. */
static void clinic(ed_random *r, int64_t i, double *v)
{
    int woman = ed_chance(r, 0.53), smoker = ed_chance(r, 0.2);
    double age = ed_between(r, 18, 88), height = ed_normal(r, woman ? 165 : 178, 6.5);
    double bmi = ed_lognormal(r, 25, 0.15), systolic = ed_normal(r, 108 + 0.35 * age + (bmi - 25), 9);
    *v++ = 2001 + (double)i;
    *v++ = age;
    *v++ = woman;
    *v++ = height;
    *v++ = bmi * height * height / 1e4;
    *v++ = systolic;
    *v++ = systolic * 0.55 + 12 + ed_normal(r, 0, 5);
    *v++ = ed_clamp(ed_normal(r, 72 + 4 * smoker, 9), 44, 115);
    *v++ = ed_clamp(ed_normal(r, 36.7, 0.3), 35.8, 39);
    *v++ = smoker;
    *v = ed_lognormal(r, 5.1, 0.14);
}

/* A personnel file. */
static void staff(ed_random *r, int64_t i, double *v)
{
    static const double pay[] = {38000, 46000, 52000, 61000, 55000, 72000};
    int department = ed_choose(r, 6, (const double[]){30, 25, 20, 15, 7, 3});
    int man = ed_chance(r, 0.5), part = ed_chance(r, 0.15);
    double age = ed_between(r, 20, 64), since = ed_between(r, 0, fmin(age - 19, 30));
    *v++ = (double)i + 1;
    *v++ = age;
    *v++ = ed_normal(r, man ? 178 : 166, 7);
    *v++ = ed_lognormal(r, man ? 82 : 67, 0.14);
    *v++ = department;
    *v++ = ed_round(ed_lognormal(r, pay[department], 0.18) * (1 + 0.012 * since) * (part ? 0.5 : 1), -2);
    *v++ = part ? 20 : 40;
    *v++ = ed_day(2024, 6, 1) - since * 365;
    *v++ = ed_clamp(ed_poisson(r, 4), 0, 25);
    *v = 0;
}

/* Answers from 1 to 5 that go together, and how long it took. */
static void stats(ed_random *r, int64_t i, double *v)
{
    double mood = ed_normal(r, 0, 0.9), trusted_fraction = 0.6 * mood + ed_normal(r, 0, 0.7);
    *v++ = 1 + (double)i;
    for (int k = 0; k < 6; k++)
        *v++ = ed_clamp(ed_round(3.4 + (k < 3 ? mood : trusted_fraction) + ed_normal(r, 0, 0.6), 0), 1, 5);
    *v++ = ed_clamp(ed_between(r, 18, 80), 18, 79);
    *v++ = ed_choose(r, 5, (const double[]){40, 30, 18, 10, 2});
    *v++ = ed_lognormal(r, 240, 0.45);
    *v = ed_chance(r, 0.3);
}

#define YES_NO                                                                                               \
    {                                                                                                        \
        "no", "yes"                                                                                          \
    }
#define SEXES                                                                                                \
    {                                                                                                        \
        "m", "f"                                                                                             \
    }

const ed_spec ed_people[] = {
    {"team",
     8,
     {{"name", ED_CATEGORY, .levels = {"Anna", "Ben", "Carla", "David", "Eva", "Finn", "Gita", "Hugo"}},
      {"age", .type = ED_NUMBER},
      {"height", ED_NUMBER, .unit = "cm"},
      {"salary", ED_NUMBER, .unit = ED_MONEY},
      {"holidays", .type = ED_NUMBER}},
     team,
     {{ED_EXTRA_DIGIT, "age", .gross = 1}}},
    {"grades",
     30,
     {{"student", ED_NUMBER, .unit = ED_CODE},
      {"exam1", .type = ED_NUMBER},
      {"exam2", .type = ED_NUMBER},
      {"exam3", ED_NUMBER, .gaps = 0.04},
      {"exam4", .type = ED_NUMBER},
      {"homework", .type = ED_NUMBER},
      {"elective", ED_CATEGORY, .levels = {"art", "music"}}},
     grades,
     {{ED_FACTOR10, "exam2", .gross = 1}, {ED_COMBINATION, "exam4", 0.85, 0.06, .other = "exam1"}}},
    {"race",
     30,
     {{"number", ED_NUMBER, .unit = ED_CODE},
      {"age", .type = ED_NUMBER},
      {"sex", ED_CATEGORY, .levels = SEXES},
      {"split_5k", ED_NUMBER, .decimals = 1},
      {"finish_10k", ED_NUMBER, .decimals = 1},
      {"pulse", ED_NUMBER, .gaps = 0.05},
      {"club", ED_CATEGORY, .levels = {"none", "Harriers", "Tri Team", "City Runners"}}},
     race,
     {{ED_PLACEHOLDER, "pulse", 0, .gross = 1}, {ED_SWAP, "split_5k", .other = "finish_10k"}}},
    {"members",
     120,
     {{"member", ED_NUMBER, .unit = ED_CODE},
      {"joined", .type = ED_DATE},
      {"age", .type = ED_NUMBER},
      {"plan", ED_CATEGORY, .levels = {"basic", "plus", "premium"}},
      {"fee", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"visits", .type = ED_NUMBER},
      {"active", ED_CATEGORY, .levels = YES_NO}},
     members,
     {{ED_WRONG_YEAR, "joined", 1900, .gross = 1},
      {ED_EXTRA_DIGIT, "age", .gross = 1},
      {ED_COMBINATION, "fee", 0, 0.99, .other = "plan"},
      {ED_MISSPELT, "plan", .text = "premuim"}}},
    {"clinic",
     300,
     {{"patient", ED_NUMBER, .before = "P"},
      {"age", .type = ED_NUMBER},
      {"sex", ED_CATEGORY, .levels = SEXES},
      {"height", ED_NUMBER, .gaps = 0.02, .unit = "cm"},
      {"weight", ED_NUMBER, .decimals = 1, .gaps = 0.02, .unit = "kg"},
      {"systolic", .type = ED_NUMBER},
      {"diastolic", .type = ED_NUMBER},
      {"pulse", .type = ED_NUMBER},
      {"temperature", ED_NUMBER, .decimals = 1, .unit = ED_CELSIUS},
      {"smoker", ED_CATEGORY, .levels = YES_NO},
      {"glucose", ED_NUMBER, 1, .gaps = 0.1}},
     clinic,
     {{ED_UNIT, "temperature", 1.8, 32, .gross = 1},
      {ED_EXTRA_DIGIT, "age", .gross = 1},
      {ED_SWAP, "systolic", .other = "diastolic"},
      {ED_FACTOR10, "weight", .gross = 1},
      {ED_UNIT, "height", 0.3937, 0, .gross = 1},
      {ED_GAP, .column = "pulse"},
      {ED_COMBINATION, "diastolic", 0.1, 0.93, .other = "systolic"}}},
    {"staff",
     300,
     {{"id", ED_NUMBER, .before = "E"},
      {"age", .type = ED_NUMBER},
      {"height", ED_NUMBER, .unit = "cm"},
      {"weight", ED_NUMBER, .gaps = 0.03, .unit = "kg"},
      {"department", ED_CATEGORY, .levels = {"production", "sales", "office", "IT", "research", "board"}},
      {"salary", ED_NUMBER, .unit = ED_MONEY},
      {"hours", .type = ED_NUMBER},
      {"entry", .type = ED_DATE},
      {"sick_days", .type = ED_NUMBER},
      {"company", ED_CATEGORY, .levels = {"Acme"}}},
     staff,
     {{ED_EXTRA_DIGIT, "age", .gross = 1},
      {ED_UNIT, "height", 0.01, 0, .gross = 1},
      {ED_FACTOR100, "salary", .gross = 1},
      {ED_SWAP, "height", .other = "weight"},
      {ED_WRONG_YEAR, "entry", 2205, .gross = 1},
      {ED_RARE, "department", .text = "clown"},
      {ED_COMBINATION, "salary", 0.9, 0.02, .other = "hours"},
      {ED_GAP, .column = "salary"}}},
    {"survey",
     1200,
     {{"respondent", ED_NUMBER, .unit = ED_CODE},
      {"service", .type = ED_NUMBER},
      {"price", .type = ED_NUMBER},
      {"quality", .type = ED_NUMBER},
      {"honesty", ED_NUMBER, .gaps = 0.02},
      {"trust", ED_NUMBER, .gaps = 0.02},
      {"return", .type = ED_NUMBER},
      {"age", ED_NUMBER, .gaps = 0.05},
      {"region", ED_CATEGORY, .levels = {"north", "south", "east", "west", "abroad"}},
      {"seconds", .type = ED_NUMBER},
      {"newsletter", ED_CATEGORY, .levels = {"false", "true"}}},
     stats,
     {{ED_PLACEHOLDER, "price", 99, .gross = 1},
      {ED_EXTRA_DIGIT, "quality", .count = 2, .gross = 1},
      {ED_EXTRA_DIGIT, "age", .gross = 1},
      {ED_MISSPELT, "region", .text = "sotuh"},
      {ED_FACTOR1000, "seconds", .gross = 1},
      {ED_GAP, .column = "service"},
      {ED_PLACEHOLDER, "seconds", .a = -1}}},
    {0}};
