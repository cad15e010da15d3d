/*
 * Writes the table of `make demo`: ten days and a half of a cooling-water pump, one reading in five minutes.
 *
 *     cc tools/demo_data.c -lm && ./a.out demo      # writes demo/machine.csv and demo/truth.csv
 *
 * Two things that no sensor shows move nearly all of the ten columns: how much water the plant asks for, and
 * the weather. The motor turns faster when more is asked; flow, pressure, power, current, heat and vibration
 * follow, the temperatures with a lag. Over the days it gets warmer and the bearing a little worse. Into this
 * seven kinds of fault are planted, as runs of a few readings. Many of the faulty values would be fine at
 * another hour: it is the combination that is wrong. An alarm at three standard deviations of any column
 * finds 41 of the 58 faulty readings.
 *
 * The same bytes on every machine: own random numbers, and no more digits than rounding leaves untouched.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "made.h"

#define READINGS     3000
#define MINUTES_EACH 5
#define PER_DAY      (24 * 60 / MINUTES_EACH)
#define TAU          6.283185307179586

typedef struct reading {
    double rpm;                   /* of the motor, 1/min */
    double flow, bar;             /* of the water: l/min, bar */
    double amps, volts, kw;       /* into the motor */
    double vibration;             /* at the bearing, mm/s rms */
    double bearing, winding, air; /* temperatures, degrees Celsius */
} reading;

/* What moves slowly from one reading to the next. */
typedef struct plant {
    double demand_wander, air_wander, volts_wander;
    double bearing, winding; /* true temperatures */
} plant;

static double wander(double *x, double keep, double sigma)
{
    *x = keep * *x + noise(sigma);
    return *x;
}

/* The next healthy reading. */
static reading observe(plant *p, int i)
{
    double day = (double)i / PER_DAY;
    double daily = sin(TAU * (day - 0.4)); /* lowest before dawn, highest in the afternoon */
    double demand = 0.5 + 0.28 * daily + wander(&p->demand_wander, 0.95, 0.016);
    double speed = 0.58 + 0.42 * demand; /* of the nominal one */
    double heavy = speed * speed * speed;
    reading r;

    r.air = 19 + 4.5 * daily + 0.3 * day + wander(&p->air_wander, 0.98, 0.2);
    r.rpm = 1480 * speed + noise(8);
    r.flow = 430 * speed - 60 + noise(7);
    r.bar = 6.2 * speed * speed - 0.7 + noise(0.1);
    r.volts = 402 - 6 * demand + wander(&p->volts_wander, 0.9, 0.6);
    r.kw = 1.2 + 14.5 * heavy + noise(0.25);
    r.amps = 1000 * r.kw / (1.7320508 * 0.86 * r.volts) + noise(0.4);
    p->winding += (r.air + 14 + 38 * heavy - p->winding) / 4;
    p->bearing += (r.air + 2 + 24 * speed + 0.2 * day - p->bearing) / 4;
    r.winding = p->winding + noise(0.7);
    r.bearing = p->bearing + noise(0.6);
    r.vibration = 0.7 + 1.3 * speed * speed + 0.02 * day + noise(0.09);
    return r;
}

/* The faults: what each does to a reading. `grown` goes up to 1 in the course of the run. */

static void bearing_wear(reading *r, double grown)
{
    r->vibration *= 1.15 + 0.6 * grown + noise(0.03);
    r->bearing += 4 + 12 * grown;
}

/* A burst hose before the flow meter: the pump works against less, the meter sees less. */
static void leak(reading *r, double grown)
{
    r->bar *= 0.58 - 0.22 * grown;
    r->flow *= 0.70 - 0.20 * grown;
}

/* Something hard passes the impeller. */
static void current_spike(reading *r, double grown)
{
    (void)grown;
    r->amps += 15 + noise(1);
    r->kw += 9 + noise(0.5);
    r->rpm *= 0.95;
}

/* One phase weak: less voltage, more current, a hot winding, a hum in the vibration. */
static void phase_fault(reading *r, double grown)
{
    r->volts -= 11 + noise(1);
    r->amps *= 1.2;
    r->winding += 6 + 9 * grown;
    r->vibration += 0.4;
}

/* The sensor sticks at what it read when the motor was last started cold. */
static void stuck_sensor(reading *r, double grown)
{
    (void)grown;
    r->winding = 38.5;
}

/* After a service the flow meter sends m3/h, not l/min. */
static void wrong_unit(reading *r, double grown)
{
    (void)grown;
    r->flow *= 0.06;
}

static void swapped_channels(reading *r, double grown)
{
    (void)grown;
    double bearing = r->bearing;
    r->bearing = r->winding;
    r->winding = bearing;
}

static const struct fault {
    const char *kind;
    void (*apply)(reading *r, double grown);
    int day, hour; /* of the first reading; the first day is 1 */
    int length;    /* readings */
} faults[] = {
    {"current_spike", current_spike, 1, 14, 1},
    {"wrong_unit", wrong_unit, 2, 9, 7},
    {"stuck_sensor", stuck_sensor, 2, 15, 6},
    {"leak", leak, 3, 14, 6},
    {"current_spike", current_spike, 3, 20, 2},
    {"swapped_channels", swapped_channels, 4, 13, 6},
    {"phase_fault", phase_fault, 5, 11, 6},
    {"current_spike", current_spike, 5, 22, 2},
    {"bearing_wear", bearing_wear, 6, 17, 10},
    {"current_spike", current_spike, 7, 8, 1},
    {"leak", leak, 8, 16, 5},
    {"current_spike", current_spike, 9, 2, 2},
    {"phase_fault", phase_fault, 10, 2, 4},
};

/* The fault of a reading, and how far it has grown; NULL: none. */
static const struct fault *fault_at(int i, double *grown)
{
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const struct fault *f = &faults[k];
        int since = i - (f->day - 1) * PER_DAY - f->hour * (PER_DAY / 24);
        *grown = (since + 1.0) / f->length;
        if (since >= 0 && since < f->length) return f;
    }
    return NULL;
}

static FILE *create(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(1);
    }
    return f;
}

static void finish(FILE *f)
{
    if (ferror(f) || fclose(f)) {
        perror("demo_data");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: demo_data FOLDER\n", stderr);
        return 2;
    }
    state = 20240721;
    FILE *table = create(argv[1], "machine.csv"), *truth = create(argv[1], "truth.csv");
    plant p = {0, 0, 0, 40, 50};
    for (int i = 0; i < PER_DAY; i++) observe(&p, i - PER_DAY); /* a day to warm up */
    fputs("time,rpm,flow,bar,amps,volts,kW,vib,bearing,winding,air,fault\n", table);
    fputs("row,kind\n", truth);
    for (int i = 0; i < READINGS; i++) {
        reading r = observe(&p, i);
        double grown;
        const struct fault *f = fault_at(i, &grown);
        if (f) {
            f->apply(&r, grown);
            fprintf(truth, "%d,%s\n", i + 1, f->kind);
        }
        int minute = i % PER_DAY * MINUTES_EACH;
        fprintf(table, "07-%02d %02d:%02d,%.0f,%.0f,%.2f,%.1f,%.1f,%.1f,%.2f,%.1f,%.1f,%.1f,%d\n",
                1 + i / PER_DAY, minute / 60, minute % 60, r.rpm, r.flow, r.bar, r.amps, r.volts, r.kw,
                r.vibration, r.bearing, r.winding, r.air, f != NULL);
    }
    finish(table);
    finish(truth);
    return 0;
}
