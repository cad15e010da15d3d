/* Weights of the auxiliary detectors next to networks. */
#ifndef OD_AUX_WEIGHTS_H
#define OD_AUX_WEIGHTS_H

#include "base/parallel.h"
#include "model/model.h"
#include "prep/table.h"

/* Sets the weights: over these training rows, the scores of a detector with weight 1 deviate as much as the
 * losses of the networks do. Does nothing if the model has no networks or no detectors. */
odim_status od_aux_weights_fit(odim_model *m, const od_table_rows *rows, const od_run *run, odim_error *err);

#endif
