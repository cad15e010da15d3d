/* Text and numbers in pictures: escaped, measured, formatted. */
#ifndef PLOT_TEXT_H
#define PLOT_TEXT_H

#include <stdio.h>

/* 0.01, 1, 1,000,000: a number as axes have it. Returns buf. */
const char *plot_number(char *buf, size_t size, double value);
/* Any text in HTML or SVG, between tags or inside the quotes of an attribute. What is not UTF-8, and control
 * characters, become U+FFFD. */
void plot_text(FILE *f, const char *text);
double plot_text_width(const char *text); /* about, in pixels */

#endif
