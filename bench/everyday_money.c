/* Everyday tables about money. */
#include <math.h>

#include "everyday.h"

/* A week's purchases. */
static void expenses(ed_random *r, int64_t i, double *v)
{
    *v++ = ed_day(2024, 3, 4) + (double)i;
    *v++ = ed_choose(r, 3, (const double[]){5, 2, 1});
    *v++ = ed_lognormal(r, 24, 0.5);
    *v++ = 1 + ed_pick(r, 6);
}

/* What a household pays each month. */
static void bills(ed_random *r, int64_t i, double *v)
{
    double winter = cos(6.283185 * (double)(i % 12) / 12);
    *v++ = ed_day(2021 + (int)i / 12, 1 + (int)i % 12, 1);
    *v++ = 950 + 25 * (double)(i / 12);
    *v++ = 90 + 55 * winter + ed_normal(r, 0, 8);
    *v++ = 62 + 9 * winter + ed_normal(r, 0, 5);
    *v++ = ed_normal(r, 33, 3);
    *v++ = ed_lognormal(r, 420, 0.12);
    *v = 39.99;
}

/* Net, tax and gross. */
static void invoices(ed_random *r, int64_t i, double *v)
{
    double net = ed_round(ed_lognormal(r, 480, 0.8), 2), rate = ed_chance(r, 0.8) ? 19 : 7;
    double tax = ed_round(net * rate / 100, 2), day = ed_day(2023, 1, 2) + 3.5 * (double)i;
    *v++ = 20230001 + (double)i;
    *v++ = day;
    *v++ = ed_choose(r, 5, (const double[]){30, 25, 20, 15, 10});
    *v++ = net;
    *v++ = rate;
    *v++ = tax;
    *v++ = net + tax;
    *v++ = day + ed_clamp(ed_lognormal(r, 16, 0.5), 2, 70);
}

/* Prices follow area, place and age. */
static void houses(ed_random *r, int64_t i, double *v)
{
    static const double zips[] = {10115, 10243, 10405, 10557, 10719, 10961, 12043, 12435},
                        worth[] = {4.6, 3.8, 4.4, 3.9, 4.9, 4.1, 3.3, 3.5};
    int zip = ed_pick(r, 8), garden = ed_chance(r, 0.3);
    double area = ed_round(ed_lognormal(r, 95, 0.35), 0),
           year = 2022 - ed_round(ed_clamp(ed_lognormal(r, 38, 0.6), 0, 140), 0);
    *v++ = 1 + (double)i;
    *v++ = zips[zip];
    *v++ = area;
    *v++ = ed_clamp(ed_round(area / 27 + ed_normal(r, 0, 0.5), 0), 1, 9);
    *v++ = year;
    *v++ = ed_choose(r, 4, (const double[]){55, 25, 15, 5});
    *v++ = garden;
    *v = ed_round(
        area * worth[zip] * 1000 * (1 + 0.1 * garden + 0.002 * (year - 1980)) * ed_lognormal(r, 1, 0.1), -3);
}

/* Bookings of a hotel. */
static void hotel(ed_random *r, int64_t i, double *v)
{
    int room = ed_choose(r, 4, (const double[]){50, 32, 14, 4}),
        adults = 1 + ed_choose(r, 4, (const double[]){35, 55, 7, 3});
    double nights = 1 + ed_poisson(r, 1.8), rate = ed_lognormal(r, (double[]){79, 98, 129, 240}[room], 0.12);
    double booked = ed_day(2023, 1, 1) + ed_between(r, 0, 500),
           lead = ed_clamp(ed_lognormal(r, 24, 1.0), 0, 300);
    *v++ = 50001 + (double)i;
    *v++ = booked;
    *v++ = floor(booked) + floor(lead);
    *v++ = nights;
    *v++ = adults;
    *v++ = ed_chance(r, 0.85) ? 0 : 1 + ed_pick(r, 2);
    *v++ = room;
    *v++ = rate;
    *v++ = ed_round(nights * ed_round(rate, 2), 2);
    *v++ = ed_choose(r, 5, (const double[]){45, 30, 15, 9, 1});
    *v++ = ed_chance(r, 0.18);
}

/* Orders of a shop. */
static void orders(ed_random *r, int64_t i, double *v)
{
    static const double price[] = {12, 35, 80, 6, 240};
    int category = ed_choose(r, 5, (const double[]){35, 25, 15, 20, 5});
    double quantity = 1 + floor(ed_lognormal(r, 1, 0.8)),
           unit = ed_round(ed_lognormal(r, price[category], 0.35), 2);
    double discount = ed_chance(r, 0.75) ? 0 : 5 * (1 + ed_pick(r, 4)),
           ordered = ed_day(2023, 1, 1) + ed_between(r, 0, 540);
    *v++ = 100001 + (double)i;
    *v++ = ordered;
    *v++ = floor(ordered) + 1 + ed_clamp(ed_poisson(r, 2), 0, 12);
    *v++ = category;
    *v++ = quantity;
    *v++ = unit;
    *v++ = discount;
    *v++ = ed_round(quantity * unit * (1 - discount / 100), 2);
    *v++ = ed_choose(r, 4, (const double[]){60, 25, 14, 1});
}

/* Most policies have no claim in a year. */
static void claims(ed_random *r, int64_t i, double *v)
{
    double age = ed_between(r, 18, 86), power = ed_clamp(ed_lognormal(r, 100, 0.35), 40, 400);
    double count = ed_poisson(r, age < 25 ? 0.3 : 0.12),
           level = ed_clamp(floor((age - 18) / 3) + ed_pick(r, 3), 0, 20);
    *v++ = 700001 + (double)i;
    *v++ = age;
    *v++ = ed_choose(r, 6, (const double[]){30, 25, 20, 15, 9, 1});
    *v++ = power;
    *v++ = level;
    *v++ = ed_round((300 + 3 * power) * (1.5 - 0.045 * level) * ed_lognormal(r, 1, 0.05), 2);
    *v++ = count;
    *v++ = count > 0 ? count * ed_lognormal(r, 1400, 0.9) : 0;
    *v++ = ed_chance(r, 0.35);
}

/* Payments by card. */
static void bank(ed_random *r, int64_t i, double *v)
{
    static const double typical[] = {38, 28, 55, 65, 900, 14, 120};
    int category = ed_choose(r, 7, (const double[]){38, 24, 12, 10, 4, 10, 2});
    int currency = ed_choose(r, 4, (const double[]){930, 40, 25, 5}), night = ed_chance(r, 0.06);
    double hour = night ? ed_between(r, 0, 6) : ed_clamp(ed_normal(r, 14, 4), 6, 23.9);
    *v++ = 9000001 + (double)i;
    *v++ = ed_day(2024, 1, 1) * 86400 + floor((double)i / 110) * 86400 + hour * 3600;
    *v++ = -ed_lognormal(r, typical[category], 0.6);
    *v++ = currency;
    *v++ = category;
    *v++ = currency ? 2 + ed_pick(r, 3) : ed_chance(r, 0.02);
    *v++ = ed_choose(r, 3, (const double[]){70, 25, 5});
    *v++ = ed_chance(r, 0.97);
}

const ed_spec ed_money[] = {
    {"expenses",
     8,
     {{"date", .type = ED_DATE},
      {"shop", ED_CATEGORY, .levels = {"market", "bakery", "pharmacy"}},
      {"amount", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"items", .type = ED_NUMBER}},
     expenses,
     {{ED_FACTOR100, "amount", .gross = 1}}},
    {"bills",
     36,
     {{"month", .type = ED_DATE},
      {"rent", ED_NUMBER, .unit = ED_MONEY},
      {"heating", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"power", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"water", ED_NUMBER, .decimals = 2, .gaps = 0.05, .unit = ED_MONEY},
      {"food", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"internet", ED_NUMBER, .decimals = 2, .unit = ED_MONEY}},
     bills,
     {{ED_SIGN, "food", .gross = 1},
      {ED_COMBINATION, "heating", 0.85, 0.05, .other = "power"},
      {ED_FACTOR10, "power", .gross = 1}}},
    {"invoices",
     100,
     {{"invoice", ED_NUMBER, .unit = ED_CODE},
      {"date", .type = ED_DATE},
      {"customer", ED_CATEGORY, .levels = {"Miller", "Stone Ltd", "Baker & Co", "Harbour", "Zenith"}},
      {"net", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"rate", ED_NUMBER, .unit = "%"},
      {"tax", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"gross", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"paid", ED_DATE, .gaps = 0.08}},
     invoices,
     {{ED_RELATION, "tax", .a = 2.5},
      {ED_FACTOR100, "gross", .gross = 1},
      {ED_SIGN, "net", .gross = 1},
      {ED_ORDER, "paid", 40, .other = "date"},
      {ED_MISSPELT, "customer", .text = "Stone LTd"}}},
    {"houses",
     300,
     {{"id", ED_NUMBER, .unit = ED_CODE},
      {"zip", ED_NUMBER, .unit = ED_CODE},
      {"area", ED_NUMBER, .unit = "m\xC2\xB2"},
      {"rooms", .type = ED_NUMBER},
      {"year", ED_NUMBER, .gaps = 0.04, .unit = ED_CODE},
      {"type", ED_CATEGORY, .levels = {"flat", "terraced", "detached", "loft"}},
      {"garden", ED_CATEGORY, .levels = {"no", "yes"}},
      {"price", ED_NUMBER, .unit = ED_MONEY}},
     houses,
     {{ED_SIGN, "area", .gross = 1},
      {ED_FACTOR10, "rooms", .gross = 1},
      {ED_FACTOR1000, "price", .gross = 1},
      {ED_COMBINATION, "price", 0.93, 0.05, .other = "area"},
      {ED_DIGITS, .column = "year"},
      {ED_EXTRA_DIGIT, "zip", .gross = 1}}},
    {"hotel",
     1200,
     {{"booking", ED_NUMBER, .unit = ED_CODE},
      {"booked", .type = ED_DATE},
      {"arrival", .type = ED_DATE},
      {"nights", .type = ED_NUMBER},
      {"adults", .type = ED_NUMBER},
      {"children", ED_NUMBER, .gaps = 0.02},
      {"room", ED_CATEGORY, .levels = {"single", "double", "family", "suite"}},
      {"rate", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"total", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"source", ED_CATEGORY, .levels = {"portal", "web", "phone", "agency", "walk-in"}},
      {"cancelled", ED_CATEGORY, .levels = {"no", "yes"}}},
     hotel,
     {{ED_FACTOR100, "nights", .gross = 1},
      {ED_WRONG_YEAR, "arrival", 2204, .gross = 1},
      {ED_ORDER, "arrival", 60, .other = "booked"},
      {ED_FACTOR10, "rate", .count = 2},
      {ED_RELATION, "total", .a = 0.3},
      {ED_EXTRA_DIGIT, "adults", .gross = 1},
      {ED_COMBINATION, "rate", 3, 0.1, .other = "room"},
      {ED_GAP, .column = "room"}}},
    {"orders",
     1200,
     {{"order", ED_NUMBER, .unit = ED_CODE},
      {"ordered", .type = ED_DATE},
      {"shipped", ED_DATE, .gaps = 0.03},
      {"category", ED_CATEGORY, .levels = {"books", "clothes", "tools", "toys", "electronics"}},
      {"quantity", .type = ED_NUMBER},
      {"unit_price", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"discount", ED_NUMBER, .unit = "%"},
      {"total", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"country", ED_CATEGORY, .levels = {"DE", "AT", "CH", "LI"}}},
     orders,
     {{ED_FACTOR1000, "quantity", .gross = 1},
      {ED_RELATION, "total", 0.2, .count = 2},
      {ED_DAY_MONTH, "shipped", .count = 2},
      {ED_SIGN, "total", .gross = 1},
      {ED_PLACEHOLDER, "unit_price", 9999.99, .gross = 1},
      {ED_ORDER, "shipped", 30, .other = "ordered"},
      {ED_RARE, "country", .text = "XX"}}},
    {"claims",
     1200,
     {{"policy", ED_NUMBER, .unit = ED_CODE},
      {"age", .type = ED_NUMBER},
      {"region", ED_CATEGORY, .levels = {"A", "B", "C", "D", "E", "F"}},
      {"power", ED_NUMBER, .unit = "PS"},
      {"level", .type = ED_NUMBER},
      {"premium", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"claims", .type = ED_NUMBER},
      {"amount", ED_NUMBER, .decimals = 2, .unit = ED_MONEY},
      {"garage", ED_CATEGORY, .levels = {"no", "yes"}, .gaps = 0.04}},
     claims,
     {{ED_EXTRA_DIGIT, "age", .count = 2, .gross = 1},
      {ED_FACTOR1000, "amount", .gross = 1},
      {ED_COMBINATION, "amount", 0.05, 0.97, .other = "claims"},
      {ED_SIGN, "premium", .gross = 1},
      {ED_DIGITS, .column = "premium"},
      {ED_COMBINATION, "premium", 0.95, 0.02, .other = "power"},
      {ED_MISSPELT, "region", .text = "AA"}}},
    {"bank",
     20000,
     {{"id", ED_NUMBER, .before = "T"},
      {"time", .type = ED_TIME},
      {"amount", ED_NUMBER, .decimals = 2},
      {"currency", ED_CATEGORY, .levels = {"EUR", "USD", "GBP", "SEK"}},
      {"category", ED_CATEGORY,
       .levels = {"groceries", "restaurant", "fuel", "clothes", "rent", "transport", "travel"}},
      {"abroad", ED_CATEGORY, .levels = {"home", "border", "EU", "US", "other"}},
      {"card", ED_CATEGORY, .levels = {"chip", "phone", "online"}},
      {"approved", ED_CATEGORY, .levels = {"no", "yes"}}},
     bank,
     {{ED_FACTOR1000, "amount", .count = 3, .gross = 1},
      {ED_SIGN, "amount", .count = 3},
      {ED_FACTOR100, "amount", .count = 2},
      {ED_WRONG_YEAR, "time", 1970, .count = 2, .gross = 1},
      {ED_MISSPELT, "currency", .count = 2, .text = "ERU"},
      {ED_RARE, "category", .count = 2, .text = "test"},
      {ED_COMBINATION, "abroad", 0, 3, .other = "currency", .count = 3},
      {ED_GAP, "category", .count = 2}}},
    {0}};
