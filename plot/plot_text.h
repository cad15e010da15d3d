/* Text in SVG and HTML: escaping, and the width it takes. */
#ifndef PLOT_TEXT_H
#define PLOT_TEXT_H

#include <stdio.h>

/* Any text in HTML or SVG, between tags or inside the quotes of an attribute. What is not UTF-8, and control
 * characters, become U+FFFD. */
void plot_text(FILE *f, const char *text);
double plot_text_width(const char *text); /* about, in pixels */

#endif
