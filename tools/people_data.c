/*
 * Writes a table as people have them: numbers, categories, a yes and no, dates, gaps, an id and a constant.
 *
 *     cc tools/people_data.c -lm && ./a.out > people.csv
 *
 * 2000 people of a made-up register. Age, education and job go together, income follows from them and from
 * the hours worked; savings are skewed. Into it 20 mistakes are planted, as they happen: a birth year typed
 * as an age, hours and income swapped, a job that no one has, a child with a pension, a date in the wrong
 * century. The last column says which rows they are in.
 *
 * The same bytes on every machine: own random numbers, and no more digits than rounding leaves untouched.
 */
#include <math.h>
#include <stdio.h>

#include "made.h"

#define PEOPLE   2000
#define MISTAKES 20

static int pick(int n)
{
    return (int)(uniform() * n);
}

enum { SCHOOL, COLLEGE, DEGREE };
static const char *const educations[] = {"school", "college", "degree"};
static const char *const jobs[3][4] = {{"driver", "builder", "cook", "clerk"},
                                       {"clerk", "nurse", "technician", "sales"},
                                       {"teacher", "engineer", "doctor", "manager"}};
static const char *const cities[] = {"Aldham", "Berwick", "Carrow", "Dunmore", "Ely"};
static const double wages[] = {13, 17, 26};

typedef struct person {
    int age, hours, year, month, day;
    const char *education, *job, *city, *pension;
    double income, savings;
} person;

static person make(void)
{
    int level = uniform() < 0.4 ? SCHOOL : uniform() < 0.55 ? COLLEGE : DEGREE;
    person p = {.education = educations[level], .city = cities[uniform() < 0.45 ? 0 : pick(5)]};
    p.age = 18 + (int)(uniform() * uniform() * 20 + uniform() * 52);
    p.job = jobs[level][pick(4)];
    p.pension = p.age >= 65 ? "yes" : "no";
    p.hours = p.age >= 65 ? 0 : (int)(38 + noise(5));
    double wage = wages[level] + 0.15 * (p.age - 18) + noise(1.5);
    p.income = p.age >= 65 ? 900 + noise(120) + 300 * level : p.hours * wage * 4.3;
    p.savings = p.income * (p.age - 15) * (0.05 + uniform() * uniform() * 0.4);
    p.year = 2015 + pick(9);
    p.month = 1 + pick(12);
    p.day = 1 + pick(28);
    return p;
}

/* The kinds take turns. */
static void spoil(person *p, int kind)
{
    switch (kind % 5) {
    case 0: p->age = 1900 + 20 + pick(70); break;
    case 1: {
        int hours = p->hours ? p->hours : 40;
        p->hours = (int)p->income;
        p->income = hours;
        break;
    }
    case 2: p->job = kind < 10 ? "astronaut" : "king"; break;
    case 3:
        p->age = 4 + pick(8);
        p->pension = "yes";
        break;
    default: p->year = 1915 + pick(9); break;
    }
}

/* A number, or a gap once in a while. */
static void put(double v, double gaps)
{
    if (uniform() < gaps)
        printf(",");
    else
        printf(",%.0f", floor(v + 0.5));
}

int main(void)
{
    state = 19940501;
    printf("person,joined,age,education,job,city,hours,income,savings,pension,country,mistake\n");
    for (int i = 0, kind = 0; i < PEOPLE; i++) {
        person p = make();
        int bad = i % (PEOPLE / MISTAKES) == 37;
        if (bad) spoil(&p, kind++);
        printf("p%05d,%04d-%02d-%02d,%d,%s,%s,%s", i + 1, p.year, p.month, p.day, p.age, p.education, p.job,
               uniform() < 0.02 ? "NA" : p.city);
        put(p.hours, 0.01);
        put(p.income, bad ? 0 : 0.04);
        put(p.savings, 0.004);
        printf(",%s,GB,%d\n", p.pension, bad);
    }
    return 0;
}
