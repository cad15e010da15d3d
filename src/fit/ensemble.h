/* Fitting the ensemble: from a table and a configuration to a model. */
#ifndef OD_ENSEMBLE_H
#define OD_ENSEMBLE_H

#include "model/model.h"

/* The network's sizes for a table of d features: what the configuration says, "auto" replaced by the paper's
 * rule. */
od_shape od_ensemble_shape(const od_config *config, int64_t d);

odim_status od_ensemble_fit(odim_model **out, const od_config *config, const odim_table *table,
                            const odim_hooks *hooks, odim_error *err);

#endif
