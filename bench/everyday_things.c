/* Everyday tables about things that are measured, counted or moved. */
#include <math.h>

#include "everyday.h"

/* How seedlings grow under two lamps. */
static void seedlings(ed_random *r, int64_t i, double *v)
{
    double days = 7 * (double)(1 + i % 5), lamp = (double)(i / 15);
    double height = days * (0.5 + 0.12 * lamp) + ed_normal(r, 0, 0.8);
    *v++ = days;
    *v++ = lamp;
    *v++ = ed_clamp(height, 1, 99);
    *v++ = ed_clamp(ed_round(2 + height / 2.5 + ed_normal(r, 0, 0.7), 0), 1, 40);
    *v = ed_normal(r, 21.5, 0.6);
}

/* Refuelling of company cars. */
static void fleet(ed_random *r, int64_t i, double *v)
{
    int model = ed_choose(r, 3, (const double[]){50, 35, 15}), diesel = model == 2 || ed_chance(r, 0.3);
    double use = ed_normal(r, (double[]){5.8, 7.1, 9.4}[model], 0.45),
           trip = ed_clamp(ed_normal(r, 560, 110), 250, 900);
    *v++ = model;
    *v++ = diesel;
    *v++ = ed_lognormal(r, 62000, 0.6) + 20 * (double)i;
    *v++ = trip;
    *v++ = trip * use / 100;
    *v++ = use;
    *v = (diesel ? 1.62 : 1.75) + ed_normal(r, 0, 0.04);
}

/* A plate of 96 wells: three replicates of 32 samples. */
static void plates(ed_random *r, int64_t i, double *v)
{
    if (i % 3 == 0) r->memory[0] = ed_lognormal(r, 0.8, 0.4);
    double signal = r->memory[0];
    *v++ = (double)(i / 12);
    *v++ = (double)(i % 12) + 1;
    *v++ = (double)(i / 3) + 1;
    *v++ = signal * ed_normal(r, 1, 0.03) + 0.05;
    *v++ = signal * ed_normal(r, 1.6, 0.05) + 0.07;
    *v++ = ed_normal(r, 37, 0.05);
    *v = 200;
}

/* Chemistry of wines of three growers. */
static void wine(ed_random *r, int64_t i, double *v)
{
    int grower = ed_choose(r, 3, (const double[]){40, 35, 25});
    double ripe = ed_normal(r, 0.5 * grower, 1),
           alcohol = ed_clamp(11.8 + 0.7 * ripe + ed_normal(r, 0, 0.3), 8.5, 15);
    *v++ = grower;
    *v++ = alcohol;
    *v++ = ed_clamp(7.4 - 0.5 * ripe + ed_normal(r, 0, 0.6), 4, 12);
    *v++ = ed_lognormal(r, 0.4, 0.35);
    *v++ = ed_lognormal(r, 2.4, 0.5);
    *v++ = ed_normal(r, 3.3 + 0.08 * ripe, 0.09);
    *v++ = 1.0005 - 0.0011 * (alcohol - 10) + ed_normal(r, 0, 0.0005);
    *v++ = ed_lognormal(r, 34, 0.35);
    *v++ = ed_lognormal(r, 0.62, 0.18);
    *v = ed_clamp(ed_round(5.6 + 0.5 * ripe + ed_normal(r, 0, 0.6), 0), 3, 9);
    (void)i;
}

/* Parcels and pallets. */
static void freight(ed_random *r, int64_t i, double *v)
{
    int carrier = ed_choose(r, 4, (const double[]){45, 35, 18, 2}), express = ed_chance(r, 0.2);
    double weight = ed_lognormal(r, 12, 0.9), distance = ed_clamp(ed_lognormal(r, 210, 0.7), 5, 1900);
    *v++ = ed_day(2024, 1, 1) + floor((double)i / 20);
    *v++ = carrier;
    *v++ = weight;
    *v++ = weight * 0.0042 * ed_lognormal(r, 1, 0.25);
    *v++ = distance;
    *v++ = distance / 55 + ed_lognormal(r, 2, 0.3);
    *v++ = express;
    *v++ = (5 + 0.28 * weight + 0.03 * distance) * (express ? 1.6 : 1) * ed_lognormal(r, 1, 0.06);
    *v++ = ed_chance(r, 0.98);
}

/* Counts in a warehouse: mostly small, often none. */
static void stock(ed_random *r, int64_t i, double *v)
{
    int row_sample = ed_pick(r, 6), out = ed_chance(r, 0.35);
    double pack = (double[]){1, 6, 10, 12, 24}[ed_choose(r, 5, (const double[]){40, 20, 15, 15, 10})];
    double sold = ed_poisson(r, ed_lognormal(r, 4, 0.7));
    *v++ = 400001 + (double)i;
    *v++ = row_sample;
    *v++ = pack;
    *v++ = out ? 0 : pack * ed_poisson(r, 5);
    *v++ = ed_chance(r, 0.7) ? 0 : pack * (1 + ed_pick(r, 10));
    *v++ = sold;
    *v++ = ed_lognormal(r, 7.5, 0.8);
    *v++ = ed_chance(r, 0.94) ? 0 : 1 + ed_pick(r, 3);
    *v++ = ed_day(2024, 4, 1) + ed_between(r, 0, 60);
}

/* Trips by taxi. */
static void trips(ed_random *r, int64_t i, double *v)
{
    int airport = ed_chance(r, 0.06), card = ed_chance(r, 0.65);
    double km = airport ? ed_normal(r, 27, 3) : ed_clamp(ed_lognormal(r, 3.1, 0.7), 0.4, 60);
    double pace = ed_lognormal(r, airport ? 1.6 : 3.0, 0.25), fare = 3.5 + 2.1 * km + 0.35 * km * pace;
    *v++ = ed_day(2024, 2, 1) * 86400 + (double)i * 30 + ed_between(r, 0, 30);
    *v++ = 1 + ed_choose(r, 5, (const double[]){70, 17, 6, 5, 2});
    *v++ = km;
    *v++ = km * pace;
    *v++ = airport ? 5 : ed_pick(r, 5);
    *v++ = card;
    *v++ = fare;
    *v++ = card && ed_chance(r, 0.7) ? fare * ed_between(r, 0.05, 0.25) : 0;
}

const ed_spec ed_things[] = {
    {"seedlings",
     30,
     {{"days", .type = ED_NUMBER},
      {"lamp", ED_CATEGORY, .levels = {"white", "red"}},
      {"height_cm", ED_NUMBER, .decimals = 1},
      {"leaves", .type = ED_NUMBER},
      {"temperature", ED_NUMBER, .decimals = 1, .unit = ED_CELSIUS}},
     seedlings,
     {{ED_UNIT, "height_cm", 10, 0, .gross = 1},
      {ED_COMBINATION, "height_cm", 0.9, 0.05, .other = "days"},
      {ED_UNIT, "temperature", 1.8, 32, .gross = 1}}},
    {"fleet",
     100,
     {{"model", ED_CATEGORY, .levels = {"city", "estate", "van"}},
      {"fuel", ED_CATEGORY, .levels = {"petrol", "diesel"}},
      {"odometer", ED_NUMBER, .unit = "km"},
      {"km", ED_NUMBER, .unit = "km"},
      {"liters", ED_NUMBER, .decimals = 1},
      {"per_100km", ED_NUMBER, .decimals = 1},
      {"price", ED_NUMBER, .decimals = 2, .gaps = 0.03, .unit = ED_MONEY}},
     fleet,
     {{ED_FACTOR10, "liters", .gross = 1},
      {ED_FACTOR1000, "price", .gross = 1},
      {ED_COMBINATION, "per_100km", 0, 0.98, .other = "model"},
      {ED_RARE, "fuel", .text = "kerosene"}}},
    {"plates",
     96,
     {{"row", ED_CATEGORY, .levels = {"A", "B", "C", "D", "E", "F", "G", "H"}},
      {"column", .type = ED_NUMBER},
      {"sample", .type = ED_NUMBER},
      {"od450", ED_NUMBER, .decimals = 3},
      {"od620", ED_NUMBER, .decimals = 3},
      {"temperature", ED_NUMBER, .decimals = 2, .unit = ED_CELSIUS},
      {"volume", .type = ED_NUMBER}},
     plates,
     {{ED_FACTOR10, "od450", .gross = 1},
      {ED_COMBINATION, "od620", 0.9, 0.06, .other = "od450"},
      {ED_PLACEHOLDER, "temperature", -999, .gross = 1}}},
    {"wine",
     300,
     {{"grower", ED_CATEGORY, .levels = {"north", "hill", "river"}},
      {"alcohol", ED_NUMBER, .decimals = 1, .unit = "%"},
      {"acid", ED_NUMBER, .decimals = 2},
      {"volatile", ED_NUMBER, .decimals = 2},
      {"sugar", ED_NUMBER, .decimals = 1},
      {"ph", ED_NUMBER, .decimals = 2},
      {"density", ED_NUMBER, .decimals = 4},
      {"sulfur", ED_NUMBER, .gaps = 0.03},
      {"sulphates", ED_NUMBER, .decimals = 2},
      {"quality", .type = ED_NUMBER}},
     wine,
     {{ED_FACTOR10, "alcohol", .gross = 1},
      {ED_FACTOR100, "ph", .gross = 1},
      {ED_COMBINATION, "density", 0.97, 0.96, .other = "alcohol"},
      {ED_FACTOR1000, "density", .gross = 1},
      {ED_SWAP, "acid", .other = "ph"},
      {ED_GAP, .column = "alcohol"},
      {ED_PLACEHOLDER, "sulfur", .a = 0}}},
    {"freight",
     5000,
     {{"date", .type = ED_DATE},
      {"carrier", ED_CATEGORY, .levels = {"Hermes", "Post", "Road Line", "courier"}},
      {"weight_kg", ED_NUMBER, .decimals = 1, .unit = "kg"},
      {"volume_m3", ED_NUMBER, 3, .gaps = 0.05},
      {"distance_km", .type = ED_NUMBER},
      {"hours", ED_NUMBER, .decimals = 1},
      {"express", ED_CATEGORY, .levels = {"no", "yes"}},
      {"cost", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"delivered", ED_CATEGORY, .levels = {"no", "yes"}}},
     freight,
     {{ED_UNIT, "weight_kg", 1000, 0, .count = 3, .gross = 1},
      {ED_COMBINATION, "hours", 0.97, 0.03, .other = "distance_km", .count = 2},
      {ED_SIGN, "hours", .gross = 1},
      {ED_FACTOR100, "cost", .gross = 1},
      {ED_WRONG_YEAR, "date", 2042, .gross = 1},
      {ED_MISSPELT, "carrier", .text = "Herms"},
      {ED_SWAP, "distance_km", .other = "hours", .count = 2},
      {ED_GAP, .column = "distance_km"}}},
    {"stock",
     5000,
     {{"article", ED_NUMBER, .unit = ED_CODE},
      {"shelf", ED_CATEGORY, .levels = {"A1", "A2", "B1", "B2", "C1", "C2"}},
      {"pack", .type = ED_NUMBER},
      {"count", .type = ED_NUMBER},
      {"on_order", .type = ED_NUMBER},
      {"sold", .type = ED_NUMBER},
      {"price", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"damaged", .type = ED_NUMBER},
      {"counted", .type = ED_DATE}},
     stock,
     {{ED_SIGN, "count", .count = 2, .gross = 1},
      {ED_FACTOR1000, "count", .count = 2, .gross = 1},
      {ED_FACTOR100, "price", .count = 2},
      {ED_EXTRA_DIGIT, "pack", .gross = 1},
      {ED_FACTOR100, "damaged", .gross = 1},
      {ED_WRONG_YEAR, "counted", 1924, .gross = 1},
      {ED_RARE, "shelf", .text = "Z9"},
      {ED_GAP, .column = "count"}}},
    {"trips",
     100000,
     {{"start", .type = ED_TIME},
      {"passengers", .type = ED_NUMBER},
      {"km", ED_NUMBER, .decimals = 1, .unit = "km"},
      {"minutes", ED_NUMBER, .decimals = 1, .unit = "min"},
      {"zone", ED_CATEGORY, .levels = {"centre", "north", "south", "east", "west", "airport"}},
      {"paid", ED_CATEGORY, .levels = {"cash", "card"}},
      {"fare", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"tip", ED_NUMBER, .decimals = 2, .gaps = 0.01, .unit = ED_MONEY}},
     trips,
     {{ED_FACTOR1000, "km", .count = 4, .gross = 1},
      {ED_SIGN, "fare", .count = 4, .gross = 1},
      {ED_COMBINATION, "minutes", 0.985, 0.05, .other = "km", .count = 5},
      {ED_FACTOR100, "fare", .count = 4, .gross = 1},
      {ED_COMBINATION, "tip", 0, 0.95, .other = "paid", .count = 4},
      {ED_EXTRA_DIGIT, "passengers", .count = 3, .gross = 1},
      {ED_RARE, "zone", .count = 3, .text = "harbour"},
      {ED_WRONG_YEAR, "start", 2205, .count = 2, .gross = 1},
      {ED_GAP, "fare", .count = 3}}},
    {0}};
