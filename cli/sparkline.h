/* A histogram in one line of text: bars of eight heights, or of five on an ASCII terminal.
 */
#ifndef CLI_SPARKLINE_H
#define CLI_SPARKLINE_H

#include "out.h"

/* One character a value, from 0 to `most`; what is above 0 shows, NaN is a blank. */
void cli_sparkline(const double *values, int count, double most, bool utf8, cli_out *out);

#endif
