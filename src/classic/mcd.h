/*
 * Robust covariance: the squared Mahalanobis distance by the minimum covariance determinant (FAST-MCD, see
 * classic/fastmcd.h), made consistent for normal rows by the median of the distances and reweighted once,
 * both as scikit-learn's MinCovDet does.
 *
 * Columns are first brought to one scale by medians. Tables of more than OD_MCD_WIDE columns, or of few rows,
 * are turned onto their leading principal axes (classic/axes.h), and what is left over of a row counts beside
 * its distance there. Directions in which the rows that count have no variance are measured by that of all
 * rows; where these have none either, by OD_NO_VARIANCE: a row that leaves the hyperplane of all others is
 * far away. (scikit-learn ignores such directions.)
 */
#ifndef OD_MCD_H
#define OD_MCD_H

#include "classic/classic.h"

#define OD_MCD_WIDE 300

extern const od_classic_kind od_mcd;

#endif
