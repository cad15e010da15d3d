/* What a model contains of single training rows, in words and as JSON. */
#ifndef CLI_HELD_H
#define CLI_HELD_H

#include "json.h"
#include "odim.h"
#include "out.h"
#include "run.h"

/* Before a model is saved: notes that it contains training rows, or texts of single rows, if it does. */
void cli_held_say(cli_run *work, const odim_model *model);
/* For inspect; nothing for a private model. */
void cli_held_print(const odim_model *model, cli_out *out);
/* As a member "holds" of an open object. */
void cli_held_json(const odim_model *model, cli_json *j);

#endif
