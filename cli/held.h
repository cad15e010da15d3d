/* What a model holds of single training rows: in words and for programs. */
#ifndef OD_HELD_H
#define OD_HELD_H

#include "json.h"
#include "odim.h"
#include "out.h"
#include "work.h"

/* Before a model is kept in a file, to stderr: that it holds rows, or texts of single rows, if it does. */
void od_held_say(od_work *work, const odim_model *model);
/* For inspect; nothing for a private model. */
void od_held_print(const odim_model *model, od_out *out);
/* As a member "holds" of an open object. */
void od_held_json(const odim_model *model, od_json *j);

#endif
