/* A small picture in a line of text: bars of eight heights, or of five where the terminal knows only ASCII.
 */
#ifndef OD_SPARK_H
#define OD_SPARK_H

#include "out.h"

/* One character a value, from 0 to `most`; what is above 0 shows, NaN is a blank. */
void od_spark(const double *values, int count, double most, bool utf8, od_out *out);

#endif
