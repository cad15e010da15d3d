/*
 * Principal components (Shyu et al., 2003): columns are standardised, and a row's score is the sum over all
 * axes of their correlation matrix of projection^2 / variance. What lies along axes of no variance counts
 * over a floor, so that a row that breaks a relation all others keep stands out; see classic/axes.h, also for
 * tables of few rows. Shyu leaves out axes between the largest and the smallest, for speed; here all count.
 */
#ifndef OD_PCA_H
#define OD_PCA_H

#include "classic/classic.h"

extern const od_classic_kind od_pca;

#endif
