/* tests: pixels. The names of pixels, and the parts of a picture. */
#include "prep/pixels.h"

#include "test.h"

/* A schema with the columns of a grid. */
static od_schema_col *columns_of(const od_pixels *p, char (*name)[32], od_schema *s)
{
    int64_t count = od_pixels_count(p);
    od_schema_col *col = calloc((size_t)count, sizeof *col);
    if (!col) abort();
    for (int64_t i = 0; i < count; i++) {
        od_pixels_name(p, i, name[i], sizeof *name);
        col[i] = (od_schema_col){.name = name[i], .type = ODIM_NUMERIC};
    }
    *s = (od_schema){.cols = count, .col = col};
    return col;
}

TEST(names)
{
    char name[12][32];
    const od_pixels grey = {.cols = 3, .rows = 2}, color = {.cols = 2, .rows = 2, .color = true};
    od_pixels found;
    od_schema s;
    od_schema_col *col = columns_of(&grey, name, &s);
    CHECK_STR(name[0], "r1c1");
    CHECK_STR(name[2], "r1c3");
    CHECK_STR(name[5], "r2c3");
    CHECK(od_pixels_of(&s, &found) && found.cols == 3 && found.rows == 2 && !found.color);
    s.cols = 5; /* one is missing */
    CHECK(!od_pixels_of(&s, &found));
    s.cols = 6;
    col[0].type = ODIM_CATEGORICAL;
    CHECK(!od_pixels_of(&s, &found));
    col[0].type = ODIM_NUMERIC;
    name[0][0] = 'q';
    CHECK(!od_pixels_of(&s, &found));
    free(col);
    col = columns_of(&color, name, &s);
    CHECK_STR(name[3], "r1c2.red");
    CHECK_STR(name[11], "r2c2.blue");
    CHECK(od_pixels_of(&s, &found) && found.cols == 2 && found.rows == 2 && found.color);
    strcpy(name[11], "r2c2.red");
    CHECK(!od_pixels_of(&s, &found));
    strcpy(name[11], "r999c9");
    CHECK(!od_pixels_of(&s, &found));
    strcpy(name[11], "x12");
    CHECK(!od_pixels_of(&s, &found));
    free(col);
    CHECK(!od_pixels_of(&(od_schema){0}, &found));
}

static const char *part(od_pixels p, int row, int col)
{
    return od_pixels_part_name(od_pixels_part(&p, (p.color ? 3 : 1) * (row * p.cols + col)));
}

TEST(parts)
{
    const od_pixels square = {.cols = 9, .rows = 6}, color = {.cols = 16, .rows = 16, .color = true};
    CHECK_STR(part(square, 0, 0), "upper left");
    CHECK_STR(part(square, 1, 2), "upper left");
    CHECK_STR(part(square, 1, 3), "top");
    CHECK_STR(part(square, 0, 8), "upper right");
    CHECK_STR(part(square, 2, 2), "left");
    CHECK_STR(part(square, 3, 5), "center");
    CHECK_STR(part(square, 3, 6), "right");
    CHECK_STR(part(square, 4, 0), "lower left");
    CHECK_STR(part(square, 5, 4), "bottom");
    CHECK_STR(part(square, 5, 8), "lower right");
    CHECK_STR(part(color, 0, 5), "upper left");
    CHECK_STR(part(color, 15, 15), "lower right");
    /* Too small to have thirds. */
    CHECK_STR(part((od_pixels){.cols = 1, .rows = 1}, 0, 0), "center");
    CHECK_STR(part((od_pixels){.cols = 2, .rows = 3}, 0, 1), "top");
    CHECK_STR(part((od_pixels){.cols = 3, .rows = 2}, 1, 2), "right");
}

int main(void)
{
    RUN(names);
    RUN(parts);
    return test_end();
}
