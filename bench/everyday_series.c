/* Everyday tables that are time series. */
#include <math.h>

#include "everyday.h"

#define TAU 6.283185307179586

/* A pump, every minute: load wanders, and all else follows it. */
static void pump(ed_random *r, int64_t i, double *v)
{
    r->memory[0] = 0.97 * r->memory[0] + ed_normal(r, 0, 0.25);
    double load = ed_clamp(70 + 8 * r->memory[0], 30, 110), flow = 0.6 * load + ed_normal(r, 0, 0.8);
    r->memory[1] += 0.05 * (24 + 0.35 * load - r->memory[1]) + ed_normal(r, 0, 0.08);
    if (i == 0) r->memory[1] = 24 + 0.35 * load;
    *v++ = ed_day(2024, 5, 6) * 86400 + 60 * (double)i;
    *v++ = load;
    *v++ = flow;
    *v++ = 2.1 + 0.0006 * flow * flow + ed_normal(r, 0, 0.05);
    *v++ = r->memory[1];
    *v++ = ed_lognormal(r, 1.1, 0.12);
    *v = load > 85;
}

/* Four readings a day. */
static void weather(ed_random *r, int64_t i, double *v)
{
    double day = (double)i / 4, season = -cos(TAU * (day - 20) / 365.25),
           noon = -cos(TAU * ((double)(i % 4) * 6 - 3) / 24);
    r->memory[0] = 0.85 * r->memory[0] + ed_normal(r, 0, 1.5);
    r->memory[1] = 0.92 * r->memory[1] + ed_normal(r, 0, 3);
    double temperature = 10 + 9 * season + 4 * noon + r->memory[0];
    int rain = ed_chance(r, 0.22 - 0.008 * fmin(r->memory[1], 20));
    *v++ = ed_day(2023, 3, 1) * 86400 + 21600 * (double)i;
    *v++ = temperature;
    *v++ = ed_clamp(72 - 1.1 * (temperature - 10) + 14 * rain + ed_normal(r, 0, 6), 15, 100);
    *v++ = 1014 + r->memory[1];
    *v++ = ed_lognormal(r, 3.2, 0.5);
    *v++ = (double)(ed_pick(r, 36) * 10);
    *v++ = rain ? ed_lognormal(r, 1.4, 0.9) : 0;
    *v = rain ? 2 + ed_chance(r, 0.05) : ed_pick(r, 2);
}

/* The power that a cooling plant takes, hour by hour. */
static void cooling(ed_random *r, int64_t i, double *v)
{
    int weekend = i / 24 % 7 >= 5;
    double hour = (double)(i % 24), season = -cos(TAU * (double)i / 8766);
    r->memory[0] = 0.9 * r->memory[0] + ed_normal(r, 0, 0.7);
    double outside = 12 + 10 * season - 4 * cos(TAU * (hour - 3) / 24) + r->memory[0];
    double busy = hour > 6 && hour < 20 && !weekend ? 1 : 0.3,
           power = (40 + 3 * fmax(outside - 8, 0)) * busy * ed_lognormal(r, 1, 0.05);
    *v++ = ed_day(2023, 1, 2) * 86400 + 3600 * (double)i;
    *v++ = outside;
    *v++ = power;
    *v++ = 6.2 + 0.012 * power + ed_normal(r, 0, 0.12);
    *v++ = 11.5 + 0.03 * power + ed_normal(r, 0, 0.2);
    *v++ = power / 0.23 / 1000 * ed_normal(r, 1, 0.02);
    *v = power > 100 ? 2 : power > 30;
}

/* A server, every five minutes: latency follows load. */
static void server(ed_random *r, int64_t i, double *v)
{
    double day = -cos(TAU * ((double)(i % 288) / 288 - 0.1));
    r->memory[0] = 0.9 * r->memory[0] + ed_normal(r, 0, 2.5);
    double cpu = ed_clamp(38 + 18 * day + r->memory[0] + ed_normal(r, 0, 2), 1, 99);
    *v++ = ed_day(2024, 7, 1) * 86400 + 300 * (double)i;
    *v++ = ed_choose(r, 4, (const double[]){40, 30, 20, 10});
    *v++ = cpu;
    *v++ = ed_clamp(52 + 0.2 * cpu + ed_normal(r, 0, 2), 5, 99);
    *v++ = ed_lognormal(r, 25 * exp(cpu / 60), 0.35);
    *v++ = ed_round(cpu * ed_lognormal(r, 31, 0.1), 0);
    *v++ = ed_chance(r, 0.9) ? 0 : ed_poisson(r, 1.5);
    *v++ = ed_clamp(61 + 0.0004 * (double)i + ed_normal(r, 0, 0.3), 0, 100);
    *v = 64;
}

/* Quarter hours of a household's meter. */
static void meter(ed_random *r, int64_t i, double *v)
{
    double hour = (double)(i % 96) / 4, evening = exp(-pow((hour - 19.5) / 2.2, 2)),
           morning = exp(-pow((hour - 7.5) / 1.3, 2));
    double use = ed_lognormal(r, 0.06 + 0.25 * evening + 0.15 * morning, 0.45);
    double sun = fmax(0, sin(TAU * (hour - 6) / 24)) * ed_between(r, 0.1, 0.6);
    r->memory[0] += use;
    *v++ = ed_day(2024, 1, 1) * 86400 + 900 * (double)i;
    *v++ = use;
    *v++ = sun;
    *v++ = 15000 + r->memory[0];
    *v++ = ed_normal(r, 230.5, 1.4) - 2 * use;
    *v++ = ed_normal(r, 50, 0.02);
    *v = hour >= 6 && hour < 22;
}

/* Requests to a web server. */
static void weblog(ed_random *r, int64_t i, double *v)
{
    static const double bytes[] = {18000, 42000, 650, 310000, 2200, 9000, 120};
    int path = ed_choose(r, 7, (const double[]){30, 24, 18, 10, 9, 8, 1});
    int status = ed_choose(r, 6, (const double[]){9300, 300, 180, 200, 15, 5});
    double size = status >= 3 ? 512 : status == 1 ? 0 : ed_lognormal(r, bytes[path], 0.4);
    *v++ = ed_day(2024, 9, 2) * 86400 + floor((double)i * 0.8);
    *v++ = ed_choose(r, 4, (const double[]){850, 140, 8, 2});
    *v++ = path;
    *v++ = (double[]){200, 304, 301, 404, 500, 503}[status];
    *v++ = ed_round(size, 0);
    *v++ = ed_lognormal(r, path == 2 ? 120 : 18, 0.7) + size / 20000;
    *v++ = ed_choose(r, 6, (const double[]){420, 260, 170, 100, 45, 5});
    *v++ = ed_chance(r, 0.4);
}

const ed_spec ed_series[] = {
    {"pump",
     1200,
     {{"time", .type = ED_TIME},
      {"load", ED_NUMBER, .decimals = 1, .unit = "%"},
      {"flow", ED_NUMBER, .decimals = 2},
      {"pressure", ED_NUMBER, .decimals = 2, .unit = "bar"},
      {"bearing_temp", ED_NUMBER, .decimals = 1, .unit = ED_CELSIUS},
      {"vibration", ED_NUMBER, 3, .gaps = 0.01},
      {"alarm", ED_CATEGORY, .levels = {"off", "on"}}},
     pump,
     {{ED_STUCK, "flow", .a = 6},
      {ED_PLACEHOLDER, "bearing_temp", -999, .count = 2, .gross = 1},
      {ED_COMBINATION, "flow", 0.95, 0.05, .other = "load", .count = 2},
      {ED_FACTOR10, "pressure", .gross = 1},
      {ED_PLACEHOLDER, "load", 0, .gross = 1},
      {ED_GAP, .column = "flow"}}},
    {"weather",
     1200,
     {{"time", .type = ED_TIME},
      {"temperature", ED_NUMBER, .decimals = 1, .unit = ED_CELSIUS},
      {"humidity", ED_NUMBER, .unit = "%"},
      {"pressure", ED_NUMBER, .decimals = 1, .unit = "hPa"},
      {"wind", ED_NUMBER, 1, .gaps = 0.02},
      {"direction", .type = ED_NUMBER},
      {"rain", ED_NUMBER, .decimals = 1},
      {"sky", ED_CATEGORY, .levels = {"clear", "cloudy", "rain", "storm"}}},
     weather,
     {{ED_UNIT, "temperature", 1.8, 32, .count = 2, .gross = 1},
      {ED_PLACEHOLDER, "humidity", -999, .gross = 1},
      {ED_STUCK, "temperature", .a = 5},
      {ED_UNIT, "pressure", 0.02953, 0, .gross = 1},
      {ED_FACTOR100, .column = "rain"},
      {ED_COMBINATION, "temperature", 0.03, 0.97, .other = "time"},
      {ED_RARE, "sky", .text = "locusts"}}},
    {"cooling",
     5000,
     {{"time", .type = ED_TIME},
      {"outside", ED_NUMBER, .decimals = 1, .unit = ED_CELSIUS},
      {"power", ED_NUMBER, .decimals = 1, .unit = "kW"},
      {"supply", ED_NUMBER, .decimals = 2},
      {"return", ED_NUMBER, .decimals = 2},
      {"current", ED_NUMBER, 3, .gaps = 0.01},
      {"stage", ED_CATEGORY, .levels = {"low", "medium", "high"}}},
     cooling,
     {{ED_FACTOR1000, "power", .count = 2, .gross = 1},
      {ED_STUCK, "supply", .a = 8},
      {ED_COMBINATION, "return", 0.97, 0.03, .other = "power", .count = 2},
      {ED_UNIT, "outside", 1.8, 32, .count = 2, .gross = 1},
      {ED_PLACEHOLDER, "supply", 0, .count = 2, .gross = 1},
      {ED_SWAP, "power", .other = "outside"},
      {ED_GAP, .column = "return"}}},
    {"server",
     5000,
     {{"time", .type = ED_TIME},
      {"host", ED_CATEGORY, .levels = {"web1", "web2", "db1", "mail"}},
      {"cpu", ED_NUMBER, .decimals = 1, .unit = "%"},
      {"memory", ED_NUMBER, .decimals = 1, .unit = "%"},
      {"latency_ms", ED_NUMBER, .decimals = 1},
      {"requests", .type = ED_NUMBER},
      {"errors", .type = ED_NUMBER},
      {"disk", ED_NUMBER, .decimals = 1, .gaps = 0.02, .unit = "%"},
      {"cores", .type = ED_NUMBER}},
     server,
     {{ED_FACTOR1000, "latency_ms", .count = 2, .gross = 1},
      {ED_PLACEHOLDER, "memory", -1, .count = 2, .gross = 1},
      {ED_COMBINATION, "requests", 0.97, 0.03, .other = "cpu", .count = 2},
      {ED_FACTOR10, "disk", .gross = 1},
      {ED_STUCK, "cpu", .a = 8},
      {ED_MISSPELT, "host", .text = "wbe1"},
      {ED_DIGITS, "cpu", .count = 2},
      {ED_GAP, .column = "cpu"}}},
    {"meter",
     20000,
     {{"time", .type = ED_TIME},
      {"kwh", ED_NUMBER, .decimals = 3, .unit = "kWh"},
      {"solar", ED_NUMBER, .decimals = 3},
      {"reading", ED_NUMBER, .decimals = 1},
      {"volt", ED_NUMBER, .decimals = 1, .unit = "V"},
      {"hertz", ED_NUMBER, 2, .gaps = 0.005},
      {"tariff", ED_CATEGORY, .levels = {"night", "day"}}},
     meter,
     {{ED_FACTOR1000, "kwh", .count = 3, .gross = 1},
      {ED_SIGN, "volt", .count = 2, .gross = 1},
      {ED_EXTRA_DIGIT, "reading", .count = 2, .gross = 1},
      {ED_STUCK, "volt", .a = 10},
      {ED_PLACEHOLDER, "hertz", 0, .count = 2, .gross = 1},
      {ED_WRONG_YEAR, "time", 2205, .gross = 1},
      {ED_UNIT, "volt", 0.001, 0, .count = 2, .gross = 1},
      {ED_RARE, "tariff", .count = 2, .text = "??"},
      {ED_GAP, "kwh", .count = 2}}},
    {"weblog",
     100000,
     {{"time", .type = ED_TIME},
      {"method", ED_CATEGORY, .levels = {"GET", "POST", "HEAD", "OPTIONS"}},
      {"path", ED_CATEGORY,
       .levels = {"/", "/products", "/api/search", "/images/hero.jpg", "/login", "/about", "/robots.txt"}},
      {"status", ED_NUMBER, .unit = ED_CODE},
      {"bytes", .type = ED_NUMBER},
      {"ms", ED_NUMBER, .decimals = 1, .unit = "ms"},
      {"agent", ED_CATEGORY, .levels = {"Chrome", "Safari", "Firefox", "Edge", "Googlebot", "curl"}},
      {"mobile", ED_CATEGORY, .levels = {"no", "yes"}}},
     weblog,
     {{ED_FACTOR1000, "bytes", .count = 4, .gross = 1},
      {ED_FACTOR1000, "ms", .count = 4, .gross = 1},
      {ED_SIGN, "bytes", .count = 3},
      {ED_EXTRA_DIGIT, "status", .count = 4, .gross = 1},
      {ED_RARE, "method", .count = 3, .text = "PROPFIND"},
      {ED_MISSPELT, "agent", .count = 3, .text = "Mozzila"},
      {ED_WRONG_YEAR, "time", 1970, .count = 2, .gross = 1},
      {ED_COMBINATION, "bytes", 6, 0.93, .other = "path", .count = 3},
      {ED_GAP, "status", .count = 3}}},
    {0}};
