/* Reasons for pictures: parts of the picture instead of single pixels. */
#ifndef OD_PICTURE_REASONS_H
#define OD_PICTURE_REASONS_H

#include "prep/pixels.h"

/* Differences of brightness below this are hard to see. */
#define OD_PICTURE_VISIBLE 8.0

/*
 * The parts with the largest shares, most important first; col -1 after the last. A part has the share of all
 * its pixels; its column is that of the pixel with the largest share, and its values are means over the
 * pixels, weighted by their shares. share, value and expected (pixels); NaN where nothing is expected.
 */
void od_picture_reasons(const od_pixels *p, const double *share, const double *value, const double *expected,
                        int top, odim_reason *out);
/* "brighter than expected", and what else there is to say. */
const char *od_picture_reason_text(const odim_reason *reason);

#endif
