/* tests: plot_figure. Figures of plots. */
#include "plot_figure.h"

#include "test.h"

static char text[1 << 16];

static int times(const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) n++;
    return n;
}

static void draw(const plot_figure *p)
{
    memset(text, 0, sizeof text);
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    if (!f) return;
    plot_figure_write(f, p);
    fclose(f);
}

static const double x[] = {0, 10, 20}, y[] = {1, 3, 2};

/* 100 wide and high, from (66, 26): 0 to 20 with 4 % at both ends, 1 to 3 with 5 %. */
TEST(line)
{
    plot_series s = {.kind = PLOT_STROKE, .x = x, .y = y, .count = 3};
    plot_panel panel = {.title = "", .x_label = "", .y_label = "", .series = &s, .count = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("d=\"M69.7 121.5L116.0 30.5L162.3 76.0\""), 1);
    CHECK_INT(times("viewBox=\"0 0 190 174\""), 1);
    CHECK_INT(times("<circle"), 0);
    s.kind = PLOT_LINE;
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("<circle"), 3);
}

/* What is not finite breaks the line. */
TEST(gap)
{
    const double gap[] = {1, NAN, 2};
    plot_series s = {.kind = PLOT_STROKE, .x = x, .y = gap, .count = 3};
    plot_panel panel = {.title = "", .x_label = "", .y_label = "", .series = &s, .count = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("nan"), 0);
    CHECK_INT(times("d=\"M69.7 121.5M162.3 30.5\""), 1);
}

/* Bars fill the width; from 0 to 3 with 5 % above. */
TEST(bars)
{
    const double edges[] = {0, 1, 2, 4}, heights[] = {3, 0, 1.5};
    plot_series s = {
        .name = "rows", .kind = PLOT_BARS, .color = PLOT_ORANGE, .x = edges, .y = heights, .count = 3};
    plot_panel panel = {.title = "", .x_label = "", .y_label = "", .series = &s, .count = 1, .from_zero = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("class=\"bar s1 f1\" d=\"M66.0 156.0V60.8H91.0V156.0H116.0V108.4H166.0V156.0z\""), 1);
    CHECK_INT(times(">rows<"), 1);
}

/* Where there are no labels there is no room for them. */
TEST(without_labels)
{
    plot_series s = {.x = x, .y = y, .count = 3};
    plot_panel panel = {.series = &s, .count = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("class=\"frame\" x=\"50.0\" y=\"10.0\" width=\"100.0\""), 1);
    CHECK_INT(times("viewBox=\"0 0 174 138\""), 1);
}

/* A name is in the legend once, however many series have it. */
TEST(legend)
{
    plot_series s[] = {{.name = "a", .x = x, .y = y, .count = 3},
                       {.name = "b", .x = x, .y = y, .count = 3},
                       {.name = "a", .x = x, .y = y, .count = 3},
                       {.x = x, .y = y, .count = 3}};
    plot_panel panels[] = {{.series = s, .count = 2}, {.series = s + 2, .count = 2}};
    draw(&(plot_figure){{.title = "t"}, 2, 100, 100, 0, panels, 2});
    CHECK_INT(times(">a<"), 1);
    CHECK_INT(times(">b<"), 1);
}

/* Three columns: 1 and 2 in the first row, 2 in the second. */
TEST(grid)
{
    plot_series s = {.x = x, .y = y, .count = 3};
    plot_panel panels[] = {{.title = "p", .x_label = "x", .y_label = "y", .series = &s, .count = 1},
                           {.series = &s, .count = 1, .span = 2},
                           {.series = &s, .count = 1, .span = 2}};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 3, 100, 50, 0, panels, 3});
    CHECK_INT(times("class=\"frame\" x=\"66.0\" y=\"26.0\" width=\"100.0\" height=\"50.0\""), 1);
    CHECK_INT(times("class=\"frame\" x=\"236.0\" y=\"26.0\" width=\"270.0\" height=\"50.0\""), 1);
    CHECK_INT(times("class=\"frame\" x=\"66.0\" y=\"150.0\" width=\"270.0\" height=\"50.0\""), 1);
}

TEST(marks)
{
    plot_series s = {.x = x, .y = y, .count = 3};
    plot_mark marks[] = {{5, "<stop>", PLOT_RED, "move", 0}, {15, NULL, PLOT_GREY, NULL, 0}};
    plot_panel panel = {
        .title = "", .x_label = "", .y_label = "", .series = &s, .count = 1, .marks = marks, .mark_count = 2};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("class=\"mark s4\" d=\"M92.9 126.0L92.9 26.0\""), 1);
    CHECK_INT(times(">&lt;stop&gt;<"), 1);
    CHECK_INT(times("class=\"mark s5\""), 1);
    CHECK_INT(times("<g id=\"move\">"), 1);
    CHECK_INT(times("</g>"), 1);
}

/* No line runs through the text of a mark: it goes down to where it is clear, here from 40 to 55. */
TEST(mark_is_clear)
{
    const double high[] = {1, 3, 3};
    plot_series s = {.kind = PLOT_STROKE, .x = x, .y = high, .count = 3};
    plot_mark mark = {8, "kept", PLOT_RED, NULL, 0};
    plot_panel panel = {
        .title = "", .x_label = "", .y_label = "", .series = &s, .count = 1, .marks = &mark, .mark_count = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("y=\"55.0\" class=\"tag\">kept<"), 1);
    s.y = y + 1; /* falls from the left: the text is clear at the top */
    s.count = 2;
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("y=\"40.0\" class=\"tag\" text-anchor=\"end\">kept<"), 1);
}

/* Values beyond the axis have a bar of their own, with a text: the scale gives way to it. */
TEST(overflow)
{
    const double edges[] = {0, 1, 2}, heights[] = {3, 1}, below[] = {0}, beyond[] = {1};
    plot_series s = {.kind = PLOT_BARS, .x = edges, .y = heights, .count = 2};
    plot_panel panel = {.title = "", .y_label = "", .series = &s, .count = 1, .from_zero = 1};
    panel.beyond = (plot_overflow){"412", beyond};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 200, 100, 0, &panel, 1});
    CHECK_INT(times(">412</text>"), 1);
    CHECK_INT(times("class=\"bar s0"), 2);
    CHECK_INT(times("class=\"break\""), 2);
    /* 44 for what stands around it and 18 for the text: 138 are left of the 200. */
    CHECK_INT(times("H135.0V"), 1);
    CHECK_INT(times("H204.0V"), 1);
    CHECK_INT(times("class=\"frame\" x=\"66.0\" y=\"26.0\" width=\"200.0\""), 1);
    panel.below = (plot_overflow){"-7", below};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 200, 100, 0, &panel, 1});
    CHECK_INT(times(">-7</text>"), 1);
    CHECK_INT(times("class=\"break\""), 4);
}

/* Points that lie on each other are told by the size of the dot, or by their number beside it. */
TEST(points_on_each_other)
{
    const int many[] = {1, 4, 9};
    const char *const tags[] = {"far", NULL, NULL};
    plot_series s = {.kind = PLOT_DOTS, .thin = 1, .x = x, .y = y, .times = many, .count = 3};
    plot_panel panel = {.series = &s, .count = 1};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("r=\"2\""), 1);
    CHECK_INT(times("r=\"4\""), 1);
    CHECK_INT(times("r=\"6\""), 1);
    s.thin = 0;
    s.tags = tags;
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times(">\xC3\x97"
                    "4<"),
              1);
    CHECK_INT(times(">\xC3\x97"
                    "9<"),
              1);
    CHECK_INT(times(">\xC3\x97"
                    "1<"),
              0);
    CHECK_INT(times(">far<"), 1);
}

/* A vertical axis that is given: 1 to 100, 50 high a decade; what is beyond, or has no logarithm, is not
 * drawn. */
TEST(bounds)
{
    const double wide[] = {0, 10, 1e4};
    plot_series s = {.kind = PLOT_LINE, .x = x, .y = wide, .count = 3};
    plot_panel panel = {.title = "",
                        .x_label = "",
                        .y_label = "",
                        .series = &s,
                        .count = 1,
                        .y_log = 1,
                        .y_low = 1,
                        .y_high = 100};
    draw(&(plot_figure){{.title = "t", .embedded = 1}, 1, 100, 100, 0, &panel, 1});
    CHECK_INT(times("<circle cx=\"116.0\" cy=\"76.0\""), 1);
    CHECK_INT(times("<circle"), 1);
    CHECK_INT(times("inf"), 0);
}

/* Nothing to draw, and the same value everywhere: no number that is none. */
TEST(degenerate)
{
    const double same[] = {4, 4, 4};
    plot_series none = {.x = x, .y = y, .count = 0}, flat = {.x = same, .y = same, .count = 3};
    plot_panel panels[] = {{.series = &none, .count = 1}, {.series = &flat, .count = 1}, {.count = 0}};
    draw(&(plot_figure){{.title = "t"}, 3, 100, 100, 0, panels, 3});
    CHECK_INT(times("nan"), 0);
    CHECK_INT(times("inf"), 0);
    CHECK_INT(times("class=\"frame\""), 3);
    draw(&(plot_figure){{.title = "t"}, 1, 100, 100, 0, NULL, 0});
    CHECK_INT(times("</svg>"), 1);
}

int main(void)
{
    RUN(line);
    RUN(gap);
    RUN(bars);
    RUN(without_labels);
    RUN(legend);
    RUN(grid);
    RUN(marks);
    RUN(mark_is_clear);
    RUN(overflow);
    RUN(points_on_each_other);
    RUN(bounds);
    RUN(degenerate);
    return test_end();
}
