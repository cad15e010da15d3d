/* What a model takes from its rows before networks are trained, if any are: the view, and the detectors that
 * are no networks. */
#ifndef OD_PREFIT_H
#define OD_PREFIT_H

#include "model/model.h"
#include "prep/encode.h"
#include "prep/sample.h"

/* How many values a row has in the view of a configuration, for a table of so many rows and features. */
int64_t od_prefit_width(const od_config *config, int64_t rows, int64_t features);

/* The view and the companions of a model that has its schema. A method by itself sees all chosen rows;
 * what stands beside networks, and the view, do with a few thousand. */
odim_status od_prefit(odim_model *m, const od_encoder *encoder, const od_row_set *chosen,
                      const odim_hooks *hooks, odim_error *err);

#endif
