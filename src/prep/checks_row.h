/* Checks the cells of one row of a table. The array `room` has od_checks_room numbers of scratch. */
#ifndef OD_CHECKS_ROW_H
#define OD_CHECKS_ROW_H

#include "prep/encode.h"

/* The evidence that cells of a row are wrong: 0 for nearly all rows. each (cols), or NULL: the part of each
 * column in it. */
double od_checks_row(const od_checks *c, const od_encoder *e, int64_t row, double *each, double *room);
/* The value that the other cells of the row predict for a related column; NAN if they predict none. */
double od_checks_expected(const od_checks *c, const od_encoder *e, int64_t row, int64_t col, double *room);
/*
 * Which of the related columns may be wrong, where they contradict each other. gain (cols) is the decrease of
 * the row's squared distance if the column had its expected value; 0 if that is not an ordinary value of the
 * column, or none is expected. Returns whether any column has a gain.
 */
bool od_checks_suspects(const od_checks *c, const od_encoder *e, int64_t row, double *gain, double *room);

/* Whether a value of a row is one of a run that is too long. */
bool od_checks_is_stuck(const od_column_check *c, const od_encoder *e, int64_t row, double value);
/* Whether the cell of a column of codes has another pattern than all of these. */
bool od_checks_is_odd_code(const od_checks *c, const od_encoder *e, int64_t row, int64_t col);
/* Whether the row has a level that is excused, see od_threshold_excuse, or rules determine its numbers. */
bool od_checks_is_excused(const od_checks *c, const od_encoder *e, int64_t row);
/* Whether the row has this level of a category, or this boolean. */
bool od_checks_has_level(const od_encoder *e, int64_t row, int64_t col, int64_t level);
/* z (relations): deviations of the related columns; false if the table lacks one of them. */
bool od_checks_deviations(const od_checks *c, const od_encoder *e, int64_t row, double *z);

#endif
