/* make_pictures FOLDER [COUNT]: writes made-up photographs of washers into a folder, part-001.png and so on.
 * Some are faulty: without a hole, chipped, stained, tinted or off center. For tests and the manual. */
#include <math.h>

#include "write_picture.h"

enum { WIDTH = 64, HEIGHT = 48 };

static unsigned long long state = 42;

static double uniform(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 40) / (double)(1 << 24);
}

/* From 0 to 1 across a border about one pixel wide. */
static double inside(double distance)
{
    return distance < -0.5 ? 1 : distance > 0.5 ? 0 : 0.5 - distance;
}

typedef enum fault { NONE, FILLED, CHIPPED, STAINED, TINTED, SHIFTED, FAULTS } fault;

static void draw(fault what, unsigned char *pixels)
{
    double x0 = 32 + 1.5 * (uniform() - 0.5), y0 = 24 + 1.5 * (uniform() - 0.5),
           light = 0.92 + 0.16 * uniform();
    double radius = 18 + uniform() - 0.5, hole = what == FILLED ? -9 : 7 + 0.6 * (uniform() - 0.5);
    if (what == SHIFTED) x0 += 10;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++, pixels += 3) {
            double d = hypot(x - x0, y - y0), shade = 1 + 0.006 * (x0 - x) + 0.006 * (y0 - y);
            double metal = inside(d - radius) * (1 - inside(d - hole));
            double chip = what == CHIPPED ? inside(hypot(x - x0 + 14, y - y0 + 11) - 8) : 0;
            double stain = what == STAINED ? inside(hypot(x - x0 - 10, y - y0 - 9) - 5) : 0;
            double grain = 10 * (uniform() - 0.5);
            static const double ground[] = {46, 52, 60}, steel[] = {188, 190, 196};
            for (int k = 0; k < 3; k++) {
                double face = steel[k] * shade * (1 - 0.75 * stain);
                if (what == TINTED && k == 2) face *= 0.45;
                double part = metal * (1 - chip), v = light * (ground[k] + part * (face - ground[k])) + grain;
                pixels[k] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
            }
        }
    }
}

int main(int argc, char **argv)
{
    static unsigned char pixels[WIDTH * HEIGHT * 3];
    char path[500];
    int count = argc > 2 ? atoi(argv[2]) : 200;
    if (argc < 2) return 2;
    for (int i = 1; i <= count; i++) {
        fault what = i % 37 == 17 ? (fault)(1 + i / 37 % (FAULTS - 1)) : NONE;
        draw(what, pixels);
        snprintf(path, sizeof path, "%s/part-%03d.png", argv[1], i);
        write_png(path, WIDTH, HEIGHT, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, pixels);
    }
    return 0;
}
