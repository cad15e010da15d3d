/* Fits the transform and the detectors, before networks are trained. */
#ifndef OD_PREFIT_H
#define OD_PREFIT_H

#include "base/parallel.h"
#include "model/model.h"
#include "prep/encode.h"
#include "prep/sample.h"

/* How many values a transformed row has, for a table of so many rows and features. */
int64_t od_prefit_width(const od_config *config, int64_t rows, int64_t features);

/* Fits the transform and the detectors of a model that has its schema. A detector that is the method sees all
 * chosen rows; the transform and auxiliary detectors see a few thousand. */
odim_status od_prefit(odim_model *m, const od_encoder *encoder, const od_row_set *chosen, const od_run *run,
                      odim_error *err);

#endif
