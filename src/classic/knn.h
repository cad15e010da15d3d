/* The distance to the k-th nearest training row (Ramaswamy et al., 2000): what scikit-learn's
 * NearestNeighbors gives as the last distance, and PyOD's KNN by default. */
#ifndef OD_KNN_H
#define OD_KNN_H

#include "classic/classic.h"

extern const od_classic_kind od_knn;

#endif
