/* A histogram in one line of text. */
#include "sparkline.h"

#include <math.h>

void cli_sparkline(const double *values, int count, double most, bool utf8, cli_out *out)
{
    static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const marks[] = {" ", ".", ":", "|", "I", "#"};
    int heights = utf8 ? 8 : 5;
    for (int i = 0; i < count; i++) {
        double share = most > 0 && isfinite(values[i]) ? values[i] / most : 0;
        int height = share <= 0 ? 0 : (int)fmin(heights, fmax(1, ceil(share * heights - 1e-9)));
        cli_out_text(out, utf8 ? bars[height] : marks[height]);
    }
}
