/*
 * The local outlier factor (Breunig et al., 2000), as scikit-learn has it: exactly k neighbours also where
 * there are ties, and 1e-10 beside mean distances that may be 0. A training row's own is that of the training
 * set; a new row's compares it with its neighbours' values.
 */
#ifndef OD_LOF_H
#define OD_LOF_H

#include "classic/classic.h"

extern const od_classic_kind od_lof;

#endif
