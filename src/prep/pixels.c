/* Names the columns of pictures, and the parts of a picture that they are in. */
#include "prep/pixels.h"

#include <stdio.h>
#include <string.h>

static int64_t colors(const od_pixels *p)
{
    return p->color ? 3 : 1;
}

void od_pixels_name(const od_pixels *p, int64_t i, char *buf, size_t size)
{
    static const char *const color[] = {".red", ".green", ".blue"};
    int64_t at = i / colors(p);
    snprintf(buf, size, "r%lldc%lld%s", (long long)(at / p->cols) + 1, (long long)(at % p->cols) + 1,
             p->color ? color[i % 3] : "");
}

/* The first and the last name and the number of columns tell the grid, since the names are in order. */
bool od_pixels_of(const od_schema *s, od_pixels *out)
{
    unsigned rows, cols;
    char name[32];
    if (s->cols < 1 || sscanf(s->col[s->cols - 1].name, "r%3uc%3u", &rows, &cols) != 2) return false;
    if (rows < 1 || cols < 1 || rows > OD_PIXELS_SIDE || cols > OD_PIXELS_SIDE) return false;
    od_pixels p = {.cols = (int)cols, .rows = (int)rows, .color = s->cols == 3 * (int64_t)rows * cols};
    if (s->cols != od_pixels_count(&p)) return false;
    int64_t ends[] = {0, s->cols - 1};
    for (int k = 0; k < 2; k++) {
        od_pixels_name(&p, ends[k], name, sizeof name);
        if (s->col[ends[k]].type != ODIM_NUMERIC || strcmp(s->col[ends[k]].name, name) != 0) return false;
    }
    *out = p;
    return true;
}

/* Which third, of an axis that has thirds; else the middle. */
static int64_t third(int64_t at, int64_t length)
{
    return length < 3 ? 1 : at * 3 / length;
}

int od_pixels_part(const od_pixels *p, int64_t i)
{
    int64_t at = i / colors(p);
    return (int)(3 * third(at / p->cols, p->rows) + third(at % p->cols, p->cols));
}

const char *od_pixels_part_name(int part)
{
    static const char *const names[OD_PIXELS_PARTS] = {
        "upper left", "top", "upper right", "left", "center", "right", "lower left", "bottom", "lower right"};
    return names[part];
}
