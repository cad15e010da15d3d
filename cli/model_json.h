/* What a model contains, as a JSON object. */
#ifndef CLI_MODEL_JSON_H
#define CLI_MODEL_JSON_H

#include "odim.h"
#include "out.h"

/* path: what to name as the file. */
void cli_model_json(const odim_model *m, const char *path, cli_out *out);

#endif
