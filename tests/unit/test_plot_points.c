/* tests: plot_points. Scatter plots. */
#include "plot_points.h"

#include "test.h"

/* Every point has its mark and its label, inside the frame; what is far below stands at the foot with its
 * value. */
TEST(all_are_there)
{
    static char text[1 << 16];
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    REQUIRE(f);
    plot_point points[] = {{"first", 1, 0.75, 0, 0}, {"a<b", 0.5, 0.745, 0.002, 0}, {"low", 0.1, 0.4, 0, 1}};
    plot_points_write(f, &(plot_points){.title = "t",
                                        .subtitle = "s",
                                        .x_label = "time",
                                        .y_label = "AUC",
                                        .solid = "good",
                                        .hollow = "bad",
                                        .band = 0.005,
                                        .lowest = 0.7,
                                        .points = points,
                                        .count = 3});
    fclose(f);
    CHECK(strstr(text, ">first<") != NULL);
    CHECK(strstr(text, ">a&lt;b<") != NULL);
    CHECK(strstr(text, ">low (0.400)<") != NULL);
    CHECK(strstr(text, "s1 f1") != NULL);
    CHECK(strstr(text, "nan") == NULL);
    CHECK(strstr(text, "</svg>") != NULL);
}

int main(void)
{
    RUN(all_are_there);
    return test_end();
}
