/* tests: plot_draw plot_text. */
#include "plot_draw.h"

#include "test.h"

static char text[1 << 14];

/* What a call wrote. */
#define DRAWN(call)                                                                                          \
    do {                                                                                                     \
        memset(text, 0, sizeof text);                                                                        \
        FILE *f = fmemopen(text, sizeof text - 1, "w");                                                      \
        REQUIRE(f);                                                                                          \
        call;                                                                                                \
        fclose(f);                                                                                           \
    } while (0)

static int times(const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) n++;
    return n;
}

TEST(text_is_escaped)
{
    DRAWN(plot_text(f, "</script><img src=x onerror=\"alert('1')\">&amp;"));
    CHECK_STR(text, "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;");
    DRAWN(plot_text(f, "h\xC3\xB6he \xE2\x82\xAC"));
    CHECK_STR(text, "h\xC3\xB6he \xE2\x82\xAC");
    /* A lone continuation, a cut character, a surrogate, controls: XML may hold none of them. */
    DRAWN(plot_text(f, "a\x80z\xE2\x82"));
    CHECK_STR(text, "a\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD");
    DRAWN(plot_text(f, "\xED\xA0\x80"));
    CHECK_STR(text, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    DRAWN(plot_text(f, "\x01\x7F\n"));
    CHECK_STR(text, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(width)
{
    CHECK_NEAR(plot_text_width("abc"), 18, 0);
    CHECK_NEAR(plot_text_width("h\xC3\xB6he"), 24, 0);
}

TEST(numbers)
{
    char buf[32];
    CHECK_STR(plot_number(buf, sizeof buf, 0.01), "0.01");
    CHECK_STR(plot_number(buf, sizeof buf, -0.0), "0");
    CHECK_STR(plot_number(buf, sizeof buf, 999), "999");
    CHECK_STR(plot_number(buf, sizeof buf, 1000000), "1,000,000");
    CHECK_STR(plot_number(buf, sizeof buf, -1234), "-1,234");
    CHECK_STR(plot_number(buf, sizeof buf, 1e20), "1e+20");
}

TEST(places)
{
    plot_axis x = {0, 10, 100, 200, 1}, y = {-1, 1, 300, -100, 0};
    CHECK_NEAR(plot_place(&x, 0), 100, 1e-9);
    CHECK_NEAR(plot_place(&x, 2.5), 150, 1e-9);
    CHECK_NEAR(plot_place(&y, 0.1), 300, 1e-9);
    CHECK_NEAR(plot_place(&y, 1), 250, 1e-9);
    plot_axis grown = {INFINITY, -INFINITY, 0, 1, 1};
    plot_include(&grown, 3);
    plot_include(&grown, NAN);
    plot_include(&grown, -2);
    CHECK_NEAR(grown.low, -2, 0);
    CHECK_NEAR(grown.high, 3, 0);
    plot_widen(&grown, 0.1);
    CHECK_NEAR(grown.low, -2.5, 1e-12);
    CHECK_NEAR(grown.high, 3.5, 1e-12);
}

/* One value, or none: the axis has a length all the same. */
TEST(narrow_axes)
{
    plot_axis none = {INFINITY, -INFINITY, 0, 1, 1}, one = {7, 7, 0, 1, 1}, decade = {2, 2, 0, 1, 0};
    plot_widen(&none, 0.05);
    plot_widen(&one, 0.05);
    plot_widen(&decade, 0.05);
    CHECK(none.low < none.high);
    CHECK(one.low < 7 && 7 < one.high);
    CHECK(decade.low < 2 && 2 < decade.high);
}

TEST(ticks)
{
    plot_axis x = {-0.1, 1.1, 0, 400, 1}, y = {0, 3, 100, -300, 0};
    DRAWN(plot_grid(f, &x, &y));
    /* Every 0.2 from 0.0 to 1.0. */
    CHECK_INT(times(">0.0<"), 1);
    CHECK_INT(times(">0.2<"), 1);
    CHECK_INT(times(">1.0<"), 1);
    CHECK_INT(times(">-0"), 0);
    /* 1 to 1,000; nine lines a decade, and the last. */
    CHECK_INT(times(">1,000<"), 1);
    CHECK_INT(times("class=\"minor\""), 24);
    plot_axis large = {0, 40000, 0, 400, 1};
    DRAWN(plot_grid(f, &large, &y));
    CHECK_INT(times(">20,000<"), 1);
    /* Narrow: fewer, so that they stand clear of each other. */
    plot_axis narrow = {0, 40000, 0, 100, 1};
    DRAWN(plot_grid(f, &narrow, &y));
    CHECK_INT(times(">20,000<"), 1);
    CHECK_INT(times(">10,000<"), 0);
}

TEST(page)
{
    plot_page page = {.title = "a < b", .subtitle = "c & d", .width = 10, .height = 20};
    DRAWN(plot_open(f, &page); plot_close(f));
    CHECK_INT(times("aria-label=\"a &lt; b: c &amp; d\""), 1);
    CHECK_INT(times("prefers-color-scheme:dark"), 1);
    CHECK_INT(times("<title>a &lt; b</title>"), 1);
    CHECK_INT(times("</svg>"), 1);
    page.embedded = 1;
    page.about = "two humps";
    DRAWN(plot_open(f, &page));
    CHECK_STR(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 10 20\" width=\"10\" "
              "height=\"20\" role=\"img\" aria-label=\"a &lt; b: two humps\">\n");
}

int main(void)
{
    RUN(text_is_escaped);
    RUN(width);
    RUN(numbers);
    RUN(places);
    RUN(narrow_axes);
    RUN(ticks);
    RUN(page);
    return test_end();
}
